"""Read the attributes of HTML tags: texts, addresses, names, files in ``data:`` addresses."""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import quote

from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.code import SCRIPT, add_code
from presidio_cdip.documents.texts.encodings import Source
from presidio_cdip.documents.texts.json_scan import Scanner, label_of
from presidio_cdip.documents.texts.markup_names import IDENTIFIERS, LISTS, STRUCTURAL, URLS
from presidio_cdip.documents.texts.markup_tokens import ENTITY, Attribute, Token, meaning
from presidio_cdip.documents.texts.percents import PERCENT, of_percents
from presidio_cdip.documents.texts.sources import SourceDocument, one_line
from presidio_cdip.documents.texts.structured import add_files, add_json
from presidio_cdip.documents.texts.values import Chain, Value
from presidio_cdip.files.inputs import decode

_LETTER = re.compile(r"[^\W_]")
_SUSPICIOUS = re.compile(r"\d{4}|@")
_IN_QUERY = re.compile(rf"{PERCENT.pattern}|\+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DECLARED = re.compile(
    rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w:.-]+)"
    rb"|^\s*<\?xml[^>]{1,200}?encoding\s*=\s*[\"']([\w.-]+)",
    re.I,
)
_ALIASES = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252",
            "ascii": "cp1252", "windows-1252": "cp1252", "gb2312": "gb18030",
            "gbk": "gb18030", "shift_jis": "cp932", "iso-8859-9": "cp1254",
            "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "tis-620": "cp874"}  # fmt: skip
_CODE = re.compile(r"\s*+javascript\s*+:", re.I)
_FIELDS = frozenset(("value", "placeholder"))


def charset_of(data: bytes) -> str:
    """Return the encoding that an HTML file declares; "" if it declares none."""
    match = _DECLARED.search(data[:2048])
    if match is None:
        return ""
    found = (match[1] or match[2]).decode("ascii").lower()
    return "" if found.startswith(("utf-16", "utf-32")) else _ALIASES.get(found, found)


def decoded(data: bytes, name: str) -> str:
    """Return the text of a file in the encoding that it declares; if that fails, in another one."""
    charset = charset_of(data)
    try:
        return data.decode(charset) if charset else decode(data, name)
    except (LookupError, UnicodeError):
        return decode(data, name)


def encoder(source: Source, quote_mark: str | None) -> Callable[[str], str]:
    """Return new text as it is written in HTML.

    Args:
        source: Characters that its encoding lacks are written as numbers.
        quote_mark: "" in text; in an attribute, its quotation mark, or None if it has none.
    """
    special = {None: "&<>\"'`= \t\n\r\f", "": "&<>"}.get(quote_mark, f"&<>{quote_mark}")

    def encode(new: str) -> str:
        new = _CONTROL.sub(" ", new) if quote_mark is None else new
        return "".join(
            _written(char) if char in special or not (char.isascii() or source.fits(char))
            else char
            for char in new
        )  # fmt: skip

    return encode


@lru_cache(maxsize=256)
def _written(char: str) -> str:
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}.get(char, f"&#{ord(char)};")


class Attributes:
    """Adds the attributes of tags to a document."""

    def __init__(self, document: SourceDocument, everything: Value) -> None:
        self._document = document
        self._all = everything
        source = document.source
        self._encoders = {
            "": encoder(source, None), '"': encoder(source, '"'), "'": encoder(source, "'")
        }  # fmt: skip

    def add(self, token: Token, where: str, caption: str) -> None:
        """Add the attributes of a tag.

        Args:
            token: The tag.
            where: Where it stands.
            caption: The text of the label before a field of a form.
        """
        text = self._document.source.text
        values = {one.name: text[one.start : one.end] for one in token.attributes}
        for one in token.attributes:
            if one.start == one.end:
                if not (one.name.isascii() and _SUSPICIOUS.search(one.name) is None):
                    self._document.note_unread(where, "the name of an attribute")
                continue
            place = f"{where}, {token.name} {_shown(one.name)}"
            self._add(one, self._value(one), place, _label(token, one, values, caption))

    def _value(self, one: Attribute) -> Value:
        return self._all.decoded(ENTITY, meaning, self._encoders[one.quote], one.start, one.end)

    def _add(self, one: Attribute, value: Value, where: str, label: str) -> None:
        text, name = value.text, one.name
        if name.startswith("on") or (name in URLS and _CODE.match(text)):
            add_code(self._document, value, where, SCRIPT)
        elif text.startswith(("[", "{")) and _is_json(text):
            add_json(self._document, value, Scanner(text), f"{where}, $")
        else:
            address = data_uris.whole(text) if name in URLS - LISTS else None
            hidden = [address] if address else data_uris.in_addresses(text)
            for stretch in add_files(self._document, value, hidden, where):
                self._add_text(name, stretch, where, label)

    def _add_text(self, name: str, value: Value, where: str, label: str) -> None:
        """Add a value, or what stands in it beside files."""
        text = value.text
        if name in URLS:
            self._add_address(value, where)
        elif name in IDENTIFIERS or name.startswith("xmlns"):
            if _SUSPICIOUS.search(text):
                self._document.add(value, where)
        elif name not in STRUCTURAL and _LETTER.search(text):
            self._document.add(value, where, label, "\n\n")

    def _add_address(self, value: Value, where: str) -> None:
        """Add an address, without its percent signs."""
        text = value.text
        if text.startswith("#") or not _LETTER.search(text):
            return
        calls = text.partition(":")[0].strip().lower() in ("mailto", "tel", "sms", "callto")
        safe = "@+-._~:/," if calls else "@-._~:,"

        def encode(new: str) -> str:
            return value.encode(quote(one_line(new), safe=safe))

        split = text.find("?") if "?" in text and not calls else len(text)
        path = value.decoded(PERCENT, of_percents, encode, 0, split)
        query = value.decoded(_IN_QUERY, _unquoted, encode, split)
        self._document.add(Chain([path, query]) if query.text else path, where, "", "\n\n")


def _unquoted(signs: str) -> str:
    """Return the character that percent signs, or a plus sign, stand for."""
    return " " if signs == "+" else of_percents(signs)


def _is_json(text: str) -> bool:
    try:
        return bool(json.loads(text))
    except (ValueError, RecursionError):
        return False


def _label(token: Token, one: Attribute, values: dict[str, str], caption: str) -> str:
    """Return the label of an attribute's value."""
    if one.name.startswith("data-"):
        return label_of((one.name[5:],))
    if token.name == "meta":
        return label_of((values.get("name") or values.get("property") or "",))
    if one.name in _FIELDS:
        return caption or label_of((values.get("name") or values.get("id") or "",))
    return ""


def _shown(name: str) -> str:
    return name if name.isascii() and not _SUSPICIOUS.search(name) else "attribute"
