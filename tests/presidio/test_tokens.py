"""Our engine makes tokens when a recognizer asks for them, and pickles as names of its parts."""

import gc
import pickle
from pathlib import Path
from types import ModuleType

import pytest
from presidio_analyzer import AnalyzerEngine, PatternRecognizer

import presidio_cdip
from presidio_cdip.errors import InvalidOption, TextTooLong
from presidio_cdip.presidio import analyzer as module
from presidio_cdip.presidio import pipeline
from presidio_cdip.presidio.analyzer import NLP_CONFIGURATION
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.finder import rules

TEXT = "Age: 46. He has dialysis."


@pytest.fixture
def engine(age_pack: Path, tiny: ModuleType, tmp_path: Path) -> AnalyzerEngine:
    """An engine with rules that find ages, and a model that finds illnesses."""
    return presidio_cdip.analyzer(pack=age_pack, model=tiny.by_word(tmp_path / "words"), threads=1)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that tokens were made of."""
    texts: list[str] = []
    tokenize = pipeline.Tokenizer.__call__

    def counted(tokenizer: pipeline.Tokenizer, text: str) -> object:
        texts.append(text)
        return tokenize(tokenizer, text)

    monkeypatch.setattr(pipeline.Tokenizer, "__call__", counted)
    return texts


def found(engine: AnalyzerEngine, text: str = TEXT) -> set[tuple[str, str]]:
    return {(one.entity_type, text[one.start : one.end]) for one in engine.analyze(text, "en")}


def test_ours_asks_for_no_tokens(engine: AnalyzerEngine, made: list[str]) -> None:
    """A text is analyzed without a token made of it."""
    assert found(engine) == {("AGE", "46"), ("HEALTH", "dialysis")}
    assert made == []


def test_recognizer_with_context_has_its_tokens(engine: AnalyzerEngine, made: list[str]) -> None:
    """Presidio's context words raise a score as they do with its own engine."""
    room = PatternRecognizer("ROOM", deny_list=["B12"], context=["ward"], deny_list_score=0.5)
    engine.registry.add_recognizer(room)

    (one,) = engine.analyze("The ward has B12.", "en", ["ROOM"])

    assert one.score > 0.5
    assert made == ["The ward has B12."]


def test_artifacts_are_those_of_presidios_engine(engine: AnalyzerEngine) -> None:
    """Whatever is asked for first, all is what Presidio's own engine gives."""
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    own = NlpEngineProvider(nlp_configuration=NLP_CONFIGURATION).create_engine()
    theirs = own.process_text(TEXT, "en")

    for name in ("keywords", "lemmas", "tokens_indices", "entities", "scores"):
        assert getattr(engine.nlp_engine.process_text(TEXT, "en"), name) == getattr(theirs, name)
    assert engine.nlp_engine.process_text(TEXT, "en").tokens.text == TEXT
    assert engine.nlp_engine.process_text(TEXT, "en").to_json() == theirs.to_json()
    with pytest.raises(AttributeError):
        _ = engine.nlp_engine.process_text(TEXT, "en").nothing  # type: ignore[attr-defined]


def test_engine_is_pickled_by_name(engine: AnalyzerEngine, age_pack: Path) -> None:
    """A pickle is a few kB; what it becomes shares rules and model, and finds the same."""
    data = pickle.dumps(engine)

    again = pickle.loads(data)

    assert len(data) < 8_000
    assert found(again) == found(engine)
    (ours,), (before,) = again.registry.recognizers, engine.registry.recognizers
    assert isinstance(ours, module.CdipRecognizer) and isinstance(before, module.CdipRecognizer)
    assert ours._finder.rules is before._finder.rules is rules(presidio_cdip.Pack.open(age_pack))
    assert ours in module._MADE  # `warm_up` reaches it
    assert again.nlp_engine.nlp["en"].pipe_names == engine.nlp_engine.nlp["en"].pipe_names  # type: ignore[attr-defined]


def test_pipes_of_others_are_pickled(engine: AnalyzerEngine) -> None:
    """A pipe that somebody added is there after unpickling."""
    engine.nlp_engine.nlp["en"].add_pipe("sentencizer")  # type: ignore[attr-defined]

    again = pickle.loads(pickle.dumps(engine))

    assert "sentencizer" in again.nlp_engine.nlp["en"].pipe_names


def test_longer_text_than_allowed_is_refused(
    age_pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By argument or environment; neither rules nor model see it, and no token is made of it."""
    short = presidio_cdip.analyzer(pack=age_pack, model="none", max_characters=len(TEXT))

    assert found(short) == {("AGE", "46")}
    with pytest.raises(TextTooLong, match=f"has more than {len(TEXT)} characters"):
        short.analyze(TEXT + " ", "en")

    monkeypatch.setenv("PRESIDIO_CDIP_MAX_CHARACTERS", "10")
    with pytest.raises(TextTooLong, match="has more than 10 characters"):
        presidio_cdip.analyzer(pack=age_pack, model="none").analyze(TEXT, "en")


@pytest.mark.parametrize("said", ["0", "-1", "many", "1e6"])
def test_limit_is_a_number(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else is refused where it is read."""
    monkeypatch.setenv("PRESIDIO_CDIP_MAX_CHARACTERS", said)

    with pytest.raises(InvalidOption, match="PRESIDIO_CDIP_MAX_CHARACTERS is not a number"):
        presidio_cdip.analyzer(model="none")


@pytest.mark.slow
def test_rules_are_compiled_before_a_fork(
    engine: AnalyzerEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of every recognizer; the model is left to each process."""
    compiled: list[object] = []
    monkeypatch.setattr(Engine, "compile", lambda rules, after_each: compiled.append(rules))
    (ours,) = engine.registry.recognizers
    assert isinstance(ours, module.CdipRecognizer) and ours._finder.model

    module.compile_rules()
    gc.unfreeze()

    assert ours._finder.rules in compiled
    assert ours._finder.model._loaded is None
