"""Read and write JSON, one value or one a line; all but the edited values stays byte for byte."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape, unescape
from pathlib import PurePath

from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.encodings import Source
from presidio_cdip.documents.texts.json_scan import (
    InvalidJson,
    Item,
    Scanner,
    label_of,
)
from presidio_cdip.documents.texts.percents import PERCENT
from presidio_cdip.documents.texts.sources import File, SourceDocument, lines_in, words
from presidio_cdip.documents.texts.values import Value, Whole
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.inputs import decode
from presidio_cdip.surrogates.scopes import heading

_WHOLE = (".json", ".geojson", ".ipynb")  # with any other suffix a file may be lines of JSON
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_ID_DIGITS = 7  # of an integer that may be the number of something
NUMBERED = words(
    "account age amount bank birth birthday born card code date day dob fax height iban id "
    "identifier income insurance ip licence license member mobile month mrn nr number no "
    "passport patient phone pin plate post postal salary sin social ssn tax tel telephone "
    "weight year zip zipcode"
)
"""Words in the names of short values that are read all the same."""
_VALUE_KEY = re.compile(r"@|\d{4}")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_COLUMNS = r"(?:columns|fields|headers?)"
_NAMED = re.compile(rf'"{_COLUMNS}"\s*:\s*\[')
_COLUMN = re.compile(rf"(.*)\.{_COLUMNS}\[(\d+)\](?:\.name)?")
_CELL = re.compile(r"(.*)\.(?:data|rows|values|records)\[\d+\]\[(\d+)\]")
UNKNOWN = "data in base64 of a kind that is not known here"
_LAST = re.compile(r"(?:\.[^.\[\]]*|\[[^\[\]]*\])\Z")  # the last step of a path
_INDEX = re.compile(r"\[\d+\]\Z")
_NESTED = 8  # levels of JSON in strings of JSON
_KEYS = "keys of objects that look like values; they are read with --json-keys (json_keys)"


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a JSON file.

    Raises:
        UnreadableInput: It is not valid, or no text.
    """
    document = SourceDocument(Source.opened(data, name), settings)
    text = document.source.text
    scanner = Scanner(text)
    by_line = PurePath(name).suffix.lower() not in _WHOLE
    base = Value.plain(document.source, 0, len(text), str)
    line, at, any_read = 1, 0, False
    try:
        while scanner.more():
            if any_read and not by_line:
                raise InvalidJson(scanner.at)
            line += lines_in(text, at, scanner.at)
            at, any_read = scanner.at, True
            add_json(document, base, scanner, f"line {line}: $" if by_line else "$")
    except InvalidJson as error:
        raise UnreadableInput(name, _invalid(text, error.at, by_line)) from None
    if by_line:
        document.part_others(lambda where: where.partition("$")[0])
    return document


def _invalid(text: str, at: int, by_line: bool) -> str:
    line = lines_in(text, 0, at) + 1
    column = at - max(text.rfind("\n", 0, at), text.rfind("\r", 0, at))
    what = "lines of JSON" if by_line else "JSON"
    help_ = "rename it .txt to treat it as text"
    return f"is not valid {what} at line {line}, column {column}: {help_}"


def add_json(
    document: SourceDocument, base: Value, scanner: Scanner, root: str, depth: int = 0
) -> None:
    """Add the next JSON value of *scanner* to *document*.

    Args:
        document: What its strings and numbers are added to.
        base: The text that *scanner* reads, and where it stands in the source.
        scanner: Reads the value.
        root: What the paths begin with.
        depth: How deep the text stands in strings of other JSON.

    Raises:
        InvalidJson: It is not valid.
    """
    source = document.source

    def encode(new: str) -> str:
        plain = not source.text.isascii() and source.fits(new)
        return base.encode(json.dumps(new, ensure_ascii=not plain)[1:-1])

    first = len(document.segments)
    columns = _columns(scanner, root)
    outer = document.scope
    scopes = _Scopes.of(document, scanner, base, root, columns)
    keys: list[tuple[Value, str]] = []  # behind all values, which they would part
    for item in scanner.items(root, document.settings.json_keys):
        document.scope = scopes.at(item.path) or outer
        if item.kind == "string":
            value = base.decoded(_ESCAPE, _meaning, encode, item.start, item.end)
            add_string(document, value, item.path, _label(item, columns), depth)
        elif item.kind == "number":
            _add_number(document, base, item, _label(item, columns))
        elif item.kind == "end":
            document.end_block(first)
        elif document.settings.json_keys:
            key = base.decoded(_ESCAPE, _meaning, encode, item.start, item.end)
            if key.text.strip():
                keys.append((key, f"{item.path} (its key)"))
        elif _VALUE_KEY.search(item.keys[-1]):
            document.note_unread(root, _KEYS)
    document.end_block(first)
    for key, path in keys:
        document.scope = scopes.at(path.partition(" (")[0]) or outer
        document.add(key, path)
        document.end_block(first)
    document.scope = outer


