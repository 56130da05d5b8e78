"""Find spans by the rules of a pack, by a model, or by both."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase

from presidio_cdip.entities import LABELS, Entity, entities_of, known
from presidio_cdip.errors import InvalidOption, ModelError
from presidio_cdip.pack.garbage import uncollected
from presidio_cdip.pack.pack import Pack, PathLike, is_folder
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.breaks import unbroken
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.fusion import OPERATING_POINTS, fuse, names_beside
from presidio_cdip.recognition.name_scores import check as check_name_scores
from presidio_cdip.recognition.names import names_of, names_within
from presidio_cdip.recognition.names_again import propagate_names
from presidio_cdip.recognition.pieces import Piece, joined, pieces
from presidio_cdip.recognition.premises import signs_of
from presidio_cdip.recognition.rescoring import check as check_rescoring
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import (
    MODEL_RULE,
    MODEL_VARIABLE,
    SHIPPED,
    THREADS_VARIABLE,
    Tagged,
    TokenClassifier,
    classifier,
    sound,
)

NO_MODEL = "none"
_EVERY_LETTER = " ".join(ascii_lowercase)  # a text for which all lists of terms are read
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
    pack: Pack = field(kw_only=True)
    found_by: dict[str, tuple[str, ...]] = field(init=False)
    """For each entity, the finders that look for it: ``rules``, ``model``, both or none."""

    def __post_init__(self) -> None:
        engines = [engine for engine in (self.rules, self.name_rules) if engine]
        ruled = {file.entity for engine in engines for file in engine.files}
        modelled = set(self.model.config.entities) if self.model else set()
        # A pack without the shipped one below may declare less than the shipped model finds.
        if unknown := sorted(modelled - set(self._declared) - set(LABELS)):
            raise ModelError("config.json", f"maps to {unknown[0]!r}, which is no entity")
        if self.model:
            check_rescoring(self.model.config)
            check_name_scores(self.model.config)
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

    def served(
        self, asked: Iterable[str] = (), names: bool = False, who: str = "CdipRecognizer"
    ) -> list[str]:
        """Return the labels to look for: *asked*, or the labels that are found by default.

        Args:
            asked: Labels.
            names: Whether to add the labels of names.
            who: Who looks for them, in error messages.

        Raises:
            UnknownEntity: One of *asked* does not exist.
            InvalidOption: Nothing finds one of them, or no rules and no model are used.
        """
        served = (*self.entities, *self.names)
        if not served:
            raise InvalidOption(f"{who} has neither rules nor a model to find with")
        labels = list(asked) or list(self.entities)
        if names and not self.names:
            raise InvalidOption(f"{who} has neither rules nor a model for names")
        if names:
            labels += [name for name in self.names if name not in labels]
        if unserved := sorted(set(known(labels, self._declared)) - set(served)):
            raise InvalidOption(
                f"{who} does not find {', '.join(unserved)}, but {', '.join(served)}"
            )
        return labels

    def warm_up(self, names: bool = False, after_each: Callable[[], object] = lambda: None) -> None:
        """Load the model and compile the rules without cues, which run on almost every text.

        Args:
            names: Whether to compile the rules for names, too.
            after_each: Called after each rule and after the model.
        """
        with uncollected():
            for engine in self._engines(names):
                engine.compile(after_each)
            self.find(_EVERY_LETTER, names=names)
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

        Words that a line's end breaks are read as one (`unbroken`).
        A long text is read in pieces (`pieces`). A value found in one is found again in all; what
        rules need "anywhere in the document", and signs of business paper, count within a piece.

        Args:
            text: The document.
            tagged: The model's result for *text*, unbroken, if there is one already; used where the
                text is one piece.
            wanted: The labels to find [default: all]. Spans of other labels hide no name.
            names: Whether to find names of persons, organizations and places, too.
            propagate: Whether a value or name that is found once is found wherever else it stands.
            min_score: The lowest score of a span, in [0, 1].
        """
        whole = unbroken(text)
        if whole.pieces:
            found = self._find(whole.text, tagged, wanted, names, propagate, min_score)
            return list(whole.originals(found))
        return self._find(text, tagged, wanted, names, propagate, min_score)

    def _find(
        self,
        text: str,
        tagged: Tagged | None,
        wanted: Collection[str] | None,
        names: bool,
        propagate: bool,
        min_score: float,
    ) -> list[Span]:
        wanted = self.found_by if wanted is None else set(wanted) & set(self.found_by)
        parts = [piece for piece in pieces(text) if not piece.is_blank()]
        by_rule = _by_rules(self.rules, parts, propagate)
        by_name_rule = _by_rules(self.name_rules if names else None, parts, propagate)
        found = []
        for piece, ruled, named in zip(parts, by_rule, by_name_rule, strict=True):
            seen = piece.text
            if self.model and (len(parts) > 1 or tagged is None or tagged.text != sound(seen)):
                tagged = next(self.model.tag([seen]))
            spans = self._fused(seen, tagged, ruled)
            believed = [span for span in spans if span.score >= min_score]
            spans = [span for span in believed if span.entity in wanted]
            if names:
                hidden = [span for span in believed if span.entity not in wanted]
                within = names_within(seen, hidden, tagged, names_of(self.pack))
                spans = sorted([*spans, *within], key=lambda span: span.start)
                spans += self._names(seen, tagged, spans, named or [], wanted, min_score)
                spans.sort(key=lambda span: span.start)
            found.append(list(piece.own(spans)))
        spans = joined(text, found)
        if names and propagate:
            again = propagate_names(text, spans, self.names, self.pack)
            spans = sorted([*spans, *again], key=lambda span: span.start)
        return spans

    def _fused(self, text: str, tagged: Tagged | None, by_rule: list[Span] | None) -> list[Span]:
        if self.model and tagged:
            return fuse(tagged, by_rule, signs_of(self.pack), self.names)
        return by_rule or []

    def _names(
        self,
        text: str,
        tagged: Tagged | None,
        spans: Sequence[Span],
        by_rule: Sequence[Span],
        wanted: Collection[str],
        min_score: float,
    ) -> list[Span]:
        """Return the names outside of *spans*."""
        tagged = tagged if self.model else None
        beside = names_beside(text, spans, by_rule, tagged, names_of(self.pack), self.names)
        return [span for span in beside if span.score >= min_score and span.entity in wanted]


