"""Packs are found, read, laid over the shipped one and refused as promised."""

import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from presidio_analyzer import RecognizerResult

import presidio_cdip
from presidio_cdip import ENTITIES, Pack, PackError
from presidio_cdip.entities import entities_of
from presidio_cdip.pack.expressions import expand
from presidio_cdip.pack.language import FILES
from presidio_cdip.pack.rules import FOLDER, rule_files, shared_forms, signs
from presidio_cdip.recognition.cases import failures
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.verification import recognizer_problems, unfound_entities
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import policy_names, read_policy
from presidio_cdip.surrogates.values import phrases
from presidio_cdip.surrogates.verification import (
    list_problems,
    operator_problems,
    unread_files,
)

RULES = """
entity: AGE
meaning: age
source: CDIP
what: A person's age.
rules:
  - {name: labelled, cues: [age], values: ['\\d{1,3}']}
cases: ["Age ⟦46⟧"]
"""
BADGE = """
entity: BADGE_NUMBER
meaning: number of an employee's badge
source: our works council
group: Identity
what: The number on an employee's badge.
rules:
  - {name: labelled, cues: ["badge( no| number|)"], values: ['[A-Z]{2}-\\d{4}']}
cases: ["Badge no. ⟦QX-4711⟧", "Bridge no. QX-4711"]
"""


def pack(folder: Path, text: str, name: str = "recognizers/age.yaml") -> Pack:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return Pack.open(folder)


def test_shipped_pack_declares_the_cdip_entities() -> None:
    """Wherever the pack lies, each of its entities has a file of its name."""
    files = rule_files(Pack.shipped())

    cdip = {name for name, entity in ENTITIES.items() if "CDIP" in entity.sources}
    assert {file.entity for file in files if file.rules} >= cdip
    assert all(file.file == f"{file.entity.lower()}.yaml" for file in files)


@pytest.mark.slow
def test_an_entity_is_added_by_one_file(tmp_path: Path) -> None:
    """It is declared, found, explained, listed and replaced, and nothing else is edited."""
    text = "Badge no. QX-4711, born March 3, 1950"
    own = pack(tmp_path, BADGE, "recognizers/badge_number.yaml")

    engine = presidio_cdip.analyzer(pack=own, model="none")
    results = engine.analyze(text, "en")

    assert entities_of(own)["BADGE_NUMBER"].sources == ("our works council",)
    assert [*failures(rule_files(own))] == []
    assert {one.entity_type for one in results} == {"BADGE_NUMBER", "DATE_OF_BIRTH"}
    assert "BADGE_NUMBER" in engine.get_supported_entities()
    for name in policy_names(own):
        operators = presidio_cdip.policy(name, "a key of sixteen b", pack=own)
        assert "QX-4711" not in presidio_cdip.anonymize(text, results, operators).text


def test_an_entity_without_forms_keeps_letters_as_letters_and_digits_as_digits(
    tmp_path: Path,
) -> None:
    """The plainest surrogate has the shape of the original."""
    own = pack(tmp_path, BADGE, "recognizers/badge_number.yaml")

    surrogate = Surrogates("a key of sixteen b", pack=own).surrogate("BADGE_NUMBER", "QX-4711")

    assert [(a.isalpha(), a.isdigit(), a.isupper()) for a in surrogate] == [
        (a.isalpha(), a.isdigit(), a.isupper()) for a in "QX-4711"
    ]
    assert surrogate != "QX-4711"


def test_an_entity_is_declared_once(tmp_path: Path) -> None:
    """A second file adds rules to it; a second meaning is refused, and none at all as well."""
    more = BADGE.replace("meaning: number of an employee's badge\n", "")
    pack(tmp_path, BADGE, "recognizers/badge_number.yaml")
    own = pack(tmp_path, more, "recognizers/more_badges.yaml")

    assert "BADGE_NUMBER" in entities_of(own)

    with pytest.raises(PackError, match=r"does not say what BADGE_NUMBER means"):
        entities_of(pack(tmp_path / "b", more, "recognizers/more_badges.yaml"))
    pack(tmp_path / "c", BADGE, "recognizers/badge_number.yaml")
    with pytest.raises(PackError, match=r"BADGE_NUMBER has a `meaning` in another file"):
        entities_of(pack(tmp_path / "c", BADGE, "recognizers/more_badges.yaml"))


