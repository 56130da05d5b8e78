"""Read documents, draw surrogates and write results, in a child with pack and model loaded."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from presidio_cdip.documents.pictures import redactor
from presidio_cdip.documents.reviews.applying import applied, late_finder, replacement_of
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.reading import Reading, read
from presidio_cdip.documents.reviews.review import Fingerprint, Review
from presidio_cdip.documents.rewriting import Picture, Remembering, Tools
from presidio_cdip.documents.segments import Embedded
from presidio_cdip.errors import CdipError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.spans import Span
from presidio_cdip.service.progress import Progress
from presidio_cdip.service.rendering import sizes_of
from presidio_cdip.steps import CarryOut

Row = tuple[int, int, int, str]
"""A finding: the index of its text, its offsets and its entity."""


class Treating:
    """Answer requests about documents, whose files lie in the request's ``folder``.

    Args:
        treatment: ``key``, ``pack``, ``model`` and ``threads``, as `applied` takes them.

    Raises:
        CdipError: Pack or model cannot be used.
    """

    def __init__(self, treatment: Mapping[str, Any]) -> None:
        self._key = bytes.fromhex(treatment["key"])
        self._pack = Pack.open(treatment["pack"])
        self._model: str | None = treatment["model"]
        self._threads: int | None = treatment["threads"]
        found = finder(self._pack, self._model, self._threads)
        found.warm_up()
        self._classifier = found.model

    def read(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read a document; write ``reading.json`` and its pictures."""
        folder, name = Path(request["folder"]), request["name"]
        choices = Choices.of(request["choices"])
        settings = choices.settings()
        data = (folder / "original").read_bytes()
        progress = _progress(folder / "progress", data, name)
        if self._classifier:
            self._classifier.watch = progress.has_read
        find = Remembering(
            progress.finding(late_finder(choices, self._pack, self._model, self._threads))
        )
        tools = Tools(find, progress.redacting(redactor(find, settings)))
        fingerprint = Fingerprint.of(data)
        reading, review = read(data, name, tools, settings, choices, fingerprint)
        found = [review.texts[fingerprint.text(text)] if text else () for text in reading.texts]
        _write(folder / "texts.json", reading.texts)
        _write(
            folder / "reading.json",
            {
                **reading.as_json(),
                "pictures": _written(reading, folder / "pictures"),
                "key": fingerprint.key.hex(),
                "found": [
                    [[one.start, one.end, one.entity, one.score, one.why] for one in some]
                    for some in found
                ],
            },
        )
        return {}

    def surrogates(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return ``surrogates``: what becomes of each of ``rows``, all findings of their texts."""
        texts = json.loads((Path(request["folder"]) / "texts.json").read_bytes())
        choices = Choices.of(request["choices"])
        made = self._surrogates(choices, request["name"], texts, request["rows"])
        return {"surrogates": made}

    def write(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write a document as ``review`` says, and its report and pictures, to the folder ``out``.

        The document is what the shell's ``redact --review`` writes.
        """
        folder, out, name = Path(request["folder"]), Path(request["out"]), request["name"]
        review = Review.of((folder / request["review"]).read_bytes())
        pictures: dict[str, bytes] = {}

        def keep(one: Embedded, picture: Picture) -> None:
            pictures[sha256(one.data).hexdigest()] = picture.data

        new, report = applied(
            (folder / "original").read_bytes(), name, name, review, self._key,
            pack=self._pack, model=self._model, threads=self._threads, watch=keep,
            carrier=_carrier,
        )  # fmt: skip
        (out / "pictures").mkdir(parents=True)
        for digest, data in pictures.items():
            (out / "pictures" / digest).write_bytes(data)
        _write(out / "report.json", report.as_json())
        (out / "file").write_bytes(new)
        return {}

    def texts(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the texts of the result in the folder ``out`` to ``reading.json`` there."""
        out = Path(request["out"])
        choices = Choices.of(request["choices"])
        data = (out / "file").read_bytes()
        nothing = Tools(lambda text: [], lambda one, change: Picture(one.data, [], []))
        fingerprint = Fingerprint(bytes(32))
        reading = read(data, request["name"], nothing, choices.settings(), choices, fingerprint)[0]
        views = [one.as_json() for one in reading.views if one.kind == "text"]
        _write(out / "reading.json", {"texts": reading.texts, "views": views})
        return {}

    def _surrogates(
        self, choices: Choices, own: str, texts: Sequence[str], rows: Sequence[Row]
    ) -> list[tuple[int, int, int, str, str]]:
        replacement = replacement_of(choices, own, self._key, self._pack, _carrier)
        made = []
        for number in sorted({row[0] for row in rows}):
            text = texts[number]
            spans = [Span(row[1], row[2], row[3], 1.0, "") for row in rows if row[0] == number]
            try:
                items = replacement.anonymize(text, spans).items
            except CdipError:  # the result will say so, where it is not rejected
                continue
            asked = {(span.start, span.end): span.entity for span in spans}
            made += [
                (number, *place, asked[place], one.text)
                for one in items
                if (place := (one.span.start, one.span.end)) in asked
            ]
        return made


def _carrier() -> CarryOut:
    from presidio_cdip.presidio.operators import carrier  # takes seconds

    return carrier()


def _progress(file: Path, data: bytes, name: str) -> Progress:
    try:
        kind, sizes = sizes_of(data, name)
    except CdipError:  # said where it is read
        return Progress(file, 0)
    return Progress(file, len(sizes), kind == "picture")


def _written(reading: Reading, folder: Path) -> list[str]:
    """Write the pictures of a document; return the digest of each."""
    folder.mkdir(exist_ok=True)
    for number, data in enumerate(reading.pictures):
        (folder / str(number)).write_bytes(data)
    return [sha256(data).hexdigest() for data in reading.pictures]


def _write(file: Path, what: object) -> None:
    file.write_text(json.dumps(what), "ascii")
