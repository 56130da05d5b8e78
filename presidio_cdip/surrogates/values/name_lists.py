"""Choose the names that surrogates of names are drawn from: by sex, origin and first letter.

A name's surrogate has its origin where the lists tell one, and the first letter that the scope's
permutation of letters gives: the surrogate of an initial is the initial of the surrogate.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.values.name_words import RESERVED
from presidio_cdip.surrogates.writing.text import folded

WOMEN, MEN, EITHER, LAST = "women", "men", "either", "last"
_FIRST = (WOMEN, MEN, EITHER)
_SHIPPED = {
    WOMEN: "first_names_female",
    MEN: "first_names_male",
    EITHER: "first_names_either",
    LAST: "last_names",
}
# The letters that initials are permuted among; few names begin with one of the others.
LETTERS = "ABCDEFGHJKLMNPRSTW"
# Of Russian last names
_WOMENS_ENDINGS = ("ова", "ева", "ина", "ына", "ская", "цкая")
_MENS_ENDINGS = ("ов", "ев", "ин", "ын", "скии", "цкии")  # folded: й is и
_FEWEST = 3  # names of a letter or a sex to draw from; with fewer, all others of the origin, too
_PLAIN = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "ARABIC": "ar_SA", "CJK": "zh_CN", "CYRILLIC": "ru_RU", "DEVANAGARI": "hi_IN",
    "GREEK": "el_GR", "HANGUL": "ko_KR", "HEBREW": "he_IL", "HIRAGANA": "ja_JP",
    "KATAKANA": "ja_JP", "THAI": "th_TH",
}  # fmt: skip


@dataclass(frozen=True)
class Pool:
    """Hold names to draw from."""

    names: tuple[str, ...]

    @cached_property
    def folded(self) -> frozenset[str]:
        """Return the folded names."""
        return frozenset(map(folded, self.names))

    @cached_property
    def by_letter(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Return names with their folded forms by first letter; under ``""``, all."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for name in self.names:
            plain = folded(name)
            found[plain[:1].upper()].append((name, plain))
            found[""].append((name, plain))
        return {letter: tuple(names) for letter, names in found.items()}

    def other(self, chance: Chance, old: str, letter: str = "", but: Sequence[str] = ()) -> str:
        """Draw a name other than the folded *old* and those of *but*.

        Args:
            chance: The stream to draw from.
            old: A folded name.
            letter: The first letter of the name, if enough names have it.
            but: Folded names that are not drawn, unless there is no other.
        """
        for names in (self.by_letter.get(letter, ()), self.by_letter[""]):
            fit = [name for name, plain in names if plain != old and plain not in but]
            if len(fit) >= _FEWEST or (fit and names is self.by_letter[""]):
                return chance.choice(fit)
        return chance.choice(self.names)


@dataclass(frozen=True)
class Origin:
    """Hold the names of one origin, by kind."""

    pools: Mapping[str, Pool]
    endings: re.Pattern[str] | None


@lru_cache(maxsize=16)
def _origins(pack: Pack) -> Mapping[str, Origin]:
    listed: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for row in rows("name_origins", pack):
        listed[row["origin"]][row["part"]] = row["names"].split()
    found = {}
    for origin, parts in listed.items():
        given = parts.get("given", [])
        women, men = parts[WOMEN] + given, parts[MEN] + given
        either = given if len(given) >= _FEWEST else women + men
        kinds = {WOMEN: women, MEN: men, EITHER: either, LAST: parts[LAST]}
        endings = "|".join(parts.get("endings", ()))
        found[origin] = Origin(
            {kind: Pool(tuple(names)) for kind, names in kinds.items()},
            re.compile(rf".{{2,}}(?:{endings})") if endings else None,
        )
    return found


@lru_cache(maxsize=16)
def _own_sex(pack: Pack) -> Mapping[str, str]:
    """Return `WOMEN`, `MEN` or `EITHER` of each folded first name that a list has."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind in (WOMEN, MEN):
        for name in terms(_SHIPPED[kind], pack):
            found[folded(name)].add(kind)
    for row in rows("name_origins", pack):
        if row["part"] in (WOMEN, MEN, "given"):
            for name in row["names"].split():
                if row["part"] == "given":
                    found[folded(name)].add(EITHER)
                else:
                    found[folded(name)].add(row["part"])
    for row in rows("nicknames", pack):
        for nickname in row["nicknames"].split():
            found[folded(nickname)] |= found[folded(row["name"])]
    sexes = {name: kinds.pop() if len(kinds) == 1 else EITHER for name, kinds in found.items()}
    return {**sexes, **{folded(name): EITHER for name in terms(_SHIPPED[EITHER], pack)}}


