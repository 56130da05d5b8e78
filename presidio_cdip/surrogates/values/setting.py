"""Tell where, when and among whom a page was written, and choose phrases that can stand there.

``operators/gazetteers/settings.tsv`` lists the words that belong to one country, period, trade or
people; a column ``fits`` of another table marks its rows in the same way. A page is read by what
stays on it: the words between its findings, its years and its names. So a choice tells nothing of
the originals that the page does not show, with these exceptions: the peoples of the page go with
the race that is drawn; an illness keeps its course, a medicine its use, an offence its kind, a
union its trade and, where its own letters tell it, its nation.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, TypeVar

from presidio_cdip.errors import PackError
from presidio_cdip.pack.confusions import digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.parts import of_century
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import (
    AROUND,
    Context,
    Finding,
    Page,
    blanked,
    context_of,
)
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import FOLDER, pack_of, rows, terms
from presidio_cdip.surrogates.drawing.table import read
from presidio_cdip.surrogates.places.atlas import country_of_locale
from presidio_cdip.surrogates.places.countries import page_places
from presidio_cdip.surrogates.values.name_lists import LAST, WOMEN, is_last, origin_of, sex_of
from presidio_cdip.surrogates.values.sex import sex_around, sex_of_pronouns
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.text import folded, line_at

FITS = "fits"  # the column of a table with the marks of its rows
PEOPLE = "people"
MEDICAL = "medical"  # the branch of medicine
USE = "use"  # of a medicine
TRADITION = "tradition"  # of religion
COURSE = "course"  # how an illness goes, or what is done about it, such as "passing" or "surgery"
CRIME = "crime"  # the kind of an offence
_POUND = "£"
TERM = "term"  # the unit of a sentence, such as days or years
NATION = "nation"  # where a union is at home, if others with its words are not
_COUNTRY = "country"
_ANYWHERE = ("members", "trade")  # columns of unions whose words tell no country
# The kinds of marks that the words near a value tell, by the entity that asks for them
_TRADE = "trade"
_CRAFT = "craft"  # a part of a trade whose unions come before the others of it
_NEARBY = {"TRADE_UNION_MEMBERSHIP": _TRADE, "HEALTH": MEDICAL, "RELIGION": TRADITION}
_TABLES = (
    "nations",
    "descents",
    "unions",
    "faiths",
)  # tables whose words have the marks of their rows
_TABLE = "settings"
_LETTERS = "letters"  # a kind of rows with letters that are words, too
_HEADS = "heads"  # a kind of rows that tells nothing of pages
# The kinds of marks, the first of which is left out first where too little fits.
KINDS = (
    _CRAFT, _TRADE, PEOPLE, USE, MEDICAL, TRADITION, COURSE, TERM, CRIME, NATION, _COUNTRY,
    "period", "sex",
)  # fmt: skip
_WITHOUT_COURSE = KINDS.index(COURSE) + 1
# What must fit, most first: where too few have a course, those of the branch come before any.
_LEVELS = (
    *(KINDS[at:] for at in range(_WITHOUT_COURSE)),
    (MEDICAL, *KINDS[_WITHOUT_COURSE:]),
    *(KINDS[at:] for at in range(_WITHOUT_COURSE, len(KINDS))),
)
_UNMARKED = (
    "names",
    "race",
    "traditions",
    _HEADS,
    _LETTERS,
)  # kinds of rows whose words are no marks
_CODE = 3  # letters at most of a code for a race
_USUAL_RACES = 3  # from which that of a page is drawn if no names tell it: the first of the list
_USUAL_ONCE, _ONCE = 2, 1960  # as many before that year, when forms had few words for others
_FEW_MEDICINES = 6  # of a branch, from which one is drawn
_FEW_USES = 3  # of a use, without those that are the same
_FEW = 2  # others from which one is drawn; with fewer, a kind of marks is left out
ORGAN = "organ"  # the option of a draw whose terms are of one part of the body
_ORGANS = frozenset({"eye", "ear", "teeth"})
_OF_THE_OUTSIDE = _ORGANS | {"skin"}  # branches whose medicines are drops and ointments
AS_MEDICINE = "as medicine"  # the option of a draw of what stands where a medicine does
ALIKE = (
    "alike"  # the option of a draw whose terms are alike, so that branch and course tell nothing
)
STAYS = "told to stay"  # the form of a value that stays, since its page tells it
_OF_ALL = (_COUNTRY, "sex", "period")  # kinds of marks that count there, too
_ALONE = "alone"  # the option of a draw whose result other draws follow
_HEALTH, _RELIGION, _PERSON = "HEALTH", "RELIGION", "PERSON"
_POLITICS = "POLITICAL_OPINION"
# By entity, the kinds of tags that its values have of themselves, and from how many one is drawn
_OF_VALUES = {
    _HEALTH: {COURSE: 4},
    "CRIMINAL_OFFENCE": {CRIME: 6, TERM: 3},
    "TRADE_UNION_MEMBERSHIP": {_TRADE: 3, _CRAFT: 3},
}
FEW_OF_BRANCH = 3  # of the value's own branch of medicine, from which one is drawn
MEDICINES = "health_medicines"  # the table of medicines; lists of others begin with:
_MEDICINES = "health_drugs_"
_MANY_MEDICINES = 20  # of a branch: some in every class of doses
_BESIDE = 60  # characters at most between a medicine and its diagnosis
_COMMONWEALTH = (
    "India", "Pakistan", "Kenya", "Uganda", "Tanzania", "Zambia", "Zimbabwe", "Nigeria", "Ghana",
    "Jamaica", "Trinidad and Tobago", "Guyana", "Barbados", "Sri Lanka", "Malaysia", "Singapore",
)  # fmt: skip
# The country whose words a page of that home has, where none of its words tell it.
_HOMES = dict.fromkeys(_COMMONWEALTH, "GB") | {
    "United States": "US", "Canada": "US", "United Kingdom": "GB", "Ireland": "GB",
    "Australia": "GB", "New Zealand": "GB", "South Africa": "GB",
}  # fmt: skip
# The nation of the unions of a page of that home; see `_OF_THEIR_OWN`.
_NATIONS = dict.fromkeys(_COMMONWEALTH, "commonwealth") | {
    "Australia": "australia", "New Zealand": "new_zealand", "Ireland": "ireland",
    "South Africa": "south_africa", "Canada": "canada", "United Kingdom": "britain",
}  # fmt: skip
_OF_THEIR_OWN = frozenset({"australia", "new_zealand", "ireland", "south_africa", "commonwealth"})
_AMERICAN = frozenset({"america", "canada"})
# Between a medicine and what it is for
_FOR = re.compile(r"(?i)[^.;\n]{0,20}\bfor\s(?:\w+\s){0,3}")
_BRANCHES = 2  # of medicine, of a page that is about them
_APART = re.compile(r"[.;](?= ?[A-Z\n])|\n\s*\n")
# "She has gout. Dr. Low put her on": the next sentence goes on to a medicine.
_THEN_TAKES = re.compile(
    r"(?:[^.;\n]|\n(?!\s*\n))*[.;]\s+(?:(?:Dr\.?|[\w'’]+)\s+){0,5}?"
    rf"(?i:{'|'.join(english().records['begins_to_take'])})\b[^.;]*"
)
_NAMED_BEFORE, _NAMED_AFTER = 250, 100  # characters around a value in which names tell a people
_NEAR = 150  # characters on either side in which a trade is named
_USUAL_OF_UNIONS = 1965  # the year of one where nothing tells it, if it existed then
_RIGHT_BEHIND = 20  # characters behind a value in which a year is nearest
_LONGEST = 5  # words of a term
_SHORTEST_STEM = 3  # letters
_STEM = "*"  # ends the beginning of words, as in "cholecyst*"
_OF_VALUE = "~"  # begins what tells the branch of a value, but not of the page that has it
_COMPOUND = re.compile(r"[-/&]")  # parts the words of "hearing-aid"
# Kinds of which a text has the tags of its longest terms
_OF_LONGEST = (COURSE, MEDICAL, _TRADE, USE)

_ENGLISH = "en_US"
_EARLY = 8  # years by which a medicine may come before it is usual
_GROWN_UP = 30  # years from a birth to the page that tells nothing else of its time
_GOES_ON = 40  # years at most from one in full to the dates of a record
_NUMBERED = frozenset({  # entities with numbers that look like years
    "HOME_ADDRESS", "LOCATION", "US_SSN", "HOME_PHONE_NUMBER", "PHONE_NUMBER", "BIOMETRIC_DATA",
    "GENETIC_DATA", "TRADE_UNION_MEMBERSHIP",
})  # fmt: skip
ENGLISH_NAMES = "english"  # the origin of names that name_origins.tsv has not
_SHORT_NAME = 4  # letters of a last name that may be a word
_OF_WORDS = ("chinese", "korean", "vietnamese")  # origins whose first names are words, too

_TOKEN = re.compile(r"[£$€]|[^\W_]+(?:[.&'’/-][^\W_]+)*")
_YEARS = re.compile(r"(\d{4})?-(\d{4})?")
_FULL_YEAR = re.compile(
    r"(?:(?<![\d.,-])|(?<=,)(?=\d{4}-\d\d-\d\d))(1[89]\d\d|20[0-4]\d)"
    r"(?!,?\d|-\d{3}| ?(?:k?cal|calories?|mg|mcg|ml|cc|units|ADA)\b)"  # no dose or diet
)
_SHORT_YEAR = re.compile(r"\b\d{1,2}([/.-])\d{1,2}\1(\d\d)\b")
_FILLED_IN = re.compile(r",\s{0,3}19[ _]{1,4}(\d\d)\b")  # "this 3rd day of May, 19 36"
# A year or a date in which OCR has read digits as letters: "l946", "4-l7-5l"
_DAMAGED_YEAR = re.compile(
    r"(?<![\w.,-])(?:[1lI][89][\dlIO]{2}|[\dlIO]{1,2}([/.-])[\dlIO]{1,2}\1[\dlIO]{2})(?![\w-])"
)
_OF_FORM = re.compile(
    r"(?i)\b(?:form|rev|revised|ed)\b[^\n\d]{0,6}(?:[\w-]+ )?\(?\d\d?[-/](\d\d)\b"
)
# Without a day: "Oct. 68", "June '34"; a number up to 31 may be one
_SHORT_OF_MONTH = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?,? "
    r"(?:['’](\d\d)|(3[2-9]|[4-9]\d))\b(?![.:]\d|[,\d/-])"
)
# "in 'thirty-two", "in '48", as people tell it
_SPOKEN_YEAR = re.compile(r"(?i)(?<!\w)['’](?:(\d\d)\b(?![.:]\d)|([a-z]+ty(?:-[a-z]+)?)\b)")
_NAME = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INITIALLED = re.compile(  # "E. Novák", "Gallagher, P. J.", "Bao N."
    r"(?<![\w.])(?:(?:[A-Z]\. ?){1,2}(?P<last>[A-Z][^\W\d_]{2,})"
    r"|(?P<family>[A-Z][^\W\d_]{2,}), ?[A-Z]\.|(?P<first>[A-Z][^\W\d_]+) [A-Z]\.(?! ?[A-Z]))"
)
_ROW, _TWO_NAMES = 150, 40  # characters of a line up to a value; of two names
_GAELIC = re.compile(r"(?:mc|o['’]|fitz)[a-z]{3}")  # of last names, folded
_PAIR = re.compile(r",?[ \t]+(?:[^\W\d_]\.?[ \t]+)?|,")


@dataclass(frozen=True, slots=True)
class Marks:
    """Hold what belongs to one setting only.

    Attributes:
        tags: Tags by kind, in order; a kind is missing if the text fits all.
        since: The first year in which it can stand.
        until: The last.
    """

    tags: tuple[tuple[str, frozenset[str]], ...] = ()
    since: int = 0
    until: int = 9999


@dataclass(frozen=True, slots=True)
class Setting:
    """Say what can stand at one place of a page.

    Attributes:
        tags: The page's tags by kind; a kind is missing if the page does not tell it.
        year: The year of the page, or one that stands beside the value; 0 if there is none.
        only: Kinds of which what can stand here must have a mark.
        few: From how many of what can stand here and has a mark of *only* one is drawn.
    """

    tags: tuple[tuple[str, frozenset[str]], ...] = ()
    year: int = 0
    only: tuple[str, ...] = ()
    few: int = 0

    def takes(self, marks: Marks, kinds: Sequence[str] = KINDS) -> bool:
        """Tell whether what has *marks* can stand here, as far as *kinds* of marks tell."""
        if self.year and "period" in kinds and not marks.since <= self.year <= marks.until:
            return False
        marked, own = dict(marks.tags), dict(self.tags)
        if USE in own and USE in kinds:  # tells more than the branch
            kinds = [kind for kind in kinds if kind != MEDICAL]
        if any(kind in kinds and kind not in marked for kind in self.only):
            return False
        if _CRAFT in kinds and _CRAFT in marked and _CRAFT not in own:
            return False
        return all(
            tags & own[kind] for kind, tags in marked.items() if kind in kinds and kind in own
        )

    def indices(self, marks: Sequence[Marks], few: int = _FEW) -> Sequence[int]:
        """Return which of *marks* can stand here; all of them if fewer than *few* can."""
        here = self
        of_nations = sum(NATION in dict(one.tags) for one in marks)
        if NATION in self.only and 2 * of_nations < len(marks):
            here = replace(self, only=tuple(one for one in self.only if one != NATION))
        for kinds in _LEVELS:
            found = [index for index, one in enumerate(marks) if here.takes(one, kinds)]
            # A short list of one kind has few others of it: its country and years count.
            of_own = any(one in kinds for one in here.only)
            if len(found) >= (max(few, here.few) if of_own else few):
                return found
        return range(len(marks))


def setting_of(draw: Draw, spellings: tuple[str, ...] = (), alone: bool = False) -> Setting | None:
    """Return the setting of the value of *draw*; None if its page is not known.

    Args:
        draw: The draw.
        spellings: Folded ways to write what is replaced. Its setting is that of the first value of
            the entity that has one of them, so that a page gives one fact one surrogate.
        alone: Whether the surrogates of other values do not count, as for what these follow: a
            diagnosis and a faith.
    """
    context = context_of(draw.options)
    if context is None:
        return None
    page = context.page.fact(_Reader(pack_of(draw.options)))
    alone = alone or bool(draw.options.get(_ALONE))
    organ = str(draw.options.get(ORGAN) or "")
    read_as = f"{organ} {AS_MEDICINE}" if draw.options.get(AS_MEDICINE) else organ
    at = (draw.keyring, draw.entity, (read_as, *(spellings or (str(context.start),))), alone)
    if at not in page.settings:
        place = _first(context, draw.entity, spellings) if spellings else context
        page.settings[at] = _read_setting(page, draw, place, spellings, alone)
    return page.settings[at]


def _first(context: Context, entity: str, spellings: Sequence[str]) -> Context:
    """Return the first place of the page at which *entity* has one of *spellings*."""
    known = context.page.fact(first_places).get(entity, {})
    places = [known[one] for one in spellings if one in known]
    return Context(context.page, *min(places)) if places else context


def first_places(page: Page) -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """Return by entity where up to five words of its values stand first, folded."""
    found: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for one in page.findings:
        text = folded(page.text[one.start : one.end])
        for words in _runs(text.split()):
            found[one.entity].setdefault(words, (one.start, one.end))
        found[one.entity].setdefault(text, (one.start, one.end))
    return found


def _read_setting(
    page: "_PageSetting", draw: Draw, context: Context, spellings: Sequence[str], alone: bool
) -> Setting:
    tags = dict(page.tags)
    kind = _NEARBY.get(draw.entity, "")
    if near := page.near(kind, context):
        tags[kind] = near
    if draw.entity == _HEALTH:
        # What has no branch ("operation", "tablets") becomes what has none, or the page's.
        tags[kind] = first_tags(kind, (_value(context),), pack_of(draw.options)) or near
    places, usual = page_places(draw.options), country_of_locale(draw.locale)
    home = places.of_setting  # of the page's countries only what stays on it counts
    home = home if home in (*_HOMES, places.home) else ""
    told = _told(context, spellings)
    if kind == _TRADE:
        tags |= _of_union(tags, home, context, pack_of(draw.options))
    if _HOMES.get(home) == "GB":  # its addresses count more than its words
        tags[_COUNTRY] = frozenset(("GB",))
    if draw.entity == _POLITICS:
        # Parties keep the country that their names tell: "Labour" becomes one of Britain.
        named = context.page.fact(_OfValues(_POLITICS, _COUNTRY, pack_of(draw.options)))
        abroad = frozenset((home,) if home and home not in _HOMES else ())
        tags |= {_COUNTRY: one} if (one := named or tags.get(_COUNTRY) or abroad) else {}
    if _COUNTRY not in tags and (home or usual) in _HOMES:
        tags[_COUNTRY] = frozenset((_HOMES[home or usual],))
    if people := _people_near(page, context, draw):
        tags[PEOPLE] = frozenset((people,))
    pack = pack_of(draw.options)
    of_diagnosis = {} if alone else _of_diagnosis(draw, context)
    diagnosis = of_diagnosis.get(MEDICAL, frozenset())
    own = _of_medicine(draw, context, spellings)
    use = of_diagnosis.get(USE)
    if not use and not (diagnosis and diagnosis.isdisjoint(own.get(MEDICAL, diagnosis))):
        use = own.get(USE)
    few = 0
    if organ := str(draw.options.get(ORGAN) or ""):
        medicine = frozenset((organ,))
    elif use:
        tags[USE], few = use, _FEW_USES
        medicine = diagnosis or own.get(MEDICAL, diagnosis)
    elif not (medicine := diagnosis & _treated(pack)):
        medicine, few = (own[MEDICAL], _FEW_MEDICINES) if own else (diagnosis, 0)
    branch = first_tags(MEDICAL, told, pack)
    if draw.entity == _HEALTH and branch and not medicine:
        medicine, few = branch, FEW_OF_BRANCH
    if followed := medicine or (frozenset() if alone else _of_faith(draw, context)):
        tags[kind] = followed
    if draw.entity == _RELIGION and TRADITION not in tags:
        tags[TRADITION] = _usual_traditions(people, pack)
    # Where nothing tells whose it is, what only women or men have is replaced by the like alone.
    sex = sex_around(context)
    own_sex = first_tags("sex", told, pack)
    tags["sex"] = frozenset((sex,)) if sex else own_sex
    only = [USE] if USE in tags else []
    only += [MEDICAL] if medicine else []
    only += [NATION] if tags.get(NATION, frozenset()) & _OF_THEIR_OWN else []
    for own_kind, least in _OF_VALUES.get(draw.entity, {}).items():
        if of_value := first_tags(own_kind, told, pack):
            tags[own_kind] = of_value & tags.get(own_kind, of_value) or of_value
            few = few or least
            only.append(own_kind)
    year = _year_at(page, context)
    if kind == _TRADE and not year:
        year = _year_of_union(context, pack)
    if kind == MEDICAL and year:
        year = _not_before(year, _sold_since((_value(context),), pack))
    return Setting(tuple(tags.items()), year, tuple(only), few)


def _year_of_union(context: Context, pack: Pack) -> int:
    """Return a year in which the union that a value names existed; 0 if no list tells it."""
    marks = marks_of(_value(context), pack)
    is_told = (marks.since, marks.until) != (Marks().since, Marks().until)
    return max(marks.since, min(marks.until, _USUAL_OF_UNIONS)) if is_told else 0


def _year_at(page: "_PageSetting", context: Context) -> int:
    """Return the year beside a value, or else that of its page; 0 if nothing tells it.

    One right behind it is nearest: "born 1902, Socialist ticket 1932".
    """
    text = context.page.fact(staying)
    before = text[max(0, context.start - AROUND) : context.start]
    after = text[context.end : context.end + AROUND]
    for beside, at in ((after[:_RIGHT_BEHIND], 0), (before, -1), (after, 0)):
        if found := _years(beside) or [*_spoken_years(beside)]:
            return found[at]
    return page.year


def told_at(context: Context, pack: Pack) -> tuple[int, str]:
    """Return the year and the country that a page tells for a value; 0 and "" if it does not."""
    page = context.page.fact(_Reader(pack))
    country = dict(page.tags).get("country", frozenset())
    return _year_at(page, context), next(iter(country), "")


def last_year(page: Page, pack: Pack) -> int:
    """Return the last year that *page* tells, in which it was written; 0 if it tells none."""
    return page.fact(_Reader(pack)).year


def is_british(page: Page, pack: Pack) -> bool:
    """Tell whether *page* has more words of Britain than of the United States."""
    return dict(page.fact(_Reader(pack)).tags).get(_COUNTRY) == frozenset(("GB",))


def _of_union(
    tags: Mapping[str, frozenset[str]], home: str, context: Context, pack: Pack
) -> Mapping[str, frozenset[str]]:
    """Return the nation and the country of the unions that can replace a value on its page.

    They are its own, where its letters or its name tell them; or else the page's; or else those of
    the page's other unions, which keep them.
    """
    value = _value(context)
    country = first_tags(_COUNTRY, (value,), pack) or tags.get(_COUNTRY)
    nation = tags.get(NATION) or frozenset(filter(None, (_NATIONS.get(home),)))
    if not nation and not tags.get(_COUNTRY):
        nation = context.page.fact(_OfValues("TRADE_UNION_MEMBERSHIP", NATION, pack))
        nation &= _OF_THEIR_OWN
    if not country and nation:
        country = frozenset(("US" if nation & _AMERICAN else "GB",))
    if own := first_tags(NATION, (value,), pack):
        nation = nation & own or own - _OF_THEIR_OWN or own
    nation = nation or frozenset(("britain" if "GB" in (country or ()) else "america",))
    return {NATION: nation} | ({_COUNTRY: country} if country else {})


@dataclass(frozen=True, slots=True)
class _OfValues:
    """Find the one tag of a kind that values of an entity tell: a fact of `Page.fact`.

    Attributes:
        entity: The entity, whose surrogates have the tag of their originals.
        kind: The kind of the tag.
        pack: The pack.
    """

    entity: str
    kind: str
    pack: Pack

    def __call__(self, page: Page) -> frozenset[str]:
        """Return the tag; nothing if there is none, or if values contradict each other."""
        found = (first_tags(self.kind, (one,), self.pack) for one in page.values(self.entity))
        told = {tags for tags in found if len(tags) == 1}
        return next(iter(told)) if len(told) == 1 else frozenset()


def _told(context: Context, spellings: Sequence[str]) -> tuple[str, ...]:
    """Return the spellings of what is replaced; the value, if that is all of it.

    What the page says of an illness, such as how long it lasted or who has it, of an offence, such
    as what it cost, and of who is in a union, such as where she works, holds of the surrogate.
    """
    return tuple(spellings) or (_value(context),)


def _value(context: Context) -> str:
    return context.page.text[context.start : context.end]


def _of_diagnosis(draw: Draw, context: Context) -> Mapping[str, frozenset[str]]:
    """Return what a medicine is of and for: by the surrogate of the diagnosis that it is for.

    That is one of its use, beside it or anywhere on the page, or else any that stands beside it.
    """
    page, pack = context.page, pack_of(draw.options)
    value = _value(context)
    if draw.entity != _HEALTH or not (draw.options.get(AS_MEDICINE) or _is_medicine(value, pack)):
        return {}
    branches = dict(marks_of(value, pack).tags).get(MEDICAL, frozenset())
    if one := page.fact(_ForWhat(pack)).get(context.start):
        found = _tags_of_surrogate(one, draw, context)
        if USE in found:
            return found
    for one in _beside(page, context, pack):
        own = dict(marks_of(page.text[one.start : one.end], pack).tags).get(MEDICAL, frozenset())
        if own and own <= _OF_THE_OUTSIDE and branches and branches.isdisjoint(own):
            of_page = page.fact(_BranchesOfIllnesses(pack))
            if branches & of_page:
                continue  # "heart block, cataracts. Meds: warfarin": that of another diagnosis
        written = _surrogate_of(one, draw, context)
        found = dict(marks_of(written, pack).tags)
        if (MEDICAL in found or USE in found) and not _is_medicine(written, pack):
            return found
    return {}


@dataclass(frozen=True, slots=True)
class _BranchesOfIllnesses:
    """Find the branches of medicine of a page's values that are no medicines."""

    pack: Pack

    def __call__(self, page: Page) -> frozenset[str]:
        values = (page.text[one.start : one.end] for one in page.findings if one.entity == _HEALTH)
        return frozenset(
            branch
            for one in values
            if not _is_medicine(one, self.pack)
            for branch in dict(marks_of(one, self.pack).tags).get(MEDICAL, ())
        )


