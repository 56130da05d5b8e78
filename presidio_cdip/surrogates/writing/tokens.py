"""A value cut into words and what stands between them."""

import re
from dataclasses import dataclass

from presidio_cdip.surrogates.writing.text import repaired

_WORD = re.compile(r"(?:[^\W_]|[|!])+")
# What may stand between the words of a date or an age.
GAP = re.compile(r"[\s.,;:/\-–—'’‘`´()\[\]\"“”_*&+~?]*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a number.

    Attributes:
        gap: What stands before it.
        text: As written.
        key: In lower case, without what OCR did to letters.
    """

    gap: str
    text: str
    key: str


def cut(value: str) -> tuple[list[Token], str]:
    """The words of *value*, and what stands behind the last.

    >>> cut("Ju1y 4.")
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