@lru_cache(maxsize=16)
def _formal(pack: Pack) -> Mapping[str, str]:
    """Return the folded name that each folded nickname stands for."""
    return {
        folded(nickname): folded(row["name"])
        for row in rows("nicknames", pack)
        for nickname in row["nicknames"].split()
    }


@lru_cache(maxsize=16)
def _nicknames(pack: Pack) -> Mapping[str, tuple[str, ...]]:
    return {folded(row["name"]): tuple(row["nicknames"].split()) for row in rows("nicknames", pack)}


@lru_cache(maxsize=1024)
def origin_of(name: str, kind: str, pack: Pack) -> str:
    """Return the origin of a folded name; empty if no list or more than one has it, or English.

    Args:
        name: Folded.
        kind: `LAST`, or any other for first names.
        pack: The pack in use.
    """
    kinds = (LAST,) if kind == LAST else _FIRST
    origins = _origins(pack)
    listed = [
        origin for origin, of in origins.items() if any(name in of.pools[k].folded for k in kinds)
    ]
    if listed:
        return listed[0] if len(listed) == 1 else ""
    if kind != LAST or name in _shipped(LAST, pack).folded:
        return ""
    ending = [origin for origin, of in origins.items() if of.endings and of.endings.fullmatch(name)]
    return ending[0] if len(ending) == 1 else ""


@lru_cache(maxsize=64)
def _shipped(kind: str, pack: Pack) -> Pool:
    return Pool(terms(_SHIPPED.get(kind, "last_names"), pack))


@lru_cache(maxsize=256)
def pool(kind: str, origin: str, locale: str, pack: Pack) -> Pool:
    """Return the names of a kind.

    Names of two letters are left out, because in capitals they would be read as initials.

    Args:
        kind: `WOMEN`, `MEN`, `EITHER`, `LAST`, or last names ``mc`` and ``o'``.
        origin: As `origin_of` returns it; names of no other origin, if empty.
        locale: As Faker writes it; its names come before those of an origin.
        pack: The pack in use.
    """
    listed = () if kind in ("mc", "o'") else _foreign(kind, locale)
    if not listed and origin:
        listed = _origins(pack)[origin].pools[kind].names
    elif not listed:
        listed = terms(_SHIPPED.get(kind, "last_names"), pack)
        if kind not in _FIRST:
            listed = tuple(
                name for name in listed
                if last_kind(name) == kind and not origin_of(folded(name), LAST, pack)
            )  # fmt: skip
        elif kind != EITHER:
            listed = tuple(name for name in listed if not origin_of(folded(name), kind, pack))
    fit = [name for name in listed if len(name) > 2 or not name.isascii()]
    return Pool(tuple(fit or listed))


@lru_cache(maxsize=128)
def _foreign(kind: str, locale: str) -> tuple[str, ...]:
    """Return Faker's names for *locale*; none for ``en_US``, or if Faker has fewer than ten."""
    if locale == "en_US" or not re.fullmatch(r"[a-z]{2,3}_[A-Z]{2}", locale):
        return ()
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ImportError:
        return ()
    if kind == EITHER:
        return _foreign(WOMEN, locale) + _foreign(MEN, locale)
    names = getattr(provider, _SHIPPED[kind], ())
    usable = {
        name for name in names if _PLAIN.fullmatch(name) and folded(name) not in RESERVED
        and (len(name) > 1 or not (name.isupper() or name.islower()))
    }  # fmt: skip
    by_fold = {folded(name): name for name in sorted(usable)}
    return tuple(by_fold.values()) if len(by_fold) > 9 else ()


def last_kind(name: str) -> str:
    """Return the kind of last names that *name* is replaced by; see `pool`."""
    plain = name.casefold().replace("’", "'")
    if plain.startswith("o'"):
        return "o'"
    return "mc" if plain.startswith("mc") and len(plain) > 4 else LAST


