"""Phrases are read as frames with terms inside, and only the terms are replaced."""

import re
from itertools import islice
from pathlib import Path

import pytest

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values import phrases
from presidio_cdip.surrogates.values.classes import negates
from presidio_cdip.surrogates.values.frames import FOLDER, Frames, Kind
from presidio_cdip.surrogates.values.slots import words_of
from presidio_cdip.surrogates.verification import operator_problems

PACK = Pack.shipped()
OPTIONS = {"pack": PACK, "locale": "en_US"}
KEY = bytes(range(32))
ENTITIES = (
    *("TRADE_UNION_MEMBERSHIP", "HEALTH", "SEXUALITY", "RELIGION", "POLITICAL_OPINION"),
    *("CRIMINAL_OFFENCE", "GENETIC_DATA", "BIOMETRIC_DATA", "NATIONALITY"),
)
NUMBER = r"(?:\d+|\w+)"


def surrogates(entity: str, value: str, count: int = 20) -> list[str]:
    return [Surrogates(KEY, f"frames {n}").surrogate(entity, value) for n in range(count)]


def frames(entity: str) -> Frames:
    found = phrases.frames_of(entity, PACK)
    assert isinstance(found, Frames)
    return found


@pytest.mark.parametrize(
    ("entity", "value", "written"),
    [
        ("TRADE_UNION_MEMBERSHIP", "a delegate in the dock builders", r"an? [\w -]+ in the [\w ]+"),
        ("TRADE_UNION_MEMBERSHIP", "shop president for NUBSO", r"[\w -]+ for [A-Z&]{2,}"),
        ("TRADE_UNION_MEMBERSHIP", "joined the Jam Workers Union", r"joined the [A-Z].*"),
        ("RELIGION", "a deacon in the New Testament Church of God", r"an? [\w ]+ in the [A-Z].*"),
        ("POLITICAL_OPINION", "no Fascist", r"no [A-Z][\w-]+"),
        ("POLITICAL_OPINION", "big in the National Front", r"big in the [A-Z].*"),
        ("HEALTH", "tested positive for the AIDS virus", r"tested positive for \w.*"),
        ("HEALTH", "sees a psychiatrist", r"sees an? [\w ]+"),
        ("HEALTH", "20/200 uncorrected", "20/(?:20|25|30|40|50|60|70|100|400) uncorrected"),
        ("HEALTH", "penicillin 300,000 units", r"[\w -]+ [\d.]+ (?:mg|gm)"),
        ("HEALTH", "was thrown from a horse", r"was \w+ (?:by|from) [\w ]+"),
        ("HEALTH", "rated 30% for deafness", r"rated \d\d% for \w[\w ]*"),
        ("GENETIC_DATA", "excluded as the father", r"[\w ]+ as the father"),
        ("GENETIC_DATA", "carries one copy of the sickle gene", r"carries .+ of the .+ gene"),
        ("BIOMETRIC_DATA", "whorl, scar across the core", r"[\w ]+, [\w ]+ across the core"),
        ("CRIMINAL_OFFENCE", "served six months in the county jail", rf"served {NUMBER} months .*"),
        ("GENETIC_DATA", "matched at 13 loci", r"matched at \d\d loci"),
        ("GENETIC_DATA", "1 in 3.1 quadrillion", r"1 in \d\.\d quadrillion"),
        ("BIOMETRIC_DATA", "left thumb", r"(?:left|right|l|L|r|R)\.? [\w ]+"),
    ],
)  # fmt: skip
def test_the_words_of_the_frame_stay_and_its_terms_change(
    entity: str, value: str, written: str
) -> None:
    """The sentence around a value reads on, since only terms are exchanged for their like."""
    for surrogate in surrogates(entity, value):
        assert re.fullmatch(written, surrogate), surrogate
        assert surrogate != value


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("HEALTH", "allergic to moonbeams"),
        ("RELIGION", "prays to Zorblax nightly"),
        ("CRIMINAL_OFFENCE", "convicted of zeppelinry"),
        ("SEXUALITY", "known as a flibbertigibbet"),
    ],
)
def test_a_word_that_is_neither_term_nor_frame_is_not_kept(entity: str, value: str) -> None:
    """What the frames do not know, they do not read: it could be the fact."""
    assert frames(entity).read(value, OPTIONS) is None


