"""The command line learns what tells two sets of documents apart, and redacts it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from presidio_cdip.cli.corpus_train import corpus_train
from presidio_cdip.privacy.audit import audit_pair
from tests.privacy.conftest import CLINIC, SHIPYARD, texts

Run = Callable[..., Any]
TELLING = re.compile("|".join((*CLINIC, *SHIPYARD)), re.I)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of a ranker, and what training it printed."""
    place = tmp_path_factory.mktemp("trained")
    arguments = [*written(place), "-o", place / "ranker", "--sentences", 230]
    ran = CliRunner().invoke(corpus_train, list(map(str, arguments)), standalone_mode=False)
    return place / "ranker", ran


@pytest.fixture
def sets(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of texts, and a file of JSON Lines."""
    return written(tmp_path)


def written(place: Path) -> tuple[Path, Path]:
    """Write two sets."""
    folder, lines = place / "clinic", place / "shipyard.jsonl"
    folder.mkdir()
    for number, text in enumerate(texts(CLINIC, 12, 1)):
        (folder / f"{number:02}.txt").write_text(text)
    rows = [json.dumps({"text": text}) for text in texts(SHIPYARD, 12, 2)]
    lines.write_text("\n".join(rows))
    return folder, lines


@pytest.mark.slow
def test_a_ranker_is_trained_and_used(
    tmp_path: Path, sets: tuple[Path, Path], trained: tuple[Path, Result], run: Run
) -> None:
    """Its curve falls; files lose most of what tells, and neither command prints a word of them."""
    (folder, _), (ranker, training) = sets, trained
    out = tmp_path / "out"

    redacted = run("corpus-redact", folder, "-o", out, "--ranker", ranker, "--level", ".3")
    reached = run("corpus-redact", folder, "-o", out, "--ranker", ranker, "--auc", "1", "--force")

    card = json.loads((ranker / "card.json").read_text())
    worst = [max(point["auc"].values()) for point in card["curve_alone"]]
    assert training.return_value == 0
    assert worst[0] > 0.95
    assert worst[8] < worst[0]
    assert "clinic: 12 documents, 240 sentences, 230 of them drawn at random" in training.stderr
    assert "no guarantee for a person" in training.stderr
    assert training.stderr.count("fewer than five documents, in all or held out, were cut") == 2
    assert card["sensitive"]["cut_documents"] and card["safe"]["cut_documents"]
    assert redacted.returncode == 1
    assert "GIVEAWAY" in redacted.stdout
    assert "GIVEAWAY" not in reached.stdout
    assert "--level 0, by the curve" in reached.stderr
    before = "".join(file.read_text() for file in sorted(folder.iterdir()))
    assert TELLING.search(before)
    printed = "".join(ran.stdout + ran.stderr for ran in (training, redacted, reached))
    assert not re.search("ward|dialysis|biopsy|rivets|keel", printed)
    run("corpus-redact", folder, "-o", out, "--ranker", ranker, "--level", ".3")
    after = "".join(file.read_text() for file in sorted(out.iterdir()))
    assert len(TELLING.findall(after)) < 0.5 * len(TELLING.findall(before))
    assert after.count(".") == before.count(".")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "give either --level or --auc"),
        (("--level", ".2", "--auc", ".7"), "give either --level or --auc"),
        (("--level", "2"), "--level"),
        (("--level", ".2"), "has no ranker.npz; name a folder that corpus-train wrote"),
    ],
)
def test_wrong_use_of_corpus_redact_is_refused(
    tmp_path: Path, run: Run, options: tuple[str, ...], problem: str
) -> None:
    """Before a file is read: exit code 2, and what to do."""
    text = tmp_path / "a.txt"
    text.write_text("He was there.")

    ran = run("corpus-redact", text, "-o", tmp_path / "out", "--ranker", tmp_path, *options)

    assert ran.returncode == 2
    assert problem in ran.stderr
    assert not (tmp_path / "out").exists()


def test_sets_that_cannot_be_compared_end_with_code_2(
    tmp_path: Path, sets: tuple[Path, Path], run: Run
) -> None:
    """Nothing is written."""
    folder, _ = sets

    ran = run("corpus-train", folder, folder / "00.txt", "-o", tmp_path / "ranker")

    assert ran.returncode == 2
    assert "has 20 sentences, and 200 are needed" in ran.stderr
    assert not (tmp_path / "ranker").exists()


@pytest.mark.slow
def test_an_audit_prints_its_summary_and_writes_its_report(
    tmp_path: Path, sets: tuple[Path, Path], run: Run
) -> None:
    """Exit code 0, three files, and no word of a document in anything that is written."""
    folder, lines = sets
    out = tmp_path / "out"

    ran = run("corpus-audit", folder, lines, "-o", out, "--sentences", 210)

    assert ran.returncode == 0, ran.stderr
    assert "as they are" in ran.stdout and "two halves of one set" in ran.stdout
    assert "no guarantee for a person" in ran.stderr
    assert "240 sentences, 210 of them drawn at random" in ran.stderr
    names = sorted(file.name for file in out.iterdir())
    assert names == ["corpus-audit.html", "corpus-audit.json", "corpus-audit.md"]
    written = "".join(file.read_text() for file in out.iterdir())
    for text in (ran.stdout, ran.stderr, written):
        assert not re.search("dialysis|biopsy|rivets|keel", text)


@pytest.mark.slow
def test_an_audit_names_the_set_that_was_not_read_whole(
    tmp_path: Path, sets: tuple[Path, Path], run: Run
) -> None:
    """A part of a document that nothing reads: exit code 3, and a remark in the report."""
    folder, lines = sets
    (folder / "form.json").write_text('{"age: 46": {"123-45-6789": 1}}')

    ran = run("corpus-audit", folder, lines, "-o", tmp_path / "out", "--sentences", 210)

    assert ran.returncode == 3, ran.stderr
    assert "clinic: 1 file could not be read, or not whole" in ran.stderr
    assert "clinic: 1 file could not be" in (tmp_path / "out" / "corpus-audit.md").read_text()


@pytest.mark.slow
def test_an_audit_shows_what_redaction_and_rankers_take(
    sets: tuple[Path, Path], trained: tuple[Path, Result], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows for entities, for a ranker and for chance; words where asked for."""
    once = {**(audit_pair.__kwdefaults__ or {}), "seeds": 1}
    monkeypatch.setattr(audit_pair, "__kwdefaults__", once)
    folder, lines = sets

    ran = run(
        "corpus-audit", folder, lines, "--redact", "--ranker", trained[0], "--show", 6,
        "--model", "none", "--sentences", 210,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    for row in ("entities replaced", "ranker, level 0.3", "random, level 0.5"):
        assert row in ran.stdout
    assert len(re.findall(rf"^(?:{TELLING.pattern}) ", ran.stdout, re.M)) == 6


@pytest.mark.parametrize("problem", ["the same", "too few", "no ranker"])
def test_an_audit_that_cannot_be_made_ends_with_code_2(
    tmp_path: Path, sets: tuple[Path, Path], run: Run, problem: str
) -> None:
    """With the remedy, and without a report."""
    folder, lines = sets
    out = tmp_path / "out"
    arguments = {
        "the same": (folder, folder),
        "too few": (folder / "00.txt", lines),
        "no ranker": (folder, lines, "--ranker", folder),
    }[problem]

    ran = run("corpus-audit", *arguments, "-o", out)

    assert ran.returncode == 2
    said = {
        "the same": "name two different sets",
        "too few": "200 are needed",
        "no ranker": "name a folder that corpus-train wrote",
    }[problem]
    assert said in ran.stderr
    assert not out.exists()
