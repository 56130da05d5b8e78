"""Tell that a number numbers a line of a transcript of questions and answers, and is no age.

"11 Q. What is your age?" stands above "12 A. 46."
"""

import re

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_WORDS = english().labels
_QUESTION, _ANSWER = (
    alternation(tuple(map(str.upper, _WORDS[name])))
    for name in ("marks_of_questions", "marks_of_answers")
)
_MARK = re.compile(rf"[ \t]{{1,8}}(?:{_QUESTION}|{_ANSWER})(?:[.:]|[ \t]{{0,8}}(?=[ \t]))")
_ASKED = re.compile(rf"(?<![\w.])(\d{{1,2}})[ \t]{{1,8}}(?:{_QUESTION})(?![\w'’])")
_NUMBER = re.compile(
    rf"(?m)^[ \t]*(\d{{1,2}})(?=[ \t]|$)"
    rf"|(?<![\w.])(\d{{1,2}})(?=[ \t]{{1,8}}(?:{_QUESTION}|{_ANSWER})(?![\w'’]))"
)
_AS_DIGITS = str.maketrans("lO", "10")
_LINES = 25  # of a page, after which the numbers begin again
_REACH = 400  # characters in which another numbered line is looked for


def numbers_line(text: str, span: Span) -> bool:
    r"""Return whether *span* is a number that only tells which line of a transcript it begins.

    >>> numbers_line("11 Q. Your age?\n12 A. 46.", Span(16, 18, "AGE", 1.0, ""))
    True
    >>> numbers_line("46 A. Smith\n47 A. Hall", Span(0, 2, "AGE", 1.0, ""))
    False
    """
    number = text[span.start : span.end].translate(_AS_DIGITS)
    if not number.isdecimal() or not _MARK.match(text, span.end):
        return False
    before = text[max(0, span.start - _REACH) : span.start]
    behind = text[span.end : span.end + _REACH]
    near = text[max(0, span.start - _REACH) : span.end + _REACH]
    if not _ASKED.search(near):
        return False
    above = [int(one[1] or one[2]) for one in _NUMBER.finditer(before)][-1:]
    below = [int(one[1] or one[2]) for one in _NUMBER.finditer(behind)][:1]
    own = int(number)
    return above == [own - 1] or below == [own + 1] or (own == 1 and above == [_LINES])
