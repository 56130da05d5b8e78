"""Read the options that forms print with boxes: which are ticked, and what they are options of.

All boxes of a line stand before their options, or all behind them. Which, is told by how the
line begins and ends, by which side each box is nearer to, by the words that are known as options,
and where a line leaves it open by the lines around it. Where that says nothing either, the line
has no options.

Where boxes stand in columns headed "Yes" and "No", what stands before them is ticked by a mark
under "Yes", and the headings are options that are not.

Without boxes, the one of several options that has a mark of its own is ticked (`boxes`), on a line
behind a label or where all are known, and in a column of known ones; or the one in capitals among
small letters, or whose number is in a ring, or whose bullet is another than that of all others
(``o Single  * Married``). A mark alone on the line above or below ticks the
option that it stands at.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.boxes import (
    ALONE,
    AROUND,
    BESIDE,
    BOX,
    BULLET,
    MAYBE_ALONE,
    MAYBE_MARKED,
    STRUCK,
    TICK,
    has_boxes,
    has_mark,
    is_drawn,
    markable,
    marked,
    may_have_bullets,
)
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.tables import Stretch, cells_of

_LABEL = re.compile(r"[:?][ \t]{0,3}(?=\S|\Z)(?![^\n]*[:?][ \t])")  # the last of a line's part
_LEADER = re.compile(r"(?:[ \t]*[.…·:_-]{2,}|[ \t:]+)\Z")  # between an option and its box
ITEM = re.compile(r"(?:\(?[a-z\d]{1,2}[.)]|\d{1,2}(?= )|[-•*])[ \t]{0,4}")
_DETAIL = re.compile(
    r"[,;:(]|(?: -|--) ?|,? (?:in )?['’]?(?:1[89]|20)?\d\d\b|,? \d{1,2}/\d"
    r"|(?:(?<=[a-z]{5})|(?<=[\s\])][a-z]{4}))\.\s+(?=[A-Z])"  # a sentence's end, no "Am. Indian"
)
_ANSWER = re.compile(rf"(?i)(?:{'|'.join(english().labels['answers'])})(?!\w)")
_QUESTION = re.compile(r"[A-Z]{3,}(?:[ /&-]{1,3}(?:OR|OF|AND|[A-Z]{2,})){0,3}")
_LAST_ANSWER = re.compile(r"(?i)(?<=\w[ \t])(?:yes|no)\Z|(?<=\?[ \t])(?:yes|no)\Z")
NO_OPTION = re.compile(rf"(?i)\W*(?:{'|'.join(english().labels['no_options'])})\b")
_YES_NO = re.compile(r"(?i)(?<!\S)(?:(yes)|no)(?=\s{2}|\s*\Z|\s+(?:yes|no)\b)")
_ONE_ANSWER = markable("(?i:yes|no?|y)", STRUCK, AROUND)
_PAIR = Pattern(
    rf"(?<![^\W_])(?P<one>{_ONE_ANSWER})(?![^\W_])(?:[ \t]{{0,6}}[/|])?[ \t]{{0,6}}"
    rf"(?<![^\W_])(?P<other>{_ONE_ANSWER})(?![^\W_])"
)
# Of two answers with one box the box stands nearer to the ticked one: "[x] no    yes".
_WITH_ONE_BOX = re.compile(
    r"(?i)(?<![\])}\w])(?:(?P<before>yes|no)(?P<far>[ \t]{2,9}))?"
    r"(?:\[ ?[x✓✔*] ?\]|\( ?[x✓✔*] ?\)|[☒☑])(?P<near>[ \t]{0,2})(?P<one>yes|no)(?!\w)"
    r"(?(before)|[ \t]{2,9}(?P<behind>yes|no))(?!\w)(?![ \t]{0,4}[\[({☐☒☑□_])"
)
_WORDS_PRINTED = r"[^\W\d_][\w.'-]{0,20}(?: [^\W\d_][\w.'-]{0,20}){0,2}"
_PRINTED = re.compile(markable(_WORDS_PRINTED, STRUCK, AROUND, BESIDE))
_PRINTED_CELL = re.compile(
    rf"{_PRINTED.pattern}(?: ?(?:[/|]|(?<= )--?(?= )) ?{_PRINTED.pattern})*[ ?.]{{0,2}}"
)
_RINGED = re.compile(r"\([1-9]\) ")
_NUMBERED = re.compile(
    r"(?<![\w(./-])(?:\((?P<ring>[1-9])\)|(?P<number>[1-9])) (?P<option>[^\W\d_][^\n]*?)"
    r"(?=\s{2,}|\s*\([1-9]\) |\s+[1-9] [^\W\d_]|[ \t]*(?:\n|\Z))"
)
_LETTER = markable("[A-Z]{1,3}", AROUND)
_LETTERS = re.compile(rf"(?:{_LETTER}[ /-])+{_LETTER}")  # single blanks separate these
_WORD = re.compile(_LETTER)
_FEWEST_PRINTED = 3  # options without boxes, at least
_BESIDE_MARK = 2  # characters by which a mark may stand beside its option
_FREE = r"[ \t:._-]{1,30}(?P<v>[^\W_](?:[^\n_ \t]| (?! )){0,40})"
_WRITTEN = re.compile(
    r"(?i)\W*others?(?:[ ,]{0,2}\(?(?:please )?(?:specify|explain|state|describe|list|which|what)\b"
    rf"[^)\n]{{0,20}}?\)?)?{_FREE}"
)
_BEHIND_BOX = re.compile(_FREE)
_LONG = 400  # characters; a longer line is prose
_SHORT = 80  # characters; a longer line without gaps and strokes is prose
_APART_PRINTED = re.compile(r"[ \t]{2}|\t|[/|]|[ -][A-Z](?![^\W_])|--")
_COLUMN = 4  # characters by which a box may stand beside its column's heading
_WORDS = 6  # of an option, at most
_WORDS_BLANK = 3  # of one in a block without a mark, which may be a list of things to do
_FEWEST_BLANK = 2  # boxes of such a block
_CLEAR = 2  # votes that tell on which side of their options boxes stand
_APART = 3  # blanks between a box and its option behind it, at most
_BLOCK = 2  # lines that may stand between two lines of boxes of one block
_FEWEST_KNOWN = 2  # where all are known

Kinds = Callable[[int, int], Collection[str]]
"""What the text between two offsets begins with: kinds of known options; none if with no such."""


OF_ONE = frozenset({
    "ETHNIC_ORIGIN", "GENDER", "MARITAL_STATUS", "NATIONALITY", "POLITICAL_OPINION", "RELIGION",
    "SEXUALITY",
})  # fmt: skip
"""Entities of which a person has one value, so that a form prints several to choose from."""


@dataclass(frozen=True, slots=True)
class Option:
    """A printed option of a question.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last.
        ticked: Whether its box has a mark.
        labels: What stands before it on its line and may say what is asked, the nearest first.
        heading: The nearest line above it that has words and no boxes; None after empty lines.
        block: Which options it stands among: equal for all lines of boxes in a row.
        is_answer: Whether it is "yes" or "no".
        is_written: Whether it was written beside the printed option "other".
        box: Its box; None where another mark or a column tells.
        is_ringed: Whether a mark of its own tells: brackets enclose remarks as well.
        printed: Where it stands with its mark, if such marks tell which is ticked.
    """

    start: int
    end: int
    ticked: bool
    labels: Sequence[Stretch]
    heading: Stretch | None
    block: int
    is_answer: bool
    is_written: bool = False
    box: Stretch | None = None
    is_ringed: bool = False
    printed: Stretch | None = None

    def is_asked(self, text: str) -> bool:
        """Return whether a question mark stands before it on its line, or above it."""
        asked = [*self.labels[:1], *filter(None, [self.heading])]
        return any(text[end - 1] == "?" for _, end in asked)


@dataclass(slots=True)
class _Line:
    """A line with boxes.

    Attributes:
        boxes: In order.
        parts: The texts before the first box, between the boxes, and after the last.
        heads: The words "yes" and "no" above its columns.
        answers: For each box whether it stands under a "yes", or under a "no"; None if under
            neither.
        heading: The nearest line above it that has words and no boxes; None after empty lines.
        votes: How much says that boxes stand before their options, less what says the contrary.
    """

    start: int
    end: int
    boxes: Sequence[re.Match[str]]
    parts: Sequence[Stretch]
    heads: Sequence[re.Match[str]]
    answers: Sequence[bool | None]
    heading: Stretch | None
    votes: int = 0


def options(text: str, kinds: Kinds) -> Iterator[Option]:
    """Yield the printed options of *text*.

    Args:
        text: The document.
        kinds: The kinds of the known option with which the text between two offsets begins.
    """
    with_marks: list[Option] = []
    if MAYBE_MARKED.search(text):
        with_marks = [*_answers(text), *_marked(text, kinds)]
    if may_have_bullets(text):
        with_marks += _bulleted(text, kinds)
    yield from with_marks
    if "(" in text:
        yield from _numbered(text)
    if MAYBE_ALONE.search(text):
        yield from _at_marks(text)
    if has_boxes(text):
        with_marks += (boxed := list(_with_one_box(text)))
        yield from boxed
        told = {one.start for one in with_marks if not one.is_ringed}
        yield from (one for one in _with_boxes(text, kinds) if one.start not in told)


def _answers(text: str) -> Iterator[Option]:
    """Yield "yes" and "no" beside each other, of which one has a mark or capitals."""
    for pair in _PAIR.finditer(text):
        both = [pair.span("one"), pair.span("other")]
        at = _chosen(text, both, is_capital=True)
        printed = [marked(text, *one)[0] for one in both]
        letters = {text[start].lower() for start, _ in printed}
        if at is None or len(letters) < len(both):
            continue
        begin = pair.start()
        above = text.rfind("\n", max(0, begin - _LONG), begin) + 1
        labels = cells_of(text, max(above, begin - _LONG), begin)[-1:]
        for number, one in enumerate(printed):
            yield Option(*one, number == at, labels, None, ~begin, True)


def _with_one_box(text: str) -> Iterator[Option]:
    """Yield "yes" and "no" of which the ticked one alone has a box."""
    for pair in _WITH_ONE_BOX.finditer(text):
        other = "before" if pair["before"] else "behind"
        is_near = other == "behind" or len(pair["near"]) < len(pair["far"])
        lead = max(0, pair.start() - _APART - 3), pair.start()
        if pair["one"].lower() == pair[other].lower() or not is_near or BOX.search(text, *lead):
            continue  # the other has a box, too, or the box may be its own
        labels = cells_of(text, text.rfind("\n", 0, pair.start()) + 1, pair.start())[-1:]
        for name in ("one", other):
            yield Option(*pair.span(name), name == "one", labels, None, ~pair.start(), True)


def _chosen(text: str, printed: Sequence[Stretch], *, is_capital: bool = False) -> int | None:
    """Return the index of the only one of *printed* with a mark, or that is not struck out.

    Args:
        text: The document.
        printed: Options, with their marks.
        is_capital: Whether capitals among small letters are a mark.
    """
    marks = [marked(text, *one)[1] for one in printed]
    if is_capital and not any(marks):
        words = [text[start:end] for start, end in printed]
        if all(len(word) > 1 and (word.isupper() or word.islower()) for word in words):
            marks = [AROUND if word.isupper() else "" for word in words]
    if STRUCK in marks:
        marks = [BESIDE if mark == "" else "" for mark in marks if mark in ("", STRUCK)]
    free = [at for at, mark in enumerate(marks) if mark]
    return free[0] if len(free) == 1 and len(marks) == len(printed) else None


def _marked(text: str, kinds: Kinds) -> Iterator[Option]:
    """Yield options of which one has a mark of its own, on a line or in a column.

    They stand behind a label, or all are known.
    """
    done = 0
    for mark in MAYBE_MARKED.finditer(text):
        if mark.start() < done:
            continue
        start = text.rfind("\n", 0, mark.start() + 1) + 1
        done = text.find("\n", mark.end())
        done = len(text) if done < 0 else done
        if done - start >= (_LONG if _APART_PRINTED.search(text, start, done) else _SHORT):
            continue
        for label, printed in _printed(text, start, done, kinds):
            if not label:
                for before, run in _known_runs(text, printed, kinds):
                    heading = None if before else _line_above(text, start)
                    yield from _choice(text, before, heading, run, kinds)
            else:
                yield from _choice(text, label, None, printed, kinds)
        lines = _column(text, start, done, kinds)
        if len(lines) > 1:
            label, first = lines[0]
            heading = None if label else _line_above(text, text.rfind("\n", 0, first[0]) + 1)
            done = lines[-1][1][1]
            yield from _choice(text, label, heading, [one for _, one in lines], kinds)


def _column(text: str, start: int, end: int, kinds: Kinds) -> list[tuple[Stretch | None, Stretch]]:
    """Return the known options in a column around the line ``[start, end)``, with their labels.

    Each has a line of its own; the first may stand behind a label.
    """
    here = _only(text, start, end, kinds)
    found = [here] if here else []
    while found and not found[0][0] and start:
        start, stop = text.rfind("\n", 0, start - 1) + 1, start - 1
        if not (one := _only(text, start, stop, kinds)):
            break
        found.insert(0, one)
    while found and end < len(text):
        start, end = end + 1, text.find("\n", end + 1)
        end = len(text) if end < 0 else end
        one = _only(text, start, end, kinds)
        if not one or one[0]:
            break
        found.append(one)
    return found


def _only(text: str, start: int, end: int, kinds: Kinds) -> tuple[Stretch | None, Stretch] | None:
    """Return the known option that is all of a line, with the label before it."""
    box = BOX.search(text, start, end) if end - start < _LONG else None
    if end - start >= _LONG or (box and not TICK.fullmatch(box.group())):
        return None
    label = _LABEL.search(text, start, end)
    first = label.end() if label else start
    written = text[first:end]
    first += len(written) - len(written.lstrip())
    one = first, first + len(written.strip())
    if not _PRINTED.fullmatch(text, *one):
        return None
    option = marked(text, *one)[0]
    is_option = kinds(*option) or NO_OPTION.match(text, *option)
    return ((start, label.end()) if label else None, one) if is_option else None


def _choice(
    text: str,
    label: Stretch | None,
    heading: Stretch | None,
    printed: Sequence[Stretch],
    kinds: Kinds,
    chosen: int | None = None,
    boxes: Sequence[Stretch] = (),
) -> Iterator[Option]:
    """Yield the options *printed* behind *label* or below *heading* if one of them is chosen.

    Which, *chosen* says, or their marks do; *boxes* are what has them, if not the options.
    """
    options = [marked(text, *one)[0] for one in printed]
    told = [set(kinds(*one)) for one in options]
    pairs = zip(told, options, strict=True)
    known = all(one or _says_itself(text, option) for one, option in pairs)
    at = _chosen(text, printed, is_capital=known) if chosen is None else chosen
    if at is None or NO_OPTION.match(text, *options[at]) or TICK.fullmatch(text, *options[at]):
        return
    letters = all(end - start == 1 for start, end in options)
    alike = sum(bool(one & told[at]) for one in told)
    if told[at] and sum(map(bool, told)) > 1 and alike < _FEWEST_KNOWN and not letters:
        return  # stands among those of other questions; a letter is of many
    is_remark = text[printed[at][0]] == "(" and not letters
    fewest = _FEWEST_KNOWN if (known or letters) and not is_remark else _FEWEST_PRINTED
    if len(printed) < fewest:
        return
    labels = [label] if label else []
    block, is_ringed = ~printed[0][0], marked(text, *printed[at])[1] != BESIDE
    answers = [_ANSWER.fullmatch(text, *one) is not None for one in options]
    alone = sum(answers) == 1  # among letters it is none: "W (N) O"
    for number, (one, answer) in enumerate(zip(options, answers, strict=True)):
        answer = answer and not alone
        box, own = (boxes[number], None) if boxes else (None, printed[number])
        yield Option(
            *one, number == at, labels, heading, block, answer,
            box=box, is_ringed=is_ringed, printed=own,
        )  # fmt: skip


def _bulleted(text: str, kinds: Kinds) -> Iterator[Option]:
    """Yield options with a bullet each, of which one is another than all others.

    They stand behind a label on a line, or all are known.
    """
    for label, heading, group in _groups(text):
        marks = [at for at, (bullet, _) in enumerate(group) if bullet["mark"]]
        printed = [option for _, option in group]
        if len(group) < _FEWEST_KNOWN or len(marks) != 1:
            continue
        known = all(kinds(*one) or _says_itself(text, one) for one in printed)
        if known or (label and text[label[1] - 1] in ":?"):
            bullets = [bullet.span("bullet") for bullet, _ in group]
            yield from _choice(text, label, heading, printed, kinds, marks[0], bullets)


def _groups(
    text: str,
) -> Iterator[tuple[Stretch | None, Stretch | None, list[tuple[re.Match[str], Stretch]]]]:
    """Yield options with bullets beside each other or below, with their label or heading."""
    group: list[tuple[re.Match[str], Stretch]] = []
    label: Stretch | None = None
    heading: Stretch | None = None
    end = -1
    for bullet in BULLET.finditer(text):
        start = text.rfind("\n", 0, bullet.end()) + 1
        stop = text.find("\n", bullet.end())
        option = cells_of(text, bullet.end(), len(text) if stop < 0 else stop)[0]
        if len(text[slice(*option)].split()) > _WORDS_BLANK:
            continue
        before = cells_of(text, start, bullet.start()) if end < start else []
        between = cells_of(text, max(end, start), bullet.start())
        follows = end == bullet.start() or text[max(end, 0) : bullet.start()].isspace()
        if group and follows and text.count("\n", end, bullet.start()) < _BLOCK:
            group.append((bullet, option))
        else:
            if group:
                yield label, heading, group
            label = next(iter((before or between)[-1:]), None)
            heading = None if label else _line_above(text, start)
            group = [(bullet, option)]
        end = option[1]
    if group:
        yield label, heading, group


def _says_itself(text: str, option: Stretch) -> bool:
    """Return whether it is an option whatever is asked: an answer, or "other"."""
    return bool(NO_OPTION.match(text, *option) or _ANSWER.fullmatch(text, *option))


def _known_runs(
    text: str, printed: Sequence[Stretch], kinds: Kinds
) -> Iterator[tuple[Stretch | None, list[Stretch]]]:
    """Yield the runs of one kind among *printed*, each with the one before it as its label."""
    label: Stretch | None = None
    run: list[Stretch] = []
    shared = set[str]()
    for first, last in printed:
        own = set(kinds(*marked(text, first, last)[0]))
        if shared & own:
            shared &= own
            run.append((first, last))
            continue
        if run:
            yield label, run
            label = None
        if not own:
            hint = text[first] == "(" and label is not None and label[1] < first
            label = (label[0], last) if hint and label else (first, last)
        run, shared = [(first, last)] * bool(own), own
    if run:
        yield label, run


def _line_above(text: str, start: int) -> Stretch | None:
    """Return the line above the one that begins at *start*, if it is not empty."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1, start - 1
    return above if start and text[slice(*above)].strip() else None


