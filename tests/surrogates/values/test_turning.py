"""Texts whose sexes are flipped: what is turned, what stays, and which texts are not turned."""

import re
from typing import Any

import pytest

from presidio_cdip import steps
from presidio_cdip.errors import PolicyError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import Step
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN, sex_of
from presidio_cdip.surrogates.values.turning import TurnedPage, turned, why_not
from tests.marked import KEY

_MARKED = re.compile(r"⟦(?P<entity>[A-Z_]+) (?P<value>.*?)⟧", re.DOTALL)
SCOPES = range(24)


def parsed(text: str) -> tuple[str, list[Span]]:
    """Return *text* without its marks ⟦ENTITY value⟧, and what they mark."""
    plain, spans, at = "", [], 0
    for match in _MARKED.finditer(text):
        plain += text[at : match.start()]
        spans.append(Span(len(plain), len(plain) + len(match["value"]), match["entity"], 1.0, "r"))
        plain, at = plain + match["value"], match.end()
    return plain + text[at:], spans


def surrogate(entity: str) -> str:
    """Return the operator of every entity in most of these tests."""
    return "surrogate"


def page_of(text: str) -> TurnedPage:
    """Return the turned page of a marked text."""
    plain, spans = parsed(text)
    return turned(Page(plain, spans, marks_move=True), surrogate, Pack.shipped())


def reason(text: str, operator: Any = surrogate) -> str:
    """Return why the marked *text* is not turned."""
    plain, spans = parsed(text)
    return why_not(Page(plain, spans, marks_move=True), operator, Pack.shipped(), "en_US")


def flipped(scope: object, **changes: Any) -> dict[str, Step]:
    """Return the steps of the policy, with sexes flipped."""
    changes = {"GENDER": {"answers": "flipped"}, **changes}
    return steps.steps("surrogate", KEY, f"{scope}", changes=changes)


def written(text: str, **options: Any) -> list[steps.Rewritten]:
    """Return what becomes of a marked text in each scope."""
    plain, spans = parsed(text)
    return [steps.anonymize(plain, spans, flipped(scope), **options) for scope in SCOPES]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("She hung up her coat.", "He hung up his coat."),
        (
            "We asked her to wait, then drove her home.",
            "We asked him to wait, then drove him home.",
        ),
        ("The clerk handed her two forms.", "The clerk handed him two forms."),
        ("It made her dizzy; let her rest her eyes.", "It made him dizzy; let him rest his eyes."),
        (
            "They told her everything, called her Monday.",
            "They told him everything, called him Monday.",
        ),
        ("He saw her fall, gave her insulin.", "She saw him fall, gave him insulin."),
        (
            "I believe her innocent; nobody but her knew.",
            "I believe him innocent; nobody but him knew.",
        ),
        ("She had her fall on her Monday shift.", "He had his fall on his Monday shift."),
        ("I believe her story and saw her coat.", "I believe his story and saw his coat."),
        ("The house is hers, the car his.", "The house is his, the car hers."),
        ("A cousin of his who sails told him.", "A cousin of hers who sails told her."),
        ("HE LOST HIS HAT.", "SHE LOST HER HAT."),
        ("Her only niece and two stepsons came.", "His only nephew and two stepdaughters came."),
        ("The stewardess's father-in-law", "The steward's mother-in-law"),
        ("Landladies and policemen agreed.", "Landlords and policewomen agreed."),
        ("Yes, sir. He thanked the lady.", "Yes, madam. She thanked the gentleman."),
        ("Dear Madam: Your letter came.", "Dear Sir: Your letter came."),
        ("Name of Father: ________", "Name of Mother: ________"),
        ("Grandmother's Address:", "Grandfather's Address:"),
    ],
)
def test_words_that_tell_a_sex_tell_the_other(text: str, new: str) -> None:
    """Pronouns by their place, kin and roles with their number and case are turned."""
    assert page_of(text).text == new


