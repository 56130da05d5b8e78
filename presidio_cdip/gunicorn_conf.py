"""Makes our recognizers known to a stock Presidio service before it reads its configuration.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_conf"`` is needed where the recognizers are in
a unified ``ANALYZER_CONF_FILE``, which Presidio validates before any pipeline is built, or where
the NLP engine is ``no_op``. It sets nothing of gunicorn's own.
"""

from presidio_cdip import presidio as _presidio  # noqa: F401  importing is the point
