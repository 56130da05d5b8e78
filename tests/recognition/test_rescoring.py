"""A finding's second score tells what stands around it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from presidio_cdip.errors import ModelError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.fusion import fuse
from presidio_cdip.recognition.premises import signs_of
from presidio_cdip.recognition.rescoring import FEATURES, check, features, rescored
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import MODEL_RULE, SHIPPED, Config, Tagged

ENTITIES = ("HEALTH", "RELIGION")
TEXT = "asthma and Baptist or gout"
NEUTRAL = dict.fromkeys(FEATURES, 0.0) | {"score": 1.0}
"""Weights with which the second score is the first."""


def tagged(**weights: float) -> Tagged:
    config = Config(
        ENTITIES,
        (None, 0, 1),
        (False,) * 3,
        thresholds=dict.fromkeys(ENTITIES, 0.5),
        rescoring={**NEUTRAL, **weights},
    )
    rows = [[0.9, 0.1], [0.3, 0.0], [0.0, 0.8], [0.0, 0.0], [0.5, 0.2]]
    starts = np.array([0, 7, 11, 19, 22])
    ends = np.array([6, 10, 18, 21, 26])
    return Tagged(TEXT, config, starts, ends, np.array(rows, np.float16), np.zeros(5, np.float16))


def span(value: str, entity: str = "HEALTH", score: float = 0.5, **own: str) -> Span:
    start = TEXT.index(value)
    return Span(start, start + len(value), entity, score, own.pop("rule", MODEL_RULE), **own)


def test_without_weights_scores_stay() -> None:
    """A model whose folder has no weights gives first scores."""
    spans = [span("asthma", score=0.3)]
    bare = replace(tagged(), config=replace(tagged().config, rescoring={}))

    assert rescored(bare, spans) == spans


def test_a_finding_gains_by_certain_ones_beside_it() -> None:
    """The same doubtful finding has a higher score where another one is certain."""
    page = tagged(best_other=2.0)
    doubtful, certain = span("gout"), span("Baptist", "RELIGION", 0.95)

    alone = rescored(page, [doubtful])[0].score
    beside = rescored(page, [certain, doubtful])[1].score

    assert alone == pytest.approx(0.5, abs=0.001)
    assert beside == pytest.approx(1 / (1 + math.exp(-1.9)), abs=0.001)


def test_features_say_what_stands_in_and_beside_a_finding() -> None:
    """The words' probabilities, those of their neighbours, and the other findings."""
    spans = [span("asthma"), span("Baptist", "RELIGION", 0.8, rule="a/b", cue="c", check="d")]

    first, second = (
        dict(zip(FEATURES, row, strict=True)) for row in features(tagged(), spans).tolist()
    )

    assert first["least"] == first["mean"] == pytest.approx(0.9, abs=0.001)
    assert first["rival"] == pytest.approx(0.1, abs=0.001)
    assert (first["before"], first["any_before"]) == (0, 0)
    assert first["after"] == first["any_after"] == pytest.approx(0.3, abs=0.001)
    assert (first["by_rule"], first["cue"], first["checked"]) == (0, 0, 0)
    assert first["best_other"] == 0.8
    assert (second["by_rule"], second["cue"], second["checked"]) == (1, 1, 1)
    assert (second["before"], second["any_before"]) == (0, pytest.approx(0.3, abs=0.001))
    assert second["best_other"] == 0.5


def test_a_text_without_findings_has_no_rows() -> None:
    """No findings, no features, no scores."""
    assert features(tagged(), []).shape == (0, len(FEATURES))
    assert rescored(tagged(), []) == []


def test_an_entity_that_the_model_does_not_know_keeps_its_score() -> None:
    """The weights were fitted to what rules and the model find together."""
    own = span("gout", "PASSPORT_NUMBER", 0.7, rule="passport_number/labelled")

    assert rescored(tagged(bias=-9.0), [own]) == [own]


def test_a_checked_value_with_a_cue_is_not_scored_away() -> None:
    """Whatever surrounds it, a value with a cue that passed its check stays a finding."""
    signs = signs_of(Pack.shipped())
    number = span("gout", rule="health/labelled", cue="c", check="d")

    (checked,) = fuse(tagged(bias=-9.0, score=0.0), [number], signs)[-1:]

    assert (checked.start, checked.score) == (number.start, 0.6)


def test_first_scores_decide_between_overlapping_findings() -> None:
    """Second scores come last; they neither part nor join findings."""
    signs = signs_of(Pack.shipped())
    rules = [span("Baptist", "RELIGION", 0.9, rule="religion/faith")]

    one, other = (fuse(tagged(bias=bias), rules, signs) for bias in (-3.0, 3.0))

    assert [(a.start, a.end, a.entity) for a in one] == [(b.start, b.end, b.entity) for b in other]
    assert all(a.score < b.score for a, b in zip(one, other, strict=True))


def test_weights_of_other_features_are_refused() -> None:
    """Weights that this version does not know, or lacks, are an error that names one."""
    known = tagged().config
    lacking = replace(known, rescoring={"bias": 1.0})
    unknown = replace(known, rescoring={**NEUTRAL, "colour": 1.0})

    check(known)
    with pytest.raises(ModelError, match="'after'"):
        check(lacking)
    with pytest.raises(ModelError, match="'colour'"):
        check(unknown)


def test_a_weight_that_is_no_number_is_refused() -> None:
    """The error names the file and the feature."""
    data = {"id2label": {"0": "O", "1": "HEALTH"}, "presidio_cdip": {"rescoring": {"bias": "x"}}}

    with pytest.raises(ModelError, match="rescoring: bias"):
        Config.of(data)


@pytest.mark.slow
def test_the_shipped_model_doubts_a_lone_word_on_business_paper() -> None:
    """The same word scores higher among facts about a person than alone in a memo."""
    memo = "MEMORANDUM\nThe pumps on line 3 are old and tired. Please order spare parts by Friday."
    letter = "Dear Dr. Hall,\nMrs. Ames, 71, has diabetes and takes insulin. She is old and tired."
    find = finder(model=SHIPPED).find

    def score(text: str) -> float:
        at = text.index("tired")
        return max((one.score for one in find(text) if one.start <= at < one.end), default=0.0)

    assert score(memo) < 0.2 < score(letter)
