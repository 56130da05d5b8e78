"""Tables are read by their headings, and legends are told from values."""

import pytest

from presidio_cdip.recognition.tables import legends, table

HEADINGS = {"name", "born", "m.s.", "rel.", "health"}


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


def test_a_table_ends_at_other_lines() -> None:
    """A remark over two lines is no row."""
    found = columns(
        "Name       M.S.  Rel.\nAsh, W.    M     2\nAll leave\nin May\nOak        S     1"
    )

    assert found["M.S."] == ["M"]


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Rel.: 2\nRel.: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash    W    2\nOak    N    1\nR: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash, W. M 2\nOak, B. S 1\nR: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Relig. codes: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash    H    2\nHealth: A = fit, H = hernia", ["A = fit, H = hernia"]),
        ("M.S.: M\nM.S.: M married, S single, W widow", ["M married, S single, W widow"]),
        ("Codes\nA = fit\nH = hernia\n", ["A = fit\nH = hernia"]),
        ("Ash   41   H\nHealth\nA - fit\nH - bad heart", []),
        ("Ash   41   H\nOak   39   A\nHealth\nA - fit\nH - bad heart", ["A - fit\nH - bad heart"]),
        ("Children: 2 boys, 3 girls", []),
        ("Family: 1 son 2 daughters", []),
        ("Sex: M  Race: W  Age: 42", []),
        ("Name: A. Jones, B. Brown", []),
    ],
)
def test_a_legend_explains_codes(text: str, explained: list[str]) -> None:
    """Two codes with signs, numbers in order, or initials of their words, that the page uses."""
    assert [text[slice(*one)] for one in legends(text)] == explained


@pytest.mark.parametrize(
    "text",
    [
        "Diagnoses: 1) Asthma 2) Gout 3) Hernia",
        "Past medical history: 1 Asthma 2 Gout 3 Hernia",
        "Impression: 1) asthma 2) gout 3) hernia",
        "Allergies: 1: Penicillin 2: Sulfa 3: Eggs",
        "Medications: 1) Dilantin 2) Lithium",
        "Diagnoses:\n1 - Asthma\n2 - Gout\n3 - Hernia",
        "Discharge diagnosis:\n  1 - Chronic bronchitis\n  2 - Syphilis",
        "Patient's conditions - A) Asthma B) Bronchitis C) Cancer",
        "Family history:\nM - diabetes\nF - cancer",
        "Age: 41   Sex: M\nFamily history:\nM - diabetes\nF - cancer",
        "Dx: 1: HIV 2: TB",
        "Children: 2   Ward: 1\nPast medical history: 1 Asthma 2 Gout 3 Hernia",
        "Ward   3   2\nCodes of diagnosis: 1) Asthma 2) Gout 3) Hernia",
        "1    Asthma\n2    Gout\nHistory: 1 Asthma 2 Gout 3 Hernia",
        "Q - Are you married?\nA - I am a widower.\nQ - Your faith?\nA - I am a Catholic.",
        "Residents:\n1 - Mr. Roe, a Catholic, 5 Elm Street, Erie\n2 - Mr. Poe, a Baptist",
    ],
)
def test_a_numbered_statement_is_no_legend(text: str) -> None:
    """Diagnoses, answers and persons in a list explain no code that the page uses."""
    assert legends(text) == ()


@pytest.mark.parametrize(
    ("rest", "end"),
    [
        ("   Born 5/6/1931  SSN 271-24-0538  Wife: Ellen Marsh", "Jew"),
        (" Orthodox   Room 4 East", "Jew Orthodox"),
        (" Born 5/6/1931", "Jew"),
        ("; Born 5/6/1931", "Jew"),
        ("\nBorn 5/6/1931", "Jew"),
    ],
)
def test_a_legend_ends_with_its_last_meaning(rest: str, end: str) -> None:
    """What stands behind it on its line is of the person."""
    text = f"Code: 1 Prot  2 Cath  3 Jew{rest}"

    assert [text[slice(*one)] for one in legends(text)] == [f"1 Prot  2 Cath  3 {end}"]
