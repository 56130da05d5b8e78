"""Draw the surrogates of a scope: the same for equal values, in any process and in any order."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from presidio_cdip.errors import CdipError, NotInvertible, ValueRefused, place_of
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Drawn, Keyring, Noting
from presidio_cdip.surrogates.drawing.context import FLIPPED, Context, Finding, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.keys import Key, default_key
from presidio_cdip.surrogates.places.mentions import find_mentions
from presidio_cdip.surrogates.policies import check_params, check_scope
from presidio_cdip.surrogates.values.boxes import Marks, Question, marks_of, moves_marks
from presidio_cdip.surrogates.writing.articles import needed_article
from presidio_cdip.surrogates.writing.breaks import Joined
from presidio_cdip.surrogates.writing.text import folded, has_whole


class FormOf(NamedTuple):
    """Name the form of a value, and tell whether it is the plainest of its entity."""

    form: str
    plainest: bool


class Candidate(NamedTuple):
    """A surrogate for one place of a page.

    Attributes:
        text: The surrogate.
        number: Counts the candidates of a value, from 0, with gaps. Those of one number agree with
            each other where the values share parts.
        parts: What the value's surrogates are drawn for: entity or list, and normalised value. So
            "wife, Ellen" and "Ellen Ward" share a first name.
        article: What must stand instead of the article before the value; "" if that can stay.
        plainest: Whether only the plainest form of the entity reads the value.
    """

    text: str
    number: int = 0
    parts: frozenset[tuple[str, str]] = frozenset()
    article: str = ""
    plainest: bool = False


class _Placed(NamedTuple):
    """A finding on a page."""

    start: int
    end: int
    entity: str


LONGEST = 4096  # characters of a value
CANDIDATES = 64  # attempts for one value
_SENTENCE = re.compile(r"[.!?][\"”’)]?\s+\Z")  # ends before the value
_WORD_STOPPED = re.compile(r"[a-z]{5,}\.\Z")  # a word and no abbreviation, with its full stop
_GOES_ON = re.compile(r"\s+[a-z]|\s*[,;]")  # within a sentence
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # without ends of lines


class Surrogates:
    """Draws realistic replacements for values, by key (see `surrogates.drawing.chance`).

    Args:
        key: At least 16 bytes. If None, the key in the file that ``PRESIDIO_CDIP_KEY_FILE`` names,
            or a random key for this process.
        scope: The name of the document or corpus in which equal values get equal surrogates; it is
            handed values without a text, so that it has no scope by default but ``"corpus"``.
        locale: As in Faker; decides how a date like 3/2/70 is read and which names are drawn.
        options: Parameters of the policy, as in ``operators/README.md``: ``{"ssn": "plausible"}``.
        pack: Provides lists and phrases; any argument that `Pack.open` accepts.
        policy: The policy's name in error messages.

    Raises:
        KeyUnusable: The key is too short or too uniform, or its file cannot be read.
        PolicyError: The scope is empty, or an option or the locale is unknown.
    """

    def __init__(
        self,
        key: bytes | str | None = None,
        scope: str = "corpus",
        locale: str = "en_US",
        options: Mapping[str, Any] | None = None,
        pack: Pack | PathLike | None = None,
        policy: str = "surrogate",
    ) -> None:
        check_scope(policy, scope)
        check_params(policy, "options", "surrogate", {**(options or {}), "locale": locale})
        self._key = default_key() if key is None else Key.of(key)
        self._scope = scope
        self._policy = policy
        self._options = {**(options or {}), "locale": locale, "pack": Pack.open(pack)}
        self._keyring = Keyring(self._key, scope, locale)

    def moves_marks(self, question: Question) -> bool:
        """Return whether the marks of the printed *question* move, on a page that is not turned."""
        answers = self._options.get("answers")
        told = {**self._options, "answers": "told"} if answers == FLIPPED else self._options
        return moves_marks(told, question)

    def surrogate(self, entity: str, value: str, context: Context | None = None) -> str:
        """Return the surrogate of *value* in the same form, with the blanks around it unchanged.

        Args:
            entity: The entity of the value.
            value: The value.
            context: Where it stands in its text, if known: the words around it choose the shape.

        Raises:
            ValueRefused: *value* has more than 4096 characters or a control character, or a form
                raised an error on it.
        """
        core, head, tail = self._core(entity, value)
        if not core:
            return value
        _, surrogate = next(self._stream(entity, core, context))
        return head + surrogate + tail

    def candidates(self, entity: str, value: str, context: Context | None = None) -> Iterator[str]:
        """Yield different surrogates of *value*, in an order derived from key, scope and value.

        The first equals the result of `surrogate`. A surrogate by an offset or a permutation is
        the only one.

        Raises:
            ValueRefused: As `surrogate`.
        """
        seen = set()
        for _, surrogate in self._numbered(entity, value, context):
            if surrogate not in seen:
                seen.add(surrogate)
                yield surrogate

    def candidates_there(self, entity: str, value: str, context: Context) -> Iterator[Candidate]:
        """Yield surrogates of *value* in the order of `candidates`, equal ones again.

        Raises:
            ValueRefused: As `surrogate`.
        """
        parts, before = self._parts(entity, value, context), context.before
        plainest = bool(parts) and self.form_of(entity, value, context).plainest
        for number, surrogate in self._numbered(entity, value, context):
            article = needed_article(before, surrogate)
            yield Candidate(surrogate, number, parts, article, plainest)

    def _numbered(
        self, entity: str, value: str, context: Context | None
    ) -> Iterator[tuple[int, str]]:
        """Yield surrogates of *value* with their numbers, which grow."""
        core, head, tail = self._core(entity, value)
        if core:
            for number, surrogate in self._stream(entity, core, context):
                yield number, head + surrogate + tail

    def _parts(self, entity: str, value: str, context: Context) -> frozenset[tuple[str, str]]:
        """Return what surrogates of *value* are drawn for."""
        phrase = self._phrase(entity, value)
        if not phrase:
            return frozenset()
        options, keyring = self._options_at(context), Noting(self._keyring)
        with self._guarded(entity):
            reading = table.read(entity, phrase, options)
            reading.write(Draw(keyring, entity, reading.normal, 1, options))
        return frozenset(keyring.noted)

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "OnPage":
        """Return the source of surrogates for one page, which knows where its values stand.

        Args:
            text: The page's text.
            findings: Start, end and entity of each finding, in code points of *text*.
        """
        placed = [_Placed(*one) for one in sorted(findings)]
        return OnPage(self, Page(text, placed))

    def form_of(self, entity: str, value: str, context: Context | None = None) -> FormOf:
        """Return the form by which *value* is read, the same for its surrogates.

        The plainest form of an entity takes every value: its surrogates may not fit the sentence.

        Raises:
            ValueRefused: As `surrogate`.
        """
        phrase = self._phrase(entity, value)
        options = self._options_at(context)
        with self._guarded(entity):
            if closely := table.read_closely(entity, phrase, options):
                return FormOf(closely.form, False)
            return FormOf(table.read_plainly(entity, phrase, options).form, True)

    def invert(self, entity: str, surrogate: str) -> str:
        """Return the original of *surrogate*, where no two originals share one.

        Such are plausible numbers (US_SSN, telephones), identifiers, other digits, and dates and
        ages that the scope's offset moves. A number that could not be issued, or a text that is no
        date, shares its surrogate with one that could or is, which is returned, in the usual
        spelling. A date or age is one drawn without its page, which can move births and ages
        otherwise (`Surrogates.surrogate` with a context).

        Raises:
            NotInvertible: It was drawn, so that others may have the same surrogate, or by a key
                that nobody has, or it is not one of this key and scope.
            ValueRefused: As `surrogate`.
        """
        core, head, tail = self._core(entity, surrogate)
        if not core:
            return surrogate
        if self._options.get("draw") in ("document", "random"):
            problem = "is drawn with a random key, which is not kept"
            raise NotInvertible(self._policy, entity, problem)
        with self._guarded(entity):
            reading = table.read(entity, core, self._options)
            draw = Draw(self._keyring.inverse(), entity, reading.normal, 0, self._options)
            try:
                original = reading.write(draw)
            except Drawn as error:
                raise NotInvertible(self._policy, entity, str(error)) from None
        if self.surrogate(entity, original) != core:
            problem = "is not a permuted surrogate of this key, scope and policy"
            raise NotInvertible(self._policy, entity, problem)
        return head + original + tail

    def seed(self, purpose: str, normal: str) -> int:
        """Return a number of 128 bits derived from key, scope, locale, *purpose* and *normal*."""
        return self._keyring.chance(purpose, normal).below(1 << 128)

    def _core(self, entity: str, value: str) -> tuple[str, str, str]:
        if len(value) > LONGEST:
            raise self._refused(entity, f"a value of {len(value)} characters; {LONGEST} at most")
        if _CONTROL.search(value):
            raise self._refused(entity, "a value with control characters; clean the text first")
        core = value.strip()
        start = value.find(core)
        return core, value[:start], value[start + len(core) :]

    def _joined(self, entity: str, core: str) -> Joined:
        return table.joined_lines(entity, core, pack_of(self._options))

    def _phrase(self, entity: str, value: str) -> str:
        """Return *value* as forms read it: without the blanks around it, its lines joined."""
        core, _, _ = self._core(entity, value)
        return self._joined(entity, core).phrase

    def mentions_on(self, page: Page) -> Iterator[tuple[int, int, str]]:
        """Yield where *page* repeats towns or names of its values, and what draws them."""
        for one in find_mentions(page, pack_of(self._options)):
            yield one.start, one.end, one.drawn_as

    def _stream(self, entity: str, core: str, context: Context | None) -> Iterator[tuple[int, str]]:
        """Yield surrogates that differ from the original, if they must, or at last the label.

        With each comes the number of its attempt, and with those held back greater ones.
        """
        lines = self._joined(entity, core)
        own = folded(lines.phrase)
        options = self._options_at(context)
        others = context.page.fact(_originals).get(entity, set()) if context else set()
        before = _before_turning(context)
        passed: list[str] = []
        given = False
        with self._guarded(entity):
            for reading in self._readings(entity, lines.phrase, options):
                for attempt in range(CANDIDATES):
                    draw = Draw(self._keyring, entity, reading.normal, attempt, options)
                    surrogate = _ended(core, _begun(core, reading.write(draw), context), context)
                    if not surrogate.strip() or (before and folded(surrogate) == before):
                        pass
                    elif not reading.may_stay and (
                        folded(surrogate) in others
                        or (not reading.may_contain and has_whole(surrogate, lines.phrase))
                    ):
                        # It says what a value of the page says; own words are never given.
                        passed += [surrogate] if folded(surrogate) != own else []
                    elif reading.may_stay or folded(surrogate) != own:
                        given = True
                        yield attempt, lines.broken(surrogate)
                    if not draw.varies:
                        break
                yield from enumerate(map(lines.broken, passed), CANDIDATES)
                if given or passed:
                    return
                if before:
                    yield 0, core
                    return
        yield 0, f"<{entity}>"

    @contextmanager
    def _guarded(self, entity: str) -> Iterator[None]:
        """Refuse the value if a form fails."""
        try:
            yield
        except CdipError:
            raise
        except Exception as error:
            # The error's message may hold the value; the document must not count as processed.
            raise self._refused(entity, f"a form failed: {place_of(error)}") from None

    def _options_at(self, context: Context | None) -> Mapping[str, Any]:
        return {**self._options, "context": context} if context else self._options

    def _readings(self, entity: str, core: str, options: Mapping[str, Any]) -> Iterator[Reading]:
        """Yield the reading of the value, then the reading by the entity's plainest form."""
        yield table.read(entity, core, options)
        yield table.read_plainly(entity, core, options)

    def _refused(self, entity: str, problem: str) -> ValueRefused:
        return ValueRefused(self._policy, entity, problem)


