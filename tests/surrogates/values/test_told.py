"""A value that the rest of its page tells stays, or becomes what agrees with the page."""

import re
from pathlib import Path

import pytest

from presidio_cdip import steps
from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.told import told_forms
from tests.growth import patience

KEY = bytes(range(32))


def place(text: str) -> Context:
    """Return where *text* marks its one value of MARITAL_STATUS with ⟦⟧."""
    before, value, after = text.replace("⟧", "⟦").split("⟦")
    span = Span(len(before), len(before) + len(value), "MARITAL_STATUS", 1.0, "")
    return Context(Page(before + value + after, [span]), span.start, span.end)


def surrogates(entity: str, text: str, scopes: int = 24, answers: str = "drawn") -> set[str]:
    """Return the surrogates, in some scopes, of the first value that *text* marks with ⟦⟧.

    Other values are marked ⟦ENTITY|value⟧, or are of *entity*.
    """
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(?:(\w+)\|)?(.+?)⟧", text, flags=re.DOTALL):
        plain += text[at : one.start()]
        spans.append(Span(len(plain), len(plain) + len(one[2]), one[1] or entity, 1.0, ""))
        plain, at = plain + one[2], one.end()
    page, own = Page(plain + text[at:], spans), next(one for one in spans if one.entity == entity)
    context = Context(page, own.start, own.end)
    value = plain[own.start : own.end]
    return {
        Surrogates(KEY, f"doc-{at}", options={"answers": answers}).surrogate(entity, value, context)
        for at in range(scopes)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We got ⟦divorced⟧ in 1970.", {"divorced", "separated"}),
        ("They talked to the couple, who are ⟦separated⟧.", {"divorced", "married", "engaged"}),
        ("She is ⟦divorced⟧ from Terry Amundson.", {"separated", "estranged", "living apart"}),
        ("IN EMERGENCY   Mrs. Ward   RELATION  ⟦Wife⟧",
         {"Mother", "Sister", "Aunt", "Sister-in-law", "Grandmother"}),
        ("Dependents: ⟦Wife⟧, two children",
         {"Mother", "Sister", "Aunt", "Sister-in-law", "Grandmother"}),
        ("He leaves his\n⟦wife⟧ and three daughters.", {"wife"}),
        ("He leaves his\n⟦wife⟧.", {"mother", "sister", "niece", "aunt"}),
        ("$25 was voted to the ⟦widow⟧ of Jacob Toll.", {"mother", "daughter", "sister", "family"}),
        ("He is 24, ⟦bachelor⟧; rank or profession: miller", {"bachelor", "widower"}),
        ("We were married and had a ⟦son⟧. In May", {"daughter", "girl", "baby girl", "baby"}),
        ("Mr. and Mrs. Toll, Hove. He is 34; she is 32.\n⟦Married⟧ nine years.", {"Married"}),
        ("They were ⟦married⟧ in June. It is the first marriage for him.", {"married"}),
        ("This ⟦married⟧ lady came with her ⟦husband, Neil⟧, on 12 May.", {"married"}),
        ("My ⟦husband⟧ is ill. We have been ⟦married⟧ thirty years.", {"husband"}),
        ("Father: James Toll, deceased\nMother: Ann, ⟦widow⟧", {"widow"}),
        ("Ram   Head   M  44   ⟦Married⟧   5th\nSita   Wife   F  39   Married   Nil", {"Married"}),
        ("Novak, docker. His ⟦wife⟧ goes to St. Ann's, two small boys at school.", {"wife"}),
        ("Miss Peel, 22, typist, ⟦not married⟧. Her aunt will take her.",
         {"not engaged", "not spoken for", "not promised", "not attached"}),
        ("Married in 1962. ⟦No children⟧.", {"No children", "Two children", "Three children"}),
    ],
)  # fmt: skip
def test_a_marriage_agrees_with_its_page(text: str, expected: set[str]) -> None:
    """Who is told to be a couple, dead, kin or childless goes on to be so."""
    assert surrogates("MARITAL_STATUS", text) == expected


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Two guns are missing. A 16-year-old ⟦male⟧ is being questioned.", True),
        ("A 16-year-old ⟦male⟧ is questioned. His mother was told.", False),
        ("SEX   ⟦Female⟧     RACE   White", False),
        ("[X] ⟦Male⟧   [ ] Female", False),
        ("⟦Girl⟧, born January 23, 1963. Weight 6 lb.", True),
        ("⟦Girl⟧, Ruth, born January 23, 1963.", False),
    ],
)
def test_a_sex_that_nothing_tells_is_drawn(text: str, drawn: bool) -> None:
    """It stays beside a name, a pronoun and in a field of a form, and if the policy keeps it."""
    found = surrogates("GENDER", text, answers="told")

    assert len(found) == 1 + drawn
    assert len(surrogates("GENDER", text, answers="kept")) == 1


