"""Children and spouses agree with what else the page says of them."""

import re

import pytest

from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import anonymize, in_scope, steps
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.children import _counted_in
from tests.marked import replaced

KEY = bytes(range(32))


def surrogates(text: str) -> set[str]:
    """Return the surrogates, in 20 scopes, of the value that *text* marks with ⟦⟧."""
    before, value, after = text.replace("⟧", "⟦").split("⟦")
    span = Span(len(before), len(before) + len(value), "MARITAL_STATUS", 1.0, "")
    context = Context(Page(before + value + after, [span]), span.start, span.end)
    return {
        Surrogates(KEY, f"doc-{number}").surrogate("MARITAL_STATUS", value, context)
        for number in range(20)
    }


def on_page(text: str) -> list[tuple[str, ...]]:
    """Return the surrogates, in 10 scopes, of the values that *text* marks as ⟦ENTITY value⟧."""
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(\w+) (.+?)⟧", text):
        plain += text[at : one.start()]
        spans.append(Span(len(plain), len(plain) + len(one[2]), one[1], 1.0, ""))
        plain, at = plain + one[2], one.end()
    plain += text[at:]
    made = steps("surrogate", KEY)
    return [
        tuple(item.text for item in anonymize(plain, spans, in_scope(made, f"doc-{at}")).items)
        for at in range(10)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Children ⟦2⟧   Ages 17, 14", {"2"}),
        ("Children: ⟦1⟧, age 5", {"1"}),
        ("No. of children: ⟦3⟧  Boys: 1\nChildren: Michael, b. 1951; Susan, b. 1953", {"3"}),
        ("She has ⟦two daughters⟧, 1947 and 1951", {"two sons"}),
        ("He has ⟦two children⟧, 6 and 9.", {"two children"}),
        ("There is ⟦one child⟧, a boy of six.", {"one child"}),
        ("CHILDREN: ⟦Three⟧ - Andrew 12, Krystyna 9", {"Three"}),
        ("3 of them: ⟦3⟧ - 31 nurse, 28 driver, 25 at home", {"3"}),
        ("I have ⟦2 children⟧, whose names and dates of birth are as follows:", {"2 children"}),
        ("Number of children: ⟦2⟧\nNames and ages:\n  Linda   9\n  Paul   6\n", {"2"}),
        ("No. of children: ⟦Two⟧\nNames: Linda and Paul", {"Two"}),
        ("They have ⟦two daughters⟧, both at university.", {"two sons"}),
        ("Dependents: ⟦3⟧. The third child came in May.", {"3"}),
        ("⟦Mother of three⟧, Ann, Bea and Cy", {"Parent of three"}),
    ],
)
def test_number_agrees_with_the_list(text: str, expected: set[str]) -> None:
    """A number of children stays where the page lists their ages or names."""
    assert surrogates(text) == expected


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("survived by ⟦five sons⟧, including Percy, of Dunn", "sons|nephews|brothers"),
        ("She has ⟦two sons⟧, one of them in Perth", "sons|nephews|brothers"),
        ("Surviving: ⟦sons⟧, Gary W. Overby and Dwight Overby", "sons|nephews|brothers"),
        ("She leaves ⟦two sons⟧, Ara of Clovis and Levon of Selma", "sons|nephews|brothers"),
        ("There were ⟦three daughters⟧. The eldest, Mair, is a doctor", "daughters|nieces"),
        ("Her ⟦daughter⟧, Mrs. Vickery, calls", "niece|sister|cousin|aunt|in-law"),
        ("Claire          ⟦daughter⟧   2-14-50", "daughter|niece|sister|cousin|child"),
        ("There are ⟦two daughters⟧, both in the convent", "daughters|nieces"),
        ("A ⟦stepson⟧, William Pohl, drives", "son|nephew|brother"),
        ("Divorced, ⟦one son⟧, Paul, and two cats", "son|nephew|brother|cousin"),
        (
            "Two nieces; ⟦one daughter⟧,\n    Alma Toll of Lima",
            "daughter|niece|sister|cousin|child",
        ),
        ("Children: ANTHONY JR   ⟦DAU⟧   4-3-60", "DAU|NIECE|SISTER"),
        ("a permit for her ⟦children⟧ Arta (15) and Leon (12)", "children"),
        ("Ward, Ruth     ⟦stepdaughter⟧  12", "daughter|niece|sister|cousin|child"),
        ("REL DOB\nANTHONY JR ⟦SON⟧ 01/30/88", "SON|NEPHEW|BROTHER"),
    ],
)
def test_children_who_are_named_keep_their_sex(text: str, like: str) -> None:
    """A son whose name stands beside him becomes other kin of his sex."""
    value, found = text.replace("⟧", "⟦").split("⟦")[1], surrogates(text)

    assert len(found) > 1
    assert value not in found
    assert all(one.endswith(tuple(like.split("|"))) for one in found)


