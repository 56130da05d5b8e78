"""Texts become sentences, and sets of sentences are read from files of all kinds."""

import json
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from presidio_cdip.errors import CorpusError, UnreadableInput
from presidio_cdip.privacy.sentences import (
    SentenceSet,
    check_pair,
    read_set,
    sentence_bounds,
    word_bounds,
)
from tests.privacy.conftest import CLINIC, SHIPYARD, texts


def parts(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end, _ in sentence_bounds(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came home at nine. She had left by then!", 2),
        ("He came with Dr. A. B. Hill and Mrs. Stone at noon.", 1),
        ("The U.S. Navy bought it in the end.", 1),
        ("one two three four five\n\nsix seven eight nine ten", 2),
        ("one two three four five\nsix seven eight nine ten", 1),
        ("Diagnosis\n\nHe has had a stroke this year.", 1),
        ("He has had a stroke this year.\n\nWard 3", 1),
        ("word " * 250, 3),
        (" \n\n ", 0),
    ],
)
def test_sentences_end_where_readers_see_it(text: str, expected: int) -> None:
    """At full stops and paragraphs; short lines go with their neighbour, long ones are cut."""
    found = parts(text)

    assert len(found) == expected
    assert " ".join(found) == " ".join(text.split())


def test_words_have_their_places() -> None:
    """Counts and places of words agree with the sentence they are of."""
    text = "  He came\n home, at nine.  She had left by then!"

    for start, end, count in sentence_bounds(text):
        words = [text[first:last] for first, last in word_bounds(text, start, end)]
        assert len(words) == count
        assert words == text[start:end].split()


@pytest.mark.parametrize("run", [" ", "\n", "\r\n", ". ", ".", '"', "A. ", "a\n"])
def test_reading_takes_time_linear_in_the_text(run: str) -> None:
    """A long run of one thing is read in passing; it took minutes, if time grew by the square."""
    assert sum(count for *_, count in sentence_bounds(run * 200_000)) <= 200_000


def test_a_large_set_is_sampled_and_says_so() -> None:
    """No sentence counts more than another, the order stays, and a seed repeats the sample."""
    many = [f"This is the sentence with the number {number}." for number in range(2_000)]

    some = SentenceSet.of("many", many, limit=100, seed=3)

    numbers = [int(sentence[-1].strip(".")) for sentence in some.sentences]
    assert (len(some), some.seen, some.sources) == (100, 2_000, 2_000)
    assert numbers == sorted(numbers) == list(some.documents)
    assert 800 < sum(numbers) / 100 < 1_200
    assert some == SentenceSet.of("many", many, limit=100, seed=3)
    assert some != SentenceSet.of("many", many, limit=100, seed=4)


def test_texts_are_gone_through_once_and_not_kept() -> None:
    """A set of any size is read in the memory of its sample."""
    living = 0

    class Text(str):
        def __new__(cls, value: str) -> "Text":
            nonlocal living
            living += 1
            return super().__new__(cls, value)

        def __del__(self) -> None:
            nonlocal living
            living -= 1

    most = 0

    def given() -> object:
        nonlocal most
        for number in range(500):
            most = max(most, living)
            yield Text(f"This is the sentence with the number {number}.")

    SentenceSet.of("many", given(), limit=10)  # type: ignore[arg-type]

    assert most <= 3


def test_parts_have_no_document_in_common() -> None:
    """What is learnt from one document is not asked about it."""
    whole = SentenceSet.of("clinic", texts(CLINIC, 10, 1))

    first, second = whole.parted(0.7, seed=0)

    assert not set(first.documents) & set(second.documents)
    assert (len(first), len(second)) == (140, 60)
    assert sorted([*first.sentences, *second.sentences]) == sorted(whole.sentences)


