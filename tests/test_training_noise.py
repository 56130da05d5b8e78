"""OCR noise for training: spans move with the text, and errors are as many as asked."""

from collections import Counter
from difflib import SequenceMatcher
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.corpus import documents
from training.noise import Choice, Noise, edited

LABELS = ("AGE", "DATE_OF_BIRTH", "HEALTH", "HOME_ADDRESS")
WAYS = ("corrupt", "flatten", "recase")

Span = tuple[int, int, str]

pytestmark = pytest.mark.checkout


@pytest.fixture(scope="module")
def noise() -> Noise:
    return Noise.load()


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, tuple[Span, ...]]:
    """A text of words, gaps and line breaks, and spans of it as `corpus.parse` gives them."""
    letters = st.sampled_from("aemnrliIOo0158.,:-'éŁß🙂\u00a8\u2028") | st.characters(
        exclude_categories=["Cs"]
    )
    word = st.text(letters, min_size=1, max_size=14) | st.sampled_from(
        ("Name:", "Presbyterian", "rn", "1931", "Responsibilities,")
    )
    gap = st.sampled_from((" ", " ", " ", "\n", "\n\n", "   ", "\n  ", "\t", ""))
    parts = draw(st.lists(st.tuples(word, gap, st.none() | st.sampled_from(LABELS)), max_size=40))
    text, spans = "", []
    for stretch, between, label in parts:
        if label and stretch == stretch.strip():
            spans.append((len(text), len(text) + len(stretch), label))
        text += stretch + between
    return text, tuple(spans)


def assert_sound(text: str, spans: tuple[Span, ...]) -> None:
    """The spans lie in the text, in order and apart, and none begins or ends with a blank."""
    at = 0
    for start, end, _ in spans:
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        at = end


@pytest.mark.slow
@given(document=marked(), seed=st.integers(0, 2**32), way=st.sampled_from(WAYS))
def test_spans_stay_sound(
    noise: Noise, document: tuple[str, tuple[Span, ...]], seed: int, way: str
) -> None:
    """After any noise in any text, the spans that remain are spans of the noisy text."""
    text, spans = getattr(noise, way)(*document, Random(seed))

    assert_sound(text, spans)
    assert not Counter(label for *_, label in spans) - Counter(label for *_, label in document[1])


@given(document=marked(), seed=st.integers(0, 2**32))
def test_heavy_noise_leaves_spans_sound(
    noise: Noise, document: tuple[str, tuple[Span, ...]], seed: int
) -> None:
    """Fifty times the typical rate misreads nearly everything, and no offset goes astray."""
    text, spans = noise.corrupt(*document, Random(seed), rate=50)

    assert_sound(text, spans)


@pytest.mark.slow
@given(document=marked(), seed=st.integers(0, 2**32))
def test_no_rate_no_change(noise: Noise, document: tuple[str, tuple[Span, ...]], seed: int) -> None:
    """At rate 0 text and spans come back as they went in."""
    assert noise.corrupt(*document, Random(seed), rate=0) == document


@given(document=marked(), seed=st.integers(0, 2**32))
def test_flattening_moves_blanks_only(
    noise: Noise, document: tuple[str, tuple[Span, ...]], seed: int
) -> None:
    """All but blanks and hyphens stays, in the whole text and in every span."""

    def solid(value: str) -> str:
        return "".join(value.split()).replace("-", "")

    text, spans = noise.flatten(*document, Random(seed))

    assert solid(text) == solid(document[0])
    assert [(solid(text[s:e]), label) for s, e, label in spans] == [
        (solid(document[0][s:e]), label) for s, e, label in document[1]
    ]


@pytest.mark.slow
@given(document=marked(), seed=st.integers(0, 2**32))
def test_recasing_changes_case_only(
    noise: Noise, document: tuple[str, tuple[Span, ...]], seed: int
) -> None:
    """Every character is the old one, in capitals or in small letters."""
    text, spans = noise.recase(*document, Random(seed))

    assert spans == document[1]
    assert len(text) == len(document[0])
    assert all(
        new in (old, old.upper(), old.lower()) for old, new in zip(document[0], text, strict=True)
    )


