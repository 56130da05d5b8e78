"""Our operators in presidio-anonymizer, presidio-structured and their REST service."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from presidio_anonymizer import AnonymizerEngine, BatchAnonymizerEngine, OperatorConfig
from presidio_anonymizer.entities import InvalidParamError, RecognizerResult

import presidio_cdip
from presidio_cdip.entities import ENTITIES
from presidio_cdip.errors import KeyUnusable, PolicyError, ValueRefused
from presidio_cdip.surrogates.policies import PRESIDIO_ENTITIES
from presidio_cdip.surrogates.vault import Vault

KEY = b"0123456789abcdef0123456789abcdef"
TEXT = "DATE OF BIRTH: Nov. 9, 1965   Married, 3 children"
RESULTS = [
    RecognizerResult("DATE_OF_BIRTH", 15, 27, 0.9),
    RecognizerResult("MARITAL_STATUS", 30, 37, 0.9),
    RecognizerResult("MARITAL_STATUS", 39, 49, 0.9),
]


class Finding(NamedTuple):
    """What an analyzer of somebody's own returns; Presidio's results refuse some of these."""

    entity_type: str
    start: int
    end: int
    score: float


def engine() -> AnonymizerEngine:
    made = AnonymizerEngine()
    presidio_cdip.add_operators(made)
    return made


def test_the_example_of_the_documentation() -> None:
    """A date becomes a date written alike, a state another, and so does the number of children."""
    operators = presidio_cdip.policy("surrogate", key=KEY, scope="doc-17")

    text = engine().anonymize(TEXT, RESULTS, operators=operators).text

    head, date, rest = text[:15], text[15:27], text[27:]
    assert head == "DATE OF BIRTH: "
    assert date[3:5] == ". "
    assert ", 19" in date
    assert date != "Nov. 9, 1965"
    assert "Married" not in rest
    assert "3 children" not in rest
    assert rest.endswith("children")


def test_order_and_engine_change_nothing() -> None:
    """Another engine, and the findings in another order, give the same text."""
    operators = presidio_cdip.policy("surrogate", key=KEY, scope="doc-17")

    texts = {
        engine().anonymize(TEXT, results, operators=operators).text
        for results in (RESULTS, RESULTS[::-1], RESULTS[1:] + RESULTS[:1])
    }

    assert len(texts) == 1


@pytest.mark.slow
def test_another_process_gives_the_same() -> None:
    """What a worker elsewhere makes of the text is the same, with nothing shared but the key."""
    operators = presidio_cdip.policy("surrogate", key=KEY, scope="doc-17")
    here = engine().anonymize(TEXT, RESULTS, operators=operators).text
    program = (
        "import presidio_cdip\n"
        "from presidio_anonymizer import AnonymizerEngine\n"
        "from presidio_anonymizer.entities import RecognizerResult as R\n"
        "engine = AnonymizerEngine(); presidio_cdip.add_operators(engine)\n"
        f"found = {[(r.entity_type, r.start, r.end, 0.9) for r in RESULTS]}\n"
        "results = [R(*one) for one in found]\n"
        f"ops = presidio_cdip.policy('surrogate', key={bytes(KEY)!r}, scope='doc-17')\n"
        f"print(engine.anonymize({TEXT!r}, results, operators=ops).text)\n"
    )

    there = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    ).stdout

    assert there.strip("\n") == here


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("surrogate", "safe_harbor")),
        *("redact", "label", "mask", "generalize"),
    ],
)
def test_every_policy_serves_every_entity(name: str) -> None:
    """No value of any entity is left in place, not even one that no form fits."""
    entities = [*ENTITIES, *PRESIDIO_ENTITIES]
    line = "value: qzx 7 unheard-of thing\n"
    results = [
        RecognizerResult(entity, at + 7, at + len(line) - 1, 1.0)
        for entity, at in zip(entities, range(0, len(line) * len(entities), len(line)), strict=True)
    ]
    operators = presidio_cdip.policy(name, key=KEY, scope="doc-17")

    text = engine().anonymize(line * len(entities), results, operators=operators).text

    written = dict(zip(entities, text.splitlines(), strict=True))
    assert {one for one, new in written.items() if not new.startswith("value: ")} == set()
    assert {one for one, new in written.items() if "unheard" in new} == set()


def test_a_batch_keeps_one_surrogate() -> None:
    """`BatchAnonymizerEngine` gives the same original the same surrogate in every text."""
    batch = BatchAnonymizerEngine()
    presidio_cdip.add_operators(batch)
    texts: list[Any] = ["SSN 271-24-0538", "again 271 24 0538"]
    results = [[RecognizerResult("US_SSN", 4, 15, 1.0)], [RecognizerResult("US_SSN", 6, 17, 1.0)]]

    one, other = batch.anonymize_list(
        texts, results, operators=presidio_cdip.policy(key=KEY, scope="corpus")
    )

    assert one[4:].replace("-", "") == other[6:].replace(" ", "")
    assert one[4:] != "271-24-0538"


def test_structured_data_have_surrogates() -> None:
    """presidio-structured, which hands operators no entity, replaces columns and nested keys."""
    pandas = pytest.importorskip("pandas")
    structured = pytest.importorskip("presidio_structured")
    presidio_cdip.add_operators()
    born = ["11/9/65", "3/2/1970", float("nan")]
    frame = pandas.DataFrame({"born": born, "sex": ["M", "F", "F"], "id": [1, 2, 3]})
    analysis = structured.StructuredAnalysis(
        entity_mapping={"born": "DATE_OF_BIRTH", "sex": "GENDER"}
    )

    done = structured.StructuredEngine().anonymize(
        frame.copy(), analysis, operators=presidio_cdip.policy(key=KEY, scope="corpus")
    )

    alone = presidio_cdip.Surrogates(KEY, "corpus")
    dates = [alone.surrogate("DATE_OF_BIRTH", str(one)) for one in born[:2]]
    assert list(done["born"][:2]) == dates
    assert pandas.isna(done["born"][2])  # no date where there was none
    assert list(done["id"]) == [1, 2, 3]
    assert set(done["sex"]) <= {"M", "F"}


def test_parameters_are_json() -> None:
    """A policy without its key passes through JSON and does the same: so REST can send it."""
    operators = presidio_cdip.policy("surrogate", scope="doc-17")
    sent = json.dumps(
        {name: {"type": one.operator_name, **one.params} for name, one in operators.items()}
    )
    received = {
        name: OperatorConfig.from_json(
            {**one, "key": KEY.decode()} if one["type"] == "surrogate" else one
        )
        for name, one in json.loads(sent).items()
    }

    there = engine().anonymize(TEXT, RESULTS, operators=received).text

    here = presidio_cdip.policy("surrogate", key=KEY, scope="doc-17")
    assert there == engine().anonymize(TEXT, RESULTS, operators=here).text


def test_a_key_does_not_show_in_an_operator() -> None:
    """Neither the repr of an operator's configuration nor that of its parameters has the key."""
    operators = presidio_cdip.policy(key=KEY, scope="doc-17")

    assert KEY.decode() not in repr(operators)
    assert KEY.decode() not in repr({name: one.params for name, one in operators.items()})


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"scope": "  "}, "the scope is empty"),
        ({"key": "short"}, "at least 16 bytes"),
        ({"ssn": "real"}, "ssn must be one of unissued, plausible"),
        ({"colour": "red"}, "no parameter 'colour'"),
    ],
)
def test_parameters_that_cannot_be_are_refused_as_presidio_refuses(
    params: dict[str, str], said: str
) -> None:
    """The error is Presidio's, which REST answers with 422, and ours, without the value."""
    operators = {"US_SSN": OperatorConfig("surrogate", params)}

    with pytest.raises(InvalidParamError) as raised:
        engine().anonymize("271-24-0538", [RecognizerResult("US_SSN", 0, 11, 1.0)], operators)
    assert isinstance(raised.value, PolicyError)
    assert said in raised.value.err_msg
    assert "271" not in raised.value.err_msg


