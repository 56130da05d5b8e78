"""The README and the pages of docs/ run: every block of code does what its page shows.

* ```` ```python ```` runs on its own; a ```` ```text ```` block right after it is what it prints.
* ```` ```console ```` runs each ``$ command`` in a shell; the lines below are what it prints.
* any other block, and one that cannot run here, has ``<!-- not run: reason -->`` on the line above.

``…`` alone on a line stands for any lines, ``…`` within a line for any characters.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>\S.*?) -->\n)?```(?P<language>\S*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code, and what the page says it prints.

    Attributes:
        line: Where it begins on its page, from 1.
        language: What stands behind the opening fence.
        reason: Why it is not run, or None.
        shown: The text block after a Python block, or None.
        page: The page's file, without its suffix.
    """

    line: int
    language: str
    code: str
    reason: str | None = None
    shown: str | None = None
    page: str = ""


def blocks(page: str, name: str = "") -> Iterator[Block]:
    r"""Yield every block of *page*; the text block after a Python block goes with it.

    >>> [block] = blocks("Say\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n")
    >>> (block.line, block.code, block.shown)
    (3, 'print(1)\n', '1\n')
    >>> [block] = blocks("<!-- not run: needs a network -->\n```sh\ngit clone\n```\n")
    >>> block.reason
    'needs a network'
    """
    found = list(BLOCK.finditer(page))
    for index, this in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        before = found[index - 1] if index else None
        if this["language"] == "text" and before is not None and before["language"] == "python":
            continue
        shown = None
        if this["language"] == "python" and after is not None and after["language"] == "text":
            shown = after["code"]
        line = page.count("\n", 0, this.start("code"))
        yield Block(line, this["language"], this["code"], this["reason"], shown, name)


def agrees(printed: str, shown: str) -> bool:
    r"""Whether *printed* is what the page shows; the width of a table's columns does not count.

    >>> agrees("AGE  0.85\n", "AGE  0.85\n"), agrees("AGE\nRELIGION\n", "AGE\n")
    (True, False)
    >>> agrees("a\nb\nc\n", "a\n…\n"), agrees("took 3 s\n", "took … s\n"), agrees("a\nb\n", "a…\n")
    (True, True, False)
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) + "\n"
        for line in _lines(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def _lines(text: str) -> list[str]:
    return [re.sub(r"(?<=\S) {2,}", "  ", line.rstrip()) for line in text.rstrip().splitlines()]


# The pages of docs/ stand beside the README in a checkout alone.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [block for page in PAGES for block in blocks(page.read_text("utf-8"), page.stem)]


def _blocks_in(language: str) -> pytest.MarkDecorator:
    chosen = [block for block in BLOCKS if block.language == language and not block.reason]
    ids = [f"{block.page}-line-{block.line}" for block in chosen]
    return pytest.mark.parametrize("block", chosen, ids=ids)


class Reader:
    """Someone who follows a page, in an empty folder with the examples in it."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self._variables = variables

    def runs(self, *command: str) -> tuple[int, str]:
        """The exit code, and everything printed, 80 columns wide."""
        ran = subprocess.run(
            command,
            env={**self._variables, "COLUMNS": "80", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
            cwd=self.folder,
        )
        return ran.returncode, ran.stdout


@pytest.fixture
def reader(
    block: Block, tmp_path: Path, activated: dict[str, str], request: pytest.FixtureRequest
) -> Reader:
    """A reader who has what *block* needs."""
    if ".png" in block.code:
        request.getfixturevalue("tesseract")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return Reader(tmp_path, activated)


@pytest.mark.slow
@pytest.mark.installed
@_blocks_in("python")
def test_python_prints_what_is_shown(block: Block, reader: Reader) -> None:
    """A reader who copies the block gets the output below it."""
    (reader.folder / "block.py").write_text(block.code, "utf-8")

    code, printed = reader.runs(sys.executable, "block.py")

    assert code == 0, printed
    assert block.shown is None or agrees(printed, block.shown), printed


@pytest.mark.slow
@pytest.mark.installed
@_blocks_in("console")
def test_console_prints_what_is_shown(block: Block, reader: Reader) -> None:
    """A reader who types the commands one after the other gets the lines below each."""
    commands = list(COMMAND.finditer(block.code))

    assert "".join(command[0] for command in commands) == block.code, "begins with no command"
    for command in commands:
        code, printed = reader.runs("sh", "-c", command["command"])
        assert code in {0, 1}, printed  # 1: something was found
        assert agrees(printed, command["shown"]), printed


def test_every_other_block_says_why_it_is_not_run() -> None:
    """No block is left out in silence."""
    silent = [
        (block.page, block.line)
        for block in BLOCKS
        if block.language not in {"python", "console"} and not block.reason
    ]

    assert silent == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_fence_belongs_to_a_block(page: Path) -> None:
    """An indented or unclosed fence would not be looked at."""
    text = page.read_text("utf-8")

    assert len(re.findall("```", text)) == 2 * len(list(BLOCK.finditer(text)))
