"""A model's spans lie on the words it means, however long the text and however it is cut."""

import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from threading import Barrier, Lock, get_ident
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.errors import ModelError
from presidio_cdip.recognition import transformer
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import (
    FINDERS,
    SHIPPED,
    Config,
    Tagged,
    TokenClassifier,
)

Build = Callable[..., TokenClassifier]

HEALTH, RELIGION = "HEALTH", "RELIGION"
BEGIN, INSIDE = True, False
TAGS = {
    "dialysis": (HEALTH, BEGIN),
    "kidney": (HEALTH, BEGIN),
    "Malaise": (HEALTH, BEGIN),  # of two pieces
    "failure": (HEALTH, INSIDE),
    "FLU": (HEALTH, INSIDE),
    "Catholic": (RELIGION, BEGIN),
}
OTHERS = ["he", "has", "unheard-of", ".", ",", "(", ")", "\U0001f600", "\U00010400", "é", "日本"]
VANISH = ["\ud800", "\udc00", "\u0301", "\u0301\u0323", "\0", "\ufffd"]  # no words at all
BLANKS = [" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028"]

TEXTS = st.lists(
    st.tuples(st.sampled_from([*TAGS, *OTHERS, *VANISH]), st.sampled_from(BLANKS)), max_size=60
)


@pytest.fixture
def build(tiny: ModuleType, tmp_path: Path) -> Build:
    """Builds a model and opens it: `build(tiny.by_word, ...)`."""

    def build(kind: str = "by_word", *arguments: Any, **own: Any) -> TokenClassifier:
        folder = tmp_path / f"model-{len(list(tmp_path.iterdir()))}"
        return TokenClassifier(getattr(tiny, kind)(folder, *arguments, **own), 1)

    return build


def found(text: str, spans: list[Span]) -> list[tuple[str, str]]:
    return [(span.entity, text[span.start : span.end]) for span in spans]


