"""Measure how surrogates fit their pages: machine counts, and a sheet of pairs for a reader.

    python -m benchmarks.surrogate_fit benchmarks/unseen_g.jsonl benchmarks/held_out_e.jsonl
    python -m benchmarks.surrogate_fit --sheet sheet.jsonl --pairs 300 SETS…
    python -m benchmarks.surrogate_fit --verdicts benchmarks/readings/surrogates.jsonl

Every marked span of SETS is replaced by the policy ``surrogate``, each document in a scope of its
own. The counts use rules of their own, simpler than those of the code that they check.

* **plainest**: values read by no form but the plainest of their entity.
* **articles**: of surrogates after "a" or "an" that begin with an unambiguous letter, or with
  initials that nobody can say as a word, those after the wrong one.
* **negation**: of values with no, not, never, none, denies, without, cannot or negative (bare
  answers apart), those whose surrogate has none of these.
* **sex**: of GENDER values, those whose surrogate is another sex.
* **words**: values of which a word of four letters or more is in the surrogate, unless at least
  three different values of the entity in SETS have the word: such words are of the phrase.
  **words of facts** leaves out what `operators/phrases/frames` lists as words of frames, too.
* **synonyms**: of the pairs in a file, those whose surrogates agree: they are equal, or a pair of
  synonyms themselves, or in one row of a table. Words that a value shares with its own surrogate
  ("convicted of"), and those that frames list, say nothing and are left out.
  ``synonyms.tsv`` is known to who wrote the tables, ``synonyms_unseen.tsv`` is not.
* **information**: bits that the surrogate of a nationality, descent or faith tells of the original,
  by 3,000 scopes, with the Miller-Madow correction. The words are those that are noun and adjective
  alike, so that form tells nothing. That a surrogate is never its original alone is some .02 bit.

A reader's verdict of a pair is one of `VERDICTS`. The reader sees the text around, not the code.
"""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from pathlib import Path

import click

from benchmarks.quality import Document, header, print_facts, print_markdown, print_table, read
from benchmarks.surrogates import KEY
from presidio_cdip import steps
from presidio_cdip.entities import ENTITIES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values import phrases, slots
from presidio_cdip.surrogates.values.frames import Frames

VERDICTS = ("good", "form", "grammar", "implausible", "contradicts", "leak")
AROUND = 70  # characters of context on the sheet
SCOPES = 9000

