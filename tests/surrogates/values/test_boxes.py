"""Ticked answers and options, and the marks in their boxes."""

import re
from pathlib import Path

import pytest

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.vault import Vault


def written(line: str, value: str) -> set[str]:
    """Return the surrogates of the last *value* of a line, in twenty scopes."""
    at = line.rindex(value)
    context = Context(Page(line), at, at + len(value))
    return {
        Surrogates("a key of at least 16 bytes", str(scope)).surrogate("HEALTH", value, context)
        for scope in range(20)
    }


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Epilepsy   No [X]   Yes [ ]", "No"),
        ("Epilepsy   Yes [ ]   No [X]", "No"),
        ("Epilepsy   [x] No   [ ] Yes", "No"),
        ("Epilepsy   [ ] Yes   (X) No", "No"),
        ("Epilepsy   Yes ☒  No ☐", "Yes"),
        ("Epilepsy   Y _X_  N ___", "Y"),
        ("Epilepsy   (Yes)  No", "Yes"),
        ("Epilepsy     Yes   (No)", "No"),
        ("Result:  ?", "?"),
        ("                Yes   No\nEpilepsy         X", "X"),
    ],
)
def test_what_a_tick_tells_stays(line: str, value: str) -> None:
    """Whatever stood there, the tick would tell which answer was given."""
    assert written(line, value) == {value}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Epilepsy? No", "No"),
        ("Epilepsy? No   Gout? Yes", "No"),
        ("Epilepsy No, [X] retired   [ ] working", "No"),
        ("Sex: X", "X"),
    ],
)
def test_an_answer_without_the_other_beside_it_is_drawn(line: str, value: str) -> None:
    """Nothing else tells it."""
    assert written(line, value) != {value}


def forms(text: str, scopes: int = 30) -> list[str]:
    """Return *text* with its ⟦ENTITY value⟧ replaced, in each scope."""
    plain, spans, at = "", [], 0
    for match in re.finditer(r"⟦([A-Z_]+) (.*?)⟧", text):
        plain += text[at : match.start()]
        spans.append(Span(len(plain), len(plain) + len(match[2]), match[1], 1.0, ""))
        plain, at = plain + match[2], match.end()
    plain += text[at:]
    made = [steps.steps("surrogate", "a key of at least 16 bytes", f"{n}") for n in range(scopes)]
    return [steps.anonymize(plain, spans, one).text for one in made]


@pytest.mark.parametrize(
    "form",
    [
        "Race:  [ ] White   [x] ⟦ETHNIC_ORIGIN Indian⟧   [ ] Asian   [ ] Black",
        "Health   [ ] Excellent   [X] ⟦HEALTH Good⟧   [ ] Fair",
        "Status:  Single ___  ⟦MARITAL_STATUS Married⟧ _X_  Widowed ___",
        "Religion:  ☐ Catholic  ☐ Jewish  ☒ ⟦RELIGION Lutheran⟧  ☐ Baptist",
        "Have you had:\n[ ] Gout\n[x] ⟦HEALTH Asthma⟧\n[ ] Croup\n[ ] Mumps",
    ],
)
def test_the_mark_of_a_question_moves_and_what_is_printed_stays(form: str) -> None:
    """A reader learns only that the ticked option was another one."""
    printed = re.sub(r"⟦[A-Z_]+ (.*?)⟧", r"\1", form)
    mark = re.compile(r"\b_?[xX]_?\b|☒")

    found = forms(form)

    assert printed not in found
    assert len(set(found)) > 1
    for one in found:
        assert len(mark.findall(one)) == 1
        assert re.sub(r"\W|_|[xX]", "", one) == re.sub(r"\W|_|[xX]", "", printed)


def test_no_parent_is_ticked_as_never_married() -> None:
    """A child of the form tells otherwise; a line of values is no heading of columns."""
    form = (
        "Age  33      Weight  180\n[ ] Single   [X] ⟦MARITAL_STATUS Married⟧   [ ] Widowed"
        "   [ ] Divorced\nChildren  ⟦MARITAL_STATUS 2⟧"
    )

    found = forms(form)

    assert not any("[X] Single" in one for one in found)
    assert any("[X] Divorced" in one for one in found)


