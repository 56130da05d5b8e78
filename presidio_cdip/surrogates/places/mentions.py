"""Find where the towns, spouses and partners that a page's findings name stand again in its text.

A recognizer finds "12 Elm St., Dayton", and "moved to Dayton in May" stays, which gives the town
away. A mention is a whole run of capitalized words: "Dayton Power Co." and "University of Dayton"
are other names. Where a sentence begins, its first word counts only if it is a name. A town behind
a street or an organization, or before a postcode, belongs to a business and stays. A town that is
also a name of persons needs a word like "in" before it, and a first name that is also a word, such
as "Will", begins no sentence.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Finding, Page
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.places.address_grammar import read_address
from presidio_cdip.surrogates.places.address_parts import TownName
from presidio_cdip.surrogates.places.atlas import Atlas, load_atlas
from presidio_cdip.surrogates.places.place_grammar import read_parts
from presidio_cdip.surrogates.places.street_lists import load_street_lists
from presidio_cdip.surrogates.values.name_words import (
    COUPLES,
    RESERVED,
    SHORT,
    SUFFIXES,
    partner_named,
)
from presidio_cdip.surrogates.writing.text import folded

_FIRST_NAMES = ("first_names_female", "first_names_male")
_SHORTEST = 4  # letters of a town, or of a first name that is a word, too
_WORD = re.compile(r"(?<![\w'’-])[^\W\d_](?:[\w'’.-]*\w)?\.?")
_LOCATIVE = re.compile(
    r"(?i)\b(?:in|at|from|near|to|of|outside|around|through|toward|towards|into|via|leaving|left)\s$"
)
_OF_A_NAME = re.compile(r"[A-Z][\w.]* (?:of|OF|for|FOR) (?:the |THE )?$")
# A number with capitalized words behind it: "7 Mill Road, 2nd Floor,", "Box 12,"
_ADDRESS_BEFORE = re.compile(
    r"(?:^|[\s,])(?:\d+(?![./-]\d+[./-])[^\s,]* |(?i:box|drawer) \d+,? ?)"
    r"(?:(?:[^\Wa-z_][\w.'’#/-]*|of|the|and|floor|\d\w*)[ ,]{1,2}){0,8}$"
)
# A ZIP code, or the zone of an old address: "Dublin 14".
_POSTCODE_AFTER = re.compile(r",? {1,2}(?:\d{5}(?!\d)|\d{1,2}(?=[,\n]|$))")
_LABEL_AFTER = re.compile(r"\s*:")
_LABELS = english().labels
_FUNCTION_WORDS = frozenset((*_LABELS["function_words"], *_LABELS["pronouns"])) | frozenset({
    "after", "although", "because", "before", "both", "but", "later", "since", "so", "that", "then",
    "though", "until", "when", "where", "while",
})  # fmt: skip
_PARTNERS = frozenset(_LABELS["partners"])
_BEFORE_NAMES = frozenset((*_LABELS["titles"], *SHORT))  # whose full stop ends no sentence
_SAINTS = frozenset(_LABELS["saints"])
_DIRECTIONS = frozenset(english().streets["directions"])
_FIRST_OF_TWO = frozenset(english().streets["first_of_two"])
_SHORT_KINDS = frozenset(_LABELS["short_kinds"])
_WORDS_TOO = frozenset(_LABELS["names_and_words"])
_SENTENCE = re.compile(r"(?:\A|[.!?:\n][\"”’)]?\s*)\Z")  # ends before a sentence begins


@dataclass(frozen=True, slots=True)
class Mention:
    """A town or a name that a finding has and the text repeats.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last.
        entity: LOCATION or PERSON.
        drawn_as: The entity by whose forms its surrogate is drawn, so that it is the finding's.
        finding: The first finding that has it.
    """

    start: int
    end: int
    entity: str
    drawn_as: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of capitalized words with single blanks between them, and the words folded."""

    start: int
    end: int
    words: tuple[str, ...]

    def without_first(self, text: str) -> "_Run":
        """Return the run from its second word on."""
        return _Run(text.index(" ", self.start) + 1, self.end, self.words[1:])


