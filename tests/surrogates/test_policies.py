"""Policies: what each entity's values become, as data."""

from pathlib import Path

import pytest

from presidio_cdip.entities import ENTITIES
from presidio_cdip.errors import PolicyError
from presidio_cdip.surrogates.policies import PRESIDIO_ENTITIES, policy_names, read_policy

SHIPPED = ("generalize", "label", "mask", "redact", "safe_harbor", "surrogate")


def test_all_policies_are_shipped() -> None:
    """There are six."""
    assert policy_names() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_says_something_of_every_entity(name: str) -> None:
    """Ours, Presidio's six, and whatever else is found."""
    steps = read_policy(name).steps

    assert set(ENTITIES) | set(PRESIDIO_ENTITIES) | {"DEFAULT"} <= set(steps)
    assert "keep" not in {step.operator for step in steps.values()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "DATE_OF_BRITH: {operator: redact}",
            "no entity 'DATE_OF_BRITH'; did you mean DATE_OF_BIRTH?",
        ),
        ("AGE: {operator: surogate}", "AGE: no operator 'surogate'; there are surrogate"),
        ("AGE: {operator: surrogate, ssn: real}", "AGE: ssn is not unissued or plausible"),
        ("AGE: {operator: surrogate, colour: red}", "AGE: surrogate has no parameter 'colour'"),
        ("AGE: {operator: generalize, width: ten}", "AGE: width is not int"),
        ("AGE: {operator: generalize, width: 0}", "AGE: width is not int"),
        ("AGE: {operator: generalize, width: true}", "AGE: width is not int"),
        ("AGE: {operator: surrogate, locale: xx_YY}", "AGE: locale is not known"),
        ("AGE: {operator: mask}", "AGE: mask needs masking_char, chars_to_mask, from_end"),
        ("AGE: redact", "AGE is not a mapping"),
        ("AGE: {operator: [", "mine.yaml: is not YAML in UTF-8 at line"),
    ],
)
def test_a_mistake_names_the_policy_and_the_entity(tmp_path: Path, text: str, said: str) -> None:
    """Whoever wrote the policy reads what to change."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"what: Mine.\n{text}\nDEFAULT: {{operator: redact}}\n")

    with pytest.raises(PolicyError) as raised:
        read_policy(str(file))
    assert str(raised.value).startswith("policy mine: ")
    assert said in str(raised.value)


def test_a_policy_must_say_what_becomes_of_the_rest(tmp_path: Path) -> None:
    """Without a DEFAULT something would be left in place by nobody's decision."""
    file = tmp_path / "mine.yaml"
    file.write_text("what: Mine.\nAGE: {operator: redact}\n")

    with pytest.raises(PolicyError, match="has no DEFAULT"):
        read_policy(str(file))


def test_an_unknown_policy_is_told_the_known() -> None:
    """The names there are stand in the error."""
    with pytest.raises(PolicyError, match=r"policy surogate: there is none; .* surrogate"):
        read_policy("surogate")


def test_a_packs_policy_comes_first(tmp_path: Path) -> None:
    """A deployment's own `redact` is not ours."""
    (tmp_path / "operators").mkdir()
    (tmp_path / "operators" / "redact.yaml").write_text(
        "what: Ours.\nDEFAULT: {operator: replace, new_value: '[gone]'}\n"
    )

    steps = read_policy("redact", str(tmp_path)).steps

    assert dict(steps["DEFAULT"].params) == {"new_value": "[gone]"}
    assert set(policy_names(str(tmp_path))) == set(SHIPPED)
