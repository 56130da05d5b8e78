"""Our recognizers keep Presidio's contracts in engines that others built."""

import pickle
import subprocess
import sys
from collections.abc import Sequence

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult
from presidio_analyzer.nlp_engine import NlpEngineProvider

import presidio_cdip
from presidio_cdip import CdipError, UnknownEntity
from presidio_cdip.presidio.analyzer import NLP_CONFIGURATION, CdipRecognizer

TEXT = "Soc. Sec. No. 271-24-0538. Date of birth: 03/04/1931. Invoice date: 05/06/1982."


@pytest.fixture
def stock() -> AnalyzerEngine:
    """An engine with Presidio's own recognizers, and no model."""
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    nlp_engine = NlpEngineProvider(nlp_configuration=NLP_CONFIGURATION).create_engine()
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine)


def texts(results: Sequence[RecognizerResult], entity: str) -> list[str]:
    found = sorted((one.start, one.end) for one in results if one.entity_type == entity)
    return [TEXT[start:end] for start, end in found]


def test_ready_analyzer_finds_offline() -> None:
    """One call gives an engine that finds, and finds nothing where nothing is."""
    analyzer = presidio_cdip.analyzer()

    results = analyzer.analyze(TEXT, "en")

    assert {one.entity_type for one in results} == {"US_SSN", "DATE_OF_BIRTH"}
    assert analyzer.analyze("", "en") == []


@pytest.mark.slow
def test_pipeline_serves_an_engine_of_presidio_alone() -> None:
    """The NLP engine of ours can be handed to a stock `AnalyzerEngine`."""
    nlp_engine = presidio_cdip.analyzer().nlp_engine

    results = AnalyzerEngine(nlp_engine=nlp_engine).analyze(TEXT, "en")

    assert texts(results, "DATE_TIME") == ["03/04/1931", "05/06/1982"]


def test_specific_finding_displaces_generic_ones(stock: AnalyzerEngine) -> None:
    """A date of birth is no longer a date too; other dates stay dates."""
    presidio_cdip.add_recognizers(stock)

    results = stock.analyze(TEXT, "en")

    assert texts(results, "DATE_OF_BIRTH") == ["03/04/1931"]
    assert texts(results, "DATE_TIME") == ["05/06/1982"]
    ours = [(one.start, one.end) for one in results if one.entity_type in presidio_cdip.ENTITIES]
    for one in results:
        for start, end in ours:
            assert (one.start, one.end) == (start, end) or one.end <= start or end <= one.start


def test_generic_finding_keeps_what_ours_does_not_cover(stock: AnalyzerEngine) -> None:
    """A place that reaches beyond our finding stays found where ours is not."""
    presidio_cdip.add_recognizers(stock)
    recognizer = next(one for one in stock.registry.recognizers if isinstance(one, CdipRecognizer))
    ours = recognizer.analyze(TEXT, ["DATE_OF_BIRTH"])
    other = RecognizerResult("LOCATION", ours[0].start - 15, ours[0].end + 8, 0.85)
    before = other.start, other.end

    kept = recognizer.enhance_using_context(TEXT, ours, [other], None)  # type: ignore[arg-type]

    pieces = [(one.start, one.end) for one in [*kept, other] if one.entity_type == "LOCATION"]
    assert sorted(pieces) == [(before[0], ours[0].start - 2), (ours[0].end + 2, before[1])]
    assert all(one.score >= 0.85 for one in kept)


def test_only_chosen_entities_are_found(stock: AnalyzerEngine) -> None:
    """What was not chosen, or not asked for in a request, is not returned."""
    presidio_cdip.add_recognizers(stock, entities=["DATE_OF_BIRTH"])

    assert texts(stock.analyze(TEXT, "en"), "DATE_OF_BIRTH")
    assert stock.analyze("Sex: M", "en", entities=["GENDER", "DATE_OF_BIRTH"]) == []


def test_adding_twice_is_adding_once(stock: AnalyzerEngine) -> None:
    """A second call replaces the first one's choice."""
    presidio_cdip.add_recognizers(stock.registry, entities=["US_SSN"])
    presidio_cdip.add_recognizers(stock.registry, entities=["AGE"])

    ours = [one for one in stock.registry.recognizers if isinstance(one, CdipRecognizer)]
    assert [one.supported_entities for one in ours] == [["AGE"]]


