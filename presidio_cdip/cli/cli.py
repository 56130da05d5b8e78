"""The command line: parses, calls, prints."""

import hashlib
import io
import json
import os
import re
import stat
import sys
import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.table import Table

from presidio_cdip import __version__
from presidio_cdip.entities import LABELS, known
from presidio_cdip.errors import (
    CdipError,
    MissingDependency,
    StillReadable,
    UnreadableInput,
    ValueRefused,
    VaultError,
    place_of,
)
from presidio_cdip.files.inputs import decode, is_image, read_bytes
from presidio_cdip.files.outputs import replacing

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerResult

    from presidio_cdip.imaging.previews import Previews
    from presidio_cdip.imaging.redaction import FileReport, PageFindings
    from presidio_cdip.surrogates.keys import Key
    from presidio_cdip.surrogates.vault import Vault

NOTHING_FOUND, FOUND, WRONG_USE, UNREADABLE, MISSING, STILL_READABLE = range(6)
OUR_MISTAKE = 70
INTERRUPTED = 130

_EXIT_CODES = """
\b
Exit codes:
  0    nothing found
  1    found (and, by redact and anonymize, replaced)
  2    wrong use, or a pack, a policy, a key or a vault that cannot be used
  3    an input could not be read: it was not found clean
  4    something is not installed; the message says what and how to get it
  5    an original can still be read in the redacted page: it was not written
  70   a mistake of this program's own
  130  interrupted
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A finding as it is printed: everything but its text.

    Attributes:
        file: As given on the command line; ``-`` is standard input.
        entity: The entity.
        start: Offset of the first character, in code points of the file's text, or of the text that
            OCR read from the page.
        end: Offset after the last.
        score: In [0, 1].
        recognizer: Which recognizer found it.
        explanation: Why.
        line: The line it starts in, from 1; None in an image.
        page: The page it stands on, from 0; None in a text.
        boxes: Where it stands on the page, one box a line: left, top, right, bottom in pixels,
            origin top left.
    """

    file: str
    entity: str
    start: int
    end: int
    score: float
    recognizer: str
    explanation: str
    line: int | None = None
    page: int | None = None
    boxes: Sequence[Sequence[int]] = field(default=())


_Command = TypeVar("_Command", bound=Callable[..., Any])


