"""Show the pages of a document as PNG files, in a child that needs neither rules nor model."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from presidio_cdip.documents.formats import format_of
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.inputs import is_image
from presidio_cdip.imaging.page.pages import read_pages

if TYPE_CHECKING:
    from presidio_cdip.documents.pdf.showing import Pages

_MOST_PIXELS = 4_000_000
_ORIENTATION = 0x0112  # EXIF; from 5 on, width and height change places


def sizes_of(data: bytes, name: str) -> tuple[str, list[tuple[float, float]]]:
    """Return the kind of a document's views, ``"page"`` or ``"picture"``, and the size of each.

    The sizes are those of `reading.View`; there is none if the document has no pages.

    Raises:
        UnreadableInput: It cannot be opened.
    """
    if is_image(data):
        return "picture", _frames(data, name)
    kind = format_of(data, name)
    if kind is None or kind.name != "pdf":
        return "page", []
    from presidio_cdip.documents.pdf.showing import Pages

    pages = Pages(data, name)
    return "page", [pages.size(number) for number in range(len(pages))]


def _frames(data: bytes, name: str) -> list[tuple[float, float]]:
    sizes = []
    try:
        with Image.open(io.BytesIO(data)) as image:
            for index in range(getattr(image, "n_frames", 1)):
                image.seek(index)
                width, height = image.size
                turned = image.getexif().get(_ORIENTATION, 1) >= 5
                sizes.append((height, width) if turned else (width, height))
    except Exception as error:  # decoders raise many types of errors
        problem = f"damaged or truncated ({type(error).__name__})"
        raise UnreadableInput(name, problem) from None
    return [(float(width), float(height)) for width, height in sizes]


class Rendering:
    """Answer requests about pages; the last PDF stays open."""

    def __init__(self) -> None:
        self._open: tuple[Path, Pages] | None = None

    def sizes(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the pages of a document, as ``kind`` and ``sizes``."""
        data = (Path(request["folder"]) / "original").read_bytes()
        kind, sizes = sizes_of(data, request["name"])
        return {"kind": kind, "sizes": sizes}

    def image(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write a page of a PDF, or a frame of a picture, as a PNG file.

        The request has the ``file``, the ``page`` from 0, and ``out``, the file to write.
        """
        file, out = Path(request["file"]), Path(request["out"])
        png = self._png(file, request["name"], request["page"])
        out.parent.mkdir(mode=0o700, exist_ok=True)
        part = out.with_suffix(".part")
        part.write_bytes(png)
        part.replace(out)  # whole or not at all
        return {}

    def _png(self, file: Path, name: str, page: int) -> bytes:
        if self._open and self._open[0] == file:
            return self._open[1].png(page)
        data = file.read_bytes()
        if is_image(data):
            return _frame(data, name, page)
        from presidio_cdip.documents.pdf.showing import Pages

        self._open = file, Pages(data, name)
        return self._open[1].png(page)


def _frame(data: bytes, name: str, index: int) -> bytes:
    image = next(read_pages(data, name, first=index)).image
    if image.mode not in ("L", "RGB"):
        image = image.convert("L" if image.mode in ("1", "I;16") else "RGB")
    scale = min(1.0, (_MOST_PIXELS / (image.width * image.height)) ** 0.5)
    image.thumbnail((max(1, int(image.width * scale)), max(1, int(image.height * scale))))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()
