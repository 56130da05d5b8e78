"""Treat the documents of a group in a child: find, replace and check."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from presidio_cdip import steps
from presidio_cdip.datasets.frames import Answer, Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import DONE, FAILED, NO_PAGE, UNREAD
from presidio_cdip.datasets.sidecars import rewriting as sidecars
from presidio_cdip.datasets.sidecars.values import Known, Listening
from presidio_cdip.documents import rewriting
from presidio_cdip.documents.pictures import redactor
from presidio_cdip.errors import (
    CdipError,
    ExitCode,
    StillReadable,
    UnreadableInput,
    UnsupportedPage,
    ValueRefused,
    place_of,
)
from presidio_cdip.recognition.finder import finder, least_score


class Treating:
    """Treat groups of documents, with pack and model loaded once."""

    def __init__(self, treatment: Treatment) -> None:
        """Load pack, model and policy.

        Raises:
            CdipError: One of them cannot be used.
        """
        self._treatment = treatment
        found = finder(treatment.pack, treatment.model, 1)
        asked = found.served(treatment.entities, treatment.names)
        self._find = partial(
            found.find,
            wanted=asked,
            names=not set(asked).isdisjoint(found.names),
            min_score=least_score(treatment.min_score),
        )
        found.warm_up(treatment.names)
        self._made = steps.steps(
            treatment.policy, treatment.key, None, treatment.locale, treatment.pack,
            treatment.changes,
        )  # fmt: skip
        steps.check_usable(self._made)
        self._carry_out = _carrier(treatment.carrier) if steps.need_presidio(self._made) else None

    def __call__(self, scope: str, pieces: Sequence[Piece]) -> Iterator[Answer]:
        """Yield the answer for each of *pieces*, which share *scope*."""
        known = Known()
        replacement = Listening(
            self._made, self._scope(scope), self._treatment.scope_from, self._treatment.pack,
            self._carry_out, True, known=known,
        )  # fmt: skip
        find = known.watching(self._find)
        redact = redactor(find, self._treatment.settings, replacement)
        tools = rewriting.Tools(find, known.placing(redact), replacement.anonymize)
        whole = True
        for piece in pieces:
            answer = self._answer(piece, tools, known, whole)
            whole = whole and answer[0]["state"] == DONE
            yield answer

    def _scope(self, own: str) -> str:
        if self._treatment.scope is not None:
            return self._treatment.scope
        return "" if self._treatment.scope_from is not None else own

    def _answer(self, piece: Piece, tools: rewriting.Tools, known: Known, whole: bool) -> Answer:
        try:
            if not piece.sidecar:
                new, report = rewriting.rewrite_any(
                    piece.data, piece.name, tools, self._treatment.settings
                )
                return _done(report), new
            if not whole:
                return _lost(FAILED, NO_PAGE, ExitCode.UNREADABLE), b""
            return sidecars.rewrite(piece.data, piece.name, piece.sidecar, tools.find, known)
        except MemoryError:
            raise
        except UnreadableInput as error:
            return _lost(UNREAD, _said(error, piece.name), error.exit_code), b""
        except (StillReadable, ValueRefused, UnsupportedPage) as error:
            return _lost(FAILED, _said(error, piece.name), error.exit_code), b""
        except CdipError as error:  # it would concern the next document, too
            return {"state": FAILED, "refused": str(error), "code": int(error.exit_code)}, b""
        except Exception as error:  # its message may hold text of the document
            problem = f"failed ({place_of(error)})"
            return _lost(UNREAD, problem, ExitCode.UNREADABLE), b""


def loaded(given: Mapping[str, Any]) -> Treating:
    """Return the `Treating` of a treatment given as JSON."""
    return Treating(Treatment.of(given))


def _carrier(named: str) -> steps.CarryOut:
    module, _, function = named.partition(":")
    made: steps.CarryOut = getattr(import_module(module), function)()
    return made


def _done(report: rewriting.Report) -> dict[str, Any]:
    return {
        "state": DONE,
        "found": dict(report.counts()),
        "plainest": dict(report.plainest()),
        "unread": len(report.unread),
        "removed": len(report.removed),
    }


def _lost(state: str, problem: str, code: ExitCode) -> dict[str, Any]:
    return {"state": state, "problem": problem, "code": int(code)}


def _said(error: CdipError, name: str) -> str:
    return str(error).removeprefix(f"{name}: ")
