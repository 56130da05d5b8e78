"""Lines that one typeface explains are of one hand: a form has one of print, one of answers."""

import numpy as np
from PIL import Image

from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.hands import hands_of, likely
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import StyleBook
from presidio_cdip.imaging.words import Word

from ..drawing import shipped, typeset

TIMES, BOLD, SANS = (shipped(name) for name in ("serif-times", "serif-times-bold", "sans-swiss"))


def test_lines_vote_together() -> None:
    """A line that is a little more like another typeface is of the hand of the others."""
    costs = np.array([[0.0, 9.0, 5.0], [0.0, 9.0, 4.0], [2.0, 9.0, 0.0]])

    assert hands_of(costs, [TIMES, BOLD, SANS]) == [TIMES, TIMES, TIMES]


def test_clearly_other_lines_are_another_hand() -> None:
    """Neither outvotes the other, however many lines it has."""
    costs = np.array([[0.0, 9.0, 15.0]] * 5 + [[15.0, 9.0, 0.0]])

    assert hands_of(costs, [TIMES, BOLD, SANS]) == [TIMES] * 5 + [SANS]


def test_second_typeface_of_a_class_must_gain_twice_as_much() -> None:
    """What was filled in alike is in one serif, not in two."""
    other = shipped("serif-palace")
    costs = np.array([[0.0, 12.0], [0.0, 12.0], [12.0, 0.0]])

    assert hands_of(costs, [TIMES, SANS]) == [TIMES, TIMES, SANS]
    assert hands_of(costs, [TIMES, other]) == [TIMES] * 3


def test_typefaces_that_explain_little_make_no_hands() -> None:
    """Print in a face that is not known is like one here and another there, and is of one hand."""
    costs = np.array([[0.0, 9.0, 12.0]] * 3 + [[12.0, 9.0, 0.0]])

    assert hands_of(costs, [TIMES, BOLD, SANS], explained=0.98) == [TIMES] * 3 + [SANS]
    assert hands_of(costs, [TIMES, BOLD, SANS], explained=0.91) == [TIMES] * 4


def test_other_words_tell_of_a_hand() -> None:
    """A single line is of the hand of words beside it that are not painted, if that is clear."""
    costs = np.array([[0.0, 9.0, 9.0], [0.0, 9.0, 9.0], [5.0, 9.0, 0.0], [9.0, 9.0, 0.0]])

    assert hands_of(costs[:3], [TIMES, BOLD, SANS]) == [TIMES] * 3
    assert hands_of(costs, [TIMES, BOLD, SANS], 3)[:3] == [TIMES, TIMES, SANS]


def test_a_letter_is_of_the_hand_of_most_lines() -> None:
    """It is a little more like the print beside it, as letters happen to be."""
    print_, answer, letter = [9.0, 0.0, 9.0], [0.0, 9.0, 9.0], [1.5, 0.0, 9.0]
    costs = np.array([answer, answer, letter, print_, print_, print_, print_])

    assert hands_of(costs, [TIMES, SANS, BOLD], 3)[:3] == [TIMES] * 3


def test_likely_typefaces_are_those_that_some_lines_need() -> None:
    """The best of all, and the one that is best for a single line."""
    costs = np.array([[0.0, 3.0, 20.0], [0.0, 3.0, 20.0], [20.0, 20.0, 0.0]])

    assert likely(costs, [TIMES, BOLD, SANS], 1)[:2] == [TIMES, SANS]


def form() -> tuple[Image.Image, list[Word]]:
    """Labels in a serif, and answers of a typewriter beside them."""
    labels, words = typeset(
        [(40, y, text) for y, text in ((60, "Name"), (110, "Residence"), (160, "Occupation"))],
        "serif-times", 22.0, size=(760, 200),
    )  # fmt: skip
    answers, more = typeset(
        [(220, y, text) for y, text in ((60, "Edelman"), (110, "Duluth"), (160, "Carpenter"))],
        "typewriter-prime", 24.0, size=(760, 200),
    )  # fmt: skip
    page = np.minimum(np.asarray(labels), np.asarray(answers))
    return Image.fromarray(page), [*words, *more]


def test_answers_are_not_painted_in_the_face_of_the_print() -> None:
    """A value on a line with its label is in its own hand; all answers share it."""
    image, words = form()
    book = StyleBook(Sheet.of(image), words, [0, 1, 2, 0, 1, 2], faces())

    book.choose_styles([[(3,)], [(4,)], [(5,)]])

    styles = [book.style((number,)) for number in (3, 4, 5)]
    assert {style.fit.face.family for style in styles if style} == {"typewriter"}
    assert len({style.fit.face for style in styles if style}) == 1


def test_lines_of_a_value_are_in_one_face() -> None:
    """Also where each by itself is like another one."""
    image, words = form()
    book = StyleBook(Sheet.of(image), words, [0, 1, 2, 0, 1, 2], faces())

    book.choose_styles([[(3,), (1,)], [(4,)], [(5,)]])

    one, other = book.style((3,)), book.style((1,))
    assert one and other
    assert one.fit.face == other.fit.face


def test_word_that_was_misread_is_set_like_its_hand() -> None:
    """Its letters fit no drawing, but the lines around it tell how it was typed."""
    image, words = form()
    words[4] = Word("i)uhth", words[4].box, words[4].conf, line=words[4].line)
    book = StyleBook(Sheet.of(image), words, [0, 1, 2, 0, 1, 2], faces())
    book.choose_styles([[(3,)], [(4,)], [(5,)]])

    misread, right = book.style((4,)), book.style((5,))

    assert misread and right
    assert misread.fit.face == right.fit.face
    (own,) = misread.words
    assert own is not None
    assert abs(own.pen[1] - 110) <= 3
