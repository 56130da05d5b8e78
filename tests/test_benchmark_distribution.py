"""The benchmark of rankers: its pairs, its third attacker and its means."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.distribution import PAIRS, by_pieces, pairs_of, shifted, summarized
from presidio_cdip.privacy.attackers import Sample, auc


def test_pairs_without_their_data_are_skipped_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The corpus is in the checkout; real prose is not."""
    names = [name for name, *_ in pairs_of(tmp_path, "")]

    assert names == [name for name in PAIRS if "families" in name]
    assert capsys.readouterr().err.count("skipped") == 2


def test_pairs_have_a_thousand_sentences_a_side(tmp_path: Path) -> None:
    """The families have many more; a sample is drawn."""
    [(_, first, second)] = pairs_of(tmp_path, "families")

    assert len(first) == len(second) == 1_000
    assert first.seen > 2_000 and second.seen > 2_000


def test_third_attacker_reads_pieces_of_words() -> None:
    """A word that it never saw is told by its ending."""
    words = ("walk", "talk", "jump", "paint", "open", "mend", "turn", "call")
    vectors = np.zeros((60, 1), np.float32)
    train = Sample([(f"{words[n % 7]}{'ing' if n % 2 else 'ed'}",) for n in range(60)], vectors)
    labels = np.arange(60) % 2
    test = Sample([("calling",), ("called",)], vectors[:2])

    assert auc(np.array([1, 0]), by_pieces(train, labels, test)) == 1.0


def test_rows_are_means_over_seeds() -> None:
    """With the range of the worst attacker, and no AUC for halves of one set."""
    figures = dict.fromkeys(("words", "embeddings", "neighbours", "third", "redacted"), 0.3)
    found = {
        ("pair", "kl", 0.3, seed): figures | {"worst": worst, "d2": 1.0, "epsilon": 2.0}
        for seed, worst in enumerate((0.6, 0.8))
    }

    [row, floor] = summarized(found | {("pair", "two halves", 0.0, 0): {"d2": 0.3, "epsilon": 1.0}})

    assert row[:6] == ["pair", "kl", "0.3", "2", "30%", "0.700 (0.600–0.800)"]
    assert floor[5] == "–" and floor[-2:] == ["0.30", "1.00"]


def test_gaussians_are_as_far_apart_as_said() -> None:
    """α |μ|² / 2 is the divergence that was asked for."""
    first, second = shifted(2.0, 3, 4.0, 20_000, 0)

    assert first.mean(axis=0)[0] - second.mean(axis=0)[0] == pytest.approx(2.0, abs=0.05)
