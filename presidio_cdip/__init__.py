"""Find sensitive personal data in text and scanned pages with Presidio, and replace it."""

from typing import TYPE_CHECKING, Any

from presidio_cdip.errors import (
    CdipError,
    CorpusError,
    ExitCode,
    FontsMissing,
    InvalidOption,
    KeyUnusable,
    MissingDependency,
    ModelError,
    NotInvertible,
    OutputError,
    PackError,
    PageTooLarge,
    PolicyError,
    RankerError,
    ReviewError,
    StillReadable,
    TextTooLong,
    UnknownEntity,
    UnreadableInput,
    UnsupportedPage,
    ValueRefused,
    VaultError,
)
from presidio_cdip.version import __version__ as __version__

if TYPE_CHECKING:
    from presidio_cdip.entities import ENTITIES, Entity
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.presidio.analyzer import add_recognizers, analyzer
    from presidio_cdip.presidio.distribution import DistributionRecognizer
    from presidio_cdip.presidio.images import image_redactor
    from presidio_cdip.presidio.operators import add_operators, anonymize, in_scope, policy
    from presidio_cdip.presidio.pipeline import load
    from presidio_cdip.presidio.structured import ScopedRows
    from presidio_cdip.surrogates.engine import Surrogates
    from presidio_cdip.surrogates.keys import make_key, read_key
    from presidio_cdip.surrogates.vault import Vault

__all__ = [
    "ENTITIES",
    "CdipError",
    "CorpusError",
    "DistributionRecognizer",
    "Entity",
    "ExitCode",
    "FontsMissing",
    "InvalidOption",
    "KeyUnusable",
    "MissingDependency",
    "ModelError",
    "NotInvertible",
    "OutputError",
    "Pack",
    "PackError",
    "PageTooLarge",
    "PolicyError",
    "RankerError",
    "ReviewError",
    "ScopedRows",
    "StillReadable",
    "Surrogates",
    "TextTooLong",
    "UnknownEntity",
    "UnreadableInput",
    "UnsupportedPage",
    "ValueRefused",
    "Vault",
    "VaultError",
    "add_operators",
    "add_recognizers",
    "analyzer",
    "anonymize",
    "image_redactor",
    "in_scope",
    "load",
    "make_key",
    "policy",
    "read_key",
]

# Importing Presidio takes seconds: what is not an error is imported at its first use.
_LAZY = {
    "DistributionRecognizer": "presidio_cdip.presidio.distribution",
    "ENTITIES": "presidio_cdip.entities",
    "Entity": "presidio_cdip.entities",
    "Pack": "presidio_cdip.pack.pack",
    "ScopedRows": "presidio_cdip.presidio.structured",
    "Surrogates": "presidio_cdip.surrogates.engine",
    "Vault": "presidio_cdip.surrogates.vault",
    "add_operators": "presidio_cdip.presidio.operators",
    "add_recognizers": "presidio_cdip.presidio.analyzer",
    "analyzer": "presidio_cdip.presidio.analyzer",
    "anonymize": "presidio_cdip.presidio.operators",
    "image_redactor": "presidio_cdip.presidio.images",
    "in_scope": "presidio_cdip.presidio.operators",
    "load": "presidio_cdip.presidio.pipeline",
    "make_key": "presidio_cdip.surrogates.keys",
    "policy": "presidio_cdip.presidio.operators",
    "read_key": "presidio_cdip.surrogates.keys",
}

# What needs packages beside the dependencies, and what installs these.
_INSTALLED_BY = {"image_redactor": '"presidio-cdip[image]"', "ScopedRows": "presidio-structured"}


def __dir__() -> list[str]:
    """Return the public names, and the module's own."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(_LAZY[name]), name)
    except ModuleNotFoundError as error:
        if name not in _INSTALLED_BY or (error.name or "").startswith("presidio_cdip"):
            raise
        raise MissingDependency(
            f"the Python package {error.name}", f"pip install {_INSTALLED_BY[name]}"
        ) from None
