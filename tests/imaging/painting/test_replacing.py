"""On the page a surrogate stands where the original stood, and nothing else has changed."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw
from presidio_analyzer import RecognizerResult

from presidio_cdip.errors import CdipError
from presidio_cdip.imaging.page.paper import METHODS
from presidio_cdip.imaging.painting.replacing import Filler, FindingReport, Replacer
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.fitting import fits
from presidio_cdip.imaging.style.rendering import drawn
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import Box, Word
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.writing.articles import takes_an

from ..drawing import Placed, scribbled, shipped, typeset

FORM = [(40, 50, "Name: John Smith"), (40, 110, "Born: 11/02/1950 in Ohio")]
FACES = tuple(shipped(name) for name in ("typewriter-prime", "serif-times", "sans-swiss"))


class Form:
    """A page that is set in a known face, and what is found on it."""

    def __init__(
        self,
        texts: Sequence[Placed] = FORM,
        name: str = "typewriter-prime",
        image: Image.Image | None = None,
        more: Sequence[Word] = (),
        **how: Any,
    ) -> None:
        drawn, words = typeset(texts, name, **how)
        self.image = image or drawn
        self.layout = layout_text([*words, *more])

    def finding(self, value: str, entity: str = "PERSON", nth: int = 0) -> PageFinding:
        """Return the finding of a recognizer for the value."""
        start = -1
        for _ in range(nth + 1):
            start = self.layout.text.index(value, start + 1)
        end = start + len(value)
        result = RecognizerResult(entity, start, end, 0.9)
        return PageFinding(result, line_boxes(self.layout, start, end, self.image.size))

    def replacer(self, source: Any, faces: Sequence[Face] = FACES, **how: Any) -> Replacer:
        """Return the replacer for the page."""
        return Replacer(self.image, self.layout, faces, source, **how)


@pytest.mark.parametrize("short", [(6, 0), (0, 6), (9, 9)])
def test_ink_outside_of_a_short_ocr_box_goes(short: tuple[int, int], sources: ModuleType) -> None:
    """OCR's box may begin late and end early: nothing of the original stays beside it."""
    form = Form([(40, 50, "Name: Hillman went")], "sans-swiss")
    words = list(form.layout.words)
    left, top, right, bottom = words[1].box
    words[1] = replace(words[1], box=Box(left + short[0], top, right - short[1], bottom))
    form.layout = layout_text(words)
    replacer = form.replacer(sources.Says("Cecco"))

    _, report = replacer.paint(form.finding("Hillman"))

    assert report.method == "surrogate"
    assert report.boxes[0].left <= left and report.boxes[0].right >= right - 1
    end = np.s_[top:bottom, right - 3 : right]  # of the n: "Cecco" does not reach so far
    assert np.asarray(form.image)[end].min() < 90
    assert np.asarray(replacer.image)[end].min() > 180


def test_black_and_white_page_stays_black_and_white(sources: ModuleType) -> None:
    """No grey pixel comes onto a page that has none, though its mode could hold them."""
    drawn, _ = typeset(FORM)
    image = drawn.point(lambda level: 255 * (level > 140))
    form = Form(image=image)
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Smith"))

    assert report.method == "surrogate"
    assert set(np.unique(np.asarray(replacer.image))) == {0, 255}
    assert np.asarray(replacer.image).tobytes() != image.tobytes()


