"""Build Presidio's own English recognizers, to compare with."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from presidio_cdip.evaluation.comparison import STOCK_LABELS
from presidio_cdip.evaluation.gold import Prediction

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

OFFLINE = "presidio_cdip"
"""The spaCy pipeline package that presidio-cdip brings: blank, lower-case lemmas."""

SPACY_MODELS = ("en_core_web_lg", "en_core_web_sm")


def spacy_model() -> str:
    """Return the spaCy pipeline for stock Presidio: a model with names, if one is installed."""
    return next((model for model in SPACY_MODELS if find_spec(model)), OFFLINE)


def stock_engine(model: str) -> "AnalyzerEngine":
    """Build Presidio's default English recognizers on the spaCy pipeline *model*."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": model}]
    nlp = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=nlp)
    return AnalyzerEngine(registry=registry, nlp_engine=nlp)


def stock_tool() -> tuple[str, Callable[[str], list[Prediction]]]:
    """Return a finder with Presidio's recognizers, each type read as any entity it may mean.

    Its name says which spaCy model it has; without one it finds no places, groups or ages.
    """
    model = spacy_model()
    engine = stock_engine(model)
    name = "Presidio, no NER" if model == OFFLINE else f"Presidio, {model}"

    def predict(text: str) -> list[Prediction]:
        return [
            Prediction(result.start, result.end, STOCK_LABELS[result.entity_type])
            for result in engine.analyze(text=text, language="en")
            if result.entity_type in STOCK_LABELS
        ]

    return name, predict
