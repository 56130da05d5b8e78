"""Read a code of a list by the legend of its page: ``F = for, A = against, D = doubtful``."""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading

_ENTRY = re.compile(r"(?<![\w.])([A-Z]{1,3}) ?([=:]|(?<= )[-–—](?= )) ?(?=[a-z]|[A-Z][a-z])")
_CODE = re.compile(r"[A-Z]{1,3}")
_FEWEST = 3  # codes of a legend: of two, each would tell the other
_APART = 80  # characters at most between two entries of one legend


def _legends(page: Page) -> Mapping[str, tuple[str, ...]]:
    """Return by code the codes of the legend that explains it.

    A legend ends where a code comes again, or is explained in another way: ``F: for`` is of no
    legend of ``M = married``.
    """
    found: dict[str, tuple[str, ...]] = {}
    group: list[str] = []
    end, sign = 0, ""
    for one in [*_ENTRY.finditer(page.text), None]:
        if one is None or one.start() - end > _APART or one[1] in group or one[2] != sign:
            if len(codes := tuple(dict.fromkeys(group))) >= _FEWEST:
                found.update((code, codes) for code in codes)
            group = []
        if one:
            group.append(one[1])
            end, sign = one.end(), one[2]
    return found


class LegendCode:
    """Read a code that a legend on the page explains; write another code of the legend."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a code; None for others, without a legend, and for kept answers."""
        context = context_of(options)
        if not _CODE.fullmatch(value) or context is None or options.get("answers") == "kept":
            return None
        codes = context.page.fact(_legends).get(value)
        if codes is None:
            return None

        def write(draw: Draw) -> str:
            return draw.part(f"{draw.entity} code", value).choice(codes, but=value)

        # Other rows of the list have the other codes, which are no reason to pass one over.
        return Reading("code of a legend", value, write, may_stay=True)


FORMS: tuple[Form, ...] = (LegendCode(),)
