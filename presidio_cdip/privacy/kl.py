"""Train the ranker that makes two sets of sentences alike; the one module that needs torch.

Method and numbers are of "privacy benefits of redaction"; docs/corpus.md says what is different.
"""

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np

from presidio_cdip.errors import MissingDependency
from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.rankers import KlRanker
from presidio_cdip.privacy.sentences import Sentence

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise MissingDependency(
        "the Python package torch, which trains the ranker kl and is not needed to use it,",
        "pip install torch, or train --by contribution",
    ) from None

_WIDTH = 128  # of a layer
_DROPOUT = 0.2
_BATCH = 64  # sentences of each set in a step
_EPOCHS = 3
_RATE = 1e-3
_SHARE = 0.1  # K: the share of the words that the soft mask hides
_SHARP = 100.0  # T: the slope of the soft mask, and of the soft count of neighbours
_NEIGHBOURS = 3
_FLOOR = 0.01  # of the loss
_NEAR = 1e-6  # the least distance, as of equal sentences


def train_kl(
    sensitive: Sequence[Sentence],
    safe: Sequence[Sentence],
    encoder: Encoder,
    seed: int,
    published: bool = False,
) -> KlRanker:
    """Return a ranker that is trained on two sets of sentences.

    Args:
        sensitive: Sentences; those of one word are left out.
        safe: Likewise.
        encoder: Makes the vectors; it is not changed.
        seed: Draws weights, batches and dropout. The same seed gives the same ranker, on the same
            machine with the same number of threads.
        published: Train as the authors' code does: a soft mask divides by the width of the batch,
            not by the length of the sentence, and its threshold is the k-th rank itself.
    """
    sides = [
        [torch.from_numpy(words) for words in encoder.each_words(side) if len(words) > 1]
        for side in (sensitive, safe)
    ]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = _network(encoder.dimensions)
        network.train()
        optimizer = torch.optim.Adam(network.parameters(), lr=_RATE)
        for _ in range(_EPOCHS):
            for batch in _batches(*sides):
                first, second = (_soft_means(network, some, published) for some in batch)
                loss = _loss(first, second)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
    linear = [layer for layer in network if isinstance(layer, nn.Linear)]
    layers = [(_array(layer.weight.T), _array(layer.bias)) for layer in linear]
    return KlRanker(encoder, layers, "kl-published" if published else "kl")


def _network(dimensions: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    width = dimensions
    for _ in range(3):
        layers += [nn.Linear(width, _WIDTH), nn.Tanh(), nn.Dropout(_DROPOUT)]
        width = _WIDTH
    return nn.Sequential(*layers, nn.Linear(width, 1), nn.Sigmoid())


def _array(tensor: Tensor) -> Vectors:
    return np.ascontiguousarray(tensor.detach().numpy())


def _batches(
    first: Sequence[Tensor], second: Sequence[Tensor]
) -> Iterator[tuple[list[Tensor], list[Tensor]]]:
    """Yield batches of both sets, until one of them is gone through."""
    orders = [torch.randperm(len(side)).tolist() for side in (first, second)]
    for start in range(0, min(map(len, orders)) - _NEIGHBOURS, _BATCH):
        one, other = (order[start : start + _BATCH] for order in orders)
        if min(len(one), len(other)) > _NEIGHBOURS:
            yield [first[place] for place in one], [second[place] for place in other]


def _soft_means(network: nn.Module, sentences: Sequence[Tensor], published: bool) -> Tensor:
    """Return ``(sentences, dimensions)``: the means of the words that a soft mask leaves."""
    vectors = nn.utils.rnn.pad_sequence(list(sentences), batch_first=True)
    lengths = torch.tensor([len(one) for one in sentences])
    inside = torch.arange(vectors.shape[1])[None] < lengths[:, None]
    ranks = network(vectors)[..., 0]
    ordered = ranks.masked_fill(~inside, 2.0).sort(dim=1).values  # no rank is above 1
    hidden = torch.tensor([ceil(_SHARE * int(one)) for one in lengths])[:, None]
    threshold = ordered.gather(1, hidden - 1)
    if not published:
        threshold = (threshold + ordered.gather(1, hidden)) / 2
    kept = torch.sigmoid(_SHARP * (ranks - threshold)) * inside
    width = torch.full_like(threshold, vectors.shape[1]) if published else kept.sum(1, True)
    return (kept[..., None] * vectors).sum(1) / width


def _loss(first: Tensor, second: Tensor) -> Tensor:
    """Return the greater divergence of both directions, at least `_FLOOR`, over the dimensions."""
    both = torch.stack([_divergence(first, second), _divergence(second, first)])
    return both.max().clamp(min=_FLOOR) / first.shape[1]


def _divergence(first: Tensor, second: Tensor) -> Tensor:
    """Return an estimate of KL(X‖Y) by neighbours; *first* and *second* are ``(n, d)``."""
    own = torch.cdist(first, first) + torch.diag(torch.full((len(first),), torch.inf))
    ours = own.topk(_NEIGHBOURS, largest=False).values.clamp(min=_NEAR)
    theirs = torch.cdist(first, second).topk(_NEIGHBOURS, largest=False).values.clamp(min=_NEAR)
    densities = []
    for near in (ours, theirs):
        radius = near[:, -1:]
        counts = torch.sigmoid(_SHARP * (radius - near)).sum(1)
        shares = counts / counts.sum()
        densities.append((shares, shares.log() - first.shape[1] * radius[:, 0].log()))
    (shares, here), (_, there) = densities
    return (shares * (here - there)).sum()
