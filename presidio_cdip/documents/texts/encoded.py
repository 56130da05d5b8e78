"""Find what stands encoded in a text that is read as it is: base64, uuencode, escapes.

Formats open what they know: strings of JSON in base64, percent signs in addresses. What is left in
the text afterwards is looked for here, in all formats alike, so that it does not pass as clean.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import NamedTuple

from presidio_cdip.documents.segments import Note, Place
from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.mail_headers import WORD, of_words
from presidio_cdip.documents.texts.percents import PERCENT, of_percents
from presidio_cdip.recognition.spans import Span

PACKED = "text or a file in base64, uuencode or hexadecimal digits"
ESCAPED = "text in escapes (percent signs, entities and others) in which something is found"

_RUN = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{15,}+={0,2}")
_SHORTEST = 16  # characters of base64: eleven bytes, which are printable in one of 60,000 words
_MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])")
_FEW = 5  # different characters of a run, at least
_WORDS = re.compile(rb"[\t\r\n -~]{16}|(?:[ -~]\0){8}|(?:\0[ -~]){8}")
_PRINTABLE = re.compile(rb"[\t\r\n -~]+")
_DEFLATED = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_HEX = re.compile(r"(?<![A-Za-z0-9])(?:0x)?((?:[0-9a-fA-F]{2}){16,}+)(?![A-Za-z0-9])")
_HEX_LETTER = re.compile("[a-fA-F]")
_ARMOUR = re.compile(
    r"^begin [0-7]{3,4} \S[^\r\n]*+\s++[!-`][ -`]+$"  # uuencode
    r"|^(?:M[ -`]{60}\s*\n){2}"
    r"|^=ybegin [^\r\n]*line="
    r"|^\(This file must be converted with BinHex",
    re.M,
)
_BLOCK = re.compile(
    r"^[A-Za-z0-9+/]{200,}={0,2}$|^(?:[A-Za-z0-9+/]{60,76}\r?\n){3,}[A-Za-z0-9+/]*={0,2}", re.M
)
_NEXT = re.compile(r"[\s>|]{0,8}")  # between the lines of one block
_TRIPLE = 4  # characters of base64 that are three bytes

_UNITS = (
    rf"(?P<percent>{PERCENT.pattern})"
    rf"|(?P<word>{WORD}(?:\s+{WORD})*)"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<escape>(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\'[0-9a-fA-F]{2})++)"
)
_QUOTED = r"|(?P<quoted>(?:=[0-9A-F]{2})++|=\r?\n)"
_USUAL, _ALL = re.compile(_UNITS), re.compile(_UNITS + _QUOTED)
_SOFT_BREAK = re.compile(r"[^\s=]=\r?\n\S|quoted-printable", re.I)  # else = parts names and values
_HEX_DIGITS = re.compile("[0-9a-fA-F]{2,4}")
_ONE = re.compile("%[0-9A-Fa-f]{2}")
_LENGTH = 3  # of a percent sign with its digits
_NEAR = 200  # characters beside an escape that are read with it


class Encoded(NamedTuple):
    """A stretch of a text that stands for something else.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        what: What it is, for a report.
    """

    start: int
    end: int
    what: str


def encoded_in(
    text: str, spans: Sequence[Span], find: Callable[[str], list[Span]]
) -> Iterator[Encoded]:
    """Yield what stands encoded in a text, and was not read.

    Args:
        text: The text.
        spans: What was found in it as it is.
        find: Finds values in a text. Escapes count only if it finds one in what they stand for.
    """
    yield from packed_in(text)
    yield from escaped_in(text, spans, find)


def notes_of(
    text: str, spans: Sequence[Span], find: Callable[[str], list[Span]], place: Place
) -> list[Note]:
    """Return a note for each kind of encoded content of a plain text, as `encoded_in` finds it."""
    return [Note(place, what) for what in dict.fromkeys(
        one.what for one in encoded_in(text, spans, find)
    )]  # fmt: skip


def packed_in(text: str) -> Iterator[Encoded]:
    """Yield files and texts in base64, uuencode or hexadecimal digits, each block as one.

    >>> [text[one.start : one.end] for text in ["id NDEyLTczLTkwNTE= x"] for one in packed_in(text)]
    ['NDEyLTczLTkwNTE=']
    """
    last: tuple[int, int] | None = None
    for start, end in sorted(_packed(text)):
        if last and (start <= last[1] or _NEXT.fullmatch(text, last[1], start)):
            last = last[0], max(last[1], end)
            continue
        if last:
            yield Encoded(*last, PACKED)
        last = start, end
    if last:
        yield Encoded(*last, PACKED)


def _packed(text: str) -> Iterator[tuple[int, int]]:
    for one in data_uris.in_addresses(text):
        if one.start < one.end and one.encode is not data_uris.in_percents:
            yield one.address, one.end
    for match in _RUN.finditer(text):
        if _is_packed(match[0]):
            yield match.span()
    for match in _HEX.finditer(text):
        digits = match[1]
        if _HEX_LETTER.search(digits) and _WORDS.search(bytes.fromhex(digits)):
            yield match.span()
    for match in _ARMOUR.finditer(text):
        yield match.span()
    for match in _BLOCK.finditer(text):
        if data_uris.bare(match[0]) is not None or data_uris.may_hide(match[0]):
            yield match.span()


def _is_packed(run: str) -> bool:
    """Return whether a word is base64 of a text, of a known kind of file, or of packed data."""
    if not _MIXED.match(run) or len(set(run)) < _FEW or len(run) < _SHORTEST:
        return False
    data = data_uris.decoded(run.encode("ascii"))
    if data is not None and (
        _PRINTABLE.fullmatch(data) or data_uris.bare(run) is not None or _is_deflated(data)
    ):
        return True
    core = run.rstrip("=")
    for phase in range(_TRIPLE):  # what stands before it may be glued to it
        part = core[phase:]
        data = data_uris.decoded(part[: len(part) // _TRIPLE * _TRIPLE].encode("ascii"))
        if data is not None and _WORDS.search(data):
            return True
    return False


def _is_deflated(data: bytes) -> bool:
    if not data.startswith(_DEFLATED):
        return False
    try:
        return bool(zlib.decompressobj().decompress(data, 64))
    except zlib.error:
        return False


def escaped_in(
    text: str, spans: Sequence[Span], find: Callable[[str], list[Span]]
) -> Iterator[Encoded]:
    """Yield escapes in which *find* finds what it does not find in the text as it is.

    Args:
        text: The text.
        spans: What was found in it as it is.
        find: Finds values in a text.
    """
    units = _ALL if _SOFT_BREAK.search(text) else _USUAL
    windows = list(_windows(text, units))
    if not windows:
        return
    parts: list[str] = []
    places: list[tuple[int, bool]] = []  # of each character, and whether it stands in an escape
    for start, end in windows:
        is_joined = False  # to what stands before by an escape that stands for nothing
        for part, at, is_escape in _meanings(text, start, end, units):
            parts.append(part)
            if is_escape:
                places += [(at, True)] * len(part)
                is_joined = not part
            elif part:
                places += [(at, is_joined), *((at + n, False) for n in range(1, len(part)))]
                is_joined = False
        parts.append("\n\n")
        places += [(end, False)] * 2
    plain = "".join(parts)
    known = iter(sorted((one.start, one.end) for one in spans))
    begin, stop = next(known, (len(text), len(text)))
    for span in find(plain):
        if not any(escape for _, escape in _word(plain, places, span)):
            continue
        for number in range(span.start, span.end):
            at = places[number][0]
            while stop <= at:
                begin, stop = next(known, (len(text), len(text) + 1))
            if plain[number].isalnum() and at < begin:
                yield Encoded(places[span.start][0], places[span.end - 1][0] + 1, ESCAPED)
                break


def _word(plain: str, places: Sequence[tuple[int, bool]], span: Span) -> Sequence[tuple[int, bool]]:
    """Return the places of a span, and of what stands beside it without a blank in the source."""
    start, end = span.start, span.end
    while start and (places[start - 1][1] or not plain[start - 1].isspace()):
        start -= 1
    while end < len(places) and (places[end][1] or not plain[end].isspace()):
        end += 1
    return places[start:end]


def _windows(text: str, units: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines in which escapes stand, with what stands near them."""
    last: tuple[int, int] | None = None
    for match in units.finditer(text):
        start, end = match.span()
        start = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
        line = text.find("\n", end)
        end = min(line if line >= 0 else len(text), end + _NEAR)
        if last and start <= last[1] + 1:
            last = last[0], max(end, last[1])
            continue
        if last:
            yield last
        last = start, end
    if last:
        yield last


