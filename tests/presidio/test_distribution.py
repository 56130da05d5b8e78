"""The words that tell a corpus from another are findings in Presidio's engines."""

from pathlib import Path

import pytest
from presidio_analyzer import AnalyzerEngine

import presidio_cdip
from presidio_cdip import DistributionRecognizer
from presidio_cdip.errors import InvalidOption, RankerError, TextTooLong
from presidio_cdip.presidio.operators import policy
from presidio_cdip.privacy.folders import Card, SetCard, Trained
from tests.privacy.test_giveaways import Longest

_SET = SetCard("a", 1, 1, 1, 0)
LONGEST = Trained(Longest(), Card("longest", "", 0, _SET, _SET, [], []))
TEXT = "Religion: Catholic\nAged 46, he was assigned to the administration department."


@pytest.fixture(scope="module")
def engine() -> AnalyzerEngine:
    """Ours, with rules alone."""
    made = presidio_cdip.analyzer(model="none")
    made.registry.add_recognizer(DistributionRecognizer(LONGEST, 0.3))
    return made


def test_giveaways_stand_beside_the_entities(engine: AnalyzerEngine) -> None:
    """Three words of eleven go, of which the entities cover two."""
    results = sorted(engine.analyze(TEXT, "en"), key=lambda one: one.start)

    assert [(one.entity_type, TEXT[one.start : one.end]) for one in results] == [
        ("RELIGION", "Catholic"),
        ("AGE", "46"),
        ("GIVEAWAY", "administration"),
    ]


def test_the_ranker_alone_chooses_where_it_is_told_to() -> None:
    """Without the entities, the three longest words go."""
    recognizer = DistributionRecognizer(LONGEST, 0.3, find=None)

    results = recognizer.analyze(TEXT, [])

    values = [TEXT[one.start : one.end] for one in results]
    assert values == ["Religion", "administration department"]
    assert {one.score for one in results} == {1.0}
    assert results[0].analysis_explanation.pattern_name == "ranker/longest"
    assert recognizer.analyze(TEXT, ["AGE"]) == []
    assert recognizer.analyze(TEXT, ["GIVEAWAY"]) == results


def test_every_policy_replaces_giveaways(engine: AnalyzerEngine) -> None:
    """A surrogate would tell as much: the word becomes [MASK], or what the policy says of all."""
    recognizer = DistributionRecognizer(LONGEST, 0.3, find=None)
    results = recognizer.analyze(TEXT, [])

    texts = {
        name: presidio_cdip.anonymize(TEXT, results, policy(name)).text
        for name in ("surrogate", "safe_harbor", "generalize", "corpus", "label", "redact")
    }

    masked = "[MASK]: Catholic\nAged 46, he was assigned to the [MASK]."
    labelled = masked.replace("[MASK]", "<GIVEAWAY>")
    assert texts["surrogate"] == texts["corpus"] == masked
    assert {texts[name] for name in ("safe_harbor", "generalize", "label")} == {labelled}
    assert texts["redact"] == masked.replace("[MASK]", "")


def test_wrong_use_is_refused(tmp_path: Path) -> None:
    """No level, a folder without a ranker, a text that is too long."""
    with pytest.raises(InvalidOption, match="either a level"):
        DistributionRecognizer(LONGEST, find=None)
    with pytest.raises(RankerError, match="name a folder that corpus-train wrote"):
        DistributionRecognizer(tmp_path, 0.3)
    with pytest.raises(TextTooLong):
        DistributionRecognizer(LONGEST, 0.3, find=None, max_characters=5).analyze(TEXT, [])
