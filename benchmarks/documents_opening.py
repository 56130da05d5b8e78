"""Open documents with libraries that are independent of the code measured here."""

import contextlib
import io
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def python_docx(data: bytes) -> None:
    """Open a Word document, and read its paragraphs."""
    import docx

    [one.text for one in docx.Document(io.BytesIO(data)).paragraphs]


def openpyxl(data: bytes) -> None:
    """Open a workbook, and read its cells."""
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data))
    [[cell.value for cell in row] for sheet in book for row in sheet.iter_rows()]


def python_pptx(data: bytes) -> None:
    """Open a presentation, and read its shapes."""
    import pptx

    for slide in pptx.Presentation(io.BytesIO(data)).slides:
        [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def pikepdf(data: bytes) -> None:
    """Open a PDF file, and parse its pages."""
    import pikepdf as library

    with library.open(io.BytesIO(data)) as made:
        [library.parse_content_stream(page) for page in made.pages]


def pdfium(data: bytes) -> None:
    """Open a PDF file, and render its pages."""
    import pypdfium2

    made = pypdfium2.PdfDocument(data)
    try:
        [page.render(scale=0.5) for page in made]
    finally:
        made.close()


def lxml(data: bytes) -> None:
    """Open a package, and parse its XML parts."""
    import zipfile

    from lxml import etree

    with zipfile.ZipFile(io.BytesIO(data)) as package:
        [etree.fromstring(package.read(name)) for name in package.namelist() if _is_xml(name)]


def _is_xml(name: str) -> bool:
    return name.endswith((".xml", ".rels"))


def mail(data: bytes) -> None:
    """Parse a mail, and read its parts."""
    from email import message_from_bytes, policy

    parts = list(message_from_bytes(data, policy=policy.default).walk())
    if len(parts) < 2:
        raise ValueError("it has a single part")


def json(data: bytes) -> None:
    """Parse JSON, or each line of it."""
    from json import loads

    try:
        loads(data)
    except ValueError:
        [loads(line) for line in data.splitlines()]


OPENERS: Mapping[str, Sequence[Callable[[bytes], None]]] = {
    ".docx": (python_docx, lxml),
    ".docm": (lxml,),
    ".xlsx": (openpyxl, lxml),
    ".xlsm": (openpyxl, lxml),
    ".pptx": (python_pptx, lxml),
    ".pdf": (pikepdf, pdfium),
    ".odt": (lxml,),
    ".eml": (mail,),
    ".json": (json,),
    ".jsonl": (json,),
}
"""The programs that open files of each suffix."""

_CONVERTED = (".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".odt", ".ods", ".pdf", ".html", ".csv")
_BATCH = 25  # files that one run of LibreOffice converts
_PATIENCE = 300  # seconds that it has for them

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
"""LibreOffice, where it is installed."""


def opens(opener: Callable[[bytes], None], data: bytes) -> str:
    """Return why *opener* fails on a document; "" if it does not."""
    try:
        opener(data)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:80]}"
    return ""


def libreoffice(files: Mapping[str, bytes]) -> tuple[int, list[str]]:
    """Return the number of *files* given to LibreOffice, and those that it does not turn into PDF.

    It is given documents of its own formats. A file at which it ends takes no others with it: what
    is missing is tried once more by itself.
    """
    if not OFFICE:
        raise FileNotFoundError("LibreOffice is not installed")
    names = [name for name in files if Path(name).suffix in _CONVERTED]
    batches = [names[at : at + _BATCH] for at in range(0, len(names), _BATCH)]
    missing = [name for batch in batches for name in _not_converted(files, batch)]
    return len(names), [name for name in missing if _not_converted(files, [name])]


def _not_converted(files: Mapping[str, bytes], names: Sequence[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            Path(folder, name).write_bytes(files[name])
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [str(OFFICE), profile, "--headless", "--convert-to", "pdf"]
        command += ["--outdir", f"{folder}/out", *(str(Path(folder, name)) for name in names)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
        made = {path.stem for path in Path(folder, "out").glob("*.pdf")}
    return [name for name in names if Path(name).stem not in made]
