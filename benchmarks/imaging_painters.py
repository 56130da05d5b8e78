"""Redact a page for `imaging.py`: by the package's methods, and by painters for comparison."""

import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.imaging_forms import Form
from benchmarks.imaging_pages import Sheet, synthetic
from presidio_cdip.errors import MissingDependency, UnreadableInput
from presidio_cdip.imaging.painting.augraphy_noise import augraphy, mottled
from presidio_cdip.imaging.painting.replacing import Filler, FindingReport, Replacer
from presidio_cdip.imaging.reading.boxes import PageFinding
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.reading.verify import still_readable
from presidio_cdip.imaging.redaction import SURROGATE, PageFindings, RedactionOptions
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box, Word
from presidio_cdip.surrogates.engine import Candidate

TIMED = 10
"""The count of values per page that are timed."""

OURS = (SURROGATE, "paper", "telea", "navier-stokes", "white", "black")
ONE_FACE, PAPER_LIKE, PRINTED = "one face", "paper-like", "printed again"
METHODS = (*OURS, ONE_FACE, PAPER_LIKE, PRINTED)

_VOWELS, _CONSONANTS = "aeiouy", "bcdfghjklmnpqrstvwxz"
_KINDS = (_VOWELS, _CONSONANTS, _VOWELS.upper(), _CONSONANTS.upper(), "0123456789")


@dataclass(frozen=True, slots=True)
class Found:
    """Provide the fields of Presidio's `RecognizerResult` that a finding needs."""

    entity_type: str
    start: int
    end: int
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold a page to redact.

    Attributes:
        name: For the report.
        kind: ``scan``, or the dpi at which it was drawn.
        image: In grey levels.
        found: The words to replace, as findings, and the layout of all words.
        seconds: Time that OCR took to read it.
        sheet: The sheet from which it was drawn; None for a scan or a form.
        form: The drawn form; None for other pages.
        real: The words, by number, that replaced ones are compared with; None for all others.
    """

    name: str
    kind: str
    image: Image.Image
    found: PageFindings
    seconds: float
    sheet: Sheet | None = None
    form: Form | None = None
    real: tuple[int, ...] | None = None

    @property
    def words(self) -> tuple[Word, ...]:
        """Return all words that OCR read on the page."""
        return self.found.layout.words


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold a redacted page.

    Attributes:
        image: After painting, before any value was erased with a larger box.
        findings: The findings with the text now in their place.
        treated: The report of each finding.
        seconds: Time for the first `TIMED` findings, without the second look.
        looking: Seconds for the second look.
        words: The words that OCR reads on it; empty if OCR fails.
        seen: Number of originals that the second look found.
        left: Number that it found after these were erased with a larger box, as in
            `redaction.treat`.
    """

    image: Image.Image
    findings: tuple[PageFinding, ...]
    treated: tuple[FindingReport, ...]
    seconds: float
    looking: float
    words: tuple[Word, ...]
    seen: int
    left: int


class Shuffles:
    """Make surrogates of the same shape: a vowel for a vowel, a digit for a digit, signs unchanged.

    Args:
        text: The source of letters and digits, so that they are as frequent as on the page.
        seed: Determines all surrogates.
    """

    def __init__(self, text: str, seed: int) -> None:
        self._seed = seed
        self._pools: list[list[str]] = [
            [char for char in text if char in kind] + [*kind] for kind in _KINDS
        ]

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "Shuffles":
        """Return itself: a shape is kept on any page."""
        return self

    def candidates(
        self, entity: str, value: str, start: int = 0, end: int = 0
    ) -> Iterator[Candidate]:
        """Yield texts of the shape of *value* without end, but never the value itself."""
        random = Random(f"{self._seed} {entity} {value}")
        for number in count():
            made = "".join(self._other(char, random) for char in value)
            if made != value or not any(map(str.isalnum, value)):
                yield Candidate(made, number)

    def marks(self, boxes: Collection[tuple[int, int]]) -> tuple[()]:
        """Return nothing: marks stay."""
        return ()

    def mentions(self) -> tuple[()]:
        """Return nothing: no value is repeated on purpose."""
        return ()

    def chosen(self, value: str, text: str) -> None:
        """Do nothing."""

    def seed(self, purpose: str, normal: str) -> int:
        """Return a number determined by the arguments."""
        of = f"{self._seed} {purpose} {normal}".encode()
        return int.from_bytes(hashlib.blake2b(of, digest_size=8).digest())

    def _other(self, char: str, random: Random) -> str:
        for kind, pool in zip(_KINDS, self._pools, strict=True):
            if char in kind:
                return random.choice(pool)
        return char


