"""Measure the time of analysis by length of text: presidio-cdip and Presidio's recognizers.

    python -m benchmarks.text_speed

All contestants run `AnalyzerEngine.analyze` on the same text, on the same blank English spaCy
pipeline that presidio-cdip brings (no model, so no NER), in the same process, taking turns:

* ``presidio``: the English recognizers that Presidio loads by default.
* ``rules``: `presidio_cdip.analyzer` without the model, and without Presidio's recognizers.
* ``model``: the model alone.
* ``presidio-cdip``: `presidio_cdip.analyzer`, rules and model together.
* ``both``: Presidio's with ours added by `presidio_cdip.add_recognizers`.

The model has one thread.

The text is invented: pages of a personnel file, each with a form and parts of a letter, with
personal data and near misses, drawn with a fixed seed. A page is 2.5 kB, a document 250 kB.

All times are CPU time of all threads. For each contestant:

* **ms/kB**: the median of the rounds, for 2.5, 25, 250 and 1,000 kB, after one round on the page
  that is not counted. A kB is 1,000 characters; all are ASCII.
* **growth**: ms/kB of the document, and of the longest text, divided by that of the page; 1 is
  linear.
* **spans**: found in the document, of any type.
* **import** and **ready**: in a fresh interpreter, the imports alone, and the imports together
  with building the engine; median of five.
* **first page**: in a fresh interpreter, the first page beyond the median of five later ones,
  which are slower than those after them (docs/speed.md).
* **unpickle**: in a fresh interpreter with the imports done, a pickled engine; and its size.
* **peak**: peak memory of a fresh interpreter that built the engine and analyzed the longest text.

Beside them, for presidio-cdip alone:

* **--help**, **analyze**, **anonymize**: CPU time and memory of the command on one line of text.
* **beyond a long text**: with ``--long N``, peak memory while the rules read N million characters
  of near misses, less the memory before, with the text in it. Four minutes, with N = 200.
* **two processes**: with ``--pages N``, pages a second of two processes, of those of one. The one
  figure of wall time: nothing else may run beside it.
"""

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from benchmarks.quality import (
    cell,
    header,
    print_facts,
    print_markdown,
    print_table,
)
from presidio_cdip.presidio.stock import OFFLINE, stock_engine

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

PAGE, CHAPTER, DOCUMENT, LONGEST = 2_500, 25_000, 250_000, 1_000_000
"""Lengths in characters."""

ROUNDS: Mapping[int, int] = {PAGE: 15, CHAPTER: 5, DOCUMENT: 3, LONGEST: 1}
STARTS = 5
LINE = "Soc. Sec. No. 271-24-0538  Date of birth: 03/04/1931\n"
COMMANDS: Mapping[str, Sequence[str]] = {
    "--help": ["--help"],
    "analyze": ["analyze", "--threads", "1"],
    "anonymize": ["anonymize", "--threads", "1"],
}

# --- the text -----------------------------------------------------------------------------------

FORM = """\
{firm}                                        PERSONNEL RECORD  No. {number}
Name: {last}, {first} {initial}.          Soc. Sec. No. {ssn}
Home address: {house} {street}, {town}, {state} {zip}
Home phone: ({area}) 555-{line}       Office: ({area}) 555-{line2}, ext. {ext}
Date of birth: {month} {day}, {year}      Place of birth: {town2}, {state2}
Age: {age}   Sex: {sex}   Marital status: {status}   Children: {children}
Citizenship: {nation}   Religion: {faith}   Race: {race}
General health: {health}     Physical defects: {ailment}
Ever convicted of an offense? {convicted}     Union: {union}
"""

