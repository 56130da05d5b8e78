"""Find spans by the rules of a pack, by a model, or by both."""

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
    """Find spans by rules, by a model, or by both.

    Attributes:
        rules: The engine of the pack's rules; None to use none.
        model: The token classifier; None to use none.
        name_rules: The engine of the pack's rules for names, which run on request only.
        pack: Declares the entities. The model's spans of other entities are dropped.

    Raises:
        ModelError: The model has a label that neither this pack nor the shipped one declares.
    """

    rules: Engine | None = None
    model: TokenClassifier | None = None
    name_rules: Engine | None = None
    pack: Pack = field(default_factory=Pack.shipped)
    found_by: dict[str, tuple[str, ...]] = field(init=False)
    """For each entity, the finders that look for it: ``rules``, ``model``, both or none."""

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
        """Return the entities that are found by default."""
        return self._looked_for(on_request=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the labels of names, which are found on request."""
        return self._looked_for(on_request=True)

    def _looked_for(self, on_request: bool) -> tuple[str, ...]:
        return tuple(
            name
            for name, entity in self._declared.items()
            if self.found_by[name] and entity.on_request == on_request
        )

    def warm_up(self, names: bool = False, after_each: Callable[[], object] = lambda: None) -> None:
        """Load the model and compile the rules without cues, which run on almost every text.

        Args:
            names: Whether to compile the rules for names, too.
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
        """Find the spans of *text*, in order, none overlapping.

        Args:
            text: The document.
            tagged: The model's result for *text*, if there is one already.
            wanted: The labels to find [default: all]. Spans of other labels hide no name.
            names: Whether to find names of persons, organizations and places, too.
            propagate: Whether a value or name that is found once is found wherever else it stands.
            min_score: The lowest score of a span, in [0, 1].
        """
        by_rule = self.rules.find(text, propagate) if self.rules else None
        if self.model:
            if tagged is None or tagged.text != sound(text):
                tagged = next(self.model.tag([text]))
            spans = fuse(tagged, by_rule, signs_of(self.pack), self.names)
        else:
            spans = by_rule or []
        wanted = self.found_by if wanted is None else set(wanted) & set(self.found_by)
        spans = [span for span in spans if span.score >= min_score and span.entity in wanted]
        if names:
            ruled = self.name_rules.find(text, propagate) if self.name_rules else []
            beside = names_beside(text, spans, ruled, tagged if self.model else None, self.names)
            spans += [span for span in beside if span.score >= min_score and span.entity in wanted]
            spans.sort(key=lambda span: span.start)
            if propagate:
                spans = sorted(
                    [*spans, *propagate_names(text, spans, self.names)], key=lambda span: span.start
                )
        return spans


def finder(
    pack: Pack | PathLike | None = None, model: PathLike | None = None, threads: int | None = None
) -> Finder:
    """Return a finder that uses rules and model.

    Args:
        pack: A pack or a folder, as for `Pack.open`.
        model: A folder with ``model.onnx`` in it, or "none" [default: $PRESIDIO_CDIP_MODEL, else
            the shipped model].
        threads: Threads for the model [default: $PRESIDIO_CDIP_THREADS, else all cores].

    Raises:
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
    """
    pack = Pack.open(pack)
    return Finder(rules(pack), model_at(model, threads), name_rules(pack), pack)


def rules(pack: Pack) -> Engine:
    """Return the engine of a pack's rules; equal packs share one."""
    return _engines(pack)[0]


def name_rules(pack: Pack) -> Engine | None:
    """Return the engine of a pack's rules for names, or None if the pack has none."""
    return _engines(pack)[1]


def model_at(
    model: str | os.PathLike[str] | None = None, threads: int | None = None
) -> TokenClassifier | None:
    """Return the model named as for `finder`, or None for "none"; callers share one."""
    named = os.fspath(model or os.environ.get(MODEL_VARIABLE) or SHIPPED)
    if named.lower() == NO_MODEL:
        return None
    if not Path(named).is_dir():
        raise ModelError(Path(named).name, 'is no folder; name a model\'s folder, or "none"')
    return classifier(Path(named).resolve(), _count(threads))


def least_score(asked: float | str | None = None, where: str = "min_score") -> float:
    """Return the lowest score of a finding.

    Args:
        asked: A number in [0, 1] or a key of `OPERATING_POINTS` [default:
            $PRESIDIO_CDIP_MIN_SCORE, else "balanced"].
        where: The name of the option in an error message.

    Raises:
        InvalidOption: *asked* is neither.
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
    """Return the number of threads, from argument or environment; None if neither is set."""
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
