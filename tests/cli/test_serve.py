"""`serve` starts at once, keeps texts out of its output, and ends when it is told to."""

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")
pytest.importorskip("uvicorn", reason="the extra [service] is not installed")

Run = Callable[..., Any]
PATIENCE = 120  # seconds on a busy machine; only a fault needs them
SECRET = "Zyxwvut"
JSON = {"Content-Type": "application/json"}


@dataclass
class Service:
    """A running service.

    Attributes:
        process: Its process.
        folder: The folder of its output.
        port: Its port.
    """

    process: subprocess.Popen[bytes]
    folder: Path
    port: int = 0

    def output(self) -> str:
        return (self.folder / "out").read_text() + (self.folder / "err").read_text()

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            # What is too long is answered, and the connection closed, before all of it was sent.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def raw(self, data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as opened:
            opened.sendall(data)
            opened.shutdown(socket.SHUT_WR)
            return b"".join(iter(partial(opened.recv, 4096), b""))

    def ended(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def start(tmp_path: Path, age_pack: Path) -> Iterator[Callable[..., Service]]:
    """Starts services at free ports."""
    running: list[Service] = []

    def started(*arguments: str, **variables: str) -> Service:
        folder = tmp_path / str(len(running))
        folder.mkdir()
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "presidio_cdip", "serve", "--port", "0", *arguments],
                stdout=out,
                stderr=err,
                env={
                    **os.environ,
                    "PRESIDIO_CDIP_PACK": str(age_pack),
                    "PRESIDIO_CDIP_MODEL": "none",
                    **variables,
                },
                # What is started in the background is told to ignore it.
                preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
            )
        service = Service(process, folder)
        running.append(service)
        until = time.monotonic() + PATIENCE
        while "presidio-cdip is at" not in service.output():
            assert process.poll() is None, service.output()
            assert time.monotonic() < until, service.output()
            time.sleep(0.02)
        (line,) = (one for one in service.output().splitlines() if "is at http" in one)
        service.port = int(line.partition(";")[0].rpartition(":")[2])
        return service

    yield started
    for service in running:
        service.process.kill()
        service.process.wait(PATIENCE)


