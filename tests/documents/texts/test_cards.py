"""Cards and calendars are read as programs show them, and written as they were but for edits."""

import pytest

from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import cards

CARD = (
    b"BEGIN:VCARD\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;=\r\nAnn\r\n"
    b"NOTE:Seen\\, by\r\n  Ann Lee\r\nPHOTO;ENCODING=BASE64;TYPE=PNG:iVBO\r\n Rw0K\r\n\r\n"
    b"END:VCARD\r\n"
)


def read(data: bytes) -> Document:
    return cards.opened(data, "a.vcf", Settings())


def test_values_are_read_without_their_encoding() -> None:
    """Quoted-printable, folds and escapes."""
    assert [(one.text, one.label) for one in read(CARD).segments] == [
        ("Müller;Ann", "n"), ("NOTE:Seen, by Ann Lee", ""),
    ]  # fmt: skip


def test_files_are_embedded() -> None:
    """In base64, or in an address."""
    later = read(b"BEGIN:VCARD\nPHOTO:data:image/png;base64,iVBORw0K\nEND:VCARD\n")

    assert [one.data for one in read(CARD).embedded] == [b"\x89PNG\r\n"]
    assert [one.data for one in later.embedded] == [b"\x89PNG\r\n"]


def test_only_edits_change() -> None:
    """A value stays in its encoding."""
    new = read(CARD).write({0: [Edit(0, 6, "Weiß", "PERSON")]}, {0: b"abc"})

    assert new == CARD.replace(b"M=C3=BCller", b"Wei=C3=9F").replace(b"iVBO\r\n Rw0K", b"YWJj")
    assert read(CARD).write({}, {}) == CARD


def test_damaged_file_is_reported() -> None:
    """What does not decode was not read."""
    document = read(b"BEGIN:VCARD\nPHOTO;ENCODING=b:A*B\nEND:VCARD\n")

    assert [one.place.where for one in document.unread] == ["line 2"]


@pytest.mark.parametrize("where", ["quoted-printable", "source without folds", "base64"])
def test_check_reads_what_is_encoded(where: str) -> None:
    """By code of its own."""
    data = b"A:SSN 271-\r\n 24-0538\r\nB:SSN 271-=\r\n24-0538\r\nC:U1NOIDI3MS0yNC0wNTM4\r\n"

    assert "271-24-0538" in dict(cards.extracted(data, "a.vcf"))[where]


def test_text_beside_files_is_read() -> None:
    """Before, between and behind them."""
    document = read(
        b"BEGIN:VCARD\nNOTE:see data:text/plain,hello and Ann data:text/plain,bye 271-24-0538\n"
    )

    assert [one.text for one in document.segments] == ["NOTE:see ", " and Ann ", " 271-24-0538"]
    assert [one.data for one in document.embedded] == [b"hello", b"bye"]


@pytest.mark.parametrize("name", ["BEGIN", "END", "VERSION", "CALSCALE", "METHOD"])
def test_frame_hides_no_text(name: str) -> None:
    """Its lines are left out only with the values that the standards list."""
    frame = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nCALSCALE:GREGORIAN\r\nMETHOD:REQUEST\r\n"

    assert not read(frame + b"END:VCALENDAR\r\n").segments
    assert len(read(frame + f"{name}:SSN 271-24-0538\r\n".encode()).segments) == 1


def test_base64_goes_on_without_folds() -> None:
    """As old programs write it; the file is whole."""
    data = b"BEGIN:VCARD\nPHOTO;ENCODING=BASE64:iVBO\nRw0K\n\nGgoA:Ann\nEND:VCARD\n"
    document = read(data)

    assert [one.data for one in document.embedded] == [b"\x89PNG\r\n"]
    assert [one.text for one in document.segments] == ["GgoA:Ann"]
    assert document.write({}, {0: b"abc"}) == data.replace(b"iVBO\nRw0K", b"YWJj")
