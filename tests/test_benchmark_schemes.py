"""The published schemes of `benchmarks/quality.py`, worked by hand and beside nervaluate."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import presidio_cdip
from benchmarks import quality
from presidio_cdip.evaluation import schemes

NERVALUATE = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
LABELS = ("AGE", "HEALTH", "RELIGION")

pytestmark = pytest.mark.checkout

Bounds = tuple[int, int, str]


def document(marks: Iterable[Bounds], text: str = "x" * 100, annotated: Any = None) -> Any:
    return quality.Document("one", text, tuple(quality.Span(*mark) for mark in marks), annotated)


def spans(found: Iterable[Bounds]) -> list[Any]:
    return [quality.Span(*span) for span in found]


def judged(scheme: str, marks: Iterable[Bounds], found: Iterable[Bounds]) -> list[Any]:
    case = schemes.Case("", tuple(spans(marks)), tuple(spans(found)))
    return list(schemes.judge(case, schemes.SCHEMES[scheme]))


def counts(one: Any) -> tuple[int, ...]:
    """COR, INC, PAR, MIS, SPU."""
    return tuple(one.counts.values())


# --- the four schemes ---------------------------------------------------------------------------

MARKS: list[Bounds] = [
    (0, 10, "AGE"),
    (20, 30, "HEALTH"),
    (40, 50, "AGE"),
    (60, 70, "RELIGION"),
    (80, 90, "HEALTH"),
]
FOUND: list[Bounds] = [
    (0, 10, "AGE"),  # right
    (20, 30, "AGE"),  # wrong label
    (42, 50, "AGE"),  # wrong bounds
    (65, 75, "HEALTH"),  # both wrong
    (95, 99, "AGE"),  # where nothing is; and (80, 90) has no partner
]


@pytest.mark.parametrize(
    ("scheme", "outcomes", "share"),
    [
        ("strict", (1, 3, 0, 1, 1), 1 / 5),
        ("exact", (2, 2, 0, 1, 1), 2 / 5),
        ("partial", (2, 0, 2, 1, 1), 3 / 5),  # 2 + 0.5 * 2
        ("type", (2, 2, 0, 1, 1), 2 / 5),
    ],
)
def test_scheme_counts_a_hand_worked_document(
    scheme: str, outcomes: tuple[int, ...], share: float
) -> None:
    """Each scheme forgives what it says: nothing, the label, half of the bounds, the bounds."""
    row = schemes.evaluate([document(MARKS)], [spans(FOUND)], LABELS)[scheme]["micro"]

    assert counts(row) == outcomes
    assert (row.precision, row.recall, row.f1) == pytest.approx((share, share, share))


def test_precision_and_recall_have_their_own_denominators() -> None:
    """One of two marks found, with three more that are none: P 1/4, R 1/2, F1 1/3."""
    marks = [(0, 5, "AGE"), (10, 15, "AGE")]
    found = [(0, 5, "AGE"), (20, 25, "AGE"), (30, 35, "AGE"), (40, 45, "AGE")]

    row = schemes.evaluate([document(marks)], [spans(found)], LABELS)["strict"]["micro"]

    assert counts(row) == (1, 0, 0, 1, 3)
    assert (row.precision, row.recall, row.f1) == pytest.approx((1 / 4, 1 / 2, 1 / 3))


def test_touching_spans_do_not_overlap() -> None:
    """The end is exclusive: a found span that begins there is spurious."""
    assert judged("partial", [(0, 5, "AGE")], [(5, 9, "AGE")]) == [
        ("MIS", "AGE", None),
        ("SPU", None, "AGE"),
    ]


def test_correct_pairs_come_before_large_overlaps() -> None:
    """By type, the short span with the mark's label is its partner, not the long one without."""
    outcomes = judged("type", [(0, 10, "AGE")], [(0, 9, "HEALTH"), (8, 10, "AGE")])

    assert outcomes == [("COR", "AGE", "AGE"), ("SPU", None, "HEALTH")]


def test_span_has_one_partner() -> None:
    """A found span across two marks is partial to the one it covers most; the other is missed."""
    outcomes = judged("partial", [(0, 4, "AGE"), (5, 15, "AGE")], [(0, 12, "AGE")])

    assert outcomes == [("PAR", "AGE", "AGE"), ("MIS", "AGE", None)]


def test_incomplete_labels_are_not_counted() -> None:
    """With `annotated: [AGE]`, neither marks nor finds of HEALTH count, in no scheme."""
    marks: list[Bounds] = [(0, 5, "AGE"), (10, 15, "HEALTH")]
    found: list[Bounds] = [(0, 5, "AGE"), (20, 25, "HEALTH")]

    table = schemes.evaluate(
        [document(marks, annotated=frozenset({"AGE"}))], [spans(found)], LABELS
    )

    for scheme in schemes.SCHEMES:
        assert counts(table[scheme]["micro"]) == (1, 0, 0, 0, 0)
    assert counts(table["binary"]["spans"]) == (1, 0, 0, 0, 0)


