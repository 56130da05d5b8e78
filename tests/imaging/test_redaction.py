"""A file is written without its findings, or not at all."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from presidio_analyzer import AnalyzerEngine, RecognizerResult

import presidio_cdip
from presidio_cdip.errors import CdipError, FontsMissing, StillReadable, UnreadableInput
from presidio_cdip.imaging.page.clean import has_ink
from presidio_cdip.imaging.page.pages import Page, read_pages
from presidio_cdip.imaging.page.turning import turned
from presidio_cdip.imaging.painting.replacing import Replacer
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import look_again, read_words
from presidio_cdip.imaging.redaction import (
    AGAIN,
    METHODS,
    PageFindings,
    RedactionOptions,
    find_in_page,
    find_in_pages,
    redact_file,
    treat,
)
from presidio_cdip.imaging.words import Box, Word
from presidio_cdip.surrogates.engine import Candidate, Surrogates

from .drawing import face, page, typeset

LETTER = [
    (60, 40, "To: (John Smith)"),
    (560, 40, "SSN: 123-45-6789"),
    (60, 120, "DOB:11/02/1950"),
    (560, 120, "Office: 555-0142"),
]
VALUES = ("John", "Smith", "123-45-6789", "11/02/1950")


@pytest.fixture(scope="module")
def letter(tesseract: str, analyzer: AnalyzerEngine) -> tuple[Page, list[Box]]:
    """A page and what is found on it."""
    one = Page(page(LETTER, (1000, 200)), name="letter.png")
    found = find_in_page(one, analyzer)
    return one, [box for finding in found.findings for box in finding.boxes]


@pytest.mark.usefixtures("tesseract")
def test_findings_have_boxes_and_reasons(analyzer: AnalyzerEngine) -> None:
    """Each finding says what, where, how sure and why."""
    one = Page(page(LETTER, (1000, 200)), 4, "letter.tif")

    found = find_in_page(one, analyzer)

    assert (found.name, found.index) == ("letter.tif", 4)
    assert [finding.entity for finding in found.findings] == ["PERSON", "US_SSN", "DATE_OF_BIRTH"]
    for finding in found.findings:
        assert len(finding.boxes) == 1
        assert finding.result.score == 0.9
        assert finding.result.analysis_explanation.pattern_name == finding.entity
    person, number, birth = (finding.boxes[0] for finding in found.findings)
    assert 105 < person.left < 120 and 280 < person.right < 310
    assert number.left > 635 and birth.left > 115


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_entities_and_score_narrow_the_search(analyzer: AnalyzerEngine) -> None:
    """Only what is asked for, and is certain enough, is found."""
    one = Page(page(LETTER, (1000, 200)))

    some = find_in_page(one, analyzer, entities=["US_SSN"])
    none = find_in_page(one, analyzer, min_score=0.95)

    assert [finding.entity for finding in some.findings] == ["US_SSN"]
    assert none.findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_file_is_redacted_in_its_mode(
    mode: str, letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, tmp_path: Path
) -> None:
    """No value can be read, the rest can, and no pixel outside the boxes has changed."""
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    image = letter[0].image.convert("RGB").convert(mode)
    image.save(source)

    report = redact_file(source, out, analyzer)

    redacted = next(read_pages(out)).image
    text = layout_text(read_words(redacted)).text
    assert not any(value in text for value in VALUES)
    assert "Office: 555-0142" in text
    assert redacted.mode == mode
    boxes = [box for one in report.pages[0].treated for box in one.boxes]
    outside = np.ones((image.height, image.width), dtype=bool)
    for left, top, right, bottom in boxes:
        outside[top:bottom, left:right] = False
    before, after = np.asarray(image.convert("RGB")), np.asarray(redacted.convert("RGB"))
    assert (before[outside] == after[outside]).all()
    assert (after[~outside] == 0).all()


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_every_page_of_a_file_is_redacted(analyzer: AnalyzerEngine, tmp_path: Path) -> None:
    """What stands on the last page is erased, too; a blank page in between is no trouble."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    first, blank, last = (
        page(texts, (1000, 100)).convert("1") for texts in ([LETTER[0]], [], [LETTER[1]])
    )
    first.save(source, save_all=True, append_images=[blank, last], compression="group4")

    report = redact_file(source, out, analyzer)

    assert [[f.entity for f in found.findings] for found in report.found] == [
        ["PERSON"],
        [],
        ["US_SSN"],
    ]
    pages = list(read_pages(out))
    assert [one.options["compression"] for one in pages] == ["group4"] * 3
    around = [Box(0, 0, *pages[0].image.size)]
    text = " ".join(word.text for one in pages for word in look_again(one.image, around))
    assert not any(value in text for value in VALUES)


