"""Provide fixtures for the tests of several imaging modules."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine


def _double(name: str) -> ModuleType:
    file = Path(__file__).parents[1] / "doubles" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{name}_doubles", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def doubles() -> ModuleType:
    """`tests/doubles/ocr.py`: OCR that fails in a named way."""
    return _double("ocr")


@pytest.fixture(scope="session")
def sources() -> ModuleType:
    """`tests/doubles/source.py`: surrogates that a test sets, or that fail."""
    return _double("source")


@pytest.fixture(scope="session")
def analyzer() -> AnalyzerEngine:
    """Presidio with a blank pipeline that finds numbers like 123-45-6789, dates and names."""
    import spacy

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__(ner_model_configuration=NerModelConfiguration())
            self.nlp = {"en": spacy.blank("en")}  # type: ignore[assignment]

    def finds(entity: str, expression: str) -> PatternRecognizer:
        pattern = Pattern(entity, expression, 0.9)
        return PatternRecognizer(entity, patterns=[pattern], name=entity)

    recognizers = [
        finds("US_SSN", r"\d{3}-\d{2}-\d{4}"),
        finds("DATE_OF_BIRTH", r"\d{2}/\d{2}/\d{4}"),
        finds("PERSON", r"John\s+Smith"),
    ]
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=recognizers, supported_languages=["en"]),
        nlp_engine=Blank(),
        supported_languages=["en"],
    )
