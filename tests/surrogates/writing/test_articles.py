"""Articles before surrogates."""

from pathlib import Path

import pytest

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.vault import Vault
from presidio_cdip.surrogates.writing.articles import takes_an, with_article

KEY = "a key of at least 16 bytes"


VOWEL = """Italian|hour|heir|H-1B visa|F|MRI scan|SPD member|8th|11|85|x-ray|unmarried man
SEIU steward|RCIA card|NFFE man|NAACP member|NIDDM patient|FTAT man|ULCER|HREU man|USHER
uninsured|unimpaired|unemployed|ulcer|upper plate|usher|únorský"""
CONSONANT = """German|union man|UAW member|U.S. citizen|European|Ukrainian|Ugandan|uterine tumor
UFCW man|UPWA member|USWA man|UWUA member|NATO man|NAFTA visa|STROKE|FRACTURE|HERNIA|MALE|LIUNA man
one-time|unanimous|hernia|Herbert|100|118|UNION MAN|Uruguayan|B-2|unilateral"""


@pytest.mark.parametrize("word", VOWEL.replace("\n", "|").split("|"))
def test_vowel_sounds_take_an(word: str) -> None:
    assert takes_an(word)


@pytest.mark.parametrize("word", CONSONANT.replace("\n", "|").split("|"))
def test_other_sounds_take_a(word: str) -> None:
    assert not takes_an(word)


@pytest.mark.parametrize(
    ("before", "value", "wanted"),
    [
        ("he is a ", "Italian", "he is an "),
        ("he is an ", "Greek", "he is a "),
        ("A ", "Italian, he said", "An "),
        ("end. An\n", "Greek", "end. A\n"),
        ("IS A ", "ITALIAN", "IS AN "),
        ("Her mother is AN ", "CANADIAN CITIZEN", "Her mother is A "),
        ("his bride AN ", "BAPTIST", "his bride A "),
        ("Now she is A ", "ANGLICAN", "Now she is AN "),
        ("born a Jew and A ", "ITALIAN", "born a Jew and AN "),
        ("Her grade is A ", "obese boy", "Her grade is A "),
        ("hepatitis A ", "INFECTION", "hepatitis A "),
        ("vitamin A ", "overdose", "vitamin A "),
        ("hepatitis A ", "Italian", "hepatitis A "),
        ("as the ", "Italian", "as the "),
        ("Ana ", "Italian", "Ana "),
        ("x.a ", "Italian", "x.a "),
        ("a/an ", "Ukrainian", "a/an "),
        ("is an/a ", "Italian", "is an/a "),
        ("and a ", "Italian", "and an "),
        ("", "Italian", ""),
    ],
)
def test_only_an_article_at_the_end_changes(before: str, value: str, wanted: str) -> None:
    assert with_article(before, value) == wanted


def test_a_policy_corrects_articles_outside_its_findings_and_a_vault_restores_them(
    tmp_path: Path,
) -> None:
    text = "He was an Italian once, and then a Greek."
    spans = [Span(10, 17, "NATIONALITY", 1.0, ""), Span(35, 40, "NATIONALITY", 1.0, "")]
    seen = set()
    for number in range(20):
        made = steps.steps("surrogate", KEY, f"text {number}")
        vault = Vault(tmp_path / f"{number}.vault", KEY)
        written = steps.anonymize(text, spans, made, vault, "t")
        for item in written.items:
            article = written.text[: item.start].split()[-1]
            assert article == ("an" if takes_an(item.text) else "a")
            seen.add(article)
        assert vault.restore(written.text, "t") == text
    assert seen == {"a", "an"}