NOISE = Image.effect_noise((300, 100), 200)


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_unread_page_is_left_out(analyzer: AnalyzerEngine, tmp_path: Path) -> None:
    """Of a page that cannot be read nothing is written; the others are, and the report says so."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    one = page([LETTER[1]], (1000, 100))
    one.save(source, save_all=True, append_images=[NOISE, page([], (90, 90))])

    report = redact_file(source, out, analyzer)

    assert [found.index for found in report.found] == [0, 2]
    assert [(one.index, len(one.treated)) for one in report.pages] == [(0, 1), (2, 0)]
    (problem,) = report.problems
    assert re.search(r"in\.tif, page 1: not read, so not clean", str(problem))
    assert [one.image.size for one in read_pages(out)] == [(1000, 100), (90, 90)]


def test_file_without_a_readable_page_is_not_written(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """However OCR fails on it, nothing lies there; the error names the first page."""
    source = tmp_path / "in.tif"
    Image.new("L", (90, 90)).save(source, save_all=True, append_images=[Image.new("L", (9, 9))])

    with pytest.raises(UnreadableInput, match=r"in\.tif, page 0"):
        redact_file(source, tmp_path / "out.tif", analyzer, read=doubles.Unreadable())

    assert [path.name for path in tmp_path.iterdir()] == ["in.tif"]


@pytest.mark.filterwarnings("ignore")
def test_broken_frame_is_left_out(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """Two frames of three are written, and the third is a problem with its number."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    frames = [Image.effect_noise((80, 60), 40 + index) for index in range(3)]
    frames[0].save(source, save_all=True, append_images=frames[1:], compression="tiff_lzw")
    data = bytearray(source.read_bytes())
    with Image.open(source) as image:
        image.seek(2)
        tags = image.tag_v2  # type: ignore[attr-defined]
        data[tags[273][0] : tags[273][0] + sum(tags[279])] = b"\xff" * sum(tags[279])
    source.write_bytes(data)

    report = redact_file(source, out, analyzer, read=doubles.Unreadable(after=9))

    assert [one.index for one in report.pages] == [0, 1]
    assert [str(problem) for problem in report.problems if "page 2 is damaged" in str(problem)]
    assert [one.image.tobytes() for one in read_pages(out)] == [f.tobytes() for f in frames[:2]]


