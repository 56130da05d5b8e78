"""Printed options are read with their boxes, on whichever side these stand."""

import pytest

from presidio_cdip.recognition.choices import options

KNOWN = {"asthma": "ill", "epilepsy": "ill", "hernia": "ill", "male": "sex", "female": "sex"}
KNOWN |= dict.fromkeys(["single", "married", "widowed"], "MARITAL_STATUS")


def ticked(text: str) -> list[str]:
    """The ticked options of *text*."""

    def kinds(start: int, end: int) -> list[str]:
        here = text[start:end].lower()
        return [kind for word, kind in KNOWN.items() if here.startswith(word)]

    found = options(text, kinds)
    return [text[one.start : one.end] for one in found if one.ticked]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[ ] Gout  [X] Mumps", ["Mumps"]),
        ("Gout [ ]   Mumps [X]", ["Mumps"]),
        ("( ) Gout\n(x) Mumps, as a child", ["Mumps"]),
        ("☐ Gout  ☒ Mumps", ["Mumps"]),
        ("___ Gout   _X_ Mumps 1941", ["Mumps"]),
        ("X  Gout\nX  Mumps", ["Gout", "Mumps"]),
        ("Status:  Gout [ ]  Mumps [X]", ["Mumps"]),
        ("Gout .... [ ]    2. Mumps ..... [X]", ["Mumps"]),
        ("Sex:  Male    X Female", ["Female"]),
        ("[x] mumps [x] gout. No known allergies: [x] eggs", ["mumps", "gout", "eggs"]),
        ("[x] Am. Indian [ ] White", ["Am. Indian"]),
        ("Mumps No [ ] Yes [X]", ["Yes"]),
        ("Gout   Yes (No)    Mumps  (Yes) No", ["No", "Yes"]),
        ("Ill of:  Gout  (Mumps)  Croup", ["Mumps"]),
        ("Asthma  (Hernia)  Epilepsy", ["Hernia"]),
        ("Ill of  Asthma  (Hernia)  Epilepsy", ["Hernia"]),
        ("State: (E) G F P", ["E"]),
        ("Ill of (circle one): Gout / (Mumps) / Croup", ["Mumps"]),
        ("Ill of:  Gout  (Mumps)  Croup   Sex:  M   F   (X)", ["Mumps", "F"]),
        ("Ill of:  Gout   Mumps   Croup\n                  x", ["Mumps"]),
        ("                 X\nIll of:  Gout   Mumps   Croup", ["Mumps"]),
        ("[ ] Gout  [ ] Mumps  [X] Other (specify) Croup", ["Croup"]),
        ("( ) Gout  ( ) Mumps  (x) Other: hay fever   Room 4", ["hay fever"]),
        ("Asthma [ ]   Hernia [ ]   Other [X] Croup", ["Croup"]),
        ("<X> Gout   < > Mumps", ["Gout"]),
        ("{ } Gout   {x} Mumps", ["Mumps"]),
        ("[XX] Gout   [ ] Mumps", ["Gout"]),
        ("___Gout   _X_Mumps", ["Mumps"]),
        ("Ill?   [x] no    yes", ["no"]),
        ("Ill?   no   [x] yes", ["yes"]),
    ],
)
def test_the_ticked_option_is_read(text: str, expected: list[str]) -> None:
    """Its box is empty in brackets, a ballot box, an underline or a bare X, on one side of all."""
    assert ticked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ill of:  Gout  *Mumps*  Croup", "Mumps"),
        ("Ill of:  Gout  _Mumps_  Croup", "Mumps"),
        ("Ill of:  Gout  [Mumps]  Croup", "Mumps"),
        ("Ill of:  Gout  {Mumps}  Croup", "Mumps"),
        ("Ill of:  Gout  <Mumps>  Croup", "Mumps"),
        ("Ill of:  Gout  >>Mumps  Croup", "Mumps"),
        ("Ill of:  Gout  Mumps <-  Croup", "Mumps"),
        ("Ill of:  -Gout-  Mumps  -Croup-", "Mumps"),
        ("Ill of:  ~Gout~  Mumps  ~Croup~", "Mumps"),
        ("Ill of:  Gout -- *Mumps* -- Croup", "Mumps"),
        ("Ill of:  asthma / HERNIA / epilepsy", "HERNIA"),
        ("Sex:  *Male*  Female", "Male"),
        ("Sex:  Male / [Female]", "Female"),
        ("Sex:  M  (F)", "F"),
        ("Kind: S-M-(D)-W", "D"),
        ("Sex\n  -> Male\n     Female", "Male"),
        ("Asthma\n*Hernia*\nEpilepsy", "Hernia"),
        ("Ill of:  Asthma\n         Hernia   X\n         Epilepsy", "Hernia"),
        ("Gout   Yes / [No]", "No"),
        ("Gout   *yes*  no", "yes"),
        ("Gout   _Y_  N", "Y"),
        ("Gout   No  <Yes>", "Yes"),
        ("Gout   yes / NO", "NO"),
        ("Gout   ~Yes~ No", "No"),
        ("Ill of:  Gout  /Mumps/  Croup", "Mumps"),
        ("Ill of:  Gout/Mumps/Croup  (Measles)", "Measles"),
        ("Ill of:  Gout  ((Mumps))  Croup", "Mumps"),
        ("Status: Single __Married__ Widowed", "Married"),
        ("Asthma  /Hernia/  Epilepsy", "Hernia"),
        ("Ill of:  Gout   Mumps   Croup\n                 ^^^^^", "Mumps"),
        ("Ill of:  Gout   Mumps   Croup\n                 -----", "Mumps"),
        ("Race: W (N) O", "N"),
        ("Sex: M (F)", "F"),
    ],
)
def test_an_option_may_have_a_mark_of_its_own(text: str, expected: str) -> None:
    """Around it or beside it; or all others are struck out, or in small letters.

    It stands behind a label or an answer to choose, or all are known; a column has known ones.
    """
    assert ticked(text) == [expected]


