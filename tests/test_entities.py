"""The 18 entities are what the literature and the law name."""

import pytest

from presidio_cdip import ENTITIES, UnknownEntity
from presidio_cdip.entities import ART_9, ART_10, CDIP, LABELS, known

NAMED = {
    "AGE": [CDIP],
    "DATE_OF_BIRTH": [CDIP],
    "GENDER": [CDIP],
    "HEALTH": [CDIP, ART_9],
    "HOME_ADDRESS": [CDIP],
    "HOME_PHONE_NUMBER": [CDIP],
    "MARITAL_STATUS": [CDIP],
    "NATIONALITY": [CDIP],
    "PLACE_OF_BIRTH": [CDIP],
    "RELIGION": [CDIP, ART_9],
    "US_SSN": [CDIP],
    "BIOMETRIC_DATA": [ART_9],
    "ETHNIC_ORIGIN": [ART_9],
    "GENETIC_DATA": [ART_9],
    "POLITICAL_OPINION": [ART_9],
    "SEXUALITY": [ART_9],
    "TRADE_UNION_MEMBERSHIP": [ART_9],
    "CRIMINAL_OFFENCE": [ART_10],
}


def test_the_literature_and_the_law_name_eighteen() -> None:
    """11 come from the IIT-CDIP datasets, 9 from Art. 9 and Art. 10; two from both."""
    sources = {name: [*ENTITIES[name].sources] for name in NAMED}

    assert sources == NAMED


def test_unknown_entity_is_refused_with_the_known_ones() -> None:
    """A misspelt name stops the run instead of finding nothing."""
    with pytest.raises(UnknownEntity, match="no entity SNN; there are AGE"):
        known(["US_SSN", "SNN"], LABELS)
