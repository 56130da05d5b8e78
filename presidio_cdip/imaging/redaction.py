"""The whole job: find on a page, erase, look again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from PIL import Image

from presidio_cdip.errors import StillReadable
from presidio_cdip.imaging import erase
from presidio_cdip.imaging.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.erase import Colour
from presidio_cdip.imaging.layout import LayoutText, layout_text
from presidio_cdip.imaging.ocr import Looker, Reader, look_again, read_words
from presidio_cdip.imaging.pages import FORMATS, Page, read_pages, write_pages
from presidio_cdip.imaging.verify import still_readable

SUFFIXES = frozenset(
    suffix for suffix, name in Image.registered_extensions().items() if name in FORMATS
)
"""Of files that `redact_file` can write."""


class Analyzer(Protocol):
    """What finds in text: Presidio's `AnalyzerEngine`, or anything that is called alike."""

    def analyze(
        self,
        text: str,
        language: str,
        entities: list[str] | None = None,
        *,
        score_threshold: float | None = None,
        return_decision_process: bool | None = None,
    ) -> Sequence[Any]:
        """The findings, as Presidio's `RecognizerResult`."""


@dataclass(frozen=True, slots=True)
class PageFindings:
    """What was found on a page.

    Attributes:
        name: The file's name as the caller gave it.
        index: The page, from 0.
        findings: In the order of the text.
        layout: The page's text and words.
    """

    name: str
    index: int
    findings: tuple[PageFinding, ...]
    layout: LayoutText = field(repr=False)


def find_in_page(
    page: Page,
    analyzer: Analyzer,
    entities: Sequence[str] | None = None,
    min_score: float = 0.0,
    *,
    language: str = "eng",
    text_language: str = "en",
    read: Reader = read_words,
) -> PageFindings:
    """Find personal data on a page.

    Args:
        page: The page.
        analyzer: Finds in the page's text.
        entities: What to look for; None for all that the analyzer knows.
        min_score: Findings below it are left out, in [0, 1].
        language: Tesseract's name of the page's language, such as "eng" or "eng+deu".
        text_language: The analyzer's name of it.
        read: Reads the page.

    Raises:
        UnreadableInput: The page could not be read.
        MissingDependency: Tesseract or its language file is not installed.
    """
    layout = layout_text(read(page.image, name=page.title, language=language))
    results = analyzer.analyze(
        layout.text,
        text_language,
        list(entities) if entities is not None else None,
        score_threshold=min_score,
        return_decision_process=True,
    )
    findings = tuple(
        PageFinding(result, line_boxes(layout, result.start, result.end, page.image.size))
        for result in sorted(results, key=lambda result: (result.start, result.end))
    )
    return PageFindings(page.name, page.index, findings, layout)


def find_in_pages(
    source: Path | bytes | BinaryIO, name: str, analyzer: Analyzer, **options: Any
) -> Iterator[PageFindings]:
    """What `find_in_page`, with its *options*, finds on each page of an image file.

    Raises:
        UnreadableInput: The file or one of its pages cannot be read.
        MissingDependency: As `find_in_page`.
    """
    for page in read_pages(source, name):
        yield find_in_page(page, analyzer, **options)


def erase_findings(
    page: Page,
    findings: Sequence[PageFinding],
    fill: Colour = "black",
    verify: bool = True,
    *,
    language: str = "eng",
    look: Looker = look_again,
) -> Image.Image:
    """The page's image with the findings erased; what can still be read is erased wider, once.

    Args:
        page: The page they were found on; it stays as it is.
        findings: What to erase.
        fill: The colour, as for `erase.fill`.
        verify: Whether to read the page again where something was erased.
        language: Tesseract's name of the page's language.
        look: Reads the page again.

    Raises:
        StillReadable: An original can be read even after the second erasing.
        MissingDependency: Tesseract is not installed.
    """
    image, left = page.image, list(findings)
    for _ in range(2):
        image = erase.fill(image, [box for finding in left for box in finding.boxes], fill)
        if not verify:
            return image
        left = still_readable(image, left, name=page.title, language=language, look=look)
        if not left:
            return image
        left = [finding.widened(image.size) for finding in left]
    raise StillReadable(page.title, {finding.entity for finding in left})


def redact_file(
    path: Path,
    out: Path,
    analyzer: Analyzer,
    fill: Colour = "black",
    verify: bool = True,
    entities: Sequence[str] | None = None,
    min_score: float = 0.0,
    *,
    language: str = "eng",
    text_language: str = "en",
    read: Reader = read_words,
    look: Looker = look_again,
) -> tuple[PageFindings, ...]:
    """Erase what is found on every page of an image file, and write the file anew.

    Args:
        path: The file. It stays as it is, unless *out* names it too.
        out: Where to write; its suffix may name another format. Nothing is written unless every
            page was read, erased and, with *verify*, found erased.
        analyzer: Finds in the pages' text.
        fill: The colour of what is erased, as for `erase.fill`.
        verify: Whether every page is read again where something was erased.
        entities: What to look for; None for all that the analyzer knows.
        min_score: Findings below it stay on the page, in [0, 1].
        language: Tesseract's name of the pages' language.
        text_language: The analyzer's name of it.
        read: Reads a page.
        look: Reads a redacted page again.

    Returns:
        What was found, page by page.

    Raises:
        UnreadableInput: The file or one of its pages cannot be read.
        StillReadable: An original could be read after erasing.
        MissingDependency: Tesseract or its language file is not installed.
        CdipError: *out* cannot be written.
    """
    report: list[PageFindings] = []

    def redacted(page: Page) -> Page:
        found = find_in_page(
            page,
            analyzer,
            entities,
            min_score,
            language=language,
            text_language=text_language,
            read=read,
        )
        report.append(found)
        return page.showing(
            erase_findings(page, found.findings, fill, verify, language=language, look=look)
        )

    write_pages(map(redacted, read_pages(path, str(path))), out)
    return tuple(report)
