"""Replace the values that a text marks, in several scopes."""

import re

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span

_MARKED = re.compile(r"⟦(?:(?P<entity>[A-Z_]+) )?(?P<value>.*?)⟧", re.DOTALL)
_MARKED_ALONE = re.compile(r"⟦(?P<value>.*?)⟧", re.DOTALL)
KEY = "k" * 8 + "0123456789abcdef"


def replaced(text: str, scopes: int = 12, entity: str = "") -> list[list[str]]:
    """Return the surrogates of the values that *text* marks, by scope.

    They are marked as ⟦ENTITY value⟧, or all are of *entity*, and marked as ⟦value⟧.
    """
    plain, spans, at = "", [], 0
    for match in (_MARKED_ALONE if entity else _MARKED).finditer(text):
        plain += text[at : match.start()]
        value = match["value"]
        spans.append(Span(len(plain), len(plain) + len(value), entity or match["entity"], 1.0, ""))
        plain, at = plain + value, match.end()
    plain += text[at:]
    made = [steps.steps("surrogate", KEY, f"{n}") for n in range(scopes)]
    return [[item.text for item in steps.anonymize(plain, spans, one).items] for one in made]