def _numbered(text: str) -> Iterator[Option]:
    """Yield options numbered from 1 on a line, ``1 male  (2) female``: a ring tells the ticked."""
    if not _RINGED.search(text):
        return
    start, heading = 0, None
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        found = list(_NUMBERED.finditer(text, start, end)) if end - start < _LONG else []
        numbers = [int(one["ring"] or one["number"]) for one in found]
        is_list = len(found) > 1 and numbers == list(range(1, len(found) + 1))
        if is_list and sum(one["ring"] is not None for one in found) == 1:
            labels = cells_of(text, start, found[0].start())[::-1]
            for one in found:
                option, box = one.span("option"), (one.start(), one.start("option") - 1)
                if not NO_OPTION.match(text, *option):
                    yield Option(
                        *option, one["ring"] is not None, labels, heading, ~start, False,
                        box=box, is_ringed=True,
                    )  # fmt: skip
        if not is_list and text[start:end].strip():
            heading = start, end
        start += len(line)


def _at_marks(text: str) -> Iterator[Option]:
    """Yield the options on the line above or below one that has nothing but a mark."""
    for mark in ALONE.finditer(text):
        left, right = (one - mark.start() for one in mark.span(mark.lastgroup or 0))
        above = text.rfind("\n", 0, max(0, mark.start() - 1)) + 1, mark.start() - 1
        below = mark.end() + 1, text.find("\n", mark.end() + 1)
        below = below[0], below[1] if below[1] >= 0 else len(text)
        for start, end in (above,) if mark["stroke"] else (above, below):
            if not 0 < end - start < _LONG or BOX.search(text, start, end):
                continue
            options = next(
                (
                    (label, printed, one)
                    for label, printed in _printed(text, start, end)
                    for one in printed
                    if one[0] - start - _BESIDE_MARK <= left
                    and right <= one[1] - start + _BESIDE_MARK
                ),
                None,
            )
            if options is None:
                continue
            label, printed, ticked = options
            labels = [label] if label else []
            if len(printed) + len(labels) >= _FEWEST_PRINTED:
                for one in printed:
                    yield Option(*one, one == ticked, labels, None, ~start, False)
                break