def _options(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _entity_names(context: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(name.strip().upper() for name in value.split(",") if name.strip())
    if value and not names:
        raise click.BadParameter("no entity is named")
    return known(names)


def _least_score(context: click.Context, option: click.Parameter, value: str | None) -> float:
    from presidio_cdip.recognition.finder import least_score

    return least_score(value, "--min-score")


_ANALYSIS_OF_TEXT = (
    click.option(
        "--entities",
        default="",
        callback=_entity_names,
        metavar="NAME,NAME…",
        help="Look for these only; `presidio-cdip entities` lists them.",
    ),
    click.option(
        "--min-score",
        callback=_least_score,
        metavar="SCORE",
        help="Leave out findings with a lower score: 0 to 1, or recall (.2), balanced (.4) or "
        "precision (.7)  [default: PRESIDIO_CDIP_MIN_SCORE, else balanced]",
    ),
    click.option(
        "--names",
        is_flag=True,
        help="Find names of persons, organizations and places, too.",
    ),
    click.option(
        "--pack",
        type=click.Path(path_type=Path),
        help="A folder whose recognizers/ are used instead of the shipped; or PRESIDIO_CDIP_PACK.",
    ),
    click.option(
        "--model",
        help='A model\'s folder instead of the shipped, or "none"; or PRESIDIO_CDIP_MODEL.',
    ),
    click.option(
        "--threads",
        type=click.IntRange(1),
        help="That the model uses; else PRESIDIO_CDIP_THREADS, else as many as there are cores.",
    ),
)
_ANALYSIS = _options(
    *_ANALYSIS_OF_TEXT,
    click.option(
        "--ocr-language",
        default="eng",
        show_default=True,
        help="What Tesseract reads page images as, e.g. eng+deu.",
    ),
)


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="presidio-cdip")
def cli() -> None:
    """Find, erase and replace sensitive personal data in text and scanned pages.

    No text of a document is ever printed, only what was found where.
    """


@cli.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@_ANALYSIS
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "json", "jsonl"]),
    default="table",
    show_default=True,
    help="How to print what was found.",
)
@click.option("--explain", is_flag=True, help="Say for each finding why it is one.")
def analyze(
    files: Sequence[Path],
    entities: Sequence[str],
    min_score: float,
    names: bool,
    pack: Path | None,
    model: str | None,
    threads: int | None,
    ocr_language: str,
    layout: str,
    explain: bool,
) -> int:
    """Say what is found in each FILE, and where: texts, page images, folders of them.

    Without a FILE, or with -, the text is read from standard input.
    """
    rows: list[Row] = []
    unread = 0
    engine = _engine(entities, pack, model, threads, names, min_score)
    for file in _walk(files or [Path("-")]):
        try:
            if isinstance(file, UnreadableInput):
                raise file
            found = list(_rows(file, engine, min_score, ocr_language))
        except UnreadableInput as error:
            unread += 1
            _say(error)
            continue
        rows += found
        if layout == "jsonl":
            for row in found:
                click.echo(json.dumps(_dict(row, explain), ensure_ascii=False))
    if layout == "json":
        click.echo(json.dumps([_dict(row, explain) for row in rows], indent=2, ensure_ascii=False))
    elif layout == "table":
        _print(rows, explain, unread)
    if unread:
        return UNREADABLE
    return FOUND if rows else NOTHING_FOUND