@pytest.mark.parametrize("entity", ENTITIES)
def test_frame_words_alone_tell_nothing(entity: str) -> None:
    """Without a term that tells the fact nothing would change, so another form must write."""
    assert frames(entity).read("he was not there in the first year", OPTIONS) is None


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("HEALTH", "malignant, stage 4"),
        ("HEALTH", "weight loss of 30 lbs"),
        ("HEALTH", "addict for 10 years"),
        ("HEALTH", "bullet lodged 2 inches from the heart"),
        ("HEALTH", "poisoning by lead, level 45"),
        ("HEALTH", "abused as a child, 10 years"),
        ("CRIMINAL_OFFENCE", "conspiracy, 18 months"),
        ("CRIMINAL_OFFENCE", "parole violation, 6 months"),
        ("CRIMINAL_OFFENCE", "conspiracy to defraud, 2 years"),
        ("CRIMINAL_OFFENCE", "using a knife, 3 years"),
        ("CRIMINAL_OFFENCE", "indicted on 3 counts"),
        ("CRIMINAL_OFFENCE", "hit a friend, 6 months"),
        ("CRIMINAL_OFFENCE", "second-degree, 6 months"),
        ("GENETIC_DATA", "premutation, 70 repeats"),
        ("GENETIC_DATA", "is the biological father, 99.99%"),
        ("GENETIC_DATA", "father excluded at 3 loci"),
        ("SEXUALITY", "in a same-sex marriage with Paul Jones"),
        ("SEXUALITY", "same-sex partner Paul"),
        ("SEXUALITY", "closeted, partner Paul"),
        ("SEXUALITY", "came out to Paul"),
        ("MARITAL_STATUS", "remarried to Paul Jones"),
        ("MARITAL_STATUS", "expecting, lived with Ann Smith"),
        ("BIOMETRIC_DATA", "template JOHNSMITH-4471"),
        ("BIOMETRIC_DATA", "GARCIA/1944-01"),
        ("RELIGION", "Black Baptist church"),
        ("HEALTH", "yellow fever"),
        ("HEALTH", "brain fever"),
        ("HEALTH", "green stick fracture"),
        ("HEALTH", "congenital heart"),
        ("HEALTH", "carcinoma"),
    ],
)
def test_a_fact_is_not_kept_beside_a_new_number_or_name(entity: str, value: str) -> None:
    """A number, a name or half of a term is no fact: the words that tell it change too."""
    telling = words_of(value) - words_of(
        "years months inches level stage counts loci with from church father"
    )
    for surrogate in surrogates(entity, value, 8):
        assert not telling & words_of(surrogate), surrogate


@pytest.mark.parametrize(
    ("value", "written"),
    [("served six months", r"served \w+ months"), ("fined $250", r"fined \$\d+")],
)
def test_a_number_beside_measures_tells_the_fact(value: str, written: str) -> None:
    for surrogate in surrogates("CRIMINAL_OFFENCE", value):
        assert re.fullmatch(written, surrogate) and surrogate != value


def test_different_terms_of_a_value_stay_different() -> None:
    """Nobody converts from Islam to Islam."""
    for surrogate in surrogates("RELIGION", "converted from Judaism to Islam", 60):
        if match := re.fullmatch(r"converted from (.+) to (.+)", surrogate):
            assert match[1] != match[2], surrogate


@pytest.mark.parametrize("entity", ENTITIES)
def test_no_kind_has_so_few_terms_that_one_tells_another(entity: str) -> None:
    """Of two terms each would have the other as its only surrogate."""
    for kind in frames(entity)._terms.values():
        assert not isinstance(kind, Kind) or len(set(kind.written)) >= 4, kind.name


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("CRIMINAL_OFFENCE", "never convicted of theft"),
        ("HEALTH", "no history of asthma"),
        ("POLITICAL_OPINION", "not a Communist"),
        ("SEXUALITY", "not gay"),
        ("HEALTH", "treated for asthma"),
    ],
)
def test_a_negation_stays(entity: str, value: str) -> None:
    for surrogate in surrogates(entity, value):
        assert negates(surrogate) == negates(value), surrogate


