"""Compile the expressions of rules: for PCRE2 where it is installed, else for `re`.

PCRE2 (https://www.pcre.org) compiles expressions in a tenth of the time that `re` takes, and
searches a page in a seventh. Where it gives up, because an expression goes back over too much of a
text, `re` takes over.

PCRE2 reads single bytes fastest. A text of ASCII and of the usual signs that are neither letters
nor digits, such as typographic quotes, is given to it as bytes, one for each character; other texts
as UTF-8. An expression becomes machine code when it has read enough text to be worth that time.
"""

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import Forms

try:
    import pcre2
except ImportError:  # installed without dependencies, or on a platform without a wheel
    pcre2 = None

# The second is of half a surrogate, which a text in JSON may have.
_GIVES_UP: tuple[type[Exception], ...] = (pcre2.LibraryError, UnicodeEncodeError) if pcre2 else ()
_CALLED = 60  # characters of a form that is called, not filled in, where the whole is too large

_LONG = 20_000  # characters; PCRE2 counts those before each match in UTF-8
_WORTH = 0.25  # characters to read for each character of an expression, until it is machine code
_ANCHORED = 200  # characters that a match at a given place counts for

SIGNS = "¢£¤¥¦§¨©«¬®¯°±´¶·¸»\u2010\u2011\u2012–—―‘’‚“”„†‡•…‰′″€™←→−∗√≈≠≤≥■□○●★☆☐☑☒✓✔✗✘\ufffd"
"""Characters with a byte of their own, in order: of no word and no blank, in no other case."""

_FIRST_SIGN = 0x81
# Between the bytes of two signs is one for all characters between them, which no text has: so each
# class and range of an expression holds the bytes of its signs, and of no others.
_BYTES = codecs.charmap_build(
    "".join(map(chr, range(128))) + "\ufffe" + "\ufffe".join(SIGNS).ljust(127, "\ufffe")
)

_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([89a-fA-F][0-9a-fA-F])|([23][0-7]{2})|(.))", re.S
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"  # an escape, or a class with brackets of its own
    r"|(?P<opening>\((?:\?(?P<on>[a-z]*)(?:-(?P<off>[a-z]+))?:)?)"
    r"|(?P<closing>\))"
    r"|\{(?P<form>[a-z_]+)\}",
    re.S,
)

Match = Any
"""A match of `re` or of PCRE2: both have ``start``, ``end`` and ``span``."""


class Pattern:
    """An expression that is compiled when it is first used; safe to share between threads.

    Args:
        expression: A regular expression that means the same to `re` and PCRE2.
        forms: The named expressions that it uses as ``{name}``.
    """

    def __init__(self, expression: str, forms: Forms | None = None) -> None:
        self.expression = expression
        self.forms = forms or Forms()
        self._read = 0  # characters, until it is machine code

    @cached_property
    def pattern(self) -> str:
        """Return the expression with its forms filled in."""
        return self.forms.expand(self.expression)

    @cached_property
    def plain(self) -> re.Pattern[str]:
        """Return the expression as `re` compiles it."""
        try:
            return re.compile(self.pattern)
        except re.error as error:  # in a form or a list of an overlay that a shipped rule uses
            problem = f"bad regular expression in a form: {error.msg}"
            raise PackError("recognizers/", problem) from None

    @cached_property
    def _unicode(self) -> Any:
        """Return the expression for texts with any characters."""
        return self._for(lambda text: text)

    @cached_property
    def _bytes(self) -> Any:
        """Return the expression for texts in ASCII and `SIGNS`, as bytes.

        In bytes PCRE2 need not count the characters before each match.
        """
        return self._for(lambda text: _NOT_ASCII.sub(_byte, text).encode("latin-1"))

    def _for(self, written: Callable[[str], str | bytes]) -> Any:
        if pcre2 is None:
            return None
        try:
            return pcre2.compile(written(_escaped(self.pattern)), jit=False)
        except pcre2.LibraryError:  # usually: it is too large
            pass
        try:
            called = _with_calls(self.expression, self.forms)
            return pcre2.compile(written(_escaped(called)), jit=False)
        except (pcre2.LibraryError, IndexError):  # or an unbalanced bracket, which `re` tells
            return None

    def _run(self, method: str, text: str, *bounds: int) -> Any:
        """Return the result of *method* of the compiled expression: by PCRE2, or else by `re`."""
        subject: str | bytes = text
        if (encoded := _encoded(text)) is not None:
            fast, subject = self._bytes, encoded
        else:
            fast = self._unicode if len(text) <= _LONG else None
        if fast is not None:
            if not fast.jit:
                self._count(fast, method, text, *bounds)
            try:
                found = getattr(fast, method)(subject, *bounds)
                return list(found) if method == "finditer" else found
            except _GIVES_UP:
                pass
        return getattr(self.plain, method)(text, *bounds)

    def _count(self, fast: Any, method: str, text: str, start: int = 0, end: int = 0) -> None:
        """Make *fast* machine code if it has read enough before; else count what it reads now."""
        if self._read > _WORTH * len(fast.pattern):
            fast.jit_compile()
        else:
            self._read += _ANCHORED if method == "match" else (end or len(text)) - start

    @cached_property
    def _has_value(self) -> bool:
        return "(?P<v>" in self.pattern

    def compile(self) -> None:
        """Compile the expression to machine code now, for texts in ASCII and `SIGNS`."""
        if self._bytes is not None:
            self._bytes.jit_compile()

    def finditer(self, text: str) -> Iterable[Match]:
        """Return the matches in *text*, in order, none overlapping."""
        matches: Iterable[Match] = self._run("finditer", text)
        return matches

    def search(self, text: str, start: int = 0, end: int | None = None) -> Match | None:
        """Return the first match in ``[start, end)`` of *text*; nothing is seen beyond *end*."""
        return self._run("search", text, start, len(text) if end is None else end)

    def match(self, text: str, start: int = 0, end: int | None = None) -> Match | None:
        """Return the match that begins at *start* of *text*; nothing is seen beyond *end*."""
        return self._run("match", text, start, len(text) if end is None else end)

    def value(self, match: Match) -> tuple[int, int]:
        """Return the span of group ``v`` if it matched, else that of group ``_``."""
        if self._has_value and match.start("v") >= 0:
            return match.start("v"), match.end("v")
        return match.start("_"), match.end("_")


