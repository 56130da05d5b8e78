"""Surrogates of addresses."""

import json
import re
import re._parser as sre  # type: ignore[import-not-found]
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.places.addresses import FORMS, AddressForm
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.places.street_lists import load_street_lists

ROOT = Path(__file__).parents[3]
SETS = [
    *sorted((ROOT / "benchmarks").glob("development_*.jsonl")),
    ROOT.parent / "shared" / "data" / "example_pages.jsonl",
]
OPTIONS: dict[str, Any] = {"locale": "en_US", "pack": Pack.shipped()}
NOWHERE: Mapping[str, Any] = OPTIONS | {"address": "nowhere"}


def originals() -> list[str]:
    """Return the home addresses in the available data."""
    found: dict[str, None] = {}
    for file in SETS:
        for line in file.read_text("utf-8").splitlines() if file.exists() else ():
            document = json.loads(line)
            for span in document["spans"]:
                if span["label"] == "HOME_ADDRESS":
                    found[document["text"][span["start"] : span["end"]]] = None
    return list(found)


def read(value: str, options: Mapping[str, Any] = OPTIONS) -> Reading:
    """Return the reading of *value* by the first form that accepts it."""
    return next(reading for form in FORMS if (reading := form.read(value, options)))


def surrogate(value: str, scope: str = "doc", options: Mapping[str, Any] = OPTIONS) -> str:
    """Return the surrogate of *value*."""
    reading = read(value, options)
    ring = Keyring(b"k" * 32, scope, "en_US")
    return reading.write(Draw(ring, "HOME_ADDRESS", reading.normal, 0, options))


@pytest.mark.slow
@pytest.mark.skipif(not any(file.exists() for file in SETS), reason="no data in this checkout")
@pytest.mark.parametrize("options", [OPTIONS, NOWHERE], ids=["plausible", "nowhere"])
@pytest.mark.parametrize("scope", ["a", "b", "c"])
def test_addresses_that_people_wrote_keep_their_form(
    scope: str, options: Mapping[str, Any]
) -> None:
    """Every address in the data is read, and gets another in the same form on as many lines."""
    values = originals()

    new = [surrogate(value, scope, options) for value in values]

    assert len(values) > 80
    for value, other in zip(values, new, strict=True):
        assert AddressForm().read(value, options) is not None, value
        if options is OPTIONS or not re.fullmatch(r"\d+ \w+", value):
            # Of "81821 LORIMBOURNE" nothing tells that it is no house in a street: it is invented.
            assert read(other).form == read(value).form, (value, other)
        assert read(other).normal != read(value).normal, (value, other)
        assert other.count("\n") == value.count("\n")


@pytest.mark.parametrize("scope", list("abcdef"))
def test_town_state_and_zip_belong_together(scope: str) -> None:
    """Town, state and ZIP prefix are of one row of the list."""
    new = surrogate("44 Old Orchard Lane, Scarsda1e, NY 1O583", scope)

    found = re.fullmatch(r"\d\d [\w ]+, ([\w ]+), ([A-Z]{2}) (\d{3})\d\d", new)

    assert found
    assert found.groups() in {
        (row["town"], row["state"], row["zip3"]) for row in rows("us_towns", Pack.shipped())
    }


@pytest.mark.parametrize(
    ("whole", "first"),
    [
        ("917 Hermitage Ct.\n   Louisville 5, Kentucky", "917 Hermitage Ct."),
        ("Box 70, Rt. 1, Midlothian", "Box 70, Rt. 1"),
        ("Färbergasse 12, 4400 Steyr", "Färbergasse 12"),
    ],
)
def test_first_line_alone_is_the_same(whole: str, first: str) -> None:
    """The street line gets the same surrogate alone as in its address."""
    assert surrogate(whole).startswith(surrogate(first))


