"""One fact has one surrogate in a scope, in whatever words it stands."""

import re
from collections import defaultdict

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.values import phrases, slots
from presidio_cdip.surrogates.writing.text import folded
from tests.marked import replaced

KEY = bytes(range(32))
SCOPES = 10

PAIRS = [
    ("HEALTH", "TB", "tuberculosis"),
    ("HEALTH", "consumption", "pulmonary tuberculosis"),
    ("HEALTH", "tubercular", "TB"),
    ("HEALTH", "heart attack", "myocardial infarction"),
    ("HEALTH", "a coronary", "MI"),
    ("HEALTH", "stroke", "CVA"),
    ("HEALTH", "apoplexy", "cerebrovascular accident"),
    ("HEALTH", "high blood pressure", "HTN"),
    ("HEALTH", "hypertensive", "hypertension"),
    ("HEALTH", "COPD", "chronic obstructive pulmonary disease"),
    ("HEALTH", "dropsy", "CHF"),
    ("HEALTH", "grippe", "influenza"),
    ("HEALTH", "UTI", "bladder infection"),
    ("HEALTH", "shell shock", "PTSD"),
    ("HEALTH", "VD", "sexually transmitted disease"),
    ("HEALTH", "appendix out", "appendectomy"),
    ("HEALTH", "C-section", "C/S"),
    ("HEALTH", "slipped disc", "herniated disc"),
    ("HEALTH", "kidney stone", "kidney stones"),
    ("NATIONALITY", "USA", "citizen of the United States"),
    ("RELIGION", "Jehovah's Witness", "Witness"),
    ("TRADE_UNION_MEMBERSHIP", "Teamsters", "IBT"),
    # Alone and in a frame
    ("CRIMINAL_OFFENCE", "shoplifting", "arrested for shoplifting"),
    ("CRIMINAL_OFFENCE", "convicted of embezzlement", "embezzlement conviction"),
    ("CRIMINAL_OFFENCE", "disorderly conduct", "fined for disorderly conduct"),
    ("HEALTH", "arthritic", "arthritis"),
    ("HEALTH", "hemophiliac", "hemophilia"),
    ("HEALTH", "CA of the colon", "colon cancer"),
    ("HEALTH", "carcinoma of the bladder", "bladder ca"),
    # Parties, their members, creeds and letters
    ("POLITICAL_OPINION", "Plaid Cymru", "Plaid"),
]
# Of small sets, of which the original's row is drawn, too; they agree on a page.
DRAWN = [
    ("ETHNIC_ORIGIN", "Negro", "Black"),
    ("ETHNIC_ORIGIN", "colored", "B"),
    ("SEXUALITY", "queer", "gay"),
    ("SEXUALITY", "lesbian", "homosexual"),
    ("POLITICAL_OPINION", "Democrat", "Dem"),
    ("POLITICAL_OPINION", "GOP", "Republican Party"),
    ("POLITICAL_OPINION", "Trotskyite", "Trotskyism"),
    ("POLITICAL_OPINION", "Fascist", "British Union of Fascists"),
    ("POLITICAL_OPINION", "Communists", "CPGB"),
]


def meanings(entity: str, independent: bool = False) -> dict[str, set[str]]:
    """Return the rows of an entity's tables by each of their spellings."""
    found: dict[str, set[str]] = defaultdict(set)
    for shape in phrases.shapes(entity, Pack.shipped()):
        for _, slot in shape.slots:
            if isinstance(slot, slots.Column) and slot.table.independent == independent:
                for row in slot.table.rows:
                    for column in slot.table.columns:
                        for spelling in slot.table.cell(row, column):
                            found[folded(spelling)].add(row)
    return found


def rows_of(surrogate: str, found: dict[str, set[str]]) -> set[str]:
    """Return the rows of the longest spelling in *surrogate*."""
    words = folded(surrogate).removesuffix(".").split()
    runs = [
        " ".join(words[start : start + size])
        for size in range(len(words), 0, -1)
        for start in range(len(words) - size + 1)
    ]
    return next((found[run] for run in runs if run in found), set())


