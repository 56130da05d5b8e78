"""Ticked answers, and ticks."""

import pytest

from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates


def written(line: str, value: str) -> set[str]:
    """Return the surrogates of the last *value* of a line, in twenty scopes."""
    at = line.rindex(value)
    context = Context(Page(line), at, at + len(value))
    return {
        Surrogates("a key of at least 16 bytes", str(scope)).surrogate("HEALTH", value, context)
        for scope in range(20)
    }


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Epilepsy   No [X]   Yes [ ]", "No"),
        ("Epilepsy   Yes [ ]   No [X]", "No"),
        ("Epilepsy   [x] No   [ ] Yes", "No"),
        ("Epilepsy   [ ] Yes   (X) No", "No"),
        ("Epilepsy   Yes ☒  No ☐", "Yes"),
        ("Epilepsy   Y _X_  N ___", "Y"),
        ("Epilepsy   (Yes)  No", "Yes"),
        ("Epilepsy     Yes   (No)", "No"),
        ("Result:  ?", "?"),
        ("                Yes   No\nEpilepsy         X", "X"),
    ],
)
def test_what_a_tick_tells_stays(line: str, value: str) -> None:
    """Whatever stood there, the tick would tell which answer was given."""
    assert written(line, value) == {value}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Epilepsy? No", "No"),
        ("Epilepsy? No   Gout? Yes", "No"),
        ("Epilepsy No, [X] retired   [ ] working", "No"),
        ("Sex: X", "X"),
    ],
)
def test_an_answer_without_the_other_beside_it_is_drawn(line: str, value: str) -> None:
    """Nothing else tells it."""
    assert written(line, value) != {value}
