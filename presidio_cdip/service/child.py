"""Work on documents in a process of its own, which may crash or hang without harm to others.

    python -P -m presidio_cdip.service.child

It speaks the frames of `datasets.child`. What it is told when it starts names its ``kind``:
``"documents"`` loads pack and model, ``"pages"`` neither. The name of each piece is a request: a
JSON object with the operation ``op``, the document's ``folder`` and ``name``, and what else it
needs. The answer is a JSON object; if the request failed, ``problem`` in it says why.
"""

import ctypes
import gc
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from presidio_cdip.datasets.child import main
from presidio_cdip.datasets.frames import Answer, Piece, Treat
from presidio_cdip.errors import CdipError, place_of

PROGRAM = (sys.executable, "-P", "-m", "presidio_cdip.service.child")

Operation = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def load(treatment: Mapping[str, Any]) -> Treat:
    """Return a function that answers requests.

    Raises:
        CdipError: Pack or model cannot be used.
    """
    os.umask(0o077)
    operations = _rendering() if treatment["kind"] == "pages" else _treating(treatment)
    gc.freeze()  # pack and model are no garbage: nobody has to look at them again

    def treat(scope: str, pieces: Sequence[Piece]) -> Iterator[Answer]:
        for piece in pieces:
            yield _answered(operations, json.loads(piece.name)), b""

    return treat


def _rendering() -> Mapping[str, Operation]:
    from presidio_cdip.service.rendering import Rendering

    made = Rendering()
    return {"sizes": made.sizes, "image": made.image}


def _treating(treatment: Mapping[str, Any]) -> Mapping[str, Operation]:
    from presidio_cdip.service.treating import Treating

    made = Treating(treatment)
    operations = (made.read, made.surrogates, made.write, made.texts)
    return {one.__name__: one for one in operations}


def _answered(operations: Mapping[str, Operation], request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer to *request*; what programs write beside goes into its folder."""
    name = request.get("name", "")
    # Another child may work on the same document, and removes what is its own.
    own = Path(request["folder"]) / f"tmp-{os.getpid()}" if "folder" in request else None
    try:
        if own:
            own.mkdir(exist_ok=True)
            tempfile.tempdir = os.environ["TMPDIR"] = str(own)
        return operations[request["op"]](request)
    except MemoryError:
        raise
    except CdipError as error:
        return {"problem": str(error).removeprefix(f"{name}: ")}
    except Exception as error:  # its message may hold text of the document
        return {"problem": f"failed ({place_of(error)})"}
    finally:
        if own:
            shutil.rmtree(own, ignore_errors=True)
        _release_memory()


def _release_memory() -> None:
    """Return memory that a document needed to the system, where its C library can do that."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


if __name__ == "__main__":
    sys.exit(main(load))
