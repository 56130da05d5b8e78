"""Define the state that the contributors of a PDF document share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from presidio_cdip.documents.pdf.faces import Faces
from presidio_cdip.documents.pdf.readings import Readings
from presidio_cdip.documents.segments import Edits, Embedded, Note, Segment, Settings


@dataclass(slots=True)
class Source:
    """A PDF that is open.

    Attributes:
        data: Its bytes as they were given.
        name: Its name, for errors.
        pdf: The `pikepdf.Pdf`; contributors read it when they are made, and change it in `apply`.
        settings: How to read and write it.
        readings: The glyphs of its pages.
        faces: The faces that new text is set in, where its own fonts lack letters.
        view: The number and the picture of the page that was rendered last.
        opened: The document as pdfium has it, once that was asked for.
    """

    data: bytes
    name: str
    pdf: Any
    settings: Settings
    readings: Readings = field(init=False)
    faces: Faces = field(default_factory=Faces)
    view: tuple[int, Any] | None = None
    opened: Any = None

    def __post_init__(self) -> None:
        """Begin without any page read."""
        self.readings = Readings(self.pdf)


class Contributor(Protocol):
    """The reader and writer of one part of a PDF.

    Attributes:
        segments: Its text.
        embedded: The files and pictures in it.
        removed: What `apply` takes out.
        unread: What may hold text that nothing read, and stays.
    """

    segments: Sequence[Segment]
    embedded: Sequence[Embedded]
    removed: Sequence[Note]
    unread: Sequence[Note]

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Change its part of *pdf*; called once, also if nothing was found in it.

        Args:
            pdf: The `pikepdf.Pdf` it was made of.
            edits: By index into its own segments.
            embedded: By index into its own embedded files: what replaces each, None to remove it.

        Raises:
            UnreadableInput: It cannot be changed without the risk that something of it stays.
        """
