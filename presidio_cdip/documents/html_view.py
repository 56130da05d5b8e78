"""Show text with its findings highlighted, as one HTML page without scripts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from presidio_cdip.documents.marks import STYLE, hues, label

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_STYLE = """
:root { --paper: #fff; --ink: #1a1a1a; --line: #ccc; }
@media (prefers-color-scheme: dark) { :root { --paper: #181818; --ink: #e8e8e8; --line: #444; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h2 { border-bottom: 1px solid var(--line); font-size: 1rem; margin: 1.5rem 0 .5rem; }
pre { font: inherit; margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ul { display: flex; flex-wrap: wrap; gap: .5rem 1rem; list-style: none; padding: 0; }
#mask:checked ~ main .value { background: currentColor; border-radius: .1em; user-select: none; }
#mask:checked ~ main .value > span { visibility: hidden; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


class Finding(Protocol):
    """The fields that `recognition.spans.Span` and `documents.rewriting.Found` share."""

    @property
    def entity(self) -> str:
        """Return the entity."""

    @property
    def start(self) -> int:
        """Return the offset of its first character in the text of its section."""

    @property
    def end(self) -> int:
        """Return the offset after its last character."""


@dataclass(frozen=True, slots=True)
class Section:
    """A text with findings.

    Attributes:
        title: What it is: a file, or a place in a document.
        text: The text.
        findings: What was found in it; of those that overlap, the first is shown.
    """

    title: str
    text: str
    findings: Sequence[Finding] = ()


def highlighted(
    sections: Iterable[Section], masked: bool = False, entities: Iterable[str] = ()
) -> str:
    """Return a page that shows the texts of *sections* with their findings.

    The page loads nothing and runs nothing; a box at its top hides the values.

    Args:
        sections: The texts.
        masked: Whether the values are hidden when the page is opened.
        entities: All that there are, in an order that does not depend on the texts: each has the
            same colour on every page.
    """
    sections = list(sections)
    found = {one.entity for section in sections for one in section.findings}
    known = list(dict.fromkeys([*entities, *sorted(found)]))
    colours = hues(known)
    body = "\n".join(
        f"<section><h2>{_text(one.title)}</h2><pre>{_marked(one, colours)}</pre></section>"
        for one in sections
    )
    legend = "".join(f"<li>{_mark('', one, colours)}</li>" for one in known if one in found)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Findings</title><style>{STYLE.read_text('utf-8')}{_STYLE}</style></head><body>\n"
        f'<input type="checkbox" id="mask"{" checked" if masked else ""}>'
        f'<label for="mask"> Hide the values</label>\n<main><ul>{legend}</ul>\n{body}\n'
        "</main></body></html>\n"
    )


def _mark(inner: str, entity: str, colours: dict[str, int]) -> str:
    name = _text(label(entity))
    return f'<mark data-label="{name}" style="--h: {colours[entity]}">{inner}</mark>'


def _marked(section: Section, colours: dict[str, int]) -> str:
    parts: list[str] = []
    at, text = 0, section.text
    for one in sorted(section.findings, key=lambda one: (one.start, -one.end)):
        start, end = max(0, one.start), min(len(text), one.end)
        if start < at or start >= end:
            continue
        parts.append(_text(text[at:start]))
        value = f'<span class="value"><span>{_text(text[start:end])}</span></span>'
        parts.append(_mark(value, one.entity, colours))
        at = end
    return "".join([*parts, _text(text[at:])])


def _text(text: str) -> str:
    """Return *text* as HTML; characters that would command the reader's program are shown."""
    safe = _UNSAFE.sub(lambda one: f"\\u{ord(one[0]):04x}", text)
    return escape(safe.encode("utf-8", "replace").decode())
