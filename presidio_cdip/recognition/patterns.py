"""Compile the expressions of rules: for PCRE2 where it is installed, else for `re`.

PCRE2 (https://www.pcre.org) compiles expressions to machine code in a seventh of the time that `re`
takes, and searches a page in a seventh. Where it gives up, because an expression goes back over too
much of a text, `re` takes over.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import Forms

try:
    import pcre2
except ImportError:  # installed without dependencies, or on a platform without a wheel
    pcre2 = None

_GIVES_UP: tuple[type[Exception], ...] = (pcre2.LibraryError,) if pcre2 else ()
_CALLED = 60  # characters of a form that is called, not filled in, where the whole is too large

_LONG = 20_000  # characters; PCRE2 counts those before each match, where they are not all ASCII

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S)
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
    def _compiled(self) -> Any:
        """Return the expression for texts with any characters."""
        return self._for(lambda text: text)

    @cached_property
    def _ascii(self) -> Any:
        """Return the expression for texts in ASCII, as bytes.

        In bytes PCRE2 need not count the characters before each match. A character that is not
        ASCII matches nothing there.
        """
        return self._for(lambda text: _NOT_ASCII.sub("\xff", text).encode("latin-1"))

    def _for(self, written: Callable[[str], str | bytes]) -> Any:
        if pcre2 is None:
            return None
        try:
            return pcre2.compile(written(_ESCAPE.sub(_escape, self.pattern)))
        except pcre2.LibraryError:  # usually: it is too large
            pass
        try:
            called = _with_calls(self.expression, self.forms)
            return pcre2.compile(written(_ESCAPE.sub(_escape, called)))
        except (pcre2.LibraryError, IndexError):  # or an unbalanced bracket, which `re` tells
            return None

    def _run(self, method: str, text: str, *bounds: int) -> Any:
        """Return what the *method* of a compiled expression does: by PCRE2, or else by `re`."""
        subject: str | bytes = text
        if text.isascii():
            fast, subject = self._ascii, text.encode()
        else:
            fast = self._compiled if len(text) <= _LONG else None
        if fast is not None:
            try:
                found = getattr(fast, method)(subject, *bounds)
                return list(found) if method == "finditer" else found
            except _GIVES_UP:
                pass
        return getattr(self.plain, method)(text, *bounds)

    @cached_property
    def _has_value(self) -> bool:
        return "(?P<v>" in self.pattern

    def compile(self) -> None:
        """Compile the expression for texts in ASCII now."""
        _ = self._ascii

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


def _escape(match: re.Match[str]) -> str:
    r"""Return the escape as PCRE2 writes it: ``\z`` for ``\Z``, the character for ``\u2013``."""
    if code := match[1] or match[2]:
        return re.escape(chr(int(code, 16)))
    return r"\z" if match[3] == "Z" else match[0]


def _with_calls(expression: str, forms: Forms) -> str:
    """Return *expression* with its long forms defined once, and called where they are used.

    A called form keeps the flags it was defined with, so there is a definition for each set of
    flags that it is used under.
    """
    defined: dict[str, str] = {}

    def filled(text: str, flags: frozenset[str]) -> Iterator[str]:
        outer, at = [], 0
        for token in _TOKEN.finditer(text):
            if token["opening"]:
                outer.append(flags)
                flags = flags.union(token["on"] or "").difference(token["off"] or "")
            elif token["closing"]:
                flags = outer.pop()
            elif name := token["form"]:
                yield text[at : token.start()]
                yield used(name, flags)
                at = token.end()
        yield text[at:]

    def used(name: str, flags: frozenset[str]) -> str:
        whole = forms.expanded(name)
        if len(whole) < _CALLED or "(?P" in whole:  # no group can be read from a called form
            return f"(?:{''.join(filled(forms.text(name), flags))})"
        on = "".join(sorted(flags))
        key = f"{name}0{on}"  # no form has a digit in its name
        if key not in defined:
            defined[key] = f"(?{on}:{''.join(filled(forms.text(name), flags))})"
        return f"(?&{key})"

    main = "".join(filled(expression, frozenset()))
    return f"(?:{main})(?(DEFINE){''.join(f'(?<{key}>{text})' for key, text in defined.items())})"
