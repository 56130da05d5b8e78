"""Measure how far the values that remain in documents tell them apart.

Someone who knows a person's birth date, sex and town finds their document if no other has the same
three. Documents with equal values form a class.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass

QUASI_IDENTIFIERS = (
    "DATE_OF_BIRTH", "PLACE_OF_BIRTH", "AGE", "GENDER", "MARITAL_STATUS", "HOME_ADDRESS",
    "NATIONALITY", "ETHNIC_ORIGIN", "RELIGION",
)  # fmt: skip
"""Entities whose values others may know of a person, and which identify nobody alone."""

SMALLEST_CLASS = 5
"""The class size that is asked for: the k of k-anonymity."""

Value = tuple[str, Hashable]
"""An entity and the fingerprint of a value."""


@dataclass(frozen=True, slots=True)
class Linkage:
    """The risk that a document is linked to a person.

    Attributes:
        documents: The documents with at least one value of a quasi-identifier.
        classes: How many classes they form.
        smallest: The size of the smallest class; None without documents.
        unique: The documents that are alone in their class.
        small: The documents in classes smaller than k.
        highest: The risk of the document most at risk: 1 / size of the smallest class.
        average: The mean of 1 / size over documents, which is classes / documents.
    """

    documents: int
    classes: int
    smallest: int | None
    unique: int
    small: int
    highest: float | None
    average: float | None


def linkage(
    documents: Iterable[Iterable[Value]],
    k: int = SMALLEST_CLASS,
    entities: Collection[str] = QUASI_IDENTIFIERS,
) -> Linkage:
    """Return the prosecutor risk of *documents*.

    The attacker knows that the person is among them, and all values of the quasi-identifiers.
    Sources: Sweeney, "k-anonymity: a model for protecting privacy", International Journal of
    Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002), 557-570; El Emam and Dankar,
    "Protecting privacy using k-anonymity", JAMIA 15 (2008), 627-637, whose prosecutor risk ARX
    computes.

    Args:
        documents: The values that remain in each. One without any is in no class.
        k: The size below which a class is small.
        entities: The quasi-identifiers.
    """
    classes = Counter(
        known
        for values in documents
        if (known := frozenset(value for value in values if value[0] in entities))
    )
    total, sizes = classes.total(), list(classes.values())
    smallest = min(sizes, default=None)
    return Linkage(
        documents=total,
        classes=len(sizes),
        smallest=smallest,
        unique=sizes.count(1),
        small=sum(size for size in sizes if size < k),
        highest=1 / smallest if smallest else None,
        average=len(sizes) / total if total else None,
    )
