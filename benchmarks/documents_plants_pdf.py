"""Plant texts in PDF files, written in raw syntax."""

import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.documents_plants import ADDRESS, ALL, BORN, NAME, NEUTRAL, SSN, family
from benchmarks.documents_plants_office import picture

FONT = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding"
Add = Callable[["Pdf", str], object]


@dataclass
class Pdf:
    """A PDF file of one page that can be added to; values are in PDF syntax.

    Attributes:
        objects: The body of each object, by its number less one; 1 is the catalog, 2 the page
            tree, 3 the page, 4 its content, 5 its font, 6 the information dictionary.
        catalog: Entries of the catalog, as ``/Lang (en)``.
        page: Entries of the page.
        resources: Entries of the page's resources.
        info: Entries of the information dictionary.
        content: Operators of the page's content, after the sentence of the main text.
        annotations: References to annotations of the page.
        pages: References to the pages.
        tail: What follows the file.
        first: A whole file that comes before, as what an incremental update was made of.
        comment: A comment after the header.
    """

    body: str
    objects: list[bytes] = field(default_factory=lambda: [b""] * 6)
    catalog: list[str] = field(default_factory=list)
    page: list[str] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)
    info: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=lambda: ["3 0 R"])
    tail: bytes = b""
    first: bytes = b""
    comment: bytes = b""

    def add(self, body: str | bytes) -> str:
        """Add an object; return a reference to it."""
        self.objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return f"{len(self.objects)} 0 R"

    def stream(self, data: str | bytes, entries: str = "") -> str:
        """Add a compressed stream; return a reference to it."""
        plain = data.encode("latin-1") if isinstance(data, str) else data
        packed = zlib.compress(plain)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        return self.add(head.encode("latin-1") + packed + b"\nendstream")

    def to_bytes(self) -> bytes:
        """Return the file."""
        text = f"BT /F1 12 Tf 60 720 Td {string(self.body)} Tj ET\n" + "\n".join(self.content)
        packed = zlib.compress(text.encode("latin-1"))
        notes = f"/Annots [{' '.join(self.annotations)}]" if self.annotations else ""
        fixed = (
            f"<< /Type /Catalog /Pages 2 0 R {' '.join(self.catalog)} >>",
            f"<< /Type /Pages /Count {len(self.pages)} /Kids [{' '.join(self.pages)}] >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R {notes} "
            f"/Resources << /Font << /F1 5 0 R >> {' '.join(self.resources)} >> "
            f"{' '.join(self.page)} >>",
            f"<< /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
            f"{packed.decode('latin-1')}\nendstream",
            f"<< {FONT} >>",
            f"<< {' '.join(self.info)} >>",
        )
        objects = [one.encode("latin-1") for one in fixed] + self.objects[6:]
        head = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + self.comment
        return written(self.first + (b"" if self.first else head), objects) + self.tail


def written(head: bytes, objects: list[bytes]) -> bytes:
    """Return a file of *objects* after *head*, with a table of references."""
    out = io.BytesIO()
    out.write(head)
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    size = len(objects) + 1
    out.write(b"trailer << /Size %d /Root 1 0 R /Info 6 0 R >>\n" % size)
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def string(text: str) -> str:
    """Return a literal string."""
    return f"({text})"


def wide(text: str) -> str:
    """Return a text string in UTF-16, in hexadecimal."""
    return f"<feff{text.encode('utf-16-be').hex()}>"


def shown(text: str, y: int = 600, state: str = "", font: str = "/F1", x: int = 60) -> str:
    """Return the operators that show *text*."""
    return f"q BT {state} {font} 12 Tf {x} {y} Td {string(text)} Tj ET Q"


def on_page(form: Callable[[str], str]) -> Add:
    """Return a function that adds operators to the page's content."""
    return lambda made, text: made.content.append(form(text))


def entry(where: str, form: str) -> Add:
    """Return a function that adds an entry to ``catalog``, ``page`` or ``info``."""
    return lambda made, text: getattr(made, where).append(form.replace("{}", text))


def referred(where: str, form: str, made: "Callable[[Pdf, str], str]") -> Add:
    """Return a function that adds an entry with a reference, for ``{}``, to what *made* adds."""
    return lambda pdf, text: getattr(pdf, where).append(form.replace("{}", made(pdf, text)))


