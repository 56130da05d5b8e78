"""Build PDFs of scanned pages, and of pictures on pages."""

import io
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name
from PIL import Image, ImageDraw, ImageFont

import presidio_cdip.imaging
from tests.documents.pdf.builders_structure import helvetica, saved

FACE = Path(presidio_cdip.imaging.__file__).parent / "fonts" / "sans-office.ttf"
SIZE = (600, 400)
WIDTH, HEIGHT = 216, 144  # points; 200 pixels an inch
TURNS = {
    0: None,
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_270,
}


def picture(*lines: str, mode: str = "L", size: tuple[int, int] = SIZE) -> Image.Image:
    """Return a picture of lines of text, with a corner marked at the top left."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 30, 12), fill=0)
    for number, text in enumerate(lines):
        draw.text((40, 60 + 60 * number), text, fill=0, font=ImageFont.truetype(str(FACE), 32))
    return image.convert(mode)


def image_of(pdf: pikepdf.Pdf, image: Image.Image, jpeg: bool = False) -> Any:
    """Return an image object."""
    space = {"1": "/DeviceGray", "L": "/DeviceGray", "RGB": "/DeviceRGB"}[image.mode]
    stream = pdf.make_stream(image.tobytes())
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height = image.size
    stream.ColorSpace, stream.BitsPerComponent = Name(space), 1 if image.mode == "1" else 8
    if jpeg:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=90)
        stream.write(out.getvalue(), filter=Name.DCTDecode)
    return pdf.make_indirect(stream)


def add_page(
    pdf: pikepdf.Pdf, content: str, width: float = WIDTH, height: float = HEIGHT, **objects: Any
) -> pikepdf.Page:
    """Add a page; its pictures have the names in *objects*."""
    pdf.add_blank_page(page_size=(width, height))
    page = pdf.pages[-1]
    page.obj.Resources = Dictionary(
        XObject=Dictionary({f"/{name}": one for name, one in objects.items()}),
        Font=Dictionary(F1=helvetica(pdf)),
    )
    page.obj.Contents = pdf.make_stream(content.encode())
    return page


def scan(image: Image.Image, hidden: str = "", turn: int = 0, jpeg: bool = False) -> bytes:
    """Return a PDF of one scanned page.

    Args:
        image: The page as it is to be displayed.
        hidden: Its text layer.
        turn: The page's rotation, in degrees clockwise; the picture is stored turned back.
        jpeg: Whether the picture is a JPEG.
    """
    pdf = pikepdf.new()
    way = TURNS[turn]
    stored = image if way is None else image.transpose(way)
    width, height = (HEIGHT, WIDTH) if turn in (90, 270) else (WIDTH, HEIGHT)
    content = f"q {width} 0 0 {height} 0 0 cm /Im Do Q BT 3 Tr /F1 12 Tf 15 112 Td ({hidden}) Tj ET"
    page = add_page(pdf, content, width, height, Im=image_of(pdf, stored, jpeg))
    if turn:
        page.obj.Rotate = turn
    return saved(pdf)
