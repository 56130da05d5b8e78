"""Replace the findings in one file: a text, a page image or a document."""

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from presidio_cdip import steps
from presidio_cdip.cli.options import Analysis, imaging, unread_writing
from presidio_cdip.cli.printing import note, printable
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.segments import Note, Place, Settings
from presidio_cdip.errors import CdipError, OutputError, UnreadableInput
from presidio_cdip.files.accounts import Done
from presidio_cdip.files.folders import PREVIEW_OF_TEXT, Job
from presidio_cdip.files.inputs import STANDARD_INPUT, decode, is_image, read_input
from presidio_cdip.files.outputs import write

if TYPE_CHECKING:
    from presidio_cdip.documents.formats import Format
    from presidio_cdip.documents.reviews.review import Review
    from presidio_cdip.documents.rewriting import Shown
    from presidio_cdip.imaging.previews import Previews
    from presidio_cdip.imaging.redaction import FileReport
    from presidio_cdip.recognition.spans import Span
    from presidio_cdip.surrogates.vault import Vault


_SURE = 0.6  # the score of a finding in a name; models see illnesses in single words below it
_CODE = 2  # characters of a name that are no value


class Row(NamedTuple):
    """Values of one entity in one file or page, as the table shows them.

    Attributes:
        file: The file, and the page of an image.
        entity: The entity.
        values: How many of its values were found.
        how: The operator of the policy, or the method of page images; "kept" where they stay.
        reason: Why they were erased and not painted.
    """

    file: str
    entity: str
    values: int
    how: str
    reason: str = ""


