"""Measure surrogates: how often they are found again, how well they keep their form, and speed.

    python -m benchmarks.surrogates ../shared/data/example_pages.jsonl

SETS are JSON Lines files in the format of the annotation guidelines. Their marked spans are the
originals: every one is replaced by its surrogate, and the new documents are analyzed.

* **found**: marked spans that `presidio_cdip.analyzer` hits in the document as it is, as
  ``quality.py`` counts hits.
* **again**: the share of the found spans that it hits at the same place, with the same label, after
  all marked spans of the document were replaced by surrogates. What is ticked is where its mark is.
* **of all**: the share of all marked spans that it hits afterwards.
* **form**: the share of surrogates that are read in the form of their original. A value that only
  the plainest form reads, which takes any value, has not kept its form; **plain** counts these.
  What a frame has written, any form but the plainest may read, and frames read what shapes write.
* **same**: surrogates that equal their original after normalisation. Some do if there are so few
  answers that excluding the original would disclose it (sexes, yes and no).
* **per s**: surrogates per second of processor time, for the marked values in rounds, after a round
  that is not counted; median of five. What else runs on the machine counts little.

US_SSN is counted with ``ssn: plausible`` too: by default no surrogate is a number that could be
issued, and our recognizer refuses such numbers.

Faker is measured in the same run with the nearest provider, as a baseline for speed. It does less:
it has no key, no form and no coherence.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import click
from faker import Faker

from benchmarks.quality import (
    Document,
    Span,
    cell,
    find_all,
    header,
    ours,
    print_facts,
    print_markdown,
    print_table,
    read,
)
from presidio_cdip import steps
from presidio_cdip.entities import ENTITIES
from presidio_cdip.evaluation.matching import match, of_label, ratio
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.choices import Option, certain_options
from presidio_cdip.recognition.spans import Span as Finding
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import PRESIDIO_ENTITIES, read_policy
from presidio_cdip.surrogates.writing.text import folded

KEY = b"a key for measuring alone: 32 by"
ROUNDS = 5
SECONDS = 0.2
"""The least duration of one round of a speed measurement."""

# Faker's nearest to each entity's surrogates.
FAKER: Mapping[str, str] = {
    "US_SSN": "ssn",
    "DATE_OF_BIRTH": "date_of_birth",
    "PLACE_OF_BIRTH": "city",
    "AGE": "random_int",
    "HOME_ADDRESS": "address",
    "HOME_PHONE_NUMBER": "phone_number",
    "PERSON": "name",
    "ORGANIZATION": "company",
    "EMAIL_ADDRESS": "email",
    "DATE_TIME": "date",
    "LOCATION": "city",
}
# Examples of Presidio's own types; the sets have none.
EXAMPLES: Mapping[str, Sequence[str]] = {
    "PERSON": ("Ellen M. Ward", "WARD, ELLEN", "Dr. Joseph Mattingly Jr."),
    "LOCATION": ("Gallipolis, Ohio", "Perth, Australia", "Maysville"),
    "ORGANIZATION": ("Hadley Paper Co.", "First National Bank", "U.S. Rubber"),
    "PHONE_NUMBER": ("(919) 555-0143", "919-555-0143 ext. 40", "GLendale 4-1873"),
    "EMAIL_ADDRESS": ("ellen.ward@hadley-paper.com", "jm1950@mail.org"),
    "DATE_TIME": ("Nov. 9, 1985", "11/9/85", "last Monday"),
}


class Forms:
    """Count the surrogates of one entity that keep their form."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, entity: str, value: str, surrogate: str) -> None:
        """Count one surrogate."""
        maker = Surrogates(KEY, "forms")
        form, again = maker.form_of(entity, value), maker.form_of(entity, surrogate)
        self.counts["all"] += 1
        self.counts["plain"] += form.plainest
        framed = not again.plainest and "frame" in (form.form, again.form)
        self.counts["kept"] += not form.plainest and (framed or form.form == again.form)
        self.counts["same"] += folded(surrogate) == folded(value)


def replaced(
    document: Document, changes: Mapping[str, Mapping[str, object]], forms: Mapping[str, Forms]
) -> Document:
    """Replace the marked spans of a document by surrogates, with *changes* of the policy.

    The spans of what is returned are in the order of the document's.
    """
    gold = [Finding(one.start, one.end, one.label, 1.0, "gold") for one in document.spans]
    made = steps.steps("surrogate", KEY.decode(), document.id, changes=changes)
    written = steps.anonymize(document.text, gold, made)
    options = certain_options(written.text)
    now: dict[Span, Span] = {}
    for item in written.items:
        if not item.span.rule.endswith(("+mention", "+mark", "+turned")):
            value = document.text[item.span.start : item.span.end]
            forms[item.span.entity].add(item.span.entity, value, item.text)
            place = _now_ticked(options, item.start, item.end, now.values())
            old = Span(item.span.start, item.span.end, item.span.entity)
            now[old] = Span(*place, item.span.entity)
    spans = tuple(now[one] for one in document.spans)
    return Document(document.id, written.text, spans, document.annotated)


def _now_ticked(
    options: Sequence[Option], start: int, end: int, taken: Iterable[Span]
) -> tuple[int, int]:
    """Return the place of the option to which the mark of that at *start* has moved, if it has.

    Of several marks each has a place of its own, as long as there are places that are not *taken*.
    """
    at = next((one for one in options if one.start <= start < one.end), None)
    if at is None or at.ticked:
        return start, end
    used = {one.start for one in taken}
    ticked = [one for one in options if one.block == at.block and one.ticked]
    near = min(ticked, key=lambda one: (one.start in used, abs(one.start - start)), default=None)
    return (near.start, near.end) if near else (start, end)


