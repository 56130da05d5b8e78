"""Define the common form of all document formats: segments of text, each with its place."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from presidio_cdip.errors import UnreadableInput

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points of a PDF page (1/72 inch), origin top left."""

Matrix = tuple[float, float, float, float, float, float]
"""From x and y to a x + c y + e and b x + d y + f."""

METHODS = ("surrogate", "white", "black", "paper", "telea", "navier-stokes")
"""Redaction methods of pages: as `imaging.redaction.METHODS`, known without its imports."""

NOISES = ("fitted", "augraphy", "none")
"""The noise of what is painted: as `imaging.painting.painting.NOISES`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a document.

    Attributes:
        where: For a reader, without any text of the document that a finding could be in:
            ``"paragraph 12"``, ``"Sheet 2, B4"``, ``"$.patient.dob"``.
        page: The page, from 0, in formats that have pages.
        part: The part of a package, such as ``"word/comments.xml"``; "" in formats without parts.
    """

    where: str
    page: int | None = None
    part: str = ""

    def within(self, outer: "Place | None") -> "Place":
        """Return the place as seen from the document in which *outer* is embedded."""
        if outer is None:
            return self
        return Place(f"{outer.where}: {self.where}", outer.page, outer.part)

    def as_json(self) -> dict[str, Any]:
        """Return the place as a JSON object."""
        given = {"where": self.where, "page": self.page, "part": self.part}
        return {name: value for name, value in given.items() if value not in (None, "")}


@dataclass(frozen=True)
class Segment:
    r"""A stretch of a document's text that is rewritten as one: a paragraph, a cell, a line.

    Attributes:
        text: The text as a reader of the document sees it.
        place: Where it stands.
        label: What names it, for recognition: the header of its column, the name of its field. It
            is read before the text, and is never rewritten here.
        after: What parts it from the next segment: ``"\n"`` where a sentence may go on there,
            ``"\n\n"`` where nothing goes on.
        scope: The scope of the subject of its row or record; "" where `Settings.scope_column` names
            none.
    """

    text: str
    place: Place
    label: str = ""
    after: str = "\n"
    scope: str = field(default="", kw_only=True)

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of ``text[start:end]`` on its page; none in formats without pages."""
        return ()


class Edit(NamedTuple):
    """Replace ``text[start:end]`` of a segment by *new*; *entity* is what was found there.

    An edit that inserts or removes an article or a mention has the entity of its value.
    """

    start: int
    end: int
    new: str
    entity: str


Edits = Mapping[int, Sequence[Edit]]
"""For the index of a segment, its edits: in order, and none overlapping."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file within a document: a picture, an attachment, a workbook behind a chart.

    Attributes:
        data: Its bytes.
        place: Where it stands.
        name: Its file name, or one made up with the right suffix.
        layered: Whether the document is a picture of text that wants a text layer, as a scanned
            page of a PDF does: what replaces it then comes with the words that can be read on it.
    """

    data: bytes
    place: Place
    name: str
    layered: bool = False

    def keep(self, picture: Any) -> None:
        """Store its reading, a `findings.Picture`, where that helps to write its layer."""

    @property
    def to_page(self) -> Matrix | None:
        """Return the matrix from the unit square, which the picture fills, to its page.

        The origin of the square is bottom left, that of the page, as displayed, top left; the page
        is in points. None where a picture is no page.
        """
        return None


@dataclass(frozen=True, slots=True)
class Note:
    """Describe a part of a document that was removed, or not read.

    Attributes:
        place: Where it stands.
        what: In words, without any text of the document: ``"macros"``, ``"a picture without text
            that OCR can read"``.
    """

    place: Place
    what: str

    def within(self, outer: Place | None) -> "Note":
        """Return the note as seen from the document in which *outer* is embedded."""
        return Note(self.place.within(outer), self.what)

    def as_json(self) -> dict[str, Any]:
        """Return the note as a JSON object."""
        return {**self.place.as_json(), "what": self.what}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of reading and writing documents.

    Attributes:
        max_characters: The most characters of all segments of a document together.
        max_bytes: The most bytes that the parts of a package, or the streams of a PDF, may have
            when they are unpacked, together.
        max_parts: The most parts of a package.
        max_pages: The most pages of a PDF.
        max_depth: How deep documents may be embedded in each other.
        method: What findings in pictures and on PDF pages become, one of `METHODS`:
            ``"surrogate"`` sets the new text in their place; any other removes the text of PDF
            pages and draws bars, white ones for all but ``"black"``.
        noise: The noise of what is painted in pictures, as `imaging.redaction.RedactionOptions`.
        faces: The folder with the typefaces that are painted in; None for the shipped ones.
        verify: Whether pictures are read again after redaction.
        similarity: Whether reports of page images say how similar they are to what they were.
        flatten: Turn every page of a PDF into a picture.
        pictures: The pages of a PDF, from 0, that are turned into pictures.
        accept_changes: Accept tracked changes, so that no old text stays.
        keep_unknown: Keep parts that are not understood; without it they are removed.
        ocr_language: Tesseract's name of the language of pictures and scanned pages.
        max_pixels: The most pixels of a picture.
        json_keys: Whether the keys of JSON objects are read, too.
        scope_column: The column or key whose values are the scopes of their rows or records; "" for
            one scope for a document.
        max_seconds: The most seconds that a document may take; None for any time.
        deadline: When these seconds are over, by `time.monotonic`; set when work begins.
    """

    max_characters: int = 5_000_000
    max_bytes: int = 500_000_000
    max_parts: int = 20_000
    max_pages: int = 5_000
    max_depth: int = 4
    method: str = "surrogate"
    noise: str = "fitted"
    faces: Path | None = None
    verify: bool = True
    similarity: bool = False
    flatten: bool = False
    pictures: tuple[int, ...] = ()
    accept_changes: bool = False
    keep_unknown: bool = False
    ocr_language: str = "eng"
    max_pixels: int | None = None
    json_keys: bool = False
    scope_column: str = ""
    max_seconds: float | None = None
    deadline: float | None = None

    def begun(self) -> "Settings":
        """Return the settings of a document on which work begins now."""
        if self.max_seconds is None:
            return self
        return replace(self, deadline=time.monotonic() + self.max_seconds)

    def check_time(self, name: str) -> None:
        """Check that there is time left for the document *name*.

        Raises:
            UnreadableInput: There is none.
        """
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise UnreadableInput(
                name,
                f"takes more than {self.max_seconds:g} s: split it, or allow more (--max-seconds)",
            )


class Document(Protocol):
    """A document that was read, and can be written again with other text."""

    @property
    def segments(self) -> Sequence[Segment]:
        """Return all its text, in reading order.

        The body comes first, then what lies hidden (comments, properties, attributes): values that
        are known from the body are found again there.
        """

    @property
    def embedded(self) -> Sequence[Embedded]:
        """Return the files in it."""

    @property
    def removed(self) -> Sequence[Note]:
        """Return the parts that `write` leaves out."""

    @property
    def unread(self) -> Sequence[Note]:
        """Return the parts that may hold text, were not read, and stay."""

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the document with other text; called at most once.

        Parts and pixels without an edit stay as they are.

        Args:
            edits: What changes in which segment.
            embedded: For the index of an embedded file, what replaces it, or None if it is to be
                removed; files that are not named stay.

        Raises:
            UnreadableInput: It cannot be written without the risk that something of it stays.
        """
