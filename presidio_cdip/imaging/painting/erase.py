"""Fill boxes with one colour, in any image mode."""

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageColor, ImageDraw

from presidio_cdip.imaging.words import Box

Colour = str | tuple[int, int, int]
"""A colour name of Pillow, such as "black" or "#c0c0c0", or red, green and blue in [0, 255]."""


def fill(image: Image.Image, boxes: Iterable[Box], colour: Colour = "black") -> Image.Image:
    """Return a copy of *image* with *boxes* filled; all other pixels are unchanged.

    Args:
        image: A page of any Pillow mode.
        boxes: In pixels, clipped to the page; a box without area has no effect.
        colour: The nearest colour of the image's mode is used: black or white on a bilevel page,
            an entry of the palette, a grey level. It is opaque.

    Raises:
        ValueError: Pillow does not know the colour.
    """
    erased = image.copy()
    value = _value(image, ImageColor.getrgb(colour)[:3] if isinstance(colour, str) else colour)
    draw = ImageDraw.Draw(erased)
    for box in boxes:
        left, top, right, bottom = box.clipped(image.size)
        if left < right and top < bottom:
            draw.rectangle((left, top, right - 1, bottom - 1), fill=value)
    return erased


def _value(image: Image.Image, rgb: tuple[int, ...]) -> int | float | tuple[int, ...]:
    """Return the pixel value of the image's mode that is nearest to the colour."""
    mode = image.mode
    grey = Image.new("RGB", (1, 1), rgb).convert("L").getpixel((0, 0))
    assert isinstance(grey, int)
    if mode == "1":
        return 255 if grey > 127 else 0
    if mode in ("P", "PA"):
        index = _palette_index(image, rgb)
        return index if mode == "P" else (index, 255)
    if mode.startswith("I;16"):
        return grey * 257
    if mode in ("I", "F"):
        low, high = (float(end) for end in image.getextrema())
        level = min(low, 0.0) + grey / 255 * (max(high, 0.0) - min(low, 0.0))
        return int(level) if mode == "I" else level
    if mode == "CMYK":
        # Pillow converts black to three inks without the black channel.
        return (*(255 - part for part in rgb), 0) if any(rgb) else (0, 0, 0, 255)
    if mode == "La":
        return (grey, 255)
    pixel = Image.new("RGB", (1, 1), rgb).convert(mode).getpixel((0, 0))
    assert pixel is not None
    return pixel


def _palette_index(image: Image.Image, rgb: tuple[int, ...]) -> int:
    palette = np.array(image.getpalette("RGB"), dtype=np.int64).reshape(-1, 3)
    distance = ((palette - np.array(rgb)) ** 2).sum(axis=1)
    see_through = image.info.get("transparency")
    if isinstance(see_through, int):
        distance[see_through] = np.iinfo(np.int64).max
    elif isinstance(see_through, bytes):
        for index, alpha in enumerate(see_through[: len(distance)]):
            if alpha < 255:
                distance[index] = np.iinfo(np.int64).max
    return int(distance.argmin())
