"""A document and the files within it are treated as one."""

import base64
import re
import time
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip import documents, steps
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import (
    Found,
    Picture,
    Remembering,
    Tools,
    rewrite,
    rewrite_any,
)
from presidio_cdip.documents.segments import Embedded, Note, Place, Settings
from presidio_cdip.documents.texts.sources import SourceDocument
from presidio_cdip.errors import OutputError, StillReadable, UnreadableInput
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten

KEY = b"a key for tests alone: 32 bytes."
PNG = base64.b64decode(
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg=="
)


def find(text: str) -> list[Span]:
    """Find numbers behind SSN, and names behind Mr."""
    numbers = re.finditer(r"SSN\W{1,8}([\d-]{7,})", text)
    names = re.finditer(r"Mr ([A-Z]\w+ [A-Z]\w+)", text)
    found = [Span(*one.span(1), "US_SSN", 0.9, "x") for one in numbers]
    found += [Span(*one.span(1), "PERSON", 0.9, "x") for one in names]
    return sorted(found, key=lambda span: span.start)


def rewritten(data: bytes, name: str, pictures: list[bytes] | None = None) -> bytes:
    """Rewrite with the finder above; pictures are only counted."""
    made = Replacement(steps.steps("surrogate", KEY), "s")

    def redact(one: Embedded, change: bool) -> Picture:
        if pictures is not None:
            pictures.append(one.data)
        return Picture(one.data, [], [])

    return rewrite(data, name, Tools(Remembering(find), redact, made.anonymize), Settings())[0]


def test_a_value_known_from_an_attachment_is_found_everywhere() -> None:
    """Also in what was read before it: subject, body, and an attachment without its label."""
    mail = EmailMessage()
    mail["Subject"] = "record 123-45-6789"
    mail.set_content("See 123-45-6789 enclosed.\n")
    for number, text in enumerate((b'{"again": "123-45-6789"}', b'{"a": "SSN: 123-45-6789"}')):
        mail.add_attachment(text, "application", "json", filename=f"{number}.json", cte="7bit")

    new = rewritten(mail.as_bytes(), "m.eml")

    assert b"123-45-6789" not in new
    assert len(set(re.findall(rb"\d{3}-\d\d-\d{4}", new))) == 1


def test_a_picture_that_is_declared_as_text_is_read_as_a_picture() -> None:
    """A charset does not make a text of it."""
    mail = b"\r\n".join(
        [
            b"MIME-Version: 1.0",
            b"Content-Type: text/plain; charset=iso-8859-1; name=scan.png",
            b"Content-Transfer-Encoding: base64",
            b"",
            base64.b64encode(PNG),
        ]
    )
    seen: list[bytes] = []

    rewritten(mail, "m.eml", seen)

    assert seen == [PNG]


def test_a_key_with_a_value_is_not_passed_as_clean() -> None:
    """Labels are not written, so what stands in one alone is left, and said."""
    data = b'{"Anna Kowalska": {"note": "Mr Anna Kowalska came"}}'

    with pytest.raises(StillReadable):
        rewritten(data, "a.json")


def test_a_document_is_not_written_under_another_format(tmp_path: Path) -> None:
    """The file would hold a workbook under the name of a letter."""
    source, target = tmp_path / "a.xlsx", tmp_path / "b.docx"
    source.write_bytes(b"")

    with pytest.raises(OutputError, match=r"stays in its format: write to a file in \.xlsx"):
        documents.anonymize(source, target)

    assert not target.exists()


def test_a_value_that_the_policy_keeps_is_not_counted_as_replaced() -> None:
    """It is a finding still, whose operator says that it stays."""
    kept = {"US_SSN": {"operator": "keep"}}
    made = Replacement(steps.steps("surrogate", KEY, changes=kept), "s")
    tools = Tools(find, lambda one, change: Picture(one.data, [], []), made.anonymize)

    _, report = rewrite(b'{"a": "SSN 123-45-6789, Mr John Smith"}', "a.json", tools, Settings())

    assert report.as_json()["replaced"] == {"PERSON": 1}
    assert [one.operator for one in report.findings] == ["keep", "surrogate"]


def test_a_small_picture_in_a_string_of_json_is_read() -> None:
    """Its base64 needs no address before it."""
    pictures: list[bytes] = []

    rewritten(b'{"photo": "' + base64.b64encode(PNG) + b'"}', "a.json", pictures)

    assert pictures == [PNG]


