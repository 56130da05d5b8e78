"""Define Presidio's image engines with our OCR, offsets and fill, and one that paints surrogates.

The only module that knows `presidio_image_redactor`; it needs the extra ``presidio-cdip[image]``.

    engine = CdipImageRedactorEngine(CdipImageAnalyzerEngine(AnalyzerEngine(...)))
    redacted = engine.redact(image, fill="black")

    redactor = image_redactor(key=key)
    page, report = redactor.redact_page(image, scope="cv-17")
"""

import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from presidio_analyzer import PatternRecognizer, RecognizerResult
from presidio_image_redactor import OCR, ImageAnalyzerEngine, ImageRedactorEngine
from presidio_image_redactor.entities import ImageRecognizerResult

from presidio_cdip.errors import InvalidOption, UnreadableInput
from presidio_cdip.imaging.page.clean import has_ink
from presidio_cdip.imaging.page.pages import Page, read_pages
from presidio_cdip.imaging.painting.erase import fill as erase
from presidio_cdip.imaging.reading.boxes import line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.redaction import (
    PageReport,
    RedactionOptions,
    find_in_page,
    treat,
    with_mentions,
)
from presidio_cdip.imaging.words import Box, Word
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.presidio.analyzer import analyzer
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.keys import Key, default_key

OcrDict = dict[str, list[Any]]
"""Presidio's form of OCR: lists of equal length, one entry a word."""


class CdipImageRecognizerResult(ImageRecognizerResult):
    """The box of a finding on one line of a page.

    Attributes:
        line: The line of the page's text, from 0.
        finding: The finding it is a part of, from 0: boxes of one value share it.
        analysis_explanation: Presidio's explanation, where the analyzer was asked for it.
    """

    def __init__(self, result: RecognizerResult, box: Box, line: int, finding: int) -> None:
        super().__init__(
            result.entity_type,
            result.start,
            result.end,
            result.score,
            box.left,
            box.top,
            box.width,
            box.height,
        )
        self.line = line
        self.finding = finding
        self.analysis_explanation = result.analysis_explanation


class CdipTesseractOCR(OCR):
    """Run Tesseract as `presidio_cdip.imaging` does; the text keeps lines and columns."""

    def perform_ocr(self, image: object, **kwargs: Any) -> OcrDict:
        """Read a page.

        Args:
            image: A Pillow image of any mode, a numpy array (rows, columns and channels), or the
                path of an image file of one page.
            **kwargs: ``lang``, Tesseract's name of the language; nothing else.

        Raises:
            UnreadableInput: There is ink on the page and no text to rely on, or the file cannot be
                read or holds several pages.
            MissingDependency: Tesseract or the language's file is not installed.
            TypeError: Another option was given.
        """
        unknown = set(kwargs) - {"lang"}
        if unknown:
            raise TypeError(f"no OCR option {', '.join(sorted(unknown))}; there is lang")
        page, name = _image(image)
        words = read_words(page, name=name, language=kwargs.get("lang", "eng"))
        return {
            "text": [word.text for word in words],
            "left": [word.box.left for word in words],
            "top": [word.box.top for word in words],
            "width": [word.box.width for word in words],
            "height": [word.box.height for word in words],
            "conf": [word.conf for word in words],
            "level": [5] * len(words),
            "block_num": [word.block for word in words],
            "par_num": [word.paragraph for word in words],
            "line_num": [word.line for word in words],
            "cell": [word.cell for word in words],
            "word_num": list(range(1, len(words) + 1)),
        }

    @staticmethod
    def get_text_from_ocr_dict(ocr_result: OcrDict, separator: str = " ") -> str:
        """Return the page's text with its lines and columns; *separator* is not used."""
        return layout_text(_words(ocr_result)).text


