"""A corpus keeps one surrogate a person, with nothing shared between its workers but the key."""

import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.engine import Surrogates

pytestmark = pytest.mark.slow

DOCUMENTS = 12_000  # each of two halves has every person, in every way of writing
PERSONS = 1_000
KEY = bytes(range(32))
FIRST, LAST = (
    terms("first_names_female", Pack.shipped())[:40],
    terms("last_names", Pack.shipped())[:25],
)

Found = dict[tuple[str, str], set[str]]


def person(number: int) -> dict[str, tuple[str, ...]]:
    """Return the values of a person, each in several ways of writing."""
    digits = f"{100_000_007 + number * 777_041:09d}"
    year, month, day = 1900 + number % 90, 1 + number % 12, 1 + number % 28
    first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
    return {
        "US_SSN": (
            f"{digits[:3]}-{digits[3:5]}-{digits[5:]}",
            digits,
            f"{digits[:3]} {digits[3:5]} {digits[5:]}",
        ),
        "DATE_OF_BIRTH": (f"{month}/{day}/{year}", f"{month:02d}-{day:02d}-{year}"),
        "PERSON": (f"{first} {last}", f"{last}, {first}", f"{last.upper()}, {first.upper()}"),
    }


def surrogates_of(documents: range) -> Found:
    """Return the digits of the surrogates in *documents*, by entity and person."""
    surrogates = Surrogates(KEY, "corpus", options={"ssn": "plausible"})
    found: Found = {}
    for document in documents:
        number = document * 7919 % PERSONS
        for entity, ways in person(number).items():
            written = surrogates.surrogate(entity, ways[document % len(ways)])
            said = " ".join(sorted(re.findall(r"\w+", written.casefold())))
            if entity != "PERSON":
                parts = written.replace("-", "/").replace(" ", "").split("/")
                said = "".join(part.zfill(2) for part in parts)
            found.setdefault((entity, str(number)), set()).add(said)
    return found


def test_a_person_has_one_surrogate_in_thousands_of_documents() -> None:
    """Two processes, half of the documents each, agree on every person, and mix up none."""
    halves = [range(DOCUMENTS // 2), range(DOCUMENTS // 2, DOCUMENTS)]

    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        one, other = pool.map(surrogates_of, halves)

    assert one.keys() == other.keys()
    together = {key: one.get(key, set()) | other.get(key, set()) for key in one | other}
    assert len(together) == 3 * PERSONS
    assert all(len(said) == 1 for said in together.values())
    numbers = [said for (entity, _), said in together.items() if entity == "US_SSN"]
    assert len(set.union(*numbers)) == PERSONS
