"""Read the texts in scripts and style sheets: string literals and comments."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from presidio_cdip.documents.texts.json_scan import is_identifier, label_of
from presidio_cdip.documents.texts.sources import SourceDocument
from presidio_cdip.documents.texts.values import Value

SCRIPT, STYLE = "script", "style"

_REGEX = r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,300}+/"
_STRING = r"\"(?:[^\"\\\r\n]|\\.)*+(?:\"|)|'(?:[^'\\\r\n]|\\.)*+(?:'|)"  # to the end of its line
_TOKENS = {
    SCRIPT: re.compile(
        rf"(//[^\r\n]*+|/\*.*?(?:\*/|\Z))|({_STRING}|`(?:[^`\\]|\\.)*+(?:`|))|({_REGEX})"
        r"|([\w$]++|\S)",
        re.S,
    ),
    STYLE: re.compile(rf"(/\*.*?(?:\*/|\Z))|({_STRING})|((?!))|([\w-]++|\S)", re.S),
}
_ESCAPES = {
    SCRIPT: re.compile(r"\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.S),
    STYLE: re.compile(r"\\(?:[0-9a-fA-F]{1,6}[ \t\r\n]?|\r\n|.)", re.S),
}
_PLAIN = re.compile(r"(?!)")
_FILLED = re.compile(r"\$\{[^{}]{0,300}\}")
_BEFORE_REGEX = frozenset(["", *"(,=:[!&|?{};+-*%<>~^", "return", "typeof", "case", "in", "of"])
_NAMED = re.compile(r"([A-Za-z_$][\w$-]*)[\"']?\s*[:=]\s*\Z")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0",
            "\n": "", "\r": "", "\r\n": ""}  # fmt: skip
_TEXT = re.compile(r"[A-Z][a-z]{2}|\d{3}|@|\w\s+\w")


class Stretch(NamedTuple):
    """A text in code: where it begins and ends, its quotation mark, and what names it."""

    start: int
    end: int
    quote: str
    name: str = ""


def stretches(text: str, kind: str) -> Iterator[Stretch]:
    """Yield the texts in code of a *kind*: strings, pieces of templates, comments.

    >>> [(text := "a = 'Ann' // b")[one.start : one.end] for one in stretches(text, SCRIPT)]
    ['Ann', ' b']
    """
    tokens, before, at = _TOKENS[kind], "", 0
    while match := tokens.search(text, at):
        start, at = match.span()
        if match[1]:
            yield Stretch(start + 2, at - 2 if match[1].endswith("*/") else at, "")
            continue
        if match[3] and before not in _BEFORE_REGEX:
            before, at = "/", start + 1  # a division
            continue
        before = match[4] or "a"
        if match[2]:
            named = _NAMED.search(text, max(0, start - 60), start)
            yield from _pieces(text, start, at, named[1] if named else "")


def _pieces(text: str, start: int, end: int, name: str) -> Iterator[Stretch]:
    quote, at = text[start], start + 1
    if end - start > 1 and text[end - 1] == quote:
        end -= 1
    if quote == "`":
        for match in _FILLED.finditer(text, start + 1, end):
            yield Stretch(at, match.start(), quote)
            at = match.end()
    yield Stretch(at, end, quote, name)


def add_code(document: SourceDocument, code: Value, where: str, kind: str) -> None:
    """Add the texts in a script or a style sheet to *document*.

    Args:
        document: What they are added to.
        code: The script or style sheet.
        where: Where it stands.
        kind: `SCRIPT` or `STYLE`.
    """
    for one in stretches(code.text, kind):
        if not _TEXT.search(code.text, one.start, one.end):
            continue
        units = _ESCAPES[kind] if one.quote else _PLAIN

        def encode(new: str, quote: str = one.quote) -> str:
            return code.encode(_written(new, quote, kind))

        value = code.decoded(units, _meaning if kind == SCRIPT else _meaning_in_style, encode,
                             one.start, one.end)  # fmt: skip
        label = label_of((one.name,)) if one.name and is_identifier(one.name) else ""
        if value.text.strip():
            document.add(value, where, label, "\n\n")


def _meaning(escape: str) -> str:
    if escape[1] in "ux" and len(escape) > 2:
        return chr(min(int(escape[2:].strip("{}"), 16), 0x10FFFF))
    return _LETTERS.get(escape[1:], escape[1:])


def _meaning_in_style(escape: str) -> str:
    try:
        return chr(min(int(escape[1:], 16), 0x10FFFF))
    except ValueError:
        return _LETTERS.get(escape[1:], escape[1:]) if escape[1] in "\r\n" else escape[1:]


def _written(new: str, quote: str, kind: str) -> str:
    """Return how *new* is written in code."""
    if not quote:
        return " ".join(new.split()).replace("*/", "* /").replace("</", "< /")
    if kind == STYLE:
        new = " ".join(new.split()).replace("\\", "\\\\")
        return new.replace(quote, f"\\{quote}").replace("</", "<\\/")
    new = json.dumps(new, ensure_ascii=False)[1:-1].replace('\\"', '"')
    return new.replace(quote, f"\\{quote}").replace("${", "\\${").replace("</", "<\\/")
