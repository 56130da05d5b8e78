"""Move new documents from ``training/corpus/incoming/`` into their families' files.

    python -m training.file_in                      # kinds that the corpus knows
    python -m training.file_in --family hospitals   # puts kinds new to the corpus in this family

A document without a split is assigned one, see `splits.py`. Nothing is moved if any document of
the corpus is invalid. The kinds held out from training were drawn at random; to hold out a new
kind, give its first document ``split=kinds`` in its header.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from training.corpus import FOLDER, INCOMING, CorpusError, Document, documents, files, read
from training.splits import drawn


def families(folder: Path = FOLDER) -> dict[str, str]:
    """Return the family of each kind.

    Raises:
        CorpusError: A kind lies in two families, or a document cannot be read.
    """
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.txt")):
        for document in read(file):
            if found.setdefault(document.kind, file.stem) != file.stem:
                other = f"{found[document.kind]}.txt"
                raise CorpusError(f"{file.name}: the kind {document.kind!r} lies in {other} too")
    return found


def written(corpus: Sequence[Document], of: Mapping[str, str]) -> dict[str, str]:
    """Return the content of each family's file, where *of* gives the family of a kind."""
    parts: dict[str, list[str]] = defaultdict(list)
    for document in sorted(corpus, key=lambda one: one.place):
        parts[of[document.kind]].append(document.as_section())
    return {family: "\n".join(sections) for family, sections in parts.items()}


def file_in(folder: Path = FOLDER, family: str | None = None) -> int:
    """Move the documents of *folder*/incoming into the families' files, and return how many.

    Args:
        folder: The corpus.
        family: The family for kinds that no family has yet.

    Raises:
        CorpusError: A document is broken, or a kind has no family and none is given. Nothing was
            moved.
    """
    corpus, of = documents(folder), families(folder)
    known = sum(len(read(file)) for file in folder.glob("*.txt"))
    for document in corpus:
        if of.setdefault(document.kind, family or "") == "":
            raise CorpusError(f"no family has the kind {document.kind!r}: name one with --family")
    incoming = [file for file in files(folder) if file.parent.name == INCOMING]
    for name, content in written(drawn(corpus), of).items():
        (folder / f"{name}.txt").write_text(content, "utf-8")
    for file in incoming:
        file.unlink()
    return len(corpus) - known


@click.command()
@click.option("--family", help="The file, without .txt, for kinds that are new.")
def main(family: str | None) -> None:
    """Move new documents into their families' files."""
    try:
        count = file_in(family=family)
    except CorpusError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{count} documents moved")


if __name__ == "__main__":
    main()