@pytest.mark.parametrize("kind", ["rules", "policy", "phrases", "forms", "signs", "table"])
def test_one_rule_holds_for_every_kind_of_file(tmp_path: Path, kind: str) -> None:
    """A file of the overlay replaces the shipped file of its path, adds one, or is empty."""
    kinds: Mapping[str, tuple[str, Callable[[Pack], list[str]]]] = {
        "rules": ("recognizers", lambda pack: [file.file for file in rule_files(pack)]),
        "policy": ("operators", lambda pack: [f"{name}.yaml" for name in policy_names(pack)]),
        "phrases": ("operators/phrases", lambda pack: list(pack.files(phrases.FOLDER, ".yaml"))),
        "forms": (
            "recognizers/shared",
            lambda pack: list(pack.files(f"{FOLDER}/shared", ".yaml")),
        ),
        "signs": ("recognizers/signs", lambda pack: list(pack.files(f"{FOLDER}/signs", ".yaml"))),
        "table": (
            "operators/gazetteers",
            lambda pack: list(pack.files("operators/gazetteers", ".tsv")),
        ),
    }
    folder, present = kinds[kind]
    shipped = present(Pack.shipped())
    suffix = shipped[0].rpartition(".")[2]

    off = pack(tmp_path / "off", "\n", f"{folder}/{shipped[0]}")
    item = Pack.shipped().file(f"{folder}/{shipped[0]}")
    assert item
    same = pack(tmp_path / "same", item.read_text("utf-8"), f"{folder}/{shipped[0]}")
    added = pack(tmp_path / "added", BADGE, f"{folder}/added.{suffix}")

    assert present(off) == shipped[1:]
    assert present(same) == shipped
    assert str(same.file(f"{folder}/{shipped[0]}")).startswith(str(tmp_path))
    assert set(present(added)) == {*shipped, f"added.{suffix}"}


def test_an_entity_that_is_switched_off_is_not_found(tmp_path: Path) -> None:
    """Neither by rules nor by the model, which still tells of it."""
    own = pack(tmp_path, "", "recognizers/health.yaml")

    assert "HEALTH" not in finder(own).entities
    assert finder(own).find("He suffers from type 2 diabetes and gout.") == []


def test_layers_of_a_list(tmp_path: Path) -> None:
    """An overlay's list replaces, its additions add, its exceptions take out."""
    folder = "operators/gazetteers"
    shipped = terms("offences", Pack.shipped())
    pack(tmp_path, "arson of hats\n", f"{folder}/offences.extra.txt")
    more = pack(tmp_path, f"# one less\n{shipped[0]}\n", f"{folder}/offences.except.txt")
    other = pack(tmp_path / "b", "arson of hats\n", f"{folder}/offences.txt")

    assert terms("offences", more) == (*shipped[1:], "arson of hats")
    assert terms("offences", other) == ("arson of hats",)


def test_an_overlay_has_the_shipped_forms_and_lists_at_hand(tmp_path: Path) -> None:
    """Its own forms come beside them, and a form of the same name is refused."""
    ours = pack(tmp_path, "hat_size: '{d}/8'\n", "recognizers/shared/hats.yaml")

    assert set(shared_forms(ours)) == {*shared_forms(Pack.shipped()), "hat_size"}
    assert terms("us_counties", ours) == terms("us_counties", Pack.shipped())
    assert rows("us_states", ours) == rows("us_states", Pack.shipped())
    assert signs(ours, "premises") == signs(Pack.shipped(), "premises")
    twice = pack(tmp_path / "b", "d: '[0-9]'\n", "recognizers/shared/hats.yaml")
    with pytest.raises(PackError, match=r"shared/hats\.yaml: form 'd' stands in another file"):
        shared_forms(twice)


