"""Names of persons and organizations, and addresses of e-mail."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.values import names
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN, origin_of, sex_of
from presidio_cdip.surrogates.values.name_words import RESERVED
from presidio_cdip.surrogates.values.names import (
    EMAIL_FORMS,
    ORGANIZATION_FORMS,
    PERSON_FORMS,
    first_name,
    person,
)
from presidio_cdip.surrogates.writing.text import folded, repaired

KEY = bytes(range(32))
OPTIONS: dict[str, Any] = {"pack": Pack.shipped()}
WORDS = ["Ellen", "Ward", "WARD", "ellen", "O'Brien", "McNeil", "van", "der", "Dr.", "Mrs.", "F.",
         "M.", "Jr.", "III", "M.D.", "née", "and", "de", "the", "Smith-Jones", "王小明", "E11en",
         "Ph.D.", "JD", "'s", "(Nell)", "Ward,", "Inc.", "University", "of", "600", "AT&T", "3M",
         "Co.", "& Sons", "IBM", "Hospital", "U.E."]  # fmt: skip


def reading(forms: Sequence[Form], value: str, locale: str = "en_US") -> Reading:
    found = (form.read(value, OPTIONS | {"locale": locale}) for form in forms)
    return next(read for read in found if read)


def draw(normal: str = "", attempt: int = 0, locale: str = "en_US") -> Draw:
    return Draw(Keyring(KEY, "doc", locale), "PERSON", normal, attempt, OPTIONS)


def written(forms: Sequence[Form], value: str, attempt: int = 0, locale: str = "en_US") -> str:
    read = reading(forms, value, locale)
    return read.write(draw(read.normal, attempt, locale))


# Persons


def test_parts_of_a_name_agree() -> None:
    """However a name is written, its parts get the same surrogates."""
    first, last = written(PERSON_FORMS, "Ellen Ward").split()

    assert written(PERSON_FORMS, "WARD, Ellen") == f"{last.upper()}, {first}"
    assert written(PERSON_FORMS, "Mrs. Ward") == f"Mrs. {last}"
    assert written(PERSON_FORMS, "ellen ward") == f"{first} {last}".lower()
    assert written(PERSON_FORMS, "E11en\nWard") == f"{first}\n{last}"
    assert written(PERSON_FORMS, "Ellen") == first
    assert written(EMAIL_FORMS, "ellen.ward@gmail.com").startswith(f"{first}.{last}@".lower())
    assert written(EMAIL_FORMS, "ellenward@gmail.com").startswith(f"{first}{last}@".lower())
    assert first_name(draw(), "ELLEN") == first.upper()
    assert person(draw(), "Ellen Ward") == f"{first} {last}"


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Ellen M. Ward", r"N I\. N"),
        ("Ward, Ellen M.", r"N, N I\."),
        ("F. M. Ward", r"I\. I\. N"),
        ("J.R. Ward", r"I\.I\. N"),
        ("Ward, J. D.", r"N, I\. I\."),
        ("Mr. and Mrs. Ellen Ward", r"Mr\. and Mrs\. N N"),
        ("Rev. Dr. Martin Ellis III", r"Rev\. Dr\. N N III"),
        ("Harold T. Ward, Jr.", r"N I\. N, Jr\."),
        ("Hugh L. Dryden, M.D.", r"N I\. N, M\.D\."),
        ("Prof. Anna van der Berg", r"Prof\. N van der N"),
        ("the former Edith Stallings", "the former N N"),
        ("Ellen Ward née Stone", "N N née N"),
        ("Ellen Smith-Jones", "N N-N"),
        ("Mr. Lesjak", r"Mr\. N"),
        ("O’Hara, Kate", "O’N, N"),
        ("Hugh McNeil", "N McN"),
        ('Robert "Bob" Ward', 'N "N" N'),
        ("Ellen's", "N's"),
        ("Lord, Ellen", "N, N"),
        ("Wm. Hatch", "N N"),
    ],
)
def test_names_keep_their_way_of_writing(value: str, shape: str) -> None:
    """Titles, suffixes, particles and initials stay what they are; every name is another."""
    pattern = shape.replace("N", "[A-Z][a-z]+").replace("I\\.", "[A-Z]\\.")

    surrogate = written(PERSON_FORMS, value)

    assert re.fullmatch(pattern, surrogate)
    kept = set(re.findall(r"[^\W\d_]+", shape)) | {"Mc"}
    names = set(re.findall(r"[^\W\d_]{2,}", value)) - kept
    assert not names & set(re.findall(r"[^\W\d_]{2,}", surrogate))


@pytest.mark.parametrize(
    ("value", "gender"),
    [
        ("Ellen Ward", "female"),
        ("HAROLD WARD", "male"),
        ("Mrs. Xeryl Ward", "female"),
        ("Mr. Xeryl Ward", "male"),
        ("Mrs. Harold Ward", "male"),
    ],
)
def test_gender_stays(value: str, gender: str) -> None:
    """The lists tell the gender of a first name, or else the title does."""
    surrogates = [written(PERSON_FORMS, value, attempt) for attempt in range(20)]

    names = {name.lower() for name in terms(f"first_names_{gender}", Pack.shipped())}
    assert all(surrogate.lower().split()[-2] in names for surrogate in surrogates)


def on_page(text: str, pack: Pack | None = None) -> list[str]:
    """Return the surrogates of the names that *text* marks with ⟦⟧."""
    spans, plain = [], ""
    for number, piece in enumerate(re.split("[⟦⟧]", text)):
        if number % 2:
            spans.append(Span(len(plain), len(plain) + len(piece), "PERSON", 1.0, ""))
        plain += piece
    page = Page(plain, spans)
    surrogates = []
    for span in spans:
        context = Context(page, span.start, span.end)
        options = {"locale": "en_US", "context": context, "pack": pack or Pack.shipped()}
        value = plain[span.start : span.end]
        read = next(filter(None, (form.read(value, options) for form in PERSON_FORMS)))
        surrogates.append(read.write(Draw(Keyring(KEY, "doc", "en_US"), "PERSON", "", 0, options)))
    return surrogates


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("WIFE'S NAME   ⟦Xeryl Ward⟧", WOMEN),
        ("⟦Xeryl Ward⟧     Relationship   husband", MEN),
        ("the widow of ⟦Xeryl Ward⟧", MEN),
        ("Dear Mr. ⟦Xeryl Ward⟧:", MEN),
        ("⟦Xeryl Ward⟧ came to us in 1951. She types well.", WOMEN),
        ("He left. ⟦Xeryl Ward⟧ told him so.", MEN),
    ],
)
def test_page_tells_the_sex_of_an_unknown_name(text: str, sex: str) -> None:
    """Kinship, a title or a pronoun decides where no list has the first name."""
    first = on_page(text)[0].split()[0]

    assert sex_of(folded(first), "en_US", Pack.shipped()) == sex


def test_name_of_unknown_sex_serves_both() -> None:
    """Where nothing tells the sex, the surrogate is a name that women and men have."""
    first = written(PERSON_FORMS, "Xeryl Ward").split()[0]

    assert first in terms("first_names_either", Pack.shipped())


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("Kim Young-Ja", "korean"),
        ("Nguyen Thi Lan", "vietnamese"),
        ("Stanislaw Wisniewski", "slavic"),
        ("Mehmet Aydin", "turkish"),
        ("Rodriguez, Carlos", "hispanic"),
        ("Giovanni Spadaccini", "italian"),
    ],
)
def test_origin_stays(value: str, origin: str) -> None:
    """First and last names are of the original's origin, in their order."""
    surrogate = written(PERSON_FORMS, value)

    last = re.split("[ ,]", surrogate)[0 if value[0] in "KNR" else -1]
    assert origin_of(folded(last), "last", Pack.shipped()) == origin


