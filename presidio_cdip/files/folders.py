"""Walk folders of input files, and decide where the output of each file goes.

Nothing here writes. Every input is protected: a run that would overwrite one is refused before its
first output is written.
"""

# ruff: noqa: PTH110, PTH112, PTH113 - pathlib raises OSError where a name is too long

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import walk as walk_folder
from os.path import exists, isdir, isfile
from pathlib import Path

from presidio_cdip.errors import OutputError, UnreadableInput

PREVIEW = ".preview.png"
"""The end of the names of previews, which show originals and are no pages to be read."""

PREVIEW_OF_TEXT = ".preview.txt"
"""The same for texts."""

IMAGES = frozenset(
    [
        *(".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp", ".bmp"),
        *(".jp2", ".j2k", ".pbm", ".pgm", ".ppm", ".pnm"),
    ]
)
"""The suffixes of images, of which one may be written for another."""

_FILES = IMAGES | {".txt", ".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".json", ".csv", ".html"}
"""Suffixes that a folder's name does not have."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be processed.

    Attributes:
        source: The file, as the caller named it or below the folder that was named; or the error
            that says why it cannot be read.
        name: Its path within the folder that was named, with ``/``; else the file's name.
        target: The file to be written; None for standard output.
    """

    source: Path | UnreadableInput
    name: str
    target: Path | None = None


def is_there(path: Path) -> bool:
    """Return whether there is a file or folder; one whose name is too long cannot be."""
    return exists(path)


def walk(paths: Iterable[Path]) -> Iterator[Path | UnreadableInput]:
    """Yield the files among *paths* and in the folders among them, in order.

    A folder that cannot be opened, a link to a folder, and a link to a file outside the folder
    that was named are yielded as errors: a text from elsewhere is not part of the folder.
    """
    for path in paths:
        if not isdir(path):
            yield path
            continue
        inside = path.resolve()
        problems: list[OSError] = []
        for folder, subfolders, names in walk_folder(path, onerror=problems.append):
            subfolders.sort()
            for name in sorted(names):
                yield _within(Path(folder, name), inside)
            for name in subfolders:
                if Path(folder, name).is_symlink():
                    yield UnreadableInput(str(Path(folder, name)), "is a link to a folder")
        for problem in problems:
            yield UnreadableInput(str(problem.filename), problem.strerror or "cannot be opened")


def _within(file: Path, folder: Path) -> Path | UnreadableInput:
    if file.is_symlink() and exists(file) and not file.resolve().is_relative_to(folder):
        return UnreadableInput(
            str(file), "is a link to a file outside this folder; name that file itself"
        )
    return file


def jobs(paths: Iterable[Path], output: Path | None, force: bool = False) -> list[Job]:
    """Return a job for each file among *paths* and in the folders among them.

    If *output* lies in a folder to be read, the files that an earlier run wrote there are left out.

    Args:
        paths: Files and folders; ``-`` is standard input.
        output: The folder to write to; None for standard output.
        force: Whether inputs may be overwritten.

    Raises:
        OutputError: An input would be overwritten, or a link in *output* leads out of it.
    """
    found: list[Job] = []
    for path in paths:
        for file in walk([path]):
            if isinstance(file, UnreadableInput):
                found.append(Job(file, ""))
            elif not (output and isdir(path) and _is_earlier_output(file, path, output)):
                within = file.relative_to(path) if isdir(path) else Path(file.name)
                found.append(Job(file, within.as_posix(), output / within if output else None))
    if output:
        _protect(found, output, force)
    return found


def _is_earlier_output(file: Path, folder: Path, output: Path) -> bool:
    inside = output.resolve()
    return inside != folder.resolve() and file.resolve().is_relative_to(inside)


def _protect(found: Sequence[Job], output: Path, force: bool) -> None:
    inside = output.resolve()
    inputs = {job.source.resolve() for job in found if isinstance(job.source, Path)}
    for job in found:
        if not job.target:
            continue
        target = job.target.resolve()
        if target in inputs and not force:
            raise OutputError(target, "an input would be overwritten: write to another folder")
        if not target.is_relative_to(inside):
            raise OutputError(output, f"a link in it leads to {target}")


def writing_jobs(paths: Sequence[Path], output: Path | None, force: bool = False) -> list[Job]:
    """Return a job for each file among *paths* and in the folders among them, to be written.

    Previews that an earlier run wrote into a folder are left out.

    Args:
        paths: Files and folders; ``-`` is standard input.
        output: The folder to write to; for one file, also a file with a suffix like its own, or
            one image for another; None for standard output.
        force: Whether inputs may be overwritten.

    Raises:
        OutputError: An input would be overwritten, or *output* is a file and there are several.
    """
    if output and _names_file(paths, output):
        if not force and same_file(output, paths[0]):
            raise OutputError(output, "is the input itself; write to another file, or use --force")
        return [Job(paths[0], paths[0].name, output)]
    if output and not isdir(output) and (isfile(output) or output.suffix.lower() in _FILES):
        if len(paths) == 1 and not isdir(paths[0]):
            raise OutputError(output, f"is of another format than {paths[0].name}: formats stay")
        raise OutputError(output, "is a file: several files, or a folder's, need a folder")
    return [
        job
        for job in jobs(paths, output, force)
        if not (
            isinstance(job.source, Path)
            and job.source not in paths
            and job.source.name.endswith((PREVIEW, PREVIEW_OF_TEXT))
        )
    ]


def _names_file(paths: Sequence[Path], output: Path) -> bool:
    """Return whether *output* is the file to write, and not a folder."""
    if len(paths) != 1 or isdir(paths[0]) or isdir(output) or not output.suffix:
        return False
    suffixes = {paths[0].suffix.lower(), output.suffix.lower()}
    return len(suffixes) == 1 or suffixes <= IMAGES


def same_file(one: Path, other: Path) -> bool:
    """Return whether both exist and are the same file, even under different names."""
    return exists(one) and exists(other) and one.samefile(other)
