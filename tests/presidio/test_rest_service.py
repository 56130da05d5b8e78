"""Our recognizers and operators answer in REST services whose code knows nothing of them."""

import io
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import presidio_cdip

pytestmark = [pytest.mark.slow, pytest.mark.installed]

ROOT = Path(__file__).parents[2]
CONF = ROOT / "examples" / "rest_service"
TEXT = "Soc. Sec. No. 271-24-0538  Date of birth: 03/04/1931"
PATIENCE = 300  # seconds for a start or an answer on a busy machine; only a fault needs them

# Rules alone: none of these claims needs the model.
RULES = {"PRESIDIO_CDIP_MODEL": "none"}
TWO_FILES = {
    "NLP_CONF_FILE": str(CONF / "nlp.yaml"),
    "RECOGNIZER_REGISTRY_CONF_FILE": str(CONF / "recognizers.yaml"),
}
ONE_FILE = {
    "ANALYZER_CONF_FILE": str(CONF / "analyzer.yaml"),
    "GUNICORN_CMD_ARGS": "--preload -c python:presidio_cdip.gunicorn_conf",
}


@contextmanager
def service(
    tmp_path: Path, app: str = "analyzer", route: str = "recognizers", **variables: str
) -> Iterator[str]:
    """Start a gunicorn that serves the stand-in for Presidio's app, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path / "log").open("w+")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}"),
            *("--timeout", str(PATIENCE)),
            *("--chdir", str(ROOT / "tests" / "doubles"), f"{app}_service:create_app()"),
        ],
        env={**os.environ, **RULES, **variables},
        stdout=log,
        stderr=log,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                ask(f"{address}/{route}")
                break
            except (urllib.error.URLError, ConnectionError):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise RuntimeError(log.read()[-3000:]) from None
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def ask(address: str, **body: Any) -> Any:
    request = urllib.request.Request(
        address,
        data=json.dumps(body).encode() if body else None,
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def send(address: str, data: bytes) -> bytes:
    """Return the answer to a form with an image in it."""
    lines = [
        b"--edge",
        b'Content-Disposition: form-data; name="image"; filename="page.png"',
        b"Content-Type: image/png",
        b"",
        data,
        b"--edge--",
        b"",
    ]
    request = urllib.request.Request(
        address,
        data=b"\r\n".join(lines),
        headers={"Content-Type": "multipart/form-data; boundary=edge"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return bytes(answer.read())


def found(results: list[dict[str, Any]]) -> dict[str, str]:
    return {one["entity_type"]: TEXT[one["start"] : one["end"]] for one in results}


@pytest.fixture(scope="module")
def of_two_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an analyzer's service with two configuration files."""
    with service(tmp_path_factory.mktemp("two"), **TWO_FILES) as address:
        yield address


@pytest.fixture(scope="module")
def of_one_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an analyzer's service with one configuration file."""
    with service(tmp_path_factory.mktemp("one"), **ONE_FILE) as address:
        yield address


@pytest.mark.parametrize("configured", ["of_two_files", "of_one_file"])
def test_service_finds_and_explains(configured: str, request: pytest.FixtureRequest) -> None:
    """Configuration alone brings our findings, explained, and they displace the generic ones."""
    address = request.getfixturevalue(configured)

    names = ask(f"{address}/recognizers")
    results = ask(f"{address}/analyze", text=TEXT, language="en", return_decision_process=True)

    assert "CdipRecognizer" in names
    assert found(results) == {"US_SSN": "271-24-0538", "DATE_OF_BIRTH": "03/04/1931"}
    explanations = [one["analysis_explanation"]["textual_explanation"] for one in results]
    assert any("date_of_birth/" in explanation for explanation in explanations)


def test_service_finds_only_what_it_is_asked_for(of_two_files: str) -> None:
    """A request for one entity is answered with that one."""
    results = ask(f"{of_two_files}/analyze", text=TEXT, language="en", entities=["US_SSN"])

    assert found(results) == {"US_SSN": "271-24-0538"}


def test_anonymizer_has_surrogates(tmp_path: Path) -> None:
    """The anonymizer's service lists our operators, and JSON alone makes them work."""
    key = "a key of thirty-two bytes or so."
    variables = {"GUNICORN_CMD_ARGS": "-c python:presidio_cdip.gunicorn_conf"}
    results = [{"entity_type": "DATE_OF_BIRTH", "start": 6, "end": 14, "score": 1.0}]

    def body(**params: str) -> dict[str, Any]:
        anonymizers = {"DEFAULT": {"type": "surrogate", "key": key, **params}}
        return {"text": "Born: 03/04/31", "analyzer_results": results, "anonymizers": anonymizers}

    with service(tmp_path, "anonymizer", "anonymizers", **variables) as address:
        names = ask(f"{address}/anonymizers")
        one = ask(f"{address}/anonymize", **body(scope="doc-17"))
        again = ask(f"{address}/anonymize", **body(scope="doc-17"))
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(f"{address}/anonymize", **body(scope=" "))
        with pytest.raises(urllib.error.HTTPError) as too_long:
            ask(f"{address}/anonymize", **body(policy="p" * 5000))
        results[0]["entity_type"] = "E" * 5000
        with pytest.raises(urllib.error.HTTPError) as too_long_entity:
            ask(f"{address}/anonymize", **body())

    assert {"surrogate", "generalize"} <= set(names)
    own = presidio_cdip.Surrogates(key, "doc-17").surrogate("DATE_OF_BIRTH", "03/04/31")
    assert one["text"] == again["text"] == f"Born: {own}"
    assert refused.value.code == 422
    assert "the scope is empty" in refused.value.read().decode()
    for answer, what in ((too_long, "policy"), (too_long_entity, "entity")):
        assert answer.value.code == 422
        assert f"the {what}'s name has 5000 characters" in answer.value.read().decode()


@pytest.mark.usefixtures("tesseract")
def test_image_redactor_paints_surrogates(tmp_path: Path) -> None:
    """The app asks for Presidio's engine and gets ours; with a key file it answers alike again."""
    key_file = tmp_path / "key"
    presidio_cdip.make_key(key_file)
    variables = {
        "GUNICORN_CMD_ARGS": "-c python:presidio_cdip.gunicorn_image_conf",
        "PRESIDIO_CDIP_KEY_FILE": str(key_file),
    }
    with Image.open(ROOT / "examples" / "personnel_page.png") as page:
        before = page.crop((0, 340, page.width, 540)).copy()
    data = io.BytesIO()
    before.save(data, "PNG")

    with service(tmp_path, "image", "health", **variables) as address:
        engine = ask(f"{address}/health")
        one, again = (send(f"{address}/redact", data.getvalue()) for _ in range(2))

    assert engine == "CdipSurrogateRedactorEngine"
    after = Image.open(io.BytesIO(one))
    assert (after.format, after.mode, after.size) == ("PNG", before.mode, before.size)
    assert one == again
    differs = np.asarray(after) != np.asarray(before)
    assert 0 < differs.mean() < 0.2
    assert (
        np.asarray(after.convert("L"))[differs.reshape(after.height, after.width, -1).any(2)].std()
        > 20
    )
