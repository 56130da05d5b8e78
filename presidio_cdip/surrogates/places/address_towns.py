"""Read the end of an address: towns, states, countries and postcodes.

Each function takes words and their context, and returns the parts that they are.
"""

import re
from collections.abc import Sequence

from presidio_cdip.pack.confusions import digits
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.places.address_parts import (
    Country,
    County,
    LetterPostcode,
    Part,
    Region,
    State,
    TownName,
    ZipCode,
    Zone,
)
from presidio_cdip.surrogates.places.address_words import (
    DIGIT,
    US_ZIP,
    Context,
    Parts,
    is_english_street,
    kept_part,
    plain,
)
from presidio_cdip.surrogates.places.atlas import Atlas, Town
from presidio_cdip.surrogates.places.place_grammar import splits_name
from presidio_cdip.surrogates.writing.text import folded, repaired

_STREETS = english().streets
CANADIAN = re.compile(r"(?i)(?:[a-z]\d){3}")
_ZIP = 5  # digits
_NUMBER = re.compile(rf"(?=\D?\d|\D\D\d){DIGIT}{{1,6}}")
_ABROAD_ZIP = re.compile(rf"(?:([A-Z]{{1,3}})-)?({DIGIT}{{4,5}}|\d{{4}}-\d{{3}}|\d\d-\d{{3}})")
_OUTWARD = re.compile(r"[A-Za-z]{1,2}\d{1,2}[A-Za-z]?")
_INWARD = re.compile(r"\d[A-Za-z]{2}")
_DAMAGED = re.compile(
    r"(?=[^\W_]*\d)(?=\d*[^\W\d_])[^\W_]{2,12}[.,]?"
)  # letters with digits in them
COUNTY_BEFORE = re.compile(r"(?:Co\.?|CO\.|County|COUNTY) (?=\S)")
PIN = re.compile(r"[1-9]\d\d \d{3}")  # of India
_QUARTERS = frozenset(_STREETS["quarters"])
_LEADS = frozenset(_STREETS["leads"])
_COUNTY_WORDS = frozenset((*_STREETS["hospitals"], *_STREETS["areas"])) - {"district"}


def ends_in_zone(words: list[str], context: Context) -> bool:
    """Return whether *words* end in an old postal zone: Louisville 5."""
    if not re.fullmatch(rf"{DIGIT}{{1,2}}", words[-1]) or len(words) < 2:
        return False
    town = context.atlas.town(" ".join(words[:-1]), context.locale)
    return town is not None or context.state_follows or context.has("street", "house")


def ends_in_foreign_code(words: Sequence[str], context: Context) -> bool:
    """Return whether *words* end in a postcode as India, Australia and South Africa write it."""
    if PIN.fullmatch(" ".join(words[-2:])):
        return len(words) > 2
    if len(words) < 2 or not re.fullmatch(r"\d{4}", words[-1]):
        return False
    atlas, before = context.atlas, words[:-1]
    if before[-1] in atlas.region_codes.values():  # "WA 6000"
        return True
    names = [folded(" ".join(before[at:])) for at in range(len(before))]
    return any(
        name in atlas.regions or name in atlas.known or name in atlas.foreign for name in names
    )


def read_lone_postcode(word: str, context: Context) -> Parts:
    """Read a postcode that is the only word; nothing if *word* is a house number."""
    asked = "zip" in context.label or "post" in context.label
    expected = context.before or not context.street_follows
    if asked or (US_ZIP.fullmatch(word) and expected):
        return (zip_code([word]),)
    if _OUTWARD.fullmatch(word) and not word[0].isdigit():
        return (_letter_postcode([word]),)
    return ()


def read_postcode_and_town(words: list[str], context: Context) -> Parts:
    """Read a postcode with its town behind it, as in continental Europe; nothing if it is none."""
    size = 1
    if len(words) > 2 and re.fullmatch(r"\d{3}", words[0]) and re.fullmatch(r"\d\d", words[1]):
        size = 2
    found = _ABROAD_ZIP.fullmatch("".join(words[:size]))
    rest = words[size:]
    if not found or not rest or not any(char.isalpha() for char in rest[0]):
        return ()
    if len(rest) > 1 and re.fullmatch(r"[A-Z]{2}", rest[0]) and len(found[2]) == 4:
        size += 1  # 1016 GV Amsterdam
        rest = words[size:]
    place = folded(" ".join(rest))
    atlas = context.atlas
    is_street = is_english_street(rest, context)
    is_postcode = (
        found[1]
        or "-" in words[0]
        or size == 2
        or context.has("street", "house")
        or "city" in context.label
        or (place in atlas.foreign and place not in atlas.american)
        or _is_zip_of(digits(found[2]), atlas.american.get(place))
        or (words[0][0] == "0" and not is_street)
    )
    if not is_postcode or (is_street and not found[1]):
        return ()
    postcode = (zip_code(words[:size]),)
    return postcode + read_place(rest, context.after(postcode))


def _is_zip_of(code: str, town: Town | None) -> bool:
    """Tell whether *code* is a ZIP code in the area of *town*."""
    return bool(town and town.postcode and len(code) == _ZIP and code.startswith(town.postcode))


