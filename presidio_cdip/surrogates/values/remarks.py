"""Find phrases for remarks that no list has: those of a subject, in the remark's syntax.

``operators/gazetteers/ENTITY_remarks.tsv`` has a subject a row (wounds, meals, leave): the words
that tell it, the heads of its noun phrases, an expression for its pages, and phrases by syntax.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Says
from presidio_cdip.surrogates.drawing.lists import FOLDER, rows
from presidio_cdip.surrogates.values.classes import PhraseClass, classifier
from presidio_cdip.surrogates.writing.text import folded

_COLUMN = {
    "N": "noun", "M": "noun", "K": "noun", "P": "plural", "D": "participle", "V": "past",
    "Z": "present", "G": "ing", "B": "base", "A": "adjective", "C": "clause", "R": "phrase",
    "Q": "phrase",
}  # fmt: skip
_NOUNS = frozenset({"noun", "plural"})
# Columns whose phrases can stand where those of another do, if that has too few.
_ELSE = {"noun": "plural", "plural": "noun", "past": "participle", "phrase": "adjective"}
_FEWEST = 4  # phrases from which one is drawn
_LONGEST = 3  # words of a term that tells a row
_MOST = 7  # words of a remark of which one tells its subject
_ALONE = 2  # words of a clause: a subject and what is said of it
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BEHIND_HEAD = re.compile(rf"(?i)\s(?:{'|'.join(english().records['behind_heads'])})\b.*|[,;(].*")


@dataclass(frozen=True)
class _Row:
    """A subject of remarks.

    Attributes:
        words: The terms that tell it.
        stems: The beginnings of words that do.
        heads: The heads of noun phrases that are of it.
        page: Matches on its pages, if they are not all.
        phrases: By column its phrases.
    """

    words: frozenset[str]
    stems: tuple[str, ...]
    heads: frozenset[str]
    page: re.Pattern[str] | None
    phrases: Mapping[str, tuple[str, ...]] = field(hash=False)

    def count(self, words: Sequence[str]) -> int:
        """Return how many of *words* are in terms that tell the row."""
        found = {
            at
            for size in range(1, _LONGEST + 1)
            for start in range(len(words) - size + 1)
            if " ".join(words[start : start + size]) in self.words
            for at in range(start, start + size)
        }
        return len(found | {at for at, one in enumerate(words) if one.startswith(self.stems)})


@dataclass(frozen=True)
class Remarks:
    """The subjects of remarks of an entity.

    Attributes:
        rows: In the order in which equals are tried.
        pack: The pack in use.
    """

    rows: tuple[_Row, ...]
    pack: Pack

    @cached_property
    def _ends(self) -> frozenset[str]:
        """Return the words that end a clause: "edges ⟦clean⟧"."""
        clauses = (one for row in self.rows for one in row.phrases["clause"])
        return frozenset(one.split()[-1] for one in clauses)

    @cached_property
    def _begins(self) -> frozenset[str]:
        """Return the words that begin a phrase with a preposition."""
        listed = (one for row in self.rows for one in row.phrases["phrase"])
        return frozenset(one.split()[0] for one in listed)

    def of(self, value: str, found: PhraseClass, context: Context | None) -> tuple[str, ...]:
        """Return the phrases of the subject and syntax of *value*; none if no word tells one.

        Args:
            value: The remark.
            found: The class that the classifier gives it, whose syntax is mostly right.
            context: Where it stands.
        """
        words = [one.casefold() for one in _WORD.findall(folded(value))]
        if not words or found.negative:
            return ()
        column = self._column(value, words, found)
        counted = [(row.count(words), row) for row in self.rows if self._is_there(row, context)]
        told = [(count, row) for count, row in counted if count and _MOST * count >= len(words)]
        if column in _NOUNS:
            head = (_WORD.findall(folded(_BEHIND_HEAD.sub("", value))) or words)[-1].casefold()
            told = [(count, row) for count, row in told if head in row.heads]
        if not told:
            return ()
        _, best = max(told, key=lambda one: (one[0], one[1].page is not None))
        phrases = best.phrases.get(column, ())
        if len(phrases) < _FEWEST:
            phrases += best.phrases.get(_ELSE.get(column, ""), ())
        return phrases if len(phrases) >= _FEWEST else ()

    def _is_there(self, row: _Row, context: Context | None) -> bool:
        return row.page is None or (context is not None and context.page.fact(Says(row.page)))

    def _column(self, value: str, words: Sequence[str], found: PhraseClass) -> str:
        """Return the column of *value*: of its form, else of the syntax of its class."""
        if words[0] in self._begins:
            return "phrase"
        column = _COLUMN.get(found.syntax, "")
        if len(words) < _ALONE or column in ("clause", "ing", "base"):
            return column
        subject, said = value.rsplit(None, 1)[0], words[-1]
        syntax = classifier(self.pack).syntax
        if syntax(subject) in "NMP" and (said in self._ends or syntax(said) == "D"):
            return "clause"
        return column


@lru_cache(maxsize=8)
def remarks(entity: str, pack: Pack) -> Remarks | None:
    """Return the subjects of remarks of *entity*; None if the pack lists none.

    Raises:
        PackError: The table is invalid.
    """
    name = f"{entity.lower()}_remarks"
    if not pack.file(f"{FOLDER}/{name}.tsv"):
        return None
    columns = dict.fromkeys(_COLUMN.values())
    found = []
    for row in rows(name, pack):
        terms = [one for one in row["words"].split("|") if one]
        try:
            page = re.compile(row["page"], re.IGNORECASE) if row["page"] else None
        except re.error as error:
            raise PackError(f"{name}.tsv", f"row {row['kind']!r}: bad `page`: {error}") from None
        found.append(
            _Row(
                frozenset(one for one in terms if not one.endswith("*")),
                tuple(one[:-1] for one in terms if one.endswith("*")),
                frozenset(row["heads"].split("|")) - {""},
                page,
                {one: tuple(filter(None, row[one].split("|"))) for one in columns},
            )
        )
    return Remarks(tuple(found), pack)
