"""Compare patches of words: 57 features, a discriminator, Fréchet distance, SSIM and NCC.

A patch is the tight box of a word's ink with a margin of a quarter of its height. Its `FEATURES`:

* ``dark 5..95``, ``share``, ``mean`` (7): quantiles of the inked pixels' darkness, the share of
  inked pixels, and the mean darkness. Darkness is 1 - grey / 255; a pixel is inked if it is darker
  than the midpoint between the patch's brightest and darkest percentile.
* ``edge 0..7`` (8): histogram of the Sobel gradient's length, divided by the patch's contrast.
* ``stroke mean, std, median, 90`` (4): of the distance transform's local maxima within the ink.
* ``run across mean, std, run down mean, std`` (4): lengths of runs of ink.
* ``paper mean, std, across, down, far`` (5): of pixels that are not ink and touch no ink: mean,
  deviation, and autocorrelation one pixel across, one down, and two across.
* ``pattern 0..9`` (10): histogram of uniform local binary patterns (8 neighbours, radius 1).
* ``way 0..7`` (8): histogram of gradient orientations, weighted by length.
* ``blots``, ``blot mean, std``, ``specks`` (4): connected components of ink in a square of the
  patch's height, the mean and deviation of their areas, and those of less than a hundredth of it.
* ``moment 1..7`` (7): Hu's moments of the darkness, as logarithms with their signs.

Lengths are divided by the median height of the page's words, areas by its square.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.words import Box

Grey = NDArray[np.uint8]
Rows = NDArray[np.float64]
"""One row of features a patch, or one row alone."""

FEATURES = (
    *(f"dark {share}" for share in (5, 25, 50, 75, 95)), "share", "mean",
    *(f"edge {bin}" for bin in range(8)),
    *(f"stroke {name}" for name in ("mean", "std", "median", "90")),
    *(f"run {way} {name}" for way in ("across", "down") for name in ("mean", "std")),
    *(f"paper {name}" for name in ("mean", "std", "across", "down", "far")),
    *(f"pattern {bin}" for bin in range(10)),
    *(f"way {bin}" for bin in range(8)),
    "blots", "blot mean", "blot std", "specks",
    *(f"moment {number}" for number in range(1, 8)),
)  # fmt: skip

MARGIN = 0.25
TREES, FOLDS = 500, 10
FRECHET_PATCHES, FRECHET_DRAWS = 196, 5
"""The distance grows as patches get fewer: so many are compared, drawn so often."""

_EDGES = np.array([0, 0.1, 0.25, 0.5, 1, 1.5, 2.2, 3, np.inf])


def patch_of(page: Grey, box: Box) -> tuple[Grey, int] | None:
    """Return the word's patch and the height of its ink; None if *box* holds no ink."""
    around = box.clipped(page.shape[::-1])
    part = page[around.within()]
    if not part.size:
        return None
    ink = _inked(part)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) < 3 or len(columns) < 3:
        return None
    tight = Box(
        around.left + int(columns[0]),
        around.top + int(rows[0]),
        around.left + int(columns[-1]) + 1,
        around.top + int(rows[-1]) + 1,
    )
    margin = max(2, round(MARGIN * tight.height))
    whole = tight.grown(margin, margin).clipped(page.shape[::-1])
    return page[whole.within()], tight.height


def features(patch: Grey, unit: float) -> Rows:
    """Compute the 57 features of `FEATURES`, in that order.

    Args:
        patch: Grey levels of a word with a margin of paper.
        unit: The median height of the page's words, in pixels.
    """
    dark = 1 - patch.astype(np.float64) / 255
    ink = _inked(patch)
    inked = dark[ink] if ink.any() else np.zeros(1)
    tones = [*np.percentile(inked, (5, 25, 50, 75, 95)), ink.mean(), dark.mean()]
    across, down = (
        cv2.Sobel(dark, cv2.CV_64F, *way, ksize=3, scale=0.25, borderType=cv2.BORDER_REPLICATE)
        for way in ((1, 0), (0, 1))
    )
    length = np.hypot(across, down)
    low, high = np.percentile(dark, (1, 99))
    contrast = max(float(high - low), 0.02)
    edges = np.histogram(length / contrast * 4, _EDGES)[0] / length.size
    angle = np.mod(np.arctan2(down, across), np.pi)
    ways = np.histogram(angle, 8, (0, np.pi), weights=length)[0] / max(length.sum(), 1e-9)
    return np.array(
        [
            *tones,
            *edges,
            *_strokes(ink, unit),
            *_runs(ink, unit),
            *_runs(ink.T, unit),
            *_paper(patch, ink),
            *_patterns(patch),
            *ways,
            *_blots(ink, unit),
            *_moments(dark),
        ]
    )


def _inked(patch: Grey) -> NDArray[np.bool_]:
    low, high = np.percentile(patch, (1, 99))
    if high - low < 12:
        return np.zeros(patch.shape, np.bool_)
    return np.asarray(patch < (low + high) / 2)


def _strokes(ink: NDArray[np.bool_], unit: float) -> list[float]:
    framed = np.pad(ink.astype(np.uint8), 1)
    far = cv2.distanceTransform(framed, cv2.DIST_L2, 5)
    ridge = far[(far > 0) & (far >= cv2.dilate(far, np.ones((3, 3), np.uint8)))]
    if not ridge.size:
        return [0.0] * 4
    wide = ridge.astype(np.float64) / unit
    return [wide.mean(), wide.std(), float(np.median(wide)), float(np.percentile(wide, 90))]