_LAYOUT = click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to print them.",
)
_KEY = click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    envvar="PRESIDIO_CDIP_KEY_FILE",
    help="The file that holds the key; or PRESIDIO_CDIP_KEY_FILE. `make-key` makes one.",
)
_VAULT = click.option(
    "--vault",
    "vault_file",
    type=click.Path(path_type=Path),
    help="An encrypted file of the originals, for `restore`; it needs a key file.",
)
_FOLDER = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to; needed unless the text is read from standard input.",
)


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder to write to; for one page, also a file to write.",
)
@click.option(
    "--method",
    type=click.Choice(["surrogate", "white", "black", "paper", "telea", "navier-stokes"]),
    default="surrogate",
    show_default=True,
    help="What findings become: surrogates that look as if they had stood there, or blanks.",
)
@click.option(
    "--noise",
    type=click.Choice(["fitted", "augraphy", "none"]),
    default="fitted",
    show_default=True,
    help="Of painted ink: fitted to the page, or that of Augraphy.",
)
@_KEY
@click.option(
    "--scope",
    help="Share surrogates among all files, under this name; else each file has its own.",
)
@click.option("--locale", default="en_US", show_default=True, help="Of names, places and dates.")
@click.option(
    "--fonts",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder with faces.json and the faces to paint in, instead of the shipped.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what became of every finding, a line of JSON a page.",
)
@click.option(
    "--preview",
    is_flag=True,
    help="Write FILE.preview.png too; it shows originals.",
)
@click.option("--no-verify", is_flag=True, help="Do not read the finished pages again.")
@click.option("--force", is_flag=True, help="Write over the files that were read.")
@_ANALYSIS
def redact(
    files: Sequence[Path],
    output: Path,
    method: str,
    noise: str,
    key_file: Path | None,
    scope: str | None,
    locale: str,
    fonts: Path | None,
    report: Path | None,
    preview: bool,
    no_verify: bool,
    force: bool,
    entities: Sequence[str],
    min_score: float,
    names: bool,
    pack: Path | None,
    model: str | None,
    threads: int | None,
    ocr_language: str,
) -> int:
    """Replace what is found in each image FILE, in all its frames, and write it to OUTPUT.

    Files of folders keep their places within it; PDFs and broken images there are told, other
    documents left alone. Format, mode, resolution and compression stay. Finished pages are read
    again; one on which an original can still be read is not written.
    """
    from presidio_cdip.surrogates.engine import Surrogates
    from presidio_cdip.surrogates.keys import random_key

    redaction, previews = _imaging("redaction"), _imaging("previews")
    if method == redaction.SURROGATE:
        given = _key(key_file, needed_by="")
        if given is None:
            _say("no key was given: a random one serves this run, and nobody can repeat it")
        key = given or random_key()

    def manner(name: str) -> Any:
        options: dict[str, Any] = {"method": method, "noise": noise, "verify": not no_verify}
        if fonts:
            options["faces"] = fonts
        if method == redaction.SURROGATE:
            options["surrogates"] = Surrogates(key, name if scope is None else scope, locale)
        return redaction.Manner(**options)

    manner("-")  # says now what is wrong with scope, locale or fonts
    places = _page_places(files, output, redaction.SUFFIXES, force)
    if report and not force and any(_same(report, file) for file, _ in places):
        raise click.BadParameter("is a file to be read", param_hint="--report")
    if not places:
        raise click.UsageError("there is no image in what was named")
    told = _Told()
    for problem, _ in places:
        if isinstance(problem, UnreadableInput):
            told.lacks(problem, problem.file)
    images = [(file, target) for file, target in places if isinstance(file, Path)]
    engine = _engine(entities, pack, model, threads, names, min_score) if images else None

    def redact_one(file: Path, target: Path) -> "tuple[FileReport, Previews | None]":
        shown: Previews | None = previews.Previews() if preview else None
        target.parent.mkdir(parents=True, exist_ok=True)
        done: FileReport = redaction.redact_file(
            file,
            target,
            engine,
            manner(target.relative_to(output).as_posix() if target != output else file.name),
            min_score=min_score,
            language=ocr_language,
            watch=shown.add if shown else None,
        )
        return done, shown

    try:
        _redact_images(images, redact_one, told)
    finally:  # what was done before an error stopped the rest is told, too
        if report:
            lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in told.lines)
            _put(lines, Path(report.name), report.parent, None)
    if told.rows:
        _print_table(("file", "entity", "method", "why not painted"), told.rows)
    not_done = f", {len(told.problems)} pages or files not" if told.problems else ""
    _note(f"{output}: {len(told.rows)} findings treated in {told.written} files{not_done}")
    if any(isinstance(problem, StillReadable) for problem in told.problems):
        return STILL_READABLE
    if told.problems:
        return UNREADABLE
    return FOUND if told.rows else NOTHING_FOUND


