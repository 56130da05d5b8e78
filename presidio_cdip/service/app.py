"""Build the service: Presidio's paths, documents, the page, and their protection."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from presidio_cdip.documents.marks import STYLE
from presidio_cdip.service import documents_api, presidio_api
from presidio_cdip.service.configuration import Configuration
from presidio_cdip.service.jobs import Jobs, Options
from presidio_cdip.service.observing import Metrics, Observed
from presidio_cdip.service.operations import page_of
from presidio_cdip.service.options import Available
from presidio_cdip.service.security import BodyLimit, Guard, Headed, caller_of, problem
from presidio_cdip.version import __version__

STATIC = Path(__file__).with_name("static")


def create_app(configuration: Configuration) -> FastAPI:
    """Return the service as an ASGI application.

    Raises:
        CdipError: The pack or the key cannot be used.
    """
    metrics = Metrics()
    background = presidio_api.BackgroundEngines(configuration)
    metrics.gauge("texts_pending", "Calls that run and wait.", lambda: background.texts.pending)
    metrics.gauge("images_pending", "Calls that run and wait.", lambda: background.images.pending)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        """Begin to load the engines, and drop what waits for them in the end."""
        background.start()
        try:
            yield
        finally:
            background.close()

    app = FastAPI(
        title="presidio-cdip",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        middleware=[
            Middleware(Headed),
            Middleware(Observed, metrics=metrics, log_requests=configuration.log_requests),
            Middleware(Guard, configuration=configuration),
            Middleware(BodyLimit, most=configuration.max_bytes),
        ],
    )
    app.state.metrics = metrics
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.include_router(presidio_api.router(background, configuration.max_json_bytes))
    jobs = Jobs(_options(configuration))
    available = Available(None, configuration.max_bytes, configuration.scope or "")
    app.include_router(
        documents_api.router(jobs, available, lambda request: caller_of(request.scope))
    )
    metrics.gauge("documents", "Documents that are held.", lambda: jobs.held)
    metrics.gauge("documents_pending", "Tasks of documents that wait.", lambda: jobs.waiting)
    _add_pages(app)
    if configuration.metrics:
        _add_metrics(app, metrics)
    return app


def _options(configuration: Configuration) -> Options:
    return Options(
        key=configuration.key,
        workers=configuration.documents,
        timeout=configuration.timeout,
        memory=configuration.memory,
        expiry=configuration.expiry,
        threads=max(1, (os.cpu_count() or 1) // configuration.documents),
    )


def _add_pages(app: FastAPI) -> None:
    """Add the pages for a browser: the review page, and the list of all operations."""

    @app.get("/", include_in_schema=False)
    async def index() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(app.openapi())

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return Response(page_of(app.openapi()), media_type="text/html")

    @app.get("/static/marks.css", include_in_schema=False)
    async def marks() -> FileResponse:
        return FileResponse(STYLE)

    app.mount("/static", StaticFiles(directory=STATIC))


def _add_metrics(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def show() -> PlainTextResponse:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")


async def _http_problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, error.detail, error.headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """Answer with the names of the wrong parameters, without their values."""
    assert isinstance(error, RequestValidationError)
    places = {".".join(map(str, one["loc"][:2])) for one in error.errors()}
    return problem(422, f"not valid: {', '.join(sorted(places))}")
