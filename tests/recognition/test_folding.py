"""Terms are found as a scanner may have left them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.recognition.folding import Terms, Words, fold


def found(terms: list[str], text: str) -> list[str]:
    return [text[start:end] for start, end, _ in Terms(terms).finditer(Words.of(text))]


@pytest.mark.parametrize(
    "seen",
    [
        "Social Security Number",
        "SOCIAL SECURITY NUMBER",
        "Social Security Nurnber",
        "Soc1al Secur1ty Number",
        "Social\nSecurity Number",
        "Soci al Security Number",
        "SocialSecurityNumber",
    ],
)
def test_term_is_found_through_ocr_noise(seen: str) -> None:
    """Confused, broken and glued letters are forgiven, and the whole stretch is found."""
    assert found(["social security number"], f"His {seen}: 1") == [seen]


@pytest.mark.parametrize("seen", ["Dob 3/2/70", "D.O.B. 3/2/70", "D. O. B. 3/2/70", "DOB3/2/70"])
def test_initials_are_found_with_and_without_their_dots(seen: str) -> None:
    """A term of initials forgives dots, blanks and a value that is glued to it."""
    assert found(["d.o.b."], seen) == [seen.split("3")[0].strip(" .") or seen]


@pytest.mark.parametrize("text", ["image", "pageant", "dosage 5", "teenager"])
def test_term_inside_a_word_is_not_found(text: str) -> None:
    """A term begins where a word begins and ends where one ends."""
    assert found(["age"], text) == []


def test_longest_term_wins() -> None:
    """Of two terms that start at a place the longer one is found."""
    assert found(["home", "home address"], "Home address, home") == ["Home address", "home"]


@given(st.text(max_size=60))
def test_words_keep_their_offsets(text: str) -> None:
    """Every word stands in the text where its offsets say, and nothing alphanumeric is left out."""
    words = Words.of(text)

    spans = list(zip(words.starts, words.ends, strict=True))

    assert [fold(text[start:end]) for start, end in spans] == words.folded
    covered = {offset for start, end in spans for offset in range(start, end)}
    assert all(offset in covered for offset, char in enumerate(text) if char.isalnum())
