"""Redact page images: find values, erase them, paint surrogates, and check the result."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from PIL import Image

from presidio_cdip.errors import CdipError, StillReadable, UnreadableInput, place_of
from presidio_cdip.imaging.page import paper
from presidio_cdip.imaging.page.canvas import without_hidden
from presidio_cdip.imaging.page.clean import grey, has_marks
from presidio_cdip.imaging.page.pages import (
    FORMATS,
    Page,
    read_pages,
    write_pages,
    write_pages_to,
)
from presidio_cdip.imaging.page.similarity import Similarity, similarity
from presidio_cdip.imaging.page.turning import boxes_back, turned, turns_to_try
from presidio_cdip.imaging.painting.augraphy_noise import augraphy
from presidio_cdip.imaging.painting.erase import Colour, fill
from presidio_cdip.imaging.painting.painting import NOISES
from presidio_cdip.imaging.painting.replacing import Filler, FindingReport, Replacer, Source
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes, whole_values
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.reading.ocr import Looker, Reader, look_again, read_words
from presidio_cdip.imaging.reading.unread import unread_regions
from presidio_cdip.imaging.reading.verify import still_readable
from presidio_cdip.imaging.style.faces import FONTS, faces
from presidio_cdip.imaging.words import Box, Word

SUFFIXES = frozenset(
    suffix for suffix, name in Image.registered_extensions().items() if name in FORMATS
)
"""File name suffixes that `redact_file` can write."""

SURROGATE = "surrogate"
METHODS = (SURROGATE, *paper.METHODS)
"""Redaction methods: ``surrogate`` paints a surrogate, the others only erase."""

OVERLAPS = "a longer finding shares a word with it"
_KEPT = ("transparency", "dpi", "icc_profile")  # entries of Pillow's `info` without any text
AGAIN = "could be read again, or ink of it was left, so it was erased wider"


class Analyzer(Protocol):
    """Find values in text: Presidio's `AnalyzerEngine`, or an object with the same method."""

    def analyze(
        self,
        text: str,
        language: str,
        entities: list[str] | None = None,
        *,
        score_threshold: float | None = None,
        return_decision_process: bool | None = None,
    ) -> Sequence[Any]:
        """Return the findings, as Presidio's `RecognizerResult`."""


@dataclass(frozen=True, slots=True)
class RedactionOptions:
    """Hold the options of a redaction: how findings are erased and what replaces them.

    Attributes:
        method: One of `METHODS`.
        surrogates: The source of surrogates; required for ``surrogate``.
        noise: The noise of painted ink, one of `painting.NOISES`.
        faces: A folder with typefaces.
        fill: If given, boxes are filled with this colour, as by `erase.fill`, and nothing is
            painted.
        verify: Whether erased places are read again by OCR.
        similarity: Whether reports say how similar pages are to the originals.

    Raises:
        ValueError: Unknown method or noise, or ``surrogate`` without *surrogates*.
        FontsMissing: The folder of typefaces cannot be used.
        MissingDependency: The noise needs an extra that is not installed.
    """

    method: str = "black"
    surrogates: Source | None = None
    noise: str = "fitted"
    faces: Path = FONTS
    fill: Colour | None = None
    verify: bool = True
    similarity: bool = False

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"no method {self.method!r}; there are {', '.join(METHODS)}")
        if self.noise not in NOISES:
            raise ValueError(f"no noise {self.noise!r}; there are {', '.join(NOISES)}")
        if self.noise == "augraphy":
            augraphy()
        if self.method == SURROGATE:
            if self.surrogates is None:
                raise ValueError("the method surrogate needs surrogates")
            faces(self.faces)

    def colour(self, page: Image.Image) -> Colour:
        """Return the fill colour of areas of *page*: the paper's, or the method's."""
        if self.fill is not None or self.method in ("black", "white"):
            return self.fill or self.method
        seen = np.asarray(page.convert("RGB")).reshape(-1, 3)
        light = seen[grey(page).reshape(-1) >= np.median(grey(page))]
        red, green, blue = (int(level) for level in np.median(light, axis=0))
        return red, green, blue

    def worker(self, page: Image.Image, layout: LayoutText, name: str) -> Filler | Replacer:
        """Return the object that redacts the findings of *page*.

        Where the page's mode does not allow painting, boxes are filled with white.

        Args:
            page: The page, upright.
            layout: Its text and words.
            name: The name of the page within its scope.
        """
        if self.fill is not None or self.method in ("black", "white"):
            return Filler(page, self.fill or self.method, self.method, layout=layout)
        shown = faces(self.faces) if self.method == SURROGATE else ()
        erasing = "paper" if self.method == SURROGATE else self.method
        try:
            return Replacer(page, layout, shown, self.surrogates, erasing, self.noise, name)
        except CdipError as error:
            return Filler(page, "white", "white", str(error), layout)