def test_frames_of_pictures_are_named() -> None:
    """A finding in a scan of several pages says on which it stands."""
    mail = EmailMessage()
    mail.set_content("Enclosed.\n")
    mail.add_attachment(PNG, "image", "tiff", filename="a.tif")

    def redact(one: Embedded, change: bool) -> Picture:
        found = [Found("US_SSN", Place("picture", page), 0, 1, 1.0) for page in (0, 2)]
        return Picture(one.data, found, [Note(Place("picture", 1), "unread")])

    made = Replacement(steps.steps("surrogate", KEY), "s")
    tools = Tools(find, redact, made.anonymize)
    report = rewrite(mail.as_bytes(), "m.eml", tools, Settings())[1]

    assert [one.place.where for one in report.findings] == [
        "message, part 2", "message, part 2, frame 3",
    ]  # fmt: skip
    assert [one.place.where for one in report.unread] == ["message, part 2, frame 2"]


@pytest.mark.parametrize("stays", [True, False])
def test_short_value_is_looked_for_beside_its_words(
    stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone it occurs by chance, as here in a number that is none."""
    data = b'{"a": "Room of 4711 there", "b": 47110, "c": "4711"}'
    if stays:
        monkeypatch.setattr(SourceDocument, "write", lambda *_: data)

    def rooms(text: str) -> list[Span]:
        return [Span(*one.span(1), "ADDRESS", 0.9, "x") for one in re.finditer("of (4711)", text)]

    def anonymize(text: str, spans: Sequence[Span], subjects: object) -> Rewritten:
        span = spans[0]
        new = text[: span.start] + "12" + text[span.end :]
        return Rewritten(new, [Item(span.start, span.start + 2, "12", span, "surrogate")])

    tools = Tools(rooms, lambda one, change: Picture(one.data, [], []), anonymize)
    if stays:
        with pytest.raises(StillReadable):
            rewrite(data, "a.json", tools, Settings())
    else:
        assert rewrite(data, "a.json", tools, Settings())[0] == data.replace(b"of 4711", b"of 12")


def test_document_that_takes_too_long_is_refused() -> None:
    """Also where the time is spent in a file within it, which then is not just left out."""
    mail = EmailMessage()
    mail.set_content("Enclosed.\n")
    mail.add_attachment(b'{"a": "SSN: 123-45-6789"}', "application", "json", filename="a.json")
    made = Replacement(steps.steps("surrogate", KEY), "s")

    def slowly(text: str) -> list[Span]:
        time.sleep(0.06 if "SSN" in text else 0)
        return find(text)

    tools = Tools(slowly, lambda one, change: Picture(one.data, [], []), made.anonymize)

    with pytest.raises(UnreadableInput, match=r"takes more than 0\.05 s: split it"):
        rewrite(mail.as_bytes(), "m.eml", tools, Settings(max_seconds=0.05))


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("See data:text/plain;base64,U1NOIDI3MS0yNC0wNTM4 here.", True),
        (base64.encodebytes(b"Jonathan Smithson, SSN 271-24-0538. " * 9).decode(), True),
        ("A letter of many words.\n" * 9, False),
        (f"sha256 {'0123456789abcdef' * 4}\n", False),
    ],
)
def test_files_in_plain_texts_are_reported(text: str, noted: bool) -> None:
    """They stay, so that the text does not pass as clean."""
    tools = Tools(find, lambda one, change: Picture(one.data, [], []))

    report = rewrite_any(text.encode(), "a.txt", tools, Settings())[1]

    assert bool(report.unread) == noted


@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_the_report_counts_plainest_forms(name: str) -> None:
    """By entity, in documents as in texts; labels have no form."""
    data = b"no,note\n1,had gout\n2,had quivering zwork\n"

    def ills(text: str) -> list[Span]:
        return [Span(*one.span(1), "HEALTH", 0.9, "x") for one in re.finditer("had (.+)", text)]

    def report(policy: str) -> dict[str, Any]:
        made = Replacement(steps.steps(policy, KEY), "s", forms=True)
        tools = Tools(ills, lambda one, change: Picture(one.data, [], []), made.anonymize)
        return rewrite_any(data, name, tools, Settings())[1].as_json()

    drawn, labels = report("surrogate"), report("label")
    assert drawn["replaced"] == labels["replaced"] == {"HEALTH": 2}
    assert (drawn["plainest"], labels["plainest"]) == ({"HEALTH": 1}, {})
    assert [one["plainest"] for one in drawn["findings"]] == [False, True]
