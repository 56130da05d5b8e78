"""Ties, faiths, nations, unions and sentences agree with what stands around them on the page."""

import re

import pytest

from tests.marked import replaced
from tests.surrogates.values.test_told import surrogates


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Bro. Rees, furnaceman, off sick. ⟦Wife⟧ and five children. Grant of £5.", "Wife"),
        ("6 Weir Street. A. Gow, joiner. ⟦Wife⟧ expecting in June.", "(Daughter|Sister)(-in-law)?"),
        ("Henry Platt, 78, shepherd, and ⟦wife⟧. Called twice.",
         "sister|daughter|son|mother|housekeeper|brother"),
        ("F/12. Miss Leela Rao. B.A. Teacher. ⟦Never married⟧. Father retired.", "Never married"),
        ("M/40. Shri Rao. ⟦Bachelor⟧. Wants girl of own community, caste no bar.",
         "Widower|Divorced.*|Marriage annulled|Issueless widower|Innocent divorcee"),
        ("The ⟦three small girls⟧ are here, seven, five and two.", "three small \\w+"),
        ("That his first ⟦wife, Clara Dunn⟧, died in 1903.", "wife, (?!Clara)\\w+ (?!Dunn)\\w+"),
    ],
)  # fmt: skip
def test_a_tie_fits_whom_the_page_names(text: str, pattern: str) -> None:
    """As many wives and children are written as are named, and who lives with a wife has one."""
    drawn = surrogates("MARITAL_STATUS", text)

    assert all(re.fullmatch(pattern, one) for one in drawn), drawn


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("SEXUALITY", "My ⟦boyfriend⟧, Paul. We were together for five years, in secret.",
         "lover|sweetheart|companion|partner|intended|steady|other half"),
        ("SEXUALITY", "In May I ⟦began hormones⟧ (estradiol patches) here.", "began hormones"),
        ("SEXUALITY", "She ⟦came out of the closet⟧ in 1991.", "(?!.*closet).{9,24}"),
        ("TRADE_UNION_MEMBERSHIP", "Signed: Joe Kovac, ⟦Griever, Zone 3⟧",
         "[A-Z][a-z -]+, Zone \\d"),
        ("TRADE_UNION_MEMBERSHIP", "Signed: Joe Kovac, ⟦Steward, Dist. 12⟧",
         "[A-Z][a-z -]+, Dist. 1\\d"),
        ("TRADE_UNION_MEMBERSHIP",
         "S.S. Clyde, Hull 1924. Bosun, of the ⟦National Union of Seamen⟧.",
         ".*(Marine|Seafarers|Sailors|Stewards|Riverside|Dock|Transport).*"),
        ("TRADE_UNION_MEMBERSHIP", "He is ⟦not in the union⟧, says the agent.",
         "not (?!in the union).*|never .*"),
        ("TRADE_UNION_MEMBERSHIP", "Sydney, 1951. Bert is an ⟦A.R.U. organiser⟧.",
         r"(?!A\.R\.U|U\.|I\.B)(?:[A-Z]\.){3,5} [a-z].+"),
        ("CRIMINAL_OFFENCE", "They took me to the station. I was ⟦arrested⟧.",
         "detained|charged|held|locked up|taken in|picked up|booked"),
        ("CRIMINAL_OFFENCE", "Probation, and ⟦restitution of $310⟧ for the fence.",
         "(restitution|damages|compensation|reimbursement|costs|a payment) of \\$(?!310)\\d+"),
        ("GENETIC_DATA", "Uncle Roy: Y-DNA ⟦R-M269, subclade R-Z253⟧.",
         "([A-T])-M?P?\\d+, subclade \\1-\\w+"),
        ("GENETIC_DATA", "Uncle Roy: ⟦haplogroup I1 (I-M253)⟧.",
         "haplogroup ([A-T])\\w+ \\(\\1-\\w+\\)"),
        ("BIOMETRIC_DATA", "Checked with State file: ⟦identical with Lansing No. 10433⟧",
         "no .*|not .*|nothing .*|reply awaited"),
        ("BIOMETRIC_DATA", "The prints are ⟦the same as those of our No. 481⟧.",
         "not on file|not on record here|still .*|unknown at the bureau|without a match"),
        ("RELIGION", "He attends the ⟦Friends⟧ meeting on Elm Street.", "(?!Friends).*"),
        ("RELIGION", "Mother is ⟦Presbyterian⟧ to the core.",
         "Methodist|Baptist|Lutheran|Congregationalist|Quaker|Unitarian|Wesleyan"),
        ("ETHNIC_ORIGIN", "Hindu, ⟦Gujarati⟧. M.A., Bombay.",
         "Maharashtrian|Punjabi|Bengali|Tamilian|Malayali|Sindhi|Kannadiga|Marwari|Kashmiri|Oriya|A.*"),
        ("ETHNIC_ORIGIN", "Race: [x] ⟦European⟧  [ ] Maori  [ ] Other\nDistrict: Gisborne",
         "Samoan|Tongan|Cook Islands Maori|Niuean|Fijian Indian|Chinese"),
        ("ETHNIC_ORIGIN", "1044,Botha,F,⟦Coloured⟧,RSA,Line 4,FAWU",
         "African|White|Indian|Coloured"),
        ("POLITICAL_OPINION", 'In 1950 he called her "a ⟦Truman Democrat⟧, nothing more."',
         "(?!an? ).*"),
        ("HOME_ADDRESS", "Home: ⟦farm, Section 22, Holden⟧", "farm, Section \\d\\d, [A-Z].*"),
        ("HOME_ADDRESS", "Home: ⟦Farm, R. 2, Kenyon⟧", "Farm, R. \\d, [A-Z].*"),
        ("HOME_ADDRESS", "Jan. 4. ⟦Kirk Wynd, No. 5⟧. Perth, Scotland.",
         "(?!Kirk)\\w+ Wynd, No. \\d"),
    ],
)  # fmt: skip
def test_a_fact_fits_the_words_around_it(entity: str, text: str, pattern: str) -> None:
    """A partner, a union, a church or a sentence is another one that can stand there."""
    drawn = surrogates(entity, text)

    assert all(re.fullmatch(pattern, one) for one in drawn), drawn