class CdipImageAnalyzerEngine(ImageAnalyzerEngine):
    """Analyze page images, with boxes by the offsets of the findings.

    Without an OCR of the caller's own it reads with `CdipTesseractOCR`; without an analyzer it
    finds with `presidio_cdip.presidio.analyzer.analyzer`, which needs no network.
    """

    def __init__(
        self, analyzer_engine: Any = None, ocr: OCR | None = None, image_preprocessor: Any = None
    ) -> None:
        super().__init__(
            analyzer_engine or analyzer(), ocr or CdipTesseractOCR(), image_preprocessor
        )

    @staticmethod
    def map_analyzer_results_to_bounding_boxes(
        text_analyzer_results: Sequence[RecognizerResult],
        ocr_result: OcrDict,
        text: str,
        allow_list: Sequence[str],
    ) -> list[ImageRecognizerResult]:
        """Return a result per finding and line, with the box of `imaging.reading.boxes`.

        Args:
            text_analyzer_results: The findings in *text*.
            ocr_result: The words of the page.
            text: The text of the words: our layout, or words joined by single separators.
            allow_list: Words to leave as they are.
        """
        if not ocr_result or not text_analyzer_results:
            return []
        layout = _layout(_words(ocr_result), text)
        return [
            CdipImageRecognizerResult(result, part.box, part.line, number)
            for number, result in enumerate(text_analyzer_results)
            for part in line_boxes(layout, result.start, result.end, _ENDLESS, allow_list or ())
        ]


class CdipImageRedactorEngine(ImageRedactorEngine):
    """Fill findings on pages of any mode."""

    def __init__(self, image_analyzer_engine: ImageAnalyzerEngine | None = None) -> None:
        super().__init__(image_analyzer_engine or CdipImageAnalyzerEngine())

    def redact_and_return_bbox(
        self,
        image: Image.Image,
        fill: int | str | tuple[int, int, int] = (0, 0, 0),
        ocr_kwargs: dict[str, Any] | None = None,
        ad_hoc_recognizers: list[PatternRecognizer] | None = None,
        **text_analyzer_kwargs: Any,
    ) -> tuple[Image.Image, list[ImageRecognizerResult]]:
        """Return a copy of the image with the findings filled, and their boxes.

        Args:
            image: A page of any mode.
            fill: A colour: a grey level in [0, 255], a name, or red, green and blue.
            ocr_kwargs: ``lang`` and Presidio's ``ocr_threshold``.
            ad_hoc_recognizers: Recognizers for this page alone.
            **text_analyzer_kwargs: For the text analyzer's `analyze`.

        Raises:
            UnreadableInput: There is ink on the page and no text to rely on.
            MissingDependency: Tesseract or the language's file is not installed.
        """
        self._check_ad_hoc_recognizer_list(ad_hoc_recognizers)
        if ad_hoc_recognizers is not None:
            text_analyzer_kwargs["ad_hoc_recognizers"] = ad_hoc_recognizers
        results = self.image_analyzer_engine.analyze(
            image, ocr_kwargs=ocr_kwargs, **text_analyzer_kwargs
        )
        colour = (fill, fill, fill) if isinstance(fill, int) else fill
        boxes = [Box(r.left, r.top, r.left + r.width, r.top + r.height) for r in results]
        return erase(image, boxes, colour), results


