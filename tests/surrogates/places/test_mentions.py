"""Towns and spouses that a page repeats outside its findings."""

import pytest

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Page
from presidio_cdip.surrogates.places.mentions import find_mentions

HEAD = "Home: 12 Elm Street, Gallipolis\n"
SPOUSE = "Spouse: Ellen Kozlowski\n"


def spans_of(text: str) -> list[Span]:
    """Return the findings of `HEAD` or `SPOUSE` at the start of *text*."""
    start, end = text.index(" ") + 1, text.index("\n")
    return [Span(start, end, "HOME_ADDRESS" if "Home" in text else "MARITAL_STATUS", 1.0, "r")]


def mentions(text: str) -> list[str]:
    """Return the mentions in *text*."""
    return [
        text[one.start : one.end]
        for one in find_mentions(Page(text, spans_of(text)), Pack.shipped())
    ]


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("He moved to Gallipolis in May.", "Gallipolis"),
        ("He was raised in Gallipolis, Ohio, and left.", "Gallipolis, Ohio"),
        ("HE WAS RAISED IN GALLIPOLIS OHIO", "GALLIPOLIS OHIO"),
        ("Naturalized at Gallipolis 1937", "Gallipolis"),
        ("Gallipolis's mayor wrote.", "Gallipolis"),
        ("Sheriff's records, Gallipolis", "Gallipolis"),
        ("Photographed on June 9, 1938 at a dance, Gallipolis, Ohio.", "Gallipolis, Ohio"),
    ],
)
def test_town_of_an_address_is_mentioned(rest: str, found: str) -> None:
    """A town of a home is found where it stands alone or with its state."""
    assert mentions(HEAD + rest) == [found]


@pytest.mark.parametrize(
    "rest",
    [
        "Gallipolis Power Co. employs him.",
        "He went to the University of Gallipolis.",
        "Hadley Paper Co.\nGallipolis, Ohio",
        "Hadley Paper, 7 Mill Road, Gallipolis",
        "Orr & Sons, 12 Main St., 2nd Floor, Gallipolis",
        "Orr Stores, Box 12, Gallipolis",
        "Gallipolis 45631",
        "the gallipolis plant",
        "The Gallipolis-Huntington line",
    ],
)
def test_name_or_address_of_a_business_stays(rest: str) -> None:
    """A longer name, a letterhead and an address with a street keep the town."""
    assert mentions(HEAD + rest) == []


@pytest.mark.parametrize(
    "rest",
    [
        "It rained in March. {} was cold.",
        "They left the Inn. {} was far off.",
        "He works for Orr & Co. {} is his pride.",
        "He carries a card of the U.M.W. {} knew.",
        "He lodges on Elm St. {} was quiet.",
        "They asked Roy Hess, M.D. {} seemed well.",
        "Yesterday {} was spared.",
    ],
)
@pytest.mark.parametrize(("head", "name"), [(HEAD, "Gallipolis"), (SPOUSE, "Ellen")])
def test_a_mention_begins_behind_the_end_of_a_sentence(head: str, name: str, rest: str) -> None:
    """A short word, an initialism and a suffix end a sentence, and its first word is no name."""
    assert mentions(head + rest.format(name)) == [name]


@pytest.mark.parametrize(
    "rest", ["Hadley Paper Co. Gallipolis", "Univ. Gallipolis", "Fort Gallipolis was sold."]
)
def test_an_abbreviation_of_a_business_keeps_its_town(rest: str) -> None:
    """What is short for a firm or a school, or begins a town's name, belongs to the name."""
    assert mentions(HEAD + rest) == []


@pytest.mark.parametrize("town", ["East St. Louis", "Mt. Vernon", "St. Joseph"])
def test_a_town_with_an_abbreviation_is_mentioned(town: str) -> None:
    """The full stop within a town's name ends no sentence."""
    text = f"Home: 12 Elm Street, {town}\nHe left. {town} was far."

    assert mentions(text) == [town]


@pytest.mark.parametrize(
    ("value", "rest"),
    [
        ("Hull, England", "Schooled in Hull."),
        ("Cardiff, Wales", "He left Cardiff in 1911."),
        ("Dundee, Scotland", "Apprenticed at Dundee; saw Dundee again in 1930."),
        ("Zagreb, Yugoslavia", "He fled from Zagreb in 1941."),
        ("Stryj, Galicia", "Until 1908 in Stryj."),
        ("Hamilton, Ontario", "He works in Hamilton."),
    ],
)
def test_a_birthplace_that_stands_again_is_one_town(value: str, rest: str) -> None:
    """Its mention is drawn from the country that the finding has, former ones too."""
    text = f"Born in {value}. {rest}"
    span = Span(8, 8 + len(value), "PLACE_OF_BIRTH", 1.0, "r")
    town = value.partition(",")[0]

    for key in range(6):
        made = steps.steps("surrogate", f"a key of 16 bytes {key}".encode(), "s")
        first, *again = steps.anonymize(text, [span], made).items

        assert again and all(one.text == first.text.partition(",")[0] for one in again)
        assert town not in first.text


