"""A child that crashes, hangs or eats memory at documents whose names say so."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from presidio_cdip.datasets.child import main
from presidio_cdip.datasets.frames import Answer, Piece, Treat
from presidio_cdip.datasets.treatment import loaded


def poison(name: str) -> None:
    """Do what the file's name says."""
    what = PurePosixPath(name).name.partition("-")[0]
    if what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "hang":
        subprocess.Popen(["sleep", "1234"])  # as OCR is started
        time.sleep(1234)
    if what == "memory":
        bytearray(10 << 30)
    if what == "exit":
        os._exit(7)


def load(given: Mapping[str, Any]) -> Treat:
    """Return what treats documents that are not poisoned as usual."""
    treating = loaded(given)

    def treat(scope: str, pieces: Sequence[Piece]) -> Iterator[Answer]:
        answers = iter(treating(scope, pieces))
        for piece in pieces:
            if not piece.sidecar:
                poison(piece.name)
            yield next(answers)

    return treat


if __name__ == "__main__":
    sys.exit(main(load))
