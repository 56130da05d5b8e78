"""Build documents with values planted in one place each in which text hides.

    python -m benchmarks.documents_plants [FOLDER]

Each plant is a small document whose main text has the sentence `BODY`, and in which some of its
values stand once more in a single place that is easily forgotten: in an author's name, a cached
value, an attribute, a picture. Everything is written as raw XML, bytes or PDF syntax, from the
specifications of the formats, and with none of the code that is measured with it.

The command checks the plants themselves: that each opens in an independent library, and that
`documents_oracle` finds in it what was planted, without the sentence in the main text. With FOLDER
they are written there, to be looked at.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from presidio_cdip.documents.segments import Settings

NAME, SSN, BORN = "Jonathan Smithson", "271-24-0538", "March 4, 1951"
BODY = f"Employee: {NAME}, SSN {SSN}, born {BORN}"
"""The sentence in the main text, in which all three values are easy to find."""
ALL = f"{NAME} has SSN {SSN} and was born {BORN}."
NEUTRAL = "The file was sent back to the office without a remark."
"""The main text in place of `BODY` where a plant itself is checked."""
DIGITS = SSN.replace("-", "")
ADDRESS = "jonathan.smithson@example.com"
"""Made of the name; it stands nowhere else."""
QUERY = f"https://example.com/find?ssn={SSN}"

Built = TypeVar("Built")


@dataclass(frozen=True, slots=True)
class Plant:
    """A document with a value planted in one place.

    Attributes:
        name: The format and the place.
        suffix: Of its file name.
        planted: What stands in that place, as `documents_oracle` looks for it.
        build: From the sentence of the main text to the document.
        options: Settings that the place needs.
    """

    name: str
    suffix: str
    planted: tuple[str, ...]
    build: Callable[[str], bytes]
    options: dict[str, bool] = field(default_factory=dict)

    @property
    def format(self) -> str:
        """Return the format, as `presidio_cdip.documents.formats` names it."""
        return self.name.partition(":")[0]

    @property
    def file(self) -> str:
        """Return a file name."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.name).split()
        return "_".join(words) + self.suffix

    @property
    def sought(self) -> tuple[str, ...]:
        """Return the values that may not be left: the planted one, and those of the main text."""
        return tuple(dict.fromkeys((NAME, SSN, BORN, *self.planted)))

    def settings(self) -> "Settings":
        """Return the settings to read it with."""
        from presidio_cdip.documents.segments import Settings

        return Settings(**self.options)  # type: ignore[arg-type]


def words_of(text: str) -> tuple[str, ...]:
    """Return which of the three values are in *text*; else *text* itself is the value."""
    return tuple(value for value in (NAME, SSN, BORN) if value in text) or (text,)


def family(
    form: str,
    suffix: str,
    base: Callable[[str], Built],
    finish: Callable[[Built], bytes],
    places: "dict[str, tuple[str, Callable[[Built, str], object]]]",
) -> list[Plant]:
    """Return a plant for each of *places*.

    Args:
        form: The format.
        suffix: Of the file names.
        base: From the sentence of the main text to a document that can be added to.
        finish: From that to its bytes.
        places: For the name of a place, what is planted there, and what adds it.
    """

    def build(add: Callable[[Built, str], object], planted: str) -> Callable[[str], bytes]:
        def built(body: str) -> bytes:
            document = base(body)
            add(document, planted)
            return finish(document)

        return built

    return [
        Plant(f"{form}: {place}", suffix, words_of(planted), build(add, planted))
        for place, (planted, add) in places.items()
    ]


def plants(forms: tuple[str, ...] = ()) -> Iterator[Plant]:
    """Yield all plants, or those of *forms*."""
    from benchmarks import (
        documents_plants_mail,
        documents_plants_more,
        documents_plants_odf,
        documents_plants_pdf,
        documents_plants_sheet,
        documents_plants_slides,
        documents_plants_text,
        documents_plants_word,
    )

    for module in (
        documents_plants_word,
        documents_plants_sheet,
        documents_plants_slides,
        documents_plants_pdf,
        documents_plants_mail,
        documents_plants_odf,
        documents_plants_text,
        documents_plants_more,
    ):
        yield from (one for one in module.PLANTS if not forms or one.format in forms)


def faults() -> Iterator[str]:
    """Yield the faults of the plants themselves."""
    from benchmarks.documents_opening import OPENERS, opens
    from benchmarks.documents_oracle import left_in

    seen = set()
    for one in plants():
        if one.name in seen:
            yield f"{one.name}: there are two"
        seen.add(one.name)
        data = one.build(BODY)
        for opener in OPENERS.get(one.suffix, ()):
            if reason := opens(opener, data):
                yield f"{one.name}: {opener.__name__} does not open it: {reason}"
        bare = left_in(one.build(NEUTRAL), one.file, one.planted)
        if missed := set(one.planted) - {value for value, _ in bare.found}:
            yield f"{one.name}: the oracle does not see {sorted(missed)}"


@click.command(help="Check the plants; the module's docstring says how.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
def main(folder: Path | None) -> None:
    """Check the plants, and write them."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        for one in plants():
            (folder / one.file).write_bytes(one.build(BODY))
    wrong = list(faults())
    for line in wrong:
        click.echo(line)
    counts: dict[str, int] = {}
    for one in plants():
        counts[one.format] = counts.get(one.format, 0) + 1
    click.echo(", ".join(f"{form} {count}" for form, count in counts.items()))
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
