"""Check the policies and phrase files of a pack."""

from collections.abc import Iterator

from presidio_cdip.errors import CdipError, PackError
from presidio_cdip.pack.pack import Pack, lines
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import FOLDER as GAZETTEERS
from presidio_cdip.surrogates.policies import FOLDER, read_policy
from presidio_cdip.surrogates.values import identifiers, phrases


def operator_problems(pack: Pack) -> Iterator[CdipError]:
    """Yield an error for each invalid policy or phrase file of a pack's overlay."""
    for name in policy_files(pack):
        try:
            read_policy(name, pack)
        except CdipError as error:
            yield error
    for name in phrase_files(pack):
        if name != name.lower():
            problem = "is not named in small letters: nothing reads it"
            yield PackError(f"phrases/{name}.yaml", problem)
        try:
            yield from misread_templates(name.upper(), pack)
        except PackError as error:
            yield error
    if pack.has_own(f"{GAZETTEERS}/{identifiers.TABLE}.tsv"):
        try:
            identifiers.formats(pack)
        except PackError as error:
            yield error


def list_problems(pack: Pack) -> Iterator[CdipError]:
    """Yield what is wrong with the lists of a pack's overlay, and which files nothing reads."""
    for folder in ("recognizers", "operators"):
        for name, item in pack.files(folder, ".yml").items():
            if pack.is_own(item):
                yield PackError(f"{folder}/{name}", "is not read: name it .yaml")
        for _, item in pack.files(f"{folder}/gazetteers", "").items():
            try:
                if pack.is_own(item):
                    lines(item)
            except PackError as error:
                yield error


def policy_files(pack: Pack) -> list[str]:
    """Return the names of the policies of a pack's overlay."""
    return _own(pack, FOLDER)


def phrase_files(pack: Pack) -> list[str]:
    """Return the names of the phrase files of a pack's overlay, without ``shared.yaml``."""
    return [name for name in _own(pack, phrases.FOLDER) if f"{name}.yaml" != phrases.SHARED]


def _own(pack: Pack, folder: str) -> list[str]:
    found = pack.files(folder, ".yaml").items()
    return [name.removesuffix(".yaml") for name, item in found if pack.is_own(item)]


def misread_templates(entity: str, pack: Pack | None = None) -> Iterator[PackError]:
    """Yield an error for each template of *entity* whose output is read by another shape.

    The slots are filled with a fixed key; with another key a template may be read differently.
    Templates of shapes that ask for the text around a value, or for the page, are not tried.
    """
    draw = Draw(Keyring(bytes(32), "templates", "en_US"), entity, "", 0, {"pack": pack})
    for shape in phrases.shapes(entity, pack)[:-1]:
        for written in () if shape.asks_around else shape.examples(draw):
            reading = table.read(entity, written, {"pack": pack, "locale": "en_US"})
            read_as = reading.form.split()[1]
            if read_as != shape.name:
                problem = f"shape {shape.name} writes {written!r}, which is read as {read_as}"
                yield PackError(f"phrases/{entity.lower()}.yaml", problem)