def test_town_is_that_of_other_values() -> None:
    """A town of residence gets the surrogate that it gets in an address and as a birth place."""
    from presidio_cdip.surrogates.places import places

    reading = places.PlaceForm().read("Gallipolis, Ohio", OPTIONS)
    assert reading
    birth = Draw(Keyring(b"k" * 32, "doc", "en_US"), "PLACE_OF_BIRTH", reading.normal, 0, OPTIONS)

    assert reading.write(birth).split(",")[0] == surrogate("Gallipolis")
    assert f", {surrogate('Gallipolis')}," in surrogate("12 Elm Street, Gallipolis, Ohio")


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Gatehouse, School Lane", r"[A-Z][a-z]+, [A-Z]\w+ [A-Z]\w+"),
        ("The Bungalow", r"The [A-Z][\w ]+"),
        ("Ames Bldg., State St.", r"[A-Z]\w+ Bldg\., [A-Z]\w+ [A-Z]\w+\."),
        ("Model Dwellings, Peabody Square", r"[A-Z]\w+ Dwellings, [A-Z]\w+ Square"),
        ("Hotel Ames, Room 12", r"Hotel [A-Z]\w+, Room \d\d"),
        ("over Hale's store, Main St.", r"over [A-Z]\w+'s store, [A-Z]\w+ [A-Z]\w+\."),
        ("600 blk. W. 5th", r"[1-9]00 blk\. W\. \d[a-z]{2}"),
        ("1855 Breyman St. NE, Salem", r"\d{4} [A-Z]\w+ [A-Z]\w+\. NE, [\w ]+"),
    ],
)
@pytest.mark.parametrize("scope", "abcdef")
def test_houses_and_the_compass_are_no_towns(value: str, shape: str, scope: str) -> None:
    """A building becomes another building, a block another block, and a side of town stays."""
    towns = {row["town"] for row in rows("us_towns", Pack.shipped())}
    new = surrogate(value, scope)

    assert re.fullmatch(shape, new)
    assert new.split(",")[0] not in towns
    assert new != value


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (
            "917 Hermitage Ct.\n            Louisville 5, Kentucky",
            r"\d{3} [\w ]+\.\n {12}[\w ]+ \d, [\w ]+",
        ),
        ("340 E. 74, Apt 6-C", r"\d{3} E\. \d\d, Apt \d-[A-Z]"),
        (
            "1127 CALUMET AV 2ND FL\n     WHITING IN 46394",
            r"\d{4} [A-Z ]+ \d[NRTS][DHT] FL\n {5}[A-Z ]+ [A-Z]{2} \d{5}",
        ),
        (
            "Post Office Box 61, Loretto, Ky. 40O37",
            r"Post Office Box \d\d, [\w ]+, [\w. ]+ \d{5}",
        ),
        (
            "2210 n prospect ave apt 7\ncity: milwaukee\nstate: wi\nzip: 53202",
            r"\d{4} n [a-z]+ [a-z]+ apt \d\ncity: [a-z ]+\nstate: [a-z]{2}\nzip: \d{5}",
        ),
        ("Four-twelve Sycamore, in Paducah", r"[A-Z][a-z]+-[a-z]+ [A-Z]\w+, in [\w ]+"),
        (
            "22 Crookes View, Sheffield S10 1ZZ",
            r"\d\d [\w ]+ View, [\w -]+ [A-Z]{1,2}\d\d \d[A-Z]{2}",
        ),
        ("9, rue des Tanneurs\n   L-6790 Grevenmacher", r"\d, rue d[\w' ]+\n {3}L-\d{4} \w+"),
        (
            "ODOS KRITIS 14, 3RD FLOOR, 546 55 THESSALONIKI",
            r"ODOS [A-Z]+ \d\d, \d[A-Z]{2} FLOOR, \d{3} \d\d [A-Z]+",
        ),
        ("Koivukuja 5 B 11", r"\w+kuja \d [A-Z] \d\d"),
        ("Münchener Str. 77", r"\w+ Str\. \d\d"),
        (
            "RURAL ROUTE 4   GREENEVILLE   TENN   37743",
            r"RURAL ROUTE \d   [A-Z ]+?   [A-Z ]+?   \d{5}",
        ),
        (
            "511 E. Nash St., rear            Wilson",
            r"\d{3} E\. \w+ \w+\., rear            [\w ]+",
        ),
    ],
)
def test_writing_is_kept(value: str, shape: str) -> None:
    """Digits, abbreviations, labels, capitals, blanks and lines stand where they stood."""
    new = surrogate(value)

    assert re.fullmatch(shape, new), new
    names = set(re.findall(r"[^\W\d_]{6,}", value.lower())) - {"office"}
    assert not names & set(re.findall(r"[^\W\d_]+", new.lower()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("44 Old Orchard Lane", "44 Old Orchard La."),
        ("2007 Grove Ave.", "2007 GROVE AVENUE"),
        ("RFD 2 TERRYVILLE", "RFD 2, Terryville"),
        ("Scarsda1e, NY 1O583", "Scarsdale, N.Y. 10583"),
    ],
)
def test_same_address_has_one_normal(one: str, other: str) -> None:
    """Abbreviations, capitals, commas and OCR damage do not change what an address says."""
    assert read(one).normal == read(other).normal


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("5 Elm St., Chicag0 39, I11.", r".+ \d\d, (?P<state>[A-Z][\w. ]*)"),
        ("Detr0it 4 M1ch.", r".+ \d (?P<state>[A-Z][\w. ]*)"),
    ],
)
@pytest.mark.parametrize("scope", ["a", "b", "c", "d"])
def test_a_damaged_state_behind_a_zone_becomes_a_state(value: str, shape: str, scope: str) -> None:
    """What stands behind a town with its postal zone is a state, whatever OCR read."""
    found = re.fullmatch(shape, surrogate(value, scope))

    assert found
    assert load_atlas(Pack.shipped()).state(found["state"])


