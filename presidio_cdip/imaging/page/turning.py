"""Rotate pages by quarter turns, and map boxes back to the page before rotation."""

import re
import subprocess
from collections.abc import Iterable

from PIL import Image
from pytesseract import pytesseract

from presidio_cdip.imaging.page import program
from presidio_cdip.imaging.page.clean import grey
from presidio_cdip.imaging.words import Box

_WAYS = (
    None,
    Image.Transpose.ROTATE_90,
    Image.Transpose.ROTATE_180,
    Image.Transpose.ROTATE_270,
)


def turned(image: Image.Image, turns: int) -> Image.Image:
    """Return *image* rotated by *turns* quarter turns counter-clockwise, without resampling."""
    way = _WAYS[turns % 4]
    return image if way is None else image.transpose(way)


def boxes_back(boxes: Iterable[Box], turns: int, size: tuple[int, int]) -> tuple[Box, ...]:
    """Map boxes of a rotated page to the page before rotation.

    Args:
        boxes: In pixels of the rotated page.
        turns: Quarter turns counter-clockwise.
        size: Width and height of the page before rotation.

    >>> boxes_back([Box(0, 0, 2, 1)], 1, (10, 20))
    (Box(left=9, top=0, right=10, bottom=2),)
    """
    width, height = size
    found = []
    for left, top, right, bottom in boxes:
        found.append(
            (
                Box(left, top, right, bottom),
                Box(width - bottom, left, width - top, right),
                Box(width - right, height - bottom, width - left, height - top),
                Box(top, height - right, bottom, height - left),
            )[turns % 4]
        )
    return tuple(found)


def turns_to_try(image: Image.Image) -> list[int]:
    """Return the quarter turns 1 to 3 in the order in which to try them.

    The turn that Tesseract's orientation and script detection reports is first. If it is not
    installed or reports none, a half turn is first.
    """
    page = grey(image)
    height, width = page.shape
    try:
        command = [pytesseract.tesseract_cmd, "stdin", "stdout", "--psm", "0", "--dpi", "200"]
        run = program.run(command, b"P5 %d %d 255\n" % (width, height) + page.tobytes(), 60)
    except (OSError, subprocess.TimeoutExpired):
        return [2, 1, 3]
    said = re.search(rb"Orientation in degrees: (\d+)", run.stdout)
    likely = int(said[1]) // 90 % 4 if said else 0
    return sorted((2, 1, 3), key=lambda turns: turns != likely)
