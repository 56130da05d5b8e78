"""Where the shipped pack lies: inside the wheel, or in the checkout that the code runs from."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from presidio_cdip.errors import PackError


def shipped_root() -> Traversable:
    """Return the folder of this distribution that holds ``recognizers/`` and ``operators/``.

    Raises:
        PackError: The installation came without its pack.
    """
    package = files("presidio_cdip")
    inside = package / "_pack"
    root = inside if inside.is_dir() else package / ".."
    if not (root / "recognizers").is_dir():
        raise PackError("recognizers/", "is missing here; install presidio-cdip again")
    return root
