"""Build regular expressions: of named forms, of a cue's spellings, and of many terms."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

FORM = re.compile(r"\{([a-z_]+)\}")  # a form's name in an expression: "{month}"
LIST = "list_"  # begins the name of a form that is a list of terms: "{list_cities}"

_SPACE = r"(?: |\n)"  # a line may end between two words; PCRE2 stores a class in 33 bytes
_MOST_SPELLINGS = 5000  # spellings of one cue


def _no_terms(name: str) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Forms:
    """Named regular expressions, which rules and other forms use as ``{name}``.

    Attributes:
        texts: Each form as its file has it.
        terms: Returns the terms of the list NAME, for ``{list_NAME}``.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    terms: Callable[[str], tuple[str, ...]] = _no_terms
    _expanded: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def __contains__(self, name: str) -> bool:
        return name in self.texts

    def text(self, name: str) -> str:
        """Return the form *name* with the forms that it uses unexpanded."""
        if name.startswith(LIST):
            return alternation(self.terms(name.removeprefix(LIST)))
        return self.texts[name]

    def expand(self, expression: str) -> str:
        """Return *expression* with all forms filled in."""
        return FORM.sub(lambda match: f"(?:{self.expanded(match[1])})", expression)

    def expanded(self, name: str) -> str:
        """Return the form *name* with all forms filled in."""
        if name not in self._expanded:
            self._expanded[name] = self.expand(self.text(name))
        return self._expanded[name]

    def beside(self, own: Mapping[str, str]) -> "Forms":
        """Return these forms and *own*, of which each may use the ones above it.

        A form of the same name is replaced in the forms after it, and nowhere else.
        """
        texts = dict(self.texts)
        for name, text in own.items():
            if name in texts:
                before = Forms(dict(texts), self.terms)
                texts = {known: before._without(name, of) for known, of in texts.items()}
                text = before._without(name, text)
            texts[name] = text
        return Forms(texts, self.terms)

    def _without(self, name: str, text: str) -> str:
        """Return *text* with the form *name* filled in and the others left."""
        return text.replace(f"{{{name}}}", f"(?:{self.texts[name]})")


def expand(cue: str) -> list[str]:
    """Return the spellings of a cue.

    Raises:
        ValueError: A bracket is not closed, or there are more than 5000 spellings.

    >>> expand("(home|res) tel( no|)")
    ['home tel no', 'res tel no', 'home tel', 'res tel']
    """
    spellings = list(islice(_expand(cue), _MOST_SPELLINGS + 1))
    if len(spellings) > _MOST_SPELLINGS:
        raise ValueError(f"more than {_MOST_SPELLINGS} spellings; make it two cues")
    return spellings


def _expand(cue: str) -> Iterator[str]:
    opening = cue.rfind("(")
    if opening < 0:
        yield " ".join(cue.split())
        return
    closing = cue.find(")", opening)
    if closing < 0:
        raise ValueError("a bracket is not closed")
    for choice in cue[opening + 1 : closing].split("|"):
        yield from _expand(cue[:opening] + choice + cue[closing + 1 :])


@lru_cache(maxsize=256)
def alternation(terms: tuple[str, ...]) -> str:
    """Return a regular expression of *terms* as a tree of their letters, the longest preferred.

    A plain alternation would be tried from its first term to its last at every letter of a text.

    >>> alternation(("Iowa", "Indiana", "Ind"))
    'I(?:nd(?:iana)?|owa)'
    """
    return _tree(sorted(set(terms)))


def _tree(terms: Sequence[str]) -> str:
    """Return the expression of *terms*, which are sorted and differ."""
    if len(terms) == 1:
        return re.escape(terms[0]).replace(r"\ ", _SPACE)
    heads: dict[str, list[str]] = {}
    for term in terms:
        heads.setdefault(term[:1], []).append(term[1:])
    ends_here = heads.pop("", None) is not None
    branches = [
        (_SPACE if head == " " else re.escape(head)) + _tree(tails) for head, tails in heads.items()
    ]
    if len(branches) == 1 and not ends_here:
        return branches[0]
    joined = "|".join(branches)
    return f"(?:{joined})?" if ends_here and joined else joined and f"(?:{joined})"
