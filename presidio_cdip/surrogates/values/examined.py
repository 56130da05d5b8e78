"""Replace what an examination found by what the same examination can find.

Two tables of ``operators/gazetteers/`` hold the words: ``health_places.tsv`` the examinations with
the words that tell them (names, labels, and own words of findings), ``health_examined.tsv`` what
each can find, by syntax and grade. The own words of a value decide which examination it belongs
to, then the words before it in its sentence or on its line. What nothing places is not read.
"""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page, blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.values.classes import classifier, negates
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.setting import told_at
from presidio_cdip.surrogates.values.sex import sex_around
from presidio_cdip.surrogates.values.slots import NumberSlot, too_near, words_of, written_of
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.articles import takes_an
from presidio_cdip.surrogates.writing.text import cased_there, folded

_RECORDS = english().records
_WORDS = re.compile(r"[^\W_]+(?:[.&'’/-][^\W_]+)*")
_PLAIN_WORD = 5  # letters of a word that is no abbreviation
# "but is now reported ⟦normal⟧", "⟦reactive⟧, to be treated"
_RECOVERED = re.compile(r"(?i)\b(?:now|again)\b[^.;:\n]{0,24}\Z")
_TREATED = re.compile(r"(?i)\A[,;]? (?:to be |was |is to be |being )?(?:treated|treatment)\b")
_LISTED = re.compile(r"([^\[]*?)\s*(?:\[([^\]]*)\])?\s*")
_YEARS = re.compile(r"(\d{4})?-(\d{4})?")
_ARTICLE = re.compile(r"(?i)(?:an?|the) (?=\S)")
_COUNT = re.compile(
    rf"(?i)({alternation(english().ones[2:13])}|\d{{1,2}}|{alternation(_RECORDS['counts'])})"
    r" (?=[a-z])"
)
_BETWEEN = re.compile(r"(?i)(?:\s*[:=-]|\s+(?:is|was|were|are))?\s+")
_NO = re.compile(rf"(?i)(?:{alternation(_RECORDS['absent'])})\b")
_NOT = re.compile(rf"(?i)(?:{alternation(_RECORDS['denied'])})\b")
_ANSWER = re.compile(r"(?i)(?:yes|no|none|nil|n/?a|unknown|[xo]|\W*)")
_BLOOD_GROUP = re.compile(
    r"(?i)(?:type )?(?:A|B|AB|O)[1-3]?[ -]?(?:rh ?)?(?:[+-]|pos\w*|neg\w*)?\.?"
)
_MEASURE = re.compile(  # "6.2 mg%", "140 U/L", "90 degrees"
    r"(?<![A-Za-z])\d[\d.,/ ]*(?:%|[A-Za-zµμ]{1,7}(?:[/.]\w+)*\.? ?%?|\W*)?\Z"
)
_NORMAL = re.compile(rf"(?i)\b(?:{alternation(_RECORDS['normal'])})\b")
_A = re.compile(r"(?i)(?<![/&.])\b(?:an?)\s+\Z")
_THERE_IS = re.compile(r"(?i)\bthere (was|is|were|are)\s+\Z")
_MANY = re.compile(r"(?:(?<![sui])s|[^s]i)\Z")  # a plural
_HEAD = re.compile(rf"(?i) (?:{alternation(_RECORDS['behind_nouns'])})\b|[,;]")
_BRITISH = re.compile(r"(?i)[a-z]ae|ae[mt]|oe[ds]|foe|oea|our\b|leuco|colour|isation")
_NEXT_WORDS = re.compile(  # " and polio vaccine"
    r"\s(?P<next>[^\W\d_]+)(?:\s[^\W\d_]+(?:\s[^\W\d_]+)??\s(?P<last>[^\W\d_]+))?"
)
_NEAR, _FAR = 60, 170  # characters between the name of an examination and what it found
_BLOCK, _LINES = 320, 7  # characters and ends of lines behind the heading of a list
_FEWEST = 3  # terms from which one is drawn
_SOME = 5  # terms nearest to the page's year, if fewer are of it
_OFTEN, _USUAL = "*", 6  # a usual result is drawn so many times as often
_ERAS = (1975, 1985)  # what a page without a year can have was in use then
_WIDE = re.compile(r"\s{2,}\Z|\t\Z")
_HEAD_OF_LINE = re.compile(r"(?:\A|\n|[.;:,(|/\t]|\s{2})[ ]?(?:\d{1,2}[.)] ?|[-•*] ?)?\Z")
_FIELD = re.compile(r"(?:\A|\n|\s{2})[ ]?\Z")
_NEXT_FIELD = re.compile(r"\n[^\n]{0,40}:")
_END = re.compile(r"[.!?]\s+[A-Z]|\n\s*\n")
_BEFORE, _AFTER, _BEHIND, _JOINTS = (
    frozenset(_RECORDS[key])
    for key in ("before_findings", "after_findings", "behind_findings", "joints_of_findings")
)
_COPULA = re.compile(rf"(?i)\b(?:{alternation(_RECORDS['copulas'])})\b")
_FINDS = re.compile(rf"(?i)\b(?:{alternation(_RECORDS['finds'])})\b|[:=–-]|\s{{2}}")
# Kinds of phrases, as the labels of the classifier name them, that no examination finds.
_OF_EXAM = "exam"
_NO_FINDING = frozenset({"drug", "proc", "care", "dep", "allergy"})
# Those that one finds of which no word tells it, behind its name alone
_FINDINGS = frozenset({_OF_EXAM, "dis", "sym", "inj"})
_SYNTAX = {"N": "N", "M": "M", "P": "P", "A": "A", "D": "A", "R": "A", "K": "K", "C": "S", "G": "A"}
# The syntaxes of which a term can stand for one of another, if there are too few.
_FRIENDS = {"M": "MN", "N": "NM", "P": "P", "C": "C", "A": "A", "K": "K", "S": "S", "X": "X",
            "Z": "Z"}  # fmt: skip
