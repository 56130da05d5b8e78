"""Read a phrase as a frame with terms inside, and replace its terms where they stand.

``operators/phrases/frames/ENTITY.yaml``, and ``ENTITY_first.yaml`` for what is read before shapes,
list the words of frames, which say nothing by themselves ("member of", "tested positive for"), and
the kinds of terms; ``shared.yaml`` those of all entities.
A value is read if each of its words is a frame's word or within a term, and a term tells the fact.
Terms are replaced by others of their kind, so that the grammar around them holds.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import check_language
from presidio_cdip.pack.pack import Pack, load
from presidio_cdip.surrogates.drawing.context import blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.values.classes import negates
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.medicines import number_of, replaced
from presidio_cdip.surrogates.values.names import families_at
from presidio_cdip.surrogates.values.pairing import goes_together
from presidio_cdip.surrogates.values.setting import ALIKE, ORGAN, organs_of, year_of
from presidio_cdip.surrogates.values.slots import (
    TOGETHER,
    ChangeSlot,
    CodeSlot,
    Column,
    ListSlot,
    NameSlot,
    OrganizationSlot,
    PlaceSlot,
    Slot,
    another,
    common_words,
    telling_nothing,
    too_near,
    words_of,
)
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.articles import with_inner_articles, with_own_article
from presidio_cdip.surrogates.writing.grammar import reads_on
from presidio_cdip.surrogates.writing.text import (
    calmed,
    cased_as_listed,
    cased_like,
    folded,
    in_capitals,
    repaired,
    titled,
)

FOLDER = "operators/phrases/frames"
SHARED = "shared"
FIRST = "_first"  # ends the name of a file of frames that are tried before shapes
_KEYS = {
    "what", "language", "words", "terms", "circumstances", "numbers", "alone", "bound",
    "predicates", "telling", "zones",
}  # fmt: skip
_SHARED_KEYS = _KEYS - {"alone", "bound", "predicates", "telling", "zones"}
_ZONE = "zone"  # the option of a draw whose terms can be said of one zone of the body
_NO_ZONE = "none"  # the terms that can be said without one
_KIND_KEYS = {"read", "like", "after", "write", "sure"}
_FEWEST = 4  # terms of a kind: of two, each would tell the other
_NEARLY_ALL = 99  # percent, of which the digits behind the point tell
_TRIES = 3  # draws for each term of a list
_ATTEMPTS = 6 * TOGETHER  # draws for a surrogate without the words of the value
_UNIT = 12  # characters behind a number that may tell its unit
_LONGEST = 200  # characters of a value that is read
_FRAME_FIRST, _TERM_FIRST = 0.99, 1.01  # the cost of a frame's words
_UNKNOWN = 4.0  # the cost of a term that only its look tells; a known term or word costs 1
_SURE = 0.97  # the cost of one that its look tells for sure, as of a name behind "boyfriend"
_READ_ONLY = "~"
_COMMA = "comma"  # stands for one among the words before an unknown term
_CODE = 3  # letters of an abbreviation that must have its capitals
_EVER = 9999  # the last year of a term that is still written
_LOUD = 0.9  # the share of capitals among the letters of such a value
_TITLE = 6  # characters of a value in capitals that is read as if it had small letters

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+|[^\W_]+|[^\w\s]|_")  # "burn-out" is one word
_NUMBER = re.compile(numerals.NUMBER, re.IGNORECASE)
_CLOCK = re.compile(r"(?i)\s?(?:o['’ ]?clock|[ap]\.?m)\b")
_HOURS = "5", "11"  # between which hours are drawn
_ACRONYM = re.compile(r"[A-Z0-9&.]{2,7}")
_DATED = re.compile(r"(?P<row>.+?) \[(?P<since>\d{4})?-(?P<until>\d{4})?\]")
_STAYING = ("0", "1", "zero", "one")  # for the grammar's sake
_SHARE = re.compile(r"\s?(?:%|per\s?cent|pct)")
# A number that counts nothing, such as a temperature or a weight; a year is none
_MEASURED = re.compile(
    r"\d\.\d|\d ?/ ?\d|(?<!\d)(?!(?:1[89]|20)\d\d(?!\d))\d{3,}(?! ?k?cal)"
    r"|(?<!\d)[6-9]\d(?!\d| ?(?:day|week|month|%|per))|\d ?(?:lbs?|pounds?|kg|mg|gm?|cm|mm|[FC])\b"
)
_WITHIN = re.compile(r"[\w,;’'] \Z")  # ends within a sentence
_PREPOSITION = re.compile(r"\s(?:of|in|on|at|with|from|to|for|by|over|under)\s")
_TIME = re.compile(r"\s(?:days?|weeks?|months?|years?|nights?|hours?|d|wks?|mos?|yrs?)\b")
_DOTTED_END, _UNDOTTED_END = re.compile(r"\.[A-Z]\.\Z"), re.compile(r"\.[A-Z]\Z")
_TWO_ARTICLES = re.compile(
    r"(?i)\b(the|an?|his|her|my|their|our|any|no|every|each|some|this|that) (?:the|an?) "
)
# "two ⟦falls⟧, in 1961 and 1963": the years tell how many there were.
_AS_MANY = re.compile(
    r"\A,? \(?(?:in |of )?(?:1[89]|20)\d\d(?:(?:,? and|,| &) (?:in )?(?:1[89]|20)\d\d)+"
)
_SIDE = re.compile(r"(?i:left|right|lt|rt|l|r)\b\.?")  # before a part that is one of two
_ORGAN_WORD = re.compile(r"(?i)(?:(?:both|left|right|each|one) )?(?:eyes?|ears?|tooth|teeth|gums?)")
_SLOT = re.compile(r"\{([a-z_]+)(?:\.([a-z_]+))?\}")

SlotOf = Callable[[str], Slot]


@dataclass(frozen=True)
class Kind(Slot):
    """Match the terms of one kind; the surrogate of one is another.

    Attributes:
        name: The name of the kind.
        tells: Whether its terms tell the fact; others, such as a month, are circumstances.
        written: The terms that are drawn.
        meanings: By folded spelling, the term that has this meaning, and the spelling as listed.
        years: By term the first and the last year of the pages on which it stands, if not all.
    """

    name: str
    tells: bool
    written: tuple[str, ...]
    meanings: Mapping[str, tuple[str, str]] = field(repr=False, default_factory=dict)
    years: Mapping[str, tuple[int, int]] = field(repr=False, default_factory=dict)

    @cached_property
    def common(self) -> frozenset[str]:
        """Return the words that half of the terms have, such as "party"."""
        return common_words(self.written)

    def normal(self, text: str) -> str:
        """Return the term that stands for all spellings of its meaning."""
        return self.meanings.get(folded(text), (folded(text), text))[0]

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw a term of another meaning, the same for equal meanings of the scope."""
        own, listed = self.meanings.get(folded(text), (folded(text), ""))
        zone = draw.options.get(_ZONE) or frozenset()
        of_zone = zone.intersection(self.written) if own in zone else frozenset()
        only = of_zone if len(of_zone) >= _FEWEST else frozenset()
        if year := year_of(draw.options) if self.years else 0:
            only = self._of(year).intersection(only or self.written)
        tries = _TRIES * len(self.written)
        other = another(text, own, self.written, self.name, draw, self.common, tries, only)
        if listed:
            return cased_as_listed(text, listed, other)
        return _cased(text, other) if other.islower() else other  # else it is a name, as listed

    def _of(self, year: int) -> frozenset[str]:
        """Return the terms that stand on pages of *year*."""
        always = (0, _EVER)
        spans = ((one, self.years.get(one, always)) for one in self.written)
        return frozenset(one for one, (since, until) in spans if since <= year <= until)


