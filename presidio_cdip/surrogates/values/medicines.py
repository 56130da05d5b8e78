"""Replace medicines with their doses: by others of the same use that are taken in the same way.

``operators/gazetteers/health_medicines.tsv`` lists medicines with their brands, usual strengths,
how they are taken and in which years. So dose, interval and route of a surrogate agree, a brand in
brackets goes with its substance, and a dose by itself is one of the medicine before it.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.values.classes import classifier, negates
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.setting import (
    AS_MEDICINE,
    COURSE,
    KINDS,
    MEDICAL,
    MEDICINES,
    USE,
    Marks,
    Setting,
    marks_of,
    marks_of_term,
    of_page_country,
    setting_of,
)
from presidio_cdip.surrogates.writing.text import cased_as_listed, cased_there, folded, has_whole

LISTS = frozenset({  # of phrases/health.yaml, whose terms are medicines
    "small", "small_modern", "mid", "mid_modern", "fifty", "fifty_modern", "large",
    "large_modern", "any_old", "any_modern", "drug_plain", "known_drug",
})  # fmt: skip
_ANY = frozenset({"any_old", "any_modern"})  # of these, what stands for any medicine
_ENTITY = "HEALTH"
_WORDS = "health_dose_words"  # what may stand beside a medicine and its dose
_FEW = 3  # others from which one is drawn
_FEW_TAKEN = 2  # the same, of those that are taken in a way that few are, such as weekly
_FAR = 90  # characters before a dose in which its medicine stands
_BEHIND = 45  # characters behind a medicine that say how it is taken
_LONGEST = 160
_BRITISH = "GB"

_LANGUAGE = english()
_RECORDS = _LANGUAGE.records
_UNITS = _LANGUAGE.dose_units
_IN_MG = {"mcg": 0.001, "mg": 1.0, "gm": 1000.0, "grains": 60.0}
_GRAINS = (("1/8", 7.5), ("1/4", 15), ("1/2", 30), ("1", 60), ("1-1/2", 90), ("3", 180), ("5", 300),
           ("7-1/2", 450), ("10", 600), ("15", 900))  # as they are written, in mg  # fmt: skip
_DOSE = re.compile(
    r"(?<![\w.,])(?P<head>gr\.?[ ](?=\d))?"
    r"(?P<number>\d+[- ]1/2|\d[\d,]*(?:\.\d+)?(?:/\d+(?:\.\d+)?)?)"
    rf"(?:(?P<gap>[ -]?)(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})\b"
    r"(?!\s?/\s?(?!day|d\b)\w))?(?![\w%])",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?i)\s*\Z|\s+(?:{'|'.join(_RECORDS['dose_goes_on'])})\b")
# How a medicine is taken, by the words beside it
_TAKEN = tuple(
    (re.compile(rf"(?i)(?<!\w)(?:{'|'.join(words)})(?!\w)"), how)
    for how, words in _LANGUAGE.taken.items()
)
_MUST = ("weekly", "monthly", "needed", "injected", "vein", "inhaled")  # else it contradicts
_MODES = ("injected", "vein", "applied", "inhaled", "drops")  # ways but by mouth
# Where the words that say how a medicine is taken end, if not by the next medicine
_CUT = re.compile(
    rf"\n(?!\s*(?:{'|'.join(_RECORDS['line_goes_on'])}))|;|[.] (?=[A-Z])"
    rf"| (?:{alternation(_RECORDS['joints_of_medicines'])}) "
)
_REACTION = re.compile(rf"(?i)\b(?:{alternation(_RECORDS['reactions'])})\w*[^\n.]{{0,20}}\Z")
_ALWAYS = ("applied", "inhaled", "drops")  # ways of what is not taken by mouth, too
# Numbers that are no doses: of tablets, days and times
_COUNTED = re.compile(
    rf"(?i)(?:{'|'.join(_RECORDS['before_counts'])})\s{{0,2}}\d{{1,3}}(?![\d.])|q\.?\s?\d{{1,2}}\s?h"
    r"|(?<![\d.])\d{1,3}(?:\s?(?:to|-|or)\s?\d{1,2})?[ -]?"
    rf"(?:{alternation(_RECORDS['behind_counts'])})\w*"
)
# A medicine that is given off slowly, as few are: "Wellbutrin XL"
_RELEASE = re.compile(rf"(?i)[ -](?:{alternation(_RECORDS['release'])})(?![\w.])")
_REST = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*")
_USUAL = (  # doses in mg
    "0.5", "1", "2", "2.5", "5", "10", "15", "20", "25", "30", "40", "50", "75", "80", "100", "150",
    "200", "250", "300", "400", "500", "600", "800", "1000",
)  # fmt: skip
_MASS = "mass"  # the kind of units of tablets
_NEEDED = "needed"
# "two ⟦Anadin⟧" are tablets, taken where they are needed
_TABLETS = re.compile(rf"(?i)\b(?:{'|'.join(english().ones[2:7])}|[2-6])\s\Z")
# Where only a medicine stands, by the words before and behind it
_HERE = re.compile(rf"(?i)\b(?:{'|'.join(_RECORDS['before_medicines'])})\s{{1,3}}\Z")
_THERE = re.compile(rf"(?i)[ ,]{{1,2}}(?:{'|'.join(_RECORDS['behind_medicines'])})")
_DONE = re.compile(rf"(?i)[ ,]{{1,2}}(?:{'|'.join(_RECORDS['done_to_medicines'])})")
_DETERMINED = re.compile(r"(?i)\b(?:an?|the|his|her|my|their|your|our|no|some|this)\s+\Z")
_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[ '’/-][^\W_]+){0,3}")
_MIDST = re.compile(r"[\w,;)]\s\Z")  # before a word that has a capital of its own
_IS_DRUG = "drug"  # a kind of phrases, as the labels of the classifier name them
_NO_DRUG = frozenset({"proc", "care", "dep", "disab"})  # what stands where medicines do, too
_NO_DRUG_BEFORE = _NO_DRUG | {"sym", "mental", "exam", "state"}  # "palpitations daily"
_NOUNS = "NMKP"  # syntaxes
# What fits most pages, where nothing tells for what a medicine is
_EVERYDAY = frozenset({"antibiotic", "antiinflammatory", "vitamin", "acid", "sleep", "allergy"})
_ON_SKIN = frozenset({"skin_drug", "antifungal"})
_APPLIED = "applied"
_BY_COUNT = frozenset({"drops", "puffs"})  # units of what is not swallowed, mostly
_OUTER = frozenset({"eye", "ear", "skin"})  # where nobody takes milligrams
_BY_TIME = ("period",)  # the kind of marks that tells years


@dataclass(frozen=True, slots=True, eq=False)
class Medicine:
    """A row of the table.

    Attributes:
        names: Its names, the first of which is written, and those of Britain.
        brands: Its brands, and those of Britain.
        strengths: As they are written, with *unit*.
        taken: How it is taken, the usual way first.
        use: What it is mostly taken for, a tag of ``settings.tsv``.
        marks: Where it can stand.
        mode: The way into the body, if it is not by mouth.
        british: Its strengths in Britain.
    """

    names: tuple[tuple[str, ...], tuple[str, ...]]
    brands: tuple[tuple[str, ...], tuple[str, ...]]
    strengths: tuple[str, ...]
    unit: str
    taken: tuple[str, ...]
    use: str
    marks: Marks
    mode: str
    british: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name that stands for the row."""
        return self.names[0][0]

    def stands_for(self, brand: bool) -> bool:
        """Tell whether it has a brand, or is one, as *brand* asks for."""
        is_brand = self.name[0].isupper()
        return (is_brand or any(self.brands)) if brand else not is_brand

    def written(self, brand: bool, british: bool) -> str:
        """Return its brand, if it has one and *brand* asks for it, or its name."""
        for listed in (self.brands, self.names) if brand else (self.names,):
            for one in (listed[1] or listed[0],) if british else (listed[0] or listed[1],):
                if one:
                    return one[0]
        return self.name

    def spellings(self) -> Iterator[str]:
        """Yield all names and brands."""
        for listed in (*self.names, *self.brands):
            yield from listed


