"""Brackets of what the model found are closed, and its numbers whole."""

import pytest

from presidio_cdip.recognition.edges import with_edges
from presidio_cdip.recognition.spans import Span


@pytest.mark.parametrize(
    ("found", "entity", "whole"),
    [
        ("T ⟦36⟧,6 in the evening", "HEALTH", "36,6"),
        ("T 36,⟦6⟧ in the evening", "HEALTH", "36,6"),
        ("a match of 0⟦.93⟧", "BIOMETRIC_DATA", ".93"),
        ("a ⟦het (C282Y/H63D⟧), says he", "GENETIC_DATA", "het (C282Y/H63D)"),
        ("Home: (⟦919) 555-0143⟧", "HOME_PHONE_NUMBER", "(919) 555-0143"),
        ("⟦asthma (as a child⟧, and later)", "HEALTH", "asthma (as a child"),
        ("aged ⟦41⟧,2 of them sons", "AGE", "41"),
        ("ill since ⟦1941⟧.", "HEALTH", "1941"),
        ("10 ⟦mg⟧, 20 mg", "HEALTH", "mg"),
    ],
)
def test_a_value_has_what_belongs_to_its_edges(found: str, entity: str, whole: str) -> None:
    """And no more: a remark that goes on stays open."""
    start = found.index("⟦")
    text = found.replace("⟦", "").replace("⟧", "")
    end = found.index("⟧") - 1

    span = with_edges(text, Span(start, end, entity, 0.9, "model"))

    assert text[span.start : span.end] == whole
