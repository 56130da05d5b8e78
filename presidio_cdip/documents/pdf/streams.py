"""Walk the content streams of a page, and record the glyphs of every operator that shows text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf import shapes
from presidio_cdip.documents.pdf.files import TooLarge, decoded
from presidio_cdip.documents.pdf.fonts import Font
from presidio_cdip.documents.pdf.geometry import (
    IDENTITY,
    Matrix,
    Rectangle,
    clipped,
    displayed,
    inherited,
    product,
    shifted,
)
from presidio_cdip.documents.pdf.glyphs import (
    CODED,
    Fonts,
    Glyph,
    Path,
    Reading,
    Show,
    TextState,
)
from presidio_cdip.documents.pdf.rules import MOST, Outline

MOST_GLYPHS = 200_000
MOST_BYTES = 5_000_000  # of the streams of a page; parsed, they take 80 times that much memory
_DEEPEST = 12
_DAMAGED = (pikepdf.PdfError, RuntimeError, ValueError, TypeError)


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
    """Return the number of bytes that the content of a page or form unpacks to.

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
    lines: Outline = field(init=False)

    def __post_init__(self) -> None:
        self.lines = Outline(self.path)

    def run(self, instructions: Sequence[Any]) -> None:
        for self.index, instruction in enumerate(instructions):
            name = str(instruction.operator)
            act = _OPERATORS.get(name)
            if act is None:
                if any(isinstance(one, pikepdf.String) for one in instruction.operands):
                    self.walk.problem("a text that an unknown operator takes")
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
            return  # the name of a layer is read with the document
        if thing.get("/Subtype") == pikepdf.Name.Image:
            self.walk.reading.images.append(self.matrix)
        elif thing.get("/Subtype") == pikepdf.Name.Form:
            path = (*self.path, self.index)
            around = self.walk.reading.around
            around[path] = [(self.path, one) for one in self.tags] + around.get(self.path, [])
            self.walk.form(thing, self.resources, path, self.matrix, self.state)

    def draw_inline(self, _: Any) -> None:
        self.walk.reading.images.append(self.matrix)

    def curve(self, operands: Any) -> None:
        self.walk.reading.curves += 1
        self.rectangle = None
        numbers = [float(one) for one in operands]
        self.lines.curve(list(zip(numbers[::2], numbers[1::2], strict=True)), self.matrix)

    def outline(self, operands: Any) -> None:
        x, y, width, height = (float(one) for one in operands)
        x0, y0, x1, y1 = self.rectangle or (x, y, x, y)
        self.rectangle = (
            min(x0, x, x + width), min(y0, y, y + height),
            max(x1, x, x + width), max(y1, y, y + height),
        )  # fmt: skip
        self.lines.rectangle(x, y, x + width, y + height, self.index, self.matrix)

    def begin_line(self, operands: Any) -> None:
        self.lines.move(float(operands[0]), float(operands[1]), self.index)

    def line_to(self, operands: Any) -> None:
        self.rectangle = None
        self.lines.line(float(operands[0]), float(operands[1]), self.index, self.matrix)

    def clip(self, _: Any) -> None:
        self.clips = True

    def painted(self, _: Any) -> None:
        if self.clips and self.rectangle is not None:
            self.change(clip=clipped(self.state.clip, self.matrix, *self.rectangle))
        self.clips = False
        self.rectangle = None
        self.lines.clear()

    def begin_marked(self, operands: Any) -> None:
        self.tags.append(self.index)
        self.mark(operands)

    def mark(self, operands: Any) -> None:
        if len(operands) < 2:
            return
        if operands[0] == pikepdf.Name.OC:
            self.walk.reading.optional = True
            return  # the name of a layer is read with the document
        given, named = operands[1], isinstance(operands[1], pikepdf.Name)
        if named:
            given = self.resources.get("/Properties", {}).get(str(given))
        if not isinstance(given, pikepdf.Dictionary):
            return
        for key, value in given.items():
            if key in CODED:
                continue
            if isinstance(value, pikepdf.String) and str(value).strip(" \xad\ufeff\0"):
                self.walk.reading.properties[self.path, self.index, key] = str(value)
                if named:
                    self.walk.problem("text in a shared property of marked content")

    def end_marked(self, _: Any) -> None:
        if self.tags:
            self.tags.pop()


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


def _painter(stroked: bool, filled: bool) -> Callable[[_Stream, Any], None]:
    def act(stream: _Stream, operands: Any) -> None:
        rules = stream.walk.reading.rules
        if len(rules) < MOST:
            rules += stream.lines.painted(stroked)
        if filled and len(stream.walk.reading.shapes) < shapes.MOST:
            stream.walk.reading.shapes += stream.lines.shapes
        stream.painted(operands)

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
    "m": _Stream.begin_line,
    "l": _Stream.line_to,
    "W": _Stream.clip,
    "W*": _Stream.clip,
    "n": _Stream.painted,
    **dict.fromkeys(("f", "F", "f*"), _painter(stroked=False, filled=True)),
    **dict.fromkeys(("S", "s"), _painter(stroked=True, filled=False)),
    **dict.fromkeys(("B", "B*", "b", "b*"), _painter(stroked=True, filled=True)),
    "BMC": _Stream.begin_marked,
    "BDC": _Stream.begin_marked,
    "EMC": _Stream.end_marked,
    "DP": _Stream.mark,
}
