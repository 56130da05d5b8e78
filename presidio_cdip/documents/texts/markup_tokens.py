"""Part HTML into tags, text and comments, with their positions; any text is HTML."""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import NamedTuple

from presidio_cdip.documents.texts.markup_names import ESCAPABLE, RAW

_S = r"[ \t\n\f\r]"
_ATTRIBUTE = re.compile(
    rf"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)(?:{_S}*+={_S}*+"
    rf"(\"[^\"]*+\"|'[^']*+'|(?![\"'])[^ \t\n\f\r>]++)?+)?+"
)
_TAG = re.compile(rf"<(/?)([A-Za-z][^ \t\n\f\r/>]*+)((?:[ \t\n\f\r/]++|{_ATTRIBUTE.pattern})*+)>")
_COMMENT_END = re.compile(r"--!?>")
_RAW_END = {name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.I) for name in RAW | ESCAPABLE}
_EARLY = 1000  # characters before a declaration of the document's type
_CONDITION = re.compile(r"<!\[(?:if[^>]*|endif)\]>", re.I)
ENTITY = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;?)")


class Attribute(NamedTuple):
    """An attribute of a tag.

    Attributes:
        name: Its name, in small letters.
        start: Where its value begins, without quotation marks.
        end: Where it ends.
        quote: The quotation mark; "" if there is none.
    """

    name: str
    start: int
    end: int
    quote: str


class Token(NamedTuple):
    """A part of HTML.

    Attributes:
        kind: ``"text"``, ``"raw"`` (text without entities), ``"start"``, ``"end"``, ``"comment"``,
            ``"data"`` (a CDATA section) or ``"other"`` (a declaration or an instruction).
        start: Where it begins; of comments and such, what is in it.
        end: Where it ends.
        name: The tag's name in small letters; of raw text, the element it stands in.
        attributes: The tag's.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def tokens(text: str, raw: bool = True) -> Iterator[Token]:
    """Yield the parts of *text*, in order; blanks between them are text, too.

    Args:
        text: HTML or XML.
        raw: Whether elements such as ``script`` hold no markup; in XML, they do.
    """
    at, last = 0, text.rfind(">")
    while at < len(text):
        start = text.find("<", at)
        if start < 0 or start > last:
            yield Token("text", at, len(text))
            return
        token, after = _markup(text, start)
        if token is None:
            yield Token("text", at, start + 1)
            at = start + 1
            continue
        if start > at:
            yield Token("text", at, start)
        yield token
        at = after
        if raw and token.kind == "start" and token.name in _RAW_END:
            match = _RAW_END[token.name].search(text, at)
            end = match.start() if match else len(text)
            if end > at:
                kind = "raw" if token.name in RAW else "text"
                yield Token(kind, at, end, token.name)
            at = end


def _markup(text: str, at: int) -> tuple[Token | None, int]:
    """Return the token that begins with the ``<`` at *at*, and its end; None if that is text."""
    if match := _TAG.match(text, at):
        attributes = tuple(_attribute(one) for one in _ATTRIBUTE.finditer(text, *match.span(3)))
        kind = "end" if match[1] else "start"
        return Token(kind, at, match.end(), match[2].lower(), attributes), match.end()
    if text.startswith("<!--", at):
        if text.startswith((">", "->"), at + 4):
            end = text.index(">", at) + 1
            return Token("comment", end - 1, end - 1), end
        match = _COMMENT_END.search(text, at + 4)
        end, after = match.span() if match else (len(text), len(text))
        return Token("comment", at + 4, end), after
    if text.startswith("<![CDATA[", at):
        end = text.find("]]>", at)
        end, after = (end, end + 3) if end >= 0 else (len(text), len(text))
        return Token("data", at + 9, end), after
    if match := _CONDITION.match(text, at):
        return Token("other", at + 2, match.end() - 1), match.end()
    if text.startswith(("<!", "<?", "</"), at):
        end = text.find(">", at)
        subset = text.find("[", at, end)
        if subset >= 0 and at < _EARLY and text[at : at + 9].lower() == "<!doctype":
            end = max(end, text.find(">", max(end, text.find("]", subset))))
        return Token("other", at + 2, end), end + 1
    return None, at


def _attribute(match: re.Match[str]) -> Attribute:
    start, end = match.span(2)
    if start < 0:
        return Attribute(match[1].lower(), match.end(), match.end(), "")
    quote = match[2][0] if match[2][0] in "\"'" else ""
    return Attribute(match[1].lower(), start + len(quote), end - len(quote), quote)


@lru_cache(maxsize=4096)
def meaning(entity: str) -> str:
    """Return the text that an entity stands for; itself, if it is none.

    Of names without a semicolon, only whole ones are entities here.

    >>> meaning("&eacute;"), meaning("&amp"), meaning("&#x27;"), meaning("&nonsense;")
    ('é', '&', "'", '&nonsense;')
    """
    if entity.startswith("&#") or entity[1:] in html5:
        return unescape(entity)
    return entity
