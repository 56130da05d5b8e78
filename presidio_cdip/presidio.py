"""Our recognizers in Presidio's engines: the one module that knows presidio-analyzer's classes.

Importing it is what makes `CdipRulesRecognizer` known to Presidio's YAML files, which look classes
up by name among those that are imported.
"""

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from presidio_analyzer import (
    AnalysisExplanation,
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngineProvider

from presidio_cdip.entities import known
from presidio_cdip.errors import CdipError
from presidio_cdip.pack import PACK_VARIABLE, Pack
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.overlaps import remainders
from presidio_cdip.recognition.spans import Span

NLP_CONFIGURATION = {
    "nlp_engine_name": "spacy",
    "models": [{"lang_code": "en", "model_name": "presidio_cdip"}],
    "ner_model_configuration": {"labels_to_ignore": [], "model_to_presidio_entity_mapping": {}},
}


@lru_cache(maxsize=8)
def _engine(pack: str | None) -> Engine:
    return Engine((Pack.at(Path(pack)) if pack else Pack.shipped()).rule_files())


class CdipRulesRecognizer(EntityRecognizer):
    """The pack's rules as a Presidio recognizer.

    Args:
        supported_entities: Which entities to find; all that the pack has rules for, if None.
        supported_language: The language of the deployment that it answers for.
        name: Its name in results and traces.
        pack: A folder with ``recognizers/`` in it; else the one the environment variable
            ``PRESIDIO_CDIP_PACK`` names, else the shipped one.
        supported_entity: One entity, as Presidio's YAML writes it.
        context: Accepted because Presidio's YAML passes it; the rules have cues of their own.
        version: Of the recognizer.
        score_thresholds: Per entity or ``"default"``, where this Presidio knows them.

    Raises:
        PackError: The pack cannot be used.
        UnknownEntity: An entity was asked for that does not exist.
        CdipError: The pack has no rules for an entity that was asked for.
    """

    def __init__(
        self,
        supported_entities: Sequence[str] | None = None,
        supported_language: str = "en",
        name: str | None = None,
        pack: str | os.PathLike[str] | None = None,
        supported_entity: str | None = None,
        context: Sequence[str] | None = None,
        version: str = "0.1.0",
        score_thresholds: dict[str, float] | None = None,
    ) -> None:
        folder = pack or os.environ.get(PACK_VARIABLE)
        self._engine = _engine(os.fspath(folder) if folder else None)
        ruled = [file.entity for file in self._engine.files]
        asked = [supported_entity] if supported_entity else list(supported_entities or ruled)
        if unruled := sorted(set(known(asked)) - set(ruled)):
            raise CdipError(f"no rules find {', '.join(unruled)}; they find {', '.join(ruled)}")
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

    def load(self) -> None:
        """Do nothing: the rules are read when the recognizer is made."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """The spans of *text* that are of one of *entities*, each explained."""
        wanted = set(entities or self.supported_entities) & set(self.supported_entities)
        if not wanted:
            return []
        return [self._result(span) for span in self._engine.find(text) if span.entity in wanted]

    def _result(self, span: Span) -> RecognizerResult:
        cue = f"cue {span.cue!r}" if span.cue else "no cue needed"
        checked = f"; check {span.check} holds" if span.check else ""
        explanation = AnalysisExplanation(
            recognizer=self._shown_as,
            original_score=span.score,
            pattern_name=span.rule,
            textual_explanation=f"rule {span.rule}; {cue}{checked}",
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
        """Settle overlaps with what other recognizers found, before an anonymizer sees them.

        Presidio's anonymizer lets the longer of two overlapping spans win, whatever it is. Here the
        specific one wins: a generic result inside one of ours becomes it (Presidio then drops the
        duplicate), and one that reaches beyond it keeps what is left.
        """
        limits = getattr(self, "score_thresholds", None) or {}
        ours = [
            one
            for one in sorted(raw_recognizer_results, key=lambda one: one.start)
            # What this deployment's thresholds will drop displaces nothing.
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


def add_recognizers(
    target: AnalyzerEngine | RecognizerRegistry,
    entities: Iterable[str] | None = None,
    language: str = "en",
    pack: str | os.PathLike[str] | None = None,
) -> None:
    """Add our recognizers to an analyzer or a registry, in place of any that were added before.

    Args:
        target: Changed in place.
        entities: Which of the entities to find; all that there are rules for, if None.
        language: One that *target* supports.
        pack: As in `CdipRulesRecognizer`.

    Raises:
        UnknownEntity: One of *entities* does not exist.
        PackError: The pack cannot be used.
        CdipError: *entities* is empty or there are no rules for one of them, or *target* does not
            support *language*.
    """
    registry = target.registry if isinstance(target, AnalyzerEngine) else target
    languages = list(getattr(registry, "supported_languages", None) or [language])
    if language not in languages:
        raise CdipError(f"this analyzer supports {', '.join(languages)}, not {language}")
    asked = None if entities is None else known(entities)
    if asked == ():
        raise CdipError("no entity was asked for; leave `entities` out to ask for all")
    recognizer = CdipRulesRecognizer(
        supported_entities=asked, supported_language=language, pack=pack
    )
    registry.recognizers = [
        one
        for one in registry.recognizers
        if not (isinstance(one, CdipRulesRecognizer) and one.supported_language == language)
    ]
    registry.add_recognizer(recognizer)


def analyzer(
    entities: Iterable[str] | None = None, pack: str | os.PathLike[str] | None = None
) -> AnalyzerEngine:
    """A ready `AnalyzerEngine` that needs no network and finds what the pack has rules for.

    Presidio's own recognizers are not in it; add ours to an engine that has them with
    `add_recognizers`.

    Args:
        entities: Which of the entities to find; all that there are rules for, if None.
        pack: As in `CdipRulesRecognizer`.

    Raises:
        UnknownEntity: One of *entities* does not exist.
        CdipError: There are no rules for one of *entities*.
        PackError: The pack cannot be used.
    """
    registry = RecognizerRegistry(recognizers=[], supported_languages=["en"])
    add_recognizers(registry, entities, pack=pack)
    nlp_engine = NlpEngineProvider(nlp_configuration=NLP_CONFIGURATION).create_engine()
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine, supported_languages=["en"])
