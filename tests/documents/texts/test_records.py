"""XML that holds data is read by its elements, and written as it was but for edits."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from presidio_cdip.documents.formats import format_of
from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import records
from presidio_cdip.documents.texts.markup_tokens import tokens
from presidio_cdip.errors import UnreadableInput
from tests.growth import MOST, growth

XML = (
    b'<?xml version="1.0"?>\n<!-- by Ann -->\n<r xmlns="urn:a" id="Bo Li"><dateOfBirth>4 M&#228;rz'
    b'</dateOfBirth><p>Jo<b>hn</b> Lee</p><field name="SSN"><![CDATA[<9>]]></field><e/>\n</r>\n'
)


def read(data: bytes) -> Document:
    return records.opened(data, "a.xml", Settings())


def test_texts_are_read_with_their_labels() -> None:
    """Mixed content is one text; attributes and comments come last."""
    assert [(one.text, one.label) for one in read(XML).segments] == [
        ("4 März", "date of birth"), ("John Lee", "p"), ("<9>", "ssn"), (" by Ann ", ""),
        ("Bo Li", "id"), ("SSN", "name"),
    ]  # fmt: skip


def test_only_edits_change() -> None:
    """New text is written as its place wants it."""
    new = read(XML).write(
        {
            1: [Edit(0, 8, "A & B", "PERSON")],
            2: [Edit(0, 3, "x]]>", "US_SSN")],
            4: [Edit(0, 5, '"C"', "PERSON")],
        },
        {},
    )

    assert new == XML.replace(b"Jo<b>hn</b> Lee", b"A &amp; B<b></b>").replace(
        b"<9>", b"x]] >"
    ).replace(b'"Bo Li"', b'"&quot;C&quot;"')
    assert read(XML).write({}, {}) == XML


def test_files_and_data_in_it_are_opened() -> None:
    """Base64 of a text is a file; JSON is read by its strings."""
    document = read(b'<r><a>U1NOIDI3MS0yNC0wNTM4</a><b>{"name": "Ann"}</b></r>')

    assert [one.data for one in document.embedded] == [b"SSN 271-24-0538"]
    assert [(one.text, one.label) for one in document.segments] == [("Ann", "name")]


@pytest.mark.parametrize(
    "data",
    [
        b'<w:wordDocument xmlns:w="a"/>',
        b'<p:package xmlns:p="http://schemas.microsoft.com/office/2006/xmlPackage"/>',
        b'<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    ],
)
def test_documents_in_one_file_are_refused(data: bytes) -> None:
    """Their runs are not joined here; the message says how to save them."""
    with pytest.raises(UnreadableInput, match="save it as"):
        read(data)


def test_bytes_decide() -> None:
    """A declaration tells XML, in any encoding; pages in XML are read as HTML."""
    kind = format_of('<?xml version="1.0"?><r/>'.encode("utf-16"), "a.txt")

    assert kind is not None and kind.name == "xml"
    assert [one.label for one in read(b"<html><p title='Ann'>x</p></html>").segments] == ["", ""]


@pytest.mark.parametrize(
    "data", [b"<r", b"<r>&bad; a<b>", b"<?xml version='1.0'?>", b"", b"</a></b>text<c>d</c>"]
)
def test_damaged_xml_is_read_as_far_as_it_goes(data: bytes) -> None:
    """And written as it was."""
    assert read(data).write({}, {}) == data


def test_elements_part_words() -> None:
    """Values of elements that a stray text makes one do not run together; letters in a line do."""
    data = b"<r>x<ssn>271-24-0538</ssn><tel>555</tel>y<br/>z<c:i>a</c:i>b</r>"
    document = read(data)

    assert [one.text for one in document.segments] == ["x 271-24-0538 555 y zab"]
    assert document.write({0: [Edit(1, 17, "1", "US_SSN")]}, {}) == data.replace(
        b"<ssn>271-24-0538</ssn><tel>555", b"<ssn>1</ssn><tel>"
    )


PIECES = [
    "<a>", "</a>", "<b>", "</b>", "<c/>", "<br>", "</x>", "<!-- n -->", "<![CDATA[", "]]>",
    "<", ">", "\n", "one ", "two ", "Ann Lee ", "SSN 271-24-0538 ", "<?i?>", '<d e="f">',
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("<r><name>Ann</name><note>Call John Smith, SSN 271-24-0538 <b>now</b>")
@example("<a>Call <b>John</b> Tel 555-123-4567<br>more</a>")
@example("<e>ab</e>\nUser Ann Lee SSN 271-24-0538\n<e>cd</e>")
@example("<e>ab</e> 271-24-0538")
@example("<e>ab</e></e><f>cd</f> 271-24-0538 <g>")
def test_every_text_is_read(text: str) -> None:
    """Whatever is not closed, closed twice, or stands outside the root."""
    document = read(text.encode())
    read_texts = "\n".join(one.text for one in document.segments)

    for token in tokens(text, raw=False):
        if token.kind in ("text", "data"):
            assert text[token.start : token.end].strip() in read_texts
    assert document.write({}, {}) == text.encode()


def test_text_between_records_joins_none() -> None:
    """Each record, and each text between them, is a segment."""
    document = read(b"<e>ab</e>\nby Ann\n<e>c<i>d</i></e>")

    assert [one.text.strip() for one in document.segments] == ["ab", "by Ann", "cd"]


@pytest.mark.parametrize(("data", "found"), [(b"<a>b</a title='Ann'>", 2), (b"<a Ann>b</a>", 1)])
def test_attributes_out_of_place(data: bytes, found: int) -> None:
    """Those of end tags are read; names that look like values are reported."""
    assert len(read(data).segments) == found
    assert len(read(data.replace(b"a Ann", b"a 271-24-0538")).unread) == 2 - found


@pytest.mark.parametrize("piece", [b"<a>x", b"<a>", b"x</a>", b"<a>x</a>y"])
def test_work_grows_with_the_depth(piece: bytes) -> None:
    """Four times the depth takes about four times the steps, and no recursion."""
    assert growth(lambda size: read(piece * size), 1000) < MOST
