"""Find the values that a form's print explains: ticked options, and cells under a heading.

The rules for them have ``where: [ticked]``, ``[column]`` or ``[half]``. Their claims win over all
others: the print says what a value is, whatever it looks like elsewhere.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.boxes import BOX
from presidio_cdip.recognition.choices import ITEM, NO_OPTION, Option, options
from presidio_cdip.recognition.coded import cells_with, coded
from presidio_cdip.recognition.compiled import Compiled
from presidio_cdip.recognition.folding import Terms, Words, fold
from presidio_cdip.recognition.halves import halves
from presidio_cdip.recognition.legends import fields_with_legend, legends
from presidio_cdip.recognition.overlaps import Claim
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.persons import (
    FIRST_NAMES,
    NAMES,
    PERSONS_NAME,
    are_persons,
    have_known_names,
)
from presidio_cdip.recognition.premises import Signs, names_business
from presidio_cdip.recognition.reading import Reading
from presidio_cdip.recognition.spans import Span, trim
from presidio_cdip.recognition.tables import (
    Cell,
    Column,
    IsKnown,
    Stretch,
    bare,
    table,
    turned,
)
from presidio_cdip.recognition.unheaded import told_by_cells
from presidio_cdip.recognition.validity import NEVER_NONE, asks_of_person

TICKED, COLUMN, HALF = "ticked", "column", "half"
CHECKS_OF_FORM = frozenset({TICKED, COLUMN, HALF})
"""The checks of spans that a form's print explains."""

_COST = -1  # below that of every other claim
_FEWEST_KNOWN = 2  # options of a block that tell what it asks, if no label does
_HINT = re.compile(r"[ \t]*\([^()\n]*\)[\s.:?_-]*\Z")
_HAS_WORD = re.compile(r"[^\W_]{2}|(?<![^\W_])[A-Z](?![^\W_])")
_QUESTION = 4  # words of a label, at most, that is a question by a term in it
_MOST = 0.7  # the share of a column's cells that must look like values
_MOST_OF_WORDS = 1 / 3  # if one is a known word: no list has all
_FEWEST_HEADINGS = 2  # words of a table's heading that are known
_MOST_HEADINGS = 40
_FEWEST_CELLS = 2  # of a column
_FEWEST_TURNED = 2  # rows of a turned table that hold values
_LONGEST_CODE = 4  # characters of a code
_FEWEST_FIELDS = 3  # in lines in a row
_LONGEST_LINE = 400  # characters; a longer one has no fields
_LABEL_OF_FIELD = r"[^\W\d_][\w./'&-]{0,20}(?: [\w./'&-]{1,12}){0,2} ?:"
_FIELD = re.compile(
    rf"(?:(?<![^\n])|(?<=\s\s)|(?<=[;,|] ))(?P<label>{_LABEL_OF_FIELD}) {{0,8}}"
    r"(?P<value>[^\s:;,|]+(?: [^\s:;,|]+){0,4}?)"
    rf"(?=\s\s|\s*\Z|[;,|](?!\S)| {_LABEL_OF_FIELD})"
)
_PAIR = re.compile(  # "religion": "Quaker", 'age': 34, "allergies": ["sulfa", "latex"]
    r"(?P<quote>[\"'])(?P<label>[^\W\d_][^\"'\n:]{1,39})(?P=quote)\s{0,4}:\s{0,4}(?P<value>"
    r"(?P<mark>[\"'])[^\"'\\\n]{0,200}(?P=mark)|\d[\d.]{0,20}(?![\w.-])|null|true|false"
    r"|\[(?:\s{0,40}[\"'][^\"'\\\n]{1,80}[\"'],?){1,20}\s{0,40}\])"
)
_VALUES = re.compile(r"(?<=[\"'])[^\"'\\\n,\[\]][^\"'\\\n]*(?=[\"'])|\d[\d.]*")  # of a pair
_NO_VALUE = frozenset({"null", "true", "false"})
_BRACE = re.compile(r"[{}]")
_APART = 400  # characters between two pairs of one record, at most
_LONGEST_HEADING = 40  # characters
_MOST_MEANINGS = 20  # short headings of a page that are looked for
_MOST_WORDS = 3  # of a heading that the page explains
_LONGEST_WORDS = 40  # characters of a cell of words
_LINES_UP = 6  # above a table's first cell in which its heading is looked for
_LANGUAGE = english().labels
_OTHERS = frozenset(_LANGUAGE["headings"])
_OF_PERSONS = frozenset(_LANGUAGE["headings_of_persons"])
_OF_THINGS_ALONE = frozenset(_LANGUAGE["headings_of_things_alone"])
_OF_THINGS = frozenset(_LANGUAGE["headings_of_things"]) | _OF_THINGS_ALONE
_REMARKS = frozenset(_LANGUAGE["headings_of_remarks"])
_PERSONS = frozenset(map(bare, (*_LANGUAGE["headings_of_persons"], *_LANGUAGE["relatives"])))
_RELATIVES = frozenset(map(bare, _LANGUAGE["relatives"]))
_WORD_BEFORE, _WORD_BEHIND = re.compile(r"[^\s|,;] \Z"), re.compile(r" [^\s|,;]")
_OF_WORK = frozenset(_LANGUAGE["workplaces"])
_OF_STAFF = frozenset(map(bare, _LANGUAGE["headings_of_staff"]))
_TITLES = frozenset(map(bare, _LANGUAGE["titles"]))
_OF_NAMES = frozenset(_LANGUAGE["headings_of_names"])
_ADDRESS = _LANGUAGE["address"][0]
HOME_HEADING = re.compile("home|res|private")  # begins the heading of a column of homes, as `bare`
_OF_HOME = frozenset(_LANGUAGE["homes"])
_OF_HOMES = "HOME_ADDRESS", "HOME_PHONE_NUMBER"
_BIRTH = "DATE_OF_BIRTH"  # of which a list has one column
_HAD_MANY = frozenset({"CRIMINAL_OFFENCE", "HEALTH"})
"""Entities of which one person has many values, as allergies."""
_OF_PERSONS_ALONE = frozenset({"MARITAL_STATUS", "RELIGION", "US_SSN"})
"""Entities that no animal and no thing has, so that a list with one is of persons."""
_COLOURS = frozenset(_LANGUAGE["colours"])  # of paint as well as of people
_OF_GOODS = frozenset({"ETHNIC_ORIGIN", "GENDER", "NATIONALITY", "RELIGION"})
"""Entities whose options are as well those of a paint, a plug, a dish or a school.

Letters are so for all, as sizes."""
_NOT_GIVEN = "|".join(_LANGUAGE["not_given"])
_NONE = re.compile(rf"(?i)\W*(?:{'|'.join(_LANGUAGE['none'])})\W*")  # says nothing of its column
_PARTS = re.compile(r"[\s_]+|(?<=[a-z])(?=[A-Z])")  # between the words of a heading
_OF_PLACES = frozenset(map(bare, _LANGUAGE["labels_of_parts"]))
_ALL_OWNERS = (*_LANGUAGE["persons"], *_LANGUAGE["owners"], *_LANGUAGE["relatives"])
_OWNERS = re.compile(  # "patient_sex", "empRace", "Father's religion"; "Wife Age" may be two
    rf"(?i:{alternation(tuple(one for one in _ALL_OWNERS if len(one) > 1))})"
    r"(?:['’]s?[\s_]+|s?_|(?<=[a-z])(?=[A-Z]))(?=[^\W\d_]{3})"
)
_HOUR = re.compile(  # "Temp. 6 a.m."
    rf"(?i)[\s_]+\d{{1,2}}(?:[.:]\d\d)? ?(?:{alternation(_LANGUAGE['halves_of_days'])})\.?\Z"
)
_OF_LIST = re.compile(r"[^\s,][^,]*(?:,(?! )[^,]*)*")
_NAME_HEADINGS = frozenset({"name", "names", "nm", "fullname"})
_YEAR = re.compile(r"['’]?\d\d(?:\d\d)?")  # behind a heading
_WHOSE = frozenset(_LANGUAGE["kinds"])
_ENDS = frozenset(_LANGUAGE["ends_of_headings"])
_NO_CODES = frozenset(_LANGUAGE["no_codes"])
_NO_CELL = re.compile(rf"(?i)[\W_]*|(?:{_NOT_GIVEN}|n\W?a|unk|do)\W*")
_AMOUNT = re.compile(r"[$£€].*|.*(?<![\d.])\d[\d,]*[.,]\d\d(?![\d.]).*")


