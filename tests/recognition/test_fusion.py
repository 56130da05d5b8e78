"""Of rules and a model nothing is lost, nothing overlaps, and a score is a probability."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition import fusion
from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.fusion import OPERATING_POINTS, calibrated, on_line, without_general
from presidio_cdip.recognition.premises import signs_of
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import MODEL_RULE, Config, Tagged

TEXT = "wife has had kidney failure since 1981 and prays"
ENTITIES = ("MARITAL_STATUS", "RELIGION", "HEALTH")


def fuse(seen: Tagged, rules: Sequence[Span] | None) -> list[Span]:
    """The spans of both, with the shipped signs of homes and businesses."""
    return fusion.fuse(seen, rules, signs_of(Pack.shipped()))


def tagged(
    text: str,
    shares: dict[str, tuple[str, float]],
    entities: tuple[str, ...] = ENTITIES,
    **own: Any,
) -> Tagged:
    """What a model made of *text* that gives a word, by what it is, to one of *entities*."""
    starts, ends, rows, at = [], [], [], 0
    for word in text.split(" "):
        entity, share = shares.get(word, ("", 0.0))
        rows.append([share * (name == entity) for name in entities])
        starts.append(at)
        ends.append(at + len(word))
        at += len(word) + 1
    own = {"thresholds": dict.fromkeys(entities, 0.5), **own}
    config = Config(entities, (None, *range(len(entities))), (False,) * (len(entities) + 1), **own)
    values = np.array(rows, np.float16).reshape(-1, len(entities))
    begins = np.zeros(len(starts), np.float16)
    return Tagged(text, config, np.array(starts), np.array(ends), values, begins)


def rule(words: str, entity: str, score: float = 0.9, text: str = TEXT) -> Span:
    start = text.index(words)
    return Span(start, start + len(words), entity, score, "test/rule", "cue")


def shown(spans: list[Span]) -> list[tuple[str, str]]:
    return [(span.entity, TEXT[span.start : span.end]) for span in spans]


ILL = {"kidney": ("HEALTH", 0.9), "failure": ("HEALTH", 0.9)}


def test_a_word_that_leads_on_is_no_end_of_a_value() -> None:
    """What the model gives the next word, too, is cut off where it only joins."""
    text = "married with children"
    seen = tagged(text, {"married": ("MARITAL_STATUS", 0.9), "with": ("MARITAL_STATUS", 0.9)})

    assert [text[one.start : one.end] for one in fuse(seen, None)] == ["married"]


def test_what_either_finds_is_found() -> None:
    """The model's spans and the rules' stand side by side, in order."""
    spans = fuse(tagged(TEXT, ILL), [rule("wife", "MARITAL_STATUS"), rule("prays", "RELIGION")])

    assert shown(spans) == [
        ("MARITAL_STATUS", "wife"),
        ("HEALTH", "kidney failure"),
        ("RELIGION", "prays"),
    ]
    assert [span.rule for span in spans] == ["test/rule", MODEL_RULE, "test/rule"]


@pytest.mark.parametrize(
    ("text", "entity", "is_found"),
    [
        ("4", "HOME_ADDRESS", False),
        ("62", "HOME_ADDRESS", False),
        ("45307", "HOME_ADDRESS", True),
        ("20417", "US_SSN", False),
        ("H-20417", "US_SSN", False),
        ("271-97-O538", "US_SSN", True),
        ("271-9Z-0538", "US_SSN", True),
        ("271_97_0538", "US_SSN", True),
        ("271-97-", "US_SSN", False),
        ("336-335-7392", "US_SSN", False),
        ("17555-002", "US_SSN", False),
        ("17B", "HOME_ADDRESS", True),
        ("5", "DATE_OF_BIRTH", False),
        ("'47", "DATE_OF_BIRTH", True),
        ("May", "DATE_OF_BIRTH", True),
        ("H-2", "US_SSN", False),
        ("xxx-xx-6789", "US_SSN", True),
        ("YO-5-0I48", "HOME_PHONE_NUMBER", True),
        ("5", "AGE", True),
    ],
)
def test_model_needs_the_least_that_a_value_has(text: str, entity: str, is_found: bool) -> None:
    """The number of a form's box is no address, whatever the model says; a child of 5 is one."""
    spans = fuse(tagged(text, {text: (entity, 0.9)}, (entity,)), [])

    assert [span.entity for span in spans] == [entity] * is_found


