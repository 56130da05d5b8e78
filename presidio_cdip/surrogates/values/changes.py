"""Replace changes of a gene that are written by place: *c.502C>T*, *p.(Gly12Asp)*, *185delAG*.

A place in the gene and the place in the protein that it makes go on to agree, and so do two
notations of one change: *G380R* and *p.Gly380Arg*, *C677T* and *677C>T*.
"""

import re
from collections.abc import Callable

from presidio_cdip.surrogates.drawing.forms import Draw

_LONG = {
    "A": "Ala", "R": "Arg", "N": "Asn", "D": "Asp", "C": "Cys", "Q": "Gln", "E": "Glu", "G": "Gly",
    "H": "His", "I": "Ile", "L": "Leu", "K": "Lys", "M": "Met", "F": "Phe", "P": "Pro", "S": "Ser",
    "T": "Thr", "W": "Trp", "Y": "Tyr", "V": "Val",
}  # fmt: skip
_SHORT = {long: letter for letter, long in _LONG.items()}
_STOPPED = "RCQEGLKSWY"  # near a stop
_BASES = "ACGT"
_LEAST, _MOST = 31, 700  # places in a protein that are drawn
_INTRONS = 30
# Not the distance from an exon's end, as in "c.433-2A>G", and not how many bases are lost or added
_PLACE = re.compile(r"(?<![\d+*-])(?<!del)(?<!ins)(?<!dup)\d+|(?<=^c\.[*-])\d+")
_BASE = re.compile(r"(?<=del|ins|dup)[ACGT]+|[ACGT]+(?=\d+\Z)")
_OF_GENE = re.compile(r"[cmgn]\.|(?:IVS)?\d")
_BASES_AROUND = re.compile(r"([ACGT])(\d+)([ACGT])")  # "C677T"
_IN_GENE = 600  # from where such a place is one of a gene, and not of a protein
_ACID = re.compile(
    rf"(?:{'|'.join(_SHORT)})(?=\d|[^a-z]|fs|\Z)"
    r"|(?<![A-Za-z])[A-Z](?=\d)|(?<=\d)[A-WYZ](?=\Z|[^A-Za-z])"
)
_RANGE = re.compile(r"(\d+)_(\d+)")
_ENDS = {"*": "X", "Ter": "X"}
_SIMPLE = re.compile(
    rf"(?:p\.)?\(?((?:{'|'.join(_SHORT)})|[A-Z])(\d+)"
    rf"({'|'.join(_SHORT)}|Ter|\*|del|[A-Z])\)?"
)
# How changes are written, of genes or of proteins
_PROTEIN = r"(?:p\.)?(?:[A-Z]\d{2,4}[A-Z](?![a-z0-9])|[A-Z][a-z]{2}\d{1,4}(?:[A-Z][a-z]{2}|\*))"
CHANGE = re.compile(
    r"(?<![\w.])(?:[cpmgn]\.\(?[\w+*>_-]*\d[\w+*>_-]*\)?|[ΔΔ]F508|F508del|delta ?F508|"
    rf"{_PROTEIN}|(?:IVS)?\d[\d_+*-]*"
    r"(?:(?:del|ins|dup)[\dACGT]*|[ACGT]>[ACGT])|\d{2,5}[ACGT]>[ACGT]|[ACGT]\d{5}[ACGT])(?!\w)"
)


def is_of_gene(text: str) -> bool:
    """Tell whether a change is written by its place in the gene, and not in the protein.

    >>> [is_of_gene(one) for one in ("c.1138G>A", "185delAG", "C677T", "G380R", "p.F508del")]
    [True, True, True, False, False]
    """
    around = _BASES_AROUND.fullmatch(text)
    return bool(_OF_GENE.match(text)) or (around is not None and int(around[2]) >= _IN_GENE)


def codon_of(text: str) -> int:
    """Return the place in the protein of a change; 0 if it has no place.

    >>> [codon_of(one) for one in ("c.1138G>A", "c.1521_1523del", "p.(Gly380Arg)")]
    [380, 508, 380]
    """
    found = _PLACE.search(text)
    if found is None:
        return 0
    place = int(found.group())
    if not is_of_gene(text):
        return place
    if (several := _RANGE.search(text)) and (int(several[2]) - int(several[1])) % 3 == 2:
        place = int(several[2])  # whole acids are lost: the last is named
    return (place + 2) // 3


def other_change(text: str, draw: Draw, codon: int = 0) -> str:
    """Return another change written as *text*; the same place becomes the same other place.

    Args:
        text: Such as ``c.502C>T``, ``1501T>C`` or ``p.(Arg168*)``.
        draw: Of the value.
        codon: The place in the protein of the other change; it is drawn if this is 0.
    """
    in_gene, own = is_of_gene(text), codon_of(text)
    if not own:
        return text
    other = codon or _other_place(own, _MOST if "IVS" not in text else _INTRONS, draw)
    moved = 3 * (other - own) if in_gene and "IVS" not in text else other - own
    text = _other_bases(text, draw) if in_gene else _other_acids(text, draw)
    head = re.split(r"(?=fs)|\Z", text, maxsplit=1)[0]
    return _PLACE.sub(lambda one: str(int(one[0]) + moved), head) + text[len(head) :]


