"""Keep what a ticked box tells: the answer beside another, and the tick itself.

Whatever were written there, the tick would tell which answer was given, so the form stays whole.
"""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Form, Reading
from presidio_cdip.surrogates.writing.text import folded

_TICKED = r"(?:[\[(_] ?[xX✓✔*•] ?[\])_]|[☑☒✓✔])"
_EMPTY = r"(?:[\[(][ _]{0,4}[\])]|[☐□○]|_{1,4})"
_GAP, _APART = " {0,4}", " {0,14}"  # between an answer and its box, and between two answers
_TICK = re.compile(r"[xX✓✔☑☒√*•]")
_NOTHING = re.compile(r"\?+")  # says that nothing is known
_COLUMN = re.compile(r"(?:\A|\n[ \t]*|\s\s|[\[(_])\Z")  # before a tick; behind a label X answers
_ANSWERS = english().labels["answers"]
# They are pairs: yes and no, y and n.
_OTHER = {one: _ANSWERS[at ^ 1] for at, one in enumerate(_ANSWERS)}


def _beside(other: str) -> re.Pattern[str]:
    """Return an expression for the text around an answer, a line end in its place."""
    ways = (
        rf"{_TICKED}{_GAP}\n{_APART}{_EMPTY}{_GAP}{other}\b",
        rf"{_EMPTY}{_GAP}{other}{_APART}{_TICKED}{_GAP}\n",
        rf"\n{_GAP}{_TICKED}{_APART}{other}{_GAP}{_EMPTY}",
        rf"\b{other}{_GAP}{_EMPTY}{_APART}\n{_GAP}{_TICKED}",
        rf"\(\n\){_GAP}{other}\b",  # a ring
        rf"\b{other}{_GAP}\(\n\)",
    )
    return re.compile(rf"(?i){'|'.join(ways)}")


_BESIDE = {answer: _beside(other) for answer, other in _OTHER.items()}


class TickedAnswer:
    """Read a ticked *yes* or *no* beside the other answer, and a tick; both stay."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of an answer or a tick; None for others."""
        context = context_of(options)
        if context is None:
            return None
        beside = _BESIDE.get(folded(value))
        if beside:
            before, after = (part.replace("\n", " ") for part in (context.before, context.after))
            if not beside.search(f"{before}\n{after}"):
                return None
        elif _NOTHING.fullmatch(value):
            pass
        elif not _TICK.fullmatch(value) or not _COLUMN.search(context.before):
            return None
        return Reading("tick of a box", folded(value), lambda draw: value, may_stay=True)


FORMS: tuple[Form, ...] = (TickedAnswer(),)
