"""Findings become others of the kind that the words beside them ask for."""

import re

import pytest

from tests.marked import replaced


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Ward 1948. Bed 3. Pain ⟦HEALTH worse⟧, pulse 90.", r"[a-z]+( [a-z]+){0,2}"),
        ("She told us that her brother is ⟦HEALTH HIV positive⟧. 1991", r"(?!.*HIV).+"),
        (
            "2011: Potassium ⟦HEALTH normal⟧, urea raised.",
            r"(borderline|(a little|slightly) (low|high|raised)|at the upper limit)",
        ),
        ("He wore dark glasses for ⟦HEALTH iritis⟧. 1951", r"[a-z]+( [a-z]+)?"),
        ("School eye round 1929: ⟦HEALTH ophthalmia, left eye⟧", r"(?!my|hyper|astig).+, left eye"),
        ("2006: the ⟦HEALTH insulin⟧ is in the staff fridge", r"(?!gl|met|pio).+"),
        ("In 1983 he took a ⟦HEALTH blood pressure pill⟧ daily.", r"[a-z]+ pill"),
        ("In 1956 his wife is ⟦HEALTH four months pregnant⟧.", r"[a-z]+( [a-z]+){0,3}"),
        (
            "2005: tumor, ⟦HEALTH progesterone receptor negative⟧",
            r"[a-z]+ [a-z]+|grade \d",
        ),
        (
            "Able seaman 1925: ⟦HEALTH hernia rt.⟧ (⟦HEALTH truss⟧)",
            r"(?!hernia|rupture)[a-z ]+",
        ),
        ("1913: she had ⟦HEALTH a fever of 103⟧ on landing", r"(?!.*\d).+"),
        ("1993: both brothers are gay and they are ⟦HEALTH negative⟧.", r"(?!pend|doubt|to be).+"),
        ("2007: hair analysis was ⟦HEALTH neg⟧ but he saw it", r"(?!rpt|pend|to be).+"),
        ("Night book 1941. Bed 7 ⟦HEALTH wept⟧.", r"[a-z]+( [a-z]+){0,2}"),
        ("In 1969 he lay at the ⟦HEALTH 91st Evac Hospital⟧.", r"\d\d\w\w [A-Z]\w+ Hospital"),
        ("HIV ⟦HEALTH positive⟧, told in person. 1992", r"(?!pending|declined|to be|not).+"),
    ],
)
def test_a_finding_is_replaced_by_its_kind(text: str, form: str) -> None:
    """Several others are drawn, and each is of the kind."""
    found = {one[0] for one in replaced(text, 30)}

    assert len(found) >= 3
    assert all(re.fullmatch(form, one) for one in found), found


def test_what_the_page_tells_of_a_class_stays() -> None:
    """Who was turned down by the army was not graded fit for it."""
    assert {one[0] for one in replaced("Turned down in 1943, ⟦HEALTH 4-F⟧.", 20)} == {"4-F"}