def test_a_remark_behind_a_box_is_no_option() -> None:
    """A known option before each box tells that boxes stand behind theirs."""
    text = "Asthma   [ ]    Epilepsy  [X]   last fit 8/79\nHernia  [X]   repaired"

    assert ticked(text) == ["Epilepsy", "Hernia"]


def test_lines_around_tell_where_boxes_stand() -> None:
    """What a line leaves open its neighbours tell."""
    open_line = "Gout [X] Mumps"

    assert ticked(open_line) == []
    assert ticked(f"Mumps [ ]   Piles [ ]\n{open_line}") == ["Gout"]
    assert ticked(f"[ ] Mumps   [ ] Piles\n{open_line}") == ["Mumps"]


def test_a_mark_under_yes_ticks_the_line() -> None:
    """In columns of answers the headings, and what is marked under "no", are not ticked."""
    text = "Had you       Yes    No\nGout          [X]    [ ]\nMumps                 X"

    assert ticked(text) == ["Gout"]
    found = options(text, lambda start, end: ())
    left = [text[one.start : one.end] for one in found if not one.ticked]
    assert left == ["Yes", "No", "Mumps"]


@pytest.mark.parametrize(
    "text",
    [
        "Single   Married   Widowed",
        "[ ] Gout  [ ] Mumps",
        "[X] Other, specify",
        "He wrote x for the unknown and went on.",
        "[X] " + "word " * 12,
        "Ill of:  Gout  Mumps  Croup   (circle one)",
        "Ill of:  Gout  (Mumps)",
        "Ill of:  (Gout)  (Mumps)  Croup",
        "He had gout (mumps) and croup.",
        "Gout   (Mumps)   Croup",
        "Gout   *Mumps*   Croup",
        "Ill of:  *Gout*  _Mumps_  Croup",
        "Ill of:  gout  Mumps  CROUP",
        "Sex:  Male  (Female)",
        "Gout\n*Mumps*\nCroup",
        "The *asthma* and the _hernia_ of the <epilepsy>",
        "Gout  *Yes*  Yes",
        "asthma   *male*",
        "Ill of:  Gout   Mumps   Croup\n                                        x",
    ],
)
def test_nothing_is_ticked(text: str) -> None:
    """No mark, "other", prose, and a sentence behind a box."""
    assert ticked(text) == []


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Ill?   [x] no    yes", ["yes"]),
        ("Ill?   no   [x] yes", ["no"]),
        ("Ill?   no  [x]  yes", []),
        ("Ill?   [ ] no   [x] yes", ["no"]),
    ],
)
def test_of_two_answers_the_one_without_the_box_is_not_ticked(text: str, empty: list[str]) -> None:
    """If the box is nearer to the other."""
    found = options(text, lambda start, end: ())

    assert [text[one.start : one.end] for one in found if not one.ticked] == empty


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sex:  o Male   * Female", ["Female"]),
        ("Ill of:  - Gout  - Croup  + Mumps", ["Mumps"]),
        ("Ill of\no Asthma\no Hernia\n• Epilepsy\n", ["Epilepsy"]),
        ("Ill  o Yes  * No    Well  * Yes  o No", ["No", "Yes"]),
        ("* Asthma\n* Hernia\no Epilepsy", []),
        ("o Asthma\n* Buy gout pills\no Hernia", []),
        ("Ill of\no Gout\no Croup\n* Mumps", []),
        ("Asthma - Hernia + Epilepsy", []),
    ],
)
def test_of_options_with_bullets_one_has_another(text: str, expected: list[str]) -> None:
    """Behind a label, or where all are known; in a list all may have the same."""
    assert ticked(text) == expected


def test_of_numbered_options_a_ring_ticks_one() -> None:
    """Two rings, or numbers that do not begin at 1, tell nothing."""
    text = "3. Are you   1 married   (2) single   3 widowed\n4. Lots (7) and 8 are sold"

    assert ticked(text) == ["single"]
    found = options(text, lambda start, end: ())
    assert [text[one.start : one.end] for one in found if not one.ticked] == ["married", "widowed"]
    assert not ticked("1 married   (2) single   (3) widowed")
