"""Text of PDF pages is read line by line, and rewritten without a trace of what was there."""

import io
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pdfminer.fontmetrics import FONT_METRICS

from presidio_cdip.documents.pdf import extracted, opened
from presidio_cdip.documents.pdf.page import PageText
from presidio_cdip.documents.segments import Document, Edit, Segment, Settings
from presidio_cdip.documents.verifying import plain
from tests.documents.pdf.builders_pdf import Builder, content_of, simple, text_page


def document(data: bytes, method: str = "surrogate") -> Document:
    """Open *data*."""
    return opened(data, "letter.pdf", Settings(method=method))


def body(data: bytes) -> Sequence[Segment]:
    """Return the lines of a document's pages."""
    return [one for one in document(data).segments if one.place.page is not None]


def edited(data: bytes, values: dict[str, str], method: str = "surrogate") -> bytes:
    """Return *data* with each value replaced wherever it stands."""
    read = document(data, method)
    pattern = re.compile("|".join(map(re.escape, values)))
    edits = {
        at: [Edit(*one.span(), values[one[0]], "X") for one in pattern.finditer(segment.text)]
        for at, segment in enumerate(read.segments)
    }
    assert any(edits.values()), "nothing to replace"
    return read.write({at: some for at, some in edits.items() if some}, {})


def shown(data: bytes) -> str:
    """Return the text of the first page, as PDFium reads it."""
    read = pypdfium2.PdfDocument(data)
    text = read[0].get_textpage().get_text_range()
    read.close()
    return " ".join(text.split())


def pixels(data: bytes, scale: float = 1.0) -> np.ndarray:
    """Return the first page, rendered in grey."""
    read = pypdfium2.PdfDocument(data)
    page = np.asarray(read[0].render(scale=scale, grayscale=True).to_pil())
    read.close()
    return page


def left(data: bytes, value: str) -> list[str]:
    """Return where *value* can still be read."""
    return [where for where, text in extracted(data, "") if plain(value) in plain(text)]


SPLIT = {
    "one operator": "(Dear Jane Smithson, hello) Tj",
    "an array with kerning": "[(Dear Ja) 20 (ne Smi) -15 (thson, hello)] TJ",
    "a hexadecimal string": "<44656172204a616e6520536d697468736f6e2c2068656c6c6f> Tj",
    "one operator a letter": " ".join(f"({one}) Tj" for one in "Dear Jane Smithson, hello"),
    "a quote": "12 TL (Dear Jane Smithson, hello) '",
    "a double quote": '12 TL 1 .2 (Dear Jane Smithson, hello) "',
    "operators and moves": "(Dear Jane) Tj 60 0 Td (Smithson, hello) Tj",
    "escapes": r"(Dear Jane \123mith\163on, hello) Tj",
    "displaced words": "[(Dear) -278 (Jane) -278 (Smithson,) -278 (hello)] TJ",
}


@pytest.mark.parametrize("how", SPLIT)
def test_name_is_replaced_however_it_is_shown(how: str) -> None:
    """No program finds the old name, and the rest of the line stays as text."""
    data = Builder().page(f"BT /F1 12 Tf 50 350 Td {SPLIT[how]} ET").build()

    new = edited(data, {"Jane Smithson": "Wilhelmina Ostrowski"})

    assert [one.text for one in body(data)] == ["Dear Jane Smithson, hello"]
    assert not left(new, "Smithson")
    assert shown(new) == "Dear Wilhelmina Ostrowski, hello"


def test_without_edits_the_page_stays() -> None:
    """Its content is the same byte for byte."""
    data = simple("Dear Jane Smithson,", "it is done.")

    new = document(data).write({}, {})

    assert content_of(new) == content_of(data)


def test_only_the_line_changes() -> None:
    """All pixels above and below are as before."""
    data = simple("First line", "Dear Jane Smithson,", "Third line")

    new = edited(data, {"Jane Smithson": "Bo Li"})

    changed = np.flatnonzero((pixels(data, 2) != pixels(new, 2)).any(axis=1)) / 2
    boxes = body(data)[1].boxes(0, 19)
    assert changed.min() >= boxes[0][1] - 1
    assert changed.max() <= boxes[0][3] + 1


BETWEEN = {
    "at once": "( lives here) Tj",
    "at a place": "1 0 0 1 {place} 350 Tm (lives here) Tj",
    "after a move": "{move} 0 Td (lives here) Tj",
    "after a move and a line": "{move} 0 Td (lives here) Tj -{move} -14 Td (and there) Tj",
    "in one array": "",
}


