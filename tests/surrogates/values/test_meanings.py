"""No surrogate says the original in other words."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.meanings import says_the_same

KEY = bytes(range(32))
PACK = Pack.shipped()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("arrested for theft", "taken in for vagrancy"),
        ("in jail ten days", "ten days in custody"),
        ("the divorce", "Dissolution of Marriage"),
        ("D.U.I.", "drunk driving"),
        ("Lipitor 20 mg", "atorvastatin"),
    ],
)
def test_synonyms_are_known_within_phrases(one: str, other: str) -> None:
    """A line of the list is one meaning, in any case and beside other words."""
    assert says_the_same(one, other, PACK)
    assert not says_the_same(one, "a bricklayer of Leeds", PACK)


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("HEALTH", "antacids"),
        ("HEALTH", "Lipitor 20 mg daily"),
        ("HEALTH", "fatigue"),
        ("HEALTH", "migraine"),
        ("CRIMINAL_OFFENCE", "arrested"),
        ("CRIMINAL_OFFENCE", "in jail"),
        ("CRIMINAL_OFFENCE", "drunk driving"),
        ("MARITAL_STATUS", "divorce"),
        ("RELIGION", "Wesleyan"),
        ("RELIGION", "left it"),
        ("RELIGION", "atheist"),
        ("TRADE_UNION_MEMBERSHIP", "building rep"),
        ("POLITICAL_OPINION", "nonpartisan"),
        ("NATIONALITY", "second papers"),
        ("BIOMETRIC_DATA", "absent"),
        ("SEXUALITY", "gender dysphoria"),
    ],
)
def test_no_surrogate_is_a_synonym(entity: str, value: str) -> None:
    """Lists, tables, frames and phrases by class keep apart what the list of synonyms joins."""
    found = {Surrogates(KEY, f"doc-{number}").surrogate(entity, value) for number in range(40)}

    assert len(found) > 2
    assert not [one for one in found if says_the_same(value, one, PACK)]
    words = set(value.casefold().split())
    assert not [one for one in found if set(one.casefold().split()) <= words]
