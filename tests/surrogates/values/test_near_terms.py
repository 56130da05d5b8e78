"""Surrogates are near to their originals in what the words around them take up."""

import re

import pytest

from tests.marked import replaced


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1962: her aunt had ⟦HEALTH squamous anal carcinoma⟧.", r"(?!gest|endometriosis).+"),
        ("1987: he ⟦HEALTH cannot hear from the back⟧.", r"cannot (?:\w+ ?){1,4}(?<!back)"),
        ("1976: I can ⟦HEALTH hardly sleep⟧ for the heat.", r"hardly (?!climb|lift|walk|sit).+"),
        ("1990: the ⟦HEALTH incision has closed⟧ well.", r".+ (?:faded|gone|down|out|off|me)"),
        ("1938: he had a ⟦HEALTH rupture mended⟧ there.", r"[a-z ]+ (?:removed|set)"),
        ("Condition ⟦HEALTH worsened⟧ in the night.", r"(?!had|suffered)[a-z ]+"),
        ("1994: States he has ⟦HEALTH been sober⟧ since May.", r"(?!.*used)(?:been|had|kept) .+"),
        ("1960: he ⟦HEALTH drank a bottle of rye a day⟧.", r"(?!drank).+"),
        (
            "2019: goes for ⟦HEALTH venesection⟧ monthly.",
            r"(?!bone).*(?:infusion|inject|physio|light).*",
        ),
        ("2019: had ⟦HEALTH three operations⟧ there.", r"\w+ [a-z ]+s(?: of [a-z]+)?"),
        ("1992: first the ⟦HEALTH toxo⟧, and he died.", r"(?!.*tonsil|.*cough).+"),
        ("1951: my ⟦HEALTH nerves⟧ are bad again.", r"[a-z]+s|feet"),
        ("My father died 1932, ⟦HEALTH lungs⟧.", r"(?!joint|eye|knee)[a-z]+"),
        ("1949: her courses are ⟦HEALTH a week overdue⟧.", r"(?!.*(?:premature|symptom|in bed)).+"),
        ("1970 urine drug screen ⟦HEALTH negative⟧.", r"(?!acid|free|clear)[a-z -]+"),
        ("1958 Lochia ⟦HEALTH offensive⟧.", r"(?!.*dates)[a-z]+"),
        ("1959: ⟦HEALTH glaucoma, both eyes⟧.", r"(?!my|hyper|blind).+, both eyes"),
        ("1971: attack of colic in May, ⟦HEALTH no return⟧.", r"no (?!attacks).+"),
        ("2019: ⟦HEALTH nephrotic syndrome⟧ was found.", r"(?!vibration|gest).+"),
        ("2017: on ⟦HEALTH OCP⟧, no allergies", r"[A-Z][A-Za-z -]+"),
        ("1990: ⟦HEALTH Depixol 40 mg⟧ fortnightly", r"[A-Za-z ]+ [\d.]+ mg"),
        ("1971: since an ⟦HEALTH auto accident⟧ last winter", r"[a-z ]+(?:accident|fall|fire)"),
        ("2001: his mother is ⟦HEALTH dying⟧ there.", r"(?!dy|better)[a-z ]+"),
        ("1962: he ⟦HEALTH smokes thirty a day⟧.", r"(?!smok).+"),
        ("2004: ⟦HEALTH Thiazides⟧ were the culprit.", r"(?!Drops|Powders)[A-Z][a-z]+(?: [a-z]+)?"),
    ],
)
def test_a_surrogate_stands_where_its_original_did(text: str, form: str) -> None:
    """What is said of the original can be said of each of several others."""
    found = {one[0] for one in replaced(text, 30)}

    assert len(found) >= 3
    assert all(re.fullmatch(form, one) for one in found), found