@dataclass(frozen=True, slots=True)
class _Known:
    """The table, its rows by folded spelling, and an expression for a spelling."""

    listed: tuple[Medicine, ...]
    rows: Mapping[str, tuple[Medicine, bool]]
    named: re.Pattern[str]
    beside: frozenset[str]


@lru_cache(maxsize=8)
def _known(pack: Pack) -> _Known:
    listed = tuple(
        Medicine(
            (_cell(row["medicine"]), _cell(row["names_gb"])),
            (_cell(row["brands"]), _cell(row["brands_gb"])),
            tuple(row["strengths"].split("|")[0].split()),
            row["unit"],
            tuple(row["taken"].split()),
            row["fits"].split()[0],
            marks_of_term(row["medicine"].split("|")[0], pack),
            _mode(row["taken"].split()),
            tuple(row["strengths"].split("|")[-1].split()),
        )
        for row in rows(MEDICINES, pack)
    )
    found: dict[str, tuple[Medicine, bool]] = {}
    for one in listed:
        for brand, both in ((False, one.names), (True, one.brands)):
            for spelling in (*both[0], *both[1]):
                found.setdefault(spelling.casefold(), (one, brand or spelling[0].isupper()))
    named = re.compile(rf"(?<![\w-])(?:{alternation(tuple(found))})(?![\w-])", re.IGNORECASE)
    return _Known(listed, found, named, frozenset(terms(_WORDS, pack)))


def _mode(taken: Sequence[str]) -> str:
    """Return the way into the body of what is *taken* so; empty if it is by mouth."""
    if taken[0] in _MODES:
        return taken[0]
    return next((one for one in taken if one in _ALWAYS), "")


