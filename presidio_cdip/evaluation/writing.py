"""Write a report in its three formats."""

import json
from collections.abc import Sequence
from pathlib import Path

from presidio_cdip.evaluation.report_html import html
from presidio_cdip.evaluation.report_markdown import markdown
from presidio_cdip.evaluation.sections import Audit
from presidio_cdip.files.outputs import write

NAMES = ("audit.html", "audit.json", "audit.md")


def write_audit(audit: Audit, folder: Path, names: Sequence[str] = NAMES) -> None:
    """Write HTML, JSON and Markdown to *folder*, which is made if needed.

    Args:
        audit: The report.
        folder: Files of the same *names* in it are replaced.
        names: Of the page, the data and the text, in this order.

    Raises:
        OutputError: One cannot be written.
    """
    texts = (
        html(audit),
        json.dumps(audit.as_json(), ensure_ascii=False, indent=2) + "\n",
        markdown(audit),
    )
    for name, text in zip(names, texts, strict=True):
        write(text.encode("utf-8", "backslashreplace"), folder / name)
