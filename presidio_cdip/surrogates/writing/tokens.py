"""Splitting a value into words and the text between them."""

import re
from dataclasses import dataclass

from presidio_cdip.surrogates.writing.text import repaired

_WORD = re.compile(r"(?:[^\W_]|[|!])+")
# Text between the words of a date or an age.
GAP = re.compile(r"[\s.,;:/\-–—'’‘`´()\[\]\"“”_*&+~?]*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a number.

    Attributes:
        gap: The text before it.
        text: As written.
        key: In lower case, with damage by OCR repaired.
    """

    gap: str
    text: str
    key: str


def tokenize(value: str) -> tuple[list[Token], str]:
    """Return the words of *value*, and the text behind the last one.

    >>> tokenize("Ju1y 4.")
    ([Token(gap='', text='Ju1y', key='july'), Token(gap=' ', text='4', key='4')], '.')
    """
    tokens, at = [], 0
    for found in _WORD.finditer(value):
        text = found.group()
        key = text if text.isalpha() or text.isdigit() else repaired(text)
        key = key.lower().replace("rnb", "mb")
        tokens.append(Token(value[at : found.start()], text, key))
        at = found.end()
    return tokens, value[at:]
