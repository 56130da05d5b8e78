"""Replace values in a side-car as in its page, and check that none is left."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from presidio_cdip import steps
from presidio_cdip.datasets.manifest import DONE
from presidio_cdip.datasets.sidecars.kinds import KINDS
from presidio_cdip.datasets.sidecars.values import Known
from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import Find
from presidio_cdip.documents.segments import Box, Edits, Segment
from presidio_cdip.documents.texts.values import edited
from presidio_cdip.documents.verifying import plain
from presidio_cdip.errors import StillReadable, UnreadableInput
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.policies import Step

LEAST = 4  # characters of an original that must not be left


class Sidecar(Protocol):
    """A side-car that was read.

    Attributes:
        segments: Its words, or lines, in order.
        boxes: The boxes of segments, in pixels of the page, where they are known.
    """

    segments: Sequence[Segment]
    boxes: Mapping[int, Box]

    def write(self, edits: Edits, boxes: Mapping[int, Box]) -> bytes:
        """Return the file with other text, and other boxes of some segments."""


class Module(Protocol):
    """The interface of the module of a kind."""

    def opened(self, data: bytes, name: str, size: tuple[int, int] | None) -> Sidecar:
        """Read a side-car.

        Args:
            data: Its bytes.
            name: Its name.
            size: That of the page, in pixels, for boxes in other units; None where it is unknown.

        Raises:
            UnreadableInput: It is none of this kind.
        """

    def extracted(self, data: bytes) -> Iterator[str]:
        """Yield all text in a side-car, whatever it is for."""


def rewrite(
    data: bytes, name: str, kind: str, find: Find, known: Known
) -> tuple[dict[str, Any], bytes]:
    """Replace values in a side-car.

    Args:
        data: Its bytes.
        name: Its name.
        kind: Its kind, one of `KINDS`.
        find: Finds values in text.
        known: What was replaced in its page.

    Raises:
        UnreadableInput: It cannot be read.
        StillReadable: An original is left in it.
    """
    module: Module = import_module(f"presidio_cdip.datasets.sidecars.{KINDS[kind].module}")
    sidecar = module.opened(data, name, known.size)
    joined = Joined.of(sidecar.segments)
    placed = list(_placed(sidecar, joined, known))
    own = find(joined.text)
    spans = _together(own, [*_known(joined.text, known), *(one.span for one in placed)])
    replacement = _replacement(known, joined, placed)
    written = replacement.anonymize(joined.text, spans)
    edits = joined.edits(written)
    new = sidecar.write(edits, _painted(sidecar, edits, placed))
    originals = {
        joined.text[item.span.start : item.span.end]: item.span.entity
        for item in written.items
        if item.operator != "keep" and not steps.is_turned_word(item.span)
    }
    originals |= {value: span.entity for value, span in known.spans.items()}
    _check(name, module, new, originals, [item.text for item in written.items], replacement)
    found = Counter(item.span.entity for item in written.items)
    plainest = Counter(item.span.entity for item in written.items if item.plainest)
    counts = {"found": dict(found), "plainest": dict(plainest)}
    return {"state": DONE, **counts, "unread": 0, "removed": 0}, new


@dataclass(frozen=True, slots=True)
class _Placed:
    """Words of a side-car that stand where a value was found on the page."""

    span: Span
    value: str = field(repr=False)
    lines: Sequence[tuple[Box, Sequence[int]]]


def _placed(sidecar: Sidecar, joined: Joined, known: Known) -> Iterator[_Placed]:
    """Yield the words in the boxes of each finding of the page."""
    for boxes, value in known.places:
        lines = [
            (box, [at for at, own in sidecar.boxes.items() if _centred(own, box)]) for box in boxes
        ]
        indices = sorted(at for _, line in lines for at in line)
        if not indices or indices[-1] - indices[0] >= len(indices):
            continue  # nothing, or other words between
        start = joined.starts[indices[0]]
        end = joined.starts[indices[-1]] + len(sidecar.segments[indices[-1]].text)
        if end > start and (span := known.spans.get(value)):
            yield _Placed(replace(span, start=start, end=end), value, lines)


def _centred(own: Box, box: Box) -> bool:
    across, down = (own[0] + own[2]) / 2, (own[1] + own[3]) / 2
    return box[0] <= across <= box[2] and box[1] <= down <= box[3]


def _pattern(value: str) -> str:
    """Return an expression for *value* however its words are parted."""
    return r"(?<!\w)" + r"[\W_]*".join(map(re.escape, _words(value))) + r"(?!\w)"


def _words(value: str) -> list[str]:
    return re.findall(r"[^\W_]+", value)


def _long(value: str) -> bool:
    return len("".join(_words(value))) >= LEAST


def _known(text: str, known: Known) -> Iterator[Span]:
    """Yield the places of the page's values in *text*."""
    for value, span in known.spans.items():
        if _long(value):
            for match in re.finditer(_pattern(value), text, re.IGNORECASE):
                yield replace(span, start=match.start(), end=match.end())