@pytest.mark.parametrize(("entity", "one", "other"), PAIRS)
def test_synonyms_get_synonyms(entity: str, one: str, other: str) -> None:
    """In each scope both surrogates are spellings of one row, which is not the original's."""
    found = meanings(entity)

    for number in range(SCOPES):
        surrogates = Surrogates(KEY, f"scope {number}")
        pair = [surrogates.surrogate(entity, value) for value in (one, other)]

        assert rows_of(pair[0], found) & rows_of(pair[1], found), pair
        assert not rows_of(pair[0], found) & rows_of(one, found), pair


@pytest.mark.parametrize(("entity", "one", "other"), DRAWN)
def test_synonyms_of_a_small_set_get_synonyms_on_a_page(entity: str, one: str, other: str) -> None:
    """In each scope both surrogates are spellings of one row."""
    found = meanings(entity, independent=True)

    for pair in replaced(f"First: ⟦{entity} {one}⟧ and later: ⟦{entity} {other}⟧.", 30):
        assert rows_of(pair[0], found) & rows_of(pair[1], found), pair


def test_a_member_of_a_local_belongs_to_the_local() -> None:
    """The number of a local is the same with the union, without it, and with an office."""
    for number in range(SCOPES):
        surrogates = Surrogates(KEY, f"scope {number}")
        written = [
            surrogates.surrogate("TRADE_UNION_MEMBERSHIP", value)
            for value in ("Local 512", "member of Local 512", "UAW Local 512")
        ]

        assert len({one.split()[-1] for one in written}) == 1, written


@pytest.mark.parametrize(
    ("entity", "value"),
    [("ETHNIC_ORIGIN", "White"), ("SEXUALITY", "pansexual"), ("HEALTH", "hemophilia")],
)
def test_words_that_are_only_read_are_not_written(entity: str, value: str) -> None:
    """A historical or offensive word is read in its row, and none is drawn."""
    written = {
        Surrogates(KEY, f"scope {number}").surrogate(entity, value).casefold()
        for number in range(200)
    }

    assert len(written) > 1
    assert not written & {"negro", "colored", "oriental", "queer", "lesbian", "consumption"}


@pytest.mark.parametrize("name", ["health_conditions", "health_events", "health_procedures"])
def test_a_spelling_has_one_meaning(name: str) -> None:
    """No two rows share a spelling, read or written: a surrogate cannot say the original."""
    rows: dict[str, str] = {}
    for row in lists.rows(name, Pack.shipped()):
        meaning, *cells = (
            cell for column, cell in row.items() if column not in ("kind", "purpose", "fits")
        )
        for spelling in "|".join(cells).split("|"):
            read = folded(spelling.strip("~ "))
            assert rows.setdefault(read, meaning) == meaning or not read, read


@pytest.mark.parametrize(
    ("seat", "written"),
    [
        ("(D-Calif.)", r"\([A-Z]-[\w.]+\)"), ("R-Pa", r"[A-Z]-[A-Z][\w ]+"),
        ("D., N.Y.", r"[A-Z]\., [\w. ]+"), ("I-Vt.", r"[A-Z]-[\w. ]+"),
    ],
)  # fmt: skip
def test_a_seat_becomes_another_of_its_writing(seat: str, written: str) -> None:
    """A party and a state, as they stand behind a legislator's name, are drawn."""
    parties = set()
    for number in range(SCOPES):
        found = Surrogates(KEY, f"scope {number}").surrogate("POLITICAL_OPINION", seat)
        place = re.split(r"[-,]", found, maxsplit=1)[1].strip(" )")

        assert re.fullmatch(written, found), found
        assert load_atlas(Pack.shipped()).state(place), found
        parties.add(found[:2])
    assert len(parties) > 1


HEREDITARY = (
    "Mrs Voss carries c.68_69delAG in BRCA1. The 5382insC test was negative. "
    "A BRCA1 carrier has a risk of breast cancer."
)


