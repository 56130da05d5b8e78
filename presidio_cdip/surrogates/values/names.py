"""Surrogates of names: of persons, of organizations, and in e-mail addresses.

Each part of a name is drawn separately, so "Ellen Ward", "WARD, Ellen" and "Mrs. Ward" agree within
a scope. Surrogates are not unique: *n* persons with different English names have about
``n**2 / 600_000`` pairs with equal surrogates, and more among names of one origin, of which a list
has 30 to 110 (see `name_lists`). Organizations with one distinctive word share about 330
surrogates. The domains of e-mail addresses become ``example.com``, ``.net`` and ``.org``
(RFC 2606).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, terms
from presidio_cdip.surrogates.values.name_lists import (
    LAST,
    MEN,
    WOMEN,
    Pool,
    is_last,
    last_kind,
    new_letter,
    origin_of,
    other_first,
    other_last,
    pool,
    sex_of,
)
from presidio_cdip.surrogates.values.name_words import (
    BEFORE_LAST,
    COUPLES,
    FILL,
    GROUPS,
    INTIMATE,
    LINKS,
    MAIDEN,
    MENS_TITLES,
    NAMES_TOO,
    PARTICLES,
    RESERVED,
    SHORT,
    SUFFIXES,
    TITLES,
    WOMENS_TITLES,
    partner_named,
)
from presidio_cdip.surrogates.values.numbers import DIGIT_FORMS, Among, other_digits
from presidio_cdip.surrogates.values.sex import Mentions
from presidio_cdip.surrogates.writing.text import folded, repaired

# A letter, or a mark that belongs to the one before it
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e])"
_POSSESSIVE = rf"['’][sS](?!{_LETTER})"
_LETTERS = rf"[^\W\d_]{_LETTER}*+"
_WORD = rf"{_LETTERS}(?:['’](?![sS](?!{_LETTER})){_LETTERS})*+"
_DEGREE = (
    r"(?:M\.D|Ph\. ?D|D\.D\.S|D\.V\.M|D\.M\.D|R\.N|L\.P\.N|D\.Sc|Sc\.D|B\.A|B\.S|B\.Sc|M\.A|M\.S"
    r"|M\.Sc|M\.P\.H|M\.B\.A|J\.D|LL\.[BDM]|Ed\.D|D\.O|C\.P\.A|F\.A\.C\.[PS]|S\.J|O\.P)\.(?=\s*(?:$|[,;)]))"
)
# Degrees that are initials where only a last name stands before them
_AMBIGUOUS = re.compile(r"(?:[BM]\.[AS]|J\.D|D\.O|S\.J|O\.P)\.")
_TOKEN = re.compile(rf"(?P<kept>{_POSSESSIVE}|(?<=[, ]){_DEGREE})|(?P<word>{_WORD})")
_PLAIN = re.compile(_LETTERS)
_ALPHA = re.compile(r"[^\W\d_]")
# A word with digits in it, which `repaired` may change
_GLUED = re.compile(rf"(?:{_LETTER}|[\d_|])++")
_DIGITS_OR_BAR = re.compile(r"[\d|]+")
_DIGIT = re.compile(r"\d")
# Initials of who signs and who types: "RTO/jk", "NAS:ec"
_REFERENCE = re.compile(r"[A-Za-z]{2,4}[/:][A-Za-z]{1,3}")
_LAST_LABEL = re.compile(rf"(?i)\b(?:{alternation(BEFORE_LAST)})[\s.:_]+$")
_TITLE_BEFORE = re.compile(rf"(?<![\w/])({_LETTERS}|{_LETTER}{{2,5}}+\.)[^\S\n]+$")
_SAFE = frozenset(["", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"])  # initials that read as initials always
_LONG = 4  # letters: a word of an original with as many is not in its surrogate


def _other_letters(draw: Draw, old: str, entity: str, kept: frozenset[str]) -> str:
    """Draw as many consonants as *old* has letters: another first one, and no word of *kept*."""
    plain = folded(old)
    chance = draw.part(f"{entity} letters", plain).chance
    firsts = [letter for letter in _CONSONANTS if letter != plain[:1]]
    while True:
        new = chance.choice(firsts) + "".join(chance.choice(_CONSONANTS) for _ in old[1:])
        if new not in kept:
            return new


_CONSONANTS = "bcfgjkmprtw"  # no degree, possessive or legal form consists of these


def _clean(value: str) -> str:
    return repaired(unicodedata.normalize("NFC", value))


def _letters_alone(glued: "re.Match[str]") -> str:
    """Return a word without the digits that repairing has left in it."""
    word = glued.group()
    return _DIGITS_OR_BAR.sub("", word) if _ALPHA.search(word) else word


def _in_capitals(text: str) -> bool:
    """Tell whether all letters are capitals."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all(char.isupper() for char in letters)