def test_a_town_of_two_countries_is_that_of_its_first_finding() -> None:
    """Who lives in one Odessa and was born in another does not move when the town is repeated."""
    text = "Lives at Odessa, Texas. Born in Odessa, Russia. Seen in Odessa."
    spans = [Span(9, 22, "HOME_ADDRESS", 1.0, "r"), Span(32, 46, "PLACE_OF_BIRTH", 1.0, "r")]

    for key in range(6):
        made = steps.steps("surrogate", f"a key of 16 bytes {key}".encode(), "s")
        home, born, again = (one.text for one in steps.anonymize(text, spans, made).items)

        assert again == home.partition(",")[0] != born.partition(",")[0]


def test_town_like_a_person_needs_a_preposition() -> None:
    """A town that is also a last name is found behind a word like "in" only."""
    head = "Home: 12 Elm Street, Jackson\n"

    assert mentions(head + "Jackson said so.") == []
    assert mentions(head + "He works in Jackson now.") == ["Jackson"]


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("Then Ellen left.", ["Ellen"]),
        ("Mrs. Ellen Kozlowski signed.", ["Ellen Kozlowski"]),
        ("Mrs. Kozlowski signed.", []),
        ("Ellen Street is closed.", []),
        ("Ward, Ellen", []),
        ("Ellen M. Kozlowski", ["Ellen M. Kozlowski"]),
        ("Mary Ellen came.", []),
    ],
)
def test_spouse_is_mentioned_by_the_first_name(rest: str, found: list[str]) -> None:
    """A spouse's first name is found alone and with the last name, which others have, too."""
    assert mentions(SPOUSE + rest) == found


@pytest.mark.parametrize("head", [HEAD, SPOUSE])
def test_mention_gets_the_surrogate_of_its_finding(head: str) -> None:
    """What is mentioned becomes what it becomes in the finding, and is listed as an item."""
    text = head + ("He moved to Gallipolis." if head is HEAD else "Then Ellen left.")

    result = steps.anonymize(text, spans_of(text), steps.steps(key="k" * 31 + "abcdef"))

    finding, mention = result.items
    assert mention.text in finding.text
    assert "Gallipolis" not in result.text and "Ellen" not in result.text
    assert mention.span.entity == ("LOCATION" if head is HEAD else "PERSON")


def test_mention_is_replaced_only_by_a_surrogate() -> None:
    """A policy without surrogates leaves the rest of the text alone."""
    text = HEAD + "He moved to Gallipolis."

    result = steps.anonymize(text, spans_of(text), steps.steps("label"))

    assert len(result.items) == 1 and "Gallipolis" in result.text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I met Dennis in 1976. Dennis Holt wrote.", ["Dennis", "Dennis Holt"]),
        ("Mrs. Holt and Dennis Moore came to Dennis Street.", []),
        ("The Pride march", []),
    ],
)
def test_a_partner_is_mentioned_too(text: str, found: list[str]) -> None:
    """A partner of the same sex stands under another entity; what is no first name is no person."""
    head = "his partner Dennis Holt. Gay Pride. "
    spans = [Span(0, 23, "SEXUALITY", 1.0, ""), Span(25, 34, "SEXUALITY", 1.0, "")]
    own = find_mentions(Page(head + text, spans), Pack.shipped())

    assert [(head + text)[one.start : one.end] for one in own] == found


def test_a_name_that_is_a_word_begins_no_sentence() -> None:
    """A husband called Will is not meant where a question begins."""
    head = "Spouse: Will Kozlowski\n"

    assert mentions(head + "Will you sign? Then we saw Will.") == ["Will"]


@pytest.mark.parametrize(
    ("name", "found"), [("Ida", ["Ida"]), ("Eva", ["Eva"]), ("Art", []), ("Joy", [])]
)
def test_a_short_first_name_is_mentioned_unless_it_is_a_word(name: str, found: list[str]) -> None:
    """Three letters are enough for a name that is nothing else."""
    text = f"Spouse: {name} Kozlowski\nThe sister of {name} wrote."

    assert mentions(text) == found


@pytest.mark.parametrize("value", ["wife, Stasia", "husband Stasia", "widow of Brother Stasia"])
def test_a_spouse_with_a_name_that_no_list_has_stays_one_person(value: str) -> None:
    """The first name of the value and of its mention get one surrogate."""
    text = f"The {value}, is ill. Stasia went home."
    span = Span(4, 4 + len(value), "MARITAL_STATUS", 1.0, "r")

    for key in range(6):
        made = steps.steps("surrogate", f"a key of 16 bytes {key}".encode(), "s")
        new = steps.anonymize(text, [span], made).text
        first, again = new.split(", is ill. ")

        assert "Stasia" not in new
        assert again.split()[0] == first.split()[-1]
