"""Surrogates of names: of persons, of organizations, and in e-mail addresses.

Each part of a name is drawn separately, so "Ellen Ward", "WARD, Ellen" and "Mrs. Ward" agree within
a scope. Surrogates are not unique: *n* persons have about ``n**2 / (2 * F * L)`` pairs with equal
names, where F and L are the numbers of first names of a gender and of last names to draw from
(about 480 and 1,800 in English; fewer for names like McNeil and O'Neill). Organizations with one
distinctive word share about 330 surrogates. The domains of e-mail addresses become
``example.com``, ``.net`` and ``.org`` (RFC 2606).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.values.numbers import DIGIT_FORMS, Among, other_digits
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


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WOMEN = _words(
    "mrs ms miss mme madame madam mlle sister mother lady dame aunt grandma frau fraulein senora"
    " sra srta signora mistress"
)
_MEN = _words("mr messrs sir lord father brother uncle grandpa herr senor signor mister")
_TITLES = _WOMEN | _MEN | _words(
    "mx dr drs doctor prof professor rev revd reverend hon honorable capt captain col colonel lt"
    " lieut lieutenant sgt sergeant maj cpl corporal pvt pfc adm admiral cmdr commander ens ensign"
    " fr bro pastor deacon sen senator rep representative congressman congresswoman gov governor"
    " pres president mayor ambassador supt superintendent nurse officer det detective insp"
    " inspector chancellor cousin baby med dent jur habil"
)  # fmt: skip
_INTIMATE = _words("sister brother aunt uncle cousin mother father grandma grandpa baby")
_SUFFIXES = _words("jr sr jun ii iii iv esq esquire md phd dds dvm rn")
_PARTICLES = _words(
    "van der den de la le les du del della di da dos das do von vom zu zur ten ter el al bin ibn"
    " ap st saint af av y"
)
_NAMES_TOO = _words("al del")
_MAIDEN = _words("née nee formerly")
_LINKS = _MAIDEN | _words("alias aka and or und et")
_FILL = _words("the former late of a by her his with")
_SHORT = {
    "wm": "William", "geo": "George", "chas": "Charles", "thos": "Thomas", "jas": "James",
    "jos": "Joseph", "robt": "Robert", "benj": "Benjamin", "saml": "Samuel", "danl": "Daniel",
    "edw": "Edward", "richd": "Richard", "eliz": "Elizabeth", "margt": "Margaret",
}  # fmt: skip
RESERVED = _TITLES | _SUFFIXES | _PARTICLES | _LINKS | _FILL | frozenset(_SHORT)

Writer = Callable[[Draw], str]


# The names to draw from


@dataclass(frozen=True, slots=True)
class _Pool:
    """A list of names with the index of each folded name."""

    names: tuple[str, ...]
    places: Mapping[str, int]

    @classmethod
    def of(cls, names: Sequence[str]) -> "_Pool":
        return cls(tuple(names), {folded(name): place for place, name in enumerate(names)})

    def other(self, chance: Chance, old: str) -> str:
        """Draw a name other than the folded *old*."""
        own = self.places.get(old)
        if own is None or len(self.names) == 1:
            return chance.choice(self.names)
        drawn = chance.below(len(self.names) - 1)
        return self.names[drawn + (drawn >= own)]


@lru_cache(maxsize=128)
def _pool(kind: str, locale: str, pack: Pack | None) -> _Pool:
    """Return the names of a kind: ``female``, ``male``, ``last``, or last names ``mc`` and ``o'``.

    Names of two letters are left out, because in capitals they would be read as initials.
    """
    first = kind in ("female", "male")
    name_of = f"first_names_{kind}" if first else "last_names"
    listed = terms(name_of, pack)
    if first or kind == "last":
        listed = _foreign(name_of, locale) or listed
    fit = [name for name in listed if len(name) > 2 or not name.isascii()]
    return _Pool.of([name for name in fit if first or _last_kind(name) == kind] or listed)


def _foreign(kind: str, locale: str) -> tuple[str, ...]:
    """Return Faker's names for *locale*; none for ``en_US``, or if Faker has fewer than ten."""
    if locale == "en_US" or not re.fullmatch(r"[a-z]{2,3}_[A-Z]{2}", locale):
        return ()
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ImportError:
        return ()
    names = getattr(provider, kind, ())
    usable = {
        name for name in names if _PLAIN.fullmatch(name) and folded(name) not in RESERVED
        and (len(name) > 1 or not (name.isupper() or name.islower()))
    }  # fmt: skip
    by_fold = {folded(name): name for name in sorted(usable)}
    return tuple(by_fold.values()) if len(by_fold) > 9 else ()


def _last_kind(name: str) -> str:
    """Return the kind of last names that *name* is replaced by; see `_pool`."""
    plain = name.casefold().replace("’", "'")
    if plain.startswith("o'"):
        return "o'"
    return "mc" if plain.startswith("mc") and len(plain) > 4 else "last"


