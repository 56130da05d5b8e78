"""Define and read the options that several commands share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from presidio_cdip.cli.printing import say
from presidio_cdip.documents.segments import METHODS, NOISES, Settings
from presidio_cdip.errors import MissingDependency, UnreadableInput

if TYPE_CHECKING:
    from presidio_cdip.files.folders import Job
    from presidio_cdip.recognition.spans import Span
    from presidio_cdip.surrogates.keys import Key
    from presidio_cdip.surrogates.vault import Vault

NO_NAMES = (
    "sexes are flipped only where names are replaced, and no names are: give --names, and let the "
    "policy have surrogates for PERSON"
)
NO_KEY = "no key was given: a random one serves this run, and nobody can repeat it"

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Analysis:
    """The options of an analysis.

    Attributes:
        entities: The entities to look for; empty for all.
        min_score: The least score of a finding.
        names: Whether names of persons, organizations and places are findings, too.
        extras: Whether e-mail addresses, URLs and numbers that Presidio finds are, too.
        pack: A folder that is laid over the shipped pack, or None.
        model: A model's folder, ``"none"``, or None for the shipped one.
        max_characters: Length of the longest text that is read.
        threads: Threads for the model; None for $PRESIDIO_CDIP_THREADS, else all cores.
        ocr_language: Tesseract's name of the language of page images.
        max_pixels: The most pixels of a page image; None for Pillow's limit.
    """

    entities: Sequence[str]
    min_score: float
    names: bool
    extras: bool
    pack: Path | None
    model: str | None
    threads: int | None
    max_characters: int
    ocr_language: str = "eng"
    max_pixels: int | None = None

    def find_in_text(self) -> "Callable[[str], list[Span]]":
        """Return a function that finds spans without Presidio, whose import takes seconds.

        Raises:
            CdipError: Pack or model cannot be used, or nothing finds one of the entities.
        """
        from presidio_cdip.recognition.finder import finder

        found = finder(self.pack, self.model, self.threads)
        asked = found.served(self.entities, self.names)
        names = not set(asked).isdisjoint(found.names)
        find = partial(found.find, wanted=asked, names=names, min_score=self.min_score)
        if not self.extras:
            return find
        from presidio_cdip.presidio.analyzer import with_extras

        return with_extras(find)

    def settings(self, **given: Any) -> Settings:
        """Return the settings *given* for documents, with this analysis's limits and language."""
        from presidio_cdip.pack.limits import MAX_CHARACTERS

        settings = Settings(ocr_language=self.ocr_language, max_pixels=self.max_pixels, **given)
        if self.max_characters == MAX_CHARACTERS:  # documents have a lower limit by default
            return settings
        return replace(settings, max_characters=self.max_characters)


def _entity_names(context: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(name.strip().upper() for name in value.split(",") if name.strip())
    if value and not names:
        raise click.BadParameter("no entity is named")
    return names


def _least_score(context: click.Context, option: click.Parameter, value: str | None) -> float:
    from presidio_cdip.recognition.finder import least_score

    return least_score(value, "--min-score")


def _longest(context: click.Context, option: click.Parameter, value: int | None) -> int:
    from presidio_cdip.pack.limits import max_characters

    return max_characters(value, "--max-characters")


PACK = click.option(
    "--pack",
    type=click.Path(path_type=Path),
    help="Folder laid over the shipped pack  [default: $PRESIDIO_CDIP_PACK]",
)
MODEL = click.option(
    "--model",
    help='Folder of a model, or "none" for the rules alone  '
    "[default: $PRESIDIO_CDIP_MODEL, else the shipped model]",
)
SET = click.option(
    "--set",
    "said",
    multiple=True,
    metavar="ENTITY.PARAMETER=VALUE",
    help="Change one parameter of the policy, e.g. AGE.age=drawn; may be given several times.",
)
_OF_TEXT = (
    click.option(
        "--entities",
        default="",
        callback=_entity_names,
        metavar="NAME,NAME…",
        help="Entities to look for  [default: all that `presidio-cdip entities` lists, but names]",
    ),
    click.option(
        "--min-score",
        callback=_least_score,
        metavar="SCORE",
        help="Leave out findings with a lower score: 0 to 1, or recall (.2), balanced (.4) or "
        "precision (.7)  [default: $PRESIDIO_CDIP_MIN_SCORE, else balanced]",
    ),
    click.option(
        "--names",
        is_flag=True,
        help="Also find names of persons, organizations and places.",
    ),
    click.option(
        "--extras",
        is_flag=True,
        help="Also find e-mail addresses, URLs, IP addresses, card numbers, IBANs and dates, by "
        "Presidio's recognizers, whose import takes seconds.",
    ),
    PACK,
    MODEL,
    click.option(
        "--max-characters",
        type=click.IntRange(1),
        callback=_longest,
        help="Length of the longest text that is read  [default: "
        "$PRESIDIO_CDIP_MAX_CHARACTERS, else 200 million]",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1),
        help="Threads for the model  [default: $PRESIDIO_CDIP_THREADS, else all cores]",
    ),
)
_OF_PAGES = (
    click.option(
        "--ocr-language",
        default="eng",
        show_default=True,
        help="Language of page images, as Tesseract calls it, e.g. eng+deu.",
    ),
    click.option(
        "--max-pixels",
        type=click.IntRange(1),
        help="Refuse page images with more pixels  [default, and the most: 89478485]",
    ),
)


