"""Find the strings and numbers of a JSON text, with their positions, without recursion."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?+[0-9]++)?+(?![\w.])"
_BLANK = r"[ \t\r\n]*+"
_VALUE = re.compile(
    rf"{_BLANK}(?:({_STRING})|({_NUMBER})|(true|false|null|NaN|-?Infinity)\b|([\[{{])|(?=([\]}}])))"
)
_KEY = re.compile(rf"{_BLANK}(?:({_STRING}){_BLANK}:|(?=(}})))")
_NEXT = re.compile(rf"{_BLANK}([,\]}}])")
_END = re.compile(_BLANK)
_CLOSING = {"{": "}", "[": "]"}
_IDENTIFIER = re.compile(r"[A-Za-z_$@][A-Za-z_$-]*[0-9]{0,3}[A-Za-z_$-]*")
_LONGEST_KEY = 40
_SHOWN = 40  # levels of nesting that a path shows
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+")
_INDEX = re.compile(r"\[\d+\]|\[key \d+\]")


class InvalidJson(ValueError):
    """A text is no JSON.

    Attributes:
        at: The offset of the first character that cannot stand there.
    """

    def __init__(self, at: int) -> None:
        super().__init__("invalid JSON")
        self.at = at


class Item(NamedTuple):
    """A key, a string or a number in a JSON text, or the end of an object.

    Attributes:
        kind: ``"key"``, ``"string"``, ``"number"`` or ``"end"``.
        start: Where it begins, after the quotation mark.
        end: Where it ends, before the quotation mark.
        path: Where it stands: ``$.patient.dob``; in a key that looks like a value, its number.
        keys: The last two keys of its path, decoded where they need it.
    """

    kind: str
    start: int
    end: int
    path: str
    keys: tuple[str, ...]


class _Level:
    """An object or array that is open."""

    __slots__ = ("index", "keys", "outer", "path", "prefix", "sign", "stem")

    def __init__(self, sign: str, path: str, stem: str, keys: tuple[str, ...]) -> None:
        self.sign = sign
        self.index = 0
        self.prefix = path  # of the object or array itself
        self.stem = stem  # of the paths of what is in it
        self.path = path  # of the member that is read
        self.keys = keys  # of the member that is read
        self.outer = keys[-1:]  # of the object or array itself


class Scanner:
    """Reads one JSON value after another from a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._ahead = -1

    def more(self) -> bool:
        """Return whether anything but blanks is left."""
        match = _END.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def is_ahead(self, sought: re.Pattern[str]) -> bool:
        """Return whether *sought*, always the same, matches what is left; linear in all calls."""
        if self._ahead < self.at:
            match = sought.search(self.text, self.at)
            self._ahead = match.start() if match else len(self.text)
        return self._ahead < len(self.text)

    def items(self, root: str = "$", all_keys: bool = False) -> Iterator[Item]:
        """Yield the items of the next value.

        Args:
            root: What paths begin with.
            all_keys: Whether to yield keys that are plain names, too.

        Raises:
            InvalidJson: It is not valid.
        """
        text = self.text
        levels: list[_Level] = []
        path = root
        keys: tuple[str, ...] = ()
        while True:
            if levels and levels[-1].sign == "{":
                key = _KEY.match(text, self.at)
                if key is None or (key[2] and levels[-1].index):
                    raise InvalidJson(self._stuck())
                if key[1]:
                    plain = self._entered(levels[-1], key)
                    if all_keys or not plain:
                        span = key.start(1) + 1, key.end(1) - 1
                        yield Item("key", *span, levels[-1].path, levels[-1].keys)
                path, keys = levels[-1].path, levels[-1].keys
            elif levels:
                levels[-1].path = path = f"{levels[-1].stem}[{levels[-1].index}]"
                keys = levels[-1].keys
            value = _VALUE.match(text, self.at)
            if value is None:
                raise InvalidJson(self._stuck())
            self.at = value.end()
            kind = value.lastindex
            if kind == 1:
                yield Item("string", value.start(1) + 1, value.end(1) - 1, path, keys)
            elif kind == 2:
                yield Item("number", *value.span(2), path, keys)
            elif kind == 4:
                levels.append(_Level(value[4], path, _stem(path, len(levels)), keys))
                continue
            elif kind == 5 and not (levels and levels[-1].index == 0 and
                                    _CLOSING[levels[-1].sign] == value[5]):  # fmt: skip
                raise InvalidJson(self._stuck())
            yield from self._closed(levels)
            if not levels:
                return

    def _entered(self, level: _Level, match: re.Match[str]) -> bool:
        """Move to the value of a key; return whether the key is a plain name."""
        self.at = match.end()
        key = match[1][1:-1]
        plain = is_identifier(key)
        level.path = level.stem + (f".{key}" if plain else f"[key {level.index + 1}]")
        level.keys = (*level.outer, key)
        return plain

    def _closed(self, levels: list[_Level]) -> Iterator[Item]:
        """Move on after a value: to the next member, or out of the container that ends here."""
        while levels:
            match = _NEXT.match(self.text, self.at)
            if match is None:
                raise InvalidJson(self._stuck())
            self.at = match.end()
            if match[1] == ",":
                levels[-1].index += 1
                return
            if match[1] != _CLOSING[levels[-1].sign]:
                raise InvalidJson(match.start(1))
            level = levels.pop()
            if level.sign == "{":
                yield Item("end", self.at, self.at, level.prefix, ())

    def _stuck(self) -> int:
        match = _END.match(self.text, self.at)
        return match.end() if match else self.at


def _stem(path: str, depth: int) -> str:
    """Return the beginning of the paths in an object; the deepest are shown in part."""
    if depth < _SHOWN:
        return path
    return path if path.endswith("…") else path.partition("…")[0][: 20 * _SHOWN] + "…"


@lru_cache(maxsize=4096)
def is_identifier(key: str) -> bool:
    """Return whether a key is a name that a program gave, and no value.

    >>> is_identifier("dateOfBirth"), is_identifier("271-24-0538"), is_identifier("a@b.org")
    (True, False, False)
    """
    return len(key) <= _LONGEST_KEY and _IDENTIFIER.fullmatch(key) is not None


@lru_cache(maxsize=4096)
def label_of(keys: tuple[str, ...]) -> str:
    """Return the last keys of a path as words.

    >>> label_of(("patient", "dateOfBirth")), label_of(("US_SSN",))
    ('patient date of birth', 'us ssn')
    """
    words = [word.lower() for key in keys for word in _WORDS.findall(key)]
    return " ".join(one for at, one in enumerate(words) if words[at - 1 : at] != [one])
