"""Define an NLP engine that makes the tokens of a text when a recognizer asks for them.

Ours asks for none. Tokens take some 88 bytes for each character of a text.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine

from presidio_cdip.presidio.pipeline import PIPE, register

_OURS = {"presidio_cdip", PIPE}


class TokensOnRequest(NlpArtifacts):
    """The tokens of a text and what belongs to them, made when one of them is first asked for.

    Args:
        make: Makes them.
    """

    def __init__(self, make: Callable[[], NlpArtifacts]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and "tokens" not in vars(self):
            vars(self).update(vars(self._make()))
        if name not in vars(self):
            raise AttributeError(name)
        return vars(self)[name]

    def to_json(self) -> str:
        """Return all as JSON, for Presidio's log of decisions."""
        return str(self._make().to_json())


class CdipNlpEngine(SpacyNlpEngine):
    """Run our pipeline, or one of spaCy's, over a text when a recognizer asks for its tokens."""

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        """Return the tokens of *text*, which are made on request."""
        return TokensOnRequest(partial(super().process_text, text, language))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle the names of the pipelines, where nobody has added pipes to them."""
        pipelines: dict[str, Any] = self.nlp or {}
        if any(not _OURS.issuperset(nlp.pipe_names) for nlp in pipelines.values()):
            return super().__reduce_ex__(protocol)
        pipes = {
            language: {key: nlp.get_pipe_config(PIPE)[key] for key in ("model", "threads")}
            for language, nlp in pipelines.items()
            if PIPE in nlp.pipe_names
        }
        return _loaded, (type(self), self.models, self.ner_model_configuration, pipes)


def _loaded(kind: type[CdipNlpEngine], models: Any, names: Any, pipes: Any) -> CdipNlpEngine:
    """Return an engine with the pipelines *models*, and our model's pipe as in *pipes*."""
    engine = kind(models, names)
    engine.load()
    register()
    pipelines: Any = engine.nlp
    for language, config in pipes.items():
        pipelines[language].add_pipe(PIPE, config=config)
    return engine