def test_page_that_stays_readable_is_left_out(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """One page of two keeps its original in sight; where it is the only one, that is an error."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    image = Image.new("L", (400, 100), 255)
    image.save(source, save_all=True, append_images=[image])
    image.save(tmp_path / "one.tif")
    word = Word("123-45-6789", Box(40, 40, 240, 70), 95.0)

    class Second(doubles.Sees):  # type: ignore[misc,name-defined]
        def __call__(self, *args: object, **kwargs: object) -> list[Word]:
            self.asked += 1
            return self.words if self.asked > 1 else []

    sees = doubles.Sees(word)
    report = redact_file(source, out, analyzer, read=sees, look=Second(word))
    with pytest.raises(StillReadable):
        redact_file(tmp_path / "one.tif", tmp_path / "no.tif", analyzer, read=sees, look=sees)

    assert [one.index for one in report.pages] == [0]
    assert [type(problem) for problem in report.problems] == [StillReadable]
    assert len(list(read_pages(out))) == 1
    assert not (tmp_path / "no.tif").exists()


def test_rubbish_from_ocr_does_no_harm(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """What is found off the page can be erased nowhere: such a page is not passed off as clean."""
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    image = Image.effect_noise((90, 90), 90)
    image.save(source)

    with pytest.raises(UnreadableInput, match="no place on it"):
        redact_file(source, out, analyzer, read=doubles.Rubbish(), look=doubles.Rubbish())

    assert not out.exists()


def test_what_an_earlier_run_wrote_does_not_stay(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """Where a page fails, no older one stands in its place."""
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    for file in (source, out):
        Image.effect_noise((90, 90), 90).save(file)

    with pytest.raises(UnreadableInput):
        redact_file(source, out, analyzer, read=doubles.Rubbish(), look=doubles.Rubbish())

    assert source.exists() and not out.exists()


def test_each_page_is_looked_at_once(
    letter: tuple[Page, list[Box]], doubles: ModuleType, analyzer: AnalyzerEngine
) -> None:
    """The second look runs once per page, however many findings it has."""
    one, look = letter[0], doubles.Sees()

    treat(one, find_in_page(one, analyzer), RedactionOptions("white"), look=look)

    assert look.asked == 1


def test_hidden_colours_and_comments_go(analyzer: AnalyzerEngine, doubles: ModuleType) -> None:
    """What is transparent, and so unread, has no colour afterwards; metadata do not travel."""
    hidden = page([(60, 40, "SSN: 123-45-6789")], (600, 90)).convert("RGBA")
    hidden.putalpha(0)
    hidden.info["comment"] = "SSN 123-45-6789"
    one = Page(hidden)

    image, _ = treat(
        one, find_in_page(one, analyzer, read=doubles.Sees()), RedactionOptions("white")
    )

    assert image.convert("RGB").getextrema() == ((255, 255),) * 3
    assert image.info == {}


def test_still_readable_is_erased_wider_once(
    letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """A value that shows beyond its box is erased again, wider; if that fails, nothing comes."""
    one, boxes = letter
    found = find_in_page(one, analyzer)

    class Once(doubles.Sees):  # type: ignore[misc,name-defined]
        def __call__(self, *args: object, **kwargs: object) -> list[Word]:
            self.asked += 1
            return self.words if self.asked == 1 else []

    tail = Word("Smith)", Box(240, 40, 340, 70))
    image, report = treat(one, found, RedactionOptions(), look=Once(tail))
    with pytest.raises(StillReadable, match=r"letter\.png, page 0: PERSON can still be read"):
        treat(one, found, RedactionOptions(), look=doubles.Sees(tail))

    beyond = (boxes[0].right + 5, boxes[0].top + 10)
    beside = (boxes[1].right + 5, boxes[1].top + 10)
    assert [one.reason for one in report.treated] == [AGAIN, "", ""]
    assert image.getpixel(beyond) == 0
    assert image.getpixel(beside) == one.image.getpixel(beside)


def test_ink_that_is_left_is_a_leak(
    letter: tuple[Page, list[Box]],
    analyzer: AnalyzerEngine,
    doubles: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though OCR reads nothing, a value of which ink stands is erased wider, or nothing comes."""
    one, _ = letter
    found = find_in_page(one, analyzer)
    left = iter([0, 9, 0, 0, 0, 0, 0, 0])

    monkeypatch.setattr(Replacer, "left", lambda self, finding: next(left))
    _, report = treat(one, found, RedactionOptions("paper"), look=doubles.Sees())
    monkeypatch.setattr(Replacer, "left", lambda self, finding: 9)
    with pytest.raises(StillReadable):
        treat(one, found, RedactionOptions("paper"), look=doubles.Sees())

    assert [one.reason for one in report.treated] == ["", AGAIN, ""]
    assert [one.left for one in report.treated] == [0, 0, 0]


@pytest.mark.parametrize("method", [pytest.param("black", marks=pytest.mark.slow), "paper"])
def test_ink_outside_of_a_poor_box_is_erased(
    method: str,
    letter: tuple[Page, list[Box]],
    analyzer: AnalyzerEngine,
    doubles: ModuleType,
) -> None:
    """OCR's boxes are too high: the feet go all the same, and the report counts no ink."""
    one, _ = letter
    poor = [
        replace(word, box=Box(word.box.left, word.box.top - 7, word.box.right, word.box.bottom - 7))
        for word in read_words(one.image)
    ]
    found = find_in_page(one, analyzer, read=doubles.Sees(*poor))

    image, report = treat(one, found, RedactionOptions(method), look=doubles.Sees())

    assert [one.left for one in report.treated] == [0, 0, 0]
    left, _, right, bottom = report.treated[1].boxes[0]
    feet = np.s_[bottom - 8 : bottom + 8, left:right]
    if method == "paper":
        assert (np.asarray(one.image)[feet] < 128).any()
        assert (np.asarray(image)[feet] > 128).all()
    else:
        assert (np.asarray(image)[bottom : bottom + 8, left:right] > 128).all()


def test_second_look_can_be_left_out(
    letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """Without verify the page is not read again."""
    found = find_in_page(letter[0], analyzer)
    look = doubles.Sees(Word("Smith", Box(240, 40, 340, 70)))

    treat(letter[0], found, RedactionOptions("white", verify=False), look=look)

    assert look.asked == 0


@pytest.mark.slow
def test_page_of_the_caller_stays(
    letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """Erasing works on a copy."""
    one, _ = letter
    before = one.image.tobytes()

    treat(one, find_in_page(one, analyzer), RedactionOptions(), look=doubles.Sees())

    assert one.image.tobytes() == before


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_file_may_be_redacted_in_place(analyzer: AnalyzerEngine, tmp_path: Path) -> None:
    """Reading ends before writing begins."""
    file = tmp_path / "page.png"
    page([LETTER[1]], (1000, 100)).save(file)

    redact_file(file, file, analyzer)

    (found,) = find_in_pages(file, "page", analyzer)
    assert found.findings == ()


@pytest.mark.usefixtures("tesseract")
def test_nothing_shows_the_text(analyzer: AnalyzerEngine) -> None:
    """What a log would print of a finding or a page does not say what it says."""
    found = find_in_page(Page(page(LETTER, (1000, 200))), analyzer)

    assert not any(value in repr(found) for value in VALUES)


@pytest.mark.slow
def test_real_page_with_an_invented_person(
    shared_data: Path, analyzer: AnalyzerEngine, tesseract: str, tmp_path: Path
) -> None:
    """On a real scanned form, what was typed into a field is gone and the form is still there."""
    from PIL import ImageDraw

    from .drawing import face

    with Image.open(shared_data / "scans" / "dissemination-1991-typed-signed.png") as image:
        scan = image.convert("L")
    ImageDraw.Draw(scan).text((960, 1290), "John Smith 123-45-6789", 0, face(30, "DejaVuSansMono"))
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    scan.save(source)

    (found,) = redact_file(source, out, analyzer).found

    text = layout_text(read_words(next(read_pages(out)).image)).text
    assert {finding.entity for finding in found.findings} == {"PERSON", "US_SSN"}
    assert "Smith" not in text and "6789" not in text
    assert "Malaysian Palm Oil" in text.replace("0il", "Oil")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"method": "blur"}, "no method 'blur'; there are surrogate, paper"),
        ({"noise": "loud"}, "no noise 'loud'; there are fitted"),
        ({"method": "surrogate"}, "needs surrogates"),
    ],
)
def test_invalid_options_are_refused(how: dict[str, Any], says: str) -> None:
    """Invalid options raise an error when they are made, not at the first page."""
    with pytest.raises(ValueError, match=says):
        RedactionOptions(**how)


