"""A stand-in for the app of Presidio's image redactor: the same name of the engine, its routes."""

import io
import json

from flask import Flask, Response, request
from PIL import Image
from presidio_image_redactor import ImageRedactorEngine


def create_app() -> Flask:
    """Build the engine as the app does, without an argument."""
    engine = ImageRedactorEngine()
    app = Flask(__name__)

    @app.route("/health")
    def health() -> Response:
        return Response(json.dumps(type(engine).__name__), content_type="application/json")

    @app.route("/redact", methods=["POST"])
    def redact() -> Response:
        image = Image.open(request.files["image"].stream)
        redacted = engine.redact(image, (0, 0, 0), score_threshold=0.4)
        body = io.BytesIO()
        redacted.save(body, format=image.format)
        return Response(body.getvalue(), mimetype="application/octet-stream")

    return app
