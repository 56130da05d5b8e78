"""Read the texts in scripts and style sheets: literals and comments."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.json_scan import is_identifier, label_of
from presidio_cdip.documents.texts.sources import SourceDocument, words
from presidio_cdip.documents.texts.structured import NUMBERED, add_files
from presidio_cdip.documents.texts.values import Value, Whole

SCRIPT, STYLE = "script", "style"

_REGEX = r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,300}+/"
_STRING = r"\"(?:[^\"\\\r\n]|\\.)*+(?:\"|)|'(?:[^'\\\r\n]|\\.)*+(?:'|)"  # to the end of its line
_TOKENS = {
    SCRIPT: re.compile(
        rf"((?://|<!--)[^\r\n]*+|/\*.*?(?:\*/|\Z))|({_STRING})|({_REGEX})"
        r"|(\d[\d._]*+(?:-\d[\d._]*+)*+n?+(?![\w$]))|([\w$]++|\S)",
        re.S,
    ),
    STYLE: re.compile(rf"(/\*.*?(?:\*/|\Z))|({_STRING})|((?!))|((?!))|([\w-]++|\S)", re.S),
}
_TEMPLATE = re.compile(r"((?:[^`\\$]|\\.?|\$(?!\{))*+)(`|\$\{|)", re.S)
_ESCAPES = {
    SCRIPT: re.compile(r"\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.S),
    STYLE: re.compile(r"\\(?:[0-9a-fA-F]{1,6}[ \t\r\n]?|\r\n|.)", re.S),
}
_PLAIN = re.compile(r"(?!)")
_BEFORE_REGEX = frozenset(["", *"(,=:[!&|?{};+-*%<>~^", "return", "typeof", "case", "in", "of"])
_NAMED = re.compile(r"([A-Za-z_$][\w$-]*)[\"']?\]?\s*[:=]\s*\Z")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0",
            "\n": "", "\r": "", "\r\n": ""}  # fmt: skip
_TEXT = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W\d_]|\d{3}|@|\w\s+\w")
_MARK = "'"  # of a string in the place of a number
_NAMES = re.compile(r"(?<![\w$.])[A-Z][a-z]++ [A-Z][a-z]")  # no code looks like this
_OUTSIDE = "words in a script that stand in no string"
_DIGITS = 7  # of a number that may be one of a person
_NAMING = NUMBERED | words("name surname forename")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class Stretch(NamedTuple):
    """A text in code: where it begins and ends, its quotation mark, and what names it.

    Attributes:
        start: Where it begins, behind its quotation mark.
        end: Where it ends.
        quote: Its quotation mark; "" of a comment, "0" of a number.
        name: The variable or member that it is the value of; "" if there is none.
    """

    start: int
    end: int
    quote: str
    name: str = ""


class _Hole(NamedTuple):
    """A ``${…}`` that is open: the name of its template, and the braces that are open in it."""

    name: str
    braces: int = 0


def stretches(text: str, kind: str) -> Iterator[Stretch]:
    """Yield the texts in code of a *kind*: strings, pieces of templates, numbers, comments.

    >>> code = "a = 'Ann' // b"
    >>> [code[one.start : one.end] for one in stretches(code, SCRIPT)]
    ['Ann', ' b']
    """
    tokens, before, at = _TOKENS[kind], "", 0
    holes: list[_Hole] = []
    while match := tokens.search(text, at):
        start, at = match.span()
        if match[1]:
            yield Stretch(start + 2, at - 2 if match[1].endswith("*/") else at, "")
            continue
        if match[3] and before not in _BEFORE_REGEX:
            before, at = "/", start + 1  # a division
            continue
        before = match[5] or "a"
        if match[2]:
            closed = at - start > 1 and text[at - 1] == text[start]
            yield Stretch(start + 1, at - closed, text[start], _name(text, start))
        elif match[4]:
            yield Stretch(start, at, "0", _name(text, start))
        elif before == "`" and kind == SCRIPT:
            holes.append(_Hole(_name(text, start)))
        elif holes and before in "{}":
            name, braces = holes[-1]
            holes[-1] = _Hole(name, braces + (1 if before == "{" else -1))
        if holes and (before == "`" or holes[-1].braces < 0):
            name = holes.pop().name
            piece = _TEMPLATE.match(text, at)
            if piece is not None:
                yield Stretch(*piece.span(1), "`", name)
                at = piece.end()
                if piece[2] == "${":
                    holes.append(_Hole(name))
                before = "{" if piece[2] == "${" else "a"


def _name(text: str, start: int) -> str:
    """Return the name of the value that begins at *start*."""
    named = _NAMED.search(text, max(0, start - 60), start)
    return named[1] if named else ""


def add_code(document: SourceDocument, code: Value, where: str, kind: str) -> None:
    """Add the texts in a script or a style sheet to *document*.

    Args:
        document: What they are added to.
        code: The script or style sheet.
        where: Where it stands.
        kind: `SCRIPT` or `STYLE`.
    """
    at = 0
    for one in stretches(code.text, kind):
        if kind == SCRIPT and _NAMES.search(code.text, at, one.start):
            document.note_unread(where, _OUTSIDE)
        at = one.end
        label = label_of((one.name,)) if one.name and is_identifier(one.name) else ""
        if one.quote == "0":
            _add_number(document, code, one, where, label)
            continue
        if not _TEXT.search(code.text, one.start, one.end) and (
            not one.quote or _NAMING.isdisjoint(label.split())
        ):
            continue
        units = _ESCAPES[kind] if one.quote else _PLAIN

        def encode(new: str, quote: str = one.quote) -> str:
            return code.encode(_written(new, quote, kind))

        value = code.decoded(units, _meaning if kind == SCRIPT else _meaning_in_style, encode,
                             one.start, one.end)  # fmt: skip
        hidden = data_uris.in_addresses(value.text) if kind == SCRIPT else ()
        for stretch in add_files(document, value, hidden, where):
            if stretch.text.strip():
                document.add(stretch, where, label, "\n\n")

    if kind == SCRIPT and _NAMES.search(code.text, at):
        document.note_unread(where, _OUTSIDE)


def _add_number(
    document: SourceDocument, code: Value, one: Stretch, where: str, label: str
) -> None:
    """Add a number that is long, or the value of what a person has; other text becomes a string."""
    text = code.text[one.start : one.end]
    if sum(map(str.isdigit, text)) < _DIGITS and NUMBERED.isdisjoint(label.split()):
        return

    def encode(new: str) -> str:
        literal = new if _NUMBER.fullmatch(new) else f"'{_written(new, _MARK, SCRIPT)}'"
        return code.encode(literal)

    whole = Whole(text, code.starts[one.start], code.ends[one.end - 1], encode)
    document.add(whole, where, label, "\n\n")


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
    """Return *new* as it is written in code."""
    if not quote:
        return " ".join(new.split()).replace("*/", "* /").replace("</", "< /")
    if kind == STYLE:
        new = " ".join(new.split()).replace("\\", "\\\\")
        return new.replace(quote, f"\\{quote}").replace("</", "<\\/")
    new = json.dumps(new, ensure_ascii=False)[1:-1].replace('\\"', '"')
    return new.replace(quote, f"\\{quote}").replace("${", "\\${").replace("</", "<\\/")
