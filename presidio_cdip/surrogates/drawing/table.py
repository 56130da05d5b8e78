"""Find the forms of each entity: computed ones, phrases of the pack, and entry points.

Modules of forms are imported when they are first used, because a form may call this module for the
surrogate of a part of its value.
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
# Forms that are tried before the entity's phrases, because they look at the page.
_BEFORE_PHRASES = {"MARITAL_STATUS": "values.children:CHILDREN_FORMS"}
# The computed forms; the other entities have phrases, in the pack.
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
    # Presidio's other identifiers: other digits and words in the same format.
    **dict.fromkeys(
        (
            "CREDIT_CARD", "IBAN_CODE", "MEDICAL_LICENSE", "UK_NHS", "US_BANK_NUMBER",
            "US_DRIVER_LICENSE", "US_ITIN", "US_PASSPORT",
        ),
        _PLAINEST,
    ),
}  # fmt: skip


def forms_of(entity: str, pack: Pack | None = None) -> tuple[Form, ...]:
    """Return the forms of *entity*, in the order in which they are tried.

    Forms of entry points come first, then phrases of the pack, then computed forms; the last form
    reads any value. An entity that the pack declares without any of these has a form that replaces
    letters by letters and digits by digits. Any other entity has no forms.

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
    if shapes and entity in _BEFORE_PHRASES:
        shapes = _named(_BEFORE_PHRASES[entity]) + shapes
    computed = _COMPUTED.get(entity)
    if computed is None and not shapes and entity in entities_of(pack):
        computed = _PLAINEST
    if computed:
        shapes += _named(computed)
    return (*own, *shapes)


def _named(forms: str) -> tuple[Form, ...]:
    module, name = forms.split(":")
    found: tuple[Form, ...] = getattr(import_module(f"presidio_cdip.surrogates.{module}"), name)
    return found


def has_forms(entity: str, pack: Pack | None = None) -> bool:
    """Tell whether *entity* has forms, without reading files."""
    return _has_forms(entity, pack or Pack.shipped())


@lru_cache(maxsize=256)
def _has_forms(entity: str, pack: Pack) -> bool:
    return (
        entity in _COMPUTED
        or entity in entities_of(pack)
        or _phrases().has_phrases(entity, pack)
        or bool(_entry_points(entity))
    )


def _phrases() -> Any:
    return import_module("presidio_cdip.surrogates.values.phrases")


def _entry_points(entity: str) -> list[EntryPoint]:
    found = entry_points(group=ENTRY_POINTS, name=entity)
    return sorted(found, key=lambda point: point.value)


def read(entity: str, value: str, options: Mapping[str, Any]) -> Reading | None:
    """Return the reading of *value* by the first form of *entity* that accepts it, or None.

    Before the plainest form is used, the other forms try *value* with OCR errors repaired.
    """
    forms = forms_of(entity, pack_of(options))
    ways = list(spellings(value))
    for form in forms[:-1]:
        for spelling in ways:
            if reading := form.read(spelling, options):
                return reading
    return forms[-1].read(value, options) if forms else None


def surrogate_of_part(entity: str, value: str, draw: Draw) -> str:
    """Return the surrogate of a part of a value; the part is a value of *entity*."""
    reading = read(entity, value, {**draw.options, "locale": draw.locale})
    return reading.write(draw.part(entity, reading.normal)) if reading else f"<{entity}>"
