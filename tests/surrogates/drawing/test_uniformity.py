"""A surrogate discloses nothing about its original but its form and that it is another value.

Over 10,000 draws, each in another scope, a permutation test compares the mutual information of
originals and surrogates with that of the same surrogates assigned to originals at random. If a
surrogate never has its original whole, the random assignments never do so either.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.writing.text import has_whole

KEY = bytes(range(32))
DRAWS = 10_000
DEALS = 200

ORIGINALS = {
    "AGE": [str(age) for age in range(20, 80, 5)],
    "GENDER": ["M", "F"],
    "RELIGION": ["Lutheran", "Presbyterian", "Methodist", "Baptist", "Muslim", "Hindu"],
    "NATIONALITY": ["German", "Mexican", "Canadian", "Hungarian", "Norwegian", "Greek", "Cuban"],
}


def information(pairs: np.ndarray) -> float:
    """Return the mutual information, in nats, of the two columns of numbers."""
    table = np.zeros(pairs.max(axis=0) + 1)
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
    joint = table / table.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    known = joint > 0
    return float((joint[known] * np.log(joint[known] / apart[known])).sum())


def chance_of(originals: Sequence[str], surrogates: Sequence[str], may_stay: bool) -> float:
    """Return the p-value of the permutation test: small if the pairs are dependent."""
    names = sorted({*originals, *surrogates})
    index = {name: number for number, name in enumerate(names)}
    within = np.array([[one == other or has_whole(one, other) for other in names] for one in names])
    left = np.array([index[one] for one in originals])
    right = np.array([index[one] for one in surrogates])
    seen = information(np.stack([left, right], axis=1))
    generator = np.random.default_rng(1)
    as_telling = 0
    for _ in range(DEALS):
        for _ in range(4):
            order = generator.permutation(len(right))
            one, other = order[: len(order) // 2], order[len(order) // 2 :][: len(order) // 2]
            apart = ~(within[right[other], left[one]] | within[right[one], left[other]])
            swap = np.ones(len(one), bool) if may_stay else apart
            one, other = one[swap], other[swap]
            right[one], right[other] = right[other], right[one].copy()
        as_telling += information(np.stack([left, right], axis=1)) >= seen
    return (1 + as_telling) / (1 + DEALS)


@pytest.mark.parametrize("entity", ORIGINALS)
def test_the_originals_are_written_alike(entity: str) -> None:
    """The originals below have one form, since surrogates keep the form and so disclose it."""
    options = {"locale": "en_US", "pack": Pack.shipped()}

    readings = [table.read(entity, value, options) for value in ORIGINALS[entity]]

    assert len({reading.form for reading in readings if reading}) == 1


def drawn(entity: str, **options: str) -> tuple[list[str], list[str]]:
    values = ORIGINALS[entity]
    originals = [values[number % len(values)] for number in range(DRAWS)]
    surrogates = [
        Surrogates(KEY, f"doc-{number}", options=options).surrogate(entity, value)
        for number, value in enumerate(originals)
    ]
    return originals, surrogates


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entity", "options", "may_stay"),
    [
        ("AGE", {"age": "drawn"}, False),
        ("GENDER", {}, True),
        ("RELIGION", {}, False),
        ("NATIONALITY", {}, False),
    ],
)
def test_surrogates_tell_nothing_of_originals(
    entity: str, options: dict[str, str], may_stay: bool
) -> None:
    """The p-value of the permutation test is above 1 %."""
    originals, surrogates = drawn(entity, **options)

    assert chance_of(originals, surrogates, may_stay) > 0.01
    assert may_stay or not any(map(str.__eq__, originals, surrogates))


@pytest.mark.slow
def test_the_test_sees_what_leaks() -> None:
    """The test fails if one surrogate in ten is derived from its original."""
    originals, surrogates = drawn("RELIGION")
    after = dict(zip(ORIGINALS["RELIGION"], [*ORIGINALS["RELIGION"][1:], "Lutheran"], strict=False))
    leaky = [
        after[original] if number % 10 == 0 else surrogate
        for number, (original, surrogate) in enumerate(zip(originals, surrogates, strict=True))
    ]

    assert chance_of(originals, leaky, may_stay=False) < 0.01


@pytest.mark.slow
def test_how_far_an_age_moves_tells_nothing_of_it() -> None:
    """Ages that move with the dates of birth are disclosed to within four years, no closer."""
    originals, surrogates = drawn("AGE")
    moves = [str(int(new) - int(old)) for old, new in zip(originals, surrogates, strict=True)]

    assert set(moves) == {str(move) for move in range(1, 5)}
    assert chance_of(originals, moves, may_stay=True) > 0.01
