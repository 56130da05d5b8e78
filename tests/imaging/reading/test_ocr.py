"""Pages are read word by word, or refused; a page that was not read is never a clean one."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from PIL import Image, ImageDraw
from pytesseract import pytesseract

from presidio_cdip.errors import MissingDependency, UnreadableInput
from presidio_cdip.imaging.page import program
from presidio_cdip.imaging.page.clean import Grey, is_blank
from presidio_cdip.imaging.reading import ocr
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import look_again, read_words, unreliable
from presidio_cdip.imaging.words import EMPTY, MARKED, Box, Word

from ..drawing import face, page, speckled

pytestmark = pytest.mark.usefixtures("tesseract")

FORM = [
    (60, 40, "Name of registrant"),
    (560, 40, "Registration No."),
    (60, 90, "Daniel Edelman"),
    (560, 90, "3634"),
    (60, 160, "Date of birth"),
    (560, 160, "Place of birth"),
    (60, 210, "11/02/1950"),
    (560, 210, "Gallipolis, Ohio"),
]
SAID = " ".join(text for _, _, text in FORM).split()


def said(words: list[Word]) -> list[str]:
    """What was read, in the order of the page."""
    return [word.text for word in layout_text(words).words]


def test_form_is_read_row_by_row() -> None:
    """Label stands beside label, value beside value, with columns between."""
    layout = layout_text(read_words(page(FORM)))

    rows = [row.split("   ")[0].strip() for row in layout.text.splitlines() if row]
    assert rows == [FORM[0][2], FORM[2][2], FORM[4][2], FORM[6][2]]
    assert said(list(layout.words)) == SAID


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "P", "LA", "RGBA", "CMYK", "I;16", "F"])
def test_every_mode_is_read(mode: str) -> None:
    """The same words are read in every mode."""
    image = page(FORM[:4], (1000, 150))
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image).astype(np.uint16) * 257)
    else:
        image = image.convert("RGB").convert(mode)

    assert said(read_words(image)) == SAID[:8]


@pytest.mark.slow
def test_words_stand_where_they_were_written() -> None:
    """Boxes are those of the page, not of what Tesseract was shown."""
    for points, size in ((30, (1000, 300)), (11, (400, 120))):
        scale = points / 30
        texts = [(round(x * scale), round(y * scale), text) for x, y, text in FORM]

        words = {word.text: word.box for word in read_words(page(texts, size, points))}

        left, top = round(560 * scale), round(210 * scale)
        true = face(points).getbbox("Gallipolis,")
        box = words["Gallipolis,"]
        assert box.left == pytest.approx(left + true[0], abs=3)
        assert box.right == pytest.approx(left + true[2], abs=3)
        assert box.top == pytest.approx(top + true[1], abs=3)
        assert box.bottom == pytest.approx(top + true[3], abs=3)


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [-3, 3])
def test_skewed_form_in_boxes_is_read(degrees: int) -> None:
    """Three degrees of skew and the lines of the form cost no word."""
    image = page([(x + 20, y + 40, text) for x, y, text in FORM], (1040, 400))
    draw = ImageDraw.Draw(image)
    for box in ((60, 60, 560, 180), (560, 60, 1000, 180), (60, 180, 560, 310)):
        draw.rectangle(box, outline=0, width=3)
    skewed = image.rotate(degrees, Image.Resampling.BICUBIC, True, fillcolor=255)

    assert said(read_words(skewed)) == SAID


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(Image.new("L", (600, 800), 255), id="white"),
        pytest.param(Image.new("L", (600, 800), 0), id="black"),
        pytest.param(speckled(Image.new("L", (600, 800), 255)), id="speckled"),
        pytest.param(Image.new("L", (1, 1), 255), id="one pixel"),
        pytest.param(Image.new("RGBA", (600, 800), (0, 0, 0, 0)), id="see-through"),
    ],
)
def test_blank_page_is_read_as_blank(image: Image.Image) -> None:
    """A page without ink is read, and holds nothing."""
    assert read_words(image) == []


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK"])
def test_page_of_one_colour_costs_no_ocr(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known to be blank without a copy of it; one dark pixel is enough to be looked at."""
    image = Image.new("RGB", (60, 80), "white").convert(mode)
    monkeypatch.setattr(ocr, "clean", None)

    assert read_words(image) == []
    image.paste(Image.new("RGB", (1, 1), "black").convert(mode), (30, 40))
    assert not is_blank(image)


