"""Read and write plain text of OCR."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from presidio_cdip.documents.rewriting import encoded_like
from presidio_cdip.documents.segments import Box, Edits, Place, Segment
from presidio_cdip.documents.texts.values import edited
from presidio_cdip.files.inputs import decode


@dataclass
class PlainText:
    """A text.

    Attributes:
        data: The file.
        segments: All of it.
        boxes: None.
    """

    data: bytes
    segments: list[Segment]
    boxes: dict[int, Box] = field(default_factory=dict)

    def write(self, edits: Edits, boxes: Mapping[int, Box]) -> bytes:
        """Return the file with other text."""
        if not edits:
            return self.data
        return encoded_like(self.data, edited(self.segments[0].text, edits[0]))


def opened(data: bytes, name: str, size: tuple[int, int] | None) -> PlainText:
    """Read a text."""
    return PlainText(data, [Segment(decode(data, name), Place("text"), after="")])


def extracted(data: bytes) -> Iterator[str]:
    """Yield the text."""
    yield decode(data, "side-car")
