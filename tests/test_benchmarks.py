"""The benchmarks' own arithmetic, on examples worked out by hand."""

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import quality, surrogates, text_speed
from presidio_cdip.entities import LABELS
from presidio_cdip.errors import UnknownEntity
from presidio_cdip.evaluation.matching import document_tally

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize(
    ("found", "hit"),
    [
        ((0, 10), True),
        ((5, 15), True),  # half of ten
        ((6, 16), False),  # four of ten
        ((8, 12), True),  # two of the shorter's four
        ((9, 13), False),
        ((10, 20), False),  # end is exclusive
        ((3, 3), False),  # an empty span hits nothing
    ],
)
def test_hit_shares_half_of_the_shorter(found: tuple[int, int], hit: bool) -> None:
    """A hit overlaps at least half of the shorter span."""
    assert quality.hits(quality.Span(0, 10, "AGE"), quality.Span(*found, "AGE")) is hit


def test_hit_needs_the_label() -> None:
    """The right place with the wrong label is no hit."""
    assert not quality.hits(quality.Span(0, 10, "AGE"), quality.Span(0, 10, "HEALTH"))


def test_match_is_one_to_one() -> None:
    """Two found halves of one mark are one hit, and the larger half has it."""
    mark, small, large = (quality.Span(*ends, "AGE") for ends in [(0, 10), (0, 4), (4, 10)])

    assert quality.match([mark], [small, large]) == [(mark, large)]


def test_match_prefers_the_largest_overlap() -> None:
    """A found span over two marks goes to the one it covers most; the other stays for another."""
    first, second = quality.Span(0, 4, "AGE"), quality.Span(5, 15, "AGE")
    across, inside = quality.Span(0, 12, "AGE"), quality.Span(13, 15, "AGE")

    assert quality.match([first, second], [across, inside]) == [(second, across)]


def test_ambiguous_span_takes_the_label_that_fits() -> None:
    """A span that may be two things is the one that is marked there."""
    place = quality.Prediction(0, 6, ("HOME_ADDRESS", "PLACE_OF_BIRTH"))
    marks = [quality.Span(4, 9, "HOME_ADDRESS"), quality.Span(0, 4, "PLACE_OF_BIRTH")]

    assert quality.resolve(place, marks) == quality.Span(0, 6, "PLACE_OF_BIRTH")


def test_ambiguous_span_that_fits_nothing_counts_against_its_first_label() -> None:
    """It is one false positive, not one per label."""
    place = quality.Prediction(0, 6, ("HOME_ADDRESS", "PLACE_OF_BIRTH"))

    assert quality.resolve(place, [quality.Span(0, 6, "AGE")]).label == "HOME_ADDRESS"


def test_shares_follow_from_counts() -> None:
    """Of 4 marks 3 are found, and 2 more that are none: P 3/5, R 3/4, F1 6/9."""
    counts = quality.Tally(gold=4, hit=3, spurious=2)

    assert counts.precision == pytest.approx(3 / 5)
    assert counts.recall == pytest.approx(3 / 4)
    assert counts.f1 == pytest.approx(6 / 9)


def test_shares_of_nothing_are_none() -> None:
    """Without marks there is no recall, without finds no precision; missing all is F1 nought."""
    assert quality.Tally(spurious=1).recall is None
    assert quality.Tally(spurious=1).f1 is None
    assert quality.Tally(gold=1).precision is None
    assert quality.Tally(gold=1).f1 == 0


def test_row_of_a_hand_counted_set() -> None:
    """One of two marks is hit in the first document; the second has none and one is found."""
    documents = [
        quality.Document(
            "one", "x" * 40, (quality.Span(0, 10, "AGE"), quality.Span(20, 30, "AGE"))
        ),
        quality.Document("two", "x" * 2_000, ()),
    ]
    found = [
        [quality.Span(0, 6, "AGE"), quality.Span(0, 6, "HEALTH")],
        [quality.Span(100, 102, "AGE")],
    ]

    row = quality.score(documents, found, ["AGE"])

    assert row.spans == quality.Tally(gold=2, hit=1, spurious=1)
    assert row.characters == quality.Tally(gold=20, hit=6, spurious=2)
    assert row.documents == quality.Tally(gold=1, hit=1, spurious=1)
    assert row.spurious_per_10k == pytest.approx(5)


