"""Rows and records have scopes of their own where a column or key names them."""

import io
import json
import re
import zipfile
from collections.abc import Sequence

import pytest

from presidio_cdip import steps
from presidio_cdip.documents.formats import format_of, open_document
from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import Picture, Remembering, Tools, rewrite, rewrite_any
from presidio_cdip.documents.segments import Settings
from presidio_cdip.documents.subjects import Stretch, by_subject
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten

KEY = b"a key for tests alone: 32 bytes."
DATE = re.compile(r"\d{4}-\d\d-\d\d")


def find(text: str) -> list[Span]:
    """Find dates."""
    return [Span(*one.span(), "DATE_TIME", 0.9, "x") for one in DATE.finditer(text)]


def tools() -> Tools:
    """Replace dates, in the scope "file" where no row has its own."""
    made = Replacement(steps.steps("surrogate", KEY), "file")
    return Tools(Remembering(find), lambda one, change: Picture(one.data, [], []), made.anonymize)


def dates(data: bytes, name: str, column: str) -> list[str]:
    """Return the dates of what is written."""
    new = rewrite(data, name, tools(), Settings(scope_column=column))[0]
    return DATE.findall(new.decode())


def moved(day: str, scope: str) -> str:
    """Return what a date becomes in a scope."""
    made = steps.steps("surrogate", KEY, scope)["DATE_TIME"]
    return steps.surrogates_of(made.params).surrogate("DATE_TIME", day)


@pytest.mark.parametrize("heading", ["Pat. No.", "pat.  no."])
@pytest.mark.parametrize("above", ["", "Ward 4\r\n", "Ward 4,,\r\n\r\n"])
def test_rows_of_a_table_have_the_scope_of_their_cell(heading: str, above: str) -> None:
    """Also below a title, however the heading is written; an empty cell is of nobody else."""
    table = (
        above + '"Pat. No.",Name,Seen\r\n17,Ellen,1950-12-30\r\n"18 ","Toll, J.",1950-12-30\r\n'
        '" ",Ann,1950-12-30\r\n17,Ellen,1951-01-04\r\n,Ann,1950-12-30\r\n19\r\n'
    )

    found = dates(table.encode(), "a.csv", heading)

    assert found[0] == moved("1950-12-30", "17")
    assert found[1] == moved("1950-12-30", "18")
    assert found[3] == moved("1951-01-04", "17")
    assert len({found[0], found[1], found[2], found[4]}) == 4


def test_what_stands_above_the_rows_is_of_the_file() -> None:
    """A title is about nobody."""
    table = b"Printed 1952-01-01,\nmrn,seen\n17,1950-12-30\n18,1950-12-30\n"

    assert dates(table, "a.csv", "mrn")[0] == moved("1952-01-01", "file")


RECORDS = [
    {"id": 7, "seen": ["1950-12-30", "1951-01-04"], "stays": [{"from": "1950-12-30"}]},
    {"id": "8", "seen": ["1950-12-30"], "stays": []},
    {"id": None, "seen": ["1950-12-30"], "note": {"id": ["9"]}},
    {"seen": ["1950-12-30"]},
]


def test_records_of_json_have_the_scope_of_their_key() -> None:
    """With all that stands in them; a record without a value is of nobody else."""
    data = json.dumps({"exported": "1952-01-01", "patients": RECORDS}).encode()

    found = dates(data, "a.json", "id")

    assert found[0] == moved("1952-01-01", "file")
    assert found[1:4] == [moved(one, "7") for one in ("1950-12-30", "1951-01-04", "1950-12-30")]
    assert found[4] == moved("1950-12-30", "8")
    assert len(set(found[3:])) == 4


@pytest.mark.parametrize("column", ["mrn", "MRN", "patient.mrn"])
def test_the_key_may_stand_in_an_object_of_the_record(column: str) -> None:
    """Then all of the record is about the subject, in lines of JSON as in lists."""
    records = [{"seen": "1950-12-30", "patient": {"mrn": one}} for one in ("A-1", "A-2", "A-1")] + [
        {"seen": "1950-12-30", "patient": {}}
    ]
    lines = "\n".join(map(json.dumps, records)).encode()

    for data, name in ((json.dumps(records).encode(), "a.json"), (lines, "a.jsonl")):
        found = dates(data, name, column)

        assert found[0] == found[2] == moved("1950-12-30", "A-1")
        assert len(set(found)) == 3


