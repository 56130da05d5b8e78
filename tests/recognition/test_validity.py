"""What cannot be a value of its entity is dropped, whoever found it."""

import pytest

from presidio_cdip.recognition.choices import options
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.validity import can_be, is_left_blank


def span(text: str, value: str, entity: str) -> Span:
    start = text.index(value)
    return Span(start, start + len(value), entity, 0.9, "model")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Soc. Sec. No. 271-97-", "271-97-"),
        ("SSN ends in 0538 only", "0538"),
        ("Social Security Number: O71-28-99", "O71-28-99"),
        ("SSN 271-24-0538 4111 1111 1111 1111", "271-24-0538"),
        ("SOC SEC NO  PAY  287 65 0539 1987 1240 0031", "287 65 0539"),
        ("Soc. Sec. Acct. No. 271-24-0538", "271-24-0538"),
        ("SSN on file 271-24-0538", "271-24-0538"),
        ("S.S. No. (of member)  271-24-0538", "271-24-0538"),
        ("SSN: 271-24-053", "271-24-053"),
        ("SSN: 27l-24-O538", "27l-24-O538"),
        ("His Social Security number is 436\n14   29 7740.", "436\n14   29 7740"),
    ],
)
def test_part_of_an_ssn_counts_behind_its_label(text: str, value: str) -> None:
    """Four legible digits are enough where a label says what they are."""
    assert can_be(text, span(text, value, "US_SSN"))


@pytest.mark.parametrize(
    ("text", "value", "entity"),
    [
        ("Citizenship  n/a", "n/a", "NATIONALITY"),
        ("1030|Kraus|m|NULL|GOLD", "NULL", "MARITAL_STATUS"),
        ("Address  same as above", "same as above", "HOME_ADDRESS"),
        ("1112  Cassady, Jos.  R.D. 1, Nashport", "1112", "HOME_ADDRESS"),
        ("Home phone  none", "none", "HOME_PHONE_NUMBER"),
        ("No. 7 press down again", "No", "HEALTH"),
        ("died of a stroke", "died of", "HEALTH"),
        ("DIVISION: Boise    # REPS: 4", "# REPS", "TRADE_UNION_MEMBERSHIP"),
        ("Length 84 mm", "84", "AGE"),
        ("down 46 % on last year", "46", "AGE"),
        ("at 2 p.m. sharp", "2", "AGE"),
        ("Residence Address(es)", "Address(es)", "HOME_ADDRESS"),
        ("Dept. 21  ext. 4", "21", "HOME_PHONE_NUMBER"),
        ("Nationality  USA    zp", "zp", "NATIONALITY"),
        ("Nationality  Irish  oO", "oO", "NATIONALITY"),
        ("SSN 271-24-0538, card 4111 1111 1111 1111", "1111 1111 1111", "US_SSN"),
        ("2. Employee No.   3. Social Security No.\nH-20417", "H-20417", "US_SSN"),
        ("SSN 271-24-0538, card 3782-822463-10005", "822463-10005", "US_SSN"),
        ("Status  M-104", "M", "GENDER"),
        ("Race: n/a", "n", "ETHNIC_ORIGIN"),
        ("SSN 271-24-0538, licence 311-22-9987", "311-22-9987", "US_SSN"),
        ("SS# 271-24-0538   Inv. no. 311-22-9987", "311-22-9987", "US_SSN"),
        ("Born on 14/45/1931", "14/45/1931", "DATE_OF_BIRTH"),
        ("DOB 0/0/00", "0/0/00", "DATE_OF_BIRTH"),
        ("DOB 99/99/99", "99/99/99", "DATE_OF_BIRTH"),
        ("Signed 4/31/1950", "4/31/1950", "DATE_OF_BIRTH"),
        ("SSN 271-24-053812", "271-24-053812", "US_SSN"),
        ("Spouse: unknown", "Spouse", "MARITAL_STATUS"),
        ("born 3 May 2140", "3 May 2140", "DATE_OF_BIRTH"),
        ("Age 12 cm", "12", "AGE"),
        ("Age: 45 %", "45", "AGE"),
        ("Ethnicity: none", "none", "ETHNIC_ORIGIN"),
        ("State: Mass.", "Mass", "RELIGION"),
    ],
)
def test_no_values(text: str, value: str, entity: str) -> None:
    """Blank answers, labels, measurements and numbers of something else are no values."""
    assert not can_be(text, span(text, value, entity))