def _by_rules(
    engine: Engine | None, parts: Sequence[Piece], propagate: bool
) -> Iterator[list[Span] | None]:
    """Yield the rules' spans in each piece, with the values found again of all pieces.

    Without an engine yield None for each.
    """
    if engine is None:
        yield from (None for _ in parts)
        return
    if len(parts) < 2:
        yield from (engine.find(piece.text, propagate) for piece in parts)
        return
    text = parts[0].document
    direct = joined(text, (piece.own(engine.find(piece.text, False)) for piece in parts))
    values = {span: text[span.start : span.end] for span in direct} if propagate else {}
    searches = engine.searches(values)
    for piece in parts:
        yield engine.find_again(piece.text, piece.within(direct), searches)


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
    return Finder(rules(pack), model_at(model, threads), name_rules(pack), pack=pack)


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
    if not is_folder(Path(named)):
        raise ModelError(Path(named).name, 'is no folder; name a model\'s folder, or "none"')
    return classifier(Path(named).resolve(), _count(threads))


def why(span: Span) -> str:
    """Return why *span* is a finding, without its text."""
    if span.rule == MODEL_RULE:
        return "the model read it so"
    cue = f"cue {span.cue!r}" if span.cue else "no cue needed"
    checked = f"; check {span.check} holds" if span.check else ""
    return f"rule {span.rule}; {cue}{checked}"


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
@uncollected()
def _engines(pack: Pack) -> tuple[Engine, Engine | None]:
    declared = entities_of(pack)
    files = [file for file in rule_files(pack) if file.rules]
    of_names = [file for file in files if declared[file.entity].on_request]
    others = [file for file in files if not declared[file.entity].on_request]
    by_name = Engine(of_names, (name_rules, (pack,))) if of_names else None
    return Engine(others, (rules, (pack,))), by_name
