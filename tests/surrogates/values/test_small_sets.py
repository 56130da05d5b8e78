"""Where few answers are usual, the original's is drawn like the others, so that none shows."""

from collections import Counter
from itertools import pairwise

import pytest

from tests.marked import replaced

SCOPES = 150


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Ethnic group: ⟦ETHNIC_ORIGIN {}⟧  Ward 4", ("White", "Black", "Hispanic")),
        ("Sex M  Race ⟦ETHNIC_ORIGIN {}⟧  Ht 5-11", ("W", "B", "H")),
        ("Registered: ⟦POLITICAL_OPINION {}⟧, precinct 9", ("Dem", "Rep", "Ind")),
        ("Voters: T. Lund ⟦POLITICAL_OPINION {}⟧", ("Republican", "Democrat")),
    ],
)
def test_each_answer_may_come_from_each(text: str, values: tuple[str, ...]) -> None:
    """Each of the set, the original too, comes from each, and about as often."""
    found = {one: Counter(new for (new,) in replaced(text.format(one), SCOPES)) for one in values}

    for value in values:
        assert set(values) <= set(found[value])
    for one, other in pairwise(values):
        for value in values:
            assert abs(found[one][value] - found[other][value]) < SCOPES / 4


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Race: ⟦ETHNIC_ORIGIN Negro⟧", {"Negro", "Black", "African American"}),
        ("Color: ⟦ETHNIC_ORIGIN Colored⟧", {"Colored", "Black", "African American"}),
        ("She is ⟦SEXUALITY queer⟧.", {"queer", "gay", "homosexual"}),
        ("Race: ⟦ETHNIC_ORIGIN Oriental⟧, 1931", {"Oriental"}),
    ],
)
def test_a_word_that_nothing_else_becomes_never_stays(text: str, never: set[str]) -> None:
    """A word of former times, which no other value becomes, would tell itself; so would its row."""
    found = {one for (one,) in replaced(text, 60)}

    assert len(found) > 1
    assert found.isdisjoint(never)


def test_equal_values_of_a_page_stay_equal() -> None:
    """What is drawn for one answer is drawn for the same answer elsewhere on the page."""
    text = "Race: ⟦ETHNIC_ORIGIN Black⟧ ... The boy is ⟦ETHNIC_ORIGIN black⟧."

    for first, second in replaced(text, 20):
        assert first.casefold() == second.casefold()