def plants() -> Iterator[tuple[str, str, bytes | None, dict[str, str]]]:
    """Requests of every kind with `SECRET` in each part that a caller writes."""
    texts: list[Any] = [
        {"text": f"{SECRET}, age 46", "language": "en"},
        {"text": [f"{SECRET}, age 46"], "language": "en", "correlation_id": SECRET},
        {"text": SECRET, "language": SECRET},
        {"text": SECRET},
        {"text": {SECRET: 1}, "language": "en"},
        {"text": f"{SECRET} 46", "language": "en", "entities": [SECRET]},
        {"text": SECRET, "language": "en", "score_threshold": SECRET},
        {"text": "age 46", "language": "en", "allow_list": [f"({SECRET}"],
         "allow_list_match": "regex"},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": [{SECRET: SECRET}]},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": [{
            "supported_entity": SECRET,
            "patterns": [{"name": SECRET, "regex": f"({SECRET}", "score": 1}]}]},
        {SECRET: SECRET},
        [SECRET],
    ]  # fmt: skip
    found = {"start": 0, "end": 7, "score": 0.9, "entity_type": SECRET}
    anonymizers: list[Any] = [
        {"text": SECRET, "analyzer_results": [found]},
        {"text": SECRET, "analyzer_results": [{**found, "start": 99}]},
        {"text": SECRET, "analyzer_results": [{**found, "start": SECRET}]},
        {"text": SECRET, "analyzer_results": SECRET},
        *(
            {"text": SECRET, "analyzer_results": [found], "anonymizers": {SECRET: step}}
            for step in (
                {"type": SECRET},
                {"type": "replace", "new_value": SECRET},
                {"type": "surrogate", "policy": SECRET, SECRET: SECRET},
                {"type": "surrogate", "scope": SECRET},
                {"type": "encrypt", "key": SECRET},
                {"type": "mask", "masking_char": SECRET, "chars_to_mask": SECRET},
            )
        ),
    ]
    restored = [
        {"text": SECRET, "anonymizer_results": [found],
         "deanonymizers": {SECRET: {"type": "decrypt", "key": "1111111111111111"}}},
        {"text": SECRET, "anonymizer_results": [SECRET]},
    ]  # fmt: skip
    for path, bodies in (
        ("/analyze", texts),
        ("/anonymize", anonymizers),
        ("/deanonymize", restored),
    ):
        for body in bodies:
            yield "POST", path, json.dumps(body).encode(), JSON
        yield "POST", path, f'{{"text": "{SECRET}'.encode(), JSON
        yield "POST", path, SECRET.encode(), {"Content-Type": SECRET}
        yield "POST", f"{path}?{SECRET}={SECRET}", SECRET.encode(), {}
    for image in (SECRET, base64.b64encode(SECRET.encode()).decode()):
        yield "POST", "/redact", json.dumps({"image": image}).encode(), JSON
    form = {"Content-Type": "multipart/form-data; boundary=edge"}
    part = (
        '--edge\r\nContent-Disposition: form-data; name="{}"; filename="{}"\r\n\r\n{}\r\n--edge--'
    )
    yield "POST", "/redact", part.format("image", f"{SECRET}.png", SECRET).encode(), form
    yield "POST", "/redact", part.format(SECRET, f"../{SECRET}", SECRET).encode(), form
    yield "POST", "/redact", f"--edge\r\n{SECRET}".encode(), form
    yield "POST", "/redact", SECRET.encode(), {"Content-Type": "multipart/form-data"}
    for path in (f"/{SECRET}", f"/static/{SECRET}.js", f"/supportedentities?language={SECRET}"):
        yield "GET", path, None, {}
    yield "GET", "/recognizers", None, {"Origin": f"http://{SECRET}", "Cookie": SECRET}
    yield "GET", "/recognizers", None, {"Host": SECRET, "User-Agent": SECRET}
    yield "GET", "/recognizers", None, {"Authorization": f"Bearer {SECRET}"}
    yield SECRET, "/", None, {}


@pytest.mark.slow
def test_no_text_gets_into_the_output(start: Callable[..., Service]) -> None:
    """Neither of a request that is answered nor of one that fails; the service goes on."""
    service = start("--no-browser", "--metrics", "--max-megabytes", "1")

    statuses = [service.ask(method, path, body, **more)[0] for method, path, body, more in plants()]
    service.raw(f"{SECRET} {SECRET}\r\n\r\n".encode())
    service.raw(f"GET /{SECRET} HTTP/1.1\r\n{SECRET}\r\n\r\n".encode())
    service.raw(f"POST /analyze HTTP/1.1\r\nHost: localhost\r\n{SECRET}".encode())
    too_long = service.ask("POST", "/redact", SECRET.encode() * 200_000, **JSON)[0]
    found = service.ask("POST", "/analyze", b'{"text": "age 46", "language": "en"}', **JSON)
    counts = service.ask("GET", "/metrics")[1].decode()
    code = service.ended(signal.SIGTERM)

    assert {200, 400, 403, 404, 415, 422, 500} <= set(statuses)
    assert too_long == 413
    assert json.loads(found[1])[0]["entity_type"] == "AGE"
    assert code == 143
    assert SECRET.lower() not in (service.output() + counts).lower()
    log = [json.loads(line) for line in (service.folder / "err").read_text().splitlines()]
    requests = [line for line in log if line["event"] == "request"]
    assert len(requests) >= len(statuses) + 2
    assert {line["route"] for line in requests} >= {"/analyze", "/anonymize", "/redact", "other"}


@pytest.mark.slow
def test_ctrl_c_ends_it(start: Callable[..., Service], tmp_path: Path) -> None:
    """Also while the engines are built: exit code 130, only JSON in the log, no file left."""
    rest = tmp_path / "rest"
    rest.mkdir()
    service = start("--no-browser", TMPDIR=str(rest))
    status, page = service.ask("GET", "/")

    code = service.ended(signal.SIGINT)

    assert (status, code) == (200, 130)
    assert b"<html" in page
    for line in (service.folder / "err").read_text().split("\n"):
        assert not line or json.loads(line)
    assert list(rest.iterdir()) == []


