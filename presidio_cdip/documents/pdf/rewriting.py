"""Rewrite content streams by a plan: without the glyphs that go, with new text in their place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf.faces import Face, Faces
from presidio_cdip.documents.pdf.geometry import displayed, inherited
from presidio_cdip.documents.pdf.glyphs import Path, Reading, Show
from presidio_cdip.documents.pdf.pieces import Ref
from presidio_cdip.documents.pdf.planning import Plan, Quad
from presidio_cdip.documents.pdf.setting import Setting

_EXACT = 2e-4  # of the size: displacements below that are left out
_MOVING = ("Td", "TD")

Instruction = tuple[list[Any], pikepdf.Operator]


class Mismatch(Exception):
    """The content of a page is not what was recorded of it."""


def rewrite(pdf: Any, page: Any, reading: Reading, plan: Plan, faces: Faces, colour: str) -> None:
    """Rewrite the streams of a page; forms that change are copied for this use of them.

    Args:
        pdf: The `pikepdf.Pdf`.
        page: The `pikepdf.Page`.
        reading: What was recorded of it.
        plan: What is done.
        faces: The faces that the plan sets text in.
        colour: Of bars: ``"black"`` or ``"white"``.

    Raises:
        Mismatch: The streams are not what was recorded; nothing was changed.
    """
    work = _Work(pdf, reading, plan, faces)
    resources = inherited(page, "/Resources")
    done = work.stream(page.obj, resources, ())
    data = pikepdf.unparse_content_stream(done.instructions)
    if plan.bars:
        data = b"q\n" + data + b"\n" + b"Q\n" * (1 + done.open) + _bars(page, plan.bars, colour)
    page.obj.Contents = pdf.make_stream(data)
    page.obj.Resources = done.resources


def _bars(page: Any, bars: list[Quad], colour: str) -> bytes:
    """Return the operators that draw bars."""
    a, b, c, d, e, f = displayed(page)[0]
    whole = a * d - b * c
    lines = ["q", "0 g" if colour == "black" else "1 g"]
    for quad in bars:
        points = [
            f"{(d * (x - e) - c * (y - f)) / whole:.3f} {(a * (y - f) - b * (x - e)) / whole:.3f}"
            for x, y in quad
        ]
        lines.append(" ".join(f"{at} {'l' if n else 'm'}" for n, at in enumerate(points)) + " h f")
    return "\n".join([*lines, "Q"]).encode()


@dataclass(slots=True)
class _Done:
    """A stream that was rewritten.

    Attributes:
        instructions: Its new content.
        resources: Its new resources, a copy.
        open: How many states it leaves saved.
    """

    instructions: list[Any]
    resources: Any
    open: int


class _Work:
    """The rewriting of a page."""

    def __init__(self, pdf: Any, reading: Reading, plan: Plan, faces: Faces) -> None:
        self.pdf = pdf
        self.plan = plan
        self.faces = faces
        self.shows: dict[Path, dict[int, tuple[int, Show]]] = {}
        for number, show in enumerate(reading.shows):
            self.shows.setdefault(show.path, {})[show.index] = (number, show)
        self.properties: dict[Path, dict[int, dict[str, str | None]]] = {}
        for (path, index, key), new in plan.properties.items():
            self.properties.setdefault(path, {}).setdefault(index, {})[key] = new
        changed = {reading.shows[number].path for number, _ in plan.removed}
        self.rules: dict[Path, dict[int, list[float]]] = {}
        for (path, index), operands in plan.rules.items():
            self.rules.setdefault(path, {})[index] = operands
        changed |= {*self.properties, *self.rules}
        self.changed = {path[:depth] for path in changed for depth in range(len(path) + 1)}

    def stream(self, owner: Any, resources: Any, path: Path) -> _Done:
        """Return the new content of a page or a form."""
        resources = _copy(resources)
        rewriter = _Rewriter(self, path, resources)
        instructions = list(rewriter.run(list(pikepdf.parse_content_stream(owner))))
        return _Done(instructions, resources, max(0, rewriter.depth))

    def form(self, form: Any, resources: Any, path: Path) -> Any:
        """Return a copy of a form with new content."""
        done = self.stream(form, form.get("/Resources", resources), path)
        kept = {
            key: value
            for key, value in form.items()
            if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources")
        }
        new = self.pdf.make_stream(pikepdf.unparse_content_stream(done.instructions))
        for key, value in kept.items():
            new[key] = value
        new["/Resources"] = done.resources
        return new


def _copy(resources: Any) -> Any:
    """Return a copy of resources, also of those that may get new entries."""
    copied = pikepdf.Dictionary(dict(resources.items()) if resources is not None else {})
    for key in ("/Font", "/XObject"):
        if isinstance(copied.get(key), pikepdf.Dictionary):
            copied[key] = pikepdf.Dictionary(dict(copied[key].items()))
    return copied


@dataclass(slots=True)
class _Rewriter:
    """Rewrites one stream.

    Offsets are in text space: how far what follows lies from where it was.
    """

    work: _Work
    path: Path
    resources: Any
    depth: int = 0
    line: float = 0.0
    drift: float = 0.0
    offsets: dict[int, float] = field(default_factory=dict)
    shows: Mapping[int, tuple[int, Show]] = field(default_factory=dict)
    forms: int = 0

    def run(self, instructions: list[Any]) -> Iterator[Any]:
        self.shows = self.work.shows.get(self.path, {})
        for number, show in self.shows.values():
            if show.moved is not None:
                self.offsets[show.moved] = self.lead(number, show)
        properties = self.work.properties.get(self.path, {})
        rules = self.work.rules.get(self.path, {})
        for index, instruction in enumerate(instructions):
            name = str(instruction.operator)
            self.depth += (name == "q") - (name == "Q" and self.depth > 0)
            if index in self.shows:
                yield from self.show(index, name, instruction)
            elif name in ("BT", "Tm", "T*", *_MOVING):
                yield from self.move(index, name, instruction)
            elif name == "Do" and (*self.path, index) in self.work.changed:
                yield self.draw(index, instruction)
            elif index in rules:
                yield [_number(one) for one in rules[index]], instruction.operator
            elif index in properties:
                yield _described(instruction, properties[index], self.resources)
            else:
                yield instruction

    def lead(self, number: int, show: Show) -> float:
        """Return the distance by which the first thing that *show* shows moves."""
        plan = self.work.plan
        for at in range(len(show.glyphs)):
            ref = (number, at)
            if ref in plan.inserted or ref not in plan.removed:
                shift = self.shift(ref, show)
                if shift is not None:
                    return shift
        return 0.0

    def shift(self, ref: Ref, show: Show) -> float | None:
        """Return the distance by which a glyph moves; None for a blank that may stand anywhere."""
        if ref in self.work.plan.shifts:
            return self.work.plan.shifts[ref]
        return 0.0 if show.glyphs[ref[1]].text.strip() else None

    def move(self, index: int, name: str, instruction: Any) -> Iterator[Any]:
        """Yield an operator that begins a line of text, with what moves there."""
        before, self.line = self.line, self.offsets.get(index, 0.0)
        self.drift = self.line
        step = self.line - (0.0 if name in ("BT", "Tm") else before)
        if not step:
            yield instruction
            return
        operands = list(instruction.operands)
        if name in _MOVING:
            operands[0] = _number(float(operands[0]) + step)
        elif name == "Tm":
            a, b, *_, e, f = (float(one) for one in operands)
            operands[4:] = [_number(e + a * step), _number(f + b * step)]
        yield operands, instruction.operator
        if name in ("BT", "T*"):
            yield [_number(step), 0], pikepdf.Operator("Td")

    def draw(self, index: int, instruction: Any) -> Any:
        """Return the operator that draws a copy of a form."""
        path = (*self.path, index)
        form = self.resources["/XObject"][str(instruction.operands[0])]
        new = self.work.form(form, self.resources, path)
        self.forms += 1
        name = pikepdf.Name(f"/Set{len(self.path)}x{self.forms}")
        while name in self.resources["/XObject"]:
            self.forms += 1
            name = pikepdf.Name(f"/Set{len(self.path)}x{self.forms}")
        self.resources["/XObject"][name] = new
        return [name], pikepdf.Operator("Do")

    def show(self, index: int, name: str, instruction: Any) -> Iterator[Any]:
        """Yield an operator that shows text, without what goes and with what is set."""
        number, show = self.shows[index]
        items = _items(name, instruction)
        shown = b"".join(bytes(one) for one in items if isinstance(one, pikepdf.String))
        if shown != b"".join(one.raw for one in show.glyphs):
            raise Mismatch
        entry = self.drift
        if name in ("'", '"'):
            before, entry = self.line, self.offsets.get(index, 0.0)
            self.line = entry
        if not self.touched(number, show, entry) and (name not in ("'", '"') or entry == before):
            self.drift = entry
            yield instruction
            return
        if name in ("'", '"'):
            yield from _spaced(name, instruction)
            yield [], pikepdf.Operator("T*")
            if entry != before:
                yield [_number(entry - before), 0], pikepdf.Operator("Td")
        writer = _Writer(show, entry, self)
        for at, _ in enumerate(show.glyphs):
            writer.glyph((number, at))
        yield from writer.flushed()
        self.drift = writer.at - show.advance

    def touched(self, number: int, show: Show, entry: float) -> bool:
        """Return whether *show* changes, rather than moves as a whole by *entry*."""
        plan = self.work.plan
        for at in range(len(show.glyphs)):
            ref = (number, at)
            if ref in plan.removed or ref in plan.stretches:
                return True
            shift = self.shift(ref, show)
            if shift is not None and abs(shift - entry) > _EXACT * abs(show.state.size):
                return True
        return False

    def font(self, face: Face) -> pikepdf.Name:
        """Return the name of *face* in the resources of the stream."""
        return self.named(face.name, self.work.faces.font(face, self.work.pdf))

    def named(self, name: str, font: Any) -> pikepdf.Name:
        """Return *name*, which is that of *font* unless the resources have another."""
        if "/Font" not in self.resources:
            self.resources["/Font"] = pikepdf.Dictionary()
        if name not in self.resources["/Font"]:
            self.resources["/Font"][name] = font
        return pikepdf.Name(name)


class _Writer:
    """Write the replacement of an operator that shows text."""

    def __init__(self, show: Show, entry: float, rewriter: _Rewriter) -> None:
        self.at = entry
        self._stretch = 1.0
        self._show = show
        self._rewriter = rewriter
        self._items: list[Any] = []
        self._out: list[Instruction] = []

    def glyph(self, ref: Ref) -> None:
        """Write a glyph, or what is set where it was."""
        plan, glyph = self._rewriter.work.plan, self._show.glyphs[ref[1]]
        if ref in plan.inserted:
            self.go(glyph.at + plan.shifts.get(ref, 0.0))
            self.set(plan.inserted[ref])
        if ref in plan.removed:
            return
        shift = self._rewriter.shift(ref, self._show)
        if shift is not None:
            self.go(glyph.at + shift)
        self.stretch(plan.stretches.get(ref, 1.0))
        self.code(glyph.raw, glyph.width * self._stretch)

    def go(self, to: float) -> None:
        """Write the displacement to a point in text space."""
        state = self._show.state
        unit = state.size * state.scale * self._stretch / 1000
        if not unit or abs(to - self.at) <= _EXACT * abs(state.size):
            return
        step = _number((self.at - to) / unit)
        self._items.append(step)
        self.at -= float(step) * unit

    def stretch(self, by: float) -> None:
        """Write the horizontal scaling of what follows, relative to what was set."""
        if by != self._stretch:
            self._flush()
            self._do("Tz", _number(self._show.state.scale * by * 100))
            self._stretch = by

    def code(self, raw: bytes, width: float) -> None:
        """Write a code whose width is known in text space."""
        state = self._show.state
        scale = state.scale * self._stretch
        if self._items and isinstance(self._items[-1], bytes):
            self._items[-1] += raw
        else:
            self._items.append(raw)
        self.at += width + state.character_space * scale
        if raw == b" ":
            self.at += state.word_space * scale

    def set(self, new: Setting) -> None:
        """Write new text."""
        state = self._show.state
        assert state.font is not None
        own = self._rewriter.named(state.font_name, state.font.spec)  # forms may inherit it
        font = own if new.face is None else self._rewriter.font(new.face)
        changed_font = new.face is not None or new.shrink != 1
        if changed_font:
            self._flush()
            self._do("Tf", font, _number(state.size * new.shrink))
        self.stretch(new.stretch)
        size, scale = state.size * new.shrink, state.scale * new.stretch
        for one in new.codes:
            if isinstance(one, float):
                self._items.append(_number(-one * 1000))
                self.at += one * size * scale
            else:
                self.code(one.raw, one.width * size * scale)
        if changed_font:
            self._flush()
            self._do("Tf", own, _number(state.size))

    def flushed(self) -> list[Instruction]:
        """Return everything that was written; what it set is as it was before."""
        self.stretch(1.0)
        self._flush()
        return self._out

    def _do(self, name: str, *operands: Any) -> None:
        self._out.append((list(operands), pikepdf.Operator(name)))

    def _flush(self) -> None:
        if self._items:
            items = [pikepdf.String(one) if isinstance(one, bytes) else one for one in self._items]
            self._do("TJ", pikepdf.Array(items))
        self._items = []


def _items(name: str, instruction: Any) -> list[Any]:
    if name == "TJ":
        return list(instruction.operands[0])
    return [instruction.operands[-1]]


def _spaced(name: str, instruction: Any) -> Iterator[Instruction]:
    if name == '"':
        yield [instruction.operands[0]], pikepdf.Operator("Tw")
        yield [instruction.operands[1]], pikepdf.Operator("Tc")


def _described(instruction: Any, new: dict[str, str | None], resources: Any) -> Instruction:
    """Return an operator of marked content with other texts in its properties."""
    tag, given = instruction.operands
    if isinstance(given, pikepdf.Name):
        given = resources["/Properties"][str(given)]
    kept = {key: value for key, value in given.items() if new.get(key, "") is not None}
    for key, value in new.items():
        if value is not None:
            kept[key] = pikepdf.String(value)
    return [tag, pikepdf.Dictionary(kept)], instruction.operator


def _number(value: float) -> Any:
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else Decimal(f"{rounded:.4f}")
