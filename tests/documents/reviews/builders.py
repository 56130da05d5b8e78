"""Documents to review, and a finder whose findings are plain."""

import io
import re
from functools import cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from presidio_cdip import steps
from presidio_cdip.documents.pictures import redactor
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.reviews.applying import apply
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.editing import Editing
from presidio_cdip.documents.reviews.reading import Reading, read
from presidio_cdip.documents.reviews.review import Fingerprint, Review
from presidio_cdip.documents.rewriting import Remembering, Report, Tools
from presidio_cdip.documents.segments import Settings
from presidio_cdip.imaging.style.faces import FONTS
from presidio_cdip.recognition.spans import Span

KEY = b"a key for tests alone: 32 bytes."


def find(text: str) -> list[Span]:
    """Find numbers like those of Social Security, and the word flu."""
    found = [
        *(Span(*one.span(), "US_SSN", 0.9, "x") for one in re.finditer(r"\d{3}-\d\d-\d{4}", text)),
        *(Span(*one.span(), "HEALTH", 0.6, "x") for one in re.finditer(r"\bflu\b", text)),
    ]
    return sorted(found, key=lambda span: span.start)


_fingerprint = cache(Fingerprint.of)  # takes some 50 ms


class Case:
    """A document under review."""

    def __init__(self, data: bytes, name: str = "note.txt", settings: Settings | None = None):
        """Read *data* as a document called *name*."""
        self.data, self.name = data, name
        self.settings = settings or Settings(noise="none")
        self.fingerprint = _fingerprint(data)
        self.reading, self.first = self._read()
        self.editing = Editing(self.reading, self.first, self.fingerprint)

    def _read(self) -> tuple[Reading, Review]:
        looking = Remembering(find)
        tools = Tools(looking, redactor(looking, self.settings))
        return read(self.data, self.name, tools, self.settings, Choices(), self.fingerprint)

    def named(self, value: str) -> str:
        """Return the name of the first finding of *value*."""
        found = [one for one in self.editing.findings() if self.editing.value(one) == value]
        return found[0].id

    def applied(self, review: Review | None = None) -> tuple[bytes, Report]:
        """Return the document redacted as the review says, through the file that keeps it."""
        kept = Review.of((review or self.editing.review()).to_bytes())
        made = Replacement(steps.steps("label", KEY), "s")
        return apply(self.data, self.name, kept, find, made, self.settings)

    def text(self) -> str:
        """Return the result, for texts."""
        return self.applied()[0].decode()


@cache
def page(*lines: str, mark: tuple[int, int, int, int] | None = None) -> bytes:
    """Return a PNG of a page with *lines*, and a black disc in the box *mark*."""
    image = Image.new("L", (1200, 150 + 90 * len(lines)), 255)
    draw = ImageDraw.Draw(image)
    face = ImageFont.truetype(str(next(iter(sorted(FONTS.rglob("*.ttf"))))), 40)
    for number, line in enumerate(lines):
        draw.text((80, 60 + 90 * number), line, font=face, fill=0)
    if mark:
        draw.ellipse(mark, fill=0)
    out = io.BytesIO()
    image.save(out, "PNG", dpi=(200, 200))
    return out.getvalue()


def pixels(data: bytes) -> Any:
    """Return a picture, opened."""
    return Image.open(io.BytesIO(data)).convert("L")