def test_total_sums_the_rows() -> None:
    """The total counts every span once and every clean character once."""
    documents = [quality.Document("one", "x" * 100, ())]
    found = [[quality.Span(0, 5, "AGE"), quality.Span(0, 5, "HEALTH")]]

    total = quality.score_rows(documents, found, ["AGE", "HEALTH"])[quality.TOTAL]

    assert total.spans == quality.Tally(spurious=2)
    assert total.spurious_per_10k == pytest.approx(200)


def test_only_annotated_labels_are_judged() -> None:
    """In a document annotated for AGE, a surplus HEALTH span is neither right nor wrong."""
    document = quality.Document("one", "x" * 100, (), frozenset({"AGE"}))
    found = [[quality.Span(0, 5, "AGE"), quality.Span(0, 5, "HEALTH")]]

    rows = quality.score_rows([document], found, ["AGE", "HEALTH"])

    assert (rows["AGE"].spans.spurious, rows["AGE"].unjudged) == (1, 0)
    assert (rows["HEALTH"].spans.spurious, rows["HEALTH"].unjudged) == (0, 1)
    assert rows["HEALTH"].spurious_per_10k is None


def test_incomplete_marks_give_recall_alone() -> None:
    """With `annotated: []` a hit counts for recall, and for precision nothing does."""
    marks = (quality.Span(0, 10, "AGE"), quality.Span(20, 30, "AGE"))
    document = quality.Document("one", "x" * 100, marks, frozenset())

    row = quality.score(
        [document], [[quality.Span(0, 10, "AGE"), quality.Span(50, 60, "AGE")]], ["AGE"]
    )

    for counts in (row.spans, row.characters, row.documents):
        assert counts.precision is None
        assert counts.f1 is None
    assert row.spans.recall == pytest.approx(1 / 2)
    assert row.documents.recall == 1
    assert row.unjudged == 1


def test_document_is_not_found_by_a_span_elsewhere() -> None:
    """An AGE found where none is does not find the document's AGE."""
    document = quality.Document("one", "x" * 100, (quality.Span(0, 2, "AGE"),))

    counts = document_tally(document, [quality.Span(50, 52, "AGE")], "AGE")

    assert counts == quality.Tally(gold=1, hit=0, spurious=0)


def test_differences_name_what_was_missed_and_what_was_surplus() -> None:
    """What `--show` lists is what the row counts."""
    missed, surplus = quality.Span(0, 2, "AGE"), quality.Span(50, 52, "AGE")
    document = quality.Document("one", "x" * 100, (missed,))

    assert quality.differences(document, [surplus], "AGE") == ([missed], [surplus])


def test_a_mark_that_moves_is_no_value() -> None:
    """Each marked span has one span in the document of surrogates, also a ticked option."""
    text = "Marital status:  [ ] single   [x] married   [ ] divorced"
    at = text.index("married")
    document = quality.Document("d", text, (quality.Span(at, at + 7, "MARITAL_STATUS"),))

    after = surrogates.replaced(document, {}, defaultdict(surrogates.Forms))

    assert after.text != text
    assert [after.text[one.start : one.end] for one in after.spans] in (["single"], ["divorced"])


OPTIONS = ("mumps", "measles", "rubella", "scarlet fever", "polio")