def _cased(model: str, name: str) -> str:
    """Return *name* in the case of the word *model*."""
    if model.isupper() and (len(model) > 1 or len(name) == 1):
        return name.upper()
    return name.lower() if model.islower() else name


# Persons


@dataclass(slots=True)
class _Part:
    """A word of a name.

    Attributes:
        text: As written.
        plain: Folded.
        kind: ``"kept"``, ``"initial"`` or ``"name"``.
        role: ``"first"``, ``"middle"`` or ``"last"``; meaningless for a kept word.
        sex: The sex of who bears it, where the name itself does not tell: `WOMEN`, `MEN` or empty.
        plural: Whether it names a family: "the Wards".
        joined: Whether a hyphen joins it to the word before.
        comma: Whether a comma stands before it.
        bracket: Whether a bracket stands before it, as before a maiden name.
    """

    text: str
    plain: str
    kind: str = "name"
    role: str = "last"
    sex: str = ""
    plural: bool = False
    joined: bool = False
    comma: bool = False
    bracket: bool = False

    @property
    def code(self) -> str:
        if self.kind == "initial":
            return "I" * len(self.text)
        kin = last_kind(self.text) if self.role == "last" else LAST
        return "N" if kin == LAST else f"N{kin}"

    def other(self, draw: Draw, but: Sequence[str]) -> str:
        if self.kind == "initial":
            letters = "".join(new_letter(draw, letter) for letter in self.text)
            return _cased(self.text, letters.lower() if self.text.islower() else letters)
        if self.role == "last":
            name = other_last(draw, self.plain, last_kind(self.text), but)
            name = name.replace("'", "’") if "’" in self.text else name
            if self.plural:
                name += "es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s"
        else:
            name = other_first(draw, self.plain, self.sex, but)
        return _cased(self.text, name)


