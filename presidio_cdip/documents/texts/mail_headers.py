"""Read the header fields of mail: encoded words, folded lines, file names."""

import base64
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from urllib.parse import quote, unquote_to_bytes

from presidio_cdip.documents.texts.encodings import ascii_of
from presidio_cdip.documents.texts.mime import Field
from presidio_cdip.documents.texts.sources import one_line, words
from presidio_cdip.documents.texts.values import Chain, Rewritable, Value, Whole

SIGNATURES = words(
    "dkim-signature domainkey-signature x-google-dkim-signature arc-seal "
    "arc-message-signature arc-authentication-results x-dkim x-ms-exchange-senderadcheck"
)
"""Fields that sign a message: they are void once it is changed."""

QUIET = words("mime-version content-transfer-encoding content-length lines content-language")
"""Fields that hold no text."""

WITH_PARAMETERS = words("content-type content-disposition")
"""Fields with parameters that are read by themselves."""

_PARAMETERS = words(
    "charset boundary format delsp type protocol micalg report-type method size start start-info "
    "component reply-type smime-type creation-date modification-date read-date access-type number "
    "total expiration permission"
)
WORD = r"=\?([\w.:+*-]+)\?([bBqQ])\?([^?\r\n]*)\?="
_WORDS = re.compile(rf"{WORD}(?:(?:[ \t]|\r?\n[ \t])+{WORD}){{0,50}}")
_FOLD = re.compile(r"\r?\n[ \t]+|[\x80-\xff]+")
_PARAMETER = re.compile(
    r"""[;\s]([\w.-]+?)(\*\d+)?(\*)?[ \t]*=[ \t]*("(?:[^"\\]|\\.|\\\r?\n)*"|[^;\s"]+)""", re.S
)
_QUOTED = re.compile(r"\\(.)", re.S)
_SUFFIX = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{2,5}$")
_LONGEST = 40  # bytes of an encoded word, before its encoding


def unfolded(text: Value) -> Rewritable:
    """Return the value of a field as a reader sees it."""
    members: list[Rewritable] = []
    at = 0
    for match in _WORDS.finditer(text.text):
        members.append(_plain(text, at, match.start()))
        start, end = text.starts[match.start()], text.ends[match.end() - 1]
        members.append(Whole(of_words(match[0]), start, end, encoded_words))
        at = match.end()
    members.append(_plain(text, at, len(text.text)))
    members = [one for one in members if one.text]
    return members[0] if len(members) == 1 else Chain(members)


def _plain(text: Value, start: int, end: int) -> Value:
    return text.decoded(_FOLD, _meaning, _written, start, end)


def _meaning(unit: str) -> str:
    """Return the text that a fold, or bytes beyond ASCII, stand for."""
    if unit[0] in "\r\n":
        return " "
    return unit.encode("latin-1").decode("utf-8", "presidio_cdip.bytewise")


def of_words(raw: str) -> str:
    """Return the text of encoded words of RFC 2047."""
    try:
        return str(make_header(decode_header(re.sub(r"\s+", " ", raw))))
    except (LookupError, UnicodeError, ValueError):
        return str(make_header([(raw.encode("ascii", "replace"), "ascii")]))


def _written(new: str) -> str:
    """Return *new* as it is written where no encoded word may stand for sure: in plain letters."""
    new = one_line(new)
    plain = ascii_of(new)
    return encoded_words(new) if plain.count("?") > new.count("?") else plain


def encoded_words(new: str) -> str:
    """Return *new* as encoded words of RFC 2047.

    >>> encoded_words("Jörg")
    '=?utf-8?b?SsO2cmc=?='
    """
    parts, part = [], b""
    for char in one_line(new):
        data = char.encode("utf-8", "replace")
        if len(part) + len(data) > _LONGEST:
            parts.append(part)
            part = b""
        part += data
    parts.append(part)
    return " ".join(f"=?utf-8?b?{base64.b64encode(one).decode()}?=" for one in parts if one)


def file_names(text: Value, field: Field) -> Iterator[tuple[str, Rewritable]]:
    """Yield the label and the text of each parameter that may be about somebody."""
    found: dict[str, list[tuple[int, Whole]]] = {}
    for match in _PARAMETER.finditer(text.text):
        name = match[1].lower()
        if name in _PARAMETERS:
            continue
        number = int(match[2][1:]) if match[2] and len(match[2]) < 9 else 0
        found.setdefault(name, []).append((number, _parameter(text, match)))
    for name, members in found.items():
        parts = [one for _, one in sorted(members, key=lambda item: item[0])]
        label = "file name" if name in ("name", "filename") else name
        if label == "file name":
            parts[-1] = _without_suffix(parts[-1])
        yield label, parts[0] if len(parts) == 1 else Chain(parts)


def _without_suffix(name: Whole) -> Whole:
    """Return a file name of which the suffix, which tells its format, cannot be changed."""
    match = _SUFFIX.search(name.text)
    if match is None:
        return name
    stem = name.text[: match.start()]
    return Whole(stem, name.start, name.end, lambda new: name.encode(new + match[0]))


def _parameter(text: Value, match: re.Match[str]) -> Whole:
    raw, begin = match[4], match.start(4)
    quoted = raw.startswith('"')
    inner = raw[1:-1] if quoted else raw
    start, end = text.starts[begin], text.ends[match.end(4) - 1]
    if match[3]:
        charset, sign, rest = inner.partition("''")
        if not sign:
            charset, rest = "utf-8", inner
        try:
            value = unquote_to_bytes(rest).decode(charset or "utf-8")
        except (LookupError, UnicodeError):
            value = unquote_to_bytes(rest).decode("utf-8", "presidio_cdip.bytewise")
        head = "utf-8''" if sign else ""
        return Whole(value, start, end, lambda new: head + quote(one_line(new), safe=""))
    inner = _QUOTED.sub(r"\1", inner)
    plain = of_words(inner) if _WORDS.search(inner) else _FOLD.sub(lambda m: _meaning(m[0]), inner)
    return Whole(plain, start, end, _in_quotes)


def _in_quotes(new: str) -> str:
    new = _written(new)
    return '"' + new.replace("\\", "\\\\").replace('"', '\\"') + '"'
