"""Tell the ink of a value from the rules, lines and words around it.

OCR's box of a word is only a hint: it may be too short, too low or too wide. Ink is assigned by its
connected components, of which most lie either on the value's line or off it. Letters that touch
another line, word or rule are cut there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.page.leaders import Leader
from presidio_cdip.imaging.page.paper import Mask, Pixels
from presidio_cdip.imaging.page.ruling import Points, Shifts, mask_of, rules_in
from presidio_cdip.imaging.reading.boxes import LineBox
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.sheet import INKY, Sheet
from presidio_cdip.imaging.words import Box

_INK = 0.2  # minimum darkness of a pixel of a letter, with its soft edge
_LOOKED = 2  # of a line's height: the margin in which ink is examined
_STOP = 0.12, 0.35  # of a line's height: the least and the most height of a full stop
_ALONE = 2.5  # of a line's height: a dot that others follow is one of a dotted line
_BROKEN = 5  # of a line's height: the fraction that the pieces of a broken letter are apart
_ADJOINS = 0.4  # of a line's height: the maximum gap to a letter that OCR left out
_BESIDE = 0.2  # of a line's height: how much further than its margin OCR's box may be off
_LETTER = 0.35, 1.4  # of a line's height: letters that tell where the line is
_THIN = 8  # the maximum ratio of a letter's height to its width; beyond it is the side of a box
_RULE = 3.0  # of a line's height: the minimum length of an underline
_THICK = 0.2  # of a line's height: the maximum thickness of a rule
_SOFT = 2  # pixels: how far the soft edge of a letter reaches
_OUT_OF_STEP = 200.0  # pixels of distance that count as much as one between two dots' phases
_HUE = 0.95  # minimum cosine between the absorptions of ink of one colour
_COLOURED = 60.0  # grey levels: the minimum absorption of ink whose colour is compared


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """Hold the ink of one line of a finding.

    Attributes:
        near: The examined area, in pixels of the page; the masks are of this area.
        gone: The mask of the pixels to erase: where the value stands, and its ink beyond.
        full: The mask of the value's pixels that are dark enough to be read.
        boxed: The mask of all ink in OCR's box, without rules, whosever it is.
        box: The box of the value's ink, in pixels of the page.
        redrawn: Pixels of rules that the value's ink touches, and clean ones to copy them from.
    """

    near: Box
    gone: Mask
    full: Mask
    boxed: Mask
    box: Box
    redrawn: tuple[tuple[Points, Points], ...]

    def left(self, changed: Mask) -> int:
        """Count pixels of the value's ink that are as they were.

        If most of the ink in OCR's box is, it counts too, even if it was taken for other ink.

        Args:
            changed: The mask of the pixels of *near* that are not as they were.
        """
        own, boxed = (int((mask & ~changed).sum()) for mask in (self.full, self.boxed))
        return max(own, boxed) if 2 * boxed > self.boxed.sum() else own


def strokes_of(
    sheet: Sheet,
    layout: LayoutText,
    pixels: Pixels,
    part: LineBox,
    shifts: Callable[[Box], Shifts] | None = None,
) -> Strokes:
    """Return the ink of *part*.

    Args:
        sheet: The page.
        layout: Its text and words.
        pixels: Its visible pixels, in colour if it has any.
        part: A line of a finding.
        shifts: Returns by how much the pixels of a part of the sheet were shifted; None if it is
            a page as it is.
    """
    size = sheet.pixels.shape[1], sheet.pixels.shape[0]
    height = _height(layout, part)
    near = part.box.grown(round(_LOOKED * height), round(_LOOKED * height)).clipped(size)
    darkness = sheet.dark(near)
    dark = darkness > _INK
    ruled = _rules(sheet, near, part.box, height)
    ruled |= _short_rules(dark & ~ruled, height)
    letters = [_moved(layout.words[index].box, near).grown(1, height // 3) for index in part.words]
    traced = [
        rule
        for rule in rules_in(ruled, darkness, 2 * height, shifts(near) if shifts else None)
        if not any(rule.within(box) for box in letters)
    ]
    rules = mask_of(traced, dark.shape)
    rules |= _soft_edges(darkness, rules)
    stamps = _other_colour(pixels[near.within()], dark & ~rules, dark, part.box.within(near))
    stamps |= dark & (sheet.leaders.mask[near.within()] > 0)
    ink = (dark & ~rules & ~stamps) | _bridges(dark & ~rules, rules, height)
    count, numbers, sizes, _ = cv2.connectedComponentsWithStats(
        ink.astype(np.uint8), connectivity=8
    )
    labels, stats = numbers.astype(np.int32), sizes.astype(np.int32)
    reach = _reach(part, layout, near, height, labels, stats)
    inside = np.bincount(labels[reach.within(near)].ravel(), minlength=count)
    mine = 2 * inside >= stats[:, cv2.CC_STAT_AREA]
    # A taller shape than a letter is the side of a box, or joined to another line.
    mine &= stats[:, cv2.CC_STAT_HEIGHT] <= _LETTER[1] * height
    mine[0] = False
    left = max(reach.left, min(part.box.left, reach.right - 1))
    field = Box(left, reach.top, max(left + 1, min(reach.right, part.box.right)), reach.bottom)
    # A component mostly outside is a neighbour's, unless it holds some of the value's letters, too.
    shared = np.zeros(count, np.bool_)
    shared[labels[_inner(field, height).within(near)]] = True
    shared[0] = False
    own = mine[labels] & _within(reach.grown(height // 3, height // 3), near)
    own |= shared[labels] & _within(field, near)
    own &= ~rules
    own |= _broken_off(labels, own, layout, part, near, height) & ~rules
    other = dark & ~own & ~rules
    gone = ((_wider(own, _SOFT) | _within(field, near)) & ~_wider(other, 1)) | own
    if part.entire:
        gone |= _within(part.box, near) & ~_of_others(part, layout, near)
    dots = list(_dots_redrawn(sheet.leaders.lines, near, own, gone))
    on_letters = own & ~_mask_of((to for to, _ in dots), own.shape)
    return Strokes(
        near,
        gone & ~rules,
        on_letters & (darkness > INKY),
        _within(part.box, near) & (darkness > INKY) & ~rules & ~stamps,
        box_of(own, near) or field,
        (
            *(found for rule in traced if (found := rule.redrawn(own, gone & ~rules, own | other))),
            *dots,
        ),
    )


def _of_others(part: LineBox, layout: LayoutText, near: Box) -> Mask:
    """Return the mask of the words in *near* that are not of *part*, if they are not to be cut."""
    boxes = [word.box.grown(1, 1) for word in layout.words]
    own = {boxes[index] for index in part.words}
    others = () if part.cutting else (box for box in boxes if box not in own)
    return covered(others, near) & ~covered(own, near)


def _dots_redrawn(
    leaders: Sequence[Leader], near: Box, own: Mask, gone: Mask
) -> Iterator[tuple[Points, Points]]:
    """Yield the pixels of each dot that is erased with letters, and those of a clean one.

    Args:
        leaders: The dotted lines of the page.
        near: The examined area; the masks are of this area.
        own: The mask of the letters.
        gone: The mask of the pixels to erase.
    """
    for leader in leaders:
        dots = leader.dots - (near.left, near.top)
        half = int(np.ceil(leader.size / 2)) + _SOFT
        clean = np.array(
            [
                (x, y)
                for x, y in dots
                if half < x < near.width - half - 1 and half < y < near.height - half - 1
                if not gone[_around(round(x), round(y), half)].any()
            ]
        )
        if not len(clean):
            continue
        for x, y in replace(leader, dots=dots).hidden(own):
            rows, columns = np.nonzero(gone[_around(round(x), round(y), half)])
            across, down = max(0, round(x) - half), max(0, round(y) - half)
            to = rows + down, columns + across
            # The nearest of those that lie in the pixels alike.
            apart = clean - (x, y)
            shifts = np.round(apart).astype(np.intp)
            far = _OUT_OF_STEP * np.abs(apart - shifts).sum(axis=1) + np.abs(apart[:, 0])
            right, lower = shifts[far.argmin()]
            yield to, (to[0] + lower, to[1] + right)


def _mask_of(points: Iterable[Points], shape: tuple[int, ...]) -> Mask:
    mask: Mask = np.zeros(shape, np.bool_)
    for some in points:
        mask[some] = True
    return mask


def _around(x: int, y: int, half: int) -> tuple[slice, slice]:
    return slice(max(0, y - half), y + half + 1), slice(max(0, x - half), x + half + 1)


def box_of(mask: Mask, near: Box) -> Box | None:
    """Return the box on the page of a *mask* of *near*; None if it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    left, top = near.left + int(columns[0]), near.top + int(rows[0])
    return Box(left, top, near.left + int(columns[-1]) + 1, near.top + int(rows[-1]) + 1)


