"""Split number formats into their sections, and these into tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<noon>AM/PM|A/P)|(?P<moment>y+|m+|d+|h+|s+)|(?P<power>E[+-])"
    r"|(?P<digit>[0#?])|(?P<mark>[.,%/@])|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;])*', re.DOTALL)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four parts of a number format.

    Attributes:
        tokens: Kind and text of each token.
        condition: Comparison and number, where it has one.
    """

    tokens: tuple[tuple[str, str], ...]
    condition: tuple[str, Decimal] | None

    def has(self, *kinds: str) -> bool:
        """Return whether there is a token of one of *kinds*."""
        return any(kind in kinds for kind, _ in self.tokens)

    @property
    def is_date(self) -> bool:
        """Return whether it shows a date or a time."""
        return self.has("moment", "elapsed")

    @property
    def is_date_with_day(self) -> bool:
        """Return whether day, month and year are shown."""
        shown = {text for kind, text in self.tokens if kind == "moment"}
        months = {"m", "mm", "mmm", "mmmm"}
        return (
            not shown.isdisjoint({"d", "dd"})
            and not shown.isdisjoint(months)
            and any(text[0] == "y" for text in shown)
        )


def sections(code: str) -> Iterator[Section]:
    """Yield the sections of the number format *code*."""
    at = 0
    while at <= len(code):
        match = _SECTION.match(code, at)
        assert match is not None
        at = match.end() + 1
        tokens, condition = [], None
        for token in _TOKEN.finditer(match.group()):
            kind = token.lastgroup or "literal"
            text = token.group(kind)
            if kind == "bracket":
                compared = _CONDITION.fullmatch(text)
                if compared:
                    condition = (compared[1], Decimal(compared[2]))
                elif text and set(text.lower()) <= {text[0].lower()} and text[0] in "hmsHMS":
                    tokens.append(("elapsed", text.lower()))
                elif text.startswith("$"):
                    tokens.append(("literal", text[1:].partition("-")[0]))
            elif kind in ("quoted", "escaped", "literal"):
                tokens.append(("literal", text))
            elif kind == "space":
                tokens.append(("literal", " "))
            elif kind == "moment":
                tokens.append((kind, text.lower()))
            elif kind != "fill":
                tokens.append((kind, text))
        yield Section(tuple(_with_minutes(tokens)), condition)


def _with_minutes(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield *tokens*; an ``m`` after hours or before seconds is ``n``, minutes."""
    moments = [index for index, (kind, _) in enumerate(tokens) if kind in ("moment", "elapsed")]
    minutes = set()
    for before, after in pairwise(moments):
        if tokens[before][1][0] == "h" and tokens[after][1][0] == "m":
            minutes.add(after)
        if tokens[before][1][0] == "m" and tokens[after][1][0] == "s":
            minutes.add(before)
    for index, (kind, text) in enumerate(tokens):
        if kind == "moment" and index in minutes and len(text) < 3:
            text = "n" * len(text)
        yield kind, text
