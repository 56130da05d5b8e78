"""Walk the content streams of a page, and record the glyphs of every operator that shows text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pikepdf

from presidio_cdip.documents.pdf.files import TooLarge, decoded
from presidio_cdip.documents.pdf.fonts import Font

Matrix = tuple[float, float, float, float, float, float]
Path = tuple[int, ...]
"""The instructions that lead to a stream: () is the page's, (7,) that of the form its 8th draws."""

MOST_GLYPHS = 200_000
MOST_BYTES = 5_000_000  # of the streams of a page; parsed, they take 80 times that much memory
_DEEPEST = 12
_DAMAGED = (pikepdf.PdfError, RuntimeError, ValueError, TypeError)
Rectangle = tuple[float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


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
    """What operators set for those that show text; spaces are in text space.

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
    """What a walk over a page recorded.

    Attributes:
        shows: The operators that show text, in the order in which they are drawn.
        problems: Why the page cannot be rewritten.
        images: For each picture drawn, the matrix from the unit square to the page.
        curves: How many curves are drawn.
        properties: The texts in the properties of marked content: by path, instruction and key.
        around: For the path of a form, the marked contents that it is drawn in.
        optional: Whether something on the page belongs to a layer.
    """

    shows: list[Show] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)
    images: list[Matrix] = field(default_factory=list)
    curves: int = 0
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


def product(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies *first*, then *second*."""
    a, b, c, d, e, f = first
    g, h, i, j, k, l = second  # noqa: E741 - as the PDF standard names them
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    )


def shifted(matrix: Matrix, x: float, y: float = 0.0) -> Matrix:
    """Return *matrix* after a step of (x, y) in its own space."""
    a, b, c, d, e, f = matrix
    return a, b, c, d, a * x + c * y + e, b * x + d * y + f


def clipped(
    clip: Rectangle | None, matrix: Matrix, x0: float, y0: float, x1: float, y1: float
) -> Rectangle:
    """Return what is left of *clip* in the rectangle between two corners."""
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (x0, x1) for y in (y0, y1)]
    across, down = zip(*corners, strict=True)
    new = min(across), min(down), max(across), max(down)
    if clip is None:
        return new
    return max(clip[0], new[0]), max(clip[1], new[1]), min(clip[2], new[2]), min(clip[3], new[3])


def displayed(page: Any) -> tuple[Matrix, float, float]:
    """Return the matrix from a page's space to the page as displayed, and its width and height.

    There the origin is top left, and y points down.
    """
    left, bottom, right, top = _box(page)
    turn = int(inherited(page, "/Rotate") or 0) % 360
    width, height = right - left, top - bottom
    if turn == 90:
        return (0.0, 1.0, 1.0, 0.0, -bottom, -left), height, width
    if turn == 180:
        return (-1.0, 0.0, 0.0, 1.0, right, -bottom), width, height
    if turn == 270:
        return (0.0, -1.0, -1.0, 0.0, top, right), height, width
    return (1.0, 0.0, 0.0, -1.0, -left, top), width, height


def inherited(page: Any, key: str) -> Any:
    """Return an entry of a page, or of the nearest node of the page tree that has it."""
    node = page.obj
    for _ in range(64):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def _box(page: Any) -> tuple[float, float, float, float]:
    boxes = []
    for given in (page.mediabox, page.cropbox):
        x0, y0, x1, y1 = (float(one) for one in given)
        boxes.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    (a, b, c, d), (e, f, g, h) = boxes
    cut = max(a, e), max(b, f), min(c, g), min(d, h)
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else boxes[0]


def read(page: Any, fonts: Fonts) -> Reading:
    """Walk the streams of a `pikepdf.Page`."""
    walk = _Walk(fonts, page)
    walk.page()
    return walk.reading


