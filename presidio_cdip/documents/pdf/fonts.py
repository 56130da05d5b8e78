"""Read the fonts of a PDF: from the bytes of a string to letters and their widths."""

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf
from pdfminer.cmapdb import CMapDB
from pdfminer.encodingdb import EncodingDB, name2unicode
from pdfminer.fontmetrics import FONT_METRICS
from pdfminer.pdffont import Type1FontHeaderParser

from presidio_cdip.documents.pdf import cmaps
from presidio_cdip.documents.pdf.files import decoded

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
"""Stands for a glyph of which the font does not tell the letter."""

_MOST = 30_000_000  # bytes of a font program or a map
_SIZES = re.compile(r"(big|Big|bigg|Bigg|text|display|tp|bt|mid|ex|vertex)+$")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_TAG = re.compile(r"^[A-Z]{6}\+")
_FIXED, _SERIF, _SYMBOLIC, _ITALIC, _BOLD = 1, 1 << 1, 1 << 2, 1 << 6, 1 << 18


class Code(NamedTuple):
    """A code of a string.

    Attributes:
        raw: Its bytes.
        text: The letters it stands for; `UNKNOWN` where the font does not say.
        width: Its advance, in units of the font size.
    """

    raw: bytes
    text: str
    width: float


class Font:
    """A font of a PDF.

    Attributes:
        spec: Its dictionary.
        name: Its name without the tag of a subset.
        problem: Why its text cannot be rewritten; "" if it can.
        embedded: Whether its program is in the document, perhaps of some letters only.
        ascent: How far letters reach above the baseline, in units of the font size.
        descent: How far below; positive.
        x_height: The height of small letters, if the descriptor tells it, else 0.
        used: The codes that the document shows, by their text.
    """

    def __init__(self, spec: Any) -> None:
        """Read the font dictionary *spec*."""
        self.spec = spec
        subtype = str(spec.get("/Subtype", "/Type1"))
        self.name = _TAG.sub("", str(spec.get("/BaseFont", "")).lstrip("/"))
        self.problem = "text in a Type 3 font" if subtype == "/Type3" else ""
        self.used: dict[str, Code] = {}
        self._composite = subtype == "/Type0"
        self._inner = spec
        if self._composite:
            self._inner = spec["/DescendantFonts"][0]
        descriptor = self._inner.get("/FontDescriptor", pikepdf.Dictionary())
        self.embedded = any(f"/FontFile{which}" in descriptor for which in ("", "2", "3"))
        self.flags = int(descriptor.get("/Flags", 0))
        self.ascent = _within(_number(descriptor.get("/Ascent"), 0) / 1000, 0.5, 1.1, 0.75)
        self.descent = _within(-_number(descriptor.get("/Descent"), 0) / 1000, 0.05, 0.4, 0.22)
        self.x_height = _within(_number(descriptor.get("/XHeight"), 0) / 1000, 0.35, 0.65, 0.0)
        to_unicode = spec.get("/ToUnicode")
        self._unicode: dict[bytes, str] = {}
        if isinstance(to_unicode, pikepdf.Stream):
            self._unicode = cmaps.parsed(decoded(to_unicode, _MOST)).unicode
        self._cache: dict[bytes, Code] = {}
        self._reader = (
            _Composite(spec, self._inner, isinstance(to_unicode, pikepdf.Name))
            if self._composite
            else _Simple(spec, descriptor, self.name, self._unicode, self.embedded)
        )
        self.problem = self.problem or self._reader.problem

    def decode(self, data: bytes) -> Iterator[Code]:
        """Yield the codes of a string."""
        for raw in self._reader.split(data):
            code = self._cache.get(raw)
            if code is None:
                code = self._cache[raw] = self._code(raw)
            yield code

    def encode(self, text: str) -> list[Code] | None:
        """Return *text* in codes whose glyphs are known to be in the font, if it has them all."""
        found = []
        for letter in text:
            code = self.used.get(letter) or self._unshown(letter)
            if code is None or (code.width <= 0 and letter != " "):
                return None
            found.append(code)
        return found

    @property
    def traits(self) -> tuple[str, bool, bool]:
        """Return the kind of the face, ``"serif"``, ``"sans"`` or ``"fixed"``, bold, slanted."""
        return traits_of(self.name, self.flags)

    def _unshown(self, letter: str) -> Code | None:
        """Return the code of a letter that the document does not show: viewers have whole faces."""
        if self.embedded or self._composite or not letter.isascii():
            return None
        raw = self._reader.raw_of(letter)
        return next(self.decode(raw), None) if raw else None

    def _code(self, raw: bytes) -> Code:
        text = self._unicode.get(raw)
        if text is None and len(raw) == 2 and raw[0] == 0:
            text = self._unicode.get(raw[1:])
        if text is None:
            text = self._reader.text(raw)
        if not text or any(one < " " or "\ue000" <= one <= "\uf8ff" for one in text):
            text = UNKNOWN if self._reader.width(raw) else ""
        text = _LIGATURE.sub(lambda one: unicodedata.normalize("NFKC", one[0]), text)
        code = Code(raw, text, self._reader.width(raw))
        if len(text) == 1 and text != UNKNOWN:
            self.used.setdefault(text, code)
        return code


