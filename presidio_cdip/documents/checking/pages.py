"""Find text and pictures of PDF pages that are there, but cannot be seen.

A page is rendered with its text and without: where that makes no difference, a character cannot be
seen. What hides it is looked for among what is painted after it.
"""

import ctypes
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from presidio_cdip.documents.checking.painted import Page, Painted, Pixels
from presidio_cdip.documents.checking.redaction import Finding
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import UnreadableInput

_SEEN = 32  # levels of a channel by which a pixel differs where a character is seen
_FLAT = 24  # levels between the darkest and lightest pixel of an area without marks
_MARKS = 0.03  # of an area's pixels, by which it has marks
_PARTLY = 0.15  # of a character's ink; a character of which more is seen is not hidden
_WHOLE = 0.6  # of the page; a picture that covers more is a scan of it
_MOST_PAGES = 5_000
_LABEL = re.compile(
    r"(?:name|under|seal|publicly|filed|and|redacted|confidential|privileged?|[\W_])*", re.I
)
"""Texts that are written in place of removed ones."""

_INVISIBLE = (3, 7)  # render modes: neither filled nor stroked


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """A character of a page.

    Attributes:
        text: The character.
        owner: The text object it belongs to.
        center: In the page's own coordinates.
        box: As displayed.
    """

    text: str
    owner: Painted
    center: tuple[float, float]
    box: Box


def check(data: bytes, name: str) -> Iterator[Finding]:
    """Yield text that can be read on the pages of a PDF, but not seen."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise UnreadableInput(name, "cannot be rendered: it is damaged or encrypted") from None
    layered = _with_all_layers(data)
    try:
        for index in range(min(len(document), _MOST_PAGES)):
            page = document[index]
            other = layered[index] if layered else None
            yield from _Check(index, page, other).findings()
            page.close()
    finally:
        document.close()


def _with_all_layers(data: bytes) -> pdfium.PdfDocument | None:
    """Return the document with all layers switched on; None if none is off."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        layers = pdf.Root.get("/OCProperties")
        if not isinstance(layers, pikepdf.Dictionary) or "/D" not in layers:
            return None
        default = layers.D
        if not len(default.get("/OFF", [])) and default.get("/BaseState", "/ON") == "/ON":
            return None
        layers.D = pikepdf.Dictionary(BaseState=pikepdf.Name.ON)
        if "/OCGs" in layers:
            for group in layers.OCGs:
                if "/Usage" in group:
                    del group.Usage
        out = io.BytesIO()
        pdf.save(out)
    return pdfium.PdfDocument(out.getvalue())