def read_place(words: list[str], context: Context) -> Parts:
    """Read a town and what follows it: its zone, state, country and postcode."""
    lead: Parts = ()
    for size in (2, 1):
        if len(words) > size and " ".join(map(plain, words[:size])) in _QUARTERS:
            return (kept_part("lead", words[:size]), *read_place(words[size:], context))
    if len(words) > 1 and plain(words[0]) in _LEADS and not US_ZIP.fullmatch(words[1]):
        lead = (kept_part("lead", words[:1]),)
        words = words[1:]
    behind: Parts = ()
    while words and (found := _last_of_place(words, behind, context)):
        behind = (found, *behind)
        words = words[: -found.size]
    town = (_town(words, context),) if words else ()
    return lead + town + behind


def _last_of_place(words: list[str], behind: Parts, context: Context) -> Part | None:
    """Read the part behind a town that *words* end in; None if the town is all that is left.

    Args:
        words: Of the town, and the words behind it.
        behind: The parts behind *words*, which were read.
        context: Of the words.
    """
    atlas, more = context.atlas, bool(behind)
    if size := count_letter_postcode(words):
        return _letter_postcode(words[-size:])
    asked = "zip" in context.label and _NUMBER.match(words[-1])
    if len(words) > 2 and PIN.fullmatch(" ".join(words[-2:])):
        return zip_code(words[-2:])
    if asked or US_ZIP.fullmatch(words[-1]) or re.fullmatch(r"\d{6}", words[-1]):
        return zip_code(words[-1:])
    if not more and ends_in_foreign_code(words, context):
        return zip_code(words[-1:])
    if not more and _is_behind_zone(words, context):
        return State("state", words[-1], folded(words[-1]))
    if len(words) > 1 and _NUMBER.fullmatch(words[-1]) and len(words[-1]) < 3:
        return Zone("zone", words[-1], digits(words[-1]))
    for size in (3, 2, 1):
        if len(words) < size:
            continue
        text = " ".join(words[-size:])
        is_all = len(words) == size
        if is_all and (context.state_follows or _names_town(text, behind, context)):
            return None
        if not is_all and splits_name(words, size, atlas):
            continue
        if size == 2 and (irish := irish_county(text, atlas)):
            return Region("area", text, irish)
        before_state = not more or behind[0].kind == "state"  # "Polk Co Wis"
        county = plain(text) == "co" and text != "CO" and before_state
        if (state := atlas.state(text)) and not county:
            return State("state", text, atlas.state_rows[state]["name"].lower())
        is_code = len(text) > 2 or text.isupper()  # "Sudbury, ON"
        if not is_all and is_code and folded(text) in atlas.regions:
            return Region("area", text, folded(text))
        if (country := atlas.country(text)) and (len(text) > 2 or "country" in context.label):
            return Country("country", text, folded(country))
    return None


def irish_county(text: str, atlas: Atlas) -> str:
    """Return the folded name of the Irish county *text*, "Co. Kerry"; empty for others."""
    found = COUNTY_BEFORE.match(text)
    names = (folded(text[found.end() :]), f"county {folded(text[found.end() :])}") if found else ()
    return next((name for name in names if atlas.regions.get(name) == "Ireland"), "")


def _is_behind_zone(words: Sequence[str], context: Context) -> bool:
    """Return whether *words* end in a state that OCR has damaged: "Chicag0 39, I11."."""
    atlas, last = context.atlas, words[-1]
    known = atlas.state(last) or atlas.country(repaired(last))
    if known or not _DAMAGED.fullmatch(last):
        return False
    if len(words) > 2:
        return bool(re.fullmatch(rf"{DIGIT}{{1,2}}", words[-2]))
    return len(words) == 1 and context.before[-1:] != () and context.before[-1].kind == "zone"


def _names_town(text: str, behind: Parts, context: Context) -> bool:
    """Return whether *text*, also a name of a state or a country, is a town here.

    It is before a ZIP code of its area, and before another state: "New York 10014", "Wash. DC".
    """
    town = context.atlas.american.get(folded(text))
    if behind and not context.has("town"):
        if behind[0].kind == "state":
            return context.atlas.state(text) is not None
        return behind[0].kind == "zip" and _is_zip_of(digits(behind[0].text), town)
    if behind or context.has("town") or "state" in context.label:
        return False
    return len(text) > 2 and "." not in text and folded(text) in context.atlas.american


def _town(words: Sequence[str], context: Context) -> Part:
    """Read a town, or a county or a region in its place."""
    text = " ".join(words)
    key, last = folded(text), folded(words[-1])
    if len(words) > 1 and last in _COUNTY_WORDS:
        name = " ".join(words[:-1])
        return County("town", text, f"{folded(name)} {last}", name, words[-1])
    if key in context.atlas.regions and context.has("town") and (len(text) > 2 or text.isupper()):
        return Region("area", text, key)
    return TownName("town", text, key)


def zip_code(words: Sequence[str]) -> ZipCode:
    """Return the postcode in digits that *words* are."""
    text = " ".join(words)
    code = text if re.search(r"[A-Z]{2}$|^[A-Z]{1,3}-", text) else digits(text)
    return ZipCode("zip", text, code.lower(), code)


def _letter_postcode(words: Sequence[str]) -> LetterPostcode:
    text = " ".join(words)
    return LetterPostcode("postcode", text, text.lower().replace(" ", ""))


def count_letter_postcode(words: Sequence[str]) -> int:
    """Count the last *words* that are a British or Canadian postcode."""
    if len(words) > 1 and _INWARD.fullmatch(words[-1]) and _OUTWARD.fullmatch(words[-2]):
        return 2
    if len(words) > 1 and CANADIAN.fullmatch(words[-2] + words[-1]):
        return 2
    return 1 if re.fullmatch(r"(?i)[a-z]{1,2}\d{1,2}(?:\d[a-z]{2})?", words[-1]) else 0