def test_options_without_their_faces_are_refused(tmp_path: Path, sources: ModuleType) -> None:
    """An unusable folder of typefaces is an error for the method that paints, and for no other."""
    with pytest.raises(FontsMissing):
        RedactionOptions("surrogate", sources.Says("x"), faces=tmp_path)

    assert RedactionOptions("paper", faces=tmp_path).method == "paper"


@pytest.fixture(scope="module")
def form(tesseract: str, analyzer: AnalyzerEngine) -> tuple[Page, PageFindings]:
    """A typewritten page with three values, and what is found on it."""
    texts = [(60, 60, "To: (John Smith), Ohio"), (60, 120, "SSN: 123-45-6789 Born 11/02/1950")]
    one = Page(typeset(texts, em=32.0)[0], name="form.png")
    return one, find_in_page(one, analyzer)


@pytest.mark.parametrize("method", METHODS)
def test_page_is_treated_with_every_method(
    method: str, form: tuple[Page, PageFindings], doubles: ModuleType, sources: ModuleType
) -> None:
    """Outside of the reported boxes not a pixel differs; the report has a line for each finding."""
    one, found = form

    image, report = treat(
        one, found, RedactionOptions(method, sources.Says("Mary Jones")), look=doubles.Sees()
    )

    assert [treated.entity for treated in report.treated] == ["PERSON", "US_SSN", "DATE_OF_BIRTH"]
    if method == "surrogate":
        assert (report.treated[0].method, report.treated[0].reason) == ("surrogate", "")
        assert report.treated[0].face.startswith("typewriter")
    else:
        assert {treated.method for treated in report.treated} == {method}
    outside = np.ones((one.image.height, one.image.width), np.bool_)
    for left, top, right, bottom in [box for treated in report.treated for box in treated.boxes]:
        outside[top:bottom, left:right] = False
    assert (np.asarray(image)[outside] == np.asarray(one.image)[outside]).all()
    assert (np.asarray(image)[~outside] != np.asarray(one.image)[~outside]).any()