@pytest.mark.parametrize(
    ("label", "is_found"),
    [
        ("5. Home telephone", False),
        ("Address and zip code", False),
        ("Street", False),
        ("Ext", False),
        ("State Street", True),
        ("5 Home Street", True),
        ("House of Correction", True),
    ],
)
def test_label_of_an_address_is_none(label: str, is_found: bool) -> None:
    """What a form has printed is no value, whatever the model says."""
    text = f"See: {label} . 412 Larkspur Lane"

    spans = fuse(
        tagged(text, dict.fromkeys(label.split(), ("HOME_ADDRESS", 0.9)), ("HOME_ADDRESS",)), []
    )

    assert bool(spans) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Committeeman : D. Fuentes", False),
        ("Shop 4   Committeeman : D. Fuentes", False),
        ("Committeeman since: 1953", False),
        ("he was a Committeeman : so they say", True),
        ("Office: Committeeman", True),
    ],
)
def test_label_of_an_office_is_none(text: str, is_found: bool) -> None:
    """A form's field for a union's officer tells nobody's membership."""
    union = "TRADE_UNION_MEMBERSHIP"

    spans = fuse(tagged(text, {"Committeeman": (union, 0.9)}, (union,)), [])

    assert bool(spans) is is_found


def test_parts_of_an_address_stay_whatever_they_are() -> None:
    """A house number, or "Street", that stands apart from its street is no label."""
    text = "lives at 62 Elm Street now"
    shares = {word: ("HOME_ADDRESS", 0.9) for word in ("62", "Street")}

    kept = fuse(tagged(text, {**shares, "Elm": ("HOME_ADDRESS", 0.6)}, ("HOME_ADDRESS",)), [])
    lone = fuse(tagged(text, shares, ("HOME_ADDRESS",)), [])

    assert [text[span.start : span.end] for span in kept] == ["62 Elm Street"]
    assert lone == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("7. Date of birth      8. Age    9. Sex", False),
        ("7. Date of birth\n 8. Age", False),
        ("The boy is \n 8. Age tells", True),
        ("Their children are 7, 8. And 9", True),
        ("Date of birth      8. Age", True),
        ("7. Q. She was then aged\n 8. She had 9. Q", True),
        ("7: Anna      8. Max", True),
    ],
)
def test_number_of_a_box_is_no_age(text: str, is_found: bool) -> None:
    """A form counts its boxes: a number at the head of one, beside another's, is no value."""
    spans = fuse(tagged(text, {"8.": ("AGE", 0.9)}, ("AGE",)), [])

    assert bool(spans) is is_found


def test_two_spans_of_one_entity_are_united() -> None:
    """Where both find a part of one, the stretch is that of both; the better one explains it."""
    (span,) = fuse(tagged(TEXT, ILL), [rule("failure since 1981", "HEALTH", 0.95)])

    assert shown([span]) == [("HEALTH", "kidney failure since 1981")]
    assert (span.rule, span.cue, span.score) == ("test/rule", "cue", 0.95)


@pytest.mark.parametrize(
    ("score", "holders"),
    [
        (0.95, [("HEALTH", "kidney"), ("MARITAL_STATUS", "failure since")]),
        (0.8, [("HEALTH", "kidney failure"), ("MARITAL_STATUS", "since")]),
    ],
)
def test_more_probable_entity_holds_the_stretch(
    score: float, holders: list[tuple[str, str]]
) -> None:
    """Of two entities the more probable keeps its span whole, the other what is left of its own."""
    spans = fuse(tagged(TEXT, ILL), [rule("failure since", "MARITAL_STATUS", score)])

    assert shown(spans) == holders