@pytest.mark.parametrize("how", BETWEEN)
def test_the_rest_of_the_line_moves(how: str) -> None:
    """Neither a gap nor a number tells how long the old name was."""
    numbers = []
    for name in ("Jane Smithson", "Jo Smith"):
        move = sum(FONT_METRICS["Helvetica"][1][one] for one in name) * 0.012 + 3.3
        between = BETWEEN[how].format(place=f"{50 + move:.3f}", move=f"{move:.3f}")
        content = f"BT /F1 12 Tf 1 0 0 1 50 350 Tm ({name}) Tj {between} ET"
        if how == "in one array":
            content = (
                f"BT /F1 12 Tf 50 350 Td [(Dear ) 20 ({name}) -30 (lives here) -900 (x)] TJ ET"
            )
        new = content_of(edited(Builder().page(content).build(), {name: "Al Ott"}))
        numbers.append([float(one) for one in re.findall(rb"-?\d+\.?\d*", new)])

    assert numbers[0] == pytest.approx(numbers[1], abs=0.3 if how == "in one array" else 0.005)


def test_lines_below_stay_where_a_line_moves() -> None:
    """Relative moves after it are corrected."""
    data = Builder().page(
        "BT /F1 12 Tf 50 350 Td (Name: ) Tj 40 0 Td (Jane Smithson) Tj 90 0 Td (\\(patient\\)) Tj "
        "-130 -20 Td (Below) Tj ET"
    )

    read = document(edited(data.build(), {"Jane Smithson": "Bo"}))

    below = next(one for one in read.segments if one.text == "Below")
    assert below.boxes(0, 5)[0][0] == pytest.approx(50, abs=0.1)
    assert any(one.text == "Name: Bo (patient)" for one in read.segments)


def test_long_text_is_fitted() -> None:
    """It does not reach into the next column, nor over the edge of the page."""
    data = Builder().page(
        "BT /F1 12 Tf 50 350 Td (Jo Li) Tj 60 0 Td (Balance) Tj 410 0 Td (Al Ott) Tj ET"
    )
    values = {"Jo Li": "Wilhelmina Ostrowski-Baum", "Al Ott": "Konstantin Przybylski"}

    read = document(edited(data.build(), values))

    boxes = [box for one in read.segments for box in one.boxes(0, len(one.text))]
    ordered = sorted(boxes)
    assert all(one[2] < other[0] for one, other in pairwise(ordered))
    assert max(box[2] for box in boxes) < 600


@pytest.mark.parametrize("method", ["black", "white"])
def test_bars_have_nothing_under_them(method: str) -> None:
    """They cover where the text was, and their width does not tell its letters."""
    widths = []
    for name in ("Jane Smithson", "Jane Smithsen"):
        data = simple(f"Dear {name}, hello")
        new = edited(data, {name: "ignored"}, method)
        assert not left(new, name)
        assert shown(new) in ("Dear , hello", "Dear, hello")
        row = pixels(new, 2)[2 * (400 - 354)]
        widths.append(int((row < 50).sum()))

    assert widths[0] == widths[1]
    assert (widths[0] > 100) == (method == "black")


def test_form_is_copied_for_the_page_that_changes() -> None:
    """A form that two pages draw is changed on both, one that stays is not copied."""
    builder = Builder()
    form = builder.form("BT /F1 12 Tf 50 300 Td (Patient Jane Smithson) Tj ET")
    other = builder.form("BT /F1 12 Tf 50 200 Td (Letterhead) Tj ET")
    forms = {"/Fm1": form, "/Fm2": other}
    data = builder.page("/Fm1 Do /Fm2 Do", forms).page("q 1 0 0 1 0 50 cm /Fm1 Do Q", forms).build()

    new = edited(data, {"Jane Smithson": "Bo Li"})

    assert not left(new, "Smithson")
    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert "/Fm2" in pdf.pages[0].Resources.XObject
        assert "/Fm1" not in pdf.pages[0].Resources.XObject
    assert shown(new) == "Patient Bo Li Letterhead"