def _beside(page: Page, medicine: Finding | Context, pack: Pack) -> Iterator[Finding]:
    """Yield what stands beside a medicine and is none: "asthma, on theophylline"."""
    text, start, end = page.text, medicine.start, medicine.end
    near = _findings_near(page, start - _BESIDE, end + _BESIDE)
    # "asthma, on theophylline": mostly before its medicine, but "Valium for her nerves".
    named = [one for one in near if _FOR.fullmatch(text, end, one.start)]
    for one in (*named, *sorted(near, key=lambda it: (it.start > start, -it.end))):
        if one.entity != _HEALTH or one.start == start or _is_apart(text, one, medicine):
            continue
        if not _is_medicine(text[one.start : one.end], pack):
            yield one


@dataclass(frozen=True, slots=True)
class _ForWhat:
    """Find the diagnosis of its use for each medicine, by its start: a fact of `Page.fact`.

    It is the nearest one beside the medicine, or else before it on the page, or else after it.
    """

    pack: Pack

    def __call__(self, page: Page) -> Mapping[int, Finding]:
        diagnoses: list[tuple[Finding, frozenset[str]]] = []
        medicines: list[tuple[Finding, frozenset[str]]] = []
        for one in page.findings:
            value = page.text[one.start : one.end]
            if one.entity == _HEALTH and (uses := dict(marks_of(value, self.pack).tags).get(USE)):
                known = medicines if _is_medicine(value, self.pack) else diagnoses
                known.append((one, uses))
        found: dict[int, Finding] = {}
        for one, uses in medicines if diagnoses else ():
            if alike := [other for other, own in diagnoses if own & uses]:
                beside = {other.start for other in _beside(page, one, self.pack)}
                found[one.start] = max(alike, key=partial(_nearness, one.start, beside))
        return found


