"""Faiths, descents, nationalities and ties agree with what the page goes on to say of them."""

import re

import pytest

from tests.surrogates.values.test_told import surrogates


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("RELIGION", "Although an ⟦infidel⟧ he sings well.",
         "agnostic|atheist|freethinker|unbeliever|rationalist|secularist"),
        ("RELIGION", "She is ⟦treasurer of the congregation⟧ again.",
         "(secretary|trustee|caretaker|chairman|clerk) of the congregation"),
        ("RELIGION", "They are ⟦Jehovah's Witnesses⟧ and accept no transfusion.",
         "Jehovah's Witnesses"),
        ("RELIGION", "I affirm, being a ⟦Quaker⟧.",
         "Mennonite|Moravian|Christadelphian|Jehovah's Witness"),
        ("RELIGION", "He is a ⟦Methodist steward⟧ at Leigh.",
         "(Presbyterian|Baptist|Lutheran|Congregational|Methodist|Moravian) (lay )?\\w+"),
        ("RELIGION", "He is an ⟦elder of the ZCC⟧.", "(?!.*(Temple|Congregation )).*Church"),
        ("ETHNIC_ORIGIN", "Enrolled ⟦Northern Arapaho⟧, his uncle drove him.",
         "(?!.*Arapaho)[A-Z]\\w+( [A-Z]\\w+)?"),
        ("ETHNIC_ORIGIN", "The driver is a ⟦Szekely-Vlach⟧ from the hills.",
         "German|Hungarian|Czech|Slovak|Greek|Lithuanian|Norwegian|Croatian|Swede|Finn|Dane|Pole"
         "|Scot|Cuban|Mexican"),
        ("NATIONALITY", "The Minister ordered his ⟦deportation⟧.",
         "detention|internment|transfer|exclusion|release"),
        ("SEXUALITY", "Since May I have been ⟦living with Esteban⟧ here.",
         "(sharing a flat|rooming|lodging|working|keeping house|boarding) with (?!Esteban)\\w+"),
    ],
)  # fmt: skip
def test_a_value_agrees_with_its_page(entity: str, text: str, pattern: str) -> None:
    """Nothing that stands beside a value contradicts its surrogate."""
    drawn = surrogates(entity, text)

    assert len(drawn) > 2 or drawn == {"Jehovah's Witnesses"}
    assert all(re.fullmatch(pattern, one) for one in drawn), drawn


def test_a_people_becomes_one_of_its_continent() -> None:
    """A people that no nation is named after does not become one of Europe."""
    drawn = surrogates("ETHNIC_ORIGIN", "Senator for Fianarantsoa. ⟦Betsileo⟧; schoolmaster.")

    assert drawn.isdisjoint({"Mexican", "Danish", "German", "Polish", "Swedish"})