class _Person:
    """Read names of one or more persons, with titles, initials and suffixes."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        text = _GLUED.sub(_letters_alone, _clean(value))
        pieces = _pieces(text, _Known.of(options))
        parts = [piece for piece in pieces if isinstance(piece, _Part)]
        if not parts:
            return None
        if all(part.kind == "kept" for part in parts):
            _make_names(parts, pieces)
        parts = [piece for piece in pieces if isinstance(piece, _Part)]
        names = [part for part in parts if part.kind != "kept"]
        letters = [part.text for part in names if part.kind == "initial"]
        form = _form_of(pieces)
        but = tuple(part.plain for part in names if len(part.plain) >= _LONG)
        family = _Known.of(options).family()
        stays = {id(part) for part in names if part.role == "last" and part.plain in family}
        if len(stays) == len(names):
            stays = set()

        def written(draw: Draw, safe: bool) -> str:
            return "".join(
                _other_numbers(piece, draw) if isinstance(piece, str)
                else piece.text if piece.kind == "kept" or id(piece) in stays
                else _cased(piece.text, _other_letters(draw, piece.text, "PERSON", RESERVED))
                if safe and piece.kind == "initial" else piece.other(draw, but)
                for piece in pieces
            )  # fmt: skip

        def write(draw: Draw) -> str:
            found = written(draw, False)
            known = _Known.of(options)
            if len(names) == 1 and letters and known.has_initials(names[0].plain):
                return found  # the page tells that they are initials
            if "".join(letters) in _SAFE or _form_of(_pieces(found, known)) == form:
                return found
            return written(draw, True)  # the initials would read as a degree or a word

        roles = (
            " ".join(part.plain for part in names if part.role == role)
            for role in ("last", "first", "middle")
        )
        return Reading(f"person {form}", "|".join(roles), write)


def _form_of(pieces: Sequence[str | _Part]) -> str:
    return "".join(
        _DIGIT.sub("0", piece) if isinstance(piece, str)
        else piece.text if piece.kind == "kept" else f"<{piece.code}>"
        for piece in pieces
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Known:
    """Hold the sources of a name's parts: the lists, and the page where the name stands."""

    locale: str
    pack: Pack
    context: Context | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "_Known":
        locale = str(options.get("locale", "en_US"))
        return cls(locale, pack_of(options), context_of(options))

    def is_first(self, name: str) -> bool:
        """Tell whether a list has the folded first name, or the page has it before a last name."""
        if sex_of(name, self.locale, self.pack):
            return True
        if self.context is None or is_last(name, self.locale, self.pack):
            return False
        firsts, lasts, _ = self.context.page.fact(_NamesOf(self.pack))
        return name in firsts and name not in lasts

    def is_last(self, name: str) -> bool:
        """Tell whether a list or the page has the folded last name."""
        if is_last(name, self.locale, self.pack):
            return True
        return self.context is not None and name in self.context.page.fact(_NamesOf(self.pack))[1]

    def has_initials(self, letters: str) -> bool:
        """Tell whether the folded *letters* begin the words of a name on the page."""
        return (
            self.context is not None and letters in self.context.page.fact(_NamesOf(self.pack))[2]
        )

    def is_before_last(self) -> bool:
        """Tell whether a label such as "Maiden name:" stands before the value."""
        return bool(self.context and _LAST_LABEL.search(self.context.before))

    def own_sex(self, name: str) -> str:
        """Return the sex of a folded first name as lists have it; of a turned page the other."""
        sex = sex_of(name, self.locale, self.pack)
        is_turned = self.context is not None and self.context.page.is_turned
        return _OTHER_SEX.get(sex, sex) if is_turned else sex

    def sex(self, name: str) -> str:
        """Return what the page says of a first name as it is written; empty if nothing."""
        return self.context.page.fact(Mentions).sex(name) if self.context else ""

    def family(self) -> frozenset[str]:
        """Return the folded last names of relatives that stay elsewhere on the page."""
        return families_at(self.context)

    def title(self) -> str:
        """Return the title before the value, folded; empty if there is none."""
        found = _TITLE_BEFORE.search(self.context.before) if self.context else None
        return folded(found.group(1)) if found and folded(found.group(1)) in TITLES else ""


_OTHER_SEX = {WOMEN: MEN, MEN: WOMEN}
_FULL = r"[^\Wa-z\d_][\w'’-]*\.?"  # a name of several, or an initial
_FULL_NAME = re.compile(rf"({_FULL})(?: {_FULL})* ({_FULL})(?![\w'’-])")


def _staying_families(page: Page) -> frozenset[str]:
    """Return the folded last names of MARITAL_STATUS that stand elsewhere on *page* and stay.

    None stays where names are replaced. With the first name before it a name is the spouse's own,
    which is replaced there as well.
    """
    relatives = [one for one in page.findings if one.entity == "MARITAL_STATUS"]
    if not relatives or any(one.entity == "PERSON" for one in page.findings):
        return frozenset()
    rest, at = [], 0
    for one in page.findings:
        rest.append(page.text[at : one.start])
        at = one.end
    outside = " | ".join([*rest, page.text[at:]])
    names = (_FULL_NAME.search(page.text, one.start, one.end) for one in relatives)
    found = {(name[1], name[2]) for name in names if name}
    return frozenset(
        folded(last)
        for first, last in found
        if len(last) >= _LONG
        and re.search(rf"(?<!\w)(?<!{re.escape(first)} ){re.escape(last)}(?![\w-])", outside)
    )


def families_at(context: Context | None) -> frozenset[str]:
    """Return the folded last names of relatives that stay on the page of *context*, if known."""
    return context.page.fact(_staying_families) if context else frozenset()


