"""What must be found although a rule that takes findings away could take it.

Each line of ``must_be_found_in_tables.jsonl`` is written against one such rule (``against``): of
tables, fields and records, and of the ``unless``, ``needs`` and negative rules of the pack. In
``text`` each value that must be found is marked as ``[[LABEL|value]]``, or ``[[*|value]]`` where
any label will do; in a text without marks nothing may be found. ``missed`` has those that are not
found yet.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.recognition.finder import Finder, finder
from presidio_cdip.recognition.fusion import OPERATING_POINTS

_MARK = re.compile(r"\[\[(?P<label>[A-Z_]+|\*)\|(?P<value>[^\[\]]+)\]\]")
_LINES = Path(__file__).with_name("must_be_found_in_tables.jsonl").read_text("utf-8").splitlines()
INPUTS: list[Mapping[str, Any]] = [json.loads(line) for line in _LINES]
KNOWN = [one for one in INPUTS if "missed" in one]


@pytest.fixture(scope="module")
def shipped() -> Finder:
    """The rules with the model."""
    return finder()


def faults(found_by: Finder, marked: str) -> Iterator[str]:
    """Yield each marked value that is not found; of a text without marks what is found."""
    text = _MARK.sub(r"\g<value>", marked)
    least = OPERATING_POINTS["balanced"]
    found = found_by.find(text, names="[[PERSON|" in marked, min_score=least)
    marks = list(_MARK.finditer(marked))
    if not marks:
        yield from (text[span.start : span.end] for span in found)
    moved = 0  # characters of marks before the value
    for mark in marks:
        start = mark.start() - moved
        end = start + len(mark["value"])
        moved += len(mark[0]) - len(mark["value"])
        if not any(
            span.start < end and start < span.end and mark["label"] in ("*", span.entity)
            for span in found
        ):
            yield mark["value"]


def test_nothing_takes_a_persons_value(shipped: Finder) -> None:
    """Every marked value is found, and nothing in a text without marks."""
    wrong = [
        f"{one['against']}: {fault!r} in {one['text']!r}"
        for one in INPUTS
        for fault in faults(shipped, one["text"])
        if fault not in one.get("missed", ())
    ]

    assert not wrong, "\n".join(wrong)


@pytest.mark.xfail(strict=True, reason="not found yet")
@pytest.mark.parametrize(
    ("text", "value"), [(one["text"], value) for one in KNOWN for value in one["missed"]]
)
def test_known_misses(shipped: Finder, text: str, value: str) -> None:
    """A value in ``missed`` is found; once it is, it is taken out of the file."""
    assert value not in faults(shipped, text)
