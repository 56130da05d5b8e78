"""Check the policies and phrase files of a pack."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from presidio_cdip.errors import CdipError, PackError
from presidio_cdip.pack.language import FILES
from presidio_cdip.pack.pack import FOLDERS, Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import FOLDER as GAZETTEERS
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.policies import FOLDER, read_policy
from presidio_cdip.surrogates.values import identifiers, phrases
from presidio_cdip.surrogates.values.frames import FIRST, SHARED
from presidio_cdip.surrogates.values.frames import FOLDER as FRAMES
from presidio_cdip.surrogates.values.likes import FOLDER as LIKE
from presidio_cdip.surrogates.values.likes import likes
from presidio_cdip.surrogates.values.told import FOLDER as TOLD
from presidio_cdip.surrogates.values.told import told_forms, told_shared

_LISTS = re.compile(r"recognizers/gazetteers/[^/]+\.txt|operators/gazetteers/[^/]+\.(?:txt|tsv)")
_LAYER = re.compile(r"(?:\.extra|\.except)?\.txt$")
_MISNAMED = re.compile(r"(?!\.yaml)(?i:\.ya?ml)$")
_READ = re.compile(
    rf"{_LISTS.pattern}|(?:[^/]+/)+(?:[^/]+\.md|LICENSE)"
    r"|recognizers/(?:[^/]+\.yaml|gate\.json|shared/[^/]+\.yaml|signs/premises\.yaml)"
    rf"|recognizers/languages/[^/]+/(?:{'|'.join(map(re.escape, FILES))})"
    r"|operators/(?:[^/]+\.yaml|phrases/(?:[^/]+\.yaml|classes\.npz|like/[^/]+\.tsv"
    r"|(?:frames|told)/[^/]+\.yaml))"
)


def operator_problems(pack: Pack) -> Iterator[CdipError]:
    """Yield an error for each invalid policy or phrase file of a pack's overlay."""
    for name in policy_files(pack):
        try:
            read_policy(name, pack)
        except CdipError as error:
            yield error
    for name in phrase_files(pack):
        if name != name.lower():
            problem = "is not named in small letters: nothing reads it"
            yield PackError(f"phrases/{name}.yaml", problem)
        try:
            yield from misread_templates(name.upper(), pack)
        except PackError as error:
            yield error
    for name in (path for path in pack.own_paths() if path.startswith(f"{LIKE}/")):
        try:
            likes(Path(name).stem.upper(), pack)
        except PackError as error:
            yield error
    yield from _frame_problems(pack)
    yield from _told_problems(pack)
    if pack.has_own(f"{GAZETTEERS}/{identifiers.TABLE}.tsv"):
        try:
            identifiers.formats(pack)
        except PackError as error:
            yield error


def _frame_problems(pack: Pack) -> Iterator[PackError]:
    """Yield an error for each invalid file of frames, each once; ``shared.yaml`` is in all."""
    own = [Path(path).stem for path in pack.own_paths() if path.startswith(f"{FRAMES}/")]
    for name in own:
        entity = name.removesuffix(FIRST).upper()
        if name != SHARED and (name != name.lower() or not phrases.has_phrases(entity, pack)):
            problem = f"is not read: there is no {phrases.FOLDER}/{name}.yaml in small letters"
            yield PackError(f"phrases/frames/{name}.yaml", problem)
    listed = [one.removesuffix(".yaml") for one in pack.files(FRAMES, ".yaml")]
    found: set[str] = set()
    for name in listed if SHARED in own else own:
        try:
            entity = name.removesuffix(FIRST).upper()
            phrases.frames_of(entity, pack, first=name.endswith(FIRST))
        except PackError as error:
            if str(error) not in found:
                yield error
            found.add(str(error))


def _told_problems(pack: Pack) -> Iterator[PackError]:
    """Yield an error for each invalid file of what pages tell."""
    for name in (Path(one).stem for one in pack.own_paths() if one.startswith(f"{TOLD}/")):
        try:
            if name == SHARED:
                told_shared(pack)
                continue
            if name != name.lower() or not phrases.has_phrases(name.upper(), pack):
                problem = f"is not read: there is no {phrases.FOLDER}/{name}.yaml in small letters"
                yield PackError(f"phrases/told/{name}.yaml", problem)
            told_forms(name.upper(), pack)
        except PackError as error:
            yield error