@pytest.mark.parametrize("text", ["Children ⟦2⟧\nAddress 1180 Moon St.", "I have ⟦two sons⟧."])
def test_number_without_a_list_changes(text: str) -> None:
    """A number that nothing else tells is replaced by another small one."""
    found = surrogates(text)

    assert len(found) > 1
    assert not found & {"2", "two sons"}


@pytest.mark.parametrize(
    "text",
    [
        "Children: ⟦2⟧\nAddress 1180 Moon St.\nPhone 555-0100\n",
        "Children: ⟦3⟧\nMary Smith\nJohn Ward\n\nNotes",
        "Children: ⟦1⟧\nMary Smith, Secretary\n",
    ],
)
def test_lines_below_that_are_no_list_keep_no_number(text: str) -> None:
    """Labels, more names or fewer, and the name of who signs list no children."""
    assert text.replace("⟧", "⟦").split("⟦")[1] not in surrogates(text)


@pytest.mark.parametrize("text", ["⟦Two sons⟧ in the Army", "⟦two grown daughters⟧, in Ohio"])
def test_a_number_of_sons_changes_and_their_sex_stays(text: str) -> None:
    """One change is enough, and less of what follows contradicts it."""
    value, found = text.replace("⟧", "⟦").split("⟦")[1], surrogates(text)

    assert value not in found
    assert {one.split()[-1] for one in found} == {value.split()[-1]}


def test_numbers_between_which_the_page_counts_move_together() -> None:
    """One more child is still one more."""
    text = "Dependents changed from ⟦MARITAL_STATUS 2⟧ to ⟦MARITAL_STATUS 3⟧."
    pairs = {tuple(map(int, both)) for both in on_page(text)}

    assert pairs <= {(3, 4), (4, 5)}
    assert set(on_page(f"{text} She is the third child.")) == {("2", "3")}


@pytest.mark.parametrize("one", ["a ⟦MARITAL_STATUS daughter⟧", "⟦MARITAL_STATUS a daughter⟧"])
def test_numbers_of_children_whose_ages_are_told_stay(one: str) -> None:
    """As many children as ages, and as many in all as sons and daughters."""
    text = f"⟦MARITAL_STATUS 4 children⟧, ⟦MARITAL_STATUS 3 sons⟧ and {one}, aged 2, 6, 7 and 11"

    assert {both[:2] for both in on_page(text)} == {("4 children", "3 sons")}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3 children", {"2 children", "4 children", "5 children"}),
        ("one child", {"two children", "three children"}),
        ("1 kid", {"2 kids", "3 kids"}),
        ("eight children", {"six children", "seven children", "nine children"}),
        ("0", {"0"}),
    ],
)
def test_another_number_is_near(value: str, expected: set[str]) -> None:
    """A number of children changes by one or two, and none stays none."""
    assert surrogates(f"Dependents: ⟦{value}⟧\n") == expected


@pytest.mark.parametrize(
    ("value", "never"),
    [
        ("wife", ("late", "former", "ex", "husband")),
        ("husband", ("late", "former", "ex", "wife")),
        ("widower", ("wid", "woman", "wife")),
        ("widow", ("man with", "husband")),
        ("ex-wife", ("husband", "fianc")),
    ],
)
def test_spouses_keep_sex_and_presence(value: str, never: tuple[str, ...]) -> None:
    """A wife stays a wife of some kind, whom the page can name; a widower stays a man."""
    found = surrogates(f"his ⟦{value}⟧ came")

    assert len(found) > 1
    assert not [one for one in found if one == value or one.startswith(never)]


