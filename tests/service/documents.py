"""Documents to upload, and a caller of the documents' paths."""

import io
import json
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from presidio_cdip.service.jobs import Jobs, Options
from presidio_cdip.service.options import Available
from presidio_cdip.surrogates.keys import Key

ROOT = Path(__file__).parents[2]
POISONED = (sys.executable, str(ROOT / "tests" / "doubles" / "poisoned_service_child.py"))
KEY = Key.of(b"a key for tests alone: 32 bytes.")
PATIENCE = 120  # seconds on a busy machine; only a fault needs them
SSN, BIRTH = "271-24-0538", "12 May 1971"
LINES = (
    f"Ann Ruth was born on {BIRTH}, SSN {SSN}.",
    "She lives in ward 7.",
    f"Her SSN is {SSN}.",
)


@cache
def document(kind: str) -> bytes:
    """Return a document of a format with `LINES`."""
    if kind == "txt":
        return "\n".join(LINES).encode()
    if kind == "png":
        from tests.documents.reviews.builders import page

        return page(*LINES)
    if kind == "pdf":
        from tests.documents.pdf.builders_pdf import simple

        return simple(*LINES)
    from tests.documents.office.office_files import docx

    paragraphs = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in LINES)
    name = "word/media/image1.png"
    return docx(paragraphs, {name: picture()}, {"r1": ("body", "image", name)})


def picture() -> bytes:
    """Return a PNG of 40 x 30 pixels, without writing."""
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(out, "PNG", dpi=(200, 200))
    return out.getvalue()


def bomb() -> bytes:
    """Return an office package of some megabytes that unpacks to more than may be."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        with package.open("word/document.xml", "w", force_zip64=True) as part:
            for _ in range(501):
                part.write(bytes(1_000_000))
    return out.getvalue()


class Caller:
    """Calls the paths of documents, and waits for what they begin.

    Args:
        client: A client of Starlette's.
        headers: Of every request.
    """

    def __init__(self, client: Any, **headers: str) -> None:
        self.client = client
        self._headers = headers

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Return the answer to a request below ``/api/v1``."""
        return self.client.request(method, f"/api/v1{path}", headers=self._headers, **options)

    def get(self, path: str) -> Any:
        """Return the JSON of an answer that is no error."""
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, method: str, path: str, **given: Any) -> Any:
        """Return the JSON of the answer to JSON, which is no error."""
        answer = self.ask(method, path, json=given)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, data: bytes, name: str = "note.txt", **options: Any) -> str:
        """Return the path of a document."""
        answer = self.ask(
            "POST",
            "/documents",
            files={"file": (name, data)},
            data={"options": json.dumps(options)},
        )
        assert answer.status_code == 202, answer.text
        return f"/documents/{answer.json()['id']}"

    def ended(self, path: str) -> Any:
        """Wait until a document is ready or failed; return its state."""
        return self._waited(path, lambda one: one["state"] in ("ready", "failed"))

    def ready(self, data: bytes, name: str = "note.txt", **options: Any) -> str:
        """Return the path of a document that was read."""
        path = self.upload(data, name, **options)
        state = self.ended(path)
        assert state["state"] == "ready", state["problem"]
        return path

    def drawn(self, path: str) -> None:
        """Wait until the surrogates of a document are known."""
        self._waited(path, lambda one: not one["drawing"])

    def _waited(self, path: str, until: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            state = self.get(path)
            if until(state):
                return state
            assert time.monotonic() < deadline, state
            time.sleep(0.02)

    def findings(self, path: str) -> list[Any]:
        """Return the findings of a document."""
        found: list[Any] = self.get(f"{path}/findings")["findings"]
        return found

    def named(self, path: str, value: str) -> list[str]:
        """Return the ids of the findings of *value*."""
        return [one["id"] for one in self.findings(path) if one["value"] == value]

    def result(self, path: str) -> bytes:
        """Return the redacted document."""
        answer = self.ask("GET", f"{path}/result")
        assert answer.status_code == 200, answer.text
        data: bytes = answer.content
        return data


@contextmanager
def service(folder: Path, **options: Any) -> Iterator[tuple[Jobs, Caller]]:
    """Yield jobs, without a model unless one is asked for, and a caller of their paths."""
    from fastapi import FastAPI
    from starlette.testclient import TestClient

    from presidio_cdip.service.documents_api import router

    jobs = Jobs(Options(**{"key": KEY, "model": "none", "folder": folder, **options}))
    app = FastAPI()
    app.include_router(router(jobs, Available(None, 1_000_000)))
    with TestClient(app) as client:
        yield jobs, Caller(client)