def test_entity_within_another_parts_it() -> None:
    """A surer span in the midst of a longer one leaves both ends of it found."""
    spans = fuse(tagged(TEXT, ILL), [rule("wife has had kidney failure since", "RELIGION", 0.6)])

    assert shown(spans) == [
        ("RELIGION", "wife has had"),
        ("HEALTH", "kidney failure"),
        ("RELIGION", "since"),
    ]


@pytest.mark.parametrize(("share", "stays"), [(0.1, False), (0.19, False), (0.21, True)])
def test_doubted_rule_is_vetoed(share: float, stays: bool) -> None:
    """A rule's span is dropped if no word of it is as probable as the veto asks, and else kept."""
    belief = tagged(TEXT, {"since": ("HEALTH", share)}, vetoes={"HEALTH": 0.2})
    rules = [rule("since 1981", "HEALTH", 1.0), rule("prays", "RELIGION")]

    spans = fuse(belief, rules)

    assert shown(spans) == [("HEALTH", "since 1981")] * stays + [("RELIGION", "prays")]


def test_entity_without_a_veto_is_kept_whatever_the_model_says() -> None:
    """Rules for what the model does not know, or has no veto for, stand alone."""
    belief = tagged(TEXT, {}, vetoes={"HEALTH": 0.2})
    rules = [rule("wife", "GENDER"), rule("prays", "RELIGION")]

    assert fuse(belief, rules) == rules


LINES = {
    "alone": {"*": [(0.5, 0.6), (1.0, 1.0)]},
    "model": {"*": [(0.5, 0.4), (1.0, 0.8)]},
    "both": {"*": [(0.0, 0.9), (1.0, 1.0)]},
    "rules": {"*": [(0.0, 0.3), (1.0, 0.7)]},
}


def test_score_is_that_of_who_found_it() -> None:
    """Each line serves its own: the model's, the rules', and that of both."""
    shares = {"kidney": ("HEALTH", 0.75), "prays": ("RELIGION", 0.75), "wife": ("HEALTH", 0.25)}
    belief = tagged(TEXT, shares, calibration=LINES)
    rules = [
        rule("wife", "HEALTH", 0.99),
        rule("1981", "MARITAL_STATUS"),
        rule("prays", "RELIGION"),
    ]

    spans = fuse(belief, rules)

    assert [text for _, text in shown(spans)] == ["wife", "kidney", "1981", "prays"]
    assert [span.score for span in spans] == pytest.approx([0.4, 0.6, 0.3, 0.975])


def test_what_both_found_has_the_line_of_both_alone() -> None:
    """Neither finder's own line raises the score of a span that both found."""
    high, low = {"*": [(0.0, 0.9)]}, {"*": [(0.0, 0.2)]}
    lines = {"alone": high, "model": high, "rules": high, "both": low}
    belief = tagged(TEXT, ILL, calibration=lines)

    (span,) = fuse(belief, [rule("failure since", "HEALTH")])

    assert (shown([span]), span.score) == ([("HEALTH", "kidney failure since")], 0.2)


def test_probability_and_not_raw_score_decides() -> None:
    """A rule that is sure of itself yields where rules are seldom right."""
    belief = tagged(TEXT, ILL, calibration=LINES)

    spans = fuse(belief, [rule("failure since", "RELIGION", 1.0)])

    assert shown(spans) == [("HEALTH", "kidney failure"), ("RELIGION", "since")]


