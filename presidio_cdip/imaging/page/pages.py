"""Read the frames of an image file as pages, and write pages in the format they came in."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from PIL import Image, ImageOps, JpegImagePlugin, TiffImagePlugin, UnidentifiedImageError

from presidio_cdip.errors import OutputError, PageTooLarge, UnreadableInput
from presidio_cdip.files.outputs import replacing

FORMATS = ("PNG", "JPEG", "MPO", "TIFF", "GIF", "WEBP", "BMP", "PPM", "JPEG2000")
"""Formats that can be read and written, by Pillow's names."""

MAX_SIDE = 32_000
"""Pixels; Tesseract's limit is 32767, and deskewing makes a page a little longer."""

_OPENED = [name for name in FORMATS if name != "MPO"]  # Pillow opens that as JPEG
_ONE_PAGE = {"JPEG", "BMP", "PPM", "JPEG2000"}
# Pillow reads these TIFF compressions and cannot write them. The replacements are lossless, except
# for the first, which is the same codec.
_TIFF_INSTEAD = {"tiff_jpeg": "jpeg", "tiff_thunderscan": "tiff_lzw", "tiff_raw_16": "tiff_lzw"}


@dataclass(frozen=True, slots=True)
class Page:
    """Represent a page of an image file.

    Attributes:
        image: The pixels, rotated as the file's EXIF orientation says. It holds no metadata.
        index: The frame number in the file, from 0.
        name: The file's name as the caller gave it.
        format: Pillow's name of the file's format, one of `FORMATS`.
        dpi: Pixels per inch, across and down; None if the file does not say.
        options: Arguments of Pillow's `save` that keep the frame's encoding: compression,
            quantization tables, duration, colour profile.
    """

    image: Image.Image
    index: int = 0
    name: str = "page"
    format: str = "PNG"
    dpi: tuple[float, float] | None = None
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def mode(self) -> str:
        """Return Pillow's image mode, such as "1", "L" or "RGB"."""
        return str(self.image.mode)

    @property
    def title(self) -> str:
        """Return the name of the page in error messages."""
        return f"{self.name}, page {self.index}"

    def showing(self, image: Image.Image) -> "Page":
        """Return a copy of the page with other pixels."""
        return replace(self, image=image)


def read_pages(
    source: Path | bytes | BinaryIO,
    name: str | None = None,
    broken: Callable[[UnreadableInput], object] | None = None,
    max_pixels: int | None = None,
    first: int = 0,
) -> Iterator[Page]:
    """Yield the pages of an image file, first to last, decoded one at a time.

    Args:
        source: The file, its bytes, or a binary file open for reading.
        name: The name of the file in error messages; by default the path's own name, or "image".
        broken: Called with the error of a page that cannot be decoded; the page is then skipped. If
            None, the error is raised.
        max_pixels: The most pixels of a page. Pillow's `Image.MAX_IMAGE_PIXELS`, its limit against
            decompression bombs, applies in any case. Reading a page with text takes about 18
            bytes a pixel, a blank page two.
        first: The page to begin with, from 0.

    Raises:
        PageTooLarge: A page has more pixels; it was not decoded.
        UnreadableInput: The file is missing, empty, truncated, no image or of a format not in
            `FORMATS`, or a page is larger than Pillow's limit against decompression bombs or than
            `MAX_SIDE`. Pages yielded before may be intact; the file as a whole is not.
    """
    name = name or (source.name if isinstance(source, Path) else "image")
    data = _bytes(source, name)
    try:
        with Image.open(io.BytesIO(data), formats=_OPENED) as image:
            frames = getattr(image, "n_frames", 1)
            _refuse_lost_frames(image, data, frames, name)
            for index in range(first, frames):
                try:
                    image.seek(index)
                    _refuse_size(image.size, index, name, max_pixels)
                    image.load()
                    page = _page(image, index, name)
                except Exception as error:
                    if broken is None or frames == 1:
                        raise
                    broken(_broken(error, index, name))
                    continue
                yield page
    except UnreadableInput:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PageTooLarge(name, limit=Image.MAX_IMAGE_PIXELS or 0) from error
    except UnidentifiedImageError as error:
        raise UnreadableInput(
            name, f"not an image of a known format: convert it to one of {', '.join(FORMATS)}"
        ) from error
    except Exception as error:  # decoders raise many types of errors for a broken file
        raise UnreadableInput(
            name, f"damaged or truncated ({type(error).__name__}): scan or fetch it again"
        ) from error


def _broken(error: Exception, index: int, name: str) -> UnreadableInput:
    if isinstance(error, UnreadableInput):
        return error
    what = type(error).__name__
    return UnreadableInput(name, f"page {index} is damaged ({what}): scan or fetch it again")


def refuse_long(size: tuple[int, int], what: str, name: str) -> None:
    """Raise `UnreadableInput` for *name* when *what* has a side longer than `MAX_SIDE`."""
    if max(size) > MAX_SIDE:
        raise UnreadableInput(
            name,
            f"{what} {size[0]} x {size[1]} pixels; OCR takes {MAX_SIDE} a side: cut it into pages",
        )


