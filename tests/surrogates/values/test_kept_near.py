"""What the rest of a page tells of a value of health stays, and the rest comes out near."""

import re

import pytest

from tests.marked import replaced


def surrogates(text: str, draws: int = 12) -> set[str]:
    return {one.casefold() for (one,) in replaced(text, draws)}


def test_a_part_with_its_side_stays_where_the_page_names_it() -> None:
    """A wound of the left forearm that was examined is no wound of the right foot."""
    text = "Discharged 1919 with ⟦HEALTH bullet wound, left forearm⟧. Scar of left forearm, mobile."

    found = surrogates(text)

    assert len(found) > 2
    assert all(one.endswith("left forearm") and "bullet" not in one for one in found)


def test_years_behind_a_number_tell_how_many_there_were() -> None:
    """Two that are listed by their years stay two."""
    text = "Mrs. Hale had ⟦HEALTH three miscarriages⟧, in 1951, 1953 and 1954, and no living child."

    assert all(one.startswith("three ") for one in surrogates(text))


def test_a_length_of_time_keeps_its_unit() -> None:
    """Sixty days in a hospital are no sixty months."""
    found = surrogates("Wounded 1943; ⟦HEALTH 64 days at 12th Evacuation Hospital, Naples⟧.")

    assert all(re.match(r"\d\d days\b", one) for one in found)


def test_dates_in_a_phrase_remain_dates_of_the_past() -> None:
    """A year that the page has stays, others go back, and a day remains one of a month."""
    text = "Grievance of 1957. He was ⟦HEALTH off from Feb. 27 to May 3, 1957⟧ and came back."
    other = "Review of 1931. The man ⟦HEALTH drank heavily until 1926⟧, his wife says."

    for one in surrogates(text):
        days = [int(day) for day in re.findall(r"(?:feb|may)\.? (\d+)", one)]
        assert one.endswith("1957") and all(0 < day < 29 for day in days)
    assert all(int(one[-4:]) < 1926 for one in surrogates(other))


def test_vision_stays_within_two_lines() -> None:
    """What glasses correct is not worse afterwards."""
    found = surrogates("Vision R. 20/70, with glasses ⟦HEALTH 20/25⟧.")

    assert found <= {"20/15", "20/20", "20/30", "20/40"}


@pytest.mark.parametrize("count", ["two", "3"])
def test_what_is_taken_by_number_comes_in_tablets(count: str) -> None:
    """Nobody takes two tonics."""
    text = f"Diary, Leeds, 1958. My head ached and I took {count} ⟦HEALTH Aspro⟧ and lay down."

    assert not any(
        re.search(r"syrup|tincture|mixture|oil\b|drops|extract", one) for one in surrogates(text)
    )


def test_a_new_medicine_tells_that_an_old_year_is_a_memory() -> None:
    """On a page with a beta blocker, 1926 is not the year."""
    text = "He told us of the strike of 1926. The doctor put her on ⟦HEALTH Inderal⟧ on Tuesday."

    assert not surrogates(text) & {"strophanthin", "pyramidon", "atophan", "a.p.c. tablets"}


def test_the_memory_may_stand_beside_the_new_medicine() -> None:
    """The year right before a value is not its own if nobody sold the medicine then."""
    old = re.compile("Veronal|Luminal|Amytal|Noctec|barbital")
    new = re.compile("Desyrel|Tofranil|Nardil|Valium|Pamelor")
    then = "In 1926 he was gassed. Now takes "

    assert not any(map(old.search, surrogates(f"{then}⟦HEALTH Prozac 20 mg⟧ at night.")))
    assert not any(map(new.search, surrogates(f"{then}⟦HEALTH Luminal 30 mg⟧ at night.")))


def test_the_first_words_of_another_value_are_no_examination() -> None:
    """What stands behind *hearing loss* was not found in an ear."""
    found = replaced("After the beating: ⟦HEALTH hearing loss left⟧, ⟦HEALTH nightmares⟧.", 12)

    assert not any(re.search(r"\bears?\b|drum|wax", night) for _, night in found)


def test_what_is_normal_now_is_normal_afterwards() -> None:
    """A recovery stays one."""
    text = "As a boy he had rheumatic fever, but the heart is now reported ⟦HEALTH normal⟧."

    assert not any(re.search(r"rapid|irregular|enlarged|distant", one) for one in surrogates(text))


def test_a_test_that_is_treated_was_not_negative() -> None:
    """Where treatment follows, the result calls for it."""
    assert "negative" not in surrogates("Blood: VDRL ⟦HEALTH reactive⟧, to be treated at once.")


def test_a_birth_of_somebody_stays_a_birth() -> None:
    """The child that is named behind it tells it."""
    assert surrogates("In 1999 I ⟦HEALTH gave birth⟧ to Robin, who is in school now.") == {
        "gave birth"
    }