class Overpainter:
    """Draw black text over an emptied box with Pillow, in the largest size that fits.

    Args:
        image: A page in grey levels.
        source: The source of surrogates.
        fonts: The fonts to choose from, one per word.
        like_paper: Whether boxes are inpainted instead of white, with Augraphy's noise on the ink
            if Augraphy is installed (Larson et al., EMNLP 2024).
    """

    def __init__(
        self, image: Image.Image, source: Shuffles, fonts: Sequence[Path], like_paper: bool
    ) -> None:
        self.image = image.copy()
        self._source = source
        self._fonts = fonts
        self._like_paper = like_paper
        self._rng = np.random.default_rng(source.seed("overpainter", str(image.size)))
        self._random = Random(int(self._rng.integers(1 << 32)))

    def paint(self, finding: PageFinding) -> tuple[PageFinding, FindingReport]:
        """Empty the boxes and paint a surrogate in each."""
        parts = []
        for part in finding.parts:
            value = next(self._source.candidates(finding.entity, part.value)).text
            text = part.lead + value + part.trail
            self._empty(part.box)
            self._paint(part.box, text)
            parts.append(replace(part, instead=text))
        painted = replace(finding, parts=tuple(parts))
        return painted, FindingReport(finding.entity, finding.boxes, SURROGATE)

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, FindingReport]:
        """Empty the boxes without painting."""
        for box in finding.boxes:
            self._empty(box)
        return finding, FindingReport(finding.entity, finding.boxes, "white", reason=reason)

    def _empty(self, box: Box) -> None:
        corners = box.left, box.top, box.right, box.bottom
        if not self._like_paper:
            self.image.paste(255, corners)
            return
        pixels = np.array(self.image)
        mask = np.zeros_like(pixels)
        mask[box.within()] = 1
        self.image = Image.fromarray(cv2.inpaint(pixels, mask, 3, cv2.INPAINT_TELEA))

    def _paint(self, box: Box, text: str) -> None:
        file = self._random.choice(self._fonts)
        layer = Image.new("L", (box.width, box.height), 0)
        for size in range(2 * box.height, 4, -1):
            font = ImageFont.truetype(str(file), size)
            left, top, right, bottom = font.getbbox(text)
            if right - left <= box.width and bottom - top <= box.height:
                at = -left, (box.height - (bottom - top)) // 2 - top
                ImageDraw.Draw(layer).text(at, text, fill=255, font=font)
                break
        if self._like_paper and has_augraphy():
            dark = mottled(np.asarray(layer).astype(np.float32) / np.float32(255), self._rng)
            layer = Image.fromarray((np.clip(dark, 0, 1) * 255).astype(np.uint8))
        self.image.paste(0, (box.left, box.top), layer)


def has_augraphy() -> bool:
    """Return whether Augraphy is installed."""
    try:
        augraphy()
    except MissingDependency:
        return False
    return True


Worker = Filler | Replacer | Overpainter


