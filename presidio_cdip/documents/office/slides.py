"""Read and write pptx and pptm: slides of Microsoft PowerPoint."""

from collections.abc import Iterator
from typing import Any

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.ooxml import Office, OfficeDocument, package_texts
from presidio_cdip.documents.office.passages import Vocabulary
from presidio_cdip.documents.office.vocabularies import AUTHOR, DRAWINGS, joined
from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.errors import UnreadableInput

_ORDER = (
    "ppt/slides/", "ppt/notesSlides/", "ppt/charts", "ppt/diagrams", "ppt/comments",
    "ppt/handoutMasters", "ppt/notesMasters", "ppt/slideMasters", "ppt/slideLayouts", "ppt/",
    "customXml", "docProps",
)  # fmt: skip

SLIDES = joined(
    DRAWINGS,
    Vocabulary(
        runs=frozenset(["m:t"]),
        readable=frozenset(
            [
                "p:cmAuthor@name", "p188:author@name", "p:tag@val", "p:tag@name",
                "p14:section@name", "p:cSld@name", "p:custShow@name", "p:oleObj@name",
                "p:ext@name", "p:sldSz@name", "p14:bmk@name",
            ]
        ),
        labels={"p:cmAuthor@name": AUTHOR, "p188:author@name": AUTHOR, "p:text": "comment"},
        named_by={},
        follows={"initials": "name"},
        ignored=frozenset(
            [
                "p:extLst@*", "p:ext@*", "p14:creationId@*", "p:cTn@*", "p:attrName", "p:by@*",
                "p:from@*", "p:to@*", "p:fltVal@*", "p:strVal@*", "p:animMotion@*", "clrIdx",
                "p:sldId@id", "p:sldMasterId@id", "p:sldLayoutId@id", "p:pos@*", "p14:media@*",
                "fmla", "p:sldSz@c*", "p:notesSz@*", "p:origin@*", "p:guide@*", "p:sldGuideLst@*",
                "p15:*",
            ]
        ),
    ),
)  # fmt: skip
"""The elements and attributes of PresentationML that hold text."""


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a presentation.

    Raises:
        UnreadableInput: It is damaged, or has no main part.
    """
    office = Office.opened(data, name, settings)
    main = office.main()
    if main not in office.package.parts:
        raise UnreadableInput(name, "is damaged: it has no main part")
    slides = _slides(office, main)
    where = {slide: f"slide {number}" for number, slide in enumerate(slides, 1)}
    notes = {
        one.target: f"notes of slide {number}"
        for number, slide in enumerate(slides, 1)
        for one in office.relations(slide)
        if one.kind == "notesSlide"
    }
    order = (*where, *notes, *_ORDER)
    return OfficeDocument(office, office.passages(SLIDES, order, where={**where, **notes}))


def _slides(office: Office, main: str) -> list[str]:
    """Return the names of the slides' parts in the order in which they are shown."""
    targets: dict[Any, str] = {one.id: one.target for one in office.relations(main)}
    root = office.package.tree(main).getroot()
    return [
        targets[identifier]
        for one in root.iter("{*}sldId")
        for key, identifier in one.attrib.items()
        if short(key) == "r:id" and identifier in targets
    ]


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a presentation, and that text."""
    return package_texts(data)
