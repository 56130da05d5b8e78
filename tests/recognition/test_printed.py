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


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_heading_names_the_cells_of_delimited_text(either: Finder, separator: str) -> None:
    """Codes and plain words alike, in all columns that rules have headings for."""
    text = (
        "name,health,race,party,religion\nHenry Cole,H,white,D,Roman Catholic\n"
        "Inga Dahl,TB,black,R,Lutheran\nJo Evers,A,white,D,Jewish\n"
    ).replace(",", separator)

    found = values(either, text)

    assert found["HEALTH"] == ["H", "TB", "A"]
    assert found["ETHNIC_ORIGIN"] == ["white", "black", "white"]
    assert found["POLITICAL_OPINION"] == ["D", "R", "D"]
    assert found["RELIGION"] == ["Roman Catholic", "Lutheran", "Jewish"]


def test_a_cell_on_two_lines_is_a_finding_each(either: Finder) -> None:
    """A number and a faith that a narrow column breaks."""
    found = values(
        either,
        "Name          SSN        Faith      Dept\nCole, Henry   214-55-    Roman      Mill\n"
        "              1234       Catholic\nDahl, Inga    317-45-    Lutheran   Lab\n"
        "              6028\n",
    )

    assert found["US_SSN"] == ["214-55-", "1234", "317-45-", "6028"]
    assert found["RELIGION"] == ["Roman", "Catholic", "Lutheran"]


def test_spelled_columns_may_be_shortened(either: Finder) -> None:
    """The first letters of a term count where its column's heading says what it is."""
    found = values(
        either,
        "Name         Rel. Race Health\nCole, Henry  Luth Cauc HTN\nDahl, Inga   Bapt Neg  good\n",
    )

    assert found["RELIGION"] == ["Luth", "Bapt"]
    assert found["ETHNIC_ORIGIN"] == ["Cauc", "Neg"]
    assert found["HEALTH"] == ["HTN", "good"]


@pytest.mark.parametrize(
    "text",
    [
        "Name: Delia Marsh   Race: C   Sex: F   M.S.: D   Religion: 3",
        "Name: Delia Marsh\nRace: C\nSex: F\nM.S.: D\nReligion: 3",
    ],
)
def test_fields_of_persons_hold_what_columns_do(either: Finder, text: str) -> None:
    """A code behind a heading and a colon, beside the field of a name, a sex or an age."""
    found = values(either, text)

    assert (found["ETHNIC_ORIGIN"], found["MARITAL_STATUS"], found["RELIGION"]) == (
        ["C"],
        ["D"],
        ["3"],
    )


def test_fields_of_goods_hold_no_facts_of_persons() -> None:
    """Beside the field of a brand or a quality."""
    pack = Pack.shipped()

    found = values(
        Finder(rules=rules(pack), pack=pack),
        "Quality: Good   Color: White   Condition: Fair   Name: Bond paper",
    )

    assert found == {}


def test_records_in_json_hold_what_columns_do(either: Finder) -> None:
    """By the names of their fields; what an object within says of a car is not of its owner."""
    found = values(
        either,
        '{"name": "Ada Moon", "race": "W", "marital_status": "D", "religion": null,\n'
        ' "allergies": ["sulfa", "latex"], "car": {"make": "Ford", "color": "white"}}',
    )

    assert found == {
        "ETHNIC_ORIGIN": ["W"],
        "MARITAL_STATUS": ["D"],
        "HEALTH": ["sulfa", "latex"],
    }


def test_a_list_of_persons_may_have_things(either: Finder) -> None:
    """Beside names of persons a make or a mark is theirs; beside none it tells goods."""
    cells = "{},M,W,Ford\n{},F,C,Dodge\n"

    persons = values(either, "Name,Sex,Race,Make\n" + cells.format("Tom Baker", "Mary Lewis"))
    goods = values(either, "Name,Sex,Race,Make\n" + cells.format("Comet", "Arrow"))

    assert persons["ETHNIC_ORIGIN"] == ["W", "C"]
    assert "ETHNIC_ORIGIN" not in goods