@pytest.mark.parametrize(
    ("value", "said"),
    [("9" * 100_000, "100000 characters"), ("271-\x0024-0538", "control characters")],
)
def test_values_that_cannot_be_are_refused_unshown(value: str, said: str) -> None:
    """The error names the policy and the entity, never the value."""
    operators = presidio_cdip.policy(key=KEY, scope="doc-17")

    with pytest.raises(ValueRefused) as raised:
        engine().anonymize(value, [RecognizerResult("US_SSN", 0, len(value), 1.0)], operators)
    assert str(raised.value).startswith("policy surrogate, US_SSN: ")
    assert said in str(raised.value)
    assert "271" not in str(raised.value)
    assert "9999" not in str(raised.value)


def test_an_unknown_entity_gets_other_letters_and_digits() -> None:
    """A recognizer of a deployment needs no form of its own: nothing is left, nothing missing."""
    operators = {"DEFAULT": OperatorConfig("surrogate", {"key": KEY})}

    result = engine().anonymize("badge QX-77", [RecognizerResult("BADGE", 6, 11, 1.0)], operators)

    assert re.fullmatch("badge [A-Z]{2}-[0-9]{2}", result.text)
    assert "QX-77" not in result.text


@pytest.mark.parametrize("scope", ["", "   "])
def test_an_empty_scope_is_refused(scope: str) -> None:
    """Before anything is replaced, with the policy's name."""
    with pytest.raises(PolicyError, match="policy surrogate: the scope is empty"):
        presidio_cdip.policy("surrogate", key=KEY, scope=scope)


