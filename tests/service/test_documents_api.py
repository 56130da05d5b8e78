"""A document is uploaded, reviewed and downloaded."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from presidio_cdip.documents.reviews.applying import applied
from presidio_cdip.documents.reviews.review import Review
from tests.service.documents import BIRTH, KEY, LINES, SSN, Caller, bomb, document, service

pytest.importorskip("fastapi", reason="the extra [service] is not installed")
pytest.importorskip("multipart", reason="the extra [service] is not installed")

reads = pytest.mark.skipif(not which("tesseract"), reason="needs Tesseract")
FORMATS = [
    "txt",
    "docx",
    pytest.param("pdf", marks=pytest.mark.slow),
    pytest.param("png", marks=[reads, pytest.mark.slow]),
]


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """A caller of a service whose child is started once."""
    with service(tmp_path_factory.mktemp("service")) as (_, caller):
        yield caller


@pytest.fixture(scope="module")
def note(caller: Caller) -> str:
    """A note that no test changes."""
    return caller.ready(document("txt"))


def test_what_can_be_chosen_is_said(caller: Caller) -> None:
    """The page builds its form of it."""
    options = caller.get("/options")

    entities = {one["name"]: one for one in options["entities"]}
    assert entities["HEALTH"]["group"] == "Health"
    assert not entities["US_SSN"]["on_request"]
    assert entities["PERSON"]["on_request"]
    assert {"name", "label", "meaning"} == options["policies"][0].keys()
    assert options["methods"][0] == "surrogate"
    assert {".docx", ".pdf", ".png", ".txt", ".json", ".eml"} <= set(options["formats"])
    assert options["max_bytes"] == 1_000_000


@pytest.mark.parametrize("kind", FORMATS)
def test_a_document_is_read_reviewed_and_downloaded(caller: Caller, kind: str) -> None:
    """What is downloaded is what applying the review file gives, byte for byte."""
    data, name = document(kind), f"letter.{kind}"
    path = caller.ready(data, name, noise="none")
    first, *_, last = caller.findings(path)
    caller.send("PATCH", f"{path}/findings/{first['id']}", decision="accepted")
    caller.send("PATCH", f"{path}/findings/{last['id']}", decision="rejected")

    answer = caller.ask("GET", f"{path}/result")

    assert answer.headers["content-type"] == "application/octet-stream"
    assert f'filename="letter.redacted.{kind}"' in answer.headers["content-disposition"]
    review = Review.of(caller.ask("GET", f"{path}/review").content)
    expected, report = applied(data, name, name, review, KEY, model="none")
    assert answer.content == expected != data
    assert caller.get(f"{path}/report") == json.loads(json.dumps(report.as_json()))
    state = caller.get(path)["result"]
    assert state == {"state": "ready", "problem": "", "version": 2}


@pytest.mark.parametrize("kind", FORMATS)
def test_views_show_where_findings_stand(caller: Caller, kind: str) -> None:
    """On a page by boxes, in a text by offsets."""
    path = caller.ready(document(kind), f"letter.{kind}")
    state = caller.get(path)
    (one, *_) = [one for one in caller.findings(path) if one["value"] == SSN]

    view = caller.get(f"{path}/views/{one['view']}")

    assert state["views"][one["view"]]["kind"] == view["kind"]
    if kind in ("txt", "docx"):
        (segment,) = [
            segment for segment in view["segments"]
            if segment["start"] <= one["start"] < segment["end"]
        ]  # fmt: skip
        start = one["start"] - segment["start"]
        assert segment["text"][start : start + len(SSN)] == SSN
        assert one["boxes"] == []
    else:
        (word,) = [word for word in view["words"] if word["start"] <= one["start"] < word["end"]]
        assert SSN in word["text"]
        (box,) = one["boxes"]
        assert word["box"][0] <= box[0] < box[2] <= word["box"][2] <= view["width"]
        assert word["box"][1::2] == box[1::2]


@pytest.mark.parametrize("kind", FORMATS[1:])
def test_pages_are_shown_as_they_are_and_as_they_become(caller: Caller, kind: str) -> None:
    """As PNG files; those of the result when it was made."""
    from PIL import Image

    path = caller.ready(document(kind), f"letter.{kind}", noise="none")
    (image,) = [one for one in caller.get(path)["views"] if one["kind"] == "image"]
    shown = f"{path}/views/{image['number']}.png"

    before = caller.ask("GET", shown)
    early = caller.ask("GET", f"{shown}?result=1")
    caller.result(path)
    after = caller.ask("GET", f"{shown}?result=1")

    assert before.headers["content-type"] == after.headers["content-type"] == "image/png"
    width, height = Image.open(io.BytesIO(before.content)).size
    assert width / height == pytest.approx(image["width"] / image["height"], rel=0.01)
    assert (early.status_code, early.json()) == (409, {"detail": "the result has not been made"})
    assert (before.content != after.content) == (kind != "docx")  # its picture has no writing


@pytest.mark.parametrize("kind", ["txt", "docx"])
def test_texts_are_shown_as_they_become(caller: Caller, kind: str) -> None:
    """In the same views, in the same form."""
    path = caller.ready(document(kind), f"letter.{kind}")
    caller.drawn(path)
    (number, *_) = {one["view"] for one in caller.findings(path)}
    (birth,) = [one for one in caller.findings(path) if one["value"] == BIRTH]
    caller.result(path)

    shown = caller.get(f"{path}/views/{number}?result=1")["segments"]

    assert shown[0]["text"].startswith(f"Ann Ruth was born on {birth['surrogate']}, SSN ")
    assert shown[1]["text"] == LINES[1]
    assert SSN not in json.dumps(shown)


def test_surrogates_are_shown_before_they_are_written(caller: Caller) -> None:
    """Those of what was found, added and changed, each as the result has it."""
    path = caller.ready(document("txt"))
    (birth,) = caller.named(path, BIRTH)
    caller.send("PATCH", f"{path}/findings/{birth}", entity="GENDER")
    ward = document("txt").decode().index("ward 7")
    caller.send("POST", f"{path}/findings", view=0, start=ward, end=ward + 6, entity="HOME_ADDRESS")
    caller.drawn(path)

    result = caller.result(path).decode()

    found = caller.findings(path)
    assert len(found) == 4
    for one in found:
        assert one["surrogate"] != one["value"]
        assert one["surrogate"] in result


def test_findings_are_changed_and_changed_back(caller: Caller) -> None:
    """Each change says what has changed, and can be taken back and made again."""
    path = caller.ready(document("txt"))
    one, other = caller.named(path, SSN)

    changes = caller.send("PATCH", f"{path}/findings/{one}", decision="rejected", everywhere=True)
    assert {found["id"] for found in changes["changed"]} == {one, other}
    assert (changes["version"], changes["can_undo"], changes["can_redo"]) == (1, True, False)
    undone = caller.send("POST", f"{path}/undo")
    assert {found["decision"] for found in undone["changed"]} == {"open"}
    assert undone["can_redo"]
    redone = caller.send("POST", f"{path}/redo")
    assert {found["decision"] for found in redone["changed"]} == {"rejected"}

    assert caller.result(path).decode().count(SSN) == 2


def test_what_is_typed_is_written_until_it_is_taken_back(caller: Caller) -> None:
    """Null is back to what is drawn."""
    path = caller.ready(document("txt"))
    (birth,) = caller.named(path, BIRTH)
    (typed,) = caller.send("PATCH", f"{path}/findings/{birth}", surrogate="spring")["changed"]
    assert (typed["surrogate"], typed["typed"]) == ("spring", True)
    assert b"born on spring," in caller.result(path)
    assert caller.get(path)["result"]["state"] == "ready"

    caller.send("PATCH", f"{path}/findings/{birth}", surrogate=None)

    assert caller.get(path)["result"]["state"] == "stale"
    assert caller.ask("GET", f"{path}/views/0?result=1").status_code == 409
    assert b"spring" not in caller.result(path)


def test_a_group_is_decided_at_once(caller: Caller) -> None:
    """And taken back at once."""
    path = caller.ready(document("txt"))
    names = [one["id"] for one in caller.findings(path)]

    changes = caller.send("PATCH", f"{path}/findings", findings=names, decision="accepted")
    undone = caller.send("POST", f"{path}/undo")

    assert len(changes["changed"]) == len(undone["changed"]) == len(names) == 3
    assert not undone["can_undo"]


def test_a_text_is_added_everywhere_and_removed(caller: Caller) -> None:
    """What was found is not removed but rejected."""
    path = caller.ready(b"ward 7, and ward 7 again, SSN 271-24-0538")
    added = caller.send(
        "POST", f"{path}/findings", view=0, start=0, end=6, entity="GENDER", everywhere=True
    )["changed"]
    assert [one["start"] for one in added] == [0, 12]
    assert {(one["by"], one["decision"]) for one in added} == {("reviewer", "accepted")}

    gone = caller.ask("DELETE", f"{path}/findings/{added[0]['id']}")
    (found,) = caller.named(path, SSN)
    kept = caller.ask("DELETE", f"{path}/findings/{found}")

    assert gone.json()["removed"] == [added[0]["id"]]
    assert kept.status_code == 409
    assert "reject it" in kept.json()["detail"]
    some = caller.get(f"{path}/findings?ids={found},{added[1]['id']}")["findings"]
    assert [one["id"] for one in some] == [found, added[1]["id"]]


@pytest.mark.slow
@reads
def test_boxes_hold_words_or_are_erased(caller: Caller) -> None:
    """A box over words is a finding of these words; one over none is an area."""
    path = caller.ready(document("png"), "page.png", noise="none")
    words = caller.get(f"{path}/views/0")["words"]
    (ward,) = [word for word in words if word["text"] == "ward"]
    left, top, right, bottom = ward["box"]

    (word,) = caller.send(
        "POST", f"{path}/findings",
        view=0, box=[left - 4, top - 4, right + 4, bottom + 4], entity="HEALTH",
    )["changed"]  # fmt: skip
    (area,) = caller.send(
        "POST", f"{path}/findings", view=0, box=[900, 10, 1000, 40], entity="BIOMETRIC_DATA"
    )["changed"]

    assert (word["value"], word["unread"]) == ("ward", False)
    assert (area["value"], area["unread"]) == ("", True)
    assert area["boxes"] == [[900, 10, 1000, 40]]
    counts = caller.get(f"{path}/report")["replaced"]
    assert counts["HEALTH"] == counts["BIOMETRIC_DATA"] == 1


def test_a_review_file_is_saved_and_loaded(caller: Caller) -> None:
    """It holds no text of the document, and gives another reviewer the same decisions."""
    path, again = (caller.ready(document("txt")) for _ in range(2))
    (birth,) = caller.named(path, BIRTH)
    caller.send("PATCH", f"{path}/findings/{birth}", decision="rejected")
    answer = caller.ask("GET", f"{path}/review?reviewer=R.%20Example")

    loaded = caller.ask("PUT", f"{again}/review", content=answer.content)

    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json()["reviewer"] == "R. Example"
    assert BIRTH not in answer.text
    assert loaded.json() == {"version": 1}
    (one,) = [one for one in caller.findings(again) if one["value"] == BIRTH]
    assert (one["decision"], bool(one["why"])) == ("rejected", True)
    assert caller.result(again) == caller.result(path)


@pytest.mark.parametrize(
    ("change", "status", "problem"),
    [
        ({"document": "0" * 24}, 409, "another document"),
        ({"presidio_cdip_review": 7}, 409, "no review of version"),
        ({"options": {"policy": "/etc/passwd"}}, 422, "no such policy"),
        ({"options": {"ocr_language": "eng --user-words /etc/passwd"}}, 422, "languages"),
        ({"areas": [{"entity": "NOTHING", "page": 0, "box": [0, 0, 1, 1]}]}, 422, "no entity"),
    ],
)
def test_a_review_file_that_cannot_be_used_is_refused(
    caller: Caller, note: str, change: dict[str, Any], status: int, problem: str
) -> None:
    """It may come from anybody."""
    given = json.loads(caller.ask("GET", f"{note}/review").content)

    answer = caller.ask("PUT", f"{note}/review", content=json.dumps({**given, **change}))

    assert answer.status_code == status
    assert problem in answer.json()["detail"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("no json", "no JSON object"),
        ("[]", "no JSON object"),
        ('{"colour": "red"}', "an option is none of"),
        ('{"policy": "../operators/surrogate"}', "no such policy"),
        ('{"policy": "/etc/passwd"}', "no such policy"),
        ('{"names": "yes"}', "names is not true or false"),
        ('{"entities": ["NOTHING"]}', "no entity NOTHING"),
        ('{"min_score": "high"}', "high"),
        ('{"method": "--x"}', "no such method"),
        ('{"noise": "/tmp"}', "no such noise"),
        ('{"locale": "../x"}', "locale"),
        ('{"ocr_language": "eng;rm"}', "Tesseract lacks"),
        ('{"ocr_language": "-c"}', "Tesseract lacks"),
        (json.dumps({"scope": "x" * 2000}), "the scope has more"),
    ],
)
def test_options_that_cannot_be_carried_out_are_refused(
    caller: Caller, options: str, problem: str
) -> None:
    """Before anything is read; nothing of a request becomes a path or an argument."""
    answer = caller.ask(
        "POST", "/documents", files={"file": ("a.txt", b"text")}, data={"options": options}
    )

    assert answer.status_code == 422
    assert problem in answer.json()["detail"]


@pytest.mark.parametrize(
    ("data", "name", "problem"),
    [
        (b"%PDF-1.7\nnothing", "a.pdf", "damaged"),
        (b"PK\x03\x04nothing", "a.docx", "damaged package"),
        (b"no image", "a.png", "named like an image"),
        (b"\x00\x01\x02\x03" * 99, "a.bin", "text"),
    ],
)
def test_a_document_that_cannot_be_read_says_why(
    caller: Caller, data: bytes, name: str, problem: str
) -> None:
    """And has neither findings nor a result."""
    path = caller.upload(data, name)

    state = caller.ended(path)

    assert state["state"] == "failed"
    assert problem in state["problem"]
    assert caller.ask("GET", f"{path}/findings").status_code == 409
    assert caller.ask("GET", f"{path}/result").status_code == 409


@pytest.mark.slow
def test_zip_bombs_are_refused(caller: Caller) -> None:
    """By the sizes of what is in them."""
    state = caller.ended(caller.upload(bomb(), "a.docx"))

    assert state["state"] == "failed"
    assert "unpack" in state["problem"] or "bytes" in state["problem"]


@pytest.mark.slow
def test_names_are_no_paths(caller: Caller, tmp_path: Path) -> None:
    """Of a path its last part is the name; characters that cannot be seen are left out."""
    names = {
        "../../etc/passwd": "passwd",
        f"{tmp_path}/a.txt": "a.txt",
        "C:\\letters\\b.txt": "b.txt",
        "evil\u202etxt.exe": "eviltxt.exe",
        "..": "document",
    }
    for given, name in names.items():
        path = caller.ready(b"SSN 271-24-0538", given)
        assert caller.get(path)["name"] == name
        assert b"271-24-0538" not in caller.result(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.svg", "a.html"])
def test_what_a_browser_could_run_is_only_saved(caller: Caller, name: str) -> None:
    """Never with a type that it would show."""
    script = (
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script>SSN 271-24-0538</svg>"
    )
    path = caller.ready(script, name)

    answer = caller.ask("GET", f"{path}/result")

    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")


def test_names_of_downloads_are_encoded(caller: Caller) -> None:
    """A name cannot add a header or end the file name."""
    path = caller.ready(b"SSN 271-24-0538", 'Zoë";\r\nX: y.txt')

    shown = caller.ask("GET", f"{path}/result").headers["content-disposition"]

    assert "\r" not in shown
    assert shown.count('"') == 2
    assert "filename*=UTF-8''Zo%C3%AB" in shown


ROUTES = [
    ("GET", ""), ("DELETE", ""), ("GET", "/views/0"), ("GET", "/views/0.png"), ("GET", "/findings"),
    ("PATCH", "/findings"), ("PATCH", "/findings/f1"), ("POST", "/findings"),
    ("DELETE", "/findings/f1"), ("POST", "/undo"), ("POST", "/redo"), ("GET", "/review"),
    ("PUT", "/review"), ("POST", "/result"), ("GET", "/result"), ("GET", "/report"),
]  # fmt: skip


def asked(caller: Caller, method: str, path: str, route: str) -> Any:
    """Ask for one of `ROUTES` with a body that is right."""
    body: dict[str, Any] = {}
    if method == "PATCH":
        body = {"findings": ["f1"]} if route == "/findings" else {"decision": "accepted"}
    if (method, route) == ("POST", "/findings"):
        body = {"view": 0, "start": 0, "end": 3, "entity": "HEALTH"}
    return caller.ask(method, path + route, **({"json": body} if body else {}))


@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_a_document_that_is_not_there_is_not_found(caller: Caller, method: str, route: str) -> None:
    """Whatever is asked of it."""
    answer = asked(caller, method, f"/documents/{'0' * 32}", route)

    assert answer.status_code == 404
    assert answer.json() == {"detail": "there is no such document"}


@pytest.mark.parametrize(
    ("method", "route", "body", "status", "problem"),
    [
        ("GET", "/views/99", None, 404, "no such view"),
        ("GET", "/views/99.png", None, 404, "no such view"),
        ("GET", "/views/0.png", None, 404, "is text"),
        ("GET", "/findings?ids=f99", None, 404, "no such finding"),
        ("PATCH", "/findings/f99", {"decision": "accepted"}, 404, "no such finding"),
        ("PATCH", "/findings/f1", {"decision": "maybe"}, 422, None),
        ("PATCH", "/findings/f1", {"entity": "NOTHING"}, 422, "no entity"),
        ("PATCH", "/findings/f1", {"colour": "red"}, 422, None),
        ("POST", "/findings", {"view": 0, "entity": "HEALTH"}, 422, "start and end, or a box"),
        ("POST", "/findings", {"view": 9, "start": 0, "end": 1, "entity": "AGE"}, 409, "view"),
        ("POST", "/findings", {"view": 0, "start": 8, "end": 9, "entity": "AGE"}, 409, "no text"),
        ("POST", "/findings", {"view": 0, "box": [0, 0, 1, 1], "entity": "AGE"}, 409, "drawn"),
        ("DELETE", "/findings/f99", None, 404, "no such finding"),
    ],
)
def test_what_cannot_be_done_is_refused(
    caller: Caller, note: str, method: str, route: str, body: Any, status: int, problem: str | None
) -> None:
    """With words that say why."""
    answer = caller.ask(method, note + route, **({"json": body} if body else {}))

    assert answer.status_code == status
    assert problem is None or problem in answer.json()["detail"]
    assert caller.get(note)["version"] == 0


def test_a_document_is_removed(caller: Caller) -> None:
    """And is not listed any more."""
    path = caller.ready(document("txt"))
    listed = [one["id"] for one in caller.get("/documents")["documents"]]
    assert path.endswith(listed[-1])

    assert caller.ask("DELETE", path).status_code == 204

    assert caller.ask("GET", path).status_code == 404
    assert listed[-1] not in [one["id"] for one in caller.get("/documents")["documents"]]


def test_an_upload_without_a_file_is_refused(caller: Caller) -> None:
    """In words."""
    answer = caller.ask("POST", "/documents", data={"file": "a text"})

    assert answer.status_code == 422
    assert "field `file`" in answer.json()["detail"]


@pytest.fixture
def callers(
    client: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Caller]:
    """Two callers of a whole service, each with a token, and one without."""
    tokens = {name: f"the-token-of-{name}" for name in ("archive", "office")}
    monkeypatch.setenv("PRESIDIO_CDIP_MODEL", "none")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    opened = client(tokens=list(tokens.values()))
    found = {
        name: Caller(opened, Authorization=f"Bearer {token}") for name, token in tokens.items()
    }
    return {**found, "nobody": Caller(opened)}


@pytest.mark.slow
def test_documents_of_one_caller_are_not_there_for_another(callers: dict[str, Caller]) -> None:
    """Whatever is asked of them; without a token nothing is answered at all."""
    archive, office, nobody = callers["archive"], callers["office"], callers["nobody"]
    path = archive.ready(document("txt"))

    for method, route in ROUTES:
        answer = asked(office, method, path, route)
        assert (answer.status_code, answer.json()) == (404, {"error": "there is no such document"})
        assert asked(nobody, method, path, route).status_code == 401

    assert office.get("/documents") == {"documents": []}
    assert len(archive.findings(path)) == 3
    assert archive.get(path)["version"] == 0
