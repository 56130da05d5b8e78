"""Make a stock Presidio image redactor service paint surrogates.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_image_conf"``. The service makes an object of
the class `presidio_image_redactor.ImageRedactorEngine`; this module puts ours in its place first.

The analyzer is that of ``ANALYZER_CONF_FILE``, ``NLP_CONF_FILE`` and
``RECOGNIZER_REGISTRY_CONF_FILE`` where one of them is set, else ours, which needs no network. The
key is that of ``PRESIDIO_CDIP_KEY_FILE``, else a random one of the worker. Of gunicorn's own
settings it sets the two hooks of `gunicorn_hooks`.
"""

from typing import Any

import presidio_image_redactor

from presidio_cdip.presidio.configured import configured_analyzer
from presidio_cdip.presidio.gunicorn_hooks import post_worker_init as post_worker_init
from presidio_cdip.presidio.gunicorn_hooks import when_ready as when_ready
from presidio_cdip.presidio.images import image_redactor


def _engine(image_analyzer_engine: Any = None) -> Any:
    """Return our engine where the service asks for Presidio's."""
    if image_analyzer_engine is None:
        image_analyzer_engine = configured_analyzer()
    return image_redactor(image_analyzer_engine)


setattr(presidio_image_redactor, "ImageRedactorEngine", _engine)  # noqa: B010  to mypy it is a type