def _height(layout: LayoutText, part: LineBox) -> int:
    """Return the height of the line: of the value, or of its higher words, if that is more."""
    words = zip(layout.words, layout.lines, strict=True)
    line = np.percentile([word.box.height for word, at in words if at == part.line], 75)
    own = np.median([layout.words[index].box.height for index in part.words])
    return max(3, int(line), int(own))


def _wider(mask: Mask, by: int) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel) > 0)


def _within(box: Box, near: Box) -> Mask:
    """Return the mask of *box* in *near*."""
    return covered([box], near)


def covered(boxes: Iterable[Box], near: Box) -> Mask:
    """Return the mask of all *boxes* in *near*."""
    mask = np.zeros((near.height, near.width), np.bool_)
    for left, top, right, bottom in boxes:
        rows = slice(max(0, top - near.top), max(0, bottom - near.top))
        mask[rows, max(0, left - near.left) : max(0, right - near.left)] = True
    return mask


def _moved(box: Box, near: Box) -> Box:
    """Return *box* in pixels of *near*."""
    left, top, right, bottom = box
    return Box(left - near.left, top - near.top, right - near.left, bottom - near.top)


def _rules(sheet: Sheet, near: Box, own: Box, height: int) -> Mask:
    """Return the page's rules in *near*, without strokes of large letters in *own*."""
    around = near.grown(6 * height, 6 * height).clipped(sheet.pixels.shape[::-1])
    rules = sheet.rules[around.within()]
    at = own.within(around)
    if not rules[at].any():
        return sheet.rules[near.within()].copy()
    count, labels = cv2.connectedComponents(rules.astype(np.uint8), connectivity=8)
    inside = np.bincount(labels[at].ravel(), minlength=count)
    mine = inside > 0.5 * np.bincount(labels.ravel(), minlength=count)
    mine[0] = False
    return np.asarray((rules & ~mine[labels])[near.within(around)])