def spent() -> float:
    """Return the processor seconds of this process and its child processes, without other load."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def worker(method: str, sample: Sample, source: Shuffles) -> Worker:
    """Return the object that redacts the page by *method*."""
    named = {face.name: face.file for face in faces()}
    sans = named["sans-wide"]  # DejaVu Sans
    if method == ONE_FACE:
        return Overpainter(sample.image, source, [sans], like_paper=False)
    if method == PAPER_LIKE:
        three = [named["typewriter-lineal"], named["serif-times"], sans]
        return Overpainter(sample.image, source, three, like_paper=True)
    options = RedactionOptions(method, surrogates=source)
    return options.worker(sample.image, sample.found.layout, sample.name)


def outcome(method: str, sample: Sample, source: Shuffles) -> Outcome | None:
    """Redact the page by *method* and read it again; None if the method does not support it."""
    if method == PRINTED:
        return printed_again(sample, source)
    start = spent()
    at_work = worker(method, sample, source)
    findings, treated, seconds = [], [], 0.0
    if isinstance(at_work, Replacer) and method == SURROGATE:
        at_work.agree(sample.found.findings)
    for number, finding in enumerate(sample.found.findings):
        if number == TIMED and at_work.image:  # asked for, because then it is made
            seconds = spent() - start
        paints = method in (SURROGATE, ONE_FACE, PAPER_LIKE)
        finding, report = at_work.paint(finding) if paints else at_work.erase(finding)
        findings.append(finding)
        treated.append(report)
    image = at_work.image
    seconds = seconds or spent() - start
    start = spent()
    seen = still_readable(image, findings, name=sample.name)
    looking = spent() - start
    wider = [at_work.erase(one.widened(image.size, cutting=True))[0] for one in seen]
    left = len(still_readable(at_work.image, wider, name=sample.name))
    return Outcome(
        image, tuple(findings), tuple(treated), seconds, looking, reread(image), len(seen), left
    )


def reread(image: Image.Image) -> tuple[Word, ...]:
    """Return the words that page OCR reads; none if its confidence is too low."""
    try:
        return tuple(read_words(image))
    except UnreadableInput:
        return ()


def printed_again(sample: Sample, source: Shuffles) -> Outcome | None:
    """Render the synthetic page or form again with surrogates in it; None for a scan.

    This is the upper bound for painters. Of 24 surrogates the one nearest in width to the original
    is printed.
    """
    if sample.form:
        return _form_again(sample, sample.form, source)
    if sample.sheet is None:
        return None
    _, tokens = synthetic(sample.sheet)
    font = ImageFont.truetype(str(sample.sheet.font), 100)
    instead: dict[int, str] = {}
    findings = []
    for finding in sample.found.findings:
        part = finding.parts[0]
        number = next((n for n, one in enumerate(tokens) if middle_in(one.box, part.box)), None)
        if number is None or tokens[number].text != part.text:
            continue
        shuffled = islice(source.candidates(finding.entity, part.value), 24)
        candidates = [one.text for one in shuffled]
        wide = font.getlength(part.value)
        value = min(candidates, key=lambda one: abs(font.getlength(one) - wide))
        instead[number] = part.lead + value + part.trail
        findings.append(replace(finding, parts=(replace(part, instead=instead[number]),)))
    image, drawn = synthetic(sample.sheet, instead)
    treated = tuple(
        FindingReport(one.entity, (drawn[number].box.union(one.boxes[0]),), SURROGATE)
        for one, number in zip(findings, instead, strict=True)
    )
    seen = len(still_readable(image, findings, name=sample.name))
    return Outcome(image, tuple(findings), treated, 0.0, 0.0, reread(image), seen, seen)


def _form_again(sample: Sample, form: Form, source: Shuffles) -> Outcome:
    font = ImageFont.truetype(str(form.hand.file), 100)
    instead: dict[int, str] = {}
    findings, numbers = [], []
    for finding in sample.found.findings:
        own = [
            number
            for part in finding.parts
            for number, one in enumerate(form.entries)
            if middle_in(part.box, one.box)
        ]
        if len(own) != len(finding.parts):
            continue
        value = "\n".join(part.text for part in finding.parts)
        candidates = [one.text for one in islice(source.candidates(finding.entity, value), 24)]
        wide = font.getlength(value.replace("\n", " "))
        best = min(
            candidates, key=lambda one: abs(font.getlength(one.replace("\n", " ")) - wide)
        ).split("\n")
        instead |= zip(own, best, strict=True)
        numbers.append(own)
        parts = (
            replace(part, instead=line) for part, line in zip(finding.parts, best, strict=True)
        )
        findings.append(replace(finding, parts=tuple(parts)))
    drawn = form.again(instead)
    treated = tuple(
        FindingReport(
            one.entity,
            tuple(drawn.entries[n].box.union(box) for n, box in zip(own, one.boxes, strict=True)),
            SURROGATE,
        )
        for one, own in zip(findings, numbers, strict=True)
    )
    seen = len(still_readable(drawn.image, findings, name=sample.name))
    return Outcome(drawn.image, tuple(findings), treated, 0.0, 0.0, reread(drawn.image), seen, seen)


def middle_in(inner: Box, *boxes: Box) -> bool:
    """Check that the centre of *inner* lies in one of *boxes*."""
    across, down = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return any(box.left <= across < box.right and box.top <= down < box.bottom for box in boxes)
