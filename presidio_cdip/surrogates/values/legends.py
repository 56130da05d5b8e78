"""Read a code of a list by the legend of its page.

A legend is written ``F = for, A = against, D = doubtful``, ``1 White  2 Negro  3 Other`` or
``P Prot.  C Cath.  J Jew.``: without a sign, codes are numbers in order, or begin their words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading

_ENTRY = re.compile(
    r"(?<![\w./-])\(?(?P<code>[A-Z]{1,3}|\d{1,2})"
    r"(?: ?(?P<sign>[=:)]|(?<= )[-–—](?= )) ?| )"
    r"(?=(?P<word>[A-Z]?[a-z]+|[A-Z]{2,}))"
)
_APART_FROM = re.compile(r"(?:\A|\n|\s\s|[,;:(] ?|\w{3,}\. )\Z")  # before an entry without a sign
_LISTED = re.compile(r"[,;:(] ?\Z")  # before an entry that may have a small letter
_CODE = re.compile(r"[A-Z]{1,3}|\d{1,2}")
_FEWEST = 3  # codes of a legend without signs or label: of two words some begin so by chance
_PAIR = 2  # codes of which each would tell the other, so that one is drawn whatever the value is
_LABEL = re.compile(
    r"(?:\n|[.;] |\s\s)[ \t]*[^\W\d_][\w./' &-]{0,24}:\s*\Z"
)  # begins another legend
_APART = 80  # characters at most between two entries of one legend
_FIELDS = frozenset(english().labels["fields"])  # what a numbered item of a form asks

Legends = Mapping[str, Sequence[tuple[str, ...]]]


def _legends(page: Page) -> Legends:
    """Return by code the legends that explain it, each with its codes.

    A legend ends where a code comes again, a number is left out, or a label begins another. What is
    explained in another way is of another legend: ``F: for`` is of none of ``M = married``.
    """
    ways: dict[str, list[re.Match[str]]] = {}
    for one in _ENTRY.finditer(page.text):
        if way := _way(one):
            ways.setdefault(way, []).append(one)
    found: dict[str, list[tuple[str, ...]]] = {}
    for way, entries in ways.items():
        for group in _groups(entries):
            words = {one["word"].lower().rstrip("s") for one in group}
            fewest = _PAIR if _is_clear(way, group) else _FEWEST
            if len(group) >= fewest and len(words) == len(group) and not words & _FIELDS:
                codes = tuple(one["code"] for one in group)
                for code in codes:
                    found.setdefault(code, []).append(codes)
    return found


def _way(entry: re.Match[str]) -> str:
    """Return how the entry explains its code; empty if it does not."""
    code, sign = entry["code"], entry["sign"] or ""
    if sign:
        return f"number {sign}" if code.isdigit() else sign
    before, word = entry.string[: entry.start()][-8:], entry["word"]
    if not _APART_FROM.search(before):
        return ""
    if code.isdigit():
        return "" if word.islower() else "number"
    if word.isupper() or (word.islower() and not _LISTED.search(before)):
        return ""
    return "initial" if code[0] == word[0].upper() else ""


def _is_clear(way: str, entries: Sequence[re.Match[str]]) -> bool:
    """Tell whether two entries are enough for a legend: by their sign, or by the label before."""
    if way == "initial":
        first = entries[0]
        return bool(_LABEL.search(f"\n{first.string[: first.start()]}"[-30:]))
    return not way.startswith("number")


def _groups(entries: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the entries of each legend among those that explain in one way."""
    group: list[re.Match[str]] = []
    end = 0
    for one in entries:
        code = one["code"]
        follows = not code.isdigit() or not group or int(code) == int(group[-1]["code"]) + 1
        came = any(other["code"] == code for other in group)
        between = one.string[end : one.start()]
        if len(between) > _APART or came or not follows or _LABEL.search(between):
            if group:
                yield group
            group = []
        group.append(one)
        end = one.end()
    yield group


class LegendCode:
    """Read a code that a legend on the page explains; write another code of the legend."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a code; None for others, without a legend, and for kept answers."""
        context = context_of(options)
        if not _CODE.fullmatch(value) or context is None or options.get("answers") == "kept":
            return None
        page = context.page
        legends = page.fact(_legends).get(value)
        if not legends:
            return None

        def write(draw: Draw) -> str:
            # Of two legends with this code, the one that has more of the entity's other codes.
            used = set(page.values(draw.entity))
            codes = max(legends, key=lambda codes: len(used.intersection(codes)))
            return _other_code(value, codes, draw)

        # Other rows of the list have the other codes, which are no reason to pass one over.
        return Reading("code of a legend", value, write, may_stay=True)


class ListedCode:
    """Read a code of a list without a legend; write another code that the list has.

    Args:
        like: How such a code looks.
        entities: Those whose values are such codes; any, if None.
    """

    def __init__(self, like: str, entities: frozenset[str] | None = None) -> None:
        self._like, self._entities = re.compile(like), entities

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a code; None for others, and where the page has no other."""
        context = context_of(options)
        if not self._like.fullmatch(value) or context is None or options.get("answers") == "kept":
            return None
        page = context.page
        entity = next((one.entity for one in page.findings if one.start == context.start), "")
        if self._entities is not None and entity not in self._entities:
            return None
        alike = (one for one in page.values(entity) if self._like.fullmatch(one))
        codes = tuple(sorted({one for one in alike if one.isdigit() == value.isdigit()}))
        if value not in codes or len(codes) < _PAIR:
            return None
        return Reading(
            "code of a list", value, lambda draw: _other_code(value, codes, draw), may_stay=True
        )


def _other_code(value: str, codes: Sequence[str], draw: Draw) -> str:
    """Return another of *codes*. Of two return any: the other one would tell the original."""
    purpose = f"{draw.entity} code"
    if len(codes) == _PAIR:
        return draw.part(purpose, value).chance.choice(codes)
    return draw.exchanged(purpose, tuple(codes), value, lambda code: True) or value


# Of these no value is a number or an answer of one letter.
_OF_WORDS = frozenset({"ETHNIC_ORIGIN", "NATIONALITY", "RELIGION", "TRADE_UNION_MEMBERSHIP"})
FORMS: tuple[Form, ...] = (LegendCode(), ListedCode(r"[A-Z]|\d", _OF_WORDS))
LAST_FORMS: tuple[Form, ...] = (ListedCode(r"[A-Z]"),)
