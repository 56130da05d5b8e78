"""Define glyphs as they stand on lines: along their direction of writing, and across it."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from presidio_cdip.documents.pdf.glyphs import Show

Ref = tuple[int, int]
"""A glyph: the number of its operator on the page, and its number there."""


class Piece(NamedTuple):
    """A glyph on the page: u along its direction of writing, v across, downwards."""

    u0: float
    u1: float
    v: float
    size: float
    text: str
    ref: Ref
    spacing: float


@dataclass(slots=True)
class Run:
    """Glyphs that were drawn one after another on one line."""

    pieces: list[Piece]
    u0: float = 0.0
    u1: float = 0.0
    v: float = 0.0
    size: float = 0.0

    def measured(self) -> "Run":
        """Set the extent, without blanks at its ends."""
        inked = [one for one in self.pieces if one.text.strip()] or self.pieces
        self.u0, self.u1 = min(one.u0 for one in inked), max(one.u1 for one in inked)
        self.v = inked[0].v
        self.size = max(one.size for one in inked)
        return self

    @property
    def text(self) -> str:
        """Return the letters, without blanks that no glyph shows."""
        return "".join(one.text for one in self.pieces)


def pieces_of(number: int, show: Show) -> tuple[int, list[Piece]]:
    """Return the direction of what an operator shows, in degrees, and its glyphs."""
    a, b, c, d, _, _ = show.matrix
    sign = -1.0 if show.state.size * show.state.scale < 0 else 1.0
    along = math.hypot(a, b)
    angle = math.atan2(b * sign, a * sign)
    degrees = round(math.degrees(angle)) % 360
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = show.point(0.0)
    u, v = x * cos + y * sin, y * cos - x * sin
    size = max(abs(show.state.size) * math.hypot(c, d), 0.1)
    spacing = max(0.0, show.state.character_space * abs(show.state.scale) * along)
    step = along * sign
    pieces = []
    for at, one in enumerate(show.glyphs):
        u0 = u + step * one.at
        u1 = u0 + step * one.width
        pieces.append(Piece(u0, u1, v, size, one.text, (number, at), spacing))
    return degrees, pieces
