"""Keep the values that were replaced in a page, for its side-cars; in memory alone."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from presidio_cdip import steps
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import Find, Picture, Redact, Remembering
from presidio_cdip.documents.segments import Box, Embedded
from presidio_cdip.documents.subjects import Stretch
from presidio_cdip.documents.verifying import plain
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.engine import Candidate
from presidio_cdip.surrogates.values.boxes import Marks


@dataclass
class Known:
    """The values and replacements known of the documents of one group.

    Attributes:
        spans: Each value that was found, with its finding; not shown by `repr`.
        replaced: What replaced a value, by the value without blanks and case; not shown, either.
        places: For each finding on the page, its boxes, in pixels, and its value.
        sizes: Width and height of each page image, in pixels.
        replacement: Replaces values in texts, as in the page.
    """

    spans: dict[str, Span] = field(default_factory=dict, repr=False)
    replaced: dict[str, str] = field(default_factory=dict, repr=False)
    places: list[tuple[tuple[Box, ...], str]] = field(default_factory=list, repr=False)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    replacement: "Listening | None" = field(default=None, repr=False)
    _texts: list[tuple[str, Sequence[Span]]] = field(default_factory=list, repr=False)

    @property
    def size(self) -> tuple[int, int] | None:
        """Return the size of the page image, if there is one alone."""
        return self.sizes[0] if len(self.sizes) == 1 else None

    def watching(self, find: Find) -> "Watching":
        """Return *find*, of which every finding is kept."""
        return Watching(find, self)

    def saw(self, text: str, spans: Sequence[Span]) -> None:
        """Keep the findings in *text*."""
        self._texts.append((text, spans))
        for span in spans:
            self.spans.setdefault(text[span.start : span.end], span)

    def placing(self, redact: Redact) -> Redact:
        """Return *redact*, of which the places of findings are kept."""

        def placed(one: Embedded, change: bool) -> Picture:
            first = len(self._texts)
            picture = redact(one, change)
            self.sizes += [page.size for page in picture.pages]
            texts = [text for text, spans in self._texts[first:] if spans]
            pages = sorted({found.place.page or 0 for found in picture.findings})
            if len(texts) == len(pages):
                of_page = dict(zip(pages, texts, strict=True))
                for found in picture.findings:
                    value = of_page[found.place.page or 0][found.start : found.end]
                    self.places.append((found.boxes, value))
            return picture

        return placed


class Watching(Remembering):
    """Find values, and keep what was found."""

    def __init__(self, find: Find, known: Known) -> None:
        super().__init__(find)
        self._kept = known

    def __call__(self, text: str) -> list[Span]:
        """Return the findings in *text*."""
        spans = super().__call__(text)
        self._kept.saw(text, spans)
        return spans


@dataclass
class Listening(Replacement):
    """Replace values, and keep by what.

    Attributes:
        known: Where that is kept.
    """

    known: Known = field(default_factory=Known)

    def __post_init__(self) -> None:
        self.known.replacement = self

    def anonymize(
        self, text: str, spans: Sequence[Span], subjects: Sequence[Stretch] = ()
    ) -> steps.Rewritten:
        """Replace each of *spans* in *text*, as `Replacement.anonymize`."""
        written = super().anonymize(text, spans, subjects)
        for item in written.items:
            if item.operator != "keep" and not steps.is_turned_word(item.span):
                value = plain(text[item.span.start : item.span.end])
                self.known.replaced.setdefault(value, item.text)
        return written

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> Any:
        """Return the replacements of a picture's *findings*, as `Replacement.on_page`."""
        return _Heard(super().on_page(text, findings), self.known)


@dataclass(frozen=True, slots=True)
class _Heard:
    """Yield replacements of a picture's values, and keep those that are painted."""

    source: Any
    known: Known

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[Candidate]:
        """Yield replacements of the *value* at ``[start, end)``, in the order of their numbers."""
        yield from self.source.candidates(entity, value, start, end)

    def marks(self, boxes: Collection[tuple[int, int]]) -> Iterator[Marks]:
        """Yield the marks of each printed question whose marks move, among those in *boxes*."""
        yield from self.source.marks(boxes)

    def mentions(self) -> Iterator[tuple[int, int, str]]:
        """Yield where the text repeats towns or names of its values, and what draws them."""
        yield from self.source.mentions()

    def chosen(self, value: str, text: str) -> None:
        """Keep that *text* is painted in place of *value*."""
        self.known.replaced[plain(value)] = text
        self.source.chosen(value, text)
