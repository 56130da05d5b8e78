"""What a page tells of a gene, of relatives and of a person's orientation stays one fact."""

import re

import pytest

from presidio_cdip.surrogates.values.changes import shortened
from tests.marked import replaced

SCOPES = 24
KINSHIP = """Kinship case, Oslo 2008
            claimed son   mother
D8S1179     ⟦GENETIC_DATA 12, 14⟧        ⟦GENETIC_DATA 13, 14⟧
FGA         ⟦GENETIC_DATA 21, 24⟧        ⟦GENETIC_DATA 20, 21⟧
Bone of the missing man: ⟦GENETIC_DATA D8S1179 12,15; FGA 24,25⟧.
"""


def test_relatives_share_the_alleles_that_they_shared() -> None:
    """An allele of a locus becomes the same other allele in each cell, the smaller first."""
    for son8, mother8, son_fga, mother_fga, bone in replaced(KINSHIP, SCOPES):
        numbers = [[float(one) for one in cell.split(", ")] for cell in (son8, mother8)]
        fga = [[float(one) for one in cell.split(", ")] for cell in (son_fga, mother_fga)]
        found = [float(one) for one in re.findall(r"(?<![\dA-Z])\d+(?:\.\d)?(?![\dS])", bone)]

        assert all(pair == sorted(pair) for pair in (*numbers, *fga))
        assert len(set(numbers[0]) & set(numbers[1])) == 1
        assert len(set(fga[0]) & set(fga[1])) == 1
        assert set(numbers[0]) & set(found[:2])
        assert all(18 <= one <= 26 for pair in fga for one in pair)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Row 3: CFTR panel, father  ⟦GENETIC_DATA carrier, N1303K⟧",
            r"carrier, [A-Z]\d+[A-Z]|.*F508.*",
        ),
        ("Ferritin 900 in 2003. She is ⟦GENETIC_DATA C282Y homozygous⟧.", r"\w+ homozygous"),
        ("MYH7 was read in 2014: ⟦GENETIC_DATA c.1208G>A⟧.", r"c\.\d+[ACGT]>[ACGT]"),
    ],
)
def test_a_gene_that_the_page_names_keeps_its_changes(text: str, expected: str) -> None:
    """The value becomes another change, written alike, in at least two ways."""
    found = {one for (one,) in replaced(text, SCOPES)}

    assert len(found) > 1
    assert all(re.fullmatch(expected, one) for one in found), found


def test_a_change_of_gene_and_protein_agree() -> None:
    """The place in the protein is a third of the place in the gene, rounded up."""
    text = "Exome 2018: ⟦GENETIC_DATA COL3A1 c.1330G>A p.(Gly444Arg), de novo⟧."

    for (one,) in replaced(text, SCOPES):
        gene, protein = map(int, re.findall(r"(?<=c\.)\d+|(?<=[a-z]{2})\d+", one))
        assert (gene + 2) // 3 == protein


def test_what_refers_to_the_family_variant_gets_a_result() -> None:
    """The words for the variant stay, since no other variant is meant."""
    text = "The aunt in Perth is ⟦GENETIC_DATA negative for the familial deletion⟧. 2012"
    found = {one for (one,) in replaced(text, SCOPES)}

    assert len(found) > 2
    assert all(one.endswith(" for the familial deletion") for one in found)


def test_an_orientation_is_one_fact_of_a_page() -> None:
    """All words for it become words for one other orientation, and never come out as they were."""
    text = (
        "Cape Town 2011. Zola is ⟦SEXUALITY lesbian⟧, and said she had known since school that she "
        "was ⟦SEXUALITY gay⟧. She is ⟦SEXUALITY out to her captain⟧."
    )
    found = replaced(text, 40)

    assert all(first == second for first, second, _ in found)
    assert {first for first, _, _ in found}.isdisjoint({"lesbian", "gay", "homosexual", "queer"})
    assert len({out for _, _, out in found}) > 3
    assert all("captain" not in out for _, _, out in found)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Fort Ord, 1951. Private Lunt denied ⟦SEXUALITY homosexual acts⟧.", "meetings|talks"),
        ("Diagnosis: ⟦SEXUALITY Sexual pervert, latent⟧. 1944", "(?i)man|perver|flirt"),
        ("They were ⟦SEXUALITY together⟧ for nineteen years, until 1990.", "month|year|since"),
        ("Mrs. Rao blames his ⟦SEXUALITY affair with a cousin⟧.", "cousin|quarrel|engagement"),
    ],
)
def test_acts_and_ties_stay_of_one_kind(text: str, never: str) -> None:
    """What replaces them fits the words around, in at least three ways."""
    found = {one for (one,) in replaced(text, SCOPES)}

    assert len(found) > 2
    assert not [one for one in found if re.search(never, one)]


