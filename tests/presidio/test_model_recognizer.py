"""The model works in Presidio's engines: alone, beside the rules, from YAML, and in batches."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from presidio_analyzer import (
    AnalyzerEngine,
    BatchAnalyzerEngine,
    PatternRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.nlp_engine import NlpEngine, NlpEngineProvider
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider

import presidio_cdip
from presidio_cdip import CdipError
from presidio_cdip.errors import ModelError
from presidio_cdip.presidio.analyzer import (
    NLP_CONFIGURATION,
    CdipRecognizer,
    CdipRulesRecognizer,
    CdipTransformerRecognizer,
)
from presidio_cdip.presidio.pipeline import PIPE, user_data_key
from presidio_cdip.recognition.finder import model_at

TEXT = "Age: 46. He has dialysis."
BOTH = [("AGE", "46"), ("HEALTH", "dialysis")]


@pytest.fixture(scope="module")
def folder(tiny: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that finds HEALTH and RELIGION."""
    built: Path = tiny.by_word(tmp_path_factory.mktemp("tiny") / "words")
    return built


@pytest.fixture(autouse=True)
def where(age_pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a deployment says: its pack, and a model that is not there unless one is named."""
    monkeypatch.setenv("PRESIDIO_CDIP_PACK", str(age_pack))
    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", str(age_pack / "no-model"))
    monkeypatch.setenv("PRESIDIO_CDIP_THREADS", "1")


def pipeline() -> NlpEngine:
    return NlpEngineProvider(nlp_configuration=NLP_CONFIGURATION).create_engine()


def bare(nlp_engine: NlpEngine) -> AnalyzerEngine:
    """An engine that finds nothing yet; into an empty one Presidio puts its own recognizers."""
    nobody = PatternRecognizer("NOTHING", deny_list=["\N{SNOWMAN}"])
    registry = RecognizerRegistry(recognizers=[nobody], supported_languages=["en"])
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine, supported_languages=["en"])


@pytest.fixture
def engine() -> AnalyzerEngine:
    """An engine that finds nothing yet."""
    return bare(pipeline())


def ours(engine: AnalyzerEngine) -> int:
    """How many recognizers of ours are in *engine*."""
    return sum(isinstance(one, CdipRecognizer) for one in engine.registry.recognizers)


def found(results: Sequence[RecognizerResult], text: str = TEXT) -> list[tuple[str, str]]:
    ordered = sorted(results, key=lambda one: one.start)
    return [(one.entity_type, text[one.start : one.end]) for one in ordered]


@pytest.fixture
def runs(tiny: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Windows and tokens of each run of the model in `folder`."""
    noted: list[tuple[int, int]] = tiny.counted(model_at(folder), monkeypatch).runs
    return noted


@pytest.fixture
def together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts the model in `folder` is given side by side, each time."""
    model = model_at(folder)
    assert model
    read, noted = model._read, []

    def read_and_noted(pieces: Sequence[Any]) -> Any:
        noted.append(len(pieces))
        return read(pieces)

    monkeypatch.setattr(model, "_read", read_and_noted)
    return noted


# --- recognizers


def test_rules_and_model_are_one_recognizer(engine: AnalyzerEngine, folder: Path) -> None:
    """What either finds is in the results of one analysis."""
    presidio_cdip.add_recognizers(engine, model=folder)

    assert found(engine.analyze(TEXT, "en")) == BOTH
    assert ours(engine) == 1


def test_ready_analyzer_takes_a_model(folder: Path) -> None:
    """The engine that one call gives has the model that was named."""
    assert found(presidio_cdip.analyzer(model=folder).analyze(TEXT, "en")) == BOTH
    assert found(presidio_cdip.analyzer(model="none").analyze(TEXT, "en")) == BOTH[:1]


def test_missing_model_stops_the_engine(engine: AnalyzerEngine) -> None:
    """Where a model is named that is not there, no rules go on alone."""
    with pytest.raises(ModelError, match="no-model: is no folder"):
        presidio_cdip.add_recognizers(engine)

    assert ours(engine) == 0


def test_adding_again_replaces_recognizer_and_pipe(engine: AnalyzerEngine, folder: Path) -> None:
    """The last call's model holds, in the recognizer and in the pipeline."""
    pipes = engine.nlp_engine.nlp["en"]  # type: ignore[attr-defined]

    presidio_cdip.add_recognizers(engine, model=folder)
    presidio_cdip.add_recognizers(engine, model=folder)
    with_model = ours(engine), pipes.pipe_names.count(PIPE)
    presidio_cdip.add_recognizers(engine, model="none")

    assert with_model == (1, 1)
    assert (ours(engine), pipes.pipe_names.count(PIPE)) == (1, 0)
    assert found(engine.analyze(TEXT, "en")) == BOTH[:1]


def test_what_was_not_asked_for_is_not_returned(engine: AnalyzerEngine, folder: Path) -> None:
    """Neither a request's choice nor the deployment's lets another entity through."""
    text = "Age: 46. He has dialysis. Catholic."

    presidio_cdip.add_recognizers(engine, model=folder)
    requested = engine.analyze(text, "en", entities=["HEALTH"])
    presidio_cdip.add_recognizers(engine, entities=["RELIGION"], model=folder)

    assert found(requested, text) == [("HEALTH", "dialysis")]
    assert found(engine.analyze(text, "en"), text) == [("RELIGION", "Catholic")]


def test_model_or_rules_may_look_alone(folder: Path) -> None:
    """Each recognizer finds what is its own, and refuses what it cannot find."""
    rules, model = CdipRulesRecognizer(), CdipTransformerRecognizer(model=folder)

    assert found(rules.analyze(TEXT, [])) == BOTH[:1]
    assert found(model.analyze(TEXT, [])) == BOTH[1:]
    assert rules.supported_entities == ["AGE"]
    assert model.supported_entities == ["HEALTH", "RELIGION"]
    with pytest.raises(CdipError, match="CdipRulesRecognizer does not find HEALTH, but AGE"):
        CdipRulesRecognizer(supported_entities=["HEALTH"])
    with pytest.raises(CdipError, match="does not find AGE, but HEALTH, RELIGION"):
        CdipTransformerRecognizer(model=folder, supported_entities=["AGE"])


@pytest.mark.parametrize("asked", [None, ["HEALTH"]])
def test_transformer_without_a_model_is_refused(asked: list[str] | None) -> None:
    """A recognizer that has nothing to find with is not made, whatever was asked for."""
    with pytest.raises(CdipError, match="CdipTransformerRecognizer has neither rules nor a model"):
        CdipTransformerRecognizer(model="none", supported_entities=asked)


def test_results_are_explained(engine: AnalyzerEngine, folder: Path) -> None:
    """A result says who found it, with a score in [0, 1], and shows nothing of the text."""
    presidio_cdip.add_recognizers(engine, model=folder)

    results = engine.analyze(TEXT, "en", return_decision_process=True)

    by_entity = {one.entity_type: one.analysis_explanation for one in results}
    assert by_entity["HEALTH"].pattern_name == "model"
    assert by_entity["HEALTH"].textual_explanation == "the model read it so"
    assert by_entity["AGE"].pattern_name == "age/labelled"
    for one in results:
        assert 0 <= one.score <= 1
        assert one.analysis_explanation.recognizer == "CdipRecognizer"
        assert TEXT[one.start : one.end] not in str(one.analysis_explanation)


@pytest.mark.parametrize(
    ("name", "finds"),
    [
        ("CdipRecognizer", BOTH),
        ("CdipRulesRecognizer", BOTH[:1]),
        ("CdipTransformerRecognizer", BOTH[1:]),
    ],
)
def test_yaml_names_the_model(
    tmp_path: Path, folder: Path, name: str, finds: list[tuple[str, str]]
) -> None:
    """`model` and `threads` under an entry of Presidio's YAML reach the recognizer."""
    file = tmp_path / "recognizers.yaml"
    file.write_text(
        "supported_languages: [en]\nglobal_regex_flags: 26\nrecognizers:\n"
        f"  - {{name: {name}, type: predefined, supported_language: en,"
        f" model: {folder}, threads: 2}}\n"
    )
    registry = RecognizerRegistryProvider(conf_file=file).create_recognizer_registry()
    engine = AnalyzerEngine(registry=registry, nlp_engine=pipeline(), supported_languages=["en"])

    results = engine.analyze(TEXT, "en")

    assert found(results) == finds
    (recognizer,) = [one for one in registry.recognizers if isinstance(one, CdipRecognizer)]
    assert type(recognizer).__name__ == name
    model = recognizer._finder.model
    assert (model and (model.folder, model.threads)) in (None, (folder.resolve(), 2))


# --- batches

TEXTS = [
    f"Record {number}. Age: {number + 20}. He has {illness} and is {faith}."
    for number, (illness, faith) in enumerate(
        [("dialysis", "Catholic"), ("kidney failure", "unheard of"), ("nothing", "old")] * 9
    )
]


def test_batch_gives_what_single_analysis_gives(
    engine: AnalyzerEngine, folder: Path, runs: list[tuple[int, int]], together: list[int]
) -> None:
    """A batch's texts go to the model together, once each, and have the same results."""
    presidio_cdip.add_recognizers(engine, model=folder)
    alone = [engine.analyze(text, "en") for text in TEXTS]
    of_singles = list(runs)
    assert (len(runs), together) == (len(TEXTS), [1] * len(TEXTS))
    runs.clear()
    together.clear()

    batch = BatchAnalyzerEngine(engine).analyze_iterator(TEXTS, "en", batch_size=8)

    assert together == [8, 8, 8, 3]
    assert sorted(runs) == sorted(of_singles)
    assert [found(one, text) for one, text in zip(batch, TEXTS, strict=True)] == [
        found(one, text) for one, text in zip(alone, TEXTS, strict=True)
    ]
    assert [[one.score for one in sorted(results)] for results in batch] == [
        [one.score for one in sorted(results)] for results in alone
    ]
    assert len(found(batch[0], TEXTS[0])) == 3


def test_odd_texts_pass_in_batches(
    engine: AnalyzerEngine, folder: Path, runs: list[tuple[int, int]]
) -> None:
    """Empty texts, lone surrogates, foreign blanks and numbers are one document each."""
    texts: list[str | bool | float] = [
        "",
        "\ud800 dialysis",
        "\u00a0dialysis\r\n",
        "  ",
        46,
        "dialysis",
    ]
    presidio_cdip.add_recognizers(engine, model=folder)

    results = BatchAnalyzerEngine(engine).analyze_iterator(texts, "en", batch_size=8)

    spans = [[(one.start, one.end) for one in one_text] for one_text in results]
    assert spans == [[], [(2, 10)], [(1, 9)], [], [], [(0, 8)]]
    assert len(runs) == 3  # a number alone has no letter that the model could read


def test_batches_over_processes_find_the_same(engine: AnalyzerEngine, folder: Path) -> None:
    """Where spaCy's workers read the texts, the model is asked in the process that analyzes."""
    presidio_cdip.add_recognizers(engine, model=folder)
    batch = BatchAnalyzerEngine(engine)
    mine = batch.analyze_iterator(TEXTS[:6], "en", batch_size=2)

    theirs = batch.analyze_iterator(TEXTS[:6], "en", batch_size=2, n_process=2)

    assert theirs == mine
    assert len(found(theirs[0], TEXTS[0])) == 3


def test_another_models_answers_are_not_read(
    tiny: ModuleType, folder: Path, tmp_path: Path
) -> None:
    """Two engines that share a pipeline do not share what their models said."""
    table = {"catholic": {"B-HEALTH": 0.9}, "he": {}}
    other = tiny.by_word(tmp_path / "other", table)
    shared = pipeline()
    engines = [bare(shared), bare(shared)]
    presidio_cdip.add_recognizers(engines[1].registry, model=other)
    presidio_cdip.add_recognizers(engines[0], model=folder)

    first, second = (
        BatchAnalyzerEngine(one).analyze_iterator(TEXTS[:1], "en", batch_size=8) for one in engines
    )

    assert ("HEALTH", "dialysis") in found(first[0], TEXTS[0])
    assert found(second[0], TEXTS[0]) == [("AGE", "20"), ("HEALTH", "Catholic")]


def test_pipe_leaves_single_texts_alone(
    engine: AnalyzerEngine, folder: Path, runs: list[tuple[int, int]]
) -> None:
    """A single text is read by the model once, and not at all where nobody wants its entities."""
    presidio_cdip.add_recognizers(engine, model=folder)
    pipes = engine.nlp_engine.nlp["en"]  # type: ignore[attr-defined]

    doc = pipes(TEXT)
    before = list(runs)
    engine.analyze(TEXT, "en")

    assert (before, len(runs)) == ([], 1)
    assert user_data_key(folder.resolve()) not in doc.user_data
