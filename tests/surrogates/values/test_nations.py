"""Nationalities, descents, birthplaces and towns abroad of a page follow one map of nations."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.context import Page
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.values.nations import nation_of, peoples
from presidio_cdip.surrogates.values.nations_met import MetOn
from presidio_cdip.surrogates.values.peoples import changed
from tests.marked import replaced

PACK = Pack.shipped()


def state(text: str) -> str:
    """Return the state that *text* names."""
    return peoples(PACK)[nation_of(text, PACK)].state


def test_what_agrees_goes_on_to_agree() -> None:
    """A nationality, a descent, a birthplace and a country are of one nation before and after."""
    found = replaced(
        "Declared a ⟦NATIONALITY Norwegian citizen⟧ of ⟦ETHNIC_ORIGIN Norwegian⟧ descent, "
        "native of ⟦PLACE_OF_BIRTH Hamar, Norway⟧; brother in ⟦PLACE_OF_BIRTH Norway⟧. 1962",
        20,
    )

    assert len({one for one, *_ in found}) > 5
    for citizen, descent, born, brother in found:
        assert "Norw" not in f"{citizen} {descent} {born} {brother}"
        words = (citizen.split(" c")[0], descent, born.split(", ")[-1], brother)
        assert len({state(one) for one in words}) == 1


def test_what_differs_goes_on_to_differ() -> None:
    """Five nations of one list become five."""
    for found in replaced(
        "a ⟦NATIONALITY Dane⟧, a ⟦NATIONALITY Swede⟧, a ⟦NATIONALITY Finn⟧, an "
        "⟦NATIONALITY Irishman⟧ and a ⟦NATIONALITY Chilean⟧ signed on",
        40,
    ):
        assert len({state(one) for one in found}) == len(found)


@pytest.mark.parametrize(
    ("name", "origin", "nation"),
    [
        ("WOJCIK, Stanislaw", "slavic", "Polish"),
        ("Kenji Yamamoto", "japanese", "Japanese"),
        ("Istvan Horvath", "hungarian", "Hungarian"),
        ("Nikolaos Papadopoulos", "greek", "Greek"),
        ("Carlos Aguilar", "hispanic", "Guatemalan"),
        ("Edna Palmer", "english", "Canadian"),
        ("Harriet Vanderplank", "english", "Canadian"),  # what follows a first name is a last name
        ("V. Dvorak", "slavic", "Czech"),
        ("Rizzo, A. M.", "italian", "Italian"),
    ],
)
def test_a_nation_fits_the_names_beside_it(name: str, origin: str, nation: str) -> None:
    """Names keep their origin, so that the nation is one whose people have such names."""
    text = f"{name}, welder, 1965, ⟦NATIONALITY {nation}⟧, hired in May"
    found = {one for (one,) in replaced(text, 30)}

    assert len(found) > 2
    assert all(origin in peoples(PACK)[nation_of(one, PACK)].also for one in found)


def test_a_nation_exists_in_the_year_of_its_page() -> None:
    """Nobody is a Jordanian in 1892, nor born in Bangladesh in 1949."""
    for year in (1892, 1931, 1949):
        for nation, born in replaced(
            f"Crew list {year}: ⟦NATIONALITY Siamese⟧. Cook, b. ⟦PLACE_OF_BIRTH Lima, Peru⟧",
            30,
        ):
            own = [peoples(PACK)[nation_of(one, PACK)] for one in (nation, born.split(", ")[-1])]
            assert all(one.since <= year <= one.until for one in own), (year, nation, born)


def test_a_code_becomes_a_code() -> None:
    """A column of codes has codes, for the United States too."""
    for codes in replaced(
        "A1,F,⟦NATIONALITY USA⟧,ok\nA2,M,⟦NATIONALITY CHL⟧,ok\nA3,F,⟦NATIONALITY NOR⟧,no",
        30,
    ):
        assert all(re.fullmatch(r"[A-Z]{3}", one) for one in codes)
        assert len(set(codes)) == 3


def test_an_abbreviation_becomes_one_and_a_noun_a_noun() -> None:
    """*Lith.* is a short word for a nation, *the Finn* a person, and *Col.* a color."""
    for short, person, color in replaced(
        "Stock ⟦ETHNIC_ORIGIN Lith.⟧ 1931: the ⟦ETHNIC_ORIGIN Finn⟧. Color ⟦ETHNIC_ORIGIN Col⟧.",
        20,
    ):
        own = [one for one in peoples(PACK).values() if short[:-1] in one.cell("abbreviation")]
        assert own and short.endswith(".")
        assert nation_of(person, PACK) and person not in own[0].cell("abbreviation")
        assert nation_of(color, PACK) != "Canada"


def test_a_page_of_british_words_is_british() -> None:
    """A town that no list has becomes one of the country whose words its page has."""
    pool = {one.name for one in load_atlas(PACK).pool("United Kingdom")}
    for (home,) in replaced(
        "The lad is well behaved, has good colour, and is a neighbour of the solicitor; "
        "lives at ⟦HOME_ADDRESS Skelbrook⟧.",
        20,
    ):
        assert home in pool


def test_a_people_goes_with_its_nation() -> None:
    """An Ewe of Ghana becomes one of a people of the new nation."""
    known = peoples(PACK)
    for people, nation in replaced(
        "Ethnic group: ⟦ETHNIC_ORIGIN Ewe⟧. Nationality: ⟦NATIONALITY Ghanaian⟧. 1996", 30
    ):
        new = known[nation_of(nation, PACK)]
        assert people in (*new.peoples, *new.cell("adjective"))


def test_a_birthplace_that_no_list_has_goes_with_the_nationality_on_its_line() -> None:
    """Each seaman of a list is born in the country whose he is."""
    atlas = load_atlas(PACK)
    for first, nation, second, other in replaced(
        "1 Mate   1901 ⟦PLACE_OF_BIRTH Grundarfell⟧  ⟦NATIONALITY Danish⟧\n"
        "2 Bosun  1911 ⟦PLACE_OF_BIRTH Castelrio⟧  ⟦NATIONALITY Portuguese⟧ 1938",
        20,
    ):
        for town, country in ((first, nation), (second, other)):
            pool = atlas.pool(nation_of(country, PACK))
            assert town.split(",")[0] in {one.name for one in pool}


def test_shares_keep_their_sum() -> None:
    """The shares of one list add up to what they did, and most are others."""
    for found in replaced(
        "gives ⟦ETHNIC_ORIGIN 58% Scandinavian⟧, ⟦ETHNIC_ORIGIN 31% Irish⟧ and "
        "⟦ETHNIC_ORIGIN 11% Iberian⟧",
        20,
    ):
        numbers = [int(re.findall(r"\d+", one)[0]) for one in found]
        assert sum(numbers) == 100
        assert numbers != [58, 31, 11]


def test_shares_of_one_number_stay_positive() -> None:
    """Small shares do not vanish."""
    for seed in range(50):
        assert all(
            int(one) > 0 for one in changed(("96", "2", "1", "1"), Chance(bytes([seed] * 32)))
        )


def test_each_origin_is_of_several_nations_at_any_time() -> None:
    """A nation that fits names is not told by them."""
    listed = [peoples(PACK)[row["nation"]] for row in rows("peoples", PACK)]
    origins = set().union(*(one.also for one in listed))

    for year in (1910, 1950, 1990):
        for origin in origins:
            fit = {one.state for one in listed
                   if origin in one.also and one.since <= year <= one.until}  # fmt: skip
            assert len(fit) > 3, (origin, year)


def test_a_nation_that_the_page_says_in_plain_words_stays() -> None:
    """A nationality beside a passport that nobody marked stays, and so do births there."""
    atlas = load_atlas(PACK)

    for nationality, born in replaced(
        "Race: Greek   Nationality: ⟦NATIONALITY Greek⟧   Born at ⟦PLACE_OF_BIRTH Volos⟧ 1931", 12
    ):
        assert nationality == "Greek"
        assert born in {one.name for one in atlas.pool("Greece")}


def test_people_of_dominions_are_british_subjects_until_1948() -> None:
    """A British subject stays one; whoever is born elsewhere becomes no Australian subject."""
    found = replaced(
        "Entry of 1934: ⟦NATIONALITY British subject⟧, born at ⟦PLACE_OF_BIRTH Hexham⟧; "
        "⟦NATIONALITY Danish subject⟧, name Oliver Wainwright",
        30,
    )

    assert {one[0] for one in found} == {"British subject"}
    dominions = {"Canadian", "Australian", "New Zealand", "South African", "American"}
    assert not {one[2].removesuffix(" subject") for one in found} & dominions


def test_a_name_of_two_words_is_one_nation() -> None:
    """South Sudan is no southern part of another nation."""
    found = replaced("Nationality: ⟦NATIONALITY South Sudan⟧, card of 2016", 20)

    assert all(nation_of(one, PACK) for (one,) in found)


def test_who_needs_an_interpreter_comes_from_no_english_speaking_nation() -> None:
    """Beside little English stands no nation whose people speak it."""
    found = replaced("Bed 4, 1957: ⟦NATIONALITY Polish⟧, has little English, Mrs. Ivy Cobb", 30)

    assert not {one for (one,) in found} & {"British", "Canadian", "Australian", "Irish"}


def test_a_nation_is_one_whose_people_are_met_in_the_country_of_the_page() -> None:
    """At a mine of the Transvaal works who came there, and no Uruguayan."""
    met = MetOn(PACK, "en_US")
    for (nation,) in replaced(
        "Randfontein, Transvaal, 1972. Compound register, shift boss Coetzee: "
        "⟦NATIONALITY Malawian⟧, lashing gang, loan of R12",
        30,
    ):
        page = Page("Randfontein, Transvaal, 1972", [])
        assert nation_of(nation, PACK) in page.fact(met).nations(1972)


def test_each_country_has_many_nations_at_any_time() -> None:
    """Who is met in a country is not told by it."""
    known = peoples(PACK)
    for row in rows("nations_met", PACK):
        since, _, until = row["years"].partition("-")
        for year in {max(1925, int(since or 0)), min(1995, int(until or 9999))}:
            fit = {
                known[one].state
                for one in row["nations"].split("|")
                if known[one].since <= year <= known[one].until
            }
            assert len(fit) > 5, (row["country"], row["page"], year)


def test_refugees_come_from_where_the_page_says() -> None:
    """In a camp of displaced persons is no Jamaican, whatever the names are."""
    found = {
        nation_of(one, PACK)
        for (one,) in replaced(
            "Camp of displaced persons, Wels, 1948. Claims ⟦NATIONALITY Latvian⟧ nationality", 40
        )
    }

    assert len(found) > 4
    assert found <= {
        "Poland", "Lithuania", "Estonia", "Yugoslavia", "Hungary", "Czechoslovakia", "Romania",
        "Soviet Union",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Winnipeg, 1968: he came out in 1955 and took ⟦NATIONALITY Canadian citizenship⟧ in 1961.",
        "Boise, Idaho. Registered voter, jury duty 1958. Citizenship: ⟦NATIONALITY U. S.⟧, "
        "born at ⟦PLACE_OF_BIRTH Salem, Oregon⟧",
        "Reno, Nev. Born: ⟦PLACE_OF_BIRTH TX⟧  CITZ: ⟦NATIONALITY US⟧",
    ],
)
def test_what_a_page_tells_of_its_citizens_stays(text: str) -> None:
    """Who takes the page's nationality, votes there or was born there, is its citizen."""
    value = re.findall(r"⟦NATIONALITY ([^⟧]+)⟧", text)[0]

    assert all(value in found for found in replaced(text, 12))


