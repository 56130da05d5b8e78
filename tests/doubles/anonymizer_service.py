"""A stand-in for the app of Presidio's anonymizer image: its routes, built of the same calls."""

import json

from flask import Flask, Response, request
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import InvalidParamError
from presidio_anonymizer.services.app_entities_convertor import AppEntitiesConvertor


def create_app() -> Flask:
    """Build the engine once, as the image does."""
    engine = AnonymizerEngine()
    app = Flask(__name__)

    @app.route("/anonymizers")
    def anonymizers() -> Response:
        return Response(json.dumps(engine.get_anonymizers()), content_type="application/json")

    @app.route("/anonymize", methods=["POST"])
    def anonymize() -> Response:
        content = request.get_json()
        operators = AppEntitiesConvertor.operators_config_from_json(content.get("anonymizers"))
        results = AppEntitiesConvertor.analyzer_results_from_json(content.get("analyzer_results"))
        done = engine.anonymize(content.get("text"), results, operators)
        return Response(done.to_json(), content_type="application/json")

    @app.errorhandler(InvalidParamError)
    def refused(error: InvalidParamError) -> Response:
        return Response(json.dumps({"error": error.err_msg}), 422, content_type="application/json")

    return app