def _soft_edges(darkness: NDArray[np.float32], rules: Mask) -> Mask:
    """Return the mask of ink beside *rules* that is nowhere as dark as a letter."""
    ink = ((darkness > _INK) & ~rules).astype(np.uint8)
    count, labels = cv2.connectedComponents(ink, connectivity=8)
    dark, beside = (
        np.bincount(labels[of], minlength=count) > 0 for of in (darkness > INKY, _wider(rules, 1))
    )
    soft = beside & ~dark
    soft[0] = False
    return np.asarray(soft[labels])


def _short_rules(ink: Mask, height: int) -> Mask:
    """Return the mask of underlines too short to be rules of the page."""
    long = np.ones((1, max(40, round(_RULE * height))), np.uint8)
    runs = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, long)
    thick = np.ones((max(3, round(_THICK * height)) + 1, 1), np.uint8)
    found = (runs > 0) & (cv2.morphologyEx(runs, cv2.MORPH_OPEN, thick) == 0)
    return _wider(found, 1)


def _bridges(ink: Mask, rules: Mask, height: int) -> Mask:
    """Return the pixels of horizontal *rules* on which *ink* crosses them."""
    across = np.ones((max(5, height // 3), 1), np.uint8)
    closed = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, across)
    return np.asarray(rules & (closed > 0))


def _other_colour(pixels: Pixels, ink: Mask, dark: Mask, own: tuple[slice, slice]) -> Mask:
    """Return the mask of *ink* of another hue than the darkest of it in *own*.

    None, if that is most of the ink in *own*: then it is the value's.

    Args:
        pixels: The visible pixels.
        ink: The mask of ink that is no rule.
        dark: The mask of all ink; the rest is paper.
        own: Where the value stands.
    """
    none = np.zeros(dark.shape, np.bool_)
    if pixels.ndim == 2 or dark.all() or not ink[own].any():
        return none
    paper = np.median(pixels[~dark], axis=0)
    absorbed = np.maximum(paper - pixels.astype(np.float32), 0)
    strength = np.linalg.norm(absorbed, axis=2)
    mine = absorbed[own][ink[own] & (strength[own] >= np.percentile(strength[own][ink[own]], 90))]
    hue = np.median(mine, axis=0)
    like = absorbed @ hue / np.maximum(strength * np.linalg.norm(hue), 1e-6)
    other = np.asarray(ink & (strength > _COLOURED) & (like < _HUE))
    return none if 2 * other[own].sum() > ink[own].sum() else other


def _reach(
    part: LineBox,
    layout: LayoutText,
    near: Box,
    height: int,
    labels: NDArray[np.int32],
    stats: NDArray[np.int32],
) -> Box:
    """Return the box in which most of each of the value's letters is, if OCR's box is poor."""
    words = [layout.words[index] for index in part.words]
    box = part.box
    beside = max(1, round(_BESIDE * height))
    left, right = box.left - beside, box.right + beside
    for index, word in enumerate(layout.words):
        if index in part.words or layout.lines[index] != part.line:
            continue
        # OCR gives some words the box of their line, which says nothing of this value.
        if word.box.left >= (box.left + box.right) // 2:
            right = min(right, (box.right + word.box.left) // 2)
        elif word.box.right <= (box.left + box.right) // 2:
            left = max(left, -(-(box.left + word.box.right) // 2))
    rows = Box(
        max(left, near.left),
        max(near.top, min(word.box.top for word in words)),
        min(right, near.right),
        min(near.bottom, max(word.box.bottom for word in words)),
    )
    letters = _letters(stats, height)
    top, bottom = _rows(labels, stats, letters, rows, near, height)
    rows = Box(rows.left, top, rows.right, bottom)
    unread = [
        letter
        for letter in _unread(labels > 0, layout, near, height)
        if top <= near.top + (letter.top + letter.bottom) / 2 < bottom
    ]
    whole = _moved(Box.around(word.box for word in words), near)
    whole = _with_unread(whole, unread, round(_ADJOINS * height))
    whole = _with_stop(whole, labels, stats, layout, near, bottom - near.top, height)
    left, right = min(left, near.left + whole.left), max(right, near.left + whole.right)
    first = words[0].text.find(part.text.split()[0]) if part.text.split() else 0
    if box.left > words[0].box.left and first > 0:
        left = _cut(labels, rows, near, words[0].text, words[0].box, first, box.left, 1)
    tail = part.text.split()[-1] if part.text.split() else ""
    end = words[-1].text.rfind(tail) + len(tail)
    if box.right < words[-1].box.right and end < len(words[-1].text):
        right = _cut(labels, rows, near, words[-1].text, words[-1].box, end, box.right, -1)
    left, right = max(left, near.left), min(right, near.right)
    return Box(left, top, max(right, left + 1), bottom)


def _letters(stats: NDArray[np.int32], height: int) -> Mask:
    """Return which components have the size of a letter."""
    tall = stats[:, cv2.CC_STAT_HEIGHT]
    letters = (tall >= _LETTER[0] * height) & (tall <= _LETTER[1] * height)
    letters &= tall <= _THIN * stats[:, cv2.CC_STAT_WIDTH]
    letters[0] = False
    return np.asarray(letters)


def _broken_off(
    labels: NDArray[np.int32],
    own: Mask,
    layout: LayoutText,
    part: LineBox,
    near: Box,
    height: int,
) -> Mask:
    """Return the pieces that broke off the value's letters, and are in no other word.

    Args:
        labels: The components of the ink in *near*.
        own: The mask of the value's ink.
        layout: The text and words of the page.
        part: The line of the value.
        near: The examined area.
        height: The height of the line.
    """
    ink = labels > 0
    others = (word.box for at, word in enumerate(layout.words) if at not in part.words)
    words = covered(others, near)
    most = int(labels.max()) + 1
    pixels, taken, read = (
        np.bincount(labels[of], minlength=most) for of in (ink, own, words & ink)
    )
    loose = (taken == 0) & (2 * read < pixels)
    # A piece near the value's ink, all of it where OCR saw the value.
    inside = covered((layout.words[index].box for index in part.words), near)
    near_by = np.bincount(labels[_wider(own, height // _BROKEN) & ink], minlength=most) > 0
    held = loose & near_by & (np.bincount(labels[inside & ink], minlength=most) == pixels)
    count, letters, sizes, _ = cv2.connectedComponentsWithStats(_joined(ink, height))
    free = loose[labels] & ink
    whole, mine, more = (np.bincount(letters[of], minlength=count) for of in (ink, own, free))
    # A letter of the value's height, most of it the value's, that needs but these pieces.
    broken = (more > 0) & (2 * mine >= whole) & (mine + more == whole)
    tall = int(own.any(axis=1).sum())
    broken &= sizes[:, cv2.CC_STAT_HEIGHT] <= _LETTER[1] * min(height, tall)
    for number in np.flatnonzero(broken):
        letter = letters == number
        columns = np.flatnonzero((own & letter).any(axis=0))
        beside = np.flatnonzero((free & letter).any(axis=0))
        reach = height // _BROKEN
        broken[number] = columns[0] - reach <= beside[0] <= beside[-1] <= columns[-1] + reach
    return np.asarray(free & (broken[letters] | held[labels]))


def _unread(ink: Mask, layout: LayoutText, near: Box, height: int) -> Iterator[Box]:
    """Yield the boxes of letters, whole or broken, of which less than half is in words."""
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(_joined(ink, height))
    stats = sizes.astype(np.int32)
    words = covered((word.box for word in layout.words), near)
    inside = np.bincount(labels[words], minlength=len(stats))
    unread = _letters(stats, height) & (2 * inside < stats[:, cv2.CC_STAT_AREA])
    for left, top, wide, high, _ in stats[unread].tolist():
        yield Box(left, top, left + wide, top + high)


def _joined(ink: Mask, height: int) -> NDArray[np.uint8]:
    """Return *ink* with the pieces of broken letters joined, of a line of *height*."""
    kernel = np.ones((max(3, height // _BROKEN) | 1,) * 2, np.uint8)  # odd, or it moves ink
    return np.asarray(cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, kernel), np.uint8)


def _with_unread(value: Box, unread: Sequence[Box], gap: int) -> Box:
    """Return the box of a value with the letters beside it that OCR left out.

    Args:
        value: The box of its words.
        unread: The boxes of letters of its line that are in no word.
        gap: The maximum distance of a letter from the one before it, in pixels.
    """
    for letter in sorted(unread, key=lambda box: box.left):
        if value.left <= letter.left <= value.right + gap:
            value = value.union(letter)
    for letter in sorted(unread, key=lambda box: -box.right):
        if value.left - gap <= letter.right <= value.right:
            value = value.union(letter)
    return value


def _with_stop(
    value: Box,
    labels: NDArray[np.int32],
    stats: NDArray[np.int32],
    layout: LayoutText,
    near: Box,
    baseline: int,
    height: int,
) -> Box:
    """Return the box of a value, in *near*, with the full stop after it that OCR left out.

    Args:
        value: The box of its letters.
        labels: The components of the ink in *near*.
        stats: Their sizes.
        layout: The text and words of the page.
        near: The examined area.
        baseline: The bottom of the line's letters, in *near*.
        height: The height of the line.
    """
    left, top, wide, high, _ = stats.T
    least, most = (share * height for share in _STOP)
    dots = (least <= high) & (high <= most) & (least <= wide) & (wide <= most)
    dots &= abs(top + high - baseline) <= least + 1
    dots &= (value.right <= left) & (left <= value.right + _ALONE * height)
    dots[0] = False
    if dots.sum() != 1:
        return value
    at = int(dots.argmax())
    words = covered((word.box for word in layout.words), near)
    if left[at] > value.right + _ADJOINS * height or words[labels == at].any():
        return value
    dot = Box(int(left[at]), int(top[at]), int(left[at] + wide[at]), int(top[at] + high[at]))
    return value.union(dot)


def _rows(
    labels: NDArray[np.int32],
    stats: NDArray[np.int32],
    letters: Mask,
    box: Box,
    near: Box,
    height: int,
) -> tuple[int, int]:
    """Return top and bottom of the line, from the *letters* that are mostly in *box*."""
    inside = np.bincount(labels[box.within(near)].ravel(), minlength=len(stats))
    tall = stats[:, cv2.CC_STAT_HEIGHT]
    letters = letters & (2 * inside >= stats[:, cv2.CC_STAT_AREA])
    if not letters.any():
        return box.top, box.bottom
    tops = stats[letters, cv2.CC_STAT_TOP]
    bottoms = tops + tall[letters]
    middles = (tops + bottoms) / 2
    line = abs(middles - np.median(middles)) <= height / 2
    top, bottom = int(tops[line].min()), int(bottoms[line].max())
    return near.top + max(0, top - 1), min(near.top + bottom + 1, near.bottom)


def _cut(
    labels: NDArray[np.int32],
    rows: Box,
    near: Box,
    text: str,
    word: Box,
    offset: int,
    edge: int,
    way: int,
) -> int:
    """Return the x at which the ink of a word is cut before its character *offset*.

    Args:
        labels: The components of the ink in *near*.
        rows: Its rows are the rows of the line.
        near: The examined area.
        text: The word's text.
        word: Its box.
        offset: The number of characters left of the cut.
        edge: The edge of the value's box, which is half a character too wide.
        way: 1 if *edge* is left of the cut, else -1.
    """
    left, right = max(word.left, near.left), min(word.right, near.right)
    profile = (labels[rows.within(near)][:, left - near.left : right - near.left] > 0).sum(axis=0)
    gaps = _gaps(profile)
    if len(gaps) == len(text) - 1:  # every letter stands by itself
        return left + gaps[offset - 1]
    letter = word.width / len(text)
    wanted = edge + way * letter / 2 - left
    low, high = (int(np.clip(wanted + by * letter, 0, len(profile))) for by in (-0.6, 0.6))
    if high <= low:
        return round(left + wanted)
    columns = np.arange(low, high)
    return left + int(min(columns, key=lambda x: (profile[x], abs(x - wanted))))


def _gaps(profile: Sequence[int] | NDArray[np.intp]) -> list[int]:
    """Return the middle of every run of zeros between others.

    >>> _gaps([0, 2, 0, 0, 0, 1, 0])
    [3]
    """
    inked = np.flatnonzero(np.asarray(profile))
    steps = np.flatnonzero(np.diff(inked) > 1)
    return [int(inked[step] + inked[step + 1]) // 2 for step in steps]


def _inner(field: Box, height: int) -> Box:
    """Return the middle of *field*, which no neighbour's letter reaches by chance."""
    across, down = min(height // 4, field.width // 4), field.height // 3
    return field.grown(-across, -down)
