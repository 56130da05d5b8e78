"""Refuse requests that must not reach the service, and protect every answer: ASGI middlewares."""

import hmac
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from presidio_cdip.service.configuration import Configuration, is_loopback

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every answer, errors included."""

OPEN = frozenset({"/", "/health", "/docs", "/openapi.json"})
"""The paths that may be read without a token, beside those under `STATIC`: none shows a text."""

STATIC = "/static/"

_READING = frozenset({"GET", "HEAD"})
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::[0-9]+)?")


def problem(status: int, words: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the answer to a request that fails; *words* hold no text of a document."""
    return JSONResponse({"error": words}, status, dict(headers or {}))


def caller_of(scope: Scope) -> int:
    """Return the number of who sent the request: from 1 by tokens, 0 where there are none."""
    return int(scope.get("state", {}).get("caller", 0))


class Headed:
    """Put `HEADERS` on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, headed)


class Guard:
    """Let a request pass if its host, its origin and its token are right.

    * Host: a service that only this machine can reach is asked by this machine's names. A page of
      the web whose name was made to lead here (DNS rebinding) asks by its own.
    * Origin: a browser says which page sends a request. Of other pages than ours none passes but
      one that opens a page of ours; programs say nothing, and pass.
    * Token: where there are tokens, one is needed for all but `OPEN` and `STATIC`.
    """

    def __init__(self, app: ASGIApp, configuration: Configuration) -> None:
        self._app = app
        self._hosts = _hosts(configuration)
        self._tokens = [_digest(token) for token in configuration.tokens]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before its body is read."""
        refused = self._refused(scope) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    def _refused(self, scope: Scope) -> JSONResponse | None:
        headers, reading = Headers(scope=scope), scope["method"] in _READING
        host = headers.get("host", "")
        if self._hosts and _name(host) not in self._hosts:
            return problem(403, "this service does not have the name in the header Host")
        if not _is_of_our_page(headers, host, reading):
            return problem(403, "another page sent this request")
        path: str = scope["path"]
        if not self._tokens or (reading and (path in OPEN or path.startswith(STATIC))):
            return None
        caller = self._caller(headers.get("authorization", ""))
        if not caller:
            needed = {"WWW-Authenticate": "Bearer"}
            return problem(401, "a token is needed: Authorization: Bearer TOKEN", needed)
        scope.setdefault("state", {})["caller"] = caller
        return None

    def _caller(self, authorization: str) -> int:
        """Return the number of the token, or 0; the time it takes does not tell which is near."""
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            return 0
        given, caller = _digest(token.strip()), 0
        for number, digest in enumerate(self._tokens, 1):
            if hmac.compare_digest(given, digest):
                caller = number
        return caller


class BodyLimit:
    """Answer 413 to a body of more than *most* bytes, announced or not, without reading the rest.

    Args:
        app: What answers the others.
        most: Length of the longest body, in bytes.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what reads a body that is too long raises `HTTPException` 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self._most:
            await too_long(self._most)(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise HTTPException(413, _words(self._most), {"Connection": "close"})
            return message

        await self._app(scope, counted, send)


def too_long(most: int) -> JSONResponse:
    """Return the answer to a body of more than *most* bytes."""
    return problem(413, _words(most), {"Connection": "close"})


def _words(most: int) -> str:
    return f"the request has more than {most:,} bytes"


def _hosts(configuration: Configuration) -> frozenset[str]:
    """Return the names that the service may be called by; empty for any."""
    names: Sequence[str] = configuration.public_names
    if not names and not is_loopback(configuration.host):
        return frozenset()
    own = ("localhost", "127.0.0.1", "::1", configuration.host, *names)
    return frozenset(name.lower() for name in own)


def _name(host: str) -> str:
    """Return the name in a header Host, without port and brackets; "" where there is none.

    >>> [_name(host) for host in ("LocalHost:8765", "[::1]:8765", "127.0.0.1", "a@localhost", "")]
    ['localhost', '::1', '127.0.0.1', '', '']
    """
    found = _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower() if found else ""


def _is_of_our_page(headers: Headers, host: str, reading: bool) -> bool:
    """Return whether no page of another origin sent the request, as far as a browser says so."""
    site = headers.get("sec-fetch-site", "none")
    if site not in ("none", "same-origin"):
        return reading and headers.get("sec-fetch-mode") == "navigate"
    origin = headers.get("origin")
    return origin is None or _netloc(origin) == host.lower()


def _netloc(origin: str) -> str:
    scheme, _, netloc = origin.lower().partition("://")
    return netloc if scheme in ("http", "https") else ""


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()
