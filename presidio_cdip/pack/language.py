"""Read a language: the words and OCR confusions that rules, checks and surrogates use.

They are data in ``recognizers/languages/CODE/``; every file and key there is needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import load
from presidio_cdip.pack.root import shipped_root

LANGUAGES = "languages"  # in recognizers/, with a folder for each
FILES = (
    "months.yaml", "numbers.yaml", "streets.yaml", "labels.yaml", "records.yaml", "ocr.yaml",
)  # fmt: skip
STREETS = (
    "behind_labels", "directions", "public_roads", "units", "floors", "levels", "beside", "leads",
    "place_leads", "before_place_leads", "first_of_two", "hospitals", "areas", "regions",
    "rooms", "sides", "quarters", "houses", "holdings", "town_holdings", "birth_houses",
    "buildings", "courts", "before_institutions", "pointers", "pointing", "pointed_to",
)  # fmt: skip
USES = ("often", "kept", "after")  # of a word for a street
LABELS = (
    "address", "within_address", "address_parts", "of_addresses", "kinds", "nouns", "contact_nouns",
    "answers", "marks_of_questions", "marks_of_answers",
    "not_given", "none", "numbered", "titles", "function_words", "pronouns", "years",
    "no_codes", "halves_of_days", "at_hospitals",
    "months", "weeks", "days", "early", "middle", "late", "sexes", "until", "since", "date_labels",
    "date_units", "date_joints", "grades", "pupils", "ordinal_endings", "small_words",
    "of_eyes", "of_other_grades", "events_of_lives", "of_minors",
    "either_case", "fields", "hyphened", "no_options", "headings", "headings_of_persons",
    "of_parents",
    "headings_of_things", "headings_of_things_alone", "headings_of_remarks", "headings_of_staff",
    "headings_of_names",
    "relatives", "partners", "behind_partners", "dead", "workplaces", "homes", "firms",
    "asks_of_persons",
    "spouses_dead", "spouses_parted", "spouses_numbered", "ends_of_spouses",
    "colours", "labels_of_parts", "labels_of_codes", "ends_of_headings", "ends_of_labels",
    "kin_counted", "living", "builds", "girths", "of_builds",
    "units_of_builds", "ranges", "injuries", "levels_of_fevers", "fines", "no_fines", "routes",
    "things", "things_named",
    "goods", "persons", "casks", "small_casks", "ends_of_past", "breeds", "owners", "births",
    "aged", "old", "be", "determiners", "adjoined", "of_persons", "behind_nouns", "in_questions",
    "before_goods", "option_joints", "choice_joints", "common_names", "deeds", "possessives",
    "saints", "short_kinds", "names_and_words", "labels_of_last_names",
    "other_fields", "fields_of_life", "other_persons", "occupants",
    "behind_her", "before_nouns_too", "nouns_in_ly", "causing", "behind_causing", "giving",
    "seeing", "behind_seeing", "believing", "behind_believing", "given_alone",
    "small_english", "small_foreign",
)  # fmt: skip
RECORDS = (
    "before_capital_articles",
    "before_findings", "after_findings", "finds", "behind_findings", "joints_of_findings",
    "copulas", "normal", "absent", "denied", "counts", "behind_nouns", "behind_heads",
    "joints_of_medicines", "release", "reactions", "behind_counts", "dose_goes_on", "line_goes_on",
    "before_counts", "mass_nouns", "behind_mass", "begins_to_take",
    "becomes_citizen", "tells_citizen", "before_medicines",
    "done_to_medicines", "behind_medicines", "put_on_skin",
)  # fmt: skip
_UNSAFE = frozenset("\\]^-")  # in a character class


@dataclass(frozen=True, slots=True)
class Named:
    """A month or a day of the week.

    Attributes:
        name: The full name.
        short: The usual abbreviation, without its full stop.
        also: Other abbreviations.
        garbled: Misspellings by OCR or typists.
    """

    name: str
    short: str
    also: tuple[str, ...] = ()
    garbled: tuple[str, ...] = ()

    @property
    def usual(self) -> tuple[str, ...]:
        """Return every way to write it but misspellings."""
        return (self.name, self.short, *self.also)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return every way to write it."""
        return (*self.usual, *self.garbled)


