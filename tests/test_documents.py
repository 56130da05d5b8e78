"""The Markdown pages can be read in a narrow window, lead somewhere, and define every entity."""

import json
import re
from pathlib import Path

import pytest

from presidio_cdip.entities import LABELS

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "examples", "operators", "presidio_cdip", "recognizers", "training")
PAGES = [*ROOT.glob("*.md"), *(page for name in FOLDERS for page in (ROOT / name).rglob("*.md"))]
LONGEST = 160  # characters of a line

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
_ANCHOR = re.compile(r'<a id="([^"]+)">')
_ROW = re.compile(r"^\| `([A-Z_]+)` \|(.*)\|$", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)

pytestmark = pytest.mark.checkout


def anchors(page: Path) -> set[str]:
    """Where a link into *page* can lead, as GitHub names it."""
    text = page.read_text("utf-8")
    headings = (
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(text)
    )
    return {*headings, *_ANCHOR.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_is_longer_than_a_window(page: Path) -> None:
    """A diff of a line shows the sentence that changed, and nobody scrolls sideways."""
    lines = page.read_text("utf-8").splitlines()

    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """A page or a section that is moved takes the links to it along."""
    broken = []
    for target, anchor in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"{target}#{anchor}")

    assert broken == []


def test_readme_is_read_in_two_minutes() -> None:
    """Tables and details have pages of their own."""
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_guidelines_define_what_the_model_learnt() -> None:
    """An annotator finds what each label of the corpus means, and what is not one."""
    configs = (ROOT / "presidio_cdip" / "models").glob("*/config.json")
    labels = {
        label.partition("-")[2]
        for config in configs
        for label in json.loads(config.read_text("utf-8"))["id2label"].values()
        if "-" in label
    }

    defined = {name: cells.split("|") for name, cells in _ROW.findall(guidelines())}

    assert labels
    assert labels <= set(defined)
    assert all(cell.strip() for cells in defined.values() for cell in cells)


def test_guidelines_define_nothing_else() -> None:
    """A label that is removed leaves the guidelines, too."""
    assert {name for name, _ in _ROW.findall(guidelines())} <= set(LABELS)


def guidelines() -> str:
    return (ROOT / "docs" / "annotation.md").read_text("utf-8")
