"""What a form prints says what a value is: a box's question, a column's heading."""

from pathlib import Path

import pytest

from presidio_cdip import Pack, PackError
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.finder import Finder, finder, rules

ROSTER = """\
Clock  Name                 M.S.  Rel.  Race  Health  Shift
1107   Bannister, Walter     M     1     W      A       M
1112   Cole, Henry           S     2     N      H       W
1120   Dahl, Inga            W     3     W      TB      M

Rel.: 1 Prot  2 Cath  3 Jew
M.S.: M married, S single, W widowed
Health: A = fit, H = hernia, T = TB
"""
BY_COLUMN = {
    "MARITAL_STATUS": ["M", "S", "W"],
    "RELIGION": ["1", "2", "3"],
    "ETHNIC_ORIGIN": ["W", "N", "W"],
    "HEALTH": ["A", "H", "TB"],
}


@pytest.fixture(scope="module", params=["rules", "rules and model"])
def either(request: pytest.FixtureRequest) -> Finder:
    """The rules alone, and with the model."""
    pack = Pack.shipped()
    return finder() if request.param != "rules" else Finder(rules=rules(pack), pack=pack)


def values(found_by: Finder, text: str) -> dict[str, list[str]]:
    """The values found in *text*, by entity."""
    found: dict[str, list[str]] = {}
    for span in found_by.find(text, min_score=0.4):
        found.setdefault(span.entity, []).append(text[span.start : span.end])
    return found


def test_a_heading_decides_what_its_column_holds(either: Finder) -> None:
    """All cells are found, as their heading says; neither a legend nor another column is."""
    found = values(either, ROSTER)

    assert {entity: found.get(entity) for entity in BY_COLUMN} == BY_COLUMN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Have you ever had:\n Asthma [ ]   Hernia [X]", {"HEALTH": ["Hernia"]}),
        ("Epilepsy   No [X]   Yes [ ]", {"HEALTH": ["No"]}),
        (
            "Had you       Yes    No\nMumps          X\nGout                  X",
            {"HEALTH": ["Mumps"]},
        ),
        ("Religion:  Prot. [ ]  Cath. [X]", {"RELIGION": ["Cath"]}),
        ("Marital status  (X) Widowed  ( ) Single", {"MARITAL_STATUS": ["Widowed"]}),
        ("RACE   __ White   _X_ Negro   __ Other", {"ETHNIC_ORIGIN": ["Negro"]}),
        ("Languages:  [X] Spanish  [ ] German", {}),
        ("Health plan:  [X] Kaiser  [ ] none", {}),
    ],
)
def test_a_ticked_option_is_the_answer(
    either: Finder, text: str, expected: dict[str, list[str]]
) -> None:
    """Its question tells the entity, and without one what its neighbours are options of."""
    found = values(either, text)

    marks = {entity: [one for one in each if one != "X"] for entity, each in found.items()}
    assert {entity: each for entity, each in marks.items() if each} == expected


def test_a_list_of_things_has_no_persons_in_its_columns(either: Finder) -> None:
    """A heading counts only beside one for a name, a birth, an age or a sex."""
    found = values(either, "Stock   Color   Size\n118     W       40\n119     B       42\n")

    assert "ETHNIC_ORIGIN" not in found


def test_places_that_print_makes_stand_alone(tmp_path: Path) -> None:
    """A rule for ticked options or columns needs cues, and has no other place."""
    folder = tmp_path / "recognizers"
    folder.mkdir()
    rule = (
        "entity: AGE\nwhat: For this test only.\nrules: [{name: one, values: [a], where: [column]}]"
    )
    (folder / "age.yaml").write_text(rule)

    with pytest.raises(PackError, match="cues"):
        Engine(rule_files(Pack.open(tmp_path)))
