"""What is founded, brewed or bred has a birth and an age, and is no person."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import Finder, finder, rules

ENTITIES = {"AGE", "DATE_OF_BIRTH", "PLACE_OF_BIRTH"}


@pytest.fixture(scope="module", params=["rules", "rules and model"])
def either(request: pytest.FixtureRequest) -> Finder:
    """The rules alone, and with the model."""
    pack = Pack.shipped()
    return finder() if request.param != "rules" else Finder(rules=rules(pack), pack=pack)


def found(found_by: Finder, text: str) -> set[str]:
    spans = found_by.find(text, min_score=0.4, wanted=ENTITIES)
    return {text[span.start : span.end] for span in spans}


@pytest.mark.parametrize(
    "text",
    [
        "The newspaper was born in 1902.",
        "Haldane Soap was born in 1911 in Leeds, Alabama.",
        "Our ale, born in 1790, has not changed.",
        "Sorrel, a brand born in 1957 in Dayton, was sold twice.",
        "In 1920 the league was born in Canton.",
        "The club that would merge with them was born in May 1888 in Derby.",
        "BORN IN 1938, OUR BRIDGE IS CLOSED.",
        "The mice, born on 6/4/1951, were weaned.",
        "They poured a 30-year-old brandy.",
        "Matured, and aged 10 years in charred oak casks.",
        "The station is 60 years old.",
        "Age of rats: age 5 weeks, strain W3, males",
    ],
)
def test_births_and_ages_of_things_are_none_of_persons(either: Finder, text: str) -> None:
    """Neither rules nor the model find them."""
    assert found(either, text) == set()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Ivo Brandt, founder of Brandt Soap Co., was born in 1909 in Ghent.", {"1909", "Ghent"}),
        ("Nora House, born in 1924 in Derby, taught Latin.", {"1924", "Derby"}),
        ("Her mother, a weaver from the city, was born in 1870 in Cork.", {"1870", "Cork"}),
        ("The newspaper's editor was born in 1902 in Leeds.", {"1902", "Leeds"}),
        ("The 61-year-old hotel owner sued.", {"61-year-old"}),
        ("Ada Mill, aged 34, kept a shop.", {"34"}),
        ("He left the firm. Born in 1931 in Troy, he was young.", {"1931", "Troy"}),
        (
            "A 52-year-old company director and a 40-year-old bank teller",
            {"52-year-old", "40-year-old"},
        ),
        ("The 38-year-old school principal was hurt.", {"38-year-old"}),
        ("Pt is a 42 year old man with lumbar strain.", {"42 year old"}),
        ("Police record: born 3 May 1931 in Ghent", {"3 May 1931", "Ghent"}),
        ("Index case, born 4/5/1938.", {"4/5/1938"}),
        ("He runs a farm, was born in Iowa in 1931.", {"Iowa", "1931"}),
        ("My daughter Brandy was born on March 3, 1986.", {"March 3, 1986"}),
        ("Arrested driving a stolen car, aged 19.", {"19"}),
        ("She left the union, aged 45.", {"45"}),
    ],
)
def test_persons_beside_things_are_born(text: str, values: set[str]) -> None:
    """Who owns or founds a thing, or is named like one, is a person."""
    assert values <= found(finder(), text)