def _together(own: Sequence[Span], more: Sequence[Span]) -> list[Span]:
    """Return all spans; of those that overlap, the longest."""
    kept: list[Span] = []
    for span in sorted([*more, *own], key=lambda one: one.start - one.end):
        if not any(span.overlaps(one) for one in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def _replacement(known: Known, joined: Joined, placed: Sequence[_Placed]) -> Replacement:
    """Return a replacement of values by the text that the page has in their place."""
    page = known.replacement
    assert page is not None
    replaced = dict(known.replaced)
    for one in placed:
        if (new := replaced.get(plain(one.value))) is not None:
            replaced.setdefault(plain(joined.text[one.span.start : one.span.end]), new)

    def carry_out(step: Step, value: str, span: Span, context: Context) -> str:
        text, start, end = context.page.written(context.start, context.end)
        new = replaced.get(plain(text[start:end]))
        if step.operator != "keep" and new is not None and not steps.is_turned_word(span):
            return new
        if page.carry_out:
            return page.carry_out(step, value, span, context)
        return steps.carried_out(step, value, span.entity, context)

    turns = page.decided == {True}  # as the page, whatever its side-car lacks
    return Replacement(
        page.made, page.scope, page.scope_from, page.pack, carry_out, page.forms, turns
    )


def _painted(sidecar: Sidecar, edits: Edits, placed: Sequence[_Placed]) -> dict[int, Box]:
    """Return the boxes of words that were replaced: their share of what was painted."""
    found: dict[int, Box] = {}
    for box, words in (line for one in placed for line in one.lines):
        texts = [edited(sidecar.segments[at].text, edits.get(at, ())) for at in words]
        if not any(at in edits for at in words):
            continue
        total = sum(len(text) + 1 for text in texts if text) - 1
        left, width = box[0], (box[2] - box[0]) / max(1, total)
        for at, text in zip(words, texts, strict=True):
            right = left + width * len(text)
            found[at] = (left, box[1], right, box[3])
            left = right + width * bool(text)
    return found


def _check(
    name: str,
    module: Module,
    new: bytes,
    originals: Mapping[str, str],
    surrogates: Sequence[str],
    replacement: Replacement,
) -> None:
    """Check that no original of `LEAST` characters or more is left in the new file."""
    written = "\n".join(surrogates)
    text = "\n".join(module.extracted(new))
    left = {
        entity
        for value, entity in originals.items()
        if _long(value) and not replacement.kept(entity)
        if re.search(_pattern(value), text, re.IGNORECASE)
        and not re.search(_pattern(value), written, re.IGNORECASE)
    }
    if left:
        raise StillReadable(name, left)


def damaged(name: str) -> UnreadableInput:
    """Return the error of a side-car that is not what its kind says."""
    return UnreadableInput(name, "is no side-car of the kind that --sidecar names")