LETTER = (
    """\
Dear Mr. {last2}:
Thank you for your letter of {month2} {day2}, {later} about our opening for a {post}. I enclose \
three copies of my vita and of Form {number}, and the budget for Account {account}.
""",
    """\
I was born in {town2}, {state2}, on {month} {day}, {year}, took my degree at {town} State \
University in {later}, and have been with {firm} since. I am {status}, with {children}.
""",
    """\
Your invoice {number}-{ext} of {month2} {day2} was paid from account {account}. Please send the \
remaining {ext} cartons to our office at {house} {street}, {town}, or call ({area}) 555-{line2}.
""",
    """\
My wife, {first2}, and I moved to {house} {street}, {town}, {state} {zip} last spring. You can \
reach us at home in the evening, ({area}) 555-{line}, but not before {month2} {day2}.
""",
    """\
He saw Dr. {last2} for {ailment} in {month2} {later}, was kept for {day2} days and has taken \
{drug} since; his blood pressure was {pressure} mmHg when he returned to work.
""",
    """\
The study enrolled {ext} subjects aged 18-65, most of them women, at {town} Baptist Hospital. \
Treatment of {ailment} with {drug} was well tolerated, and the single {post} found no effect.
""",
    """\
For the record, Mrs. {last} told me that she is {nation} by birth and {faith}, that she voted for \
{party}, and that {first2} has been shop steward of {union} since {later}.
""",
    """\
{first} {last2}, {age}, of {town2}, was {offence} in {later}. The charge did not come up at the \
interview on {month2} {day2}, and nothing in file {account} says how the case ended.
""",
    """\
{firm} was established in {year} and hired {first} {last2} as {post} on {month2} {day2}, {later}. \
His father, {age}, a retired {post} born near {town2}, lives at {house} {street}, {town}; he has \
{ailment} and no telephone. Employer's No. {ext}-{account}, grant GM-{number}{ext}, fax \
({area}) 555-{line2}.
""",
    """\
The annual meeting of {party} on insurance law, the Easter sale and the credit union \
are listed on page {day} of bulletin {number}; extension {ext} has copies at ${day2}.{day}0.
""",
)

VALUES: Mapping[str, Sequence[str]] = {
    "firm": ("Kern Valley Paper Co.", "Ashby Instruments", "Tri-River Mills", "Holt & Dunne"),
    "first": ("Walter", "Ruth", "Harold", "Irene", "Leonard", "Mae", "Curtis", "Doris"),
    "first2": ("Ellen", "Greta", "Pauline", "Nora", "Vera", "Sylvia", "Lois", "Agnes"),
    "initial": tuple("ABCDEFGHJKLMPRSTW"),
    "last": ("Harkness", "Odum", "Pettibone", "Szabo", "Lindqvist", "Mayhew", "Trask", "Yoder"),
    "last2": ("Corrigan", "Abernathy", "Vance", "Kowalczyk", "Boone", "Ingersoll", "Dacosta"),
    "street": ("Hermitage Ct.", "N. Alder Street", "Old Mill Road", "Fourth Ave.", "Lake Drive"),
    "town": ("Danville", "Altoona", "Pricetown", "Marietta", "Elkhart", "Quincy"),
    "town2": ("Gallipolis", "Hazard", "Natchez", "Duluth", "Bisbee", "Laredo", "Bangor"),
    "state": ("VA", "PA", "MN", "OH", "IN", "IL"),
    "state2": ("Ohio", "Kentucky", "Mississippi", "Minnesota", "Arizona", "Texas", "Maine"),
    "month": ("January", "March", "April", "June", "August", "November"),
    "month2": ("Feb.", "May", "July", "Sept.", "Oct.", "Dec."),
    "sex": ("Male", "Female", "M", "F"),
    "status": ("married", "single", "divorced", "widowed"),
    "children": ("two sons", "3 children", "no children", "a daughter"),
    "nation": ("U.S. citizen", "British", "Canadian", "Hungarian", "permanent resident"),
    "faith": ("Presbyterian", "Roman Catholic", "Jewish", "Methodist", "Lutheran"),
    "race": ("Caucasian", "Black", "Chinese", "Korean"),
    "health": ("good", "excellent", "fair", "under treatment"),
    "ailment": ("asthma", "diabetes", "an ulcer", "angina", "epilepsy", "a slipped disc"),
    "drug": ("lithium", "insulin", "digitalis", "phenobarbital", "prednisone"),
    "union": ("UAW Local 600", "Teamsters Local 89", "none", "Typographical Union No. 6"),
    "party": ("the Democrats", "the Republicans", "the Liberals", "the Socialist Party"),
    "offence": ("arrested for trespass", "convicted of forgery", "charged with assault"),
    "convicted": ("No", "Yes", "No record"),
    "post": ("chemist", "foreman", "stenographer", "statistician", "field agent"),
}

