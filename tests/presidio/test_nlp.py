"""The pipeline is found where the package runs from a checkout without installed metadata."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ASK = """
import presidio_cdip
text = "Soc. Sec. No. 271-24-0538."
(one,) = presidio_cdip.analyzer(model="none").analyze(text, "en")
print(one.entity_type)
"""
SERVE = """
import presidio_cdip.gunicorn_conf
from presidio_analyzer.nlp_engine import NlpEngineProvider
models = [{"lang_code": "en", "model_name": "presidio_cdip"}]
conf = {"nlp_engine_name": "spacy", "models": models}
engine = NlpEngineProvider(nlp_configuration=conf).create_engine()
print(len(engine.process_text("two words", "en").tokens))
"""


def run_without_metadata(tmp_path: Path, code: str) -> str:
    """What *code* prints where all is installed but this package, which is on `PYTHONPATH`."""
    site, mount = tmp_path / "site", tmp_path / "mount"
    site.mkdir()
    mount.mkdir()
    for installed in Path(sysconfig.get_path("purelib")).iterdir():
        if "presidio_cdip" not in installed.name:
            (site / installed.name).symlink_to(installed)
    for name in ("presidio_cdip", "recognizers", "operators"):
        (mount / name).symlink_to(ROOT / name)
    path = os.pathsep.join(map(str, (mount, site)))
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout.strip()


@pytest.mark.checkout
@pytest.mark.slow
def test_checkout_without_metadata_needs_no_download(tmp_path: Path) -> None:
    """`analyzer()` works in a checkout that was not installed."""
    assert run_without_metadata(tmp_path, ASK) == "US_SSN"


@pytest.mark.slow
@pytest.mark.checkout
def test_pipeline_is_known_by_name_in_a_checkout(tmp_path: Path) -> None:
    """A service's NLP_CONF_FILE can name our pipeline where gunicorn imports us first."""
    assert run_without_metadata(tmp_path, SERVE) == "2"