def test_parents_who_live_apart_are_not_ticked_as_married() -> None:
    """A stepfather, or custody, tells that they are not."""
    form = "Parents are  [ ] Married  [ ] Separated  [X] ⟦MARITAL_STATUS Divorced⟧\n"

    apart = forms(form + "Stepfather: Amos Toll")

    assert not any("[X] Married" in one for one in apart)
    assert any("[X] Separated" in one for one in apart)
    assert any("[X] Married" in one for one in forms(form + "Uncle: Amos Toll"))


def test_the_ring_of_a_number_moves() -> None:
    """It is a mark like any other; what nobody printed is not ticked."""
    found = set(forms("5. Are you  1 married  (2) ⟦MARITAL_STATUS single⟧  3 widowed  4 other"))

    assert found == {
        "5. Are you  (1) married  2 single  3 widowed  4 other",
        "5. Are you  1 married  2 single  (3) widowed  4 other",
    }


def test_the_other_bullet_moves() -> None:
    """It is a mark where one option alone has it."""
    found = set(forms("Faith:  o Catholic  * ⟦RELIGION Jewish⟧  o Baptist"))

    assert found == {
        "Faith:  * Catholic  o Jewish  o Baptist",
        "Faith:  o Catholic  o Jewish  * Baptist",
    }


@pytest.mark.parametrize(
    ("form", "mark"),
    [
        ("Faith:  Catholic  *⟦RELIGION Jewish⟧*  Baptist", "*{}*"),
        ("Faith:  _⟦RELIGION Prot⟧._  Cath.  Jew.", "_{}_"),
        ("Faith: Catholic _⟦RELIGION Jewish⟧_ Baptist", "_{}_"),
        ("Status: >⟦MARITAL_STATUS Single⟧<  Married  Widowed", ">{}<"),
        ("Status:  Single  /⟦MARITAL_STATUS Married⟧/  Widowed", "/{}/"),
        ("Status:  S (⟦MARITAL_STATUS M⟧) W D", "({})"),
        ("Status:  Single  -> ⟦MARITAL_STATUS Married⟧   Widowed", "-> {}"),
    ],
)
def test_the_mark_of_an_option_itself_moves(form: str, mark: str) -> None:
    """What is printed stays, and another option is marked in the same way."""
    printed = re.sub(r"⟦[A-Z_]+ (.*?)⟧", r"\1", form)
    chosen = re.compile(r"\s" + re.escape(mark).replace(r"\{\}", r"([A-Z]\w*\.?)"))
    ticked = chosen.search(printed)
    assert ticked

    found = forms(form)

    for one in found:
        options = chosen.findall(one)
        assert len(options) == 1 and options[0] != ticked[1]
        assert re.findall(r"[A-Za-z]+", one) == re.findall(r"[A-Za-z]+", printed)
    assert len(set(found)) > 1


def test_capitals_and_strokes_move_as_marks_do() -> None:
    """They say which one is chosen, or which are not."""
    capitals = set(forms("Status:  single  ⟦MARITAL_STATUS MARRIED⟧  widowed"))
    strokes = set(forms("Status:  -single-  ⟦MARITAL_STATUS married⟧  -widowed-"))

    assert capitals == {"Status:  SINGLE  married  widowed", "Status:  single  married  WIDOWED"}
    assert strokes == {
        "Status:  single  -married-  -widowed-",
        "Status:  -single-  -married-  widowed",
    }


def test_of_genders_another_than_the_two_sexes_does_not_stay() -> None:
    """Names tell a sex, and nothing else tells this."""
    found = set(forms("Gender: [ ] M  [ ] F  [x] ⟦GENDER Nonbinary⟧"))

    assert found == {
        "Gender: [x] M  [ ] F  [ ] Nonbinary",
        "Gender: [ ] M  [x] F  [ ] Nonbinary",
    }


def test_marks_stay_where_details_follow() -> None:
    """The others move around them."""
    found = forms(
        "Ill of:  [x] ⟦HEALTH Gout⟧ 1951, left foot  [x] ⟦HEALTH Croup⟧  [ ] Mumps  [ ] Measles"
    )

    assert all(re.match(r"Ill of:  \[x] .* 1951, left foot  \[ ] Croup", one) for one in found)


