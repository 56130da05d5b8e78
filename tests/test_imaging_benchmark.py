"""The imaging benchmark's own arithmetic, on examples worked out by hand."""

from itertools import islice

import pytest

from presidio_cdip.imaging.page.similarity import ssim
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box, Word

np = pytest.importorskip("numpy")
pytest.importorskip("cv2", reason="the extra [image] brings OpenCV")

from benchmarks import imaging  # noqa: E402
from benchmarks import imaging_pages as pages  # noqa: E402
from benchmarks import imaging_painters as painters  # noqa: E402
from benchmarks import imaging_patches as patches  # noqa: E402

pytestmark = pytest.mark.checkout


def word(text: str, height: int = 10, conf: float = 95.0) -> Word:
    return Word(text, Box(0, 0, 8 * len(text), height), conf)


def test_there_are_57_features_of_a_patch() -> None:
    """Every feature has a name of its own, and is a number even where nothing is inked."""
    rng = np.random.default_rng(1)
    patch = np.full((20, 60), 240, np.uint8)
    patch[5:15, 10:13] = 30
    flat = np.full((20, 60), 240, np.uint8)
    noise = rng.integers(0, 256, (20, 60)).astype(np.uint8)

    rows = [patches.features(each, 12.0) for each in (patch, flat, noise)]

    assert len(patches.FEATURES) == len(set(patches.FEATURES)) == 57
    assert all(row.shape == (57,) and np.isfinite(row).all() for row in rows)


def test_features_measure_a_stroke() -> None:
    """Of a bar 4 wide and 12 high on even paper: its runs, its blot, its share, no noise."""
    patch = np.full((20, 40), 240, np.uint8)
    patch[4:16, 18:22] = 40

    row = dict(zip(patches.FEATURES, patches.features(patch, 4.0), strict=True))

    assert row["run across mean"] == pytest.approx(1)
    assert row["run down mean"] == pytest.approx(3)
    assert row["share"] == pytest.approx(48 / 800)
    assert row["blot mean"] == pytest.approx(48 / 16)
    assert row["blots"] == pytest.approx(0.5)
    assert row["paper std"] == 0
    assert row["dark 50"] == pytest.approx(1 - 40 / 255)


def test_numbers_are_spread() -> None:
    """Of nine, three are the ends and the middle; of two, three are both."""
    assert pages.spread(9, 3) == [0, 4, 8]
    assert pages.spread(2, 3) == [0, 1]


def test_patch_is_the_ink_with_a_margin() -> None:
    """A word's box is drawn tight before a quarter of its height is added."""
    page = np.full((60, 90), 250, np.uint8)
    page[20:36, 30:60] = 20

    found = patches.patch_of(page, Box(22, 12, 70, 45))

    assert found
    patch, height = found
    assert height == 16
    assert patch.shape == (16 + 2 * 4, 30 + 2 * 4)
    assert patches.patch_of(page, Box(0, 0, 15, 15)) is None


def test_likeness_of_a_page_with_itself_is_one() -> None:
    """SSIM and NCC are 1 for the same pixels, and less for others; a flat page has no NCC."""
    rng = np.random.default_rng(2)
    one = rng.integers(0, 256, (40, 50)).astype(np.uint8)
    other = rng.integers(0, 256, (40, 50)).astype(np.uint8)

    assert ssim(one, one) == pytest.approx(1, abs=1e-3)
    assert patches.ncc(one, one) == pytest.approx(1)
    assert patches.ncc(one, 255 - one) == pytest.approx(-1)
    assert ssim(one, other) < 0.2 and abs(patches.ncc(one, other)) < 0.2
    assert patches.ncc(one, np.full_like(one, 9)) == 0


def test_auc_counts_ties_as_half() -> None:
    """Of the four pairs of (1, 2) with (2, 3) three are won and one is a tie."""
    assert patches.auc(np.array([1.0, 2.0]), np.array([2.0, 3.0])) == pytest.approx(3.5 / 4)


def test_distance_of_a_shift_is_its_square() -> None:
    """The same patches are 0 apart; shifted by two deviations in one feature, 4."""
    real = np.random.default_rng(3).normal(5, 2, (150, 6))
    shifted = real.copy()
    shifted[:, 0] += 2 * real[:, 0].std()

    assert patches.frechet(real, real) == pytest.approx(0, abs=1e-6)
    assert patches.frechet(real, shifted) == pytest.approx(4, abs=1e-6)


