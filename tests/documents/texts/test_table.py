"""Tables in text are read into cells under their headings, and written in the dialect they have."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import table

SSN = "271-24-0538"
cells = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('\n,;"\t'))


def read(data: bytes, name: str = "a.csv") -> Document:
    return table.opened(data, name, Settings())


def replaced(data: bytes, old: str, new: str, name: str = "a.csv") -> bytes:
    """Write with *new* in the place of each text that has *old*."""
    document = read(data, name)
    return document.write(
        {
            number: [Edit(at, at + len(old), new, "US_SSN")]
            for number, one in enumerate(document.segments)
            if (at := one.text.find(old)) >= 0
        },
        {},
    )


def texts(data: bytes, name: str = "a.csv") -> list[tuple[str, str]]:
    return [(one.label, one.text) for one in read(data, name).segments]


@given(
    st.lists(st.lists(cells, min_size=2, max_size=4), max_size=5),
    st.sampled_from(",;\t|"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_untouched_is_the_same(
    rows: list[list[str]], delimiter: str, quoting: int, end: str
) -> None:
    """Whatever Python writes is read, and written without edits as it was."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    data = out.getvalue().encode()

    assert read(data).write({}, {}) == data


def test_headings_are_labels() -> None:
    """Also those of a table of one column; a table of names has none.

    A heading of usual words is no text of its own, which would name the first cell below it.
    """
    assert texts(b"Name,SSN\nJo,271-24-0538\n") == [("Name", "Jo"), ("SSN", SSN)]
    assert texts(b"ssn\n271-24-0538\n") == [("ssn", SSN)]
    assert texts(b"Ann,Smith\nMary,Jones\n")[2:] == [("", "Mary"), ("", "Jones")]
    assert texts(b"Name,Mary Jones\nJo,3\n") == [
        ("", "Mary Jones"),
        ("Name", "Jo"),
        ("Mary Jones", "3"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        b"Emp #,D.O.B.,Age",
        b"Name,D.O.B.,Dept (code)",
        b"Name,Birth date,Dept?",
        b"Name,DOB,Pay $",
        b"Surname,DOB,Mgr's dept",
        b"Name,DOB,2004",
        b"Name,DOB,DOB",
        b"Staff 1999,,\nName,DOB,Dept.",
        b"Full/part time,DOB,Name:",
    ],
)
def test_headings_may_have_signs_and_stand_below_a_title(head: bytes) -> None:
    """One odd heading takes the labels from no column."""
    rows = b"\nJo,3/8/72,A\nAl,11/02/1955,B\n"
    labels = [label for label, text in texts(head + rows) if text in ("Jo", "3/8/72", "11/02/1955")]

    assert all(labels)
    assert len(labels) == 3


def test_a_row_of_values_is_no_heading() -> None:
    """Names of persons with signs, too, are no headings without two usual ones."""
    data = b'"Smith, J.",Toledo (OH),single\n"Roe, A.",Akron (OH),married\n'

    assert not any(label for label, _ in texts(data))


@pytest.mark.parametrize(
    "data",
    [
        b"Ellen Ward,wife,41\nRuth Paine,wife,39\nOtto Dent,husband,52\n",
        b"Faith Moore,retired,Baptist\nRuth Paine,office,Catholic\n",
        b"Name,retired\nRuth Paine,retired\n",
        b"Name,Street,wife\nJo,Elm,wife\n",
    ],
    ids=["kin", "no-names", "one-name", "again"],
)
def test_a_value_in_the_first_row_is_read(data: bytes) -> None:
    """A word that cells hold, too, is read where the row may be one of values."""
    word = next(one for one in (b"wife", b"retired") if one in data.split(b"\n")[0]).decode()

    assert word in [text for _, text in texts(data) if text][:3]


def test_headings_that_cells_hold_are_labels_in_a_row_of_names() -> None:
    """In a row of which half are usual names, nobody reads them as the first record's."""
    data = b"Name,Street,DOB,Wife,Church\nJo,Elm,1931,Ann,St. Olaf\n"

    assert [text for _, text in texts(data)] == ["Jo", "Elm", "1931", "Ann", "St. Olaf"]


def test_names_of_fields_are_no_values() -> None:
    """A row that a program wrote names columns, in words that nobody knows, too."""
    data = b"emp_no,birthtown,ctzn\n1,Cairo,US\n2,Quincy,US\n"

    assert texts(data)[0] == ("emp_no", "1")
    assert ("birthtown", "Cairo") in texts(data)


def test_only_the_edited_cell_changes() -> None:
    """Quoting, ragged rows, blank lines, spaces and line ends of the others stay."""
    data = b'Name;"SSN";Note\r\n"Jo";271-24-0538;"says ""hi""; bye"\r\n\r\nx ; "y\r\nz;;;\n'

    assert replaced(data, SSN, "900-00-0001") == data.replace(SSN.encode(), b"900-00-0001")


