"""Count the pages of a document while it is read, and write the count to a file."""

import threading
from pathlib import Path

from presidio_cdip.documents.rewriting import Find, Picture, Redact
from presidio_cdip.documents.segments import Embedded
from presidio_cdip.recognition.spans import Span

_PAGE = 1000  # characters; pages with fewer are pictures as a rule


class Progress:
    """The number of pages that have been read.

    The text of all pages is read first, then their pictures. So of a text, as many pages count as
    the model has read of its characters, and of pictures, those that are whole pages.

    Args:
        file: The file to write the count to.
        pages: How many there are; 0 for a document without pages.
        is_image: Whether the document is an image file, whose pages are its frames.
    """

    def __init__(self, file: Path, pages: int, is_image: bool = False) -> None:
        self._file = file
        self._pages = pages
        self._is_image = is_image
        self._lock = threading.Lock()
        self._length = 0
        self._of_text = 0
        self._characters = 0.0
        self._pictures = 0
        self._done = 0
        self._is_picture = False

    def has_read(self, characters: float) -> None:
        """Count characters that the model has read."""
        with self._lock:
            if not self._is_picture:
                self._characters += characters
                self._write()

    def finding(self, find: Find) -> Find:
        """Return *find*, counting."""

        def found(text: str) -> list[Span]:
            if not self._is_picture and len(text) > self._length:
                self._length, self._characters = len(text), 0.0
                self._of_text = min(self._pages, round(len(text) / _PAGE))
            spans = find(text)
            if self._is_image:
                self._add_picture()
            return spans

        return found

    def redacting(self, redact: Redact) -> Redact:
        """Return *redact*, counting."""

        def redacted(one: Embedded, change: bool) -> Picture:
            self._is_picture = True
            try:
                return redact(one, change)
            finally:
                self._is_picture = False
                if one.layered:
                    self._add_picture()

        return redacted

    def _add_picture(self) -> None:
        with self._lock:
            self._pictures += 1
            self._write()

    def _write(self) -> None:
        share = min(1.0, self._characters / self._length) if self._length else 0.0
        done = min(self._pages, int(share * self._of_text) + self._pictures)
        if done > self._done:
            self._done = done
            self._file.write_text(str(done))