@pytest.mark.slow
def test_a_pack_is_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is equal to another of its folder, travels to a worker, and is named by the variable."""
    own = pack(tmp_path, BADGE, "recognizers/badge_number.yaml")
    assert Pack.open() == Pack.shipped()

    monkeypatch.setenv("PRESIDIO_CDIP_PACK", str(tmp_path))

    assert pickle.loads(pickle.dumps(own)) == own == Pack.open(str(tmp_path)) == Pack.open()
    assert Pack.open(Pack.shipped()) == Pack.shipped()
    assert read_policy("surrogate", own).name == "surrogate"


BROKEN = {
    "unknown key": ("entity: AGE\npatern: []", r"unknown key 'patern'; there are \['cases'"),
    "unknown rule key": (RULES + "counter: [{name: x, cue: y}]", "rule 'x': unknown key 'cue'"),
    "name in small letters": (RULES.replace("AGE", "age"), "'entity' is not a name in capitals"),
    "unknown check": (RULES + "check: luhn", r"no check 'luhn'; there are \['age'"),
    "unknown list": (RULES.replace("values: [", "terms: ['@ages'], values: ["), "no list .*ages"),
    "unknown form": (RULES.replace("\\d{1,3}", "{agge}"), "no form 'agge'"),
    "bad regular expression": (RULES.replace("\\d{1,3}", "(\\d"), "bad regular expression"),
    "open bracket in a cue": (RULES.replace("[age]", "['(a|b']"), "a bracket is not closed"),
    "score out of range": (RULES.replace("cues:", "score: 2, cues:"), "score is not in 0..1"),
    "unknown language": (RULES + "language: tlh", "language 'tlh' has no folder"),
    "no YAML": ("entity: [", "is not YAML in UTF-8 at line"),
    "no mapping": ("- AGE", "is not a mapping"),
    "number for a string": (RULES.replace("[age]", "[46]"), "'cues' holds something"),
    "unknown place": (RULES.replace("values", "where: [above], values"), "no place 'above'"),
    "rule without values": (RULES.replace("['\\d{1,3}']", "[]"), "neither values nor terms"),
    "value of nothing": (RULES.replace("\\d{1,3}", "\\d*"), "holds for an empty value"),
    "list for a name": (RULES.replace("AGE", "[AGE]"), "'entity' is not a string"),
    "word for a number": (RULES.replace("values:", "reach: far, values:"), "'reach' is not"),
    "word for a flag": (RULES.replace("values:", "many: 'no', values:"), "neither true nor false"),
    "forms in a list": (RULES + "forms: [a]", "'forms' is not a mapping"),
    "impossible date": (RULES + "references: [2001-99-99]", "is not YAML"),
    "cue without a word": (RULES.replace("[age]", "['...']"), "has no word"),
    "too many spellings": (RULES.replace("[age]", f"['{'(a|b)' * 40}']"), "spellings"),
}


@pytest.mark.parametrize(("text", "says"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    """The error names the file and says what is wrong with it."""
    with pytest.raises(PackError, match=rf"(?s)age\.yaml: .*{says}"):
        Engine(rule_files(pack(tmp_path, text)))


def test_case_that_does_not_hold_is_named_without_its_text(tmp_path: Path) -> None:
    """A pack whose rules miss a case is refused when it is verified, without the case's text."""
    broken = pack(tmp_path, RULES.replace("Age ⟦46⟧", "Aetas ⟦46⟧"))

    (problem,) = failures([file for file in rule_files(broken) if file.entity == "AGE"])

    assert "age.yaml: case 1 is not satisfied" in str(problem.error())
    assert "Aetas" not in str(problem.error())


def test_folder_without_recognizers_is_refused(tmp_path: Path) -> None:
    """A folder that is no pack, or does not exist, is named."""
    with pytest.raises(PackError, match=f"{tmp_path}: has no folder recognizers/"):
        Pack.open(tmp_path)
    with pytest.raises(PackError, match=r"/nowhere: there is no such folder"):
        Pack.open(tmp_path / "nowhere")


def test_cue_stands_for_all_its_spellings() -> None:
    """Brackets give alternatives, the empty one among them, and may be nested."""
    assert set(expand("(soc(ial|)|ss) no")) == {"social no", "soc no", "ss no"}


