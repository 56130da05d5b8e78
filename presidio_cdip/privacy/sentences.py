"""Split texts into sentences of words, and read sets of sentences from files.

A sentence is 1 to 100 words, a word is what stands between blanks. What is shorter than five words,
such as a heading or a cell of a table, is read with what follows it, so that a level of 20 % can
reach it. Sets are streamed: beyond a limit, a random sample of the sentences is kept.
"""

import json
import random
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.documents import rewriting
from presidio_cdip.documents.pictures import redactor
from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import CdipError, CorpusError, UnreadableInput
from presidio_cdip.files.folders import walk
from presidio_cdip.files.inputs import read_input
from presidio_cdip.pack.limits import MAX_CHARACTERS
from presidio_cdip.recognition.spans import Span

Sentence = tuple[str, ...]
"""Its words, 1 to 100 of them; none has a blank in it."""

LONGEST = 100
"""Words of the longest sentence."""

SHORTEST = 5
"""Words below which a sentence is read with the one after it."""

LIMIT = 5_000
"""Sentences that a set keeps, unless the caller says otherwise."""

LEAST = 200
"""The fewest sentences of a set that can be measured."""

_COPIED = 20  # words of a text that does not stand in two sets by chance
_SHARED = 0.5  # share of its sentences beyond which a set is a copy of the other
_FEW_ENGLISH = 0.03  # share of English function words below which a set is in another language
_LONG = 10  # words of a sentence that in English has a function word
_WITHOUT = 0.5  # share of long sentences without any, beyond which a set is not English
_FEW_DOCUMENTS = 5  # below which a set is parted by its sentences

_END = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\W_a-z])"  # a capital or a digit follows
    r"|\n[^\S\n]*\n\s*"  # a paragraph ends
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|St|Jr|Sr|No|Nos|Fig|vs|"
    r"approx|[A-Z]\.[A-Z])\.\Z"
)
_WORD = re.compile(r"\S+")
# Function words of English that other languages in Latin letters do not have.
_ENGLISH = frozenset(
    [
        *("the", "and", "that", "with", "which", "this", "from", "have", "has", "were", "are"),
        *("been", "to", "by", "you", "your", "not", "she", "her", "their", "they", "would"),
        *("will", "than", "our", "who", "what", "when", "there", "should", "could", "must"),
        *("about", "after", "other"),
    ]
)
_BARE = " .,;:!?\"'“”‘’()[]{}*_-–—"


@dataclass(frozen=True)
class SentenceSet:
    """Hold a set of sentences, whole or a sample of it.

    Attributes:
        name: The name of its file or folder.
        sentences: The sentences, in the order of the files.
        documents: For each sentence, the index of the document that it is from.
        sources: The number of documents.
        seen: The number of sentences before sampling.
        prints: ``(n,)`` uint64, in order, each once: hashes of the documents of at least 20 words,
            those among them of which no sentence was drawn.
        unread: How many files could not be read, or not whole: of a picture without text that OCR
            can read, or of an embedded file of an unknown kind, nothing is in the set.
    """

    name: str
    sentences: tuple[Sentence, ...] = field(repr=False)
    documents: tuple[int, ...] = field(repr=False)
    sources: int
    seen: int
    prints: "NDArray[np.uint64]" = field(repr=False, compare=False)
    unread: int = 0

    def __len__(self) -> int:
        return len(self.sentences)

    @classmethod
    def of(cls, name: str, texts: Iterable[str], *, limit: int = LIMIT, seed: int = 0) -> Self:
        """Return the set of the sentences of *texts*, each a document.

        Args:
            name: The name of the set.
            texts: Are gone through once.
            limit: Sentences that are kept; of more, a random sample (algorithm R of Vitter, 1985).
            seed: Draws the sample.
        """
        chance = random.Random(seed)
        kept: list[tuple[int, int, str]] = []
        prints = array("Q")
        seen = document = 0
        for document, text in enumerate(texts, 1):
            words = 0
            for start, end, count in sentence_bounds(text):
                words += count
                one = (seen, document - 1, text[start:end])
                if len(kept) < limit:
                    kept.append(one)
                elif (place := chance.randrange(seen + 1)) < limit:
                    kept[place] = one
                seen += 1
            if words >= _COPIED:
                prints.append(_print(text))
        kept.sort()
        return cls(
            name,
            tuple(tuple(text.split()) for _, _, text in kept),
            tuple(source for _, source, _ in kept),
            document,
            seen,
            np.unique(np.array(prints, np.uint64)),
        )

    def chosen(self, places: Sequence[int]) -> Self:
        """Return the set of the sentences at *places*."""
        return replace(
            self,
            sentences=tuple(self.sentences[place] for place in places),
            documents=tuple(self.documents[place] for place in places),
        )

    def sampled(self, most: int, seed: int) -> Self:
        """Return the set of at most *most* sentences, drawn at random, in order."""
        if len(self) <= most:
            return self
        return self.chosen(sorted(random.Random(seed).sample(range(len(self)), most)))

    def parted(self, share: float, seed: int) -> tuple[Self, Self]:
        """Return two sets without a document in common, the first with *share* of the sentences.

        A set of fewer than five documents is cut once, between two sentences.

        Args:
            share: In (0, 1); how near it comes depends on the lengths of the documents: where one
                has nearly all sentences, the second set may be empty.
            seed: Draws the documents.
        """
        wanted = round(share * len(self))
        sizes = Counter(self.documents)
        if len(sizes) < _FEW_DOCUMENTS:
            return self.chosen(range(wanted)), self.chosen(range(wanted, len(self)))
        order = sorted(sizes)
        random.Random(seed).shuffle(order)
        first, count = set(), 0
        for document in order:
            if abs(count + sizes[document] - wanted) <= abs(count - wanted):
                first.add(document)
                count += sizes[document]
        inside = [place for place, one in enumerate(self.documents) if one in first]
        outside = [place for place, one in enumerate(self.documents) if one not in first]
        return self.chosen(inside), self.chosen(outside)