@dataclass(frozen=True)
class Known(Slot):
    """Match the terms of a table or list of ``phrases/ENTITY.yaml``, which replaces them."""

    name: str
    tells: bool
    slot: Slot

    @property
    def may_stay(self) -> bool:  # type: ignore[override]
        """Tell whether the slot is independent of the original."""
        return self.slot.may_stay

    @cached_property
    def common(self) -> frozenset[str]:
        """Return the words that tell only the kind of a row."""
        table = self.slot.table if isinstance(self.slot, Column) else None
        return table.common if table and table.one else frozenset()

    def normal(self, text: str) -> str:
        """Return what the slot takes *text* for."""
        return self.slot.normal(text)

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw another term."""
        return self.slot.redraw(text, draw)


@dataclass(frozen=True)
class Other(Slot):
    """Match terms that are only read; the surrogate is of another kind or list.

    Attributes:
        like: How an unknown term looks, if it can be unknown; case counts.
        after: The words of which one must stand before an unknown term; none if any may.
        sure: Whether such a term is read even if its words are known.
        names: Its terms that are listed with a first capital, so that it is no style.
    """

    name: str
    tells: bool
    slot: Slot
    like: re.Pattern[str] | None = None
    after: frozenset[str] = frozenset()
    sure: bool = False
    names: frozenset[str] = frozenset()

    @property
    def common(self) -> frozenset[str]:
        """Return the words that half of the terms of its kind have."""
        return self.slot.common if isinstance(self.slot, Kind) else frozenset()

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw a term that shares no word with *text*."""
        if text in self.names:
            text = text[:1].lower() + text[1:]
        if (
            isinstance(self.slot, ListSlot)
            and (medicine := replaced(text, draw, self.slot.name)) is not None
        ):
            return medicine
        if isinstance(
            self.slot, Kind | CodeSlot | ChangeSlot | NameSlot | PlaceSlot | OrganizationSlot
        ):
            return self.slot.redraw(text, draw)
        normal = f"{self.name} {folded(text)}"
        part = Draw(draw.keyring, draw.entity, normal, draw.attempt, draw.options)
        for _ in range(_TRIES * 4):
            other = self.slot.fresh(part)
            if not too_near(text, other) and not says_the_same(text, other, pack_of(draw.options)):
                break
        return _cased(text, other)


