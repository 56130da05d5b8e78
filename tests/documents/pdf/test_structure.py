"""What a PDF holds beside its pages is read and rewritten, or removed."""

import io
import re
from collections.abc import Iterator

import pikepdf
import pytest
from pdfminer.pdfpage import PDFPage

from presidio_cdip.documents.pdf import files
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.pdf.structure import Structure
from presidio_cdip.documents.segments import Edit, Settings
from tests.documents.pdf import builders_structure as builders

VALUE, NEW = "Marigold Pennyworth", "Rosalind Featherstone"


def source_of(data: bytes, settings: Settings | None = None) -> Source:
    """Open a PDF."""
    settings = settings or Settings()
    return Source(data, "a.pdf", files.open_pdf(data, "a.pdf", settings), settings)


def replaced(data: bytes, old: str = VALUE, new: str = NEW) -> tuple[bytes, Structure]:
    """Return the PDF with *new* for every *old* beside its pages, and what did it."""
    source = source_of(data)
    structure = Structure(source)
    edits = {}
    for index, segment in enumerate(structure.segments):
        found = [
            Edit(match.start(), match.end(), new.replace(" ", match[1]), "PERSON")
            for match in re.finditer(old.replace(" ", "(.)"), segment.text)
        ]
        if found:
            edits[index] = found
    embedded = {
        index: one.data.replace(old.encode(), new.encode())
        for index, one in enumerate(structure.embedded)
    }
    structure.apply(source.pdf, edits, embedded)
    return files.saved(source.pdf), structure


