"""Tell which lines of a page were written alike: the *hands* of a page, such as print and typing.

One word alone names its typeface in five cases of six, a dozen of the same hand nearly always. So
words vote together, but only words that one typeface explains: a form is printed in one face and
filled in in another, and neither may outvote the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.faces import Face

Costs = NDArray[np.float64]
"""``(lines, faces)``: how much worse each typeface explains a line than the best one, in nats."""

MOST = 4
"""Maximum count of hands on a page."""

_NEW_HAND, _EXPLAINED = 8.0, 0.96
"""Nats that another typeface must gain to be a hand of its own; twice that, if it is of the same
class as one before. At half of it, one page in five of a single hand falls into two. They grow with
what the best typefaces leave unexplained, from this correlation on: print in a typeface that is not
known is like one of them here, and like another there."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Describe how lines of a page were written.

    Attributes:
        face: Their typeface.
        correlation: How well it explains them, in [-1, 1]; low for handwriting.
    """

    face: Face
    correlation: float


_STRAY = 2.0
"""Nats that a line must gain in another hand than the one that explains most lines best. Less is
chance: a letter or two fit any face, also that of the label beside them."""


def hands_of(
    costs: Costs, faces: Sequence[Face], own: int | None = None, explained: float = 1.0
) -> list[Face]:
    """Return for each line the typeface of its hand.

    Typefaces are added one by one, each time the one that gains most, if each line takes the
    cheapest (greedy facility location), as long as that gains more than a new hand costs.

    Args:
        costs: Finite and not negative, with at least one line and one typeface.
        faces: The typefaces of its columns.
        own: How many of the first lines are to be painted; the others only tell which hands there
            are. None for all.
        explained: How well the best typefaces explain words: the median of their correlations.
    """
    new = _NEW_HAND * max(1.0, (1 - explained) / (1 - _EXPLAINED))
    classes = [(face.family, face.weight, face.slant) for face in faces]
    chosen = [int(costs.sum(axis=0).argmin())]
    while len(chosen) < MOST:
        known = {classes[at] for at in chosen}
        price = np.array([new * (1 + (one in known)) for one in classes])
        profit = _gains(costs, chosen) - price
        best = int(profit.argmax())
        if profit[best] <= 0:
            break
        chosen.append(best)
    among = costs[:, chosen]
    main = int(among[:own].sum(axis=0).argmin())
    strays = among[:, main] - among.min(axis=1) < _STRAY
    return [faces[chosen[at]] for at in np.where(strays, main, among.argmin(axis=1))]


def likely(costs: Costs, faces: Sequence[Face], count: int) -> list[Face]:
    """Return the typefaces that may be hands: the best *count* for all lines together, and others.

    The others gain most beside the best one; the cost of a new hand is not counted.
    """
    together = [int(at) for at in np.argsort(costs.sum(axis=0), kind="stable")[:count]]
    chosen = together[:1]
    while len(chosen) < MOST:
        chosen.append(int(_gains(costs, chosen).argmax()))
    return [faces[at] for at in dict.fromkeys(together + chosen)]


def _gains(costs: Costs, chosen: Sequence[int]) -> NDArray[np.float64]:
    """Return by how much each column would lower the sum of the lines' costs beside *chosen*."""
    now = costs[:, chosen].min(axis=1)
    return np.asarray(np.maximum(now[:, None] - costs, 0).sum(axis=0))
