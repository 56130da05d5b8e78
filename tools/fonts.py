"""Build the faces of `presidio_cdip/imaging/fonts/` from Debian's font packages.

    apt-get install fonts-courier-prime fonts-liberation2 fonts-cmu fonts-gnutypewriter \
        fonts-texgyre fonts-ocr-a fonts-crosextra-carlito fonts-crosextra-caladea \
        fonts-oldstandard fonts-dejavu-core fonts-noto-core fonts-cantarell
    python tools/fonts.py

``faces.json`` there names the source file of each face; this script records in it the characters
that the face ``lacks``. Each face holds Latin-1 and typographic marks, without hinting, kerning or
other tables, under a name of its own: a changed font may not keep a Reserved Font Name (OFL-1.1)
and must be renamed (GUST Font License). The texts of the licences are copied beside the faces.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import click
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from presidio_cdip.imaging.style.faces import DRAWABLE, FONTS

FOLDER = FONTS
_ROOTS = (Path("/usr/share/fonts"), Path("/usr/share/texmf/fonts"))
_DOCS = Path("/usr/share/doc")
_GUST = Path("/usr/share/texmf/doc/fonts/tex-gyre/GUST-FONT-LICENSE.txt")
_CHARACTERS = sorted(map(ord, DRAWABLE))
_EPOCH = 3_786_912_000  # seconds after 1904: a fixed time makes the build reproducible
_KEPT_NAMES = {0, 7, 13, 14}  # copyright, trademark, licence and its address


def subset(source: Path, target: Path, name: str) -> str:
    """Write the subset of *source* as *name*, and return the characters that it lacks."""
    font: Any = TTFont(source, recalcTimestamp=False)
    options = Options()
    options.hinting = False
    options.layout_features = []
    options.name_IDs = list(range(26))
    options.notdef_outline = True
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "kern", "FFTM", "MATH", "PfEd", "DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=_CHARACTERS)
    subsetter.subset(font)
    table = font["name"]
    kept = [record for record in table.names if record.nameID in _KEPT_NAMES]
    table.names = kept
    for number, text in ((1, name), (2, "Regular"), (3, name), (4, name), (6, name)):
        table.setName(text, number, 3, 1, 0x409)
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [name]
        for key in ("FullName", "FamilyName"):
            setattr(cff.topDictIndex[0], key, name)
    font["head"].created = font["head"].modified = _EPOCH
    font.save(target)
    return "".join(sorted(DRAWABLE - set(map(chr, font.getBestCmap()))))


@click.command()
def main() -> None:
    """Write every face that faces.json names."""
    found = {file.name: file for root in _ROOTS for file in root.rglob("*.[ot]tf")}
    index = json.loads((FOLDER / "faces.json").read_text("utf-8"))
    missing = [face["source"] for face in index["faces"] if face["source"] not in found]
    if missing:
        raise click.ClickException(f"not installed: {', '.join(missing)}; see the docstring")
    for old in FOLDER.glob("*.[ot]tf"):
        old.unlink()
    for face in index["faces"]:
        source = found[face["source"]]
        target = FOLDER / (face["name"] + source.suffix)
        lacks = subset(source, target, "Cdip-" + face["name"].title().replace("-", ""))
        face.pop("lacks", None)
        if lacks:
            face["lacks"] = lacks
        click.echo(f"{target.name}: {target.stat().st_size // 1024} kB")
    rows = ",\n ".join(json.dumps(face, ensure_ascii=False) for face in index["faces"])
    (FOLDER / "faces.json").write_text(f'{{"faces": [\n {rows}\n]}}\n', "utf-8")
    for package in sorted({face["package"] for face in index["faces"]}):
        copyright_ = _DOCS / package / "copyright"
        (FOLDER / "licences" / f"{package}.txt").write_bytes(copyright_.read_bytes())
        if package == "fonts-texgyre":
            (FOLDER / "licences" / _GUST.name).write_bytes(_GUST.read_bytes())
        licence = _DOCS / package / "OFL.txt.gz"
        if licence.is_file():
            with gzip.open(licence) as file:
                (FOLDER / "licences" / f"{package}-OFL.txt").write_bytes(file.read())


if __name__ == "__main__":
    main()