class _Walk:
    """The state of a walk."""

    def __init__(self, fonts: Fonts, page: Any) -> None:
        self.reading = Reading()
        self._fonts = fonts
        self._page = page
        self._glyphs = 0
        self._bytes = 0
        self._parsed: dict[tuple[int, int], list[Any]] = {}
        self._active: list[tuple[int, int]] = []

    def page(self) -> None:
        if "/Contents" not in self._page.obj:
            return
        matrix, _, _ = displayed(self._page)
        resources = inherited(self._page, "/Resources")
        if not isinstance(resources, pikepdf.Dictionary):
            resources = pikepdf.Dictionary()
        self.stream(self._page.obj, resources, (), matrix, TextState())

    def problem(self, what: str) -> None:
        self.reading.problems[what] = None

    def stream(
        self, owner: Any, resources: Any, path: Path, matrix: Matrix, state: TextState
    ) -> None:
        instructions = self.instructions(owner)
        if instructions is not None:
            _Stream(self, resources, path, matrix, state).run(instructions)

    def instructions(self, owner: Any) -> list[Any] | None:
        key = owner.objgen
        if key in self._parsed:
            return self._parsed[key]
        try:
            self._bytes += size_of(owner, MOST_BYTES - self._bytes)
            found = list(pikepdf.parse_content_stream(owner))
        except TooLarge:
            self.problem("content streams that are too large")
            return None
        except _DAMAGED:
            self.problem("a content stream that does not decode")
            return None
        if key[0]:
            self._parsed[key] = found
        return found

    def font(self, resources: Any, name: str) -> Font | None:
        spec = resources.get("/Font", {}).get(name)
        font = self._fonts.of(spec) if isinstance(spec, pikepdf.Dictionary) else None
        return font

    def form(self, form: Any, resources: Any, path: Path, matrix: Matrix, state: TextState) -> None:
        key = form.objgen
        if len(path) > _DEEPEST or key in self._active:
            self.problem("forms within each other without end")
            return
        self._active.append(key)
        given = form.get("/Matrix")
        if isinstance(given, pikepdf.Array) and len(given) == 6:
            matrix = product(_matrix(given), matrix)
        box = form.get("/BBox")
        if isinstance(box, pikepdf.Array) and len(box) == 4:
            x0, y0, x1, y1 = (float(one) for one in box)
            state = replace(state, clip=clipped(state.clip, matrix, x0, y0, x1, y1))
        self.stream(form, form.get("/Resources", resources), path, matrix, state)
        self._active.pop()

    def count(self, glyphs: int) -> None:
        self._glyphs += glyphs
        if self._glyphs > MOST_GLYPHS:
            raise TooManyGlyphs


class TooManyGlyphs(Exception):
    """A page shows more glyphs than are read."""


def size_of(owner: Any, most: int) -> int:
    """Return how many bytes the content of a page or form unpacks to.

    Raises:
        TooLarge: They are more than *most*.
        pikepdf.PdfError: They do not decode.
    """
    if isinstance(owner, pikepdf.Stream):
        return len(decoded(owner, most))
    contents = owner.get("/Contents")
    streams = contents if isinstance(contents, pikepdf.Array) else [contents]
    size = 0
    for stream in streams:
        if isinstance(stream, pikepdf.Stream):
            size += len(decoded(stream, most - size))
    return size


