"""Add the recognizers to an analyzer with Presidio's own: the more specific finding wins."""

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpEngineProvider

import presidio_cdip

TEXT = "Date of birth: 03/04/1931. Reports are due on 05/06/1982. Mail: jo@example.org"

# Your own engine: any that Presidio can build. This one needs no download.
nlp = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": "presidio_cdip"}]}
registry = RecognizerRegistry()
registry.load_predefined_recognizers(languages=["en"])
analyzer = AnalyzerEngine(
    registry=registry, nlp_engine=NlpEngineProvider(nlp_configuration=nlp).create_engine()
)

presidio_cdip.add_recognizers(analyzer, entities=["DATE_OF_BIRTH", "US_SSN"])

wanted = ["DATE_OF_BIRTH", "US_SSN", "DATE_TIME", "EMAIL_ADDRESS"]
for result in sorted(analyzer.analyze(TEXT, "en", entities=wanted), key=lambda one: one.start):
    print(f"{result.entity_type:14} {TEXT[result.start : result.end]}")