def handwriting() -> Image.Image:
    """A page with strokes of a pen that are no letters."""
    image = Image.new("L", (600, 400), 255)
    draw = ImageDraw.Draw(image)
    for x in range(60, 500, 45):
        draw.arc((x, 150, x + 70, 230), 30, 300, fill=0, width=4)
    return image


@pytest.mark.slow
@pytest.mark.parametrize(
    "image",
    [
        pytest.param(page(FORM).transpose(Image.Transpose.ROTATE_180), id="upside down"),
        pytest.param(page(FORM).transpose(Image.Transpose.ROTATE_90), id="on its left"),
        pytest.param(page(FORM).transpose(Image.Transpose.ROTATE_270), id="on its right"),
        pytest.param(Image.effect_noise((400, 300), 200), id="noise"),
        pytest.param(handwriting(), id="handwriting"),
    ],
)
def test_page_with_ink_that_says_nothing_is_refused(image: Image.Image) -> None:
    """Such a page is not read, so not clean; the error names it and says what to do."""
    with pytest.raises(UnreadableInput, match=r"^scan\.tif, page 3: not read, so not clean: turn"):
        read_words(image, name="scan.tif, page 3")


@pytest.mark.parametrize("size", [(40_000, 60), (60, 40_000)])
def test_page_too_long_for_ocr_is_refused(size: tuple[int, int]) -> None:
    """A page that no file was read for is measured, too."""
    with pytest.raises(UnreadableInput, match=r"page: is .* pixels; OCR takes 32000 a side"):
        read_words(Image.new("L", size))


@pytest.mark.slow
def test_page_as_long_as_may_be_is_read() -> None:
    """At the limit, skewed and in need of enlarging, nothing breaks."""
    image = page([(60, 20, "Name of registrant")], (32_000, 80), 12)
    skewed = image.rotate(0.05, fillcolor=255)

    assert said(read_words(skewed)) == ["Name", "of", "registrant"]


def test_lines_that_layout_analysis_lost_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the first pass leaves unread is read in a second."""
    first = ocr._read

    def half(pixels: Grey, language: str, mode: int, name: str) -> list[Word]:
        words = first(pixels, language, mode, name)
        return words if mode != ocr.PAGE else [w for w in words if w.box.top < 100]

    monkeypatch.setattr(ocr, "_read", half)

    assert said(read_words(page(FORM))) == SAID


def test_the_grain_of_paper_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no words are left, Tesseract would take it for ink, and that for minutes."""
    image = page(FORM[:4], (1000, 150))
    grain = np.random.default_rng(0).normal(0, 5, (150, 1000))
    noisy = np.clip(np.asarray(image.convert("L")) + grain, 0, 255).astype(np.uint8)
    modes = []

    def read(pixels: Grey, language: str, mode: int, name: str) -> list[Word]:
        modes.append(mode)
        return reads(pixels, language, mode, name)

    reads = ocr._read
    monkeypatch.setattr(ocr, "_read", read)
    words = read_words(Image.fromarray(noisy))

    assert said(words) == SAID[:8]
    assert modes == [ocr.PAGE]


def test_a_page_that_takes_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, and no clean page."""
    monkeypatch.setattr(ocr, "_SECONDS", 0.001)

    with pytest.raises(UnreadableInput, match="took more than"):
        read_words(page(FORM[:4], (1000, 150)))


def test_second_look_reads_each_box_twice_and_nothing_else() -> None:
    """Words outside the boxes are not read; each reading of a box has a number of its own."""
    words = look_again(page(FORM), [Box(540, 190, 990, 260), Box(40, 205, 240, 245)])

    readings = [[word.text for word in words if word.block == number] for number in range(4)]
    assert readings == [["Gallipolis,", "Ohio"]] * 2 + [["11/02/1950"]] * 2
    assert words[0].box.left == pytest.approx(563, abs=4)


def test_second_look_that_stops_halfway_is_no_clean_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Tesseract answers for fewer lines than it was given, the page is unread."""
    lazy = tmp_path / "tesseract"
    lazy.write_text('#!/bin/sh\ntesseract "$@" | head -n 2\n')
    lazy.chmod(0o755)
    monkeypatch.setattr(pytesseract, "tesseract_cmd", str(lazy))
    monkeypatch.setattr(ocr, "_library", lambda: None)

    with pytest.raises(UnreadableInput, match="failed when it looked again"):
        look_again(page(FORM), [Box(540, 190, 990, 260)])


