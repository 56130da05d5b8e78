"""Phrases: forms that are data."""

import re
from pathlib import Path

import pytest

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import read_policy
from presidio_cdip.surrogates.values import phrases
from presidio_cdip.surrogates.values.slots import too_near
from presidio_cdip.surrogates.writing import numerals

KEY = bytes(range(32))
ENTITIES = [
    name.removesuffix(".yaml").upper()
    for name in Pack.shipped().files(phrases.FOLDER, ".yaml")
    if name != phrases.SHARED
]
FILE = """
entity: HOBBY
lists:
  game: [chess, golf, bridge, Go]
tables:
  music:
    columns: [noun, player]
    rows:
      violin: [violin|fiddle, violinist]
      piano: [piano, pianist]
      flute: [flute, flautist]
      drums: [drums, '']
  hand:
    columns: [word]
    independent: true
    rows:
      left: [left]
      right: [right]
shapes:
  - name: plays
    when: 'plays {music.noun}'
  - name: player
    when: '{music.player}'
  - name: hours
    when: '{number:1-9} hours of {game}'
  - name: won
    when: '(won|lost) at {any}'
    write: ['won at {game}', 'lost at {game}']
  - name: hand
    when: '{hand}-handed'
  - name: scores
    numbers: true
    when: 'scores? of [0-9, ]+'
  - name: other
    write: ['{game}']
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(FILE)
    return Pack.open(tmp_path)


def read(pack: Pack, value: str) -> Reading:
    for form in phrases.forms("HOBBY", pack):
        if reading := form.read(value, {"pack": pack}):
            return reading
    raise AssertionError("the last shape reads every value")


def write(pack: Pack, value: str, scope: str = "doc", attempt: int = 0) -> str:
    reading = read(pack, value)
    keyring = Keyring(KEY, scope, "en_US")
    return reading.write(Draw(keyring, "HOBBY", reading.normal, attempt, {"pack": pack}))


def test_a_slot_is_replaced_and_the_words_stay(pack: Pack) -> None:
    """Another instrument is played, in every scope."""
    written = {write(pack, "plays violin", scope=str(n)) for n in range(40)}

    assert written == {"plays piano", "plays flute", "plays drums"}


def test_columns_of_a_row_move_together(pack: Pack) -> None:
    """A violin becomes a piano where the violinist becomes a pianist."""
    player = {"piano": "pianist", "flute": "flautist"}
    pairs = [
        (write(pack, "plays fiddle", str(n)), write(pack, "violinist", str(n))) for n in range(40)
    ]

    together = [player[noun[6:]] == other for noun, other in pairs if noun[6:] in player]

    assert len(together) > 10
    assert all(together)


def test_a_row_without_the_column_is_passed_over(pack: Pack) -> None:
    """Nobody becomes the player of an instrument that has no word for one."""
    assert {write(pack, "pianist", str(n)) for n in range(40)} == {"violinist", "flautist"}


def test_independent_rows_may_come_out_again(pack: Pack) -> None:
    """Both of two answers are drawn, so that neither discloses the original."""
    written = {write(pack, "left-handed", str(n)) for n in range(40)}

    assert written == {"left-handed", "right-handed"}
    assert read(pack, "left-handed").may_stay


def test_a_number_keeps_to_its_range_and_its_writing(pack: Pack) -> None:
    """Words stay words, digits digits, and the range holds."""
    words = {write(pack, "three hours of golf", str(n)).split()[0] for n in range(60)}
    digits = {write(pack, "3 hours of golf", str(n)).split()[0] for n in range(60)}

    assert "three" not in words
    assert words <= {"one", "two", "four", "five", "six", "seven", "eight", "nine"}
    assert digits <= set("12456789")


def test_templates_leave_no_word_of_any(pack: Pack) -> None:
    """What `{any}` matched is not written."""
    assert "tiddlywinks" not in write(pack, "won at tiddlywinks")
    assert write(pack, "lost at tiddlywinks").split()[0] in ("won", "lost")


def test_numbers_alone_are_replaced(pack: Pack) -> None:
    """Words and separators stay, every number changes, with as many digits."""
    written = write(pack, "scores of 71, 68, 1,204")

    assert written.startswith("scores of ")
    numbers = written.removeprefix("scores of ").split(", ")
    assert [len(number) for number in numbers] == [2, 2, 5]
    assert not set(numbers) & {"71", "68", "1,204"}


@pytest.mark.parametrize(
    ("value", "stays"),
    [("F", True), ("[X] Male", True), ("boy", True), ("cis male", False), ("MTF", False)],
)
def test_policy_keeps_the_two_common_sexes(value: str, stays: bool) -> None:
    """A sex agrees with names and pronouns; an answer that says more does not stay."""
    params = read_policy("surrogate", Pack.shipped()).steps["GENDER"].params
    scopes = [Surrogates(bytes(range(32)), f"doc-{number}", options=params) for number in range(20)]

    assert {one.surrogate("GENDER", value) == value for one in scopes} >= {stays}
    assert not stays or all(one.surrogate("GENDER", value) == value for one in scopes)


@pytest.mark.parametrize(
    ("value", "looks"),
    [("PLAYS PIANO", str.isupper), ("Plays piano", lambda text: text[0] == "P")],
)
def test_capitals_follow_the_original(pack: Pack, value: str, looks: object) -> None:
    """An original in capitals has a surrogate in capitals."""
    assert callable(looks)
    assert looks(write(pack, value))


def test_damage_of_ocr_is_read_through(pack: Pack) -> None:
    """A phrase is read although OCR took letters for digits."""
    assert read(pack, "plays vi0lin").normal == "violin"


def test_an_entity_of_the_packs_own_has_surrogates(pack: Pack) -> None:
    """A phrases file is all that a new entity needs."""
    surrogate = Surrogates(KEY, "doc", pack=pack).surrogate("HOBBY", "philately")

    assert surrogate in {"chess", "golf", "bridge", "Go"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{game}", "{games}", "no list or table 'games'"),
        ("plays {music.noun}", "plays {music.verb}", "table music has no column 'verb'"),
        ("plays {music.noun}", "plays (", "bad regular expression"),
        ("plays {music.noun}", "plays", "neither slots nor `write`"),
        ("plays {music.noun}", "plays {any}", "has {any} but no `write`"),
        ("    write: ['{game}']", "    when: '{game}'", "it must read any value"),
        ("flute: [flute, flautist]", "flute: [flute]", "row flute has not 2 cells"),
        ("name: won", "nam: won", "unknown key 'nam'"),
        ("[chess, golf, bridge, Go]", "'@no_such_list'", "no list gazetteers/no_such_list.txt"),
        ("[chess, golf, bridge, Go]", "'@language/days'", "no words 'days' of the language"),
        ("entity: HOBBY", "entity: [", "is not YAML"),
    ],
)
def test_a_mistake_in_a_file_says_where_it_is(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """Each mistake raises an error with the name of the file and the problem."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(FILE.replace(old, new))

    with pytest.raises(PackError, match=said.replace("{", r"\{").replace("`", "`")):
        phrases.forms("HOBBY", Pack.open(tmp_path))


