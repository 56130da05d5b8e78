"""Mail is read into header fields, bodies and attachments, and written back part by part."""

import base64
import email
import email.policy
import quopri
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.documents.formats import format_of
from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.texts import mail
from presidio_cdip.errors import UnreadableInput

NAME = "Jörg Smithson"
PIECES = [
    "Subject: x\r\n", "\r\n", "\n", "--B\r\n", "--B--\r\n", "a b\r\n", "From x\n", " fold\r\n",
    "Content-Type: multipart/mixed; boundary=B\r\n", "Content-Type: message/rfc822\r\n",
    "Content-Type: text/html\r\n", "Content-Transfer-Encoding: base64\r\n", "=?utf-8?q?x?=",
    "Content-Transfer-Encoding: quoted-printable\r\n", "=\r\n", "<p>", "é", "Content-Type: x/y\n",
]  # fmt: skip


def message(head: str, body: bytes | str = b"x\r\n") -> bytes:
    """A message with *head* among its header fields."""
    body = body.encode() if isinstance(body, str) else body
    return head.encode() + b"\r\n\r\n" + body


def multipart(*parts: bytes, kind: str = "mixed", head: str = "") -> bytes:
    """A message with *parts*."""
    body = b"".join(b"--B\r\n" + part + b"\r\n" for part in parts)
    return message(f'{head}Content-Type: multipart/{kind}; boundary="B"', body + b"--B--\r\n")


def part(kind: str, coding: str, text: str, charset: str = "utf-8") -> bytes:
    """A part of text."""
    data = text.encode(charset)
    coded = {
        "base64": base64.encodebytes, "quoted-printable": quopri.encodestring
    }.get(coding, bytes)(data)  # fmt: skip
    head = f"Content-Type: {kind}; charset={charset}\r\nContent-Transfer-Encoding: {coding}"
    return message(head, coded)


PLACES = {
    "name of the sender": message("From: =?utf-8?q?J=C3=B6rg_Smithson?= <jo@x.org>"),
    "words that are parted": message("Subject: =?utf-8?b?SsO2?=\r\n =?utf-8?q?rg?= Smithson"),
    "plain bytes": message("Subject: Jörg Smithson"),
    "folded line": message("To: a@x.org,\r\n Jörg\r\n Smithson <b@x.org>"),
    "own field": message("X-Patient: Jörg Smithson"),
    "quoted-printable": multipart(part("text/plain", "quoted-printable", NAME, "iso-8859-1")),
    "base64": multipart(part("text/plain", "base64", f"Dear {NAME}\n")),
    "8bit": multipart(part("text/plain", "8bit", NAME)),
    "html": multipart(part("text/html", "base64", "<p>J&ouml;rg <b>Smith</b>son</p>")),
    "message within": multipart(message("Content-Type: message/rfc822", message(f"To: {NAME}"))),
    "body within": multipart(message("Content-Type: message/rfc822", message("To: a", NAME))),
    "file name": multipart(message(
        "Content-Type: text/plain\r\n"
        "Content-Disposition: attachment; filename*=utf-8''J%C3%B6rg%20Smithson")),
    "parted file name": multipart(message(
        "Content-Type: text/plain; name*0*=utf-8''J%C3%B6rg;\r\n name*1*=%20Smith; name*2=son")),
    "encoded file name": multipart(message(
        'Content-Type: text/plain; name="=?utf-8?q?J=C3=B6rg_Smithson?="')),
    "calendar": multipart(part("text/calendar", "8bit", "SUMMARY:J\u00f6rg Sm\r\n ithson\r\n")),
    "before the parts": message("Content-Type: multipart/mixed; boundary=B",
                                f"{NAME}\r\n--B\r\n\r\nx\r\n--B--\r\n"),
    "after the parts": multipart(b"\r\nx") + NAME.encode(),
    "report": multipart(message("Content-Type: message/delivery-status", f"Final: {NAME}")),
}  # fmt: skip


def read(data: bytes, name: str = "a.eml") -> Document:
    return mail.opened(data, name, Settings())