@dataclass(slots=True)
class Printed:
    """The rules for ticked options, for columns and for halves of forms."""

    rules: Sequence[Compiled]
    _by_cue: dict[str, list[Compiled]] = field(default_factory=dict, init=False)
    _by_term: dict[str, list[Compiled]] = field(default_factory=dict, init=False)
    _by_heading: dict[str, list[Compiled]] = field(default_factory=dict, init=False)
    _by_half: dict[str, list[Compiled]] = field(default_factory=dict, init=False)
    _first_words: frozenset[str] = field(init=False)
    _all_words: frozenset[str] = field(init=False)
    _headings: frozenset[str] = field(init=False)
    _of_tables: frozenset[str] = field(init=False)
    _persons: frozenset[str] = field(init=False)
    _questions: Terms = field(init=False)
    _options: Terms = field(init=False)
    _tellers: Mapping[str, Pattern] = field(init=False)

    def __post_init__(self) -> None:
        first_words = set()
        for compiled in self.rules:
            if HALF in compiled.rule.where:
                for cue in compiled.rule.cues:
                    self._by_half.setdefault(bare(cue), []).append(compiled)
                continue
            if COLUMN in compiled.rule.where:
                for cue in compiled.rule.cues:
                    self._by_heading.setdefault(bare(cue), []).append(compiled)
                    first_words |= {fold(re.findall(r"[^\W_]+", cue)[0]), fold(bare(cue))}
                continue
            for cue in compiled.rule.cues:
                self._by_cue.setdefault(cue, []).append(compiled)
            for term in compiled.rule.terms:
                self._by_term.setdefault(term, []).append(compiled)
        self._first_words = frozenset(first_words)
        self._all_words = self._first_words | {fold(word) for word in _OTHERS | _OF_PERSONS}
        self._of_tables = frozenset({*self._by_heading, *_OTHERS, *_OF_PERSONS})
        self._headings = frozenset({*self._by_heading, *_OTHERS, *_OF_PERSONS, *_OF_THINGS})
        self._persons = _OF_PERSONS.difference(self._by_heading)
        self._tellers = {
            bare(heading): cell
            for compiled in self.rules
            for heading, cell in compiled.unheaded.items()
        }
        self._questions, self._options = Terms(self._by_cue), Terms(self._by_term)

    def among(self, reading: Reading, claims: Iterable[Claim]) -> Iterator[Claim]:
        """Yield the claims of the rules, and those of *claims* that the print allows.

        What stands in an option that is not ticked, in a table's heading or in a legend is no
        value, nor is what begins there and goes on in the next line.
        """
        own, no_values = list[Claim](), list[Stretch]()
        folded = reading.words.folded
        of_headings = [index for index, word in enumerate(folded) if word in self._all_words]
        printed = list(self._options_of(reading))
        empty = {stretch for claim, stretch in printed if not claim}
        for claim, stretch in (
            *printed,
            *(one for one in self._columns_of(reading, of_headings) if one[1] not in empty),
            *self._unheaded_of(reading),
            *(one for one in self._fields_of(reading, of_headings) if one[1] not in empty),
            *self._pairs_of(reading),
            *self._codes_of(reading),
            *self._code_of_one(reading),
            *self._halves_of(reading),
        ):
            if claim:
                own.append(claim)
            else:
                no_values.append(stretch)
        no_values = sorted({*no_values, *legends(reading.text)})
        own.sort(key=_start)
        yield from own
        for claim in claims:
            start, end = claim.span.start, claim.span.end
            at = bisect_right(no_values, (start, len(reading.text)))
            stop = no_values[at - 1][1] if at else 0
            if start < stop and (end <= stop or "\n" in reading.text[stop:end]):
                coded_spans = at_codes(reading.text, claim.span)
                yield from (replace(claim, span=one) for one in coded_spans if one != claim.span)
                continue
            at = bisect_right(own, start, key=lambda one: one.span.end)
            if at == len(own) or not _is_replaced(claim, own[at]):
                yield claim

    # --- options ----------------------------------------------------------------------------------

    def _options_of(self, reading: Reading) -> Iterator[tuple[Claim | None, Stretch]]:
        """Yield each printed option with its claim, or with None if it is not ticked."""
        found = list(options(reading.text, lambda start, end: self._kinds(reading, start, end)))
        if not found:
            return
        by_term = [self._by_terms(reading, one.start, one.end) for one in found]
        known, colours = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        for option, rules in zip(found, by_term, strict=True):
            is_colour = reading.text[option.start : option.end].lower() in _COLOURS
            of_all = colours if is_colour else known
            of_all.update({(option.block, id(compiled)) for _, compiled in rules})
        known.update({one: many for one, many in colours.items() if known[one]})
        asked = {
            option.block
            for option, rules in zip(found, by_term, strict=True)
            if option.is_ringed and self._is_choice(reading, option, rules, known)
        }
        for option, rules in zip(found, by_term, strict=True):
            if option.is_ringed and option.block not in asked:
                continue
            if not option.ticked:
                yield None, (option.start, option.end)
                continue
            known_here = [one for one in rules if known[option.block, id(one[1])] >= _FEWEST_KNOWN]
            if option.is_answer:
                if chosen := self._of_question(reading, option):
                    yield from ((None, label) for label in option.labels[:1])
                else:
                    chosen = [one for one in self._of_label(reading, option) if not one[1].terms]
            else:
                of_label = self._of_label(reading, option)
                if of_label and of_label[0][1].rule.counter:
                    continue
                if not of_label and self._is_labelled(reading, option):
                    is_asked = self._is_asked(reading, option)
                    letter = option.end - option.start == 1 and is_asked
                    letter = letter and not asks_of_person(reading.text[slice(*option.labels[0])])
                    known_here = [
                        one
                        for one in known_here
                        if (one[1].entity not in _OF_GOODS and not letter)
                        or (one[1].entity == "GENDER" and not is_asked)
                    ]
                if option.is_written and not of_label:
                    known_here = [
                        ("", one)
                        for one in self.rules
                        if known[option.block, id(one)] >= _FEWEST_KNOWN
                    ]
                # Of two rules with one label, that which knows the option: a sex, or a transition
                knows = {id(one) for _, one in rules}
                of_label.sort(key=lambda one: id(one[1]) not in knows)
                chosen = of_label or known_here or self._of_heading(reading, option)
            for cue, compiled in chosen:
                if compiled.rule.counter:
                    break
                if claim := _claim(reading, compiled, option.start, option.end, cue, TICKED):
                    yield claim, (option.start, option.end)
                    break

    def _is_choice(
        self,
        reading: Reading,
        option: Option,
        rules: Sequence[tuple[str, Compiled]],
        known: Mapping[tuple[int, int], int],
    ) -> bool:
        """Return whether one of the options of *option* can be chosen: lists have remarks, too.

        A question mark says so, a known question of answers, two known options, or a label, of what
        one has one of: the rule has no `many`.
        """
        if option.is_asked(reading.text):
            return True
        told = [one for _, one in rules if known[option.block, id(one)] >= _FEWEST_KNOWN]
        told += [one for _, one in self._of_label(reading, option)]
        if option.is_answer and self._of_question(reading, option):
            return True
        return any(not one.rule.many for one in told)

    def _kinds(self, reading: Reading, start: int, end: int) -> Collection[str]:
        """Return the entities whose rules know the option at *start*; of an answer, that it is."""
        if reading.text[start:end].lower() in _LANGUAGE["answers"]:
            return ("answer",)
        terms = self._term_at(reading, start, end) or ()
        return {compiled.entity for term in terms for compiled in self._by_term[term]}

    def _term_at(self, reading: Reading, start: int, end: int) -> Sequence[str] | None:
        index = reading.words.first_at(start)
        if index >= len(reading.words.starts) or reading.words.starts[index] >= end:
            return None
        found = self._options.longest(reading.words, index)
        return found[1] if found and found[0] <= end else None

    def _by_terms(self, reading: Reading, start: int, end: int) -> list[tuple[str, Compiled]]:
        """Return the rules that know a term in ``[start, end)``."""
        rules = []
        index = reading.words.first_at(start)
        while index < len(reading.words.starts) and reading.words.starts[index] < end:
            found = self._options.longest(reading.words, index)
            if found and found[0] <= end:
                rules += [("", one) for term in found[1] for one in self._by_term[term]]
            index += 1
        return rules

    def _at_end(self, reading: Reading, start: int, end: int) -> list[tuple[str, Compiled]]:
        """Return the rules with a cue at the end of ``[start, end)``, hints in brackets aside."""
        hint = _HINT.search(reading.text, start, end)
        end = hint.start() if hint else end
        index = reading.words.first_at(start)
        while index < len(reading.words.starts) and reading.words.starts[index] < end:
            found = self._questions.longest(reading.words, index)
            if found and found[0] <= end and not _HAS_WORD.search(reading.text, found[0], end):
                return [(cue, one) for cue in found[1] for one in self._by_cue[cue]]
            index += 1
        return []

    def _of_label(self, reading: Reading, option: Option) -> list[tuple[str, Compiled]]:
        """Return the rules of the nearest label on the line that ends in a cue."""
        for label in option.labels:
            if rules := self._at_end(reading, *label):
                return rules
        return []

    def _of_heading(self, reading: Reading, option: Option) -> list[tuple[str, Compiled]]:
        """Return the rules of the line above, if it is a heading and the option has no label."""
        if option.heading is None or self._is_labelled(reading, option):
            return []
        return self._at_end(reading, *option.heading)

    def _is_labelled(self, reading: Reading, option: Option) -> bool:
        """Return whether words on the line of *option* say what it is an option of."""
        return any(
            _HAS_WORD.search(reading.text, *label) and not NO_OPTION.match(reading.text, *label)
            for label in option.labels
        )

    def _is_asked(self, reading: Reading, option: Option) -> bool:
        """Return whether a label before *option* has a colon or a question mark."""
        return any(reading.text[end - 1] in ":?" for _, end in option.labels)

    def _of_question(self, reading: Reading, option: Option) -> list[tuple[str, Compiled]]:
        """Return the rules that know the question of *option*, a yes or no.

        They have a term that begins it, or one anywhere in what ends with a question mark. Where
        nothing stands before the options, the question is the line above.
        """
        labels = option.labels[:1]
        if not self._is_labelled(reading, option) and option.heading:
            labels = [option.heading]
        for start, end in labels:
            if reading.text[end - 1] == "?":
                return self._by_terms(reading, start, end)
            if item := ITEM.match(reading.text, start, end):
                start = item.end()
            if len(reading.text[start:end].split()) <= _QUESTION:
                terms = self._term_at(reading, start, end) or ()
                return [("", one) for term in terms for one in self._by_term[term]]
        return []

    # --- columns ----------------------------------------------------------------------------------

    def _columns_of(
        self, reading: Reading, words: Iterable[int]
    ) -> Iterator[tuple[Claim | None, Stretch]]:
        """Yield each cell under a rule's heading, and with None each heading.

        Args:
            reading: The document.
            words: The indices of words of headings.
        """
        done = tried = 0
        meanings: dict[str, str] = {}
        for index in words:
            start = reading.words.starts[index]
            if start < done or reading.words.folded[index] not in self._first_words:
                continue
            line = reading.line(start)
            done = line[1]
            columns, turns, tried = self._table_at(reading, index, line, tried)
            headings = [self._heading(reading, *column.heading, meanings) for column in columns]
            known = [heading for heading in headings if heading in self._by_heading]
            if not known or not (_OF_PERSONS.intersection(headings) or len(known) > 2):
                continue
            if self._are_things(reading, headings, columns):
                continue
            pairs = zip(headings, columns, strict=True)
            told = [
                "" if _are_titles(reading.text, column) else heading for heading, column in pairs
            ]
            told += self._told_by_names(reading, headings, columns)
            for fewest in (1, _FEWEST_CELLS):
                found = [
                    list(
                        self._of_column(reading, told, heading, column, fewest)
                        if heading in self._by_heading
                        else self._of_answers(reading, column)
                    )
                    for heading, column in zip(headings, columns, strict=True)
                ]
                if sum(map(bool, found)) >= _FEWEST_FIELDS:
                    break  # else a column of one cell is none
            if sum(map(bool, found)) < (_FEWEST_TURNED if turns else 1):
                continue
            yield from chain.from_iterable(found)
            for column in columns:
                done = max([done, *(cell[-1][1] for cell in column.cells)])
                yield from ((None, heading) for heading in _headings_of(column))

    def _are_things(
        self, reading: Reading, headings: Sequence[str], columns: Sequence[Column]
    ) -> bool:
        """Return whether a list has a heading of things, and is not one of persons with things.

        Of persons is one whose first heading is a word for them ("Tenant, Age, Make"), which asks
        what persons alone have, or whose names are those of persons. What heads lists of animals
        and goods alone, as "Breed", no list of persons has.
        """
        if _OF_THINGS_ALONE.intersection(headings):
            return True
        if not _OF_THINGS.intersection(headings) or headings[0] in self._persons - _OF_NAMES:
            return False
        asked = {one.entity for heading in headings for one in self._by_heading.get(heading, ())}
        if asked & _OF_PERSONS_ALONE:
            return False
        known = self._known_names(*NAMES)
        return not any(
            heading in _NAME_HEADINGS
            and are_persons(names := [_text_of(reading, cell) for cell in column.cells])
            and have_known_names(names, known)
            for heading, column in zip(headings, columns, strict=True)
        )

    def _told_by_names(
        self, reading: Reading, headings: Sequence[str], columns: Sequence[Column]
    ) -> Iterator[str]:
        """Yield `PERSONS_NAME` if a column of names has those of persons and of no firm."""
        for heading, column in zip(headings, columns, strict=True):
            if heading not in _NAME_HEADINGS or not column.cells:
                continue
            names = [_text_of(reading, cell) for cell in column.cells]
            if are_persons(names, self._known_names(FIRST_NAMES)):
                yield PERSONS_NAME

    def _known_names(self, *lists: str) -> Collection[str]:
        return _small(*map(self.rules[0].forms.terms, lists))

    def _table_at(
        self, reading: Reading, index: int, line: Stretch, tried: int
    ) -> tuple[list[Column], bool, int]:
        """Return the columns of the table that *line* heads, and whether it is turned.

        The last is the offset up to which lines were read for a table that is turned.

        The columns of one that is turned are its rows. It says that it is of persons, by a heading
        or by its first row.

        Args:
            reading: The document.
            index: The index of a word of a heading in the line.
            line: The line.
            tried: Such an offset of a line before.
        """

        def is_heading(first: int, last: int) -> bool:
            return self._is_heading(reading.text, first, last)

        columns = (
            table(reading.text, *line, is_heading) if self._may_head(reading, index, line) else []
        )
        begins = not reading.text[line[0] : reading.words.starts[index]].strip(' \t"')
        if columns or not begins or line[0] < tried:
            return columns, False, tried
        rows, tried = turned(reading.text, *line, is_heading)
        names = {bare(reading.text[slice(*row.heading)]) for row in rows}
        heads = [reading.text[slice(*cell[0])] for cell in rows[0].cells] if rows else []
        of_persons = all(bare(head).rstrip("0123456789") in _PERSONS for head in heads)
        if rows and (of_persons or names & self._persons):
            return rows, True, tried
        return [], False, tried

    def _unheaded_of(self, reading: Reading) -> Iterator[tuple[Claim | None, Stretch]]:
        """Yield the cells of lists of persons without headings, where the columns tell these."""
        if not self._tellers:
            return

        def is_heading(first: int, last: int) -> bool:
            return self._is_heading(reading.text, first, last)

        for columns, told in told_by_cells(
            reading.text, self._tellers, self._known_names, is_heading
        ):
            for heading, column in zip(told, columns, strict=True):
                if heading in self._by_heading:
                    yield from self._of_column(reading, told, heading, column)

    def _fields_of(self, reading: Reading, words: Iterable[int]) -> Iterator[tuple[Claim, Stretch]]:
        """Yield the values of fields that have headings for labels: "Race: C   M.S.: D".

        They stand on lines in a row with three such labels, of which one is a person's.

        Args:
            reading: The document.
            words: The indices of words of headings.
        """
        block: list[tuple[str, Stretch]] = []
        done = 0
        for index in words:
            start = reading.words.starts[index]
            if start < done:
                continue
            line = reading.line(start)
            if line[0] > done + 1:
                yield from self._of_fields(reading, block)
                block = []
            done = line[1]
            if line[1] - line[0] < _LONGEST_LINE and ":" in reading.text[slice(*line)]:
                for field_ in _FIELD.finditer(reading.text, *line):
                    heading = bare(field_["label"])
                    if heading in self._headings and not BOX.match(
                        reading.text, *field_.span("value")
                    ):  # else it is printed, not written
                        block.append((heading, field_.span("value")))
        yield from self._of_fields(reading, block)

    def _of_fields(
        self, reading: Reading, fields: Sequence[tuple[str, Stretch]]
    ) -> Iterator[tuple[Claim, Stretch]]:
        labels = {heading for heading, _ in fields}
        if len(labels) < _FEWEST_FIELDS or not labels & _OF_PERSONS:
            return
        if self._are_things(reading, *_as_columns(fields)):
            return
        for heading, value in fields:
            rules = [one for one in self._by_heading.get(heading, ()) if one.terms]
            cell = (value,)
            rules.sort(key=lambda one: not _is_term(reading, one, cell))
            if _NO_CELL.fullmatch(reading.text, *value):
                continue
            for compiled in rules:
                claim = _claim(reading, compiled, *value, heading, COLUMN)
                if claim and _is_value(reading, compiled, cell):
                    yield claim, value
                    break

    def _pairs_of(self, reading: Reading) -> Iterator[tuple[Claim, Stretch]]:
        """Yield the values of records in JSON whose names are headings of persons.

        What an object within is of, as a person's car, is not of the person. A list holds values
        if it is of what a person has many of, and a field of the record has one value; else it
        holds the options of a form or a filter.
        """
        record: dict[int, list[tuple[str, Stretch]]] = {}
        objects, last, has_single = [0], 0, False
        meanings: dict[str, str] = {}
        for pair in _PAIR.finditer(reading.text) if "{" in reading.text else ():
            if pair.start() > last + _APART:
                yield from self._of_record(reading, record if has_single else {})
                record, objects, has_single = {}, [0], False
            for brace in _BRACE.finditer(
                reading.text, max(last, pair.start() - _APART), pair.start()
            ):
                if brace[0] == "{":
                    objects.append(brace.start())
                elif len(objects) > 1:
                    objects.pop()
            last = pair.end()
            own = record.setdefault(objects[-1], [])
            heading = self._heading(reading, *pair.span("label"), meanings)
            has_single |= pair["value"][0] != "[" and heading in self._headings
            values = [value.span() for value in _VALUES.finditer(reading.text, *pair.span("value"))]
            is_choice = len(values) > 1 and not any(
                one.entity in _HAD_MANY for one in self._by_heading.get(heading, ())
            )
            if is_choice or pair["value"] in _NO_VALUE:
                values = [(last, last)]
            own += [(heading, value) for value in values]
        yield from self._of_record(reading, record if has_single else {})

    def _of_record(
        self, reading: Reading, record: Mapping[int, Sequence[tuple[str, Stretch]]]
    ) -> Iterator[tuple[Claim, Stretch]]:
        """Yield the values of a record of a person, without its objects that are things.

        Args:
            reading: The document.
            record: The fields of each object.
        """
        fields = [
            field
            for own in record.values()
            if own and not self._are_things(reading, *_as_columns(own))
            for field in own
        ]
        headings, columns = _as_columns(fields)
        if len(headings) < _FEWEST_FIELDS or not _OF_PERSONS.intersection(headings):
            return
        told = [*headings, *self._told_by_names(reading, headings, columns)]
        for heading, value in fields:
            if value[0] == value[1] or _NO_CELL.fullmatch(reading.text, *value):
                continue
            cell = (value,)
            rules = [one for one in self._by_heading.get(heading, ()) if one.allows_headings(told)]
            rules = [one for one in rules if _is_value(reading, one, cell)]
            rules.sort(key=lambda one: not _is_term(reading, one, cell))
            claims = (_claim(reading, one, *value, heading, COLUMN) for one in rules)
            if claim := next(filter(None, claims), None):
                yield claim, value

    def _codes_of(self, reading: Reading) -> Iterator[tuple[Claim | None, Stretch]]:
        """Yield the codes whose meaning a rule knows, and with None each entry of their legend."""
        for legend in coded(reading.text):
            for entry in legend:
                yield None, (entry.start, entry.end)
                rules = [one for _, one in self._by_terms(reading, entry.start, entry.end)]
                for cell in entry.cells:
                    claims = (_claim(reading, one, *cell, "", COLUMN) for one in rules)
                    if claim := next(filter(None, claims), None):
                        yield claim, cell

    def _code_of_one(self, reading: Reading) -> Iterator[tuple[Claim, Stretch]]:
        """Yield each code of a field whose legend stands behind it.

        The label tells what it is, or two meanings that a rule knows.
        """
        for one in fields_with_legend(reading.text):
            known = Counter(
                compiled
                for meaning in one.meanings
                for compiled in {rule for _, rule in self._by_terms(reading, *meaning)}
            )
            of_meaning = [rule for _, rule in self._by_terms(reading, *one.meaning)]
            rules = [rule for _, rule in self._at_end(reading, *one.label)]
            if reading.text[slice(*one.meaning)].lower() in _LANGUAGE["answers"]:
                rules = [rule for rule in rules if not rule.terms]
                rules += [rule for _, rule in self._by_terms(reading, *one.label)]
            rules = rules or [rule for rule in of_meaning if known[rule] >= _FEWEST_KNOWN]
            cue = bare(reading.text[slice(*one.label)])
            for compiled in rules:
                if compiled.rule.counter:
                    break
                if claim := _claim(reading, compiled, *one.code, cue, TICKED):
                    yield claim, one.code
                    break

    def _halves_of(self, reading: Reading) -> Iterator[tuple[Claim | None, Stretch]]:
        """Yield the values below the heading of half a form, and with None each heading.

        What nothing stands below is no heading: "Wife   Son" in a list of dependents.
        """
        for heading, below in halves(reading.text):
            if below:
                yield None, heading
            cue = bare(reading.text[slice(*heading)])
            for compiled in self._by_half.get(cue, ()):
                for start, end in below:
                    for pattern in compiled.free:
                        if not (match := pattern.search(reading.text, start, end)):
                            continue
                        place = pattern.value(match)
                        if claim := _claim(reading, compiled, *place, cue, HALF):
                            yield claim, place

    def _may_head(self, reading: Reading, index: int, line: Stretch) -> bool:
        """Return whether *line* has two words of headings; one has the *index*."""
        words = reading.words
        first = index
        while first and words.starts[first - 1] >= line[0] and index - first < _MOST_HEADINGS:
            first -= 1
        last = bisect_left(
            words.starts, line[1], index, min(len(words.starts), index + _MOST_HEADINGS)
        )
        return sum(word in self._all_words for word in words.folded[first:last]) >= _FEWEST_HEADINGS

    def _is_heading(self, text: str, start: int, end: int) -> bool:
        if end - start > _LONGEST_HEADING:
            return False
        heading = _bare_heading(text, start, end, self._of_tables)
        return heading in self._of_tables and (
            heading not in _RELATIVES or _is_alone(text, start, end)
        )

    def _heading(self, reading: Reading, start: int, end: int, meanings: dict[str, str]) -> str:
        """Return a heading, or the one for which the page says it stands: "ST = MARITAL STATUS".

        Args:
            reading: The document.
            start: Offset of the heading.
            end: Offset after it.
            meanings: What the page says, of each heading that was looked for.
        """
        if bare(reading.text[start:end]) not in self._by_heading:
            end = _without_hint(reading.text, start, end)
        short = _without_ends(reading.text[start:end], self._by_heading)
        first, _, rest = reading.text[start:end].partition(" ")
        is_whose = first.lower() in _WHOSE - _OF_WORK and short not in self._by_heading
        if is_whose and bare(rest) in self._by_heading:
            return bare(rest)
        if short not in self._by_heading and (owner := _OWNERS.match(reading.text, start, end)):
            own = _without_ends(reading.text[owner.end() : end], self._by_heading)
            if own in self._by_heading:
                return own
        if short not in self._by_heading and _YEAR.fullmatch(rest):
            short = bare(first)
        if end - start > _LONGEST_CODE or not short.isalpha():
            return short
        if short not in meanings and len(meanings) < _MOST_MEANINGS:
            meanings[short] = self._meaning(reading, short)
        return meanings.get(short, short)

    def _meaning(self, reading: Reading, short: str) -> str:
        signs = "=" if short in self._by_heading else "=:"  # as label it has a value behind a colon
        meant = re.compile(rf"(?<!\w)(?i:{short})\.? ?[{signs}] ?([^\W\d_][\w /]{{2,40}})")
        for one in meant.finditer(reading.text):
            words = one[1].split()
            for many in range(min(len(words), _MOST_WORDS), 0, -1):
                if (heading := bare("".join(words[:many]))) in self._by_heading:
                    return heading
        return short

    def _of_column(
        self,
        reading: Reading,
        headings: Sequence[str],
        heading: str,
        column: Column,
        fewest: int = _FEWEST_CELLS,
    ) -> Iterator[tuple[Claim | None, Stretch]]:
        rules = [one for one in self._by_heading.get(heading, ()) if one.allows_headings(headings)]
        cells = [
            one
            for one in self._cells_of(reading, column, rules)
            if not _is_empty(reading, one, rules)
        ]
        texts = [_text_of(reading, cell) for cell in cells]
        numbers = texts == [str(number) for number in range(1, len(cells) + 1)]
        if numbers and all(self._begins(reading, cell) for cell in cells):
            return  # of the rows
        given = [
            cell for cell, text in zip(cells, texts, strict=True) if not _NONE.fullmatch(text)
        ] or cells
        best: Compiled | None = None
        most = 0, 0
        for compiled in rules:
            terms = sum(_is_term(reading, compiled, cell) for cell in given)
            values = sum(_is_value(reading, compiled, cell) for cell in given)
            share = _MOST_OF_WORDS if terms else _MOST
            least = share * len(given) if compiled.rule.values else 1
            if compiled.rule.values and len(cells) < fewest:
                continue
            words = sum(end - start > _LONGEST_CODE for (start, end), *_ in given)
            if compiled.terms and not terms and words > (1 - _MOST) * len(given):
                continue  # words, of which none is known
            if values >= least and (terms, values) > most:
                best, most = compiled, (terms, values)
        if best is None:
            return
        empty = (cell for cell in column.cells if _is_empty(reading, cell, rules))
        yield from ((None, part) for cell in empty for part in cell)
        codes = any(
            cell[0][1] - cell[0][0] <= _LONGEST_CODE and _is_value(reading, best, cell)
            for cell in cells
        )
        for cell in cells:
            if _is_value(reading, best, cell) or (
                best.rule.values and _is_like(reading, best, cell, codes)
            ):
                for part in _parts(reading.text, best, cell):
                    if claim := _claim(reading, best, *part, heading, COLUMN):
                        yield claim, part

    def _of_answers(self, reading: Reading, column: Column) -> Iterator[tuple[Claim, Stretch]]:
        """Yield the cells of a column of "yes" and "no", if its heading has what a rule asks."""
        cells = [cell[0] for cell in column.cells if not _is_empty(reading, cell)]
        if len(cells) < _FEWEST_CELLS or not all(
            reading.text[start:end].lower() in _LANGUAGE["answers"] for start, end in cells
        ):
            return
        heading = bare(reading.text[slice(*column.heading)])
        asked = (one for _, one in self._at_end(reading, *column.heading) if not one.terms)
        for compiled in (*(one for _, one in self._by_terms(reading, *column.heading)), *asked):
            if compiled.rule.counter:
                return
            claims = [_claim(reading, compiled, *cell, heading, COLUMN) for cell in cells]
            if all(claims):
                yield from zip(filter(None, claims), cells, strict=True)
                return

    def _begins(self, reading: Reading, cell: Cell) -> bool:
        start = cell[0][0]
        return not reading.text[reading.line(start)[0] : start].strip()

    def _cells_of(
        self, reading: Reading, column: Column, rules: Sequence[Compiled]
    ) -> Iterator[Cell]:
        """Yield the cells of *column* that may be values.

        The lines of one cell belong together if they are a value of a rule; else each is alone.
        """
        for cell in column.cells:
            whole = len(cell) == 1 or any(_is_value(reading, one, cell) for one in rules)
            yield from (cell,) if whole else ((part,) for part in cell)


