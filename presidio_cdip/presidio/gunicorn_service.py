"""Make our recognizers and operators known to a stock Presidio service before it starts.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_conf"`` is needed where the recognizers are in
a unified ``ANALYZER_CONF_FILE``, which Presidio validates before any pipeline is built, or where
the NLP engine is ``no_op``; and where the anonymizer's service is to have ``surrogate`` and
``generalize``. Of gunicorn's own settings it sets the two hooks of `gunicorn_hooks`.
"""

from presidio_cdip.presidio.gunicorn_hooks import post_worker_init as post_worker_init
from presidio_cdip.presidio.gunicorn_hooks import when_ready as when_ready
from presidio_cdip.presidio.operators import add_operators

add_operators()
