"""A service that holds invented documents, for the tests of the review page.

It answers as `presidio_cdip/service/documents_api.py` does and reads nothing: what it finds is
canned or found by a simple expression. ``python tests/doubles/review_service.py`` serves it.
"""

import io
import json
import re
import sys
import time
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, File, Form, Request, UploadFile
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from PIL import Image, ImageDraw, ImageFont

import presidio_cdip
from presidio_cdip.documents import marks

ROOT = Path(__file__).parents[2]
STATIC = Path(presidio_cdip.__file__).parent / "service" / "static"
FONTS = Path(presidio_cdip.__file__).parent / "imaging" / "fonts"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
ENTITIES = {
    "AGE": "Person",
    "DATE_OF_BIRTH": "Person",
    "GENDER": "Person",
    "MARITAL_STATUS": "Person",
    "NATIONALITY": "Person",
    "PLACE_OF_BIRTH": "Person",
    "HOME_ADDRESS": "Contact",
    "HOME_PHONE_NUMBER": "Contact",
    "US_SSN": "Contact",
    "BIOMETRIC_DATA": "Health",
    "GENETIC_DATA": "Health",
    "HEALTH": "Health",
    "ETHNIC_ORIGIN": "Beliefs and origin",
    "POLITICAL_OPINION": "Beliefs and origin",
    "RELIGION": "Beliefs and origin",
    "SEXUALITY": "Beliefs and origin",
    "TRADE_UNION_MEMBERSHIP": "Beliefs and origin",
    "CRIMINAL_OFFENCE": "Judicial",
    "PERSON": "Names",
    "ORGANIZATION": "Names",
    "LOCATION": "Names",
}
POLICIES = {
    "generalize": "A date becomes its year, an age its band of ten years.",
    "label": "Each value becomes the name of its entity.",
    "mask": "Each character of a value becomes an asterisk.",
    "redact": "Each value is deleted without replacement.",
    "surrogate": "A realistic value in the form of the original, the same for the same original.",
}
SURROGATES = {
    "AGE": "47",
    "DATE_OF_BIRTH": "Dec. 20, 1961",
    "GENDER": "Male",
    "HEALTH": "asthma",
    "HOME_ADDRESS": "88 Alder Road, Toledo, Ohio 43604",
    "HOME_PHONE_NUMBER": "(419) 555-0172",
    "MARITAL_STATUS": "Widowed",
    "NATIONALITY": "Canadian",
    "PERSON": "Harriet Vance",
    "PLACE_OF_BIRTH": "Dundee, Scotland",
    "RELIGION": "Lutheran",
    "US_SSN": "318-44-7205",
}
LETTER = """\
Dear Dr. Amsel,

Theodora Brannick 👩‍⚕️ was born on March 9, 1931 in Kilmarnock, Scotland.
She is 35, married, and suffers from hay fever. 🌾 Her number is 271-97-0538.
Evenings she is at home, (513) 555-0148.

<script>window.ran = true</script><img src=x onerror="window.ran = true">
Deductions were authorized for 271-97-0538 on June 15, 1959.
"""
VALUES = [
    ("US_SSN", r"\b\d{3}-\d{2}-\d{4}\b", 0.97),
    ("HOME_PHONE_NUMBER", r"\(\d{3}\) \d{3}-\d{4}", 0.95),
    ("DATE_OF_BIRTH", r"March 9, 1931", 0.96),
    ("PLACE_OF_BIRTH", r"Kilmarnock, Scotland", 0.91),
    ("AGE", r"(?<=is )\d\d\b", 0.88),
    ("MARITAL_STATUS", r"\bmarried\b", 0.83),
    ("HEALTH", r"hay fever", 0.52),
]
PAGES = [
    """\
HALVORSEN & PIKE INSTRUMENT COMPANY
Personnel Department

Memorandum

Mrs. Brannick, born March 9, 1931 in Kilmarnock, Scotland,
has asked for a transfer to the Lens Division.
She is 35 and married.""",
    """\
Medical record

The examination of October 4 found hay fever
and no other complaint. Her number is 271-97-0538.""",
    """\
Payroll

Deductions are authorized for 271-97-0538.
Call (513) 555-0148 after six.""",
]

Box = list[float]


@dataclass
class Finding:
    """A finding as the service describes it."""

    id: str
    view: int
    start: int
    end: int
    value: str
    entity: str
    score: float = 0.9
    why: str = ""
    decision: str = "open"
    by: str = "found"
    found_as: str = ""
    surrogate: str = ""
    typed: bool = False
    boxes: list[Box] = field(default_factory=list)
    unread: bool = False

    def __post_init__(self) -> None:
        self.found_as = self.found_as or self.entity
        self.surrogate = self.surrogate or SURROGATES.get(self.entity, f"<{self.entity}>")


