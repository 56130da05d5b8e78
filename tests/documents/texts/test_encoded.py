"""What stands encoded in a text is reported, in whatever text it stands; ordinary text is not."""

import base64
import binascii
import gzip
import hashlib
import re
import zlib
from email.message import EmailMessage

import pytest

from presidio_cdip.documents.rewriting import Picture, Tools, rewrite_any
from presidio_cdip.documents.segments import Settings
from presidio_cdip.documents.texts.encoded import beside_percents, escaped_in, packed_in
from presidio_cdip.recognition.spans import Span
from tests.growth import patience

SSN = "271-24-0538"
SENTENCE = f"His Social Security number is {SSN}."
WHOLE = base64.b64encode(SENTENCE.encode()).decode()
LINES = base64.encodebytes(SENTENCE.encode() * 3).decode()
UUENCODED = "begin 644 a.txt\n" + "".join(
    binascii.b2a_uu(SENTENCE.encode()[at : at + 45]).decode() for at in (0, 45)
)
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(30))).decode()
DIGEST = hashlib.sha512(b"key").digest()

PACKED = {
    "three lines": f"Attachment follows\n\n{LINES}",
    "a short one": base64.b64encode(SSN.encode()).decode(),
    "without its last signs": f"token {WHOLE.rstrip('=')};",
    "glued to a path": f"https://x.org/a/{WHOLE}",
    "yaml": f"blob: !!binary |\n    {PNG}\n",
    "ldif": f"description:: {WHOLE}",
    "script": f'var t = atob("{WHOLE}");',
    "quoted by a reply": "".join(f"> {line}\n" for line in LINES.splitlines()),
    "in UTF-16": base64.b64encode(SENTENCE.encode("utf-16-le")).decode(),
    "compressed": base64.b64encode(zlib.compress(SENTENCE.encode())).decode(),
    "gzip": base64.b64encode(gzip.compress(SENTENCE.encode())).decode(),
    "uuencode": f"See below\n{UUENCODED}`\nend\n",
    "middle of a uuencode": binascii.b2a_uu(bytes(range(100, 145))).decode() * 3,
    "hexadecimal digits": f"key {SENTENCE.encode().hex()}",
}


@pytest.mark.parametrize("name", PACKED)
def test_packed_text_is_found(name: str) -> None:
    """A text or a file, as one block."""
    assert len(list(packed_in(PACKED[name]))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A letter of many words.\n" * 40,
        f"sha256 {hashlib.sha256(b'a').hexdigest()} md5 {hashlib.md5(b'a').hexdigest()}",
        f"integrity sha512-{base64.b64encode(DIGEST).decode()}",
        f"key {base64.urlsafe_b64encode(DIGEST).decode()}",
        "uuid 123e4567-e89b-12d3-a456-426614174000, 41273905141273905141273905141273",
        "https://example.org/presidio/documents/texts/EncodedContentOfEveryText/index",
        "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV ________________________________",
        "INTERNATIONALBUSINESSMACHINESCORPORATION, aVeryLongNameOfAFunctionOfSomeProgram",
        "begin 2000 tests\nMake sure that all of them have passed before the release.\nend",
    ],
)
def test_ordinary_text_is_not(text: str) -> None:
    """Nor are digests, keys, numbers, addresses and names of programs."""
    assert list(packed_in(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 a" + " " * 200_000,
        "=?a?q?" * 50_000,
        "aB3/" * 100_000,
        "%41" * 60_000,
        "data:," * 9_000,
    ],
    ids=["uuencode", "encoded words", "base64", "percent signs", "addresses"],
)
def test_long_texts_do_not_stall(text: str) -> None:
    """No expression goes back over what it has read."""
    with patience():
        list(packed_in(text))
        list(escaped_in(text, [], find))


def find(text: str) -> list[Span]:
    """Find numbers behind words that announce them."""
    return [
        Span(*one.span(1), "US_SSN", 0.9, "x")
        for one in re.finditer(r"(?:SSN|number is)\W{1,3}(\d{3}-\d\d-\d{4})", text)
    ]


ESCAPED = {
    "percent signs": "https://x.org/?note=number%20is%20271%2D24%2D0538%2E",
    "percent signs before it": "https://x.org/?note=number%20is%20271-24-0538",
    "entities": "<p>" + "".join(f"&#{ord(one)};" for one in f"SSN {SSN}"),
    "escapes": f"a SSN {SSN}".replace("271", "\\u0032\\u0037\\u0031"),
    "quoted-printable": "The SSN 271-24-05=\n38",
    "an encoded word": f"Subject: =?utf-8?b?{base64.b64encode(b'SSN ' + SSN.encode()).decode()}?=",
    "an encoded word of letters": f"Subject: =?utf-8?q?SSN_{SSN.replace('-', '=2D')}?=",
}


@pytest.mark.parametrize("name", ESCAPED)
def test_value_in_escapes_is_found(name: str) -> None:
    """Where it is not found without them."""
    text = ESCAPED[name]

    assert len(list(escaped_in(text, find(text), find))) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"https://x.org/a%20b?c=%2F and SSN {SSN}",
        f"https://x.org/?SSN={SSN}%2E",
        f"AT&amp;T &nbsp; SSN {SSN}\\n 50%20 of =3D",
    ],
)
def test_escapes_without_a_value_are_no_matter(text: str) -> None:
    """Nor are those beside a value that is found without them."""
    assert list(escaped_in(text, find(text), find)) == []


@pytest.mark.parametrize(("start", "end"), [(2, 15), (3, 16), (4, 17), (2, 18)])
def test_percent_signs_are_not_cut(start: int, end: int) -> None:
    """A finding that begins or ends among their digits leaves them whole."""
    text = f"a%20{SSN}%2Eb"

    (span,) = beside_percents(text, [Span(start, end, "US_SSN", 0.9, "x")])

    assert text[span.start : span.end] in (SSN, f"{SSN}%2E")


def mail() -> bytes:
    """A message in whose body base64 stands."""
    made = EmailMessage()
    made.set_content(f"See:\n\n{LINES}\n")
    return made.as_bytes()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (LINES.encode(), "a.txt"),
        (f"<p>{WHOLE}</p>".encode(), "a.html"),
        (mail(), "a.eml"),
        (f"BEGIN:VCARD\nNOTE:{WHOLE}\nEND:VCARD\n".encode(), "a.vcf"),
    ],
)
def test_every_format_reports_it(data: bytes, name: str) -> None:
    """Once, and with its place."""
    tools = Tools(find, lambda one, change: Picture(one.data, [], []))

    report = rewrite_any(data, name, tools, Settings())[1]

    assert len(report.unread) == 1