@pytest.mark.parametrize(
    "text",
    [
        "His or her consent; (s)he signs, he/she dates it.",
        "Mr. and Mrs. ⟦PERSON Kovac⟧ were out.",
        "Ladies and Gentlernen, be seated.",
        "A sister ship of the line, with Her Majesty's consent.",
        "Turn into Lady Lane at the Women's Club.",
        "Sent to ⟦ORGANIZATION Sisters Bakery⟧, ⟦LOCATION King William⟧.",
        "The Gentlemen Drivers lost; Boys Town won.",
        "A Bachelor of Science, no man is an island.",
        "God in his mercy.",
        "Ladies and gentlemen, gentlemen and ladies.",
        "Mr./Mrs./Miss/Ms. (circle one), Husband/Wife: ____",
        "Mr., Mrs. or Miss ____________, Mr. / Mrs.",
        "Sex: ⟦GENDER M⟧ / F   Name: ____",
        "Sex (M/F): ____, [M] [F]",
        "( ) male (x) female",
        "Sex: ___ (1=male, 2=female)",
        "Called at 10 AM, had 3 BM.",
        "I miss ⟦PERSON Prinz⟧.",
        "Shipped to Natchez, Miss. in May.",
        "Sex: M [ ]  F [ ]",
    ],
)
def test_what_tells_nobodys_sex_stays(text: str) -> None:
    """Pairs, names of businesses and places, and set phrases stay."""
    assert page_of(text).text == parsed(text)[0]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("⟦GENDER F⟧", "M"),
        ("⟦GENDER male⟧", "female"),
        ("⟦GENDER Fem⟧.", "Masc."),
        ("⟦GENDER W/M⟧", "W/F"),
        ("⟦GENDER BF⟧", "BM"),
        ("⟦ETHNIC_ORIGIN WM⟧", "WF"),
        ("⟦GENDER 1⟧ (1=male, 2=female)", "2 (1=male, 2=female)"),
        ("A ⟦AGE 50 Y/O⟧ WM ... HE FELL", "A 50 Y/O WF ... SHE FELL"),
        ("WF 44 with DM, her wf", "WM 44 with DM, his husb"),
        ("⟦GENDER F⟧  ⟦GENDER M⟧", "M  F"),
        ("Race/Sex: BM", "Race/Sex: BF"),
        ("Sex (M/F): ⟦GENDER F⟧", "Sex (M/F): M"),
        ("ms. ⟦PERSON olga prinz⟧, mr ⟦PERSON kovac⟧", "mr. olga prinz, ms kovac"),
        ("Miss. ⟦PERSON Prinz⟧, Mlle. ⟦PERSON Kovac⟧", "Mr. Prinz, Monsieur Kovac"),
        ("⟦GENDER 2 - Female⟧", "1 - Male"),
        ("⟦AGE 61-year-old lady⟧", "61-year-old gentleman"),
        ("⟦AGE 44 y/o F⟧", "44 y/o M"),
        ("⟦AGE 9M⟧", "9M"),
        ("⟦MARITAL_STATUS Widow of Ivar⟧", "Widower of Ivar"),
        ("⟦PERSON Mrs. Olga Prinz⟧", "Mr. Olga Prinz"),
        ("⟦PERSON Aunt Vera⟧ and ⟦PERSON the Prinz brothers⟧", "Uncle Vera and the Prinz sisters"),
        ("⟦PERSON King, Noel⟧", "King, Noel"),
        ("⟦PERSON Noel Prinz, Jr.⟧, ⟦PERSON Omar bin Said⟧", "Noel Prinz, Omar binti Said"),
        ("⟦PERSON Prinz⟧, Mrs., and ⟦PERSON Kovac⟧ (Mr.)", "Prinz, Mr., and Kovac (Ms.)"),
        ("Sex: M   Race: W", "Sex: F   Race: W"),
    ],
)
def test_values_are_read_as_the_other_sex(text: str, new: str) -> None:
    """Codes, words and titles in values are turned; months and last names are not."""
    assert page_of(text).text == new


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Mr. ⟦PERSON Prinz⟧ wrote in 1988.", "Ms. "),
        ("Mr ⟦PERSON Prinz⟧ wrote in 1988.", "Ms "),
        ("Mr. ⟦PERSON Prinz⟧, married, wrote in 1951.", "Mrs. "),
        ("Mr. ⟦PERSON Prinz⟧ wrote in 1951.", "Miss "),
        ("Mr. Chairman, ⟦PERSON Prinz⟧ is late.", "Madam Chair"),
        ("Miss ⟦PERSON Prinz⟧ wrote in 1951.", "Mr. "),
    ],
)
def test_a_title_is_one_of_its_page(text: str, title: str) -> None:
    """*Mr.* becomes what the page's year and its other words allow, with a full stop or without."""
    assert page_of(text).text.startswith(title)


