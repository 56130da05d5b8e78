"""Measure the parts, pixels and formatting that rewriting leaves unchanged.

A document is compared with what it became. Nothing here knows what was to be replaced but the
values that were planted, and, for pages, the boxes of the report.
"""

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from posixpath import basename
from typing import Any

from benchmarks.documents_oracle import left_in

DPI = 100
MARGIN = 3
"""Pixels around a box in which a page may change."""
RUNS = {
    ".docx": ("word/", "w:r", "w:rPr"),
    ".docm": ("word/", "w:r", "w:rPr"),
    ".pptx": ("ppt/", "a:r", "a:rPr"),
    ".xlsx": ("xl/worksheets/", "c", ""),
    ".xlsm": ("xl/worksheets/", "c", ""),
    ".odt": ("content.xml", "text:span", ""),
}
"""Where runs stand: the start of the part's name, their element, and that of their formatting."""
FREE = ("rsidR", "}id", "}author", "tooltip", "cm", "vm")
"""Ends of attributes that are no formatting."""
STYLES = ("styles.xml", "numbering.xml", "theme1.xml", "fontTable.xml")
"""The parts that formatting is defined in."""


@dataclass
class Kept:
    """The number of things kept, and of all.

    Attributes:
        kept: By what was counted.
        whole: By what was counted.
        changes: What was not kept, in words.
    """

    kept: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    changes: list[str] = field(default_factory=list)

    def count(self, what: str, kept: int, whole: int, change: str = "") -> None:
        """Add to a count."""
        self.kept[what] += kept
        self.whole[what] += whole
        if kept < whole:
            self.changes.append(f"{what}: {change} ({whole - kept} of {whole})")


def compare(
    old: bytes, new: bytes, suffix: str, sought: Sequence[str], report: Any, name: str, kept: Kept
) -> None:
    """Compare a document with what it became, and add to *kept*."""
    if suffix in RUNS:
        _packages(old, new, sought, name, kept)
        _runs(old, new, suffix, name, kept)
    elif suffix == ".pdf" and "picture" not in name and "scanned" not in name:
        _pixels(old, new, report, name, kept)


def _packages(old: bytes, new: bytes, sought: Sequence[str], name: str, kept: Kept) -> None:
    before, after = _parts(old), _parts(new)
    for part, data in before.items():
        lists = part == "[Content_Types].xml" or part.endswith(".rels") or "META-INF" in part
        if lists or left_in(data, part, sought, ocr=False).found or _picture(part):
            continue
        same = after.get(part) == data
        kept.count("parts", same, 1, f"{name}: {part}")


def _picture(part: str) -> bool:
    return part.endswith((".png", ".jpeg"))


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {one: package.read(one) for one in package.namelist()}


def _runs(old: bytes, new: bytes, suffix: str, name: str, kept: Kept) -> None:
    """Compare the formatting of runs or cells, one by one, part by part."""
    start, run, properties = RUNS[suffix]
    before, after = _parts(old), _parts(new)
    for part in before:
        if basename(part) in STYLES:
            looks = [_looks(parts.get(part)) for parts in (before, after)]
            kept.count("styles", looks[0] == looks[1], 1, f"{name}: {part}")
        if not part.startswith(start) or not part.endswith(".xml") or part not in after:
            continue
        formats = [list(_formats(parts[part], run, properties)) for parts in (before, after)]
        if len(formats[0]) != len(formats[1]):
            kept.count("runs", 0, len(formats[0]), f"{name}: {part} has another number of runs")
            continue
        same = sum(one == other for one, other in zip(*formats, strict=True))
        kept.count("runs", same, len(formats[0]), f"{name}: {part}")
        if run == "c":
            _formulas(before[part], after[part], f"{name}: {part}", kept)


def _formats(data: bytes, run: str, properties: str) -> Iterator[str]:
    """Yield the formatting of each run: its attributes, and its element of properties."""
    from lxml import etree

    for one in etree.fromstring(data).iter(etree.Element):
        if _tag(one) != run:
            continue
        inner = [each for each in one.iter(etree.Element) if _tag(each) == properties]
        attributes = {
            key: value
            for key, value in one.attrib.items()
            if key != "t" and not str(key).endswith(FREE)
        }
        yield f"{attributes} {[_shape(each) for each in inner]}"


def _shape(one: Any) -> str:
    """Return an element without what may name somebody."""
    from lxml import etree

    return str(
        [
            (
                each.tag,
                sorted(pair for pair in each.attrib.items() if not str(pair[0]).endswith(FREE)),
            )
            for each in one.iter(etree.Element)
        ]
    )


def _tag(one: Any) -> str:
    from lxml import etree

    name = etree.QName(one)
    prefix = one.prefix
    return f"{prefix}:{name.localname}" if prefix else str(name.localname)


def _looks(data: bytes | None) -> str:
    """Return the elements of a part of styles, without the names that people give."""
    from lxml import etree

    if data is None:
        return ""
    free = ("name", "lvlText", "formatCode", "display-name")
    return str(
        [
            (
                one.tag,
                sorted((k, v) for k, v in one.attrib.items() if not _is_free(one, str(k), free)),
            )
            for one in etree.fromstring(data).iter(etree.Element)
        ]
    )


def _is_free(one: Any, key: str, free: tuple[str, ...]) -> bool:
    return key.endswith(free) or str(one.tag).endswith(free)


def _formulas(old: bytes, new: bytes, name: str, kept: Kept) -> None:
    """Compare formulas that have no text in them."""
    from lxml import etree

    found = []
    for data in (old, new):
        cells = [one for one in etree.fromstring(data).iter(etree.Element) if _tag(one) == "f"]
        found.append([one.text or "" for one in cells])
    if len(found[0]) != len(found[1]):
        kept.count("formulas", 0, len(found[0]), name)
        return
    for before, after in zip(*found, strict=True):
        if '"' not in before and "'" not in before:
            kept.count("formulas", before == after, 1, name)


def _pixels(old: bytes, new: bytes, report: Any, name: str, kept: Kept) -> None:
    """Compare pages outside of the lines that have findings, as the rest of a line may move.

    Boxes in pictures are in their own pixels, so that pages of pictures are not compared.
    """
    import numpy as np

    before, after = list(_pages(old)), list(_pages(new))
    if len(before) != len(after):
        kept.count("pages", 0, len(before), f"{name}: another number of pages")
        return
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if one.shape != other.shape:
            kept.count("pages", 0, 1, f"{name}: page {number} has another size")
            continue
        differ = (np.abs(one.astype(int) - other.astype(int)) > 8).any(axis=2)
        boxes = [
            box
            for found in report.findings
            if found.place.page in (number, None) or len(before) == 1
            for box in found.boxes
        ]
        for box in boxes:
            left, top, right, bottom = (int(edge * DPI / 72) for edge in box)
            if bottom - top > right - left:
                differ[:, max(0, left - MARGIN) : right + MARGIN + 1] = False
            else:
                differ[max(0, top - MARGIN) : bottom + MARGIN + 1, max(0, left - MARGIN) :] = False
        changed = int(differ.sum())
        kept.count("pages", not changed, 1, f"{name}: page {number}, {changed} pixels")
        kept.count("pixels", differ.size - changed, differ.size, f"{name}: page {number}")


def _pages(data: bytes) -> Iterator[Any]:
    import pypdfium2

    made = pypdfium2.PdfDocument(data)
    try:
        for page in made:
            yield page.render(scale=DPI / 72).to_numpy()
    finally:
        made.close()
