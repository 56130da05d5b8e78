"""Separate a page into paper, ink and rules, and measure the darkness of its ink."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from presidio_cdip.imaging.page.clean import Grey, grey, ink_of, rules_of, skew_of, turned_by
from presidio_cdip.imaging.page.grounds import Grounds
from presidio_cdip.imaging.page.leaders import Leaders, leaders_of
from presidio_cdip.imaging.page.light import light
from presidio_cdip.imaging.page.ruling import mask_of, rules_in
from presidio_cdip.imaging.style.rendering import Dark
from presidio_cdip.imaging.words import Box

_AROUND = 80  # pixels: paper's brightness is that of so large a square
_INK = 0.2  # minimum darkness of a pixel of a letter, with its soft edge
_LETTER, _SPECK = 0.5, 0.25
"""Minimum height of a letter, relative to the highest of its word; and the maximum area of a speck,
relative to the letters' median."""
_FLAT, _LONG = 0.25, 3
"""Maximum height of a piece of a rule, relative to the highest letter; and its minimum width,
relative to its height."""

INKY = 0.33
"""Minimum darkness of a pixel that counts as ink."""


@dataclass(frozen=True)
class Sheet:
    """Hold a page in grey levels, and derive its paper, ink and rules.

    Attributes:
        pixels: The grey page, on which all print is dark on light.
        areas: The number of each pixel's shaded or dark area, as of `Grounds`; None if unknown.
    """

    pixels: Grey
    areas: NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, image: Image.Image) -> "Sheet":
        """Return the sheet of a page of any mode."""
        grounds = Grounds.of(grey(image))
        return cls(grounds.pixels, grounds.areas)

    def elsewhere(self, box: Box, around: Box) -> NDArray[np.bool_]:
        """Return the mask of pixels in *around* that are in another area than the middle of *box*.

        Args:
            box: In pixels of the page.
            around: The part of the page that contains it.
        """
        if self.areas is None:
            return np.zeros((around.height, around.width), np.bool_)
        own = self.areas[(box.top + box.bottom) // 2, (box.left + box.right) // 2]
        return np.asarray(self.areas[around.within()] != own)

    @cached_property
    def ink(self) -> Grey:
        """Return the page binarized with Otsu's threshold: 255 for ink, else 0."""
        return ink_of(self.pixels)

    @cached_property
    def rules(self) -> NDArray[np.bool_]:
        """Return the mask of rules: underlines and the lines of forms."""
        height, width = self.pixels.shape
        if not self._skew:
            return np.asarray(rules_of(self.ink, width, height) > 0)
        turn, size = turned_by(width, height, 1, self._skew)
        ink = cv2.warpAffine(self.ink, turn, size, flags=cv2.INTER_NEAREST)
        rules = rules_of(np.asarray(ink, np.uint8), *size)
        how = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(rules, turn, (width, height), flags=how) > 0)

    @cached_property
    def leaders(self) -> Leaders:
        """Return the dotted lines, as far as they are level; with their soft edges."""
        found = leaders_of(self.ink)
        dots = cv2.dilate(found.mask, np.ones((3, 3), np.uint8))
        return replace(found, mask=np.asarray(dots, np.uint8))

    @cached_property
    def _skew(self) -> float:
        return skew_of(self.ink)

    @cached_property
    def slope(self) -> float:
        """Return the slope of the baselines, pixels down per pixel right."""
        return float(np.tan(np.radians(self._skew)))

    def line(self, box: Box, around: Box) -> NDArray[np.bool_]:
        """Return the mask of pixels in *around* that belong to the line of print in *box*.

        On a sloping line it has no corners of the box, in which there may be other lines.

        Args:
            box: In pixels of the page, the smallest that holds a word or several of one line.
            around: The part of the page that contains it.
        """
        found = np.zeros((around.height, around.width), np.bool_)
        at = box.within(around)
        if not self.slope:
            found[at] = True
            return found
        top, bottom = box.straight(self.slope)
        rows, columns = np.arange(box.top, box.bottom), np.arange(box.left, box.right)
        down = rows[:, None] + 0.5 - self.slope * (columns + 0.5)
        found[at] = (top - 1 <= down) & (down <= bottom + 1)
        return found

    def _ruled(self, around: Box, height: int) -> NDArray[np.bool_]:
        """Return the mask of rules in *around*, without letters of *height* that touch them."""
        rules = self.rules[around.within()]
        if self.slope or not rules.any():
            return rules
        area = around.grown(2 * height, 2 * height).clipped(self.pixels.shape[::-1])
        dark = self.dark(area)
        rules = self.rules[area.within()]
        traced = mask_of(rules_in(rules, dark, 2 * height), dark.shape)
        # What is left of it beside its core is no letter, unless it reaches beyond.
        count, labels = cv2.connectedComponents(
            ((dark > _INK) & ~traced).astype(np.uint8), connectivity=8
        )
        letters = np.zeros(count, np.bool_)
        letters[labels[~rules]] = True
        return np.asarray(traced | (rules & ~letters[labels]))[around.within(area)]

    @cached_property
    def _light(self) -> Dark:
        """Return the downscaled illumination map of the paper."""
        free = cv2.dilate(self.ink, np.ones((3, 3), np.uint8)) == 0
        found = light(self.pixels, free, _AROUND)
        return np.full((1, 1), 255, np.float32) if found is None else found

    def paper(self, box: Box) -> Dark:
        """Return the brightness of the paper at each pixel of *box*, in grey levels."""
        rows, columns = self._light.shape
        height, width = self.pixels.shape
        across, down = columns / width, rows / height
        # Map pixel centres to the centres of the coarser map, as `cv2.resize` does.
        to_coarse = np.array(
            [
                [across, 0, (box.left + 0.5) * across - 0.5],
                [0, down, (box.top + 0.5) * down - 0.5],
            ]
        )
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = box.width, box.height
        light = cv2.warpAffine(
            self._light, to_coarse, size, flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(light, np.float32)

    @cached_property
    def black(self) -> float:
        """Return the grey level of full ink: the 2nd percentile of the ink."""
        inked = self.pixels[self.ink > 0]
        return float(np.percentile(inked, 2)) if inked.size else 0.0

    def dark(self, box: Box) -> Dark:
        """Return the darkness of every pixel in *box*, clipped to [0, 1]: paper 0, full ink 1."""
        return np.asarray(np.clip(self.raw(box), 0, 1), np.float32)

    def raw(self, box: Box) -> Dark:
        """Return the darkness as `dark` does, but not clipped."""
        paper = self.paper(box)
        seen = self.pixels[box.within()]
        return np.asarray((paper - seen) / np.maximum(paper - self.black, 8.0), np.float32)

    def word(self, box: Box, margin: int) -> tuple[Dark, Box]:
        """Return the darkness of one word, without rules and the ink of its neighbours.

        Args:
            box: The word's bounding box, in pixels of the page.
            margin: The margin around it, in pixels.

        Returns:
            The darkness, and its box on the page.
        """
        around = box.grown(margin, margin).clipped(self.pixels.shape[::-1])
        dark = self.dark(around)
        dark[self._ruled(around, box.height)] = 0
        return without_foreign_ink(dark, self.line(box, around)), around


def without_foreign_ink(dark: Dark, own: NDArray[np.bool_]) -> Dark:
    """Return *dark* without the connected components that are mostly outside of *own*."""
    if not dark.size:
        return dark
    count, labels = cv2.connectedComponents((dark > _INK).astype(np.uint8), connectivity=8)
    whole = np.bincount(labels.ravel(), minlength=count)
    inside = np.bincount(labels[own], minlength=count)
    strange = inside < 0.5 * whole
    strange[0] = False
    return _without(dark, labels, strange)


def without_specks(dark: Dark) -> Dark:
    """Return the *dark* of a word without small or flat marks around all of its letters.

    They are dust and pieces of rules, unless they are dots of letters, accents or punctuation.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (dark > _INK).astype(np.uint8), connectivity=8
    )
    if count < 3:
        return dark
    left, top, wide, high, area = stats.T
    letters = high >= _LETTER * high[1:].max()
    letters[0] = False
    above, below = top[letters].min(), (top + high)[letters].max()
    before, after = left[letters].min(), (left + wide)[letters].max()
    flat = (high <= _FLAT * high[1:].max()) & (wide >= _LONG * high)
    specks = flat | (area < _SPECK * np.median(area[letters]))
    outside = (top + high <= above) | (top >= below)
    specks &= outside | (left + wide <= before) | (left >= after)
    specks[0] = False
    return _without(dark, labels, specks)


def _without(dark: Dark, labels: Any, gone: NDArray[np.bool_]) -> Dark:
    """Return *dark* without the components *gone* and their soft edges.

    Args:
        dark: The darkness.
        labels: The number of each pixel's component, as OpenCV returns it.
        gone: Whether each component goes.
    """
    if not gone.any():
        return dark
    near = cv2.dilate(gone[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kept = ~gone[labels] & (labels > 0)
    return np.where(near & ~kept, np.float32(0), dark)
