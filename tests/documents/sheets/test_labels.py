"""Cells are labelled by the header of their column, or by the label to their left."""

from presidio_cdip.documents.sheets.labels import Grid, labels


def grid(*rows: str) -> Grid:
    """Return cells of lines with ``|`` between them; digits are numbers, ``-`` is no cell."""
    made = Grid()
    for row, line in enumerate(rows, 1):
        for column, text in enumerate(line.split("|"), 1):
            if text != "-" and line:
                made.add(0, row, column, text, not text.isdigit())
    return made


def test_first_row_labels_the_columns() -> None:
    """Its own cells have no label."""
    found = labels(grid("Name|SSN", "Dana Fox|900112233", "Ann Lee|900112244"))

    assert found == ["", "", "Name", "SSN", "Name", "SSN"]


def test_title_above_headers_is_none() -> None:
    """A row with one cell names no columns of several."""
    found = labels(grid("Patients", "Name|Born|City", "Dana Fox|30000|Salem", "Al|2|Ely"))

    assert found[1:7] == ["", "", "", "Name", "Born", "City"]


def test_form_has_labels_to_the_left() -> None:
    """Pairs of a label and a value, whose values are of many shapes."""
    found = labels(grid("Name|Dana Fox", "Born|30000", "SSN|900-11-2233", "Street|9 Elm St"))

    assert found == ["", "Name", "", "Born", "", "SSN", "", "Street"]


def test_colon_makes_a_label() -> None:
    """Wherever it stands."""
    found = labels(grid("Report|Patient:|Dana Fox", "-|MRN:|12345"))

    assert (found[2], found[4]) == ("Patient", "MRN")


def test_rows_of_data_are_no_headers() -> None:
    """A first row with a number of four digits names nothing."""
    assert set(labels(grid("Dana Fox|900-11-2233", "Ann Lee|900-11-2244"))) == {""}


def test_table_knows_its_headers() -> None:
    """Even where they look like data."""
    found = labels(grid("-|2019|2020", "-|Dana|Ann"), [(1, 2, 2, 3)])

    assert found == ["", "", "2019", "2020"]
