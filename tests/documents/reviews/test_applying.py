"""A document is redacted as its review says."""

from email.message import EmailMessage
from shutil import which

import numpy as np
import pytest

from presidio_cdip import steps
from presidio_cdip.documents.pictures import redactor
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.review import Decision, Review
from presidio_cdip.documents.rewriting import Remembering, Tools, rewrite_any
from presidio_cdip.errors import ReviewError
from tests.documents.reviews.builders import KEY, Case, find, page, pixels

NOTE = b"Ann had the flu, 123-45-6789.\nBob had the flu.\n"
LINES = ("SSN 123-45-6789", "She had the flu last year", "and the flu this year")

reads = pytest.mark.skipif(not which("tesseract"), reason="needs Tesseract")


@pytest.mark.slow
def test_what_is_rejected_stays_and_all_else_is_replaced() -> None:
    """Whether it was accepted or not looked at."""
    case = Case(NOTE)
    case.editing.change([case.named("flu")], decision="rejected")
    case.editing.change([case.named("123-45-6789")], decision="accepted")

    new = case.text()

    assert new.startswith("Ann had the flu, ")
    assert "123-45-6789" not in new
    assert new.count("flu") == 1


def test_what_was_typed_stands_there() -> None:
    """In place of what would have been drawn."""
    case = Case(NOTE)
    case.editing.change([case.named("123-45-6789")], surrogate="000-00-0000")
    assert "000-00-0000" in case.text()
    case.editing.change([case.named("123-45-6789")], surrogate=None)
    assert "000-00-0000" not in case.text()


def test_what_was_added_is_replaced_and_verified() -> None:
    """As if it had been found."""
    case = Case(NOTE)
    case.editing.add(0, 0, 3, "PERSON")
    new, report = case.applied()
    assert not new.startswith(b"Ann")
    assert report.counts()["PERSON"] == 1


def test_a_review_without_a_decision_redacts_what_was_found() -> None:
    """As if nobody had looked, also in the files within a document."""
    mail = EmailMessage()
    mail.set_content("Ann had the flu.\n")
    mail.add_attachment(NOTE, "text", "csv", filename="a.csv", cte="7bit")
    case = Case(mail.as_bytes(), "mail.eml")
    made = Replacement(steps.steps("label", KEY), "s")
    looking = Remembering(find)
    tools = Tools(looking, redactor(looking, case.settings, made), made.anonymize)
    assert case.applied()[0] == rewrite_any(case.data, case.name, tools, case.settings)[0]


def test_the_same_review_gives_the_same_bytes() -> None:
    """Whoever applies it, through the file that keeps it."""
    case = Case(NOTE)
    case.editing.change([case.named("flu")], decision="rejected", everywhere=True)
    assert case.applied() == Case(NOTE).applied(case.editing.review("someone"))


def test_a_review_is_of_one_document() -> None:
    """Of no other, and of no other reading of it."""
    case = Case(NOTE)
    other = Case(NOTE + b"\n")
    with pytest.raises(ReviewError, match="another document"):
        other.applied(case.editing.review())
    review = case.editing.review()
    with pytest.raises(ReviewError, match="read differently"):
        case.applied(Review(review.check, Choices(), {"0" * 24: (), **review.texts}))


def test_decisions_reach_the_files_within_a_document() -> None:
    """Each text of it by its own offsets."""
    mail = EmailMessage()
    mail["Subject"] = "the flu"
    mail.set_content("Ann had the flu.\n")
    mail.add_attachment(
        b'{"note": "Bob had the flu."}', "application", "json", filename="note.json", cte="7bit"
    )
    case = Case(mail.as_bytes(), "mail.eml")
    (attached,) = [one for one in case.reading.views if one.title == "message, part 2"]
    for one in case.editing.findings():
        of_attached = case.reading.views[one.view] is attached
        decision: Decision = "rejected" if of_attached else "accepted"
        case.editing.change([one.id], decision=decision)

    new = case.applied()[0]

    assert b'{"note": "Bob had the flu."}' in new
    assert b"\nAnn had the flu.\n" not in new.replace(b"\r\n", b"\n")


@reads
def test_a_page_shows_words_where_they_stand() -> None:
    """In pixels of the page; a finding's box is that of its words."""
    case = Case(page(*LINES), "page.png")
    (view,) = case.reading.views
    assert (view.kind, view.size) == ("picture", (1200.0, 420.0))
    assert len(view.words) == 13
    (box,) = case.editing.boxes(case.editing.findings()[0])
    assert 80 < box[0] < box[2] < 700
    assert 55 < box[1] < box[3] < 125


@pytest.mark.slow
@reads
def test_a_box_over_words_finds_them_and_one_over_none_is_erased() -> None:
    """A drawing that no OCR reads can be removed, too."""
    mark = (900, 250, 1000, 350)
    case = Case(page(*LINES, mark=mark), "page.png")
    words = {
        case.reading.texts[0][one.start : one.end]: one.box for one in case.reading.views[0].words
    }
    left, top, right, bottom = words["year"]
    case.editing.draw(0, (left - 5, top - 5, right + 5, bottom + 5), "AGE")
    assert case.named("year")

    case.editing.draw(0, (890.0, 240.0, 1010.0, 360.0), "BIOMETRIC_DATA")
    case.editing.change([case.named("flu")], decision="rejected")
    new, report = case.applied()

    before, after = np.asarray(pixels(case.data)), np.asarray(pixels(new))
    assert (after[240:360, 890:1010] > 200).all()
    flu = [int(edge) for edge in case.editing.boxes(case.editing.finding(case.named("flu")))[0]]
    here = np.s_[flu[1] : flu[3], flu[0] : flu[2]]
    assert (before[here] == after[here]).all()
    assert report.counts()["BIOMETRIC_DATA"] == 1


@reads
@pytest.mark.slow
def test_what_is_typed_is_painted() -> None:
    """Where it fits."""
    case = Case(page(*LINES), "page.png")
    case.editing.change([case.named("123-45-6789")], surrogate="714-38-2957")
    again = Case(case.applied()[0], "page.png")
    assert "714-38-2957" in again.reading.texts[0]
