"""Read and check the rule files, ``recognizers/*.yaml``."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import sha256
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.entities import ART_9, ART_10, CDIP, Entity
from presidio_cdip.pack.expressions import FORM, LIST, Forms, expand
from presidio_cdip.pack.language import check_language
from presidio_cdip.pack.pack import Pack, load

FOLDER = "recognizers"
LISTS = f"{FOLDER}/gazetteers"
GATE = "gate.json"  # in FOLDER; written by tools/gate.py

WHERE = ("after", "below", "before", "ahead", "ticked", "column", "half")
OF_FORMS = frozenset({"ticked", "column", "half"})  # places that a form's print makes

_FILE_KEYS = {
    "entity", "meaning", "source", "group", "language", "what", "references", "propagate", "check",
    "forms", "rules", "counter", "cases",
}  # fmt: skip
_RULE_KEYS = {
    "name", "cues", "values", "terms", "where", "fill", "reach", "many", "take_cue",
    "check", "score", "needs", "unless", "unheaded",
}  # fmt: skip
_SIDES = {"before", "after", "line", "document", "headings"}
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_ORDER = (CDIP, ART_9, ART_10)  # the order of entities in lists; names are last


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to recognize an entity.

    With cues, a value is searched for in reach of each cue. Without cues, the values and terms are
    searched for in the whole text.

    Attributes:
        name: Unique within its file.
        cues: The words that announce a value, OCR noise tolerated; expanded from the file's
            ``(a|b|)``.
        values: Regular expressions of the value, in order of preference; they use the file's forms.
        terms: Terms that are values, OCR noise tolerated; gazetteers included.
        where: One of `WHERE`: on the cue's line after it, in the cell below, on its line before it,
            or anywhere ahead in the paragraph; an option that is ticked, of a question with the
            cue; or a column whose heading is the cue.
        fill: Words that may stand between a cue and its value.
        reach: How many characters ahead a value may start (if `where` has ``"ahead"``).
        many: Whether a list of values may follow, with a span for each.
        take_cue: Whether the cue belongs to the span ("two sons").
        check: A name in `presidio_cdip.recognition.checks.CHECKS`, or None.
        score: In [0, 1].
        needs: Regular expressions, one of which must hold ``before`` the value, ``after`` it, in
            its ``line`` or anywhere in the ``document``. Of a rule for columns, one must also hold
            in the table's ``headings``, whose letters and digits stand between ``|``.
        unless: Expressions for the same places; none may hold.
        unheaded: For some of the headings of a rule for columns, an expression; where all cells of
            a column are such, the heading may be left out.
        counter: Whether it is a negative rule: its values are not the entity.
    """

    name: str
    cues: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    where: tuple[str, ...] = ("after", "below")
    fill: tuple[str, ...] = ()
    reach: int = 80
    many: bool = False
    take_cue: bool = False
    check: str | None = None
    score: float = 0.97
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unheaded: Mapping[str, str] = field(default_factory=dict)
    counter: bool = False


