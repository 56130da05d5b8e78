"""Index the words and gazetteers of streets for reading and drawing."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from presidio_cdip.pack.language import StreetType, english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.places.atlas import Atlas, load_atlas
from presidio_cdip.surrogates.writing.text import folded


class StreetEnd(NamedTuple):
    """A word or an ending that names of streets in another language end in.

    Attributes:
        language: Code of the language.
        use: "joined" to the name ("gasse"), or an "ending" of it that cannot be cut off.
        text: Folded.
    """

    language: str
    use: str
    text: str


class StreetLists(NamedTuple):
    """Look up words of streets, and names to draw from.

    Attributes:
        types: English words for a street by every way of writing them, in small letters.
        common_types: The types that replace one another.
        names: Names of English streets by number of words.
        before: Languages of street words that stand before the name, by word: "rue".
        apart: Languages of street words that stand apart behind the name, by word: "Str.".
        ends: Endings of names of foreign streets, the longest first.
        stems: Names to draw from, by language and use.
        houses: Names of houses by number of words.
        landmarks: Things that a home may stand beside.
        institutions: By the folded name of an institution, those of its kind.
        abroad: By country, the types that replace one another there and names by number of words.
        invented: First and second halves of names of invented towns.
        atlas: Of the same pack.
    """

    types: Mapping[str, StreetType]
    common_types: tuple[StreetType, ...]
    names: Mapping[int, tuple[str, ...]]
    before: Mapping[str, str]
    apart: Mapping[str, str]
    ends: tuple[StreetEnd, ...]
    stems: Mapping[tuple[str, str], tuple[str, ...]]
    houses: Mapping[int, tuple[str, ...]]
    landmarks: tuple[str, ...]
    institutions: Mapping[str, tuple[str, ...]]
    abroad: Mapping[str, tuple[tuple[StreetType, ...], Mapping[int, tuple[str, ...]]]]
    invented: tuple[tuple[str, ...], tuple[str, ...]]
    atlas: Atlas

    def of(self, country: str) -> tuple[tuple[StreetType, ...], Mapping[int, tuple[str, ...]]]:
        """Return the words for streets, and their names, of *country*: common ones if unknown."""
        return self.abroad.get(country, (self.common_types, self.names))

    def is_name(self, text: str) -> bool:
        """Tell whether *text* names a place, or a street that ends in a word for one.

        >>> lists = load_street_lists(Pack.shipped())
        >>> [lists.is_name(one) for one in ("West Virginia", "Mill Road", "Mill")]
        [True, True, False]
        """
        first, _, last = text.rpartition(" ")
        row = self.types.get(last.lower().strip("."))
        of_street = row is not None and row.use != "after"
        return self.atlas.is_name(text) or bool(first and of_street)


def _ends_as_other(words: list[str], atlas: Atlas, types: Mapping[str, StreetType]) -> bool:
    """Tell whether a name ends like a place or a street word, so that it is not read again."""
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return any(atlas.town(end) or atlas.state(end) or end in types for end in ends)


@lru_cache(maxsize=8)
def load_street_lists(pack: Pack) -> StreetLists:
    """Index the gazetteers of *pack*."""
    atlas = load_atlas(pack)
    types = {name.lower(): one for one in english().street_types for name in one.spellings}
    names: dict[int, list[str]] = {}
    for name in terms("street_names", pack):
        words = folded(name).split()
        if not _ends_as_other(words, atlas, types):
            names.setdefault(len(words), []).append(name)
    houses: dict[int, list[str]] = {}
    for name in terms("house_names", pack):
        if not atlas.town(name):
            houses.setdefault(name.count(" ") + 1, []).append(name)
    abroad = rows("foreign_streets", pack)
    foreign = tuple(
        StreetEnd(row["language"], row["use"], folded(row["text"]))
        for row in abroad
        if row["kind"] == "word"
    )
    stems: dict[tuple[str, str], list[str]] = {}
    for row in abroad:
        if row["kind"] == "name":
            stems.setdefault((row["language"], row["use"]), []).append(row["text"])
    halves = rows("invented_towns", pack)
    elsewhere: dict[str, tuple[tuple[StreetType, ...], Mapping[int, tuple[str, ...]]]] = {}
    for row in rows("streets_abroad", pack):
        own: dict[int, list[str]] = {}
        for name in row["names"].split("|"):
            words = folded(name).split()
            if not atlas.state(name) and words[-1] not in types:
                own.setdefault(len(words), []).append(name)
        known = tuple(types[word.lower()] for word in row["types"].split("|"))
        listed = {count: tuple(found) for count, found in own.items()}
        elsewhere |= dict.fromkeys(row["countries"].split("|"), (known, listed))
    return StreetLists(
        types=types,
        common_types=tuple(one for one in english().street_types if one.use == "often"),
        names={count: tuple(found) for count, found in names.items()},
        before={text: language for language, use, text in reversed(foreign) if use == "before"},
        apart={text: language for language, use, text in reversed(foreign) if use == "apart"},
        ends=tuple(
            sorted(
                (end for end in foreign if end.use in ("joined", "ending")),
                key=lambda end: -len(end.text),
            )
        ),
        stems={key: tuple(found) for key, found in stems.items()},
        houses={count: tuple(found) for count, found in houses.items()},
        landmarks=terms("landmarks", pack),
        institutions={
            folded(name): tuple(row["names"].split("|"))
            for row in rows("institutions", pack)
            for name in row["names"].split("|")
        },
        abroad=elsewhere,
        invented=(
            tuple(row["first"] for row in halves),
            tuple(row["second"] for row in halves),
        ),
        atlas=atlas,
    )
