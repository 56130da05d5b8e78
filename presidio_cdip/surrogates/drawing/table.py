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
from presidio_cdip.surrogates.places.street_lists import load_street_lists
from presidio_cdip.surrogates.writing.breaks import Joined, joined
from presidio_cdip.surrogates.writing.text import number_meant, spellings

ENTRY_POINTS = "presidio_cdip.forms"

# The forms of any other entity, such as an identifier of ``identifiers.tsv``.
_ANY = "values.identifiers:FORMS"
# Forms that are tried before the entity's phrases, because they look at the page.
_BEFORE_PHRASES = {
    "MARITAL_STATUS": (
        "values.children:CHILDREN_FORMS",
        "values.spouse_fields:SPOUSE_FIELD_FORMS",
        "values.marital_rows:FORMS",
    ),
    "ETHNIC_ORIGIN": ("values.peoples:FORMS",),
    "NATIONALITY": ("values.peoples:NATIONALITY_FORMS",),
    "BIOMETRIC_DATA": ("values.scales:SCALE_FORMS",),
    "GENETIC_DATA": ("values.loci:FORMS", "values.disorders:FORMS"),
    "HEALTH": (
        "values.disorders:HEALTH_FORMS",
        "values.scales:SCALE_FORMS",
        "values.medicines:MEDICINE_FORMS",
    ),
}
# Forms that are tried after the entity's phrases, before the plainest form.
_AFTER_PHRASES = {"HEALTH": ("values.medicines:UNNAMED_FORMS",)}
# Forms that are tried before what the page tells of the entity, which reads single words.
_BEFORE_TOLD = {"MARITAL_STATUS": ("values.spouse_fields:TOLD_FORMS",)}
_FIRST = {"GENDER": ("values.turning:FORMS",)}  # tried before all others
_ON_FORMS = ("values.legends:FORMS", "values.boxes:FORMS")  # the same, of any entity with phrases
_MARKS = "values.boxes:MARK_FORMS"  # tried before all of these
_CODES = "values.legends:LAST_FORMS"  # tried after its phrases, before the plainest form
_PLACES = ("PLACE_OF_BIRTH", "HOME_ADDRESS", "LOCATION")  # whose lines are parts of them
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
    "IP_ADDRESS": "values.internet:IP_FORMS",
    "NRP": "values.groups:NRP_FORMS",
    "URL": "values.internet:URL_FORMS",
    "ZA_MOBILE_NUMBER": "values.numbers:PHONE_FORMS",
    "ZA_TELEPHONE_NUMBER": "values.numbers:PHONE_FORMS",
}


@lru_cache(maxsize=256)
def forms_of(entity: str, pack: Pack) -> tuple[Form, ...]:
    """Return the forms of *entity*, in the order in which they are tried.

    Forms of entry points come first, then phrases of the pack, formats of ``identifiers.tsv`` and
    computed forms; the last form reads any value. An entity without any of these has forms that
    replace letters by letters and digits by digits.

    Args:
        entity: A Presidio entity type.
        pack: The pack in use.
    """
    own: list[Form] = []
    for point in _entry_points(entity):
        loaded = point.load()
        for one in loaded if isinstance(loaded, tuple) else (loaded,):
            own.append(one() if isinstance(one, type) else one)
    shapes: tuple[Form, ...] = _phrases().forms(entity, pack)
    if shapes:
        first = (form for forms in _ON_FORMS for form in _named(forms))
        before = (form for forms in _BEFORE_PHRASES.get(entity, ()) for form in _named(forms))
        agreeing = (form for forms in _BEFORE_TOLD.get(entity, ()) for form in _named(forms))
        told: tuple[Form, ...] = _told().told_forms(entity, pack)
        turned = (form for forms in _FIRST.get(entity, ()) for form in _named(forms))
        marks = _named(_MARKS)
        after = (form for forms in _AFTER_PHRASES.get(entity, ()) for form in _named(forms))
        shapes = (
            *turned,
            *marks,
            *agreeing,
            *told,
            *before,
            *first,
            *shapes[:-1],
            *after,
            *_named(_CODES),
            shapes[-1],
        )
    shapes += _identifiers().formats(pack).get(entity, ())
    computed = _COMPUTED.get(entity, "" if _phrases().has_phrases(entity, pack) else _ANY)
    if computed:
        shapes += _named(computed)
    return (*own, *shapes)


def _named(forms: str) -> tuple[Form, ...]:
    module, name = forms.split(":")
    found: tuple[Form, ...] = getattr(import_module(f"presidio_cdip.surrogates.{module}"), name)
    return found


@lru_cache(maxsize=256)
def has_forms(entity: str, pack: Pack) -> bool:
    """Return whether *entity* is known to have forms: others have those of any code."""
    return (
        entity in _COMPUTED
        or entity in entities_of(pack)
        or entity in _identifiers().formats(pack)
        or _phrases().has_phrases(entity, pack)
        or bool(_entry_points(entity))
    )


def _phrases() -> Any:
    return import_module("presidio_cdip.surrogates.values.phrases")


def _told() -> Any:
    return import_module("presidio_cdip.surrogates.values.told")


def _nations() -> Any:
    return import_module("presidio_cdip.surrogates.values.nations")


def _identifiers() -> Any:
    return import_module("presidio_cdip.surrogates.values.identifiers")


def _entry_points(entity: str) -> list[EntryPoint]:
    found = entry_points(group=ENTRY_POINTS, name=entity)
    return sorted(found, key=lambda point: point.value)


def joined_lines(entity: str, value: str, pack: Pack) -> Joined:
    """Return *value* without ends of lines that break a phrase or the name of a place."""
    if "\n" not in value:
        return Joined(value, ())
    if entity in _PLACES:
        return joined(value, load_street_lists(pack).is_name)
    return joined(value) if _phrases().has_phrases(entity, pack) else Joined(value, ())


def read(entity: str, value: str, options: Mapping[str, Any]) -> Reading:
    """Return the reading of *value* by the first form of *entity* that accepts it."""
    return read_closely(entity, value, options) or read_plainly(entity, value, options)


def read_closely(entity: str, value: str, options: Mapping[str, Any]) -> Reading | None:
    """Return the reading of *value* by a form other than the plainest; None if none accepts it.

    If no form accepts the value as it is, they try it with OCR errors repaired.
    """
    ways = list(spellings(value))
    if (number := number_meant(value)) and _phrases().has_phrases(entity, pack_of(options)):
        ways.insert(0, number)  # else its letters would be read as words
    for form in forms_of(entity, pack_of(options))[:-1]:
        for spelling in ways:
            if reading := form.read(spelling, options):
                return reading
    return None


def read_plainly(entity: str, value: str, options: Mapping[str, Any]) -> Reading:
    """Return the reading of *value* by the plainest form of *entity*, which is the last.

    Raises:
        ValueError: It does not read every value.
    """
    if reading := forms_of(entity, pack_of(options))[-1].read(value, options):
        return reading
    raise ValueError(f"the last form of {entity} refuses a value")


def country_on_page(draw: Draw, country: str) -> str:
    """Return the country that replaces *country* on the page of *draw*; empty without a page."""
    found: str = _nations().country_on_page(draw, country)
    return found


def surrogate_of_part(entity: str, value: str, draw: Draw) -> str:
    """Return the surrogate of a part of a value; the part is a value of *entity*."""
    reading = read(entity, value, {**draw.options, "locale": draw.locale})
    return reading.write(draw.part(entity, reading.normal))
