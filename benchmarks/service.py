"""Measure how fast and how correctly Presidio's own service apps answer with our settings.

    python -m benchmarks.service PRESIDIO_CHECKOUT

Starts the ``app.py`` of presidio-analyzer, presidio-anonymizer and presidio-image-redactor of the
checkout under gunicorn, one after the other, each with the settings of docs/deployment.md, and
sends each the same request twice over HTTP. Presidio's packages are the installed ones; only the
apps and their ``logging.ini`` are read from the checkout.

* **ready**: seconds from the start of gunicorn to the first answer of ``/health``. If the settings
  name one of our gunicorn modules, this includes the warm-up of the worker.
* **first** and **second**: seconds until the two answers.
* **right**: whether both answers are correct: the two findings of the text, two equal surrogates,
  or two equal pages that differ from the sent page in a part of their pixels.

Then 20 clients ask the analyzer's service for the findings of pages of 2.5 kB, for 20 seconds each
with our settings and with Presidio's own recognizers on the same pipeline, which finds no entities:

* **answers a second**: of one worker, in wall time.

The exit status is 1 if an answer is not correct.
"""

import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
from PIL import Image, ImageChops

from benchmarks.quality import header, print_facts, print_markdown, print_table
from benchmarks.text_speed import PAGE, sample

ROOT = Path(__file__).parents[1]
CONF = ROOT / "examples" / "rest_service"
PATIENCE = 300
"""Seconds for a start or an answer."""
CLIENTS, SECONDS = 20, 20

TEXT = "Soc. Sec. No. 271-24-0538  Date of birth: 03/04/1931"
FOUND = {("US_SSN", "271-24-0538"), ("DATE_OF_BIRTH", "03/04/1931")}
KEY = "a key for this benchmark alone, not secret"
COLUMNS = ("service", "ready s", "first s", "second s", "right")


@dataclass(frozen=True, slots=True)
class Service:
    """Describe one of Presidio's services, and a request to it.

    Attributes:
        name: Name of its folder in the checkout.
        variables: Its settings, from docs/deployment.md.
        route: The route of the request.
        body: The body of the request.
        content_type: The content type of the request.
        right: Tells whether a pair of answers is correct.
    """

    name: str
    variables: Mapping[str, str]
    route: str
    body: bytes
    content_type: str
    right: Callable[[bytes, bytes], bool]


def analyzer_is_right(first: bytes, second: bytes) -> bool:
    """Check that both answers have the text's findings, and no other.

    >>> analyzer_is_right(b"[]", b"[]")
    False
    """

    def found(answer: bytes) -> set[tuple[str, str]]:
        return {(one["entity_type"], TEXT[one["start"] : one["end"]]) for one in json.loads(answer)}

    return found(first) == found(second) == FOUND


def anonymizer_is_right(first: bytes, second: bytes) -> bool:
    """Check that both answers have the same new date after the label.

    >>> one, other = b'{"text": "Born: 05/06/31"}', b'{"text": "Born: 03/04/31"}'
    >>> anonymizer_is_right(one, one), anonymizer_is_right(other, other)
    (True, False)
    """
    one, other = (json.loads(answer).get("text", "") for answer in (first, second))
    date = one.removeprefix("Born: ")
    return one == other and date not in (one, "03/04/31") and len(date) == len("03/04/31")


def page() -> bytes:
    """Return a part of the example page, as PNG."""
    data = io.BytesIO()
    with Image.open(ROOT / "examples" / "personnel_page.png") as whole:
        whole.crop((0, 340, whole.width, 540)).save(data, "PNG")
    return data.getvalue()


def redactor_is_right(first: bytes, second: bytes) -> bool:
    """Check that both answers are the same page, changed in some pixels, and not blackened.

    >>> redactor_is_right(page(), page())
    False
    """
    before, after = (Image.open(io.BytesIO(data)).convert("L") for data in (page(), first))
    if first != second or before.size != after.size:
        return False
    changed = np.asarray(ImageChops.difference(before, after)) > 0
    return bool(0 < changed.mean() < 0.2 and np.asarray(after)[changed].std() > 20)


def _form(data: bytes) -> bytes:
    head = b'--edge\r\nContent-Disposition: form-data; name="image"; filename="page.png"'
    return head + b"\r\nContent-Type: image/png\r\n\r\n" + data + b"\r\n--edge--\r\n"


