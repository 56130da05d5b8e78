"""Name the kinds of side-cars: files that repeat the text of a page, and how they are found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SidecarKind:
    """A kind of side-car.

    Attributes:
        name: What ``--sidecar`` calls it.
        suffixes: What its name has instead of the page's suffix.
        folders: Folders beside the page's in which it may lie.
        module: The module that reads and writes it.
    """

    name: str
    suffixes: tuple[str, ...]
    folders: tuple[str, ...]
    module: str


_OCR = ("ocr", "ocr_results", "text", "texts")

KINDS = {
    one.name: one
    for one in (
        SidecarKind("text", (".txt",), _OCR, "plain"),
        SidecarKind("funsd", (".json",), ("annotations",), "words_json"),
        SidecarKind("textract", (".json",), (*_OCR, "textract"), "words_json"),
        SidecarKind("docvqa", (".json",), (*_OCR, "annotations", "qas"), "words_json"),
        SidecarKind("hocr", (".hocr", ".html"), (*_OCR, "hocr"), "markup"),
        SidecarKind("alto", (".xml", ".alto.xml"), (*_OCR, "alto"), "markup"),
    )
}
"""All kinds by name."""
