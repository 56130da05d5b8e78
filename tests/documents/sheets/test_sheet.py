"""Workbooks are read as they are displayed, and written with other text and nothing else."""

import io
import re
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

import openpyxl
import pytest

from presidio_cdip.documents.formats import FORMATS, open_document
from presidio_cdip.documents.segments import Document, Edit, Segment, Settings
from presidio_cdip.documents.sheets import sheet
from presidio_cdip.errors import TextTooLong, UnreadableInput
from tests.documents.sheets.builders_sheet import package, part, relations, rows, workbook

NAME, NEW = "Dana Fox", "Ruth Hale"
SSN = "000-00-0000"


def read(data: bytes) -> Document:
    """Open a workbook."""
    return sheet.opened(data, "a.xlsx", Settings())


def rewritten(data: bytes, new: Mapping[str, str]) -> bytes:
    """Replace each text of *new*, wherever it is read, and open the result with openpyxl."""
    document = read(data)
    edits = {}
    for index, segment in enumerate(document.segments):
        found = [
            Edit(match.start(), match.end(), new[match.group()], "PERSON")
            for match in re.finditer("|".join(map(re.escape, new)), segment.text)
        ]
        if found:
            edits[index] = found
    assert edits
    out = document.write(edits, {})
    openpyxl.load_workbook(io.BytesIO(out))
    return out


def cells(data: bytes, title: str = "S") -> dict[str, object]:
    """Return the values of the cells of a sheet, as openpyxl sees them."""
    found = openpyxl.load_workbook(io.BytesIO(data))[title]
    return {one.coordinate: one.value for row in found.iter_rows() for one in row if one.value}


