"""Tells which of a form's printed options is ticked: ``[ ] single  [X] married``.

A box is a pair of brackets, a ballot box, or a short underline, empty or with a cross in it. Where
the first box of a line stands before the first option, each box belongs to the option behind it;
where nothing stands behind the last box, each belongs to the option before it.
"""

import re
from collections.abc import Sequence

from presidio_cdip.recognition.reading import line_cells

_BOX = re.compile(
    r"\[[ \t]{0,3}(?P<a>[xX✓✔*/]{0,2})[ \t]{0,3}\]"
    r"|\([ \t]{0,3}(?P<b>[xX✓✔*]?)[ \t]{0,3}\)"
    r"|(?P<c>[☒☑✓✔✗✘])|[☐□]"
    r"|(?<![\w_.])_{1,3}(?P<d>[xX✓✔]?)_{0,3}(?![\w_])"
    r"|(?<![\w.'-])(?P<e>X)(?![\w.'-])"
)
_WORDS = 6  # of an option, at most, before the one that counts
_STOP = re.compile(r"[:?]|\.\.\.|\d{3}")  # what ends the option of a box
_FAR = 60  # characters from a box to its option


def ticked(text: str, start: int, end: int) -> bool | None:
    """Whether the printed option at ``[start, end)`` is ticked; None where it is no option.

    >>> line = "Single _  Married X  Widowed _"
    >>> ticked(line, 0, 6), ticked(line, 10, 17), ticked("No. 7 X", 0, 2)
    (False, True, None)
    """
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    boxes = [match for match in _BOX.finditer(text, line, stop) if not _within(match, start, end)]
    if not any(_is_plain(box) for box in boxes):
        return None  # a cross alone may be a name's initial
    boxes = _in_group(text, boxes, start, end)
    if not boxes:
        return None
    before = max((box for box in boxes if box.end() <= start), key=lambda b: b.end(), default=None)
    after = min((box for box in boxes if box.start() >= end), key=lambda b: b.start(), default=None)
    own = after if _follow(text, boxes, stop) else before
    if own is None:
        return None
    between = text[own.end() : start] if own is before else text[end : own.start()]
    if len(between) > _FAR or _STOP.search(between) or len(between.split()) > _WORDS:
        return None
    if re.search(r"\S\s{2,}", between):
        return None  # another cell stands between
    return bool(_mark(own))


def _mark(box: re.Match[str]) -> str:
    return next((value for value in box.groupdict().values() if value), "")


def _is_plain(box: re.Match[str]) -> bool:
    return box["e"] is None


def _within(box: re.Match[str], start: int, end: int) -> bool:
    return box.start() < end and start < box.end()


def _in_group(
    text: str, boxes: Sequence[re.Match[str]], start: int, end: int
) -> list[re.Match[str]]:
    """The boxes of the question that ``[start, end)`` answers: no other question between them."""
    return [
        box
        for box in boxes
        if not re.search(r"[:?](?=\s)", text[min(box.end(), end) : max(box.start(), start)])
    ]


def _follow(text: str, boxes: Sequence[re.Match[str]], stop: int) -> bool:
    """Whether each box stands behind its option."""
    rest = text[boxes[-1].end() : stop]
    if line_cells(rest, 0, len(rest)) and not re.match(r"\s{3,}\S[^\n]{0,40}[:?]", rest):
        return False
    first = boxes[0]
    line = text.rfind("\n", 0, first.start()) + 1
    lead = re.split(r"[:?]", text[line : first.start()])[-1]
    return bool(re.search(r"[^\W\d_]", lead))