def _as_columns(fields: Sequence[tuple[str, Stretch]]) -> tuple[list[str], list[Column]]:
    """Return the different headings of *fields*, and for each a column of its values."""
    cells: dict[str, list[Cell]] = {}
    for heading, value in fields:
        own = cells.setdefault(heading, [])
        own += [(value,)] if value[0] < value[1] else []
    return [*cells], [Column((0, 0), one) for one in cells.values()]


def at_codes(text: str, span: Span) -> list[Span]:
    """Return *span* at the codes whose meaning it is in a legend; itself if it is in none."""
    cells = cells_with(text, span.start, span.end)
    if cells is None:
        return [span]
    return [replace(span, start=start, end=end, check=COLUMN) for start, end in cells]


def _is_alone(text: str, start: int, end: int) -> bool:
    """Return whether ``[start, end)`` is a cell, and not a word of one as in "Wife Tel."."""
    before = _WORD_BEFORE.search(text, max(0, start - 2), start)
    return not before and not _WORD_BEHIND.match(text, end)


def _without_hint(text: str, start: int, end: int) -> int:
    """Return the end of a heading without its unit or form in brackets: "Age (yrs)"."""
    hint = _HINT.search(text, start, end)
    return hint.start() if hint else end


def _headings_of(column: Column) -> Sequence[Stretch]:
    """Return the heading of *column*; if it has none, its cells, which head a turned table."""
    start, end = column.heading
    return [column.heading] if end > start else [part for cell in column.cells for part in cell]


