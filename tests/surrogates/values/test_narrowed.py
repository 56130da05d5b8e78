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
    lasting = (
        "hypertension|diabetes|chronic nephritis|generalized arteriosclerosis|chronic bronchitis"
        "|emphysema|cirrhosis of the liver|chronic myocarditis|arteriosclerotic heart disease"
    )
    cases = {
        "Two weeks in County Hospital last winter with ⟦bronchitis⟧.": serious,
        "He spent Easter at the Infirmary because of his ⟦asthma⟧, she says.": serious,
        "Cause of death: uremia; contributory ⟦arteriosclerosis⟧": lasting,
        "Contributing causes: old age, ⟦diabetes mellitus⟧": lasting,
    }
    assert not strangers(cases)


def test_a_part_keeps_its_signs() -> None:
    """Fingers have no lice, and a reader of palms asks for no legs."""
    cases = {
        "Iris scan refused because of ⟦eye surgery⟧ in May.": (
            "eye (infection|injury|inflammation)|cataract surgery|corneal abrasion"
        ),
        "3/4  R. Poole   ⟦hives on arms⟧   sent home": (
            "(rash|spots|blisters|welts|pimples|sores|scabs) on arms"
        ),
        "4 weeks. ⟦Slight nappy rash⟧, zinc ointment.": (
            "slight (cradle cap|milk rash|heat rash|dry skin|soreness .+|chafing .+)"
        ),
        "Wassermann ⟦3 plus⟧, to have bismuth.": "[124] plus",
        "Kahn test ⟦two plus⟧, to have bismuth.": "(one|three|four) plus",
    }
    assert not strangers(cases)


def test_a_treatment_stays_of_its_use() -> None:
    """What moves a limb is no lesson in speech, and a hot drink is no swelling."""
    body = (
        "physiotherapy|hydrotherapy|massage|remedial exercises|heat treatment|traction"
        "|wax baths|diathermy|ultrasound treatment|therapeutic swimming|aquatic therapy"
    )
    lesson = (
        "speech therapy|occupational therapy|play therapy|remedial reading|music therapy"
        "|art therapy|sensory therapy"
    )
    cases = {
        "She attends ⟦hydrotherapy⟧ twice a week for the hip.": body,
        "He was sent for ⟦physical therapy⟧ after the fall.": body,
        "The boy has ⟦speech therapy⟧ on Mondays.": lesson,
        "9:30 Lena W. cramps, lay down, ⟦hot water bottle⟧": (
            "heating pad|warm compress|hot drink|warm blanket|warm soak"
        ),
        "10:15 Otto K. bumped head, ⟦ice pack⟧": "cold compress|cold cloth|ice|cool cloth",
        "No. 12 double hernia, advised ⟦operation⟧.": (
            "hospital treatment|specialist treatment|further tests|a second opinion|bed rest"
            "|special treatment|x-rays|observation"
        ),
        "Please bring her ⟦inhaler⟧ to the pool.": (
            "ear drops|nose clip|bee sting kit|eye drops|skin ointment|throat tablets"
            "|allergy tablets|calamine lotion|insect sting kit"
        ),
        "Carries an ⟦inhaler⟧ at all times.": (
            "eye patch|ice bag|insect sting kit|elastic bandage|ankle support|arm sling"
            "|ear syringe|eye bath"
        ),
        "Nervous exhaustion in 1951; ⟦no hospital treatment⟧.": "no .+",
    }
    assert not strangers(cases)


def test_words_after_a_value_say_which_part_is_ill() -> None:
    cases = {
        "No. 5 ⟦conjunctivitis⟧, both eyes, to be treated.": (
            "blepharitis|keratitis|iritis|styes|corneal ulcers|uveitis|ophthalmia"
        ),
        "⟦Pneumonia⟧ of the left lung in 1936.": (
            "pleurisy|bronchiectasis|tuberculosis|effusion|fibrosis|collapse|emphysema"
        ),
        "⟦Arthritis⟧ of both knees.": "bursitis|synovitis|rheumatism|gout|effusion|sprain",
        "⟦Right eye turns out when tired⟧, watch.": (
            "(right|left) eye (turns in|waters|wanders|droops|twitches|sticks|discharges"
            "|itches) when tired"
        ),
        "Glasses, ⟦-1.75 both eyes⟧.": r"-\d(\.\d+)? both eyes",
        "Sonogram: ⟦bile duct 11 mm⟧, liver normal.": (
            r"(spleen|(abdominal )?aorta|portal vein|pancreatic duct|(left|right) kidney"
            r"|gallbladder wall) \d+ [mc]m"
        ),
        "The ⟦inflamed appendix⟧ went to the laboratory.": r"\w+ appendix",
    }
    assert not strangers(cases)


