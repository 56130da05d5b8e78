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
        ("x = /a'b/.test(y) / 2; z = 'c'", ["c"]),
        ("n = 4 / 2; s = 'd' / 1", ["d"]),
        ("`a ${b} c`", ["a ", " c"]),
        ("// e\nf() /* g */", [" e", " g "]),
        ("'not closed\n'h'", ["not closed", "h"]),
        ("a = 'https://x.org' // i", ["https://x.org", " i"]),
    ],
)
def test_strings_and_comments_of_scripts(code: str, texts: list[str]) -> None:
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
