"""Put our operators and policies into presidio-anonymizer's engines.

``surrogate`` writes a realistic value in the form of the original, ``generalize`` a less precise
one. Their parameters are plain JSON, so Presidio's REST service takes them as it takes its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from presidio_anonymizer import AnonymizerEngine, BatchAnonymizerEngine
from presidio_anonymizer.entities import (
    EngineResult,
    InvalidParamError,
    OperatorConfig,
    OperatorResult,
)
from presidio_anonymizer.operators import (
    Operator,
    OperatorsFactory,
    OperatorType,
    operators_factory,
)

from presidio_cdip import steps
from presidio_cdip.errors import CdipError, KeyUnusable, PolicyError, ValueRefused
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import ADDED, MISSING, entity_of, policy_of
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.keys import Key
from presidio_cdip.surrogates.policies import Step, check_params, check_scope
from presidio_cdip.surrogates.scopes import ScopeFrom
from presidio_cdip.surrogates.vault import Vault

_LONGEST_NAME = 100  # characters of an entity's or a policy's name in a request


class Found(Protocol):
    """A finding: a result of presidio-analyzer or the anonymizer, or your own class."""

    @property
    def entity_type(self) -> str:
        """Return the entity."""

    @property
    def start(self) -> int:
        """Return the offset of the first character, in code points."""

    @property
    def end(self) -> int:
        """Return the offset after the last character."""

    @property
    def score(self) -> float:
        """Return the score, in [0, 1]."""


class PolicyRefused(PolicyError, InvalidParamError):
    """A `PolicyError` that Presidio's REST service answers with 422 and its message."""

    def __init__(self, policy: str, problem: str) -> None:
        PolicyError.__init__(self, policy, problem)
        self.err_msg = str(self)


class SurrogateRefused(ValueRefused, InvalidParamError):
    """A `ValueRefused` that Presidio's REST service answers with 422 and its message."""

    def __init__(self, policy: str, entity: str, problem: str) -> None:
        ValueRefused.__init__(self, policy, entity, problem)
        self.err_msg = str(self)


class _CdipOperator(Operator):
    """Check parameters as those of a policy are checked."""

    def operator_type(self) -> OperatorType:
        """Return that the operator anonymizes."""
        return OperatorType.Anonymize

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Check the parameters, as JSON has them.

        Raises:
            PolicyRefused: A parameter is unknown or its value invalid, the scope is empty, the key
                cannot be used, or a name is too long.
        """
        params = params or {}
        _check_names(params)
        step = {name: value for name, value in params.items() if name not in ADDED}
        try:
            check_params(policy_of(params), entity_of(params), self.operator_name(), step)
            check_scope(policy_of(params), params.get("scope", "corpus"))
            if not isinstance(params.get("pack"), Pack | None):  # a request names no files
                problem = "a pack is named by `policy` or PRESIDIO_CDIP_PACK, not by a request"
                raise PolicyError(policy_of(params), problem)
            if not isinstance(params.get("context"), Context | None):
                raise PolicyError(policy_of(params), "a request names no context")
            if params.get("key") is not None:
                Key.of(params["key"])
        except PolicyError as error:
            raise PolicyRefused(error.policy, error.problem) from None
        except KeyUnusable as error:
            raise PolicyRefused(policy_of(params), str(error)) from None


class CdipSurrogate(_CdipOperator):
    """Replace a value by a realistic one of the same form.

    Parameters: ``key`` (at least 16 bytes; else that of the file which ``PRESIDIO_CDIP_KEY_FILE``
    names, else a random one of this process), ``scope`` (default ``"corpus"``), and those of a
    policy's step, as ``operators/README.md`` has them. A pack's lists are used where `policy` or
    ``PRESIDIO_CDIP_PACK`` names the pack.
    """

    def operator_name(self) -> str:
        """Return the name of the operator in requests and policies."""
        return "surrogate"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Return the surrogate of *text*.

        Raises:
            SurrogateRefused: No surrogate is made for this value.
        """
        if str(text) in MISSING:
            return text
        try:
            return steps.surrogate(str(text), params or {})
        except ValueRefused as error:
            raise SurrogateRefused(error.policy, error.entity, error.problem) from None


