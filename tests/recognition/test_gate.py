"""The gate keeps no expression from a text that it matches in."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip import Pack
from presidio_cdip.pack.rules import FOLDER, GATE, rule_files
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.gate import Gate
from presidio_cdip.recognition.reading import plain


@pytest.mark.slow
def test_no_case_has_a_match_behind_a_closed_gate(shipped_engine: Engine) -> None:
    """In every case of the rule files, no expression that is left out would match."""
    free = [pattern for scan in shipped_engine._scans for pattern in scan.free]
    cases = [re.sub("[⟦⟧]", "", case) for file in shipped_engine.files for case in file.cases]
    left_out = 0

    for text in map(plain, cases):
        for written in (text, text.upper()):
            passes = shipped_engine._gate.passes(written)
            closed = [pattern for pattern, may in zip(free, passes, strict=True) if not may]
            left_out += len(closed)
            assert [pattern.pattern[:80] for pattern in closed if pattern.search(written)] == []

    assert left_out > len(cases) * len(free)  # of two writings of each: more than half


@given(st.text(), st.lists(st.text(min_size=3, max_size=9), min_size=1, max_size=5), st.text())
def test_a_text_with_an_n_gram_passes(before: str, needed: list[str], after: str) -> None:
    """Whatever the characters, a text that has one of the n-grams passes, in any case."""
    needed = [plain(one) for one in needed]
    text = plain(f"{before} {needed[0]} {after}")

    assert Gate([frozenset(needed)]).passes(text) == [True]


def test_what_needs_nothing_passes_and_what_is_missing_does_not() -> None:
    """An expression without n-grams is always run; one whose n-grams are missing never is."""
    gate = Gate([None, frozenset({"born", "née"}), frozenset({"wed"}), frozenset()])

    assert gate.passes("He was BORN here") == [True, True, False, True]
    assert gate.passes("NÉE Smith") == [True, True, False, True]
    assert gate.passes("no") == [True, False, False, True]
    assert Gate([]).passes("text") == []


def test_another_list_opens_the_gate(tmp_path: Path) -> None:
    """The n-grams of shipped rules are not used once a pack changes what the rules depend on."""
    folder = tmp_path / "recognizers" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "religions.extra.txt").write_text("Zyx\n", "utf-8")

    def of(pack: Pack) -> set[str]:
        return {file.file for file in rule_files(pack) if file.grams}

    assert "religion.yaml" in of(Pack.shipped())
    assert of(Pack.shipped()) - of(Pack.open(tmp_path)) == {"religion.yaml"}


def test_n_grams_are_those_of_the_rules_as_they_are() -> None:
    """Every shipped file's n-grams are in use: `python tools/gate.py` was run after a change."""
    item = Pack.shipped().file(f"{FOLDER}/{GATE}")
    assert item

    unused = [
        file.file
        for file in rule_files(Pack.shipped())
        if file.file in json.loads(item.read_bytes()) and not file.grams
    ]

    assert unused == []


@pytest.mark.slow
def test_no_expression_is_left_out_of_a_document_it_matches_in(shipped_engine: Engine) -> None:
    """In the benchmarks' documents, nothing that is left out would match."""
    folder = Path(__file__).parents[2] / "benchmarks"
    free = [pattern for scan in shipped_engine._scans for pattern in scan.free]

    for name in ("development_a", "plain", "unseen_g"):
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            text = plain(json.loads(line)["text"])
            passes = shipped_engine._gate.passes(text)
            closed = [pattern for pattern, may in zip(free, passes, strict=True) if not may]
            assert [pattern.pattern[:80] for pattern in closed if pattern.search(text)] == []
