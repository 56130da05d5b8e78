"""A file goes in, a file without the findings comes out, or none."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image
from presidio_analyzer import AnalyzerEngine

from presidio_cdip.errors import StillReadable, UnreadableInput
from presidio_cdip.imaging.layout import layout_text
from presidio_cdip.imaging.ocr import read_words
from presidio_cdip.imaging.pages import Page, read_pages
from presidio_cdip.imaging.redaction import (
    erase_findings,
    find_in_page,
    find_in_pages,
    redact_file,
)
from presidio_cdip.imaging.words import Box, Word

from .drawing import page

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


@pytest.mark.usefixtures("tesseract")
def test_entities_and_score_narrow_the_search(analyzer: AnalyzerEngine) -> None:
    """Only what is asked for, and is certain enough, is found."""
    one = Page(page(LETTER, (1000, 200)))

    some = find_in_page(one, analyzer, entities=["US_SSN"])
    none = find_in_page(one, analyzer, min_score=0.95)

    assert [finding.entity for finding in some.findings] == ["US_SSN"]
    assert none.findings == ()


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
    boxes = [box for finding in report[0].findings for box in finding.boxes]
    outside = np.ones((image.height, image.width), dtype=bool)
    for left, top, right, bottom in boxes:
        outside[top:bottom, left:right] = False
    before, after = np.asarray(image.convert("RGB")), np.asarray(redacted.convert("RGB"))
    assert (before[outside] == after[outside]).all()
    assert (after[~outside] == 0).all()


@pytest.mark.usefixtures("tesseract")
def test_every_page_of_a_file_is_redacted(analyzer: AnalyzerEngine, tmp_path: Path) -> None:
    """What stands on the last page is erased, too; a blank page in between is no trouble."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    first, blank, last = (
        page(texts, (1000, 100)).convert("1") for texts in ([LETTER[0]], [], [LETTER[1]])
    )
    first.save(source, save_all=True, append_images=[blank, last], compression="group4")

    report = redact_file(source, out, analyzer)

    assert [[f.entity for f in found.findings] for found in report] == [["PERSON"], [], ["US_SSN"]]
    pages = list(read_pages(out))
    assert [one.options["compression"] for one in pages] == ["group4"] * 3
    text = " ".join(layout_text(read_words(one.image)).text for one in pages)
    assert not any(value in text for value in VALUES)


@pytest.mark.usefixtures("tesseract")
def test_unread_page_stops_the_file(analyzer: AnalyzerEngine, tmp_path: Path) -> None:
    """One page upside down, and nothing is written; the error names file and page."""
    source, out = tmp_path / "in.tif", tmp_path / "out.tif"
    upright = page(LETTER, (1000, 200))
    upright.save(source, save_all=True, append_images=[upright.rotate(180)])

    with pytest.raises(UnreadableInput, match=r"in\.tif, page 1: not read, so not clean"):
        redact_file(source, out, analyzer)

    assert [path.name for path in tmp_path.iterdir()] == ["in.tif"]


def test_reader_that_fails_stops_the_file(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """However OCR fails, nothing is written."""
    source = tmp_path / "in.tif"
    Image.new("L", (90, 90)).save(source, save_all=True, append_images=[Image.new("L", (9, 9))])

    with pytest.raises(UnreadableInput, match="page 1"):
        redact_file(source, tmp_path / "out.tif", analyzer, read=doubles.Unreadable(after=1))

    assert [path.name for path in tmp_path.iterdir()] == ["in.tif"]


def test_rubbish_from_ocr_does_no_harm(
    analyzer: AnalyzerEngine, tmp_path: Path, doubles: ModuleType
) -> None:
    """Words off the page are found and erase nothing."""
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    image = Image.effect_noise((90, 90), 90)
    image.save(source)

    (found,) = redact_file(source, out, analyzer, read=doubles.Rubbish(), look=doubles.Rubbish())

    assert [finding.entity for finding in found.findings] == ["US_SSN"]
    assert next(read_pages(out)).image.tobytes() == image.tobytes()


def test_still_readable_is_erased_wider_once(
    letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """A value that shows beyond its box is erased again, wider; if that fails, nothing comes."""
    one, boxes = letter
    found = find_in_page(one, analyzer).findings

    class Once(doubles.Sees):  # type: ignore[misc,name-defined]
        def __call__(self, *args: object, **kwargs: object) -> list[Word]:
            self.asked += 1
            return self.words if self.asked == 1 else []

    tail = Word("Smith)", Box(240, 40, 340, 70))
    image = erase_findings(one, found, look=Once(tail))
    with pytest.raises(StillReadable, match=r"letter\.png, page 0: PERSON can still be read"):
        erase_findings(one, found, look=doubles.Sees(tail))

    beyond = (boxes[0].right + 5, boxes[0].top + 10)
    beside = (boxes[1].right + 5, boxes[1].top + 10)
    assert image.getpixel(beyond) == 0
    assert image.getpixel(beside) == one.image.getpixel(beside)


def test_second_look_can_be_left_out(
    letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine, doubles: ModuleType
) -> None:
    """Without verify the page is not read again."""
    found = find_in_page(letter[0], analyzer).findings
    look = doubles.Sees(Word("Smith", Box(240, 40, 340, 70)))

    erase_findings(letter[0], found, "white", verify=False, look=look)

    assert look.asked == 0


def test_page_of_the_caller_stays(letter: tuple[Page, list[Box]], analyzer: AnalyzerEngine) -> None:
    """Erasing works on a copy."""
    one, _ = letter
    before = one.image.tobytes()

    erase_findings(one, find_in_page(one, analyzer).findings)

    assert one.image.tobytes() == before


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

    (found,) = redact_file(source, out, analyzer)

    text = layout_text(read_words(next(read_pages(out)).image)).text
    assert {finding.entity for finding in found.findings} == {"PERSON", "US_SSN"}
    assert "Smith" not in text and "6789" not in text
    assert "Malaysian Palm Oil" in text.replace("0il", "Oil")