def test_a_wife_is_mostly_the_same_in_two_fields() -> None:
    """One person of a page is drawn among what either field can have."""
    fields = ("Relation: ⟦Wife⟧", "Dependents: ⟦Wife⟧")
    pairs = [
        {
            Surrogates(KEY, f"doc-{at}").surrogate("MARITAL_STATUS", "Wife", place(one))
            for one in fields
        }
        for at in range(40)
    ]

    assert sum(len(one) == 1 for one in pairs) > len(pairs) / 3


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("facts: {a: {above: x}}", "unknown key 'above'"),
        ("facts: {a: {near: '('}}", "fact a: bad expression"),
        ("rules: [{value: x, told: [b]}]", "no fact 'b'"),
        ("rules: [{value: x, write: [one]}]", "not a list of several texts"),
        ("rules: [{value: '{b}'}]", "no words 'b'"),
        ("rule: []", "unknown key 'rule'"),
        ("facts: {a: {near: x}}", "no rule asks for the fact 'a'"),
        ("rules: [{value: '{us_states.size}'}]", "table us_states has no column 'size'"),
        ("facts: {a: {named: there}}", "`named` is none of"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, data: str, problem: str) -> None:
    """Who writes rules learns what is wrong with them."""
    folder = tmp_path / "operators" / "phrases" / "told"
    folder.mkdir(parents=True)
    (folder / "religion.yaml").write_text(data)

    with pytest.raises(PackError, match=re.escape(problem)) as caught:
        told_forms("RELIGION", Pack.open(tmp_path))

    assert str(caught.value).startswith("phrases/told/religion.yaml: ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bad check, ⟦dismissed⟧.",
         {"withdrawn", "continued", "adjourned", "not prosecuted", "stayed", "held over"}),
        ("His arm is bruised; he ⟦struck her⟧.",
         {f"{one} her" for one in ("pushed", "kicked", "punched", "shoved", "choked")}),
        ("DISPOSITION  ⟦Held for Circuit Court⟧",
         {"Released on recognizance", "Continued thirty days", "Committed without bail",
          "Bail set"}),
        ("(b) before a court?  ⟦NO⟧\nDetails: (a) speeding", {"NO"}),
        ("Arrested?  A.  ⟦Once⟧. Bad check, in 1982. It was dismissed.", {"Once"}),
    ],
)  # fmt: skip
def test_an_offence_agrees_with_its_case(text: str, expected: set[str]) -> None:
    """What was taken, who decides and what follows stand in the page."""
    assert surrogates("CRIMINAL_OFFENCE", text, 40) == expected


def test_a_breath_test_follows_a_drive() -> None:
    """All mentions of a page get one offence of a driver, who alone is tested so."""
    text = "⟦Driving while intoxicated⟧. Breath test .17. ⟦Driving while intoxicated⟧, continued"

    assert surrogates("CRIMINAL_OFFENCE", text, 40) == {
        "Reckless driving", "Careless driving", "Dangerous driving", "Negligent driving",
        "Driving to endanger",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("⟦Baptised at home⟧, by the nurse. Sponsors: Anne Keane", {"Baptised at home"}),
        ("He had served as ⟦deacon⟧.", {"trustee", "usher", "treasurer", "elder",
                                        "Sunday school teacher"}),
    ],
)  # fmt: skip
def test_a_rite_agrees_with_its_register(text: str, expected: set[str]) -> None:
    """In a register of baptisms everybody is baptised, and laymen stand in for priests."""
    assert surrogates("RELIGION", text, 40) == expected


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("baptised according to the rites of the Catholic Church",
         r"baptised according to the rites of the [\w -]+ Church"),
        ("Baptized in the Lutheran church", r"Baptized in the [\w -]+ church"),
        ("treasurer of the Dorcas Circle", r"[\w ]+ of the (?!Temple)[\w' ]+"),
        ("member of the sisterhood board", r"member of the \w+ committee"),
        ("attends Salem Friends Meeting", r"attends (?!.*Friends)[\w. ]+ Church"),
        ("pastor, Hope Evangelical and Reformed", r"(?!pastor)[\w ]+, (?!Hope)[\w. ]+"),
    ],
)  # fmt: skip
def test_an_office_stays_in_its_body(value: str, pattern: str) -> None:
    """A rite stays a rite, and a society of a church one of any church."""
    found = surrogates("RELIGION", f"1954.   ⟦{value}⟧", 20)

    assert len(found) > 2
    assert all(re.fullmatch(pattern, one) for one in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NEW MEMBERS. The following were ⟦read in and given the obligation⟧: Earl Hotchkiss",
         {"voted in", "sworn in", "accepted as members", "initiated and seated", "obligated"}),
        ("Lawson has asked for ⟦withdrawal card⟧.",
         {"transfer card", "retirement card", "sick benefit", "leave of absence"}),
    ],
)  # fmt: skip
def test_a_member_agrees_with_the_minutes(text: str, expected: set[str]) -> None:
    """New members are taken in, and officers have short titles."""
    assert surrogates("TRADE_UNION_MEMBERSHIP", text, 40) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("For whom did you vote in November 1992?  ⟦Perot⟧",
         {"Bush", "Clinton", "Buchanan", "Tsongas"}),
        ("October 1960. For ⟦Nixon⟧.", {"Kennedy", "Humphrey", "Rockefeller", "Symington"}),
        ("Toronto, 1966. ⟦New Democratic candidate for alderman⟧",
         {f"{one} candidate for alderman" for one in
          ("Liberal", "Progressive Conservative", "Social Credit")}),
    ],
)  # fmt: skip
def test_a_vote_agrees_with_year_and_country(text: str, expected: set[str]) -> None:
    """Nobody voted for a candidate of another year, nor in Ontario for a Republican."""
    assert surrogates("POLITICAL_OPINION", text, 80) == expected