def test_a_term_has_one_surrogate_alone_and_in_a_frame() -> None:
    """``NUXTO`` agrees with ``member of NUXTO``, and a spelling with its synonym."""
    for number in range(20):
        maker = Surrogates(KEY, f"one fact {number}")
        alone = maker.surrogate("TRADE_UNION_MEMBERSHIP", "NUXTO")

        framed = maker.surrogate("TRADE_UNION_MEMBERSHIP", "member of NUXTO")

        assert framed == f"member of {alone}"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("his boyfriend Tom", r"his [\w ]+ [A-Z]\w+"),
        ("his boyfriend Ace", r"his [\w ]+ [A-Z]\w+"),
        ("lives with his partner Gay", r"lives with his [\w ]+ [A-Z]\w+"),
    ],
)
def test_a_capitalized_word_behind_a_partner_is_a_name(value: str, written: str) -> None:
    """Nobody's lodger is called Homosexual, though `ace` and `gay` are terms."""
    orientations = {"gay", "asexual", "bisexual", "homosexual", "lesbian", "queer"}
    for surrogate in surrogates("SEXUALITY", value):
        assert re.fullmatch(written, surrogate), surrogate
        assert surrogate.split()[-1].casefold() not in orientations, surrogate


@pytest.mark.parametrize(
    ("entity", "value", "told"),
    [
        ("CRIMINAL_OFFENCE", "charged with draft-card burning", "draft card burning"),
        ("CRIMINAL_OFFENCE", "interned at Manzanar", "interned Manzanar Poston Minidoka"),
        ("CRIMINAL_OFFENCE", "held in Dachau", "Dachau Buchenwald Mauthausen"),
        ("CRIMINAL_OFFENCE", "prisoner in Vorkuta", "Vorkuta Kolyma Norilsk"),
        ("POLITICAL_OPINION", "resigned over Hungary", "Hungary"),
        ("POLITICAL_OPINION", "block worker for the Nazis", "block Nazis"),
        ("MARITAL_STATUS", "divorced on grounds of cruelty", "divorced widowed cruelty"),
        ("MARITAL_STATUS", "married by the rabbi", "married rabbi"),
        ("HEALTH", "recovering addict", "recovering addict"),
        ("HEALTH", "an addict in recovery", "addict recovery"),
        ("TRADE_UNION_MEMBERSHIP", "membership lapsed", "lapsed expelled initiated retired"),
        ("ETHNIC_ORIGIN", "a status Indian", "status Indian"),
        ("ETHNIC_ORIGIN", "registered Indian", "registered Indian"),
    ],
)
def test_what_tells_the_fact_is_no_word_of_the_frame(entity: str, value: str, told: str) -> None:
    """A camp, a cause or a rite tells the fact as a term does."""
    for surrogate in surrogates(entity, value):
        assert not words_of(told) & words_of(surrogate), surrogate


def test_a_sentence_for_life_becomes_one_of_years() -> None:
    for surrogate in surrogates("CRIMINAL_OFFENCE", "sentenced to life"):
        assert re.fullmatch(r"sentenced to \w+ years", surrogate), surrogate


@pytest.mark.parametrize("value", ["took action against him", "ran him down"])
def test_no_offence_begins_with_what_is_done_to_the_accused(value: str) -> None:
    assert frames("CRIMINAL_OFFENCE").read(value, OPTIONS) is None


def test_a_son_beside_his_name_stays_of_his_sex() -> None:
    for surrogate in surrogates("MARITAL_STATUS", "Leroy Dupree (son)"):
        assert re.fullmatch(r"[A-Z].+ \((?:nephew|stepson|godson|grandson)\)", surrogate)


def test_a_party_voted_for_is_a_noun() -> None:
    for surrogate in surrogates("POLITICAL_OPINION", "voted for Labour"):
        assert re.fullmatch(r"voted for the [A-Z]\w+s", surrogate), surrogate


def test_a_union_is_replaced_with_all_of_its_name() -> None:
    listed = {one for row in lists.rows("unions", PACK) for one in row["full"].split("|")}
    value = "the International Ladies' Garment Workers' Union"
    for surrogate in surrogates("TRADE_UNION_MEMBERSHIP", value):
        assert surrogate.removeprefix("the ") in listed, surrogate


def test_measures_of_a_body_stay_those_of_the_living() -> None:
    for surrogate in surrogates("HEALTH", "temp 101"):
        assert 97 <= int(surrogate.split()[-1]) <= 105, surrogate
    for surrogate in surrogates("HEALTH", "specific gravity 1.015"):
        assert 1.003 <= float(surrogate.split()[-1]) <= 1.030, surrogate


