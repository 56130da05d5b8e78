"""Build the analyzer that Presidio's configuration variables describe."""

import os

from presidio_analyzer import AnalyzerEngine, AnalyzerEngineProvider

VARIABLES = {
    "analyzer_engine_conf_file": "ANALYZER_CONF_FILE",
    "nlp_engine_conf_file": "NLP_CONF_FILE",
    "recognizer_registry_conf_file": "RECOGNIZER_REGISTRY_CONF_FILE",
}
"""The variables by the arguments of `AnalyzerEngineProvider`, as Presidio's own app has them."""


def configured_analyzer() -> AnalyzerEngine | None:
    """Return the analyzer that Presidio's own app would build; None where no variable is set."""
    files = {name: os.environ.get(variable) or None for name, variable in VARIABLES.items()}
    return AnalyzerEngineProvider(**files).create_engine() if any(files.values()) else None
