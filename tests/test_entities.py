"""The 18 entities are what the literature and the law name."""

import pytest

from presidio_cdip import ENTITIES, UnknownEntity
from presidio_cdip.entities import ART_9, ART_10, CDIP, known


def test_there_are_eighteen_from_three_sources() -> None:
    """11 come from the IIT-CDIP datasets, 9 from Art. 9 and Art. 10; two from both."""
    named = {CDIP, ART_9, ART_10}
    sources = [one.sources for one in ENTITIES.values() if named & set(one.sources)]

    assert len(sources) == 18
    assert sum(CDIP in source for source in sources) == 11
    assert sum(ART_9 in source for source in sources) == 8
    assert sum(ART_10 in source for source in sources) == 1


def test_unknown_entity_is_refused_with_the_known_ones() -> None:
    """A misspelt name stops the run instead of finding nothing."""
    with pytest.raises(UnknownEntity, match="no entity SNN; there are AGE"):
        known(["US_SSN", "SNN"])
