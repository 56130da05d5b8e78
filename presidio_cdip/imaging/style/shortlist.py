"""Select a word's likeliest typefaces with a small network, so that few must be rendered.

`training/shortlist.py` trains it on words rendered in the typefaces of a folder, through `Scan`,
and compares it with rendering all: nearly twice as fast at the same accuracy. OpenCV reads
``shortlist.onnx`` in that folder; ``shortlist.json`` beside it names the typeface of each class.
Without a network, or if its typefaces differ from the folder's, all typefaces are rendered.
"""

import json
import logging
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.faces import Face, faces
from presidio_cdip.imaging.style.rendering import Dark

FILE = "shortlist.onnx"
_log = logging.getLogger("presidio-cdip")
HIGH, WIDE = 32, 128
"""Height and width of the network's input, in pixels."""

_MOST = 8
_BORDER = 2


def normalised(ink: Dark) -> Dark:
    """Scale a word's *ink*, cropped to its edges, to a fixed height and centre it.

    Returns:
        `HIGH` x `WIDE` pixels.
    """
    by = (HIGH - 2 * _BORDER) / ink.shape[0]
    size = max(1, round(ink.shape[1] * by)), HIGH - 2 * _BORDER
    kind = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR
    shaped = cv2.resize(ink, size, interpolation=kind)
    most = WIDE - 2 * _BORDER
    begin = max(0, (size[0] - most) // 2)
    shaped = shaped[:, begin : begin + most]
    crop = np.zeros((HIGH, WIDE), np.float32)
    at = (WIDE - shaped.shape[1]) // 2
    crop[_BORDER:-_BORDER, at : at + shaped.shape[1]] = shaped
    return crop


class Shortlist:
    """Classify words by typeface.

    Args:
        file: The network.
        faces: The typefaces of its classes, in order.
    """

    def __init__(self, file: Path, faces: Sequence[Face]) -> None:
        self._network = cv2.dnn.readNetFromONNX(str(file))
        self._faces = faces
        self._lock = threading.Lock()  # the network object holds its input

    def likeliest(self, ink: Dark, most: int = _MOST) -> list[Face]:
        """Return the likeliest typefaces of a word's *ink*, cropped to its edges, best first."""
        scores = self._scores(ink)
        return [self._faces[number] for number in np.argsort(-scores, kind="stable")[:most]]

    def families(self, ink: Dark) -> dict[str, float]:
        """Return the probability of each family for a word's *ink*, cropped to its edges.

        All typefaces of a family count, so it is known of a typeface that is not among them, too.
        """
        scores = self._scores(ink)
        shares = np.exp(scores - scores.max())
        found = dict.fromkeys((face.family for face in self._faces), 0.0)
        for face, share in zip(self._faces, shares / shares.sum(), strict=True):
            found[face.family] += float(share)
        return found

    def _scores(self, ink: Dark) -> NDArray[np.float32]:
        with self._lock:
            self._network.setInput(normalised(ink)[None, None])
            return np.asarray(self._network.forward().ravel(), np.float32)


def class_names(file: Path) -> tuple[str, ...]:
    """Read the names of the typefaces of a network's classes, in their order.

    Args:
        file: The network; the names are in the JSON file beside it.

    Returns:
        An empty tuple if that file is missing or invalid.
    """
    try:
        names = json.loads(file.with_suffix(".json").read_text("utf-8"))["faces"]
        return tuple(str(name) for name in names)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def write_class_names(file: Path, names: Sequence[str]) -> None:
    """Write the names that `class_names` reads beside the network *file*."""
    rows = ",\n ".join(json.dumps(name) for name in names)
    file.with_suffix(".json").write_text(f'{{"faces": [\n {rows}\n]}}\n', "utf-8")


def shortlist(known: Sequence[Face]) -> Shortlist | None:
    """Return the network of the folder that holds all of *known*; None if it has none."""
    folders = {face.file.parent for face in known}
    return _of_folder(folders.pop()) if len(folders) == 1 else None


@lru_cache(maxsize=4)
def _of_folder(folder: Path) -> Shortlist | None:
    file = folder / FILE
    if not file.is_file():
        return None
    by_name = {face.name: face for face in faces(folder)}
    names = class_names(file)
    if sorted(names) != sorted(by_name):
        said = "%s was trained on other faces than the folder has: every word is drawn in all faces"
        _log.warning(said, file)
        return None
    return Shortlist(file, [by_name[name] for name in names])
