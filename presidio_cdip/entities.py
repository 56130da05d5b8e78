"""List the entities of the shipped pack, and check names against any pack."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from presidio_cdip.errors import UnknownEntity
from presidio_cdip.pack.entities import ART_9, ART_10, CDIP, NAME, Entity
from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.rules import entities as entities_of

__all__ = [
    "ART_9", "ART_10", "CDIP", "ENTITIES", "GIVEAWAY", "LABELS", "NAME", "NAMES", "Entity",
    "entities_of", "known",
]  # fmt: skip

GIVEAWAY = "GIVEAWAY"
"""A word that tells a corpus from another one, and no person: found by a ranker of
`presidio_cdip.privacy`, never unasked. No pack declares it, and every policy has an operator."""


class _Shipped(Mapping[str, Entity]):
    """Entities of the shipped pack, whose files are read when they are first asked for."""

    def __init__(self, counts: Callable[[Entity], bool]) -> None:
        self._counts = counts

    def _all(self) -> Mapping[str, Entity]:
        return entities_of(Pack.shipped())

    def __getitem__(self, name: str) -> Entity:
        entity = self._all()[name]
        if not self._counts(entity):
            raise KeyError(name)
        return entity

    def __iter__(self) -> Iterator[str]:
        return (name for name, entity in self._all().items() if self._counts(entity))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


ENTITIES: Mapping[str, Entity] = _Shipped(lambda entity: not entity.on_request)
"""The entities of the shipped pack that are found unasked."""

NAMES: Mapping[str, Entity] = _Shipped(lambda entity: entity.on_request)
"""Found only where they are asked for: a name alone is not sensitive as the others are."""

LABELS: Mapping[str, Entity] = _Shipped(lambda entity: True)
"""All of them: the entities, then the names."""


def known(names: str | Iterable[str], declared: Mapping[str, Entity]) -> tuple[str, ...]:
    """Return *names* as a tuple when all of them are in *declared*: `entities_of` a pack.

    Raises:
        UnknownEntity: One of them is not declared.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    if unknown := set(names) - set(declared):
        raise UnknownEntity(unknown, declared)
    return names
