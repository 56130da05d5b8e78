"""Check that no original is left in a document that was written."""

from collections.abc import Iterable, Iterator

_SHORTEST = 6  # characters without blanks; shorter values occur by chance


def still_there(
    originals: Iterable[tuple[str, str]], written: str, extracted: Iterable[tuple[str, str]]
) -> Iterator[str]:
    """Yield the entity of each original that stands in *extracted*, but not in *written*.

    Texts are compared without blanks and case, so that a value that is broken over lines, or set
    letter by letter, is found. A value that also stands where it is no finding is not looked for.

    Args:
        originals: Entity and text of each value that was replaced.
        written: The text of the document after replacement.
        extracted: Where a text stands in the new document, and the text.
    """
    left = plain(written)
    sought = {
        text: entity
        for entity, value in originals
        if len(text := plain(value)) >= _SHORTEST and text not in left
    }
    if not sought:
        return
    for _, text in extracted:
        within = plain(text)
        yield from (entity for value, entity in sought.items() if value in within)


def plain(text: str) -> str:
    """Return *text* without blanks and case."""
    return "".join(text.split()).casefold()
