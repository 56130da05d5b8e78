"""Who looks is what was asked for: rules, a model or both; and nobody stands in for anybody."""

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from presidio_cdip.errors import CdipError, ModelError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import Finder, finder, model_at, rules
from presidio_cdip.recognition.transformer import TokenClassifier

TEXT = "Age: 46. He has dialysis."


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine says of models does not reach these tests."""
    for name in ("MODEL", "PACK", "THREADS"):
        monkeypatch.delenv(f"PRESIDIO_CDIP_{name}", raising=False)


@pytest.fixture
def pack(age_pack: Path) -> Path:
    """A pack that finds ages, and nothing else."""
    return age_pack


def found(one: Finder, text: str = TEXT) -> list[tuple[str, str]]:
    return [(span.entity, text[span.start : span.end]) for span in one.find(text)]


def test_rules_and_model_look_together(pack: Path, folder: Path) -> None:
    """Each finds its own; of each entity it is told who looks for it."""
    both = finder(pack, folder)

    assert found(both) == [("AGE", "46"), ("HEALTH", "dialysis")]
    assert both.entities == ("AGE", "HEALTH", "RELIGION")
    assert (both.found_by["AGE"], both.found_by["HEALTH"]) == (("rules",), ("model",))
    assert both.found_by["US_SSN"] == ()


def test_entity_may_have_two_finders(folder: Path) -> None:
    """The shipped rules know of health, too."""
    assert finder(model=folder).found_by["HEALTH"] == ("rules", "model")


@pytest.mark.parametrize("name", ["none", "None", "NONE"])
def test_none_is_no_model(pack: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules look alone where that is said, by argument or by the environment."""
    assert found(finder(pack, name)) == [("AGE", "46")]

    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", name)

    assert found(finder(pack)) == [("AGE", "46")]
    assert model_at() is None


