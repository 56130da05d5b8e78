"""What is stored is for this user alone, and does not outlive the process."""

import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from presidio_cdip.errors import OutputError
from presidio_cdip.service.store import PREFIX, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store in a folder of its own."""
    made = Store(tmp_path)
    yield made
    made.close()


def test_nobody_else_may_enter(store: Store) -> None:
    """Neither the folder nor those within it."""
    folder = store.folder(store.add())

    assert [stat.S_IMODE(one.stat().st_mode) for one in (folder, folder.parent)] == [0o700] * 2


def test_names_cannot_be_guessed(store: Store) -> None:
    """They are of 128 random bits."""
    names = {store.add() for _ in range(20)}

    assert len(names) == 20
    assert {len(bytes.fromhex(name)) for name in names} == {16}


def test_nothing_is_left(tmp_path: Path, store: Store) -> None:
    """Of a folder that is removed, and of all when it is closed; closing twice is no error."""
    one, other = store.add(), store.add()
    (store.folder(one) / "file").write_text("text")
    (store.folder(other) / "file").write_text("text")

    store.remove(one)
    store.remove(one)
    assert not store.folder(one).exists()
    assert store.folder(other).exists()

    store.close()
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed(tmp_path: Path, store: Store) -> None:
    """The folder of a process that lives is locked, and stays."""
    left = tmp_path / f"{PREFIX}left"
    (left / "0123").mkdir(parents=True)
    (left / "0123" / "original").write_text("text")
    live = store.folder(store.add())

    another = Store(tmp_path)

    another.close()
    assert not left.exists()
    assert live.exists()


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither one with the name of such a folder, nor one within."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("text")
    (tmp_path / f"{PREFIX}link").symlink_to(other)
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    (left / "link").symlink_to(other)

    Store(tmp_path).close()

    assert (other / "file").exists()
    assert (tmp_path / f"{PREFIX}link").is_symlink()
    assert not left.exists()


def test_what_another_process_is_removing_is_left_to_it(tmp_path: Path) -> None:
    """Its lock says so."""
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    lock = os.open(left, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)

    Store(tmp_path).close()

    os.close(lock)
    assert left.exists()


def test_a_process_that_was_forked_removes_nothing(tmp_path: Path, store: Store) -> None:
    """The store is its parent's."""
    folder = store.folder(store.add())
    pid = os.fork()
    if not pid:
        store.close()
        os._exit(0)
    os.waitpid(pid, 0)

    assert folder.exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """By its name."""
    with pytest.raises(OutputError, match="nowhere"):
        Store(tmp_path / "nowhere")
