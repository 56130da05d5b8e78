"""Pages count while they are read."""

from pathlib import Path

from presidio_cdip.documents.rewriting import Picture
from presidio_cdip.documents.segments import Embedded, Place
from presidio_cdip.service.progress import Progress


def count(file: Path) -> int:
    """The count in *file*."""
    return int(file.read_text()) if file.exists() else 0


def test_pages_of_text_count_as_the_model_reads_them(tmp_path: Path) -> None:
    """As a share of all characters."""
    file = tmp_path / "progress"
    progress = Progress(file, 4)
    seen = []

    def find(text: str) -> list[object]:
        for _ in range(4):
            progress.has_read(1000)
            seen.append(count(file))
        return []

    progress.finding(find)("x" * 4000)  # type: ignore[arg-type]

    assert seen == [1, 2, 3, 4]


def test_pages_that_are_pictures_count_when_they_were_read(tmp_path: Path) -> None:
    """A picture on a page is none; what the model reads in them does not count twice."""
    file = tmp_path / "progress"
    progress = Progress(file, 3)

    def redact(one: Embedded, change: bool) -> Picture:
        progress.has_read(5000)
        return Picture(b"", [], [])

    redacting = progress.redacting(redact)
    progress.finding(lambda text: [])("a few words")
    redacting(Embedded(b"", Place("page 1", 0), "a.png"), False)
    assert count(file) == 0
    for number in range(3):
        redacting(Embedded(b"", Place(f"page {number + 1}", number), "a.png", layered=True), False)
        assert count(file) == number + 1


def test_frames_of_an_image_count_by_their_texts(tmp_path: Path) -> None:
    """Each is a page."""
    file = tmp_path / "progress"
    progress = Progress(file, 2, is_image=True)
    find = progress.finding(lambda text: [])

    find("the first")
    find("the second")

    assert count(file) == 2


def test_there_are_never_more_than_all(tmp_path: Path) -> None:
    """However often a text is read."""
    file = tmp_path / "progress"
    progress = Progress(file, 2)
    find = progress.finding(lambda text: [])
    for _ in range(3):
        find("x" * 2000)
        progress.has_read(2000)

    assert count(file) == 2
