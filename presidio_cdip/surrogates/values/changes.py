"""Replace changes of a gene that are written by place: *c.502C>T*, *p.(Gly12Asp)*, *c.68delA*.

A place in the gene and the place in the protein that it makes go on to agree.
"""

import re

from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw

_ACIDS = [
    "Ala", "Arg", "Asn", "Asp", "Cys", "Gln", "Glu", "Gly", "His", "Ile", "Leu", "Lys", "Met",
    "Phe", "Pro", "Ser", "Thr", "Trp", "Tyr", "Val",
]  # fmt: skip
_STOPPED = ["Arg", "Cys", "Gln", "Glu", "Gly", "Leu", "Lys", "Ser", "Trp", "Tyr"]  # near a stop
_LETTERS = "ARNDCQEGHILKMFPSTWYV"
_BASES = "ACGT"
_LEAST, _MOST = 31, 700  # places in a protein that are drawn
_PLACE = re.compile(r"\d+")
_BASE = re.compile(r"(?<=\d)[ACGT](?=>)|(?<=>)[ACGT]|(?<=del|ins|dup)[ACGT]+")
_LONG_ACID = re.compile(rf"(?:{'|'.join(_ACIDS)})(?=\d|[^a-z]|fs|\Z)")
_ACID = re.compile(r"(?<![A-Za-z])[A-Z](?=\d)|(?<=\d)[A-Z](?=\Z|[^A-Za-z])")
OF_GENE = "cmgn"  # the letters before the full stop of places in a gene


def other_change(text: str, draw: Draw) -> str:
    """Return another change written as *text*; the same place becomes the same other place.

    Args:
        text: Such as ``c.502C>T`` or ``p.(Arg168*)``.
        draw: Of the value.
    """
    in_gene = text[:1] in OF_GENE and text[1:2] == "."
    first = _PLACE.search(text)
    if first is None:
        return text
    place = int(first.group())
    codon = (place + 2) // 3 if in_gene else place
    other = draw.part(f"{draw.entity} codon", str(codon)).chance.below(_MOST - _LEAST) + _LEAST
    moved = 3 * (other - codon) if in_gene else other - codon
    chance = draw.part(f"{draw.entity} change", text).chance

    def bases(match: "re.Match[str]") -> str:
        return "".join(chance.choice([one for one in _BASES if one != own]) for own in match[0])

    if not in_gene:
        longer = list(_STOPPED if "*" in text or "Ter" in text else _ACIDS)
        text = _others(text, _LONG_ACID, longer, chance)
        text = _others(text, _ACID, list(_LETTERS), chance)
    elif re.search(r"\d[+-]\d+[ACGT]>", text):  # beside an exon stand the same bases
        text = re.sub(r">([ACGT])", lambda one: f">{_third(text, one[1], chance)}", text)
    elif ">" in text:  # no base becomes itself
        pair = chance.choice([a + b for a in _BASES for b in _BASES if a != b])
        text = re.sub(r"[ACGT]>[ACGT]", f"{pair[0]}>{pair[1]}", text)
    else:
        text = _BASE.sub(bases, text)
    head, tail = re.split(r"(?=fs)|\Z", text, maxsplit=1)[0], ""
    tail = text[len(head) :]
    return _PLACE.sub(lambda one: _place(one[0], moved, place), head) + tail


def _place(text: str, moved: int, place: int) -> str:
    """Return a place so many further; a distance from an exon's end, as in *c.433-2A>G*, stays."""
    return str(int(text) + moved) if int(text) >= min(place, _LEAST) else text


def _others(text: str, pattern: re.Pattern[str], acids: list[str], chance: Chance) -> str:
    """Return *text* with other *acids* where *pattern* finds some, none of them twice."""
    left = [one for one in acids if one not in pattern.findall(text)]
    return pattern.sub(lambda one: left.pop(chance.below(len(left))), text)


def _third(text: str, own: str, chance: Chance) -> str:
    """Return a base that is neither *own* nor the one before the arrow of *text*."""
    return chance.choice([one for one in _BASES if one not in (own, text[text.index(">") - 1])])