@pytest.mark.parametrize(
    ("text", "value", "entity"),
    [
        ("Ever arrested? No", "No", "CRIMINAL_OFFENCE"),
        ("Age 46. Mm.", "46", "AGE"),
        ("Be sixty-nine the fourth of March", "fourth of March", "DATE_OF_BIRTH"),
        ("phone 8-2217 days", "8-2217", "HOME_PHONE_NUMBER"),
        ("needs the H-1B filed", "H-1B", "NATIONALITY"),
        ("Nation.: Ger.", "Ger", "NATIONALITY"),
        ("Staatsang.: Öst.", "Öst.", "NATIONALITY"),
        ("国籍 日本", "日本", "NATIONALITY"),
        ("U.S. citizen? yes", "yes", "NATIONALITY"),
        ("Citizen of  GB", "GB", "NATIONALITY"),
        ("citizen of the u.s.", "u.s", "NATIONALITY"),
        ("Blood group A", "A", "GENETIC_DATA"),
        ("45 M admitted with chest pain", "45", "AGE"),
        ("67 m white, smoker", "67", "AGE"),
        ("Mother: 555-0143 / 555-0188", "555-0143 / 555-0188", "HOME_PHONE_NUMBER"),
        ("SSN: 912-34-5678", "912-34-5678", "US_SSN"),
        ("Place of birth: Home", "Home", "PLACE_OF_BIRTH"),
        ("Patient  F-34, febrile", "F", "GENDER"),
        ("Religion: none", "none", "RELIGION"),
        ("State: widowed", "widowed", "MARITAL_STATUS"),
        ("DOB 2/29/1951", "2/29/1951", "DATE_OF_BIRTH"),
        ("Date of birth: 31/4/1950", "31/4/1950", "DATE_OF_BIRTH"),
        ("Birth date  June 31, 1944", "June 31, 1944", "DATE_OF_BIRTH"),
        ("SSN: 512-34-6789 / 513-34-6789", "512-34-6789 / 513-34-6789", "US_SSN"),
        ("SSN: 12-345-6789", "12-345-6789", "US_SSN"),
        ("SSN 512 34 67890", "512 34 67890", "US_SSN"),
        ("SSN of employee: 512-34-6789", "512-34-6789", "US_SSN"),
        ("Taxpayer ref: 512-34-6789", "512-34-6789", "US_SSN"),
        ("Customer 512-34-6789", "512-34-6789", "US_SSN"),
        ("Cause of death: Cancer: unknown origin", "Cancer", "HEALTH"),
        ("Allergies: Penicillin: unknown reaction", "Penicillin", "HEALTH"),
        ("Allergies: Penicillin: unknown", "Penicillin", "HEALTH"),
        ("Tom Reed, age 45 Ft. Worth, Texas", "45", "AGE"),
        ("Tom Reed, age 45 $300 fine", "45", "AGE"),
    ],
)
def test_short_values_stay(text: str, value: str, entity: str) -> None:
    """An answer, a short number behind its label and a visa's name are values."""
    assert can_be(text, span(text, value, entity))


@pytest.mark.parametrize(
    ("line", "option", "is_ticked"),
    [
        ("Civil status  [ ] single  [X] married  [ ] widowed", "single", False),
        ("Civil status  [ ] single  [X] married  [ ] widowed", "married", True),
        ("Single _  Married X  Widowed _", "Widowed", False),
        ("Single _  Married X  Widowed _", "Married", True),
        ("(2) cancer, tumor, ulcer?   Yes [ ]  No [X]", "Yes", False),
        ("(2) cancer, tumor, ulcer?   Yes [ ]  No [X]", "No", True),
        ("☐ White ☐ Black Caribbean ☒ Indian", "Black Caribbean", False),
        ("☐ White ☐ Black Caribbean ☒ Indian", "Indian", True),
        ("Sex [x] M [ ] F    Race  W", "W", None),
        ("Married to Edna X. Pell in 1950", "Married", None),
        ("Asthma No [ ] Yes [X]", "Asthma", None),
        ("Religion: Catholic ___", "Catholic", None),
        ("- [ ] Call Anna about her diabetes", "diabetes", None),
        ("[ ] single  [ ] married", "single", False),
        ("Civil status  [ ] single  [X] married  [ ] legally cohabiting", "cohabiting", False),
    ],
)
def test_options(line: str, option: str, is_ticked: bool | None) -> None:
    """Of printed options the ticked one is the answer, whichever side its box stands on."""
    start = line.index(option)

    found = options(line, lambda first, last: [""] * (first == start))

    own = [one.ticked for one in found if one.start <= start < one.end]
    assert own == ([] if is_ticked is None else [is_ticked])


def test_an_illness_with_nothing_behind_it_is_a_question() -> None:
    """A form asks for it; behind a label, in a table's row or before a number it is a value."""
    for text, blank in [
        ("Measles  1946   Mumps  ----   Rabies  1951", True),
        ("Smallpox  9-49    Mumps  ......\n", True),
        ("Illnesses:  Mumps  ----\n", False),
        ("Smallpox  9-49    Mumps  ---- 1946\n", False),
        ("66   B   Mumps   --   31\n", False),
    ]:
        at = text.index("Mumps")
        span = Span(at, at + 5, "HEALTH", 0.9, "model")
        assert is_left_blank(text, span) is blank, text