def replaced(data: bytes, old: str, new: str, name: str = "a.eml") -> bytes:
    """Write with *new* in the place of each text that has *old*."""
    document = read(data, name)
    return document.write(
        {
            number: [Edit(at, at + len(old), new, "PERSON")]
            for number, one in enumerate(document.segments)
            if (at := one.text.find(old)) >= 0
        },
        {},
    )


@pytest.mark.parametrize("place", PLACES)
def test_every_hiding_place(place: str) -> None:
    """What is planted there is read and replaced, and no longer found by Python's own reader."""
    data = PLACES[place]

    written = replaced(data, NAME, "Änne Lee")

    assert not any(
        "smithson" in "".join(text.split()).lower() for _, text in mail.extracted(written, "a.eml")
    )
    assert any("nne Lee" in one.text for one in read(written).segments)
    assert read(data).write({}, {}) == data


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.booleans())
def test_untouched_is_the_same(text: str, is_box: bool) -> None:
    """Whatever can be read is written without edits as it was."""
    try:
        document = read(text.encode(), "a.mbox" if is_box else "a.eml")
    except UnreadableInput:
        return

    assert document.write({}, {}) == text.encode()


def test_parts_without_an_edit_stay() -> None:
    """Byte for byte, whatever their line lengths."""
    odd = message("Content-Transfer-Encoding: base64\r\nContent-Type: text/plain", b"YWJj\r\nZA==")
    data = multipart(odd, part("text/plain", "quoted-printable", "Smithson =3D"))

    written = replaced(data, "Smithson", "Lee")

    assert written == data.replace(b"Smithson", b"Lee")


def test_charset_stays() -> None:
    """New letters are written in the charset of their part."""
    data = multipart(part("text/plain", "8bit", "Jörg Smithson", "iso-8859-1"))

    written = replaced(data, "Smithson", "Köhler")

    assert "Jörg Köhler".encode("iso-8859-1") in written


def test_written_by_python_and_read_by_python() -> None:
    """A mail with alternatives and an attachment is what it was, but for the name."""
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["Subject"] = "Jörg Smithson <jo@x.org>", "About Jörg Smithson"
    made.set_content("Dear Jörg Smithson,\nyour report.\n")
    made.add_alternative("<p>Dear Jörg <b>Smithson</b></p>", subtype="html")
    made.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="Jörg.pdf")
    document = read(made.as_bytes())

    written = email.message_from_bytes(
        replaced(made.as_bytes(), NAME, "Änne Lee"), policy=email.policy.default
    )

    assert [one.name for one in document.embedded] == ["Jörg.pdf"]
    assert written["From"] == "Änne Lee <jo@x.org>"
    assert written["Subject"] == "About Änne Lee"
    plain, rich = written.get_body(("plain",)), written.get_body(("html",))
    assert plain and plain.get_content().replace("\r", "") == "Dear Änne Lee,\nyour report.\n"
    assert rich and rich.get_content().strip() == "<p>Dear Änne Lee<b></b></p>"


def test_new_text_makes_no_header() -> None:
    """Line ends in it become blanks."""
    written = replaced(message("Subject: Smithson"), "Smithson", "x\r\nBcc: a@b.org")

    assert email.message_from_bytes(written).keys() == ["Subject"]


def test_attachments_are_embedded() -> None:
    """They are written in their encoding; a removed one leaves an empty part."""
    pdf = message("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64", b"JVBERi0=")
    data = multipart(pdf)

    assert [(one.data, one.name) for one in read(data).embedded] == [(b"%PDF-", "attachment.pdf")]
    assert read(data).write({}, {0: b"abc"}) == data.replace(b"JVBERi0=", b"YWJj")
    assert read(data).write({}, {0: None}) == data.replace(b"JVBERi0=", b"")


def test_suffix_of_a_file_name_stays() -> None:
    """It tells the format; it is no part of the text."""
    data = message('Content-Type: text/plain; name="Smithson.json"')

    assert "Smithson" in [one.text for one in read(data).segments]
    assert replaced(data, "Smithson", "Lee") == data.replace(b"Smithson", b"Lee")