def _cell(text: str) -> tuple[str, ...]:
    return tuple(one for one in text.split("|") if one)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A medicine at ``[start, end)`` of a text, by its brand or its name, with what is beside it.

    Attributes:
        taken: What the words behind it say of how it is taken.
        dosed: The kind of its unit, if a dose follows; else empty.
    """

    start: int
    end: int
    medicine: Medicine
    brand: bool
    taken: frozenset[str] = frozenset()
    dosed: str = ""


def _mentions(text: str, pack: Pack, start: int = 0, end: int | None = None) -> list[_Mention]:
    """Return the medicines that *text* names between *start* and *end*."""
    known, end = _known(pack), len(text) if end is None else end
    found = [
        (one.start(), one.end(), *known.rows[re.sub(r"\s+", " ", one.group()).casefold()])
        for one in known.named.finditer(text, start, end)
    ]
    mentions = []
    for at, (first, last, medicine, brand) in enumerate(found):
        until = found[at + 1][0] if at + 1 < len(found) else last + _BEHIND
        behind = _CUT.split(text[last:until])[0]
        before = re.split(r"[,;.)\n]", text[max(0, first - 20) : first])[-1] if not at else ""
        taken = frozenset(
            how for words, how in _TAKEN if words.search(behind) or words.search(before)
        )
        dose = next((one for one in _DOSE.finditer(behind[:24]) if _unit(one)), None)
        dosed = _kind(_unit(dose)) if dose else ""
        if not dosed and _TABLETS.search(text[max(0, first - 20) : first]):
            dosed, taken = _MASS, taken | {_NEEDED}
        mentions.append(_Mention(first, last, medicine, brand, taken, dosed))
    return mentions


def _kind(unit: str) -> str:
    """Return what a unit measures: all masses are one kind."""
    found = _UNITS.get(unit.casefold(), unit)
    return _MASS if found in _IN_MG else found


@dataclass(frozen=True, slots=True)
class _Replaced:
    """Choose the surrogates of all medicines of a page: a fact of `Page.fact`.

    Different ones get different ones as long as there are some; a row has one, by whatever name.
    """

    keyring: Keyring
    pack: Pack
    options: Mapping[str, Any] = field(compare=False)

    def __call__(self, page: Page) -> Mapping[str, Sequence[Medicine]]:
        asked: dict[str, list[_Mention]] = {}
        places: dict[str, Context] = {}
        for one in page.findings:
            if one.entity != _ENTITY:
                continue
            for mention in _mentions(page.text, self.pack, one.start, one.end):
                asked.setdefault(mention.medicine.name, []).append(mention)
                places.setdefault(mention.medicine.name, Context(page, one.start, one.end))
        taken = set(asked)
        found: dict[str, Sequence[Medicine]] = {}
        for name, mentions in asked.items():
            there = {**self.options, "context": places[name]}
            draw = Draw(self.keyring, _ENTITY, folded(name), 0, there)
            order = _order(mentions[0].medicine, mentions, draw)
            free = [one for one in order if one.name not in taken]
            found[name] = (*free, *(one for one in order if one.name in taken)) if free else order
            taken.add(found[name][0].name)
        return found


def _order(own: Medicine, mentions: Sequence[_Mention], draw: Draw) -> Sequence[Medicine]:
    """Return the medicines that can replace *own* in all *mentions*, in an order of the scope."""
    pack = pack_of(draw.options)
    spellings = tuple(folded(one) for one in own.spellings())
    setting = setting_of(draw, spellings) or Setting()
    # No medicine has the mark of a nation, which the unions of some pages must have.
    setting = replace(setting, only=tuple(kind for kind in setting.only if kind in (USE, MEDICAL)))
    settings: tuple[Setting, ...] = (_for(own, setting),)
    if own.use not in dict(setting.tags).get(USE, (own.use,)):  # that of a diagnosis beside it
        settings = (setting, *_in_branch(own, setting), *settings)
    taken = {one for mention in mentions for one in mention.taken}
    wish = _Wish(
        any(one in _MODES for one in taken),
        frozenset(taken.intersection(_MUST)),
        frozenset(taken.difference(_MUST)),
        frozenset(one.dosed for one in mentions if one.dosed),
        any(one.brand for one in mentions),
    )
    chosen = _chosen(own, wish, settings, pack)
    seed = draw.keyring.chance(f"{_ENTITY} medicine", own.name).below(1 << 64)
    return sorted(chosen, key=lambda one: _mixed(seed, one.name))


@lru_cache(maxsize=65536)
def _mixed(seed: int, name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "big")).digest()


@dataclass(frozen=True, slots=True)
class _Wish:
    """Say what a page asks of the surrogate of a medicine.

    Attributes:
        by_another_way: Whether the page tells the way into the body, so that its own need not be.
        must: How it must be taken.
        usual: How it is taken where enough others are.
        kinds: The kinds of units of its doses.
        brand: Whether the page writes a brand.
    """

    by_another_way: bool
    must: frozenset[str]
    usual: frozenset[str]
    kinds: frozenset[str]
    brand: bool

    def takes(self, one: Medicine, own: Medicine, *, alike: bool, taken: bool) -> bool:
        """Tell whether *one* can replace *own*, in all that is *alike*, and as it is *taken*."""
        if not self.by_another_way and one.mode != own.mode:
            return False
        if self.kinds and not one.strengths:
            return False
        if taken and not self.must.issubset(one.taken):
            return False
        if not alike:
            return True
        return (
            (not self.kinds or _kind(one.unit) in self.kinds)
            and self.usual.issubset(one.taken)
            and one.stands_for(self.brand)
        )


@lru_cache(maxsize=4096)
def _chosen(
    own: Medicine, wish: _Wish, settings: tuple[Setting, ...], pack: Pack
) -> Sequence[Medicine]:
    """Return the medicines that can replace *own*: the more alike the better, if enough are."""
    apart = [
        one for one in _apart(own, pack) if wish.kinds or not has_whole(one.name, own.name)
    ]  # fmt: skip
    pools = [
        [one for one in apart if wish.takes(one, own, alike=alike, taken=taken)]
        for alike, taken in ((True, True), (False, True), (True, False), (False, False))
    ]
    must = bool(wish.must)
    few = _FEW_TAKEN if must else _FEW
    branch = [kind for kind in KINDS if kind != USE]  # where its use has too few
    in_any_way = [[one for one in apart if one.strengths or not wish.kinds]]
    as_taken = ((pools[:2], KINDS), (pools[:2] if must else (), branch))
    otherwise = ((pools[2:], KINDS), (in_any_way, KINDS))
    # What must be taken in a way is rather of its own use than of the diagnosis and taken otherwise
    for steps in (as_taken, otherwise) if must else ((*as_taken, *otherwise),):
        for there, (some, kinds_of_marks) in product(settings, steps):
            for pool in some:
                chosen = [one for one in pool if there.takes(one.marks, kinds_of_marks)]
                if len(chosen) >= few:
                    return chosen
    for there in settings:  # rather one of two of its use than any other
        chosen = [one for one in in_any_way[0] if there.takes(one.marks, KINDS)]
        if len(chosen) >= _FEW_TAKEN:
            return chosen
    pool = next((one for one in pools if len(one) >= few), list(apart))
    return [pool[at] for at in settings[-1].indices([one.marks for one in pool], few)]


@lru_cache(maxsize=1024)
def _apart(own: Medicine, pack: Pack) -> Sequence[Medicine]:
    """Return the medicines that tell nothing of *own* by their words."""
    return tuple(
        one for one in _known(pack).listed
        if one is not own and not _shares(own, one) and not says_the_same(own.name, one.name, pack)
    )  # fmt: skip


def _for(own: Medicine, setting: Setting) -> Setting:
    """Return *setting* for the first use of *own* alone, or else its branch."""
    marks, tags = dict(own.marks.tags), dict(setting.tags)
    tags |= {USE: frozenset((own.use,)), MEDICAL: marks.get(MEDICAL, frozenset())}
    return Setting(tuple(tags.items()), setting.year, (USE, MEDICAL), _FEW)


def _in_branch(own: Medicine, setting: Setting) -> Iterator[Setting]:
    """Yield *setting* for the later uses of *own*, if *own* has its branch of medicine."""
    marks, tags = dict(own.marks.tags), dict(setting.tags)
    later = marks.get(USE, frozenset()) - {own.use}
    if later and marks.get(MEDICAL, frozenset()) & tags.get(MEDICAL, frozenset()):
        yield Setting(tuple((tags | {USE: later}).items()), setting.year, (USE, MEDICAL), _FEW)


def _shares(one: Medicine, other: Medicine) -> bool:
    """Tell whether two medicines have a word in common, as salts and mixtures have."""
    return not _words_of(one).isdisjoint(_words_of(other))


@lru_cache(maxsize=2048)
def _words_of(medicine: Medicine) -> frozenset[str]:
    words = " ".join(medicine.spellings()).casefold()
    return frozenset(
        word[:7] for word in re.findall(r"[a-z]{4,}", words)
        if word not in ("with", "acid", "sodium", "sulfate", "tablets", "sulphate", "extract",
                        "insulin", "potassium", "vitamin", "calcium", "acetate")
    )  # fmt: skip


def _others(mention: _Mention, draw: Draw) -> Sequence[Medicine]:
    """Return the medicines for that of *mention*, the first of which is to be written first."""
    context = context_of(draw.options)
    if context is not None:
        facts = context.page.fact(_Replaced(draw.keyring, pack_of(draw.options), draw.options))
        if mention.medicine.name in facts:
            return facts[mention.medicine.name]
    return _order(mention.medicine, (mention,), draw)


def _new(mention: _Mention, draw: Draw) -> Medicine:
    found = _others(mention, draw)
    return found[draw.attempt % len(found)]


def replaced(text: str, draw: Draw, name: str) -> str | None:
    """Return the surrogate of *text*, a term of the list *name*; None if it is no known medicine.

    Args:
        text: A term.
        draw: The draw.
        name: The name of a list of ``phrases/health.yaml``.
    """
    if name not in LISTS or draw.entity != _ENTITY:
        return None
    found = _mentions(text, pack_of(draw.options))
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text)):
        return None
    return _written(text, found[0], _new(found[0], draw), draw)


def _written(text: str, mention: _Mention, new: Medicine, draw: Draw) -> str:
    """Return *new* as *text*, a spelling of *mention*, is written."""
    other = new.written(mention.brand, of_page_country(draw) == _BRITISH)
    listed = next(
        (one for one in mention.medicine.spellings() if folded(one) == folded(text)), text
    )
    return cased_as_listed(text, listed, other)


def dose_of(own: Medicine, new: Medicine, dose: "re.Match[str]", draw: Draw) -> str:
    """Return a usual dose of *new* for *dose*, of *own*: a low one for a low one, with its unit."""
    number, unit = dose["number"].replace(",", ""), _unit(dose)
    measure = _UNITS.get(unit.casefold(), own.unit)
    if not new.strengths:
        return dose.group()
    ladder = list(
        (of_page_country(draw) == _BRITISH and new.british) or new.strengths  # no 325 mg there
    )
    if measure == "grains":
        return _in_grains(own, new, dose, draw)
    value = _amount(number, measure)
    steps = [_amount(one, own.unit) for one in own.strengths]
    if len(steps) > 1 and "/" not in number and _kind(measure) == _kind(own.unit):
        rank = min(range(len(steps)), key=lambda at: abs(steps[at] - value)) / (len(steps) - 1)
        at = round(rank * (len(ladder) - 1))
    else:
        part = draw.part(f"{_ENTITY} dose", f"{own.name} {number}")
        at = part.chance.below(len(ladder))
    if _amount(ladder[at], new.unit) == value and len(ladder) > 1:
        at += 1 if at == 0 or (at + 1 < len(ladder) and _goes_up(own, draw)) else -1
    return _as_dose(ladder[at], new.unit, dose)


def _goes_up(own: Medicine, draw: Draw) -> bool:
    """Tell whether a dose that would stay goes up; drawn for the scope."""
    return draw.keyring.chance(f"{_ENTITY} dose", own.name).below(2) == 1


def _unit(dose: "re.Match[str]") -> str:
    """Return the unit of *dose*, also if it stands before the number: "gr. 1/2"."""
    return dose["unit"] or ("gr" if dose["head"] else "")


def _in_grains(own: Medicine, new: Medicine, dose: "re.Match[str]", draw: Draw) -> str:
    """Return a usual dose of *new* in grains, as *dose* of *own* is."""
    strengths = [_amount(one, new.unit) for one in new.strengths]
    usual = list(dict.fromkeys(
        min(_GRAINS, key=lambda grain: abs(grain[1] - one))[0] for one in strengths
    ))  # fmt: skip
    part = draw.part(f"{_ENTITY} dose", f"{own.name} {dose['number']} gr")
    number = part.choice(usual, but=dose["number"])
    return dose.group().replace(dose["number"], number, 1)


def _amount(number: str, unit: str) -> float:
    """Return the amount of *number*, "250", "1/2", "2-1/2" or the first of "250/5", in mg.

    >>> [_amount(one, "mg") for one in ("250", "1/2", "2-1/2", "7 1/2", "250/5", "1,000")]
    [250.0, 0.5, 2.5, 7.5, 250.0, 1000.0]
    """
    whole, half, _ = number.replace(",", "").partition("1/2")
    amount = float(whole.strip(" -").split("/")[0] or 0) + (0.5 if half else 0.0)
    return amount * _IN_MG.get(unit, 1.0)


def _as_dose(number: str, unit: str, dose: "re.Match[str]") -> str:
    """Return *number* and *unit* as *dose* is written."""
    if "," in dose["number"] and number.isdigit() and len(number) > 4:
        number = f"{int(number):,}"
    if not dose["unit"]:
        return number
    own = dose["unit"]
    same = _UNITS.get(own.casefold()) == unit and own != "rng"
    written = own if same else unit.upper() if own.isupper() and len(own) > 1 else unit
    if number == "1" and len(written) > len("mgs"):
        written = written.removesuffix("s")  # "1 drop"
    return f"{number}{dose['gap']}{written}"


def number_of(own: str, new: str, number: str, behind: str, draw: Draw) -> str | None:
    """Return the number of a usual dose of *new* for *number* of *own*; None if nothing tells it.

    Args:
        own: A medicine.
        new: Its surrogate.
        number: The number of its dose.
        behind: What follows it, such as a unit, and stays.
        draw: The draw.
    """
    known = _known(pack_of(draw.options)).rows
    one, other = known.get(own.casefold()), known.get(new.casefold())
    dose = _DOSE.match(f"{number}{behind}")
    if one is None or other is None or dose is None or dose["number"] != number or not dose["unit"]:
        return None
    found = _DOSE.match(dose_of(one[0], other[0], dose, draw))
    return found["number"] if found and found["unit"] == dose["unit"] else None


class _Dosed:
    """Read medicines with their doses, and doses of a medicine that stands before them."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        if len(value) > _LONGEST:
            return None
        pack, context = pack_of(options), context_of(options)
        if context and _REACTION.search(context.before):
            return None  # it is no medicine of the page
        text, base = (context.page.text, context.start) if context else (value, 0)
        if text[base : base + len(value)] != value:
            text, base = value, 0  # a part of a value, or one whose letters were repaired
        found = [
            replace(one, start=one.start - base, end=one.end - base)
            for one in _mentions(text, pack, base, base + len(value))
        ]
        doses = list(_DOSE.finditer(value))
        if not self._says_nothing_else(value, found, doses, pack):
            return None
        if not found:
            return self._alone(value, doses, context, options)

        def write(draw: Draw) -> str:
            parts: list[str] = []
            at = 0
            news = [_new(one, draw) for one in found]
            spans: list[tuple[int, int, str]] = [
                (one.start, one.end, _written(value[one.start : one.end], one, new, draw))
                for one, new in zip(found, news, strict=True)
            ]
            for dose in doses:
                owner = max(
                    (at for at, one in enumerate(found) if one.end <= dose.start()), default=0
                )
                if _unit(dose) or _follows(value, found[owner], dose):
                    other = dose_of(found[owner].medicine, news[owner], dose, draw)
                    spans.append((dose.start(), dose.end(), other))
            for start, end, other in sorted(spans):
                parts += [value[at:start], other]
                slow = _RELEASE.match(value, end)
                at = slow.end() if slow else end
            written = "".join([*parts, value[at:]])
            before, after = (context.before, context.after) if context else ("", "")
            if found[0].start == 0 and found[0].brand and written[:1].islower():
                return cased_there(value, written, before, after)
            return written

        return Reading("medicine", " ".join(one.medicine.name for one in found), write)

    def _says_nothing_else(
        self, value: str, found: Sequence[_Mention], doses: Sequence["re.Match[str]"], pack: Pack
    ) -> bool:
        """Tell whether *value* has only medicines, doses, and words that say how they are taken."""
        if not found and not any(_unit(one) for one in doses):
            return False
        rest = list(value)
        for start, end in (
            *((one.start, one.end) for one in found),
            *((one.start(), one.end()) for one in doses if _unit(one)),
        ):
            rest[start:end] = " " * (end - start)
        beside = _known(pack).beside
        left = _COUNTED.sub(" ", "".join(rest))
        follow = (one for one in found for dose in doses if _follows(value, one, dose))
        if any(map(str.isdigit, left)) and not any(follow):
            return False  # a dose that OCR damaged, or one of a list
        return all(
            one.group().casefold() in beside or len(one.group()) == 1
            for one in _REST.finditer(left)
        )

    def _alone(
        self,
        value: str,
        doses: Sequence["re.Match[str]"],
        context: Context | None,
        options: Mapping[str, Any],
    ) -> Reading | None:
        """Return the reading of a dose, of the medicine that stands before it on the page."""
        named = [one for one in doses if _unit(one)]
        if context is None or len(named) != 1 or value[: named[0].start()].strip(" ("):
            return None
        pack, page, dose = pack_of(options), context.page, named[0]
        first = max(0, context.start - _FAR)
        before = page.text[first : context.start]
        cut = first + before.rfind("\n\n") + 2 if "\n\n" in before else first
        mentions = _mentions(page.text[: context.start], pack, cut)
        if mentions and (mentions[-1].dosed == "" or "from" in before[-12:] or "to" in before[-4:]):
            own = mentions[-1]
            inside = any(
                one.entity == _ENTITY and one.start <= own.start < one.end for one in page.findings
            )

            def write(draw: Draw) -> str:
                new = _new(own, draw) if inside else own.medicine
                other = dose_of(own.medicine, new, dose, draw)
                return value[: dose.start()] + other + value[dose.end() :]

            return Reading("dose", f"{own.medicine.name} {folded(value)}", write)
        number = dose["number"]
        if number not in _USUAL or _UNITS[_unit(dose).casefold()] != "mg":
            return None
        at = _USUAL.index(number)
        near = [*_USUAL[max(0, at - 3) : at], *_USUAL[at + 1 : at + 4]]

        def write_near(draw: Draw) -> str:
            part = draw.part(f"{_ENTITY} dose", number)
            other = _as_dose(part.chance.choice(near), "mg", dose)
            return value[: dose.start()] + other + value[dose.end() :]

        return Reading("dose", folded(value), write_near)