def test_a_column_of_words_has_more_than_lists_have(either: Finder) -> None:
    """Where a third of its words is known, the others and "none" are values, too."""
    found = values(
        either,
        "Pupil         Former Religion   Age\nAnn Frye      Prot              10\n"
        "Tom Greco     Dunkard           11\nLevi Stern    none              12\n",
    )

    assert found["RELIGION"] == ["Prot", "Dunkard", "none"]


def test_numbers_of_rows_are_no_values(either: Finder) -> None:
    """Under "Children" at the beginning of lines they count the children."""
    found = values(either, "CHILDREN   Sex   Born\n1          M     1887\n2          F     1889\n")

    assert "MARITAL_STATUS" not in found


def test_labels_below_an_address_are_no_lines_of_it(either: Finder) -> None:
    """Neither is what stands behind them."""
    found = values(
        either,
        "PRESENT ADDRESS\n12 OAK ST, TERRYVILLE\nPREVIOUS ADDRESS\nC/O NOWAK, RFD 2, TERRYVILLE\n"
        "TELEPHONE\nBALDWIN 9-4077  (LANDLADY WILL CALL ME)\nBIRTH DATE    BIRTHPLACE    AGE\n",
    )

    assert found["HOME_ADDRESS"] == ["12 OAK ST, TERRYVILLE", "C/O NOWAK, RFD 2, TERRYVILLE"]


def test_the_letter_beside_a_ticked_one_is_no_value(either: Finder) -> None:
    """Though the model alone would take it for one."""
    found = values(either, "BIRTHDATE MO DAY YR  10 22 40\nSEX  (M)  F\nDATE EMPLOYED  06 01 62\n")

    assert found["GENDER"] == ["M"]


def test_a_heading_may_have_a_unit(either: Finder) -> None:
    """Behind it in brackets."""
    found = values(
        either,
        "Name,Age (yrs),DOB (dd/mm/yyyy),Sex (M/F)\nRosa Roe,41,12/04/1951,F\n"
        "Tom Kerr,52,02/11/1948,M\n",
    )

    assert found == {
        "AGE": ["41", "52"],
        "DATE_OF_BIRTH": ["12/04/1951", "02/11/1948"],
        "GENDER": ["F", "M"],
    }


def test_a_date_under_another_heading_is_no_birth(either: Finder) -> None:
    """In a list that has a column of births."""
    found = values(
        either,
        "No;LastName;FirstName;HireDate;DOB;Gender\n41;Brandt;Karl;1999-03-01;1961-07-15;M\n"
        "42;Okafor;Ngozi;2001-06-18;1970-11-30;F\n",
    )

    assert found["DATE_OF_BIRTH"] == ["1961-07-15", "1970-11-30"]


def test_a_line_with_answers_of_its_own_needs_no_columns_of_them() -> None:
    """What stands before its boxes is no illness under "Yes"."""
    pack = Pack.shipped()

    found = values(
        Finder(rules=rules(pack), pack=pack),
        "Have you had:             Yes   No\n  Gout                    X\n"
        "Allergies to medication?  [x] Yes  [ ] No\n",
    )

    assert found == {"HEALTH": ["Gout", "Yes"]}


def test_what_a_heading_asks_tells_which_answers_count() -> None:
    """An illness's do, but not those about a newsletter."""
    pack = Pack.shipped()

    found = values(
        Finder(rules=rules(pack), pack=pack),
        "Name,Born,Sex,Diabetic,US citizen,Newsletter\nRosa Roe,1951,F,Y,Y,N\n"
        "Tom Kerr,1948,M,N,Y,Y\n",
    )

    assert found == {
        "DATE_OF_BIRTH": ["1951", "1948"],
        "GENDER": ["F", "M"],
        "HEALTH": ["Y", "N"],
        "NATIONALITY": ["Y", "Y"],
    }


