"""Policies give each entity an operator, as data."""

import re
from pathlib import Path

import pytest

from presidio_cdip.errors import PolicyError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.policies import (
    PRESIDIO_ENTITIES,
    parse_changes,
    policy_names,
    read_policy,
)

SHIPPED = policy_names(Pack.shipped())
DOCUMENTED = Path(__file__).parents[2] / "docs" / "surrogates.md"


@pytest.mark.checkout
def test_every_shipped_policy_is_documented() -> None:
    """Each has a row in docs/surrogates.md, and no row is of a policy that is not shipped."""
    rows = re.findall(r"^\| `(\w+)` \|", DOCUMENTED.read_text("utf-8").split("\n\n")[2], re.M)

    assert {"redact", "surrogate"} < set(SHIPPED)
    assert sorted(rows) == sorted(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_says_something_of_every_entity(name: str) -> None:
    """Ours, Presidio's six, and whatever else is found."""
    steps = read_policy(name, Pack.shipped()).steps

    assert set(PRESIDIO_ENTITIES) | {"DEFAULT"} <= set(steps)
    assert "keep" not in {step.operator for step in steps.values()}


@pytest.mark.parametrize(
    ("default", "becomes"),
    [
        ("{operator: surrogate}", ("replace", {"new_value": "[MASK]"})),
        ("{operator: keep}", ("replace", {"new_value": "[MASK]"})),
        ("{operator: redact}", ("redact", {})),
        ("{operator: surrogate}\nGIVEAWAY: {operator: keep}", ("keep", {})),
    ],
)
def test_giveaways_become_mask_unless_the_policy_says_what(
    tmp_path: Path, default: str, becomes: tuple[str, dict[str, str]]
) -> None:
    """A surrogate of a word would tell as much; other defaults, and steps of their own, hold."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"what: Mine.\nDEFAULT: {default}\n")

    steps = read_policy(str(file), Pack.shipped()).steps

    step = steps.get("GIVEAWAY", steps["DEFAULT"])
    assert (step.operator, step.params) == becomes


def test_what_a_giveaway_becomes_can_be_changed() -> None:
    """`--set GIVEAWAY.new_value=…` changes one parameter, as for an entity."""
    steps = read_policy("surrogate", Pack.shipped(), {"GIVEAWAY": {"new_value": "…"}}).steps

    assert steps["GIVEAWAY"].params == {"new_value": "…"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "DATE_OF_BRITH: {operator: redact}",
            "no entity 'DATE_OF_BRITH'; did you mean DATE_OF_BIRTH?",
        ),
        ("AGE: {operator: surogate}", "AGE: no operator 'surogate'; there are surrogate"),
        ("AGE: {operator: surrogate, ssn: real}", "AGE: ssn must be one of unissued, plausible"),
        ("AGE: {operator: surrogate, colour: red}", "AGE: surrogate has no parameter 'colour'"),
        (
            "AGE: {operator: generalize, width: ten}",
            "AGE: width must be a whole number of 1 or more",
        ),
        ("AGE: {operator: generalize, width: 0}", "AGE: width must be a whole number of 1 or more"),
        (
            "AGE: {operator: generalize, width: true}",
            "AGE: width must be a whole number of 1 or more",
        ),
        (
            "AGE: {operator: surrogate, locale: xx_YY}",
            "AGE: locale must be a locale that Faker knows",
        ),
        ("AGE: {operator: mask}", "AGE: mask needs masking_char, chars_to_mask, from_end"),
        ("AGE: redact", "AGE is not a mapping"),
        ("AGE: {operator: [", "mine.yaml: is not YAML in UTF-8 at line"),
    ],
)
def test_a_mistake_names_the_policy_and_the_entity(tmp_path: Path, text: str, said: str) -> None:
    """The message says what to change."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"what: Mine.\n{text}\nDEFAULT: {{operator: redact}}\n")

    with pytest.raises(PolicyError) as raised:
        read_policy(str(file), Pack.shipped())
    assert str(raised.value).startswith("policy mine: ")
    assert said in str(raised.value)


def test_a_policy_must_say_what_becomes_of_the_rest(tmp_path: Path) -> None:
    """Without a DEFAULT, values would stay unchanged although nobody decided it."""
    file = tmp_path / "mine.yaml"
    file.write_text("what: Mine.\nAGE: {operator: redact}\n")

    with pytest.raises(PolicyError, match="has no DEFAULT"):
        read_policy(str(file), Pack.shipped())


def test_an_unknown_policy_lists_the_known() -> None:
    """The error lists the names of all policies."""
    with pytest.raises(PolicyError, match=r"policy surogate: there is no .* surrogate"):
        read_policy("surogate", Pack.shipped())


def test_a_packs_policy_comes_first(tmp_path: Path) -> None:
    """A deployment's own `redact` is not ours."""
    (tmp_path / "operators").mkdir()
    (tmp_path / "operators" / "redact.yaml").write_text(
        "what: Ours.\nDEFAULT: {operator: replace, new_value: '[gone]'}\n"
    )

    steps = read_policy("redact", Pack.open(tmp_path)).steps

    assert dict(steps["DEFAULT"].params) == {"new_value": "[gone]"}
    assert set(policy_names(Pack.open(tmp_path))) == set(SHIPPED)


def write_policy(folder: Path, name: str, text: str) -> Pack:
    (folder / "operators").mkdir(exist_ok=True)
    (folder / "operators" / f"{name}.yaml").write_text(text)
    return Pack.open(folder)


def test_a_policy_that_extends_another_says_only_what_differs(tmp_path: Path) -> None:
    """One parameter changes a step, an operator replaces it, and the rest stays as it was."""
    pack = write_policy(
        tmp_path,
        "ours",
        "extends: surrogate\nAGE: {age: drawn}\nHEALTH: {operator: redact}\n",
    )

    ours, shipped = read_policy("ours", pack), read_policy("surrogate", Pack.shipped())

    assert dict(ours.steps["AGE"].params) == {"age": "drawn", "answers": "kept"}
    assert ours.steps["HEALTH"].operator == "redact"
    changed = {"AGE", "HEALTH"}
    assert {one: step for one, step in ours.steps.items() if one not in changed} == {
        one: step for one, step in shipped.steps.items() if one not in changed
    }
    assert ours.what == shipped.what


def test_a_policy_may_extend_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    """A deployment that changes one parameter keeps the name that its users know."""
    pack = write_policy(tmp_path, "surrogate", "extends: surrogate\nUS_SSN: {ssn: plausible}\n")

    assert dict(read_policy("surrogate", pack).steps["US_SSN"].params) == {"ssn": "plausible"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extends: ours\n", "extends itself, and the shipped pack has no policy"),
        ("extends: surrogat\n", "policy ours: extends .surrogat., which is no policy; there are"),
        ("extends: [surrogate]\n", "not the name of another policy"),
        ("extends: surrogate\nAGE: {colour: red}\n", "AGE: surrogate has no parameter 'colour'"),
        ("extends: surrogate\nAGED: {operator: redact}\n", "no entity 'AGED'; did you mean AGE"),
    ],
)
def test_a_mistake_in_an_extending_policy_is_reported(tmp_path: Path, text: str, said: str) -> None:
    """A policy that extends another is checked like any other."""
    pack = write_policy(tmp_path, "ours", text)

    with pytest.raises(PolicyError, match=said):
        read_policy("ours", pack)


