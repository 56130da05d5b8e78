"""Decide which pages are rewritten as text, and which only as pictures."""

from typing import NamedTuple

from presidio_cdip.documents.pdf.drawn import can_be_read
from presidio_cdip.documents.pdf.geometry import Matrix
from presidio_cdip.documents.pdf.pictures import why_unsafe
from presidio_cdip.documents.pdf.readings import PageReading
from presidio_cdip.documents.pdf.shapes import DRAWN
from presidio_cdip.documents.pdf.source import Source

INVISIBLE = 3  # the render mode of text that lies under the picture of a page
_COVERED = 0.7  # of the page, by its pictures
_FEW = 5  # glyphs
_CURVES = 60  # a page with that many curves and hardly any text may have its letters drawn


class Kind(NamedTuple):
    """The kind of a page.

    Attributes:
        name: ``"text"``, ``"scanned"`` (a picture of text covers it), or ``"unsafe"``.
        reason: Why it is unsafe.
    """

    name: str
    reason: str = ""


def kind_of(source: Source, number: int) -> Kind:
    """Return the kind of the page *number* of *source*."""
    page = source.readings[number]
    reading = page.reading
    visible = invisible = 0
    for show in reading.shows:
        count = sum(1 for one in show.glyphs if one.text.strip())
        if show.state.render == INVISIBLE:
            invisible += count
        else:
            visible += count
    if covered(page) >= _COVERED and (not visible or invisible > visible):
        return Kind("scanned")
    if reading.problems:
        return Kind("unsafe", ", ".join(reading.problems))
    if reading.optional and hidden_layers(source):
        return Kind("unsafe", "a hidden layer")
    if visible < _FEW and reading.curves >= _CURVES:
        return Kind("unsafe", "drawn shapes that may be letters")
    if can_be_read(source, number):
        return Kind("unsafe", DRAWN)
    reason = why_unsafe(source, number)
    return Kind("unsafe", reason) if reason else Kind("text")


def covered(page: PageReading) -> float:
    """Return the share of a page that its pictures cover, at most 1."""
    area = sum(_area(one, page) for one in page.reading.images)
    return min(1.0, area / max(1.0, page.width * page.height))


def _area(matrix: Matrix, page: PageReading) -> float:
    a, b, c, d, e, f = matrix
    across = sorted((e, e + a + c))
    down = sorted((f, f + b + d))
    width = min(across[1], page.width) - max(across[0], 0.0)
    height = min(down[1], page.height) - max(down[0], 0.0)
    return max(0.0, width) * max(0.0, height)


def hidden_layers(source: Source) -> bool:
    """Return whether layers of the document are off when it is opened."""
    layers = source.pdf.Root.get("/OCProperties")
    if layers is None:
        return False
    default = layers.get("/D", {})
    return bool(default.get("/BaseState") == "/OFF" or len(default.get("/OFF", ())))
