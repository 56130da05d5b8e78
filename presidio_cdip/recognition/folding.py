"""Fold text that OCR may have garbled, so that it compares equal to the intended text."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from presidio_cdip.pack.language import english

_WORD = re.compile(r"[^\W_]+#?|#")
_FIRST = re.compile(r"[^\W_]|#")

_HEAD = 4  # letters of a word by which most terms are ruled out

# Where a label may be glued to its value: "DOB11/02/50", "SexMale".
_GLUE = re.compile(r"[^\W\d_](?=\d)|[a-z](?=[A-Z])")

# Characters that OCR confuses fold to one spelling: l 1 I | -> i, O 0 -> o, rn m -> rn ...
_CONFUSED = str.maketrans(dict(english().ocr.folded))

# The characters that may stand between two words of one cue or term.
_GAP = re.compile(r"_|[ \t.,'’\-–/&]{0,4}(?:\n[ \t]{0,40})?")


def fold(word: str) -> str:
    """Return *word* in lower case, without accents, its OCR confusions resolved to one spelling.

    >>> fold("Nurnber") == fold("number"), fold("exce11ent") == fold("Excellent")
    (True, True)
    """
    plain = word.casefold()
    if not plain.isascii():
        plain = "".join(
            char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char)
        )
    return plain.translate(_CONFUSED) or word


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in order: their offsets and their folded forms.

    Attributes:
        starts: Offset of each word's first character.
        ends: Offset after each word's last character.
        folded: Each word, folded.
        heads: The first four letters of each, folded.
        glued: The indices of words that may be a label and its value in one.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    folded: Sequence[str]
    heads: Sequence[str]
    glued: frozenset[int]

    @classmethod
    def of(cls, text: str) -> "Words":
        """Return the words of *text*; time and memory are linear in its length."""
        starts, ends, folded = [], [], []
        known: dict[str, str] = {}  # for this text alone: no part of it outlives the call
        for match in _WORD.finditer(text):
            word = match.group()[:64]  # a longer one is no term
            if word not in known:
                known[word] = fold(word)
            starts.append(match.start())
            ends.append(match.end())
            folded.append(known[word])
        glued = (bisect_right(starts, match.start()) - 1 for match in _GLUE.finditer(text))
        heads = [word[:_HEAD] for word in folded]
        return cls(text, starts, ends, folded, heads, frozenset(glued))

    def is_number(self, index: int) -> bool:
        """Return whether word *index* is written in digits alone."""
        return self.text[self.starts[index] : self.ends[index]].isdecimal()

    def first_at(self, offset: int) -> int:
        """Return the index of the first word that starts at *offset* or after it."""
        return bisect_left(self.starts, offset)


_NEXT_WORD = "\0"  # between the words of a term as `_Entry` has it

_Entry = tuple[str, str, bool]
"""A term: its folded words with `_NEXT_WORD` between them, itself, whether all are one letter."""


class _Node:
    """A state of the trie, which makes the states after it when it is first reached.

    Attributes:
        next: The nodes after each letter.
        space: The node after a gap between two words of a term.
        glue: Whether the gap may be missing: not before a single letter, "born c." is no "borne".
        terms: The terms that end here.
    """

    __slots__ = ("_depth", "_entries", "glue", "next", "space", "terms")

    def __init__(self, entries: Sequence[_Entry] = (), depth: int = 0) -> None:
        self._entries: Sequence[_Entry] | None = entries
        self._depth = depth
        self.next: Mapping[str, _Node] = {}
        self.space: _Node | None = None
        self.glue = False
        self.terms: Sequence[str] = ()

    def reached(self) -> "_Node":
        """Return this node with the nodes after it; two threads may both make them."""
        if (entries := self._entries) is not None:
            depth, after = self._depth, dict[str, list[_Entry]]()
            ended = [term for spelled, term, _ in entries if len(spelled) == depth]
            for entry in entries:
                if len(entry[0]) > depth:
                    after.setdefault(entry[0][depth], []).append(entry)
            if apart := after.pop(_NEXT_WORD, None):
                self.space = _Node(apart, depth + 1).reached()
                self.glue = any(
                    initials or spelled[depth + 2 : depth + 3] not in ("", _NEXT_WORD)
                    for spelled, _, initials in apart
                )
            self.next = {char: _Node(others, depth + 1) for char, others in after.items()}
            self.terms = ended
            self._entries = None
        return self


@dataclass(frozen=True, slots=True)
class _Trie:
    """The terms that start with one letter.

    Attributes:
        root: The node before the first letter.
        heads: How a word that begins a term may start: up to four letters.
    """

    root: _Node
    heads: frozenset[str]

    @classmethod
    def of(cls, terms: Iterable[str]) -> "_Trie":
        entries, starts, known = list[_Entry](), set[str](), dict[str, str]()
        for term in terms:
            written = _WORD.findall(term)
            for word in written:
                if word not in known:
                    known[word] = fold(word)
            words = [known[word] for word in written]
            starts.add("".join(words)[:_HEAD])
            initials = all(len(word) == 1 for word in written)
            entries.append((_NEXT_WORD.join(words), term, initials))
        heads = {start[:length] for start in starts for length in range(1, len(start) + 1)}
        return cls(_Node(entries).reached(), frozenset(heads))


_EMPTY = _Trie(_Node().reached(), frozenset())


@lru_cache(maxsize=1024)
def _folded_letter(letter: str) -> str:
    return fold(letter)[0]


class Terms:
    """Many terms, found as OCR may have left them, in time linear in the text.

    Between the words of a term any short punctuation, a line end or nothing may stand; one word
    of a term may be broken by a single space ("Hom e"). A term written ``d.o.b.`` is three words.
    Too many words fold to a short term: a term of two letters matches only in its own spelling, in
    any case; a term of three letters matches only three letters.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._by_letter: dict[str, list[str]] = {}
        self._tries: dict[str, _Trie] = {}  # each built when a text has a word with its letter
        for term in terms:
            if first := _FIRST.search(term):
                self._by_letter.setdefault(_folded_letter(first[0]), []).append(term)

    def _trie(self, word: str) -> "_Trie":
        """Return the trie of the terms that start with the first letter of *word*, folded."""
        letter = word[0]
        if letter not in self._by_letter:
            return _EMPTY
        if letter not in self._tries:
            self._tries[letter] = _Trie.of(self._by_letter[letter])
        return self._tries[letter]

    def __bool__(self) -> bool:
        return bool(self._by_letter)

    def longest(self, words: Words, index: int) -> tuple[int, Sequence[str]] | None:
        """Return the offset after the longest terms that start with word *index*, and the terms."""
        trie = self._trie(words.folded[index])
        if words.heads[index] not in trie.heads and index not in words.glued:
            return None
        best: tuple[int, Sequence[str]] | None = None
        states = [(trie.root, index, False)]
        while states:
            node, at, broken = states.pop()
            node_after = self._through(node, words.folded[at])
            for after in node_after:
                end = words.ends[at]
                if after.terms and (best is None or end > best[0]):
                    terms = _certain(after.terms, words.text[words.starts[index] : end])
                    best = (end, terms) if terms else best
                if at + 1 == len(words.starts):
                    continue
                if after.space and _GAP.fullmatch(words.text, end, words.starts[at + 1]):
                    states.append((after.space, at + 1, broken))
                one_space = words.text[end : words.starts[at + 1]] == " "
                # "age 5" is not "ages": a number is no part of a broken word.
                if after.next and one_space and not broken and not words.is_number(at + 1):
                    states.append((after, at + 1, True))
        if best is None and index in words.glued:
            best = self._glued(words, index)
        return best

    def _through(self, node: _Node, word: str) -> list[_Node]:
        """Return the nodes that the whole *word* leads to; the term's own gaps may be missing."""
        nodes = [node]
        for char in word:
            reached = []
            for state in nodes:
                if char in state.next:
                    reached.append(state.next[char].reached())
                if state.space and state.glue and char in state.space.next:
                    reached.append(state.space.next[char].reached())
            if not reached:
                return []
            nodes = reached
        return nodes

    def _glued(self, words: Words, index: int) -> tuple[int, Sequence[str]] | None:
        """Find a term of at least three letters that its value is glued to."""
        start, end = words.starts[index], words.ends[index]
        for match in _GLUE.finditer(words.text, start, min(end, start + 32)):
            cut = match.end()
            label = fold(words.text[start:cut])
            if cut >= start + 3:
                for after in self._through(self._trie(label).root, label):
                    if after.terms:
                        return cut, after.terms
        return None

    def finditer(self, words: Words) -> Iterator[tuple[int, int, Sequence[str]]]:
        """Yield the start, end and terms of every leftmost longest occurrence; none overlap."""
        glued, end = words.glued, 0
        for index, head in enumerate(words.heads):
            heads = self._trie(head).heads
            if (head in heads or index in glued) and words.starts[index] >= end:
                found = self.longest(words, index)
                if found is not None:
                    end = found[0]
                    yield words.starts[index], end, found[1]


def _certain(terms: Sequence[str], seen: str) -> Sequence[str]:
    """Return the *terms* that *seen* certainly matches, however short: "Rd" is not "rel"."""
    if len(seen) > 6:
        return terms
    letters = len(_plain(seen))
    return [
        term
        for term in terms
        if (wanted := len(_plain(term))) > 3 or (wanted == 3 and letters == 3) or same(seen, term)
    ]


def same(seen: str, meant: str) -> bool:
    """Return whether *seen* is *meant* except for case and punctuation, with no OCR confusion."""
    return _plain(seen) == _plain(meant)


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