def test_a_short_key_is_refused() -> None:
    """With what to do about it."""
    with pytest.raises(KeyUnusable, match="make-key"):
        presidio_cdip.policy("surrogate", key=b"short", scope="doc")


def test_random_draws_differ_each_time() -> None:
    """Under `draw: random` two mentions of one value get two surrogates, key or not."""
    operators = presidio_cdip.policy("safe_harbor", key=KEY, scope="doc-17")
    text = "271-24-0538 271-24-0538 271-24-0538"
    results = [RecognizerResult("US_SSN", at, at + 11, 1.0) for at in (0, 12, 24)]

    done = engine().anonymize(text, results, operators, merge_entities_with_spaces=False)

    assert len({item.text for item in done.items}) == 3


def test_safe_harbor_generalizes_dates_and_places() -> None:
    """A date keeps its year, a place its state, and an age of 90 or more is not told."""
    operators = presidio_cdip.policy("safe_harbor", scope="doc-17")
    text = "Nov. 9, 1965|Louisville, Kentucky|94|2/3/1901"
    labels = ("DATE_OF_BIRTH", "PLACE_OF_BIRTH", "AGE", "DATE_OF_BIRTH")
    results, at = [], 0
    for label, value in zip(labels, text.split("|"), strict=True):
        results.append(RecognizerResult(label, at, at + len(value), 1.0))
        at += len(value) + 1

    year, state, age, old = engine().anonymize(text, results, operators).text.split("|")

    assert (year, state, age) == ("1965", "Kentucky", "90 or older")
    assert old.endswith(" or before")


# --- our own anonymize --------------------------------------------------------------------------


def test_anonymize_does_as_presidio_does() -> None:
    """Where nothing overlaps or touches, text and items are those of Presidio's engine."""
    operators = presidio_cdip.policy(key=KEY, scope="doc-17")

    own = presidio_cdip.anonymize(TEXT, RESULTS, operators)

    theirs = engine().anonymize(TEXT, RESULTS, operators)
    assert own.text == theirs.text
    key = lambda one: (one.start, one.end, one.entity_type, one.text, one.operator)  # noqa: E731
    assert list(map(key, own.items)) == list(map(key, theirs.items))


def test_anonymize_lets_the_specific_finding_hold() -> None:
    """A generic finding around a specific one keeps what is left, and covers it."""
    text = "born Nov. 9, 1965 here"
    results = [
        RecognizerResult("DATE_TIME", 0, 17, 0.99),
        RecognizerResult("DATE_OF_BIRTH", 5, 17, 0.5),
    ]
    operators = {
        "DATE_OF_BIRTH": OperatorConfig("replace", {"new_value": "<B>"}),
        "DEFAULT": OperatorConfig("replace", {"new_value": "<T>"}),
    }

    assert presidio_cdip.anonymize(text, results, operators).text == "<T> <B> here"


@pytest.mark.parametrize(("start", "end"), [(-1, 4), (5, 900), (7, 7), (9, 3)])
def test_a_span_outside_the_text_is_refused(start: int, end: int) -> None:
    """The error names policy, entity and offsets, never the text."""
    operators = presidio_cdip.policy(key=KEY, scope="doc-17")

    with pytest.raises(ValueRefused) as raised:
        presidio_cdip.anonymize(TEXT, [Finding("AGE", start, end, 1.0)], operators)
    assert str(raised.value) == (
        f"policy surrogate, AGE: a finding at {start}-{end} in a text of {len(TEXT)} characters"
    )