@dataclass(slots=True)
class _Told:
    """What became of image files.

    Attributes:
        lines: Of the report, a page or a file that was not done each.
        rows: Of the table: file, entity, method, and why it was not painted.
        problems: Why pages or files were not done.
        written: How many files were.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    problems: list[Exception] = field(default_factory=list)
    written: int = 0

    def lacks(self, problem: Exception, file: object) -> None:
        """Say that *file*, or a page of it, was not done."""
        _say(problem)
        self.problems.append(problem)
        self.lines.append({"file": str(file), "problem": str(problem)})

    def holds(self, done: "FileReport", file: Path) -> None:
        """Say what became of *file*, which was written."""
        self.written += 1
        self.lines += [page.as_json() for page in done.pages]
        self.rows += _treated_rows(str(file), done.pages)
        for problem in done.problems:
            self.lacks(problem, file)


def _redact_images(
    images: Sequence[tuple[Path, Path]],
    redact_one: Callable[[Path, Path], "tuple[FileReport, Previews | None]"],
    told: _Told,
) -> None:
    """Redact each file into its target, and have *told* what became of it.

    Raises:
        CdipError: Something that would happen to the next file, too: the rest was not done.
    """
    with _progress(len(images)) as advance:
        for number, (file, target) in enumerate(images):
            try:
                done, shown = redact_one(file, target)
            except (UnreadableInput, StillReadable) as error:
                for one in (error, *error.others):
                    told.lacks(one, file)
            except (CdipError, OSError) as error:
                if isinstance(error, OSError):
                    error = CdipError(f"{target}: {error.strerror or 'cannot be written'}")
                told.lines.append({"file": str(file), "problem": str(error)})
                told.lines += [
                    {"file": str(rest), "problem": "not done: an error ended the run"}
                    for rest, _ in images[number + 1 :]
                ]
                raise error from None
            else:
                told.holds(done, file)
                if shown:
                    try:
                        shown.write(target)
                    except OSError as error:
                        what = error.strerror or "cannot be written"
                        raise CdipError(f"the preview of {target}: {what}") from None
            advance()


def _page_places(
    files: Sequence[Path], output: Path, suffixes: Collection[str], force: bool
) -> list[tuple[Path | UnreadableInput, Path]]:
    """The images among *files* and in folders, and where each is to be written.

    Raises:
        click.UsageError: One of them would be overwritten, and not *force*; or two would be
            written to one place. Nothing was written yet.
    """
    alone = len(files) == 1 and not files[0].is_dir() and not output.is_dir()
    if alone and output.suffix:
        if output.suffix.lower() not in suffixes:
            raise click.BadParameter("has no suffix of an image", param_hint="--output")
        if not force and output.exists() and files[0].exists() and output.samefile(files[0]):
            raise click.BadParameter(
                "is the page itself; write to another file, or say --force", param_hint="--output"
            )
        try:
            _image_only(files[0])
        except UnreadableInput as error:
            return [(error, output)]
        return [(files[0], output)]
    if output.suffix.lower() in suffixes and not output.is_dir():
        raise click.BadParameter(
            "is a file: several pages, or a folder's, need a folder", param_hint="--output"
        )
    found: list[tuple[Path | UnreadableInput, Path]] = []
    targets: set[Path] = set()
    for file, within in _placed(files, output, force):
        if isinstance(file, Path):
            named = file in files
            if not named and file.name.endswith(".preview.png"):
                continue  # it shows originals, and is no page
            try:
                if not (file.is_file() and is_image(read_bytes(file))):
                    if named or file.suffix.lower() in {*suffixes, ".pdf"}:
                        _image_only(file)  # what is called a page is not passed over in silence
                    continue
            except UnreadableInput as error:
                file = error
        target = output / within
        if isinstance(file, Path) and target in targets:
            file = UnreadableInput(str(file), "another of this name is written already")
        targets.add(target)
        found.append((file, target))
    return found


def _same(one: Path, other: Path | UnreadableInput) -> bool:
    return isinstance(other, Path) and one.exists() and other.exists() and one.samefile(other)


def _image_only(file: Path) -> None:
    """Raise `UnreadableInput` where *file* is no image, and say what it is."""
    data = read_bytes(file)
    if not is_image(data):
        decode(data, str(file))  # says what it is, if it is no text
        raise UnreadableInput(str(file), "is not an image; `presidio-cdip anonymize` takes texts")


def _treated_rows(name: str, pages: Sequence[Any]) -> list[tuple[str, str, str, str]]:
    return [
        (f"{name}, page {page.index}", one.entity, one.method, one.reason)
        for page in pages
        for one in page.treated
    ]


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where that is a terminal and there is more than one file."""
    console = Console(stderr=True)
    if count < 2 or not console.is_terminal:
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=console) as bar:
        task = bar.add_task("pages", total=count)
        yield lambda: bar.advance(task)


def _note(text: str) -> None:
    Console(stderr=True).print(text, highlight=False, markup=False, soft_wrap=True)


