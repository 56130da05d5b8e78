"""Estimate how far two sets of vectors differ: Rényi divergence, and the ε that follows from it.

Two estimators, for two purposes. `estimate` is the one by which redaction is published: the counts
of neighbours in many dimensions, with subsamples and a floor. It reads too low in many dimensions,
and never less than its floor. `low_dimensional` is corrected for both, and needs few dimensions;
docs/corpus.md has the errors of either on Gaussians.

Both speak of a pair of sets. Neither is a guarantee for a person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lgamma, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.extra import sklearn

ALPHAS = (1.1, 10.0, 20.0, 30.0, 50.0)
"""The orders that ε is read from."""

SUBSAMPLES = 25
SHARE = 0.8
"""Of each set that a subsample holds, drawn without replacement."""

NEIGHBOURS = 5
MOST_DIMENSIONS = 5
"""Of `low_dimensional`."""

_VARIANCE = 0.9  # that the principal components keep
_DECIMALS = 5  # vectors are rounded to; equal ones are one point with a count
_ROWS = 512  # of a matrix of distances that are in memory at a time
_NEAREST = 96  # points that a row is looked at first; nearly always enough
_ORDERS = (2.0, *ALPHAS)
_ENSEMBLE = np.unique(np.geomspace(15, 200, 20).round().astype(int))  # numbers of neighbours
_JITTER = 1e-6  # of the spread: equal points have no order of neighbours
_LEAST = 200  # points of both sets that `low_dimensional` needs

Floats = NDArray[np.float64]


class Spread(NamedTuple):
    """A figure over subsamples.

    Attributes:
        mean: The mean.
        low: The 2.5th percentile.
        high: The 97.5th percentile.
    """

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the figure over *values*, of which there is at least one."""
        low, high = np.percentile(values, [2.5, 97.5])
        return cls(float(np.mean(values)), float(low), float(high))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimates for a pair of sets.

    Attributes:
        d2: D₂, the larger of both directions.
        divergences: D_α by α of `ALPHAS`, likewise.
        epsilon: ε at *delta*, by `epsilon`.
        delta: δ, one over the number of vectors of the smaller set.
        dimensions: Principal components that hold 90 % of the variance.
    """

    d2: Spread
    divergences: dict[float, Spread]
    epsilon: Spread
    delta: float
    dimensions: int


def estimate(
    first: NDArray[np.floating], second: NDArray[np.floating], *, seed: int = 0,
    subsamples: int = SUBSAMPLES,
) -> Estimate:  # fmt: skip
    """Estimate the divergences of two sets from subsamples without replacement.

    A bootstrap would not do: what it draws twice is its own neighbour at distance 0.

    Args:
        first: ``(n, d)``.
        second: ``(m, d)``.
        seed: Draws the subsamples.
        subsamples: How many; each holds 80 % of either set.

    Raises:
        InvalidOption: A set has fewer than two vectors.
    """
    _check(first, second)
    draw = np.random.default_rng(seed)
    sizes = len(first), len(second)
    halves = [[_chosen(draw, size, SHARE) for size in sizes] for _ in range(subsamples)]
    return _estimate(first, second, [(one, other) for one, other in halves], 1 / min(sizes))


def floor(
    vectors: NDArray[np.floating],
    *,
    seed: int = 0,
    subsamples: int = SUBSAMPLES,
    delta: float | None = None,
) -> Estimate:
    """Estimate the divergences of two random halves of one set, which differ by chance alone.

    What `estimate` reads of two sets means nothing unless it is above what this reads of each, at
    the same δ. Arguments and errors as of `estimate`; each subsample is another pair of halves.

    Args:
        vectors: ``(n, d)``.
        seed: Draws the halves.
        subsamples: How many pairs of halves.
        delta: δ of ε, in (0, 1); that of the pair of sets beside which the floor is read
            [default: 1 / n].
    """
    _check(vectors, vectors)
    draw = np.random.default_rng(seed)
    chosen = [_chosen(draw, len(vectors), 0.5) for _ in range(subsamples)]
    return _estimate(vectors, vectors, [(one, ~one) for one in chosen], delta or 1 / len(vectors))


def projected(
    first: NDArray[np.floating], second: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both sets, each vector of length 1, on the fewest principal components of both
    that hold 90 % of the variance, rounded to five decimals.
    """  # noqa: D205
    both = np.concatenate([first, second]).astype(np.float64)
    both /= np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-12)
    both -= both.mean(axis=0)
    variances, axes = np.linalg.eigh(both.T @ both)
    shares = np.cumsum(variances[::-1].clip(min=0))
    kept = int(np.searchsorted(shares, _VARIANCE * shares[-1])) + 1
    found = np.round(both @ axes[:, ::-1][:, :kept], _DECIMALS) + 0.0
    return found[: len(first)], found[len(first) :]


