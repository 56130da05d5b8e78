"""Read the character maps of fonts: from code to CID, and from code to Unicode."""

import re
from dataclasses import dataclass, field

_TOKENS = re.compile(
    rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|(-?\d+)|(/[^\s<>\[\]/()%]+)|([A-Za-z]+)|%[^\r\n]*"
)
_MOST = 1 << 17  # entries; a map of the whole of Unicode's first plane has half as many

Item = bytes | int | str | list["Item"]


@dataclass(slots=True)
class CharacterMap:
    """Hold the mappings of a CMap stream.

    Attributes:
        unicode: The text of a code.
        cids: The CID of a code.
        lengths: The lengths of codes, in bytes, with their first and last code.
        vertical: Whether it is for vertical writing.
        base: The name of the map that it extends.
    """

    unicode: dict[bytes, str] = field(default_factory=dict)
    cids: dict[bytes, int] = field(default_factory=dict)
    lengths: list[tuple[bytes, bytes]] = field(default_factory=list)
    vertical: bool = False
    base: str = ""


def parsed(data: bytes) -> CharacterMap:
    """Return the mappings of a CMap, without invalid ones."""
    found = CharacterMap()
    stack: list[Item] = []
    lists: list[list[Item]] = []
    for match in _TOKENS.finditer(data):
        code, opened, closed, number, name, word = match.groups()
        if word is not None:
            _operator(found, word, stack)
            if word != b"def" and not word.startswith(b"use"):
                stack.clear()
            continue
        target = lists[-1] if lists else stack
        if code is not None:
            target.append(_bytes(code))
        elif number is not None:
            target.append(int(number))
        elif name is not None:
            target.append(name.decode("latin-1"))
        elif opened:
            lists.append([])
        elif closed and lists:
            done = lists.pop()
            (lists[-1] if lists else stack).append(done)
    return found


def _operator(found: CharacterMap, word: bytes, stack: list[Item]) -> None:
    if word == b"endbfchar":
        for code, value in _groups(stack, 2):
            _add(found, code, value, 0)
    elif word == b"endbfrange":
        for first, last, value in _groups(stack, 3):
            for step, code in enumerate(_codes(first, last, found)):
                if isinstance(value, list):
                    if step < len(value):
                        _add(found, code, value[step], 0)
                else:
                    _add(found, code, value, step)
    elif word in (b"endcidrange", b"endcidchar"):
        size = 3 if word == b"endcidrange" else 2
        for group in _groups(stack, size):
            for step, code in enumerate(_codes(group[0], group[-2], found)):
                if isinstance(group[-1], int):
                    found.cids[code] = group[-1] + step
    elif word == b"endcodespacerange":
        for first, last in _groups(stack, 2):
            if isinstance(first, bytes) and isinstance(last, bytes) and len(first) == len(last):
                found.lengths.append((first, last))
    elif word == b"usecmap" and stack and isinstance(stack[-1], str):
        found.base = stack[-1].lstrip("/")
    elif word == b"def" and stack[-2:] == ["/WMode", 1]:
        found.vertical = True


def _groups(stack: list[Item], size: int) -> list[tuple[Item, ...]]:
    """Return the operands in groups, without the count that stands before them."""
    operands = [one for one in stack if not isinstance(one, str)]
    operands = operands[len(operands) % size :]
    return [tuple(operands[at : at + size]) for at in range(0, len(operands), size)]


def _codes(first: Item, last: Item, found: CharacterMap) -> list[bytes]:
    if not (isinstance(first, bytes) and isinstance(last, bytes) and first):
        return []
    start, end = int.from_bytes(first), int.from_bytes(last)
    if not 0 <= end - start <= 0xFFFF or len(found.unicode) + len(found.cids) > _MOST:
        return []
    return [code.to_bytes(len(first)) for code in range(start, end + 1)]


def _add(found: CharacterMap, code: Item, value: Item, step: int) -> None:
    if not isinstance(code, bytes):
        return
    if isinstance(value, bytes):
        units = (value if len(value) % 2 == 0 else b"\0" + value) or b""
        if step and units:
            last = (int.from_bytes(units[-2:]) + step) & 0xFFFF
            units = units[:-2] + last.to_bytes(2)
        found.unicode[code] = units.decode("utf-16-be", "replace")
    elif isinstance(value, str):
        from pdfminer.encodingdb import name2unicode

        try:
            found.unicode[code] = name2unicode(value.lstrip("/"))
        except (KeyError, ValueError):
            return


def _bytes(digits: bytes) -> bytes:
    text = b"".join(digits.split())
    return bytes.fromhex((text + b"0" * (len(text) % 2)).decode("ascii"))