def test_files_of_all_kinds_are_read(tmp_path: Path) -> None:
    """Texts, JSON Lines, other JSON, documents: each line of the second is a document."""
    docx = pytest.importorskip("docx")
    first, second, third, fourth = texts(CLINIC, 4, 5)
    (tmp_path / "a.txt").write_text(first)
    lines = [json.dumps({"text": one}) for one in (second, third)]
    (tmp_path / "b.jsonl").write_text("\n".join([*lines, ""]))
    document = docx.Document()
    document.add_paragraph(fourth)
    document.save(tmp_path / "c.docx")
    (tmp_path / "d.jsonl").write_text(json.dumps({"note": "The keys of this one are its own."}))

    found = read_set(tmp_path, name="all")

    whole = SentenceSet.of("all", [first, second, third, fourth])
    assert found.sources == 5
    # The last sentence of the document goes on in its properties, which are short.
    assert len(set(whole.sentences) - set(found.sentences)) <= 1
    assert ("note:", "The", "keys", "of", "this", "one", "are", "its", "own.") in found.sentences


def test_a_file_that_cannot_be_read_is_an_error_or_is_reported(tmp_path: Path) -> None:
    """It names the line, and no text; with *report*, the other files are read."""
    (tmp_path / "a.jsonl").write_text('{"text": "It was the first of the lines."}\n{"secret": 1}\n')
    (tmp_path / "b.txt").write_text("This one is read in the end.")

    with pytest.raises(UnreadableInput, match="line 2 is no JSON object with a `text`") as raised:
        read_set(tmp_path)
    problems: list[Exception] = []
    found = read_set(tmp_path, report=problems.append)

    assert "secret" not in str(raised.value)
    assert len(problems) == 1
    assert found.sentences[-1][0] == "This"


def test_files_that_are_not_read_whole_are_counted(tmp_path: Path) -> None:
    """A key of JSON that is not rewritten, an attachment of an unknown kind, a file of noise."""
    (tmp_path / "a.txt").write_text("This one is read from end to end.")
    (tmp_path / "b.json").write_text('{"age: 46": {"123-45-6789": 1}, "note": "This one is read."}')
    mail = EmailMessage()
    mail.set_content("The attachment of this letter is of a kind that nobody knows.\n")
    mail.add_attachment(bytes(range(256)) * 9, "application", "octet-stream", filename="c.bin")
    (tmp_path / "c.eml").write_bytes(mail.as_bytes())
    whole = read_set(tmp_path / "a.txt")
    (tmp_path / "d.docx").write_bytes(b"PK\x03\x04 and no more")

    found = read_set(tmp_path, report=lambda error: None)

    assert whole.unread == 0
    assert found.unread == 3
    assert found.sources == 3


def set_of(name: str, telling: Sequence[str], seed: int, documents: int = 15) -> SentenceSet:
    return SentenceSet.of(name, texts(telling, documents, seed))


GERMAN = "Der Arzt hat den Kranken am Morgen gesehen und ihm ein neues Mittel gegeben, {}."


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (SentenceSet.of("b", []), "b has no sentences: name a folder"),
        (set_of("b", SHIPYARD, 2, documents=3), "b has 60 sentences, and 200 are needed: add"),
        (set_of("b", CLINIC, 1), "a and b have most sentences in common"),
        (
            SentenceSet.of("b", [*texts(SHIPYARD, 15, 2), texts(CLINIC, 1, 1)[0]]),
            "a and b have 1 documents in common",
        ),
        (
            SentenceSet.of("b", [GERMAN.format(number) for number in range(300)]),
            "b does not read as English",
        ),
    ],
)
def test_sets_that_cannot_be_compared_are_refused(other: SentenceSet, problem: str) -> None:
    """Empty, too small, the same, with a document of the other, or in another language."""
    one = set_of("a", CLINIC, 1)

    with pytest.raises(CorpusError, match=problem):
        check_pair(one, other)
    with pytest.raises(CorpusError):
        check_pair(other, one)


def test_a_document_of_the_other_set_is_known_though_no_sentence_of_it_was_drawn() -> None:
    """The hashes are of all documents, not of the sample; blanks and case do not count."""
    copy = texts(CLINIC, 1, 1)[0].upper().replace(" ", "\n")
    other = SentenceSet.of("b", [*texts(SHIPYARD, 40, 2), copy], limit=200)

    with pytest.raises(CorpusError, match="1 documents in common"):
        check_pair(set_of("a", CLINIC, 1), other)


def test_two_sets_of_english_prose_are_compared(two_sets: tuple[SentenceSet, SentenceSet]) -> None:
    """What is right passes."""
    check_pair(*two_sets)