def find_mentions(page: Page, pack: Pack) -> Sequence[Mention]:
    """Return the mentions on *page* outside its findings, in order."""
    return page.fact(_Reader(pack))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Find the mentions of a page: a fact of `Page.fact`."""

    pack: Pack

    def __call__(self, page: Page) -> Sequence[Mention]:
        return _read(page, self.pack)


def _read(page: Page, pack: Pack) -> Sequence[Mention]:
    atlas = load_atlas(pack)
    towns = _towns(page, atlas, pack)
    spouses = _spouses(page, pack)
    if not towns and not spouses:
        return []
    own = [(one.start, one.end) for one in page.findings]
    persons = _folded((*_FIRST_NAMES, "last_names"), pack)
    kinds = _folded(("organization_kinds",), pack)
    streets = load_street_lists(pack).types
    found = []
    at = 0
    for run in _runs(page.text):
        while at < len(own) and own[at][1] <= run.start:
            at += 1
        if at < len(own) and own[at][0] < run.end:
            continue
        if _begins_with_a_word(run, page.text, towns, persons | kinds, atlas):
            run = run.without_first(page.text)
        mention = _town(run, page, towns, persons, kinds, streets, atlas) or _spouse(
            run, page, spouses
        )
        if mention and not (at < len(own) and own[at][0] < mention.end):
            found.append(mention)
    return found


def _begins_with_a_word(
    run: _Run, text: str, towns: Container[str], names: Container[str], atlas: Atlas
) -> bool:
    """Return whether a sentence begins with *run*, and its first word belongs to no name."""
    first = run.words[0]
    if len(run.words) < 2 or first in names or first in towns:
        return False
    if first in RESERVED or first in _FIRST_OF_TWO:
        return False
    if not _SENTENCE.search(text[max(0, run.start - 3) : run.start]):
        return False
    return not any(
        (name := " ".join(run.words[:size])) in towns or atlas.town(name) for size in (2, 3)
    )


def _towns(page: Page, atlas: Atlas, pack: Pack) -> Mapping[str, Finding]:
    """Return the first finding of each town of an address or a birthplace, by folded name."""
    towns: dict[str, Finding] = {}
    for one in page.findings:
        if one.entity not in ("HOME_ADDRESS", "PLACE_OF_BIRTH"):
            continue
        value = page.text[one.start : one.end].strip()
        address = read_address(value, {"pack": pack}) if one.entity == "HOME_ADDRESS" else None
        place = read_parts(value, atlas)
        if address:
            names = [part.text for part in address.parts if isinstance(part, TownName)]
        else:
            names = [part.text for part in place[0] if part.kind == "town"] if place else []
        for name in names:
            key = " ".join(folded(word) for word in name.split())
            if len(key) >= _SHORTEST and name[0].isupper() and not atlas.state(key):
                towns.setdefault(key, one)
    return towns


def _spouses(page: Page, pack: Pack) -> Mapping[tuple[str, ...], Finding]:
    """Return the first finding of each name of a spouse or partner, by its folded words."""
    vocabulary, firsts = _vocabulary(pack), _folded(_FIRST_NAMES, pack)
    names: dict[tuple[str, ...], Finding] = {}
    for one in page.findings:
        if one.entity not in COUPLES:
            continue
        value = page.text[one.start : one.end]
        for run in _runs(value):
            words = tuple(word for word in run.words if word not in vocabulary)
            if not words or len(words[0]) < _SHORTEST - (words[0] not in _WORDS_TOO):
                continue
            several = len(words) > 1 and one.entity == COUPLES[0]
            if words[0] in firsts or several or words == (folded(partner_named(value)),):
                names.setdefault(words, one)
    return names


@lru_cache(maxsize=8)
def _vocabulary(pack: Pack) -> frozenset[str]:
    """Return the words that stand for a marital status, and are no name of a spouse."""
    states = pack.terms("recognizers/gazetteers", "marital_states")
    return (
        frozenset(word for term in states for word in folded(term).split()) | RESERVED | _PARTNERS
    )


@lru_cache(maxsize=8)
def _folded(lists: tuple[str, ...], pack: Pack) -> frozenset[str]:
    return frozenset(folded(term) for name in lists for term in terms(name, pack))


def _runs(text: str) -> Iterator[_Run]:
    """Yield the runs of capitalized words; a word like "in" ends one, in capitals too."""
    words: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        word = match.group()
        starts = word[0].isupper() and word.lower() not in _FUNCTION_WORDS
        if words and not (starts and text[words[-1].end() : match.start()] == " "):
            yield _run(words)
            words = []
        if starts:
            words.append(match)
            if word.endswith(".") and not _goes_on(words):
                yield _run(words)
                words = []
    if words:
        yield _run(words)


def _goes_on(words: Sequence["re.Match[str]"]) -> bool:
    """Return whether the full stop behind *words* is one within a name: "Mrs.", "J.", "St."."""
    word = folded(words[-1].group())
    if word in SUFFIXES or word.replace(".", "") in SUFFIXES:
        return False
    if word in _SAINTS:
        return all(folded(one.group()) in _DIRECTIONS for one in words[:-1])
    return len(word) == 1 or word.count(".") == 1 or word in _BEFORE_NAMES  # "J.P.", no "I.L.A."


def _run(words: Sequence["re.Match[str]"]) -> _Run:
    folds = tuple(re.sub(r"['’]s$", "", folded(word.group())) for word in words)
    return _Run(words[0].start(), words[-1].end(), folds)


def _town(
    run: _Run,
    page: Page,
    towns: Mapping[str, Finding],
    persons: frozenset[str],
    kinds: frozenset[str],
    streets: Container[str],
    atlas: Atlas,
) -> Mention | None:
    """Return the town that *run* names, with the state behind it; None if it is another name."""
    text = page.text
    words = text[run.start : run.end].split(" ")
    size = next((n for n in range(len(words), 0, -1) if " ".join(run.words[:n]) in towns), 0)
    state_in_run = size < len(words) and bool(atlas.state(" ".join(words[size:])))
    if not size or (size < len(words) and not state_in_run):
        return None
    name = " ".join(words[:size])
    bare = re.sub(r"['’][sS]$", "", name).rstrip(".")
    end = run.start + len(bare)
    area = run.end - end if state_in_run else _count_area(text[end : end + 40], atlas)
    end += area
    before = text[max(0, run.start - 60) : run.start]
    if _is_of_business(before, text[end : end + 12], kinds, streets):
        return None
    key = " ".join(run.words[:size])
    if key in persons and not area and not _LOCATIVE.search(before):
        return None
    finding = towns[key]
    return Mention(run.start, end, "LOCATION", finding.entity, finding)


def _count_area(text: str, atlas: Atlas) -> int:
    """Count the characters of the comma and the state, region or country that *text* begins with.

    >>> atlas = load_atlas(Pack.shipped())
    >>> [_count_area(text, atlas) for text in (", Ohio in May", ", Ohio.", ", Calif.", ", and so")]
    [6, 6, 8, 0]
    """
    found = re.match(r",\s{1,2}([A-Z][\w.]*)( ?[A-Z][\w.]*)?", text)
    for group in (2, 1) if found else ():
        if found and (end := found.end(group)) > 0:
            name = text[found.start(1) : end]
            state = atlas.state(name)
            if state or atlas.country(name) or folded(name) in atlas.regions:
                full = not state or folded(atlas.state_rows[state]["name"]) == folded(name)
                # "Ohio." ends a sentence, "Calif." may not.
                return end - (full and name.endswith(".") and name.count(".") == 1)
    return 0


def _is_of_business(
    before: str, after: str, kinds: frozenset[str], streets: Container[str]
) -> bool:
    """Return whether a town belongs to a name or to the address of a business, or is a label."""
    if _OF_A_NAME.search(before) or _POSTCODE_AFTER.match(after) or _LABEL_AFTER.match(after):
        return True
    if re.match(r" ?&|[/-]", after) or re.search(r"& ?$|[/-]$", before):
        return True
    line = before.rstrip(" ") if before.strip(" \n") else ""
    alone = line.endswith("\n")  # the line begins with the town
    line = line.strip().rpartition("\n")[2]
    if _LOCATIVE.search(before) and not alone:
        return False
    # A kind of organization in small letters, as in "police records, Akron", is of no name.
    words = ["" if word.islower() else folded(word) for word in re.findall(r"[^\W\d_]+", line)]
    if words and line.endswith(".") and not alone:
        if words[-1] not in _SHORT_KINDS or re.match(r" [a-z]", after):
            return False  # a sentence ends
        kinds = _SHORT_KINDS
    behind_comma = before.rstrip().endswith(",")
    if alone and re.match(r"\.?(?: {2}| *\n| *$)", after):
        return not kinds.isdisjoint(words) or bool(_ADDRESS_BEFORE.search(line))
    if words and words[-1] in kinds and re.search(r"[,.\s-]\s*$", before):
        return True
    is_street = bool(words) and words[-1] in streets
    return behind_comma and (is_street or bool(_ADDRESS_BEFORE.search(line)))


def _spouse(run: _Run, page: Page, spouses: Mapping[tuple[str, ...], Finding]) -> Mention | None:
    """Return the spouse that *run* names by the first name; None if it is another name."""
    words = page.text[run.start : run.end].split(" ")
    lead = next((at for at, word in enumerate(run.words) if word not in RESERVED), 0)
    own = run.words[lead:]
    for name, finding in spouses.items():
        # "Ward, Ellen" in a list is somebody else.
        before = page.text[max(0, run.start - 20) : run.start]
        alone = len(own) == 1 and (
            re.search(r"[A-Z][\w.]+, $", before)
            or (own[0] in _WORDS_TOO and _SENTENCE.search(before))
        )
        parts = {word for word in own if len(word) > 1}
        if own and own[0] == name[0] and parts <= set(name) and not alone:
            start = run.start + sum(len(word) + 1 for word in words[:lead])
            text = re.sub(r"['’][sS]$", "", page.text[start : run.end]).rstrip(".")
            return Mention(start, start + len(text), "PERSON", "PERSON", finding)
    return None