def _encoded(text: str) -> bytes | None:
    """Return *text* with a byte for each character, or None if one has no byte."""
    if text.isascii():
        return text.encode()
    try:
        return codecs.charmap_encode(text, "strict", _BYTES)[0]
    except UnicodeEncodeError:
        return None


def _byte(match: re.Match[str]) -> str:
    """Return the character whose code is the byte of a sign, or that between two signs."""
    place = bisect_left(SIGNS, match[0])
    is_sign = SIGNS[place : place + 1] == match[0]
    return chr(_FIRST_SIGN + 2 * place - (not is_sign))


def _escaped(expression: str) -> str:
    """Return *expression* with its escapes as PCRE2 writes them."""
    needed = any(escape in expression for escape in (r"\u", r"\U", r"\x", r"\2", r"\3", r"\Z"))
    return _ESCAPE.sub(_escape, expression) if needed else expression


def _escape(match: re.Match[str]) -> str:
    r"""Return the escape as PCRE2 writes it: ``\z`` for ``\Z``, the character for ``\u2013``.

    A character above ASCII is written as itself, so that it gets its byte in texts of bytes.
    """
    if code := match[1] or match[2] or match[3]:
        return re.escape(chr(int(code, 16)))
    if octal := match[4]:
        return re.escape(chr(int(octal, 8)))
    return r"\z" if match[5] == "Z" else match[0]


def _with_calls(expression: str, forms: Forms) -> str:
    """Return *expression* with its long forms defined once, and called where they are used.

    A called form keeps the flags it was defined with, so there is a definition for each set of
    flags that it is used under.
    """
    main, defined = _filled(expression, frozenset(), forms)
    return f"(?:{main})(?(DEFINE){''.join(f'(?<{key}>{text})' for key, text in defined.items())})"


_Filled = tuple[str, Mapping[str, str]]
"""An expression without forms, and the definitions of those that it calls, by name."""


def _filled(text: str, flags: frozenset[str], forms: Forms) -> _Filled:
    """Return *text*, which stands under *flags*, with its forms filled in or called."""
    parts, defined = list[str](), dict[str, str]()
    outer, at = [], 0
    for token in _TOKEN.finditer(text):
        if token["opening"]:
            outer.append(flags)
            flags = flags.union(token["on"] or "").difference(token["off"] or "")
        elif token["closing"]:
            flags = outer.pop()
        elif name := token["form"]:
            used, more = _used(name, flags, forms)
            defined |= more
            parts += text[at : token.start()], used
            at = token.end()
    return "".join([*parts, text[at:]]), defined


@lru_cache(maxsize=4096)
def _used(name: str, flags: frozenset[str], forms: Forms) -> _Filled:
    """Return how the form *name* is used under *flags*: filled in if it is short, else called."""
    own, defined = _filled(forms.text(name), flags, forms)
    whole = forms.expanded(name)
    if len(whole) < _CALLED or "(?P" in whole:  # no group can be read from a called form
        return f"(?:{own})", defined
    on = "".join(sorted(flags))
    key = f"{name}0{on}"  # no form has a digit in its name
    return f"(?&{key})", {**defined, key: f"(?{on}:{own})"}