class _Simple:
    """A font whose codes are bytes."""

    def __init__(
        self, spec: Any, descriptor: Any, name: str, unicode: dict[bytes, str], embedded: bool
    ) -> None:
        self.problem = ""
        self._letters = _letters(spec, descriptor, bool(unicode), embedded)
        first = int(_number(spec.get("/FirstChar"), 0))
        given = spec.get("/Widths")
        self._widths = {}
        if isinstance(given, pikepdf.Array):
            self._widths = {first + at: _number(one, 0) for at, one in enumerate(given)}
        self._missing = _number(descriptor.get("/MissingWidth"), 0)
        self._standard = {} if self._widths else metrics(name, int(descriptor.get("/Flags", 0)))

    def split(self, data: bytes) -> list[bytes]:
        return [data[at : at + 1] for at in range(len(data))]

    def text(self, raw: bytes) -> str:
        return self._letters.get(raw[0], "")

    def raw_of(self, letter: str) -> bytes:
        return next((bytes([at]) for at, one in self._letters.items() if one == letter), b"")

    def width(self, raw: bytes) -> float:
        width = self._widths.get(raw[0])
        if width is None:
            width = self._standard.get(self._letters.get(raw[0], ""), self._missing)
        return width / 1000


def _letters(spec: Any, descriptor: Any, mapped: bool, embedded: bool) -> dict[int, str]:
    """Return the letters of the codes of a simple font without those of its map to Unicode."""
    encoding = spec.get("/Encoding")
    true_type = spec.get("/Subtype") == pikepdf.Name.TrueType
    if encoding is None and embedded:
        if "/FontFile" in descriptor:
            return _built_in(descriptor["/FontFile"])
        if mapped or int(descriptor.get("/Flags", 0)) & _SYMBOLIC:
            return {}  # the program has an encoding of its own
    base = "WinAnsiEncoding" if true_type else "StandardEncoding"
    if isinstance(encoding, pikepdf.Name):
        base = str(encoding)[1:]
    elif isinstance(encoding, pikepdf.Dictionary) and "/BaseEncoding" in encoding:
        base = str(encoding["/BaseEncoding"])[1:]
    letters = dict(EncodingDB.get_encoding(base))
    if isinstance(encoding, pikepdf.Dictionary):
        code = 0
        for one in encoding.get("/Differences", ()):
            if isinstance(one, pikepdf.Name):
                letters[code] = letter_of(str(one)[1:])
                code += 1
            else:
                code = int(one)
    return letters


