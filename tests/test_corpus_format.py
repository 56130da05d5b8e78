"""The training corpus is read as the annotation guidelines have it, and nothing broken passes."""

import pytest

from training import corpus

pytestmark = pytest.mark.checkout


def test_marks_become_spans() -> None:
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
def test_broken_marks_are_refused_with_their_line(marked: str, said: str) -> None:
    """The document's name, the line and what is wrong stand in the error."""
    with pytest.raises(corpus.CorpusError, match="doc") as raised:
        corpus.parse(marked, "doc")
    assert said in str(raised.value)


def test_every_document_can_be_read() -> None:
    """No document of the corpus has a broken mark, and none is empty."""
    documents = list(corpus.documents())

    assert all(document.text.strip() for document in documents)
    assert len({document.text for document in documents}) == len(documents)
