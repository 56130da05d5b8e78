"""A home's address or telephone is told from a business's by all that stands around it."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.fusion import completed, in_fields, private
from presidio_cdip.recognition.premises import (
    Premises,
    on_business_paper,
    premises,
    signs_of,
)
from presidio_cdip.recognition.spans import Span

SIGNS = signs_of(Pack.shipped())
COLUMNS = """\
3. Residence Address(es)                      4. Business Address(es)
27 W. Plover Lane                             4000 Vermilion Ave, NW
Danby Mills, VA 22998                         Washington, DC 20555

5. Year of Birth  1975"""


def of(text: str, value: str) -> Premises:
    start = text.index(value)
    return premises(text, start, start + len(value), SIGNS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Home address: 12 Elm St., Erie, PA", "12 Elm St., Erie, PA"),
        ("Present address       31 Allds Street, Nashua", "31 Allds Street, Nashua"),
        ("You can call me at home, 555-0143, any night", "555-0143"),
        ("Residence  410 Woodburn Road, Raleigh", "410 Woodburn Road, Raleigh"),
        ("c/o Mrs. Pell, 12 Oak Street, Troy", "12 Oak Street, Troy"),
        (COLUMNS, "27 W. Plover Lane"),
        (COLUMNS, "Danby Mills, VA 22998"),
    ],
)
def test_homes(text: str, value: str) -> None:
    """A label, a column's heading or a word beside it says that it is a home's."""
    assert of(text, value) is Premises.HOME


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("FAX NO. (614) 555-0187", "(614) 555-0187"),
        ("Business address: 12 Park Ave., Erie, PA", "12 Park Ave., Erie, PA"),
        ("Employer's phone  555-0101", "555-0101"),
        ("Reach her at the office, 555-0112, until five", "555-0112"),
        (COLUMNS, "4000 Vermilion Ave, NW"),
        (COLUMNS, "Washington, DC 20555"),
    ],
)
def test_businesses(text: str, value: str) -> None:
    """A label, a word right before it or the column's heading say that it is a business's."""
    assert of(text, value) is Premises.BUSINESS


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Pell & Sons, Inc.\n400 Mill Street\nTroy, NY 12180", "400 Mill Street\nTroy, NY 12180"),
        ("200 Canal Street, Suite 2200\nSan Rafael, California", "200 Canal Street, Suite 2200"),
    ],
)
def test_firms_and_suites_leave_doubt(text: str, value: str) -> None:
    """A firm's name above or a suite make a home unlikely; the finding stays for who wants all."""
    assert of(text, value) is Premises.DOUBTFUL


def test_business_paper_leaves_doubt() -> None:
    """A number of which nothing says whose it is is doubtful on a fax, unknown in a letter."""
    fax = "FACSIMILE TRANSMITTAL\nMEMORANDUM cc: all\n\n\n\n\n\n\n\n\n\n212 555-0140"

    start = fax.index("212")
    assert on_business_paper(fax, SIGNS)
    assert premises(fax, start, len(fax), SIGNS, paper=True) is Premises.DOUBTFUL
    assert of("Dear Ann,\n\n\n\n\n\n212 555-0140", "212 555-0140") is Premises.UNKNOWN


def test_an_address_that_crosses_columns_is_cut() -> None:
    """Of a span over two columns the home's cells stay, whole with the lines of their column."""
    start = COLUMNS.index("27 W.")
    found = Span(start, COLUMNS.index("\nDanby"), "HOME_ADDRESS", 0.9, "model")

    kept = private([found], COLUMNS, SIGNS)
    kept += completed(kept, COLUMNS, SIGNS)

    assert [COLUMNS[one.start : one.end] for one in kept] == [
        "27 W. Plover Lane",
        "Danby Mills, VA 22998",
    ]


SPOILT = COLUMNS.replace("27 W. Plover", "27 5W. Piover")
BLANK = """\
3. Residence Address(es)                      4. Business Address(es)
                                              4000 Vermilion Ave, NW
                                              Washington, DC 20555

5. Year of Birth  1975
12. Number of copies filed: 3"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (SPOILT, ["27 5W. Piover Lane", "Danby Mills, VA 22998"]),
        (BLANK, []),
        (COLUMNS.replace("Residence", "Registrant"), []),
        ("You may change your residence address\nat any time, 12 months before filing", []),
    ],
)
def test_a_field_labelled_as_a_home_address_is_read_without_a_finding(
    text: str, lines: list[str]
) -> None:
    """Lines that look like an address are found in the field's own column, and nothing else."""
    assert [text[one.start : one.end] for one in in_fields([], text, SIGNS)] == lines


def test_a_field_with_an_address_gets_no_other() -> None:
    """A line in which something was found is left as it was found."""
    start = SPOILT.index("Piover")
    found = Span(start, start + 11, "HOME_ADDRESS", 0.9, "model")

    lines = [SPOILT[one.start : one.end] for one in in_fields([found], SPOILT, SIGNS)]

    assert lines == ["Danby Mills, VA 22998"]


def test_an_address_found_as_a_business_address_is_none_elsewhere() -> None:
    """What stands once under a business label is no home where no label stands."""
    text = "Business address: 9 Mill Row\n\nPaid to A. Pell, 9 Mill Row"
    spans = [
        Span(text.index("9 Mill"), text.index("\n"), "HOME_ADDRESS", 0.9, "model"),
        Span(text.rindex("9 Mill"), len(text), "HOME_ADDRESS", 0.9, "model"),
    ]

    assert private(spans, text, SIGNS) == []


def test_a_value_under_both_labels_stays() -> None:
    """A home telephone is one although the same number is the office's."""
    text = "Business phone: 919-555-0143\nHome phone: 919-555-0143"
    spans = [
        Span(at, at + 12, "HOME_PHONE_NUMBER", 0.9, "model")
        for at in (text.index("919"), text.rindex("919"))
    ]

    assert [one.start for one in private(spans, text, SIGNS)] == [text.rindex("919")]


@pytest.mark.parametrize(
    "line", ["1950 Census of Population", "19 July 1950", "2 or more persons", "1 Male 2 Female"]
)
def test_what_begins_with_a_number_is_no_address_by_that(line: str) -> None:
    """A house is one by its street, or by a town below it."""
    assert in_fields([], f"Home address:\n{line}\n", SIGNS) == []


def test_a_word_heads_the_list_below_it() -> None:
    """Up to the next such word, whatever the numbers between."""
    text = "OFFICE\n212 555-0141\n555-0142\n201-555-0166\n617 555-0190\n\nHOME\n914 555-0111"

    assert of(text, "617 555-0190") is Premises.BUSINESS
    assert of(text, "914 555-0111") is Premises.HOME


@pytest.mark.parametrize("street", ["Union Street", "Church Road", "Depot Lane", "School Place"])
def test_a_street_may_be_named_after_a_house_of_business(street: str) -> None:
    """The name of the street before a telephone says nothing of whose it is."""
    assert of(f"Mrs. Ruth Hall, 12 {street}, Lima, phone 555-0141", "555-0141") is Premises.UNKNOWN
