"""Read a code of a list by the legend of its page.

A legend is written ``F = for, A = against, D = doubtful``, ``1 White  2 Negro  3 Other`` or
``P Prot.  C Cath.  J Jew.``: without a sign, codes are numbers in order, or begin their words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading

_ENTRY = re.compile(
    r"(?<![\w./-])\(?(?P<code>[A-Z]{1,3}|\d{1,2})"
    r"(?: ?(?P<sign>[=:)]|(?<=\d)\.|(?<= )[-–—](?= )) ?| )"
    r"(?=(?P<word>[a-z]|[A-Z][a-z]))"
)
_CODE = re.compile(r"[A-Z]{1,3}|\d{1,2}")
_FEWEST = 3  # codes of a legend: of two, each would tell the other
_APART = 80  # characters at most between two entries of one legend


def _legends(page: Page) -> Mapping[str, tuple[str, ...]]:
    """Return by code the codes of the legends that explain it.

    A legend ends where a code comes again or a number is left out. What is explained in another way
    is of another legend: ``F: for`` is of none of ``M = married``.
    """
    ways: dict[str, list[re.Match[str]]] = {}
    for one in _ENTRY.finditer(page.text):
        if way := _way(one):
            ways.setdefault(way, []).append(one)
    found: dict[str, tuple[str, ...]] = {}
    for group in (group for entries in ways.values() for group in _groups(entries)):
        if len(group) >= _FEWEST:
            found.update((code, _shared(found.get(code), group)) for code in group)
    return found


def _way(entry: re.Match[str]) -> str:
    """Return how the entry explains its code; empty if it does not."""
    code, sign = entry["code"], entry["sign"] or ""
    if code.isdigit():
        return f"number {sign}"
    if sign:
        return sign if sign in "=:-–—" else ""
    return "initial" if code[0] == entry["word"][0].upper() else ""


def _groups(entries: Sequence[re.Match[str]]) -> Iterator[list[str]]:
    """Yield the codes of each legend among entries that explain in one way."""
    group: list[str] = []
    end = 0
    for one in entries:
        code = one["code"]
        follows = not code.isdigit() or not group or int(code) == int(group[-1]) + 1
        if one.start() - end > _APART or code in group or not follows:
            yield group
            group = []
        group.append(code)
        end = one.end()
    yield group


def _shared(known: tuple[str, ...] | None, codes: Sequence[str]) -> tuple[str, ...]:
    """Return the codes of all legends that have a code, if they share enough."""
    both = tuple(code for code in codes if known is None or code in known)
    return both if len(both) >= _FEWEST else tuple(codes)


class LegendCode:
    """Read a code that a legend on the page explains; write another code of the legend."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a code; None for others, without a legend, and for kept answers."""
        context = context_of(options)
        if not _CODE.fullmatch(value) or context is None or options.get("answers") == "kept":
            return None
        codes = context.page.fact(_legends).get(value)
        if codes is None:
            return None

        def write(draw: Draw) -> str:
            return draw.part(f"{draw.entity} code", value).choice(codes, but=value)

        # Other rows of the list have the other codes, which are no reason to pass one over.
        return Reading("code of a legend", value, write, may_stay=True)


FORMS: tuple[Form, ...] = (LegendCode(),)