def test_initials_agree_with_names() -> None:
    """The surrogate of an initial is the initial of the surrogate."""
    names = [written(PERSON_FORMS, name) for name in ("Robert Oyler", "John Miller")]

    surrogates = [written(PERSON_FORMS, name) for name in ("R. O.", "J.M.", "JM", "J. Miller")]

    (robert, _), (john, miller) = (name.split() for name in names)
    assert surrogates[0][0] == robert[0]
    assert surrogates[1:] == [
        f"{john[0]}.{miller[0]}.", john[0] + miller[0], f"{john[0]}. {miller}",
    ]  # fmt: skip
    assert re.fullmatch(r"[A-Z]{3}/[a-z]{2}", written(PERSON_FORMS, "RTO/jk"))


def test_plural_names_the_same_family() -> None:
    """A family has the last name of its members."""
    member, family = on_page("Mr. ⟦Ward⟧ came. We met the ⟦Wards⟧.")

    assert family in (f"{member}s", f"{member}es")


def test_nickname_is_of_the_same_person() -> None:
    """A nickname becomes one of the surrogate's, or the surrogate itself."""
    called = {row["name"]: row["nicknames"].split() for row in rows("nicknames", Pack.shipped())}

    for scope in range(20):
        keyring = Keyring(KEY, str(scope), "en_US")
        formal, nickname = (
            first_name(Draw(keyring, "PERSON", "", 0, OPTIONS), name)
            for name in ("William", "Bill")
        )
        assert nickname in called.get(formal, [formal])


