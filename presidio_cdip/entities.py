"""The 18 entities and the 3 labels of names: name, meaning, source, group in published work."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from presidio_cdip.errors import UnknownEntity

CDIP = "CDIP"
ART_9 = "GDPR Art. 9"
ART_10 = "GDPR Art. 10"
NAME = "names"


@dataclass(frozen=True, slots=True)
class Entity:
    """One kind of sensitive personal data.

    Attributes:
        name: The Presidio entity type, e.g. ``"DATE_OF_BIRTH"``.
        meaning: What a span of it discloses, in a phrase.
        sources: Of `CDIP` (Larson et al., EMNLP 2024), `ART_9` and `ART_10`; `NAME` for names.
        group: The category of comparable published work, or None.
    """

    name: str
    meaning: str
    sources: tuple[str, ...]
    group: str | None = None


ENTITIES: Mapping[str, Entity] = MappingProxyType(
    {
        entity.name: entity
        for entity in (
            Entity("US_SSN", "US Social Security number", (CDIP,)),
            Entity("DATE_OF_BIRTH", "date or year of birth", (CDIP,)),
            Entity("PLACE_OF_BIRTH", "place of birth", (CDIP,)),
            Entity("AGE", "age of a person or of their children", (CDIP,)),
            Entity("MARITAL_STATUS", "marital, spousal and parental status", (CDIP,)),
            Entity("HOME_ADDRESS", "residential address", (CDIP,)),
            Entity("HOME_PHONE_NUMBER", "home or private telephone number", (CDIP,)),
            Entity("RELIGION", "religious or philosophical belief", (CDIP, ART_9), "Philosophy"),
            Entity("NATIONALITY", "citizenship, nationality or immigration status", (CDIP,)),
            Entity("GENDER", "sex or gender given as a fact or form field", (CDIP,)),
            Entity("HEALTH", "health of a person, good or bad", (CDIP, ART_9), "Health"),
            Entity("ETHNIC_ORIGIN", "race, colour, ethnic group or descent", (ART_9,), "Ethnic"),
            Entity("POLITICAL_OPINION", "political views, vote, party", (ART_9,), "Political"),
            Entity(
                "TRADE_UNION_MEMBERSHIP",
                "membership or office in a trade union",
                (ART_9,),
                "Political",
            ),
            Entity("GENETIC_DATA", "genetic characteristics of a person", (ART_9,), "Health"),
            Entity("BIOMETRIC_DATA", "measurements of a body that identify", (ART_9,), "Health"),
            Entity("SEXUALITY", "sexual orientation or sex life", (ART_9,), "Sexuality"),
            Entity(
                "CRIMINAL_OFFENCE", "accusation, conviction or their absence", (ART_10,), "Judicial"
            ),
        )
    }
)

NAMES: Mapping[str, Entity] = MappingProxyType(
    {
        entity.name: entity
        for entity in (
            Entity("PERSON", "name of a natural person", (NAME,)),
            Entity("ORGANIZATION", "name of a firm, agency, school or association", (NAME,)),
            Entity("LOCATION", "place, street or region outside a home address", (NAME,)),
        )
    }
)
"""Found only where they are asked for: a name alone is not sensitive in the sense of the 18."""

LABELS: Mapping[str, Entity] = MappingProxyType({**ENTITIES, **NAMES})
"""All that a model may tell: the 18 entities, then the names."""


def known(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return *names* as a tuple when all of them are entities or labels of names.

    Raises:
        UnknownEntity: One of them is not.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    if unknown := set(names) - set(LABELS):
        raise UnknownEntity(unknown, LABELS)
    return names
