"""Side-cars get the surrogates of their page, and no original is left in them."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.frames import Answer, Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.running import run
from presidio_cdip.datasets.sidecars.kinds import KINDS
from presidio_cdip.datasets.sources import Rules, Source
from presidio_cdip.datasets.treatment import Treating
from tests.conftest import Ran
from tests.datasets.collections import KEY, POISONED, job
from tests.imaging.drawing import page

SSN, BORN = "271-24-0538", "12 March 1961"
PAGE = f"Soc. Sec. No. {SSN}\nDate of birth: {BORN}\n"
WORDS = [("Soc.", "Sec.", "No.", SSN), ("Date", "of", "birth:", "12", "March", "1961")]


def box(line: int, at: int) -> list[int]:
    return [40 + 100 * at, 50 * line, 130 + 100 * at, 50 * line + 40]


def funsd() -> bytes:
    """A FUNSD file; its entries do not say what they are."""
    form = [
        {
            "id": line,
            "text": " ".join(words),
            "box": [0, 50 * line, 900, 50 * line + 40],
            "label": "answer",
            "words": [{"text": one, "box": box(line, at)} for at, one in enumerate(words)],
            "linking": [],
        }
        for line, words in enumerate(WORDS)
    ]
    return json.dumps({"form": form}).encode()


def textract() -> bytes:
    """The blocks of Textract."""
    blocks: list[dict[str, object]] = []
    for line, words in enumerate(WORDS):
        ids = [f"w{line}{at}" for at in range(len(words))]
        children = [{"Type": "CHILD", "Ids": ids}]
        blocks.append(
            {"Id": f"l{line}", "BlockType": "LINE", "Text": " ".join(words),
             "Relationships": children}
        )  # fmt: skip
        blocks += [
            {"Id": one, "BlockType": "WORD", "Text": word}
            for one, word in zip(ids, words, strict=True)
        ]
    return json.dumps({"Blocks": blocks}, indent=2).encode()


def docvqa() -> bytes:
    """Questions about the page."""
    data = [
        {"questionId": 1, "question": f"Who was born on {BORN}?", "answers": [SSN, "12 march 1961"]}
    ]
    return json.dumps({"data": data}).encode()


def hocr() -> bytes:
    lines = "".join(
        "<span class='ocr_line'>"
        + " ".join(
            f"<span class='ocrx_word' title='bbox {' '.join(map(str, box(line, at)))}; x_wconf 96'>"
            f"{'<strong>' + one + '</strong>' if at else one}</span>"
            for at, one in enumerate(words)
        )
        + "</span>"
        for line, words in enumerate(WORDS)
    )
    return f"<html><body><div class='ocr_page'>{lines}</div></body></html>".encode()


def alto() -> bytes:
    lines = "".join(
        "<TextLine>"
        + "<SP/>".join(
            f'<String HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4" CONTENT="{one}"/>' for one in words
        )
        + "</TextLine>"
        for words in WORDS
    )
    return f"<alto><TextBlock>{lines}</TextBlock></alto>".encode()


SIDECARS = {
    "text": ("p.txt", PAGE.encode()),
    "funsd": ("p.json", funsd()),
    "textract": ("p.json", textract()),
    "docvqa": ("p.json", docvqa()),
    "hocr": ("p.hocr", hocr()),
    "alto": ("p.xml", alto()),
}


@pytest.fixture(scope="module")
def treating() -> Treating:
    """What treats documents, by rules alone."""
    return Treating(Treatment(key=KEY, model="none"))


def treated(treating: Treating, *sidecars: tuple[str, str, bytes]) -> Sequence[Answer]:
    """The answers for a page and its side-cars."""
    pieces = [Piece("page.txt", "", PAGE.encode()), *(Piece(*one) for one in sidecars)]
    return list(treating("scope", pieces))


def surrogates(written: bytes) -> tuple[str, str]:
    """The surrogates of the number and the date in the page."""
    first, second = written.decode().splitlines()
    return first.removeprefix("Soc. Sec. No. "), second.removeprefix("Date of birth: ")


@pytest.mark.parametrize("kind", KINDS)
def test_sidecar_shows_the_surrogates_of_its_page(treating: Treating, kind: str) -> None:
    """Both surrogates stand in the side-car, and no original does, however it is parted."""
    name, data = SIDECARS[kind]

    (_, new_page), (head, new) = treated(treating, (name, kind, data))

    number, date = surrogates(new_page)
    assert head["state"] == "done"
    assert number.encode() in new
    assert all(word.encode() in new for word in date.split())
    assert SSN.encode() not in new
    assert b"1961" not in new


def test_words_of_funsd_and_their_line_say_the_same(treating: Treating) -> None:
    """The text of an entry is that of its words; all else stays."""
    _, (_, new) = treated(treating, ("p.json", "funsd", funsd()))

    before, after = json.loads(funsd())["form"], json.loads(new)["form"]
    for old, entry in zip(before, after, strict=True):
        assert entry["text"].split() == " ".join(one["text"] for one in entry["words"]).split()
        assert entry["box"] == old["box"]
        assert [one["box"] for one in entry["words"]] == [one["box"] for one in old["words"]]


def test_value_that_only_the_sidecar_has_is_found(treating: Treating) -> None:
    """A side-car is analyzed itself, not searched alone."""
    data = json.dumps({"form": [], "note": "SSN 219-09-1001"}).encode()

    _, (head, new) = treated(treating, ("p.json", "funsd", data))

    assert head["found"] == {"US_SSN": 1}
    assert b"219-09-1001" not in new


def test_original_where_nothing_is_replaced_is_an_error(treating: Treating) -> None:
    """A value in a key of JSON cannot be replaced: the side-car is not written."""
    data = json.dumps({"form": [], SSN: "value"}).encode()

    _, (head, new) = treated(treating, ("p.json", "funsd", data))

    assert (head["state"], head["code"], new) == ("failed", 5, b"")


def test_file_of_another_kind_is_not_read(treating: Treating) -> None:
    """What is no JSON passes for no side-car."""
    _, (head, new) = treated(treating, ("p.json", "funsd", b"Soc. Sec. No."))

    assert (head["state"], new) == ("unread", b"")


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_sidecars_of_a_painted_page(tmp_path: Path, run: Callable[..., Ran]) -> None:
    """A page image and its side-cars, in a folder beside, show one painted surrogate in its box."""
    source, target, key = tmp_path / "in", tmp_path / "out", tmp_path / "key"
    (source / "images").mkdir(parents=True)
    (source / "annotations").mkdir()
    key.write_bytes(KEY)
    key.chmod(0o600)
    image = page([(40, 60, f"Soc. Sec. No. {SSN}"), (40, 160, "Nothing else is said here at all.")])
    image.save(source / "images" / "p.png", dpi=(150, 150))
    words = [{"text": "Soc.", "box": [40, 60, 100, 95]}, {"text": SSN, "box": [270, 60, 480, 95]}]
    data = {"form": [{"id": 0, "text": f"Soc. {SSN}", "words": words}]}
    (source / "annotations" / "p.json").write_text(json.dumps(data))
    (source / "images" / "p.txt").write_text(f"Soc. Sec. No. {SSN}")

    width, height = image.size
    place = {"Left": 270 / width, "Top": 60 / height, "Width": 210 / width, "Height": 35 / height}
    word = {"Id": "w", "BlockType": "WORD", "Text": SSN, "Geometry": {"BoundingBox": place}}
    line = {"Id": "l", "BlockType": "LINE", "Text": SSN}
    line["Relationships"] = [{"Type": "CHILD", "Ids": ["w"]}]  # type: ignore[assignment]
    (source / "textract").mkdir()
    (source / "textract" / "p.json").write_text(json.dumps({"Blocks": [line, word]}))
    (source / "alto").mkdir()
    (source / "alto" / "p.xml").write_text(  # units of a tenth of a pixel
        f'<alto><MeasurementUnit>mm10</MeasurementUnit><Page WIDTH="{width * 10}"><TextLine>'
        f'<String HPOS="2700" VPOS="600" CONTENT="{SSN}" WIDTH="2100" HEIGHT="350"/>'
        "</TextLine></Page></alto>"
    )

    ran = run(
        "run", source, "-o", target, "--key-file", key, "--model", "none", "--allow-unread",
        "--sidecar", "funsd", "--sidecar", "text", "--sidecar", "textract", "--sidecar", "alto",
    )  # fmt: skip

    new = json.loads((target / "annotations" / "p.json").read_text())["form"][0]
    number = (target / "images" / "p.txt").read_text().removeprefix("Soc. Sec. No. ")
    assert ran.returncode == 1, ran.stderr
    assert new["text"] == f"Soc. {number}" != f"Soc. {SSN}"
    assert new["words"][1]["box"] != words[1]["box"]
    assert new["words"][0]["box"] == words[0]["box"]
    painted = new["words"][1]["box"]
    moved = json.loads((target / "textract" / "p.json").read_text())["Blocks"][1]
    assert moved["Text"] == number
    assert moved["Geometry"]["BoundingBox"]["Left"] * width == pytest.approx(painted[0], abs=1)
    assert moved["Geometry"]["BoundingBox"]["Width"] * width == pytest.approx(
        painted[2] - painted[0], abs=1
    )
    written = (target / "alto" / "p.xml").read_text()
    given = {name: int(re.search(rf'{name}="(\d+)"', written)[1]) for name in ("HPOS", "VPOS")}  # type: ignore[index]
    assert number in written
    assert given["HPOS"] == pytest.approx(10 * painted[0], abs=10)
    assert given["VPOS"] == pytest.approx(10 * painted[1], abs=10)


@pytest.mark.slow
def test_sidecar_of_a_page_that_was_not_read_is_not_written(tmp_path: Path) -> None:
    """Without its page nobody knows what is in it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "p.png").write_bytes(b"no image")
    (tmp_path / "in" / "p.txt").write_text("harmless")

    outcome = run(job(tmp_path / "in", tmp_path / "out", rules=Rules(sidecars=("text",))))

    assert outcome.totals.states == {manifest.UNREAD: 1, manifest.FAILED: 1}
    assert not (tmp_path / "out" / "p.txt").exists()


@pytest.mark.slow
def test_sidecar_of_a_page_that_crashed_is_not_written(tmp_path: Path) -> None:
    """A page at which the child died told nothing of its values."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "exit-1.png").write_bytes(b"any")
    (tmp_path / "in" / "exit-1.txt").write_text("John Smith")

    outcome = run(
        job(tmp_path / "in", tmp_path / "out", rules=Rules(sidecars=("text",)), program=POISONED)
    )

    assert outcome.totals.states == {manifest.FAILED: 2}
    assert not (tmp_path / "out" / "exit-1.txt").exists()


def test_text_without_a_page_is_a_document(tmp_path: Path) -> None:
    """A file is a side-car only where its page is."""
    (tmp_path / "alone.txt").write_text("text")
    (tmp_path / "p.pdf").write_bytes(b"%PDF-")
    (tmp_path / "p.txt").write_text("text")

    groups = [list(found) for _, found in Source(str(tmp_path), Rules(sidecars=("text",))).groups()]

    assert [[one.role for one in group.members] for group in groups[0]] == [
        ["document"],
        ["document", "text"],
    ]