def test_no_long_word_returns() -> None:
    """No word of four letters or more of a name is in its surrogate."""
    for attempt in range(300):
        names = written(PERSON_FORMS, "Dean Craig Terry", attempt).split()
        assert not {"Dean", "Craig", "Terry"} & set(names)


def test_page_tells_first_names_and_last_names() -> None:
    """A name that no list has is a first name where the page has it before a last name."""
    full, first = on_page("⟦Xeryl Ward⟧ is back. Ask ⟦Xeryl⟧.")

    assert full.split()[0] == first


def test_page_tells_the_first_names_of_partners_it_names() -> None:
    """A word for a partner without a name tells none, not an empty one."""
    text = "his wife, Stasia; widower"
    spans = [
        Span(4, 16, "MARITAL_STATUS", 1.0, ""),
        Span(18, 25, "MARITAL_STATUS", 1.0, ""),
    ]

    firsts, lasts, _ = Page(text, spans).fact(names._NamesOf(Pack.shipped()))

    assert firsts == frozenset({"stasia"})
    assert not lasts


@pytest.mark.parametrize(
    ("full", "letters", "words"),
    [
        ("Ida Ann Orr", "IAO", (0, 1, 2)),
        ("Oren U. Tait", "OT", (0, 2)),
        ("Eaton, Amy L.", "AE", (1, 0)),
    ],
)
def test_letters_alone_are_initials_of_a_name_of_the_page(
    full: str, letters: str, words: Sequence[int]
) -> None:
    """They begin the words of its surrogate, vowels or not; elsewhere they are a name."""
    person, initials = on_page(f"⟦{full}⟧ dictated this: ⟦{letters}⟧")
    (alone,) = on_page(f"Dictated: ⟦{letters}⟧")

    assert initials == "".join(person.split()[at][0] for at in words)
    assert len(alone) > len(letters) or alone.isupper()


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("the Hess family", r"the {last} family"),
        ("the Misses Hess", r"the Misses {last}"),
        ("Hess brothers", r"{last} brothers"),
        ("Anna (Hess) Kerr", r"\w+ \({last}\) \w+"),
    ],
)
def test_a_family_and_a_maiden_name_are_last_names(value: str, shape: str) -> None:
    """What says that several are meant stays, and a maiden name agrees with its last name."""
    last = written(PERSON_FORMS, "Mr. Hess").split()[1]

    assert re.fullmatch(shape.format(last=last), written(PERSON_FORMS, value))


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("Kim Hyun-jun", "korean"),
        ("Fatma Haddad", "arabic"),
        ("Savitri Venkataraman", "south_asian"),
        ("Padma Ranganayanan", "south_asian"),
    ],
)
def test_a_hyphened_syllable_and_an_ending_tell_an_origin(value: str, origin: str) -> None:
    """All words of the surrogate are names of that origin; "jun" is no suffix there."""
    listed = {
        folded(name)
        for row in rows("name_origins", Pack.shipped())
        if row["origin"] == origin
        for name in row["names"].split()
    }

    new = re.split("[ -]", written(PERSON_FORMS, value))

    assert {folded(word) for word in new} <= listed


