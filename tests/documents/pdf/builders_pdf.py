"""Build small PDF documents from raw content streams."""

import io
from collections.abc import Sequence
from typing import Any

import pikepdf


class Builder:
    """A PDF under construction; its pages have the font /F1, Helvetica."""

    def __init__(self) -> None:
        self.pdf = pikepdf.new()
        self.font = self.pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name.Helvetica,
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )

    def page(
        self,
        content: str | bytes,
        forms: dict[str, Any] | None = None,
        fonts: dict[str, Any] | None = None,
        **entries: Any,
    ) -> "Builder":
        """Add a page of 600 by 400 points."""
        data = content.encode("latin-1") if isinstance(content, str) else content
        page = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=[0, 0, 600, 400],
            Contents=self.pdf.make_stream(data),
            Resources=self.resources(forms, fonts),
        )
        for key, value in entries.items():
            page[f"/{key}"] = value
        self.pdf.pages.append(pikepdf.Page(self.pdf.make_indirect(page)))
        return self

    def resources(
        self, forms: dict[str, Any] | None = None, fonts: dict[str, Any] | None = None
    ) -> pikepdf.Dictionary:
        """Return resources with the font, and with *forms* and *fonts* by their names."""
        return pikepdf.Dictionary(
            Font=pikepdf.Dictionary({"/F1": self.font, **(fonts or {})}),
            XObject=pikepdf.Dictionary(forms or {}),
        )

    def form(self, content: str, forms: dict[str, Any] | None = None) -> Any:
        """Return a Form XObject."""
        form = self.pdf.make_stream(content.encode("latin-1"))
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox = [0, 0, 600, 400]
        form.Resources = self.resources(forms)
        return form

    def composite(self, letters: str) -> tuple[Any, dict[str, str]]:
        """Return a Type 0 font with two-byte codes, and the code of each letter in hex.

        It has no program; its map to Unicode gives codes from 3 on, in the order of *letters*.
        """
        codes = {letter: f"{at:04x}" for at, letter in enumerate(letters, start=3)}
        pairs = "\n".join(f"<{code}> <{ord(letter):04x}>" for letter, code in codes.items())
        inner = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.CIDFontType2,
            BaseFont=pikepdf.Name("/ABCDEF+Arial"),
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            DW=600,
        )
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type0,
            BaseFont=pikepdf.Name("/ABCDEF+Arial"),
            Encoding=pikepdf.Name("/Identity-H"),
            DescendantFonts=[self.pdf.make_indirect(inner)],
            ToUnicode=self.pdf.make_stream(
                f"begincmap {len(codes)} beginbfchar\n{pairs}\nendbfchar endcmap".encode()
            ),
        )
        return self.pdf.make_indirect(font), codes

    def build(self, **options: Any) -> bytes:
        """Return the bytes of the document."""
        out = io.BytesIO()
        self.pdf.save(out, **options)
        return out.getvalue()


def text_page(*lines: str, size: int = 12) -> str:
    """Return content that shows *lines*, one below the other."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    return f"BT /F1 {size} Tf {size * 1.3:.1f} TL 1 0 0 1 50 350 Tm {shown} ET"


def simple(*lines: str) -> bytes:
    """Return a document of one page with *lines*."""
    return Builder().page(text_page(*lines)).build()


def content_of(data: bytes, page: int = 0) -> bytes:
    """Return the content of a page and of the forms in its resources."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        found = [pdf.pages[page].Contents.read_bytes()]
        for form in pdf.pages[page].Resources.get("/XObject", {}).values():
            found.append(form.read_bytes())
        return b"\n".join(found)


def words(texts: Sequence[str]) -> str:
    """Return *texts* joined, for comparisons."""
    return " ".join(" ".join(texts).split())
