"""A child of the service that crashes, hangs or eats memory at documents whose names say so."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# A script's folder is on its path.
from poisoned_child import poison  # type: ignore[import-not-found]

from presidio_cdip.datasets.child import main
from presidio_cdip.datasets.frames import Answer, Piece, Treat
from presidio_cdip.service.child import load as loaded


def load(treatment: Mapping[str, Any]) -> Treat:
    """Return what answers requests about documents that are not poisoned as usual."""
    treating = loaded(treatment)

    def treat(scope: str, pieces: Sequence[Piece]) -> Iterator[Answer]:
        for piece in pieces:
            if treatment["kind"] == "documents":
                poison(json.loads(piece.name)["name"])
        yield from treating(scope, pieces)

    return treat


if __name__ == "__main__":
    sys.exit(main(load))