def test_parties_of_a_column_are_those_of_its_page() -> None:
    """A canvasser's sheet counts three, and a fourth would be none of them."""
    text = "12 Elm  ⟦Dem.⟧\n14 Elm  ⟦Rep.⟧\n16 Elm  ⟦Ind.⟧"

    assert surrogates("POLITICAL_OPINION", text, 40) == {"Rep.", "Ind."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Born at ⟦PLACE_OF_BIRTH|Gary, Ind.⟧  U.S. citizen: ⟦Yes⟧", {"Yes"}),
        ("Born at ⟦PLACE_OF_BIRTH|Naples, Italy⟧  U.S. citizen: ⟦Yes⟧", {"No"}),
        ("Any other nationality:  ⟦None⟧", {"None", "Nil", "No other"}),
        ("Born at ⟦PLACE_OF_BIRTH|Lwow, Poland⟧. ⟦Naturalized U.S. citizen⟧, 1954.",
         {"Citizen by marriage", "Permanent resident", "Resident alien", "Derivative citizen"}),
    ],
)  # fmt: skip
def test_a_citizen_agrees_with_the_birthplace(text: str, expected: set[str]) -> None:
    """A birthplace keeps its country, so that it tells who is a citizen."""
    assert surrogates("NATIONALITY", text, 60) == expected


def test_a_whole_class_of_fingerprints_changes_in_all_its_parts() -> None:
    """Its denominator stays one, and nothing but its signs is as it was."""
    part = r"[SMLOI] \d{1,2} (?:[URTAW]|Ut|Ur|rU) [OIM]{3}"
    found = surrogates("BIOMETRIC_DATA", "F.P.C.  ⟦20 M 1 U IOO 9 / M 1 U OII⟧")

    assert all(re.fullmatch(rf"\d{{1,2}} {part} \d{{1,2}} / {part}", one) for one in found)
    assert not any(re.search(r"\bM 1\b|IOO \d|OII\Z", one) for one in found)
    assert surrogates("BIOMETRIC_DATA", "4 Ring   plain whorl   ⟦meet⟧") == {
        "meet", "inner", "outer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("MARITAL_STATUS", "She and her ⟦husband⟧ have been ⟦separated⟧ since May.", {"husband"}),
        ("MARITAL_STATUS", "Name: Ann Toll\nNotify Mrs. Ann Toll, ⟦wife⟧", {"wife"}),
        ("MARITAL_STATUS", "He has a boy by his first ⟦wife⟧, who died.", {"wife"}),
        ("MARITAL_STATUS", "Miss Toll, ⟦spinster⟧ of this parish", {"spinster"}),
        ("MARITAL_STATUS", "My ⟦mother-in-law⟧ is ill.",
         {"sister-in-law", "daughter-in-law", "aunt"}),
        ("MARITAL_STATUS", "Our eldest ⟦daughter⟧ is in the convent.",
         {"adopted daughter", "foster daughter", "stepdaughter", "niece", "cousin"}),
        ("MARITAL_STATUS", "Mrs. Prout, ⟦widow⟧. Her husband was killed in 1933.", {"widow"}),
        ("MARITAL_STATUS", "Initials: T. Nguyen. Bea Lund, ⟦deserted⟧.",
         {"separated", "divorced", "estranged"}),
        ("TRADE_UNION_MEMBERSHIP", "Applications: T. Nguyen, D. Poole were ⟦admitted⟧.",
         {"voted in", "sworn in", "accepted as members", "initiated and seated", "obligated"}),
        ("CRIMINAL_OFFENCE", "Hallam, Yorks, 1986. ⟦Drunk and disorderly⟧, fined £10",
         {"Drunk and incapable", "Drunk in charge", "Drunk in a public place", "Excess alcohol"}),
        ("ETHNIC_ORIGIN", "Appearance  ⟦1⟧  (1 White European 2 Dark European 3 Black 4 Asian)",
         {"2", "3", "4"}),
        ("POLITICAL_OPINION", "Tape of March 1998. I met her at a ⟦Stevenson⟧ meeting.",
         {"Eisenhower", "Ike", "Kefauver", "Harriman"}),
        ("NATIONALITY", "Kowal  47  ⟦Na⟧\nSella  43  ⟦Al⟧", {"Na", "Al"}),
        ("CRIMINAL_OFFENCE", "Fort Hood 1-18-46     ⟦AWOL⟧     Forf. of pay",
         {"Drunk in quarters", "Out of bounds", "Disobeyed an order", "Lost equipment",
          "Late for duty"}),
        ("POLITICAL_OPINION", "Ireland 1957. We voted ⟦Fianna Fáil⟧.",
         {"Fine Gael", "Labour", "Clann na Poblachta", "Clann na Talmhan"}),
    ],
)  # fmt: skip
def test_what_own_pages_showed(entity: str, text: str, expected: set[str]) -> None:
    """Words that a page uses of somebody hold of what is drawn."""
    assert surrogates(entity, text, 60) == expected


def test_a_union_keeps_its_trade_in_capitals() -> None:
    """The words that all unions have tell none, and a rolling mill is no mill."""
    text = "1950. ⟦LOCAL 22, UNITED STEELWORKERS OF AMERICA⟧\nThe rolling mill reports."
    unions = {one.split(", ")[1] for one in surrogates("TRADE_UNION_MEMBERSHIP", text)}

    assert len(unions) > 3
    assert not any("TEXTILE" in one or "GARMENT" in one or "CLOTHING" in one for one in unions)