def letters(text: str) -> str:
    """Show *text* letter by letter, with distances between them."""
    inner = " -20 ".join(string(letter) for letter in text)
    return f"BT /F1 12 Tf 60 600 Td [{inner}] TJ ET"


def placed(text: str) -> str:
    """Show each word of *text* by itself, from the last to the first."""
    places, x = [], 60.0
    for word in text.split():
        places.append((x, word))
        x += 7.0 * len(word) + 6
    return "\n".join(shown(word, 600, x=int(x)) for x, word in reversed(places))


def quoted(text: str) -> str:
    """Show *text* with the operators that move to the next line, two words a line."""
    words = text.split()
    lines = [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
    rest = "".join(f' 0 0 ({line}) "' for line in lines[1:])
    return f"BT /F1 12 Tf 14 TL 60 600 Td ({lines[0]}) '{rest} ET"


def form(text: str, entries: str = "") -> Callable[[Pdf], str]:
    """Return a function that adds a form that shows *text*."""
    head = "/Type /XObject /Subtype /Form /BBox [0 0 612 792]"

    def add(made: Pdf) -> str:
        return made.stream(shown(text), f"{head} /Resources << /Font << /F1 5 0 R >> >> {entries}")

    return add


def xobject(made: Pdf, text: str) -> None:
    """Show the text in a form."""
    made.resources.append(f"/XObject << /X1 {form(text)(made)} >>")
    made.content.append("q /X1 Do Q")


def nested_xobject(made: Pdf, text: str) -> None:
    """Show the text in a form in a form."""
    inner = form(text)(made)
    head = "/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
    outer = made.stream("/X2 Do", f"{head} /Resources << /XObject << /X2 {inner} >> >>")
    made.resources.append(f"/XObject << /X1 {outer} >>")
    made.content.append("q /X1 Do Q")


def unused_xobject(made: Pdf, text: str) -> None:
    """Add a form that is never shown."""
    made.resources.append(f"/XObject << /X1 {form(text)(made)} >>")


def pattern(made: Pdf, text: str) -> None:
    """Show the text in the cell of a pattern."""
    cell = made.stream(
        shown(text, 100),
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 612 200] /XStep 612 "
        "/YStep 200 /Resources << /Font << /F1 5 0 R >> >>",
    )
    made.resources.append(f"/Pattern << /P1 {cell} >>")
    made.content.append("q /Pattern cs /P1 scn 0 400 612 200 re f Q")


def soft_mask(made: Pdf, text: str) -> None:
    """Paint through a mask of the text's letters."""
    head = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS "
    mask = made.stream(
        "1 g " + shown(text), f"{head} /DeviceGray >> /Resources << /Font << /F1 5 0 R >> >>"
    )
    state = f"<< /Type /ExtGState /SMask << /S /Luminosity /G {mask} >> >>"
    made.resources.append(f"/ExtGState << /G1 {state} >>")
    made.content.append("q /G1 gs 0 0 0 rg 0 500 612 200 re f Q")


def type3(made: Pdf, text: str) -> None:
    """Show the text in a font whose letters are drawn by the file, and not named in Unicode."""
    glyph = made.stream("600 0 0 0 500 700 d1 0 0 500 700 re f")
    codes = " ".join(f"/g{code}" for code in range(32, 123))
    procedures = " ".join(f"/g{code} {glyph}" for code in range(32, 123))
    font = made.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] "
        f"/FirstChar 32 /LastChar 122 /Widths [{'600 ' * 91}] /CharProcs << {procedures} >> "
        f"/Encoding << /Type /Encoding /Differences [32 {codes}] >> /Resources << >> >>"
    )
    made.resources.append(f"/Font << /F1 5 0 R /F3 {font} >>")
    made.content.append(shown(text, font="/F3"))