def test_environment_names_the_model(
    pack: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable serves where there is no argument, and an argument goes before it."""
    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", str(folder))

    assert found(finder(pack)) == [("AGE", "46"), ("HEALTH", "dialysis")]
    assert found(finder(pack, "none")) == [("AGE", "46")]


def test_model_is_one_for_all_who_name_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its folder is written, a model is loaded once."""
    monkeypatch.chdir(folder.parent)

    assert model_at(folder.name) is model_at(folder) is model_at(str(folder) + os.sep)
    assert model_at(folder, 1) is not model_at(folder, 2)


def test_folder_that_is_none_is_refused(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is not there stops the run: the rules do not go on alone."""
    with pytest.raises(ModelError, match='gone: is no folder; name a model\'s folder, or "none"'):
        finder(pack, tmp_path / "gone")
    with pytest.raises(ModelError, match=r"model\.onnx: is missing"):
        finder(pack, tmp_path)

    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", str(tmp_path / "lost"))

    with pytest.raises(ModelError, match="lost: is no folder"):
        finder(pack)


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "²", " "])
def test_threads_that_are_no_number_are_refused(
    folder: Path, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable's name is in the error."""
    monkeypatch.setenv("PRESIDIO_CDIP_THREADS", said)

    with pytest.raises(CdipError, match=r"^PRESIDIO_CDIP_THREADS: .* is not a number of threads"):
        model_at(folder)


@pytest.mark.parametrize("said", [0, -1, 1.5, "2", "two"], ids=repr)
def test_argument_that_is_no_number_of_threads_is_refused(folder: Path, said: Any) -> None:
    """A number of threads is one or more; a right one in the variable does not stand in for it."""
    with pytest.raises(CdipError, match=f"^threads: {said!r} is not a number of threads"):
        model_at(folder, said)


def test_threads_are_those_that_were_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument goes before the variable; without both it is left to the machine."""

    def threads(argument: int | None = None) -> int | None:
        model = model_at(folder, argument)
        assert model
        return model.threads

    assert threads() is None

    monkeypatch.setenv("PRESIDIO_CDIP_THREADS", "3")

    assert (threads(), threads(2)) == (3, 2)


def test_session_leaves_the_threads_to_the_windows(folder: Path) -> None:
    """A run has one thread, however many run side by side; unsaid, that is a window a core."""

    def threads(model: TokenClassifier) -> tuple[int, int]:
        options = model._ready().session.get_session_options()
        return options.intra_op_num_threads, options.inter_op_num_threads

    assert threads(TokenClassifier(folder, 2)) == threads(TokenClassifier(folder)) == (1, 1)


def test_what_the_model_was_asked_before_is_not_asked_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer for this text serves; one for another is not taken for it."""
    model = TokenClassifier(folder, 1)
    mine, other = model.tag([TEXT, "He is Catholic"])
    asked: list[str] = []
    ask: Callable[..., object] = model.tag

    def noted(texts: list[str]) -> object:
        asked.extend(texts)
        return ask(texts)

    monkeypatch.setattr(model, "tag", noted)
    one = Finder(model=model, pack=Pack.shipped())

    assert one.find(TEXT, mine) == one.find(TEXT, other) == one.find(TEXT)
    assert asked == [TEXT, TEXT]


def test_odd_letters_do_not_hide_an_earlier_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lone surrogate or a foreign blank makes no text another."""
    model = TokenClassifier(folder, 1)
    text = "dialysis\u00a0\ud800 flu\r\n"
    (mine,) = model.tag([text])
    monkeypatch.setattr(model, "tag", None)

    assert len(Finder(model=model, pack=Pack.shipped()).find(text, mine)) == 1


def test_model_finds_alone(folder: Path) -> None:
    """Without rules the model's spans are all there is."""
    assert found(Finder(model=TokenClassifier(folder, 1), pack=Pack.shipped())) == [
        ("HEALTH", "dialysis")
    ]
    assert Finder(pack=Pack.shipped()).find(TEXT) == []
    assert Finder(pack=Pack.shipped()).entities == ()


def test_rules_are_one_for_all_who_name_them(pack: Path) -> None:
    """A pack is read once."""
    assert rules(Pack.open(pack)) is rules(Pack.open(str(pack)))


def test_a_model_may_find_an_entity_that_the_pack_declares(
    tiny: ModuleType, tmp_path: Path
) -> None:
    """The model says what it finds; a label that no pack declares is refused by name."""
    folder = tiny.by_word(tmp_path / "model", labels={"HEALTH": "ILLNESS"})
    model = TokenClassifier(folder, 1)
    (tmp_path / "recognizers").mkdir()
    (tmp_path / "recognizers" / "illness.yaml").write_text(
        "entity: ILLNESS\nmeaning: illness\nsource: these tests\nwhat: For these tests only.\n"
    )

    with pytest.raises(ModelError, match="'ILLNESS', which is no entity"):
        Finder(model=model, pack=Pack.shipped())

    assert found(Finder(model=model, pack=Pack.open(tmp_path))) == [("ILLNESS", "dialysis")]


def test_propagation_by_rules_can_be_switched_off() -> None:
    """Without propagation, a value is found beside its cue only."""
    text = "SSN: 271-24-0538\n\nDeduct from 271 24 0538."
    rules_alone = finder(model="none")

    again = rules_alone.find(text)
    once = rules_alone.find(text, propagate=False)

    assert [(text[span.start : span.end], span.rule.endswith("+again")) for span in again] == [
        ("271-24-0538", False),
        ("271 24 0538", True),
    ]
    assert once == again[:1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My uncle hurt his back and was four weeks in Mercy Hospital.", "four weeks in Mercy Hos"),
        ("Sister Ruiz is in the County Hospital with pneumonia.", "County Hospital"),
        ("3-8-44  12 days in Camp Adair Station Hospital, mumps", "12 days in Camp Adair"),
    ],
)
def test_a_stay_in_a_hospital_is_found(text: str, expected: str) -> None:
    """How long, and in which."""
    found = finder().find(text, min_score=0.4, wanted=["HEALTH"])

    assert any(expected in text[span.start : span.end] for span in found)


@pytest.mark.parametrize(
    "text",
    [
        "He interned for two years at Bellevue Hospital.",
        "The conference is in St. Luke's Hospital, Room 4.",
        "She is a nurse in the Royal Infirmary.",
        "Our office was in the County Hospital for a year.",
        "Dr. Moe worked six months in Boston City Hospital.",
    ],
)
def test_work_in_a_hospital_is_no_stay(text: str) -> None:
    """Nor is a meeting."""
    assert not finder(model="none").find(text, wanted=["HEALTH"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DISPOSITION  fined $15, paid", "paid"),
        ("1931  petty larceny   90 days, suspended", "suspended"),
        ("He was charged with trespass, and the case was dropped.", "dropped"),
        ("1984  DUI   $200 and costs, paid", "paid"),
        ("7-62  Vandalism   1 yr. probation, completed", "completed"),
    ],
)
def test_what_became_of_a_penalty_is_found(text: str, expected: str) -> None:
    """Each state is a span, or the end of one."""
    found = finder().find(text, min_score=0.4, wanted=["CRIMINAL_OFFENCE"])

    assert text.index(expected) + len(expected) in {span.end for span in found}


@pytest.mark.parametrize(
    "text",
    [
        "Coal, two tons, $15.50, paid.",
        "The grievance and the case were dropped.",
        "Initiation fee $2.00 paid.  Dues: January, paid.",
        "Six months suspended animation",
    ],
)
def test_what_became_of_a_bill_is_no_offence(text: str) -> None:
    """A state alone says nothing."""
    assert not finder().find(text, min_score=0.4, wanted=["CRIMINAL_OFFENCE"])


def test_a_value_ends_with_its_column() -> None:
    """Where each cell is believed alone; doubled blanks are no columns."""
    rows = (
        "PRIOR RECORD\n1949  Police Ct., Dayton        auto trespass   30 days workhouse\n"
        "1954  Common Pleas, Xenia       receiving stolen goods   dismissed\n"
    )
    doubled = "He  has  had  shell  fragments  in  the  left  shoulder  since  1944."
    find = finder().find

    found = {rows[one.start : one.end] for one in find(rows, wanted=["CRIMINAL_OFFENCE"])}
    whole = {doubled[one.start : one.end] for one in find(doubled, wanted=["HEALTH"])}

    assert {"auto trespass", "30 days workhouse", "dismissed"} <= found
    assert any("  " in value for value in whole)
