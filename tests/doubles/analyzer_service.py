"""A stand-in for the app of Presidio's analyzer image: the same variables, the same two routes."""

import json
import os

from flask import Flask, Response, request
from presidio_analyzer import AnalyzerEngineProvider, AnalyzerRequest


def create_app() -> Flask:
    """Build the engine from the configuration files that the environment names."""
    engine = AnalyzerEngineProvider(
        analyzer_engine_conf_file=os.environ.get("ANALYZER_CONF_FILE"),
        nlp_engine_conf_file=os.environ.get("NLP_CONF_FILE"),
        recognizer_registry_conf_file=os.environ.get("RECOGNIZER_REGISTRY_CONF_FILE"),
    ).create_engine()
    app = Flask(__name__)

    @app.route("/recognizers")
    def recognizers() -> Response:
        names = [recognizer.to_dict()["name"] for recognizer in engine.get_recognizers("en")]
        return Response(json.dumps(names), content_type="application/json")

    @app.route("/analyze", methods=["POST"])
    def analyze() -> Response:
        asked = AnalyzerRequest(request.get_json())
        results = engine.analyze(
            str(asked.text),
            str(asked.language),
            entities=asked.entities,
            score_threshold=asked.score_threshold,
            return_decision_process=asked.return_decision_process,
        )
        for result in results:
            del result.recognition_metadata
        body = json.dumps(results, default=lambda one: one.to_dict())
        return Response(body, content_type="application/json")

    return app
