"""Run the cases of rule files: sentences with their spans marked, and near misses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from presidio_cdip.errors import PackError
from presidio_cdip.pack.rules import RuleFile
from presidio_cdip.recognition.engine import Engine


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that its rules do not satisfy.

    Attributes:
        file: The rule file's name.
        number: The case's place in the file, from 1.
        expected: The case as it stands in the file.
        found: The case with the spans marked that are found.
    """

    file: str
    number: int
    expected: str = field(repr=False)
    found: str = field(repr=False)

    def error(self) -> PackError:
        """Return the error that names the case, without its text."""
        return PackError(self.file, f"case {self.number} is not satisfied by the rules")


def failures(files: Sequence[RuleFile]) -> Iterator[Failure]:
    """Yield every case that *files*, run together, do not satisfy."""
    engine = Engine(files)
    for file in files:
        for number, case in enumerate(file.cases, 1):
            found = found_in(engine, file.entity, case)
            if found != case:
                yield Failure(file.file, number, case, found)


def verify(files: Sequence[RuleFile]) -> None:
    """Check that *files*, run together, satisfy their cases.

    Raises:
        PackError: A case is not satisfied; its text is not shown.
    """
    if failure := next(failures(files), None):
        raise failure.error()


def found_in(engine: Engine, entity: str, case: str) -> str:
    """Return *case* with marks where *engine* finds *entity*, instead of its own marks."""
    text = re.sub("[⟦⟧]", "", case)
    for span in reversed([span for span in engine.find(text) if span.entity == entity]):
        text = f"{text[: span.start]}⟦{text[span.start : span.end]}⟧{text[span.end :]}"
    return text