def test_signs_and_lay_words_stay_what_they_are() -> None:
    looks = (
        "jaundiced|pale|flushed|cyanosed|dehydrated|breathless|drowsy|sallow|restless|sweating"
        "|plethoric|febrile|an?aemic|anemic|icteric"
    )
    cases = {
        "O/E ⟦jaundiced⟧. B.P. 150/90.": looks,
        "⟦Sweaty⟧ and cold after the needle.": (
            "pale|faint|flushed|dizzy|nauseated|clammy|trembling|giddy|weak"
        ),
        "Walked out with his wife, feeling ⟦well⟧.": (
            "better|stronger|rested|calmer|steadier|a little (tired|weak|stiff)"
        ),
        "Grandmother had ⟦sugar⟧ all her life.": (
            "high blood|dropsy|bad nerves|bad lungs|thin blood|bad circulation|bad veins|poor blood"
        ),
        "Since the war he has ⟦kidney trouble⟧.": ("(bladder|urinary|water) trouble"),
        "He had ⟦some trouble with drink⟧ as a young man.": (
            "some trouble with (pills|drugs|morphine|sleeping tablets|dope|laudanum|pain pills)"
        ),
        "⟦Codeine allergy⟧ (hives).": r"[\w ]+ allergy",
    }
    assert not strangers(cases)


def test_a_diabetic_is_no_diet() -> None:
    diets = "low cholesterol|high protein|low salt|reducing|soft|bland"
    assert all(one not in diets for one in surrogates("He is obese and ⟦diabetic⟧, she says."))


def test_how_somebody_looks_stays_a_look() -> None:
    looks = "pale|jaundiced|flushed|dehydrated|sallow|cyanosed|plethoric"
    cases = {
        "On examination pulse 96. ⟦Anaemic⟧.": looks,
        "Temperature 98.6. ⟦Slightly cyanosed⟧.": f"slightly ({looks})",
    }
    assert not strangers(cases)


def test_infants_are_vaccinated_as_infants() -> None:
    text = "INFANT WELFARE CARD\nBirth weight 7 lb.\nIMMUNISATIONS\n⟦Whooping cough⟧  9.3.53\n"
    assert not strangers({text: "smallpox|diphtheria|tetanus|tuberculosis|.*diphtheria.*"})


def test_swelling_has_degrees() -> None:
    degrees = (
        "absent|not present|no more seen|mild|slight|minimal|trace|at night only|just pitting"
        "|late in the day|marked|pitting|to the knees|one plus|two plus"
    )
    assert not strangers({f"Ankle oedema ⟦{one}⟧.": degrees for one in ("mild", "moderate")})


def test_what_is_done_to_bile_ducts_stays_there() -> None:
    cases = {
        "In 1991 an ⟦ERCP⟧ was done, two stones seen.": "PTC|IOC|CBDE|PTBD|CDS|EUS",
        "1991: ⟦sphincterotomy⟧, two stones removed.": (
            "stent placement|balloon dilatation|basket extraction|nasobiliary drainage"
        ),
    }
    assert not strangers(cases)


def test_a_damaged_term_is_the_one_listed_term_that_it_can_be() -> None:
    """OCR and typists take one letter for another."""
    childhood = (
        "measles|mumps|chicken ?pox|whooping cough|scarlet fever|rubella|german measles"
        "|diphtheria|rheumatic fever|.*polio.*|smallpox|roseola|croup"
    )
    cases = {
        "Both girls had ⟦chickcn pox⟧ in May.": childhood,
        "The boy had ⟦measels⟧ in May.": childhood,
    }
    assert not strangers(cases)