def test_the_same_seed_gives_the_same_text(noise: Noise) -> None:
    """Nothing but the generator handed in decides, and another seed decides otherwise."""
    text = "Name: Theodora Brannick\nBorn in Kilmarnock, 9 March 1931, a Presbyterian.\n" * 8
    spans = ((6, 23, "AGE"),)

    first, again, other = (noise.corrupt(text, spans, Random(n), rate=1) for n in (1, 1, 2))

    assert first == again != other


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.5, 1.0, 2.0])
def test_errors_are_as_many_as_asked(noise: Noise, rate: float) -> None:
    """Over many documents, edits a character lie near the asked multiple of the typical rate."""
    random = Random(7)
    texts = [document.text for document in documents()]
    edits = characters = 0

    for text in random.sample([text for text in texts if len(text) < 700], 60):
        lines = [line for line in text.split("\n") if len(line) > 15]
        for line in lines:
            read, _ = noise.corrupt(line, (), random, rate)
            if not read:
                continue  # a lost line is counted by itself
            matcher = SequenceMatcher(None, line, read, autojunk=False)
            edits += sum(
                max(b - a, d - c) for op, a, b, c, d in matcher.get_opcodes() if op != "equal"
            )
            characters += len(line)

    assert characters > 10_000
    assert 0.7 < edits / characters / (noise.typical * rate) < 1.35


def test_pages_differ_in_their_rate(noise: Noise) -> None:
    """Without a rate some pages come out nearly clean, and some bad, as they were counted."""
    text = "The patient was born in Hamilton, Ohio, and is a member of the church there.\n" * 15

    left = [
        SequenceMatcher(None, text, noise.corrupt(text, (), Random(n))[0], autojunk=False)
        for n in range(25)
    ]
    ratios = sorted(matcher.quick_ratio() for matcher in left)

    assert ratios[-1] > 0.99
    assert ratios[0] < 0.96


@pytest.mark.slow
def test_corpus_values_outlive_typical_noise(noise: Noise) -> None:
    """Of the corpus's spans, few vanish, and what is left resembles what stood there."""
    random = Random(3)
    marked = [document for document in documents() if document.spans]
    total = kept = alike = 0

    for document in random.sample(marked, 120):
        text, spans = noise.corrupt(document.text, document.spans, random, rate=1)
        total += len(document.spans)
        kept += len(spans)
        for label in {label for *_, label in spans}:
            old = [document.text[s:e] for s, e, of in document.spans if of == label]
            new = [text[s:e] for s, e, of in spans if of == label]
            alike += sum(max(SequenceMatcher(None, a, b).ratio() for a in old) > 0.6 for b in new)

    assert kept > 0.96 * total
    assert alike > 0.9 * total


def test_a_pair_is_not_misread_across_an_edge() -> None:
    """Where a span ends between r and n, they are not taken for an m; elsewhere they are."""
    never = Choice.of({})
    always = {"rn": Choice.of({"m": 1.0})}
    noise = Noise(0.1, (0.1, 0.1), 0.05, 0.0, always, 0.0, never, never, never)

    read = noise.corrupt("barn barn", ((5, 8, "HEALTH"),), Random(1), rate=50)

    assert read == ("bam barn", ((4, 7, "HEALTH"),))


@pytest.mark.parametrize(
    ("edits", "text", "spans"),
    [
        ([(4, 4, "'")], "Age '46.", [("46", "AGE")]),  # put in before a span: outside
        ([(6, 6, "'")], "Age 46'.", [("46", "AGE")]),  # after it: outside
        ([(5, 5, " ")], "Age 4 6.", [("4 6", "AGE")]),  # within: inside
        ([(4, 5, "")], "Age 6.", [("6", "AGE")]),
        ([(5, 6, " ")], "Age 4 .", [("4", "AGE")]),  # a blank at the edge is none of it
        ([(4, 6, "")], "Age .", []),
        ([(4, 4, "'"), (4, 5, "A")], "Age 'A6.", [("A6", "AGE")]),
        ([(0, 7, "")], "", []),
    ],
)
def test_edits_at_the_edges_of_a_span(
    edits: list[Span], text: str, spans: list[tuple[str, str]]
) -> None:
    """What is put in at an edge stays outside; what is left of a span is trimmed."""
    result, moved = edited("Age 46.", edits, [(4, 6, "AGE")])

    assert result == text
    assert [(result[s:e], label) for s, e, label in moved] == spans
