"""Keys are read, made, and never shown."""

import logging
import os
import warnings
from pathlib import Path
from random import Random

import pytest

from presidio_cdip.errors import KeyUnusable
from presidio_cdip.surrogates import keys
from presidio_cdip.surrogates.keys import (
    KEY_FILE_VARIABLE,
    Key,
    KeyFileWarning,
    default_key,
    make_key,
    process_key,
    read_key,
)


def test_made_key_is_read_without_a_warning(tmp_path: Path) -> None:
    """A key file that was made is its owner's alone, and holds a key."""
    make_key(tmp_path / "key")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        key = read_key(tmp_path / "key")

    assert len(key) >= 32
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_two_made_keys_differ(tmp_path: Path) -> None:
    """Each key is drawn again."""
    make_key(tmp_path / "a")
    make_key(tmp_path / "b")

    assert read_key(tmp_path / "a") != read_key(tmp_path / "b")


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    """Surrogates cannot be repeated without their key."""
    make_key(tmp_path / "key")
    before = (tmp_path / "key").read_bytes()

    with pytest.raises(KeyUnusable, match="exists already"):
        make_key(tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_key_that_others_may_read_is_warned_of(tmp_path: Path) -> None:
    """The key still works, and the warning names the file and the remedy."""
    file = tmp_path / "key"
    file.write_bytes(b"0123456789abcdef0123\n")
    file.chmod(0o644)

    with pytest.warns(KeyFileWarning, match="chmod 600"):
        key = read_key(file)

    assert key == b"0123456789abcdef0123"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "No such file"), (b"", "is empty"), (b"short\n", "at least 16")]
)
def test_a_key_file_that_cannot_be_used_says_why(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    """Missing, empty and too short each stop with the file's name and never its content."""
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
        file.chmod(0o600)

    with pytest.raises(KeyUnusable, match=said) as raised:
        read_key(file)
    assert str(file) in str(raised.value)
    assert "short" not in str(raised.value)


def test_a_key_shows_itself_to_nobody() -> None:
    """Neither repr nor str of a key, or of what holds it, has its bytes."""
    key = Key.of("correct horse battery staple")

    assert "horse" not in f"{key} {key!r} { {'key': key} }"


def test_without_a_key_the_process_has_one_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """The process's key stays the same, and the log says that nobody can repeat it."""
    keys._process_key.cache_clear()

    with caplog.at_level(logging.WARNING):
        first, second = process_key(), process_key()

    assert first == second
    assert [record.getMessage() for record in caplog.records] == [
        "no key was given: a random one serves this process, and nobody can repeat it"
    ]


@pytest.mark.parametrize("key", [32, None, ["a key of sixteen bytes and more"]])
def test_a_key_is_bytes_or_a_string(key: object) -> None:
    """A number is no key: `bytes(32)` would be 32 zeros."""
    with pytest.raises(KeyUnusable, match="bytes or a string"):
        Key.of(key)  # type: ignore[arg-type]


GUESSED = [b" " * 16, b"\t \n" * 9, b"\0" * 32, b"aaaa            ", b"abcd" * 8, b"changeit" * 3]


@pytest.mark.parametrize("data", GUESSED, ids=str)
def test_a_placeholder_is_no_key(tmp_path: Path, data: bytes) -> None:
    """Blanks, few letters and a repeated word are refused from a file and from code alike."""
    (tmp_path / "key").write_bytes(data)
    (tmp_path / "key").chmod(0o600)

    for key in (data, data.decode()):
        with pytest.raises(KeyUnusable, match="make-key FILE") as raised:
            Key.of(key)
        assert "chang" not in str(raised.value)
    with pytest.raises(KeyUnusable, match="make-key FILE"):
        read_key(tmp_path / "key")


@pytest.mark.parametrize("letters", [b"0123456789", b"0123456789abcdef", bytes(range(256))])
def test_a_random_key_is_accepted(letters: bytes) -> None:
    """The shortest keys of random digits, hexadecimal digits and bytes pass the rule."""
    random = Random(1)

    for _ in range(1000):
        Key.of(bytes(random.choices(letters, k=16)))


def test_the_default_key_is_that_of_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that the environment names; without the variable, the key of the process."""
    make_key(tmp_path / "key")
    monkeypatch.setenv(KEY_FILE_VARIABLE, str(tmp_path / "key"))

    named = default_key()
    monkeypatch.delenv(KEY_FILE_VARIABLE)

    assert named == read_key(tmp_path / "key")
    assert default_key() == process_key() != named


def test_a_default_key_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreadable default key is an error; no random key takes its place."""
    monkeypatch.setenv(KEY_FILE_VARIABLE, str(tmp_path / "nowhere"))

    with pytest.raises(KeyUnusable, match="No such file"):
        default_key()