def _printed(
    text: str, start: int, end: int, kinds: Kinds | None = None
) -> Iterator[tuple[Stretch | None, list[Stretch]]]:
    """Yield each label of a line, or None at its beginning, with the options printed behind it.

    They are words, separated by two blanks or a stroke; or by one if all are of the known *kinds*.
    """
    label: Stretch | None = None
    found: list[Stretch] = []
    for first, last in cells_of(text, start, end):
        if label and not found:
            last = first + len(text[first:last].rstrip(" ?"))  # the question's end
        colon = _LABEL.search(text, first, last)
        if colon:
            if found:
                yield label, found
            label, found = (first, colon.start() + 1), []
            first = colon.end()
        letters = _LETTERS.fullmatch(text, first, last)
        for option in (_WORD if letters else _PRINTED).finditer(text, first, last):
            found.append(option.span())
        if found and not letters and not _PRINTED_CELL.fullmatch(text, first, last):
            found = _known_words(text, first, last, kinds) if kinds else []
            label = label if found else None
    if found:
        yield label, found


def _known_words(text: str, start: int, end: int, kinds: Kinds) -> list[Stretch]:
    """Return the words of ``[start, end)`` if all are of what a person has one of, else none."""
    words = [match.span() for match in re.finditer(r"\S+", text[start:end])]
    words = [(start + first, start + last) for first, last in words]
    told = [set(kinds(*marked(text, *one)[0])) for one in words]
    return words if len(words) >= _FEWEST_PRINTED and OF_ONE.intersection(*told) else []


