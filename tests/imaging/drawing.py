"""Draw pages for the tests, in faces that every installation with the image extra has."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from presidio_cdip.imaging.style.faces import Face, faces
from presidio_cdip.imaging.style.rendering import Scan, drawn, laid
from presidio_cdip.imaging.words import Box, Word

Placed = tuple[int, int, str]
"""Left and top in pixels, and what is written there."""

PROSE: list[Placed] = [
    (40, 60, "The undersigned was examined on Tuesday morning and found"),
    (40, 110, "to suffer from recurrent fever; treatment will begin"),
    (40, 160, "when her family physician returns from William Street."),
]
"""Enough words beside each other to tell their typeface."""


@lru_cache
def face(size: int = 30, name: str = "DejaVuSans") -> ImageFont.FreeTypeFont:
    """Return a face that matplotlib includes."""
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / f"fonts/ttf/{name}.ttf", size)


def page(
    texts: Iterable[Placed], size: tuple[int, int] = (1000, 300), points: int = 30
) -> Image.Image:
    """Return a white page in grey levels with *texts* on it."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for left, top, text in texts:
        draw.text((left, top), text, font=face(points), fill=0)
    return image


def speckled(image: Image.Image, share: float = 0.002, seed: int = 0) -> Image.Image:
    """Return the page with that share of its pixels black."""
    pixels = np.array(image)
    pixels[np.random.default_rng(seed).random(pixels.shape) < share] = 0
    return Image.fromarray(pixels)


def shipped(name: str) -> Face:
    """Return the shipped face of that name."""
    return next(one for one in faces() if one.name == name)


SCANNER = Scan(0.6, 0.45, 2.5)
"""What `typeset` scans with."""


def typeset(
    texts: Iterable[Placed],
    name: str = "typewriter-prime",
    em: float = 28.0,
    size: tuple[int, int] = (700, 160),
    paper: float = 236.0,
    grain: float = 3.0,
    ink: float = 40.0,
) -> tuple[Image.Image, list[Word]]:
    """Return a scanned page in a shipped face, and its words as a perfect OCR would box them.

    Args:
        texts: The left edge, the baseline and the text of each line.
        name: The face.
        em: Size of the em in pixels.
        size: Width and height of the page.
        paper: Brightness of the paper.
        grain: Standard deviation of the brightness of the paper.
        ink: The brightness of full ink.
    """
    file, matrix = shipped(name).file, np.diag([em, em])
    dark = np.zeros(size[::-1], np.float32)
    words = []
    for line, (left, baseline, text) in enumerate(texts):
        whole = drawn(file, text)
        dark = np.maximum(dark, SCANNER.of(laid(whole, matrix, (left, baseline), size)))
        for match in re.finditer(r"\S+", text):
            edges = drawn(file, match[0]).ink
            pen = left + em * whole.pens[match.start()]
            box = Box(
                round(pen + em * edges[0]),
                round(baseline + em * edges[1]),
                round(pen + em * edges[2]),
                round(baseline + em * edges[3]),
            )
            words.append(Word(match[0], box, 95.0, line=line))
    light = paper + np.random.default_rng(0).normal(0, grain, dark.shape)
    pixels = light + (ink - light) * dark
    return Image.fromarray(pixels.clip(0, 255).round().astype(np.uint8)), words


def scribbled(size: tuple[int, int] = (120, 40)) -> Image.Image:
    """Draw a stroke of a pen that no face has."""
    image = Image.new("L", size, 236)
    across = np.linspace(0, 1, 60)
    down = 0.5 + 0.4 * np.sin(17 * across) * np.cos(5 * across)
    points = np.stack([6 + across * (size[0] - 12), 2 + down * (size[1] - 4)], axis=1)
    ImageDraw.Draw(image).line([tuple(point) for point in points.tolist()], 40, 3)
    return image
