"""Decode the image objects of a PDF, and write other pixels into them."""

import io
from dataclasses import dataclass
from typing import Any

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageChops

from presidio_cdip.documents.pdf.objects import drop
from presidio_cdip.documents.segments import Settings

_MOST_PIXELS = 60_000_000
_QUALITY = 85
_COMPONENTS = {"1": 1, "L": 1, "RGB": 3, "CMYK": 4}
_COLORS = {"1": "/DeviceGray", "L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}


class Undecodable(Exception):
    """An image is damaged, too large, or of a kind that nothing here decodes."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """An image object, as it is seen over white.

    Attributes:
        data: An image file of it: the object's own JPEG, else a PNG.
        suffix: Of that file.
        over_white: Whether it has a soft mask, and is shown here over white.
    """

    data: bytes
    suffix: str
    over_white: bool = False


def size_of(stream: Any) -> tuple[int, int]:
    """Return width and height of an image object, in pixels; (0, 0) if it does not say."""
    try:
        return int(stream.get("/Width", 0)), int(stream.get("/Height", 0))
    except (TypeError, ValueError):
        return 0, 0


def is_stencil(stream: Any) -> bool:
    """Return whether an image object is a stencil that paints with the current colour."""
    return bool(stream.get("/ImageMask", False))


def decoded(stream: Any, settings: Settings) -> Decoded:
    """Decode an image object.

    Raises:
        Undecodable: It cannot be decoded.
    """
    width, height = size_of(stream)
    if not 0 < width * height <= min(_MOST_PIXELS, settings.max_pixels or _MOST_PIXELS):
        raise Undecodable
    mask = stream.get("/SMask")
    if not isinstance(mask, pikepdf.Stream) and (jpeg := _own_jpeg(stream)):
        return Decoded(jpeg, "jpg")
    image = pixels(stream)
    if isinstance(mask, pikepdf.Stream):
        image = _over_white(image, _alpha(mask))
    return Decoded(png(image), "png", isinstance(mask, pikepdf.Stream))


def pixels(stream: Any) -> Image.Image:
    """Return the pixels of an image object, without its soft mask.

    Raises:
        Undecodable: They cannot be decoded.
    """
    try:
        image = _stencil(stream) if is_stencil(stream) else pikepdf.PdfImage(stream).as_pil_image()
        image.load()
    except Exception:  # decoders raise many types of errors
        return _rendered(stream)
    if image.size != size_of(stream):
        return _rendered(stream)
    if is_stencil(stream):
        return image
    if "/Decode" in stream and image.mode in ("1", "L") and _is_inverted(stream):
        image = ImageChops.invert(image)
    if image.mode in ("P", "LA", "PA", "RGBA", "HSV", "YCbCr", "LAB"):
        return image.convert("RGB")
    return image if image.mode in _COMPONENTS else image.convert("L")


def _rendered(stream: Any) -> Image.Image:
    """Return the pixels of an image object as pdfium decodes them: JBIG2, rare colour spaces.

    Raises:
        Undecodable: pdfium sees nothing in it, either.
    """
    width, height = size_of(stream)
    try:
        with pikepdf.new() as pdf:
            page = pdf.add_blank_page(page_size=(width, height))
            copy = pdf.copy_foreign(stream)
            drop(copy, "/SMask", "/Mask")
            page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=copy))
            page.obj.Contents = pdf.make_stream(b"%d 0 0 %d 0 0 cm /Im Do" % (width, height))
            out = io.BytesIO()
            pdf.save(out)
        document = pdfium.PdfDocument(out.getvalue())
        image: Image.Image = document[0].render(scale=1).to_pil().convert("RGB")
        document.close()
    except Exception as error:
        raise Undecodable from error
    levels = image.convert("L").getextrema()
    if levels == (255, 255):  # what cannot be decoded is not painted
        raise Undecodable
    if is_stencil(stream) or int(stream.get("/BitsPerComponent", 8)) == 1:
        return image.convert("L").point(lambda level: 255 * (level > 127)).convert("1")
    return image


def _stencil(stream: Any) -> Image.Image:
    """Return a stencil, with black where it paints."""
    plain = pikepdf.PdfImage(stream)
    if any(name in ("/JBIG2Decode", "/CCITTFaxDecode") for name in plain.filters):
        return plain.as_pil_image().convert("1")
    mode = "1" if not _is_inverted(stream) else "1;I"
    return Image.frombytes("1", size_of(stream), plain.read_bytes(), "raw", mode)


def _is_inverted(stream: Any) -> bool:
    decode = stream.get("/Decode")
    return (
        isinstance(decode, pikepdf.Array)
        and len(decode) == 2
        and float(decode[0]) > float(decode[1])
    )


def _own_jpeg(stream: Any) -> bytes | None:
    """Return the JPEG file of an image object, if it shows the same as the object."""
    filters = stream.get("/Filter")
    one = isinstance(filters, pikepdf.Array) and len(filters) == 1
    only = filters[0] if one else filters
    if only != pikepdf.Name.DCTDecode or "/Decode" in stream or "/Mask" in stream:
        return None
    data = bytes(stream.read_raw_bytes())
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as image:
            same = image.mode in ("L", "RGB") and image.size == size_of(stream)
            exif = image.getexif().get(0x0112, 1)  # the object does not turn by it
    except Exception:
        return None
    return data if same and exif == 1 else None


def _alpha(mask: Any) -> Image.Image:
    return pixels(mask).convert("L")


def _over_white(image: Image.Image, alpha: Image.Image) -> Image.Image:
    size = max(image.width, alpha.width), max(image.height, alpha.height)
    if size[0] * size[1] > _MOST_PIXELS:
        raise Undecodable
    color = image.convert("RGB").resize(size, Image.Resampling.NEAREST)
    white = Image.new("RGB", size, "white")
    white.paste(color, mask=alpha.resize(size, Image.Resampling.NEAREST))
    return white


def png(image: Image.Image) -> bytes:
    """Return *image* as a PNG file, or TIFF if PNG does not hold its mode."""
    out = io.BytesIO()
    image.save(out, "TIFF" if image.mode == "CMYK" else "PNG", compress_level=1)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    """Return the pixels of an image file."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def put(pdf: Any, stream: Any, before: Decoded, data: bytes) -> None:
    """Write the picture *data* into an image object.

    Size, colour space and mask stay, where they hold what the picture shows.

    Args:
        pdf: The document.
        stream: The image object.
        before: What was decoded from it.
        data: An image file of the same size, in place of ``before.data``.
    """
    drop(stream, "/Alternates", "/OPI", "/Metadata", "/PieceInfo", "/AF", "/Measure")
    if before.over_white:
        _put_opaque(pdf, stream, opened(before.data), opened(data))
    elif data.startswith(b"\xff\xd8"):
        stream.write(data, filter=pikepdf.Name.DCTDecode)
    else:
        image = opened(data)
        if is_stencil(stream):
            _write_bits(stream, image.convert("1"))
            drop(stream, "/Decode")
        else:
            write(stream, image)


def _put_opaque(pdf: Any, stream: Any, old: Image.Image, new: Image.Image) -> None:
    """Write the pixels that changed between pictures over white, and make them opaque."""
    new = new.convert("RGB")
    changed = ImageChops.difference(old.convert("RGB"), new).convert("L").point(_any)
    color = pixels(stream).convert("RGB").resize(new.size, Image.Resampling.NEAREST)
    color.paste(new, mask=changed)
    mask = stream["/SMask"]
    alpha = _alpha(mask).resize(new.size, Image.Resampling.NEAREST)
    alpha.paste(255, mask=changed)
    own = pdf.make_stream(b"")
    own.Type, own.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    write(own, alpha)
    write(stream, color)
    stream.SMask = pdf.make_indirect(own)


def _any(level: int) -> int:
    return 255 if level else 0


def write(stream: Any, image: Image.Image, lossy: bool = False) -> None:
    """Write *image* into the image object *stream*, with a colour space that fits it.

    Args:
        stream: The object; a colour space with as many components as *image* has is kept.
        image: Bilevel, grey, RGB or CMYK.
        lossy: Whether to write a JPEG; else the pixels stay as they are.
    """
    if image.mode not in _COMPONENTS:
        image = image.convert("RGB")
    if not _fits(stream, image):
        stream.ColorSpace = pikepdf.Name(_COLORS[image.mode])
    stream.Width, stream.Height = image.size
    stream.BitsPerComponent = 1 if image.mode == "1" else 8
    drop(stream, "/Decode", "/Mask", "/SMaskInData", "/Intent", "/ImageMask")
    if image.mode == "1":
        _write_bits(stream, image)
    elif lossy:
        stream.write(jpeg(image), filter=pikepdf.Name.DCTDecode)
    else:
        stream.write(image.tobytes())


def _fits(stream: Any, image: Image.Image) -> bool:
    """Return whether the object's colour space has the components that *image* has."""
    space = stream.get("/ColorSpace")
    if isinstance(space, pikepdf.Name):
        return str(space) == _COLORS[image.mode]
    if isinstance(space, pikepdf.Array) and len(space) > 1:
        kind = str(space[0])
        if kind == "/ICCBased":
            return int(space[1].get("/N", 0)) == _COMPONENTS[image.mode] and image.mode != "CMYK"
        calibrated = {"/CalRGB": "RGB", "/CalGray": "L"}.get(kind)
        return calibrated == image.mode
    return False


def jpeg(image: Image.Image, quality: int = _QUALITY) -> bytes:
    """Return *image* as a JPEG file."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()


def _write_bits(stream: Any, image: Image.Image) -> None:
    """Write a bilevel image, compressed by CCITT group 4."""
    out = io.BytesIO()
    image.save(out, "TIFF", compression="group4", strip_size=(image.width + 7) // 8 * image.height)
    with Image.open(out) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]
        (start,), (length,), black_is_zero = tags[273], tags[279], tags[262] == 1
    parameters = pikepdf.Dictionary(
        K=-1, Columns=image.width, Rows=image.height, BlackIs1=black_is_zero
    )
    data = out.getvalue()[start : start + length]
    stream.write(data, filter=pikepdf.Name.CCITTFaxDecode, decode_parms=parameters)


def blank(stream: Any) -> None:
    """Make an image object one white pixel."""
    drop(stream, "/SMask", "/Mask", "/Alternates", "/OPI", "/Metadata", "/ImageMask", "/ColorSpace")
    write(stream, Image.new("L", (1, 1), 255))