def divergences(
    first: NDArray[np.floating], second: NDArray[np.floating], alphas: Sequence[float]
) -> Floats:
    """Return ``(len(alphas),)``: D_α of two sets of vectors, the larger of both directions.

    For each distinct y of Q, R is its distance to the fifth other of Q; p and q are the counts of
    P and Q within R, over the sum of all. D_α(P‖Q) = ln Σ q (p/q)^α / (α - 1), at least 0.
    Where Q has fewer than six distinct vectors, R is the distance to the farthest. Where no
    vector of P is within any R, D_α is the logarithm of the number of distinct vectors of Q: what
    one gets if all of P is at one of them, and all q are equal.

    Args:
        first: ``(n, d)``, as `projected` returns them.
        second: ``(m, d)``.
        alphas: Each above 1.
    """
    whole = np.ones(len(first), bool), np.ones(len(second), bool)
    return np.asarray(_of_subsamples(first, second, [whole], alphas)[0])


def epsilon(divergences: Sequence[float], alphas: Sequence[float], delta: float) -> float:
    """Return the least ε for which sets with these divergences are (ε, δ) close.

    The divergences are held to be under a line, D_α ≤ ξ + ρ α, from which ε = ξ + ρ + 2 √(ρ ln 1/δ)
    follows; the ρ ≥ 0 with the least ε is taken. Source: Bun and Steinke, "Concentrated
    differential privacy" (TCC 2016), definition 8.1 and lemma 8.2.

    >>> round(epsilon([0.5], [10.0], 1e-3), 3)  # ξ alone
    0.5
    >>> round(epsilon([0.011, 0.1, 0.5], [1.1, 10.0, 50.0], 1e-3), 3)  # ρ = .01 alone
    0.5
    """
    values, orders = np.asarray(divergences, float), np.asarray(alphas, float)
    slopes: list[float] = [0.0, *(values / orders).tolist()]
    for one in range(len(orders)):
        for other in range(one):
            run = float(orders[one] - orders[other])
            slopes.append(float(values[one] - values[other]) / run)
    # Between two of these, ξ is a straight line in ρ, and ε concave: its least is at an end.
    found = []
    for rho in slopes:
        if rho >= 0:
            xi = max(0.0, float(np.max(values - rho * orders)))
            found.append(xi + rho + 2 * sqrt(rho * log(1 / delta)))
    return min(found)