@pytest.mark.parametrize("deaths", [1, 2])
def test_second_look_goes_on_after_a_line_of_which_tesseract_dies(
    deaths: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other lines are read without it, and it is read at twice its size."""
    box = [Box(540, 190, 990, 260)]
    monkeypatch.setattr(ocr, "_library", lambda: None)
    words = look_again(page(FORM), box)
    dying = tmp_path / "tesseract"
    runs = tmp_path / "runs"
    dying.write_text(
        f'#!/bin/sh\necho run >> "{runs}"\n'
        f'[ "$(wc -l < "{runs}")" -le {deaths} ] && kill -FPE $$\nexec tesseract "$@"\n'
    )
    dying.chmod(0o755)
    monkeypatch.setattr(pytesseract, "tesseract_cmd", str(dying))

    again = look_again(page(FORM), box)

    assert {word.text for word in again} == {word.text for word in words}
    assert again[0].box.left == pytest.approx(words[0].box.left, abs=4)


def test_second_look_is_not_repeated_after_it_took_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each half of the lines, and a line at twice its size, could take as long again."""
    runs = []

    def run(command: Sequence[str], picture: bytes, seconds: float) -> NoReturn:
        runs.append(picture)
        raise subprocess.TimeoutExpired(command, seconds)

    monkeypatch.setattr(program, "run", run)
    monkeypatch.setattr(ocr, "_library", lambda: None)

    with pytest.raises(UnreadableInput, match="took more than"):
        look_again(page(FORM), [Box(540, 190, 990, 260), Box(40, 205, 240, 245)])
    assert len(runs) == 1


def test_missing_program_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Tesseract the error says how to install it."""
    monkeypatch.setattr(pytesseract, "tesseract_cmd", "no-such-tesseract")

    with pytest.raises(
        MissingDependency, match=r"tesseract is missing: apt-get install tess.*brew"
    ):
        read_words(page(FORM))


@pytest.mark.parametrize("language", ["qqq", "eng+qqq"])
def test_missing_language_is_said(language: str) -> None:
    """A language without a file is not read in another one."""
    with pytest.raises(MissingDependency, match="apt-get install tesseract-ocr-qqq"):
        read_words(page(FORM), language=language)


def test_failing_program_is_no_blank_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When Tesseract dies, the page is unread."""
    broken = tmp_path / "tesseract"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(pytesseract, "tesseract_cmd", str(broken))

    with pytest.raises(UnreadableInput, match="page: Tesseract failed"):
        read_words(page(FORM))


def test_one_thread_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract runs in one thread, the caller's environment stays, no page lies in a file."""
    spy = tmp_path / "tesseract"
    spy.write_text(
        f'#!/bin/sh\necho "$OMP_THREAD_LIMIT" >> {tmp_path}/limits\n'
        f'echo "$1 $2" >> {tmp_path}/files\nexec tesseract "$@"\n'
    )
    spy.chmod(0o755)
    monkeypatch.setattr(pytesseract, "tesseract_cmd", str(spy))
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)

    read_words(page(FORM[:2], (1000, 100)))

    assert set((tmp_path / "limits").read_text().split()) == {"1"}
    assert set((tmp_path / "files").read_text().splitlines()) == {"stdin stdout"}
    assert "OMP_THREAD_LIMIT" not in os.environ


@pytest.mark.slow
def test_real_form_is_read(shared_data: Path) -> None:
    """A typed government form of 1991 gives its fields in order, columns apart."""
    with Image.open(shared_data / "scans" / "dissemination-1991-typed-signed.png") as image:
        text = layout_text(read_words(image)).text

    rows = text.splitlines()
    address = [row.strip() for row in rows if row.strip().startswith(("Edelman", "1420"))]
    assert address == ["Edelman Public Relations", "1420 K Street, NW"]
    (row,) = [row for row in rows if "Name of registrant" in row]
    assert row.index("Registration No.") - row.index("registrant") > 30


