"""Births that have other dates beside them."""

import random
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import pytest

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing import lists

KEY = "a key of at least 16 bytes!"
_DATE = re.compile(r"\d{1,2}/\d{1,2}/\d{4}")


def replaced(marked: str, scope: str) -> str:
    """Return *marked* with the values that it marks as ⟦entity|value⟧ replaced."""
    plain, spans = "", []
    for at, part in enumerate(re.split("[⟦⟧]", marked)):
        entity, _, value = part.rpartition("|")
        if at % 2:
            spans.append(Span(len(plain), len(plain) + len(value), entity, 1.0, ""))
        plain += value if at % 2 else part
    return steps.anonymize(plain, spans, steps.steps("surrogate", KEY, scope)).text


def dates_in(text: str) -> list[date]:
    """Return the dates of *text* that are in digits."""
    return [datetime.strptime(one, "%m/%d/%Y").date() for one in _DATE.findall(text)]


def page(template: str, days: Sequence[date], moves: bool) -> str:
    """Return *template* with births B and other dates D filled in, these marked if they move."""
    filled = iter(f"{one.month}/{one.day}/{one.year}" for one in days)
    other = "⟦DATE_TIME|{}⟧" if moves else "{}"
    return re.sub(
        r"\b[BD]\b",
        lambda one: ("⟦DATE_OF_BIRTH|{}⟧" if one[0] == "B" else other).format(next(filled)),
        template,
    )


def drawn(gaps: Sequence[tuple[int, int]], scope: int) -> list[date]:
    """Return a random day, and days that lie as far behind each other as *gaps* say."""
    chance = random.Random(scope)
    days = [date(1900, 1, 1) + timedelta(chance.randrange(30_000))]
    for low, high in gaps:
        days.append(days[-1] + timedelta(chance.randint(low, high)))
    return days


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize(
    ("template", "gaps"),
    [
        ("Wed on D. Daughter born B, christened on D.", [(260, 1500), (4, 60)]),
        ("Married on D; the twins arrived B, were vaccinated D.", [(100, 2500), (20, 300)]),
        ("Parents' wedding: D, first child: B, second child: B", [(250, 900), (300, 1200)]),
        ("Widowed on D, a posthumous son came on B, baptized D", [(63, 200), (3, 90)]),
    ],
)
def test_a_birth_stays_in_order_with_the_dates_beside_it(
    template: str, gaps: Sequence[tuple[int, int]], moves: bool
) -> None:
    """A child is born after the wedding and before the baptism, which comes in time."""
    for scope in range(40):
        days = drawn(gaps, scope)
        new = dates_in(replaced(page(template, days, moves), f"scope {scope}"))

        assert new == sorted(new)
        if not moves:
            assert (days[1] - new[1]).days >= 31
        late = new[2] - new[1]
        assert late <= 4 * (days[2] - days[1]) + timedelta(91)


@pytest.mark.parametrize("moves", [True, False])
def test_an_infant_dies_at_the_age_that_its_dates_tell(moves: bool) -> None:
    """Ages in days and weeks agree with birth and death, and stay an infant's."""
    for scope in range(30):
        chance = random.Random(scope)
        age = chance.randint(1, 20)
        born, died = drawn([(age, age)], scope)
        text = page("Infant b. B, d. D", [born, died], moves) + f", aged ⟦AGE|{age} days⟧"

        new = replaced(text, f"scope {scope}")

        first, last = dates_in(new)
        found = re.search(r"aged (\d+) days", new)
        assert found and int(found[1]) == (last - first).days
        assert age < int(found[1]) <= 3 * age + 2


@pytest.mark.parametrize("moves", [True, False])
def test_an_age_agrees_with_a_birth_that_moves_by_days(moves: bool) -> None:
    """Beside a baptism a birth moves by days, and an age counted from it agrees with it."""
    for scope in range(30):
        born, baptized, seen = drawn([(5, 80), (20 * 365, 60 * 365)], scope)
        years = seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))
        text = page("Born B, baptized D. Seen D", [born, baptized, seen], moves)

        new = replaced(f"{text}, aged ⟦AGE|{years}⟧", f"scope {scope}")

        first, _, last = dates_in(new)
        own = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
        assert new.endswith(f"aged {own}")


@pytest.mark.parametrize(
    ("feast", "month", "day"), [("Christmas Eve", 12, 24), ("Easter Monday", 4, 9)]
)
def test_a_feast_becomes_one_near_its_moved_day(feast: str, month: int, day: int) -> None:
    """In the same year, so that it stays in order with other dates."""
    pack = Pack.shipped()
    days = {row["name"]: (int(row["month"]), int(row["day"])) for row in lists.rows("feasts", pack)}
    for scope in range(30):
        text = f"⟦DATE_TIME|{feast} 1950⟧, ⟦DATE_TIME|{month}/{day}/1950⟧"

        name, year, moved = re.split(r" (?=\d{4},)|, ", replaced(text, f"scope {scope}"))

        assert abs((date(int(year), *days[name]) - dates_in(moved)[0]).days) < 50


