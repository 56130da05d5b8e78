"""Log and count the service's work, without a word of a text: JSON lines, Prometheus counts."""

import json
import logging
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from presidio_cdip.errors import place_of
from presidio_cdip.service.security import STATIC, caller_of, problem

_LOG = logging.getLogger("presidio-cdip.service")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # seconds


def event(name: str, level: int = logging.INFO, /, **fields: str | float | None) -> None:
    """Log that something happened; *fields* hold no text of a document."""
    _LOG.log(level, "", extra={"fields": {"event": name, **fields}})


class JsonLines(logging.Formatter):
    """Format a record as a line of JSON: our own fields; of other loggers' records no message.

    A message of another package may repeat what it was given, so only its level, its logger and the
    place in the code are written, and the type and place of an error.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": moment.replace("+00:00", "Z"), "level": record.levelname}
        if (fields := getattr(record, "fields", None)) is not None:
            line |= fields
        else:
            place = f"{Path(record.pathname).name}:{record.lineno}"
            line |= {"event": "message", "logger": record.name, "place": place}
        error = record.exc_info[1] if record.exc_info else None
        if error and error.__traceback__:
            line["error"] = place_of(error)
        return json.dumps(line)


def configure_logging() -> None:
    """Make every logger of this process, and Python's warnings, write `JsonLines` to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _LOG.setLevel(logging.INFO)
    logging.captureWarnings(True)


class Metrics:
    """Count requests and their durations, as Prometheus reads them."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._sums: Counter[str] = Counter()
        self._gauges: list[tuple[str, str, Callable[[], float]]] = []

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._requests[method, route, status] += 1
        counts = self._seconds.setdefault(route, [0] * (len(_BOUNDS) + 1))
        counts[bisect_left(_BOUNDS, seconds)] += 1
        self._sums[route] += seconds  # type: ignore[assignment]  # a Counter adds floats, too

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Show *value* as ``presidio_cdip_NAME``; it is called for each reading."""
        self._gauges.append((f"presidio_cdip_{name}", meaning, value))

    def text(self) -> str:
        """Return all counts in Prometheus' text format."""
        name = "presidio_cdip_requests_total"
        lines = _head(name, "Requests that were answered.", "counter")
        for (method, route, status), count in sorted(self._requests.items()):
            lines.append(f'{name}{{method="{method}",route="{route}",status="{status}"}} {count}')
        name = "presidio_cdip_request_seconds"
        lines += _head(name, "Seconds until the end of an answer.", "histogram")
        for route, counts in sorted(self._seconds.items()):
            lines += _histogram(name, f'route="{route}"', counts, self._sums[route])
        for name, meaning, value in self._gauges:
            lines += [*_head(name, meaning, "gauge"), f"{name} {value():g}"]
        return "\n".join([*lines, ""])


def _head(name: str, meaning: str, kind: str) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]


def _histogram(name: str, label: str, counts: Sequence[int], total: float) -> list[str]:
    lines, so_far = [], 0
    for bound, count in zip((*map(str, _BOUNDS), "+Inf"), counts, strict=True):
        so_far += count
        lines.append(f'{name}_bucket{{{label},le="{bound}"}} {so_far}')
    return [*lines, f"{name}_sum{{{label}}} {total:.6f}", f"{name}_count{{{label}}} {so_far}"]


class Observed:
    """Log and count each request, and answer 500 where nothing else did.

    Args:
        app: What answers.
        metrics: Counts the answers.
        log_requests: Whether a line is logged for each; errors always are.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, log_requests: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._log_requests = log_requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status, read, written = 0, 0, 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            return message

        async def counting(message: Message) -> None:
            nonlocal status, written
            if message["type"] == "http.response.start":
                status = message["status"]
            written += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, counted, counting)
        except Exception as error:
            event("error", logging.ERROR, error=place_of(error))
            if not status:
                await problem(500, "Internal server error")(scope, receive, counting)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = _route(scope)
            seconds = time.perf_counter() - start
            self._metrics.add(method, route, status, seconds)
            if self._log_requests and route != "/health":
                event(
                    "request", method=method, route=route, status=status,
                    ms=round(seconds * 1000, 1), read=read, written=written,
                    caller=caller_of(scope),
                )  # fmt: skip


def _route(scope: Scope) -> str:
    """Return the template of the path, which names no document: ``/documents/{id}``."""
    if scope["path"].startswith(STATIC):
        return f"{STATIC}{{file}}"
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else "other"
