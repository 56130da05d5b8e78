"""Draw surrogates of Presidio's NRP: a nationality, a religion or a political group."""

from collections.abc import Mapping
from typing import Any

from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading

_ENTITIES = ("NATIONALITY", "RELIGION", "ETHNIC_ORIGIN", "POLITICAL_OPINION")
_NAMES = ("phrase named", "phrase known")  # of politicians, perhaps, but of no group


class _Group:
    """Read a value as the first of our entities that has a form for it; draw from its stream."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        for entity in _ENTITIES:
            reading = table.read_closely(entity, value, options)
            if reading and reading.form not in _NAMES:
                return _of(entity, reading)
        return None


class _AnyGroup:
    """Read any value as an ethnic origin."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading:
        return _of("ETHNIC_ORIGIN", table.read("ETHNIC_ORIGIN", value, options))


def _of(entity: str, reading: Reading) -> Reading:
    def write(draw: Draw) -> str:
        return reading.write(draw.part(entity, reading.normal))

    return Reading(f"{entity} {reading.form}", reading.normal, write, reading.may_stay)


NRP_FORMS: tuple[Form, ...] = (_Group(), _AnyGroup())
