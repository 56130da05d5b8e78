"""The whole job: find on a page, erase, paint, look again."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from PIL import Image

from presidio_cdip.errors import CdipError, StillReadable, UnreadableInput, place_of
from presidio_cdip.imaging.page import paper
from presidio_cdip.imaging.page.canvas import without_hidden
from presidio_cdip.imaging.page.clean import has_marks
from presidio_cdip.imaging.page.pages import FORMATS, Page, read_pages, write_pages
from presidio_cdip.imaging.page.turning import boxes_back, turned, turns_to_try
from presidio_cdip.imaging.painting.augraphy_noise import augraphy
from presidio_cdip.imaging.painting.erase import Colour
from presidio_cdip.imaging.painting.painting import NOISES
from presidio_cdip.imaging.painting.replacing import Filler, FindingReport, Replacer, Source
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.reading.ocr import Looker, Reader, look_again, read_words
from presidio_cdip.imaging.reading.verify import still_readable
from presidio_cdip.imaging.style.faces import FONTS, faces
from presidio_cdip.imaging.words import Box, Word

SUFFIXES = frozenset(
    suffix for suffix, name in Image.registered_extensions().items() if name in FORMATS
)
"""Of files that `redact_file` can write."""

SURROGATE = "surrogate"
METHODS = (SURROGATE, *paper.METHODS)
"""What may become of what was found: a painted surrogate, or one of the ways to erase."""

OVERLAPS = "a longer finding shares a word with it"
_KEPT = ("transparency", "dpi", "icc_profile")  # of what Pillow knows of an image: no text
AGAIN = "could be read again, so it was erased wider"


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
class RedactionOptions:
    """How findings are taken from a page, and what comes in their place.

    Attributes:
        method: One of `METHODS`.
        surrogates: Where values come from; needed for ``surrogate``.
        noise: Of painted ink, one of `painting.NOISES`.
        faces: A folder with faces to paint in.
        fill: A colour that is filled in instead of all this, as for `erase.fill`.
        verify: Whether every page is read again where something was erased.

    Raises:
        ValueError: There is no such method or noise, or no surrogates for the method.
        FontsMissing: The folder of faces cannot be used.
        MissingDependency: The noise needs an extra that is not installed.
    """

    method: str = "black"
    surrogates: Source | None = None
    noise: str = "fitted"
    faces: Path = FONTS
    fill: Colour | None = None
    verify: bool = True

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

    def worker(self, page: Image.Image, layout: LayoutText, name: str) -> Filler | Replacer:
        """What treats the findings of *page*, whose text is *layout*, called *name* in its scope.

        A page of a mode that cannot be painted on is filled with white.
        """
        if self.fill is not None or self.method in ("black", "white"):
            return Filler(page, self.fill or self.method, self.method)
        shown = faces(self.faces) if self.method == SURROGATE else ()
        erasing = "paper" if self.method == SURROGATE else self.method
        try:
            return Replacer(page, layout, shown, self.surrogates, erasing, self.noise, name)
        except CdipError as error:
            return Filler(page, "white", "white", str(error))


@dataclass(frozen=True, slots=True)
class PageFindings:
    """What was found on a page.

    Attributes:
        name: The file's name as the caller gave it.
        index: The page, from 0.
        findings: In the order of the text; their boxes are those of the page as it was read.
        layout: The page's text and words.
        turned: Quarter turns counter-clockwise after which it was read; 0 for an upright page.
        size: Width and height of the page as it came.
    """

    name: str
    index: int
    findings: tuple[PageFinding, ...]
    layout: LayoutText = field(repr=False)
    turned: int = 0
    size: tuple[int, int] = (0, 0)

    def boxes(self, finding: PageFinding) -> tuple[Box, ...]:
        """Where *finding* stands on the page as it came."""
        return boxes_back(finding.boxes, self.turned, self.size)


@dataclass(frozen=True, slots=True)
class PageReport:
    """What became of a page.

    Attributes:
        name: The file's name as the caller gave it.
        index: The page, from 0.
        size: Its width and height, in pixels.
        turned: Quarter turns counter-clockwise after which it was read.
        treated: What became of each finding, in the order of the text; boxes of the page as it
            came.
    """

    name: str
    index: int
    size: tuple[int, int]
    turned: int
    treated: tuple[FindingReport, ...]

    def as_json(self) -> dict[str, Any]:
        """A line of a report; no text of the page is in it."""
        return {
            "file": self.name,
            "page": self.index,
            "size": list(self.size),
            "turned": self.turned,
            "findings": [one.as_json() for one in self.treated],
        }


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of a file.

    Attributes:
        found: What was found, on each page that was written.
        pages: What became of it, likewise.
        problems: Why the other pages are not in the file that was written.
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

    A page that cannot be read as it lies is turned, as Tesseract's orientation detection says or
    else one way after another, and read again.

    Args:
        page: The page.
        analyzer: Finds in the page's text.
        entities: What to look for; None for all that the analyzer knows.
        min_score: Findings below it are left out, in [0, 1].
        language: Tesseract's name of the page's language, such as "eng" or "eng+deu".
        text_language: The analyzer's name of it.
        read: Reads the page.
        allowed: Words to leave as they are, compared whole.

    Raises:
        UnreadableInput: The page could not be read, however it was turned.
        MissingDependency: Tesseract or its language file is not installed.
    """
    words, turns = _read_upright(page, language, read)
    size = turned(page.image, turns).size
    layout = layout_text(words)
    results = analyzer.analyze(
        layout.text,
        text_language,
        list(entities) if entities is not None else None,
        score_threshold=min_score,
        return_decision_process=True,
    )
    findings = tuple(
        PageFinding(result, line_boxes(layout, result.start, result.end, size, allowed))
        for result in sorted(results, key=lambda result: (result.start, result.end))
    )
    return PageFindings(page.name, page.index, findings, layout, turns, page.image.size)