@pytest.mark.slow
def test_forests_never_saw_the_page() -> None:
    """What tells patches apart on one page alone tells nothing on the others."""
    pytest.importorskip("sklearn", reason="the group training brings scikit-learn")
    rng = np.random.default_rng(4)
    groups = [str(number // 10) for number in range(40)]
    real, made = rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    signs = np.array([1, -1, 1, -1])[np.array([int(group) for group in groups])]
    made[:, 0] = 9 * signs

    sure = patches.discriminator_scores(real, made, groups, seed=1)
    plain = patches.discriminator_scores(real, real + 9, groups, seed=1)

    assert patches.auc(sure[:40], sure[40:]) < 1
    assert patches.auc(plain[:40], plain[40:]) == pytest.approx(1)


def test_shuffles_keep_the_shape() -> None:
    """Vowels, consonants, capitals, digits and signs stay where they are; the value does not."""
    source = painters.Shuffles("Springfield 62704", seed=1)

    made = [one.text for one in islice(source.candidates("ID", "Ann-42"), 50)]

    other = painters.Shuffles("Springfield 62704", seed=1)
    again = [one.text for one in islice(other.candidates("ID", "Ann-42"), 50)]
    assert made == again and len(set(made)) > 10
    for text in made:
        assert text != "Ann-42" and text[0] in "AEIOUY" and text[3] == "-"
        assert text[1:3].islower() and set(text[1:3]).isdisjoint("aeiouy")
        assert text[4:].isdigit()


def test_chosen_words_are_sure_and_spread() -> None:
    """Doubtful, short and misread words stay; of the others at most every second goes."""
    words = [word("Anderson"), word("the"), word("unsure", conf=80), word("(44)"), word("1944-7")]
    many = [word(f"word{number}") for number in range(100)]

    assert imaging.chosen(words) == [0]
    assert imaging.chosen(words, drawn=["1944-7", "the"]) == []
    assert len(imaging.chosen(many)) == imaging.WORDS
    assert imaging.chosen(many)[0] == 0 and imaging.chosen(many)[-1] == 99


def test_compared_words_are_alike() -> None:
    """A number is compared with a number, a long word with a long one, none of them twice."""
    words = [word("Anderson"), word("1944"), word("Peterson"), word("1951"), word("with")]

    assert imaging.matched(words, [0, 1]) == [2, 3]
    assert imaging.matched(words, [1, 0]) == [3, 2]


def test_pixels_outside_are_counted() -> None:
    """A box of 20 rows may be exceeded by 3; what differs beyond it counts."""
    before = np.zeros((60, 60), np.uint8)
    after = before.copy()
    after[17:40, 20:40] = 9
    box = Box(20, 20, 40, 40)

    assert imaging.outside(before, after, [imaging.grown(box)]) == 0
    after[16, 20:25] = 9
    assert imaging.outside(before, after, [imaging.grown(box)]) == 5


def test_time_is_told_of_warm_pages() -> None:
    """The first page's time is not counted."""
    assert imaging.warm([9.0, 0.2, 0.4, 0.3]) == pytest.approx(0.3)
    assert imaging.warm([9.0]) is None


def test_similarity_kept_is_a_share_of_pages() -> None:
    """On two of three pages the surrogate is nearer to the original than white boxes."""
    marks = {
        "surrogate": imaging.Marks(ssim=[0.9, 0.8, 0.7]),
        "white": imaging.Marks(ssim=[0.8, 0.9, 0.6]),
    }

    assert imaging.kept(marks, lambda one: one.ssim) == pytest.approx(2 / 3)
    assert imaging.kept(marks, lambda one: one.ssim, "paper") is None
    assert imaging.kept({"white": marks["white"]}, lambda one: one.ssim) is None


def test_pages_are_drawn_again_alike() -> None:
    """The same seed draws the same pixels; a token printed again changes only its own place."""
    sheet = pages.Sheet(("Dear Mr. Boone,", "born 1931 in Hazard"), faces()[0].file, 91, seed=3)

    first, tokens = pages.synthetic(sheet)
    again, _ = pages.synthetic(sheet)
    other, others = pages.synthetic(sheet, {2: "Yates,"})

    assert first.tobytes() == again.tobytes()
    assert [token.text for token in tokens[:3]] == ["Dear", "Mr.", "Boone,"]
    assert others[2].text == "Yates," and tokens[3] == others[3]
    changed = np.argwhere(np.asarray(first) != np.asarray(other))
    box = tokens[2].box.union(others[2].box).grown(3, 3)
    assert len(changed) and changed[:, 0].min() >= box.top and changed[:, 0].max() < box.bottom
    assert changed[:, 1].min() >= box.left and changed[:, 1].max() < box.right
