"""What spaCy calls: a pipeline without a download, and the hook that makes our recognizers known.

spaCy imports every ``spacy_factories`` entry point whenever it builds a pipeline, so a Presidio
deployment that builds its NLP engine has our recognizers by the time it reads its recognizer file.
Every other user of spaCy in the environment imports this module too: it stays light, and it must
not raise.
"""

import contextlib
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

if "presidio_analyzer" in sys.modules:
    # Whatever is wrong with this installation, spaCy must go on working for the others; Presidio
    # then says that it knows no CdipRulesRecognizer.
    with contextlib.suppress(Exception):
        import presidio_cdip.presidio  # noqa: F401

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
    from spacy.language import Language

    if not Language.has_factory("presidio_cdip"):
        Language.factory("presidio_cdip", func=component)
    nlp = spacy.blank("en", vocab=vocab)
    nlp.add_pipe("presidio_cdip")
    nlp.tokenizer = Tokenizer(nlp.vocab)
    nlp.max_length = _LONGEST
    return nlp
