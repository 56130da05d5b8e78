"""Tell the syntax and the kind of a phrase from its words and the words around it.

A linear classifier over hashed features (words, their beginnings and ends, n-grams of characters,
the head of a noun phrase, the words before and after), trained by ``tools/phrases.py`` with the
labels in ``training/phrases.tsv``.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack

FILE = "operators/phrases/classes.npz"
BITS = 16  # rows of the weights: 2 ** BITS
LONGEST = 24  # words of a value that are read
# Singular and uncountable nouns, plural, adjective, participle, -ing, past, present, bare verb,
# phrase with a preposition, clause, code, quantity, answer.
SYNTAX = tuple("NMPADGVZBRCKQY")

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[^\w\s]")
_WIDE = re.compile(r"[ \t]{2,}\Z")
_LINE_START = re.compile(r"\n\s*\Z")
_LINE_END = re.compile(r"\s*\n")
_AFTER_HEAD = re.compile(
    r"(?i)\s(?:of|in|on|with|for|to|at|from|by|after|over|under|since|and|due)\s|[,;(/-]\s|\d"
)
_NEGATIVE = re.compile(
    r"(?i)\b(?:no(?!\.? ?#?\d)|not|never|none|nil|neither|nor|denie[sd]|deny|denying|neg|negative"
    r"|absent"
    # what one drives or sells without says what was done
    r"|without(?! (?:(?:an?|the|any|due|proper|owner['’]s) )*(?:licen[cs]es?|permits?|lights?"
    r"|lamps?|insurance|tickets?|leave|permission|authority|care|consent|registration|plates"
    r"|payment|paying)\b)"
    r"|cannot|declined?|nothing|nobody)\b|n['’]t\b|\bneg\."
    r"|\bnon-(?:smok|drink|citizen|member|believ|practi[cs]|religio|union(?! )|reactive|carrier"
    r"|resident|catholic|christian|jew|muslim|white|hispanic|native|attend|commun|partisan"
    r"|affiliat|vot|palpable|tender|immune|paternity|match|identical|compliant|contributory)"
)


Weights = npt.NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class PhraseClass:
    """The class of a phrase.

    Attributes:
        syntax: One of `SYNTAX`.
        negative: Whether it negates.
        kind: Its subject, as the labels of its entity name it.
    """

    syntax: str
    negative: bool
    kind: str

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}{self.syntax} {self.kind}"


def negates(text: str) -> bool:
    """Tell whether *text* negates.

    >>> negates("No chest pain"), negates("HIV neg."), negates("chest pain")
    (True, True, False)
    """
    return bool(_NEGATIVE.search(text))


def features(value: str, before: str | None, after: str | None) -> list[int]:
    """Return the rows of the weights that speak for *value*, each once.

    Args:
        value: The phrase.
        before: The text before it, or None if the context is not known.
        after: The text after it.
    """
    found = set(_strings(value, before, after or ""))
    return [zlib.crc32(one.encode("utf-8", "replace")) & ((1 << BITS) - 1) for one in found]


def _strings(value: str, before: str | None, after: str) -> Iterator[str]:
    raw = _WORD.findall(value)[:LONGEST] or [""]
    upper = value.isupper()
    tokens = ["0" if word[:1].isdigit() else word.lower() for word in raw]
    words = [word for word in tokens if word[:1].isalpha()]
    first, last = tokens[0], tokens[-1]
    yield "bias"
    yield f"n{min(len(words), 4)}"
    yield from ("w=" + word for word in tokens)
    yield from (f"b={one} {two}" for one, two in pairwise(tokens))
    yield "f=" + first
    yield "l=" + last
    for size in (2, 3, 4):
        if first.isalpha():
            yield f"fs{size}={first[-size:]}"
        if last.isalpha():
            yield f"ls{size}={last[-size:]}"
    for word in words:
        bounded = f"<{word[:20]}>"
        for size in (3, 4, 5):
            for at in range(len(bounded) - size + 1):
                yield "c" + bounded[at : at + size]
    yield from _head(value)
    yield "sh=" + "".join(_shape(word, upper) for word in raw[:5])
    yield from {"has=" + _shape(word, True) for word in raw if not word[:1].isalpha()}
    if upper:
        yield "upper"
    if before is None:
        yield "alone"
        return
    line = "" if _LINE_START.search(before) else before.rpartition("\n")[2]
    ahead = [one.lower() for one in _WORD.findall(line)]
    one = ahead[-1] if ahead else "^"
    two = ahead[-2] if len(ahead) > 1 else "^"
    behind = [] if _LINE_END.match(after) else _WORD.findall(after)
    following = behind[0].lower() if behind else "$"
    yield from (f"p1={one}", f"p2={two} {one}", f"p1f={one} {first}", f"p1fs={one} {first[-2:]}")
    yield "wide" if _WIDE.search(before) else "near"
    yield from (f"n1={following}", f"ln1={last} {following}")
    yield from ("lab=" + word for word in ahead[-4:])


def _head(value: str) -> Iterator[str]:
    """Yield features of the word before the first preposition: *repair* in "repair of a hernia"."""
    found = _WORD.findall(_AFTER_HEAD.split(value.strip())[0])
    if found and found[-1].isalpha():
        head = found[-1].lower()
        yield from (f"h={head}", f"hb={head[:4]}")
        yield from (f"h{size}={head[-size:]}" for size in (3, 4, 5))


def _shape(word: str, upper: bool) -> str:
    if word[:1].isdigit():
        return "d"
    if not word[:1].isalpha():
        return word[:1]
    if upper:
        return "x"
    size = "" if len(word) == 1 else "2"
    return ("X" if word.isupper() else "T" if word[0].isupper() else "x") + size


class Classifier:
    """Classify phrases with the weights of a pack."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
        self._syntax = arrays["SYNTAX"]
        self._kinds = {
            name.removesuffix(" kinds"): (
                tuple(map(str, arrays[name])),
                arrays[name.removesuffix(" kinds")],
            )
            for name in arrays
            if name.endswith(" kinds")
        }

    def read(self, entity: str, value: str, before: str | None, after: str | None) -> PhraseClass:
        """Return the class of *value*, a value of *entity*, one that the weights know."""
        rows = np.array(features(value, before, after))
        kinds, weights = self._kinds[entity]
        syntax = SYNTAX[_best(self._syntax, rows)]
        kind = kinds[_best(weights, rows)]
        return PhraseClass(syntax, negates(value), kind)

    def syntax(self, value: str) -> str:
        """Return the syntax of *value*, of any entity, as it looks alone."""
        return SYNTAX[_best(self._syntax, np.array(features(value, None, None)))]


def _best(weights: Weights, rows: npt.NDArray[np.intp]) -> int:
    """Return the class with the greatest sum: of whole numbers, so their order does not matter."""
    return int(weights[rows].sum(0, dtype=np.int64).argmax())


@lru_cache(maxsize=8)
def classifier(pack: Pack) -> Classifier:
    """Return the classifier of *pack*.

    Raises:
        PackError: Its file is missing or damaged.
    """
    item = pack.file(FILE)
    if item is None:
        raise PackError("operators/", f"no file {FILE}")
    try:
        with np.load(BytesIO(item.read_bytes()), allow_pickle=False) as arrays:
            return Classifier(dict(arrays))
    except (OSError, ValueError, KeyError):
        raise PackError(FILE, "the file is damaged") from None