def test_rubbish_from_a_picture_is_not_relied_on() -> None:
    """Some letters seen in a photograph do not make a page; numbers of a table, well read, do."""
    seen = [
        ("HAD", 54),
        ("ON", 80),
        ("Hae", 20),
        ("OA", 64),
        ("bil", 93),
        ("Feared", 44),
        ("if", 39),
    ]
    table = [(str(number), 84) for number in range(30)]

    def words(read: list[tuple[str, int]]) -> list[Word]:
        return [Word(text, Box(0, 0, 60, 20), float(conf)) for text, conf in read]

    assert unreliable(words(12 * seen))
    assert not unreliable(words(table))


def boxed(rows: list[tuple[int, int, str]], ticked: set[int], size: int = 28) -> Image.Image:
    """Return a page with a box before each text; those of the *ticked* ones are crossed."""
    image = page(rows, (1000, 100 + max(top for _, top, _ in rows)))
    draw = ImageDraw.Draw(image)
    for number, (left, top, _) in enumerate(rows):
        x, y = left - size - 12, top + 5
        draw.rectangle((x, y, x + size, y + size), outline=0, width=2)
        if number in ticked:
            draw.line((x + 5, y + 5, x + size - 5, y + size - 5), 0, 3)
            draw.line((x + 5, y + size - 5, x + size - 5, y + 5), 0, 3)
    return image


def test_check_boxes_are_read() -> None:
    """A box is a word before its option, as plain text has it."""
    rows = [(120, 40, "Epilepsy"), (420, 40, "Hernia"), (120, 110, "Hay fever"), (420, 110, "Gout")]

    text = layout_text(read_words(boxed(rows, {0, 3}))).text

    first, second = (" ".join(line.split()) for line in text.splitlines())
    assert first == "[X] Epilepsy [ ] Hernia"
    assert second == "[ ] Hay fever [X] Gout"


def test_boxes_below_one_another_are_no_word() -> None:
    """A column of boxes is read line by line, and no word is higher than a line."""
    names = ["Epilepsy", "Hernia", "Diabetes", "Asthma", "Malaria", "Gout", "Jaundice"]
    rows = [(160, 40 + 44 * number, name) for number, name in enumerate(names)]

    words = read_words(boxed(rows, {2}))

    lines = [line.split() for line in layout_text(words).text.splitlines() if line]
    assert [line[-1] for line in lines] == names
    assert [line[:-1] for line in lines] == [["[X]"] if n == 2 else ["[", "]"] for n in range(7)]
    assert max(word.box.height for word in words) < 44


def test_a_box_has_its_place_on_a_skewed_page() -> None:
    """The box of a check box covers its frame on the page as it came."""
    rows = [(120, 60, "Epilepsy"), (420, 60, "Hernia"), (720, 60, "Gout")]
    image = boxed(rows, {1}).rotate(-2, Image.Resampling.BICUBIC, expand=True, fillcolor=255)

    words = [word for word in read_words(image) if word.text in (EMPTY, MARKED)]

    assert [word.text for word in words] == ["[ ]", "[X]", "[ ]"]
    assert all(28 <= word.box.width <= 36 for word in words)
    dark = np.asarray(image) < 128
    assert all(dark[word.box.within()].any(axis=0).mean() > 0.8 for word in words)


def test_a_column_of_marks_is_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is several lines high and narrow is none, whatever OCR makes of it; initials are."""
    image = page([(160, 40 + 60 * row, "Name of registrant") for row in range(5)], (800, 360))
    draw = ImageDraw.Draw(image)
    for top in range(50, 330, 30):
        draw.ellipse((60, top, 80, top + 20), outline=0, width=3)
    draw.text((600, 40), "W", font=face(120), fill=0)
    tall = Word("8", Box(55, 45, 85, 325), 96.0, 9)
    initial = Word("W", Box(600, 60, 730, 160), 90.0, 10)
    others = [Word("registrant", Box(300, 40 + 60 * row, 460, 75 + 60 * row)) for row in range(5)]
    monkeypatch.setattr(ocr, "_read", lambda *arguments: [tall, initial, *others])

    words = read_words(image)

    assert [word.text for word in words] == ["W", *["registrant"] * 5]
