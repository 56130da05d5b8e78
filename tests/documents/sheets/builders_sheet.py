"""Build workbooks by hand, as small as they can be."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

Relation = tuple[str, str, str]
"""Identifier, last word of the type, target; a target with ``://`` leads out of the package."""


def relations(*given: Relation) -> str:
    """Return a relationships part."""
    rows = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if "://" in target or target.startswith("mailto:") else "")
        + "/>"
        for name, kind, target in given
    )
    return f'{_HEAD}<Relationships xmlns="{PACKAGE}">{rows}</Relationships>'


def part(tag: str, inner: str) -> str:
    """Return an XML part of a workbook."""
    return f'{_HEAD}<{tag} xmlns="{MAIN}" xmlns:r="{OFFICE}">{inner}</{tag}>'


def rows(*given: Sequence[str]) -> str:
    """Return ``sheetData`` of rows of cells: ``"s0"`` is a shared string, ``"<c…"`` is XML.

    ``"n12|3"`` is the number 12 in the cell format 3, and ``"=A1|x"`` a formula with a result.
    """
    out = []
    for number, cells in enumerate(given, 1):
        inner = "".join(
            _cell(f"{chr(65 + at)}{number}", text) for at, text in enumerate(cells) if text
        )
        out.append(f'<row r="{number}">{inner}</row>')
    return f"<sheetData>{''.join(out)}</sheetData>"


def _cell(place: str, text: str) -> str:
    if text.startswith("<"):
        return text
    if text.startswith("="):
        formula, _, result = text[1:].partition("|")
        return f'<c r="{place}" t="str"><f>{escape(formula)}</f><v>{escape(result)}</v></c>'
    if text[0] == "n":
        value, _, style = text[1:].partition("|")
        return f'<c r="{place}" s="{style or 0}"><v>{value}</v></c>'
    return f'<c r="{place}" t="s"><v>{text[1:]}</v></c>'


def styles(*codes: str) -> str:
    """Return styles: cell format 0 is General, the next are *codes*."""
    formats = "".join(
        f'<numFmt numFmtId="{200 + at}" formatCode="{escape(code, {chr(34): "&quot;"})}"/>'
        for at, code in enumerate(codes)
    )
    cells = "".join(
        f'<xf numFmtId="{200 + at}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>'
        for at in range(len(codes))
    )
    plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
    return part(
        "styleSheet",
        f'<numFmts count="{len(codes)}">{formats}</numFmts><fonts count="1"><font/></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
        '<borders count="1"><border/></borders>'
        f'<cellStyleXfs count="1">{plain}</cellStyleXfs>'
        f'<cellXfs count="{len(codes) + 1}">{plain}{cells}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    )


def workbook(
    sheets: Mapping[str, str],
    strings: Sequence[str] = (),
    codes: Sequence[str] = (),
    *,
    inner: str = "",
    before: str = "",
    links: Sequence[Relation] = (),
    more: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Return a workbook.

    Args:
        sheets: The XML within each worksheet, by name.
        strings: Shared strings; those that start with ``<`` are XML.
        codes: Number formats of the cell formats from 1.
        inner: XML of the workbook after its sheets.
        before: XML of the workbook before its sheets.
        links: Further relationships of the workbook.
        more: Further parts by name.
    """
    given = [(f"rId{at}", "worksheet", f"worksheets/sheet{at}.xml") for at in _from_1(sheets)]
    given += [("rIdS", "styles", "styles.xml")]
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"/>'
        for at, name in enumerate(sheets, 1)
    )
    parts: dict[str, str | bytes] = {
        "_rels/.rels": relations(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": part("workbook", f"{before}<sheets>{listed}</sheets>{inner}"),
        "xl/styles.xml": styles(*codes),
        **{
            f"xl/worksheets/sheet{at}.xml": part("worksheet", xml)
            for at, xml in enumerate(sheets.values(), 1)
        },
    }
    if strings:
        given.append(("rIdT", "sharedStrings", "sharedStrings.xml"))
        texts = "".join(
            f"<si>{one if one.startswith('<') else f'<t>{escape(one)}</t>'}</si>" for one in strings
        )
        parts["xl/sharedStrings.xml"] = part("sst", texts)
    parts["xl/_rels/workbook.xml.rels"] = relations(*given, *links)
    parts.update(more or {})
    return package(parts)


def _from_1(sheets: Mapping[str, str]) -> range:
    return range(1, len(sheets) + 1)


def package(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a package of *parts*, with their content types."""
    kinds = {
        "xl/workbook.xml": f"{_MIME}.sheet.main+xml",
        "xl/styles.xml": f"{_MIME}.styles+xml",
        "xl/sharedStrings.xml": f"{_MIME}.sharedStrings+xml",
        "xl/calcChain.xml": f"{_MIME}.calcChain+xml",
        **{name: f"{_MIME}.worksheet+xml" for name in parts if "/worksheets/sheet" in name},
        **{name: f"{_MIME}.table+xml" for name in parts if "/tables/" in name},
        **{name: f"{_MIME}.comments+xml" for name in parts if "/comments" in name},
    }
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>'
        for name, kind in kinds.items()
        if name in parts and not name.endswith(".rels")
    )
    types = (
        f'{_HEAD}<Types xmlns="{_TYPES}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", types)
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()
