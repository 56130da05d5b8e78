"""Identifiers keep their format and their check digits, and are not the original."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from presidio_analyzer import PatternRecognizer, predefined_recognizers

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.identifiers import formats

SURROGATES = Surrogates(bytes(range(32)), "doc")
OPTIONS = {"locale": "en_US", "pack": Pack.shipped()}

# A value of each format; those of a bank, a state or a trade that publishes samples.
SAMPLES = {
    "ABA_ROUTING_NUMBER": "021000021",
    "AU_ABN": "51 824 753 556",
    "AU_ACN": "004 085 616",
    "AU_MEDICARE": "2123 45670 1",
    "AU_TFN": "876 543 210",
    "CA_POSTAL_CODE": "K1A 0B1",
    "CREDIT_CARD": "4012 8888 8888 1881",
    "DE_LANR": "123456601",
    "DE_PASSPORT": "C01X00T41",
    "DE_PLZ": "10115",
    "DE_TAX_ID": "86095742719",
    "DE_VAT_ID": "DE136695976",
    "ES_NIE": "X1234567L",
    "ES_NIF": "12345678Z",
    "FI_PERSONAL_IDENTITY_CODE": "131052-308T",
    "IBAN_CODE": "GB82 WEST 1234 5698 7654 32",
    "IN_AADHAAR": "3123-4567-8909",
    "IN_PAN": "ABCPE1234F",
    "IN_VOTER": "ABC1234567",
    "IT_VAT_CODE": "00743110157",
    "KR_RRN": "960121-1234567",
    "MAC_ADDRESS": "00:1A:2B:3C:4D:5E",
    "MEDICAL_LICENSE": "BB1388568",
    "PL_PESEL": "44051401359",
    "SE_ORGANISATIONSNUMMER": "212000-0142",
    "SE_PERSONNUMMER": "811218-9876",
    "TH_TNIN": "1101700230708",
    "TR_NATIONAL_ID": "10000000146",
    "UK_NHS": "943-476-5919",
    "UK_NINO": "AA 12 34 56 B",
    "UK_POSTCODE": "SW1A 1AA",
    "US_ITIN": "911-70-1234",
    "US_MBI": "1EG4-TE5-MK73",
    "US_NPI": "1234567893",
    "UUID": "123e4567-e89b-42d3-a456-426614174000",
    "ZA_ID_NUMBER": "8001015009087",
}


@cache
def presidios() -> dict[str, list[Any]]:
    """Presidio's own recognizers of patterns, by the entity that they find."""
    found: dict[str, list[Any]] = {}
    for name in predefined_recognizers.__all__:
        kind: Any = getattr(predefined_recognizers, name)
        if (
            isinstance(kind, type)
            and issubclass(kind, PatternRecognizer)
            and hasattr(kind, "PATTERNS")
        ):
            make: Callable[[], Any] = kind
            one = make()
            for entity in one.supported_entities:
                found.setdefault(entity, []).append(one)
    return found


def scores(entity: str, value: str) -> set[float]:
    """How sure Presidio is that all of *value* is an *entity*."""
    return {
        result.score
        for recognizer in presidios()[entity]
        for result in recognizer.analyze(value, [entity], None)
        if (result.start, result.end) == (0, len(value))
    }


@pytest.mark.parametrize("entity", SAMPLES)
def test_presidio_takes_the_surrogate_for_what_the_original_was(entity: str) -> None:
    """Its own recognizer finds both with the same score: format and check digits hold."""
    original = SAMPLES[entity]

    surrogate = SURROGATES.surrogate(entity, original)

    assert surrogate != original
    assert scores(entity, surrogate) == scores(entity, original) != set()


def test_every_entity_of_presidio_is_known() -> None:
    """A policy may name each of them, and none is refused or left."""
    unknown = {entity for entity in presidios() if not table.has_forms(entity, Pack.shipped())}

    assert len(presidios()) > 50
    assert unknown == set()


def test_identifiers_of_a_format_are_permuted() -> None:
    """No two originals share a surrogate, none is its own, and each is written as its original."""
    originals = [f"A{number:02d}-7z" for number in range(100)]

    surrogates = [SURROGATES.surrogate("US_PASSPORT", one) for one in originals]

    assert len({*surrogates}) == 100
    assert not {*surrogates} & {*originals}
    assert all(re.fullmatch("[A-Z][0-9]{2}-[0-9][a-z]", one) for one in surrogates)


def test_numbers_are_drawn_from_ranges_that_nobody_has() -> None:
    """NHS numbers for tests, and MAC addresses of no maker."""
    assert SURROGATES.surrogate("UK_NHS", "943 476 5919").startswith("999 ")
    assert SURROGATES.surrogate("MAC_ADDRESS", "00-1a-2b-3c-4d-5e").startswith("02-")


def test_wrong_check_digits_do_not_become_right() -> None:
    """A number that no check accepts is read as any code is."""
    surrogate = SURROGATES.surrogate("ES_NIF", "12345678A")

    assert re.fullmatch("[0-9]{8}[A-Z]", surrogate)
    assert table.read("ES_NIF", "12345678A", OPTIONS).form == "identifier 00000000A"
    assert table.read_closely("ES_NIF", "No. 12345678A", OPTIONS) is None


def test_a_word_beside_a_number_stays() -> None:
    """Labels tell what a number is; they do not identify."""
    assert SURROGATES.surrogate("US_PASSPORT", "No. 123456789").startswith("No. ")


@pytest.mark.parametrize("row", ["X\t[\t\t\t", "X\t.*\tlun\t\t", "X\t.*\t\toctal\t"])
def test_a_faulty_row_is_named(tmp_path: Path, row: str) -> None:
    """A pack's own formats are checked before they are used."""
    folder = tmp_path / "operators" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "identifiers.tsv").write_text(f"entity\tlooks\tcheck\talphabet\tstarts\n{row}\n")

    with pytest.raises(PackError, match=r"identifiers\.tsv: the row of X"):
        formats(Pack.open(tmp_path))