@dataclass(frozen=True, slots=True)
class StreetType:
    """A word for a street, such as "Avenue".

    Attributes:
        word: The word in full.
        short: Its abbreviations, the usual one first.
        use: One of `USES`: "often" words are drawn for one another, "kept" words stay, and "after"
            words mean a street only after a house number.
    """

    word: str
    short: tuple[str, ...]
    use: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return every way to write it."""
        return (self.word, *self.short)


@dataclass(frozen=True)
class Confusions:
    """The characters that OCR confuses.

    Attributes:
        digits: The characters read for each digit, the likeliest first.
        poor: Characters that are a digit only among many certain digits, and the digit.
        likely: The characters of `digits` that count where a number is expected.
        letters: The characters of `likely` that are letters.
        round: The characters that count beside letters that mean themselves.
        alone: The characters that count where no digit stands beside them.
        upper: The letter that a digit among upper-case letters stands for.
        lower: The letter that a digit among lower-case letters stands for.
        folded: One spelling for characters that look alike.
        pairs: Two letters, and the one letter that they stand for.
    """

    digits: Mapping[str, str]
    poor: Mapping[str, str]
    likely: str
    letters: str
    round: str
    alone: str
    upper: Mapping[str, str]
    lower: Mapping[str, str]
    folded: Mapping[str, str]
    pairs: tuple[tuple[str, str], ...]

    @cached_property
    def any(self) -> str:
        """Return every character that may stand for a digit."""
        return "".join(self.digits.values())

    @cached_property
    def meant(self) -> Mapping[str, str]:
        """Return the digit that each character of `any` stands for."""
        return {char: digit for digit, chars in self.digits.items() for char in chars}


@dataclass(frozen=True)
class Language:
    """The words of a language, and its OCR confusions.

    Attributes:
        code: The ISO 639-1 code: ``en``.
        months: Twelve, from January.
        weekdays: Seven, from Monday.
        seasons: For each season, the month whose middle is the middle of the season.
        decades: The tens of years, from ten on.
        ones: The words for zero to nineteen.
        tens: The words for twenty to ninety.
        ordinals: Irregular ordinals, by their cardinal.
        noughts: Other words for zero.
        many: The digits that the words for a hundred and a thousand append to the digits before
            them.
        misspelt: The correct spelling of a word, by its misspelling.
        streets: Lists of words of addresses, by their use.
        street_types: The words for a street.
        labels: Lists of words of labels, by their use.
        options: Sets of options that forms print.
        asks: Expressions for the labels of fields that ask for an entity, by the entity.
        records: Lists of words of medical records, by their use; the last six are expressions.
        dose_units: The unit that each spelling of a unit of doses means.
        taken: Expressions for how a medicine is taken, by the way.
        ocr: The OCR confusions.
    """

    code: str
    months: tuple[Named, ...]
    weekdays: tuple[Named, ...]
    seasons: Mapping[str, int]
    decades: tuple[str, ...]
    ones: tuple[str, ...]
    tens: tuple[str, ...]
    ordinals: Mapping[str, str]
    noughts: tuple[str, ...]
    many: Mapping[str, str]
    misspelt: Mapping[str, str]
    streets: Mapping[str, tuple[str, ...]]
    street_types: tuple[StreetType, ...]
    labels: Mapping[str, tuple[str, ...]]
    options: Mapping[str, tuple[str, ...]]
    asks: Mapping[str, tuple[str, ...]]
    records: Mapping[str, tuple[str, ...]]
    dose_units: Mapping[str, str]
    taken: Mapping[str, tuple[str, ...]]
    ocr: Confusions

    @classmethod
    def read(cls, folder: Traversable) -> "Language":
        """Read the language in *folder*, whose name is its code.

        Raises:
            PackError: A file or a key is missing, or has content of the wrong form.
        """
        months, numbers = _File.of(folder, "months.yaml"), _File.of(folder, "numbers.yaml")
        streets, labels = _File.of(folder, "streets.yaml"), _File.of(folder, "labels.yaml")
        records = _File.of(folder, "records.yaml")
        return cls(
            code=folder.name,
            months=months.named("months", 12),
            weekdays=months.named("weekdays", 7),
            seasons=months.seasons(),
            decades=months.words("decades", 9),
            ones=numbers.words("ones", 20),
            tens=numbers.words("tens", 8),
            ordinals=numbers.table("ordinals"),
            noughts=numbers.words("noughts"),
            many=numbers.table("many"),
            misspelt=numbers.table("misspelt"),
            streets={key: streets.words(key) for key in STREETS},
            street_types=streets.street_types(),
            labels={key: labels.words(key) for key in LABELS},
            options=labels.lists("options"),
            asks=labels.lists("asks"),
            records={key: records.words(key) for key in RECORDS},
            dose_units=records.table("dose_units"),
            taken=records.lists("taken"),
            ocr=_confusions(_File.of(folder, "ocr.yaml")),
        )

    @cached_property
    def forms(self) -> Mapping[str, str]:
        """Return the regular expressions that rule files may use as ``{name}``."""
        ocr, tens = self.ocr, (*self.tens, *self.misspelt)
        tens = tuple(word for word in tens if self.misspelt.get(word, word) in self.tens)
        return {
            "d": f"[0-9{ocr.likely}]",
            "letter_digit": f"[0-9{ocr.letters}]",
            "round_digit": f"[0-9{''.join(char for char in ocr.round if char in ocr.letters)}]",
            "any_digit": f"[0-9{ocr.any}]",
            "one": f"[1{''.join(char for char in ocr.digits['1'] if char in ocr.round)}]",
            "i": f"[1{''.join(char for char in ocr.digits['1'] if char.isalpha())}]",
            "o": f"[0{''.join(char for char in ocr.digits['0'] if char in ocr.round)}]",
            "month_names": alternation(
                tuple(spelling for month in self.months for spelling in month.spellings)
            ),
            "units": "|".join(self.ones[1:10]),
            "teens": "|".join(self.ones[13:]),
            "one_to_nineteen": "|".join(self.ones[1:]),
            "tens": "|".join(tens),
            "noughts": "|".join((self.ones[0], *self.noughts)),
            "staff_headings": "|".join(
                word.replace(" ", "") for word in self.labels["headings_of_staff"]
            ),
            "at_hospitals": alternation(self.labels["at_hospitals"]),
        }


def language_of(code: str, root: Path | None = None, file: str = "pack") -> Language:
    """Return the language *code* of the pack in *root*, or else of the shipped pack.

    Args:
        code: The ``language`` of a rule file.
        root: The folder that holds ``recognizers/``; None for the shipped pack.
        file: The file that asks for it, for errors.

    Raises:
        PackError: Neither has such a language, its folder lacks a file or a key, or the pack
            changes a shipped language.
    """
    shipped = _is_code(code) and (shipped_root() / "recognizers" / LANGUAGES / code).is_dir()
    if root is not None and _is_code(code):
        folder = root / "recognizers" / LANGUAGES / code
        if folder.is_dir() and not shipped:
            return _own(folder)
        if folder.is_dir() and _own(folder) != _shipped(code):
            problem = "changes a shipped language, which checks and surrogates read from our pack; "
            problem += "remove this folder, or copy it to a code of your own"
            raise PackError(f"{LANGUAGES}/{code}/", problem)
    if shipped:
        return _shipped(code)
    needed = ", ".join(FILES[:-1]) + f" and {FILES[-1]}"
    raise PackError(
        file,
        f"language {code!r} has no folder recognizers/{LANGUAGES}/{code}/; it needs {needed}, "
        "as recognizers/languages/en/ has them",
    )


def check_language(data: Mapping[str, Any], overlay: str | None, file: str) -> Language:
    """Return the language that *data*, a file of a pack, declares [default: ``en``].

    Raises:
        PackError: As `language_of`.
    """
    root = Path(overlay) if overlay else None
    return language_of(str(data.get("language", "en")), root, file)


def english() -> Language:
    """Return the shipped English data, read once.

    Raises:
        PackError: The installation is not complete.
    """
    return _shipped("en")


@lru_cache(maxsize=8)
def _shipped(code: str) -> Language:
    return Language.read(shipped_root() / "recognizers" / LANGUAGES / code)


@lru_cache(maxsize=8)
def _own(folder: Path) -> Language:
    return Language.read(folder)


def _is_code(code: object) -> bool:
    """Return whether *code* can be the name of a folder, not a path."""
    return isinstance(code, str) and code.replace("-", "").isalnum() and len(code) < 20


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a language; every error names it."""

    name: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, folder: Traversable, name: str) -> "_File":
        item, shown = folder / name, f"{LANGUAGES}/{folder.name}/{name}"
        if not item.is_file():
            needed = ", ".join(FILES)
            raise PackError(shown, f"is missing; the folder of a language needs {needed}")
        return cls(shown, load(item, shown))

    def fail(self, problem: str) -> PackError:
        return PackError(self.name, problem)

    def value(self, key: str) -> Any:
        if key not in self.data:
            raise self.fail(f"has no key {key!r}")
        return self.data[key]

    def words(self, key: str, count: int | None = None) -> tuple[str, ...]:
        value = self.value(key)
        if not _are_words(value):
            raise self.fail(f"{key!r} is not a list of words; quote yes, no, on, off and numbers")
        if count is not None and len(value) != count:
            raise self.fail(f"{key!r} has {len(value)} words; it needs {count}")
        return tuple(value)

    def table(self, key: str) -> dict[str, str]:
        value = self.value(key)
        if not isinstance(value, dict) or not _are_words([*value, *value.values()]):
            raise self.fail(f"{key!r} is not a mapping of words to words; quote digits")
        return value

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        value = self.value(key)
        if not isinstance(value, dict) or not all(map(_are_words, value.values())):
            raise self.fail(f"{key!r} is not a mapping of words to lists of words")
        return {name: tuple(words) for name, words in value.items()}

    def named(self, key: str, count: int) -> tuple[Named, ...]:
        value = self.value(key)
        found = []
        for row in value if isinstance(value, list) else []:
            if not (
                isinstance(row, dict)
                and _are_words([row.get("name"), row.get("short")])
                and _are_words(row.get("also", []))
                and _are_words(row.get("garbled", []))
                and not set(row) - {"name", "short", "also", "garbled"}
            ):
                raise self.fail(f"{key!r}: a row needs name and short, and may have also, garbled")
            also, garbled = tuple(row.get("also", ())), tuple(row.get("garbled", ()))
            found.append(Named(row["name"], row["short"], also, garbled))
        if len(found) != count:
            raise self.fail(f"{key!r} has {len(found)} rows; it needs {count}")
        return tuple(found)

    def street_types(self) -> tuple[StreetType, ...]:
        value = self.value("types")
        found = []
        for use in USES:
            words = value.get(use) if isinstance(value, dict) else None
            if not (
                isinstance(words, dict)
                and _are_words([*words])
                and all(_are_words(short) for short in words.values())
            ):
                raise self.fail(f"'types' has no {use!r}, words with a list of abbreviations each")
            found += [StreetType(word, tuple(short), use) for word, short in words.items()]
        return tuple(found)

    def seasons(self) -> dict[str, int]:
        value = self.value("seasons")
        if not isinstance(value, dict) or not all(
            isinstance(name, str) and month in range(1, 13) for name, month in value.items()
        ):
            raise self.fail("'seasons' is not a mapping of words to months from 1 to 12")
        return value


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def _confusions(file: _File) -> Confusions:
    digits = file.table("digits")
    if not set(digits) <= set("0123456789") or len("".join(digits.values())) != len(
        set("".join(digits.values()))
    ):
        raise file.fail("'digits' names something else than digits, or one character twice")
    chars = set("".join(digits.values()))
    if unsafe := sorted(_UNSAFE & chars):
        raise file.fail(f"'digits' has {unsafe[0]!r}, which no class of characters can hold")
    classes = file.table("classes")
    for name in ("likely", "letters", "round", "alone"):
        if name not in classes:
            raise file.fail(f"'classes' has no key {name!r}")
        if stray := sorted(set(classes[name]) - chars):
            raise file.fail(f"class {name!r} has {stray[0]!r}, which stands for no digit")
    pairs = file.value("pairs")
    if not isinstance(pairs, list) or not all(
        _are_words(pair) and len(pair) == 2 for pair in pairs
    ):
        raise file.fail(
            "'pairs' is not a list of pairs of what OCR read and the letter on the page"
        )
    return Confusions(
        digits=digits,
        poor=file.table("poor"),
        likely=classes["likely"],
        letters=classes["letters"],
        round=classes["round"],
        alone=classes["alone"],
        upper=file.table("upper"),
        lower=file.table("lower"),
        folded=file.table("folded"),
        pairs=tuple((read, meant) for read, meant in pairs),
    )