def test_even_paper_stays_even_around_the_letters(sources: ModuleType) -> None:
    """The edges of letters are no ringing, so none is added where the page has none."""
    form = Form(grain=0)
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Smith"))

    assert report.method == "surrogate"
    after = np.asarray(replacer.image)
    letters = cv2.dilate((after < 230).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert set(np.unique(after[~letters])) == set(np.unique(np.asarray(form.image)[:20]))


def changed(before: Image.Image, after: Image.Image, boxes: Sequence[Box]) -> tuple[bool, bool]:
    """Whether pixels differ inside the boxes, and outside of them."""
    inside = np.zeros((before.height, before.width), np.bool_)
    for left, top, right, bottom in boxes:
        inside[top:bottom, left:right] = True
    differs = np.asarray(before) != np.asarray(after)
    differs = differs.any(axis=2) if differs.ndim == 3 else differs
    return bool(differs[inside].any()), bool(differs[~inside].any())


@pytest.mark.parametrize("name", ["typewriter-prime", "serif-times", "sans-swiss"])
def test_surrogate_stands_where_the_original_stood(name: str, sources: ModuleType) -> None:
    """Its face, size, left edge and baseline are the original's, and the report says so."""
    form = Form(name=name)
    finding = form.finding("Smith")

    replacer = form.replacer(sources.Says("Jones"))
    now, report = replacer.paint(finding)

    family = shipped(name).family
    assert (report.entity, report.method, report.reason) == ("PERSON", "surrogate", "")
    assert shipped(report.face).family == family
    assert report.em == pytest.approx(28, rel=0.04)
    assert report.fit > 0.9
    assert [part.instead for part in now.parts] == ["Jones"]
    assert changed(form.image, replacer.image, report.boxes) == (True, False)
    dark, around = Sheet.of(replacer.image).word(finding.boxes[0], 6)
    (best, *_) = fits(dark, "Jones", FACES)
    assert best.face.family == family
    assert best.correlation > 0.9
    old = Form([(40, 50, "Name: John Jones")], name).layout.words[2].box
    assert around.top + best.pen[1] == pytest.approx(50, abs=1.2)
    assert around.left + best.pen[0] == pytest.approx(old.left, abs=3)


def test_source_is_asked_for_the_value_alone(sources: ModuleType) -> None:
    """Brackets are not part of the name; they are painted around its surrogate."""
    form, source = Form([(40, 60, "To: (John Smith), Ohio")]), sources.Says("Mary Jones")

    now, _ = form.replacer(source).paint(form.finding("John Smith"))

    assert source.asked == [("PERSON", "John Smith")]
    assert [part.instead for part in now.parts] == ["(Mary Jones),"]


def test_value_on_two_lines_is_shared_out(sources: ModuleType) -> None:
    """The source sees both lines; each gets its part of the surrogate."""
    form = Form([(40, 50, "917 Hermitage"), (40, 90, "Court")])
    source = sources.Says("204 Washington Plaza")

    now, report = form.replacer(source).paint(form.finding(form.layout.text, "HOME_ADDRESS"))

    assert source.asked == [("HOME_ADDRESS", "917 Hermitage\nCourt")]
    assert [part.instead for part in now.parts] == ["204 Washington", "Plaza"]
    assert len(report.boxes) == 2


def test_surrogate_with_lines_keeps_them(sources: ModuleType) -> None:
    """Where it has as many as the original, each goes to its own."""
    form = Form([(40, 50, "917 Hermitage"), (40, 90, "Court")])

    now, _ = form.replacer(sources.Says("22 Elm\nPlaza East")).paint(form.finding(form.layout.text))

    assert [part.instead for part in now.parts] == ["22 Elm", "Plaza East"]


def test_surrogate_of_one_word_stands_on_the_first_line(sources: ModuleType) -> None:
    """The second line is erased, and what stood after the value comes after the word."""
    form = Form([(40, 50, "He had (hay"), (40, 90, "fever), Hillman says to all of us")])

    now, report = form.replacer(sources.Says("rheumatism")).paint(form.finding("hay\nfever"))

    assert [part.instead for part in now.parts] == ["(rheumatism),", ""]
    assert report.method == "surrogate"


def test_surrogate_of_one_word_stands_on_the_last_line_if_it_fits_there(
    sources: ModuleType,
) -> None:
    """A line that ends early is seen less than one that begins with a gap."""
    form = Form([(40, 50, "He had (hay"), (40, 90, "fever), Hillman says to all of us")])

    source = sources.Says("rheumatism", "asthma")

    now, _ = form.replacer(source).paint(form.finding("hay\nfever"))

    assert [part.instead for part in now.parts] == ["", "(asthma),"]


def test_surrogate_with_a_word_for_each_line_comes_first(sources: ModuleType) -> None:
    """One word for two lines leaves a gap, so a later candidate without one is taken."""
    form = Form([(40, 50, "He had hay"), (40, 90, "fever")])

    now, _ = form.replacer(sources.Says("asthma", "bad cough")).paint(form.finding("hay\nfever"))

    assert [part.instead for part in now.parts] == ["bad", "cough"]


def test_print_that_ocr_does_not_read_is_not_painted_over(sources: ModuleType) -> None:
    """A longer surrogate would run into a letter that no word has, and that stays."""
    form = Form([(40, 50, "Name: Smith X     7")])
    unread = form.layout.words[2]
    form.layout = layout_text([word for word in form.layout.words if word is not unread])
    free = Form([(40, 50, "Name: Smith       7")])

    _, report = form.replacer(sources.Says("Jonathan")).paint(form.finding("Smith"))
    _, wide = free.replacer(sources.Says("Jonathan")).paint(free.finding("Smith"))

    assert unread.text == "X"
    assert wide.method == "surrogate"
    assert report.method == "paper"


def test_first_that_fits_is_taken(sources: ModuleType) -> None:
    """One that would run into the next word is passed over."""
    form = Form()

    now, _ = form.replacer(sources.Says("September 28, 1950", "03/14/1949")).paint(
        form.finding("11/02/1950", "DATE_OF_BIRTH")
    )

    assert [part.instead for part in now.parts] == ["03/14/1949"]


def test_surrogate_that_fits_nowhere_is_not_painted(sources: ModuleType) -> None:
    """It is erased instead; the words beside it stay."""
    form = Form()
    replacer = form.replacer(sources.Says("the fourteenth of September, 1949"))

    now, report = replacer.paint(form.finding("11/02/1950"))

    assert report.reason == "no surrogate fits the space"
    assert [part.instead for part in now.parts] == [""]
    beside = form.layout.words[-2].box
    assert replacer.image.crop(beside).tobytes() == form.image.crop(beside).tobytes()


def test_source_that_refuses_stops_nothing(sources: ModuleType) -> None:
    """The value is erased; the reason names the error and not the value."""
    form = Form()

    _, report = form.replacer(sources.Refuses()).paint(form.finding("Smith"))

    assert (report.method, report.reason) == ("paper", "no surrogate: ValueRefused")


@pytest.mark.parametrize(
    ("surrogates", "reason"),
    [
        ((), "it is removed, and nothing is to stand there"),
        (("  ",), "no surrogate has its lines and letters of its face"),
        (("שלום",), "no surrogate has its lines and letters of its face"),
        (("\N{PILE OF POO}",), "no surrogate has its lines and letters of its face"),
        (("Bartholomew " * 9,), "no surrogate fits the space"),
    ],
)
def test_source_without_a_surrogate_to_paint_erases(
    surrogates: tuple[str, ...], reason: str, sources: ModuleType
) -> None:
    """The report says why: there is none, it is blank, the faces lack its letters, or no room."""
    form = Form()

    _, report = form.replacer(sources.Says(*surrogates)).paint(form.finding("Smith"))

    assert (report.method, report.reason) == ("paper", reason)


def test_letter_that_the_face_lacks_is_not_painted(sources: ModuleType) -> None:
    """An empty box where a letter should be is no surrogate: the next one is taken."""
    gnu = shipped("typewriter-gnu")  # has no "&"
    form = Form([(40, 60, "Name: Smith")], "typewriter-gnu")

    now, _ = form.replacer(sources.Says("Me&Co", "Jones"), [gnu]).paint(form.finding("Smith"))

    assert [part.instead for part in now.parts] == ["Jones"]


def test_handwriting_is_erased(sources: ModuleType) -> None:
    """Handwriting, which fits no face, is not imitated; its ink is erased."""
    image, _ = typeset(FORM[:1])
    image.paste(scribbled(), (460, 90))
    pen = Word("Signed", Box(462, 92, 578, 128), 40.0, line=7)
    form = Form(FORM[:1], image=image, more=[pen])
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Signed"))

    assert report.method == "paper"
    assert report.reason.startswith("no face is like it")
    assert np.asarray(replacer.image)[92:128, 462:578].min() > 200


def test_same_value_is_the_same_on_the_whole_page(sources: ModuleType) -> None:
    """Equal values get equal surrogates even if another would fit better there."""
    form = Form([(40, 50, "Name: 55512 here"), (40, 110, "Once more: 55512")])
    findings = [form.finding("55512"), form.finding("55512", nth=1)]
    replacer = form.replacer(sources.Says("98", "4471163", "00312", "44711"))

    replacer.agree(findings)
    painted = [replacer.paint(finding)[0].parts[0].instead for finding in findings]

    assert painted == ["00312", "00312"]


CRANE = [(40, 50, "Spouse: Bobby Crane"), (40, 110, "Her husband Bobby left")]


def painted(form: Form, replacer: Replacer, *values: str, entity: str = "PERSON") -> list[str]:
    """Return what is painted for *values*, of which findings agree."""
    findings = [form.finding(value, entity) for value in values]
    replacer.agree(findings)
    done = [replacer.paint(finding) for finding in findings]
    return [" ".join(part.instead for part in now.parts) for now, _ in done]


def test_values_that_share_a_part_are_of_one_round(sources: ModuleType) -> None:
    """A surrogate that fits less well is taken for a name whose other place has no room."""
    form = Form(CRANE)
    answers = {
        "Bobby Crane": ["Bartholomew Winterbottom-Fitzgerald", "Henry Dodge", "Percy Dodge"],
        "husband Bobby": ["husband Barry", "husband Bartholomew", "husband Percy"],
    }

    together = painted(form, form.replacer(sources.Answers(answers, "bobby")), *answers)
    apart = painted(form, form.replacer(sources.Answers(answers)), *answers)

    assert together == ["Percy Dodge", "husband Percy"]
    assert apart == ["Henry Dodge", "husband Barry"]


def test_values_without_a_round_that_fits_all_are_painted(sources: ModuleType) -> None:
    """The value without room gets a candidate of another round: nothing is left empty."""
    form = Form(CRANE)
    answers = {
        "Bobby Crane": ["Henry Dodge", "Percy Dodge"],
        "husband Bobby": ["husband Bartholomew", "husband Wilhelmina", "husband Peter"],
        "left": ["came", "sang"],
    }

    said = painted(form, form.replacer(sources.Answers(answers, "bobby")), *answers)

    assert said == ["Percy Dodge", "husband Peter", "sang"]


@pytest.mark.parametrize("scope", range(8))
def test_one_person_has_one_surrogate(scope: int) -> None:
    """A spouse's name in a field, in a sentence, and turned around is drawn as in one text."""
    texts = [
        (40, 50, "Spouse: Bobby N. Crane"),
        (40, 110, "Her husband, Bobby, left. Mr. Crane sang"),
        (40, 170, "Crane, Bobby"),
    ]
    form = Form(texts)
    found = [
        form.finding("Bobby N. Crane"),
        form.finding("Bobby", nth=1),
        form.finding("Crane", nth=1),
        form.finding("Crane, Bobby"),
    ]
    replacer = form.replacer(Surrogates(bytes(range(32)), f"s{scope}"), FACES[:1])

    replacer.agree(found)
    field, first, last, turned = (
        replacer.paint(one)[0].parts[0].instead.strip(".,") for one in found
    )

    assert field.split()[::2] == [first, last]
    assert turned == f"{last}, {first}"


IRISH = {"Polish citizen": ["Irish citizen"]}


def test_article_at_the_end_of_the_line_above_is_painted(sources: ModuleType) -> None:
    """It becomes the surrogate's, in the hand of the value; the words around it stay."""
    form = Form([(40, 50, "He has been a"), (40, 90, "Polish citizen since 1957")])
    replacer = form.replacer(sources.Answers(IRISH, articles={"Irish citizen": "an"}))
    finding = form.finding("Polish citizen")

    replacer.agree([finding])
    now, report = replacer.paint(finding)

    assert [part.instead for part in now.parts] == ["an", "Irish citizen"]
    assert report.method == "surrogate"
    assert changed(form.image, replacer.image, report.boxes) == (True, False)
    article = form.layout.words[3].box
    assert report.boxes[0].left >= article.left - 4
    after = Sheet.of(replacer.image).word(article.grown(14, 4), 6)[0]
    assert [fit.correlation > 0.9 for fit in fits(after, "an", FACES)[:1]] == [True]
    assert replacer.left(now) == 0


@pytest.mark.parametrize(
    ("text", "value", "article", "surrogate", "painted"),
    [
        ("(he is a Polish citizen)", "Polish citizen", "an", "Irish citizen", "an Irish citizen)"),
        ("is said (a Polish man) to", "Polish man", "an", "Irish man", "(an Irish man)"),
        ("HE IS A POLISH CITIZEN", "POLISH CITIZEN", "AN", "IRISH CITIZEN", "AN IRISH CITIZEN"),
        ("Is an epileptic, so she", "epileptic", "a", "diabetic", "a diabetic,"),
        ("An epileptic, so she", "epileptic", "A", "diabetic", "A diabetic,"),
        ("he is a “Polish” man", "Polish", "an", "Irish", "an “Irish”"),
    ],
)
def test_article_on_the_line_is_painted_with_the_value(
    text: str, value: str, article: str, surrogate: str, painted: str, sources: ModuleType
) -> None:
    """They are one stretch, with the brackets and quotes around them."""
    form = Form([(40, 50, text)])
    source = sources.Answers({value: [surrogate]}, articles={surrogate: article})

    now, report = form.replacer(source).paint(form.finding(value))

    assert [part.instead for part in now.parts] == [painted]
    assert report.method == "surrogate"


def test_article_without_room_is_passed_over(sources: ModuleType) -> None:
    """Where no letter more has room on its line, a surrogate that leaves it is taken."""
    form = Form([(40, 50, "He has been a"), (40, 90, "Polish citizen since 1957")])
    pixels = np.array(form.image)
    pixels[20:70, 263:266] = 40  # a rule close behind the article
    form.image = Image.fromarray(pixels)
    answers = {"Polish citizen": ["Irish citizen", "Czech citizen"]}
    source = sources.Answers(answers, articles={"Irish citizen": "an"})

    (now,) = painted(form, form.replacer(source), *answers)

    assert now == "Czech citizen"


def test_article_of_another_hand_stays(sources: ModuleType) -> None:
    """A form's printed article is not painted in the typewriter's face: another word is taken."""
    typed, words = typeset([(170, 50, "Polish citizen since 1957")])
    label, more = typeset([(40, 50, "I am a")], "sans-swiss", em=20, paper=255, grain=0)
    image = Image.fromarray(np.minimum(np.asarray(typed), np.asarray(label)))
    form = Form()
    form.image, form.layout = image, layout_text([*more, *words])
    answers = {"Polish citizen": ["Irish citizen", "Czech citizen"]}
    source = sources.Answers(answers, articles={"Irish citizen": "an"})

    (now,) = painted(form, form.replacer(source), *answers)

    assert now == "Czech citizen"


def test_article_within_another_finding_stays(sources: ModuleType) -> None:
    """What is replaced itself is not painted twice."""
    form = Form([(40, 50, "Vitamin A Polish citizen")])
    answers = {"Vitamin A": ["Vitamin E"], "Polish citizen": ["Irish citizen", "Czech citizen"]}
    source = sources.Answers(answers, articles={"Irish citizen": "An"})

    said = painted(form, form.replacer(source), *answers)

    assert said == ["Vitamin E", "Czech citizen"]


@pytest.mark.parametrize(
    ("lines", "value", "entity"),
    [
        (["Since then he is a Polish citizen, and works"], "Polish citizen", "NATIONALITY"),
        (["He has been an", "Irish citizen, and works"], "Irish citizen", "NATIONALITY"),
        (["The nurse adds: is a diabetic; eats little"], "diabetic", "HEALTH"),
        (["HE HAS BEEN AN ANGLICAN FOR YEARS"], "ANGLICAN", "RELIGION"),
        (["It is a “Lutheran”, as he told us then"], "Lutheran", "RELIGION"),
        (["Treated by us as an 8-year-old with"], "8-year-old", "AGE"),
        (["In court he was called an arsonist by"], "arsonist", "CRIMINAL_OFFENCE"),
        (["He was a Navajo from the north of it"], "Navajo", "ETHNIC_ORIGIN"),
    ],
)
def test_article_fits_the_surrogate(lines: list[str], value: str, entity: str) -> None:
    """Whatever is drawn for values that follow an article, it is right; some change it."""
    form = Form([(40, 50 + 40 * at, text) for at, text in enumerate(lines)], size=(800, 160))
    before = form.layout.text[: form.layout.text.index(value)].split()[-1].strip("“")
    said = []
    for scope in range(12):
        replacer = form.replacer(Surrogates(bytes(range(32)), f"s{scope}"), FACES[:1])
        said += painted(form, replacer, value, entity=entity)

    own = [re.match(r"(?:(an?) )?“?(.+)", one, re.I) for one in said]
    assert all(found and takes_an(found[2]) == ((found[1] or before).lower() == "an")
               for found in own)  # fmt: skip
    assert any(found and found[1] for found in own) or entity == "NATIONALITY"


def alike(one: Image.Image, other: Image.Image) -> float:
    """Return the share of the ink of two pages that both have, to three pixels."""
    inks = [(np.asarray(page) < 150).astype(np.uint8) for page in (one, other)]
    near = [cv2.dilate(ink, np.ones((7, 7), np.uint8)) for ink in inks]
    shares = [ink[by > 0].sum() / ink.sum() for ink, by in zip(inks, near[::-1], strict=True)]
    return float(min(shares))


@pytest.mark.parametrize("name", ["typewriter-prime", "serif-times", "sans-swiss"])
@pytest.mark.parametrize(
    ("answers", "written"),
    [
        ({"8": "10"}, "He is 10 and well, she 9, I 7 (too)"),
        ({"9": "11"}, "He is 8 and well, she 11, I 7 (too)"),
        ({"8": "10", "9": "11", "7": "12"}, "He is 10 and well, she 11, I 12 (too)"),
        ({"8": "10", "9": "4", "7": "12"}, "He is 10 and well, she 4, I 12 (too)"),
        ({"well": "in good health"}, "He is 8 and in good health, she 9, I 7 (too)"),
        ({"and well": "ill"}, "He is 8 ill, she 9, I 7 (too)"),
    ],
)
def test_words_behind_a_surrogate_move_where_it_has_no_room(
    name: str, answers: dict[str, str], written: str, sources: ModuleType
) -> None:
    """The line is as if it had been typed with the surrogates; the report has all that changed."""
    lines = [(40, 110, "This line is longer than all of the others are")]
    form = Form([(40, 50, "He is 8 and well, she 9, I 7 (too)"), *lines], name, size=(900, 160))
    typed, _ = typeset([(40, 50, written), *lines], name, size=(900, 160))
    replacer = form.replacer(sources.Answers({old: [new] for old, new in answers.items()}))
    findings = [form.finding(value) for value in answers]

    replacer.agree(findings)
    done = [replacer.paint(finding) for finding in findings]

    assert [report.reason for _, report in done] == [""] * len(done)
    assert sum(replacer.left(now) for now, _ in done) == 0
    boxes = [box for _, report in done for box in report.boxes]
    assert changed(form.image, replacer.image, boxes) == (True, False)
    before, after, wanted = (
        page.crop((0, 20, 900, 70)) for page in (form.image, replacer.image, typed)
    )
    assert alike(before, wanted) < alike(after, wanted) > 0.93


def test_one_word_for_two_lines_stands_on_the_last_if_its_words_can_move(
    sources: ModuleType,
) -> None:
    """A line that ends early is seen less than one that begins with a gap."""
    form = Form([(40, 50, "She suffers now from hay"), (40, 90, "fever each May.")])
    typed, _ = typeset([(40, 50, "She suffers now from"), (40, 90, "rheumatism each May.")])

    replacer = form.replacer(sources.Answers({"hay\nfever": ["rheumatism"]}))
    said = painted(form, replacer, "hay\nfever")

    assert said == [" rheumatism"]
    assert alike(replacer.image, typed) > 0.9


def test_words_move_into_the_place_that_a_value_has_left(sources: ModuleType) -> None:
    """The end of a line, of which the word went to the next one, is room for what stands before."""
    form = Form([(40, 50, "A widow, suffers from hay"), (40, 90, "fever each May.")])
    typed, _ = typeset([(40, 50, "A divorcee, suffers from"), (40, 90, "sinusitis each May.")])

    replacer = form.replacer(sources.Answers({"widow": ["divorcee"], "hay\nfever": ["sinusitis"]}))
    said = painted(form, replacer, "widow", "hay\nfever")

    assert said == ["divorcee,", " sinusitis"]
    assert alike(replacer.image, typed) > 0.9


def test_words_that_moved_show_no_value_among_them(sources: ModuleType) -> None:
    """What is only erased does not come back at its new place, nor a value found twice."""
    form = Form([(40, 50, "Aged 8 and Hillman Smith, of us"), (40, 90, "x" * 36)])
    typed, _ = typeset([(40, 50, "Aged 10 and                of us"), (40, 90, "x" * 36)])
    replacer = form.replacer(sources.Answers({"8": ["10"], "Hillman": []}))
    findings = [form.finding("8"), form.finding("Hillman")]

    replacer.agree(findings)
    replacer.erase(form.finding("Smith"))
    for finding in findings:
        replacer.paint(finding)

    assert alike(replacer.image, typed) > 0.9


@pytest.mark.parametrize("rule", [np.s_[:, 240:243], np.s_[54:57, 120:500]], ids=str)
def test_words_do_not_move_along_or_over_rules(rule: Any, sources: ModuleType) -> None:
    """In a cell, or on a line to write on, nothing moves: the value is erased, and it is said."""
    form = Form([(40, 50, "He is 8 and well here"), (40, 110, "x" * 30)], size=(700, 200))
    pixels = np.array(form.image)
    pixels[rule] = 40
    form.image = Image.fromarray(pixels)
    replacer = form.replacer(sources.Answers({"8": ["10"]}))
    finding = form.finding("8")

    replacer.agree([finding])
    _, report = replacer.paint(finding)

    assert report.reason == "no surrogate fits the space"
    assert changed(form.image, replacer.image, report.boxes) == (True, False)


@pytest.mark.parametrize(("spaces", "is_painted"), [(3, False), (4, True), (5, True), (9, True)])
def test_words_that_move_keep_off_the_next_column(
    spaces: int, is_painted: bool, sources: ModuleType
) -> None:
    """Three spaces remain between the columns; without room for a letter more, nothing moves."""
    text = "He is 8 and well" + " " * spaces + "Doctor: Hale"
    form = Form([(40, 50, text), (40, 110, "x" * 38)], size=(900, 160))
    well, doctor = (word.box for word in form.layout.words[4:6])
    space = (doctor.left - well.right) / spaces
    replacer = form.replacer(sources.Answers({"8": ["10"]}))
    finding = form.finding("8")

    replacer.agree([finding])
    _, report = replacer.paint(finding)

    assert (report.method == "surrogate") == is_painted
    strip = np.asarray(replacer.image)[well.top : well.bottom, well.left : doctor.left]
    gap = strip.shape[1] - np.flatnonzero((strip < 128).any(axis=0))[-1]
    assert gap >= 2.9 * space


@pytest.mark.parametrize("name", ["typewriter-prime", "serif-times"])
@pytest.mark.parametrize("answer", ["lame", "lamed", "lamest", "lameish", "lamenesses"])
@pytest.mark.parametrize("spaces", [2, 3, 4])
def test_surrogate_keeps_a_space_before_a_word_apart(
    spaces: int, answer: str, name: str, sources: ModuleType
) -> None:
    """It does not run into the next column or option, whatever its width."""
    texts = [(40, 50, "He is ill." + " " * spaces + "4. Married"), (40, 110, "x" * 38)]
    form = Form(texts, name, size=(900, 160))
    ill, column = (word.box for word in form.layout.words[2:4])
    replacer = form.replacer(sources.Says(answer))

    replacer.paint(form.finding("ill"))

    strip = np.asarray(replacer.image)[ill.top : ill.bottom, ill.left : column.left]
    inked = np.flatnonzero((strip < 128).any(axis=0))
    assert not len(inked) or strip.shape[1] - inked[-1] > (10 if "typewriter" in name else 4)


def test_a_stamp_that_is_read_as_a_word_does_not_move(sources: ModuleType) -> None:
    """It is in no face of the line: it stays whole, and the words move up to it if they can."""
    lines = [(40, 50, "He is 8 and well here"), (40, 110, "x" * 38)]
    image, words = typeset(lines, size=(900, 160))
    left = words[5].box.right + 40
    ImageDraw.Draw(image).ellipse((left, 26, left + 60, 56), outline=0, width=4)
    ring = Box(left, 26, left + 61, 57)
    form = Form(lines, image=image)
    stamp = replace(words[5], text="Mm", box=ring, conf=40.0)
    form.layout = layout_text([*words[:6], stamp, *words[6:]])
    assert " here Mm" in form.layout.text
    replacer = form.replacer(sources.Answers({"well": ["unfit"]}))
    finding = form.finding("well")

    replacer.agree([finding])
    _, report = replacer.paint(finding)

    assert report.method == "surrogate"
    assert changed(image, replacer.image, report.boxes) == (True, False)
    assert replacer.image.crop(ring).tobytes() == image.crop(ring).tobytes()


def test_words_that_a_stroke_connects_with_others_do_not_move(sources: ModuleType) -> None:
    """A pen stroke through them would be cut."""
    form = Form([(40, 50, "He is 8 and well here"), (40, 110, "x" * 38)], size=(900, 160))
    well = form.layout.words[4].box
    image = form.image.copy()
    line = (well.left - 10, well.bottom + 14, well.right + 14, well.top - 14)
    ImageDraw.Draw(image).line(line, 0, 3)
    form.image = image
    replacer = form.replacer(sources.Answers({"8": ["10"]}))
    finding = form.finding("8")

    replacer.agree([finding])
    _, report = replacer.paint(finding)

    assert report.reason == "no surrogate fits the space"
    assert changed(image, replacer.image, report.boxes) == (True, False)
    assert all(box.right < well.left for box in report.boxes)


@pytest.mark.parametrize("read", ["()", "(_)", "(X)", "(X)Wed", "[", "[x]", "[]None"])
def test_options_behind_typed_brackets_do_not_move(read: str, sources: ModuleType) -> None:
    """They stay in their columns, however OCR reads the brackets; other brackets move."""
    lines = [(40, 50, "He is 8 and (so) well ( ) Wed"), (40, 110, "x" * 38)]
    form = Form(lines, size=(900, 160))
    words = list(form.layout.words)
    words[6:8] = [replace(words[6], text=read, box=words[6].box.union(words[7].box))]
    form.layout = layout_text(words)
    left = words[6].box.left - 4
    replacer = form.replacer(sources.Answers({"and": ["but"], "8": ["7"], "is": ["l"]}))
    finding = form.finding("is")

    replacer.agree([finding])
    replacer.paint(finding)

    before, after = (np.asarray(page)[:80] for page in (form.image, replacer.image))
    assert (before[:, left:] == after[:, left:]).all()
    assert (before[:, :left] != after[:, :left])[:, words[2].box.left :].any()


@pytest.mark.parametrize("short", [0, 5, 9])
def test_words_move_though_ocr_cut_a_letter_off(short: int, sources: ModuleType) -> None:
    """OCR's box of an article may be narrower than it."""
    lines = [(40, 50, "He is 8 and a doctor here"), (40, 110, "x" * 38)]
    form = Form(lines, size=(900, 160))
    typed, _ = typeset([(40, 50, "He is 10 and a doctor here"), lines[1]], size=(900, 160))
    words = list(form.layout.words)
    left, top, right, bottom = words[4].box
    words[4] = replace(words[4], box=Box(left + short, top, right, bottom))
    form.layout = layout_text(words)

    replacer = form.replacer(sources.Answers({"8": ["10"]}))

    assert painted(form, replacer, "8") == ["10"]
    assert alike(replacer.image, typed) > 0.93


def test_source_hears_what_is_painted(sources: ModuleType) -> None:
    """It can tell others, as for a page's side-car; candidates that were only tried count not."""
    form, source = Form(), sources.Says("September 28, 1950", "03/14/1949")

    form.replacer(source).paint(form.finding("11/02/1950"))

    assert source.painted == [("11/02/1950", "03/14/1949")]


def test_rules_stay_and_the_value_goes() -> None:
    """The line of a form runs on under what was written on it; paper is like that around."""
    image, words = typeset([(60, 70, "Edelman")], grain=5)
    ImageDraw.Draw(image).rectangle((20, 74, 660, 75), 40)
    form = Form([(60, 70, "Edelman")], image=image)
    box = words[0].box

    replacer = form.replacer(None)
    _, report = replacer.erase(form.finding("Edelman"))

    after, free = np.asarray(replacer.image).astype(float), np.asarray(image)[100:].astype(float)
    assert (after[74:76, 20:660] == 40).all()
    inside = after[box.top : 72, box.left : box.right]
    assert inside.min() > 200
    assert inside.std() == pytest.approx(free.std(), rel=0.25)
    assert changed(image, replacer.image, report.boxes) == (True, False)


def test_descender_of_the_line_above_stays() -> None:
    """A neighbour's ink that hangs into the box is not erased."""
    texts = [(60, 60, "gypsy gypsy"), (60, 90, "Edelman")]
    form = Form(texts, em=34.0)
    above = [word.box for word in form.layout.words[:2]]
    assert form.finding("Edelman").boxes[0].top < above[0].bottom
    replacer = form.replacer(None)

    replacer.erase(form.finding("Edelman"))

    before, after = np.asarray(form.image).astype(int), np.asarray(replacer.image).astype(int)
    for left, top, right, bottom in above:
        ink = before[top:bottom, left:right] < 120
        assert (after[top:bottom, left:right][ink] < 130).mean() > 0.97


def test_number_in_a_column_ends_where_the_column_ends(sources: ModuleType) -> None:
    """Amounts whose right edges stand below each other keep doing so."""
    rows = [(200, 40, "1,250.00"), (234, 80, "750.00"), (250, 120, "12.50")]
    form = Form(rows)
    edge = form.layout.words[0].box.right
    assert all(abs(word.box.right - edge) < 3 for word in form.layout.words)
    replacer = form.replacer(sources.Says("98.25"))

    replacer.paint(form.finding("750.00", "FINANCIAL"))

    row = Sheet.of(replacer.image).dark(Box(0, 60, replacer.image.width, 82)) > 0.33
    assert np.flatnonzero(row.any(axis=0))[-1] + 1 == pytest.approx(edge, abs=2)


@pytest.mark.parametrize(("value", "instead"), [("12.25", "6.75"), ("3.5", "118.4")])
def test_numbers_keep_their_decimals_below_each_other(
    value: str, instead: str, sources: ModuleType
) -> None:
    """Numbers that share neither edge but their decimal sign keep that sign in its place."""
    step = drawn(shipped("typewriter-prime").file, "0").advance * 28.0
    column = ["3.5", "12.25", "108.125", "7.25", "41.5"]
    texts = [
        (round(300 - step * number.index(".")), 50 + 40 * row, number)
        for row, number in enumerate(column)
    ]
    form = Form(texts, size=(700, 260))
    replacer = form.replacer(sources.Says(instead))

    _, report = replacer.paint(form.finding(value))

    row = column.index(value)
    before, after = (np.asarray(image) for image in (form.image, replacer.image))
    # There is ink at the line's feet, and none above it.
    feet, above = (
        np.s_[50 + 40 * row - high : 50 + 40 * row - low, 301 : round(300 + step)]
        for low, high in ((0, 4), (6, 15))
    )
    assert report.method == "surrogate"
    for page in (before, after):
        assert (page[feet] < 120).any()
        assert (page[above] > 150).all()


def test_decimals_keep_off_what_stands_to_the_left(sources: ModuleType) -> None:
    """A longer number would run into the label: another is taken."""
    step = drawn(shipped("typewriter-prime").file, "0").advance * 28.0
    texts = [
        (round(300 - step * number.index(".")), 50 + 40 * row, number)
        for row, number in enumerate(["3.5", "12.25", "108.125"])
    ]
    form = Form([*texts, (round(300 - 5.4 * step), 90, "fee")], size=(700, 180))
    replacer = form.replacer(sources.Says("1184.75", "96.75"))

    done, report = replacer.paint(form.finding("12.25"))

    assert (report.method, done.parts[0].instead) == ("surrogate", "96.75")


@pytest.mark.parametrize("method", METHODS)
def test_value_may_only_be_erased(method: str) -> None:
    """In every way: only the boxes change, the ink is gone, nothing is painted."""
    form = Form()
    finding = form.finding("Smith")
    replacer = form.replacer(None, (), erasing=method)

    now, report = replacer.erase(finding)

    assert report == FindingReport("PERSON", report.boxes, method)
    assert [part.instead for part in now.parts] == [""]
    assert changed(form.image, replacer.image, report.boxes) == (True, False)
    left, top, right, bottom = form.layout.words[2].box
    part = np.asarray(replacer.image)[top:bottom, left:right]
    assert (part == 0).all() if method == "black" else part.min() > 150


def test_without_a_source_nothing_is_painted() -> None:
    """The finding is erased and the report says why."""
    form = Form()

    _, report = form.replacer(None).paint(form.finding("Smith"))

    assert report.reason == "there is nothing to paint"


def test_colour_of_the_ink_is_kept(sources: ModuleType) -> None:
    """Blue ink on yellow paper is blue ink on yellow paper."""
    grey = np.asarray(typeset(FORM)[0]).astype(float)[:, :, None]
    share = ((236 - grey) / 196).clip(0, 1)
    image = Image.fromarray(
        (np.array([250, 240, 190]) * (1 - share) + np.array([20, 30, 140]) * share).astype(np.uint8)
    )
    form = Form(image=image)
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Smith"))

    left, top, right, bottom = report.boxes[0]
    part = np.asarray(replacer.image)[top:bottom, left:right].reshape(-1, 3).astype(int)
    ink = part[part.sum(axis=1) <= np.percentile(part.sum(axis=1), 5)].mean(axis=0)
    assert ink == pytest.approx([20, 30, 140], abs=30)
    assert np.median(part, axis=0) == pytest.approx([250, 240, 190], abs=6)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_page_of_any_mode_is_painted(mode: str, sources: ModuleType) -> None:
    """It keeps its mode, and outside of the boxes every stored pixel."""
    drawn, _ = typeset(FORM, grain=0)
    image = (
        Image.fromarray(np.asarray(drawn).astype(np.uint16) * 257)
        if mode == "I;16"
        else drawn.quantize(64)
        if mode == "P"
        else drawn.convert("RGB").convert(mode)
    )
    form = Form(image=image)
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Smith"))

    assert report.method == "surrogate"
    assert (replacer.image.mode, replacer.image.size) == (mode, image.size)
    assert changed(image, replacer.image, report.boxes) == (True, False)


def test_a_page_of_few_grey_levels_gets_no_others(sources: ModuleType) -> None:
    """A black and white scan of which each pixel is the mean of four has five levels."""
    form = Form()
    five = np.round(np.asarray(form.image) / 255 * 4) / 4 * 255
    form.image = Image.fromarray(five.astype(np.uint8))
    replacer = form.replacer(sources.Says("Jones"))

    _, report = replacer.paint(form.finding("Smith"))

    assert report.method == "surrogate"
    assert {*np.unique(np.asarray(replacer.image))} <= {*np.unique(np.asarray(form.image))}


def test_key_and_page_decide_every_pixel(sources: ModuleType) -> None:
    """The same give the same page, another page of the scope or another key other grain."""
    form = Form()

    def page(key: str, name: str) -> bytes:
        replacer = form.replacer(sources.Says("Jones", key=key), page=name)
        replacer.paint(form.finding("Smith"))
        return replacer.image.tobytes()

    first = page("key", "0")
    assert first == page("key", "0")
    assert len({first, page("key", "1"), page("other", "0")}) == 3


def test_order_of_findings_does_not_matter_elsewhere(sources: ModuleType) -> None:
    """What is painted at one place does not depend on what was painted before at another."""
    form = Form()
    name, born = form.finding("Smith"), form.finding("11/02/1950", "DATE_OF_BIRTH")
    one, other = (form.replacer(sources.Says("Jones", "03/14/1949")) for _ in range(2))

    one.paint(name), one.paint(born)
    other.paint(born), other.paint(name)

    assert one.image.tobytes() == other.image.tobytes()


def test_surrogates_of_close_lines_are_whole(sources: ModuleType) -> None:
    """Everything is erased before anything is painted: no line's erasing cuts another's letters."""
    form = Form([(60, 60, "gypsy Hagley"), (60, 84, "Edelman Bight")], em=34.0)
    above, below = form.finding("Hagley"), form.finding("Bight")
    assert above.boxes[0].bottom > below.boxes[0].top + 6
    alone, both = (form.replacer(sources.Says("Bigly", "Hythe")) for _ in range(2))

    alone.paint(above), alone.erase(below)
    _, report = both.paint(above)
    both.paint(below)

    part = report.boxes[0].within()
    inked = np.asarray(alone.image)[part] < 120
    assert inked[below.boxes[0].top - report.boxes[0].top :].any()
    assert (np.asarray(both.image)[part][inked] < 120).all()


def test_neighbours_do_not_run_into_each_other(sources: ModuleType) -> None:
    """Space that one surrogate takes between two values is not taken by the other again."""
    rows = [(400, 40, "1,250.00"), (434, 80, "750.00"), (450, 120, "12.50")]
    form = Form([*rows, (200, 80, "Smith")])
    replacer = form.replacer(sources.Says("Hermitageite"))

    _, name = replacer.paint(form.finding("Smith"))
    now, amount = replacer.paint(form.finding("750.00", "FINANCIAL"))

    assert name.method == "surrogate"
    assert (now.parts[0].instead, amount.reason) == ("", "no surrogate fits the space")


def test_page_of_the_caller_stays(sources: ModuleType) -> None:
    """Painting works on a copy."""
    form = Form()
    before = form.image.tobytes()

    form.replacer(sources.Says("Jones")).paint(form.finding("Smith"))

    assert form.image.tobytes() == before


def test_mode_that_cannot_be_painted_is_said() -> None:
    """The error names the mode and what to do."""
    with pytest.raises(CdipError, match="mode LAB cannot be painted on: convert it to RGB"):
        Replacer(Image.new("LAB", (9, 9)), layout_text([]), FACES, None)


def test_filler_fills_and_says_why() -> None:
    """The boxes have one colour, also in a mode that cannot be painted on."""
    form = Form()
    finding = form.finding("Smith")
    filler = Filler(form.image, "black", "black", "because")

    now, report = filler.paint(finding)

    assert now is finding
    assert report == FindingReport("PERSON", finding.boxes, "black", reason="because")
    left, top, right, bottom = finding.boxes[0]
    assert (np.asarray(filler.image)[top:bottom, left:right] == 0).all()
    assert filler.erase(finding)[1].reason == "because"
    assert filler.erase(finding, "another")[1].reason == "another"


def test_nothing_shows_the_text(sources: ModuleType) -> None:
    """A log, and the report's line of JSON, say neither original nor surrogate."""
    form = Form()

    now, report = form.replacer(sources.Says("Jones")).paint(form.finding("Smith"))

    shown = repr(now) + repr(report) + json.dumps(report.as_json())
    assert "Smith" not in shown and "Jones" not in shown
    row = report.as_json()
    assert row["boxes"] == [list(box) for box in report.boxes]
    known = {"entity", "boxes", "method", "left", "face", "em", "fit", "plainest"}
    assert set(row) == known
