"""OCR that fails in a named way, for whoever must not trust it."""

from PIL import Image

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.words import Box, Word


class Unreadable:
    """Reads so many pages as blank, and then none."""

    def __init__(self, after: int = 0) -> None:
        self.left = after

    def __call__(self, image: Image.Image, /, *, name: str, language: str) -> list[Word]:
        self.left -= 1
        if self.left < 0:
            raise UnreadableInput(name, "not read, so not clean")
        return []


class Sees:
    """Sees the same words whatever it is shown, and counts how often it was asked."""

    def __init__(self, *words: Word) -> None:
        self.words = list(words)
        self.asked = 0

    def __call__(
        self, image: Image.Image, around: list[Box] | None = None, /, *, name: str, language: str
    ) -> list[Word]:
        self.asked += 1
        return list(self.words)


class Rubbish(Sees):
    """Reads signs where no writing is: words of no width, off the page, and of strange letters."""

    def __init__(self) -> None:
        super().__init__(
            Word("~|", Box(0, 0, 0, 0), 0.0),
            Word("\N{LATIN SMALL LIGATURE FI}\N{COMBINING ACUTE ACCENT}", Box(5, 5, 4, 4), 3.0),
            Word("\N{OGHAM SPACE MARK}", Box(9, 9, 20, 20), 50.0),
            Word("123-45-6789", Box(-50, -50, -10, -10), 100.0),
            Word("9", Box(10**6, 10**6, 10**6 + 5, 10**6 + 5), 100.0),
        )
