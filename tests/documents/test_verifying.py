"""What was written is searched for originals, and written again in a safer way."""

import io
import re
from collections.abc import Sequence

import pypdfium2
import pytest
from PIL import Image

from presidio_cdip.documents.pdf.page import PageText
from presidio_cdip.documents.rewriting import Picture, Tools, rewrite
from presidio_cdip.documents.segments import Embedded, Settings
from presidio_cdip.documents.verifying import Left, still_there
from presidio_cdip.errors import StillReadable
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten
from tests.documents.pdf.builders_pdf import Builder, text_page

STAYS = {
    "a word in another": ("restored", "The records are stored here."),
    "letters of two words": ("Orders", "hold for dershowitz"),
    "a short value": ("Bo Li", "Bo Li"),
}
FOUND = {
    "a word": ("Smithson", "Dear Mr. smithson, hello"),
    "a word that is set apart": ("Smithson", "S m i t h s o n"),
    "a word over two lines": ("Smithson", "Mr. Smith\nson"),
    "two words without a blank": ("Jane Smithson", "DearJaneSmithson,hello"),
    "a number within digits": ("271-24-0538", "x271-24-05389"),
}


@pytest.mark.parametrize("how", STAYS)
def test_false_alarms_are_none(how: str) -> None:
    """Short words count as words only."""
    value, text = STAYS[how]

    assert not list(still_there([("X", value)], "", [("page 1", text)]))


@pytest.mark.parametrize("how", FOUND)
def test_originals_are_found(how: str) -> None:
    """However they are spaced."""
    value, text = FOUND[how]

    assert list(still_there([("X", value)], "", [("page 1", text)])) == [Left("X", "page 1")]


def find(text: str) -> list[Span]:
    """Find one name."""
    return [Span(*one.span(), "PERSON", 1.0, "test") for one in re.finditer("Jane Smithson", text)]


def anonymize(text: str, spans: Sequence[Span], subjects: object) -> Rewritten:
    """Replace it by another."""
    parts, items, at = [], [], 0
    for span in spans:
        parts += [text[at : span.start], "Bo Li"]
        end = len("".join(parts))
        items.append(Item(end - 5, end, "Bo Li", span, "surrogate"))
        at = span.end
    return Rewritten("".join([*parts, text[at:]]), items)


def redact(one: Embedded, change: bool) -> Picture:
    """Whiten a picture."""
    with Image.open(io.BytesIO(one.data)) as image:
        size = image.size
    out = io.BytesIO()
    Image.new("L", size, 255).save(out, "PNG")
    return Picture(out.getvalue(), (), ())


def test_page_that_keeps_an_original_becomes_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other page is rewritten as text."""
    data = Builder().page(text_page("Dear Jane Smithson")).page(text_page("Of others")).build()
    monkeypatch.setattr(PageText, "apply", lambda *_: None)

    new, report = rewrite(data, "a.pdf", Tools(find, redact, anonymize), Settings())

    read = pypdfium2.PdfDocument(new)
    assert [page.get_textpage().get_text_range() for page in read] == ["", "Of others"]
    read.close()
    assert len(report.removed) == 1
    assert not report.findings


def test_document_that_keeps_an_original_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even when its pages are pictures."""
    data = Builder().page(text_page("Dear Jane Smithson"), Extra="Jane Smithson").build()
    monkeypatch.setattr(PageText, "apply", lambda *_: None)
    monkeypatch.setattr("presidio_cdip.documents.pdf.structure.Structure.apply", lambda *_: None)

    with pytest.raises(StillReadable):
        rewrite(data, "a.pdf", Tools(find, redact, anonymize), Settings())