def _cased(text: str, other: str) -> str:
    """Return *other* in the case of *text*, whose capitals are no style if it is an acronym."""
    return other if _ACRONYM.fullmatch(text) else cased_like(text, other)


@dataclass(frozen=True)
class Number(Slot):
    """Match a number, which tells the fact only beside measures.

    Attributes:
        share: Whether it stays below 100 %.
        near: Whether a round one, as of days, need not stay round.
        hour: Whether it is an hour of the day.
    """

    share: bool = False
    near: bool = False
    hour: bool = False
    name = "number"
    tells = False

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw another number of the same size, written alike."""
        value = numerals.value_of(text)
        plain = text.replace(",", "") if text[:1].isdigit() or value is None else str(value)
        chance = draw.part(f"{draw.entity} number", plain).chance
        if self.hour and value is not None:
            return cased_like(text, numerals.redrawn(text, chance, *_HOURS))
        if self.share and plain[:1].isdigit() and 1 < float(plain) <= 100:
            least, most = (90.0, 99.9999) if float(plain) >= 90 else (2.0, 98.0)
            if "." in plain and float(plain) >= _NEARLY_ALL:
                least = min(float(plain) // 0.1 / 10, 99.9)  # 99.98 stays above 99.9
                most = float("99." + "8".rjust(len(plain) - len("99."), "9"))
            least, most = max(least, float(plain) * 0.75), min(most, float(plain) * 1.3)
            return numerals.redrawn(text, chance, f"{least:.4f}", f"{most:.4f}")
        round_digits = text[:1] in "123456789" and plain.isdigit()
        if round_digits and not self.near and (unit := numerals.roundness(int(plain))) > 1:
            many = int(plain) // unit  # 250 becomes another multiple of 10
            most = (10 ** len(plain) - 1) // unit
            low = max(1, (2 * many + 2) // 3)
            high = min(max(many * 7 // 5, many + 3), most) if many < most else 2 * many
            other = int(numerals.redrawn(str(many), chance, str(low), str(high))) * unit
            return f"{other:,}" if "," in text else str(other)
        return cased_like(text, numerals.redrawn(text, chance, near=True))


@dataclass(frozen=True)
class Date(Slot):
    """Match a date, or a month; it moves as the dates of its scope do."""

    name = "date"
    tells = False

    def redraw(self, text: str, draw: Draw) -> str:
        """Return the moved date."""
        return surrogate_of_part("DATE_TIME", text, draw)


Term = Kind | Known | Other | Number | Date


@dataclass(frozen=True, slots=True)
class _Segment:
    """Words ``[first, last)`` of a value: a term, or a frame's words if *term* is None."""

    cost: float
    last: int
    term: Term | None


