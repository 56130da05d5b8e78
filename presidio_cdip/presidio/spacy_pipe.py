"""What spaCy calls: a pipeline without a download, and the hook that makes our recognizers known.

spaCy imports every ``spacy_factories`` entry point whenever it builds a pipeline, so a Presidio
deployment that builds its NLP engine has our recognizers by the time it reads its recognizer file.
Every other user of spaCy in the environment imports this module too: it stays light, and it must
not raise.
"""

import logging
import multiprocessing
import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from presidio_cdip.errors import place_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

PIPE = "presidio_cdip_transformer"

_LOGGER = logging.getLogger(__name__)

_TOKEN = re.compile(r"(\w+|[^\w\s]|\s)( ?)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST = (
    1_000_000_000  # characters; spaCy's limit is for parsers and taggers, of which there is none
)


class Tokenizer:
    """Words, marks and blanks, one by one, in linear time; the offsets of the text stay.

    spaCy's English tokenizer takes minutes over 100 kB of colons, and stops at lone surrogates.
    """

    def __init__(self, vocab: "Vocab") -> None:
        self._vocab = vocab

    def __call__(self, text: str) -> "Doc":
        """Tokenize *text*; a lone surrogate becomes U+FFFD."""
        from spacy.tokens import Doc

        found = _TOKEN.findall(_LONE_SURROGATE.sub("\ufffd", text))
        words, spaces = [word for word, _ in found], [bool(space) for _, space in found]
        return Doc(self._vocab, words=words, spaces=spaces)


def lower_case_lemmas(doc: "Doc") -> "Doc":
    """Make each word, in lower case, its own lemma: Presidio's context words need one."""
    for token in doc:
        token.lemma_ = token.lower_
    return doc


def component(nlp: "Language", name: str = "presidio_cdip") -> Any:
    """The factory of the pipe `lower_case_lemmas`."""
    return lower_case_lemmas


def user_data_key(folder: os.PathLike[str]) -> str:
    """Where in a spaCy document's ``user_data`` stands what the model in *folder* made of it."""
    return f"{PIPE}:{os.fspath(folder)}"


class Tagger:
    """A spaCy pipe that gives texts to the model in batches, and keeps what it makes of them.

    Presidio's recognizers are called a text at a time; its `BatchAnalyzerEngine` batches the spaCy
    pipeline alone. A single text is left to the recognizer, which knows whether it is wanted.

    Args:
        nlp: The pipeline.
        name: The pipe's.
        model: As in `presidio_cdip.recognition.finder.finder`.
        threads: Likewise.
    """

    def __init__(
        self, nlp: "Language", name: str, model: str | None = None, threads: int | None = None
    ) -> None:
        self._named = model, threads

    def __call__(self, doc: "Doc") -> "Doc":
        """*doc*, as it is."""
        return doc

    def pipe(self, stream: "Iterable[Doc]", batch_size: int = 32, **_: Any) -> "Iterator[Doc]":
        """The documents of *stream*, *batch_size* read at a time."""
        from presidio_cdip.recognition.finder import model_at

        model = model_at(*self._named)
        # What a worker of spaCy's finds travels to its parent as msgpack, which knows no arrays.
        if model is None or multiprocessing.parent_process():
            yield from stream
            return
        docs = iter(stream)
        while batch := list(islice(docs, max(1, batch_size))):
            tagged = model.tag(doc.text for doc in batch)
            for doc, found in zip(batch, tagged, strict=True):
                doc.user_data[user_data_key(model.folder)] = found
                yield doc


def register() -> None:
    """Make the pipes known to spaCy, which else learns of them from the entry points."""
    from spacy.language import Language

    for name, factory in (("presidio_cdip", component), (PIPE, Tagger)):
        if not Language.has_factory(name):
            Language.factory(name, func=factory)


def load(
    vocab: "Vocab | bool" = True,
    disable: Iterable[str] = (),
    enable: Iterable[str] = (),
    exclude: Iterable[str] = (),
    config: Any = None,
) -> "Language":
    """An English pipeline that only tokenizes, as spaCy loads a model package.

    ``NLP_CONF_FILE`` names it as ``model_name: presidio_cdip``. It finds no entities.
    """
    import spacy

    register()
    nlp = spacy.blank("en", vocab=vocab)
    nlp.add_pipe("presidio_cdip")
    nlp.tokenizer = Tokenizer(nlp.vocab)
    nlp.max_length = _LONGEST
    return nlp


# At the end: what is imported here takes names from this module.
if "presidio_analyzer" in sys.modules:
    # Whatever is wrong with this installation, spaCy must go on working for the others; Presidio
    # then says that it knows no CdipRecognizer.
    try:
        import presidio_cdip.presidio.analyzer  # noqa: F401
    except Exception as error:
        _LOGGER.error("the recognizers of presidio-cdip are not available: %s", place_of(error))
