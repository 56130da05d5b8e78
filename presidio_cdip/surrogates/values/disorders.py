"""Keep a hereditary disorder of which the rest of a page tells, and draw what that leaves open.

A table of the entity's phrases of which a page tells one row (`Table.one`) lists the disorders with
their genes and changes. Where the page names the disorder or its gene beside the values, or has a
word that tells it, the value keeps it: a change becomes another, listed where the gene has enough,
and its zygosity and the words around stay. A value without a change stays as it is, unless it is a
result. Illnesses of the page are the disorders of its genetic findings.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.values.changes import (
    CHANGE,
    codon_of,
    is_of_gene,
    other_change,
    shortened,
    written_like,
)
from presidio_cdip.surrogates.values.phrases import shapes
from presidio_cdip.surrogates.values.slots import Column, Table
from presidio_cdip.surrogates.writing.text import folded

_ENTITY = "GENETIC_DATA"
_NAME = "condition"
_CHANGES = ("variant", "protein")
_CANCER = "cancer"  # the first kind of disorders whose illnesses have other names, of organs
_FAR = 90  # characters before a change in which its gene stands
_FEW = 3  # listed changes from which one is drawn
_ALONE = re.compile(r"[\s,;/()-]*(?:and[\s]*)?")  # between changes, where a value has nothing else


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
        rows = {row for _, _, row in table.named_in(value)}
        changes = list(_changes(value, table, _listed_changes(pack_of(options))))
        if not rows and changes:
            row = _before(context, table)
            if row in named:
                rows = {row}
            elif not _is_all(value, changes):
                return None
        elif not rows or not rows <= named:
            return None
        if changes and len(rows) > 1:
            return None
        if not changes and _RESULT.search(value):
            return None
        row = next(iter(rows), "")

        def write(draw: Draw) -> str:
            parts, at = [], 0
            for start, end in changes:
                parts += [value[at:start], _other_change(value[start:end], row, table, draw)]
                at = end
            return "".join([*parts, value[at:]])

        return Reading("disorder told", folded(value), write, may_stay=not changes)


def _is_all(value: str, changes: Sequence[tuple[int, int]]) -> bool:
    """Tell whether *value* has nothing but *changes*."""
    ends, starts = [0, *(end for _, end in changes)], [*(start for start, _ in changes), len(value)]
    between = (value[end:start] for end, start in zip(ends, starts, strict=True))
    return all(_ALONE.fullmatch(one) for one in between)


_RESULT = re.compile(
    r"(?i)\b(?:positive|negative|pos|neg|detected|found|tested|inconclusive|wild[- ]?type|normal|"
    r"mutated|mutant)\b|[+-]\Z"
)


@lru_cache(maxsize=8)
def _listed_changes(pack: Pack) -> frozenset[str]:
    """Return the folded changes of all rows of the table."""
    table = _disorders(pack)
    return frozenset(
        folded(one)
        for row in (table.rows if table else ())
        for column in _CHANGES
        for one in (table.cell(row, column) if table else ())
    )


def _changes(value: str, table: Table, own: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where *value* has a change of a gene: one of *own*, as the table lists, or another."""
    listed = ((start, end) for start, end, _ in table.named_in(value))
    found = {(start, end) for start, end in listed if folded(value[start:end]) in own}
    found |= {match.span() for match in CHANGE.finditer(value)}
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
    """Return another change of *row*, the same for all notations of one change of the page.

    Args:
        text: The change.
        row: That of the gene, which stays; empty if no gene does.
        table: The disorders.
        draw: Of the value.
    """
    if short := shortened(text):
        return written_like(text, _other_of_protein(short, row, table, draw))
    context, codon = context_of(draw.options), codon_of(text)
    if context and is_of_gene(text):
        for short in context.page.fact(_of_proteins):
            if codon_of(short) == codon:
                found = _other_of_protein(short, row, table, draw)
                return other_change(text, draw, codon_of(found))
    return _listed(text.removeprefix("c."), "variant", row, table, draw) or other_change(text, draw)


def _other_of_protein(short: str, row: str, table: Table, draw: Draw) -> str:
    """Return another change of the protein for *short*, as of `shortened`."""
    if row:
        found = _listed(short, "protein", row, table, draw)
    else:  # that of the gene that the page's gene becomes
        known = any(short in table.cell(one, "protein") for one in table.rows)
        found = shortened(surrogate_of_part(_ENTITY, short, draw)) if known else ""
    return found if found and _agrees(found, short, draw) else other_change(short, draw)


def _listed(own: str, column: str, row: str, table: Table, draw: Draw) -> str:
    """Return another change that *column* lists for *row*; empty if it has too few."""
    cell = table.cell(row, column) if row else ()
    listed = list(dict.fromkeys(shortened(one) or one for one in cell))
    others = frozenset(
        one for one in listed if codon_of(one) != codon_of(own) and _agrees(one, own, draw)
    )
    if own not in listed or len(others) < _FEW:
        return ""
    part = draw.part(f"{draw.entity} change of {row}", own)
    return part.exchanged(f"change of {row}", sorted(listed), own, others.__contains__) or ""


def _agrees(other: str, own: str, draw: Draw) -> bool:
    """Tell whether *other* loses an acid if *own* does, where the page has *own* in its gene."""
    context = context_of(draw.options)
    if context is None or codon_of(own) not in context.page.fact(_codons_in_gene):
        return True
    return ("del" in other) == ("del" in own)


def _of_proteins(page: Page) -> Sequence[str]:
    """Return the simple changes of proteins that genetic findings of *page* have."""
    return tuple(dict.fromkeys(filter(None, map(shortened, page.fact(_changes_of)))))


def _codons_in_gene(page: Page) -> frozenset[int]:
    """Return the places in the protein of the changes that *page* writes by place in the gene."""
    return frozenset(codon_of(one) for one in page.fact(_changes_of) if is_of_gene(one))


def _changes_of(page: Page) -> Sequence[str]:
    values = page.values(_ENTITY)
    return tuple(one.group() for value in values for one in CHANGE.finditer(value))


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
