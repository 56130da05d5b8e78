"""Find the words that tell a corpus from another one, as a recognizer in Presidio's engines."""

from functools import partial
from pathlib import Path

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_cdip.entities import GIVEAWAY
from presidio_cdip.pack.limits import check_length
from presidio_cdip.pack.limits import max_characters as longest
from presidio_cdip.privacy.folders import Trained, load_ranker
from presidio_cdip.privacy.giveaways import Find, giveaways
from presidio_cdip.recognition.finder import finder, least_score
from presidio_cdip.recognition.spans import Span
from presidio_cdip.version import __version__


class DistributionRecognizer(EntityRecognizer):
    """Find the words that a ranker redacts, as the entity GIVEAWAY.

    Of the words of each sentence, the share *level* is redacted. Words that the entities cover
    count first: another recognizer finds them, and they use up the level. Where Presidio's engine
    holds back findings below a score, these stay: each has the score 1.

    Args:
        ranker: A ranker that `train_ranker` or `load_ranker` returned, or its folder.
        level: The share of the words of each sentence, in [0, 1].
        auc: In place of *level*: the least level at which no attacker does better, by the card.
        find: Finds what counts first, in order and not overlapping; None to let the ranker alone
            choose [default: all entities, as `CdipRecognizer` finds them].
        supported_language: The language of the texts that Presidio gives it.
        name: The name of the recognizer in results and traces.
        max_characters: Length of the longest text that is read
            [default: $PRESIDIO_CDIP_MAX_CHARACTERS, else 200 million].

    Raises:
        RankerError: The folder holds no ranker, or one of another encoder.
        InvalidOption: Neither or both of *level* and *auc* are given, or one is out of range.
    """

    def __init__(
        self,
        ranker: Trained | Path | str,
        level: float | None = None,
        auc: float | None = None,
        *,
        find: Find | str | None = "entities",
        supported_language: str = "en",
        name: str = "DistributionRecognizer",
        max_characters: int | None = None,
    ) -> None:
        trained = ranker if isinstance(ranker, Trained) else load_ranker(ranker)
        if isinstance(find, str):
            find = partial(finder().find, min_score=least_score())
        self._giveaways = giveaways(trained, level, auc, find)
        self._max_characters = longest(max_characters)
        self._shown_as = name
        super().__init__(
            supported_entities=[GIVEAWAY],
            name=name,
            supported_language=supported_language,
            version=__version__,
        )

    def load(self) -> None:
        """Do nothing; the encoder is loaded by the first text."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Return the words of *text* to redact, a result for each run of them on a line.

        Raises:
            TextTooLong: It has more characters than allowed.
        """
        check_length(text, self._max_characters)
        if entities and GIVEAWAY not in entities:
            return []
        return [self._result(span) for span in self._giveaways(text) if span.entity == GIVEAWAY]

    def _result(self, span: Span) -> RecognizerResult:
        level = self._giveaways.level
        explanation = AnalysisExplanation(
            recognizer=self._shown_as,
            original_score=span.score,
            pattern_name=span.rule,
            textual_explanation=f"of the {level:.0%} of its sentence that give most away",
        )
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