@pytest.mark.checkout
def test_example_of_the_rule_language_is_a_pack(tmp_path: Path) -> None:
    """What recognizers/README.md shows can be used as it stands, with the shipped forms."""
    page = (Path(__file__).parents[2] / "recognizers" / "README.md").read_text("utf-8")
    shown = page[page.index("    entity: ") :]
    lines = [line[4:] for line in shown[: shown.index("\n|")].splitlines()]

    own = pack(tmp_path, "\n".join(lines), "recognizers/home_phone_number.yaml")
    (file,) = (one for one in rule_files(own) if one.entity == "HOME_PHONE_NUMBER")

    assert file.cases
    assert list(failures([file])) == []


@pytest.mark.slow
def test_a_packs_own_label_of_names_is_propagated(tmp_path: Path) -> None:
    """What the pack says is found on request is treated as names are, whatever it is called."""
    text = "Vessel: Ocean Star\nThe captain of the Ocean Star said that Ocean Star sank."
    own = pack(
        tmp_path,
        "entity: VESSEL\nmeaning: name of a ship\nsource: names\nwhat: A ship's name.\n"
        "rules: [{name: labelled, cues: [vessel], values: ['[A-Z][a-z]+ [A-Z][a-z]+']}]\n",
        "recognizers/vessel.yaml",
    )

    found = finder(own, "none").find(text, names=True)

    assert "VESSEL" not in finder(own, "none").entities
    assert [text[one.start : one.end] for one in found if one.entity == "VESSEL"] == (
        ["Ocean Star"] * 3
    )


@pytest.mark.parametrize("policy", ["label", "surrogate", "mask"])
def test_an_entity_of_a_pack_is_specific_under_every_policy(tmp_path: Path, policy: str) -> None:
    """Of two findings that overlap, that of the pack's entity stays."""
    own = pack(tmp_path, BADGE, "recognizers/badge_number.yaml")
    operators = presidio_cdip.policy(policy, "a key of sixteen b", pack=own)
    results = [
        RecognizerResult("BADGE_NUMBER", 0, 7, 0.9),
        RecognizerResult("DATE_TIME", 0, 12, 0.9),
    ]

    items = presidio_cdip.anonymize("QX-4711 1950", results, operators, pack=own).items

    assert {one.entity_type for one in items} == {"BADGE_NUMBER", "DATE_TIME"}


def test_a_language_of_a_pack_gives_its_own_words(tmp_path: Path) -> None:
    """The forms of a rule file are filled in from the language that the file says it is in."""
    for name in FILES:
        item = Pack.shipped().file(f"recognizers/languages/en/{name}")
        assert item
        words = item.read_text("utf-8").replace("October", "Oktober")
        pack(tmp_path, words, f"recognizers/languages/xx/{name}")
    own = pack(
        tmp_path,
        BADGE.replace("meaning", "language: xx\nmeaning").replace("'[A-Z]{2}-\\d{4}'", "'{month}'"),
        "recognizers/badge_number.yaml",
    )

    file = next(one for one in rule_files(own) if one.entity == "BADGE_NUMBER")
    expression = file.forms.expand(file.rules[0].values[0])

    assert re.match(expression, "Oktober")
    assert not re.match(expression, "October")