def test_a_row_of_any_table_has_a_draw() -> None:
    """Cells are parted by blanks, bars or commas."""
    for row in ("1001,⟦F⟧,34,W,M", "| 7 | ⟦F⟧ | 44 | asthma |", "7   ⟦F⟧   44   asthma"):
        rows = f"{row}\n{row.replace('F', 'M')}"
        assert surrogates("GENDER", rows, answers="told") == {"M", "F"}
    named = '"Toll, Ann",⟦F⟧,34,W\n"Roe, Al",⟦M⟧,31,W'
    assert surrogates("GENDER", named, answers="told") == {"F"}


def test_cells_of_a_form_for_one_person_are_no_row_of_a_table() -> None:
    """The form's name and pronouns stand lines away."""
    form = (
        "Name  Toll, Ann\n\nBorn      Age   Sex      Place\n3/9/31    35    ⟦Female⟧    Ohio\n\nShe"
    )

    assert surrogates("GENDER", form, answers="told") == {"Female"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was ⟦released without charge⟧.",
         {"released pending inquiries", "let off with a warning", "sent home",
          "released on bail"}),
    ],
)  # fmt: skip
def test_police_and_records(text: str, expected: set[str]) -> None:
    """Who is let go did not confess."""
    assert surrogates("CRIMINAL_OFFENCE", text, 40) == expected


@pytest.mark.parametrize("year", range(1920, 2028, 4))
def test_a_candidate_is_never_drawn_again(year: int) -> None:
    """Each election had others, if those of primaries and third parties count."""
    rules = told_forms("POLITICAL_OPINION", Pack())[0].rules
    standing = next(one for one in rules if "Truman" in one.write).written(year)

    assert len(standing) >= 4
    for own in standing[:2]:
        drawn = surrogates("POLITICAL_OPINION", f"Election of {year}. I voted for ⟦{own}⟧.", 8)
        assert own not in drawn


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Ohio 1952. Union: ⟦Brotherhood of Signal Maintainers⟧",
         r"(?:Brotherhood of (?:Rail|Loco|Maint)|Order of Rail)\S+.*"),
        ("2219  Toll, Amos    --   --   ⟦W/D card⟧ 4/3",
         r"(?:Transfer|Retirement) card|Reinstated|Initiated|Suspended"),
    ],
)  # fmt: skip
def test_a_union_goes_with_its_words(text: str, pattern: str) -> None:
    """A brotherhood has one head, trades no town, and remarks with a date are of one member."""
    found = surrogates("TRADE_UNION_MEMBERSHIP", text, 40)

    assert len(found) > 3
    assert all(re.fullmatch(pattern, one) for one in found)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Her ⟦rabbi at Congregation Ner Tamid⟧ called.",
         "(?:pastor|minister|rector|priest|rabbi|cantor|imam) at .+"),
        ("⟦Treasurer of Presbyterian Student Fellowship⟧, 1960",
         "[A-Z][a-z]+(?: [A-Z][a-z]+)? of [A-Z].+"),
        ("Date and church of baptism: ⟦12th May 1931, St. Brendan's, Toomore⟧",
         r"\d{1,2}[a-z]{2} [A-Z][a-z]+ 19\d\d, St\. [A-Z][a-z]+, [A-Z].+"),
    ],
)  # fmt: skip
def test_a_faith_goes_with_what_is_asked(text: str, pattern: str) -> None:
    """A rite is one by which people join, an office has a house of its faith."""
    found = surrogates("RELIGION", text, 30)

    assert len(found) > 3
    assert all(re.fullmatch(pattern, one) for one in found)