def test_a_code_before_a_word_becomes_an_adjective() -> None:
    """Nobody writes "PE citizen"."""
    for found in replaced(
        "Otahuhu store, 2015. Visa status: ⟦NATIONALITY NZ citizen⟧; ⟦NATIONALITY NZ resident⟧", 20
    ):
        assert not any(re.match(r"(?!US|UK|NZ)[A-Z]{2} ", one) for one in found)


def test_a_language_that_the_page_says_tells_the_nation() -> None:
    """Who reads Danish stays a Dane."""
    found = replaced("Manifest 1921. Nationality: ⟦NATIONALITY Denmark⟧  Reads: Danish", 12)

    assert {one for (one,) in found} == {"Denmark"}


def test_shares_of_one_list_do_not_lie_in_one_another() -> None:
    """No list has a share of Iberia and one of Portugal, and the first fits the names."""
    parts = {
        word: set(row["peoples"].split())
        for row in rows("ancestry", PACK)
        for word in (row["place"], row["adjective"])
    }
    for found in replaced(
        "Kevin Marsh got ⟦ETHNIC_ORIGIN 52% Welsh⟧, ⟦ETHNIC_ORIGIN 30% Slovak⟧, "
        "⟦ETHNIC_ORIGIN 12% Basque⟧ and ⟦ETHNIC_ORIGIN 6% Nigerian⟧; of the ⟦ETHNIC_ORIGIN Basque⟧ "
        "nobody knew",
        30,
    ):
        words = [re.sub(r"^[\d.]+% ", "", one) for one in found]
        assert words[2] == words[4]
        assert sum(len(parts[one]) for one in words[:4]) == len(
            set().union(*(parts[one] for one in words[:4]))
        )
        assert "english" in {
            origin
            for row in rows("ancestry", PACK)
            if words[0] in (row["place"], row["adjective"])
            for origin in row["names"].split()
        }


