"""The command starts without what it does not need: imports are what a short run consists of."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

RUN = """
import sys
from presidio_cdip.cli.main import main
sys.argv = ["presidio-cdip", *sys.argv[1:]]
try:
    main()
finally:
    packages = {name.partition(".")[0] for name in sys.modules}
    print(*sorted(packages), file=sys.stderr)
"""
HEAVY = {"presidio_analyzer", "presidio_anonymizer", "spacy", "faker", "PIL", "cv2", "pandas"}
MODEL = {"onnxruntime", "tokenizers"}


def imported(*arguments: object) -> set[str]:
    """The packages that a run of the command has imported."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, arguments)],
        input="Age: 46. Born in Danville.",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode in (0, 1), ran.stderr[-2000:]
    return set(ran.stderr.splitlines()[-1].split())


def test_help_reads_no_pack() -> None:
    """It neither reads YAML nor draws tables."""
    assert not imported("--help") & (HEAVY | MODEL | {"yaml", "rich", "phonenumbers", "numpy"})


@pytest.mark.parametrize("command", ["analyze", pytest.param("anonymize", marks=pytest.mark.slow)])
def test_texts_need_no_presidio(
    command: str, age_pack: Path, tiny: ModuleType, tmp_path: Path
) -> None:
    """Rules and model read a text, and a policy replaces values, without Presidio and spaCy."""
    model = tiny.by_word(tmp_path / "words")

    assert not imported(command, "--pack", age_pack, "--model", model) & HEAVY


def test_rules_alone_need_no_model(age_pack: Path) -> None:
    """With ``--model none`` nothing of the model is imported."""
    assert not imported("analyze", "--pack", age_pack, "--model", "none") & (HEAVY | MODEL)
