"""Export a finished run to a model's folder: ONNX, int8, thresholds, fusion, card.

    python -m training.export build/run presidio_cdip/models/cdip-minilm-l4-0.6.0

For each entity, the threshold and the veto with the highest F2 (recall counts four times as much as
precision) on the development documents are chosen. The calibration is isotonic (Zadrozny and Elkan,
2002). `rescoring.py` fits the weights of second scores. All of them are written to ``config.json``;
the model card states how they were chosen.
`graph.py` writes the model in int8, with ranges of activations that `ranges.py` measures on
training documents.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import torch
from sklearn.isotonic import IsotonicRegression
from tokenizers import Tokenizer

from presidio_cdip.entities import ENTITIES, NAMES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import rules
from presidio_cdip.recognition.fusion import OPERATING_POINTS, found, fuse, names_beside
from presidio_cdip.recognition.names import names_of
from presidio_cdip.recognition.premises import signs_of
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import FINDERS, Config, Tagged, TokenClassifier
from training.card import write_card
from training.corpus import Document
from training.graph import Weights, write
from training.ranges import measure, windows
from training.rescoring import fit, write_config
from training.scoring import Scores, right, scores
from training.splits import split

_THRESHOLDS = tuple(round(0.1 + 0.05 * step, 2) for step in range(16))
_VETOES = (0.0, 0.002, 0.005)
"""Low ones: higher ones gain nothing on the development kinds, and on KnowledgeNet, whose prose is
another's, they cost up to seven points of the rules' recall."""
_BARE = 6  # weight of a document without marks when thresholds are chosen
_KNOTS = 8
_OVERLAP = 32
"""Tokens that two windows share when a text is read. With 64, as in training, F1 is the same, and a
page of 2.5 kB takes a sixth longer."""
_BATCH = 256  # tokens that run together: of windows of fewer, a batch is faster than one at a time
_ENOUGH = 60  # spans that an entity needs to have a calibration of its own


@dataclass(frozen=True, slots=True)
class Read:
    """Hold a development document with the output of the model and of the rules."""

    document: Document
    tagged: Tagged
    ruled: Sequence[Span]


def read_all(documents: Sequence[Document], model: TokenClassifier) -> list[Read]:
    """Run the model and the rules on *documents*."""
    engine = rules(Pack.shipped())
    tagged = model.tag(document.text for document in documents)
    return [
        Read(document, one, engine.find(document.text))
        for document, one in zip(documents, tagged, strict=True)
    ]


def alone(documents: Sequence[Document], model: TokenClassifier) -> Scores:
    """Score the model alone."""
    tagged = model.tag(document.text for document in documents)
    return scores(documents, [one.spans() for one in tagged])


def with_config(reads: Iterable[Read], config: Config) -> list[Read]:
    """Return *reads* with another configuration."""
    return [replace(one, tagged=replace(one.tagged, config=config)) for one in reads]


def f2(reads: Sequence[Read], found: Sequence[Sequence[Span]], entity: str) -> float:
    """Compute F2 of the spans of one entity; 0 if none is marked.

    Documents without marks count several times: they are a third of the corpus, but nearly all
    documents of an archive.
    """
    marked = hit = spurious = 0
    for one, spans in zip(reads, found, strict=True):
        own = [span for span in spans if span.entity == entity]
        gold = sum(label == entity for *_, label in one.document.spans)
        hits = sum(right(one.document, own))
        times = _BARE if one.document.bare else 1
        marked, hit, spurious = marked + gold, hit + hits, spurious + times * (len(own) - hits)
    return 5 * hit / (4 * marked + hit + spurious) if marked else 0.0


def best(
    choices: Sequence[float],
    quality: Callable[[float], float],
    of_equals: Callable[[Sequence[float]], float] = lambda equals: equals[len(equals) // 2],
) -> float:
    """Return the choice of highest quality; break ties by the middle one, or by *of_equals*."""
    by_choice = {choice: quality(choice) for choice in choices}
    highest = max(by_choice.values())
    return of_equals([choice for choice in choices if by_choice[choice] == highest])


def chosen_thresholds(reads: Sequence[Read]) -> dict[str, float]:
    """Choose for each entity the threshold with the highest F2 of the model alone."""
    return {
        name: best(
            _THRESHOLDS,
            lambda least, name=name: f2(  # type: ignore[misc]
                reads, [one.tagged.spans({name: least}) for one in reads], name
            ),
        )
        for name in ENTITIES
    }


def chosen_vetoes(reads: Sequence[Read]) -> dict[str, float]:
    """Choose for each entity with rules the veto with the highest F2 of rules and model."""
    config = reads[0].tagged.config
    ruled = {file.entity for file in rules(Pack.shipped()).files}
    return {
        name: veto
        for name in ENTITIES
        if name in ruled
        and (
            veto := best(
                _VETOES,
                lambda least, name=name: f2(  # type: ignore[misc]
                    reads, fused(with_config(reads, replace(config, vetoes={name: least}))), name
                ),
                of_equals=min,
            )
        )
    }


def fused(reads: Iterable[Read]) -> list[list[Span]]:
    """Fuse the spans of the rules and the model."""
    signs = signs_of(Pack.shipped())
    return [fuse(one.tagged, one.ruled, signs) for one in reads]


def calibration(reads: Sequence[Read]) -> dict[str, dict[str, list[list[float]]]]:
    """Fit the isotonic calibration of each finder and entity: raw score to probability.

    An entity with few spans has no calibration of its own. The calibration ``*`` is fitted to the
    spans of all entities together.
    """
    signs = signs_of(Pack.shipped())
    points: dict[str, dict[str, list[tuple[float, bool]]]] = {name: {"*": []} for name in FINDERS}
    for one in reads:
        names = [("alone", span.score, span) for span in one.tagged.spans(among=NAMES)]
        claims = [*found(one.tagged, one.ruled, signs), *found(one.tagged, None, signs), *names]
        for found_by, raw, span in claims:
            (is_right,) = right(one.document, [span])
            if span.entity in ENTITIES:
                points[found_by]["*"].append((raw, is_right))
            points[found_by].setdefault(span.entity, []).append((raw, is_right))
    return {
        name: {
            entity: line(of_entity)
            for entity, of_entity in by_entity.items()
            if len(of_entity) >= _ENOUGH or entity == "*"
        }
        for name, by_entity in points.items()
        if by_entity["*"]
    }


def line(points: Sequence[tuple[float, bool]]) -> list[list[float]]:
    """Fit an isotonic line with few knots to *points*; its values lie strictly between 0 and 1."""
    order = sorted(points)
    size = max(12, len(order) // _KNOTS)
    bins = [order[at : at + size] for at in range(0, len(order), size)]
    if len(bins) > 1 and len(bins[-1]) < size // 2:
        bins[-2:] = [bins[-2] + bins[-1]]
    raw = [sum(x for x, _ in each) / len(each) for each in bins]
    share = [(sum(y for _, y in each) + 0.5) / (len(each) + 1) for each in bins]
    fitted = IsotonicRegression().fit(raw, share, [len(each) for each in bins]).predict(raw)
    knots = [[round(x, 4), round(float(y), 4)] for x, y in zip(raw, fitted, strict=True)]
    return [knot for at, knot in enumerate(knots) if at == 0 or knot[0] > knots[at - 1][0]]


def reliability(reads: Sequence[Read]) -> list[tuple[float, float, int, int]]:
    """Count, for each range of scores, all spans and the correct spans."""
    bounds = [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0001]
    found = [
        (span.score, is_right)
        for one, spans in zip(reads, fused(reads), strict=True)
        for span, is_right in zip(spans, right(one.document, spans), strict=True)
    ]
    table = []
    for low, high in pairwise(bounds):
        inside = [is_right for score, is_right in found if low <= score < high]
        table.append((low, min(high, 1.0), len(inside), sum(inside)))
    return table


def ways(reads: Sequence[Read]) -> Mapping[str, list[list[Span]]]:
    """Return the spans of the rules, of the model and of both."""
    return {
        "rules": [list(one.ruled) for one in reads],
        "model": [one.tagged.spans() for one in reads],
        "both": [
            [span for span in spans if span.score >= OPERATING_POINTS["balanced"]]
            for spans in fused(reads)
        ],
    }


def of_names(reads: Sequence[Read]) -> dict[str, Scores]:
    """Score the model on each label of names, outside spans of entities."""
    floor = OPERATING_POINTS["balanced"]
    known = names_of(Pack.shipped())
    spans = [
        [
            span
            for span in names_beside(one.document.text, held, (), one.tagged, known)
            if span.score >= floor
        ]
        for one, held in zip(reads, fused(reads), strict=True)
    ]
    documents = [one.document for one in reads]
    return {name: scores(documents, spans, (name,)) for name in NAMES}


def scored(reads: Sequence[Read]) -> dict[str, Scores]:
    """Score rules, model and both."""
    documents = [one.document for one in reads]
    return {name: scores(documents, spans) for name, spans in ways(reads).items()}


@click.command()
@click.argument("run", type=click.Path(exists=True, path_type=Path))
@click.argument("model", type=click.Path(path_type=Path))
def main(run: Path, model: Path) -> None:
    """Make the folder MODEL from a finished RUN of `train.py`.

    What else stands in MODEL, its changelog and licence, stays; nothing changes until all is done.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / model.name
        made.mkdir()
        figures = make(run, made)
        model.mkdir(parents=True, exist_ok=True)
        for file in made.iterdir():
            shutil.copy(file, model)
    click.echo(json.dumps(figures, indent=1))


