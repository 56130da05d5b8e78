"""Hold the documents of a service, and have children read, show and write them."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from presidio_cdip.datasets.supervision import Limits
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.errors import place_of
from presidio_cdip.service.child import PROGRAM
from presidio_cdip.service.document import Document, Missing, Result
from presidio_cdip.service.store import Store
from presidio_cdip.service.workers import REMOVED, Task, Workers
from presidio_cdip.surrogates.keys import Key, default_key

_WRITING, _DRAWING, _READING = range(3)  # the most urgent first: somebody waits for a result
_PAGES = Limits(timeout=60, memory=2 << 30)
_SWEEP = 30.0  # seconds between two looks at what has expired, at most

Answer = Mapping[str, Any]


class Full(Exception):
    """As many documents are held, or wait, as may be."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a service's work on documents.

    Attributes:
        key: What surrogates are drawn by; None for `default_key`.
        workers: How many documents are worked on at a time.
        timeout: Seconds for reading or writing one.
        memory: Bytes of address space of a child.
        expiry: Seconds after which a document that nobody asked for is removed.
        most: How many documents may be held.
        waiting: How many may wait to be read.
        folder: Where the folder of the service is made [default: with temporary files].
        pack: Rules, lists and policies, as `Pack.open` takes them.
        model: A model's folder, ``"none"``, or None for the shipped one.
        threads: Threads for the model in each child.
        program: The command line of a child.
    """

    key: Key | None = field(default=None, repr=False)
    workers: int = 1
    timeout: float = 600.0
    memory: int = 4 << 30
    expiry: float = 3600.0
    most: int = 500
    waiting: int = 100
    folder: Path | None = None
    pack: str | None = None
    model: str | None = None
    threads: int | None = None
    program: Sequence[str] = PROGRAM


class Jobs:
    """The documents of a service, and the children that work on them.

    Documents are read and written by children with rules and model; another one, which needs
    neither, shows their pages at once.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._documents: dict[str, Document] = {}
        self._images: dict[Path, Future[Answer]] = {}
        self._ended = threading.Event()
        self._store: Store | None = None
        treatment = {
            "kind": "documents",
            "key": (options.key or default_key()).hex(),
            "pack": options.pack,
            "model": options.model,
            "threads": options.threads,
        }
        limits = Limits(options.timeout, options.memory)
        self._workers = Workers(options.program, treatment, limits, options.workers)
        self._pages = Workers(options.program, {"kind": "pages"}, _PAGES)

    def start(self) -> None:
        """Make the folder, and begin to look for what has expired.

        Raises:
            OutputError: The folder cannot be made.
        """
        self._store = Store(self._options.folder)
        threading.Thread(target=self._sweep, name="sweeper", daemon=True).start()

    def close(self) -> None:
        """End all children, and remove all files."""
        self._ended.set()
        self._workers.close()
        self._pages.close()
        with self._lock:
            self._documents.clear()
        if self._store:
            self._store.close()

    @property
    def held(self) -> int:
        """Return the number of documents that are held."""
        return len(self._documents)

    @property
    def waiting(self) -> int:
        """Return the number of tasks that wait for a child."""
        return self._workers.waiting

    # Documents

    def add(self, source: BinaryIO, file: str, choices: Choices, caller: int) -> Document:
        """Take a document, and have it read.

        Args:
            source: Its bytes.
            file: The name of the file, for its suffix and for messages.
            choices: How to read it; they have been checked.
            caller: Whose it is.

        Raises:
            Full: Too many are held, or wait.
        """
        with self._lock:
            if len(self._documents) >= self._options.most:
                raise Full("too many documents are held: remove some, or try again later")
            if self._workers.waiting >= self._options.waiting:
                raise Full("too many documents are waiting: try again later")
            name = self._files.add()
            document = Document(name, caller, file, choices, self._files.folder(name))
            self._documents[name] = document
        try:
            with open(document.folder / "original", "xb", opener=_private) as target:
                shutil.copyfileobj(source, target, 1 << 20)
        except BaseException:
            self.remove(document)
            raise
        self._ask(document, self._pages, {"op": "sizes"}, self._was_measured)
        read = {"op": "read", "choices": choices.as_json()}
        self._ask(document, self._workers, read, self._was_read, _READING, document.begin)
        return document

    def of(self, caller: int) -> list[Document]:
        """Return the documents of a caller, in the order in which they came."""
        with self._lock:
            return [one for one in self._documents.values() if one.caller == caller]

    def get(self, name: str, caller: int) -> Document:
        """Return a document of a caller, which is used by that.

        Raises:
            Missing: The caller has no such document.
        """
        document = self._documents.get(name)
        if document is None or document.caller != caller:
            raise Missing("there is no such document")
        document.used = time.monotonic()
        return document

    def remove(self, document: Document) -> None:
        """Forget a document; its files are removed, and what works on it ends."""
        with self._lock:
            self._documents.pop(document.id, None)
        with document.lock:
            document.removed = True
            tasks = list(document.tasks)
        for task in tasks:
            self._workers.cancel(task)
            self._pages.cancel(task)
        self._files.remove(document.id)

    # What children are asked

    def image(self, document: Document, number: int, of_result: bool) -> "Future[Answer]":
        """Queue the rendering of a view; the answer has the PNG file as ``out``.

        Raises:
            Missing: There is no such view, or none yet.
            NotReady: The result has not been made.
        """
        file, page, out = document.image(number, of_result)
        with self._lock:
            if running := self._images.get(out):
                return running
            done: Future[Answer] = Future()
            if out.exists():
                done.set_result({"out": str(out)})
                return done
            self._images[out] = done
        request = {"op": "image", "file": str(file), "page": page, "out": str(out)}

        def shown(_: Document, answer: Answer) -> None:
            with self._lock:
                del self._images[out]
            done.set_result({"out": str(out), **answer})

        self._ask(document, self._pages, request, shown)
        return done

    def make(self, document: Document) -> "Future[Result]":
        """Queue the writing of the result as the decisions stand; do nothing if it is there.

        Raises:
            NotReady: The document has not been read.
        """
        with document.lock:
            made, begins = document.result()
            if not begins:
                return made.done
            review = document.review()
        with open(document.folder / made.review, "xb", opener=_private) as target:
            target.write(review.to_bytes())
        request = {"op": "write", "review": made.review, "out": str(made.folder)}

        def written(_: Document, answer: Answer) -> None:
            old = document.folder / f"result-{made.number - 2}"  # the last but one may be in use
            shutil.rmtree(old, ignore_errors=True)
            made.end(answer.get("problem", ""))

        self._ask(document, self._workers, request, written, _WRITING, made.begin)
        return made.done

    def read_result(self, document: Document, made: Result) -> "Future[Answer]":
        """Queue the reading of a result's texts, once for all who ask."""
        with document.lock:
            if made.reading is not None:
                return made.reading
            done: Future[Answer] = Future()
            made.reading = done
        request = {
            "op": "texts",
            "out": str(made.folder),
            "choices": document.choices.as_json(),
        }

        def read(_: Document, answer: Answer) -> None:
            done.set_result(answer)

        self._ask(document, self._workers, request, read, _WRITING)
        return done

    def draw(self, document: Document) -> None:
        """Queue the drawing of surrogates that are not known yet."""
        choices, rows = document.choices, document.undrawn()
        if not rows:
            return
        request = {"op": "surrogates", "choices": choices.as_json(), "rows": rows}

        def drawn(_: Document, answer: Answer) -> None:
            document.learn(answer.get("surrogates", ()), choices)
            self.draw(document)  # what was added meanwhile

        self._ask(document, self._workers, request, drawn, _DRAWING)

    def _was_measured(self, document: Document, answer: Answer) -> None:
        if "sizes" in answer:
            document.see(answer["kind"], [(width, height) for width, height in answer["sizes"]])

    def _was_read(self, document: Document, answer: Answer) -> None:
        if "problem" in answer:
            document.fail(answer["problem"])
            return
        try:
            document.open()
        except Exception as error:
            document.fail(f"failed ({place_of(error)})")
            return
        self.draw(document)

    def _ask(
        self,
        document: Document,
        workers: Workers,
        request: Mapping[str, Any],
        then: Callable[[Document, Answer], object],
        priority: int = 0,
        started: Callable[[], object] = lambda: None,
    ) -> None:
        """Ask a child something of a document, and call *then* with the answer, in any thread."""

        def ended(answer: "Future[Answer]") -> None:
            with document.lock:
                document.tasks.discard(task)
            try:
                then(document, answer.result())
            except CancelledError:
                then(document, {"problem": REMOVED})
            if document.removed:
                self._files.remove(document.id)  # what the child wrote before it ended

        whole = {**request, "folder": str(document.folder), "name": document.file}
        task: Task = workers.task(whole, priority, started)
        with document.lock:
            document.tasks.add(task)
        task.answer.add_done_callback(ended)
        workers.put(task)

    @property
    def _files(self) -> Store:
        assert self._store, "start() comes first"
        return self._store

    def _sweep(self) -> None:
        expiry = self._options.expiry
        while not self._ended.wait(min(_SWEEP, expiry / 4)):
            now = time.monotonic()
            for one in list(self._documents.values()):
                if now - one.used > expiry and not one.tasks:
                    self.remove(one)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
