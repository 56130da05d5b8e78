"""Check that the ``operators/`` of a pack can be used as they stand."""

from collections.abc import Iterator
from pathlib import Path

from presidio_cdip.errors import CdipError, PackError
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.policies import read_policy
from presidio_cdip.surrogates.values import phrases


def operator_problems(folder: Path) -> Iterator[CdipError]:
    """What is wrong with the policies and phrases in *folder*/operators, one error each."""
    for file in policy_files(folder):
        try:
            read_policy(file.stem, str(folder))
        except CdipError as error:
            yield error
    for file in phrase_files(folder):
        try:
            yield from misread_templates(file.stem.upper(), str(folder))
        except PackError as error:
            yield error


def policy_files(folder: Path) -> list[Path]:
    """Return the policies in *folder*/operators."""
    return sorted((folder / "operators").glob("*.yaml"))


def phrase_files(folder: Path) -> list[Path]:
    """Return the files of *folder*/operators/phrases that hold an entity's phrases."""
    found = (folder / "operators" / "phrases").glob("*.yaml")
    return sorted(file for file in found if file.name != phrases.SHARED)


def misread_templates(entity: str, pack: str | None = None) -> Iterator[PackError]:
    """One error for each template of *entity* whose output another shape than its own reads.

    Slots are filled by a fixed key; another may fill them so that they are read otherwise.
    """
    draw = Draw(Keyring(bytes(32), "templates", "en_US"), entity, "", 0, {"pack": pack})
    for shape in phrases.shapes(entity, pack)[:-1]:
        for written in shape.examples(draw):
            reading = table.read(entity, written, {"pack": pack, "locale": "en_US"})
            read_as = reading.form.split()[1] if reading else "nothing"
            if read_as != shape.name:
                problem = f"shape {shape.name} writes {written!r}, which is read as {read_as}"
                yield PackError(f"phrases/{entity.lower()}.yaml", problem)
