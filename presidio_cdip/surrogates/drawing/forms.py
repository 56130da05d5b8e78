"""What every form is: it reads a value, and writes another one as the first was written.

A form is any object with `read`. To add one for an entity, name it in an entry point of the group
``presidio_cdip.forms``: the entry's name is the entity, its object a form, its class, or a tuple of
these, which are asked before the shipped ones (see `presidio_cdip.surrogates.drawing.table`). The
last form of an entity of your own must read any value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.writing.text import folded

Item = TypeVar("Item")


class Draw:
    """What one surrogate is drawn from: its own stream, and what its scope shares.

    Attributes:
        keyring: The scope's.
        entity: Of the value.
        normal: The normalised value, which the stream is keyed by.
        attempt: The number of the candidate, from 0.
        options: The policy's parameters for the entity, e.g. ``{"ssn": "unissued"}``.
        chance: The value's own stream.
    """

    __slots__ = ("attempt", "chance", "entity", "keyring", "normal", "options")

    def __init__(
        self, keyring: Keyring, entity: str, normal: str, attempt: int, options: Mapping[str, Any]
    ) -> None:
        self.keyring = keyring
        self.entity = entity
        self.normal = normal
        self.attempt = attempt
        self.options = options
        self.chance: Chance = keyring.chance(entity, normal, attempt)

    @property
    def locale(self) -> str:
        """As Faker writes it, ``"en_US"``."""
        return self.keyring.locale

    def choice(self, items: Sequence[Item], but: Item | None = None) -> Item:
        """One of *items*, uniform among those that are not *but*; *but* itself if it is alone."""
        others = [item for item in items if item != but] if but in items else items
        return self.chance.choice(others or items)

    def shared(self, purpose: str) -> Chance:
        """A stream that is the same for every value of the scope: for offsets.

        It does not know the candidate's number: an offset is one.
        """
        return self.keyring.chance(purpose)

    def permuted(self, number: int, domain: int, tweak: str = "", purpose: str = "") -> int:
        """Another number in [0, *domain*); see `Keyring.permuted`. Injective within the scope.

        Args:
            number: In [0, *domain*).
            domain: At least 2.
            tweak: Each has a permutation of its own.
            purpose: The value's entity, if none is given.
        """
        return self.keyring.permuted(purpose or self.entity, number, domain, tweak)

    def part(self, entity: str, normal: str) -> "Draw":
        """The draw of a value inside this one: the name in "wife, Ellen" is that of a PERSON."""
        return Draw(self.keyring, entity, normal, self.attempt, self.options)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as a form has read it.

    Attributes:
        form: How it is written: equal for values that are written alike, and for a value and its
            surrogates, e.g. ``"month d, yyyy"``.
        normal: What it says, however it is written: ``11/9/65`` and ``November 9, 1965`` have one.
        write: The surrogate in the same form. Another attempt of the draw gives another one, or the
            same where a scope may have but one.
        may_stay: Whether the surrogate may equal the original: where there are few answers (``M``
            or ``F``, ``Yes`` or ``No``), leaving out the original would tell it.
    """

    form: str
    normal: str = field(repr=False)
    write: Callable[[Draw], str] = field(repr=False, compare=False)
    may_stay: bool = False


class Form(Protocol):
    """Reads the values of one way of writing."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """What *value* says, or None where it is not of this form.

        Args:
            value: Clean of surrounding blanks; OCR may have damaged it.
            options: The policy's parameters for the entity, and its ``locale``.
        """
        ...


@dataclass(frozen=True, slots=True)
class LineByLine:
    """The plainest form of an entity: any text, each of its lines written anew.

    Attributes:
        shape: The form of a line.
        line: From a line that is not empty to its surrogate.
    """

    shape: str
    line: Callable[[str, Draw], str]

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Every value reads."""
        lines = value.split("\n")
        form = " ".join(self.shape for line in lines if line.strip())

        def write(draw: Draw) -> str:
            return "\n".join(self.line(line, draw) if line.strip() else "" for line in lines)

        return Reading(form, folded(value), write)