def expected(pieces: list[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Where the spans of a text of words and blanks are, by what the words are."""
    spans: list[tuple[int, int, str]] = []
    at, last = 0, None
    for word, blank in pieces:
        if word not in VANISH:
            tag = TAGS.get(word)
            if tag and tag[1] is INSIDE and last == tag[0]:
                start, _, entity = spans.pop()
                spans.append((start, at + len(word), entity))
            elif tag:
                spans.append((at, at + len(word), tag[0]))
            last = tag[0] if tag else None
        at += len(word) + len(blank)
    return spans


def words(count: int, seed: int = 7) -> str:
    """So many words at random, some of which the model knows."""
    random = Random(seed)
    return " ".join(random.choices([*TAGS, "he", "has", "of", "the", "and", "unheard"], k=count))


# --- spans


@given(TEXTS)
def test_spans_are_exact(model: TokenClassifier, pieces: list[tuple[str, str]]) -> None:
    """Whatever stands around a word that is meant, its span is the word, to the character."""
    text = "".join(word + blank for word, blank in pieces)

    spans = model.find(text)

    assert [(span.start, span.end, span.entity) for span in spans] == expected(pieces)
    assert all(span.rule == "model" and 0 < span.score <= 1 for span in spans)


@pytest.mark.slow
@given(st.text(st.characters(), max_size=80))
def test_any_text_is_read(model: TokenClassifier, text: str) -> None:
    """Every text has an answer: words that are in it, in order, apart."""
    tagged = next(model.tag([text]))

    ends = [0, *tagged.ends.tolist()]
    for before, start, end in zip(ends, tagged.starts, tagged.ends, strict=False):
        assert before <= start <= end <= len(text)
    assert len(tagged.text) == len(text)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\u3000", "\ud800", "\u0301"], ids=ascii)
def test_text_without_words_has_no_spans(model: TokenClassifier, text: str) -> None:
    """Nothing is found in nothing, and nothing is run."""
    (tagged,) = model.tag([text])

    assert tagged.spans() == []
    assert tagged.belief(HEALTH, 0, len(text)) == 0


def test_new_span_begins_beside_another(model: TokenClassifier) -> None:
    """B- parts two of one entity; I- goes on with a span, or begins one where there is none."""
    text = "dialysis dialysis failure failure, flu. Catholic flu"

    assert found(text, model.find(text)) == [
        (HEALTH, "dialysis"),
        (HEALTH, "dialysis failure failure"),
        (HEALTH, "flu"),
        (RELIGION, "Catholic"),
        (HEALTH, "flu"),
    ]


def test_what_may_begin_another_entity_parts_no_span(model: TokenClassifier) -> None:
    """B- of the entity that a word is of parts two; B- of one that it is not of parts nothing."""
    text = "kidney fasting"

    (tagged,) = model.tag([text])

    assert found(text, tagged.spans()) == [(HEALTH, text)]
    assert tagged.begins.tolist() == pytest.approx([0.9, 0], abs=1e-3)


def test_answer_does_not_show_the_text(model: TokenClassifier) -> None:
    """What is written to a log by mistake names nobody's illness."""
    (tagged,) = model.tag(["Catholic with dialysis"])

    assert "dialysis" not in repr(tagged)
    assert "Catholic" not in repr(tagged)


def test_word_begins_a_span_where_its_first_piece_does(model: TokenClassifier) -> None:
    """However many pieces go on with a word, another like it beside it is a span of its own."""
    text = "malaiseaiseaise malaiseaiseaise flu"

    assert found(text, model.find(text)) == [
        (HEALTH, "malaiseaiseaise"),
        (HEALTH, "malaiseaiseaise flu"),
    ]


def test_probability_of_a_word_is_the_mean_of_its_pieces(model: TokenClassifier) -> None:
    """ "malaise" is "mal" (.9) and "aise" (.6); a span's score is the mean of its words'."""
    text = "malaise of kidney failure"

    tagged = next(model.tag([text]))

    column = tagged.config.entities.index(HEALTH)
    assert tagged.probabilities[:, column] == pytest.approx([0.75, 0, 0.9, 0.8], abs=1e-3)
    assert [span.score for span in tagged.spans()] == pytest.approx([0.75, 0.85], abs=1e-3)


def test_belief_is_the_highest_of_the_words_it_touches(model: TokenClassifier) -> None:
    """Of an entity the model does not know, and of a stretch without words, it believes nothing."""
    text = "fatigue, malaise and he"
    tagged = next(model.tag([text]))

    assert tagged.belief(HEALTH, 0, len(text)) == pytest.approx(0.75, abs=1e-3)
    assert tagged.belief(HEALTH, 0, 8) == pytest.approx(0.4, abs=1e-3)
    assert tagged.belief(HEALTH, 6, 7) == pytest.approx(0.4, abs=1e-3)
    assert tagged.belief(HEALTH, 8, 9) == 0
    assert tagged.belief("US_SSN", 0, len(text)) == 0


def test_each_entity_has_a_threshold(build: Build) -> None:
    """What is less probable than its entity's threshold is not found, and hides nothing else."""
    text = "fatigue sunday lent dialysis Catholic"
    model = build(thresholds={HEALTH: 0.6, RELIGION: 0.35})

    tagged = next(model.tag([text]))

    assert found(text, tagged.spans()) == [
        (RELIGION, "sunday lent"),  # what begins with a word is known of its likeliest entity alone
        (HEALTH, "dialysis"),
        (RELIGION, "Catholic"),
    ]
    assert found(text, tagged.spans({HEALTH: 0.3, RELIGION: 1})) == [
        (HEALTH, "fatigue"),
        (HEALTH, "lent"),
        (HEALTH, "dialysis"),
    ]


def test_word_longer_than_a_window_is_one_word(model: TokenClassifier) -> None:
    """A word of more pieces than a window holds is put together again."""
    long = "mal" + "aise" * 20
    text = f"he has {long}, dialysis"

    spans = model.find(text)

    assert found(text, spans) == [(HEALTH, long), (HEALTH, "dialysis")]
    assert spans[0].score == pytest.approx((0.9 + 20 * 0.6) / 21, abs=1e-3)


# --- windows and pieces


@pytest.mark.slow
def test_cuts_do_not_change_what_is_found(tiny: ModuleType, build: Build) -> None:
    """Of a model that goes by words alone, windows of every size find the same."""
    text = words(3000)
    sizes = [(256, 64), (16, 4), (16, 0), (16, 7), (5, 1), (3, 0)]

    ways = [
        next(build(window=window, overlap=overlap).tag([text])).spans() for window, overlap in sizes
    ]

    assert len(ways[0]) > 1000
    assert all(way == ways[0] for way in ways)


@pytest.mark.parametrize("count", [1, 13, 14, 15, 24, 25, 100])
@pytest.mark.parametrize("overlap", [0, 4, 5, 7])
def test_each_word_is_answered_once_by_its_most_central_window(
    build: Build, count: int, overlap: int
) -> None:
    """A word's answer is that of the window whose cuts are farthest from it."""
    model = build("by_place", window=16, overlap=overlap)
    content, step = 14, 14 - overlap

    tagged = next(model.tag(["he " * count]))

    assert tagged.starts.tolist() == [3 * word for word in range(count)]
    windows = [
        (start, min(count, start + content))
        for start in range(0, count, step)
        if start == 0 or start + overlap < count
    ]
    for word, share in enumerate(tagged.probabilities[:, 0].tolist()):
        away = {
            word - start: min(
                word - start if start else count, end - 1 - word if end < count else count
            )
            for start, end in windows
            if start <= word < end
        }
        place = round(16 * share) - 2  # the first token of a window is [CLS]
        assert away[place] == max(away.values())


@given(TEXTS)
def test_pieces_of_a_long_text_fit_together(
    model: TokenClassifier, pieces: list[tuple[str, str]]
) -> None:
    """What is read in pieces has the same spans as what is read at once."""
    text = "".join(word + blank for word, blank in pieces)
    whole = model.find(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformer, "_PIECE", 50)
        patch.setattr(transformer, "_MARGIN", 30)
        cut = model.find(text)

    assert cut == whole


def test_each_word_of_a_long_text_is_answered_once(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word in the stretch that two pieces share is answered by one of them, far from its ends."""
    model = build("by_place", window=256, overlap=64)
    monkeypatch.setattr(transformer, "_PIECE", 300)
    monkeypatch.setattr(transformer, "_MARGIN", 60)

    tagged = next(model.tag(["he " * 1000]))

    assert tagged.starts.tolist() == [3 * word for word in range(1000)]
    places = [round(256 * share) - 2 for share in tagged.probabilities[:, 0].tolist()]
    # A piece has 100 words: the first to answer is the first of all, or the tenth of its piece.
    cuts = [place for before, place in pairwise(places) if place < before]
    assert places[0] == 0
    assert set(cuts) == {10}
    assert max(places[:-20]) == 89


# --- several texts


def test_many_texts_give_what_each_gives_alone(
    tiny: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every text keeps its own answer, in its place, and every window is a run of its own."""
    model = TokenClassifier(folder, 3)
    texts = [words(length, seed=length) for length in (*range(40), 900, 3, 0, 0, 5)]
    runs = tiny.counted(model, monkeypatch).runs
    alone = [model.find(text) for text in texts]
    of_singles = sorted(runs)
    runs.clear()

    together = list(model.tag(texts))

    assert [len(one.text) for one in together] == [len(text) for text in texts]
    assert [one.spans() for one in together] == alone
    assert sorted(runs) == of_singles
    assert {windows for windows, _ in runs} == {1}
    assert len({tokens for _, tokens in runs}) > 5


def test_windows_of_equal_length_run_together(
    tiny: ModuleType, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a model allows it, no more tokens than it says; every text keeps its own answer."""
    texts = [words(length, seed) for seed in range(7) for length in (2, 3, 30)]
    alone = [one.spans() for one in build(window=16, overlap=4).tag(texts)]
    model = build(window=16, overlap=4, batch=16)
    runs = tiny.counted(model, monkeypatch).runs

    together = [one.spans() for one in model.tag(texts)]

    assert together == alone
    assert max(windows for windows, _ in runs) > 1
    assert all(windows == 1 or windows * (tokens - 2) <= 16 for windows, tokens in runs)
    assert len(runs) < sum(windows for windows, _ in runs)


@pytest.mark.slow
def test_what_is_found_does_not_depend_on_the_texts_beside_it() -> None:
    """The shipped model, which is in int8, gives a text the same to the last bit in any company."""
    said = "She has asthma, votes Labour, and was baptised in the Lutheran church in 1981. "
    short = ["He prays.", "I pray?", "!!!", "Age: 46", "ASTHMA", "asthma"]  # run together
    texts = [*short, said, "", said * 3, said * 40, "x" * 300, "ASTHMA! " * 30]
    alone = [next(TokenClassifier(SHIPPED, 1).tag([text])) for text in texts]

    for threads, order in [(1, texts), (4, texts), (4, texts[::-1])]:
        together = dict(zip(order, TokenClassifier(SHIPPED, threads).tag(order), strict=True))

        for text, one in zip(texts, alone, strict=True):
            assert together[text].probabilities.tobytes() == one.probabilities.tobytes()
            assert together[text].begins.tobytes() == one.begins.tobytes()
    assert any(one.spans() for one in alone)


def test_windows_of_several_texts_are_in_flight_together(
    tiny: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two threads, each has the window of another text; neither waits for the other's end."""
    meeting = Barrier(2)

    class Met(tiny.Counted):  # type: ignore[misc, name-defined]
        def run(self, outputs: None, feed: dict[str, Any]) -> Any:
            meeting.wait(timeout=20)
            return super().run(outputs, feed)

    model = TokenClassifier(folder, 2)
    met = tiny.counted(model, monkeypatch, Met)

    first, second = model.tag(["he has dialysis", "Catholic"])

    assert [len(one.spans()) for one in (first, second)] == [1, 1]
    assert sorted(met.runs) == [(1, 3), (1, 5)]
    assert len(set(met.threads)) == 2


def test_no_more_windows_are_in_flight_than_there_are_threads(
    tiny: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many windows wait."""
    lock, now, most = Lock(), 0, 0

    class Watched(tiny.Counted):  # type: ignore[misc, name-defined]
        def run(self, outputs: None, feed: dict[str, Any]) -> Any:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.005)
            answer = super().run(outputs, feed)
            with lock:
                now -= 1
            return answer

    model = TokenClassifier(folder, 3)
    watched = tiny.counted(model, monkeypatch, Watched)

    assert len(list(model.tag(["he has dialysis"] * 40))) == 40

    assert len(watched.runs) == 40
    assert 2 <= most <= 3


@pytest.mark.parametrize(("threads", "texts"), [(1, 20), (4, 1)])
def test_one_window_at_a_time_is_run_in_the_callers_thread(
    tiny: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch, threads: int, texts: int
) -> None:
    """Where there is one thread, or one window, none is started."""
    model = TokenClassifier(folder, threads)
    runs = tiny.counted(model, monkeypatch)

    list(model.tag(["he has dialysis"] * texts))

    assert runs.threads == [get_ident()] * texts


def test_endless_texts_are_answered_as_they_come(model: TokenClassifier) -> None:
    """No more texts are read ahead than make up the characters that are read together."""
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "he has dialysis " * 500

    answers = list(islice(model.tag(endless()), 3))

    assert [len(answer.spans()) for answer in answers] == [500] * 3
    assert read * len("he has dialysis " * 500) < transformer._LOOKAHEAD + 8000


@pytest.mark.slow
def test_long_text_is_held_a_stretch_at_a_time(
    model: TokenClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a million characters, no more than the look-ahead and a piece are in windows at once."""
    held = []
    read = model._read

    def noted(pieces: Any) -> Any:
        held.append(sum(piece.end - piece.start for piece in pieces))
        return read(pieces)

    monkeypatch.setattr(model, "_read", noted)
    text = "he has dialysis and " * 50_000

    (tagged,) = model.tag([text])

    assert len(held) > 5
    assert max(held) <= transformer._LOOKAHEAD + transformer._PIECE
    assert len(tagged.starts) == 200_000
    assert tagged.starts.nbytes + tagged.probabilities.nbytes < 3_000_000


# --- other people's models


def test_labels_need_no_prefix(build: Build) -> None:
    """A model whose labels are plain names gives one span for words of one entity in a row."""
    table = {"dialysis": {"HEALTH": 0.9}, "flu": {"HEALTH": 0.8}, "catholic": {"RELIGION": 0.9}}
    model = build("by_word", table, ("O", "HEALTH", "RELIGION"))
    text = "dialysis flu catholic flu"

    assert found(text, model.find(text)) == [
        (HEALTH, "dialysis flu"),
        (RELIGION, "catholic"),
        (HEALTH, "flu"),
    ]


def test_labels_of_others_are_mapped(build: Build) -> None:
    """Several names may be one entity, whose probabilities add up; the rest are not used."""
    table = {
        "dialysis": {"B-Therapy": 0.9},
        "flu": {"B-Disease": 0.4, "I-Therapy": 0.3},
        "bob": {"B-PER": 0.9},
    }
    labels = ("O", "B-Disease", "I-Disease", "B-Therapy", "I-Therapy", "B-PER", "I-PER")
    model = build("by_word", table, labels, labels={"Disease": "HEALTH", "Therapy": "HEALTH"})
    text = "bob dialysis flu"

    spans = model.find(text)

    assert model.config.entities == (HEALTH,)
    assert found(text, spans) == [(HEALTH, "dialysis"), (HEALTH, "flu")]
    assert spans[1].score == pytest.approx(0.7, abs=1e-3)


def test_config_of_hugging_face_suffices(build: Build) -> None:
    """Without our key there are windows of 256 tokens and thresholds of a half."""
    model = build()

    assert "presidio_cdip" not in json.loads((model.folder / "config.json").read_text())
    assert (model.config.window, model.config.overlap) == (256, 64)
    assert model.config.thresholds == {HEALTH: 0.5, RELIGION: 0.5}
    assert len(model.find("he has dialysis")) == 1


def config(**own: Any) -> str:
    labels = {"0": "O", "1": "B-HEALTH", "2": "I-HEALTH", "3": "B-RELIGION", "4": "I-RELIGION"}
    return json.dumps({"id2label": labels, "presidio_cdip": own})


def lines(knots: list[Any], finder: str = "model") -> str:
    return config(calibration={finder: {"*": knots}})


def test_lines_are_by_finder_and_entity() -> None:
    """Each finder may have a line an entity, and one for the others."""
    line = [[0.0, 0.1], [0.5, 0.1], [1.0, 0.9]]
    calibration: dict[str, Any] = {finder: {HEALTH: line, "*": line} for finder in FINDERS}

    assert FINDERS == ("alone", "model", "both", "rules")
    assert Config.of(json.loads(config(calibration=calibration))).calibration == calibration
    assert Config.of(json.loads(config())).calibration == {}


BROKEN = {
    "no JSON": ("config.json", "{", "JSONDecodeError"),
    "not UTF-8": ("config.json", b"\xff\xfe", "UnicodeDecodeError"),
    "a list": ("config.json", "[]", "is not a mapping"),
    "no labels": ("config.json", "{}", "id2label"),
    "labels in a list": ("config.json", '{"id2label": ["O"]}', "id2label"),
    "labels without numbers": ("config.json", '{"id2label": {"x": "O"}}', "ValueError"),
    "labels of others": ("config.json", '{"id2label": {"0": "O", "1": "B-PER"}}', "PER"),
    "our key a list": ("config.json", '{"id2label": {"0": "O"}, "presidio_cdip": [1]}', "Attribut"),
    "a threshold for none": ("config.json", config(thresholds={"HEATLH": 0.3}), "HEATLH"),
    "a veto for none": ("config.json", config(vetoes={"HEATLH": 0.3}), "HEATLH"),
    "a threshold beyond 1": ("config.json", config(thresholds={"HEALTH": 1.1}), "HEALTH is not in"),
    "a threshold below 0": ("config.json", config(thresholds={"AGE": -0.1}), "AGE is not in 0..1"),
    "a threshold in words": ("config.json", config(thresholds={"HEALTH": ".5"}), "not in 0..1"),
    "a threshold of NaN": ("config.json", config(thresholds={"AGE": float("nan")}), "not in 0..1"),
    "a veto beyond 1": ("config.json", config(vetoes={"HEALTH": 20}), "vetoes: HEALTH is not in"),
    "a veto of null": ("config.json", config(vetoes={"HEALTH": None}), "vetoes: HEALTH is not in"),
    "a list of vetoes": ("config.json", config(vetoes=[["HEALTH", 0.2]]), "cannot be used|no ent"),
    "a finder that is none": ("config.json", lines([[0, 0.5]], "nobody"), "'nobody' is none of"),
    "a line without entities": (
        "config.json",
        config(calibration={"model": [[0, 0.1], [1, 0.9]]}),
        "cannot be used",
    ),
    "a line of no points": ("config.json", lines([]), "model, .: no points in rising order"),
    "a line that turns back": ("config.json", lines([[0.5, 0.1], [0, 0.9]]), "in rising order"),
    "a line with a step": ("config.json", lines([[0.5, 0.1], [0.5, 0.9]]), "in rising order"),
    "a line above 1": ("config.json", lines([[0, 0.1], [1, 1.1]]), "in rising order"),
    "a line below 0": ("config.json", lines([[0, -0.1], [1, 0.9]]), "in rising order"),
    "points of one number": ("config.json", lines([0, 1]), "cannot be used"),
    "points of words": ("config.json", lines([[0, "low"], ["one", 0.9]]), "cannot be used"),
    "too much overlap": ("config.json", config(window=16, overlap=8), "overlap 8"),
    "less than no batch": ("config.json", config(batch=-1), "batch -1"),
    "a batch that is no number": ("config.json", config(batch="all"), "ValueError"),
    "less than no overlap": ("config.json", config(window=16, overlap=-1), "overlap -1"),
    "a window that is no number": ("config.json", config(window="wide"), "ValueError"),
    "a window of nothing": ("config.json", config(window=2, overlap=0), "window 2"),
    "no tokenizer": ("tokenizer.json", "{}", "cannot be read"),
    "no model": ("model.onnx", b"\x08\x07 no graph", "cannot be loaded"),
    "an empty model": ("model.onnx", b"", "cannot be loaded"),
}


@pytest.mark.parametrize(("file", "content", "problem"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_named(
    tiny: ModuleType, tmp_path: Path, file: str, content: str | bytes, problem: str
) -> None:
    """What cannot be used stops the run, and says which file it is; of the text it says nothing."""
    folder = tiny.by_word(tmp_path / "model")
    (folder / file).write_bytes(content.encode() if isinstance(content, str) else content)

    with pytest.raises(ModelError, match=f"^{file}: .*{problem}") as caught:
        TokenClassifier(folder, 1).find("Patient has dialysis")

    assert caught.value.file == file
    assert "ialysis" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "config.json"])
def test_missing_file_is_named(tiny: ModuleType, tmp_path: Path, file: str) -> None:
    """A folder without one of its files is refused when it is opened."""
    folder = tiny.by_word(tmp_path / "model")
    (folder / file).unlink()

    with pytest.raises(ModelError, match=f"{file}: is missing in the model's folder 'model'"):
        TokenClassifier(folder)


def test_model_of_other_classes_is_refused(build: Build) -> None:
    """A model and a config that do not belong together find nothing rather than anything."""
    model = build()
    labels = {"0": "O", "1": "B-HEALTH", "2": "I-HEALTH"}
    (model.folder / "config.json").write_text(json.dumps({"id2label": labels}))

    with pytest.raises(ModelError, match=r"^model\.onnx: does not give one logit a class"):
        TokenClassifier(model.folder).find("he has dialysis")


@pytest.mark.parametrize("threads", [1, 2])
def test_model_of_another_vocabulary_is_refused(
    build: Build, capfd: pytest.CaptureFixture[str], threads: int
) -> None:
    """A tokenizer that knows more than the model does stops the run, as it does in ONNX Runtime.

    What that has to say goes into the error, and nowhere else: it writes nothing to stderr.
    """
    model, other = build("by_word", {"he": {}}), build()
    (other.folder / "model.onnx").replace(model.folder / "other.onnx")
    (model.folder / "model.onnx").replace(other.folder / "model.onnx")

    with pytest.raises(ModelError, match=r"^model\.onnx: cannot be run") as caught:
        list(TokenClassifier(other.folder, threads).tag(["he has dialysis"] * 3))

    assert "ialysis" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


# --- processes and threads

LAZY = """
import os, sys
sys.modules["torch"] = sys.modules["transformers"] = None  # whoever imports them fails
from pathlib import Path
import presidio_cdip
{make}
print(sorted({{"onnxruntime", "tokenizers"}} & set(sys.modules)))
"""
MAKE = {
    "the package": "",
    "recognizers": (
        "from presidio_cdip.presidio.analyzer import *; "
        "CdipRulesRecognizer(); CdipTransformerRecognizer(model=sys.argv[1])"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
def test_nothing_is_loaded_before_it_is_needed(folder: Path, make: str) -> None:
    """Neither the package nor a recognizer imports ONNX Runtime; and nothing ever imports torch."""
    code = LAZY.format(make=make)

    ran = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )

    assert ran.stdout.strip() == "[]"


FORKS = """
import os, sys
from pathlib import Path
sys.modules["torch"] = sys.modules["transformers"] = None
from presidio_cdip.recognition.transformer import TokenClassifier
model = TokenClassifier(Path(sys.argv[1]), 2)
texts = ["he has dialysis and flu", "Catholic", "kidney failure"]
mine = [one.spans() for one in model.tag(texts)]  # side by side
session = model._ready().session
children = [os.fork()]
if not children[0]:
    assert [one.spans() for one in model.tag(texts)] == mine
    assert model._ready().session is not session
    sys.exit(7)
children.append(os.fork())
if not children[1]:
    sys.exit(7)  # what it inherits it never uses
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
print(len(os.listdir("/proc/self/task")) if Path("/proc/self/task").is_dir() else 1)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_forked_process_has_a_session_of_its_own_and_ends(folder: Path, tmp_path: Path) -> None:
    """A child finds what its parent finds, and neither use nor end waits for its threads.

    Nor does ONNX Runtime report to anybody: no thread does, and no file is written for it.
    """
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    quiet = {"CI", "ORT_DISABLE_TELEMETRY", "PYTEST_CURRENT_TEST"}
    environment = {name: value for name, value in os.environ.items() if name not in quiet} | homes

    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKS, str(folder)],
        capture_output=True, text=True, env=environment, timeout=30,
    )  # fmt: skip

    assert ran.stderr == ""
    assert ran.stdout.split("\n")[:2] == ["[7, 7]", "1"]
    assert list(tmp_path.iterdir()) == []


def _found(model: TokenClassifier, text: str) -> list[Span]:
    return model.find(text)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_pool_of_processes_finds_the_same(folder: Path) -> None:
    """A model travels to other processes as its folder."""
    model = TokenClassifier(folder, 2)
    texts = [words(30, seed) for seed in range(6)]
    alone = [model.find(text) for text in texts]

    again = pickle.loads(pickle.dumps(model))
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    with multiprocessing.get_context(method).Pool(2) as pool:
        away = pool.starmap(_found, [(model, text) for text in texts])

    assert (again.folder, again.threads, again._loaded) == (folder, 2, None)
    assert [again.find(text) for text in texts] == alone
    assert away == alone


@pytest.mark.slow
def test_threads_share_a_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads that ask at once load it once, and each has its own answer."""
    model = TokenClassifier(folder, 1)
    texts = [words(50, seed) for seed in range(24)]
    load, loads = transformer.load, []

    def slowly(folder: Path) -> Any:
        loads.append(folder)
        time.sleep(0.05)
        return load(folder)

    monkeypatch.setattr(transformer, "load", slowly)

    with ThreadPoolExecutor(8) as pool:
        spans = list(pool.map(model.find, texts))

    assert loads == [folder]
    assert spans == [TokenClassifier(folder, 1).find(text) for text in texts]


def test_answer_is_kept_apart_from_the_next(model: TokenClassifier) -> None:
    """What a model made of a text stays as it was while others are read."""
    first: Tagged = next(model.tag(["he has dialysis"]))
    before = first.probabilities.copy()

    list(model.tag([words(200)]))

    assert (first.probabilities == before).all()
