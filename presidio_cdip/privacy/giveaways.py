"""Find the words of a text that a ranker redacts, as spans of the entity GIVEAWAY."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.entities import GIVEAWAY
from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.folders import Trained
from presidio_cdip.privacy.masking import budget, redacted
from presidio_cdip.privacy.rankers import Ranker
from presidio_cdip.privacy.sentences import sentence_bounds, word_bounds
from presidio_cdip.recognition.spans import Span, trim

Find = Callable[[str], list[Span]]
"""From a text to its findings, in order, none overlapping."""

_AT_ONCE = 512  # sentences whose words are in memory at a time
_APART = re.compile(r"\n|\t|\s{3}")  # between words of two lines, or of two cells of a line
_EDGE = "!?-–—*"  # is left in its place, with what `trim` leaves


@dataclass(frozen=True, slots=True)
class Giveaways:
    """Find the words that a ranker redacts at a level.

    Called with a text, it returns the findings of *find* and the words beside them, in order, none
    overlapping. Words that *find* covers count first: they use up the level of their sentence, and
    of the other words only the rest of it is found.

    Attributes:
        ranker: Ranks the words.
        level: The share of the words of each sentence, in [0, 1].
        find: Finds what is replaced in any case; None to let the ranker alone choose.

    Raises:
        InvalidOption: *level* is not in [0, 1].
    """

    ranker: Ranker
    level: float
    find: Find | None = None

    def __post_init__(self) -> None:
        budget(1, self.level)

    def __call__(self, text: str) -> list[Span]:
        """Return the findings in *text*."""
        covered = self.find(text) if self.find else []
        return sorted([*covered, *self.beside(text, covered)], key=lambda span: span.start)

    def beside(self, text: str, covered: Sequence[Span] = ()) -> list[Span]:
        """Return the words that are redacted beside *covered*, a span for each run on a line.

        Args:
            text: The text.
            covered: Findings, in order, none overlapping.
        """
        rule = f"ranker/{self.ranker.name}"
        found = []
        edges = edges_of(covered)
        bounds = sentence_bounds(text)
        while some := [word_bounds(text, *one[:2]) for one in islice(bounds, _AT_ONCE)]:
            sentences = [tuple(text[start:end] for start, end in words) for words in some]
            for words, ranks in zip(some, self.ranker.ranks(sentences), strict=True):
                first = are_covered(words, edges)
                chosen = redacted(ranks, self.level, first) & ~first
                found += [
                    Span(start, end, GIVEAWAY, 1.0, rule)
                    for start, end in _runs(text, words, chosen)
                ]
        return found


def giveaways(
    trained: Trained, level: float | None, auc: float | None = None, find: Find | None = None
) -> Giveaways:
    """Return a finder of the words that a ranker redacts, by level or by the AUC to reach.

    Args:
        trained: The ranker with its card.
        level: The share of the words of each sentence, in [0, 1]; None where *auc* is given.
        auc: The highest AUC that an attacker may have, in [0.5, 1], by the card's curve.
        find: As `Giveaways.find`; it decides which curve of the card counts.

    Raises:
        InvalidOption: Neither or both of *level* and *auc* are given, or one is out of range, or
            no level reaches *auc*.
    """
    if (level is None) == (auc is None):
        raise InvalidOption("give either a level, such as .2, or an auc to reach, such as .7")
    if level is None:
        assert auc is not None
        level = trained.card.level_for(auc, alone=find is None)
    return Giveaways(trained.ranker, level, find)


Edges = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Starts and ends of spans, in order, none overlapping."""


def edges_of(spans: Sequence[Span]) -> Edges:
    """Return the edges of *spans*, for `are_covered`."""
    starts = np.array([span.start for span in spans], np.int64)
    return starts, np.array([span.end for span in spans], np.int64)


def are_covered(words: Sequence[tuple[int, int]], edges: Edges) -> "NDArray[np.bool_]":
    """Return ``(words,)``: whether one of the spans shares a character with the word.

    Args:
        words: ``[start, end)`` of each.
        edges: Of the spans.
    """
    starts, ends = edges
    bounds = np.array(words, np.int64).reshape(-1, 2)
    following = ends.searchsorted(bounds[:, 0], side="right")  # the first that ends in it or later
    before = starts.searchsorted(bounds[:, 1], side="left")  # how many start before its end
    return np.asarray(following < before)


def _runs(
    text: str, words: Sequence[tuple[int, int]], chosen: "NDArray[np.bool_]"
) -> Iterator[tuple[int, int]]:
    """Yield ``[start, end)`` of the runs of chosen words in a cell, without marks at their edges.

    A word without a letter or digit, such as a dash, stays where no other word stands beside it.
    """
    places = np.flatnonzero(chosen).tolist()
    run: list[int] = []
    for place, following in pairwise([*places, -1]):
        run.append(place)
        apart = following != place + 1
        if apart or _APART.search(text, words[place][1], words[following][0]):
            start, end = trim(text, words[run[0]][0], words[run[-1]][1])
            value = text[start:end]
            start += len(value) - len(value.lstrip(_EDGE))
            end -= len(value) - len(value.rstrip(_EDGE))
            if any(map(str.isalnum, text[start:end])):
                yield start, end
            run = []
