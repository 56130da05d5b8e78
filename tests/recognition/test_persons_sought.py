"""Who is wanted, missing or in need of care is a person."""

import pytest

from presidio_cdip.recognition.finder import finder

ENTITIES = ("AGE", "HEALTH", "MARITAL_STATUS", "RELIGION")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wanted: man, 45, Catholic, for assault.", {"45", "Catholic"}),
        ("Looking for: woman of 32, diabetic, last seen in Tulsa.", {"32", "diabetic"}),
        ("Requires: a widow of 71 with epilepsy needs daily care.", {"widow", "71", "epilepsy"}),
        (
            "Seeks: position as housekeeper; widow, 48, Lutheran lady.",
            {"widow", "48", "Lutheran"},
        ),
        ("Seeking: girl, 14, epileptic, missing since Monday.", {"14", "epileptic"}),
        ("Wants: the woman, 63, diabetic, wants her insulin changed.", {"63", "diabetic"}),
    ],
)
def test_who_is_sought_is_found(text: str, expected: set[str]) -> None:
    """A label that seeks somebody hides nothing behind it."""
    spans = finder().find(text, min_score=0.4, wanted=ENTITIES)

    assert expected <= {text[span.start : span.end] for span in spans}
