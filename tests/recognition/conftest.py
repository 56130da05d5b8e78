"""What tests of the model start from: models that are built in a moment."""

from pathlib import Path
from types import ModuleType

import pytest

from presidio_cdip.recognition.transformer import TokenClassifier


@pytest.fixture(scope="session")
def folder(tiny: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that goes by words, with windows of 16 tokens that share 4."""
    built: Path = tiny.by_word(tmp_path_factory.mktemp("tiny") / "words", window=16, overlap=4)
    return built


@pytest.fixture(scope="session")
def model(folder: Path) -> TokenClassifier:
    """The model of `folder`, a window after the other."""
    return TokenClassifier(folder, 1)