@dataclass(frozen=True, slots=True)
class _Nameless:
    """A value of a name that no table has, with its dose; it is no word that stands beside one."""

    name: str
    dose: "re.Match[str] | None"


def _nameless(value: str, pack: Pack) -> _Nameless | None:
    """Return the name and the dose of *value*; None if it has anything else."""
    found = _NAME.match(value)
    if found is None or negates(value):
        return None
    dose = next((one for one in _DOSE.finditer(value) if one["unit"]), None)
    name = value[: dose.start()].rstrip(" ,:-") if dose else value
    if _NAME.fullmatch(name) is None:
        return None
    beside = _known(pack).beside
    rest = value[dose.end() :] if dose else ""
    if any(one.group().casefold() not in beside for one in _REST.finditer(rest)):
        return None
    if all(one.casefold() in beside for one in _REST.findall(name)):
        return None
    return _Nameless(name, dose)


def _stands_here(value: str, name: _Nameless, context: Context, pack: Pack) -> bool:
    """Tell whether *value* stands where a medicine does, or looks like one."""
    if name.dose and _UNITS.get(_unit(name.dose).casefold()) in _BY_COUNT:
        return True  # nothing else is counted in drops
    found = classifier(pack).read(_ENTITY, value, context.before, context.after)
    if found.syntax not in _NOUNS or found.negative:
        return False
    if COURSE in dict(marks_of(name.name, pack).tags):
        return False  # an illness
    if name.dose:
        return found.kind == _IS_DRUG
    if _DONE.match(context.after):
        return found.kind not in _NO_DRUG
    if _THERE.match(context.after):
        return found.kind not in _NO_DRUG_BEFORE
    if _DETERMINED.search(context.before):
        return False
    if _HERE.search(context.before):
        return found.kind not in _NO_DRUG and found.syntax != "P"
    return found.kind == _IS_DRUG and found.syntax in "MK" and " " not in name.name


