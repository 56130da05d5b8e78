"""Define forms: a form reads how a value is written, and writes another value alike.

A form is any object with a method `read`. To add a form, name it in an entry point of the group
``presidio_cdip.forms``. The name of the entry point is the entity; its object is a form, the class
of a form, or a tuple of these. Such forms are tried before the shipped ones (see
`presidio_cdip.surrogates.drawing.table`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from presidio_cdip.surrogates.drawing.chance import Chance, Drawn, Keyring
from presidio_cdip.surrogates.writing.text import folded

Item = TypeVar("Item")


class Draw:
    """Draw one surrogate from the stream of its value and the streams of its scope.

    Attributes:
        keyring: The keyring of the scope.
        entity: The entity of the value.
        normal: The normalised value, from which the stream is derived.
        options: As `Form.read` has them, e.g. ``{"ssn": "unissued", "pack": pack}``.
        varies: Whether `attempt` or `chance` was asked for; without them, another attempt gives
            the same surrogate.
    """

    __slots__ = ("_attempt", "_chance", "entity", "keyring", "normal", "options", "varies")

    def __init__(
        self, keyring: Keyring, entity: str, normal: str, attempt: int, options: Mapping[str, Any]
    ) -> None:
        self.keyring = keyring
        self.entity = entity
        self.normal = normal
        self.options = options
        self.varies = False
        self._attempt = attempt
        self._chance: Chance | None = None
        if attempt:
            keyring.note(entity, normal)

    @property
    def attempt(self) -> int:
        """Return the number of the candidate, from 0."""
        self.varies = True
        return self._attempt

    @property
    def chance(self) -> Chance:
        """Return the stream of the value."""
        if self._chance is None:
            self._chance = self.keyring.chance(self.entity, self.normal, self.attempt)
        return self._chance

    @property
    def locale(self) -> str:
        """Return the locale in the notation of Faker, such as ``"en_US"``."""
        return self.keyring.locale

    def candidate(self, attempt: int) -> "Draw":
        """Return the draw of candidate number *attempt*: itself, if that is its own."""
        if attempt == self.attempt:
            return self
        return Draw(self.keyring, self.entity, self.normal, attempt, self.options)

    def choice(self, items: Sequence[Item], but: Item | None = None) -> Item:
        """Draw one of *items* other than *but*, uniformly; *but* if there is no other item."""
        others = [item for item in items if item != but] if but in items else items
        return self.chance.choice(others or items)

    def exchanged(
        self, purpose: str, items: Sequence[str], item: str, fits: Callable[[str], bool]
    ) -> str | None:
        """Return one of *items* other than *item* that *fits*, in the scope's cycle of the list.

        Different items mostly get different ones; None if no other fits.

        Args:
            purpose: The name of the list.
            items: Each once.
            item: One of *items*.
            fits: Tells whether an item can be the surrogate.
        """
        if len(items) < 2:
            return None
        cycle = self.keyring.cycle(purpose, len(items), self.attempt)
        own = at = items.index(item)
        while (at := cycle[at]) != own:
            if fits(items[at]):
                return items[at]
        return None

    def shared(self, purpose: str) -> Chance:
        """Return a stream that all values of the scope share, such as for an offset.

        It does not depend on the number of the candidate, so that a scope has one offset.
        """
        return self.keyring.shared(purpose)

    def permuted(self, number: int, domain: int, tweak: str = "", purpose: str = "") -> int:
        """Return another number in [0, *domain*), injectively within the scope.

        See `Keyring.permuted`.

        Args:
            number: In [0, *domain*).
            domain: At least 2.
            tweak: Each tweak selects another permutation.
            purpose: The entity of the value, if empty.
        """
        return self.keyring.permuted(purpose or self.entity, number, domain, tweak)

    def original(self, read: str, written: str) -> str:
        """Return which of two is of the original, to tweak or check by: *written* if inverting."""
        return written if self.keyring.inverts else read

    def merges(self) -> None:
        """Hear that other originals may have the same surrogate, which then has no inverse.

        Raises:
            Drawn: A surrogate is to be inverted.
        """
        if self.keyring.inverts:
            raise Drawn("has several originals, which differ in what it does not say")

    def part(self, entity: str, normal: str) -> "Draw":
        """Return the draw for a part of this value: the name in "wife, Ellen" is a PERSON."""
        return Draw(self.keyring, entity, normal, self.attempt, self.options)


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold a value as a form has read it.

    Attributes:
        form: How it is written: equal for values that are written alike, and for a value and its
            surrogates, e.g. ``"month d, yyyy"``.
        normal: The normalised value, the same for ``11/9/65`` and ``November 9, 1965``.
        write: Returns a surrogate in the same form. Another attempt of the draw gives another
            surrogate, or the same if the scope can have only one.
        may_stay: Whether the surrogate may equal the original. It must, if there are few answers
            (``M`` or ``F``, ``Yes`` or ``No``): excluding the original would disclose it.
        may_contain: Whether the surrogate may have the original whole, as *stepdaughter* has, since
            the page tells that much.
    """

    form: str
    normal: str = field(repr=False)
    write: Callable[[Draw], str] = field(repr=False, compare=False)
    may_stay: bool = False
    may_contain: bool = False


class Form(Protocol):
    """Read the values that are written in one way."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of *value*, or None if it has another form.

        Args:
            value: Without surrounding blanks; it may have OCR errors.
            options: The policy's parameters for the entity, its ``locale`` and ``pack``.
        """
        ...


@dataclass(frozen=True, slots=True)
class LineByLine:
    """Read any text, and replace each of its lines: the plainest form of an entity.

    Attributes:
        shape: The form of a line.
        line: Returns the surrogate of a line that is not blank.
    """

    shape: str
    line: Callable[[str, Draw], str]

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return a reading of any value."""
        lines = value.split("\n")
        form = " ".join(self.shape for line in lines if line.strip())

        def write(draw: Draw) -> str:
            return "\n".join(self.line(line, draw) if line.strip() else "" for line in lines)

        return Reading(form, folded(value), write)
