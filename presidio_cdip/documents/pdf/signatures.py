"""Find and remove the signatures of a PDF: any change makes them void."""

from collections.abc import Iterator
from typing import Any

import pikepdf

VOID = "the signature: it is void once the document is changed"


def is_signed(pdf: Any) -> bool:
    """Return whether a field of *pdf* holds a signature, or its catalog certifies it."""
    return "/Perms" in pdf.Root or "/DSS" in pdf.Root or any(True for _ in _signed(pdf))


def remove(pdf: Any) -> None:
    """Remove the signatures of *pdf*; their fields stay, empty."""
    for field in list(_signed(pdf)):
        for entry in ("/V", "/Lock", "/SV"):
            if entry in field:
                del field[entry]
    form = pdf.Root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary) and "/SigFlags" in form:
        del form["/SigFlags"]
    for entry in ("/Perms", "/DSS"):
        if entry in pdf.Root:
            del pdf.Root[entry]


def _signed(pdf: Any) -> Iterator[Any]:
    """Yield the fields that hold a signature, wherever they hang."""
    for one in pdf.objects:
        if not isinstance(one, pikepdf.Dictionary) or not isinstance(
            one.get("/V"), pikepdf.Dictionary
        ):
            continue
        value = one["/V"]
        if one.get("/FT") == pikepdf.Name.Sig or "/ByteRange" in value:
            yield one
