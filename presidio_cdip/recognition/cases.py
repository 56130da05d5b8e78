"""The cases of rule files: sentences with the spans that the rules are to find."""

import re
from collections.abc import Iterator, Sequence

from presidio_cdip.errors import PackError
from presidio_cdip.pack.rules import RuleFile
from presidio_cdip.recognition.engine import Engine


def failures(files: Sequence[RuleFile]) -> Iterator[PackError]:
    """Yield one error for each case that *files*, run together, do not satisfy.

    A case's number counts from 1; its text is not shown.
    """
    engine = Engine(files)
    for file in files:
        for number, case in enumerate(file.cases, 1):
            if found_in(engine, file.entity, case) != case:
                yield PackError(file.file, f"case {number} is not satisfied by the rules")


def found_in(engine: Engine, entity: str, case: str) -> str:
    """Return *case* with the marks where *engine* finds *entity*, instead of its own."""
    text = re.sub("[⟦⟧]", "", case)
    for span in reversed([span for span in engine.find(text) if span.entity == entity]):
        text = f"{text[: span.start]}⟦{text[span.start : span.end]}⟧{text[span.end :]}"
    return text
