"""Warm up the workers of a Presidio service by gunicorn's hooks.

`post_worker_init` warms up each worker before it answers. With gunicorn's ``--preload``, which
makes the app before the workers are forked, `when_ready` compiles the rules there: the workers
share them, and a worker that is replaced has them at once. The model is each worker's own, as its
threads do not outlive a fork.
"""

from typing import Any

from presidio_cdip.presidio.analyzer import compile_rules, warm_up


def when_ready(server: Any) -> None:
    """Compile the rules of an app that was made before the workers are, for all of them."""
    compile_rules()


def post_worker_init(worker: Any) -> None:
    """Warm up the recognizers of a worker's app, before the worker answers its first request.

    Gunicorn kills a worker that does not call ``notify`` within its ``timeout``; the warm-up calls
    it after each rule.
    """
    warm_up(worker.notify)
