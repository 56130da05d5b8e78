"""Brackets of values are closed, their numbers whole, and labels behind them left out."""

import pytest

from presidio_cdip.recognition.edges import before_label, with_edges
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


@pytest.mark.parametrize(
    ("found", "value"),
    [
        ("Diagnosis: ⟦gout  Treatment⟧: colchicine", "gout"),
        ("⟦Husband: Tom Roe Age⟧: 44", "Husband: Tom Roe"),
        ("Faith: ⟦Lutheran   Date of visit⟧ : May", "Lutheran"),
        ("⟦wife⟧: Ellen", "wife"),
        ("ill since ⟦May at 5⟧:30", "May at 5"),
        ("⟦stroke and gout⟧: both", "stroke and gout"),
    ],
)
def test_the_label_of_the_next_value_is_no_part_of_a_value(found: str, value: str) -> None:
    """It has a colon, and stands apart or is one that lists of persons have."""
    start, end = found.index("⟦"), found.index("⟧") - 1
    text = found.replace("⟦", "").replace("⟧", "")

    span = before_label(text, Span(start, end, "HEALTH", 0.9, "model"))

    assert text[span.start : span.end] == value