@cli.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@_FOLDER
@click.option(
    "--policy",
    "policy_name",
    default="surrogate",
    show_default=True,
    help="What findings become; `presidio-cdip policies` lists them. Or a policy's file.",
)
@_KEY
@click.option(
    "--scope",
    help="Share surrogates among all files, under this name; else each file has its own.",
)
@click.option("--locale", help="Of names, places and dates, over the policy's; e.g. en_GB.")
@_VAULT
@_options(*_ANALYSIS_OF_TEXT)
def anonymize(
    files: Sequence[Path],
    output: Path | None,
    policy_name: str,
    key_file: Path | None,
    scope: str | None,
    locale: str | None,
    vault_file: Path | None,
    entities: Sequence[str],
    min_score: float,
    names: bool,
    pack: Path | None,
    model: str | None,
    threads: int | None,
) -> int:
    """Replace what is found in each text FILE, and write the text to the folder OUTPUT.

    Files of folders keep their places within it. Without a FILE, or with -, the text is read from
    standard input and written to standard output.
    """
    from presidio_cdip.presidio.operators import anonymize as anonymize_text
    from presidio_cdip.presidio.operators import in_scope, policy
    from presidio_cdip.surrogates.keys import random_key

    key = _key(key_file, needed_by="--vault" if vault_file else "")
    # Before anything is read: a policy that cannot be used stops the run.
    shared = "-" if scope is None else scope
    operators = policy(policy_name, key, shared, locale, pack)
    if key is None and any(one.operator_name == "surrogate" for one in operators.values()):
        _say("no key was given: a random one serves this run, and nobody can repeat it")
        operators = policy(policy_name, random_key(), shared, locale, pack)
    vault = _vault(vault_file, key)
    engine = _engine(entities, pack, model, threads, names, min_score)

    def replaced(text: str, name: str) -> tuple[str, Counter[str]]:
        results = engine.analyze(text, "en", score_threshold=min_score) if text else []
        if scope is not None:
            own = operators
        else:  # a text from standard input has no name but itself
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            own = in_scope(operators, f"text {digest}" if name == "-" else name)
        result = anonymize_text(text, results, own, vault, name)
        return result.text, Counter(item.entity_type for item in result.items)

    return _rewrite(files, output, replaced, "replaced")


@cli.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@_FOLDER
@_KEY
@_VAULT
def restore(
    files: Sequence[Path], output: Path | None, key_file: Path | None, vault_file: Path | None
) -> int:
    """Undo `anonymize` where it kept a vault: write each FILE's original text to OUTPUT.

    The texts must be as they were written. Without a FILE, or with -, standard input is restored to
    standard output.
    """
    if vault_file is None:
        raise click.UsageError("--vault is needed: nothing else holds the originals")
    if not vault_file.exists():
        raise VaultError(f"vault {vault_file}: there is no such file")
    vault = _vault(vault_file, _key(key_file, needed_by="--vault"))
    assert vault

    def restored(text: str, name: str) -> tuple[str, Counter[str]]:
        return vault.restore(text, name if vault.knows(name) else None), Counter()

    return _rewrite(files, output, restored, "restored", mode=0o600)


@cli.command("make-key")
@click.argument("file", type=click.Path(path_type=Path))
def make_key(file: Path) -> int:
    """Make a random key and write it to the new FILE, which you alone may read."""
    from presidio_cdip.surrogates.keys import make_key

    make_key(file)
    return NOTHING_FOUND