def coded(made: Pdf, text: str) -> None:
    """Show the text in a font whose codes are shifted; only its table to Unicode tells."""
    shifted = {letter: 33 + at for at, letter in enumerate(sorted(set(text)))}
    pairs = "\n".join(f"<{code:02x}> <{ord(each):04x}>" for each, code in shifted.items())
    table = made.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 "
        f"def 1 begincodespacerange <00> <ff> endcodespacerange {len(shifted)} beginbfchar\n"
        f"{pairs}\nendbfchar endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    names = {" ": "space", "-": "hyphen", ",": "comma", ".": "period"}
    digits = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    glyphs = " ".join(
        f"/{names.get(each) or (digits[int(each)] if each.isdigit() else each)}" for each in shifted
    )
    font = made.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {table} "
        f"/Encoding << /Type /Encoding /Differences [33 {glyphs}] >> >>"
    )
    code = "".join(f"{shifted[each]:02x}" for each in text)
    made.resources.append(f"/Font << /F1 5 0 R /F4 {font} >>")
    made.content.append(f"BT /F4 12 Tf 60 600 Td <{code}> Tj ET")


def drawn(made: Pdf, text: str) -> None:
    """Draw the letters as rectangles, as programs do that turn text into outlines."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(40)
    image = Image.new("1", (900, 60), 1)
    ImageDraw.Draw(image).text((4, 4), text, 0, font)
    for y in range(image.height):
        row = [image.getpixel((x, y)) == 0 for x in range(image.width)]
        start = None
        for x, ink in enumerate([*row, False]):
            if ink and start is None:
                start = x
            elif not ink and start is not None:
                left, bottom = 60 + start * 0.5, 600 - y * 0.5
                made.content.append(f"{left} {bottom} {(x - start) * 0.5} .5 re f")
                start = None


def image(made: Pdf, text: str) -> None:
    """Show a picture of the text."""
    data = picture(f"Date of birth: {text}", "JPEG")
    width = int.from_bytes(data[(at := data.index(b"\xff\xc0")) + 7 : at + 9], "big")
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height 300 /ColorSpace /DeviceRGB "
        f"/BitsPerComponent 8 /Filter /DCTDecode /Length {len(data)} >>\nstream\n"
    )
    reference = made.add(head.encode() + data + b"\nendstream")
    made.resources.append(f"/XObject << /I1 {reference} >>")
    made.content.append("q 400 0 0 160 60 400 cm /I1 Do Q")


def grey(text: str) -> tuple[int, bytes]:
    """Return the width and the grey values of a picture of *text*, 300 high."""
    from PIL import Image

    with Image.open(io.BytesIO(picture(text))) as shown_text:
        return shown_text.width, shown_text.convert("L").tobytes()


def inline_image(made: Pdf, text: str) -> None:
    """Show a picture of the text that is part of the page's content."""
    width, values = grey(f"Date of birth: {text}")
    data = values.hex()
    made.content.append(
        f"q 400 0 0 160 60 400 cm BI /W {width} /H 300 /CS /G /BPC 8 /F /AHx ID {data}> EI Q"
    )


def thumbnail(made: Pdf, text: str) -> None:
    """Add a preview picture of the page."""
    width, values = grey(f"Date of birth: {text}")
    head = f"/Width {width} /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8"
    made.page.append(f"/Thumb {made.stream(values, head)}")


def scanned(made: Pdf, text: str) -> None:
    """Show a picture of the text on a page of its own, as scanners write it."""
    width, values = grey(f"Date of birth: {text}")
    head = (
        f"/Type /XObject /Subtype /Image /Width {width} /Height 300 /ColorSpace /DeviceGray "
        "/BitsPerComponent 8"
    )
    reference = made.stream(values, head)
    content = made.stream("q 432 0 0 216 0 0 cm /I1 Do Q")
    page = made.add(
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 432 216] /Contents {content} "
        f"/Resources << /XObject << /I1 {reference} >> >> >>"
    )
    made.pages.append(page)


def second_page(made: Pdf, text: str) -> None:
    """Show the text on a page of its own, in an array of two streams."""
    half = len(text) // 2
    streams = [
        made.stream(f"BT /F1 12 Tf 60 700 Td ({text[:half]}) Tj"),
        made.stream(f"({text[half:]}) Tj ET"),
    ]
    page = made.add(
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [{' '.join(streams)}] "
        "/Resources << /Font << /F1 5 0 R >> >> >>"
    )
    made.pages.append(page)


