"""Define the options that a person chooses before a document is read."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

from presidio_cdip.documents.segments import METHODS, NOISES, Settings
from presidio_cdip.errors import InvalidOption
from presidio_cdip.pack.pack import Pack, PathLike

_LANGUAGES = re.compile(r"\w+(\+\w+)*")


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of reading and replacing; the review file keeps them.

    Attributes:
        policy: What findings become, by the name of a policy.
        method: What findings in pictures and on PDF pages become, one of `METHODS`.
        noise: The noise of what is painted, one of `NOISES`.
        locale: Of names, places and dates; "" for the policy's.
        scope: Equal values within it get equal surrogates; "" for the document's name.
        entities: The entities to look for; empty for all.
        names: Whether names of persons, organizations and places are findings, too.
        min_score: The least score of a finding, or an operating point; "" for the balanced one.
        ocr_language: Tesseract's name of the language of pictures.
        flatten: Whether pages of PDFs become pictures.
        accept_changes: Whether tracked changes are accepted.
        keep_unknown: Whether parts that are not understood are kept.
        json_keys: Whether keys of JSON objects are read, too.
    """

    policy: str = "surrogate"
    method: str = "surrogate"
    noise: str = "fitted"
    locale: str = ""
    scope: str = ""
    entities: tuple[str, ...] = ()
    names: bool = False
    min_score: str = ""
    ocr_language: str = "eng"
    flatten: bool = False
    accept_changes: bool = False
    keep_unknown: bool = False
    json_keys: bool = False

    @classmethod
    def of(cls, given: Any) -> Self:
        """Return choices from a JSON object; what it does not name is as usual.

        Raises:
            InvalidOption: It is no such object.
        """
        if not isinstance(given, Mapping):
            raise InvalidOption("the options are no JSON object")
        usual = cls()
        known = {one.name for one in fields(cls)}
        made: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise InvalidOption(f"an option is none of {', '.join(sorted(known))}")
            fits, what = _KINDS[type(getattr(usual, name))]
            if name == "min_score" and isinstance(value, (int, float)):
                value = str(value)
            if not fits(value):
                raise InvalidOption(f"{name} is not {what}")
            made[name] = tuple(value) if isinstance(value, list) else value
        return cls(**made)

    def as_json(self) -> dict[str, Any]:
        """Return them as a JSON object, without what is as usual."""
        usual = type(self)()
        return {
            name: value for name, value in asdict(self).items() if value != getattr(usual, name)
        }

    def settings(self, usual: Settings | None = None) -> Settings:
        """Return the settings of documents, with the limits of *usual*."""
        return replace(
            usual or Settings(),
            method=self.method,
            noise=self.noise,
            ocr_language=self.ocr_language,
            flatten=self.flatten,
            accept_changes=self.accept_changes,
            keep_unknown=self.keep_unknown,
            json_keys=self.json_keys,
        )

    def check(self, pack: Pack | PathLike | None = None) -> None:
        """Check that they can be carried out.

        Raises:
            CdipError: The policy, the method, the noise, the locale or an entity is unknown.
        """
        from presidio_cdip import steps
        from presidio_cdip.entities import entities_of, known
        from presidio_cdip.recognition.finder import least_score
        from presidio_cdip.surrogates.policies import policy_names

        opened = Pack.open(pack)
        if self.policy not in (names := policy_names(opened)):
            raise InvalidOption(f"no such policy; there are {', '.join(names)}")
        if self.method not in METHODS:
            raise InvalidOption(f"no such method; there are {', '.join(METHODS)}")
        if self.noise not in NOISES:
            raise InvalidOption(f"no such noise; there are {', '.join(NOISES)}")
        if not _LANGUAGES.fullmatch(self.ocr_language):
            raise InvalidOption("the language of pictures is no name that Tesseract could have")
        known(self.entities, entities_of(opened))
        least_score(self.min_score or None)
        made = steps.steps(self.policy, bytes(range(32)), None, self.locale or None, opened)
        steps.check_usable(made)


def _is_names(value: Any) -> bool:
    return isinstance(value, Sequence) and all(isinstance(one, str) for one in value)


_KINDS: Mapping[type, tuple[Callable[[Any], bool], str]] = {
    str: (lambda value: isinstance(value, str), "a text"),
    bool: (lambda value: isinstance(value, bool), "true or false"),
    tuple: (lambda value: not isinstance(value, str) and _is_names(value), "a list of texts"),
}
