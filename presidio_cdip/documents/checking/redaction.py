"""Check whether a redacted document still holds text that its redaction was to remove."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from presidio_cdip.documents.formats import failing, format_of
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import MissingDependency, UnreadableInput


@dataclass(frozen=True, slots=True)
class Kind:
    """A way in which a redaction fails.

    Attributes:
        name: What it is called in reports.
        sentence: What it means, for a reader of the report.
        leak: Whether something that was to be removed can be read; else it is worth a look.
    """

    name: str
    sentence: str
    leak: bool = True


KINDS = {
    kind.name: kind
    for kind in (
        Kind("under_box", "Text lies under a filled shape; copying it shows it."),
        Kind("under_picture", "Text lies under a picture; copying it shows it."),
        Kind("under_annotation", "Text lies under an annotation, which anybody can move away."),
        Kind("background_color", "Text has the colour of what is behind it."),
        Kind("off_page", "Text lies outside of the visible part of the page."),
        Kind("invisible", "Text is set not to be painted, on a page that is no scan."),
        Kind("not_painted", "Text is there, but clipped, transparent or without outlines."),
        Kind("text_layer", "The text layer of a scanned page has words where the scan is blank."),
        Kind("hidden_layer", "Text stands in a layer that is switched off."),
        Kind("covered_picture", "Part of a picture lies under a shape, and is still there."),
        Kind("unapplied", "An area is marked for redaction; the redaction was never applied."),
        Kind("revision", "An earlier version within the file has text that the last has not."),
        Kind("hidden_text", "Text is formatted as hidden."),
        Kind("tracked_change", "Deleted text is kept as a tracked change."),
        Kind("same_color", "Text has the colour of its highlighting, shading or cell."),
        Kind("hidden_sheet", "A sheet or slide with text is hidden."),
        Kind("hidden_cells", "Rows or columns with text are hidden."),
        Kind("cropped_picture", "A picture goes on outside of its visible part.", leak=False),
        Kind("attachment", "A file is attached.", leak=False),
        Kind("comment", "There are comments.", leak=False),
        Kind("metadata", "Properties name an author, a title or a subject.", leak=False),
        Kind("script", "There is a script or a form with logic of its own.", leak=False),
    )
}
"""Every kind of finding, by name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a redaction fails. It holds no text.

    Attributes:
        kind: A name of `KINDS`.
        page: The page, sheet or slide, from 0; None if it is of the whole file.
        box: In points of the page as it is displayed, origin top left; None without pages.
        characters: How many, without blanks; 0 where they cannot be counted.
    """

    kind: str
    page: int | None = None
    box: Box | None = None
    characters: int = 0

    @property
    def leak(self) -> bool:
        """Return whether something can be read, rather than being worth a look."""
        return KINDS[self.kind].leak

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "leak": self.leak,
            "what": KINDS[self.kind].sentence,
        }
        if self.page is not None:
            data["page"] = self.page
        if self.box is not None:
            data["box"] = [round(edge, 1) for edge in self.box]
        if self.characters:
            data["characters"] = self.characters
        return data


_MODULES = {
    "pdf": ("pdf", "pages"),
    "docx": ("package",),
    "xlsx": ("package",),
    "pptx": ("package",),
}
"""For each format, the modules that have a function ``check(data, name)``."""


def check(data: bytes, name: str) -> Sequence[Finding]:
    """Return where the redaction of a document fails; empty if it does not.

    What can be seen by eye is no finding: an unredacted document has none of its visible text here.

    Args:
        data: The bytes of a PDF, or of a docx, xlsx or pptx file.
        name: Its name, for errors.

    Raises:
        UnreadableInput: It is of another format, encrypted or damaged.
        MissingDependency: The extra for documents is not installed.
    """
    kind = format_of(data, name)
    if kind is None or kind.name not in _MODULES:
        raise UnreadableInput(name, "is checked only as pdf, docx, xlsx or pptx")
    try:
        checks = [
            import_module(f"presidio_cdip.documents.checking.{one}") for one in _MODULES[kind.name]
        ]
    except ModuleNotFoundError as error:
        raise MissingDependency(
            f"the Python package {error.name}", 'pip install "presidio-cdip[documents]"'
        ) from None
    with failing(name):
        return [finding for module in checks for finding in module.check(data, name)]


def as_json(name: str, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings of a document as a JSON object.

    Args:
        name: The document's name.
        findings: What `check` returned.
    """
    return {
        "file": name,
        "leaks": sum(one.leak for one in findings),
        "findings": [one.as_json() for one in findings],
    }
