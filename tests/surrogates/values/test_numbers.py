"""Social Security numbers, telephone numbers and other digits."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.checks import ssn, us_phone
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.places.countries import area_codes
from presidio_cdip.surrogates.values.numbers import DIGIT_FORMS, PHONE_FORMS, SSN_FORMS
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.text import folded

OPTIONS: dict[str, Any] = {"pack": Pack.shipped()}
RING = Keyring(bytes(range(32)), "doc", "en_US")
OTHER_RING = Keyring(bytes(range(1, 33)), "doc", "en_US")
FREE_GROUPS = {*range(1, 50), *range(66, 70), 89}
GAPS = st.sampled_from(["", "-", " ", " - ", ".", "/", "–", "\n", " \n"])


def reading(forms: Sequence[Form], value: str, locale: str = "en_US") -> Reading:
    found = (form.read(value, OPTIONS | {"locale": locale}) for form in forms)
    return next(read for read in found if read)


def written(
    forms: Sequence[Form], value: str, attempt: int = 0, ring: Keyring = RING, **options: str
) -> str:
    read = reading(forms, value, ring.locale)
    return read.write(Draw(ring, "ENTITY", read.normal, attempt, OPTIONS | options))


def digits(value: str) -> str:
    return re.sub(r"\D", "", value)


# Social Security numbers


@pytest.mark.parametrize("kind", ["unissued", "plausible"])
@given(number=st.from_regex(r"[0-9]{9}", fullmatch=True), first=GAPS, second=GAPS)
def test_separators_of_a_social_security_number_stay(
    kind: str, number: str, first: str, second: str
) -> None:
    """A Social Security number keeps its separators and loses its digits."""
    value = f"{number[:3]}{first}{number[3:5]}{second}{number[5:]}"

    surrogate = written(SSN_FORMS, value, ssn=kind)

    assert re.sub(r"\d", "0", surrogate) == re.sub(r"\d", "0", value)
    assert digits(surrogate) != number
    assert reading(SSN_FORMS, surrogate).form == reading(SSN_FORMS, value).form


@given(number=st.from_regex(r"[0-9]{9}", fullmatch=True), attempt=st.integers(0, 5))
def test_unissued_numbers_are_nobodys(number: str, attempt: int) -> None:
    """An unissued surrogate is neither a Social Security nor a taxpayer number."""
    surrogate = written(SSN_FORMS, number, attempt)

    assert 900 <= int(surrogate[:3]) <= 999
    assert int(surrogate[3:5]) in FREE_GROUPS
    assert surrogate[5:] != "0000"


@given(number=st.from_regex(r"[0-9]{9}", fullmatch=True))
def test_plausible_numbers_could_have_been_issued(number: str) -> None:
    """A plausible surrogate passes the check of the recognizer, whatever its original was."""
    surrogate = written(SSN_FORMS, number, ssn="plausible")

    assert ssn(surrogate)


@pytest.mark.slow
def test_plausible_numbers_are_unique() -> None:
    """Numbers that could have been issued get as many surrogates, and none keeps its own."""
    heads = [f"{area:03d}{group:02d}6789" for area in range(1, 201) for group in range(1, 51)]
    tails = [f"30045{serial:04d}" for serial in range(1, 10_000)]

    surrogates = {written(SSN_FORMS, number, ssn="plausible"): number for number in heads + tails}

    assert len(surrogates) == len(heads + tails)
    assert all(surrogate != number for surrogate, number in surrogates.items())


@pytest.mark.parametrize("kind", ["unissued", "plausible"])
def test_last_four_agree_with_the_whole(kind: str) -> None:
    """A number, its masked forms and its last four alone get the same last four."""
    forms = ["123-45-6789", "xxx-xx-6789", "***-**-6789", "XXXXX6789", "6789", "123 45 67B9"]

    surrogates = {written(SSN_FORMS, value, ssn=kind)[-4:] for value in forms}

    assert len(surrogates) == 1
    assert surrogates != {"6789"}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("xxx-xx-9183", r"xxx-xx-\d{4}"),
        ("305-58-XX19", r"9\d\d-\d\d-XX\d\d"),
        ("041-18-66I3", r"9\d\d-\d\d-\d{4}"),
        ("O82 - lO - 7743", r"9\d\d - \d\d - \d{4}"),
        ("402-ll-77E3", r"9\d\d-\d\d-\d{4}"),
        ("436\n14   29 7740", r"9\d\d\n14   \d\d \d{4}"),
        ("292-08-5571A", r"9\d\d-\d\d-\d{4}A"),
        ("402-11-773", r"\d{3}-\d\d-\d{3}"),
        ("3 1 7 - 4 5 - 6 0 2 8", r"9 \d \d - \d \d - \d \d \d \d"),
    ],
)
def test_masks_and_damage(value: str, shape: str) -> None:
    """Masks, line numbers and a Medicare card's letter stay; what OCR damaged is written clean."""
    surrogate = written(SSN_FORMS, value)

    assert re.fullmatch(shape, surrogate)


