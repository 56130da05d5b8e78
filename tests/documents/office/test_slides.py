"""Presentations are read wherever text hides in them, and written again."""

import io

import pptx as oracle
import pytest

from presidio_cdip.documents.office import slides
from tests.documents.office.office_files import NAME, NEW, office, opened, replaced, texts, unzipped

MAIN = "ppt/presentation.xml"
SHAPE = '<p:sp><p:nvSpPr><p:cNvPr id="2" name="{}"/></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>'
PARTS = {
    "slide": ("ppt/slides/slide1.xml", f"<p:sld {{}}>{SHAPE}</p:sld>"),
    "notesSlide": ("ppt/notesSlides/notesSlide1.xml", f"<p:notes {{}}>{SHAPE}</p:notes>"),
    "slideMaster": (
        "ppt/slideMasters/slideMaster1.xml",
        f"<p:sldMaster {{}}>{SHAPE}</p:sldMaster>",
    ),
    "commentAuthors": (
        "ppt/commentAuthors.xml",
        f'<p:cmAuthorLst {{}}><p:cmAuthor id="0" name="{NAME}" initials="JS"/></p:cmAuthorLst>',
    ),
    "comments": (
        "ppt/comments/comment1.xml",
        f"<p:cmLst {{}}><p:cm><p:text>{NAME}</p:text></p:cm></p:cmLst>",
    ),
    "tags": ("ppt/tags/tag1.xml", f'<p:tagLst {{}}><p:tag name="BY" val="{NAME}"/></p:tagLst>'),
    "chart": ("ppt/charts/chart1.xml", f"<c:chartSpace {{}}><c:v>{NAME}</c:v></c:chartSpace>"),
}


def show(parts: dict[str, str | bytes], slides_: str = "") -> bytes:
    """Return a presentation; the kinds of relationships are those of `PARTS`."""
    kinds = {name: kind for kind, (name, _) in PARTS.items()}
    links = {
        f"r{number}": (MAIN, kinds.get(name, "slide"), name) for number, name in enumerate(parts)
    }
    xml = f"<p:presentation {{}}><p:sldIdLst>{slides_}</p:sldIdLst></p:presentation>"
    return office(MAIN, xml, parts, links)


def text(words: str) -> str:
    """Return a paragraph of two runs."""
    return f"<a:p><a:r><a:t>{words[:4]}</a:t></a:r><a:r><a:t>{words[4:]}</a:t></a:r></a:p>"


@pytest.mark.parametrize("place", PARTS)
def test_value_is_replaced(place: str) -> None:
    """In runs, names of shapes, authors, tags and caches."""
    name, xml = PARTS[place]
    data = show(
        {name: xml.replace('name="{}"', f'name="{NAME}"').replace(">{}<", f">{text(NAME)}<")}
    )

    new = replaced(slides, data)

    assert "Smithson" not in "".join(found for _, found in slides.extracted(new, "x"))
    assert NEW in unzipped(new)[name].decode()


def test_slides_are_read_in_the_order_in_which_they_are_shown() -> None:
    """The names of their parts do not tell it."""
    part = "<p:sld {}>" + SHAPE.replace("{}", "Title 1", 1) + "</p:sld>"
    parts: dict[str, str | bytes] = {
        f"ppt/slides/slide{number}.xml": part.replace(">{}<", f">{text(word)}<")
        for number, word in [(1, "shown second"), (2, "shown first")]
    }
    data = show(parts, '<p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r0"/>')

    found = opened(slides, data).segments

    assert [(one.place.where, one.text) for one in found] == [
        ("slide 1, paragraph 1", "shown first"),
        ("slide 2, paragraph 1", "shown second"),
    ]


def test_other_programs_open_what_is_written() -> None:
    """A text box, a table and a note are as python-pptx writes them."""
    show_ = oracle.Presentation()
    slide = show_.slides.add_slide(show_.slide_layouts[5])
    slide.shapes.title.text = f"About {NAME}"
    table = slide.shapes.add_table(2, 2, 0, 0, 999999, 999999).table
    for at, word in enumerate(["Name", "Born", NAME, "1 May 1984"]):
        table.cell(at // 2, at % 2).text = word
    slide.notes_slide.notes_text_frame.text = f"Ask {NAME}"
    out = io.BytesIO()
    show_.save(out)

    new = oracle.Presentation(io.BytesIO(replaced(slides, out.getvalue()))).slides[0]

    labels = {one.text: one.label for one in opened(slides, out.getvalue()).segments}
    assert labels[NAME] == "Name"
    assert new.shapes.title.text == f"About {NEW}"
    assert new.shapes[1].table.cell(1, 0).text == NEW
    assert new.notes_slide.notes_text_frame.text == f"Ask {NEW}"


def test_structure_is_no_text() -> None:
    """An empty presentation gives its layouts' prompts and little else."""
    out = io.BytesIO()
    oracle.Presentation().save(out)

    found = texts(slides, out.getvalue())

    assert sum(len(one) for one in found if "Click" not in one and "level" not in one) < 500
