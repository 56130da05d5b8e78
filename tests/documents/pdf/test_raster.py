"""Pages of a PDF become pictures, and come back redacted, with a new text layer."""

import io
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.documents.pdf import files, layer
from presidio_cdip.documents.pdf.pictures import PageImages, why_unsafe
from presidio_cdip.documents.pdf.raster import RasterPage
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Settings
from presidio_cdip.imaging.words import Box, Word
from tests.documents.pdf import builders_scan as builders
from tests.documents.pdf import builders_structure

WORDS = [Word("Rosalind", Box(40, 60, 180, 95)), Word("Elm", Box(200, 60, 260, 95))]


@pytest.fixture(autouse=True)
def ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let OCR read the same two words on every picture."""
    monkeypatch.setattr(layer, "read", lambda image, name, language: (WORDS, 0))


def source_of(data: bytes, **settings: Any) -> Source:
    """Open a PDF."""
    given = Settings(**settings)
    return Source(data, "a.pdf", files.open_pdf(data, "a.pdf", given), given)


def painted(data: bytes, box: tuple[int, int, int, int] = (40, 60, 300, 100)) -> bytes:
    """Return an image file of the same format with a black box."""
    image = Image.open(io.BytesIO(data))
    ImageDraw.Draw(image).rectangle(box, fill=0)
    out = io.BytesIO()
    options = {"quality": "keep"} if image.format == "JPEG" else {}
    image.save(out, image.format, **options)
    return out.getvalue()


def redacted(data: bytes, paint: bool = True, **settings: Any) -> bytes:
    """Return a PDF whose first page went through as a picture."""
    source = source_of(data, **settings)
    page = RasterPage(source, 0)
    given = page.embedded[0].data
    page.apply(source.pdf, {}, {0: painted(given) if paint else given})
    return files.saved(source.pdf)


def rendered(data: bytes, scale: float = 200 / 72, **options: Any) -> np.ndarray:
    """Return the first page in grey."""
    document = pdfium.PdfDocument(data)
    return np.array(document[0].render(scale=scale, **options).to_pil().convert("L"))


def text_of(data: bytes) -> str:
    """Return the text of the first page."""
    return str(pdfium.PdfDocument(data)[0].get_textpage().get_text_range())


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_scan_keeps_its_pixels(turn: int, mode: str) -> None:
    """Outside of what was painted, the page looks the same, however it is rotated."""
    image = builders.picture("Marigold Pennyworth", "12 Elm Street", mode=mode)
    data = builders.scan(image, "Marigold", turn)

    new = redacted(data)

    before, after = rendered(data), rendered(new)
    assert before.shape == after.shape
    assert (after[62:98, 42:298] < 20).all()
    after[58:102, 38:302] = before[58:102, 38:302]
    assert (np.abs(before.astype(int) - after) < 3).all()


def test_bilevel_scan_stays_bilevel() -> None:
    """It is written by CCITT group 4."""
    new = redacted(builders.scan(builders.picture("Marigold", mode="1")))

    with pikepdf.open(io.BytesIO(new)) as pdf:
        image = pdf.pages[0].Resources.XObject.Page
        assert image.Filter == pikepdf.Name.CCITTFaxDecode
        assert image.BitsPerComponent == 1


def test_jpeg_is_handed_over_as_it_is() -> None:
    """It is not packed twice; without a finding the page keeps it byte for byte."""
    data = builders.scan(builders.picture("Marigold"), jpeg=True)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        jpeg = pdf.pages[0].Resources.XObject.Im.read_raw_bytes()

    source = source_of(data)
    given = RasterPage(source, 0).embedded[0].data
    new = redacted(data, paint=False)

    assert given == jpeg
    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert pdf.pages[0].Resources.XObject.Page.read_raw_bytes() == jpeg


def test_old_text_layer_is_gone() -> None:
    """The new one has what OCR read on the redacted picture, at its place."""
    new = redacted(builders.scan(builders.picture("Marigold"), hidden="Marigold"))

    page = pdfium.PdfDocument(new)[0].get_textpage()
    left, bottom, right, top = page.get_rect(0) if page.count_rects() else (0, 0, 0, 0)
    assert text_of(new).split() == ["Rosalind", "Elm"]
    assert abs(left - 40 * 0.36) < 1.5
    assert abs(144 - top - 60 * 0.36) < 4
    assert bottom < top
    assert right > left


def test_inherited_resources_are_gone() -> None:
    """Nothing of the old page can be reached through its parents."""
    data = builders.scan(builders.picture("Marigold"))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        resources = pdf.pages[0].obj.Resources
        resources.XObject.Old = builders_structure.form(pdf, builders_structure.line("Marigold"))
        pdf.Root.Pages.Resources = resources
        del pdf.pages[0].obj["/Resources"]
        data = builders_structure.saved(pdf)

    new = redacted(data)

    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert "/Resources" not in pdf.Root.Pages
        streams = [one for one in pdf.objects if isinstance(one, pikepdf.Stream)]
        assert not any(b"Marigold" in one.read_bytes() for one in streams)


def test_page_with_more_than_a_picture_is_rendered() -> None:
    """A stamp beside the scan is in the picture that is handed over, and in the page."""
    pdf = pikepdf.new()
    image = builders.image_of(pdf, builders.picture("Marigold"))
    builders.add_page(pdf, "q 216 0 0 144 0 0 cm /Im Do Q 1 0 0 rg 100 20 60 30 re f", Im=image)
    data = builders_structure.saved(pdf)

    new = redacted(data)

    before, after = rendered(data), rendered(new)
    after[52:108, 32:308] = before[52:108, 32:308]
    assert np.abs(before.astype(int) - after).mean() < 2
    assert after[300, 360] == before[300, 360] < 200


def test_flattened_page_shows_its_fields() -> None:
    """Annotations become part of the picture, and are gone."""
    pdf = pikepdf.new()
    page = builders_structure.page(pdf, builders_structure.line("Page"))
    shown = builders_structure.form(pdf, "0 0 1 rg 0 0 200 20 re f")
    field = builders_structure.annotation(
        pdf,
        "Widget",
        FT=pikepdf.Name.Tx,
        T=pikepdf.String("a"),
        AP=pikepdf.Dictionary(N=shown),
        F=4,
    )
    page.obj.Annots = pikepdf.Array([field])
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
    data = builders_structure.saved(pdf)

    new = redacted(data, paint=False, flatten=True)

    after = rendered(new, scale=1, may_draw_forms=False, draw_annots=False)
    assert after[190, 100] < 60
    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert "/Annots" not in pdf.pages[0].obj


def picture_page(*streams: str, soft: bool = False) -> bytes:
    """Return a PDF of a page with text and pictures: twice a large one, and a tiny one."""
    pdf = pikepdf.new()
    large = builders.image_of(pdf, builders.picture("Marigold", mode="RGB"))
    if soft:
        large.SMask = builders.image_of(pdf, Image.new("L", (300, 200), 128))
    tiny = builders.image_of(pdf, builders.picture(size=(16, 16)))
    plain = builders.image_of(pdf, Image.new("L", (300, 200), 90))
    draw = "q 200 0 0 133 5 5 cm /A Do Q q 20 0 0 13 180 120 cm /A Do Q q 9 0 0 9 0 0 cm /B Do Q"
    builders.add_page(pdf, draw + "".join(streams), A=large, B=tiny, C=plain)
    return builders_structure.saved(pdf)


def test_pictures_are_handed_over_once() -> None:
    """Tiny and plain ones are not."""
    images = PageImages(source_of(picture_page()), 0, set())

    assert [Image.open(io.BytesIO(one.data)).size for one in images.embedded] == [builders.SIZE]


@pytest.mark.parametrize("soft", [False, True])
def test_picture_is_put_back(soft: bool) -> None:
    """What was painted is black, and opaque; the rest is as it was."""
    source = source_of(picture_page(soft=soft))
    before = rendered(source.data)
    images = PageImages(source, 0, set())

    images.apply(source.pdf, {}, {0: painted(images.embedded[0].data)})

    after = rendered(files.saved(source.pdf))
    assert after[75, 290] < 10
    assert before[75, 290] > 100
    assert np.abs(before[150:].astype(int) - after[150:]).max() < 3


def test_page_with_a_broken_picture_is_unsafe() -> None:
    """So is one with a picture within its content."""
    with pikepdf.open(io.BytesIO(picture_page())) as pdf:
        pdf.pages[0].Resources.XObject.A.write(b"no JPEG", filter=pikepdf.Name.DCTDecode)
        broken = builders_structure.saved(pdf)
    inline = picture_page(" BI /W 200 /H 90 /BPC 8 /CS /G ID " + "x" * 18000 + " EI")

    assert not why_unsafe(source_of(picture_page()), 0)
    assert "decoded" in why_unsafe(source_of(broken), 0)
    assert "content" in why_unsafe(source_of(inline), 0)


def test_boxes_whose_marks_moved_are_in_no_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was a mark may be none; other check boxes are as they were."""
    monkeypatch.setattr(layer, "_read_in", lambda *_: pytest.fail("a box was read as a line"))
    moved, other = Box(10, 10, 40, 40), Box(10, 90, 40, 120)
    words = [Word("[X]", moved), Word("White", Box(50, 10, 130, 40)), Word("[ ]", other)]

    found = layer.again(Image.new("L", (200, 200)), words, [moved], "page", "eng")

    assert found == words[1:]
