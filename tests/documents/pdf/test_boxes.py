"""Cells of a table with several lines are read cell by cell, not across the page."""

from presidio_cdip.documents.pdf import opened
from presidio_cdip.documents.segments import Edit, Settings
from tests.documents.pdf.builders_pdf import Builder, content_of


def table(*cells: tuple[int, list[str]]) -> str:
    """Return a row of a table: for each cell its left edge and its lines."""
    shown = []
    for left, lines in cells:
        shown.append(f"{left} 200 100 60 re S")
        first = 245 if len(lines) > 2 else 238
        for number, line in enumerate(lines):
            shown.append(
                f"BT /F1 8 Tf {left + 3} {first - 11 * number - len(lines)} Td ({line}) Tj ET"
            )
    return "\n".join(shown)


ROW = table(
    (50, ["Ann", "Lee"]),
    (150, ["12 Old Mill", "Road, Dayton,", "OH 45402"]),
    (250, ["Featherstonehaughbeckwi", "th"]),
)


def test_lines_of_a_cell_follow_each_other() -> None:
    """A word that found no room goes on in the next line of its cell."""
    document = opened(Builder().page(ROW).build(), "a.pdf", Settings())

    assert [(one.text, one.after) for one in document.segments] == [
        ("Ann", "\n"), ("Lee", "\n\n"), ("12 Old Mill", "\n"), ("Road, Dayton,", "\n"),
        ("OH 45402", "\n\n"), ("Featherstonehaughbeckwith", "\n\n"),
    ]  # fmt: skip


def test_word_that_is_cut_is_replaced_whole() -> None:
    """Nothing of it stays in the second line."""
    document = opened(Builder().page(ROW).build(), "a.pdf", Settings())

    new = content_of(document.write({5: [Edit(0, 25, "Lee", "PERSON")]}, {}))

    assert b"(th)" not in new and b"Featherst" not in new and b"Dayton" in new


def test_cells_of_one_line_stay_in_their_order() -> None:
    """Across the page, as in a table without rules."""
    row = table((50, ["Ann"]), (150, ["Dayton"]), (250, ["Ohio"]))

    document = opened(Builder().page(row).build(), "a.pdf", Settings())

    assert [one.text for one in document.segments] == ["Ann", "Dayton", "Ohio"]
