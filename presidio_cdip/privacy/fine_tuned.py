"""Attack by a network that is fine-tuned for it; needs torch and transformers.

The strongest attacker, and by far the slowest: the other attackers do not change the network that
makes their vectors.
"""

from pathlib import Path

import numpy as np

from presidio_cdip.errors import InvalidOption, MissingDependency
from presidio_cdip.privacy.attackers import Attacker, Labels, Sample, Scores

try:
    import torch
    from torch import Tensor
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
except ImportError as error:
    raise MissingDependency(
        f"the Python package {error.name}, which fine-tunes a network,",
        "pip install torch transformers, or leave --fine-tuned out",
    ) from None

_EPOCHS = 2
_BATCH = 16
_RATE = 1e-4
_LONGEST = 128  # pieces of a sentence
_MOST = 1_000  # sentences that it learns from


def by_fine_tuning(folder: Path, seed: int = 0) -> Attacker:
    """Return an attacker that fine-tunes the network in *folder* for each fold.

    At most 1,000 sentences are learnt from. The same seed gives the same scores, on the same
    machine with the same number of threads.

    Args:
        folder: A network in the format of Transformers with its tokenizer, such as
            all-MiniLM-L6-v2; it is only read.
        seed: Draws batches and what the network begins with.

    Raises:
        InvalidOption: The folder holds no such network.
    """
    if not (folder / "config.json").is_file():
        raise InvalidOption(f"{folder.name}: holds no network of Transformers (config.json)")

    def attacker(train: Sample, labels: Labels, test: Sample) -> Scores:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return _scores(folder, train, labels, test, np.random.default_rng(seed))

    return attacker


def _scores(
    folder: Path, train: Sample, labels: Labels, test: Sample, draw: np.random.Generator
) -> Scores:
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    network = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=1, local_files_only=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE)
    share = float(labels.mean())
    loss = torch.nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - share) / max(share, 1e-9)))

    def logits(sample: Sample, places: list[int]) -> Tensor:
        texts = [" ".join(sample.sentences[place]) for place in places]
        given = tokenizer(
            texts, padding=True, truncation=True, max_length=_LONGEST, return_tensors="pt"
        )
        found: Tensor = network(**given).logits[:, 0]
        return found

    network.train()
    for _ in range(_EPOCHS):
        order = draw.permutation(len(labels))[:_MOST].tolist()
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            truth = torch.from_numpy(labels[some].astype(np.float32))
            error = loss(logits(train, some), truth)
            optimizer.zero_grad()
            error.backward()
            optimizer.step()
    network.eval()
    order = sorted(range(len(test.sentences)), key=lambda place: len(test.sentences[place]))
    scores = np.zeros(len(order))
    with torch.inference_mode():
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            scores[some] = logits(test, some).double().numpy()
    return scores