class CdipGeneralize(_CdipOperator):
    """Replace a date by its year, an age by its band, a place by its state, all else by its label.

    Parameters: ``width`` of an age's band in years, ``top_code`` for the years of birth of persons
    who are 90 or older.
    """

    def operator_name(self) -> str:
        """Return the name of the operator in requests and policies."""
        return "generalize"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Return *text* made less precise."""
        return steps.generalize(str(text), params or {})


OPERATOR_CLASSES: tuple[type[Operator], ...] = (CdipSurrogate, CdipGeneralize)


def _check_names(params: dict[str, Any]) -> None:
    """Check that no name is too long to look a file up by; the message does not repeat it."""
    for what, name in (("policy", policy_of(params)), ("entity", entity_of(params))):
        if len(name) > _LONGEST_NAME:
            problem = f"the {what}'s name has {len(name)} characters; {_LONGEST_NAME} at most"
            raise PolicyRefused("of this request", problem)


def add_operators(
    target: AnonymizerEngine | BatchAnonymizerEngine | None = None,
) -> None:
    """Make ``surrogate`` and ``generalize`` known to an engine, or to all that are made later.

    Args:
        target: The engine. With None, every engine that is made from now on in this process has
            them: presidio-structured's, which makes its own, needs that.
    """
    if target is None:
        known = operators_factory.ANONYMIZERS
        known += [one for one in OPERATOR_CLASSES if one not in known]
        return
    engine = target.anonymizer_engine if isinstance(target, BatchAnonymizerEngine) else target
    for one in OPERATOR_CLASSES:
        engine.add_anonymizer(one)


def policy(
    name: str = "surrogate",
    key: bytes | str | None = None,
    scope: str | None = None,
    locale: str | None = None,
    pack: Pack | PathLike | None = None,
    **changes: Mapping[str, Any],
) -> dict[str, OperatorConfig]:
    """Return the operators of a policy, as `AnonymizerEngine.anonymize` takes them.

    Args:
        name: A policy of ``operators/``, e.g. ``"surrogate"``; or a YAML file's path.
        key: At least 16 bytes; without one, that of the file which ``PRESIDIO_CDIP_KEY_FILE``
            names, else a random one of this process.
        scope: The name of the document or corpus within which a value keeps its surrogate. If
            None, each text is a scope of its own in `presidio_cdip.anonymize`; Presidio's own
            engines hand over values without their text, and there the scope is ``"corpus"``.
        locale: Replaces the policy's, as Faker writes it: ``"en_GB"``.
        pack: As `Pack.open` takes it.
        **changes: Parameters over those of the policy, by entity: ``AGE={"age": "drawn"}``.

    Raises:
        PolicyError: There is no such policy, it or *changes* names an unknown entity or operator,
            or an invalid parameter value, or *scope* is empty.
        KeyUnusable: The key is too short or too uniform.
    """
    made = steps.steps(name, key, scope, locale, pack, changes)
    return {
        entity: OperatorConfig(step.operator, dict(step.params)) for entity, step in made.items()
    }


def in_scope(operators: Mapping[str, OperatorConfig], scope: str) -> dict[str, OperatorConfig]:
    """Return the operators of a policy for another scope, such as that of a row's subject.

    Raises:
        PolicyError: *scope* is empty.
    """
    made = {entity: Step(one.operator_name, one.params) for entity, one in operators.items()}
    return {
        entity: OperatorConfig(step.operator, dict(step.params))
        for entity, step in steps.in_scope(made, scope).items()
    }


def anonymize(
    text: str,
    results: Sequence[Found],
    operators: dict[str, OperatorConfig],
    vault: Vault | None = None,
    document: str = "",
    pack: Pack | PathLike | None = None,
    scope_from: ScopeFrom | None = None,
) -> EngineResult:
    """Replace each finding in *text*, in time linear in both.

    Differs from `AnonymizerEngine.anonymize` in two ways: of two overlapping findings the specific
    one stays and the other keeps the rest, and neighbours are not joined.

    Args:
        text: The text that was analyzed.
        results: The findings in it.
        operators: Operators by entity, and under ``"DEFAULT"``.
        vault: Where to keep the originals, if given; they are written before this returns.
        document: The name of the text in the vault.
        pack: A pack or a folder, as for `Pack.open`, whose entities are specific [default: that of
            *operators*].
        scope_from: Finds the scope of the text: a regular expression with one group, or a function
            of the text. Where it finds none, the text is a scope of its own.

    Returns:
        The text, and its items from the last to the first, as Presidio gives them.

    Raises:
        ValueRefused: A finding lies outside the text, or no surrogate is made for a value.
        PolicyError: *operators* has nothing for a finding.
        VaultError: The vault cannot be written.
    """
    spans = [Span(one.start, one.end, one.entity_type, one.score, rule="") for one in results]
    made = {entity: Step(one.operator_name, one.params) for entity, one in operators.items()}
    written = steps.anonymize(text, spans, made, vault, document, pack, carrier(), scope_from)
    items = [
        OperatorResult(item.start, item.end, item.span.entity, item.text, item.operator)
        for item in reversed(written.items)
    ]
    return EngineResult(written.text, items)


def carrier() -> steps.CarryOut:
    """Return a function that carries out a step on a value by Presidio's operators and ours."""
    factory = OperatorsFactory()
    for one in OPERATOR_CLASSES:
        factory.add_anonymize_operator(one)

    def carry_out(step: Step, value: str, span: Span, context: Context) -> str:
        operator = factory.create_operator_class(step.operator, OperatorType.Anonymize)
        params = {**step.params, "entity_type": span.entity, "context": context}
        try:
            operator.validate(params)
            return str(operator.operate(value, params))
        except CdipError:
            raise
        except InvalidParamError as error:  # of Presidio's own operators
            raise PolicyError(policy_of(params), f"{span.entity}: {error.err_msg}") from None

    return carry_out