@dataclass
class Document:
    """A document, what was decided about it, and the decisions before."""

    id: str
    name: str
    kind: str
    options: dict[str, Any]
    pace: float  # seconds a page takes to be read
    views: list[dict[str, Any]]
    contents: list[dict[str, Any]]  # of a view: words and unread, or segments
    pages: list[Image.Image]
    findings: dict[str, Finding]
    unread: list[dict[str, Any]] = field(default_factory=list)
    removed: list[dict[str, Any]] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    version: int = 1
    undo: list[dict[str, Finding]] = field(default_factory=list)
    redo: list[dict[str, Finding]] = field(default_factory=list)
    result: int | None = None  # the version that the result was made of
    made: float = 0
    added: int = 0
    held_back: bool = True

    @property
    def done(self) -> int:
        """How many pages are read."""
        passed = time.monotonic() - self.began
        return min(len(self.views), int(passed / self.pace) if self.pace else len(self.views))

    @property
    def state(self) -> str:
        """What the service would say of it."""
        if "broken" in self.name:
            return "failed"
        return "ready" if self.done == len(self.views) else "reading"

    def described(self, views: bool = True) -> dict[str, Any]:
        """Return what the service says of it."""
        state = self.state
        shown = {
            "id": self.id,
            "name": self.name,
            "format": self.kind,
            "state": state,
            "done": self.done,
            "pages": len(self.views),
            "problem": "The file is damaged: it ends too early." if state == "failed" else "",
            "options": {
                name: value
                for name, value in self.options.items()
                if (name, value) != ("method", "surrogate")  # the service leaves out what is usual
            },
            "unread": self.unread if state == "ready" else [],
            "removed": self.removed if state == "ready" else [],
            "can_undo": bool(self.undo),
            "can_redo": bool(self.redo),
            "version": self.version,
            "drawing": self.drawing,
            "result": self.result_state(),
        }
        return shown | ({"views": self.views if state != "failed" else []} if views else {})

    @property
    def drawing(self) -> bool:
        """Whether what findings become is not known yet: `held_back` of a name with "late"."""
        return "late" in self.name and self.held_back

    def result_state(self) -> dict[str, Any]:
        """Return what the service says of its result."""
        if self.result is None:
            return {"state": "none", "problem": "", "version": None}
        if time.monotonic() < self.made:
            return {"state": "writing", "problem": "", "version": None}
        state = "ready" if self.result == self.version else "stale"
        return {"state": state, "problem": "", "version": self.result}

    def change(self, after: dict[str, Finding]) -> dict[str, Any]:
        """Make *after* the decisions, and return what changed."""
        self.undo.append(self.findings)
        self.redo.clear()
        return self.replaced(after)

    def replaced(self, after: dict[str, Finding]) -> dict[str, Any]:
        """Take *after* for the decisions, and return what changed."""
        before, self.findings = self.findings, after
        self.version += 1
        return {
            "version": self.version,
            "changed": [asdict(one) for key, one in after.items() if before.get(key) != one],
            "removed": [key for key in before if key not in after],
            "can_undo": bool(self.undo),
            "can_redo": bool(self.redo),
        }

    def edited(self, ids: list[str], change: dict[str, Any]) -> dict[str, Any]:
        """Change the findings *ids*, and those with the same value if it says `everywhere`."""
        if change.get("everywhere"):
            values = {self.findings[one].value for one in ids}
            ids = [key for key, one in self.findings.items() if one.value in values]
        after = dict(self.findings)
        for key in ids:
            one = after[key]
            if "decision" in change:
                one = replace(one, decision=change["decision"])
            if "entity" in change:
                drawn = SURROGATES.get(change["entity"], f"<{change['entity']}>")
                one = replace(one, entity=change["entity"], surrogate=drawn)
            if "surrogate" in change:
                drawn = SURROGATES.get(one.entity, f"<{one.entity}>")
                typed = change["surrogate"]
                one = replace(one, surrogate=typed or drawn, typed=typed is not None)
            after[key] = one
        return self.change(after)

    def text(self) -> str:
        """Return the text that the offsets count in, with line ends where nothing stands."""
        parts = [
            (one["start"], one["text"])
            for content in self.contents
            for one in content.get("segments", content.get("words", []))
        ]
        text = ""
        for start, part in sorted(parts):
            text = text.ljust(start) + part
        return text

    def add(self, what: dict[str, Any]) -> dict[str, Any]:
        """Add a finding of the reviewer."""
        view, entity = what["view"], what["entity"]
        content = self.contents[view]
        spans: list[tuple[int, int, list[Box]]] = []
        if "box" in what:
            left, top, right, bottom = what["box"]
            words = [
                one
                for one in content["words"]
                if left <= (one["box"][0] + one["box"][2]) / 2 <= right
                and top <= (one["box"][1] + one["box"][3]) / 2 <= bottom
            ]
            if words:
                spans = [(words[0]["start"], words[-1]["end"], [one["box"] for one in words])]
        else:
            spans = [(what["start"], what["end"], self.boxes(view, what["start"], what["end"]))]
            value = self.text()[what["start"] : what["end"]]
            if what.get("everywhere"):
                spans = [
                    (found.start(), found.end(), self.boxes(view, found.start(), found.end()))
                    for found in re.finditer(re.escape(value), self.text())
                ]
        after = dict(self.findings)
        for start, end, boxes in spans or [(0, 0, [what["box"]])]:
            self.added += 1
            key = f"r{self.added}"
            after[key] = Finding(
                key,
                view,
                start,
                end,
                self.text()[start:end],
                entity,
                1.0,
                "added by the reviewer",
                "accepted",
                "reviewer",
                boxes=boxes,
                unread=not spans,
            )
        return self.change(after)

    def boxes(self, view: int, start: int, end: int) -> list[Box]:
        """Return the boxes of the words of an image view in a span."""
        words = self.contents[view].get("words", [])
        return [one["box"] for one in words if one["start"] < end and one["end"] > start]

    def page(self, number: int) -> Image.Image:
        """Return the page as it is in the result."""
        page = self.pages[number].convert("RGB")
        draw = ImageDraw.Draw(page)
        for one in self.findings.values():
            if one.view != number or one.decision == "rejected" or not one.boxes:
                continue
            for box in one.boxes:
                draw.rectangle(tuple(box), fill="white")
            left, top, _, bottom = one.boxes[0]
            font = ImageFont.truetype(
                FONTS / "typewriter-modern.ttf", max(12, int((bottom - top) * 0.95))
            )
            draw.text((left, top - 2), one.surrogate, fill="black", font=font)
        return page

    def segments(self, number: int) -> list[dict[str, Any]]:
        """Return the segments of a text view of the result."""
        made: list[dict[str, Any]] = []
        at = 0
        for segment in self.contents[number]["segments"]:
            text, done = "", segment["start"]
            for one in sorted(self.findings.values(), key=lambda one: one.start):
                inside = segment["start"] <= one.start and one.end <= segment["end"]
                if not inside or one.decision == "rejected" or one.start < done:
                    continue
                start = segment["start"]
                text += segment["text"][done - start : one.start - start] + one.surrogate
                done = one.end
            text += segment["text"][done - segment["start"] :]
            made.append(segment | {"start": at, "end": at + len(text), "text": text})
            at += len(text) + 1
        return made


