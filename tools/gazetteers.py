"""Write `recognizers/gazetteers/NAME.txt` from Babel, Faker and the table of US states.

Run `python tools/gazetteers.py` after a change of `operators/gazetteers/us_states.tsv`, or after
installing another version of Babel or Faker; then set `EDITED_ON`, `READ_ON` or `NAMES_READ_ON` to
that day. With `--check` nothing is written or printed: the exit status is 1 if a file would change.

`NAME.extra.txt` adds terms that the source lacks, `NAME.except.txt` removes unwanted terms. These
two files are written by hand, and this script never changes them.
"""

import argparse
import csv
import pkgutil
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import faker.providers.person
from babel import Locale
from babel.core import get_global

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "recognizers" / "gazetteers"
STATES = "operators/gazetteers/us_states.tsv"
READ_ON = "2026-11-20"
EDITED_ON = "2026-11-26"  # the table of states
NAMES_READ_ON = "2026-11-26"  # from Faker

# Not places where people are born: groupings, test locales and uninhabited territories.
NO_COUNTRY = frozenset(
    ["AQ", "BV", "CP", "EU", "EZ", "HM", "QO", "TF", "UM", "UN", "XA", "XB", "ZZ"]
)

# Areas of the tz database whose zones are not named after towns, and regions inside America
# whose zones are villages that share their name with an English word ("Center").
NO_CITY = ("Antarctica/", "Etc/", "America/Indiana/", "America/Kentucky/", "America/North_Dakota/")

BABEL = "Unicode-3.0 (CLDR)"
FAKER = "MIT (Faker)"
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff']{3,}")
OURS = "MIT, as the project's"


@dataclass(frozen=True)
class Gazetteer:
    """Describe one generated list."""

    name: str
    about: str
    source: str
    licence: str
    terms: Callable[[], Iterable[str]]
    read_on: str = READ_ON

    @property
    def path(self) -> Path:
        """Return the path of the list."""
        return FOLDER / f"{self.name}.txt"

    def text(self) -> str:
        """Return the whole file, as generated from its source."""
        head = [
            f"# {self.about}",
            f"# Source: {self.source}",
            f"# Date: {self.read_on}",
            f"# Licence: {self.licence}",
            "# Script: tools/gazetteers.py",
        ]
        return "\n".join([*head, *unique(self.terms())]) + "\n"


def unique(terms: Iterable[str]) -> list[str]:
    """Sort *terms* without duplicates; of two that differ in accents, keep the accented one.

    >>> unique(["Zürich", "Brno", "Zurich"])
    ['Brno', 'Zürich']
    """
    kept: dict[str, str] = {}
    for term in sorted(terms):
        kept[without_accents(term)] = term
    return sorted(kept.values(), key=lambda term: (term.casefold(), term))


def without_accents(term: str) -> str:
    """Return *term* in the form in which the recognizers compare it.

    >>> without_accents("Åland")
    'aland'
    """
    parts = unicodedata.normalize("NFKD", term)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def plain_names(name: str) -> Iterator[str]:
    """Yield the forms in which running text writes a catalogue's *name*.

    >>> list(plain_names("Iran, Islamic Republic of"))
    ['Islamic Republic of Iran', 'Iran']
    >>> list(plain_names("Antigua & Barbuda"))
    ['Antigua & Barbuda', 'Antigua and Barbuda']
    >>> list(plain_names("Cocos (Keeling) Islands"))
    ['Cocos Islands']
    """
    name = re.sub(r" *[(\[][^)\]]*[)\]]", "", name).replace("’", "'")
    name = name.removeprefix("the ").removesuffix(" SAR China")
    head, comma, tail = name.partition(", ")
    if comma:
        if re.search(r"( of| of the| de)$|^[\w.]+$", tail):
            yield f"{tail} {head}".removeprefix("The ")
        yield head
        return
    yield name
    if " & " in name:
        yield name.replace(" & ", " and ")


def countries() -> Iterator[str]:
    """Yield the countries and territories of today."""
    for code, name in Locale("en").territories.items():
        if code.isalpha() and code not in NO_COUNTRY and " - " not in name:
            yield from plain_names(name)


def states() -> list[dict[str, str]]:
    """Return the rows of the table of US states."""
    lines = (ROOT / STATES).read_text("utf-8").splitlines()
    return [*csv.DictReader((line for line in lines if line[:1] != "#"), delimiter="\t")]