@pytest.mark.parametrize("scope", range(SCOPES))
def test_a_page_tells_of_one_hereditary_disorder(scope: int) -> None:
    """Its gene, changes and name are of one row, also a change that no row has."""
    values = ["c.68_69delAG in BRCA1", "5382insC test was negative", "BRCA1", "breast cancer"]
    found = [(HEREDITARY.rindex(one), HEREDITARY.rindex(one) + len(one)) for one in values]
    page = Page(HEREDITARY, [Span(*one, "GENETIC_DATA", 1.0, "test") for one in found])
    surrogates = Surrogates(KEY, str(scope))

    change, test, gene, condition = (
        surrogates.surrogate("GENETIC_DATA", HEREDITARY[start:end], Context(page, start, end))
        for start, end in found
    )

    row = next(one for one in lists.rows("disorders", Pack.shipped()) if one["gene"] == gene)
    assert change.endswith(f" in {gene}")
    assert re.fullmatch(r"c\.\d+_\d+del[ACGT]{2}", change.split()[0])
    assert test.split()[0] in row["variant"].split("|")
    assert condition in row["condition"].split("|")


@pytest.mark.parametrize("value", ["has it", "is one too", "the same", "likewise"])
def test_what_repeats_another_value_stays(value: str) -> None:
    """What it says is said, and replaced, before it; to a printed question it is the answer."""
    text = f"He has asthma, and his son {value}. Asthma? {value}."
    first, again, answer = text.index("asthma"), text.index(value), text.rindex(value)
    page = Page(
        text,
        [
            Span(at, at + len(one), "HEALTH", 1.0, "test")
            for at, one in ((first, "asthma"), (again, value), (answer, value))
        ],
    )
    for scope in range(SCOPES):
        surrogates = Surrogates(KEY, str(scope))
        behind, asked = (
            surrogates.surrogate("HEALTH", value, Context(page, at, at + len(value)))
            for at in (again, answer)
        )
        alone = surrogates.surrogate("HEALTH", value)

        assert behind == value
        assert value not in (asked, alone)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("half Italian", r"half (?!Italian)[A-Z][\w ]+"),
        ("half Cherokee Indian", r"half (?!Cherokee)[A-Z][\w' ]+ Indian"),
        ("Choctaw, 1/4", r"(?!Choctaw)[A-Z][\w' ]+, \d/\d+"),
        ("SWISS - WALLOON", r"(?!SWISS)[A-Z ]+ - (?!WALLOON)[A-Z ]+"),
        ("ST - Munda", r"(?!ST)[A-Z]{2,3} - (?!Munda)[A-Z]\w+"),
        ("Welsh on his mother's side", r"(?!Welsh)[A-Z][\w ]+ on his mother's side"),
    ],
)
def test_a_descent_keeps_its_form(value: str, written: str) -> None:
    """Shares, sides, categories and signs stay; peoples change."""
    for scope in range(SCOPES):
        surrogate = Surrogates(KEY, str(scope)).surrogate("ETHNIC_ORIGIN", value)
        assert re.fullmatch(written, surrogate), surrogate


def test_a_disorder_stays_of_its_kind() -> None:
    """Nobody has repeats of a gene of cancer, and a thrombosis is no anemia."""
    slots_of = (
        slot for shape in phrases.shapes("GENETIC_DATA", Pack.shipped()) for _, slot in shape.slots
    )
    table = next(one.table for one in slots_of if isinstance(one, slots.Column) and one.table.one)

    for row in table.rows:
        assert {table.kinds[other][0] for other in table.others(row)} <= set(table.kinds[row]), row


@pytest.mark.parametrize(
    ("entity", "values"),
    [
        ("TRADE_UNION_MEMBERSHIP", ["Teamsters", "International Brotherhood of Teamsters", "IBT"]),
        ("TRADE_UNION_MEMBERSHIP", ["UMW", "United Mine Workers of America", "U.M.W."]),
        ("TRADE_UNION_MEMBERSHIP", ["Wobblies", "I.W.W.", "Industrial Workers of the World"]),
        ("NATIONALITY", ["permanent resident", "green card holder", "LPR"]),
        ("NATIONALITY", ["dual citizen", "dual nationality"]),
        ("GENETIC_DATA", ["HNPCC", "Lynch syndrome"]),
        ("GENETIC_DATA", ["Factor Five Leiden", "FVL"]),
        ("HEALTH", ["T.B.C.", "pulmonary tuberculosis"]),
    ],
)
def test_words_of_one_fact_agree_on_a_page(entity: str, values: list[str]) -> None:
    """So they do where the page would tell one of them, and a list replace it."""
    found = meanings(entity)

    for page in replaced("; ".join(f"⟦{one}⟧" for one in values), entity=entity):
        assert set.intersection(*(rows_of(one, found) for one in page)), page
