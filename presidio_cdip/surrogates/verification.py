"""Whether the ``operators/`` of a pack can be used as they stand."""

from collections.abc import Iterator

from presidio_cdip.errors import CdipError, PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.policies import read_policy
from presidio_cdip.surrogates.values import phrases


def operator_problems(pack: Pack) -> Iterator[CdipError]:
    """Yield what is wrong with the policies and phrases of a pack's overlay, one error each."""
    for name, item in pack.files("operators", ".yaml").items():
        try:
            if pack.is_own(item):
                read_policy(name.removesuffix(".yaml"), pack)
        except CdipError as error:
            yield error
    for name, item in pack.files(phrases.FOLDER, ".yaml").items():
        if name != phrases.SHARED and pack.is_own(item):
            try:
                yield from misread_templates(name.removesuffix(".yaml").upper(), pack)
            except PackError as error:
                yield error


def misread_templates(entity: str, pack: Pack | None = None) -> Iterator[PackError]:
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