def test_colour_goes_before_the_method(
    form: tuple[Page, PageFindings], doubles: ModuleType, sources: ModuleType
) -> None:
    """Where a fill is given, nothing is painted."""
    one, found = form
    source = sources.Says("Mary Jones")

    image, _ = treat(
        one, found, RedactionOptions("surrogate", source, fill="white"), look=doubles.Sees()
    )

    left, top, right, bottom = found.findings[0].boxes[0]
    assert (np.asarray(image)[top:bottom, left:right] == 255).all()
    assert source.asked == []


@pytest.mark.usefixtures("tesseract")
def test_surrogate_is_read_where_the_original_stood(
    form: tuple[Page, PageFindings], sources: ModuleType
) -> None:
    """The real second look finds no original, and OCR reads the surrogate."""
    one, found = form

    image, report = treat(one, found, RedactionOptions("surrogate", sources.Says("Mary Jones")))

    text = layout_text(read_words(image)).text
    assert "Mary Jones" in text and "Ohio" in text
    assert not any(value in text for value in VALUES)
    assert report.treated[0].method == "surrogate"


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize(("ground", "ink"), [(30, 235), (150, 10)])
def test_value_on_a_dark_or_shaded_band_is_replaced_in_its_own_tones(
    ground: int, ink: int, analyzer: AnalyzerEngine, sources: ModuleType
) -> None:
    """Light print on a dark band becomes other light print, dark print on grey other dark print."""
    image = page([], (900, 300))
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 60, 860, 130), fill=ground)
    draw.text((70, 76), "To: John Smith, Ohio", font=face(30), fill=ink)
    draw.text((70, 190), "From the personnel office", font=face(30), fill=0)
    one = Page(image)

    after, report = treat(
        one,
        find_in_page(one, analyzer),
        RedactionOptions("surrogate", sources.Says("Mary Jones")),
    )

    assert [treated.method for treated in report.treated] == ["surrogate"]
    text = layout_text(read_words(after)).text
    assert "Mary Jones" in text and "Smith" not in text
    (box,) = report.treated[0].boxes
    part, whole = np.asarray(after)[box.within()], np.asarray(image)[box.within()]
    assert abs(np.median(part) - ground) < 5
    for end in (2, 98):
        assert abs(np.percentile(part, end) - np.percentile(whole, end)) < 25


FORM = [
    (60, 66, "Name"),
    (60, 96, "John Smith"),
    (60, 146, "Soc. Sec. No."),
    (60, 176, "123-45-6789"),
    (60, 226, "Office telephone"),
    (60, 256, "(419) 555-0187 and others"),
    (60, 320, "The undersigned was examined on Tuesday and found"),
    (60, 350, "to be in need of a longer rest, as is known here."),
]
"""A form with labels close above their values."""


def drawn_form(values: bool, degrees: float, scale: float, turns: int) -> Image.Image:
    """Draw the form with rules between its rows, skewed, at any resolution, on its side."""
    image = Image.new("L", (2700, 1350), 255)
    draw = ImageDraw.Draw(image)
    for left, top, text in FORM:
        if values or text not in ("John Smith", "123-45-6789"):
            draw.text((3 * left, 3 * top), text, font=face(66), fill=0)
    for top in (60, 138, 217, 296):
        draw.line((130, 3 * top, 2400, 3 * top), 0, 7)
    size = round(900 * scale), round(450 * scale)
    skewed = image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)
    return turned(skewed.resize(size, Image.Resampling.BOX), turns)


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize(
    ("degrees", "scale", "turns"),
    [(0, 1, 0), (-5, 1, 0), (5, 1, 0), (4, 1, 0), (-2, 1, 0), (0, 0.5, 0), (0, 2, 0), (0, 3, 0)]
    + [(0, 1, turns) for turns in (1, 2, 3)],
)
def test_skew_resolution_and_side_change_nothing(
    degrees: float, scale: float, turns: int, analyzer: AnalyzerEngine, sources: ModuleType
) -> None:
    """However a form was scanned, the same is found and painted, and labels and rules stay."""
    image = drawn_form(True, degrees, scale, turns)
    rest = np.asarray(drawn_form(False, degrees, scale, turns)) < 128
    one = Page(image)

    found = find_in_page(one, analyzer)
    after, report = treat(one, found, RedactionOptions("surrogate", sources.Says("Mary Jones")))

    assert [treated.entity for treated in report.treated] == ["PERSON", "US_SSN"]
    assert [treated.method for treated in report.treated] == ["surrogate"] * 2
    assert (np.asarray(after)[rest] < 160).mean() > 0.9999
    text = layout_text(read_words(turned(after, found.turned))).text
    assert text.count("Mary Jones") == 2 and "Smith" not in text


