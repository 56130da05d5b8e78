"""The words that a ranker redacts are spans of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from presidio_cdip.entities import GIVEAWAY
from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.folders import Trained
from presidio_cdip.privacy.giveaways import Giveaways, giveaways
from presidio_cdip.privacy.rankers import Arrays, Ranks
from presidio_cdip.privacy.sentences import Sentence
from presidio_cdip.recognition.spans import Span
from tests.privacy.test_rankers import CURVE, card


@dataclass(frozen=True)
class Longest:
    """A ranker that redacts the longest words first."""

    name = "longest"

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        return [np.array([-float(len(word)) for word in sentence]) for sentence in sentences]

    def arrays(self) -> Arrays:
        return {}


def found(text: str, level: float, covered: Sequence[str] = ()) -> list[str]:
    """The giveaways of *text*; the strings *covered* are findings."""

    def find(text: str) -> list[Span]:
        starts = sorted((text.index(value), value) for value in covered)
        return [Span(at, at + len(value), "HEALTH", 1.0, "") for at, value in starts]

    spans = Giveaways(Longest(), level, find)(text)
    assert spans == sorted(spans, key=lambda span: span.start)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    return [text[one.start : one.end] for one in spans if one.entity == GIVEAWAY]


TEXT = "The surgeon of the southern hospitals saw him (twice)."


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (0.0, []),
        (0.12, ["hospitals"]),
        (0.34, ["southern hospitals", "twice"]),
        (0.45, ["surgeon", "southern hospitals", "twice"]),
    ],
)
def test_runs_of_words_are_one_span_without_their_punctuation(
    level: float, expected: list[str]
) -> None:
    """⌊L n⌋ of the nine words go; brackets and full stops stay."""
    assert found(TEXT, level) == expected


def test_covered_words_use_up_the_level() -> None:
    """A word of which a finding covers a part counts; where they are too many, nothing is added."""
    assert found(TEXT, 0.34, ["twice", "hospitals"]) == ["southern"]
    assert found(TEXT, 0.34, ["southern hospitals saw him"]) == []
    assert found(TEXT, 0.23, ["hospit"]) == ["southern"]


def test_spans_end_with_lines_and_sentences() -> None:
    """Every line and sentence keeps a mask of its own."""
    text = "He once saw hospitals\nuniversities! Universities; others are not in it."

    assert found(text, 0.4) == ["hospitals", "universities", "Universities; others"]


def test_spans_end_with_cells() -> None:
    """Words of two columns have a mask each, as on two lines."""
    text = "He has universities   hospitals now\tHe has universities\thospitals now"

    assert found(text, 0.4) == ["universities", "hospitals"] * 2


def test_words_without_letters_stay_alone() -> None:
    """A rule of a form is no word; within a run it goes with it."""
    assert found("a b ------------ c d e", 0.2) == []
    assert found("aaaaaa ------------ bbbbbb d e", 0.7) == ["aaaaaa ------------ bbbbbb"]


def test_a_long_text_is_read_in_parts() -> None:
    """Ranks are asked for some hundred sentences at a time, and no place moves."""
    text = "He was at the hospitals there. " * 3_000

    spans = Giveaways(Longest(), 0.2)(text)

    assert {text[span.start : span.end] for span in spans} == {"hospitals"}
    assert len(spans) == 3_000


def test_either_a_level_or_what_is_to_be_reached() -> None:
    """The curve counts that belongs to what is redacted first."""
    trained = Trained(Longest(), card("contribution", curve=CURVE))

    assert giveaways(trained, 0.1).level == 0.1
    assert giveaways(trained, None, 0.8).level == 0.6
    for level, auc in ((None, None), (0.1, 0.8)):
        with pytest.raises(InvalidOption, match="either a level"):
            giveaways(trained, level, auc)
    with pytest.raises(InvalidOption, match=r"level: 2 is not in 0\.\.1"):
        giveaways(trained, 2)
