"""Read policies: YAML files in ``operators/`` that give each entity an operator."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from presidio_cdip.entities import GIVEAWAY, entities_of
from presidio_cdip.errors import PackError, PolicyError, shortened
from presidio_cdip.pack.language import check_language
from presidio_cdip.pack.pack import Pack, load
from presidio_cdip.surrogates.drawing.context import FLIPPED
from presidio_cdip.surrogates.drawing.table import has_forms

# Presidio's own entities, which a mixed deployment finds beside ours.
PRESIDIO_ENTITIES = (
    "PERSON", "LOCATION", "ORGANIZATION", "PHONE_NUMBER", "EMAIL_ADDRESS", "DATE_TIME",
)  # fmt: skip

# The parameters of each operator, with their type or their allowed values; "locale" stands for
# Faker's locales.
OPERATORS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "surrogate": {
            "ssn": ("unissued", "plausible"),
            "phone": ("fictional", "plausible"),
            "address": ("plausible", "nowhere"),
            "age": ("moved", "kept", "drawn"),
            "dates": ("shifted", "weeks"),
            "answers": ("drawn", "told", "kept", FLIPPED),
            "damage": ("clean", "same"),
            "draw": ("keyed", "document", "random"),
            "locale": "locale",
        },
        "generalize": {"width": int, "top_code": bool},
        "redact": {},
        "replace": {"new_value": str},
        "mask": {"masking_char": str, "chars_to_mask": int, "from_end": bool},
        "hash": {"hash_type": ("sha256", "sha512"), "salt": str},
        "encrypt": {"key": str},
        "keep": {},
    }
)
_KINDS = {str: "text", int: "a whole number of 1 or more", bool: "true or false"}
_MASKED = {"operator": "replace", "new_value": "[MASK]"}
"""The step for a giveaway unless the policy says otherwise; another word in its place would tell
as much, and the encoder of `presidio_cdip.privacy` knows this one."""
_NOT_OF_WORDS = ("surrogate", "generalize", "keep")  # operators that say nothing of giveaways
_OF_SEX = "GENDER"  # the entity of which alone answers are flipped
_NEEDED = {"mask": ("masking_char", "chars_to_mask", "from_end"), "encrypt": ("key",)}
DEFAULT = "DEFAULT"
DEFAULT_LOCALE = "en_US"
FOLDER = "operators"
_ABOUT = {"what", "language", "extends"}  # keys of a policy that are not entities
_LONGEST_SCOPE = 4096  # characters: the longest path of a file
_MOST_BASES = 8  # length of a chain of `extends`
# Names of policies. A request may contain one, so it cannot be a path.
_NAME = re.compile(r"[\w .-]{1,64}")


@dataclass(frozen=True, slots=True)
class Step:
    """Replace the values of one entity by an operator.

    Attributes:
        operator: The name of one of our operators or of presidio-anonymizer's.
        params: Its parameters: JSON values by name.
    """

    operator: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """Name a step for each entity, and a default step for all other entities.

    Attributes:
        name: The name of the file, without suffix.
        what: One or two sentences that describe the policy.
        steps: By entity, and under ``"DEFAULT"``.
    """

    name: str
    what: str
    steps: Mapping[str, Step]


def read_policy(
    name: str,
    pack: Pack,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> Policy:
    """Read the policy *name* from ``operators/NAME.yaml`` of *pack*.

    A policy that extends another one holds only the differences. ``AGE: {age: drawn}`` changes one
    parameter of a step, ``AGE: {operator: mask, …}`` replaces the step.

    Args:
        name: The name of the file without suffix, or the path of a YAML file.
        pack: The pack in use.
        changes: Parameters by entity that override the policy's:
            ``{"AGE": {"age": "drawn"}}``.

    Raises:
        PolicyError: The policy does not exist, names an unknown entity or operator, or has an
            invalid parameter value.
    """
    reader = _Reader(Path(name).stem if _is_path(name) else name, pack)
    what, data = reader.merged(name, reader.pack, 0)
    return reader.policy(what, _with_changes(_with_giveaways(data), changes or {}))


def policy_names(pack: Pack) -> tuple[str, ...]:
    """Return the names of the policies of *pack*."""
    names = pack.files(FOLDER, ".yaml")
    return tuple(name.removesuffix(".yaml") for name in names)


def parse_changes(said: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Parse the changes of a policy that a command line gives.

    Args:
        said: Strings ``ENTITY.PARAMETER=VALUE``, the value in YAML. ``ENTITY.operator=NAME`` must
            come before the parameters of that operator.

    Raises:
        PolicyError: A string has another format.

    >>> parse_changes(["AGE.age=drawn", "HEALTH.operator=mask", "HEALTH.from_end=false"])
    {'AGE': {'age': 'drawn'}, 'HEALTH': {'operator': 'mask', 'from_end': False}}
    """
    changes: dict[str, dict[str, Any]] = {}
    for one in said:
        match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]{0,63})\.([a-z_]+)=(.*)", one, re.S)
        if not match:
            raise PolicyError("--set", f"{one!r} is not ENTITY.PARAMETER=VALUE")
        entity, parameter, value = match.groups()
        try:
            read = yaml.safe_load(value)
        except yaml.YAMLError:
            read = value
        changes.setdefault(entity.upper(), {})[parameter] = "" if read is None else read
    return changes


