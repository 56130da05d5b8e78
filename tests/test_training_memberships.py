"""A model in training is told which words stand in lists."""

from typing import Any

import pytest

pytestmark = pytest.mark.checkout

torch = pytest.importorskip("torch", reason="torch is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
memberships = pytest.importorskip("training.memberships", reason="torch is not installed")

WORDS = ("[PAD]", "heart", "failure", "##s", "lung", "sal", "##em")


def _memberships(*terms: tuple[str, str]) -> Any:
    model = tokenizers.models.WordPiece(
        vocab={word: at for at, word in enumerate(WORDS)}, unk_token="[PAD]"
    )
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return memberships.Memberships(tokenizer, terms)


def _ids(*words: str) -> list[int]:
    return [WORDS.index(word) for word in words]


def test_the_longest_term_marks_its_words() -> None:
    """Its first word begins it, and the others go on."""
    found = _memberships(("health", "heart failure"), ("health", "heart"), ("town", "salem"))

    assert list(found.of(_ids("heart", "failure"))) == [(0, 0), (1, 1)]
    assert list(found.of(_ids("lung", "sal", "##em"))) == [(1, 2), (2, 3)]


def test_a_part_of_a_word_is_no_term() -> None:
    """A term ends where a word does."""
    found = _memberships(("health", "heart failure"), ("health", "failure"))

    assert not list(found.of(_ids("heart", "failure", "##s")))


def test_words_are_embedded_as_before_until_something_is_learnt() -> None:
    """The weights of lists are nothing at first."""
    words = torch.nn.Embedding(len(WORDS), 4)
    ids = torch.tensor([_ids("heart", "failure")])
    own = memberships.WithMemberships(words, _memberships(("health", "heart")))

    assert torch.equal(own(ids), words(ids))
    torch.nn.init.ones_(own.lists.weight)
    assert not torch.equal(own(ids)[0, 0], words(ids)[0, 0])
    assert torch.equal(own(ids)[0, 1], words(ids)[0, 1])


def test_masked_words_keep_their_lists() -> None:
    """In training alone, with all their pieces, and never at the ends or in padding."""
    words = torch.nn.Embedding(200, 4)
    own = memberships.WithMemberships(words, _memberships(("health", "heart")), 1.0)
    torch.nn.init.ones_(own.lists.weight)
    ids = torch.tensor([[101, *_ids("heart", "##s", "failure"), 102]])

    learning = own(ids)

    assert torch.equal(learning[0, 1:4], words.weight[103].expand(3, 4))
    assert torch.equal(learning[0, [0, 4]], words(ids)[0, [0, 4]])
    heart = torch.tensor([[101, *_ids("heart"), 102]])
    assert torch.equal(own(heart)[0, 1], words.weight[103] + 1)
    assert torch.equal(own.eval()(heart)[0, 1], words(heart)[0, 1] + 1)
