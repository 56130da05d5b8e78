"""Dotted lines are lines; full stops and rasters of dots are not."""

import cv2
import numpy as np

from presidio_cdip.imaging.page.leaders import leaders_of


def page() -> np.ndarray:
    """A page without ink."""
    return np.zeros((200, 900), np.uint8)


def dotted(ink: np.ndarray, y: int, left: int = 100, right: int = 800, pitch: int = 9) -> None:
    """Draw a line of dots."""
    for x in range(left, right, pitch):
        cv2.circle(ink, (x, y), 1, 255, -1)


def test_dots_of_a_line_are_found() -> None:
    """All of them, also on both sides of what was filled in."""
    ink = page()
    dotted(ink, 80)
    line = ink.copy()
    line[:, 300:480] = 0
    both = line.copy()
    cv2.putText(both, "Salem", (305, 78), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 255, 3)

    assert (leaders_of(ink).mask == ink).all()
    assert (leaders_of(both).mask == line).all()


def test_specks_do_not_divide_a_line() -> None:
    """Dust between the dots, above and below them is neither part of the line nor its end."""
    ink = page()
    dotted(ink, 80)
    line = ink.copy()
    rng = np.random.default_rng(1)
    for x, y in zip(rng.integers(100, 800, 60), rng.integers(60, 100, 60), strict=True):
        ink[y, x] = 255

    found = leaders_of(ink)

    assert len(found.lines) == 1
    assert (found.mask[line > 0] == 255).all()


def test_dots_in_letters_are_hidden() -> None:
    """They are between the others and beside the ends, where ink covers them."""
    ink = page()
    dotted(ink, 80)
    ink[70:90, 205:240] = 255  # over four dots
    ink[70:90, 785:800] = 255  # over the last two
    (line,) = leaders_of(ink).lines

    hidden = list(line.hidden(ink > 0))

    assert [round(x) for x, _ in hidden] == [208, 217, 226, 235, 784, 793]
    assert {round(y) for _, y in hidden} == {80}
    assert not list(line.hidden(np.zeros(ink.shape, np.bool_)))


def test_full_stops_are_letters() -> None:
    """Few dots, and dots at uneven distances, stay."""
    ink = page()
    dotted(ink, 60, right=100 + 9 * 6)
    for x in (300, 316, 350, 361, 402, 429, 471, 480, 533, 561, 577, 640):
        cv2.circle(ink, (x, 120), 1, 255, -1)

    assert not leaders_of(ink).mask.any()


def test_raster_is_no_line() -> None:
    """Rows of dots close above each other are a shade of grey."""
    ink = page()
    for y in range(40, 120, 9):
        dotted(ink, y)

    assert not leaders_of(ink).mask.any()


def test_blank_page_has_none() -> None:
    """Nor has one with a single letter."""
    ink = page()
    assert not leaders_of(ink).mask.any()
    cv2.putText(ink, "S", (305, 78), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 255, 3)
    assert not leaders_of(ink).mask.any()
