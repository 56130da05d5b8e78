"""A number in text that is malformed, or stands beside a file, is not left."""

import base64

import pytest

from benchmarks.documents_running import DONE, rewritten
from presidio_cdip.documents.segments import Settings

pytestmark = pytest.mark.checkout

SSN = "SSN 271-24-0538"
PACKED = base64.b64encode(f"A patient, {SSN}".encode()).decode()
XML = '<?xml version="1.0"?>'
CARD = "BEGIN:VCARD\nFN:Ann\n{}\nEND:VCARD\n"
FILES = {
    "open elements.xml": f"{XML}<r><name>Ann</name><note>Call Ann, {SSN} <b>now</b>",
    "one open element.xml": f"{XML}<a>Call me, {SSN}<br>more</a>",
    "between records.xml": f"{XML}<e>ab</e>\nby Ann, {SSN}\n<e>cd</e>",
    "behind the root.xml": f"{XML}<e>ab</e></e><f>cd</f> {SSN}",
    "stray text.xml": f"{XML}<r>x<ssn>271-24-0538</ssn><note>more</note></r>",
    "beside a file.vcf": CARD.format(f"NOTE:see data:text/plain,hello and {SSN}"),
    "version.vcf": CARD.format(f"VERSION:{SSN}"),
    "base64 without folds.vcf": CARD.format(f"KEY;ENCODING=BASE64:{PACKED[:20]}\n{PACKED[20:]}\n"),
    "base64 without end.vcf": CARD.format(f"NOTE:data:;base64,aGVsbG8 and {SSN}"),
    "method.ics": f"BEGIN:VCALENDAR\nMETHOD:{SSN}\nEND:VCALENDAR\n",
    "address with blanks.html": f'<a href="data:text/plain,Patient Ann, {SSN}">x</a>',
    "beside a file.html": f'<p title="{SSN}, see data:text/plain,hi">x</p>',
    "beside a picture.html": f'<img srcset="data:text/plain,hi 1x, /{SSN}.png 2x">',
    "capital letter.html": f'<img src="Data:text/plain;base64,{PACKED}">',
    "template in a template.html": f'<script>a = `Dear ${{c ? `Ann, {SSN}` : ""}}`</script>',
    "number.html": "<script>var ssn = 271240538</script>",
    "file in a string.html": f"<script>f('data:text/plain;base64,{PACKED}')</script>",
    "handler.html": f"<i onclick=\"f('data:text/plain,hi {SSN}')\">x</i>",
    "address that is a script.html": f'<a href="javascript:f(`${{g(`{SSN}`)}}`)">x</a>',
}


@pytest.mark.parametrize("name", FILES)
def test_number_is_not_left(name: str) -> None:
    """Also in base64."""
    outcome = rewritten(FILES[name].encode(), name, Settings(), threads=1)
    left = ("271-24-0538", "271240538", PACKED[20:])

    assert outcome.kind == DONE
    assert not any(one in outcome.data.decode() for one in left)
