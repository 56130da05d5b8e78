"""Build documents that are damaged, hostile, or not what their names say.

    python -m benchmarks.documents_bad [FOLDER]

Each of them is to be refused in one line, or done; the command runs them, each in a process of its
own with the limits of `documents_running`, and its exit status is 1 if one ends otherwise.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import click

from benchmarks.documents_plants import BODY
from benchmarks.documents_plants_mail import Mail
from benchmarks.documents_plants_mail import document as word_document
from benchmarks.documents_plants_office import NAMESPACES, Office, picture
from benchmarks.documents_plants_pdf import Pdf, string, written
from benchmarks.documents_plants_sheet import SHEET, root
from benchmarks.documents_plants_sheet import base as sheet
from benchmarks.documents_plants_slides import base as slides
from benchmarks.documents_plants_word import MAIN
from benchmarks.documents_plants_word import base as word
from benchmarks.documents_running import DONE, NOT_BUILT, REFUSED, apart

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SUFFIXES = (
    ".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm", ".odt", ".ods", ".odp", ".pdf", ".json",
    ".jsonl", ".csv", ".tsv", ".eml", ".mbox", ".html", ".htm",
)  # fmt: skip


def pdf(body: str = BODY) -> Pdf:
    """Return a PDF file."""
    return Pdf(body)


def open_text(body: str = BODY) -> bytes:
    """Return an OpenDocument text."""
    from benchmarks.documents_plants_odf import Odf

    return Odf(body).to_bytes()


def encrypted_office() -> bytes:
    """Return the header of what office programs write with a password: an OLE container."""
    head = OLE + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(30)
    names = "".join(("EncryptionInfo", "\0", "EncryptedPackage")).encode("utf-16-le")
    return head.ljust(512, b"\xff") + names.ljust(512, b"\0")


def encrypted_member() -> bytes:
    """Return a package that says its members are encrypted."""
    data = bytearray(word(BODY).to_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            data[at + offset] |= 1
    return bytes(data)


def encrypted_pdf(owner_only: bool = False) -> bytes:
    """Return a PDF file with a password, or one that anybody may read."""
    import pikepdf

    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf().to_bytes())) as made:
        made.save(out, encryption=pikepdf.Encryption(owner="o", user="" if owner_only else "u"))
    return out.getvalue()


def signed_pdf() -> bytes:
    """Return a PDF file with a signature, which is void."""
    made = pdf()
    value = made.add(
        "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Name (A) "
        "/ByteRange [0 10 20 10] /Contents <00> >>"
    )
    widget = made.add(
        f"<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] /V {value} /P 3 0 R >>"
    )
    made.annotations.append(widget)
    made.catalog.append(f"/AcroForm << /SigFlags 3 /Fields [{widget}] >>")
    return made.to_bytes()


def signed_office() -> bytes:
    """Return a document with a digital signature, which is void."""
    made = word(BODY)
    kind = "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature"
    made.add(
        "_xmlsignatures/origin.sigs",
        b"",
        "application/vnd.openxmlformats-package.digital-signature-origin",
        "",
        f"{kind}/origin",
    )
    made.add(
        "_xmlsignatures/sig1.xml",
        '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>',
        "application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml",
        "_xmlsignatures/origin.sigs",
        f"{kind}/signature",
    )
    return made.to_bytes()


def bomb() -> bytes:
    """Return a document with a part of 2 GB of blanks."""
    out = io.BytesIO(word(BODY).to_bytes())
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as package,
        package.open("word/comments.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(256):
            member.write(bytes(8 << 20))
    return out.getvalue()


def main_part(xml: str) -> bytes:
    """Return a document whose main part is *xml*."""
    made = word(BODY)
    made.parts[MAIN] = xml
    return made.to_bytes()


def with_declarations(declarations: str, use: str) -> bytes:
    """Return a document whose main part declares entities, and uses one."""
    return main_part(
        f'<?xml version="1.0"?><!DOCTYPE d [{declarations}]><w:document {NAMESPACES}><w:body>'
        f"<w:p><w:r><w:t>{use}</w:t></w:r></w:p></w:body></w:document>"
    )


def laughs() -> bytes:
    """Return a document with a billion laughs."""
    lines = ['<!ENTITY a0 "ha">']
    for number in range(1, 12):
        lines.append(f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">')
    return with_declarations("".join(lines), "&a11;")


def member(name: str, data: bytes = b"x") -> bytes:
    """Return a document with one more member."""
    out = io.BytesIO(word(BODY).to_bytes())
    with zipfile.ZipFile(out, "a") as package:
        package.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def twice() -> bytes:
    """Return a document that has its main part twice."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return member(MAIN, b"<x/>")


