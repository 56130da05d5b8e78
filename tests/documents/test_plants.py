"""What is planted where text hides is not left in a document that was written."""

from pathlib import PurePath

import pytest

from benchmarks.documents import judge
from benchmarks.documents_opening import OPENERS, opens
from benchmarks.documents_oracle import left_in
from benchmarks.documents_plants import ALL, BODY, NEUTRAL, Plant, plants
from benchmarks.documents_running import DONE, Outcome, rewritten

pytestmark = pytest.mark.checkout

STOPPED = (
    "docx: name of an embedded font", "xlsx: default style of pivots", "eml: name of a boundary"
)  # fmt: skip
"""Places that nothing rewrites: a document in which a value stands there is not written."""

NOTED = (
    "json: packed message in base64",
    "json: packed by zlib, in base64",
    "eml: block of letters",
)
"""Places that nothing reads: the report says so."""

QUICK = (
    "docx: split runs", "docx: comment author", "docx: deleted text", "docx: target of a link",
    "docx: custom XML", "docx: embedded workbook", "docx: OLE object", "docx: header in UTF-16",
    "docx: cached categories of a chart", "docx: comment of the ZIP file",
    "xlsx: shared string of several runs", "xlsx: name of a sheet, and references",
    "xlsx: number under a format", "xlsx: pivot cache", "xlsx: person of a threaded comment",
    "pptx: split runs", "pptx: notes", "pptx: section", "pptx: author of modern comments",
    "odt: spans, and blanks as elements", "odt: author of a deletion", "odt: embedded object",
    "eml: encoded name of a recipient", "eml: quoted-printable text", "eml: file name in pieces",
    "eml: attached document", "json: escaped letters", "json: number", "csv: header",
    "csv: semicolons, UTF-16", "html: split by tags", "html: comment", "html: target of a link",
    "pdf: letter by letter", "pdf: codes that only a table explains", "pdf: form in a form",
    "pdf: outline", "pdf: title and author", "pdf: value of a field", "pdf: attachment",
    "pdf: text under a black box", "pdf: previous revision", "pdf: appearance of a note",
    "docx: file in base64 in custom XML", "xlsx: query of Power Query", "xlsx: slicer",
    "odt: name of a sheet in the settings", "odt: printer's setup", "eml: card",
    "eml: attached XML", "eml: format that flows", "json: token", "json: HTML in a string",
    "json: UTF-16 in base64", "csv: JSON in a cell", "csv: base64 in a cell", "html: script",
    "html: style", "html: handler", "xml: character references", "xml: split by elements",
    "vcf: quoted-printable, base64 and folds", "pdf: comment among the operators",
    "pdf: name of a property", *STOPPED, *NOTED,
)  # fmt: skip
"""A place of each kind; pictures, which need OCR, are among the slow ones."""

PLACES = [
    pytest.param(name, marks=() if number % 3 == 0 else pytest.mark.slow)
    for number, name in enumerate(QUICK)
]
"""One place in three is always tried; the slow tests try all."""

SEEN = ("docx: picture", "pdf: scanned page", "pdf: picture", "pdf: font without Unicode")
"""Places that OCR reads."""

EVERY = {plant.name: plant for plant in plants()}


def check(plant: Plant, *, ocr: bool) -> None:
    """Rewrite a plant, and assert that nothing planted is left, and the rest is."""
    outcome = rewritten(plant.build(BODY), plant.file, plant.settings(), threads=1)

    columns, lines = judge(plant, outcome, ocr)
    if plant.name in NOTED:
        assert outcome.report is not None and outcome.report.unread
    else:
        assert columns == ["stopped" if plant.name in STOPPED else DONE], lines


@pytest.mark.parametrize("name", PLACES)
def test_nothing_planted_is_left(name: str) -> None:
    """Not in bytes, members, streams, attributes or names."""
    check(EVERY[name], ocr=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_nothing_is_left_that_can_be_seen(name: str) -> None:
    """Nor in pictures, and pages as they are seen; `benchmarks.documents` has all places."""
    check(EVERY[name], ocr=True)


@pytest.mark.parametrize("name", PLACES)
def test_oracle_sees_what_is_planted(name: str) -> None:
    """In the place alone, without the sentence in the main text."""
    plant = EVERY[name]

    left = left_in(plant.build(NEUTRAL), plant.file, plant.planted, ocr=False)

    assert {value for value, _ in left.found} == set(plant.planted)


@pytest.mark.parametrize("name", PLACES)
def test_plants_open_elsewhere(name: str) -> None:
    """They are documents as others write them, and read them."""
    plant = EVERY[name]
    data = plant.build(BODY)

    assert [opens(opener, data) for opener in OPENERS.get(plant.suffix, ())] == [
        "" for _ in OPENERS.get(plant.suffix, ())
    ]


def test_result_with_a_planted_value_is_judged_as_such() -> None:
    """A document that is given out as it was counts as found."""
    plant = EVERY["docx: comment author"]

    columns, _ = judge(plant, Outcome(DONE, data=plant.build(BODY)), ocr=False)

    assert "found" in columns


def test_result_without_its_text_is_judged_as_such() -> None:
    """An empty document has nothing planted in it, and is no success."""
    plant = EVERY["docx: comment author"]

    columns, _ = judge(plant, Outcome(DONE, data=plant.build("").replace(ALL.encode(), b"")), False)

    assert "lost" in columns


def test_plants_have_as_many_places_as_were_asked() -> None:
    """Each of them under a name and a file name of its own."""
    asked = {"docx": 40, "xlsx": 25, "pptx": 15, "pdf": 25, "eml": 10, "odt": 15, "json": 5,
             "csv": 5, "html": 5}  # fmt: skip
    every = list(plants())

    assert len({plant.file for plant in every}) == len({plant.name for plant in every})
    assert len(every) == len(EVERY)
    assert all(PurePath(plant.file).suffix == plant.suffix for plant in every)
    for form, count in asked.items():
        assert sum(plant.format == form for plant in every) >= count
