"""Find the shipped pack: inside the wheel, or in the checkout that is running."""

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from presidio_cdip.errors import PackError


@lru_cache(maxsize=1)
def shipped_root() -> Traversable:
    """Return the folder that holds the shipped ``recognizers/`` and ``operators/``.

    Raises:
        PackError: The installation has no pack.
    """
    package = files("presidio_cdip")
    inside = package / "_pack"
    root = inside if inside.is_dir() else package / ".."
    if not (root / "recognizers").is_dir():
        raise PackError("recognizers/", "is missing here; install presidio-cdip again")
    return root
