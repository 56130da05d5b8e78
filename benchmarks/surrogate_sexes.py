"""Count names that contradict the sex told beside them, on pages as they are, kept and turned.

    python -m benchmarks.surrogate_sexes --pages 200
    python -m benchmarks.surrogate_sexes --show 20

Pages of the training corpus on which a name is marked are replaced with all their marked spans, by
``answers: told`` and by ``answers: flipped``, each in a scope that turns it if it can be turned.
Rules of its own, simpler than those of the code, find three kinds of evidence for each name whose
first name one list of sexes has: the title before it, a word of kinship beside it ("wife, Ellen",
"Ellen Ward, his wife"), and the first pronoun behind it in its sentence. What speaks against the
name is a contradiction; some are of the page's own, such as a pronoun of somebody else. *mixed* are
pages with more contradictions than before.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import click

from benchmarks.quality import header, print_facts, print_table
from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Page
from presidio_cdip.surrogates.policies import Step
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN, sex_of
from presidio_cdip.surrogates.values.turning import why_not
from presidio_cdip.surrogates.writing.text import folded
from training.corpus import Document, documents

KEY = b"0123456789abcdef0123456789abcdef"
EVIDENCE = ("title", "kinship", "pronoun")
_HIS = "mr|sir|herr|husband|father|son|brother|uncle|nephew|grandfather|grandson|widower"
_HERS = (
    "mrs|miss|ms|madam|frau|wife|mother|daughter|sister|aunt|niece|grandmother|granddaughter|widow"
)
_TOLD = rf"(?P<he>{_HIS})|(?P<she>{_HERS})"
_TITLE = re.compile(rf"(?i)\b(?:{_TOLD})\.? ?\Z")
_KIN_BEFORE = re.compile(rf"(?i)\b(?:{_TOLD})(?:,|:| is| was)? \Z")
_KIN_AFTER = re.compile(rf"(?i)\A[,(] ?(?:his |her |my |the |a )?(?:{_TOLD})\b(?!['’])")
_PRONOUN = re.compile(r"(?i)\b(?:(?P<he>he|him|his)|(?P<she>she|her|hers))\b")
_SENTENCE = re.compile(r"[.;!?\n]")
_WORD = re.compile(r"[^\W\d_]+")
_SEXED = re.compile(r"(?i)\b(?:he|she|his|her|him|mrs?|miss|ms|wife|husband|mother|father|son)\b")


def spans_of(document: Document) -> list[Span]:
    """Return the marked spans of *document*."""
    return [Span(start, end, label, 1.0, "") for start, end, label in document.spans]


def judged(text: str, names: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Yield each piece of evidence for the *names* in *text*, and whether it contradicts."""
    pack = Pack.shipped()
    for number, (start, end) in enumerate(names):
        words = [folded(one) for one in _WORD.findall(text[start:end])]
        title = words[0] if words and _TITLE.search(f"{words[0]} ") else ""
        first = words[1:2] if title else words[:1]
        own = sex_of(first[0], "en_US", pack) if first and len(words) > 1 + bool(title) else ""
        if own not in (WOMEN, MEN):
            continue
        after = text[end : names[number + 1][0] if number + 1 < len(names) else len(text)]
        sentence = _SENTENCE.split(after)[0]
        found = {
            "title": _TITLE.search(f"{title} " if title else text[max(0, start - 12) : start]),
            "kinship": _KIN_BEFORE.search(text[max(0, start - 20) : start])
            or _KIN_AFTER.search(after),
            "pronoun": _PRONOUN.search(sentence),
        }
        for kind, evidence in found.items():
            if evidence:
                yield kind, bool(evidence["he"]) != (own == MEN)


def _scope_that_turns(document: Document, made: dict[str, Step]) -> steps.Rewritten:
    """Return the first of a few scopes' texts that is turned, else the last."""
    for number in range(24):
        own = steps.in_scope(made, f"{document.id} {number}")
        written = steps.anonymize(document.text, spans_of(document), own)
        if written.is_turned:
            break
    return written


def _names(written: steps.Rewritten) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in written.items if one.span.entity == "PERSON"]


@click.command()
@click.option("--pages", default=200, show_default=True, help="Pages, drawn at random.")
@click.option("--show", default=0, help="Print so many turned pages instead.")
@click.option("--seed", default=7, show_default=True, help="Of the pages.")
def main(pages: int, show: int, seed: int) -> None:
    """Count contradictions between names and what is told beside them."""
    told = steps.steps("surrogate", KEY)
    flipped = steps.steps("surrogate", KEY, changes={"GENDER": {"answers": "flipped"}})
    named = [
        one
        for one in documents()
        if _SEXED.search(one.text) and any(label == "PERSON" for *_, label in one.spans)
    ]
    some = Random(seed).sample(named, min(pages, len(named)))
    reasons: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = {one: Counter() for one in ("as is", "told", "turned")}
    against: dict[str, Counter[str]] = {one: Counter() for one in counts}
    mixed = 0
    for document in some:
        page = Page(document.text, sorted(spans_of(document), key=lambda one: one.start))
        why = why_not(page, lambda entity: "surrogate", Pack.shipped(), "en_US")
        reasons[why or "turned"] += 1
        if why:
            continue
        turned = _scope_that_turns(document, flipped)
        if show:
            click.echo(f"--- {document.id}\n{turned.preview(document.text)}\n")
            show -= 1
            if not show:
                return
            continue
        kept = steps.anonymize(document.text, spans_of(document), steps.in_scope(told, document.id))
        own = [(one.start, one.end) for one in page.findings if one.entity == "PERSON"]
        here = {
            "as is": list(judged(document.text, own)),
            "told": list(judged(kept.text, _names(kept))),
            "turned": list(judged(turned.text, _names(turned))),
        }
        for version, found in here.items():
            counts[version].update(kind for kind, _ in found)
            against[version].update(kind for kind, is_against in found if is_against)
        mixed += sum(bad for _, bad in here["turned"]) > sum(bad for _, bad in here["told"])
    print_facts(header(), False)
    print_table(
        ("page", *EVIDENCE),
        [
            (
                version,
                *(f"{against[version][kind]} of {counts[version][kind]}" for kind in EVIDENCE),
            )
            for version in counts
        ],
    )
    print_table(("what becomes of pages", "pages"), [(k, str(v)) for k, v in reasons.most_common()])
    click.echo(f"pages with more contradictions turned than told: {mixed}")


if __name__ == "__main__":
    main()
