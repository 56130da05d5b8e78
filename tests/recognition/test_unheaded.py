"""Lists of persons without headings are found by what their columns hold."""

import pytest

from presidio_cdip import Pack
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.finder import rules

LIST = """\
Delgado,Rosa,04/12/1951,218 Maple St,Dayton,OH,45402,937-555-0142
Kerr,Thomas,11/02/1948,77 Ridge Rd,Xenia,OH,45385-1204,937-555-0177
Lund,Martha,06/30/1962,1405 Fifth Ave Apt 2,Dayton,OH,454031187,937-555-0119
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return rules(Pack.shipped())


def found(engine: Engine, text: str) -> dict[str, list[str]]:
    """The values found in *text*, by entity."""
    values: dict[str, list[str]] = {}
    for span in engine.find(text):
        values.setdefault(span.entity, []).append(text[span.start : span.end])
    return values


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "    "])
def test_columns_tell_what_they_hold(engine: Engine, separator: str) -> None:
    """Whatever separates them, each cell is a finding of its own."""
    rows = [line.split(",") for line in LIST.splitlines()]
    widths = [
        max(map(len, column)) if separator.isspace() else 0 for column in zip(*rows, strict=True)
    ]
    text = "\n".join(
        separator.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )

    values = found(engine, text)

    assert values["DATE_OF_BIRTH"] == [row[2] for row in rows]
    assert values["HOME_ADDRESS"] == [cell for row in rows for cell in row[3:7]]
    assert values["HOME_PHONE_NUMBER"] == [row[7] for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        LIST.replace("Delgado,Rosa", "Acme Tool,Co.").replace("Kerr,Thomas", "Lund Supply,Inc."),
        LIST.replace("Delgado,Rosa", "10021,Widget").replace("Kerr,Thomas", "10022,Gasket"),
        LIST.replace("Rosa", "Rosa,Billing").replace("Thomas", "Thomas,Sales").replace("/19", ""),
        "Name,First,Hired,Site,Town,St,Code,Ext\n" + LIST,
        "Rosa Delgado,03/04/1998,937-555-0142,12\nThomas Kerr,03/04/1999,937-555-0177,14\n",
    ],
    ids=["firms", "goods", "staff", "other headings", "visits"],
)
def test_other_lists_tell_nothing(engine: Engine, text: str) -> None:
    """Of firms, goods and staff, and those that headings explain."""
    text = "".join(line for line in text.splitlines(keepends=True) if "Martha" not in line)

    assert found(engine, text) == {}


def test_two_columns_of_dates_tell_no_births(engine: Engine) -> None:
    """One of them may be that of hire."""
    text = LIST.replace("/1951,", "/1951,05/06/1971,").replace("/1948,", "/1948,01/02/1970,")
    text = text.replace("/1962,", "/1962,03/04/1981,")

    assert "DATE_OF_BIRTH" not in found(engine, text)


def test_dates_of_one_year_are_no_births(engine: Engine) -> None:
    """They are rather of events."""
    text = LIST.replace("1951", "1994").replace("1948", "1994").replace("1962", "1994")

    assert "DATE_OF_BIRTH" not in found(engine, text)


def test_sexes_and_births_are_persons_whatever_their_names(engine: Engine) -> None:
    """No list has all names."""
    values = found(
        engine,
        "Qxa Vytr    F   03/12/1949   455 Olive St\nZub Wlop    M   12/01/1952   12 Third Ave\n"
        "Ixo Tzem    F   07/23/1947   908 Palm Dr\n",
    )

    assert values["HOME_ADDRESS"] == ["455 Olive St", "12 Third Ave", "908 Palm Dr"]
    assert values["GENDER"] == ["F", "M", "F"]


TWO = """\
Kowal, Ewa    12 Pine St   Beloit       WI   53511   608-555-0123
Rossi, Ugo    8 Mill Rd    Janesville   WI   53545   608-555-0187
"""


def test_two_rows_are_a_list_where_three_columns_tell_what_they_hold(engine: Engine) -> None:
    """A street, a town and its ZIP code beside names are no chance."""
    values = found(engine, TWO)

    assert len(values["HOME_ADDRESS"]) == 8
    assert len(values["HOME_PHONE_NUMBER"]) == 2


def test_two_rows_of_last_names_may_be_firms(engine: Engine) -> None:
    """Firms are called by last names, too."""
    text = TWO.replace("Kowal, Ewa", "Kowal Tool").replace("Rossi, Ugo", "Dunn Paint")

    assert found(engine, text) == {}