def test_damage_can_be_kept() -> None:
    """With ``damage: same`` a letter stands for a digit where one stood before."""
    surrogate = written(SSN_FORMS, "O4l-18-66I3", damage="same")

    assert re.search(r"[A-Za-z|]", surrogate)
    assert reading(SSN_FORMS, surrogate).normal == written(SSN_FORMS, "041186613")


@pytest.mark.parametrize(
    "value",
    [
        "four one eight, three six, two oh nine seven",
        "four eighteen, thirty-six, twenty ninety-seven",
    ],
)
def test_spoken_numbers_are_said(value: str) -> None:
    """A number in words is the one in digits, and its surrogate is said in words."""
    surrogate = written(SSN_FORMS, value)

    assert reading(SSN_FORMS, value).normal == reading(SSN_FORMS, "418-36-2097").normal
    assert reading(SSN_FORMS, surrogate).normal == written(SSN_FORMS, "418362097")
    assert [len(group.split()) for group in surrogate.split(", ")] == [3, 2, 4]


def test_candidates_differ() -> None:
    """Another attempt gives another unissued number."""
    surrogates = {written(SSN_FORMS, "123-45-6789", attempt) for attempt in range(10)}

    assert len(surrogates) > 5


# Telephone numbers


@given(
    number=st.from_regex(r"[2-9][0-9]{2}[2-9][0-9]{6}", fullmatch=True),
    around=st.sampled_from(["{}-{}-{}", "({}) {}-{}", "{}/{}-{}", "{}.{}.{}", "1-{}-{}-{}",
                            "+1 {} {} {}", "{} - {} - {}", "{}\n{} {}", "{}{}{}"]),
)  # fmt: skip
def test_fictional_numbers(number: str, around: str) -> None:
    """A number with area code gets 555-01xx behind a real area code, and keeps its separators."""
    value = around.format(number[:3], number[3:6], number[6:])

    surrogate = written(PHONE_FORMS, value)

    found = digits(surrogate)[-10:]
    assert re.fullmatch(r"[0-9]{3}55501[0-9]{2}", found)
    assert found[:3] in area_codes(Pack.shipped())
    assert re.sub(r"\d", "0", surrogate) == re.sub(r"\d", "0", value)
    assert found != number
    assert us_phone(surrogate)
    assert reading(PHONE_FORMS, surrogate).form == reading(PHONE_FORMS, value).form