def test_marks_that_move_to_one_place_are_values_of_their_own() -> None:
    """Of two ticked options whose marks move, neither takes the other's place or its count."""
    text = "Had as a child:  [ ] mumps   [x] measles   [ ] rubella   [x] scarlet fever   [ ] polio"
    spans = tuple(
        quality.Span(text.index(one), text.index(one) + len(one), "HEALTH")
        for one in ("measles", "scarlet fever")
    )

    for number in range(12):
        document = quality.Document(f"d{number}", text, spans)
        after = surrogates.replaced(document, {}, defaultdict(surrogates.Forms))

        assert len(set(after.spans)) == 2
        assert {text[one.start : one.end] for one in after.spans} <= set(OPTIONS)
        assert surrogates.found_again([document], [after])["HEALTH"][0] == 2


def test_values_that_become_one_are_counted_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two values whose surrogates stand at one place are two; a value found there counts twice."""
    old = quality.Document(
        "d", "tall, thin", (quality.Span(6, 10, "HEALTH"), quality.Span(0, 4, "HEALTH"))
    )
    new = quality.Document("d", "x" * 8, (quality.Span(0, 5, "HEALTH"),) * 2)
    monkeypatch.setattr(surrogates, "ours", lambda _: None)
    monkeypatch.setattr(surrogates, "find_all", lambda _, documents: [documents[0].spans])

    assert surrogates.found_again([old], [new]) == {"HEALTH": (2, 2, 2, 2)}


def test_unknown_label_stops_the_run() -> None:
    """A set with a label that is none of ours is not scored."""
    with pytest.raises(UnknownEntity):
        quality.parse({"id": "1", "text": "x", "spans": [{"start": 0, "end": 1, "label": "NAME"}]})


@pytest.mark.parametrize("style", ["table", "markdown", "json"])
def test_text_is_printed_only_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, style: str
) -> None:
    """Misses are listed by document and offsets; their text only with `--with-text`."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "blind_finder.py").write_text("def find(text): return []\n", encoding="utf-8")
    marked = tmp_path / "set.jsonl"
    marked.write_text(
        '{"id": "doc-7", "text": "Born in Brno.", '
        '"spans": [{"start": 8, "end": 12, "label": "PLACE_OF_BIRTH"}]}\n',
        encoding="utf-8",
    )
    options = ["blind_finder:find", str(marked), "--show", "misses", "--format", style]

    plain = CliRunner().invoke(quality.main, options)
    with_text = CliRunner().invoke(quality.main, [*options, "--with-text"])

    assert plain.exit_code == 0 and "doc-7" in plain.output and "Brno" not in plain.output
    assert with_text.exit_code == 0 and "Brno" in with_text.output


def test_pages_differ_and_come_again() -> None:
    """The measured text has the length asked for, no two pages alike, and is the same each time."""
    text = text_speed.sample(25_000)

    pages = text.split("PERSONNEL RECORD")
    assert len(text) == 25_000
    assert len(pages) == len(set(pages)) >= 10
    assert text == text_speed.sample(25_000)


def test_columns_follow_from_the_times() -> None:
    """10 ms a page, 2 s a document and 12 s for 1 MB are 4, 8 and 12 ms/kB: it grows by 2 and 3."""
    times = {2_500: 10.0, 25_000: 100.0, 250_000: 2_000.0, 1_000_000: 12_000.0}

    columns = text_speed.figures(times)

    assert columns["ms/kB at 2.5"] == pytest.approx(4)
    assert columns["at 250"] == pytest.approx(8)
    assert columns["growth"] == pytest.approx(2)
    assert columns["growth to 1,000"] == pytest.approx(3)


SETS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.jsonl"))


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name)
def test_documents_of_a_set_are_well_marked(path: Path) -> None:
    """Every span has a known label and stands in its text, trimmed, and overlaps no other."""
    documents = [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    for document in documents:
        spans = sorted(document["spans"], key=lambda span: int(span["start"]))
        for span in spans:
            marked = document["text"][span["start"] : span["end"]]
            assert marked and marked == marked.strip(), document["id"]
            assert span["label"] in LABELS
        assert all(one["end"] <= other["start"] for one, other in pairwise(spans))
    assert len({document["id"] for document in documents}) == len(documents)