def test_a_list_may_hold_words_of_the_language(tmp_path: Path) -> None:
    """Months and numbers are read and drawn from the folder of the file's language."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        FILE.replace("[chess, golf, bridge, Go]", "'@language/months'")
    )

    surrogate = Surrogates(KEY, "doc", pack=Pack.open(tmp_path)).surrogate("HOBBY", "May")

    assert surrogate in {month.name for month in english().months} - {"May"}


def test_a_packs_own_list_takes_the_place_of_the_shipped(tmp_path: Path) -> None:
    """Terms are drawn from a gazetteer of the pack; `.extra` adds terms to it."""
    folder = tmp_path / "operators" / "gazetteers"
    folder.mkdir(parents=True)
    (tmp_path / "operators" / "phrases").mkdir()
    (tmp_path / "operators" / "phrases" / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: '@games'}\nshapes: [{name: other, write: ['{game}']}]\n"
    )
    (folder / "games.txt").write_text("# Games.\nwhist\n")
    (folder / "games.extra.txt").write_text("euchre\n")

    written = {Surrogates(KEY, str(n), pack=tmp_path).surrogate("HOBBY", "golf") for n in range(30)}

    assert written == {"whist", "euchre"}


def test_a_small_l_may_be_one() -> None:
    """What `repaired` would take for an I is still looked up as it stands."""
    assert Surrogates(KEY).surrogate("RELIGION", "lUTHERAN").casefold() != "lutheran"


def test_numbers_of_any_length_are_drawn() -> None:
    """A run of digits that no float holds has a surrogate."""
    assert Surrogates(KEY).surrogate("TRADE_UNION_MEMBERSHIP", "1" * 4000).strip()


def test_a_shape_may_ask_for_the_text_around(tmp_path: Path) -> None:
    """The words before and after a value choose the shape; without them another one reads."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [chess, golf]}\nshapes:\n"
        "  - {name: club, when: bridge, before: 'the ', after: ' club', write: [whist]}\n"
        "  - {name: other, write: ['{game}']}\n"
    )
    maker = Surrogates(KEY, "doc", pack=tmp_path)

    def written(text: str) -> str:
        start = text.index("bridge")
        return maker.surrogate("HOBBY", "bridge", Context(Page(text), start, start + 6))

    assert written("in the bridge club") == "whist"
    assert written("in the bridge room") in ("chess", "golf")
    assert maker.surrogate("HOBBY", "bridge") in ("chess", "golf")


