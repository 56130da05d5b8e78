"""Rules are followed where they slope or waver, and redrawn through letters as they were."""

import cv2
import numpy as np
import pytest

from presidio_cdip.imaging.page.ruling import Dark, Rule, mask_of, rules_in

ACROSS, DOWN = 240, 40
LETTERS = ((60, 10, 64, 30), (72, 8, 78, 40), (120, 12, 150, 24))
"""Left, top, right and bottom of strokes: two cross the rule, one may touch it."""


def ruled(slope: float, thick: float, level: float = 0.9) -> Dark:
    """Return the darkness of a rule that slopes down to the right, with its soft edges."""
    down = np.arange(DOWN)[:, None] - (24 + slope * (np.arange(ACROSS) - ACROSS / 2))
    return np.asarray(level * np.clip(thick / 2 + 0.5 - np.abs(down), 0, 1), np.float32)


def lettered(rule: Dark) -> tuple[Dark, np.ndarray]:
    """Return *rule* with strokes on it, and the mask of these."""
    letters = np.zeros(rule.shape, np.bool_)
    for left, top, right, bottom in LETTERS:
        letters[top:bottom, left:right] = True
    return np.where(letters, np.float32(1), rule), letters


def traced(rule: Dark, dark: Dark) -> Rule:
    """Trace the rule of *dark* in the mask that the page has of it: two pixels wider."""
    mask = cv2.dilate((rule > 0.3).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    (found,) = rules_in(mask, dark, 40)
    return found


@pytest.mark.parametrize("thick", [1.0, 1.6, 3.0])
@pytest.mark.parametrize("slope", [0.0, 0.008, 0.02, -0.03])
def test_a_rule_is_redrawn_as_it_was(slope: float, thick: float) -> None:
    """Where letters stood on a rule it has the grey levels that it would have without them."""
    rule = ruled(slope, thick)
    dark, letters = lettered(rule)

    redrawn = traced(rule, dark).redrawn(letters, letters, letters)

    assert redrawn is not None
    to, by = redrawn
    erased = np.where(letters, np.float32(0), dark)
    erased[to] = dark[by]
    assert np.abs(erased - rule).max() < 0.3
    assert np.abs(erased - rule)[rule > 0].mean() < 0.03


@pytest.mark.parametrize("slope", [0.0, 0.02])
def test_letters_on_a_rule_are_no_part_of_it(slope: float) -> None:
    """The mask of a rule has its own pixels and none of a letter's above or below it."""
    rule = ruled(slope, 1.6)
    dark, letters = lettered(rule)

    mask = mask_of([traced(rule, dark)], dark.shape)

    assert not (mask & letters & (rule == 0)).any()
    assert (mask & (rule > 0.5)).sum() > 0.98 * (rule > 0.5).sum()


def test_a_vertical_rule_is_traced_as_a_level_one() -> None:
    """Turned by a quarter, everything is found in the same places."""
    rule = ruled(0.01, 1.6)
    dark, letters = lettered(rule)
    level = traced(rule, dark)

    upright = traced(rule.T, dark.T)

    assert (mask_of([level], dark.shape) == mask_of([upright], dark.T.shape).T).all()
    to, _ = level.redrawn(letters, letters, letters) or pytest.fail("nothing is redrawn")
    turned, _ = upright.redrawn(letters.T, letters.T, letters.T) or pytest.fail(
        "nothing is redrawn"
    )
    assert {*zip(*to, strict=True)} == {*zip(*reversed(turned), strict=True)}


def test_neighbours_ink_on_a_rule_stays() -> None:
    """Pixels of other ink are not overwritten when a rule is redrawn."""
    rule = ruled(0.0, 2.0)
    dark, letters = lettered(rule)
    other = np.zeros_like(letters)
    other[10:35, 79:81] = True  # touches the second letter

    redrawn = traced(rule, np.where(other, np.float32(1), dark)).redrawn(
        letters, letters, letters | other
    )

    assert redrawn is not None
    assert not other[redrawn[0]].any()


def test_beside_letters_a_rule_stays_as_uneven_as_it_is() -> None:
    """Only what letters touch is drawn again: darker and lighter pieces beside them are its own."""
    rule = ruled(0.0, 1.6)
    rule[:, np.arange(ACROSS) // 7 % 2 == 0] *= np.float32(0.6)
    dark, letters = lettered(rule)
    soft = cv2.dilate(letters.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0

    to, by = traced(rule, dark).redrawn(letters, soft, letters) or pytest.fail("not redrawn")

    after = np.where(soft, np.float32(0), dark)
    after[to] = dark[by]
    beside = soft & (cv2.dilate(letters.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    assert (beside & (rule > 0.2)).sum() > 10
    assert np.abs(after - rule)[beside & (rule > 0.2)].max() < 0.01
