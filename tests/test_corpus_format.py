"""The training corpus is read as the annotation guidelines have it, and nothing broken passes."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[1] / "training" / "corpus.py"

pytestmark = [
    pytest.mark.checkout,
    pytest.mark.skipif(not FILE.is_file(), reason="training/ is in a checkout only"),
]


@pytest.fixture(scope="module")
def corpus() -> ModuleType:
    spec = spec_from_file_location("training_corpus", FILE)
    assert spec and spec.loader
    module = sys.modules["training_corpus"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_marks_become_spans(corpus: ModuleType) -> None:
    """Offsets count code points of the text without marks."""
    text, spans = corpus.parse("Ørsted, [[AGE|46]], is [[GENDER|male]].", "x")

    assert text == "Ørsted, 46, is male."
    assert [(text[s:e], label) for s, e, label in spans] == [("46", "AGE"), ("male", "GENDER")]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("[[AEG|46]]", "no entity 'AEG'"),
        ("[[46]]", "no entity"),
        ("[[AGE|46", "the last mark is not closed"),
        ("[[AGE|4[[AGE|6]]]]", "a mark within a mark"),
        ("46]]", "was not opened"),
        ("[[AGE|]]", "is empty"),
        ("[[AGE| 46]]", "blanks at its edges"),
    ],
)
def test_broken_marks_are_refused_with_their_line(
    corpus: ModuleType, marked: str, said: str
) -> None:
    """The document's name, the line and what is wrong stand in the error."""
    with pytest.raises(corpus.CorpusError, match="doc") as raised:
        corpus.parse(marked, "doc")
    assert said in str(raised.value)


def test_every_document_can_be_read(corpus: ModuleType) -> None:
    """No document of the corpus has a broken mark, and none is empty."""
    documents = list(corpus.documents())

    assert all(document.text.strip() for document in documents)
    assert len({document.text for document in documents}) == len(documents)