@pytest.mark.parametrize(
    ("text", "entity", "value"),
    [
        ("Ethnic group: [4]\n1 White  2 Black  3 Asian  4 Hispanic", "ETHNIC_ORIGIN", "4"),
        ("Marital status code 2  (1=single 2=married 3=widowed)", "MARITAL_STATUS", "2"),
        ("RACE (W)   W=White N=Negro O=Other", "ETHNIC_ORIGIN", "W"),
        ("Health status: 3  (1=excellent 2=good 3=fair)", "HEALTH", "3"),
        ("Q1 Sex: 2   (1 male 2 female)", "GENDER", "2"),
        ("Union member: 1   (1 yes 2 no)", "TRADE_UNION_MEMBERSHIP", "1"),
        ("S.C.: 2   1 Single  2 Married  3 Widowed", "MARITAL_STATUS", "2"),
    ],
)
def test_the_code_of_a_field_is_found_before_its_legend(
    either: Finder, text: str, entity: str, value: str
) -> None:
    """Its label tells what it is, or two meanings do; these are printed."""
    assert values(either, text) == {entity: [value]}


@pytest.mark.parametrize(
    "text",
    [
        "Priority code 2  (1=low 2=medium 3=high)",
        "Bread: [4]   1 White  2 Rye  3 Wheat  4 French",
        "Ill in 1941. Ward 2\n1 Gout was seen in May",
    ],
)
def test_a_code_of_other_things_is_no_finding(either: Finder, text: str) -> None:
    """Where neither the label nor two meanings tell of persons."""
    assert not {"ETHNIC_ORIGIN", "MARITAL_STATUS"} & values(either, text).keys()


def test_a_page_may_say_what_a_heading_stands_for(either: Finder) -> None:
    """As "ST = MARITAL STATUS", though a column of that name otherwise has states."""
    found = values(
        either,
        "NAME          SOC SEC NO     ST  EX\nCOLE HENRY    538-71-2240    M   04\n"
        "DAHL INGA     533-90-1178    S   01\n\nST = MARITAL STATUS CLAIMED",
    )

    assert found["MARITAL_STATUS"] == ["M", "S"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Have you ever had:\n Asthma [ ]   Hernia [X]", {"HEALTH": ["Hernia"]}),
        ("Epilepsy   No [X]   Yes [ ]", {"HEALTH": ["No"]}),
        ("(1) heart trouble, gout?   Yes [X]  No [ ]", {"HEALTH": ["Yes"]}),
        ("Is anyone an invalid or sick?\n   ( ) No   (x) Yes", {"HEALTH": ["Yes"]}),
        ("Are you a U.S. citizen?   [ ] Yes  [X] No", {"NATIONALITY": ["No"]}),
        ("S [ ]  M [X]  W [ ]  D [ ]", {"MARITAL_STATUS": ["M"]}),
        ("M ☒  F ☐", {"GENDER": ["M"]}),
        ("Shifts  M [x]  T [ ]  W [ ]  T [ ]  F [x]  S [ ]", {}),
        ("[ ] single  [ ] married  [ ] widowed", {}),
        (
            "Had you       Yes    No\nMumps          X\nGout                  X",
            {"HEALTH": ["Mumps"]},
        ),
        ("Religion:  Prot. [ ]  Cath. [X]", {"RELIGION": ["Cath"]}),
        ("Religion:  [ ] Catholic  [X] Other (specify) Sikh", {"RELIGION": ["Sikh"]}),
        ("[ ] Catholic  [ ] Lutheran  [X] Other: Sikh", {"RELIGION": ["Sikh"]}),
        ("Marital status: Single  (Married)  Widowed", {"MARITAL_STATUS": ["Married"]}),
        ("Race:  White   Negro   Oriental\n                x", {"ETHNIC_ORIGIN": ["Negro"]}),
        ("Marital status  (X) Widowed  ( ) Single", {"MARITAL_STATUS": ["Widowed"]}),
        ("RACE   __ White   _X_ Negro   __ Other", {"ETHNIC_ORIGIN": ["Negro"]}),
        ("Ethnic group:   Irish   (Welsh)   English", {"ETHNIC_ORIGIN": ["Welsh"]}),
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


@pytest.mark.parametrize(
    "text",
    [
        "Wiring: black [x] white [ ]",
        "Paint: [x] white\nTrim: [x] black [ ] white",
        "Coffee: [X] Black [ ] White",
        "Ink: [x] black",
        "Food: [x] Mexican [ ] Chinese",
    ],
)
def test_a_label_of_something_else_is_no_question_of_persons(either: Finder, text: str) -> None:
    """Known options behind a label that no rule knows tell nothing, least of all colours."""
    found = values(either, text)

    assert not {"ETHNIC_ORIGIN", "NATIONALITY"} & found.keys()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Race: [x] White [ ] Negro", "White"),
        ("[ ] White  [x] Negro  [ ] Oriental  [ ] Mexican", "Negro"),
    ],
)
def test_a_ticked_race_is_found(either: Finder, text: str, expected: str) -> None:
    """By its label, or without one by options that are nothing but races."""
    assert [one for one in values(either, text).get("ETHNIC_ORIGIN", ()) if one != "x"] == [
        expected
    ]


