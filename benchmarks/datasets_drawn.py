"""Draw collections for `datasets.py`: texts, small page images, side-cars, and poison."""

import io
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw, ImageFont

POISON = ("segfault", "hang", "memory", "exit")
LINE = (
    "Employee {0} called about the invoice of the {1}th. Soc. Sec. No. 219-09-{2}. Date of birth: "
    "12 March 19{1}. Home address: {0} Oak Street, Springfield, IL 62701. She is married.\n"
)
PAGE = (
    "Employee {0} called about the invoice.\nSoc. Sec. No. 219-09-{2}\n"
    "Date of birth: 12 March 19{1}"
)


def values(number: int, line: int = 0) -> tuple[int, int, int]:
    """Return the values that fill `LINE` and `PAGE`; each document has its own."""
    return number * 7 + line, 20 + (number + line) % 60, 1000 + (number + line) % 9000


def texts(folder: Path, count: int, lines: int = 12) -> Path:
    """Write *count* texts of *lines* lines, a hundred a folder."""
    for number in range(count):
        _write(folder, number, "txt", text(number, lines).encode())
    return folder


def mixed(folder: Path, count: int, pages: int, poison: int) -> Path:
    """Write *count* documents of one line or page; *pages* and *poison* lie anywhere among them."""
    chosen = Random(19).sample(range(count), pages + poison)
    slips = set(chosen[:pages])
    kinds = {number: POISON[at % len(POISON)] for at, number in enumerate(chosen[pages:])}
    for number in range(count):
        if number in slips:
            _write(folder, number, "png", page(number))
        else:
            before = f"{kinds[number]}-" if number in kinds else ""
            _write(folder, number, "txt", text(number, 1).encode(), before)
    return folder


def text(number: int, lines: int) -> str:
    """Return a text with values of its own."""
    return "".join(LINE.format(*values(number, line)) for line in range(lines))


def page(number: int) -> bytes:
    """Return a PNG of a slip with values of its own."""
    slip = Image.new("L", (700, 150), 255)
    font = ImageFont.truetype("DejaVuSans.ttf", 22)
    ImageDraw.Draw(slip).text((20, 20), PAGE.format(*values(number)), fill=0, font=font)
    made = io.BytesIO()
    slip.save(made, "PNG")
    return made.getvalue()


def _write(folder: Path, number: int, suffix: str, data: bytes, before: str = "") -> None:
    file = folder / f"{number // 100:04}" / f"{before}{number:06}.{suffix}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
