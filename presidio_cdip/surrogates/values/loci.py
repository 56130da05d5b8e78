"""Replace the alleles of loci, so that those whom a page compares go on to share what they shared.

``operators/gazetteers/loci.tsv`` lists loci with their usual alleles. The locus stands in the
value, before it on its line, or above it as the heading of its column. Within a scope each allele
of a locus becomes another of this locus, wherever it stands.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.writing.text import folded

_TABLE = "loci"
_ALLELE = r"\d{1,2}(?:\.\d)?"
_PAIR = rf"{_ALLELE}(?:\s*[,/;-]\s*{_ALLELE}|\s{{1,2}}{_ALLELE})?"
_ALLELES = re.compile(_ALLELE)
_ALONE = re.compile(rf"\(?{_PAIR}\)?")
_LINK = r"[\s:=(]{1,3}"
_BETWEEN = r"[\s:;,.|)]{0,4}"
_ROW = 240  # characters of a line before a value in which its locus stands
_FAR = 4000  # characters above a value in which the heading of its column stands
_LEAN = 4  # characters by which a heading may stand beside its column


@lru_cache(maxsize=8)
def _loci(pack: Pack) -> tuple[Mapping[str, tuple[str, Sequence[str]]], re.Pattern[str]]:
    """Return each locus with its alleles by folded name, and an expression for a name."""
    found = {
        folded(name): (row["names"].split("|")[0], tuple(row["alleles"].split("|")))
        for row in rows(_TABLE, pack)
        for name in row["names"].split("|")
    }
    names = tuple(name for row in rows(_TABLE, pack) for name in row["names"].split("|"))
    return found, re.compile(rf"(?<![\w-])(?:{alternation(names)})(?![\w])")


@lru_cache(maxsize=8)
def _profile(pack: Pack) -> re.Pattern[str]:
    """Return an expression for loci with their alleles, one or more."""
    name = _loci(pack)[1].pattern
    return re.compile(rf"(?:{name}{_LINK}{_PAIR}{_BETWEEN})+")


class _Alleles:
    """Read one or two alleles of a locus, or loci with their alleles."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        if not value[-1:].isdigit() and value[-1:] not in ").;,":
            return None
        pack, context = pack_of(options), context_of(options)
        loci, named = _loci(pack)
        spans: list[tuple[int, int, str]] = []
        if _profile(pack).fullmatch(value):
            names = list(named.finditer(value))
            ends = [*(one.start() for one in names[1:]), len(value)]
            spans = [
                (one.end(), end, folded(one.group())) for one, end in zip(names, ends, strict=True)
            ]
        elif context and _ALONE.fullmatch(value):
            name = _of_row(context, named) or _of_column(context, named)
            spans = [(0, len(value), folded(name))] if name else []
        if not spans:
            return None

        def write(draw: Draw) -> str:
            parts, at = [], 0
            for start, end, name in spans:
                parts += [value[at:start], _others(value[start:end], *loci[name], draw)]
                at = end
            return "".join([*parts, value[at:]])

        return Reading("alleles", folded(value), write)


def _others(text: str, locus: str, alleles: Sequence[str], draw: Draw) -> str:
    """Return *text* with other alleles of *locus*, the one with fewer repeats first as it was."""
    own = _ALLELES.findall(text)
    new = [_other(one, locus, alleles, draw) for one in own]
    if own == sorted(own, key=float):
        new.sort(key=float)
    drawn = iter(new)
    return _ALLELES.sub(lambda match: next(drawn), text)


def _other(allele: str, locus: str, alleles: Sequence[str], draw: Draw) -> str:
    """Return what *allele* becomes in the scope; a rare one becomes a usual one."""
    if allele not in alleles:
        return draw.part(f"{draw.entity} {locus}", allele).chance.choice(alleles)
    cycle = draw.keyring.cycle(f"{draw.entity} {locus}", len(alleles), 0)
    return alleles[cycle[alleles.index(allele)]]


def _of_row(context: Context, named: re.Pattern[str]) -> str:
    """Return the last locus before the value on its line."""
    text = context.page.text
    line = text[max(0, context.start - _ROW) : context.start].rpartition("\n")[2]
    found = named.findall(line)
    return found[-1] if found else ""


def _of_column(context: Context, named: re.Pattern[str]) -> str:
    """Return the locus that heads the column of the value, in the nearest line with two loci."""
    text = context.page.text[max(0, context.start - _FAR) : context.start]
    above, _, line = text.rpartition("\n")
    for heading in reversed(above.split("\n")):
        found = list(named.finditer(heading))
        if len(found) > 1:
            start, end = len(line) - _LEAN, len(line) + context.end - context.start + _LEAN
            near = [one for one in found if one.start() < end and one.end() > start]
            return min(near, key=lambda one: abs(one.start() - len(line))).group() if near else ""
    return ""


FORMS: tuple[Form, ...] = (_Alleles(),)
