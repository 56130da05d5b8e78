"""OpenDocument is read wherever text hides in it, and written again."""

import io
import zipfile

import pytest
from odf import opendocument as oracle  # type: ignore[import-untyped]

from presidio_cdip.documents.office import odf
from presidio_cdip.documents.segments import Edit
from presidio_cdip.errors import UnreadableInput
from tests.documents.office.office_files import (
    NAME,
    NEW,
    ODF,
    odt,
    opened,
    replaced,
    texts,
    unzipped,
)

FRAME = "<text:p><draw:frame{}>{}</draw:frame></text:p>"
PLACES = {
    "spans": "<text:p><text:span>Jo<text:span>hn</text:span></text:span> Smith<text:span>son"
    "</text:span></text:p>",
    "heading": f"<text:h>{NAME}</text:h>",
    "deletion": f"<text:tracked-changes><text:changed-region><text:deletion><text:p>{NAME}</text:p>"
    "</text:deletion></text:changed-region></text:tracked-changes>",
    "annotation": f"<text:p>x<office:annotation><dc:creator>{NAME}</dc:creator><text:p>{NAME}"
    "</text:p></office:annotation></text:p>",
    "field": f"<text:p><text:user-field-get>{NAME}</text:user-field-get></text:p>",
    "description": FRAME.format(f' draw:name="{NAME}"', f"<svg:desc>{NAME}</svg:desc>"),
    "text box": FRAME.format("", f"<draw:text-box><text:p>{NAME}</text:p></draw:text-box>"),
    "form": f'<form:text form:value="{NAME}" form:title="{NAME}"/>',
    "name of a table": f'<table:table table:name="{NAME}"/>',
    "note": f"<text:p>x<text:note><text:note-body><text:p>{NAME}</text:p></text:note-body>"
    "</text:note></text:p>",
    "link": f'<text:p><text:a xlink:href="https://x.org/{NAME}">x</text:a></text:p>',
}


@pytest.mark.parametrize("place", PLACES)
def test_value_is_replaced(place: str) -> None:
    """Nothing of it is left, and what was written opens elsewhere."""
    new = replaced(odf, odt(PLACES[place]))

    assert "Smithson" not in "".join(found for _, found in odf.extracted(new, "x"))
    assert NEW in "".join(found for _, found in odf.extracted(new, "x"))
    assert oracle.load(io.BytesIO(new))


def test_other_parts_are_read() -> None:
    """Properties, headers, and embedded documents."""
    inner = f"<office:document-content {ODF}><text:p>{NAME}</text:p></office:document-content>"
    parts: dict[str, str | bytes] = {
        "styles.xml": inner.replace("document-content", "document-styles"),
        "meta.xml": f"<office:document-meta {ODF}><dc:creator>{NAME}</dc:creator>"
        "</office:document-meta>",
        "Object 1/content.xml": inner,
    }

    new = unzipped(replaced(odf, odt("<text:p>Seen.</text:p>", parts)))

    assert all(NEW in new[name].decode() for name in parts)
    assert all(NAME not in new[name].decode() for name in parts)


def test_blanks_and_tabs_are_characters() -> None:
    """They stand in the file as elements."""
    body = '<text:p>a<text:tab/>b<text:s text:c="3"/>c<text:line-break/>d</text:p>'

    assert texts(odf, odt(body)) == ["a\tb   c\nd"]


def test_line_break_within_a_value_goes_with_it() -> None:
    """The text after it is rewritten, and the rest of the paragraph stays."""
    body = "<text:p>At 9 Elm St<text:line-break/>Salem<text:tab/>now</text:p>"
    document = opened(odf, odt(body))

    new = document.write({0: [Edit(3, 17, "1 Oak Rd, Dover", "ADDRESS")]}, {})

    assert texts(odf, new) == ["At 1 Oak Rd, Dover\tnow"]
    assert b"Salem" not in unzipped(new)["content.xml"]


@pytest.mark.parametrize(
    ("new", "value"), [("900-11-2222", None), ("900112222", b'office:value="900112222"')]
)
def test_value_of_a_cell_agrees_with_its_text(new: str, value: bytes | None) -> None:
    """A cell whose value would be no number becomes text."""
    cell = (
        '<table:table><table:table-row><table:table-cell office:value-type="float" '
        'office:value="271240538"><text:p>271240538</text:p></table:table-cell></table:table-row>'
        "</table:table>"
    )

    content = unzipped(replaced(odf, odt(cell, kind="spreadsheet"), "271240538", new))[
        "content.xml"
    ]

    assert f"<text:p>{new}</text:p>".encode() in content
    assert b"271240538" not in content
    assert (value in content) if value else b'office:value-type="string"' in content