def test_a_church_is_none_of_the_same_faith() -> None:
    """Another that has its name would tell it."""
    found = surrogates("RELIGION", "Her ⟦pastor at First Baptist⟧ called.", 80)

    assert len(found) > 3
    assert not any("Baptist" in one or "First" in one for one in found)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("9. Are you a Catholic? ⟦Yes⟧\n10. Have you a car?", False),
        ("Religion / caste: ⟦Hindu⟧ / Kamma", True),
    ],
)
def test_a_faith_stays_that_the_form_goes_on_to_tell(text: str, stays: bool) -> None:
    """A date of baptism tells the faith as well, and so does a caste."""
    value = re.search("⟦(.+?)⟧", text)[1]  # type: ignore[index]

    assert (surrogates("RELIGION", text) == {value}) is stays


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ⟦divorce⟧ decree was seen.", {"annulment", "separation", "legal separation"}),
        ("He sued for ⟦divorce⟧. The grounds were cruelty.",
         {"separation", "legal separation", "judicial separation", "parting"}),
    ],
)  # fmt: skip
def test_a_marriage_goes_with_the_word_behind_it(text: str, expected: set[str]) -> None:
    """A court issues no decree of estrangement, and nobody a certificate of elopement."""
    assert surrogates("MARITAL_STATUS", text, 60) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is waiting on his ⟦visa⟧.",
         {"green card", "work permit", "residence permit", "reentry permit",
          "citizenship papers"}),
    ],
)  # fmt: skip
def test_a_form_keeps_its_title_and_a_visa_is_none(text: str, expected: set[str]) -> None:
    """What a form prints is nobody's status; a student visa would still say visa."""
    assert surrogates("NATIONALITY", text, 40) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Arrested 2003, ⟦charges dropped⟧",
         {f"charges {one}" for one in ("reduced", "stayed", "adjourned", "not proved")}),
    ],
)  # fmt: skip
def test_an_offence_stays_in_its_class_and_stage(text: str, expected: set[str]) -> None:
    """A bond schedule has classes, a charge stages, and marijuana would be a drug."""
    assert surrogates("CRIMINAL_OFFENCE", text, 60) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Complexion:  ⟦Med. brown⟧   Hair: black",
         {"Lt. brown", "Dk. brown", "Med. fair", "Med. dark", "Lt. olive"}),
        ("Complexion:  ⟦swarthy⟧   Hair: black",
         {"fair", "dark", "medium", "ruddy", "sallow", "olive", "tan", "brown"}),
        ("Caste: ⟦Kunbi⟧   Mother tongue: Marathi",
         {"Maratha", "CKP", "Deshastha Brahmin", "Koknastha Brahmin", "Karhade Brahmin",
          "Saraswat Brahmin", "Sonar", "Mali"}),
        ("Pretoria 1953. The ⟦European⟧ male was born at Vryburg.",
         {"Coloured", "Asiatic", "Indian", "Native", "Bantu"}),
    ],
)  # fmt: skip
def test_a_complexion_a_caste_and_a_class_are_of_their_kind(text: str, expected: set[str]) -> None:
    """The colour of a skin is no people, and a register has the words of its country."""
    assert surrogates("ETHNIC_ORIGIN", text, 80) == expected


def test_a_long_line_stalls_nothing() -> None:
    """Facts of a line are read beside the value alone: a paragraph of JSON is one long line."""
    text = "word " * 3000 + "male " + "word, word  " * 3000
    at = text.index("male")
    blanks = "3 children" + " " * 20_000 + "x"

    with patience():
        steps.anonymize(
            text, [Span(at, at + 4, "GENDER", 1, "")], steps.steps(key="k" * 31 + "abcdef")
        )
        steps.anonymize(
            blanks, [Span(0, 10, "MARITAL_STATUS", 1, "")], steps.steps(key="k" * 31 + "abcdef")
        )


@pytest.mark.parametrize(
    ("label", "answers"),
    [("Birthplace", {"yes"}), ("Spouse's birthplace", {"yes", "no"})],
)
def test_a_birthplace_tells_of_whom_it_is_about(label: str, answers: set[str]) -> None:
    """An answer stays for the birthplace of the same person, and is drawn beside another's."""
    text = f"U.S. citizen? ⟦yes⟧\n{label}: ⟦PLACE_OF_BIRTH|Chicago, Illinois⟧"

    assert surrogates("NATIONALITY", text) == answers


@pytest.mark.parametrize(
    "text",
    [
        "His sister came over from Dover. She is ⟦married⟧ and well. The wedding ring was hers.",
        "The honeymoon was at Hove. Her sister is ⟦married⟧.",
        "He keeps his wedding ring. His daughter is ⟦married⟧.",
    ],
)
def test_what_tells_of_another_person_tells_nothing(text: str) -> None:
    """A sentence about a relative, and one beside it, are of two persons."""
    assert surrogates("MARITAL_STATUS", text) != {"married"}


@pytest.mark.parametrize(
    "text",
    [
        "She is ⟦married⟧ and well. She keeps the wedding ring.",
        "Ann and Ted are ⟦engaged⟧; the banns were read at Hove.",
        "The two were joined in ⟦matrimony⟧ on the 3rd.",
        "She came in on a K-1 as the ⟦fiancée⟧ of a sailor.",
        "⟦Former wife⟧, now Mrs. Dora Toll of Hove",
        "My ⟦husband⟧ and I can spare a little.",
        "⟦Husband⟧ died of a stroke in 1961.",
    ],
)
def test_a_tie_stays_where_the_page_goes_on_from_it(text: str) -> None:
    """What follows would contradict any other state."""
    own = re.search("⟦(.+?)⟧", text)

    assert own and surrogates("MARITAL_STATUS", text) == {own[1]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The parties were married in 1950 and ⟦separated⟧ in May.", {"divorced", "separated"}),
        ("She told of her ⟦estranged husband⟧ at Hove.",
         {"former husband", "ex-husband", "divorced husband"}),
        ("Status: ⟦Widower⟧", {"Divorced", "Single", "Separated", "Married"}),
        ("He has ⟦remarried⟧ and lives at Hove.",
         {"moved away", "settled down", "found steady work", "moved back home", "retired",
          "gone abroad"}),
    ],
)  # fmt: skip
def test_papers_and_ties_become_others_of_their_kind(text: str, expected: set[str]) -> None:
    """A paper becomes one of the same office, an answer an answer, somebody near another."""
    assert surrogates("MARITAL_STATUS", text, scopes=60) == expected


