"""Fit the weights of second scores: of `presidio_cdip.recognition`'s `rescoring`, `name_scores`.

    python -m training.rescoring presidio_cdip/models/cdip-minilm-l4-0.6.0

They are fitted on documents that the model was not trained on: the development documents of the
corpus, and ``benchmarks/plain.jsonl`` and ``development_a.jsonl`` to ``_d``. Each document is there
once whole, and `EXCERPTS` times as an excerpt of some lines or sentences, since people also ask
about a single sentence. The figures printed are cross-fitted: each fifth of the documents is scored
with weights from the other four. Then all documents give the weights that are written to the
model's ``config.json``. Names get weights of their own for each label, from the documents that have
names marked: all but ``development_a.jsonl`` to ``_d``.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from presidio_cdip.entities import ENTITIES, NAMES
from presidio_cdip.evaluation.gold import read
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import name_rules, rules
from presidio_cdip.recognition.fusion import OPERATING_POINTS, fuse, names_beside
from presidio_cdip.recognition.name_scores import FEATURES as NAME_FEATURES
from presidio_cdip.recognition.name_scores import features as name_features
from presidio_cdip.recognition.names import names_of
from presidio_cdip.recognition.premises import signs_of
from presidio_cdip.recognition.rescoring import FEATURES, features
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Tagged, TokenClassifier
from training.corpus import Document
from training.scoring import right, scores
from training.splits import split

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
SETS = ("plain", *(f"development_{letter}" for letter in "abcd"))
EXCERPTS = 3
_FOLDS = 5
_STRENGTH = 0.05  # of `LogisticRegression`: smaller is more regularized
_CANDIDATE = 0.2  # lowest probability of a word of a name that gets a second score
_LONGEST = 5  # lines or sentences of an excerpt
_BREAK = re.compile(r"\n|(?<=[a-z\d)][.!?]) (?=[A-Z])")


def excerpts(document: Document, random: Random) -> Iterator[Document]:
    """Yield excerpts of *document* of one to `_LONGEST` lines or sentences, each with its marks."""
    breaks = [
        match.end()
        for match in _BREAK.finditer(document.text)
        if not any(start < match.end() < end for start, end, _ in document.spans)
    ]
    cuts = [0, *breaks, len(document.text)]
    for number in range(EXCERPTS):
        first = random.randrange(len(cuts) - 1)
        last = min(len(cuts) - 1, first + random.randint(1, _LONGEST))
        start, end = cuts[first], cuts[last]
        if not document.text[start:end].strip():
            continue
        spans = tuple(
            (one - start, other - start, label)
            for one, other, label in document.spans
            if start <= one and other <= end
        )
        text = document.text[start:end]
        yield replace(document, id=f"{document.id}#{number}", text=text, spans=spans)


def of_benchmark(file: Path) -> list[Document]:
    """Return the documents of a benchmark set; their kind is the set."""
    return [
        Document(one.id, file.stem, one.text, tuple((*span,) for span in one.spans))
        for one in read(file)
    ]


@click.command()
@click.argument("model", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(model: Path) -> None:
    """Fit the weights for MODEL, and write them to its config.json."""
    fit(model)


def fit(model: Path) -> None:
    """Fit the weights for *model*, write them to its config.json, and print the figures."""
    config = json.loads((model / "config.json").read_text("utf-8"))
    config["presidio_cdip"].setdefault("thresholds", {}).update(dict.fromkeys(NAMES, _CANDIDATE))
    write_config(model, config)
    parts = split()
    sets = {"kinds": parts.kinds, "documents": parts.documents}
    sets |= {name: of_benchmark(BENCHMARKS / f"{name}.jsonl") for name in SETS}
    random = Random(1)
    documents, groups, names = [], [], []
    for name, whole in sets.items():
        for document in whole:
            several = [document, *excerpts(document, random)]
            documents += several
            groups += [document.id] * len(several)
            names += [name, *["excerpts"] * (len(several) - 1)]
    tagged, found = _found(model, documents)
    table = [features(*both) for both in zip(tagged, found, strict=True)]
    hits = [right(*both) for both in zip(documents, found, strict=True)]
    weights = _cross_fitted(table, hits, groups)
    second = [_again(*three) for three in zip(found, table, weights, strict=True)]
    _print(documents, names, {"before": found, "after": second})
    own = config["presidio_cdip"]
    own["rescoring"] = _named(FEATURES, _weights(table, hits))
    unmarked = {one.id for name in SETS[1:] for one in sets[name]}
    chosen = [at for at, group in enumerate(groups) if group not in unmarked]
    own["name_rescoring"] = _of_names(
        [documents[at] for at in chosen],
        [groups[at] for at in chosen],
        [names[at] for at in chosen],
        [tagged[at] for at in chosen],
        [second[at] for at in chosen],
    )
    write_config(model, config)


def _of_names(
    documents: Sequence[Document],
    groups: Sequence[str],
    sets: Sequence[str],
    tagged: Sequence[Tagged],
    held: Sequence[Sequence[Span]],
) -> dict[str, dict[str, float]]:
    """Fit the weights of names by label, and print the cross-fitted figures of each label."""
    engine, known = name_rules(Pack.shipped()), names_of(Pack.shipped())
    assert engine
    least = OPERATING_POINTS["balanced"]
    found = [
        names_beside(
            one.text,
            [span for span in spans if span.score >= least],
            engine.find(one.text),
            one,
            known,
        )
        for one, spans in zip(tagged, held, strict=True)
    ]
    table = [name_features(*both, known) for both in zip(tagged, found, strict=True)]
    hits = [right(*both) for both in zip(documents, found, strict=True)]
    second = [list(spans) for spans in found]
    weights = {}
    for label in NAMES:
        places = [[at for at, span in enumerate(spans) if span.entity == label] for spans in found]
        rows = [one[own] for one, own in zip(table, places, strict=True)]
        right_ones = [[one[at] for at in own] for one, own in zip(hits, places, strict=True)]
        weights[label] = _named(NAME_FEATURES, _weights(rows, right_ones))
        crossed = _cross_fitted(rows, right_ones, groups)
        for spans, own, row, fitted in zip(second, places, rows, crossed, strict=True):
            scored = _again([spans[at] for at in own], row, fitted)
            for at, span in zip(own, scored, strict=True):
                spans[at] = span
    for label in NAMES:
        _print(documents, sets, {"before": found, "after": second}, label)
    return weights


def _named(names: Sequence[str], weights: NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(one), 4) for name, one in zip(names, weights, strict=True)}


def _print(
    documents: Sequence[Document],
    sets: Sequence[str],
    found: Mapping[str, Sequence[Sequence[Span]]],
    label: str | None = None,
) -> None:
    """Print the figures of each set, of *label* or of all that are no names."""
    for name in dict.fromkeys(sets):
        own = [at for at, other in enumerate(sets) if other == name]
        for when, spans in found.items():
            figures = _figures([documents[at] for at in own], [spans[at] for at in own], label)
            click.echo(f"{label or ''} {name}, {when}: {figures}".strip())


def write_config(model: Path, data: Mapping[str, Any]) -> None:
    """Write *model*'s ``config.json``."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    # Write all points of a calibration line on one line of the file.
    text = re.sub(r"\[\s+(-?[\d.]+),\s+([\d.]+)\s+\]", r"[\1, \2]", text)
    (model / "config.json").write_text(text + "\n", "utf-8")