def _gender(first: str, locale: str, pack: Pack | None) -> str:
    """Return the gender of the folded first name; empty if both or neither have it."""
    found = [
        kind
        for kind in ("female", "male")
        if first in _pool(kind, "en_US", pack).places or first in _pool(kind, locale, pack).places
    ]
    return found[0] if len(found) == 1 else ""


def _is_first(name: str, locale: str, pack: Pack | None) -> bool:
    return any(
        name in _pool(kind, place, pack).places
        for kind in ("female", "male") for place in dict.fromkeys(("en_US", locale))
    )  # fmt: skip


def _other_first(draw: Draw, old: str, gender: str) -> str:
    pack = draw.options.get("pack")
    chance = draw.part("PERSON first", old).chance
    known = _gender(old, draw.locale, pack) or gender
    kind = known or chance.choice(("female", "male"))
    return _pool(kind, draw.locale, pack).other(chance, old)


def _other_last(draw: Draw, old: str, kind: str = "last") -> str:
    chance = draw.part("PERSON last", old).chance
    return _pool(kind, draw.locale, draw.options.get("pack")).other(chance, old)


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
        gender: The gender of the title before it: ``"female"``, ``"male"`` or empty.
        joined: Whether a hyphen joins it to the word before.
        comma: Whether a comma stands before it.
    """

    text: str
    plain: str
    kind: str = "name"
    role: str = "last"
    gender: str = ""
    joined: bool = False
    comma: bool = False

    @property
    def code(self) -> str:
        if self.kind == "initial":
            return "I" * len(self.text)
        kin = _last_kind(self.text) if self.role == "last" else "last"
        return "N" if kin == "last" else f"N{kin}"

    def other(self, draw: Draw) -> str:
        if self.kind == "initial":
            return _cased(self.text, _other_letters(draw, self.text, "PERSON", RESERVED))
        if self.role == "last":
            name = _other_last(draw, self.plain, _last_kind(self.text))
            name = name.replace("'", "’") if "’" in self.text else name
        else:
            name = _other_first(draw, self.plain, self.gender)
        return _cased(self.text, name)


class _Person:
    """Read names of one or more persons, with titles, initials and suffixes."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        text = _GLUED.sub(_letters_alone, _clean(value))
        pieces = _pieces(text, str(options.get("locale", "en_US")), options.get("pack"))
        parts = [piece for piece in pieces if isinstance(piece, _Part)]
        if not parts:
            return None
        if all(part.kind == "kept" for part in parts):
            _make_names(parts, pieces)
        parts = [piece for piece in pieces if isinstance(piece, _Part)]
        names = [part for part in parts if part.kind != "kept"]

        def write(draw: Draw) -> str:
            return "".join(
                _other_numbers(piece, draw) if isinstance(piece, str)
                else piece.text if piece.kind == "kept" else piece.other(draw)
                for piece in pieces
            )  # fmt: skip

        form = "".join(
            _DIGIT.sub("0", piece) if isinstance(piece, str)
            else piece.text if piece.kind == "kept" else f"<{piece.code}>"
            for piece in pieces
        )  # fmt: skip
        roles = (
            " ".join(part.plain for part in names if part.role == role)
            for role in ("last", "first", "middle")
        )
        return Reading(f"person {form}", "|".join(roles), write)


def _other_numbers(between: str, draw: Draw) -> str:
    """Replace the numbers in the text between two words."""
    return re.sub(r"\d+", lambda run: other_digits(draw, run.group(), "PERSON digits"), between)


def _pieces(text: str, locale: str, pack: Pack | None) -> list[str | _Part]:
    """Return the words of a name and the text between them, in order."""
    pieces: list[str | _Part] = []
    segment: list[_Part] = []
    capitals = _in_capitals(text)
    at = 0
    maiden = False
    for start, end, kept in _tokens(text):
        gap, word = text[at:start], text[start:end]
        at = end
        part = _Part(word, folded(word.replace("’", "'")), joined=gap == "-", comma="," in gap)
        if kept:
            part.kind = "kept"
        elif part.plain in _SHORT:
            part.plain = _SHORT[part.plain].casefold()
            at += text[at : at + 1] == "."
        if ";" in gap or "&" in gap or _links(word, capitals):
            _assign(segment, maiden, capitals, True, locale, pack)
            segment = []
            maiden = word.casefold() in _MAIDEN
        if _links(word, capitals):
            part.kind = "kept"
        elif not kept:
            segment.append(part)
        pieces += [gap, part]
    _assign(segment, maiden, capitals, False, locale, pack)
    return [*pieces, text[at:]]


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
    return word.casefold() in _LINKS and (word.islower() or capitals)


