"""Walk folders of input files, and decide where the output of each file goes.

Nothing here writes. Every input is protected: a run that would overwrite one is refused before its
first output is written.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import walk as walk_folder
from pathlib import Path

from presidio_cdip.errors import OutputError, UnreadableInput
from presidio_cdip.files.inputs import decode, is_image, read_bytes

PREVIEW = ".preview.png"
"""The end of the names of previews, which show originals and are no pages to be read."""


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


def walk(paths: Iterable[Path]) -> Iterator[Path | UnreadableInput]:
    """Yield the files among *paths* and in the folders among them, in order.

    A folder that cannot be opened, a link to a folder, and a link to a file outside the folder
    that was named are yielded as errors: a text from elsewhere is not part of the folder.
    """
    for path in paths:
        if not path.is_dir():
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
    if file.is_symlink() and file.exists() and not file.resolve().is_relative_to(folder):
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
            elif not (output and path.is_dir() and _is_earlier_output(file, path, output)):
                within = file.relative_to(path) if path.is_dir() else Path(file.name)
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


def page_jobs(
    paths: Sequence[Path], output: Path, suffixes: Collection[str], force: bool = False
) -> list[Job]:
    """Return a job for each image among *paths* and in the folders among them.

    Texts in folders are left out. A file that is named by the caller, or whose name ends like that
    of an image or a PDF, is not skipped: if it is not an image, its job holds an error.

    Args:
        paths: Files and folders.
        output: The folder to write to; for one page also a file.
        suffixes: The suffixes of image files that can be written.
        force: Whether inputs may be overwritten.

    Raises:
        OutputError: An input would be overwritten, *output* is a file and there are several
            pages, or it does not have the suffix of an image.
    """
    alone = len(paths) == 1 and not paths[0].is_dir() and not output.is_dir()
    if alone and output.suffix:
        return [_page_job(paths[0], output, suffixes, force)]
    if output.suffix.lower() in suffixes and not output.is_dir():
        raise OutputError(output, "is a file: several pages, or a folder's, need a folder")
    found: list[Job] = []
    for job in jobs(paths, output, force):
        if isinstance(job.source, Path):
            named = job.source in paths
            if not named and job.source.name.endswith(PREVIEW):
                continue
            try:
                if not (job.source.is_file() and is_image(read_bytes(job.source))):
                    if not named and job.source.suffix.lower() not in {*suffixes, ".pdf"}:
                        continue
                    refuse_unless_image(job.source)
                    continue
            except UnreadableInput as error:
                job = Job(error, job.name, job.target)
        found.append(job)
    return found


def _page_job(page: Path, target: Path, suffixes: Collection[str], force: bool) -> Job:
    if target.suffix.lower() not in suffixes:
        raise OutputError(target, "has no suffix of an image")
    if not force and same_file(target, page):
        raise OutputError(target, "is the page itself; write to another file, or use --force")
    try:
        refuse_unless_image(page)
    except UnreadableInput as error:
        return Job(error, page.name, target)
    return Job(page, page.name, target)


def refuse_unless_image(file: Path) -> None:
    """Check that *file* is an image.

    Raises:
        UnreadableInput: It is not an image, or it cannot be read; the message says what it is.
    """
    data = read_bytes(file)
    if not is_image(data):
        decode(data, str(file))  # the error for a file that is not text says what it is
        raise UnreadableInput(str(file), "is not an image; `presidio-cdip anonymize` takes texts")


def same_file(one: Path, other: Path) -> bool:
    """Return whether both exist and are the same file, even under different names."""
    return one.exists() and other.exists() and one.samefile(other)
