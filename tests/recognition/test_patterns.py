"""PCRE2 finds what `re` finds, whatever the form of the expression."""

import pickle
import re
from unicodedata import category

import pytest

from presidio_cdip import Pack
from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import Forms
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition import patterns
from presidio_cdip.recognition.engine import Engine
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.reading import for_rules

FORMS = Forms({"year": r"(?:19|20)\d\d", "town": "[A-Z][a-z]+(?:ville|ton)", "when": "in {year}"})
pcre2 = pytest.importorskip("pcre2")


@pytest.mark.slow
def test_re_finds_the_same_in_every_case(
    shipped_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where PCRE2 is not installed, every case of the rule files has the same spans."""
    texts = [re.sub("[⟦⟧]", "", case) for file in shipped_engine.files for case in file.cases]
    together = ["\n".join(texts[start : start + 8]) for start in range(0, len(texts), 8)]
    by_pcre2 = [shipped_engine.find(text) for text in together]

    monkeypatch.setattr(patterns, "pcre2", None)
    by_re = Engine(pickle.loads(pickle.dumps(shipped_engine.files)))  # with patterns of its own

    assert len(together) > 100
    assert [by_re.find(text) for text in together] == by_pcre2


def test_almost_all_expressions_are_run_by_pcre2(shipped_engine: Engine) -> None:
    """PCRE2 finds at most one in a hundred of the shipped expressions without cues too large."""
    free = [pattern for scan in shipped_engine._scans for pattern in scan.free]
    by_re = [pattern for pattern in free if pattern._bytes is None]

    assert len(by_re) <= len(free) / 100


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (r"born {when}\Z", "born in 1931"),
        (r"(?i:of {town})", "of wilton OF DANVILLE"),
        (r"(?i:of (?-i:{town}))", "of wilton of Wilton"),
        ("[{}()]{town}", "(Wilton {Dayton"),
        (r"\{town\}|{town}(?=[\u2013-])", "{town} Dayton\u2013"),
        (r"(?P<_>(?P<v>{town})?, {year})", ", 1931 Dayton, 1950"),
        (r"é?{town}|[^–]–?[À-Ö]?9", "Dayton 19 x9"),
        (r"{town}|[\U0001F600]", "Dayton \U0001f600"),
    ],
)
@pytest.mark.parametrize("called", [False, True])
def test_forms_mean_the_same_filled_in_and_called(
    expression: str, text: str, called: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A form that is called keeps the flags of the place where it is used."""
    monkeypatch.setattr(patterns, "_CALLED", 0)
    pattern = Pattern(expression, FORMS)
    if called:
        with_calls = Pattern(patterns._with_calls(expression, FORMS))
        pattern.__dict__ |= {"_unicode": with_calls._unicode, "_bytes": with_calls._bytes}

    found = [match.span() for match in pattern.finditer(text)]

    assert found == [match.span() for match in pattern.plain.finditer(text)]
    assert found


def test_re_takes_over_where_pcre2_gives_up() -> None:
    """A text that PCRE2 would go back over too often is searched all the same."""
    pattern = Pattern(r"\A(?:x|y)*z|\A(?:x|y)*w")
    text = "xy" * 200_000 + "w"
    pattern.compile()

    with pytest.raises(pcre2.LibraryError):
        pattern._bytes.search(text.encode())
    assert [match.span() for match in pattern.finditer(text)] == [(0, len(text))]
    for match in (pattern.search(text), pattern.match(text)):
        assert match
        assert match.span() == (0, len(text))


@pytest.mark.slow
@pytest.mark.parametrize("expression", [r"\w", r"\d", r"\s", "(?i:i)", "(?i:s)", "(?i:k)", r"x\b"])
def test_every_character_is_of_one_class_for_both(expression: str) -> None:
    """On plain text PCRE2 and `re` agree on letters, digits and blanks, whatever the script."""
    pattern = Pattern(f"x{expression}" if "x" not in expression else expression)
    chars = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]

    differ = {
        category(char)
        for char in chars
        if bool(pattern.search(text := for_rules(f"xé x{char}"), 3))
        != bool(pattern.plain.search(text, 3))
    }

    assert differ <= {"Cn", "No", "Lo", "Nl"}  # signs that only one of them has as numbers


