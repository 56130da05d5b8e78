"""Serve documents over REST: upload, review, download."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from presidio_cdip.documents.reviews.editing import Changes, Editing
from presidio_cdip.documents.reviews.review import Decision, Review
from presidio_cdip.errors import CdipError, ReviewError
from presidio_cdip.service.document import Document, Missing, NotReady, Result
from presidio_cdip.service.jobs import Full, Jobs
from presidio_cdip.service.options import Available
from presidio_cdip.service.views import Json

Answer = TypeVar("Answer")

_RETRY_AFTER = {"Retry-After": "10"}
_LONGEST = 10_000  # characters of what a reviewer types
_LONGEST_NAME = 200
_OF_REVIEWS = "the review cannot be used: "
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_PLAIN = re.compile(r"[^A-Za-z0-9._ -]")


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Change(_Body):
    """Hold changes of findings; fields that are not named stay."""

    decision: Decision | None = None
    entity: str | None = None
    surrogate: str | None = Field(None, max_length=_LONGEST)
    everywhere: bool = False

    def of(self, names: list[str]) -> Callable[[Editing], Changes]:
        """Return a function that changes the findings called *names*."""
        typed = {"surrogate": self.surrogate} if "surrogate" in self.model_fields_set else {}
        return lambda editing: editing.change(
            names, decision=self.decision, entity=self.entity, everywhere=self.everywhere, **typed
        )


class ChangeOfSome(Change):
    """Hold changes of several findings."""

    findings: list[str]


class Addition(_Body):
    """Hold a stretch of a view's text, or a box on it, that becomes a finding."""

    view: int
    entity: str
    start: int | None = None
    end: int | None = None
    box: tuple[float, float, float, float] | None = Field(None, strict=False)
    everywhere: bool = False

    def made(self, editing: Editing) -> Changes:
        """Add it."""
        if self.box is not None:
            return editing.draw(self.view, self.box, self.entity)
        if self.start is None or self.end is None:
            raise HTTPException(422, "an addition has start and end, or a box")
        return editing.add(self.view, self.start, self.end, self.entity, self.everywhere)


