"""Whatever bytes come in, they are read whole or refused by name."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from presidio_cdip import UnreadableInput
from presidio_cdip.files.inputs import decode, is_image, read_bytes
from presidio_cdip.imaging.page.pages import FORMATS


@pytest.mark.parametrize(
    "data",
    [
        "Zürich 46".encode(),
        "Zürich 46".encode("utf-8-sig"),
        "Zürich 46".encode("utf-16"),
        "Zürich 46".encode("utf-16-le"),
        "Zürich 46".encode("utf-16-be"),
        "Zürich 46".encode("cp1252"),
        "Zürich 46".encode("utf-32"),
    ],
)
def test_text_is_read_in_its_encoding(data: bytes) -> None:
    """UTF-8 and UTF-16, with and without a mark, and Windows-1252 give the same text."""
    assert decode(data, "x.txt") == "Zürich 46"


def test_mixed_encodings_lose_nothing() -> None:
    """A file that changes its encoding halfway is read on both sides of the change."""
    data = "born in Zürich, ".encode() + "lives in Málaga".encode("cp1252")

    assert decode(data, "x.txt") == "born in Zürich, lives in Málaga"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=80))
def test_utf_8_is_read_as_written(text: str) -> None:
    """What was written in UTF-8 comes back, unless it starts as another kind of file does."""
    if text.startswith(("\ufeff", "%PDF", "{\\rtf")):
        return

    assert decode(text.encode(), "x.txt") == text


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """No bytes give anything but a text or the one typed error."""
    try:
        assert isinstance(decode(data, "x.bin"), str)
    except UnreadableInput as error:
        assert error.file == "x.bin"


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7",
        b"\n%PDF-1.7",
        bytes(128) + b"DICM" + bytes(400),
        b"P4 9 9 " + bytes(99),
        b"PK\x03\x04",
        b"\0\0\0 ftypavif",
        b"ID3\x03\0\0\0\0\x0f",
        b"{\\rtf1",
        b"\x7fELF" + bytes(range(1, 9)) * 40,
    ],
)
def test_other_files_are_refused(data: bytes) -> None:
    """A PDF, an office document or a program is not read as if it were text."""
    with pytest.raises(UnreadableInput, match=r"x\.bin: is"):
        decode(data, "x.bin")


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A missing file and a folder are refused with their names."""
    with pytest.raises(UnreadableInput, match=r"none\.txt: No such file"):
        read_bytes(tmp_path / "none.txt")
    with pytest.raises(UnreadableInput):
        read_bytes(tmp_path)


def test_image_is_known_by_its_first_bytes() -> None:
    """The name of a file says nothing about what is in it."""
    assert is_image(b"\x89PNG\r\n\x1a\n")
    assert not is_image(b"plain text.png")
    assert not is_image(b"BMI 31. Date of birth: 1/2/34")
    assert not is_image(b"P5 left at 10 40 for lunch")
    assert not is_image(b"P1 1950 12 visits to the clinic")
    assert not is_image(b"P3 34 62 kg, John Smith")
    assert is_image(b"P1\n# by hand\n8 2\n0 1 0 1 0 1 0 1\n")
    assert is_image(b"Pf\n8 2\n-1.0\n\0\0\0\0")


@pytest.mark.parametrize("name", FORMATS)
def test_every_image_that_is_redacted_is_known_as_one(name: str) -> None:
    """A page in a folder is not passed over for a text."""
    data = io.BytesIO()
    Image.new("L", (30, 20)).save(data, format=name)

    assert is_image(data.getvalue())


@pytest.mark.parametrize("head", [b"\0\1\2\xff", b"\x7f\x01H\0", b"\1\0\0\1"])
def test_binary_file_with_wide_text_is_refused(head: bytes) -> None:
    """Written as a text, it would be destroyed."""
    with pytest.raises(UnreadableInput):
        decode(head + "His Social Security number is 271-24-0538.".encode("utf-16-le"), "x.bin")