PETITION = (
    "PETITION FOR CITIZENSHIP. To the District Court at Scranton, Pa., 1931. I was born in "
    "⟦PLACE_OF_BIRTH Plzen, Czechoslovakia⟧. I entered the United States at Baltimore. "
)


@pytest.mark.parametrize(
    "text",
    [
        PETITION + "I ⟦NATIONALITY declared my intention to become a citizen of the United States⟧",
        PETITION + "Witness: Josef Dvorak, ⟦NATIONALITY citizen of the United States of America⟧",
        PETITION + "Wife: ⟦NATIONALITY a native-born citizen of the United States⟧",
        "British Nationality Act, 1948. Certificate of naturalisation. Home Office, London. He "
        "⟦NATIONALITY shall be a citizen of the United Kingdom and Colonies⟧ from 1949",
        "Application for a certificate of naturalization. Regina, Sask., 1932. I "
        "⟦NATIONALITY desire to become a British subject⟧",
        "Application for naturalization. Sydney, Australia, 1952. Referee: "
        "⟦NATIONALITY natural-born Australian citizen⟧",
        "Irish Nationality and Citizenship Acts. Dublin, Co. Cork, 2005. I "
        "⟦NATIONALITY wish to become an Irish citizen⟧",
        "Declaration of alienage. Home Office, London, 1923. I, ⟦NATIONALITY being a British "
        "subject⟧ by parentage",
    ],
)
def test_papers_of_naturalization_keep_their_own_nation(text: str) -> None:
    """Nobody declares in a court of the United States to become a citizen of Canada."""
    value = re.findall(r"⟦NATIONALITY (.*?)⟧", text)[0]

    assert {found[-1] for found in replaced(text)} == {value}


