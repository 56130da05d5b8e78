"""Cells of a table are labelled by its heads."""

from presidio_cdip.documents.office.grids import labels


def test_column_heads_label_the_cells_below() -> None:
    """The heads themselves have no label."""
    rows = [["Name", "Date of birth"], ["Ann Lee", "1 May 1984"], ["Bo Ray", "2 June 1971"]]

    found = labels(rows)

    assert found[1, 1] == "Date of birth"
    assert found[2, 0] == "Name"
    assert not {(0, 0), (0, 1)} & set(found)


def test_field_at_the_left_labels_a_value() -> None:
    """A colon makes it one, in any column."""
    found = labels([["Name:", "Ann Lee", "SSN:", "271-24-0538"]])

    assert found == {(0, 1): "Name", (0, 3): "SSN"}


def test_form_of_two_columns_is_labelled_by_the_first() -> None:
    """Its first row is a field and a value, not two heads."""
    found = labels([["Name", "Ann Lee"], ["Date of birth", "1 May 1984"], ["SSN", "271-24-0538"]])

    assert found == {(0, 1): "Name", (1, 1): "Date of birth", (2, 1): "SSN"}


def test_values_are_no_heads() -> None:
    """A first row with numbers, addresses or sentences is not one of heads."""
    for first in (["Ann Lee", "271-24-0538"], ["Ann Lee", "a@x.org"], ["It rained.", "He slept."]):
        assert (1, 2) not in labels([[*first, "x"], ["a", "b", "c"]])