def _nearness(start: int, beside: set[int], one: Finding) -> tuple[bool, bool, int]:
    """Return how likely a medicine at *start* is for *one*."""
    return one.start in beside, one.start < start, -abs(one.start - start)


@dataclass(frozen=True, slots=True)
class Treated:
    """Find up to five words of values beside which a medicine stands: a fact of `Page.fact`."""

    pack: Pack

    def _branches(self, value: str) -> frozenset[str]:
        return dict(marks_of(value, self.pack).tags).get(MEDICAL, frozenset())

    def __call__(self, page: Page) -> frozenset[str]:
        """Search beside each medicine, or for what it is for.

        Drops and ointments count beside illnesses of the part that they are for.
        """
        text, found = page.text, set[str]()
        for one in page.findings:
            value = text[one.start : one.end]
            if one.entity != _HEALTH or not _is_medicine(value, self.pack):
                continue
            branches = self._branches(value)
            outside = bool(branches) and branches <= _OF_THE_OUTSIDE
            treated = [
                other
                for other in _findings_near(page, one.start - _BESIDE, one.end + _BESIDE)
                if other.entity == _HEALTH
                and (other.start == one.start or not _is_apart(text, other, one))
                and (not outside or branches & self._branches(text[other.start : other.end]))
            ]
            if far := page.fact(_ForWhat(self.pack)).get(one.start):
                treated.append(far)
            for other in treated:
                found.update(_runs(folded(text[other.start : other.end]).split()))
        return frozenset(found)


