"""List the typefaces that surrogates are painted in."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from presidio_cdip.errors import FontsMissing

FONTS = Path(__file__).parents[1] / "fonts"
"""The folder of the shipped typefaces; its README names their sources."""


DRAWABLE = frozenset(
    chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x100))
) | frozenset("–—‘’“”„•…†‡€™ŒœŠšŽžŸıŁł")
"""The characters that the shipped font files are subset to."""


@dataclass(frozen=True, slots=True)
class Face:
    """Represent a typeface in one weight and slant.

    Attributes:
        name: The name of the file, without its suffix.
        family: ``typewriter``, ``serif`` or ``sans``.
        weight: ``regular`` or ``bold``.
        slant: ``upright`` or ``italic``.
        file: The font file.
        lacks: The characters of `DRAWABLE` without a glyph.
    """

    name: str
    family: str
    weight: str
    slant: str
    file: Path
    lacks: frozenset[str] = frozenset()

    def draws(self, text: str) -> bool:
        """Check that the font has a glyph for every character of *text*."""
        return set(text) <= DRAWABLE and self.lacks.isdisjoint(text)

    @property
    def typeface(self) -> str:
        """Return the name without weight and slant."""
        return re.sub("(-bold|-italic)+$", "", self.name)

    @property
    def fixed(self) -> bool:
        """Check that all advance widths are equal, as on a typewriter."""
        return self.family == "typewriter"


@lru_cache(maxsize=4)
def faces(folder: Path = FONTS) -> tuple[Face, ...]:
    """Return the typefaces of *folder* that its ``faces.json`` lists.

    Raises:
        FontsMissing: The folder, the list or a font file is missing or invalid, or the list is
            empty.
    """
    index = folder / "faces.json"
    try:
        rows = json.loads(index.read_text("utf-8"))["faces"]
        found = [
            (row["name"], row["family"], row["weight"], row["slant"], row.get("lacks", ""))
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FontsMissing(folder, f"faces.json: {type(error).__name__}") from None
    files = {file.stem: file for file in folder.iterdir() if file.suffix in (".ttf", ".otf")}
    if missing := [name for name, *_ in found if name not in files]:
        raise FontsMissing(folder, f"no file of {missing[0]}")
    for name, *_ in found:
        try:
            ImageFont.truetype(str(files[name]), 16)
        except OSError:
            raise FontsMissing(folder, f"{files[name].name} is no font") from None
    if not found:
        raise FontsMissing(folder, "faces.json lists none")
    return tuple(
        Face(name, family, weight, slant, files[name], frozenset(lacks))
        for name, family, weight, slant, lacks in found
    )
