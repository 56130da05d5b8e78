"""A descent goes with the nationality on its line."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.nations import nation_of

KEY = bytes(range(32))


def rows(descent: str, nationality: str, scopes: int = 20) -> set[tuple[str, str]]:
    """Return what the two cells of a crew list become, in some scopes."""
    line, found = f"5   TOLL, Amos     Fireman   29   M   {descent}    {nationality}    5-5", []
    at = line.index(descent)
    spans = [Span(at, at + len(descent), "ETHNIC_ORIGIN", 1.0, "")]
    at = line.rindex(nationality)
    spans.append(Span(at, at + len(nationality), "NATIONALITY", 1.0, ""))
    page = Page(line, spans)
    for scope in range(scopes):
        drawn = Surrogates(KEY, f"doc-{scope}")
        found.append(
            tuple(
                drawn.surrogate(
                    one.entity, line[one.start : one.end], Context(page, one.start, one.end)
                )
                for one in spans
            )
        )
    return {(one, other) for one, other in found}


@pytest.mark.parametrize(
    ("descent", "nationality"),
    [("Swedish", "Sweden"), ("Swedish", "Swed."), ("Italian", "Italian")],
)
def test_a_descent_goes_with_the_nationality_beside_it(descent: str, nationality: str) -> None:
    """Two cells of one people stay two cells of one, another."""
    found = rows(descent, nationality)

    assert len(found) > 1
    for one, other in found:
        assert one != descent
        assert nation_of(one, Pack()) == nation_of(other, Pack())


def test_a_descent_beside_another_nationality_is_its_own() -> None:
    """An Italian who is British says nothing of what becomes of either."""
    found = rows("Italian", "British")

    assert any(nation_of(one, Pack()) != nation_of(other, Pack()) for one, other in found)