def test_signatures_are_removed() -> None:
    """They would be void; that they are gone is reported."""
    head = "DKIM-Signature: v=1;\r\n b=abc\r\nFrom: a@x.org\r\n"
    signature = message("Content-Type: application/pgp-signature", b"-----BEGIN PGP SIGNATURE-----")
    data = multipart(part("text/plain", "8bit", "x"), signature, kind="signed", head=head)

    document = read(data)

    assert len(document.removed) == 2
    assert document.write({}, {}) == multipart(
        part("text/plain", "8bit", "x"), head="From: a@x.org\r\n"
    )


@pytest.mark.parametrize("kind", ["application/pkcs7-mime", "multipart/encrypted; boundary=B"])
def test_encrypted_is_refused(kind: str) -> None:
    """A message within another is reported instead."""
    data = message(f"Subject: x\r\nContent-Type: {kind}", b"--B\r\n\r\nabc\r\n--B--\r\n")

    with pytest.raises(UnreadableInput, match="encrypted"):
        read(data)
    assert len(read(multipart(data)).unread) == 1


def test_messages_of_a_mailbox() -> None:
    """Each is read, and the lines between them, too."""
    one = b"From jo@x.org Mon Jan  5 10:00:00 2026\nSubject: Smithson\n\nbody\n\n"

    document = read(one * 2, "a.mbox")

    assert [text.text for text in document.segments if "jo@x" in text.text] != []
    assert replaced(one * 2, "Smithson", "Lee", "a.mbox") == (one * 2).replace(b"Smithson", b"Lee")
    assert {text.place.where.split(",")[0][:9] for text in document.segments} == {
        "message 1", "message 2"
    }  # fmt: skip


def test_deep_messages() -> None:
    """50 messages in each other are read; 150 are refused."""
    data = message("Subject: inmost")
    for depth in range(150):
        data = message(f"Subject: level {depth}\r\nContent-Type: message/rfc822", data)
        if depth == 49:
            assert any(one.text == "inmost" for one in read(data).segments)

    with pytest.raises(UnreadableInput, match="nested"):
        read(data)


def test_no_mail_is_refused() -> None:
    """A text without header fields has a body only; a picture is none."""
    with pytest.raises(UnreadableInput):
        read(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)


@pytest.mark.parametrize(
    "before", ["\ufeff", "\n", "\r\n\r\n\r\n", "Status changed\n", "\ufeff\n\nx\n"]
)
@pytest.mark.parametrize("name", ["a.eml", "a.mbox"])
def test_header_behind_other_lines_is_read(before: str, name: str) -> None:
    """A mark, blank lines or junk: the body is decoded all the same, and the lines stay."""
    envelope = "From jo@x.org Mon Jan  5 10:00:00 2026\n" if name == "a.mbox" else ""
    data = before.encode() + envelope.encode() + part("text/plain", "base64", f"Dear {NAME}\n")

    written = replaced(data, NAME, "Lee", name)

    assert written.startswith((before + envelope).encode())
    assert any("Dear Lee" in text for _, text in mail.extracted(written, name))
    assert read(data, name).write({}, {}) == data


def test_message_within_behind_a_blank_line_is_read() -> None:
    """Other programs take its header for text."""
    inner = b"\r\n" + part("text/plain", "base64", NAME)

    document = read(multipart(message("Content-Type: message/rfc822", inner)))

    assert NAME in [one.text for one in document.segments]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (message("Subject: x").replace(b"\r\n", b"\r"), "a.eml"),
        (message("Subject: x").decode().encode("utf-16"), "a.eml"),
        (b"Dear Ann,\n\nyour report.\n", "a.mbox"),
        (b"253\n" + message("Subject: x"), "a.emlx"),
    ],
)
def test_what_is_named_mail_and_is_none_is_refused(data: bytes, name: str) -> None:
    """As a text it would pass as clean, whatever stands in it encoded."""
    with pytest.raises(UnreadableInput):
        read(data, name)


def test_mail_of_another_name_is_known() -> None:
    """By the encoding of its body, also without a version."""
    data = b"\xef\xbb\xbf\nFrom: a@x.org\nContent-Transfer-Encoding: base64\n\nYWJj\n"

    kind = format_of(data, "a.eml.txt")

    assert kind is not None and kind.name == "eml"
    assert format_of(b"From: Ann\nTo: Bob\nSubject: x\n\nDear Bob,\n", "a.txt") is None
