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


def test_a_race_of_two_in_a_column_changes() -> None:
    """There are more codes than the two that a table has; of a legend of two either is drawn."""
    table = "No.  Race\n1    ⟦W⟧\n2    ⟦B⟧\n3    ⟦W⟧\n"

    assert all(page[0] == page[2] != "W" for page in surrogates(table, "ETHNIC_ORIGIN"))
