"""Derive n-grams that every match contains, for each shipped expression without cues.

    python tools/gate.py            # writes recognizers/gate.json
    python tools/gate.py --show     # and prints the expressions that have none

The n-grams are those of `presidio_cdip.recognition.gate`: every match of an expression contains one
of them. Of the sets that its parse tree allows, the one is taken that the fewest documents of the
corpus contain. An expression without n-grams is run on every text, and so are all of a file whose
digest is not that of its rules, forms and lists: a pack's changes need no run of this script.
"""

import json
import re._parser as parser  # type: ignore[import-not-found]
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import click

from presidio_cdip import Pack
from presidio_cdip.pack.rules import GATE, RuleFile, digest, rule_files
from presidio_cdip.recognition.gate import LONGEST, SHORTEST, folded
from training.splits import split

_MOST_STRINGS = 200  # that one stretch of an expression may stand for
_MOST_GRAMS = 400
_MOST_CHARS = 8  # of a class of characters
_SAMPLE = 800  # documents
_OFTEN = 0.6  # of the documents: a set found in more saves nothing

Strings = frozenset[str]
EMPTY = frozenset({""})


def grams(text: str) -> set[str]:
    """Return the n-grams of *text*, which is folded."""
    return {
        text[start : start + length]
        for length in range(SHORTEST, LONGEST + 1)
        for start in range(len(text) - length + 1)
    }