@dataclass(frozen=True, slots=True)
class _Scopes:
    """The scopes of the records in a JSON value.

    A record is an element of a list, or the whole value, with one object in it that has the key;
    where there are more, each of these objects is one.

    Attributes:
        known: The scope of each record, by its path.
        lists: The paths of the lists in which records stand; what stands beside them, without the
            key, is a scope of its own.
        named: Returns the scope that a value names, or one of its own for the record at a path.
        cache: The scope of each path that was asked for.
    """

    known: Mapping[str, str]
    lists: Set[str]
    named: Callable[[str, str], str]
    cache: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, document: SourceDocument, scanner: Scanner, base: Value, root: str,
        columns: Mapping[tuple[str, str], str],
    ) -> "_Scopes":  # fmt: skip
        """Read ahead for the records that *scanner* comes to; linear in all calls."""
        name = heading(document.settings.scope_column).casefold()
        found: dict[str, str] = {}
        if name:
            again = Scanner(scanner.text)
            again.at = scanner.at
            for item in again.items(root):
                if item.kind in ("string", "number") and (holder := _holder(item, columns, name)):
                    value = _unescaped(base.text[item.start : item.end])
                    found.setdefault(holder, document.scope_of_row(value, holder))
        elements = {holder: _element(holder) for holder in found}
        counts = Counter(elements.values())
        known = {
            elements[holder] if counts[elements[holder]] == 1 else holder: scope
            for holder, scope in found.items()
        }
        lists = {path.rpartition("[")[0] for path in known if _INDEX.search(path)}
        return cls(known, lists, document.scope_of_row)

    def at(self, path: str) -> str:
        """Return the scope of what stands at *path*: of the innermost record; "" outside of all."""
        if not self.known or not path:
            return ""
        if path not in self.cache:
            outer = _LAST.sub("", path, count=1)
            inherited = self.at(outer) if outer != path else ""
            self.cache[path] = self.known.get(path, inherited)
            if not self.cache[path] and _INDEX.search(path):
                beside = path.rpartition("[")[0] in self.lists
                self.cache[path] = self.named("", path) if beside else ""
        return self.cache[path]


def _holder(item: Item, columns: Mapping[tuple[str, str], str], name: str) -> str:
    """Return the path of the object or row whose value under *name* is *item*; "" if it is none.

    A name with a point in it is that of two keys: ``patient.id``.
    """
    cell = _CELL.fullmatch(item.path) if columns else None
    keys = (columns.get((cell[1], cell[2]), ""),) if cell else item.keys
    if not keys or (not cell and _INDEX.search(item.path)):  # in a list under the key
        return ""
    keys = tuple(map(_unescaped, keys))
    names = {heading(one).casefold() for one in (keys[-1], ".".join(keys))}
    return _LAST.sub("", item.path, count=1) if name in names else ""


def _element(path: str) -> str:
    """Return the path of the innermost element of a list that *path* leads through, or its root."""
    while not _INDEX.search(path) and (outer := _LAST.sub("", path, count=1)) != path:
        path = outer
    return path


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda one: _plain(one[0]), text)


def hides(text: str) -> bool:
    """Return whether a string may be more than a text: JSON, HTML, an address, base64."""
    return (
        text.lstrip()[:1] in ("[", "{")
        or _REFERENCE.search(text) is not None
        or PERCENT.search(text) is not None
        or data_uris.holds_file(text)
        or data_uris.may_hide(text)
    )