def router(
    jobs: Jobs, available: Available, caller: Callable[[Request], int] = lambda request: 0
) -> APIRouter:
    """Return the paths of documents; with them, *jobs* starts and ends.

    Args:
        jobs: Holds the documents.
        available: The options of documents.
        caller: Returns the caller of a request; callers see their own documents only.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        """Start the jobs, and end them."""
        jobs.start()
        try:
            yield
        finally:
            await run_in_threadpool(jobs.close)

    paths = APIRouter(prefix="/api/v1", tags=["Documents"], lifespan=life)

    def of(request: Request, name: str) -> Document:
        return jobs.get(name, caller(request))

    def edited(request: Request, name: str, what: Callable[[Editing], Changes]) -> Json:
        with refusing():
            document = of(request, name)
            changes = document.edit(what)
            jobs.draw(document)
            return changes

    @paths.get("/options")
    def options() -> Json:
        """Return the options of a document."""
        return available.as_json()

    @paths.post("/documents", status_code=202, openapi_extra=_UPLOAD)
    async def upload(request: Request) -> Json:
        """Take a document, to be read; its name decides the format of texts."""
        async with request.form(max_files=1, max_fields=1, max_part_size=1 << 16) as form:
            file, given = form.get("file"), form.get("options") or "{}"
            if not isinstance(file, UploadFile) or not isinstance(given, str):
                raise HTTPException(422, "a document is sent as the field `file` of a form")
            with refusing():
                choices = await run_in_threadpool(available.choices, given)
                named = file_name(file.filename or "")
                source: BinaryIO = file.file
                document = await run_in_threadpool(
                    jobs.add, source, named, choices, caller(request)
                )
        shown = document.as_json(whole=False)
        return {key: shown[key] for key in ("id", "name", "state")}

    @paths.get("/documents")
    def documents(request: Request) -> Json:
        """List your documents."""
        return {"documents": [one.as_json(whole=False) for one in jobs.of(caller(request))]}

    @paths.get("/documents/{name}")
    def document(request: Request, name: str) -> Json:
        """Return the state of a document, and its views."""
        with refusing():
            return of(request, name).as_json()

    @paths.delete("/documents/{name}", status_code=204)
    def remove(request: Request, name: str) -> Response:
        """Remove a document and its results."""
        with refusing():
            jobs.remove(of(request, name))
        return Response(status_code=204)

    @paths.get("/documents/{name}/views/{number}.png", response_class=Response)
    async def image(request: Request, name: str, number: int, result: bool = False) -> Response:
        """Show a page or picture as it is; with result=1 as it is in the result."""
        with refusing():
            shown = await answered(jobs.image(of(request, name), number, result))
        _check(shown)
        return FileResponse(shown["out"], media_type="image/png")

    @paths.get("/documents/{name}/views/{number}")
    async def view(request: Request, name: str, number: int, result: bool = False) -> Any:
        """Return the words of a page, or the text of a part; with result=1 of the result."""
        with refusing():
            asked = of(request, name)
            if not result:
                return JSONResponse(await run_in_threadpool(asked.view, number))
            content = await run_in_threadpool(asked.result_view, number)
            if content is None:
                _check(await answered(jobs.read_result(asked, asked.made())))
                content = await run_in_threadpool(asked.result_view, number)
        return JSONResponse(content)

    @paths.get("/documents/{name}/findings")
    def findings(request: Request, name: str, ids: str | None = None) -> Response:
        """Return all findings, or those whose ids are named, with commas between."""
        with refusing():
            some = None if ids is None else list(filter(None, ids.split(",")))
            return JSONResponse(of(request, name).findings(some))

    @paths.patch("/documents/{name}/findings/{finding}")
    def change(request: Request, name: str, finding: str, given: Change) -> Response:
        """Decide on a finding."""
        return JSONResponse(edited(request, name, _checked(given).of([finding])))

    @paths.patch("/documents/{name}/findings")
    def change_some(request: Request, name: str, given: ChangeOfSome) -> Response:
        """Decide on several findings."""
        return JSONResponse(edited(request, name, _checked(given).of(given.findings)))

    @paths.post("/documents/{name}/findings")
    def add(request: Request, name: str, given: Addition) -> Json:
        """Add a stretch of text, or the words in a box, or a box without words."""
        return edited(request, name, _checked(given).made)

    @paths.delete("/documents/{name}/findings/{finding}")
    def take_away(request: Request, name: str, finding: str) -> Json:
        """Remove a finding that was added."""
        return edited(request, name, lambda editing: editing.remove(finding))

    @paths.post("/documents/{name}/undo")
    def undo(request: Request, name: str) -> Response:
        """Undo the last change."""
        return JSONResponse(edited(request, name, Editing.undo))

    @paths.post("/documents/{name}/redo")
    def redo(request: Request, name: str) -> Response:
        """Redo the change that was undone last."""
        return JSONResponse(edited(request, name, Editing.redo))

    @paths.get("/documents/{name}/review", response_class=Response)
    def review(request: Request, name: str, reviewer: str | None = None) -> Response:
        """Return the review file, which `redact --review` takes, too."""
        with refusing():
            asked = of(request, name)
            data = asked.review(reviewer and reviewer[:_LONGEST]).to_bytes()
        return Response(
            data, headers=attachment(f"{asked.file}.review.json"), media_type="application/json"
        )

    @paths.put("/documents/{name}/review", openapi_extra=_REVIEW)
    async def load(request: Request, name: str) -> Json:
        """Replace the decisions made so far by those of a review file."""
        with refusing():
            asked, data = of(request, name), await request.body()
            return {"version": await run_in_threadpool(loaded, asked, data)}

    def loaded(document: Document, data: bytes) -> int:
        given = Review.of(data)
        available.check_review(given)
        version = document.load(given)
        jobs.draw(document)
        return version

    @paths.post("/documents/{name}/result", status_code=202)
    def make(request: Request, name: str) -> Json:
        """Begin to make the result of the decisions made so far."""
        with refusing():
            asked = of(request, name)
            jobs.make(asked)
            result: Json = asked.as_json(whole=False)["result"]
            return result

    async def made(request: Request, name: str) -> tuple[Document, Result]:
        """Return a document and its result, which is made first if need be."""
        asked = of(request, name)
        result = await answered(await run_in_threadpool(jobs.make, asked))
        if result.problem:
            raise HTTPException(422, result.problem)
        return asked, result

    @paths.get("/documents/{name}/result", response_class=Response)
    async def result(request: Request, name: str) -> Response:
        """Return the redacted document in its own format; it is made first if need be."""
        with refusing():
            asked, result = await made(request, name)
        path = PurePosixPath(asked.file)
        headers = attachment(f"{path.stem}.redacted{path.suffix}")
        return _file(result.folder / "file", headers, "application/octet-stream")

    @paths.get("/documents/{name}/report", response_class=Response)
    async def report(request: Request, name: str) -> Response:
        """Return the parts that were replaced, removed and not read, without any text."""
        with refusing():
            asked, result = await made(request, name)
        headers = attachment(f"{asked.file}.report.json")
        return _file(result.folder / "report.json", headers, "application/json")

    def _checked(given: Any) -> Any:
        if given.entity is not None:
            with refusing():
                available.check_entities(given.entity)
        return given

    return paths


@contextmanager
def refusing() -> Iterator[None]:
    """Convert errors to HTTP error responses."""
    try:
        yield
    except Missing as error:
        raise HTTPException(404, str(error)) from None
    except NotReady as error:
        raise HTTPException(409, str(error)) from None
    except Full as error:
        raise HTTPException(503, str(error), _RETRY_AFTER) from None
    except ReviewError as error:
        raise HTTPException(409, str(error).removeprefix(_OF_REVIEWS)) from None
    except CdipError as error:
        raise HTTPException(422, str(error)) from None


async def answered(future: "Future[Answer]") -> Answer:
    """Wait for *future*, which goes on if the caller does not wait for it."""
    return await asyncio.shield(asyncio.wrap_future(future))


def _check(answer: Any) -> None:
    if "problem" in answer:
        raise HTTPException(422, answer["problem"])


def _file(file: Path, headers: dict[str, str], media_type: str) -> Response:
    if not file.exists():  # the document was removed, or has several newer results
        raise HTTPException(409, "the result is no longer there: make it again")
    return FileResponse(file, headers=headers, media_type=media_type)


def file_name(given: str) -> str:
    r"""Return the name of an uploaded file: no folders, and no characters that cannot be seen.

    >>> file_name("C:\\letters\\a.txt"), file_name("../../etc/passwd"), file_name("..")
    ('a.txt', 'passwd', 'document')
    """
    name = _CONTROL.sub("", given).replace("\\", "/").rpartition("/")[2].strip()
    return name[-_LONGEST_NAME:] if name.strip(". ") else "document"


def attachment(name: str) -> dict[str, str]:
    """Return headers that have a browser save a file as *name* (RFC 6266).

    >>> print(attachment("Zoë.txt")["Content-Disposition"])
    attachment; filename="Zo_.txt"; filename*=UTF-8''Zo%C3%AB.txt
    """
    coded = quote(name.encode("utf-8", "replace"), safe="")
    plain = _PLAIN.sub("_", name)
    return {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{coded}"}


_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "options": {"type": "string", "example": '{"policy": "surrogate"}'},
                    },
                }
            }
        },
    }
}
_REVIEW: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}