@pytest.mark.slow
def test_plausible_phones_are_unique() -> None:
    """Numbers of the North American plan get as many surrogates of the plan."""
    numbers = [
        f"{area}{exchange}0{line:03d}"
        for area in (212, 919, 307)
        for exchange in (234, 555)
        for line in range(1000)
    ]
    numbers += [f"{area}7361873" for area in range(200, 1000) if area % 100 != 11]

    surrogates = {written(PHONE_FORMS, number, phone="plausible"): number for number in numbers}

    assert len(surrogates) == len(numbers)
    assert all(re.fullmatch(r"[2-9]\d\d[2-9]\d{6}", surrogate) for surrogate in surrogates)
    assert all(surrogate != number for surrogate, number in surrogates.items())


def test_plausible_exchanges_are_unique() -> None:
    """A thousand numbers of one exchange get as many surrogates with names of exchanges."""
    values = [f"GLendale 4-{line:04d}" for line in range(1000)]

    surrogates = [written(PHONE_FORMS, value, phone="plausible") for value in values]

    assert len({reading(PHONE_FORMS, surrogate).normal for surrogate in surrogates}) == 1000
    assert all(re.fullmatch(r"[A-Z]{2}[a-z]+ [2-9]-\d{4}", surrogate) for surrogate in surrogates)


def test_exchanges_are_those_of_the_pack(tmp_path: Path) -> None:
    """An overlay's list of exchanges is read, and surrogates are drawn from it."""
    folder = tmp_path / "recognizers" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "exchange_names.txt").write_text("QUexley\n", "utf-8")
    options = {"pack": Pack.open(tmp_path), "phone": "plausible"}
    read = next(form.read("Quexley 4-1873", options) for form in PHONE_FORMS)

    surrogate = read.write(Draw(RING, "ENTITY", read.normal, 0, options)) if read else ""

    assert re.fullmatch(r"Quexley [2-9]-\d{4}", surrogate)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("GLendale 4-1873", r"KLondike 5-01\d\d"),
        ("BEImont 2-4407", r"KLondike 5-01\d\d"),
        ("EL 5-7719", r"KL 5-01\d\d"),
        ("518 DI 6-7714", r"\d{3} KL 5-01\d\d"),
        ("617 KI 7 3381", r"\d{3} KL 5 01\d\d"),
        ("CYpress 3 - 6648", r"KLondike 5 - 01\d\d"),
        ("BALDWIN 9-4O77", r"KLONDIKE 5-01\d\d"),
        ("Garfield 2-1234", r"Klondike 5-01\d\d"),
        ("TRinity 5522", r"KLondike 01\d\d"),
        ("288-9015", r"555-01\d\d"),
        ("5-7728", r"5-01\d\d"),
        ("3172", r"01\d\d"),
        ("(919) 555-0143, ext. 40", r"\(\d{3}\) 555-01\d\d, ext\. \d\d"),
        ("919 555 0143 x4", r"\d{3} 555 01\d\d x[1-35-9]|\d{3} 555 01\d\d x0"),
        ("home: 555-0143", r"home: 555-01\d\d"),
        ("Arborg 61 ring 3", r"[^\W\d_]+ [2-9]\d ring [1-9]"),
        ("Beacon Hill 22R3", r"[^\W\d_]+ [2-9]\dR[1-9]"),
        ("Basel 23 91 40", r"[^\W\d_]+ [2-9]\d \d\d \d\d"),
        ("+36 72 555 014", r"\+36 [2-9]\d \d{3} \d{3}"),
        ("+44 (0)1632 960337", r"\+44 \(0\)1632 960\d{3}"),
        ("07700 900 482", r"07700 900 \d{3}"),
        ("020 7946 0958", r"020 7946 0\d{3}"),
        ("0116 496 0188", r"01\d\d 496 0\d{3}"),
        ("066-555 0l43", r"0[2-9]\d-\d{3} \d{4}"),
        ("five five five, oh one four three", r"five five five, oh one [a-z]+ [a-z]+"),
    ],
)
def test_fictional_shapes(value: str, shape: str) -> None:
    """Exchange names, villages, towns, extensions and other countries keep their way of writing."""
    surrogate = written(PHONE_FORMS, value)

    assert re.fullmatch(shape, surrogate)
    assert folded(surrogate) != folded(value)
    assert reading(PHONE_FORMS, surrogate).form == reading(PHONE_FORMS, value).form


