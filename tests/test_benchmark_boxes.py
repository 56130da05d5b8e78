"""The forms with check boxes that are drawn to measure say what their text says."""

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("cv2", reason="the extra [image] brings OpenCV")

from benchmarks import boxes  # noqa: E402
from presidio_cdip.imaging.words import EMPTY, MARKED  # noqa: E402
from presidio_cdip.recognition.finder import finder  # noqa: E402

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize("number", range(3))
def test_a_form_has_the_boxes_of_its_text(number: int) -> None:
    """Each box of the text is drawn once, with its mark; a seed gives the same form again."""
    form = boxes.drawn(number, 1)

    assert [on for _, on in form.boxes].count(True) == form.text.count(MARKED)
    assert [on for _, on in form.boxes].count(False) == form.text.count(EMPTY)
    assert np.array_equal(np.asarray(form.image), np.asarray(boxes.drawn(number, 1).image))


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("number", [0, 3])
def test_a_page_has_the_findings_of_its_text(number: int) -> None:
    """What is found in a form as text is found on its page, and nothing else is."""
    tally, told = boxes.judged(boxes.drawn(number, 1), finder(), 0.4)

    assert tally.values and not told
    assert (tally.found, tally.right, tally.false) == (tally.boxes, tally.boxes, 0)