Grams = Mapping[str, Sequence[frozenset[str] | None]]


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The content of one file of ``recognizers/``.

    Attributes:
        file: The file's name.
        entity: The name of the entity that its rules find.
        declared: The entity, if this file declares its meaning.
        what: A sentence about the values that are found.
        references: The sources of the rules.
        propagate: How a value found once is found again in its document: keys of
            `presidio_cdip.recognition.consistency.PROPAGATIONS`; empty if it is not searched for.
        rules: The rules, with the negative ones last.
        forms: The named expressions that its rules use.
        grams: For a rule without cues, by its name, and for each of its values: n-grams of which
            every match has one, or None (`presidio_cdip.recognition.gate`).
        cases: Texts with the spans to be found in ⟦ ⟧; no mark means that nothing is to be found.
    """

    file: str
    entity: str
    declared: Entity | None
    what: str
    references: tuple[str, ...]
    propagate: tuple[str, ...]
    rules: tuple[Rule, ...]
    forms: Forms = field(repr=False, compare=False)
    grams: Grams = field(repr=False, compare=False)
    cases: tuple[str, ...]


@lru_cache(maxsize=64)
def rule_files(pack: Pack) -> tuple[RuleFile, ...]:
    """Read every rule file of *pack*, by name.

    Raises:
        PackError: A file is not YAML, has an unknown key, list, form or language, or a broken
            regular expression; its entity is declared nowhere or twice; or there is no file.
    """
    found, gate = [], _gate(pack)
    for name, (item, data) in _loaded(pack).items():
        code = check_language(data, pack.overlay, name).code
        shared = Forms(shared_forms(pack, code), partial(pack.terms, LISTS))
        file = _Reader(pack, name, shared, pack.is_own(item)).file(data)
        found.append(replace(file, grams=_grams(gate.get(name), file)))
    if not found:
        raise PackError(f"{FOLDER}/", "holds no .yaml file; add one for each entity")
    return tuple(found)


def digest(file: RuleFile) -> str:
    """Return a digest of the rules without cues, and of the forms and lists that they use."""
    values = [[rule.name, *rule.values] for rule in file.rules if not rule.cues]
    used = json.dumps([values, dict(file.forms.texts)])
    lists = sorted({match[1] for match in FORM.finditer(used) if match[1].startswith(LIST)})
    terms = (term for name in lists for term in file.forms.terms(name.removeprefix(LIST)))
    content = "\n".join((used, *lists, *terms))
    return sha256(content.encode()).hexdigest()[:16]


def _gate(pack: Pack) -> Mapping[str, Any]:
    """Return the content of the file that tools/gate.py writes."""
    item = pack.file(f"{FOLDER}/{GATE}")
    try:
        content = json.loads(item.read_bytes()) if item else {}
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise PackError(GATE, "is damaged; tools/gate.py writes it")
    return content


def _grams(entry: Any, file: RuleFile) -> Grams:
    """Return the n-grams in *entry*, if they were derived from the rules of *file* as they are."""
    try:
        if not entry or entry["digest"] != digest(file):
            return {}
        return {
            name: tuple(frozenset(one) if one else None for one in each)
            for name, each in entry.get("grams", {}).items()
        }
    except (KeyError, TypeError, AttributeError):
        raise PackError(GATE, "is damaged; tools/gate.py writes it") from None


@lru_cache(maxsize=64)
def entities(pack: Pack) -> Mapping[str, Entity]:
    """Return the entities that the rule files of *pack* declare, by name.

    Raises:
        PackError: A file does not say what its entity is, or two say it.
    """
    found: dict[str, Entity] = {}
    for name, (_, data) in _loaded(pack).items():
        entity = _Reader(pack, name).declared(data)
        if entity and entity.name in found:
            raise PackError(name, f"{entity.name} has a `meaning` in another file, too")
        if entity:
            found[entity.name] = entity
    for name, (_, data) in _loaded(pack).items():
        if data["entity"] not in found:
            problem = f"does not say what {data['entity']} means; add `meaning` and `source`"
            raise PackError(name, problem)
    return MappingProxyType({one.name: one for one in sorted(found.values(), key=_rank)})


def _rank(entity: Entity) -> tuple[bool, int, str]:
    ranks = [_ORDER.index(source) for source in entity.sources if source in _ORDER]
    return entity.on_request, min(ranks, default=len(_ORDER)), entity.name


@lru_cache(maxsize=64)
def _loaded(pack: Pack) -> Mapping[str, tuple[Traversable, Mapping[str, Any]]]:
    """Return the parsed rule files, by name; each names its entity."""
    found = {name: (item, load(item)) for name, item in pack.files(FOLDER, ".yaml").items()}
    for name, (_, data) in found.items():
        reader = _Reader(pack, name)
        reader.known_keys(data, _FILE_KEYS, "the file")
        for key in ("entity", "what"):
            if key not in data:
                raise reader.fail(f"no key {key!r}")
        check_language(data, pack.overlay, name)
        if not _NAME.fullmatch(reader.string(data, "entity")):
            raise reader.fail("'entity' is not a name in capitals, digits and _, 64 at most")
    return found


@lru_cache(maxsize=64)
def shared_forms(pack: Pack, language: str = "en") -> Mapping[str, str]:
    """Return the language's forms and the forms in ``recognizers/shared/*.yaml``.

    Raises:
        PackError: A file cannot be read, or a form stands in two files.
    """
    forms: dict[str, str] = {}
    if pack.base:
        forms |= check_language({"language": language}, pack.overlay, "shared/").forms
    for name, item in pack.files(f"{FOLDER}/shared", ".yaml").items():
        reader = _Reader(pack, f"shared/{name}", Forms(forms))
        own = load(item)
        if twice := sorted(set(map(str, own)) & set(forms)):
            raise reader.fail(f"form {twice[0]!r} stands in another file of shared/, too")
        forms = dict(reader.forms(own).texts)
    return MappingProxyType(forms)


@lru_cache(maxsize=64)
def signs(pack: Pack, name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of regular expressions in ``recognizers/signs/NAME.yaml``.

    Raises:
        PackError: There is no such file, or it is not lists of expressions.
    """
    file = f"signs/{name}.yaml"
    item = pack.file(f"{FOLDER}/{file}")
    if item is None:
        raise PackError(file, "is missing")
    data = load(item)
    if not all(
        isinstance(listed, list) and all(isinstance(one, str) for one in listed)
        for listed in data.values()
    ):
        raise PackError(file, "is not lists of regular expressions")
    return {str(key): tuple(listed) for key, listed in data.items()}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read one file; every error names it."""

    pack: Pack
    name: str
    shared: Forms = field(default_factory=Forms)
    verify: bool = False
    """Whether to compile its expressions: those of the shipped files are proved by our tests."""

    def fail(self, problem: str) -> PackError:
        return PackError(self.name, problem)

    def file(self, data: Mapping[str, Any]) -> RuleFile:
        forms = self.forms(data.get("forms") or {})
        rules = [self._rule(rule, forms, data) for rule in self._list(data, "rules")]
        of_text = (rule for rule in rules if not OF_FORMS.intersection(rule.where))
        values = tuple(dict.fromkeys(value for rule in of_text for value in rule.values))
        counters = [
            replace(rule, counter=True, values=rule.values or values)
            for rule in (self._rule(rule, forms, {}) for rule in self._list(data, "counter"))
        ]
        names = [rule.name for rule in (*rules, *counters)]
        if twice := {name for name in names if names.count(name) > 1}:
            raise self.fail(f"two rules are named {sorted(twice)[0]!r}")
        return RuleFile(
            file=self.name,
            entity=self.string(data, "entity"),
            declared=self.declared(data),
            what=self.string(data, "what"),
            references=self._strings(data, "references"),
            propagate=self._strings(data, "propagate"),
            rules=(*rules, *counters),
            forms=forms,
            grams={},
            cases=self._strings(data, "cases"),
        )

    def declared(self, data: Mapping[str, Any]) -> Entity | None:
        """Return the entity, if *data* declares its meaning."""
        if "meaning" not in data:
            return None
        sources = self._strings(data, "source")
        if not sources:
            raise self.fail("no key 'source': who calls the entity sensitive")
        group = self.string(data, "group") if "group" in data else None
        return Entity(self.string(data, "entity"), self.string(data, "meaning"), sources, group)

    def forms(self, data: Mapping[str, Any]) -> Forms:
        """Return the shared forms and those of *data*; each may use the ones above it."""
        if not isinstance(data, dict):
            raise self.fail("'forms' is not a mapping of names to expressions")
        known = set(self.shared.texts)
        for name, form in data.items():
            if not isinstance(form, str) or not re.fullmatch("[a-z_]+", str(name)):
                raise self.fail(f"form {name!r} is not a string named in small letters")
            self._check_forms(form, known)
            known.add(name)
        return self.shared.beside(data)

    def _rule(self, data: Any, forms: Forms, file: Mapping[str, Any]) -> Rule:
        if not isinstance(data, dict) or "name" not in data:
            raise self.fail("a rule without a name")
        where = f"rule {data['name']!r}"
        self.known_keys(data, _RULE_KEYS, where)
        source = data if "check" in data else file
        checks = self._strings(source, "check")
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
            where=self._of(self._strings(data, "where"), WHERE, "place") or ("after", "below"),
            fill=self._strings(data, "fill"),
            reach=self._positive(data, "reach", 80),
            many=self._flag(data, "many"),
            take_cue=self._flag(data, "take_cue"),
            check=checks[0] if checks else None,
            score=float(score),
            needs=self._sides(data, "needs", forms, where),
            unless=self._sides(data, "unless", forms, where),
            unheaded=self._unheaded(data, forms, where),
        )
        if OF_FORMS.intersection(rule.where) and (len(rule.where) > 1 or not rule.cues):
            raise self.fail(
                f"{where}: 'ticked', 'column' and 'half' need cues, and allow no other place"
            )
        if rule.unheaded and "column" not in rule.where:
            raise self.fail(f"{where}: only rules for columns have 'unheaded'")
        if file and not rule.values and not rule.terms and "ticked" not in rule.where:
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
            terms += self._listed(term[1:]) if term.startswith("@") else [term]
        return tuple(dict.fromkeys(terms))

    def _sides(
        self, data: Mapping[str, Any], key: str, forms: Forms, where: str
    ) -> dict[str, tuple[str, ...]]:
        sides = data.get(key) or {}
        self.known_keys(sides, _SIDES, f"{where}: {key}")
        return {
            side: tuple(self._regex(one, forms) for one in self._strings(sides, side))
            for side in sides
        }

    def _unheaded(self, data: Mapping[str, Any], forms: Forms, where: str) -> dict[str, str]:
        told = data.get("unheaded") or {}
        if not isinstance(told, dict) or not all(isinstance(one, str) for one in told.values()):
            raise self.fail(f"{where}: 'unheaded' is not a mapping of headings to expressions")
        return {str(key): self._regex(one, forms, is_value=True) for key, one in told.items()}

    def _regex(self, value: str, forms: Forms, is_value: bool = False) -> str:
        """Return the regular expression *value*, checked if this reader verifies."""
        self._check_forms(value, forms.texts)
        if self.verify:
            try:
                # As in the engine, except for the lists, whose terms are escaped.
                text = Forms(forms.texts, lambda name: ("x",)).expand(value)
                empty = re.match(f"(?P<_>{text})\\Z", "")
            except re.error as error:
                raise self.fail(f"bad regular expression {value!r}: {error.msg}") from None
            if empty and is_value:
                raise self.fail(f"regular expression {value!r} holds for an empty value")
        return value

    def _check_forms(self, expression: str, known: Collection[str]) -> None:
        """Check that *expression* uses only forms that are *known*, and lists that exist."""
        for match in FORM.finditer(expression):
            if match[1].startswith(LIST):
                self._listed(match[1].removeprefix(LIST))
            elif match[1] not in known:
                raise self.fail(f"no form {match[1]!r}; there are {sorted(known)}")

    def _listed(self, name: str) -> tuple[str, ...]:
        terms = self.pack.terms(LISTS, name)
        if not terms:
            raise self.pack.unlisted(LISTS, f"{name}.txt", self.name)
        return terms

    def known_keys(self, data: Any, allowed: set[str], where: str) -> None:
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

    def string(self, data: Mapping[str, Any], key: str) -> str:
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

    def _of(self, names: tuple[str, ...], known: Collection[str], what: str) -> tuple[str, ...]:
        if unknown := sorted(set(names) - set(known)):
            raise self.fail(f"no {what} {unknown[0]!r}; there are {sorted(known)}")
        return names
