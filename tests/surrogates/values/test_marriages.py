"""Marriages, partings and children agree with the words that stay around them."""

import re

import pytest

from tests.marked import replaced
from tests.surrogates.values.test_told import surrogates


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Age 41. Married; his ⟦wife⟧ stays at Lagos.", "wife"),
        ("Her surname before she was ⟦married⟧ was Toll.",
         "of age|grown|confirmed|naturali[sz]ed|twenty"),
        ("Previous marriages: ⟦none⟧", "one|two|one annulled|one dissolved"),
        ("My ⟦husband⟧ has one copy. We then decided to wait.", "husband"),
        ("He ⟦married the cooper Anna Toll⟧ at Leith.", "married the cooper (?!Anna)\\w+ \\w+"),
        ("Marriage dissolved by ⟦divorce⟧, 1931.", "death|annulment|desertion"),
        ("Their ⟦youngest son⟧, Dan, is in the Army.",
         "youngest (stepson|nephew|godson|cousin)"),
        ("She has ⟦three children⟧, who are 14, 11 and 8.", "three children"),
        ("He is living with his ⟦other half⟧ at Hove.", "housekeeper|boarder|intended|best friend"),
    ],
)  # fmt: skip
def test_a_marriage_goes_on_as_the_page_has_it(text: str, pattern: str) -> None:
    """What the words beside a marriage, a parting or a child tell is not contradicted."""
    drawn = surrogates("MARITAL_STATUS", text)

    assert all(re.fullmatch(pattern, one) for one in drawn), drawn


def test_nobody_married_becomes_engaged() -> None:
    """A state of many years, with children and a wedding, is no engagement."""
    drawn = surrogates("MARITAL_STATUS", "Civil state: ⟦Married⟧")

    assert drawn <= {"Divorced", "Widowed", "Separated"}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("He is ⟦divorced⟧; the ⟦ex-wife⟧ kept the farm.", "separated|living apart|estranged",
         "(estranged|separated) wife"),
    ],
)  # fmt: skip
def test_words_for_one_parting_agree(text: str, first: str, second: str) -> None:
    """Who is no widower has no late wife, and nobody is divorced from a wife who is estranged."""
    for one, other in replaced(text, entity="MARITAL_STATUS"):
        assert re.fullmatch(first, one), (one, other)
        assert re.fullmatch(second, other), (one, other)