@dataclass(frozen=True, slots=True)
class PageFindings:
    """Hold the findings of one page.

    Attributes:
        name: The file's name as the caller gave it.
        index: The page number, from 0.
        findings: In the order of the text; their boxes are in pixels of the rotated page.
        layout: The page's text and words.
        turned: Quarter turns counter-clockwise that made the page upright; 0 for an upright page.
        size: Width and height of the page before rotation.
        unread: Boxes of ink like writing that OCR did not read, on the page before rotation.
        areas: Boxes to fill whatever stands in them, on the page before rotation.
    """

    name: str
    index: int
    findings: tuple[PageFinding, ...]
    layout: LayoutText = field(repr=False)
    turned: int = 0
    size: tuple[int, int] = (0, 0)
    unread: tuple[Box, ...] = ()
    areas: tuple[Box, ...] = ()

    def boxes(self, finding: PageFinding) -> tuple[Box, ...]:
        """Return the boxes of *finding* on the page before rotation."""
        return self.as_it_was(finding.boxes)

    def as_it_was(self, boxes: Iterable[Box]) -> tuple[Box, ...]:
        """Return *boxes* of the rotated page on the page before rotation."""
        return boxes_back(boxes, self.turned, self.size)

    def to_fill(self, areas: Sequence[Box]) -> "PageFindings":
        """Return the findings with *areas*, in which nothing is unread any more."""
        unread = tuple(box for box in self.unread if not any(_holds(one, box) for one in areas))
        return replace(self, areas=tuple(areas), unread=unread)


