"""Tables of PDF pages are read cell by cell, and lines drawn on pages follow the text."""

import io
import re
from itertools import pairwise

import pikepdf
import pytest
from pdfminer.fontmetrics import FONT_METRICS
from PIL import Image, ImageDraw, ImageFont

from presidio_cdip.documents.pdf import opened
from presidio_cdip.documents.segments import Document, Edit, Segment, Settings
from presidio_cdip.imaging.words import Box, Word
from tests.documents.pdf.builders_pdf import Builder, content_of

HEADERS = ("Name", "Born on", "Religion", "Status")
ROWS = (
    ("Jonathan Smithson", "03/04/1951", "Roman Catholic", "married"),
    ("Mary Ellen Brown", "11/12/1960", "Lutheran", "single"),
    ("Robert Kowalskian", "01/02/1988", "Muslim", "divorced"),
)


def width(text: str) -> float:
    """Return the width of *text* in 12 points of Helvetica."""
    return 0.012 * sum(FONT_METRICS["Helvetica"][1][one] for one in text)


EDGES = [50.0]
for column in zip(*ROWS, strict=True):
    EDGES.append(round(EDGES[-1] + max(map(width, column)) + 5, 2))


def document(data: bytes) -> Document:
    """Open *data*."""
    return opened(data, "letter.pdf", Settings())


def lines(data: bytes) -> list[Segment]:
    """Return the lines of a document's pages."""
    return [one for one in document(data).segments if one.place.page is not None]


def edited(data: bytes, values: dict[str, str]) -> bytes:
    """Return *data* with each value replaced wherever it stands on a page."""
    read = document(data)
    edits = {
        at: [Edit(found.start(), found.end(), values[old], "X")]
        for at, one in enumerate(read.segments)
        for old in values
        if (found := re.search(re.escape(old), one.text))
    }
    assert edits, "nothing to replace"
    return read.write(edits, {})


def table(drawn: str = "", pad: float = 2) -> bytes:
    """Return a page with a table of narrow cells, under *drawn*; /F3 is bold."""
    builder = Builder()
    bold = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name("/Helvetica-Bold"),
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    content = drawn
    for number, row in enumerate((HEADERS, *ROWS)):
        font, y = "/F1" if number else "/F3", 350 - 20 * number
        for x, cell in zip(EDGES, row, strict=False):
            content += f" BT {font} 12 Tf {x + pad} {y} Td ({cell}) Tj ET"
    return builder.page(content, fonts={"/F3": builder.pdf.make_indirect(bold)}).build()


FILLED = "".join(
    f"{x} {y} 1 20 re {EDGES[0]} {y} 300 1 re f " for x in EDGES for y in (285, 305, 325, 345)
)
RULES = {
    "thin filled rectangles": FILLED,
    "stroked lines": "".join(f"{x} 280 m {x} 365 l S " for x in EDGES),
    "stroked rectangles": "".join(
        f"{left} {y} {right - left} 20 re S "
        for left, right in pairwise(EDGES)
        for y in (285, 305, 325, 345)
    ),
}


@pytest.mark.parametrize("how", RULES)
def test_rules_part_cells(how: str) -> None:
    """However near the next cell is, and the header of the column names each."""
    found = lines(table(RULES[how]))

    assert [(one.label, one.text) for one in found[4:]] == [
        (header, cell) for row in ROWS for header, cell in zip(HEADERS, row, strict=True)
    ]


def test_columns_part_cells_without_rules() -> None:
    """Where several rows begin a word at the same place, one of them after a wide gap."""
    found = lines(table())

    assert [one.text for one in found[4:]] == [cell for row in ROWS for cell in row]


def test_columns_do_not_part_prose() -> None:
    """Words that stand above each other by chance are no columns."""
    content = "BT /F1 12 Tf 14 TL 50 350 Td (One two three) Tj T* (One two four) Tj T* "
    data = Builder().page(content + "(One two five) Tj T* (One two six) Tj ET").build()

    assert [one.text for one in lines(data)] == [
        "One two three", "One two four", "One two five", "One two six",
    ]  # fmt: skip


def test_boxes_of_one_letter_are_one_field() -> None:
    """A number whose digits stand in boxes of their own is read as one."""
    digits = "271240538"
    content = "".join(f"{50 + 14 * at} 340 m {50 + 14 * at} 360 l S " for at in range(10))
    content += "".join(
        f"BT /F1 12 Tf {54 + 14 * at} 345 Td ({one}) Tj ET " for at, one in enumerate(digits)
    )

    found = lines(Builder().page(content).build())

    assert [one.text.replace(" ", "") for one in found] == [digits]


def test_text_stays_between_its_rules() -> None:
    """A longer value does not reach over the border, and the next cell does not move."""
    data = table(FILLED)

    new = lines(edited(data, {"Jonathan Smithson": "Wilhelmina Ostrowski-Baum"}))

    name, born = new[4], new[5]
    assert name.text == "Wilhelmina Ostrowski-Baum"
    assert name.boxes(0, len(name.text))[0][2] <= EDGES[1]
    assert born.boxes(0, 1)[0][0] == pytest.approx(EDGES[1] + 2, abs=0.1)


UNDERLINES = {
    "a rectangle": (
        "50 348 {wide:.3f} .6 re f",
        r"50(?:\.0*)? 348(?:\.0*)? ([\d.]+) \.?0?\.6\d* re",
    ),
    "a line": ("50 348 m {end:.3f} 348 l S", r"([\d.]+) 348(?:\.0*)? l"),
}


