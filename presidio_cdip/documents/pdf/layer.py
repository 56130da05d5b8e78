"""Write the invisible text layer of a page that is a picture."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pikepdf

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.words import EMPTY, MARKED, Box, Word

FONT = "/Layer"
"""The name of the layer's font in the resources of its page."""

_UNITS = 500  # the advance of every character, in thousandths of the font's size
_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0000> <FFFF> <0000>
endbfrange
endcmap
end
end
"""


def font(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return a font without outlines, whose codes are UTF-16."""
    name = pikepdf.Name("/GlyphLessFont")
    descriptor = pikepdf.Dictionary(
        Type=pikepdf.Name.FontDescriptor, FontName=name, Flags=5, ItalicAngle=0, Ascent=800,
        Descent=-200, CapHeight=800, StemV=80, FontBBox=[0, -200, _UNITS, 800],
    )  # fmt: skip
    descendant = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType2, BaseFont=name, DW=_UNITS,
        CIDToGIDMap=pikepdf.Name.Identity, FontDescriptor=pdf.make_indirect(descriptor),
        CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
    )  # fmt: skip
    whole = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type0, BaseFont=name,
        Encoding=pikepdf.Name("/Identity-H"), ToUnicode=pdf.make_stream(_TO_UNICODE),
        DescendantFonts=[pdf.make_indirect(descendant)],
    )  # fmt: skip
    return pdf.make_indirect(whole)


def content(words: Sequence[Word], height: int) -> bytes:
    """Return operators that set *words* invisibly.

    Args:
        words: What can be read on the picture; their boxes are in its pixels.
        height: Of the picture, in pixels. A unit of the layer is one pixel, origin bottom left.
    """
    parts = [b"BT 3 Tr"]
    for word in words:
        codes = _codes(word.text + " ")
        box = word.box
        tall, wide = max(1, box.bottom - box.top), max(1, box.right - box.left)
        natural = (len(codes) / 2 - 1) * tall * _UNITS / 1000
        if natural <= 0:
            continue
        parts.append(
            b"%s %d Tf %.2f Tz 1 0 0 1 %d %d Tm <%s> Tj"
            % (
                FONT.encode(), tall, 100 * wide / natural, box.left,
                height - box.bottom + tall // 5, codes.hex().encode(),
            )
        )  # fmt: skip
    return b"\n".join([*parts, b"ET"])


def _codes(text: str) -> bytes:
    return "".join(each for each in text if ord(each) < 0x10000).encode("utf-16-be", "ignore")


def read(image: Any, name: str, language: str) -> tuple[list[Word], int]:
    """Return the words that OCR reads on a redacted picture, and how it was turned for that.

    Words are in pixels of the picture after so many quarter turns counter-clockwise. A picture that
    OCR cannot read in any way has none.

    Raises:
        MissingDependency: Tesseract or the file of the language is not installed.
    """
    from presidio_cdip.imaging.page.turning import turned, turns_to_try
    from presidio_cdip.imaging.reading.ocr import read_words

    try:
        return read_words(image, name=name, language=language), 0
    except UnreadableInput:
        pass
    for turns in turns_to_try(image):
        try:
            words = read_words(turned(image, turns), name=name, language=language)
        except UnreadableInput:
            continue
        if words:
            return words, turns
    return [], 0


def again(
    image: Any, words: Sequence[Word], treated: Sequence[Box], name: str, language: str
) -> list[Word]:
    """Return the words of a redacted picture of which *words* were read before.

    Only what was redacted is read again; the rest of the picture is as it was. Check boxes whose
    marks may have moved are left out.

    Args:
        image: The redacted picture.
        words: What was read on it before, in the order of its text.
        treated: What was redacted, in its pixels.
        name: For errors.
        language: Tesseract's name of its language.

    Raises:
        MissingDependency: Tesseract or the file of the language is not installed.
    """
    found: list[Word] = []
    left = dict(enumerate(treated))
    for word in words:
        if word.text in (EMPTY, MARKED) and word.box in treated:
            left = {number: box for number, box in left.items() if box != word.box}
            continue
        touched = [number for number, box in enumerate(treated) if word.box.overlaps(box)]
        for number in touched:
            if number in left:
                found += _read_in(image, left.pop(number), name, language)
        if not touched:
            found.append(word)
    for box in left.values():
        found += _read_in(image, box, name, language)
    return found


def _read_in(image: Any, box: Box, name: str, language: str) -> Sequence[Word]:
    """Return the words in a box of one line, as the closer of two readings has them."""
    from presidio_cdip.imaging.reading.ocr import look_again

    readings: dict[int, list[Word]] = {}
    with suppress(UnreadableInput):
        for word in look_again(image, [box], name=name, language=language):
            across, down = word.box.left + word.box.right, word.box.top + word.box.bottom
            if box.left <= across / 2 <= box.right and box.top <= down / 2 <= box.bottom:
                readings.setdefault(word.block, []).append(word)
    return next(iter(readings.values()), [])
