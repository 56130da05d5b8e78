"""Ties, faiths, nations, unions and sentences agree with what stands around them on the page."""

import re

import pytest

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
        ("He had ⟦three wives⟧, Ellen, Martha and Kirsten.", "three (sisters|cousins|[adnw]\\w+)"),
        ("The ⟦three small girls⟧ are here, seven, five and two.", "three small \\w+"),
        ("He is the ⟦husband of Clara Dunn⟧, with whom he is now living.",
         "husband of (?!Clara)\\w+ (?!Dunn)\\w+"),
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
         r"(?:A\.F\.U\.L\.E|T\.W\.U|B\.S\.A|A\.E\.U)\. .+"),
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
        ("NATIONALITY", "He cannot be ⟦naturalised⟧ until he has lived here five years.",
         "given .*|put on the roll|granted full residence|admitted for residence"),
        ("NATIONALITY", "She won't be ⟦naturalized⟧ until next year.",
         "given .*|put on the roll|granted full residence|admitted for residence"),
        ("BIOMETRIC_DATA", "The prints are ⟦the same as those of our No. 481⟧.",
         "not on file|not on record here|still .*|unknown at the bureau|without a match"),
        ("RELIGION", "Joan will ⟦take instruction⟧ with Father Walsh in May.",
         "go on retreat|have talks|sing in the choir|help in the parish|read scripture|sit the .*"),
        ("RELIGION", "He was a ⟦bishop of the Cottonwood 2nd Ward⟧ in Provo, Utah.",
         "\\w+ (at|of) (?!.*Ward).*"),
        ("RELIGION", "He attends the ⟦Friends⟧ meeting on Elm Street.", "(?!Friends).*"),
        ("RELIGION", "Mother is ⟦Presbyterian⟧ to the core.",
         "Methodist|Baptist|Lutheran|Congregationalist|Quaker|Unitarian|Wesleyan"),
        ("RELIGION", "Both ⟦communicants⟧. Read Psalm 23.", "(?!tither).*"),
        ("ETHNIC_ORIGIN", "Hindu, ⟦Gujarati⟧. M.A., Bombay.",
         "Maharashtrian|Punjabi|Bengali|Tamilian|Malayali|Sindhi|Kannadiga|Marwari|Kashmiri|Oriya|A.*"),
        ("ETHNIC_ORIGIN", "Race: [x] ⟦European⟧  [ ] Maori  [ ] Other\nDistrict: Gisborne",
         "Samoan|Tongan|Cook Islands Maori|Niuean|Fijian Indian|Chinese"),
        ("ETHNIC_ORIGIN", "1044,Botha,F,⟦Coloured⟧,RSA,Line 4,FAWU", "African|White|Indian"),
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
