"""Who looks: the rules of a pack, a model, or both."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from presidio_cdip.entities import LABELS, Entity, entities_of
from presidio_cdip.errors import InvalidOption, ModelError
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.fusion import OPERATING_POINTS, fuse, names_beside
from presidio_cdip.recognition.names import propagate_names
from presidio_cdip.recognition.premises import signs_of
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
MIN_SCORE_VARIABLE = "PRESIDIO_CDIP_MIN_SCORE"  # a number, or an operating point's name


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds spans by rules, by a model, or by both.

    Attributes:
        rules: The engine of the pack's rules, if they look.
        model: The token classifier, if it looks.
        name_rules: The engine of the pack's rules for names, which run only where these are
            asked for.
        pack: Declares the entities; what the model finds of others is left out.

    Raises:
        ModelError: The model has a label that neither this pack nor the shipped one declares.
    """

    rules: Engine | None = None
    model: TokenClassifier | None = None
    name_rules: Engine | None = None
    pack: Pack = field(default_factory=Pack.shipped)
    found_by: dict[str, tuple[str, ...]] = field(init=False)
    """Of each entity who looks for it: ``rules``, ``model``, both or neither."""

    def __post_init__(self) -> None:
        engines = [engine for engine in (self.rules, self.name_rules) if engine]
        ruled = {file.entity for engine in engines for file in engine.files}
        modelled = set(self.model.config.entities) if self.model else set()
        if unknown := sorted(modelled - set(self._declared) - set(LABELS)):
            raise ModelError("config.json", f"maps to {unknown[0]!r}, which is no entity")
        both = {
            name: ("rules",) * (name in ruled) + ("model",) * (name in modelled)
            for name in self._declared
        }
        object.__setattr__(self, "found_by", both)

    @property
    def _declared(self) -> Mapping[str, Entity]:
        return entities_of(self.pack)

    @property
    def entities(self) -> tuple[str, ...]:
        """The entities that are looked for unasked."""
        return self._looked_for(on_request=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of names that are looked for where names are asked for."""
        return self._looked_for(on_request=True)

    def _looked_for(self, on_request: bool) -> tuple[str, ...]:
        return tuple(
            name
            for name, entity in self._declared.items()
            if self.found_by[name] and entity.on_request == on_request
        )

    def warm_up(self, names: bool = False, after_each: Callable[[], object] = lambda: None) -> None:
        """Load the model and compile the rules without cues, which almost every text needs.

        Args:
            names: Whether names will be looked for, too.
            after_each: Called after each rule and after the model.
        """
        for engine in self._engines(names):
            engine.compile(after_each)
        if self.model:
            next(self.model.tag(["warm"]))
            after_each()

    def _engines(self, names: bool) -> list[Engine]:
        both = (self.rules, self.name_rules if names else None)
        return [engine for engine in both if engine]

    def find(
        self,
        text: str,
        tagged: Tagged | None = None,
        *,
        wanted: Collection[str] | None = None,
        names: bool = False,
        propagate: bool = True,
        min_score: float = 0.0,
    ) -> list[Span]:
        """Every span of *text*, in order, none overlapping.

        Args:
            text: Any.
            tagged: What the model made of *text*, if it was asked before.
            wanted: The labels to find; all, if None. What is left out takes no name away.
            names: Whether to find names of persons, organizations and places, too.
            propagate: Whether a value or name that is found once is found wherever else it stands.
            min_score: Spans below it are left out, in [0, 1].
        """
        by_rule = self.rules.find(text, propagate) if self.rules else None
        if self.model:
            if tagged is None or tagged.text != sound(text):
                tagged = next(self.model.tag([text]))
            spans = fuse(tagged, by_rule, signs_of(self.pack))
        else:
            spans = by_rule or []
        wanted = self.found_by if wanted is None else set(wanted) & set(self.found_by)
        spans = [span for span in spans if span.score >= min_score and span.entity in wanted]
        if names:
            ruled = self.name_rules.find(text, propagate) if self.name_rules else []
            beside = names_beside(text, spans, ruled, tagged if self.model else None)
            spans += [span for span in beside if span.score >= min_score and span.entity in wanted]
            spans.sort(key=lambda span: span.start)
            if propagate:
                spans = sorted([*spans, *propagate_names(text, spans)], key=lambda span: span.start)
        return spans


def finder(
    pack: Pack | PathLike | None = None, model: PathLike | None = None, threads: int | None = None
) -> Finder:
    """Return rules and model together.

    Args:
        pack: As `Pack.open` takes it.
        model: A folder with ``model.onnx`` in it, or "none"; else what ``PRESIDIO_CDIP_MODEL``
            says, else the shipped one.
        threads: Threads for one run of the model; else what ``PRESIDIO_CDIP_THREADS`` says, else
            as many as there are cores.

    Raises:
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
    """
    pack = Pack.open(pack)
    return Finder(rules(pack), model_at(model, threads), name_rules(pack), pack)


def rules(pack: Pack) -> Engine:
    """Return the engine of a pack's rules, the same for all who ask for it."""
    return _engines(pack)[0]


def name_rules(pack: Pack) -> Engine | None:
    """Return the engine of a pack's rules for names, or None where it has none."""
    return _engines(pack)[1]


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


def least_score(asked: float | str | None = None, where: str = "min_score") -> float:
    """The least score of a finding.

    Args:
        asked: A number in [0, 1], or an operating point: a key of `OPERATING_POINTS`; else what
            ``PRESIDIO_CDIP_MIN_SCORE`` says, else "balanced".
        where: What an error calls it.

    Raises:
        InvalidOption: It is neither.
    """
    if asked is None:
        asked, where = os.environ.get(MIN_SCORE_VARIABLE) or "balanced", MIN_SCORE_VARIABLE
    if isinstance(asked, str) and asked in OPERATING_POINTS:
        return OPERATING_POINTS[asked]
    try:
        score = float(asked)
    except (TypeError, ValueError):
        score = -1.0
    if not 0 <= score <= 1:
        points = ", ".join(OPERATING_POINTS)
        raise InvalidOption(f"{where}: {asked!r} is neither in 0..1 nor one of {points}")
    return score


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
        raise InvalidOption(f"{where}: {asked!r} is not a number of threads")
    return asked


@lru_cache(maxsize=8)
def _engines(pack: Pack) -> tuple[Engine, Engine | None]:
    declared = entities_of(pack)
    files = [file for file in rule_files(pack) if file.rules]
    of_names = [file for file in files if declared[file.entity].on_request]
    others = [file for file in files if not declared[file.entity].on_request]
    return Engine(others), Engine(of_names) if of_names else None
