"""Check names of persons, organizations and places, and propagate them through a document."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from presidio_cdip.entities import NAMES
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_E_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_SURE = 0.8  # lowest score of a name that is propagated
_SHORT = 3  # letters of the shortest name that is propagated
_TITLE = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, english().labels['titles']))})\.?")
_LETTER = re.compile(r"[^\W\d_]")
_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de]")
_SENTENCE = re.compile(r"(?:^|[.!?:]\s+|\n\s*)\W{0,2}$")


def is_name(text: str, span: Span) -> bool:
    """Return whether *span* of *text* can be a name.

    It has a letter, is not only a title, and is not a part of an e-mail address.
    """
    value = text[span.start : span.end]
    in_address = any(
        one.start() < span.end and span.start < one.end()
        for one in _E_MAIL.finditer(text, max(0, span.start - 80), span.end + 80)
    )
    return bool(_LETTER.search(value)) and not _TITLE.fullmatch(value) and not in_address


def propagate_names(text: str, spans: Sequence[Span], names: Collection[str] = NAMES) -> list[Span]:
    """Find the names among *spans* with a high score again in *text*, outside of all *spans*.

    A name is found as whole words in the same spelling, a person also by the last name alone. If
    *text* also has the word in lower case ("rose", "hope"), it is skipped at the start of a
    sentence, where its capital letter does not show that it is a name.

    Args:
        text: The document.
        spans: In order, none overlapping.
        names: The labels of names.

    Returns:
        The further spans, in order, with the score of the name and ``+again`` after its rule, or
        ``+address`` for the part before the @ of an e-mail address that has a person's last name.
    """
    known: dict[str, Span] = {}
    for span in spans:
        if span.entity in names and span.score >= _SURE:
            for value in _spellings(text[span.start : span.end], span.entity):
                known.setdefault(value, span)
    if not known:
        return []
    words = sorted(known, key=len, reverse=True)
    joined = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    small = _held(text, {value.lower() for value in known})
    taken = [(span.start, span.end) for span in spans]
    found = []
    at = 0
    for match in re.finditer(rf"(?<![\w'-])(?:{joined})(?![\w-])", text):
        while at < len(taken) and taken[at][1] <= match.start():
            at += 1
        if at < len(taken) and taken[at][0] < match.end():
            continue
        value = " ".join(match.group().split())
        if value.lower() in small and _SENTENCE.search(
            text, max(0, match.start() - 12), match.start()
        ):
            continue
        source = known[value]
        found.append(
            replace(source, start=match.start(), end=match.end(), rule=source.rule + "+again")
        )
    found += _in_addresses(text, known, spans)
    return sorted(found, key=lambda span: span.start)


def _in_addresses(text: str, known: Mapping[str, Span], spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the part before the @ of e-mail addresses that have the last name of a person."""
    persons = {
        re.sub(r"\W", "", value).lower(): span
        for value, span in known.items()
        if span.entity == "PERSON" and " " not in value and len(value) > _SHORT
    }
    if not persons or "@" not in text:
        return
    for match in _E_MAIL.finditer(text):
        end = match.start() + match.group().index("@")
        local = text[match.start() : end].lower()
        source = next((span for name, span in persons.items() if name in local), None)
        if source and not any(span.start < end and match.start() < span.end for span in spans):
            yield replace(source, start=match.start(), end=end, rule=source.rule + "+address")


def _held(text: str, words: Collection[str]) -> set[str]:
    """Return those of *words* that stand in *text*."""
    found = (match.group() for match in re.finditer(r"[^\W\d_]+", text))
    return {word for word in found if word in words}


def _spellings(value: str, entity: str) -> Iterable[str]:
    """Yield the whole name and, for a person, the last name."""
    value = " ".join(value.split())
    letters = len(_LETTER.findall(value))
    if letters >= _SHORT and _CAPITAL.search(value):
        yield value
    if entity == "PERSON" and " " in value:
        # "Smith, Jane A." and "Jane A. Smith": the last name
        last = value.split(",")[0] if "," in value else value.rsplit(" ", 1)[1]
        if len(last) > _SHORT and last[:1].isupper() and last.isalpha():
            yield last