def test_massachusetts_is_no_religion(either: Finder) -> None:
    """Behind the label of a state "Mass." is an address's, whatever is asked on the line above."""
    assert values(either, "Religion: RC\nState: Mass.")["RELIGION"] == ["RC"]


def test_states_of_persons_are_known_behind_any_label(either: Finder) -> None:
    """Nothing but a person is widowed."""
    found = values(either, "Personal status   single [ ]  married [ ]  widowed [X]")

    assert "widowed" in found["MARITAL_STATUS"]


def test_a_sentence_ends_an_option(either: Finder) -> None:
    """What follows the full stop is the label of the next."""
    found = values(either, "[x] asthma [x] diabetes. No known allergies: [x] penicillin")

    assert {"asthma", "diabetes", "penicillin"} <= set(found["HEALTH"])


@pytest.mark.parametrize(
    "text",
    [
        "Name       Grade   Med   Phys  Chem\nAsh, W.    A       Pass  B     C\n"
        "Oak, B.    B       Pass  C     B\n",
        "Name        Age   Complaint\nAsh, W.     33    late delivery\nOak, B.     41    late bill",
        "Name      Age   Color   Breed\nRex       4     W       Pug\nSpot      5     B       Pug",
        "Student      Age   Health\nAsh, W.      12    Sections\nOak, B.      13    Sections",
    ],
)
def test_a_list_of_marks_goods_or_animals_has_no_health_or_race(either: Finder, text: str) -> None:
    """A heading counts only above a known word or above codes, and not beside "Breed"."""
    assert not {"HEALTH", "ETHNIC_ORIGIN"} & values(either, text).keys()


@pytest.mark.parametrize(
    "text",
    [
        "Size   S [ ]  M [X]  W [ ]",
        "Size: [ ] S [x] M",
        "Trim:  S [ ]   M [ ]   D [X]",
        "Name        Status   Room\nAnn Roe     M-104    4\nCy Coe      W-109    5",
    ],
)
def test_letters_of_sizes_and_numbers_are_no_codes_of_persons(either: Finder, text: str) -> None:
    """Behind a label that asks nothing of persons, and before the rest of a number."""
    assert not {"MARITAL_STATUS", "GENDER", "ETHNIC_ORIGIN"} & values(either, text).keys()


def test_a_field_with_options_holds_what_is_chosen(either: Finder) -> None:
    """Among fields of persons, whose values columns' rules find."""
    found = values(
        either,
        "Race: W   Age: 31   Sex: M\nMarital:  Single   Married   >>Divorced   Widowed\n"
        "Religion:  Prot   Cath   Jewish   *None*\n",
    )

    assert (found["MARITAL_STATUS"], found["RELIGION"]) == (["Divorced"], ["None"])


def test_a_telephone_below_work_is_no_homes(either: Finder) -> None:
    """Whatever it looks like in its row."""
    found = values(
        either,
        "last_name,gender,dob,home_phone,work_phone\n"
        "Brandt,F,1984-03-02,612-555-0110,612-555-0201\n"
        "Reyes,F,1990-07-14,612-555-0112,612-555-0203\n",
    )

    assert found["HOME_PHONE_NUMBER"] == ["612-555-0110", "612-555-0112"]


def test_cells_that_say_nothing_are_no_values(either: Finder) -> None:
    """Where a fact is not known, and "none" of what everybody has; without a faith one may be."""
    found = values(
        either,
        "id,name,religion,ethnicity,disability\nM-1,Ann Roe,none,unknown,n/a\n"
        "M-2,Bob Poe,n/a,Hispanic,asthma\nM-3,Cy Coe,Catholic,none,none\n",
    )

    assert found == {
        "RELIGION": ["none", "Catholic"],
        "ETHNIC_ORIGIN": ["Hispanic"],
        "HEALTH": ["asthma", "none"],
    }


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


