"""Comments among the operators of a page are removed, and nothing else."""

import io

import pikepdf
import pytest

from presidio_cdip.documents import pdf
from presidio_cdip.documents.segments import Settings
from tests.documents.pdf.builders_pdf import Builder, text_page


def page(extra: str) -> bytes:
    return Builder().page(text_page("Hello") + extra).build()


def content(data: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as opened:
        return bytes(opened.pages[0].Contents.read_bytes())


def test_comments_are_removed_and_reported() -> None:
    """Though nothing is replaced on the page."""
    document = pdf.opened(page("\n% by Jane Smithson\nq Q"), "a.pdf", Settings())

    new = content(document.write({}, {}))

    assert b"Jane" not in new and b"Hello" in new


@pytest.mark.parametrize("extra", ["", "\nBT (100% sure) Tj ET", "\n%%\n"])
def test_other_content_stays(extra: str) -> None:
    """A percent sign in a string begins no comment."""
    data = page(extra)
    document = pdf.opened(data, "a.pdf", Settings())

    assert not document.removed
    assert content(document.write({}, {})) == content(data)