@pytest.mark.parametrize("how", UNDERLINES)
def test_underline_has_the_length_of_the_new_text(how: str) -> None:
    """It does not tell how long the old one was."""
    drawn, pattern = UNDERLINES[how]
    ends = []
    for name in ("Jane Smithson", "Jo Smith"):
        content = f"BT /F1 12 Tf 50 350 Td ({name}) Tj ( is here.) Tj ET "
        content += drawn.format(wide=width(name), end=50 + width(name))
        new = content_of(edited(Builder().page(content).build(), {name: "Al Ott"}))
        found = re.search(pattern.encode(), new)
        assert found, new
        ends.append(float(found[1]))

    assert ends[0] == pytest.approx(ends[1], abs=0.1)
    assert ends[0] < (45 if how == "a rectangle" else 95)


def test_line_of_a_form_stays() -> None:
    """It is longer than what was written on it."""
    data = Builder().page("BT /F1 12 Tf 50 350 Td (Jane Smithson) Tj ET 50 348 m 400 348 l S")

    new = content_of(edited(data.build(), {"Jane Smithson": "Al Ott"}))

    assert re.search(rb"50 348 m\s+400 348 l", new)


def test_link_follows_its_text() -> None:
    """So does the rectangle of a mark, with its four corners."""
    builder = Builder()
    builder.page("BT /F1 12 Tf 50 350 Td (Jane Smithson) Tj ( is here.) Tj ET")
    quad = [50, 360, 128.7, 360, 50, 347, 128.7, 347]
    builder.pdf.pages[0].obj.Annots = pikepdf.Array(
        [
            pikepdf.Dictionary(Subtype=pikepdf.Name.Link, Rect=[50, 347, 128.7, 360]),
            pikepdf.Dictionary(
                Subtype=pikepdf.Name.Highlight, Rect=[50, 347, 128.7, 360], QuadPoints=quad
            ),
        ]
    )

    new = edited(builder.build(), {"Jane Smithson": "Al Ott"})

    with pikepdf.open(io.BytesIO(new)) as pdf:
        for one in pdf.pages[0].Annots:
            left, bottom, right, top = (float(edge) for edge in one.Rect)
            assert (left, bottom, top) == (50, 347, 360)
            assert 75 < right < 90


def drawn(text: str) -> str:
    """Return operators that draw the letters of *text* as rectangles, in the middle of a page."""
    image = Image.new("1", (400, 40), 1)
    ImageDraw.Draw(image).text((4, 4), text, 0, ImageFont.load_default(26))
    found = []
    for y in range(image.height):
        row = "".join(".#"[image.getpixel((x, y)) == 0] for x in range(image.width))
        for run in re.finditer("#+", row):
            found.append(f"{60 + run.start() / 2} {200 - y / 2} {len(run[0]) / 2} .5 re f")
    return " ".join(found)


@pytest.mark.parametrize("read", [True, False])
def test_letters_drawn_as_shapes(read: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page becomes a picture if OCR reads them; else it stays, and they are reported."""
    words = [Word("Born", Box(0, 0, 9, 9), 90.0)] if read else []
    monkeypatch.setattr("presidio_cdip.documents.pdf.layer.read", lambda *_: (words, 0))
    text = "BT /F1 12 Tf 50 350 Td (Dear Jane Smithson, of this page) Tj ET "

    made = document(Builder().page(text + drawn("Born on 03/04/1951")).build())

    assert bool(made.embedded) == read
    assert [one.what for one in made.unread] == ["letters drawn as shapes"] * (not read)


@pytest.mark.parametrize(
    "content",
    [
        " ".join(f"{50 + 4 * at} 200 2 {2 + at % 7} re f" for at in range(90)),
        FILLED,
        " ".join(f"{50 + 6 * at} {200 - 6 * row} 4 4 re f" for at in range(40) for row in range(3)),
    ],
)
def test_charts_and_tables_are_no_letters(content: str) -> None:
    """Their shapes are of equal width, or in equal distances."""
    text = "BT /F1 12 Tf 50 350 Td (Dear Jane Smithson, of this page) Tj ET "

    assert not document(Builder().page(text + content).build()).unread


def test_other_face_looks_as_large() -> None:
    """Its small letters are as high as those of the font that lacks letters."""
    builder = Builder()
    font, codes = builder.composite("Dear Bo")
    font.DescendantFonts[0].FontDescriptor = pikepdf.Dictionary(Flags=32, XHeight=580)
    hexed = "".join(codes[one] for one in "Dear Bo")
    data = builder.page(f"BT /F2 10 Tf 50 350 Td <{hexed}> Tj ET", fonts={"/F2": font}).build()

    new = content_of(edited(data, {"Bo": "Lin"}))

    size = re.search(rb"/SetHelvetica ([\d.]+) Tf", new)
    assert size
    assert float(size[1]) == pytest.approx(10 * 580 / 523, abs=0.05)


def test_columns_of_prose_may_be_near() -> None:
    """Justified lines end at a gutter that is narrower than gaps within lines may be."""
    left = [f"left column, line number {at}" for at in range(6)]
    right = [f"right column, line number {at}" for at in range(6)]
    edge = 50 + width(left[0]) + 11
    content = "".join(
        f"BT /F1 12 Tf {x} {350 - 14 * at} Td ({line}) Tj ET "
        for at, pair in enumerate(zip(left, right, strict=True))
        for x, line in zip((50, edge), pair, strict=True)
    )

    found = lines(Builder().page(content).build())

    assert [one.text for one in found] == left + right
    assert not any(one.label for one in found)
