"""The faces that page images are painted in."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from presidio_cdip.errors import FontsMissing

FONTS = Path(__file__).parents[1] / "fonts"
"""The shipped ones; its README says where they come from."""


DRAWABLE = frozenset(
    chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x100))
) | frozenset("–—‘’“”„•…†‡€™ŒœŠšŽžŸıŁł")
"""The characters that a shipped face is cut to."""


@dataclass(frozen=True, slots=True)
class Face:
    """A typeface in one weight and slant.

    Attributes:
        name: Of the file, without its suffix.
        family: ``typewriter``, ``serif`` or ``sans``.
        weight: ``regular`` or ``bold``.
        slant: ``upright`` or ``italic``.
        file: The font.
        lacks: Those of `DRAWABLE` that it has no glyph for.
    """

    name: str
    family: str
    weight: str
    slant: str
    file: Path
    lacks: frozenset[str] = frozenset()

    def draws(self, text: str) -> bool:
        """Whether it has a glyph for every character of *text*."""
        return set(text) <= DRAWABLE and self.lacks.isdisjoint(text)

    @property
    def typeface(self) -> str:
        """What all weights and slants of it are called."""
        return re.sub("(-bold|-italic)+$", "", self.name)

    @property
    def fixed(self) -> bool:
        """Whether all letters are of one width, as on a typewriter."""
        return self.family == "typewriter"


@lru_cache(maxsize=4)
def faces(folder: Path = FONTS) -> tuple[Face, ...]:
    """The faces of *folder*, which its ``faces.json`` lists.

    Raises:
        FontsMissing: There is no such folder or list, it names no face, or a file is missing.
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