WITHOUT_MEANING = BADGE.replace("meaning: number of an employee's badge\n", "")
WRONG_FILES = [
    ("operators/phrases/badge_number.yaml", "shapes: [{name: a, when: 12}]", "`when` is not"),
    ("operators/phrases/badge_number.yaml", "shapes: [{name: a, write: abc}]", "`write` is"),
    ("operators/phrases/badge_number.yaml", "tables: {a: {rows: {}}}", "needs `columns`"),
    ("operators/phrases/told/religion.yaml", "facts: {a: {above: x}}", "unknown key 'above'"),
    ("operators/phrases/told/shared.yaml", "rules: []", "unknown key 'rules'"),
    ("operators/phrases/told/badge.yaml", "rules: []", "there is no operators/phrases/badge.yaml"),
    ("operators/phrases/like/health.tsv", "class\tphrase\nN gout\n", "bad row"),
    ("operators/ours.yaml", "extends: ours", "extends itself"),
    ("operators/gazetteers/us_states.tsv", "postal\tname\nNC\n", "'NC' has not 2 cells"),
    ("operators/gazetteers/us_states.tsv", "postal\tname\nNC\tOhio\n", "no column 'press'"),
    ("operators/gazetteers/street_names.txt", "# none\n", "street_names.txt: has no rows"),
    ("operators/gazetteers/street_names.txt", "", "street_names.txt: has no rows"),
    ("recognizers/passport.yml", "entity: PASSPORT", "is not read: name it .yaml"),
    ("recognizers/Passport.YAML", "entity: PASSPORT", "is not read: name it .yaml"),
    ("recognizers/badge_number.yaml", WITHOUT_MEANING, "does not say what BADGE_NUMBER means"),
    ("recognizers/signs/premises.yaml", "home_label: ['(a']", "signs/premises.yaml: "),
    ("recognizers/signs/premises.yaml", "", "signs/premises.yaml: is missing"),
    ("recognizers/languages/fr/months.yaml", "months: []", "languages/fr/"),
]


