"""Accept the tracked changes of a document, so that nothing of the text before them stays."""

from typing import Any

from lxml import etree

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.runs import drop

_DROPPED = frozenset(
    [
        "w:del", "w:moveFrom", "w:moveFromRangeStart", "w:moveFromRangeEnd",
        "w:moveToRangeStart", "w:moveToRangeEnd", "w:rPrChange", "w:pPrChange", "w:sectPrChange",
        "w:tblPrChange", "w:tblPrExChange", "w:trPrChange", "w:tcPrChange", "w:tblGridChange",
        "w:numberingChange", "w:cellIns", "w:cellMerge", "w:customXmlInsRangeStart",
        "w:customXmlInsRangeEnd", "w:customXmlDelRangeStart", "w:customXmlDelRangeEnd",
        "w:customXmlMoveFromRangeStart", "w:customXmlMoveFromRangeEnd",
        "w:customXmlMoveToRangeStart", "w:customXmlMoveToRangeEnd",
        "text:tracked-changes", "text:change", "text:change-start", "text:change-end",
        "table:tracked-changes",
    ]
)  # fmt: skip
_UNWRAPPED = frozenset(["w:ins", "w:moveTo"])
_MARKS = {("w:del", "w:trPr"): "w:tr", ("w:cellDel", "w:tcPr"): "w:tc"}
_CHANGES = _DROPPED | _UNWRAPPED | {"w:cellDel"}


def accepted(root: Any) -> bool:
    """Accept all tracked changes under *root*; return whether there were any."""
    found = [one for one in root.iter(etree.Element) if short(one.tag) in _CHANGES]
    for change in found:
        if not _is_within(change, root):
            continue  # went with another change
        name, parent = short(change.tag), change.getparent()
        row = _MARKS.get((name, short(parent.tag)))
        if row is not None:
            drop(next(one for one in change.iterancestors() if short(one.tag) == row))
        elif name == "w:del" and short(parent.tag) == "w:rPr":
            _join(change)
        elif name in _UNWRAPPED:
            _unwrap(change)
        else:
            drop(change)
    return bool(found)


def _is_within(element: Any, root: Any) -> bool:
    return element is not root and any(one is root for one in element.iterancestors())


def _unwrap(element: Any) -> None:
    parent = element.getparent()
    at = parent.index(element)
    parent[at : at + 1] = list(element)


def _join(mark: Any) -> None:
    """Join a paragraph whose end was deleted to the next one, which keeps its format."""
    paragraph = next((one for one in mark.iterancestors() if short(one.tag) == "w:p"), None)
    drop(mark)
    after = None if paragraph is None else paragraph.getnext()
    if paragraph is None or after is None or short(str(after.tag)) != "w:p":
        return
    contents = [one for one in paragraph if short(str(one.tag)) != "w:pPr"]
    at = 1 if len(after) and short(str(after[0].tag)) == "w:pPr" else 0
    after[at:at] = contents
    drop(paragraph)
