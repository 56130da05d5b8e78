"""Every case of every rule file holds, with the whole pack at work."""

import re

import pytest

from presidio_cdip import Pack
from presidio_cdip.pack.rules import RuleFile, rule_files
from presidio_cdip.recognition.cases import found_in
from presidio_cdip.recognition.engine import Engine

FILES = rule_files(Pack.shipped())
FAST = 8  # every eighth case of a file is run in the fast lane
CASES = [
    pytest.param(
        file.entity,
        case,
        id=f"{file.file}-{number}",
        marks=() if number % FAST == 1 else pytest.mark.slow,
    )
    for file in FILES
    for number, case in enumerate(file.cases, 1)
]


@pytest.mark.parametrize(("entity", "case"), CASES)
def test_case_holds(shipped_engine: Engine, entity: str, case: str) -> None:
    """Exactly the marked spans are found."""
    assert found_in(shipped_engine, entity, case) == case


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plain", "odd"),
    [("\n", "\r\n"), ("\n", "\x85"), (" ", "\u00a0"), (" ", "\u2009")],
    ids=["CR LF", "NEL", "no-break space", "thin space"],
)
def test_cases_hold_with_the_blanks_of_other_systems(
    shipped_engine: Engine, plain: str, odd: str
) -> None:
    """A case holds whatever character its lines end with or its words stand apart by."""
    cases = [(file.entity, case.replace(plain, odd)) for file in FILES for case in file.cases[::3]]

    broken = [case for entity, case in cases if found_in(shipped_engine, entity, case) != case]

    assert broken == []


@pytest.mark.parametrize("file", [file for file in FILES if file.rules], ids=lambda file: file.file)
def test_file_shows_finds_and_near_misses(file: RuleFile) -> None:
    """A file with rules brings at least 12 marked cases and 6 near misses."""
    cases = file.cases

    marked = [case for case in cases if re.search("⟦.+?⟧", case, re.S)]

    assert len(marked) >= 12
    assert len(cases) - len(marked) >= 6