def services(key_file: Path) -> tuple[Service, ...]:
    """Return the three services; the image redactor paints with the key in *key_file*."""
    finding = {"entity_type": "DATE_OF_BIRTH", "start": 6, "end": 14, "score": 1.0}
    surrogate = {"type": "surrogate", "key": KEY, "scope": "doc-17"}
    to_anonymize = {
        "text": "Born: 03/04/31",
        "analyzer_results": [finding],
        "anonymizers": {"DEFAULT": surrogate},
    }
    return (
        Service(
            "presidio-analyzer",
            {
                "NLP_CONF_FILE": str(CONF / "nlp.yaml"),
                "RECOGNIZER_REGISTRY_CONF_FILE": str(CONF / "recognizers.yaml"),
                "GUNICORN_CMD_ARGS": "-c python:presidio_cdip.gunicorn_conf",
            },
            "analyze",
            json.dumps({"text": TEXT, "language": "en"}).encode(),
            "application/json",
            analyzer_is_right,
        ),
        Service(
            "presidio-anonymizer",
            {"GUNICORN_CMD_ARGS": "-c python:presidio_cdip.gunicorn_conf"},
            "anonymize",
            json.dumps(to_anonymize).encode(),
            "application/json",
            anonymizer_is_right,
        ),
        Service(
            "presidio-image-redactor",
            {
                "GUNICORN_CMD_ARGS": "-c python:presidio_cdip.gunicorn_image_conf",
                "PRESIDIO_CDIP_KEY_FILE": str(key_file),
            },
            "redact",
            _form(page()),
            "multipart/form-data; boundary=edge",
            redactor_is_right,
        ),
    )


@contextmanager
def started(app: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """Start *app* under gunicorn with one worker, and yield its address once it answers.

    Raises:
        click.ClickException: The app ended, or did not answer in time.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    gunicorn = (sys.executable, "-m", "gunicorn", "--timeout", str(PATIENCE), "--bind", address)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [*gunicorn, "--chdir", str(app.parent), "app:create_app()"],
            env={**os.environ, "PYTHONPATH": path, **variables},
            stdout=log,
            stderr=log,
        )
        try:
            until = time.monotonic() + PATIENCE
            while not _answers(f"http://{address}/health"):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise click.ClickException(f"{app.parent.name}:\n{log.read()[-3000:]}")
                time.sleep(0.05)
            yield f"http://{address}"
        finally:
            process.terminate()
            process.wait(60)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False


def ask(address: str, service: Service) -> tuple[bytes, float]:
    """Return the answer to the request of *service*, and its duration in seconds."""
    request = urllib.request.Request(
        f"{address}/{service.route}", service.body, {"Content-Type": service.content_type}
    )
    start = time.perf_counter()
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            body = bytes(answer.read())
    except urllib.error.HTTPError as error:
        raise click.ClickException(f"{service.name}: {error.code} {error.read()[:500]!r}") from None
    return body, time.perf_counter() - start


def measured(checkout: Path, service: Service) -> tuple[str, ...]:
    """Return the row of *service*."""
    start = time.perf_counter()
    with started(checkout / service.name / "app.py", service.variables) as address:
        ready = time.perf_counter() - start
        (first, one), (second, other) = (ask(address, service) for _ in range(2))
    right = "yes" if service.right(first, second) else "no"
    return (service.name, f"{ready:.1f}", f"{one:.2f}", f"{other:.2f}", right)


def answers_a_second(checkout: Path, service: Service) -> float:
    """Return the answers a second that one worker of *service* gives to `CLIENTS` at once."""
    with started(checkout / service.name / "app.py", service.variables) as address:
        ask(address, service)
        until = time.monotonic() + SECONDS

        def count_answers(_: int) -> int:
            count = 0
            while time.monotonic() < until:
                ask(address, service)
                count += 1
            return count

        with ThreadPoolExecutor(CLIENTS) as clients:
            return sum(clients.map(count_answers, range(CLIENTS))) / SECONDS


def rates(checkout: Path, ours: Service) -> list[tuple[str, str]]:
    """Return the rows of answers a second: of *ours*, of Presidio's, and their ratio."""
    page = json.dumps({"text": sample(PAGE), "language": "en"}).encode()
    settings = {"NLP_CONF_FILE": ours.variables["NLP_CONF_FILE"]}
    with_ours, stock = (
        answers_a_second(checkout, replace(ours, body=page, variables=variables))
        for variables in (ours.variables, settings)
    )
    return [
        ("presidio-cdip", f"{with_ours:.1f}"),
        ("presidio", f"{stock:.1f}"),
        ("of presidio's", f"{with_ours / stock:.2f}"),
    ]


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--markdown", is_flag=True, help="Print the table for a document.")
def main(checkout: Path, markdown: bool) -> None:
    """Start the services of a CHECKOUT of Presidio's repository, and ask each a question twice."""
    with tempfile.TemporaryDirectory() as folder:
        key_file = Path(folder) / "key"
        key_file.write_text(KEY)
        key_file.chmod(0o600)
        # gunicorn runs in the app's folder, which a relative path would not name there.
        asked = services(key_file)
        rows = [measured(checkout.resolve(), service) for service in asked]
        answers = rates(checkout.resolve(), asked[0])
    print_facts(header(), markdown)
    show_table = print_markdown if markdown else print_table
    show_table(COLUMNS, rows)
    click.echo()
    show_table(("analyzer", "answers a second"), answers)
    if any(row[-1] != "yes" for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
