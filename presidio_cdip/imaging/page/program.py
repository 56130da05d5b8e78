"""Run Tesseract, again if it was killed: the kill says nothing of the page."""

import os
import signal
import subprocess
from collections.abc import Sequence

ATTEMPTS = 3
_KILLED = -getattr(signal, "SIGKILL", 9)


def run(
    command: Sequence[str], picture: bytes, seconds: float
) -> "subprocess.CompletedProcess[bytes]":
    """Return the output of *command* with *picture* as its standard input.

    Pixels are sent through a pipe, so that no temporary file holds the page. One thread is used;
    several are slower.

    Args:
        command: The program and its arguments.
        picture: An image file.
        seconds: The time it may take, each attempt.

    Raises:
        FileNotFoundError: The program is not installed.
        subprocess.TimeoutExpired: It took longer.
    """
    for _ in range(ATTEMPTS):
        ended = subprocess.run(
            command,
            input=picture,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            capture_output=True,
            timeout=seconds,
        )
        if ended.returncode != _KILLED:
            break
    return ended