def parts(data: bytes) -> dict[str, str]:
    """Return the parts of a package."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def seen(data: bytes) -> list[tuple[str, str, str]]:
    """Return label, text and place of all that is read."""
    return [(one.label, one.text, one.place.where) for one in read(data).segments]


def people() -> bytes:
    """A list of people, with numbers under formats."""
    return workbook(
        {
            "S": rows(
                ["s0", "s1", "s2"],
                ["s3", "n271240538|1", "n30000|2"],
                ["<c r='A3' t='inlineStr'><is><t>Al Ray</t></is></c>", "n900112233|1", ""],
            )
        },
        ["Name", "SSN", "Born", NAME],
        [SSN, "m/d/yyyy"],
    )


def test_cells_are_read_as_displayed() -> None:
    """In the order of rows, each with the header of its column."""
    found = seen(people())

    assert found[:8] == [
        ("", "Name", "Sheet 1, A1"),
        ("", "SSN", "Sheet 1, B1"),
        ("", "Born", "Sheet 1, C1"),
        ("Name", NAME, "Sheet 1, A2"),
        ("SSN", "271-24-0538", "Sheet 1, B2"),
        ("Born", "2/18/1982", "Sheet 1, C2"),
        ("Name", "Al Ray", "Sheet 1, A3"),
        ("SSN", "900-11-2233", "Sheet 1, B3"),
    ]


def test_rows_are_parted() -> None:
    """Nothing goes on from the last cell of a row to the next."""
    segments = read(people()).segments

    assert [one.after for one in segments[:8]] == ["\n", "\n", "\n\n"] * 2 + ["\n", "\n\n"]


def test_numbers_stay_numbers() -> None:
    """A surrogate is stored as a number under the same format, where it is one."""
    out = rewritten(
        people(), {"271-24-0538": "900-55-0001", "2/18/1982": "3/1/1983", "900-11-2233": "X"}
    )

    text = parts(out)["xl/worksheets/sheet1.xml"]
    assert '<c r="B2" s="1"><v>900550001</v></c>' in text
    assert '<c r="C2" s="2"><v>30376</v></c>' in text
    assert '<c r="B3" s="1" t="inlineStr"><is><t>X</t></is></c>' in text


def test_other_parts_stay_byte_for_byte() -> None:
    """Without an edit all of them do; with one, all but those that hold it."""
    data = people()

    same = read(data).write({}, {})
    other = rewritten(data, {NAME: NEW})

    assert parts(same) == parts(data)
    changed = {name for name, text in parts(other).items() if text != parts(data)[name]}
    assert changed == {"xl/sharedStrings.xml"}


def test_shared_string_is_parted_where_edits_differ() -> None:
    """The cell that is not edited keeps its string; others get strings of their own."""
    data = workbook({"S": rows(["s0"], ["s0"], ["s0"])}, [NAME])

    out = read(data).write({0: [Edit(0, 4, "Ruth", "X")], 2: [Edit(0, 8, "Al", "X")]}, {})

    assert cells(out) == {"A1": "Ruth Fox", "A2": NAME, "A3": "Al"}


def test_runs_keep_their_formatting() -> None:
    """An edit across runs goes to the first; phonetic readings of the old text go."""
    rich = (
        "<r><rPr><b/></rPr><t>Dana </t></r><r><rPr><i/></rPr><t>Fox left</t></r>"
        '<rPh sb="0" eb="4"><t>DANA</t></rPh><phoneticPr fontId="0"/>'
    )
    data = workbook({"S": rows(["s0"])}, [rich])

    out = parts(rewritten(data, {NAME: NEW}))["xl/sharedStrings.xml"]

    assert "<r><rPr><b/></rPr><t>Ruth Hale</t></r>" in out
    assert '<r><rPr><i/></rPr><t xml:space="preserve"> left</t></r></si>' in out


def test_readings_and_unused_strings_are_read() -> None:
    """Nobody sees them; programs do."""
    data = workbook(
        {"S": rows(["s0"])}, ["<t>X</t><rPh sb='0' eb='1'><t>Dana Fox</t></rPh>", "Dana Fox too"]
    )

    out = rewritten(data, {NAME: NEW})

    assert NAME not in parts(out)["xl/sharedStrings.xml"]
    assert "Ruth Hale too" in parts(out)["xl/sharedStrings.xml"]


def test_results_that_depend_on_edits_are_dropped() -> None:
    """Through other formulas too; the rest stays, and all is calculated on opening."""
    data = workbook(
        {
            "S": rows(["s0", "=UPPER(A1)|DANA FOX", "=LEFT(B1,3)|DAN", "=A2|x", "=People|Dana"]),
            "T": rows(["=S!A1|Dana F.", "=1+1|2"]),
        },
        [NAME],
        inner='<definedNames><definedName name="People">S!$A:$A</definedName></definedNames>',
        links=[("rIdC", "calcChain", "calcChain.xml")],
        more={"xl/calcChain.xml": part("calcChain", '<c r="B1" i="1"/>')},
    )

    out = parts(rewritten(data, {NAME: NEW}))

    first, second = out["xl/worksheets/sheet1.xml"], out["xl/worksheets/sheet2.xml"]
    assert "DAN" not in first and "Dana" not in first + second
    assert "<f>UPPER(A1)</f>" in first and '<c r="D1" t="str"><f>A2</f><v>x</v></c>' in first
    assert '<c r="B1" t="str"><f>1+1</f><v>2</v></c>' in second
    assert 'fullCalcOnLoad="1"' in out["xl/workbook.xml"] and "xl/calcChain.xml" not in out


def test_shared_formula_reaches_down() -> None:
    """The cells that repeat it depend on other cells than the first."""
    shared = (
        '<c r="B1" t="str"><f t="shared" ref="B1:B2" si="0">A1</f><v>one</v></c>',
        '<c r="B2" t="str"><f t="shared" si="0"/><v>two</v></c>',
    )
    data = workbook({"S": rows(["s0", shared[0]], ["s1", shared[1]])}, ["one", NAME])

    out = parts(rewritten(data, {NAME: NEW}))["xl/worksheets/sheet1.xml"]

    assert "<v>one</v>" in out and "<v>two</v>" not in out


def test_literals_in_formulas_are_read() -> None:
    """Their quotation marks stay doubled."""
    data = workbook({"S": rows(["n1", '=IF(A1=1,"Dana Fox ""D""","no")|x'])})

    assert ("", 'Dana Fox "D"', "Sheet 1, B1, formula") in seen(data)
    assert cells(rewritten(data, {NAME: NEW}))["B1"] == '=IF(A1=1,"Ruth Hale ""D""","no")'