def _with_boxes(text: str, kinds: Kinds) -> Iterator[Option]:
    heads: Sequence[re.Match[str]] = ()
    for number, lines in enumerate(_blocks(text)):
        boxes = [box for line in lines for box in line.boxes]
        blank = not any(map(has_mark, boxes))
        if blank and sum(map(is_drawn, boxes)) < _FEWEST_BLANK:
            continue
        free = [line for line in lines if None in line.answers]
        for line in free:
            line.votes = _votes(text, line, kinds)
        most = sum(line.votes for line in free)
        for line in lines:
            if None not in line.answers:
                if line.heads is not heads:
                    heads = line.heads
                    yield from (
                        Option(*head.span(), False, [], None, number, True) for head in heads
                    )
                yield from _answered(text, line, number)
                continue
            votes = line.votes if abs(line.votes) >= _CLEAR else most
            if abs(votes) >= _CLEAR:
                for option in _of_line(text, line, votes > 0, number):
                    if not blank or len(text[option.start : option.end].split()) <= _WORDS_BLANK:
                        yield option


def may_have_options(text: str) -> bool:
    """Return whether *text* may have boxes or marks; much faster than to read its options."""
    return (
        has_boxes(text)
        or MAYBE_MARKED.search(text) is not None
        or MAYBE_ALONE.search(text) is not None
        or may_have_bullets(text)
        or _RINGED.search(text) is not None
    )