@lru_cache(maxsize=4)
def _small(*lists: tuple[str, ...]) -> Collection[str]:
    return frozenset(map(str.lower, chain.from_iterable(lists)))


def _start(claim: Claim) -> int:
    return claim.span.start


def _is_replaced(claim: Claim, own: Claim) -> bool:
    """Return whether *own* says where the value of *claim* starts and ends."""
    if claim.counter or claim.span.entity != own.span.entity or not claim.span.overlaps(own.span):
        return False
    return own.span.check == COLUMN or claim.span.start < own.span.start


def _is_empty(reading: Reading, cell: Cell, rules: Sequence[Compiled] = ()) -> bool:
    """Return whether a cell says that nothing is known, or what it costs if no rule knows that."""
    text = _text_of(reading, cell)
    if _NO_CELL.fullmatch(text):
        return True
    is_amount = _AMOUNT.fullmatch(text) is not None
    return is_amount and not any(_is_value(reading, one, cell) for one in rules)


def _is_like(reading: Reading, compiled: Compiled, cell: Cell, codes: bool) -> bool:
    """Return whether a cell beside values of the rule is one that no list has.

    In a column with *codes* it is short enough for a code that OCR garbled; in one of words it is
    a word.
    """
    text = reading.text[slice(*cell[0])]
    if compiled.terms and _NONE.fullmatch(text):
        return compiled.entity not in NEVER_NONE
    if len(text) <= _LONGEST_CODE:
        return codes and text.isalnum() and text.lower() not in _NO_CODES
    return bool(compiled.terms) and len(text) <= _LONGEST_WORDS and text[0].isalpha()


