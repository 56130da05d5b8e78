"""Recognize the names of programs that write PDF files: they are of no person."""

import re

KEYS = frozenset(["Producer", "Creator", "CreatorTool", "softwareAgent", "Program"])
"""Properties that name programs; people write their names into some of them."""

_NAMES = """
    acrobat adobe aladdin apache apple applewebkit applescript artifex build cairo canon chrome
    chromium core corel creator developer distiller draw drawing epson excel express for fop
    framemaker ghostscript gecko google gpl gs headlesschrome hp illustrator image indesign inc
    intel itext jasperreports khtml latex libreoffice like linux lowagie luatex mac mac_powerpc
    macintosh macos microsoft mozilla miktex mupdf office online openoffice org os pagemaker pdf
    pdflib pdfmaker pdftex pdfwriter photoshop postscript powerpoint prince printer pscript
    pypdf quark quarkxpress quartz quartzpdfcontext reportlab safari scan scansoft server skia
    suite tcpdf tex trial version webkit win windows wkhtmltopdf word writer www x x11 xerox
    xelatex xetex xpdf dll pro library plug in plugin the and with com dvips dvipdfm dvipdfmx
    hyperref package paper capture context pikepdf qpdf ocrmypdf tesseract
"""
_WORDS = frozenset(_NAMES.split())
_WORD = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*|x11")


def is_program(text: str) -> bool:
    """Return whether all words of *text* are known from the names of programs.

    >>> is_program("Acrobat Distiller 4.0 for Windows"), is_program("Word, Jane Smithson")
    (True, False)
    """
    words = [one for one in _WORD.findall(text.casefold()) if len(one) > 1]
    return bool(words) and all(one in _WORDS for one in words)