def _read_upright(page: Page, language: str, read: Reader) -> tuple[list[Word], int]:
    """The words of a page, and after how many quarter turns they could be read.

    A page of a few marks, which would pass as blank, is turned, too: they may be letters.
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
        except UnreadableInput as unread:  # ink, as it shows when it lies so
            error = error or unread
        else:
            if words:
                return words, turns
    if error:
        raise error
    return [], 0


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


def treat(
    page: Page,
    found: PageFindings,
    options: RedactionOptions,
    *,
    language: str = "eng",
    look: Looker = look_again,
) -> tuple[Image.Image, PageReport]:
    """The page's image without its findings, and what became of each.

    What can still be read on the finished page is erased wider, once, and the report says so.

    Args:
        page: The page they were found on; it stays as it is.
        found: What was found on it.
        options: How it goes.
        language: Tesseract's name of the page's language.
        look: Reads the page again.

    Raises:
        StillReadable: An original can be read even after the second erasing.
        MissingDependency: Tesseract is not installed.
    """
    upright = turned(page.image, found.turned)
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

        shown = seen(findings)
        again = [number for number, one in enumerate(findings) if one in shown]
        for number in again:
            wider = findings[number].widened(upright.size)
            findings[number], treated[number] = worker.erase(wider, AGAIN)
        if again and (left := seen([findings[number] for number in again])):
            raise StillReadable(page.title, {finding.entity for finding in left})
    back = tuple(
        replace(one, boxes=boxes_back(one.boxes, found.turned, page.image.size)) for one in treated
    )
    report_of_page = PageReport(page.name, page.index, page.image.size, found.turned, back)
    image = without_hidden(turned(worker.image, -found.turned))
    image.info = {key: image.info[key] for key in _KEPT if key in image.info}
    return image, report_of_page


def _without_overlaps(findings: Sequence[PageFinding]) -> Iterator[int]:
    """Which of *findings* have words of their own; of those that share one, the longest."""
    used: set[int] = set()
    lengths = {
        number: sum(len(part.text) for part in one.parts) for number, one in enumerate(findings)
    }
    for number in sorted(lengths, key=lambda number: -lengths[number]):
        words = {index for part in findings[number].parts for index in part.words}
        if used.isdisjoint(words):
            used |= words
            yield number


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
) -> FileReport:
    """Take what is found from every page of an image file, and write the file anew.

    A page that cannot be read, or on which an original can still be read, is left out of what is
    written; the report says so. Where no page is left, nothing is written.

    Args:
        path: The file. It stays as it is, unless *out* names it too.
        out: Where to write; its suffix may name another format.
        analyzer: Finds in the pages' text.
        options: What findings give way to; black boxes, if None.
        entities: What to look for; None for all that the analyzer knows.
        min_score: Findings below it stay on the page, in [0, 1].
        language: Tesseract's name of the pages' language.
        text_language: The analyzer's name of it.
        read: Reads a page.
        look: Reads a redacted page again.
        watch: Called with every page, what it became, and the report of it.

    Raises:
        UnreadableInput: No page of the file could be read; `others` holds what is wrong with the
            other pages.
        StillReadable: Of the pages that could be read, an original stayed readable on each.
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
            image, report = treat(page, here, options, language=language, look=look)
        except (UnreadableInput, StillReadable) as error:
            problems.append(error)
            return None
        except CdipError:
            raise
        except Exception as error:  # its message may show what stands on the page
            problems.append(UnreadableInput(page.title, f"failed ({place_of(error)})"))
            return None
        found.append(here)
        reports.append(report)
        if watch:
            watch(page, image, report)
        return page.showing(image)

    def pages() -> Iterator[Page]:
        for page in read_pages(path, str(path), broken=problems.append):
            if written := done(page):
                yield written
        if not reports:
            worst = next((one for one in problems if isinstance(one, StillReadable)), problems[0])
            worst.others = tuple(one for one in problems if one is not worst)
            raise worst

    try:
        write_pages(pages(), out)
    except (UnreadableInput, StillReadable):
        # What an earlier run wrote must not be taken for this one's.
        if out.exists() and not out.samefile(path):
            out.unlink()
        raise
    return FileReport(tuple(found), tuple(reports), tuple(problems))