LETTER = (
    "Mr. ⟦PERSON Ivar Prinz⟧, a ⟦AGE 58-year-old⟧ ⟦GENDER male⟧ waiter, wrote that his "
    "⟦MARITAL_STATUS wife, Olga⟧, left him. Mrs. ⟦PERSON Olga Prinz⟧ has sold her shop."
)


def test_half_of_the_texts_are_turned_by_key_and_scope() -> None:
    """A coin of the scope decides, and the same again."""
    first = [one.is_turned for one in written(LETTER)]

    assert first == [one.is_turned for one in written(LETTER)]
    assert len(SCOPES) / 4 < sum(first) < len(SCOPES) * 3 / 4


def test_a_turned_text_contradicts_itself_nowhere() -> None:
    """Titles, names, the sex and pronouns agree in every scope, turned or not."""
    pack = Pack.shipped()
    for one in written(LETTER):
        man, woman = ("Ms.", "Mr.") if one.is_turned else ("Mr.", "Mrs.")
        pattern = (
            rf"{re.escape(man)} (\w+) (\w+), a \d+-year-old (\w+) (\w+), wrote that (\w+) "
            rf"(\w+), (\w+), left (\w+)\. {re.escape(woman)} (\w+) \2 has sold (\w+) shop\."
        )
        found = re.fullmatch(pattern, one.text)
        assert found, one.text
        first, _, sex, role, his, wife, spouse, him, again, her = found.groups()
        words = (sex, role, his, wife, him, her)

        assert spouse == again
        sexes = [sex_of(name.casefold(), "en_US", pack) for name in (first, spouse)]
        if one.is_turned:
            assert words == ("female", "waitress", "her", "husband", "her", "his")
            assert sexes == [WOMEN, MEN]
        else:
            assert words == ("male", "waiter", "his", "wife", "him", "her")
            assert sexes == [MEN, WOMEN]


def test_turned_words_are_findings_that_reports_count() -> None:
    """Each is an item of its own with its original, in order, and none is a plainest form."""
    plain, spans = parsed(LETTER)
    result = steps.anonymize(plain, spans, flipped("x"), turns=True, forms=True)
    words = [item for item in result.items if steps.is_turned_word(item.span)]

    assert [plain[item.span.start : item.span.end] for item in words] == [
        "Mr.", "waiter", "his", "him", "Mrs.", "her",
    ]  # fmt: skip
    assert all(item.text == result.text[item.start : item.end] for item in result.items)
    assert not any(item.plainest for item in words)
    assert result.counts()["GENDER"] == 1 + len(words)
    assert "⟦waiter → waitress⟧" in result.preview(plain)


def test_a_ticked_sex_moves_to_the_other() -> None:
    """The printed options stay where a form's mark moves."""
    text = "Name: ⟦PERSON Olga Prinz⟧\nSex: [ ] Male  [x] ⟦GENDER Female⟧  [ ] Other\n"
    plain, spans = parsed(text)
    new = steps.anonymize(plain, spans, flipped("x"), turns=True).text

    assert new.endswith("\nSex: [x] Male  [ ] Female  [ ] Other\n")