@dataclass(slots=True)
class _Stream:
    """The state of a walk within one stream."""

    walk: _Walk
    resources: Any
    path: Path
    matrix: Matrix
    state: TextState
    line: Matrix = IDENTITY
    text: Matrix = IDENTITY
    moved: int | None = None
    index: int = 0
    saved: list[tuple[Matrix, TextState]] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    rectangle: Rectangle | None = None
    clips: bool = False

    def run(self, instructions: Sequence[Any]) -> None:
        for self.index, instruction in enumerate(instructions):
            name = str(instruction.operator)
            act = _OPERATORS.get(name)
            if act is None:
                continue
            try:
                act(self, instruction.operands)
            except pikepdf.PdfError:
                self.walk.problem("a content stream that does not decode")
            except (IndexError, TypeError, ValueError, KeyError, AttributeError, OverflowError):
                if name in _SHOWING:
                    self.walk.problem("an operator that cannot be read")
            except TooManyGlyphs:
                self.walk.problem(f"more than {MOST_GLYPHS:,} glyphs")
                return

    def change(self, **values: Any) -> None:
        self.state = replace(self.state, **values)

    def save(self, _: Any) -> None:
        self.saved.append((self.matrix, self.state))

    def restore(self, _: Any) -> None:
        if self.saved:
            self.matrix, self.state = self.saved.pop()

    def concatenate(self, operands: Any) -> None:
        self.matrix = product(_matrix(operands), self.matrix)

    def begin(self, _: Any) -> None:
        self.place(IDENTITY)

    def place(self, matrix: Matrix) -> None:
        self.line = self.text = matrix
        self.moved = self.index

    def set_matrix(self, operands: Any) -> None:
        self.place(_matrix(operands))

    def move(self, operands: Any) -> None:
        self.place(shifted(self.line, float(operands[0]), float(operands[1])))

    def move_and_lead(self, operands: Any) -> None:
        self.change(leading=-float(operands[1]))
        self.move(operands)

    def next_line(self, _: Any) -> None:
        self.place(shifted(self.line, 0.0, -self.state.leading))

    def set_font(self, operands: Any) -> None:
        name = str(operands[0])
        font = self.walk.font(self.resources, name)
        self.change(font=font, font_name=name, size=float(operands[1]))

    def set_graphics(self, operands: Any) -> None:
        state = self.resources.get("/ExtGState", {}).get(str(operands[0]))
        given = state.get("/Font") if state is not None else None
        if given is not None:
            self.walk.problem("a font set by a graphics state")
        mask = state.get("/SMask") if state is not None else None
        if isinstance(mask, pikepdf.Dictionary) and shows_text(mask.get("/G")):
            self.walk.problem("text in a soft mask")

    def set_pattern(self, operands: Any) -> None:
        if not len(operands) or not isinstance(operands[-1], pikepdf.Name):
            return
        pattern = self.resources.get("/Pattern", {}).get(str(operands[-1]))
        if isinstance(pattern, pikepdf.Stream) and shows_text(pattern):
            self.walk.problem("text in a pattern")

    def show(self, operands: Any) -> None:
        self.show_items([operands[0]])

    def show_array(self, operands: Any) -> None:
        self.show_items(list(operands[0]))

    def show_on_next_line(self, operands: Any) -> None:
        self.next_line(operands)
        self.show_items([operands[-1]])

    def show_spaced(self, operands: Any) -> None:
        word, character, text = operands
        self.change(word_space=float(word), character_space=float(character))
        self.show_on_next_line([text])

    def show_items(self, items: list[Any]) -> None:
        state = self.state
        font = state.font
        if font is None:
            self.walk.problem("text in a font that cannot be read")
            return
        if font.problem:
            self.walk.problem(font.problem)
        glyphs: list[Glyph] = []
        at, size, scale = 0.0, state.size, state.scale
        for number, item in enumerate(items):
            if not isinstance(item, pikepdf.String):
                at -= float(item) / 1000 * size * scale
                continue
            for raw, text, width in font.decode(bytes(item)):
                advance = width * size * scale
                glyphs.append(Glyph(text, raw, number, at, advance))
                at += advance + state.character_space * scale
                if raw == b" ":
                    at += state.word_space * scale
        self.walk.count(len(glyphs))
        matrix = product(self.text, self.matrix)
        self.walk.reading.shows.append(
            Show(self.path, self.index, state, matrix, self.moved, glyphs, at, tuple(self.tags))
        )
        self.text = shifted(self.text, at)
        self.moved = None

    def draw(self, operands: Any) -> None:
        thing = self.resources.get("/XObject", {}).get(str(operands[0]))
        if not isinstance(thing, pikepdf.Stream):
            return
        if "/OC" in thing:
            self.walk.reading.optional = True
        if thing.get("/Subtype") == pikepdf.Name.Image:
            self.walk.reading.images.append(self.matrix)
        elif thing.get("/Subtype") == pikepdf.Name.Form:
            path = (*self.path, self.index)
            around = self.walk.reading.around
            around[path] = [(self.path, one) for one in self.tags] + around.get(self.path, [])
            self.walk.form(thing, self.resources, path, self.matrix, self.state)

    def draw_inline(self, _: Any) -> None:
        self.walk.reading.images.append(self.matrix)

    def curve(self, _: Any) -> None:
        self.walk.reading.curves += 1
        self.rectangle = None

    def outline(self, operands: Any) -> None:
        x, y, width, height = (float(one) for one in operands)
        self.rectangle = (x, y, x + width, y + height)

    def line_to(self, _: Any) -> None:
        self.rectangle = None

    def clip(self, _: Any) -> None:
        self.clips = True

    def painted(self, _: Any) -> None:
        if self.clips and self.rectangle is not None:
            self.change(clip=clipped(self.state.clip, self.matrix, *self.rectangle))
        self.clips = False
        self.rectangle = None

    def begin_marked(self, operands: Any) -> None:
        self.tags.append(self.index)
        self.mark(operands)

    def mark(self, operands: Any) -> None:
        if len(operands) < 2:
            return
        if operands[0] == pikepdf.Name.OC:
            self.walk.reading.optional = True
        given, named = operands[1], isinstance(operands[1], pikepdf.Name)
        if named:
            given = self.resources.get("/Properties", {}).get(str(given))
        if not isinstance(given, pikepdf.Dictionary):
            return
        for key in PROPERTIES:
            value = given.get(key)
            if isinstance(value, pikepdf.String) and str(value).strip(" \xad\ufeff\0"):
                self.walk.reading.properties[self.path, self.index, key] = str(value)
                if named:
                    self.walk.problem("text in a shared property of marked content")

    def end_marked(self, _: Any) -> None:
        if self.tags:
            self.tags.pop()


