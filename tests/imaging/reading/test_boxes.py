"""A finding's boxes cover the whole value, and of its label as little as can be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.imaging.reading.boxes import line_boxes, whole_values
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.words import Box, Word

from ..drawing import face

SIZE = (2000, 1000)


def set_in(text: str, top: int = 100, left: int = 100, number: int = 0) -> list[Word]:
    """The words of a line, boxed as Tesseract would box them in DejaVu Sans."""
    words, font = [], face()
    for start, part in [(i, word) for i, word in _parts(text)]:
        x = left + font.getlength(text[:start])
        words.append(
            Word(part, Box(round(x), top, round(x + font.getlength(part)), top + 30), line=number)
        )
    return words


def _parts(text: str) -> list[tuple[int, str]]:
    found, start = [], 0
    for word in text.split(" "):
        if word:
            found.append((start, word))
        start += len(word) + 1
    return found


def cover(text: str, value: str) -> tuple[LayoutText, tuple[Box, ...]]:
    """The layout of a line and the boxes of *value* in it."""
    layout = layout_text(set_in(text))
    start = layout.text.index(value)
    return layout, tuple(part.box for part in line_boxes(layout, start, start + len(value), SIZE))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("DOB:11/02/1950", "11/02/1950"),
        ("Name:John", "John"),
        ("Name:WILLIAM", "WILLIAM"),
        ("Soc.Sec.No.123-45-6789", "123-45-6789"),
        ("Tel.(216) 555-0142", "(216) 555-0142"),
        ("illicit:mmmm", "mmmm"),
        ("MMMM:illi", "illi"),
        ("John/Mary", "John"),
        ("born:March 4, 1931.", "March 4, 1931"),
    ],
)
def test_word_with_a_label_is_cut(text: str, value: str) -> None:
    """The value is covered to its last pixel, and at most two characters of the label with it."""
    font = face()
    left = 100 + font.getlength(text[: text.index(value)])
    right = left + font.getlength(value)

    _, (box,) = cover(text, value)

    assert box.left <= left + 1
    assert box.right >= right - 1
    assert box.left > 100 + font.getlength(text[: max(0, text.index(value) - 3)]) - 12
    assert (box.top, box.bottom) == (96, 134)


@pytest.mark.parametrize("text", ["(John Smith)", '"John Smith",', "John Smith.", "**John Smith:"])
def test_signs_around_a_value_cost_no_box(text: str) -> None:
    """Presidio's own mapping loses these: a name in brackets has its box, brackets and all."""
    layout, (box,) = cover(text, "John Smith")

    whole = layout.words[0].box.union(layout.words[-1].box)
    assert box == whole.grown(4, 4)


def test_value_on_two_lines_has_two_boxes() -> None:
    """One box a line, each with its words and text."""
    layout = layout_text([*set_in("917 Hermitage"), *set_in("Court", top=140, number=1)])

    parts = line_boxes(layout, 0, len(layout.text), SIZE)

    assert [(part.line, part.text, part.words) for part in parts] == [
        (0, "917 Hermitage", (0, 1)),
        (1, "Court", (2,)),
    ]


def test_columns_are_boxed_apart() -> None:
    """What lies between two columns stays as it is."""
    layout = layout_text([*set_in("John"), *set_in("Smith", left=900)])

    parts = line_boxes(layout, 0, len(layout.text), SIZE)

    assert [part.text for part in parts] == ["John", "Smith"]