@dataclass
class _Check:
    """The check of one page."""

    index: int
    source: pdfium.PdfPage
    layered: pdfium.PdfPage | None
    page: Page = field(init=False)
    shown: Pixels = field(init=False)

    def __post_init__(self) -> None:
        self.page = Page(self.source)

    def findings(self) -> Iterator[Finding]:
        """Yield the hidden texts of the page."""
        glyphs = list(_glyphs(self.source, self.page))
        self.shown = self.page.rendered()
        yield from self.pictures()
        if not glyphs:
            return
        hidden = self.hidden(glyphs)
        kinds = self.kinds(hidden)
        yield from _runs(self.index, [one for one in glyphs if one.text.strip()], kinds)

    def hidden(self, glyphs: Sequence[Glyph]) -> list[Glyph]:
        """Return the glyphs that cannot be seen."""
        without = self.page.rendered(lambda one: one.kind != raw.FPDF_PAGEOBJ_TEXT)
        seen = _differ(self.shown, without)
        unsure, hidden = [], []
        for one in glyphs:
            marks = self.page.crop(seen, one.box, 0.1)
            if not one.text.strip():
                continue
            if _mode(one) in _INVISIBLE or not marks.any():
                hidden.append(one)
            elif not marks.mean() > 0.3:
                unsure.append(one)
        return hidden + self.mostly_hidden(unsure, seen) if hidden else hidden

    def mostly_hidden(self, glyphs: Sequence[Glyph], seen: Pixels) -> list[Glyph]:
        """Return the glyphs of whose ink hardly anything is *seen*."""
        ink = self.page.rendered(lambda one: one.kind == raw.FPDF_PAGEOBJ_TEXT, annotations=False)
        white = np.full_like(ink, 255)
        ink = _differ(ink, white)
        crop = self.page.crop
        return [
            one
            for one in glyphs
            if crop(seen, one.box, 0.1).sum() < _PARTLY * crop(ink, one.box, 0.1).sum()
        ]

    def kinds(self, hidden: Sequence[Glyph]) -> dict[Glyph, str]:
        """Return for each hidden glyph what hides it; those of a sound scan are left out."""
        if not hidden:
            return {}
        plain = self.page.rendered(annotations=False)
        bare = self.page.rendered(lambda o: o.kind != raw.FPDF_PAGEOBJ_TEXT, annotations=False)
        without_annotations = _differ(plain, bare)
        covers = [one for one in self.page.painted if one.opaque]
        whole = [one for one in covers if self.is_scan(one)]
        on = self.switched_on()
        found = {}
        for one in hidden:
            kind = self.kind(one, covers, whole, without_annotations, on)
            if kind:
                found[one] = kind
        return found

    def kind(
        self,
        one: Glyph,
        covers: Sequence[Painted],
        whole: Sequence[Painted],
        without_annotations: Pixels,
        on: Pixels | None,
    ) -> str:
        left, top, right, bottom = one.box
        if right <= 0 or bottom <= 0 or left >= self.page.width or top >= self.page.height:
            return "off_page"
        later = [
            over for over in covers if over.order > one.owner.order and over.covers(*one.center)
        ]
        under_scan = any(over in whole for over in later)
        unseen = _mode(one) in _INVISIBLE
        if whole and (unseen or under_scan):
            return "text_layer" if self.is_flat(one) else ""
        if unseen:
            return "invisible"
        if self.page.crop(without_annotations, one.box, 0.1).any():
            return "under_annotation"
        if later:
            picture = later[-1].kind == raw.FPDF_PAGEOBJ_IMAGE
            return "under_picture" if picture else "under_box"
        if on is not None and self.page.crop(on, one.box, 0.1).any():
            return "hidden_layer"
        fill = one.owner.fill
        area = self.page.crop(self.shown, one.box)
        if fill[3] > 0 and np.abs(area.astype(int) - fill[:3]).max(axis=-1).mean() < _SEEN:
            return "background_color"
        return "not_painted"

    def is_scan(self, one: Painted) -> bool:
        """Return whether a picture covers most of the page."""
        if one.kind != raw.FPDF_PAGEOBJ_IMAGE:
            return False
        left, top, right, bottom = self.page.view(*one.bounds)
        width = min(right, self.page.width) - max(left, 0)
        height = min(bottom, self.page.height) - max(top, 0)
        return bool(width * height > _WHOLE * self.page.width * self.page.height)

    def is_flat(self, one: Glyph) -> bool:
        """Return whether the page has no marks where a glyph is."""
        return _flat(self.page.crop(self.shown, one.box))

    def switched_on(self) -> Pixels | None:
        """Return where text is seen when all layers are on; None if no layer is off."""
        if self.layered is None:
            return None
        page = Page(self.layered)
        shown = page.rendered()
        return _differ(shown, page.rendered(lambda one: one.kind != raw.FPDF_PAGEOBJ_TEXT))

    def pictures(self) -> Iterator[Finding]:
        """Yield where shapes or annotations cover parts of pictures, and pictures that go on."""
        images = [one for one in self.page.painted if one.kind == raw.FPDF_PAGEOBJ_IMAGE]
        if not images:
            return
        below = self.page.rendered(lambda one: one.kind == raw.FPDF_PAGEOBJ_IMAGE, False)
        for one in self.page.painted:
            dark_or_white = min(one.fill[:3]) > 240 or max(one.fill[:3]) < 64
            if one.kind != raw.FPDF_PAGEOBJ_PATH or not one.opaque or not dark_or_white:
                continue
            box = self.page.view(*one.bounds)
            under = [image for image in images if image.order < one.order]
            if any(self.inside(box, image) for image in under) and self.hides(box, below):
                yield Finding("covered_picture", self.index, box)
        plain = self.page.rendered(annotations=False)
        for box in _annotations(self.source, self.page):
            if any(self.inside(box, image) for image in images) and self.hides(box, plain):
                yield Finding("covered_picture", self.index, box)
        for image in images:
            left, top, right, bottom = self.page.view(*image.bounds)
            width = min(right, self.page.width) - max(left, 0)
            height = min(bottom, self.page.height) - max(top, 0)
            if max(0, width) * max(0, height) < 0.9 * (right - left) * (bottom - top):
                yield Finding("cropped_picture", self.index, (left, top, right, bottom))

    def inside(self, box: Box, image: Painted) -> bool:
        """Return whether a box that is no whole picture lies within a picture."""
        left, top, right, bottom = self.page.view(*image.bounds)
        small = (box[2] - box[0]) * (box[3] - box[1]) < 0.6 * (right - left) * (bottom - top)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        wide = box[2] - box[0] > 4 and box[3] - box[1] > 4
        return small and wide and left < x < right and top < y < bottom

    def hides(self, box: Box, below: Pixels) -> bool:
        """Return whether a box looks flat, and *below* it there are marks."""
        shown = self.page.crop(self.shown, box, 0.25)
        return bool(shown.size) and _flat(shown) and _marked(self.page.crop(below, box, 0.25))


