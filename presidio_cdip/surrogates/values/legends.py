"""Read a code of a list by the legend of its page, or by the other codes of the list."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.recognition.coded import coded
from presidio_cdip.recognition.legends import Explanations, explanations, fields_with_legend
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of, keeps_answers
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.drawing.table import read_closely
from presidio_cdip.surrogates.values.setting import marks_of
from presidio_cdip.surrogates.values.sex import sex_of_row

_CODE = re.compile(r"[A-Z]{1,3}|\d{1,2}")
_CHOICES = re.compile(  # codes in brackets, or behind a colon to the end of the line
    r"[(\[:] ?(?P<codes>[A-Z]{1,2}(?:(?: ?[,/|] ?(?:or )?| or | )[A-Z]{1,2}){2,})(?= ?[)\]\n]|\s\s)"
)
_BEFORE_MEANING = re.compile(r"(?<!\w)([A-Z]|\d{1,2})[ ]?[=:)-]?[ ]{0,2}\Z")
_PAIR = 2  # codes of which each would tell the other, so that one is drawn whatever the value is


def _explained(page: Page) -> Explanations:
    return explanations(page.text)


def _printed(page: Page) -> Sequence[tuple[str, ...]]:
    """Return the codes that the page prints beside one another: "Religion (P, C, J or O)"."""
    found = (re.split(r"\W+(?:or\W+)?", one["codes"]) for one in _CHOICES.finditer(page.text))
    return [tuple(codes) for codes in found if len(set(codes)) == len(codes)]


def _used(page: Page) -> Mapping[str, frozenset[str]]:
    """Return the codes of the page by entity."""
    return {
        entity: frozenset(one for one in page.values(entity) if _CODE.fullmatch(one))
        for entity in {one.entity for one in page.findings}
    }


def _entity_at(page: Page, start: int) -> str:
    return next((one.entity for one in page.findings if one.start == start), "")


def _of_entity(codes: Sequence[str], entity: str, page: Page) -> bool:
    """Tell whether no other entity has more of *codes* on the page."""
    counts = {one: len(used.intersection(codes)) for one, used in page.fact(_used).items()}
    return counts.get(entity, 0) >= max(counts.values(), default=0)


def _of_columns(page: Page) -> Mapping[int, tuple[str, ...]]:
    """Return by the start of a cell the codes that the legend of its column explains."""
    found: dict[int, tuple[str, ...]] = {}
    for legend in coded(page.text):
        codes = tuple(entry.code for entry in legend)
        found |= {start: codes for entry in legend for start, _ in entry.cells}
    return found


def _of_fields(page: Page) -> Mapping[int, tuple[str, ...]]:
    """Return by the start of a field's code the codes of the legend behind it."""
    found: dict[int, tuple[str, ...]] = {}
    for field in fields_with_legend(page.text):
        before = (_BEFORE_MEANING.search(page.text[:start]) for start, _ in field.meanings)
        found[field.code[0]] = tuple(one[1] for one in before if one)
    return found


class LegendCode:
    """Read a code that a legend on the page explains; write another code of the legend."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a code; None for others, without a legend, and for kept answers."""
        context = context_of(options)
        if not _CODE.fullmatch(value) or context is None or keeps_answers(options):
            return None
        page = context.page
        own = page.fact(_of_columns).get(context.start) or page.fact(_of_fields).get(context.start)
        entity = _entity_at(page, context.start)
        explained = page.fact(_explained).get(value, ())
        if not (own and value in own):
            explained = explained or [one for one in page.fact(_printed) if value in one]
            own = None
        legends = [one for one in explained if _of_entity(one, entity, page)]
        legends += [own] if own else []
        if not legends:
            return None

        def write(draw: Draw) -> str:
            # Of two legends with this code, the one that has more of the entity's other codes and
            # fewer others: a column's may go on with that of the next.
            used = set(page.values(draw.entity))
            codes = max(legends, key=lambda codes: (len(used.intersection(codes)), -len(codes)))
            return _other_code(value, codes, draw, context)

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
        if not self._like.fullmatch(value) or context is None or keeps_answers(options):
            return None
        page = context.page
        entity = _entity_at(page, context.start)
        if self._entities is not None and entity not in self._entities:
            return None
        alike = (one for one in page.values(entity) if self._like.fullmatch(one))
        codes = tuple(sorted({one for one in alike if one.isdigit() == value.isdigit()}))
        if value not in codes or len(codes) < _PAIR:
            return None
        if len(codes) == _PAIR and entity == _RACE and _has_others(value, entity, options):
            return None  # a table has more of such codes
        codes = _unlike(value, codes, entity, options)
        return Reading(
            "code of a list", value, lambda draw: _other_code(value, codes, draw), may_stay=True
        )


