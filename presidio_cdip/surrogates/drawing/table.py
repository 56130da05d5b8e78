"""Which forms read which entity's values: ours, those of the pack, and those of entry points.

The modules of the forms are named here and imported when they are asked for, so that a form may
ask this table for the surrogate of a value inside its own.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from presidio_cdip.entities import entities_of
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.writing.text import spellings

ENTRY_POINTS = "presidio_cdip.forms"

_PLAINEST = "values.numbers:DIGIT_FORMS"
# What is computed; every other entity's forms are phrases, in the pack.
_COMPUTED = {
    "US_SSN": "values.numbers:SSN_FORMS",
    "DATE_OF_BIRTH": "dates.dates:BIRTH_FORMS",
    "AGE": "dates.ages:FORMS",
    "PLACE_OF_BIRTH": "places.places:FORMS",
    "HOME_ADDRESS": "places.addresses:FORMS",
    "HOME_PHONE_NUMBER": "values.numbers:PHONE_FORMS",
    "PERSON": "values.names:PERSON_FORMS",
    "ORGANIZATION": "values.names:ORGANIZATION_FORMS",
    "EMAIL_ADDRESS": "values.names:EMAIL_FORMS",
    "LOCATION": "places.locations:FORMS",
    "PHONE_NUMBER": "values.numbers:PHONE_FORMS",
    "DATE_TIME": "dates.dates:DATE_TIME_FORMS",
    # Presidio's other identifiers: the same shape, other digits and words.
    **dict.fromkeys(
        (
            "CREDIT_CARD", "IBAN_CODE", "MEDICAL_LICENSE", "UK_NHS", "US_BANK_NUMBER",
            "US_DRIVER_LICENSE", "US_ITIN", "US_PASSPORT",
        ),
        _PLAINEST,
    ),
}  # fmt: skip


def forms_of(entity: str, pack: Pack | None = None) -> tuple[Form, ...]:
    """Return the forms that are asked for values of *entity*, in order; none where there are none.

    Those of entry points come first, then the pack's, then ours; the last reads any value. An
    entity of the pack that has none of these keeps letters as letters and digits as digits.

    Args:
        entity: A Presidio entity type.
        pack: The shipped pack, if None.
    """
    return _forms_of(entity, pack or Pack.shipped())


@lru_cache(maxsize=256)
def _forms_of(entity: str, pack: Pack) -> tuple[Form, ...]:
    own: list[Form] = []
    for point in _entry_points(entity):
        loaded = point.load()
        for one in loaded if isinstance(loaded, tuple) else (loaded,):
            own.append(one() if isinstance(one, type) else one)
    shapes: tuple[Form, ...] = _phrases().forms(entity, pack)
    computed = _COMPUTED.get(entity)
    if computed is None and not shapes and entity in entities_of(pack):
        computed = _PLAINEST
    if computed:
        module, name = computed.split(":")
        shapes += getattr(import_module(f"presidio_cdip.surrogates.{module}"), name)
    return (*own, *shapes)


def has_forms(entity: str, pack: Pack | None = None) -> bool:
    """Whether there are forms for *entity*; they are not read."""
    return _has_forms(entity, pack or Pack.shipped())


@lru_cache(maxsize=256)
def _has_forms(entity: str, pack: Pack) -> bool:
    return (
        entity in _COMPUTED
        or entity in entities_of(pack)
        or _phrases().there_are(entity, pack)
        or bool(_entry_points(entity))
    )


def _phrases() -> Any:
    return import_module("presidio_cdip.surrogates.values.phrases")


def _entry_points(entity: str) -> list[EntryPoint]:
    found = entry_points(group=ENTRY_POINTS, name=entity)
    return sorted(found, key=lambda point: point.value)


def read(entity: str, value: str, options: Mapping[str, Any]) -> Reading | None:
    """How *value* reads as one of *entity*; None where nothing reads it.

    A value that only the plainest form would take is tried again without what OCR did to it.
    """
    forms = forms_of(entity, pack_of(options))
    ways = list(spellings(value))
    for form in forms[:-1]:
        for spelling in ways:
            if reading := form.read(spelling, options):
                return reading
    return forms[-1].read(value, options) if forms else None


def surrogate_of_part(entity: str, value: str, draw: Draw) -> str:
    """The surrogate of a value of *entity* that stands inside another value."""
    reading = read(entity, value, {**draw.options, "locale": draw.locale})
    return reading.write(draw.part(entity, reading.normal)) if reading else f"<{entity}>"
