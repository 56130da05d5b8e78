"""Read the length of a document's text with independent libraries."""

import io
import re
from collections.abc import Callable, Mapping


def length_of_text(data: bytes, name: str) -> int | None:
    """Return the number of letters and digits of a document; None if no library reads it."""
    suffix = name[name.rfind(".") :].lower()
    extractor = EXTRACTORS.get(suffix)
    if extractor is None:
        return None
    try:
        return len(re.sub(r"[\W_]", "", extractor(data)))
    except Exception:
        return None


def _pdf(data: bytes) -> str:
    import pypdfium2

    made = pypdfium2.PdfDocument(data)
    try:
        return "".join(page.get_textpage().get_text_range() for page in made)
    finally:
        made.close()


def _word(data: bytes) -> str:
    import docx

    made = docx.Document(io.BytesIO(data))
    return "".join(text for text in made.element.body.itertext())


def _sheet(data: bytes) -> str:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True)
    cells = (cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)
    return "".join(str(cell.value) for cell in cells if isinstance(cell.value, str))


def _slides(data: bytes) -> str:
    import pptx

    made = pptx.Presentation(io.BytesIO(data))
    shapes = (shape for slide in made.slides for shape in slide.shapes)
    return "".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)


def _open(data: bytes) -> str:
    import zipfile
    from xml.etree import ElementTree

    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "".join(ElementTree.fromstring(package.read("content.xml")).itertext())


def _mail(data: bytes) -> str:
    from email import message_from_bytes, policy

    parts = message_from_bytes(data, policy=policy.default).walk()
    return "".join(
        str(part.get_content()) for part in parts if part.get_content_type()[:4] == "text"
    )


EXTRACTORS: Mapping[str, Callable[[bytes], str]] = {
    ".pdf": _pdf,
    ".docx": _word,
    ".xlsx": _sheet,
    ".pptx": _slides,
    ".odt": _open,
    ".eml": _mail,
}
"""The functions that read the text of files with each suffix."""