class Frames:
    """Read the phrases of an entity as frames with terms.

    Attributes:
        words: The frames' words, folded.

    Args:
        words: The frames' words.
        terms: The terms by their spelling.
        unknown: The kinds of terms that can be told by their look.
        dates: Matches a date.
        numbers: The frames' words beside which a number tells the fact by itself; none if it never
            does.
        alone: The kinds whose terms do not stand beside one another: "COVID pneumonia" is one.
        predicates: Those whose terms stand right before no other: "bedridden hand" is nothing.
        plainest: Writes if no draw fits, if given.
        entity: The entity of the values.
        zones: By kind of parts of the body, the terms that can be said of them.
        units: Those of *numbers* before which a number is no year: "1800 calories".
        bound: What is said of the term of a table behind it alone, and goes with it.
    """

    def __init__(
        self,
        words: Iterable[str],
        terms: Iterable[tuple[str, Term]],
        unknown: Sequence[Other],
        dates: re.Pattern[str],
        numbers: Iterable[str] = (),
        alone: frozenset[str] = frozenset(),
        predicates: frozenset[str] = frozenset(),
        plainest: Form | None = None,
        entity: str = "",
        zones: Mapping[str, frozenset[str]] | None = None,
        units: frozenset[str] = frozenset(),
        bound: frozenset[str] = frozenset(),
    ) -> None:
        self._bound = bound
        self._entity = entity
        self._units = units
        terms = tuple(terms)
        self._zones = zones or {}
        said = frozenset().union(*self._zones.values())
        self._of_zones = frozenset(
            term.name for _, term in terms
            if isinstance(term, Kind) and not said.isdisjoint(term.written)
        )  # fmt: skip
        self.words: set[str] = set()
        self._terms: dict[str, Term] = {}
        self._codes: dict[str, Term] = {}
        self._longest: dict[str, int] = {}
        for spelling, term in chain(terms, ((word, None) for word in words)):
            if term and len(spelling) <= _CODE and spelling.isalpha() and spelling.isupper():
                self._codes.setdefault(spelling, term)
                continue
            tokens = _tokens(spelling)
            while tokens:
                if term:
                    self._terms.setdefault(" ".join(tokens), term)
                else:
                    self.words.add(" ".join(tokens))
                self._longest[tokens[0]] = max(self._longest.get(tokens[0], 0), len(tokens))
                if len(tokens) < 3 or tokens.pop() != ".":  # "T.B." may have lost its last stop
                    break
        self._unknown = unknown
        self._alone = alone
        self._predicates = predicates
        self._dates = dates
        self._measures = frozenset(token for word in numbers for token in _tokens(word))
        self._plainest = plainest

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of *value*; None if a word of it is unknown, or no term tells."""
        if len(value) > _LONGEST:
            return None
        clean = repaired(value)
        upper = len(clean) > _TITLE and " " in clean and _is_loud(clean)
        if upper:  # no name tells itself among capitals
            clean = titled(clean)
        # What is both, such as "fined", is a frame's word if another term tells the fact.
        found = self._parse(clean, _FRAME_FIRST)
        if found is not None and not self._tells(clean, found):
            found = self._parse(clean, _TERM_FIRST)
        if found is None or not self._tells(clean, found) or self._crowded(clean, found):
            return None
        clean, found = self._unbound(clean, found)
        terms = [(start, end, term) for start, end, term in found if term]
        zone = self._zone(terms)
        if self._zones and not self._can_be_said(clean, terms, zone):
            return None
        pack = pack_of(options)
        organ, parts_kept = _organ(clean, terms, pack)
        parts_kept |= self._told(clean, terms, options)
        kept = words_of(
            " ".join(
                clean[start:end] for start, end, term in found if not term or start in parts_kept
            )
        )
        common = frozenset().union(
            *(term.common for _, _, term in terms if isinstance(term, Kind | Known | Other))
        )
        common = telling_nothing(clean, common, self._entity, pack)
        # What a table lists as a whole goes with its row, an illness of a part that stays with it.
        listed = len(found) == 1 and isinstance(found[0][2], Known)
        several = len({term.name for _, _, term in terms if not term.may_stay}) > 1
        illness = any(isinstance(term, Known) and not term.may_stay for _, _, term in terms)
        close = None if organ else several and illness
        context = context_of(options)
        families = words_of(" ".join(families_at(context)))  # they stay on the page, too
        negative, own = negates(clean), words_of(clean) - kept - common - families
        before, around = (context.before, context.around) if context else ("", "")
        first = clean[slice(*terms[0][:2])] if terms[0][0] == 0 else ""
        names = terms[0][2].names if isinstance(terms[0][2], Other) else ()
        begins = first in names and not _WITHIN.search(before)

        def fits(written: str, parts: Sequence[str]) -> bool:
            return (
                _apart(clean, terms, parts, parts_kept)
                and _stands_before(clean, terms, parts)
                and negates(written) == negative
                and not own & words_of(written)
                and folded(written) != folded(value)
                and numerals.in_order(clean, written)
                and (listed or goes_together(clean, written, self._entity, pack, context, close))
            )

        def write(draw: Draw) -> str:
            usable = written = ""
            if self._zones:
                of_zone = {**draw.options, _ZONE: zone, ALIKE: True}
                draw = Draw(draw.keyring, draw.entity, draw.normal, draw.attempt, of_zone)
            if organ:
                shared = {**draw.options, ORGAN: organ}
                draw = Draw(draw.keyring, draw.entity, draw.normal, draw.attempt, shared)
            for attempt in range(draw.attempt, draw.attempt + _ATTEMPTS):
                other = draw.candidate(attempt)
                few = attempt - draw.attempt < _ATTEMPTS // 2  # "three stiff hips" fits nobody
                parts = [
                    clean[start:end]
                    if start in parts_kept or not (few or isinstance(term, Known | Kind | Other))
                    else term.redraw(clean[start:end], other)
                    for start, end, term in terms
                ]
                parts = _dosed(clean, terms, parts, other)
                written = with_own_article(clean, _written(clean, terms, parts))
                written = in_capitals(written) if upper else calmed(value, written, around)
                if begins:
                    written = written[:1].upper() + written[1:]
                if not fits(written, parts):
                    continue
                usable = written
                if reads_on(before, value, written) and not (
                    context and context.has_printed(written)
                ):
                    return written
            if usable and (not self._plainest or reads_on(before, value, usable)):
                return usable
            if self._plainest and (plain := self._plainest.read(value, options)):
                return plain.write(draw.part(draw.entity, plain.normal))
            return written

        return Reading(
            "frame",
            folded(value),
            write,
            may_stay=all(
                term.may_stay for _, _, term in terms if term.tells or isinstance(term, Number)
            ),
        )

    def _told(
        self, value: str, terms: Sequence[tuple[int, int, Term]], options: Mapping[str, Any]
    ) -> frozenset[int]:
        """Return the terms that stay, since the page tells them beside its values.

        So does a part of the body with its side, if another term of *value* changes, and a number
        behind which as many years are listed.
        """
        context = context_of(options)
        if context is None:
            return frozenset()
        found = set()
        if _AS_MANY.match(context.after):
            found = {start for start, _, term in terms if isinstance(term, Number)}
        parts = {start for start, _, term in terms if term.name in self._zones}
        if any(term.tells and start not in parts for start, _, term in terms):
            text = context.page.fact(blanked) if parts else ""
            sides = {end: start for start, end, _ in terms if _SIDE.fullmatch(value[start:end])}
            for start, end, _ in terms:
                side = sides.get(start - 1, start)
                own = (
                    re.escape(value[side:end])
                    if side < start
                    else rf"{_SIDE.pattern} {re.escape(value[start:end])}"
                )
                if start in parts and re.search(rf"(?i)\b{own}(?!\w)", text):
                    found |= {side, start}
        return frozenset(found)

    def _zone(self, terms: Sequence[tuple[int, int, Term]]) -> frozenset[str]:
        """Return what can be said of all parts of the body among *terms*, or without any."""
        if not self._zones:
            return frozenset()
        own = [self._zones[term.name] for _, _, term in terms if term.name in self._zones]
        return frozenset.intersection(*own) if own else self._zones.get(_NO_ZONE, frozenset())

    def _can_be_said(
        self, value: str, terms: Sequence[tuple[int, int, Term]], zone: frozenset[str]
    ) -> bool:
        """Tell whether all numbers are counts, and terms can be said of the parts in *value*."""
        if _MEASURED.search(value):
            return False
        if not any(term.name in self._zones for _, _, term in terms):
            return True
        return all(
            term.normal(value[start:end]) in zone
            for start, end, term in terms
            if term.name in self._of_zones
        )

    def _tells(self, value: str, found: Sequence[tuple[int, int, Term | None]]) -> bool:
        """Tell whether a term tells the fact, or a number does with measures alone beside it."""
        if any(term and term.tells for _, _, term in found):
            return True
        if self._zones:
            return False
        return any(isinstance(term, Number) for _, _, term in found) and all(
            term
            or all(
                one in self._measures or not any(map(str.isalpha, one))
                for one in _tokens(value[start:end])
            )
            for start, end, term in found
        )

    def _is_measure(self, plain: Sequence[str], at: int) -> bool:
        """Tell whether the token *at* is a unit, so that the number before it is no year."""
        return at < len(plain) and len(plain[at]) > 1 and plain[at] in self._units

    def _crowded(self, value: str, found: Sequence[tuple[int, int, Term | None]]) -> bool:
        """Tell whether two terms that do not stand side by side are parted by blanks only."""
        return any(
            one is not None and other is not None and value[end:start].isspace()
            and (one.name in self._predicates or {one.name, other.name} <= self._alone)
            for (_, end, one), (start, _, other) in pairwise(found)
        )  # fmt: skip

    def _unbound(
        self, value: str, found: list[tuple[int, int, Term | None]]
    ) -> tuple[str, list[tuple[int, int, Term | None]]]:
        """Return *value* without what is said of a table's term alone: "anterior uveitis"."""
        for at in reversed(range(1, len(found))):
            start, term = found[at][0], found[at][2]
            first, end, _ = found[at - 1]
            if (
                isinstance(term, Known)
                and folded(value[first:end]) in self._bound
                and value[end:start].isspace()
            ):
                gone = start - first
                value = value[:first] + cased_like(value[first:end], value[start:])
                moved = [(one - gone, last - gone, other) for one, last, other in found[at:]]
                found = [*found[: at - 1], *moved]
        return value, found

    def _parse(self, value: str, word: float) -> list[tuple[int, int, Term | None]] | None:
        """Return the segments that cover *value* at the least cost, with their offsets.

        A term costs 1, a frame's words *word*.
        """
        tokens = list(_TOKEN.finditer(value))
        if not tokens or len(tokens) > 48:
            return None
        plain = [_plain(one.group()).casefold() for one in tokens]
        ends = {one.end(): at + 1 for at, one in enumerate(tokens)}
        best: list[_Segment | None] = [None] * len(tokens)
        costs = [0.0] * (len(tokens) + 1)
        for at in reversed(range(len(tokens))):
            found: _Segment | None = None
            for segment in self._segments(value, tokens, plain, ends, at, word):
                rest = costs[segment.last]
                if rest >= 0 and (found is None or segment.cost + rest < found.cost):
                    found = replace(segment, cost=segment.cost + rest)
            best[at] = found
            costs[at] = found.cost if found else -1.0
        if costs[0] < 0:
            return None
        segments, at = [], 0
        while at < len(tokens):
            one = best[at]
            assert one is not None
            segments.append((tokens[at].start(), tokens[one.last - 1].end(), one.term))
            at = one.last
        return segments

    def _segments(
        self,
        value: str,
        tokens: Sequence[re.Match[str]],
        plain: Sequence[str],
        ends: Mapping[int, int],
        at: int,
        word: float,
    ) -> Iterator[_Segment]:
        """Yield the segments that can begin at the token *at*."""
        first, start = plain[at], tokens[at].start()
        code = self._codes.get(tokens[at].group())  # "IT" is Italy, "it" is not
        sizes = min(self._longest.get(first, 0), len(tokens) - at)
        for size in range(max(sizes, 1 if code else 0), 0, -1):
            if code and size == 1:
                yield _Segment(1.0, at + 1, code)
            key = " ".join(plain[at : at + size]) if size > 1 else first
            if term := self._terms.get(key):
                yield _Segment(1.0, at + size, term)
            if key in self.words:
                yield _Segment(word, at + size, None)
        if not first[0].isalnum():
            yield _Segment(0.0, at + 1, None)
            return
        if not at and first.isdigit() and len(plain) > 2 and plain[1] in (".", ")"):
            yield _Segment(0.0, 2, None)  # the number of an item of a list
            return
        match = self._dates.match(value, start)
        if match and match.group().isdigit() and self._is_measure(plain, at + 1):
            match = None  # 1800 calories
        if match and match.end() in ends:
            yield _Segment(0.97, ends[match.end()], Date())
        elif (match := _NUMBER.match(value, start)) and match.end() in ends:
            share, near = (one.match(value, match.end()) for one in (_SHARE, _TIME))
            hour = _CLOCK.match(value, match.end())
            number = Number(share=bool(share), near=bool(near), hour=bool(hour))
            whole = at > 1 and plain[at - 1] == "/" and plain[at - 2].isdigit()
            stays = match.group().casefold() in (numerals.SCALES if whole else _STAYING)
            yield _Segment(1.0, ends[match.end()], None if stays else number)
        known = first in self._terms or first in self.words
        begins = not at and len(tokens) > 1 and value[tokens[1].start()].islower()
        # A known word of small letters is no name, nor one that begins the phrase.
        plain_word = known and (value[start].islower() or begins)
        for one in self._unknown:
            if plain_word and not one.sure:
                continue
            if one.after and not (at and plain[at - 1] in one.after):
                continue
            assert one.like is not None
            if (match := one.like.match(value, start)) and match.end() in ends:
                yield _Segment(_SURE if one.sure else _UNKNOWN, ends[match.end()], one)