PROPERTIES = ("/ActualText", "/Alt", "/E", "/Contents", "/T")
"""The keys of the properties of marked content that hold text for a reader."""


def shows_text(stream: Any) -> bool:
    """Return whether a pattern or a group, or what it draws, may show text."""
    if not isinstance(stream, pikepdf.Stream):
        return False
    try:
        data = decoded(stream, MOST_BYTES)
    except (TooLarge, pikepdf.PdfError):
        return True
    if b"BT" in data and (b"Tj" in data or b"TJ" in data):
        return True
    resources: Any = stream.get("/Resources", pikepdf.Dictionary())
    return b" Do" in data and any(
        one.get("/Subtype") == pikepdf.Name.Form
        for one in resources.get("/XObject", pikepdf.Dictionary()).values()
        if isinstance(one, pikepdf.Stream)
    )


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(one) for one in operands)
    return a, b, c, d, e, f


def _setter(name: str, scale: float = 1.0) -> Callable[[_Stream, Any], None]:
    def act(stream: _Stream, operands: Any) -> None:
        stream.change(**{name: float(operands[0]) * scale})

    return act


def _set_render(stream: _Stream, operands: Any) -> None:
    stream.change(render=int(operands[0]))


_SHOWING = ("Tj", "TJ", "'", '"')

_OPERATORS: dict[str, Callable[[_Stream, Any], None]] = {
    "q": _Stream.save,
    "Q": _Stream.restore,
    "cm": _Stream.concatenate,
    "BT": _Stream.begin,
    "Tm": _Stream.set_matrix,
    "Td": _Stream.move,
    "TD": _Stream.move_and_lead,
    "T*": _Stream.next_line,
    "Tf": _Stream.set_font,
    "Tc": _setter("character_space"),
    "Tw": _setter("word_space"),
    "Tz": _setter("scale", 0.01),
    "TL": _setter("leading"),
    "Ts": _setter("rise"),
    "Tr": _set_render,
    "gs": _Stream.set_graphics,
    "scn": _Stream.set_pattern,
    "SCN": _Stream.set_pattern,
    "Tj": _Stream.show,
    "TJ": _Stream.show_array,
    "'": _Stream.show_on_next_line,
    '"': _Stream.show_spaced,
    "Do": _Stream.draw,
    "INLINE IMAGE": _Stream.draw_inline,
    "c": _Stream.curve,
    "v": _Stream.curve,
    "y": _Stream.curve,
    "re": _Stream.outline,
    "l": _Stream.line_to,
    "W": _Stream.clip,
    "W*": _Stream.clip,
    "n": _Stream.painted,
    "f": _Stream.painted,
    "S": _Stream.painted,
    "BMC": _Stream.begin_marked,
    "BDC": _Stream.begin_marked,
    "EMC": _Stream.end_marked,
    "DP": _Stream.mark,
}