def test_measures_of_a_body_stay_those_of_a_body() -> None:
    """An ear, a forearm and a span are as long as people have them."""
    text = (
        "Service d'identité, Lyon 1911\nR. ear ⟦BIOMETRIC_DATA 6.1⟧   "
        "L. fore arm ⟦BIOMETRIC_DATA 45.2⟧   Outer arms ⟦BIOMETRIC_DATA 1 m. 71.5⟧"
    )

    for ear, arm, span in replaced(text, SCOPES):
        assert 5.6 <= float(ear) <= 7.2
        assert 42 <= float(arm) <= 50.5
        assert 60 <= float(span.removeprefix("1 m. ")) <= 86


def test_a_code_of_ten_fingers_keeps_its_form() -> None:
    """Two signs a finger: the count of a loop, or letters."""
    text = "FPC ⟦BIOMETRIC_DATA PI08TT14AACO11DM1709⟧"

    for (one,) in replaced(text, SCOPES):
        assert re.fullmatch(r"(?:\d\d|[A-Z]{2}){10}", one)


@pytest.mark.parametrize(
    ("text", "form", "never"),
    [
        ("Protein S deficiency. PROS1 ⟦GENETIC_DATA 1501T>C⟧.", r"\d+[ACGT]>[ACGT]", "1501"),
        ("Factor V Leiden: ⟦GENETIC_DATA 1691G>A⟧", r"\d+[ACGT]>[ACGT]", "1691"),
        ("Factor V Leiden: ⟦GENETIC_DATA R506Q⟧", r"[A-Z]\d+[A-Z]", "506"),
        ("Albinism. ⟦GENETIC_DATA OCA2 1327G>A⟧, OCA2.", r"OCA2 \d+[ACGT]>[ACGT]", "1327"),
        ("MTHFR gene: ⟦GENETIC_DATA MTHFR C677T⟧", r"MTHFR [ACGT]\d+[ACGT]", "677"),
        ("Hemophilia A. ⟦GENETIC_DATA F8 R2150H⟧", r"F8 [A-Z]\d+[A-Z]", "2150"),
        ("LHON panel: ⟦GENETIC_DATA 11778G>A⟧", r"\d+[ACGT]>[ACGT]", "11778"),
        ("LHON panel: ⟦GENETIC_DATA 11778G>A homoplasmic⟧", r"\d+[ACGT]>[ACGT] \w+", "11778"),
        ("Blood: ⟦GENETIC_DATA m.3243A>G, 40% heteroplasmy⟧", r"m\.\d+\w>\w, \d+% \w+", "3243"),
        (
            "Exome: ⟦GENETIC_DATA c.1A>G p.Met1Val⟧",
            r"c\.\d+\w>\w p\.[A-Z]..\d+[A-Z]..",
            r"\b1A|t1V",
        ),
        ("LHON: ⟦GENETIC_DATA G11778A⟧", r"[ACGT]\d+[ACGT]", "11778"),
        ("Milk sugar: ⟦GENETIC_DATA -13910C>T⟧", r"-\d+[ACGT]>[ACGT]", "13910"),
        ("BRCA1 gene: ⟦GENETIC_DATA 185delAG⟧", r"\d+(?:del|ins)[ACGT]+", "185"),
    ],
)
def test_a_change_becomes_one_of_many_in_its_notation(text: str, form: str, never: str) -> None:
    """It is never the same change in another notation, and not one of two that a list has."""
    found = {one for (one,) in replaced(text, SCOPES)}

    assert len(found) > 3
    assert all(re.fullmatch(form, one) for one in found), found
    assert not [one for one in found if re.search(never, one)]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("CFTR: ⟦GENETIC_DATA F508del (delta F508) on one allele⟧.", r"(\w+) \((\w+)\).*"),
        ("CFTR: ⟦GENETIC_DATA G551D⟧, that is ⟦GENETIC_DATA p.G551D⟧", r"(\w+) p\.(\w+)"),
        ("FGFR3: ⟦GENETIC_DATA 1138G>A⟧, ⟦GENETIC_DATA c.1138G>A⟧", r"(\S+) c\.(\S+)"),
    ],
)
def test_two_notations_of_one_change_stay_one_change(text: str, same: str) -> None:
    """What the page writes twice is drawn once."""
    for found in replaced(text, SCOPES):
        match = re.fullmatch(same, " ".join(found))

        assert match
        assert match[1] == match[2]


