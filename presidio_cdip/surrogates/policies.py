"""Policies: what each entity's values become, one YAML file each in ``operators/``."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from faker.config import AVAILABLE_LOCALES

from presidio_cdip.entities import entities_of
from presidio_cdip.errors import PackError, PolicyError, shortened
from presidio_cdip.pack.language import check_language
from presidio_cdip.pack.pack import Pack, load
from presidio_cdip.surrogates.drawing.table import has_forms

# Presidio's own types that a mixed deployment finds beside ours.
PRESIDIO_ENTITIES = (
    "PERSON", "LOCATION", "ORGANIZATION", "PHONE_NUMBER", "EMAIL_ADDRESS", "DATE_TIME",
)  # fmt: skip

# Per operator, its parameters and what each may be: a type, or the words to choose from.
OPERATORS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "surrogate": {
            "ssn": ("unissued", "plausible"),
            "phone": ("fictional", "plausible"),
            "address": ("plausible", "nowhere"),
            "age": ("moved", "drawn"),
            "answers": ("drawn", "kept"),
            "damage": ("clean", "same"),
            "draw": ("keyed", "random"),
            "locale": tuple(sorted(AVAILABLE_LOCALES)),
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
_NEEDED = {"mask": ("masking_char", "chars_to_mask", "from_end"), "encrypt": ("key",)}
DEFAULT = "DEFAULT"
FOLDER = "operators"
_ABOUT = {"what", "language", "extends"}  # keys of a policy that are no entities
_MOST_BASES = 8  # policies that extend each other
_NAME = re.compile(r"[\w .-]{1,64}")  # of a policy: a request may name it, and it is no path


@dataclass(frozen=True, slots=True)
class Step:
    """What the values of one entity become.

    Attributes:
        operator: The name of an operator of presidio-anonymizer, or ours.
        params: Its parameters, as JSON would have them.
    """

    operator: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """A step for every entity, and one for whatever else is found.

    Attributes:
        name: The file's, without its suffix.
        what: What it does, in a sentence or two.
        steps: By entity, and under ``"DEFAULT"``.
    """

    name: str
    what: str
    steps: Mapping[str, Step]


def read_policy(
    name: str,
    pack: Pack | None = None,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> Policy:
    """Return the policy *name*, ``operators/NAME.yaml`` of *pack*.

    A policy may extend another: it then says only what differs. ``AGE: {age: drawn}`` changes one
    parameter of a step, ``AGE: {operator: mask, …}`` replaces the step.

    Args:
        name: Without its suffix; or the path of a YAML file.
        pack: The shipped pack, if None.
        changes: Laid over the policy in the same way, by entity: ``{"AGE": {"age": "drawn"}}``.

    Raises:
        PolicyError: There is no such policy, or it names an unknown entity or operator, or an
            invalid parameter value.
    """
    reader = _Reader(Path(name).stem if _is_path(name) else name, pack or Pack.shipped())
    what, data = reader.merged(name, reader.pack, 0)
    for entity, step in (changes or {}).items():
        data[entity] = _laid_over(data.get(entity) or data.get(DEFAULT), step)
    return reader.policy(what, data)


def policy_names(pack: Pack | None = None) -> tuple[str, ...]:
    """Return the names of the policies of *pack*, or of the shipped pack."""
    names = (pack or Pack.shipped()).files(FOLDER, ".yaml")
    return tuple(name.removesuffix(".yaml") for name in names)


def parse_changes(said: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the changes of a policy that a command line says.

    Args:
        said: ``ENTITY.PARAMETER=VALUE`` each, the value as YAML has it; ``ENTITY.operator=NAME``
            comes before the parameters of that operator.

    Raises:
        PolicyError: One of them is not written so.

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


def _laid_over(below: Any, step: Any) -> Any:
    """A step as it is with another laid over it, which replaces it if it names an operator."""
    if not isinstance(step, Mapping) or not isinstance(below, Mapping) or "operator" in step:
        return step
    return {**below, **step}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one policy; every error names it."""

    name: str
    pack: Pack

    def merged(self, name: str, pack: Pack, depth: int) -> tuple[str, dict[str, Any]]:
        """What the policy *name* says, and its steps with those of the policies it extends."""
        data = self._load(name, pack)
        try:
            check_language(data, self.pack.overlay, name)
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
        # A pack's own policy may extend the shipped one of the same name.
        below, steps = self.merged(base, pack.below() if base == name else pack, depth + 1)
        steps |= {entity: _laid_over(steps.get(entity), step) for entity, step in own.items()}
        return what if isinstance(what, str) else below, steps

    def policy(self, what: str, data: Mapping[str, Any]) -> Policy:
        steps = {entity: self._step(entity, step) for entity, step in data.items()}
        if DEFAULT not in steps:
            raise self._fail(f"has no {DEFAULT}; say what becomes of everything else")
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
        if entity != DEFAULT and entity not in declared and not drawn:
            known = (*declared, *PRESIDIO_ENTITIES)
            near = get_close_matches(str(entity), known, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
            raise self._fail(f"no entity {entity!r}{hint}")
        check_params(self.name, entity, operator, params)
        return Step(operator, params)

    def _fail(self, problem: str) -> PolicyError:
        return PolicyError(self.name, problem)


def check_params(policy: str, entity: str, operator: str, params: Mapping[str, Any]) -> None:
    """Nothing, where there is *operator* and it can have *params*.

    Raises:
        PolicyError: There is not, or it cannot; *policy* and *entity* are named.
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
        wanted = allowed[name]
        if isinstance(wanted, tuple):
            right, what = value in wanted, " or ".join(wanted) if len(wanted) < 9 else "known"
        else:
            right, what = type(value) is wanted, wanted.__name__
        if not right or (wanted is int and value < 1):
            raise PolicyError(policy, f"{entity}: {name} is not {what}")
    if missing := [name for name in _NEEDED.get(operator, ()) if name not in params]:
        raise PolicyError(policy, f"{entity}: {operator} needs {', '.join(missing)}")


def check_scope(policy: str, scope: object) -> None:
    """Nothing, where *scope* names something.

    Raises:
        PolicyError: It is empty, or no string.
    """
    if not isinstance(scope, str) or not scope.strip():
        raise PolicyError(policy, "the scope is empty; name the document or the corpus")
