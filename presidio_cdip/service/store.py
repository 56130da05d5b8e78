"""Keep the files of documents in a private folder that does not outlive the service."""

import atexit
import fcntl
import os
import secrets
import shutil
import tempfile
from pathlib import Path

from presidio_cdip.errors import OutputError

PREFIX = "presidio-cdip-service-"


class Store:
    """A folder that only this user may enter, with a folder for each document.

    The process that made it holds a lock on it, which the system releases when the process ends,
    however that happens: a folder without a lock is left from a process that was killed, and the
    next one removes it.

    Args:
        within: The folder to make it in [default: that of temporary files].

    Raises:
        OutputError: It cannot be made.
    """

    def __init__(self, within: Path | None = None) -> None:
        within = within or Path(tempfile.gettempdir())
        try:
            remove_left(within)
            self._folder, self._lock = _made(within)
        except OSError as error:
            raise OutputError(within, f"cannot be written ({error.strerror})") from None
        self._process = os.getpid()
        atexit.register(self.close)

    def add(self) -> str:
        """Make a folder for a document; return its name, of 128 random bits."""
        name = secrets.token_hex(16)
        self.folder(name).mkdir(mode=0o700)
        return name

    def folder(self, name: str) -> Path:
        """Return the folder called *name*, which `add` returned."""
        return self._folder / name

    def remove(self, name: str) -> None:
        """Remove a folder and all that is in it; nothing, if it is not there."""
        shutil.rmtree(self.folder(name), ignore_errors=True)

    def close(self) -> None:
        """Remove everything."""
        atexit.unregister(self.close)
        if self._process == os.getpid():  # not in a process that was forked from it
            self._process = 0
            shutil.rmtree(self._folder, ignore_errors=True)
            os.close(self._lock)


def remove_left(within: Path) -> None:
    """Remove folders in *within* of this user's processes that were killed."""
    for entry in os.scandir(within):
        if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
            continue
        if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
            lock = _locked(Path(entry))
            if lock is not None:
                shutil.rmtree(entry.path, ignore_errors=True)  # follows no links
                os.close(lock)


def _made(within: Path) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp("", PREFIX, within))  # with mode 0700
        lock = _locked(folder)
        if lock is not None:
            return folder, lock
        # Another process that starts took it for one that was left.


def _locked(folder: Path) -> int | None:
    """Lock *folder*; return None if another process has locked or removed it."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), folder.lstat()):
            return lock
    except OSError:
        pass
    os.close(lock)
    return None