@pytest.mark.parametrize(
    "text",
    [
        "Nearest relative of Mrs. Ward: ⟦husband⟧, at home",
        "Maiden name: Olsen   ⟦Wife⟧ at home",
        "Marriage certificate and passport. ⟦Wife⟧ was asked.",
        "A copy of the marriage certificate came from the ⟦wife⟧.",
        "He is ⟦married⟧, and his wife works.",
        "⟦Widow⟧. Her husband died at the mill.",
    ],
)
def test_a_spouse_whom_the_page_tells_stays(text: str) -> None:
    """Beside what stays no other word can stand, and it would hide nothing."""
    assert surrogates(text) == {text.replace("⟧", "⟦").split("⟦")[1]}


def test_a_spouse_who_speaks_is_not_dead() -> None:
    """A former husband is a late one only where somebody died."""
    assert surrogates("Her ⟦ex-husband⟧ called.") == {"estranged husband", "separated husband"}
    assert "late husband" in surrogates("Her mother died in May. Her ⟦ex-husband⟧ called.")


@pytest.mark.parametrize(
    "text", ["Mr. Mrs. Miss (circle one)   Relation: ⟦Wife⟧", "[ ] marriage certificate  ⟦Wife⟧"]
)
def test_labels_tell_no_marriage(text: str) -> None:
    """What a form prints for all says nothing of one."""
    assert "Wife" not in surrogates(text)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("He was ⟦married⟧ June 9, 1921, to Anna Stauffer.", True),
        ("In margin: ⟦Married⟧ 3 Sept. 1955 in the Church of St. Agnes", True),
        ("In 1952 he ⟦married⟧ Mrs. Grace Pohl.", True),
        ("He was ⟦married⟧ for nine years.", False),
        ("Status: ⟦Married⟧   Ward No. 3", False),
        ("She is a ⟦widow⟧ of 70.", False),
    ],
)
def test_a_marriage_stays_before_the_name_of_the_other(text: str, stays: bool) -> None:
    """Nothing else can stand there, and the page tells it anyway."""
    value = text.split("⟦")[1].split("⟧")[0]

    assert (surrogates(text) == {value}) == stays


@pytest.mark.parametrize(
    "text",
    [
        "Survived by ⟦two sons⟧ and ⟦a daughter⟧; ⟦three children⟧ in all.",
        "⟦Mother of six⟧. ⟦2 boys⟧, ⟦4 girls⟧.",
        "Dependents: ⟦4⟧. He supports ⟦three daughters⟧ and ⟦one son⟧.",
        "⟦five children⟧: ⟦three sons⟧, ⟦two daughters⟧",
    ],
)
def test_a_number_of_all_children_is_the_sum_of_sons_and_daughters(text: str) -> None:
    """Three daughters and a son are four children."""
    for page in replaced(text, entity="MARITAL_STATUS"):
        counts = [one for one in map(_counted_in, page) if one]  # a nephew is no child
        (total,) = (number for number, sex in counts if not sex)
        assert total == sum(number for number, sex in counts if sex), page


def test_a_number_beside_a_parent_of_named_children_stays() -> None:
    """The names tell it anyway, wherever the page says it again."""
    text = "⟦Father of three⟧: Nora, Otto and Pete. The ⟦3 children⟧ are grown."

    assert all(one[1] == "3 children" for one in replaced(text, entity="MARITAL_STATUS"))


def test_the_next_cell_of_a_row_is_no_name_of_a_child() -> None:
    """A number in comma-separated values is another one, whatever stands behind its comma."""
    drawn = surrogates("871,Toll,Ann,Widowed,⟦3⟧,UAW,none")

    assert "3" not in drawn


@pytest.mark.parametrize("value", ["godson", "goddaughter", "grandson", "stepson", "one son"])
def test_a_child_who_is_not_named_becomes_one_of_several(value: str) -> None:
    """One outcome would tell the value, and a trial over custody is nobody's godson."""
    lead = "I have" if value == "one son" else "She wrote to my"
    found = {one for (one,) in replaced(f"{lead} ⟦MARITAL_STATUS {value}⟧ by post.", 16)}

    assert len(found) >= 3
    assert all(re.search("son|daughter|nephew|niece|ward", one) for one in found)