def abbreviations() -> Iterator[str]:
    """Yield the abbreviations of states, with their full stops."""
    for row in states():
        for written in (row["press"], *row["other"].split("|")):
            if written.endswith("."):
                yield written


def us_states() -> Iterator[str]:
    """Yield the names and abbreviations of states, without postal codes."""
    for row in states():
        yield from filter(None, (row["name"], row["press"], *row["other"].split("|")))


def us_postal() -> Iterator[str]:
    """Yield the two-letter postal codes of states."""
    for row in states():
        yield row["postal"]


def us_state_abbreviations() -> Iterator[str]:
    """Yield the abbreviations of states of one word, without their full stop."""
    for written in abbreviations():
        if (bare := written.removesuffix(".")).isalpha():
            yield bare


def cities() -> Iterator[str]:
    """Yield the towns that a time zone is named after, by present and former English names."""
    zones = Locale("en").time_zones
    taken = {name.casefold() for name in countries()}
    for zone in {*get_global("zone_territories"), *zones}:
        if "/" in zone and not zone.startswith(NO_CITY):
            written = zone.rsplit("/", 1)[1].replace("_", " ").replace("St ", "St. ")
            for name in (written, zones.get(zone, {}).get("city", written)):
                plain = name.replace("’", "'").split(",")[0]
                if plain.casefold() not in taken:
                    yield plain


def names(kind: str) -> Iterator[str]:
    """Yield the words of the names of one *kind*, ``first`` or ``last``, of all Latin scripts.

    Faker has lists for some sixty countries. Words that are also the name of a state, a country or
    a large town are left out.
    """
    places = {without_accents(place) for place in (*countries(), *us_states(), *cities())}
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = import_module(f"faker.providers.person.{module.name}").Provider
        for key, listed in vars(provider).items():
            if key.startswith((f"{kind}_name", f"{kind}_romanized")) and isinstance(
                listed, Iterable
            ):
                written = " ".join(name for name in listed if isinstance(name, str))
                words = LATIN.findall(written.replace("’", "'"))
                yield from (
                    word.capitalize() if word.isupper() else word
                    for word in words
                    if word[0].isupper() and without_accents(word) not in places
                )


def first_names() -> Iterator[str]:
    """Yield first names."""
    yield from names("first")


def last_names() -> Iterator[str]:
    """Yield last names."""
    yield from names("last")


GAZETTEERS = (
    Gazetteer(
        "cities",
        "Towns after which a time zone is named.",
        f"babel {version('babel')}",
        f"public domain (tz database), {BABEL}",
        cities,
    ),
    Gazetteer(
        "countries",
        "Countries and territories of today, English names.",
        f"babel {version('babel')}",
        BABEL,
        countries,
    ),
    Gazetteer(
        "first_names",
        "First names of persons in some sixty countries, word by word.",
        f"faker {version('faker')}",
        FAKER,
        first_names,
        NAMES_READ_ON,
    ),
    Gazetteer(
        "last_names",
        "Last names of persons in some sixty countries, word by word.",
        f"faker {version('faker')}",
        FAKER,
        last_names,
        NAMES_READ_ON,
    ),
    Gazetteer(
        "us_postal", "Two-letter postal codes of US states.", STATES, OURS, us_postal, EDITED_ON
    ),
    Gazetteer(
        "us_state_abbreviations",
        "Abbreviations of US states, of one word and without the full stop.",
        STATES,
        OURS,
        us_state_abbreviations,
        EDITED_ON,
    ),
    Gazetteer(
        "us_states", "US states: names and abbreviations.", STATES, OURS, us_states, EDITED_ON
    ),
)


def stale() -> list[Gazetteer]:
    """Return the lists whose file is missing or differs from its source."""
    return [
        gazetteer
        for gazetteer in GAZETTEERS
        if not gazetteer.path.is_file()
        or gazetteer.path.read_text(encoding="utf-8") != gazetteer.text()
    ]


def main() -> int:
    """Write the stale lists; or, with `--check`, return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Write the generated gazetteers.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if stale")
    if parser.parse_args().check:
        return int(bool(stale()))
    for gazetteer in stale():
        gazetteer.path.write_text(gazetteer.text(), encoding="utf-8", newline="\n")
        print(f"wrote {gazetteer.path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
