"""Identify a run by its inputs and options, so that only the same run is resumed."""

import hashlib
import hmac
import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import metadata
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from presidio_cdip.datasets.manifest import encoded, sha256
from presidio_cdip.documents.segments import Settings
from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.root import shipped_root
from presidio_cdip.recognition.finder import NO_MODEL
from presidio_cdip.recognition.transformer import MODEL_VARIABLE, SHIPPED
from presidio_cdip.version import __version__

_PACKAGES = (
    "onnxruntime", "tokenizers", "faker", "phonenumbers", "pillow", "numpy", "pytesseract",
    "opencv-python", "opencv-python-headless", "lxml", "pikepdf", "pypdfium2", "pdfminer.six",
    "pcre2", "pyarrow",
)  # fmt: skip


@dataclass(frozen=True)
class Treatment:
    """Hold the options of finding and replacing in documents.

    Attributes:
        policy: The name or file of a policy.
        changes: Changed parameters of the policy, by entity.
        key: The key of surrogates.
        scope: The scope of all documents; None for one of each group.
        scope_from: Finds the scope in a document's text.
        locale: Of names, places and dates.
        pack: A folder that is laid over the shipped pack.
        model: A model's folder, ``"none"``, or None for the shipped one.
        entities: The entities to look for; empty for all.
        names: Whether names of persons, organizations and places are findings, too.
        min_score: The least score of a finding.
        settings: How documents and pages are read and written.
        carrier: ``module:function`` that returns what carries out operators not known here.
    """

    policy: str = "surrogate"
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    key: bytes | None = field(default=None, repr=False)
    scope: str | None = None
    scope_from: str | None = None
    locale: str | None = None
    pack: str | None = None
    model: str | None = None
    entities: tuple[str, ...] = ()
    names: bool = False
    min_score: float | None = None
    settings: Settings = field(default_factory=Settings)
    carrier: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return all of it as a JSON object, the key among it: for the pipe to a child alone."""
        faces = self.settings.faces
        settings = {**asdict(self.settings), "faces": str(faces) if faces else None}
        key = self.key.hex() if self.key is not None else None
        return {**asdict(self), "settings": settings, "key": key}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Treatment":
        """Return the treatment that `as_json` wrote."""
        faces = data["settings"]["faces"]
        settings = Settings(**{**data["settings"], "faces": Path(faces) if faces else None})
        key = bytes.fromhex(data["key"]) if data["key"] is not None else None
        entities = tuple(data["entities"])
        return cls(**{**data, "settings": settings, "key": key, "entities": entities})

    def identity(self) -> dict[str, Any]:
        """Return the options that decide the output, hashed if they are long, secret or paths."""
        shown = self.as_json()
        for name in ("key", "pack", "model", "carrier"):
            del shown[name]
        policy = Path(self.policy)
        if policy.suffix and policy.is_file():
            shown["policy"] = sha256(policy.read_bytes())
        if self.settings.faces:
            shown["settings"]["faces"] = _hashed(_files(self.settings.faces))
        for name in ("scope", "scope_from"):  # may name a person
            if shown[name] is not None:
                shown[name] = self.fingerprint(shown[name].encode("utf-8", "surrogatepass"))
        found = {
            "configuration": shown,
            "key": key_id(self.key),
            "pack": _of_pack(self.pack, lists=False),
            "lists": _of_pack(self.pack, lists=True),
            "model": _of_model(self.model),
            "versions": versions(),
        }
        return cast(dict[str, Any], json.loads(encoded(found)))

    def fingerprint(self, data: bytes) -> str:
        """Return a keyed hash of *data*, which only holders of the key can compute.

        The plain hash of a short text can be reversed by trying all texts.
        Without a key it is empty.
        """
        return hmac.new(self.key, data, hashlib.sha256).hexdigest() if self.key else ""


def key_id(key: bytes | None) -> str:
    """Return an identifier of the key that does not reveal it.

    >>> key_id(b"one key, of this example")
    'de52037445ac1b58'
    """
    if key is None:
        return ""
    return hmac.new(key, b"presidio-cdip key id", hashlib.sha256).hexdigest()[:16]


def versions() -> dict[str, str]:
    """Return the versions of the packages that decide the output."""
    found = {"presidio-cdip": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def differences(before: Mapping[str, Any], now: Mapping[str, Any], at: str = "") -> list[str]:
    """Return the names of the entries that differ.

    >>> differences({"key": 1, "configuration": {"names": 0}}, {"key": 1, "configuration": {}})
    ['configuration.names']
    """
    found = []
    for name in sorted({*before, *now}):
        old, new = before.get(name), now.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += differences(old, new, f"{at}{name}.")
        elif old != new:
            found.append(f"{at}{name}")
    return found


def digest(identity: Mapping[str, Any]) -> str:
    """Return the hash of an identity."""
    return sha256(encoded(identity).encode())


def _of_pack(overlay: str | None, lists: bool) -> str:
    """Return the hash of the rules and policies of a pack, or of its lists."""
    pack = Pack.open(overlay)
    roots: list[Traversable] = [shipped_root()]
    if pack.overlay:
        roots.append(Path(pack.overlay))
    files = (
        (f"{number}/{folder}/{name}", data)
        for number, root in enumerate(roots)
        for folder in ("recognizers", "operators")
        for name, data in _files(root / folder)
        if lists == name.endswith(".txt")
    )
    return _hashed(files)


def _of_model(model: str | None) -> str:
    named = os.fspath(model or os.environ.get(MODEL_VARIABLE) or SHIPPED)
    return NO_MODEL if named == NO_MODEL else _hashed(_files(Path(named)))


def _files(folder: Traversable, at: str = "") -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for one in sorted(folder.iterdir(), key=lambda item: item.name):
        if one.name.startswith((".", "__")):
            continue
        if one.is_dir():
            yield from _files(one, f"{at}{one.name}/")
        else:
            yield f"{at}{one.name}", one.read_bytes()


def _hashed(files: Iterator[tuple[str, bytes]]) -> str:
    hashed = hashlib.sha256()
    for name, data in files:
        hashed.update(f"{name}\0{sha256(data)}\n".encode())
    return hashed.hexdigest()