def test_formula_in_which_its_result_stands_becomes_a_value() -> None:
    """What was found in the result would still stand in the formula."""
    data = workbook(
        {
            "S": rows(
                [
                    '<c r="A1" s="2"><f>DATE(1982,2,18)</f><v>30000</v></c>',
                    '="Dana "&"Fox"|Dana Fox',
                ],
                ['<c r="A2" s="1"><f>B2+271240538</f><v>1</v></c>'],
            )
        },
        (), [SSN, "m/d/yyyy"],
    )  # fmt: skip

    out = rewritten(data, {"2/18/1982": "3/1/1983", NAME: NEW, "271240538": "x"})

    text = parts(out)["xl/worksheets/sheet1.xml"]
    assert '<c r="A1" s="2"><v>30376</v></c>' in text and "DATE" not in text
    assert '<c r="B1" t="inlineStr"><is><t>Ruth Hale</t></is></c>' in text
    assert '<c r="A2" s="1"><f>B2+"x"</f></c>' in text


def test_sheet_is_renamed_everywhere() -> None:
    """In formulas of cells, in defined names, in links and in pivot sources."""
    link = '<hyperlinks><hyperlink ref="A1" location="\'Dana Fox\'!A1"/></hyperlinks>'
    data = workbook(
        {"Dana Fox": rows(["n1"]), "S": rows(["='Dana Fox'!A1+1|2"]) + link},
        inner="<definedNames><definedName name='Dana_x'>'Dana Fox'!$A$1</definedName>"
        "</definedNames>",
    )

    out = rewritten(data, {NAME: "Ruth: Hale"})

    book = openpyxl.load_workbook(io.BytesIO(out))
    assert book.sheetnames == ["Ruth_ Hale", "S"]
    assert book["S"]["A1"].value == "='Ruth_ Hale'!A1+1"
    assert book.defined_names["Dana_x"].value == "'Ruth_ Hale'!$A$1"
    assert "location=\"'Ruth_ Hale'!A1\"" in parts(out)["xl/worksheets/sheet2.xml"]


def test_column_of_a_table_follows_its_header() -> None:
    """So do formulas that name it."""
    table = part(
        "table",
        '<autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="Dana Fox"/>'
        '<tableColumn id="2" name="Sum"/></tableColumns>',
    ).replace("<table ", '<table id="1" name="T" displayName="T" ref="A1:B2" ', 1)
    data = workbook(
        {"S": rows(["s0", "s1"], ["n1", "=SUM(T[Dana Fox])|1"])
         + '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>'},
        [NAME, "Sum"],
        more={
            "xl/tables/table1.xml": table,
            "xl/worksheets/_rels/sheet1.xml.rels": relations(
                ("rId1", "table", "../tables/table1.xml")
            ),
        },
    )  # fmt: skip

    out = rewritten(data, {NAME: NEW})

    assert openpyxl.load_workbook(io.BytesIO(out))["S"].tables["T"].column_names == [NEW, "Sum"]
    assert cells(out) == {"A1": NEW, "B1": "Sum", "A2": 1, "B2": "=SUM(T[Ruth Hale])"}


HIDDEN = {
    "validation": '<dataValidations><dataValidation type="list" sqref="A1" promptTitle="Dana Fox"'
    ' prompt="Ask Dana Fox" errorTitle="Dana Fox" error="Not Dana Fox">'
    '<formula1>"Dana Fox,Al"</formula1></dataValidation></dataValidations>',
    "header": "<headerFooter><oddHeader>&amp;L&amp;8of &amp;BDana Fox&amp;C&amp;P</oddHeader>"
    "</headerFooter>",
    "condition": '<conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" '
    'operator="containsText" text="Dana Fox"><formula>NOT(ISERROR(SEARCH("Dana Fox",A1)))'
    "</formula></cfRule></conditionalFormatting>",
    "scenario": '<scenarios><scenario name="Dana Fox" user="Dana Fox" comment="by Dana Fox">'
    '<inputCells r="A1" val="Dana Fox"/></scenario></scenarios>',
    "filter": '<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="Dana Fox"/>'
    "</filters></filterColumn></autoFilter>",
    "protection": '<protectedRanges><protectedRange sqref="A1" name="Dana Fox"/></protectedRanges>',
    "comment in XML": "<!-- Dana Fox -->",
}