def low_dimensional(
    first: NDArray[np.floating], second: NDArray[np.floating], alpha: float = 2.0, seed: int = 0
) -> float:
    """Return D_α(P‖Q) of two sets of vectors in few dimensions; one direction.

    At each x of P, of the k nearest of both sets N are of P and M of Q. The mean of
    Γ(N+1) Γ(M+1) / (Γ(N+2-α) Γ(M+α)) has (p/q)^(α-1) as its expectation where the share of P is
    even around x (Noshad et al., "Direct estimation of information divergence using nearest
    neighbor ratios", ISIT 2017; falling powers as in Acharya et al., "Estimating Rényi entropy of
    discrete distributions", IEEE Trans. Inf. Theory 2017). It is not even, which costs about
    k^(1/d); a straight line through the estimates for 15 to 200 neighbours is read at 0
    (ensembles: Moon et al., "Ensemble estimation of information divergence", Entropy 2018). Where
    the sets hardly overlap, what is read for 200 neighbours is larger, and taken: for α = 2, at
    most about the logarithm of 200.

    Args:
        first: ``(n, d)``, of P, d at most `MOST_DIMENSIONS`.
        second: ``(m, d)``, of Q.
        alpha: Above 1, and below 3: of rarer points, so many vectors hold none.
        seed: Parts equal vectors, by a millionth of the spread.

    Raises:
        InvalidOption: There are too many dimensions or too few vectors, or *alpha* is out of range.
    """
    if first.shape[1] > MOST_DIMENSIONS:
        raise InvalidOption(
            f"{first.shape[1]} dimensions: this estimate needs at most {MOST_DIMENSIONS}"
        )
    if len(first) + len(second) < _LEAST:
        raise InvalidOption(f"{len(first) + len(second)} vectors: this estimate needs {_LEAST}")
    if not 1 < alpha < 3:
        raise InvalidOption(f"alpha: {alpha} is not above 1 and below 3")
    both = np.concatenate([first, second]).astype(np.float64)
    spread = np.where((width := both.std(axis=0)) > 0, width, 1.0)
    draw = np.random.default_rng(seed)
    both = both / spread + draw.normal(scale=_JITTER, size=both.shape)
    most = min(int(_ENSEMBLE[-1]), len(both) // 4)
    trees = sklearn("neighbors").NearestNeighbors(n_neighbors=most + 1, algorithm="kd_tree")
    trees.fit(both)
    near = trees.kneighbors(both[: len(first)], return_distance=False)[:, 1:]
    sizes = _ENSEMBLE[np.less_equal(_ENSEMBLE, most)]
    own = np.cumsum(near < len(first), axis=1)[:, sizes - 1]
    ratio = len(second) / len(first)
    moments = _moments(own, sizes, alpha - 1).mean(axis=0) * ratio ** (alpha - 1)
    values = np.log(np.maximum(moments, 1e-12)) / (alpha - 1)
    line = np.polyfit(sizes ** (1 / first.shape[1]), values, 1)
    return max(0.0, float(line[1]), float(values[-1]))


def _moments(own: NDArray[np.int64], sizes: NDArray[np.int64], power: float) -> Floats:
    """Return an estimate of (p/q)^power of *own* of *sizes* neighbours."""
    most = int(sizes[-1])
    table = np.full((most + 1, most + 1), 0.0)
    for mine in range(most + 1):
        if mine + 1 - power <= 0:  # a pole of Γ, or beyond it
            continue
        for theirs in range(most + 1 - mine):
            table[mine, theirs] = (
                lgamma(mine + 1) - lgamma(mine + 1 - power)
                + lgamma(theirs + 1) - lgamma(theirs + 1 + power)
            )  # fmt: skip
            table[mine, theirs] = np.exp(table[mine, theirs])
    return np.asarray(table[own, sizes - own])


def _check(first: NDArray[np.floating], second: NDArray[np.floating]) -> None:
    if min(len(first), len(second)) < 2:
        raise InvalidOption("a divergence needs two vectors of each set or more")


def _chosen(draw: np.random.Generator, size: int, share: float) -> NDArray[np.bool_]:
    """Return ``(size,)``, of which a *share* is true, at least one and not all."""
    chosen = np.zeros(size, bool)
    chosen[draw.permutation(size)[: min(size - 1, max(1, round(share * size)))]] = True
    return chosen


Pair = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def _estimate(
    first: NDArray[np.floating], second: NDArray[np.floating], pairs: Sequence[Pair], delta: float
) -> Estimate:
    one, other = projected(first, second)
    found = _of_subsamples(one, other, pairs, _ORDERS)
    epsilons = [epsilon(row[1:].tolist(), ALPHAS, delta) for row in found]
    return Estimate(
        Spread.of(found[:, 0].tolist()),
        {alpha: Spread.of(found[:, 1 + place].tolist()) for place, alpha in enumerate(ALPHAS)},
        Spread.of(epsilons),
        delta,
        one.shape[1],
    )


def _of_subsamples(
    first: NDArray[np.floating],
    second: NDArray[np.floating],
    pairs: Sequence[Pair],
    alphas: Sequence[float],
) -> Floats:
    """Return ``(len(pairs), len(alphas))``: D_α of each pair of subsamples."""
    points, places = np.unique(np.concatenate([first, second]), axis=0, return_inverse=True)
    places = places.reshape(-1)
    counts = [
        [
            np.bincount(some[chosen], minlength=len(points))
            for some, chosen in zip(_parted(places, len(first)), pair, strict=True)
        ]
        for pair in pairs
    ]
    within = np.zeros((len(pairs), 2, 2, len(points)))  # pair, direction, own or other, point
    for start, near, far in _neighbourhoods(points):
        for number, (one, other) in enumerate(counts):
            for direction, (own, others) in enumerate(((other, one), (one, other))):
                rows = np.flatnonzero(own[start : start + len(far)])
                found = _within(start, rows, near, far, own, others)
                within[number, direction][:, start + rows] = found
    values = [
        [_larger(within[number, :, 0], within[number, :, 1], alpha) for alpha in alphas]
        for number in range(len(pairs))
    ]
    return np.array(values)


def _parted(places: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return places[:size], places[size:]


def _neighbourhoods(
    points: NDArray[np.floating],
) -> Iterator[tuple[int, NDArray[np.int64], Floats]]:
    """Yield, for some rows at a time, their number, the nearest points and all squared distances.

    The nearest points are in order; the point itself is among them.
    """
    squares = np.einsum("ij,ij->i", points, points)
    most = min(_NEAREST, len(points))
    for start in range(0, len(points), _ROWS):
        rows = points[start : start + _ROWS]
        far = squares[start : start + _ROWS, None] + squares - 2 * (rows @ points.T)
        np.maximum(far, 0, out=far)
        far[np.arange(len(rows)), np.arange(start, start + len(rows))] = 0
        near = np.argpartition(far, most - 1, axis=1)[:, :most]
        order = np.argsort(np.take_along_axis(far, near, axis=1), axis=1, kind="stable")
        yield start, np.take_along_axis(near, order, axis=1), far


def _within(
    start: int, rows: NDArray[np.int64], near: NDArray[np.int64], far: Floats,
    own: NDArray[np.int64], others: NDArray[np.int64],
) -> Floats:  # fmt: skip
    """Return ``(2, len(rows))``: how many of the own and of the other set are within R.

    The nearest points answer for a row in which they reach beyond R; the others are asked of all.
    """
    if not len(rows):
        return np.zeros((2, 0))
    reached = min(NEIGHBOURS, int(np.count_nonzero(own)) - 1) + 1  # the point itself is the first
    some = near[rows]
    distances = np.take_along_axis(far[rows], some, axis=1)
    seen = np.cumsum(own[some] > 0, axis=1)
    radius = distances[np.arange(len(rows)), np.argmax(seen >= reached, axis=1)]
    inside = distances <= radius[:, None]
    found = np.stack([(own[some] * inside).sum(axis=1), (others[some] * inside).sum(axis=1)])
    short = np.flatnonzero((seen[:, -1] < reached) | (distances[:, -1] <= radius))
    if len(short) and some.shape[1] < far.shape[1]:
        whole = far[rows[short]]
        radius = np.partition(whole[:, own > 0], reached - 1, axis=1)[:, reached - 1]
        inside = whole <= radius[:, None]
        found[:, short] = np.stack([inside @ own, inside @ others])
    return found.astype(np.float64)


def _larger(own: Floats, others: Floats, alpha: float) -> float:
    """Return D_α of both directions, the larger; *own* and *others* are ``(2, points)``."""
    return max(_divergence(*counts, alpha) for counts in zip(own, others, strict=True))


def _divergence(own: Floats, others: Floats, alpha: float) -> float:
    shown = own > 0
    if not others.any():
        return log(int(shown.sum()))
    q = own[shown] / own[shown].sum()
    p = others[shown] / others[shown].sum()
    logs = np.log(q[p > 0]) + alpha * (np.log(p[p > 0]) - np.log(q[p > 0]))
    most = float(logs.max())
    return max(0.0, (most + log(float(np.exp(logs - most).sum()))) / (alpha - 1))
