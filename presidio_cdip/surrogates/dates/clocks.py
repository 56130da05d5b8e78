"""Replace times of day by others in the same quarter of the day that are as round."""

import re
from dataclasses import dataclass
from typing import Protocol

from presidio_cdip.surrogates.drawing.forms import Draw

_HALF = r"(?P<half{}>\s?[ap]\.?\s?m(?:\.(?!\w)|(?![\w.])))"
_HOUR = r"(?:(?<=\d)(?P<t>[Tt])|(?<![\w:.,/-])){}"
_PARTS = (
    r"(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?P<f>\.\d{1,6})?)?"
    + _HALF.format("") + r"?(?P<zone>\s?[+-]\d\d:?\d\d(?!\d))?(?![\d:]|(?!Z\b)[a-z|!])",
    r"(?P<h2>1[0-2]|0?\d)(?:\.(?P<m2>[0-5]\d))?" + _HALF.format("2"),
    r"(?P<h3>[01]\d|2[0-4])(?P<m3>[0-5]\d)(?P<half3>\s?(?:hours|hrs|h|GMT|UTC|Z)\b)",
    r"(?P<h4>1[0-2]|\d)(?P<half4>\s?o['’]clock)",
)  # fmt: skip
TIME = re.compile(r"(?i)" + _HOUR.format("(?:" + "|".join(_PARTS) + ")"))


class _Drawn(Protocol):
    @property
    def draw(self) -> Draw: ...


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day.

    Attributes:
        mark: The T before it; may be empty.
        hour: As written.
        joint: The text between hour and minute.
        minute: As written, or empty.
        second: As written, or empty.
        fraction: Decimals of the second, with their point.
        tail: The text behind, with its blank: " a.m.", " o'clock", " hours".
    """

    mark: str
    hour: str
    joint: str
    minute: str
    second: str
    fraction: str
    tail: str

    @classmethod
    def of(cls, found: re.Match[str]) -> "Clock":
        """Build the time that `TIME` has found."""
        parts = {name: text or "" for name, text in found.groupdict().items()}
        hour = parts["h"] or parts["h2"] or parts["h3"] or parts["h4"]
        minute = parts["m"] or parts["m2"] or parts["m3"]
        joint = ":" if parts["h"] else "." if parts["m2"] else ""
        tail = parts["half"] or parts["half2"] or parts["half3"] or parts["half4"]
        tail += parts["zone"]
        return cls(parts["t"], hour, joint, minute, parts["s"], parts["f"], tail)

    @property
    def shape(self) -> str:
        """Return the style of writing."""
        second = ":ss" if self.second else ""
        fraction = "." + "f" * (len(self.fraction) - 1) if self.fraction else ""
        minute = "mm" if self.minute else ""
        return f"{self.mark}h{self.joint}{minute}{second}{fraction}{self.tail}".casefold()

    @property
    def normal(self) -> str:
        """Return the time in ISO 8601: T22:30."""
        return f"T{self._hour:02d}:{self.minute or '00'}{self.second and ':' + self.second}"

    @property
    def _hour(self) -> int:
        hour = int(self.hour) % 24
        return hour % 12 + 12 * (self._half == "p") if self._half else hour

    @property
    def _half(self) -> str:
        mark = self.tail.strip().lower()[:1]
        return mark if mark in ("a", "p") else ""

    def written(self, to: _Drawn) -> str:
        """Draw another time: the same one for this time everywhere in the scope."""
        chance = to.draw.part(to.draw.entity, self.normal).chance
        quarter, within = divmod(self._hour, 6)
        hour = quarter * 6 + (within + 1 + chance.below(5)) % 6
        twelve = bool(self._half) or not self.minute
        if twelve:
            hour = hour % 12 or 12
        wide = len(self.hour) == 2 and not twelve and (self.mark or self.second or not self.joint)
        text = f"{hour:02d}" if wide or self.hour.startswith("0") else str(hour)
        text = self.mark + text + self.joint
        if self.minute:
            step = next(step for step in (30, 15, 5, 1) if int(self.minute) % step == 0)
            text += f"{step * chance.below(60 // step):02d}"
        if self.second:
            text += f":{chance.below(60):02d}"
        if self.fraction:
            width = len(self.fraction) - 1
            text += f".{chance.below(10**width):0{width}d}"
        return text + self.tail