def _of_documents(keys: str) -> tuple[Callable[[Command], Command], ...]:
    """Return the options of documents; *keys* is the help of ``--json-keys``."""
    return (
        click.option("--flatten", is_flag=True, help="Turn every page of a PDF into a picture."),
        click.option(
            "--accept-changes",
            is_flag=True,
            help="Accept tracked changes of documents, so that no older text stays.",
        ),
        click.option(
            "--keep-unknown",
            is_flag=True,
            help="Keep parts of documents that cannot be read, and end with code 3.",
        ),
        click.option("--json-keys", is_flag=True, help=keys),
        click.option(
            "--max-seconds",
            type=click.FloatRange(0, min_open=True),
            help="Refuse a document that takes more seconds  [default: any time]",
        ),
    )


def _together(
    name: str, options: Sequence[Any], made: Callable[..., Any]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator that adds *options* to a command, passed as *name*, made by *made*."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        names: list[str] = []

        @wraps(command)
        def called(**given: Any) -> int:
            own = {one: given.pop(one) for one in names}
            return command(**given, **{name: made(**own)})

        for option in reversed(options):
            called = option(called)
            names.append(called.__click_params__[-1].name)  # type: ignore[attr-defined]
        return called

    return decorate


analysis_options = _together("analysis", (*_OF_TEXT, *_OF_PAGES), Analysis)
"""Give a command the options of an analysis; it is called with *analysis*, made of them."""

document_options = _together(
    "documents", _of_documents("Also replace in the keys of JSON objects."), dict
)
"""Give a command the options of documents; it is called with *documents*, a dict of them."""

reading_options = _together("documents", _of_documents("Also read the keys of JSON objects."), dict)
"""Give a command that writes no documents the same options."""


def layout_option(*layouts: str) -> Callable[[Command], Command]:
    """Return the option ``--format`` with these choices, the first of which is the default."""
    return click.option(
        "--format",
        "layout",
        type=click.Choice(layouts),
        default=layouts[0],
        show_default=True,
        help="Format of the output.",
    )


POLICY = click.option(
    "--policy",
    "policy_name",
    default="surrogate",
    show_default=True,
    help="Policy for the findings: one that `presidio-cdip policies` lists, or a policy's file.",
)
METHOD = click.option(
    "--method",
    type=click.Choice(METHODS),
    default="surrogate",
    show_default=True,
    help="In page images, pictures and PDF pages: `surrogate` paints the replacement in the "
    "original's typeface; the others only erase.",
)
NOISE = click.option(
    "--noise",
    type=click.Choice(NOISES),
    default="fitted",
    show_default=True,
    help="Noise of painted ink: fitted to the page, or that of Augraphy.",
)
FONTS = click.option(
    "--fonts",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder with faces.json and the typefaces to paint in  [default: the shipped ones]",
)
LOCALE = click.option(
    "--locale",
    help="Locale of names, places and dates, e.g. en_GB  [default: the policy's]",
)
NO_VERIFY = click.option(
    "--no-verify", is_flag=True, help="Do not read the finished page images again."
)
KEY = click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    envvar="PRESIDIO_CDIP_KEY_FILE",
    help="File with the key; `make-key` writes one  [default: $PRESIDIO_CDIP_KEY_FILE]",
)
SCOPE = click.option(
    "--scope",
    help="Share surrogates among all files, under this name  [default: each file has its own]",
)
SCOPE_FROM = click.option(
    "--scope-from",
    metavar="REGEX|column:NAME",
    help="Share surrogates among the texts in which the group of REGEX is the same, e.g. "
    "'Patient (\\d+)'; a text without it is a scope of its own. Or, in tables and JSON files, "
    "among the rows or records whose value of NAME is the same; one without it is its own.",
)