def sentence_bounds(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and number of words of each sentence of *text*, in order.

    >>> [count for *_, count in sentence_bounds("Mr. A. Hill came at 4. He had been ill in May.")]
    [6, 6]
    """
    waiting: tuple[int, int, int] | None = None  # shorter than SHORTEST
    last: tuple[int, int, int] | None = None
    for start, end, count in _stretches(text):
        if waiting:
            if waiting[2] + count <= LONGEST:
                start, count, waiting = waiting[0], waiting[2] + count, None
            else:
                if last:
                    yield last
                last, waiting = waiting, None
        if count < SHORTEST:
            waiting = (start, end, count)
            continue
        if last:
            yield last
        last = (start, end, count)
    if waiting and last and waiting[2] + last[2] <= LONGEST:
        last, waiting = (last[0], waiting[1], last[2] + waiting[2]), None
    yield from (one for one in (last, waiting) if one)


def word_bounds(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of each word of ``text[start:end]``, as offsets in *text*."""
    return [word.span() for word in _WORD.finditer(text, start, end)]


def _stretches(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and number of words of the parts that no sentence reaches across."""
    at = 0
    for end in (*_ends(text), len(text)):
        if count := len(text[at:end].split()):
            if count <= LONGEST:
                yield at, end, count
            else:
                words = word_bounds(text, at, end)
                for first in range(0, count, LONGEST):
                    some = words[first : first + LONGEST]
                    yield some[0][0], some[-1][1], len(some)
        at = end


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        start = match.start()
        if "\n" in match.group() or not _ABBREVIATED.search(text, max(0, start - 12), start):
            yield match.end()


def _print(text: str) -> int:
    """Return a hash of the words of *text*, whatever the blanks and the case."""
    words = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "big")


def read_set(
    paths: Path | Sequence[Path],
    *,
    limit: int = LIMIT,
    seed: int = 0,
    settings: Settings | None = None,
    report: Callable[[CdipError], object] | None = None,
    name: str = "",
) -> SentenceSet:
    """Read a set of sentences from files, and from all files of folders.

    Read are plain texts, documents of every format of the package with all that is embedded in
    them, and page images, each of them one document; and JSON Lines, in which the ``text`` of each
    line is a document. JSON Lines are read line by line; one other file at a time is in memory.

    Args:
        paths: Files and folders.
        limit: Sentences that are kept; of more, a random sample.
        seed: Draws the sample.
        settings: Limits, and the language of page images.
        report: Is given the error of each file that cannot be read; without it, it is raised.
        name: The name of the set [default: that of the first path].

    Raises:
        UnreadableInput: A file cannot be read.
        MissingDependency: A file needs an extra that is not installed.
    """
    paths = [paths] if isinstance(paths, Path) else list(paths)
    if not name:
        name = paths[0].resolve().stem if paths else "empty"
    if settings is None:  # what is unknown is kept, so that it is noted as unread
        settings = replace(Settings(), max_characters=MAX_CHARACTERS, keep_unknown=True)
    partly: list[Path | UnreadableInput] = []
    texts = _texts_of_all(paths, settings, report, partly)
    return replace(SentenceSet.of(name, texts, limit=limit, seed=seed), unread=len(partly))


def _texts_of_all(
    paths: Sequence[Path],
    settings: Settings,
    report: Callable[[CdipError], object] | None,
    partly: list[Path | UnreadableInput],
) -> Iterator[str]:
    for file in walk(paths):
        try:
            if isinstance(file, UnreadableInput):
                raise file
            yield from _texts_of(file, settings, partly)
        except UnreadableInput as error:
            if report is None:
                raise
            report(error)
            partly.append(file)


def _texts_of(
    file: Path, settings: Settings, partly: list[Path | UnreadableInput]
) -> Iterator[str]:
    """Yield the texts of the documents in one file.

    The text of a document is followed by that of all that is embedded in it. A file with parts that
    could not be read is added to *partly*.
    """
    if file.suffix.lower() in (".jsonl", ".ndjson") and (lines := _lines(file)) is not None:
        yield from lines
        return
    texts: list[str] = []
    tools = rewriting.Tools(
        _nothing, redactor(_nothing, settings), watch=lambda shown: texts.append(shown.text)
    )
    data = read_input(file, settings.max_characters)
    if rewriting.rewrite_any(data, str(file), tools, settings)[1].unread:
        partly.append(file)
    yield "\n\n".join(texts)


def _lines(file: Path) -> Iterator[str] | None:
    """Return an iterator over the lines' ``text``; None if the first line has no ``text``."""
    try:
        with file.open(encoding="utf-8-sig") as lines:
            first = json.loads(next((line for line in lines if line.strip()), "null"))
    except (ValueError, OSError, RecursionError):
        return None
    if not (isinstance(first, dict) and isinstance(first.get("text"), str)):
        return None

    def texts() -> Iterator[str]:
        number = 0
        try:
            with file.open(encoding="utf-8-sig") as lines:
                for line in lines:
                    number += 1
                    if line.strip():
                        text = json.loads(line)["text"]
                        if not isinstance(text, str):
                            raise TypeError
                        yield text
        except OSError as error:
            raise UnreadableInput(str(file), error.strerror or "cannot be read") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            problem = f"line {max(1, number)} is no JSON object with a `text`"
            raise UnreadableInput(str(file), problem) from None

    return texts()


def _nothing(text: str) -> list[Span]:
    return []


def check_pair(sensitive: SentenceSet, safe: SentenceSet, *, least: int = LEAST) -> None:
    """Check that two sets can be compared.

    Raises:
        CorpusError: One is empty, has fewer than *least* sentences or is not in English; they are
            the same, or a document of at least 20 words stands in both.
    """
    for one in (sensitive, safe):
        if not one.sentences:
            raise CorpusError(
                one.name, "has no sentences: name a folder or file with texts, or JSON Lines with "
                "a `text` in each line"
            )  # fmt: skip
        if len(one) < least:
            raise CorpusError(
                one.name, f"has {len(one)} sentences, and {least} are needed: add documents"
            )
        if not _is_english(one.sentences):
            raise CorpusError(
                one.name, "does not read as English, which the encoder alone knows: leave texts in "
                "other languages out"
            )  # fmt: skip
    both = f"{sensitive.name} and {safe.name}"
    first, second = set(sensitive.sentences), set(safe.sentences)
    if len(first & second) > _SHARED * min(len(first), len(second)):
        raise CorpusError(both, "have most sentences in common: name two different sets")
    if copies := np.intersect1d(sensitive.prints, safe.prints, assume_unique=True).size:
        raise CorpusError(
            both,
            f"have {copies} documents in common, which would be learnt and asked for: leave them "
            "out of one of the two",
        )


def _is_english(sentences: Sequence[Sentence]) -> bool:
    known = words = long = without = 0
    for sentence in sentences:
        here = sum(word.strip(_BARE).lower() in _ENGLISH for word in sentence)
        known += here
        words += len(sentence)
        if len(sentence) >= _LONG:
            long += 1
            without += not here
    return known >= _FEW_ENGLISH * words and without <= _WITHOUT * long
