"""The audit of a pair of corpora: what it measures, what it says, and what it keeps to itself."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.errors import CorpusError
from presidio_cdip.evaluation.sections import Table
from presidio_cdip.evaluation.writing import write_audit
from presidio_cdip.privacy.attackers import ATTACKERS, Labels, Sample, Scores
from presidio_cdip.privacy.audit import (
    PLAIN,
    REPLACED,
    CorpusAudit,
    audit_pair,
    redacted_share,
    steps_of,
    telling_words,
    topics,
)
from presidio_cdip.privacy.rankers import RandomRanker
from presidio_cdip.privacy.report import NAMES, WARNING, report, summary
from presidio_cdip.privacy.sentences import SentenceSet
from presidio_cdip.privacy.training import train
from presidio_cdip.recognition.spans import Span
from tests.privacy.conftest import CLINIC, SHIPYARD, ByWords

Sets = tuple[SentenceSet, SentenceSet]
TELLING = re.compile("|".join((*CLINIC, *SHIPYARD)), re.IGNORECASE)


def find(text: str) -> list[Span]:
    """Find all that tells, as entities would if they covered it."""
    return [Span(one.start(), one.end(), "HEALTH", 1.0, "t") for one in TELLING.finditer(text)]


@pytest.fixture(scope="module")
def audited(two_sets: Sets, by_words: ByWords) -> CorpusAudit:
    rankers = {
        "trained": train("contribution", *two_sets, encoder=by_words),
        "random": RandomRanker(0),
    }
    return audit_pair(
        *two_sets, encoder=by_words, find=find, rankers=rankers, levels=(0.0, 0.3), seed=1, seeds=1
    )


def test_audit_measures_what_tells_and_what_replacing_takes(audited: CorpusAudit) -> None:
    """Certainty before, guessing after; the divergences above their floor before, near it after."""
    plain, replaced = audited.measured[PLAIN], audited.measured[REPLACED]

    assert plain.auc > 0.99
    assert 0.4 < replaced.auc < 0.65
    assert plain.d2 > 2 * audited.floors[plain.nearest].d2.mean
    assert replaced.d2 < plain.d2 / 2
    assert plain.epsilon > replaced.epsilon
    assert plain.scores_d2 > 3
    assert replaced.scores_d2 < 0.5
    assert plain.redacted == 0
    assert 0.15 < replaced.redacted < 0.25


def test_the_worst_attacker_is_the_headline(audited: CorpusAudit) -> None:
    """The highest AUC of all, and the larger D₂ and ε of both embeddings."""
    for one in audited.measured.values():
        assert one.auc == max(attack.auc.mean for attack in one.attacks.values())
        assert one.d2 == max(found.d2.mean for found in one.estimates.values())
        assert one.epsilon == max(found.epsilon.mean for found in one.estimates.values())
        assert set(one.attacks) == set(ATTACKERS)


def test_curves_begin_where_the_entities_are_replaced(audited: CorpusAudit) -> None:
    """As `corpus-redact` does: what tells is gone at level 0, with and without a ranker."""
    for points in audited.curves.values():
        assert points[0].measured.redacted == pytest.approx(0.2, abs=0.05)
        assert points[0].measured.auc < 0.65
        assert points[1].measured.redacted == pytest.approx(0.3, abs=0.05)


@pytest.mark.slow
def test_a_trained_ranker_takes_more_than_a_random_one(two_sets: Sets, by_words: ByWords) -> None:
    """At 30 % of the words; at 0 % they are the same."""
    rankers = {
        "trained": train("contribution", *two_sets, encoder=by_words),
        "random": RandomRanker(0),
    }
    curves = audit_pair(
        *two_sets, encoder=by_words, rankers=rankers, levels=(0.0, 0.3), seed=1, seeds=1
    ).curves
    trained, drawn = (curves[name] for name in ("trained", "random"))

    assert trained[0].measured.auc == drawn[0].measured.auc
    assert trained[1].measured.auc < drawn[1].measured.auc - 0.1
    assert [point.level for point in trained] == [0.0, 0.3]
    assert trained[1].measured.redacted == pytest.approx(0.3, abs=0.05)


@pytest.mark.slow
def test_attackers_learn_from_redacted_sentences(two_sets: Sets, by_words: ByWords) -> None:
    """What they are trained on is masked as what they are asked about."""
    seen: list[int] = []

    def watching(train: Sample, labels: Labels, test: Sample) -> Scores:
        seen.extend(
            sum("[MASK]" in sentence for sentence in some.sentences) / len(some.sentences) > 0.9
            for some in (train, test)
        )
        return np.zeros(len(test.sentences))

    audit_pair(
        *two_sets, encoder=by_words, attackers={"watching": watching},
        rankers={"random": RandomRanker(0)}, levels=(0.3,), seeds=1,
    )  # fmt: skip

    plain, redacted = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    assert not any(plain)
    assert all(redacted)


def test_report_says_what_it_is_and_no_word_of_the_documents(
    audited: CorpusAudit, tmp_path: Path
) -> None:
    """In all three formats, with the interval, the floor and the attackers beside ε."""
    write_audit(report(audited, ["Some files could not be read."]), tmp_path, NAMES)

    for name in NAMES:
        text = (tmp_path / name).read_text()
        assert WARNING in text
        assert not TELLING.search(text.replace("safeguard", "").replace("forward", ""))
        for said in ("two halves of one set", "Some files could not be read", "δ"):
            assert said in text
    data = json.loads((tmp_path / NAMES[1]).read_text())
    assert {"attackers", "divergences", "levels"} == set(data["tables"])
    assert {"auc_by_level", "d2_by_level"} == set(data["figures"])
    assert len(data["tables"]["attackers"]["rows"]) == 2 * len(ATTACKERS)


def test_page_stands_alone(audited: CorpusAudit, tmp_path: Path) -> None:
    """No script and nothing that is loaded; a line for each ranker in both figures."""
    write_audit(report(audited), tmp_path, NAMES)
    loaded: list[str] = []
    lines: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag in ("script", "link", "img", "iframe", "object"):
                loaded.append(tag)
            loaded.extend(name for name, _ in attrs if name in ("src", "onload", "onclick"))
            if tag == "polyline":
                lines.append(tag)

    Reader().feed((tmp_path / NAMES[0]).read_text())

    assert loaded == []
    assert len(lines) == 4


def test_words_that_tell_most_are_of_either_set(two_sets: Sets) -> None:
    """Half of them speak for one, half for the other."""
    words = telling_words((two_sets[0].sentences, two_sets[1].sentences), 4)

    assert all(word in CLINIC for word, weight in words if weight > 0)
    assert all(word in SHIPYARD for word, weight in words if weight < 0)
    assert len(words) == 4


def test_shown_words_are_in_the_report(audited: CorpusAudit) -> None:
    """With the sentence that they are text of the documents."""
    shown = report(replace(audited, words=[("keel", -1.0)]))

    assert "names words of the documents" in shown.end
    assert "No text of a document" in report(audited).end


@pytest.mark.slow
def test_same_seed_gives_the_same_report(
    two_sets: Sets, by_words: ByWords, audited: CorpusAudit, tmp_path: Path
) -> None:
    """Byte for byte; another seed gives another."""
    found = []
    for number, seed in enumerate((3, 3, 4)):
        one = audit_pair(*two_sets, encoder=by_words, seed=seed, seeds=1)
        write_audit(report(one), tmp_path / str(number), NAMES)
        found.append([(tmp_path / str(number) / name).read_bytes() for name in NAMES])

    assert found[0] == found[1] != found[2]


@pytest.mark.slow
def test_progress_is_as_announced(two_sets: Sets, by_words: ByWords) -> None:
    """A step for each thing that takes time."""
    done: list[None] = []

    audit_pair(
        *two_sets, encoder=by_words, find=find, rankers={"random": RandomRanker(0)},
        attackers={"words": ATTACKERS["words"]}, levels=(0.1, 0.2), seeds=1,
        advance=lambda: done.append(None),
    )  # fmt: skip

    assert len(done) == steps_of(redact=True, rankers=1, levels=2)


@pytest.mark.slow
def test_few_documents_are_said(by_words: ByWords, make_texts: Callable[..., list[str]]) -> None:
    """Where one document is in training and test, the report says what that does."""
    sets = [
        SentenceSet.of(name, [" ".join(make_texts(words, 15, seed))])
        for name, words, seed in (("clinic", CLINIC, 1), ("shipyard", SHIPYARD, 2))
    ]

    found = audit_pair(sets[0], sets[1], encoder=by_words, seeds=1)

    remarks = report(found).sections[0].remarks
    assert sum("fewer than 5 documents" in one for one in remarks) == 2


def test_files_that_were_not_read_whole_are_said(audited: CorpusAudit) -> None:
    """How many of either set; and nothing where all were."""
    found = replace(audited, safe=replace(audited.safe, unread=2))

    [remark] = set(report(found).sections[0].remarks) - set(report(audited).sections[0].remarks)

    assert remark.startswith("shipyard: 2 files could not be read, or not whole")


def test_sets_that_cannot_be_compared_are_refused(two_sets: Sets, by_words: ByWords) -> None:
    """Before anything is measured."""
    with pytest.raises(CorpusError, match="in common"):
        audit_pair(two_sets[0], two_sets[0], encoder=by_words)
    with pytest.raises(CorpusError, match="needed"):
        audit_pair(two_sets[0].chosen(range(50)), two_sets[1], encoder=by_words, seeds=1)


@pytest.mark.slow
def test_nothing_left_is_nothing_told(two_sets: Sets, by_words: ByWords) -> None:
    """At level 1 every sentence is one mask: guessing, D₂ and ε of 0."""
    found = audit_pair(
        *two_sets, encoder=by_words, rankers={"random": RandomRanker(0)}, levels=(1.0,), seeds=1
    )

    [point] = found.curves["random"]
    assert point.measured.auc == 0.5
    assert (point.measured.d2, point.measured.epsilon) == (0, 0)
    assert point.measured.redacted == 1


def test_summary_has_a_row_for_each_way_and_one_for_the_floor(audited: CorpusAudit) -> None:
    """Names first, the floor last."""
    rows: Sequence[Sequence[str]] = summary(audited)

    assert [row[0] for row in rows] == [
        *("as they are", "entities replaced", "trained, level 0", "trained, level 0.3"),
        *("random, level 0", "random, level 0.3", "two halves of one set"),
    ]


def test_topics_need_no_words() -> None:
    """Sentences in which no word is left twice are told apart by nothing."""
    sides = [("[MASK]",)] * 5, [("[MASK]",)] * 6

    first, second = topics(sides, 0)

    assert first.shape[0] == 5 and second.shape[0] == 6
    assert redacted_share(sides, sides) == 1


@pytest.mark.slow
def test_epsilon_is_stated_at_the_delta_that_it_and_its_floor_are_of(
    by_words: ByWords, make_texts: Callable[..., list[str]]
) -> None:
    """One over the sentences of the smaller set, 300 of 300 and 400, whichever set reads more."""
    clinic, shipyard = (
        SentenceSet.of(name, make_texts(words, documents, 1))
        for name, words, documents in (("clinic", CLINIC, 15), ("shipyard", SHIPYARD, 20))
    )

    for sets in ((clinic, shipyard), (shipyard, clinic)):
        found = audit_pair(*sets, encoder=by_words, seeds=1)
        deltas = {one.delta for one in (*found.measured[PLAIN].estimates.values(),
                                        *found.floors.values())}  # fmt: skip
        [shown] = [note for name, _, note in report(found).key_figures if name.startswith("ε")]
        assert deltas == {1 / 300}
        assert "at δ = 0.0033;" in shown


def test_bound_by_scores_stands_beside_what_chance_reads(audited: CorpusAudit) -> None:
    """What scores tell is far above it before, and not after all that tells is gone."""
    remarks = " ".join(report(audited).sections[1].remarks)

    assert 0 <= audited.scores_floor < 0.3
    assert audited.measured[PLAIN].scores_d2 > 10 * audited.scores_floor
    assert f"read up to {audited.scores_floor:.2f}" in remarks
    assert "above 2 it reads far too low" in remarks


@pytest.mark.slow
def test_cross_validations_of_each_attacker_are_counted(two_sets: Sets, by_words: ByWords) -> None:
    """A slow attacker is asked once where others are asked twice."""
    attackers = {name: ATTACKERS["words"] for name in ("words", "fine-tuned")}

    found = audit_pair(*two_sets, encoder=by_words, attackers=attackers, seeds=2)

    [table] = report(found).sections[0].parts
    assert isinstance(table, Table)
    place = [name for name, _ in table.columns].index("cross-validations")
    assert [row[place] for row in table.rows] == [2, 1]
