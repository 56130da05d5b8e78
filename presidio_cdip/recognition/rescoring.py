"""Score the findings of a text again by what stands around them.

The first score of a finding is about its own words. The second one is also about the words beside
it, about the rules, and about the other findings of the text: a doubtful finding alone on its page
is mostly wrong, the same finding among certain ones is mostly right.

The second score is a logistic regression over `FEATURES`, fitted to documents that the model was
not trained on: stacked generalization (Wolpert, *Neural Networks* 5, 1992). Its weights hold for
one model only and are part of its folder: key ``rescoring`` of ``config.json``, which
`training/rescoring.py` writes. Without that key, findings keep their first scores.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from presidio_cdip.errors import ModelError
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import MODEL_RULE, Config, Tagged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEATURES = (
    "bias",  # 1
    "score",  # log-odds of the first score
    "least",  # lowest probability of the entity for one of the finding's words
    "mean",
    "rival",  # highest probability of another entity for one of its words
    "before",  # probability of the entity for the word before
    "after",
    "any_before",  # probability of any entity for the word before
    "any_after",
    "begins",  # probability that a span begins with its first word
    "words",  # logarithm of their number
    "by_rule",  # whether a rule found it
    "cue",  # whether its rule had a cue
    "checked",  # whether its value passed a check
    "others",  # logarithm of 1 + the number of other findings in the text
    "best_other",  # highest score of another finding
    "sum_others",  # logarithm of 1 + the sum of their scores
    "length",  # logarithm of the number of characters of the text
)
_CLIP = 0.001  # scores are kept this far from 0 and 1, where log-odds are infinite


def check(config: Config) -> None:
    """Check that the weights of *config* are those of `FEATURES`.

    Raises:
        ModelError: One is missing, or is of no known feature.
    """
    if config.rescoring and set(config.rescoring) != set(FEATURES):
        wrong = sorted(set(config.rescoring) ^ set(FEATURES))
        raise ModelError("config.json", f"rescoring: {wrong[0]!r} is missing or not known")


def rescored(tagged: Tagged, spans: Sequence[Span]) -> list[Span]:
    """Return *spans* with their second scores.

    A span of an entity that the model does not know keeps its score.

    Args:
        tagged: The text with the model's probabilities.
        spans: The findings of the text, none overlapping, with their first scores.
    """
    weights = tagged.config.rescoring
    if not weights:
        return list(spans)
    odds = features(tagged, spans) @ [weights[name] for name in FEATURES]
    return [
        replace(span, score=round(1 / (1 + math.exp(-one)), 4))
        if span.entity in tagged.config.entities
        else span
        for span, one in zip(spans, odds.tolist(), strict=True)
    ]


def features(tagged: Tagged, spans: Sequence[Span]) -> "NDArray[np.float64]":
    """Return the ``(spans, FEATURES)`` that the second scores are computed from.

    Args: as for `rescored`.
    """
    import numpy as np

    scores = [span.score for span in spans]
    total = sum(scores)
    first, second = [*sorted(scores, reverse=True), 0.0, 0.0][:2]
    rows = []
    for span in spans:
        row = [
            1.0,
            *_of_words(tagged, span),
            *_of_rule(span),
            math.log1p(len(spans) - 1),
            second if span.score == first else first,
            math.log1p(total - span.score),
            math.log(max(1, len(tagged.text))),
        ]
        rows.append(row)
    return np.array(rows, float).reshape(len(spans), len(FEATURES))


def _of_words(tagged: Tagged, span: Span) -> list[float]:
    """Return the features of the score, and of the words in and beside *span*."""
    first = int(tagged.ends.searchsorted(span.start, side="right"))
    last = max(first + 1, int(tagged.starts.searchsorted(span.end, side="left")))
    own = tagged.probabilities[first:last].astype("f4")
    if not len(own) or span.entity not in tagged.config.entities:
        return [_log_odds(span.score), *[0.0] * 9]
    column = tagged.config.entities.index(span.entity)
    before = tagged.probabilities[max(0, first - 1) : first].astype("f4")
    after = tagged.probabilities[last : last + 1].astype("f4")
    rivals = own.copy()
    rivals[:, column] = 0
    return [
        _log_odds(span.score),
        float(own[:, column].min()),
        float(own[:, column].mean()),
        float(rivals.max(initial=0)),
        float(before[:, column].sum()),
        float(after[:, column].sum()),
        float(before.sum()),
        float(after.sum()),
        float(tagged.begins[first]),
        math.log(len(own)),
    ]


def _of_rule(span: Span) -> list[bool]:
    return [span.rule != MODEL_RULE, bool(span.cue), bool(span.check)]


def _log_odds(score: float) -> float:
    kept = min(max(score, _CLIP), 1 - _CLIP)
    return math.log(kept / (1 - kept))
