"""What was done for somebody, what aids him and how he fares becomes the like."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.values.setting import marks_of
from tests.marked import replaced


def courses(text: str) -> frozenset[str]:
    return dict(marks_of(text, Pack.shipped()).tags).get("course", frozenset())


@pytest.mark.parametrize(
    ("value", "course"),
    [
        ("motor neurone disease", "wasting"),
        ("hyperopia", "refraction"),
        ("erysipelas", "sores"),
        ("thalassemia", "hereditary"),
        ("scurvy", "hunger"),
    ],
)
def test_an_illness_becomes_one_of_its_class(value: str, course: str) -> None:
    """What cripples, passes or runs in families becomes what does so, too."""
    found = {one for (one,) in replaced(f"In 1961 he was seen with ⟦HEALTH {value}⟧ again.", 20)}

    assert len(found) >= 3
    assert all(course in courses(one) for one in found), found


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (
            "He was ⟦HEALTH blind⟧ from the age of two.",
            r".*(deaf|hearing|lame|arm|leg|crip|paral).*",
        ),
        ("She is ⟦HEALTH color-blind⟧, it turned out.", r"(?!deaf|blind|lame).+"),
        (
            "After the ⟦HEALTH heart bypass⟧ he sold it.",
            r".*(valv|pace|defib|ang|sept).*",
        ),
        ("The slides: ⟦HEALTH biopsy⟧ sent to the laboratory.", r"(?!.*(operation|graft)).+"),
        ("He was taken to ⟦HEALTH St Brendan's⟧ by his brother.", r"St [A-Z]\w+'s"),
        ("A patient at ⟦HEALTH Larkhill⟧ these ten years.", r"[A-Z]\w+( [A-Z]\w+)?"),
        (
            "Left eye: ⟦HEALTH no light perception⟧.",
            r".*(fingers|light|shapes|print|hand|letter).*",
        ),
        ("Discharged ⟦HEALTH unimproved⟧ on the 4th.", r"(?!bedridden).+"),
        ("Alcohol: ⟦HEALTH cider at meals⟧.", r".*(beer|sherry|stout|ale|whisky|port|wine).*"),
        ("Her mother was ⟦HEALTH demented⟧ in her eighties.", r"(?!epileptic|narcoleptic).+"),
        ("Blood: ⟦HEALTH AB neg⟧.", r"(A|B|AB|O) (pos|neg)"),
        ("Blood type: ⟦HEALTH A Rh negative⟧.", r"(A|B|AB|O) Rh (positive|negative)"),
        ("He has a ⟦HEALTH sore that would not close⟧ on it.", r"(?!no ).+"),
    ],
)
def test_care_and_states_become_the_like(text: str, form: str) -> None:
    """What is replaced fits what the page goes on to say."""
    for (one,) in replaced(text, 20):
        assert re.fullmatch(form, one, re.IGNORECASE), one


@pytest.mark.parametrize("value", ["St Conleth's", "a burnt foot", "sick benefit"])
def test_what_no_examination_finds_is_no_finding(value: str) -> None:
    """The name of a film or tracing before it tells nothing of what is no finding."""
    text = f"The x-ray was lost. In 1963 he was in ⟦HEALTH {value}⟧ for a while."
    for (one,) in replaced(text, 20):
        assert not re.search(r"(?i)\b(?:wave|rhythm|hilum|apex|pleural|film|fibrosis)", one)