def test_a_man_has_no_womans_last_name_in_russian() -> None:
    """Last names in Cyrillic letters keep the ending of their sex."""
    for attempt in range(12):
        assert not written(PERSON_FORMS, "Олег Сидоров", attempt).endswith(("а", "я"))
        assert written(PERSON_FORMS, "Анна Сидорова", attempt).endswith(("а", "ая"))


def test_the_rest_of_an_address_behind_a_name_is_a_reserved_domain() -> None:
    """Where a finder takes the name before the @ for a person, the domain is hidden as well."""
    assert re.fullmatch(r"@\w+\.example\.(?:com|net|org)", written(EMAIL_FORMS, "@lab.orr.edu"))
    assert re.fullmatch(r"@example\.(?:com|net|org)", written(EMAIL_FORMS, "@orr-steel.com"))


def test_page_is_read_with_the_names_of_the_pack(tmp_path: Path) -> None:
    """A first name that only the overlay lists tells which word of a name is the last name."""
    folder = tmp_path / "operators" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "first_names_female.extra.txt").write_text("Qestrel\n", "utf-8")

    full, last = on_page("⟦Zorvik Qestrel⟧ is back. Ask ⟦Zorvik⟧.", Pack.open(tmp_path))

    assert full.split()[0] == last
    assert full.split()[1] in terms("first_names_female", Pack.shipped())


def test_candidates_differ() -> None:
    """Other attempts give other names."""
    surrogates = {written(PERSON_FORMS, "Ellen Ward", attempt) for attempt in range(20)}

    assert len(surrogates) > 15
    assert not any("Ellen" in surrogate or "Ward" in surrogate for surrogate in surrogates)


def test_locale_decides_the_lists() -> None:
    """Where the locale is another, so are the names."""
    surrogate = written(PERSON_FORMS, "Ellen Ward", locale="ja_JP")

    assert re.fullmatch(r"[^\x00-\xff]+ [^\x00-\xff]+", surrogate)


def test_unknown_locale_has_english_names() -> None:
    """Where no names are known for a locale, the shipped ones stand in."""
    first, last = written(PERSON_FORMS, "Ellen Ward", locale="xx_XX").split()

    assert first in terms("first_names_female", Pack.shipped())
    assert last in terms("last_names", Pack.shipped())


# Organizations


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Philip Morris Inc.", r"\w+ \w+ Inc\."),
        ("American Tobacco Co.", r"\w+ Tobacco Co\."),
        ("Hatch & Sons", r"\w+ & Sons"),
        ("University of Kentucky", r"University of \w+"),
        ("St. Mary's Hospital", r"St\. \w+'s Hospital"),
        ("The University Hospital", r"The \w+ Hospital"),
        ("Department of Health", r"Department of \w+"),
        ("U.E.", r"[A-Z]\.[A-Z]\."),
        ("IBM", r"[A-Z]{3}"),
        ("AT&T", r"[A-Z]{2}&[A-Z]"),
        ("UAW Local 600", r"[A-Z]{3} Local \d{3}"),
        ("3M", r"\d[A-Z]"),
        ("PHILIP MORRIS INC", r"[A-Z]+ [A-Z]+ INC"),
        ("Compagnie Française S.A.", r"\w+ \w+ S\.A\."),
    ],
)
def test_kind_of_an_organization_stays(value: str, shape: str) -> None:
    """What kind of organization it is stays, with its legal form; what tells it apart changes."""
    surrogate = written(ORGANIZATION_FORMS, value)

    assert re.fullmatch(shape, surrogate)
    assert folded(surrogate) != folded(value)


def test_organizations_agree() -> None:
    """The word that tells an organization apart has one surrogate, however the rest is written."""
    short = written(ORGANIZATION_FORMS, "Lorillard")

    assert written(ORGANIZATION_FORMS, "Lorillard Tobacco Company") == f"{short} Tobacco Company"
    assert written(ORGANIZATION_FORMS, "LORILLARD CO.") == f"{short.upper()} CO."
    assert reading(ORGANIZATION_FORMS, "Lorillard Co.").normal == "lorillard company"


