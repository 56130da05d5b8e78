"""The network names faces by their names, and only where the folder has those it was trained on."""

import json
import logging
import shutil
from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.imaging.style.faces import FONTS, faces
from presidio_cdip.imaging.style.rendering import Dark, drawn, laid
from presidio_cdip.imaging.style.shortlist import class_names, shortlist, write_class_names

from ..drawing import SCANNER, shipped


def copied(folder: Path) -> Path:
    """Copy the shipped folder."""
    return Path(shutil.copytree(FONTS, folder))


def ink(name: str) -> Dark:
    """Draw a word in a shipped face, as a scanner shows it, cut to its edges."""
    word = drawn(shipped(name).file, "Registrant")
    left, top, right, bottom = (round(44 * edge) for edge in word.ink)
    size = right - left, bottom - top
    return SCANNER.of(laid(word, np.diag([44.0, 44.0]), (-left, -top), size))


def test_the_shipped_network_has_a_class_for_each_shipped_face() -> None:
    """Its names are those of faces.json, and it tells a typewriter from a serif."""
    assert sorted(class_names(FONTS / "shortlist.onnx")) == sorted(face.name for face in faces())
    network = shortlist(faces())
    assert network
    for name in ("typewriter-prime", "serif-times", "sans-swiss-bold"):
        assert name in [face.name for face in network.likeliest(ink(name))]


@pytest.mark.parametrize(
    "name", ["typewriter-prime", "serif-times", "sans-humanist", "sans-round", "serif-palace"]
)
def test_the_family_is_that_of_all_its_faces(name: str) -> None:
    """Their probabilities are added up, so that it is known of a face that is not ours, too."""
    network = shortlist(faces())
    assert network

    families = network.families(ink(name))

    assert sum(families.values()) == pytest.approx(1)
    assert families[name.split("-")[0]] > 0.9


def test_a_folder_with_a_face_more_is_searched_whole(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A face put first moves no class onto another face; the log says why it is slower."""
    folder = copied(tmp_path / "fonts")
    index = json.loads((folder / "faces.json").read_text("utf-8"))
    shutil.copy(folder / "serif-old.ttf", folder / "own.ttf")
    own = {"name": "own", "family": "serif", "weight": "regular", "slant": "upright"}
    (folder / "faces.json").write_text(json.dumps({"faces": [own, *index["faces"]]}))

    with caplog.at_level(logging.WARNING):
        assert shortlist(faces(folder)) is None

    assert "trained on other faces" in caplog.text


def test_the_order_of_the_faces_does_not_matter(tmp_path: Path) -> None:
    """Classes are found by name: a list in another order gives the same faces."""
    folder = copied(tmp_path / "fonts")
    index = json.loads((folder / "faces.json").read_text("utf-8"))
    (folder / "faces.json").write_text(json.dumps({"faces": index["faces"][::-1]}))
    here, there = shortlist(faces()), shortlist(faces(folder))

    assert here
    assert there
    word = ink("serif-times-italic")
    assert [face.name for face in there.likeliest(word)] == [
        face.name for face in here.likeliest(word)
    ]


@pytest.mark.parametrize("names", [None, "{", '{"faces": 3}', '{"faces": ["serif-old"]}'])
def test_a_network_without_its_names_is_not_used(tmp_path: Path, names: str | None) -> None:
    """Missing, broken or fewer names: all faces are searched."""
    folder = copied(tmp_path / "fonts")
    (folder / "shortlist.json").unlink()
    if names is not None:
        (folder / "shortlist.json").write_text(names)

    assert shortlist(faces(folder)) is None


def test_a_folder_without_a_network_is_searched_whole(tmp_path: Path) -> None:
    """All faces are searched, as in a user's own folder."""
    folder = copied(tmp_path / "fonts")
    (folder / "shortlist.onnx").unlink()

    assert shortlist(faces(folder)) is None


def test_names_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Painting reads the names of the classes as training writes them."""
    write_class_names(tmp_path / "shortlist.onnx", ["b", "a"])

    assert class_names(tmp_path / "shortlist.onnx") == ("b", "a")
    assert list(tmp_path.iterdir()) == [tmp_path / "shortlist.json"]
