"""Read the texts of annotations' appearances, and draw those again whose text changed."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2 as pdfium

from presidio_cdip.documents.pdf.objects import streams_of

UNKNOWN = "\ufffd"
_SHOWS = re.compile(rb"[\])>]\s*(?:Tj|TJ|'|\")")
_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOR = re.compile(r"((?:[\d.]+\s+){1,4})(g|rg|k)\b")
_LEAST, _MOST, _USUAL = 4.0, 12.0, 10.0  # points
_WIDE = 0.5  # mean advance of a character of Helvetica, of its size
_MULTILINE = 1 << 12
_PASSWORD = 1 << 13


def texts(annotations: list[Any]) -> list[str]:
    """Return for each annotation the text that its appearances show.

    A text is `UNKNOWN` where something is written that cannot be read.
    """
    shown = [list(_unique(streams_of(one.get("/AP")))) for one in annotations]
    written = [[stream for stream in streams if _writes(stream, 0)] for streams in shown]
    if not any(written):
        return [""] * len(annotations)
    with pikepdf.new() as drawn:
        for streams in written:
            for stream in streams:
                _add(drawn, stream)
        out = io.BytesIO()
        drawn.save(out)
    document = pdfium.PdfDocument(out.getvalue())
    found, number = [], 0
    for streams in written:
        lines = []
        for _ in streams:
            text = document[number].get_textpage().get_text_range()
            lines.append(text.strip() or UNKNOWN)
            number += 1
        found.append("\n".join(dict.fromkeys(lines)).replace("\r\n", "\n"))
    document.close()
    return found


def _unique(streams: Iterator[Any]) -> Iterator[Any]:
    seen = set()
    for stream in streams:
        if stream.objgen not in seen:
            seen.add(stream.objgen)
            yield stream


def _writes(stream: Any, depth: int) -> bool:
    """Return whether a form shows text, or a form within it does."""
    try:
        if _SHOWS.search(stream.read_bytes()):
            return True
    except pikepdf.PdfError:
        return True
    forms = stream.get("/Resources", pikepdf.Dictionary()).get("/XObject")
    if not isinstance(forms, pikepdf.Dictionary) or depth > 8:
        return False
    return any(
        _writes(forms[key], depth + 1)
        for key in forms.keys()  # noqa: SIM118 - a pikepdf object yields no keys itself
        if isinstance(forms[key], pikepdf.Stream) and forms[key].get("/Subtype") == "/Form"
    )


def _add(drawn: pikepdf.Pdf, stream: Any) -> None:
    """Add a page to *drawn* that shows a form."""
    page = drawn.add_blank_page(page_size=(2000, 2000))
    copy = drawn.copy_foreign(stream) if stream.is_indirect else drawn.make_stream(b"")
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Form=copy))
    left, bottom = _corner(stream.get("/BBox"))
    page.obj.Contents = drawn.make_stream(b"1 0 0 1 %.2f %.2f cm /Form Do" % (-left, -bottom))


def _corner(box: Any) -> tuple[float, float]:
    try:
        edges = [float(edge) for edge in box]
        return min(edges[0], edges[2]), min(edges[1], edges[3])
    except (TypeError, ValueError, IndexError):
        return 0.0, 0.0


def inherited(field: Any, entry: str) -> Any:
    """Return an entry of a form field, or of the field it belongs to; None if there is none."""
    for _ in range(20):
        if entry in field:
            return field[entry]
        parent = field.get("/Parent")
        if not isinstance(parent, pikepdf.Dictionary):
            return None
        field = parent
    return None


def draw(pdf: Any, annotation: Any) -> bool:
    """Replace the appearance of an annotation whose text changed, or remove it.

    Returns:
        Whether viewers are to draw it themselves.
    """
    text = _text(annotation)
    if "/AP" in annotation:
        del annotation["/AP"]
    if not text or "/Rect" not in annotation:
        return False
    try:
        codes = text.encode("cp1252")
    except UnicodeEncodeError:
        return True
    annotation.AP = pikepdf.Dictionary(N=_drawn(pdf, annotation, codes.decode("cp1252")))
    return False


def _text(annotation: Any) -> str:
    kind = annotation.get("/Subtype")
    if kind == "/FreeText":
        return str(annotation.get("/Contents", ""))
    if kind != "/Widget" or int(inherited(annotation, "/Ff") or 0) & _PASSWORD:
        return ""
    value = inherited(annotation, "/V")
    if isinstance(value, pikepdf.Array):
        return "\n".join(str(one) for one in value)
    if isinstance(value, pikepdf.String | str):
        return str(value)
    caption = annotation.get("/MK", pikepdf.Dictionary()).get("/CA", "")
    return str(caption) if inherited(annotation, "/FT") == "/Btn" else ""


def _drawn(pdf: Any, annotation: Any, text: str) -> Any:
    left, bottom, right, top = sorted_edges(annotation["/Rect"])
    width, height = right - left, top - bottom
    style = str(inherited(annotation, "/DA") or _style_of_form(pdf) or "")
    many = annotation.get("/Subtype") == "/FreeText" or bool(
        int(inherited(annotation, "/Ff") or 0) & _MULTILINE
    )
    size = float(found[1]) if (found := _SIZE.search(style)) else 0.0
    size = size or (_USUAL if many else min(_MOST, max(_LEAST, 0.7 * height)))
    color = found[0] if (found := _COLOR.search(style)) else "0 g"
    size, lines = _fitted(text, size, width - 4, height - 2, many)
    first = height - 2 - size if many else (height - size) / 2 + 0.22 * size
    parts = [_background(annotation, width, height), "/Tx BMC q", f"0 0 {width} {height} re W n"]
    parts += ["BT", f"{color} /Helv {size} Tf {1.15 * size:.2f} TL 2 {first:.2f} Td"]
    parts += [f"<{line.encode('cp1252').hex()}> Tj T*" for line in lines]
    stream = pdf.make_stream("\n".join([*parts, "ET Q EMC"]).encode())
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    stream.BBox = [0, 0, width, height]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )  # fmt: skip
    stream.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Helv=pdf.make_indirect(font)))
    return pdf.make_indirect(stream)


def _fitted(
    text: str, size: float, width: float, height: float, many: bool
) -> tuple[float, list[str]]:
    """Return the lines of a text, and the size not above *size* at which they fit."""
    while True:
        most = width / (size * _WIDE)
        lines = _wrapped(text, most) if many else [" ".join(text.split("\n"))]
        tall = (1.15 * (len(lines) - 1) + 1) * size <= height
        if (tall and max(map(len, lines)) <= most + 1) or size <= _LEAST:
            return size, lines
        size = max(_LEAST, size - 0.5)


def sorted_edges(box: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a rectangle."""
    edges = [float(edge) for edge in box]
    across, down = sorted(edges[::2]), sorted(edges[1::2])
    return across[0], down[0], across[1], down[1]


def _style_of_form(pdf: Any) -> Any:
    form = pdf.Root.get("/AcroForm")
    return form.get("/DA") if isinstance(form, pikepdf.Dictionary) else None


def _background(annotation: Any, width: float, height: float) -> str:
    color = annotation.get("/MK", pikepdf.Dictionary()).get("/BG")
    if annotation.get("/Subtype") == "/FreeText":
        color = annotation.get("/C")
    if not isinstance(color, pikepdf.Array) or len(color) not in (1, 3, 4):
        return ""
    numbers = " ".join(str(float(one)) for one in color)
    return f"{numbers} {({1: 'g', 3: 'rg', 4: 'k'})[len(color)]} 0 0 {width} {height} re f"


def _wrapped(text: str, most: float) -> list[str]:
    lines = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        now = ""
        for word in line.split(" "):
            if now and len(now) + len(word) + 1 > most:
                lines.append(now)
                now = word
            else:
                now = f"{now} {word}" if now else word
        lines.append(now)
    return lines
