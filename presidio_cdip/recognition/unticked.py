"""Tell the options that a form prints in a row, without boxes and without a mark at one of them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.boxes import TICK
from presidio_cdip.recognition.tables import Stretch

_SETS = english().options
_JOINTS = "|".join(english().labels["choice_joints"])
_INSTRUCTIONS = "|".join(map(re.escape, english().labels["no_options"]))
_ANSWERS = frozenset({"answers", "letters"})  # sets of two, of which each row of a table has one
_OR = rf"(?:(?:{_JOINTS})[ \t])?"
_BETWEEN = rf"(?:[ \t]?,[ \t]?{_OR}|[ \t]?[/|][ \t]?|[ \t]{{1,2}}{_OR})"
_CLOSE = r"(?:[ \t]?[/|][ \t]?|[ \t]{1,2}|_{1,12}[ \t]{0,4})"


_ALTERNATIVES = {
    name: rf"(?<![^\W_])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![^\W_])"
    for name, words in _SETS.items()
}
_WORDS = {name: re.compile(rf"(?i){word}") for name, word in _ALTERNATIVES.items()}
_RUNS = {
    name: re.compile(
        rf"(?i){word}(?:{_CLOSE if name in _ANSWERS else _BETWEEN}{word})+"
        rf"(?:{_CLOSE}(?:{_INSTRUCTIONS})(?!\w))?"
    )
    for name, word in _ALTERNATIVES.items()
}
_FEWEST = 3  # options of a set that has as many
_LONG = 400  # characters; a longer line has no options
_ASKED = re.compile(r"[:?][ \t_]*\Z")
_CHOICE = re.compile(rf"[ \t_]{{0,6}}(?:\?|\(?(?:{_INSTRUCTIONS})\b)", re.I)
_END = re.compile(r"[ \t_.]*(?:\n|\Z)")
_LABEL = re.compile(r"(?P<asked>[^\W\d_][^:?\n]{0,80}):[ \t]*\Z")
_IN_QUESTIONS = "|".join(map(re.escape, english().labels["in_questions"]))
_SHORT = re.compile(rf"(?i)\s*(?:(?!(?:{_IN_QUESTIONS})\b)[\w'’-]+\s*){{1,2}}")  # asked of alone
_OF_SEVERAL = re.compile(r"\([^()]{1,40}[,/&][^()]{1,40}\)[ \t:?]*\Z")  # "(father, mother): no yes"
_TWO_ASKED = re.compile(  # on the line above two answers
    r"[^?\n]+\?(?P<gap>[ \t]{2}|)[^?\n]+\?[ \t]*\n"
)
_TWO_ANSWERS = re.compile(
    r"[ \t]*(?P<first>[^\W\d_]+)[ \t](?P<gap>[ \t]|)[ \t]*(?P<second>[^\W\d_]+)[ \t]*"
)
_TICKS = rf"(?:{TICK.pattern}|[×✗✘>])"
_TICK_BEFORE = re.compile(rf"(?<![^\W_]){_TICKS}[ \t_]{{0,16}}\Z")
_TICK_BEHIND = re.compile(rf"[ \t_]{{0,16}}{_TICKS}(?![\w-])")


def is_unticked(text: str, start: int, end: int) -> bool:
    """Return whether ``[start, end)`` is in a row of options of which none has a mark.

    >>> text = "Health: Excellent Good Fair Poor"
    >>> is_unticked(text, 8, 17), is_unticked("Health: Good", 8, 12)
    (True, False)
    """
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    stop = stop if stop >= 0 else len(text)
    if stop - line > _LONG:
        return False
    above = text.rfind("\n", 0, max(0, line - 1)) + 1
    asked, given = _TWO_ASKED.fullmatch(text, above, line), _TWO_ANSWERS.fullmatch(text, line, stop)
    if asked and given:
        apart = asked["gap"].isspace() and given["gap"].isspace()  # two columns
        if apart or not _is_as_printed((given["first"], given["second"])):
            return False
    return any(line + first < end and start < line + last for first, last in _rows(text[line:stop]))


@lru_cache(maxsize=64)
def _rows(line: str) -> tuple[Stretch, ...]:
    return tuple(_found(line))


def _found(line: str) -> Iterator[Stretch]:
    """Yield the rows of options in *line*."""
    for name, run in _RUNS.items():
        for row in run.finditer(line):
            words = _WORDS[name].findall(row.group())
            if len({word.lower() for word in words}) != len(words):
                continue  # the answers of a table's row
            if len(words) < min(_FEWEST, len(_SETS[name])) or not _are_alike(words):
                continue
            if _TICK_BEFORE.search(line, 0, row.start()) or _TICK_BEHIND.match(line, row.end()):
                continue
            if not _is_as_printed(words) and (
                _OF_SEVERAL.search(line, 0, row.start()) or _asks(line, row.start()) == len(words)
            ):
                continue
            is_asked = (
                "," not in row.group()  # "Health (wife, child): good, fair"
                and _ASKED.search(line, 0, row.start())
                and _END.match(line, row.end())
            )
            if name in _ANSWERS or is_asked or _CHOICE.match(line, row.end()):
                yield row.span()


def _asks(line: str, end: int) -> int:
    """Return of how many the label before *end* asks: "Vision / hearing / teeth:".

    The parts of a question are one: "If married, is your wife living?"
    """
    label = _LABEL.search(line, 0, end)
    parts = re.split(r"[,/;]", label["asked"]) if label else []
    return len(parts) if all(map(_SHORT.fullmatch, parts)) else 0


def _is_as_printed(words: Sequence[str]) -> bool:
    """Return whether *words* are yes and no as forms print them, so that none is given."""
    return tuple(word.lower() for word in words) in {_SETS[name] for name in _ANSWERS}


def _are_alike(words: list[str]) -> bool:
    """Return whether no word has capitals that another lacks, which may be its mark."""
    return len({(word.isupper() and len(word) > 1, word.islower()) for word in words}) == 1
