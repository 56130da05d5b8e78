"""A long text is read in pieces; what is found does not show where it was cut."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from presidio_cdip.recognition import pieces as module
from presidio_cdip.recognition.finder import Finder, finder
from presidio_cdip.recognition.pieces import joined, pieces
from presidio_cdip.recognition.spans import Span

LINES = [f"{number}. Nothing is to be found on this line.\n" for number in range(200)]
FORM = "Name: {}\n\nAge: 46\nHe has dialysis.\n\n"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are of 2,000 characters."""
    for name, length in {"PIECE": 2_000, "BEFORE": 300, "AFTER": 200, "_SLACK": 100}.items():
        monkeypatch.setattr(module, name, length)


@pytest.fixture
def both(age_pack: Path, folder: Path) -> Finder:
    """Rules that find ages, and a model that finds illnesses."""
    return finder(age_pack, folder)


def long_texts() -> Iterator[str]:
    """Texts of several pieces, whose values stand now here, now there beside the cuts."""
    for shift in range(0, 40, 3):
        forms = [FORM.format("x" * (shift + number)) for number in range(60)]
        yield "".join(line for pair in zip(forms, LINES, strict=False) for line in pair)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("joint", ["\n\n", "\n", "\r\n", "\f", " ", ""])
def test_pieces_are_the_text(joint: str) -> None:
    """Their own stretches follow one another from end to end, and none is too long."""
    text = joint.join(f"Line {number}" for number in range(2_000))

    cut = pieces(text)

    assert "".join(text[one.first : one.last] for one in cut) == text
    assert all(0 < one.last - one.first <= 2_000 for one in cut)
    assert all(text[one.start : one.end] == one.text for one in cut)
    assert all(one.text in text and len(one.text) <= 2_500 for one in cut)


@pytest.mark.usefixtures("short")
def test_cuts_stand_where_something_ends() -> None:
    """A text is cut where a paragraph ends if one does, else a line, else a word."""
    for joint in ("\f", "\n\n", "\n", " "):
        text = joint.join("word" * 9 for _ in range(200))

        assert all(text[: one.last].endswith(joint) for one in pieces(text)[:-1])


def test_text_of_the_length_of_a_piece_is_one() -> None:
    """It is read at once, from end to end."""
    text = "a " * (module.PIECE // 2)

    (one,) = pieces(text)

    assert (one.start, one.end, one.first, one.last) == (0, len(text), 0, len(text))
    assert len(pieces(text + "a")) == 2


@pytest.mark.slow
def test_findings_are_those_of_the_whole_text(both: Finder, request: pytest.FixtureRequest) -> None:
    """Wherever it is cut, each value is found once, at its place."""
    whole = [both.find(text) for text in long_texts()]

    request.getfixturevalue("short")

    assert [both.find(text) for text in long_texts()] == whole
    assert all(len(spans) == 120 for spans in whole)


@pytest.mark.usefixtures("short")
def test_value_is_found_again_in_all_pieces(both_again: Finder) -> None:
    """One that is found at the end of a document is found at its beginning, and beyond."""
    text = f"He is 46-13-7789.\n{''.join(LINES)}Number: 46-13-7789\n{''.join(LINES)}(46 13 7789)\n"

    again = [text[span.start : span.end] for span in both_again.find(text)]
    once = [text[span.start : span.end] for span in both_again.find(text, propagate=False)]

    assert again == ["46-13-7789", "46-13-7789", "46 13 7789"]
    assert once == ["46-13-7789"]


@pytest.fixture
def both_again(tmp_path: Path, age_pack: Path) -> Finder:
    """Rules whose values are found again by their digits."""
    (tmp_path / "recognizers").mkdir()
    for file in (age_pack / "recognizers").iterdir():
        rules = file.read_text()
        if file.name == "us_ssn.yaml":
            rules += (
                "propagate: digits\n"
                "rules:\n  - {name: numbered, cues: [number], values: ['\\d\\d-\\d\\d-\\d{4}']}\n"
            )
        (tmp_path / "recognizers" / file.name).write_text(rules)
    return finder(tmp_path, "none")


@pytest.mark.usefixtures("short")
def test_model_sees_no_more_than_a_piece(both: Finder, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for each word is kept for the words of a piece."""
    seen: list[int] = []
    model = both.model
    assert model
    tag = model.tag
    monkeypatch.setattr(
        model,
        "tag",
        lambda texts: (seen.append(len(texts[0])), tag(texts))[1],  # type: ignore[func-returns-value]
    )

    both.find(next(long_texts()))

    assert len(seen) > 2 and max(seen) <= 2_500


def test_value_across_a_cut_is_one() -> None:
    """Where two pieces read it differently, neither part is lost and no two spans overlap."""
    text = "He lives at 12 Elm Street, Erie, and works."
    one, other = Span(12, 25, "HOME_ADDRESS", 0.9, "a"), Span(15, 31, "HOME_ADDRESS", 0.8, "b")

    assert [(span.start, span.end) for span in joined(text, [[one], [other]])] == [(12, 31)]


def test_blank_text_is_not_read(both: Finder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither rules nor model are asked about a text without a word."""
    monkeypatch.setattr(type(both.rules), "find", None)
    monkeypatch.setattr(both.model, "tag", None)

    assert both.find(" \n\t" * 10_000) == []
    assert both.find("") == []
