"""Make our recognizers and operators known to a stock Presidio service before it starts.

``GUNICORN_CMD_ARGS="-c python:presidio_cdip.gunicorn_conf"`` is needed where the recognizers are in
a unified ``ANALYZER_CONF_FILE``, which Presidio validates before any pipeline is built, or where
the NLP engine is ``no_op``; and where the anonymizer's service is to have ``surrogate`` and
``generalize``. Of gunicorn's own settings it sets two hooks. One warms up each worker before it
answers. With gunicorn's ``--preload``, which makes the app before the workers are forked, the other
compiles the rules there: the workers share them, and a worker that is replaced has them at once.
The model is each worker's own, as its threads do not outlive a fork.
"""

from typing import Any as _Any

from presidio_cdip.presidio.analyzer import compile_rules as _compile_rules
from presidio_cdip.presidio.analyzer import warm_up as _warm_up
from presidio_cdip.presidio.operators import add_operators as _add_operators

_add_operators()


def when_ready(server: _Any) -> None:
    """Compile the rules of an app that was made before the workers are, for all of them."""
    _compile_rules()


def post_worker_init(worker: _Any) -> None:
    """Warm up the recognizers of a worker's app, before the worker answers its first request.

    Gunicorn kills a worker that does not call ``notify`` within its ``timeout``; the warm-up calls
    it after each rule.
    """
    _warm_up(worker.notify)