def test_form_used_twice_on_a_page_may_differ() -> None:
    """Only the use that has an edit changes."""
    builder = Builder()
    form = builder.form("BT /F1 12 Tf 50 300 Td (Jane Smithson) Tj ET")
    data = builder.page("/Fm1 Do q 1 0 0 1 0 -100 cm /Fm1 Do Q", {"/Fm1": form}).build()
    read = document(data)

    new = read.write({1: [Edit(0, 13, "Bo Li", "X")]}, {})

    assert shown(new) == "Jane Smithson Bo Li"


def test_form_may_inherit_its_font() -> None:
    """What follows new text in another face is still in the font of the page."""
    builder = Builder()
    form = builder.form("BT 50 300 Td (Dear Jane Smithson, hello) Tj ET")
    del form.Resources
    form.Resources = pikepdf.Dictionary()
    data = builder.page("/F1 12 Tf /Fm1 Do", {"/Fm1": form}).build()

    new = edited(data, {"Jane Smithson": "Łukasz"})

    assert shown(new) == "Dear Łukasz, hello"
    assert [one.text for one in body(new)] == ["Dear Łukasz, hello"]


def test_nested_forms_are_rewritten() -> None:
    """Down to the form that shows the text."""
    builder = Builder()
    inner = builder.form("BT /F1 12 Tf 50 300 Td (Jane Smithson) Tj ET")
    outer = builder.form("q /In Do Q", {"/In": inner})
    data = builder.page("/Out Do", {"/Out": outer}).build()

    new = edited(data, {"Jane Smithson": "Bo Li"})

    assert not left(new, "Smithson")
    assert shown(new) == "Bo Li"


def test_composite_font_is_used_where_it_has_the_letters() -> None:
    """Else another face is, of which text can be extracted as well."""
    builder = Builder()
    font, codes = builder.composite("Dear Jnmithso,Bil")
    hexed = "".join(codes[one] for one in "Dear Jane Smithson, Bill".replace("S", "s"))
    data = builder.page(f"BT /F2 12 Tf 50 350 Td <{hexed}> Tj ET", fonts={"/F2": font}).build()

    own = edited(data, {"Jane smithson": "Bill Dean"})
    other = edited(data, {"Jane smithson": "Łoś Żółw"})

    assert not left(own, "smithson")
    assert b"/Set" not in content_of(own)
    assert shown(own) == "Dear Bill Dean, Bill"
    assert shown(other) == "Dear Łos Zółw, Bill"


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_boxes_are_of_the_page_as_displayed(angle: int) -> None:
    """Rotated, and cut by its crop box; the dark pixels lie in the box of the text."""
    data = Builder().page(text_page("Jane Smithson"), Rotate=angle, CropBox=[20, 10, 590, 390])

    segment = body(data.build())[0]

    dark = np.argwhere(pixels(data.build()) < 128)
    left_edge, top, right, bottom = segment.boxes(0, 13)[0]
    assert dark[:, 1].min() >= left_edge - 1.5
    assert dark[:, 1].max() <= right + 1.5
    assert dark[:, 0].min() >= top - 1.5
    assert dark[:, 0].max() <= bottom + 1.5


def test_columns_are_read_one_after_the_other() -> None:
    """Also where their lines stand side by side."""
    left_column = [f"left column line number {at}" for at in range(6)]
    right_column = [f"right column line number {at}" for at in range(6)]
    content = "BT /F1 12 Tf 14 TL 50 350 Td (Title above all of the two columns of the page) Tj ET "
    for x, lines in ((50, left_column), (320, right_column)):
        shown_lines = " T* ".join(f"({line}) Tj" for line in lines)
        content += f"BT /F1 12 Tf 14 TL {x} 320 Td {shown_lines} ET "

    texts = [one.text for one in body(Builder().page(content).build())]

    assert texts[1:] == left_column + right_column


def test_rows_of_tables_are_read_row_by_row() -> None:
    """And the header of its column names each cell."""
    content = "BT /F1 12 Tf "
    for y, cells in ((350, "Patient Born"), (330, "Li 1960-02-01"), (310, "Ott 1971-05-06")):
        for x, cell in zip((50, 200), cells.split(), strict=True):
            content += f"1 0 0 1 {x} {y} Tm ({cell}) Tj "

    segments = body(Builder().page(content + "ET").build())

    assert [one.text for one in segments] == [
        "Patient", "Born", "Li", "1960-02-01", "Ott", "1971-05-06",
    ]  # fmt: skip
    assert [one.label for one in segments[2:]] == ["Patient", "Born", "Patient", "Born"]


