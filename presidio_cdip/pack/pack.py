"""A pack: a folder with ``recognizers/`` and ``operators/`` in it, and nothing to run."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Any, Self

import yaml

from presidio_cdip.entities import LABELS
from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.root import shipped_root
from presidio_cdip.recognition.checks import CHECKS
from presidio_cdip.recognition.consistency import SPREADS
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.rules import WHERE, Rule, RuleFile

PACK_VARIABLE = "PRESIDIO_CDIP_PACK"  # names the folder of a deployment's own pack

_FILE_KEYS = {
    "entity", "what", "sources", "spread", "check", "forms", "rules", "counter", "cases",
}  # fmt: skip
_RULE_KEYS = {
    "name", "cues", "values", "terms", "hints", "where", "fill", "reach", "many", "take_cue",
    "check", "score", "needs", "unless",
}  # fmt: skip
_SIDES = {"before", "after", "line", "document"}
_MACRO = re.compile(r"\{([a-z_]+)\}")
_MOST_SPELLINGS = 5000  # of one cue


@dataclass(frozen=True, slots=True)
class Pack:
    """A folder of rule files and operator policies.

    Attributes:
        root: The folder that holds ``recognizers/``.
        tested: Whether this package's own tests have proved its expressions sound, so that reading
            it need not compile them all.
    """

    root: Traversable
    tested: bool = False
    _lists: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def shipped(cls) -> Self:
        """The pack of this distribution: inside the wheel, or the checkout it runs from.

        Raises:
            PackError: The installation came without its pack.
        """
        return cls(shipped_root(), tested=True)

    @classmethod
    def at(cls, folder: str | Path | Traversable) -> Self:
        """The pack in *folder*.

        Raises:
            PackError: There is neither ``recognizers/`` nor ``operators/`` in it.
        """
        root = Path(folder) if isinstance(folder, str) else folder
        if not any((root / name).is_dir() for name in ("recognizers", "operators")):
            raise PackError(
                root.name or "pack",
                "has no folder recognizers/ or operators/; give the folder that holds it",
            )
        return cls(root)

    def rule_files(self, verify: bool = False) -> tuple[RuleFile, ...]:
        """Read every YAML file of ``recognizers/``, by name; the shipped, where there is none.

        Args:
            verify: Also run every file's cases through the whole pack.

        Raises:
            PackError: A file is not YAML, has an unknown key, entity, check, list or form, a broken
                regular expression, or, with *verify*, a case that its rules do not satisfy.
        """
        folder = self.root / "recognizers"
        if not folder.is_dir():
            return Pack.shipped().rule_files(verify)
        shared = self._shared_forms()
        found = []
        for item in sorted(folder.iterdir(), key=lambda item: item.name):
            if item.name.endswith((".yaml", ".yml")) and item.is_file():
                found.append(_Reader(self, item.name, shared).file(load(item)))
        if not found:
            raise PackError("recognizers/", "holds no .yaml file; add one an entity")
        if verify and (problem := next(failures(found), None)):
            raise problem
        return tuple(found)

    def signs(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """The lists of expressions in ``recognizers/signs/NAME.yaml``.

        Raises:
            PackError: There is no such file, or it is not lists of expressions.
        """
        data = load(self.root / "recognizers" / "signs" / f"{name}.yaml")
        if not isinstance(data, Mapping) or not all(
            isinstance(signs, list) and all(isinstance(one, str) for one in signs)
            for signs in data.values()
        ):
            raise PackError(f"signs/{name}.yaml", "is not lists of regular expressions")
        return {str(key): tuple(signs) for key, signs in data.items()}

    def terms(self, name: str, asked_by: str) -> tuple[str, ...]:
        """The gazetteer *name*: ``NAME.txt`` and ``NAME.extra.txt`` less ``NAME.except.txt``.

        Raises:
            PackError: There is no such list.
        """
        if name not in self._lists:
            folder = self.root / "recognizers" / "gazetteers"
            if not (folder / f"{name}.txt").is_file():
                if not self.tested and Pack.shipped().has_list(name):
                    return Pack.shipped().terms(name, asked_by)
                raise PackError(asked_by, f"no list gazetteers/{name}.txt")
            listed = [*lines(folder / f"{name}.txt"), *lines(folder / f"{name}.extra.txt")]
            out = set(lines(folder / f"{name}.except.txt"))
            self._lists[name] = tuple(dict.fromkeys(term for term in listed if term not in out))
        return self._lists[name]

    def has_list(self, name: str) -> bool:
        """Whether there is a gazetteer *name*."""
        return (self.root / "recognizers" / "gazetteers" / f"{name}.txt").is_file()

    def _shared_forms(self) -> Mapping[str, str]:
        """The language's forms, over them the shipped, and over them the pack's own."""
        shipped = english().forms if self.tested else Pack.shipped()._shared_forms()
        forms = _load_if_there(self.root / "recognizers" / "shared" / "forms.yaml")
        return _Reader(self, "shared/forms.yaml", {}).forms(forms, shipped)


def failures(files: "tuple[RuleFile, ...] | list[RuleFile]") -> Iterator[PackError]:
    """One error for every case that *files*, run together, do not satisfy.

    A case's number counts from 1; its text is not shown.
    """
    engine = Engine(files)
    for file in files:
        for number, case in enumerate(file.cases, 1):
            if found_in(engine, file.entity, case) != case:
                yield PackError(file.file, f"case {number} is not satisfied by the rules")


def found_in(engine: Engine, entity: str, case: str) -> str:
    """*case* with the marks where *engine* finds *entity*, instead of its own."""
    text = re.sub("[⟦⟧]", "", case)
    for span in reversed([span for span in engine.find(text) if span.entity == entity]):
        text = f"{text[: span.start]}⟦{text[span.start : span.end]}⟧{text[span.end :]}"
    return text


def expand(cue: str) -> list[str]:
    """The spellings of a cue.

    >>> expand("(home|res) tel( no|)")
    ['home tel no', 'res tel no', 'home tel', 'res tel']
    """
    spellings = list(islice(_expand(cue), _MOST_SPELLINGS + 1))
    if len(spellings) > _MOST_SPELLINGS:
        raise ValueError(f"more than {_MOST_SPELLINGS} spellings; make it two cues")
    return spellings


def _expand(cue: str) -> Iterator[str]:
    opening = cue.rfind("(")
    if opening < 0:
        yield " ".join(cue.split())
        return
    closing = cue.find(")", opening)
    if closing < 0:
        raise ValueError("a bracket is not closed")
    for choice in cue[opening + 1 : closing].split("|"):
        yield from _expand(cue[:opening] + choice + cue[closing + 1 :])


def load(item: Traversable) -> Mapping[str, Any]:
    """The mapping that a YAML file holds.

    Raises:
        PackError: It is not YAML in UTF-8, or no mapping.
    """
    try:
        data = yaml.safe_load(item.read_text("utf-8"))
    except (yaml.YAMLError, ValueError, OSError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise PackError(item.name, f"is not YAML in UTF-8{where}") from None
    if not isinstance(data, dict):
        raise PackError(item.name, "is not a mapping of keys to values")
    return data


def _load_if_there(item: Traversable) -> Mapping[str, Any]:
    return load(item) if item.is_file() else {}


def lines(item: Traversable) -> list[str]:
    """The lines of a list that are neither empty nor comments; none where there is no such file."""
    if not item.is_file():
        return []
    listed = (line.strip(" ") for line in item.read_text("utf-8").splitlines())
    return [line for line in listed if line and not line.startswith("#")]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one file; every error names it."""

    pack: Pack
    name: str
    shared: Mapping[str, str]

    def fail(self, problem: str) -> PackError:
        return PackError(self.name, problem)

    def file(self, data: Mapping[str, Any]) -> RuleFile:
        self._keys(data, _FILE_KEYS, "the file")
        for key in ("entity", "what", "rules"):
            if key not in data:
                raise self.fail(f"no key {key!r}")
        self._of(self._strings(data, "entity"), LABELS, "entity")
        forms = {**self.shared, **self.forms(data.get("forms") or {}, self.shared)}
        rules = [self._rule(rule, forms, data) for rule in self._list(data, "rules")]
        values = tuple(dict.fromkeys(value for rule in rules for value in rule.values))
        counters = [
            replace(rule, counter=True, values=rule.values or values)
            for rule in (self._rule(rule, forms, {}) for rule in self._list(data, "counter"))
        ]
        names = [rule.name for rule in (*rules, *counters)]
        if twice := {name for name in names if names.count(name) > 1}:
            raise self.fail(f"two rules are named {sorted(twice)[0]!r}")
        return RuleFile(
            file=self.name,
            entity=self._string(data, "entity"),
            what=self._string(data, "what"),
            sources=self._strings(data, "sources"),
            spread=self._of(self._strings(data, "spread"), SPREADS, "spread"),
            rules=(*rules, *counters),
            cases=self._strings(data, "cases"),
        )

    def forms(
        self, data: Mapping[str, Any], known: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Named regular expressions; each may use those above it as ``{name}``."""
        forms = dict(known or {})
        if not isinstance(data, dict):
            raise self.fail("'forms' is not a mapping of names to expressions")
        for name, form in data.items():
            if not isinstance(form, str) or not re.fullmatch("[a-z_]+", str(name)):
                raise self.fail(f"form {name!r} is not a string named in small letters")
            forms[name] = self._filled(form, forms)
        return forms

    def _rule(self, data: Any, forms: Mapping[str, str], file: Mapping[str, Any]) -> Rule:
        if not isinstance(data, dict) or "name" not in data:
            raise self.fail("a rule without a name")
        where = f"rule {data['name']!r}"
        self._keys(data, _RULE_KEYS, where)
        source = data if "check" in data else file
        checks = self._of(self._strings(source, "check"), CHECKS, "check")
        score = data.get("score", 0.97)
        if not isinstance(score, int | float) or not 0 <= score <= 1:
            raise self.fail(f"{where}: score is not in 0..1")
        rule = Rule(
            name=str(data["name"]),
            cues=self._cues(data, where),
            values=tuple(
                self._regex(value, forms, is_value=True) for value in self._strings(data, "values")
            ),
            terms=self._terms(data),
            hints=self._strings(data, "hints"),
            where=self._of(self._strings(data, "where"), WHERE, "place") or ("after", "below"),
            fill=self._strings(data, "fill"),
            reach=self._positive(data, "reach", 80),
            many=self._flag(data, "many"),
            take_cue=self._flag(data, "take_cue"),
            check=checks[0] if checks else None,
            score=float(score),
            needs=self._sides(data, "needs", forms, where),
            unless=self._sides(data, "unless", forms, where),
        )
        if file and not rule.values and not rule.terms:
            raise self.fail(f"{where} has neither values nor terms")
        return rule

    def _cues(self, data: Mapping[str, Any], where: str) -> tuple[str, ...]:
        cues: list[str] = []
        for cue in self._strings(data, "cues"):
            try:
                cues += expand(cue)
            except ValueError as error:
                raise self.fail(f"{where}: cue {cue!r}: {error}") from None
            if not any(char.isalnum() for char in cue):
                raise self.fail(f"{where}: cue {cue!r} has no word")
        return tuple(dict.fromkeys(cues))

    def _terms(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        terms: list[str] = []
        for term in self._strings(data, "terms"):
            terms += self.pack.terms(term[1:], self.name) if term.startswith("@") else [term]
        return tuple(dict.fromkeys(terms))

    def _sides(
        self, data: Mapping[str, Any], key: str, forms: Mapping[str, str], where: str
    ) -> dict[str, tuple[str, ...]]:
        sides = data.get(key) or {}
        self._keys(sides, _SIDES, f"{where}: {key}")
        return {
            side: tuple(self._regex(one, forms) for one in self._strings(sides, side))
            for side in sides
        }

    def _regex(self, value: str, forms: Mapping[str, str], is_value: bool = False) -> str:
        """The whole regular expression that *value* stands for, known to be one."""
        filled = self._filled(value, forms)
        if not self.pack.tested:
            try:
                # As the engine will, but for the lists, whose terms are escaped.
                empty = re.match(f"(?P<_>{_MACRO.sub('x', filled)})\\Z", "")
            except re.error as error:
                raise self.fail(f"bad regular expression {value!r}: {error.msg}") from None
            if empty and is_value:
                raise self.fail(f"regular expression {value!r} holds for an empty value")
        return _MACRO.sub(lambda list_: self._list_of(list_[1]), filled)

    def _filled(self, form: str, forms: Mapping[str, str]) -> str:
        """*form* with the forms it names filled in; its ``{list_NAME}`` stay."""

        def macro(match: re.Match[str]) -> str:
            if match[1].startswith("list_"):
                return match[0]
            if match[1] not in forms:
                raise self.fail(f"no form {match[1]!r}; there are {sorted(forms)}")
            return f"(?:{forms[match[1]]})"

        return _MACRO.sub(macro, form)

    def _list_of(self, name: str) -> str:
        return alternation(self.pack.terms(name.removeprefix("list_"), self.name))

    def _keys(self, data: Any, allowed: set[str], where: str) -> None:
        if not isinstance(data, dict):
            raise self.fail(f"{where} is not a mapping")
        if unknown := sorted(set(map(str, data)) - allowed):
            raise self.fail(f"{where}: unknown key {unknown[0]!r}; there are {sorted(allowed)}")

    def _list(self, data: Mapping[str, Any], key: str) -> list[Any]:
        value = data.get(key) or []
        if not isinstance(value, list):
            raise self.fail(f"{key!r} is not a list")
        return value

    def _strings(self, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = data.get(key)
        value = [value] if isinstance(value, str) else self._list(data, key)
        if not all(isinstance(one, str) for one in value):
            raise self.fail(f"{key!r} holds something that is not a string; quote it")
        return tuple(value)

    def _string(self, data: Mapping[str, Any], key: str) -> str:
        if not isinstance(data.get(key), str):
            raise self.fail(f"{key!r} is not a string; quote it")
        return str(data[key])

    def _positive(self, data: Mapping[str, Any], key: str, default: int) -> int:
        value = data.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fail(f"{key!r} is not a positive whole number")
        return value

    def _flag(self, data: Mapping[str, Any], key: str) -> bool:
        value = data.get(key, False)
        if not isinstance(value, bool):
            raise self.fail(f"{key!r} is neither true nor false")
        return value

    def _of(self, names: tuple[str, ...], known: Any, what: str) -> tuple[str, ...]:
        if unknown := sorted(set(names) - set(known)):
            raise self.fail(f"no {what} {unknown[0]!r}; there are {sorted(known)}")
        return names
