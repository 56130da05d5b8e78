"""Find which of a form's printed options is ticked: ``[ ] single  [X] married``.

A box is a pair of brackets, a ballot box, or a short underline, empty or with a mark in it, and it
touches its option. If no text follows the last box, each box belongs to the option before it. If no
possible option precedes the first box, each box belongs to the option after it. In all other cases
the question is open.
"""

import re
from collections.abc import Sequence

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.reading import line_cells

_AROUND = 200  # characters before and after an option in which boxes are looked for
_BOX = re.compile(
    r"\[[ \t]{0,3}(?P<a>[^\[\]\s]{0,3})[ \t]{0,3}\]"
    r"|\([ \t]{0,3}(?P<b>[xX✓✔*]?)[ \t]{0,3}\)"
    r"|(?P<c>[☒☑✓✔✗✘●])|[☐□○]"
)
_LINE = re.compile(
    r"(?<![\w_.])(?:_{1,3}(?P<d>[xX✓✔]?)_{0,3}|(?P<e>[xX])_{1,3}|(?P<f>X)(?![.'-]))(?![\w_])"
)
_MODIFIERS = 2  # words of an option that may stand between its box and the one that counts
_ANSWER = re.compile(rf"(?i)\b(?:{'|'.join(english().labels['answers'])})\b")


def ticked(text: str, start: int, end: int) -> bool | None:
    """Return whether the printed option at ``[start, end)`` is ticked; None if that is open.

    >>> line = "Single _  Married X  Widowed _"
    >>> ticked(line, 0, 6), ticked(line, 10, 17), ticked("No. 7 X", 0, 2)
    (False, True, None)
    """
    line = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    stop = text.find("\n", end, end + _AROUND)
    stop = min(len(text), end + _AROUND) if stop < 0 else stop
    boxes = _boxes(text, line, stop, start, end)
    follow = _follow(text, line, boxes, stop) if boxes else None
    if follow is None:
        return None
    if follow:
        own = next((box for box in boxes if box.start() >= end), None)
        touches = own is not None and not text[end : own.start()].strip()
    else:
        own = next((box for box in reversed(boxes) if box.end() <= start), None)
        touches = own is not None and _modifies(text[own.end() : start], own)
    if own is None or not touches:
        return None
    return any(own.groupdict().values())


def _boxes(text: str, line: int, stop: int, start: int, end: int) -> list[re.Match[str]]:
    """Return the boxes of the question at ``[start, end)``: brackets, or two or more underlines."""
    for pattern in (_BOX, _LINE):
        found = [
            box
            for box in pattern.finditer(text, line, stop)
            if (box.end() <= start or box.start() >= end)
            and not re.search(r"[:?](?=\s)", text[min(box.end(), end) : max(box.start(), start)])
        ]
        if pattern is _BOX and found:
            return found
        if len(found) > 1 and any("_" in box.group() for box in found):
            return found
    return []


def _follow(text: str, line: int, boxes: Sequence[re.Match[str]], stop: int) -> bool | None:
    """Return whether each box stands after its option; None if that is open."""
    rest = text[boxes[-1].end() : stop]
    lead = re.split(r"[:?]", text[line : boxes[0].start()])[-1]
    has_lead = bool(re.search(r"[^\W\d_]", lead))
    if not line_cells(rest, 0, len(rest)) or re.match(r"\s{3,}\S[^\n]{0,40}[:?]", rest):
        return has_lead or None
    # A label without a colon stands apart from its first box, an option does not.
    return None if has_lead and not lead.endswith(("  ", "\t", "\xa0")) else False


def _modifies(between: str, box: re.Match[str]) -> bool:
    """Return whether *between*, the text from a box to a value after it, belongs to one option."""
    if re.search(r"\S\s{2,}\S|[:?;,.]|\d", between) or _ANSWER.search(between):
        return False
    words = len(between.split())
    return words == 0 or (box.re is _BOX and words <= _MODIFIERS)
