"""The child that works on documents keeps out of the way of others."""

import os
import tempfile
from pathlib import Path

import pytest

from presidio_cdip.service import child


def test_children_on_one_document_leave_each_others_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child may end with a document while another one still has temporary files for it."""
    monkeypatch.setenv("TMPDIR", "")
    monkeypatch.setattr(tempfile, "tempdir", None)
    request = {"folder": str(tmp_path), "name": "a.txt"}
    left = []

    def ends(_: object) -> dict[str, bool]:
        return {}

    def works(_: object) -> dict[str, bool]:
        file = Path(tempfile.mkstemp()[1])
        with monkeypatch.context() as another:
            another.setattr(os, "getpid", lambda: 1)
            child._answered({"ends": ends}, {**request, "op": "ends"})
        left.append(file.exists())
        return {}

    assert child._answered({"works": works}, {**request, "op": "works"}) == {}
    assert left == [True]
    assert not list(tmp_path.iterdir())
