"""Policies: what each entity's values become, one YAML file each in ``operators/``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from faker.config import AVAILABLE_LOCALES

from presidio_cdip.entities import ENTITIES
from presidio_cdip.errors import PolicyError, shortened
from presidio_cdip.pack.pack import Pack
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


def read_policy(name: str, pack: str | None = None) -> Policy:
    """The policy *name*: ``operators/NAME.yaml`` of *pack*, else of the shipped pack.

    Args:
        name: Without its suffix; or the path of a YAML file.
        pack: A folder with ``operators/`` in it, or None.

    Raises:
        PolicyError: There is none, or it says something that cannot be.
    """
    if name.endswith((".yaml", ".yml")):
        return _Reader(Path(name).stem, pack).policy(Path(name))
    for root in _roots(pack) if _NAME.fullmatch(name) else ():
        item = root / "operators" / f"{name}.yaml"
        if item.is_file():
            return _Reader(name, pack).policy(item)
    raise PolicyError(name, f"there is none; there are {', '.join(policy_names(pack))}")


def policy_names(pack: str | None = None) -> tuple[str, ...]:
    """The names of the policies there are, those of *pack* among them."""
    names = {
        item.name.removesuffix(".yaml")
        for root in _roots(pack)
        if (root / "operators").is_dir()
        for item in (root / "operators").iterdir()
        if item.name.endswith(".yaml")
    }
    return tuple(sorted(names))


def _roots(pack: str | None) -> list[Traversable]:
    own: list[Traversable] = [Path(pack)] if pack else []
    return [*own, Pack.shipped().root]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one policy; every error names it."""

    name: str
    pack: str | None

    def policy(self, item: Traversable) -> Policy:
        try:
            data = yaml.safe_load(item.read_text("utf-8"))
        except OSError as error:
            raise self._fail(
                f"{shortened(str(item))}: {error.strerror or 'cannot be read'}"
            ) from None
        except (yaml.YAMLError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            where = f" at line {mark.line + 1}" if mark else ""
            raise self._fail(f"{item.name}: is not YAML in UTF-8{where}") from None
        if not isinstance(data, dict) or not isinstance(data.get("what"), str):
            raise self._fail("is not a mapping with a `what`")
        steps = {entity: self._step(entity, step) for entity, step in data.items()
                 if entity != "what"}  # fmt: skip
        if DEFAULT not in steps:
            raise self._fail(f"has no {DEFAULT}; say what becomes of everything else")
        return Policy(self.name, data["what"], steps)

    def _step(self, entity: str, data: Any) -> Step:
        if not isinstance(data, dict) or not isinstance(data.get("operator"), str):
            raise self._fail(f"{entity} is not a mapping with an `operator`")
        params = {key: value for key, value in data.items() if key != "operator"}
        operator = data["operator"]
        drawn = isinstance(entity, str) and has_forms(entity, self.pack)
        if entity != DEFAULT and entity not in ENTITIES and not drawn:
            known = (*ENTITIES, *PRESIDIO_ENTITIES)
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