def letter_of(name: str) -> str:
    """Return the text of the glyph called *name*, or "".

    >>> letter_of("eacute"), letter_of("parenleftbigg"), letter_of("g37")
    ('é', '(', '')
    """
    for one in (name, _SIZES.sub("", name)):
        try:
            return str(name2unicode(one))
        except (KeyError, ValueError):
            continue
    return ""


def _built_in(program: Any) -> dict[int, str]:
    length = int(program.get("/Length1", 0)) or _MOST
    data = decoded(program, _MOST)[:length]
    if re.search(rb"/Encoding\s+StandardEncoding", data):
        return dict(EncodingDB.get_encoding("StandardEncoding"))
    try:
        found = Type1FontHeaderParser(io.BytesIO(data)).get_encoding()
    except Exception:  # whatever a damaged program makes of the parser
        return {}
    return dict(found)


class _Composite:
    """A font whose codes lead to CIDs by a character map."""

    def __init__(self, spec: Any, inner: Any, identity: bool) -> None:
        self.problem = ""
        self._identity = identity
        self._cids: dict[bytes, int] | None = None
        self._tree: Any = None
        self._lengths: list[tuple[bytes, bytes]] = []
        self._read_encoding(spec.get("/Encoding"))
        self._letters = self._collection(inner)
        self._default = _number(inner.get("/DW"), 1000)
        self._widths = dict(_cid_widths(inner.get("/W")))

    def _read_encoding(self, encoding: Any) -> None:
        if isinstance(encoding, pikepdf.Stream):
            found = cmaps.parsed(decoded(encoding, _MOST))
            self._cids, self._lengths = found.cids, found.lengths
            if found.vertical or encoding.get("/WMode", 0) == 1:
                self.problem = "vertical writing"
            if found.base or not found.lengths:
                self.problem = "a character map that cannot be read"
            return
        name = str(encoding)[1:] if isinstance(encoding, pikepdf.Name) else ""
        if name.endswith("V"):
            self.problem = "vertical writing"
        if name in ("Identity-H", "Identity-V"):
            return
        try:
            self._tree = getattr(CMapDB.get_cmap(name), "code2cid")  # noqa: B009 - not in its base
        except (CMapDB.CMapNotFound, AttributeError):
            self.problem = "a character map that is not known"

    @staticmethod
    def _collection(inner: Any) -> dict[int, str]:
        """Return the letters of the CIDs of a font of one of Adobe's collections."""
        system = inner.get("/CIDSystemInfo", {})
        name = f"{system.get('/Registry', '')}-{system.get('/Ordering', '')}"
        if name in ("Adobe-Identity", "Adobe-UCS", "-"):
            return {}
        try:
            return dict(CMapDB.get_unicode_map(name).cid2unichr)
        except CMapDB.CMapNotFound:
            return {}

    def split(self, data: bytes) -> list[bytes]:
        if self._tree is None and self._cids is None:
            return [data[at : at + 2] for at in range(0, len(data), 2)]
        found, at = [], 0
        while at < len(data):
            size = self._length(data, at)
            found.append(data[at : at + size])
            at += size
        return found

    def _length(self, data: bytes, at: int) -> int:
        if self._tree is not None:
            node, size = self._tree, 0
            while isinstance(node, dict) and at + size < len(data):
                node, size = node.get(data[at + size]), size + 1
            return max(1, size)
        for first, last in self._lengths:
            code = data[at : at + len(first)]
            if len(code) == len(first) and all(
                low <= one <= high for low, one, high in zip(first, code, last, strict=True)
            ):
                return len(first)
        return 1

    def text(self, raw: bytes) -> str:
        cid = self._cid(raw)
        if self._identity:
            return chr(cid) if cid is not None else ""
        return self._letters.get(cid, "") if cid is not None else ""

    def raw_of(self, letter: str) -> bytes:
        return b""

    def width(self, raw: bytes) -> float:
        cid = self._cid(raw)
        return (self._default if cid is None else self._widths.get(cid, self._default)) / 1000

    def _cid(self, raw: bytes) -> int | None:
        if self._cids is not None:
            return self._cids.get(raw)
        if self._tree is None:
            return int.from_bytes(raw) if len(raw) == 2 else None
        node: Any = self._tree
        for one in raw:
            node = node.get(one) if isinstance(node, dict) else None
        return node if isinstance(node, int) else None