@pytest.mark.parametrize(("name", "text", "said"), WRONG_FILES)
def test_a_file_that_would_fail_later_is_a_problem(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    """`verify-pack` reports each file that a command of the same pack would stop at, or ignore."""
    own = pack(tmp_path, text, name)

    problems = [*recognizer_problems(own), *operator_problems(own), *list_problems(own)]

    assert any(said in str(one) for one in problems), problems


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("recognizers/gazeteers/badges.txt", "QX-4711", "is not read"),
        ("operators/policies/ours.yaml", "extends: label", "is not read"),
        ("operators/gazetteers/last_name.txt", "Zorp", "did you mean last_names.txt?"),
        ("recogniser/badge_number.yaml", BADGE, "recogniser/: is not read; did you mean"),
        (
            "recognizers/badge_number.yaml",
            BADGE[: BADGE.index("rules")],
            "no rule finds BADGE_NUMBER",
        ),
        ("recognizers/badge_number.yaml", BADGE[: BADGE.index("cases")], "without a case"),
    ],
)
def test_a_file_without_effect_is_a_warning(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    """A file that nothing reads, and an entity that nothing finds, are named."""
    (tmp_path / "operators").mkdir()
    own = pack(tmp_path, text, name)

    warnings = [*unread_files(own), *unfound_entities(own, rule_files(own))]

    assert [said in str(one) for one in warnings] == [True]


@pytest.mark.parametrize(
    ("path", "needed_by"),
    [
        ("recognizers/gazetteers/religions.txt", "religion.yaml"),
        ("operators/gazetteers/last_names.txt", "operators/"),
        ("operators/gazetteers/us_states.tsv", "operators/"),
    ],
)
def test_a_list_that_is_switched_off_and_needed_is_named(
    tmp_path: Path, path: str, needed_by: str
) -> None:
    """The error names the empty file, not only the shipped file that reads the list."""
    own = pack(tmp_path, "", path)
    name = Path(path).stem

    with pytest.raises(PackError, match=f"{needed_by} needs it") as raised:
        if path.endswith(".tsv"):
            rows(name, own)
        elif needed_by == "operators/":
            terms(name, own)
        else:
            rule_files(own)

    assert raised.value.file == path


def test_a_folder_with_a_name_that_is_too_long_is_no_pack() -> None:
    """It is the same error as for a folder that does not exist."""
    with pytest.raises(PackError, match="there is no such folder"):
        Pack.open("x" * 5000)


def test_an_entity_that_the_model_of_the_environment_finds_is_no_warning(
    tiny: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What finds an entity is the model in use, not the one that the shipped pack came with."""
    own = pack(tmp_path, BADGE[: BADGE.index("rules")], "recognizers/badge_number.yaml")
    model = tiny.by_word(tmp_path / "model", labels={"HEALTH": "BADGE_NUMBER"})

    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", str(model))
    assert [*unfound_entities(own, rule_files(own))] == []
    assert finder(own).found_by["BADGE_NUMBER"] == ("model",)

    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", "none")
    assert len([*unfound_entities(own, rule_files(own))]) == 1


def test_generalize_reads_the_towns_of_the_pack(tmp_path: Path) -> None:
    """A town that only the pack knows becomes its state, and another value as without the pack."""
    shipped = Pack.shipped().file("operators/gazetteers/us_towns.tsv")
    assert shipped
    towns = shipped.read_text("utf-8").splitlines()
    row = next(line for line in towns if line.startswith("Louisville\t"))
    towns.append(row.replace("Louisville", "Zorpville"))
    own = pack(tmp_path, "\n".join(towns), "operators/gazetteers/us_towns.tsv")
    text = "Zorpville, 46"
    found = [
        RecognizerResult("PLACE_OF_BIRTH", 0, 9, 0.9),
        RecognizerResult("AGE", 11, 13, 0.9),
    ]

    with_it, without = (
        presidio_cdip.anonymize(text, found, presidio_cdip.policy("generalize", pack=one)).text
        for one in (own, Pack.shipped())
    )

    assert (with_it, without) == ("Kentucky, 40-49", "<PLACE_OF_BIRTH>, 40-49")


def test_a_list_that_a_rule_or_a_shipped_file_names_is_read(tmp_path: Path) -> None:
    """Neither a list that a rule names nor lines added to a shipped list are a warning."""
    pack(tmp_path, "QX-4711", "recognizers/gazetteers/badges.txt")
    pack(tmp_path, "Zorp", "recognizers/gazetteers/religions.extra.txt")
    own = pack(
        tmp_path, BADGE.replace("values:", 'terms: ["@badges"]\n    values:'), "recognizers/b.yaml"
    )

    assert [*unread_files(own)] == []


@pytest.mark.slow
@pytest.mark.checkout
def test_the_shipped_pack_has_no_problems_as_an_overlay() -> None:
    """A copy of the whole pack is a pack, of which every file is read."""
    own = Pack.open(Path(__file__).parents[2])

    assert [*recognizer_problems(own), *operator_problems(own), *list_problems(own)] == []
    assert [*unread_files(own), *unfound_entities(own, rule_files(own))] == []


def repeated(node: yaml.Node | None) -> list[str]:
    """Return the keys that a mapping in *node* has twice; YAML would take the last."""
    if isinstance(node, yaml.SequenceNode):
        return [key for one in node.value for key in repeated(one)]
    if not isinstance(node, yaml.MappingNode):
        return []
    keys = [key.value for key, _ in node.value]
    inside = [key for _, value in node.value for key in repeated(value)]
    return [*(key for key in set(keys) if keys.count(key) > 1), *inside]


@pytest.mark.checkout
@pytest.mark.parametrize("folder", ["operators", "recognizers"])
def test_no_shipped_file_has_a_key_twice(folder: str) -> None:
    """A list that another of its name hides is never drawn from."""
    found = {
        file.name: keys
        for file in (Path(__file__).parents[2] / folder).rglob("*.yaml")
        if (keys := repeated(yaml.compose(file.read_text("utf-8"), yaml.CSafeLoader)))
    }

    assert found == {}


def test_a_list_in_another_encoding_is_named(tmp_path: Path) -> None:
    """It is an error with the file's name, not one of the codec."""
    (tmp_path / "operators" / "gazetteers").mkdir(parents=True)
    (tmp_path / "operators" / "gazetteers" / "last_names.txt").write_bytes(b"M\xfcller\n")

    with pytest.raises(PackError, match=r"last_names\.txt: is not in UTF-8"):
        terms("last_names", Pack.open(tmp_path))


@pytest.mark.checkout
def test_no_text_of_a_shipped_file_has_a_control_character() -> None:
    """A word boundary in double quotes is a backspace to YAML, which matches nothing."""
    root = Path(__file__).parents[2]
    files = [*(root / "operators").rglob("*.yaml"), *(root / "recognizers").rglob("*.yaml")]

    assert files
    assert [
        file.name
        for file in files
        for event in yaml.parse(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        if isinstance(event, yaml.ScalarEvent)
        and re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", event.value)
    ] == []
