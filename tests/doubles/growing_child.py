"""A child of the service that says which process it is, and keeps memory as it is asked to."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from presidio_cdip.datasets.child import main
from presidio_cdip.datasets.frames import Answer, Piece, Treat


def load(treatment: Mapping[str, Any]) -> Treat:
    """Return what answers with ``process``, after it took ``keep`` bytes and ``until`` is there."""
    kept = []

    def treat(scope: str, pieces: Sequence[Piece]) -> Iterator[Answer]:
        for piece in pieces:
            request = json.loads(piece.name)
            kept.append(b"x" * request.get("keep", 0))
            while "until" in request and not Path(request["until"]).exists():
                time.sleep(0.01)
            yield {"process": os.getpid()}, b""

    return treat


if __name__ == "__main__":
    sys.exit(main(load))
