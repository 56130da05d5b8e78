"""Tell whether the words of a phrase go together: a stiff knee, but no stiff kidney.

``operators/gazetteers/ENTITY_pairs.tsv`` lists words with their tags (the parts of the body, with
what can happen to them), and words with the tags of which they can be said. Surrogates whose terms
are drawn one by one are held to it, in frames and in templates alike, and so are phrases by class.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.drawing.lists import FOLDER, rows
from presidio_cdip.surrogates.writing.text import folded

# The kinds of the rows whose tags are those of which their words can be said
_SAID, _WHICH = "said", "which"
_PART = "part"  # of the rows with parts of the body
_ANY = "*"  # ends the beginning of words
_CLAUSE = re.compile(r"[.,;:\n]\s|\n|  +|[()\[\]|\t]| and | but ")  # parts it from others


@dataclass(frozen=True)
class Pairs:
    """The words of an entity that go together.

    Attributes:
        pattern: Matches the words.
        tags: By word its own tags, by the kind of its rows.
        said: By word the tags of which it can be said, by the kind of rows that have them.
        which: The words that only say which part, or how many.
        stems: The beginnings of words, the longest first.
    """

    pattern: re.Pattern[str]
    tags: Mapping[str, Mapping[str, set[str]]] = field(hash=False)
    said: Mapping[str, Mapping[str, set[str]]] = field(hash=False)
    which: frozenset[str]
    stems: tuple[str, ...]

    def count(self, text: str) -> tuple[int, int, frozenset[str]]:
        """Return how many pairs of words in *text* cannot stand together, and how many can.

        The latter are of parts of the body, which are returned, too; words that only say which,
        such as "left", do not count.
        """
        words = [self._listed(match.group()) for match in self.pattern.finditer(folded(text))]
        clashes = fits = 0
        for word, other in product(words, words):
            for kind, own in self.tags.get(other, {}).items():
                if (of := self.said.get(word, {}).get(kind)) is None:
                    continue
                if of.isdisjoint(own):
                    clashes += 1
                elif kind == _PART and word not in self.which:
                    fits += 1
        return clashes, fits, frozenset(one for one in words if _PART in self.tags.get(one, {}))

    def _listed(self, word: str) -> str:
        if word in self.tags or word in self.said:
            return word
        return next(one for one in self.stems if word.startswith(one[: -len(_ANY)]))


@lru_cache(maxsize=32)
def pairs_of(entity: str, pack: Pack) -> Pairs | None:
    """Return the words of *entity* that go together; None if the pack lists none.

    Raises:
        PackError: A word is said of a tag that no row has.
    """
    name = f"{entity.lower()}_pairs"
    if pack.file(f"{FOLDER}/{name}.tsv") is None:
        return None
    listed = [
        (row["kind"], words, frozenset(row["tags"].split()))
        for row in rows(name, pack)
        if (words := [folded(one) for one in row["words"].split("|")])
    ]
    kinds: dict[str, set[str]] = defaultdict(set)
    tags: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for kind, words, own in listed:
        if kind not in (_SAID, _WHICH):
            for word in words:
                tags[word][kind] |= own
            for tag in own:
                kinds[tag].add(kind)
    said: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for kind, words, own in listed:
        if kind in (_SAID, _WHICH):
            if odd := sorted(own - set(kinds)):
                raise PackError(f"{name}.tsv", f"{words[0]!r}: no row has the tag {odd[0]!r}")
            for word, tag in product(words, own):
                for one in kinds[tag]:
                    said[word][one].add(tag)
    which = frozenset(word for kind, words, _ in listed if kind == _WHICH for word in words)
    every = sorted({*tags, *said}, key=len, reverse=True)
    stems = tuple(one for one in every if one.endswith(_ANY))
    choice = "|".join(
        rf"{re.escape(one[: -len(_ANY)])}\w*" if one.endswith(_ANY) else rf"{re.escape(one)}(?!\w)"
        for one in every
    ).replace(r"\ ", r"\s+")
    return Pairs(re.compile(rf"(?<!\w)(?:{choice})"), tags, said, which, stems)


@lru_cache(maxsize=65536)
def _count(text: str, entity: str, pack: Pack) -> tuple[int, int, frozenset[str]]:
    found = pairs_of(entity, pack)
    return found.count(text) if found else (0, 0, frozenset())


def goes_together(
    value: str,
    written: str,
    entity: str,
    pack: Pack,
    context: Context | None = None,
    close: bool | None = False,
) -> bool:
    """Tell whether the words of *written* go together as well as those of *value* do.

    It has no more pairs that cannot stand together, and, with other parts of the body than
    *value*, one that can if *value* has.

    Args:
        value: The original.
        written: Its surrogate.
        entity: The entity of the value.
        pack: The pack in use.
        context: Where the value stands, if known: the words of its clause are read, too.
        close: Whether other parts of the body need a pair that can stand together in any case;
            if None, in none.
    """
    _, fits, parts = _count(value, entity, pack)
    _, new_fits, new_parts = _count(written, entity, pack)
    asked = close is not None and (fits or (close and parts))
    if asked and not new_fits and new_parts and parts != new_parts:
        return False
    before = _CLAUSE.split(context.before)[-1] if context else ""
    after = _CLAUSE.split(context.after)[0] if context else ""
    clashes = _count(f"{before}{written}{after}", entity, pack)[0]
    return not clashes or clashes <= _count(f"{before}{value}{after}", entity, pack)[0]