@dataclass(frozen=True, slots=True)
class _NamesOf:
    """Read the folded first and last names in a page's names of several words, and their initials.

    Initials are those of the whole name, and of its first and last word.
    """

    pack: Pack

    def __call__(self, page: Page) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        found: dict[str, set[str]] = {"first": set(), "middle": set(), "last": set()}
        initials = set()
        known = _Known("en_US", self.pack)
        for value in page.values("PERSON"):
            parts = [one for one in _pieces(_clean(value), known) if isinstance(one, _Part)]
            names = [part for part in parts if part.kind == "name"]
            for part in names if len({part.role for part in parts}) > 1 else ():
                found[part.role].add(part.plain)
            letters = "".join(
                part.plain[:1]
                for role in ("first", "middle", "last")
                for part in parts
                if part.kind != "kept" and part.role == role
            )
            initials |= {letters, letters[:1] + letters[-1:]} if len(letters) in (2, 3) else set()
        partners = {folded(partner_named(value)) for value in page.values(*COUPLES)} - {""}
        firsts = frozenset(found["first"] | partners)
        return firsts, frozenset(found["last"]), frozenset(initials)


def _other_numbers(between: str, draw: Draw) -> str:
    """Replace the numbers in the text between two words."""
    return re.sub(r"\d+", lambda run: other_digits(draw, run.group(), "PERSON digits"), between)


def _pieces(text: str, known: _Known) -> list[str | _Part]:
    """Return the words of a name and the text between them, in order."""
    pieces: list[str | _Part] = []
    segment: list[_Part] = []
    capitals = _in_capitals(text)
    at = 0
    maiden = False
    reference = bool(_REFERENCE.fullmatch(text))
    for start, end, kept in _tokens(text):
        gap, word = text[at:start], text[start:end]
        at = end
        part = _Part(word, folded(word.replace("’", "'")), joined=gap == "-", comma="," in gap)
        part.bracket = gap.endswith("(")
        if kept:
            part.kind = "kept"
        elif reference:
            part.kind = "initial"
        elif part.plain in SHORT:
            part.plain = SHORT[part.plain].casefold()
            at += text[at : at + 1] == "."
        if ";" in gap or "&" in gap or _links(word, capitals):
            _assign(segment, maiden, capitals, True, known)
            segment = []
            maiden = word.casefold() in MAIDEN
        if _links(word, capitals):
            part.kind = "kept"
        elif not kept:
            segment.append(part)
        pieces += [gap, part]
    _assign(segment, maiden, capitals, False, known)
    _mark_plural(pieces, known)
    return [*pieces, text[at:]]


def _mark_plural(pieces: Sequence[str | _Part], known: _Known) -> None:
    """Mark a last name that names a family, as in "the Wards"."""
    names = [piece for piece in pieces if isinstance(piece, _Part) and piece.kind != "kept"]
    article = [piece for piece in pieces if isinstance(piece, _Part) and piece.plain == "the"]
    before = known.context.before if known.context else ""
    if len(names) != 1 or not (article or before.casefold().endswith("the ")):
        return
    plain, only = names[0].plain, names[0]
    for ending in ("es", "s"):
        single = plain.removesuffix(ending)
        if only.role == "last" and len(single) > 2 and single != plain and known.is_last(single):
            only.plain, only.plural = single, True
            return


def _make_names(parts: list[_Part], pieces: list[str | _Part]) -> None:
    """Turn words into names where all of them would be kept."""
    words = [part for part in parts if part.text[0] not in "'’"]
    for part in words:
        part.kind = "name"
    if not words:  # a possessive s alone
        at, mark = pieces.index(parts[0]), parts[0].text[0]
        pieces[at : at + 1] = [mark, _Part(parts[0].text[1:], "s", "initial", "first")]