def test_unknown_town_is_of_the_locale() -> None:
    """A town that no list knows is taken for one of the locale's country."""
    british: Mapping[str, Any] = OPTIONS | {"locale": "en_GB"}
    towns = {
        row["town"]
        for row in rows("world_towns", Pack.shipped())
        if row["country"] == "United Kingdom"
    }

    new = surrogate("3 Chapel Row, Little Torring", options=british)

    assert new.split(", ")[1] in towns


def test_nowhere_cannot_be_found() -> None:
    """Nowhere has an invented town, and a house number and a ZIP prefix that are not in use."""
    new = surrogate("2007 Grove Ave., Scarsdale, NY 10583", options=NOWHERE)

    found = re.fullmatch(r"(\d+) \w+ \w+\., (\w+), ([A-Z]{2}) (\d{3})\d\d", new)

    assert found and int(found[1]) >= 97000
    assert not load_atlas(Pack.shipped()).town(found[2])
    assert found[4] == load_atlas(Pack.shipped()).state_rows[found[3]]["zip_unused"]


def test_more_lines_than_an_address_has_are_kept() -> None:
    """A value that is no address gets one of as many lines."""
    value = "some words that go on and on about it\n\nand on\n and on for ever and ever and ever"

    assert AddressForm().read(value, OPTIONS) is None
    assert re.sub(r"[^\n]+", "x", surrogate(value)) == "x\n\nx\nx"


@given(value=st.text(min_size=1, max_size=60).map(str.strip).filter(bool))
def test_any_text_has_another_address(value: str) -> None:
    """Whatever a value holds, it gets a surrogate that says something else."""
    new = surrogate(value)

    assert new.strip()
    assert read(new).normal != read(value).normal


