"""Define an entity, and the names of the sources of the shipped entities."""

from dataclasses import dataclass

CDIP = "CDIP"
ART_9 = "GDPR Art. 9"
ART_10 = "GDPR Art. 10"
NAME = "names"


@dataclass(frozen=True, slots=True)
class Entity:
    """One kind of sensitive personal data, as a file of ``recognizers/`` declares it.

    Attributes:
        name: The Presidio entity type, e.g. ``"DATE_OF_BIRTH"``.
        meaning: In a phrase, the information that a span of it discloses.
        sources: The sources that call it sensitive: `CDIP` (Larson et al., EMNLP 2024), `ART_9`,
            `ART_10`, or any other that a pack names; `NAME` for labels found only on request.
        group: The category of comparable published work, or None.
    """

    name: str
    meaning: str
    sources: tuple[str, ...]
    group: str | None = None

    @property
    def on_request(self) -> bool:
        """Return whether it is found only if the caller asks for it."""
        return NAME in self.sources
