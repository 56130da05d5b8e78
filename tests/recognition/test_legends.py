"""Legends are told from values."""

import pytest

from presidio_cdip.recognition.legends import legends


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Rel.: 2\nRel.: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash    W    2\nOak    N    1\nR: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash, W. M 2\nOak, B. S 1\nR: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Relig. codes: 1 Prot  2 Cath  3 Jew", ["1 Prot  2 Cath  3 Jew"]),
        ("Ash    H    2\nHealth: A = fit, H = hernia", ["A = fit, H = hernia"]),
        ("M.S.: M\nM.S.: M married, S single, W widow", ["M married, S single, W widow"]),
        ("Key: T Conservative, G Green, X silent", ["T Conservative, G Green, X silent"]),
        ("Codes: 1 citizen  2 LPR  9 refused", ["1 citizen  2 LPR  9 refused"]),
        ("Ash,M,12\nOak,S,14\nCiv: M = married, S = single", ["M = married, S = single"]),
        ("Votes: T Conservative, G Green, X silent", []),
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
