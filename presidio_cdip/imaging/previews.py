"""Write previews: crops of a page before and after redaction, side by side."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from presidio_cdip.imaging.page.canvas import Canvas
from presidio_cdip.imaging.page.pages import Page, write_pages
from presidio_cdip.imaging.redaction import PageReport
from presidio_cdip.imaging.words import Box

_SCALE = 2
_GAP = 8  # pixels between crops, which are on grey


def preview(pairs: Sequence[tuple[Image.Image, Image.Image]]) -> Image.Image:
    """Return an image with one pair of crops per row, before at the left, at twice their size."""
    shown = [
        tuple(
            one.resize((one.width * _SCALE, one.height * _SCALE), Image.Resampling.NEAREST)
            for one in pair
        )
        for pair in pairs
    ]
    width = max((before.width for before, _ in shown), default=1)
    height = sum(before.height + _GAP for before, _ in shown) + _GAP
    sheet = Image.new("RGB", (2 * width + 3 * _GAP, height), "grey")
    at = _GAP
    for before, after in shown:
        sheet.paste(before, (_GAP, at))
        sheet.paste(after, (2 * _GAP + width, at))
        at += before.height + _GAP
    return sheet


def crops(
    before: Image.Image, after: Image.Image, boxes: Sequence[Box]
) -> list[tuple[Image.Image, Image.Image]]:
    """Return RGB crops around each of *boxes*, from both pages."""
    found = []
    for box in boxes:
        around = box.grown(3 * box.height, box.height).clipped(before.size)
        found.append((_shown(before.crop(around)), _shown(after.crop(around))))
    return found


class Previews:
    """Collect crops before and after redaction; pass `add` as `watch` to `redact_file`."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Image.Image, Image.Image]] = []

    def add(self, page: Page, after: Image.Image, report: PageReport) -> None:
        """Keep the crops of a page."""
        self._pairs += crops(
            page.image, after, [box for one in report.treated for box in one.boxes]
        )

    def write(self, target: Path) -> Path:
        """Write ``FILE.preview.png`` beside *target* and return its path.

        The preview shows the originals, so only its owner may read it (mode 600).
        """
        place = target.with_name(f"{target.name}.preview.png")
        write_pages([Page(preview(self._pairs))], place)
        place.chmod(0o600)
        return place


def _shown(image: Image.Image) -> Image.Image:
    canvas = Canvas.of(image)
    return Image.fromarray(canvas.seen).convert("RGB") if canvas else image.convert("RGB")
