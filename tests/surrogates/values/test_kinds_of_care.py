"""Findings, counts and courses of care are replaced by others that can stand in their place."""

import re

import pytest

from tests.marked import replaced


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Dental, 1953: ⟦HEALTH four extractions⟧ needed.", r"\w+ (?!extr)[a-z ]+s"),
        ("Elbow: ⟦HEALTH flexion to 110 degrees⟧.", r"flexion to \d+ degrees"),
        ("Resuscitation status: ⟦HEALTH DNR⟧", r"(?!DNR\b).+"),
        ("Drug screen: ⟦HEALTH neg x 5 panel⟧", r"(?:neg|pos|THC|pend|dil).*"),
        ("Nails ⟦HEALTH bluish⟧, pulse regular", r"(?!bluish).+"),
        ("In 2004 he had two fits and ⟦HEALTH none since⟧.", r"(?!none since).*(?:since|year)"),
        ("He was ⟦HEALTH gassed⟧ at the works in 1926.", r"(?!hit by|shot).+"),
        ("We lay in ⟦HEALTH a plaster bed⟧ for a year.", r".*(?:bed|mattress|board|frame).*"),
        ("Ward notes 1988. ⟦HEALTH bed rails⟧ up at night", r".+"),
    ],
)
def test_it_stays_of_its_kind(text: str, pattern: str) -> None:
    """Work stays work, a movement keeps its words, a status is another status."""
    found = {page[0] for page in replaced(text, 20)}

    assert len(found) > 2, found
    for one in found:
        assert re.fullmatch(pattern, one, re.IGNORECASE), one


@pytest.mark.parametrize("value", ["two angioplasties", "three heart attacks", "two operations"])
def test_what_is_counted_stays_so(value: str) -> None:
    """A number stands before a plural."""
    for (one,) in replaced(f"After ⟦HEALTH {value}⟧ he gave up work.", 20):
        assert re.match(r"(?:two|three|four|five|six) (?:[a-z]+ )?\w+s\b", one), one


def test_a_diagnosis_without_a_sign_is_a_diagnosis() -> None:
    """What an illness is without does not make it absent."""
    for (one,) in replaced("Diagnoses:\n2. ⟦HEALTH Bronchitis without emphysema⟧", 20):
        assert not re.match(r"(?i)no\b|not\b|denies", one), one


def test_a_part_within_a_value_labels_nothing() -> None:
    """The next column is no finding of the hip."""
    text = "DX  ⟦HEALTH S/P PINNING L HIP⟧  ⟦HEALTH COPD⟧  ⟦HEALTH GOUT⟧"
    for _, one, _ in replaced(text, 12):
        assert not re.search(r"(?i)stiff|curv|mobil", one), one


@pytest.mark.parametrize(
    "text",
    [
        "He was to be discharged, ⟦HEALTH completely recovered⟧.",
        "We all had colds but we are ⟦HEALTH over it⟧.",
        "She is ⟦HEALTH not too well⟧ this winter.",
    ],
)
def test_a_state_reads_on(text: str) -> None:
    """No verb in the past stands where a state does."""
    for (one,) in replaced(text, 20):
        assert not re.match(r"(?:rallied|picked|mended|improved|infirm|not \w+al)\b", one), one
