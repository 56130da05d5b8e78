"""The shipped faces are there, and a folder that cannot be used is refused."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageFont

from presidio_cdip.errors import FontsMissing
from presidio_cdip.imaging.style.faces import FONTS, faces

ROW = {"name": "own", "family": "serif", "weight": "bold", "slant": "italic"}


def folder(place: Path, index: Any, *files: str) -> Path:
    """A folder with that list and those files."""
    (place / "faces.json").write_text(index if isinstance(index, str) else json.dumps(index))
    for name in files:
        (place / name).write_bytes(b"")
    return place


def test_every_family_is_shipped() -> None:
    """Typewriters, serifs and sans-serifs, regular and bold, upright and italic."""
    shipped = faces()

    assert {one.family for one in shipped} == {"typewriter", "serif", "sans"}
    assert {one.weight for one in shipped} == {"regular", "bold"}
    assert {one.slant for one in shipped} == {"upright", "italic"}
    assert len({one.name for one in shipped}) == len(shipped)


@pytest.mark.parametrize("face", faces(), ids=lambda face: face.name)
def test_shipped_face_has_the_letters_of_a_form(face: Any) -> None:
    """Letters, digits and signs of numbers are drawn; a typewriter's are of one width."""
    font = ImageFont.truetype(str(face.file), 64)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;-/()#$%'"
    unknown = bytes(font.getmask("\ue000"))

    assert all(bytes(font.getmask(letter)) not in (b"", unknown) for letter in letters)
    widths = [font.getlength(letter) for letter in letters]
    assert (max(widths) - min(widths) < 1) is face.fixed


def test_nothing_lies_in_the_folder_unlisted() -> None:
    """What is shipped is used, and its licence lies beside it."""
    files = {file.stem for file in FONTS.iterdir() if file.suffix in (".ttf", ".otf")}

    assert files == {one.name for one in faces()}
    assert any((FONTS / "licences").iterdir())


def test_folder_of_a_users_own_serves(tmp_path: Path) -> None:
    """A list and its files are all it takes."""
    place = folder(tmp_path, {"faces": [ROW]}, "other.ttf")
    shutil.copy(FONTS / "serif-school.otf", place / "own.otf")

    (own,) = faces(place)

    assert (own.name, own.family, own.weight, own.slant) == ("own", "serif", "bold", "italic")
    assert own.file == tmp_path / "own.otf"
    assert not own.fixed


def test_file_that_is_no_font_is_refused(tmp_path: Path) -> None:
    """The error names the file, and is raised before a page is read."""
    with pytest.raises(FontsMissing, match=r"own\.otf is no font"):
        faces(folder(tmp_path, {"faces": [ROW]}, "own.otf"))


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ("{", "JSONDecodeError"),
        ([], "TypeError"),
        ({}, "KeyError"),
        ({"faces": [{"name": "own"}]}, "KeyError"),
        ({"faces": [None]}, "TypeError"),
        ({"faces": []}, "lists none"),
        ({"faces": [{**ROW, "name": "gone"}]}, "no file of gone"),
    ],
    ids=repr,
)
def test_folder_that_cannot_be_used_is_refused(tmp_path: Path, index: Any, says: str) -> None:
    """The error names the folder, and says what is wrong and what to do; exit code 4."""
    with pytest.raises(FontsMissing, match=f"^{tmp_path.name}: .*{says}.*install") as refused:
        faces(folder(tmp_path, index, "own.ttf"))

    assert refused.value.exit_code == 4
    assert refused.value.folder == tmp_path


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    """The error says that the folder does not exist."""
    with pytest.raises(FontsMissing, match="FileNotFoundError"):
        faces(tmp_path / "nowhere")