def _tokens(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each word starts and ends, and whether it stays in any context."""
    for before, found in enumerate(_TOKEN.finditer(text)):
        if found["kept"] and before < 2 and _AMBIGUOUS.fullmatch(found["kept"]):
            for letter in _PLAIN.finditer(text, *found.span()):
                yield *letter.span(), False
        else:
            yield *found.span(), bool(found["kept"])


def _links(word: str, capitals: bool) -> bool:
    """Tell whether *word* links two names."""
    return word.casefold() in LINKS and (word.islower() or capitals)


def _assign(parts: list[_Part], maiden: bool, capitals: bool, more: bool, known: _Known) -> None:
    """Set kind, role and sex of the words of one name.

    Args:
        parts: The words, which are changed.
        maiden: Whether it is a maiden name.
        capitals: Whether the whole value is in capitals.
        more: Whether another name follows.
        known: The lists, and the page.
    """
    title = _mark_kept(parts, capitals, more)
    names = [part for part in parts if part.kind != "kept"]
    for part in names:
        if _is_initial(part.text, capitals) or (
            len(names) == 1 and part.text.isupper() and known.has_initials(part.plain)
        ):
            part.kind = "initial"
    if not names:
        return
    outside = "" if title else known.title()
    for part, role in zip(names, _roles(names, title, outside, maiden, known), strict=True):
        part.role = role
    sex = _sex_of(names, title or outside, known)
    for part in names:
        part.sex = sex


def _roles(
    names: Sequence[_Part], title: str, outside: str, maiden: bool, known: _Known
) -> list[str]:
    """Return the role of each word of a name; *outside* is the title before the value."""
    maidens = [part.bracket and not known.is_first(part.plain) for part in names]
    if any(maidens) and not all(maidens):
        others = [part for part, own in zip(names, maidens, strict=True) if not own]
        roles = iter(_roles(others, title, outside, maiden, known))
        return ["last" if own else next(roles) for own in maidens]
    surname_first = next((at for at, part in enumerate(names) if at and part.comma), 0)
    if not surname_first and _is_surname_first(names, known):
        surname_first = 1
    if surname_first:
        given = len(names) - surname_first
        return ["last"] * surname_first + ["first"] + ["middle"] * (given - 1)
    if all(part.joined for part in names[1:]):
        only = names[0]
        named = only.kind == "initial" or known.is_first(only.plain)
        first = named and not maiden and (not title or title in INTIMATE)
        if only.kind != "initial" and known.is_before_last():
            first = False
        if outside and outside not in INTIMATE and known.is_last(only.plain):
            first = False
        return ["first" if first else "last"] * len(names)
    last = max(at for at, part in enumerate(names) if not part.joined)
    joined = next(at for at in range(1, last + 1) if not names[at].joined)
    return ["first"] * joined + ["middle"] * (last - joined) + ["last"] * (len(names) - last)


def _is_surname_first(names: Sequence[_Part], known: _Known) -> bool:
    """Tell whether the last name is the first of several words: "ALVARADO J M", "Kim Young-Ja"."""
    if len(names) < 2 or names[0].kind == "initial" or names[1].joined:
        return False
    head, tail = names[0].plain, names[-1]
    return (
        not sex_of(head, known.locale, known.pack) or origin_of(head, LAST, known.pack) != ""
    ) and (
        tail.kind == "initial"
        or (bool(sex_of(tail.plain, known.locale, known.pack)) and not known.is_last(tail.plain))
    )


def _sex_of(names: Sequence[_Part], title: str, known: _Known) -> str:
    """Return the sex of a person: by the first name, a title, the middle names, then the page."""
    given = [part for part in names if part.role != "last" and part.kind == "name"]
    own = [known.own_sex(part.plain) for part in given]
    if own and own[0] in (WOMEN, MEN):
        return own[0]
    if title in WOMENS_TITLES or title in MENS_TITLES:
        return WOMEN if title in WOMENS_TITLES else MEN
    return next((sex for sex in own if sex in (WOMEN, MEN)), "") or (
        known.sex(given[0].text) if given else ""
    )


def _is_initial(word: str, capitals: bool) -> bool:
    """Tell whether *word* is one letter, two as in JD Smith, or three without a vowel."""
    if len(word) == 3 and word.isascii() and (word.isupper() or word.islower()):
        return not set(word.upper()) & set("AEIOUY")
    if len(word) == 2 and word.islower():
        return word.isascii() and not set(word) & set("aeiouy")
    if len(word) == 2:
        return word.isupper() and word.isascii() and not (capitals and set(word) & set("AEIOUY"))
    return len(word) == 1 and (word.isupper() or word.islower())


def _mark_kept(parts: list[_Part], capitals: bool, linked: bool) -> str:
    """Mark titles, particles and suffixes as kept. Return the folded title; empty if none."""
    title = ""
    comma = any(part.comma for part in parts)
    opening = True
    for at, part in enumerate(parts):
        plain, more = part.plain, at + 1 < len(parts)
        if part.kind == "kept":
            continue
        letter = len(plain) == 1 and part.text.isupper()
        if plain in FILL and (part.text.islower() or opening or capitals) and more and not letter:
            part.kind = "kept"
        elif (
            (opening or part.comma)
            and plain in TITLES
            and not (more and parts[at + 1].joined)
            and ((more and not parts[at + 1].comma) or (linked and not more))
        ):
            part.kind = "kept"
            title = title or plain
        elif plain in SUFFIXES and not opening and not part.joined:
            part.kind = "kept"
        elif plain in GROUPS and not opening and not more:
            part.kind = "kept"
            title = title or plain
        elif part.text.casefold() in PARTICLES and more and not parts[at + 1].comma and (
            part.text.islower()
            or (plain not in NAMES_TOO and (not opening or title or comma))
        ):  # fmt: skip
            part.kind = "kept"
            opening = False
        else:
            opening = False
    return title


def first_name(draw: Draw, original_first: str) -> str:
    """Return the surrogate of a first name inside another value; equals that in a PERSON.

    A last name, by its lists or a label such as "Maiden name:", becomes a last name.
    """
    known = _Known.of({**draw.options, "locale": draw.locale})
    plain = folded(original_first)
    if known.is_before_last() or (known.is_last(plain) and not known.is_first(plain)):
        return person(draw, original_first)
    return _PLAIN.sub(
        lambda word: _cased(
            word.group(), other_first(draw, folded(word.group()), known.sex(word.group()))
        ),
        original_first,
    )


def person(draw: Draw, value: str) -> str:
    """Return the surrogate of a name inside another value; equals that of a PERSON."""
    options = {**draw.options, "locale": draw.locale}
    for form in PERSON_FORMS:
        if reading := form.read(value, options):
            return reading.write(draw.part("PERSON", reading.normal))
    raise AssertionError("the last form reads any text")


# Organizations


_SMALL_WORDS = (
    "the of and for in on at to a an de la des du und der die et fur y e i st saint mt mount"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_ALIKE = {
    "co": "company", "corp": "corporation", "inc": "incorporated", "ltd": "limited",
    "bros": "brothers", "dept": "department", "mfg": "manufacturing", "univ": "university",
}  # fmt: skip
_LEGAL = r"(?:S\.A|N\.V|A\.G|B\.V|U\.S\.A|U\.S|L\.L\.C|L\.L\.P|P\.L\.C|S\.p\.A|N\.A)\.(?!\w)"
_ORGANIZATION_TOKEN = re.compile(
    rf"(?P<kept>{_POSSESSIVE}|(?<![\w.]){_LEGAL})|(?P<number>\d+)|(?P<word>{_WORD})"
)
_NO_LETTERS = "234679"  # digits that OCR does not read as letters
_ANY_TOKEN = re.compile(rf"(?P<kept>(?!))|(?P<number>\d+)|(?P<word>{_LETTERS}(?:['’]{_LETTERS})*+)")


class _Organization:
    """Read the name of a company, an authority or a school; words for its kind stay."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        text = _clean(value).replace("|", " ")
        found = list(_ORGANIZATION_TOKEN.finditer(text))
        if not any(token["word"] for token in found):
            found = list(_ANY_TOKEN.finditer(text))
        if not any(token["word"] for token in found):
            return None
        kinds = _kinds(pack_of(options))
        capitals = _in_capitals(text)
        words = [token["word"] for token in found if token["word"]]
        codes = [_code(token, kinds, capitals, len(words) == 1) for token in found]
        if not any(codes):
            codes[_least_general(found)] = "W"
        tokens = list(zip(found, codes, strict=True))

        def write(draw: Draw) -> str:
            return _joined(text, [
                (token, _other_token(draw, token.group(), code, kinds)) for token, code in tokens
            ])  # fmt: skip

        form = _joined(text, [(token, code and f"<{code}>") for token, code in tokens])
        plain = (folded(token.group()) for token in found if not token["kept"])
        normal = " ".join(_ALIKE.get(word, word) for word in plain if word != "the")
        return Reading(f"organization {form}", normal, write)


def _is_glued(number: "re.Match[str]") -> bool:
    """Tell whether letters stand beside the digits."""
    around = _GLUED.match(number.string, _start_of_word(number.string, number.start()))
    return around is not None and _ALPHA.search(around.group()) is not None


def _start_of_word(text: str, at: int) -> int:
    while at and _GLUED.fullmatch(text[at - 1]):
        at -= 1
    return at


def _least_general(tokens: Sequence["re.Match[str]"]) -> int:
    """Return the index of the word to replace where all words say the kind of organization.

    It is the last word if there is an "of", else the first.
    """
    words = [at for at, token in enumerate(tokens) if token["word"]]
    telling = [at for at in words if folded(tokens[at]["word"]) not in _SMALL] or words
    of = any(folded(tokens[at]["word"]) == "of" for at in words)
    return telling[-1 if of else 0]


def _code(token: "re.Match[str]", kinds: frozenset[str], capitals: bool, alone: bool) -> str:
    """Return what of *token* is replaced, or an empty string.

    ``W`` is a word, ``A`` a letter, ``0`` a digit, ``9`` a digit within a word.
    """
    if token["number"]:
        return ("9" if _is_glued(token) else "0") * len(token["number"])
    word = token["word"]
    if word and word.isupper() and "&" in token.string[max(0, token.start() - 1) : token.end() + 1]:
        return "A" * len(word)  # AT&T
    if not word or folded(word) in kinds or (folded(word) in _SMALL and not word.isupper()):
        return ""
    if folded(word) in _SMALL and capitals and len(word) > 1:
        return ""
    size = len(word)
    if size == 1 and (word.isupper() or word.islower()):
        return "A"
    if not word.isupper():
        return "W"
    vowels = any(char in "AEIOUY" for char in word)
    short = size < 4 and (alone or not capitals)
    return "A" * size if short or (size < 6 and not vowels) else "W"


def _other_token(draw: Draw, old: str, code: str, kinds: frozenset[str]) -> str:
    if not code:
        return old
    if code[0] == "0":
        return other_digits(draw, old, "ORGANIZATION digits", leading=True)
    if code[0] == "9":
        chance = draw.part("ORGANIZATION digits", old).chance
        return "".join(chance.choice(_NO_LETTERS.replace(char, "")) for char in old)
    plain = folded(old)
    if code[0] == "W":
        names = _organization_names(pack_of(draw.options))
        return _cased(old, names.other(draw.part("ORGANIZATION word", plain).chance, plain))
    new = _other_letters(draw, old, "ORGANIZATION", kinds | _SMALL)
    return new.upper() if old.isupper() else new


def _joined(text: str, tokens: Sequence[tuple["re.Match[str]", str]]) -> str:
    """Return *text* with each token replaced; an empty replacement leaves it as it is."""
    pieces, at = [], 0
    for token, new in tokens:
        pieces += [text[at : token.start()], new or token.group()]
        at = token.end()
    return "".join([*pieces, text[at:]])


@lru_cache(maxsize=16)
def _kinds(pack: Pack) -> frozenset[str]:
    return frozenset(folded(word) for word in terms("organization_kinds", pack))


@lru_cache(maxsize=16)
def _organization_names(pack: Pack) -> Pool:
    return Pool(terms("organization_names", pack))


# E-mail


_EMAIL = re.compile(
    r"(?P<before>(?i:mailto:)?<?)(?P<local>[^\s@<>]{1,64})(?P<at>\s?(?:@|\(at\)|\[at\])\s?)"
    r"(?P<domain>[^\W_][\w.-]{0,200})(?P<after>>?)"
)
_AT_DOMAIN = re.compile(r"(?P<at>\s?(?:@|\(at\)|\[at\])\s?)(?P<domain>[^\W_][\w.-]{0,200})")
_RUN = re.compile(r"[^\W\d_]+|\d+")
_HOSTS = ("mail", "post", "web", "home", "net", "lab", "office", "dept", "staff", "north", "main")
_ENDS = ("com", "net", "org")


class _Email:
    """Read an e-mail address; write another name before the @ and a reserved domain behind it."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        found = _EMAIL.fullmatch(value)
        if found is None or not _RUN.search(found["local"]):
            return None
        local, domain = found["local"], found["domain"]
        labels = domain.split(".")

        def write(draw: Draw) -> str:
            address = _other_local(draw, local) + found["at"] + _other_domain(draw, domain)
            return found["before"] + address + found["after"]

        shape = _RUN.sub(lambda run: _run_code(run.group()), local)
        form = f"email {found['before']}{shape}{found['at']}{len(labels)}{found['after']}"
        return Reading(form, f"{local}@{domain}".casefold(), write)


class _Domain:
    """Read what is left of an e-mail address whose name is a value of its own: "@harcourt.com"."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        found = _AT_DOMAIN.fullmatch(value)
        if found is None:
            return None
        at, domain = found["at"], found["domain"]
        form = f"email {at}{len(domain.split('.'))}"
        return Reading(form, f"@{domain}".casefold(), lambda draw: at + _other_domain(draw, domain))


def _run_code(run: str) -> str:
    return "0" * len(run) if run.isdecimal() else "i" if len(run) == 1 else "a"


def _other_local(draw: Draw, local: str) -> str:
    """Replace the part before the @; its names agree with those of PERSON."""
    words = [run for run in _RUN.findall(local) if not run.isdecimal()]
    names = [run for run in words if len(run) > 1]
    left = iter(range(len(names)))

    def other(match: "re.Match[str]") -> str:
        run = match.group()
        if run.isdecimal():
            return other_digits(draw, run, "EMAIL digits")
        if len(run) == 1:
            return _cased(run, new_letter(draw, run).lower())
        at = next(left)
        if len(words) == 1:
            return _cased(run, _other_glued(draw, run))
        if at == len(names) - 1:
            return _cased(run, _plain_last(draw, folded(run)))
        return _cased(run, _plain_first(draw, folded(run)))

    return _RUN.sub(other, local)


def _other_glued(draw: Draw, run: str) -> str:
    """Replace a name like ``ellen``, ``ward``, ``eward``, ``warde`` or ``ellenward``."""
    known = _Known.of({**draw.options, "locale": draw.locale})
    plain = folded(run)
    if known.is_first(plain):
        return _plain_first(draw, plain)
    if not known.is_last(plain):
        if known.is_last(plain[1:]):
            return new_letter(draw, plain[0]).lower() + _plain_last(draw, plain[1:]).lower()
        if known.is_last(plain[:-1]):
            return _plain_last(draw, plain[:-1]) + new_letter(draw, plain[-1]).lower()
        for at in range(3, min(len(plain) - 2, 14)):
            if known.is_last(plain[at:]) and known.is_first(plain[:at]):
                first = _plain_first(draw, plain[:at])
                return first + _plain_last(draw, plain[at:]).lower()
    return _plain_last(draw, plain)


def _plain_first(draw: Draw, old: str) -> str:
    known = _Known.of({**draw.options, "locale": draw.locale})
    sex = known.sex(old.title()) or known.sex(old.upper())
    return _ascii(draw, other_first(draw, old, sex), WOMEN)


def _plain_last(draw: Draw, old: str) -> str:
    return _ascii(draw, other_last(draw, old, last_kind(old)), LAST)


def _ascii(draw: Draw, name: str, kind: str) -> str:
    """Return the ASCII letters of *name*, or another name if there are fewer than two."""
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(char for char in plain if char.isascii() and char.isalpha())
    if len(letters) > 1:
        return letters
    names = pool(kind, "", "en_US", pack_of(draw.options))
    return names.other(draw.part("EMAIL name", name).chance, "")


def _other_domain(draw: Draw, domain: str) -> str:
    labels = domain.split(".")
    chance = draw.part("EMAIL domain", domain.casefold()).chance
    new = [chance.choice(_HOSTS) for _ in labels[2:]]
    new.append("example")
    if len(labels) > 1:
        own = labels[-1].casefold()
        new.append(own if own in _ENDS else chance.choice(_ENDS))
    return _cased(domain, ".".join(new))


PERSON_FORMS: tuple[Form, ...] = (_Person(), *DIGIT_FORMS)
ORGANIZATION_FORMS: tuple[Form, ...] = (_Organization(), *DIGIT_FORMS)
_EMAIL_AMONG = r"[^\s@<>,;:()\[\]\"]{1,64}\s?(?:@|\(at\)|\[at\])\s?[^\W_](?:[\w.-]{0,200}\w)?"
EMAIL_FORMS: tuple[Form, ...] = (_Email(), _Domain(), Among(_Email(), _EMAIL_AMONG), *DIGIT_FORMS)