def found(text: str, view: int, first: int = 0, at: int = 0) -> list[Finding]:
    """Return what the expressions find in *text*, which begins at offset *at*."""
    spans = sorted(
        (match.start() + at, match.end() + at, match.group(), entity, score)
        for entity, pattern, score in VALUES
        for match in re.finditer(pattern, text)
    )
    return [
        Finding(
            f"f{first + number}",
            view,
            start,
            end,
            value,
            entity,
            score,
            f"rule {entity.lower()}/labelled",
        )
        for number, (start, end, value, entity, score) in enumerate(spans)
    ]


def lines(text: str) -> list[dict[str, Any]]:
    """Return *text* as segments, a line each."""
    segments, at = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        segments.append(
            {
                "start": at,
                "end": at + len(line),
                "text": line,
                "where": f"line {number}",
                "label": "",
            }
        )
        at += len(line) + 1
    return segments


def letter(name: str, text: str = LETTER) -> dict[str, Any]:
    """Return a document of one text."""
    return {
        "kind": "txt",
        "views": [{"number": 0, "kind": "text", "title": "text"}],
        "contents": [{"number": 0, "kind": "text", "segments": lines(text)}],
        "pages": [],
        "findings": found(text, 0),
    }


def register(name: str) -> dict[str, Any]:
    """Return a table of 5,000 findings."""
    rows: list[dict[str, Any]] = []
    at = 0
    for number in range(2500):
        for label, text in (
            ("Name", f"Person {number:04}"),
            ("SSN", f"{100 + number % 800}-97-{number:04}"),
            ("Home telephone", f"(513) 555-{number:04}"),
        ):
            at += len(label) + 2
            where = f"line {number + 2}, {label}"
            rows.append(
                {"start": at, "end": at + len(text), "text": text, "where": where, "label": label}
            )
            at += len(text) + 1
    findings = [one for row in rows for one in found(row["text"], 0, row["start"], row["start"])]
    return {
        "kind": "csv",
        "views": [{"number": 0, "kind": "text", "title": "table"}],
        "contents": [{"number": 0, "kind": "text", "segments": rows}],
        "pages": [],
        "findings": findings,
    }


