"""Judge redacted forms for `imaging.py` by what is known of each drawn pixel and entry.

One row a writer, over the private lines that OCR saw:

* **lines**: of entries to be replaced. **painted**: the share of them that was painted; for
  handwriting it should be 0.
* **class**: the share of painted lines in a typeface of the right family and weight.
* **one style**: the share of a page's painted lines that have its most frequent typeface, and a
  size within 4 % of the median of these. All lines of a page were filled in alike.
* **damaged**: the share of lines in whose place print, a rule, a neighbour or a stamp lost more
  than four pixels of its ink.
* **left**: the pixels of the originals' ink that the method ``paper`` leaves, of all words that OCR
  saw; not counted in shaded cells.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from PIL import Image

from benchmarks.imaging_forms import Form
from benchmarks.imaging_painters import middle_in
from benchmarks.quality import cell, ratio
from presidio_cdip.imaging.painting.replacing import FindingReport
from presidio_cdip.imaging.redaction import SURROGATE
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box

COLUMNS = ("filled in by", "lines", "painted", "class", "one style", "damaged", "left")

SIZES, LOST = 0.04, 4
INK, FAINT = 0.5, 0.1
"""Coverage above which a pixel is a layer's ink, and below which it has none of it."""

LIGHTER = 40
"""Grey levels by which a pixel that lost its ink is lighter, and one that kept it is not."""


@dataclass(slots=True)
class FormMarks:
    """Hold the counts of the forms of one writer; the module's docstring says of what."""

    lines: int = 0
    painted: int = 0
    right: int = 0
    alike: int = 0
    damaged: int = 0
    left: int = 0

    def count(self, form: Form, image: Image.Image, treated: Sequence[FindingReport]) -> None:
        """Add one form after ``surrogate``."""
        self.lines += len(treated)
        painted = [one for one in treated if one.method == SURROGATE]
        self.painted += len(painted)
        known = {face.name: face for face in faces()}
        for report in painted:
            face = known[report.face]
            self.right += (face.family, face.weight) == (form.hand.family, form.hand.weight)
        if painted:
            usual, _ = Counter(one.face for one in painted).most_common(1)[0]
            same = [one.em for one in painted if one.face == usual]
            size = median(same)
            self.alike += sum(abs(em / size - 1) <= SIZES for em in same)
        lost = self._lost(form, np.asarray(image))
        for report in treated:
            places = [box.grown(box.height // 2, box.height // 2) for box in report.boxes]
            self.damaged += sum(_inside(lost, box) for box in places) > LOST

    def count_left(self, form: Form, image: Image.Image, boxes: Sequence[Box]) -> None:
        """Add one form after ``paper``, on which *boxes* were erased."""
        after, before = np.asarray(image).astype(int), np.asarray(form.image).astype(int)
        kept = (form.own > INK) & (form.other < FAINT) & (after - before < LIGHTER)
        kept &= ~form.shaded  # the dots of halftone that are put there are as dark
        tokens = [token.box for entry in form.entries if entry.private for token in entry.tokens]
        self.left += sum(_inside(kept, token) for token in tokens if middle_in(token, *boxes))

    @staticmethod
    def _lost(form: Form, after: np.ndarray) -> np.ndarray:
        """Return the mask of pixels of other ink, away from the entries' own, that grew lighter."""
        before = np.asarray(form.image).astype(int)
        near = cv2.dilate((form.own > FAINT).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return np.asarray((form.other > INK) & ~near & (after.astype(int) - before > LIGHTER))

    def row(self, writer: str) -> list[str]:
        """Return the writer's line of the table."""
        shares = (
            ratio(self.painted, self.lines),
            ratio(self.right, self.painted),
            ratio(self.alike, self.painted),
            ratio(self.damaged, self.lines),
        )
        return [writer, str(self.lines), *map(cell, shares), str(self.left)]


def _inside(mask: np.ndarray, box: Box) -> int:
    return int(mask[box.clipped(mask.shape[::-1]).within()].sum())