def test_whose_widow_she_is_becomes_another_person() -> None:
    """His name is replaced with the tie to him."""
    found = surrogates("MARITAL_STATUS", "They talked to the ⟦widow of Otto Toll⟧.", scopes=60)

    assert {one.split()[0] for one in found} == {"mother", "sister", "daughter", "niece", "aunt"}
    assert not any(name in one for one in found for name in ("Otto", "Toll"))


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("RELIGION", "⟦Jewish⟧; her rabbi will call before Passover", {"Jewish"}),
        ("RELIGION", "We were ⟦Catholics⟧ and the nuns taught us.", {"Catholics"}),
        ("RELIGION", "He claims exemption as a ⟦Quaker⟧ before the draft board, in 1943.",
         {"Mennonite", "Christadelphian", "Seventh-day Adventist", "Jehovah's Witness",
          "Dunkard"}),
        ("POLITICAL_OPINION", "Ohio, 1944. He signed for the ⟦Prohibition Party⟧.",
         {f"{one} Party" for one in ("Progressive", "Socialist", "Socialist Labor",
                                     "Farmer-Labor", "American Labor", "Socialist Workers")}),
        ("POLITICAL_OPINION", "In June 1952 she ⟦canvassed for Adlai⟧.",
         {f"canvassed for {one}" for one in ("Eisenhower", "Kefauver", "Harriman", "Ike")}),
        ("TRADE_UNION_MEMBERSHIP", "⟦Sick Committee⟧: Bros. Toll and Day",
         {f"{one} Committee" for one in
          ("Auditing", "Grievance", "Bylaws", "Election", "Entertainment", "Finance",
           "Legislative", "Organizing", "Education")}),
        ("NATIONALITY", "Naturalization certificate. Cert. No. 4411  ⟦U.S.⟧", {"U.S."}),
        ("NATIONALITY", "D.P. card 4411, ⟦stateless⟧", {"stateless"}),
        ("NATIONALITY", "In 1998 he came on an ⟦L-1⟧ visa.",
         {"H-1B", "O-1", "TN", "E-2", "P-1", "R-1"}),
        ("GENETIC_DATA", "HFE gene: ⟦H63D⟧", {"C282Y", "S65C", "E168X"}),
        ("GENETIC_DATA", "Blood group ⟦O Rh neg⟧",
         {"A Rh pos", "A Rh neg", "B Rh pos", "B Rh neg", "O Rh pos", "AB Rh pos"}),
        ("GENETIC_DATA", "A recessive trait; his father is a ⟦carrier⟧.", {"carrier"}),
        ("GENETIC_DATA", "Recurrence risk ⟦2-4%⟧",
         {"1-2%", "2-3%", "3-5%", "5-8%", "10-12%", "15-20%", "25-30%"}),
        ("BIOMETRIC_DATA", "TPOX ⟦8,11⟧", {f"{one},{other}" for one in range(8, 13)
                                          for other in range(one, 13)} - {"8,11"}),
        ("CRIMINAL_OFFENCE", "He was ⟦paroled⟧ in May.",
         {"released", "furloughed", "discharged", "transferred", "released early"}),
    ],
)  # fmt: skip
def test_facts_of_other_kinds_are_kept(entity: str, text: str, expected: set[str]) -> None:
    """A gene, a locus, a country, a faith and a meeting that stay on the page decide."""
    found = surrogates(entity, text, scopes=80)

    assert found <= expected
    assert len(found) >= min(3, len(expected))


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("MARITAL_STATUS", "The plaintiff was granted ⟦a divorce⟧.",
         {"a legal separation", "an annulment", "a judicial separation"}),
        ("MARITAL_STATUS", "A ⟦lone mother⟧ of three called.",
         {f"{one} mother" for one in ("widowed", "divorced", "separated", "unmarried", "single")}),
        ("MARITAL_STATUS", "⟦recently widowed⟧; sleeps badly",
         {f"recently {one}" for one in ("divorced", "separated", "engaged")}),
        ("RELIGION", "Raised ⟦Seventh-day Adventist⟧; keeps the Sabbath.",
         {"Seventh-day Adventist"}),
        ("POLITICAL_OPINION", "In June 1968 the lawn had ⟦Nixon signs⟧.",
         {f"{one} signs" for one in
          ("Humphrey", "Wallace", "McCarthy", "Rockefeller")}),
        ("GENETIC_DATA", "Each child has ⟦a 50% chance of having it⟧.",
         {"a 50% chance of having it"}),
        ("CRIMINAL_OFFENCE", "Count 2  ⟦theft, 3rd degree⟧",
         {f"{one}, 3rd degree" for one in
          ("burglary", "larceny", "robbery", "forgery", "criminal mischief", "arson")}),
        ("CRIMINAL_OFFENCE", "He ⟦broke into a cinema⟧ in May.",
         {f"broke into a {one}" for one in
          ("garage", "warehouse", "school", "tool shed", "clubhouse", "shop")}),
    ],
)  # fmt: skip
def test_what_stays_narrows_what_is_written(entity: str, text: str, expected: set[str]) -> None:
    """A word of the like is drawn that the rest of the page goes on from."""
    found = surrogates(entity, text, scopes=80)

    assert found <= expected
    assert len(found) >= min(2, len(expected))