def _runs(ink: NDArray[np.bool_], unit: float) -> list[float]:
    steps = np.diff(np.pad(ink.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    lengths = (np.nonzero(steps == -1)[1] - np.nonzero(steps == 1)[1]) / unit
    return [lengths.mean(), lengths.std()] if lengths.size else [0.0, 0.0]


def _paper(patch: Grey, ink: NDArray[np.bool_]) -> list[float]:
    free = cv2.dilate(ink.astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    if free.sum() < 8:
        return [float(patch.max()), 0.0, 0.0, 0.0, 0.0]
    level, deviation = float(patch[free].mean()), float(patch[free].std())
    noise = (patch - level) * free

    def like(down: int, across: int) -> float:
        rows, columns = patch.shape[0] - down, patch.shape[1] - across
        both = free[:rows, :columns] & free[down:, across:]
        product = noise[:rows, :columns] * noise[down:, across:]
        return float(product[both].mean() / max(deviation**2, 1e-6)) if both.any() else 0.0

    return [level, deviation, like(0, 1), like(1, 0), like(0, 2)]


def _patterns(patch: Grey) -> Rows:
    """Return uniform local binary patterns (Ojala et al. 2002).

    The code of a pixel is the number of neighbours that are not darker, if these form one arc.
    """
    level = patch.astype(np.int16)
    rows, columns = level.shape
    ring = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    middle = level[1:-1, 1:-1]
    bits = np.array(
        [level[y : y + rows - 2, x : x + columns - 2] >= middle for y, x in ring], np.int8
    )
    changes = np.abs(bits - np.roll(bits, 1, axis=0)).sum(axis=0)
    pattern = np.where(changes <= 2, bits.sum(axis=0), 9)
    counts = np.bincount(pattern.ravel(), minlength=10)
    return np.asarray(counts / max(pattern.size, 1))


def _blots(ink: NDArray[np.bool_], unit: float) -> list[float]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA] / unit**2
    if count < 2:
        return [0.0] * 4
    squares = ink.shape[1] / ink.shape[0]
    small = float((areas < 0.01).sum())
    return [(count - 1) / squares, float(areas.mean()), float(areas.std()), small / squares]


def _moments(dark: Rows) -> Rows:
    found = cv2.HuMoments(cv2.moments(dark)).ravel()
    return np.asarray(-np.sign(found) * np.log10(np.maximum(np.abs(found), 1e-30)))


# --- discriminator and distance -----------------------------------------------------------------


def discriminator_scores(real: Rows, made: Rows, groups: Sequence[str], seed: int) -> Rows:
    """Return the probability that each patch is painted, from forests not trained on its page.

    Args:
        real: One row per patch.
        made: The same number of rows, each of the same page as the row of *real*.
        groups: The page of each row.
        seed: Seed of the forests.

    Returns:
        The probabilities of *real*, then those of *made*.

    Raises:
        ImportError: scikit-learn is not installed.
    """
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import GroupKFold, cross_val_predict

    both = np.concatenate([real, made])
    labels = np.repeat([0, 1], [len(real), len(made)])
    twice = [*groups, *groups]
    folds = GroupKFold(min(FOLDS, len(set(groups))))
    forest = RandomForestClassifier(TREES, random_state=seed)
    found = cross_val_predict(forest, both, labels, groups=twice, cv=folds, method="predict_proba")
    return np.asarray(found[:, 1])


def auc(negative: Rows, positive: Rows) -> float:
    """Return the area under the ROC curve: the probability that a positive ranks above a negative.

    A tie counts half.
    """
    above = (positive[:, None] > negative[None]).mean()
    return float(above + 0.5 * (positive[:, None] == negative[None]).mean())


def frechet(real: Rows, made: Rows) -> float:
    """Compute the distance of two normal distributions, on features standardised by *real*.

    The distance is Dowson and Landau's. With more than `FRECHET_PATCHES` patches it is the mean of
    `FRECHET_DRAWS` draws of that many.
    """
    deviation = real.std(axis=0)
    scale = np.where(deviation > 1e-9, deviation, 1)
    one, other = (real - real.mean(axis=0)) / scale, (made - real.mean(axis=0)) / scale
    if len(real) <= FRECHET_PATCHES:
        return _distance(one, other)
    rng = np.random.default_rng(0)
    draws = [rng.choice(len(real), FRECHET_PATCHES, replace=False) for _ in range(FRECHET_DRAWS)]
    return float(np.mean([_distance(one[drawn], other[drawn]) for drawn in draws]))


def _distance(one: Rows, other: Rows) -> float:
    apart = one.mean(axis=0) - other.mean(axis=0)
    first, second = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    values, vectors = np.linalg.eigh(first)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    shared = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ second @ root), 0)).sum()
    return float(apart @ apart + np.trace(first) + np.trace(second) - 2 * shared)


# --- likeness -----------------------------------------------------------------------------------


def ncc(one: Grey, other: Grey) -> float:
    """Return the normalised cross-correlation in [-1, 1]; 0 if one patch is constant."""
    a, b = one.astype(np.float64) - one.mean(), other.astype(np.float64) - other.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 1e-6 else 0.0
