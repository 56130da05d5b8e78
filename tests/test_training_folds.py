"""Cross-prediction lists marks that a model does not believe, and spans that are not marked."""

import numpy as np
import pytest

from presidio_cdip.recognition.transformer import Config, Tagged
from training.corpus import Document, documents
from training.splits import pair

pytestmark = pytest.mark.checkout

folds = pytest.importorskip("training.folds", reason="tokenizers is not installed")


def _tagged(text: str, shares: dict[str, tuple[float, float]]) -> Tagged:
    """Return a prediction with the probabilities of HEALTH and AGE for some words of *text*."""
    words = text.split(" ")
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - [len(word) for word in words]
    names = {"0": "O", "1": "B-HEALTH", "2": "B-AGE"}
    config = Config.of({"id2label": names})
    own = np.zeros((len(words), 2), np.float16)
    for word, (health, age) in shares.items():
        own[words.index(word)][[config.entities.index(n) for n in ("HEALTH", "AGE")]] = health, age
    return Tagged(text, config, starts, ends, own, np.ones(len(words), np.float16))


def test_a_mark_without_belief_and_a_span_without_mark_disagree() -> None:
    """What both have is left out, and so are doubtful predictions."""
    text = "He has asthma and gout at 41 or 42 now"
    marks = [(text.index(value), text.index(value) + len(value)) for value in ("asthma", "41")]
    document = Document("letter/x", "letter", text, ((*marks[0], "HEALTH"), (*marks[1], "AGE")))
    shares = {"asthma": (0.95, 0), "gout": (0.9, 0), "41": (0, 0.125), "42": (0, 0.25)}

    found = list(folds.disagreements(document, _tagged(text, shares)))

    assert [(one.label, one.side, text[one.start : one.end]) for one in found] == [
        ("AGE", "mark", "41"),
        ("HEALTH", "prediction", "gout"),
    ]
    assert [round(one.strength, 2) for one in found] == [0.88, 0.9]


def test_a_mark_of_another_label_disagrees_twice() -> None:
    """The mark is not believed, and what the model finds is not marked."""
    document = Document("letter/x", "letter", "aged 41", ((5, 7, "HEALTH"),))

    found = folds.disagreements(document, _tagged("aged 41", {"41": (0.125, 0.75)}))

    assert [(one.label, one.side) for one in found] == [
        ("HEALTH", "mark"),
        ("AGE", "prediction"),
    ]


def test_a_line_shows_the_span_in_its_context() -> None:
    """It is one line, whatever the text has."""
    one = folds.Disagreement("letter/x", "AGE", "mark", 0.125, 4, 6)

    assert one.line("Age\n41\tyears") == "letter/x\tAGE\tmark\t0.125\tAge⏎[[41]]⇥years"


def test_documents_of_a_pair_are_in_one_fold() -> None:
    """Else the model would have read a sentence of the document that it is to judge."""
    places: dict[str, set[int]] = {}
    for document in documents():
        if pair(document):
            places.setdefault(pair(document), set()).add(folds.fold(document))

    assert places
    assert all(len(one) == 1 for one in places.values())
    assert {fold for one in places.values() for fold in one} == set(range(folds.FOLDS))