NAMES = ["Oak", "Elm", "Sunset", "Windsor", "Botanical", "Salem", "42nd", "Fifth", "Larkmere"]
KINDS = [
    "St",
    "St.",
    "Street",
    "Ave",
    "Avenue",
    "Rd.",
    "Lane",
    "Ct.",
    "Terr.",
    "Blvd",
    "Way",
    "Heights",
]
LINES = st.one_of(
    st.builds(
        "{} {}{} {}{}".format,
        st.integers(1, 9999),
        st.sampled_from(["", "N. ", "West ", "SE "]),
        st.sampled_from(NAMES),
        st.sampled_from(KINDS),
        st.sampled_from(["", "", " NW"]),
    ),
    st.sampled_from(
        ["RFD 2", "Route 3, Box 14", "P.O. Box 77", "Star Route 2", "Kirkegata 40", "Via Roma 3",
         "Färbergasse 12", "Storgatan 5", "Sunset Court", "9, rue du Four"]
    ),
)  # fmt: skip
UNITS = st.sampled_from(["", ", Apt. 4", ", Apt 6-C", " #12", ", 2nd fl", ", rear", ", upstairs"])
PLACES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(
        [row["town"] for row in rows("us_towns", Pack.shipped())] + ["Pricetown", "Bayou Blue"]
    ),
    st.sampled_from([", ", " ", "\n"]),
    st.sampled_from(
        [
            row[column]
            for row in rows("us_states", Pack.shipped())
            for column in ("name", "postal", "press")
        ]
    ),
    st.sampled_from(["", " 40213", " 1O583", "  45402-1234"]),
)


@pytest.mark.slow
@given(
    line=LINES,
    unit=UNITS,
    joint=st.sampled_from([", ", "\n", "\n      ", "        "]),
    place=PLACES,
    scope=st.integers(0, 99).map(str),
)
def test_composed_addresses_keep_their_form(
    line: str, unit: str, joint: str, place: str, scope: str
) -> None:
    """An address of a street line, a unit, a town and a state keeps its form and changes."""
    value = line + unit + joint + place

    new = surrogate(value, scope)

    assert read(new).form == read(value).form, (value, new)
    assert read(new).normal != read(value).normal
    assert new.count("\n") == value.count("\n")


@pytest.mark.parametrize(
    ("value", "gone"),
    [
        ("Ludwig van Beethovenstraat 12, Amsterdam", "Ludwig"),
        ("Kaiser Wilhelmstraße 4", "Kaiser"),
        ("Janki Kupały Kastryčnickaja 27, Hrodna", "Kupały"),
    ],
)
def test_no_part_of_a_foreign_street_stays(value: str, gone: str) -> None:
    """A street named for somebody keeps neither their first name nor their title."""
    new = surrogate(value)

    assert gone not in new
    assert read(new).form == read(value).form


@pytest.mark.parametrize("value", ["Kraków, Poland", "Nicosia, Cyprus", "Toronto, Canada"])
def test_country_changes_where_no_street_tells_it(value: str) -> None:
    """A home abroad without a street is a place: its country becomes another."""
    assert value.split(", ")[1] not in surrogate(value)


def test_in_care_of_somebody() -> None:
    """The name behind "in care of" is a person's."""
    assert surrogate("in care of Ellen Ward, 12 Elm St.").startswith("in care of ")
    assert "care" in read("in care of Ellen Ward, 12 Elm St.").form.split(",")[0]


