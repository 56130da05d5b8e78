"""Presidio's image engines work with our OCR, offsets and fill, for any page."""

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerResult

from presidio_cdip.errors import (
    FontsMissing,
    KeyUnusable,
    MissingDependency,
    PolicyError,
    StillReadable,
    UnreadableInput,
)
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.style.faces import FONTS
from presidio_cdip.presidio.analyzer import analyzer
from presidio_cdip.presidio.operators import anonymize, policy
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.keys import make_key

with warnings.catch_warnings():
    # Presidio's image redactor imports what pydicom is about to drop.
    warnings.simplefilter("ignore", DeprecationWarning)
    from presidio_image_redactor import (
        OCR,
        ImageAnalyzerEngine,
        ImagePreprocessor,
        ImageRedactorEngine,
    )

    from presidio_cdip.presidio.images import (
        CdipImageAnalyzerEngine,
        CdipImageRecognizerResult,
        CdipImageRedactorEngine,
        CdipSurrogateRedactorEngine,
        CdipTesseractOCR,
        image_redactor,
    )

pytestmark = pytest.mark.usefixtures("tesseract")


def finds(entity: str, expression: str) -> PatternRecognizer:
    """A recognizer for one expression."""
    return PatternRecognizer(entity, patterns=[Pattern(entity, expression, 0.9)], name=entity)


@pytest.fixture(scope="module")
def text_engine() -> AnalyzerEngine:
    """Our offline analyzer with two recognizers of a deployment's own."""
    engine = analyzer(["US_SSN"])
    engine.registry.add_recognizer(finds("PERSON", r"John\s+Smith"))
    engine.registry.add_recognizer(finds("DATE_TIME", r"\d{2}/\d{2}/\d{4}"))
    return engine


@pytest.fixture(scope="module")
def engine(text_engine: AnalyzerEngine) -> CdipImageAnalyzerEngine:
    """Presidio's image analyzer with our parts."""
    return CdipImageAnalyzerEngine(text_engine)


@pytest.fixture(scope="module")
def letter() -> Image.Image:
    """A page in grey levels with a name in brackets and a date that touches its label."""
    image = Image.new("L", (800, 200), 255)
    draw, face = ImageDraw.Draw(image), ImageFont.load_default(32)
    draw.text((40, 40), "To: (John Smith)", 0, face)
    draw.text((40, 120), "DOB:11/02/1950", 0, face)
    draw.text((450, 120), "Office 12", 0, face)
    return image


def boxes(results: list[Any]) -> list[tuple[str, int, int, int, int]]:
    """What was found where, as left, top, right and bottom."""
    return [(r.entity_type, r.left, r.top, r.left + r.width, r.top + r.height) for r in results]