@pytest.mark.parametrize("kind", ["fictional", "plausible"])
def test_local_part_agrees(kind: str) -> None:
    """A number has the same local part with and without its area code and extension."""
    local = written(PHONE_FORMS, "454-1873", phone=kind)
    whole = written(PHONE_FORMS, "(518) 454-1873, ext. 40", phone=kind)

    assert digits(whole)[3:10] == digits(local)


def test_exchange_agrees_with_its_digits() -> None:
    """GLendale 4 is 454: in fiction both get the same line."""
    named = written(PHONE_FORMS, "GLendale 4-1873")
    dialled = written(PHONE_FORMS, "454-1873")

    assert reading(PHONE_FORMS, "GLendale 4-1873").normal == "4541873"
    assert named[-4:] == dialled[-4:]


def test_trunk_and_country_code_agree() -> None:
    """A British number is the same one at home and abroad."""
    home = written(PHONE_FORMS, "01632 960337")
    abroad = written(PHONE_FORMS, "+44 1632 960337")

    assert digits(home)[1:] == digits(abroad)[2:]


def test_numbers_abroad_are_unique() -> None:
    """Numbers of one length and country get as many surrogates."""
    values = [f"+36 72 55{line:04d}" for line in range(2000)]

    surrogates = {written(PHONE_FORMS, value) for value in values}

    assert len(surrogates) == 2000


def test_fictional_blocks_fit_their_numbers() -> None:
    """Every block leaves digits to draw, and is one of the numbers that it stands for."""
    for row in rows("fictional_numbers", Pack.shipped()):
        for block in row["blocks"].split(","):
            assert len(block) < int(row["digits"]) - 1
            assert block.startswith(tuple(digit[0] for digit in row["begins"].split(",")))


def test_area_codes_can_be_dialled() -> None:
    """Every area code begins with 2 to 9, and none is a service code."""
    codes = area_codes(Pack.shipped())

    assert len(codes) > 300
    assert [code for code in codes if not re.fullmatch(r"[2-9](?!11|9)\d\d", code)] == []


# Words beside numbers


@pytest.mark.parametrize(
    ("forms", "value", "shape"),
    [
        (SSN_FORMS, "SSN: 123-45-6789", r"SSN: 9\d\d-\d\d-\d{4}"),
        (
            SSN_FORMS,
            "Ellen Ward 123-45-6789 (Tulsa)",
            r"[A-Z][a-z]{4} [A-Z][a-z]{3} 9[\d-]{10} \(\w{5}\)",
        ),
        (SSN_FORMS, "last 4: 6789", r"last \d: \d{4}"),
        (PHONE_FORMS, "743-2291 (Ellen)", r"555-01\d\d \([A-Z][a-z]{4}\)"),
        (PHONE_FORMS, "743-2291 (home)", r"555-01\d\d \(home\)"),
        (PHONE_FORMS, "home 743-2291 or 743-2292", r"home 555-01\d\d or 555-01\d\d"),
        (PHONE_FORMS, "PHONE GLENDALE 4-1873 TULSA", r"PHONE KLONDIKE 5-01\d\d [A-Z]{5}"),
        (PHONE_FORMS, "4 ring 2, Danville", r"\d ring \d, [A-Z][a-z]{7}"),
        (DIGIT_FORMS, "ELLEN M WARD 4111 1111", r"[A-Z]{5} M [A-Z]{4} \d{4} \d{4}"),
        (DIGIT_FORMS, "WARDE605095EM9IJ", r"[A-Z]{5}\d{6}EM\dIJ"),
        (DIGIT_FORMS, "GB82WEST1234", r"GB\d\d[A-Z]{4}\d{4}"),
        (DIGIT_FORMS, "xxxx-xxxx-1111 李明", r"xxxx-xxxx-\d{4} [a-z]{2}"),
        (DIGIT_FORMS, "नेहरू 12", r"[a-z]{5} \d\d"),
    ],
)
def test_words_beside_a_number_change(forms: Sequence[Form], value: str, shape: str) -> None:
    """Labels stay, and the number is drawn as it is alone; nothing else of the value is left."""
    surrogate = written(forms, value)

    assert re.fullmatch(shape, surrogate)
    assert not set(re.findall(r"[A-Z]\w{2,}", value)) & set(re.findall(r"\w+", surrogate)) - {
        "SSN", "PHONE"
    }  # fmt: skip
    assert reading(forms, surrogate).form == reading(forms, value).form