NUMBERS: Mapping[str, tuple[str, int, int]] = {
    "number": ("{}", 1_000, 9_999),
    "house": ("{}", 2, 4_999),
    "zip": ("{}", 10_001, 99_950),
    "area": ("{}", 201, 989),
    "line": ("0{}", 100, 199),
    "line2": ("0{}", 100, 199),
    "ext": ("{}", 11, 899),
    "day": ("{}", 1, 28),
    "day2": ("{}", 1, 28),
    "year": ("{}", 1_911, 1_959),
    "later": ("{}", 1_960, 1_989),
    "age": ("{}", 21, 67),
    "account": ("{}-42-08", 100, 999),
    "pressure": ("{}/84", 118, 190),
}


def page(random: Random) -> str:
    """Write a page: a filled form, then the parts of a letter in random order."""
    parts = [FORM, *random.sample(LETTER, k=len(LETTER))]
    return "\n".join(part.format_map(values(random)) for part in parts)


def values(random: Random) -> dict[str, str]:
    """Draw a value for every field."""
    chosen = {field: random.choice(words) for field, words in VALUES.items()}
    numbers = {
        field: form.format(random.randint(low, high))
        for field, (form, low, high) in NUMBERS.items()
    }
    area, group, serial = random.randint(101, 599), random.randint(11, 88), numbers["number"]
    return chosen | numbers | {"ssn": f"{area}-{group}-{serial}"}


def sample(length: int) -> str:
    """Return pages with *length* characters in all, the same at every call."""
    random, pages, size = Random(1), list[str](), 0
    while size < length:
        pages.append(page(random))
        size += len(pages[-1]) + 1
    return "\n".join(pages)[:length]


# --- the contestants ----------------------------------------------------------------------------


def presidio() -> "AnalyzerEngine":
    """Build Presidio's default English recognizers."""
    return stock_engine(OFFLINE)


def rules() -> "AnalyzerEngine":
    """Build an engine with our rules."""
    import presidio_cdip

    return presidio_cdip.analyzer(model="none")


def model() -> "AnalyzerEngine":
    """Build an engine with our model."""
    from presidio_cdip.presidio.analyzer import CdipTransformerRecognizer

    engine = rules()
    engine.registry.recognizers = [CdipTransformerRecognizer(threads=1)]
    return engine


def ours() -> "AnalyzerEngine":
    """Build an engine with our rules and our model."""
    import presidio_cdip

    return presidio_cdip.analyzer(threads=1)


def both() -> "AnalyzerEngine":
    """Build an engine with our recognizers and Presidio's."""
    import presidio_cdip

    engine = stock_engine(OFFLINE)
    presidio_cdip.add_recognizers(engine, threads=1)
    return engine


CONTESTANTS: Mapping[str, Callable[[], "AnalyzerEngine"]] = {
    "presidio": presidio,
    "rules": rules,
    "model": model,
    "presidio-cdip": ours,
    "both": both,
}

IMPORTS: Mapping[str, str] = {
    "presidio": "from presidio_analyzer import AnalyzerEngine",
    **dict.fromkeys(("rules", "model", "presidio-cdip"), "from presidio_cdip import analyzer"),
    "both": "from presidio_analyzer import AnalyzerEngine; from presidio_cdip import analyzer",
}

# --- measuring ----------------------------------------------------------------------------------


def milliseconds(action: Callable[[], object]) -> float:
    """Return the CPU time of *action* in milliseconds."""
    begin = time.process_time()
    action()
    return (time.process_time() - begin) * 1_000


def analyze_times(engines: Mapping[str, "AnalyzerEngine"], length: int) -> dict[str, float]:
    """Return the median milliseconds for *length* characters, with the engines in turn."""
    text = sample(length)
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(ROUNDS[length]):
        for name, engine in engines.items():
            times[name].append(milliseconds(partial(engine.analyze, text, "en")))
    return {name: median(each) for name, each in times.items()}