@dataclass(frozen=True, slots=True)
class PageReport:
    """Report the redaction of one page.

    Attributes:
        name: The file's name as the caller gave it.
        index: The page number, from 0.
        size: Its width and height, in pixels.
        turned: Quarter turns counter-clockwise that made the page upright.
        treated: One report for each finding, in the order of the text; boxes are in pixels of the
            page before rotation.
        unread: Boxes of ink like writing that OCR did not read; nothing in them was changed.
        similarity: How similar the page is to the original, if that was asked for.
    """

    name: str
    index: int
    size: tuple[int, int]
    turned: int
    treated: tuple[FindingReport, ...]
    unread: tuple[Box, ...] = ()
    similarity: Similarity | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object; it holds no text of the page."""
        plainest = Counter(one.entity for one in self.treated if one.plainest)
        data: dict[str, Any] = {
            "file": self.name,
            "page": self.index,
            "size": list(self.size),
            "turned": self.turned,
            "plainest": dict(sorted(plainest.items())),
            "findings": [one.as_json() for one in self.treated],
            "unread": [list(box) for box in self.unread],
        }
        return data | ({"similarity": self.similarity.as_json()} if self.similarity else {})


@dataclass(frozen=True, slots=True)
class FileReport:
    """Report the redaction of one file.

    Attributes:
        found: The findings of each page that was written.
        pages: The report of each page that was written.
        problems: The errors of the pages that were not written.
    """

    found: tuple[PageFindings, ...]
    pages: tuple[PageReport, ...]
    problems: tuple[CdipError, ...]


def find_in_page(
    page: Page,
    analyzer: Analyzer,
    entities: Sequence[str] | None = None,
    min_score: float = 0.0,
    *,
    language: str = "eng",
    text_language: str = "en",
    read: Reader = read_words,
    allowed: Collection[str] = (),
) -> PageFindings:
    """Find personal data on a page.

    A finding within a word or number is widened to all of it; a label at its start is left out.
    A page that OCR cannot read is rotated by quarter turns and read again, first as Tesseract's
    orientation detection reports.

    Args:
        page: The page.
        analyzer: Finds values in the page's text.
        entities: The entities to find; None for all that the analyzer supports.
        min_score: The minimum score of a finding, in [0, 1].
        language: Tesseract's name of the page's language, such as "eng" or "eng+deu".
        text_language: The analyzer's name of that language.
        read: The OCR function.
        allowed: Words that are not boxed; a word must be equal to one of them.

    Raises:
        UnreadableInput: The page could not be read in any of the four orientations.
        MissingDependency: Tesseract or its language file is not installed.
    """
    words, turns = _read_upright(page, language, read)
    upright = turned(page.image, turns)
    size = upright.size
    layout = layout_text(words)
    results: Sequence[Any] = ()
    if words:
        results = analyzer.analyze(
            layout.text,
            text_language,
            list(entities) if entities is not None else None,
            score_threshold=min_score,
            return_decision_process=True,
        )
    results = [copy(result) for result in results]
    spans = whole_values(layout.text, [(result.start, result.end) for result in results])
    for result, span in zip(results, spans, strict=True):
        result.start, result.end = span
    findings = tuple(
        PageFinding(result, line_boxes(layout, result.start, result.end, size, allowed))
        for result in sorted(results, key=lambda result: (result.start, result.end))
    )
    unread = boxes_back(unread_regions(upright, words), turns, page.image.size)
    return PageFindings(page.name, page.index, findings, layout, turns, page.image.size, unread)


def _read_upright(page: Page, language: str, read: Reader) -> tuple[list[Word], int]:
    """Return the words of a page, and the quarter turns after which OCR could read them.

    A page with a few marks, which OCR takes for blank, is also rotated: they may be letters.
    """
    error: UnreadableInput | None = None
    try:
        words = read(page.image, name=page.title, language=language)
        if words or not has_marks(page.image):
            return words, 0
    except UnreadableInput as unread:
        error = unread
    for turns in turns_to_try(page.image):
        try:
            words = read(turned(page.image, turns), name=page.title, language=language)
        except UnreadableInput as unread:  # ink that OCR sees only in this orientation
            error = error or unread
        else:
            if words:
                return words, turns
    if error:
        raise error
    return [], 0


def find_in_pages(
    source: Path | bytes | BinaryIO,
    name: str,
    analyzer: Analyzer,
    *,
    max_pixels: int | None = None,
    **options: Any,
) -> Iterator[PageFindings]:
    """Yield the findings of each page of an image file; *options* go to `find_in_page`.

    `read_pages` says what *max_pixels* is.

    Raises:
        UnreadableInput: The file or one of its pages cannot be read.
        MissingDependency: As `find_in_page`.
    """
    for page in read_pages(source, name, max_pixels=max_pixels):
        yield find_in_page(page, analyzer, **options)


def with_mentions(found: PageFindings, options: RedactionOptions) -> PageFindings:
    """Return *found* with the towns and names that the page's text repeats, if they are painted.

    Args:
        found: The findings of a page.
        options: How to redact.
    """
    if options.method != SURROGATE or options.fill is not None or options.surrogates is None:
        return found
    if not found.findings:
        return found
    text = found.layout.text
    placed = [(one.result.start, one.result.end, one.entity) for one in found.findings]
    width, height = found.size
    size = (height, width) if found.turned % 2 else (width, height)
    repeated = []
    for start, end, entity in options.surrogates.on_page(text, placed).mentions():
        result = copy(found.findings[0].result)
        result.entity_type, result.start, result.end = entity, start, end
        repeated.append(PageFinding(result, line_boxes(found.layout, start, end, size, ())))
    every = sorted((*found.findings, *repeated), key=lambda one: (one.result.start, one.result.end))
    return replace(found, findings=tuple(every))


def treat(
    page: Page,
    found: PageFindings,
    options: RedactionOptions,
    *,
    language: str = "eng",
    look: Looker = look_again,
) -> tuple[Image.Image, PageReport]:
    """Return the redacted image of a page, and a report of each finding.

    An original that OCR can still read on the redacted page, or of whose ink something is left, is
    erased again with a larger box, and if it still is, with the ink of other words in that box; the
    report records it.

    Args:
        page: The page; it is not changed.
        found: Its findings.
        options: How to redact.
        language: Tesseract's name of the page's language.
        look: The OCR function that reads the redacted page.

    Raises:
        UnreadableInput: A finding has an empty box.
        StillReadable: An original can be read, or ink of it is left, even after the last erasure.
        MissingDependency: Tesseract is not installed.
    """
    upright = turned(page.image, found.turned)
    worker: Filler | Replacer = Filler(upright, "white", "white")
    if found.findings:  # else there is nothing to prepare, which takes several times the page
        worker = options.worker(upright, found.layout, str(page.index))
    paints = options.fill is None and options.method == SURROGATE
    findings = list(found.findings)
    if any(box.width < 1 or box.height < 1 for one in findings for box in one.boxes):
        raise UnreadableInput(page.title, "what was found has no place on it: look at it by eye")
    painted = set(_without_overlaps(findings) if paints else ())
    worker.agree([findings[number] for number in sorted(painted)])
    done: dict[int, FindingReport] = {}
    for number in sorted(range(len(findings)), key=lambda number: number in painted):
        if number in painted:
            findings[number], done[number] = worker.paint(findings[number])
        else:
            reason = OVERLAPS if paints else ""
            findings[number], done[number] = worker.erase(findings[number], reason)
    treated = [done[number] for number in range(len(findings))]
    if options.verify:

        def seen(some: Sequence[PageFinding]) -> list[PageFinding]:
            return still_readable(worker.image, some, name=page.title, language=language, look=look)

        def shown(some: Sequence[PageFinding]) -> list[PageFinding]:
            """Return the findings that can be read, or of which ink is left."""
            readable = seen(some)
            return [one for one in some if one in readable or worker.left(one)]

        first, again = tuple(findings), list(range(len(findings)))
        for cutting in (False, True):
            exposed = shown([findings[number] for number in again])
            again = [number for number in again if findings[number] in exposed]
            for number in again:
                wider = first[number].widened(upright.size, cutting=cutting)
                findings[number], treated[number] = worker.erase(wider, AGAIN)
        if again and (left := shown([findings[number] for number in again])):
            raise StillReadable(page.title, {finding.entity for finding in left})
    back = tuple(
        replace(
            report,
            boxes=boxes_back(report.boxes, found.turned, page.image.size),
            left=worker.left(finding),
        )
        for finding, report in zip(findings, treated, strict=True)
    )
    image = turned(worker.image, -found.turned)
    if found.areas:
        image = fill(image, found.areas, options.colour(image))
    image = without_hidden(image)
    alike = similarity(grey(page.image), grey(image)) if options.similarity else None
    report_of_page = PageReport(
        page.name, page.index, page.image.size, found.turned, back, found.unread, alike
    )
    if image is page.image:
        image = image.copy()
    image.info = {key: image.info[key] for key in _KEPT if key in image.info}
    return image, report_of_page


def _holds(area: Box, box: Box) -> bool:
    """Return whether most of *box* lies in *area*."""
    left, top = max(area.left, box.left), max(area.top, box.top)
    right, bottom = min(area.right, box.right), min(area.bottom, box.bottom)
    shared = max(0, right - left) * max(0, bottom - top)
    return shared > 0.8 * box.width * box.height


def _without_overlaps(findings: Sequence[PageFinding]) -> Iterator[int]:
    """Yield the indices of findings that share no word; of overlapping ones, the longest."""
    used: set[int] = set()
    lengths = {
        number: sum(len(part.text) for part in one.parts) for number, one in enumerate(findings)
    }
    for number in sorted(lengths, key=lambda number: -lengths[number]):
        words = {index for part in findings[number].parts for index in part.words}
        if used.isdisjoint(words):
            used |= words
            yield number


def redact_picture(
    data: bytes,
    name: str,
    out: BinaryIO,
    analyzer: Analyzer,
    options: RedactionOptions | None = None,
    *,
    language: str = "eng",
    text_language: str = "en",
    read: Reader = read_words,
    look: Looker = look_again,
    max_pixels: int | None = None,
    areas: Callable[[Page], Sequence[Box]] = lambda page: (),
) -> FileReport:
    """Redact every page of an image in memory, or none: no page of it may be lost.

    Args:
        data: The image file.
        name: Its name in error messages.
        out: Where to write the image file; nothing is written after an error.
        analyzer: Finds values in the pages' text.
        options: How to redact; black boxes, if None.
        language: Tesseract's name of the pages' language.
        text_language: The analyzer's name of that language.
        read: The OCR function for pages.
        look: The OCR function that reads redacted pages.
        max_pixels: The most pixels of a page, as of `read_pages`.
        areas: From a page to the boxes that are filled whatever stands in them.

    Raises:
        UnreadableInput: A page cannot be read.
        StillReadable: On a page an original stayed readable.
        MissingDependency: Tesseract or its language file is not installed.
    """
    options = options or RedactionOptions()
    found: list[PageFindings] = []
    pages: list[Page] = []
    reports: list[PageReport] = []
    for page in read_pages(data, name, max_pixels=max_pixels):
        here = find_in_page(
            page, analyzer, language=language, text_language=text_language, read=read
        ).to_fill(areas(page))
        here = with_mentions(here, options)
        image, report = treat(page, here, options, language=language, look=look)
        found.append(here)
        pages.append(page.showing(image))
        reports.append(report)
    write_pages_to(pages, out)
    return FileReport(tuple(found), tuple(reports), ())


def redact_file(
    path: Path,
    out: Path,
    analyzer: Analyzer,
    options: RedactionOptions | None = None,
    entities: Sequence[str] | None = None,
    min_score: float = 0.0,
    *,
    language: str = "eng",
    text_language: str = "en",
    read: Reader = read_words,
    look: Looker = look_again,
    watch: Callable[[Page, Image.Image, PageReport], object] | None = None,
    max_pixels: int | None = None,
) -> FileReport:
    """Redact every page of an image file and write the result.

    A page that cannot be read, or on which an original can still be read, is not written; the
    report lists it. If no page remains, no file is written.

    Args:
        path: The file. It is not changed, unless *out* is the same file.
        out: Where to write; its suffix may name another format.
        analyzer: Finds values in the pages' text.
        options: How to redact; black boxes, if None.
        entities: The entities to find; None for all that the analyzer supports.
        min_score: The minimum score of a finding that is redacted, in [0, 1].
        language: Tesseract's name of the pages' language.
        text_language: The analyzer's name of that language.
        read: The OCR function for pages.
        look: The OCR function that reads redacted pages.
        watch: Called with every page, its redacted image and its report.
        max_pixels: The most pixels of a page, as of `read_pages`.

    Raises:
        UnreadableInput: No page of the file could be read; `others` holds the errors of the
            other pages.
        StillReadable: On every page that could be read, an original stayed readable.
        MissingDependency: Tesseract or its language file is not installed.
        OutputError: *out* cannot be written.
    """
    options = options or RedactionOptions()
    found: list[PageFindings] = []
    reports: list[PageReport] = []
    problems: list[CdipError] = []

    def done(page: Page) -> Page | None:
        try:
            here = find_in_page(
                page,
                analyzer,
                entities,
                min_score,
                language=language,
                text_language=text_language,
                read=read,
            )
            here = with_mentions(here, options)
            image, report = treat(page, here, options, language=language, look=look)
        except (UnreadableInput, StillReadable) as error:
            problems.append(error)
            return None
        except CdipError:
            raise
        except Exception as error:  # its message may hold text of the page
            problems.append(UnreadableInput(page.title, f"failed ({place_of(error)})"))
            return None
        found.append(here)
        reports.append(report)
        if watch:
            watch(page, image, report)
        return page.showing(image)

    def pages() -> Iterator[Page]:
        for page in read_pages(path, str(path), problems.append, max_pixels):
            if written := done(page):
                yield written
        if not reports:
            worst = next((one for one in problems if isinstance(one, StillReadable)), problems[0])
            worst.others = tuple(one for one in problems if one is not worst)
            raise worst

    try:
        write_pages(pages(), out)
    except (UnreadableInput, StillReadable):
        # The output of an earlier run must not be mistaken for the output of this one.
        if out.exists() and not out.samefile(path):
            out.unlink()
        raise
    return FileReport(tuple(found), tuple(reports), tuple(problems))
