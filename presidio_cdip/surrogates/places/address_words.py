"""Read the words of addresses: their surroundings, and the parts that streets and towns share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.places.address_parts import House, Kept, Numbered, Part
from presidio_cdip.surrogates.places.atlas import Atlas
from presidio_cdip.surrogates.places.street_lists import StreetLists
from presidio_cdip.surrogates.writing.text import folded, repaired

_STREETS = english().streets
DIGIT = rf"[\d{ROUND}]"  # a digit, or a letter that OCR reads for one
US_ZIP = re.compile(rf"(?=\D{{0,4}}\d){DIGIT}{{5}}(?:-{DIGIT}{{4}})?")
_DIRECTIONS = frozenset(_STREETS["directions"])
# Words before "Road 12" that make it a street: "County Road 12" is not a rural route.
PUBLIC_ROADS = frozenset(_STREETS["public_roads"])
Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of the words that are read.

    Attributes:
        atlas: Of the pack in use.
        streets: Of the pack in use.
        locale: As Faker writes it.
        capitals: Whether the whole value is in capitals.
        before: The parts read so far.
        labelled: Whether several of the value's lines begin with a label without a colon.
        label: The letters of the label of a form before the words: "zip code".
        state_follows: Whether the next segment begins with a state.
        street_follows: Whether the next segment looks like a street without a number.
        lane_follows: Whether it ends in a word for a street, so that no town stands before it.
    """

    atlas: Atlas
    streets: StreetLists
    locale: str
    capitals: bool
    before: Parts = ()
    labelled: bool = False
    label: str = ""
    state_follows: bool = False
    street_follows: bool = False
    lane_follows: bool = False

    def has(self, *kinds: str) -> bool:
        """Return whether a part of one of *kinds* was read before."""
        return any(part.kind in kinds for part in self.before)

    def after(self, parts: Parts) -> "Context":
        """Return the context behind *parts*."""
        return replace(self, before=self.before + parts)


def kept_part(kind: str, words: Sequence[str]) -> Kept:
    """Return *words* as a part of *kind* that stays as it is."""
    text = " ".join(words)
    return Kept(kind, text, folded(text))


def numbered_part(kind: str, found: "re.Match[str]") -> Numbered:
    """Return the unit or the route *found*, whose first group is its number."""
    text, value = found.group(), found[1]
    normal = folded(text[: found.start(1)]).replace("route", "rt") + " " + digits(value).lower()
    return Numbered(kind, text, normal, found.start(1), found.end(1))


def read_house(words: Sequence[str]) -> House:
    """Return the house number that *words* are, in digits or spelled out."""
    text = " ".join(words)
    return House("house", text, digits(text).lower() if re.search(r"\d", text) else folded(text))


def is_english_street(words: Sequence[str], context: Context) -> bool:
    """Return whether *words* end in a street word that may follow any name."""
    row = context.streets.types.get(plain(words[-1]))
    return len(words) > 1 and row is not None and row.use != "after"


def is_lane(words: Sequence[str], context: Context) -> bool:
    """Tell whether *words* are a street without a number that ends in a word for one."""
    row = context.streets.types.get(plain(words[-1]))
    named = len(words) > 1 and not any(char.isdigit() for char in words[0])
    return named and row is not None and row.use != "after"


def plain(word: str) -> str:
    """Return *word* as the gazetteers of streets write it."""
    return repaired(word).lower().strip(".,:")


def is_direction(word: str) -> bool:
    """Return whether *word* is a point of the compass: "N.W."."""
    return plain(word).replace(".", "") in _DIRECTIONS