@pytest.mark.parametrize("value", ["１２３-４５-６７８９", "١٢٣-٤٥-٦٧٨٩"])
def test_digits_of_other_scripts_are_digits(value: str) -> None:
    """A number in wide or Arabic digits gets the surrogate of the same number in ours."""
    assert written(SSN_FORMS, value) == written(SSN_FORMS, "123-45-6789")


@pytest.mark.parametrize(
    ("forms", "value"), [(SSN_FORMS, "123-45-6789"), (PHONE_FORMS, "(918) 743-2291")]
)
def test_number_among_words_is_that_alone(forms: Sequence[Form], value: str) -> None:
    """A number has the same surrogate among words as alone."""
    assert written(forms, f"Ellen Ward, {value}, until 1965").count(written(forms, value)) == 1


# Any other number


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=30))
def test_any_text_is_read(value: str) -> None:
    """Whatever stands there, a surrogate of the same form is written, and it is another."""
    value = value.strip() or "-"

    for forms in (SSN_FORMS, PHONE_FORMS, DIGIT_FORMS):
        surrogate = written(forms, value)
        assert reading(forms, surrogate).form == reading(forms, value).form
        assert reading(forms, surrogate).normal != reading(forms, value).normal


@given(st.from_regex(r"[0-9OlSBGL A-Zx()+./\-]{1,20}", fullmatch=True))
def test_garbled_numbers_keep_their_form(value: str) -> None:
    """What looks almost like a number gets a surrogate that reads in the same way.

    A code whose new digits look like letters between letters, M01L for MOIL, reads as an exchange.
    """
    value = value.strip() or "1"

    for forms in (SSN_FORMS, PHONE_FORMS, DIGIT_FORMS):
        surrogate = written(forms, value)
        assume(not re.search(r"(?i)[A-Z][015]+[A-Z]", surrogate))
        assert reading(forms, surrogate).form == reading(forms, value).form
        assert reading(forms, surrogate).normal != reading(forms, value).normal


def test_codes_are_unique() -> None:
    """Codes of one shape get as many surrogates of the shape."""
    values = [f"A-{number:04d}-B" for number in range(10_000)][::5]

    surrogates = {written(DIGIT_FORMS, value) for value in values}

    assert len(surrogates) == 2000
    assert all(re.fullmatch(r"A-\d{4}-B", surrogate) for surrogate in surrogates)


def test_key_decides() -> None:
    """The same key gives the same surrogates, another key gives others."""
    values = ["123-45-6789", "508-44-1937", "4111 1111 1111 1111"]

    first = [written(SSN_FORMS, value) for value in values]

    assert first == [written(SSN_FORMS, value) for value in values]
    assert first != [written(SSN_FORMS, value, ring=OTHER_RING) for value in values]


def test_a_number_with_leading_zeros_keeps_its_length() -> None:
    """It is a code, and no round one, so the columns of its table stay in line."""
    for text in ("00418840", "0073500"):
        for scope in range(8):
            written = numerals.redrawn(text, Chance(bytes([scope]) * 32))
            assert len(written) == len(text)
            assert written != text
