"""Values that are known from a document are found again in what is embedded in it."""

from presidio_cdip.documents.rewriting import Remembering
from presidio_cdip.recognition.spans import Span
from tests.growth import calls


def learned(*values: str) -> Remembering:
    """Return what knows *values*, and finds nothing itself."""
    find = Remembering(lambda text: [])
    for value in values:
        find.learn(value, [Span(0, len(value), "PERSON", 0.9, "rule")])
    return find


def found(find: Remembering, text: str) -> list[str]:
    """Return what is found in a text."""
    return [text[span.start : span.end] for span in find(text)]


def test_known_values_are_found_whole() -> None:
    """The longest first; a part of a word is none."""
    find = learned("Ann Lee", "Ann Lee Smith", "(212) 555-0101")

    again = found(find, "x(212) 555-0101 Ann Lee Smith, Ann Leeds and Ann Lee")

    assert again == ["Ann Lee Smith", "Ann Lee"]


def test_value_may_begin_with_a_bracket() -> None:
    """Its first word is what it is looked up by."""
    assert found(learned("(212) 555-0101"), "call (212) 555-0101.") == ["(212) 555-0101"]


def test_what_is_found_anyway_comes_first() -> None:
    """No two findings share a character."""
    find = Remembering(lambda text: [Span(0, 5, "PERSON", 0.9, "rule")])
    find.learn("Ann Lee", [Span(0, 7, "PERSON", 0.9, "rule")])

    assert found(find, "Ann Lee and Ann Lee") == ["Ann L", "Ann Lee"]


def test_many_values_take_one_pass() -> None:
    """A table of thousands of persons does not slow down its pictures."""
    text = "Person 00007, no Person 1 here; " * 100
    few, many = (learned(*(f"Person {n:05}" for n in range(size))) for size in (100, 10_000))

    again = found(many, text)

    assert again == found(few, text) == ["Person 00007"] * 100
    assert calls(lambda: many(text)) < 2 * calls(lambda: few(text))
