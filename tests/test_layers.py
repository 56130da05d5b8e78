"""Imports point one way: from the adapters to the rooms, from the rooms to the pack.

What is not so yet is named in `EXCEPTIONS` and `CIRCLES`; an entry that is no longer true fails.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "presidio_cdip"

# Each room (a folder or a module at the top of presidio_cdip/) and the rooms it may import.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "version": set(),
    "pack": {"errors"},
    "entities": {"pack", "errors"},
    "files": {"errors"},
    "recognition": {"pack", "entities", "errors"},
    "surrogates": {"pack", "entities", "errors"},
    "imaging": {"files", "errors"},
    "steps": {"surrogates", "recognition", "pack", "entities", "errors"},
    "datasets": {
        *("documents", "steps", "imaging", "surrogates", "recognition", "pack", "files"),
        *("entities", "errors", "version"),
    },
    "documents": {
        *("steps", "imaging", "surrogates", "recognition", "pack", "files"),
        *("entities", "errors", "version"),
    },
    "evaluation": {
        *("documents", "imaging", "recognition", "files", "entities", "errors", "version"),
    },
    "privacy": {
        *("evaluation", "documents", "recognition", "pack", "files", "entities", "errors"),
        "version",
    },
}
# The rooms that may import every other room, and Presidio itself.
ADAPTERS = {
    *("", "__main__", "cli", "service", "presidio", "gunicorn_conf", "gunicorn_image_conf"),
}

EXCEPTIONS = {
    # Pure helpers: digits that OCR misread, names of months, check digits.
    ("surrogates.dates.births", "recognition.consistency"),
    ("surrogates.dates.births", "recognition.dates"),
    ("surrogates.dates.counted", "recognition.dates"),
    ("surrogates.dates.dates", "recognition.dates"),
    ("surrogates.dates.parts", "recognition.dates"),
    ("surrogates.dates.reading", "recognition.dates"),
    ("surrogates.dates.shifts", "recognition.dates"),
    ("surrogates.values.check_digits", "recognition.checks"),
    ("surrogates.values.misread", "recognition.folding"),
    ("surrogates.values.numbers", "recognition.checks"),
    ("surrogates.values.misread", "recognition.folding"),
    # What forms print: boxes, legends and columns.
    ("surrogates.values.boxes", "recognition.boxes"),
    ("surrogates.values.boxes", "recognition.choices"),
    ("surrogates.values.boxes", "recognition.known_options"),
    ("surrogates.values.boxes", "recognition.tables"),
    ("surrogates.values.legends", "recognition.coded"),
    ("surrogates.values.legends", "recognition.legends"),
}
CIRCLES: set[frozenset[str]] = set()

pytestmark = pytest.mark.checkout


def modules() -> dict[str, Path]:
    """Every module of the package by its name in the package; the package itself is ``""``."""
    files = {file.relative_to(PACKAGE).with_suffix(""): file for file in PACKAGE.rglob("*.py")}
    return {".".join(name.parts).removesuffix("__init__").strip("."): files[name] for name in files}


@cache
def imported(file: Path) -> frozenset[str]:
    """Every name that *file* imports, at its top, in a function or for type checking."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file.name}: write imports from the package's top"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def graph() -> dict[str, set[str]]:
    """Each module, with the modules of the package that it imports."""
    files = modules()
    edges: dict[str, set[str]] = {name: set() for name in files}
    for module, file in files.items():
        for name in imported(file):
            package, _, target = name.partition(".")
            if package != PACKAGE.name:
                continue
            while target not in files:  # the name of something in a module
                target = target.rpartition(".")[0]
            edges[module] |= {target} - {module}
    return edges


def room(module: str) -> str:
    return module.partition(".")[0]


def test_rooms_import_only_what_stands_below_them() -> None:
    """Every import between rooms is in the table or is a known exception; none is out of date."""
    against = {
        (module, target)
        for module, targets in graph().items()
        for target in targets
        if room(module) not in ADAPTERS
        and room(target) not in MAY_IMPORT[room(module)] | {room(module)}
    }

    assert against == EXCEPTIONS


def test_the_architecture_page_shows_what_rooms_may_import() -> None:
    """The table of docs/architecture.md has each room, and its imports stand in lower rows."""
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text("utf-8")
    found = re.findall(r"^\| `presidio_cdip/(\w+)(?:/|\.py)` \|.*\| ([^|]+) \|$", page, re.M)
    rows = {name: set(may.partition(";")[0].split(", ")) - {"nothing"} for name, may in found}

    assert {name: may for name, may in rows.items() if "all below" not in may} == MAY_IMPORT
    order = list(rows)
    assert all(order.index(one) > order.index(name) for name in MAY_IMPORT for one in rows[name])


def test_only_adapters_import_presidio() -> None:
    """Presidio's classes are known where its engines and services are served, nowhere else."""
    of_presidio = {
        module
        for module, file in modules().items()
        for name in imported(file)
        if name.startswith("presidio_") and name.partition(".")[0] != PACKAGE.name
    }

    assert {module for module in of_presidio if room(module) not in ADAPTERS} == set()


@pytest.mark.parametrize("name", ["gunicorn_conf", "gunicorn_image_conf"])
def test_names_of_deployments_hold_no_code(name: str) -> None:
    """What a deployment's setting names only imports a module of the adapters."""
    _, *statements = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8")).body

    assert {type(one) for one in statements} == {ast.ImportFrom}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """A module can be read, and imported, without one that needs it; function imports count."""
    edges = graph()
    reached = {module: reachable(edges, module) for module in edges}

    circles = {
        frozenset(other for other in reached[module] if module in reached[other])
        for module in edges
        if module in reached[module]
    }

    assert circles == CIRCLES


def reachable(edges: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    ahead = set(edges[start])
    while ahead:
        found.add(module := ahead.pop())
        ahead |= edges[module] - found
    return found
