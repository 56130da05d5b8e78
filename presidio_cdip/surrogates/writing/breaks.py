"""Read a value over the end of a line as one phrase, and break its surrogate there, too."""

import re
from collections.abc import Callable
from typing import NamedTuple

from presidio_cdip.pack.language import english

_BREAK = re.compile(r"(?:(?P<word>[^\W\d_]+)-|(?<=\S))[^\S\r\n]*(?P<end>\r?\n[^\S\n]*)(?=\S)")
_HYPHENED = frozenset(english().labels["hyphened"])  # before a hyphen that is no line's end
_AHEAD = re.compile(r"[^\W\d_][\w.'’]*(?: [^\W\d_][\w.'’]*)?\Z")
_BEHIND = re.compile(r"[^\W\d_][\w.'’]*(?: [^\W\d_][\w.'’]*)?")


class Joined(NamedTuple):
    """A value whose lines are joined.

    Attributes:
        phrase: The value without the ends of lines that break a phrase.
        breaks: Where they were, of the phrase's length (0 to 1), and the end of the line with the
            blanks that the next begins with.
    """

    phrase: str
    breaks: tuple[tuple[float, str], ...]

    def broken(self, surrogate: str) -> str:
        r"""Return *surrogate* with an end of a line at the blank nearest to each break.

        A surrogate of one word has no place for it.

        >>> joined("rheumatoid\narthritis").broken("kidney stones")
        'kidney\nstones'
        """
        for share, end in self.breaks:
            blanks = [one.start() for one in re.finditer(r"(?<=\S) (?=\S)", surrogate)]
            if blanks:
                at = min(blanks, key=lambda blank: abs(blank - share * len(surrogate)))
                surrogate = f"{surrogate[:at]}{end}{surrogate[at + 1 :]}"
        return surrogate


def joined(value: str, is_name: Callable[[str], bool] | None = None) -> Joined:
    r"""Return *value* without the ends of lines that break a phrase.

    Args:
        value: The value.
        is_name: If given, an end of a line stays, unless this tells that a name goes on behind it.

    >>> [joined(one).phrase for one in ("broken\n   leg", "shop-\nlifting", "non-\nunion")]
    ['broken leg', 'shoplifting', 'non-union']
    >>> joined("Elm St.\nWheeling, West\nVirginia", lambda one: one == "West Virginia").phrase
    'Elm St.\nWheeling, West Virginia'
    """
    phrase, at, breaks = "", 0, []
    for match in _BREAK.finditer(value):
        before, after = value[: match.start()], value[match.end() :]
        if is_name and not _breaks_name(before, after, is_name):
            continue
        phrase += value[at : match.start()]
        if word := match["word"]:
            hyphened = word.lower() in _HYPHENED or len(word) == 1 or not after[:1].islower()
            phrase += f"{word}-" if hyphened else word
        else:
            phrase += " "
        breaks.append((len(phrase), match["end"]))
        at = match.end()
    phrase += value[at:]
    return Joined(phrase, tuple((one / len(phrase), end) for one, end in breaks))


def _breaks_name(before: str, after: str, is_name: Callable[[str], bool]) -> bool:
    """Tell whether a name goes on from *before* to *after*, and neither part is one."""
    ahead, behind = _AHEAD.search(before), _BEHIND.match(after)
    if not ahead or not behind:
        return False
    firsts = {ahead.group(), ahead.group().split(" ")[-1]}
    seconds = {behind.group(), behind.group().split(" ")[0]}
    return not any(map(is_name, firsts)) and any(
        is_name(f"{one} {other}") for one in firsts for other in seconds
    )