def test_years_of_births_are_not_always_the_same_beside_a_year_that_stays() -> None:
    """Brothers and sisters keep their intervals, and a birth does not become one year alone."""
    text = "Married 1931. Sons: ⟦DATE_OF_BIRTH|1932⟧, ⟦DATE_OF_BIRTH|1934⟧"
    found = {
        tuple(int(one) for one in re.findall(r"\d{4}", replaced(text, f"scope {scope}"))[1:])
        for scope in range(30)
    }

    assert len(found) > 2
    assert all(second - first == 2 and first >= 1931 for first, second in found)


@pytest.mark.parametrize(
    "text",
    [
        "Born ⟦DATE_OF_BIRTH|3/3/1921⟧. Discharged 5/6/1951.",
        "Born ⟦DATE_OF_BIRTH|3/3/1921⟧. Enlisted ⟦DATE_TIME|5/6/1942⟧.",
        "Founded in 1919.\n" + 40 * "A firm of some size. " + "Born ⟦DATE_OF_BIRTH|3/3/1921⟧.",
    ],
)
def test_a_birth_without_a_date_beside_it_moves_by_years(text: str) -> None:
    """What lies decades away, or elsewhere on the page, keeps no birth near."""
    for scope in range(20):
        assert dates_in(replaced(text, f"scope {scope}"))[0].year < 1921


def births_on(text: str, scope: int) -> list[date]:
    """Return what the marked births of *text* become, in order."""
    marked = re.findall(r"⟦DATE_OF_BIRTH\|([^⟧]+)⟧", text)
    new = replaced(text, f"scope {scope}")
    around = re.split("|".join(rf"⟦DATE_OF_BIRTH\|{re.escape(one)}⟧" for one in marked), text)
    found = re.fullmatch(r"(.+?)".join(map(re.escape, around)), new, re.DOTALL)
    assert found
    forms = ("%m/%d/%Y", "%B %d, %Y")
    return [datetime.strptime(one, forms[one[0].isalpha()]).date() for one in found.groups()]


@pytest.mark.parametrize(
    "text",
    [
        "name,born,entered\nJane Orr,⟦DATE_OF_BIRTH|2/8/1931⟧,4/6/1950\n"
        "Ida Moss,⟦DATE_OF_BIRTH|6/17/1934⟧,6/19/1934\n"
        "Ted Voss,⟦DATE_OF_BIRTH|9/9/1932⟧,7/2/1949\n",
        "name,born,baptized\nJane Orr,⟦DATE_OF_BIRTH|2/8/1931⟧,\n"
        "Ida Moss,⟦DATE_OF_BIRTH|6/17/1934⟧,6/19/1934\nTed Voss,⟦DATE_OF_BIRTH|9/9/1932⟧,\n",
        "Jane Orr ⟦DATE_OF_BIRTH|2/8/1931⟧\nIda Moss ⟦DATE_OF_BIRTH|6/17/1934⟧\n"
        "Printed: list of 8/20/1934\n",
        "Born ⟦DATE_OF_BIRTH|May 6, 1952⟧ at 1951 Oak Avenue",
        "Married at 1951 Oak Avenue; born ⟦DATE_OF_BIRTH|May 6, 1952⟧",
        "Born ⟦DATE_OF_BIRTH|5/6/1952⟧. Letter of 5/9/1952 filed.",
    ],
)
def test_dates_of_a_list_or_house_numbers_keep_no_birth_near(text: str) -> None:
    """They need no order with a birth, which moves by years."""
    was = [
        datetime.strptime(one, ("%m/%d/%Y", "%B %d, %Y")[one[0].isalpha()]).date()
        for one in re.findall(r"⟦DATE_OF_BIRTH\|([^⟧]+)⟧", text)
    ]
    for scope in range(20):
        for old, new in zip(was, births_on(text, scope), strict=True):
            assert (old - new).days > 365


def test_a_baptism_of_one_row_moves_no_birth_of_another() -> None:
    """Others of the list move by years, and the one beside the baptism by a month at least."""
    rows = (
        "Jane Orr, b. ⟦DATE_OF_BIRTH|2/8/1931⟧{0}Ida Moss, b. ⟦DATE_OF_BIRTH|6/17/1934⟧, "
        "baptized 6/19/1934{0}Ted Voss, b. ⟦DATE_OF_BIRTH|9/9/1932⟧"
    )
    for joint in ("\n", "; ", " | ", "}, {"):
        for scope in range(20):
            first, second, third = births_on(rows.format(joint), scope)

            assert first < date(1930, 2, 8)
            assert third < date(1931, 9, 9)
            assert 31 <= (date(1934, 6, 17) - second).days <= 91


