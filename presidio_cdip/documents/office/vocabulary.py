"""List the elements and attributes of XML parts that hold text, and those that hold measures."""

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Vocabulary:
    """The uses of elements and attributes, all by their short names.

    What it does not name is not lost: other text is a passage of its own, and so is each
    attribute whose value could be one that somebody looks for.

    Attributes:
        paragraphs: Elements whose runs are one text.
        runs: Elements whose text, and the text after their children, is of the paragraph.
        characters: Elements that stand for a character.
        streams: Elements in a paragraph whose text is read apart from the rest: deleted text,
            field codes.
        tables: Elements of tables, each with the names of its rows and cells.
        readable: Attributes that people or programs read: ``"title"`` of any element, or
            ``"w:tag@w:val"`` of one.
        labels: What to call an element or attribute where its name does not tell.
        named_by: Elements with an attribute that names the value they hold.
        follows: Attributes with the initials of a name in another attribute of the same element.
        ignored: Elements and attributes that hold measures, references and names of styles, with
            ``*`` for anything.
        doubtful: Elements whose own text is read only if it could be a value.
        packed: Elements and attributes that hold a packed copy or a program's state in letters:
            they are emptied.
        usual: Words of which programs make names of styles and shapes.
        every_attribute: Whether all attributes are read that are not ignored.
    """

    paragraphs: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    characters: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    readable: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    named_by: Mapping[str, str] = field(default_factory=dict)
    follows: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()
    packed: Mapping[str, str] = field(default_factory=dict)
    usual: frozenset[str] = frozenset()
    every_attribute: bool = False

    def ignores(self, *names: str) -> bool:
        """Return whether one of *names* is never read."""
        return any(self._ignored.fullmatch(name) for name in names)

    @cached_property
    def _ignored(self) -> re.Pattern[str]:
        return re.compile("|".join(map(fnmatch.translate, sorted(self.ignored))) or "(?!)")

    def is_usual(self, value: str) -> bool:
        """Return whether *value* is a name that a program gave: usual words and small numbers.

        A single letter names nobody.
        """
        if len(value) == 1:
            return True
        parts = re.findall(r"[^\W\d_]+|\d+", value.lower())
        return all(len(one) < 4 if one.isdigit() else one in self.usual for one in parts)