def test_each_span_has_its_finder() -> None:
    """Who found it, and how much the model believes it; what is vetoed nobody has found."""
    shares = {"kidney": ("HEALTH", 0.75), "prays": ("RELIGION", 0.5), "wife": ("HEALTH", 0.25)}
    belief = tagged(TEXT, shares, vetoes={"MARITAL_STATUS": 0.2})
    wife, prays = rule("wife", "HEALTH", 0.99), rule("and prays", "RELIGION", 0.99)

    finders = fusion.found(
        belief, [wife, rule("1981", "MARITAL_STATUS"), prays], signs_of(Pack.shipped())
    )

    assert [(who, raw, *shown([span])) for who, raw, span in finders] == [
        ("rules", 0.25, ("HEALTH", "wife")),
        ("both", 0.5, ("RELIGION", "and prays")),
        ("both", 0.5, ("RELIGION", "prays")),
        ("model", 0.75, ("HEALTH", "kidney")),
    ]


def test_model_alone_has_a_line_of_its_own() -> None:
    """Rules that found nothing say something of a span; rules that did not look say nothing."""
    belief = tagged(TEXT, {"kidney": ("HEALTH", 0.75)}, calibration=LINES)

    assert [who for who, _, _ in fusion.found(belief, None, signs_of(Pack.shipped()))] == ["alone"]
    assert [who for who, _, _ in fusion.found(belief, [], signs_of(Pack.shipped()))] == ["model"]
    assert [span.score for span in fuse(belief, None)] == pytest.approx([0.8])
    assert [span.score for span in fuse(belief, [])] == pytest.approx([0.6])


def test_own_line_of_an_entity_goes_before_that_of_all_others() -> None:
    """An entity has its own where there is one, the rest share ``*``, and else scores stay."""
    lines = {"rules": {"HEALTH": [(0.0, 0.2)], "*": [(0.0, 0.6)]}, "both": {"HEALTH": [(0.0, 0.1)]}}
    belief = tagged(TEXT, {}, calibration=lines)
    health, faith = rule("kidney", "HEALTH", 0.95), rule("prays", "RELIGION", 0.95)

    assert calibrated(belief, "rules", 0.0, health) == 0.2
    assert calibrated(belief, "rules", 0.0, faith) == 0.6
    assert calibrated(belief, "both", 0.0, faith) == 0.95
    assert calibrated(belief, "model", 0.0, health) == 0.95


def test_entity_the_model_does_not_know_keeps_its_rules_score() -> None:
    """That the model believes nothing of it says nothing, even where all others have a line."""
    lines = {"rules": {"*": [(0.0, 0.1)], "GENDER": [(0.0, 0.2)]}}
    belief = tagged(TEXT, {}, calibration=lines)

    spans = fuse(belief, [rule("wife", "GENDER", 0.85), rule("prays", "RELIGION", 0.85)])

    assert [(span.entity, span.score) for span in spans] == [("GENDER", 0.85), ("RELIGION", 0.1)]


POINTS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6, unique_by=lambda p: p[0]
)


@given(POINTS, st.lists(st.floats(-0.5, 1.5), min_size=2, max_size=8))
def test_line_rises_and_is_level_beyond_its_ends(
    points: list[tuple[float, float]], raws: list[float]
) -> None:
    """A higher raw score is never the lower probability, and none leaves the line's own."""
    line = list(zip(sorted(x for x, _ in points), sorted(y for _, y in points), strict=True))

    heights = [on_line(line, raw) for raw in sorted(raws)]

    assert all(low <= high + 1e-9 for low, high in pairwise(heights))
    assert all(line[0][1] - 1e-9 <= height <= line[-1][1] + 1e-9 for height in heights)
    assert on_line(line, line[0][0] - 1) == line[0][1]
    assert on_line(line, line[-1][0] + 1) == line[-1][1]
    assert [on_line(line, x) for x, _ in line] == pytest.approx([y for _, y in line])


def test_line_of_one_step_is_a_step() -> None:
    """Two points above each other do not divide by zero."""
    line = [(0.0, 0.1), (0.5, 0.2), (0.5, 0.8), (1.0, 0.9)]

    assert [on_line(line, raw) for raw in (0.25, 0.5, 0.75)] == pytest.approx([0.15, 0.8, 0.85])


