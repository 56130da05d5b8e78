"""The folder of a language, and what is said where something in it is missing."""

import pickle
import re
from pathlib import Path

import pytest
import yaml

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import FILES, Language, english, language_of
from presidio_cdip.pack.root import shipped_root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped English, in a pack of its own."""
    copy = tmp_path / "recognizers" / "languages" / "xx"
    copy.mkdir(parents=True)
    for name in FILES:
        shipped = shipped_root() / "recognizers" / "languages" / "en" / name
        (copy / name).write_text(shipped.read_text("utf-8"), "utf-8")
    return copy


def test_english_is_read_once_and_can_be_pickled() -> None:
    """One object serves all, and a worker can be given it."""
    assert english() is english()
    assert pickle.loads(pickle.dumps(english())) == english()
    assert english().code == "en"


def test_a_pack_brings_its_own_language(folder: Path) -> None:
    """A language's folder in a pack is read from there; English still comes from ours."""
    root = folder.parents[2]

    assert language_of("xx", root).code == "xx"
    assert language_of("en", root) is english()


def test_a_pack_cannot_change_english(folder: Path) -> None:
    """Checks and surrogates read the shipped words: a pack with others would half work."""
    own = folder.rename(folder.with_name("en"))
    ocr = own / "ocr.yaml"

    ocr.write_text(ocr.read_text("utf-8").replace('  "8": B', '  "7": Y\n  "8": B'), "utf-8")

    with pytest.raises(PackError, match="languages/en/: changes a shipped language"):
        language_of("en", own.parents[2])


def test_a_copy_of_english_changes_nothing(folder: Path) -> None:
    """A copy of the whole shipped pack can be an overlay."""
    own = folder.rename(folder.with_name("en"))

    assert language_of("en", own.parents[2]) is english()


@pytest.mark.parametrize("code", ["de", "", "../en", "e" * 300, "xx/../en"])
def test_a_language_without_a_folder_is_refused(code: str, tmp_path: Path) -> None:
    """The error names the file that asks, the folder and all that belongs there."""
    with pytest.raises(PackError, match="no folder") as caught:
        language_of(code, tmp_path, "age.yaml")

    assert caught.value.file == "age.yaml"
    assert all(name in str(caught.value) for name in FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(name: str, folder: Path) -> None:
    """The error names the file and the language's folder."""
    (folder / name).unlink()

    with pytest.raises(PackError, match=re.escape(f"languages/xx/{name}: is missing")):
        Language.read(folder)


@pytest.mark.parametrize("name", FILES)
def test_every_missing_key_is_named(name: str, folder: Path) -> None:
    """No key has a default: a language is whole or refused."""
    whole = yaml.safe_load((folder / name).read_text("utf-8"))

    for key in whole:
        rest = {other: value for other, value in whole.items() if other != key}
        (folder / name).write_text(yaml.safe_dump(rest), "utf-8")
        with pytest.raises(PackError, match=f"languages/xx/{name}: has no key '{key}'"):
            Language.read(folder)


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("labels.yaml", {"answers": [True, "no"]}, "quote"),
        ("months.yaml", {"weekdays": []}, "has 0 rows; it needs 7"),
        ("months.yaml", {"months": [{"name": "May"}]}, "name and short"),
        ("months.yaml", {"seasons": {"winter": 13}}, "1 to 12"),
        ("streets.yaml", {"types": {"often": {"Street": ["St"]}, "kept": {}}}, "no 'after'"),
        ("streets.yaml", {"types": {"often": {"Street": "St"}}}, "no 'often'"),
        ("numbers.yaml", {"ones": ["one"]}, "has 1 words; it needs 20"),
        ("ocr.yaml", {"digits": {"x": "O"}}, "something else than digits"),
        ("ocr.yaml", {"digits": {"0": "O", "1": "O"}}, "one character twice"),
        ("ocr.yaml", {"digits": {"0": "O]"}}, "no class of characters"),
        ("ocr.yaml", {"digits": {"0": "O"}}, "stands for no digit"),
        ("ocr.yaml", {"classes": {"likely": "O"}}, "no key 'letters'"),
        ("ocr.yaml", {"pairs": ["rn"]}, "pairs"),
    ],
)
def test_what_cannot_be_is_refused(
    name: str, change: dict[str, object], problem: str, folder: Path
) -> None:
    """The error says which file, which key and what it needs."""
    whole = yaml.safe_load((folder / name).read_text("utf-8"))
    (folder / name).write_text(yaml.safe_dump({**whole, **change}), "utf-8")

    with pytest.raises(PackError, match=problem) as caught:
        Language.read(folder)

    assert caught.value.file == f"languages/xx/{name}"


@pytest.mark.parametrize("text", ["- a list", "a: [", "\x00"])
def test_what_is_no_mapping_is_refused(text: str, folder: Path) -> None:
    """A file that is not YAML, or no mapping, is named."""
    (folder / "ocr.yaml").write_text(text, "utf-8")

    with pytest.raises(PackError, match=r"languages/xx/ocr\.yaml"):
        Language.read(folder)


@pytest.mark.checkout
def test_every_file_says_what_it_is() -> None:
    """The first lines of a file give its subject and its source."""
    folder = Path(__file__).resolve().parents[2] / "recognizers" / "languages" / "en"

    assert {file.name for file in folder.iterdir()} == set(FILES)
    for name in FILES:
        head = (folder / name).read_text("utf-8").split("\n\n")[0]
        assert re.search(r"^# Source: \S", head, re.M)