def test_the_page_is_opened(start: Callable[..., Service], tmp_path: Path) -> None:
    """In the browser, at the address that is printed."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{tmp_path}/opened.part\n'
                       f"mv {tmp_path}/opened.part {tmp_path}/opened\n")  # fmt: skip
    browser.chmod(0o700)
    service = start(BROWSER=str(browser))

    until = time.monotonic() + PATIENCE
    while not (tmp_path / "opened").exists() and time.monotonic() < until:
        time.sleep(0.02)

    assert (tmp_path / "opened").read_text().strip() == f"http://127.0.0.1:{service.port}"


@pytest.mark.slow
def test_another_address_needs_a_token(start: Callable[..., Service]) -> None:
    """Without a file of tokens one is drawn and printed, and no browser is opened."""
    service = start("--host", "0.0.0.0", BROWSER="false")
    (line,) = (one for one in service.output().splitlines() if one.startswith("token: "))

    without = service.ask("GET", "/anonymizers")[0]
    with_it = service.ask("GET", "/anonymizers", Authorization=f"Bearer {line[7:]}")[0]
    elsewhere = service.ask("GET", "/health", Host="cdip.example")[0]

    assert (without, with_it, elsewhere) == (401, 200, 200)


@pytest.mark.slow
def test_tokens_are_read_from_a_file(start: Callable[..., Service], tmp_path: Path) -> None:
    """Named by an option or by the environment; none is printed."""
    tokens = tmp_path / "tokens"
    tokens.write_text("the-token-of-archive\nthe-token-of-office\n")
    service = start("--host", "0.0.0.0", PRESIDIO_CDIP_TOKENS_FILE=str(tokens))

    status = service.ask("GET", "/anonymizers", Authorization="Bearer the-token-of-office")[0]
    service.ended(signal.SIGTERM)

    assert status == 200
    assert "the-token" not in service.output()
    assert '"caller": 2' in service.output()


@pytest.mark.slow
def test_pack_and_model_are_options(start: Callable[..., Service], tmp_path: Path) -> None:
    """`--pack` decides what is found over REST and in documents, against the variable."""
    (tmp_path / "own" / "recognizers").mkdir(parents=True)
    (tmp_path / "own" / "recognizers" / "badge_number.yaml").write_text(
        "entity: BADGE_NUMBER\nmeaning: badge\nsource: these tests\nwhat: A badge.\n"
        "rules: [{name: labelled, cues: [badge], values: ['[A-Z]{2}-\\d{4}']}]\n"
        "cases: ['Badge ⟦QX-4711⟧']\n",
        "utf-8",
    )
    service = start("--pack", tmp_path / "own", "--model", "none", "--no-browser")

    of_rest = json.loads(service.ask("GET", "/supportedentities")[1])
    of_documents = json.loads(service.ask("GET", "/api/v1/options")[1])

    assert "BADGE_NUMBER" in of_rest
    assert "BADGE_NUMBER" in {one["name"] for one in of_documents["entities"]}


@pytest.mark.parametrize("option", ["--pack", "--model"])
def test_a_pack_or_model_that_cannot_be_used_is_said(option: str, run: Run) -> None:
    """Nothing is served, and the exit code is 2."""
    ran = run("serve", option, "nowhere")

    assert ran.returncode == 2
    assert "nowhere: " in ran.stderr


def test_a_port_that_is_taken_is_said(run: Run) -> None:
    """Exit code 2, and what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run("serve", "--no-browser", "--port", taken.getsockname()[1])

    assert ran.returncode == 2
    assert "in use): name others by --host and --port" in ran.stderr