def test_a_nation_stays_where_the_birthplace_does() -> None:
    """Who was born in a country of which an address stays remains its citizen; others change."""
    born = "Place of birth: ⟦PLACE_OF_BIRTH|{}⟧. Citizen of: ⟦Mexico⟧. Home: ⟦HOME_ADDRESS|{}⟧"

    stayed = surrogates("NATIONALITY", born.format("Zacatecas, Sonora", "Calle Luz 12, Monterrey"))
    changed = surrogates("NATIONALITY", born.format("Dayton, Ohio", "12 Main St., Akron, Ohio"))

    assert stayed == {"Mexico"}
    assert len(changed) > 3
    assert "Mexico" not in changed


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Docket 1962\n114  ⟦CRIMINAL_OFFENCE Speeding 58 in 35⟧  G  $10", r"\D+"),
        ("fined for ⟦CRIMINAL_OFFENCE exc. speed 47/30⟧ at Hove", r"\D+"),
        ("the jury called it ⟦CRIMINAL_OFFENCE burglary of an occupied house⟧", "(?!.*house).+"),
        ("1936 ledger, ⟦CRIMINAL_OFFENCE armed robbery⟧, twelve years",
         "kidnapping|manslaughter|malicious wounding|aggravated assault"),
        ("Recommended: ⟦CRIMINAL_OFFENCE eighteen months' probation⟧",
         r"[\w-]+ months' (?!house|community|work).+"),
        ("Then the army ⟦CRIMINAL_OFFENCE dropped the matter⟧.", r"\w+( \w+)? the matter"),
        ("He was ⟦CRIMINAL_OFFENCE arrested⟧ in Deptford and bailed to the 9th.",
         "(?!charged|summoned|cautioned|questioned).+"),
        ("who is ⟦CRIMINAL_OFFENCE serving a two-year ban⟧ for it", "(serving|doing) .+"),
        ("Co. C, 3rd Inf. Lost: ⟦CRIMINAL_OFFENCE 4 days AWOL⟧ in May 1944.",
         r"\d+ days (overstaying leave|restricted|confined|in arrest|in the stockade)"),
        ("The Assize Court ⟦CRIMINAL_OFFENCE convicted her of fraud⟧ in May.",
         "(sentenced|tried|bound) her (over )?for .+|cleared her of .+"),
        ("He was ⟦CRIMINAL_OFFENCE held for nine days⟧ at the fort.", "(?!rel|ror).+"),
    ],
)  # fmt: skip
def test_an_offence_keeps_what_stands_around_it(text: str, fits: str) -> None:
    """A limit goes with its speed, a long sentence with a grave deed, bail with an arrest."""
    found = {one.casefold() for (one,) in replaced(text, 20)}

    assert len(found) >= 3
    assert all(re.fullmatch(fits, one) for one in found)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Ray Ott, ⟦MARITAL_STATUS widower⟧ since June, lodges at No. 4.",
         "separated|deserted|living apart|estranged|alone"),
        ("the lodger is a ⟦MARITAL_STATUS widow⟧ with two small boys",
         "(?!.*children|.*kin|single).+"),
        ("He died in May; his ⟦MARITAL_STATUS widow⟧ gets coal.",
         "mother|sister|daughter|niece|sister-in-law"),
        ("Next of kin: Eve Dorn   Relation: ⟦MARITAL_STATUS daughter⟧",
         "sister|niece|aunt|mother|sister-in-law|cousin"),
        ("Bed 3. ⟦MARITAL_STATUS Daughter⟧, Mrs. Crane, telephones.",
         "sister|niece|aunt|cousin|sister-in-law"),
        ("He told them, ⟦SEXUALITY her partner, the weaver Ada Lunt⟧ too.", "her .+"),
        ("the word ⟦SEXUALITY transition⟧ is not used", "(?!attend|change|use).+"),
    ],
)  # fmt: skip
def test_a_tie_is_of_the_sex_age_and_syntax_of_its_place(text: str, fits: str) -> None:
    """Nobody is a bachelor since a day, and no baby's father has grandchildren."""
    found = {one.casefold() for (one,) in replaced(text, 20)}

    assert len(found) >= 3
    assert all(re.fullmatch(fits, one) for one in found)


def test_a_widower_whose_wife_is_told_of_stays() -> None:
    """A Mass for his wife is said for the one who died."""
    text = "Joe Lacey, ⟦MARITAL_STATUS widower⟧ since Lent. He asked for a Mass for his wife."

    assert {one for (one,) in replaced(text, 12)} == {"widower"}