class Deriver:
    """Derive n-grams from parse trees, the rarest in *texts* preferred."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.count = len(texts)
        self.held = Counter(gram for text in texts for gram in grams(folded(text)))

    def of(self, expression: str) -> Strings | None:
        """Return n-grams of which every match of *expression* has one, or None."""
        best = self.needed(parser.parse(expression))
        return best if best is not None and self.share(best) <= _OFTEN else None

    def share(self, found: Strings) -> float:
        """Return about which share of the documents has one of the n-grams *found*."""
        missed = 1.0
        for gram in sorted(found):
            missed *= 1 - min(1.0, self.held[gram] / self.count)
        return 1 - missed

    def rarest(self, options: Iterable[Strings | None]) -> Strings | None:
        """Return the set of *options* that the fewest documents have one of."""
        usable = [one for one in options if one and len(one) <= _MOST_GRAMS]
        return min(usable, key=lambda one: (self.share(one), len(one), sorted(one)), default=None)

    def of_strings(self, strings: Strings) -> Strings | None:
        """Return an n-gram of each of *strings*; None if one is too short."""
        if any(len(one) < SHORTEST for one in strings):
            return None
        return frozenset(
            min(grams(one), key=lambda gram: (self.held[gram], gram)) for one in strings
        )

    def needed(self, tree: Iterable[tuple[Any, Any]]) -> Strings | None:
        """Return the rarest set of n-grams of which every match of the sequence *tree* has one."""
        options: list[Strings | None] = []
        run = EMPTY  # what the stretch read last may be
        for node in tree:
            if is_zero_width(node):
                options.append(self.within(node))
                continue
            own = strings_of(node)
            joined = None if own is None else joint(run, own)
            if joined is None:
                options += [self.of_strings(run), self.within(node)]
                run = own if own is not None else EMPTY
            else:
                run = joined
        return self.rarest([*options, self.of_strings(run)])

    def within(self, node: tuple[Any, Any]) -> Strings | None:
        """Return the rarest set of n-grams that *node* alone asks for."""
        kind, value = str(node[0]), node[1]
        if kind == "BRANCH":
            branches = [self.needed(branch) for branch in value[1]]
            if any(branch is None for branch in branches):
                return None
            return frozenset().union(*(branch for branch in branches if branch))
        if kind == "SUBPATTERN":
            return self.needed(value[-1])
        if kind == "ATOMIC_GROUP":
            return self.needed(value)
        if kind.endswith("_REPEAT") and value[0] >= 1:
            return self.needed(value[2])
        if kind == "ASSERT":
            return self.needed(value[1])
        return None


def is_zero_width(node: tuple[Any, Any]) -> bool:
    """Return whether *node* reads no character."""
    return str(node[0]) in ("AT", "ASSERT", "ASSERT_NOT")


def strings_of(node: tuple[Any, Any]) -> Strings | None:
    """Return all strings that *node* can match, folded; None if they are too many."""
    kind, value = str(node[0]), node[1]
    if kind == "LITERAL":
        return frozenset({folded(chr(value))})
    if kind == "IN":
        return chars_of(value)
    if kind == "SUBPATTERN":
        return strings_of_all(value[-1])
    if kind == "BRANCH":
        found: set[str] = set()
        for branch in value[1]:
            own = strings_of_all(branch)
            if own is None or len(found | own) > _MOST_STRINGS:
                return None
            found |= own
        return frozenset(found)
    if kind.endswith("_REPEAT"):
        least, most, tree = value
        own = strings_of_all(tree) if int(most) <= 2 else None
        times = [joint(*[own] * count) for count in range(least, int(most) + 1)] if own else [None]
        if any(one is None for one in times):
            return None
        return frozenset().union(*(one for one in times if one))
    return None


def strings_of_all(tree: Iterable[tuple[Any, Any]]) -> Strings | None:
    """Return all strings that the sequence *tree* can match, folded; None if they are too many."""
    found: Strings | None = EMPTY
    for node in tree:
        if found is None:
            return None
        if is_zero_width(node):
            continue
        own = strings_of(node)
        found = None if own is None else joint(found, own)
    return found


def chars_of(members: Iterable[tuple[Any, Any]]) -> Strings | None:
    """Return the characters of a class, folded; None if they are too many."""
    found: set[str] = set()
    for kind, value in members:
        if str(kind) == "LITERAL":
            found.add(folded(chr(value)))
        elif str(kind) == "RANGE" and value[1] - value[0] < 2 * _MOST_CHARS:
            found |= {folded(chr(code)) for code in range(value[0], value[1] + 1)}
        else:
            return None
    return frozenset(found) if len(found) <= _MOST_CHARS else None


def joint(*parts: Strings) -> Strings | None:
    """Return every string of a member of each part, in order; None if they are too many."""
    found = EMPTY
    for part in parts:
        if len(found) * len(part) > _MOST_STRINGS:
            return None
        found = frozenset("".join(pair) for pair in product(found, part))
    return found


def derived(file: RuleFile, deriver: Deriver) -> dict[str, object]:
    """Return the entry of *file*: its digest, and for each rule the n-grams of each expression."""
    found = {
        rule.name: [deriver.of(file.forms.expand(value)) for value in rule.values]
        for rule in file.rules
        if not rule.cues and rule.values
    }
    return {
        "digest": digest(file),
        "grams": {
            name: [sorted(one) if one else None for one in each] for name, each in found.items()
        },
    }


def sample() -> list[str]:
    """Return the texts of some documents of the corpus."""
    texts = [document.text for document in split().training]
    return Random(0).sample(texts, _SAMPLE)


@click.command()
@click.option("--show", is_flag=True, help="Print the expressions without n-grams.")
def main(show: bool) -> None:
    """Write recognizers/gate.json."""
    deriver = Deriver(sample())
    files = [file for file in rule_files(Pack.shipped()) if any(not r.cues for r in file.rules)]
    content = {file.file: derived(file, deriver) for file in files}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(of)}" for name, of in content.items())
    target = Path(__file__).parents[1] / "recognizers" / GATE
    target.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    each = [
        (f"{name}/{rule}", value, found)
        for name, of in content.items()
        for rule, sets in of["grams"].items()  # type: ignore[attr-defined]
        for value, found in enumerate(sets)
    ]
    none = [f"{rule} {value}" for rule, value, found in each if found is None]
    click.echo(f"{len(each)} expressions, {len(none)} without n-grams")
    if show:
        click.echo("\n".join(none))


if __name__ == "__main__":
    main()
