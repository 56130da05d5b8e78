"""Score the names found in a text again by how they are written and by what stands around them.

As in `rescoring`, the second score of a name is a logistic regression, here with weights of its own
for each of the three labels, and over the features of `rescoring` and those of `OWN` together. Its
weights are in the model's ``config.json`` under ``name_rescoring``, which `training/rescoring.py`
writes. Without that key, names keep their first scores.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from presidio_cdip.entities import NAMES
from presidio_cdip.errors import ModelError
from presidio_cdip.recognition import rescoring
from presidio_cdip.recognition.names import KnownNames, words_of
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Config, Tagged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OWN = (
    "any_name",  # mean probability of its words to be a name of whatever label
    "first_name",  # whether its first word is a well-known first name
    "last_name",  # whether its last word is a well-known last name
    "lower",  # share of its words without a capital letter
    "common",  # share of its words that the text also has in lower case
    "letters",  # logarithm of their number
    "times",  # logarithm of how often it was found in the text
    "beside",  # whether another name of its label stands directly before or after it
)
FEATURES = (*rescoring.FEATURES, *OWN)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_NEAR = 5  # characters between two names of a list


def check(config: Config) -> None:
    """Check that the weights of *config* are those of `FEATURES`.

    Raises:
        ModelError: One is missing, or is of no known feature.
    """
    for weights in config.name_rescoring.values():
        if wrong := sorted(set(weights) ^ set(FEATURES)):
            raise ModelError("config.json", f"name_rescoring: {wrong[0]!r} is missing or not known")


def rescored(tagged: Tagged, spans: Sequence[Span], known: KnownNames) -> list[Span]:
    """Return *spans*, the names of a text in order, with their second scores."""
    weights = tagged.config.name_rescoring
    if not weights or not spans:
        return list(spans)
    rows = features(tagged, spans, known)
    found = []
    for span, row in zip(spans, rows, strict=True):
        if own := weights.get(span.entity):
            odds = float(row @ [own[name] for name in FEATURES])
            span = replace(span, score=round(1 / (1 + math.exp(-odds)), 4))
        found.append(span)
    return found


def features(tagged: Tagged, spans: Sequence[Span], known: KnownNames) -> "NDArray[np.float64]":
    """Return the ``(spans, FEATURES)`` that the second scores are computed from."""
    import numpy as np

    values = [" ".join(tagged.text[span.start : span.end].split()) for span in spans]
    times = Counter(values)
    small = {word for word in _WORDS.findall(tagged.text) if word.islower()}
    own = [
        [*_of_writing(value, small, known), math.log(times[value]), _beside(spans, at)]
        for at, value in enumerate(values)
    ]
    table = np.array(own, float).reshape(len(spans), len(OWN) - 1)
    return np.hstack([rescoring.features(tagged, spans), _any_name(tagged, spans), table])


def _any_name(tagged: Tagged, spans: Sequence[Span]) -> "NDArray[np.float64]":
    """Return the feature of that name, ``(spans, 1)``."""
    import numpy as np

    columns = [at for at, name in enumerate(tagged.config.entities) if name in NAMES]
    sums = np.cumsum([0.0, *tagged.probabilities[:, columns].sum(axis=1, dtype="f4").tolist()])
    first = tagged.ends.searchsorted([span.start for span in spans], side="right")
    last = tagged.starts.searchsorted([span.end for span in spans], side="left")
    last = np.clip(last, first, len(sums) - 1)
    means = (sums[last] - sums[first]) / np.maximum(1, last - first)
    return np.array(means, float).reshape(len(spans), 1)


def _of_writing(value: str, small: Collection[str], known: KnownNames) -> list[float]:
    words = words_of(value)
    parts = value.split()
    return [
        bool(words) and words[0] in known.first,
        bool(words) and words[-1] in known.last,
        sum(not any(map(str.isupper, part)) for part in parts) / len(parts),
        sum(part.strip(".,").lower() in small for part in parts) / len(parts),
        math.log1p(sum(map(str.isalpha, value))),
    ]


def _beside(spans: Sequence[Span], at: int) -> bool:
    """Return whether a name of the same label is near on either side."""
    span = spans[at]
    return any(
        0 <= other < len(spans)
        and spans[other].entity == span.entity
        and max(spans[other].start - span.end, span.start - spans[other].end) <= _NEAR
        for other in (at - 1, at + 1)
    )
