"""Tables are read by their headings, and legends are told from values."""

import pytest

from presidio_cdip.recognition.tables import legends, table

HEADINGS = {"name", "born", "m.s.", "rel.", "health"}


def columns(text: str) -> dict[str, list[str]]:
    """The cells of the table whose heading is the first line of *text*, by heading."""
    end = text.find("\n")
    found = table(text, 0, end, lambda first, last: text[first:last].lower() in HEADINGS)
    return {
        text[slice(*column.heading)]: [text[slice(*cell)] for cell in column.cells]
        for column in found
    }


@pytest.mark.parametrize(
    "text",
    [
        "Name       M.S.  Rel.\nAsh, W.    M     2\nOak, B.    S     1\n",
        "Name       M.S.  Rel.\n---------------------\nAsh, W.     M    2\nOak, B.     S    1",
        "Name|M.S.|Rel.\nAsh, W.|M|2\nOak, B.|S|1",
        "Name\tM.S.\tRel.\nAsh, W.\tM\t2\nOak, B.\tS\t1\n",
        "Name M.S. Rel.\nAsh, W. M 2\nOak, B. S 1",
    ],
    ids=["blanks", "ruled", "strokes", "tabs", "columns lost"],
)
def test_cells_stand_under_their_heading(text: str) -> None:
    """Whatever separates the columns."""
    found = columns(text)

    assert (found["M.S."], found["Rel."]) == (["M", "S"], ["2", "1"])


def test_an_empty_cell_moves_no_other() -> None:
    """A cell belongs to the heading above it, not to the next in order."""
    found = columns(
        "Name       M.S.  Rel.  Health\nAsh, W.    M           TB\nOak, B.    S     1     A"
    )

    assert found["Health"] == ["TB", "A"]
    assert found["Rel."] == ["1"]


def test_a_table_ends_at_other_lines() -> None:
    """A remark over two lines is no row."""
    found = columns(
        "Name       M.S.  Rel.\nAsh, W.    M     2\nAll leave\nin May\nOak        S     1"
    )

    assert found["M.S."] == ["M"]


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Rel.: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Health: A = fit, H = hernia", ["A = fit, H = hernia"]),
        ("M.S.: M married, S single, W widowed", ["M married, S single, W widowed"]),
        ("Codes\nA = fit\nH = hernia\n", ["A = fit\nH = hernia"]),
        ("Children: 2 boys, 3 girls", []),
        ("Family: 1 son 2 daughters", []),
        ("Sex: M  Race: W  Age: 42", []),
        ("Name: A. Jones, B. Brown", []),
    ],
)
def test_a_legend_explains_codes(text: str, explained: list[str]) -> None:
    """Two codes with signs, numbers in order, or initials of their words."""
    assert [text[slice(*one)] for one in legends(text)] == explained
