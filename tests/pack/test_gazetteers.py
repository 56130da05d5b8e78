"""The lists of `recognizers/gazetteers/` and the script that writes some of them."""

import doctest
import importlib.util
import re
import subprocess
import sys
import unicodedata
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

from presidio_cdip.recognition import names, names_again

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.checkout

FOLDER = ROOT / "recognizers" / "gazetteers"
SCRIPT = ROOT / "tools" / "gazetteers.py"
FILES = sorted(FOLDER.glob("*.txt"))
GENERATED = (
    "cities",
    "countries",
    "first_names",
    "last_names",
    "us_postal",
    "us_state_abbreviations",
    "us_states",
)

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def head(file: Path) -> str:
    """The comment lines at the top of *file*."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[: next(i for i, line in enumerate(lines) if not line.startswith("#"))])


def terms(file: Path) -> list[str]:
    """What is left of *file* without its comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def folded(term: str) -> str:
    """*term* without what the recognizers do not look at: case, accents, dots, spaces, hyphens."""
    parts = unicodedata.normalize("NFKD", term.casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return re.sub(r"[\s.-]+", " ", plain).strip()


@pytest.fixture
def script(any_script: ModuleType) -> ModuleType:
    """The script, or a skip where a package is not the one that the lists were written with."""
    heads = "\n".join(head(FOLDER / f"{name}.txt") for name in GENERATED)
    for package, written_with in re.findall(r"\b(babel|faker) (\d[\d.]*\d)", heads):
        installed = version(package)
        if installed != written_with:
            pytest.skip(f"{package} is {installed}, the lists were written with {written_with}")
    return any_script


@pytest.fixture
def any_script() -> ModuleType:
    """The script, with whatever version of Babel is installed."""
    pytest.importorskip("babel")
    spec = importlib.util.spec_from_file_location("gazetteers", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@every_file
def test_list_says_where_it_is_from(file: Path) -> None:
    """A list's first lines give its source, date, licence and script."""
    top = head(file)

    assert re.search(r"^# Source: \S", top, re.M)
    assert re.search(r"^# Date: \d{4}-\d\d-\d\d$", top, re.M)
    assert re.search(r"^# Licence: \S", top, re.M)
    assert re.search(r"^# Script: (tools/\w+\.py|none, written by hand)$", top, re.M)


@every_file
def test_list_is_in_order(file: Path) -> None:
    """Terms stand in alphabetical order, capitals or not."""
    found = terms(file)

    assert found == sorted(found, key=lambda term: (term.casefold(), term))


@every_file
def test_list_has_clean_terms(file: Path) -> None:
    """No term is empty, padded or written with a typographic apostrophe."""
    found = terms(file)

    assert found
    assert [term for term in found if not term or term != term.strip() or "’" in term] == []


@every_file
def test_list_has_no_term_twice(file: Path) -> None:
    """No two terms of a list differ only by what the recognizers do not look at."""
    seen: dict[str, list[str]] = {}

    for term in terms(file):
        seen.setdefault(folded(term), []).append(term)

    assert [twins for twins in seen.values() if len(twins) > 1] == []


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.extra.txt")), ids=lambda file: file.stem)
def test_additions_are_new(file: Path) -> None:
    """`NAME.extra.txt` has nothing that `NAME.txt` has."""
    list_ = FOLDER / file.name.replace(".extra", "")

    repeated = {folded(term) for term in terms(file)} & {folded(term) for term in terms(list_)}

    assert repeated == set()


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.except.txt")), ids=lambda file: file.stem)
def test_exceptions_are_needed(file: Path) -> None:
    """`NAME.except.txt` takes away only what `NAME.txt` has and `NAME.extra.txt` has not."""
    list_ = FOLDER / file.name.replace(".except", "")
    extra = FOLDER / file.name.replace(".except", ".extra")

    excepted = set(terms(file))

    assert excepted <= set(terms(list_))
    assert not extra.exists() or not excepted & set(terms(extra))


def test_unambiguous_religions_are_religions() -> None:
    """What is in `religions_unambiguous` is in `religions` too."""
    unambiguous = set(terms(FOLDER / "religions_unambiguous.txt"))

    assert unambiguous < set(terms(FOLDER / "religions.txt"))


def test_ambiguous_religions_stay_out() -> None:
    """A word that is as often a name, a language or a common noun is not unambiguous."""
    unambiguous = set(terms(FOLDER / "religions_unambiguous.txt"))

    assert not unambiguous & {"Friends", "Orthodox", "Christian", "Hebrew", "Reformed", "Brethren"}


def test_postal_codes_have_a_list_of_their_own() -> None:
    """No state is listed under two bare letters that could be a word, such as IN, OR and ME."""
    states = [*terms(FOLDER / "us_states.txt"), *terms(FOLDER / "us_states.extra.txt")]

    assert [term for term in states if re.fullmatch(r"[A-Za-z]{2}", term)] == []


def test_exchange_names_show_their_two_letters() -> None:
    """An exchange name begins with the two letters that were dialled."""
    names = terms(FOLDER / "exchange_names.txt")

    assert [name for name in names if not re.fullmatch(r"[A-Z]{2}[a-z]+", name)] == []


def test_generated_lists_are_named() -> None:
    """The lists whose head names the script are the ones it writes."""
    named = [file.stem for file in FILES if "# Script: tools/gazetteers.py" in head(file)]

    assert named == list(GENERATED)


@pytest.mark.slow
def test_generated_lists_are_as_written(script: ModuleType) -> None:
    """Nobody has edited a generated list, and the script writes the same list twice."""
    stale = [gazetteer.name for gazetteer in script.stale()]

    assert stale == []


def test_lists_of_states_are_written_from_the_table(any_script: ModuleType) -> None:
    """All that recognizers know of states stands in the table that surrogates are drawn from."""
    written = {one.path: one.text() for one in any_script.GAZETTEERS if "us_" in one.name}

    assert len(written) == 3
    assert {path: path.read_text("utf-8") for path in written} == written


@pytest.mark.slow
def test_check_is_silent(script: ModuleType) -> None:
    """`--check` says with its exit status alone that nothing would change."""
    command = [sys.executable, str(SCRIPT), "--check"]

    run = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_stale_list_is_reported(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--check` fails on an edited list, and leaves it as it is."""
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "argv", ["gazetteers.py"])
    script.main()
    edited = tmp_path / "us_postal.txt"
    edited.write_text("eleventy\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["gazetteers.py", "--check"])

    status = script.main()

    assert status == 1
    assert edited.read_text(encoding="utf-8") == "eleventy\n"


def test_examples_of_the_script_hold(script: ModuleType) -> None:
    """The script's docstrings show what it does."""
    results = doctest.testmod(script)

    assert results.attempted > 0
    assert results.failed == 0


def test_every_list_is_read() -> None:
    """A list that neither a rule file nor the code for names reads is not shipped."""
    rules = "".join(path.read_text("utf-8") for path in FOLDER.parent.rglob("*.yaml"))

    named = set(re.findall(r"[\"']@(\w+)|\{list_(\w+)\}", rules))

    read = {name for pair in named for name in pair} | {*names.LISTS, *names_again.LISTS}
    assert {file.name.split(".")[0] for file in FILES} <= read


def test_states_are_listed_once() -> None:
    """No rule file spells out the abbreviations of states, which are a list."""
    files = FOLDER.parent.rglob("*.yaml")

    inline = [
        path.name for path in files if re.search(r"\|(Ariz|Okla|Wyo)\b", path.read_text("utf-8"))
    ]

    assert inline == []