def fresh(code: str) -> float:
    """Run *code* in a fresh interpreter and return the number that it prints.

    It starts in the checkout, so that it imports the same code as
    ``python -m benchmarks.text_speed``.
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    return float(done.stdout)


def import_time(name: str) -> float:
    """Return the milliseconds of the imports, in a fresh interpreter."""
    clock = "from time import process_time as now; begin = now(); "
    return fresh(f"{clock}{IMPORTS[name]}; print((now() - begin) * 1_000)")


def ready_time(name: str) -> float:
    """Return the milliseconds until the engine is built, in a fresh interpreter."""
    return here(f"milliseconds(t.CONTESTANTS[{name!r}])")


def first_page(name: str) -> float:
    """Return this process's milliseconds for its first page, beyond those for a later one."""
    engine = CONTESTANTS[name]()
    analyze = partial(engine.analyze, sample(PAGE), "en")
    first, *later = [milliseconds(analyze) for _ in range(6)]
    return first - median(later)


def pickled(name: str, file: str) -> float:
    """Pickle the engine *name* to *file*; return the size in kB."""
    return Path(file).write_bytes(pickle.dumps(CONTESTANTS[name]())) / 1_000


def unpickle(file: str) -> float:
    """Return the milliseconds in which this process, which has the imports, reads *file*."""
    import presidio_analyzer  # noqa: F401

    import presidio_cdip.presidio.analyzer  # noqa: F401

    return milliseconds(lambda: pickle.loads(Path(file).read_bytes()))


def here(call: str) -> float:
    """Return the number that *call*, of a function of this module, gives in a fresh interpreter."""
    return fresh(f"from benchmarks import text_speed as t; print(t.{call})")


def peak_memory(name: str) -> float:
    """Return the peak memory in MB (1,000,000 bytes) for the longest text, in a fresh interpreter.

    Raises:
        RuntimeError: This process has already held as much memory. On Linux a child inherits the
            peak of its parent, so that the child's peak would be meaningless: measure memory
            before any engine is built in this process.
    """
    peak = here(f"peak_of_longest({name!r})")
    if peak <= peak_here():
        raise RuntimeError("memory must be measured before an engine is built in this process")
    return peak


def peak_of_longest(name: str) -> float:
    """Return this process's peak memory in MB, after *name* has analyzed the longest text."""
    CONTESTANTS[name]().analyze(sample(LONGEST), "en")
    return peak_here()


def peak_here() -> float:
    """Return the peak memory of this process in MB so far."""
    unit = 1 if sys.platform == "darwin" else 1_024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit / 1_000_000


