"""Tell the boxes that forms print beside options, and the marks in them.

A box is a pair of brackets, a ballot box, a short underline or a bare X, empty or with a mark in
it.
"""

import re

from presidio_cdip.recognition.patterns import Pattern

BOX = re.compile(
    r"\[[ \t_]{0,4}(?P<a>[xX✓✔√*•])?[ \t_]{0,4}\]"
    r"|\([ \t_]{0,4}(?P<b>[xX✓✔√*•])?[ \t_]{0,4}\)"
    r"|(?P<c>[☒☑✓✔√✗✘])|[☐□○]"
    r"|(?<![\w.])(?:_{1,4}(?P<d>[xX✓✔])_{0,4}|(?P<e>[xX])_{1,4}|_{1,4})(?![\w.])"
    r"|(?:(?<=\s)|(?<=\A))(?P<f>[xX])(?=\s|\Z)"
)
TICK = re.compile(r"[xX✓✔☑☒√*•]")  # a mark without its box
ALONE = re.compile(r"(?m)^[ \t]*(?P<mark>[xX✓✔√])[ \t]*$")  # a line with nothing but a mark
_SOME = Pattern(
    r"[☒☑✓✔√✗✘☐□○]|[\[(_][ \t_]{0,4}[xX*•]?[ \t_]{0,4}[\])_]|_[xX]\b|\b[xX]_"
    r"|(?m:(?:^|[ \t])[xX](?:[ \t]|$))"
)


def has_boxes(text: str) -> bool:
    """Return whether *text* may have a box; much faster than a search for one."""
    return _SOME.search(text) is not None


def has_mark(box: re.Match[str]) -> bool:
    """Return whether a match of `BOX` has a mark."""
    return box.lastgroup is not None


def is_drawn(box: re.Match[str]) -> bool:
    """Return whether a match of `BOX` can only be a box: an underline may be a blank to fill in."""
    return box.group()[0] in "[(☒☑☐□○"
