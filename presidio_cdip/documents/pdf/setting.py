"""Set new text: choose its font, measure it, and fit it into the space there is."""

import math
from dataclasses import dataclass, replace

from presidio_cdip.documents.pdf.faces import Face, Faces
from presidio_cdip.documents.pdf.fonts import Code, x_height_of
from presidio_cdip.documents.pdf.glyphs import TextState

NARROW = 0.92  # of the usual width: before lines become longer than others
NARROWEST = 0.8  # of the usual width; beyond that the size is reduced
SMALLEST = 0.4  # of the usual size
_BLANK = 0.27  # of the size: the width of a blank in fonts without one
_GROWN = 0.15  # of the size: how far another face may be scaled to look as large
_BAR = 1.5  # of the size: bars are so many times that wide, and at least twice as many


@dataclass(frozen=True, slots=True)
class Setting:
    """New text as it is set.

    Attributes:
        codes: Its codes; a number is a blank that no glyph shows, in units of the font size.
        face: Its face; None for the font of the text it replaces.
        width: Its width, in text space, without spacing after the last letter.
        stretch: Its horizontal scaling.
        shrink: The scaling of its size.
        grown: The part of that which makes its small letters as high as those of the old text.
    """

    codes: tuple[Code | float, ...]
    face: Face | None
    width: float
    stretch: float = 1.0
    shrink: float = 1.0
    grown: float = 1.0

    def fitted(self, stretch: float, shrink: float) -> "Setting":
        """Return the text scaled horizontally, and in a smaller size."""
        width = self.width * stretch * shrink
        return replace(self, width=width, stretch=stretch, shrink=shrink * self.grown)


def set_text(text: str, state: TextState, faces: Faces) -> Setting:
    """Set *text* in the font of *state*, or, where that lacks letters, in the nearest face."""
    text = " ".join(text.split())
    face: Face | None = None
    codes = _own(text, state)
    if codes is None:
        assert state.font is not None
        face, found = faces.for_text(text, state.font.traits)
        codes = tuple(found)
    grown = 1.0 if face is None else _grown(face, state)
    return Setting(codes, face, grown * abs(width_of(codes, state)), grown=grown)


def _grown(face: Face, state: TextState) -> float:
    """Return by how much to scale *face*, so that it looks as large as the font of *state*."""
    assert state.font is not None
    own = state.font.x_height or x_height_of(state.font.name)
    if not own or not face.x_height:
        return 1.0
    return min(1 + _GROWN, max(1 - _GROWN, own / face.x_height))


def set_bar(width: float, state: TextState) -> Setting:
    """Return a blank for a bar over text that was *width* wide, in text space.

    Its width is rounded, so that it does not tell the letters.
    """
    unit = _BAR * abs(state.size * state.scale) or 1.0
    wide = unit * max(2, math.ceil(width / unit))
    return Setting((wide / abs(state.size * state.scale or 1.0),), None, wide)


def width_of(codes: tuple[Code | float, ...], state: TextState) -> float:
    """Return the width of *codes* in text space, without spacing after the last."""
    width = 0.0
    for number, one in enumerate(codes):
        if isinstance(one, float):
            width += one * state.size
            continue
        width += one.width * state.size
        if number + 1 < len(codes):
            width += state.character_space
        if one.raw == b" ":
            width += state.word_space
    return width * state.scale


def _own(text: str, state: TextState) -> tuple[Code | float, ...] | None:
    assert state.font is not None
    found: list[Code | float] = []
    for word in text.split(" "):
        codes = state.font.encode(word)
        if codes is None:
            return None
        if found:
            blank = state.font.encode(" ")
            found.append(blank[0] if blank and blank[0].width else _BLANK)
        found += codes
    return tuple(found)