def test_headings_in_the_first_column_decide_what_rows_hold(either: Finder) -> None:
    """Of persons, whom the first row names, or words for whom stand above."""
    found = values(
        either,
        "              Husband     Wife\nAge           41          38\n"
        "Race          W           W\nBirthplace    Oslo        Duluth, Minn.\n"
        "Religion      Lutheran    Catholic\n",
    )

    assert found == {
        "AGE": ["41", "38"],
        "ETHNIC_ORIGIN": ["W", "W"],
        "PLACE_OF_BIRTH": ["Oslo", "Duluth, Minn"],
        "RELIGION": ["Lutheran", "Catholic"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "Quarter   Q1   Q2   Q3\nRace      12   14   15\nSex       1    2    3",
        "Year      1961   1962   1963\nHealth    H      T      A\nRace      4      7      9",
    ],
)
def test_rows_of_figures_hold_no_facts_of_persons(text: str) -> None:
    """Nothing says whose they are."""
    assert values(finder(model="none"), text) == {}


def test_what_begins_in_a_heading_is_no_value() -> None:
    """A label at a line's end has its value below, but not the label of a column."""
    text = (
        "NAME               POSITION     HOME TEL.    SPOUSE, CHILDREN\n"
        "Alcott, James R.   Headmaster   555-0141     Eleanor; 3 children\n"
        "Baird, Duncan      Bursar       555-0186     single\n"
    )
    found = finder(model="none").find(text, wanted=["MARITAL_STATUS"])

    assert not [one for one in found if one.start < text.index("Alcott")]


def test_what_a_field_prints_with_a_box_is_not_written_in_it() -> None:
    """Labels in a row make fields of persons; the option behind one is no value."""
    text = (
        "Name: Marcus Whitfield            Date of birth: 11/30/1953\n"
        "Race:    [ ] White      [X] Black     [ ] Asian\n"
        "Marital status:   [ ] Single    [ ] Married     [X] Widowed\n"
        "Religion: Lutheran                Soc. Sec. No.:   418-55-7720\n"
    )
    found = finder(model="none").find(text, wanted=["ETHNIC_ORIGIN", "MARITAL_STATUS"])

    assert [text[one.start : one.end] for one in found] == ["Black", "Widowed"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Medical history:  asthma  (mild)  diabetes  hypertension", {"asthma", "diabetes"}),
        ("History: 1 Stroke  (2) Diabetes  3 Epilepsy", {"Stroke", "Diabetes"}),
        ("Diagnosis:\tDiabetes\t(insulin)\tHypertension\tGout", {"Diabetes", "Gout"}),
    ],
)
def test_a_remark_in_brackets_rings_nothing(text: str, values: set[str]) -> None:
    """In a list of illnesses one has all of them; of races or states one has one."""
    found = finder().find(text, wanted=["HEALTH"])

    assert values <= {word for one in found for word in text[one.start : one.end].split()}


def test_amounts_beside_persons_are_no_ages(either: Finder) -> None:
    """Their heading tells what they are."""
    found = values(
        either,
        "Last,First,Address,City,State,Zip,Employer,Amount\n"
        "Quinn,Mary,90 Bay Rd,Dover,DE,19901,Dover Schools,50\n"
        "Stone,Alan,4 Fir Ln,Lewes,DE,19958,retired,25\n",
    )

    assert "AGE" not in found
    assert len(found["HOME_ADDRESS"]) == 8


