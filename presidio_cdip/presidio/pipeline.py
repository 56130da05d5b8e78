"""Define a spaCy pipeline without a download, and a pipe that gives texts to the model in batches.

Every user of spaCy in the environment imports this module, through `spacy_pipe`: it stays light.
"""

import multiprocessing
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from presidio_cdip.pack.limits import max_characters

PIPE = "presidio_cdip_transformer"

_TOKEN = re.compile(r"(\w+|[^\w\s]|\s)( ?)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Tokenizer:
    """Split a text into words, marks and blanks, in linear time; the offsets stay.

    spaCy's English tokenizer takes minutes over 100 kB of colons, and stops at lone surrogates.
    """

    def __init__(self, vocab: Vocab) -> None:
        self._vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Tokenize *text*; a lone surrogate becomes U+FFFD."""
        found = _TOKEN.findall(_LONE_SURROGATE.sub("\ufffd", text))
        words, spaces = [word for word, _ in found], [bool(space) for _, space in found]
        return Doc(self._vocab, words=words, spaces=spaces)


def lower_case_lemmas(doc: Doc) -> Doc:
    """Make each word, in lower case, its own lemma: Presidio's context words need one."""
    for token in doc:
        token.lemma_ = token.lower_
    return doc


def component(nlp: Language, name: str = "presidio_cdip") -> Any:
    """Return the pipe `lower_case_lemmas`, as spaCy asks a factory for it."""
    return lower_case_lemmas


def user_data_key(folder: os.PathLike[str]) -> str:
    """Return the key of ``Doc.user_data`` under which the model in *folder* keeps its result."""
    return f"{PIPE}:{os.fspath(folder)}"


class Tagger:
    """Give texts to the model in batches, and keep its results in the spaCy documents.

    Presidio calls recognizers with one text at a time; its `BatchAnalyzerEngine` batches only the
    spaCy pipeline. A single text is left to the recognizer, which knows whether the model is
    needed.

    Args:
        nlp: The pipeline.
        name: The name of the pipe.
        model: As in `presidio_cdip.recognition.finder.finder`.
        threads: As in `presidio_cdip.recognition.finder.finder`.
    """

    def __init__(
        self, nlp: Language, name: str, model: str | None = None, threads: int | None = None
    ) -> None:
        self._named = model, threads

    def __call__(self, doc: Doc) -> Doc:
        """Return *doc*, unchanged."""
        return doc

    def pipe(self, stream: Iterable[Doc], batch_size: int = 32, **_: Any) -> Iterator[Doc]:
        """Yield the documents of *stream*, reading *batch_size* at a time."""
        # Not at the top: it imports onnxruntime, which other users of spaCy do not need.
        from presidio_cdip.recognition.breaks import unbroken
        from presidio_cdip.recognition.finder import model_at
        from presidio_cdip.recognition.pieces import PIECE

        model = model_at(*self._named)
        # A worker process of spaCy sends documents to its parent as msgpack, which has no arrays.
        if model is None or multiprocessing.parent_process():
            yield from stream
            return
        docs = iter(stream)
        while batch := list(islice(docs, max(1, batch_size))):
            short = [doc for doc in batch if len(doc.text) <= PIECE]  # others are read in pieces
            tagged = model.tag(unbroken(doc.text).text for doc in short)
            for doc, found in zip(short, tagged, strict=True):
                doc.user_data[user_data_key(model.folder)] = found
            yield from batch


def register() -> None:
    """Register the pipes with spaCy where no entry points of an installed package do it."""
    for name, factory in (("presidio_cdip", component), (PIPE, Tagger)):
        if not Language.has_factory(name):
            Language.factory(name, func=factory)


def load(
    vocab: Vocab | bool = True,
    disable: Iterable[str] = (),
    enable: Iterable[str] = (),
    exclude: Iterable[str] = (),
    config: Any = None,
) -> Language:
    """Return an English pipeline that only tokenizes, as spaCy loads a model package.

    ``NLP_CONF_FILE`` names it as ``model_name: presidio_cdip``. It finds no entities.
    """
    register()
    nlp = spacy.blank("en", vocab=vocab)
    nlp.add_pipe("presidio_cdip")
    nlp.tokenizer = Tokenizer(nlp.vocab)
    nlp.max_length = max_characters()  # spaCy's own limit is for parsers and taggers
    return nlp
