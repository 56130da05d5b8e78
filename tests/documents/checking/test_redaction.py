"""Redactions that fail are told from those that do not."""

import io
import zipfile
from collections import Counter
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageDraw

from presidio_cdip.documents.checking.redaction import as_json, check
from presidio_cdip.errors import UnreadableInput
from tests.documents.pdf import builders_scan
from tests.documents.pdf.builders_structure import annotation, form, line, page, saved

SECRET = line("Marigold Pennyworth", 20, 200)
BOX = "0 g 15 195 150 20 re f\n"


def pdf_of(content: str, *annotations: Any, **resources: Any) -> bytes:
    """Return a PDF of one page."""
    pdf = pikepdf.new()
    made = page(pdf, line("A page that can be read.") + content, **resources)
    if annotations:
        made.obj.Annots = Array([annotation(pdf, kind, **entries) for kind, entries in annotations])
    return saved(pdf)


def kinds(data: bytes, name: str = "a.pdf") -> dict[str, int]:
    """Return the kinds of findings, and how many characters of each there are."""
    found: Counter[str] = Counter()
    for one in check(data, name):
        found[one.kind] += one.characters
    return dict(found)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (SECRET + BOX, "under_box"),
        (SECRET + "1 1 1 rg 15 195 150 20 re f", "under_box"),
        (BOX + SECRET, "background_color"),
        (line("Marigold Pennyworth", 20, 200, before="1 1 1 rg"), "background_color"),
        (line("Marigold Pennyworth", 20, 200, before="3 Tr"), "invisible"),
        (line("Marigold Pennyworth", 20, 500), "off_page"),
        ("q 0 0 5 5 re W n " + SECRET + " Q", "not_painted"),
    ],
)
def test_text_that_cannot_be_seen_is_found(content: str, kind: str) -> None:
    """Whatever hides it; what can be seen on the same page is no finding."""
    assert kinds(pdf_of(content)) == {kind: 18}


@pytest.mark.parametrize(
    "content",
    [
        SECRET,
        BOX,
        BOX + line("Marigold", 20, 200, before="1 1 1 rg"),
        "0.8 g 15 195 150 20 re f " + line("Marigold", 20, 200, before="0 g"),
        SECRET + "0 G 15 195 150 20 re S",
        SECRET + "0 g 15 230 150 20 re f",
        line("redacted", 20, 200) + BOX,
        line("XXXXXXX", 20, 200) + BOX,
        SECRET + "0 g 15 192 150 6 re f",
    ],
)
def test_what_can_be_seen_is_no_finding(content: str) -> None:
    """Nor is a box with nothing beneath, a frame, a label, or readable text in a box."""
    assert kinds(pdf_of(content)) == {}


def test_form_objects_are_opened() -> None:
    """Text of one form lies under the box of another."""
    pdf = pikepdf.new()
    text, box = form(pdf, line("Marigold", 5, 5)), form(pdf, "0 g 0 0 200 20 re f")
    page(pdf, "q 1 0 0 1 15 195 cm /T Do /B Do Q", XObject=Dictionary(T=text, B=box))

    assert kinds(saved(pdf)) == {"under_box": 8}


@pytest.mark.parametrize("subtype", ["Square", "Stamp", "Ink"])
def test_annotation_over_text_is_found(subtype: str) -> None:
    """It can be moved away."""
    pdf = pikepdf.new()
    made = page(pdf, line("Marigold", 25, 105))
    shown = Dictionary(N=form(pdf, "0 g 0 0 200 20 re f"))
    made.obj.Annots = Array([annotation(pdf, subtype, AP=shown)])

    assert kinds(saved(pdf)) == {"under_annotation": 8}


def test_unapplied_redaction_is_found() -> None:
    """With the text in its area."""
    assert kinds(pdf_of(line("Marigold", 25, 105), ("Redact", {}))) == {"unapplied": 8}


def test_hidden_layer_is_found() -> None:
    """Text of a layer that is off can be switched on."""
    pdf = pikepdf.new()
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("draft")))
    page(pdf, "/OC /G BDC " + SECRET + " EMC", Properties=Dictionary(G=group))
    pdf.Root.OCProperties = Dictionary(OCGs=[group], D=Dictionary(OFF=[group], Order=[group]))

    assert kinds(saved(pdf)) == {"hidden_layer": 18}


