"""Define the parts of a phrase that are replaced: lists, tables, numbers, names and places."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page, blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.values import nations
from presidio_cdip.surrogates.values.changes import other_change
from presidio_cdip.surrogates.values.codes import YEAR, recoded
from presidio_cdip.surrogates.values.marital_rows import other_state
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.medicines import any_medicine, replaced
from presidio_cdip.surrogates.values.name_words import PARTICLES
from presidio_cdip.surrogates.values.names import first_name, person
from presidio_cdip.surrogates.values.setting import (
    FEW_OF_BRANCH,
    MEDICAL,
    ORGAN,
    USE,
    Marks,
    Setting,
    Treated,
    first_places,
    fitting,
    heads_of,
    of_its_time,
    setting_of,
    year_of,
)
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.text import (
    cased_as_listed,
    cased_like,
    folded,
    has_whole,
)

_KEPT = 4096  # lists of rows by setting that a table keeps
_FEW = 8  # rows from which one is drawn, if a table has so many
_NAME = "noun"  # the column of names, and the forms for which a name can stand
_STANDS_FOR = {"short": "{}", "patient": "{} patient"}
_ALIKE = 4  # rows of a kind from which one is drawn
_LISTED = 20  # draws for a term that is exchanged in no cycle
_CYCLE = 512  # terms of a list that is exchanged as a whole
TOGETHER = 8  # attempts that draw the same row of a table of which a page tells one
_MANY = 3  # rows with a word that tells only their kind, in such a table
_FEW_TOLD = 2  # rows that a word of the page tells, so that none of the others replaces one
_SURE = 3  # letters of a name that is no abbreviation of something else
_UNSURE = re.compile(r"KIT|RET|APP|ATM|SMA|TBP|NBN|PKD|TSC|AIP|ALD|TTN|BLM|GAA|GLA|IDS|ENG|MSH")
_GENE = "gene"  # the column of genes in a table of disorders
_CHANGES = ("variant", "protein")  # and those of their changes
_USUAL = 8  # a usual row is drawn so many times as often as another
# Words of four letters or more that any phrase can have
GRAMMAR = frozenset({
    "with", "from", "that", "this", "they", "them", "their", "have", "been", "were", "into", "over",
    "after", "before", "since", "about", "which", "whose", "when", "while", "being", "having",
    "would", "could", "does", "other",
})  # fmt: skip
READ_ONLY = "~"  # before a spelling of a table that is read and not written
WRITE_ONLY = "+"  # before one that is written and not read, since another column reads it


class Slot:
    """Define a part of a phrase that is replaced by another term of its kind."""

    #: The text it matches: a regular expression without groups.
    pattern: str
    may_stay = False

    def normal(self, text: str) -> str:
        """Return the normalised *text*."""
        return folded(text)

    def kind(self, text: str) -> str:
        """Return the features of *text* that its surrogate keeps, such as "digits"."""
        return ""

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw a term other than *text*."""
        raise NotImplementedError

    def fresh(self, draw: Draw) -> str:
        """Draw any term, for a template with a slot that the original does not have."""
        raise NotImplementedError