def many_members() -> bytes:
    """Return a document with 70,000 members."""
    out = io.BytesIO(word(BODY).to_bytes())
    with zipfile.ZipFile(out, "a") as package:
        for number in range(70_000):
            package.writestr(f"a/{number}", b"")
    return out.getvalue()


def pages(tree: str, count: int = 1) -> bytes:
    """Return a PDF file whose page tree is *tree*, as object 2; its page is object 3."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        tree.encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources "
        b"<< /Font << /F1 5 0 R >> >> >>",
        _stream(f"BT /F1 12 Tf 60 720 Td {string(BODY)} Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< >>",
    ]
    return written(b"%PDF-1.7\n", objects)


def _stream(text: str) -> bytes:
    packed = zlib.compress(text.encode("latin-1"))
    return b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed)


def recursive_form() -> bytes:
    """Return a PDF file with a form that shows itself."""
    made = pdf()
    number = len(made.objects) + 1
    made.stream(
        "/X1 Do",
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] "
        f"/Resources << /XObject << /X1 {number} 0 R >> >>",
    )
    made.resources.append(f"/XObject << /X1 {number} 0 R >>")
    made.content.append("/X1 Do")
    return made.to_bytes()


def pdf_bomb() -> bytes:
    """Return a PDF file whose content unpacks to 1 GB."""
    machine = zlib.compressobj(9)
    block = b" " * (8 << 20)
    packed = b"".join(machine.compress(block) for _ in range(128)) + machine.flush()
    made = pdf()
    head = f"<< /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode()
    content = made.add(head + packed + b"\nendstream")
    data = made.to_bytes()
    return data.replace(b"/Contents 4 0 R", f"/Contents {content}".encode().ljust(15))


def huge_page() -> bytes:
    """Return a PDF file with a page of 20,000 by 20,000 inches, and a font without Unicode."""
    from benchmarks.documents_plants_pdf import type3

    made = pdf()
    type3(made, "abc")
    return made.to_bytes().replace(b"[0 0 612 792] /Con", b"[0 0 9e5 9e5] /Con")


def blind_font() -> bytes:
    """Return a PDF file whose font has neither an encoding nor Unicode."""
    made = pdf()
    inner = made.add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+X /CIDSystemInfo "
        "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>"
    )
    font = made.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+X /Encoding /Identity-H "
        f"/DescendantFonts [{inner}] >>"
    )
    made.resources.append(f"/Font << /F1 5 0 R /F2 {font} >>")
    made.content.append("BT /F2 12 Tf 60 600 Td <002400250026> Tj ET")
    return made.to_bytes()


def sheet_of(rows: str, head: str = "") -> bytes:
    """Return a workbook with these rows."""
    made = sheet(BODY)
    made.parts[SHEET] = root("worksheet", f"{head}<sheetData>{rows}</sheetData>")
    return made.to_bytes()


def many_rows() -> bytes:
    """Return a workbook with 1,048,576 rows of one number each."""
    rows = "".join(
        f'<row r="{at}"><c r="A{at}"><v>{at}</v></c></row>' for at in range(1, 1_048_577)
    )
    return sheet_of(rows)


def broken_formula() -> bytes:
    """Return a workbook with a formula of names that are gone, and a missing string."""
    return sheet_of(
        '<row r="1"><c r="A1"><f>SUM(#REF!,gone)</f><v>#REF!</v></c><c r="B1" t="s"><v>99</v></c>'
        '<c r="??" t="x"><v>1</v></c></row>'
    )


def nested_mail(depth: int = 50) -> bytes:
    """Return a mail in a mail, *depth* times."""
    data = f"Subject: 0\r\n\r\n{BODY}\r\n".encode()
    for number in range(1, depth):
        head = f"Subject: {number}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n"
        data = head.encode() + data
    return data


def nested_packages(depth: int = 40) -> bytes:
    """Return a document in a document, *depth* times."""
    data = word(BODY).to_bytes()
    for _ in range(depth):
        made = word("See the file.")
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        made.add("word/embeddings/a.docx", data, kind, MAIN, "package")
        data = made.to_bytes()
    return data


def deep_xml() -> bytes:
    """Return a document of 100,000 elements in each other."""
    deep = "<w:sdt><w:sdtContent>" * 50_000 + "</w:sdtContent></w:sdt>" * 50_000
    return main_part(
        f'<?xml version="1.0"?><w:document {NAMESPACES}><w:body>{deep}</w:body></w:document>'
    )


def halves() -> dict[str, Callable[[], bytes]]:
    """Return documents that are cut off."""

    def half(data: bytes, share: float) -> Callable[[], bytes]:
        return lambda: data[: int(len(data) * share)]

    whole = {
        "a.docx": word(BODY).to_bytes(),
        "a.xlsx": sheet(BODY).to_bytes(),
        "a.pptx": slides(BODY).to_bytes(),
        "a.odt": open_text(),
        "a.pdf": pdf().to_bytes(),
        "a.eml": Mail(BODY).to_bytes(),
        "a.json": b'{"entry": "' + BODY.encode() + b'"}',
        "a.csv": b'kind,entry\na,"' + BODY.encode() + b'"\n',
        "a.html": b"<html><body><p title='" + BODY.encode() + b"'>x</p></body></html>",
    }
    return {
        f"cut off after {share:.0%}: {name}": half(data, share)
        for name, data in whole.items()
        for share in (0.3, 0.9)
    }


def damaged_crc() -> bytes:
    """Return a document of which a byte is wrong."""
    data = bytearray(word(BODY).to_bytes())
    data[data.index(b"word/document.xml") + 60] ^= 0xFF
    return bytes(data)


def json_of(text: str) -> Callable[[], bytes]:
    """Return a function that gives *text* as bytes."""
    return text.encode


BAD: dict[str, Callable[[], bytes]] = {
    "office file with a password: a.docx": encrypted_office,
    "office file with a password: a.xlsx": encrypted_office,
    "encrypted members: a.docx": encrypted_member,
    "password: a.pdf": encrypted_pdf,
    "owner's password: a.pdf": lambda: encrypted_pdf(owner_only=True),
    "signature: a.pdf": signed_pdf,
    "signature: a.docx": signed_office,
    "ZIP bomb: a.docx": bomb,
    "PDF bomb: a.pdf": pdf_bomb,
    "billion laughs: a.docx": laughs,
    "external entity: a.docx": lambda: with_declarations(
        '<!ENTITY x SYSTEM "file:///etc/hostname">', "&x;"
    ),
    "external declarations: a.docx": lambda: main_part(
        '<?xml version="1.0"?><!DOCTYPE d SYSTEM "http://127.0.0.1:9/d.dtd"><d/>'
    ),
    "part that is no XML: a.docx": lambda: main_part("<?xml version='1.0'?><w:document>"),
    "part in an unknown encoding: a.docx": lambda: main_part(
        "<?xml version='1.0' encoding='x-none'?><d/>"
    ),
    "main part that is another's: a.docx": lambda: main_part("<?xml version='1.0'?><d/>"),
    "wrong byte: a.docx": damaged_crc,
    "member outside the package: a.docx": lambda: member("../../a.txt"),
    "member at the root: a.docx": lambda: member("/etc/a.txt"),
    "member on a drive: a.docx": lambda: member("C:\\a.txt"),
    "main part twice: a.docx": twice,
    "70,000 members: a.docx": many_members,
    "100,000 elements in each other: a.docx": deep_xml,
    "document in a document, 40 times: a.docx": nested_packages,
    "no main part: a.docx": lambda: Office({"word/x.xml": "<?xml version='1.0'?><x/>"}).to_bytes(),
    "no pages: a.pdf": lambda: pages("<< /Type /Pages /Count 0 /Kids [] >>"),
    "100,000 pages: a.pdf": lambda: pages(
        f"<< /Type /Pages /Count 100000 /Kids [{'3 0 R ' * 100_000}] >>"
    ),
    "4,000 pages: a.pdf": lambda: pages(
        f"<< /Type /Pages /Count 4000 /Kids [{'3 0 R ' * 4_000}] >>"
    ),
    "page tree in a circle: a.pdf": lambda: pages(
        "<< /Type /Pages /Count 2 /Parent 2 0 R /Kids [3 0 R 2 0 R] >>"
    ),
    "page tree without pages: a.pdf": lambda: pages("<< /Type /Pages /Count 5 /Kids 9 0 R >>"),
    "form that shows itself: a.pdf": recursive_form,
    "huge page: a.pdf": huge_page,
    "font without Unicode: a.pdf": blind_font,
    "nothing but a header: a.pdf": lambda: b"%PDF-1.7\n",
    "header and rubbish: a.pdf": lambda: b"%PDF-1.7\n" + bytes(range(256)) * 40,
    "empty sheet: a.xlsx": lambda: sheet_of(""),
    "1,048,576 rows by dimension: a.xlsx": lambda: sheet_of(
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<dimension ref="A1:XFD1048576"/>',
    ),
    "1,048,576 rows: a.xlsx": many_rows,
    "formulas without their names: a.xlsx": broken_formula,
    "no dialect: a.csv": lambda: f"{BODY}\n;;;\n\"a,b\tc|d\n'x".encode(),
    "open quotation mark: a.csv": lambda: b'a,b\n"' + BODY.encode() * 5_000,
    "long cell: a.csv": lambda: b"a,b\n" + b"x" * 1_000_000 + b",y\n",
    "null bytes: a.csv": lambda: b"a,b\n\0\0," + BODY.encode() + b"\n",
    "key twice: a.json": json_of(f'{{"entry": "{BODY}", "entry": "{BODY}"}}'),
    "100,000 arrays in each other: a.json": json_of("[" * 100_000 + "]" * 100_000),
    "no JSON: a.json": json_of(BODY),
    "numbers beyond all bounds: a.json": json_of(f'[1e999, NaN, {"9" * 50_000}, "{BODY}"]'),
    "half a surrogate: a.json": json_of(f'{{"entry": "{BODY} \\ud800"}}'),
    "one line of many is wrong: a.jsonl": json_of(f'{{"a": "{BODY}"}}\n{{"a": \n'),
    "mail in a mail, 50 times: a.eml": nested_mail,
    "mail in a mail, 2,000 times: a.eml": lambda: nested_mail(2_000),
    "no headers: a.eml": lambda: BODY.encode(),
    "boundary that never comes: a.eml": lambda: (
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n" + BODY.encode()
    ),
    "unknown charset: a.eml": lambda: (
        b"Content-Type: text/plain; charset=x-none\r\n\r\n" + BODY.encode()
    ),
    "20,000 elements in each other: a.html": lambda: b"<div>" * 20_000 + BODY.encode(),
    "tag that does not end: a.html": lambda: b"<p>x</p><img alt='" + BODY.encode(),
    "Word named as PDF: a.pdf": lambda: word_document(BODY),
    "PDF named as Word: a.docx": lambda: pdf().to_bytes(),
    "JPEG named as Word: a.docx": lambda: picture("Photo", "JPEG"),
    "text named as JSON: b.json": lambda: b"Dear colleague,\n\n" + BODY.encode(),
    "text named as workbook: a.xlsx": lambda: BODY.encode(),
    "Word named as workbook: a.xlsx": lambda: word_document(BODY),
    "PDF named as mail: a.eml": lambda: pdf().to_bytes(),
    "binary named as CSV: a.csv": lambda: bytes(range(256)) * 100,
    "ZIP of nothing: a.docx": lambda: b"PK\x05\x06" + bytes(18),
    **halves(),
    **{f"empty: a{suffix}": bytes for suffix in SUFFIXES},
    **{f"one byte: a{suffix}": lambda: b"P" for suffix in SUFFIXES},
}
"""The function that builds a file, by its fault and its name."""

SLOW = (
    *("ZIP bomb", "PDF bomb", "70,000 members", "1,048,576 rows: ", "4,000 pages", "100,000 pages"),
    *("open quotation mark", "form that shows itself", "huge page", "font without Unicode"),
    "long cell",
)
"""Documents that take seconds to build or to read."""


def file_of(name: str) -> str:
    """Return the file name in a key of `BAD`."""
    return name.rpartition(": ")[2]


@click.command(help="Rewrite bad documents; the module's docstring says what is asked.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--only", default="", help="Only those with this in their name.")
def main(folder: Path | None, only: str) -> None:
    """Run all, and print how each ended."""
    wrong = 0
    chosen = {name: build for name, build in BAD.items() if only in name}
    for name, build in chosen.items():
        data = build()
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name.replace('/', ' ').replace(':', '')}").write_bytes(data)
        outcome = apart(data, file_of(name))
        right = outcome.kind in (DONE, REFUSED, NOT_BUILT)
        wrong += not right
        mark = " " if right else "!"
        memory = outcome.facts.get("MB", 0)
        click.echo(
            f"{mark} {outcome.kind:9} {outcome.seconds:5.1f} s {memory:6.0f} MB  {name}"
            f"  {outcome.said}"
        )
    click.echo(f"{wrong} of {len(chosen)} ended otherwise")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
