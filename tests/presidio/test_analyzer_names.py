"""Names, operating points and Presidio's extras, as an analyzer is asked for them."""

import socket

import pytest
import tldextract
from presidio_analyzer import AnalyzerEngine

import presidio_cdip
from presidio_cdip.errors import CdipError
from presidio_cdip.recognition.finder import least_score

LETTER = (
    "Dear Mr. Lindqvist,\n\nDr. Anna Kowalski of Dayton, Ohio has diabetes. Please write to "
    "anna@example.com. Kowalski will be away.\n\nSincerely,\n\nRoy B. Haskell\nHaskell Mills, Inc."
)


def found(engine: AnalyzerEngine, entity: str) -> list[str]:
    results = sorted(engine.analyze(LETTER, "en"), key=lambda one: one.start)
    return [LETTER[one.start : one.end] for one in results if one.entity_type == entity]


def test_names_are_found_where_asked_for() -> None:
    """Persons are found, each wherever the name stands again; without asking, none is."""
    engine = presidio_cdip.analyzer(names=True)

    persons = found(engine, "PERSON")

    assert {"Lindqvist", "Anna Kowalski", "Kowalski", "Roy B. Haskell"} <= set(persons)
    assert found(presidio_cdip.analyzer(), "PERSON") == []


def test_persons_alone() -> None:
    """Who asks for persons gets them, though another entity claims some of the words."""
    engine = presidio_cdip.analyzer(entities=["PERSON"])

    assert {one.entity_type for one in engine.analyze(LETTER, "en")} == {"PERSON"}


def test_names_found_once_can_stay_so() -> None:
    """Without propagation the rules and the model alone decide."""
    once = presidio_cdip.analyzer(names=True, propagate=False)

    assert len(found(once, "PERSON")) <= len(found(presidio_cdip.analyzer(names=True), "PERSON"))


@pytest.mark.slow
def test_extras_ask_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presidio's own function, which fetches a list of domains, is never called."""

    def fetch(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(tldextract, "extract", fetch)
    monkeypatch.setattr(socket, "create_connection", fetch)

    assert found(presidio_cdip.analyzer(extras=True), "EMAIL_ADDRESS") == ["anna@example.com"]


def test_extras() -> None:
    """Presidio's recognizer of e-mail addresses joins where extras are asked for."""
    assert found(presidio_cdip.analyzer(extras=True), "EMAIL_ADDRESS") == ["anna@example.com"]
    assert found(presidio_cdip.analyzer(), "EMAIL_ADDRESS") == []


def test_operating_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name, a number, the environment, or balanced."""
    assert least_score("recall") < least_score() < least_score("precision")
    assert least_score(0.5) == least_score("0.5") == 0.5

    monkeypatch.setenv("PRESIDIO_CDIP_MIN_SCORE", "precision")

    assert least_score() == least_score("precision")


@pytest.mark.parametrize("asked", ["best", "7", -0.1, 1.5])
def test_no_operating_point(asked: float | str) -> None:
    """What is neither a name nor a share is refused, and what there is, named."""
    with pytest.raises(CdipError, match="balanced"):
        least_score(asked)


def test_findings_below_the_point_are_left_out() -> None:
    """The precise analyzer finds a part of what the one for recall finds."""
    precise = presidio_cdip.analyzer(min_score="precision").analyze(LETTER, "en")
    all_of_it = presidio_cdip.analyzer(min_score="recall").analyze(LETTER, "en")

    assert all(one.score >= 0.7 for one in precise)
    assert len(precise) <= len(all_of_it)


def test_dates_with_a_months_name_are_found_beside_those_in_digits() -> None:
    """Only what is found moves, and dates of one page have to move together."""
    text = "Admitted June 1, 1920 and 4th of May 1930, seen Aug. 1920, on 12 MAR 2001 and on 5 May."
    engine = presidio_cdip.analyzer(extras=True, model="none")

    dates = [
        text[one.start : one.end]
        for one in sorted(engine.analyze(text, "en"), key=lambda one: one.start)
        if one.entity_type == "DATE_TIME"
    ]

    assert dates == ["June 1, 1920", "4th of May 1930", "Aug. 1920", "12 MAR 2001", "5 May"]


def test_a_verb_that_is_a_months_name_is_no_date() -> None:
    """Neither in small letters nor before a number that is no day."""
    engine = presidio_cdip.analyzer(extras=True, model="none")

    for text in ("They may 5 times.", "We march 3 abreast.", "In May 45 came."):
        assert not [one for one in engine.analyze(text, "en") if one.entity_type == "DATE_TIME"]
