"""Find the cells of a table that are labels of the values in other cells."""

from collections.abc import Sequence

_LONGEST = 48
_FIELDS = frozenset(
    """
    account address age amount birth born code contact country date description diagnosis dob
    doctor email employee employer fax field first gender id insurance item last medication mobile
    mrn name no nr number passport patient person phone physician position postcode salary sex
    ssn state street surname tax tel telephone title type value year zip
    """.split()  # noqa: SIM905 - a list of words
)
"""Words that names of values often have."""


def labels(texts: Sequence[Sequence[str]]) -> dict[tuple[int, int], str]:
    """Return the label of each cell that has one, by row and column.

    A cell is labelled by a cell to its left that ends in a colon; by the head of its column, if
    the first row looks like heads; in a table of two columns, by the first.

    >>> labels([["Name", "SSN"], ["John Smith", "271-24-0538"]])[1, 1]
    'SSN'
    >>> labels([["SSN:", "271-24-0538"], ["Born:", "1 May 1984"]])
    {(0, 1): 'SSN', (1, 1): 'Born'}
    """
    found: dict[tuple[int, int], str] = {}
    heads = list(texts[0]) if len(texts) > 1 and _are_heads(texts) else []
    pairs = _are_pairs(texts)
    if heads and pairs:
        above, beside = _fields(heads), _fields([row[0] for row in texts if row])
        heads = heads if above >= beside else []
        pairs = beside >= above
    for row, cells in enumerate(texts):
        for column, text in enumerate(cells):
            if not text:
                continue
            left = cells[column - 1] if column else ""
            if left.endswith(":") and is_label(left) and not text.endswith(":"):
                found[row, column] = left.rstrip(": ")
                continue
            head = heads[column] if row and column < len(heads) else ""
            side = left if pairs and column == 1 else ""
            label = " ".join(one for one in (head, side) if one and one != text)
            if label:
                found[row, column] = label
    return found


def is_label(text: str) -> bool:
    """Return whether *text* looks like the name of a value: short, with letters, few digits."""
    digits = sum(letter.isdigit() for letter in text)
    return (
        0 < len(text) <= _LONGEST and digits <= 1 and any(map(str.isalpha, text))
        and "@" not in text and not text.endswith((".", "!"))
    )  # fmt: skip


def _fields(texts: Sequence[str]) -> int:
    """Return the number of *texts* that have a word of labels."""
    return sum(not _FIELDS.isdisjoint(text.lower().strip(".:#").split()) for text in texts)


def _are_heads(texts: Sequence[Sequence[str]]) -> bool:
    first = [text for text in texts[0] if text]
    if len(first) < 2 or len(set(first)) < len(first) or not all(map(is_label, first)):
        return False
    return not any(text.endswith(":") for text in first)


def _are_pairs(texts: Sequence[Sequence[str]]) -> bool:
    firsts = [row[0] for row in texts if len(row) == 2 and row[0]]
    if len(firsts) < len([row for row in texts if any(row)]) or not firsts:
        return False
    return len(set(firsts)) == len(firsts) and all(map(is_label, firsts))