def test_a_missing_extra_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 4, and how to install it."""
    monkeypatch.delitem(sys.modules, "presidio_cdip.service.app", raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)

    ran = run("serve", "--no-browser")

    assert ran.returncode == 4
    assert 'pip install "presidio-cdip[service]"' in ran.stderr


def uploaded(name: str, data: str, options: str = "{}") -> tuple[str, str, bytes, dict[str, str]]:
    """A request that uploads a document."""
    part = '--edge\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    body = part.format("file", f'; filename="{name}"', data) + part.format("options", "", options)
    form = {"Content-Type": "multipart/form-data; boundary=edge"}
    return "POST", "/api/v1/documents", f"{body}--edge--\r\n".encode(), form


def of_document(service: Service, name: str, data: str) -> str:
    """Upload a document, and wait until it was read; return its path."""
    method, path, body, headers = uploaded(name, data)
    status, answer = service.ask(method, path, body, **headers)
    assert status == 202, answer
    document = f"{path}/{json.loads(answer)['id']}"
    until = time.monotonic() + PATIENCE
    while json.loads(service.ask("GET", document)[1])["state"] in ("waiting", "reading"):
        assert time.monotonic() < until
        time.sleep(0.05)
    return document


@pytest.mark.slow
def test_no_text_of_documents_gets_into_the_output(
    start: Callable[..., Service], tmp_path: Path
) -> None:
    """Nor their names, options and reviews; nothing of them is left when the service ends."""
    rest = tmp_path / "rest"
    rest.mkdir()
    service = start("--no-browser", "--metrics", TMPDIR=str(rest))
    text = f"{SECRET}, aged 46."
    read = [
        of_document(service, f"{SECRET}.{kind}", data)
        for kind, data in (
            ("txt", text), ("json", f'{{"{SECRET}": "{text}"}}'), ("pdf", f"%PDF-1.7 {SECRET}"),
            ("docx", f"PK\x03\x04{SECRET}"), ("png", SECRET),
            ("eml", f"Subject: {SECRET}\n\n{text}"),
        )
    ]  # fmt: skip
    typed = json.dumps({"surrogate": SECRET}).encode()
    for path in read:
        for method, route, body in (
            ("PATCH", f"/findings/{SECRET}", typed), ("PATCH", "/findings/f1", typed),
            ("POST", "/findings", json.dumps({"view": SECRET, "entity": SECRET}).encode()),
            ("PATCH", "/findings", SECRET.encode()), ("PUT", "/review", SECRET.encode()),
            ("GET", f"/findings?ids={SECRET}", None), ("GET", f"/views/{SECRET}", None),
            ("GET", f"/review?reviewer={SECRET}", None), ("GET", "/result", None),
            ("GET", "/views/0?result=1", None), ("GET", "/report", None),
        ):  # fmt: skip
            service.ask(method, path + route, body, **JSON)
    for method, path, body, headers in (
        uploaded(f"../{SECRET}", text, json.dumps({"policy": SECRET})),
        uploaded("a.txt", text, json.dumps({SECRET: SECRET})),
        uploaded("a.txt", text, SECRET),
    ):
        service.ask(method, path, body, **headers)
    statuses = [json.loads(service.ask("GET", path)[1])["state"] for path in read]
    counts = service.ask("GET", "/metrics")[1].decode()
    code = service.ended(signal.SIGTERM)

    assert sorted(set(statuses)) == ["failed", "ready"]
    assert "presidio_cdip_documents 6" in counts
    assert code == 143
    assert SECRET.lower() not in (service.output() + counts).lower()
    assert list(rest.iterdir()) == []


@pytest.mark.slow
def test_what_a_killed_service_left_is_removed_by_the_next(
    start: Callable[..., Service], tmp_path: Path
) -> None:
    """Its children end with it; its folder is there until then, for its user alone."""
    rest = tmp_path / "rest"
    rest.mkdir()
    service = start("--no-browser", TMPDIR=str(rest))
    of_document(service, "a.txt", f"{SECRET}, aged 46.")
    service.ended(signal.SIGKILL)
    (left,) = rest.iterdir()
    mode = left.stat().st_mode & 0o777

    start("--no-browser", TMPDIR=str(rest))

    (new,) = rest.iterdir()
    assert mode == 0o700
    assert new != left
    assert list(new.iterdir()) == []