def test_anonymize_says_when_an_operator_is_missing() -> None:
    """Without a step for what was found, and without a DEFAULT, nothing is returned."""
    with pytest.raises(PolicyError, match="has nothing for AGE"):
        presidio_cdip.anonymize("46", [RecognizerResult("AGE", 0, 2, 1.0)], {})


@pytest.mark.parametrize("name", ["surrogate", "redact", "safe_harbor"])
def test_a_vault_restores_what_any_policy_did(tmp_path: Path, name: str) -> None:
    """The original text comes back, whatever stood in its place."""
    vault = Vault(tmp_path / "vault", KEY)
    operators = presidio_cdip.policy(name, key=KEY, scope="doc-17")

    done = presidio_cdip.anonymize(TEXT, RESULTS, operators, vault, "letter.txt")

    assert done.text != TEXT
    assert vault.restore(done.text) == TEXT


def test_without_a_vault_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replacing writes no file anywhere near."""
    monkeypatch.chdir(tmp_path)

    presidio_cdip.anonymize(TEXT, RESULTS, presidio_cdip.policy(key=KEY, scope="doc-17"))

    assert list(tmp_path.iterdir()) == []


def test_a_request_names_no_files(tmp_path: Path) -> None:
    """A pack that a request names is not read; one that `policy` was given is."""
    request = {"AGE": OperatorConfig("surrogate", {"key": KEY.decode(), "pack": str(tmp_path)})}
    results = [RecognizerResult("AGE", 0, 2, 1.0)]
    (tmp_path / "operators").mkdir()

    with pytest.raises(PolicyError, match="not by a request"):
        engine().anonymize("46", results, request)
    named = presidio_cdip.policy(key=KEY, scope="doc", pack=tmp_path)
    assert engine().anonymize("46", results, named).text != "46"


def test_presidios_own_operators_are_refused_by_name() -> None:
    """What Presidio says of its own operator's parameters is said with policy and entity."""
    operators = {"AGE": OperatorConfig("encrypt", {"key": "short"})}

    with pytest.raises(PolicyError, match="AGE: "):
        presidio_cdip.anonymize("46", [RecognizerResult("AGE", 0, 2, 1.0)], operators)


def test_a_text_is_a_scope_unless_one_is_named() -> None:
    """Two texts share the surrogate of a value only if a scope is named."""
    texts = ["SSN 271-24-0538", "No. 271-24-0538"]
    results = [Finding("US_SSN", 4, 15, 1.0)]

    def numbers(scope: str | None) -> set[str]:
        operators = presidio_cdip.policy(key=KEY, scope=scope)
        return {presidio_cdip.anonymize(text, results, operators).text[4:] for text in texts}

    assert len(numbers(None)) == 2
    assert numbers(None) == numbers(None)
    assert len(numbers("corpus")) == 1


@pytest.mark.parametrize("scope_from", [r"(?:Mr|No)\. (\d)", lambda text: text[4]])
def test_a_text_tells_the_scope_of_its_subject(scope_from: Any) -> None:
    """Texts about one subject share surrogates, by an expression or a function."""
    operators = presidio_cdip.policy(key=KEY)

    def number(text: str) -> str:
        results = [Finding("US_SSN", 6, 17, 1.0)]
        done = presidio_cdip.anonymize(text, results, operators, scope_from=scope_from)
        return done.text[6:17]

    one, same, other = map(
        number, ("No. 1 271-24-0538", "Mr. 1 271-24-0538, 46", "No. 2 271-24-0538")
    )

    assert one == same != other


@pytest.mark.parametrize("expression", ["(", "no group", "(two)(groups)"])
def test_an_expression_without_one_group_is_refused(expression: str) -> None:
    """Before anything is replaced."""
    with pytest.raises(PolicyError, match="scope_from"):
        presidio_cdip.anonymize("", [], presidio_cdip.policy(key=KEY), scope_from=expression)