def test_span_given_twice_counts_once() -> None:
    """Two equal finds are one, as in the main table."""
    found = spans([(0, 5, "AGE")] * 2)

    row = schemes.evaluate([document([(0, 5, "AGE")])], [found], LABELS)["strict"]["micro"]

    assert counts(row) == (1, 0, 0, 0, 0)


# --- averages, groups, binary -------------------------------------------------------------------


def test_averages_weigh_labels_as_they_say() -> None:
    """AGE has P 1, R 2/3, F1 4/5; HEALTH (1 mark) is missed, RELIGION (no mark) is spurious."""
    marks: list[Bounds] = [(0, 5, "AGE"), (10, 15, "AGE"), (20, 25, "AGE"), (30, 35, "HEALTH")]
    found: list[Bounds] = [(0, 5, "AGE"), (10, 15, "AGE"), (40, 45, "RELIGION")]

    rows = schemes.evaluate([document(marks)], [spans(found)], LABELS)["strict"]

    shares = {name: (row.precision, row.recall, row.f1) for name, row in rows.items()}
    assert shares["micro"] == pytest.approx((2 / 3, 2 / 4, 4 / 7))
    assert shares["macro"] == pytest.approx((1 / 3, 2 / 9, 4 / 15))
    assert shares["weighted"] == pytest.approx((3 / 4, 2 / 4, 3 / 5))


def test_label_of_a_mark_is_recalled_and_that_of_a_find_is_precise() -> None:
    """With bounds alone, HEALTH found as AGE is a recalled HEALTH and a precise AGE."""
    rows = schemes.by_label(judged("exact", [(0, 5, "HEALTH")], [(0, 5, "AGE")]))

    assert (rows["HEALTH"].recall, rows["HEALTH"].precision) == (1, None)
    assert (rows["AGE"].recall, rows["AGE"].precision) == (None, 1)


def test_shares_of_nothing_are_none() -> None:
    """A document with neither marks nor finds gives no share, in no average."""
    for rows in schemes.evaluate([document([])], [[]], LABELS).values():
        for row in rows.values():
            assert (row.precision, row.recall, row.f1) == (None, None, None)


def test_group_does_not_tell_its_labels_apart() -> None:
    """GENETIC_DATA found as HEALTH is right in the group Health; AGE has no group."""
    table = schemes.evaluate(
        [document([(0, 5, "GENETIC_DATA"), (10, 15, "AGE"), (20, 25, "ETHNIC_ORIGIN")])],
        [spans([(0, 5, "HEALTH"), (20, 25, "HEALTH")])],
        tuple(presidio_cdip.ENTITIES),
    )

    groups = {name: row for name, row in table["strict"].items() if name.startswith("group ")}
    assert table["strict"]["micro"].precision == 0
    assert list(groups) == ["group Ethnic", "group Health"]
    assert (groups["group Health"].precision, groups["group Health"].recall) == (1 / 2, 1)
    assert groups["group Ethnic"].recall == 0


def test_binary_spans_hit_whatever_the_label() -> None:
    """Half of the shorter is enough, one mark of two labels is one, and a sliver is none."""
    marks: list[Bounds] = [(0, 10, "AGE"), (0, 10, "HEALTH"), (20, 30, "AGE")]
    found: list[Bounds] = [(5, 15, "RELIGION"), (29, 39, "AGE")]

    row = schemes.evaluate([document(marks)], [spans(found)], LABELS)["binary"]["spans"]

    assert counts(row) == (1, 0, 0, 1, 1)


def test_binary_tokens_are_words_and_signs() -> None:
    """Of "Born 1901, in Brno." `1901` and `,` are marked, `1901` and `in` are touched."""
    one = document([(5, 10, "AGE")], "Born 1901, in Brno.")

    row = schemes.evaluate([one], [spans([(7, 9, "HEALTH"), (10, 12, "AGE")])], LABELS)

    assert counts(row["binary"]["tokens"]) == (1, 0, 0, 1, 1)


# --- nervaluate ---------------------------------------------------------------------------------
# Version 1.2 of nervaluate differs from schemes.py in these, which the random sets avoid:
# * Where a span overlaps several, it takes the found spans in the order given, each with the first
#   mark that is left if none is correct; a partial find may take the mark of a perfect one.
# * Its ends are inclusive (we hand in `end - 1`).
# * An overlap must be 1 % of the mark or more: one character of a mark over 100 long is none.
# * For a label it looks at spans of that label alone. A pair of two labels is a miss of the one
#   and a spurious find of the other, whatever the scheme: the same shares where the label must
#   agree (strict, type), others where it need not (exact, partial).
# * A share of nothing is 0, not None. It has no macro or weighted averages, groups or binary.


