"""The training corpus is read as the annotation guidelines have it, and nothing broken passes."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from training import corpus, file_in, splits

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


GOOD = """\
%%% fire-log/a-1 | kind=fire log | round=a | reader=second | split=training
  Two lines, and [[AGE|46]].

Blank lines within stay.

%%% fire-log/a-2 | kind=fire log
One line.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus of one family, `fires`, with two documents."""
    (tmp_path / "fires.txt").write_text(GOOD, encoding="utf-8")
    (tmp_path / "incoming").mkdir()
    return tmp_path


def test_header_and_text_become_a_document(folder: Path) -> None:
    """The fields of the header are the document's, and the text ends in one line break."""
    first, second = corpus.documents(folder)

    assert (first.id, first.kind, first.round, first.reader, first.split) == (
        ("fire-log/a-1", "fire log", "a", "second", "training")
    )
    assert first.text == "  Two lines, and 46.\n\nBlank lines within stay.\n"
    assert (second.round, second.reader, second.split) == ("", "", "")
    assert second.text == "One line.\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no header\n" + GOOD, "x.txt:1: does not begin with a header"),
        ("%%% log/1\ntext\n", "x.txt:1: the id must be the kind"),
        ("%%% log/1 | kind=fire log\ntext\n", "x.txt:1: the id must be the kind"),
        ("%%% log/1 | kind=log | kind=log\ntext\n", "x.txt:1: a field stands twice"),
        ("%%% log/1 | kind=log | colour=red\ntext\n", "x.txt:1: 'colour' is no field"),
        ("%%% log/1 | kind=log | round=\ntext\n", "x.txt:1: 'round' has no value"),
        ("%%% log/1 | kind=log | split=test\ntext\n", "x.txt:1: no split 'test'"),
        ("%%% log/1 | kind=log\n\n%%% log/2 | kind=log\ntext\n", "x.txt:1: log/1 has no text"),
        ("%%% log/1 | kind=log\ntext\n%%%\nmore\n", "x.txt:3: the id must be the kind"),
        ("%%% log/1 | kind=log\ntext\n[[AGE|4\n", "x.txt: the last mark is not closed (log/1)"),
        ("\n%%% log/1 | kind=log\ntext\n46]]\n", "x.txt:4: a mark is closed that was not"),
        ("%%% fire-log/a-1 | kind=fire log\ntext\n", "x.txt:1: another document is called"),
    ],
)
def test_broken_documents_are_refused_with_file_and_line(
    folder: Path, content: str, said: str
) -> None:
    """A document that came in is checked with the others, and the error says where to look."""
    (folder / "incoming" / "x.txt").write_text(content, encoding="utf-8")

    found, errors = corpus.checked(folder)

    assert said in str(errors[0])
    assert {"fire-log/a-1", "fire-log/a-2"} <= {document.id for document in found}
    with pytest.raises(corpus.CorpusError):
        corpus.documents(folder)


def test_not_utf_8_is_refused(folder: Path) -> None:
    """The file is named, and the other documents are read."""
    (folder / "incoming" / "x.txt").write_bytes(b"%%% log/1 | kind=log\n\xff\n")

    found, errors = corpus.checked(folder)

    assert str(errors[0]) == "x.txt: is not UTF-8" and len(found) == 2


def test_written_documents_are_read_again(folder: Path) -> None:
    """A section holds all that a document is."""
    documents = corpus.documents(folder)
    (folder / "fires.txt").write_text("\n".join(one.as_section() for one in documents), "utf-8")

    assert corpus.documents(folder) == documents


def test_filing_in_moves_documents_into_their_family(folder: Path) -> None:
    """A new document of a known kind goes where its kind is, and is given a split."""
    before = corpus.documents(folder)
    new = folder / "incoming" / "x.txt"
    new.write_text("%%% fire-log/a-0 | kind=fire log\nNew.\n", encoding="utf-8")

    count = file_in.file_in(folder)

    first, *others = corpus.documents(folder)
    assert count == 1 and not new.exists()
    assert (first.id, first.text) == ("fire-log/a-0", "New.\n")
    assert [(one.id, one.text, one.spans) for one in others] == [
        (one.id, one.text, one.spans) for one in before
    ]
    assert all(one.split for one in [first, *others])
    assert len(corpus.read(folder / "fires.txt")) == 3


def test_filing_in_asks_for_the_family_of_a_new_kind(folder: Path) -> None:
    """Nothing is moved where no family is named; where one is, its file is made."""
    new = folder / "incoming" / "x.txt"
    new.write_text("%%% flood-log/1 | kind=flood log\nNew.\n", encoding="utf-8")

    with pytest.raises(corpus.CorpusError, match="'flood log': name one with --family"):
        file_in.file_in(folder)
    assert new.exists() and (folder / "fires.txt").read_text("utf-8") == GOOD

    assert file_in.file_in(folder, "floods") == 1
    assert [one.id for one in corpus.read(folder / "floods.txt")] == ["flood-log/1"]


def document(name: str, split: str = "") -> corpus.Document:
    return corpus.Document(name, name.partition("/")[0], "text\n", (), split=split)


def test_new_documents_of_held_out_kinds_are_held_out() -> None:
    """Nothing of a kind that develops is trained on."""
    _, new = splits.drawn([document("log/1", "kinds"), document("log/2")])

    assert new.split == "kinds"


def test_one_new_document_in_twenty_develops() -> None:
    """Of the other kinds, the hash of the name decides; both halves of a pair go together."""
    parts = [one.split for one in splits.drawn([document(f"log/{n}") for n in range(2_000)])]
    pairs = splits.drawn([document(f"log/pair-{n}-{half}") for n in range(99) for half in "ab"])

    assert set(parts) == {"training", "documents"}
    assert parts.count("documents") == pytest.approx(100, abs=30)
    assert all(pairs[at].split == pairs[at + 1].split for at in range(0, len(pairs), 2))


def test_half_of_a_pair_that_teaches_does_not_develop() -> None:
    """It leaves its part when the other half joins the training."""
    corpus = [document("memo/pair-A1-a", "kinds"), document("log/pair-A1-b", "training")]

    assert [one.split for one in splits.drawn(corpus)] == ["none", "training"]


# --- the corpus itself --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def everything() -> Sequence[corpus.Document]:
    return corpus.documents()


def test_every_document_can_be_read(everything: Sequence[corpus.Document]) -> None:
    """No document of the corpus has a broken mark, and none is empty or there twice."""
    assert all(document.text.strip() for document in everything)
    assert len({document.text for document in everything}) == len(everything)


def test_a_broken_document_is_an_error_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """`training.splits` names the document and its line, as `training.file_in` does."""

    def broken() -> None:
        corpus.parse("[[AEG|46]]", "doc.txt")

    monkeypatch.setattr(splits, "documents", broken)

    ran = CliRunner().invoke(splits.main)

    assert (ran.exit_code, ran.output) == (1, "Error: doc.txt:1: no entity 'AEG'\n")


def test_splits_hold(everything: Sequence[corpus.Document]) -> None:
    """No held-out kind is trained on, and no pair is divided between teaching and developing."""
    kinds = {one.kind for one in everything if one.split == "kinds"}
    taught = [one for one in everything if one.split == "training"]
    developing = [one for one in everything if one.split in ("kinds", "documents")]

    assert kinds.isdisjoint(one.kind for one in taught)
    assert not {splits.pair(one) for one in taught} & {splits.pair(one) for one in developing} - {
        ""
    }


def test_every_kind_has_one_family() -> None:
    """Documents of a kind lie in one file."""
    assert file_in.families()
