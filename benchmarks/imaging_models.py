"""Measure page similarity with local models for `imaging.py`: CLIP and a page classifier."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image


@dataclass(frozen=True, slots=True)
class Models:
    """Hold the models whose folders were given: similarity of two pages, and label of one."""

    clip: Callable[[Image.Image, Image.Image], float] | None = None
    label: Callable[[Image.Image], str] | None = None


def models_at(clip: Path | None, classifier: Path | None) -> Models:
    """Load the models from local folders."""
    return Models(
        clip_at(clip) if clip else None, classifier_at(classifier) if classifier else None
    )


def clip_at(folder: Path) -> Callable[[Image.Image, Image.Image], float]:
    """Load CLIP as a function that returns the cosine of the embeddings of two images."""
    import torch
    from transformers import CLIPModel, CLIPProcessor

    model = CLIPModel.from_pretrained(folder, local_files_only=True).eval()
    processor = CLIPProcessor.from_pretrained(folder, local_files_only=True)

    def similarity(one: Image.Image, other: Image.Image) -> float:
        images = [one.convert("RGB"), other.convert("RGB")]
        with torch.inference_mode():
            pixels = processor(images=images, return_tensors="pt")["pixel_values"]
            seen = model.vision_model(pixel_values=pixels).pooler_output
            first, second = model.visual_projection(seen)
        return float(torch.nn.functional.cosine_similarity(first, second, dim=0))

    return similarity


def classifier_at(folder: Path) -> Callable[[Image.Image], str]:
    """Load an image classifier, such as DiT, as a function that returns the label of a page."""
    import torch
    from transformers import AutoImageProcessor, AutoModelForImageClassification

    model = AutoModelForImageClassification.from_pretrained(folder, local_files_only=True).eval()
    processor = AutoImageProcessor.from_pretrained(folder, local_files_only=True)

    def label(image: Image.Image) -> str:
        with torch.inference_mode():
            logits = model(**processor(images=image.convert("RGB"), return_tensors="pt")).logits
        return str(model.config.id2label[int(logits.argmax())])

    return label
