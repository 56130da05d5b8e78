"""PDF files of all kinds are written whole, or refused in one line."""

import io

import pikepdf
import pytest

from presidio_cdip import documents
from presidio_cdip.documents.formats import failing
from presidio_cdip.documents.pdf import extracted, opened
from presidio_cdip.documents.rewriting import rewrite
from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.errors import UnreadableInput
from tests.documents.pdf.builders_pdf import Builder, simple, text_page


def document(data: bytes, settings: Settings | None = None) -> Document:
    """Open *data* as the caller of the format does."""
    with failing("letter.pdf"):
        return opened(data, "letter.pdf", settings or Settings())


def notes(read: Document) -> str:
    """Return what is removed, in words."""
    return "; ".join(one.what for one in read.removed)


def test_real_finder_and_surrogates() -> None:
    """A letter is anonymized from end to end, and nothing of it can be found."""
    data = simple("Patient: Jane Smithson", "SSN: 271-24-0538", "Seen on 4 May for asthma.")
    tools = documents.tools(key=b"0123456789abcdef0123", model="none")

    new, report = rewrite(data, "letter.pdf", tools, Settings())

    assert "US_SSN" in report.counts()
    assert report.findings[0].boxes
    assert not [where for where, text in extracted(new, "") if "271-24-0538" in text]


def test_earlier_revisions_are_gone() -> None:
    """What an incremental update left in the file is not in what is written."""
    old = simple("Dear Jane Smithson")
    start = old.rindex(b"startxref")
    update = b"\n%% old revision: Jane Smithson\n" + old[start:]

    new = document(old + update).write({0: [Edit(5, 18, "Bo Li", "X")]}, {})

    assert b"Smithson" not in new
    assert new.count(b"%%EOF") == 1


@pytest.mark.parametrize("cut", [30, 200])
def test_damaged_cross_references_are_repaired(cut: int) -> None:
    """The text is read all the same."""
    read = document(simple("Dear Jane Smithson")[:-cut])

    assert [one.text for one in read.segments][:1] == ["Dear Jane Smithson"]


def test_empty_password_is_dropped_and_said_so() -> None:
    """With an owner's password alone, everybody can read the file."""
    encrypted = Builder().page(text_page("Dear Jane"))

    read = document(encrypted.build(encryption=pikepdf.Encryption(owner="secret", user="")))

    assert "encryption" in notes(read)
    with pikepdf.open(io.BytesIO(read.write({}, {}))) as pdf:
        assert not pdf.is_encrypted


def test_signature_is_removed_and_said_so() -> None:
    """It is void; its field stays, empty."""
    builder = Builder().page(text_page("Dear Jane"))
    signature = pikepdf.Dictionary(Type=pikepdf.Name.Sig, ByteRange=[0, 1, 2, 3], Contents=b"Bo")
    field = builder.pdf.make_indirect(
        pikepdf.Dictionary(FT=pikepdf.Name.Sig, T="Signature1", V=signature)
    )
    builder.pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field], SigFlags=3)
    read = document(builder.build())

    new = read.write({}, {})

    assert "signature" in notes(read)
    with pikepdf.open(io.BytesIO(new)) as pdf:
        assert "/SigFlags" not in pdf.Root.get("/AcroForm", {})
        assert not [one for one in pdf.objects if "/ByteRange" in str(one)]


def test_file_identifier_is_new() -> None:
    """That of the original would tell which file this was."""
    builder = Builder().page(text_page("Dear Jane"))
    data = builder.build(static_id=True)

    new = document(data).write({}, {})

    with pikepdf.open(io.BytesIO(data)) as old_pdf, pikepdf.open(io.BytesIO(new)) as new_pdf:
        assert not {bytes(one) for one in old_pdf.trailer.ID} & {
            bytes(one) for one in new_pdf.trailer.ID
        }


def _locked() -> bytes:
    builder = Builder().page(text_page("Dear Jane"))
    return builder.build(encryption=pikepdf.Encryption(owner="secret", user="secret"))


def _cyclic() -> bytes:
    builder = Builder().page(text_page("Dear Jane"))
    builder.pdf.Root.Pages.Kids.append(builder.pdf.Root.Pages)
    return builder.build()


def _bomb() -> bytes:
    builder = Builder().page(b" " * 3_000_000)
    return builder.build(compress_streams=True)


REFUSED = {
    "needs a password": (_locked, Settings()),
    "without pages": (lambda: Builder().build(), Settings()),
    "more than 2 pages": (
        lambda: Builder().page("").page("").page("").build(),
        Settings(max_pages=2),
    ),
    "damaged": (lambda: b"%PDF-1.7\nnothing of it is here", Settings()),
    "unpacks to more": (_bomb, Settings(max_bytes=1_000_000)),
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused_in_one_line(why: str) -> None:
    """The line says why."""
    make, settings = REFUSED[why]

    with pytest.raises(UnreadableInput, match=why) as caught:
        document(make(), settings)

    assert "\n" not in str(caught.value)


def test_page_tree_with_a_cycle_ends() -> None:
    """It is read as far as it goes, or refused."""
    try:
        read = document(_cyclic())
    except UnreadableInput:
        return
    assert read.segments[0].text == "Dear Jane"


def test_content_that_is_damaged_is_no_text() -> None:
    """Its page becomes a picture: nothing of it is taken for read."""
    builder = Builder().page("BT /F1 12 Tf 50 350 Td (Dear Jane) Tj ET")
    data = builder.build(compress_streams=False)

    read = document(data.replace(b"(Dear Jane) Tj", b"(Dear Jane) {j"))

    assert not [one for one in read.segments if "Dear" in one.text and one.place.page == 0] or (
        read.embedded
    )


def test_values_among_the_objects_hold_no_text() -> None:
    """A truth value may be an object of its own; what was written is searched all the same."""
    data = (
        b"%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R /Author (Smithson)>> endobj\n"
        b"2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1 /Open 4 0 R>> endobj\n4 0 obj true endobj\n"
        b"3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>> endobj\n"
        b"trailer <</Root 1 0 R>>\n"
    )

    assert left(data, "Smithson")


def left(data: bytes, value: str) -> list[str]:
    """Return where *value* can be read."""
    return [where for where, text in extracted(data, "") if value in text]
