"""Percent signs are read as what they stand for, in all formats of text, and written again."""

import json

import pytest

from presidio_cdip.documents.formats import format_of, open_document
from presidio_cdip.documents.segments import Edit, Settings

SENTENCE = "SSN 271-24-0538."
ADDRESS = "https://x.org/a%20b?n=SSN%20271%2D24%2D0538%2E&c=50%25"
FILES = {
    "a.json": json.dumps({"url": ADDRESS}),
    "a.csv": f"id,url\n1,{ADDRESS}\n2,x\n",
    "a.eml": f"Subject: x\n\nsee {ADDRESS} there\n",
    "a.xml": f"<a><b>{ADDRESS.replace('&', '&amp;')}</b></a>",
    "a.html": f"<p>see {ADDRESS.replace('&', '&amp;')}</p>",
    "a.vcf": f"BEGIN:VCARD\nURL:{ADDRESS}\nEND:VCARD\n",
}


@pytest.mark.parametrize("name", FILES)
def test_value_in_percent_signs_is_replaced(name: str) -> None:
    """New text has them, too; all others stay as they are, and beside addresses there are none."""
    data = FILES[name].encode()
    kind = format_of(data, name)
    assert kind is not None
    document = open_document(data, name, kind, Settings())
    edits = {
        number: [Edit(at, at + len(SENTENCE), "Jörg Lee", "X")]
        for number, one in enumerate(document.segments)
        if (at := one.text.find(SENTENCE)) >= 0
    }

    written = document.write(edits, {})

    assert edits
    assert written == data.replace(b"SSN%20271%2D24%2D0538%2E", b"J%C3%B6rg%20Lee")


def test_text_beside_an_address_is_written_as_it_is() -> None:
    """In the same segment."""
    data = b'{"a": "Ann Lee, see x.org/%41nn"}'
    kind = format_of(data, "a.json")
    assert kind is not None

    document = open_document(data, "a.json", kind, Settings())

    assert document.segments[0].text == "Ann Lee, see x.org/Ann"
    assert document.write({0: [Edit(0, 7, "Bo Ek", "X"), Edit(19, 22, "Bo 2", "X")]}, {}) == (
        b'{"a": "Bo Ek, see x.org/Bo%202"}'
    )
