"""A text that is longer than allowed is not read, and the run goes on with the next."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from presidio_cdip.errors import ExitCode, TextTooLong
from presidio_cdip.files import inputs
from presidio_cdip.files.inputs import STANDARD_INPUT, decode, read_input, read_text

PNG = b"\x89PNG\r\n" + bytes(100)


@pytest.mark.parametrize("text", ["elf", "zwölf", "🂡🂢🂣🂤🂥🂦"])
def test_characters_count_and_not_bytes(text: str, tmp_path: Path) -> None:
    """As many as allowed are read; one more is refused, with the file's name."""
    (file := tmp_path / "letter.txt").write_text(text, encoding="utf-8")

    assert read_text(file, len(text)) == text
    with pytest.raises(TextTooLong, match=f"letter.txt: has more than {len(text) - 1} characters"):
        read_text(file, len(text) - 1)


def test_file_that_must_be_too_long_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size says so; an image of that size is read."""
    (text := tmp_path / "text").write_bytes(b"x" * 41)
    (image := tmp_path / "image").write_bytes(PNG)
    monkeypatch.setattr(inputs, "decode", None)

    with pytest.raises(TextTooLong):
        read_input(text, 10)
    assert read_input(image, 10) == PNG


@pytest.mark.parametrize("data", [b"x" * 30, b"x" * 41])
def test_standard_input_is_limited(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of it is read than a text may have."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    with pytest.raises(TextTooLong, match=r"^-: "):
        decode(read_input(STANDARD_INPUT, 10), "-", 10)


def test_it_counts_as_unread() -> None:
    """A batch skips it, and its exit code says that something was not read."""
    assert TextTooLong("a.txt", 10).exit_code is ExitCode.UNREADABLE
