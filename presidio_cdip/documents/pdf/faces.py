"""Provide the faces in which new text is set where a document's own font lacks its letters."""

import io
import struct
from collections.abc import Mapping
from importlib.resources import files
from typing import Any
from unicodedata import combining, normalize

import pikepdf
from pdfminer.fontmetrics import FONT_METRICS
from pdfminer.pdffont import TrueTypeFont

from presidio_cdip.documents.pdf.fonts import Code, standard_name

_SHIPPED = {
    "serif": ("serif-times.ttf", "serif-times-bold.ttf", "serif-times-italic.ttf"),
    "sans": ("sans-swiss.ttf", "sans-swiss-bold.ttf", "sans-swiss-italic.ttf"),
    "fixed": ("typewriter-modern.ttf",) * 3,
}
"""Faces in `presidio_cdip/imaging/fonts/`: upright, bold, slanted."""


X_HEIGHTS = {"Helvetica": 0.523, "Times": 0.45, "Courier": 0.434}
"""The height of small letters of the standard faces, upright, in units of the size."""


class Face:
    """A face that a document does not have.

    Attributes:
        name: The name of its font in the resources of a stream.
        x_height: The height of its small letters, in units of the size; 0 if that is not known.
    """

    name: str
    x_height: float = 0.0

    def encode(self, text: str) -> list[Code] | None:
        """Return *text* in codes, or None if a letter is missing."""
        raise NotImplementedError

    def made(self, pdf: Any) -> Any:
        """Return its font dictionary, made in *pdf*."""
        raise NotImplementedError


class Standard(Face):
    """One of the faces that every viewer has; it has the letters of Western Europe."""

    def __init__(self, base: str) -> None:
        """Prepare the face called *base*."""
        self.name = f"/Set{base.replace('-', '')}"
        self.x_height = X_HEIGHTS[base.split("-")[0]]
        self._base = base
        self._widths: Mapping[str, float] = FONT_METRICS[base][1]

    def encode(self, text: str) -> list[Code] | None:
        """Return *text* in the encoding of Windows, or None if a letter is missing."""
        try:
            raw = text.encode("cp1252")
        except UnicodeEncodeError:
            return None
        if any(letter not in self._widths for letter in text):
            return None
        return [
            Code(raw[at : at + 1], letter, self._widths[letter] / 1000)
            for at, letter in enumerate(text)
        ]

    def made(self, pdf: Any) -> Any:
        """Return its font dictionary; no program is embedded."""
        return pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name(f"/{self._base}"),
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )


class Shipped(Face):
    """A face that comes with this package, for letters beyond those of Western Europe."""

    def __init__(self, file: str) -> None:
        """Read the TrueType file called *file*."""
        self.name = f"/Set{file.removesuffix('.ttf').title().replace('-', '')}"
        self._data = files("presidio_cdip.imaging").joinpath("fonts", file).read_bytes()
        program = TrueTypeFont(file, io.BytesIO(self._data))
        self._tables = program.tables
        letters = program.create_unicode_map().cid2unichr
        self._glyphs = {letter: glyph for glyph, letter in reversed(list(letters.items()))}
        self._used: dict[str, Code] = {}
        self._units = struct.unpack(">H", self._table(b"head")[18:20])[0]
        count = struct.unpack(">H", self._table(b"hhea")[34:36])[0]
        metrics = self._table(b"hmtx")[: 4 * count]
        self._advances = [one[0] for one in struct.iter_unpack(">Hh", metrics)]

    def encode(self, text: str) -> list[Code] | None:
        """Return *text* in the numbers of its glyphs, or None if a letter is missing."""
        found = []
        for letter in text:
            glyph = self._glyphs.get(letter)
            if not glyph:
                return None
            advance = self._advances[min(glyph, len(self._advances) - 1)]
            code = Code(glyph.to_bytes(2), letter, advance / self._units)
            self._used[letter] = code
            found.append(code)
        return found

    def made(self, pdf: Any) -> Any:
        """Return its font dictionary, with the program embedded."""
        name = pikepdf.Name(self.name)
        program = pdf.make_stream(self._data)
        program.Length1 = len(self._data)
        descriptor = pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor, FontName=name, Flags=4, ItalicAngle=0, Ascent=900,
            Descent=-200, CapHeight=700, StemV=80, FontBBox=[-200, -250, 1200, 1000],
            FontFile2=program,
        )  # fmt: skip
        widths = pikepdf.Array()
        for code in self._used.values():
            widths.append(int.from_bytes(code.raw))
            widths.append(pikepdf.Array([round(code.width * 1000)]))
        inner = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType2, BaseFont=name,
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            CIDToGIDMap=pikepdf.Name.Identity, FontDescriptor=pdf.make_indirect(descriptor),
            W=widths,
        )  # fmt: skip
        return pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type0, BaseFont=name,
                Encoding=pikepdf.Name("/Identity-H"),
                DescendantFonts=[pdf.make_indirect(inner)],
                ToUnicode=pdf.make_stream(self._to_unicode()),
            )
        )  # fmt: skip

    def _to_unicode(self) -> bytes:
        lines = [
            f"<{code.raw.hex()}> <{letter.encode('utf-16-be').hex()}>"
            for letter, code in sorted(self._used.items())
        ]
        parts = [lines[at : at + 100] for at in range(0, len(lines), 100)]
        body = "".join(
            f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar\n" for part in parts
        )
        return (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
            "/CMapName /Set def /CMapType 2 def\n"
            "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            f"{body}endcmap end end"
        ).encode()

    def _table(self, name: bytes) -> bytes:
        offset, length = self._tables[name]
        return self._data[offset : offset + length]


class Faces:
    """The faces that are added to a document, each once."""

    def __init__(self) -> None:
        self._faces: dict[str, Face] = {}
        self._made: dict[str, Any] = {}

    def for_text(self, text: str, traits: tuple[str, bool, bool]) -> tuple[Face, list[Code]]:
        """Return the nearest face that has the letters of *text*, and the codes of it.

        Letters that no face has lose their accents, or become question marks.
        """
        kind, bold, slanted = traits
        standard = standard_name(traits)
        file = _SHIPPED[kind][1 if bold else 2 * slanted]
        for one in (text, _plain(text)):
            for name, make in ((standard, Standard), (file, Shipped)):
                face = self._faces.get(name) or self._faces.setdefault(name, make(name))
                codes = face.encode(one)
                if codes is not None:
                    return face, codes
        face = self._faces[standard]
        kept = "".join(letter if face.encode(letter) else "?" for letter in _plain(text))
        return face, face.encode(kept) or []

    def font(self, face: Face, pdf: Any) -> Any:
        """Return the font dictionary of *face* in *pdf*."""
        if face.name not in self._made:
            self._made[face.name] = face.made(pdf)
        return self._made[face.name]


def _plain(text: str) -> str:
    """Return *text* without the accents that standard faces lack.

    >>> _plain("Ośka Müller, Łódź")
    'Oska Müller, Łódz'
    """
    return "".join(
        letter
        if letter.encode("cp1252", "ignore")
        else "".join(one for one in normalize("NFD", letter) if not combining(one))
        for letter in text
    )