def pages(name: str) -> dict[str, Any]:
    """Return a document of three pages, one of which has a place that was not read."""
    font = ImageFont.truetype(FONTS / "typewriter-modern.ttf", 21)
    images, views, contents = [], [], []
    findings: list[Finding] = []
    at = 0
    for number, text in enumerate(PAGES):
        page = Image.new("L", (850, 1100), 255)
        draw = ImageDraw.Draw(page)
        words: list[dict[str, Any]] = []
        for row, line in enumerate(text.split("\n")):
            for match in re.finditer(r"\S+", line):
                left = 80 + draw.textlength(line[: match.start()], font)
                top = 90 + row * 34
                draw.text((left, top), match.group(), 20, font)
                box = [
                    round(left),
                    top,
                    round(left + draw.textlength(match.group(), font)),
                    top + 26,
                ]
                start = at + match.start()
                words.append(
                    {
                        "start": start,
                        "end": start + len(match.group()),
                        "text": match.group(),
                        "box": box,
                    }
                )
            at += len(line) + 1
        views.append(
            {
                "number": number,
                "kind": "image",
                "title": f"page {number + 1}",
                "width": 850,
                "height": 1100,
            }
        )
        contents.append(
            {
                "number": number,
                "kind": "image",
                "width": 850,
                "height": 1100,
                "words": words,
                "unread": [],
            }
        )
        for one in found(text, number, len(findings), at - len(text) - 1):
            one.boxes = [
                word["box"] for word in words if word["start"] < one.end and word["end"] > one.start
            ]
            findings.append(one)
        if number == 1:
            draw.line([(520, 700), (560, 660), (600, 720), (660, 670), (700, 705)], 60, 3)
            contents[1]["unread"] = [[500, 640, 720, 740]]
        images.append(page)
    return {
        "kind": "pdf",
        "views": views,
        "contents": contents,
        "pages": images,
        "findings": findings,
        "unread": [{"view": 1, "where": "page 2", "what": "handwriting or a signature"}],
        "removed": [
            {"where": "document", "what": "signature, which would be void", "count": 1},
            {"where": "document", "what": "scripts", "count": 2},
        ],
    }


