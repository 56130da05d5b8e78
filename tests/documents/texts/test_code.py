"""Texts in scripts and style sheets are found, and written so that the code still works."""

import pytest

from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import markup
from presidio_cdip.documents.texts.code import SCRIPT, STYLE, stretches


def read(data: bytes) -> Document:
    return markup.opened(data, "a.html", Settings())


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("a = 'it\\'s' + \"b\"", ["it\\'s", "b"]),
        ("x = /a'b/.test(y) / 2; z = 'c'", ["2", "c"]),
        ("n = 4 / 2; s = 'd' / 1", ["4", "2", "d", "1"]),
        ("`a ${b} c`", ["a ", " c"]),
        ("// e\nf() /* g */", [" e", " g "]),
        ("'not closed\n'h'", ["not closed", "h"]),
        ("`a ${b ? `c ${{d: '}'}} e` : \"f\"} g` + 'h'", ["a ", "c ", "}", " e", "f", " g", "h"]),
        ("<!-- e\nf() // -->", ["-- e", " -->"]),
        ("`a ${b", ["a "]),
        ("`a $b \\` \\${c} `; '`'; `d\\", ["a $b \\` \\${c} ", "`", "d\\"]),
        ("`${/[`}]/.test(a)}b`", ["", "b"]),
        ("a = 27 + x1 - 0x2F; b = 1.5e3 - 271-24-0538", ["27", "271-24-0538"]),
        ("a = 'https://x.org' // i", ["https://x.org", " i"]),
    ],
)
def test_literals_and_comments_of_scripts(code: str, texts: list[str]) -> None:
    """Regular expressions and divisions are neither."""
    assert [code[one.start : one.end] for one in stretches(code, SCRIPT)] == texts


def test_strings_of_styles() -> None:
    """And their comments; two slashes begin none."""
    code = "/* a */ p { content: 'b'; background: url(//c.org/d.png) }"

    assert [code[one.start : one.end] for one in stretches(code, STYLE)] == [" a ", "b"]


def test_names_of_variables_and_members_are_labels() -> None:
    """They say what a string is."""
    document = read(b"<script>var lastName = 'Smithson'; f({dateOfBirth: '4 May 1951'})</script>")

    assert [(one.text, one.label) for one in document.segments] == [
        ("Smithson", "last name"), ("4 May 1951", "date of birth"),
    ]  # fmt: skip


def test_short_values_are_read_by_their_names() -> None:
    """Numbers, names in capitals or other scripts; words and numbers of the code are not."""
    document = read(
        "<script>var ssn = 2712; b = 271240538; c['dob'] = 4;"
        "f('SMITH', '王伟', {pin: '27', x: 27, y: 'px'})</script>".encode()
    )

    assert [(one.text, one.label) for one in document.segments] == [
        ("2712", "ssn"), ("271240538", "b"), ("4", "dob"), ("SMITH", ""), ("王伟", ""),
        ("27", "pin"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("new", "written"), [("42", "42"), ("042", "'042'"), ("[A'</", "'[A\\'<\\/'")]
)
def test_number_is_written_as_a_number_or_a_string(new: str, written: str) -> None:
    """As JavaScript reads it."""
    document = read(b"<script>a = 271240538</script>")

    assert document.write({0: [Edit(0, 9, new, "US_SSN")]}, {}).decode() == (
        f"<script>a = {written}</script>"
    )


@pytest.mark.parametrize(
    ("code", "unread"),
    [
        (b"if (a) /`/.test(b); f(`Mr John Smith`)", True),
        (b"a = <p>John Smith</p>; f(1)", True),
        (b"<!-- Hide This\nclass A extends B { } f('John Smith', `${c} John Smith`)", False),
    ],
)
def test_words_that_stand_in_no_string_are_reported(code: bytes, unread: bool) -> None:
    """As where a quotation mark in a regular expression is taken for that of a string."""
    assert bool(read(b"<script>" + code + b"</script>").unread) == unread


def test_files_in_strings_are_embedded() -> None:
    """As in attributes; what stands beside them is read."""
    document = read(b"<i onclick='f(\"Ann Lee data:text/plain,hi\"); g(`Bo Li`)'>")

    assert [one.text for one in document.segments] == ["Ann Lee ", "Bo Li"]
    assert [one.data for one in document.embedded] == [b"hi"]


def test_new_text_cannot_end_its_string() -> None:
    """Nor the script."""
    data = (
        b"<script>f('Ann Lee')</script><style>p{content:\"Ann Lee\"}</style>"
        b"<i onclick='g(`Ann Lee`)'>"
    )
    document = read(data)

    new = document.write(
        {n: [Edit(0, 7, "a'\"`\\</script>${b}", "PERSON")] for n in range(3)}, {}
    ).decode()

    assert new == (
        "<script>f('a\\'\"`\\\\<\\/script>${b}')</script>".replace("${", "\\${")
        + '<style>p{content:"a\'\\"`\\\\<\\/script>${b}"}</style>'
        + "<i onclick='g(`a&#39;\"\\`\\\\&lt;\\/script&gt;\\${b}`)'>"
    )


def test_long_script_is_reported() -> None:
    """A library is not read; one with values says so."""
    data = b"<script>a('Ann Smith');" + b"b();" * 60_000 + b"</script>"

    assert [one.place.where for one in read(data).unread] == ["line 1, script"]
