"""Sources of surrogates that say what a test wants, or fail in a named way."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from presidio_cdip.errors import ValueRefused
from presidio_cdip.surrogates.engine import Candidate


class Says:
    """Has the same surrogates for any value, and keeps what it was asked for."""

    def __init__(self, *surrogates: str, key: str = "key") -> None:
        self.surrogates = surrogates
        self.asked: list[tuple[str, str]] = []
        self.painted: list[tuple[str, str]] = []
        self._key = key

    def candidates(
        self, entity: str, value: str, start: int = 0, end: int = 0
    ) -> Iterator[Candidate]:
        self.asked.append((entity, value))
        for number, surrogate in enumerate(self.surrogates):
            yield Candidate(surrogate, number)

    def marks(self, boxes: Collection[tuple[int, int]]) -> tuple[()]:
        return ()

    def mentions(self) -> tuple[()]:
        return ()

    def chosen(self, value: str, text: str) -> None:
        self.painted.append((value, text))

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "Says":
        return self

    def seed(self, purpose: str, normal: str) -> int:
        return int.from_bytes(sha256(f"{self._key} {purpose} {normal}".encode()).digest()[:16])


class Counts(Says):
    """Never says the same twice: another value's surrogate is another number of the same length."""

    def candidates(
        self, entity: str, value: str, start: int = 0, end: int = 0
    ) -> Iterator[Candidate]:
        self.asked.append((entity, value))
        yield Candidate(f"{len(self.asked):0{len(value)}}")


class Answers(Says):
    """Has surrogates of its own for each value, in rounds; what values share is given, too.

    So is the article that they need instead of the one before the value.
    """

    def __init__(
        self,
        surrogates: Mapping[str, Sequence[str]],
        shared: str = "",
        articles: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._of = surrogates
        self._parts = frozenset({("part", shared)} if shared else ())
        self._articles = articles or {}

    def candidates(
        self, entity: str, value: str, start: int = 0, end: int = 0
    ) -> Iterator[Candidate]:
        for number, surrogate in enumerate(self._of[value]):
            yield Candidate(surrogate, number, self._parts, self._articles.get(surrogate, ""))


class Refuses(Says):
    """Has no surrogate for anything."""

    def candidates(
        self, entity: str, value: str, start: int = 0, end: int = 0
    ) -> Iterator[Candidate]:
        raise ValueRefused("surrogate", entity, "a value of 5000 characters; 4096 at most")
        yield Candidate("")