def _meanings(
    text: str, start: int, end: int, units: re.Pattern[str]
) -> Iterator[tuple[str, int, bool]]:
    """Yield the pieces of a stretch as they read, where they stand, and whether as escapes."""
    at = start
    for match in units.finditer(text, start, end):
        yield text[at : match.start()], at, False
        yield _meaning(match), match.start(), True
        at = match.end()
    yield text[at:end], at, False


def _meaning(match: re.Match[str]) -> str:
    unit = match[0]
    if match["percent"]:
        return of_percents(unit)
    if match["entity"]:
        return unescape(unit)
    if match["word"]:
        return of_words(unit)
    if unit[0] == "=":
        return "" if unit[1] in "\r\n" else of_percents(unit.replace("=", "%"))
    digits = _HEX_DIGITS.findall(unit.replace("\\u", " ").replace("\\x", " ").replace("\\'", " "))
    units = b"".join(int(one, 16).to_bytes(2, "big") for one in digits)
    return units.decode("utf-16-be", "replace")


def beside_percents(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield *spans*, without the digits of percent signs at their ends.

    >>> text = "No%20412-73-9051"
    >>> [text[one.start : one.end] for one in beside_percents(text, [Span(3, 16, "", 1, "")])]
    ['412-73-9051']
    """
    for span in spans:
        starts = (span.start - back for back in (2, 1) if span.start >= back)
        start = next((at + _LENGTH for at in starts if _ONE.match(text, at)), span.start)
        ends = (span.end - back for back in (2, 1) if span.end >= back)
        end = next((at for at in ends if _ONE.match(text, at)), span.end)
        if (start, end) == (span.start, span.end):
            yield span
        elif start < end:
            yield replace(span, start=start, end=end)