def found_again(
    documents: Sequence[Document], after: Sequence[Document]
) -> dict[str, tuple[int, int, int, int]]:
    """Count by label: marked, found before, found before and after, found after."""
    analyzer = ours(None)
    before_found, after_found = find_all(analyzer, documents), find_all(analyzer, after)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for old, new, old_found, new_found in zip(
        documents, after, before_found, after_found, strict=True
    ):
        for label in {span.label for span in old.spans}:
            both = dict(zip(old.spans, new.spans, strict=True))
            old_gold, new_gold = of_label(old.spans, label), of_label(new.spans, label)
            hit_before = {gold for gold, _ in match(old_gold, of_label(old_found, label))}
            hit_after = {gold for gold, _ in match(new_gold, of_label(new_found, label))}
            for was in old_gold:
                now = both[was]
                pair = (True, was in hit_before, was in hit_before and now in hit_after,
                        now in hit_after)  # fmt: skip
                counts[label] = [n + one for n, one in zip(counts[label], pair, strict=True)]
    return {label: (a, b, c, d) for label, (a, b, c, d) in counts.items()}


def per_second(make: Callable[[], Iterator[str]]) -> float:
    """Return the values per second that *make* makes: the median of rounds after a warm-up."""
    rates = []
    for _ in range(ROUNDS + 1):
        made, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            made += sum(1 for _ in make())
        rates.append(made / spent)
    return median(rates[1:])


def speeds(entity: str, values: Sequence[str]) -> tuple[float, float | None]:
    """Return surrogates per second for *values*, ours and those of Faker's nearest provider."""
    surrogates = Surrogates(KEY, "speed", options=options_of(entity))
    own = per_second(lambda: (surrogates.surrogate(entity, value) for value in values))
    if entity not in FAKER:
        return own, None
    provider = getattr(Faker("en_US"), FAKER[entity])
    return own, per_second(lambda: (str(provider()) for _ in values))


def options_of(entity: str) -> Mapping[str, object]:
    """Return the parameters of the shipped policy for *entity*."""
    return read_policy("surrogate", Pack.shipped()).steps[entity].params


def row(
    name: str, counts: tuple[int, int, int, int] | None, forms: Forms, rates: Sequence[float | None]
) -> list[str]:
    """Return one line of the table."""
    found = ["-"] * 4
    if counts:
        marked, before, again, after = counts
        found = [str(marked), str(before), cell(ratio(again, before)), cell(ratio(after, marked))]
    kept = cell(ratio(forms.counts["kept"], forms.counts["all"]))
    shape = [kept, str(forms.counts["plain"]), str(forms.counts["same"])]
    return [name, *found, *shape, *("-" if rate is None else f"{rate:,.0f}" for rate in rates)]


COLUMNS = (
    "entity", "marked", "found", "again", "of all", "form", "plain", "same", "per s", "Faker",
)  # fmt: skip


@click.command()
@click.argument("sets", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--format", "style", type=click.Choice(["table", "markdown"]), default="table")
def main(sets: Sequence[Path], style: str) -> None:
    """Replace, analyze again, time, print."""
    documents = [document for file in sets for document in read(file)]
    forms: dict[str, Forms] = defaultdict(Forms)
    after = [replaced(document, {}, forms) for document in documents]
    counts = found_again(documents, after)
    plausible = {"US_SSN": {"ssn": "plausible"}}
    plain_forms: dict[str, Forms] = defaultdict(Forms)
    ssn = found_again(documents, [replaced(one, plausible, plain_forms) for one in documents])

    values: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        for span in document.spans:
            values[span.label].append(document.text[span.start : span.end])
    lines = []
    rates: list[float] = []
    for entity in (*ENTITIES, *PRESIDIO_ENTITIES):
        originals = values.get(entity) or EXAMPLES.get(entity)
        if not originals:
            continue
        if entity not in ENTITIES:
            maker = Surrogates(KEY, "examples", options=options_of(entity))
            for value in originals:
                forms[entity].add(entity, value, maker.surrogate(entity, value))
        own, faker = speeds(entity, originals)
        rates.append(own)
        lines.append(row(entity, counts.get(entity), forms[entity], (own, faker)))
        if entity == "US_SSN":
            shown = row("US_SSN, plausible", ssn[entity], plain_forms[entity], (None, None))
            lines.append(shown)
    total = tuple(map(sum, zip(*(ssn[one] for one in ssn), strict=True)))
    everything = Forms()
    for one in forms.values():
        everything.counts += one.counts
    mixed = speeds_of_all(values)
    lines.append(row("total, plausible", total, everything, (mixed, None)))  # type: ignore[arg-type]
    print_facts(header() | {"documents": str(len(documents))}, markdown=style == "markdown")
    (print_table if style == "table" else print_markdown)(COLUMNS, lines)


def speeds_of_all(values: Mapping[str, Sequence[str]]) -> float:
    """Return surrogates per second for all marked values, in the order of the documents."""
    made = {entity: Surrogates(KEY, "speed", options=options_of(entity)) for entity in values}
    pairs = [(entity, value) for entity, found in values.items() for value in found]
    return per_second(lambda: (made[entity].surrogate(entity, value) for entity, value in pairs))


if __name__ == "__main__":
    main()
