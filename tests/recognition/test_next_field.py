"""A field that is left empty does not take the value of the next one."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import Finder, finder, rules
from presidio_cdip.recognition.next_field import is_of_next_field
from presidio_cdip.recognition.spans import Span


@pytest.fixture(scope="module", params=["rules", "rules and model"])
def either(request: pytest.FixtureRequest) -> Finder:
    """The rules alone, and with the model."""
    pack = Pack.shipped()
    return finder() if request.param != "rules" else Finder(rules=rules(pack), pack=pack)


def found(found_by: Finder, text: str, entity: str) -> list[str]:
    spans = found_by.find(text, min_score=0.4, wanted=[entity])
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Age: ____   Hours per week: 40", "AGE"),
        ("AGE:        LOCKER: 62", "AGE"),
        ("Age:\nYears in trade: 19", "AGE"),
        ("Soc. Sec. No. ........   Clock: 271-24-0538", "US_SSN"),
        ("SSN:      Badge No.: 271-24-0538", "US_SSN"),
        ("Husband: __________  Foreman: Peter Voss", "MARITAL_STATUS"),
        ("No. of children: ___  No. of beds: 3", "MARITAL_STATUS"),
        ("Marital status: ____  Loan status: single", "MARITAL_STATUS"),
        ("Gender: ___  Shirt: M", "GENDER"),
        ("Born: ______  Hired: 6/4/1951", "DATE_OF_BIRTH"),
        ("SOC. SEC. NO.\n        CLOCK NO.   271-24-0538", "US_SSN"),
        ("DATE OF BIRTH\n\nDATE OF TRANSFER   6/4/1951", "DATE_OF_BIRTH"),
        ("Date of birth:\nDate employed: 3/9/1948", "DATE_OF_BIRTH"),
        ("Place of birth: ______ Graduated: Boston", "PLACE_OF_BIRTH"),
        ("Nationality: ______  Typewriter: German", "NATIONALITY"),
        ("Health: good enough\nCondition of the vehicle: Good", "HEALTH"),
        ("DATE OF BIRTH      DATE OF HIRE\n                   6/4/1951", "DATE_OF_BIRTH"),
        ("name,birth_date,start_date\nAda Voss,,3/9/1948\nBen Oram,,6/4/1951", "DATE_OF_BIRTH"),
        ("Age (years)  ____  Hat size: 7", "AGE"),
        ("AGE       GRADE     UNIT\n          12        B", "AGE"),
        ("DOB: ____   Date of death: 6/4/1951", "DATE_OF_BIRTH"),
    ],
)
def test_the_next_fields_value_is_not_found(either: Finder, text: str, entity: str) -> None:
    """On the line, on the next line, and in columns."""
    last = text.split()[-1]

    assert not any(
        last in value or value in ("12", "6/4/1951") for value in found(either, text, entity)
    )


@pytest.mark.parametrize(
    ("text", "entity", "values"),
    [
        ("DOB:   Victim: 3/4/1950", "DATE_OF_BIRTH", ["3/4/1950"]),
        ("DOB:   Baby: 3/4/1950", "DATE_OF_BIRTH", ["3/4/1950"]),
        ("DOB:      Verified: 3/4/1950", "DATE_OF_BIRTH", ["3/4/1950"]),
        ("SSN:    Claimant: 512-34-6789", "US_SSN", ["512-34-6789"]),
        ("SSN:    Veteran: 512-34-6789", "US_SSN", ["512-34-6789"]),
        ("Age:   Peter: 34", "AGE", ["34"]),
        ("Sex:\nBaby B: F", "GENDER", ["F"]),
        ("Born:      In: Boston", "PLACE_OF_BIRTH", ["Boston"]),
    ],
)
def test_a_person_has_the_field_before(
    either: Finder, text: str, entity: str, values: list[str]
) -> None:
    """Who it is, by word or name, is no other field; nor is anything without a word for one."""
    assert found(either, text, entity) == values


@pytest.mark.parametrize(
    ("text", "entity", "value"),
    [
        ("Date of birth:\nPeter: 3/4/2001\nRuth: 4/5/2003", "DATE_OF_BIRTH", "3/4/2001"),
        ("name,dob,dependent\nAda Voss,3/4/1950,5/6/1980", "DATE_OF_BIRTH", "5/6/1980"),
        ("name,dob,infant\nAda Voss,,5/6/1980", "DATE_OF_BIRTH", "5/6/1980"),
        ("Age:   At marriage: 24", "AGE", "24"),
        ("SSN:   Account holder: 512-34-6789", "US_SSN", "512-34-6789"),
        ("NAME      SSN    BADGE\nAnna Whitfield   512-34-6789", "US_SSN", "512-34-6789"),
        ("NAME   AGE   ROOM\nAnna Whitfield      45", "AGE", "45"),
        ("NAME   AGE   ROOM\nAnna White   45", "AGE", "45"),
        ("Age: ____   Wife: 34", "AGE", "34"),
        ("Age: ____   Age of spouse: 34", "AGE", "34"),
        ("Age: Sex: 34 M", "AGE", "34"),
        ("Place of birth:   City: Boston", "PLACE_OF_BIRTH", "Boston"),
        ("Citizenship: ____  Nationality: German", "NATIONALITY", "German"),
        ("Race   Appl.: White", "ETHNIC_ORIGIN", "White"),
        ("Marital status: (check one)  Status: single", "MARITAL_STATUS", "single"),
        (
            "DATE OF BIRTH      DATE OF HIRE\n6/4/1931           6/4/1951",
            "DATE_OF_BIRTH",
            "6/4/1931",
        ),
        ("Name: ______  Age: 34", "AGE", "34"),
        ("Spouse: ______  First name: Ruth", "MARITAL_STATUS", "Ruth"),
    ],
)
def test_an_own_label_between_asks_for_the_same(text: str, entity: str, value: str) -> None:
    """A part of the value, another person, an instruction; or values behind a row of labels."""
    start = text.index(value)

    assert not is_of_next_field(text, Span(start, start + len(value), entity, 0.9, "model"))
