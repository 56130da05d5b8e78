"""Measure the space of each line of a finding, and plan how a text is set in it."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import cv2
import numpy as np

from presidio_cdip.imaging.painting.painting import piece_ratio, spacing_for, width_of
from presidio_cdip.imaging.reading.boxes import LineBox, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.fitting import Fit
from presidio_cdip.imaging.style.rendering import drawn
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import Style
from presidio_cdip.imaging.words import STARTS_BOX, Box

LOOSE = 0.12
"""Maximum misfit of a surrogate, as a share of the width; with more it does not fit."""

_JOINED, _JOINING, _MOST_JOINED = 0.08, 0.2, 0.1
"""Penalty for touching letters: its weight, the log ratio of connected components from which it
applies, and its maximum, which alone never makes a surrogate unfit."""
_DECIMALS = re.compile(r"[.,](?=\d{1,4}\D*$)")  # the decimal point
_ARTICLE = re.compile(r"\W*(an?|An?|AN)")
_COLUMN_SPACES = 3  # between columns, at least
_COLUMN = 2  # minimum count of numbers on other lines that make a column
_TRUSTED = 0.9  # correlation of a fit whose word edges are more accurate than OCR's
_NEARER, _OVERLAPS = 0.15, 1.0
"""Em units by which a text may come nearer to the next word than the minimum gap; and the misfit of
one that would come nearer still, which never fits."""
_APART = 1.2  # em units to the next word, from which it does not follow closely
_GAP = 0.3  # em units: the minimum gap before the next word
_MARGIN, _IN_MARGIN = 0.8, 0.05
"""Em units of bare paper beyond the edge of the page's text that a text may take, as an article
that gets a letter more at the end of a line; and the misfit of one that does."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Describe how one line of a finding is to be painted.

    Attributes:
        part: The line.
        style: Its style.
        text: The text to paint; not shown by `repr`.
        pen: The start of the baseline, in pixels of the page.
        spacing: Letter spacing in em units.
    """

    part: LineBox
    style: Style
    text: str = field(repr=False)
    pen: tuple[float, float]
    spacing: float

    def moved(self, right: int, down: int) -> "Plan":
        """Return the plan some pixels to the right and down."""
        return replace(self, pen=(self.pen[0] + right, self.pen[1] + down))


@dataclass(frozen=True, slots=True)
class Place:
    """Describe the position of one line of a finding and its space, in pixels of the page.

    Attributes:
        part: The line.
        style: Its style.
        left: The left edge of the original's ink.
        right: The right edge of the original's ink.
        low: The minimum x of a new text.
        high: The maximum x of a new text.
        margin: Pixels of bare paper beyond it that are of the page's margin.
        follows: Whether the next word is so close that a gap would be visible.
        aligned: The alignment in its column: ``left``, ``right``, or ``decimal`` for the decimal
            point.
        edge: The x of that alignment.
    """

    part: LineBox
    style: Style
    left: float
    right: float
    low: float
    high: float
    margin: float
    follows: bool
    aligned: str
    edge: float

    def plan(self, text: str) -> tuple[Plan, float]:
        """Return the plan for *text*, and its misfit as a share of the width; 0 or less fits."""
        style, old = self.style, self.right - self.left
        off = 0.0
        own = wanted = width_of(style, text)
        if self.follows and abs(own - old) > LOOSE / 3 * old:
            # In running text the next word is not moved.
            wanted = old
            # A large change of the spacing makes letters touch: prefer another surrogate.
            off = (abs(own - wanted) / wanted - LOOSE / 2) / 4
        room = self.high - self.low
        wanted = min(wanted, room)
        spacing = style.fit.spacing if wanted == own else spacing_for(style, text, wanted)
        width = width_of(style, text, spacing)
        joined = float(np.log(style.piece_ratio / piece_ratio(style, text, spacing)))
        off = max(off, min(_JOINED * (joined - _JOINING), _MOST_JOINED))
        left = self.edge
        if self.aligned == "right":
            left -= width
        elif self.aligned == "decimal":
            left -= _decimal_at(style, text, spacing)
        before, behind = max(0.0, self.low - left), max(0.0, left + width - self.high)
        over = before + behind
        if over > 0.01:
            if over <= _NEARER * style.fit.em:
                off = max(off, over / room + 1e-3)
            else:
                off = max(off, _IN_MARGIN if not before and behind <= self.margin else _OVERLAPS)
        return Plan(self.part, style, text, self._pen(text, left), spacing), off

    def opened(self, more: float) -> "Place":
        """Return the place for a text behind which all words move, by *more* pixels at most."""
        high = max(self.high, self.right + more)
        return replace(self, high=high, margin=0.0, follows=False)

    def moves(self, plan: Plan) -> int:
        """Return by how many pixels *plan* is wider than the original."""
        return round(width_of(plan.style, plan.text, plan.spacing) - (self.right - self.left))

    def _pen(self, text: str, left: float) -> tuple[float, float]:
        """Return the pen position for which the ink of *text* starts at *left*."""
        style = self.style
        matrix = style.fit.matrix
        base = next((fit for fit in style.words if fit is not None), style.fit)
        slope = matrix[1, 0] / matrix[0, 0]
        start = left - drawn(style.fit.face.file, text, style.fit.spacing).ink[0] * matrix[0, 0]
        return start, base.pen[1] + slope * (start - base.pen[0])

    def with_ink(self, size: tuple[int, int]) -> LineBox:
        """Return the line with its box extended to all of its ink, if OCR's box was too short.

        Args:
            size: Width and height of the page.
        """
        box = self.part.box
        most = box.height // 2
        whole = box.union(
            Box(
                max(int(self.left) - 1, box.left - most),
                box.top,
                min(int(self.right) + 2, box.right + most),
                box.bottom,
            )
        )
        return replace(self.part, box=whole.clipped(size))


_TAIL = 0.3  # em behind the original's right edge that may be its own ink
_LETTER = 0.4  # share of a line's height that an unread letter has, at least


class Places:
    """Measure the positions of the lines of a page's findings.

    Args:
        layout: The page's text and words.
        sheet: The page.
    """

    def __init__(self, layout: LayoutText, sheet: Sheet) -> None:
        self._layout = layout
        self._sheet = sheet
        self._size = sheet.pixels.shape[1], sheet.pixels.shape[0]
        self._planned: list[tuple[tuple[int, ...], Box]] = []
        self._vacant = set[int]()  # words in whose place nothing will stand
        self._moved = defaultdict[int, int](int)  # by word: the pixels by which it moves right

    def reserve(self, plan: Plan) -> None:
        """Keep surrogates that are planned later off that of *plan*, the last for its words."""
        left, _ = plan.pen
        width = width_of(plan.style, plan.text, plan.spacing)
        box = plan.part.box
        place = Box(int(left), box.top, int(np.ceil(left + width)), box.bottom)
        own = plan.part.words
        self._vacant -= set(own)
        self._planned = [one for one in self._planned if one[0] != own] + [(own, place)]

    def vacate(self, part: LineBox) -> None:
        """Let others have the place of *part*, in which nothing will stand."""
        self._planned = [one for one in self._planned if one[0] != part.words]
        self._vacant |= set(part.words)

    def behind(self, part: LineBox) -> Sequence[int]:
        """Return the words behind *part* on its line, up to a gap between columns or a box."""
        found: list[int] = []
        last = part.words[-1]
        while self.whole(part)[1] and last + 1 < len(self._layout.words):
            gap = self._layout.spans[last + 1][0] - self._layout.spans[last][1]
            if self._layout.lines[last + 1] != part.line or gap != 1:
                break
            last += 1
            if STARTS_BOX.match(self._layout.words[last].text):
                break
            found.append(last)
        while found and found[-1] in self._vacant:
            found.pop()
        return found

    def line(self, words: Sequence[int]) -> LineBox:
        """Return the adjacent *words* of one line as a line."""
        start, end = self._layout.spans[words[0]][0], self._layout.spans[words[-1]][1]
        return self.joined(line_boxes(self._layout, start, end, self._size))[0]

    def has_rules(self, line: LineBox) -> bool:
        """Return whether rules or dotted lines cross *line* or run along it."""
        at = line.box.grown(0, line.box.height // 3).clipped(self._size).within()
        return bool(self._sheet.rules[at].any() or (self._sheet.leaders.mask[at] > 0).any())

    def room(self, index: int, style: Style) -> int:
        """Return the pixels by which a word, or the surrogate planned in its place, can move.

        A space remains before the next word, and before another column the three spaces that tell
        it from the next word.
        """
        part = self.line([index])
        ends = [box.right for words, box in self._planned if index in words]
        right = float(max([self._layout.words[index].box.right + self._moved[index], *ends]))
        after = self.line([index + 1]) if index + 1 < len(self._layout.words) else None
        spaces = 1 if after and self._follows(part, after) else _COLUMN_SPACES
        high, margin, _ = self._high(part, style, right, spaces * _space(style))
        return max(0, int(high + margin - right))

    def move(self, words: Collection[int], right: int) -> None:
        """Move *words*, and what is planned in their place, some pixels to the right."""
        for index in words:
            self._moved[index] += right
        self._planned = [
            (own, box.moved(right, self.lower(right)) if set(own) & set(words) else box)
            for own, box in self._planned
        ]

    def lower(self, right: float) -> int:
        """Return by how many pixels the page's lines fall over a distance to the right."""
        return round(self._sheet.slope * right)

    def moved(self, words: Sequence[int]) -> Iterator[tuple[Sequence[int], int]]:
        """Yield stretches of adjacent *words* that move alike, and by how many pixels."""
        for by, run in groupby(
            enumerate(words), lambda one: (self._moved[one[1]], one[1] - one[0])
        ):
            yield [index for _, index in run], by[0]

    def _others(self, part: LineBox) -> Iterator[Box]:
        """Yield the boxes of other words, and of surrogates that are planned in their place."""
        for index, word in enumerate(self._layout.words):
            if index not in part.words and index not in self._vacant:
                yield word.box.moved(self._moved[index], 0) if index in self._moved else word.box
        for words, box in self._planned:
            if words != part.words:
                yield box

    def of(self, part: LineBox, style: Style) -> Place:
        """Return the place of *part*, which is set in *style*."""
        left, right = self._extent(part, style)
        aligned, edge = self._aligned(part, style, left, right)
        low, high, margin, follows = left, right, 0.0, False
        if aligned != "right":
            high, margin, follows = self._high(part, style, right)
        if aligned != "left":
            low, follows = self._low(part, style, left), False
        return Place(part, style, left, right, low, high, margin, follows, aligned, edge)

    def joined(self, parts: Sequence[LineBox]) -> tuple[LineBox, ...]:
        """Join parts of a line that only its slope divides, so that it is painted in one piece."""
        found: list[LineBox] = []
        for part in parts:
            if found and self._follows(found[-1], part):
                before = found.pop()
                part = replace(
                    part,
                    box=before.box.union(part.box),
                    words=before.words + part.words,
                    text=f"{before.text} {part.text}",
                    lead=before.lead,
                )
            found.append(part)
        return tuple(found)

    def _follows(self, before: LineBox, part: LineBox) -> bool:
        last, first = before.words[-1], part.words[0]
        gap = self._layout.spans[first][0] - self._layout.spans[last][1]
        return before.line == part.line and first == last + 1 and gap == 1

    def article(self, part: LineBox) -> LineBox | None:
        """Return the article that is the word before *part*; None if another word is."""
        before = part.words[0] - 1
        if before < 0 or not self.whole(part)[0]:
            return None
        found = _ARTICLE.fullmatch(self._layout.words[before].text)
        if not found:
            return None
        start, end = self._layout.spans[before]
        return line_boxes(self._layout, start + found.start(1), end, self._size)[0]

    def whole(self, part: LineBox) -> tuple[bool, bool]:
        """Return whether *part* starts, and whether it ends, at a word boundary."""
        first, last = (self._layout.words[index].box for index in (part.words[0], part.words[-1]))
        return part.box.left <= first.left, part.box.right >= last.right

    def _extent(self, part: LineBox, style: Style) -> tuple[float, float]:
        """Return the left and right edge of the original's ink."""
        words = [self._layout.words[index] for index in part.words]
        first, last = style.words[0], style.words[-1]
        left, right = float(words[0].box.left), float(words[-1].box.right)
        # OCR's boxes may cut off part of a word, or include space beside it.
        if first and first.correlation >= _TRUSTED:
            left = _inked(first, words[0].text)[0]
        if last and last.correlation >= _TRUSTED:
            right = _inked(last, words[-1].text)[1]
        whole = "".join(word.text for word in words)
        if len(part.text.replace(" ", "")) < len(whole):
            at = words[0].text.find(part.text.split()[0]) if part.text.split() else 0
            if first and at > 0:
                pens = drawn(first.face.file, words[0].text, first.spacing).pens
                left = max(left, first.pen[0] + first.matrix[0, 0] * pens[at])
            else:
                left = max(left, float(part.box.left))
            tail = part.text.split()[-1] if part.text.split() else ""
            end = words[-1].text.rfind(tail) + len(tail)
            if last and 0 < end < len(words[-1].text):
                pens = drawn(last.face.file, words[-1].text, last.spacing).pens
                right = min(right, last.pen[0] + last.matrix[0, 0] * pens[end])
            else:
                right = min(right, float(part.box.right))
        return left, max(right, left + 1)

    def _high(
        self, part: LineBox, style: Style, right: float, gap: float | None = None
    ) -> tuple[float, float, bool]:
        """Return the maximum x of a new text, the margin beyond, and if a word follows closely.

        Args:
            part: The line.
            style: Its style.
            right: Where its text ends now.
            gap: Pixels before the next word; None for the minimum, or a space if it stands apart.
        """
        words, em = self._layout.words, style.fit.em
        if not self.whole(part)[1]:
            return right, 0.0, True  # the word continues after the part
        limit = float(self._size[0]) - 2
        follows = False
        for box in self._others(part):
            if box.left < right - 1:
                continue
            apart = box.left - right >= _APART * em
            least = max(_GAP * em, _space(style) if apart else 0.0) if gap is None else gap
            if self._beside(box, part.box) > 0.3 and box.left - least < limit:
                limit = box.left - least
                follows = not apart
        edge = max(float(max((word.box.right for word in words), default=0)), right)
        limit = min(limit, edge + _MARGIN * em)
        limit = min(limit, self._ruled(part, right, limit))
        limit = max(right, min(limit, self._unread(part, right + _TAIL * em, limit)))
        high = limit if follows else min(limit, edge)
        return high, limit - high, follows

    def _beside(self, one: Box, other: Box) -> float:
        """Return how much the lines of two boxes overlap, as a share of the lower one's height."""
        (top, bottom), (above, below) = (box.straight(self._sheet.slope) for box in (one, other))
        return (min(bottom, below) - max(top, above)) / max(1.0, min(bottom - top, below - above))

    def _low(self, part: LineBox, style: Style, left: float) -> float:
        """Return the minimum x of a new text."""
        words = self._layout.words
        limit = min(left, min(word.box.left for word in words))
        for box in self._others(part):
            if box.right > left + 1:
                continue
            if self._beside(box, part.box) > 0:
                limit = max(limit, box.right + _GAP * style.fit.em)
        crossing = self._crossing(part, max(0, int(limit)), max(0, int(left)))
        if crossing:
            limit += crossing[-1] + _GAP * style.fit.em
        return min(limit, left)

    def _ruled(self, part: LineBox, right: float, limit: float) -> float:
        """Return the x of the first vertical rule to the right of the value, or *limit*."""
        crossing = self._crossing(part, int(right) + 1, int(limit))
        return right + crossing[0] if crossing else limit

    def _unread(self, part: LineBox, left: float, right: float) -> float:
        """Return the x of the first letter that no word has between *left* and *right*, or *right*.

        OCR reads not all that is printed, and what it does not read stays. Rules, leaders and
        specks are no letters.
        """
        top, bottom = part.box.straight(self._sheet.slope)
        columns = np.arange(int(left), max(int(left), int(right)))
        rows = np.arange(round(top), round(bottom))[:, None]
        rows = rows + np.round(self._sheet.slope * columns).astype(int)
        if not rows.size:
            return right
        at = np.clip(rows, 0, len(self._sheet.ink) - 1), columns
        strip = (
            (self._sheet.ink[at] > 0) & ~self._sheet.rules[at] & ~(self._sheet.leaders.mask[at] > 0)
        )
        for index in self._vacant:
            box = self._layout.words[index].box.grown(part.box.height // 8, 0)
            if self._beside(box, part.box) > 0:
                strip[:, (box.left <= columns) & (columns < box.right)] = False
        _, _, found, _ = cv2.connectedComponentsWithStats(strip.astype(np.uint8))
        tall = found[1:][found[1:, cv2.CC_STAT_HEIGHT] >= _LETTER * (bottom - top)]
        return left + int(tall[:, cv2.CC_STAT_LEFT].min()) if len(tall) else right

    def _crossing(self, part: LineBox, left: int, right: int) -> list[int]:
        """Return the x of vertical rules between *left* and *right*, relative to *left*."""
        slope, rules = self._sheet.slope, self._sheet.rules
        top, bottom = part.box.straight(slope)
        columns = np.arange(left, max(left, right))
        rows = np.arange(round(top), round(bottom))[:, None] + np.round(slope * columns).astype(int)
        strip = rules[np.clip(rows, 0, len(rules) - 1), columns]
        return np.flatnonzero(strip.mean(axis=0) > 0.8).tolist() if strip.size else []

    def _aligned(self, part: LineBox, style: Style, left: float, right: float) -> tuple[str, float]:
        """Return the alignment of *part* in a column of numbers, and its x."""
        if not re.fullmatch(r"[\d\s.,:/$%()-]+", part.text):
            return "left", left
        own = {"left": left, "right": right, "decimal": left + _decimal_at(style, part.text)}
        near = max(2.0, 0.12 * part.box.height)
        votes = dict.fromkeys(own, 0)
        for index, word in enumerate(self._layout.words):
            if self._layout.lines[index] == part.line or not re.search(r"\d", word.text):
                continue
            if abs(word.box.top - part.box.top) > 12 * part.box.height:
                continue
            box = word.box
            edges = {"left": float(box.left), "right": float(box.right)}
            if _DECIMALS.search(word.text) and style.fit.face.draws(word.text):
                wide = drawn(style.fit.face.file, word.text, style.fit.spacing)
                share = _decimal_at(style, word.text) / style.fit.matrix[0, 0]
                edges["decimal"] = box.left + box.width * share / (wide.ink[2] - wide.ink[0])
            for name, edge in edges.items():
                votes[name] += abs(edge - own[name]) <= near
        # Numbers with equally many decimals are aligned both ways: the right edge is preferred.
        order = ("left", "right", "decimal") if _DECIMALS.search(part.text) else ("left", "right")
        best = max(order, key=lambda name: (votes[name], -order.index(name)))
        if best == "left" or votes[best] < _COLUMN:
            return "left", left
        return best, own[best]


def _space(style: Style) -> float:
    """Return the width of a space in *style*, in pixels."""
    fit = style.fit
    return drawn(fit.face.file, " ", fit.spacing, style.between).pens[1] * float(fit.matrix[0, 0])


def _decimal_at(style: Style, text: str, spacing: float | None = None) -> float:
    """Return the pixels from the left edge of *text* to its decimal point, or its right edge."""
    fit = style.fit
    spacing = fit.spacing if spacing is None else spacing
    word = drawn(fit.face.file, text, spacing, style.between)
    found = _DECIMALS.search(text)
    at = word.pens[found.start()] if found else word.ink[2]
    return float((at - word.ink[0]) * fit.matrix[0, 0])


def _inked(fit: Fit, text: str) -> tuple[float, float]:
    """Return the left and right edge of the ink of *text* according to *fit*."""
    left, _, right, _ = drawn(fit.face.file, text, fit.spacing).ink
    return fit.pen[0] + fit.matrix[0, 0] * left, fit.pen[0] + fit.matrix[0, 0] * right
