"""Redact the pictures on pages whose text is rewritten as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_cdip.documents.pdf import images
from presidio_cdip.documents.pdf.objects import contents_of, inline_sides, pictures_of
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Edits, Embedded, Note, Place, Segment

_SMALL = 40  # pixels of the longer side; a picture that is smaller shows no text
_THIN = 8  # pixels of the shorter side
INLINE = "a picture within the page's content"
UNDECODABLE = "a picture that cannot be decoded"


class PageImages:
    """The pictures on a page whose text is rewritten as text.

    A picture that is drawn on several pages belongs to the first of them.
    """

    content = True
    """Whether the pictures of the page itself are read, and not only those of annotations."""

    def __init__(self, source: Source, number: int, claimed: set[tuple[int, int]]) -> None:
        """Read the pictures of a page, those in Form XObjects and patterns too.

        Args:
            source: The document.
            number: The page, from 0.
            claimed: The pictures that were read on pages before; those of this page are added.
        """
        self.segments: Sequence[Segment] = ()
        pictures: list[Embedded] = []
        self.removed: Sequence[Note] = ()
        unread: list[Note] = []
        self._streams: list[Any] = []
        self._decoded: list[images.Decoded] = []
        place = Place(f"page {number + 1}, picture", number)
        for stream in _own(source, number, claimed, self.content):
            try:
                one = images.decoded(stream, source.settings)
            except images.Undecodable:
                unread.append(Note(place, UNDECODABLE))
                continue
            if _is_plain(one):
                continue
            name = f"page-{number + 1}-picture-{len(pictures) + 1}.{one.suffix}"
            self._streams.append(stream)
            self._decoded.append(one)
            pictures.append(Embedded(one.data, place, name))
        self.embedded: Sequence[Embedded] = pictures
        self.unread: Sequence[Note] = unread

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Put back the pictures that were redacted.

        It runs after the page's text was rewritten: Form XObjects may be copies by then.
        """
        for index, data in embedded.items():
            before, stream = self._decoded[index], self._streams[index]
            if data is None:
                images.blank(stream)
            elif data != before.data:
                images.put(pdf, stream, before, data)


class AnnotationImages(PageImages):
    """The pictures in annotations of a page that is redacted as a picture itself."""

    content = False


def why_unsafe(source: Source, number: int) -> str:
    """Return why the pictures of a page allow only to redact it as a whole; "" if they do not."""
    content = b"\n".join(contents_of(source.pdf.pages[number].obj))
    if any(side >= _SMALL for side in inline_sides(content)):
        return INLINE
    for stream in _large(source, number):
        try:
            images.decoded(stream, source.settings)
        except images.Undecodable:
            return UNDECODABLE
    return ""


def _large(source: Source, number: int, content: bool = True) -> list[Any]:
    found = []
    for stream in pictures_of(source.pdf.pages[number].obj, content=content):
        width, height = images.size_of(stream)
        if max(width, height) >= _SMALL and min(width, height) >= _THIN:
            found.append(stream)
    return found


def _own(source: Source, number: int, claimed: set[tuple[int, int]], content: bool) -> list[Any]:
    """Return the large pictures of a page that no page before it claimed, and claim them."""
    found = [one for one in _large(source, number, content) if one.objgen not in claimed]
    claimed.update(one.objgen for one in found if one.objgen != (0, 0))
    return found


def _is_plain(one: images.Decoded) -> bool:
    """Return whether a picture has one colour only."""
    colors = images.opened(one.data).convert("L").getextrema()
    return colors[1] - colors[0] < 8  # type: ignore[operator]
