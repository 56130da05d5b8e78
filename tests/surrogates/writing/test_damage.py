"""A surrogate may be as damaged as its original was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.confusions import digits
from presidio_cdip.surrogates.writing.damage import damaged_like


@pytest.mark.parametrize(
    ("model", "value", "expected"),
    [
        ("27l-24-O538", "531-90-0277", "53l-90-O277"),
        ("O71-28-9934", "512-11-8888", "S12-11-8888"),
        ("O71-28-9934", "412-11-8888", "412-11-8888"),
        ("l9S4", "1965", "l9G5"), ("l9S4", "1958", "l9S8"), ("l9S4", "1978", "l978"),
        ("l6th", "11th", "l1th"), ("Ju1y 3l, 19O1", "May 11, 1900", "May 1l, 19O0"),
        ("May 11, 1939", "July 10, 1935", "July 10, 1935"), ("B", "8", "8"),
        ("I6", "12", "I2"), ("1-22", "3-4-5678", "3-4-5678"),
    ],
)  # fmt: skip
def test_letters_stand_where_they_stood(model: str, value: str, expected: str) -> None:
    """A digit becomes a letter only where the model's was one, and only one that looks like it."""
    assert damaged_like(model, value) == expected


@given(
    model=st.text("0123456789OlISB-/ ", max_size=12), value=st.text("0123456789-/ ", max_size=12)
)
def test_the_digits_can_be_read_back(model: str, value: str) -> None:
    """Whatever the model, the value's digits are there when the letters are turned back."""
    assert digits(damaged_like(model, value)) == value


@given(value=st.text("0123456789-/ ", max_size=12))
def test_a_clean_model_damages_nothing(value: str) -> None:
    """Without a letter in the model, the value stays as it is."""
    assert damaged_like("123-45-6789 May Sept", value) == value