def _has_others(value: str, entity: str, options: Mapping[str, Any]) -> bool:
    """Tell whether a code alone is read as one of several, none of which is drawn for itself."""
    alone = {name: one for name, one in options.items() if name != "context"}
    reading = read_closely(entity, value, alone)
    return reading is not None and not reading.may_stay


def _unlike(
    value: str, codes: Sequence[str], entity: str, options: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return *codes* without those that stand for what *value* does: N and B, of one race."""
    alone = {name: one for name, one in options.items() if name != "context"}
    normals = {
        code: reading.normal
        for code in codes
        if (reading := read_closely(entity, code, alone)) is not None
    }
    own = normals.get(value)
    found = tuple(one for one in codes if one == value or own is None or normals.get(one) != own)
    return found if len(found) >= _PAIR else tuple(codes)


def _other_code(
    value: str, codes: Sequence[str], draw: Draw, context: Context | None = None
) -> str:
    """Return another of *codes*. Of two return any: the other one would tell the original.

    Args:
        value: The code.
        codes: Those of its legend or list, with it.
        draw: Of the value.
        context: Where the value stands in the page with the legend: no man gets what it explains as
            a woman's.
    """
    purpose = f"{draw.entity} code"
    sex = sex_of_row(context, draw) if context else ""
    fits = [one for one in codes if not sex or _sex_of_code(one, codes, draw, context) in ("", sex)]
    if len(codes) == _PAIR:
        return draw.part(purpose, value).chance.choice(fits or codes)
    return draw.exchanged(purpose, tuple(codes), value, fits.__contains__) or value


def _sex_of_code(code: str, codes: Sequence[str], draw: Draw, context: Context | None) -> str:
    """Return ``m`` or ``f`` if the page explains *code* as what only one sex is."""
    pack, page = pack_of(draw.options), context.page if context else None
    meanings = page.fact(_Meanings(tuple(codes))) if page else {}
    if meanings.get(code) == _GAY and _LESBIAN in meanings.values():
        return "m"
    found = dict(marks_of(meanings.get(code, ""), pack).tags).get("sex", frozenset())
    return next(iter(found)) if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Meanings:
    """Find the first word behind each of the codes of a legend: a fact of `Page.fact`.

    What a sign explains, "S = spinster", counts before a word behind a blank, which may be the next
    cell of a row, and of these one in small letters before others.
    """

    codes: tuple[str, ...]

    def __call__(self, page: Page) -> Mapping[str, str]:
        explained = re.compile(
            rf"(?<![\w./-])(?P<code>{'|'.join(map(re.escape, self.codes))})"
            r"(?:(?P<sign>[ ]?[=:)–-][ ]?)|[ ]{1,3})(?P<word>[A-Za-z][a-z]{2,})"
        )
        found = sorted(
            explained.finditer(page.text),
            key=lambda one: (not one["sign"], not one["word"].islower()),
        )
        return {one["code"]: one["word"].casefold() for one in reversed(found)}


_RACE = "ETHNIC_ORIGIN"
_GAY, _LESBIAN = "gay", "lesbian"  # beside the other one, the first is a man
# Of these no value is a number or an answer of one letter.
_OF_WORDS = frozenset({"ETHNIC_ORIGIN", "NATIONALITY", "RELIGION", "TRADE_UNION_MEMBERSHIP"})
_OF_STATES = frozenset({"MARITAL_STATUS", "POLITICAL_OPINION"})  # which are no numbers, too
FORMS: tuple[Form, ...] = (
    LegendCode(),
    ListedCode(r"[A-Z]|\d", _OF_WORDS),
    ListedCode(r"[A-MO-XZ]", _OF_STATES),
    ListedCode(r"[A-Z][a-z]", frozenset({"NATIONALITY"})),  # "Na" and "Al" of a census
    ListedCode(r"[A-Z][a-z]{2,4}\.", frozenset({"POLITICAL_OPINION"})),  # "Dem.", "Rep."
    ListedCode(r"(?:Pos|Neg|POS|NEG|pos|neg|R|NR)\.?", frozenset({"HEALTH"})),  # of a column
)
LAST_FORMS: tuple[Form, ...] = (ListedCode(r"[A-Z]"),)