@dataclass
class Replacing:
    """Replace the findings in files of all kinds.

    Attributes:
        analysis: What is looked for.
        made: The steps of the policy.
        scope: The scope of all files; None for one each, by its name.
        scope_from: Finds the scope in a file's text.
        vault: Keeps the originals of texts.
        settings: How page images and documents are read and written.
        preview: Whether to write previews, which show the originals.
        report: Whether lines of the report are wanted.
        allow_unread: Whether writing that was not read goes without a warning.
    """

    analysis: Analysis
    made: dict[str, Any]
    scope: str | None
    scope_from: str | None
    vault: "Vault | None"
    settings: Settings
    preview: bool = False
    report: bool = False
    allow_unread: bool = False

    @cached_property
    def find(self) -> "Callable[[str], list[Span]]":
        """Return a function that finds the spans of a text."""
        return self.analysis.find_in_text()

    @cached_property
    def carry_out(self) -> "steps.CarryOut | None":
        """Return a function for the steps that need Presidio, whose import takes seconds."""
        return _carrier() if steps.need_presidio(self.made) else None

    def work(self, job: Job) -> Done[Row]:
        """Replace the findings in a file, and write it to its target.

        Raises:
            CdipError: It cannot be read or written, or an original stayed readable.
        """
        from presidio_cdip.documents.formats import check_suffix, format_of
        from presidio_cdip.documents.rewriting import no_rows

        assert isinstance(job.source, Path)
        data = read_input(job.source, self.analysis.max_characters)
        name = str(job.source)
        check_suffix(data, name)
        kind = None if is_image(data) else format_of(data, name)
        if kind is None and self.settings.scope_column:
            raise no_rows(name, self.settings)
        if kind is not None:
            self._refuse_vault(name)
            done = self._document(job, data, kind)
        elif is_image(data):
            self._refuse_vault(name)
            done = self._page(job)
        else:
            done = self._text(job, data, decode(data, name, self.analysis.max_characters))
        if job.target and (line := telling_name(job.name, self.find)):
            note(line)
        return done

    def _refuse_vault(self, name: str) -> None:
        if self.vault:
            raise UnreadableInput(name, "a vault can restore texts alone: leave --vault out")

    def replacement(self, name: str) -> Replacement:
        """Return the replacement that applies the policy to the file *name*."""
        # A text from standard input has no name: it becomes a scope by its content.
        own = "" if self.scope_from is not None or name == str(STANDARD_INPUT) else name
        scope = own if self.scope is None else self.scope
        return Replacement(
            self.made, scope, self.scope_from, self.analysis.pack, self.carry_out, self.report
        )

    def _text(self, job: Job, data: bytes, text: str) -> Done[Row]:
        from presidio_cdip.documents.rewriting import encoded_like
        from presidio_cdip.documents.texts.encoded import beside_percents, notes_of

        assert isinstance(job.source, Path)
        replacement = self.replacement(job.name)
        made = replacement.scoped(text)
        spans = list(beside_percents(text, self.find(text)))
        result = steps.anonymize(
            text,
            spans,
            made,
            self.vault,
            job.name,
            self.analysis.pack,
            self.carry_out,
            forms=self.report,
        )
        file = str(job.source)
        shown = result.preview(text)
        new = shown if self.preview and job.target is None else result.text
        write(encoded_like(data, new), job.target, mode_of(job))
        if self.preview and job.target:
            preview = job.target.with_name(job.target.name + PREVIEW_OF_TEXT)
            write(encoded(shown), preview, 0o600)
        counts = Counter(
            (item.span.entity, item.operator)
            for item in result.items
            if not steps.is_mark(item.span)
        )
        line = {"file": file, **_line(result)}
        unread = notes_of(text, spans, self.find, Place("text"))
        warnings = unread_parts(file, unread, self.allow_unread)
        return Done(_rows(file, counts), [line] if self.report else (), warnings=warnings)

    def _page(self, job: Job) -> Done[Row]:
        from presidio_cdip.documents.pictures import SpanAnalyzer, redaction_options

        if job.target is None:
            raise UnreadableInput("-", "is an image: name it as a file, and give -o")
        redaction, previews = imaging("redaction"), imaging("previews")
        shown: Previews | None = previews.Previews() if self.preview else None
        job.target.parent.mkdir(parents=True, exist_ok=True)
        replacement = self.replacement(job.name)
        done: FileReport = redaction.redact_file(
            job.source,
            job.target,
            SpanAnalyzer(self.find, replacement),
            redaction_options(self.settings, replacement),
            language=self.analysis.ocr_language,
            max_pixels=self.analysis.max_pixels,
            watch=shown.add if shown else None,
        )
        return Done(
            findings=[
                Row(f"{job.source}, page {page.index}", one.entity, 1, one.method, one.reason)
                for page in done.pages
                for one in page.treated
            ],
            lines=[page.as_json() for page in done.pages],
            problems=done.problems,
            warnings=[
                unread_writing(page.name, page.index, len(page.unread))
                for page in done.pages
                if page.unread and not self.allow_unread
            ],
            finish=lambda: _write_preview(shown, job.target),
        )

    def _document(self, job: Job, data: bytes, kind: "Format") -> Done[Row]:
        from presidio_cdip.documents import rewriting
        from presidio_cdip.documents.pictures import redactor

        replacement = self.replacement(job.name)
        find = rewriting.Remembering(self.find)
        redact = redactor(find, self.settings, replacement)
        seen: list[rewriting.Shown] = []
        watch = seen.append if self.preview and job.target else None
        tools = rewriting.Tools(find, redact, replacement.anonymize, watch)
        name = str(job.source)
        new, report = rewriting.rewrite(data, name, tools, self.settings)
        write(new, job.target, mode_of(job))
        if watch and job.target:
            preview = job.target.with_name(job.target.name + PREVIEW_OF_TEXT)
            write(encoded(_preview(seen, replacement)), preview, 0o600)
        for line in removals(name, report.removed):
            note(line)
        counts = Counter((one.entity, one.operator) for one in report.findings)
        return Done(
            _rows(name, counts),
            [report.as_json()],
            warnings=unread_parts(name, report.unread, self.allow_unread),
        )


@dataclass
class Reviewed:
    """Redact a file as a review says.

    Attributes:
        review: The decisions.
        analysis: Pack, model and limits; what is looked for, the review says.
        key: The key of surrogates; None for a random one.
        scope: The scope of the file; None for what the review says.
        fonts: The folder of typefaces; None for the shipped ones.
    """

    review: "Review"
    analysis: Analysis
    key: Any
    scope: str | None
    fonts: Path | None

    def work(self, job: Job) -> Done[Row]:
        """Redact a file, and write it to its target.

        Raises:
            CdipError: The review is of another file, or the file cannot be read or written, or an
                original stayed readable.
        """
        from presidio_cdip.documents.reviews.applying import applied

        assert isinstance(job.source, Path)
        data, name = read_input(job.source, self.analysis.max_characters), str(job.source)
        review = self.review
        if self.scope is not None:
            review = replace(review, choices=replace(review.choices, scope=self.scope))
        new, report = applied(
            data, name, job.name, review, self.key,
            pack=self.analysis.pack, model=self.analysis.model, threads=self.analysis.threads,
            settings=self.analysis.settings(faces=self.fonts), carrier=_carrier,
        )  # fmt: skip
        write(new, job.target, mode_of(job))
        for line in removals(name, report.removed):
            note(line)
        counts = Counter((one.entity, one.operator) for one in report.findings)
        warnings = unread_parts(name, report.unread)
        return Done(_rows(name, counts), [report.as_json()], warnings=warnings)


