"""Compose a PDF document of what its contributors read, and write it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self, TypeVar

from presidio_cdip.documents.pdf import files, signatures
from presidio_cdip.documents.pdf.kinds import Kind, kind_of
from presidio_cdip.documents.pdf.page import PageText
from presidio_cdip.documents.pdf.pictures import AnnotationImages
from presidio_cdip.documents.pdf.raster import PageImages, RasterPage
from presidio_cdip.documents.pdf.source import Contributor, Source
from presidio_cdip.documents.pdf.structure import Structure
from presidio_cdip.documents.segments import Edits, Embedded, Note, Place, Segment, Settings

PASSWORD_REMOVED = "the encryption with an empty password"
LEFT = "a value stayed readable when it was rewritten as text"

_T = TypeVar("_T")


class PdfDocument:
    """A PDF, as its contributors read it.

    Attributes:
        contributors: What reads the pages, in their order, and then what lies beside them.
    """

    def __init__(self, source: Source) -> None:
        """Read the parts of *source*."""
        self._source = source
        self.contributors = list(contributors(source))
        self.segments: Sequence[Segment] = [
            segment for one in self.contributors for segment in one.segments
        ]
        self.embedded: Sequence[Embedded] = [
            file for one in self.contributors for file in one.embedded
        ]
        removed = [note for one in self.contributors for note in one.removed]
        if source.pdf.is_encrypted:
            removed.append(Note(Place("document"), PASSWORD_REMOVED))
        if signatures.is_signed(source.pdf):
            removed.append(Note(Place("document"), signatures.VOID))
        self.removed: Sequence[Note] = removed
        self.unread: Sequence[Note] = [note for one in self.contributors for note in one.unread]

    @classmethod
    def opened(cls, data: bytes, name: str, settings: Settings) -> Self:
        """Open a PDF and read its parts."""
        return cls(Source(data, name, files.open_pdf(data, name, settings), settings))

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the document with other text."""
        pdf = self._source.pdf
        first_segment = first_file = 0
        for one in self.contributors:
            self._source.settings.check_time(self._source.name)
            one.apply(
                pdf,
                _part(edits, first_segment, len(one.segments)),
                _part(embedded, first_file, len(one.embedded)),
            )
            first_segment += len(one.segments)
            first_file += len(one.embedded)
        signatures.remove(pdf)
        return files.saved(pdf)


def contributors(source: Source) -> Iterator[Contributor]:
    """Yield the readers of each page, then those of the contents beside the pages."""
    claimed: set[tuple[int, int]] = set()
    for number in range(len(source.pdf.pages)):
        source.settings.check_time(source.name)
        kind = kind_of(source, number)
        if number in source.settings.pictures:
            kind = Kind("unsafe", LEFT)
        if source.settings.flatten or kind.name != "text":
            yield RasterPage(source, number, kind.reason)
            if not source.settings.flatten:  # else its annotations are in the picture
                yield AnnotationImages(source, number, claimed)
        else:
            yield PageText(source, number)
            yield PageImages(source, number, claimed)
    yield Structure(source)


def _part(given: Mapping[int, _T], first: int, count: int) -> dict[int, _T]:
    return {index - first: given[index] for index in given if first <= index < first + count}
