"""Keep what a ticked box tells: the answer beside another, and the tick itself.

Whatever were written there, the tick would tell which answer was given, so the form stays whole.
"""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.boxes import TICK
from presidio_cdip.recognition.choices import options
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Form, Reading
from presidio_cdip.surrogates.writing.text import folded

_NOTHING = re.compile(r"\?+")  # says that nothing is known
_COLUMN = re.compile(r"(?:\A|\n[ \t]*|\s\s|[\[(_])\Z")  # before a tick; behind a label X answers
_ANSWERS = english().labels["answers"]
# They are pairs: yes and no, y and n.
_OTHER = {one: _ANSWERS[at ^ 1] for at, one in enumerate(_ANSWERS)}
_BESIDE = 30  # characters between an answer and the other


def _ticked(page: Page) -> frozenset[int]:
    """Return where the ticked answers of *page* begin that have the other answer beside them."""

    def is_answer(start: int, end: int) -> bool:
        return folded(page.text[start:end]) in _OTHER

    found = [one for one in options(page.text, is_answer) if one.is_answer]
    words = [folded(page.text[one.start : one.end]) for one in found]
    return frozenset(
        one.start
        for one, word in zip(found, words, strict=True)
        if one.ticked
        and any(
            other.block == one.block
            and word_of_other == _OTHER[word]
            and abs(other.start - one.start) <= _BESIDE
            for other, word_of_other in zip(found, words, strict=True)
        )
    )


class TickedAnswer:
    """Read a ticked *yes* or *no* beside the other answer, and a tick; both stay."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of an answer or a tick; None for others."""
        context = context_of(options)
        if context is None:
            return None
        if folded(value) in _OTHER:
            if context.start not in context.page.fact(_ticked):
                return None
        elif _NOTHING.fullmatch(value):
            pass
        elif not TICK.fullmatch(value) or not _COLUMN.search(context.before):
            return None
        return Reading("tick of a box", folded(value), lambda draw: value, may_stay=True)


FORMS: tuple[Form, ...] = (TickedAnswer(),)