@pytest.mark.slow
def test_name_in_brackets_and_date_behind_its_label_are_boxed(
    engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """Presidio's own mapping gives the name no box and boxes the label with the date."""
    results: list[Any] = [*engine.analyze(letter)]

    assert [result.entity_type for result in results] == ["PERSON", "DATE_TIME"]
    name, date = results
    assert name.left < 110 and name.left + name.width > 270
    assert 100 < date.left < 115
    assert all(isinstance(result, CdipImageRecognizerResult) for result in results)
    assert [(name.line, name.finding), (date.line, date.finding)] == [(0, 0), (1, 1)]
    assert "John" not in repr(results) + str(results[0])


def test_explanation_comes_when_asked_for(
    engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """Presidio's decision process passes through the image analyzer."""
    (name, _) = engine.analyze(letter, return_decision_process=True)

    assert name.analysis_explanation.pattern_name == "PERSON"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_page_of_any_mode_is_redacted(
    mode: str, engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """Presidio's default fill, a triple, is black on any page, and nothing else changes."""
    page = (
        Image.fromarray(np.asarray(letter).astype(np.uint16) * 257)
        if mode == "I;16"
        else letter.convert("RGB").convert(mode)
    )

    redacted, results = CdipImageRedactorEngine(engine).redact_and_return_bbox(page)

    assert (redacted.mode, redacted.size) == (page.mode, page.size)
    assert [result.entity_type for result in results] == ["PERSON", "DATE_TIME"]
    outside = np.ones((200, 800), dtype=bool)
    for _, left, top, right, bottom in boxes(results):
        outside[top:bottom, left:right] = False
    before, after = np.asarray(page), np.asarray(redacted)
    assert (before[outside] == after[outside]).all()
    assert engine.analyze(redacted) == []


@pytest.mark.slow
@pytest.mark.parametrize("fill", [0, (0, 0, 0), "black", "#000000"])
def test_fill_may_be_said_in_several_ways(
    fill: Any, engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """A number, as Presidio wants it for grey pages, a triple, a name."""
    redacted = CdipImageRedactorEngine(engine).redact(letter, fill=fill)

    assert redacted.getpixel((200, 55)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grey", "colour", "channel", "boolean", "float", "path"])
def test_page_may_come_in_several_ways(
    kind: str, engine: CdipImageAnalyzerEngine, letter: Image.Image, tmp_path: Path
) -> None:
    """Arrays and paths give the boxes that the picture gives."""
    array = np.asarray(letter)
    letter.save(tmp_path / "page.png")
    ways: dict[str, Any] = {
        "grey": array,
        "colour": np.stack([array] * 3, axis=2),
        "channel": array[:, :, None],
        "boolean": array > 127,
        "float": array / 255,
        "path": str(tmp_path / "page.png"),
    }

    results = engine.analyze(ways[kind])

    assert [result.entity_type for result in results] == ["PERSON", "DATE_TIME"]
    if kind != "boolean":
        assert boxes(results) == boxes(engine.analyze(letter))


def test_path_of_several_pages_is_refused(
    engine: CdipImageAnalyzerEngine, letter: Image.Image, tmp_path: Path
) -> None:
    """Presidio reads the first page and says nothing of the others."""
    letter.save(tmp_path / "pages.tif", save_all=True, append_images=[letter])

    with pytest.raises(UnreadableInput, match=r"pages\.tif: holds several pages"):
        engine.analyze(str(tmp_path / "pages.tif"))


@pytest.mark.slow
def test_allowed_words_stay(engine: CdipImageAnalyzerEngine, letter: Image.Image) -> None:
    """A value on the allow list is not found, a word on it is not boxed."""
    dateless = engine.analyze(letter, allow_list=["11/02/1950"])
    nameless = engine.analyze(letter, allow_list=["(John"])

    assert [result.entity_type for result in dateless] == ["PERSON"]
    assert nameless[0].left > 170


@pytest.mark.slow
def test_presidio_options_work(engine: CdipImageAnalyzerEngine, letter: Image.Image) -> None:
    """Entities, ad-hoc recognizers, the language and the confidence floor for words."""
    redactor = CdipImageRedactorEngine(engine)
    office = finds("OFFICE", r"Office \d+")

    _, some = redactor.redact_and_return_bbox(letter, entities=["PERSON"])
    _, more = redactor.redact_and_return_bbox(letter, ad_hoc_recognizers=[office])
    _, lang = redactor.redact_and_return_bbox(letter, ocr_kwargs={"lang": "eng"})
    _, none = redactor.redact_and_return_bbox(letter, ocr_kwargs={"ocr_threshold": 100})

    assert [result.entity_type for result in some] == ["PERSON"]
    assert "OFFICE" in [result.entity_type for result in more]
    assert len(lang) == 2
    assert none == []
    with pytest.raises(TypeError, match="no OCR option config; there is lang"):
        redactor.redact(letter, ocr_kwargs={"config": "--psm 6"})


def test_text_survives_what_presidio_does_to_the_words(letter: Image.Image) -> None:
    """Without some of its words, the dict still gives their text, lines and columns."""
    ocr = CdipTesseractOCR()
    words = ocr.perform_ocr(letter)
    words["text"][1] = " "

    fewer = ImageAnalyzerEngine.remove_space_boxes(words)

    assert {len(column) for column in fewer.values()} == {len(words["text"]) - 1}
    lines = ocr.get_text_from_ocr_dict(fewer).splitlines()
    assert [line.split() for line in lines if line] == [
        ["To:", "Smith)"],
        ["DOB:11/02/1950", "Office", "12"],
    ]
    assert ocr.get_text_from_ocr_dict({}) == ""


class OtherOCR(OCR):
    """An OCR with no notion of lines, as Presidio's Document Intelligence one."""

    def perform_ocr(self, image: object, **kwargs: Any) -> dict[str, list[Any]]:
        """Two lines, the lower one first, words joined by single spaces."""
        return {
            "text": ["DOB:11/02/1950", "by", "(John", "Smith)"],
            "left": [40, 400, 40, 130],
            "top": [120, 120, 40, 40],
            "width": [200, 30, 80, 90],
            "height": [30, 30, 30, 30],
            "conf": [0.9, 0.9, 0.9, 0.9],
        }


def test_other_ocr_is_mapped_by_offsets_too(
    text_engine: AnalyzerEngine, letter: Image.Image
) -> None:
    """Words joined by single spaces, in whatever order, keep their boxes."""
    results = CdipImageAnalyzerEngine(text_engine, OtherOCR()).analyze(letter)

    found = {entity: (left, right) for entity, left, _, right, _ in boxes(results)}
    assert found["PERSON"][1] > 210
    assert 85 < found["DATE_TIME"][0] < 110


class Halving(ImagePreprocessor):
    """Shows OCR a smaller page, and says so."""

    def preprocess_image(self, image: Image.Image) -> tuple[Image.Image, dict[str, Any]]:
        """The page at half its size."""
        return image.resize((image.width // 2, image.height // 2)), {"scale_factor": 0.5}


@pytest.mark.slow
def test_preprocessor_of_presidio_works(
    text_engine: AnalyzerEngine, engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """Boxes of a page that was scaled come back in its own pixels."""
    scaled = CdipImageAnalyzerEngine(text_engine, image_preprocessor=Halving()).analyze(letter)

    for one, other in zip(boxes(scaled), boxes(engine.analyze(letter)), strict=True):
        assert one[0] == other[0]
        assert one[1:] == pytest.approx(other[1:], abs=8)


def test_overlapping_findings_keep_their_own_boxes(engine: CdipImageAnalyzerEngine) -> None:
    """Each finding of a word has a box; none is lost or counted twice."""
    words: dict[str, list[Any]] = {
        "text": ["John", "Smith"], "left": [0, 100], "top": [0, 0], "width": [90, 90],
        "height": [30, 30], "conf": [90, 90],
    }  # fmt: skip
    results = [RecognizerResult("A", 0, 10, 0.9), RecognizerResult("B", 0, 4, 0.5)]

    mapped: list[Any] = [
        *engine.map_analyzer_results_to_bounding_boxes(results, words, "John Smith", [])
    ]

    assert [(r.entity_type, r.finding) for r in mapped] == [("A", 0), ("B", 1)]
    assert engine.map_analyzer_results_to_bounding_boxes([], words, "John Smith", []) == []


@pytest.mark.slow
def test_unread_page_is_not_handed_back(
    engine: CdipImageAnalyzerEngine, letter: Image.Image
) -> None:
    """A page upside down is an error, not a page without findings."""
    with pytest.raises(UnreadableInput, match="not read, so not clean"):
        CdipImageRedactorEngine(engine).redact(letter.rotate(180))


def test_default_engine_needs_no_network(letter: Image.Image) -> None:
    """Without arguments the redactor finds with our recognizers; Presidio's would download."""
    image = letter.copy()
    ImageDraw.Draw(image).text((300, 40), "SSN 219-09-9998", 0, ImageFont.load_default(32))

    redactor = CdipImageRedactorEngine()
    _, results = redactor.redact_and_return_bbox(image)

    assert isinstance(redactor, ImageRedactorEngine)
    assert "US_SSN" in [result.entity_type for result in results]


KEY = "a key of thirty-two bytes or so."


@pytest.fixture(scope="module")
def typed() -> Image.Image:
    """A page in grey levels with a number behind its label."""
    image = Image.new("L", (600, 90), 255)
    font = ImageFont.truetype(FONTS / "sans-swiss.ttf", 32)
    ImageDraw.Draw(image).text((30, 25), "SSN: 219-09-9998 Office 12", 0, font)
    return image


@pytest.fixture(scope="module")
def redactor(text_engine: AnalyzerEngine) -> CdipSurrogateRedactorEngine:
    """The engine that paints, with a key."""
    return image_redactor(text_engine, key=KEY)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_page_is_replaced_in_its_mode(
    mode: str, redactor: CdipSurrogateRedactorEngine, typed: Image.Image
) -> None:
    """The value gives way, the rest stays to the pixel, and the report says what became of it."""
    page = typed.quantize(64) if mode == "P" else typed.convert("RGB").convert(mode)
    if mode == "1":
        page = typed.point(lambda level: 255 * (level > 127)).convert("1")
    before = page.tobytes()

    image, report = redactor.redact_page(page, scope="cv-17")

    assert (image.mode, image.size) == (mode, page.size)
    assert page.tobytes() == before
    (one,) = report.treated
    assert (one.entity, one.method, one.reason) == ("US_SSN", "surrogate", "")
    outside = np.ones((90, 600), dtype=bool)
    for left, top, right, bottom in one.boxes:
        outside[top:bottom, left:right] = False
    old, new = np.asarray(page), np.asarray(image)
    assert (old[outside] == new[outside]).all()
    assert (old[~outside] != new[~outside]).any()


@pytest.mark.slow
def test_key_and_scope_decide_every_pixel(
    text_engine: AnalyzerEngine, redactor: CdipSurrogateRedactorEngine, typed: Image.Image
) -> None:
    """Another engine with the same gives the same page; another key, scope or page another."""
    same, other = (image_redactor(text_engine, key=key) for key in (KEY, "another key of its own."))

    first = redactor.redact_page(typed, scope="cv-17")[0].tobytes()

    assert same.redact_page(typed, scope="cv-17")[0].tobytes() == first
    assert other.redact_page(typed, scope="cv-17")[0].tobytes() != first
    assert redactor.redact_page(typed, scope="cv-18")[0].tobytes() != first
    noise = np.random.default_rng(0).normal(10, 4, (typed.height, typed.width))
    grainy = Image.fromarray((np.asarray(typed) - noise).clip(0, 255).astype(np.uint8))
    pages = [redactor.redact_page(grainy, scope="cv-17", page=page)[0] for page in (0, 1)]
    assert pages[0].tobytes() != pages[1].tobytes()


@pytest.mark.slow
def test_text_and_page_of_one_scope_agree(
    text_engine: AnalyzerEngine,
    typed: Image.Image,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A number has one surrogate in a text and on a page, by the key file of the environment."""
    make_key(tmp_path / "key")
    monkeypatch.setenv("PRESIDIO_CDIP_KEY_FILE", str(tmp_path / "key"))
    text = "SSN: 219-09-9998 Office 12"
    results = text_engine.analyze(text, "en", entities=["US_SSN"])

    written = anonymize(text, results, policy(scope="cv-17")).text
    page, _ = image_redactor(text_engine).redact_page(typed, scope="cv-17")

    read = " ".join(word.text for word in read_words(page))
    assert (
        written == f"SSN: {Surrogates(scope='cv-17').surrogate('US_SSN', '219-09-9998')} Office 12"
    )
    assert read == written != text


@pytest.mark.slow
def test_it_is_called_as_presidio_calls_it(
    redactor: CdipSurrogateRedactorEngine, typed: Image.Image
) -> None:
    """Its signature, with a fill that is not used; without a scope the page is its own."""
    image = redactor.redact(typed, (255, 192, 203), score_threshold=0.4)
    again, results = redactor.redact_and_return_bbox(
        typed, fill="black", ocr_kwargs={"lang": "eng"}
    )
    scoped = redactor.redact(typed, scope="cv-17")

    assert isinstance(redactor, ImageRedactorEngine)
    assert image.tobytes() == again.tobytes() != scoped.tobytes()
    assert [result.entity_type for result in results] == ["US_SSN"]
    assert scoped.tobytes() == redactor.redact_page(typed, scope="cv-17")[0].tobytes()


@pytest.mark.slow
def test_options_of_presidio_reach_the_painter(
    redactor: CdipSurrogateRedactorEngine, typed: Image.Image
) -> None:
    """Entities, an allow list and recognizers for one page."""
    office = finds("OFFICE", r"Office \d+")

    none, _ = redactor.redact_page(typed, entities=["PERSON"])
    allowed, _ = redactor.redact_page(typed, allow_list=["219-09-9998"])
    _, results = redactor.redact_and_return_bbox(typed, ad_hoc_recognizers=[office])

    assert none.tobytes() == allowed.tobytes() == typed.tobytes()
    assert [result.entity_type for result in results] == ["US_SSN", "OFFICE"]


def test_option_of_ocr_that_there_is_not_is_refused(
    redactor: CdipSurrogateRedactorEngine, typed: Image.Image
) -> None:
    """As by the engine that fills: nothing is passed over in silence."""
    with pytest.raises(TypeError, match="no OCR option config"):
        redactor.redact(typed, ocr_kwargs={"config": "--psm 6"})


@pytest.mark.slow
def test_page_upside_down_is_returned_as_it_came(
    redactor: CdipSurrogateRedactorEngine, letter: Image.Image
) -> None:
    """It is read upright and painted upright, and lies as it lay."""
    image, report = redactor.redact_page(letter.rotate(180), scope="cv-17")
    upright, plain = redactor.redact_page(letter, scope="cv-17")

    assert (report.turned, plain.turned) == (2, 0)
    assert [one.entity for one in report.treated] == ["PERSON", "DATE_TIME"]
    assert image.rotate(180).tobytes() == upright.tobytes() != letter.tobytes()


def test_other_ocr_may_be_painted_over(text_engine: AnalyzerEngine, letter: Image.Image) -> None:
    """What another OCR reads, without lines and paragraphs, is found and treated."""
    engine = image_redactor(CdipImageAnalyzerEngine(text_engine, OtherOCR()), key=KEY)

    _, report = engine.redact_page(letter, scope="cv-17")

    assert "DATE_TIME" in {one.entity for one in report.treated}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["paper", "white", "black", "telea", "navier-stokes"])
def test_values_may_only_be_erased(
    method: str, text_engine: AnalyzerEngine, typed: Image.Image
) -> None:
    """The method that was asked for, without a surrogate."""
    _, report = image_redactor(text_engine, method=method, verify=False).redact_page(typed)

    assert [one.method for one in report.treated] == [method]


@pytest.mark.parametrize(
    ("how", "error", "says"),
    [
        ({"key": "short"}, KeyUnusable, "16"),
        ({"method": "blur"}, ValueError, "no method"),
        ({"noise": "loud"}, ValueError, "no noise"),
        ({"locale": "tlh_QO"}, PolicyError, "locale must be a locale that Faker knows"),
        ({"options": {"sns": "plausible"}}, PolicyError, "sns"),
        ({"faces": "nowhere"}, FontsMissing, "nowhere"),
    ],
    ids=str,
)
def test_redactor_that_cannot_work_is_not_made(
    how: dict[str, Any], error: type[Exception], says: str, text_engine: AnalyzerEngine
) -> None:
    """What is wrong is said when the engine is made, not at the first page."""
    with pytest.raises(error, match=says):
        image_redactor(text_engine, **how)


def test_noise_that_is_not_installed_is_said(
    text_engine: AnalyzerEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the engine is made: the extra that brings it."""
    monkeypatch.setitem(sys.modules, "augraphy", None)

    with pytest.raises(MissingDependency, match="augraphy"):
        image_redactor(text_engine, key=KEY, noise="augraphy")


def test_empty_scope_is_refused(redactor: CdipSurrogateRedactorEngine, typed: Image.Image) -> None:
    """All pages would share surrogates by mistake."""
    with pytest.raises(PolicyError, match="scope is empty"):
        redactor.redact_page(typed, scope=" ")


def test_page_on_which_an_original_stays_is_not_handed_back(
    redactor: CdipSurrogateRedactorEngine, typed: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the entity, and no page is returned."""

    def still(image: Any, findings: list[Any], **options: Any) -> list[Any]:
        return list(findings)

    monkeypatch.setattr("presidio_cdip.imaging.redaction.still_readable", still)

    with pytest.raises(StillReadable, match="US_SSN can still be read") as refused:
        redactor.redact_page(typed, scope="cv-17")

    assert "9998" not in str(refused.value)
