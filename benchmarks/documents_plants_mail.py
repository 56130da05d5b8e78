"""Plant texts in mails, written by hand."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.documents_plants import ADDRESS, ALL, BORN, NAME, SSN, family
from benchmarks.documents_plants_office import picture

Add = Callable[["Mail", str], object]


@dataclass
class Mail:
    """A mail of several parts that can be added to.

    Attributes:
        body: The sentence of the main text.
        headers: Further headers, as they stand in the file.
        parts: Further parts, each with its headers.
        before: What stands before the first part.
        after: What stands after the last.
        sender: The ``From`` header.
    """

    body: str
    headers: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    before: str = ""
    after: str = ""
    sender: str = "The office <office@example.com>"

    def to_bytes(self) -> bytes:
        """Return the mail."""
        lines = [
            f"From: {self.sender}",
            "To: staff@example.com",
            "Date: Thu, 02 Jan 2020 03:04:05 +0000",
            "Message-ID: <1@example.com>",
            "MIME-Version: 1.0",
            *self.headers,
            'Content-Type: multipart/mixed; boundary="=_part"',
            "",
            *([self.before] if self.before else []),
        ]
        text = f"Content-Type: text/plain; charset=utf-8\n\nDear colleague,\n\n{self.body}\n"
        for one in (text, *self.parts):
            lines += ["--=_part", one]
        lines += ["--=_part--", self.after]
        return "\n".join(lines).replace("\n", "\r\n").encode()


def header(form: str) -> Add:
    """Return a function that adds a header, with the text for ``{}``."""
    return lambda made, text: made.headers.append(form.replace("{}", text))


def sender(made: Mail, text: str) -> None:
    """Set the sender's name."""
    made.sender = f'"{text}" <office@example.com>'


def preamble(made: Mail, text: str) -> None:
    """Set the text before the first part."""
    made.before = text


def epilogue(made: Mail, text: str) -> None:
    """Set the text after the last part."""
    made.after = text


def encoded_word(text: str, charset: str = "utf-8") -> str:
    """Return *text* as it stands in a header that is not ASCII."""
    return f"=?{charset}?B?{base64.b64encode(text.encode(charset)).decode()}?="


def quoted_word(text: str) -> str:
    """Return *text* as an encoded word of which every letter is escaped, in two halves."""
    half = len(text) // 2
    words = ("".join(f"={ord(each):02X}" for each in part) for part in (text[:half], text[half:]))
    return "\n ".join(f"=?iso-8859-1?Q?{word}?=" for word in words)


def part(kind: str, content: Callable[[str], bytes], more: str = "", how: str = "base64") -> Add:
    """Return a function that adds a part; ``{}`` in *more* is the text."""

    def add(made: Mail, text: str) -> None:
        data = content(text)
        shown = base64.encodebytes(data).decode() if how == "base64" else data.decode()
        head = [f"Content-Type: {kind}", f"Content-Transfer-Encoding: {how}"]
        head += [more.replace("{}", text)] if more else []
        made.parts.append("\n".join([*head, "", shown]))

    return add


def attached(name: str) -> str:
    """Return the header of an attachment."""
    return f'Content-Disposition: attachment; filename="{name}"'


def folded(text: str) -> str:
    """Return *text* in quoted-printable, with soft breaks within its words."""
    return "=\n".join(text[at : at + 5] for at in range(0, len(text), 5))


def inner(text: str) -> bytes:
    """Return a mail with *text*."""
    return Mail(text).to_bytes().replace(b"=_part", b"=_inner").replace(b"\r\n", b"\n")


def document(text: str) -> bytes:
    """Return a Word document with *text*."""
    from benchmarks.documents_plants_word import base as word

    return word(text).to_bytes()


def pdf(text: str) -> bytes:
    """Return a PDF file with *text*."""
    from benchmarks.documents_plants_pdf import base as made

    return made(text).to_bytes()


PLACES: dict[str, tuple[str, Add]] = {
    "subject": (ALL, header("Subject: {}")),
    "subject over two lines": (
        ALL,
        lambda made, text: made.headers.append("Subject: " + text.replace(" ", "\n ", 1)),
    ),
    "sender's name": (NAME, sender),
    "encoded name of a recipient": (
        NAME,
        lambda made, text: made.headers.append(f"Cc: {encoded_word(text)} <a@example.com>"),
    ),
    "encoded subject in two words": (
        NAME,
        lambda made, text: made.headers.append(f"Subject: {quoted_word(text)}"),
    ),
    "address made of the name": (ADDRESS, header("Reply-To: <{}>")),
    "header without a standard": (SSN, header("X-Employee-Number: SSN {}")),
    "comment in a header": (NAME, header("Resent-Date: Thu, 02 Jan 2020 03:04:05 +0000 ({})")),
    "trace": (NAME, header('Received: from pc (the computer of "{}") by mail.example.com;')),
    "base64 text": (ALL, part("text/plain; charset=utf-8", str.encode)),
    "quoted-printable text": (
        ALL,
        lambda made, text: made.parts.append(
            "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
            + folded(text)
        ),
    ),
    "UTF-16 text": (
        ALL,
        part("text/plain; charset=utf-16", lambda text: text.encode("utf-16")),
    ),
    "HTML": (
        ALL,
        part("text/html", lambda text: f"<p>{text[:5]}<b>{text[5:]}</b></p>".encode()),
    ),
    "calendar": (
        NAME,
        part(
            "text/calendar",
            lambda text: f"BEGIN:VCALENDAR\r\nORGANIZER;CN={text}:mailto:x\r\n".encode(),
            how="7bit",
        ),
    ),
    "file name": (NAME, part("text/plain", lambda text: b"Seen.", attached("{}.txt"))),
    "file name in pieces": (
        NAME,
        lambda made, text: made.parts.append(
            "Content-Type: text/plain\nContent-Disposition: attachment;\n"
            f" filename*0*=utf-8''{text[:8].replace(' ', '%20')};\n"
            f" filename*1*={text[8:].replace(' ', '%20')}\n\nSeen."
        ),
    ),
    "description of a part": (
        NAME,
        part("text/plain", lambda text: b"Seen.", "Content-Description: {}"),
    ),
    "attached text": (ALL, part("text/plain", str.encode, attached("a.txt"))),
    "attached document": (ALL, part("application/octet-stream", document, attached("a.docx"))),
    "attached PDF": (ALL, part("application/pdf", pdf, attached("a.pdf"))),
    "attached table": (
        ALL,
        part("text/csv", lambda text: f"name,note\nx,{text}\n".encode(), attached("a.csv")),
    ),
    "attached mail": (ALL, part("message/rfc822", inner, how="8bit")),
    "attached mail in base64": (
        ALL,
        part("application/octet-stream", inner, attached("old.eml")),
    ),
    "attachment of Outlook": (
        ALL,
        part(
            "application/ms-tnef",
            lambda text: b"\x78\x9f\x3e\x22" + text.encode("utf-16-le"),
            attached("winmail.dat"),
        ),
    ),
    "picture": (
        BORN,
        part("image/png", lambda text: picture(f"Date of birth: {text}"), attached("a.png")),
    ),
    "before the parts": (ALL, preamble),
    "after the parts": (ALL, epilogue),
}

PLANTS = family("eml", ".eml", Mail, Mail.to_bytes, PLACES)
