"""Keep a trained ranker in a folder, with a card that says what it is and how far it reaches.

The folder holds ``ranker.npz`` and ``card.json``. Neither has a text or a word of the sets in it.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np

from presidio_cdip.errors import InvalidOption, RankerError
from presidio_cdip.files.inputs import read_bytes
from presidio_cdip.files.outputs import write
from presidio_cdip.privacy.encoder import Encoder
from presidio_cdip.privacy.iterated import Iterated
from presidio_cdip.privacy.masking import budget
from presidio_cdip.privacy.rankers import Ranker, ranker_of
from presidio_cdip.privacy.sentences import SentenceSet
from presidio_cdip.version import __version__

ARRAYS, CARD = "ranker.npz", "card.json"

_FORMAT = 1
_USE_VECTORS = ("contribution", "iterated", "kl", "kl-published")
_AGAIN = "train it again with corpus-train"


@dataclass(frozen=True, slots=True)
class SetCard:
    """A card's entry for a set of sentences.

    Attributes:
        name: The name of its file or folder.
        documents: How many documents there were.
        seen: How many sentences there were.
        trained_on: How many of them the ranker was trained on.
        held_out: How many of them the curves were measured on.
        cut_documents: Whether documents were cut, since there were fewer than five, in the set or
            held out: of one document, some sentences are learnt from by the ranker or an attacker,
            and others are asked about. The curves are then not those of new documents.
    """

    name: str
    documents: int
    seen: int
    trained_on: int
    held_out: int
    cut_documents: bool = False

    @classmethod
    def of(cls, whole: SentenceSet, trained_on: int, held_out: int, cut_documents: bool) -> Self:
        """Return the card of the set *whole*."""
        return cls(whole.name, whole.sources, whole.seen, trained_on, held_out, cut_documents)


@dataclass(frozen=True, slots=True)
class Point:
    """The attackers' results on the held-out sentences of both sets at one level.

    Attributes:
        level: The share of the words of each sentence that may be redacted, in [0, 1].
        redacted: The share of all words that are, in [0, 1].
        auc: By attacker: the area under the ROC curve, .5 for guessing.
    """

    level: float
    redacted: float
    auc: Mapping[str, float]

    @property
    def worst(self) -> float:
        """Return the AUC of the attacker that does best."""
        return max(self.auc.values())


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a ranker.

    Attributes:
        kind: One of `presidio_cdip.privacy.rankers.RANKERS`.
        encoder: The name of its encoder.
        seed: The seed of its training.
        sensitive: The sensitive set.
        safe: The other set.
        curve: By level, where words that the entities cover are redacted first.
        curve_alone: By level, where the ranker alone chooses.
        made: The day of the training.
        version: The version of this package.
        sha256: Of ``ranker.npz``.
    """

    kind: str
    encoder: str
    seed: int
    sensitive: SetCard
    safe: SetCard
    curve: Sequence[Point]
    curve_alone: Sequence[Point]
    made: str = field(default_factory=lambda: date.today().isoformat())
    version: str = __version__
    sha256: str = ""

    def level_for(self, auc: float, alone: bool = False) -> float:
        """Return the least level at which no attacker has a higher AUC than *auc*.

        At all higher levels of the curve no attacker has a higher one either.

        Args:
            auc: In [0.5, 1].
            alone: Whether the ranker alone chooses what is redacted.

        Raises:
            InvalidOption: *auc* is not in [0.5, 1], or no level of the curve reaches it.
        """
        if not 0.5 <= auc <= 1:
            raise InvalidOption(f"auc: {auc} is not in 0.5..1, where .5 is guessing")
        curve = sorted(self.curve_alone if alone else self.curve, key=lambda one: one.level)
        reached = [one.level for one in curve]
        for point in reversed(curve):
            if point.worst > auc:
                reached = [one.level for one in curve if one.level > point.level]
                break
        if not reached:
            least = curve[-1].worst if curve else 1.0  # the curve may fall and rise again
            raise InvalidOption(
                f"auc: no level of this ranker keeps to {auc} from there on; the least that one "
                f"keeps to is {least:.3f}: ask for that or more, or give a level"
            )
        return reached[0]

    def as_json(self) -> dict[str, Any]:
        """Return the card as a JSON object."""
        return {"format": _FORMAT, **asdict(self)}

    @classmethod
    def of(cls, data: Any) -> Self:
        """Return the card that *data* describes.

        Raises:
            ValueError: It is none, or of another version's format.
        """
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise ValueError("format")
        given = {name: value for name, value in data.items() if name != "format"}
        try:
            for name in ("sensitive", "safe"):
                given[name] = SetCard(**given[name])
            for name in ("curve", "curve_alone"):
                given[name] = [Point(**point) for point in given[name]]
                for point in given[name]:
                    budget(1, point.level)
                    _ = point.worst + 0.0
            return cls(**given)
        except (TypeError, KeyError, AttributeError, InvalidOption) as error:
            raise ValueError(type(error).__name__) from None


@dataclass(frozen=True, slots=True)
class Trained:
    """A ranker with its card.

    Attributes:
        ranker: The ranker.
        card: What is known of it.
    """

    ranker: Ranker
    card: Card

    def save(self, folder: Path | str) -> None:
        """Write the ranker to *folder*, which is made if needed.

        Raises:
            OutputError: It cannot be written.
        """
        data = _npz(self.ranker.arrays())
        card = self.card.as_json() | {"sha256": sha256(data).hexdigest()}
        write(data, Path(folder, ARRAYS))
        text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
        write(text.encode("utf-8", "replace"), Path(folder, CARD))


def load_ranker(folder: Path | str, encoder: Encoder | None = None) -> Trained:
    """Return the ranker that `Trained.save` wrote to *folder*.

    Args:
        folder: The folder.
        encoder: Makes the vectors [default: the shipped one].

    Raises:
        RankerError: It holds no ranker, or one of another encoder.
    """
    folder = Path(folder)
    name = folder.name or str(folder)
    for part in (ARRAYS, CARD):
        if not (folder / part).is_file():
            raise RankerError(name, f"has no {part}; name a folder that corpus-train wrote")
    try:
        card = Card.of(json.loads((folder / CARD).read_text("utf-8")))
    except (ValueError, OSError, RecursionError):
        raise RankerError(name, f"its {CARD} cannot be used: {_AGAIN}") from None
    encoder = encoder or Encoder()
    if card.kind in _USE_VECTORS and card.encoder != encoder.name:
        raise RankerError(
            name, f"is of the encoder {card.encoder}, and this is {encoder.name}: {_AGAIN}"
        )
    data = read_bytes(folder / ARRAYS)
    if sha256(data).hexdigest() != card.sha256:
        raise RankerError(name, f"its {ARRAYS} is not the one of its {CARD}: {_AGAIN}")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            of = Iterated.of if card.kind == Iterated.name else partial(ranker_of, card.kind)
            ranker = of(dict(arrays), encoder)
    except (ValueError, KeyError, OSError, EOFError, TypeError):
        raise RankerError(name, f"its {ARRAYS} cannot be used: {_AGAIN}") from None
    return Trained(ranker, card)


def _npz(arrays: Mapping[str, Any]) -> bytes:
    """Return *arrays* as NumPy keeps them; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, **dict(sorted(arrays.items())))
    return buffer.getvalue()