def _other_place(own: int, most: int, draw: Draw) -> int:
    """Return another place than *own*; introns have few places."""
    least = _LEAST if most == _MOST else 2
    found = draw.part(f"{draw.entity} codon", str(own)).chance.below(most - least) + least
    return found + 1 if found >= own else found


def _other_bases(text: str, draw: Draw) -> str:
    """Return *text*, of a gene, with other bases; no base becomes itself."""
    own = "".join(re.findall(r"[ACGT]+", text))
    place = "".join(re.findall(r"\d+", text))
    chance = draw.part(f"{draw.entity} change", f"{place} {own}").chance
    if re.search(r"\d[+-]\d+[ACGT]>", text):  # beside an exon stand the same bases
        left = [one for one in _BASES if one not in own]
        return re.sub(r">[ACGT]", lambda one: f">{chance.choice(left)}", text)
    if ">" in text or _BASES_AROUND.fullmatch(text):
        pair = chance.choice([a + b for a in _BASES for b in _BASES if a != b and a + b != own])
        text = re.sub(r"[ACGT]>[ACGT]", f"{pair[0]}>{pair[1]}", text)
        return _BASES_AROUND.sub(rf"{pair[0]}\g<2>{pair[1]}", text)
    return _BASE.sub(
        lambda one: "".join(
            chance.choice([base for base in _BASES if base != each]) for each in one[0]
        ),
        text,
    )


def _other_acids(text: str, draw: Draw) -> str:
    """Return *text*, of a protein, with other acids, none of them twice; a stop stays one."""
    own = [_SHORT.get(one, one) for one in _ACID.findall(text)]
    place = "".join(re.findall(r"\d+", text)[:1])
    chance = draw.part(f"{draw.entity} change", f"{place} {''.join(own)}").chance
    stopped = re.search(r"\*|Ter|\dX\Z", text)
    left = [one for one in (_STOPPED if stopped else _LONG) if one not in own]

    def acid(match: "re.Match[str]") -> str:
        found = left.pop(chance.below(len(left)))
        return _LONG[found] if match[0] in _SHORT else found

    return _ACID.sub(acid, text)


def with_other_changes(value: str, draw: Draw, other: Callable[[str, Draw], str]) -> str:
    """Return *value* with other changes of genes, and what stands around them replaced by *other*.

    Args:
        value: Such as ``m.3243A>G, 40% of blood cells``.
        draw: Of the value.
        other: Replaces numbers or codes of a text.
    """
    parts, at = [], 0
    for match in CHANGE.finditer(value):
        parts += [_around(value[at : match.start()], draw, other), other_change(match[0], draw)]
        at = match.end()
    return "".join([*parts, _around(value[at:], draw, other)])


def _around(text: str, draw: Draw, other: Callable[[str, Draw], str]) -> str:
    return other(text, draw) if re.search(r"\d", text) else text


def shortened(text: str) -> str:
    """Return a simple change of a protein in letters; empty for any other change.

    >>> [shortened(one) for one in ("p.(Gly380Arg)", "p.Trp1282*", "delta F508", "p.Arg7fs")]
    ['G380R', 'W1282X', 'F508del', '']
    """
    text = re.sub(r"\A(?:[ΔΔ]|delta ?)(.+)", r"\1del", text)
    found = _SIMPLE.fullmatch(text)
    if found is None or is_of_gene(text):
        return ""
    first, place, last = found.groups()
    return f"{_SHORT.get(first, first)}{place}{_SHORT.get(last, _ENDS.get(last, last))}"


def written_like(text: str, short: str) -> str:
    """Return the change of a protein *short*, as of `shortened`, as *text* is written.

    >>> [written_like(one, "W1282X") for one in ("p.(Gly380Arg)", "R553X", "ΔF508", "R553*")]
    ['p.(Trp1282Ter)', 'W1282X', 'W1282X', 'W1282*']
    """
    parts = re.fullmatch(r"([A-Z])(\d+)(del|[A-Z])", short)
    if parts is None:
        return short
    first, place, last = parts.groups()
    if re.search(r"[A-Z][a-z]{2}\d", text):
        first, last = _LONG[first], "Ter" if last == "X" else _LONG.get(last, last)
    if "*" in text:
        last = "*" if last in ("X", "Ter") else last
    new = f"{first}{place}{last}"
    found = re.fullmatch(r"(p\.\(?)?.*?(\)?)", text)
    return f"{found[1] or ''}{new}{found[2]}" if found else new