@pytest.mark.parametrize("where", HIDDEN)
def test_hidden_texts_are_rewritten(where: str) -> None:
    """Wherever a sheet may hold text outside of its cells."""
    data = workbook({"S": rows(["n1"]) + HIDDEN[where]})

    out = parts(rewritten(data, {NAME: NEW}))["xl/worksheets/sheet1.xml"]

    assert NAME not in out and NEW in out
    assert out.count(NEW) == HIDDEN[where].count(NAME)


def test_codes_of_print_headers_stay() -> None:
    """The text is read without them."""
    data = workbook({"S": rows(["n1"]) + HIDDEN["header"]})

    out = parts(rewritten(data, {NAME: NEW}))["xl/worksheets/sheet1.xml"]

    assert ("", "of Dana Fox", "print header") in seen(data)
    assert "&amp;L&amp;8of &amp;BRuth Hale&amp;C&amp;P" in out


def test_literal_of_a_number_format_is_read() -> None:
    """The rest of the format stays."""
    out = rewritten(workbook({"S": rows(["n5|1"])}, (), ['0 "for Dana Fox";;']), {NAME: NEW})

    assert "0 &quot;for Ruth Hale&quot;;;" in parts(out)["xl/styles.xml"]


def test_pivot_cache_follows_the_cells() -> None:
    """Its items are as the cells, its extremes go, and it is refreshed on opening."""
    cache = part(
        "pivotCacheDefinition",
        '<cacheSource type="worksheet"><worksheetSource ref="A1:A2" sheet="S"/></cacheSource>'
        '<cacheFields><cacheField name="SSN"><sharedItems containsNumber="1" '
        'minValue="271240538" maxValue="271240538"><n v="271240538"/></sharedItems>'
        "</cacheField></cacheFields>",
    )
    data = workbook(
        {"S": rows(["s0"], ["n271240538|1"])}, ["SSN"], [SSN],
        links=[("rIdP", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml")],
        more={"xl/pivotCache/pivotCacheDefinition1.xml": cache},
    )  # fmt: skip

    out = read(data).write({1: [Edit(0, 11, "900-55-0001", "US_SSN")]}, {})

    text = parts(out)["xl/pivotCache/pivotCacheDefinition1.xml"]
    assert '<n v="900550001"/>' in text and "271240538" not in text
    assert 'refreshOnLoad="1"' in text


def test_comments_and_their_authors_are_read() -> None:
    """Text in runs, and who wrote it."""
    comments = part(
        "comments",
        "<authors><author>Dana Fox</author></authors><commentList><comment ref='A1' authorId='0'>"
        "<text><r><t>Dana </t></r><r><t>Fox left</t></r></text></comment></commentList>",
    )
    data = workbook(
        {"S": rows(["n1"])},
        more={
            "xl/comments1.xml": comments,
            "xl/worksheets/_rels/sheet1.xml.rels": relations(
                ("rId1", "comments", "../comments1.xml"), ("rId2", "hyperlink", f"mailto:{NAME}")
            ),
        },
    )

    out = parts(rewritten(data, {NAME: NEW}))

    assert not [name for name, text in out.items() if NAME in text]
    assert "<author>Ruth Hale</author>" in out["xl/comments1.xml"]


def test_revision_log_is_removed() -> None:
    """It holds what cells held before, and is reported."""
    log = part("headers", '<header guid="{0}" userName="Dana Fox"/>')
    data = workbook(
        {"S": rows(["n1"])},
        links=[("rIdR", "revisionHeaders", "revisions/revisionHeaders.xml")],
        more={"xl/revisions/revisionHeaders.xml": log},
    )
    document = read(data)

    out = parts(document.write({}, {}))

    assert [one.what for one in document.removed] == ["a log of revisions"]
    assert "revision" not in "".join(out) and NAME not in "".join(out.values())


def test_comments_among_cells_are_removed() -> None:
    """No program shows them; they are reported."""
    data = workbook({"S": rows(["n1", "<!-- Dana Fox --><?Dana Fox?>", "n2"])})
    document = read(data)

    out = parts(document.write({}, {}))

    assert [one.what for one in document.removed] == ["comments in its XML"]
    assert "Dana" not in out["xl/worksheets/sheet1.xml"]
    assert [one.text for one in document.segments[:2]] == ["1", "2"]


def test_text_between_cells_is_refused() -> None:
    """Nobody would see it, and nothing would find it."""
    with pytest.raises(UnreadableInput, match="outside of its cells"):
        read(workbook({"S": "<sheetData><row>Dana Fox</row></sheetData>"}))


def test_dates_from_1904_are_shown_and_written() -> None:
    """The workbook says when its dates begin."""
    data = workbook(
        {"S": rows(["n28538|1"])}, (), ["m/d/yyyy"], before='<workbookPr date1904="1"/>'
    )

    assert seen(data)[0][1] == "2/18/1982"
    out = rewritten(data, {"2/18/1982": "2/19/1982"})
    assert "<v>28539</v>" in parts(out)["xl/worksheets/sheet1.xml"]


def test_prefixed_and_wide_parts_are_read() -> None:
    """Some programs write prefixes, or UTF-16."""
    text = part("worksheet", rows(["<c t='inlineStr'><is><t>Dana Fox</t></is></c>"]))
    prefixed = re.sub(r"<(/?)(?!\?)", r"<\1x:", text).replace("xmlns=", "xmlns:x=")
    wide = text.replace("UTF-8", "UTF-16").encode("utf-16")

    for content in (prefixed, wide):
        data = workbook({"S": ""}, more={"xl/worksheets/sheet1.xml": content})
        assert cells(rewritten(data, {NAME: NEW})) == {"A1": NEW}


@pytest.mark.parametrize(
    "xml",
    [
        "",
        "<sheetData/>",
        "<sheetData><row/><row r='x'><c/><c r='?' s='99' t='s'><v>7</v></c></row></sheetData>",
        "<sheetData><row><c t='s'><v/></c><c t='e'><v>#N/A</v></c></row></sheetData>",
        "<sheetData><row><c><v>x</v></c></row></sheetData>",
        "<sheetData><row r='1'><c r='A1'><f>gone!A1+nobody+T[x]</f><v>1</v></c></row></sheetData>",
        "<sheetData><row r='1'><c r='A1'><f t='shared' si='9'/><v>1</v></c></row></sheetData>",
    ],
)
def test_strange_sheets_are_read(xml: str) -> None:
    """Empty ones, invalid places, strings that are not there, names that are gone."""
    document = read(workbook({"S": xml, "T": rows(["s0"])}, [NAME]))
    index = next(at for at, one in enumerate(document.segments) if one.text == NAME)

    out = document.write({index: [Edit(0, 8, NEW, "PERSON")]}, {})

    assert NEW in parts(out)["xl/sharedStrings.xml"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"xl/workbook.bin": b"\x83\x01"}, "xlsb"),
        ({"xl/workbook.xml": "<a/>"}, "is no workbook"),
        ({"xl/other.xml": "<a/>"}, "no main part"),
    ],
)
def test_what_is_no_workbook_is_refused(content: dict[str, str | bytes], says: str) -> None:
    """In one line."""
    name = next(iter(content))
    target = name if name != "xl/other.xml" else "xl/workbook.xml"
    data = package({**content, "_rels/.rels": relations(("rId1", "officeDocument", target))})

    with pytest.raises(UnreadableInput, match=says) as raised:
        open_document(data, "a.xlsx", FORMATS[2], Settings())
    assert "\n" not in str(raised.value)


