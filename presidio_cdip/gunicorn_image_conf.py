"""Make a stock Presidio image redactor service paint surrogates.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_image_conf"``. The service makes an object of
the class `presidio_image_redactor.ImageRedactorEngine`; this module puts ours in its place first.

The analyzer is that of ``ANALYZER_CONF_FILE``, ``NLP_CONF_FILE`` and
``RECOGNIZER_REGISTRY_CONF_FILE`` where one of them is set, else ours, which needs no network. The
key is that of ``PRESIDIO_CDIP_KEY_FILE``, else a random one of the worker. Of gunicorn's own
settings it sets the two hooks of `presidio_cdip.gunicorn_conf`.
"""

import os as _os
from typing import Any as _Any

import presidio_image_redactor as _service
from presidio_analyzer import AnalyzerEngineProvider as _Provider

from presidio_cdip.presidio.analyzer import compile_rules as _compile_rules
from presidio_cdip.presidio.analyzer import warm_up as _warm_up
from presidio_cdip.presidio.images import image_redactor as _image_redactor

_FILES = {
    "analyzer_engine_conf_file": "ANALYZER_CONF_FILE",
    "nlp_engine_conf_file": "NLP_CONF_FILE",
    "recognizer_registry_conf_file": "RECOGNIZER_REGISTRY_CONF_FILE",
}


def _engine(image_analyzer_engine: _Any = None) -> _Any:
    """Return our engine where the service asks for Presidio's."""
    files = {name: _os.environ.get(variable) for name, variable in _FILES.items()}
    if image_analyzer_engine is None and any(files.values()):
        image_analyzer_engine = _Provider(**files).create_engine()
    return _image_redactor(image_analyzer_engine)


setattr(_service, "ImageRedactorEngine", _engine)  # noqa: B010  to mypy it is a type


def when_ready(server: _Any) -> None:
    """Compile the rules of an app that was made before the workers are, for all of them."""
    _compile_rules()


def post_worker_init(worker: _Any) -> None:
    """Warm up the recognizers of a worker's app, before the worker answers its first request."""
    _warm_up(worker.notify)
