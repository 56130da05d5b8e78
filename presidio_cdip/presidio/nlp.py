"""Make this package known to spaCy as a pipeline where it runs without installed metadata.

spaCy and Presidio look a pipeline up by the metadata of an installed distribution, and Presidio
downloads what it does not find. A checkout on ``PYTHONPATH`` has no metadata.
"""

import os
import sys
from collections.abc import Iterator
from importlib.metadata import (
    Distribution,
    DistributionFinder,
    PackageNotFoundError,
    distribution,
)
from pathlib import Path
from typing import Any

from presidio_cdip.version import __version__

_NAME = "presidio-cdip"


class _Checkout(Distribution):
    """Give importlib the metadata of this package: name and version."""

    def read_text(self, filename: str) -> str | None:
        """Return the text of METADATA, and None for every other file."""
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {_NAME}\nVersion: {__version__}\n"

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        """Return where a file of the distribution is."""
        return Path(__file__).parents[2] / path


class _Finder(DistributionFinder):
    """Find the metadata of this package, and no module."""

    def find_spec(self, *_: Any) -> None:
        """Find no module."""

    def find_distributions(
        self, context: DistributionFinder.Context | None = None
    ) -> Iterator[Distribution]:
        """Yield the checkout where this package is asked for, or all are."""
        name = context.name if context else None
        if name is None or name.lower().replace("_", "-") == _NAME:
            yield _Checkout()


def provide_metadata() -> None:
    """Provide this package's name and version in this process if no installed metadata does."""
    try:
        distribution(_NAME)
    except PackageNotFoundError:
        sys.meta_path.append(_Finder())