def test_entities_are_refused() -> None:
    """They could stand for any amount of text."""
    bomb = '<!DOCTYPE a [<!ENTITY b "bb">]><worksheet><sheetData/></worksheet>'

    with pytest.raises(UnreadableInput, match="entities"):
        read(workbook({"S": ""}, more={"xl/worksheets/sheet1.xml": bomb}))


def test_too_many_characters_are_refused_while_reading() -> None:
    """Before the cells are kept."""
    data = workbook({"S": rows(*[["n123456"]] * 200)})

    with pytest.raises(TextTooLong):
        sheet.opened(data, "a.xlsx", Settings(max_characters=1000))


def test_formats_merges_and_formulas_stay() -> None:
    """As openpyxl sees them, outside of edits."""
    book = openpyxl.Workbook()
    tab = book.active
    assert tab is not None
    for row in (["Name", "Sum"], [NAME, 5.5], ["Al", 3], ["x", "=SUM(B2:B3)"]):
        tab.append(row)
    tab["B2"].number_format = "0.00"
    tab["A1"].font = openpyxl.styles.Font(bold=True)
    tab.merge_cells("A6:B7")
    file = io.BytesIO()
    book.save(file)

    out = openpyxl.load_workbook(io.BytesIO(rewritten(file.getvalue(), {NAME: NEW}))).active

    assert out is not None
    assert out["A2"].value == NEW and out["B4"].value == "=SUM(B2:B3)"
    assert out["B2"].number_format == "0.00" and out["A1"].font.b
    assert [str(one) for one in out.merged_cells.ranges] == ["A6:B7"]