def test_rows_of_a_subject_have_its_scope() -> None:
    """presidio-structured, handed a subject's rows, keeps his intervals and nobody else's."""
    pandas = pytest.importorskip("pandas")
    structured = pytest.importorskip("presidio_structured")
    presidio_cdip.add_operators()
    frame = pandas.DataFrame({"who": ["a", "b", "a"], "seen": ["12/30/1999"] * 2 + ["1/4/2000"]})
    analysis = structured.StructuredAnalysis(entity_mapping={"seen": "DATE_TIME"})
    operators = presidio_cdip.policy(key=KEY)

    done = pandas.concat(
        structured.StructuredEngine().anonymize(
            rows.copy(), analysis, operators=presidio_cdip.in_scope(operators, who)
        )
        for who, rows in frame.groupby("who")
    )

    seen = pandas.to_datetime(done["seen"])
    assert (seen[2] - seen[0]).days == 5
    assert seen[0] != seen[1]


def test_births_dates_and_ages_are_told_once_how_they_move() -> None:
    """A parameter of one of them counts for the others."""
    operators = presidio_cdip.policy(DATE_TIME={"dates": "weeks"}, AGE={"age": "kept"})

    assert all(
        operators[one].params["dates"] == "weeks" for one in ("DATE_OF_BIRTH", "AGE", "DATE_TIME")
    )
    assert operators["DATE_OF_BIRTH"].params["age"] == "kept"


def test_rows_have_scopes_without_a_loop() -> None:
    """A column names the scopes; a row without a value is a scope of its own."""
    pandas = pytest.importorskip("pandas")
    structured = pytest.importorskip("presidio_structured")
    presidio_cdip.add_operators()
    frame = pandas.DataFrame(
        {
            "Patient No.": [17, 18, 17, None, None],
            "seen": ["12/30/1999", "12/30/1999", "1/4/2000", "12/30/1999", "12/30/1999"],
            "born": ["3/4/1950"] * 5,
        },
        index=[0, 0, 0, 1, 1],
    )
    analysis = structured.StructuredAnalysis(
        entity_mapping={"seen": "DATE_TIME", "born": "DATE_OF_BIRTH"}
    )
    engine = structured.StructuredEngine(presidio_cdip.ScopedRows("Patient No."))

    done = engine.anonymize(frame, analysis, operators=presidio_cdip.policy(key=KEY))

    seen, born = list(pandas.to_datetime(done["seen"])), list(done["born"])
    assert (seen[2] - seen[0]).days == 5
    assert len({seen[0], seen[1], seen[3], seen[4]}) == 4
    assert (
        born[0]
        == born[2]
        == presidio_cdip.Surrogates(KEY, "17").surrogate("DATE_OF_BIRTH", "3/4/1950")
    )


def test_records_have_scopes_without_a_loop() -> None:
    """Records of JSON do, by a key within an object; without a key's name, each is its own."""
    structured = pytest.importorskip("presidio_structured")
    presidio_cdip.add_operators()
    analysis = structured.StructuredAnalysis(entity_mapping={"seen": "DATE_TIME"})

    def done(column: str | None) -> list[str]:
        records = [{"who": {"id": one}, "seen": "12/30/1999"} for one in ("a", "b", "a", None)]
        engine = structured.StructuredEngine(presidio_cdip.ScopedRows(column))
        found = engine.anonymize(records, analysis, operators=presidio_cdip.policy(key=KEY))
        return [one["seen"] for one in found]

    one, other, same, none = done("who.id")
    assert one == same
    assert len({one, other, none}) == 3
    assert len(set(done(None))) == 4
    with pytest.raises(PolicyError, match="'mrn'"):
        done("mrn")


def test_a_column_that_is_not_there_is_refused() -> None:
    """Before anything is replaced."""
    pandas = pytest.importorskip("pandas")
    structured = pytest.importorskip("presidio_structured")
    frame = pandas.DataFrame({"seen": ["12/30/1999"]})
    analysis = structured.StructuredAnalysis(entity_mapping={"seen": "DATE_TIME"})
    engine = structured.StructuredEngine(presidio_cdip.ScopedRows("who"))

    with pytest.raises(PolicyError, match="no row has a column 'who'"):
        engine.anonymize(frame, analysis, operators=presidio_cdip.policy(key=KEY))
    assert list(frame["seen"]) == ["12/30/1999"]
