"""Plant texts in JSON, CSV and HTML files."""

import base64
import json
from collections.abc import Callable

from benchmarks.documents_plants import (
    ADDRESS,
    ALL,
    BORN,
    DIGITS,
    NAME,
    QUERY,
    SSN,
    Plant,
    words_of,
)


def records(**fields: object) -> bytes:
    """Return a JSON file of one record."""
    return json.dumps({"kind": "record", **fields}, indent=2).encode()


def escaped(text: str) -> str:
    """Return *text* as a JSON string of escapes only."""
    return '"' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"'


def jsonl(body: str, text: str) -> bytes:
    """Return two JSON lines."""
    return f'{{"entry": "{body}"}}\n{{"entry": "{text}"}}\n'.encode()


def encoded(text: str) -> str:
    """Return *text* in base64."""
    return base64.b64encode(text.encode()).decode()


def table(rows: list[str], newline: str = "\r\n", encoding: str = "utf-8") -> bytes:
    """Return a CSV file."""
    return (newline.join(rows) + newline).encode(encoding)


def html(body: str, text: str, head: str = "") -> bytes:
    """Return a page; what is added stands after the sentence of the main text."""
    return (
        f"<!DOCTYPE html>\n<html><head><title>Staff</title>{head}</head>\n<body>\n<p>{body}</p>\n"
        f"{text}\n</body></html>\n"
    ).encode()


HTML = {
    "split by tags": (ALL, "<p>" + "<b>".join((ALL[:4], ALL[4:14], ALL[14:])) + "</b></b></p>"),
    "character references": (NAME, "<p>" + "".join(f"&#{ord(each)};" for each in NAME) + "</p>"),
    "hidden element": (ALL, f'<div style="display:none" hidden>{ALL}</div>'),
    "description of a picture": (ALL, f'<img src="a.png" alt="{ALL}">'),
    "title without quotation marks": ("Smithson", "<p title=Smithson>x</p>"),
    "data attribute": (SSN, f'<p data-ssn="{SSN}">x</p>'),
    "comment": (ALL, f"<!-- {ALL} -->"),
    "value of a form": (NAME, f'<form><input type="hidden" name="who" value="{NAME}"></form>'),
    "option and text area": (ALL, f"<select><option>{NAME}</select><textarea>{ALL}</textarea>"),
    "target of a link": (SSN, f'<a href="{QUERY}">Find</a>'),
    "address made of the name": (ADDRESS, f'<a href="mailto:{ADDRESS}">Mail</a>'),
    "percent-encoded link": ("Jonathan%20Smithson", '<a href="/find?q=Jonathan%20Smithson">x</a>'),
    "script": (NAME, f"<script>var who = '{NAME}';</script>"),
    "linked data": (
        NAME,
        f'<script type="application/ld+json">{{"@type": "Person", "name": "{NAME}"}}</script>',
    ),
    "style": (NAME, f"<style>p::after {{ content: '{NAME}' }}</style>"),
    "frame's page": (ALL, f'<iframe srcdoc="&lt;p&gt;{ALL}&lt;/p&gt;"></iframe>'),
    "noscript and template": (ALL, f"<noscript>{ALL}</noscript><template>{NAME}</template>"),
    "SVG text": (ALL, f'<svg><title>{NAME}</title><text x="1" y="9">{ALL}</text></svg>'),
    "data address": (
        SSN,
        '<img alt="" src="data:image/svg+xml;base64,'
        + encoded(f"<svg><text>{SSN}</text></svg>")
        + '">',
    ),
    "after the end": (ALL, f"</body></html>{ALL}"),
}


def json_places() -> dict[str, Callable[[str], bytes]]:
    """Return a function that builds a JSON file from the main sentence, for each place."""
    inner = json.dumps({"name": NAME, "note": ALL})
    return {
        "nested string": lambda body: records(entry=body, old={"notes": [{"text": ALL}]}),
        "number": lambda body: records(entry=body, ssn=int(DIGITS)),
        "escaped letters": lambda body: records(entry=body).replace(
            b'"record"', escaped(NAME).encode()
        ),
        "JSON in a string": lambda body: records(entry=body, old=inner),
        "base64": lambda body: records(entry=body, old=encoded(f"SSN {SSN}")),
        "key": lambda body: records(entry=body, **{NAME: {"paid": True}}),
        "UTF-16": lambda body: records(entry=body, old=ALL).decode().encode("utf-16"),
        "lines": lambda body: jsonl(body, ALL),
    }


def csv_places() -> dict[str, Callable[[str], bytes]]:
    """Return a function that builds a CSV file from the main sentence, for each place."""
    two_lines = 'b,"Jonathan\nSmithson, ""Jon"""'
    return {
        "second cell": lambda body: table(["kind,entry", f'a,"{body}"', f'b,"{ALL}"']),
        "header": lambda body: table([f"kind,{NAME}", f'a,"{body}"']),
        "number under its header": lambda body: table(["ssn,entry", f'{DIGITS},"{body}"']),
        "cell of two lines": lambda body: table(["kind,entry", f'a,"{body}"', two_lines]),
        "semicolons, UTF-16": lambda body: table(
            ["kind;entry", f"a;{body}", f"b;{ALL}"], "\n", "utf-16"
        ),
        "tabs, Latin-1": lambda body: table(
            ["kind\tentry", f"é\t{body}", f"ü\t{NAME} {BORN}"], "\n", "latin-1"
        ),
        "row that is too long": lambda body: table(["kind,entry", f'a,"{body}"', f'b,c,d,"{ALL}"']),
        "lines before the header": lambda body: table(
            [f"# {ALL}", "", "kind,entry", f'a,"{body}"']
        ),
    }


PLANTED = {
    "number": (DIGITS,),
    "escaped letters": (NAME,),
    "base64": (SSN,),
    "key": (NAME,),
    "header": (NAME,),
    "number under its header": (DIGITS,),
    "cell of two lines": (NAME,),
    "tabs, Latin-1": (NAME, BORN),
}
"""The planted values, where they are not all."""
SUFFIXES = {"lines": ".jsonl", "tabs, Latin-1": ".tsv"}

PLANTS = [
    Plant(
        f"{form}: {place}",
        SUFFIXES.get(place, f".{form}"),
        PLANTED.get(place, words_of(ALL)),
        build,
        {"json_keys": True} if place == "key" else {},
    )
    for form, places in (("json", json_places()), ("csv", csv_places()))
    for place, build in places.items()
]


def page_with(text: str) -> Callable[[str], bytes]:
    """Return a function that builds a page with *text* after the main sentence."""
    return lambda body: html(body, text)


PLANTS += [
    Plant(f"html: {place}", ".html", words_of(planted), page_with(text))
    for place, (planted, text) in HTML.items()
]
PLANTS += [
    Plant(
        "html: metadata of the page",
        ".html",
        (NAME,),
        lambda body: html(body, "", f'<meta name="author" content="{NAME}">'),
    ),
    Plant(
        "html: title of the page",
        ".html",
        words_of(ALL),
        lambda body: html(body, "").replace(b"<title>Staff", f"<title>{ALL}".encode()),
    ),
]