def _parts(text: str, compiled: Compiled, cell: Cell) -> Iterator[Stretch]:
    """Yield the lines of *cell*; of a rule for lists, what commas separate in them."""
    for start, end in cell:
        if compiled.rule.many:
            for part in _OF_LIST.finditer(text, start, end):
                yield part.span()
        else:
            yield start, end


def _text_of(reading: Reading, cell: Cell) -> str:
    """Return the lines of *cell* in a row; a number that a line's end breaks is unbroken."""
    text = reading.text[slice(*cell[0])]
    for part in cell[1:]:
        text += ("" if text[-2:-1].isdigit() and text.endswith("-") else " ") + reading.text[
            slice(*part)
        ]
    return text


def _is_term(reading: Reading, compiled: Compiled, cell: Cell) -> bool:
    """Return whether a cell is a term of the rule, or the first letters of one."""
    if not compiled.terms:
        return False
    if len(cell) > 1:
        words = Words.of(_text_of(reading, cell))
        start, end = trim(words.text, 0, len(words.text))
    else:
        words = reading.words
        start, end = trim(words.text, *cell[0])
    index = words.first_at(start)
    if index >= len(words.starts):
        return False
    found = compiled.terms.longest(words, index)
    if found is not None and found[0] == end:
        return True
    return compiled.shortens(words.text[start:end])