def test_the_inner_record_has_its_own_scope_unless_the_key_is_named_in_full() -> None:
    """Where visits have the same key as their patients."""
    data = json.dumps({"patients": [{"id": 1, "visits": [
        {"id": 8, "seen": "1950-12-30"}, {"id": 9, "seen": "1951-01-04"}]}]}).encode()  # fmt: skip

    assert dates(data, "a.json", "id")[1] == moved("1951-01-04", "9")
    assert dates(data, "a.json", "patients.id")[1] == moved("1951-01-04", "1")


def test_columns_beside_rows_of_json_name_scopes() -> None:
    """As pandas writes a table with ``orient="split"``."""
    data = json.dumps(
        {"columns": ["who", "seen"], "data": [["a", "1950-12-30"], ["b", "1950-12-30"]]}
    ).encode()

    assert dates(data, "a.json", "who") == [moved("1950-12-30", one) for one in ("a", "b")]


def test_rows_of_a_worksheet_have_the_scope_of_their_cell() -> None:
    """Wherever the heading stands; a sheet without it is of the file."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["B2"] = "Ward list"
    for row, cells in enumerate([("Patient #", "Seen"), (7, "1950-12-30"), ("P-8", "1950-12-30"),
                                 (None, "1950-12-30"), (7, "1951-01-04")], 4):  # fmt: skip
        for column, cell in enumerate(cells, 3):
            book.active.cell(row, column, cell)
    other = book.create_sheet()
    other.append(["Seen", "by"])
    other.append(["1950-12-30", "Dr. Toll"])
    out = io.BytesIO()
    book.save(out)

    new = rewrite(out.getvalue(), "a.xlsx", tools(), Settings(scope_column="patient #"))[0]

    read = openpyxl.load_workbook(io.BytesIO(new))
    found = [read.worksheets[0].cell(row, 4).value for row in range(5, 9)]
    assert found[0] == moved("1950-12-30", "7")
    assert found[1] == moved("1950-12-30", "P-8")
    assert found[3] == moved("1951-01-04", "7")
    file = moved("1950-12-30", "file")
    assert found[2] not in (found[0], found[1], file)
    assert read.worksheets[1]["A2"].value == file


def test_rows_of_a_table_in_a_letter_have_the_scope_of_their_cell() -> None:
    """A heading over two columns is one; the text around the table is of the file."""
    docx = pytest.importorskip("docx")
    letter = docx.Document()
    letter.add_paragraph("Printed 1952-01-01.")
    table = letter.add_table(4, 3)
    rows = [("Seen", "Who", ""), ("1950-12-30", "a", "x"), ("1950-12-30", "b", "x"),
            ("1951-01-04", "a", "y")]  # fmt: skip
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell
    table.cell(0, 1).merge(table.cell(0, 2))
    out = io.BytesIO()
    letter.save(out)

    new = rewrite(out.getvalue(), "a.docx", tools(), Settings(scope_column="who"))[0]

    read = docx.Document(io.BytesIO(new))
    assert DATE.findall(read.paragraphs[0].text) == [moved("1952-01-01", "file")]
    assert [one.text for one in read.tables[0].columns[0].cells[1:]] == [
        moved("1950-12-30", "a"), moved("1950-12-30", "b"), moved("1951-01-04", "a")
    ]  # fmt: skip


def test_cells_of_opendocument_agree_with_the_values_behind_them() -> None:
    """The same date of two subjects becomes two dates, in the text of the cell and in its value."""
    table = pytest.importorskip("odf.table")
    paragraph = pytest.importorskip("odf.text").P
    book = pytest.importorskip("odf.opendocument").OpenDocumentSpreadsheet()
    sheet = table.Table(name="stays")
    for who, seen in (("who", "seen"), ("a", "1950-12-30"), ("b", "1950-12-30")):
        row = table.TableRow()
        for text in (who, seen):
            given = {"valuetype": "date", "datevalue": text} if DATE.fullmatch(text) else {}
            cell = table.TableCell(**given)
            cell.addElement(paragraph(text=text))
            row.addElement(cell)
        sheet.addElement(row)
    book.spreadsheet.addElement(sheet)
    out = io.BytesIO()
    book.save(out)

    new = rewrite(out.getvalue(), "a.ods", tools(), Settings(scope_column="who"))[0]

    with zipfile.ZipFile(io.BytesIO(new)) as package:
        found = DATE.findall(package.read("content.xml").decode())
    assert found == [moved("1950-12-30", one) for one in "aabb"]


@pytest.mark.parametrize(
    ("data", "name", "problem"),
    [
        (b"mrn,seen\n1,1950-12-30\n", "a.csv", "no rows with a column 'who'"),
        (b'[{"mrn": 1}]', "a.json", "no rows with a column 'who'"),
        (b"who,seen,Who\n1,1950-12-30,2\n", "a.csv", "2 columns 'who'"),
        (b"Seen on 1950-12-30.\n", "a.txt", "no rows with a column 'who'"),
    ],
)
def test_a_file_without_the_column_is_refused(data: bytes, name: str, problem: str) -> None:
    """It would have one scope for many persons otherwise."""
    with pytest.raises(UnreadableInput, match=problem):
        rewrite_any(data, name, tools(), Settings(scope_column="who"))


def test_a_subject_does_not_depend_on_others() -> None:
    """Its rows become the same in whatever file they stand."""
    rows = [f"{one},1950-12-{day}" for one, day in (("a", 10), ("b", 11), ("a", 30))]
    table = "\n".join(["who,seen", *rows, ""]).encode()
    own = "\n".join(["who,seen", rows[0], rows[2], ""]).encode()

    together = dates(table, "a.csv", "who")

    assert [together[0], together[2]] == dates(own, "a.csv", "who")


def shouting(text: str, spans: Sequence[Span], scope: str) -> Rewritten:
    """Replace values by the scope, of whatever length, and a word before them."""
    parts: list[str] = []
    items: list[Item] = []
    at = size = 0
    for span in spans:
        gap = re.sub(r"\ban? \Z", "one ", text[at : span.start])
        new = f"<{scope}:{text[span.start : span.end]}>"
        items.append(Item(size + len(gap), size + len(gap) + len(new), new, span, "replace"))
        parts += [gap, new]
        size += len(gap) + len(new)
        at = span.end
    return Rewritten("".join([*parts, text[at:]]), items)


def test_stretches_are_put_together_again() -> None:
    """Items stand where they say; a finding that reaches beyond its stretch is cut."""
    text = "head 1. a 22, b 333. an x 4 5. tail 6"
    spans = [Span(one.start(), one.end(), "N", 1.0, "") for one in re.finditer(r"\d+", text)]
    spans[3] = Span(text.index("4"), text.index("4") + 3, "N", 1.0, "")
    del spans[4]
    cut = text.index("4") + 2
    subjects = [Stretch(8, 14, "A"), Stretch(14, 20, "B"), Stretch(21, cut, "A"),
                Stretch(cut, cut + 2, "B")]  # fmt: skip

    written = by_subject(text, spans, subjects, shouting)

    assert written.text == ("head <:1>. one <A:22>, b <B:333>. an x <A:4 ><B:5>. tail <:6>")
    for item in written.items:
        assert written.text[item.start : item.end] == item.text
        assert text[item.span.start : item.span.end] in item.text


def test_findings_in_any_order_are_all_replaced() -> None:
    """Also where they overlap, as a finder of one's own may give them."""
    text = "date 1950-12-30, date 1951-01-04"
    spans = [
        Span(21, 31, "DATE_TIME", 0.9, "x"),
        Span(0, 32, "HEALTH", 0.1, "x"),
        Span(5, 15, "DATE_TIME", 0.9, "x"),
    ]
    made = Replacement(steps.steps("redact", KEY), "file")

    written = made.anonymize(text, spans, [Stretch(0, 17, "a"), Stretch(17, 32, "b")])

    assert not re.search(r"\d|date", written.text)


def test_texts_without_the_setting_are_of_one_scope() -> None:
    """A column is nobody's unless it is named."""
    data = b"mrn,seen\n1,1950-12-30\n"
    kind = format_of(data, "a.csv")
    assert kind

    assert Joined.of(open_document(data, "a.csv", kind, Settings()).segments).subjects == []
