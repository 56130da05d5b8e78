"""Build PDFs that hold a text in every place beside the content of their pages."""

import io
import warnings
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

WIDTH, HEIGHT = 400, 300


def helvetica(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return a font that every reader has."""
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name.Helvetica,
            Encoding=Name.WinAnsiEncoding,
        )
    )


def page(pdf: pikepdf.Pdf, content: str = "", **resources: Any) -> pikepdf.Page:
    """Add a page with *content* to *pdf*; its font is F1."""
    pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
    made = pdf.pages[-1]
    made.obj.Resources = Dictionary(Font=Dictionary(F1=helvetica(pdf)), **resources)
    made.obj.Contents = pdf.make_stream(content.encode("cp1252"))
    return made


def line(text: str, x: float = 20, y: float = 250, size: float = 12, before: str = "") -> str:
    """Return operators that set a line of text."""
    return f"{before} BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n"


def saved(pdf: pikepdf.Pdf, **options: Any) -> bytes:
    """Return the bytes of *pdf*."""
    out = io.BytesIO()
    with warnings.catch_warnings():  # of fields that hang on no form
        warnings.simplefilter("ignore", pikepdf.exceptions.PageCopyWarning)
        pdf.save(out, **options)
    return out.getvalue()


def form(pdf: pikepdf.Pdf, content: str, width: float = 200, height: float = 20) -> Any:
    """Return an appearance stream."""
    stream = pdf.make_stream(content.encode("cp1252"))
    stream.Type, stream.Subtype, stream.BBox = Name.XObject, Name.Form, [0, 0, width, height]
    stream.Resources = Dictionary(Font=Dictionary(F1=helvetica(pdf)))
    return pdf.make_indirect(stream)


def annotation(pdf: pikepdf.Pdf, subtype: str, **entries: Any) -> pikepdf.Object:
    """Return an annotation."""
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name("/" + subtype), Rect=[20, 100, 220, 120], **entries
        )
    )


def file(pdf: pikepdf.Pdf, data: bytes, name: str) -> pikepdf.Object:
    """Return the specification of an embedded file."""
    stream = pdf.make_stream(data)
    stream.Type = Name.EmbeddedFile
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Filespec,
            F=String("a.txt"),
            UF=String(name),
            EF=Dictionary(F=stream, UF=stream),
        )
    )


def planted(value: str) -> bytes:
    """Return a PDF of one page that holds *value* in every place beside the page's content."""
    pdf = pikepdf.new()
    first = page(pdf, line("Nothing"))
    link = f"https://example.org/{value.replace(' ', '.')}?q={value}"
    name = value.encode()
    pdf.docinfo["/Author"] = value
    pdf.docinfo["/Title"] = f"Letter to {value}"
    pdf.docinfo["/Keywords"] = f"letter, {value}"
    pdf.docinfo["/Custom"] = value
    with pdf.open_metadata() as metadata:
        metadata["dc:creator"] = [value]
        metadata["dc:description"] = f"about {value}"
    root, annotations = pdf.Root, []
    field = annotation(
        pdf, "Widget", FT=Name.Tx, T=String("name"), TU=String(f"Name, such as {value}"),
        V=String(value), DV=String(value), RV=String(f"<p>{value}</p>"), MaxLen=60,
        DA=String("/F1 10 Tf 0 g"),
        AP=Dictionary(N=form(pdf, line(value, 2, 5, 10))),
    )  # fmt: skip
    choice = annotation(
        pdf, "Widget", FT=Name.Ch, T=String("choice"), V=String(value),
        Opt=Array([String("other"), Array([String("x"), String(value)])]),
    )  # fmt: skip
    root.AcroForm = Dictionary(
        Fields=[field, choice], XFA=pdf.make_stream(f"<xfa>{value}</xfa>".encode())
    )
    annotations += [field, choice]
    annotations.append(
        annotation(
            pdf,
            "Text",
            Contents=String(f"Ask {value}"),
            T=String(value),
            Subj=String(value),
            NM=String(value),
            RC=String(f"<body><p>Ask {value}</p></body>"),
            Popup=annotation(pdf, "Popup", Contents=String(value)),
        )
    )
    annotations.append(
        annotation(
            pdf,
            "FreeText",
            Contents=String(value),
            DA=String("/F1 10 Tf 1 0 0 rg"),
            AP=Dictionary(N=form(pdf, line(value, 2, 5, 10))),
        )
    )
    annotations.append(
        annotation(pdf, "Stamp", AP=Dictionary(N=form(pdf, line(f"Seen by {value}", 2, 5, 10))))
    )
    annotations.append(annotation(pdf, "Link", A=Dictionary(S=Name.URI, URI=String(link))))
    annotations.append(annotation(pdf, "Link", Dest=String(name)))
    annotations.append(
        annotation(pdf, "Link", A=Dictionary(S=Name.Launch, F=String(f"C:\\{value}.exe")))
    )
    annotations.append(
        annotation(
            pdf,
            "FileAttachment",
            FS=file(pdf, f"Dear {value}".encode(), f"{value}.txt"),
            Contents=String(value),
        )
    )
    first.obj.Annots = pdf.make_indirect(Array(annotations))
    root.Outlines = outlines(pdf, value)
    root.PageLabels = Dictionary(Nums=[0, Dictionary(P=String(f"{value}-"))])
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{value}')"))
    target = Array([first.obj, Name.Fit])
    root.Names = Dictionary(
        Dests=Dictionary(Names=[String("a"), target, String(name), target, String("zz"), target]),
        JavaScript=Dictionary(Names=[String(name), script]),
        EmbeddedFiles=Dictionary(Names=[String(name), file(pdf, name, f"{value}.json")]),
    )
    root.Dests = Dictionary({"/" + value.replace(" ", "_"): target})
    root.AF = Array([file(pdf, b"<a>" + name + b"</a>", "a.xml")])
    root.OpenAction = script
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(value)))
    root.OCProperties = Dictionary(OCGs=[group], D=Dictionary(Order=[String(value), group]))
    element = Dictionary(
        Type=Name.StructElem, S=Name.Figure, Alt=String(value), ActualText=String(value),
        E=String(value), T=String(value), Lang=String("en"),
    )  # fmt: skip
    root.StructTreeRoot = Dictionary(Type=Name.StructTreeRoot, K=pdf.make_indirect(element))
    root.Threads = Array([pdf.make_indirect(Dictionary(I=Dictionary(Title=String(value))))])
    root.PieceInfo = Dictionary(App=Dictionary(Private=String(value)))
    root.SpiderInfo = Dictionary(V=1.0, C=Array([Dictionary(URL=String(value))]))
    root.Collection = Dictionary(Schema=Dictionary(f=Dictionary(N=String(value))))
    first.obj.Metadata = pdf.make_stream(name)
    first.obj.Thumb = pdf.make_stream(name)
    first.obj.Resources.Properties = Dictionary(MC0=Dictionary(ActualText=String(value)))
    return saved(pdf)


def outlines(pdf: pikepdf.Pdf, value: str) -> Any:
    """Return outlines with two entries."""
    both = [pdf.make_indirect(Dictionary(Title=String(text))) for text in (value, f"On {value}")]
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=both[0], Last=both[1], Count=2))
    both[0].Parent = both[1].Parent = root
    both[0].Next, both[1].Prev = both[1], both[0]
    return root