def in_nervaluate(marks: Sequence[Sequence[Any]], found: Sequence[Sequence[Any]]) -> Any:
    """Its results: "overall" by strategy, "entities" by label and strategy."""
    import nervaluate

    true, pred = (
        [[{"start": s.start, "end": s.end - 1, "label": s.label} for s in one] for one in side]
        for side in (marks, found)
    )
    return nervaluate.Evaluator(true, pred, tags=list(LABELS), loader="dict").evaluate()


def random_pairs(random: Random) -> tuple[list[Bounds], list[Bounds]]:
    """Marks and found spans of which each overlaps one at most."""
    marks: list[Bounds] = []
    found: list[Bounds] = []
    for start in range(0, 240, 12):
        mark = (start, start + random.randint(1, 12), random.choice(LABELS))
        begin, end = sorted(random.sample(range(start, start + 13), 2))
        span = random.choice([mark, (*mark[:2], random.choice(LABELS)), (begin, end, mark[2])])
        other = (begin, end, random.choice(LABELS))
        kind = random.randrange(5)
        marks += [mark] * (kind != 0)
        found += [[other], [span], [other], [span], []][kind]
    random.shuffle(found)
    return marks, found


@pytest.mark.slow
def test_counts_agree_with_nervaluate() -> None:
    """In 300 random sets of three documents, all outcomes and shares are nervaluate's."""
    random = Random(0)
    seen = set()
    for _ in range(300):
        pairs = [random_pairs(random) for _ in range(3)]
        marks, found = ([spans(pair[side]) for pair in pairs] for side in (0, 1))

        theirs = in_nervaluate(marks, found)
        table = schemes.evaluate([document(one, "") for one, _ in pairs], found, LABELS)

        for scheme, name in NERVALUATE.items():
            ours, other = table[scheme]["micro"], theirs["overall"][name]
            assert counts(ours) == (
                other.correct, other.incorrect, other.partial, other.missed, other.spurious,
            )  # fmt: skip
            assert (ours.precision, ours.recall, ours.f1) == pytest.approx(
                (other.precision, other.recall, other.f1)
            )
            assert ours.counts
            seen |= {(scheme, outcome) for outcome, count in ours.counts.items() if count}
    assert len(seen) == 4 * 4  # each scheme had each outcome that it knows


@pytest.mark.parametrize("scheme", ["strict", "type"])
def test_labels_agree_with_nervaluate(scheme: str) -> None:
    """Where the label must agree, so do the shares of each label."""
    random = Random(1)
    for _ in range(100):
        marks, found = (spans(side) for side in random_pairs(random))

        theirs = in_nervaluate([marks], [found])["entities"]
        ours = schemes.by_label(judged(scheme, marks, found))

        assert set(ours) == set(theirs)
        for label, row in ours.items():
            other = theirs[label][NERVALUATE[scheme]]
            assert (row.precision or 0, row.recall or 0, row.f1) == pytest.approx(
                (other.precision, other.recall, other.f1)
            )


def test_order_of_finds_matters_in_nervaluate_alone() -> None:
    """A partial find before a perfect one takes its mark there; here it never does."""
    mark, half, whole = (0, 10, "AGE"), (0, 5, "AGE"), (0, 10, "AGE")

    for found, correct in (([half, whole], 0), ([whole, half], 1)):
        theirs = in_nervaluate([spans([mark])], [spans(found)])["overall"]["strict"]
        ours = [one.outcome for one in judged("strict", [mark], found)]

        assert theirs.correct == correct
        assert ours == ["COR", "SPU"]


# --- intervals ----------------------------------------------------------------------------------


def test_interval_of_equal_documents_is_a_point() -> None:
    """Documents that are all alike give the same shares however they are drawn."""
    bounds = quality.intervals(
        [quality.Tally(gold=2, hit=1, spurious=1)] * 5, np.random.default_rng(0)
    )

    assert bounds == {"P": (0.5, 0.5), "R": (0.5, 0.5), "F1": (0.5, 0.5)}


def test_interval_spans_what_documents_differ_by() -> None:
    """Of 100 documents with one mark 80 are found: about 0.8 +- 1.96 * sqrt(0.8 * 0.2 / 100)."""
    tallies = [quality.Tally(gold=1, hit=int(index < 80)) for index in range(100)]

    bounds = quality.intervals(tallies, np.random.default_rng(0))["R"]

    assert bounds
    lower, upper = bounds
    assert lower == pytest.approx(0.72, abs=0.02)
    assert upper == pytest.approx(0.88, abs=0.02)


