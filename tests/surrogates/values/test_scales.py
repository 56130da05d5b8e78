"""Numbers of scales and of columns stay within them."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import anonymize, in_scope, steps
from presidio_cdip.surrogates.values.scales import SCALE_FORMS

KEY = bytes(range(32))


def surrogates(text: str, entity: str = "HEALTH") -> list[list[str]]:
    """Return the surrogates, in 12 scopes, of the values that *text* marks with ⟦⟧."""
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(.+?)⟧", text):
        plain += text[at : one.start()]
        spans.append(Span(len(plain), len(plain) + len(one[1]), entity, 1.0, ""))
        plain, at = plain + one[1], one.end()
    plain += text[at:]
    made = steps("surrogate", KEY)
    scopes = (in_scope(made, f"doc-{at}") for at in range(12))
    return [[item.text for item in anonymize(plain, spans, one).items] for one in scopes]


@pytest.mark.parametrize(
    ("text", "like", "greatest"),
    [
        ("MMSE ⟦29⟧ today", r"(\d+)", 30),
        ("⟦MMSE 28/30⟧", r"MMSE (\d+)/30", 30),
        ("GCS score of ⟦14⟧.", r"(\d+)", 15),
        ("⟦Apgars 8 and 9⟧", r"Apgars (\d+) and \d+", 10),
        ("Oxygen saturation: ⟦97%⟧", r"(\d+)%", 100),
        ("⟦ejection fraction 65%⟧", r"ejection fraction (\d+)%", 80),
        ("Name    Age   MoCA\nWard    71    ⟦27⟧\n", r"(\d+)", 30),
        ("Name,Age,MoCA,Note\nWard,71,⟦27⟧,x\n", r"(\d+)", 30),
    ],
)
def test_a_number_stays_on_its_scale(text: str, like: str, greatest: int) -> None:
    """Nobody has 34 points of 30; the label stands in the value, before or above it."""
    value = text.replace("⟧", "⟦").split("⟦")[1]
    found = {one for (one,) in surrogates(text)}

    assert len(found) > 1
    assert value not in found
    assert all(int(re.fullmatch(like, one)[1]) <= greatest for one in found)  # type: ignore[index]


@pytest.mark.parametrize(
    ("value", "like", "least", "greatest"),
    [
        ("Na 121 mEq/L", r"Na (\d+) mEq/L", 118, 162),
        ("potassium 6.8", r"potassium (\d\.\d)", 2.2, 7.2),
        ("arterial pH 7.18", r"arterial pH (\d\.\d\d)", 6.9, 7.7),
        ("creatinine 3.4 mg/dL", r"creatinine (\d\.\d) mg/dL", 2, 5.5),
        ("serum bilirubin 6.2 mg%", r"serum bilirubin (\d\.\d) mg%", 4, 9),
        ("free T4 0.4 ng/dL", r"free T4 (\d\.\d) ng/dL", 0, 1.6),
        ("white count 21,400", r"white count (\d\d),\d00", 15, 29),
        ("PSA was 12.5", r"PSA was (\d+\.\d)", 9, 17),
        ("SGPT 140 U/L", r"SGPT (\d+) U/L", 100, 190),
        ("NPN 48 mg per 100 cc", r"NPN (\d+) mg per 100 cc", 35, 64),
        ("CD4 count of 88", r"CD4 count of (\d+)", 60, 120),
    ],
)
def test_a_laboratory_value_keeps_its_test_and_unit(
    value: str, like: str, least: float, greatest: float
) -> None:
    """The result is another one of the same test, of its size and in its unit."""
    found = {one for (one,) in surrogates(f"On admission ⟦{value}⟧; he was given fluids.")}

    assert len(found) > 2
    assert value not in found
    for one in found:
        number = re.fullmatch(like, one)
        assert number, one
        assert least <= float(number[1]) <= greatest


def test_the_results_of_a_page_are_of_different_tests() -> None:
    """Three tests stay three tests: none has two results."""
    text = "Labs: ⟦K 2.9 mEq/L⟧; ⟦creatinine 1.9 mg/dL⟧; ⟦TSH 11.2⟧"

    for found in surrogates(text):
        assert [one.split()[0] for one in found] == ["K", "creatinine", "TSH"]


@pytest.mark.parametrize(
    ("value", "like"),
    [
        ("visual acuity 20/60", r"visual acuity 20/\d+"),
        ("Vision: 6/36 left eye", r"Vision: 6/\d+ left eye"),
        ("3+ sugar", r"(?:[1-4]\+|trace) [a-z ]+"),
        ("urine albumin 4+", r"urine [a-z ]+ (?:[1-4]\+|trace)"),
    ],
)
def test_a_grade_stays_one_of_its_grades(value: str, like: str) -> None:
    """Sight is measured in its fractions, and a strip shows up to four crosses."""
    found = {one for (one,) in surrogates(f"Examined today, ⟦{value}⟧, to return.")}

    assert len(found) > 2
    assert value not in found
    assert all(re.fullmatch(like, one) for one in found), found


@pytest.mark.parametrize("value", ["temp. 102.2", "BP 168/94", "blood sugar 240"])
def test_a_vital_sign_stays_one(value: str) -> None:
    """Its label and the number of its digits stay."""
    label = value.rpartition(" ")[0]

    for (one,) in surrogates(f"At noon ⟦{value}⟧."):
        assert one.startswith(label)
        assert one != value


def test_a_number_of_a_column_stays_among_its_numbers() -> None:
    """Where a column has four numbers, none is drawn beyond its least and greatest."""
    column = "Case  Dose\n" + "".join(
        f"{at}     ⟦{number}⟧\n" for at, number in enumerate((40, 55, 61, 44))
    )
    found = {int(one) for page in surrogates(column) for one in page}

    assert min(found) >= 40
    assert max(found) <= 61


@pytest.mark.parametrize("value", ["1" * 400 + "x", "% " * 300 + "x", "1, " * 300 + "x"])
def test_what_is_no_number_is_told_at_once(value: str) -> None:
    """The expression for numbers does not go back."""
    options = {"pack": Pack.shipped(), "locale": "en_US"}

    assert all(form.read(value, options) is None for form in SCALE_FORMS)


def test_a_race_of_two_in_a_column_is_drawn() -> None:
    """There are few codes, so that the original's is drawn, too; equal ones stay equal."""
    table = "No.  Race\n1    ⟦W⟧\n2    ⟦B⟧\n3    ⟦W⟧\n"

    found = surrogates(table, "ETHNIC_ORIGIN")
    assert all(page[0] == page[2] for page in found)
    assert len({page[0] for page in found}) > 1
    assert "W" in {page[0] for page in found}
