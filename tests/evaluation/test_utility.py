"""What redaction does to a classifier: nothing, or all."""

from importlib.util import find_spec

import numpy as np
import pytest
from numpy.typing import NDArray

from presidio_cdip.evaluation import utility

pytestmark = pytest.mark.skipif(not find_spec("sklearn"), reason="scikit-learn is not installed")

LABELS = ["letter", "form"] * 10


def features(strength: float) -> list[NDArray[np.float16]]:
    """Two clouds of points, apart by *strength*."""
    draw = np.random.default_rng(4)
    return [
        draw.normal(strength * (label == "form"), 0.1, 8).astype(np.float16) for label in LABELS
    ]


def test_an_unchanged_page_changes_nothing() -> None:
    """No flip, no change of confidence, and the same accuracy whatever it was trained on."""
    pages = features(1)

    found = utility.measure("none", "page", LABELS, pages, pages)

    assert found is not None
    assert (found.documents, found.labels, found.flips) == (20, 2, 0)
    assert set(found.changes) == {0.0}
    assert [found.original, found.to_redacted, found.to_original, found.redacted] == [1.0] * 4


def test_what_is_destroyed_is_seen() -> None:
    """Pages made alike get one label: half of them flip, and nothing is learned from them."""
    found = utility.measure("blank", "page", LABELS, features(1), [np.zeros(8)] * 20)

    assert found is not None
    assert found.flips == 10
    assert (found.original, found.to_redacted) == (1.0, 0.5)
    assert found.to_original <= 0.5


def test_texts_are_told_apart_by_their_words() -> None:
    """TF-IDF sees that redaction kept the words of the kind."""
    before = [
        f"{'dear sir' if one == 'letter' else 'name date'} {n}" for n, one in enumerate(LABELS)
    ]
    after = [text.rsplit(" ", 1)[0] for text in before]

    found = utility.measure("surrogate", "text", LABELS, before, after)

    assert found is not None
    assert (found.flips, found.to_redacted, found.to_original) == (0, 1.0, 1.0)


def test_one_label_cannot_be_learned() -> None:
    """Labels of one document are left out; with fewer than two left there is no classifier."""
    assert utility.measure("x", "page", ["a", "a", "b"], features(1)[:3], features(1)[:3]) is None


def test_without_scikit_learn_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    from presidio_cdip.errors import MissingDependency

    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)

    with pytest.raises(MissingDependency, match=r"presidio-cdip\[audit\]"):
        utility.check_learner()
