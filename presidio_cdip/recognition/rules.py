"""The rule and the rule file: what `presidio_cdip.pack.pack` reads and the engine runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

WHERE = ("after", "below", "before", "ahead")


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which an entity shows.

    With cues, a value is looked for in reach of each cue. Without, the values and terms are looked
    for in the whole text.

    Attributes:
        name: Unique within its file.
        cues: What announces a value, OCR noise forgiven; expanded from the file's ``(a|b|)``.
        values: Regular expressions of the value, in order of preference, macros filled in.
        terms: Terms that are values, OCR noise forgiven; gazetteers read in.
        hints: Words of which one must stand in a text for a rule without cues to be run on it.
        where: Of `WHERE`: on the cue's line after it, in the cell below, on its line before it, or
            anywhere ahead in the paragraph.
        fill: Words that may stand between a cue and its value.
        reach: How many characters ahead a value may start (`where` has ``"ahead"``).
        many: Whether a list of values may follow, a span each.
        take_cue: Whether the cue belongs to the span ("two sons").
        check: A name in `presidio_cdip.recognition.checks.CHECKS`, or None.
        score: In [0, 1].
        needs: Regular expressions, one of which must hold ``before`` the value, ``after`` it, in
            its ``line`` or anywhere in the ``document``.
        unless: The same; none may hold.
        counter: Whether the rule claims its values for something that is not the entity.
    """

    name: str
    cues: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    where: tuple[str, ...] = ("after", "below")
    fill: tuple[str, ...] = ()
    reach: int = 80
    many: bool = False
    take_cue: bool = False
    check: str | None = None
    score: float = 0.97
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counter: bool = False


@dataclass(frozen=True, slots=True)
class RuleFile:
    """What one file of ``recognizers/`` says.

    Attributes:
        file: The file's name.
        entity: A key of `presidio_cdip.entities.ENTITIES`.
        what: What is found, in a sentence.
        sources: Where the rules come from.
        spread: How a value found once is known again in its document: names in
            `presidio_cdip.recognition.consistency.SPREADS`; none where it does not spread.
        rules: The rules, counter-rules among them.
        cases: Texts with the spans to be found in ⟦ ⟧; none means that nothing is to be found.
    """

    file: str
    entity: str
    what: str
    sources: tuple[str, ...]
    spread: tuple[str, ...]
    rules: tuple[Rule, ...]
    cases: tuple[str, ...]
