"""What a page tells of a country, a state, a year and a street agrees with its new addresses."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.places.countries import area_codes
from tests.marked import replaced

PACK = Pack.shipped()
ROUNDS = 8  # keys


def drawn(marked: str, key: int = 0) -> list[str]:
    """Return the surrogates of the values that *marked* has as ``[[ENTITY|value]]``."""
    text, spans = "", []
    for part in re.split(r"(\[\[.*?\]\])", marked):
        entity, _, value = part.strip("[]").partition("|")
        if part.startswith("[["):
            spans.append(Span(len(text), len(text) + len(value), entity, 1.0, ""))
        text += value if part.startswith("[[") else part
    page, made = Page(text, spans), Surrogates(bytes(range(32)), str(key))
    return [
        made.surrogate(one.entity, text[one.start : one.end], Context(page, one.start, one.end))
        for one in spans
    ]


def towns_of(country: str, region: str = "") -> set[str]:
    """Return the towns of *country*, or of a part of it."""
    listed = rows("world_towns", PACK)
    return {
        row["town"]
        for row in listed
        if row["country"] == country
        and (not region or region in (row["region"], row["country_old"]))
    }


def american(state: str) -> set[str]:
    """Return the towns of a US state."""
    return {row["town"] for row in rows("us_towns", PACK) if row["state"] == state}


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("WANGANUI HOSPITAL. Freezing worker, of [[HOME_ADDRESS|Aramoho]].", "New Zealand"),
        (
            "Ward 3: anaemia, oedema. Of [[HOME_ADDRESS|Hadleigh Cross]].",
            "United Kingdom",
        ),
        ("Fianna Fail register. [[HOME_ADDRESS|Knocknagree]], farmer.", "Ireland"),
        ("Marriage bureau, Poona. Fee Rs. 15. Of [[HOME_ADDRESS|Sadashiv]].", "India"),
        ("R.C.M.P., Weyburn. Lives at [[HOME_ADDRESS|Ogema]].", "Canada"),
        ("Wages Rs. 40, Madras. Born at [[PLACE_OF_BIRTH|Salem]].", "India"),
    ],
)
def test_a_town_that_no_list_has_is_of_the_country_of_its_page(text: str, country: str) -> None:
    """Institutions, money, spelling and the head of the page tell it."""
    towns = {drawn(text, key)[0] for key in range(ROUNDS)}

    assert len(towns) > 2
    assert towns <= towns_of(country)


def test_a_street_on_an_american_page_is_american() -> None:
    """Britain has the town, too, but nobody leaves out the country of an address abroad."""
    text = "[[US_SSN|123-45-6789]], lives at [[HOME_ADDRESS|19 Fenwick Terrace #2, Dorchester]]."

    found = {drawn(text, key)[1].split(", ")[1] for key in range(ROUNDS)}

    assert found <= {row["town"] for row in rows("us_towns", PACK)}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("COUNTY OF RENO, STATE OF KANSAS. Of [[HOME_ADDRESS|Buhler]].", "KS"),
        ("Office (617) 555-0110. Born in [[PLACE_OF_BIRTH|Woburn, Mass.]].", "MA"),
        ("Lodge No. 4, Green Bay, Wis. Of [[HOME_ADDRESS|R.F.D. 3, Wrightstown, Wis.]]", "WI"),
    ],
)
def test_a_state_that_the_page_tells_stays(text: str, state: str) -> None:
    """The new town is another one of it."""
    written = {drawn(text, key)[0] for key in range(ROUNDS)}
    towns = {one for value in written for one in re.split(", ", value)}

    assert len(written) > 2
    assert all(american(state) & set(value.split(", ")) for value in written), towns


def test_towns_of_one_state_become_towns_of_one() -> None:
    """Two towns stay two, and the area code of a telephone is of their state."""
    text = (
        "Born [[PLACE_OF_BIRTH|Gallipolis, Ohio]], lives in [[HOME_ADDRESS|Pomeroy, Ohio]], "
        "at home [[HOME_PHONE_NUMBER|740-555-0147]]. May 4, 1999"
    )
    states = {row["name"]: row["postal"] for row in rows("us_states", PACK)}

    for key in range(ROUNDS):
        born, lives, phone = drawn(text, key)
        state = states[born.split(", ")[1]]
        assert born.split(", ")[1] == lives.split(", ")[1] != "Ohio"
        assert born != lives
        assert area_codes(PACK)[phone[:3]][0] == state


def test_area_codes_are_of_the_year_of_the_page() -> None:
    """No code of 1997 stands on a page of 1953."""
    text = "Interviewed May 4, 1953. Home [[HOME_PHONE_NUMBER|713-555-0147]]."

    codes = {drawn(text, key)[0][:3] for key in range(20)}

    assert len(codes) > 2
    assert all(area_codes(PACK)[code][1] <= 1953 for code in codes)


@pytest.mark.parametrize(
    ("text", "country", "region"),
    [
        ("Sheriff Court, Scotland. Of [[HOME_ADDRESS|Johnstone]].", "United Kingdom", "Scotland"),
        ("STATE BOARD, SOUTH AUSTRALIA. A.I.F. Of [[HOME_ADDRESS|Wallaroo]].", "Australia",
         "South Australia"),
    ],
)  # fmt: skip
def test_a_part_of_a_country_stays(text: str, country: str, region: str) -> None:
    """What the text names stays, as a state does."""
    found = {drawn(text, key)[0] for key in range(ROUNDS)}

    assert found <= towns_of(country, region)


def test_names_of_towns_are_of_the_time_of_the_page() -> None:
    """Umtali has been Mutare since 1982."""
    text = "Salisbury, Southern Rhodesia, 1958. B.S.A.P. Lives in [[HOME_ADDRESS|Bulawayo]]."

    found = {drawn(text, key)[0] for key in range(20)}

    assert found.isdisjoint({"Mutare", "Gweru", "Masvingo", "Kadoma", "Kwekwe"})
    assert len(found) > 2


def test_neighbours_stay_neighbours() -> None:
    """Houses of one hundred of a street are as far apart as they were."""
    values = ("2537 N. Oak St.", "2541 N. Oak St.", "12 Low Rd.")
    text = "; ".join(f"[[HOME_ADDRESS|{value}]]" for value in values)

    for key in range(ROUNDS):
        first, second, other = drawn(text, key)
        one, two = (int(value.split()[0]) for value in (first, second))
        assert (two - one) % 100 == 4
        assert one // 100 == two // 100 != 25
        assert first.split()[1:] == second.split()[1:] != other.split()[1:]


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("9 Ct., 3 Hse., Regent St., Bootle", r"\d Ct\., \d Hse\., [\w ]+ \w+\., [\w-]+"),
        ("Scand. Seamen's Home, Park Lane", r"Scand\. (?!Seamen's Home)[\w' ]+, [\w ]+"),
        ("1904 Kalorama Road, N. W.", r"\d{4} [\w' ]+, N\. W\."),
        ("Village 1, Zone 14, Plot 6", r"Village \d, Zone \d\d, Plot \d"),
        ("Broen Home, Fergus Falls, Minn.", r"(?!Broen)\w+ Home, [\w ]+, [\w. ]+"),
        ("same as above", "same as above"),
    ],
)
def test_courts_and_homes_keep_their_form(value: str, shape: str) -> None:
    """Numbers change, the words for what they count stay."""
    for key in range(ROUNDS):
        assert re.fullmatch(shape, Surrogates(bytes(range(32)), str(key)).surrogate(
            "HOME_ADDRESS", value
        ))  # fmt: skip


def test_streets_are_as_the_country_has_them() -> None:
    """No American street stands in an English town, and a road in Lublin is Polish."""
    listed = {row["names"] for row in rows("streets_abroad", PACK) if "India" in row["countries"]}
    names = {name for one in listed for name in one.split("|")}

    for key in range(ROUNDS):
        (here,) = drawn("Bombay, Rs. 40. [[HOME_ADDRESS|14 Kutchery Road, Mylapore]]", key)
        assert re.sub(r"^\d+ | (?:Road|Street|Lane),.*$", "", here) in names
        (there,) = drawn("[[HOME_ADDRESS|ul. Bursztynowa 31/14, 20-576 Lublin]]", key)
        assert there.startswith("ul. ")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("TAFE, Hobart. [[HOME_PHONE_NUMBER|(03) 5550 2217]]", r"\(0[2378]\) (?:5550|7010) \d{4}"),
        (
            "Quilmes, F.C.S. [[HOME_PHONE_NUMBER|U.T. 203, Quilmes]]",
            r"U\.T\. \d{3}, \w[\w ]+",
        ),
        ("Mau Mau. K.Sh. 40. [[HOME_PHONE_NUMBER|Nairobi 65034]]", r"(?!Nairobi|Kl)\w+ \d{5}"),
        ("O.H.I.P. card. [[HOME_PHONE_NUMBER|416-555-0133]]", r"\d{3}-555-01\d\d"),
    ],
)
def test_a_telephone_is_of_the_country_of_its_page(text: str, shape: str) -> None:
    """A number abroad is written as it is there."""
    for key in range(ROUNDS):
        assert re.fullmatch(shape, drawn(text, key)[0])


def test_towns_of_a_full_state_go_on_beyond_it() -> None:
    """Many towns of one state become as many others, unless the page tells the state."""
    towns = [row["town"] for row in rows("us_towns", PACK) if row["state"] == "NY"]
    assert len(towns) > 15
    text = "; ".join(f"Born [[PLACE_OF_BIRTH|{town}, New York]]" for town in towns)

    for key in range(ROUNDS):
        found = drawn(text, key)
        assert len(set(found)) == len(towns)
        assert not any("New York" in one for one in found)
        told = drawn(f"STATE OF NEW YORK. {text}", key)
        assert all(one.endswith(", New York") for one in told)


def test_the_order_of_a_page_changes_no_town() -> None:
    """A page with the same towns the other way round has the same new ones."""
    values = ["Gallipolis, Ohio", "Pomeroy, Ohio", "Dayton, Ohio", "Salem, Oregon"]
    there, back = (
        drawn("; ".join(f"Born [[PLACE_OF_BIRTH|{one}]]" for one in order))
        for order in (values, values[::-1])
    )

    assert there == back[::-1]


def test_telephones_of_one_page_are_different() -> None:
    """Of one area a hundred are; those behind go on in another area code."""
    numbers = [f"212-{200 + at}-{(at * 37) % 10_000:04d}" for at in range(130)]
    text = "May 4, 1999.\n" + "\n".join(f"[[HOME_PHONE_NUMBER|{one}]]" for one in numbers)

    for key in range(3):
        found = drawn(text, key)
        assert len(set(found)) == len(numbers)
        assert all(re.fullmatch(r"\d{3}-555-01\d\d", one) for one in found)
        assert not any(one.startswith("212") for one in found)


def test_a_telephone_is_one_with_and_without_its_area_code() -> None:
    """Beside others of its page, too."""
    text = " ".join(
        f"[[HOME_PHONE_NUMBER|{one}]]" for one in ("713-743-2291", "743-2291", "743-2292")
    )
    for key in range(ROUNDS):
        with_area, without, other = drawn(text, key)
        assert with_area.endswith(without) and other != without


def test_no_area_code_stays_for_want_of_one_of_the_year() -> None:
    """A page of 1873 has telephones only by an error of reading."""
    for key in range(ROUNDS):
        (found,) = drawn("In 1873. [[HOME_PHONE_NUMBER|212-743-2291]]", key)
        assert re.fullmatch(r"(?!212)\d{3}-555-01\d\d", found)


@pytest.mark.parametrize(
    "address",
    [
        "14 Oak Street, Perth, WA 6000",
        "14 Oak Street, Perth WA 6000",
        "3 Hay Road, Darwin, NT 0800",
        "3 Hay Road, Albany, WA 6330",
    ],
)
@pytest.mark.parametrize("lead", ["Australia, 1988. ", "Lives at "])
def test_a_postcode_of_four_digits_tells_a_region_of_australia(address: str, lead: str) -> None:
    """Its code is no street of another town, and no state of another country."""
    codes = {"NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT"}
    found = [drawn(f"{lead}[[HOME_ADDRESS|{address}]]", key)[0] for key in range(ROUNDS)]

    assert len(set(found)) > 3
    drawn_codes = [re.findall(r"[ ,]([A-Z]{2,3}) \d{4}\Z", one) for one in found]
    assert all(one and one[0] in codes for one in drawn_codes), found


def test_a_state_of_the_us_stays_one_before_a_damaged_zip_code() -> None:
    """A town of that state stays in the US."""
    text = "Lives at [[HOME_ADDRESS|9 Elm St, Spokane, WA 9920]]."
    found = [drawn(text, key)[0] for key in range(ROUNDS)]

    assert not [one for one in found if re.search(r"\b(?:NSW|TAS|QLD|VIC)\b", one)]


def test_a_street_stays_nowhere_though_its_page_names_it_beside_its_houses() -> None:
    """A practice, a school or a heading that names the street hides nothing of who lives there."""
    text = (
        "Elm Street\nHigh Street Surgery, Leeds. Patients: ⟦HOME_ADDRESS 12 High Street⟧, "
        "⟦HOME_ADDRESS 14 High Street⟧, ⟦HOME_ADDRESS 212 High Street⟧.\n"
        "⟦HOME_ADDRESS 2 Elm Street⟧, ⟦HOME_ADDRESS 4 Elm Street⟧ and ⟦HOME_ADDRESS 9 Elm Street⟧."
    )

    for houses in replaced(text, 12):
        assert not [one for one in houses if "High Street" in one or "Elm Street" in one]
        assert len(set(houses)) == len(houses)


def test_houses_of_one_digit_stay_apart() -> None:
    """Numbers of one street move together."""
    text = "⟦HOME_ADDRESS 4 Bute Terrace⟧ Ann\n⟦HOME_ADDRESS 7 Bute Terrace⟧ Flo"

    for one, other in replaced(text, 20):
        assert one.split()[0] != other.split()[0]


def test_words_of_one_country_tell_where_a_street_is() -> None:
    """Woodstock is a town of Canada, too."""
    text = (
        "Group Areas, influx control and the Immorality Act, 1962: lives at "
        "⟦HOME_ADDRESS 4 Reform Street, Woodstock⟧."
    )
    canadian = {"Moncton", "Red Deer", "Medicine Hat", "Yorkton", "Swift Current"}

    assert not {one.split(", ")[1] for (one,) in replaced(text, 20)} & canadian
