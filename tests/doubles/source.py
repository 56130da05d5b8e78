"""Sources of surrogates that say what a test wants, or fail in a named way."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from presidio_cdip.errors import ValueRefused


class Says:
    """Has the same surrogates for any value, and keeps what it was asked for."""

    def __init__(self, *surrogates: str, key: str = "key") -> None:
        self.surrogates = surrogates
        self.asked: list[tuple[str, str]] = []
        self._key = key

    def candidates(self, entity: str, value: str, start: int = 0, end: int = 0) -> Iterator[str]:
        self.asked.append((entity, value))
        yield from self.surrogates

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "Says":
        return self

    def seed(self, purpose: str, normal: str) -> int:
        return int.from_bytes(sha256(f"{self._key} {purpose} {normal}".encode()).digest()[:16])


class Counts(Says):
    """Never says the same twice: another value's surrogate is another number of the same length."""

    def candidates(self, entity: str, value: str, start: int = 0, end: int = 0) -> Iterator[str]:
        self.asked.append((entity, value))
        yield f"{len(self.asked):0{len(value)}}"


class Refuses(Says):
    """Has no surrogate for anything."""

    def candidates(self, entity: str, value: str, start: int = 0, end: int = 0) -> Iterator[str]:
        raise ValueRefused("surrogate", entity, "a value of 5000 characters; 4096 at most")
        yield ""
