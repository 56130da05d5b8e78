"""Packages are read as office programs read them, and searched for what people wrote."""

import pytest

from presidio_cdip.documents.formats import check_suffix, format_of
from presidio_cdip.documents.office import word
from presidio_cdip.documents.office.package import extracted
from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import UnreadableInput
from tests.documents.office.office_files import NAME, docx, unzipped, zipped

SEEN = f"<w:p><w:r><w:t>{NAME}</w:t></w:r></w:p>"
MACRO = "application/vnd.ms-word.document.macroEnabled.main+xml"


def searched(xml: str) -> str:
    """Return all text in which originals are looked for, in a package with a part of *xml*."""
    return "\n".join(text for _, text in extracted(zipped({"a.xml": xml}))).casefold()


@pytest.mark.parametrize(
    "parts",
    [
        {name.replace("/", "\\"): data for name, data in unzipped(docx(SEEN)).items()},
        {name.replace("[Content_Types]", "[content_types]"): data
         for name, data in unzipped(docx(SEEN)).items()},
    ],
)  # fmt: skip
def test_names_of_parts_are_read_as_office_programs_do(parts: dict[str, bytes]) -> None:
    """Some writers use backslashes, or small letters for the list of types."""
    data = zipped(parts)

    document = word.opened(data, "a.docx", Settings())

    kind = format_of(data, "a.docx")
    assert kind is not None
    assert kind.name == "docx"
    assert NAME in [one.text for one in document.segments]
    assert "[Content_Types].xml" in unzipped(document.write({}, {}))


@pytest.mark.parametrize(
    "xml",
    [
        '<a prst="chevron" name="Chevron 1"/>',
        '<a typ="urn:microsoft.com/office/chevron"/>',
        '<a ContentType="application/vnd.chevron+xml"/>',
        '<xsd:a xmlns:xsd="http://www.w3.org/2001/XMLSchema" name="Chevron"/>',
    ],
)
def test_what_programs_give_is_not_searched(xml: str) -> None:
    """A finding elsewhere may be one of their words."""
    assert "chevron" not in searched(xml)


@pytest.mark.parametrize("xml", ["<a>Chevron Ltd</a>", '<a b="Chevron Ltd"/>', "<a><!--Chevron-->"])
def test_what_people_write_is_searched(xml: str) -> None:
    """Text, attributes and comments."""
    assert "chevron" in searched(xml)


@pytest.mark.parametrize(("name", "kept"), [("a.docm", True), ("a.docx", False)])
def test_type_agrees_with_the_suffix(name: str, kept: bool) -> None:
    """Word opens no file whose type is not that of its suffix."""
    links = {"r1": ("body", "vbaProject", "word/vbaProject.bin")}
    data = docx(SEEN, {"word/vbaProject.bin": b"\xd0\xcf\x11\xe0"}, links, MACRO)

    new = unzipped(word.opened(data, name, Settings()).write({}, {}))

    assert "word/vbaProject.bin" not in new
    assert (b"macroEnabled" in new["[Content_Types].xml"]) == kept


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
        (b"\xd0\xcf\x11\xe0" + b"WordDocument", "Office 97"),
        (docx(SEEN)[:-30], "is a damaged package"),
    ],
)
def test_refusal_says_why(data: bytes, said: str) -> None:
    """A password, an old format and a cut file need different help."""
    with pytest.raises(UnreadableInput, match=said):
        check_suffix(data, "a.docx")
