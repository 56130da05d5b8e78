"""Read documents of many formats into segments of text, and write them with other text.

    file ──► segments, embedded files ──► one text ──► findings ──► edits ──► file ──► read again
             a module a format            joining      recognition/ steps     the same module

* ``segments``: what every format is read into; ``formats``: which module reads a file.
* ``joining``: one text of all segments, so that a value found once is found everywhere.
* ``rewriting``: find and replace, in embedded files too; ``pictures``: in the pictures among them.
* ``verifying``: search what was written for the originals.
* ``office``, ``sheets``, ``texts``, ``pdf``: the formats; ``checking``: redactions of others;
  ``html_view``: a page that shows findings.

Nothing of a format is imported before a file of it is read.
"""

import stat
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from presidio_cdip.documents.segments import Segment, Settings

if TYPE_CHECKING:
    from presidio_cdip.documents.rewriting import Report, Tools
    from presidio_cdip.pack.pack import Pack, PathLike

__all__ = ["Segment", "Settings", "analyze", "anonymize", "read", "tools"]


def read(path: Path | str, settings: Settings | None = None) -> Sequence[Segment]:
    """Return the text of a document, each segment with its place.

    Files within it are not opened.

    Raises:
        UnreadableInput: It cannot be read, or is no document.
        MissingDependency: The extra for documents is not installed.
    """
    from presidio_cdip.documents.formats import format_of, open_document
    from presidio_cdip.errors import UnreadableInput
    from presidio_cdip.files.inputs import read_bytes

    data, name = read_bytes(Path(path)), str(path)
    kind = format_of(data, name)
    if kind is None:
        raise UnreadableInput(name, "is not a document of a format known here")
    return open_document(data, name, kind, settings or Settings()).segments


def tools(
    policy: str | None = "surrogate",
    key: bytes | str | None = None,
    scope: str = "corpus",
    *,
    locale: str | None = None,
    pack: "Pack | PathLike | None" = None,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
    model: str | Path | None = None,
    threads: int | None = None,
    entities: Sequence[str] = (),
    names: bool = False,
    min_score: float | str | None = None,
    settings: Settings | None = None,
) -> "Tools":
    """Return the tools that find and replace values in one document: each needs its own.

    Args:
        policy: What findings become, by name or file; None to replace nothing.
        key: The key of surrogates; None as `Surrogates` takes it.
        scope: Equal values within it get equal surrogates.
        locale: Of names, places and dates [default: the policy's].
        pack: Provides rules, lists and phrases.
        changes: Changed parameters of the policy, by entity.
        model: A model's folder, ``"none"``, or None for the shipped one.
        threads: Threads for the model.
        entities: The entities to look for; empty for all.
        names: Whether names of persons, organizations and places are findings, too.
        min_score: The least score of a finding; None for the balanced operating point.
        settings: What findings on pages and in pictures become, and the language and limits of
            pictures.

    Raises:
        CdipError: Pack, model, policy or key cannot be used.
    """
    from presidio_cdip import steps
    from presidio_cdip.documents.pictures import redactor
    from presidio_cdip.documents.replacement import Replacement
    from presidio_cdip.documents.rewriting import Remembering, Tools
    from presidio_cdip.recognition.finder import finder, least_score

    found = finder(pack, model, threads)
    asked = found.served(entities, names)
    find = Remembering(
        partial(
            found.find,
            wanted=asked,
            names=not set(asked).isdisjoint(found.names),
            min_score=least_score(min_score),
        )
    )
    settings = settings or Settings()
    if policy is None:
        return Tools(find, redactor(find, settings))
    replacement = Replacement(
        steps.steps(policy, key, None, locale, pack, changes), scope, pack=pack, forms=True
    )
    return Tools(find, redactor(find, settings, replacement), replacement.anonymize)


def analyze(path: Path | str, settings: Settings | None = None, **options: Any) -> "Report":
    """Find values in a document; *options* are those of `tools`.

    Raises:
        UnreadableInput: It cannot be read, or is no document.
        MissingDependency: An extra is not installed.
    """
    from presidio_cdip.documents import rewriting
    from presidio_cdip.files.inputs import read_bytes

    settings = settings or Settings()
    made = tools(None, settings=settings, **options)
    return rewriting.analyze(read_bytes(Path(path)), str(path), made, settings)


def anonymize(
    path: Path | str,
    out: Path | str,
    policy: str = "surrogate",
    key: bytes | str | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> "Report":
    """Replace the findings in a document, and write it in the same format.

    Args:
        path: The document; it is not changed.
        out: The file to write, whole or not at all.
        policy: What findings become.
        key: The key of surrogates.
        settings: How to read and write it.
        options: Further options of `tools`.

    Raises:
        UnreadableInput: It cannot be read or written, or is no document.
        StillReadable: An original can still be found in the result; nothing was written.
        OutputError: *out* is *path*, has another suffix, or cannot be written.
        MissingDependency: An extra is not installed.
    """
    from presidio_cdip.documents import rewriting
    from presidio_cdip.errors import OutputError
    from presidio_cdip.files.folders import same_file
    from presidio_cdip.files.inputs import read_bytes
    from presidio_cdip.files.outputs import write

    settings = settings or Settings()
    source, target = Path(path), Path(out)
    if same_file(source, target):
        raise OutputError(target, "is the document itself: write to another file")
    given, asked = source.suffix.lower(), target.suffix.lower()
    if given and asked and given != asked:
        raise OutputError(target, f"a document stays in its format: write to a file in {given}")
    made = tools(policy, key, settings=settings, **options)
    new, report = rewriting.rewrite(read_bytes(source), str(path), made, settings)
    write(new, target, stat.S_IMODE(source.stat().st_mode))
    return report
