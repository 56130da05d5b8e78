"""Policies are carried out without Presidio as its engines carry them out."""

import pytest
from presidio_anonymizer import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.presidio import operators
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Page, Says
from presidio_cdip.surrogates.policies import Step, policy_names

KEY = b"0123456789abcdef0123456789abcdef"
TEXT = "DATE OF BIRTH: Nov. 9, 1965   Married, 3 children   271-24-0538   Omsk"
FOUND = [
    ("DATE_OF_BIRTH", 15, 27),
    ("MARITAL_STATUS", 30, 37),
    ("MARITAL_STATUS", 32, 49),
    ("US_SSN", 52, 63),
    ("NRP", 66, 70),
]
SPANS = [Span(start, end, entity, 0.9, rule="") for entity, start, end in FOUND]
RESULTS = [RecognizerResult(entity, start, end, 0.9) for entity, start, end in FOUND]


# `mask` is Presidio's, and safe_harbor draws at random.
@pytest.mark.parametrize("name", sorted({*policy_names(Pack.shipped())} - {"mask", "safe_harbor"}))
def test_policy_has_the_same_result_with_and_without_presidio(name: str) -> None:
    """A text reads the same, and its items stand at the same places."""
    made = steps.steps(name, KEY, "one")
    configured = operators.policy(name, KEY, "one")

    written = steps.anonymize(TEXT, SPANS, made)
    by_presidio = operators.anonymize(TEXT, RESULTS, configured)

    assert not steps.need_presidio(made)
    assert written.text == by_presidio.text != TEXT
    assert [(item.start, item.end, item.text, item.operator) for item in written.items] == [
        (item.start, item.end, item.text, item.operator) for item in reversed(by_presidio.items)
    ]


def test_value_may_stay() -> None:
    """`keep` leaves a value, which does not count as replaced."""
    written = steps.anonymize(TEXT, SPANS[:1], {"DEFAULT": Step("keep", {})})
    by_presidio = operators.anonymize(TEXT, RESULTS[:1], {"DEFAULT": OperatorConfig("keep")})

    assert written.text == by_presidio.text == TEXT
    assert not written.counts()


def test_masks_hashes_and_ciphers_are_presidios() -> None:
    """Only Presidio carries these out."""
    assert steps.need_presidio(steps.steps("mask"))
    assert steps.need_presidio({"DEFAULT": Step("hash", {})})
    assert steps.need_presidio({"AGE": Step("keep", {}), "DEFAULT": Step("encrypt", {})})


NUMBERS = "SSN 271-24-0538, again 271-24-0538"
TWICE = [Span(4, 15, "US_SSN", 0.9, rule=""), Span(23, 34, "US_SSN", 0.9, rule="")]


def test_a_document_has_a_key_of_its_own_that_nobody_keeps() -> None:
    """Under `draw: document` equal values agree within a text, and with no other text."""
    made = steps.steps("safe_harbor", KEY, "one")

    texts = [[item.text for item in steps.anonymize(NUMBERS, TWICE, made).items] for _ in range(4)]

    assert all(first == second != "271-24-0538" for first, second in texts)
    assert len({first for first, _ in texts}) == 4


def test_plainest_forms_are_told() -> None:
    """A surrogate that only the plainest form could make is one to look at."""
    made = steps.steps("surrogate", KEY, "one")
    text = "SSN 271-24-0538 or see file"
    spans = [TWICE[0], Span(19, 27, "US_SSN", 0.9, rule="")]
    written = steps.anonymize(text, spans, made)

    assert steps.plainest(text, written, made) == [False, True]
    assert steps.plainest(text, written, steps.steps("label")) == [False, False]


def test_preview_shows_both() -> None:
    """Each value stands with what replaces it, the rest as it was."""
    made = steps.steps("label", KEY, "one")

    shown = steps.anonymize(NUMBERS, TWICE, made).preview(NUMBERS)

    assert shown == "SSN ⟦271-24-0538 → <US_SSN>⟧, again ⟦271-24-0538 → <US_SSN>⟧"


PAGE = "She is a widow and a Teamster. Her husband died. She voted for Attlee, and is a citizen.\n"
ON_PAGE = [("MARITAL_STATUS", "widow"), ("TRADE_UNION_MEMBERSHIP", "Teamster"),
           ("POLITICAL_OPINION", "voted for Attlee"), ("NATIONALITY", "citizen")]  # fmt: skip


def test_a_page_is_searched_once_however_many_values_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What expressions say of a whole page is read once for it, so a long text takes no squares."""
    searched: list[str] = []

    def says(self: Says, page: Page) -> bool:
        searched.append(self.pattern.pattern)
        return False

    monkeypatch.setattr(Says, "__call__", says)
    made = steps.steps(key=KEY, scope="one")

    counts = []
    for lines in (1, 4):
        text = PAGE * lines
        starts = [at * len(PAGE) for at in range(lines)]
        spans = [
            Span(start + PAGE.index(value), start + PAGE.index(value) + len(value), entity, 1, "")
            for start in starts
            for entity, value in ON_PAGE
        ]
        searched.clear()
        steps.anonymize(text, spans, made)
        counts.append(len(searched))

    assert counts[0] == counts[1] > 0