@dataclass(frozen=True, slots=True)
class _Strangers:
    """Find the values that stand where medicines do, by the folded names: a fact of `Page.fact`."""

    pack: Pack

    def __call__(self, page: Page) -> Mapping[str, Sequence[Context]]:
        found: dict[str, list[Context]] = {}
        for one in page.findings:
            value = page.text[one.start : one.end]
            if one.entity != _ENTITY or len(value) > _LONGEST:
                continue
            if name := _nameless(value, self.pack):
                there = Context(page, one.start, one.end)
                known = folded(name.name) in found
                cued = name.dose or any((
                    _HERE.search(there.before), _THERE.match(there.after), _DONE.match(there.after)
                ))  # fmt: skip
                if known or (cued and _stands_here(value, name, there, self.pack)):
                    found.setdefault(folded(name.name), []).append(there)
        return found


@dataclass(frozen=True, slots=True)
class _Unnamed:
    """Read what stands where a medicine does and has a name that no table has.

    Attributes:
        dosed: Whether to read what has a dose; else what has none.
    """

    dosed: bool

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context, pack = context_of(options), pack_of(options)
        if context is None or len(value) > _LONGEST or _REACTION.search(context.before):
            return None
        name = _nameless(value, pack)
        if name is None or bool(name.dose) != self.dosed:
            return None
        if _mentions(value, pack):
            return None
        there = context.page.fact(_Strangers(pack)).get(folded(name.name), ())
        if not there and not _stands_here(value, name, context, pack):
            return None
        by_count = _taken_by_count(value, name, pack)
        if by_count is not None and len(by_count) < _FEW:
            return None  # phrases tell of what is done to an eye or an ear
        one = name

        def write(draw: Draw) -> str:
            own, found = _stranger(one, there or (context,), draw, by_count or ())
            new = found[draw.attempt % len(found)]
            brand = any(
                at.page.text[at.start].isupper() and _MIDST.search(at.before)
                for at in there or (context,)
            )
            written = new.written(brand, of_page_country(draw) == _BRITISH)
            rest = value[len(one.name) :]
            if one.dose:
                start, end = (at - len(one.name) for at in one.dose.span())
                rest = rest[:start] + dose_of(own, new, one.dose, draw) + rest[end:]
            written = cased_there(one.name, written, context.before, rest or context.after)
            return written + rest

        return Reading("medicine", folded(name.name), write)


