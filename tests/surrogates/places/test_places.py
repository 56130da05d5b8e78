"""Surrogates of places."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.places import locations
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.places.locations import state_of
from presidio_cdip.surrogates.places.places import FORMS

ROOT = Path(__file__).parents[3]
SETS = [
    *sorted((ROOT / "benchmarks").glob("development_*.jsonl")),
    ROOT.parent / "shared" / "data" / "example_pages.jsonl",
]
OPTIONS = {"locale": "en_US", "pack": Pack.shipped()}


def originals(label: str) -> list[str]:
    """Return the values of *label* in the available data."""
    found: dict[str, None] = {}
    for file in SETS:
        for line in file.read_text("utf-8").splitlines() if file.exists() else ():
            document = json.loads(line)
            for span in document["spans"]:
                if span["label"] == label:
                    found[document["text"][span["start"] : span["end"]]] = None
    return list(found)


def read(value: str, options: Mapping[str, Any] = OPTIONS) -> Reading:
    """Return the reading of *value* by the first form that accepts it."""
    return next(reading for form in FORMS if (reading := form.read(value, options)))


def surrogate(value: str, scope: str = "doc", attempt: int = 0) -> str:
    """Return the surrogate of *value*."""
    reading = read(value)
    ring = Keyring(b"k" * 32, scope, "en_US")
    return reading.write(Draw(ring, "PLACE_OF_BIRTH", reading.normal, attempt, OPTIONS))


def town_of(name: str) -> Mapping[str, str]:
    """Return the row of a US town."""
    return next(row for row in rows("us_towns", Pack.shipped()) if row["town"] == name)


@pytest.mark.skipif(not any(file.exists() for file in SETS), reason="no data in this checkout")
@pytest.mark.parametrize("scope", ["a", "b", "c"])
def test_places_that_people_wrote_keep_their_form(scope: str) -> None:
    """Every place of birth in the data gets another place, in the same form on as many lines."""
    values = originals("PLACE_OF_BIRTH")

    new = [surrogate(value, scope) for value in values]

    assert len(values) > 40
    for value, other in zip(values, new, strict=True):
        assert read(other).form == read(value).form, (value, other)
        assert read(other).normal != read(value).normal, (value, other)
        assert other.count("\n") == value.count("\n")


def test_town_brings_its_state() -> None:
    """The surrogate's town lies in the surrogate's state."""
    pairs = [surrogate("Gallipolis, Ohio", scope).split(", ") for scope in "abcdefghij"]

    found = {(row["town"], row["state"]) for row in rows("us_towns", Pack.shipped())}

    assert all((town, load_atlas(Pack.shipped()).state(state)) in found for town, state in pairs)


def test_town_is_the_same_alone() -> None:
    """A town gets the same surrogate alone, with its state, and with its OCR repaired."""
    alone = surrogate("Gallipolis")

    assert surrogate("Gallipolis, Ohio").split(",")[0] == alone
    assert surrogate("Ga1lipolis, 0hio").split(",")[0] == alone
    assert surrogate("GALLIPOLIS OHIO").startswith(alone.upper() + " ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Danville, Va", "Danville, Virginia"),
        ("Gallipolis, 0hio", "Gallipolis, Ohio"),
        ("NEW YORK, N. Y.", "New York, NY"),
    ],
)
def test_same_place_has_one_normal(one: str, other: str) -> None:
    """Two ways of writing a place have the same normal."""
    assert read(one).normal == read(other).normal


@pytest.mark.parametrize("value", ["Steyr, Austria", "Szeged, Hungary", "Brno, Czechoslovakia"])
def test_foreign_town_moves_with_its_country(value: str) -> None:
    """A town abroad becomes one of the country that its own becomes, together or alone."""
    towns = {row["town"]: row["country"] for row in rows("world_towns", Pack.shipped())}
    town, country = value.split(", ")

    new_town, new_country = surrogate(value).split(", ")

    assert towns[new_town] == new_country != country
    assert surrogate(town) == new_town
    assert surrogate(country) == new_country or country == "Czechoslovakia"  # it is two today


@pytest.mark.parametrize(
    ("value", "check"),
    [
        ("CHICOPEE MASS", str.isupper),
        ("da nang", str.islower),
        ("PÉCS (HU)", lambda new: re.fullmatch(r"[^(]+ \([A-Z]{2,3}\)", new)),
        ("Stokes County", lambda new: new.endswith(" County")),
        ("near Lexington", lambda new: new.startswith("near ")),
        ("a farm outside Dunn", lambda new: new.startswith("a farm outside ")),
        ("Łukowa, house 61", lambda new: ", house " in new and "61" not in new),
        ("Abeokuta, Western Region, Nigeria", lambda new: new.count(", ") == 2),
        ("POLAND", lambda new: new.isupper() and new != "POLAND"),
    ],
)
def test_writing_is_kept(value: str, check: Any) -> None:
    """Capitals, brackets, words around a name and the number of parts are kept."""
    assert check(surrogate(value))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Louisville 5, Kentucky", "Kentucky"),
        ("4400 Steyr", "Austria"),
        ("Tulsa", "Oklahoma"),
        ("PÉCS (HU)", "Hungary"),
        ("12 High Street, Leeds LS1 4AB", "United Kingdom"),
        ("somewhere", None),
    ],
)
def test_state_of(value: str, found: str | None) -> None:
    """The state or country is spelled out where it is known."""
    assert state_of(value, Pack.shipped()) == found


def test_location_with_a_street_is_an_address() -> None:
    """A location with a house number is read as an address, one without as a place."""
    forms = [
        next(r for form in locations.FORMS if (r := form.read(value, OPTIONS))).form
        for value in ("14 Maple Street, Dayton", "Dayton, Ohio", "???")
    ]

    assert forms == ["house street,town", "town,state", "town,state"]


def test_attempts_differ() -> None:
    """Another attempt draws another town."""
    assert len({surrogate("Maysville", attempt=attempt) for attempt in range(20)}) > 15


def test_lists_hold_what_they_say() -> None:
    """Every state has at least five towns; every row is of a known state; none stands twice."""
    towns = rows("us_towns", Pack.shipped())
    states = {row["postal"] for row in rows("us_states", Pack.shipped())} - {"DC"}

    counts = {state: sum(row["state"] == state for row in towns) for state in states}

    assert len(states) == 50 and min(counts.values()) >= 5 and sum(counts.values()) == len(towns)
    assert len({(row["town"], row["state"]) for row in towns}) == len(towns) >= 400
    assert all(len(row["zip3"]) == len(row["area_code"]) == 3 for row in towns)
    assert (
        len(rows("world_towns", Pack.shipped())) >= 250
        and len(terms("us_counties", Pack.shipped())) >= 200
    )


def test_unused_prefixes_are_of_no_town() -> None:
    """The ZIP prefixes for invented towns are of no town in the list."""
    used = {row["zip3"] for row in rows("us_towns", Pack.shipped())}

    assert not used & {row["zip_unused"] for row in rows("us_states", Pack.shipped())}


@given(
    value=st.text(min_size=1, max_size=60).map(str.strip).filter(bool),
    scope=st.text("ab", min_size=1),
)
def test_any_text_has_another_place(value: str, scope: str) -> None:
    """Whatever a value holds, it gets a surrogate that says something else."""
    new = surrogate(value, scope)

    assert new.strip()
    assert read(new).normal != read(value).normal


@given(
    town=st.sampled_from([row["town"] for row in rows("us_towns", Pack.shipped())]),
    column=st.sampled_from(["name", "postal", "press"]),
    state=st.sampled_from(rows("us_states", Pack.shipped())),
    joint=st.sampled_from([", ", " ", "\n", "\n   "]),
    capitals=st.booleans(),
    scope=st.integers(0, 99).map(str),
)
def test_town_and_state_keep_their_form(
    town: str, column: str, state: Mapping[str, str], joint: str, capitals: bool, scope: str
) -> None:
    """A town with its state, however joined and abbreviated, keeps its form and changes."""
    value = f"{town}{joint}{state[column]}"
    value = value.upper() if capitals else value

    new = surrogate(value, scope)

    assert read(new).form == read(value).form
    assert read(new).normal != read(value).normal
    assert new.count("\n") == value.count("\n")
    assert not capitals or new.isupper()


@pytest.mark.parametrize("value", ["tulsa near brno", "the mosque in brno", "with ellen in tulsa"])
def test_small_letters_tell_no_word_that_leads(value: str) -> None:
    """What stands before "near" or "in" stays where it is a farm or a village, and only there."""
    assert not {"tulsa", "mosque", "brno", "ellen"} & set(surrogate(value).split())
    assert surrogate("a farm near tulsa").startswith("a farm near ")


@pytest.mark.parametrize(
    "value", ["Plantation, Florida", "Mission, Hidalgo, Texas", "Convent, La.", "Hospital, Ireland"]
)
def test_a_town_with_the_name_of_a_house_does_not_stay(value: str) -> None:
    """A house stays before a town, and a mission or a farm only behind "the"."""
    assert value.split(",")[0] not in surrogate(value)
    assert surrogate("hospital, Tulsa, Okla.").startswith("hospital, ")
    assert surrogate("the mission, Tulsa, Okla.").startswith("the mission, ")


def test_more_lines_than_a_place_has_are_kept() -> None:
    """A value that is no place gets a town for each line but the last."""
    new = surrogate("Room 12, the third door\non the left\n in 1965 or so, and behind it", "doc")

    assert re.fullmatch(r"[^\n]+\n[^\n]+\n [^\n]+", new)


# Listed for finding only: territories, which have no towns to draw, and phrases that hold a state's
# name, which are read as regions are.
NO_STATES = re.compile(
    r"American Samoa|Guam|Northern Mariana Islands|(?:Puerto|Porto) Rico|Virgin Islands"
    r"|(?:C\.Z|P\.R|U\.S\.V\.I|V\.I)\.|Canal Zone|.+ Territory|Territory of .+|Commonwealth of .+"
    r"|State of .+|.+ State|Dist\. of .+|Wash.* D\.?C\.?"
)


def test_every_state_that_is_found_is_read() -> None:
    """The rules' list of states and the surrogates' table know the same names."""
    listed = set(Pack.shipped().terms("recognizers/gazetteers", "us_states"))
    table = {
        row[column] for row in rows("us_states", Pack.shipped()) for column in ("name", "press")
    }

    unread = {name for name in listed if not load_atlas(Pack.shipped()).state(name)}

    assert not {name for name in unread if not NO_STATES.fullmatch(name)}
    assert table <= listed


def on_page(text: str, *values: str, entity: str = "PLACE_OF_BIRTH") -> list[str]:
    """Return the surrogates of *values*, each found once in *text*."""
    spans = [
        Span(text.index(value), text.index(value) + len(value), entity, 1.0, "") for value in values
    ]
    page = Page(text, spans)
    made = Surrogates("k" * 31 + "abcdef", "doc")
    return [
        made.surrogate(entity, value, Context(page, span.start, span.end))
        for value, span in zip(values, spans, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "town", "country"),
    [
        ("From Ottersund, by Oslo, Norway", "Ottersund", None),
        ("Ibabang, near Manila, Philippines", "Ibabang", None),
        ("Coalwood, near Bluefield, West Virginia, Charleston", "Coalwood", "United States"),
    ],
)
def test_unknown_town_is_of_the_country_of_its_page(
    text: str, town: str, country: str | None
) -> None:
    """A town that no gazetteer has stays abroad on a page that names towns abroad."""
    (new,) = on_page(text, town)

    american = {row["town"] for row in rows("us_towns", Pack.shipped())}

    assert (new in american) == (country == "United States")


def test_town_agrees_with_the_place_that_tells_its_country() -> None:
    """Alone, a town gets the surrogate that it gets with its state or country on the same page."""
    with_state, alone = on_page("Paris, Texas. He left\nParis ", "Paris, Texas", "Paris ")

    assert alone.strip() == with_state.split(",")[0]
    assert alone.strip() in {row["town"] for row in rows("us_towns", Pack.shipped())}


def test_country_of_an_address_stays() -> None:
    """A town has one surrogate in an address, which stays in its country, and alone."""
    address, alone = on_page(
        "Am Kirchplatz 1, Passau. Born at\nPassau", "Am Kirchplatz 1, Passau", "\nPassau",
        entity="HOME_ADDRESS",
    )  # fmt: skip

    assert address.endswith(", " + alone.strip())
    towns = {row["town"]: row["country"] for row in rows("world_towns", Pack.shipped())}
    assert towns[alone.strip()] == "Germany"


def test_state_of_its_own_agrees_with_the_town_before_it() -> None:
    """A state and a ZIP code that are values of their own belong to the town before them."""
    town, state, code = on_page(
        "CITY  Gallipolis  ZONE 4  STATE  Ohio  ZIP 45631",
        "Gallipolis", "Ohio", "45631", entity="HOME_ADDRESS",
    )  # fmt: skip

    row = town_of(town)
    assert load_atlas(Pack.shipped()).state(state) == row["state"]
    assert code.startswith(row["zip3"])


@pytest.mark.parametrize("entity", ["HOME_ADDRESS", "LOCATION"])
def test_name_behind_the_label_of_a_county_becomes_a_county(entity: str) -> None:
    """Whether a name is a town or a county, the label of a form says."""
    (new,) = on_page("b. County  McDowell", "McDowell", entity=entity)

    assert new in terms("us_counties", Pack.shipped())


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Galicia", r"(?!Galicia)[^,]+"),
        ("Co. Cork, Ireland", r"(?!Co\.)[^,]+, [^,]+"),
        ("at sea", r"(?:on|in) [a-z ]+"),
        ("Rosehill Nursing Home, Leeds", r"(?!Rosehill)[^,]+ Nursing Home, (?!Leeds)[^,]+"),
        ("Lying-in Hospital, Boston", "Lying-in Hospital, (?!Boston)[^,]+"),
        ("at home, Tulsa", "at home, (?!Tulsa)[^,]+"),
    ],
)
def test_a_birthplace_keeps_its_kind(value: str, shape: str) -> None:
    """A region becomes a region, a hospital a hospital, what is no place another such phrase."""
    for key in range(8):
        written = Surrogates(bytes(range(32)), str(key)).surrogate("PLACE_OF_BIRTH", value)

        assert re.fullmatch(shape, written)


@pytest.mark.parametrize(
    ("rest", "stays"),
    [("Birth verified at the Toll County Court House.", True), ("Birth verified.", False)],
)
def test_a_birth_on_record_in_a_county_stays_in_the_country(rest: str, stays: bool) -> None:
    """Else it goes with the nationality that replaces the American one."""
    text = f"Born 1914, Akron, Ohio    Citizenship  U.S.\n{rest}"
    place, nation = text.index("Akron"), text.index("U.S.")
    spans = [
        Span(place, place + 11, "PLACE_OF_BIRTH", 1.0, ""),
        Span(nation, nation + 4, "NATIONALITY", 1.0, ""),
    ]
    context = Context(Page(text, spans), place, place + 11)
    states = {row["name"] for row in rows("us_states", Pack())}
    found = {
        Surrogates(bytes(range(32)), f"{at}").surrogate("PLACE_OF_BIRTH", "Akron, Ohio", context)
        for at in range(8)
    }

    assert {one.split(", ")[1] in states for one in found} == {stays}
