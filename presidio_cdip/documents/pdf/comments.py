"""Find and remove the comments among the operators of a page, which only programs read."""

import re
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf.objects import contents_of

COMMENTS = "comments among the operators of the page"
_WORD = re.compile(rb"[^\W_]{3}")


class _Filter(pikepdf.TokenFilter):
    """Leaves comments out; `found` tells whether one of them has words."""

    def __init__(self) -> None:
        super().__init__()
        self.found = False

    def handle_token(self, token: pikepdf.Token | None = None) -> Any:
        if token is not None and token.type_ == pikepdf.TokenType.comment:
            self.found = self.found or _WORD.search(token.raw_value) is not None
            return None
        return token


def has_comments(page: Any) -> bool:
    """Return whether comments with words stand in the content of a `pikepdf.Page`."""
    if not any(b"%" in content for content in contents_of(page.obj)):
        return False
    comments = _Filter()
    try:
        page.get_filtered_contents(comments)
    except (pikepdf.PdfError, RuntimeError):
        return False  # such a page becomes a picture
    return comments.found


def without_comments(pdf: Any, page: Any) -> None:
    """Write the content of a `pikepdf.Page` without its comments."""
    page.obj.Contents = pdf.make_stream(page.get_filtered_contents(_Filter()))
