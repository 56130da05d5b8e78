"""The text of a page keeps its lines and columns, and knows where each word went."""

from dataclasses import replace
from math import radians, tan

from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.words import Box, Word

CHAR, HEIGHT, PITCH = 12, 26, 33


def line(
    text: str, left: int, top: int, *, block: int = 0, number: int = 0, slope: float = 0.0
) -> list[Word]:
    """The words of *text*, as a typewriter sets them from there on, with Tesseract's identity."""
    words, column = [], 0
    for part in text.split(" "):
        if part:
            x = left + column * CHAR
            y = top + round(x * tan(radians(slope)))
            box = Box(x, y, x + len(part) * CHAR - 2, y + HEIGHT)
            words.append(Word(part, box, 95.0, block, 0, number))
        column += len(part) + 1
    return words


def lines(texts: list[str], left: int, top: int, block: int, slope: float = 0.0) -> list[Word]:
    """Lines below each other in one of Tesseract's blocks."""
    return [
        word
        for number, text in enumerate(texts)
        for word in line(text, left, top + number * PITCH, block=block, number=number, slope=slope)
    ]


texts = st.text(min_size=1, max_size=9)
numbers = st.integers(0, 3)
corners = st.integers(-50, 3000)
words = st.builds(
    lambda text, left, top, wide, high, block, paragraph, number: Word(
        text, Box(left, top, left + wide, top + high), 50.0, block, paragraph, number
    ),
    texts, corners, corners, st.integers(0, 400), st.integers(0, 90), numbers, numbers, numbers,
)  # fmt: skip


@given(st.lists(words, max_size=25))
def test_offsets_are_exact_for_any_words(words: list[Word]) -> None:
    """Each word is in the text once, where its span says; spans go up and do not touch."""
    layout = layout_text(words)

    assert [layout.text[start:end] for start, end in layout.spans] == [
        word.text for word in layout.words
    ]
    flat = [offset for span in layout.spans for offset in span]
    assert flat == sorted(flat)
    expected = [word for word in words if word.text.strip()]
    assert sorted(map(repr, layout.words)) == sorted(map(repr, expected))
    assert len(layout.lines) == len(layout.words)


def test_no_words_are_no_text() -> None:
    """A blank page has the empty text."""
    assert layout_text([]).text == ""


def test_words_of_a_row_stand_on_one_line() -> None:
    """Label and value of two blocks share a line, three spaces or more apart."""
    page = [
        *line("Name:", 100, 100, block=1),
        *line("Born:", 100, 140, block=1, number=1),
        *line("John Smith", 400, 103, block=2),
        *line("11/02/1950", 400, 137, block=2, number=1),
    ]

    text = layout_text(page).text

    assert text.splitlines() == [
        "Name:                    John Smith",
        "Born:                    11/02/1950",
    ]


def test_columns_stand_below_each_other() -> None:
    """Columns of a table begin at the same place of each line."""
    rows = [("Ashby, W. R.", "2114", "5210 Caledonia Rd."), ("Dietz, O.", "2101", "14 Tuckahoe")]
    page = [
        word
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        for word in line(cell, 100 + 300 * column, 100 + PITCH * number, block=column)
    ]
    page = [Word(w.text, w.box, 95.0, w.block, 0, w.box.top) for w in page]

    first, second = layout_text(page).text.splitlines()

    assert first.index("2114") == second.index("2101")
    assert first.index("5210") == second.index("14 T")


def test_two_spaces_after_a_full_stop_are_no_column() -> None:
    """Typists leave two spaces between sentences and a state and its ZIP code."""
    assert layout_text(line("Washington, DC  20005", 0, 0)).text == "Washington, DC 20005"
    assert layout_text(line("Washington, DC    20005", 0, 0)).text == "Washington, DC    20005"


def test_sloping_rows_are_rows() -> None:
    """At three degrees either way, a page 1500 pixels wide gives the text it gives upright."""
    table = [("Name", "John Smith", "Paris"), ("Age", "34", "Rome"), ("Sex", "M", "Bonn")]
    prose = "the quick brown fox jumps over the lazy dog and runs away from it all"

    def drawn(slope: float) -> str:
        page = lines([prose, prose], 60, 100, 9, slope)
        for number, row in enumerate(table):
            for column, cell in enumerate(row):
                page += line(
                    cell, 60 + 600 * column, 300 + PITCH * number,
                    block=column, number=number, slope=slope,
                )  # fmt: skip
        return layout_text(page).text

    assert drawn(3.0) == drawn(-3.0) == drawn(0.0)
    assert len(drawn(0.0).splitlines()) == 6


def test_empty_line_stands_where_the_page_has_one() -> None:
    """A paragraph's end is seen; the lines of a double-spaced letter are not torn apart."""
    single = lines(["Dear Nora,", "", "your mother rang", "last night."], 0, 0, 0)
    double = [word for number in range(6) for word in line("a b c", 0, number * 66, number=number)]

    assert layout_text(single).text == "Dear Nora,\n\nyour mother rang\nlast night."
    assert "\n\n" not in layout_text(double).text


def test_indent_is_kept() -> None:
    """The second line of an address stands under the first, not under the label."""
    page = lines(["Address:   917 Hermitage Ct.", "           Louisville 5, Kentucky"], 50, 50, 0)

    assert layout_text(page).text == (
        "Address:   917 Hermitage Ct.\n           Louisville 5, Kentucky"
    )


