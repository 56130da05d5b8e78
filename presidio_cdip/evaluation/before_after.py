"""Compare a collection before redaction with it after, document by document."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from presidio_cdip.documents.formats import format_of, open_document
from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.duplicates import Copy
from presidio_cdip.evaluation.page_models import PageModels
from presidio_cdip.evaluation.reading import Item
from presidio_cdip.evaluation.similarity import Compared, near
from presidio_cdip.evaluation.utility import Utility, measure
from presidio_cdip.files.inputs import decode, is_image

MOST_LEARNED = 2_000
"""Documents that a classifier is trained on; of more, a simple random sample."""


@dataclass
class _Examples:
    """A classifier's input: the documents that could be read on both sides."""

    labels: list[str] = field(default_factory=list)
    before: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)


@dataclass
class Sides:
    """A collection before, and after by each method.

    Attributes:
        settings: How documents are read.
        models: Models that see pages, too; None without any.
        compared: The pages.
        missing: Documents of each method that are not there or cannot be read.
    """

    settings: Settings
    models: PageModels | None = None
    compared: Compared = field(default_factory=Compared)
    missing: dict[str, int] = field(default_factory=dict)
    _examples: dict[tuple[str, str], _Examples] = field(default_factory=dict)

    def compare(
        self,
        before: Sequence[Item],
        after: Mapping[str, Mapping[str, Item]],
        seed: int = 0,
        advance: Callable[[], None] = lambda: None,
    ) -> None:
        """Compare each document of *before* with those of its name in *after*.

        Args:
            before: The originals.
            after: By method, the redacted documents by name.
            seed: Of the sample that a classifier learns from.
            advance: Called after each document.
        """
        learned = set(range(len(before)))
        if len(before) > MOST_LEARNED:
            learned = set(Random(seed).sample(range(len(before)), MOST_LEARNED))
        for name in after:
            self.compared.pages.setdefault(name, [])
            self.compared.incomparable.setdefault(name, 0)
            self.missing.setdefault(name, 0)
        for number, item in enumerate(before):
            self._compare(item, after, number in learned)
            advance()

    def _compare(self, item: Item, after: Mapping[str, Mapping[str, Item]], learned: bool) -> None:
        try:
            data = item.load()
        except UnreadableInput:
            return  # is reported where the collection is read
        for method, others in after.items():
            try:
                if item.name not in others:
                    raise UnreadableInput(item.name, "is not there")
                other = others[item.name].load()
                if is_image(data):
                    self._images(item, data, other, method, learned)
                elif learned:
                    texts = (
                        _text(data, item.name, self.settings),
                        _text(other, item.name, self.settings),
                    )
                    self._learn("text", item, method, *texts)
            except UnreadableInput:
                self.missing[method] += 1

    def _images(self, item: Item, before: bytes, after: bytes, method: str, learned: bool) -> None:
        from presidio_cdip.imaging.page.similarity import descriptor

        first, second = (_pages(data, item.name, self.settings) for data in (before, after))
        for number, page in enumerate(first):
            other = next(second, None)
            if other is None or other.shape != page.shape:
                self.compared.incomparable[method] += 1
                continue
            title = f"{item.dataset}/{item.name}/{number}"
            self.compared.pages[method].append(near(title, page, other))
            if self.models:
                self.models.judge(method, page, other)
            if learned and number == 0:
                seen = (descriptor(one).astype(np.float16) for one in (page, other))
                self._learn("page", item, method, *seen)

    def _learn(self, features: str, item: Item, method: str, before: Any, after: Any) -> None:
        if not item.label:
            return
        examples = self._examples.setdefault((method, features), _Examples())
        examples.labels.append(item.label)
        examples.before.append(before)
        examples.after.append(after)

    def utility(self) -> list[Utility]:
        """Return the effect of redaction on a classifier, by method and features.

        Raises:
            MissingDependency: scikit-learn is not installed.
        """
        found = [
            measure(method, features, one.labels, one.before, one.after)
            for (method, features), one in self._examples.items()
        ]
        return [one for one in found if one is not None]


def _pages(data: bytes, name: str, settings: Settings) -> Iterator[Any]:
    from presidio_cdip.imaging.page.pages import read_pages

    for page in read_pages(data, name, max_pixels=settings.max_pixels):
        yield np.asarray(page.image.convert("L"))


def _text(data: bytes, name: str, settings: Settings) -> str:
    kind = format_of(data, name)
    if kind is None:
        return decode(data, name, settings.max_characters)
    return "\n".join(one.text for one in open_document(data, name, kind, settings).segments)


def remaining(before: Copy, after: Copy) -> Copy:
    """Return *after* with those values alone that were found in *before*, too.

    They were kept by the policy, missed, or their surrogates are equal by chance.
    """
    return Copy(before.values & after.values, after.words, after.signature, after.look)
