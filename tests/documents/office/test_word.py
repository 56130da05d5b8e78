"""Word documents are read wherever text hides in them, and written again."""

import io

import docx as oracle
import pytest

from presidio_cdip.documents.office import word
from presidio_cdip.errors import UnreadableInput
from tests.documents.office.office_files import (
    NAME,
    NEW,
    OFFICE,
    docx,
    opened,
    replaced,
    texts,
    unzipped,
)

SEEN = "<w:p><w:r><w:t>Seen.</w:t></w:r></w:p>"
SHOWN = f"<w:p><w:r><w:t>{NAME}</w:t></w:r></w:p>"
WHEN = 'w:date="2020-01-02T03:04:05Z"'
PLACES = {
    "body": SHOWN,
    "split runs": "<w:p><w:r><w:t>Jo</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>hn Smith</w:t>"
    "</w:r><w:r><w:t>son</w:t></w:r></w:p>",
    "cell": f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>{SHOWN}</w:tc></w:tr></w:tbl>",
    "insertion": f'<w:p><w:ins w:id="1" w:author="X" {WHEN}><w:r><w:t>{NAME}</w:t></w:r></w:ins>'
    "</w:p>",
    "author": f'<w:p><w:ins w:id="1" w:author="{NAME}" {WHEN}><w:r><w:t>a</w:t></w:r></w:ins>'
    "</w:p>",
    "deletion": f'<w:p><w:del w:id="1" w:author="X" {WHEN}><w:r><w:delText>{NAME}</w:delText></w:r>'
    "</w:del></w:p>",
    "content control": f'<w:sdt><w:sdtPr><w:alias w:val="{NAME}"/><w:dropDownList><w:listItem '
    f'w:displayText="{NAME}" w:value="{NAME}"/></w:dropDownList></w:sdtPr><w:sdtContent>{SEEN}'
    "</w:sdtContent></w:sdt>",
    "field code": f'<w:p><w:r><w:instrText> AUTHOR "{NAME[:5]}</w:instrText></w:r><w:r>'
    f'<w:instrText>{NAME[5:]}"</w:instrText></w:r></w:p>',
    "simple field": f"<w:p><w:fldSimple w:instr=' TITLE \"{NAME}\"'/></w:p>",
    "bookmark": f'<w:p><w:bookmarkStart w:id="1" w:name="{NAME}"/></w:p>',
    "alt text": f'<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="{NAME}" descr="{NAME}" '
    f'title="{NAME}"/></wp:inline></w:drawing></w:r></w:p>',
    "text box": f"<w:p><w:r><mc:AlternateContent><mc:Fallback><w:pict><v:textbox><w:txbxContent>"
    f"{SHOWN}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
    "WordArt": f'<w:p><w:r><w:pict><v:textpath string="{NAME}"/></w:pict></w:r></w:p>',
    "unknown extension": f'<w:p><x:y xmlns:x="urn:x" z="{NAME}">{NAME}</x:y></w:p>',
    "XML comment": f"<w:p><!-- {NAME} --></w:p>",
}
PARTS = {
    "header": ("word/header1.xml", f"<w:hdr {{}}>{SHOWN}</w:hdr>"),
    "comment": (
        "word/comments.xml",
        f'<w:comments {{}}><w:comment w:author="{NAME}" w:initials="JS">{SHOWN}</w:comment>'
        "</w:comments>",
    ),
    "people": (
        "word/people.xml",
        f'<w15:people {{}}><w15:person w15:author="{NAME}"><w15:presenceInfo '
        f'w15:userId="{NAME}"/></w15:person></w15:people>',
    ),
    "settings": (
        "word/settings.xml",
        f'<w:settings {{}}><w:docVars><w:docVar w:name="n" w:val="{NAME}"/></w:docVars>'
        "</w:settings>",
    ),
    "chart": ("word/charts/chart1.xml", f"<c:chartSpace {{}}><c:v>{NAME}</c:v></c:chartSpace>"),
    "custom XML": ("customXml/item1.xml", f'<r by="{NAME}"><n>{NAME}</n></r>'),
    "properties": (
        "docProps/app.xml",
        f'<Properties xmlns="{OFFICE}/extended-properties"><Company>{NAME}</Company></Properties>',
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_value_is_replaced_in_the_main_part(place: str) -> None:
    """Nothing of it is left, and what was written opens in Word's place."""
    data = docx(PLACES[place])

    new = replaced(word, data)

    assert not [text for text in texts(word, new) if "Smithson" in text]
    assert "Smithson" not in "".join(text for _, text in word.extracted(new, "x"))
    assert NEW in "".join(text for _, text in word.extracted(new, "x"))
    assert oracle.Document(io.BytesIO(new))


@pytest.mark.parametrize("place", PARTS)
def test_value_is_replaced_in_other_parts(place: str) -> None:
    """The main part stays byte for byte."""
    name, xml = PARTS[place]
    data = docx(SEEN, {name: xml}, {"r1": ("body", place, name)})

    new = replaced(word, data)

    assert "Smithson" not in "".join(text for _, text in word.extracted(new, "x"))
    assert NEW in unzipped(new)[name].decode()
    assert unzipped(new)["word/document.xml"] == unzipped(data)["word/document.xml"]


def test_target_of_a_link_is_replaced() -> None:
    """It stands in the relationships; those that lead to parts are no text."""
    data = docx(SEEN, links={"r1": ("body", "hyperlink", "https://x.org/?n=John Smithson")})

    new = replaced(word, data)

    assert f"n={NEW}" in unzipped(new)["word/_rels/document.xml.rels"].decode()
    assert texts(word, data)[1:] == ["https://x.org/?n=John Smithson"]


def test_formatting_of_runs_stays() -> None:
    """The new name has the format of the first run of the old one."""
    body = (
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>John</w:t></w:r><w:r><w:rPr><w:i/></w:rPr>"
        '<w:t xml:space="preserve"> Smithson came</w:t></w:r></w:p>'
    )

    new = replaced(word, docx(body))

    runs = oracle.Document(io.BytesIO(new)).paragraphs[0].runs
    assert [(run.text, run.bold, run.italic) for run in runs] == [
        (NEW, True, None),
        (" came", None, True),
    ]


def test_nothing_changes_without_edits() -> None:
    """All parts are as they were."""
    data = docx(SHOWN, {"word/settings.xml": '<w:settings {}><w:rsids w:rsid="1"/></w:settings>'})

    assert unzipped(opened(word, data).write({}, {})) == unzipped(data)


def test_revision_ids_go_with_edits() -> None:
    """They tell what was typed in one session."""
    data = docx(f'<w:p w:rsidR="00A1B2C3"><w:r w:rsidRPr="00A1B2C4"><w:t>{NAME}</w:t></w:r></w:p>')

    assert b"rsid" not in unzipped(replaced(word, data))["word/document.xml"]


def test_macros_are_left_out() -> None:
    """The document is then one without macros, and says so."""
    kind = "application/vnd.ms-word.document.macroEnabled.main+xml"
    links = {"r1": ("body", "vbaProject", "word/vbaProject.bin")}
    data = docx(SEEN, {"word/vbaProject.bin": b"\xd0\xcf\x11\xe0"}, links, kind)
    document = opened(word, data)

    new = unzipped(document.write({}, {}))

    assert [note.what for note in document.removed] == ["macros"]
    assert "word/vbaProject.bin" not in new
    assert b"vbaProject" not in new["word/_rels/document.xml.rels"]


def test_removed_object_leaves_no_reference() -> None:
    """Word would call the document damaged."""
    body = '<w:p><w:r><w:object><o:OLEObject r:id="r1" ProgID="Package"/></w:object></w:r></w:p>'
    links = {"r1": ("body", "oleObject", "word/embeddings/oleObject1.bin")}
    data = docx(body, {"word/embeddings/oleObject1.bin": b"\0\1"}, links)
    document = opened(word, data)

    new = unzipped(document.write({}, {0: None}))

    assert [one.name for one in document.embedded] == ["oleObject1.bin"]
    assert b"OLEObject" not in new["word/document.xml"]
    assert "word/embeddings/oleObject1.bin" not in new
    assert b"r1" not in new["word/_rels/document.xml.rels"]


def test_removed_picture_becomes_an_empty_one() -> None:
    """Its frame stays, so that the page looks as before."""
    links = {"r1": ("body", "image", "word/media/image1.emf")}
    data = docx(SEEN, {"word/media/image1.emf": b"\1\0\0\0"}, links)

    new = unzipped(opened(word, data).write({}, {0: None}))

    assert "word/media/image1.emf" not in new
    assert new["word/media/image1_removed.png"].startswith(b"\x89PNG")
    assert b"image1_removed.png" in new["word/_rels/document.xml.rels"]


def test_embedded_file_is_replaced() -> None:
    """What is not named stays."""
    parts: dict[str, str | bytes] = {
        "word/media/image1.png": b"\x89PNG1",
        "word/media/image2.png": b"\x89PNG2",
    }
    links = {
        "r1": ("body", "image", "word/media/image1.png"),
        "r2": ("body", "image", "word/media/image2.png"),
    }

    new = unzipped(opened(word, docx(SEEN, parts, links)).write({}, {1: b"new"}))

    assert new["word/media/image1.png"] == b"\x89PNG1"
    assert new["word/media/image2.png"] == b"new"


def test_signature_and_preview_are_left_out() -> None:
    """A signature is void once the document is changed; a preview shows the old text."""
    parts: dict[str, str | bytes] = {
        "_xmlsignatures/sig1.xml": "<s/>",
        "docProps/thumbnail.jpeg": b"\xff\xd8",
    }
    links = {
        "r1": ("", "origin", "_xmlsignatures/sig1.xml"),
        "r2": ("", "thumbnail", "docProps/thumbnail.jpeg"),
    }
    document = opened(word, docx(SEEN, parts, links))

    new = unzipped(document.write({}, {}))

    assert len(document.removed) == 2
    assert not set(parts) & set(new)


def test_tracked_changes_are_accepted() -> None:
    """Old text and its authors are gone; the new text stays."""
    body = (
        f'<w:p><w:del w:id="1" w:author="{NAME}" {WHEN}><w:r><w:delText>old</w:delText></w:r>'
        "</w:del>"
        f'<w:ins w:id="2" w:author="{NAME}" {WHEN}><w:r><w:t>new</w:t></w:r></w:ins></w:p>'
    )
    document = opened(word, docx(body), accept_changes=True)

    new = document.write({}, {})

    assert [one.text for one in document.segments] == ["new"]
    assert NAME not in unzipped(new)["word/document.xml"].decode()
    assert oracle.Document(io.BytesIO(new)).paragraphs[0].text == "new"


def test_cells_are_labelled() -> None:
    """A value is read with the name of its column."""
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    rows = [("Name", "SSN"), ("Ann Lee", "271-24-0538")]
    xml = "".join("<w:tr>" + "".join(map(cell.format, row)) + "</w:tr>" for row in rows)

    document = opened(word, docx(f"<w:tbl>{xml}</w:tbl>"))

    assert [(one.label, one.text) for one in document.segments][2:] == [
        ("Name", "Ann Lee"),
        ("SSN", "271-24-0538"),
    ]


def test_structure_is_no_text() -> None:
    """Word's own template, full of styles, gives next to nothing to read."""
    out = io.BytesIO()
    oracle.Document().save(out)

    found = opened(word, out.getvalue()).segments

    assert sum(len(one.text) for one in found) < 250


def test_damaged_packages_are_refused() -> None:
    """In one line, without any of their text."""
    bad = {
        "no main part": docx(SEEN, links={"main": ("", "other", "word/document.xml")}),
        "not well-formed": docx("<w:p>" + NAME),
        "entities": docx(SEEN, {"word/x.xml": f'<!DOCTYPE a [<!ENTITY b "{NAME}">]><a>&b;</a>'}),
        "truncated": docx(SEEN)[:-40],
    }
    for why, data in bad.items():
        with pytest.raises(UnreadableInput) as caught:
            replaced(word, data)
        assert NAME not in str(caught.value), why


def test_names_of_files_are_not_kept() -> None:
    """A picture may have the name of a person; those that programs give stay."""
    parts: dict[str, str | bytes] = {
        f"word/media/{NAME}.png": b"\x89PNG1",
        "word/media/image2.png": b"\x89PNG2",
    }
    links = {
        "r1": ("body", "image", f"word/media/{NAME}.png"),
        "r2": ("body", "image", "word/media/image2.png"),
    }

    new = unzipped(opened(word, docx(SEEN, parts, links)).write({}, {0: b"new"}))

    assert new["word/media/file1.png"] == b"new"
    assert new["word/media/image2.png"] == b"\x89PNG2"
    assert NAME.encode() not in b"".join([*new.values(), *map(str.encode, new)])


def test_identifier_of_a_style_goes_with_its_name() -> None:
    """It is made of the name; paragraphs keep their style."""
    styles = (
        '<w:styles {}><w:style w:type="paragraph" w:customStyle="1" w:styleId="JohnSmithson">'
        f'<w:name w:val="{NAME}"/></w:style></w:styles>'
    )
    body = '<w:p><w:pPr><w:pStyle w:val="JohnSmithson"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'
    data = docx(body, {"word/styles.xml": styles}, {"r1": ("body", "styles", "word/styles.xml")})

    new = unzipped(replaced(word, data))

    assert b'w:styleId="Style1x"' in new["word/styles.xml"]
    assert b'w:pStyle w:val="Style1x"' in new["word/document.xml"]
    assert b"Smithson" not in b"".join(new.values())
