"""Replace a phrase by one that can stand in its place: of its syntax, its kind and its polarity.

``operators/phrases/like/ENTITY.tsv`` lists the phrases by class; `surrogates.values.classes` tells
the class of a value. The draw is by rendezvous hashing (Thaler and Ravishankar, 1998): of all
phrases that fit, the one with the greatest hash of the value's seed and the phrase wins, so that a
value mostly keeps its surrogate where its surroundings allow a slightly different choice.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from presidio_cdip.errors import PackError
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack, lines
from presidio_cdip.surrogates.drawing.context import Context, blanked, context_of, within
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.values.changes import CHANGE, with_other_changes
from presidio_cdip.surrogates.values.classes import SYNTAX, PhraseClass, classifier, negates
from presidio_cdip.surrogates.values.codes import YEAR, other_number, recoded
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.pairing import goes_together
from presidio_cdip.surrogates.values.remarks import remarks
from presidio_cdip.surrogates.values.setting import Setting, marks_of, setting_of
from presidio_cdip.surrogates.values.slots import GRAMMAR, NumberSlot, too_near
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.articles import with_article, with_own_article
from presidio_cdip.surrogates.writing.grammar import negated, parted, reads_on, verb_of
from presidio_cdip.surrogates.writing.text import cased_there, folded

FOLDER = "operators/phrases/like"
ENOUGH = 6  # phrases of a class from which one is drawn; fewer are joined by the next class
KEPT = 512  # settings for which a pool keeps what fits

_WORD = re.compile(r"[^\W\d_]{4,}")
_NUMBER = re.compile(numerals.NUMBER, re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?i)(?<![\w.])(?:an?|the|his|her|my|their|your|our|this|that)\s+(?:(?:1[89]|20)\d\d\s+)?\Z"
)
# "a ⟦fair risk⟧.": no noun follows that a value of adjectives could belong to
_NO_NOUN = re.compile(r"\s*(?:[.,;:!?)]|\Z|\n\s*\n)|\s+(?:of|in|on|at|to|with|for|and|or|but)\b")
_ARTICLE = re.compile(r"(?i)(?<![\w.])an?\s+\Z")
_COUNTED = re.compile(  # "two ⟦bypasses⟧"
    rf"(?i)({'|'.join(english().ones[2:13])}|\d{{1,2}}|{'|'.join(english().records['counts'])})"
    r"\s(?=[^\W\d_])"
)
_PLURAL = re.compile(r"(?i)\A(?:\S+ )?\S*[^\W\d_]s\b")
_MONTHS = "|".join(
    re.escape(one) for month in english().months for one in (month.name, month.short)
)
_MONTH_BEFORE = re.compile(rf"(?i)\b(?:{_MONTHS})\.?\s\Z")  # "Jan. ⟦6⟧"
_MONTH_BEHIND = re.compile(rf"(?i)\s(?:{_MONTHS})\b")
_YEAR_ALONE = re.compile(r"\A(?![\d/-])")  # no number of a case
_WITHOUT = re.compile(r"(?i)(?<=\w) without .*")  # behind a noun, which is there
_OF_ADJECTIVES = "ADR"
_OF_GENES = "GENETIC_DATA"
_INFINITIVE = re.compile(r"(?i)to (?=[a-z])")
_HAS = re.compile(r"(?i)\b(?:has|have|had|having)\s+\Z")
# The words before a value, the syntax that cannot follow them, and the syntax that does.
_SYNTAX_AFTER = (
    (re.compile(r"(?i)\b(?:few|couple of|number of|several|series of)\s+\Z"), "NMVZBCDAGR", "P"),
    (_DETERMINER, "MVZBCY", "N"),  # "my ⟦claim for asylum⟧"
    (
        re.compile(
            r"(?i)(?:\b(?:want(?:s|ed)?|able|ha[ds]|have|going|used|agreed?|began|continues?"
            r"|willing|ready|likely|asked|ordered|told|required|allowed|refused|promised|tried"
            r"|hopes|wishes|intends|plans|unable) to"
            r"|\b(?:asked|told|ordered|wants?|wanted|allowed|advised|urged|invited|begged|persuaded"
            r"|forced|required|expects?|expected)(?: \w+){1,3} to"
            r"|\b(?:will|would|can|could|may|might|must|shall|should|did|does|do)"
            r"(?: not| never| ever)?)\s+\Z"
        ),
        "NMVZDGCRA",
        "B",  # "will ⟦stand down⟧"
    ),
    (re.compile(r"(?i)\b(?:was|were|been|being|is|are|am)\s+\Z"), "VBZC", "D"),  # "was ⟦put away⟧"
    (_HAS, "DBZ", "V"),  # "had ⟦left the church⟧"
    (
        re.compile(r"(?i)\b(?:has|have|had) (?:not|never|ever|also|since|now|always|already)\s+\Z"),
        "NMDBZ",
        "V",
    ),
    (re.compile(r"(?i)\b(?:he|she|who)\s+\Z"), "NMDBPAR", "V"),  # "he ⟦lost his wife⟧"
    # "I ⟦attend church⟧", of which OCR makes an l
    (re.compile(r"(?:\b(?:I|[Ww]e|[Yy]ou|[Tt]hey)|(?<=[a-z,.] )l)\s+\Z"), "NMDPAR", "V"),
    (re.compile(r"(?i)\b(?:while|until|till|because|although)\s+\Z"), "VZB", "C"),
)
_AND = re.compile(r"(?i)\A(?!.*\b(?:was|were|been|being|is|are|be|got)\b).*\band\s+\Z")
# "opened letters and ⟦removed cash⟧": what has an object of its own goes on with the active voice
_ACTIVE = re.compile(
    r"\w+ed (?!(?:of|for|with|to|by|on|in|at|from|into|as|over|under|off|out|up|down|guilty)\b)\w"
)
_PERFECT = re.compile(  # begins with a participle, which may look like a noun
    r"(?:torn|given|gone|come|taken|left|lost|been|kept|held|made|seen|sworn|broken|sung|spoken"
    r"|written|driven|fallen|grown|known|shown|thrown|worn|begun|drunk|run|put|cut|let|quit|set"
    r"|sat|stood|told|sold|sent|spent|built|bought|brought|caught|taught|thought|fought|sought|met"
    r"|led|fed|found|won|got|gotten|become|\w+ed) \w"
)
# "right tube was removed": a finite verb behind its subject, none of a relative or other clause
_CLAUSE = re.compile(
    r"(?i)(?:(?!(?:who|which|that|what|when|while|where|as|if|because|after|before|until|since|and"
    r"|but|is|was|were|are|has|have|had)\b)[\w'’-]+ ){1,4}(?:is|was|were|are|has|have|had)\b"
)
_OF_VERBS = "VZDGB"  # syntaxes that begin with a verb
_AUXILIARY = re.compile(r"(?:will|would|can|could|may|might|must|is|was|has|had|does|did)\b")
_PARTICIPLE = re.compile(r"(?:\w+ly )?[a-z]+ed\b")
# Syntaxes of which some stand where another of them does, if a class has too few phrases.
_FRIENDS = ("NM", "PM", "ADR", "VZ", "BZ", "GR", "KM", "QM", "CV", "YK")
_OF_KIND = "NMPKQ"  # nouns and codes: another form of the same kind is better than another kind
_LABELLED = re.compile(r"(?:\A|[:;,(\[/\n–—-]|\s\s)\s*\Z")
_SAME_PLACE = {"N": "NM", "M": "MN", "V": "V", "K": "K"}  # classes that stand where one stands
_SHARE = re.compile(r"(?i)\d\s?(?:%|per\s?cent|pct)")
# Blood groups by their antigens: CcDee, MNs, a+ b-.
_GENOTYPE = re.compile(
    r"(?=.*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|[+-]))(?:[A-Ea-eMNSs]{1,6}[+-]?[ ,/]*){1,4}"
)
_NAMED_CODE = re.compile(r"[A-Z]{4,}[-./:_]?\d|\d[-./:_]?[A-Z]{4,}")  # "GARCIA/1944-01"
# Numbers of a sentence or a fine, no code: none is long or has a letter beside it.
_FEW_DIGITS = re.compile(r"\A(?=.*\d)(?!.*(?:\d{4}|[^\W\d_]\d|\d[^\W\d_]))")
_INITIALS = re.compile(r"(?:[A-Z][.]\s?){2}|[A-Z]{3}")
# Entities whose words tell the fact: none of their values is replaced by other numbers alone.
_OF_WORDS = frozenset({
    "TRADE_UNION_MEMBERSHIP", "POLITICAL_OPINION", "RELIGION", "ETHNIC_ORIGIN", "NATIONALITY",
    "SEXUALITY",
})  # fmt: skip
_ATTEMPTS = 8  # candidates for what follows a lead
_DETERMINERS = re.compile(  # begin a noun phrase
    r"(?i)(?:(?:an?|his|her|my|their|our) )*"
    r"(?:(?:an?|his|her|my|their|our) |few |(?:couple|number|touch|bout|bit|case|history|attack"
    r"|spell|course|trace|kind|sort|lot|series|dose|fear|risk|degree) of )(?=\S)"
)
_EDGE = re.compile(
    r"(?i)\A(?:(?:an?|the|his|her|my|is|was|has|had|been|be|being|with|of|some)\s+)+"
)


@dataclass(frozen=True, slots=True)
class Pool:
    """Phrases of one class.

    Attributes:
        phrases: As they are written in the middle of a sentence.
        words: By phrase its words of four letters or more, folded.
        hashes: By phrase 64 bits.
    """

    phrases: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    hashes: npt.NDArray[np.uint64]
    _fitting: dict[Setting, npt.NDArray[np.bool_]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, phrases: Sequence[str]) -> "Pool":
        """Return a pool of *phrases*."""
        hashes = [hashlib.blake2b(one.encode(), digest_size=8).digest() for one in phrases]
        return cls(
            tuple(phrases),
            tuple(map(_words, phrases)),
            np.array([int.from_bytes(one, "big") for one in hashes], dtype=np.uint64),
        )

    def fitting(self, setting: Setting, pack: Pack) -> npt.NDArray[np.bool_]:
        """Tell of each phrase whether it can stand in *setting*."""
        if setting not in self._fitting:
            if len(self._fitting) > KEPT:
                self._fitting.clear()
            mask = np.zeros(len(self.phrases), dtype=np.bool_)
            marks = [marks_of(one, pack) for one in self.phrases]
            mask[list(setting.indices(marks, setting.few or ENOUGH))] = True
            self._fitting[setting] = mask
        return self._fitting[setting]

    def ordered(self, seed: int) -> npt.NDArray[np.intp]:
        """Return the indices of the phrases, in an order that *seed* decides."""
        mixed = self.hashes ^ np.uint64(seed)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # SplitMix64
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        return np.argsort(mixed ^ (mixed >> np.uint64(31)))


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in _WORD.findall(folded(text)) if word not in GRAMMAR)


class Likes:
    """Read any phrase of an entity; the plainest form of an entity with classes.

    Args:
        entity: The entity.
        pack: The pack with its phrases.
    """

    def __init__(self, entity: str, pack: Pack) -> None:
        self.entity = entity
        rows: dict[str, list[str]] = {}
        item = pack.file(f"{FOLDER}/{entity.lower()}.tsv")
        for line in lines(item)[1:] if item else ():
            cells = line.split("\t")
            if len(cells) != 2:
                raise PackError(f"{FOLDER}/{entity.lower()}.tsv", f"bad row {cells[:1]}")
            rows.setdefault(cells[0], []).append(cells[1])
        if not rows:
            raise PackError("operators/", f"no phrases {FOLDER}/{entity.lower()}.tsv")
        self._rows = rows
        self._remarks = remarks(entity, pack)
        self._of_remarks: dict[tuple[str, ...], Pool] = {}
        self._pools: dict[tuple[str, ...], Pool] = {}

    def read(self, value: str, options: Mapping[str, Any]) -> Reading:
        """Return a reading of any value; its auxiliary verbs and its article stay."""
        context = context_of(options)
        lead, rest = negated(value, context.before if context else "")
        if not lead:
            lead, rest = parted(value)
        article = _DETERMINERS.match(rest)
        if article and not _CLAUSE.match(rest):
            lead, rest = lead + article.group(), rest[article.end() :]
        if not lead:
            return self._whole(value, options)
        reading = self._whole(rest, within(options, len(lead)))
        return behind(lead, reading, lambda: self._whole(value, options), context)

    def _whole(self, value: str, options: Mapping[str, Any]) -> Reading:
        context = context_of(options)
        found = self.class_of(value, context, pack_of(options))
        digits = sum(char.isdigit() for char in value)
        named = bool(_NAMED_CODE.search(value))
        wordy = named or (
            self.entity in _OF_WORDS and bool(_WORD.search(value) or _INITIALS.search(value))
        )
        of_numbers = not wordy and digits > 2 and 6 * digits >= len(value) and found.syntax != "K"
        coded = not wordy and found.syntax == "K" and 0 < digits < 3 and " " in value
        share = bool(_SHARE.search(value)) and len(_words(value)) <= 1
        few = bool(_FEW_DIGITS.search(value))
        of_gene = self.entity == _OF_GENES and CHANGE.search(value)

        def renewed(other: Callable[[str, Draw], str]) -> Reading:
            return Reading(
                f"like {found}",
                folded(value),
                lambda draw: (
                    with_other_changes(value, draw, other) if of_gene else other(value, draw)
                ),
            )

        if _GENOTYPE.fullmatch(value):
            # Six letters in two cases: to exclude the original would tell of it.
            return Reading(
                f"like {found}", value, lambda draw: _retyped(value, draw), may_stay=True
            )
        if (
            of_numbers
            or coded
            or share
            or (not wordy and found.syntax == "K" and few and not _words(value))
            or (not named and found.syntax == "Q" and _has_number(value) and "," not in value)
        ):
            return renewed(_renumbered)
        if not wordy and digits > 2 and found.syntax == "K":
            return renewed(recoded)
        pool = self._remark(value, found, context) or self._pool(found, context)
        own = _words(value)
        counted = _COUNTED.match(value) if found.syntax == "P" else None
        normal = folded(_EDGE.sub("", value, count=1)) or folded(value)

        def write(draw: Draw) -> str:
            seed = draw.keyring.chance(draw.entity, draw.normal).below(1 << 64)
            every = fitting = pool.ordered(seed)
            if (setting := setting_of(draw, (normal,))) is not None:
                fitting = every[pool.fitting(setting, pack_of(draw.options))[every]]
            chosen = [one for one in fitting if not pool.words[one] & own]
            if not chosen:  # what fits is the value itself
                chosen = [one for one in every if not pool.words[one] & own] or list(fitting)
            at = draw.attempt % len(chosen)
            in_turn = (pool.phrases[one] for one in [*chosen[at:], *chosen[:at]])
            before = context.before if context else ""
            free = (
                one
                for one in in_turn
                if reads_on(before, value, one)
                and not too_near(value, one)
                and not says_the_same(value, one, pack_of(draw.options))
                and goes_together(value, one, self.entity, pack_of(draw.options), context)
                and not (context and context.has_printed(one))
            )
            written = with_own_article(value, next(free, pool.phrases[chosen[at]]))
            if found.syntax == "B" and _INFINITIVE.match(value):
                written = f"to {written}"
            if counted and not _COUNTED.match(written) and _PLURAL.search(written):
                written = f"{_other_count(counted[1], draw)} {written}"
            return cased_there(value, written, before, context.after if context else "")

        return Reading(f"like {found}", normal, write)

    def class_of(self, value: str, context: Context | None, pack: Pack) -> PhraseClass:
        """Return the class of *value*, whose syntax is one that can stand after the word before."""
        before, after = (context.before, context.after) if context else (None, None)
        found = classifier(pack).read(self.entity, value, before, after)
        if before and found.negative and _DETERMINER.search(before):
            found = replace(found, negative=False)  # "a ⟦hole that would not heal⟧"
        if found.negative and found.syntax in "NMP" and not negates(_WITHOUT.sub("", value)):
            found = replace(found, negative=False)  # "⟦migraine without aura⟧"
        if verb := verb_of(value):
            return PhraseClass(verb, found.negative, found.kind)
        if found.syntax not in _OF_VERBS and _CLAUSE.match(value):
            return PhraseClass("C", found.negative, found.kind)
        if before and _HAS.search(before) and _PERFECT.match(value):
            return PhraseClass("V", found.negative, found.kind)
        if before and found.syntax == "D" and _AND.search(before) and _ACTIVE.match(value):
            return PhraseClass("V", found.negative, found.kind)
        for there, wrong, right in _SYNTAX_AFTER:
            if before and found.syntax in wrong and there.search(before):
                return PhraseClass(right, found.negative, found.kind)
        if (
            before and after and found.syntax in _OF_ADJECTIVES
            and " " in value and _ARTICLE.search(before) and _NO_NOUN.match(after)
        ):  # fmt: skip
            return replace(found, syntax="N")
        return found

    def _remark(self, value: str, found: PhraseClass, context: Context | None) -> Pool | None:
        """Return the phrases of the subject of a remark; None if nothing tells it."""
        phrases = self._remarks.of(value, found, context) if self._remarks else ()
        if phrases and phrases not in self._of_remarks:
            self._of_remarks[phrases] = Pool.of(phrases)
        return self._of_remarks.get(phrases)

    def _pool(self, found: PhraseClass, context: Context | None) -> Pool:
        """Return the phrases of a class, joined by the nearest classes if they are few."""
        syntaxes = _SAME_PLACE.get(found.syntax, found.syntax)
        if context and found.syntax in "NM" and not _LABELLED.search(context.before):
            syntaxes = "N" if _DETERMINER.search(context.before) else "M"
        sign = "-" if found.negative else ""
        wanted = tuple(f"{sign}{one} {found.kind}" for one in syntaxes)
        if wanted not in self._pools:
            rows = self._take(wanted)
            friends = next((ones for ones in _FRIENDS if syntaxes[0] in ones), "")
            if len(rows) < ENOUGH and syntaxes[0] in _OF_KIND:  # the kind tells more than the form
                rows += self._take(
                    name
                    for name in (f"{sign}{one} {found.kind}" for one in friends)
                    if name not in wanted
                )
            if len(rows) < ENOUGH:  # other kinds
                rows += self._take(name for name in self._rows if name.startswith(
                    tuple(f"{sign}{one} " for one in syntaxes)) and name not in wanted)  # fmt: skip
            for others in (friends, "".join(SYNTAX)):
                if len(rows) < ENOUGH:  # other syntax
                    rows += self._take(
                        name
                        for name in self._rows
                        if name.startswith("-") == found.negative
                        and name.removeprefix("-")[0] in others
                    )
            # Without a phrase that negates, or none that does not, any is better than none.
            self._pools[wanted] = Pool.of(rows or self._take(self._rows))
        return self._pools[wanted]

    def _take(self, names: Iterable[str]) -> list[str]:
        return [row for name in names for row in self._rows.get(name, ())]


def stands_after(before: str, written: str, pack: Pack) -> bool:
    """Tell whether *written* has a syntax that can follow *before*."""
    for there, wrong, right in _SYNTAX_AFTER:
        if there.search(before):
            if right == "V" and _AUXILIARY.match(written):
                return True
            if right == "D" and _PARTICIPLE.match(written):
                return True  # a past tense looks the same
            return classifier(pack).syntax(written) not in wrong
    return True


def behind(
    lead: str, reading: Reading, whole: Callable[[], Reading | None], context: Context | None
) -> Reading:
    """Return *reading*, of what follows *lead* in a value, with *lead* before its surrogates.

    If no surrogate of a few reads on from *lead*, the reading that *whole* gives of the whole value
    writes, if there is one.
    """
    before = (context.before if context else "") + lead

    def write(draw: Draw) -> str:
        pack = pack_of(draw.options)
        for attempt in range(draw.attempt, draw.attempt + _ATTEMPTS):
            new = reading.write(draw.candidate(attempt))
            if reads_on(before, "", new) and stands_after(before, new, pack):
                return _joined(lead, new)
        other = whole()
        return _joined(lead, new) if other is None else other.write(draw)

    return replace(reading, write=write)


def _joined(lead: str, rest: str) -> str:
    """Return *rest* behind *lead*, whose article fits it."""
    written = with_article(lead, rest)
    if lead[:1].isupper():
        written = written[:1].upper() + written[1:]
    return written + rest


def _renumbered(value: str, draw: Draw) -> str:
    """Return *value* with other numbers; its words stay.

    A year moves as the dates of the scope do, or back by some years; one that the page has beside
    its values stays, as long as another number changes. A day of a month remains one.
    """
    context = context_of(draw.options)
    text = context.page.fact(blanked) if context else ""

    def redrawn(told: str) -> str:
        parts, at = [], 0
        for match in _NUMBER.finditer(value):
            found = match.group()
            chance = draw.part(f"{draw.entity} number", found.casefold()).chance
            if YEAR.fullmatch(found) and _YEAR_ALONE.search(value[match.end() :]):
                new = found if found in told else surrogate_of_part("DATE_TIME", found, draw)
                if new == found and found not in told:
                    new = str(int(found) - 1 - chance.below(5))
            elif found.isdigit() and 0 < int(found) < 32 and (
                _MONTH_BEFORE.search(value[: match.start()])
                or _MONTH_BEHIND.match(value, match.end())
            ):  # fmt: skip
                near = str(max(1, int(found) - 4)), str(min(28, int(found) + 4))
                new = numerals.redrawn(found, chance, *near)
            else:
                new = other_number(found, chance)
            parts += [value[at : match.start()], new]
            at = match.end()
        return numerals.ordered(value, "".join([*parts, value[at:]]))

    for told in (text, ""):
        if (written := redrawn(told)) != value:
            return written
    # Nothing but 0 and 1, which stay elsewhere for the grammar's sake.
    return re.sub(r"[01](?!\d)", lambda _: str(draw.chance.between(2, 9)), value)


def _has_number(value: str) -> bool:
    """Tell whether *value* has a number that can change: "one" stays for the grammar's sake."""
    return any(found.casefold() not in ("one", "zero") for found in _NUMBER.findall(value))


def _other_count(count: str, draw: Draw) -> str:
    """Return another number of what is counted, at least two; "several" stays."""
    if own := numerals.value_of(count):
        return NumberSlot(str(max(2, own - 2)), str(own + 3)).redraw(count, draw)
    return count


def _retyped(value: str, draw: Draw) -> str:
    """Return a blood group with other antigens: signs of either kind, or letters of either case."""

    def character(match: "re.Match[str]") -> str:
        found = match.group()
        return draw.chance.choice("+-" if found in "+-" else (found.upper(), found.lower()))

    return re.sub(r"[+-]" if re.search(r"[+-]", value) else r"[A-Za-z]", character, value)


@lru_cache(maxsize=64)
def likes(entity: str, pack: Pack) -> Likes | None:
    """Return the form of *entity* by classes; None if the pack lists no phrases for it."""
    name = f"{FOLDER}/{entity.lower()}.tsv"
    return Likes(entity, pack) if pack.file(name) else None
