"""Makes our recognizers and operators known to a stock Presidio service before it starts.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_conf"`` is needed where the recognizers are in
a unified ``ANALYZER_CONF_FILE``, which Presidio validates before any pipeline is built, or where
the NLP engine is ``no_op``; and where the anonymizer's service is to have ``surrogate`` and
``generalize``. It sets nothing of gunicorn's own.
"""

from presidio_cdip.presidio import analyzer as _analyzer  # noqa: F401  importing is the point
from presidio_cdip.presidio.operators import add_operators as _add_operators

_add_operators()
