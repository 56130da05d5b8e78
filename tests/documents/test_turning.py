"""Sexes are flipped in documents and pictures as in texts, by one decision for each text."""

import io
import re
from pathlib import Path

from presidio_cdip import steps
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import Picture, Remembering, Tools, rewrite
from presidio_cdip.documents.segments import Embedded, Settings
from presidio_cdip.documents.subjects import Stretch
from presidio_cdip.presidio import operators
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.vault import Vault

KEY = b"a key for tests alone: 32 bytes."
CHANGES = {"GENDER": {"answers": "flipped"}}
MADE = steps.steps("surrogate", KEY, changes=CHANGES)
NAME = "Olga Prinz"
TEXT = f"Mrs. {NAME} sold her shop. A buyer told her mother that he likes it.\n"
TURNED = r"Mr\. (\w+ \w+) sold his shop\. A buyer told his father that she likes it\.\n"


def find(text: str) -> list[Span]:
    """Find one name."""
    found = re.finditer(rf"{NAME}|Karl Kovac", text)
    return [Span(*one.span(), "PERSON", 0.9, "x") for one in found]


def scopes(turned: bool, number: int = 3) -> list[str]:
    """Return the names of scopes whose coin says so."""
    found = []
    for at in range(64):
        made = steps.in_scope(MADE, f"s{at}")
        if steps.anonymize(TEXT, find(TEXT), made).is_turned is turned:
            found.append(f"s{at}")
    return found[:number]


def test_words_in_runs_of_a_document_are_turned() -> None:
    """Also where one is bold, in a table and in a heading; the report counts them."""
    from docx import Document

    document = Document()
    document.add_heading(f"Mrs. {NAME}")
    paragraph = document.add_paragraph("The man told ")
    paragraph.add_run("her").bold = True
    paragraph.add_run(" that his wife had left.")
    document.add_table(rows=1, cols=1).cell(0, 0).text = "Her husband"
    out = io.BytesIO()
    document.save(out)
    (scope,) = scopes(True, 1)
    made = Replacement(MADE, scope)

    def redact(one: Embedded, change: bool) -> Picture:
        return Picture(one.data, [], [])

    tools = Tools(Remembering(find), redact, made.anonymize)
    new, report = rewrite(out.getvalue(), "a.docx", tools, Settings())
    read = Document(io.BytesIO(new))

    assert re.fullmatch(r"Mr\. \w+ \w+", read.paragraphs[0].text)
    assert read.paragraphs[1].text == "The woman told him that her husband had left."
    assert [one.bold for one in read.paragraphs[1].runs if one.text == "him"] == [True]
    assert read.tables[0].cell(0, 0).text == "His wife"
    assert sum(one.entity == "GENDER" for one in report.findings) == 7


def test_a_picture_is_decided_once() -> None:
    """Its words come with what is painted; with them as findings, it is the same page."""
    placed = [(span.start, span.end, span.entity) for span in find(TEXT)]
    (scope,) = scopes(True, 1)
    made = Replacement(MADE, scope)

    first = made.on_page(TEXT, placed)
    words = list(first.mentions())
    source = made.on_page(TEXT, sorted([*placed, *words]))
    painted = {
        TEXT[start:end]: next(source.candidates(entity, TEXT[start:end], start, end)).text
        for start, end, entity in words
    }

    assert {entity for *_, entity in words} == {"GENDER"}
    assert {"Mrs.": "Mr.", "her": "his"}.items() <= painted.items()
    assert painted["he likes it"] == "she likes it"  # a longer word has room
    assert made.decided == {True}


def test_a_picture_with_a_ticked_sex_is_not_turned() -> None:
    """Its boxes may not be told, and the options are printed."""
    text = f"Name: {NAME}\nSex: [ ] Male  [x] Female\nShe rests.\n"
    start = text.index("Female")
    placed = [(span.start, span.end, span.entity) for span in find(text)]
    for scope in scopes(True):
        source = Replacement(MADE, scope).on_page(text, [*placed, (start, start + 6, "GENDER")])
        assert not list(source.mentions())
        assert next(source.candidates("GENDER", "Female", start, start + 6)).text == "Female"


def test_rows_are_turned_by_their_subjects() -> None:
    """Each row's scope has a coin of its own, and its words keep their places."""
    rows = f"Mrs. {NAME}, her car\nMr. Karl Kovac, his car\n"
    end = rows.index("\n") + 1
    seen = set()
    for number in range(12):
        subjects = [Stretch(0, end, f"a{number}"), Stretch(end, len(rows), f"b{number}")]
        written = Replacement(MADE, "file").anonymize(rows, find(rows), subjects)
        first, second = written.text.splitlines()
        assert re.fullmatch(r"Mrs\. .*, her car|Mr\. .*, his car", first)
        assert re.fullmatch(r"M[rs]s?\. .*, (?:her|his) car", second)
        assert all(one.text == written.text[one.start : one.end] for one in written.items)
        seen.add((first.startswith("Mr."), second.startswith("Ms.")))
    assert len(seen) == 4


def test_the_vault_restores_a_turned_text(tmp_path: Path) -> None:
    """Every word is the original's again."""
    vault = Vault(tmp_path / "vault", KEY)
    (scope,) = scopes(True, 1)
    new = steps.anonymize(TEXT, find(TEXT), steps.in_scope(MADE, scope), vault, "a").text

    assert re.fullmatch(TURNED, new)
    assert vault.restore(new) == TEXT


def test_our_function_for_presidio_turns_a_text() -> None:
    """`presidio_cdip.anonymize` sees it; operators alone see values, and keep their sex."""
    from presidio_anonymizer import AnonymizerEngine
    from presidio_anonymizer.entities import RecognizerResult

    results = [RecognizerResult("PERSON", span.start, span.end, 0.9) for span in find(TEXT)]
    (scope,) = scopes(True, 1)
    policy = operators.policy("surrogate", KEY, scope, GENDER={"answers": "flipped"})
    engine = AnonymizerEngine()
    operators.add_operators(engine)

    assert re.fullmatch(TURNED, operators.anonymize(TEXT, results, policy).text)
    alone = engine.anonymize(TEXT, results, policy).text
    assert re.fullmatch(TURNED.replace("Mr", "Mrs").replace("his", "her").replace(
        "father", "mother").replace("she", "he"), alone)  # fmt: skip