@dataclass(frozen=True)
class ListSlot(Slot):
    """Match one of a list of terms that fit the same place."""

    name: str
    terms: tuple[str, ...]

    @cached_property
    def pattern(self) -> str:  # type: ignore[override]
        """Return an expression for the terms that prefers the longest."""
        return alternation(self.terms)

    @cached_property
    def common(self) -> frozenset[str]:
        """Return the words that half of the terms have, such as "warrant"."""
        return common_words(self.terms)

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw another term, the same for equal terms of the scope."""
        if (medicine := replaced(text, draw, self.name)) is not None:
            return medicine
        own = self._folded().get(folded(text), text)
        other = another(text, own, self.terms, self.name, draw, self.common, _LISTED)
        return cased_as_listed(text, own, other)

    def fresh(self, draw: Draw) -> str:
        """Draw any term; any medicine is one for what the page tells of the value."""
        if (medicine := any_medicine(draw, self.name)) is not None:
            return medicine
        return draw.chance.choice(fitting(self.terms, draw))

    def _folded(self) -> Mapping[str, str]:
        return _by_fold(self.terms)


def written_of(spelling: str) -> str:
    """Return a spelling of a table without the mark of those that are only read or written."""
    return spelling.removeprefix(READ_ONLY).removeprefix(WRITE_ONLY)


def shared_words(one: str, other: str) -> frozenset[str]:
    """Return the words of four letters or more that two texts share, without their endings."""
    return words_of(one) & words_of(other)


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """Return the words of four letters or more of *text*, without their endings.

    Words of the grammar, such as "with", tell nothing, and are left out.
    """
    found = (word for word in _WORDS.findall(folded(text)) if word not in GRAMMAR)
    return frozenset(word[:6] for word in found)


def another(
    text: str,
    own: str,
    terms: tuple[str, ...],
    name: str,
    draw: Draw,
    common: frozenset[str],
    tries: int,
    only: frozenset[str] = frozenset(),
) -> str:
    """Return one of *terms* that fits the page and does not tell *text*, the same for equal *own*.

    All terms are tried until one fits, so that pages mostly agree.

    Args:
        text: The original.
        own: The term that it is; it may be none of *terms*.
        terms: The terms that are drawn.
        name: The name of the list.
        draw: Of the value.
        common: Words that tell nothing, as of `too_near`.
        tries: How many are drawn if *own* is none of them, or they are too many for a cycle.
        only: Those that come first, if given.
    """
    purpose, pack = f"{draw.entity} {name}", lists.pack_of(draw.options)
    part = draw.part(purpose, folded(own))
    common = telling_nothing(own, common, draw.entity, pack)
    apart = _apart_from(text, own, terms, common, pack)
    apart = tuple(one for one in apart if one in only) or apart
    fit = frozenset(fitting(apart, draw, (folded(own),)))
    if own in terms and len(terms) <= _CYCLE:
        found = draw.exchanged(purpose, terms, own, fit.__contains__)
    else:
        drawn = (part.choice(terms, but=own) for _ in range(tries))
        found = next((one for one in drawn if one in fit), None)
    return found or part.choice(apart or terms, but=own)


@lru_cache(maxsize=8192)
def _apart_from(
    text: str, own: str, terms: tuple[str, ...], common: frozenset[str], pack: Pack
) -> tuple[str, ...]:
    """Return those of *terms* that tell neither *text* nor the term *own* that it is."""
    return tuple(
        one
        for one in terms
        if one != own
        and not too_near(text, one, common)
        and not says_the_same(text, one, pack)
        and not says_the_same(own, one, pack)
    )


def telling_nothing(own: str, common: frozenset[str], entity: str, pack: Pack) -> frozenset[str]:
    """Return *common* with the heads of *entity*, unless *own* has nothing else: "surgery"."""
    known = heads(pack, entity)
    return common if words_of(own) <= known else common | known


@lru_cache(maxsize=8)
def heads(pack: Pack, entity: str) -> frozenset[str]:
    """Return the words, as of `words_of`, that tell only the class of a value of *entity*."""
    return words_of(" ".join(heads_of(pack, entity)))


def common_words(terms: Sequence[str]) -> frozenset[str]:
    """Return the words, as of `words_of`, that at least half of *terms* have.

    >>> common_words(("Green Party", "Liberal Party", "Socialists"))
    frozenset({'party'})
    """
    counts = Counter(word for term in terms for word in words_of(term))
    return frozenset(word for word, count in counts.items() if 2 * count >= len(terms))


def too_near(value: str, written: str, common: frozenset[str] = frozenset()) -> bool:
    """Tell whether *written* tells *value*: by a word, or since it has more words, signs or blanks.

    Args:
        value: The original.
        written: Its surrogate.
        common: Words, as of `words_of`, that tell nothing, since most terms of a kind have them.

    >>> too_near("transitioning", "detransitioning"), too_near("HbAS", "Hb AS")
    (True, True)
    >>> too_near("pneumonia", "asthma"), too_near("not a carrier", "non-carrier")
    (False, True)
    >>> too_near("building rep", "rep"), too_near("papers", "second papers")
    (True, True)
    >>> too_near("Green Party", "Liberal Party", frozenset({"party"}))
    False
    """
    if shared_words(value, written) - common:
        return True
    own, new = _all_words(value), _all_words(written)
    if _is_part(new, own) or (_is_part(own, new) and not own <= common):
        return True
    one, other = _letters(value), _letters(written)
    return one == other or any(
        len(word) > _CONTAINED and word in text and word[:6] not in common
        for word, text in (
            *((word, other) for word in _long_words(value)),
            *((word, one) for word in _long_words(written)),
        )
    )


def _is_part(less: frozenset[str], more: frozenset[str]) -> bool:
    """Tell whether *more* has all words of *less*, among them one that is no letter or number."""
    return less <= more and any(len(word) > 1 and not word.isdigit() for word in less)


@lru_cache(maxsize=16384)
def _all_words(text: str) -> frozenset[str]:
    """Return the words of *text*, short ones too, without those of the grammar."""
    words = _ANY_WORD.findall(text)  # "A" is a blood group
    return frozenset(word.casefold()[:6] for word in words if word not in _SMALL)


@lru_cache(maxsize=16384)
def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, folded(text)))


@lru_cache(maxsize=16384)
def _long_words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(folded(text)))


_WORDS = re.compile(r"[^\W\d_]{4,}")
_APART = re.compile(r"(?<=\b\w\.) (?=\w(?:\.|$))")  # between the letters of "u. m. w"
_ANY_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset({
    "a", "an", "the", "of", "in", "on", "at", "to", "for", "with", "and", "or", "by", "from", "his",
    "her", "my", "was", "is", "are", "were", "been", "has", "had", "be", "i", "he", "she", "it",
    "s",
})  # fmt: skip
_CONTAINED = 5  # letters of a word that may stand within another by chance


@lru_cache(maxsize=256)
def _by_fold(terms: tuple[str, ...]) -> Mapping[str, str]:
    return {folded(term): term for term in terms}


@dataclass(frozen=True)
class Table:
    """List meanings as rows, and the grammatical forms in which each can be written as columns.

    Attributes:
        rows: By row, the spellings in each column; empty if the meaning has no such form. Those
            behind ``~``, such as offensive words, are read and not written, those behind ``+`` are
            written and not read.
        independent: Whether the original's row is drawn like the others. So it must be, if there
            are so few rows, or so few usual ones, that excluding the original would disclose it.
        agree: The columns of the original's row that drawn rows must have, so that its spellings
            agree. That tells which of these columns the original has.
        apart: Whether drawn rows share no word with the original's.
        usual: Rows that are drawn more often for any original, since they fit most pages.
        kinds: By row, its kinds, the nearest first: it is drawn from rows of the first of which
            four have its forms.
        marks: By row, where it can stand.
        one: Whether a page tells of one row, so that what is drawn for other words agrees with the
            row that a value of the page names first.
        meanings: By row, the lines of ``synonyms.txt`` that it has: of one line, none replaces
            another.
        heads: Words that tell no row, as of `heads`, where a row has others.
        courses: By row, its courses or what it is for, the nearest first.
        treated: Rows of illnesses for which there are medicines: one of these replaces a row that
            stands beside a medicine.
        beside: Finds what stands beside a medicine on a page, if the table has such rows.
        listed: The gazetteer of its rows; empty if the file of the entity has them.
        tells: By row, the words that tell it where they stay on a page, or of which few rows it
            is one; a word that ends in ``*`` has any ending.
        near: If not 0, the drawn row is at most so many places away, as numbers in their order are.
    """

    name: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[tuple[str, ...]]]
    independent: bool = False
    agree: tuple[str, ...] = ()
    apart: bool = False
    usual: frozenset[str] = frozenset()
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    marks: Mapping[str, Marks] = field(default_factory=dict, repr=False, compare=False)
    one: bool = False
    near: int = 0
    listed: str = ""
    tells: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    heads: frozenset[str] = frozenset()
    courses: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False, compare=False)
    meanings: Mapping[str, frozenset[int]] = field(default_factory=dict, repr=False, compare=False)
    treated: frozenset[str] = frozenset()
    beside: Treated | None = None
    _others: dict[tuple[str, tuple[str, ...] | None], tuple[str, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _chosen: dict[tuple[str, tuple[str, ...] | None], str] = field(
        default_factory=dict, repr=False, compare=False
    )
    _fitting: dict[tuple[str, Setting, tuple[str, ...] | None], frozenset[str]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _folds: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    _only_read: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def cell(self, row: str, column: str) -> tuple[str, ...]:
        """Return the spellings of *row* in *column* that are written; none without the column."""
        if column not in self.columns:
            return ()
        return tuple(
            written_of(one) for one in self._spellings(row, column) if not one.startswith(READ_ONLY)
        )

    def named(self, row: str, column: str) -> tuple[str, ...]:
        """Return what a name of *row* gives for *column*, if a name can stand for that form."""
        form = _STANDS_FOR.get(column, "") if self.kinds or self.courses else ""
        return tuple(form.format(one) for one in self.cell(row, _NAME)[:1]) if form else ()

    def others(self, row: str, columns: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return the rows from which the surrogate of *row* is drawn, in any column.

        In a table that agrees, they can be written in all columns that agree and in which *row* can
        be, so that its spellings get spellings of one other row.

        Args:
            row: What is replaced.
            columns: Those in which the page writes it, where it is known: others need not agree,
                and rows of its course come before rows that agree.
        """
        if (row, columns) not in self._others:
            rows = [other for other in self._around(row) if other != row]
            own = self.meanings.get(row, frozenset())
            if len(self.rows) >= _FEW:
                rows = [one for one in rows if own.isdisjoint(self.meanings.get(one, ()))] or rows
                whole = [one for one in rows if not self._has_whole(one, row)]
                rows = whole if len(whole) >= _ALIKE else rows
            course, found = self._of_course(row, rows, columns)
            for kind in self.kinds.get(row, ()):
                alike = [other for other in rows if self.kinds[other][:1] == (kind,)]
                found = found or self._agreeing(row, alike, _ALIKE)
                if self.one:  # another kind of disorder contradicts more than another form
                    found = found or self._apart(row, alike)
            found = found or self._agreeing(row, rows, _FEW) or rows
            if columns and not course:
                pools = (self._writable(found, columns), self._writable(rows, columns))
                found = next((one for one in pools if len(one) >= _ALIKE), found)
            if self.independent:
                found = [one for one in self.rows if one == row or one in found]
            self._others[row, columns] = tuple(
                other
                for other in found
                for _ in range(_USUAL if other in self.usual and not course else 1)
            )
            self._chosen[row, columns] = course
        return self._others[row, columns]

    def course_of(self, row: str, columns: tuple[str, ...] | None) -> str:
        """Return the course by which `others` chooses the rows; an empty string if by none."""
        self.others(row, columns)
        return self._chosen[row, columns]

    def _of_course(
        self, row: str, rows: Sequence[str], columns: tuple[str, ...] | None
    ) -> tuple[str, Sequence[str]]:
        """Return the first course of *row* of which enough of *rows* agree, and these."""
        of_branch = self._of_branch(row, rows)
        asked = [columns]
        if columns and USE in columns and not self.kinds:  # an event's course tells more
            asked.append(tuple(one for one in columns if one != USE))
        for each, (among, few) in product(asked, ((of_branch, FEW_OF_BRANCH), (rows, _ALIKE))):
            for course in self._courses(row):
                alike = [other for other in among if course in self._courses(other)]
                if each is None:
                    found = self._agreeing(row, alike, few)
                else:
                    found = self._writable(self._apart(row, alike), each)
                if len(found) >= few:
                    return course, found
        return "", ()

    def _of_branch(self, row: str, rows: Sequence[str]) -> Sequence[str]:
        """Return those of *rows* that are of a branch of medicine of *row*."""
        own = self._branches(row)
        return [one for one in rows if own & self._branches(one)]

    def _branches(self, row: str) -> frozenset[str]:
        marks = self.marks.get(row)
        return dict(marks.tags).get(MEDICAL, frozenset()) if marks else frozenset()

    def _writable(self, rows: Sequence[str], columns: Sequence[str]) -> Sequence[str]:
        """Return those of *rows* that can be written in all *columns*."""
        return [
            one for one in rows
            if all(
                one in self.treated
                if each == USE
                else self.cell(one, each) or self.named(one, each)
                for each in columns
            )
        ]  # fmt: skip

    def _courses(self, row: str) -> Sequence[str]:
        """Return the courses of the illness *row*; a page's one disorder has none."""
        return () if self.one else self.courses.get(row, ())

    def written_on(self, page: Page, entity: str, row: str) -> tuple[str, ...] | None:
        """Return the columns in which values of *entity* on *page* write *row*.

        One more, `USE`, stands for the medicines beside it. None if it has neither these nor a
        course, so that no column comes before another.
        """
        dosed = page.fact(self.beside) if self.beside and not self.one else frozenset()
        with_medicine = not dosed.isdisjoint(self.folded(row))
        if not self._courses(row) and not with_medicine:
            return None
        known = page.fact(first_places).get(entity, {})
        columns = tuple(
            column
            for column in self.columns
            if any(folded(written_of(one)) in known for one in self._spellings(row, column))
        )
        return (*columns, USE) if with_medicine else columns

    def fitting(
        self, row: str, setting: Setting, columns: tuple[str, ...] | None = None
    ) -> frozenset[str]:
        """Return those of `others` that can stand in *setting*."""
        if (row, setting, columns) not in self._fitting:
            if len(self._fitting) > _KEPT:
                self._fitting.clear()
            found = tuple(dict.fromkeys(self.others(row, columns)))
            fit = setting.indices([self.marks[one] for one in found], _fewest(len(self.rows)))
            self._fitting[row, setting, columns] = frozenset(found[index] for index in fit)
        return self._fitting[row, setting, columns]

    def of_organ(self, organ: str, row: str, column: str) -> tuple[str, ...]:
        """Return the rows other than *row* of a part of the body that *column* can write.

        Those that have medicines, as *row* has, or else those of its course come alone if they are
        enough.
        """
        own = self.meanings.get(row, frozenset())
        found = tuple(
            one
            for one, marks in self.marks.items()
            if one != row
            and organ in dict(marks.tags).get(MEDICAL, ())
            and own.isdisjoint(self.meanings.get(one, ()))
            and (self.cell(one, column) or self.named(one, column))
        )
        courses = frozenset(self._courses(row))
        near = tuple(
            one
            for one in found
            if (one in self.treated if row in self.treated else courses & {*self._courses(one)})
        )
        return near if len(near) >= _ALIKE else found

    def folded(self, row: str) -> tuple[str, ...]:
        """Return the folded spellings of *row*."""
        if row not in self._folds:
            cells = (one for column in self.columns for one in self._spellings(row, column))
            self._folds[row] = tuple(dict.fromkeys(folded(written_of(one)) for one in cells))
        return self._folds[row]

    def only_read(self, row: str) -> frozenset[str]:
        """Return the folded spellings of *row* that are written in none of its columns."""
        if row not in self._only_read:
            written = (one for column in self.columns for one in self.cell(row, column))
            self._only_read[row] = frozenset(self.folded(row)) - frozenset(map(folded, written))
        return self._only_read[row]

    def told(self, page: Page) -> str:
        """Return the row of which a value of *page* names a code first, or else any name."""
        first = ""
        for one in page.findings:
            for match in self._named.finditer(page.text, one.start, one.end):
                row = self._whole.normal(match.group())
                if match.group().isupper():
                    return row
                first = first or row
        return first

    def same_as_told(self, row: str, page: Page) -> str:
        """Return the row that *page* names first, if *row* is the same in other words; or *row*."""
        told = page.fact(self.told)
        own, other = self.meanings.get(row, frozenset()), self.meanings.get(told, frozenset())
        return row if own.isdisjoint(other) else told

    def named_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield the start and end of each spelling of a row in *text*, and the row."""
        for match in self._named.finditer(text):
            yield match.start(), match.end(), self._whole.normal(match.group())

    @cached_property
    def telling(self) -> Sequence[tuple[re.Pattern[str], frozenset[str]]]:
        """Return an expression for each word that tells rows, and these rows."""
        words: dict[str, set[str]] = defaultdict(set)
        for row, own in self.tells.items():
            for word in own:
                words[word].add(row)
        return tuple(
            (re.compile(_any_ending(word), 0 if word.isupper() else re.IGNORECASE), frozenset(own))
            for word, own in words.items()
        )

    def tell_same(self, page: Page) -> "RowsTold":
        """Return the rows of which *page* tells beside its values."""
        return page.fact(_RowsTold(self.name, self))

    @cached_property
    def _whole(self) -> "Column":
        """Return the slot that matches any column."""
        return self.column("")

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """Return an expression for a spelling of any row; codes are words in small letters."""
        codes = tuple(one for one in self._whole.terms if one.isupper())
        words = tuple(one for one in self._whole.terms if not one.isupper())
        either = "|".join((*filter(None, [alternation(codes)]), f"(?i:{alternation(words)})"))
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)")

    def _around(self, row: str) -> Sequence[str]:
        """Return the rows that are near enough to replace *row*."""
        rows = tuple(self.rows)
        at = rows.index(row)
        return rows[max(0, at - self.near) : at + self.near + 1] if self.near else rows

    def _agreeing(self, row: str, rows: Sequence[str], few: int) -> Sequence[str]:
        """Return those of *rows* that agree with *row*; none if fewer than *few* do.

        Rows of its kind need not have the forms for which their name can stand, nor those in which
        *row* is only read.
        """
        if not self.agree:
            return rows if len(rows) >= few else ()
        apart = self._apart(row, rows) if self.apart or self.one else rows
        columns = [column for column in self._columns(row) if column in self.agree]
        if few <= _ALIKE:
            columns = [one for one in columns if one not in _STANDS_FOR and self.cell(row, one)]
        full = [other for other in apart if all(self.cell(other, one) for one in columns)]
        if len(full) < few and few == _FEW:
            full = list(apart)  # no other row may have all of its forms
        return full if len(full) >= few else ()

    def _apart(self, row: str, rows: Sequence[str]) -> Sequence[str]:
        own = self._words[row] - self.common
        own = own - self.heads or own
        return [other for other in rows if not own & self._written[other]]

    def _has_whole(self, row: str, other: str) -> bool:
        """Tell whether *row* is written with all of a name of *other*: "liver cancer"."""
        names = {one for column in self.columns for one in self.cell(other, column)[:1]}
        written = {one for column in self.columns for one in self.cell(row, column)}
        return any(has_whole(one, name) for one in written for name in names)

    def _spellings(self, row: str, column: str) -> tuple[str, ...]:
        return self.rows[row][self.columns.index(column)]

    def _columns(self, row: str) -> tuple[str, ...]:
        return tuple(column for column in self.columns if self._spellings(row, column))

    @cached_property
    def common(self) -> frozenset[str]:
        """Return the words that tell no row, such as "church" or "disease"."""
        counts = Counter(word for found in self._words.values() for word in found)
        most = _MANY if self.one else len(self.rows) / 4
        return frozenset(word for word, count in counts.items() if count > most)

    @cached_property
    def _words(self) -> Mapping[str, frozenset[str]]:
        """Return the words of all spellings by row."""
        return {
            row: words_of(
                " ".join(
                    one for column in self._columns(row) for one in self._spellings(row, column)
                )
            )
            for row in self.rows
        }

    @cached_property
    def _written(self) -> Mapping[str, frozenset[str]]:
        """Return the words of the spellings by row that are written."""
        return {
            row: words_of(
                " ".join(one for column in self.columns for one in self.cell(row, column))
            )
            for row in self.rows
        }

    def column(self, name: str) -> "Column":
        """Return the slot that matches column *name*, or any column if *name* is empty."""
        wanted = range(len(self.columns)) if not name else [self.columns.index(name)]
        cells: dict[str, tuple[str, int, int]] = {}
        for index in wanted:
            for row, spellings in self.rows.items():
                for number, spelling in enumerate(spellings[index]):
                    if spelling.startswith(WRITE_ONLY):
                        continue
                    cells.setdefault(folded(written_of(spelling)), (row, index, number))
        terms = tuple(
            dict.fromkeys(
                written_of(spelling)
                for row in self.rows.values()
                for index in wanted
                for spelling in row[index]
                if not spelling.startswith(WRITE_ONLY)
            )
        )
        return Column(self, terms, cells)


@dataclass(frozen=True, slots=True)
class RowsTold:
    """Hold the rows of a table of which a page tells beside its values.

    Attributes:
        named: Rows that are named, or the only ones that a word of the page tells.
        alike: By row, the others that words of the page tell as well.
    """

    named: frozenset[str]
    alike: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class _RowsTold:
    """Find the rows of *table* of which the rest of a page tells: a fact of `Page.fact`."""

    name: str
    table: Table = field(compare=False)

    def __call__(self, page: Page) -> RowsTold:
        table, text = self.table, blanked(page)
        told = [own for word, own in table.telling if word.search(text)]
        few = {row for own in told if len(own) <= _FEW_TOLD for row in own}
        several = [own for own in told if len(own) > _FEW_TOLD]
        alike = {
            row: tuple(
                other
                for other in table.rows
                if other != row and all(other in own for own in several if row in own)
            )
            for row in frozenset().union(*several)
        }
        named = {
            row
            for start, end, row in table.named_in(text)
            if end - start >= _SURE
            and not _UNSURE.fullmatch(text, start, end)
            and (row not in alike or text[start:end].isupper())
        }
        return RowsTold(frozenset(named | few), alike)


def _change(name: str, chance: Chance) -> str:
    """Return a change of a gene of which none is listed, written as those of column *name*."""
    if name == _CHANGES[0]:
        place, base = 112 + chance.below(4000), chance.choice("ACGT")
        return f"{place}{chance.choice(('del', 'dup', 'ins'))}{base}"
    acids = chance.choice(("RC", "RW", "GD", "PL", "EK", "DN", "TM", "SF", "QX", "WX"))
    return f"{acids[0]}{31 + chance.below(900)}{acids[1]}"


def _any_ending(word: str) -> str:
    """Return an expression for *word*, which may end in ``*``."""
    ends = r"\w*" if word.endswith("*") else r"(?!\w)"
    return rf"(?<!\w){re.escape(word.rstrip('*'))}{ends}"


def _fewest(rows: int) -> int:
    """Return from how many rows that fit a setting one is drawn, in a table of so many."""
    return 1 if rows < _FEW else 2


@dataclass(frozen=True)
class Column(Slot):
    """Match a column of a table; the surrogate is another row in the same column."""

    table: Table
    terms: tuple[str, ...]
    cells: Mapping[str, tuple[str, int, int]] = field(repr=False)

    @cached_property
    def pattern(self) -> str:  # type: ignore[override]
        """Return an expression for all cells that prefers the longest."""
        return alternation(self.terms)

    @property
    def of_nations(self) -> bool:
        """Tell whether its words are names of nations or peoples."""
        return self.table.listed in nations.TABLES

    @property
    def may_stay(self) -> bool:  # type: ignore[override]
        """Tell whether the table is independent."""
        return self.table.independent

    def normal(self, text: str) -> str:
        """Return the row, the same for all spellings in all columns."""
        found = self._cell(text)
        return found[0] if found else folded(text)

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw another row, and return its spelling in the same column."""
        found = self._cell(text)
        if found is None:
            return self.fresh(draw)
        if of_row := other_state(text, draw):
            return of_row
        row, column, spelling = found
        own = self.table.rows[row][column]
        name = self.table.columns[column]
        # The first name of an illness is what most people call it; other columns go in step.
        first = own[spelling].startswith(READ_ONLY) or (name == _NAME and self.table.courses)
        at = 0 if first else self.table.cell(row, name).index(own[spelling])
        cell = self._other(row, name, draw, stays=self._stays(row, own[spelling], draw))
        if not cell:  # no row that can stand there has the column
            part = draw.part(f"{draw.entity} {self.table.name}", row)
            fresh = (self.fresh(part) for _ in range(_LISTED))
            return next((one for one in fresh if one not in own), part.choice(self.written))
        if self.table.independent and cell == self.table.cell(row, name):
            return text
        if name in _CHANGES and self.table.one:
            return cell[min(at, len(cell) - 1)]  # "3730delC", never "3730DELC"
        return cased_as_listed(text, written_of(own[spelling]), cell[min(at, len(cell) - 1)])

    def _stays(self, row: str, spelling: str, draw: Draw) -> bool:
        """Tell whether an independent table can draw *row* for itself.

        Not for a word that is only read, since that would be of no other row, and the row's other
        words tell it; nor for other words of the row on a page that has such a word.
        """
        if not self.table.independent:
            return True
        if spelling.startswith(READ_ONLY):
            return False
        if (context := context_of(draw.options)) is None:
            return True
        known = context.page.fact(first_places).get(draw.entity, {})
        return known.keys().isdisjoint(self.table.only_read(row))

    def _other(self, row: str, name: str, draw: Draw, stays: bool = True) -> tuple[str, ...]:
        """Return the spellings in column *name* of the row drawn for *row*; none if none has it.

        Args:
            row: What is replaced.
            name: The column.
            draw: Of the value.
            stays: Whether *row* may be drawn, too, if the table is independent.
        """
        table = self.table
        if self.of_nations and row and (of_page := nations.spelled(draw, table.listed, row, name)):
            return of_page
        context = context_of(draw.options)
        if table.one:  # attempts at other words of the phrase stay with the row
            draw = draw.candidate(draw.attempt // TOGETHER)
            row = table.same_as_told(row, context.page) if row and context else row
        part = draw.part(f"{draw.entity} {table.name}", row)
        columns = table.written_on(context.page, draw.entity, row) if context and row else None
        rows = table.others(row, columns) if row else tuple(table.rows)
        fit = self._fit(row, draw, columns) if row else None
        if not stays:
            rows = tuple(one for one in rows if one != row) or rows
            fit = fit and (fit - {row} or None)
        if table.tells and context and row:
            told = table.tell_same(context.page).alike.get(row, ())
            form = _GENE if name in _CHANGES else name
            told = tuple(one for one in told if table.cell(one, form) or table.named(one, form))
            rows, fit = (told, None) if len(told) >= _FEW_TOLD else (rows, fit)
        if organ := draw.options.get(ORGAN):
            alike = table.of_organ(str(organ), row, name)
            rows, fit = (alike, None) if len(alike) >= _ALIKE else (rows, fit)
        year, pack = year_of(draw.options), lists.pack_of(draw.options)

        def cell(other: str) -> tuple[str, ...]:
            return table.cell(other, name) or table.named(other, name)

        def timely(other: str) -> tuple[str, ...]:
            own = cell(other) if fit is None or other in fit else ()
            return of_its_time(own, year, pack) if year and own else own

        if context and row and not organ and not table.independent:
            for other in self._in_turn(row, draw, context):
                if found := timely(other):
                    return found
        untimely: tuple[str, ...] = ()
        of_gene = table.one and name in _CHANGES
        for _ in range(20 * len(rows)):
            other = part.chance.choice(rows)
            if of_gene and table.cell(other, _GENE) and (fit is None or other in fit):
                return timely(other) or (_change(name, part.chance),)
            if found := timely(other):
                return found
            untimely = untimely or (cell(other) if fit is None or other in fit else ())
        return untimely

    def _in_turn(self, row: str, draw: Draw, context: Context) -> Sequence[str]:
        """Return rows of the course of *row*, the next to be tried first; none if it has none.

        Different illnesses of a page get different ones as long as there are some.
        """
        turns = context.page.fact(_Turns(draw.keyring, draw.entity, self.table.name, self.table))
        own = turns.get(row, ())
        at = draw.attempt % len(own) if own else 0
        return (*own[at:], *own[:at])

    def _fit(self, row: str, draw: Draw, columns: tuple[str, ...] | None) -> frozenset[str] | None:
        """Return the rows that can replace *row* on the page; None if all can.

        They are chosen among all rows until one fits, so that pages mostly agree.
        """
        table = self.table
        if not table.marks:
            return None
        setting = setting_of(draw, table.folded(row), alone=True)
        return None if setting is None else table.fitting(row, setting, columns)

    def _cell(self, text: str) -> tuple[str, int, int] | None:
        """Find the cell of *text*; the letters of "U. M. W." may be written apart.

        `folded` reads a small l before capitals as I, so try both.
        """
        tried = (folded(text), folded(text.lower()), _APART.sub("", folded(text)))
        return next((self.cells[one] for one in tried if one in self.cells), None)

    def fresh(self, draw: Draw) -> str:
        """Draw any cell that is written; of the page's one row, if the table has such."""
        context = context_of(draw.options)
        if self.table.one and context:
            name = self.table.columns[self._column]
            if cell := self._other(context.page.fact(self.table.told), name, draw):
                return cell[0]
        marks = self.table.marks
        setting = setting_of(draw) if marks else None
        year = year_of(draw.options)
        if setting is None:
            timely = year and of_its_time(self.written, year, lists.pack_of(draw.options))
            return draw.chance.choice(timely or self.written)
        fit = setting.indices([marks[row] for row in self._rows], _fewest(len(self._rows)))
        return draw.chance.choice([self.written[index] for index in fit])

    @cached_property
    def _column(self) -> int:
        """Return the index of the first column that it matches."""
        return min(column for _, column, _ in self.cells.values())

    @cached_property
    def _rows(self) -> tuple[str, ...]:
        """Return the row of each spelling that is written."""
        return tuple(self.cells[folded(one)][0] for one in self.written)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Return the spellings that are not only read."""
        only = {
            written_of(one)
            for row in self.table.rows.values()
            for cell in row
            for one in cell
            if one.startswith(READ_ONLY)
        }
        return tuple(term for term in self.terms if term not in only)


@dataclass(frozen=True)
class _Turns:
    """Put the rows for each illness of a page in order: a fact of `Page.fact`.

    Each has an order of its own in a scope; what another illness of the page is or gets comes last.
    """

    keyring: Keyring
    entity: str
    name: str
    table: Table = field(compare=False)

    def __call__(self, page: Page) -> Mapping[str, Sequence[str]]:
        found: dict[str, Sequence[str]] = {}
        known = page.fact(first_places).get(self.entity, {})
        places = {
            row: min(at)
            for row in self.table.rows
            if (at := [known[one] for one in self.table.folded(row) if one in known])
        }
        taken = set(places)
        for row in sorted(places, key=lambda one: places[one]):
            columns = self.table.written_on(page, self.entity, row)
            if not self.table.course_of(row, columns):
                continue
            chance = self.keyring.chance(f"{self.entity} {self.table.name}", row)
            order = list(dict.fromkeys(self.table.others(row, columns)))
            for last in range(len(order) - 1, 0, -1):
                other = chance.below(last + 1)
                order[last], order[other] = order[other], order[last]
            found[row] = [one for one in order if one not in taken] or order
            taken.add(found[row][0])
        return found


@dataclass(frozen=True)
class NumberSlot(Slot):
    """Match a number in digits or words; draw one between *low* and *high*, if given."""

    low: str = ""
    high: str = ""
    pattern = numerals.NUMBER

    def kind(self, text: str) -> str:
        """Return whether the number is in digits or words, and whether it is one."""
        how = "digits" if any(char.isdigit() for char in text) else "words"
        return how if numerals.value_of(text) != 1 and text != "1" else f"one in {how}"

    def normal(self, text: str) -> str:
        """Return the number in digits."""
        value = numerals.value_of(text)
        return text.replace(",", "") if value is None else str(value)

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw another number, written alike; a year moves as the dates of its scope do."""
        if YEAR.fullmatch(text) and YEAR.fullmatch(self.low):
            return surrogate_of_part("DATE_TIME", text, draw)
        part = draw.part(f"{draw.entity} number", self.normal(text))
        near = draw.options.get("draw") != "random"
        return cased_like(text, numerals.redrawn(text, part.chance, self.low, self.high, near=near))

    def fresh(self, draw: Draw) -> str:
        """Draw a number in the range, or a small one."""
        return numerals.redrawn("5", draw.chance, self.low or "2", self.high or "9")


_CAPITAL = r"(?-i:[^\W\d_a-zß-öø-ÿ])"


class AnySlot(Slot):
    """Match any words. They are never written, so its shape must have templates."""

    pattern = r"(?s:.+?)"


@dataclass(frozen=True)
class NameSlot(Slot):
    """Match a person's name; it is replaced as a PERSON is."""

    pattern = (
        rf"(?:(?:Miss|Mrs?\.?|Ms\.?|Dr\.?|Prof\.?)\s+)?{_CAPITAL}[\w.'’\-]*"
        rf"(?:\s+(?:(?:{alternation(tuple(sorted(PARTICLES)))})\s+)*{_CAPITAL}[\w.'’\-]*){{0,4}}"
    )

    def redraw(self, text: str, draw: Draw) -> str:
        """Return the surrogate of the name."""
        return first_name(draw, text) if text.isalpha() else person(draw, text)

    def fresh(self, draw: Draw) -> str:
        """Draw a first name."""
        return draw.chance.choice(lists.terms("first_names_female", lists.pack_of(draw.options)))


@dataclass(frozen=True)
class PlaceSlot(Slot):
    """Match a town or country; it is replaced as a LOCATION is."""

    pattern = NameSlot.pattern + r"(?:,\s+[\w. ]+)?"

    def redraw(self, text: str, draw: Draw) -> str:
        """Return the surrogate of the place."""
        return surrogate_of_part("LOCATION", text, draw)

    def fresh(self, draw: Draw) -> str:
        """Draw a town."""
        return draw.chance.choice(lists.rows("us_towns", lists.pack_of(draw.options)))["town"]


@dataclass(frozen=True)
class OrganizationSlot(Slot):
    """Match the name of an organization; it is replaced as an ORGANIZATION is."""

    pattern = NameSlot.pattern

    def redraw(self, text: str, draw: Draw) -> str:
        """Return the surrogate of the organization."""
        return surrogate_of_part("ORGANIZATION", text, draw)

    def fresh(self, draw: Draw) -> str:
        """Draw an organization."""
        return self.redraw("Union Hospital", draw)


@dataclass(frozen=True)
class CodeSlot(Slot):
    """Match a code of letters and digits, such as the number of a template."""

    pattern = r"[A-Za-z0-9]+(?:[-./:][A-Za-z0-9]+)*"

    def redraw(self, text: str, draw: Draw) -> str:
        """Return *text* with other digits, and other letters beside them."""
        return recoded(text, draw.part(f"{draw.entity} code", text))

    def fresh(self, draw: Draw) -> str:
        """Draw a code."""
        return recoded("A1-2345", draw)


@dataclass(frozen=True)
class ChangeSlot(Slot):
    """Match a change of a gene by its place; it becomes one at another place, written alike."""

    pattern = r"[cpmgn]\.\(?[\w+*>_-]*\d[\w+*>_-]*\)?"

    def redraw(self, text: str, draw: Draw) -> str:
        """Return another change."""
        return other_change(text, draw)

    def fresh(self, draw: Draw) -> str:
        """Draw a change of a gene."""
        return other_change("c.502C>T", draw)


@dataclass(frozen=True)
class PeopleSlot(Slot):
    """Match the name of any people; it is one of the page's nations, or of the names near it."""

    pattern = rf"{_CAPITAL}[\w'’\-]+"

    def redraw(self, text: str, draw: Draw) -> str:
        """Draw a people, without regard to *text*."""
        return self.fresh(draw)

    def fresh(self, draw: Draw) -> str:
        """Draw a people that fits the page; any people of the gazetteer if it tells none."""
        if found := nations.people_here(draw):
            return found
        listed = lists.rows("descents", lists.pack_of(draw.options))
        known = tuple(row["descent"] for row in listed if row["descent"][:1] != READ_ONLY)
        return draw.chance.choice(fitting(known, draw))


BUILT_IN: Mapping[str, Callable[[str, str], Slot]] = {
    "any": lambda low, high: AnySlot(),
    "number": NumberSlot,
    "name": lambda low, high: NameSlot(),
    "place": lambda low, high: PlaceSlot(),
    "change": lambda low, high: ChangeSlot(),
    "code": lambda low, high: CodeSlot(),
    "people": lambda low, high: PeopleSlot(),
    "organization": lambda low, high: OrganizationSlot(),
}