def streams(data: bytes) -> Iterator[bytes]:
    """Yield each object of a PDF, and what its stream holds."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for one in pdf.objects:
            yield one.unparse(resolved=True)
            if isinstance(one, pikepdf.Stream):
                yield one.read_bytes()
        yield pdf.trailer.unparse()


def hits(data: bytes, value: str) -> int:
    """Return how often *value* stands in a PDF, in any encoding."""
    wide = value.encode("utf-16-be")
    spelled = [value.encode(), wide, value.encode().hex().encode(), wide.hex().encode()]
    spelled += [value.replace(" ", mark).encode() for mark in ("_", ".", "#20")]
    return sum(part.count(one) for part in streams(data) for one in spelled)


def test_value_is_gone_from_every_place() -> None:
    """No object and no stream of the new file holds it."""
    data = builders.planted(VALUE)
    before = hits(data, VALUE)

    new, _ = replaced(data)

    assert before > 40
    assert hits(new, VALUE) == 0
    assert hits(new, NEW) > 25


def test_links_lead_to_renamed_destinations() -> None:
    """A destination and the link to it are renamed alike, and the names stay in order."""
    new, _ = replaced(builders.planted(VALUE))

    with pikepdf.open(io.BytesIO(new)) as pdf:
        names = [str(one) for one in list(pdf.Root.Names.Dests.Names)[::2]]
        links = [str(one.Dest) for one in pdf.pages[0].Annots if "/Dest" in one]
    assert sorted(names) == names
    assert links == [NEW]
    assert NEW in names


def test_scripts_and_programs_are_removed_and_reported() -> None:
    """Nothing of them is in the new file."""
    new, structure = replaced(builders.planted(VALUE))

    notes = {note.what for note in structure.removed}
    assert {"scripts", "an XFA form", "an action that starts a program"} <= notes
    assert not any(b"/JavaScript" in part or b"/Launch" in part for part in streams(new))


def test_attachments_are_embedded_files() -> None:
    """Those of the document, of an annotation, and associated files; each once, with its name."""
    structure = Structure(source_of(builders.planted(VALUE)))

    names = {one.name for one in structure.embedded}
    assert names == {f"{VALUE}.txt", f"{VALUE}.json", "a.xml"}


def test_refused_attachment_is_removed() -> None:
    """Its name goes, too."""
    source = source_of(builders.planted(VALUE))
    structure = Structure(source)

    structure.apply(source.pdf, {}, dict.fromkeys(range(len(structure.embedded))))

    new = files.saved(source.pdf)
    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert not len(pdf.attachments)
        assert "/FileAttachment" not in [str(one.Subtype) for one in pdf.pages[0].Annots]
    assert not any(b"EmbeddedFile\n" in part or b"Dear" in part for part in streams(new))


def test_value_of_a_field_is_labelled() -> None:
    """Its description comes first, then its name."""
    pdf = pikepdf.new()
    page = builders.page(pdf)
    named = {"T": pikepdf.String("tax"), "TU": pikepdf.String("Tax number")}
    fields = [
        builders.annotation(
            pdf, "Widget", FT=pikepdf.Name.Tx, V=pikepdf.String("271-24-0538"), **named
        ),
        builders.annotation(
            pdf, "Widget", FT=pikepdf.Name.Tx, V=pikepdf.String("Elm"), T=named["T"]
        ),
    ]
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=fields)
    page.obj.Annots = pikepdf.Array(fields)

    structure = Structure(source_of(builders.saved(pdf)))

    labels = {one.text: one.label for one in structure.segments}
    assert labels["271-24-0538"] == "Tax number"
    assert labels["Elm"] == "tax"


def test_field_is_drawn_again() -> None:
    """Its appearance shows the new value."""
    new, _ = replaced(builders.planted(VALUE))

    with pikepdf.open(io.BytesIO(new)) as pdf:
        field = pdf.Root.AcroForm.Fields[0]
        assert str(field.V) == NEW
        assert NEW.encode().hex().encode() in field.AP.N.read_bytes()


def test_nothing_found_changes_no_text() -> None:
    """Without edits, texts and drawings stay."""
    data = builders.planted(VALUE)
    source = source_of(data)
    structure = Structure(source)

    structure.apply(source.pdf, {}, {})

    new = files.saved(source.pdf)
    with pikepdf.open(io.BytesIO(new)) as pdf, pikepdf.open(io.BytesIO(data)) as old:
        assert str(pdf.docinfo.Author) == VALUE
        assert pdf.Root.Metadata.read_bytes() == old.Root.Metadata.read_bytes()
        assert pdf.Root.AcroForm.Fields[0].AP.N.read_bytes().count(VALUE.encode()) == 1


@pytest.mark.parametrize("entry", ["/Outlines", "/AcroForm", "/Names", "/OCProperties", "/Dests"])
def test_damaged_parts_are_no_obstacle(entry: str) -> None:
    """An entry of a wrong type is passed over."""
    with pikepdf.open(io.BytesIO(builders.planted(VALUE))) as pdf:
        pdf.Root[entry] = pikepdf.Array([1, pikepdf.String("x"), None])
        data = builders.saved(pdf)

    new, _ = replaced(data)

    assert hits(new, VALUE) == 0


def test_metadata_of_the_document_is_kept_however_it_is_reached() -> None:
    """A page may lead to the catalog."""
    with pikepdf.open(io.BytesIO(builders.planted(VALUE))) as pdf:
        pdf.pages[0].obj.Home = pdf.Root
        data = builders.saved(pdf)

    new, _ = replaced(data)

    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert NEW.encode() in pdf.Root.Metadata.read_bytes()


@pytest.mark.parametrize(
    ("producer", "kept"), [("Acrobat Distiller 9.0 (Windows)", True), (VALUE, False)]
)
def test_programs_are_no_text(producer: str, kept: bool) -> None:
    """What wrote the file stays; a name in its place is read."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.docinfo["/Producer"] = producer
    out = io.BytesIO()
    pdf.save(out)

    texts = [one.text for one in Structure(source_of(out.getvalue())).segments]

    assert (producer not in texts) == kept


def test_cut_off_file_is_repaired() -> None:
    """What is written of it can be read by other programs, though it has no trailer."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    out = io.BytesIO()
    pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = out.getvalue()

    new = files.saved(source_of(data[: data.index(b"xref")]).pdf)

    assert len(list(PDFPage.get_pages(io.BytesIO(new)))) == 1
