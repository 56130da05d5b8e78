"""Keep a hereditary disorder of which the rest of a page tells, and draw what that leaves open.

A table of the entity's phrases of which a page tells one row (`Table.one`) lists the disorders with
their genes and changes. Where the page names the disorder or its gene beside the values, or has a
word that tells it, the value keeps it: a change becomes another of the same gene, and a result
another one. Illnesses of the page are the disorders of its genetic findings.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.values.changes import other_change
from presidio_cdip.surrogates.values.phrases import shapes
from presidio_cdip.surrogates.values.slots import Column, Table
from presidio_cdip.surrogates.writing.text import folded

_ENTITY = "GENETIC_DATA"
_NAME = "condition"
_CHANGES = ("variant", "protein")
_CANCER = "cancer"  # the first kind of disorders whose illnesses have other names, of organs
_FAR = 90  # characters before a change in which its gene stands
# How changes are written, of genes or of proteins
_PROTEIN = r"(?:p\.)?(?:[A-Z]\d{2,4}[A-Z](?![a-z0-9])|[A-Z][a-z]{2}\d{1,4}(?:[A-Z][a-z]{2}|\*))"
_CHANGE = re.compile(
    r"(?<![\w.])(?:[cpmgn]\.\(?[\w+*>_-]*\d[\w+*>_-]*\)?|[ΔΔ]F508|F508del|delta ?F508|"
    rf"{_PROTEIN}|(?:IVS)?\d[\d_+*-]*"
    r"(?:(?:del|ins|dup)[\dACGT]*|[ACGT]>[ACGT])|\d{2,5}[ACGT]>[ACGT])(?!\w)"
)


@lru_cache(maxsize=8)
def _disorders(pack: Pack) -> Table | None:
    """Return the table of the entity of which a page tells one row."""
    slots = (slot for shape in shapes(_ENTITY, pack) for _, slot in shape.slots)
    tables = (slot.table for slot in slots if isinstance(slot, Column))
    return next((one for one in tables if one.one), None)


class _OfGene:
    """Read a value of a disorder that the page names beside it, or a change of a gene there."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context, table = context_of(options), _disorders(pack_of(options))
        if context is None or table is None:
            return None
        named = table.tell_same(context.page).named
        if not named:
            return None
        rows = {row for _, _, row in table.named_in(value)}
        if not rows <= named:
            return None
        changes = list(_changes(value, table))
        if not rows:
            if not changes or not (row := _before(context, table)) or row not in named:
                return None
            rows = {row}
        if len(rows) > 1 and changes:
            return None
        row = next(iter(rows))
        other = [one for column in _CHANGES for one in table.cell(row, column)]
        if changes and len(other) < 2:
            return None
        if not changes and _RESULT.search(value):
            return None

        def write(draw: Draw) -> str:
            parts, at = [], 0
            for start, end in changes:
                parts += [value[at:start], _other_change(value[start:end], row, table, draw)]
                at = end
            return "".join([*parts, value[at:]])

        return Reading("disorder told", folded(value), write, may_stay=not changes)


_RESULT = re.compile(
    r"(?i)\b(?:positive|negative|pos|neg|detected|found|tested|inconclusive|wild[- ]?type|normal|"
    r"mutated|mutant)\b|[+-]\Z"
)


def _changes(value: str, table: Table) -> Iterator[tuple[int, int]]:
    """Yield where *value* has a change of a gene, listed or not."""
    own = {
        folded(one) for row in table.rows for column in _CHANGES for one in table.cell(row, column)
    }
    listed = ((start, end) for start, end, _ in table.named_in(value))
    found = {(start, end) for start, end in listed if folded(value[start:end]) in own}
    found |= {match.span() for match in _CHANGE.finditer(value)}
    at = 0
    for start, end in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= at:
            yield start, end
            at = end


def _before(context: Context, table: Table) -> str:
    """Return the row that is named last before a value, at most a line away."""
    text = context.page.text[max(0, context.start - _FAR) : context.start]
    rows = [row for _, _, row in table.named_in(text)]
    return rows[-1] if rows else ""


def _other_change(text: str, row: str, table: Table, draw: Draw) -> str:
    """Return another change of *row*, of the protein if *text* is one and others are known."""
    if text[1:2] == "." or (text[:1].isupper() and text[1:3].islower()):
        return other_change(text, draw)
    protein = re.match(rf"(?:{_PROTEIN}|[ΔΔ]F|F508|delta)", text) is not None
    order = reversed(_CHANGES) if protein else iter(_CHANGES)
    place = re.findall(r"\d+", text)  # the same in "F508del" and "delta F508"
    pools = [
        [one for one in table.cell(row, each) if re.findall(r"\d+", one) != place] for each in order
    ]
    pool = next((one for one in pools if len(one) > 1), pools[0] + pools[1])
    part = draw.part(f"{draw.entity} change of {row}", folded(text))
    if text in (whole := [*pool, text]) and (
        found := part.exchanged(f"change of {row}", sorted(whole), text, lambda one: one != text)
    ):
        return found
    return part.chance.choice(pool)


class _Illness:
    """Read an illness that the page's genetic findings name as a disorder: it goes with them."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context, table = context_of(options), _disorders(pack_of(options))
        if context is None or table is None or _ENTITY not in _entities(context.page):
            return None
        rows = [row for start, end, row in table.named_in(value) if (start, end) == (0, len(value))]
        if not rows or table.kinds.get(rows[0], ("",))[0] == _CANCER:
            return None
        row = rows[0]
        if row not in context.page.fact(_rows_found(pack_of(options))):
            return None
        if row in table.tell_same(context.page).named:
            return Reading("disorder told", folded(value), lambda draw: value, may_stay=True)
        return Reading(
            "disorder", folded(value), lambda draw: surrogate_of_part(_ENTITY, value, draw)
        )


def _entities(page: Page) -> frozenset[str]:
    return page.fact(_entities_of)


def _entities_of(page: Page) -> frozenset[str]:
    return frozenset(one.entity for one in page.findings)


@lru_cache(maxsize=8)
def _rows_found(pack: Pack) -> Any:
    """Return a fact of `Page.fact`: the rows that genetic findings of a page name."""

    def rows(page: Page) -> frozenset[str]:
        if (table := _disorders(pack)) is None:
            return frozenset()
        return frozenset(row for one in page.values(_ENTITY) for _, _, row in table.named_in(one))

    return rows


FORMS: tuple[Form, ...] = (_OfGene(),)
HEALTH_FORMS: tuple[Form, ...] = (_Illness(),)