class CdipSurrogateRedactorEngine(CdipImageRedactorEngine):
    """Paint surrogates over findings; `image_redactor` makes one.

    Args:
        image_analyzer_engine: Finds; one that reads with `CdipTesseractOCR` and needs no network,
            if None.
        surrogates: Returns the surrogates of a scope.
        redaction_options: The options of `RedactionOptions`, without its surrogates.
    """

    def __init__(
        self,
        image_analyzer_engine: ImageAnalyzerEngine | None,
        surrogates: Callable[[str], Surrogates],
        redaction_options: Mapping[str, Any],
    ) -> None:
        super().__init__(image_analyzer_engine)
        self._surrogates = surrogates
        self._redaction_options = dict(redaction_options)
        self._in_scope("-")  # raises now if key, method or faces cannot be used

    def redact_page(
        self,
        image: Image.Image,
        scope: str | None = None,
        *,
        page: int = 0,
        language: str = "en",
        ocr_language: str = "eng",
        allow_list: Sequence[str] = (),
        ocr_kwargs: Mapping[str, Any] | None = None,
        **text_analyzer_kwargs: Any,
    ) -> tuple[Image.Image, PageReport]:
        """Return the page with its findings replaced, and a report of each.

        Args:
            image: A page of any mode; it is not changed. A page turned by 90 or 180 degrees is
                read upright, and returned turned as before.
            scope: The name of the document or corpus within which a value keeps its surrogate,
                where that fits. Without one the page has its own.
            page: Its number in the document, from 0: two pages of one scope differ in grain.
            language: The analyzer's name of the page's language.
            ocr_language: Tesseract's name of it.
            allow_list: Words to leave as they are.
            ocr_kwargs: For the OCR's `perform_ocr`, and Presidio's ``ocr_threshold``: the least
                confidence of a word.
            **text_analyzer_kwargs: For the text analyzer's `analyze`.

        Returns:
            The page in the mode it came in, and the report: of each finding its boxes, the method,
            the style and its fit, and why it was erased where it was not painted.

        Raises:
            UnreadableInput: There is ink on the page and no text to rely on.
            StillReadable: An original can still be read after it was erased twice.
            MissingDependency: Tesseract or the language's file is not installed.
            PolicyError: The scope is empty.
        """
        whole = Page(image, page, "image")
        engine = self.image_analyzer_engine
        asked = dict(ocr_kwargs or {})
        least = float(asked.pop("ocr_threshold", 0))

        def read(pixels: Image.Image, /, *, name: str, language: str) -> list[Word]:
            words = _words(engine.ocr.perform_ocr(pixels, **{"lang": language, **asked}))
            if not words and has_ink(pixels):  # how sure another OCR is, only it knows
                raise UnreadableInput(name, "not read, so not clean: look at it by eye")
            return [word for word in words if word.conf >= least]

        found = find_in_page(
            whole,
            _Asked(
                engine.analyzer_engine, {"allow_list": list(allow_list), **text_analyzer_kwargs}
            ),
            language=ocr_language,
            text_language=language,
            read=read,
            allowed=allow_list,
        )
        digest = sha256(image.mode.encode() + image.tobytes()).hexdigest()
        own = self._in_scope(f"page {digest}" if scope is None else scope)
        return treat(whole, with_mentions(found, own), own, language=ocr_language)

    def redact_and_return_bbox(
        self,
        image: Image.Image,
        fill: int | str | tuple[int, int, int] = (0, 0, 0),
        ocr_kwargs: dict[str, Any] | None = None,
        ad_hoc_recognizers: list[PatternRecognizer] | None = None,
        **text_analyzer_kwargs: Any,
    ) -> tuple[Image.Image, list[ImageRecognizerResult]]:
        """Return a copy of the image with surrogates, and their boxes; *fill* is not used.

        Args:
            image: A page of any mode.
            fill: Presidio's; a value that cannot be painted is erased onto paper.
            ocr_kwargs: ``lang`` and Presidio's ``ocr_threshold``.
            ad_hoc_recognizers: Recognizers for this page alone.
            **text_analyzer_kwargs: For the text analyzer's `analyze`; and ``scope``.

        Raises:
            UnreadableInput: There is ink on the page and no text to rely on.
            StillReadable: An original can still be read after it was erased twice.
            MissingDependency: Tesseract or the language's file is not installed.
        """
        self._check_ad_hoc_recognizer_list(ad_hoc_recognizers)
        if ad_hoc_recognizers is not None:
            text_analyzer_kwargs["ad_hoc_recognizers"] = ad_hoc_recognizers
        options = dict(ocr_kwargs or {})
        read_as = options.pop("lang", "eng")
        page, report = self.redact_page(
            image, ocr_language=read_as, ocr_kwargs=options, **text_analyzer_kwargs
        )
        boxes = [
            ImageRecognizerResult(one.entity, 0, 0, 1.0, box.left, box.top, box.width, box.height)
            for one in report.treated
            for box in one.boxes
        ]
        return page, boxes

    def _in_scope(self, scope: str) -> RedactionOptions:
        return RedactionOptions(
            **{**self._redaction_options, "surrogates": self._surrogates(scope)}
        )