def _is_value(reading: Reading, compiled: Compiled, cell: Cell) -> bool:
    """Return whether a cell is a term or a value of the rule."""
    if _is_term(reading, compiled, cell):
        return True
    text = reading.text if len(cell) == 1 else _text_of(reading, cell)
    start, end = cell[0] if len(cell) == 1 else (0, len(text))
    ends = {end, end - (text[end - 1] == ".")}
    return any(
        (match := pattern.match(text, start, end)) is not None and match.end() in ends
        for pattern in compiled.free
    )


def _are_titles(text: str, column: Column) -> bool:
    """Return whether *column* has titles of persons, as "Mrs.", rather than positions."""
    return any(bare(text[slice(*cell[0])]) in _TITLES for cell in column.cells)


def _claim(
    reading: Reading, compiled: Compiled, start: int, end: int, cue: str, check: str
) -> Claim | None:
    start, end = trim(reading.text, start, end)
    if start >= end or not compiled.allows(reading, start, end):
        return None
    rule = compiled.rule
    span = Span(start, end, compiled.entity, rule.score, compiled.full_name, cue, check)
    return Claim(span, _COST)


def cells_of_others(text: str, spans: Sequence[Span]) -> list[tuple[int, int, str]]:
    """Return what is no value in the tables of *spans*: start, end, and the entity, or "" for all.

    They are headings and codes under headings for other things, and for the entity of one column
    codes in those that no rule knows; for homes, what stands under headings of workplaces.

    Args:
        text: The document.
        spans: In order; those with the check `COLUMN` are cells of tables.
    """
    found: list[tuple[int, int, str]] = []
    entities = {span.cue: span.entity for span in spans if span.check == COLUMN}
    known = entities.keys() | _OTHERS | _OF_PERSONS
    tables = _Tables(text, lambda first, last: _bare_heading(text, first, last, known) in known)
    done = 0
    for span in spans:
        if span.check != COLUMN or span.start < done:
            continue
        columns = tables.around(span)
        headings = [_bare_heading(text, *column.heading, known) for column in columns]
        own = {entities[heading] for heading in headings if heading in entities}
        for heading, column in zip(headings, columns, strict=True):
            done = max([done, *(cell[-1][1] for cell in column.cells)])
            found += [(*one, "") for one in _headings_of(column)]
            if not heading or heading in entities or heading in _OF_PERSONS | _OF_PLACES:
                continue
            if heading in _REMARKS:  # words, of anything
                found += [
                    (*part, "") for cell in column.cells for part in cell if part[1] - part[0] == 1
                ]
                continue
            parts = [part for cell in column.cells for part in cell]
            if _is_of_work(text[slice(*column.heading)]):
                found += [(*part, entity) for entity in _OF_HOMES for part in parts]
            for entity in ("",) if heading in _OTHERS else own:
                found += [(*part, entity) for part in parts if part[1] - part[0] <= _LONGEST_CODE]
            if heading in _OTHERS and _BIRTH in own:  # "Hired"
                found += [(*part, _BIRTH) for part in parts]
    return found


