"""Serve Presidio's REST contracts: its analyzer, anonymizer and image redactor at one address."""

import gc
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.datastructures import UploadFile

from presidio_cdip.errors import CdipError, place_of
from presidio_cdip.service.configuration import Configuration
from presidio_cdip.service.observing import event
from presidio_cdip.service.pool import Pool

if TYPE_CHECKING:
    from presidio_cdip.presidio.rest import RestEngines

Result = TypeVar("Result")

_NO_JSON = (
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'."
)
_NO_ENGINES = "the analyzer cannot be started; the log of the service says why"
_FINDING = {"entity_type": "US_SSN", "start": 4, "end": 15, "score": 0.95}
_TEXT = "SSN 271-24-0538"


class BackgroundEngines:
    """Build Presidio's engines in the background, and call them from a bounded number of threads.

    Args:
        configuration: Of the service.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self.texts = Pool("texts", configuration.workers, configuration.max_waiting)
        self.images = Pool("images", 1, configuration.max_waiting)
        self._engines: Future[RestEngines] = Future()

    def start(self) -> None:
        """Begin to build the engines; what is asked before they are there waits."""
        self._engines = self.texts.start(self._built)

    @property
    def failed(self) -> bool:
        """Return whether the engines could not be built."""
        return self._engines.done() and self._engines.exception() is not None

    def close(self) -> None:
        """Drop the calls that wait."""
        self.texts.close()
        self.images.close()

    async def ask(self, pool: Pool, call: "Callable[[RestEngines], Result]") -> Result:
        """Return the result of *call*, given the engines, in a thread of *pool*.

        Raises:
            HTTPException: The request is refused, there are no engines, or too many calls wait.
        """
        return await pool.run(self._asked, call)

    def _asked(self, call: "Callable[[RestEngines], Result]") -> Result:
        try:
            engines = self._engines.result()
        except Exception:
            raise HTTPException(503, _NO_ENGINES) from None
        from presidio_cdip.presidio.rest import Refused

        try:
            return call(engines)
        except Refused as refused:
            if refused.status >= 500 and refused.__cause__:
                event("error", logging.ERROR, error=place_of(refused.__cause__))
            raise HTTPException(refused.status, refused.words) from None

    def _built(self) -> "RestEngines":
        start = time.perf_counter()
        try:
            from presidio_cdip.presidio.rest import RestEngines

            options = self._configuration
            engines = RestEngines(
                names=options.names, extras=options.extras, key=options.key, scope=options.scope
            )
            engines.warm_up()
        except Exception as error:
            # Nobody has sent a text yet: the message can only be about the configuration.
            reason = str(error) if isinstance(error, CdipError | ValueError | OSError) else ""
            event("no engines", logging.ERROR, error=place_of(error), reason=reason)
            raise
        gc.collect()
        gc.freeze()  # the collector need not look through rules and model again
        event("engines ready", seconds=round(time.perf_counter() - start, 1))
        return engines


def router(background: BackgroundEngines, most: int) -> APIRouter:
    """Return the paths of Presidio's three services.

    Args:
        background: Calls the engines.
        most: Length of the longest request that is JSON, in bytes; images may be longer.
    """
    paths = APIRouter(tags=["Presidio"])

    async def answered(request: Request, call: "Callable[[RestEngines, bytes], str]") -> Response:
        """Answer a request of JSON with JSON."""
        body = await json_body(request, most)
        text = await background.ask(background.texts, lambda engines: call(engines, body))
        return Response(text, media_type="application/json")

    @paths.get("/health", response_class=Response)
    async def health() -> Response:
        """Answer whether the service is up; 503 if its engines could not be loaded."""
        if background.failed:
            raise HTTPException(503, _NO_ENGINES)
        return Response("presidio-cdip is up", media_type="text/plain")

    @paths.post(
        "/analyze",
        **_json(
            {"text": _TEXT, "language": "en"},
            "a list of findings; of several texts, a list of lists",
        ),
    )
    async def analyze(request: Request) -> Response:
        """Find values in a text, or in each of a list of texts."""
        return await answered(request, lambda engines, body: engines.analyze(body))

    @paths.get("/recognizers")
    async def recognizers(language: str | None = None) -> list[str]:
        """List the names of the recognizers."""
        return await background.ask(background.texts, lambda one: one.recognizers(language))

    @paths.get("/supportedentities")
    async def supported_entities(language: str | None = None) -> list[str]:
        """List the entities that are found."""
        return await background.ask(background.texts, lambda one: one.supported_entities(language))

    @paths.post(
        "/anonymize",
        **_json(
            {"text": _TEXT, "analyzer_results": [_FINDING], "anonymizers": {}},
            "the text and its items",
        ),
    )
    async def anonymize(request: Request) -> Response:
        """Replace the findings in a text."""
        return await answered(request, lambda engines, body: engines.anonymize(body))

    @paths.post(
        "/deanonymize",
        **_json(
            {"text": "…", "anonymizer_results": [], "deanonymizers": {}}, "the text and its items"
        ),
    )
    async def deanonymize(request: Request) -> Response:
        """Restore the values in a text that were encrypted."""
        return await answered(request, lambda engines, body: engines.deanonymize(body))

    @paths.get("/anonymizers")
    async def anonymizers() -> list[str]:
        """List the operators that replace values."""
        return await background.ask(background.texts, lambda one: one.anonymizers())

    @paths.get("/deanonymizers")
    async def deanonymizers() -> list[str]:
        """List the operators that restore values."""
        return await background.ask(background.texts, lambda one: one.deanonymizers())

    @paths.post(
        "/redact",
        openapi_extra=_IMAGE,
        response_class=Response,
    )
    async def redact(request: Request) -> Response:
        """Replace the findings in an image, or fill them with a colour."""
        content: Any
        if _is_json(request):
            body = await request.body()
            content = await background.ask(background.images, lambda one: one.redact_json(body))
            return Response(content, media_type="application/octet-stream")
        async with request.form(max_files=1, max_fields=10) as form:
            upload, parameters = form.get("image"), form.get("data")
            data = await upload.read() if isinstance(upload, UploadFile) else b""
        if not data:
            raise HTTPException(422, "Invalid parameter, please add image data")
        given = parameters if isinstance(parameters, str) else None
        content = await background.ask(background.images, lambda one: one.redact_file(data, given))
        return Response(content, media_type="application/octet-stream")

    return paths


async def json_body(request: Request, most: int) -> bytes:
    """Return the body of a request that says it is JSON.

    Raises:
        HTTPException: It does not say so, or has more than *most* bytes.
    """
    if not _is_json(request):
        raise HTTPException(415, _NO_JSON)
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise HTTPException(413, f"a request in JSON has at most {most:,} bytes here")
    return bytes(body)


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def _json(example: object, meaning: str) -> dict[str, Any]:
    """Return the OpenAPI entry of a path that takes and gives JSON, as arguments of a route."""
    content = {"application/json": {"schema": {"type": "object"}, "example": example}}
    return {
        "openapi_extra": {"requestBody": {"required": True, "content": content}},
        "response_class": Response,
        "response_description": meaning,
    }


_IMAGE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["image"],
                    "properties": {
                        "image": {"type": "string", "format": "binary"},
                        "data": {"type": "string", "example": '{"color_fill": "0,0,0"}'},
                    },
                }
            },
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["image"],
                    "properties": {
                        "image": {"type": "string", "format": "byte"},
                        "analyzer_entities": {"type": "array", "items": {"type": "string"}},
                    },
                }
            },
        },
    }
}
