"""Who looks: the rules of a pack, a model, or both."""

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from presidio_cdip.entities import ENTITIES
from presidio_cdip.errors import CdipError, ModelError
from presidio_cdip.pack import PACK_VARIABLE, Pack
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.fusion import fuse
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import (
    MODEL_VARIABLE,
    SHIPPED,
    THREADS_VARIABLE,
    Tagged,
    TokenClassifier,
    classifier,
    sound,
)

NO_MODEL = "none"


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds spans by rules, by a model, or by both.

    Attributes:
        rules: The engine of the pack's rules, if they look.
        model: The token classifier, if it looks.
    """

    rules: Engine | None = None
    model: TokenClassifier | None = None
    found_by: dict[str, tuple[str, ...]] = field(init=False)
    """Of each entity who looks for it: ``rules``, ``model``, both or neither."""

    def __post_init__(self) -> None:
        ruled = {file.entity for file in self.rules.files} if self.rules else set()
        modelled = set(self.model.config.entities) if self.model else set()
        both = {
            name: ("rules",) * (name in ruled) + ("model",) * (name in modelled)
            for name in ENTITIES
        }
        object.__setattr__(self, "found_by", both)

    @property
    def entities(self) -> tuple[str, ...]:
        """Those that somebody looks for."""
        return tuple(name for name, finders in self.found_by.items() if finders)

    def find(self, text: str, tagged: Tagged | None = None) -> list[Span]:
        """Every span of *text*, in order, none overlapping.

        Args:
            text: Any.
            tagged: What the model made of *text*, if it was asked before.
        """
        by_rule = self.rules.find(text) if self.rules else None
        if self.model is None:
            return by_rule or []
        if tagged is None or tagged.text != sound(text):
            tagged = next(self.model.tag([text]))
        return fuse(tagged, by_rule)


def finder(
    pack: str | os.PathLike[str] | None = None,
    model: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> Finder:
    """Rules and model together.

    Args:
        pack: A folder with ``recognizers/`` in it; else the one that the environment variable
            ``PRESIDIO_CDIP_PACK`` names, else the shipped one.
        model: A folder with ``model.onnx`` in it, or "none"; else what ``PRESIDIO_CDIP_MODEL``
            says, else the shipped one.
        threads: That one run of the model uses; else what ``PRESIDIO_CDIP_THREADS`` says, else as
            many as there are cores.

    Raises:
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
    """
    return Finder(rules(pack), model_at(model, threads))


def rules(pack: str | os.PathLike[str] | None = None) -> Engine:
    """The engine of a pack, which is named as `finder` has it; one for all who ask for it."""
    folder = pack or os.environ.get(PACK_VARIABLE)
    return _engine(os.fspath(folder) if folder else None)


def model_at(
    model: str | os.PathLike[str] | None = None, threads: int | None = None
) -> TokenClassifier | None:
    """The model that is named as `finder` has it; one for all who ask for it."""
    named = os.fspath(model or os.environ.get(MODEL_VARIABLE) or SHIPPED)
    if named.lower() == NO_MODEL:
        return None
    if not Path(named).is_dir():
        raise ModelError(Path(named).name, 'is no folder; name a model\'s folder, or "none"')
    return classifier(Path(named).resolve(), _count(threads))


def _count(threads: int | None) -> int | None:
    """How many *threads*, or else the environment, asks for; None where neither does."""
    if threads is None:
        said = os.environ.get(THREADS_VARIABLE)
        if not said:
            return None
        where, asked = THREADS_VARIABLE, int(said) if said.isdecimal() else said
    else:
        where, asked = "threads", threads
    if not isinstance(asked, int) or asked < 1:
        raise CdipError(f"{where}: {asked!r} is not a number of threads")
    return asked


@lru_cache(maxsize=8)
def _engine(pack: str | None) -> Engine:
    return Engine((Pack.at(Path(pack)) if pack else Pack.shipped()).rule_files())
