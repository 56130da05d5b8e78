"""Write a report in its three formats."""

import json
from pathlib import Path

from presidio_cdip.evaluation.report_html import html
from presidio_cdip.evaluation.report_markdown import markdown
from presidio_cdip.evaluation.sections import Audit
from presidio_cdip.files.outputs import write

NAMES = ("audit.html", "audit.json", "audit.md")


def write_audit(audit: Audit, folder: Path) -> None:
    """Write `NAMES` to *folder*, which is made if needed; files of these names are replaced.

    Raises:
        OutputError: One cannot be written.
    """
    texts = (
        html(audit),
        json.dumps(audit.as_json(), ensure_ascii=False, indent=2) + "\n",
        markdown(audit),
    )
    for name, text in zip(NAMES, texts, strict=True):
        write(text.encode("utf-8", "backslashreplace"), folder / name)