def _is_apart(text: str, illness: Finding, medicine: Finding | Context) -> bool:
    """Tell whether a sentence parts *medicine* from *illness*, and does not go on to it."""
    gap = text[min(illness.end, medicine.end) : max(illness.start, medicine.start) + 1]
    goes_on = illness.start < medicine.start and _THEN_TAKES.fullmatch(gap.rstrip())
    return bool(_APART.search(gap)) and not goes_on


def _runs(words: Sequence[str]) -> Iterator[str]:
    """Yield up to five of *words* from each place."""
    for at in range(len(words)):
        for end in range(at + 1, min(len(words), at + _LONGEST) + 1):
            yield " ".join(words[at:end])


def is_treated(spellings: Sequence[str], pack: Pack) -> bool:
    """Tell whether medicines are listed for what has *spellings*, however it is written."""
    return bool(spellings) and all(USE in dict(marks_of(one, pack).tags) for one in spellings)


def _of_medicine(
    draw: Draw, context: Context, spellings: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """Return the branch and the use of a medicine itself, whose surrogate is for the same."""
    pack = pack_of(draw.options)
    value = next(
        (one for one in spellings if _is_medicine(one, pack)),
        context.page.text[context.start : context.end],
    )
    if draw.entity != _HEALTH or not _is_medicine(value, pack):
        return {}
    found = dict(marks_of(value, pack).tags)
    return {kind: found[kind] for kind in (MEDICAL, USE) if kind in found}


def _of_faith(draw: Draw, context: Context) -> frozenset[str]:
    """Return the tradition of the surrogate of the faith that the page names first.

    It is for what else the page says of religion, such as a festival or an office.
    """
    page, pack = context.page, pack_of(draw.options)
    faiths = _faiths(pack)
    if draw.entity != _RELIGION or folded(page.text[context.start : context.end]) in faiths:
        return frozenset()
    first = page.fact(_FirstFaith(pack))
    found = _tags_of_surrogate(first, draw, context) if first else {}
    return found.get(TRADITION, frozenset())


@dataclass(frozen=True, slots=True)
class _FirstFaith:
    """Find the first faith of a page: a fact of `Page.fact`."""

    pack: Pack

    def __call__(self, page: Page) -> Finding | None:
        faiths = _faiths(self.pack)
        for one in page.findings:
            if one.entity == _RELIGION and folded(page.text[one.start : one.end]) in faiths:
                return one
        return None


def _findings_near(page: Page, low: int, high: int) -> Sequence[Finding]:
    """Return the findings of *page* that reach into ``[low, high]``."""
    starts, ends = page.fact(_bounds)
    return page.findings[bisect_left(ends, low) : bisect_right(starts, high)]


def _bounds(page: Page) -> tuple[list[int], list[int]]:
    """Return where the findings of *page* start, and where they end."""
    return [one.start for one in page.findings], [one.end for one in page.findings]


@lru_cache(maxsize=64)
def _usual_traditions(people: str, pack: Pack) -> frozenset[str]:
    listed = _listed("traditions", pack)
    return frozenset(next((tags for words, tags in listed if (people or "unknown") in words), ()))


def _tags_of_surrogate(one: Finding, draw: Draw, context: Context) -> Mapping[str, frozenset[str]]:
    """Return the tags by kind that the surrogate of another finding of the page has."""
    return dict(marks_of(_surrogate_of(one, draw, context), pack_of(draw.options)).tags)


def _surrogate_of(one: Finding, draw: Draw, context: Context) -> str:
    """Return the surrogate of another finding of the page."""
    page = context.page
    there = {**draw.options, "context": Context(page, one.start, one.end), _ALONE: True}
    reading = read(one.entity, page.text[one.start : one.end], there)
    return reading.write(Draw(draw.keyring, one.entity, reading.normal, 0, there))


@lru_cache(maxsize=8)
def _faiths(pack: Pack) -> frozenset[str]:
    return frozenset(
        folded(word.removeprefix("~"))
        for row in rows("faiths", pack)
        for column, cell in row.items()
        if column != FITS
        for word in cell.split("|")
        if word
    )


@lru_cache(maxsize=4096)
def _is_medicine(value: str, pack: Pack) -> bool:
    known = _medicines(pack)
    return any(term in known for term, _ in terms_in(value))


@lru_cache(maxsize=8)
def _treated(pack: Pack) -> frozenset[str]:
    """Return the branches for which there are many medicines."""
    counts = Counter(
        tag for one in _medicines(pack) for tag in dict(marks_of(one, pack).tags).get(MEDICAL, ())
    )
    return frozenset(tag for tag, count in counts.items() if count >= _MANY_MEDICINES)


@lru_cache(maxsize=8)
def _medicines(pack: Pack) -> frozenset[str]:
    listed = (
        word
        for name in pack.files(FOLDER, ".txt")
        if name.startswith(_MEDICINES)
        for word in terms(name.removesuffix(".txt"), pack)
    )
    table = (word for row in rows(MEDICINES, pack) for word in _names_of_medicine(row))
    return frozenset(word.casefold() for words in (listed, table) for word in words)


def _names_of_medicine(row: Mapping[str, str]) -> Iterator[str]:
    """Yield the names and brands of a row of the table of medicines."""
    for column in ("medicine", "names_gb", "brands", "brands_gb"):
        yield from filter(None, row[column].split("|"))


def of_page_country(draw: Draw) -> str:
    """Return the tag of the country of the page of *draw*; empty if nothing tells it."""
    setting = setting_of(draw)
    return min(dict(setting.tags).get("country", ("",))) if setting else ""


def fitting(
    phrases: tuple[str, ...], draw: Draw, spellings: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return those of *phrases* that can stand where the value of *draw* does; see `setting_of`."""
    setting = setting_of(draw, spellings)
    if setting is not None and draw.options.get(ALIKE):
        of_branch = MEDICAL in setting.only
        kinds = (*_OF_ALL, MEDICAL) if of_branch else _OF_ALL
        tags = tuple(one for one in setting.tags if one[0] in kinds)
        only, few = ((MEDICAL,), FEW_OF_BRANCH) if of_branch else ((), 0)
        setting = Setting(tags, setting.year, only, few)
    return phrases if setting is None else _fitting(phrases, setting, pack_of(draw.options))


@lru_cache(maxsize=8192)
def _fitting(phrases: tuple[str, ...], setting: Setting, pack: Pack) -> tuple[str, ...]:
    few = min(_FEW, len(phrases))
    found = setting.indices([marks_of(one, pack) for one in phrases], few)
    return phrases if len(found) == len(phrases) else tuple(phrases[index] for index in found)


@lru_cache(maxsize=65536)
def marks_of(text: str, pack: Pack) -> Marks:
    """Return the marks of the words of *text*."""
    known = _words(pack)
    found = _joined(known[term] for term, _ in terms_in(text) if term in known)
    tags = {kind: own for kind, own in found.tags if kind not in _OF_LONGEST}
    for kind in _OF_LONGEST:
        if own := _of_longest(kind, text, pack):
            tags[kind] = own
    if sex := sex_of_pronouns(text):
        tags["sex"] = tags.get("sex", frozenset()) | {sex}
    return replace(found, tags=tuple(tags.items()))


def marks_of_term(term: str, pack: Pack) -> Marks:
    """Return the marks of *term* as a whole, without those of words in it."""
    return _words(pack).get(" ".join(_TOKEN.findall(term.casefold())), Marks())


def _of_longest(kind: str, text: str, pack: Pack) -> frozenset[str]:
    """Return the tags of *kind* of the longest terms in *text*: "scarlet fever" is no "fever"."""
    tokens = [one.casefold() for one in _TOKEN.findall(text)]
    found: frozenset[str] = frozenset()
    return found.union(*(tags for _, _, tags in _longest(kind, tokens, pack)))


def _longest(
    kind: str, tokens: Sequence[str], pack: Pack
) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Yield the longest terms of *kind* in *tokens*: which token, the term or stem, its tags."""
    known = _words(pack)
    at = 0
    while at < len(tokens):
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            term = " ".join(tokens[at : at + size])
            if (marks := known.get(term)) and (own := dict(marks.tags).get(kind)):
                yield at, term, own
                at += size - 1
                break
        else:
            for term, own in _of_token(kind, tokens[at], pack):
                yield at, term, own
        at += 1


@lru_cache(maxsize=16384)
def _of_token(kind: str, token: str, pack: Pack) -> Sequence[tuple[str, frozenset[str]]]:
    """Return the longest listed beginning of *token*, with its tags, or those of its parts."""
    if begun := _of_stem(kind, token, pack):
        return (begun,)
    parts = _COMPOUND.split(token)
    return [one for part in parts for one in _of_part(kind, part, pack)] if len(parts) > 1 else ()


def _of_part(kind: str, part: str, pack: Pack) -> Sequence[tuple[str, frozenset[str]]]:
    """Return the term that a part of a compound is, or its beginning, with its tags."""
    if (marks := _words(pack).get(part)) and (own := dict(marks.tags).get(kind)):
        return ((part, own),)
    begun = _of_stem(kind, part, pack)
    return (begun,) if begun else ()


def _of_stem(kind: str, token: str, pack: Pack) -> tuple[str, frozenset[str]] | None:
    """Return the longest listed beginning of *token* that has tags of *kind*, with these."""
    stems = _stems(pack)
    for size in _sizes_of_stems(pack):
        if size <= len(token) and (own := stems.get(token[:size], {}).get(kind)):
            return token[:size] + _STEM, own
    return None


@lru_cache(maxsize=8)
def _stems(pack: Pack) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return tags by kind and by beginning of a word, which the table writes with a ``*``."""
    found: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for row in rows(_TABLE, pack):
        for word in row["words"].split("|"):
            if word.endswith(_STEM):
                tags = found[word.removeprefix(_OF_VALUE).removesuffix(_STEM)]
                tags[row["kind"]] = tags.get(row["kind"], frozenset()) | {row["tag"]}
    return found


@lru_cache(maxsize=8)
def _sizes_of_stems(pack: Pack) -> Sequence[int]:
    """Return how many letters the beginnings of words have, the most first."""
    sizes = {len(one) for one in _stems(pack)}
    return sorted((size for size in sizes if size >= _SHORTEST_STEM), reverse=True)


@lru_cache(maxsize=8)
def _only_of_values(pack: Pack) -> frozenset[str]:
    """Return the terms and beginnings that tell the branch of values, and nothing of pages."""
    return frozenset(
        word[1:] if word.endswith(_STEM) else _key(word)
        for row in rows(_TABLE, pack) if row["kind"] == MEDICAL
        for word in row["words"].split("|") if word.startswith(_OF_VALUE)
    )  # fmt: skip


def _key(word: str) -> str:
    """Return *word* as texts are searched for it."""
    return " ".join(_TOKEN.findall(word.removeprefix(_OF_VALUE).casefold()))


@lru_cache(maxsize=4096)
def first_tags(kind: str, spellings: tuple[str, ...], pack: Pack) -> frozenset[str]:
    """Return the tags of *kind* that the first of *spellings* has that has any."""
    tags = (dict(marks_of(one, pack).tags).get(kind) for one in spellings)
    return next(filter(None, tags), frozenset())


def courses_of_marks(marks: Marks, pack: Pack) -> Sequence[str]:
    """Return the courses of what has *marks*, in the order of ``settings.tsv``."""
    own = dict(marks.tags).get(COURSE, frozenset())
    return [one for one in _order_of_courses(pack) if one in own]


@lru_cache(maxsize=8)
def _of_nations(pack: Pack) -> frozenset[str]:
    """Return the words that tell the nation of a page: letters of unions have other meanings."""
    return frozenset(
        _key(word)
        for row in rows(_TABLE, pack) if row["kind"] == NATION
        for word in row["words"].split("|")
    )  # fmt: skip


@lru_cache(maxsize=8)
def _order_of_courses(pack: Pack) -> Sequence[str]:
    return [row["tag"] for row in rows(_TABLE, pack) if row["kind"] == COURSE]


@lru_cache(maxsize=64)
def heads_of(pack: Pack, entity: str) -> frozenset[str]:
    """Return the words that tell only the class of a value of *entity*, such as "fracture"."""
    return frozenset(
        word for row in rows(_TABLE, pack) if (row["kind"], row["tag"]) == (_HEADS, entity)
        for word in row["words"].split("|")
    )  # fmt: skip


def organs_of(text: str, pack: Pack) -> frozenset[str]:
    """Return the parts of the body, of a few with illnesses of their own, that *text* is of."""
    return dict(marks_of(text, pack).tags).get(MEDICAL, frozenset()) & _ORGANS


def marks_of_row(cells: Iterable[str], fits: str, name: str, pack: Pack) -> Marks:
    """Return the marks of a row of the table *name*: by its cell *fits*, or else by its words.

    Its words tell its branch of medicine, too, where *fits* does not.

    Raises:
        PackError: *fits* has a tag that ``settings.tsv`` has not.
    """
    spellings = tuple(cells)
    found = _parsed(fits, name, pack) if fits else _joined(marks_of(one, pack) for one in spellings)
    tags = dict(found.tags)
    tags[MEDICAL] = (tags.get(MEDICAL) if fits else None) or _most_told(MEDICAL, spellings, pack)
    if not fits:
        tags[COURSE] = first_tags(COURSE, spellings, pack)
    return replace(found, tags=tuple((kind, own) for kind, own in tags.items() if own))


def _most_told(kind: str, spellings: Iterable[str], pack: Pack) -> frozenset[str]:
    """Return the tags of *kind* that few of *spellings* lack: a code can have another meaning."""
    told = (dict(marks_of(one, pack).tags).get(kind, ()) for one in spellings)
    counts = Counter(tag for tags in told for tag in tags)
    most = max(counts.values(), default=0)
    return frozenset(tag for tag, count in counts.items() if 2 * count >= most)


def _parsed(fits: str, name: str, pack: Pack) -> Marks:
    tags: dict[str, set[str]] = defaultdict(set)
    since, until = 0, 9999
    kinds = _kinds(pack)
    for one in fits.split():
        if years := _YEARS.fullmatch(one):
            since, until = int(years[1] or 0), int(years[2] or 9999)
        elif one in kinds:
            tags[kinds[one]].add(one)
        else:
            raise PackError(f"{name}.tsv", f"`{FITS}` has {one!r}, which settings.tsv has not")
    return Marks(tuple((kind, frozenset(found)) for kind, found in tags.items()), since, until)


def _joined(found: Iterable[Marks]) -> Marks:
    tags: dict[str, frozenset[str]] = {}
    since, until = 0, 9999
    for one in found:
        for kind, own in one.tags:
            tags[kind] = tags.get(kind, frozenset()) | own
        since, until = max(since, one.since), min(until, one.until)
    return Marks(tuple(tags.items()), since, until)


@lru_cache(maxsize=8)
def _kinds(pack: Pack) -> Mapping[str, str]:
    """Return the kind of each tag."""
    listed = {row["tag"]: row["kind"] for row in rows(_TABLE, pack) if row["kind"] not in _UNMARKED}
    return {tag: kind for tag, kind in listed.items() if kind != "period"} | {"native": PEOPLE}


@lru_cache(maxsize=8)
def _words(pack: Pack) -> Mapping[str, Marks]:
    """Return the marks by term."""
    found: dict[str, Marks] = {}
    for row in rows(_TABLE, pack):
        if row["kind"] not in _UNMARKED:
            tag = row["tag"]
            kind = row["kind"]
            parsed = (_parsed(tag, _TABLE, pack) if kind == "period"
                      else Marks(((kind, frozenset((tag,))),)))  # fmt: skip
            for word in _listed_words(row["words"], pack):
                if word.endswith(_STEM):
                    continue
                key = _key(word)
                found[key] = _joined((found[key], parsed)) if key in found else parsed
    for row in rows(MEDICINES, pack):
        marks = _parsed(row[FITS], MEDICINES, pack)
        for word in _names_of_medicine(row):
            key = " ".join(_TOKEN.findall(word.casefold()))
            found[key] = _joined((found[key], marks)) if key in found else marks
    words = {word for row in rows(_TABLE, pack) if row["kind"] == _LETTERS
             for word in row["words"].split("|")}  # fmt: skip
    of_settings = frozenset(found)
    for name in _TABLES:
        for row in rows(name, pack):
            marks = _parsed(row.get(FITS, ""), name, pack)
            for column, cell in [one for one in row.items() if one[0] != FITS][1:]:
                anywhere = name == "unions" and column in _ANYWHERE
                own = tuple(
                    one for one in marks.tags if not anywhere or one[0] not in (NATION, _COUNTRY)
                )
                years = (marks.since, marks.until) if name == "unions" else ()
                for word in cell.split("|"):
                    key = " ".join(_TOKEN.findall(word.removeprefix("~").casefold()))
                    if key not in words and len(key) > 2 + (name != "unions"):
                        row_marks = Marks(own, *years)
                        if name == "unions" and not anywhere and key in of_settings:
                            found[key] = _joined((found[key], row_marks))  # tells its nation, too
                        found.setdefault(key, row_marks)
    return found


def _listed_words(cell: str, pack: Pack) -> Iterator[str]:
    """Yield the words of *cell*; ``@NAME`` stands for the terms of a list."""
    for word in cell.split("|"):
        yield from terms(word[1:], pack) if word.startswith("@") else (word,)


def terms_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield up to five words at each place of *text*, joined by blanks, with their offset."""
    found = [(one.group().casefold(), one.start()) for one in _TOKEN.finditer(text)]
    for at, (_, start) in enumerate(found):
        for size in range(1, min(_LONGEST, len(found) - at) + 1):
            yield " ".join(word for word, _ in found[at : at + size]), start


@dataclass(frozen=True, slots=True)
class _PageSetting:
    """What a page tells: its tags for all its values, others and names by offset, its year.

    Attributes:
        anywhere: The tags of `nearby` by kind.
        peoples: Of all names, the most frequent first.
        settings: By scope, entity and what is replaced, as they were read.
    """

    tags: tuple[tuple[str, frozenset[str]], ...]
    nearby: Mapping[str, Sequence[tuple[int, frozenset[str]]]]
    anywhere: Mapping[str, frozenset[str]]
    names: Sequence[tuple[int, str]]
    peoples: Sequence[str]
    year: int
    settings: dict[tuple[Keyring, str, tuple[str, ...], bool], Setting] = field(
        default_factory=dict
    )

    def near(self, kind: str, context: Context) -> frozenset[str]:
        """Return the tags of *kind* that words near a value have, or else those of the page.

        A trade on the line of a value is nearer than others. A page with many branches of medicine
        tells none of a value far from their words.
        """
        found = self.nearby.get(kind, ())
        line = line_at(context.page.text, context.start, context.end)
        if kind == _TRADE and (near := _between(found, *line)):
            return frozenset().union(*near)
        if near := _between(found, context.start - _NEAR, context.end + _NEAR):
            return frozenset().union(*near)
        of_page = self.anywhere.get(kind, frozenset())
        return of_page if kind == _TRADE or len(of_page) <= _BRANCHES else frozenset()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read the setting of a page: a fact of `Page.fact`."""

    pack: Pack

    def __call__(self, page: Page) -> _PageSetting:
        text = page.fact(staying)
        known = _words(self.pack)
        nearby: dict[str, list[tuple[int, frozenset[str]]]] = {
            kind: [] for kind in _NEARBY.values()
        }
        countries: Counter[str] = Counter()
        nations: Counter[str] = Counter()
        told = _of_nations(self.pack)
        trades = nearby[_TRADE]
        end = 0  # of the longest term of a trade: a "rolling mill" is no "mill"
        for term, at in terms_in(text):
            for kind, found in known[term].tags if term in known else ():
                if kind == _TRADE:
                    if at + len(term) > end:
                        if trades and trades[-1][0] == at:
                            trades.pop()
                        trades.append((at, found))
                        end = at + len(term)
                elif kind in nearby and kind != MEDICAL:
                    nearby[kind].append((at, found))
                elif kind == _COUNTRY:
                    countries.update(found)
                elif kind == NATION and term in told:
                    nations.update(found)
        nearby[MEDICAL] += _branches_in(text, self.pack)
        if _POUND in page.text:
            countries.update(dict(known[_POUND].tags)[_COUNTRY])  # a fine keeps its currency
        tags: dict[str, frozenset[str]] = {}
        for kind, counts in ((_COUNTRY, countries), (NATION, nations)):
            most = counts.most_common(2)
            if len(most) == 1 or (most and most[0][1] > most[1][1]):
                tags[kind] = frozenset((most[0][0],))
        of_names = _peoples_of_origins(self.pack)
        names = [(at, of_names[one]) for at, one in _origins_of_names(text, self.pack, True)]
        anywhere: dict[str, frozenset[str]] = {
            kind: frozenset().union(*(tags for _, tags in found)) for kind, found in nearby.items()
        }
        peoples = _by_count(people for _, people in names)
        year = max(_years(text), default=0) or _year_of_values(page)
        year = _not_before(year, _newest_medicine(page, self.pack))
        return _PageSetting(tuple(tags.items()), nearby, anywhere, names, peoples, year)


def _branches_in(text: str, pack: Pack) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the branches of medicine that the words of a page tell, with their offsets."""
    found = list(_TOKEN.finditer(text))
    silent = _only_of_values(pack)
    for at, term, own in _longest(MEDICAL, [one.group().casefold() for one in found], pack):
        if term not in silent:
            yield found[at].start(), own


_Told = TypeVar("_Told")


def _between(
    told: Sequence[tuple[int, _Told]], low: int, high: int, most: int | None = None
) -> list[_Told]:
    """Return what *told*, in order of offsets, has in ``[low, high]``: the first *most*, if given.

    >>> _between([(1, "a"), (3, "b"), (5, "c")], 2, 5), _between([(3, "b"), (5, "c")], 2, 5, 1)
    (['b', 'c'], ['b'])
    """
    first = bisect_left(told, low, key=itemgetter(0))
    last = bisect_right(told, high, key=itemgetter(0))
    return [one for _, one in told[first : last if most is None else min(last, first + most)]]


def _by_count(values: Iterable[str]) -> list[str]:
    """Return different *values*, the most frequent first."""
    return [one for one, _ in Counter(values).most_common()]


def _people_near(page: "_PageSetting", context: Context, draw: Draw) -> str:
    """Return the people that the surrogate of a value is of; empty if nothing tells.

    It is that of a race near it, or that of most names near the value, or else on the page.
    """
    named = _peoples_named(page, context)
    of_race = _people_of_race(page, context, draw, named)
    return (named[0] if named else "") if of_race is None else of_race


def _peoples_named(page: "_PageSetting", context: Context) -> Sequence[str]:
    """Return the peoples of the names near a value, or else on the page, most frequent first."""
    low, high = context.start - _NAMED_BEFORE, context.end + _NAMED_AFTER
    line = context.page.text.rfind("\n", 0, context.start)
    near = _between(page.names, line, context.start - 1, 1) or _between(page.names, low, high)
    return _by_count(near) or page.peoples


def _people_of_race(
    page: "_PageSetting", context: Context, draw: Draw, named: Sequence[str]
) -> str | None:
    """Return the people by a race near a value; None if there is none, empty if there are several.

    Names of the first people of the list tell nothing, since all have them: there it is drawn for
    the scope, whatever the race. Beside one that the page tells, which stays, it is of that race.
    """
    low, high = context.start - _NAMED_BEFORE, context.end + _NAMED_AFTER
    pack = pack_of(draw.options)
    races = _listed("race", pack)
    values = {
        folded(context.page.text[one.start : one.end]): one
        for one in _findings_near(context.page, low, high)
        if one.entity == "ETHNIC_ORIGIN" and low <= one.start
    }
    told = [one for words, _ in races for name, one in values.items() if name in words]
    if not told:
        return None
    if any(_stays(one, context, draw) for one in told):
        own = {tag: None for words, tags in races for tag in tags if values.keys() & words}
        return named[0] if named else draw.keyring.chance(PEOPLE).choice(list(own))
    if sum(bool(values.keys() & words) for words, _ in races) > 1:
        line = context.page.text.rfind("\n", 0, context.start)
        on_line = _between(page.names, line, context.start - 1, 1)
        return next((one for one in on_line if one != races[0][1][0]), "")  # of several peoples
    if telling := [one for one in named if one != races[0][1][0]]:
        return telling[0]
    usual = [tags for words, tags in races if not page.year or _has_words(words, page.year, pack)][
        : _USUAL_ONCE if 0 < page.year < _ONCE else _USUAL_RACES
    ]
    tags = draw.keyring.chance(PEOPLE).choice(usual)
    return next((one for one in named if one in tags), tags[0])


def _stays(one: Finding, context: Context, draw: Draw) -> bool:
    """Tell whether the page tells a value, which therefore stays."""
    there = {**draw.options, "context": Context(context.page, one.start, one.end)}
    reading = read(one.entity, context.page.text[one.start : one.end], there)
    return reading.form == STAYS


@lru_cache(maxsize=1024)
def _has_words(words: frozenset[str], year: int, pack: Pack) -> bool:
    """Tell whether people of *year* wrote one of *words*; codes say nothing of their time."""
    return bool(of_its_time(tuple(one for one in words if len(one) > _CODE), year, pack))


@lru_cache(maxsize=8)
def _peoples_of_origins(pack: Pack) -> Mapping[str, str]:
    """Return the people of the names of each origin."""
    found = {name: tags[0] for names, tags in _listed("names", pack) for name in names}
    return {**found, ENGLISH_NAMES: "anglo"}


def _origins_of_names(text: str, pack: Pack, loosely: bool = False) -> list[tuple[int, str]]:
    """Return the origins of the full names in *text*, with their offsets.

    Args:
        text: Of a page.
        pack: The pack in use.
        loosely: Whether what follows an English first name is a last name, whatever it is.
    """
    found: list[tuple[int, str]] = []
    last: re.Match[str] | None = None
    for one in _NAME.finditer(text):
        if one.group()[0].isupper() and len(one.group()) > 1:
            paired = last if last and _PAIR.fullmatch(text, last.end(), one.start()) else None
            if paired:
                turned = loosely and text.startswith(",", paired.end())
                origin = _origin_of_names(paired.group(), one.group(), pack, loosely, turned)
                if origin:
                    found.append((paired.start(), origin))
            last = one
        elif len(one.group()) > 1:
            last = None
    return found


def _origin_of_names(one: str, other: str, pack: Pack, loosely: bool, turned: bool = False) -> str:
    """Return the origin of a first and a last name, in any order; empty if they are no names.

    Args:
        one: The first of the two words.
        other: The second.
        pack: The pack in use.
        loosely: As of `_origins_of_names`.
        turned: Whether *one* is the last name, before a comma.
    """
    ahead = one.isupper() and not other.isupper()  # "WONG, Ah Fook"
    for first, last in ((folded(other), folded(one)), (folded(one), folded(other))):
        own, family = origin_of(first, WOMEN, pack), origin_of(last, LAST, pack)
        if loosely and not family and _GAELIC.match(last):
            return ENGLISH_NAMES
        english = sex_of(first, _ENGLISH, pack)
        if family and (own or english or ahead or len(last) > _SHORT_NAME):
            return family
        ahead = False
        if own and own not in _OF_WORDS:
            return own
        if english and is_last(last, _ENGLISH, pack):
            return ENGLISH_NAMES
    given, family = (other, one) if turned else (one, other)
    is_given = loosely and sex_of(folded(given), _ENGLISH, pack) and len(family) > _SHORT_NAME
    return ENGLISH_NAMES if is_given else ""


@lru_cache(maxsize=16)
def _listed(kind: str, pack: Pack) -> Sequence[tuple[frozenset[str], tuple[str, ...]]]:
    """Return the words and the peoples of each row of a kind whose tags are several."""
    return [
        (frozenset(row["words"].split("|")), tuple(row["tag"].split()))
        for row in rows(_TABLE, pack)
        if row["kind"] == kind
    ]


def staying(page: Page) -> str:
    """Return the text of *page* with blanks for its findings but names and dates."""
    return blanked(page, ("PERSON", "ORGANIZATION", "DATE_TIME"))


def _year_of_values(page: Page) -> int:
    """Return the latest year that the values of *page* tell; 0 if none does.

    It counts where no year stays on the page. Who was born then is grown up.
    """
    told = (
        (one.entity == "DATE_OF_BIRTH", year)
        for one in page.findings
        if one.entity not in _NUMBERED
        for year in _years(page.text[one.start : one.end])
    )
    return max((year + _GROWN_UP * born for born, year in told), default=0)


def _newest_medicine(page: Page, pack: Pack) -> int:
    """Return the year since when the newest medicine of *page*'s values is sold; 0 without one."""
    values = (page.text[one.start : one.end] for one in page.findings if one.entity == _HEALTH)
    return _sold_since(values, pack)


def _sold_since(values: Iterable[str], pack: Pack) -> int:
    """Return the year since when the newest medicine of *values* is sold; 0 without one."""
    known = _words(pack)
    return max(
        (
            marks.since
            for value in values
            for term, _ in terms_in(value)
            if (marks := known.get(term)) and USE in dict(marks.tags)
        ),
        default=0,
    )


def _not_before(year: int, newest: int) -> int:
    """Return *year*, or *newest*, that of a medicine, if it is much later: a tale of 1926."""
    return newest if 0 < year < newest - _EARLY else year


@dataclass(frozen=True, slots=True)
class Around:
    """Say what a page tells of who stands at one place of it.

    Attributes:
        year: As of `Setting`.
        origins: Of the first name on the line before it, or else of the last one before it, or else
            of those near it, or else on the page: the most frequent first.
        people: As of a race near it that the scope draws; empty if there is none.
    """

    year: int
    origins: Sequence[str]
    people: str


def around(draw: Draw, context: Context) -> Around:
    """Return what the page tells of who stands at *context*."""
    pack = pack_of(draw.options)
    page = context.page.fact(_Reader(pack))
    named = context.page.fact(_Named(pack))
    low, high = context.start - _NAMED_BEFORE, context.end + _NAMED_AFTER
    near = _origin_before(context, pack) or _between(named, low, high) or [one for _, one in named]
    people = _people_of_race(page, context, draw, _peoples_named(page, context))
    return Around(_year_at(page, context), _by_count(near), people or "")


def _origin_before(context: Context, pack: Pack) -> Sequence[str]:
    """Return the origin of the name before *context*, on its line or else near it, if any is."""
    named = context.page.fact(_Named(pack))
    line = context.page.text.rfind("\n", 0, context.start)
    own = _between(named, line, context.start - 1, 1)
    return own or _between(named, context.start - _NEAR, context.start - 1)[-1:]


def has_english_name(context: Context, pack: Pack) -> bool:
    """Tell whether the last name before *context*, on its line or near it, is an English one.

    One that no list has is none.
    """
    text, named = context.page.text, context.page.fact(_Named(pack))
    low = max(text.rfind("\n", 0, context.start), context.start - _ROW)
    at = next((at for at, _ in named if low <= at < context.start), None)
    if at is None:
        return False
    words = [folded(one) for one in _NAME.findall(text[at : at + _TWO_NAMES])[:2]]
    return any(_GAELIC.match(one) or is_last(one, _ENGLISH, pack) for one in words)


def people_of_name(context: Context, pack: Pack) -> str:
    """Return the people of the name before *context*, which it keeps; empty if none is there."""
    found = _origin_before(context, pack)
    return _peoples_of_origins(pack).get(found[0], "") if found else ""


@dataclass(frozen=True, slots=True)
class _Named:
    """Find the origins of all names of a page by offset: a fact of `Page.fact`.

    A person of no known origin gets an English name.
    """

    pack: Pack

    def __call__(self, page: Page) -> Sequence[tuple[int, str]]:
        found = _origins_of_names(page.fact(staying), self.pack, loosely=True)
        taken = {at for at, _ in found}
        for name in _INITIALLED.finditer(page.fact(staying)):
            last, first = name["last"] or name["family"] or "", name["first"] or ""
            if name.start() not in taken and (origin := self._origin(folded(last), folded(first))):
                found.append((name.start(), origin))
        found.sort()
        starts = [at for at, _ in found]
        for one in page.findings:
            if one.entity != _PERSON:
                continue
            if bisect_left(starts, one.start) == bisect_left(starts, one.end):
                words = [folded(word) for word in _NAME.findall(page.text[one.start : one.end])]
                words = [word for word in words if len(word) > 1]
                told = (origin_of(word, LAST, self.pack) for word in reversed(words))
                own = next(filter(None, told), "") or next(
                    filter(None, (origin_of(word, WOMEN, self.pack) for word in words)), ""
                )
                found += [(one.start, own or ENGLISH_NAMES)] if words else []
        return sorted(found)

    def _origin(self, last: str, first: str) -> str:
        """Return the origin of a name beside initials; empty if no list has it."""
        own = origin_of(last, LAST, self.pack) if last else origin_of(first, WOMEN, self.pack)
        return own or (ENGLISH_NAMES if last and is_last(last, _ENGLISH, self.pack) else "")


def year_of(options: Mapping[str, Any]) -> int:
    """Return the year of the page of *options*, the parameters of a draw; 0 if nothing tells it."""
    context = context_of(options)
    return context.page.fact(_Reader(pack_of(options))).year if context else 0


@lru_cache(maxsize=16384)
def of_its_time(spellings: tuple[str, ...], year: int, pack: Pack) -> tuple[str, ...]:
    """Return *spellings*, those that nobody wrote in *year* replaced by the first that was.

    None are left if none was written then.
    """
    stands = [(one, marks_of(one, pack)) for one in spellings]
    written = [one for one, marks in stands if marks.since <= year <= marks.until]
    return tuple(one if one in written else written[0] for one in spellings) if written else ()


def _spoken_years(text: str) -> Iterator[int]:
    """Yield the years that *text* says without a century: "in 'forty-eight", "in '48"."""
    for one in _SPOKEN_YEAR.finditer(text):
        if one[1]:
            yield of_century(int(one[1]))
        elif number := numerals.value_of(one[2]):
            yield 1900 + number


def _years(text: str) -> list[int]:
    """Return the years that *text* tells; those of two digits if none has four, or they follow."""
    found = [int(one) for one in _FULL_YEAR.findall(text)]
    found += [1900 + int(one) for one in _FILLED_IN.findall(text)]
    dated = [
        *(of_century(int(one[1])) for one in _SHORT_YEAR.findall(text)),
        *(of_century(int("".join(one))) for one in _SHORT_OF_MONTH.findall(text)),
    ]
    if found:  # a record of "5 Jan 43" that tells of 1937
        last = max(found)
        return [*found, *(one for one in dated if last < one <= last + _GOES_ON)]
    short = dated or [of_century(int(one)) for one in _OF_FORM.findall(text)]
    damaged = "" if short else " ".join(one.group() for one in _DAMAGED_YEAR.finditer(text))
    meant = digits(damaged)
    return _years(meant) if meant != damaged else short
