"""Define the parts of an address as immutable values, without how they are replaced."""

from collections.abc import Sequence
from dataclasses import dataclass

from presidio_cdip.pack.language import StreetType


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an address: one or more words of it.

    Attributes:
        kind: How a form shows the part: "house", "street", "unit", "town" and so on.
        text: The words as written, joined by single blanks.
        normal: The normalized text: equal for two ways of writing the same part.
    """

    kind: str
    text: str
    normal: str

    @property
    def size(self) -> int:
        """Return the number of words."""
        return self.text.count(" ") + 1 if self.text else 0


class Kept(Part):
    """A part that a surrogate repeats: a label, a direction, "in", "rear"."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CareOf(Part):
    """The person at whose home somebody lives: "c/o Ellen Ward".

    Attributes:
        head: The words before the name.
        name: Of the person.
    """

    head: str
    name: str


@dataclass(frozen=True, slots=True)
class Numbered(Part):
    """A unit, a rural route or a box, of which only the number changes.

    Attributes:
        start: Where the number starts in the text.
        end: Where it ends.
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Floor(Part):
    """A storey: "2nd fl".

    Attributes:
        floor: The ordinal that the text starts with.
    """

    floor: str


@dataclass(frozen=True, slots=True)
class Landmark(Part):
    """A thing that the home stands beside: "behind the school".

    Attributes:
        head: The words before the thing, with the blank behind them.
        thing: The name of the thing.
    """

    head: str
    thing: str


class House(Part):
    """The number of a house, in digits or in words."""

    __slots__ = ()


class HouseName(Part):
    """The name of a house or a building that ends in no word for a street: "Laurel Bank"."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Institution(Part):
    """A house in which people of one kind live: "Scand. Seamen's Home".

    Attributes:
        head: A nation or a church before the name, with the blank behind it.
        name: As written.
    """

    head: str
    name: str


@dataclass(frozen=True, slots=True)
class Building(Part):
    """A building or a settlement whose name ends in what it is: "Oak Crest Trailer Park".

    Attributes:
        name: As written, without the last words.
        tail: The last words, with the blank before them.
    """

    name: str
    tail: str


@dataclass(frozen=True, slots=True)
class Street(Part):
    """A street in English.

    Attributes:
        head: Directions before the name.
        name: As written, without street word and directions.
        type: The street word, as written; empty if there is none.
        row: The entry of the language for `type`; None if there is no street word.
        tail: Directions behind the street word.
    """

    head: Sequence[str]
    name: str
    type: str
    row: StreetType | None
    tail: Sequence[str]


@dataclass(frozen=True, slots=True)
class LetteredStreet(Part):
    """A street named by a letter or a number: "Avenue F", "Highway 12 South".

    Attributes:
        at: The index of the word with the letter or the number.
    """

    at: int


@dataclass(frozen=True, slots=True)
class ForeignStreet(Part):
    """A street in another language.

    Attributes:
        language: Code of the language.
        use: How the name is combined with the street word, as the gazetteer says.
        head: Text before the name: "rue ".
        name: As written.
        tail: Text behind the name: "gasse".
        key: The folded text that the new name is drawn from.
    """

    language: str
    use: str
    head: str
    name: str
    tail: str
    key: str


class TownName(Part):
    """The name of a town."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class County(Part):
    """A county or a township in the place of a town: "Stokes County".

    Attributes:
        name: As written, without the last word.
        word: The last word: "County".
    """

    name: str
    word: str


class Region(Part):
    """A region of a country other than the US."""

    __slots__ = ()


class State(Part):
    """A US state; its normalized text is its name in lower case."""

    __slots__ = ()


class Country(Part):
    """A country; its normalized text is its folded name."""

    __slots__ = ()


class Zone(Part):
    """An old postal zone of a town: the 5 of "Louisville 5"."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ZipCode(Part):
    """A postcode in digits, of the US or of continental Europe.

    Attributes:
        code: The text with OCR's letters repaired.
    """

    code: str


class LetterPostcode(Part):
    """A British or Canadian postcode."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Address:
    """An address as read.

    Attributes:
        parts: In order.
        separators: The text before each part, and behind the last one: one more than parts.
        locale: As Faker writes it; the country of towns that no gazetteer knows.
        capitals: Whether the whole value is in capitals.
    """

    parts: tuple[Part, ...]
    separators: tuple[str, ...]
    locale: str
    capitals: bool
