"""What an entity is, and the names of the sources that ours come from."""

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
        meaning: What a span of it discloses, in a phrase.
        sources: Who calls it sensitive: `CDIP` (Larson et al., EMNLP 2024), `ART_9`, `ART_10`, or
            whatever a pack says; `NAME` for labels that are found only on request.
        group: The category of comparable published work, or None.
    """

    name: str
    meaning: str
    sources: tuple[str, ...]
    group: str | None = None

    @property
    def on_request(self) -> bool:
        """Whether it is found only where it is asked for."""
        return NAME in self.sources