def test_an_article_within_a_frame_follows_its_term() -> None:
    for surrogate in surrogates("HEALTH", "sees an oncologist and a urologist", 40):
        for article, word in re.findall(r"\b(an?) (\w+)", surrogate):
            assert (article == "an") == (word[0] in "aeiou") or word.startswith("u"), surrogate


def test_an_hour_is_one_of_the_clock() -> None:
    """Nobody goes to a Mass at fourteen o'clock."""
    hours = {"five", "six", "seven", "eight", "nine", "eleven"}
    for key in range(24):
        maker = Surrogates(bytes(range(32)), f"hour {key}")
        written = maker.surrogate("RELIGION", "usher at the ten o'clock Mass")

        assert any(f"{hour} o'clock" in written for hour in hours)


def test_numbers_of_a_frame_stay_plausible() -> None:
    """A part is no more than the whole, a share no more than 100 %, a round number stays round."""
    for surrogate in surrogates("GENETIC_DATA", "matched at 36 of 37 markers", 40):
        part, whole = map(int, re.findall(r"\d+", surrogate))
        assert part <= whole
    for surrogate in surrogates("GENETIC_DATA", "probability of paternity 99.87%", 40):
        assert 90 <= float(re.findall(r"[\d.]+", surrogate)[0]) < 100
    for surrogate in surrogates("CRIMINAL_OFFENCE", "$250 fine", 40):
        assert int(re.findall(r"\d+", surrogate)[0]) % 10 == 0


def test_capitals_of_the_frame_stay() -> None:
    for surrogate in surrogates("TRADE_UNION_MEMBERSHIP", "MEMBER OF THE UNITED JAM WORKERS"):
        assert surrogate.isupper() and surrogate.startswith("MEMBER OF THE ")
    for surrogate in surrogates("CRIMINAL_OFFENCE", "Grand larceny"):
        assert surrogate[0].isupper() and not surrogate.isupper()


def test_a_union_in_a_frame_is_one_of_the_page() -> None:
    """At a British shoe factory nobody is steward for an American union."""
    text = "Mr Pomfret apologised. At the shoe factory in Northampton he was a steward for NUBSO."
    start = text.index("a steward")
    context = Context(
        Page(text, [Span(start, len(text) - 1, "TRADE_UNION_MEMBERSHIP", 1.0, "")]),
        start, len(text) - 1,
    )  # fmt: skip
    american = {
        letters
        for row in lists.rows("unions", PACK)
        if row["fits"].startswith("US ")
        for letters in row["letters"].split("|")
    }

    for number in range(30):
        maker = Surrogates(KEY, f"page {number}")
        written = maker.surrogate("TRADE_UNION_MEMBERSHIP", text[start:-1], context)
        assert not american & set(written.split()), written


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("words: [a, b]", "not a text"),
        ("terms: {office: 'delegate'}", "has not 4 terms"),
        ("terms: {office: '{offices}'}", "no list or table"),
        ("terms: {office: {like: '(', write: '{union}'}}", "bad `like`"),
        ("kinds: {}", "unknown key"),
        ("numbers: true", "not a text"),
        ("terms: {who: {like: '[a-z]+', after: 'known to', write: '{union}'}}", "single words"),
        ("terms: {who: {read: a, after: the, write: '{union}'}}", "no `like`"),
        ("alone: offices", "no kind"),
        ("terms: {who: {read: a, sure: true, write: '{union}'}}", "no `like`"),
    ],
)
def test_a_wrong_file_of_frames_is_named(tmp_path: Path, text: str, problem: str) -> None:
    """The error says which file is wrong, and what about it."""
    file = tmp_path / FOLDER / "trade_union_membership.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")

    with pytest.raises(PackError, match=r"frames/trade_union_membership\.yaml") as caught:
        phrases.frames_of("TRADE_UNION_MEMBERSHIP", Pack.open(tmp_path))

    assert problem in str(caught.value)
    assert [str(one) for one in operator_problems(Pack.open(tmp_path))] == [str(caught.value)]


def test_phrases_of_a_pack_do_without_the_shipped_frames(tmp_path: Path) -> None:
    """Frames name lists of the phrases that they were written for."""
    file = tmp_path / "operators" / "phrases" / "religion.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("shapes: [{name: a, write: [Lutheran, Baptist]}]", encoding="utf-8")

    assert phrases.frames_of("RELIGION", Pack.open(tmp_path)) is None
    assert phrases.frames_of("RELIGION", PACK) is not None


