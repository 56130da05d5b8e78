"""Run Presidio's own end-to-end tests against `presidio-cdip serve` and against Presidio's apps.

    python -m benchmarks.service_compatibility PRESIDIO_CHECKOUT --spacy en_core_web_sm

Runs the tests of REST in ``e2e-tests/`` of a checkout of Presidio's repository three times:

* **presidio**: against the ``app.py`` of presidio-analyzer, presidio-anonymizer and
  presidio-image-redactor of the checkout, under gunicorn, as Presidio's images run them.
* **configured**: against `presidio-cdip serve` with the configuration files that presidio-analyzer
  uses where none is named. Each test should end as with **presidio**.
* **own**: against `presidio-cdip serve` as it starts by itself. Tests that expect the findings of
  Presidio's recognizers fail here; those of the contract pass.

Presidio's packages are the installed ones; only the apps and the tests are read from the checkout.
Tests fail with **presidio** where its release is another than that of the packages: put those of
the checkout's release first on PYTHONPATH (``pip install --no-deps --target FOLDER``).
The tests expect the findings of spaCy's en_core_web_lg. Where it is not installed, ``--spacy``
names another English model, which is then used under its name by all services: tests that depend
on what that model finds fail with **presidio**, too.

The table has a row for each test that does not pass everywhere, then the sums. The exit status is
1 if a test passes with **presidio** and not with **configured**.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import click

from benchmarks.quality import header, print_facts, print_markdown, print_table
from benchmarks.service import started

ROOT = Path(__file__).parents[1]
EXPECTED = "en_core_web_lg"
PATIENCE = 300
"""Seconds for a start."""
SERVICES = {
    "ANALYZER_BASE_URL": "presidio-analyzer",
    "ANONYMIZER_BASE_URL": "presidio-anonymizer",
    "IMAGE_REDACTOR_BASE_URL": "presidio-image-redactor",
}
STUB = "from {model} import __version__, load\n"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"


def named_as_expected(model: str, folder: Path) -> None:
    """Write a package into *folder* that gives the spaCy model *model* the name `EXPECTED`."""
    package = folder / EXPECTED
    package.mkdir()
    (package / "__init__.py").write_text(STUB.format(model=model))
    metadata = folder / f"{EXPECTED}-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(METADATA.format(name=EXPECTED))


def alone(service: Path, folder: Path) -> Path:
    """Return a copy of the app of *service* in *folder*, without the packages beside it."""
    copied = folder / service.name
    copied.mkdir()
    for name in ("app.py", "logging.ini"):
        if (service / name).exists():
            shutil.copy(service / name, copied)
    return copied / "app.py"


def stock_configuration() -> dict[str, str]:
    """Return variables that name the files which presidio-analyzer uses where none is named."""
    spec = find_spec("presidio_analyzer")
    assert spec and spec.origin
    folder = Path(spec.origin).with_name("conf")
    return {
        "ANALYZER_CONF_FILE": str(folder / "default_analyzer.yaml"),
        "NLP_CONF_FILE": str(folder / "default.yaml"),
        "RECOGNIZER_REGISTRY_CONF_FILE": str(folder / "default_recognizers.yaml"),
    }


@contextmanager
def served(variables: Mapping[str, str]) -> Iterator[str]:
    """Start `presidio-cdip serve`, and yield its address once its engines are there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "presidio_cdip", "serve", "--no-browser", "--port", str(port)],
            env=dict(variables),
            stdout=log,
            stderr=log,
        )
        try:
            until = time.monotonic() + PATIENCE
            while not _has_engines(address):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise click.ClickException(log.read()[-3000:])
                time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait(60)


def _has_engines(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/recognizers", timeout=PATIENCE):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False


def outcomes(checkout: Path, addresses: Mapping[str, str]) -> dict[str, bool]:
    """Return of each test of REST whether it passes."""
    folder = checkout / "e2e-tests"
    tests = sorted(str(file.relative_to(folder)) for file in (folder / "tests").glob("test_api_*"))
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests),
                *("--rootdir", str(folder), "-c", str(folder / "pytest.ini")),
                f"--junitxml={report}",
            ],
            cwd=folder,
            env={
                **os.environ,
                **addresses,
                "PYTHONPATH": str(folder),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            check=False,
        )
        cases = list(ElementTree.parse(report).iter("testcase"))
    if not cases:
        raise click.ClickException(f"{folder}: no test ran")
    return {str(case.get("name")): len(case) == 0 for case in cases}


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--spacy", "model", default=EXPECTED, show_default=True, help="The spaCy model.")
@click.option("--markdown", is_flag=True, help="Print the tables for a document.")
def main(checkout: Path, model: str, markdown: bool) -> None:
    """Run the end-to-end tests of a CHECKOUT of Presidio's repository against both services."""
    checkout = checkout.resolve()
    if find_spec(model) is None:
        raise click.ClickException(f"the spaCy model {model} is not installed: name one by --spacy")
    with tempfile.TemporaryDirectory() as folder:
        if model != EXPECTED:
            named_as_expected(model, Path(folder))
        path = [folder, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
        with ExitStack() as stack:
            addresses = {
                name: stack.enter_context(started(alone(checkout / app, Path(folder)), variables))
                for name, app in SERVICES.items()
            }
            found = {"presidio": outcomes(checkout, addresses)}
        for name, added in (("configured", stock_configuration()), ("own", {})):
            with served({**variables, **added}) as address:
                found[name] = outcomes(checkout, dict.fromkeys(SERVICES, address))
    _show(found, markdown)
    if any(found["presidio"][test] and not ok for test, ok in found["configured"].items()):
        raise SystemExit(1)


def _show(found: Mapping[str, Mapping[str, bool]], markdown: bool) -> None:
    print_facts(header(), markdown)
    show_table = print_markdown if markdown else print_table
    tests = next(iter(found.values()))
    rows = [
        (test, *("passes" if found[name][test] else "FAILS" for name in found))
        for test in tests
        if not all(found[name][test] for name in found)
    ]
    sums = (f"{sum(found[name].values())} of {len(tests)}" for name in found)
    show_table(("test", *found), [*rows, ("passed", *sums)])


if __name__ == "__main__":
    main()
