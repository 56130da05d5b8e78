"""Define the records of the glyphs of a page."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pikepdf

from presidio_cdip.documents.pdf.files import TooLarge
from presidio_cdip.documents.pdf.fonts import Font
from presidio_cdip.documents.pdf.geometry import Matrix, Rectangle
from presidio_cdip.documents.pdf.rules import Rule
from presidio_cdip.documents.pdf.shapes import Shape

Path = tuple[int, ...]
"""The instructions that lead to a stream: () is the page's, (7,) that of the form its 8th draws."""

CODED = frozenset(["/Lang", "/ID", "/O", "/M", "/CreationDate"])
"""The keys of the properties of marked content whose strings are no text."""


class Glyph(NamedTuple):
    """A glyph that an operator shows.

    Attributes:
        text: Its letters.
        raw: Its code.
        item: Which of the operands' strings and numbers holds it.
        at: Where it begins, in text space from where the operator began.
        width: Its advance there, without spacing.
    """

    text: str
    raw: bytes
    item: int
    at: float
    width: float


@dataclass(frozen=True, slots=True)
class TextState:
    """The text state that operators set; spaces are in text space.

    What lies outside of *clip*, a rectangle of the page as it is displayed, is not seen.
    """

    font: Font | None = None
    font_name: str = ""
    size: float = 0.0
    character_space: float = 0.0
    word_space: float = 0.0
    scale: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    render: int = 0
    clip: Rectangle | None = None


@dataclass(slots=True)
class Show:
    """An operator that shows text.

    Attributes:
        path: Which stream it stands in.
        index: Which instruction of the stream it is.
        state: What was set for it.
        matrix: From text space, from where it begins, to the page as it is displayed.
        moved: The instruction that set where it begins, if no text was shown since then.
        glyphs: What it shows.
        advance: How far it moves, in text space.
        tags: The marked contents it stands in, as instructions of its stream.
    """

    path: Path
    index: int
    state: TextState
    matrix: Matrix
    moved: int | None
    glyphs: list[Glyph]
    advance: float
    tags: tuple[int, ...] = ()

    def point(self, at: float, above: float = 0.0) -> tuple[float, float]:
        """Return the point of the page *at* that distance along the text, *above* its baseline."""
        a, b, c, d, e, f = self.matrix
        y = above + self.state.rise
        return a * at + c * y + e, b * at + d * y + f


@dataclass(slots=True)
class Reading:
    """The record of a walk over a page.

    Attributes:
        shows: The operators that show text, in the order in which they are drawn.
        problems: Why the page cannot be rewritten.
        images: For each picture drawn, the matrix from the unit square to the page.
        curves: How many curves are drawn.
        rules: The straight lines, as far as they are horizontal or vertical.
        shapes: The small shapes that are filled.
        properties: The texts in the properties of marked content: by path, instruction and key.
        around: For the path of a form, the marked contents that it is drawn in.
        optional: Whether something on the page belongs to a layer.
    """

    shows: list[Show] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)
    images: list[Matrix] = field(default_factory=list)
    curves: int = 0
    rules: list[Rule] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    properties: dict[tuple[Path, int, str], str] = field(default_factory=dict)
    around: dict[Path, list[tuple[Path, int]]] = field(default_factory=dict)
    optional: bool = False

    def tags_of(self, show: Show) -> list[tuple[Path, int]]:
        """Return the marked contents that *show* stands in: path and instruction of each."""
        return [(show.path, one) for one in show.tags] + self.around.get(show.path, [])


class Fonts:
    """The fonts of a document, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int], Font | None] = {}

    def of(self, spec: Any) -> Font | None:
        """Return the font of a dictionary, or None if it cannot be read."""
        key = spec.objgen if isinstance(spec, pikepdf.Object) else (0, 0)
        if key[0] and key in self._read:
            return self._read[key]
        try:
            font: Font | None = Font(spec)
        except (
            TooLarge,
            pikepdf.PdfError,
            KeyError,
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
        ):
            font = None
        if key[0]:
            self._read[key] = font
        return font