def make(run: Path, model: Path) -> dict[str, Any]:
    """Make *model* from *run*, and return the measured figures."""
    shutil.copy(run / "tokenizer.json", model)
    data: dict[str, Any] = json.loads((run / "config.json").read_text("utf-8"))
    data["presidio_cdip"] |= {"overlap": _OVERLAP, "batch": _BATCH}
    parts = split()
    weights = averaged(run)
    write_config(model, data)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder)
        for name in ("tokenizer.json", "config.json"):
            shutil.copy(model / name, whole)
        write(weights, whole / "model.onnx")
        exact = alone(parts.kinds, TokenClassifier(whole))
    tokenizer = Tokenizer.from_file(str(run / "tokenizer.json"))
    rows = windows(parts.training, tokenizer, data["presidio_cdip"]["window"])
    write(weights, model / "model.onnx", measure(weights, rows))
    classifier = TokenClassifier(model)
    quantized = {"float32": exact, "int8": alone(parts.kinds, classifier)}
    kinds = read_all(parts.kinds, classifier)
    developing = kinds + read_all(parts.documents, classifier)
    own = data["presidio_cdip"]
    for key, choose in (
        ("thresholds", chosen_thresholds),
        ("vetoes", chosen_vetoes),
        ("calibration", calibration),
    ):
        own[key] = choose(developing)
        developing = with_config(developing, Config.of(data))
    write_config(model, data)
    fit(model)
    developing = with_config(developing, TokenClassifier(model).config)
    kinds = developing[: len(kinds)]
    figures = {
        "kinds": scored(kinds),
        "documents": scored(developing[len(kinds) :]),
        "quantized": quantized,
        "names": of_names(kinds),
    }
    documents = [one.document for one in kinds]
    write_card(model, run, parts, figures, documents, ways(kinds), reliability(developing))
    return figures


def averaged(run: Path) -> Weights:
    """Return the run's averaged weights."""
    kept = torch.load(run / "weights.pt", map_location="cpu", weights_only=True)
    return {name: value.numpy() for name, value in kept.items()}


if __name__ == "__main__":
    main()
