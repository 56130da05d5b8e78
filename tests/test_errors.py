"""Errors say what to do, and reach the process that asked."""

import ast
import pickle
import re
from pathlib import Path

import pytest

import presidio_cdip
from presidio_cdip import errors
from presidio_cdip.errors import (
    CdipError,
    ExitCode,
    MissingDependency,
    OutputError,
    PackError,
    PolicyError,
    StillReadable,
    UnknownEntity,
    UnreadableInput,
)

ERRORS = [
    PackError("age.yaml", "unknown key 'x'"),
    UnknownEntity(["SNN"], ["US_SSN"]),
    MissingDependency("tesseract", "apt-get install tesseract-ocr"),
    UnreadableInput("page.png", "is truncated"),
    StillReadable("page.png", ["US_SSN"]),
    OutputError("out/page.png", "No space left on device"),
]
PACKAGE = Path(presidio_cdip.__file__).parent


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_survives_a_process_border(error: CdipError) -> None:
    """A worker's error arrives with its message, its file and its exit code."""
    arrived = pickle.loads(pickle.dumps(error))

    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert arrived.exit_code == error.exit_code
    assert vars(arrived) == vars(error)


def tree() -> dict[str, type[CdipError]]:
    """Every error, by name."""
    kinds = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
    return {name: kind for name, kind in kinds.items() if issubclass(kind, CdipError)}


def test_tree_of_errors_is_documented_and_exported() -> None:
    """The docstring lists every error once, and the package exports every one of them."""
    listed = re.findall(r"^ +- `(\w+)`", errors.__doc__ or "", re.M)

    assert sorted(["CdipError", *listed]) == sorted(tree())
    assert set(tree()) <= set(presidio_cdip.__all__)


def test_every_error_has_a_documented_exit_code() -> None:
    """An error ends the command line with a member of `ExitCode`."""
    assert all(isinstance(kind.exit_code, ExitCode) for kind in tree().values())


@pytest.mark.slow
def test_the_base_error_is_never_raised_itself() -> None:
    """Every `raise` names the kind of error, so that a caller can tell them apart."""
    bare = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "CdipError"
    ]

    assert bare == []


def test_public_names_are_listed() -> None:
    """`dir()` shows what can be imported from the package."""
    assert set(presidio_cdip.__all__) <= set(dir(presidio_cdip))


@pytest.mark.checkout
def test_the_version_stands_in_one_place() -> None:
    """The project file and the recognizers take it from the package."""
    from presidio_cdip.presidio.analyzer import CdipRecognizer

    root = PACKAGE.parent
    files = [root / "pyproject.toml", *(file for file in PACKAGE.rglob("*.py"))]
    assigned = re.compile(r'(?m)^ *_*version\w* *(?:: *str *)?= *"\d')
    stated = [file.name for file in files if assigned.search(file.read_text("utf-8"))]

    assert CdipRecognizer(model="none").version == presidio_cdip.__version__
    assert stated == ["version.py"]


@pytest.mark.parametrize(
    "error", [UnknownEntity(["X" * 9000], ["US_SSN"]), PolicyError("x" * 9000, "there is none")],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_a_long_name_is_not_repeated_whole(error: CdipError) -> None:
    """A message stays a line, however long the name that a caller sent."""
    assert len(str(error)) < 200
