"""The engine finds values in reach of their cues, and leaves to others what is theirs."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip import Pack
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.cases import found_in
from presidio_cdip.recognition.engine import Engine

RULES = """
entity: HOME_PHONE_NUMBER
what: For these tests only.
propagate: [digits]
forms: {phone: '(?:\\(\\d{3}\\) ?)?\\d{3}-\\d{4}'}
rules:
  - {name: labelled, cues: [home, "res."], values: ['{phone}'], where: [after, below, before]}
  - {name: far, cues: [evenings], values: ['{phone}'], where: [ahead], reach: 40}
counter:
  - {name: office, cues: [office], where: [after, below, before]}
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder: Path = tmp_path_factory.mktemp("pack") / "recognizers"
    folder.mkdir()
    (folder / "phone.yaml").write_text(RULES)
    return Engine(rule_files(Pack.open(folder.parent).alone()))


LAYOUTS = {
    "on one line": "Home: ⟦555-0143⟧",
    "below its label": "Home\n⟦555-0143⟧",
    "below, an empty line between": "Home:\n\n⟦555-0143⟧",
    "before its label": "⟦555-0143⟧ (home)",
    "side by side": "Home ⟦555-0143⟧   Office 555-0100",
    "the other way round": "Office 555-0100   Home ⟦555-0143⟧",
    "values first": "555-0100 office, ⟦555-0143⟧ home",
    "two columns": "Office       Home\n555-0100     ⟦555-0143⟧",
    "two columns, flattened": "Office Home\n555-0100 ⟦555-0143⟧",
    "two columns, in one line": "Office Home 555-0100 ⟦555-0143⟧",
    "labels first, then values": "Name:\nHome:\nCity:\nJ. Doe\n⟦555-0143⟧\nTulsa",
    "a column of a table": "Name       Home\nAsh, W    ⟦555-0143⟧\nOak, B    ⟦555-0144⟧",
    "a table, flattened": "Name Office Home\nAsh 555-0100 ⟦555-0143⟧\nOak 555-0101 ⟦555-0144⟧",
    "a table with delimiters": "Name|Office|Home|\nAsh|555-0100|⟦555-0143⟧|\nOak||⟦555-0144⟧|",
    "with its area code": "Res.: ⟦(919) 555-0143⟧",
    "behind a hint": "Home (with area code): ⟦(919) 555-0143⟧",
    "ahead in the sentence": "Evenings you will find me at ⟦555-0143⟧.",
    "through noise": "Horne: ⟦555-0143⟧",
    "in a numbered form": "6. Home   7. Office\n⟦555-0143⟧   555-0100",
    "in a numbered form, flattened": "6. Home 7. Office\n⟦555-0143⟧ 555-0100",
    "nobody's": "Call 555-0143",
}


@pytest.mark.parametrize("case", LAYOUTS.values(), ids=LAYOUTS)
def test_value_is_found_wherever_its_label_stands(engine: Engine, case: str) -> None:
    """A value belongs to the label that a reader would say it belongs to."""
    assert found_in(engine, "HOME_PHONE_NUMBER", case) == case


def test_identifying_value_is_found_again_without_its_cue(engine: Engine) -> None:
    """A value with a cue is also found without one, whatever separates its digits."""
    text = "Home: (919) 555-0143. Or try 919 555 0143, or 919 555 0144."

    found = [text[span.start : span.end] for span in engine.find(text)]

    assert found == ["(919) 555-0143", "919 555 0143"]


def test_common_word_is_not_propagated(shipped_engine: Engine) -> None:
    """An answer that is a common word is found beside its cue, and nowhere else."""
    text = "Age: 46\nU.S. citizen? Yes\nSex: M\n\nPage 46. Yes, M 46."

    spans = shipped_engine.find(text)

    assert all(span.end < text.index("Page") for span in spans)
    assert {span.entity for span in spans} >= {"AGE", "NATIONALITY", "GENDER"}


def test_every_span_is_explained(shipped_engine: Engine) -> None:
    """A span names its rule and, where it had one, its cue and the check that held."""
    (span,) = shipped_engine.find("Date of birth: November 9, 1965")

    assert span.rule.startswith("date_of_birth/")
    assert span.cue == "date of birth"
    assert span.check == "birth_date"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "Age\0: 46\0",
        "\ud800 Age: 46",
        "גיל Age: 46 גיל",
        "Age:",
        "\n\n\n",
        ":" * 500,
        "\uff9e Age: 46",
    ],
    ids=repr,
)
def test_odd_text_is_read(shipped_engine: Engine, text: str) -> None:
    """Empty text, NULs, lone surrogates and right-to-left letters give spans within the text."""
    spans = shipped_engine.find(text)

    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert [text[span.start : span.end] for span in spans] == ["46"] * text.count("46")


PIECES = st.sampled_from(
    ["Age", "46", "Home", "born", "in", "Tulsa", ":", "\n", "   ", "(", ")", "555-0143", "M", "Sex",
     "123-45-6789", "12 Elm St", "Nov. 9, 1965", ",", "married", "children", "two", "é", "0"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_spans_are_in_order_and_do_not_overlap(shipped_engine: Engine, text: str) -> None:
    """Whatever the text, spans lie in it, in order, apart, and have no blanks at their edges."""
    spans = shipped_engine.find(text)

    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(text[span.start : span.end].strip() == text[span.start : span.end] for span in spans)


def test_same_text_gives_the_same_spans(shipped_engine: Engine) -> None:
    """An engine keeps nothing of the texts it has read."""
    text = "Born in Tulsa, Nov. 9, 1965. Age 46."

    first = shipped_engine.find(text)
    shipped_engine.find("Date of birth: 1/2/34")

    assert shipped_engine.find(text) == first


def test_line_ends_of_every_system_are_line_ends(engine: Engine) -> None:
    """CR LF and LF texts give the same values."""
    text = "Office       Home\n555-0100     555-0143\n"

    unix = [text[span.start : span.end] for span in engine.find(text)]
    dos_text = re.sub("\n", "\r\n", text)
    dos = [dos_text[span.start : span.end] for span in engine.find(dos_text)]

    assert unix == dos == ["555-0143"]