def sex_of(name: str, locale: str, pack: Pack) -> str:
    """Return `WOMEN` or `MEN`, `EITHER` if both have the folded first name, empty if unlisted."""
    if found := _own_sex(pack).get(name):
        return found
    kinds = [kind for kind in (WOMEN, MEN) if name in pool(kind, "", locale, pack).folded]
    return "" if not kinds else kinds[0] if len(kinds) == 1 else EITHER


def is_last(name: str, locale: str, pack: Pack) -> bool:
    """Return whether a list has the folded last name."""
    return (
        name in _shipped(LAST, pack).folded
        or name in pool(LAST, "", locale, pack).folded
        or bool(origin_of(name, LAST, pack))
    )


def new_letter(draw: Draw, letter: str) -> str:
    """Return the capital that replaces the initial *letter* throughout the scope.

    Letters that are common in names are permuted, without a fixed point; others get one of these.
    """
    plain = folded(letter)[:1].upper()
    found = _new_letters(draw.keyring).get(plain)
    return found or draw.keyring.chance("PERSON letter", plain).choice(LETTERS)


@lru_cache(maxsize=64)
def _new_letters(keyring: Keyring) -> Mapping[str, str]:
    chance = keyring.chance("PERSON letters")
    order = list(LETTERS)
    for at in range(len(order) - 1, 0, -1):  # Sattolo's algorithm: a single cycle
        to = chance.below(at)
        order[at], order[to] = order[to], order[at]
    return dict(zip(LETTERS, order, strict=True))


def other_first(draw: Draw, old: str, sex: str = "", but: Sequence[str] = ()) -> str:
    """Draw another first name, of the same sex and origin; of the other sex on a turned page.

    Args:
        draw: Of the scope.
        old: The folded name.
        sex: `WOMEN` or `MEN`, where the name itself does not tell.
        but: Folded names that are not drawn.
    """
    pack = pack_of(draw.options)
    if formal := _formal(pack).get(old):
        new = other_first(draw, formal, sex, but)
        called = _nicknames(pack).get(folded(new), ())
        fit = [name for name in called if folded(name) not in but]
        return draw.part("PERSON nickname", old).chance.choice(fit) if fit else new
    but = (*but, *map(folded, _nicknames(pack).get(old, ())))
    own = sex_of(old, draw.locale, pack)
    origin = origin_of(old, own if own in (WOMEN, MEN) else sex or EITHER, pack)
    if _is_turned(draw):
        own = {WOMEN: MEN, MEN: WOMEN}.get(own, own)
    kind = own if own in (WOMEN, MEN) else sex or EITHER
    names = pool(kind, origin, _locale_of(old, draw.locale), pack)
    chance = draw.part("PERSON first", old).chance
    return names.other(chance, old, new_letter(draw, old), but)


def other_last(draw: Draw, old: str, kind: str = LAST, but: Sequence[str] = ()) -> str:
    """Draw another last name, of the same origin; the arguments are those of `other_first`."""
    pack = pack_of(draw.options)
    chance = draw.part("PERSON last", old).chance
    if kind != LAST:
        return pool(kind, "", draw.locale, pack).other(chance, old, "", but)
    names = pool(kind, origin_of(old, kind, pack), _locale_of(old, draw.locale), pack)
    if old.endswith(_WOMENS_ENDINGS) or old.endswith(_MENS_ENDINGS):
        names = _of_sex(names, old.endswith(_WOMENS_ENDINGS) != _is_turned(draw))
    return names.other(chance, old, new_letter(draw, old), but)


def _is_turned(draw: Draw) -> bool:
    context = context_of(draw.options)
    return context is not None and context.page.is_turned


@lru_cache(maxsize=16)
def _of_sex(names: Pool, women: bool) -> Pool:
    """Return the last names that women, or men, have in Russian."""
    ending = _WOMENS_ENDINGS if women else _MENS_ENDINGS
    return Pool(tuple(one for one in names.names if folded(one).endswith(ending)) or names.names)


def _locale_of(name: str, locale: str) -> str:
    """Return a locale whose names are written in the script of *name*; else *locale*."""
    if name.isascii():
        return locale
    script = unicodedata.name(name[0], "unnamed").split()[0]
    return _SCRIPTS.get(script, locale)