def _flat(area: Pixels) -> bool:
    if not area.size:
        return True
    pixels = area.reshape(-1, area.shape[-1]).astype(int)
    return bool((pixels.max(axis=0) - pixels.min(axis=0)).max() < _FLAT)


def _marked(area: Pixels) -> bool:
    """Return whether there are marks of some size; the noise of JPEG is none."""
    pixels = area.reshape(-1, area.shape[-1]).astype(int)
    apart = np.abs(pixels - np.median(pixels, axis=0)).max(axis=1)
    return bool((apart > 2 * _FLAT).mean() > _MARKS)


def _differ(one: Pixels, two: Pixels) -> Pixels:
    """Return where two renderings differ, for the eye."""
    differs: Pixels = (np.abs(one.astype(np.int16) - two).max(axis=-1) > _SEEN).astype(np.uint8)
    return differs


def _mode(one: Glyph) -> int:
    return int(raw.FPDFTextObj_GetTextRenderMode(one.owner.handle))


def _glyphs(source: pdfium.PdfPage, page: Page) -> Iterator[Glyph]:
    owners = {_address(one.handle): one for one in page.painted}
    text = source.get_textpage()
    edges = [ctypes.c_double() for _ in range(4)]
    for index in range(raw.FPDFText_CountChars(text)):
        owner = owners.get(_address(raw.FPDFText_GetTextObject(text, index)))
        if owner is None or raw.FPDFText_IsGenerated(text, index) == 1:
            continue
        raw.FPDFText_GetCharBox(text, index, edges[0], edges[1], edges[2], edges[3])
        left, right, bottom, top = (edge.value for edge in edges)
        if right - left < 0.1 or top - bottom < 0.1:  # without outlines: take the advance's box
            loose = raw.FS_RECTF()
            raw.FPDFText_GetLooseCharBox(text, index, loose)
            left, right, bottom, top = loose.left, loose.right, loose.bottom, loose.top
        yield Glyph(
            chr(raw.FPDFText_GetUnicode(text, index)),
            owner,
            ((left + right) / 2, (bottom + top) / 2),
            page.view(left, bottom, right, top),
        )


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _annotations(source: pdfium.PdfPage, page: Page) -> Iterator[Box]:
    """Yield the boxes of annotations that are drawn."""
    for index in range(raw.FPDFPage_GetAnnotCount(source)):
        handle = raw.FPDFPage_GetAnnot(source, index)
        if not handle:
            continue
        edges = raw.FS_RECTF()
        raw.FPDFAnnot_GetRect(handle, edges)
        kind = raw.FPDFAnnot_GetSubtype(handle)
        raw.FPDFPage_CloseAnnot(handle)
        if kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP):
            yield page.view(edges.left, edges.bottom, edges.right, edges.top)


def _runs(index: int, glyphs: Sequence[Glyph], kinds: dict[Glyph, str]) -> Iterator[Finding]:
    """Yield a finding for each run of glyphs of one kind on one line."""
    run: list[Glyph] = []
    for one in [*glyphs, None]:
        if run and (
            one is None or kinds.get(one) != kinds.get(run[0]) or not _goes_on(run[-1], one)
        ):
            if (kind := kinds.get(run[0])) and _telling("".join(each.text for each in run), kind):
                yield Finding(kind, index, _around([each.box for each in run]), len(run))
            run = []
        if one is not None:
            run.append(one)


def _goes_on(before: Glyph, one: Glyph) -> bool:
    height = max(before.box[3] - before.box[1], one.box[3] - one.box[1], 4)
    across = abs((one.box[1] + one.box[3]) - (before.box[1] + before.box[3])) / 2 < height
    return across and one.box[0] - before.box[2] < 3 * height


def _telling(text: str, kind: str) -> bool:
    """Return whether hidden characters tell anything: not "Redacted", dots or rows of X."""
    least = 4 if kind == "text_layer" else 1
    same = len(text) > 1 and len(set(text)) == 1
    return len(text) >= least and not same and not _LABEL.fullmatch(text)


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
