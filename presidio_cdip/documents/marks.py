"""Define the name, the colour and the style of the marks of findings, wherever text is shown.

`html_view` and the review page of the service both show marks: a ``mark`` element with the name as
``data-label`` and the hue as the property ``--h``, by the rules of ``marks.css``.
"""

from collections.abc import Sequence
from pathlib import Path

STYLE = Path(__file__).with_name("marks.css")

_CAPITALS = frozenset({"US", "UK", "EU", "SSN", "ID", "IP", "URL", "IBAN", "NHS", "DNA"})
_FIRST, _STEP = 25, 137.508  # degrees; by the golden angle, neighbours differ most


def label(name: str) -> str:
    """Return a name for people: ``Date of birth`` for ``DATE_OF_BIRTH``."""
    words = (word if word in _CAPITALS else word.lower() for word in name.split("_"))
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def hues(names: Sequence[str]) -> dict[str, int]:
    """Return a hue for each of *names*, in degrees; those of neighbours differ most."""
    return {name: round(_FIRST + at * _STEP) % 360 for at, name in enumerate(names)}
