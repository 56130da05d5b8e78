"""An offence becomes one of its kind that its time and the sentence around it allow."""

import re

import pytest

from tests.marked import replaced

CASES = [
    ("P.D. Tulsa 1946 ⟦CRIMINAL_OFFENCE Drunk and disorderly⟧, fined $15", "(?!.*container).*"),
    ("Boonville 1957 ⟦CRIMINAL_OFFENCE Possession of morphine⟧, 2 yrs.",
     ".*(?:drug|narcotic|marijuana|heroin|cocaine|amphetamine|deal|prescription|hypoderm|paraph).*"),
    ("General court 1943: ⟦CRIMINAL_OFFENCE forfeited $20 pay⟧.", "(?:did|was|lost) .*"),
    ("He was picked up in 1936 and ⟦CRIMINAL_OFFENCE let go next morning⟧.",
     "(?!arrested|charged|detained|booked).* next morning"),
    ("The case is ⟦CRIMINAL_OFFENCE pending trial⟧.", "(?!with).*"),
    ("He was convicted at 21 and ⟦CRIMINAL_OFFENCE lost his licence for six months⟧.",
     "(?:was|paid) .*"),
    ("He was ⟦CRIMINAL_OFFENCE sentenced to two years' probation⟧.", "(?!.*parole).*"),
    ("1935: one member asked about an ⟦CRIMINAL_OFFENCE arrest⟧ during the strike in Lodi.",
     "(?!.*caution).*"),
    ("Metropolitan Police: ⟦CRIMINAL_OFFENCE no record⟧.", "no (?!fine|indictment|complaint).*"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pattern"), CASES)
def test_an_offence_fits_its_sentence(text: str, pattern: str) -> None:
    """Kind, time and grammar hold."""
    found = {one for (one,) in replaced(text, 20)}

    assert len(found) > 1
    assert all(re.fullmatch(pattern, one, re.IGNORECASE) for one in found), found