def write_pages(pages: Iterable[Page], path: Path) -> None:
    """Write pages as one image file, atomically.

    Format, mode, resolution and compression are those of the pages, unless the suffix of *path*
    names another format. Lossless formats keep every pixel; JPEG is written with its original
    quantization tables. Metadata is dropped: a thumbnail in it would show the original.

    Args:
        pages: At least one. They are consumed one by one and, for TIFF, not kept in memory. If the
            iterator raises, the error is passed on and nothing is written.
        path: An existing file is replaced once every page is written.

    Raises:
        OutputError: The format holds only one page or no pages of this mode, or *path* cannot be
            written.
        ValueError: *pages* is empty.
    """
    try:
        with replacing(path) as file:
            _write(iter(pages), file, path)
    except OSError as error:
        raise OutputError(
            path,
            f"cannot be written ({error.strerror or type(error).__name__}): "
            "check the folder, and that the format holds pages of this kind; TIFF holds all",
        ) from error


def write_pages_to(pages: Iterable[Page], file: BinaryIO) -> None:
    """Write pages as one image file of their own format, as `write_pages` does, to *file*.

    Raises:
        ValueError: *pages* is empty, or their format does not hold them.
    """
    _write(iter(pages), file, Path())


def _bytes(source: Path | bytes | BinaryIO, name: str) -> bytes:
    if isinstance(source, bytes):
        return source
    try:
        return source.read_bytes() if isinstance(source, Path) else source.read()
    except OSError as error:
        raise UnreadableInput(name, f"cannot be opened ({error.strerror})") from error


def _refuse_lost_frames(image: Image.Image, data: bytes, frames: int, name: str) -> None:
    """Raise `UnreadableInput` for a truncated TIFF or GIF, whose lost frames Pillow ignores."""
    if image.format == "TIFF":
        image.seek(frames - 1)
        lost = bool(image.tag_v2.next)  # type: ignore[attr-defined]
    else:
        lost = image.format == "GIF" and not data.rstrip(b"\0\r\n").endswith(b";")
    if lost:
        raise UnreadableInput(name, "truncated, pages are missing: scan or fetch it again")


def _refuse_size(size: tuple[int, int], index: int, name: str, most: int | None) -> None:
    width, height = size
    for limit in (most, Image.MAX_IMAGE_PIXELS):
        if limit and width * height > limit:
            raise PageTooLarge(name, f"page {index}", limit)
    if not min(size):
        raise UnreadableInput(name, f"page {index} has no pixels")
    refuse_long(size, f"page {index} is", name)


def _page(image: Image.Image, index: int, name: str) -> Page:
    upright = ImageOps.exif_transpose(image)
    info = image.info
    upright.info = {key: info[key] for key in ("transparency",) if key in info}
    dpi = info.get("dpi")
    return Page(
        upright,
        index,
        name,
        str(image.format),
        (float(dpi[0]), float(dpi[1])) if dpi else None,
        _options(image),
    )


def _options(image: Image.Image) -> dict[str, Any]:
    info = image.info
    options = {key: info[key] for key in ("icc_profile", "default_image") if info.get(key)}
    if image.format == "TIFF":
        compression = info.get("compression", "raw")
        options["compression"] = _TIFF_INSTEAD.get(compression, compression)
    if image.format in ("JPEG", "MPO"):
        options["qtables"] = image.quantization  # type: ignore[attr-defined]
        sampling = JpegImagePlugin.get_sampling(image)
        if sampling >= 0:
            options["subsampling"] = sampling
    if "duration" in info:
        options["duration"] = info["duration"]
        if "loop" in info:
            options["loop"] = info["loop"]
    return options


def _saving(page: Page, target: str) -> dict[str, Any]:
    """Return the arguments of Pillow's `save` for this page in the format *target*."""
    saving: dict[str, Any] = {"dpi": page.dpi} if page.dpi else {}
    if target == "WEBP":
        saving["lossless"] = True
    if target == page.format or (target, page.format) == ("JPEG", "MPO"):
        return saving | page.options
    if target == "JPEG":
        saving |= {"quality": 95, "subsampling": 0}
    if target == "TIFF":
        saving["compression"] = "tiff_lzw"
    return saving


def _target(page: Page, path: Path) -> str:
    """Return the format that the suffix of *path* names, or else the page's own."""
    named = Image.registered_extensions().get(path.suffix.lower(), page.format)
    if named not in FORMATS or (named, page.format) == ("JPEG", "MPO"):
        return page.format
    return named


def _write(pages: Iterator[Page], file: BinaryIO, path: Path) -> None:
    first = next(pages, None)
    if first is None:
        raise ValueError("no pages to write")
    target = _target(first, path)
    if target == "TIFF":
        with TiffImagePlugin.AppendingTiffWriter(file, new=True) as tiff:
            for page in chain([first], pages):
                page.image.save(tiff, format="TIFF", **_saving(page, target))
                tiff.newFrame()
        return
    others = list(pages)
    if others and target in _ONE_PAGE:
        raise OutputError(path, f"{target} holds one page, not several: name a .tif file")
    saving = _saving(first, target)
    if others:
        timed = others if "default_image" in saving else [first, *others]
        saving |= {
            "save_all": True,
            "append_images": [page.image for page in others],
            "duration": [page.options.get("duration", 0) for page in timed],
        }
    first.image.save(file, format=target, **saving)