def add_string(
    document: SourceDocument, value: Value, where: str, label: str = "", depth: int = 0
) -> None:
    """Add a string of data, which may be a text, JSON, or a file in base64.

    Args:
        document: What it is added to.
        value: The string.
        where: Where it stands.
        label: What names it.
        depth: How deep it stands in strings of other JSON.
    """
    text = value.text
    if not text or text.isspace():
        return
    if text.lstrip()[0] in "[{" and depth < _NESTED and _is_json(text):
        add_json(document, value, Scanner(text), f"{where} $", depth + 1)
        return
    hidden = list(data_uris.in_addresses(text))
    if not hidden and (bare := data_uris.bare(text)):
        hidden = [bare]
    if not hidden and data_uris.may_hide(text):
        document.note_unread(where, UNKNOWN)
    for stretch in add_files(document, value, hidden, where):
        _add_stretch(document, stretch, where, label)


def add_files(
    document: SourceDocument, value: Value, hidden: Iterable[data_uris.Hidden], where: str
) -> Iterator[Value]:
    """Embed the files in a text, and yield the stretches beside them that have letters or digits.

    Args:
        document: What the files are added to.
        value: The text.
        hidden: The files in it, in order.
        where: Where it stands.
    """
    text, at = value.text, 0
    for one in hidden:
        if one.start == one.end or one.address < at:
            continue
        if any(map(str.isalnum, text[at : one.address])):
            yield value.stretch(at, one.address)
        at = one.end
        file = File(value.starts[one.start], value.ends[one.end - 1], one.encode)
        document.embed(one.data, file, where, one.name)
    if not at:
        yield value
    elif any(map(str.isalnum, text[at:])):
        yield value.stretch(at, len(text))


def _add_stretch(document: SourceDocument, value: Value, where: str, label: str) -> None:
    if _REFERENCE.search(value.text):  # a piece of HTML
        outer = value.encode
        value = value.decoded(_REFERENCE, unescape, lambda new: outer(escape(new, quote=False)))
    document.add(value, where, label)


def _is_json(text: str) -> bool:
    """Return whether a string is an object or a list of JSON that holds something."""
    if text.rstrip()[-1:] not in ("]", "}"):
        return False
    try:
        return bool(json.loads(text))
    except (ValueError, RecursionError):
        return False


def _columns(scanner: Scanner, root: str) -> dict[tuple[str, str], str]:
    """Return the names of columns that stand beside rows: ``{"columns": [..], "data": [[..]]}``.

    The keys are the path of the object, and the column's number.
    """
    if not scanner.is_ahead(_NAMED):
        return {}
    again = Scanner(scanner.text)
    again.at = scanner.at
    return {
        (match[1], match[2]): again.text[item.start : item.end]
        for item in again.items(root)
        if item.kind == "string" and (match := _COLUMN.fullmatch(item.path))
    }


def _label(item: Item, columns: dict[tuple[str, str], str]) -> str:
    """Return the label of a value: the name of its column, or the last keys of its path."""
    cell = _CELL.fullmatch(item.path) if columns else None
    name = columns.get((cell[1], cell[2])) if cell else None
    return label_of((name,) if name else item.keys)


def _add_number(document: SourceDocument, base: Value, item: Item, label: str) -> None:
    text = base.text[item.start : item.end]
    digits = text.lstrip("-").isdigit() and len(text) >= _ID_DIGITS
    if not digits and NUMBERED.isdisjoint(label.split()):
        return

    def encode(new: str) -> str:
        return base.encode(new if _JSON_NUMBER.fullmatch(new) else json.dumps(new))

    start, end = base.starts[item.start], base.ends[item.end - 1]
    document.add(Whole(text, start, end, encode), item.path, label)


@lru_cache(maxsize=4096)
def _meaning(escape: str) -> str:
    text: str = json.loads(f'"{escape}"')
    return text


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a JSON file: as it is, without its escapes, and all strings as read."""
    text = decode(data, name)
    yield "source", text
    if "\\" in text:
        yield "source without escapes", _ESCAPE.sub(lambda one: _plain(one[0]), text)
    lines = [] if PurePath(name).suffix.lower() in _WHOLE else text.splitlines()
    for number, line in enumerate([text, *lines]):
        try:
            values = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        yield f"strings of line {number}" if number else "strings", "\x00".join(_walked(values))


def _plain(escape: str) -> str:
    try:
        return str(json.loads(f'"{escape}"'))
    except ValueError:
        return escape


def _walked(root: object) -> Iterator[str]:
    left = [root]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            left += value
        else:
            yield str(value)
