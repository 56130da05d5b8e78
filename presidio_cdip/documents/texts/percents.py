"""Read and write text in which percent signs stand for characters, as in addresses of the web."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from presidio_cdip.documents.texts.values import Chain, Encode, Rewritable, Value

_NEXT = "%[89ABab][0-9A-Fa-f]"
PERCENT = re.compile(
    f"%[Ff][0-4](?:{_NEXT}){{3}}|%[Ee][0-9A-Fa-f](?:{_NEXT}){{2}}|%[CDcd][0-9A-Fa-f]{_NEXT}"
    "|%[0-9A-Fa-f]{2}"
)
"""Matches what stands for one character."""

_BOUNDS = re.compile(r"[\s\"'<>]")
_BREAKS = re.compile(r"[\r\n]+")


def of_percents(signs: str) -> str:
    """Return the character that percent signs with their digits stand for."""
    return bytes.fromhex(signs.replace("%", "")).decode("utf-8", "presidio_cdip.bytewise")


def unquoted(value: Value) -> Rewritable:
    """Return *value* as it reads without percent signs; new text within an address gets them."""
    members: list[Rewritable] = []
    at = 0
    for start, end in _addresses(value.text):
        members += [value.stretch(at, start)] if at < start else []
        members.append(value.decoded(PERCENT, of_percents, _encoder(value), start, end))
        at = end
    if not members:
        return value
    members += [value.stretch(at, len(value.text))] if at < len(value.text) else []
    return members[0] if len(members) == 1 else Chain(members)


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches without a blank in which percent signs stand for characters."""
    at = 0
    while match := PERCENT.search(text, at):
        bounds = [one.end() for one in _BOUNDS.finditer(text, at, match.start())]
        behind = _BOUNDS.search(text, match.end())
        start, at = bounds[-1] if bounds else at, behind.start() if behind else len(text)
        yield start, at


def _encoder(value: Value) -> Encode:
    def encode(new: str) -> str:
        return value.encode(quote(_BREAKS.sub(" ", new), safe="@-._~:/"))

    return encode
