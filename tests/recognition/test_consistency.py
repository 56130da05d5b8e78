"""A value found once by its cue is found wherever else it stands in the document."""

import pytest

from presidio_cdip.recognition.cases import found_in
from presidio_cdip.recognition.engine import Engine

AGAIN = {
    "spaced": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\nDeduct from ⟦271 24 0538⟧."),
    "bare": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\nDeduct from ⟦271240538⟧."),
    "beside another number": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\n7 ⟦271 24 0538⟧ 12 items"),
    "in brackets": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\nsee ref (⟦271 24 0538⟧) 12 items"),
    "through OCR": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\nDeduct from ⟦27l 24 O538⟧."),
    "a date in another form": ("DATE_OF_BIRTH", "Born ⟦11/9/65⟧.\n\nOn ⟦Nov. 9, 1965⟧ it snowed."),
    "without its area": (
        "HOME_PHONE_NUMBER",
        "Home phone: ⟦(919) 555-0143⟧\n\nOr ring ⟦555-0143⟧.",
    ),
    "another number": ("US_SSN", "SSN: ⟦271-24-0538⟧\n\nOrder 271 24 0539 was sent."),
}  # fmt: skip


@pytest.mark.parametrize(("entity", "case"), AGAIN.values(), ids=AGAIN)
def test_value_is_found_again_in_another_form(
    shipped_engine: Engine, entity: str, case: str
) -> None:
    """Separators, neighbours and OCR errors do not hide a value that was found once."""
    assert found_in(shipped_engine, entity, case) == case


def test_no_value_is_propagated_to_the_next_document(shipped_engine: Engine) -> None:
    """A value of one document is not looked for in another."""
    shipped_engine.find("SSN: 271-24-0538")

    assert shipped_engine.find("Deduct from 271240538.") == []