def scopes_in(scope: str | None, scope_from: str | None) -> tuple[str | None, str]:
    """Return the expression of ``--scope-from``, if it is one, and the column that it names, or "".

    Raises:
        UsageError: There is a *scope*, too.
        PolicyError: The expression is invalid, or the name is blank.
    """
    from presidio_cdip.surrogates.scopes import column_in

    if scope is not None and scope_from is not None:
        raise click.UsageError("--scope and --scope-from exclude each other")
    column = column_in(scope_from)
    return (None if column else scope_from), column


def vault_option(words: str) -> Callable[[Command], Command]:
    """Return the option ``--vault``, whose help is *words*."""
    return click.option("--vault", "vault_file", type=click.Path(path_type=Path), help=words)


FOLDER = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; needed unless the text is read from standard input.",
)


def key_in(file: Path | None, needed_by: str = "") -> "Key | None":
    """Read the key in *file*, and print a warning if it is unsafe.

    Args:
        file: The file, or None.
        needed_by: The option that needs a key, if one does.

    Raises:
        click.UsageError: There is no file, and *needed_by* needs one.
        KeyUnusable: The file cannot be used.
    """
    import warnings

    from presidio_cdip.surrogates.keys import KeyFileWarning, read_key

    if file is None:
        if needed_by:
            raise click.UsageError(f"{needed_by} needs a key: give --key-file")
        return None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", KeyFileWarning)
        key = read_key(file)
    for warning in caught:
        say(warning.message)
    return key


def vault_in(file: Path | None, key: "Key | None") -> "Vault | None":
    """Open the vault *file*; return None if the file or the key is missing."""
    from presidio_cdip.surrogates.vault import Vault, VaultWarning

    if not (file and key):
        return None
    click.get_current_context().with_resource(_printed(VaultWarning))
    return Vault(file, key)


@contextmanager
def _printed(kind: type[Warning]) -> Iterator[None]:
    """Print warnings of *kind* as messages of this program."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("always", kind)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if issubclass(category, kind):
                say(str(message))
            else:
                others(message, category, *rest, **more)

        warnings.showwarning = show
        yield


def imaging(module: str) -> Any:
    """Import *module* of `presidio_cdip.imaging`.

    Raises:
        MissingDependency: The extra for images is not installed.
    """
    try:
        return import_module(f"presidio_cdip.imaging.{module}")
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}", 'pip install "presidio-cdip[image]"'
        ) from None


allow_unread_option = click.option(
    "--allow-unread",
    is_flag=True,
    help="Do not warn of writing that was not read, nor end with code 3 for it: handwriting, "
    "signatures, stamps, dropped lines.",
)
"""The option of commands that look for writing on pages that nothing read."""


def unread_writing(name: str, page: int, count: int) -> UnreadableInput:
    """Return the warning of *count* regions with writing on a page that nothing read."""
    return UnreadableInput(
        f"{name}, page {page}",
        f"{count} {'region' if count == 1 else 'regions'} with writing not read, so not clean: "
        "look at them by eye (redact --report says where), or give --allow-unread",
    )


def at_least_one(jobs: "list[Job]") -> "list[Job]":
    """Return *jobs*, the files of a command.

    Raises:
        UsageError: There is none: the folders that were named are empty.
    """
    if not jobs:
        raise click.UsageError("there is no file in the named folders")
    return jobs