def measure_starts(names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure the columns that need fresh interpreters, with the engines in turn."""
    imports: dict[str, list[float]] = {name: [] for name in names}
    readies: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(STARTS):
        for name in names:
            imports[name].append(import_time(name))
            readies[name].append(ready_time(name))
    with TemporaryDirectory() as folder:
        file = str(Path(folder, "pickle"))
        return {
            name: {
                "import ms": median(imports[name]),
                "ready ms": median(readies[name]),
                "first page ms": here(f"first_page({name!r})"),
                "pickle kB": here(f"pickled({name!r}, {file!r})"),
                "unpickle ms": here(f"unpickle({file!r})"),
                "peak MB": peak_memory(name),
            }
            for name in names
        }


def measure_text(names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure the columns in this process."""
    engines = {name: CONTESTANTS[name]() for name in names}
    for engine in engines.values():
        engine.analyze(sample(PAGE), "en")
    times = {length: analyze_times(engines, length) for length in ROUNDS}
    return {
        name: figures({length: each[name] for length, each in times.items()})
        | {"spans": len(engine.analyze(sample(DOCUMENT), "en"))}
        for name, engine in engines.items()
    }


def measure(names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure all numbers of the table; fresh interpreters first, as `peak_memory` requires."""
    starts = measure_starts(names)
    text = measure_text(names)
    return {name: text[name] | starts[name] for name in names}


def figures(times: Mapping[int, float]) -> dict[str, float]:
    """Compute the columns that depend on the milliseconds for each length."""
    per_kb = {length: 1_000 * each / length for length, each in times.items()}
    return {
        "page ms": times[PAGE],
        "document ms": times[DOCUMENT],
        "ms/kB at 2.5": per_kb[PAGE],
        "at 25": per_kb[CHAPTER],
        "at 250": per_kb[DOCUMENT],
        "at 1,000": per_kb[LONGEST],
        "growth": per_kb[DOCUMENT] / per_kb[PAGE],
        "growth to 1,000": per_kb[LONGEST] / per_kb[PAGE],
    }


# --- presidio-cdip alone ------------------------------------------------------------------------


def shell(name: str) -> dict[str, float]:
    """Return CPU seconds and peak MB of a run of the command on one line of text."""
    process = subprocess.Popen(
        [sys.executable, "-m", "presidio_cdip", *COMMANDS[name]],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[1],
    )
    assert process.stdin
    with process.stdin as line:
        line.write(LINE.encode())
    _, _, used = os.wait4(process.pid, 0)
    unit = 1 if sys.platform == "darwin" else 1_024
    return {"CPU s": used.ru_utime + used.ru_stime, "MB": used.ru_maxrss * unit / 1_000_000}


def beyond_long_text(millions: int) -> float:
    """Return the peak memory in MB that the rules need beyond a text of *millions* characters."""
    engine = rules()
    engine.analyze(sample(PAGE), "en")
    near_misses = LETTER[-1].format_map(values(Random(1)))
    text = (near_misses * (1_000_000 // len(near_misses) + 1))[:1_000_000] * millions
    before = peak_here()
    engine.analyze(text, "en")
    return peak_here() - before


def pages_a_second(processes: int, count: int) -> float:
    """Return the pages a second that *processes*, which are ready, analyze, *count* in all."""
    random = Random(2)
    pages = [page(random) for _ in range(count)]
    with get_context("spawn").Pool(processes, _make_ready) as pool:
        pool.map(_spans_of, pages[: 8 * processes], chunksize=8)
        begin = time.perf_counter()
        pool.map(_spans_of, pages, chunksize=5)
        return count / (time.perf_counter() - begin)


_engine: "AnalyzerEngine"  # of a process of `pages_a_second`


def _make_ready() -> None:
    global _engine
    _engine = ours()


def _spans_of(text: str) -> int:
    return len(_engine.analyze(text, "en"))


@click.command(help="Measure how long finding takes; the module's docstring says what is measured.")
@click.option(
    "--only", type=click.Choice(list(CONTESTANTS)), multiple=True, help="Only these contestants."
)
@click.option("--long", "millions", type=int, default=0, help="Millions of characters to read.")
@click.option("--pages", type=int, default=0, help="Pages for one process against two.")
@click.option(
    "--format", "style", type=click.Choice(["table", "json", "markdown"]), default="table"
)
def main(only: tuple[str, ...], millions: int, pages: int, style: str) -> None:
    """Measure and print the table."""
    alone = {name: shell(name) for name in COMMANDS}
    if millions:
        alone["beyond a long text"] = {"MB": here(f"beyond_long_text({millions})")}
    if pages:
        two, one = (here(f"pages_a_second({processes}, {pages})") for processes in (2, 1))
        alone["two processes"] = {"of one": two / one}
    results = measure(only or tuple(CONTESTANTS))

    facts = header() | {
        "text": f"page {PAGE}, document {DOCUMENT} characters, invented",
        "pipeline": "blank spaCy pipeline of presidio-cdip for all (no NER)",
    }
    if style == "json":
        click.echo(json.dumps({"header": facts, "results": results, "alone": alone}, indent=2))
        return
    print_facts(facts, markdown=style == "markdown")
    columns = ["contestant", *next(iter(results.values()))]
    cells = [[name, *map(cell, numbers.values())] for name, numbers in results.items()]
    show_table = print_table if style == "table" else print_markdown
    show_table(columns, cells)
    click.echo()
    show_table(
        ["presidio-cdip alone", "CPU s", "MB", "of one"],
        [[name, *(cell(row.get(key)) for key in ("CPU s", "MB", "of one"))]
         for name, row in alone.items()],
    )  # fmt: skip


if __name__ == "__main__":
    main()