def annotation(entries: str) -> Add:
    """Return a function that adds an annotation, with the text for ``{}``."""

    def add(made: Pdf, text: str) -> None:
        filled = entries.replace("{}", text)
        head = "<< /Type /Annot /Rect [60 400 500 440] /P 3 0 R"
        made.annotations.append(made.add(f"{head} {filled} >>"))

    return add


def appearance(entries: str) -> Add:
    """Return a function that adds an annotation whose appearance shows the text."""

    def add(made: Pdf, text: str) -> None:
        look = made.stream(
            shown(text, 12, x=2),
            "/Type /XObject /Subtype /Form /BBox [0 0 440 40] "
            "/Resources << /Font << /F1 5 0 R >> >>",
        )
        annotation(f"{entries} /AP << /N {look} >>")(made, text)

    return add


def field_of_form(entries: str, *, shows: bool = False) -> Add:
    """Return a function that adds a form with one field, with the text for ``{}``."""

    def add(made: Pdf, text: str) -> None:
        widget = f"/Subtype /Widget /DA (/F1 12 Tf 0 g) {entries}"
        (appearance if shows else annotation)(widget)(made, text)
        fields = made.annotations[-1]
        head = "/DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf 0 g)"
        made.catalog.append(f"/AcroForm << /Fields [{fields}] {head} >>")

    return add


def xfa(made: Pdf, text: str) -> None:
    """Add a form's data in XML."""
    data = made.stream(f"<xdp><data><name>{text}</name></data></xdp>")
    made.catalog.append(f"/AcroForm << /Fields [] /XFA [(datasets) {data}] >>")


def outline(made: Pdf, text: str) -> None:
    """Add an entry to the outline."""
    root = len(made.objects) + 1
    made.add(f"<< /Type /Outlines /First {root + 1} 0 R /Last {root + 1} 0 R /Count 1 >>")
    made.add(f"<< /Title {wide(text)} /Parent {root} 0 R /Dest [3 0 R /Fit] >>")
    made.catalog.append(f"/Outlines {root} 0 R")


def attachment(name: str, text: str, description: str = "A file") -> Add:
    """Return a function that attaches a file; ``{}`` in one of the arguments is the text."""

    def add(made: Pdf, value: str) -> None:
        file = made.stream(text.replace("{}", value), "/Type /EmbeddedFile /Subtype /text#2Fplain")
        called, said = name.replace("{}", value), description.replace("{}", value)
        spec = made.add(
            f"<< /Type /Filespec /F ({called}) /UF ({called}) /Desc ({said}) /EF << /F {file} >> >>"
        )
        made.catalog.append(f"/Names << /EmbeddedFiles << /Names [({called}) {spec}] >> >>")

    return add


def pdf_attachment(made: Pdf, text: str) -> None:
    """Attach a PDF file."""
    file = made.stream(base(text).to_bytes(), "/Type /EmbeddedFile /Subtype /application#2Fpdf")
    spec = f"<< /Type /Filespec /F (old.pdf) /EF << /F {file} >> >>"
    made.catalog.append(f"/Names << /EmbeddedFiles << /Names [(old) {spec}] >> >>")


def xmp(text: str) -> str:
    """Return a packet of metadata."""
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        'rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>'
        f"{text}</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"
        '<?xpacket end="w"?>'
    )


def metadata(where: str) -> Add:
    """Return a function that adds metadata to the ``catalog`` or ``page``."""
    return referred(
        where,
        "/Metadata {}",
        lambda made, text: made.stream(xmp(text), "/Type /Metadata /Subtype /XML"),
    )


def structure(entries: str) -> Add:
    """Return a function that adds an element of structure, with the text for ``{}``."""

    def add(made: Pdf, text: str) -> None:
        root = len(made.objects) + 1
        made.add(f"<< /Type /StructTreeRoot /K {root + 1} 0 R >>")
        made.add(f"<< /S /Figure /P {root} 0 R /Pg 3 0 R {entries.replace('{}', text)} >>")
        made.catalog.append(f"/StructTreeRoot {root} 0 R /MarkInfo << /Marked true >>")

    return add


