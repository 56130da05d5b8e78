"""The review page in a browser, against a service that holds invented documents.

Everything a person does is done once by mouse and once by keys alone. Each test ends with two
checks: nothing was asked of another host, and the page logged no error, so that the service's
content security policy stopped nothing.
"""

import importlib.util
import json
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import presidio_cdip
from presidio_cdip.documents.marks import STYLE as MARKS
from tests.service.browser import axe, chromium

ROOT = Path(__file__).parents[2]
STATIC = Path(presidio_cdip.__file__).parent / "service" / "static"
PATIENCE = 60_000  # milliseconds; only a fault needs them
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
TEXT = "document.querySelector('.view.text')"
EMOJI = "👩‍⚕️"


# Without a browser ----------------------------------------------------------------------


def test_page_is_light() -> None:
    """All files of the page together have no more than 150 kB."""
    files = [MARKS, *(file for file in STATIC.iterdir() if file.name != "docs.css")]

    assert sum(file.stat().st_size for file in files) <= 150_000


def test_nothing_inline() -> None:
    """The page has no script, style or handler that the policy would stop."""
    html = (STATIC / "index.html").read_text()

    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", html) == []


@pytest.mark.parametrize("file", sorted(STATIC.glob("*.js")), ids=lambda file: file.name)
def test_text_stays_text(file: Path) -> None:
    """No script turns text into markup or code."""
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    )

    assert re.findall(forbidden, file.read_text()) == []


# The browser and the service --------------------------------------------------------------


@dataclass
class Service:
    """A service in a thread of this process."""

    url: str
    state: Any  # documents, fail, pace, writing, token

    def document(self, number: int = 0) -> Any:
        return list(self.state.documents.values())[number]

    def decisions(self, number: int = 0) -> dict[str, str]:
        return {one.id: one.decision for one in self.document(number).findings.values()}