def test_a_change_by_letters_agrees_with_that_by_names_and_by_place() -> None:
    """The page's gene keeps one change: G380R, c.1138G>A and p.Gly380Arg are one."""
    text = (
        "FGFR3 was read. ⟦GENETIC_DATA FGFR3 G380R⟧. "
        "Report on FGFR3: ⟦GENETIC_DATA c.1138G>A (p.Gly380Arg)⟧."
    )

    for letters, report in replaced(text, SCOPES):
        [(first, place, last)] = re.findall(r"\AFGFR3 ([A-Z])(\d+)([A-Z])\Z", letters)
        [(gene, one, codon, other)] = re.findall(
            r"\Ac\.(\d+)[ACGT]>[ACGT] \(p\.([A-Z][a-z]{2})(\d+)([A-Z][a-z]{2})\)\Z", report
        )
        assert (int(gene) + 2) // 3 == int(codon) == int(place)
        assert (shortened(f"p.{one}{codon}{other}")) == f"{first}{place}{last}"


def test_a_lost_acid_stays_one_where_the_page_has_its_bases() -> None:
    """c.1521_1523del loses three bases, so the protein loses an acid."""
    text = "CFTR: ⟦GENETIC_DATA F508del⟧, in full ⟦GENETIC_DATA c.1521_1523del; p.F508del⟧"

    for short, full in replaced(text, SCOPES):
        [(last, own)] = re.findall(r"\Ac\.\d+_(\d+)del; p\.([A-Z]\d+del)\Z", full)
        assert own == short
        assert (int(last) + 2) // 3 == int(short[1:-3])


def test_a_change_that_is_invented_is_cased_as_changes_are() -> None:
    """No base change and no lost base is written in capitals: 3730delC."""
    text = "Familial cancer clinic 2012. ⟦GENETIC_DATA MEN1⟧, sister ⟦GENETIC_DATA N1303K⟧, "
    text += "brother ⟦GENETIC_DATA 621+1G>T⟧, son ⟦GENETIC_DATA POSITIVE FOR 35DELG⟧, "
    text += "aunt ⟦GENETIC_DATA MELAS 3243A>G⟧"
    found = {one for several in replaced(text, SCOPES) for one in several[1:]}

    assert not [one for one in found if re.search(r"DEL|INS|DUP", one)]


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("A*11:01 / A*33:03", r"A\*\d\d:\d\d / A\*\d\d:\d\d"),
        ("DRB1*15:02 / 12:02", r"DRB1\*\d\d:\d\d / \d\d:\d\d"),
        ("B*07:02", r"B\*\d\d:\d\d"),
        ("genetic distance of 3", r"genetic distance of \d"),
        ("share a great-great-grandfather", "share .*"),
    ],
)
def test_what_was_compared_stays_of_its_kind(value: str, pattern: str) -> None:
    """An allele is one of its locus, and a distance a distance."""
    found = {one for (one,) in replaced(f"Report of 2014: ⟦GENETIC_DATA {value}⟧.", 20)}

    assert len(found) > 1
    assert all(re.fullmatch(pattern, one) for one in found), found


def test_the_sex_that_a_marker_tells_stays() -> None:
    """Names and words of the page tell it, too."""
    assert replaced("Amelogenin  ⟦GENETIC_DATA X, Y⟧", 6) == [["X, Y"]] * 6