def test_number_in_words_alone_on_a_line() -> None:
    """A house number in words may stand on a line before its street."""
    assert read("Two hundred six\nElm Street").form == "house\nstreet"
    assert re.fullmatch(r"\w+ hundred \w+\n\w+ \w+", surrogate("Two hundred six\nElm Street"))


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("9 Ashley Rd. (back room, 1st floor), Toledo", r"\d .+ \(back room, \d\w\w floor\), .+"),
        ("COLFAX HOTEL ROOM 9 SPOKANE", r"[A-Z ]+ HOTEL ROOM \d [A-Z ]+"),
        (
            "88 Quarry Rd.\nCity Nashua\nState NH\nZip 03060",
            r"\d+ .+\nCity [A-Z].+\nState [A-Z]{2}\nZip \d{5}",
        ),
        ("88 Quarry Rd.   City Nashua  State NH", r"\d+ .+   City [A-Z].+  State [A-Z]{2}"),
        ("12 Ditmars St., City Island", r"\d+ .+, (?!City).+"),
        ("Vico Lungo Gelso 77, 3° piano", r"Vico [A-Za-z ]+ \d\d, \d° piano"),
        ("Riga, Brivibas iela 88 dz. 4", r"\w+, \w+ iela \d\d dz\. \d"),
        ("Flat 9, Canning House, Middlesbrough TS1", r"Flat \d, [\w ]+ House, .+ [A-Z]{2}\d+"),
        ("Station Cottages", r"[\w ]+ Cottages"),
        ("RFD 8, Apt. 7, Peoria Heights Illinois 61675", r"RFD \d, Apt\. \d, [\w ]+ \w+ \d{5}"),
        ("Apt. 3, Ames Block, Tuxbury", r"Apt\. \d, [\w ]+ Block, .+"),
        ("The Old Forge\nChewstoke Hill\nBS40 8QT", r"[\w ]+ Forge\n.+\n.+ \d[A-Z]{2}"),
        ("Purok 4, Brgy. Ibabang Dupay, Lucena City", r"Purok \d, Brgy\. .+, .+"),
        ("Dorr & Detroit", r".+ & .+"),
        ("Burnaby, B.C. V5G 2K1", r".+, [\w. ]+ [A-Z]\d[A-Z] \d[A-Z]\d"),
    ],
)
def test_words_for_kinds_of_parts_stay(value: str, shape: str) -> None:
    """What says no more than that there is a room, a hotel or a quarter stays."""
    assert re.fullmatch(shape, surrogate(value))


@pytest.mark.parametrize(
    "text",
    [
        "12 Maple St\nOmaha, Nebraska\n68102\nHe lives in Omaha, NE 68102.",
        "12 Maple St\nOmaha\nNE\n68102\nHe lives in Omaha, NE 68102.",
        "12 Maple St\nOmaha\nNE 68102-1122\nHe lives in Omaha, NE 68102.",
    ],
)
def test_parts_of_an_address_on_lines_of_their_own_agree(text: str) -> None:
    """A ZIP code follows its town, with its state between or not, and in nine digits, too."""
    values = [*text.splitlines()[:-1], "Omaha, NE 68102"]
    starts = [text.rindex(value) if "," in value else text.index(value) for value in values]
    spans = [
        Span(start, start + len(value), "HOME_ADDRESS", 1.0, "r")
        for start, value in zip(starts, values, strict=True)
    ]

    for key in range(5):
        made = steps.steps("surrogate", f"a key of 16 bytes {key}".encode(), "s")
        new = steps.anonymize(text, spans, made).text
        town, code = re.search(r"in (.+), [A-Z]{2} (\d{5})\.$", new).groups()  # type: ignore[union-attr]

        assert town in new.split("He lives")[0]
        assert code in new.split("He lives")[0]


@pytest.mark.parametrize(
    "lines",
    [
        ("Flat 2, 51 Lower Street, Stroud", "Postcode  ", "GL5 2HT"),
        ("Leeds", "Post code: ", "LS6 1AA"),
        ("14 High Street, Cardiff", "", "CF10 1AA"),
    ],
)
def test_a_british_postcode_of_its_own_is_of_the_area_of_its_town(
    lines: tuple[str, str, str],
) -> None:
    """The town before it stands in another value, on another line or behind a label."""
    address, label, code = lines
    text = f"Home {address}\n{label}{code}"
    spans = [Span(5, 5 + len(address), "HOME_ADDRESS", 1.0, "r"),
             Span(len(text) - len(code), len(text), "HOME_ADDRESS", 1.0, "r")]  # fmt: skip
    areas = {row["town"]: row["postcode"] for row in rows("world_towns", Pack.shipped())
             if row["country"] == "United Kingdom"}  # fmt: skip

    for key in range(5):
        made = steps.steps("surrogate", f"a key of 16 bytes {key}".encode(), "s")
        home, _, written = steps.anonymize(text, spans, made).text.partition("\n")
        town = home.removeprefix("Home ").rpartition(", ")[2]

        assert re.match(r"[A-Z]+", written.removeprefix(label))[0] == areas[town]  # type: ignore[index]