def image_redactor(
    analyzer_engine: Any = None,
    *,
    key: bytes | str | None = None,
    locale: str = "en_US",
    options: Mapping[str, Any] | None = None,
    method: str = "surrogate",
    noise: str = "fitted",
    faces: str | os.PathLike[str] | None = None,
    verify: bool = True,
    extras: bool = False,
    pack: Pack | PathLike | None = None,
) -> CdipSurrogateRedactorEngine:
    """Return a `presidio_image_redactor.ImageRedactorEngine` that paints surrogates.

    Args:
        analyzer_engine: Presidio's `AnalyzerEngine` or image analyzer; one with all our
            recognizers that needs no network, if None.
        key: At least 16 bytes; if None, that of the file which ``PRESIDIO_CDIP_KEY_FILE`` names,
            else a random one of this process.
        locale: The locale of names, places and dates, as Faker writes it.
        options: Options of the policy, as in ``operators/README.md``: ``{"ssn": "plausible"}``.
        method: ``surrogate``, or to erase only: ``paper``, ``white``, ``black``, ``telea``,
            ``navier-stokes``.
        noise: Noise of the painted ink: ``fitted`` to the page, ``augraphy`` or ``none``.
        faces: A folder with faces to paint in, and ``faces.json``; else the shipped ones.
        verify: Whether every finished page is read again.
        extras: As in `presidio_cdip.analyzer`, where *analyzer_engine* is None.
        pack: A pack or a folder, as for `Pack.open`: for the surrogates, and for the analyzer
            where *analyzer_engine* is None.

    Raises:
        InvalidOption: *extras* is asked for beside *analyzer_engine*.
        KeyUnusable: The key is too short or too uniform, or its file cannot be read.
        PolicyError: There is no such option or locale.
        FontsMissing: The folder of faces cannot be used.
        MissingDependency: *noise* needs an extra that is not installed.
        ValueError: There is no such method or noise.
    """
    if extras and analyzer_engine is not None:
        raise InvalidOption("add extras to your engine: add_recognizers(engine, extras=True)")
    if not isinstance(analyzer_engine, ImageAnalyzerEngine):
        analyzer_engine = CdipImageAnalyzerEngine(
            analyzer_engine or analyzer(extras=extras, pack=pack)
        )
    kept = default_key() if key is None else Key.of(key)
    opened = Pack.open(pack)
    redaction_options = {"method": method, "noise": noise, "verify": verify}
    if faces is not None:
        redaction_options["faces"] = Path(faces)
    return CdipSurrogateRedactorEngine(
        analyzer_engine,
        lambda scope: Surrogates(kept, scope, locale, options, opened),
        redaction_options,
    )


class _Asked:
    """Call an analyzer with additional arguments.

    Args:
        engine: Presidio's `AnalyzerEngine`.
        more: Arguments for its `analyze`.
    """

    def __init__(self, engine: Any, more: Mapping[str, Any]) -> None:
        self._engine = engine
        self._more = more

    def analyze(self, text: str, language: str, entities: Any = None, **options: Any) -> Any:
        """Return the findings of the engine."""
        asked = {"language": language, "entities": entities, **options, **self._more}
        return self._engine.analyze(text=text, **asked)


_ENDLESS = (1 << 30, 1 << 30)  # Presidio does not pass the page's size; `erase` clips


def _words(ocr_result: OcrDict) -> list[Word]:
    """Return the words of the dict; without line numbers every word is a line of its own."""
    count = len(ocr_result.get("text", ()))
    nothing = [0] * count
    blocks = ocr_result.get("block_num", nothing)
    paragraphs = ocr_result.get("par_num", nothing)
    lines = ocr_result.get("line_num", range(count))
    cells = ocr_result.get("cell", [None] * count)
    boxes = [
        Box(
            int(ocr_result["left"][i]),
            int(ocr_result["top"][i]),
            int(ocr_result["left"][i] + ocr_result["width"][i]),
            int(ocr_result["top"][i] + ocr_result["height"][i]),
        )
        for i in range(count)
    ]
    return [
        Word(
            ocr_result["text"][i],
            boxes[i],
            float(ocr_result["conf"][i]),
            blocks[i],
            paragraphs[i],
            lines[i],
            # Presidio scales the words of a page that it made larger, but no cells.
            cells[i] if cells[i] and cells[i].overlaps(boxes[i]) else None,
        )
        for i in range(count)
    ]


def _layout(words: list[Word], text: str) -> LayoutText:
    """Return the layout of *text*; for the text of another OCR, the words in their order."""
    layout = layout_text(words)
    if layout.text == text:
        return layout
    spans, at = [], 0
    for word in words:
        start = text.index(word.text, at)
        at = start + len(word.text)
        spans.append((start, at))
    lines = tuple(hash((w.block, w.paragraph, w.line)) for w in words)
    return LayoutText(text, tuple(words), tuple(spans), lines)


def _image(image: object) -> tuple[Image.Image, str]:
    if isinstance(image, Image.Image):
        return image, "image"
    if isinstance(image, np.ndarray):
        array = image[:, :, 0] if image.ndim == 3 and image.shape[2] == 1 else image
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        return Image.fromarray(array), "image"
    path = Path(str(image))
    pages = list(read_pages(path))
    if len(pages) > 1:
        raise UnreadableInput(path.name, "holds several pages: hand them in one by one")
    return pages[0].image, path.name
