"""What several tests start from, and why they skip where it is absent."""

import gc
import importlib.util
import io
import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from presidio_cdip import Pack
from presidio_cdip.entities import LABELS
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.engine import Engine

# Engines of one pack compile the same thousands of expressions: once in a process is enough.
re._MAXCACHE = 20_000  # type: ignore[attr-defined]

# In CI the same examples every time: what fails there fails everywhere. None has a deadline, which
# a busy machine misses.
CI = bool(os.environ.get("CI"))
settings.register_profile("whole", derandomize=CI, deadline=None)
settings.register_profile("fast", derandomize=CI, deadline=None, max_examples=15)
settings.load_profile("whole")

ROOT = Path(__file__).parents[1]
collect_ignore = ["doubles"]  # programs and modules of the tests' own; they have no examples


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples where the slow tests are left out; the whole suite tries the usual 100."""
    if "not slow" in str(config.getoption("markexpr")):
        settings.load_profile("fast")


def pytest_collection_finish() -> None:
    """Leave modules and tests out of garbage collection, which would look at them each time."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the wheel: its one long test would else keep a worker when all others are done."""
    items.sort(key=lambda item: item.path.name != "test_wheel.py")


@pytest.fixture(scope="session")
def shipped_engine() -> Engine:
    """The engine of all rule files of the shipped pack, those for names among them."""
    return Engine(rule_files(Pack.shipped()))


# These import packages of the checkout that the sdist does not have.
collect_ignore_glob = [
    pattern
    for folder, patterns in {
        "benchmarks": [
            *("test_benchmark*.py", "test_imaging_benchmark.py"),
            *("documents/test_plants.py", "documents/test_bad_documents.py"),
            "documents/test_malformed_texts.py",
        ],
        "training": ["test_corpus_format.py", "test_training_*.py"],
    }.items()
    if not (ROOT / folder).is_dir()
    for pattern in patterns
]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real documents and scans that lie beside the checkout and are no part of it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("../shared/data is absent: it is not part of this project")
    return folder


@pytest.fixture(scope="session")
def tesseract() -> str:
    """The path of the tesseract program."""
    program = shutil.which("tesseract")
    if program is None:
        pytest.skip("tesseract is not installed: scripts/setup.sh installs it")
    return program


@pytest.fixture(scope="session")
def activated() -> dict[str, str]:
    """The variables of a user who activated this environment: its programs come first."""
    programs = Path(sys.executable).parent
    return os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def tiny() -> ModuleType:
    """`tests/doubles/tiny_model.py`: builds models in a moment."""
    file = ROOT / "tests" / "doubles" / "tiny_model.py"
    spec = importlib.util.spec_from_file_location("tiny_model", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RULES = """
what: For these tests only.
forms: {number: '\\d{2}'}
rules:
  - {name: labelled, cues: [age], values: ['{number}']}
"""


@pytest.fixture(scope="session")
def age_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack whose rules find ages, and nothing else; the other entities are the model's."""
    folder = tmp_path_factory.mktemp("pack")
    (folder / "recognizers").mkdir()
    for name, entity in LABELS.items():
        declared = f"entity: {name}\nmeaning: {entity.meaning}\nsource: {entity.sources[0]}\n"
        text = declared + (RULES if name == "AGE" else "what: For these tests only.\n")
        (folder / "recognizers" / f"{name.lower()}.yaml").write_text(text)
    return folder


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the command line left behind."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Ran]:
    """Runs the command line in this process, which has read the pack and imported Presidio."""
    from presidio_cdip.cli.main import main

    def run(*arguments: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "argv", ["presidio-cdip", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfdbinary.readouterr()
        return Ran(int(str(ended.value.code)), out.decode(), err.decode())

    return run
