"""Change pixels of a page of any image mode, as 8-bit grey or RGB values of dark print on light."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from presidio_cdip.imaging.page.clean import ends_of, grey
from presidio_cdip.imaging.page.grounds import Grounds
from presidio_cdip.imaging.page.paper import Mask, Pixels

_NUMBERS = ("I", "F")
_COLOURED = ("RGB", "RGBA", "RGBX", "P", "PA", "CMYK", "YCbCr", "HSV", "RGBa")
_GREY = ("1", "L", "LA", "La")


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Hold a page and its visible pixels.

    Attributes:
        image: The page.
        pixels: ``(rows, columns)`` in grey levels or ``(rows, columns, 3)`` in red, green and blue;
            transparent pixels are blended with white, and dark areas with light print are inverted.
        inverted: The mask of these areas.
    """

    image: Image.Image
    pixels: Pixels
    inverted: Mask

    @classmethod
    def of(cls, image: Image.Image) -> "Canvas | None":
        """Return the canvas of a page; None for a mode that does not support painting, as LAB."""
        if image.mode in _COLOURED:
            pixels = _shown(image)
        elif image.mode in _GREY or image.mode in _NUMBERS or image.mode.startswith("I;16"):
            pixels = grey(image)
        else:
            return None
        inverted = Grounds.of(grey(image)).inverted
        return cls(image, _turned(pixels, inverted), inverted)

    @property
    def seen(self) -> Pixels:
        """Return the pixels as the page shows them, dark areas not inverted."""
        return _turned(self.pixels, self.inverted)

    def painted(self, pixels: Pixels, changed: Mask) -> Image.Image:
        """Return a copy of the page with *pixels* where *changed* is set."""
        image = self.image
        if not changed.any():
            return image.copy()
        values = _turned(pixels, self.inverted)[changed]
        if image.mode in _NUMBERS or image.mode.startswith("I;16"):
            return self._with(self._numbers(values), changed)
        if image.mode == "1":
            ink = np.asarray(image).copy()
            ink[changed] = values > 127
            found = Image.fromarray(ink)
            found.info = dict(image.info)
            return found
        if image.mode in ("P", "PA"):
            return self._with(self._indices(values), changed)
        if image.mode in ("L", "RGB"):
            return self._with(values, changed)
        row = Image.fromarray(values[None])
        if image.mode in ("LA", "La", "RGBA", "RGBa"):
            opaque = np.full((len(values), 1), 255, np.uint8)
            colours = values[:, None] if values.ndim == 1 else values
            return self._with(np.concatenate([colours, opaque], axis=1), changed)
        if image.mode == "RGBX":
            row = row.convert("RGBX")
        return self._with(np.asarray(row.convert(image.mode))[0], changed)

    def _with(self, values: NDArray[np.generic], changed: Mask) -> Image.Image:
        whole = np.array(self.image)
        whole[changed] = values
        found = Image.fromarray(whole) if self.image.mode in _PLAIN else self._rebuilt(whole)
        if self.image.mode in ("P", "PA"):
            assert self.image.palette is not None
            found.putpalette(self.image.palette.copy())
        found.info = dict(self.image.info)
        return found

    def _rebuilt(self, whole: NDArray[np.generic]) -> Image.Image:
        """Return an image in the page's mode, for modes that `Image.fromarray` cannot infer."""
        return Image.frombytes(
            self.image.mode, self.image.size, np.ascontiguousarray(whole).tobytes()
        )

    def _numbers(self, values: Pixels) -> NDArray[np.generic]:
        """Convert grey levels to the numbers of the page's mode; the inverse of `grey`."""
        numbers = np.nan_to_num(np.asarray(self.image, dtype=np.float64), posinf=0, neginf=0)
        low, high = ends_of(numbers)
        kind = np.asarray(self.image).dtype
        return np.asarray(low + values / 255 * (high - low), kind)

    def _indices(self, values: Pixels) -> NDArray[np.generic]:
        """Return the opaque palette entries nearest to the colours *values*."""
        palette = np.array(self.image.getpalette("RGB"), np.int64).reshape(-1, 3)
        usable = np.ones(len(palette), np.bool_)
        see_through = self.image.info.get("transparency")
        if isinstance(see_through, int):
            usable[see_through] = False
        elif isinstance(see_through, bytes):
            alphas = np.frombuffer(see_through, np.uint8)[: len(palette)]
            usable[: len(alphas)] = alphas == 255
        entries = np.flatnonzero(usable) if usable.any() else np.arange(len(palette))
        colours, back = np.unique(values, axis=0, return_inverse=True)
        far = ((colours[:, None].astype(np.int64) - palette[entries][None]) ** 2).sum(axis=2)
        index = np.asarray(entries[far.argmin(axis=1)], np.uint8)[back.ravel()]
        if self.image.mode == "PA":
            return np.stack([index, np.full(len(index), 255, np.uint8)], axis=1)
        return index


_HIDDEN = 16  # of 255: minimum alpha of a visible pixel


def without_hidden(image: Image.Image) -> Image.Image:
    """Return *image* with its transparent pixels white; OCR cannot see what they hold."""
    if image.mode not in ("RGBA", "LA"):
        return image
    pixels = np.array(image)
    hidden = pixels[..., -1] < _HIDDEN
    if not hidden.any():
        return image
    pixels[hidden, :-1] = 255
    found = Image.frombytes(image.mode, image.size, pixels.tobytes())
    found.info = dict(image.info)
    return found


_PLAIN = ("L", "RGB", "RGBA")


def _turned(pixels: Pixels, inverted: Mask) -> Pixels:
    """Return *pixels* with *inverted* ones inverted; the same array if there are none."""
    if not inverted.any():
        return pixels
    found = pixels.copy()
    found[inverted] = 255 - found[inverted]
    return found


def _shown(image: Image.Image) -> Pixels:
    """Return RGB pixels, blended with white."""
    if not image.has_transparency_data:
        return np.asarray(image.convert("RGB"))
    page = image.convert("RGBA")
    below = Image.new("RGBA", page.size, "white")
    return np.asarray(Image.alpha_composite(below, page).convert("RGB"))
