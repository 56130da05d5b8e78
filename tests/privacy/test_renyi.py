"""Divergences: against Gaussians whose divergence is known, and against the definition itself."""

from math import log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.renyi import (
    ALPHAS,
    divergences,
    epsilon,
    estimate,
    floor,
    low_dimensional,
    projected,
)

Floats = NDArray[np.float64]


def gaussians(divergence: float, d: int, size: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Draw from N(0, I) and N(μ, I), whose D₂ is |μ|² in both directions."""
    draw = np.random.default_rng(seed)
    first, second = (draw.normal(size=(size, d)) for _ in range(2))
    first[:, 0] += sqrt(divergence)
    return first, second


def by_definition(first: Floats, second: Floats, alpha: float) -> float:
    """One direction, a loop over the points of Q, with nothing saved or shared."""
    points = np.unique(second, axis=0)
    own, others = [], []
    for y in points:
        radius = np.sort(((points - y) ** 2).sum(axis=1))[min(5, len(points) - 1)] + 1e-12
        own.append(int((((second - y) ** 2).sum(axis=1) <= radius).sum()))
        others.append(int((((first - y) ** 2).sum(axis=1) <= radius).sum()))
    if not any(others):
        return log(len(points))
    q, p = np.array(own) / sum(own), np.array(others) / sum(others)
    return max(0.0, log(float((q * (p / q) ** alpha).sum())) / (alpha - 1))


@pytest.mark.parametrize("alpha", [1.1, 2.0, 10.0, 50.0])
@pytest.mark.parametrize("kind", ["apart", "alike", "many equal", "few points"])
def test_divergence_is_what_the_definition_says(alpha: float, kind: str) -> None:
    """The larger of both directions of a plain loop over the points, equal points among them."""
    draw = np.random.default_rng(1)
    first, second = draw.normal(size=(90, 3)), draw.normal(size=(70, 3))
    if kind == "apart":
        first = first + 1
    elif kind == "many equal":
        first, second = first.round(), second.round()
    elif kind == "few points":
        first, second = np.sign(first[:, :1]), np.sign(second[:, :1])

    [found] = divergences(first, second, [alpha])

    expected = max(by_definition(first, second, alpha), by_definition(second, first, alpha))
    assert found == pytest.approx(expected, abs=1e-9)


def test_neighbours_beyond_the_first_hundred_are_counted() -> None:
    """Points of Q around which hundreds of P lie nearer than the fifth of Q."""
    draw = np.random.default_rng(2)
    first = draw.normal(scale=0.01, size=(400, 2))
    second = np.concatenate([[[0.0, 0.0]], draw.normal(loc=5, size=(60, 2))])

    [found] = divergences(first, second, [2.0])

    expected = max(by_definition(first, second, 2.0), by_definition(second, first, 2.0))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 5])
@pytest.mark.parametrize("true", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("alpha", [1.1, 2.0])
def test_estimate_in_few_dimensions_is_within_15_percent(alpha: float, true: float, d: int) -> None:
    """The mean of five draws of 2,000 and 2,000 points."""
    found = [
        low_dimensional(*gaussians(2 * true / alpha, d, 2_000, seed), alpha, seed)
        for seed in range(5)
    ]

    assert np.mean(found) == pytest.approx(true, rel=0.15)


def test_estimate_in_few_dimensions_grows_with_the_distance() -> None:
    """Alike, near and far Gaussians of 600 points, four draws each."""
    alike, near, far = (
        float(np.mean([low_dimensional(*gaussians(d2, 2, 600, seed)) for seed in range(4)]))
        for d2 in (0.0, 0.5, 2.0)
    )

    assert alike < 0.1
    assert near == pytest.approx(0.5, rel=0.3)
    assert far == pytest.approx(2.0, rel=0.3)


def test_sets_that_do_not_overlap_are_far_apart_in_few_dimensions_too() -> None:
    """Not near, because no line can be drawn through estimates that grow with the neighbours."""
    first, second = gaussians(400.0, 2, 300)

    assert low_dimensional(first, second) > 4


def test_equal_points_do_not_differ() -> None:
    """Two sets of one and the same point, as when everything is redacted."""
    points = np.ones((300, 4))

    assert low_dimensional(points, points) < 0.15
    assert estimate(points, points).epsilon.mean == 0


def test_sets_without_a_point_near_each_other_get_the_most_that_can_be_told() -> None:
    """The logarithm of the number of points of the larger set, not an infinity or a nought."""
    draw = np.random.default_rng(0)
    first, second = draw.normal(size=(80, 2)), draw.normal(size=(100, 2)) + 1_000

    assert divergences(first, second, [2.0, 50.0]) == pytest.approx(log(100))


def test_floor_is_below_what_differs() -> None:
    """Halves of one set read far less than two sets that differ, and not 0."""
    first, second = gaussians(4.0, 5, 400)

    assert 0.1 < floor(first).d2.mean < 0.6 < estimate(first, second).d2.mean


def test_floor_is_read_at_the_delta_of_the_pair() -> None:
    """Another δ gives another ε, and the same divergences."""
    vectors, _ = gaussians(0.0, 3, 200)

    own, given = floor(vectors), floor(vectors, delta=0.9)

    assert (own.delta, given.delta) == (1 / 200, 0.9)
    assert given.divergences == own.divergences
    assert given.epsilon.mean < own.epsilon.mean


def test_estimates_of_one_seed_are_equal_and_intervals_hold_their_mean() -> None:
    """And another seed draws other subsamples."""
    first, second = gaussians(1.0, 3, 200)

    one, again, other = (estimate(first, second, seed=seed) for seed in (3, 3, 4))

    assert one == again != other
    for spread in (one.d2, one.epsilon, *one.divergences.values()):
        assert spread.low <= spread.mean <= spread.high
    assert list(one.divergences) == list(ALPHAS)
    assert one.delta == 1 / 200


def test_projection_keeps_90_percent_of_the_variance() -> None:
    """Two of twenty axes carry nearly all; vectors of other lengths are the same."""
    draw = np.random.default_rng(0)
    scale = np.array([5, 4, *[0.1] * 18])
    first, second = (draw.normal(size=(150, 20)) * scale for _ in range(2))

    one, other = projected(first, second)
    longer, _ = projected(3 * first, second)

    assert one.shape == other.shape == (150, 2)
    assert np.abs(one - longer).max() <= 2e-5


def test_epsilon_is_the_least_over_all_lines() -> None:
    """No ρ of a fine grid gives a smaller one."""
    draw = np.random.default_rng(0)
    for _ in range(20):
        values = np.sort(draw.uniform(0, 3, len(ALPHAS)))
        grid = np.linspace(0, 3, 20_001)
        xi = np.maximum(0, (values[:, None] - np.outer(ALPHAS, grid)).max(axis=0))
        best = (xi + grid + 2 * np.sqrt(grid * log(1_000))).min()

        found = epsilon(values.tolist(), ALPHAS, 1e-3)

        assert found <= best + 1e-9
        assert found == pytest.approx(best, abs=0.05)


@pytest.mark.parametrize(
    ("shape", "alpha", "problem"),
    [((300, 6), 2.0, "dimensions"), ((50, 2), 2.0, "vectors"), ((300, 2), 10.0, "alpha")],
)
def test_estimate_in_few_dimensions_refuses_what_it_cannot_do(
    shape: tuple[int, int], alpha: float, problem: str
) -> None:
    """Too many dimensions, too few vectors, an order that only rare points decide."""
    points = np.zeros(shape)

    with pytest.raises(InvalidOption, match=problem):
        low_dimensional(points, points, alpha)


def test_single_vectors_are_refused() -> None:
    """They have no neighbour."""
    with pytest.raises(InvalidOption, match="two vectors"):
        estimate(np.zeros((1, 3)), np.zeros((9, 3)))