def test_policies_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    """A cycle raises an error."""
    write_policy(tmp_path, "a", "extends: b\n")
    pack = write_policy(tmp_path, "b", "extends: a\n")

    with pytest.raises(PolicyError, match="goes in a circle"):
        read_policy("a", pack)


def test_single_parameters_change_a_policy() -> None:
    """Parameters from a command line override the policy, with the same checks as in a file."""
    changes = parse_changes(["AGE.age=drawn", "health.operator=redact", "URLS.operator=keep"])

    with pytest.raises(PolicyError, match="no entity 'URLS'"):
        read_policy("surrogate", Pack.shipped(), changes=changes)
    del changes["URLS"]
    steps = read_policy("surrogate", Pack.shipped(), changes=changes).steps

    assert dict(steps["AGE"].params) == {"age": "drawn", "answers": "kept"}
    assert steps["HEALTH"].operator == "redact"


@pytest.mark.parametrize("said", ["AGE", "AGE=drawn", "AGE.age", "../AGE.age=drawn", ".age=x"])
def test_a_change_that_is_not_written_so_is_refused(said: str) -> None:
    """The error shows the format."""
    with pytest.raises(PolicyError, match=r"is not ENTITY\.PARAMETER=VALUE"):
        parse_changes([said])


@pytest.mark.parametrize("name", ["a" * 5000, "../surrogate", "", "sur\0rogate"])
def test_a_name_that_can_be_no_file_is_no_policy(name: str) -> None:
    """A request that names a policy reads no file of its choice, and breaks nothing."""
    with pytest.raises(PolicyError, match="there is no such policy"):
        read_policy(name, Pack.shipped())
