"""Tokens are read from a file, and no message shows one."""

from pathlib import Path

import pytest

from presidio_cdip.errors import InvalidOption
from presidio_cdip.service.configuration import Configuration, new_token, read_tokens


def test_each_line_is_a_caller(tmp_path: Path) -> None:
    """Blank lines and comments are none; the order numbers the callers."""
    (tmp_path / "tokens").write_text(
        "# the archive\nthe-token-of-archive\n\n  the-token-of-office  \n"
    )

    assert read_tokens(tmp_path / "tokens") == ("the-token-of-archive", "the-token-of-office")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no token"),
        ("# a comment\n", "no token"),
        ("short-secret\n", "line 1: a token has at least 16"),
        ("a secret of several words\n", "line 1: a token has"),
        ("a-secret-with-ümlauts\n", "line 1: a token has"),
        ("the-same-secret-twice\nthe-same-secret-twice\n", "line 2: this token stands there twice"),
    ],
)
def test_a_token_that_cannot_be_used_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    """The message names the line, not what stands there."""
    (tmp_path / "tokens").write_text(content, "utf-8")

    with pytest.raises(InvalidOption, match=problem) as refused:
        read_tokens(tmp_path / "tokens")

    assert "secret" not in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """It is not taken for a service without tokens."""
    with pytest.raises(InvalidOption, match="tokens: the file of tokens cannot be read"):
        read_tokens(tmp_path / "tokens")


def test_no_token_or_key_is_shown() -> None:
    """A configuration may be printed."""
    token = new_token()

    assert token not in repr(Configuration(tokens=[token]))
    assert len(token) >= 43
    assert token != new_token()


@pytest.mark.parametrize(
    ("host", "names", "local"),
    [
        ("127.0.0.1", (), True),
        ("localhost", (), True),
        ("127.0.0.1", ("cdip.example",), False),
        ("0.0.0.0", (), False),
        ("::", (), False),
        ("192.168.0.5", (), False),
    ],
)
def test_who_can_reach_it_decides_whether_a_token_is_needed(
    host: str, names: tuple[str, ...], local: bool
) -> None:
    """A proxy in front of it makes a local service a public one."""
    assert Configuration(host=host, public_names=names).is_local == local
