"""The log and the counts say what happens, and hold no word of a text."""

import json
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")

from presidio_cdip.service.observing import JsonLines, Metrics, event

Client = Callable[..., Any]
TEXT = {"text": "age 46", "language": "en"}


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """The lines that are logged."""
    logged: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(json.loads(JsonLines().format(record)))

    handler, logger = Kept(), logging.getLogger("presidio-cdip.service")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield logged
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_a_request_is_a_line(client: Client, lines: list[dict[str, Any]]) -> None:
    """With its route, status, lengths and caller; what stands in the query is left out."""
    token = "a-token-of-the-first-caller"
    service = client(tokens=[token])
    headers = {"Authorization": f"Bearer {token}"}
    body = json.dumps(TEXT)
    as_json = {**headers, "Content-Type": "application/json"}

    service.post("/analyze?note=secret", content=body, headers=as_json)
    service.get("/files/secret", headers=headers)
    service.get("/static/docs.css")
    service.request("SECRET", "/analyze")
    service.get("/health")

    requests = [one for one in lines if one["event"] == "request"]
    shown = [(one["method"], one["route"], one["status"], one["caller"]) for one in requests]
    assert shown == [
        ("POST", "/analyze", 200, 1),
        ("GET", "other", 404, 1),
        ("GET", "/static/{file}", 200, 0),
        ("other", "other", 401, 0),
    ]
    assert requests[0]["read"] == len(body)
    assert requests[0]["written"] > 50
    assert "secret" not in json.dumps(lines).lower()


def test_requests_need_not_be_logged(client: Client, lines: list[dict[str, Any]]) -> None:
    """Somebody who works in a terminal sees errors alone."""
    client(log_requests=False).get("/")

    assert [one for one in lines if one["event"] == "request"] == []


def test_messages_of_others_are_left_out() -> None:
    """Of a record of another package its place is kept, and of an error its type and place."""
    try:
        raise ValueError("the text is secret")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord(
        "presidio-analyzer", logging.ERROR, "/x/engine.py", 7, "failed: %s", ("secret",), error
    )

    line = json.loads(JsonLines().format(record))

    assert "secret" not in json.dumps(line)
    assert (line["level"], line["logger"], line["place"]) == (
        "ERROR", "presidio-analyzer", "engine.py:7",
    )  # fmt: skip
    assert line["error"].startswith("ValueError at test_observing.py:")
    assert line["time"].endswith("Z")


def test_an_event_is_a_line_of_its_fields(lines: list[dict[str, Any]]) -> None:
    """In plain JSON."""
    event("engines ready", seconds=1.5)

    assert {key: lines[0][key] for key in ("level", "event", "seconds")} == {
        "level": "INFO", "event": "engines ready", "seconds": 1.5,
    }  # fmt: skip


def test_counts_are_in_the_format_of_prometheus() -> None:
    """A counter, a histogram whose buckets add up, and gauges that are read again."""
    metrics, waiting = Metrics(), [3]
    metrics.gauge("waiting", "Calls that wait.", lambda: waiting[0])
    metrics.add("POST", "/analyze", 200, 0.02)
    metrics.add("POST", "/analyze", 200, 500.0)
    metrics.add("POST", "/analyze", 503, 0.03)

    text = metrics.text()

    assert 'presidio_cdip_requests_total{method="POST",route="/analyze",status="200"} 2\n' in text
    assert 'presidio_cdip_requests_total{method="POST",route="/analyze",status="503"} 1\n' in text
    bucket = 'presidio_cdip_request_seconds_bucket{route="/analyze",le="'
    counts = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith(bucket)]
    assert counts == ["0", *["2"] * 8, "3"]
    assert 'presidio_cdip_request_seconds_sum{route="/analyze"} 500.050000\n' in text
    assert 'presidio_cdip_request_seconds_count{route="/analyze"} 3\n' in text
    assert "# TYPE presidio_cdip_waiting gauge\npresidio_cdip_waiting 3\n" in text
    waiting[0] = 4
    assert "presidio_cdip_waiting 4\n" in metrics.text()


def test_counts_are_given_on_request_alone(client: Client) -> None:
    """Without the option there is no such path."""
    assert client().get("/metrics").status_code == 404
    service = client(metrics=True)
    service.post("/analyze", json=TEXT)

    answer = service.get("/metrics")

    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert 'route="/analyze",status="200"} 1' in answer.text
    assert "presidio_cdip_texts_pending 0\n" in answer.text