def at_work(text: str, spans: Iterable[Span], signs: Signs) -> Iterator[Span]:
    """Yield those of *spans* that stand in tables as what belongs to a workplace.

    The heading of their column says so ("Office phone"), or the table is a list of firms or of
    people at their work, by its first heading ("Vendor", "Attorney"), or one of staff ("Title",
    "Ext."), and has no heading that is of private persons alone, as "Born". A column
    may say that it is of homes.

    Args:
        text: The document.
        spans: In order.
        signs: The words that indicate a home or a business.
    """
    tables = _tables_of_work(text, signs)
    of_persons = _OF_PERSONS - _OF_NAMES
    stop, columns, firms, staff = 0, list[Column](), False, False
    for span in spans:
        if span.start >= stop:
            columns = tables.around(span)
            stop = max((cell[-1][1] for one in columns for cell in one.cells), default=0)
            printed = [text[slice(*one.heading)] for one in columns]
            headings = {bare(one) for one in printed}
            in_parts = len(_OF_NAMES & headings) > 1  # "Last Name", "First Name"
            firms = bool(printed) and names_business(printed[0], signs) and not in_parts
            staff = any(
                bare(heading) in _OF_STAFF and not _are_titles(text, column)
                for heading, column in zip(printed[in_parts:], columns[in_parts:], strict=True)
            )  # before such, "Title" is one of a person
            # Beside an address a title is one of a person, whose home it may be.
            staff = staff and not any(_ADDRESS in bare(one) for one in printed)
            if of_persons & headings:
                firms = staff = False
        own = next(
            (
                text[slice(*one.heading)]
                for one in columns
                for cell in one.cells
                if cell[0][0] <= span.start < cell[-1][1]
            ),
            None,
        )
        if own is not None and (
            _is_of_work(own)
            or (firms and not HOME_HEADING.match(bare(own)))
            or (staff and not signs.home_label.search(own))
        ):
            yield span


