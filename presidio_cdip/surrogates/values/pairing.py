"""Tell whether the words of a phrase go together: a stiff knee, but no stiff kidney.

``operators/gazetteers/ENTITY_pairs.tsv`` lists words with their tags (the parts of the body, with
what can happen to them), and words with the tags of which they can be said. Surrogates whose terms
are drawn one by one are held to it, in frames and in templates alike.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.drawing.lists import FOLDER, rows
from presidio_cdip.surrogates.writing.text import folded

_SAID = "said"  # the kind of the rows whose tags are those of which their words can be said
_ANY = "*"  # ends the beginning of words
_CLAUSE = re.compile(r"[.;:\n]\s|\n|  +|[()\[\]|\t]| and | but ")  # parts it from others


@dataclass(frozen=True)
class Pairs:
    """The words of an entity that go together.

    Attributes:
        pattern: Matches the words.
        tags: By word its kind and its tags: of the word itself.
        said: By word the tags of which it can be said, by the kind of rows that have them.
        stems: The beginnings of words, the longest first.
    """

    pattern: re.Pattern[str]
    tags: Mapping[str, tuple[str, frozenset[str]]] = field(hash=False)
    said: Mapping[str, Mapping[str, frozenset[str]]] = field(hash=False)
    stems: tuple[str, ...]

    def clashes(self, text: str) -> int:
        """Return how many pairs of words in *text* cannot stand together."""
        words = [self._listed(match.group()) for match in self.pattern.finditer(folded(text))]
        tagged = [self.tags[one] for one in words if one in self.tags]
        said = [self.said[one] for one in words if one in self.said]
        return sum(kind in of and of[kind].isdisjoint(own) for of in said for kind, own in tagged)

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
    tags: dict[str, tuple[str, frozenset[str]]] = {}
    for kind, words, own in listed:
        if kind != _SAID:
            tags |= dict.fromkeys(words, (kind, own))
            for tag in own:
                kinds[tag].add(kind)
    said: dict[str, Mapping[str, frozenset[str]]] = {}
    for kind, words, own in listed:
        if kind == _SAID:
            if odd := sorted(own - set(kinds)):
                raise PackError(
                    f"{name}.tsv", f"{words[0]!r} is said of {odd[0]!r}, which no row has"
                )
            of: dict[str, set[str]] = defaultdict(set)
            for tag in own:
                for one in kinds[tag]:
                    of[one].add(tag)
            said |= {key: {one: frozenset(found) for one, found in of.items()} for key in words}
    every = sorted({*tags, *said}, key=len, reverse=True)
    stems = tuple(one for one in every if one.endswith(_ANY))
    choice = "|".join(
        rf"{re.escape(one[: -len(_ANY)])}\w*" if one.endswith(_ANY) else rf"{re.escape(one)}(?!\w)"
        for one in every
    ).replace(r"\ ", r"\s+")
    return Pairs(re.compile(rf"(?<!\w)(?:{choice})"), tags, said, stems)


@lru_cache(maxsize=65536)
def _clashes(text: str, entity: str, pack: Pack) -> int:
    found = pairs_of(entity, pack)
    return found.clashes(text) if found else 0


def goes_together(
    value: str, written: str, entity: str, pack: Pack, context: Context | None = None
) -> bool:
    """Tell whether *written* has no more words that cannot stand together than *value* has.

    Args:
        value: The original.
        written: Its surrogate.
        entity: The entity of the value.
        pack: The pack in use.
        context: Where the value stands, if known: the words of its clause are read, too.
    """
    before = _CLAUSE.split(context.before)[-1] if context else ""
    after = _CLAUSE.split(context.after)[0] if context else ""
    clashes = _clashes(f"{before}{written}{after}", entity, pack)
    return not clashes or clashes <= _clashes(f"{before}{value}{after}", entity, pack)