EXTRAS = ["CREDIT_CARD", "DATE_TIME", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS", "URL"]


def test_extras_are_added_where_they_are_absent(stock: AnalyzerEngine) -> None:
    """An empty registry gets all, once; one that has Presidio's gets our written dates, once."""
    empty = RecognizerRegistry(recognizers=[], supported_languages=["en"])
    before = len(list(stock.registry.recognizers))

    for _ in range(2):
        presidio_cdip.add_recognizers(empty, ["AGE"], extras=True, model="none")
        presidio_cdip.add_recognizers(stock, ["AGE"], extras=True, model="none")

    found = {entity for one in empty.recognizers for entity in one.supported_entities}
    assert sorted(found) == ["AGE", *EXTRAS]
    assert len(list(empty.recognizers)) == 8
    assert len(list(stock.registry.recognizers)) == before + 2


def test_entity_without_rules_is_refused(stock: AnalyzerEngine) -> None:
    """Asking for what cannot be found stops the run instead of finding nothing."""
    with pytest.raises(UnknownEntity):
        presidio_cdip.add_recognizers(stock, entities=["AEG"])
    with pytest.raises(CdipError, match="no entity was asked for"):
        presidio_cdip.add_recognizers(stock, entities=[])
    with pytest.raises(CdipError, match="supports en, not de"):
        presidio_cdip.add_recognizers(stock, language="de")


def test_every_result_is_explained() -> None:
    """The explanation names recognizer, rule, cue and check, and not the text."""
    results = presidio_cdip.analyzer().analyze(TEXT, "en", return_decision_process=True)

    assert results
    for one in results:
        assert one.analysis_explanation.recognizer == "CdipRecognizer"
        assert "cue '" in one.analysis_explanation.textual_explanation
        assert TEXT[one.start : one.end] not in one.analysis_explanation.textual_explanation
        assert one.analysis_explanation.validation_result is True


@pytest.mark.parametrize("text", ["\0Age: 46", "\ud800 Age: 46", "שלום Age: 46 שלום"], ids=ascii)
def test_odd_text_passes_through_the_pipeline(text: str) -> None:
    """NULs, lone surrogates and right-to-left letters do not stop the analysis or move offsets."""
    (result,) = presidio_cdip.analyzer().analyze(text, "en")

    assert text[result.start : result.end] == "46"


def test_import_is_light() -> None:
    """Importing the package imports neither Presidio nor spaCy: a command line starts at once."""
    code = "import sys, presidio_cdip; print({'spacy', 'presidio_analyzer'} & set(sys.modules))"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "set()"


@pytest.mark.slow
@pytest.mark.installed
def test_spacy_goes_on_when_our_module_is_broken() -> None:
    """The hook that spaCy calls never stops a pipeline of somebody else's; the log says why."""
    code = (
        "import presidio_analyzer, sys; sys.modules['presidio_cdip.presidio.analyzer'] = None; "
        "import spacy, presidio_cdip.presidio.spacy_pipe; print(spacy.blank('en')('it works'))"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "it works"
    assert "not available: ModuleNotFoundError at spacy_pipe.py:" in ran.stderr


def test_threshold_that_drops_ours_leaves_the_generic_finding(stock: AnalyzerEngine) -> None:
    """What a deployment does not trust displaces nothing: the stretch stays covered."""
    limits = {"DATE_OF_BIRTH": 0.99}
    stock.registry.add_recognizer(CdipRecognizer(score_thresholds=limits))

    results = stock.analyze("Date of birth: 03/04/1931.", "en")

    assert "DATE_TIME" in {one.entity_type for one in results}


def test_our_own_type_from_others_is_settled_too(stock: AnalyzerEngine) -> None:
    """Presidio's US_SSN inside our address does not stay beside it."""
    presidio_cdip.add_recognizers(stock)
    text = "Home address: 12 Elm Street, Tulsa, OK 74101-1234"

    results = stock.analyze(text, "en")

    (home,) = [one for one in results if one.entity_type == "HOME_ADDRESS"]
    assert [one for one in results if one.start < home.end and home.start < one.end] == [home]


def test_pipeline_works_in_other_processes() -> None:
    """The pipeline can be pickled, as Presidio's batches over several processes need."""
    from presidio_cdip.presidio.pipeline import load

    nlp = pickle.loads(pickle.dumps(load()))

    assert [token.lemma_ for token in nlp("Date OF birth")] == ["date", "of", "birth"]