# The grades of what replaces a finding: a normal one is not told from a slight one, but for one
# that negates, which stays normal: "not enlarged".
_GRADES = {"n": "nm", "m": "nm", "a": "am"}


@dataclass(frozen=True, slots=True)
class _Term:
    """A term: its spellings, and where it can stand."""

    spellings: tuple[str, ...]
    grade: str
    since: int
    until: int
    sex: str
    often: bool
    mixed: int

    def stands(self, year: int, sex: str) -> bool:
        """Tell whether it can stand on a page of *year* about somebody of *sex*, if known."""
        if self.sex and self.sex != sex:
            return False
        first, last = (year, year) if year else _ERAS
        return self.since <= first and last <= self.until


@dataclass(frozen=True, slots=True)
class _Place:
    """An examination.

    Attributes:
        name: Its name.
        of: The general kind of examination that it is of, such as an X-ray.
        shared: Words, as of `words_of`, that tell nothing of its findings.
        answer: Whether it has two results, so that the draw ignores the original.
        any_grade: Whether any other of its results is drawn.
        kept: Words that stay behind a term, such as "vaccination".
    """

    name: str
    of: str
    shared: frozenset[str]
    answer: bool
    any_grade: bool
    kept: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Cue:
    """Words of a page that tell an examination."""

    start: int
    end: int
    place: str
    label: bool
    block: bool
    named: bool = False


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What tells the examination of a value that no table lists.

    Attributes:
        place: The examination.
        sure: Whether more than the words before the value tell it.
        own: Whether the value's own words tell one.
        cued: Whether the words around it do.
        labelled: Whether they are its label.
        named: Whether they are the name of an examination.
    """

    place: str
    sure: bool
    own: bool
    cued: bool
    labelled: bool
    named: bool


@dataclass(frozen=True, slots=True)
class _Placed:
    """A value with its place.

    Attributes:
        place: The name of the examination.
        syntax: The syntax of what replaces it.
        grade: Its grade.
        normal: What it says, without its article and its count.
        lead: What stays before it: an article.
        count: The number before it, if it has one.
        tail: What stays behind it.
        sure: Whether more than the words before it tell its place.
        named: Whether the name of an examination stands before it.
    """

    place: str
    syntax: str
    grade: str
    normal: str
    lead: str = ""
    count: str = ""
    tail: str = ""
    sure: bool = True
    named: bool = False


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(one.casefold() for one in _WORDS.findall(text))


def _signature(text: str) -> str:
    """Return *text* with its numbers as 0, and its words as nothing but letters.

    >>> _signature("1:8"), _signature("2+"), _signature("8 and 9")
    ('0:0', '0+', '0 and 0')
    """
    return re.sub(r"\d+", "0", text)


class _Index:
    """Find listed phrases among the words of a text, the longest at each place."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], Any]]] = defaultdict(list)

    def add(self, phrase: str, told: Any) -> None:
        """Add *phrase*, which tells *told*."""
        tokens = _tokens(phrase)
        if tokens:
            self._by_first[tokens[0]].append((tokens, told))

    def sort(self) -> None:
        """Put longer phrases first."""
        for found in self._by_first.values():
            found.sort(key=lambda one: -len(one[0]))

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int, Any]]:
        """Yield the first and the last word of each phrase, and what it tells."""
        for at, word in enumerate(words):
            longest = 0
            for tokens, told in self._by_first.get(word, ()):
                size = len(tokens)
                if size < longest:
                    break
                if size == 1 or tuple(words[at : at + size]) == tokens:
                    longest = size
                    yield at, at + size, told