def test_columns_under_headings_are_questions_of_their_own() -> None:
    """Each mark moves within its column."""
    form = (
        "Illnesses:            Religion:\n"
        "  [ ] Gout              [ ] Lutheran\n"
        "  [X] ⟦HEALTH Asthma⟧            [X] ⟦RELIGION Jewish⟧\n"
        "  [ ] Mumps             [ ] Baptist"
    )

    for one in forms(form):
        assert one.count("[X]") == 2
        assert not re.search(r"\[X\] (?:Asthma|Jewish)", one)
        assert len(re.findall(r"\[X\] (?:Gout|Mumps)", one)) == 1


@pytest.mark.parametrize("other", ["      [ ]   1947", " [ ]", "     [ ]"])
def test_no_mark_moves_beside_a_box_that_has_no_option(other: str) -> None:
    """It stands under a heading that was lost, such as "No", so that two marks must agree."""
    form = (
        f"Have you had\nGout     [ ]      [X]\n⟦HEALTH Asthma⟧   [X]{other}\nMumps   [ ]      [X]"
    )

    for one in forms(form):
        assert "Asthma" not in one
        assert re.findall(r"\[.\]", one) == ["[ ]", "[X]", "[X]", "[ ]", "[ ]", "[X]"]


def test_of_two_options_either_may_be_ticked() -> None:
    """To exclude the original would tell it."""
    found = set(forms("Birth:  [x] ⟦ETHNIC_ORIGIN colored⟧  [ ] white"))

    assert found == {"Birth:  [x] colored  [ ] white", "Birth:  [ ] colored  [x] white"}


def test_as_many_options_are_ticked_as_before() -> None:
    """Which apply is drawn for the whole question."""
    found = forms(
        "Ill of:  [x] ⟦HEALTH Asthma⟧  [ ] Gout  [x] ⟦HEALTH Croup⟧  [ ] Mumps  [ ] Measles"
    )

    assert {one.count("[x]") for one in found} == {2}
    assert all(len(re.findall("Asthma|Gout|Croup|Mumps|Measles", one)) == 5 for one in found)


def test_each_line_with_a_mark_is_a_question() -> None:
    """No line loses its mark to another."""
    lines = "[x] ⟦HEALTH good⟧  [ ] fair  [ ] poor\n[ ] gout  [ ] croup  [x] ⟦HEALTH mumps⟧"
    found = forms(f"Health\n{lines}")

    assert {one.split("\n")[1].count("x") for one in found} == {1}


@pytest.mark.parametrize(
    "form",
    [
        "Sex  [ ] B  [x] ⟦GENDER G⟧",
        "Union?  [x] ⟦TRADE_UNION_MEMBERSHIP Yes⟧  [ ] No",
        "Wants:  [x] morning  [ ] evening",
        "Race:  [ ] White   [x] Indian   [ ] Asian",
    ],
)
def test_sexes_answers_and_what_was_not_found_stay(form: str) -> None:
    """Names tell a sex, details an answer, and the rest is nobody's secret."""
    assert set(forms(form)) == {re.sub(r"⟦[A-Z_]+ (.*?)⟧", r"\1", form)}


@pytest.mark.parametrize(
    "form",
    [
        "Religion: [ ] Catholic [ ] Protestant [x] ⟦RELIGION Jewish⟧ [ ] Other",
        "Race:  White [ ]  ⟦ETHNIC_ORIGIN Negro⟧ [x]  Other [ ]",
        "Race: 1 White  (2) ⟦ETHNIC_ORIGIN Negro⟧  3 Other",
    ],
)
def test_other_may_follow_the_ticked_option(form: str) -> None:
    """It is no detail of the option before it, and nothing to tick."""
    found = set(forms(form))

    assert len(found) == 2
    assert {len(re.findall(r"\[x]|\(\d\)", one)) for one in found} == {1}
    assert not [one for one in found if re.search(r"\[x] Other|\(3\)|Other \[x]", one)]


@pytest.mark.parametrize(
    "form",
    [
        "[x] ⟦MARITAL_STATUS Married⟧   [ ] Send receipt   [ ] Fee paid",
        "To do:\n[x] Buy insulin for ⟦HEALTH diabetes⟧\n[ ] Call mother about her diabetes",
        "Religion: [ ] Catholic  [x] ⟦RELIGION Jewish⟧  [ ] Baptist\nShe is ⟦RELIGION Jewish⟧.",
    ],
)
def test_no_mark_moves_without_a_question_or_against_the_page(form: str) -> None:
    """A list of things to do asks nothing, and what the page says again is replaced in words."""
    boxes = re.findall(r"\[.]", form)

    assert all(re.findall(r"\[.]", one) == boxes for one in forms(form))