@cli.command()
@click.argument("name", required=False)
@_LAYOUT
@click.option(
    "--pack", type=click.Path(path_type=Path), help="A folder whose operators/ are asked first."
)
def policies(name: str | None, layout: str, pack: Path | None) -> int:
    """List the policies, or say what the policy NAME makes of each entity.

    The JSON of one is what Presidio's REST service takes as its anonymizers.
    """
    from presidio_cdip.pack.pack import PACK_VARIABLE
    from presidio_cdip.surrogates.policies import policy_names, read_policy

    folder = str(pack) if pack else os.environ.get(PACK_VARIABLE)
    if name is None:
        found = {one: read_policy(one, folder).what.strip() for one in policy_names(folder)}
        if layout == "json":
            click.echo(json.dumps(found, indent=2))
        else:
            _print_table(("policy", "what"), found.items())
        return NOTHING_FOUND
    steps = read_policy(name, folder).steps
    if layout == "json":
        listed = {one: {"type": step.operator, **step.params} for one, step in steps.items()}
        click.echo(json.dumps(listed, indent=2))
        return NOTHING_FOUND
    _print_table(
        ("entity", "operator", "parameters"),
        (
            (
                one,
                step.operator,
                ", ".join(f"{name}: {value}" for name, value in step.params.items()),
            )
            for one, step in steps.items()
        ),
    )
    return NOTHING_FOUND


@cli.command()
@_LAYOUT
def entities(layout: str) -> int:
    """List the 18 entities and, behind them, the 3 labels of names that --names finds."""
    from presidio_cdip.recognition.finder import finder

    found_by = finder().found_by
    if layout == "json":
        listed = [
            {**asdict(entity), "found_by": found_by[entity.name]} for entity in LABELS.values()
        ]
        click.echo(json.dumps(listed, indent=2))
        return NOTHING_FOUND
    table = Table(box=None, pad_edge=False)
    for heading in ("entity", "source", "found by", "meaning"):
        table.add_column(heading, no_wrap=heading == "entity")
    for entity in LABELS.values():
        finders = ", ".join(found_by[entity.name]) or "-"
        table.add_row(entity.name, ", ".join(entity.sources), finders, entity.meaning)
    _console().print(table)
    return NOTHING_FOUND


@cli.command("verify-pack")
@click.argument("folder", type=click.Path(path_type=Path))
def verify_pack(folder: Path) -> int:
    """Check a pack: the rule files in FOLDER/recognizers and their cases, and its operators."""
    from presidio_cdip.pack.pack import Pack, failures
    from presidio_cdip.surrogates.verification import operator_problems

    pack = Pack.at(folder)
    files = pack.rule_files() if (folder / "recognizers").is_dir() else ()
    problems = [*failures(files), *operator_problems(folder)]
    for problem in problems:
        _say(problem)
    cases = sum(len(file.cases) for file in files)
    click.echo(f"{len(files)} files, {cases} cases, {len(problems)} not satisfied")
    return WRONG_USE if problems else NOTHING_FOUND


def _key(file: Path | None, needed_by: str) -> "Key | None":
    from presidio_cdip.surrogates.keys import KeyFileWarning, read_key

    if file is None:
        if needed_by:
            raise click.UsageError(f"{needed_by} needs a key: give --key-file")
        return None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", KeyFileWarning)
        key = read_key(file)
    for warning in said:
        _say(str(warning.message))
    return key


def _vault(file: Path | None, key: "Key | None") -> "Vault | None":
    from presidio_cdip.surrogates.vault import Vault, VaultWarning

    if not (file and key):
        return None
    click.get_current_context().with_resource(_printed(VaultWarning))
    return Vault(file, key)