def test_words_within_a_value_keep_their_article_and_capitals() -> None:
    """A name has its own capitals, and an article before a written word agrees with it."""
    text = "May 1950, Cork. He was ⟦a Fine Gael man⟧."
    steward = "Leeds, 1985. ⟦a NUPE steward⟧"

    assert "a Clann na Poblachta man" in surrogates("POLITICAL_OPINION", text, scopes=60)
    assert {one for one in surrogates("TRADE_UNION_MEMBERSHIP", steward, scopes=80)
            if one.startswith("a ")}.isdisjoint({"a RCN steward", "a NUJ steward",
                                                 "a EETPU steward"})  # fmt: skip


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("CRIMINAL_OFFENCE", "Single, ⟦never convicted⟧, a baker.", "never|once|twi|prev|one|no "),
        ("CRIMINAL_OFFENCE", "They took an hour to ⟦acquit⟧ her.", "convict|clear|free|dis"),
        ("CRIMINAL_OFFENCE", "I find for the Crown and ⟦convict⟧ him.", "sent|fine|remand|co|ca"),
        ("CRIMINAL_OFFENCE", "Forgery, ⟦2 to 6 years⟧", r"\d to \d+ years"),
        ("CRIMINAL_OFFENCE", "He was ⟦stabbed twice with a fork⟧.", ".* (?:with|in|down) "),
        ("TRADE_UNION_MEMBERSHIP", "Hoffman ⟦FAWU shop steward⟧", "[A-Z]{3,8} shop [a-z]+"),
        ("POLITICAL_OPINION", "She ⟦subscribed to the Prairie Leader⟧.", "subscribed to the .* "),
        ("GENETIC_DATA", "Trisomy 18 ..... ⟦HIGH⟧", "LOW|HIGH"),
        ("GENETIC_DATA", "Zygosity: ⟦DZ by 20 markers⟧", "(?:MZ|DZ) by"),
        ("GENETIC_DATA", "NRAS ⟦wild type⟧, sent May 4.", "wild type|mutated"),
        ("BIOMETRIC_DATA", "Dental chart\n#14  ⟦gold inlay⟧\n", "(?!.*lobe).*"),
        ("BIOMETRIC_DATA", "A mark on the sill was ⟦his, right palm⟧.", "his, "),
    ],
)  # fmt: skip
def test_what_stands_beside_a_value_says_of_what_kind_it_is(
    entity: str, text: str, pattern: str
) -> None:
    """A weapon is no deed, an officer no union, a ward no candidate and a tooth no ear."""
    found = surrogates(entity, text)

    assert len(found) > 1
    assert all(re.match(pattern, one) for one in found), found


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("CRIMINAL_OFFENCE", "He entered a plea of ⟦guilty⟧ in Polk County, Iowa.",
         "not guilty|no contest|nolo contendere"),
        ("CRIMINAL_OFFENCE", "1979 ⟦Assault III⟧, Portland", "[A-Z][A-Za-z ]+ III"),
        ("CRIMINAL_OFFENCE", "⟦Absent without leave, 3 days⟧", "[A-Z](?!bsent)[a-z ]+"),
        ("CRIMINAL_OFFENCE", "1979 ⟦DUII⟧, ⟦HEALTH|BAC .18⟧",
         ".*(?i:driving).*"),
        ("ETHNIC_ORIGIN", "Race: ⟦Two or more races⟧",
         "White|Black|Hispanic|Asian|Native American"),
        ("ETHNIC_ORIGIN", "Indigenous status: ⟦No⟧",
         "Aboriginal|Torres Strait Islander|Both|Neither|Not stated"),
        ("ETHNIC_ORIGIN", "Race ⟦white⟧, eyes blue", "white"),
        ("ETHNIC_ORIGIN", "Grandfather was ⟦Volga German⟧.", "(?!Volga).+"),
        ("NATIONALITY", "Father ⟦naturalized⟧ 1919", "(?!.*asylum|naturalized).+"),
        ("ETHNIC_ORIGIN", "Custody record. Self-defined: ⟦Asian⟧",
         "White|Black|Asian|Mixed|Chinese|Arab"),
        ("MARITAL_STATUS", "⟦Wife⟧ Lutheran; ⟦MARITAL_STATUS|wife Anna Berg⟧", "Wife"),
        ("POLITICAL_OPINION", "⟦Members⟧ to call on", "[A-Z][a-z]+s"),
        ("POLITICAL_OPINION", "He worked for ⟦Adlai Stevenson⟧ in 1952.",
         r"(?!Adlai)[A-Z]\w+ [A-Z]\w+"),
        ("BIOMETRIC_DATA", "Print ⟦matched to those on a jar⟧ found there.",
         "matched to those on an? (?!jar).+"),
        ("BIOMETRIC_DATA", "9.3.51 Search: ⟦No previous prints traced⟧", r"[^\d]+"),
        ("HEALTH", "The old man is in the ⟦county home⟧ since May.", r"(?!the )\w+( \w+)?"),
        ("HEALTH", "night sweats ⟦denies⟧    cough none", "denie[ds]|none|absent|not? .*"),
        ("HEALTH", "Pension for ⟦complete blindness⟧ since 1951.", "complete (?!blind).*"),
        ("POLITICAL_OPINION", "He ran on the ⟦C.C.F.⟧ slate in Regina.", ".*[^s.]"),
        ("GENETIC_DATA", "I am sorry to say she has ⟦inherited the gene⟧.",
         "inherited (?!the normal).*|tested positive.*|turned out to be a carrier"),
        ("SEXUALITY", "⟦We were lovers⟧ for a year.", "We .+"),
        ("RELIGION", "She ⟦led the Ruth class⟧ at Bethel.", "(?!.*convent|.*Order)[a-z ]+"),
        ("TRADE_UNION_MEMBERSHIP", "Withdrawn: T. Poole, 12, ⟦card issued⟧",
         ".*(?:out|card|arrears|resigned|vote|expired|lapsed|off)"),
        ("TRADE_UNION_MEMBERSHIP", "Dunedin, NZ: joined the ⟦PSA⟧",
         "NZ.*|MCSU|MSGA|WSWF|HWSF|NDAU|MAGU|RCLU|ASMS|SFWU|PPTA|EPMU|NDU|ASTE|TEU|MUNZ|UMNZ|RMTU|HBWU|PTEU"),
        ("DATE_OF_BIRTH", "born on the ⟦4th day of March, anno Domini 1896⟧",
         r"\d+\w\w day of \w+, anno Domini \d{4}"),
        ("POLITICAL_OPINION", "He left the ⟦Communist Party of Hungary⟧ for good.",
         r"[A-Z][\w']+ Party of Hungary"),
        ("POLITICAL_OPINION", "In 1952 she went to a dinner of the ⟦Jefferson School⟧.",
         ".*(?:League|Union|Club|Federalists)"),
        ("POLITICAL_OPINION", "Old Hughes has gone over to ⟦Plaid⟧.", "the .+s"),
        ("CRIMINAL_OFFENCE", "2/3/1991 ⟦Trafficking in marijuana, 2nd degree⟧ 5 years",
         ".+, 2nd degree"),
        ("GENETIC_DATA", "VUS in MSH6: ⟦c.2633T>C⟧.", r"c\.\d+[ACGT]>[ACGT]"),
        ("MARITAL_STATUS", "Travelling with: wife\nAge 41  Status: ⟦Married⟧", "Married"),
        ("NATIONALITY", "17,⟦GTM⟧,M", "[A-Z]{3}"),
        ("BIOMETRIC_DATA", "03311,Reyes,⟦RRLLWRRLLW⟧,,asthma", "[ALRTWU]{10}"),
        ("ETHNIC_ORIGIN", "Card of 1938. COLOR ⟦Colored⟧ HEIGHT 5-7", "(?!Asian|Hispanic).+"),
        ("TRADE_UNION_MEMBERSHIP", "She signed with the ⟦S.W.O.C.⟧ Later she left.",
         r"(?:[A-Z]\.)+"),
        ("DATE_OF_BIRTH", "A. In ⟦nineteen and twenty-six⟧, on a farm.",
         r"nineteen and [\w-]+"),
        ("DATE_OF_BIRTH", "PUPIL RECORD, Grade 3, 1951. Born ⟦5-14-43⟧", ".*-4[012]"),
    ],
)  # fmt: skip
def test_a_value_fits_what_stands_beside_it(entity: str, text: str, pattern: str) -> None:
    """What a label, a list, a year or a sentence says of a value holds of its surrogate."""
    found = surrogates(entity, text)

    assert all(re.fullmatch(pattern, one) for one in found), found