def test_value_goes_with_a_text_that_changes_alone() -> None:
    """The old value would stay in the attribute."""
    cell = (
        '<table:table><table:table-row><table:table-cell office:value-type="float" '
        'office:value="4711"><text:p>4711</text:p></table:table-cell></table:table-row>'
        "</table:table>"
    )
    document = opened(odf, odt(cell, kind="spreadsheet"))

    content = unzipped(document.write({0: [Edit(0, 4, "9", "MRN")]}, {}))["content.xml"]

    assert b"4711" not in content


def test_previews_macros_and_signatures_are_left_out() -> None:
    """The manifest does not list them any more."""
    parts: dict[str, str | bytes] = {
        "Thumbnails/thumbnail.png": b"\x89PNG",
        "Basic/Standard/Module1.xml": "<m/>",
        "META-INF/documentsignatures.xml": "<s/>",
        "ObjectReplacements/Object 1": b"\0",
    }
    document = opened(odf, odt("<text:p>x</text:p>", parts))

    new = unzipped(document.write({}, {}))

    assert len(document.removed) == 4
    assert not set(parts) & set(new)
    assert not [name for name in parts if name.encode() in new["META-INF/manifest.xml"]]


def test_removed_picture_leaves_no_reference() -> None:
    """Its frame stays empty."""
    body = FRAME.format("", '<draw:image xlink:href="Pictures/a.wmf"/>')
    document = opened(odf, odt(body, {"Pictures/a.wmf": b"\xd7\xcd"}))

    new = unzipped(document.write({}, {0: None}))

    assert "Pictures/a.wmf" not in new
    assert b"a.wmf" not in new["content.xml"] + new["META-INF/manifest.xml"]


def test_media_type_stays_first() -> None:
    """It is stored as it is, so that programs know the file by its first bytes."""
    new = replaced(odf, odt(f"<text:p>{NAME}</text:p>"))

    with zipfile.ZipFile(io.BytesIO(new)) as package:
        first = package.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)


def test_changes_are_accepted() -> None:
    """What was deleted goes; the words around it stay."""
    body = PLACES["deletion"] + '<text:p>be<text:change text:change-id="1"/>fore</text:p>'
    document = opened(odf, odt(body), accept_changes=True)

    new = document.write({}, {})

    assert [one.text for one in document.segments] == ["before"]
    assert NAME not in unzipped(new)["content.xml"].decode()


def test_encrypted_documents_are_refused() -> None:
    """The message says what would help."""
    data = odt("<text:p>x</text:p>", {"a.xml": "<a/>"})
    parts = unzipped(data)
    manifest = parts["META-INF/manifest.xml"].replace(
        b'full-path="a.xml" manifest:media-type=""/>',
        b'full-path="a.xml"><manifest:encryption-data/></manifest:file-entry>',
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, content in {**parts, "META-INF/manifest.xml": manifest}.items():
            package.writestr(name, content)

    with pytest.raises(UnreadableInput, match="password"):
        opened(odf, out.getvalue())


def test_names_of_files_are_not_kept() -> None:
    """A picture may have the name of a person."""
    body = FRAME.format("", f'<draw:image xlink:href="Pictures/{NAME}.png"/>')

    new = unzipped(opened(odf, odt(body, {f"Pictures/{NAME}.png": b"\x89PNG"})).write({}, {}))

    assert new["Pictures/file1.png"] == b"\x89PNG"
    assert b'href="Pictures/file1.png"' in new["content.xml"]
    assert NAME.encode() not in b"".join([*new.values(), *map(str.encode, new)])


def test_styles_that_programs_name_after_sheets_are_renamed() -> None:
    """Everywhere they are referred to; other names stay."""
    coded = NAME.replace(" ", "_20_")
    body = (
        f'<table:table table:name="{NAME}" table:style-name="PageStyle_5f_{coded}"/>'
        '<text:p text:style-name="Text_20_body">x</text:p>'
    )

    content = unzipped(replaced(odf, odt(body)))["content.xml"]

    assert b'table:style-name="Style1"' in content and b'"Text_20_body"' in content
    assert coded in "".join(text for _, text in odf.extracted(odt(body), "x"))