def test_segments_are_a_sequence() -> None:
    """They are made when asked for, also from the end and in slices."""
    segments = read(people()).segments

    assert isinstance(segments[0], Segment)
    assert segments[-1].text == segments[len(segments) - 1].text
    assert [one.text for one in segments[1:3]] == ["SSN", "Born"]
    assert len(list(segments)) == len(segments)


def test_path_of_another_workbook_is_read() -> None:
    """Formulas hold it in full when the workbook is closed."""
    formula = f"'/home/{NAME}/[pay.xlsx]Staff'!A1"
    data = workbook({"S": rows([f"={formula}|1"])}, [])

    out = rewritten(data, {NAME: NEW})

    assert formula.replace(NAME, NEW) in parts(out)["xl/worksheets/sheet1.xml"].replace(
        "&apos;", "'"
    )


def test_records_of_a_pivot_cache_have_the_names_of_fields() -> None:
    """Which stand in another part."""
    fields = "".join(
        f'<cacheField name="{one}"><sharedItems/></cacheField>' for one in ("A", "SSN")
    )
    records = (
        '<r><x v="0"/><n v="271240538"/></r><r><s v="Dana Fox"/><d v="1957-03-14T00:00:00"/></r>'
    )
    cache = "xl/pivotCache/pivotCacheDefinition1.xml"
    data = workbook(
        {"S": rows(["n1"])}, (),
        links=[("rIdP", "pivotCacheDefinition", cache[3:])],
        more={
            cache: part("pivotCacheDefinition", f"<cacheFields>{fields}</cacheFields>"),
            cache.replace("Definition", "Records"): part("pivotCacheRecords", records),
            "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": relations(
                ("rId1", "pivotCacheRecords", "pivotCacheRecords1.xml")
            ),
        },
    )  # fmt: skip

    labels = {one.text: one.label for one in read(data).segments}

    assert labels["271240538"] == labels["1957-03-14"] == "SSN"
    assert labels["Dana Fox"] == "A"


def test_formulas_without_a_result_are_read_or_noted() -> None:
    """Their literals are named by the column; what is made of other numbers is reported."""
    formulas = ["271240538+0", 'VALUE("271240538")', "DATE(1957,3,14)", "A1*2", "SUM(1,2)"]
    cells = [[f'<c r="A{row}"><f>{escape(one)}</f><v/></c>'] for row, one in enumerate(formulas, 2)]

    document = read(workbook({"S": rows(["s0"], *cells)}, ["SSN"]))

    assert [one.label for one in document.segments if one.text == "271240538"] == ["SSN", "SSN"]
    assert [one.place.where for one in document.unread] == ["Sheet 1, A4, formula"]
