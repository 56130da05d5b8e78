"""Similarity of two pages: 1 for equal ones, less the more was changed, whatever the format."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from presidio_cdip.imaging.page.clean import grey
from presidio_cdip.imaging.page.similarity import similarity
from tests.imaging import drawing


def sheet() -> NDArray[np.uint8]:
    return np.asarray(drawing.page(drawing.PROSE))


def test_a_page_is_equal_to_itself() -> None:
    """Both measures are 1, on a page with print and on a blank one."""
    blank = np.full((300, 200), 255, np.uint8)

    assert similarity(sheet(), sheet()) == pytest.approx((1, 1), abs=1e-5)
    assert similarity(blank, blank) == pytest.approx((1, 1), abs=1e-5)


def test_what_looks_more_like_the_original_is_nearer() -> None:
    """A bar is further from a line of print than other print is."""
    page = sheet()
    other, barred = page.copy(), page.copy()
    line = page[100:130, 50:450]
    other[100:130, 50:450] = line[:, ::-1]
    barred[100:130, 50:450] = 0

    near, far = similarity(page, other), similarity(page, barred)

    assert near.ssim > far.ssim
    assert near.descriptor > far.descriptor


def test_pages_of_other_sizes_are_refused() -> None:
    """Nothing is scaled in silence."""
    page = sheet()

    with pytest.raises(ValueError, match="different sizes"):
        similarity(page, page[:-1])


def test_colour_is_compared_as_grey() -> None:
    """A page in colour is equal to its grey copy."""
    page = Image.fromarray(sheet())

    assert similarity(grey(page), grey(page.convert("RGB"))).ssim == pytest.approx(1, abs=1e-3)