@pytest.fixture(scope="module")
def double() -> ModuleType:
    pytest.importorskip("fastapi")
    file = ROOT / "tests" / "doubles" / "review_service.py"
    spec = importlib.util.spec_from_file_location("review_service", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["review_service"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def served(double: ModuleType) -> Iterator[Service]:
    uvicorn = pytest.importorskip("uvicorn")
    app = double.create_app()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(app, port=port, log_level="error", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Service(f"http://127.0.0.1:{port}/", app.state)
    server.should_exit = True
    thread.join()


@pytest.fixture
def service(served: Service) -> Service:
    served.state.documents.clear()
    served.state.fail = served.state.pace = served.state.writing = 0
    served.state.token = ""
    return served


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


Opening = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, service: Service) -> Iterator[Opening]:
    """Opens the page; afterwards no other host was asked, and nothing went wrong in it."""
    contexts, hosts, problems = [], set(), []

    def opened(*files: str, **options: Any) -> Any:
        context = browser.new_context(
            **({"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options)
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        # Playwright takes choosers of files over in the background: what asks for one at once gets
        # none, and the browser cancels it. Before the page is there, nothing asks.
        page.on("filechooser", lambda _: None)
        page.on("request", lambda request: hosts.add(re.sub(r"(?<=\w)/.*", "/", request.url)))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda log: problems.append(log.text) if log.type == "error" else None)
        page.goto(service.url)
        page.wait_for_selector("#set-policy", state="attached")
        page.evaluate(PAINTED)  # before, the browser drops keys
        if files:
            send(page, *files)
            page.wait_for_selector(".row, #nothing:not([hidden])", state="attached")
            # The list is there before the text, which is built only near the screen.
            true(page, f"!{TEXT} || {TEXT}.querySelector('.cell') !== null")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert {host for host in hosts if not host.startswith("blob:")} <= {service.url}
    # What the browser logs of an answer that a test asked to fail is no fault of the page.
    assert [one for one in problems if "Failed to load resource" not in one] == []


def send(page: Any, *names: str, text: str = "") -> None:
    """Choose files of these names."""
    files = [{"name": name, "mimeType": "", "buffer": text.encode()} for name in names]
    page.set_input_files("#file", files)


def until(holds: Callable[[], Any]) -> None:
    """Wait until *holds* says yes."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def true(page: Any, expression: str) -> None:
    """Wait until a JavaScript *expression* is true; the policy stops Playwright's own wait."""
    until(lambda: page.evaluate(expression))


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def status(page: Any, text: str) -> None:
    """Wait until the status line has *text*."""
    page.locator("#status", has_text=text).wait_for()


def select(page: Any, value: str) -> None:
    """Click on the first finding with *value* in the list."""
    page.locator(".row", has_text=value).first.click(position={"x": 60, "y": 15})


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def on_page(page: Any, number: int, x: float, y: float) -> tuple[float, float]:
    """Where a point of a page of 850 by 1100 is on the screen; scrolls there."""
    box = page.locator(f"[data-view='{number}'] .sheet.original").bounding_box()
    return box["x"] + box["width"] * x / 850, box["y"] + box["height"] * y / 1100


def drop(page: Any, *names: str) -> None:
    """Drop files of these names on the page."""
    page.evaluate(
        """names => {
            const held = new DataTransfer();
            for (const name of names) held.items.add(new File(["x"], name));
            for (const kind of ["dragenter", "dragover", "drop"]) {
                document.body.dispatchEvent(
                    new DragEvent(kind, {dataTransfer: held, bubbles: true, cancelable: true}));
            }
        }""",
        list(names),
    )


# Documents ----------------------------------------------------------------------------------


def test_dropped_files_are_listed_and_the_first_opens(opened: Opening, service: Service) -> None:
    """Files that are dropped anywhere are read, in their order."""
    page = opened()

    drop(page, "personnel_page.png", "letter.pdf", "note.txt")

    page.wait_for_selector(".row")
    names = page.locator("#documents .name").all_inner_texts()
    assert names == ["personnel_page.png", "letter.pdf", "note.txt"]
    assert page.inner_text("#title") == "personnel_page.png"
    assert page.locator(".drop-here").is_hidden()


def test_files_chosen_before_the_page_is_ready_are_read(opened: Opening, service: Service) -> None:
    """A file may be chosen before the page knows what the service offers."""
    page = opened()
    held: list[Any] = []
    page.route("**/options", lambda route: held.append(route))
    page.reload()
    until(lambda: page.wait_for_timeout(20) or held)

    send(page, "note.txt")
    held[0].continue_()

    page.wait_for_selector(".row")
    assert page.inner_text("#title") == "note.txt"


def test_pages_show_before_the_document_is_read(opened: Opening, service: Service) -> None:
    """While a document is read, its progress and the pages that there are can be seen."""
    service.state.pace = 0.4
    page = opened()

    send(page, "letter.pdf")

    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    assert "of 3 pages" in page.inner_text("#banner")
    page.wait_for_selector(".row")
    assert page.locator("#banner").is_hidden()


def test_unreadable_file_says_why(opened: Opening, service: Service) -> None:
    """A document that cannot be read says so in words; the others are not held up."""
    page = opened()

    send(page, "broken.pdf", "note.txt")

    page.wait_for_selector("#banner >> text=Not read: The file is damaged")
    page.click("#documents >> text=note.txt")
    page.wait_for_selector("mark")
    assert page.inner_text("#count") == "0 of 8 decided"
    page.click("#documents >> text=broken.pdf")
    assert page.inner_text("#count") == ""
    page.click("[aria-label='Remove broken.pdf']")
    page.wait_for_selector("mark")
    assert page.inner_text("#title") == "note.txt"


def test_file_that_is_too_large_is_not_sent(opened: Opening, service: Service) -> None:
    """The most that the service takes is known before anything is sent."""
    page = opened()
    page.route(
        "**/api/v1/options",
        lambda route: route.fulfill(json=route.fetch().json() | {"max_bytes": 3}),
    )
    page.reload()
    page.wait_for_selector("#set-policy", state="attached")

    send(page, "note.txt", text="four")

    page.wait_for_selector("#documents .failed")
    assert "larger than" in page.inner_text("#documents .failed .about")
    assert not service.state.documents


def test_removed_document_is_gone(opened: Opening, service: Service) -> None:
    """A document can be removed from the service, after a question."""
    page = opened("note.txt", "letter.pdf")

    page.click("[aria-label='Remove note.txt']")
    page.click("#ask-yes")

    until(lambda: len(service.state.documents) == 1)
    true(page, "document.getElementById('title').textContent === 'letter.pdf'")


def test_settings_are_sent_with_the_file(opened: Opening, service: Service) -> None:
    """What to look for is asked at the left, and sent with each file."""
    page = opened()
    page.click("text=Find more")
    page.check("#set-names")
    page.uncheck("[data-entity=AGE]")
    page.select_option("#set-policy", "mask")
    page.select_option("#set-method", "black")
    page.select_option("#set-ocr_language", "deu")

    send(page, "note.txt")

    until(lambda: service.state.documents)
    options = service.document().options
    assert options | {"entities": []} == {
        "policy": "mask",
        "method": "black",
        "ocr_language": "deu",
        "min_score": "recall",
        "names": True,
        "entities": [],
    }
    assert len(options["entities"]) == 17 and "AGE" not in options["entities"]


def test_group_of_types_is_switched_as_one(opened: Opening) -> None:
    """A group's box stands for all its types."""
    page = opened()

    page.uncheck("[data-group=Health]")

    assert page.inner_text("#chosen") == "15 of 18"
    page.check("[data-entity=HEALTH]")
    assert page.evaluate("document.querySelector('[data-group=Health]').indeterminate")


def test_document_is_read_again_with_other_settings(opened: Opening, service: Service) -> None:
    """After a change of the settings, the open document can be read again."""
    page = opened("note.txt")
    assert page.locator("#again").is_hidden()

    page.select_option("#set-policy", "label")
    page.click("#again")

    until(lambda: [one.options["policy"] for one in service.state.documents.values()] == ["label"])
    page.wait_for_selector(".row")


# Review by mouse -------------------------------------------------------------------------------


def test_accept_and_reject_by_mouse(opened: Opening, service: Service) -> None:
    """A decision is a click in the list or in the panel, and the next open finding follows."""
    page = opened("personnel_page.png")

    page.hover(".row[data-id=f5]")
    page.click(".row[data-id=f5] .do .accepted")
    page.click("#reject")

    page.wait_for_selector(".row[data-id=f10].rejected")
    assert page.locator(".box.accepted").count() == 1
    assert page.inner_text("#count") == "2 of 26 decided"
    until(
        lambda: service.decisions()["f5"] == "accepted" and service.decisions()["f10"] == "rejected"
    )
    assert page.inner_text("#status") == "Rejected. 24 open."


def test_open_findings_are_paler(opened: Opening) -> None:
    """Open, accepted and rejected findings differ on the page, and not by colour alone."""
    page = opened("note.txt")
    page.click("#accept")
    page.click("#reject")

    page.wait_for_selector("mark.rejected")
    style = """kind => {
        const style = getComputedStyle(document.querySelector(`mark.${kind}`));
        return [style.textDecorationLine, style.borderBottomStyle];
    }"""
    assert page.evaluate(style, "open") == ["none", "dashed"]
    assert page.evaluate(style, "accepted") == ["none", "solid"]
    assert page.evaluate(style, "rejected") == ["line-through", "solid"]


def test_everywhere_by_mouse(opened: Opening, service: Service) -> None:
    """One decision can be for all places with the same text."""
    page = opened("note.txt")

    select(page, "271-97-0538")
    page.check("#everywhere")
    page.click("#reject")

    true(page, "document.querySelectorAll('mark.rejected').length === 2")
    assert list(service.decisions().values()).count("rejected") == 2


def test_group_is_accepted_by_mouse(opened: Opening, service: Service) -> None:
    """All open findings of a type are accepted by one click."""
    page = opened("personnel_page.png")

    page.click("[data-group=AGE] button")

    status(page, "Accepted 4 findings: Age")
    assert [
        one.decision for one in service.document().findings.values() if one.entity == "AGE"
    ] == ["accepted"] * 4


def test_type_is_changed_by_mouse(opened: Opening, service: Service) -> None:
    """The type is chosen from a list."""
    page = opened("note.txt")

    select(page, "married")
    page.click("#type")
    page.click("#picker-list >> text=Religion")

    page.wait_for_selector("mark[data-label=Religion]")
    assert page.inner_text("#type") == "Religion"
    assert page.input_value("#surrogate") == "Lutheran"
    assert "Found as Marital status" in page.inner_text("#why")


def test_surrogate_is_edited_by_mouse(opened: Opening, service: Service) -> None:
    """What a finding becomes can be typed, and the drawn value can be had back."""
    page = opened("note.txt")
    select(page, "March 9, 1931")

    page.fill("#surrogate", "June 1, 1940")
    page.click("#accept")

    until(lambda: service.document().findings["f0"].surrogate == "June 1, 1940")
    page.wait_for_selector(".row[data-id=f0] >> text=June 1, 1940")
    select(page, "March 9, 1931")
    page.click("#drawn")
    true(page, "document.getElementById('surrogate').value === 'Dec. 20, 1961'")


@pytest.mark.parametrize("name", ["late.txt", "late.png"])
def test_surrogates_come_when_they_are_drawn(opened: Opening, service: Service, name: str) -> None:
    """What findings become is shown as soon as the service knows it; nothing is typed by that."""
    page = opened(name)
    first = page.locator(".row .new").first
    assert first.inner_text() == "…"
    service.document().held_back = False

    until(lambda: first.inner_text() not in ("…", "erased"))

    assert not any(one.typed for one in service.document().findings.values())


def test_selected_text_is_added(opened: Opening, service: Service) -> None:
    """Text that is selected behind an emoji becomes a finding with the service's offsets."""
    page = opened("note.txt")
    box = page.evaluate(
        """() => {
            const words = [...document.querySelectorAll('.words')].find(
                one => one.textContent.includes('Her number'));
            const text = [...words.childNodes].find(one => one.textContent.includes('Her number'));
            const range = document.createRange();
            const at = text.data.indexOf('Her number');
            range.setStart(text, at);
            range.setEnd(text, at + 'Her number'.length);
            const {left, right, top, bottom} = range.getBoundingClientRect();
            return [left, right, (top + bottom) / 2];
        }"""
    )

    drag(page, (box[0] + 1, box[2]), (box[1] - 1, box[2]))
    page.wait_for_selector("#picker:not([hidden])")
    assert page.inner_text("#picker-text") == "Her number"
    page.click("#picker-list >> text=Health")

    page.wait_for_selector(".row.selected, .row[aria-selected=true] >> text=Her number")
    assert service.document().findings["r1"].value == "Her number"
    assert page.inner_text("mark.selected") == "Her number"


def test_marks_stand_where_they_should_behind_emoji(opened: Opening) -> None:
    """Offsets in code points are turned into places of the text, beyond the first plane, too."""
    page = opened("note.txt")

    marks = page.locator("mark").all_inner_texts()

    assert marks == [
        "March 9, 1931",
        "Kilmarnock, Scotland",
        "35",
        "married",
        "hay fever",
        "271-97-0538",
        "(513) 555-0148",
        "271-97-0538",
    ]


def test_drawn_box_takes_its_words(opened: Opening, service: Service) -> None:
    """A box drawn over words becomes a finding of these words."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")

    drag(page, on_page(page, 0, 70, 84), on_page(page, 0, 320, 120))
    page.wait_for_selector("#picker:not([hidden])")
    assert page.inner_text("#picker-text") == "HALVORSEN & PIKE"
    page.click("#picker-list >> text=Organization")

    page.wait_for_selector(".box[data-id=r1].selected")
    assert service.document().findings["r1"].value == "HALVORSEN & PIKE"


def test_drawn_box_without_words_is_an_area(opened: Opening, service: Service) -> None:
    """A box over no words is an area that is erased; Escape draws nothing."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    drag(page, on_page(page, 0, 300, 500), on_page(page, 0, 500, 600))
    press(page, "Escape")
    assert page.locator(".drawing").count() == 0

    drag(page, on_page(page, 0, 300, 500), on_page(page, 0, 500, 600))
    assert page.locator("#picker-everywhere").is_hidden()
    page.click("#picker-list >> text=Biometric data")

    page.wait_for_selector(".row >> text=Area without text")
    [area] = service.document().findings["r1"].boxes
    assert area == pytest.approx([300, 500, 500, 600], abs=2)


def test_undo_and_redo_by_mouse(opened: Opening, service: Service) -> None:
    """Each change can be undone and done again."""
    page = opened("note.txt")
    page.click("#accept")
    page.wait_for_selector("#undo:enabled")

    page.click("#undo")
    true(page, "!document.querySelector('mark.accepted')")
    page.click("#redo")

    page.wait_for_selector("mark.accepted")
    until(lambda: "accepted" in service.decisions().values())


def test_reviewers_finding_is_removed(opened: Opening, service: Service) -> None:
    """A finding that the reviewer added can be taken away again."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    drag(page, on_page(page, 0, 70, 84), on_page(page, 0, 320, 120))
    page.click("#picker-list >> text=Age")
    page.wait_for_selector("#remove:not([hidden])")

    page.click("#remove")

    true(page, "!document.querySelector('[data-id=r1]')")
    assert "r1" not in service.decisions()


def test_filters_by_mouse(opened: Opening) -> None:
    """The list can be ordered by certainty and filtered by text, type, page and decision."""
    page = opened("letter.pdf")

    def shown() -> list[str]:
        return list(page.locator(".row .what").all_inner_texts())

    page.select_option("#order", "unsure")
    assert shown()[0] == "hay fever"
    assert "unsure" in page.inner_text(".row >> nth=0")
    page.select_option("#order", "place")
    assert shown()[0] == "March 9, 1931"
    page.select_option("#by-page", "2")
    assert shown() == ["271-97-0538", "(513) 555-0148"]
    page.click("#accept")
    page.check("#open-only")
    assert len(shown()) == 1
    page.uncheck("#open-only")
    page.select_option("#by-page", "")
    page.select_option("#by-entity", "AGE")
    assert shown() == ["35"]
    page.select_option("#by-entity", "")
    page.fill("#search", "hay")
    assert shown() == ["hay fever"]
    page.fill("#search", "nothing like it")
    assert page.inner_text("#nothing") == "No finding passes these filters."


def test_box_and_row_select_each_other(opened: Opening) -> None:
    """A click on a box selects its row; a click on a row brings its box into view."""
    page = opened("letter.pdf")

    select(page, "(513) 555-0148")
    page.wait_for_selector(".box.selected")
    true(page, "document.getElementById('page').value === '2'")
    page.click("#previous-page")
    page.click(".box >> nth=0")

    row, box = page.locator(".row[aria-selected=true]"), page.locator(".box.selected").first
    assert row.get_attribute("data-id") == box.get_attribute("data-id")


def test_redacted_and_side_by_side_by_mouse(opened: Opening, service: Service) -> None:
    """The redacted version is made when it is asked for, and marked when it is out of date."""
    page = opened("note.txt")
    assert service.document().result is None

    page.click(".segmented >> text=Redacted")
    page.wait_for_selector(".cell.result >> text=Dec. 20, 1961")
    assert page.locator(".cell.original").first.is_hidden()
    page.click(".segmented >> text=Side by side")
    assert page.locator(".cell.original").first.is_visible()
    assert page.locator("#banner").is_hidden()

    page.click("#reject")
    page.wait_for_selector("#banner >> text=out of date")
    page.click("#banner button")
    page.wait_for_selector(".cell.result >> text=She is 35")
    assert page.locator("#banner").is_hidden()


def test_redacted_page_is_shown(opened: Opening, service: Service) -> None:
    """A page image is shown as it is in the result."""
    service.state.writing = 0.3
    page = opened("personnel_page.png")

    page.click(".segmented >> text=Side by side")

    page.wait_for_selector("#banner >> text=is being made")
    page.wait_for_selector(".sheet.result img[src^='blob:']")
    sizes = page.locator(".sheet").evaluate_all("all => all.map(one => one.clientWidth)")
    assert len(sizes) == 2 and sizes[0] == sizes[1] > 300
    assert page.locator(".wait:visible").count() == 0


def test_downloads_by_mouse(opened: Opening, service: Service) -> None:
    """Result, report and review file are downloaded; the review file can be loaded."""
    page = opened("note.txt")
    select(page, "married")
    page.click("#reject")

    with page.expect_download() as result:
        page.click("#download")
    page.click("#more summary")
    with page.expect_download() as report:
        page.click("#report")
    page.click("#more summary")
    page.fill("#reviewer", "A. Reviewer")
    with page.expect_download() as review:
        page.click("#save-review")

    assert result.value.suggested_filename == "note.txt"
    text = result.value.path().read_text()
    assert (
        EMOJI in text and "Dec. 20, 1961" in text and "married" in text and "hay fever" not in text
    )
    assert report.value.suggested_filename == "note.txt.report.json"
    assert json.loads(report.value.path().read_text()) == {"findings": 7}
    assert json.loads(review.value.path().read_text())["reviewer"] == "A. Reviewer"

    page.click("#undo")
    true(page, "!document.querySelector('mark.rejected')")
    page.set_input_files("#review-file", review.value.path())
    page.wait_for_selector("mark.rejected")
    status(page, "The review file is loaded.")


def test_review_of_another_document_is_refused(opened: Opening, tmp_path: Path) -> None:
    """A review file of another document changes nothing, and the page says why."""
    page = opened("note.txt")
    other, garbage = tmp_path / "other.json", tmp_path / "garbage.json"
    other.write_text(json.dumps({"document": "other.txt", "decisions": {}}))
    garbage.write_text("no JSON")

    page.set_input_files("#review-file", other)
    status(page, "This review file is of another document.")
    page.set_input_files("#review-file", garbage)

    status(page, "This is not a review file")
    assert page.locator("mark.open").count() == 8


def test_all_documents_are_downloaded(opened: Opening) -> None:
    """With several documents, all results are downloaded by one click."""
    page = opened("note.txt", "letter.pdf")
    page.wait_for_selector("#download-all:not([hidden])")
    names = []
    page.on("download", lambda download: names.append(download.suggested_filename))

    page.click("#download-all")

    page.wait_for_timeout(100)
    until(lambda: page.wait_for_timeout(20) or len(names) == 2)
    assert names == ["note.txt", "letter.pdf"]


def test_what_was_not_read_is_shown(opened: Opening) -> None:
    """Places that nothing read are listed and hatched; what will be removed is listed."""
    page = opened("letter.pdf")

    page.click(".notes.unread summary")
    page.click(".notes.unread li button")
    page.click(".notes.removed summary")

    assert "handwriting or a signature" in page.inner_text(".notes.unread li")
    assert "scripts (2)" in page.inner_text(".notes.removed")
    page.wait_for_selector(".sheet.original .unread >> text=not read")
    assert "repeating-linear-gradient" in page.evaluate(
        "getComputedStyle(document.querySelector('.sheet .unread')).backgroundImage"
    )


# Review by keys alone -------------------------------------------------------------------------


def test_forty_findings_take_few_keys(opened: Opening, service: Service) -> None:
    """A page with 40 findings is reviewed and downloaded with at most 60 key presses."""
    page = opened("forty.png")
    assert len(service.decisions()) == 40
    pressed = 0

    while page.inner_text("#count") != "40 of 40 decided" and pressed < 60:
        press(page, "r" if pressed % 7 == 3 else "a")
        pressed += 1
    with page.expect_download() as download:
        press(page, "d")

    assert pressed + 1 <= 60
    assert "open" not in service.decisions().values()
    assert download.value.suggested_filename == "forty.png"


def test_decisions_by_keys(opened: Opening, service: Service) -> None:
    """j, k and the arrows move; a, r and o decide; u, U and y undo and redo."""
    page = opened("note.txt")

    def selected() -> str:
        return str(page.locator(".row[aria-selected=true] .what").inner_text())

    assert selected() == "35"
    press(page, "j", "ArrowDown", "k")
    assert selected() == "March 9, 1931"
    press(page, "a")
    assert selected() == "married"
    press(page, "ArrowUp")
    press(page, "r")
    until(lambda: service.decisions()["f0"] == "rejected")
    press(page, "k", "o")
    press(page, "u")
    status(page, "Undone")
    press(page, "u")
    until(lambda: service.decisions()["f0"] == "accepted")
    press(page, "Shift+U")
    until(lambda: service.decisions()["f0"] == "rejected")
    press(page, "Control+z")
    until(lambda: service.decisions()["f0"] == "accepted")
    press(page, "y")
    until(lambda: service.decisions()["f0"] == "rejected")


def test_everywhere_and_groups_by_keys(opened: Opening, service: Service) -> None:
    """A and R decide all places with the same text, g all open ones of the type."""
    page = opened("note.txt")
    select(page, "271-97-0538")

    press(page, "Shift+R")
    until(lambda: list(service.decisions().values()).count("rejected") == 2)
    press(page, "u")
    until(lambda: "rejected" not in service.decisions().values())
    press(page, "Shift+A")
    until(lambda: list(service.decisions().values()).count("accepted") == 2)
    press(page, "u")
    page.wait_for_selector(".row.accepted", state="detached")
    press(page, "g")
    until(lambda: list(service.decisions().values()).count("accepted") == 2)


def test_surrogate_and_type_by_keys(opened: Opening, service: Service) -> None:
    """e edits what it becomes, t changes the type; Shift Enter is for all places."""
    page = opened("note.txt")
    findings = service.document().findings
    press(page, "j", "k")

    press(page, "e")
    page.keyboard.type("53")
    press(page, "Enter")
    until(lambda: service.document().findings["f2"].surrogate == "53")
    press(page, "e")
    page.keyboard.type("99")
    press(page, "Escape", "t")
    page.keyboard.type("relig")
    press(page, "Enter")
    until(lambda: service.document().findings["f2"].entity == "RELIGION")
    assert service.document().findings["f2"].surrogate != "99"
    select(page, "271-97-0538")
    press(page, "e")
    page.keyboard.type("000-00-0000")
    press(page, "Shift+Enter")
    until(
        lambda: (
            [one.surrogate for one in service.document().findings.values()].count("000-00-0000")
            == 2
        )
    )
    press(page, "t")
    page.keyboard.type("health")
    press(page, "Shift+Enter")
    until(lambda: [one.entity for one in service.document().findings.values()].count("HEALTH") == 3)
    press(page, "a")
    assert findings["f0"].decision == "open"


def test_text_is_added_by_keys(opened: Opening, service: Service) -> None:
    """After +, the arrows go from word to word behind the selected finding, Shift takes more."""
    page = opened("note.txt")
    select(page, "271-97-0538")
    press(page, "+")
    page.wait_for_selector("body.adding")

    press(page, "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")
    press(page, "Escape", "+")
    page.wait_for_selector("body.adding")
    press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    status(page, "Evenings she is")
    press(page, "Alt+ArrowLeft", "Enter")
    page.keyboard.type("health")
    press(page, "Enter")

    status(page, "Added 1 finding: Health")
    assert service.document().findings["r1"].value == "Evenings she i"
    assert page.locator("body.adding").count() == 0


def test_emoji_is_added_by_keys(opened: Opening, service: Service) -> None:
    """A word behind emoji, added everywhere by keys, has the right offsets at each place."""
    text = f"{EMOJI} Amsel is here. {EMOJI}{EMOJI} Amsel\nand Amsel."
    page = opened()
    send(page, "birds.txt", text=text)
    page.wait_for_selector("#nothing:not([hidden])")
    page.wait_for_selector(".words >> text=Amsel")  # the text comes after its findings

    press(page, "+")
    page.wait_for_selector("body.adding")
    press(page, "ArrowRight", "Enter")
    page.wait_for_selector("#picker:not([hidden])")
    assert page.inner_text("#picker-text") == "Amsel"
    page.keyboard.type("person")
    press(page, "Shift+Enter")

    true(page, "document.querySelectorAll('mark').length === 3")
    assert page.locator("mark").all_inner_texts() == ["Amsel"] * 3
    assert {one.value for one in service.document().findings.values()} == {"Amsel"}


def test_words_of_a_page_are_added_by_keys(opened: Opening, service: Service) -> None:
    """On a page, the arrows go from word to word, up and down as well."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    select(page, "March 9, 1931")
    press(page, "+")
    page.wait_for_selector(".drawing.cursor")

    press(page, "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    for _ in range(9):
        press(page, "ArrowUp")
    for _ in range(9):
        press(page, "ArrowLeft")
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "Enter", "Enter")

    page.wait_for_selector(".row[data-id=r1]")
    assert service.document().findings["r1"].value == "HALVORSEN & PIKE"


def test_box_is_moved_by_keys(opened: Opening, service: Service) -> None:
    """With Alt, a box moves freely and is resized with Shift; it is erased as an area."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    press(page, "+")
    page.wait_for_selector(".drawing.cursor")

    press(page, "Alt+ArrowDown")
    for _ in range(40):
        press(page, "ArrowDown")
    press(
        page, "Shift+ArrowDown", "Shift+ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", "Enter"
    )
    page.wait_for_selector("#picker-text >> text=An area without text")
    press(page, "Enter")

    page.wait_for_selector(".row >> text=Area without text")
    assert service.document().findings["r1"].unread


def test_added_finding_is_removed_by_key(opened: Opening, service: Service) -> None:
    """Delete takes away what the reviewer added, and rejects what was found."""
    page = opened("note.txt")
    press(page, "+")
    page.wait_for_selector("body.adding")
    press(page, "Enter", "Enter")
    page.wait_for_selector(".row[data-id=r1][aria-selected=true]")

    press(page, "Delete")
    until(lambda: "r1" not in service.decisions())
    status(page, "Removed")
    press(page, "Delete")

    until(lambda: "rejected" in service.decisions().values())


def test_views_by_keys(opened: Opening) -> None:
    """v, b and m show the result; n and p turn pages; z, Z and 0 change the size; l the labels."""
    page = opened("letter.pdf")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    width = page.locator(".pair").first.evaluate("one => one.clientWidth")

    press(page, "n")
    true(page, "document.getElementById('page').value === '1'")
    press(page, "n")
    true(page, "document.getElementById('page').value === '2'")
    press(page, "p", "p")
    true(page, "document.getElementById('page').value === '0'")
    press(page, "z")
    assert page.locator(".pair").first.evaluate("one => one.clientWidth") > width
    press(page, "Shift+Z", "Shift+Z")
    assert page.locator(".pair").first.evaluate("one => one.clientWidth") < width
    press(page, "0", "l")
    assert page.locator(".pair").first.evaluate("one => one.clientWidth") == width
    assert page.locator(".open:not(.selected) .tag").first.is_hidden()
    press(page, "v")
    page.wait_for_selector("[data-view='0'] .sheet.result img[src^='blob:']")
    assert page.locator(".sheet.original").first.is_hidden()
    press(page, "b")
    assert page.locator(".sheet.original").first.is_visible()
    press(page, "a")
    page.wait_for_selector("#banner >> text=out of date")
    press(page, "m")
    page.wait_for_selector("#banner", state="hidden")
    press(page, "b")
    assert page.locator(".sheet.result").first.is_hidden()


def test_filters_and_documents_by_keys(opened: Opening) -> None:
    """/ filters, f shows open findings alone, [ and ] change the document, ? lists the keys."""
    page = opened("note.txt", "letter.pdf")
    true(page, "document.querySelectorAll('#documents .ready').length === 2")

    press(page, "/")
    page.keyboard.type("hay")
    assert page.locator(".row").count() == 1
    press(page, "Enter", "a", "f")
    assert page.inner_text("#nothing") == "No finding passes these filters."
    press(page, "f", "/", "Escape")
    true(page, "document.querySelectorAll('.row').length === 8")
    press(page, "]")
    true(page, "document.getElementById('title').textContent === 'letter.pdf'")
    press(page, "[")
    true(page, "document.getElementById('title').textContent === 'note.txt'")
    press(page, "?")
    assert page.locator("#keys").is_visible()
    assert "Accept, and go to the next open one" in page.inner_text("#keys")
    press(page, "Escape")
    assert page.locator("#keys").is_hidden()


def test_files_are_chosen_and_saved_by_keys(opened: Opening, service: Service) -> None:
    """i opens the choice of files; s saves the review file; the menu works by keys."""
    page = opened()
    with page.expect_file_chooser() as chosen:
        press(page, "i")
    chosen.value.set_files({"name": "note.txt", "mimeType": "", "buffer": b""})
    page.wait_for_selector(".row")

    with page.expect_download() as review:
        press(page, "s")
    page.focus("#more summary")
    press(page, "Enter", "Tab")
    with page.expect_download() as report:
        press(page, "Enter")

    assert review.value.suggested_filename == "note.txt.review.json"
    assert report.value.suggested_filename == "note.txt.report.json"


def test_single_keys_can_be_switched_off(opened: Opening, service: Service) -> None:
    """Who uses speech input switches off the keys without Ctrl."""
    page = opened("note.txt")
    press(page, "?")
    page.uncheck("#keys-on")
    press(page, "Escape")

    press(page, "a", "r")
    page.wait_for_timeout(50)

    assert set(service.decisions().values()) == {"open"}


def test_every_control_can_be_reached_by_tab(opened: Opening) -> None:
    """Tab goes through the page and comes back; the list of findings is one stop."""
    page = opened("letter.pdf")
    stops: list[str] = []
    focused = """() => {
        const one = document.activeElement;
        return one.closest(".row") ? "row" : one.id || one.tagName;
    }"""

    for _ in range(90):
        press(page, "Tab")
        stops.append(page.evaluate(focused))
        if stops.count(stops[0]) > 1:
            break

    controls = "accept reject surrogate type download search order viewer help set-policy row"
    assert set(controls.split()) <= set(stops)
    assert stops.count("row") == 1


# What must hold ---------------------------------------------------------------------------------


def test_token_is_asked_for_and_forgotten(opened: Opening, service: Service) -> None:
    """Where the service asks for a token, the page does, and keeps it in memory alone."""
    page = opened("note.txt")
    service.state.token = "a token of sixteen"
    page.reload()

    page.fill("#token-value", "wrong")
    press(page, "Enter")
    page.wait_for_selector("#token-problem:not([hidden])")
    page.fill("#token-value", "a token of sixteen")
    page.click("#token-yes")

    page.wait_for_selector(".row")
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert "sixteen" not in kept
    page.reload()
    page.wait_for_selector("#token[open]")


def test_markup_in_a_document_does_not_run(opened: Opening) -> None:
    """A script and a handler in a document are text like any other."""
    page = opened("note.txt")

    assert "<script>window.ran = true</script><img src=x" in page.inner_text(".viewer")
    press(page, "b")
    page.wait_for_selector(".cell.result >> text=onerror")
    assert page.evaluate("window.ran") is None
    assert page.locator(".viewer script, .viewer img").count() == 0


def test_markup_in_a_name_does_not_run(opened: Opening) -> None:
    """The name of a file is text, too."""
    page = opened("<img src=x onerror=window.ran=1>.txt")

    assert page.inner_text("#title") == "<img src=x onerror=window.ran=1>.txt"
    assert page.evaluate("window.ran") is None


def test_failed_change_is_taken_back(opened: Opening, service: Service) -> None:
    """When the service cannot keep a decision, the page says so and shows what the service has."""
    page = opened("note.txt")
    service.state.fail = 1

    press(page, "a")

    status(page, "The change could not be kept.")
    true(page, "document.querySelectorAll('mark.open').length === 8")


def test_document_that_expired_is_explained(opened: Opening, service: Service) -> None:
    """A document that the service no longer has says what to do."""
    page = opened("note.txt", "letter.pdf")
    service.state.documents.clear()

    page.click("#documents >> text=letter.pdf")

    page.wait_for_selector("#banner >> text=Add the file again")


def test_many_findings_stay_quick(opened: Opening, service: Service) -> None:
    """Of 5,000 findings few are built, and a decision changes a few elements of the page."""
    page = opened("register.csv")
    assert page.inner_text("#count") == "0 of 5,000 decided"

    def built() -> list[int]:
        return list(
            page.evaluate("['.row', 'mark'].map(one => document.querySelectorAll(one).length)")
        )

    page.evaluate(
        """() => {
            window.changes = 0;
            new MutationObserver(all => {
                for (const {addedNodes, removedNodes} of all) {
                    window.changes += addedNodes.length + removedNodes.length;
                }
            }).observe(document.body, {childList: true, subtree: true});
        }"""
    )
    press(page, "a")
    until(lambda: "accepted" in service.decisions().values())

    assert page.evaluate("window.changes") < 60
    page.evaluate("document.getElementById('list').scrollTop = 100000")
    page.evaluate("document.getElementById('viewer').scrollTop = 60000")
    page.wait_for_timeout(200)
    rows, marks = page.locator(".row").count(), page.locator("mark").count()
    assert 5 < rows < 50 and 5 < marks < 600
    press(page, "k", "j")
    assert page.locator(".row[aria-selected=true]").is_visible()


def test_far_finding_is_brought_into_view(opened: Opening) -> None:
    """A finding thousands of lines away is shown when it is selected."""
    page = opened("register.csv")

    press(page, "/")
    page.keyboard.type("899-97-2399")
    press(page, "Enter")
    page.locator(".row >> nth=0").click(position={"x": 60, "y": 15})

    page.wait_for_selector("mark.selected >> text=899-97-2399")
    box = page.locator("mark.selected").bounding_box()
    assert 80 < box["y"] < 760


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_page_fits_the_screen(opened: Opening, width: int) -> None:
    """Nothing is cut off, from a phone to a desk; a phone shows one part at a time."""
    page = opened("note.txt", viewport={"width": width, "height": 740})

    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == width
    if width == 360:
        page.click(".bottom >> text=Findings")
        page.locator(".row >> nth=1").click(position={"x": 60, "y": 15})
        assert page.locator("#viewer").is_visible()
        page.click("#accept")
        page.wait_for_selector("mark.accepted")
        page.click(".bottom >> text=Documents")
        assert page.locator("#settings").is_visible()
        assert page.evaluate(wide) == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible(opened: Opening, scheme: str) -> None:
    """axe-core finds nothing, of any impact, in any state of the page."""
    page = opened(color_scheme=scheme)
    page.evaluate(axe())
    found = {}

    def look(state: str) -> None:
        violations = page.evaluate("axe.run().then(result => result.violations)")
        found.update(
            {(state, one["id"]): [node["html"] for node in one["nodes"]] for one in violations}
        )

    look("empty")
    send(page, "letter.pdf", "note.txt", "broken.pdf")
    page.wait_for_selector(".row")
    page.wait_for_selector("[data-view='0'] img[src^='blob:']")
    press(page, "a", "r")
    page.click(".notes.unread summary")
    page.click(".notes.removed summary")
    look("pages")
    press(page, "t")
    look("picker")
    press(page, "Escape", "b")
    page.wait_for_selector(".sheet.result img[src^='blob:']")
    press(page, "a")
    page.wait_for_selector("#banner >> text=out of date")
    look("side by side")
    press(page, "b", "]")
    page.wait_for_selector("mark")
    press(page, "a", "r")
    page.select_option("#order", "unsure")
    look("text")
    press(page, "v")
    page.wait_for_selector(".cell.result mark")
    look("redacted text")
    page.click("#more summary")
    look("menu")
    press(page, "Escape", "?")
    look("keys")
    press(page, "Escape")
    page.click("[aria-label='Remove note.txt']")
    look("question")
    press(page, "Escape", "+")
    page.fill("#search", "nothing like it")
    look("no findings")

    assert found == {}
