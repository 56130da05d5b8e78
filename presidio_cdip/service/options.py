"""List the options of documents, and check those that callers chose."""

import json
import re
import subprocess
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from presidio_cdip.documents.formats import BINARY, FORMATS
from presidio_cdip.documents.marks import hues, label
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.review import Review
from presidio_cdip.documents.segments import METHODS
from presidio_cdip.entities import entities_of, known
from presidio_cdip.errors import InvalidOption
from presidio_cdip.files.folders import IMAGES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.policies import policy_names, read_policy
from presidio_cdip.version import __version__

_LANGUAGE = re.compile(r"\w{1,40}")
_LONGEST_SCOPE = 1000  # characters
_USUAL = Choices()


class Available:
    """The options that callers can choose from.

    Args:
        pack: Provides entities and policies.
        max_bytes: Length of the longest document.
        scope: Of documents whose options name none; "" for the document's name.
    """

    def __init__(self, pack: str | None, max_bytes: int, scope: str = "") -> None:
        self._pack = Pack.open(pack)
        self._max_bytes = max_bytes
        self._scope = scope

    def as_json(self) -> dict[str, Any]:
        """Return all of it as a JSON object."""
        entities = entities_of(self._pack)
        colours = hues(list(entities))
        return {
            "entities": [
                {
                    "name": one.name,
                    "label": label(one.name),
                    "hue": colours[one.name],
                    "meaning": one.meaning,
                    "group": one.group or "",
                    "on_request": one.on_request,
                }
                for one in entities.values()
            ],
            "policies": [
                {
                    "name": name,
                    "label": label(name),
                    "meaning": read_policy(name, self._pack).what,
                }
                for name in policy_names(self._pack)
            ],
            "methods": list(METHODS),
            "ocr_languages": list(self.languages),
            "formats": sorted(
                {".txt", *IMAGES, *BINARY, *(end for one in FORMATS for end in one.suffixes)}
            ),
            "max_bytes": self._max_bytes,
            "version": __version__,
        }

    @cached_property
    def languages(self) -> Sequence[str]:
        """Return the languages that Tesseract has; none where it is not installed."""
        try:
            said = subprocess.run(
                ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=20
            ).stdout
        except (OSError, subprocess.SubprocessError):
            return ()
        there = [line.strip() for line in said.splitlines()[1:]]
        there = [one for one in there if _LANGUAGE.fullmatch(one) and one != "osd"]
        return sorted(there, key=lambda one: (one != _USUAL.ocr_language, one))

    def choices(self, options: str) -> Choices:
        """Return the choices in *options*, a JSON object.

        Raises:
            CdipError: They cannot be carried out.
        """
        try:
            given = json.loads(options)
        except (ValueError, RecursionError):
            raise InvalidOption("the options are no JSON object") from None
        choices = Choices.of(given)
        if self._scope and not choices.scope:
            choices = Choices.of({**given, "scope": self._scope})
        self.check(choices)
        return choices

    def check(self, choices: Choices) -> None:
        """Check that *choices* can be carried out, and name no file.

        Raises:
            CdipError: They cannot.
        """
        languages = set(choices.ocr_language.split("+"))
        if missing := languages - {_USUAL.ocr_language, *self.languages}:
            raise InvalidOption(
                f"Tesseract lacks {len(missing)} of the languages that were asked for"
            )
        if len(choices.scope) > _LONGEST_SCOPE:
            raise InvalidOption(f"the scope has more than {_LONGEST_SCOPE} characters")
        choices.check(self._pack)

    def check_review(self, review: Review) -> None:
        """Check the options and entities of a review that a caller sent.

        Raises:
            CdipError: They cannot be carried out.
        """
        self.check(review.choices)
        found = {one.entity for some in review.texts.values() for one in some}
        self.check_entities(*found, *(one.entity for one in review.areas))

    def check_entities(self, *names: str) -> None:
        """Check that there are entities called *names*.

        Raises:
            UnknownEntity: There is no such entity.
        """
        known(names, entities_of(self._pack))
