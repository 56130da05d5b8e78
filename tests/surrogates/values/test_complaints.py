"""A complaint becomes another of its system that can be said there, and parts fit what is said."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.values import phrases
from presidio_cdip.surrogates.values.frames import Kind
from presidio_cdip.surrogates.writing.text import folded
from tests.marked import replaced

FRAMES = phrases.frames_of("HEALTH", Pack.shipped(), first=True)
assert FRAMES is not None
KINDS = {term.name: term for term in FRAMES._terms.values() if isinstance(term, Kind)}


def written(*names: str) -> set[str]:
    return {folded(one) for name in names for one in KINDS[name].written}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("admitted with ⟦HEALTH shortness of breath⟧ and", "chest"),
        ("complains of ⟦HEALTH indigestion⟧ after meals", "belly"),
        ("has had ⟦HEALTH frequency of urination⟧ for", "bladder"),
        ("sent home with ⟦HEALTH giddiness⟧ again", "head"),
        ("seen for ⟦HEALTH fainting fits⟧ at school", "heads"),
        ("sits in front on account of ⟦HEALTH weak eyes⟧", "sight"),
        ("he has had ⟦HEALTH chills⟧ since Friday", "acute"),
        ("she has ⟦HEALTH bad nerves⟧, her sister says", "spirits"),
        ("he ⟦HEALTH wakes coughing⟧ and has to sit up", "breathes"),
        ("she ⟦HEALTH sleeps poorly⟧ in hot weather", "nights"),
        ("the patient ⟦HEALTH gets giddy⟧ in church", "turns"),
        ("Anna, 6, ⟦HEALTH wets the bed⟧", "child_does"),
        ("a child who was always ⟦HEALTH delicate⟧", "weakly"),
        ("Absent: Jones, ⟦HEALTH sick⟧", "sick"),
        ("He served until ⟦HEALTH invalided out⟧ in 1944", "invalided"),
        ("Child ⟦HEALTH not expected to live⟧. Since recovered.", "dying"),
        ("He can go back to ⟦HEALTH light duty⟧ in May", "light"),
        ("the doctor put her on ⟦HEALTH bed rest⟧", "rest_on"),
        ("There are ⟦HEALTH hallucinations⟧ at night", "fancies"),
        ("Drug use: ⟦HEALTH opioids⟧, last used 3/15", "drugs"),
        ("⟦HEALTH bad knee⟧ and lame", "backache"),
    ],
)
def test_a_complaint_becomes_another_of_its_system(text: str, kind: str) -> None:
    """What stands before and behind it goes on to fit."""
    for (one,) in replaced(f"In 1952 noted: {text}.", 20):
        assert folded(one) in written(kind)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("cannot sleep", r"cannot (?!sleep)\w[\w' ]+"),
        ("vomited twice", r"[\w ]+ twice"),
        ("fell twice", r"[\w ]+ twice"),
        ("has not been sleeping", r"has not been \w+ing\b.*"),
        ("difficulty getting out of a chair", r"difficulty [a-z]+ing\b.*"),
        ("has no appetite", r"(?:vomits|has|belches|eats)\b.*"),
        ("sore throat 10 days", r"[a-z ]+ \d{1,2} days"),
        ("no hallucinations", r"no [\w ]+"),
        ("lost two fingers", r"lost \w+ [\w ]+"),
        ("two fingers taken off", r"[a-z ]+ thumb taken off"),
        ("lost his right leg", r"lost his (?:left|right) (?:arm|foot|hand|thigh|\w+ \w+|forearm)"),
        ("crushed left thumb", r"crushed (?:left|right) [a-z]+ finger"),
        ("sprained ankle", r"sprained (?:knee|hip|shoulder|wrist|elbow)"),
        ("fracture of the left radius", r"fracture of the (?:left|right) [\w ]+"),
        ("six weeks of medical leave", r"\w+ weeks of \w+ leave"),
        ("Royal Infirmary for nine days", r"[A-Z]\w+ Hospital for \w+ days"),
        ("1800 calorie ADA", r"[12]\d00 calorie [\w -]+"),
        ("cannot walk to the store without stopping for breath", r"cannot [a-z ]+"),
    ],
)
def test_a_sentence_keeps_its_syntax(value: str, form: str) -> None:
    """Finite verbs, countable events, participles and durations stay such."""
    for (one,) in replaced(f"In 1968 the claim says ⟦HEALTH {value}⟧, and the file has it.", 20):
        assert re.fullmatch(form, one), one
        assert one != value


@pytest.mark.parametrize(
    "value",
    [
        "pain in right upper abdomen",
        "numbness of the legs",
        "swelling in both knees",
        "pins and needles in the fingers of both hands",
        "stiffness of the left wrist",
        "pain in the small of the back",
        "dull ache in the left side of the chest",
    ],
)
def test_a_complaint_can_be_of_its_part(value: str) -> None:
    """No upper ankle is numb, and no stomach stiff."""
    assert FRAMES is not None
    for (one,) in replaced(f"In 1968 she complained of ⟦HEALTH {value}⟧ for a week.", 20):
        found = FRAMES._parse(one, 0.99)  # hands stay beside fingers
        assert found is not None
        terms = [(one[start:end], term) for start, end, term in found if term]
        zones = [FRAMES._zones[term.name] for _, term in terms if term.name in FRAMES._zones]
        said = [folded(text) for text, term in terms if term.name == "ache"]
        assert said or len(terms) == 1  # "swelling of the legs" is one
        assert all(text in zone for zone in zones for text in said)


def test_breath_is_lost_in_effort() -> None:
    """What comes on exertion is of the heart or the lungs; the effort is another."""
    for (one,) in replaced("In 1968 he had ⟦HEALTH breathlessness on climbing stairs⟧.", 20):
        assert re.fullmatch(
            r"(?:wheezing|tightness in the chest|chest pain|palpitations) (?:on|when) .+", one
        )


def test_wounds_of_war_stay_such() -> None:
    """In words and as the forces abbreviate them."""
    for long, short in replaced(
        "Disabilities, 1946: ⟦HEALTH gunshot wound, right thigh⟧; ⟦HEALTH G.S.W. left arm⟧", 20
    ):
        assert re.match(r"(?:shrapnel|shell|bayonet|mortar|grenade|bomb splinter) wound, \w", long)
        assert re.search(r"(?i)wd\.? (?:left|right) \w", short)


def test_two_complaints_of_a_page_mostly_differ() -> None:
    """One cycle of the scope exchanges a kind."""
    found = replaced("1968: ⟦HEALTH nausea⟧, ⟦HEALTH heartburn⟧, ⟦HEALTH constipation⟧.", 20)

    assert sum(len({*one}) == 3 for one in found) >= 16


@pytest.mark.parametrize("value", ["back at night", "in the fall", "chest", "the left side", "3"])
def test_words_of_every_day_are_no_complaints(value: str) -> None:
    """A part of the trunk or a number tells nothing by itself."""
    assert FRAMES is not None
    assert FRAMES.read(value, {"pack": Pack.shipped()}) is None


@pytest.mark.parametrize(
    "value", ["weak chest", "nervous stomach", "fever 102", "weight loss 9 lbs"]
)
def test_what_cannot_be_said_of_a_part_or_counts_nothing_is_left_to_shapes(value: str) -> None:
    """They read measures and names of illnesses."""
    assert FRAMES is not None
    assert FRAMES.read(value, {"pack": Pack.shipped()}) is None


@pytest.mark.parametrize("zone", sorted(FRAMES._zones))
def test_each_zone_has_terms_of_kinds(zone: str) -> None:
    """A term that no kind writes would never be drawn."""
    assert FRAMES is not None
    terms = {folded(one) for kind in KINDS.values() for one in kind.written}
    assert {folded(one) for one in FRAMES._zones[zone]} <= terms