@pytest.mark.parametrize("text", ["alone: side", "words: [a]", "terms: {side: 'left, right'}"])
def test_a_wrong_file_of_shared_words_is_found_once(tmp_path: Path, text: str) -> None:
    """All entities read ``shared.yaml``, so each could report its fault."""
    file = tmp_path / FOLDER / "shared.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")

    (problem,) = operator_problems(Pack.open(tmp_path))

    assert str(problem).startswith("phrases/frames/shared.yaml: ")


@pytest.mark.parametrize("name", ["phone", "Religion"])
def test_frames_that_nothing_reads_are_found(tmp_path: Path, name: str) -> None:
    """Frames are read for entities with phrases, by a name in small letters."""
    file = tmp_path / FOLDER / f"{name}.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("words: member of", encoding="utf-8")

    assert ["is not read" in str(one) for one in operator_problems(Pack.open(tmp_path))] == [True]


def test_phrases_by_class_of_a_pack_do_without_the_shipped_frames(tmp_path: Path) -> None:
    """Frames would write most values in place of the pack's phrases."""
    file = tmp_path / "operators" / "phrases" / "like" / "religion.tsv"
    file.parent.mkdir(parents=True)
    file.write_text("class\tphrase\tsex\nN faith\tLutheran\t\n", encoding="utf-8")

    assert phrases.frames_of("RELIGION", Pack.open(tmp_path)) is None


def test_a_term_that_is_only_read_gives_its_capital() -> None:
    """A line that began with one begins with one."""
    text = "Mother a Wesleyan.\n        Sponsor Mrs. Jane Alder, midwife."
    at = text.index("Sponsor")
    context = Context(Page(text), at, at + len("Sponsor"))
    found = Surrogates("a key of at least 16 bytes").candidates("RELIGION", "Sponsor", context)

    assert all(one[0].isupper() for one in islice(found, 8))


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("accused of pocketing the collection", "accused of (?:steal|tak|pocket)"),
        ("fined for riding two on a bicycle", "fined for .*(?:driv|leav|run|speed)"),
        (
            "smashed two panes of a greenhouse",
            "broke|smash|damag|kick|set fire|threw|pull|tamp",
        ),
        (
            "punched a ticket collector",
            "str|hit|kick|slap|shov|punch|thr|butt|pull",
        ),
        ("caught netting a salmon pool", "caught (?:fish|hunt|net|tak|set|cut|shoot)"),
        ("locked up in Durham for nine weeks", "(?:held|detained|confined|jailed|kept|locked)"),
    ],
)
def test_a_deed_becomes_one_of_its_kind(value: str, pattern: str) -> None:
    """A thief is no speeder, and what is done without a licence or a lamp was done."""
    found = {Surrogates(KEY, f"doc-{at}").surrogate("CRIMINAL_OFFENCE", value) for at in range(20)}

    assert len(found) > 2
    assert all(re.match(pattern, one) for one in found), found


def test_a_year_before_a_preposition_is_a_year() -> None:
    """It moves with the dates, as all years do, and becomes no other number of its size."""
    found = {
        Surrogates(KEY, f"doc-{at}").surrogate("CRIMINAL_OFFENCE", "arrested in 1938 for poaching")
        for at in range(12)
    }

    assert all(1900 < int(re.findall(r"\d{4}", one)[0]) < 1980 for one in found)


@pytest.mark.parametrize(
    ("entity", "value", "pattern"),
    [
        ("CRIMINAL_OFFENCE", "fined £5 or one month", r"fined £\d+ or \w+ months"),
        ("CRIMINAL_OFFENCE", "one year's probation", r"(?:\w+ years'|eighteen months') .*"),
        ("TRADE_UNION_MEMBERSHIP", "trustee of the Pilots' local", r".* (?!\w*s['’]s)\S+ local"),
    ],
)
def test_grammar_holds_beside_what_was_one(entity: str, value: str, pattern: str) -> None:
    """One of a unit becomes several, and a plural gets its apostrophe alone."""
    for surrogate in surrogates(entity, value, 8):
        assert re.fullmatch(pattern, surrogate), surrogate
