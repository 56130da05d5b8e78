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

    assert (leaders_of(ink) == ink).all()
    assert (leaders_of(both) == line).all()


def test_full_stops_are_letters() -> None:
    """Few dots, and dots at uneven distances, stay."""
    ink = page()
    dotted(ink, 60, right=100 + 9 * 6)
    for x in (300, 316, 350, 361, 402, 429, 471, 480, 533, 561, 577, 640):
        cv2.circle(ink, (x, 120), 1, 255, -1)

    assert not leaders_of(ink).any()


def test_raster_is_no_line() -> None:
    """Rows of dots close above each other are a shade of grey."""
    ink = page()
    for y in range(40, 120, 9):
        dotted(ink, y)

    assert not leaders_of(ink).any()


def test_blank_page_has_none() -> None:
    """Nor has one with a single letter."""
    ink = page()
    assert not leaders_of(ink).any()
    cv2.putText(ink, "S", (305, 78), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 255, 3)
    assert not leaders_of(ink).any()
