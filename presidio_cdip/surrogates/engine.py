"""The surrogates of a scope: a value always has the same one, on every worker and in any order."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from presidio_cdip.errors import CdipError, PolicyError, ValueRefused, place_of
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.keys import Key, default_key
from presidio_cdip.surrogates.policies import check_params, check_scope
from presidio_cdip.surrogates.writing.text import folded

LONGEST = 4096  # characters of a value
CANDIDATES = 64  # attempts that one value's stream makes
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # all but ends of lines


class Surrogates:
    """Draws realistic replacements for values, by key (see `surrogates.drawing.chance`).

    Args:
        key: At least 16 bytes; if None, that of the file which ``PRESIDIO_CDIP_KEY_FILE`` names,
            else a random one of this process.
        scope: Where a value keeps its surrogate: the name of a document, or of a corpus.
        locale: As in Faker; decides what a date like 3/2/70 means and where names are drawn from.
        options: Parameters of the policy, as in ``operators/README.md``: ``{"ssn": "plausible"}``.
        pack: Whose lists and phrases are drawn from; as `Pack.open` takes it.
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

    def surrogate(self, entity: str, value: str) -> str:
        """Return the surrogate of *value* in the same form, with its surrounding blanks.

        Raises:
            PolicyError: There are no forms for *entity*.
            ValueRefused: *value* is longer than 4096 characters, holds control characters, or a
                form failed on it.
        """
        core, head, tail = self._core(entity, value)
        if not core:
            return value
        return head + next(self._stream(entity, core)) + tail

    def candidates(self, entity: str, value: str) -> Iterator[str]:
        """Return different surrogates of *value*, in an order that key, scope and value decide.

        The first is that of `surrogate`. It may be the only one: an offset or a permutation has no
        other.

        Raises:
            PolicyError: As `surrogate`.
            ValueRefused: As `surrogate`.
        """
        core, head, tail = self._core(entity, value)
        if not core:
            return
        seen = set()
        for surrogate in self._stream(entity, core):
            if surrogate not in seen:
                seen.add(surrogate)
                yield head + surrogate + tail

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

    def _stream(self, entity: str, core: str) -> Iterator[str]:
        """Yield at least one surrogate that differs from the original, then further attempts."""
        own = folded(core)
        given = False
        try:
            for reading in self._readings(entity, core):
                for attempt in range(CANDIDATES):
                    draw = Draw(self._keyring, entity, reading.normal, attempt, self._options)
                    surrogate = reading.write(draw)
                    if surrogate.strip() and (reading.may_stay or folded(surrogate) != own):
                        given = True
                        yield surrogate
                if given:
                    return
        except CdipError:
            raise
        except Exception as error:
            # The message may hold the value, and the document must not count as done.
            raise self._refused(entity, f"a form failed: {place_of(error)}") from None
        yield f"<{entity}>"

    def _readings(self, entity: str, core: str) -> Iterator[Reading]:
        """Yield the reading of the value, then that of its entity's plainest form."""
        forms = table.forms_of(entity, self._options["pack"])
        if not forms:
            raise PolicyError(self._policy, f"there are no surrogates for {entity}")
        if reading := table.read(entity, core, self._options):
            yield reading
        if plainest := forms[-1].read(core, self._options):
            yield plainest

    def _refused(self, entity: str, problem: str) -> ValueRefused:
        return ValueRefused(self._policy, entity, problem)