def test_signs_have_bytes_of_their_own() -> None:
    """Signs are no part of a word, no blank, have no other case, and are in order."""
    assert list(patterns.SIGNS) == sorted(set(patterns.SIGNS))
    for sign in patterns.SIGNS:
        assert not sign.isalnum()
        assert not sign.isspace()
        assert sign.lower() == sign.upper() == sign


@pytest.mark.parametrize(
    "expression",
    ["[À-ž]", "[–-’]", "[^–]", "[\u2013-]", ".", r"\w", r"\W", r"\s", r"\b.", "(?i:—|é)", "[!-—]",
     "[ü-\u2012]", "[\u2013-\U0001f600]", "\u2020", "[^à-\uffff]", r"(?<=[’”])x",
     r"\xa3", r"[\xa0-\xbf]", r"\243", r"[^\xa3]", r"\x78\u2019"],
)  # fmt: skip
def test_signs_are_matched_as_in_unicode(expression: str) -> None:
    """A text of signs, which is read as bytes, has the matches that `re` finds."""
    pattern = Pattern(expression)
    text = "x".join(patterns.SIGNS) + "x’x– e"

    found = [match.span() for match in pattern.finditer(text)]

    assert patterns._encoded(text) is not None
    assert found == [match.span() for match in pattern.plain.finditer(text)]


def test_a_text_with_letters_of_other_alphabets_is_no_text_of_bytes() -> None:
    """Each of its characters could be part of a word, which bytes cannot tell."""
    for char in "éÅ×ж½ªⅣ\u0301\ufffe\U0001f600":
        assert patterns._encoded(f"– {char}") is None


def test_an_expression_is_made_machine_code_when_it_has_read_enough() -> None:
    """The first short text does not pay for it; what it finds stays the same."""
    pattern = Pattern("(?P<_>age [0-9]+)")

    first = [match.span() for match in pattern.finditer("age 46")]
    was_machine_code = pattern._bytes.jit
    later = [match.span() for match in pattern.finditer("age 46" + " " * 1_000)]

    assert first == later
    assert not was_machine_code
    assert pattern._bytes.jit


def test_long_texts_are_searched_in_proportion_to_their_length() -> None:
    """Offsets are not counted from the start of the text for each match."""
    pattern = Pattern("(?P<_>x)")

    for text in ("x " * 40_000, "xé " * 30_000):
        found = pattern.finditer(text)
        assert [pattern.value(match) for match in found][-1][0] >= len(text) - 3


def test_value_is_the_group_named_v_if_it_matched() -> None:
    """Without that group, or where it did not match, the whole expression is the value."""
    pattern = Pattern("(?P<_>age (?P<v>[0-9]+)|old)")

    assert [pattern.value(match) for match in pattern.finditer("age 46, old")] == [(4, 6), (8, 11)]


def test_pattern_is_pickled_without_what_was_compiled() -> None:
    """Another process compiles it again, when it needs it."""
    pattern = Pattern("born {when}", FORMS)
    pattern.compile()

    copy = pickle.loads(pickle.dumps(pattern))

    assert len(pickle.dumps(copy)) < 2_000
    assert copy.match("born in 1931")


def test_a_broken_form_is_told() -> None:
    """The error is one of the pack, not one of `re`."""
    with pytest.raises(PackError, match="bad regular expression in a form"):
        Pattern("{open}", Forms({"open": "("})).search("text")


def test_every_rule_file_of_the_pack_has_forms_of_its_own() -> None:
    """The forms of a rule file hold the shared ones, and are not those of another file."""
    files = rule_files(Pack.shipped())

    assert all("month" in file.forms for file in files)
    assert len({id(file.forms) for file in files}) == len(files)
