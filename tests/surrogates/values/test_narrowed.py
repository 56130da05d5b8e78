"""An illness, treatment or sign that the words beside it narrow becomes another of the same use."""

import re

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span

SCOPES = 6


def surrogates(text: str) -> list[str]:
    """Return what replaces the value that *text* marks as ⟦value⟧, in each of some scopes."""
    head, value, tail = re.split("[⟦⟧]", text)
    span = Span(len(head), len(head) + len(value), "HEALTH", 1.0, "")
    made = (steps.steps("surrogate", "k" * 8 + "0123456789abcdef", f"{n}") for n in range(SCOPES))
    plain = head + value + tail
    return [steps.anonymize(plain, [span], one).items[0].text for one in made]


def strangers(cases: dict[str, str]) -> dict[str, list[str]]:
    """Return by text of *cases* the surrogates that its expression does not match."""
    found = {
        text: [one for one in surrogates(text) if not re.fullmatch(allowed, one, re.IGNORECASE)]
        for text, allowed in cases.items()
    }
    return {text: ones for text, ones in found.items() if ones}


def test_an_illness_follows_what_is_said_of_it() -> None:
    """Nobody lies in hospital with hay fever, or dies of scurvy beside a stroke."""
    serious = "pneumonia|bronchitis|asthma|tonsillitis|appendicitis|nephritis"
    chest = "pleurisy|tuberculosis|bronchiectasis|empyema|a lung abscess"
    lasting = (
        "hypertension|diabetes|chronic nephritis|generalized arteriosclerosis|chronic bronchitis"
        "|emphysema|cirrhosis of the liver|chronic myocarditis|arteriosclerotic heart disease"
    )
    cases = {
        "Two weeks in County Hospital last winter with ⟦bronchitis⟧.": serious,
        "He spent Easter at the Infirmary because of his ⟦asthma⟧, she says.": serious,
        "⟦Pleurisy⟧ in 1938; eight months at Fern Hill Sanatorium.": chest,
        "Cause of death: uremia; contributory ⟦arteriosclerosis⟧": lasting,
        "Contributing causes: old age, ⟦diabetes mellitus⟧": lasting,
    }
    assert not strangers(cases)


def test_a_part_keeps_its_signs() -> None:
    """Fingers have no lice, and a reader of palms asks for no legs."""
    hand = "amputated|paralysed|burned|deformed|bandaged|in a cast"
    cases = {
        "There was ⟦marked clubbing⟧ of the nails.": (
            "marked (cyanosis|coldness|trembling|stiffness|swelling|numbness)"
        ),
        "Palm reader: enrolled. ⟦Left hand burned⟧, so read the right one.": f"Left hand ({hand})",
        "Iris scan refused because of ⟦eye surgery⟧ in May.": (
            "eye (infection|injury|inflammation)|cataract surgery|corneal abrasion"
        ),
        "Left eye ⟦squint⟧ seen again, advised glasses.": (
            "stye|redness|discharge|swelling|watering"
        ),
        "3/4  R. Poole   ⟦hives on arms⟧   sent home": (
            "(rash|spots|blisters|welts|pimples|sores|scabs) on arms"
        ),
        "4 weeks. ⟦Slight nappy rash⟧, zinc ointment.": (
            "slight (cradle cap|sore buttocks|milk rash|heat rash|chafed groins|sticky eyes)"
        ),
        "Wassermann ⟦3 plus⟧, to have bismuth.": "[124] plus",
        "Kahn test ⟦two plus⟧, to have bismuth.": "(one|three|four) plus",
    }
    assert not strangers(cases)