def _found(model: Path, documents: Sequence[Document]) -> tuple[list[Tagged], list[list[Span]]]:
    """Return the model's results for *documents*, and their findings with first scores."""
    classifier = TokenClassifier(model)
    engine, signs = rules(Pack.shipped()), signs_of(Pack.shipped())
    tagged = [
        replace(one, config=replace(one.config, rescoring={}, name_rescoring={}))
        for one in classifier.tag(document.text for document in documents)
    ]
    return tagged, [fuse(one, engine.find(one.text), signs) for one in tagged]


def _weights(
    table: Sequence[NDArray[np.float64]], hits: Sequence[Sequence[bool]]
) -> NDArray[np.float64]:
    """Fit the weight of each feature."""
    rows = np.concatenate(table)[:, 1:]
    scaler = StandardScaler().fit(rows)
    fit = LogisticRegression(C=_STRENGTH, max_iter=2000).fit(
        scaler.transform(rows), np.concatenate([np.array(one, bool) for one in hits])
    )
    weights = fit.coef_[0] / scaler.scale_
    return np.array([fit.intercept_[0] - weights @ scaler.mean_, *weights])


def _cross_fitted(
    table: Sequence[NDArray[np.float64]],
    hits: Sequence[Sequence[bool]],
    groups: Sequence[str],
) -> list[NDArray[np.float64]]:
    """Return for each document the weights from the other folds."""
    weights: list[NDArray[np.float64]] = [np.empty(0)] * len(table)
    for others, own in GroupKFold(_FOLDS).split(table, groups=groups):
        fitted = _weights([table[index] for index in others], [hits[index] for index in others])
        for index in own:
            weights[index] = fitted
    return weights


def _again(
    spans: Sequence[Span], table: NDArray[np.float64], weights: NDArray[np.float64]
) -> list[Span]:
    return [
        replace(span, score=1 / (1 + float(np.exp(-one))))
        for span, one in zip(spans, table @ weights, strict=True)
    ]


def _figures(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], label: str | None
) -> Mapping[str, float]:
    least = OPERATING_POINTS["balanced"]
    labels = (label,) if label else tuple(ENTITIES)
    kept = [
        [one for one in spans if one.score >= least and one.entity in labels] for spans in found
    ]
    return scores(documents, kept, labels)  # type: ignore[return-value]


if __name__ == "__main__":
    main()
