"""Draw the parts of a surrogate address, each written as the original part is written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import StreetType
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.places.address_grammar import NUMBER_WORDS, ORDINAL, ORDINALS
from presidio_cdip.surrogates.places.address_parts import (
    Building,
    CareOf,
    Country,
    County,
    Floor,
    ForeignStreet,
    House,
    HouseName,
    Institution,
    Landmark,
    LetteredStreet,
    LetterPostcode,
    Numbered,
    Part,
    Region,
    State,
    Street,
    TownName,
    ZipCode,
    Zone,
)
from presidio_cdip.surrogates.places.address_towns import CANADIAN, COUNTY_BEFORE
from presidio_cdip.surrogates.places.address_words import DIGIT
from presidio_cdip.surrogates.places.atlas import Atlas, Town
from presidio_cdip.surrogates.places.countries import page_places
from presidio_cdip.surrogates.places.place_drawing import (
    draw_district,
    draw_number,
    draw_other,
    match_case,
    write_region,
    write_state,
)
from presidio_cdip.surrogates.places.street_lists import StreetLists
from presidio_cdip.surrogates.values.names import person
from presidio_cdip.surrogates.writing.text import folded, repaired

_OWNED = re.compile(r"(?P<head>.*?)(?P<name>[A-Z][\w-]+)(?P<tail>['’]s? [\w ]+)")  # "Hale's store"
_HOTEL = "Hotel "
_BLOCK = re.compile(r"(?i)\d+ bl(?:oc)?k")
_HUNDRED = 100
_THE = "the"
_DIGITS = 9  # house numbers of one digit
_TELLING = 5  # letters of a name that tell it
_UK_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_UNIT_LETTERS = "ABCEFG"
_FRACTIONS = ("1/2", "1/4")
# The lowest house number of an address that must not exist: before and behind the street.
_NOWHERE_BEFORE, _NOWHERE_BEHIND = 97000, 9700


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draw the parts of one surrogate address.

    Attributes:
        draw: Of the address.
        atlas: Of the pack in use.
        streets: Of the pack in use.
        country: Country of all towns of the surrogate; see `draw_town`.
        capitals: Whether the whole original is in capitals.
        nowhere: Whether the surrogate must not exist.
    """

    draw: Draw
    atlas: Atlas
    streets: StreetLists
    country: str
    capitals: bool
    nowhere: bool

    def town(self, name: str) -> Town:
        """Draw the town that replaces the one called *name*."""
        page = page_places(self.draw.options)
        town = page.new_town(self.draw, name, self.country, self.atlas)
        if not self.nowhere:
            return town
        return invent_town(town, self.draw.part("PLACE", name).chance, self.atlas, self.streets)

    def district(self, name: str) -> Town:
        """Draw the suburb or the village that replaces the one called *name*."""
        return draw_district(self.draw, name, self.country, self.atlas)

    def house(self, house: House, street: str, before: bool) -> str:
        """Draw the number that replaces *house*.

        Args:
            house: As read.
            street: The normalized street; empty if there is none.
            before: Whether the number stands before the street.
        """
        chance = self.draw.part("HOUSE", f"{house.normal} {street}").chance
        lowest = (_NOWHERE_BEFORE if before else _NOWHERE_BEHIND) if self.nowhere else 0
        first = "" if lowest else self._neighbour(house.normal, street)
        return _other_house(house.text, chance, lowest, first)

    def _neighbour(self, house: str, street: str) -> str:
        """Draw the first number of *house*, as far from those beside it as the original was.

        The houses of one hundred of a street, and those below a hundred, move by one even number.
        """
        found = re.match(r"\d{1,6}", house)
        if found is None or house[0] == "0":
            return ""
        number = found.group()
        if len(number) == 1:
            chance = self.draw.part("HOUSE", f"digit {street}").chance
            return str((int(number) + chance.below(_DIGITS - 1)) % _DIGITS + 1)
        block, size = (number[:-2], _HUNDRED) if len(number) > 2 else ("", _HUNDRED - 10)
        chance = self.draw.part("HOUSE", f"block {block} {street}").chance
        moved = int(number[-2:]) + 2 + 2 * chance.below(size // 2 - 1)
        if block:
            return f"{draw_number(block, chance)}{moved % size:02d}"
        return str((moved - 10) % size + 10)

    def part(self, part: Part, town: Town) -> str:
        """Draw the text that replaces *part*, which is no house; *town* replaces its town."""
        match part:
            case CareOf():
                return f"{part.head} {self._person(part.name)}"
            case Numbered(text=text, start=start, end=end):
                new = _other_label(text[start:end], self._chance("UNIT", part.normal))
                if part.kind == "distance" and new == "1":
                    new = "3" if text[start:end] == "2" else "2"  # "miles" stays
                return text[:start] + new + text[end:]
            case Floor(floor=floor):
                return (
                    _other_floor(floor, self._chance("UNIT", part.normal)) + part.text[len(floor) :]
                )
            case Landmark():
                return part.head + self._landmark(part.thing)
            case HouseName(text=text):
                return self._house_name(text)
            case Institution():
                kind = self.streets.institutions[folded(part.name)]
                own = folded(part.name)
                new = draw_other(
                    self._chance("INSTITUTION", own), kind, lambda one: folded(one) == own
                )
                return part.head + match_case(part.name, new)
            case Building(name=name):
                the = name[:4] if name.lower().startswith("the ") else ""
                own = name[len(the) :]
                chance = self._chance("STREET", folded(own))
                return the + self._other_name(own, folded(own), chance) + part.tail
            case Street():
                return self._street(part)
            case LetteredStreet():
                words = part.text.split(" ")
                words[part.at] = _other_label(words[part.at], self._chance("STREET", part.normal))
                return " ".join(words)
            case ForeignStreet():
                return part.head + self._stem(part) + part.tail
            case County():
                return f"{self._county(part.name)} {part.word}"
            case TownName(text=text):
                return match_case(self._case_model(text), town.name) + _final_stop(text)
            case Region():
                new = write_region(part.text, town.region or town.name, self.atlas)
                if county := COUNTY_BEFORE.match(part.text):
                    new = county.group() + new.removeprefix("County ")
                if self.capitals or not part.text.isupper():
                    return match_case(part.text, new)
                return new
            case State():
                if not town.state:
                    return write_region(part.text, town.region, self.atlas) or part.text
                return write_state(part.text, town.state, self.atlas, self.capitals)
            case Country():
                stays = part.normal in (folded(town.country), folded(town.old))
                return part.text if stays else match_case(part.text, town.country)
            case Zone():
                return draw_number(part.normal, self._chance("ZONE", part.normal))
            case ZipCode():
                return self._zip_code(part, town)
            case LetterPostcode():
                return _other_postcode(part.text, self._chance("ZIP", part.normal), town)
        return part.text

    def _zip_code(self, part: ZipCode, town: Town) -> str:
        """Draw a ZIP code; the first five digits of nine also stand alone elsewhere."""
        head, dash, tail = part.code.partition("-")
        if not (dash and head.isdigit() and tail.isdigit()):
            return _other_zip(part.code, self._chance("ZIP", part.normal), town)
        first = _other_zip(head, self._chance("ZIP", head), town)
        return f"{first}-{_other_zip(tail, self._chance('ZIP+4', part.normal))}"

    def _chance(self, purpose: str, normal: str) -> Chance:
        return self.draw.part(purpose, normal).chance

    def _person(self, name: str) -> str:
        return person(self.draw.part("PERSON", folded(name)), name)

    def _landmark(self, thing: str) -> str:
        key = folded(thing)
        chance = self._chance("LANDMARK", key)
        return match_case(
            thing, draw_other(chance, self.streets.landmarks, lambda name: name == key)
        )

    def _house_name(self, text: str) -> str:
        """Draw another name of a house, of as many words, or of another owner or inn-keeper."""
        key = folded(text)
        if owned := _OWNED.fullmatch(text):
            return owned["head"] + self._person(owned["name"]) + owned["tail"]
        if text.startswith(_HOTEL):
            own = text.removeprefix(_HOTEL)
            return _HOTEL + self._other_name(own, folded(own), self._chance("STREET", folded(own)))
        names = self.streets.houses.get(key.count(" ") + 1) or self.streets.houses[2]
        is_the = key.startswith("the ")
        alike = [one for one in names if one.startswith("The ") == is_the] or names
        chance = self._chance("HOUSE NAME", key)
        return match_case(text, draw_other(chance, alike, lambda name: folded(name) == key))

    def _street(self, street: Street) -> str:
        key = folded(street.name)
        if key == _THE:
            street = replace(street, name="The")
        chance = self._chance("STREET", key)
        words = [*street.head, self._other_name(street.name, key, chance)]
        if street.row:
            common, _ = self.streets.of(self.country)
            words.append(_other_type(street.type, street.row, chance, common))
        return " ".join([*words, *street.tail])

    def _other_name(self, name: str, key: str, chance: Chance) -> str:
        """Draw another name of a street, as the country of the address has them."""
        _, names = self.streets.of(self.country)
        return _other_street(name, key, chance, names)

    def _stem(self, street: ForeignStreet) -> str:
        own = folded(street.name)
        stems = self.streets.stems[street.language, street.use]
        new = draw_other(
            self._chance("STREET", street.key), stems, lambda stem: folded(stem) == own
        )
        return (
            match_case(street.name, new) if street.name.isupper() or street.name.islower() else new
        )

    def _county(self, name: str) -> str:
        own = folded(name)
        chance = self._chance("COUNTY", own)
        new = draw_other(chance, self.atlas.counties, lambda county: folded(county) == own)
        return match_case(name, new)

    def _case_model(self, text: str) -> str:
        """Return the model for a town's case: a short "NYC" is not in capitals."""
        short = len(re.findall(r"[^\W\d_]", text)) < 4 and not self.capitals
        return text.title() if short and text.isupper() else repaired(text)


def invent_town(town: Town, chance: Chance, atlas: Atlas, streets: StreetLists) -> Town:
    """Return a town that does not exist in the state of *town*; outside the US, *town* itself."""
    if not town.state:
        return town
    name = chance.choice(streets.invented[0]) + chance.choice(streets.invented[1])
    return town._replace(name=name, postcode=atlas.state_rows[town.state]["zip_unused"])


def _other_street(name: str, key: str, chance: Chance, listed: Mapping[int, Sequence[str]]) -> str:
    """Draw another name of as many words, or another number where *name* is one.

    Args:
        name: As written.
        key: The folded name.
        chance: Of the street.
        listed: Names of streets by number of words.
    """
    if found := ORDINAL.fullmatch(name):
        return _write_ordinal(draw_number(found[1], chance), found[2])
    if re.fullmatch(rf"{DIGIT}+", name) and re.search(r"\d", name):
        return draw_number(digits(name), chance)
    names = listed.get(key.count(" ") + 1) or listed[2]
    own = key[:_TELLING]  # no "Saraswati" for "Saraswat"
    new = draw_other(chance, names, lambda new: new.lower().startswith(own))
    return match_case(repaired(name), new)


def _other_type(written: str, row: StreetType, chance: Chance, common: Sequence[StreetType]) -> str:
    """Draw another street word, abbreviated as *written* is; a rare one stays."""
    if row.use != "often":
        return written
    new = chance.choice(common)
    bare = written.rstrip(".")
    if repaired(bare).lower() == row.word.lower():
        return match_case(repaired(bare), new.word)
    model = bare if len(bare) > 1 else "St"
    return match_case(model, new.short[0]) + written[len(bare) :]


def _other_house(text: str, chance: Chance, lowest: int, start: str) -> str:
    """Draw another house number with as many digits, or in words where *text* is in words.

    Args:
        text: As written.
        chance: Of the house.
        lowest: The least first number for an address that must not exist; 0 for a plausible one.
        start: The first number; it is drawn if empty.
    """
    if not re.search(r"\d", text):
        return re.sub(r"[^\W\d_]+", lambda word: _other_number_word(word.group(), chance), text)
    garbled = rf"[{ROUND}](?=[\d{ROUND}/-]|$)|(?<=\d)[{ROUND}](?=[\d{ROUND}])"
    clean = re.sub(garbled, _repair_digit, text)
    first = True

    def change(found: "re.Match[str]") -> str:
        nonlocal first
        old = found.group()
        if old[0].isalpha():
            return _other_letter(old, chance)
        is_first, first = first, False
        if is_first and _BLOCK.match(clean) and len(old) > 2:
            return str(max(_HUNDRED, int(draw_number(old, chance)) // _HUNDRED * _HUNDRED))
        if is_first and lowest:
            return str(chance.between(lowest, 10 ** len(str(lowest)) - 1))
        if is_first and len(old) == len(start):
            return start
        return old if old in _FRACTIONS else draw_number(old, chance)

    return re.sub(r"(?<= )1/[24]|\d+|(?<![A-Za-z])[A-Za-z](?![A-Za-z])", change, clean)


def _repair_digit(found: "re.Match[str]") -> str:
    return digits(found.group())


def _other_number_word(word: str, chance: Chance) -> str:
    for group in NUMBER_WORDS:
        if word.lower() in group:
            return match_case(word, draw_other(chance, group, lambda new: new == word.lower()))
    return word


def _other_letter(letter: str, chance: Chance) -> str:
    new = draw_other(chance, _UNIT_LETTERS, lambda found: found == letter.upper())
    return new.lower() if letter.islower() else new


def _other_label(label: str, chance: Chance) -> str:
    """Draw other digits and letters for the number of a unit.

    >>> _other_label("6-C", Chance(bytes(32)))
    '9-E'
    """

    def change(found: "re.Match[str]") -> str:
        old = found.group()
        return _other_letter(old, chance) if old.isalpha() else draw_number(old, chance)

    clean = re.sub(rf"[{ROUND}](?=[\d{ROUND}])|(?<=\d)[{ROUND}]", _repair_digit, label)
    return re.sub(r"\d+|[A-Za-z]", change, clean)


def _other_floor(floor: str, chance: Chance) -> str:
    if found := ORDINAL.fullmatch(floor):
        numbers = "23" if len(found[2]) == 1 else "123456789"
        return _write_ordinal(draw_other(chance, numbers, lambda new: new == found[1]), found[2])
    return match_case(floor, draw_other(chance, ORDINALS, lambda new: new == floor.lower()))


def _write_ordinal(number: str, model: str) -> str:
    """Return *number* as an ordinal in the case of the ending *model*, and short as "d" is."""
    last = number[-1]
    end = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(last, "th")
    if model.lower() == "d" and end in ("nd", "rd"):
        end = "d"
    return number + (end.upper() if model.isupper() else end)


def _other_zip(text: str, chance: Chance, town: Town | None = None) -> str:
    """Draw a postcode of *town* with as many digits as *text*, and its marks and blanks."""
    count = sum(char.isdigit() for char in text)
    start = town.postcode if town and town.postcode.isdigit() else ""
    start = start if len(start) < count else ""
    own = re.sub(r"\D", "", text)
    while True:
        new = start + "".join(str(chance.below(10)) for _ in range(count - len(start)))
        if new != own and (start or new[0] != "0" or own[0] == "0"):
            break
    drawn = iter(new)
    text = re.sub(r"\d", lambda _: next(drawn), text)
    return re.sub(r"(?<= )[A-Z]{2}$", lambda found: _other_label(found.group(), chance), text)


def _other_postcode(text: str, chance: Chance, town: Town) -> str:
    """Draw a British postcode in the area of *town*, or other letters and digits for another one.

    It has as many digits as *text*, and a blank where *text* has one.
    """
    if CANADIAN.fullmatch(text.replace(" ", "")):
        return town.postcode[:1] + _other_label(text[1:], chance)
    area = town.postcode if town.postcode.isalpha() else "LE"
    found = re.match(r"[A-Za-z]+(\d+)[A-Za-z]??( ?)((?:\d[A-Za-z]{2})?)$", text)
    if not found:
        return _other_label(text, chance)
    while True:
        district = chance.between(10, 28) if len(found[1]) > 1 else chance.between(1, 9)
        new = f"{area}{district}{found[2]}"
        if found[3]:
            new += f"{chance.below(10)}{chance.choice(_UK_LETTERS)}{chance.choice(_UK_LETTERS)}"
        if new.lower() != text.lower():
            return new.lower() if text.islower() else new


def _final_stop(text: str) -> str:
    return "." if text.endswith(".") and text.count(".") == 1 else ""