# Forms that a rule finds and no street word is: misread types, and a street of one word.
NO_WORDS = {"avnue", "rad", "rcad", "cr", "terace", "broadway"}


@pytest.mark.parametrize(("file", "form"), [("home_address", "stype"), ("location", "way")])
def test_every_type_of_street_that_a_rule_finds_is_read(file: str, form: str) -> None:
    """The surrogate of a street keeps its type, since the table has all types of the rules."""
    rules = next(one for one in rule_files(Pack.shipped()) if one.file == f"{file}.yaml")
    expression = rules.forms.expanded(form).removesuffix(r"\.?")

    found = {word.lower() for word in words_of(sre.parse(expression))}

    assert found - set(load_street_lists(Pack.shipped()).types) <= NO_WORDS
    assert len(found) > 30


def words_of(parsed: Any) -> list[str]:
    """Return every text that a parsed expression of letters, choices and options matches."""
    words = [""]
    for kind, value in parsed:
        match str(kind):
            case "LITERAL":
                ends = [chr(value)]
            case "BRANCH":
                ends = [word for branch in value[1] for word in words_of(branch)]
            case "SUBPATTERN":
                ends = words_of(value[3])
            case "IN":
                ends = [chr(code) for _, code in value]
            case "MAX_REPEAT":
                ends = ["", *words_of(value[2])]
            case _:
                ends = [""]
        words = [word + end for word in words for end in ends]
    return words


@pytest.mark.parametrize(
    ("value", "country"),
    [
        ("44 Protea Avenue, Nahoon, East London", "South Africa"),
        ("44 Protea Avenue, Nahoon, East London 5241", "South Africa"),
        ("Erf 211, Zwide, Port Elizabeth", "South Africa"),
        ("Coolnagreana, Castlegregory, Co. Kerry", "Ireland"),
        ("3 Main Street, Gorey, County Wexford", "Ireland"),
        ("8 Station Street, Ballarat Vic 3350", "Australia"),
        ("Unit 3, 17 Bougainville Rd, Toowoomba QLD 4350", "Australia"),
        ("12/4 Marine Road, Dadar (W), Bombay 400 028", "India"),
        ("C-14, Model Colony, New Delhi-110017", "India"),
        ("Lager Lexenfeld, Barrack 22, Salzburg", "Austria"),
    ],
)
def test_an_address_abroad_gets_a_town_of_its_country(value: str, country: str) -> None:
    """Also where what stands first, a suburb or a village, is in no gazetteer."""
    atlas = load_atlas(Pack.shipped())
    towns = {town.name for town in atlas.pool(country)}

    for scope in "abcd":
        new = surrogate(value, scope)

        words = re.findall(r"[^\W\d_][^\d,()-]*", new)
        assert any(name.strip() in towns or _starts(name, towns) for name in words), new


def _starts(name: str, towns: set[str]) -> bool:
    return any(name.strip().startswith(f"{town} ") for town in towns)