@contextmanager
def _printed(kind: type[Warning]) -> Iterator[None]:
    """Print warnings of *kind* as messages of this program."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", kind)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if issubclass(category, kind):
                _say(str(message))
            else:
                others(message, category, *rest, **more)

        warnings.showwarning = show
        yield


def _rewrite(
    files: Sequence[Path],
    output: Path | None,
    rewritten: Callable[[str, str], tuple[str, Counter[str]]],
    done: str,
    mode: int | None = None,
) -> int:
    """Write what *rewritten* makes of each file's text, and say how much it was.

    Args:
        files: As on the command line.
        output: The folder to write to.
        rewritten: From a text and its name to the new text and what was replaced in it.
        done: What is said of the counts.
        mode: Of the files that are written; that of the file read, if None.
    """
    if output is None and any(str(file) != "-" for file in files):
        raise click.UsageError("-o DIR is needed: where to write")
    if output is not None and any(str(file) == "-" for file in files or [Path("-")]):
        raise click.UsageError("standard input goes to standard output: leave -o out")
    rows: list[tuple[str, str, str]] = []
    unread, written = 0, set()
    for file, within in _placed(files or [Path("-")], output):
        try:
            if isinstance(file, UnreadableInput):
                raise file
            if within in written:
                raise UnreadableInput(str(file), "another of this name was written already")
            text, counts = rewritten(_text(file), within.as_posix())
            own = stat.S_IMODE(file.stat().st_mode) if output and mode is None else mode
            _put(text, within, output, own)
        except UnreadableInput as error:
            unread += 1
            _say(error)
            continue
        except (ValueRefused, VaultError) as error:
            unread += 1
            _say(f"{file}: {error}")
            continue
        written.add(within)
        rows += [(str(file), entity, str(count)) for entity, count in sorted(counts.items())]
    if output is not None:
        if rows:
            _print_table(("file", "entity", done), rows)
        click.echo(f"{output}: {len(written)} files written, {unread} not", err=True)
    if unread:
        return UNREADABLE
    return FOUND if rows else NOTHING_FOUND


def _placed(
    paths: Iterable[Path], output: Path | None, force: bool = False
) -> list[tuple[Path | UnreadableInput, Path]]:
    """The files among *paths* and in folders, and where within *output* each is to be.

    Raises:
        click.UsageError: One of them would be overwritten. Nothing was written yet.
    """
    found: list[tuple[Path | UnreadableInput, Path]] = []
    inside = output.resolve() if output else None
    for path in paths:
        for file in _walk([path]):
            if isinstance(file, UnreadableInput):
                found.append((file, Path()))
            elif not (inside and path.is_dir() and _earlier(file.resolve(), path, inside)):
                found.append((file, file.relative_to(path) if path.is_dir() else Path(file.name)))
    inputs = {file.resolve() for file, _ in found if isinstance(file, Path)}
    for file, within in found:
        target = (inside / within).resolve() if inside else None
        if target in inputs and not force:
            raise click.UsageError(f"{target} would be overwritten: write to another folder")
        if target and inside and isinstance(file, Path) and not target.is_relative_to(inside):
            raise click.UsageError(f"{output}: a link in it leads to {target}")
    return found


def _earlier(file: Path, folder: Path, output: Path) -> bool:
    """Whether *file* was written by an earlier run to an *output* within *folder*."""
    return output != folder.resolve() and file.is_relative_to(output)


def _text(file: Path) -> str:
    if str(file) == "-":
        return decode(sys.stdin.buffer.read(), "-")
    data = read_bytes(file)
    if is_image(data):
        raise UnreadableInput(str(file), "is an image; `presidio-cdip redact` erases from these")
    return decode(data, str(file))


def _put(text: str, within: Path, output: Path | None, mode: int | None) -> None:
    """Write *text* in UTF-8, its line ends as they were, to its place or to standard output."""
    data = text.encode("utf-8", "surrogatepass")
    if output is None:
        sys.stdout.buffer.write(data)
        return
    target = output / within
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target, mode) as opened:
            opened.write(data)
    except OSError as error:
        raise CdipError(f"{target}: {error.strerror or 'cannot be written'}") from None


def _engine(
    entities: Sequence[str],
    pack: Path | None,
    model: str | None,
    threads: int | None,
    names: bool,
    min_score: float,
) -> "AnalyzerEngine":
    from presidio_cdip.presidio.analyzer import analyzer

    return analyzer(
        entities or None,
        pack=pack,
        model=model,
        threads=threads,
        names=names,
        min_score=min_score,
    )


def _imaging(module: str) -> Any:
    try:
        return import_module(f"presidio_cdip.imaging.{module}")
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}", 'pip install "presidio-cdip[image]"'
        ) from None


def _walk(paths: Iterable[Path]) -> Iterator[Path | UnreadableInput]:
    """The files among *paths* and in the folders among them, in order, and what is in the way."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        problems: list[OSError] = []
        for folder, subfolders, names in os.walk(path, onerror=problems.append):
            subfolders.sort()
            for name in sorted(names):
                yield Path(folder, name)
            for name in subfolders:
                if Path(folder, name).is_symlink():
                    yield UnreadableInput(str(Path(folder, name)), "is a link to a folder")
        for problem in problems:
            yield UnreadableInput(str(problem.filename), problem.strerror or "cannot be opened")


