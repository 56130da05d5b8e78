"""Define the options that a service is started with."""

import ipaddress
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from presidio_cdip.errors import InvalidOption
from presidio_cdip.surrogates.keys import Key

SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The options of a service; none of them is changed while it runs.

    Attributes:
        host: The address that it listens on.
        port: The port; with 0 the system chooses one.
        public_names: Names in URLs under which callers reach it through a proxy.
        tokens: One for each caller; a caller's number is the place in here, from 1. Without any,
            everybody who reaches the service is caller 0.
        max_bytes: Length of the longest request.
        max_json_bytes: Length of the longest request that is JSON, except for page images.
        max_waiting: How many requests to Presidio's paths are worked on or wait, of texts and of
            page images each; more are answered with 503.
        workers: How many texts are analyzed at a time.
        documents: How many documents are worked on at a time, each in a process of its own.
        timeout: Seconds that may pass while a document is read or written.
        memory: Bytes of address space of a process that works on documents; 0 for no limit.
        expiry: Seconds after which a document that nobody asked for is removed.
        key: The key that surrogates are drawn by; None for that of ``PRESIDIO_CDIP_KEY_FILE``,
            else a random one of each process.
        scope: The scope that all documents share; None for one for each document.
        names: Whether Presidio's paths find names of persons, organizations and places, too.
        extras: Whether they find what `presidio_cdip.analyzer(extras=True)` does.
        metrics: Whether ``/metrics`` is there.
        log_requests: Whether a line is logged for each request; errors always are.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    public_names: Sequence[str] = ()
    tokens: Sequence[str] = field(default=(), repr=False)
    max_bytes: int = 100_000_000
    max_json_bytes: int = 10_000_000
    max_waiting: int = 500
    workers: int = 1
    documents: int = 1
    timeout: float = 600
    memory: int = 4 << 30
    expiry: float = 3600
    key: Key | None = field(default=None, repr=False)
    scope: str | None = None
    names: bool = False
    extras: bool = False
    metrics: bool = False
    log_requests: bool = True

    @property
    def is_local(self) -> bool:
        """Return whether nobody outside this machine can reach it."""
        return is_loopback(self.host) and not self.public_names


def is_loopback(host: str) -> bool:
    """Return whether *host*, a name or an address, is this machine for itself alone.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def new_token() -> str:
    """Draw a token of 256 random bits."""
    return secrets.token_urlsafe(32)


def read_tokens(file: Path) -> tuple[str, ...]:
    """Return the tokens in *file*: one a line; blank lines and those with ``#`` first are comments.

    Raises:
        InvalidOption: The file cannot be read, has no token or the same twice, or one is too
            short or is not of printable ASCII characters without blanks. No message shows one.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InvalidOption(f"{file}: the file of tokens cannot be read") from None
    stripped = ((number, line.strip()) for number, line in enumerate(lines, 1))
    tokens: list[str] = []
    for number, token in stripped:
        if not token or token.startswith("#"):
            continue
        if len(token) < SHORTEST_TOKEN or not all("!" <= char <= "~" for char in token):
            raise InvalidOption(
                f"{file}, line {number}: a token has at least {SHORTEST_TOKEN} ASCII letters, "
                "digits and signs, and no blanks"
            )
        if token in tokens:
            raise InvalidOption(f"{file}, line {number}: this token stands there twice")
        tokens.append(token)
    if not tokens:
        raise InvalidOption(f"{file}: there is no token in it")
    return tuple(tokens)