ANSWERS = st.lists(
    st.tuples(st.sampled_from([*ENTITIES, ""]), st.sampled_from([0.3, 0.5, 0.7, 0.9])),
    min_size=10,
    max_size=10,
)
STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(ENTITIES), st.floats(0, 1)),
    max_size=8,
)


@given(ANSWERS, STEPS, st.booleans())
def test_fused_spans_lie_apart_and_cover_all(
    answers: list[tuple[str, float]], steps: list[tuple[int, int, str, float]], calibrated: bool
) -> None:
    """Whatever both find: spans in order, none overlapping, scores in [0, 1], no word uncovered."""
    names = [f"word{at}" for at in range(10)]  # of five letters each
    text = " ".join(names)
    shares = dict(zip(names, answers, strict=True))
    belief = tagged(text, shares, calibration=LINES if calibrated else {})
    rules, at = [], 0
    for gap, count, entity, score in steps:
        first, at = at + gap, min(10, at + gap + count)
        if first < at:
            rules.append(Span(6 * first, 6 * at - 1, entity, score, "test/rule"))

    spans = fuse(belief, rules)

    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) and 0 <= span.score <= 1 for span in spans)
    claims = [*belief.spans(), *rules]
    for word in range(10):
        there = Span(6 * word, 6 * word + 5, "", 0, "")
        wanted = {one.entity for one in claims if one.overlaps(there)}
        holders = {one.entity for one in spans if one.start <= there.start and there.end <= one.end}
        assert holders <= wanted and bool(holders) == bool(wanted)


def test_a_cell_of_a_table_holds_its_value_whatever_the_model_takes_in() -> None:
    """The model's span over two columns is cut to that of its entity."""
    text = "Iverson, Kristin   12   9-11-58"
    share = {"12": ("DATE_OF_BIRTH", 0.9), "9-11-58": ("DATE_OF_BIRTH", 0.9)}
    seen = tagged(text, share, ("AGE", "DATE_OF_BIRTH"))
    cells = [
        Span(19, 21, "AGE", 0.9, "age/column", "age", "column"),
        Span(24, 31, "DATE_OF_BIRTH", 0.9, "date_of_birth/column", "born", "column"),
    ]

    found = {(one.entity, text[one.start : one.end]) for one in fuse(seen, cells)}

    assert found == {("AGE", "12"), ("DATE_OF_BIRTH", "9-11-58")}


@pytest.mark.parametrize(("heading", "is_found"), [("hometel", True), ("tel", False)])
def test_a_column_of_homes_has_those_of_homes(heading: str, is_found: bool) -> None:
    """On paper with a letterhead, a telephone under another heading is the firm's."""
    text = "Acme Manufacturing Co., Inc.   Office telephone: 555-0100\n\nPayroll Dept.  555-0141"
    at = text.index("555-0141")
    cell = Span(at, len(text), "HOME_PHONE_NUMBER", 0.9, "x+again", heading, "column")
    seen = tagged(text, {}, ("HOME_PHONE_NUMBER",))

    assert bool(fuse(seen, [cell])) == is_found


@pytest.mark.parametrize(
    ("heads", "is_found"),
    [
        ("Supplier;Contact;Tel;Mobile", False),
        ("Vendor_ID;Name;Tel;Mobile", False),
        ("Supplier;Contact;Born;Mobile", True),
        ("Store;Last name;First name;Mobile", True),
        ("Name;Supplier;Tel;Mobile", True),
    ],
)
def test_a_list_of_firms_has_no_telephone_of_a_home(heads: str, is_found: bool) -> None:
    """Its first heading is that of firms, and none that of persons alone."""
    text = f"{heads}\nHale Tool;Ann Hale;608-555-0123;608-555-0124\n" + "Dunn;;;\n" * 9
    span = rule("608-555-0124", "HOME_PHONE_NUMBER", text=text)

    found = fuse(tagged(text, {}, ("HOME_PHONE_NUMBER",)), [span])

    assert bool(found) == is_found