def _is_loud(text: str) -> bool:
    """Tell whether *text* is in capitals, but for an abbreviation.

    >>> _is_loud("DOCKERS' UNION, BRANCH No. 14"), _is_loud("ILA Local 9")
    (True, False)
    """
    letters = [char for char in text if char.isalpha()]
    return sum(map(str.isupper, letters)) >= _LOUD * max(1, len(letters))


def _plain(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'")


def _tokens(text: str) -> list[str]:
    return [one.casefold() for one in _TOKEN.findall(_plain(text))]


def _organ(
    value: str, terms: Sequence[tuple[int, int, Term]], pack: Pack
) -> tuple[str, frozenset[int]]:
    """Return the organ that an illness and a part of the body in *value* are of, and the part.

    An illness of the eyes has an eye beside it, which stays: "conjunctivitis, both eyes".
    """
    organs = {
        start: organs_of(value[start:end], pack)
        for start, end, term in terms
        if not isinstance(term, Number | Date)
    }
    parts = {
        start
        for start, end, _ in terms
        if start in organs and _ORGAN_WORD.fullmatch(value[start:end])
    }
    for part in sorted(parts):
        for start, found in organs.items():
            if start not in parts and found & organs[part]:
                return min(found & organs[part]), frozenset(parts)
    return "", frozenset()


def _dosed(
    value: str, terms: Sequence[tuple[int, int, Term]], parts: list[str], draw: Draw
) -> list[str]:
    """Return *parts* with usual doses for the numbers right behind a medicine."""
    found = list(parts)
    for at in range(1, len(terms)):
        (start, end, _), (first, last, term) = terms[at - 1], terms[at]
        if isinstance(term, Number) and value[end:first].strip(" ,:") == "":
            own, number = value[start:end], value[first:last]
            dose = number_of(own, parts[at - 1], number, value[last : last + _UNIT], draw)
            found[at] = dose or parts[at]
    return found


def _apart(
    value: str,
    terms: Sequence[tuple[int, int, Term]],
    parts: Sequence[str],
    stay: frozenset[int] = frozenset(),
) -> bool:
    """Tell whether different terms have different surrogates in *parts*, but those that *stay*."""
    found: dict[str, str] = {}
    return all(
        found.setdefault(folded(part), own := term.normal(value[start:end])) == own
        for (start, end, term), part in zip(terms, parts, strict=True)
        if not term.may_stay and not isinstance(term, Number | Date) and start not in stay
    )


def _stands_before(
    value: str, terms: Sequence[tuple[int, int, Term]], parts: Sequence[str]
) -> bool:
    """Tell whether no part with a preposition stands right before another: "stiff in bed hand"."""
    return not any(
        value[end:after].isspace()
        and _PREPOSITION.search(part)
        and not _PREPOSITION.search(value[start:end])
        for (start, end, _), (after, _, _), part in zip(terms, terms[1:], parts, strict=False)
    )


def _written(value: str, terms: Sequence[tuple[int, int, Term]], parts: Sequence[str]) -> str:
    found, at = [], 0
    for (start, end, _), part in zip(terms, parts, strict=True):
        found += [value[at:start], part]
        at = end
    written = _TWO_ARTICLES.sub(r"\1 ", "".join([*found, value[at:]]))
    if "s's" not in value:
        written = written.replace("s's", "s'")  # "the Seafarers' local", as "the Pilot's local"
    if ".." not in value:
        written = written.replace("..", ".")  # "C.P." has its stop as a term, and another behind
    if _DOTTED_END.search(value) and _UNDOTTED_END.search(written):
        written += "."  # the term had the stop of "C.P.", and the other term has none
    return with_inner_articles(written)


@lru_cache(maxsize=64)
def _data(entity: str, pack: Pack) -> Mapping[str, Any] | None:
    item = pack.file(f"{FOLDER}/{entity}.yaml")
    return load(item) if item else None


class _File:
    """Read the frames of one entity; each error message names the file, *name*."""

    def __init__(self, entity: str, slot_of: SlotOf, pack: Pack) -> None:
        self.name, self.entity = "", entity
        self.pack = pack
        self.slot_of = slot_of
        self.files = {one: _data(one, pack) or {} for one in (entity, SHARED)}
        self.own = self.files[entity]
        for data in self._each():
            self._check(data, _KEYS if data is self.own else _SHARED_KEYS, "the file")
        self.kinds: dict[str, Kind] = {}
        self.unknown: list[Other] = []
        self.named: set[str] = set()

    def _each(self) -> Iterator[Mapping[str, Any]]:
        """Yield the data of each file, whose name an error has meanwhile; the entity's is first."""
        for name, data in self.files.items():
            self.name = f"frames/{name}.yaml"
            yield data

    def _listed(self, key: str) -> list[str]:
        return [word for data in self._each() for word in self._texts(data.get(key), key)]

    def frames(self, plainest: Form | None) -> Frames:
        """Return the form."""
        terms = [one for data in self._each() for one in self._terms(data)]
        self.name = f"frames/{self.entity}.yaml"
        language = check_language(self.own, self.pack.overlay, f"phrases/{self.name}")
        months = "|".join(
            re.escape(one) for month in language.months for one in (month.name, month.short)
        )
        year = r"(?:1[6-9]|20)\d\d"
        dates = re.compile(
            rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:{months})\.?(?:,? {year})?"
            rf"|(?:{months})\.? \d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:,? {year})?"
            rf"|(?:{months})\.?,? {year}"
            rf"|\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:{year}|\d\d)|(?:{months})|{year})(?!\w)"
        )
        alone, predicates = (
            frozenset(self._texts(self.own.get(key), key)) for key in ("alone", "predicates")
        )
        for key, kinds in (("alone", alone), ("predicates", predicates)):
            if odd := sorted(kinds - self.named):
                raise self.fail(f"`{key}` names {odd[0]!r}, which is no kind")
        numbers = self._listed("numbers")
        of_all, own = (
            {one.casefold() for one in self._texts(data.get("numbers"), "numbers")}
            for data in (self.files[SHARED], self.own)
        )
        telling = frozenset(self._texts(self.own.get("telling"), "telling"))
        words = [word for word in (*self._listed("words"), *numbers) if word not in telling]
        zones = self.own.get("zones") or {}
        if odd := sorted(set(zones) - self.named - {_NO_ZONE}):
            raise self.fail(f"`zones` names {odd[0]!r}, which is no kind")
        return Frames(
            words, terms, self.unknown, dates,
            numbers if self.own.get("numbers") else (), alone, predicates, plainest,
            self.entity.upper().removesuffix(FIRST.upper()),
            {name: frozenset(self._texts(of_part, "zones")) for name, of_part in zones.items()},
            frozenset(own - of_all),
            frozenset(map(folded, self._texts(self.own.get("bound"), "bound"))),
        )  # fmt: skip

    def _terms(self, data: Mapping[str, Any]) -> Iterator[tuple[str, Term]]:
        for key in ("terms", "circumstances"):
            for name, listed in (data.get(key) or {}).items():
                self.named.add(str(name))
                yield from self._kind(str(name), listed, tells=key == "terms")

    def _kind(self, name: str, listed: Any, tells: bool) -> Iterator[tuple[str, Term]]:
        if isinstance(listed, str) and listed.startswith("{"):
            slot = self._slot(listed, name)
            known = Known(name, tells, slot)
            yield from ((spelling, known) for spelling in self._spellings(slot, name))
            return
        if isinstance(listed, dict):
            self._check(listed, _KIND_KEYS, f"kind {name}")
            yield from self._other(name, listed, tells)
            return
        written: list[str] = []
        meanings: dict[str, tuple[str, str]] = {}
        years: dict[str, tuple[int, int]] = {}
        all_spellings: list[str] = []
        for row in self._texts(listed, name):
            dated = _DATED.fullmatch(row)
            text = (dated["row"] if dated else row).removeprefix(_READ_ONLY)
            spellings = [one.strip() for one in text.split("|")]
            all_spellings += spellings
            if not row.startswith(_READ_ONLY):
                written.append(spellings[0])
            if dated:
                years[spellings[0]] = int(dated["since"] or 0), int(dated["until"] or _EVER)
            for spelling in spellings:
                meanings.setdefault(folded(spelling), (spellings[0], spelling))
        if len(written) < _FEWEST:
            raise self.fail(f"kind {name} has not {_FEWEST} terms to draw from")
        if len(written) - len(years) < _FEWEST - 1:
            raise self.fail(f"kind {name} has not {_FEWEST - 1} terms of all years")
        self.kinds[name] = Kind(name, tells, tuple(written), meanings, years)
        yield from ((spelling, self.kinds[name]) for spelling in all_spellings)

    def _other(self, name: str, data: Mapping[str, Any], tells: bool) -> Iterator[tuple[str, Term]]:
        written = str(data.get("write", ""))
        slot = self.kinds.get(written) or self._slot(written, name)
        try:
            # It ends where a word does.
            like = re.compile(rf"(?:{data['like']})(?![^\W_])") if "like" in data else None
        except re.error as error:
            raise self.fail(f"kind {name}: bad `like`: {error}") from None
        before = self._texts(data.get("after"), name)
        if odd := next((one for one in before if " " in one), ""):
            raise self.fail(f"kind {name}: `after` takes single words, not {odd!r}")
        if "like" not in data and (
            odd := next((one for one in ("after", "sure") if one in data), "")
        ):
            raise self.fail(f"kind {name} has `{odd}` but no `like`")
        after = frozenset("," if one == _COMMA else one.casefold() for one in before)
        listed = self._texts(data.get("read"), name)
        names = frozenset(one for one in listed if one[:1].isupper() and one[1:2].islower())
        found = Other(name, tells, slot, like, after, data.get("sure") is True, names)
        if like:
            self.unknown.append(found)
        for one in listed:
            if _SLOT.fullmatch(one):
                yield from (
                    (spelling, found) for spelling in self._spellings(self._slot(one, name), name)
                )
            else:
                yield one, found

    def _slot(self, text: str, name: str) -> Slot:
        if not _SLOT.fullmatch(text):
            raise self.fail(
                f"kind {name}: {text!r} is no list; write '{{list}}' or '{{table.column}}'"
            )
        try:
            return self.slot_of(text)
        except PackError:
            raise self.fail(f"kind {name}: no list or table {text}") from None

    def _spellings(self, slot: Slot, name: str) -> tuple[str, ...]:
        if isinstance(slot, Column | ListSlot):
            return slot.terms
        raise self.fail(f"kind {name} names neither a list nor a table")

    def _texts(self, listed: Any, name: str) -> tuple[str, ...]:
        if not isinstance(listed, str | None):
            raise self.fail(f"{name} is not a text; part its terms by commas")
        return tuple(" ".join(one.split()) for one in (listed or "").split(",") if one.strip())

    def _check(self, data: Any, allowed: set[str], where: str) -> None:
        if not isinstance(data, dict):
            raise self.fail(f"{where} is not a mapping")
        if unknown := sorted(set(map(str, data)) - allowed):
            raise self.fail(f"{where}: unknown key {unknown[0]!r}; there are {sorted(allowed)}")

    def fail(self, problem: str) -> PackError:
        return PackError(f"phrases/{self.name}", problem)


def frames(
    entity: str, slot_of: SlotOf, pack: Pack, plainest: Form | None = None, first: bool = False
) -> Frames | None:
    """Return the form of *entity* by frames; None if the pack lists none for it.

    Args:
        entity: The name of an entity.
        slot_of: Returns the slot of ``phrases/ENTITY.yaml`` that a text such as ``{party}`` names.
        pack: The pack in use.
        plainest: Writes what no draw of terms fits, if given.
        first: Whether to return those that are tried before shapes.

    Raises:
        PackError: The file is invalid.
    """
    name = f"{entity.lower()}{FIRST if first else ''}"
    return _File(name, slot_of, pack).frames(plainest) if _data(name, pack) else None