def marked_by_resource(made: Pdf, text: str) -> None:
    """Mark content with properties of the resources."""
    made.resources.append(f"/Properties << /M1 << /ActualText ({text}) >> >>")
    made.content.append(f"/Span /M1 BDC {shown('x')} EMC")


def layer(made: Pdf, name: str, hidden: bool) -> None:
    """Add a layer, and put content in it that `Pdf.content` already has."""
    group = made.add(f"<< /Type /OCG /Name ({name}) >>")
    state = f"/OFF [{group}]" if hidden else f"/ON [{group}]"
    made.catalog.append(f"/OCProperties << /OCGs [{group}] /D << {state} /Order [{group}] >> >>")
    made.resources.append(f"/Properties << /L1 {group} >>")
    made.content = ["/OC /L1 BDC", *made.content, "EMC"]


def hidden_layer(made: Pdf, text: str) -> None:
    """Show the text on a layer that is off."""
    made.content.append(shown(text))
    layer(made, "Draft", hidden=True)


def cropped(made: Pdf, text: str) -> None:
    """Show the text on the part of the page that is cut off."""
    made.page.append("/CropBox [0 650 612 792]")
    made.content.append(shown(text))


def previous(made: Pdf, text: str) -> None:
    """Append the file to an earlier one that has the text, as an incremental update."""
    made.first = base(text).to_bytes()


def unreferenced(made: Pdf, text: str) -> None:
    """Add a stream that nothing refers to."""
    made.stream(shown(text))


def object_stream(made: Pdf, text: str) -> None:
    """Add a compressed stream of objects, one of which has the text, though none is used."""
    body = f"90 0 << /Note ({text}) >>"
    made.stream(body, "/Type /ObjStm /N 1 /First 5")


def appended(made: Pdf, text: str) -> None:
    """Put the text after the end of the file."""
    made.tail = text.encode()


def remark(made: Pdf, text: str) -> None:
    """Put the text into a comment."""
    made.comment = b"% " + text.encode() + b"\n"


def javascript(made: Pdf, text: str) -> None:
    """Run a script when the file is opened."""
    made.catalog.append(f"/OpenAction << /S /JavaScript /JS (app.alert\\('{text}'\\)) >>")


def thread(made: Pdf, text: str) -> None:
    """Add a thread of articles."""
    made.catalog.append(f"/Threads [<< /Type /Thread /I << /Title ({text}) >> >>]")


def base(body: str) -> Pdf:
    """Return a file of one page that shows *body*."""
    return Pdf(body)


