"""What follows a value on its line stays in its column."""

from pathlib import Path

import pytest

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.policies import Step
from presidio_cdip.surrogates.vault import Vault

KEY = "k" * 31 + "abcdef"
FORM = """Born      May 3, 1931           Sex  F      Age  46
Address   9 Elm St., Dayton                  Tel  none
Status    married, 2 children .................. see over
Faith     Lutheran"""
VALUES = {
    "May 3, 1931": "DATE_OF_BIRTH", "46": "AGE", "9 Elm St., Dayton": "HOME_ADDRESS",
    "married": "MARITAL_STATUS", "2 children": "MARITAL_STATUS", "Lutheran": "RELIGION",
}  # fmt: skip


def spans_of(text: str) -> list[Span]:
    """Return the spans of VALUES in *text*."""
    return [
        Span(text.index(value), text.index(value) + len(value), entity, 1, "")
        for value, entity in VALUES.items()
        if value in text
    ]


@pytest.mark.parametrize("scope", ["a", "b", "c", "d", "e"])
def test_columns_behind_surrogates_stay(scope: str) -> None:
    """A gap of blanks or dots takes up what the values before it have grown or shrunk."""
    written = steps.anonymize(FORM, spans_of(FORM), steps.steps(key=KEY, scope=scope)).text

    for column in ("Sex  F", "Age  ", "Tel  none", "see over"):
        old, new = (
            next(line for line in text.splitlines() if column in line) for text in (FORM, written)
        )
        assert old.index(column) == new.index(column), written


def test_a_gap_is_used_up_to_two_blanks_and_the_next_takes_the_rest() -> None:
    """Two columns never run together, and the one behind them is in place again."""
    text = "A 46      Sex  F                    Town"
    made = {"AGE": Step("replace", {"new_value": "far longer than before"})}
    drawn = steps.anonymize(
        text,
        [Span(2, 4, "AGE", 1, "")],
        {"AGE": Step("surrogate", {})},
        carry_out=lambda step, value, span, context: made["AGE"].params["new_value"],
    ).text

    assert drawn == "A far longer than before  Sex  F    Town"
    assert drawn.index("Town") == text.index("Town")


def test_other_operators_leave_the_gaps() -> None:
    """What is named, masked or removed is not made to look as it was."""
    text = "Age 46      Sex  F"

    written = steps.anonymize(text, [Span(4, 6, "AGE", 1, "")], steps.steps("label"))

    assert written.text == "Age <AGE>      Sex  F"


def test_the_vault_restores_the_gaps(tmp_path: Path) -> None:
    """Restored, a text is what it was, to the blank."""
    vault = Vault(tmp_path / "vault", KEY)
    made = steps.steps(key=KEY, scope="a")

    written = steps.anonymize(FORM, spans_of(FORM), made, vault)

    assert written.text != FORM
    assert vault.restore(written.text) == FORM
