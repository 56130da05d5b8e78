"""What users install is what the checkout holds, and finds its files there."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]

# Where each folder of the checkout lies in the wheel.
SHIPPED = {
    "presidio_cdip": "presidio_cdip",
    "recognizers": "presidio_cdip/_pack/recognizers",
    "operators": "presidio_cdip/_pack/operators",
}

# The tests of what lies elsewhere once it is installed, or is found by its installed name: pack,
# model, typefaces, pages of the service, child processes, entry points, gunicorn's modules,
# examples. Other code is the same file in the wheel, as the first test below shows.
INSTALLED = (
    *("tests/cli", "tests/datasets", "tests/documents/pdf", "tests/documents/reviews"),
    *("tests/imaging/style", "tests/imaging/test_redaction.py", "tests/pack", "tests/presidio"),
    *("tests/recognition/test_finder.py", "tests/recognition/test_transformer.py"),
    *("tests/service", "tests/surrogates/test_policies.py", "tests/surrogates/drawing"),
)

_OF_CHECKOUT = re.compile(r"^(?:from|import) (?:benchmarks|training|tools)\b", re.M)

pytestmark = [pytest.mark.checkout, pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Built:
    """A wheel, and the unpacked sdist it was built from."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel of this checkout, built through its sdist and without a network."""
    folder = tmp_path_factory.mktemp("built")
    _run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder], ROOT)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "unpacked", filter="data")
    (sdist,) = (folder / "unpacked").iterdir()
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], sdist)
    (wheel,) = folder.glob("*.whl")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def venv(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv with the wheel in it, and all the wheel depends on.

    The dependencies are those of the running environment, through a .pth file. A .pth file inside
    a folder so named is not read, which keeps the editable install of this checkout out.
    """
    folder = tmp_path_factory.mktemp("venv")
    _run([sys.executable, "-m", "venv", folder], folder)
    _run([_python(folder), "-m", "pip", "install", "-q", "--no-deps", built.wheel], folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def test_wheel_built_from_the_sdist_holds_every_file(built: Built) -> None:
    """Nothing is lost on the way from checkout to sdist to wheel, and nothing else gets in."""
    expected = {
        f"{SHIPPED[folder]}/{file.relative_to(ROOT / folder).as_posix()}"
        for folder in SHIPPED
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }

    shipped = {name for name in ZipFile(built.wheel).namelist() if ".dist-info/" not in name}

    assert shipped == expected


def test_installed_package_does_not_lie_in_the_checkout(venv: Path, tmp_path: Path) -> None:
    """The suite below tests the wheel, and not the checkout by another way."""
    printed = _run([_python(venv), "-c", "import presidio_cdip as p; print(p.__file__)"], tmp_path)

    assert Path(printed.strip()).is_relative_to(venv)


def test_the_wheel_finds_all_that_it_holds(built: Built, venv: Path, tmp_path: Path) -> None:
    """What is read, started or named passes its tests from the wheel, in any folder."""
    for name in ("tests", "examples", "README.md", "pyproject.toml"):
        (built.sdist / name).rename(tmp_path / name)  # and no presidio_cdip/ beside them

    chosen = "not checkout and (not slow or installed)"
    own = (
        str(file)
        for file in tmp_path.glob("tests/test_*.py")
        if not _OF_CHECKOUT.search(file.read_text("utf-8"))
    )
    _run([_python(venv), "-m", "pytest", "-q", "-n", "2", "-m", chosen, *INSTALLED, *own], tmp_path)


def _python(venv: Path) -> Path:
    return venv / "bin" / "python"


def _run(command: list[str | Path], cwd: Path) -> str:
    """What *command* prints; fails with all of it when the command does."""
    ran = subprocess.run(
        command,
        env=_clean(os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=cwd,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    """*environment* without what would bring the checkout or this run's options back in."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith(("PYTHON", "PYTEST", "PRESIDIO_CDIP_"))
    }
