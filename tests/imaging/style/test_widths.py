"""A page's typeface is inferred from the relative widths of its words."""

from dataclasses import replace

import pytest

from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.widths import ENOUGH, settings_of
from presidio_cdip.imaging.words import Word

from ..drawing import PROSE, Placed, shipped, typeset

PAGE = (900, 400)


def words(name: str, spread: int = 0, texts: list[Placed] = PROSE, em: float = 28.0) -> list[Word]:
    """The words of a page in that face, whose ink has spread by so many pixels."""
    _, found = typeset(texts, name, em, PAGE)
    return [replace(word, box=word.box.grown(spread, spread)) for word in found]


def likely(found: list[Word]) -> list[list[str]]:
    """The names of the likely faces, of each setting."""
    settings = settings_of(found, [word.line for word in found], faces())
    return [[face.name for face in setting.faces] for setting in settings]


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0, 1, 2])
@pytest.mark.parametrize("name", [face.name for face in faces() if not face.fixed])
def test_face_is_among_the_likely_whatever_the_ink(name: str, spread: int) -> None:
    """A bold typeface and bold by ink spread are distinguished; most others are excluded."""
    (found,) = likely(words(name, spread))

    assert name in found
    assert len(found) < len(faces()) / 3


@pytest.mark.parametrize("name", [face.name for face in faces() if face.fixed])
def test_typewriters_are_all_alike(name: str) -> None:
    """Widths say that a typewriter wrote the page, not which."""
    assert likely(words(name)) == [[face.name for face in faces() if face.fixed]]


def test_lines_may_be_of_different_sizes() -> None:
    """A heading in the same face does not confuse."""
    heading = words("serif-times", texts=[(40, 300, "Statement of the physician")], em=40.0)
    found = words("serif-times") + [replace(word, line=9) for word in heading]

    assert likely(found) == [["serif-times"]]


def test_form_and_what_was_typed_into_it_are_two_settings() -> None:
    """Each has its lines and its face."""
    typed = words("typewriter-prime", texts=[(left, top + 190, text) for left, top, text in PROSE])
    found = words("serif-times") + [replace(word, line=word.line + 9) for word in typed]

    first, second = settings_of(found, [word.line for word in found], faces())

    assert {first.lines, second.lines} == {frozenset({0, 1, 2}), frozenset({9, 10, 11})}
    of = {setting.lines: [face.name for face in setting.faces] for setting in (first, second)}
    assert of[frozenset({0, 1, 2})] == ["serif-times"]
    assert of[frozenset({9, 10, 11})] == [face.name for face in faces() if face.fixed]


def test_few_words_in_another_face_are_outvoted() -> None:
    """A typed value on a printed form leaves the form its face."""
    typed = words("typewriter-prime", texts=[(40, 300, "Edward Bergstrom, Tokyo")])
    found = words("serif-times") + [replace(word, line=9) for word in typed]

    assert likely(found) == [["serif-times"]]


def test_too_few_words_tell_nothing() -> None:
    """Below a dozen words beside others nothing is said."""
    found = words("serif-times")

    assert likely(found[: ENOUGH - 1]) == []
    assert likely([replace(word, line=number) for number, word in enumerate(found)]) == []
    assert likely([replace(word, conf=20.0) for word in found]) == []
    assert likely([]) == []


def test_letters_that_are_not_ascii_are_passed_over() -> None:
    """Their words do not count, and do no harm."""
    found = words("serif-times")

    assert likely([*found, replace(found[0], text="Übermäßig")]) == [["serif-times"]]


def test_weights_and_slants_are_one_typeface() -> None:
    """The name says which belong together."""
    names = ("serif-times", "serif-times-bold", "serif-times-italic", "serif-school-bold")

    assert [shipped(name).typeface for name in names] == ["serif-times"] * 3 + ["serif-school"]


def test_without_faces_there_is_none() -> None:
    """A page that is only erased has words, and no faces to choose from."""
    found = words("serif-times")

    assert settings_of(found, [word.line for word in found], ()) == ()


@pytest.mark.parametrize("width", [0, 2, 4, 5])
def test_words_of_a_few_pixels_tell_nothing(width: int) -> None:
    """Words that OCR boxed wrongly do not keep the page's face from being found."""
    found = words("serif-times")
    box = found[0].box._replace(right=found[0].box.left + width)
    flat = [Word(text, box, 95.0, line=9) for text in ("iii", "lil")]

    assert likely([*found, *flat]) == [["serif-times"]]


def test_every_line_of_a_long_page_is_in_a_setting() -> None:
    """Every line is in a setting, however many words the page has."""
    found = [
        replace(word, line=word.line + 3 * turn)
        for turn in range(20)
        for word in words("serif-times")
    ]

    (setting,) = settings_of(found, [word.line for word in found], faces())

    assert setting.lines == frozenset(range(60))