def _begun(value: str, surrogate: str, context: Context | None) -> str:
    """Return *surrogate* with a capital where it begins a sentence as *value* does."""
    begins = context and value[:1].isupper() and surrogate[:1].islower()
    if begins and context and _SENTENCE.search(context.before):
        return surrogate[0].upper() + surrogate[1:]
    return surrogate


def _ended(value: str, surrogate: str, context: Context | None) -> str:
    """Return *surrogate* without the full stop of an abbreviation where the page has one.

    A word that replaces an abbreviation within a sentence has none either.
    """
    if context and value.endswith(".") and _WORD_STOPPED.search(surrogate):
        return surrogate[:-1] if _GOES_ON.match(context.after) else surrogate
    stops = context and surrogate.endswith(".") and not value.endswith(".")
    if stops and context and context.after[:1] == "." and context.after[:2] != "..":
        return surrogate[:-1]
    return surrogate


def _before_turning(context: Context | None) -> str:
    """Return the folded original of a value that was turned with its page; "" without one."""
    if context is None or not context.page.is_turned:
        return ""
    text, start, end = context.page.written(context.start, context.end)
    source, own = text[start:end].strip(), context.page.text[context.start : context.end].strip()
    return folded(source) if source != own else ""


def _originals(page: Page) -> dict[str, set[str]]:
    """Return the folded values of a page by entity."""
    found: dict[str, set[str]] = {}
    for one in page.findings:
        found.setdefault(one.entity, set()).add(folded(page.text[one.start : one.end]))
    return found


class OnPage:
    """Draw the surrogates of one page image, whose words around a value cannot change."""

    def __init__(self, surrogates: Surrogates, page: Page) -> None:
        self._surrogates = surrogates
        self._page = page

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[Candidate]:
        """Yield surrogates of the *value* at ``[start, end)`` of the page's text, lazily."""
        context = Context(self._page, start, end)
        yield from self._surrogates.candidates_there(entity, value, context)

    def marks(self, boxes: Collection[tuple[int, int]]) -> Iterator[Marks]:
        """Yield the marks of each printed question whose marks move.

        Args:
            boxes: Start and end of each check box whose mark can move to another one.
        """

        def surrogate(finding: Finding, box: str, context: Context) -> str:
            return self._surrogates.surrogate(finding.entity, box, context)

        page = self._page.with_boxes(boxes)
        return marks_of(page, self._surrogates.moves_marks, surrogate)

    def mentions(self) -> Iterator[tuple[int, int, str]]:
        """Yield where the text repeats towns or names of its values, and what draws them."""
        yield from self._surrogates.mentions_on(self._page)

    def chosen(self, value: str, text: str) -> None:
        """Hear that *text* is painted in place of *value*."""