def _is_path(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _with_changes(steps: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return *steps* with those of *changes* laid over them, or over the default step."""
    changed = dict(steps)
    for entity, step in changes.items():
        below = steps.get(entity) or steps.get(DEFAULT)
        if isinstance(step, Mapping) and isinstance(below, Mapping) and "operator" not in step:
            step = {**below, **step}
        changed[entity] = step
    return changed


def _with_giveaways(steps: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return *steps* with one for giveaways, if neither they nor their default say what to do."""
    default = steps.get(DEFAULT)
    operator = default.get("operator") if isinstance(default, Mapping) else None
    if GIVEAWAY in steps or operator not in _NOT_OF_WORDS:
        return steps
    return {**steps, GIVEAWAY: _MASKED}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read one policy; each error message names the policy."""

    name: str
    pack: Pack

    def merged(self, name: str, pack: Pack, depth: int) -> tuple[str, dict[str, Any]]:
        """Return the description and the steps of a policy, with those of policies it extends."""
        data = self._load(name, pack)
        try:
            check_language(data, self.pack.overlay, f"{Path(name).stem}.yaml")
        except PackError as error:
            raise self._fail(str(error)) from None
        base = data.get("extends")
        what = data.get("what")
        own = {entity: step for entity, step in data.items() if entity not in _ABOUT}
        if base is None:
            if not isinstance(what, str):
                raise self._fail("is not a mapping with a `what`")
            return what, own
        if not isinstance(base, str) or _is_path(base) or depth >= _MOST_BASES:
            raise self._fail("`extends` is not the name of another policy, or goes in a circle")
        # A policy of the overlay may extend the shipped policy of the same name.
        under = pack.below() if base == name else pack
        if base not in policy_names(under):
            missing = "itself, and the shipped pack has no policy of this name"
            if base != name:
                missing = (
                    f"{base!r}, which is no policy; there are {', '.join(policy_names(under))}"
                )
            raise self._fail(f"extends {missing}")
        below, steps = self.merged(base, under, depth + 1)
        return what if isinstance(what, str) else below, _with_changes(steps, own)

    def policy(self, what: str, data: Mapping[str, Any]) -> Policy:
        steps = {entity: self._step(entity, step) for entity, step in data.items()}
        if DEFAULT not in steps:
            raise self._fail(f"has no {DEFAULT}; add an operator for all other entities")
        return Policy(self.name, what, steps)

    def _load(self, name: str, pack: Pack) -> Mapping[str, Any]:
        item: Traversable | None
        if _is_path(name):
            item = Path(name)
            if not item.is_file():
                raise self._fail(f"{item}: there is no such file")
        else:
            item = pack.file(f"{FOLDER}/{name}.yaml") if _NAME.fullmatch(name) else None
        if item is None:
            there = ", ".join(policy_names(self.pack))
            raise PolicyError(shortened(name), f"there is no such policy; there are {there}")
        try:
            return load(item)
        except PackError as error:
            raise self._fail(str(error)) from None

    def _step(self, entity: str, data: Any) -> Step:
        if not isinstance(data, Mapping) or not isinstance(data.get("operator"), str):
            raise self._fail(f"{entity} is not a mapping with an `operator`")
        params = {key: value for key, value in data.items() if key != "operator"}
        operator = data["operator"]
        declared = entities_of(self.pack)
        drawn = isinstance(entity, str) and has_forms(entity, self.pack)
        if entity not in (DEFAULT, GIVEAWAY, *declared) and not drawn:
            known = tuple(dict.fromkeys((*declared, *PRESIDIO_ENTITIES, GIVEAWAY)))
            near = get_close_matches(str(entity), known, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
            raise self._fail(f"no entity {entity!r}{hint}")
        check_params(self.name, entity, operator, params)
        if entity == DEFAULT and params.get("answers") == FLIPPED:
            raise self._fail(f"{DEFAULT}: answers can be {FLIPPED} for {_OF_SEX} alone")
        return Step(operator, params)

    def _fail(self, problem: str) -> PolicyError:
        return PolicyError(self.name, problem)


def check_params(policy: str, entity: str, operator: str, params: Mapping[str, Any]) -> None:
    """Check that *operator* exists and accepts *params*.

    Error messages name *policy* and *entity*.

    Raises:
        PolicyError: The operator is unknown, or a parameter is unknown, invalid or missing.
    """
    if operator not in OPERATORS:
        known = ", ".join(OPERATORS)
        raise PolicyError(policy, f"{entity}: no operator {operator!r}; there are {known}")
    allowed = OPERATORS[operator]
    for name, value in params.items():
        if name not in allowed:
            known = ", ".join(allowed) or "none"
            problem = f"{entity}: {operator} has no parameter {name!r}; it has {known}"
            raise PolicyError(policy, problem)
        wanted = _locales(value) if allowed[name] == "locale" else allowed[name]
        if isinstance(wanted, tuple):
            right = value in wanted
            what = f"one of {', '.join(wanted)}" if len(wanted) < 9 else "a locale that Faker knows"
        else:
            right, what = type(value) is wanted, _KINDS[wanted]
        if not right or (wanted is int and value < 1):
            raise PolicyError(policy, f"{entity}: {name} must be {what}")
    if params.get("answers") == FLIPPED and entity.isupper() and entity not in (_OF_SEX, DEFAULT):
        problem = f"{entity}: answers can be {FLIPPED} for {_OF_SEX} alone, and turn whole texts"
        raise PolicyError(policy, problem)
    if missing := [name for name in _NEEDED.get(operator, ()) if name not in params]:
        raise PolicyError(policy, f"{entity}: {operator} needs {', '.join(missing)}")


def _locales(value: object) -> tuple[str, ...]:
    """Return the allowed locales; only the default if *value* is it: Faker's list takes .15 s."""
    if value == DEFAULT_LOCALE:
        return (DEFAULT_LOCALE,)
    from faker.config import AVAILABLE_LOCALES

    return tuple(sorted(AVAILABLE_LOCALES))


def check_scope(policy: str, scope: object) -> None:
    """Check that *scope* is a string that is not blank.

    Raises:
        PolicyError: It is blank, or not a string.
    """
    if isinstance(scope, str) and len(scope) > _LONGEST_SCOPE:
        raise PolicyError(
            policy, f"the scope has {len(scope)} characters; {_LONGEST_SCOPE} at most"
        )
    if not isinstance(scope, str) or not scope.strip():
        raise PolicyError(policy, "the scope is empty; name the document or the corpus")