def test_field_has_the_label_on_its_left_or_above() -> None:
    """A label is named so by its colon."""
    data = Builder().page(
        "BT /F1 12 Tf 1 0 0 1 50 350 Tm (Name:) Tj 1 0 0 1 150 350 Tm (Li) Tj "
        "1 0 0 1 50 300 Tm (Born:) Tj 1 0 0 1 50 285 Tm (1960-02-01) Tj ET"
    )

    segments = body(data.build())

    assert {one.text: one.label for one in segments} == {
        "Name:": "", "Li": "Name", "Born:": "", "1960-02-01": "Born",
    }  # fmt: skip


def test_broken_words_are_joined() -> None:
    """A hyphen at the end of a line goes from words, and stays in numbers."""
    data = simple("The patient is Jane Smith-", "son, whose number is 271-24-", "0538, and well")

    new = edited(data, {"Smithson": "Ostrow", "271-24-0538": "000-12-3456"})

    assert [one.text for one in body(data)] == [
        "The patient is Jane Smithson, whose number is 271-24-0538, and well"
    ]
    assert not left(new, "Smith")
    assert not left(new, "0538")
    assert shown(new) == "The patient is Jane Ostrow , whose number is 000-12-3456 , and well"


def test_text_drawn_twice_goes_twice() -> None:
    """As letters are made bold; a reader sees it once."""
    data = Builder().page(
        "BT /F1 12 Tf 1 0 0 1 50 350 Tm (Jane Smithson) Tj "
        "1 0 0 1 50.3 350 Tm (Jane Smithson) Tj ET"
    )

    new = edited(data.build(), {"Jane Smithson": "Bo Li"})

    assert [one.text for one in body(data.build())] == ["Jane Smithson"]
    assert not left(new, "Smithson")


def test_overlaid_texts_are_two_lines() -> None:
    """Their letters are not mixed."""
    data = Builder().page(
        "BT /F1 12 Tf 1 0 0 1 50 350 Tm (Jane Smithson lives) Tj "
        "1 0 0 1 54 350 Tm (CONFIDENTIAL) Tj ET"
    )

    assert sorted(one.text for one in body(data.build())) == ["CONFIDENTIAL", "Jane Smithson lives"]


def test_invisible_and_white_text_is_read() -> None:
    """And rewritten, as any other."""
    data = Builder().page(
        "BT /F1 12 Tf 50 350 Td (Seen) Tj 3 Tr 0 -20 Td (Jane Smithson) Tj "
        "0 Tr 1 g 0 -20 Td (Jane Smithson) Tj ET"
    )

    new = edited(data.build(), {"Jane Smithson": "Bo Li"})

    assert not left(new, "Smithson")


def test_ligature_is_replaced_whole() -> None:
    """An edit of a part of it keeps the letters that stay."""
    builder = Builder()
    font, codes = builder.composite("Grith")
    font.ToUnicode = builder.pdf.make_stream(
        b"begincmap 5 beginbfchar <0003> <0047> <0004> <0072> <0005> <006900660066> <0006> <0074>"
        b" <0007> <0068> endbfchar endcmap"
    )
    data = builder.page(
        "BT /F2 12 Tf 50 350 Td <00030004000500060007> Tj ET", fonts={"/F2": font}
    ).build()

    new = edited(data, {"fth": "ght"})

    assert codes["i"] == "0005"
    assert [one.text for one in body(data)] == ["Griffth"]
    assert shown(new).replace(" ", "") == "Grifght"


def test_accent_and_letter_drawn_apart_are_one_letter() -> None:
    """As TeX sets them; both go."""
    data = Builder().page(
        "BT /F1 12 Tf 50 350 Td [(Dear Mr. M) -50 (\\250) 445 (uller, hello)] TJ ET"
    )

    new = edited(data.build(), {"Müller": "Smithson"})

    assert [one.text for one in body(data.build())] == ["Dear Mr. Müller, hello"]
    assert shown(new) == "Dear Mr. Smithson, hello"


def test_text_stays_in_its_clip() -> None:
    """What is cut off by a rectangle, or by the box of a form, is not set beyond it."""
    content = "q 50 340 110 20 re W n BT /F1 12 Tf 50 350 Td (Jane Smithson) Tj ET Q"

    read = document(
        edited(Builder().page(content).build(), {"Jane Smithson": "Konstantin Przybylski"})
    )

    assert read.segments[0].boxes(0, 21)[0][2] <= 160.1