def _rows(
    file: Path, engine: "AnalyzerEngine", min_score: float, ocr_language: str
) -> Iterator[Row]:
    name = str(file)
    data = sys.stdin.buffer.read() if name == "-" else read_bytes(file)
    if is_image(data):
        redaction = _imaging("redaction")
        for page in redaction.find_in_pages(
            data, name, engine, min_score=min_score, language=ocr_language
        ):
            yield from _page_rows(name, page)
        return
    text = decode(data, name)
    results = engine.analyze(
        text, "en", score_threshold=min_score, return_decision_process=True
    ) if text else []  # fmt: skip
    line_ends = [match.start() for match in re.finditer("\n", text)] if results else []
    for result in sorted(results, key=lambda one: (one.start, one.end)):
        yield _row(name, result, line=bisect_left(line_ends, result.start) + 1)


def _page_rows(name: str, page: "PageFindings") -> Iterator[Row]:
    for finding in page.findings:
        yield _row(
            name, finding.result, page=page.index, boxes=[list(box) for box in page.boxes(finding)]
        )


def _row(name: str, result: "RecognizerResult", **where: Any) -> Row:
    explanation = result.analysis_explanation
    return Row(
        file=name,
        entity=result.entity_type,
        start=result.start,
        end=result.end,
        score=round(result.score, 2),
        recognizer=explanation.recognizer,
        explanation=explanation.textual_explanation or "",
        **where,
    )


def _dict(row: Row, explain: bool) -> dict[str, Any]:
    data = {key: value for key, value in asdict(row).items() if value not in (None, ())}
    if not explain:
        del data["explanation"]
    return data


def _print(rows: Sequence[Row], explain: bool, unread: int = 0) -> None:
    console = _console()
    if unread:
        console.print(f"{unread} could not be read, and may hold anything; of the others:")
    if not rows:
        console.print("nothing found")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("file", "where", "entity", "text", "score", "recognizer"):
        table.add_column(heading, no_wrap=heading != "file", overflow="fold")
    if explain:
        table.add_column("why", overflow="fold")
    for row in rows:
        length = f"…{row.end - row.start}"
        cells = [row.file, _where(row), row.entity, length, f"{row.score:.2f}", row.recognizer]
        table.add_row(*cells, *([row.explanation] if explain else []))
    console.print(table)


def _where(row: Row) -> str:
    if row.page is None:
        return f"line {row.line}, {row.start}-{row.end}"
    boxes = "\n".join(",".join(str(edge) for edge in box) for box in row.boxes)
    return f"page {row.page}: {boxes}"


def _print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False)
    for index, heading in enumerate(headings):
        table.add_column(heading, no_wrap=index < len(headings) - 1, overflow="fold")
    for row in rows:
        table.add_row(*row)
    _console().print(table)


def _console() -> Console:
    # A pipe has no width of its own; a narrow default would cut names and boxes apart.
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 160
    return console


def _say(error: Exception | str) -> None:
    click.echo(f"presidio-cdip: {error}", err=True)


def main() -> None:
    """Run the command line and exit with one of the documented codes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # "…" where the terminal has no such
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        code = INTERRUPTED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = WRONG_USE
    except CdipError as error:
        _say(error)
        code = error.exit_code
    except Exception as error:
        code = OUR_MISTAKE
        _say(f"{place_of(error)}: please report this")
    sys.exit(code)
