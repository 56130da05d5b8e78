"""Tables are read by their headings."""

import pytest

from presidio_cdip.recognition.tables import table, turned

HEADINGS = {"name", "born", "age", "sex", "race", "m.s.", "rel.", "health"}


def columns(text: str) -> dict[str, list[str]]:
    """The cells of the table whose heading is the first line of *text*, by heading."""
    end = text.find("\n")
    found = table(text, 0, end, lambda first, last: text[first:last].lower() in HEADINGS)
    return {
        text[slice(*column.heading)]: [
            " ".join(text[slice(*part)] for part in cell) for cell in column.cells
        ]
        for column in found
    }


@pytest.mark.parametrize(
    "text",
    [
        "Name       M.S.  Rel.\nAsh, W.    M     2\nOak, B.    S     1\n",
        "Name       M.S.  Rel.\n---------------------\nAsh, W.     M    2\nOak, B.     S    1",
        "Name|M.S.|Rel.\nAsh, W.|M|2\nOak, B.|S|1",
        "Name\tM.S.\tRel.\nAsh, W.\tM\t2\nOak, B.\tS\t1\n",
        "Name M.S. Rel.\nAsh, W. M 2\nOak, B. S 1",
        "Name       M.S. Rel.\nAsh, W.    M    2\nOak, B.    S    1",
        'Name,M.S.,Rel.\n"Ash, W.",M,2\n"Oak, B.",S,1\n',
        "Name; M.S.; Rel.\nAsh, W.; M; 2\nOak, B.; S; 1",
    ],
    ids=["blanks", "ruled", "strokes", "tabs", "columns lost", "narrow", "commas", "semicolons"],
)
def test_cells_stand_under_their_heading(text: str) -> None:
    """Whatever separates the columns."""
    found = columns(text)

    assert (found["M.S."], found["Rel."]) == (["M", "S"], ["2", "1"])


def test_an_empty_cell_moves_no_other() -> None:
    """A cell belongs to the heading above it, not to the next in order."""
    found = columns(
        "Name       M.S.  Rel.  Health\nAsh, W.    M           TB\nOak, B.    S     1     A"
    )

    assert found["Health"] == ["TB", "A"]
    assert found["Rel."] == ["1"]


def test_single_blanks_separate_words_under_headings() -> None:
    """Where cells are as wide as their columns, words that begin under a heading are its cells."""
    found = columns(
        "Name       Rel.  Born Health\nAsh, W.    Luth 1901 bad heart\nOak        Jew  1902 A"
    )

    assert (found["Rel."], found["Born"]) == (["Luth", "Jew"], ["1901", "1902"])
    assert found["Health"] == ["bad heart", "A"]


def test_a_comma_joins_the_words_of_a_heading() -> None:
    """ "Health, race" is one heading, and its cells are not cut at its words."""
    found = columns(
        "Name       Rel.  Born   Health, race\n"
        "Ash, W.    Luth  1901   bad heart\nOak, B.    Jew   1902   well"
    )

    assert (found["Rel."], found["Born"]) == (["Luth", "Jew"], ["1901", "1902"])
    assert found["Health, race"] == ["bad heart", "well"]


def test_a_cell_goes_on_in_the_line_below() -> None:
    """A line without a first cell goes on with the row above it."""
    found = columns(
        "Name       Rel.       Born  Health\nAsh, W.    Roman      1901  A\n           Catholic\n"
        "Oak, B.    Jew        1902  B"
    )

    assert found["Rel."] == ["Roman Catholic", "Jew"]


@pytest.mark.parametrize(
    "text",
    [
        "Name, born, health\nand then there were two more, he said.",
        "Name, born, health\nThe form asks for them, all in one line, in ink, twice.",
    ],
)
def test_a_sentence_is_no_heading(text: str) -> None:
    """Commas make columns only above lines with as many."""
    assert columns(text) == {}


def test_a_line_apart_is_no_row_unless_it_stands_under_the_columns() -> None:
    """What follows an empty line and begins elsewhere is not of the table."""
    found = columns(
        "Name         M.S.    Rel.\nAsh, W.      M       2\n\nOak, B.      S       1\n\n"
        "Taxi  555-0143    Fire 911"
    )

    assert found["M.S."] == ["M", "S"]


def test_another_heading_in_capitals_ends_a_table() -> None:
    """Though no word of it is known, it looks as the first does and rows do not."""
    found = columns(
        "NAME         M.S.     REL.\nAsh, W.      M        2\n\n"
        "TITLE        ROLE     FIELD\nProf.        S        1"
    )

    assert found["M.S."] == ["M"]


def test_a_table_goes_on_behind_a_remark() -> None:
    """A remark over two lines is no row, and does not end the table."""
    found = columns(
        "Name       M.S.  Rel.\nAsh, W.    M     2\nAll leave\nin May\nOak        S     1"
    )

    assert found["M.S."] == ["M", "S"]


@pytest.mark.parametrize("row", ["part,price,size", "bolt,4.50,large", "3,black,"])
def test_a_row_behind_remarks_has_a_cell_like_those_above(row: str) -> None:
    """Another list begins there, of other things, which ends the table."""
    found = columns(
        f"Name,Sex,Race\nAnn Roe,F,W\nTom Dahl,M,W\nRead on Monday\nand found complete\n{row}\n"
    )

    assert found == {"Name": ["Ann Roe", "Tom Dahl"], "Sex": ["F", "M"], "Race": ["W", "W"]}


