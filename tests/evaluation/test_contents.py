"""Table 3, figure 3, prevalence and what was not read, counted by hand."""

from collections import Counter

import pytest

from presidio_cdip.evaluation.audit import Collected, areas, contents, sampled, unread
from presidio_cdip.evaluation.records import PageRecord, Record
from presidio_cdip.evaluation.sections import Bars, Figure, Histogram, Table
from presidio_cdip.evaluation.statistics import prevalence, wilson

AGE, NAME, SSN = "AGE", "PERSON", "US_SSN"


def record(dataset: str, *entities: str, covered: float = 0.0, unread: int = 0) -> Record:
    """A page image with one value of each entity, found with high confidence."""
    findings = Counter({(entity, "≥ .9"): 1 for entity in entities})
    return Record(dataset, "image", findings, (PageRecord(covered, unread),), unread)


@pytest.fixture
def collected() -> Collected:
    """Two datasets: four documents and one that was not read; two documents."""
    of = Collected(names=[NAME])
    for one in (
        record("a", AGE, SSN, covered=0.004),
        record("a", AGE, covered=0.015),
        record("a", NAME, covered=0.02),
        record("a", unread=2),
        Record("a", problem=True),
        record("b", SSN, covered=1.0),
        record("b"),
    ):
        of.add(one)
    return of


def test_table_3_counts_documents_and_shares_of_those_read(collected: Collected) -> None:
    """7 documents, 6 read, 3 sensitive: a name alone makes no document sensitive."""
    table = contents(collected).parts[0]

    assert isinstance(table, Table)
    assert [name for name, _ in table.columns] == [
        "", "together", "together, share", "95 % interval", "a", "a, share", "b", "b, share",
    ]  # fmt: skip
    assert table.rows == [
        ["documents", 7, None, None, 5, None, 2, None],
        ["read", 6, None, None, 4, None, 2, None],
        ["sensitive", 3, 0.5, wilson(3, 6), 2, 0.5, 1, 0.5],
        [AGE, 2, 2 / 6, wilson(2, 6), 2, 0.5, 0, 0.0],
        [SSN, 2, 2 / 6, wilson(2, 6), 1, 0.25, 1, 0.5],
        [NAME, 1, 1 / 6, wilson(1, 6), 1, 0.25, 0, 0.0],
    ]


def test_figures_of_contents_are_those_of_the_table(collected: Collected) -> None:
    """Shares with their intervals by dataset; documents with each entity; values by confidence."""
    parts = {part.id: part for part in contents(collected).parts}

    shares, entities = parts["sensitive_share"], parts["documents_by_entity"]
    assert isinstance(shares, Figure) and isinstance(shares.chart, Bars)
    assert shares.chart.values == {"a": 0.5, "b": 0.5}
    assert shares.chart.intervals == {"a": wilson(2, 4), "b": wilson(1, 2)}
    assert isinstance(entities, Figure) and isinstance(entities.chart, Bars)
    assert entities.chart.values == {AGE: 2, SSN: 2, NAME: 1}
    values = parts["values_by_confidence"]
    assert isinstance(values, Table)
    assert values.rows[0] == [AGE, 0, 0, 0, 0, 2, 0, 2]


def test_figure_3_counts_pages_by_area(collected: Collected) -> None:
    """Boxes on .4 %, 1.5 %, 2 % and all of a page; a class has its lower edge, the last both."""
    section = areas(collected)

    assert section is not None
    (figure,) = section.parts
    assert isinstance(figure, Figure) and isinstance(figure.chart, Histogram)
    assert figure.chart.series == {"pages": [1, 0, 1, 1, 0, 0, 0, 0, 1]}
    assert "2 of 4 pages with findings have less than 2 %" in section.remarks[0]


def test_prevalence_is_of_all_documents(collected: Collected) -> None:
    """3 of 6 read were drawn from 70."""
    (table,) = sampled(collected, {"a": 50, "b": 20}).parts

    expected = prevalence(3, 6, 70)
    assert expected is not None and isinstance(table, Table)
    low, high = expected.documents
    assert table.rows[0] == ["sensitive", 3, 0.5, expected.interval, f"{low} – {high}"]


def test_what_was_not_read_is_counted_by_dataset(collected: Collected) -> None:
    """One document of a was not read, and one has two regions that nothing read."""
    (table,) = unread(collected).parts

    assert isinstance(table, Table)
    assert table.rows == [["a", 5, 1, 1, 1, 1, 2], ["b", 2, 0, 0, 0, 0, 0]]
