"""Serve the review page, documents and Presidio's REST contracts over HTTP: the command `serve`."""

import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import KEY, MODEL, PACK, SCOPE, key_in
from presidio_cdip.cli.printing import emit
from presidio_cdip.errors import ExitCode, InvalidOption, MissingDependency

if TYPE_CHECKING:
    from fastapi import FastAPI

_GRACE = 10  # seconds that requests have to end


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. All but this machine's own need tokens; without a file of "
    "tokens, one is drawn and printed.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option(
    "--public-name",
    "public_names",
    multiple=True,
    metavar="NAME",
    help="Name of the service in the URLs of a proxy in front of it; may be given several times.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    envvar="PRESIDIO_CDIP_TOKENS_FILE",
    help="File with a token a line, one for each caller  [default: $PRESIDIO_CDIP_TOKENS_FILE]",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@PACK
@MODEL
@KEY
@SCOPE
@click.option("--names", is_flag=True, help="Over REST, also find names, as in `analyze`.")
@click.option("--extras", is_flag=True, help="Over REST, also find extras, as in `analyze`.")
@click.option(
    "--max-megabytes",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Refuse longer requests.",
)
@click.option(
    "--max-waiting",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Answer 503 while this many requests to Presidio's paths wait.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    help="Documents, and texts over REST, that are treated at a time  [default: all cores]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=600,
    show_default=True,
    help="Seconds after which reading or writing a document is given up.",
)
@click.option(
    "--max-memory",
    type=click.FloatRange(0),
    default=4,
    show_default=True,
    help="Gigabytes of address space that a document, pack and model may take; 0 for no limit.",
)
@click.option(
    "--expiry",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    help="Minutes after which a document that nobody asks for is removed.",
)
@click.option("--metrics", is_flag=True, help="Give counts for Prometheus at /metrics.")
def serve(
    host: str,
    port: int,
    token_file: Path | None,
    no_browser: bool,
    pack: Path | None,
    model: str | None,
    key_file: Path | None,
    max_megabytes: int,
    jobs: int | None,
    max_memory: float,
    expiry: float,
    **options: Any,
) -> int:
    """Serve the review page, documents and Presidio's REST paths until Ctrl-C.

    Nothing leaves this machine. The log holds no text of a document.
    """
    try:
        from presidio_cdip.service.app import create_app
        from presidio_cdip.service.configuration import Configuration, new_token, read_tokens
        from presidio_cdip.service.observing import configure_logging, event
        from presidio_cdip.surrogates.keys import random_key
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}", 'pip install "presidio-cdip[service]"'
        ) from None
    _set_defaults(pack, model)
    tokens = read_tokens(token_file) if token_file else ()
    at_a_time = jobs or os.cpu_count() or 1
    configuration = Configuration(
        host=host,
        port=port,
        tokens=tokens,
        key=key_in(key_file) or random_key(),
        max_bytes=max_megabytes * 1_000_000,
        memory=int(max_memory * (1 << 30)),
        expiry=expiry * 60,
        log_requests=not sys.stderr.isatty(),
        workers=at_a_time,
        documents=at_a_time,
        **options,
    )
    if not (tokens or configuration.is_local):
        configuration = replace(configuration, tokens=[new_token()])
    listening = _listening(host, port)
    address = _address(host, listening.getsockname()[1])

    def ready() -> None:
        emit(f"presidio-cdip is at {address}; Ctrl-C ends it")
        if not tokens and configuration.tokens:
            emit(f"token: {configuration.tokens[0]}")
        sys.stdout.flush()
        if not no_browser and configuration.is_local and _has_display():
            Thread(target=webbrowser.open, args=[address], daemon=True).start()

    configure_logging()
    if key_file is None:
        event("no key was given: a random one serves until this service ends")
    _run(create_app(configuration), listening, ready)
    return ExitCode.NOTHING_FOUND


def _set_defaults(pack: Path | None, model: str | None) -> None:
    """Make *pack* and *model* the defaults of this process and of those that it starts.

    They are set as environment variables, since a request to Presidio's paths names neither.

    Raises:
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
    """
    from presidio_cdip.pack.pack import PACK_VARIABLE, Pack
    from presidio_cdip.recognition.finder import model_at
    from presidio_cdip.recognition.transformer import MODEL_VARIABLE

    if pack:
        os.environ[PACK_VARIABLE] = Pack.open(pack).overlay or ""
    if model:
        os.environ[MODEL_VARIABLE] = str(Path(model).absolute()) if model_at(model) else model


def _run(app: "FastAPI", listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve *app* until SIGINT or SIGTERM, which is raised again when all has ended.

    Args:
        app: What answers.
        listening: Where callers are heard.
        ready: Called when *app* answers.
    """
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    options = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http="h11",
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=_GRACE,
    )
    Server(options).run([listening])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        InvalidOption: Another program listens there, or there is no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = (error.strerror or "").partition(" (")[0]  # Python's addition repeats the address
        raise InvalidOption(
            f"nothing can be served at {host}, port {port} ({reason}): "
            "name others by --host and --port"
        ) from None


def _address(host: str, port: int) -> str:
    """Return the URL of the page, as this machine's browser has it.

    >>> _address("0.0.0.0", 80), _address("::1", 80)
    ('http://localhost:80', 'http://[::1]:80')
    """
    name = "localhost" if host in ("0.0.0.0", "::", "") else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _has_display() -> bool:
    """Return whether a browser opens in a window; elsewhere one would take the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
