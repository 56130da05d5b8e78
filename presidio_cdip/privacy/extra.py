"""Import the packages of the extra `[privacy]`."""

from importlib import import_module
from types import ModuleType

from presidio_cdip.errors import MissingDependency


def sklearn(module: str) -> ModuleType:
    """Import *module* of scikit-learn.

    Raises:
        MissingDependency: The extra is not installed.
    """
    try:
        return import_module(f"sklearn.{module}")
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}", 'pip install "presidio-cdip[privacy]"'
        ) from None
