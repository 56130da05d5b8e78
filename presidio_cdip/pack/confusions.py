"""Digits that OCR has read as letters: which characters may stand for one, and for which.

All that looks for a number takes its classes of characters from here, and all that reads one takes
`digits`; every class is a part of what `digits` reads, so that whatever is found can be read.
"""

from presidio_cdip.pack.language import english

_OCR = english().ocr

# For a class of characters: rf"[0-9{LIKELY}]".
ANY = _OCR.any  # whatever may stand for a digit
LIKELY = _OCR.likely  # where a number is expected
LETTERS = _OCR.letters  # the same, without the strokes that may rule a table
ROUND = _OCR.round  # beside letters that mean themselves, as in an address

LETTER_FOR = {digit: chars[0] for digit, chars in _OCR.digits.items()}
"""The letter that OCR most likely puts for a digit; some digits have none."""

_MEANT = str.maketrans(dict(_OCR.meant))


def digits(text: str) -> str:
    """Return *text* with the characters that OCR put for digits turned back, whatever they mean.

    >>> digits("1O/l5/6S"), digits("27l-24-O538")
    ('10/15/65', '271-24-0538')
    """
    return text.translate(_MEANT)
