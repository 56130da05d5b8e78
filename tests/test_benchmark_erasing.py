"""Erasing leaves no ink of a value and damages no other, on the benchmark's forms of known ink."""

from itertools import product

import numpy as np
import pytest

pytest.importorskip("cv2", reason="the extra [image] brings OpenCV")

from benchmarks.imaging_erasing import OFF, RULES, erased, form_of
from presidio_cdip.imaging.painting.replacing import Replacer

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize(
    ("rule", "off"),
    [
        pytest.param(
            rule, off, marks=() if rule == "line" or off == "too low" else pytest.mark.slow
        )
        for rule, off in product(RULES, OFF)
    ],
)
def test_poor_box_leaves_nothing_and_damages_nothing(rule: str, off: str) -> None:
    """OCR's box may be off by a third; lines above and below, rules and boxes stay."""
    form = form_of("Hagley Pgymst", "serif-times", 32, rule, 1.3, off)

    found = erased(form)

    assert (found.left, found.damaged, found.outside) == (0, 0, 0)


@pytest.mark.parametrize(
    ("face", "scan"),
    [*product(("typewriter-prime", "sans-swiss-italic"), ("grey", "bilevel", "jpeg"))],
)
def test_every_kind_of_page(face: str, scan: str) -> None:
    """Typed or printed, black and white or compressed: close lines and the rule stay."""
    form = form_of("(216) 555-0142", face, 22, "line", 1.0, "too low", scan)

    found = erased(form)

    assert (found.left, found.outside) == (0, 0)
    assert not found.harmed


def test_rule_through_letters_is_whole_again() -> None:
    """Where descenders crossed it, it is as thick and dark as elsewhere."""
    form = form_of("Pgyjq", "serif-times", 46, "through", 1.3, "as it is")
    before = np.asarray(form.image).astype(int)
    worker = Replacer(form.image, form.layout, (), None)

    worker.erase(form.finding)

    left, top, right, bottom = form.finding.boxes[0]
    part = np.asarray(worker.image).astype(int)[top : bottom + 10, left:right]
    assert (before[top : bottom + 10, left:right] < 110).any(axis=1).sum() > 30
    assert {int(count) for count in (part < 110).sum(axis=0)} == {3}