def test_a_suburb_becomes_a_suburb_and_agrees_with_itself() -> None:
    """What stands before the town of an address is no town of another part of the country."""
    text = "Of 44 Protea Avenue, Nahoon, East London. They worship at Nahoon."
    start = text.index("44")
    spans = [Span(start, text.index(". They"), "HOME_ADDRESS", 1, "")]

    new = steps.anonymize(text, spans, steps.steps(key="k" * 31 + "abcdef")).text

    suburb = re.search(r", ([^,]+), [^,]+\. They", new)
    assert suburb and suburb[1] in load_atlas(Pack.shipped()).districts["South Africa"]
    assert new.endswith(f"at {suburb[1]}.")


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Oak Crest Trailer Park, Lot 19", r".+ Trailer Park, Lot \d\d"),
        ("Apt. 4-B, Wilson Homes", r"Apt\. \d-[A-Z], \w+ Homes"),
        ("The Willows Nursing Home, 88 Depot Rd", r"The \w+ Nursing Home, \d\d \w+ \w+"),
        ("W. 1124 Elm Ave.", r"W\. \d{4} \w+ \w+\."),
        ("Number 9 Company Row", r"Number [1-8] \w+ Row"),
        ("rear of 214 Front St.", r"rear of \d{3} \w+ \w+\."),
        ("cor. 5th and Vine", r"cor\. \d(?:st|nd|rd|th) and [A-Z]\w+"),
        ("R. 3, Box 88", r"R\. \d, Box \d\d"),
        ("Rt 1 Box 33-A", r"Rt \d Box \d\d-[B-Z]"),
        ("Box 212, Star Route", r"Box \d{3}, Star Route"),
        ("2 mi. N. of Dayton on Rt. 119", r"[13-9] mi\. N\. of .+ on Rt\. \d{3}"),
        ("about three miles south of Dayton", r"about three miles south of .+"),
        ("Lot 14, Concession 5, R.R. 2", r"Lot \d\d, Concession \d, R\.R\. \d"),
        ("House No. 45, Sector F-8/3", r"House No\. \d\d, Sector [A-Z]-\d/\d"),
        ("6 Prospect Pl., Upton, nr. Oxford", r"\d \w+ [A-Z][a-z]+\., .+, nr\. .+"),
    ],
)
@pytest.mark.parametrize("scope", ["a", "b", "c"])
def test_what_an_address_is_stays_and_names_and_numbers_change(
    value: str, shape: str, scope: str
) -> None:
    """Settlements, distances, corners and routes, as people write them."""
    new = surrogate(value, scope)

    assert re.fullmatch(shape, new), new
    assert new != value


def test_a_street_over_the_end_of_a_line_is_one() -> None:
    """No word for a street is taken for the town behind it, and the next line is indented."""
    new = steps.anonymize(
        "She lives at 56 Mill\n      Road now.",
        [Span(13, 31, "HOME_ADDRESS", 1, "")],
        steps.steps(key="k" * 31 + "abcdef"),
    ).text

    assert re.fullmatch(r"She lives at \d\d \w+\n      [A-Z]\w+ now\.", new)
    assert new.split()[5] in {one.word for one in load_street_lists(Pack.shipped()).common_types}


@pytest.mark.parametrize("value", ["Homestead, FL 33030", "Homestead, Pa.", "Croft, Leics."])
def test_a_town_with_the_name_of_a_holding_does_not_stay(value: str) -> None:
    """A homestead stays behind "a" or "the", a farm or a ranch in any case."""
    assert value.split(",")[0] not in surrogate(value)
    assert surrogate("the homestead near Tulsa, Okla.").startswith("the homestead near ")
    assert surrogate("on a farm near Tulsa, Okla.").startswith("on a farm near ")


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("418 Hay St 3rd", "house street unit"),
        ("rear  of  14  Dix  Ave.,   Salina", "corner  house  street,town"),
        ("back of 9 Mill Rd.", "corner house street"),
        ("RFD 2 Dunlap Rhea Co Tenn", "rural town state"),
        ("88 Ames St., Wash. DC 20003", "house street,town state zip"),
    ],
)
def test_floors_wide_blanks_and_counties_are_read(value: str, form: str) -> None:
    """No floor is a town, no blank of a wide text parts a street, "Co" is no Colorado."""
    assert read(value).form == form


def test_a_town_abroad_stays_in_its_country_where_nobodys_nationality_is_told() -> None:
    """Who lives in Whitby goes on to live in Britain, on a page that says nothing else."""
    text = "My aunt has a room in Whitby and takes in sewing."
    start = text.index("Whitby")
    page = Page(text, [Span(start, start + len("Whitby"), "HOME_ADDRESS", 1.0, "")])
    context = Context(page, start, start + len("Whitby"))
    atlas = load_atlas(Pack.shipped())
    found = {
        Surrogates(bytes(range(32)), f"doc-{at}").surrogate("HOME_ADDRESS", "Whitby", context)
        for at in range(16)
    }

    assert len(found) > 3
    assert {atlas.foreign[one.lower()].country for one in found} == {"United Kingdom"}