@pytest.mark.parametrize(
    ("entity", "text", "pattern"),
    [
        ("CRIMINAL_OFFENCE", "Roll of the 9th Infantry. Charge of ⟦desertion⟧, 1863",
         "(?!.*desert).+"),
        ("CRIMINAL_OFFENCE", "Six were taken at the picket, for ⟦blocking the road⟧.",
         ".*(?:assembly|officer|disperse|parading|move on|arrest|trespass|peace|conduct).*"),
        ("CRIMINAL_OFFENCE", "Juvenile court 1931, ⟦probation⟧", "(?!house arrest|community).+"),
        ("CRIMINAL_OFFENCE", "Magistrates, Leeds: ⟦two days⟧", ".* days"),
        ("MARITAL_STATUS", "She is ⟦engaged⟧ to a clerk.", "married|introduced|attached|wed"),
        ("MARITAL_STATUS", "⟦Married⟧ at the parish church in 1931.", "Married"),
        ("MARITAL_STATUS", "Mother a ⟦widow⟧ since 1927.", "(?!spinster|widow).+"),
        ("MARITAL_STATUS", "Waterford, 1955. Mrs. Roe, ⟦widow⟧, 70", "(?!divorc|widow).+"),
        ("SEXUALITY", "we add your ⟦husband⟧ to the plan after the wedding", ".*(?:spouse|half).*"),
        ("RELIGION", "The stoker is a ⟦Hindu⟧ and messes apart.",
         "Mohammedan|Muslim|Jew|Sikh|Jain|Parsee"),
    ],
)  # fmt: skip
def test_a_value_is_of_its_time_and_place(entity: str, text: str, pattern: str) -> None:
    """No law, custom, list or grammar of the page forbids the surrogate."""
    found = surrogates(entity, text)

    assert all(re.fullmatch(pattern, one) for one in found), found


def test_a_race_that_stays_keeps_its_part_of_the_world() -> None:
    """Blue eyes tell a race, and a birthplace goes with it."""
    text = "Jozef Halaska, color ⟦ETHNIC_ORIGIN|white⟧, eyes blue, born in ⟦Kosice, Slovakia⟧"
    found = surrogates("PLACE_OF_BIRTH", text, 12)

    assert not any(re.search("Ethiopia|Haiti|Nigeria|Ghana|Kenya|Jamaica", one) for one in found)