_NEGATIVE = re.compile(
    r"(?i)\b(?:no|not|never|none|denies|denied|without|negative|neg"
    r"|cannot)\b|n't\b"
)
_ANSWER = re.compile(r"(?i)\W*(?:yes|no|y|n|none|nil|neg\.?|negative)\W*")
_ARTICLE = re.compile(r"(?:^|\s)(an?)\s+$")
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}|(?:[A-Z]{2,3}|[B-DF-HJ-NP-TV-Z]{4,})(?![\w'’])")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ANY_WORD = re.compile(r"[^\W_]+")
_SEXES = {"m": "m", "male": "m", "man": "m", "boy": "m", "f": "f", "female": "f", "woman": "f",
          "girl": "f"}  # fmt: skip
_NAMES = ("PERSON", "ORGANIZATION", "LOCATION")


@dataclass(frozen=True, slots=True)
class Pair:
    """A value and its surrogate, with the new text around it."""

    document: str
    entity: str
    value: str
    surrogate: str
    before: str
    after: str
    old_before: str
    old_after: str
    plainest: bool


def pairs_of(document: Document, names: bool = False) -> Iterator[Pair]:
    """Replace the marked spans of a document, and yield the pairs."""
    spans = [
        Span(one.start, one.end, one.label, 1.0, "gold")
        for one in document.spans
        if names or one.label not in _NAMES
    ]
    made = steps.steps("surrogate", KEY.decode(), document.id)
    written = steps.anonymize(document.text, spans, made)
    plain = steps.plainest(document.text, written, made)
    for item, one in zip(written.items, plain, strict=True):
        span, text, new = item.span, document.text, written.text
        if steps.is_mark(span):
            continue
        yield Pair(
            document.id, span.entity, text[span.start : span.end], item.text,
            new[max(0, item.start - AROUND) : item.start], new[item.end : item.end + AROUND],
            text[max(0, span.start - AROUND) : span.start], text[span.end : span.end + AROUND],
            one,
        )  # fmt: skip


def clash(pair: Pair) -> bool | None:
    """Return whether the article before a surrogate is wrong; None if there is none to judge."""
    found = _ARTICLE.search(pair.before)
    first = pair.surrogate.lstrip()[:2].casefold()
    if found and (initials := _INITIALS.match(pair.surrogate)):
        return (found[1] == "an") != (initials[0][0] in "AEFHILMNORSX")
    if not found or not first.isalpha() or first[0] in "uhox" or pair.surrogate[:2].isupper():
        return None
    return (found[1] == "an") != (first[0] in "aei")


def negation_lost(pair: Pair) -> bool | None:
    """Return whether a surrogate lost its value's negation; None if the value has none."""
    if not _NEGATIVE.search(pair.value) or _ANSWER.fullmatch(pair.value):
        return None
    return not _NEGATIVE.search(pair.surrogate)


def sex_flipped(pair: Pair) -> bool | None:
    """Return whether a surrogate of GENDER is another sex; None if the value is no sex."""
    sex = _SEXES.get(pair.value.casefold().strip(" ."))
    return None if pair.entity != "GENDER" or not sex else (
        _SEXES.get(pair.surrogate.casefold().strip(" .")) != sex)  # fmt: skip


def common_words(pairs: Sequence[Pair]) -> dict[str, set[str]]:
    """Return the words by entity that at least three different values have."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in pairs:
        for word in _WORD.findall(pair.value.casefold()):
            values[pair.entity, word].add(pair.value.casefold())
    common: dict[str, set[str]] = defaultdict(set)
    for (entity, word), found in values.items():
        if len(found) >= 3:
            common[entity].add(word)
    return common


@cache
def frame_words(entity: str) -> set[str]:
    """Return the words that the frames of *entity* list as words that say nothing."""
    found = phrases.frames_of(entity, Pack.shipped())
    return set(_WORD.findall(" ".join(found.words))) if isinstance(found, Frames) else set()


@cache
def frame_parts(entity: str) -> set[str]:
    """Return all words, short ones too, of what the frames of *entity* list as saying nothing."""
    found = phrases.frames_of(entity, Pack.shipped())
    return set(_ANY_WORD.findall(" ".join(found.words))) if isinstance(found, Frames) else set()


def keeps_word(pair: Pair, common: set[str]) -> bool:
    """Return whether a word of the value that is not common is in the surrogate."""
    words = set(_WORD.findall(pair.value.casefold())) - common
    return bool(words & set(_WORD.findall(pair.surrogate.casefold())))


def synonyms_agree(name: str) -> tuple[int, int]:
    """Return the number of pairs of synonyms in the file *name* that agree, and of all."""
    rows = [
        line.split("\t")
        for line in (Path(__file__).parent / f"{name}.tsv").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    same = {frozenset((entity, one.casefold(), other.casefold())) for entity, one, other in rows}
    rows_of = _meanings()
    agreed = 0

    def meanings(value: str) -> set[str]:
        return set().union(
            *(rows_of.get(one, set()) for one in (value, value.rstrip("."), _core(value)))
        )

    for number, (entity, one, other) in enumerate(rows):
        maker = Surrogates(KEY, f"synonyms {number}")
        first, second = (maker.surrogate(entity, value).casefold() for value in (one, other))
        facts = [_fact(entity, *pair) for pair in ((one, first), (other, second))]
        agreed += (
            first == second
            or frozenset((entity, first, second)) in same
            or _core(first) == _core(second)
            or bool(meanings(first) & meanings(second))
            or facts[0] == facts[1] != ""
            or bool(meanings(facts[0]) & meanings(facts[1]))
        )
    return agreed, len(rows)


def _fact(entity: str, value: str, surrogate: str) -> str:
    """Return *surrogate* without the words of *value* and those of frames."""
    known = set(_ANY_WORD.findall(value.casefold())) | frame_parts(entity)
    words = (one.strip("+,;.") for one in surrogate.split())
    return " ".join(one for one in words if not known.issuperset(_ANY_WORD.findall(one)))


def _core(value: str) -> str:
    """Return *value* without words of membership, citizenship and descent."""
    words = (
        r"\b(?:member|of|the|citizen|citizenship|national|subject|church|faith|origin|descent"
        r"|suffering from|an?)\b"
    )
    return " ".join(re.sub(words, " ", value.replace(".", "")).split())


def _meanings() -> dict[str, set[str]]:
    """Return the rows of all tables of phrases by each of their spellings."""
    found: dict[str, set[str]] = defaultdict(set)
    for entity in ENTITIES:
        for shape in phrases.shapes(entity, Pack.shipped()):
            for slot in (*(one for _, one in shape.slots), *shape.inside.values()):
                if isinstance(slot, slots.Column):
                    for spelling, (row, *_) in slot.cells.items():
                        found[spelling].add(f"{slot.table.name} {row}")
    return found


def information(entity: str, table: str, column: str) -> float:
    """Return the mutual information of original and surrogate in bits, over *SCOPES* scopes."""
    written = [row[column].split("|")[0] for row in lists.rows(table, Pack.shipped())]
    words = [word for word in written if word and not word.startswith("~")]
    pairs: Counter[tuple[str, str]] = Counter()
    for number in range(SCOPES):
        maker = Surrogates(KEY, f"information {number}")
        chance = random.Random(number)
        for word in chance.sample(words, 20):
            pairs[word, maker.surrogate(entity, word)] += 1
    total = sum(pairs.values())
    left: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for (one, other), count in pairs.items():
        left[one] += count
        right[other] += count
    bits = sum(
        count / total * log2(count * total / (left[one] * right[other]))
        for (one, other), count in pairs.items()
    )
    bias = (len(pairs) - len(left) - len(right) + 1) / (2 * total) * 1.4427
    return bits - bias


def share(found: Sequence[bool | None]) -> str:
    """Return the count and share of the judged that are True: ``2 of 40 (.05)``."""
    judged = [one for one in found if one is not None]
    return f"{sum(judged)} of {len(judged)} ({sum(judged) / max(1, len(judged)):.2f})"


def write_sheet(path: Path, pairs: Sequence[Pair], count: int) -> None:
    """Write *count* pairs, drawn by entity in turn, for a reader to judge."""
    by_entity: dict[str, list[Pair]] = defaultdict(list)
    shuffled = list(pairs)
    random.Random(16).shuffle(shuffled)
    for pair in shuffled:
        by_entity[pair.entity].append(pair)
    chosen: list[Pair] = []
    while len(chosen) < min(count, len(pairs)):
        for found in by_entity.values():
            if found and len(chosen) < count:
                chosen.append(found.pop())
    with path.open("w", encoding="utf-8") as file:
        for number, pair in enumerate(chosen):
            row = {
                "number": number,
                "entity": pair.entity,
                "original": f"{pair.old_before}[[{pair.value}]]{pair.old_after}",
                "surrogate": f"{pair.before}[[{pair.surrogate}]]{pair.after}",
                "verdict": "",
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def print_verdicts(path: Path) -> None:
    """Print the verdicts of a sheet by entity."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["entity"]][row["verdict"]] += 1
        counts["all"][row["verdict"]] += 1
    table = [
        [entity, str(sum(found.values())), f"{found['good'] / sum(found.values()):.2f}",
         *(str(found[one]) for one in VERDICTS[1:])]
        for entity, found in sorted(counts.items(), key=lambda one: one[0] == "all")
    ]  # fmt: skip
    print_markdown(("entity", "pairs", "good", *VERDICTS[1:]), table)


@click.command()
@click.argument("sets", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--sheet", type=click.Path(path_type=Path), help="Write pairs for a reader here.")
@click.option("--pairs", "count", default=300, show_default=True)
@click.option("--verdicts", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "style", type=click.Choice(["table", "markdown"]), default="table")
def main(
    sets: Sequence[Path], sheet: Path | None, count: int, verdicts: Path | None, style: str
) -> None:
    """Replace, count, print."""
    if verdicts:
        print_verdicts(verdicts)
        return
    pairs = [pair for file in sets for document in read(file) for pair in pairs_of(document)]
    if sheet:
        write_sheet(sheet, pairs, count)
        return
    common = common_words(pairs)
    rows = [
        ("plainest", share([pair.plainest for pair in pairs])),
        *(
            (f"plainest, {entity}", share([p.plainest for p in pairs if p.entity == entity]))
            for entity in sorted({pair.entity for pair in pairs})
        ),
        ("articles", share([clash(pair) for pair in pairs])),
        ("negation", share([negation_lost(pair) for pair in pairs])),
        ("sex", share([sex_flipped(pair) for pair in pairs])),
        ("words", share([keeps_word(pair, common[pair.entity]) for pair in pairs])),
        (
            "words of facts",
            share([keeps_word(p, common[p.entity] | frame_words(p.entity)) for p in pairs]),
        ),
        *(
            (f"{name} that agree", "{} of {}".format(*synonyms_agree(name)))
            for name in ("synonyms", "synonyms_unseen")
        ),
        *(
            (f"information, {entity}", f"{information(entity, table, column):.3f} bit")
            for entity, table, column in (
                ("NATIONALITY", "nations", "both"),
                ("ETHNIC_ORIGIN", "descents", "both"),
                ("RELIGION", "faiths", "both"),
            )
        ),
    ]
    print_facts(header() | {"pairs": str(len(pairs))}, markdown=style == "markdown")
    (print_table if style == "table" else print_markdown)(("figure", "value"), rows)


if __name__ == "__main__":
    main()
