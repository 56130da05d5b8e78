"""Put our recognizers into Presidio's engines.

Importing it is what makes `CdipRecognizer`, `CdipRulesRecognizer` and `CdipTransformerRecognizer`
known to Presidio's YAML files, which look classes up by name among those that are imported.
"""

import gc
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack
from weakref import WeakSet

from presidio_analyzer import (
    AnalysisExplanation,
    AnalyzerEngine,
    EntityRecognizer,
    Pattern,
    PatternRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_analyzer.predefined_recognizers import (
    CreditCardRecognizer,
    DateRecognizer,
    EmailRecognizer,
    IbanRecognizer,
    IpRecognizer,
    UrlRecognizer,
)
from tldextract import TLDExtract

from presidio_cdip.entities import entities_of, known
from presidio_cdip.errors import InvalidOption
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.limits import check_length
from presidio_cdip.pack.limits import max_characters as longest
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.presidio.nlp import provide_metadata
from presidio_cdip.presidio.pipeline import PIPE, register, user_data_key
from presidio_cdip.presidio.tokens import CdipNlpEngine
from presidio_cdip.recognition.finder import (
    Finder,
    finder,
    least_score,
    model_at,
    name_rules,
    rules,
    why,
)
from presidio_cdip.recognition.overlaps import Claim, remainders, resolve_overlaps
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Tagged, TokenClassifier
from presidio_cdip.version import __version__

_NAMES = alternation(
    tuple(
        form
        for month in english().months
        for name in month.usual
        for form in (name.capitalize(), name.upper())
    )
)
_MONTH = rf"\b(?:{_NAMES})\b\.?"
_DAY = r"\b(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|ST|ND|RD|TH)?\b"
_DAY_MONTH = rf"(?:{_MONTH} ?{_DAY}|{_DAY}(?: of)?[ -]?{_MONTH})"
_YEAR = r"(?:1[5-9]|20)\d\d\b"

NLP_CONFIGURATION = {
    "nlp_engine_name": "spacy",
    "models": [{"lang_code": "en", "model_name": "presidio_cdip"}],
}


class OfflineEmailRecognizer(EmailRecognizer):
    """Presidio's recognizer of e-mail addresses, with the list of domains that is installed.

    Presidio's asks a server for the list when it sees its first address.
    """

    _domains = TLDExtract(cache_dir=None, suffix_list_urls=())

    def validate_result(self, pattern_text: str) -> bool:
        """Return whether *pattern_text* ends in a domain that is in use."""
        return bool(self._domains(pattern_text).fqdn)


class WrittenDateRecognizer(PatternRecognizer):
    """Find dates with a month's name, of which Presidio's recognizer of dates knows few.

    Those of a page move together only where all are found: *June 1, 1920* beside *6/4/1920*.
    """

    def __init__(self, supported_language: str = "en") -> None:
        super().__init__(
            "DATE_TIME",
            patterns=[
                Pattern("day, month and year", rf"{_DAY_MONTH},? ?{_YEAR}", 0.6),
                Pattern("month and year", rf"{_MONTH},? {_YEAR}", 0.6),
                Pattern("day and month", rf"{_DAY_MONTH}(?<!\.)(?![\w.:/-]*\d)", 0.4),
            ],
            supported_language=supported_language,
            global_regex_flags=re.MULTILINE,  # "may 5" is no date
        )


_EXTRAS = (
    OfflineEmailRecognizer,
    UrlRecognizer,
    IpRecognizer,
    CreditCardRecognizer,
    IbanRecognizer,
    DateRecognizer,
    WrittenDateRecognizer,
)


_MADE: "WeakSet[CdipRecognizer]" = WeakSet()


def warm_up(after_each: Callable[[], object] = lambda: None) -> None:
    """Call `CdipRecognizer.warm_up` of every recognizer of this process."""
    for recognizer in list(_MADE):
        recognizer.warm_up(after_each)


def compile_rules() -> None:
    """Compile the rules of every recognizer of this process, for the processes that it forks.

    What this process holds then is left out of garbage collection, which would write to it and so
    copy it into each of them.
    """
    recognizers = list(_MADE)
    for recognizer in recognizers:
        recognizer.compile_rules()
    if recognizers:
        gc.collect()
        gc.freeze()


class CdipRecognizer(EntityRecognizer):
    """Find with the pack's rules and the model together, as a Presidio recognizer.

    Args:
        supported_entities: The entities to find; if None, all except the labels of names.
        supported_language: The language of the texts that Presidio gives it.
        name: The name of the recognizer in results and traces.
        pack: A folder laid over the shipped pack, or an open pack
            [default: $PRESIDIO_CDIP_PACK, else the shipped pack].
        model: A folder with ``model.onnx`` in it, or "none" for the rules alone
            [default: $PRESIDIO_CDIP_MODEL, else the shipped model].
        threads: Threads for the model [default: $PRESIDIO_CDIP_THREADS, else all cores].
        names: Whether to find PERSON, ORGANIZATION and LOCATION, too; naming one of them in
            *supported_entities* does so as well.
        min_score: The least score of a finding, in [0, 1], or an operating point: "recall",
            "balanced" or "precision" [default: $PRESIDIO_CDIP_MIN_SCORE, else "balanced"].
        propagate: Whether a value or name found once is found wherever else it stands in the
            document.
        supported_entity: One entity, as Presidio's YAML writes it.
        context: Accepted because Presidio's YAML passes it; the rules have cues of their own.
        version: The version of the recognizer.
        max_characters: Length of the longest text that is read
            [default: $PRESIDIO_CDIP_MAX_CHARACTERS, else 200 million].
        score_thresholds: By entity or ``"default"``, where the installed Presidio has them.

    Raises:
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
        UnknownEntity: An entity was asked for that does not exist.
        InvalidOption: Nothing finds an entity that was asked for.
    """

    def __init__(
        self,
        supported_entities: Sequence[str] | None = None,
        supported_language: str = "en",
        name: str | None = None,
        pack: Pack | PathLike | None = None,
        model: PathLike | None = None,
        threads: int | None = None,
        names: bool = False,
        min_score: float | str | None = None,
        propagate: bool = True,
        supported_entity: str | None = None,
        context: Sequence[str] | None = None,
        version: str = __version__,
        score_thresholds: dict[str, float] | None = None,
        max_characters: int | None = None,
    ) -> None:
        self._max_characters = longest(max_characters)
        self._finder = self._finder_of(pack, model, threads)
        self._min_score = least_score(min_score)
        self._propagate = propagate
        asked = [supported_entity] if supported_entity else supported_entities or ()
        asked = self._finder.served(asked, names, type(self).__name__)
        thresholds: dict[str, Any] = (
            {"score_thresholds": score_thresholds} if score_thresholds else {}
        )
        self._shown_as = name or type(self).__name__
        super().__init__(
            supported_entities=asked,
            name=self._shown_as,
            supported_language=supported_language,
            version=version,
            **thresholds,
        )

    @staticmethod
    def _finder_of(
        pack: Pack | PathLike | None,
        model: PathLike | None,
        threads: int | None,
    ) -> Finder:
        return finder(pack, model, threads)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over the state of a pickled recognizer; rules and model are rebuilt by name."""
        self.__dict__.update(state)
        self.load()

    def load(self) -> None:
        """Register the recognizer for `warm_up`; Presidio calls this when it makes one.

        Rules and model are loaded by the first text, or by `warm_up`.
        """
        _MADE.add(self)

    def warm_up(self, after_each: Callable[[], object] = lambda: None) -> None:
        """Load the model and compile the rules that almost every text needs, before the first text.

        Args:
            after_each: Called after each rule and after the model.
        """
        self._finder.warm_up(self._finds_names(), after_each)

    def compile_rules(self) -> None:
        """Compile the rules that almost every text needs, and load no model."""
        replace(self._finder, model=None).warm_up(self._finds_names())

    def _finds_names(self) -> bool:
        return not set(self.supported_entities).isdisjoint(self._finder.names)

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Return the findings of *entities* in *text*, each with its explanation.

        Raises:
            TextTooLong: It has more characters than allowed.
        """
        check_length(text, self._max_characters)
        wanted = set(entities or self.supported_entities) & set(self.supported_entities)
        if not wanted:
            return []
        spans = self._finder.find(
            text,
            self._tagged(nlp_artifacts),
            wanted=wanted,
            names=not wanted.isdisjoint(self._finder.names),
            propagate=self._propagate,
            min_score=self._min_score,
        )
        return [self._result(span) for span in spans if span.entity in wanted]

    def _tagged(self, nlp_artifacts: NlpArtifacts | None) -> Tagged | None:
        """Return the result that the pipe of our model has kept in the spaCy document, if any."""
        # Not by attribute: `TokensOnRequest` would make the tokens.
        tokens = getattr(nlp_artifacts, "__dict__", {}).get("tokens")
        data = getattr(tokens, "user_data", None)
        if not data or not self._finder.model:
            return None
        found = data.get(user_data_key(self._finder.model.folder))
        return found if isinstance(found, Tagged) else None

    def _result(self, span: Span) -> RecognizerResult:
        explanation = AnalysisExplanation(
            recognizer=self._shown_as,
            original_score=span.score,
            pattern_name=span.rule,
            textual_explanation=why(span),
        )
        if span.check:
            explanation.validation_result = True
        return RecognizerResult(
            entity_type=span.entity,
            start=span.start,
            end=span.end,
            score=span.score,
            analysis_explanation=explanation,
            recognition_metadata={
                RecognizerResult.RECOGNIZER_NAME_KEY: self._shown_as,
                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
            },
        )

    def enhance_using_context(
        self,
        text: str,
        raw_recognizer_results: list[RecognizerResult],
        other_raw_recognizer_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Resolve overlaps with the findings of other recognizers.

        Presidio's anonymizer keeps the longer of two overlapping spans. Here the specific one wins:
        a generic result inside one of ours becomes a copy of ours, which Presidio then drops, and
        a generic result that reaches beyond ours keeps the rest.
        """
        limits = getattr(self, "score_thresholds", None) or {}
        ours = [
            one
            for one in sorted(raw_recognizer_results, key=lambda one: one.start)
            # A finding that the deployment's thresholds will drop displaces nothing.
            if one.score >= limits.get(one.entity_type, limits.get("default", 0))
        ]
        starts, ends = [one.start for one in ours], [one.end for one in ours]
        left_over = []
        for other in other_raw_recognizer_results:
            # Ours lie apart, so both lists are in order.
            winners = ours[bisect_right(ends, other.start) : bisect_left(starts, other.end)]
            if not winners or all(one.entity_type == other.entity_type for one in winners):
                continue  # Presidio drops duplicates of one type itself
            for winner in winners:
                winner.score = max(winner.score, other.score)
            pieces = remainders(text, other.start, other.end, [(w.start, w.end) for w in winners])
            if not pieces:
                _become(other, winners[0])
                continue
            other.start, other.end = pieces[0]
            left_over += [_piece(other, start, end) for start, end in pieces[1:]]
        return [*raw_recognizer_results, *left_over]


class CdipRulesRecognizer(CdipRecognizer):
    """Find with the pack's rules alone; *model* and *threads* are not used."""

    @staticmethod
    def _finder_of(
        pack: Pack | PathLike | None,
        model: PathLike | None,
        threads: int | None,
    ) -> Finder:
        opened = Pack.open(pack)
        return Finder(rules=rules(opened), name_rules=name_rules(opened), pack=opened)


class CdipTransformerRecognizer(CdipRecognizer):
    """Find with the model alone; *pack* declares the entities."""

    @staticmethod
    def _finder_of(
        pack: Pack | PathLike | None,
        model: PathLike | None,
        threads: int | None,
    ) -> Finder:
        return Finder(model=model_at(model, threads), pack=Pack.open(pack))


def _let_yaml_name_pack_and_model() -> None:
    """Make Presidio's YAML reader keep our keys; it drops unknown keys without a message.

    This uses a table that is not part of Presidio's interface. If a version of Presidio has no such
    table, a warning refers to the environment variables.
    """
    try:
        from presidio_analyzer.input_validation import yaml_recognizer_models as models
        from pydantic import ConfigDict

        known_to = models.CONFIG_MODEL_MAP
        model_of_entry = models.PredefinedRecognizerConfig
    except (ImportError, AttributeError):
        warnings.warn(
            "this Presidio's YAML cannot pass pack, model and threads to our recognizers; "
            "use the environment variables",
            stacklevel=2,
        )
        return

    class CdipRecognizerConfig(model_of_entry):  # type: ignore[misc, valid-type]
        """Keep `pack`, `model` and `threads`."""

        model_config = ConfigDict(extra="allow")

        def model_dump(self, *args: Any, **options: Any) -> dict[str, Any]:
            """Return the keys that were given."""
            kept: dict[str, Any] = super().model_dump(*args, **{"exclude_none": True, **options})
            return kept

    for kind in (CdipRecognizer, CdipRulesRecognizer, CdipTransformerRecognizer):
        known_to[kind.__name__] = CdipRecognizerConfig


_let_yaml_name_pack_and_model()
provide_metadata()


def _become(other: RecognizerResult, winner: RecognizerResult) -> None:
    other.entity_type = winner.entity_type
    other.start, other.end, other.score = winner.start, winner.end, winner.score
    other.analysis_explanation = winner.analysis_explanation
    other.recognition_metadata = winner.recognition_metadata


def _piece(other: RecognizerResult, start: int, end: int) -> RecognizerResult:
    return RecognizerResult(
        entity_type=other.entity_type,
        start=start,
        end=end,
        score=other.score,
        analysis_explanation=other.analysis_explanation,
        recognition_metadata=dict(other.recognition_metadata or {}),
    )


class FindingOptions(TypedDict, total=False):
    """Options of `CdipRecognizer`, with its defaults, for the functions that make one."""

    pack: Pack | PathLike | None
    model: PathLike | None
    threads: int | None
    names: bool
    min_score: float | str | None
    propagate: bool
    max_characters: int | None


def add_recognizers(
    target: AnalyzerEngine | RecognizerRegistry,
    entities: Iterable[str] | None = None,
    language: str = "en",
    *,
    extras: bool = False,
    **options: Unpack[FindingOptions],
) -> None:
    """Add our recognizer to an analyzer or a registry, in place of any that was added before.

    An analyzer with a spaCy pipeline also gets a pipe that gives the texts of
    `BatchAnalyzerEngine` to the model in batches.

    Args:
        target: Changed in place.
        entities: The entities to find; all that rules or model find, if None.
        language: One that *target* supports.
        extras: Whether to add Presidio's own recognizers of e-mail addresses, URLs, IP addresses,
            card numbers, IBANs and dates, where *target* does not have them yet; and ours of dates
            with a month's name.
        **options: *pack*, *model*, *threads*, *names*, *min_score*, *propagate* and
            *max_characters*, as `CdipRecognizer` takes them.

    Raises:
        UnknownEntity: One of *entities* does not exist.
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
        InvalidOption: *entities* is empty, nothing finds one of them, or *target* does not
            support *language*.
    """
    registry = target.registry if isinstance(target, AnalyzerEngine) else target
    languages = list(getattr(registry, "supported_languages", None) or [language])
    if language not in languages:
        raise InvalidOption(f"this analyzer supports {', '.join(languages)}, not {language}")
    asked = (
        None if entities is None else known(entities, entities_of(Pack.open(options.get("pack"))))
    )
    if asked == ():
        raise InvalidOption("no entity was asked for; leave `entities` out to ask for all")
    recognizer = CdipRecognizer(asked, language, **options)
    registry.recognizers = [
        one
        for one in registry.recognizers
        if not (isinstance(one, CdipRecognizer) and one.supported_language == language)
    ]
    registry.add_recognizer(recognizer)
    if extras:
        _add_extras(registry, language)
    if isinstance(target, AnalyzerEngine):
        _add_pipe(target, language, model_at(options.get("model"), options.get("threads")))


def _add_extras(registry: RecognizerRegistry, language: str) -> None:
    there = {type(one) for one in registry.recognizers if one.supported_language == language}
    if EmailRecognizer in there:
        there.add(OfflineEmailRecognizer)
    for extra in _EXTRAS:
        if extra not in there:
            registry.add_recognizer(extra(supported_language=language))


def _add_pipe(analyzer: AnalyzerEngine, language: str, model: TokenClassifier | None) -> None:
    """Make the analyzer's spaCy pipeline, if it has one, give texts to *model* in batches."""
    pipelines = getattr(analyzer.nlp_engine, "nlp", None)
    nlp = pipelines.get(language) if isinstance(pipelines, dict) else None
    if nlp is None or not hasattr(nlp, "add_pipe"):
        return
    if PIPE in nlp.pipe_names:
        nlp.remove_pipe(PIPE)
    if model:
        register()
        nlp.add_pipe(PIPE, config={"model": str(model.folder), "threads": model.threads})


def analyzer(
    entities: Iterable[str] | None = None,
    *,
    extras: bool = False,
    **options: Unpack[FindingOptions],
) -> AnalyzerEngine:
    """Return a ready `AnalyzerEngine` that needs no network.

    It has our recognizer and, with *extras*, some of Presidio's own. To add ours to an engine that
    has all of Presidio's, use `add_recognizers`.

    Args:
        entities: The entities to find; all that the pack declares, if None.
        extras: As in `add_recognizers`.
        **options: *pack*, *model*, *threads*, *names*, *min_score*, *propagate* and
            *max_characters*, as `CdipRecognizer` takes them.

    Raises:
        UnknownEntity: One of *entities* does not exist.
        InvalidOption: Nothing finds one of *entities*.
        PackError: The pack cannot be used.
        ModelError: The model cannot be used.
    """
    registry = RecognizerRegistry(recognizers=[], supported_languages=["en"])
    # First, as an engine fills an empty registry with Presidio's own.
    add_recognizers(registry, entities, extras=extras, **options)
    nlp_engine = CdipNlpEngine([{"lang_code": "en", "model_name": "presidio_cdip"}])
    engine = AnalyzerEngine(registry=registry, nlp_engine=nlp_engine, supported_languages=["en"])
    _add_pipe(engine, "en", model_at(options.get("model"), options.get("threads")))
    return engine


def with_extras(find: Callable[[str], list[Span]]) -> Callable[[str], list[Span]]:
    """Return a finder that adds the spans of `analyzer(extras=True)` to those of *find*.

    Where two overlap, ours keeps its whole span.
    """
    extras = [extra(supported_language="en") for extra in _EXTRAS]

    def found(text: str) -> list[Span]:
        claims = [Claim(span, 0) for span in find(text)]
        for extra in extras:
            for one in extra.analyze(text, extra.supported_entities):
                span = Span(one.start, one.end, one.entity_type, one.score, type(extra).__name__)
                claims.append(Claim(span, 1))
        return resolve_overlaps(text, claims)

    return found