def test_health_of_one_sex_is_drawn_for_the_turned_sex() -> None:
    """What only women have does not come on a page that is turned into a man's."""
    text = "Mrs. ⟦PERSON Olga Prinz⟧ was seen. She has had ⟦HEALTH a hysterectomy⟧ and rests."
    plain, spans = parsed(text)
    for scope in SCOPES:
        new = steps.anonymize(plain, spans, flipped(scope), turns=True).text
        assert not re.search(r"(?i)hyster|ovar|uter|cesar|c-section|cerv", new), new


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("He hung up his coat.", "no name is replaced"),
        ("⟦PERSON Olga Prinz⟧ is pregnant.", "it tells what one sex has"),
        ("⟦PERSON Olga Prinz⟧, maiden name unknown.", "it tells what one sex has"),
        ("Father Leahy saw ⟦PERSON Olga Prinz⟧.", "it tells what one sex has"),
        ("Mrs. ⟦PERSON Noel Prinz⟧ and Mrs. ⟦PERSON Harold Kovac⟧", "a title and a name differ"),
        ("Mrs. ⟦PERSON Geo. Prinz⟧ sews.", "a title and a name differ"),
        ("⟦PERSON Father Leahy⟧ saw Miss ⟦PERSON Olga Prinz⟧.", "it tells what one sex has"),
        ("⟦PERSON Olga Prinz⟧ had ⟦HEALTH a stillbirth⟧.", "it tells what one sex has"),
        ("⟦PERSON Harold Prinz⟧ had a TURP.", "it tells what one sex has"),
        ("⟦PERSON Olga Prinz⟧ knows Olga and Ivar.", "a name stays"),
        ("⟦PERSON Olga Prinz⟧ knows Harold Wilson.", "a name stays"),
        ("⟦PERSON Olga Prinz⟧ came. Mike's wife is out.", "a name stays"),
        ("⟦PERSON Olga Prinz⟧: ( ) male (x) female", "a ticked sex stays"),
        ("⟦PERSON Olga Prinz⟧: M ✓ or F", "a ticked sex stays"),
        ("⟦PERSON Olga Prinz⟧: M / F", ""),
        ("⟦PERSON Olga Prinz⟧ Sex: [ ] Male [X] ⟦GENDER Female⟧", ""),
        ("⟦PERSON Olga Prinz⟧ said that Harold called.", "a name stays"),
        ("⟦PERSON Olga Prinz⟧ went to Florence in April; will Mark it.", ""),
        ("⟦PERSON Olga Prinz⟧ is at Harold Hall. Jackson and Co.", ""),
        ("⟦PERSON Olga Prinz⟧ ist die Frau von dem Wirt und nicht er.", "it is not in English"),
        ("⟦PERSON Olga Prinz⟧ was at St. Mary's and the Harold Wilson School.", ""),
    ],
)
def test_a_text_that_would_contradict_itself_is_not_turned(text: str, why: str) -> None:
    """Names that stay and facts of one sex outside of findings keep the whole text as it is."""
    assert reason(text) == why


def test_a_text_without_replaced_names_is_treated_as_told() -> None:
    """Where the policy keeps or labels names, nothing of the text is turned."""
    plain, spans = parsed(LETTER)
    for operator in ("keep", "label"):
        step = {"operator": "replace", "new_value": "<PERSON>"} if operator == "label" else {
            "operator": "keep"
        }  # fmt: skip
        changes = {"PERSON": step}
        told = {"GENDER": {"answers": "told"}, **changes}
        for scope in SCOPES:
            one = steps.anonymize(plain, spans, flipped(scope, **changes))
            other = steps.steps("surrogate", KEY, f"{scope}", changes=told)
            assert not one.is_turned
            assert one.text == steps.anonymize(plain, spans, other).text


