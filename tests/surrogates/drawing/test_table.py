"""Forms come from an open table: ours, a pack's, and those of other distributions."""

import subprocess
import sys
from pathlib import Path

import pytest

from presidio_cdip.entities import ENTITIES
from presidio_cdip.errors import ValueRefused
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import PRESIDIO_ENTITIES

KEY = bytes(range(32))

BADGES = """
import re
from presidio_cdip.surrogates.drawing.forms import Reading

class BadgeForm:
    def read(self, value, options):
        number = re.fullmatch(r"B-(\\d{4})", value)
        if not number:
            return None
        write = lambda draw: f"B-{draw.permuted(int(number[1]), 10000):04d}"
        return Reading("B-#", number[1], write)

class AnyBadge:
    def read(self, value, options):
        return Reading("any", value, lambda draw: f"B-{draw.chance.below(10000):04d}")

BADGES = (BadgeForm, AnyBadge())

class Names:
    def read(self, value, options):
        return Reading("ours", value, lambda draw: "N. N.") if value == "Ellen Ward" else None
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A folder that holds an installed distribution with forms in it."""
    (tmp_path / "badges.py").write_text(BADGES)
    info = tmp_path / "badges-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: badges\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[presidio_cdip.forms]\nBADGE = badges:BADGES\nPERSON = badges:Names\n"
    )
    return tmp_path


@pytest.mark.parametrize("entity", [*ENTITIES, *PRESIDIO_ENTITIES])
def test_every_entity_has_a_plainest_form(entity: str) -> None:
    """The last form of each entity reads any value."""
    last = table.forms_of(entity, Pack.shipped())[-1]

    for value in ("?", "Ω≈ç", "one\ntwo", "9" * 4096):
        assert last.read(value, {"locale": "en_US", "pack": Pack.shipped()})


@pytest.mark.slow
def test_another_distribution_adds_an_entity_and_a_form(plugin: Path) -> None:
    """An entry point alone makes a new entity known to policies, and is asked before our forms."""
    policy = plugin / "mine.yaml"
    policy.write_text(
        "what: Mine.\nBADGE: {operator: surrogate}\nPERSON: {operator: surrogate}\n"
        "DEFAULT: {operator: redact}\n"
    )
    program = (
        "import presidio_cdip\n"
        f"s = presidio_cdip.Surrogates({KEY!r}, 'doc')\n"
        f"print(sorted(presidio_cdip.policy({str(policy)!r}, key={KEY!r})))\n"
        "print(s.surrogate('BADGE', 'B-0042') == s.surrogate('BADGE', 'B-0042') != 'B-0042')\n"
        "print(s.surrogate('PERSON', 'Ellen Ward'), s.surrogate('PERSON', 'Ann Lee') != 'N. N.')\n"
    )

    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=plugin,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == ["['BADGE', 'DEFAULT', 'PERSON']", "True", "N. N. True"]


def test_a_form_that_fails_stops_and_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in a form is reported by its place alone, for its message may hold the value."""

    class Broken:
        def read(self, value: str, options: object) -> None:
            raise ValueError(f"cannot read {value}")

    monkeypatch.setattr(table, "forms_of", lambda entity, pack=None: (Broken(),))

    with pytest.raises(ValueRefused) as raised:
        Surrogates(KEY, "doc").surrogate("AGE", "forty-six")
    assert str(raised.value).startswith("policy surrogate, AGE: a form failed: ValueError at ")
    assert "forty" not in str(raised.value)
    assert raised.value.__suppress_context__  # or a traceback would show it
