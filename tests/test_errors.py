"""Errors say what to do, and reach the process that asked."""

import pickle

import pytest

from presidio_cdip.errors import (
    CdipError,
    MissingDependency,
    PackError,
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
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_survives_a_process_border(error: CdipError) -> None:
    """A worker's error arrives with its message, its file and its exit code."""
    arrived = pickle.loads(pickle.dumps(error))

    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert arrived.exit_code == error.exit_code
    assert vars(arrived) == vars(error)
