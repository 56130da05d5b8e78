"""Name the scope of a text: that of its subject, or its own."""

import hashlib
import re
from collections.abc import Callable
from functools import lru_cache

from presidio_cdip.errors import PolicyError

COLUMN = "column:"
"""Begins what names a column whose cells are the scopes of their rows, instead of an expression."""

ScopeFrom = str | Callable[[str], str | None]
"""A regular expression with one group, or a function that returns the scope of a text."""


def scope_of(text: str, scope_from: ScopeFrom | None = None) -> str:
    r"""Return the scope that *scope_from* finds in *text*, or else one of the text's own.

    Two texts that are equal have one scope of their own.

    Args:
        text: The text that was analyzed.
        scope_from: A regular expression whose group is searched for, or a function of the text.
            If the expression does not match, or the function returns None or a blank, the text is
            a scope of its own.

    Raises:
        PolicyError: The expression is invalid or has not one group.

    >>> scope_of("Patient 4711, born 1965", r"Patient (\d+)")
    '4711'
    >>> scope_of("no number")[:13]
    'text 2aebf577'
    """
    if callable(scope_from):
        found = scope_from(text)
    else:
        match = check_scope_from(scope_from).search(text) if scope_from is not None else None
        found = match[1] if match else None
    if found and found.strip():
        return found
    return f"text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def column_in(scope_from: str | None) -> str:
    r"""Return the name of the column whose cells are scopes; "" for an expression or None.

    Raises:
        PolicyError: The name is blank, or the expression is invalid or has not one group.

    >>> column_in("column:Patient No."), column_in(r"Patient (\d+)")
    ('Patient No.', '')
    """
    if scope_from is None or not scope_from.startswith(COLUMN):
        if scope_from is not None:
            check_scope_from(scope_from)
        return ""
    name = heading(scope_from.removeprefix(COLUMN))
    if not name:
        raise PolicyError("scope_from", f"{COLUMN} needs the name of a column")
    return name


def heading(text: str) -> str:
    """Return the heading of a column, as it is compared with others in small letters."""
    return " ".join(text.split())


@lru_cache(maxsize=64)
def check_scope_from(expression: str) -> re.Pattern[str]:
    """Return the compiled *expression* of a scope.

    Raises:
        PolicyError: It is invalid or has not one group.
    """
    try:
        pattern = re.compile(expression)
    except re.error as error:
        raise PolicyError("scope_from", f"not a regular expression: {error}") from None
    if pattern.groups != 1:
        raise PolicyError("scope_from", f"needs one group; the expression has {pattern.groups}")
    return pattern