@pytest.mark.parametrize(
    "new", ["a,b", 'a "b"', "two\nlines", '"quoted"', "semi;colon", "plain", "tab\there"]
)
@pytest.mark.parametrize("delimiter", list(",;\t|"))
def test_cells_stay_cells(new: str, delimiter: str) -> None:
    """New text with a delimiter, a quotation mark or a line end is read as one cell."""
    data = delimiter.join(["Name", "SSN", "Note"]).encode() + b"\n"
    data += delimiter.join(["Jo", SSN, '"a ""q"""']).encode() + b"\n"

    written = replaced(data, SSN, new).decode()

    rows = list(csv.reader(io.StringIO(written, newline=""), delimiter=delimiter))
    assert rows == [["Name", "SSN", "Note"], ["Jo", new, 'a "q"']]


def test_dialect_with_backslashes() -> None:
    r"""Cells in which quotation marks are written ``\"`` are written so again."""
    data = b'"a \\"q\\", b","271-24-0538"\n"d","e"\n"f","g"\n'

    assert texts(data)[0] == ("", 'a "q", b')
    assert replaced(data, SSN, 'x"y') == data.replace(SSN.encode(), b'x\\"y')


def test_separator_that_is_stated() -> None:
    """The line that states it is no row, and stays."""
    data = b"sep=|\r\nName|SSN\r\nJo|271-24-0538\r\n"

    assert ("SSN", SSN) in texts(data)
    assert replaced(data, SSN, "x").startswith(b"sep=|\r\nName|SSN\r\nJo|x\r\n")


def test_formulas_that_give_a_text() -> None:
    """They are read as what a program shows."""
    data = b'Name,Zip\nJo,="00501"\n'

    assert ("Zip", "00501") in texts(data)
    assert replaced(data, "00501", "00502") == data.replace(b"00501", b"00502")


@pytest.mark.parametrize("new", ["=1+1", "+1 555", "@SUM(1)", "-2", "\t=1"])
def test_no_cell_becomes_a_formula(new: str) -> None:
    """A program that opens the table runs nothing that was not there."""
    written = replaced(b"Name,SSN\nJo,271-24-0538\n", SSN, new).decode()

    assert list(csv.reader(io.StringIO(written)))[1][1][:1] not in ("=", "+", "-", "@", "\t")
    assert b"+1 777" in replaced(b"Name,Phone\nJo,+1 555\n", "555", "777")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_encoding_stays(encoding: str) -> None:
    """Bytes of other cells are kept, and new letters written as they are."""
    data = "Name;Stadt\r\nJörg;Köln\r\nÄnne;Gießen\r\n".encode(encoding)

    assert replaced(data, "Jörg", "Zoë") == data.decode(encoding).replace("Jörg", "Zoë").encode(
        encoding
    )


def test_no_table_is_read_by_line() -> None:
    """Prose with commas stays prose."""
    data = b"Dear Mr. Smith, as you know,\nmy number is 271-24-0538.\nBye, now, then\n\nJo\n"

    assert [text for _, text in texts(data)] == [*data.decode().split("\n")[:3], "Jo"]
    assert replaced(data, SSN, "x") == data.replace(SSN.encode(), b"x")


@pytest.mark.parametrize("data", [b"", b"\n\n", b'"', b'a,"b', b'a,b\n"open,1\n2,3\n', b",,,\n,,,"])
def test_odd_tables_are_read(data: bytes) -> None:
    """Open quotation marks and empty cells hide nothing."""
    letters = {char for _, text in texts(data) for char in text if char.isalnum()}

    assert letters == {char for char in data.decode() if char.isalnum()}
    assert read(data).write({}, {}) == data


@pytest.mark.parametrize(
    ("data", "text", "new"),
    [
        (b'a,b\n1,"{""name"": ""Ann""}"\n', "Ann", 'B"c'),
        (b"a,b\n1,J&ouml;rg\n", "J\xf6rg", "A<B"),
        (b'a;b\n1;"[""Ann""]"\n', "Ann", "B;c"),
    ],
)
def test_data_in_cells_is_read(data: bytes, text: str, new: str) -> None:
    """JSON and pieces of HTML; new text is escaped twice."""
    written = replaced(data, text, new)

    assert [one.text for one in read(written).segments if text in one.text] == []
    assert [one.text for one in read(written).segments][-1] == new
    assert read(data).write({}, {}) == data


def test_file_in_a_cell_is_embedded() -> None:
    """In base64."""
    data = b"a,b\n1,U1NOIDI3MS0yNC0wNTM4\n"
    document = read(data)

    assert [one.data for one in document.embedded] == [b"SSN 271-24-0538"]
    assert document.write({}, {0: b"x"}) == b"a,b\n1,eA==\n"