def list_problems(pack: Pack) -> Iterator[CdipError]:
    """Yield an error for each invalid list or table of a pack's overlay, or YAML file's suffix."""
    for path in pack.own_paths():
        folder, _, name = path.rpartition("/")
        try:
            if _MISNAMED.search(path):
                yield PackError(path, "is not read: name it .yaml")
            elif not _LISTS.fullmatch(path):
                continue
            elif name.endswith(".tsv"):
                yield from _missing_columns(name.removesuffix(".tsv"), pack)
            elif folder == GAZETTEERS:
                terms(_LAYER.sub("", name), pack)
            else:
                pack.terms(folder, _LAYER.sub("", name))
        except PackError as error:
            yield error


def _missing_columns(name: str, pack: Pack) -> Iterator[PackError]:
    """Yield an error for each column of a shipped table that the table of *pack* lacks."""
    found = rows(name, pack)
    if pack.below().file(f"{GAZETTEERS}/{name}.tsv"):
        for column in rows(name, pack.below())[0]:
            if column not in found[0]:
                yield PackError(f"{name}.tsv", f"has no column {column!r}")


def unread_files(pack: Pack) -> Iterator[PackError]:
    """Yield an error for each file and folder of a pack's overlay that nothing reads."""
    for path in pack.own_paths():
        if not _READ.fullmatch(path) and not _MISNAMED.search(path):
            yield PackError(path, "is not read: nothing looks for a file of this folder and name")
    yield from _unnamed_lists(pack)
    beside = Path(pack.overlay).iterdir() if pack.overlay else ()
    for folder in sorted(item.name for item in beside if item.is_dir()):
        if folder not in FOLDERS and (near := get_close_matches(folder.lower(), FOLDERS, 1, 0.8)):
            yield PackError(f"{folder}/", f"is not read; did you mean {near[0]}/?")


def _unnamed_lists(pack: Pack) -> Iterator[PackError]:
    """Yield an error for each list that the shipped pack does not have and no own file names."""
    written = [
        Path(pack.overlay, path).read_text("utf-8", "replace")
        for path in pack.own_paths()
        if pack.overlay and path.endswith(".yaml")
    ]
    named = frozenset(name for text in written for name in re.findall(r"(?:@|list_)(\w+)", text))
    for path in own_lists(pack):
        folder, _, file = path.rpartition("/")
        suffix = file[-len(".txt") :]
        shipped = {_LAYER.sub("", Path(one).name) for one in pack.below().files(folder, suffix)}
        shipped = {one.removesuffix(".tsv") for one in shipped}
        name = _LAYER.sub("", file).removesuffix(".tsv")
        if name not in shipped | named:
            near = get_close_matches(name, shipped, 1, 0.8)
            hint = f"; did you mean {near[0]}{suffix}?" if near else ""
            problem = f"is not read: no shipped list has this name, and no file here names @{name}"
            yield PackError(path, f"{problem}{hint}")


def own_lists(pack: Pack) -> list[str]:
    """Return the paths of the lists and tables of a pack's overlay."""
    return [path for path in pack.own_paths() if _LISTS.fullmatch(path)]


def policy_files(pack: Pack) -> list[str]:
    """Return the names of the policies of a pack's overlay."""
    return _own(pack, FOLDER)


def phrase_files(pack: Pack) -> list[str]:
    """Return the names of the phrase files of a pack's overlay, without ``shared.yaml``."""
    return [name for name in _own(pack, phrases.FOLDER) if f"{name}.yaml" != phrases.SHARED]


def _own(pack: Pack, folder: str) -> list[str]:
    found = pack.files(folder, ".yaml").items()
    return [name.removesuffix(".yaml") for name, item in found if pack.is_own(item)]


def misread_templates(entity: str, pack: Pack) -> Iterator[PackError]:
    """Yield an error for each template of *entity* whose output is read by another shape.

    The slots are filled with a fixed key; with another key a template may be read differently.
    Templates of shapes that ask for the text around a value, or for the page, are not tried.
    """
    draw = Draw(Keyring(bytes(32), "templates", "en_US"), entity, "", 0, {"pack": pack})
    options = {"pack": pack, "locale": "en_US"}
    without_frames = phrases.Phrases(phrases.shapes(entity, pack))
    for shape in phrases.shapes(entity, pack)[:-1]:
        for written in () if shape.asks_around else shape.examples(draw):
            reading = table.read(entity, written, options)
            if not reading.form.startswith("phrase"):
                reading = without_frames.read(written, options) or reading
            if not reading.form.startswith("phrase"):
                continue  # only frames read it, and they are tried first
            read_as = reading.form.split()[1]
            if read_as != shape.name:
                problem = f"shape {shape.name} writes {written!r}, which is read as {read_as}"
                yield PackError(f"phrases/{entity.lower()}.yaml", problem)