def in_columns(text: str, spans: Iterable[Span], signs: Signs) -> Iterator[Span]:
    """Yield *spans* cut where they cross the columns of a table that has homes beside workplaces.

    What stands there in a column of names is left out.

    Args:
        text: The document.
        spans: In order.
        signs: The words that indicate a home or a business.
    """
    tables = _tables_of_work(text, signs)
    stop, columns = 0, list[Column]()
    for span in spans:
        if span.entity not in _OF_HOMES or span.check == COLUMN:
            yield span
            continue
        if span.start >= stop:
            columns = tables.around(span)
            stop = max((cell[-1][1] for one in columns for cell in one.cells), default=0)
        headings = [text[slice(*one.heading)] for one in columns]
        of_homes = any(HOME_HEADING.match(bare(one)) for one in headings)
        if not of_homes or not any(map(_is_of_work, headings)):
            yield span
            continue
        parts = [
            (max(span.start, start), min(span.end, end), heading)
            for heading, column in zip(headings, columns, strict=True)
            for cell in column.cells
            for start, end in cell
            if start < span.end and span.start < end
        ]
        if len(parts) < 2 and not any(bare(heading) in _OF_NAMES for *_, heading in parts):
            yield span
            continue
        for start, end, heading in sorted(parts):
            if bare(heading) not in _OF_NAMES:
                yield replace(span, start=start, end=end)


def _tables_of_work(text: str, signs: Signs) -> "_Tables":
    """Return the tables of *text* with headings of persons, of homes, of workplaces or of firms."""

    def is_known(start: int, end: int) -> bool:
        heading = text[start:end]
        parts = _PARTS.split(heading, maxsplit=1)
        if len(parts) > 1 and _is_of_work(parts[0]):
            heading = parts[1]
        return bare(heading) in known or names_business(heading, signs)

    known = _OTHERS | _OF_PERSONS | _OF_STAFF | _OF_WORK | _OF_HOME
    return _Tables(text, is_known)


def _is_of_work(heading: str) -> bool:
    """Return whether a word of *heading* is one for a workplace: "Office phone", not "off-site"."""
    return not _OF_WORK.isdisjoint(re.findall(r"[a-z]+(?:-[a-z]+)*", heading.lower()))


def _bare_heading(text: str, start: int, end: int, known: Collection[str]) -> str:
    """Return a heading as `bare` writes it, without its unit in brackets if so it is *known*."""
    heading = _without_ends(text[start:end], known)
    if heading not in known and text[start:end].endswith(")"):
        heading = bare(text[start : _without_hint(text, start, end)])
    first, _, rest = text[start:end].partition(" ")
    if heading not in known and _YEAR.fullmatch(rest):
        heading = bare(first)
    if heading not in known and (owner := _OWNERS.match(text, start, end)):
        own = _without_ends(text[owner.end() : end], known)
        return own if own in known else heading
    return heading


def _without_ends(heading: str, known: Collection[str]) -> str:
    """Return *heading* as `bare` writes it, without words at its end that leave one *known*.

    >>> _without_ends("union_deduction", {"union"}), _without_ends("union rate", {"union"})
    ('union', 'unionrate')
    """
    words = _PARTS.split(_HOUR.sub("", heading))
    for many in range(len(words), 0, -1):
        if (short := bare("".join(words[:many]))) in known:
            return short
        if bare(words[many - 1]) not in _ENDS:
            break
    return bare(heading)


class _Tables:
    """The tables of a text, each of which is read once."""

    def __init__(self, text: str, is_known: IsKnown) -> None:
        self._text = text
        self._is_known = is_known
        self._headed: dict[int, list[Column]] = {}
        self._turned: list[Column] = []
        self._read = 0  # up to where lines were read for a turned table

    def around(self, span: Span) -> list[Column]:
        """Return the table in which *span* is a cell, headed in its row or above; [] if in none.

        Spans are asked for in order.
        """
        end = self._text.rfind("\n", 0, span.start)
        if span.start >= self._read:
            stop = self._text.find("\n", span.start)
            stop = len(self._text) if stop < 0 else stop
            self._turned, self._read = turned(self._text, end + 1, stop, self._is_known)
        columns = self._turned
        for _ in range(_LINES_UP + 1):
            if any(cell[0][0] <= span.start < cell[-1][1] for one in columns for cell in one.cells):
                return columns
            start = self._text.rfind("\n", 0, max(0, end)) + 1
            if end > start and start not in self._headed:
                self._headed[start] = table(self._text, start, end, self._is_known)
            columns = self._headed.get(start, [])
            end = start - 1
        return []
