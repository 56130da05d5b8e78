"""A bad document is refused in one line, or done."""

import pytest

from benchmarks.documents_bad import BAD, SLOW, file_of
from benchmarks.documents_running import DONE, NOT_BUILT, REFUSED, Outcome, apart, rewritten
from presidio_cdip.documents.segments import Settings

pytestmark = pytest.mark.checkout

HUGE = (
    "ZIP bomb: a.docx", "100,000 pages: a.pdf", "1,048,576 rows: a.xlsx", "PDF bomb: a.pdf",
)  # fmt: skip

QUICK = [name for name in BAD if not name.startswith(SLOW)]


def check(outcome: Outcome) -> None:
    """Assert how a bad document may end, or skip what is not built."""
    if outcome.kind == NOT_BUILT:
        pytest.skip(outcome.said)
    assert outcome.kind in (DONE, REFUSED), (outcome.kind, outcome.said)
    assert "\n" not in outcome.said


@pytest.mark.parametrize("name", QUICK)
def test_bad_document_is_refused_or_done(name: str) -> None:
    """Without an error of a library, and within seconds."""
    check(rewritten(BAD[name](), file_of(name), Settings(), threads=1))


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE)
def test_huge_document_is_done_or_refused(name: str) -> None:
    """In 1 GB, and without a traceback; `benchmarks.documents` has all, and their time."""
    check(apart(BAD[name](), file_of(name)))