def test_surrogate_that_shows_the_original_is_erased(
    form: tuple[Page, PageFindings], doubles: ModuleType, sources: ModuleType
) -> None:
    """A surrogate in which the original can be read is erased to paper, and the report says why."""
    one, found = form
    box = found.findings[0].boxes[0]

    class Once(doubles.Sees):  # type: ignore[misc,name-defined]
        def __call__(self, *args: object, **kwargs: object) -> list[Word]:
            self.asked += 1
            return self.words if self.asked == 1 else []

    _, report = treat(
        one,
        found,
        RedactionOptions("surrogate", sources.Says("Mary Jones")),
        look=Once(Word("Smith", box)),
    )

    assert (report.treated[0].method, report.treated[0].reason) == ("paper", AGAIN)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_page_on_its_side_is_returned_as_it_came(
    turns: int,
    form: tuple[Page, PageFindings],
    analyzer: AnalyzerEngine,
    doubles: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is read upright; boxes and pixels are those of the page as it lies."""
    upright, found = form
    lying = Page(turned(upright.image, turns), name="form.png")
    size = upright.image.size

    def read(image: Image.Image, /, *, name: str, language: str) -> list[Word]:
        if image.tobytes() != upright.image.tobytes() or image.size != size:
            raise UnreadableInput(name, "not read, so not clean")
        return list(found.layout.words)

    monkeypatch.setattr("presidio_cdip.imaging.redaction.turns_to_try", lambda image: [2, 1, 3])
    here = find_in_page(lying, analyzer, read=read)
    image, report = treat(lying, here, RedactionOptions("white"), look=doubles.Sees())
    straight, plain = treat(upright, found, RedactionOptions("white"), look=doubles.Sees())

    assert (here.turned, report.turned) == (-turns % 4, -turns % 4)
    assert report.size == lying.image.size == image.size
    assert turned(image, -turns).tobytes() == straight.tobytes()
    for one, other in zip(report.treated, plain.treated, strict=True):
        left, top, right, bottom = one.boxes[0]
        part = np.asarray(image)[top:bottom, left:right]
        assert (part == 255).all()
        assert sorted(part.shape) == sorted((other.boxes[0].height, other.boxes[0].width))


def test_page_that_cannot_be_painted_on_is_filled(doubles: ModuleType, sources: ModuleType) -> None:
    """A mode without such pixels gets white boxes, and the report says why."""
    words = [Word("Smith", Box(10, 10, 60, 30), 95.0)]
    layout = layout_text(words)
    result = type("Result", (), {"entity_type": "PERSON", "start": 0, "end": 5})()
    finding = PageFinding(result, line_boxes(layout, 0, 5, (90, 60)))
    one = Page(Image.new("LAB", (90, 60)))

    image, report = treat(
        one,
        PageFindings("page", 0, (finding,), layout),
        RedactionOptions("surrogate", sources.Says("Jones")),
        look=doubles.Sees(),
    )

    assert image.mode == "LAB"
    assert report.treated[0].method == "white"
    assert "LAB" in report.treated[0].reason


def test_report_of_a_page_is_a_line_of_json(
    form: tuple[Page, PageFindings], doubles: ModuleType, sources: ModuleType
) -> None:
    """File, page, size, turns and findings; not a word of the text, nor of its surrogates."""
    one, found = form

    _, report = treat(
        one, found, RedactionOptions("surrogate", sources.Says("Mary Jones")), look=doubles.Sees()
    )
    line = json.dumps(report.as_json())

    row = json.loads(line)
    assert (row["file"], row["page"], row["turned"]) == ("form.png", 0, 0)
    assert row["size"] == list(one.image.size)
    assert [set(finding) >= {"entity", "boxes", "method"} for finding in row["findings"]] == [
        True
    ] * 3
    shown = line + repr(report) + repr(found)
    assert not any(value in shown for value in (*VALUES, "Mary", "Jones"))


def test_report_of_a_page_counts_plainest_forms(
    form: tuple[Page, PageFindings], doubles: ModuleType
) -> None:
    """By entity, of what was painted; what was erased has no form."""
    one, found = form

    class Plain:
        """Says that dates are read by the plainest form alone."""

        def on_page(self, text: str, findings: Any) -> "Plain":
            return self

        def candidates(self, entity: str, value: str, start: int, end: int) -> Any:
            plainest = entity == "DATE_OF_BIRTH"
            yield Candidate(value[::-1], plainest=plainest)

        def marks(self, boxes: Any) -> Any:
            return ()

        def mentions(self) -> Any:
            return ()

        def chosen(self, value: str, text: str) -> None:
            """Hear nothing."""

        def seed(self, purpose: str, normal: str) -> int:
            return 1

    _, report = treat(one, found, RedactionOptions("surrogate", Plain()), look=doubles.Sees())

    row = report.as_json()
    painted = [one for one in row["findings"] if one["method"] == "surrogate"]
    assert painted
    assert row["plainest"] == dict(
        Counter(one["entity"] for one in painted if one["entity"] == "DATE_OF_BIRTH")
    )
    assert [one["plainest"] for one in painted] == [
        one["entity"] == "DATE_OF_BIRTH" for one in painted
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_ink_that_was_not_read_is_reported(analyzer: AnalyzerEngine, doubles: ModuleType) -> None:
    """A line that OCR dropped has a box in the report, also on a page that lies on its side."""
    image = page(LETTER, (1000, 200))
    dropped = ("To:", "(John", "Smith)")

    def read(upright: Image.Image, /, *, name: str, language: str) -> list[Word]:
        words = read_words(upright, name=name, language=language)
        return [word for word in words if word.text not in dropped]

    one = Page(turned(image, 3))
    found = find_in_page(one, analyzer, read=read)
    _, report = treat(one, found, RedactionOptions(), look=doubles.Sees())

    assert find_in_page(Page(image), analyzer).unread == ()
    assert report.unread and report.as_json()["unread"] == [list(box) for box in report.unread]
    for box in report.unread:
        assert box.left >= 100 and box.top > 55 and box.bottom < 320


def test_place_that_cannot_be_written_is_said(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """A folder that is not there: an error that names it."""
    Image.new("L", (90, 90), 255).save(tmp_path / "in.png")

    with pytest.raises(CdipError, match="nowhere"):
        redact_file(
            tmp_path / "in.png", tmp_path / "nowhere" / "out.png", analyzer, read=doubles.Sees()
        )


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_boxes_are_those_of_the_page_as_it_came(analyzer: AnalyzerEngine) -> None:
    """However it had to be turned to be read."""
    upright = page(LETTER, (1000, 200))
    plain = find_in_page(Page(upright), analyzer)

    found = find_in_page(Page(upright.rotate(180)), analyzer)

    assert (plain.turned, found.turned) == (0, 2)
    for one, other in zip(plain.findings, found.findings, strict=True):
        ((left, top, right, bottom),) = plain.boxes(one)
        assert found.boxes(other) == (Box(1000 - right, 200 - bottom, 1000 - left, 200 - top),)


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_value_of_a_ruled_form_has_the_label_of_its_cell() -> None:
    """The first cell is empty: what stands in the second is no birth date and no SSN."""
    cells = (
        (40, "DATE OF BIRTH", ""), (640, "DATE HIRED", "6/4/1951"),
        (40, "SOC. SEC. NO.", ""), (640, "EMPLOYEE NO.", "271-24-0538"),
        (40, "HOME ADDRESS", "12 Elm Street"), (640, "BUSINESS ADDRESS", "210 Commerce Street"),
    )  # fmt: skip
    drawn = page([], (1300, 600))
    draw = ImageDraw.Draw(drawn)
    for number, (left, label, value) in enumerate(cells):
        top = 40 + 160 * (number // 2)
        draw.rectangle((left, top, left + 600, top + 160), outline=0, width=3)
        draw.text((left + 14, top + 14), label, font=face(22), fill=0)
        draw.text((left + 30, top + 80), value, font=face(34), fill=0)

    found = find_in_page(Page(drawn), presidio_cdip.analyzer())

    values = {one.entity: "".join(part.text for part in one.parts) for one in found.findings}
    assert values == {"HOME_ADDRESS": "12 Elm Street"}


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_four_digits_alone_are_no_blank_page(turns: int, analyzer: AnalyzerEngine) -> None:
    """However they lie: a page of a few marks is turned before it passes as blank."""
    lone = turned(page([(300, 500, "4713")], (700, 1100)), turns)

    assert "4713" in find_in_page(Page(lone), analyzer).layout.text


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_page_of_a_few_specks_is_blank(analyzer: AnalyzerEngine) -> None:
    """Dirt is read in no direction, and the page is clean."""
    specks = page([], (700, 1100))
    for left, top in ((100, 200), (400, 700), (555, 310)):
        specks.paste(40, (left, top, left + 7, top + 6))

    found = find_in_page(Page(specks), analyzer)

    assert (found.layout.text, found.turned) == ("", 0)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_ink_that_shows_when_the_page_is_turned_is_no_blank_page(
    turns: int, analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """A page with ink that cannot be read in any direction is not passed off as clean."""
    upright = page([], (1700, 2200))
    for left in (300, 600, 900, 1200):
        upright.paste(20, (left, 1000, left + 5, 1038))

    def read(image: Image.Image, /, *, name: str, language: str) -> list[Word]:
        if has_ink(image):
            raise UnreadableInput(name, "not read, so not clean")
        return []

    with pytest.raises(UnreadableInput):
        find_in_page(Page(turned(upright, turns)), analyzer, read=read)


@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("method", ["paper", "black"])
def test_check_boxes_stay(analyzer: AnalyzerEngine, method: str) -> None:
    """A box beside a value is no part of it, and is not erased with it."""
    image = page([(120, 40, "123-45-6789"), (120, 110, "None")], (600, 180))
    draw = ImageDraw.Draw(image)
    boxes = [Box(78, 45, 106, 73), Box(78, 115, 106, 143)]
    for left, top, right, bottom in boxes:
        draw.rectangle((left, top, right, bottom), outline=0, width=2)
    draw.line((82, 60, 90, 70, 108, 40), 0, 3)
    one = Page(image)

    found = find_in_page(one, analyzer)
    redacted, _ = treat(one, found, RedactionOptions(method))

    assert [finding.entity for finding in found.findings] == ["US_SSN"]
    before, after = np.asarray(image), np.asarray(redacted)
    assert all(np.array_equal(before[box.within()], after[box.within()]) for box in boxes)
    assert not np.array_equal(before, after)


@pytest.mark.usefixtures("tesseract")
def test_towns_and_names_change_wherever_the_page_repeats_them(tmp_path: Path) -> None:
    """Remarks do not tell what the fields no longer say, and they agree with them."""
    lines = [
        (60, 40, "Home address: 3319 Wolcott Ave., Peoria, Ill."),
        (60, 120, "Husband: Walter"),
        (60, 200, "Remarks: Walter was laid off in August"),
        (60, 280, "and has moved out of Peoria for work."),
    ]
    there, out = tmp_path / "card.png", tmp_path / "out.png"
    page(lines, (1200, 360)).save(there)
    options = RedactionOptions("surrogate", Surrogates(bytes(range(32)), "s"))
    found = {"HOME_ADDRESS": "3319 Wolcott Ave., Peoria, Ill.", "MARITAL_STATUS": "Walter"}

    class Finds:
        def analyze(self, text: str, *_: Any, **__: Any) -> list[RecognizerResult]:
            starts = {entity: text.index(value) for entity, value in found.items()}
            return [
                RecognizerResult(entity, start, start + len(found[entity]), 1.0)
                for entity, start in starts.items()
            ]

    redact_file(there, out, Finds(), options)
    (read,) = read_pages(out, "out.png")
    text = layout_text(read_words(read.image)).text

    assert "Walter" not in text and "Peoria" not in text
    husband = re.search(r"Husband: (\w+)", text)
    moved = re.search(r"moved out of ([\w ]+) for", text)
    assert husband and moved
    assert text.count(husband[1]) == text.count(moved[1]) == 2