def test_interval_comes_again() -> None:
    """One seed, one interval."""
    tallies = [quality.Tally(gold=3, hit=index % 4, spurious=1) for index in range(20)]

    first, second = (quality.intervals(tallies, np.random.default_rng(0)) for _ in range(2))

    assert first == second


def test_interval_of_no_share_is_none() -> None:
    """Where nothing is marked there is no recall to give an interval of, nor without documents."""
    draw = np.random.default_rng(0)

    assert quality.intervals([quality.Tally(spurious=1)], draw)["R"] is None
    assert quality.intervals([], draw) == {"P": None, "R": None, "F1": None}


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs quality.py with a finder of one entity and one name, and returns what it prints."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(quality, "header", lambda: {})
    (tmp_path / "two_finder.py").write_text(
        "def find(text): return [(0, 3, 'PERSON'), (12, 16, 'PLACE_OF_BIRTH')]\n", encoding="utf-8"
    )
    marked = tmp_path / "set.jsonl"
    marks = [
        {"start": 0, "end": 3, "label": "PERSON"},
        {"start": 4, "end": 7, "label": "ORGANIZATION"},
        {"start": 12, "end": 16, "label": "PLACE_OF_BIRTH"},
    ]
    row = {"id": "1", "text": "Ann ICI born Brno.", "spans": marks}
    marked.write_text(json.dumps(row) + "\n", encoding="utf-8")

    def run(*options: str, predictor: str = "two_finder:find") -> str:
        result = CliRunner().invoke(quality.main, [predictor, str(marked), *options])
        assert result.exit_code == 0, result.output
        return result.output

    return run


@pytest.mark.parametrize("style", ["table", "markdown"])
def test_schemes_are_one_more_table(command: Any, style: str) -> None:
    """What is printed without `--schemes` is printed before the table that it adds."""
    without, with_schemes = command("--format", style), command("--format", style, "--schemes")

    assert with_schemes.startswith(without)
    assert "strict, micro" in with_schemes[len(without) :]
    assert "binary, tokens" in with_schemes[len(without) :]


def test_schemes_and_intervals_are_in_the_json(command: Any) -> None:
    """The keys are there when asked for, and only then."""
    plain = json.loads(command("--format", "json"))
    full = json.loads(command("--format", "json", "--schemes", "--intervals"))

    found = full["schemes"]["two_finder:find"]
    assert found["strict"]["micro"]["counts"] == {"COR": 1, "INC": 0, "PAR": 0, "MIS": 0, "SPU": 0}
    total = full["results"]["two_finder:find"]["total"]
    assert total.pop("intervals") == {"P": [1, 1], "R": [1, 1], "F1": [1, 1]}
    del full["schemes"]
    assert full == plain


def test_intervals_stand_in_the_total_row(command: Any) -> None:
    """The total has them, the entities do not."""
    lines = command("--format", "markdown", "--intervals").splitlines()

    total = next(line for line in lines if line.startswith("| total |"))
    assert total.count("1.00 (1.00-1.00)") == 3
    assert sum("(" in line for line in lines if line.startswith("| ")) == 1


def test_names_are_scored_in_place_of_the_entities(command: Any) -> None:
    """`--labels names` has a row for each name and none for the 18."""
    results = json.loads(command("--format", "json", "--labels", "names"))["results"]

    rows = results["two_finder:find"]
    assert list(rows) == ["LOCATION", "ORGANIZATION", "PERSON", "total"]
    assert (rows["PERSON"]["R"], rows["ORGANIZATION"]["R"], rows["total"]["P"]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), {"names": False, "min_score": None}),
        (("--labels", "names"), {"names": True, "min_score": None}),
        (("--entities", "PERSON", "--min-score", ".2"), {"names": True, "min_score": 0.2}),
    ],
)
def test_presidio_cdip_is_asked_for_names_where_they_are_scored(
    command: Any,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    asked: dict[str, object],
) -> None:
    """The analyzer is built with `names=True` for names, and with the least score asked for."""
    calls = []

    class Blind:
        def analyze(self, **_: Any) -> list[Any]:
            return []

    def analyzer(**arguments: Any) -> Blind:
        calls.append(arguments)
        return Blind()

    monkeypatch.setattr(presidio_cdip, "analyzer", analyzer)

    command(*options, predictor="presidio-cdip")

    assert calls == [asked]


@pytest.mark.parametrize("name", ["rules", "model"])
def test_one_without_names_is_not_scored_on_them(name: str) -> None:
    """Who cannot find names stops the run: a row of misses would say that it looked."""
    with pytest.raises(click.BadParameter, match="finds no names"):
        quality.load(name, None, names=True)