@pytest.mark.parametrize("row", ["Ivo Brandt,,N", "Brandt,M,?"])
def test_a_row_behind_remarks_goes_on_with_a_cell_like_those_above(row: str) -> None:
    """One is enough, for no two names are written alike."""
    found = columns(f"Name,Sex,Race\nAnn Roe,F,W\nRead on Monday\nby me\n{row}\n")

    assert len(found["Name"]) == 2


def test_the_next_item_of_a_form_ends_a_table() -> None:
    """Its number stands first, which the rows above have not."""
    found = columns(
        "Name        Age   Health    Race\nAnn Roe     34    good      W\n"
        "4. That I   work  here      as a clerk\n"
    )

    assert found["Name"] == ["Ann Roe"]


def test_a_table_ends_at_other_lines() -> None:
    """Four lines of prose are no remark."""
    found = columns(
        "Name       M.S.  Rel.\nAsh, W.    M     2\nAll\nleave\nin\nMay\nOak        S     1"
    )

    assert found["M.S."] == ["M"]


@pytest.mark.parametrize(
    ("line", "is_head"),
    [
        ("first,last,address1,city", True),
        ("first,last,address line 1,city", True),
        ("first,last,address_2,phone 1", True),
        ("Roe,Ann,14 Elm,Dayton", False),
        ("first,last,lot 12,rate", False),
        ("first,last,voted 1964,city", True),
        ("first   last   address 1   city", True),
        ("first   last   voted 1964   rate", False),
    ],
)
def test_a_heading_may_have_a_number(line: str, is_head: bool) -> None:
    """One digit behind letters, or any beside three known headings; else the line is a row."""
    text = f"{line}\nAnn,Roe,x,Dayton\nAnn   Roe   x   Dayton"

    def is_known(start: int, end: int) -> bool:
        return text[start:end].startswith(("first", "last", "address", "city"))

    found = table(text, 0, len(line), is_known)

    assert bool(found) == is_head


def rows(text: str, line: int = 0) -> dict[str, list[str]]:
    """The rows of the turned table that has a *line*, by heading."""
    lines = text.split("\n")
    start = len("\n".join(lines[:line])) + bool(line)
    found, _ = turned(
        text, start, start + len(lines[line]), lambda a, b: text[a:b].lower() in HEADINGS
    )
    return {
        text[slice(*one.heading)]: [text[slice(*cell[0])] for cell in one.cells] for one in found
    }


@pytest.mark.parametrize("separator", ["   ", "|", ",", ";", "\t"])
@pytest.mark.parametrize("line", [0, 1, 2])
def test_headings_may_stand_first_in_each_row(separator: str, line: int) -> None:
    """Whichever of its lines is read, and an unknown one among them."""
    text = "Name   Ann   Bob   Cy\nAge   6   8   10\nSex   F   M   M\nHat   7   6   7\n\nend"
    text = text.replace("   ", separator)

    assert rows(text, line) == {
        "Name": ["Ann", "Bob", "Cy"],
        "Age": ["6", "8", "10"],
        "Sex": ["F", "M", "M"],
        "Hat": ["7", "6", "7"],
    }


def test_the_first_row_may_have_no_heading() -> None:
    """It begins to the right of the others."""
    text = "        Ann    Bob\nAge     6      8\nSex     F      M"

    assert rows(text, 1) == {"": ["Ann", "Bob"], "Age": ["6", "8"], "Sex": ["F", "M"]}


@pytest.mark.parametrize(
    "text",
    [
        "Name   Ann Roe   Age   6\nSex   F   Race   W",
        "Age   6   8",
        "Age   6\nSex   F",
        "Age, sex, and all\nAnd so on, it went, he said",
    ],
)
def test_two_fields_on_a_line_are_no_row(text: str) -> None:
    """Nor is a single row, one value for each heading, or a sentence."""
    assert not rows(text)


def test_a_cell_of_a_turned_table_may_be_written_like_a_heading() -> None:
    """As "married", once in its column; where it comes again, the form has two fields on a line."""
    is_known = {"name", "married", "status", "sex", "age"}.__contains__
    text = "Field;A;B\nName;Roe;Ash\nStatus;single;married\nSex;F;M\n"
    form = "Name;Roe;Sex;F\nStatus;single;Age;41\n"

    rows, _ = turned(text, 10, 22, lambda a, b: is_known(text[a:b].lower()))
    pairs, _ = turned(form, 0, 14, lambda a, b: is_known(form[a:b].lower()))

    assert ([text[slice(*row.heading)] for row in rows], pairs) == (
        ["Field", "Name", "Status", "Sex"],
        [],
    )


def test_a_comma_of_a_sentence_separates_no_cells() -> None:
    """A blank follows it, and the row has more cells than headings."""
    found = columns("Name,Age,Health\nAsh,41,stroke, left side\nOak,42,A\n")

    assert found["Health"] == ["stroke, left side", "A"]


def test_empty_cells_at_the_end_are_no_reason_to_join_others() -> None:
    """A row with a comma too many at its end keeps its cells, blanks or not."""
    found = columns("Name,Age,Religion,Health,Notes\nAsh,41,Catholic, asthma,,\nOak,42,Jew, A,,\n")

    assert (found["Religion"], found["Health"]) == (["Catholic", "Jew"], ["asthma", "A"])


def test_a_row_with_more_sentences_than_cells_too_many_is_none() -> None:
    """Nothing tells which of its commas separate cells."""
    found = columns("Name,Age,Health\nAsh,41,stroke\nOak,42, gout, left\n")

    assert found["Health"] == ["stroke"]
