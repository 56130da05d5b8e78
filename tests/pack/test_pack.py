"""Packs are found, read and refused as promised."""

from pathlib import Path

import pytest

from presidio_cdip import ENTITIES, Pack, PackError
from presidio_cdip.pack.pack import expand
from presidio_cdip.recognition.cases import verify
from presidio_cdip.recognition.engine import Engine

RULES = """
entity: AGE
what: A person's age.
rules:
  - {name: labelled, cues: [age], values: ['\\d{1,3}']}
cases: ["Age ⟦46⟧"]
"""


def pack(folder: Path, text: str, name: str = "age.yaml") -> Pack:
    (folder / "recognizers").mkdir(exist_ok=True)
    (folder / "recognizers" / name).write_text(text, "utf-8")
    return Pack.at(folder)


def test_shipped_pack_has_rules_for_the_cdip_entities() -> None:
    """Wherever the pack lies, each of the 11 types of the IIT-CDIP datasets has its file."""
    files = Pack.shipped().rule_files()

    cdip = {name for name, entity in ENTITIES.items() if "CDIP" in entity.sources}
    assert {file.entity for file in files} >= cdip
    assert all(file.file == f"{file.entity.lower()}.yaml" for file in files)


def test_own_pack_is_read_instead(tmp_path: Path) -> None:
    """A folder with one file is a pack."""
    files = pack(tmp_path, RULES).rule_files()
    verify(files)

    assert [span.entity for span in Engine(files).find("Age: 46")] == ["AGE"]


BROKEN = {
    "unknown key": ("entity: AGE\npatern: []", r"unknown key 'patern'; there are \['cases'"),
    "unknown rule key": (RULES + "counter: [{name: x, cue: y}]", "rule 'x': unknown key 'cue'"),
    "unknown entity": (RULES.replace("AGE", "AEG"), "no entity 'AEG'; there are"),
    "unknown check": (RULES + "check: luhn", r"no check 'luhn'; there are \['age'"),
    "unknown list": (RULES.replace("values: [", "terms: ['@ages'], values: ["), "no list .*ages"),
    "unknown form": (RULES.replace("\\d{1,3}", "{agge}"), "no form 'agge'"),
    "bad regular expression": (RULES.replace("\\d{1,3}", "(\\d"), "bad regular expression"),
    "open bracket in a cue": (RULES.replace("[age]", "['(a|b']"), "a bracket is not closed"),
    "score out of range": (RULES.replace("cues:", "score: 2, cues:"), "score is not in 0..1"),
    "no YAML": ("entity: [", "is not YAML in UTF-8 at line"),
    "no mapping": ("- AGE", "is not a mapping"),
    "number for a string": (RULES.replace("[age]", "[46]"), "'cues' holds something"),
    "unknown place": (RULES.replace("values", "where: [above], values"), "no place 'above'"),
    "rule without values": (RULES.replace("['\\d{1,3}']", "[]"), "neither values nor terms"),
    "value of nothing": (RULES.replace("\\d{1,3}", "\\d*"), "holds for an empty value"),
    "list for a name": (RULES.replace("AGE", "[AGE]"), "'entity' is not a string"),
    "word for a number": (RULES.replace("values:", "reach: far, values:"), "'reach' is not"),
    "word for a flag": (RULES.replace("values:", "many: 'no', values:"), "neither true nor false"),
    "forms in a list": (RULES + "forms: [a]", "'forms' is not a mapping"),
    "impossible date": (RULES + "sources: [2001-99-99]", "is not YAML"),
    "cue without a word": (RULES.replace("[age]", "['...']"), "has no word"),
    "too many spellings": (RULES.replace("[age]", f"['{'(a|b)' * 40}']"), "spellings"),
}


@pytest.mark.parametrize(("text", "says"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    """The error names the file and says what is wrong with it."""
    with pytest.raises(PackError, match=rf"(?s)age\.yaml: .*{says}"):
        pack(tmp_path, text).rule_files()


def test_case_that_does_not_hold_is_named_without_its_text(tmp_path: Path) -> None:
    """A pack whose rules miss a case is refused when it is verified, without the case's text."""
    broken = pack(tmp_path, RULES.replace("Age ⟦46⟧", "Aetas ⟦46⟧"))

    with pytest.raises(PackError, match=r"age\.yaml: case 1 is not satisfied") as caught:
        verify(broken.rule_files())

    assert "Aetas" not in str(caught.value)


def test_folder_without_recognizers_is_refused(tmp_path: Path) -> None:
    """A folder that is no pack, or does not exist, is named."""
    with pytest.raises(PackError, match="has no folder recognizers/"):
        Pack.at(tmp_path)
    with pytest.raises(PackError, match=r"nowhere: has no folder recognizers/"):
        Pack.at(tmp_path / "nowhere")


def test_list_is_read_with_its_additions_and_exceptions(tmp_path: Path) -> None:
    """What people add to a generated list, and take out of it, counts."""
    lists = tmp_path / "recognizers" / "gazetteers"
    lists.mkdir(parents=True)
    (lists / "faiths.txt").write_text("# generated\nLutheran\nMonday\n")
    (lists / "faiths.extra.txt").write_text("Sikh\n")
    (lists / "faiths.except.txt").write_text("Monday\n")

    terms = Pack.at(tmp_path).terms("faiths", "religion.yaml")

    assert terms == ("Lutheran", "Sikh")


def test_cue_stands_for_all_its_spellings() -> None:
    """Brackets give alternatives, the empty one among them, and may be nested."""
    assert set(expand("(soc(ial|)|ss) no")) == {"social no", "soc no", "ss no"}


@pytest.mark.checkout
def test_example_of_the_rule_language_is_a_pack(tmp_path: Path) -> None:
    """What recognizers/README.md shows can be used as it stands, with the shipped forms."""
    page = (Path(__file__).parents[2] / "recognizers" / "README.md").read_text("utf-8")
    shown = page[page.index("    entity: ") :]
    lines = [line[4:] for line in shown[: shown.index("\n|")].splitlines()]

    files = pack(tmp_path, "\n".join(lines), "home_phone_number.yaml").rule_files()
    verify(files)

    assert [file.entity for file in files] == ["HOME_PHONE_NUMBER"]
