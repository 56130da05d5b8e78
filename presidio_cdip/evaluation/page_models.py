"""Compare pages by what two models see: embeddings of CLIP, and labels of a page classifier.

Larson et al. (EMNLP 2024) compare pages by CLIP and classify them by DiT. Neither is shipped: each
is a folder as the package transformers saves it. Nothing is downloaded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.errors import MissingDependency, ModelError
from presidio_cdip.evaluation.charts import steps
from presidio_cdip.evaluation.sections import Figure, Histogram, Row, Section, Table

See = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""From a page in grey levels to its embedding, of length 1, or to the chance of each label."""


@dataclass
class Judged:
    """The results of models on the pages of one method.

    Attributes:
        cosines: Of the embeddings before and after.
        changes: By how much the classifier's confidence in the label that it gave before falls.
        flips: Pages to which it gives another label.
    """

    cosines: list[float] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    flips: int = 0


@dataclass
class PageModels:
    """The models whose folders were given.

    Attributes:
        embed: Returns the embedding of a page.
        classify: Returns the chance of each label.
        judged: What was seen, by method.
    """

    embed: See | None = None
    classify: See | None = None
    judged: dict[str, Judged] = field(default_factory=dict)

    def judge(self, method: str, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> None:
        """Add a page before and after."""
        of = self.judged.setdefault(method, Judged())
        if self.embed:
            of.cosines.append(float(self.embed(before) @ self.embed(after)))
        if self.classify:
            first, second = self.classify(before), self.classify(after)
            label = int(first.argmax())
            of.changes.append(float(first[label] - second[label]))
            of.flips += label != int(second.argmax())

    def section(self) -> Section | None:
        """Return figures 8, 9 and 12 of Larson et al. (EMNLP 2024), by their kinds of models."""
        judged = {name: of for name, of in self.judged.items() if of.cosines or of.changes}
        if not judged:
            return None
        parts: list[Table | Figure] = [_table(judged)]
        if cosines := {name: of.cosines for name, of in judged.items() if of.cosines}:
            euclids = {
                name: [float(np.sqrt(max(0.0, 2 - 2 * one))) for one in found]
                for name, found in cosines.items()
            }
            parts += [
                _histogram("figure_8_clip", "Cosine of CLIP's embeddings", cosines, "cosine"),
                _histogram("figure_9_clip", "Distance of CLIP's embeddings", euclids, "distance"),
            ]
        if changes := {name: of.changes for name, of in judged.items() if of.changes}:
            title = "Change of confidence, page classifier"
            parts.append(_histogram("figure_12_model", title, changes, "fall of confidence"))
        return Section("Pages as models see them", parts)


def page_models(clip: Path | None, classifier: Path | None) -> PageModels | None:
    """Load the models from their folders; None without any.

    Raises:
        MissingDependency: torch or transformers is not installed.
        ModelError: A folder holds no such model.
    """
    if clip is None and classifier is None:
        return None
    return PageModels(
        _seeing(clip, "CLIPVisionModelWithProjection", _embedding) if clip else None,
        _seeing(classifier, "AutoModelForImageClassification", _chances) if classifier else None,
    )


def _seeing(folder: Path, kind: str, of: Callable[[Any], Any]) -> See:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}, which models of pages need,",
            "pip install torch transformers",
        ) from None
    kinds: Any = transformers
    try:
        model = getattr(kinds, kind).from_pretrained(folder, local_files_only=True).eval()
        prepare = kinds.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name or 'torchvision'}, which models of pages need,",
            "pip install torch transformers",
        ) from None
    except (OSError, ValueError, TypeError, KeyError):
        raise ModelError(
            str(folder),
            f"holds no model of the kind {kind}; give a folder that the package transformers "
            "saved, with config.json, model.safetensors and preprocessor_config.json",
        ) from None

    def see(page: NDArray[np.uint8]) -> NDArray[np.float32]:
        from PIL import Image

        with torch.inference_mode():
            given = prepare(images=Image.fromarray(page).convert("RGB"), return_tensors="pt")
            return np.asarray(of(model(pixel_values=given["pixel_values"]))[0], np.float32)

    return see


def _embedding(output: Any) -> Any:
    seen = output.image_embeds
    return seen / seen.norm(dim=-1, keepdim=True)


def _chances(output: Any) -> Any:
    return output.logits.softmax(dim=-1)


def _table(judged: Mapping[str, Judged]) -> Table:
    def mean(values: Sequence[float]) -> float | None:
        return float(np.mean(values)) if values else None

    rows: list[Row] = [
        [
            name, max(len(of.cosines), len(of.changes)), mean(of.cosines),
            of.flips if of.changes else None, mean([abs(one) for one in of.changes]),
        ]
        for name, of in judged.items()
    ]  # fmt: skip
    return Table(
        "page_models",
        "Models of pages before and after redaction",
        "By the models whose folders were given. Larson et al. (EMNLP 2024), CLIP and DiT: 0 flips "
        "on 445 pages; mean change black .0036, white .0022, synthetic .0024.",
        [
            ("method", "text"), ("pages", "count"), ("mean cosine", "number"),
            ("label flips", "count"), ("mean change of confidence", "number"),
        ],
        rows,
    )  # fmt: skip


def _histogram(name: str, title: str, values: Mapping[str, Sequence[float]], axis: str) -> Figure:
    every = [value for series in values.values() for value in series]
    low, high = min(every), max(every)
    edges = steps(low, high if high - low > 1e-4 else low + 1e-4, about=10)
    series = {
        method: [int(count) for count in np.histogram(found, edges)[0]]
        for method, found in values.items()
    }
    note = "As the figure of that number of Larson et al. (EMNLP 2024)."
    return Figure(name, title, note, Histogram(edges, series, axis, "pages"))
