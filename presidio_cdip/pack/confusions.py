"""Read digits that OCR has read as letters: which characters may stand for which digit.

Code that searches for a number takes its character classes from here, and code that reads a number
uses `digits`. `digits` reads every character of every class, so that any number found can be read.
"""

from presidio_cdip.pack.language import english

_OCR = english().ocr

# For a class of characters: rf"[0-9{LIKELY}]".
ANY = _OCR.any  # every character that may stand for a digit
LIKELY = _OCR.likely  # where a number is expected
LETTERS = _OCR.letters  # the same, without strokes, which may be the lines of a table
ROUND = _OCR.round  # beside letters that mean themselves, as in an address
STROKES = "1" + "".join(char for char in _OCR.digits["1"] if char in ROUND)  # upright strokes
ALONE = _OCR.alone  # where no digit stands beside it

LETTER_FOR = {digit: chars[0] for digit, chars in _OCR.digits.items()}
"""The letter that OCR most likely puts for a digit; some digits have none."""

_MEANT = str.maketrans(dict(_OCR.meant))


def digits(text: str) -> str:
    """Return *text* with each character that may stand for a digit replaced by that digit.

    >>> digits("1O/l5/6S"), digits("27l-24-O538")
    ('10/15/65', '271-24-0538')
    """
    return text.translate(_MEANT)