def _preview(seen: "Sequence[Shown]", replacement: Replacement) -> str:
    """Return the texts of a document with what replaces each finding, and where files stand."""
    parts = []
    for one in seen:
        subjects = one.joined.subjects if one.joined else ()
        result = replacement.anonymize(one.text, one.spans, subjects)
        head = f"[{one.place.where}]\n" if one.place.where else ""
        parts.append(head + result.preview(one.text))
    return "\n\n".join(parts)


def _carrier() -> "steps.CarryOut":
    from presidio_cdip.presidio.operators import carrier

    return carrier()


def unread_parts(name: str, unread: Sequence[Note], allowed: bool = False) -> list[CdipError]:
    """Return a warning for each part of a document that nothing read.

    Args:
        name: The document's name.
        unread: Its parts.
        allowed: Whether writing in pictures, such as signatures, needs none.
    """
    from presidio_cdip.documents.pictures import UNREAD

    return [
        UnreadableInput(f"{name}, {one.place.where}", f"{one.what}: not read, so not clean")
        for one in unread
        if not (allowed and one.what == UNREAD)
    ]


def removals(name: str, removed: Sequence[Note]) -> list[str]:
    """Return a line for each kind of part that was removed from a document."""
    counts = Counter(one.what for one in removed)
    return [f"{name}: removed: {what} ({count})" for what, count in counts.items()]


def telling_name(name: str, find: "Callable[[str], list[Span]]") -> str:
    """Return a line for a file in whose name something is found, without that; else "".

    A name is no sentence: what is unsure counts if a rule found it, and it holds digits. A letter
    or two, as in "f.csv", are no code.
    """
    from presidio_cdip.recognition.transformer import MODEL_RULE

    stem = name.removesuffix(Path(name).suffix)
    shown, at = [], 0
    for span in find(stem.replace("_", " ")):
        digits = any(map(str.isdigit, stem[span.start : span.end]))
        if span.end - span.start <= _CODE:
            continue
        if span.score >= _SURE or (digits and span.rule != MODEL_RULE):
            shown += [name[at : span.start], f"⟨{span.entity}⟩"]
            at = span.end
    if not shown:
        return ""
    return f"{''.join(shown)}{name[at:]}: its name was not changed: rename the file and its folder"


def encoded(text: str) -> bytes:
    """Return *text* in UTF-8; what no encoding has stays."""
    return text.encode("utf-8", "surrogatepass")


def mode_of(job: Job) -> int | None:
    """Return the permissions of the file that is read; None for standard input."""
    if job.target is None or not isinstance(job.source, Path):
        return None
    return stat.S_IMODE(job.source.stat().st_mode)


def _rows(file: str, counts: Counter[tuple[str, str]]) -> list[Row]:
    return [
        Row(file, entity, count, "kept" if how == "keep" else how)
        for (entity, how), count in sorted(counts.items())
    ]


def _line(result: steps.Rewritten) -> dict[str, Any]:
    """Return the line of the report for one text; it holds no text of the document."""
    plain = Counter(item.span.entity for item in result.items if item.plainest)
    return {
        "characters": len(result.text),
        **({"not_turned": result.not_turned} if result.not_turned else {}),
        "replaced": dict(sorted(result.counts().items())),
        "plainest": dict(sorted(plain.items())),
        "findings": [
            {
                "entity": item.span.entity,
                "operator": item.operator,
                "start": item.start,
                "end": item.end,
                "plainest": item.plainest,
            }
            for item in result.items
        ],
    }


def _write_preview(previews: "Previews | None", target: Path | None) -> None:
    if previews and target:
        try:
            previews.write(target)
        except OSError as error:
            problem = error.strerror or "cannot be written"
            raise OutputError(f"the preview of {target}", problem) from None


def shown(rows: Sequence[Row]) -> list[tuple[str, str, str, str, str]]:
    """Return the cells of the table of *rows*."""
    return [(printable(one.file), one.entity, str(one.values), one.how, one.reason) for one in rows]
