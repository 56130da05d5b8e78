"""No surrogate has its original whole, within it or beside other words."""

import re

import pytest

from tests.marked import replaced


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("She was put on ⟦HEALTH insulin⟧ last year.", 3),
        ("His father died of ⟦HEALTH cancer⟧.", 3),
        ("Six courses of ⟦HEALTH arsphenamine⟧ were given.", 3),
        ("Told to take ⟦HEALTH vitamin D⟧ each day.", 4),
        ("Took ⟦HEALTH prednisolone⟧ for a week.", 4),
        ("Delivery by ⟦HEALTH forceps⟧, both well.", 3),
        ("Religion: ⟦RELIGION Baptist⟧", 6),
        ("Religion: ⟦RELIGION Lutheran⟧", 6),
        ("There is ⟦MARITAL_STATUS a daughter⟧, Ruth, at school.", 3),
        ("He has ⟦MARITAL_STATUS a son⟧, Paul, who helps.", 3),
        ("Booked for ⟦CRIMINAL_OFFENCE assault⟧ that night.", 3),
        ("Nationality: ⟦NATIONALITY Korean⟧", 6),
    ],
)
def test_a_surrogate_does_not_have_the_value_whole(text: str, least: int) -> None:
    """ "liver cancer" tells cancer, "neoarsphenamine" arsphenamine; there are others enough."""
    value = re.search(r"⟦\w+ (?:an? )?(.+?)⟧", text)[1]  # type: ignore[index]
    found = {one.casefold() for (one,) in replaced(text, 40)}

    assert len(found) >= least
    if len(value) > 4:
        assert not [one for one in found if value.casefold() in one]
    else:
        assert not [one for one in found if value.casefold() in one.split()]


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("Since May ⟦HEALTH insulin 20 units⟧ nightly.", r".* \d.* (units|mg|mcg)"),
        ("Carcinoma found: ⟦HEALTH lung cancer⟧.", r".*(cancer|oma|emia)"),
        ("Cards of the ⟦TRADE_UNION_MEMBERSHIP Painters' Union⟧.", r".*Union"),
    ],
)
def test_the_word_of_a_kind_stays_beside_another(text: str, like: str) -> None:
    """A word that the value shares with all of its kind may stand in its surrogate."""
    found = {one for (one,) in replaced(text, 12)}

    assert len(found) > 1
    assert all(re.fullmatch(like, one) for one in found), found