@pytest.mark.parametrize(
    ("heading", "cells", "entity"),
    [
        ("race_eth", ["White", "Two or more races"], "ETHNIC_ORIGIN"),
        ("union_deduction", ["CWA", "none"], "TRADE_UNION_MEMBERSHIP"),
        ("bargaining_unit", ["IBT 214", "IBT 214"], "TRADE_UNION_MEMBERSHIP"),
        ("dependants", ["3", "0"], "MARITAL_STATUS"),
        ("criminal_record", ["none", "shoplifting 1998"], "CRIMINAL_OFFENCE"),
        ("fp_pattern", ["WLRLLWLLRL", "LLLRWLLLRA"], "BIOMETRIC_DATA"),
    ],
)
def test_headings_of_exports_name_their_cells(
    either: Finder, heading: str, cells: list[str], entity: str
) -> None:
    """A heading of two words is known by the first where the other says nothing."""
    rows = (f"{row},Ostrow,F,1980-04-02,{cell}\n" for row, cell in enumerate(cells, 4411))

    found = values(either, f"badge,surname,sex,dob,{heading}\n{''.join(rows)}")

    assert found[entity] == cells


def test_measurements_stand_under_the_hours_at_which_they_were_taken(either: Finder) -> None:
    """A death among them is none, and in a list of batches none is a person's."""
    ward = (
        "Patient         Age  T. 6 a.m.  T. 6 p.m.\n"
        "Mrs. Ada Cole   54   98.4       101.2\nMiss E. Frost   31   99.8       died\n"
        "Mrs. Jane Hope  66   97.9       98.8\nMiss Ida Moe    23   98.6       99.0\n"
    )
    batches = "Batch   Temp   Size\n118     98.4   72\n119     99.0   66\n"

    assert values(either, ward)["HEALTH"] == [
        "98.4",
        "101.2",
        "99.8",
        "97.9",
        "98.8",
        "98.6",
        "99.0",
    ]
    assert not [span for span in either.find(batches, min_score=0.4) if span.check == "column"]


def test_what_a_court_decided_is_a_span_each(either: Finder) -> None:
    """Pleas are letters, penalties may be amounts, and commas separate them."""
    found = values(
        either,
        "Prisoner         Age  Charge         Plea  Decision\n"
        "Roy Sims         33   Petty theft    G     $25 and costs, 10 days\n"
        "Dale Ricketts    24   Drunk driving  NG    Cont'd to 4/12\n",
    )

    assert found["CRIMINAL_OFFENCE"] == [
        "Petty theft", "G", "$25 and costs", "10 days", "Drunk driving", "NG", "Cont'd to 4/12",
    ]  # fmt: skip


def test_a_column_behind_births_has_their_places(either: Finder) -> None:
    """Ranks under the same heading are no places."""
    births = (
        "Name        Born         At\nAnna Lund   May 3, 1902  Decorah\n"
        "Ida Moe     July 1901    Calmar\n"
    )
    ranks = (
        "Name        Born   Place   Club\nAnna Lund   1902   second  Harriers\n"
        "Ida Moe     1901   first   Harriers\n"
    )

    assert values(either, births)["PLACE_OF_BIRTH"] == ["Decorah", "Calmar"]
    assert "PLACE_OF_BIRTH" not in values(either, ranks)


@pytest.mark.parametrize(
    ("text", "entity", "expected"),
    [
        ("surname,dob,nat\nA,1941,brit\nB,1942,irsh\nC,1943,amer\n", "NATIONALITY",
         ["brit", "irsh", "amer"]),
        ("surname,dob,marital\nA,1941,marr\nB,1942,divd\nC,1943,sgl\nD,1944,wdow\n",
         "MARITAL_STATUS", ["marr", "divd", "sgl", "wdow"]),
        ("id,name,sex,rel\n1,Ames,f,cath\n2,Bell,m,mthd\n3,Cole,m,bpt\n4,Dunn,f,jew\n", "RELIGION",
         ["cath", "mthd", "bpt", "jew"]),
        ("pupil,dob,diagnosis\nAnn,2001-02-03,TB\nBob,2002-02-03,adhd\nCid,2001-05-03,DM\n",
         "HEALTH", ["TB", "adhd", "DM"]),
        ("patient,age,medication\nAmes,41,ASA\nBell,42,lasx\nCole,43,dig\n", "HEALTH",
         ["ASA", "lasx", "dig"]),
    ],
)  # fmt: skip
def test_exports_have_codes_in_small_letters(
    either: Finder, text: str, entity: str, expected: list[str]
) -> None:
    """One of three or four letters is a code as one of capitals is."""
    assert values(either, text)[entity] == expected