def scan(name: str) -> dict[str, Any]:
    """Return the page of examples/, with forty findings where the name asks for them."""
    truth = json.loads((ROOT / "examples" / "personnel_page.json").read_text())
    page = Image.open(ROOT / "examples" / "personnel_page.png")
    words: list[dict[str, Any]] = []
    findings: list[Finding] = []
    at = 0
    scores = [0.97, 0.93, 0.95, 0.9, 0.88, 0.55, 0.92]
    for number, value in enumerate([*truth["values"], *truth["keep"]]):
        begin = at
        for line, (left, top, right, bottom) in zip(
            value["text"].split("\n"), value["boxes"], strict=False
        ):
            for match in re.finditer(r"\S+", line):
                width = (right - left) / len(line)
                box = [left + width * match.start(), top, left + width * match.end(), bottom]
                words.append(
                    {
                        "start": at + match.start(),
                        "end": at + match.end(),
                        "text": match.group(),
                        "box": box,
                    }
                )
            at += len(line) + 1
        if number < len(truth["values"]):
            findings.append(
                Finding(
                    f"f{number}",
                    0,
                    begin,
                    at - 1,
                    value["text"],
                    value["entity"],
                    scores[number % 7],
                    f"rule {value['entity'].lower()}/labelled; label before the value",
                    boxes=value["boxes"],
                )
            )
    if "forty" in name:
        for number in range(len(findings), 40):
            left, top = 120 + (number % 4) * 350, 1650 + (number // 4) * 40 - 240
            findings.append(
                Finding(
                    f"f{number}",
                    0,
                    9000 + number * 10,
                    9005 + number * 10,
                    f"value {number}",
                    "AGE",
                    0.8,
                    boxes=[[left, top, left + 90, top + 26]],
                )
            )
    words.sort(key=lambda one: (one["box"][1] // 20, one["box"][0]))
    return {
        "kind": "png",
        "views": [
            {
                "number": 0,
                "kind": "image",
                "title": "page 1",
                "width": page.width,
                "height": page.height,
            }
        ],
        "contents": [
            {
                "number": 0,
                "kind": "image",
                "width": page.width,
                "height": page.height,
                "words": words,
                "unread": [[1255, 1590, 1545, 1725]],
            }
        ],
        "pages": [page],
        "findings": findings,
        "unread": [{"view": 0, "where": "page 1", "what": "a stamp"}],
    }


def create_app(pace: float = 0, token: str = "", writing: float = 0) -> FastAPI:
    """Return the service.

    Args:
        pace: Seconds that a page takes to be read; 0 for documents that are ready at once.
        token: Without it requests are answered with 401, if it is not empty.
        writing: Seconds that a result takes.

    `app.state` has `documents`, `fail` (how many changes will fail), and `token`.
    """
    app = FastAPI(openapi_url=None)
    app.state.documents = {}
    app.state.fail = 0
    app.state.pace = pace
    app.state.writing = writing
    app.state.token = token
    api = "/api/v1"

    @app.middleware("http")
    async def guard(request: Request, call_next: Any) -> Response:
        needed = app.state.token and request.url.path.startswith(api)
        if needed and request.headers.get("authorization") != f"Bearer {app.state.token}":
            response: Response = JSONResponse({"error": "A token is needed."}, 401)
        elif (
            app.state.fail
            and request.method in {"PATCH", "POST"}
            and "findings" in request.url.path
        ):
            app.state.fail -= 1
            response = JSONResponse({"error": "The change could not be kept."}, 500)
        else:
            response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    @app.exception_handler(KeyError)
    async def unknown(request: Request, error: KeyError) -> Response:
        return JSONResponse({"error": "There is no such document."}, 404)

    def document(id: str) -> Document:
        return app.state.documents[id]  # type: ignore[no-any-return]

    @app.get(f"{api}/options")
    def options() -> dict[str, Any]:
        colours = marks.hues(list(ENTITIES))
        return {
            "entities": [
                {
                    "name": name,
                    "label": marks.label(name),
                    "hue": colours[name],
                    "meaning": f"meaning of {name}",
                    "group": group,
                    "on_request": group == "Names",
                }
                for name, group in ENTITIES.items()
            ],
            "policies": [
                {"name": name, "label": marks.label(name), "meaning": text}
                for name, text in POLICIES.items()
            ],
            "methods": ["surrogate", "white", "black", "paper", "telea", "navier-stokes"],
            "ocr_languages": ["eng", "deu"],
            "formats": [
                ".pdf",
                ".docx",
                ".xlsx",
                ".pptx",
                ".odt",
                ".txt",
                ".json",
                ".csv",
                ".eml",
                ".html",
                ".png",
                ".tif",
            ],
            "max_bytes": 50_000_000,
            "version": "0.1.0",
        }

    @app.post(f"{api}/documents", status_code=202)
    def post(
        file: Annotated[UploadFile, File()], options: Annotated[str, Form()] = "{}"
    ) -> dict[str, Any]:
        name = file.filename or "file"
        data = file.file.read()
        if "register" in name:
            made = register(name)
        elif name.endswith(".pdf"):
            made = pages(name)
        elif name.endswith((".png", ".tif")):
            made = scan(name)
        else:
            made = letter(name, data.decode() or LETTER)
        id = f"{len(app.state.documents) + 1:032x}"
        findings = {one.id: one for one in made.pop("findings")}
        app.state.documents[id] = Document(
            id, name, options=json.loads(options), pace=app.state.pace, findings=findings, **made
        )
        return {"id": id, "name": name, "state": "waiting"}

    @app.get(f"{api}/documents")
    def everything() -> dict[str, Any]:
        return {"documents": [one.described(views=False) for one in app.state.documents.values()]}

    @app.get(api + "/documents/{id}")
    def one(id: str) -> dict[str, Any]:
        return document(id).described()

    @app.delete(api + "/documents/{id}", status_code=204)
    def delete(id: str) -> None:
        del app.state.documents[id]

    @app.get(api + "/documents/{id}/views/{number}.png")
    def image(id: str, number: int, result: int = 0) -> Response:
        held = document(id)
        if result and held.result_state()["state"] != "ready":
            return JSONResponse({"error": "The result is not made."}, 409)
        target = io.BytesIO()
        (held.page(number) if result else held.pages[number]).save(target, "PNG")
        return Response(target.getvalue(), media_type="image/png")

    @app.get(api + "/documents/{id}/views/{number}")
    def view(id: str, number: int, result: int = 0) -> Response:
        held = document(id)
        if held.state != "ready":
            return JSONResponse({"error": "Not read yet."}, 404)
        content = held.contents[number]
        if result and "segments" in content:
            return JSONResponse(content | {"segments": held.segments(number)})
        return JSONResponse(content)

    @app.get(api + "/documents/{id}/findings")
    def findings(id: str) -> dict[str, Any]:
        held = document(id)
        ordered = sorted(held.findings.values(), key=lambda one: (one.view, one.start))
        hidden = {"surrogate": ""} if held.drawing else {}
        return {"version": held.version, "findings": [asdict(one) | hidden for one in ordered]}

    @app.patch(api + "/documents/{id}/findings/{finding}")
    def patch(id: str, finding: str, change: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        return document(id).edited([finding], change)

    @app.patch(api + "/documents/{id}/findings")
    def patch_many(id: str, change: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        return document(id).edited(change["findings"], change)

    @app.post(api + "/documents/{id}/findings")
    def add(id: str, what: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        return document(id).add(what)

    @app.delete(api + "/documents/{id}/findings/{finding}")
    def remove(id: str, finding: str) -> dict[str, Any]:
        held = document(id)
        return held.change({key: one for key, one in held.findings.items() if key != finding})

    @app.post(api + "/documents/{id}/undo")
    def undo(id: str) -> dict[str, Any]:
        held = document(id)
        if not held.undo:
            return held.replaced(held.findings)
        held.redo.append(held.findings)
        return held.replaced(held.undo.pop())

    @app.post(api + "/documents/{id}/redo")
    def redo(id: str) -> dict[str, Any]:
        held = document(id)
        if not held.redo:
            return held.replaced(held.findings)
        held.undo.append(held.findings)
        return held.replaced(held.redo.pop())

    @app.get(api + "/documents/{id}/review")
    def review(id: str, reviewer: str = "") -> Response:
        held = document(id)
        kept = {
            "document": held.name,
            "reviewer": reviewer,
            "decisions": {key: one.decision for key, one in held.findings.items()},
        }
        return attached(json.dumps(kept), f"{held.name}.review.json", "application/json")

    @app.put(api + "/documents/{id}/review")
    def load(id: str, review: Annotated[dict[str, Any], Body()]) -> Response:
        held = document(id)
        if review.get("document") != held.name:
            return JSONResponse({"error": "This review file is of another document."}, 409)
        after = deepcopy(held.findings)
        for key, decision in review["decisions"].items():
            after[key].decision = decision
        return JSONResponse({"version": held.change(after)["version"]})

    @app.post(api + "/documents/{id}/result", status_code=202)
    def write(id: str) -> dict[str, Any]:
        held = document(id)
        held.result = held.version
        held.made = time.monotonic() + app.state.writing
        return {}

    @app.get(api + "/documents/{id}/result")
    def result(id: str) -> Response:
        held = document(id)
        if not held.pages:
            text = "\n".join(one["text"] for one in held.segments(0))
            return attached(text, held.name, "text/plain")
        target = io.BytesIO()
        held.page(0).save(target, "PNG")
        return attached(target.getvalue(), held.name, "application/octet-stream")

    @app.get(api + "/documents/{id}/report")
    def report(id: str) -> Response:
        held = document(id)
        kept = [one for one in held.findings.values() if one.decision != "rejected"]
        return attached(
            json.dumps({"findings": len(kept)}), f"{held.name}.report.json", "application/json"
        )

    @app.get("/")
    def index() -> Response:
        return Response((STATIC / "index.html").read_bytes(), media_type="text/html; charset=utf-8")

    @app.get("/static/marks.css")
    def style() -> FileResponse:
        return FileResponse(marks.STYLE)

    app.mount("/static", StaticFiles(directory=STATIC))
    return app


def attached(data: str | bytes, name: str, kind: str) -> Response:
    """Return *data* as a file to save."""
    return Response(
        data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


if __name__ == "__main__":
    import uvicorn

    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8766
    uvicorn.run(create_app(pace=0.2, writing=0.5), port=port, log_level="warning")