def test_an_age_behind_which_a_sentence_ends_agrees_with_its_birth() -> None:
    """ "6. Seen 4" is no date that hides the one behind it."""
    for scope in range(20):
        new = replaced(
            "Born ⟦DATE_OF_BIRTH|3/9/1948⟧, baptized 3/12/1948; now aged ⟦AGE|6⟧. Seen 4/9/1954",
            f"scope {scope}",
        )

        first, _, last = dates_in(new)
        own = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
        assert f"aged {own}." in new


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Ankle sprain grade 2. Pupils equal. ", False),
        ("Grade 3 sprain; pupils are round and reactive. ", False),
        ("In grade 2 of her school. Pupils dilated. ", False),
        ("Pupil of the school, now in grade 2. ", True),
    ],
)
def test_pupils_of_eyes_are_no_schoolchildren(text: str, near: bool) -> None:
    """Only on a page of schoolchildren do births move by a few years."""
    new = [births_on(f"{text}Born ⟦DATE_OF_BIRTH|5/6/1952⟧", scope)[0].year for scope in range(20)]

    assert (min(new) >= 1949) == near


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Reform school, 1936. ", True),
        ("Her children are ⟦AGE|sixteen⟧ and ⟦AGE|four⟧. ", True),
        ("Her grandson, aged ⟦AGE|7½⟧. ", True),
        ("An infant, aged ⟦AGE|7 months⟧. ", False),
        ("Enlisted 1942. ", False),
        ("Aged ⟦AGE|forty-six⟧. ", False),
    ],
)
def test_births_stay_near_on_a_page_that_tells_of_minors(text: str, near: bool) -> None:
    """What somebody was as a minor, a school, a court or the parents' wedding would contradict."""
    page = f"{text}Born ⟦DATE_OF_BIRTH|5/6/1921⟧"
    new = [dates_in(replaced(page, f"scope {scope}"))[-1].year for scope in range(20)]

    assert (min(new) >= 1918) == near


@pytest.mark.parametrize(
    "text",
    [
        "born ⟦DATE_OF_BIRTH|5/6/1950⟧. Date hired: 1972. Age: ⟦AGE|45⟧. Booklet printed 2060",
        "Born ⟦DATE_OF_BIRTH|5/6/1900⟧. Page printed 2010. He was aged ⟦AGE|82⟧",
        "DOB ⟦DATE_OF_BIRTH|5/6/50⟧. File 2046 of 2050. Extension 1952. Room 1901.",
        "Hired: 1967, born ⟦DATE_OF_BIRTH|5/6/1950⟧, age ⟦AGE|45⟧",
        "Court, 1985. Man of ⟦AGE|64⟧, b. ⟦DATE_OF_BIRTH|5/6/1921⟧, with a grandson of ⟦AGE|7⟧",
        "Man b. ⟦DATE_OF_BIRTH|5/6/1921⟧. Seen 1985, child b. 3/4/1980 of ⟦AGE|5⟧, he is ⟦AGE|64⟧",
    ],
)
def test_an_adult_moves_by_years_as_on_other_pages(text: str) -> None:
    """Numbers, dates of work and the children on the page make no minor of anybody."""
    found = re.search(r"⟦DATE_OF_BIRTH\|(?:[^⟧]*/)?(\d+)", text)
    assert found
    moved = set()
    for scope in range(30):
        births = re.findall(r"(?:[bB]orn|DOB|b\.) \d+/\d+/(\d+)", replaced(text, f"scope {scope}"))
        moved.add(int(found[1]) - int(births[0]))

    assert max(moved) > 4


def test_a_child_stays_near_its_age_and_the_father_does_not() -> None:
    """Each moves with the birth of its own."""
    text = (
        "Father b. ⟦DATE_OF_BIRTH|5/6/1950⟧, age ⟦AGE|45⟧; "
        "child b. ⟦DATE_OF_BIRTH|5/6/1990⟧, age ⟦AGE|6⟧. Seen ⟦DATE_TIME|7/8/1996⟧"
    )
    ages = [re.findall(r"age (\d+)", replaced(text, f"scope {scope}")) for scope in range(30)]

    assert {int(child) for _, child in ages} == {7, 8}
    assert {int(father) for father, _ in ages} == {46, 47, 48, 49}


@pytest.mark.parametrize("gap", [1, 14, 15])
@pytest.mark.parametrize("moves", [True, False])
def test_a_child_is_born_after_its_parent_grew_up(gap: int, moves: bool) -> None:
    """Who was born close to, or 14 years after, one who moves by little moves so, too."""
    seen = "⟦DATE_TIME|7/8/1996⟧" if moves else "7/8/1996"
    text = (
        f"Reform school, 1936. Born ⟦DATE_OF_BIRTH|5/6/1921⟧. Seen {seen}\n"
        f"Child: ⟦DATE_OF_BIRTH|5/6/{1921 + gap}⟧"
    )
    for scope in range(30):
        first, *_, last = dates_in(replaced(text, f"scope {scope}"))
        assert last.year - first.year == gap
