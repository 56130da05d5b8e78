"""Presidio's clients ask at its paths, and are answered when the engines are there."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")

from starlette.testclient import TestClient

from presidio_cdip.errors import PackError
from presidio_cdip.service.app import create_app
from presidio_cdip.service.configuration import Configuration
from presidio_cdip.service.presidio_api import BackgroundEngines

Client = Callable[..., Any]
ADDRESS = "http://127.0.0.1:8765"
TEXT = {"text": "age 46", "language": "en"}
FINDING = {"entity_type": "AGE", "start": 4, "end": 6, "score": 0.9}


def test_the_paths_of_three_services(client: Client) -> None:
    """Each answers as Presidio's does, at one address."""
    service = client()

    found = service.post("/analyze", json=TEXT)
    several = service.post("/analyze", json={**TEXT, "text": ["age 46", "-"]})
    done = service.post("/anonymize", json={"text": "age 46", "analyzer_results": [FINDING]})
    back = service.post("/deanonymize", json={"text": "x"})

    assert [(one["entity_type"], one["start"], one["end"]) for one in found.json()] == [
        ("AGE", 4, 6)
    ]
    assert [len(one) for one in several.json()] == [1, 0]
    assert done.json()["text"] == "age <AGE>"
    assert back.json() == {"text": "x", "items": []}
    assert {one.headers["Content-Type"] for one in (found, done, back)} == {"application/json"}
    assert service.get("/supportedentities", params={"language": "en"}).json() == ["AGE"]
    assert service.get("/supportedentities").json() == ["AGE"]
    assert service.get("/supportedentities?language=he").status_code == 500
    assert service.get("/recognizers?language=en").json() == ["CdipRecognizer"]
    assert "surrogate" in service.get("/anonymizers").json()
    assert "decrypt" in service.get("/deanonymizers").json()
    assert service.get("/health").text == "presidio-cdip is up"


def test_an_image_is_sent_as_a_form_or_as_json(
    client: Client, engines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form has the colour beside it; without an image 422, as Presidio says it."""
    seen: list[Any] = []

    def redact_file(_: Any, *given: Any) -> bytes:
        seen.append(given)
        return b"image"

    monkeypatch.setattr(type(engines), "redact_file", redact_file)
    service = client()

    form = service.post("/redact", files={"image": b"PNG"}, data={"data": "{}"})
    no_image = service.post("/redact", files={"other": b"PNG"})
    a_field = service.post("/redact", data={"image": "PNG"})
    as_json = service.post("/redact", json={"image": 7})

    assert seen == [(b"PNG", "{}")]
    assert (form.content, form.headers["Content-Type"]) == (b"image", "application/octet-stream")
    for answer in (no_image, a_field, as_json):
        assert answer.status_code == 422
        assert answer.json() == {"error": "Invalid parameter, please add image data"}


@pytest.mark.parametrize("path", ["/analyze", "/anonymize", "/deanonymize"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_json_says_that_it_is_json(client: Client, path: str, kind: str) -> None:
    """A form of another page cannot say so."""
    answer = client().post(path, content=b"{}", headers={"Content-Type": kind})

    assert answer.status_code == 415
    assert "Content-Type was not 'application/json'" in answer.json()["error"]


def test_the_page_is_there_before_the_engines(
    engines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/health` answers while they are built; what needs them waits for them."""
    go = threading.Event()
    monkeypatch.setattr(BackgroundEngines, "_built", lambda _: go.wait(60) and engines)

    with TestClient(create_app(Configuration()), base_url=ADDRESS) as service:
        before = [service.get(path).status_code for path in ("/health", "/", "/docs")]
        threading.Timer(0.05, go.set).start()
        found = service.post("/analyze", json=TEXT)

    assert before == [200, 200, 200]
    assert len(found.json()) == 1


def test_engines_that_cannot_be_built_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """503 for what needs them, and for `/health`; the log says why."""

    def fails(**_: object) -> None:
        raise PackError("age.yaml", "has no rule")

    logged: list[Any] = []
    monkeypatch.setattr("presidio_cdip.presidio.rest.RestEngines", fails)
    monkeypatch.setattr(
        "presidio_cdip.service.presidio_api.event", lambda *what, **more: logged.append(more)
    )

    with TestClient(create_app(Configuration()), base_url=ADDRESS) as service:
        statuses = [
            service.post("/analyze", json=TEXT).status_code,
            service.get("/health").status_code,
        ]

    assert statuses == [503, 503]
    assert logged[0]["reason"] == "age.yaml: has no rule"


def test_too_many_requests_are_told_to_come_again(
    engines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the engines are built, requests wait, but not without limit."""
    go = threading.Event()
    monkeypatch.setattr(BackgroundEngines, "_built", lambda _: go.wait(60) and engines)
    app = create_app(Configuration(max_waiting=1))

    with TestClient(app, base_url=ADDRESS) as service:
        answers: list[Any] = []
        waiting = threading.Thread(
            target=lambda: answers.append(service.post("/analyze", json=TEXT))
        )
        waiting.start()
        until = time.monotonic() + 60
        while "texts_pending 1" not in app.state.metrics.text() and time.monotonic() < until:
            time.sleep(0.01)
        refused = service.post("/analyze", json=TEXT)
        go.set()
        waiting.join()

    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    assert answers[0].status_code == 200


def test_the_page_of_operations_lists_them_all(client: Client) -> None:
    """It needs no script, and nothing from elsewhere."""
    service = client()
    paths = service.get("/openapi.json").json()["paths"]
    page = service.get("/docs").text

    assert {"/analyze", "/anonymize", "/deanonymize", "/redact", "/health"} <= set(paths)
    for path, methods in paths.items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
            assert f"<p>{methods[method]['description']}</p>" in page
    assert "<script" not in page
    assert "style=" not in page
    assert "http" not in page.replace("<meta http-equiv", "")