def test_a_value_that_a_policy_keeps_keeps_its_text() -> None:
    """A kept *wife* would contradict a turned page."""
    assert reason(LETTER, lambda entity: "keep" if entity == "MARITAL_STATUS" else "surrogate") == (
        "a value that tells a sex is kept"
    )


def test_a_child_named_before_its_word_keeps_the_turned_sex() -> None:
    """*Olga, his daughter* becomes *Ivar, her* son, nephew or stepson."""
    plain, spans = parsed("⟦PERSON Olga Prinz⟧, his ⟦MARITAL_STATUS daughter⟧, keeps shop.")
    for scope in SCOPES:
        new = steps.anonymize(plain, spans, flipped(scope), turns=True).text
        assert re.search(r", her [\w-]*(?:son|nephew|brother)\b", new), new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("⟦PERSON Harold Prinz⟧: ⟦MARITAL_STATUS son⟧ at bedside", ": daughter at bedside"),
        ("⟦PERSON Harold Prinz⟧,⟦GENDER M⟧,12,⟦MARITAL_STATUS Son⟧", ",F,12,Daughter"),
        ("⟦PERSON Olga Prinz⟧ has ⟦MARITAL_STATUS a daughter⟧ here.", " has a son here."),
    ],
)
def test_a_child_is_not_turned_back(text: str, new: str) -> None:
    """Sons and daughters of a turned page stay as they are there."""
    plain, spans = parsed(text)
    for scope in SCOPES:
        assert steps.anonymize(plain, spans, flipped(scope), turns=True).text.endswith(new)


def test_no_surrogate_of_a_turned_page_is_the_original() -> None:
    """What was written before stands in no place of a value that was turned."""
    for word in ("wife", "husband", "brother", "sister", "widow", "fiancé", "uncle", "mother"):
        text = f"⟦PERSON Olga Prinz⟧ came with ⟦MARITAL_STATUS {word}⟧ today."
        plain, spans = parsed(text)
        for scope in SCOPES:
            new = steps.anonymize(plain, spans, flipped(scope), turns=True).text
            assert not new.endswith(f" {word} today."), new


@pytest.mark.parametrize("code", ["WM", "B/F", "H F"])
def test_a_code_of_race_and_sex_stays_a_code(code: str) -> None:
    """It is kept as by `told`, and turned with its page; it becomes no *MALE*."""
    plain, spans = parsed(f"⟦GENDER {code}⟧ ⟦PERSON Harold Prinz⟧")
    other = code[:-1] + ("F" if code[-1] == "M" else "M")
    for scope in SCOPES:
        for turns, new in ((True, other), (False, code)):
            text = steps.anonymize(plain, spans, flipped(scope), turns=turns).text
            assert text.startswith(f"{new} ")


def test_only_sexes_are_flipped() -> None:
    """Another entity, or all others, cannot have it."""
    for entity in ("RELIGION", "DEFAULT"):
        with pytest.raises(PolicyError, match="GENDER alone"):
            steps.steps("surrogate", KEY, changes={entity: {"answers": "flipped"}})


def test_values_without_a_text_are_as_told() -> None:
    """Presidio's engines pass values alone: a sex and a name keep their sex."""
    alone = Surrogates(KEY, "x", options={"answers": "flipped"})

    assert alone.surrogate("GENDER", "F") == "F"
    assert sex_of(alone.surrogate("PERSON", "Olga").casefold(), "en_US", Pack.shipped()) == WOMEN


def test_places_of_a_turned_page_go_both_ways() -> None:
    """What stands on the page is found on the turned one, and back."""
    text, spans = parsed(LETTER)
    page = page_of(LETTER)
    for span in spans:
        context = page.context(span.start, span.end)
        assert page.written(context.start, context.end) == (text, span.start, span.end)
        value = page.text[context.start : context.end]
        assert value == page.value(text[span.start : span.end], span.start, span.end)