def test_sloping_line_is_boxed_word_by_word() -> None:
    """One box around a long sloping line would reach into the lines above and below it."""
    words = [
        Word("word", Box(x, 100 + x // 20, x + 90, 130 + x // 20)) for x in range(0, 1800, 100)
    ]
    layout = layout_text(words)

    parts = line_boxes(layout, 0, len(layout.text), SIZE)

    assert len(parts) > 4
    assert max(part.box.height for part in parts) < 60


def test_allowed_words_are_left() -> None:
    """A word on the allow list keeps its pixels, and those beside it are still boxed."""
    layout = layout_text(set_in("Mr John Smith"))

    parts = line_boxes(layout, 0, len(layout.text), SIZE, allowed=["John"])

    john = layout.words[1].box
    assert [part.text for part in parts] == ["Mr", "Smith"]
    assert parts[0].box.right <= john.left
    assert parts[1].box.left >= john.right


@given(st.integers(-5, 40), st.integers(-5, 40))
def test_boxes_lie_on_the_page_and_touch_only_what_is_meant(start: int, end: int) -> None:
    """For any span: every word it shares a character with is boxed, no other, all on the page."""
    layout = layout_text(set_in("(John Smith) DOB:11/02/1950", left=0, top=0))

    parts = line_boxes(layout, start, end, (300, 25))

    touched = {number for part in parts for number in part.words}
    assert touched == {
        number for number, (a, b) in enumerate(layout.spans) if a < end and start < b
    }
    for part in parts:
        assert part.box == part.box.clipped((300, 25))


def test_box_does_not_show_its_text() -> None:
    """Boxes in a log or a traceback do not say what they cover."""
    layout = layout_text(set_in("John"))

    assert "John" not in repr(line_boxes(layout, 0, 4, SIZE))


@pytest.mark.parametrize(
    ("text", "value", "lead", "trail"),
    [
        ("(John Smith),", "John Smith", "(", "),"),
        ("DOB:11/02/1950.", "11/02/1950", "", "."),
        ("**Smith", "Smith", "**", ""),
        ("Smith", "Smith", "", ""),
        ("Name:John", "John", "", ""),
        ("J. Smith", "J. Smith", "", ""),
    ],
)
def test_signs_around_a_value_are_kept_apart(text: str, value: str, lead: str, trail: str) -> None:
    """The box covers brackets, too; what the value is, and what stood around it, is known."""
    layout = layout_text(set_in(text))
    start = layout.text.index(value)

    (part,) = line_boxes(layout, start, start + len(value), SIZE)

    assert (part.lead, part.value, part.trail) == (lead, value, trail)
    assert part.text == lead + value + trail
    assert part.instead == ""


@given(st.integers(-5, 40), st.integers(-5, 40))
def test_parts_are_lead_value_and_trail(start: int, end: int) -> None:
    """For any span: they make up the text of the box, and the value is the span's own."""
    layout = layout_text(set_in("(John Smith) DOB:11/02/1950."))

    for part in line_boxes(layout, start, end, SIZE):
        assert part.lead + part.value + part.trail == part.text
        assert part.value in layout.text[max(start, 0) : max(end, 0)]


def test_lines_of_a_value_have_their_own_signs() -> None:
    """Brackets that open on one line and close on the next."""
    layout = layout_text([*set_in("(917 Hermitage,"), *set_in("Court).", top=140, number=1)])
    start, end = layout.text.index("917"), layout.text.index(")")

    parts = line_boxes(layout, start, end, SIZE)

    assert [(part.lead, part.value, part.trail) for part in parts] == [
        ("(", "917 Hermitage,", ""),
        ("", "Court", ")."),
    ]


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("in Washington, DC", "ashington", "Washington"),
        ("Department of Justice", "Department of Justic", "Department of Justice"),
        ("55 EAST 59th STR", "9th", "59th"),
        ("call 555-0142 today", "0142", "555-0142"),
        ("Mrs. O'Neill", "Neill", "O'Neill"),
        ("Wm. Oak-Hermitage", "Oak", "Oak-Hermitage"),
        ("DOB:11/02/1950", "11/02/1950", "11/02/1950"),
        ("DOB:11/02/1950", "DOB:11/02/1950", "11/02/1950"),
        ("Home Address: 12 Elm", "Home Address: 12 Elm", "12 Elm"),
        ("Address(12 Elm)", "12 Elm", "12 Elm"),
        ("born 11/02/1950", "11/02", "11/02"),
        ("at 10:30 today", "10:30", "10:30"),
        ("see http://a.example", "http://a.example", "http://a.example"),
        ("apartment 12B here", "12", "12"),
        ("Soc. Sec. No. ©   271-97-0538", "©   271-97-0538", "271-97-0538"),
        ("SSN ° · 271-97-0538 | ~", "° · 271-97-0538 | ~", "271-97-0538"),
        ("12 Elm St.\n— ___\nOhio", "12 Elm St.\n— ___", "12 Elm St."),
        ("“Yes.”   [X]", "“Yes.”   [X]", "“Yes.”   [X]"),
        ("He is ✓ here", "✓", "✓"),
    ],
)
def test_values_are_whole_and_without_labels(text: str, found: str, whole: str) -> None:
    """Words and numbers are not torn; neither labels nor specks beside it are part of the value."""
    start = text.index(found)

    ((left, right),) = whole_values(text, [(start, start + len(found))])

    assert text[left:right] == whole


def test_values_do_not_grow_into_each_other() -> None:
    """What is found in one word by two recognizers stays divided."""
    assert whole_values("1950-1960", [(0, 4), (5, 9)]) == [(0, 4), (5, 9)]
