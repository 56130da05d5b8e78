"""Find sensitive personal data in text and scanned pages with Presidio."""

from typing import TYPE_CHECKING, Any

from presidio_cdip.entities import ENTITIES, Entity
from presidio_cdip.errors import (
    CdipError,
    MissingDependency,
    PackError,
    StillReadable,
    UnknownEntity,
    UnreadableInput,
)
from presidio_cdip.pack import Pack

if TYPE_CHECKING:
    from presidio_cdip.presidio import add_recognizers, analyzer
    from presidio_cdip.spacy_hook import load

__version__ = "0.1.0"
__all__ = [
    "ENTITIES",
    "CdipError",
    "Entity",
    "MissingDependency",
    "Pack",
    "PackError",
    "StillReadable",
    "UnknownEntity",
    "UnreadableInput",
    "add_recognizers",
    "analyzer",
    "load",
]

# Importing Presidio takes seconds: what needs it is imported when it is first asked for.
_LAZY = {
    "add_recognizers": "presidio_cdip.presidio",
    "analyzer": "presidio_cdip.presidio",
    "load": "presidio_cdip.spacy_hook",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
