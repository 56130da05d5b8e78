"""A name's second score tells how it is written and what stands around it."""

from dataclasses import replace

import numpy as np
import pytest

from presidio_cdip.errors import ModelError
from presidio_cdip.recognition.name_scores import FEATURES, check, features, rescored
from presidio_cdip.recognition.names import KnownNames
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Config, Tagged

LABELS = ("PERSON", "LOCATION")
KNOWN = KnownNames(frozenset({"jane"}), frozenset({"pell"}))
TEXT = "Jane Pell met Roy Hope and Hope, in hope of Ruritania"
NEUTRAL = dict.fromkeys(FEATURES, 0.0) | {"score": 1.0}
"""Weights with which the second score is the first."""


def tagged(**weights: float) -> Tagged:
    words = TEXT.split()
    starts = np.cumsum([0, *(len(word) + 1 for word in words[:-1])])
    ends = starts + [len(word) for word in words]
    config = Config(
        LABELS, (None, 0, 1), (False,) * 3, name_rescoring={"PERSON": {**NEUTRAL, **weights}}
    )
    rows = np.tile(np.array([[0.5, 0.25]], np.float16), (len(words), 1))
    return Tagged(TEXT, config, starts, ends, rows, np.zeros(len(words), np.float16))


def span(value: str, label: str = "PERSON", score: float = 0.5) -> Span:
    start = TEXT.index(value)
    return Span(start, start + len(value), label, score, "model")


def column(name: str, *spans: Span) -> list[float]:
    found = features(tagged(), spans, KNOWN)[:, FEATURES.index(name)]
    return [round(value, 3) for value in found.tolist()]


def test_without_weights_scores_stay() -> None:
    """A model whose folder has no weights for a label gives first scores."""
    bare = replace(tagged(), config=replace(tagged().config, name_rescoring={}))
    place = span("Ruritania", "LOCATION", 0.3)

    assert rescored(bare, [span("Roy Hope")], KNOWN) == [span("Roy Hope")]
    assert rescored(tagged(bias=-9.0), [place], KNOWN) == [place]
    assert rescored(tagged(), [], KNOWN) == []


def test_weights_change_the_score() -> None:
    """A well-known first name makes a doubtful person probable, where the weights say so."""
    known, unknown = rescored(tagged(first_name=2.0), [span("Jane Pell"), span("Roy Hope")], KNOWN)

    assert known.score == pytest.approx(0.88, abs=0.01)
    assert unknown.score == pytest.approx(0.5, abs=0.01)


def test_well_known_names_are_told() -> None:
    """The first word is looked up as a first name, the last as a last name."""
    assert column("first_name", span("Jane Pell"), span("Roy Hope")) == [1, 0]
    assert column("last_name", span("Jane Pell"), span("Roy Hope")) == [1, 0]


def test_small_letters_and_common_words_are_told() -> None:
    """ "hope" in the text makes "Hope" doubtful."""
    assert column("lower", span("Roy Hope and"), span("hope")) == [0.333, 1]
    assert column("common", span("Jane Pell"), span("Roy Hope")) == [0, 0.5]


def test_repeated_names_and_neighbours_are_told() -> None:
    """A name found twice counts both times; a list has names of one label side by side."""
    twice = [span("Hope"), replace(span("Hope"), start=27, end=31)]

    assert column("times", *twice, span("Ruritania", "LOCATION")) == [0.693, 0.693, 0]
    assert column("beside", span("Jane Pell"), span("Roy Hope"), span("hope")) == [1, 1, 0]


def test_the_probability_of_any_name_is_told() -> None:
    """It is the sum over the labels, for the words of the name."""
    assert column("any_name", span("Jane Pell")) == [0.75]


def test_wrong_weights_are_refused() -> None:
    """A folder whose weights are of other features cannot be used."""
    check(tagged().config)

    for weights in ({"bias": 1.0}, {**NEUTRAL, "colour": 1.0}):
        with pytest.raises(ModelError, match="name_rescoring"):
            check(replace(tagged().config, name_rescoring={"PERSON": weights}))


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ({"name_rescoring": {"PERSON": {"bias": "x"}}}, "name_rescoring: bias is not a number"),
        ({"name_rescoring": {"PERSON": 3}}, "name_rescoring: is not a mapping of features"),
        ({"name_rescoring": [1]}, "name_rescoring: is not a mapping of labels"),
        ({"name_rescoring": {"PERSONS": {"bias": 1.0}}}, "'PERSONS' is no label of names"),
        ({"name_rescoring": {"AGE": {"bias": 1.0}}}, "'AGE' is no label of names"),
        ({"rescoring": [1]}, "rescoring: is not a mapping of features"),
    ],
)
def test_weights_of_another_form_are_refused(own: dict[str, object], problem: str) -> None:
    """The error says what is wrong in ``config.json``."""
    with pytest.raises(ModelError, match=problem):
        Config.of({"id2label": {"0": "O", "1": "PERSON", "2": "AGE"}, "presidio_cdip": own})


def test_a_packs_own_names_may_have_weights() -> None:
    """Its model may find names of a further kind."""
    weights = {"SHIP": {"bias": 1.0}}
    own = {"labels": {"SHIP": "SHIP"}, "name_rescoring": weights}

    config = Config.of({"id2label": {"0": "O", "1": "SHIP"}, "presidio_cdip": own})

    assert config.name_rescoring == weights
