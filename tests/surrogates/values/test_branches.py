"""Surrogates of HEALTH keep the branch of medicine of their original."""

from typing import Any

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.values import setting
from presidio_cdip.surrogates.values.setting import MEDICAL, Marks, marks_of, marks_of_row
from tests.marked import replaced

SCOPES = 12


def branches(text: str) -> frozenset[str]:
    """Return the branches of medicine that the words of *text* tell."""
    return dict(marks_of(text, Pack.shipped()).tags).get(MEDICAL, frozenset())


@pytest.mark.parametrize(
    ("value", "branch"),
    [
        ("heartburn after supper", "gut"),
        ("raised blood pressure", "heart"),
        ("gall bladder colic", "gut"),
        ("cholecystostomy", "gut"),
        ("hearing-aid", "ear"),
        ("hysteroscopy", "women"),
        ("hysterical fits of weeping", "mental"),
        ("lumbar puncture", "nerve"),
        ("slipped disc", "bone"),
        ("new bifocal lenses", "eye"),
        ("cut down to ten cigarettes", "dependence"),
        ("swollen after a wasp sting", "allergy"),
    ],
)
def test_words_tell_a_branch(value: str, branch: str) -> None:
    """By the longest terms, the beginnings of words, and the parts of compounds."""
    assert branch in branches(value)
    assert len(branches(value)) <= 2


class _Beginnings(dict[str, Any]):
    """Beginnings of words that count how often one is looked up."""

    asked = 0

    def get(self, key: str, default: Any = None) -> Any:
        self.asked += 1
        return super().get(key, default)


def test_word_is_searched_no_further_than_the_longest_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run of thousands of letters, as a page without blanks has, needs a few look-ups."""
    stems = _Beginnings(setting._stems(Pack.shipped()))
    monkeypatch.setattr(setting, "_stems", lambda _: stems)

    found = branches("cholecyst" + "o" * 5000)

    assert found == {"gut"}
    assert 0 < stems.asked < 200


@pytest.mark.parametrize(
    "value", ["operation", "tablets", "fever and chills", "bed rest", "tired", "fully recovered"]
)
def test_general_words_tell_none(value: str) -> None:
    """They can be of any branch."""
    assert not branches(value)


@pytest.mark.parametrize(
    "text",
    [
        "The preliminary hearing was put off, and counsel withdrew.",
        "Back to work in the labor camp; hands wanted.",
        "Eyes blue, hair brown, arms tattooed.",
        "He was committed on the second count and took a back seat.",
        "The iron foundry let a cast go to the bridge.",
    ],
)
def test_words_with_another_sense_tell_nothing_of_a_page(text: str) -> None:
    """They tell the branch of values alone."""
    assert not list(setting._branches_in(text, Pack.shipped()))


def test_page_words_tell_a_branch_by_the_longest_term() -> None:
    """A blood pressure is of the heart, not of the blood."""
    found = list(setting._branches_in("Blood pressure taken at the eye clinic.", Pack.shipped()))

    assert [tags for _, tags in found] == [{"heart"}, {"eye"}]


def test_rows_with_years_have_the_branch_of_their_words() -> None:
    """And that of most spellings, not of a code with another meaning."""
    pack = Pack.shipped()

    def branch(marks: Marks) -> frozenset[str]:
        return dict(marks.tags)[MEDICAL]

    assert branch(marks_of_row(("knee resurfacing",), "1970-", "procedures", pack)) == {"bone"}
    names = ("mitral regurgitation", "mitral incompetence", "leaking mitral valve", "MS")
    assert branch(marks_of_row(names, "", "conditions", pack)) == {"heart"}


@pytest.mark.parametrize(
    ("text", "branch"),
    [
        ("The Lions Club paid for ⟦HEALTH distance glasses⟧.", "eye"),
        ("Ordered from the clinic: ⟦HEALTH contact lenses⟧.", "eye"),
        ("He was fitted with ⟦HEALTH a hernia truss⟧.", "gut"),
        ("Wears ⟦HEALTH wrist splints⟧ at the loom.", "bone"),
        ("Since the flood he has ⟦HEALTH lung trouble⟧.", "lung"),
        ("Laid up with ⟦HEALTH bronchitis⟧ in March.", "lung"),
        ("The aunt had ⟦HEALTH diabetes⟧.", "hormone"),
        ("Matron says that he ⟦HEALTH wets the bed⟧.", "infant kidney"),
        ("She had ⟦HEALTH pituitary surgery⟧.", "hormone"),
        ("The ⟦HEALTH itching⟧ came back in June.", "skin"),
    ],
)
def test_the_branch_stays(text: str, branch: str) -> None:
    """What stays on the page beside it then does not contradict; three others are enough."""
    found = [one for (one,) in replaced(text, SCOPES)]

    assert all(branches(one) & {*branch.split()} for one in found), found
    assert len({*found}) >= 3


@pytest.mark.parametrize("value", ["operation", "an operation", "tablets", "treatment"])
def test_what_has_no_branch_gets_none(value: str) -> None:
    """So "advised operation" does not become a tracheotomy."""
    found = [one for (one,) in replaced(f"The doctor advised ⟦HEALTH {value}⟧.", SCOPES)]

    assert sum(bool(branches(one)) for one in found) <= SCOPES // 4, found