@pytest.mark.parametrize(
    "renounced",
    [
        "the Czechoslovak Republic, of which I am now a citizen",
        "allegiance to the Czechoslovak Republic",
        "a subject of the Republic of Czechoslovakia",
    ],
)
def test_a_renounced_nation_is_that_of_the_birthplace(renounced: str) -> None:
    """The state that one renounces becomes the one in which the new birthplace lies."""
    found = replaced(PETITION + f"I renounce ⟦NATIONALITY {renounced}⟧", 20)

    assert len({new for _, new in found}) > 3
    for born, new in found:
        form = re.sub(r"^(allegiance to |a subject of )?(the )?|, of which.*", "", new)
        assert state(born.split(", ")[-1]) == state(form)
        assert new.endswith(", of which I am now a citizen") == ("which" in renounced)


def test_a_ruler_becomes_one_of_the_year() -> None:
    """A king becomes a king of the page's year, or else a state that had none."""
    rulers = {
        f"{row['ruler']}, {row['title']}"
        for row in rows("nations_formal", PACK)
        for since, _, until in [row["years"].partition("-")]
        if row["ruler"] and int(since or 0) <= 1912 <= int(until or 9999)
    }
    text = "Declaration of intention, 1912: ⟦NATIONALITY Christian X, King of Denmark⟧, of whom"
    found = {one for (one,) in replaced(text, 40)}

    assert found & rulers
    assert all(one in rulers or one.startswith("the ") for one in found)


def test_names_in_full_are_read() -> None:
    """What nations_formal.tsv writes, nations.tsv reads as of the same nation."""
    for row in rows("nations_formal", PACK):
        ruler = f"{row['ruler']}, {row['title']}" if row["ruler"] else ""
        for one in filter(None, (row["formal"], row["title"], ruler)):
            known = peoples(PACK)
            assert state(one) in {row["nation"], known[row["nation"]].state, "Soviet Union"}, one