def test_numbers_stay_aligned_on_the_right() -> None:
    """Under each other, as they were."""
    numbers = ("12.50", "1,234.00", "999.99", "7.00")
    content = "BT /F1 10 Tf "
    for at, number in enumerate(numbers):
        width = sum(2.78 if one in ",." else 5.56 for one in number)
        content += f"1 0 0 1 {500 - width:.2f} {350 - 14 * at} Tm ({number}) Tj "

    read = document(edited(Builder().page(content + "ET").build(), {"999.99": "1.23"}))

    edges = [one.boxes(0, len(one.text))[0][2] for one in read.segments]
    assert edges == pytest.approx([500] * 4, abs=0.1)


def test_property_of_marked_content_is_a_segment() -> None:
    """It is rewritten as text, and dropped where the glyphs it speaks for change."""
    data = Builder().page(
        "/Span <</ActualText (Jane Smithson)>> BDC BT /F1 12 Tf 50 350 Td (J. Sm.) Tj ET EMC "
        "/Figure <</Alt (Photo of Jane Smithson)>> BDC EMC"
    )

    new = edited(data.build(), {"Jane Smithson": "Bo Li", "J. Sm.": "B. L."})

    assert not left(new, "Smithson")
    assert b"Photo of Bo Li" in content_of(new)
    assert b"ActualText" not in content_of(new)


def test_letters_that_no_page_shows_are_set_in_another_face() -> None:
    """Letters beyond those of Western Europe are in a face that is embedded."""
    new = edited(simple("Dear Jane Smithson, hello"), {"Jane Smithson": "Łukasz Žižek"})

    assert shown(new) == "Dear Łukasz Žižek, hello"


def kinds(data: bytes) -> list[bool]:
    """Return, for each page, whether it is rewritten as text."""
    read = document(data)
    assert hasattr(read, "contributors")
    return [isinstance(one, PageText) for one in read.contributors if "Page" in type(one).__name__]


def type3() -> pikepdf.Dictionary:
    """Return a font whose glyphs are drawings."""
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 1, 1],
        FontMatrix=[1, 0, 0, 1, 0, 0], FirstChar=65, LastChar=65, Widths=[1],
        Encoding=pikepdf.Dictionary(Differences=[65, pikepdf.Name.A]),
        CharProcs=pikepdf.Dictionary(),
    )  # fmt: skip


def _unsafe() -> dict[str, Builder]:
    named, vertical, third, mask, deep = (Builder() for _ in range(5))
    font, codes = named.composite("Smith")
    del font.ToUnicode
    named.page(f"BT /F2 12 Tf 50 350 Td <{''.join(codes.values())}> Tj ET", fonts={"/F2": font})
    down, codes = vertical.composite("Smith")
    down.Encoding = pikepdf.Name("/Identity-V")
    vertical.page(f"BT /F2 12 Tf 50 350 Td <{''.join(codes.values())}> Tj ET", fonts={"/F2": down})
    third.page("BT /F3 12 Tf 50 350 Td (A) Tj ET", fonts={"/F3": type3()})
    group = mask.form("BT /F1 12 Tf (Jane) Tj ET")
    mask.page(f"/G1 gs {text_page('Dear Sir')}")
    state = pikepdf.Dictionary(SMask=pikepdf.Dictionary(S=pikepdf.Name.Alpha, G=group))
    mask.pdf.pages[0].Resources.ExtGState = pikepdf.Dictionary(G1=state)
    loop = deep.form("/Fm1 Do")
    loop.Resources.XObject = pikepdf.Dictionary(Fm1=loop)
    deep.page(f"/Fm1 Do {text_page('Dear Sir')}", {"/Fm1": loop})
    return {
        "letters without Unicode": named,
        "vertical writing": vertical,
        "a Type 3 font": third,
        "a soft mask": mask,
        "a form within itself": deep,
        "a font that is missing": Builder().page("BT /F9 12 Tf 50 350 Td (Jane) Tj ET"),
    }


@pytest.mark.parametrize("why", _unsafe())
def test_page_that_cannot_be_rewritten_becomes_a_picture(why: str) -> None:
    """Other pages of the document stay text."""
    data = _unsafe()[why].page(text_page("Dear Sir")).build()

    assert kinds(data)[0] is False
    assert kinds(data)[-2] is True
