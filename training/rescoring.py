"""Fit the weights of second scores, which `presidio_cdip.recognition.rescoring` uses.

    python -m training.rescoring presidio_cdip/models/cdip-minilm-l6-0.5.1

They are fitted on documents that the model was not trained on: the development documents of the
corpus, and ``benchmarks/plain.jsonl`` and ``development_a.jsonl`` to ``_d``. Each document is there
once whole, and `EXCERPTS` times as an excerpt of some lines or sentences, since people also ask
about a single sentence. The figures printed are cross-fitted: each fifth of the documents is scored
with weights from the other four. Then all documents give the weights that are written to the
model's ``config.json``.
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

from presidio_cdip.entities import NAMES
from presidio_cdip.evaluation.gold import read
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import rules
from presidio_cdip.recognition.fusion import OPERATING_POINTS, fuse
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


def of_benchmark(name: str) -> list[Document]:
    """Return the documents of a benchmark set."""
    return [
        Document(one.id, name, one.text, tuple((*span,) for span in one.spans))
        for one in read(BENCHMARKS / f"{name}.jsonl")
    ]


@click.command()
@click.argument("model", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(model: Path) -> None:
    """Fit the weights for MODEL, and write them to its config.json."""
    fit(model)


def fit(model: Path) -> None:
    """Fit the weights for *model*, write them to its config.json, and print the figures."""
    parts = split()
    sets = {"kinds": parts.kinds, "documents": parts.documents}
    sets |= {name: of_benchmark(name) for name in SETS}
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
    for name in (*sets, "excerpts"):
        own = [index for index, other in enumerate(names) if other == name]
        before = [found[index] for index in own]
        after = [_again(found[index], table[index] @ weights[index]) for index in own]
        for when, spans in (("before", before), ("after", after)):
            click.echo(f"{name}, {when}: {_figures([documents[one] for one in own], spans)}")
    config = json.loads((model / "config.json").read_text("utf-8"))
    config["presidio_cdip"]["rescoring"] = {
        name: round(float(weight), 4)
        for name, weight in zip(FEATURES, _weights(table, hits), strict=True)
    }
    write_config(model, config)


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
        replace(one, config=replace(one.config, rescoring={}))
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


def _again(spans: Sequence[Span], odds: NDArray[np.float64]) -> list[Span]:
    return [
        replace(span, score=1 / (1 + float(np.exp(-one))))
        for span, one in zip(spans, odds, strict=True)
    ]


def _figures(documents: Sequence[Document], found: Sequence[Sequence[Span]]) -> Mapping[str, float]:
    least = OPERATING_POINTS["balanced"]
    kept = [
        [one for one in spans if one.score >= least and one.entity not in NAMES] for spans in found
    ]
    return scores(documents, kept)  # type: ignore[return-value]


if __name__ == "__main__":
    main()