LEFT = [
    "A federal jury of seven men and five",
    "women began deliberations late on a",
    "Thursday in the case of a retired man",
    "who contends that forty-four years of",
    "unfiltered cigarettes cost him a voice",
    "and a living on the water he had known",
    "since he was a boy of eleven years old",
]
RIGHT = [
    "The judge told the panel that it could",
    "not weigh what the papers had written",
    "about the trial, nor what was said in",
    "the corridor, and sent them to a hotel",
    "for the night under the eyes of three",
    "deputies who were to keep them from a",
    "telephone until the morning of Friday",
]


def test_newspaper_columns_are_read_one_after_the_other() -> None:
    """Prose is not interleaved; what runs across both columns stays above and below."""
    heading = "JURY OUT IN LOUISIANA SMOKER'S SUIT AFTER A LONG AND BITTER TRIAL IN THE SOUTH"
    page = [
        *line(heading, 100, 20, block=0),
        *lines(LEFT, 100, 100, 1),
        *lines(RIGHT, 640, 113, 2),
        *line(heading, 100, 420, block=3),
    ]

    read = [text for text in layout_text(page).text.splitlines() if text]

    assert read == [heading, *LEFT, *RIGHT, heading]


def test_three_newspaper_columns_are_three() -> None:
    """A gutter within what lies beside a gutter is found, too."""
    page = [*lines(LEFT, 100, 100, 1), *lines(RIGHT, 640, 100, 2), *lines(LEFT, 1180, 100, 3)]

    read = [text for text in layout_text(page).text.splitlines() if text]

    assert read == [*LEFT, *RIGHT, *LEFT]


def test_long_cells_of_a_form_are_read_row_by_row() -> None:
    """Two columns of a form are no prose: their lines are few, short or ragged."""
    left = ["9. List addresses from which this was sent:", "1420 K Street, NW", "10th Floor"] * 3
    right = ["10. List the states to which it was sent:", "All 50 states and the", "District"] * 3
    page = [*lines(left, 100, 100, 1), *lines(right, 700, 100, 2)]

    read = layout_text(page).text.splitlines()

    assert len(read) == 9
    assert all(a in row and b in row for a, b, row in zip(left, right, read, strict=True))


def test_layout_does_not_show_its_text() -> None:
    """A layout in a log or a traceback does not say what the page says."""
    assert "Smith" not in repr(layout_text(line("John Smith", 0, 0)))


def in_cell(cell: Box, *texts: str) -> list[Word]:
    """The words of a cell: its first line at its top, the others below."""
    number = cell.left + 10_000 * cell.top
    found = lines(list(texts), cell.left + 8, cell.top + 5, number)
    return [replace(word, cell=cell) for word in found]


def cells(row: int, *widths: int) -> list[Box]:
    """Cells beside each other, high enough for a label and two lines."""
    found, left = [], 50
    for width in widths:
        found.append(Box(left, row * 120, left + width, row * 120 + 110))
        left += width + 6
    return found


def test_value_of_a_form_is_written_behind_the_label_of_its_cell() -> None:
    """And an empty cell stays empty: the date hired is no date of birth."""
    born, hired, home = cells(0, 400, 400, 500)
    words = [
        *in_cell(born, "DATE OF BIRTH"),
        *in_cell(hired, "DATE HIRED", "6/4/1951"),
        *in_cell(home, "3. HOME ADDRESS", "12 Elm St", "Troy, Ohio"),
    ]

    layout = layout_text(words)

    assert [line.strip() for line in layout.text.split("\n")] == [
        "DATE OF BIRTH", "DATE HIRED   6/4/1951", "3. HOME ADDRESS   12 Elm St", "Troy, Ohio",
    ]  # fmt: skip
    rows = dict(zip([word.text for word in layout.words], layout.lines, strict=True))
    assert rows["HIRED"] != rows["6/4/1951"] != rows["Elm"]


def test_a_table_stays_in_rows() -> None:
    """Its head tells it: below one, cells of the same width are no fields of a form."""
    head = [cell._replace(bottom=cell.top + 36) for cell in cells(0, 400, 400)]
    words = [
        word for cell, text in zip(head, ("NAME", "ADDRESS"), strict=True)
        for word in in_cell(cell, text)
    ]  # fmt: skip
    for row, texts in enumerate((("Hall Ruth", "Elm St"), ("Cole Roy", "Oak St")), 1):
        left, right = (
            cell._replace(top=cell.top - 80, bottom=cell.bottom - 80)
            for cell in cells(row, 400, 400)
        )
        words += in_cell(left, texts[0], "clerk")
        words += in_cell(right, texts[1], "Troy")

    text = layout_text(words).text

    assert [len(line.split("   ")) > 1 for line in text.split("\n") if line] == [True] * 5


def test_a_value_of_two_lines_beside_its_label_stays_in_rows() -> None:
    """The label has a cell of its own, and nothing sets the first line of the value apart."""
    label, value = cells(0, 300, 500)
    text = layout_text([*in_cell(label, "Religion"), *in_cell(value, "Roman", "Catholic")]).text

    assert text.split("\n")[0].split() == ["Religion", "Roman"]


def test_prose_in_a_frame_stays_in_lines() -> None:
    """A notice in a cell of its own begins with no label."""
    (cell,) = cells(0, 900)
    prose = "this message is only for the use of the person", "or firm to which it is addressed"

    assert [line.strip() for line in layout_text(in_cell(cell, *prose)).text.split("\n")] == [
        *prose
    ]