class Examined:
    """Read findings of examinations.

    Args:
        entity: The entity of the values.
        places: The name of the table of examinations.
        findings: The name of the table of what they find.
        others: The names of the tables of what is no finding without an examination before it.
        pack: The pack in use.

    Raises:
        PackError: A table is invalid.
    """

    def __init__(
        self, entity: str, places: str, findings: str, others: Sequence[str], pack: Pack
    ) -> None:
        self.entity = entity
        self._pack = pack
        self.places: dict[str, _Place] = {}
        self._likes: dict[str, str] = {}
        self._within: dict[str, list[str]] = defaultdict(list)
        self._defaults: dict[str, str] = {}
        self._cues, self._own, self._parts = _Index(), _Index(), _Index()
        self._stems: dict[str, set[str]] = defaultdict(set)
        for row in rows(places, pack):
            name = row["place"]
            kept = frozenset(row["kept"].split("|")) - {""}
            self.places[name] = _Place(
                name, row["of"], words_of(row["shared"].replace("|", " ")),
                row["answer"] == "yes", row["answer"] == "all", kept,
            )  # fmt: skip
            if row["like"]:
                self._likes[name] = row["like"]
            for column in ("named", "label", "block"):
                for phrase in filter(None, row[column].split("|")):
                    self._cues.add(phrase, (name, column))
            for phrase in filter(None, row["part"].split("|")):
                self._parts.add(phrase, name)
            for phrase in filter(None, row["own"].split("|")):
                if phrase.endswith("*"):
                    self._stems[phrase[:-1].casefold()].add(name)
                else:
                    self._own.add(phrase, name)
        self._sizes = sorted({len(one) for one in self._stems})
        for index in (self._cues, self._own, self._parts):
            index.sort()
        self._terms: dict[tuple[str, str], list[_Term]] = defaultdict(list)
        self._known: dict[str, list[tuple[str, str, _Term]]] = defaultdict(list)
        for row in rows(findings, pack):
            if row["place"] not in self.places or row["grade"] not in _GRADES:
                raise PackError(f"{findings}.tsv", f"no place or grade of {row['words'][:40]!r}")
            for one in row["words"].split("|"):
                term = _term(one, row["grade"], findings)
                self._terms[row["place"], row["syntax"]].append(term)
                for spelling in term.spellings:
                    self._known[folded(spelling)].append((row["place"], row["syntax"], term))
        with_terms = {place for place, _ in self._terms}
        for place in self.places.values():
            if place.of in with_terms:
                self._within[place.of].append(place.name)
            elif place.of:
                self._defaults.setdefault(place.of, place.name)
        spelled: dict[str, list[tuple[str, str, _Term]]] = defaultdict(list)
        for spelling, known in self._known.items():
            for place_name, syntax, term in known:
                spelled[place_name].append((spelling, syntax, term))
        for name, like in self._likes.items():  # what it has too little of, is that of another
            for syntax in _FRIENDS:
                if len(own := self._terms[name, syntax]) <= _FEWEST:
                    own += [one for one in self._terms[like, syntax] if one not in own]
            listed = {spelling for spelling, _, _ in spelled[name]}
            for spelling, syntax, term in spelled[like]:
                if spelling not in listed:
                    self._known[spelling].append((name, syntax, term))
        self._filled = frozenset(place for (place, _), terms in self._terms.items() if terms)
        self._others = frozenset(
            folded(written_of(one))
            for name in others
            for row in rows(name, pack)
            for cell in row.values()
            for one in cell.split("|")
        )
        self._apart: dict[tuple[str, str, str, str], tuple[_Term, ...]] = {}

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of *value*; None without an examination that has enough terms."""
        context = context_of(options)
        if context is None:
            found = self._place(value, None)
        else:
            placed = context.page.fact(self.place_all)
            at = (context.start, context.end)
            found = placed[at] if at in placed else self._place(value, context)
        if found is None or len(self._choices(found)) < _FEWEST - self.places[found.place].answer:
            return None
        one = found

        def write(draw: Draw) -> str:
            return self._write(value, one, draw, context)

        form = f"examined {found.place} {found.syntax}"
        normal = f"{found.place} {found.normal} {found.count}".strip()
        return Reading(form, normal, write, may_stay=self.places[found.place].answer)

    def cues(self, page: Page) -> Sequence[_Cue]:
        """Return the words of *page* that tell an examination, in order."""
        matches = list(_WORDS.finditer(page.text))
        words = [_low(one) for one in matches]
        parts: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for first, last, name in self._parts.find(words):
            parts[first].append((last, name))
        found: list[_Cue] = []
        for first, last, (name, column) in self._cues.find(words):
            start, end = matches[first].start(), matches[last - 1].end()
            if column == "named" and name in self._defaults:
                first, last, name = self._refined(first, last, name, words, parts)
                start, end = matches[first].start(), matches[last - 1].end()
            found.append(_Cue(start, end, name, column == "label", column == "block"))
        names = {(one.start, one.end, one.place) for one in found if not one.label}
        found = [
            replace(one, named=(one.start, one.end, one.place) in names and not one.block)
            for one in found
        ]
        # What stands within the name of another examination is no label: "X-ray of the chest".
        spans = sorted({(one.start, one.end) for one in found if not one.label})

        def is_within(one: _Cue) -> bool:
            for at in range(bisect_right(spans, (one.start, len(page.text))) - 1, -1, -1):
                low, high = spans[at]
                if low < one.start - _FAR:
                    break
                if one.end <= high and (low, high) != (one.start, one.end):
                    return True
            return False

        found = [one for one in found if not is_within(one)]
        return sorted(found, key=lambda one: (one.start, one.end))

    def starts(self, page: Page) -> Sequence[int]:
        """Return where each of `cues` begins."""
        return [one.start for one in page.fact(self.cues)]

    def _refined(
        self, first: int, last: int, name: str, words: Sequence[str],
        parts: Mapping[int, Sequence[tuple[int, str]]],
    ) -> tuple[int, int, str]:  # fmt: skip
        """Return the words and the place of a general examination with the part examined."""
        at, place = last, ""
        while at < min(len(words), last + 6):
            inner = [(end, one) for end, one in parts.get(at, ()) if self.places[one].of == name]
            if inner:
                end, one = inner[0]
                place, last = place or one, end
                at = end
            elif words[at] in ("of", "the", "his", "her", "my", "left", "right", "both", "and"):
                at += 1
            else:
                break
        if not place:
            for back in (1, 2):
                for end, one in parts.get(first - back, ()):
                    if self.places[one].of == name and end == first - back + 1 and back == 1:
                        return first - back, last, one
                    if self.places[one].of == name and end == first:
                        return first - back, last, one
        return first, last, place or name

    def place_all(self, page: Page) -> Mapping[tuple[int, int], _Placed | None]:
        """Return what is read of each value of the entity on *page*, by its offsets.

        Equal values have one surrogate: what an examination shows is so where it stands again, such
        as among the diagnoses; what stands elsewhere without a label is none of the label's.
        """
        found: dict[tuple[int, int], _Placed | None] = {}
        elsewhere: set[str] = set()
        for one in page.findings:
            if one.entity != self.entity:
                continue
            value = page.text[one.start : one.end]
            placed = self._place(value, Context(page, one.start, one.end))
            found[one.start, one.end] = placed
            if placed is None:
                elsewhere.add(folded(value))
        named = {
            one.normal: replace(one, lead="", count="", tail="")
            for one in found.values()
            if one and one.named and one.syntax in "NM" and one.normal in elsewhere
        }
        return {
            at: (
                named.get(folded(page.text[slice(*at)]))
                if placed is None
                else None
                if not placed.sure and placed.normal in elsewhere and placed.normal not in named
                else placed
            )
            for at, placed in found.items()
        }

    def _place(self, value: str, context: Context | None) -> _Placed | None:
        """Return the place of *value*; None if nothing tells it."""
        value = " ".join(value.split())
        if folded(value) not in self._others and (within := self._label_within(value)):
            return within
        lead = match.group() if (match := _ARTICLE.match(value)) else ""
        if _COUNT.match(value):
            lead = ""
        rest = value[len(lead) :]
        count = match[1] if not lead and (match := _COUNT.match(rest)) else ""
        if count and not _MANY.search(_HEAD.split(rest)[0]):
            count = ""  # "some thinning"
        key = folded(rest)
        known: Sequence[tuple[str, str, _Term]] = self._known.get(key, ())
        own = self._told(rest)
        if not known and not lead and (kept := self._behind_kept(key, value, context)):
            return kept
        if known and not lead and context and (kept := self._before_kept(known, context)):
            return kept
        if not known and (
            _ANSWER.fullmatch(value) or _BLOOD_GROUP.fullmatch(rest) or self._is_name(rest)
        ):
            return None
        told_by, labelled = self._cue_of(context, known) if context else (None, False)
        if (
            context and told_by and not own
            and all(one != told_by.place for one, _, _ in known)
            and _begins_a_value(told_by, context.page)
        ):  # fmt: skip
            return None  # an illness behind another: "hearing loss left, ⟦nightmares⟧"
        cue = told_by.place if told_by else ""
        listed = [one for one, _, _ in known]
        name, sure = "", True
        special = next((one for one in listed if cue and self.places[one].of == cue), "")
        if special and cue not in listed and self.places[special].kept:
            name = special
        elif cue and (cue in listed or (labelled and cue not in self._defaults)):
            name, sure = cue, cue in listed
        elif own and (
            cue
            or (key not in self._others and (" " in key or any(one in own for one in listed)))
            or self.places[own[0]].kept
        ):
            name = cue if cue in own else next(
                (one for one in own if cue and self.places[one].of == cue),
                next((one for one in listed if one in own), own[0]),
            )  # fmt: skip
        elif cue and cue not in self._defaults:
            name, sure = cue, False
        elif cue and (known or labelled):
            name, sure = self._defaults[cue], False
        if not name and key.count(" ") > 1 and key not in self._others:
            general = {self._likes.get(one, one) for one in listed}
            name = next(iter(general)) if len(general) == 1 else ""  # words enough to tell it
        if name not in self._filled:
            return None
        named = bool(told_by and told_by.named)
        article = bool(lead or (context and _A.search(context.before)))
        for place, syntax, term in known:
            if place == name:
                wanted = "N" if article and syntax in "MNA" else syntax
                name = self._on_page(name, wanted, context)
                normal = folded(term.spellings[0])
                return _Placed(name, wanted, term.grade, normal, lead, named=named)
        told = _Evidence(name, sure, bool(own), bool(cue), labelled, named)
        found = self._unlisted(rest, key, told, lead, count, context)
        if found and article and found.syntax in "MA":
            found = replace(found, syntax="N")
        return found and replace(found, place=self._on_page(found.place, found.syntax, context))

    def _on_page(self, name: str, syntax: str, context: Context | None) -> str:
        """Return the place of which a term of *name* is on its page, such as that of a soldier."""
        for one in self._within.get(name, ()) if context else ():
            assert context
            if one in context.page.fact(self.parts) and self._terms.get((one, syntax)):
                return one
        return name

    def parts(self, page: Page) -> frozenset[str]:
        """Return the examinations of which *page* has one of the words ``part``."""
        words = _tokens(page.text)
        return frozenset(name for _, _, name in self._parts.find(words))

    def _unlisted(
        self, rest: str, key: str, told: _Evidence, lead: str, count: str, context: Context | None
    ) -> _Placed | None:
        """Return the reading of a value that no table lists, by its syntax."""
        if self.places[told.place].kept:
            return None  # a list of all that there are
        if any(map(str.isdigit, rest)) and not count:
            signature = _signature(key.rstrip("."))
            alike = [
                one for syntax in "KA" for one in self._terms.get((told.place, syntax), ())
                if _signature(folded(one.spellings[0])) == signature
            ]  # fmt: skip
            if alike and (len(alike) >= _FEWEST or any(map(str.isalpha, signature))):
                return _Placed(told.place, "K", alike[0].grade, key)
            if alike:
                return None  # a scale of its own
            if not told.own or _MEASURE.search(rest):
                return None
        before = context.before if context else None
        after = context.after if context else None
        found = classifier(self._pack).read(self.entity, rest, before, after)
        if not told.own and (
            found.kind in _NO_FINDING or not (told.labelled or found.kind in _FINDINGS)
        ):
            return None
        syntax = _SYNTAX.get(found.syntax, "")
        if _NO.match(rest):
            syntax = "X"
        elif count:
            syntax, key = "C", folded(rest[len(count) :])
        elif lead:
            syntax = "N"
        elif syntax == "S" and not told.own:
            syntax = ""
        if told.own and not told.cued and found.kind != _OF_EXAM and not _NO.match(rest):
            return None
        if not syntax and told.labelled and not told.own and not negates(rest):
            syntax = "A"
        if syntax == "K" and rest.islower() and rest.isalpha() and len(rest) >= _PLAIN_WORD:
            syntax = "A"  # "reflexes ⟦brisk⟧" is no abbreviation
        if not syntax:
            return None
        grade = "n" if syntax == "X" or _NOT.match(rest) or _NORMAL.search(rest) else "a"
        return _Placed(told.place, syntax, grade, key, lead, count, sure=told.sure,
                       named=told.named)  # fmt: skip

    def _is_name(self, value: str) -> bool:
        """Tell whether *value* is an examination itself: it ends with the name of one."""
        words = _tokens(value)
        return any(
            column == "named" and last == len(words)
            for _, last, (_, column) in self._cues.find(words)
        )

    def _label_within(self, value: str) -> _Placed | None:
        """Return the reading of a value that begins with the label of its result: "Rh negative"."""
        matches = list(_WORDS.finditer(value))
        for first, last, (name, column) in self._cues.find([_low(one) for one in matches]):
            if first or last == len(matches) or column == "block":
                return None
            between = _BETWEEN.match(value, matches[last - 1].end())
            rest = value[between.end() :] if between else ""
            for place, syntax, term in self._known.get(folded(rest), ()):
                if place == name:
                    return _Placed(name, syntax, term.grade, folded(rest),
                                   value[: len(value) - len(rest)])  # fmt: skip
        return None

    def _behind_kept(self, key: str, value: str, context: Context | None) -> _Placed | None:
        """Return the reading of a term with words that stay behind it: "smallpox vaccination"."""
        for name, place in self.places.items():
            first, _, last = key.rpartition(" ")
            if place.kept and last in place.kept and first:
                for at, syntax, term in self._known.get(first, ()):
                    if at == name:
                        tail = value[len(value.rstrip(" .")) - len(last) - 1 :]
                        there = self._on_page(name, syntax, context)
                        return _Placed(there, syntax, term.grade, folded(term.spellings[0]),
                                       tail=tail)  # fmt: skip
        return None

    def _before_kept(
        self, known: Sequence[tuple[str, str, _Term]], context: Context
    ) -> _Placed | None:
        """Return the reading of a term before words that stay: "⟦measles⟧ and ⟦polio⟧ vaccine"."""
        found = _NEXT_WORDS.match(context.after)
        if not found:
            return None
        for name, syntax, term in known:
            kept = self.places[name].kept
            if found["next"].casefold() in kept or (found["last"] or "").casefold() in kept:
                there = self._on_page(name, syntax, context)
                return _Placed(there, syntax, term.grade, folded(term.spellings[0]))
        return None

    def _told(self, value: str) -> list[str]:
        """Return the examinations that the own words of *value* tell, in order."""
        words = _tokens(value)
        found = {name: None for _, _, name in self._own.find(words)}
        for word in words:
            for size in self._sizes:
                if size > len(word):
                    break
                if names := self._stems.get(word[:size]):
                    found.update(dict.fromkeys(sorted(names)))
        return list(found)

    def _cue_of(
        self, context: Context, known: Sequence[tuple[str, str, _Term]]
    ) -> tuple[_Cue | None, bool]:
        """Return the words around a value that tell its examination, and whether as its label."""
        page, start = context.page, context.start
        cues, starts = page.fact(self.cues), page.fact(self.starts)
        text, blank = page.text, page.fact(blanked)
        first = text[start : start + 1]
        passed, closed = 0, False
        blocked = not any(self.places[one].kept for one, _, _ in known)
        for at in range(bisect_left(starts, start) - 1, -1, -1):
            cue = cues[at]
            if cue.end > start:
                continue
            if start - cue.end > _BLOCK or passed > 12:
                break
            passed += 1
            gap, there = text[cue.end : start], blank[cue.end : start]
            if cue.block:
                lines = gap.count("\n")
                listed = (self.places[one] for one, _, _ in known)
                if not blocked and lines <= _LINES and any(
                    cue.place in (one.name, one.of) for one in listed
                ):  # fmt: skip
                    return cue, False
                continue
            heads = bool(_HEAD_OF_LINE.search(text[: cue.start][-8:]))
            if cue.label and _is_part(cue, text, blank):
                continue  # "repair of the ⟦hip⟧" labels nothing
            if cue.label:
                if heads and not self._has_terms(cue.place):
                    blocked = True  # another list begins
                known_here = any(one == cue.place for one, _, _ in known)
                if self._labels(gap, there + first, heads or (known_here and gap.isspace())):
                    return (cue, True) if self._has_terms(cue.place) else (None, False)
                # Another field begins, so that no name before it is that of the value.
                closed = closed or bool(_FIELD.search(text[: cue.start][-4:]))
            elif not closed and self._names(gap, there + first):
                return cue, False
        after = text[context.end : context.end + _NEAR]
        for at in range(bisect_left(starts, context.end), len(cues)):
            cue = cues[at]
            if cue.start - context.end > _NEAR:
                break
            if cue.label or cue.block:
                continue
            words = _tokens(after[: cue.start - context.end])
            if words and all(word in _BEHIND for word in words) and words[-1] in _JOINTS:
                return cue, False
        return None, False

    def _has_terms(self, name: str) -> bool:
        return name in self._defaults or name in self._filled

    def _labels(self, gap: str, there: str, heads: bool) -> bool:
        """Tell whether a label that ends before *gap* is that of the value behind it.

        Args:
            gap: The text between.
            there: The same with blanks for the page's other values, and the value's first letter.
            heads: Whether the label begins a line or a sentence.
        """
        if there[:1] == "?":
            there = f":{there[1:]}"  # "Hernia? ⟦small, on the right⟧"
        if len(gap) > 2 * _NEAR or _END.search(there) or there.count("\n") > 1:
            return False
        if any(word not in _BEFORE for word in _tokens(there[:-1])):
            return False
        copula = bool(_COPULA.search(there))
        if "\n" in there and not copula and not there[:-1].rstrip().endswith(":"):
            return False
        return heads or copula or ":" in there or "=" in there or bool(_WIDE.search(there[:-1]))

    def _names(self, gap: str, there: str) -> bool:
        """Tell whether the name of an examination before *gap* is that of a finding behind it."""
        if len(gap) > _FAR or _END.search(there) or _NEXT_FIELD.search(gap) or ";" in there:
            return False
        words = _tokens(there[:-1])
        if any(word in _AFTER for word in words):
            return False
        return not words or bool(_FINDS.search(gap))

    def _choices(self, placed: _Placed) -> tuple[_Term, ...]:
        """Return the terms that can replace what is *placed*, without those that tell it."""
        at = (placed.place, placed.syntax, placed.grade, placed.normal)
        if at not in self._apart:
            if len(self._apart) > 4096:
                self._apart.clear()
            self._apart[at] = self._listed(placed)
        return self._apart[at]

    def _listed(self, placed: _Placed) -> tuple[_Term, ...]:
        place = self.places[placed.place]
        listed = [
            one for syntax in _FRIENDS[placed.syntax]
            for one in self._terms.get((placed.place, syntax), ())
        ]  # fmt: skip
        if placed.syntax == "K" and any(map(str.isdigit, placed.normal)):
            own = _signature(placed.normal)
            alike = [one for one in listed if _signature(folded(one.spellings[0])) == own]
            listed = alike if len(alike) > _FEWEST else listed
            return tuple(one for one in listed if folded(one.spellings[0]) != placed.normal)
        if place.any_grade and placed.syntax == "K":
            words = [one for one in listed if not any(map(str.isdigit, one.spellings[0]))]
            listed = words if len(words) > _FEWEST else listed
            return tuple(one for one in listed if self._is_apart(placed, one, place))
        if place.answer:
            return tuple(one for one in listed if not any(map(str.isdigit, one.spellings[0])))
        first = [
            one for one in self._terms.get((placed.place, placed.syntax), ())
            if self._is_apart(placed, one, place)
        ]  # fmt: skip
        others = [one for one in listed if one not in first and self._is_apart(placed, one, place)]
        own = "nma" if place.any_grade else _GRADES[placed.grade]
        negative = "n" if placed.grade == "n" and negates(placed.normal) else own
        for grades in (negative, own, "nma"):
            found = [one for one in first if one.grade in grades]
            if len(found) < _FEWEST:
                found += [one for one in others if one.grade in grades]
            if len(found) >= _FEWEST:
                break
        if placed.syntax == "A" and _NOT.match(placed.normal):
            negating = [one for one in found if negates(one.spellings[0])]
            found = negating if len(negating) >= _FEWEST else found
        return tuple(found)

    def _is_apart(self, placed: _Placed, term: _Term, place: _Place) -> bool:
        return not any(
            folded(one) == placed.normal
            or too_near(placed.normal, one, place.shared)
            or says_the_same(placed.normal, one, self._pack)
            for one in term.spellings
        ) and (
            place.any_grade
            or placed.syntax != "A"
            or not _NOT.match(term.spellings[0])
            or negates(placed.normal)
        )

    def order(self, placed: _Placed, keyring: Keyring, context: Context | None) -> Sequence[_Term]:
        """Return the terms that can replace what is *placed*, in an order of the scope."""
        seed = keyring.chance(f"{self.entity} {placed.place}", placed.normal).below(1 << 64)
        listed: Sequence[_Term] = self._choices(placed)
        if context:
            year, _ = told_at(context, self._pack)
            sex = sex_around(context)
            there = [one for one in listed if one.stands(year, sex)]
            there = [one for one in there if not context.has_printed(one.spellings[0])] or there
            if placed.grade == "n" and _RECOVERED.search(context.before):
                sound = [one for one in there if one.grade == "n"]
                there = sound if len(sound) >= _FEWEST - 1 else there
            if found := _THERE_IS.search(context.before):
                many = found[1].casefold() in ("were", "are")
                agree = [one for one in there if bool(_MANY.search(one.spellings[0])) == many]
                there = agree if len(agree) >= _FEWEST - 1 else there
        else:
            there = [one for one in listed if one.stands(0, "")]
        if len(there) < _FEWEST:  # one or two would tell the original
            year = told_at(context, self._pack)[0] if context else 0
            there = sorted(listed, key=lambda one: max(0, one.since - (year or one.since)))[:_SOME]
        return sorted(there, key=lambda one: _mixed(one.mixed, seed))

    def turns(self, page: Page, keyring: Keyring) -> Mapping[tuple[str, str, str], Sequence[_Term]]:
        """Return the order of the terms for each finding of *page*.

        Different findings of an examination begin with different terms, as long as there are some.
        """
        found: dict[tuple[str, str, str], Sequence[_Term]] = {}
        taken: dict[str, set[_Term]] = defaultdict(set)
        for (start, end), placed in page.fact(self.place_all).items():
            if placed is None or self.places[placed.place].answer:
                continue
            at = (placed.place, placed.syntax, placed.normal)
            if at in found:
                continue
            order = self.order(placed, keyring, Context(page, start, end))
            free = [one for one in order if one not in taken[placed.place]]
            found[at] = free or order
            taken[placed.place].update(found[at][:1])
        return found

    def _write(self, value: str, placed: _Placed, draw: Draw, context: Context | None) -> str:
        place = self.places[placed.place]
        if place.answer and placed.grade and not any(map(str.isdigit, placed.normal)):
            usual = [
                one for one in self._choices(placed) for _ in range(_USUAL if one.often else 1)
            ]
            if context and _TREATED.match(context.after):
                usual = [one for one in usual if one.grade != "n"] or usual
            part = draw.part(f"{draw.entity} {placed.place}", placed.normal)
            return self._spelled(value, placed, part.chance.choice(usual), draw, context)
        at = (placed.place, placed.syntax, placed.normal)
        order: Sequence[_Term] = ()
        if context:
            order = context.page.fact(_Turns(draw.keyring, self)).get(at, ())
        order = order or self.order(placed, draw.keyring, context)
        for attempt in range(len(order)):
            term = order[(draw.attempt + attempt) % len(order)]
            written = self._spelled(value, placed, term, draw, context)
            if not (context and context.has_printed(written)):
                return written
        return self._spelled(value, placed, order[draw.attempt % len(order)], draw, context)

    def _spelled(
        self, value: str, placed: _Placed, term: _Term, draw: Draw, context: Context | None
    ) -> str:
        """Return *term* written as *value* is."""
        country = told_at(context, self._pack)[1] if context else ""
        british = country == "GB" if country else bool(_BRITISH.search(value))
        spelling = next(
            (one for one in term.spellings if british and _BRITISH.search(one)), term.spellings[0]
        )
        if placed.syntax == "K":  # "+++" is written as "+", not as "1+"
            signs = set(_signature(value))
            spelling = next(
                (one for one in term.spellings if set(_signature(one)) == signs), spelling
            )
        written = spelling + placed.tail
        if placed.count:
            many = placed.count
            if own := numerals.value_of(many):
                many = NumberSlot(str(max(2, own - 2)), str(own + 3)).redraw(many, draw)
            written = f"{many} {written}"
        before, after = (context.before, context.after) if context else ("", "")
        if placed.lead:
            small = placed.lead.strip().casefold()
            article = small in ("a", "an")
            lead = "an " if article and takes_an(written) else "a " if article else placed.lead
            written = f"{lead}{written}"
        if value.endswith(".") and not written.endswith(".") and len(folded(value)) > _NEAR // 10:
            written += "."
        if written.endswith(".") and after.startswith("."):
            written = written[:-1]
        if placed.syntax == "K" and not (value.isupper() and value.isalpha() and len(value) > 4):
            return written
        return cased_there(value, written, re.sub(r" ?\n *", " ", before), after)


def _begins_a_value(cue: _Cue, page: Page) -> bool:
    """Tell whether *cue* is the first words of a value of *page* that goes on behind them."""
    blank = page.fact(blanked)
    return blank[cue.start : cue.end + 2].isspace() and page.text[cue.end : cue.end + 1] == " "


def _is_part(cue: _Cue, text: str, blank: str) -> bool:
    """Tell whether *cue* is the last words of a value of the page, which *blank* lacks."""
    before = text[: cue.start].rstrip()
    return (
        blank[cue.start : cue.end].isspace()
        and cue.start - len(before) < 2
        and blank[len(before) - 1 : cue.start].isspace()
    )


def _low(match: "re.Match[str]") -> str:
    return match.group().casefold()


def _mixed(number: int, seed: int) -> int:
    """Mix a hash with a seed, as SplitMix64 does."""
    mixed = number ^ seed
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = ((mixed ^ (mixed >> shift)) * factor) & 0xFFFFFFFFFFFFFFFF
    return mixed ^ (mixed >> 31)


def _term(text: str, grade: str, name: str) -> _Term:
    often = text.endswith(_OFTEN)
    match = _LISTED.fullmatch(text.removesuffix(_OFTEN))
    if not match or not match[1]:
        raise PackError(f"{name}.tsv", f"bad term {text!r}")
    since, until, sex = 0, 9999, ""
    for one in (match[2] or "").split():
        if years := _YEARS.fullmatch(one):
            since, until = int(years[1] or 0), int(years[2] or 9999)
        elif one in ("m", "f"):
            sex = one
        else:
            raise PackError(f"{name}.tsv", f"{text!r} stands where? Write years, m or f")
    spellings = tuple(one.strip() for one in match[1].split("="))
    mixed = int.from_bytes(hashlib.blake2b(spellings[0].encode(), digest_size=8).digest(), "big")
    return _Term(spellings, grade, since, until, sex, often, mixed)


@dataclass(frozen=True, slots=True)
class _Turns:
    """Put the terms for each finding of a page in order: a fact of `Page.fact`."""

    keyring: Keyring
    examined: Examined

    def __call__(self, page: Page) -> Mapping[tuple[str, str, str], Sequence[_Term]]:
        return self.examined.turns(page, self.keyring)


@lru_cache(maxsize=8)
def examined(
    entity: str, places: str, findings: str, others: tuple[str, ...], pack: Pack
) -> Examined:
    """Return the form of *entity* by its tables; see `Examined`."""
    return Examined(entity, places, findings, others, pack)