def test_a_shape_may_ask_for_the_page(tmp_path: Path) -> None:
    """A word anywhere on the page chooses the shape; without it another one reads."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [chess, golf]}\nshapes:\n"
        "  - {name: british, when: bridge, page: shillings, write: [cricket]}\n"
        "  - {name: other, write: ['{game}']}\n"
    )
    maker = Surrogates(KEY, "doc", pack=tmp_path)
    far = "bridge" + " and more" * 20

    assert maker.surrogate("HOBBY", "bridge", Context(Page(f"{far} shillings"), 0, 6)) == "cricket"
    assert maker.surrogate("HOBBY", "bridge", Context(Page(far), 0, 6)) in ("chess", "golf")
    assert maker.surrogate("HOBBY", "bridge") in ("chess", "golf")


def test_usual_rows_are_drawn_more_often(tmp_path: Path) -> None:
    """Rows under `usual` are drawn eight times as often, and never as their own surrogate."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\ntables:\n  game:\n    columns: [name]\n    usual: [chess]\n"
        "    rows: {chess: [chess], golf: [golf], polo: [polo]}\n"
        "shapes:\n  - {name: game, when: '{game}'}\n  - {name: other, write: ['{game}']}\n"
    )
    makers = [Surrogates(KEY, str(number), pack=tmp_path) for number in range(90)]

    assert [one.surrogate("HOBBY", "golf") for one in makers].count("chess") > 65
    assert "chess" not in {one.surrogate("HOBBY", "chess") for one in makers}


def test_an_unknown_usual_row_is_refused(tmp_path: Path) -> None:
    """The error names the row that the table does not have."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\ntables: {game: {columns: [name], usual: [whist], rows: {chess: [chess]}}}\n"
        "shapes: [{name: other, write: ['{game}']}]\n"
    )

    with pytest.raises(PackError, match="whist"):
        phrases.forms("HOBBY", Pack.open(tmp_path))


def test_templates_with_a_slot_of_the_value_come_first(tmp_path: Path) -> None:
    """Of several templates, those with the most of the value's own slots are written."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [chess, golf], office: [captain, referee]}\nshapes:\n"
        "  - name: role\n    when: '(?:{office}|player) of .+'\n"
        "    write: ['{game}', '{office} of {game}']\n"
        "  - {name: other, write: ['{game}']}\n"
    )

    for number in range(9):
        written = Surrogates(KEY, str(number), pack=tmp_path).surrogate("HOBBY", "captain of polo")
        assert written.startswith("referee of ")


