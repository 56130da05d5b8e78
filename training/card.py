"""Write the model card: README.md in the folder of the model."""

import hashlib
import json
import platform
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.spans import Span
from training.corpus import Document
from training.scoring import scores
from training.splits import Splits

NOTES = Path(__file__).parent / "card_notes.md"
"""The part of the card written by hand: intended use, what the model misses."""

Found = Mapping[str, Sequence[Sequence[Span]]]
"""Of rules, model and both, the spans of each document."""


def write_card(
    model: Path,
    run: Path,
    parts: Splits,
    figures: Mapping[str, Any],
    documents: Sequence[Document],
    found: Found,
    reliability: Sequence[tuple[float, float, int, int]],
) -> None:
    """Write README.md of *model* from the notes, the run's ``made.json`` and the figures."""
    config = json.loads((model / "config.json").read_text("utf-8"))["presidio_cdip"]
    made = json.loads((run / "made.json").read_text("utf-8"))
    digest = hashlib.sha256((model / "model.onnx").read_bytes()).hexdigest()
    size = (model / "model.onnx").stat().st_size
    facts = {
        "made": datetime.now(UTC).strftime("%Y-%m-%d"),
        "model.onnx": f"{size / 1e6:.1f} MB, SHA-256 `{digest[:16]}…`",
        "trained on": f"{len(parts.training)} documents of "
        f"{len({one.kind for one in parts.training})} kinds, {made['epochs']}",
        "developed on": f"{len(parts.kinds)} documents of {len({one.kind for one in parts.kinds})} "
        f"kinds that it was never trained on, and {len(parts.documents)} of the others",
        "on": f"{platform.machine()}, Python {platform.python_version()}",
    }
    sections = [
        NOTES.read_text("utf-8").rstrip(),
        "## How it was made",
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
        "".join(f"    {command}\n" for command in made["commands"])
        + "    python -m training.export RUN MODEL",
        "## How well",
        "Development kinds; micro averages, as `benchmarks/quality.py` counts.\n"
        "*spurious* is spans per 10,000 characters of documents without any.\n"
        "Thresholds, vetoes and calibration were chosen on the same documents, so on others the "
        "figures will be somewhat lower.\n"
        "*both* is at the balanced operating point.",
        table(("", *next(iter(figures["kinds"].values()))), _rows(figures["kinds"])),
        "Held-out documents of the kinds it was trained on:",
        table(("", *next(iter(figures["documents"].values()))), _rows(figures["documents"])),
        "Names, where they are asked for, by the model alone, on the development kinds:",
        table(("", *next(iter(figures["names"].values()))), _rows(figures["names"])),
        "The model alone before and after quantization, at thresholds of .5:",
        table(("", *next(iter(figures["quantized"].values()))), _rows(figures["quantized"])),
        "### By entity",
        by_entity(documents, found, config),
        "### By kind",
        by_kind(documents, found),
        "### Are the scores probabilities?",
        "Of the spans with a score in a range, how many are right (all development documents; the "
        "lines were fitted to the same):",
        table(
            ("score", "spans", "right"),
            (
                (f"{low:.2f}-{high:.2f}", str(count), f"{hits / count:.2f}" if count else "-")
                for low, high, count, hits in reliability
            ),
        ),
    ]
    (model / "README.md").write_text("\n\n".join(sections) + "\n", "utf-8")


def _rows(figures: Mapping[str, Mapping[str, float]]) -> Iterable[Sequence[str]]:
    return ((name, *(f"{value:.3f}" for value in row.values())) for name, row in figures.items())


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rule = ["---", *("--:" for _ in columns[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, rule, *rows))


def by_entity(documents: Sequence[Document], found: Found, config: Mapping[str, Any]) -> str:
    """Return precision, recall and F1 of each entity, by rules, model and both."""
    rows = []
    for name in ENTITIES:
        count = sum(label == name for one in documents for *_, label in one.spans)
        values = [
            f"{value:.2f}"
            for way in ("rules", "model", "both")
            for value in list(scores(documents, found[way], (name,)).values())[:3]
        ]
        threshold, veto = config["thresholds"][name], config["vetoes"].get(name, "")
        rows.append((name, str(count), *values, str(threshold), str(veto)))
    ways = [f"{what} {way}" for way in ("rules", "model", "both") for what in ("P", "R", "F1")]
    return table(("entity", "spans", *ways, "threshold", "veto"), rows)


def by_kind(documents: Sequence[Document], found: Found) -> str:
    """Return F1 and spurious spans of each kind."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        places[document.kind].append(place)
    rows = []
    for kind, own in sorted(places.items()):
        count = sum(len(documents[place].spans) for place in own)
        score = scores([documents[p] for p in own], [found["both"][p] for p in own])
        rows.append(
            (
                kind,
                str(len(own)),
                str(count),
                *(f"{score[x]:.2f}" if count else "-" for x in ("precision", "recall", "f1")),
                f"{score['spurious']:.2f}",
            )
        )
    columns = ("kind", "documents", "spans", "precision", "recall", "F1", "spurious")
    return table(columns, rows)
