"""What is denied or absent becomes something else that is denied or absent."""

import re

import pytest

from tests.marked import replaced

NEGATES = re.compile(
    r"(?i)\b(?:no|not|never|none|cannot|without|denied|denies|nil|NKFA|NKEA|NKFDA)\b|\bnon-|n't\b"
)


@pytest.mark.parametrize(
    "text",
    [
        "The elder sister ⟦MARITAL_STATUS never wed⟧ and kept the shop.",
        "A carter of 44, ⟦MARITAL_STATUS never been married⟧, no kin.",
        "At the time of the loan he was ⟦MARITAL_STATUS not married⟧.",
        "The prisoner has ⟦CRIMINAL_OFFENCE no previous record⟧ with this force.",
        "She had ⟦CRIMINAL_OFFENCE no other convictions⟧ until 1958.",
        "Bureau reply: ⟦CRIMINAL_OFFENCE no priors⟧",
        "He says he was ⟦CRIMINAL_OFFENCE never tried⟧ for it.",
        "The keeper of the hotel is ⟦NATIONALITY not a citizen⟧, as he owns.",
        "The cook is ⟦NATIONALITY not yet a citizen⟧.",
        "Allergies: ⟦HEALTH NKDA⟧   Diet: soft",
        "Both parents ⟦HEALTH non-diabetic⟧.",
        "Since the fall she has been ⟦HEALTH non-ambulatory⟧.",
        "Ears, ⟦HEALTH cannot lift his arm⟧, teeth.",
        "On the day of the walkout he was ⟦TRADE_UNION_MEMBERSHIP not in the union⟧.",
        "The foreman was ⟦TRADE_UNION_MEMBERSHIP never a union man⟧.",
        "Her husband is ⟦RELIGION not religious⟧, she says.",
    ],
)
def test_a_negation_stays_one_and_does_not_tell_the_value(text: str) -> None:
    """It becomes one of several other negations, never the same one, and nothing that is so."""
    value = re.search(r"⟦\w+ (.+?)⟧", text)[1]  # type: ignore[index]
    found = {one for (one,) in replaced(text, 30)}

    assert all(map(NEGATES.search, found)), found
    assert value not in found
    assert len(found) > 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Blood group ⟦GENETIC_DATA B Rh neg⟧.", r".*(pos|neg)"),
        ("Right eye: ⟦HEALTH no perception of light⟧.", r"(?!no perception).*"),
        ("They farmed and had ⟦MARITAL_STATUS no kids⟧.", r"no kids|.*\bkids?"),
    ],
)
def test_results_and_numbers_are_drawn_of_both_kinds(text: str, expected: str) -> None:
    """A result or a number of children becomes any other, so that its absence does not show."""
    found = {one for (one,) in replaced(text, 40)}

    assert all(re.fullmatch(expected, one) for one in found), found
    assert {bool(re.search(r"\bno\b|neg", one)) for one in found} >= {False}
    assert len(found) > 2


@pytest.mark.parametrize(
    "since",
    ["No lost time since", "No further complaints since", "Never ill since", "Never troubled since",
     "Never absent since", "No recurrence since"],
)  # fmt: skip
def test_nothing_since_an_illness_stays_a_good_state(since: str) -> None:
    """Who had nothing since then has nothing since, and is as well as the page says elsewhere."""
    text = (
        "16. General health: ⟦HEALTH Average⟧\n17. Past illness, operations or physical defects\n"
        f"⟦HEALTH Hay fever⟧; ⟦HEALTH appendectomy⟧ in 1958. ⟦HEALTH {since}⟧.\n"
    )

    found = {ones[-1] for ones in replaced(text, 20)}

    assert len(found) > 2
    assert all(re.fullmatch(r"(?:No|Never) .* since", one) for one in found), found