PLACES: dict[str, tuple[str, Add]] = {
    "letter by letter": (ALL, on_page(letters)),
    "words from last to first": (NAME, on_page(placed)),
    "next-line operators": (ALL, on_page(quoted)),
    "hexadecimal string": (
        ALL,
        on_page(lambda text: f"BT /F1 12 Tf 60 600 Td <{text.encode().hex()}> Tj ET"),
    ),
    "octal escapes": (
        ALL,
        on_page(lambda text: shown("".join(f"\\{ord(letter):03o}" for letter in text))),
    ),
    "turned by a quarter": (
        ALL,
        on_page(lambda text: f"BT /F1 12 Tf 0 1 -1 0 300 200 Tm ({text}) Tj ET"),
    ),
    "codes that only a table explains": (ALL, coded),
    "second page in two streams": (ALL, second_page),
    "form": (ALL, xobject),
    "form in a form": (ALL, nested_xobject),
    "form that is never shown": (ALL, unused_xobject),
    "pattern": (ALL, pattern),
    "soft mask": (ALL, soft_mask),
    "font without Unicode": (ALL, type3),
    "letters drawn as rectangles": (f"{BORN}", drawn),
    "white text": (ALL, on_page(lambda text: "1 g " + shown(text) + " 0 g")),
    "invisible text": (ALL, on_page(lambda text: shown(text, state="3 Tr"))),
    "text under a black box": (
        ALL,
        on_page(lambda text: shown(text) + " 0 g 50 590 520 24 re f"),
    ),
    "text outside the page": (ALL, on_page(lambda text: shown(text, y=900))),
    "text clipped away": (
        ALL,
        on_page(lambda text: f"q 0 0 1 1 re W n {shown(text)} Q"),
    ),
    "text outside the crop box": (ALL, cropped),
    "hidden layer": (ALL, hidden_layer),
    "name of a layer": (NAME, lambda made, text: layer(made, text, hidden=False)),
    "picture": (BORN, image),
    "inline picture": (BORN, inline_image),
    "scanned page": (BORN, scanned),
    "preview picture": (BORN, thumbnail),
    "note": (ALL, annotation("/Subtype /Text /Contents ({}) /T (Office)")),
    "author of a note": (NAME, annotation("/Subtype /Text /Contents (Seen.) /T ({})")),
    "subject of a note, in UTF-16": (
        NAME,
        lambda made, text: annotation(f"/Subtype /Text /Subj {wide(text)}")(made, ""),
    ),
    "rich text of a note": (
        ALL,
        annotation("/Subtype /FreeText /DA (/F1 12 Tf) /Contents (x) /RC (<body><p>{}</p></body>)"),
    ),
    "appearance of a note": (ALL, appearance("/Subtype /FreeText /DA (/F1 12 Tf) /Contents (x)")),
    "popup": (NAME, annotation("/Subtype /Popup /Contents ({})")),
    "target of a link": (
        SSN,
        annotation("/Subtype /Link /A << /S /URI /URI (https://example.com/find?ssn={}) >>"),
    ),
    "address made of the name": (
        ADDRESS,
        annotation("/Subtype /Link /A << /S /URI /URI (mailto:{}) >>"),
    ),
    "text over a redaction": (NAME, annotation("/Subtype /Redact /OverlayText ({})")),
    "value of a field": (ALL, field_of_form("/FT /Tx /T (who) /V ({}) /DV ({})")),
    "field shown by its appearance": (
        ALL,
        field_of_form("/FT /Tx /T (who) /V ({})", shows=True),
    ),
    "name and tooltip of a field": (NAME, field_of_form("/FT /Tx /T ({}) /TU ({}) /TM ({})")),
    "options of a field": (NAME, field_of_form("/FT /Ch /T (who) /Opt [({}) (none)]")),
    "form in XML": (ALL, xfa),
    "outline": (ALL, outline),
    "name of a destination": (
        NAME,
        entry("catalog", "/Names << /Dests << /Names [({}) [3 0 R /Fit]] >> >>"),
    ),
    "page label": (NAME, entry("catalog", "/PageLabels << /Nums [0 << /P ({}) >>] >>")),
    "title and author": (ALL, entry("info", "/Title ({}) /Author ({})")),
    "custom information": (SSN, entry("info", "/Employee ({})")),
    "information in UTF-16": (ALL, lambda made, text: made.info.append(f"/Subject {wide(text)}")),
    "metadata": (NAME, metadata("catalog")),
    "metadata of a page": (NAME, metadata("page")),
    "alternate description": (ALL, structure("/Alt ({})")),
    "replacement text and title": (ALL, structure("/ActualText ({}) /T ({}) /E ({})")),
    "replacement text in the content": (
        ALL,
        on_page(lambda text: f"/Span << /ActualText ({text}) >> BDC {shown('x')} EMC"),
    ),
    "replacement text in the resources": (ALL, marked_by_resource),
    "attachment": (ALL, attachment("a.txt", "{}")),
    "name of an attachment": (NAME, attachment("{}.txt", NEUTRAL)),
    "description of an attachment": (NAME, attachment("a.txt", NEUTRAL, "{}")),
    "attached PDF": (ALL, pdf_attachment),
    "script": (ALL, javascript),
    "thread of articles": (NAME, thread),
    "private data of a program": (
        ALL,
        entry("page", "/PieceInfo << /App << /Private << /Who ({}) >> >> >>"),
    ),
    "entry without a meaning": (ALL, entry("catalog", "/Employee ({})")),
    "previous revision": (ALL, previous),
    "object that nothing refers to": (ALL, unreferenced),
    "stream of unused objects": (ALL, object_stream),
    "after the end": (ALL, appended),
    "comment in the file": (ALL, remark),
}

PLANTS = family("pdf", ".pdf", base, Pdf.to_bytes, PLACES)
