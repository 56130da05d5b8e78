"""Tell whether the names in a column are those of persons."""

import re
from collections.abc import Collection, Sequence

from presidio_cdip.pack.language import english

PERSONS_NAME = "personsname"
"""The heading that stands for such a column, for the rules."""

FIRST_NAMES = "first_names"
NAMES = FIRST_NAMES, "last_names"
"""The lists by which a column of persons without a heading is known."""

_MOST = 0.7  # the share of names that must look like a person's
_TITLES = "|".join(map(re.escape, english().labels["titles"]))
_PERSON = re.compile(
    rf"(?:(?i:{_TITLES})\.? )?[A-Z][\w'’-]+(?:,? [A-Z][\w'’-]*\.?){{1,3}}"
    r"(?:,? (?:Jr|Sr|I{2,3})\.?)?"
)
_ONE_WORD = re.compile(r"[A-Z][\w'’-]+")
_FIRM = re.compile(rf"(?i)\b(?:{'|'.join(english().labels['firms'])})\b")
_WORD = re.compile(r"[^\W\d_]+")


def are_persons(names: Sequence[str], first_names: Collection[str] = ()) -> bool:
    """Return whether *names* look like those of persons, and none like that of a firm.

    Among others, one with a known first name is a person's: "Ben Church".

    Args:
        names: The names.
        first_names: Well-known ones, in small letters.

    >>> are_persons(["Roe, Ann", "Tom Dahl Jr."]), are_persons(["Roe Supply", "Dahl & Sons"])
    (True, False)
    >>> are_persons(["Ann Roe", "Tom Dahl", "Ben Church"], {"ben"})
    True
    """
    persons = sum(_PERSON.fullmatch(name) is not None for name in names)
    firms = [name for name in names if _FIRM.search(name)]
    if 2 * len(firms) < len(names):
        firms = [
            name
            for name in firms
            if not _PERSON.fullmatch(name)
            or not any(word.lower() in first_names for word in _WORD.findall(name))
        ]
    return persons >= _MOST * len(names) and not firms


def have_known_names(names: Sequence[str], known: Collection[str]) -> bool:
    """Return whether *names* are those of persons, in full or in part, most of them well known.

    Args:
        names: The names.
        known: The words of well-known names, in small letters.
    """
    if not are_persons(names) and not all(map(_ONE_WORD.fullmatch, names)):
        return False
    found = sum(any(word.lower() in known for word in _WORD.findall(name)) for name in names)
    return found >= _MOST * len(names)
