"""The classifier of runs of words sees every run, learns marked ones, and finds some apart."""

from random import Random

import pytest

from benchmarks.quality import Span

pytestmark = pytest.mark.checkout

torch = pytest.importorskip("torch", reason="torch is not installed")


def test_each_run_of_words_is_described_by_its_own_words() -> None:
    """It has the first vector, the last, the mean and the maximum, of its words alone."""
    compare = pytest.importorskip("training.compare", reason="torch is not installed")
    words = torch.randn(2, 5, 3)

    found = list(compare.runs_of_words(words, 4))

    assert [run.shape for run in found] == [(2, 5, 12), (2, 4, 12), (2, 3, 12), (2, 2, 12)]
    own = words[1, 1:4]  # the run of three words that begins with the second
    expected = torch.cat([own[0], own[2], own.mean(0), own.max(0).values])
    assert torch.allclose(found[2][1, 1], expected, atol=1e-6)


def test_no_run_is_longer_than_its_window() -> None:
    """A window of two words has runs of one and of two."""
    compare = pytest.importorskip("training.compare", reason="torch is not installed")

    assert len(list(compare.runs_of_words(torch.randn(1, 2, 3), 12))) == 2


def test_of_spans_that_overlap_the_likeliest_is_found() -> None:
    """Whatever their entities are."""
    compare = pytest.importorskip("training.compare", reason="torch is not installed")
    long, short, other = Span(0, 9, "HEALTH"), Span(4, 9, "AGE"), Span(9, 12, "AGE")

    found = compare.apart([(0.5, other), (0.6, short), (0.7, long)])

    assert found == [(0.7, long), (0.5, other)]


def test_marked_words_are_learnt_where_they_stand() -> None:
    """In each window the first and the last word of a mark are those of its text."""
    compare = pytest.importorskip("training.compare", reason="torch is not installed")
    train = pytest.importorskip("training.train", reason="torch is not installed")
    examples = pytest.importorskip("training.examples")
    maker = compare.WordMaker(
        examples.tokenizer_of(train.base_model()), 24, examples.Targets(), None, overlap=4
    )
    text = "Her nephrologist writes:\nshe has end-stage renal disease, and her age is 41. " * 3
    spans = []
    for value, label in (("end-stage renal disease", "HEALTH"), ("41", "AGE")):
        at = -1
        while (at := text.find(value, at + 1)) >= 0:
            spans.append((at, at + len(value), label))

    found = {
        (window.bounds[first][0], window.bounds[last][1], compare._LABELS[label])
        for window in maker.windows(examples.Example(text, sorted(spans)), Random(1))
        for first, last, label in window.marked
    }

    assert found == set(spans)
