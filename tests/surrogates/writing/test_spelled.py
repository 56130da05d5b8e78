"""Numbers in words are read and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.surrogates.writing import spelled


@given(st.integers(0, 199))
def test_a_number_is_read_back(number: int) -> None:
    """What is written of a number in words reads as that number, cardinal and ordinal."""
    words = spelled.cardinal(number).replace("-", " ").split()
    found = spelled.find(words, 0)

    assert found and (found.value, found.kind, found.words) == (number, "cardinal", len(words))

    if number:
        words = spelled.ordinal(number).replace("-", " ").split()
        found = spelled.find(words, 0)
        assert found and (found.value, found.kind) == (number, "ordinal")


@given(number=st.integers(1500, 2099), style=st.sampled_from(spelled.STYLES))
def test_a_year_is_read_back(number: int, style: str) -> None:
    """A year reads as that year, however it is said."""
    words = spelled.year(number, style).replace("-", " ").split()

    found = spelled.find(words, 0)

    assert found and (found.value, found.kind, found.words) == (number, "year", len(words))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("twenty six", 26), ("twentysix", 26), ("fourty two", 42), ("oh five", 5),
        ("nineteen aught four", 1904), ("nineteen hundred", 1900), ("two thousand and one", 2001),
        ("a hundred", 100),
    ],
)  # fmt: skip
def test_other_spellings(words: str, value: int) -> None:
    """Common slips and old ways of saying a number are read too."""
    found = spelled.find(words.split(), 0)

    assert found and found.value == value


def test_the_longest_number_counts() -> None:
    """Of the numbers that begin at a word, the longest is found; of other words, none."""
    assert spelled.find(["nineteen", "sixty", "five"], 0) == (1965, "year", 3, "pair")
    assert spelled.find(["of", "sixty"], 0) is None


def test_words_look_like_their_model() -> None:
    """Capitals, a missing hyphen and ends of line are the model's."""
    assert spelled.written_like("Twenty-six", "forty-one") == "Forty-one"
    assert spelled.written_like("TWENTY SIX", "forty-one") == "FORTY ONE"
    assert spelled.written_like("forty-\nfive", "sixty-two") == "sixty-\ntwo"
    assert spelled.written_like("forty-\nfive", "sixty") == "sixty\n"
