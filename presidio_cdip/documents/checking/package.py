"""Find hidden contents of office files."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from presidio_cdip.documents.checking.redaction import Finding
from presidio_cdip.documents.office.package import Package
from presidio_cdip.documents.segments import Box, Settings

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_OFF = ("0", "false", "off", "none")
_EMU = 12700  # English metric units a point
_NAMED = ("creator", "lastModifiedBy", "title", "subject", "keywords", "description", "Manager")
_COLORS = {
    "auto": "000000", "black": "000000", "white": "FFFFFF", "yellow": "FFFF00", "red": "FF0000",
    "darkGray": "808080", "lightGray": "C0C0C0", "darkBlue": "000080", "blue": "0000FF",
    "tx1": "000000", "dk1": "000000", "bg1": "FFFFFF", "lt1": "FFFFFF",
}  # fmt: skip
"""Colours by the names that word processors and themes have for them, as a reader sees them."""

_NEAR = 24  # levels of a channel


def check(data: bytes, name: str) -> Iterator[Finding]:
    """Yield the hidden contents of a docx, xlsx or pptx file."""
    package = Package.opened(data, name, Settings())
    for part in package.parts:
        for start, module in _CHECKS.items():
            if part.startswith(start) and part.endswith(".xml"):
                yield from module(package, part)
    yield from _properties(package)
    yield from _common(package)


def _properties(package: Package) -> Iterator[Finding]:
    count = 0
    for part in ("docProps/core.xml", "docProps/app.xml"):
        if part in package.parts:
            for one in package.tree(part).getroot().iter("{*}*"):
                local = str(one.tag).rpartition("}")[2]
                count += _count(one.text or "") if local in _NAMED else 0
    if count:
        yield Finding("metadata", characters=count)


def _common(package: Package) -> Iterator[Finding]:
    for part in package.parts:
        folder, _, leaf = part.rpartition("/")
        if folder.endswith("embeddings"):
            yield Finding("attachment")
        if leaf == "vbaProject.bin":
            yield Finding("script")
        if re.search(r"comments?\w*\.xml$", leaf) and folder.count("/") <= 1:
            count = _count(_text(package.tree(part).getroot()))
            if count:
                yield Finding("comment", characters=count)


def _word(package: Package, part: str) -> Iterator[Finding]:
    if part.count("/") > 1:
        return
    counts = dict.fromkeys(("hidden_text", "tracked_change", "same_color"), 0)
    root = package.tree(part).getroot()
    for run in root.iter(f"{_W}r"):
        texts = run.iter(f"{_W}t", f"{_W}delText", f"{_W}instrText")
        count = sum(_count(one.text or "") for one in texts if one.tag != f"{_W}instrText")
        deleted = next(run.iterancestors(f"{_W}del", f"{_W}moveFrom"), None) is not None
        kind = "tracked_change" if deleted else _word_kind(run)
        if count and kind:
            counts[kind] += count
    for kind, count in counts.items():
        if count:
            yield Finding(kind, characters=count)
    yield from _cropped(root, None)


def _word_kind(run: Any) -> str:
    hidden = run.find(f"{_W}rPr/{_W}vanish")
    if hidden is not None and hidden.get(f"{_W}val", "1") not in _OFF:
        return "hidden_text"
    own = _color(_attribute(run, f"{_W}rPr/{_W}color", "val") or "auto")
    behind = _attribute(run, f"{_W}rPr/{_W}highlight", "val") or _shading(run)
    automatic = _attribute(run, f"{_W}rPr/{_W}color", "val") in (None, "auto")
    if automatic and behind and not _attribute(run, f"{_W}rPr/{_W}highlight", "val"):
        return ""  # automatic text turns white on a dark shading
    return "same_color" if _same(own, _color(behind or "FFFFFF")) else ""


def _shading(run: Any) -> str:
    if fill := _attribute(run, f"{_W}rPr/{_W}shd", "fill"):
        return fill
    for outer in run.iterancestors(f"{_W}p", f"{_W}tc"):
        kind = "pPr" if outer.tag == f"{_W}p" else "tcPr"
        fill = _attribute(outer, f"{_W}{kind}/{_W}shd", "fill")
        if fill and fill != "auto":
            return fill
    return ""


def _attribute(element: Any, path: str, name: str) -> str | None:
    found = element.find(path)
    return None if found is None else found.get(f"{_W}{name}")


def _color(name: str) -> str:
    return _COLORS.get(name, name)


def _same(one: str, other: str) -> bool:
    try:
        pairs = zip(bytes.fromhex(one[-6:]), bytes.fromhex(other[-6:]), strict=True)
    except ValueError:
        return False
    return all(abs(a - b) < _NEAR for a, b in pairs)


def _text(element: Any) -> str:
    return "".join(str(text) for text in element.itertext())


def _count(text: str) -> int:
    return len("".join(text.split()))


def _sheets(package: Package, part: str) -> Iterator[Finding]:
    """Yield hidden sheets, and hidden cells of the others."""
    links = package.tree("xl/_rels/workbook.xml.rels").getroot()
    targets = {one.get("Id"): (one.get("Target") or "").rpartition("/")[2] for one in links}
    same = _same_colored(package)
    strings = _strings(package)
    for number, sheet in enumerate(package.tree(part).getroot().iter(f"{_S}sheet")):
        leaf = f"xl/worksheets/{targets.get(sheet.get(f'{_R}id'), '')}"
        if leaf not in package.parts:
            continue
        root = package.tree(leaf).getroot()
        cells = [(cell, _count(_value(cell, strings))) for cell in root.iter(f"{_S}c")]
        cells = [(cell, count) for cell, count in cells if count]
        if sheet.get("state") in ("hidden", "veryHidden"):
            if cells:
                yield Finding("hidden_sheet", number, characters=sum(count for _, count in cells))
            continue
        hidden = sum(count for cell, count in cells if _is_hidden(cell, root))
        unseen = sum(count for cell, count in cells if int(cell.get("s", "0")) in same)
        if hidden:
            yield Finding("hidden_cells", number, characters=hidden)
        if unseen:
            yield Finding("same_color", number, characters=unseen)


def _strings(package: Package) -> list[str]:
    if "xl/sharedStrings.xml" not in package.parts:
        return []
    root = package.tree("xl/sharedStrings.xml").getroot()
    return [_text(one) for one in root.iter(f"{_S}si")]


def _value(cell: Any, strings: list[str]) -> str:
    text = "".join(one.text or "" for one in cell.iter(f"{_S}v", f"{_S}t"))
    if cell.get("t") == "s" and text.isdigit() and int(text) < len(strings):
        return strings[int(text)]
    return text


def _is_hidden(cell: Any, root: Any) -> bool:
    row = cell.getparent()
    if row.get("hidden") in ("1", "true") or row.get("ht") == "0":
        return True
    letters = re.match(r"[A-Z]+", cell.get("r", ""))
    if letters is None:
        return False
    column = 0
    for letter in letters[0]:
        column = column * 26 + ord(letter) - 64
    return any(
        int(one.get("min", "0")) <= column <= int(one.get("max", "0"))
        and (one.get("hidden") in ("1", "true") or float(one.get("width", "8")) == 0)
        for one in root.iter(f"{_S}col")
    )


def _same_colored(package: Package) -> set[int]:
    """Return the cell styles whose text has the colour of the cell, or whose format hides it."""
    if "xl/styles.xml" not in package.parts:
        return set()
    root = package.tree("xl/styles.xml").getroot()
    fonts = [_sheet_color(one.find(f"{_S}color"), "000000") for one in root.iter(f"{_S}font")]
    fills = [_fill(one) for one in root.findall(f"{_S}fills/{_S}fill")]
    formats = {one.get("numFmtId"): one.get("formatCode") for one in root.iter(f"{_S}numFmt")}
    found = set()
    for number, style in enumerate(root.findall(f"{_S}cellXfs/{_S}xf")):
        font, fill = int(style.get("fontId", "0")), int(style.get("fillId", "0"))
        known = font < len(fonts) and fill < len(fills)
        if (known and _same(fonts[font], fills[fill])) or formats.get(
            style.get("numFmtId")
        ) == ";;;":
            found.add(number)
    return found


def _fill(fill: Any) -> str:
    pattern = fill.find(f"{_S}patternFill")
    if pattern is None or pattern.get("patternType") != "solid":
        return "FFFFFF"
    return _sheet_color(pattern.find(f"{_S}fgColor"), "FFFFFF")


def _sheet_color(color: Any, default: str) -> str:
    if color is None:
        return default
    theme = {"0": "FFFFFF", "1": "000000"}.get(color.get("theme", ""))
    if theme and float(color.get("tint", "0")) == 0:
        return theme
    return str(color.get("rgb") or ("?" if color.get("theme") else default))


def _slide(package: Package, part: str) -> Iterator[Finding]:
    found = re.fullmatch(r"ppt/slides/slide(\d+)\.xml", part)
    if not found:
        return
    number = int(found[1]) - 1
    root = package.tree(part).getroot()
    if root.get("show") in _OFF:
        yield Finding("hidden_sheet", number, characters=_count(_text(root)))
        return
    size = package.tree("ppt/presentation.xml").getroot().find(f"{_P}sldSz")
    width = height = 0.0
    if size is not None:
        width, height = int(size.get("cx", "0")) / _EMU, int(size.get("cy", "0")) / _EMU
    shapes = [one for one in root.iter(f"{_P}sp", f"{_P}pic")]
    for index, shape in enumerate(shapes):
        box = _shape_box(shape)
        texts = "".join(one.text or "" for one in shape.iter(f"{_A}t"))
        count = _count(texts)
        if box is None or not (count or shape.tag == f"{_P}pic"):
            continue
        if width and (box[0] >= width or box[1] >= height or box[2] <= 0 or box[3] <= 0):
            yield Finding("off_page", number, box, count)
        elif any(_covers(other, box) for other in shapes[index + 1 :]):
            yield Finding("under_box" if count else "covered_picture", number, box, count)
    unseen = sum(_unseen(shape) for shape in shapes)
    if unseen:
        yield Finding("same_color", number, characters=unseen)
    yield from _cropped(root, number)


def _shape_box(shape: Any) -> Box | None:
    place = shape.find(f"{_P}spPr/{_A}xfrm")
    off = None if place is None else place.find(f"{_A}off")
    size = None if place is None else place.find(f"{_A}ext")
    if off is None or size is None or next(shape.iterancestors(f"{_P}grpSp"), None) is not None:
        return None
    left, top = int(off.get("x")) / _EMU, int(off.get("y")) / _EMU
    return left, top, left + int(size.get("cx")) / _EMU, top + int(size.get("cy")) / _EMU


def _covers(other: Any, box: Box) -> bool:
    """Return whether a shape of one opaque colour, without text, covers *box*."""
    fill = other.find(f"{_P}spPr/{_A}solidFill")
    around = _shape_box(other)
    if fill is None or around is None or any(one.text for one in other.iter(f"{_A}t")):
        return False
    if any(True for _ in fill.iter(f"{_A}alpha")):
        return False
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    across = around[0] <= box[0] + 2 and around[2] >= box[2] - 2
    return across and around[0] <= x <= around[2] and around[1] <= y <= around[3]


def _unseen(shape: Any) -> int:
    """Return the number of characters of a shape in the colour of its filling."""
    behind = _drawn_color(shape.find(f"{_P}spPr/{_A}solidFill"))
    if not behind:
        return 0
    return sum(
        _count(_text(run))
        for run in shape.iter(f"{_A}r")
        if _same(_drawn_color(run.find(f"{_A}rPr/{_A}solidFill")) or "?", behind)
    )


def _drawn_color(fill: Any) -> str:
    if fill is None or not len(fill) or len(fill[0]):
        return ""
    return _color(fill[0].get("val", ""))


def _cropped(root: Any, number: int | None) -> Iterator[Finding]:
    for one in root.iter(f"{_A}srcRect"):
        if any(int(one.get(edge, "0").rstrip("%") or 0) > 0 for edge in "ltrb"):
            yield Finding("cropped_picture", number)


_CHECKS: dict[str, Callable[[Package, str], Iterator[Finding]]] = {
    "word/": _word,
    "xl/workbook.xml": _sheets,
    "ppt/slides/": _slide,
}
"""The functions that check a part, by the beginning of its name."""
