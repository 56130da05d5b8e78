"""Train several token classifiers of one shape at once, as one network with stacked weights.

A network of six layers of 384 is too small for a GPU: alone, it waits for the start of each
operation. `Stack` gives each weight a first dimension, the model's, so that one operation serves
all. The models share nothing: each has its own batches, and its gradients are clipped alone.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

HEADS = 12
_EPSILON = 1e-12
_EMBEDDINGS = "bert.embeddings."

Weights = Mapping[str, Tensor]
"""The weights of one model by their names in `transformers`."""


class Stack(nn.Module):  # type: ignore[misc]
    """Hold the weights of models of one shape, and run them on as many batches.

    Args:
        models: Their weights.
        dropout: For each model, the share of activations that are dropped in training.
        dtype: What it computes in; the weights are kept in 32 bits.
    """

    def __init__(
        self, models: Sequence[Weights], dropout: Sequence[float], dtype: torch.dtype
    ) -> None:
        super().__init__()
        self.dtype = dtype
        self.names = tuple(models[0])
        for name in self.names:
            stacked = torch.stack([one[name].float() for one in models])
            self.register_parameter(_key(name), nn.Parameter(stacked))
        self.depth = sum(name.endswith("attention.self.query.weight") for name in self.names)
        self.register_buffer("keep", 1 - torch.tensor(dropout).view(-1, 1, 1, 1))
        self.keep: Tensor

    def weights(self, model: int) -> dict[str, Tensor]:
        """Return a copy of the weights of one model."""
        return {name: self[name][model].detach().clone() for name in self.names}

    def __getitem__(self, name: str) -> Tensor:
        return self.get_parameter(_key(name))

    def __len__(self) -> int:
        return len(self.keep)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Compute the logits, ``(models, windows, tokens, classes)``.

        Args:
            ids: ``(models, windows, tokens)``.
            mask: True for tokens that are not padding, of the same shape.
        """
        return self._linear(self._dropped(self.hidden(ids, mask)), "classifier").float()

    def hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Compute the last layer's vectors, ``(models, windows, tokens, width)``."""
        words = self[f"{_EMBEDDINGS}word_embeddings.weight"]
        places = self[f"{_EMBEDDINGS}position_embeddings.weight"][:, : ids.shape[2]]
        kinds = self[f"{_EMBEDDINGS}token_type_embeddings.weight"][:, :1]
        first = torch.arange(len(self), device=ids.device).view(-1, 1, 1) * words.shape[1]
        value = functional.embedding(ids + first, words.flatten(0, 1)) + (places + kinds)[:, None]
        value = self._normalized(value.to(self.dtype), f"{_EMBEDDINGS}LayerNorm")
        value = self._dropped(value)
        for layer in range(self.depth):
            place = f"bert.encoder.layer.{layer}."
            middle = self._attended(value, mask, place)
            middle = self._dropped(self._linear(middle, f"{place}attention.output.dense"))
            value = self._normalized(value + middle, f"{place}attention.output.LayerNorm")
            wide = functional.gelu(self._linear(value, f"{place}intermediate.dense"))
            narrow = self._dropped(self._linear(wide, f"{place}output.dense"))
            value = self._normalized(value + narrow, f"{place}output.LayerNorm")
        return value

    def _own(self, name: str) -> Tensor:
        return self[name].to(self.dtype)

    def _linear(self, value: Tensor, name: str) -> Tensor:
        return multiplied(value, self._own(f"{name}.weight"), self._own(f"{name}.bias"))

    def _attended(self, value: Tensor, mask: Tensor, place: str) -> Tensor:
        names = [f"{place}attention.self.{name}" for name in ("query", "key", "value")]
        weight, bias = (
            torch.cat([self._own(f"{name}.{part}") for name in names], dim=1)
            for part in ("weight", "bias")
        )
        models, windows, tokens, width = value.shape
        three = multiplied(value, weight, bias).view(
            models * windows, tokens, 3, HEADS, width // HEADS
        )
        query, key, content = three.permute(2, 0, 3, 1, 4)
        allowed = mask.reshape(models * windows, 1, 1, tokens)
        found = functional.scaled_dot_product_attention(query, key, content, attn_mask=allowed)
        return found.transpose(1, 2).reshape(value.shape)

    def _normalized(self, value: Tensor, name: str) -> Tensor:
        found = functional.layer_norm(value, value.shape[-1:], eps=_EPSILON)
        weight, bias = (self._own(f"{name}.{part}")[:, None, None] for part in ("weight", "bias"))
        return torch.addcmul(bias, found, weight)

    def _dropped(self, value: Tensor) -> Tensor:
        if not self.training:
            return value
        kept = torch.rand_like(value) < self.keep
        return value * (kept * (1 / self.keep).to(value.dtype))


def multiplied(value: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Apply one linear layer a model: ``(models, ..., inputs)`` to ``(models, ..., outputs)``."""
    found = torch.baddbmm(bias[:, None], value.flatten(1, -2), weight.transpose(1, 2))
    return found.view(*value.shape[:-1], weight.shape[1])


class Trainer:
    """Take steps of AdamW on a stack, and keep the running average of its weights.

    Args:
        stack: The models.
        rate: The peak learning rate.
        average: The share of the running average that stays at a step.
    """

    def __init__(self, stack: Stack, rate: float, average: float = 0.998) -> None:
        self.stack, self.rate = stack, rate
        parameters = list(stack.parameters())
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [one for one in parameters if one.ndim > 2], "weight_decay": 0.01},
                {"params": [one for one in parameters if one.ndim < 3], "weight_decay": 0.0},
            ],
            lr=rate,
            fused=True,
        )
        self.average = [one.detach().clone() for one in parameters]
        self.share, self.step = average, 0

    def take(self, loss: Tensor, progress: float, warm_up: float = 0.08) -> None:
        """Take a step down *loss*, the sum over the models; *progress* is the share done."""
        parameters = list(self.stack.parameters())
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * max(
                0.0, min(progress / warm_up, (1 - progress) / (1 - warm_up))
            )
        self.optimizer.zero_grad()
        loss.backward()
        gradients = [one.grad for one in parameters if one.grad is not None]
        norms = sum(one.flatten(1).square().sum(1) for one in gradients)
        assert isinstance(norms, Tensor)
        scale = (1 / norms.sqrt().clamp(min=1e-6)).clamp(max=1.0)
        for one in gradients:
            one.mul_(scale.view(-1, *[1] * (one.ndim - 1)))
        self.optimizer.step()
        self.step += 1
        keep = min(self.share, 1 - 1 / (1 + self.step / 10))
        with torch.no_grad():
            torch._foreach_lerp_(self.average, list[Tensor](parameters), 1 - keep)

    def take_average(self) -> None:
        """Give the stack the averaged weights."""
        with torch.no_grad():
            for own, averaged in zip(self.stack.parameters(), self.average, strict=True):
                own.copy_(averaged)


def _key(name: str) -> str:
    return name.replace(".", "_")


def precision(device: torch.device) -> torch.dtype:
    """Return what a stack computes in on *device*: bfloat16 on GPUs."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32