def _taken_by_count(value: str, name: _Nameless, pack: Pack) -> Sequence[Medicine] | None:
    """Return the medicines of the unit and the part of the body of *value*, "1 drop each eye".

    None if it is of a mass, for no part. Without a part, they are those of a unit that is of one
    part, as puffs are.
    """
    if name.dose is None:
        return None
    unit = _UNITS.get(_unit(name.dose).casefold(), "")
    branch = dict(marks_of(value[name.dose.end() :], pack).tags).get(MEDICAL, frozenset())
    if unit not in _BY_COUNT:
        return () if branch & _OUTER else None
    alike = [one for one in _known(pack).listed if one.unit == unit]
    tags = [dict(one.marks.tags).get(MEDICAL, frozenset()) for one in alike]
    branch = branch or frozenset.intersection(*tags)
    return [one for one, own in zip(alike, tags, strict=True) if own & branch]


def _stranger(
    name: _Nameless, there: Sequence[Context], draw: Draw, only: Sequence[Medicine] = ()
) -> tuple[Medicine, Sequence[Medicine]]:
    """Return what stands for a medicine of an unknown name, and those that can replace it.

    Args:
        name: The name.
        there: Where the page has it.
        draw: Of the value.
        only: Those that can replace it, in any year; all medicines if empty.
    """
    pack = pack_of(draw.options)
    doses, taken = [name.dose] if name.dose else [], set[str]()
    for one in there:
        value = one.page.text[one.start : one.end]
        beside = f"{value}{_CUT.split(one.after[:_BEHIND])[0]}"
        doses += [found for found in _DOSE.finditer(value) if found["unit"]]
        taken.update(how for words, how in _TAKEN if words.search(beside))
    unit = _UNITS.get(_unit(doses[0]).casefold(), "") if doses else ""
    mode = next((how for how in _MODES if how in taken), "")
    if name.name.split()[-1].casefold() in _RECORDS["put_on_skin"]:
        mode = _APPLIED
    own = Medicine(
        ((name.name,), ()), ((), ()), (doses[0]["number"],) if doses else (), unit,
        tuple(taken), "", Marks(), mode,
    )  # fmt: skip
    options = {**draw.options, "context": there[0], AS_MEDICINE: True}
    setting = setting_of(_with_options(draw, options), (folded(name.name),)) or Setting()
    tags = dict(setting.tags)
    usual = _ON_SKIN if mode == _APPLIED else _EVERYDAY
    everyday = Setting(tuple({**tags, USE: usual}.items()), setting.year, (USE,), _FEW)
    told = USE in tags
    settings = (replace(setting, only=(USE,)), everyday) if told else (everyday,)
    wish = _Wish(
        mode != _APPLIED and (told or bool(mode)), frozenset(taken.intersection(_MUST)),
        frozenset(taken.difference(_MUST)), frozenset(_kind(_unit(one)) for one in doses), False,
    )  # fmt: skip
    seed = draw.keyring.chance(f"{_ENTITY} medicine", folded(name.name)).below(1 << 64)
    timely = [one for one in only if setting.takes(one.marks, _BY_TIME)] or only
    chosen = timely or _chosen(own, wish, settings, pack)
    order = sorted(chosen, key=lambda one: _mixed(seed, one.name))
    others = {
        listed[0].name
        for listed in there[0]
        .page.fact(_Replaced(draw.keyring, pack, {**draw.options, "context": there[0]}))
        .values()
    }
    return own, [one for one in order if one.name not in others] or order


