"""Findings are shown on a page that runs nothing."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from presidio_cdip.documents.html_view import Section, highlighted


@dataclass(frozen=True)
class Found:
    entity: str
    start: int
    end: int


def tags(page: str) -> list[str]:
    """The tags and attributes of a page."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend([tag, *(name for name, _ in attrs)])

    Reader().feed(page)
    return found


def test_findings_are_marked() -> None:
    """Each with its entity, and once in the legend."""
    page = highlighted([Section("a.txt", "I am Jo & Al.", [Found("NAME", 5, 7)])])

    assert "I am <mark" in page
    assert "<span>Jo</span></span></mark> &amp; Al." in page
    assert page.count('<mark data-label="Name"') == 2


def test_an_entity_has_its_colour_on_every_page() -> None:
    """Whatever else was found."""
    known = ["AGE", "NAME"]
    alone = highlighted([Section("a", "Jo", [Found("NAME", 0, 2)])], entities=known)
    both = highlighted(
        [Section("a", "Jo 9", [Found("NAME", 0, 2), Found("AGE", 3, 4)])], entities=known
    )

    (mark,) = set(re.findall(r"<mark [^>]*>", alone))
    assert mark in both
    assert len(set(re.findall(r"<mark [^>]*>", both))) == 2


def test_nothing_of_a_text_becomes_markup() -> None:
    """Nor of a title or an entity; marks that reverse text are shown."""
    evil = "<script>x</script>\" onload='x' <img src=x> \u202e \x1b[31m \ud800"
    page = highlighted([Section(evil, evil, [Found("<b>" + evil, 3, 9)])])

    assert not {"script", "img", "b", "onload"} & set(tags(page))
    assert not {"\u202e", "\x1b", "\ud800"} & set(page)
    page.encode("utf-8")


def test_values_can_be_hidden() -> None:
    """From the start, where that is asked."""
    sections = [Section("a", "Jo", [Found("NAME", 0, 2)])]

    assert "checked" not in tags(highlighted(sections))
    assert "checked" in tags(highlighted(sections, masked=True))


def test_odd_findings_are_shown() -> None:
    """Overlapping ones once, those beyond the text not at all."""
    findings = [Found("A", 0, 4), Found("B", 2, 6), Found("C", 9, 99), Found("D", 50, 60)]

    page = highlighted([Section("a", "0123456789", findings)])

    assert "<span>0123</span>" in page
    assert "</mark>45678<mark" in page
    assert "<span>9</span>" in page