def _cid_widths(given: Any) -> Iterator[tuple[int, float]]:
    if not isinstance(given, pikepdf.Array):
        return
    items = list(given)
    at = 0
    while at + 1 < len(items):
        first = int(_number(items[at], 0))
        if isinstance(items[at + 1], pikepdf.Array):
            for step, width in enumerate(items[at + 1]):
                yield first + step, _number(width, 1000)
            at += 2
        elif at + 2 < len(items):
            last = min(int(_number(items[at + 1], 0)), first + 0xFFFF)
            for cid in range(first, last + 1):
                yield cid, _number(items[at + 2], 1000)
            at += 3
        else:
            return


STANDARD = {
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "fixed": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
"""The faces that every viewer has: upright, bold, slanted, and both."""

_FIXED_NAME = re.compile(r"courier|mono|typewriter|consol|cmtt|fixed|terminal", re.I)
_SANS_NAME = re.compile(
    r"helvetica|arial|sans|calibri|verdana|tahoma|frutiger|univers|segoe|roboto|inter|gothic|"
    r"futura|myriad|lato|swiss|grotesk|cmss|trebuchet|aptos|carlito|noto(?!serif)",
    re.I,
)
_SERIF_NAME = re.compile(
    r"times|serif(?<!sans-serif)|roman|garamond|georgia|cambria|palat|book|minion|century|caslon|"
    r"cm(r|bx|ti|sl|csc)\d|nimbusrom|tinos|baskerville",
    re.I,
)
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi|cmbx|-bd|,b", re.I)
_SLANTED_NAME = re.compile(r"ital|obliq|slant|cmti|cmsl|-it\b", re.I)


def traits_of(name: str, flags: int) -> tuple[str, bool, bool]:
    """Return the traits of a face, by its name and the flags of its descriptor.

    >>> traits_of("Arial-BoldMT", 32), traits_of("CMTI10", 4)
    (('sans', True, False), ('serif', False, True))
    """
    if _FIXED_NAME.search(name) or (flags & _FIXED and not _SANS_NAME.search(name)):
        kind = "fixed"
    elif _SANS_NAME.search(name):
        kind = "sans"
    else:
        kind = "serif" if flags & _SERIF or _SERIF_NAME.search(name) else "sans"
    bold = bool(_BOLD_NAME.search(name)) or bool(flags & _BOLD)
    return kind, bold, bool(_SLANTED_NAME.search(name)) or bool(flags & _ITALIC)


_TALL_NAME = re.compile(r"verdana|dejavu|bitstream.?vera|lucida|tahoma", re.I)
_TALL = 0.547  # of the size: the height of small letters in these faces


def x_height_of(name: str) -> float:
    """Return the height of small letters in a face that is known by its name, else 0."""
    standard: Mapping[str, Any] = FONT_METRICS[name][0] if name in FONT_METRICS else {}
    if "XHeight" in standard:
        return float(standard["XHeight"]) / 1000
    return _TALL if _TALL_NAME.search(name) else 0.0


def standard_name(traits: tuple[str, bool, bool]) -> str:
    """Return the name of the standard face nearest to a face with *traits*."""
    kind, bold, slanted = traits
    return STANDARD[kind][bold + 2 * slanted]


def metrics(name: str, flags: int) -> dict[str, float]:
    """Return the widths of the letters of a standard face, or of the one that replaces *name*."""
    standard = name if name in FONT_METRICS else standard_name(traits_of(name, flags))
    return dict(FONT_METRICS[standard][1])


def _number(value: Any, default: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return default


def _within(value: float, least: float, most: float, default: float) -> float:
    return min(value, most) if value >= least else default