def any_medicine(draw: Draw, name: str) -> str | None:
    """Return a medicine for the value of *draw*; None if the list *name* is not of any, or no page.

    Args:
        draw: The draw, of a value that has a medicine that no table has.
        name: The name of a list of ``phrases/health.yaml``.
    """
    context = context_of(draw.options)
    if name not in _ANY or draw.entity != _ENTITY or context is None:
        return None
    value = context.page.text[context.start : context.end]
    one = _nameless(value, pack_of(draw.options)) or _Nameless(value, None)
    _, found = _stranger(one, (context,), draw)
    new = found[draw.attempt % len(found)]
    brand = value[:1].isupper() and bool(_MIDST.search(context.before))
    return new.written(brand, of_page_country(draw) == _BRITISH)


def _with_options(draw: Draw, options: Mapping[str, Any]) -> Draw:
    """Return *draw* with other options."""
    return Draw(draw.keyring, draw.entity, draw.normal, 0, options)


def _follows(value: str, mention: _Mention, dose: "re.Match[str]") -> bool:
    """Tell whether a number without unit is the dose of *mention*: "lisinopril 10 daily"."""
    between = value[mention.end : dose.start()]
    return (
        mention.end <= dose.start()
        and between.strip(" ,:-") == ""
        and bool(_BARE.match(value, dose.end()) or value[dose.end() : dose.end() + 1] in ",;/)")
        and any(
            one in mention.medicine.strengths + mention.medicine.british
            for one in _either_way(dose["number"])
        )
    )


def _either_way(number: str) -> tuple[str, str]:
    """Return *number*, and that of a mixture in the other order: "25/100" of "100/25"."""
    return number, "/".join(reversed(number.split("/")))


MEDICINE_FORMS: tuple[Form, ...] = (_Dosed(), _Unnamed(dosed=True))
UNNAMED_FORMS: tuple[Form, ...] = (_Unnamed(dosed=False),)  # tried after all phrases
