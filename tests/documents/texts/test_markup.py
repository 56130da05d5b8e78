"""HTML is read into the texts of its blocks, attributes and comments, and written byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import markup
from tests.growth import MOST, growth, patience

NAME = "John Smithson"
PIECES = [
    "<p>", "</p>", "<b a='", "'", '"', ">", "<!--", "-->", "<script>", "</script>", "&amp;", "&x",
    "<td title=a>", "<table>", "text", " ", "\n", "<![CDATA[", "]]>", "<textarea>", "<", "/", "é",
]  # fmt: skip
PLACES = {
    "text": "<p>{}</p>",
    "split": "<p><b>Jo</b>hn <i>Smith<!-- x -->son</i></p>",
    "entities": "<p>&#74;ohn&#x20;Smiths&#111;n</p>",
    "soft hyphen": "<p>John Smith&shy;son</p>",
    "lines": "<p>John\n    Smithson</p>",
    "title": "<title>{}</title>",
    "heading of a cell": "<table><tr><th>{}</table>",
    "cell": "<table><tr><td>{}</table>",
    "alt": "<img alt='{}'>",
    "title of a link": '<a title="{}">x</a>',
    "label": "<p aria-label='{}'>",
    "field": "<input value='{}'>",
    "hint": "<input placeholder='{}'>",
    "meta": "<meta name=author content='{}'>",
    "data": "<p data-name='{}'>",
    "json in data": '<p data-x=\'{{"n": "{}"}}\'>',
    "linked data": '<script type="application/ld+json">{{"name": "{}"}}</script>',
    "escaped data": '<script type=application/json>["John\\u0020Smithson"]</script>',
    "template": "<script type=text/template><b>{}</b></script>",
    "comment": "<!-- by {} -->",
    "condition": "<!--[if mso]><p>{}</p><![endif]-->",
    "mail": "<a href='mailto:x@y.org?subject=John%20Smithson'>x</a>",
    "query": '<a href="http://x.org/?a=1&amp;n=John+Smithson">x</a>',
    "end tag": "<p></p title='{}'>",
    "textarea": "<textarea>{}</textarea>",
    "option": "<select><option>{}</select>",
    "drawing": "<svg><text><tspan>John </tspan><tspan>Smithson</tspan></text></svg>",
    "noscript": "<noscript>{}</noscript>",
    "section": "<svg><![CDATA[{}]]></svg>",
    "entity": "<!DOCTYPE x [<!ENTITY me '{}'>]><p>&me;</p>",
    "upper case": "<IMG ALT='{}'>",
    "unclosed": "<p>a<b <i>{}",
}


def read(data: bytes) -> Document:
    return markup.opened(data, "a.html", Settings())


def replaced(data: bytes, old: str, new: str) -> bytes:
    """Write with *new* in the place of each text that has *old*."""
    document = read(data)
    return document.write(
        {
            number: [Edit(at, at + len(old), new, "PERSON")]
            for number, one in enumerate(document.segments)
            if (at := one.text.find(old)) >= 0
        },
        {},
    )


@pytest.mark.parametrize("place", PLACES)
def test_every_hiding_place(place: str) -> None:
    """What is planted there is read, replaced, and no longer found."""
    data = PLACES[place].format(NAME).encode()

    written = replaced(data, NAME, "Ann Lee")

    assert any(NAME in text for _, text in markup.extracted(data, "a.html")) or place == "lines"
    assert not any(
        "smithson" in "".join(text.split()).lower() for _, text in markup.extracted(written, "a")
    )
    assert any(one.text.find("Ann Lee") >= 0 for one in read(written).segments)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_untouched_is_the_same(text: str) -> None:
    """Anything is HTML, and is written without edits as it was."""
    assert read(text.encode()).write({}, {}) == text.encode()


def test_formatting_stays() -> None:
    """New text stands in the first element that the old began in."""
    data = b"<p class=x>Dear <b>Jo</b>hn <i>Smithson</i>, &lt;hi&gt;</p>"

    assert replaced(data, NAME, "A & B") == (
        b"<p class=x>Dear <b>A &amp; B</b><i></i>, &lt;hi&gt;</p>"
    )


@pytest.mark.parametrize("quote", ["'", '"', ""])
def test_new_text_ends_no_attribute(quote: str) -> None:
    """Whatever the quotation marks."""
    data = f"<p title={quote}Smithson{quote} lang=en>x</p>".encode()
    new = 'a\' onload="x" <b>&amp;'

    written = replaced(data, "Smithson", new)

    assert [one.text for one in read(written).segments] == ["x", new]
    assert written.endswith(b" lang=en>x</p>")


def test_new_text_ends_no_comment_and_no_script() -> None:
    """What would end them is written otherwise."""
    data = b'<!-- Smithson --><script type=application/json>["Smithson"]</script><p>x</p>'

    written = replaced(data, "Smithson", "--></script><b>")

    assert next(one.text for one in read(written).segments) == "x"
    assert written.count(b"-->") == 2  # one in the JSON, where it ends nothing
    assert written.count(b"</script>") == 1


def test_labels() -> None:
    """Headings of columns and rows, terms and labels name what belongs to them."""
    data = (
        b"<table><tr><th>Name<th>SSN<tr><td>Jo<td>1</table>"
        b"<table><tr><th>Phone<td>2<tr><td>Fax:<td>3</table>"
        b"<dl><dt>DOB<dd>4</dl><label>Mail</label><input value=5><p data-first-name=6>"
    )

    labels = {one.text: one.label for one in read(data).segments}

    assert [labels[text] for text in ("Jo", *"123456")] == [
        "Name", "SSN", "Phone", "Fax", "DOB", "Mail", "first name"
    ]  # fmt: skip


def test_texts_of_scripts_are_read() -> None:
    """Those without texts give none."""
    data = b"<script>f('John Smithson')</script><script>f(1)</script><p onclick=\"g('a@b.org')\">"

    document = read(data)

    assert [(one.text, one.place.where) for one in document.segments] == [
        ("John Smithson", "line 1, script"), ("a@b.org", "line 1, p onclick"),
    ]  # fmt: skip
    assert not document.unread


@pytest.mark.parametrize("tag", [b"<img src='%s'>", b"<style>p{background:url(%s)}</style>"])
def test_pictures_are_embedded(tag: bytes) -> None:
    """In attributes and in styles."""
    data = tag % b"data:image/png;base64,iVBORw0KGgo="

    assert [one.data for one in read(data).embedded] == [b"\x89PNG\r\n\x1a\n"]
    assert read(data).write({}, {0: b"abc"}) == data.replace(b"iVBORw0KGgo=", b"YWJj")


@pytest.mark.parametrize(
    ("declared", "codec"),
    [("windows-1252", "cp1252"), ("iso-8859-2", "iso-8859-2"), ("shift_jis", "cp932"),
     ("utf-8", "utf-8"), ("koi8-r", "koi8-r")],
)  # fmt: skip
def test_encoding_that_is_declared(declared: str, codec: str) -> None:
    """Text is read in it; letters it lacks become numbers."""
    text = {"cp932": "山田太郎", "koi8-r": "Иванов"}.get(codec, "Jäger")
    data = f"<meta charset={declared}><p>{text}</p><p>{text}</p>".encode(codec)

    written = replaced(data, text, "ž")

    assert [one.text for one in read(data).segments] == [text, text]
    assert [one.text for one in read(written).segments] == ["ž", "ž"]


@pytest.mark.parametrize(
    ("head", "part", "tail"),
    [("", "<", ""), ("", "<a ", ""), ("", "<a b='", ">"), ("", "<!--", ">"),
     ("", "<!doctype [>", ""), ("", "<div>", ""), ("", "<table>", ""), ("", "</", ">"),
     ("<p ", 'a="', ">"), ('<script>"', "1", "")],
)  # fmt: skip
def test_nasty_markup_does_not_stall(head: str, part: str, tail: str) -> None:
    """Four times the size takes about four times the steps, and no recursion."""

    def both(size: int) -> None:
        data = f"{head}{part * size}{tail}".encode()
        read(data)
        list(markup.extracted(data, "a.html"))

    assert growth(both, 1000) < MOST
    with patience():
        both(20_000)


@pytest.mark.parametrize(
    ("tag", "texts", "files"),
    [
        ('<a href="data:text/plain,Ann Lee, SSN 271">', [], ["Ann Lee, SSN 271"]),
        ('<a href="data:,Ann%20Lee">', [], ["Ann Lee"]),
        ('<img src=" Data:image/png;base64,QW 5u">', [], ["Ann"]),
        ('<p title="SSN 27, see data:text/plain,hi or Ann">', ["SSN 27, see ", " or Ann"], ["hi"]),
        ('<p title="see DaTa:;base64,QW5u">', ["see "], ["Ann"]),
        ('<img srcset="data:text/plain,hi 1x, /ann.png 2x">', [" 1x, /ann.png 2x"], ["hi"]),
        ("<p data-x='{\"a\": \"data:text/plain,hi\", \"b\": \"Ann\"}'>", ["Ann"], ["hi"]),
        ('<a href="/?u=data:text/plain,hi&x=1 2">', ["/?u=", " 2"], ["hi&x=1"]),
        ('<a href="data:text/plain;base64,%%%">', ["data:text/plain;base64,%%%"], []),
    ],
)  # fmt: skip
def test_text_beside_files_in_attributes(tag: str, texts: list[str], files: list[str]) -> None:
    """It is read; an attribute that is one address is one file, to its end."""
    document = read(tag.encode())

    assert [one.text for one in document.segments] == texts
    assert [one.data.decode() for one in document.embedded] == files
    assert document.write({}, {}) == tag.encode()


def test_file_in_an_attribute_is_replaced() -> None:
    """All of it, in signs that end no attribute."""
    data = b'<a href="data:text/plain,Ann Lee">x</a>'

    assert read(data).write({}, {0: b'"B" C'}) == data.replace(b"Ann Lee", b"%22B%22%20C")
