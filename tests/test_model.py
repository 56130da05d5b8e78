"""The shipped model: its folder is whole, and it reads statements about persons as such."""

import json
import re
import subprocess
import sys

import pytest

from presidio_cdip.entities import LABELS
from presidio_cdip.recognition.finder import Finder, finder
from presidio_cdip.recognition.transformer import FINDERS, SHIPPED


@pytest.fixture(scope="module")
def shipped() -> Finder:
    """The rules and the model that are shipped."""
    return finder(model=SHIPPED, threads=1)


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Since March she goes to dialysis three times a week.", "HEALTH"),
        ("My brother takes lithium for his bipolar disorder.", "HEALTH"),
        ("He has been our shop steward since the stewards elected him.", "TRADE_UNION_MEMBERSHIP"),
        ("He left everything to his husband Mark.", "SEXUALITY"),
        ("She was convicted of tax fraud and served 14 months.", "CRIMINAL_OFFENCE"),
        ("In the last election I voted for the Greens.", "POLITICAL_OPINION"),
        ("The applicant, who is of Roma descent, came to us in May.", "ETHNIC_ORIGIN"),
        ("Result: the patient is BRCA1 positive.", "GENETIC_DATA"),
        ("Right thumb: whorl pattern, 14 ridge counts.", "BIOMETRIC_DATA"),
        ("He was baptised in the Lutheran church and still sings there.", "RELIGION"),
    ],
)
def test_a_statement_about_a_person_is_found(shipped: Finder, text: str, entity: str) -> None:
    """What no cue announces is found as what it is."""
    assert entity in {span.entity for span in shipped.find(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Dialysis removes waste products from the blood when the kidneys no longer do so. "
        "Haemodialysis is usually done three times a week in a hospital or a satellite unit.",
        "The union was founded in 1921 by delegates of nine locals. Its rules provide for the "
        "election of shop stewards in every department.",
        "Larceny is the taking of the property of another with the intent to keep it. Whoever "
        "commits larceny shall be fined or imprisoned.",
        "Please send forty cartons to our warehouse, and the invoice to the office in Columbus.",
    ],
)
def test_a_topic_is_no_statement(shipped: Finder, text: str) -> None:
    """The same words about nobody are left alone."""
    assert shipped.find(text) == []


def test_every_entity_has_a_finder(shipped: Finder) -> None:
    """The model looks for what it declares, all of it in the pack, and rules for the rest."""
    assert shipped.model
    assert set(shipped.model.config.entities) <= set(LABELS)
    assert all(shipped.found_by.values())


def test_folder_is_whole_and_small() -> None:
    """Card and config are there, the thresholds are of entities, and the model fits a wheel."""
    own = json.loads((SHIPPED / "config.json").read_text("utf-8"))["presidio_cdip"]
    card = (SHIPPED / "README.md").read_text("utf-8")

    assert (SHIPPED / "model.onnx").stat().st_size <= 25_000_000
    assert set(own["thresholds"]) <= set(LABELS)
    assert set(own["calibration"]) == set(FINDERS)
    for heading in ("Intended use", "Data and licences", "By entity", "By kind", "What it misses"):
        assert heading in card


def test_folder_is_named_with_its_version() -> None:
    """The one folder of weights has the name of the newest version in its changelog."""
    newest = re.search(r"^## (.+)$", (SHIPPED / "CHANGELOG.md").read_text("utf-8"), re.M)

    assert newest
    assert SHIPPED.name == f"cdip-minilm-l4-{newest[1]}"
    assert [folder.name for folder in SHIPPED.parent.iterdir()] == [SHIPPED.name]


def test_scores_are_probabilities(shipped: Finder) -> None:
    """No score is 0, 1 or beyond."""
    spans = shipped.find("Age: 46. He has diabetes, votes Labour, and was fined for poaching.")

    assert spans
    assert all(0 < span.score < 1 for span in spans)


@pytest.mark.slow
@pytest.mark.installed
def test_neither_torch_nor_network_is_needed() -> None:
    """Finding opens no socket, and imports no deep learning framework."""
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('a socket was opened')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "sys.modules.update(torch=None, transformers=None)\n"
        "from presidio_cdip.recognition.finder import finder\n"
        "assert finder().find('She has asthma.')"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")