def test_no_mark_moves_from_what_the_page_tells() -> None:
    """A birthplace at home stays in the country, and another status would contradict it."""
    asked = "Citizenship: [X] ⟦NATIONALITY Native born⟧  [ ] Naturalized  [ ] Alien"

    told = forms(f"Place of birth: ⟦PLACE_OF_BIRTH Dayton, Ohio⟧\n{asked}")
    alone = forms(asked)

    assert {one.split("\n")[1].index("[X]") for one in told} == {asked.index("[X]")}
    assert len({one.index("[X]") for one in alone}) > 1


@pytest.mark.parametrize("how", [{"answers": "kept"}, {"draw": "random"}, {"draw": "document"}])
def test_a_question_keeps_its_boxes_whatever_the_policy_says(how: dict[str, str]) -> None:
    """As many are marked as before, also where each value has a key of its own."""
    text = "Religion: [ ] Catholic  [x] Jewish  [ ] Protestant"
    at = text.index("Jewish")
    made = steps.steps("surrogate", "a key of at least 16 bytes", "1", changes={"RELIGION": how})
    span = Span(at, at + len("Jewish"), "RELIGION", 1.0, "")
    for _ in range(20):
        written = steps.anonymize(text, [span], made).text

        assert len(re.findall(r"\[ ]", written)) == 2
        assert len(re.findall(r"\[x]", written)) == 1


def test_marks_have_their_place_in_the_vault(tmp_path: Path) -> None:
    """What moved is put back."""
    text = "Race:  [ ] White   [x] Indian   [ ] Asian"
    at = text.index("Indian")
    span = Span(at, at + len("Indian"), "ETHNIC_ORIGIN", 1.0, "")
    vault = Vault(tmp_path / "vault", "a key of at least 16 bytes")
    made = steps.steps("surrogate", "a key of at least 16 bytes", "1")

    written = steps.anonymize(text, [span], made, vault)

    assert written.text != text
    assert written.counts() == {"ETHNIC_ORIGIN": 1}
    assert vault.restore(written.text) == text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Union? ⟦TRADE_UNION_MEMBERSHIP Yes⟧   Which? ⟦TRADE_UNION_MEMBERSHIP U.M.W.⟧", {"Yes"}),
        ("Asthma? ⟦HEALTH Yes⟧ as a child", {"Yes"}),
        ("Asthma? ⟦HEALTH Yes⟧ - his father, too", {"Yes"}),
        ("Gout? ⟦HEALTH Yes⟧         1962", {"Yes"}),
        ("Fits? ⟦HEALTH Yes⟧ (last in June)", {"Yes"}),
        ("Fits? ⟦HEALTH Yes⟧\n  If yes, explain: With our pastor, then at the clinic", {"Yes"}),
        ("Gout? ⟦HEALTH Yes⟧\n  When: 1955   Doctor: Dr. Hale", {"Yes"}),
        ("Church? ⟦RELIGION Yes⟧  Name of church: St. Paul's", {"Yes"}),
        ("Gout? ⟦HEALTH Yes⟧   If yes, when: ______   Doctor: ______", {"Yes", "No"}),
        ("Gout? ⟦HEALTH Yes⟧   Which? ____   9. Fits? No", {"Yes", "No"}),
        ("Gout? ⟦HEALTH Yes⟧   9. Fits  No", {"Yes", "No"}),
        ("Asthma? ⟦HEALTH Yes⟧   Gout? ⟦HEALTH No⟧", {"Yes", "No"}),
        ("Asthma? ⟦HEALTH Yes⟧   Union? ⟦TRADE_UNION_MEMBERSHIP U.M.W.⟧", {"Yes", "No"}),
    ],
)
def test_a_yes_stays_where_its_details_follow(text: str, first: set[str]) -> None:
    """A "no" before them would contradict them, and they tell the "yes"."""
    assert {one.split()[1] for one in forms(text)} == first


def test_half_a_surrogate_beside_a_box_is_a_character() -> None:
    """Strings of JSON may hold one."""
    assert forms("\ud800 [x] ⟦HEALTH gout⟧", 1)[0].startswith("\ud800 [x] ")