def test_what_is_printed_beside_the_value_is_not_written(tmp_path: Path) -> None:
    """Of several options on a form, the surrogate is none that is printed there."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [chess, golf, bridge, polo]}\nshapes:\n"
        "  - {name: game, when: '{game}'}\n  - {name: other, write: ['{game}']}\n"
    )
    page = Page("[x] chess [ ] golf [ ] Bridge")
    makers = [Surrogates(KEY, str(number), pack=tmp_path) for number in range(10)]

    assert {one.surrogate("HOBBY", "chess", Context(page, 4, 9)) for one in makers} == {"polo"}


@pytest.mark.parametrize("entity", ["/tmp/evil", "../phrases/hobby", "hobby", "SHARED", ""])
def test_an_entity_is_no_path(pack: Pack, entity: str) -> None:
    """A request that names an entity names no file of its choice."""
    assert phrases.forms(entity, pack) == ()


def test_a_shape_that_saw_nothing_does_not_read(tmp_path: Path) -> None:
    """Where the only slot is left out, the words would stay: another shape must write."""
    folder = tmp_path / "operators" / "phrases"
    folder.mkdir(parents=True)
    (folder / "hobby.yaml").write_text(
        "entity: HOBBY\nlists: {game: [chess, golf]}\nshapes:\n"
        "  - {name: plays, when: 'plays bagpipes( and {game})?'}\n"
        "  - {name: other, write: ['{game}']}\n"
    )

    written = Surrogates(KEY, "doc", pack=tmp_path).surrogate("HOBBY", "plays bagpipes")

    assert written in ("chess", "golf")


@pytest.mark.parametrize("value", ["a" + " " * 4000 + "!", "a b " * 64, "a\n" * 2000])
def test_long_values_are_read_in_no_time(value: str) -> None:
    """No expression backtracks for long: every entity reads these values at once."""
    for entity in ("RELIGION", "SEXUALITY", "HEALTH", "CRIMINAL_OFFENCE", "MARITAL_STATUS"):
        assert Surrogates(KEY, "doc").surrogate(entity, value).strip()


def test_a_number_is_the_same_in_words_and_digits(pack: Pack) -> None:
    """Three and 3 become the same number."""
    words = write(pack, "three hours of golf").split()[0]
    digits = write(pack, "3 hours of golf").split()[0]

    assert numerals.value_of(words) == int(digits)


@pytest.mark.parametrize("entity", ENTITIES)
def test_shapes_of_the_shipped_pack_compile(entity: str) -> None:
    """Shapes are compiled when a value needs them, so this test compiles all of them."""
    for shape in phrases.shapes(entity, Pack.shipped()):
        assert not shape.when or shape.pattern.groups >= len(shape.slots)


@pytest.mark.parametrize(
    ("entity", "before", "value", "lead"),
    [
        ("HEALTH", "She had ", "not eaten for two days", "not "),
        ("HEALTH", "He ", "has not slept", "has not "),
        ("RELIGION", "They do ", "not attend anywhere", "not "),
        ("CRIMINAL_OFFENCE", "She was ", "never tried for anything", "never "),
        ("HEALTH", "He would ", "never touch a drop", "never "),
        ("HEALTH", "fundi: a ", "few small hemorrhages", "few "),
    ],
)
def test_not_stays_beside_its_verb(entity: str, before: str, value: str, lead: str) -> None:
    """So the words around it read on: "had not eaten" never becomes "had could not eat"."""
    page = Page(f"{before}{value}.")
    there = Context(page, len(before), len(before) + len(value))
    for key in range(8):
        written = Surrogates(KEY, str(key)).surrogate(entity, value, there)

        assert written.startswith(lead)
        assert not re.match(rf"{lead}(?:not|never|no|could|did|does|is|was|had)\b", written)


@pytest.mark.parametrize(
    ("entity", "value", "lead"),
    [
        ("TRADE_UNION_MEMBERSHIP", "was fired for organizing", "was "),
        ("RELIGION", "has lost her faith", "has "),
        ("POLITICAL_OPINION", "has never voted", "has "),
        ("MARITAL_STATUS", "was divorced from her first husband", "was "),
        ("TRADE_UNION_MEMBERSHIP", "was a shop steward", "was "),
        ("HEALTH", "has had two heart attacks", "has had "),
    ],
)
def test_auxiliary_verbs_stay(entity: str, value: str, lead: str) -> None:
    """What carries the tense stays, since the sentence before may not go on with another."""
    for key in range(8):
        written = Surrogates(KEY, str(key)).surrogate(entity, value)

        assert written.startswith(lead)


@pytest.mark.parametrize("value", ["was jilted by Kevin O'Neill", "is no bachelor"])
def test_no_finite_verb_follows_an_auxiliary(value: str) -> None:
    """Where nothing that is drawn can follow it, it is replaced with the rest."""
    for key in range(8):
        written = Surrogates(KEY, str(key)).surrogate("MARITAL_STATUS", value)

        assert not re.match(r"(?:is|was) (?:did|been|tied|kept|contracted an? )\b", written)


@pytest.mark.parametrize("value", ["is " * 1000 + "gay", "his a " * 600 + "gay"])
def test_repeated_words_before_a_phrase_are_no_error(value: str) -> None:
    """Each of them was read anew, until there were too many."""
    assert Surrogates(KEY, "1").surrogate("SEXUALITY", value)


@pytest.mark.parametrize("value", ["parted from Rose", "her divorce from Karl"])
def test_a_person_becomes_no_town(value: str) -> None:
    """Who is named after "from" is a person where a marriage is told of."""
    names = {
        *terms("first_names_female", Pack.shipped()),
        *terms("first_names_male", Pack.shipped()),
    }
    for key in range(8):
        written = Surrogates(KEY, str(key)).surrogate("MARITAL_STATUS", value)

        assert written.rpartition(" ")[2] in names


@pytest.mark.parametrize("value", ["Wife:  Rosa Ricci", "Husband:   Ugo Ricci"])
def test_a_label_stays_however_far_its_name_stands(value: str) -> None:
    """On forms blanks part them."""
    written = Surrogates(KEY, "1").surrogate("MARITAL_STATUS", value)

    assert written != value
    assert written.startswith(value[: value.rindex("  ") + 2])


def test_a_word_of_the_grammar_tells_nothing_of_a_value() -> None:
    """Phrases that share but "with" with the original can replace it."""
    assert not too_near("slept with both brothers", "moved in with a girlfriend")
    assert too_near("slept with both brothers", "lodged with the brothers")


def test_a_wife_is_no_wife_in_other_words() -> None:
    """No surrogate of a spouse or of "married" says that there is one."""
    for value in ("wife", "husband", "married"):
        for key in range(20):
            written = Surrogates(KEY, str(key)).surrogate("MARITAL_STATUS", value)

            assert not re.search("wife|husband|marri", written)


GOOD = re.compile(r"(?i)\b(?:well|good|fine|excellent|robust|sound|fit|strong|improved|better)\b")
POOR = re.compile(
    r"(?i)\b(?:poor|frail|failing|weak|sickly|delicate|declining|worse|unwell|ailing)\b"
)


@pytest.mark.parametrize(
    ("value", "like"),
    [("much improved", POOR), ("well", POOR), ("in good health", POOR), ("Excellent", POOR),
     ("failing", GOOD), ("in poor health", GOOD), ("poor", GOOD)],
)  # fmt: skip
def test_a_state_of_health_stays_good_or_poor(value: str, like: re.Pattern[str]) -> None:
    """What follows on the page follows from it: who does well goes home."""
    found = {
        Surrogates("a key of at least 16 bytes", str(scope)).surrogate("HEALTH", value)
        for scope in range(30)
    }

    assert len(found) > 2
    assert not [one for one in found if like.search(one) and not one.startswith("not ")]


@pytest.mark.parametrize(
    "value", ["187delAG mutation in BRCA1", "5083del19 mutation of the BRCA1 gene"]
)
def test_a_named_mutation_becomes_a_named_one(value: str) -> None:
    """A change of a gene that no list has is no way in which one came about."""
    own = Span(8, 8 + len(value), "GENETIC_DATA", 1.0, "")
    context = Context(Page(f"Result: {value}.", [own]), own.start, own.end)
    found = {
        Surrogates(bytes(range(32)), f"{at}").surrogate("GENETIC_DATA", value, context)
        for at in range(12)
    }

    assert len(found) > 3
    assert all(re.fullmatch(r"[\w>+-]*\d[\w>+-]* mutation in [A-Z\d]+", one) for one in found)
