"""Segments become one text, and what is found in it goes back to its segments."""

import pytest

from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.segments import Edit, Place, Segment
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten

PLACE = Place("here")


def joined(*segments: tuple[str, str, str]) -> Joined:
    return Joined.of([Segment(text, PLACE, label, after) for text, label, after in segments])


def span(text: Joined, value: str, entity: str = "MARITAL_STATUS") -> Span:
    start = text.text.index(value)
    return Span(start, start + len(value), entity, 0.9, "test")


def nothing(text: str) -> list[Span]:
    return []


def test_a_label_is_read_and_never_rewritten() -> None:
    """A finding over a label becomes one in each segment."""
    text = joined(("married", "Status", "\n"), ("two", "Children", "\n"))

    found = text.parted([span(text, "married\nChildren: two")], nothing)

    assert [text.text[one.start : one.end] for one in found] == ["married", "two"]


def test_a_value_over_two_lines_is_one() -> None:
    """Where a sentence goes on, a finding stays whole."""
    text = joined(("12 Elm St", "", "\n"), ("Salem, OR", "", "\n"))

    (found,) = text.parted([span(text, "12 Elm St\nSalem, OR")], nothing)

    assert text.text[found.start : found.end] == "12 Elm St\nSalem, OR"


def test_what_lies_behind_an_end_must_stand_alone() -> None:
    """A cell and the paragraph below it are no sentence: what is no finding alone is left."""
    text = joined(("single", "Status", "\n\n"), ("Signed, Jo", "", "\n"))
    value = span(text, "single\n\nSigned")

    def signed(alone: str) -> list[Span]:
        return [Span(0, 6, "MARITAL_STATUS", 0.9, "test")]

    assert len(text.parted([value], nothing)) == 1
    assert len(text.parted([value], signed)) == 2


def test_an_edit_over_two_lines_is_shared_out() -> None:
    """Each line of the new text goes to a line of the old."""
    text = joined(("12 Elm St", "", "\n"), ("Salem, OR", "", "\n"))
    value = span(text, "12 Elm St\nSalem, OR", "HOME_ADDRESS")
    new = "9 Oak Rd\nBoise, ID"

    edits = text.edits(Rewritten(new + "\n", [Item(0, len(new), new, value, "surrogate")]))

    assert edits == {
        0: [Edit(0, 9, "9 Oak Rd", "HOME_ADDRESS")],
        1: [Edit(0, 9, "Boise, ID", "HOME_ADDRESS")],
    }


def test_a_changed_article_is_an_edit() -> None:
    """The words before a value change only where they must."""
    text = joined(("He is a Mexican.", "", "\n"))
    value = span(text, "Mexican", "NATIONALITY")
    written = Rewritten("He is an Indian.\n", [Item(9, 15, "Indian", value, "surrogate")])

    edits = text.edits(written)

    assert [(one.start, one.end, one.new) for one in edits[0]] == [(7, 8, "n "), (8, 15, "Indian")]


def test_a_column_tells_what_its_cells_are() -> None:
    """It is found in the table that cells with labels make, cells of other findings stay."""
    rows = [("Jo", "D"), ("Al", "R"), ("Cy", "I")]
    cells = [
        Segment(text, Place(""), label, after)
        for row in rows
        for label, text, after in zip(("Name", "Party"), row, ("\n", "\n\n"), strict=True)
    ]
    joined = Joined.of([Segment("A list", Place(""), "", "\n\n"), *cells])
    own = Span(joined.text.index("Al"), joined.text.index("Al") + 2, "PERSON", 0.5, "r")

    def find(text: str) -> list[Span]:
        column = [
            Span(at, at + 1, "POLITICAL_OPINION", 1.0, "r", check="column")
            for at in (text.index("\tD") + 1, text.index("\tR") + 1, text.index("\tI") + 1)
        ]
        return [*column, Span(text.index("Cy"), text.index("Cy") + 2, "AGE", 1.0, "r")]

    spans = joined.in_tables([own], find)

    assert [joined.text[one.start : one.end] for one in spans] == ["D", "Al", "R", "I"]


def test_a_column_leaves_others_their_parts_of_a_cell() -> None:
    """Its own finding in such a cell stays as it was, or is what they leave of the cell."""
    cells = ["Baptist; wife Ellen", "W (Irish)", "Methodist"]
    text = Joined.of(
        [
            Segment(cell, PLACE, label, after)
            for one in cells
            for cell, label, after in (("Jo", "Name", "\n"), (one, "Faith", "\n\n"))
        ]
    )
    own = [
        span(text, "Baptist", "RELIGION"),
        span(text, "wife Ellen", "MARITAL_STATUS"),
        span(text, "Irish", "NATIONALITY"),
        span(text, "Methodist", "ETHNIC_ORIGIN"),
    ]

    def find(table: str) -> list[Span]:
        return [
            Span(at, at + len(one), "RELIGION", 1.0, "r", check="column")
            for one in cells
            for at in (table.index(one),)
        ]

    spans = text.in_tables(own, find)

    assert [(one.entity, text.text[one.start : one.end]) for one in spans] == [
        ("RELIGION", "Baptist"),
        ("MARITAL_STATUS", "wife Ellen"),
        ("RELIGION", "W"),
        ("NATIONALITY", "Irish"),
        ("RELIGION", "Methodist"),
    ]


@pytest.mark.parametrize(("first", "sizes"), [("AGE", [400]), ("RELIGION", [400, 600])])
def test_a_long_table_is_read_whole_where_its_first_rows_tell_something(
    first: str, sizes: list[int]
) -> None:
    """A finder is slow, and most columns say of a cell what its label does."""
    cells = [Segment("41", PLACE, label, "\n") for _ in range(300) for label in "ab"]
    text = Joined.of(cells)
    own = [Span(at, at + 2, "AGE", 1.0, "r") for at in text.starts]
    seen = []

    def find(table: str) -> list[Span]:
        seen.append(table.count("41"))
        return [Span(4, 6, first, 1.0, "r", check="column")]

    text.in_tables(own, find)

    assert seen == sizes


def test_rows_of_ever_new_labels_are_no_large_table() -> None:
    """The text of a table grows with its cells, not with rows times labels."""
    cells = [
        Segment("x", PLACE, label, "\n" if label == "id" else "\n\n")
        for number in range(400)
        for label in ("id", f"field {number}")
    ]
    sizes = []

    def find(table: str) -> list[Span]:
        sizes.append(len(table))
        return []

    Joined.of(cells).in_tables([], find)

    assert sum(sizes) < 40 * len(cells)


def test_a_line_alone_is_no_table() -> None:
    """Fields of one record, and cells without labels, make none."""
    cells = [Segment("Jo", Place(""), "Name"), Segment("D", Place(""), "Party", "\n\n")]

    assert (
        Joined.of(cells).in_tables([], lambda text: [Span(0, 1, "AGE", 1.0, "r", "", "column")])
        == []
    )


def test_what_stays_the_same_is_covered_by_bars_unless_the_policy_keeps_it() -> None:
    """A surrogate may be its original by chance, and a bar has to cover it."""
    text = joined(("Sex: M. Age: 46", "", "\n"))
    sex, age = span(text, "M", "GENDER"), span(text, "46", "AGE")
    items = [Item(5, 6, "M", sex, "surrogate"), Item(13, 15, "46", age, "keep")]
    written = Rewritten(text.text, items)

    assert text.edits(written) == {}
    assert text.edits(written, covered=True) == {0: [Edit(5, 6, "M", "GENDER")]}
