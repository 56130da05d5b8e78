"""Check the entities, signs and languages of a pack."""

from collections.abc import Iterator
from pathlib import Path

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import LANGUAGES, language_of
from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.rules import FOLDER, RuleFile, entities
from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.premises import signs_of


def recognizer_problems(pack: Pack) -> Iterator[PackError]:
    """Yield the problems in ``recognizers/`` of *pack*, apart from rules and their cases."""
    try:
        entities(pack)
    except PackError as error:
        yield error
    try:
        signs_of(pack)
    except PackError as error:
        yield error
    root = Path(pack.overlay) if pack.overlay else None
    for code in sorted({path.split("/")[2] for path in pack.own_paths() if _in_language(path)}):
        try:
            language_of(code, root, f"{LANGUAGES}/{code}/")
        except PackError as error:
            yield error


def _in_language(path: str) -> bool:
    return path.startswith(f"{FOLDER}/{LANGUAGES}/") and path.count("/") > 2


def unfound_entities(pack: Pack, files: tuple[RuleFile, ...]) -> Iterator[PackError]:
    """Yield an error for each entity of the overlay that neither a rule nor the model finds.

    The model is the one that ``PRESIDIO_CDIP_MODEL`` names. A file of the overlay with rules and
    without a case is an error, too.

    Raises:
        ModelError: The model cannot be used.
    """
    found_by = finder(pack).found_by
    for file in files:
        if not pack.has_own(f"{FOLDER}/{file.file}"):
            continue
        if file.declared and not found_by[file.entity]:
            yield PackError(file.file, f"no rule finds {file.entity}; add `rules` and `cases`")
        elif file.rules and not file.cases:
            yield PackError(file.file, "has rules without a case that checks them; add `cases`")
