"""Find documents that are nearly the same, and the misses that they betray.

What was found in one copy and stands unfound in the other is a suspected miss.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.evaluation.fingerprints import Value, Words

ALIKE = 0.8
"""The least share of common shingles of two near-duplicates."""

NEAR = 3
"""The most bits in which the hashes of two near-duplicate pages differ."""

SAME_LAYOUT = 0.5
"""The least share of common shingles where pages look alike: two filled-in forms do, too."""

FEWEST_WORDS = 10
"""With fewer, a page is compared by its look alone."""

_SHINGLE = 3  # words
_PERMUTATIONS, _BANDS = 64, 16
_MOST_IN_BUCKET = 50  # a bucket of more is compared along a chain, not all with all
_HASH_SIDE = 8

Signature = NDArray[np.uint32]


def _constants() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    draw = np.random.default_rng(1997)
    most = np.iinfo(np.uint64).max
    odd = draw.integers(0, most, _PERMUTATIONS, np.uint64) | np.uint64(1)
    return odd, draw.integers(0, most, _PERMUTATIONS, np.uint64)


_FACTORS, _SUMMANDS = _constants()


def difference_hash(page: NDArray[np.uint8]) -> int | None:
    """Return 64 bits that are equal, or nearly so, for pages that look alike.

    The page is reduced to 9 x 8 means; a bit says whether one is lighter than its left neighbour.
    Source: Krawetz, "Kind of Like That" (2013),
    https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html.

    Args:
        page: Grey levels.

    Returns:
        None for a page smaller than 9 x 8, and for one whose means are all the same: a blank one.
    """
    rows, columns = page.shape
    if rows < _HASH_SIDE or columns < _HASH_SIDE + 1:
        return None
    down = np.linspace(0, rows, _HASH_SIDE + 1).astype(int)
    right = np.linspace(0, columns, _HASH_SIDE + 2).astype(int)
    sums = np.add.reduceat(page, down[:-1], axis=0, dtype=np.float64)
    sums = np.add.reduceat(sums, right[:-1], axis=1)
    means = sums / np.outer(np.diff(down), np.diff(right))
    if np.ptp(means) < 1e-9:
        return None
    bits = (np.diff(means, axis=1) > 0).ravel()
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def minhash(words: Words) -> Signature | None:
    """Return the MinHash signature of the shingles of three *words*; None for fewer.

    Two signatures agree in a share of places that estimates the Jaccard similarity of the sets.
    Sources: Broder, "On the resemblance and containment of documents", SEQUENCES 1997, 21-29;
    multiply-shift hashing of Dietzfelbinger et al., Journal of Algorithms 25 (1997), 19-51.
    """
    if len(words) < _SHINGLE:
        return None
    shingles = np.zeros(len(words) - _SHINGLE + 1, np.uint64)
    for place in range(_SHINGLE):
        shingles = shingles * np.uint64(0x9E3779B97F4A7C15) + words[place : len(words) - 2 + place]
    shingles = np.unique(shingles)
    smallest = np.full(_PERMUTATIONS, np.iinfo(np.uint32).max, np.uint32)
    for start in range(0, len(shingles), 4096):
        part = shingles[start : start + 4096, None] * _FACTORS + _SUMMANDS
        smallest = np.minimum(smallest, (part >> np.uint64(32)).astype(np.uint32).min(axis=0))
    return smallest


def resemblance(one: Signature, other: Signature) -> float:
    """Return the estimated Jaccard similarity of two texts, in [0, 1]."""
    return float(np.mean(one == other))


@dataclass(frozen=True, slots=True)
class Copy:
    """The digest of a document for comparison with others.

    Attributes:
        values: Found in it: entity and fingerprint.
        words: The fingerprints of its words, sorted, each once.
        signature: The MinHash of its text; None where it is too short.
        look: The difference hash of its first page; None for a text.
    """

    values: frozenset[tuple[str, Value]]
    words: Words
    signature: Signature | None = None
    look: int | None = None


def pairs(copies: Sequence[Copy]) -> list[tuple[int, int]]:
    """Return the pairs of near-duplicates among *copies*, as positions, in order.

    Their texts have at least `ALIKE` of their shingles in common; or their pages look alike and
    at least `SAME_LAYOUT`, or at least one of them has hardly any text. Candidates share a band of
    the signature (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", section 3.4) or a
    quarter of the hash. Where more than 50 share one, each is compared with the next ones alone: a
    stack of equal pages is found as a chain.
    """
    return sorted(pair for pair in _candidates(copies) if _alike(*(copies[one] for one in pair)))


def _candidates(copies: Sequence[Copy]) -> set[tuple[int, int]]:
    buckets: dict[tuple[int, bytes | int], list[int]] = defaultdict(list)
    for number, copy in enumerate(copies):
        if copy.signature is not None:
            for band, part in enumerate(np.split(copy.signature, _BANDS)):
                buckets[band, part.tobytes()].append(number)
        if copy.look is not None:
            for quarter in range(4):
                buckets[quarter, copy.look >> 16 * quarter & 0xFFFF].append(number)
    return {pair for members in buckets.values() for pair in _couples(members)}


def _couples(members: list[int]) -> Iterator[tuple[int, int]]:
    if len(members) <= _MOST_IN_BUCKET:
        yield from combinations(members, 2)
        return
    for step in (1, 2, 3):
        yield from zip(members, members[step:], strict=False)


def _alike(one: Copy, other: Copy) -> bool:
    words = None
    if one.signature is not None and other.signature is not None:
        words = resemblance(one.signature, other.signature)
    if words is not None and words >= ALIKE:
        return True
    if one.look is None or other.look is None or (one.look ^ other.look).bit_count() > NEAR:
        return False
    if min(len(one.words), len(other.words)) < FEWEST_WORDS:
        return True
    return words is not None and words >= SAME_LAYOUT


@dataclass(frozen=True, slots=True)
class Betrayed:
    """Count values of one entity that were found in one of two near-duplicates alone.

    Attributes:
        missed: All words of the value stand in the other copy, and it was not found there.
        absent: They do not: the copies differ there, or one was misread.
    """

    missed: int
    absent: int


def betrayed(copies: Sequence[Copy], near: Iterable[tuple[int, int]]) -> Mapping[str, Betrayed]:
    """Count by entity what was found in one copy of each pair in *near*, and not in the other.

    A value is counted once for each document that lacks it, however many copies betray that.
    """
    missed: set[tuple[int, str, Value]] = set()
    absent: set[tuple[int, str, Value]] = set()
    for one, other in near:
        for having, lacking in ((one, other), (other, one)):
            there = {value for _, value in copies[lacking].values}
            for entity, value in copies[having].values:
                if value and value not in there:
                    stands = bool(np.isin(value, copies[lacking].words).all())
                    (missed if stands else absent).add((lacking, entity, value))
    of_missed = Counter(entity for _, entity, _ in missed)
    of_absent = Counter(entity for _, entity, _ in absent - missed)
    return {
        entity: Betrayed(of_missed[entity], of_absent[entity])
        for entity in sorted({*of_missed, *of_absent})
    }
