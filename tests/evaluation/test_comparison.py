"""Tables 1 and 2, counted by hand, and the agreement of annotators from files."""

import json
from pathlib import Path

import pytest

from presidio_cdip.errors import CdipError, UnknownEntity, UnreadableInput
from presidio_cdip.evaluation import annotators, gold
from presidio_cdip.evaluation.comparison import (
    ALL,
    compare,
    overall,
    read_findings,
    support,
)
from presidio_cdip.evaluation.gold import Document, Span
from presidio_cdip.evaluation.statistics import wilson

AGE, SEX = "AGE", "GENDER"


def document(name: str, *spans: Span, annotated: frozenset[str] | None = None) -> Document:
    return Document(name, "x" * 100, spans, annotated)


DOCUMENTS = [
    document("1", Span(0, 4, AGE), Span(10, 14, AGE)),
    document("2", Span(0, 4, AGE), Span(20, 24, SEX)),
    document("3"),
    document("4", annotated=frozenset({SEX})),  # nothing is known of ages there
]
FOUND = [
    [Span(0, 4, AGE)],  # one of two: the document counts as found
    [Span(3, 13, AGE)],  # shares less than half of the shorter: missed, and no new document
    [Span(50, 54, AGE)],  # spurious
    [Span(50, 54, AGE)],  # not judged
]


def test_documents_are_counted_by_entity() -> None:
    """Ages: 1 of 2 documents found; 1 right of 2 flagged. Nobody found the one gender."""
    age, sex, both = compare(DOCUMENTS, {"tool": FOUND}, [AGE, SEX, "HEALTH"])

    assert (age.entity, age.marked, age.hit, age.recall) == (AGE, 2, 1, 0.5)
    assert age.recall_interval == wilson(1, 2)
    assert (age.flagged, age.precision, age.precision_interval) == (2, 0.5, wilson(1, 2))
    assert (sex.entity, sex.marked, sex.recall, sex.precision) == (SEX, 1, 0.0, None)
    assert (both.entity, both.marked, both.hit, both.flagged) == (ALL, 3, 1, 2)


def test_f1_of_spans_is_over_all_entities() -> None:
    """1 right, 2 wrong (one unjudged), 3 missed: 2 / (2 + 2 + 3)."""
    (row,) = overall(DOCUMENTS, {"tool": FOUND}, [AGE, SEX])

    assert row.spans == 4
    assert row.f1 == pytest.approx(2 / 7)
    assert row.interval is not None and row.interval.low <= 2 / 7 <= row.interval.high


def test_findings_of_another_tool_must_name_every_document(tmp_path: Path) -> None:
    """A document that a tool did not see is not one in which it found nothing."""
    file = tmp_path / "tool.jsonl"
    file.write_text('{"id": "1", "spans": [{"start": 0, "end": 4, "label": "AGE"}]}\n')

    assert read_findings(file, DOCUMENTS[:1]) == [[Span(0, 4, AGE)]]
    with pytest.raises(UnreadableInput, match="lacks 3 of 4"):
        read_findings(file, DOCUMENTS)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"id": "1", "text": "", "spans": [{"start": 0, "end": 4, "label": "X"}]}', UnknownEntity),
        ('{"id": "1", "text": ""}', UnreadableInput),
        ('{"id": "1", "spans": [3]}', UnreadableInput),
        ("no JSON", UnreadableInput),
    ],
)
def test_marked_documents_out_of_format_are_refused(
    line: str, error: type[CdipError], tmp_path: Path
) -> None:
    """The message names the file, or the entity, and never the text."""
    file = tmp_path / "gold.jsonl"
    file.write_text(line)

    with pytest.raises(error):
        list(gold.read(file))


def test_support_is_a_tick_for_each_detector() -> None:
    """Rules, model, then the other tools in their order."""
    rows = list(support({AGE: ["rules", "model"], SEX: ["model"]}, {"other": [AGE]}))

    assert rows == [(AGE, (True, True, True)), (SEX, (False, True, False))]


def test_agreement_is_read_from_a_file_of_each_annotator(tmp_path: Path) -> None:
    """Ages: A says yes yes no no, B yes no no no: p_o 3/4, p_e 1/2, Cohen 1/2."""
    files = []
    for name, having in (("a", "12"), ("b", "1")):
        files.append(tmp_path / f"{name}.jsonl")
        mark = [{"start": 0, "end": 2, "label": AGE}]
        rows = [{"id": one, "text": "", "spans": mark if one in having else []} for one in "1234"]
        files[-1].write_text("\n".join(map(json.dumps, rows)))

    (table,) = annotators.section(annotators.read_annotators(files)).parts

    anything, age = table.rows  # type: ignore[union-attr]
    assert anything[1:] == age[1:]
    # Fleiss: mean P_i 3/4; p 3/8: P_e (9 + 25) / 64; alpha: 1 - 7 * 2 / (2 * 3 * 5).
    assert age == [AGE, 2, 4, pytest.approx(7 / 15), pytest.approx(16 / 30), 0.5, 0.5]


def test_a_label_that_an_annotator_did_not_mark_is_a_gap() -> None:
    """Who did not look for an entity does not say that it is absent."""
    marked, open_ = document("1"), document("1", annotated=frozenset())

    assert annotators.ratings([{"1": marked}, {"1": open_}, {}], AGE) == [[False], [None], [None]]
