"""Tell the boxes that forms print beside options, the marks in them, and marks without a box.

A box is a pair of brackets, a ballot box, a short underline or a bare X, empty or with a mark in
it. Without boxes what is chosen has a mark itself: brackets, stars or underlines around it, a tick
or an arrow beside it; or all that is not chosen was struck out.
"""

import re

from presidio_cdip.recognition.patterns import Pattern

_IN_BOX = r"[ \t_]{0,4}(?P<%s>[xX✓✔√*•]|[xX]{2,3})?[ \t_]{0,4}"
_IN_SQUARE = r"[ \t_]{0,4}(?P<a>[xX✓✔√*•/vV]|[xX]{2,3})?[ \t_]{0,4}"
BOX = re.compile(
    rf"\[{_IN_SQUARE}\]|\({_IN_BOX % 'b'}\)|\{{{_IN_BOX % 'g'}\}}|<{_IN_BOX % 'h'}>"
    r"|(?P<c>[☒☑✓✔√✗✘])|[☐□○]"
    r"|(?<![\w.])(?:_{1,4}(?P<d>[xX✓✔])_{0,4}|(?P<e>[xX])_{1,4}|_{1,4})"
    r"(?:(?![\w.])|(?<=_)(?=[A-Z][a-z])(?![^_\n]{1,60}_(?!\w)))"  # "__Yes", but no "_Yes_"
    r"|(?:(?<=\s)|(?<=\A))(?P<f>[xX])(?=\s|\Z)"
)
TICK = re.compile(r"[xX✓✔☑☒√*•]")  # a mark without its box
ALONE = re.compile(  # a line with nothing but a mark, or with a stroke under one word
    r"(?m)^[ \t]*(?:(?P<mark>[xX✓✔√])|(?P<stroke>\^{1,30}|_{5,30}|[-=~¯‾]{2,30}))[ \t]*$"
)
MAYBE_ALONE = Pattern(
    r"(?m:^[ \t]{1,200}(?:[xX✓✔√]|\^{1,30}|_{5,30}|[-=~¯‾]{2,30})[ \t]*$)|(?m:^[xX✓✔√]$)"
)
_SOME = Pattern(
    r"[☒☑✓✔√✗✘☐□○]|[\[({<_][ \t_]{0,4}[xX*•]{0,3}[ \t_]{0,4}[\])}>_]|\[[ \t]?[/vV][ \t]?\]"
    r"|_[xX]\b|\b[xX]_|(?m:(?:^|[ \t])[xX](?:[ \t]|$))"
)

_PAIRS = (
    *((r"\({1,2}", r"\){1,2}"), (r"\[", r"\]"), (r"\{", r"\}")),
    *(("<{1,2}", ">{1,2}"), (">{1,2}", "<{1,2}")),
    *((r"\*{1,3}", r"\*{1,3}"), ("_{1,4}", "_{1,4}"), (r"(?<!\S)/", r"/(?!\S)")),
)
_STRIKES = ("-{1,2}", "-{1,2}"), ("~{1,2}", "~{1,2}")
_BEFORE = r"(?:[xX][ \t]{1,4}|[-=]{1,2}> ?|>{2,3} ?|[→✓✔√] ?)"
_BEHIND = r"(?:[ \t]{1,9}[xX](?![^\W_])| ?<[-=]{1,2}| ?<{2,3}| ?[←✓✔√])"
_OPTION = r"[^\W\d_](?:[^\n]*[^\W_])?\.?"
AROUND, BESIDE, STRUCK = "around", "beside", "struck"
"""Where an option has its mark; the last is none of choice."""
_MARKS = {AROUND: _PAIRS, BESIDE: ((_BEFORE, ""), ("", _BEHIND)), STRUCK: _STRIKES}
_MARKED = re.compile(
    "|".join(
        f"{left}(?P<{name}{number}>{_OPTION}){right}"
        for name, marks in _MARKS.items()
        for number, (left, right) in enumerate(marks)
    )
)
MAYBE_MARKED = Pattern(
    r"[(\[{<>*~][^\W\d_]|(?<!\S)/[^\W\d_]|(?<!\w)_{1,4}[^\W\d_]|[-=]>|<[-=]|>>|<<|[→←✓✔√]"
    r"|(?m:(?:^|[ \t])(?:[xX](?:[ \t]|$)|-{1,2}[^\W\d_][^\n-]{0,30}-))"
    r"|(?<![a-z])[A-Z]{2,20}(?:[ \t]{2,9}|[ \t]?[/|][ \t]?)[a-z]{2}"
    r"|[a-z]{2}(?:[ \t]{2,9}|[ \t]?[/|][ \t]?)[A-Z]{2,20}(?![a-z])"
)
"""Where an option may have a mark of its own, or stand in capitals beside small letters."""

_OTHER_BULLET, _BULLET = "[xX*•+@●◉]", "[o○·-]"
BULLET = re.compile(  # before an option: "o Single  * Married"
    r"(?:(?m:^)|(?<=[ \t][ \t])|(?<=[:?)][ \t]))[ \t]*"
    rf"(?P<bullet>(?P<mark>{_OTHER_BULLET})|{_BULLET})[ \t]{{1,2}}(?=[^\W\d_])"
)
_MARKED_BULLET = Pattern(rf"(?m:^|[ \t]){_OTHER_BULLET}[ \t]{{1,2}}[^\W\d_]")
_PLAIN_BULLET = Pattern(rf"(?m:^|[ \t]){_BULLET}[ \t]{{1,2}}[^\W\d_]")


def may_have_bullets(text: str) -> bool:
    """Return whether *text* may have bullets of two kinds; much faster than a search for them."""
    return bool(_MARKED_BULLET.search(text) and _PLAIN_BULLET.search(text))


def markable(option: str, *places: str) -> str:
    """Return an expression for *option*, an expression, with a mark at one of *places* or none."""
    marks = [one for place in places for one in _MARKS[place]]
    return f"(?:{'|'.join(f'{left}(?:{option}){right}' for left, right in marks)}|{option})"


def marked(text: str, start: int, end: int) -> tuple[tuple[int, int], str]:
    """Return an option at ``[start, end)`` without its mark, and where this stands; "" if nowhere.

    >>> marked("-> Male", 0, 7), marked("*M*", 0, 3), marked("F", 0, 1)
    (((3, 7), 'beside'), ((1, 2), 'around'), ((0, 1), ''))
    """
    match = _MARKED.fullmatch(text, start, end)
    if not match or not match.lastgroup:
        return (start, end), ""
    return match.span(match.lastgroup), match.lastgroup.rstrip("0123456789")


def has_boxes(text: str) -> bool:
    """Return whether *text* may have a box; much faster than a search for one."""
    return _SOME.search(text) is not None


def is_marked(box: str) -> bool:
    """Return whether *box*, which stands before or behind an option, has a mark or is one.

    >>> is_marked("[x]"), is_marked("(2)"), is_marked("2"), is_marked("*"), is_marked("o")
    (True, True, False, True, False)
    """
    match = BOX.match(box)
    return has_mark(match) if match else re.match(rf"\(\d|{_OTHER_BULLET}", box) is not None


def has_mark(box: re.Match[str]) -> bool:
    """Return whether a match of `BOX` has a mark."""
    return box.lastgroup is not None


def is_drawn(box: re.Match[str]) -> bool:
    """Return whether a match of `BOX` can only be a box: an underline may be a blank to fill in."""
    return box.group()[0] in "[({<☒☑☐□○"