@lru_cache(maxsize=4)
def certain_options(text: str) -> tuple[Option, ...]:
    """Return the options of *text* that are options whatever is known, in order."""
    if not may_have_options(text):
        return ()
    return tuple(sorted(options(text, lambda start, end: ()), key=lambda one: one.start))


def covering(found: Sequence[Option], start: int, end: int) -> Option | None:
    """Return the one of *found*, which are in order, that overlaps ``[start, end)``."""
    at = bisect_left(found, end, key=lambda one: one.start)
    one = found[at - 1] if at else None
    return one if one and one.end > start else None


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Yield the lines with boxes that stand together."""
    block: list[_Line] = []
    heading: Stretch | None = None
    heads: list[re.Match[str]] = []
    gap = start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        boxes = list(BOX.finditer(text, start, end)) if end - start < _LONG else []
        if boxes:
            edges = [start, *(edge for box in boxes for edge in box.span()), end]
            parts = list(zip(edges[::2], edges[1::2], strict=True))
            own = any(_ANSWER.match(text, *part) for part in _stripped(text, parts[1:]))
            answers = [None if own else _answer(text, heads, *box.span(), start) for box in boxes]
            block.append(_Line(start, end, boxes, parts, heads, answers, heading))
            gap = 0
        else:
            gap += 1
            if block and gap > _BLOCK:
                yield block
                block, heads = [], []
            if text[start:end].strip():
                heading = start, end
                printed = list(_YES_NO.finditer(text, start, end))
                if len({bool(one[1]) for one in printed}) == 2:
                    heads, heading = printed, (start, printed[0].start())
            elif gap > _BLOCK:
                heading = None
        start += len(line)
    if block:
        yield block


def _stripped(text: str, parts: Sequence[Stretch]) -> Iterator[Stretch]:
    for start, end in parts:
        yield start + len(text[start:end]) - len(text[start:end].lstrip()), end


def _answer(
    text: str, heads: Sequence[re.Match[str]], start: int, end: int, line: int
) -> bool | None:
    """Return whether the box at ``[start, end)`` stands under a "yes"; None if under no answer."""
    if not heads:
        return None
    above = text.rfind("\n", 0, heads[0].start()) + 1
    middle = (start + end) // 2 - line

    def gap(head: re.Match[str]) -> int:
        return abs(head.start() - above + 1 - middle)

    nearest = min(heads, key=gap)
    return bool(nearest[1]) if gap(nearest) <= _COLUMN else None


def _answered(text: str, line: _Line, block: int) -> Iterator[Option]:
    """Yield what the boxes of a line answer, ticked if the mark is under "yes"."""
    question: Stretch | None = None
    for index, (box, yes) in enumerate(zip(line.boxes, line.answers, strict=True)):
        question = _question(text, *line.parts[index]) or question
        if question and has_mark(box):
            yield Option(*question, bool(yes), [], line.heading, block, False)


def _votes(text: str, line: _Line, kinds: Kinds) -> int:
    """Return what says that boxes stand before their options, less what says the contrary."""
    votes = 0
    lead = _after_label(text, *line.parts[0])
    tail = cells_of(text, *line.parts[-1])
    if lead is None:
        votes += 2
    elif not kinds(*lead):
        votes += 0 if tail else -1
    if not tail:
        votes -= 2
    elif tail[0][0] - line.boxes[-1].end() < _APART:
        votes += 1
    for index in range(len(line.boxes)):
        before, behind = _behind(text, line, index), _before(text, line, index)
        votes += 2 * bool(behind and kinds(*behind))
        votes -= 2 * bool(before and kinds(*before))
        box = line.boxes[index]
        left = len(text[line.start : box.start()]) - len(text[line.start : box.start()].rstrip())
        right = len(text[box.end() : line.end]) - len(text[box.end() : line.end].lstrip())
        if before and behind and min(left, right) < 2 <= max(left, right):
            votes += 1 if right < left else -1
    return votes


def _after_label(text: str, start: int, end: int) -> Stretch | None:
    """Return the last cell of ``[start, end)``, behind the label in it; None if there is none."""
    cells = cells_of(text, start, end)
    if not cells:
        return None
    first, last = cells[-1]
    label = _LABEL.search(text, first, last)
    first = label.end() if label else first
    return _clean(text, first, last)


def _clean(text: str, start: int, end: int) -> Stretch | None:
    """Return the option in ``[start, end)`` without its number and its leader, or None."""
    leader = _LEADER.search(text, start, end)
    end = leader.start() if leader else end
    item = ITEM.match(text, start, end)
    start = item.end() if item else start
    return (start, end) if re.search(r"[^\W\d_]", text[start:end]) else None


def _question(text: str, start: int, end: int) -> Stretch | None:
    """Return the last cell of ``[start, end)``, without a question mark."""
    cells = cells_of(text, start, end)
    if not cells:
        return None
    first, last = cells[-1]
    return _clean(text, first, first + len(text[first:last].rstrip("?: ")))


def _behind(text: str, line: _Line, index: int) -> Stretch | None:
    """Return the option before box *index*: the box stands behind it.

    Of "Asthma No" it is the answer.
    """
    found = _after_label(text, *line.parts[index])
    answer = _LAST_ANSWER.search(text, *found) if found else None
    return answer.span() if answer else found


def _before(text: str, line: _Line, index: int) -> Stretch | None:
    """Return the option behind box *index*: the box stands before it."""
    start, end = line.parts[index + 1]
    cells = cells_of(text, start, end)
    if not cells or cells[0][0] - start > _APART:
        return None
    first, last = cells[0]
    detail = _DETAIL.search(text, first + 1, last)
    answer = _ANSWER.match(text, first, last)
    last = answer.end() if answer else detail.start() if detail else last
    return _clean(text, first, last)


def _of_line(text: str, line: _Line, before: bool, block: int) -> Iterator[Option]:
    find = _before if before else _behind
    labels: list[Stretch] = []
    for index, box in enumerate(line.boxes):
        option = find(text, line, index)
        answer = option is not None and _ANSWER.fullmatch(text, *option) is not None
        if new := _labels(text, line, index, None if before else option, answer):
            labels = new
        if option is None:
            continue
        if NO_OPTION.match(text, *option):
            written = _written(text, line, index, None if before else option)
            if has_mark(box) and written:
                yield Option(*written, True, labels, line.heading, block, False, True)
            continue
        start, end = option
        if len(text[start:end].split()) > _WORDS:
            continue
        is_ticked, place = has_mark(box), box.span()
        yield Option(start, end, is_ticked, labels, line.heading, block, answer, box=place)


def _written(text: str, line: _Line, index: int, option: Stretch | None) -> Stretch | None:
    """Return what is written behind "other", which is *option*, or stands behind box *index*."""
    start, end = line.parts[index + 1]
    if option is None:
        other = _WRITTEN.match(text, start, end)
    elif text[slice(*option)].lower().startswith("other") and index + 1 == len(line.boxes):
        other = _BEHIND_BOX.match(text, start, end)
    else:
        other = None
    return other.span("v") if other else None


def _labels(
    text: str, line: _Line, index: int, option: Stretch | None, answer: bool
) -> list[Stretch]:
    """Return what stands before box *index* and before its *option*, the nearest first.

    Behind another box only what ends in a colon or a question mark begins a new question, what
    stands before an *answer*, a cell from the option of the other box, and, where boxes stand
    before their options, a cell in capitals: "[X] F    RACE  [ ] W".
    """
    start, end = line.parts[index]
    end = option[0] if option else end
    cells = cells_of(text, start, end)
    if index:
        own = cells if option else cells[1:]
        asked = [cell for cell in cells if text[cell[1] - 1] in ":?"]
        if not asked and not option and own and _QUESTION.fullmatch(text, *own[-1]):
            asked = own[-1:]
        cells = own if answer else asked
    return cells[::-1]
