"""Read forms that are data: phrases and answers in ``operators/phrases/``.

``operators/README.md`` describes the format of these files.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import check_language
from presidio_cdip.pack.pack import Pack, load
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.drawing.context import (
    Context,
    Says,
    context_of,
    keeps_answers,
    within,
)
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.values.classes import negates
from presidio_cdip.surrogates.values.examined import examined
from presidio_cdip.surrogates.values.frames import FIRST, Frames, frames
from presidio_cdip.surrogates.values.frames import FOLDER as FRAMES
from presidio_cdip.surrogates.values.likes import FOLDER as LIKE
from presidio_cdip.surrogates.values.likes import behind, likes, stands_after
from presidio_cdip.surrogates.values.meanings import meaning_of, says_the_same
from presidio_cdip.surrogates.values.misread import Misread
from presidio_cdip.surrogates.values.names import families_at
from presidio_cdip.surrogates.values.pairing import goes_together
from presidio_cdip.surrogates.values.setting import (
    FITS,
    Marks,
    Treated,
    courses_of_marks,
    fitting,
    is_treated,
    marks_of_row,
)
from presidio_cdip.surrogates.values.slots import (
    BUILT_IN,
    READ_ONLY,
    AnySlot,
    Column,
    ListSlot,
    NumberSlot,
    Slot,
    Table,
    heads,
    too_near,
    words_of,
    written_of,
)
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.articles import with_inner_articles, with_own_article
from presidio_cdip.surrogates.writing.grammar import negated, parted, reads_on
from presidio_cdip.surrogates.writing.text import (
    calmed,
    cased_like,
    cased_there,
    folded,
    repaired,
)

_SLOT = re.compile(r"\{([a-z_]+)(?:\.([a-z_]+))?(?::([0-9.]+)-([0-9.]+))?\}")
_KEYS = {"entity", "what", "language", "lists", "tables", "shapes", "cases", "examined"}
_EXAMINED_KEYS = ("places", "findings", "others")
_SHAPE_KEYS = {"name", "when", "before", "after", "page", "write", "answer", "numbers",
               "either", "repeats"}  # fmt: skip
_LISTED_KEYS = {"list", "agree", "independent", "usual", "one"}
_TABLE_KEYS = {"columns", "rows", "agree", "independent", "usual", "near"}
_ENTITY = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_LONG_BLANKS = re.compile(r"[^\S\n]{4,}|(?:[^\S\n]*\n){3,}[^\S\n]*")
_KIND = "kind"  # the column of a table with the kinds of its rows
_NAMES = "noun"  # the column with the names of illnesses
_PURPOSE = "purpose"  # the column with their courses, if their words do not tell them
_TELLS = "tells"  # the column with the words that tell a row where they stay on a page
_ATTEMPTS = 24  # draws for a surrogate that keeps the value's polarity
_LONG_TABLE = 100  # rows of a table whose terms a damaged value may be
# A name of several words, which stands where another did: "Charter Reform League"
_NAMES_BODY = re.compile(r"[A-Z][\w.'’-]*(?:,? (?:and |of |for |the |& )*[A-Z][\w.'’-]*)+")
_LANGUAGE = "language/"  # begins the name of a list of words of the file's language
_LONGEST = 256  # characters; the shapes' expressions are too slow on longer values
FOLDER = "operators/phrases"
SHARED = "shared.yaml"


@dataclass(frozen=True)
class Shape:
    """Read values of one grammatical shape, and write others of the same shape.

    Attributes:
        name: The name of the form.
        when: The expression that the whole value must match, with its slots as numbered groups; if
            None, the shape reads any value. It is compiled by the first value that needs it.
        slots: The slots of *when*, in order.
        templates: Texts with slots, one of which is written. Without any, the value is written with
            its slots replaced.
        inside: The slots of the templates, by name.
        answer: Whether the policy's ``answers: kept`` leaves the value unchanged.
        numbers: Whether all numbers in the value are replaced and its words stay.
        before: Matches the text that ends right before the value, if given.
        after: Matches the text that begins right after it, if given.
        page: Matches a text anywhere on the page, if given.
        either: Whether its surrogates may negate where the value does not, and the reverse.
        repeats: Whether it reads only behind another value of the entity on the page.
    """

    name: str
    when: str | None
    slots: tuple[tuple[str, Slot], ...] = ()
    templates: tuple[str, ...] = ()
    inside: Mapping[str, Slot] = field(default_factory=dict)
    answer: bool = False
    numbers: bool = False
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    page: re.Pattern[str] | None = None
    either: bool = False
    repeats: bool = False

    @cached_property
    def asks_around(self) -> bool:
        """Tell whether it reads only values that stand on a page."""
        return bool(self.before or self.after or self.page or self.repeats)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the expression of a shape that has one."""
        return re.compile(self.when or "", re.IGNORECASE)

    @cached_property
    def leads(self) -> bool:
        """Tell whether a template begins with auxiliary verbs."""
        slots = (_SLOT.match(one) for one in self.templates)
        first = [self.inside[slot.group()[1:-1]] for slot in slots if slot]
        listed = [term for slot in first if isinstance(slot, ListSlot) for term in slot.terms]
        return any(parted(one)[0] for one in (*self.templates, *listed))

    @cached_property
    def draws_own(self) -> bool:
        """Tell whether the original's row of a table may be drawn, so that its words come again."""
        return any(isinstance(slot, Column) and slot.may_stay for _, slot in self.slots)

    @cached_property
    def constant(self) -> frozenset[str]:
        """Return the words that its templates write themselves."""
        return words_of(_SLOT.sub(" ", " ".join(self.templates)))

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of *value*, or None if it has another shape."""
        return self.read_repaired(value, repaired(value), options)

    def read_repaired(self, value: str, clean: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the same as `read`; *clean* is *value* with OCR errors repaired."""
        if self.asks_around and not self._stands_there(context_of(options)):
            return None
        match = self.pattern.fullmatch(clean) if self.when else None
        if self.when and not match:
            return None
        if self.answer and keeps_answers(options):
            return Reading(f"phrase {self.name}", folded(value), lambda draw: value, may_stay=True)
        if self.numbers:
            return self._numbers(clean)
        captured = [
            (name, slot, match.span(f"s{index}"))
            for index, (name, slot) in enumerate(self.slots)
            if match and match.group(f"s{index}") is not None
        ]
        kinds = [slot.kind(clean[slice(*span)]) for _, slot, span in captured]
        form = " ".join(["phrase", self.name, *(kind for kind in kinds if kind)])
        if self.templates:
            return Reading(
                form,
                folded(value),
                lambda draw: self._from_template(clean, captured, draw),
                may_stay=self.answer,
                may_contain=self.draws_own,
            )
        if not captured:
            return None  # nothing to replace: another shape must write
        normal = " ".join(slot.normal(clean[slice(*span)]) for _, slot, span in captured)
        return Reading(
            form,
            normal,
            lambda draw: _in_place(clean, captured, draw),
            may_stay=all(slot.may_stay for _, slot, _ in captured),
        )

    def _stands_there(self, context: Context | None) -> bool:
        """Tell whether the text around the value is as the shape demands."""
        return (
            context is not None
            and (self.before is None or self.before.search(context.before) is not None)
            and (self.after is None or self.after.match(context.after) is not None)
            and (self.page is None or context.page.fact(Says(self.page)))
            and not (self.repeats and context.is_first)
        )

    def examples(self, draw: Draw) -> Iterator[str]:
        """Yield a text from each template, with its slots drawn."""
        for template in self.templates:
            yield _SLOT.sub(lambda match: self.inside[match.group()[1:-1]].fresh(draw), template)

    def _from_template(
        self, value: str, captured: Sequence[tuple[str, Slot, tuple[int, int]]], draw: Draw
    ) -> str:
        known = {name: (slot, value[slice(*span)]) for name, slot, span in captured}

        def fill(match: "re.Match[str]") -> str:
            name = match.group()[1:-1]
            if name in known:
                slot, text = known[name]
                return slot.redraw(text, draw)
            return self.inside[name].fresh(draw)

        own, templates = folded(value), fitting(self._keeping(known), draw)
        for _ in range(20):
            written = _SLOT.sub(fill, draw.chance.choice(templates))
            if folded(written) != own:
                break
        written = _in_its_unit(value, written)
        context = context_of(draw.options)
        before, after = (context.before, context.after) if context else ("", "")
        return cased_there(value, with_inner_articles(written), before, after)

    def _keeping(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the templates with the most of *names*: an office stays an office."""
        kept = [sum(f"{{{name}}}" in one for name in names) for one in self.templates]
        pairs = zip(self.templates, kept, strict=True)
        return tuple(one for one, count in pairs if count == max(kept))

    def _numbers(self, value: str) -> Reading:
        slot = NumberSlot()
        spans = [("number", slot, match.span()) for match in _NUMBERS.finditer(value)]
        words = _NUMBERS.sub("#", value)
        normal = " ".join(value[slice(*span)] for _, _, span in spans)
        return Reading(
            f"phrase {self.name} {words}", normal, lambda draw: _in_place(value, spans, draw)
        )


def _in_its_unit(value: str, written: str) -> str:
    """Return *written* with its length of time in the unit of *value*: 80 days are no 80 weeks.

    >>> _in_its_unit("91 days at sea", "80 weeks in traction")
    '80 days in traction'
    """
    own = _LENGTH.search(value)
    if not own or not any(char.isdigit() for char in own["number"]):
        return written
    return _LENGTH.sub(lambda match: f"{match['number']}{own['unit']}", written, count=1)


def _shortened(blanks: "re.Match[str]") -> str:
    """Shorten a long run of blanks, on which the shapes' expressions are very slow."""
    return "\n\n" if "\n" in blanks.group() else "   "


_NUMBERS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_LENGTH = re.compile(
    rf"(?i)(?P<number>{numerals.NUMBER}\s)(?P<unit>days?|d\.|weeks?|wks?\.?|months?|mos?\.?)(?![\w'’])"
)


def _in_place(value: str, captured: Sequence[tuple[str, Slot, tuple[int, int]]], draw: Draw) -> str:
    parts, at = [], 0
    for _, slot, (start, end) in captured:
        parts += [value[at:start], slot.redraw(value[start:end], draw)]
        at = end
    return with_inner_articles("".join([*parts, value[at:]]))


@dataclass(frozen=True)
class Phrases:
    """Combine all shapes of an entity but the plainest; try a value unchanged, then repaired.

    Attributes:
        shapes: In the order in which they are tried.
        plainest: Writes where a shape would lose or add a negation, if given.
        frames: Reads what only templates would rewrite, if given.
        first: Reads before all shapes, if given.
    """

    shapes: tuple[Shape, ...]
    plainest: Form | None = None
    frames: Form | None = None
    first: Form | None = None

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading by the first shape that accepts *value*, or by frames, or None.

        A shape with templates gives way to frames, which keep the syntax of the value, unless it
        asks for the text around.
        """
        if len(value) > _LONGEST:
            return None
        value = _LONG_BLANKS.sub(_shortened, value)
        if self.first and (found := self.first.read(value, options)):
            return found
        around = context_of(options) is not None
        for text in dict.fromkeys((value, repaired(value))):
            for shape in self.shapes:
                if shape.asks_around:
                    if not around:
                        continue
                elif shape.when and not shape.pattern.fullmatch(text):
                    continue  # most do not, and a call takes as long as a match
                if reading := shape.read_repaired(value, text, options):
                    if shape.answer:
                        if len(text) == 1 and (code := self._code(value, text, options)):
                            return code
                        return reading
                    gives_way = shape.templates and not shape.asks_around
                    splits = () if shape.leads else (parted(value),)
                    if gives_way and (kept := self._kept(value, options, *splits)):
                        return kept
                    return self._checked(value, shape, reading, options)
        context = context_of(options)
        split = negated(value, context.before if context else "")
        if kept := self._kept(value, options, split, parted(value)):
            return kept
        return self._damaged(value, options)

    def _damaged(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of the one listed term that *value* is but for a letter, or None."""
        term = self._meant.of(value)
        if not term:
            return None
        meant = cased_like(value, term)
        for shape in self.shapes:
            if shape.asks_around or not shape.slots or shape.templates:
                continue
            if reading := shape.read_repaired(value, meant, options):
                return self._checked(value, shape, reading, options)
        return None

    @cached_property
    def _meant(self) -> Misread:
        """Return the terms of long tables, by what OCR can make of them."""
        slots = {id(slot): slot for shape in self.shapes for _, slot in shape.slots}.values()
        columns = (slot for slot in slots if isinstance(slot, Column))
        return Misread(
            dict.fromkeys(
                written_of(one)
                for column in columns
                if len(column.table.rows) >= _LONG_TABLE
                for one in column.terms
            )
        )

    def _code(self, value: str, text: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a letter that a table lists: N for *Negro* is no answer.

        Behind a question mark it is one.
        """
        context = context_of(options)
        if not text.isupper() or (context and context.before.rstrip().endswith("?")):
            return None
        codes = (
            shape.read_repaired(value, text, options)
            for shape in self.shapes
            if len(shape.slots) == 1 and isinstance(shape.slots[0][1], Column)
            if not (shape.answer or shape.asks_around or shape.templates)
        )
        return next(filter(None, codes), None)

    def _kept(
        self, value: str, options: Mapping[str, Any], *splits: tuple[str, str]
    ) -> Reading | None:
        """Return the reading by frames, or that of what follows a lead, or None.

        Args:
            value: The value.
            options: As `read` has them.
            splits: The leads that stay, with what follows them; one without a lead counts nothing.
        """
        if self.frames and (framed := self.frames.read(value, options)):
            return framed
        context, plainest = context_of(options), self.plainest
        for lead, rest in splits:
            there = within(options, len(lead))
            if lead and (reading := self.read(rest, there)) and not reading.may_stay:
                return behind(
                    lead,
                    reading,
                    lambda: plainest.read(value, options) if plainest else None,
                    context,
                )
        return None

    def _checked(
        self, value: str, shape: Shape, reading: Reading, options: Mapping[str, Any]
    ) -> Reading:
        """Return *reading*, whose surrogates negate if and only if *value* does.

        If that can be avoided, they are not printed beside *value*, as one of several options is,
        and where a template writes them, they share no word with it.
        """
        negative = negates(value)
        there = context_of(options)
        context = None if reading.may_stay else there
        before, around = (there.before, there.around) if there else ("", "")
        known = shape.constant | words_of(" ".join(families_at(there)))
        column = shape.slots[0][1] if len(shape.slots) == 1 else None
        listed = isinstance(column, Column)
        terms = column.terms if isinstance(column, Column) else ()
        names = any(isinstance(slot, Column) and slot.of_nations for _, slot in shape.slots)

        def write(draw: Draw) -> str:
            usable = ""
            for attempt in range(draw.attempt, draw.attempt + _ATTEMPTS):
                new = with_own_article(value, reading.write(draw.candidate(attempt)))
                written = new if names or new in terms else calmed(value, new, around)
                if not shape.either and negates(written) != negative:
                    continue
                if not numerals.in_order(value, written):
                    continue
                if not reads_on(before, value, written):
                    continue
                if not listed and not goes_together(
                    value, written, draw.entity, pack_of(draw.options), there
                ):
                    continue
                if shape.templates and not (
                    (_NAMES_BODY.fullmatch(value) and _NAMES_BODY.fullmatch(written))
                    or stands_after(before, written, pack_of(draw.options))
                ):
                    continue
                usable = usable or written
                near = (shape.templates and not shape.draws_own) and (
                    too_near(value, written, known)
                    or says_the_same(value, written, pack_of(draw.options))
                )
                if not near and not (context and context.has_printed(written)):
                    return written
            if usable:
                return usable
            if self.plainest and (plain := self.plainest.read(value, options)):
                return plain.write(draw.part(draw.entity, plain.normal))
            return reading.write(draw)

        return replace(reading, write=write)


def forms(entity: str, pack: Pack) -> tuple[Form, ...]:
    """Return the shapes in ``operators/phrases/ENTITY.yaml`` as forms; none without such a file.

    Args:
        entity: The name of an entity.
        pack: The pack in use.

    Raises:
        PackError: The file is invalid.
    """
    found = shapes(entity, pack)
    if not found:
        return ()
    if plainest := likes(entity, pack):
        own = (frames_of(entity, pack, plainest, first=one) for one in (False, True))
        return (*_examined(entity, pack), Phrases(found, plainest, *own), plainest)
    return (Phrases(found[:-1], frames=frames_of(entity, pack, found[-1])), found[-1])


def _examined(entity: str, pack: Pack) -> tuple[Form, ...]:
    """Return the form of findings of examinations, if the phrases of *entity* name its tables."""
    item = _item(entity, pack)
    return _File(item, pack).examined(entity) if item else ()


def frames_of(
    entity: str, pack: Pack, plainest: Form | None = None, first: bool = False
) -> Frames | None:
    """Return the frames of *entity*; None if there are none, or none for a pack's own phrases.

    Those of a pack below give way to phrases of the pack, by shape or by class.

    Args:
        entity: The name of an entity.
        pack: The pack in use.
        plainest: Writes what no draw of terms fits, if given.
        first: Whether to return those that are tried before shapes.

    Raises:
        PackError: The file is invalid.
    """
    name = f"{entity.lower()}{FIRST if first else ''}"
    item, listed = _item(entity, pack), pack.file(f"{FRAMES}/{name}.yaml")
    if item is None or listed is None:
        return None
    own = pack.is_own(item) or pack.has_own(f"{LIKE}/{entity.lower()}.tsv")
    if own and not pack.is_own(listed):
        return None
    return frames(entity, _File(item, pack).slot, pack, plainest, first)


@lru_cache(maxsize=64)
def shapes(entity: str, pack: Pack) -> tuple[Shape, ...]:
    """Return the shapes in ``operators/phrases/ENTITY.yaml``, after those in ``shared.yaml``.

    The last reads any value, unless the pack lists phrases by class for the entity. Arguments and
    errors are those of `forms`.
    """
    item = _item(entity, pack)
    if item is None:
        return ()
    shared = pack.file(f"{FOLDER}/{SHARED}")
    common = _File(shared, pack).shapes() if shared else ()
    return (*common, *_File(item, pack).shapes(last=likes(entity, pack) is None))


def has_phrases(entity: str, pack: Pack) -> bool:
    """Tell whether *entity* has a file, without reading it."""
    return _item(entity, pack) is not None


def _item(entity: str, pack: Pack) -> Traversable | None:
    # A request may contain the name of the entity, so it cannot be a path.
    if not _ENTITY.fullmatch(entity) or f"{entity.lower()}.yaml" == SHARED:
        return None
    return pack.file(f"{FOLDER}/{entity.lower()}.yaml")


class _File:
    """Read one file; each error message names the file."""

    def __init__(self, item: Traversable, pack: Pack) -> None:
        self.name = item.name
        self.pack = pack
        self.is_own = pack.is_own(item)
        self._columns: dict[tuple[str, str], Column] = {}
        self._listed_slots: dict[str, ListSlot] = {}
        self.data = self._keys(load(item), _KEYS, "the file")
        language = check_language(self.data, pack.overlay, f"phrases/{self.name}")
        self.words = {
            "months": tuple(month.name for month in language.months),
            "numbers": (*language.ones[1:], *language.tens),
        }
        self.tables = {name: self._table(name) for name in self.data.get("tables") or {}}

    def fail(self, problem: str) -> PackError:
        return PackError(f"phrases/{self.name}", problem)

    def shapes(self, last: bool = False) -> tuple[Shape, ...]:
        """Return the shapes of the file.

        Args:
            last: Whether the last shape must read any value.
        """
        found = tuple(self._shape(shape) for shape in self.data.get("shapes") or ())
        if last and (not found or found[-1].when):
            raise self.fail("its last shape has a `when`; it must read any value")
        return found

    def examined(self, entity: str) -> tuple[Form, ...]:
        """Return the form of findings of examinations; none if the file names no tables of it."""
        data = self.data.get("examined")
        if data is None:
            return ()
        self._keys(data, set(_EXAMINED_KEYS), "`examined`")
        if len(data) < len(_EXAMINED_KEYS):
            raise self.fail(f"`examined` needs {', '.join(_EXAMINED_KEYS)}")
        places, findings = (str(data[key]).removeprefix("@") for key in _EXAMINED_KEYS[:2])
        others = tuple(str(one).removeprefix("@") for one in data["others"])
        return (examined(entity, places, findings, others, self.pack),)

    def _shape(self, data: Any) -> Shape:
        self._keys(data, _SHAPE_KEYS, "a shape")
        name = data.get("name")
        if not isinstance(name, str):
            raise self.fail("a shape has no name")
        written = data.get("write") or []
        if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
            raise self.fail(f"shape {name}: `write` is not a list of strings")
        if not isinstance(data.get("when", ""), str):
            raise self.fail(f"shape {name}: `when` is not a string; quote it")
        templates = tuple(written)
        inside = {match.group()[1:-1]: self._slot(match) for one in templates
                  for match in _SLOT.finditer(one)}  # fmt: skip
        when, slots = None, []
        if "when" in data:
            text = re.sub(r" (?![?*+]|\{\d)", r"\\s+", data["when"])

            def group(match: "re.Match[str]") -> str:
                slots.append((match.group()[1:-1], self._slot(match)))
                return f"(?P<s{len(slots) - 1}>{slots[-1][1].pattern})"

            when = _SLOT.sub(group, text)
            if self.is_own:  # tests compile those of the shipped pack
                try:
                    re.compile(when, re.IGNORECASE)
                except re.error as error:
                    problem = f"shape {name}: bad regular expression: {error.msg}"
                    raise self.fail(problem) from None
        numbers = bool(data.get("numbers"))
        if not templates and not numbers and not slots:
            raise self.fail(f"shape {name} has neither slots nor `write`: it would change nothing")
        if not templates and any(isinstance(slot, AnySlot) for _, slot in slots):
            raise self.fail(f"shape {name} has {{any}} but no `write`: it would leave the words")
        answer, either = bool(data.get("answer")), bool(data.get("either"))
        around = {key: self._around(data, key) for key in ("before", "after", "page")}
        return Shape(
            name,
            when,
            tuple(slots),
            templates,
            inside,
            answer,
            numbers,
            **around,
            either=either,
            repeats=bool(data.get("repeats")),
        )

    def _around(self, data: Mapping[str, Any], key: str) -> re.Pattern[str] | None:
        """Return the expression for the text before or after the value, or for the page."""
        if key not in data:
            return None
        try:
            text = rf"(?:{data[key]})\Z" if key == "before" else str(data[key])
            return re.compile(text, re.IGNORECASE)
        except (re.error, TypeError) as error:
            raise self.fail(f"shape {data['name']}: bad `{key}`: {error}") from None

    def slot(self, text: str) -> Slot:
        """Return the slot that *text* names, such as ``{party.member}``."""
        match = _SLOT.fullmatch(text)
        if match is None:
            raise self.fail(f"{text!r} is no slot")
        return self._slot(match)

    def _slot(self, match: "re.Match[str]") -> Slot:
        name, column, low, high = match.groups(default="")
        listed = self.data.get("lists") or {}
        if name in self.tables:
            if column and column not in self.tables[name].columns:
                raise self.fail(f"table {name} has no column {column!r}")
            if (name, column) not in self._columns:
                self._columns[name, column] = self.tables[name].column(column)
            return self._columns[name, column]
        if name in listed:
            if name not in self._listed_slots:
                self._listed_slots[name] = ListSlot(name, self._terms(listed[name]))
            return self._listed_slots[name]
        if name in BUILT_IN:
            return BUILT_IN[name](low, high)
        known = sorted([*self.tables, *listed, *BUILT_IN])
        raise self.fail(f"no list or table {name!r}; there are {', '.join(known)}")

    def _terms(self, listed: Any) -> tuple[str, ...]:
        terms: list[str] = []
        for term in [listed] if isinstance(listed, str) else listed:
            if not isinstance(term, str):
                raise self.fail("a list holds something that is not a string; quote it")
            terms += self._listed(term[1:]) if term.startswith("@") else [term]
        return tuple(dict.fromkeys(terms))

    def _listed(self, name: str) -> tuple[str, ...]:
        if not name.startswith(_LANGUAGE):
            return lists.terms(name, self.pack)
        words = name.removeprefix(_LANGUAGE)
        if words not in self.words:
            raise self.fail(f"no words {words!r} of the language; there are {sorted(self.words)}")
        return self.words[words]

    def _table(self, name: str) -> Table:
        data = self.data["tables"][name]
        if isinstance(data, str):
            data = {"list": data}
        if isinstance(data, dict) and "list" in data:
            self._keys(data, _LISTED_KEYS, f"table {name}")
            listed = str(data["list"]).removeprefix("@")
            rows = lists.rows(listed, self.pack)
            columns = tuple(
                one for one in tuple(rows[0])[1:] if one not in (FITS, _KIND, _PURPOSE, _TELLS)
            )
            cells = {
                row[next(iter(row))]: [_spellings(row[one]) for one in columns] for row in rows
            }
            agree = data.get("agree") or ()
            if agree is not True and not set(agree) <= set(columns):
                raise self.fail(f"table {name}: `agree` names a column that it does not have")
            of = columns if agree is True else tuple(agree)
            usual = self._usual(data, name, cells)
            marks = self._marks(name, cells, [row.get(FITS, "") for row in rows])
            entity = self.name.removesuffix(".yaml").upper()
            kinds = {row[next(iter(row))]: tuple(row.get(_KIND, "").split()) for row in rows}
            courses = {one: courses_of_marks(found, self.pack) for one, found in marks.items()}
            if _PURPOSE in rows[0]:
                courses = {row[next(iter(row))]: row[_PURPOSE].split() for row in rows}
            tells = {
                row[next(iter(row))]: _spellings(row[_TELLS]) for row in rows if row.get(_TELLS)
            }
            treated = (
                self._treated(rows)
                if _NAMES in columns and _PURPOSE not in rows[0]
                else frozenset()
            )
            return Table(
                name, columns, cells, bool(data.get("independent")), agree=of,
                apart=agree is True, usual=usual,
                kinds=kinds if any(kinds.values()) else {}, marks=marks, one=bool(data.get("one")),
                heads=heads(self.pack, entity), meanings=self._meanings(cells),
                courses=courses, treated=treated, beside=Treated(self.pack) if treated else None,
                listed=listed, tells=tells,
            )  # fmt: skip
        self._keys(data, _TABLE_KEYS, f"table {name}")
        if not isinstance(data.get("columns"), list) or not isinstance(data.get("rows"), dict):
            raise self.fail(f"table {name} needs `columns`, a list, and `rows`, a mapping")
        columns = tuple(data["columns"])
        cells, fits = {}, []
        for row, found in data["rows"].items():
            if isinstance(found, dict):  # the cells by their columns; the others are empty
                self._keys(found, set(columns), f"table {name}, row {row}")
                found = [found.get(column) for column in columns]
            if len(found) != len(columns):
                raise self.fail(f"table {name}: row {row} has not {len(columns)} cells")
            own = ["" if cell is None else str(cell) for cell in found]
            fits.append(own.pop(columns.index(FITS)) if FITS in columns else "")
            cells[str(row)] = [_spellings(cell) for cell in own]
        columns = tuple(one for one in columns if one != FITS)
        usual = self._usual(data, name, cells)
        marks = self._marks(name, cells, fits) if any(fits) else {}
        return Table(
            name, columns, cells, bool(data.get("independent")), usual=usual, marks=marks,
            agree=columns if data.get("agree") else (),
            near=int(data.get("near") or 0), meanings=self._meanings(cells),
        )  # fmt: skip

    def _marks(
        self, name: str, rows: Mapping[str, Sequence[tuple[str, ...]]], fits: Sequence[str]
    ) -> dict[str, Marks]:
        """Return where each row can stand; nothing if all fit everywhere."""
        found = {
            row: marks_of_row(
                [written_of(one) for cell in cells for one in cell], own, name, self.pack
            )
            for (row, cells), own in zip(rows.items(), fits, strict=True)
        }
        return found if any(one != Marks() for one in found.values()) else {}

    def _meanings(self, rows: Mapping[str, Sequence[tuple[str, ...]]]) -> dict[str, frozenset[int]]:
        """Return the meanings of the spellings of each row."""
        return {
            row: frozenset().union(
                *(meaning_of(written_of(one), self.pack) for cell in cells for one in cell)
            )
            for row, cells in rows.items()
        }

    def _treated(self, listed: Sequence[Mapping[str, str]]) -> frozenset[str]:
        """Return the rows for which there are medicines, by all names that are written."""
        names = {
            row[next(iter(row))]: [
                written_of(one) for one in _spellings(row[_NAMES]) if not one.startswith(READ_ONLY)
            ]
            for row in listed
        }
        return frozenset(row for row, own in names.items() if is_treated(own, self.pack))

    def _usual(self, data: Mapping[str, Any], name: str, rows: Collection[str]) -> frozenset[str]:
        usual = frozenset(data.get("usual") or ())
        if unknown := sorted(usual - set(rows)):
            raise self.fail(f"table {name}: `usual` names {unknown[0]!r}, which is not a row")
        return usual

    def _keys(self, data: Any, allowed: set[str], where: str) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            raise self.fail(f"{where} is not a mapping")
        if unknown := sorted(set(map(str, data)) - allowed):
            raise self.fail(f"{where}: unknown key {unknown[0]!r}; there are {sorted(allowed)}")
        return data


def _spellings(cell: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in cell.split("|") if one.strip())
