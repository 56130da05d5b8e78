"""What the literature shows as examples, in invented words of the same kind.

The SSNs that commercial tools missed (Larson et al., EMNLP 2024), the pages of that paper's figure
(a vita's head, a form, a letter), and the three texts that a study of GDPR categories discusses: a
letter about a cold, a lawyer's vita that lists fields of practice, an encyclopaedia's page.
"""

import pytest
from presidio_analyzer import AnalyzerEngine

import presidio_cdip


@pytest.fixture(scope="module")
def engine() -> AnalyzerEngine:
    return presidio_cdip.analyzer()


def found(engine: AnalyzerEngine, text: str) -> set[tuple[str, str]]:
    results = engine.analyze(text, "en")
    return {(one.entity_type, text[one.start : one.end]) for one in results}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Fee payable to: R. Dunlap, M.D.\nSoc. Sec. # 271 24 0538\nDate: 4-11-78", "271 24 0538"),
        ("CONSULTANT'S INVOICE\nTotal due      $400.00\nSS No 271240538   thank you", "271240538"),
    ],
)
def test_ssns_that_commercial_tools_missed(engine: AnalyzerEngine, text: str, number: str) -> None:
    """Blanks instead of hyphens, or none: the number is found all the same."""
    assert ("US_SSN", number) in found(engine, text)


def test_head_of_a_vita(engine: AnalyzerEngine) -> None:
    """Of a vita's head the home, the birth, the family and the citizenship are found."""
    text = (
        "CURRICULUM VITAE\n\nWalter R. Haskell, Ph.D.\n\n"
        "Home Address:      418 Larkspur Drive, Chapel Hill, N.C. 27514\n"
        "Home Telephone:    (919) 555-0143\n"
        "Date of Birth:     March 4, 1931\n"
        "Place of Birth:    Elmira, New York\n"
        "Marital Status:    Married, two children\n"
        "Citizenship:       U.S.\n"
        "Office:            Department of Biochemistry, 210 Swain Hall\n"
    )

    entities = {entity for entity, _ in found(engine, text)}

    assert {
        "HOME_ADDRESS", "HOME_PHONE_NUMBER", "DATE_OF_BIRTH", "PLACE_OF_BIRTH", "MARITAL_STATUS",
        "NATIONALITY",
    } <= entities  # fmt: skip
    assert not any("Swain" in value for _, value in found(engine, text))


def test_letter_about_a_cold(engine: AnalyzerEngine) -> None:
    """That the writer has a cold is a statement about her health, in passing as it is."""
    text = (
        "Dear Mr. Abbott,\n\nPlease excuse my late reply. I have been in bed with a bad cold since "
        "Monday and my voice is gone. The samples follow next week.\n\nYours truly,\nRuth Odell"
    )

    assert any(entity == "HEALTH" and "cold" in value for entity, value in found(engine, text))


def test_vita_of_a_lawyer(engine: AnalyzerEngine) -> None:
    """Fields of practice are no statements about the lawyer."""
    text = (
        "Dana Whitlock is a partner in our Columbus office. Her practice covers trade union law, "
        "health care fraud, immigration and criminal defense, and the law of religious "
        "corporations. She speaks at bar association seminars on data protection."
    )

    assert found(engine, text) == set()


def test_page_of_an_encyclopaedia(engine: AnalyzerEngine) -> None:
    """A page about an illness discloses nothing about a person."""
    text = (
        "Asthma is a chronic inflammation of the airways. Symptoms include wheezing, coughing and "
        "shortness of breath. It is treated with inhaled corticosteroids; attacks are relieved by "
        "salbutamol. In 2015 some 358 million people had asthma worldwide."
    )

    assert found(engine, text) == set()