def test_earlier_revision_is_found() -> None:
    """What an update took out is still in the file."""
    data = pdf_of(SECRET)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        number = pdf.pages[0].obj.Contents.objgen[0]
    update = b"%d 0 obj\n<< /Length 2 >>\nstream\n  \nendstream\nendobj\n" % number
    start = len(data) + len(update)
    previous = int(data.rpartition(b"startxref")[2].split()[0])
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Root 1 0 R /Size 99 /Prev %d >>\n" % (
        number, len(data), previous,
    )  # fmt: skip
    new = data + update + table + b"startxref\n%d\n%%%%EOF\n" % start

    assert kinds(new)["revision"] >= 18
    assert "revision" not in kinds(data)


def test_text_layer_under_a_box_of_a_scan_is_found() -> None:
    """The text layer of a sound scan is no finding."""
    image = builders_scan.picture("Marigold")
    boxed = image.copy()
    ImageDraw.Draw(boxed).rectangle((30, 20, 560, 160), fill=0)

    assert kinds(builders_scan.scan(image, "Marigold")) == {}
    assert kinds(builders_scan.scan(boxed, "Marigold")) == {"text_layer": 8}


def test_covered_picture_is_found() -> None:
    """A box over the picture of a page leaves the picture; a box in it does not."""
    pdf = pikepdf.new()
    image = builders_scan.image_of(pdf, builders_scan.picture("Marigold"))
    builders_scan.add_page(pdf, "q 216 0 0 144 0 0 cm /I Do Q 0 g 10 105 90 22 re f", I=image)
    empty = pikepdf.new()
    white = builders_scan.image_of(empty, Image.new("L", (600, 400), 255))
    builders_scan.add_page(empty, "q 216 0 0 144 0 0 cm /I Do Q 0 g 10 105 90 22 re f", I=white)

    assert [one.kind for one in check(saved(pdf), "a.pdf")] == ["covered_picture"]
    assert kinds(saved(empty)) == {}


def test_properties_and_attachments_are_no_leaks() -> None:
    """They are worth a look."""
    pdf = pikepdf.new()
    page(pdf, line("Page"))
    pdf.docinfo["/Author"] = "Marigold"
    pdf.attachments["a.txt"] = b"text"

    findings = check(saved(pdf), "a.pdf")

    assert {one.kind for one in findings} == {"metadata", "attachment"}
    assert as_json("a.pdf", findings)["leaks"] == 0


def test_report_holds_no_text() -> None:
    """Only kinds, places and counts."""
    report = as_json("a.pdf", check(pdf_of(SECRET + BOX), "a.pdf"))

    assert report["findings"][0]["characters"] == 18
    assert report["findings"][0]["box"][0] == pytest.approx(20, abs=2)
    assert "Marigold" not in str(report)


def docx(body: str) -> bytes:
    """Return a docx file."""
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("word/document.xml", f'<w:document xmlns:w="{main}">{body}</w:document>')
    return out.getvalue()


def run(properties: str, text: str = "Marigold") -> str:
    """Return a paragraph of one run."""
    return f"<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (run("<w:vanish/>"), {"hidden_text": 8}),
        (run('<w:vanish w:val="0"/>'), {}),
        (run('<w:highlight w:val="black"/>'), {"same_color": 8}),
        (run('<w:color w:val="000000"/><w:shd w:fill="000000"/>'), {"same_color": 8}),
        (run('<w:color w:val="FFFFFF"/>'), {"same_color": 8}),
        (run('<w:color w:val="FFFFFF"/><w:shd w:fill="1F3864"/>'), {}),
        (run('<w:highlight w:val="yellow"/>'), {}),
        ("<w:del><w:r><w:delText>Marigold</w:delText></w:r></w:del>", {"tracked_change": 8}),
        (run(""), {}),
    ],
)
def test_hidden_text_of_documents_is_found(body: str, found: dict[str, int]) -> None:
    """Hidden, deleted, or of the colour of its ground."""
    assert kinds(docx(body), "a.docx") == found


def test_other_formats_are_refused() -> None:
    """So are damaged files, in one line."""
    for data in (b"text", b"%PDF-1.7 broken"):
        with pytest.raises(UnreadableInput):
            check(data, "a.txt")