# E-mail


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("ellen.ward@gmail.com", r"[a-z]+\.[a-z]+@example\.com"),
        ("eward@cs.stanford.edu", r"[a-z]+@[a-z]+\.example\.(com|net|org)"),
        ("e.ward65@foo.org", r"[a-z]\.[a-z]+\d\d@example\.org"),
        ("EWARD@AOL.COM", r"[A-Z]+@EXAMPLE\.COM"),
        ("<müller@web.de>", r"<[a-z]+@example\.(com|net|org)>"),
        ("Ellen_Ward@x.net", r"[A-Z][a-z]+_[A-Z][a-z]+@example\.net"),
    ],
)
def test_addresses_keep_their_shape(value: str, shape: str) -> None:
    """An address keeps its shape, and its domain is one that nobody has."""
    surrogate = written(EMAIL_FORMS, value)

    assert re.fullmatch(shape, surrogate)
    assert surrogate.split("@")[0] != value.split("@")[0]


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Ellen Ward 46", r"\w+ \w+ (?!46)\d\d"),
        ("John Doe #2", r"\w+ \w+ #[013-9]"),
        ("Ellen Ward 123-45-6789", r"\w+ \w+ (?!123)\d{3}-(?!45)\d\d-(?!6789)\d{4}"),
    ],
)
def test_numbers_beside_a_name_change(value: str, shape: str) -> None:
    """What a recognizer took into a name with it does not stay."""
    assert re.fullmatch(shape, written(PERSON_FORMS, value))


@pytest.mark.parametrize("value", ["Nguyễn Văn An", "Rabbi Moshe Klein"])
def test_every_word_changes(value: str) -> None:
    """A name that looks like a particle, and a title that tells one faith, do not stay."""
    surrogate = written(PERSON_FORMS, value)

    assert not set(value.split()) & set(surrogate.split())


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ('"Ellen Ward" <eward@rjr.com>', r'"[A-Z]\w{4} [A-Z]\w{3}" <\w+@example\.com>'),
        ("eward@rjr.com; rdunne@pm.com", r"\w+@example\.com; \w+@example\.com"),
        ("E-mail: eward@rjr.com (home)", r"E-mail: \w+@example\.com \(home\)"),
        ("ellen.ward65 at gmail.com", r"[a-z]{5}\.[a-z]{4}\d\d at [a-z]{5}\.com"),
    ],
)
def test_words_beside_an_address_change(value: str, shape: str) -> None:
    """Every address among words is read, and the words change but for labels."""
    surrogate = written(EMAIL_FORMS, value)

    assert re.fullmatch(shape, surrogate)
    assert not re.search(r"(?i)ellen|ward|dunne|rjr|gmail", surrogate)


# All of them


@pytest.mark.slow
@pytest.mark.parametrize("forms", [PERSON_FORMS, ORGANIZATION_FORMS, EMAIL_FORMS])
@given(
    value=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20)
    | st.from_regex(r"[a-zA-Z0-9._+]{1,12}@[a-z0-9.]{1,12}", fullmatch=True)
)
def test_any_text_is_read(forms: Sequence[Form], value: str) -> None:
    """Whatever stands there, a surrogate of the same form is written, and it is another."""
    value = value.strip() or "-"

    surrogate = written(forms, value)

    assert reading(forms, surrogate).form == reading(forms, value).form
    assert reading(forms, surrogate).normal != reading(forms, value).normal
    assert surrogate.count("\n") == value.count("\n")


@pytest.mark.parametrize(
    ("name", "least"),
    [("first_names_female", 300), ("first_names_male", 300), ("last_names", 1200)],
)
def test_names_read_as_names(name: str, least: int) -> None:
    """The lists are long, and nothing in them reads as a title, a particle or OCR's damage."""
    listed = terms(name, Pack.shipped())

    assert len(listed) >= least
    assert [term for term in listed if folded(term) in RESERVED or repaired(term) != term] == []
    assert [term for term in listed if not re.fullmatch(r"(?:O'|Mc)?[A-Z][a-z]+", term)] == []


def test_organization_names_read_as_names() -> None:
    """No name of an organization says of what kind it is, or reads as an abbreviation."""
    kinds = {folded(kind) for kind in terms("organization_kinds", Pack.shipped())}

    names = terms("organization_names", Pack.shipped())

    assert [name for name in names if folded(name) in kinds or len(name) < 4] == []
    assert [name for name in names if not set(name.lower()) & set("aeiouy")] == []