def _assign(
    parts: list[_Part], maiden: bool, capitals: bool, more: bool, locale: str, pack: Pack | None
) -> None:
    """Set kind, role and gender of the words of one name.

    Args:
        parts: The words, which are changed.
        maiden: Whether it is a maiden name.
        capitals: Whether the whole value is in capitals.
        more: Whether another name follows.
        locale: As Faker writes it.
        pack: The pack in use; the shipped one, if None.
    """
    title = _mark_kept(parts, capitals, more)
    names = [part for part in parts if part.kind != "kept"]
    for part in names:
        if _is_initial(part.text, capitals):
            part.kind = "initial"
        part.gender = "female" if title in _WOMEN else "male" if title in _MEN else ""
    if not names:
        return
    surname_first = next((at for at, part in enumerate(names) if at and part.comma), 0)
    if surname_first:
        roles = ["last"] * surname_first + ["first"]
        roles += ["middle"] * (len(names) - len(roles))
    elif all(part.joined for part in names[1:]):
        only = names[0]
        named = only.kind == "initial" or _is_first(only.plain, locale, pack)
        first = named and not maiden and (not title or title in _INTIMATE)
        roles = ["first" if first else "last"] * len(names)
    else:
        last = max(at for at, part in enumerate(names) if not part.joined)
        roles = ["first", *["middle"] * (last - 1), *["last"] * (len(names) - last)]
    for part, role in zip(names, roles, strict=True):
        part.role = role


def _is_initial(word: str, capitals: bool) -> bool:
    """Tell whether *word* is one letter, or two as in JD Smith."""
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
        if plain in _FILL and (part.text.islower() or opening or capitals) and more:
            part.kind = "kept"
        elif (
            (opening or part.comma)
            and plain in _TITLES
            and ((more and not parts[at + 1].comma) or (linked and not more))
        ):
            part.kind = "kept"
            title = title or plain
        elif plain in _SUFFIXES and not opening:
            part.kind = "kept"
        elif part.text.casefold() in _PARTICLES and more and not parts[at + 1].comma and (
            part.text.islower()
            or (plain not in _NAMES_TOO and (not opening or title or comma))
        ):  # fmt: skip
            part.kind = "kept"
            opening = False
        else:
            opening = False
    return title


def first_name(draw: Draw, original_first: str) -> str:
    """Return the surrogate of a first name inside another value; equals that in a PERSON."""
    return _PLAIN.sub(
        lambda word: _cased(word.group(), _other_first(draw, folded(word.group()), "")),
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


_SMALL = _words(
    "the of and for in on at to a an de la des du und der die et fur y e i st saint mt mount"
)
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
        kinds = _kinds(options.get("pack"))
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
        pool = _organization_names(draw.options.get("pack"))
        return _cased(old, pool.other(draw.part("ORGANIZATION word", plain).chance, plain))
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
def _kinds(pack: Pack | None) -> frozenset[str]:
    return frozenset(folded(word) for word in terms("organization_kinds", pack))


@lru_cache(maxsize=16)
def _organization_names(pack: Pack | None) -> _Pool:
    return _Pool.of(terms("organization_names", pack))


# E-mail


_EMAIL = re.compile(
    r"(?P<before>(?i:mailto:)?<?)(?P<local>[^\s@<>]{1,64})(?P<at>\s?(?:@|\(at\)|\[at\])\s?)"
    r"(?P<domain>[^\W_][\w.-]{0,200})(?P<after>>?)"
)
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
            return _cased(run, _other_letters(draw, run, "PERSON", RESERVED))
        at = next(left)
        if len(words) == 1:
            return _cased(run, _other_glued(draw, run))
        if at == len(names) - 1:
            return _cased(run, _plain_last(draw, folded(run)))
        return _cased(run, _plain_first(draw, folded(run)))

    return _RUN.sub(other, local)


def _other_glued(draw: Draw, run: str) -> str:
    """Replace a name like ``ellen``, ``ward``, ``eward``, ``warde`` or ``ellenward``."""
    pack = draw.options.get("pack")
    plain = folded(run)
    lasts = _pool("last", draw.locale, pack).places

    def is_first(name: str) -> bool:
        return _is_first(name, draw.locale, pack)

    if is_first(plain):
        return _plain_first(draw, plain)
    if plain not in lasts:
        if plain[1:] in lasts:
            letter = _other_letters(draw, plain[0], "PERSON", RESERVED)
            return letter + _plain_last(draw, plain[1:]).lower()
        if plain[:-1] in lasts:
            letter = _other_letters(draw, plain[-1], "PERSON", RESERVED)
            return _plain_last(draw, plain[:-1]) + letter
        for at in range(3, min(len(plain) - 2, 14)):
            if plain[at:] in lasts and is_first(plain[:at]):
                first = _plain_first(draw, plain[:at])
                return first + _plain_last(draw, plain[at:]).lower()
    return _plain_last(draw, plain)


def _plain_first(draw: Draw, old: str) -> str:
    return _ascii(draw, _other_first(draw, old, ""), "female")


def _plain_last(draw: Draw, old: str) -> str:
    return _ascii(draw, _other_last(draw, old, _last_kind(old)), "last")


def _ascii(draw: Draw, name: str, kind: str) -> str:
    """Return the ASCII letters of *name*, or another name if there are fewer than two."""
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(char for char in plain if char.isascii() and char.isalpha())
    if len(letters) > 1:
        return letters
    pool = _pool(kind, "en_US", draw.options.get("pack"))
    return pool.other(draw.part("EMAIL name", name).chance, "")


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
EMAIL_FORMS: tuple[Form, ...] = (_Email(), Among(_Email(), _EMAIL_AMONG), *DIGIT_FORMS)
