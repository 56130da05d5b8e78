"""Pages drawn for the tests, in a face that every installation with the image extra has."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

Placed = tuple[int, int, str]
"""Left and top in pixels, and what is written there."""


@lru_cache
def face(size: int = 30, name: str = "DejaVuSans") -> ImageFont.FreeTypeFont:
    """A face that travels with matplotlib."""
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / f"fonts/ttf/{name}.ttf", size)


def page(
    texts: Iterable[Placed], size: tuple[int, int] = (1000, 300), points: int = 30
) -> Image.Image:
    """A white page in grey levels with *texts* on it."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for left, top, text in texts:
        draw.text((left, top), text, font=face(points), fill=0)
    return image


def speckled(image: Image.Image, share: float = 0.002, seed: int = 0) -> Image.Image:
    """The page with that share of its pixels black."""
    pixels = np.array(image)
    pixels[np.random.default_rng(seed).random(pixels.shape) < share] = 0
    return Image.fromarray(pixels)
