"""The words of lowest rank become [MASK]."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.masking import MASK, budget, masked, redacted


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=100), st.floats(0, 1))
def test_a_level_redacts_its_share_of_the_words(ranks: list[float], level: float) -> None:
    """⌊L n⌋ words go, and none that stays ranks lower than one that goes."""
    values = np.array(ranks)

    gone = redacted(values, level)

    assert gone.sum() == budget(len(ranks), level)
    assert values[gone].max(initial=-9) <= values[~gone].min(initial=9)


def test_runs_of_masks_are_one() -> None:
    """A reader does not see how many words stood there."""
    sentence = ("a", "b", "c", "d", "e")

    assert masked(sentence, np.array([0, 1, 5, 2, 6.0]), 0.6) == (MASK, "c", MASK, "e")
    assert masked(sentence, np.zeros(5), 1) == (MASK,)
    assert masked(sentence, np.zeros(5), 0) == sentence


def test_covered_words_count_first() -> None:
    """They use up the level; they go even where they are more than the level asks for."""
    sentence = ("a", "b", "c", "d", "e")
    ranks = np.array([0, 1, 2, 3, 4.0])
    covered = np.array([False, False, False, True, True])

    assert masked(sentence, ranks, 0.6, covered) == (MASK, "b", "c", MASK)
    assert masked(sentence, ranks, 0.4, covered) == ("a", "b", "c", MASK)
    assert masked(sentence, ranks, 0.0, covered) == ("a", "b", "c", MASK)


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan")])
def test_a_level_is_a_share(level: float) -> None:
    """Anything else is refused."""
    with pytest.raises(InvalidOption, match=r"not in 0\.\.1"):
        budget(10, level)