_PLACES = st.tuples(
    st.integers(0, 12),
    st.integers(1, 6),
    st.sampled_from(["SEXUALITY", "MARITAL_STATUS", "GENETIC_DATA", "HEALTH", "AGE"]),
    st.sampled_from(["test/rule", MODEL_RULE]),
)


@given(st.lists(_PLACES, max_size=12))
def test_general_span_within_a_rules_specific_one_is_dropped(
    places: list[tuple[int, int, str, str]],
) -> None:
    """In whatever order the spans are, and whichever of the specific ones it is within."""
    spans = [Span(start, start + size, name, 0.9, by) for start, size, name, by in places]
    general = {"MARITAL_STATUS": "SEXUALITY", "HEALTH": "GENETIC_DATA"}

    kept = without_general("a" * 20, spans)

    specific = [one for one in kept if one.rule != MODEL_RULE]
    assert [one for one in kept if one.entity not in general] == [
        one for one in spans if one.entity not in general
    ]
    assert not any(
        one.entity == general.get(span.entity) and one.start <= span.start and span.end <= one.end
        for span in kept
        for one in specific
    )


@pytest.mark.parametrize("score", [0.1, 0.9])
def test_partner_is_one_span_as_probable_as_its_parts(score: float) -> None:
    """However little the model thinks of the more specific entity."""
    text = "He wed his husband Mark."
    specific = Span(7, 23, "SEXUALITY", score, "test/rule")
    general = [Span(at, 23, "MARITAL_STATUS", 0.8, MODEL_RULE) for at in (3, 11)]

    kept = without_general(text, [specific, *general])

    assert [(text[one.start : one.end], one.score) for one in kept] == [
        ("his husband Mark", max(score, 0.8)),
        ("wed", 0.8),
    ]


@pytest.mark.parametrize(
    ("text", "partner"),
    [
        ("Present: Ivo Brandt, and his husband Karl.", "his husband Karl"),
        ("BENEFICIARY: Her wife, Nora Quill", "Her wife, Nora Quill"),
        ("She had asked her late wife Ines for it.", "her late wife Ines"),
        ("In 2015 Piet wed his husband.", "his husband"),
        ("Mr. Oram's proxy is his husband.", "his husband"),
    ],
)
def test_same_sex_partner_is_found_whole(text: str, partner: str) -> None:
    """By rules and model together, as by rules alone."""
    found = finder().find(text, min_score=OPERATING_POINTS["balanced"])

    whole = [text[one.start : one.end] for one in found if one.entity == "SEXUALITY"]
    assert whole == [partner]
    assert not any(
        "husband" in text[one.start : one.end] for one in found if one.entity == "MARITAL_STATUS"
    )


class _Place(int):
    """A place that counts how often one is compared with another."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        _Place.compared += 1
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        _Place.compared += 1
        return int(self) <= int(other)

    def __gt__(self, other: int) -> bool:
        _Place.compared += 1
        return int(self) > int(other)

    def __ge__(self, other: int) -> bool:
        _Place.compared += 1
        return int(self) >= int(other)


def test_general_spans_are_not_compared_with_each_specific_one() -> None:
    """A document of thousands of findings needs few comparisons for each of them."""
    spans = []
    for at in range(0, 20_000, 20):
        spans.append(Span(_Place(at), _Place(at + 9), "SEXUALITY", 0.9, "test/rule"))
        spans.append(Span(_Place(at + 10), _Place(at + 19), "MARITAL_STATUS", 0.9, "test/rule"))
    _Place.compared = 0

    kept = without_general("", spans)

    assert kept == spans
    assert 0 < _Place.compared < 30 * len(spans)
