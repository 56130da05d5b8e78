"""Draw filled-in forms for `imaging.py`: printed in one face and filled in in another.

Labels, rules, boxes, shading and fine print are one layer, the entries another, a stamp a third.
Each layer has ink of its own; together they go through the scanner of `imaging_pages.py`. So what
is an entry's ink and what is not is known for every pixel.

A page has one of four layouts (`LAYOUTS`), and is filled in by one of `WRITERS`: a typewriter, a
laser printer in a serif or a sans, a dot matrix printer, or by hand. Faces are those of `OURS`,
which the package has, and those of `OTHERS` that are installed. Both are lists, so that a face more
in the package changes no form.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random

import cv2
import numpy as np
from matplotlib.font_manager import findSystemFonts
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from benchmarks.imaging_pages import FINE, Token, printed, scanned
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box

LAYOUTS = ("underlined", "boxed", "dotted", "shaded")
WRITERS = ("typewriter", "sans", "serif", "dot matrix", "handwriting")
DPIS = (100, 150, 200, 300)

OURS = {
    "serif": (
        "serif-times", "serif-times-bold", "serif-school", "serif-school-bold", "serif-bookman",
        "serif-palace", "serif-modern", "serif-old", "serif-office",
    ),
    "sans": (
        "sans-swiss", "sans-swiss-bold", "sans-narrow", "sans-narrow-bold", "sans-office",
        "sans-office-bold", "sans-wide",
    ),
    "typewriter": (
        "typewriter-prime", "typewriter-prime-bold", "typewriter-cursor", "typewriter-cursor-bold",
        "typewriter-modern", "typewriter-gnu", "typewriter-lineal", "typewriter-wide",
    ),
    "handwriting": (),
}  # fmt: skip
"""Names of faces of the package, by family."""

OTHERS = {
    "serif": (
        "NimbusRoman-Regular", "C059-Roman", "P052-Roman", "FreeSerif", "LinLibertine_R",
        "Century-Catalogue", "NimbusRoman-Bold",
    ),
    "sans": (
        "NimbusSans-Regular", "FreeSans", "LinBiolinum_R", "OpenSans-Regular", "Lato-Regular",
        "Roboto-Regular", "Cabin-Regular", "NimbusSans-Bold", "NimbusSansNarrow-Regular",
    ),
    "typewriter": (
        "NimbusMonoPS-Regular", "FreeMono", "Hack-Regular", "Inconsolata", "NotoMono-Regular",
        "NimbusMonoPS-Bold",
    ),
    "handwriting": (
        "dkg", "Breip", "femkeklaver", "DancingScript-Regular", "Kristi", "BecauseWeBuild-Regular",
        "BecauseWeConnect-Regular", "BecauseWeLearn-Regular", "BecauseWeOrganize-Regular",
    ),
}  # fmt: skip
"""File names of other faces, by family, in Debian's font packages.

The package does not have them, but its `sans-grotesque` is much like NimbusSans, and its
`sans-humanist` much like OpenSans."""

WIDTH, HEIGHT = 7.2, 5.8
"""Inches of a page."""

MARGIN, ROW, CELL = 0.4, 0.36, 0.46
"""Inches: the paper at the sides, and the height of a line and of a cell."""

_FIRST = ("Ellen", "Walter", "Rosa", "Harold", "Bernice", "Otto", "Irma", "Clyde", "Marian")
_LAST = ("Ward", "Kowalski", "Brennan", "Ortega", "Lindqvist", "Sharpe", "Mancuso", "Novak")
_STREETS = ("Hermitage Court", "Spencer Avenue", "W. Oak Street", "Lincoln Blvd.", "E. 71st St.")
_TOWNS = ("Dayton", "Tallahassee", "Kansas City", "Elyria", "Fresno", "Duluth", "Macon", "Salem")
_STATES = ("OH", "FL", "MO", "CA", "MN", "GA", "OR")
_STATUS = ("Married", "Single", "Widowed", "Divorced", "Separated")
_NATIONS = ("Canadian", "Polish", "Irish", "Mexican", "Italian", "Norwegian")
_JOBS = ("Machinist", "Bookkeeper", "Truck driver", "Nurse", "Stenographer", "Carpenter", "Clerk")
_DEPARTMENTS = ("Shipping", "Accounts", "Foundry", "Records", "Dispatch")
_STAMPED = ((2.6, 3.6), (1.2, 3.2))  # inches: the ranges of a stamp's left and top
_DIRECTIONS = (
    "Directions: Print in ink or use a typewriter. Answer every question. If a question does not "
    "apply to you, write none. Applications that are not complete will be returned and will not be "
    "considered. Attach additional sheets where the space that is provided is not sufficient, and "
    "show on each sheet your name and the number of the question. Give the exact dates of all "
    "previous employment with this company or any of its divisions or subsidiaries."
)
_SMALL = (
    "I hereby certify that the statements made on this form are true and complete to the best of "
    "my knowledge. Any false statement may be cause for rejection of this application."
)


@dataclass(frozen=True, slots=True)
class Hand:
    """Describe how entries are written.

    Attributes:
        file: The font.
        family: ``typewriter``, ``serif``, ``sans`` or ``handwriting``.
        weight: ``regular`` or ``bold``.
        ours: Whether the package has the face.
        dots: Whether it is printed as dots by a matrix of pins.
    """

    file: Path
    family: str
    weight: str = "regular"
    ours: bool = False
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one line of what was filled in.

    Attributes:
        field: The field's number; the lines of one value share it.
        private: Whether the value is to be replaced.
        tokens: Its words.
    """

    field: int
    private: bool
    tokens: tuple[Token, ...]

    @property
    def box(self) -> Box:
        """Return the box of its words, in pixels of the page."""
        return Box.around(token.box for token in self.tokens)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Hold a drawn form and what is known of it.

    Attributes:
        image: The page, in grey levels.
        layout: One of `LAYOUTS`.
        writer: One of `WRITERS`.
        hand: How its entries are written.
        entries: The lines that were filled in.
        own: The share of each pixel that is ink of entries, in [0, 1].
        other: The same for print, rules and stamps.
        shaded: The mask of shaded cells.
        again: Draws the form again, with other texts for entries by their number.
    """

    image: Image.Image
    layout: str
    writer: str
    hand: Hand
    entries: tuple[Entry, ...]
    own: NDArray[np.float32] = field(repr=False)
    other: NDArray[np.float32] = field(repr=False)
    shaded: NDArray[np.bool_] = field(repr=False)
    again: "Callable[[Mapping[int, str]], Form]" = field(repr=False)


@cache
def hands(family: str) -> tuple[Hand, ...]:
    """Return the hands of a *family*, those of our faces and of others in turn."""
    shipped = {face.name: face for face in faces()}
    ours = [
        Hand(shipped[name].file, family, shipped[name].weight, ours=True) for name in OURS[family]
    ]
    installed = {Path(file).stem: Path(file) for file in sorted(findSystemFonts())}
    others = [
        Hand(installed[name], family, "bold" if "Bold" in name else "regular")
        for name in OTHERS[family]
        if name in installed
    ]
    rounds = max(len(ours), len(others))
    turns = [hand[at] for at in range(rounds) for hand in (others, ours) if at < len(hand)]
    return tuple(turns)


def drawable() -> tuple[str, ...]:
    """Return those of `WRITERS` for which a font is installed."""
    return WRITERS if hands("handwriting") else WRITERS[:-1]


def form(
    number: int,
    writer: str,
    dpi: int,
    *,
    stamped: bool = False,
    instead: Mapping[int, str] | None = None,
) -> Form:
    """Draw a form.

    Args:
        number: Determines all else: layout, faces, texts, ink, paper and compression.
        writer: One of `drawable()`.
        dpi: The page's resolution.
        stamped: Whether a stamp stands across it.
        instead: Texts to write in place of entries, by their number.
    """
    random = Random(f"{number} {writer} {dpi}")
    rng = np.random.default_rng([number, WRITERS.index(writer), dpi])
    family = {"dot matrix": "typewriter"}.get(writer, writer)
    choice = hands(family)
    hand = choice[number % len(choice)]
    if writer == "dot matrix":
        hand = Hand(hand.file, family, hand.weight, hand.ours, dots=True)
    print_family = "sans" if family == "serif" or number % 3 == 0 else "serif"
    labels = [one for one in hands(print_family) if one.weight == "regular"]
    sketch = _Sketch(dpi, random.choice(labels).file, hand, random, instead or {})
    layout = LAYOUTS[number % len(LAYOUTS)]
    sketch.fill_in(layout)
    if stamped:
        sketch.stamp()
    again = partial(_again, number, writer, dpi, stamped)
    return sketch.scanned(layout, writer, rng, again, bilevel=bool(number % 2))


def _again(number: int, writer: str, dpi: int, stamped: bool, instead: Mapping[int, str]) -> Form:
    return form(number, writer, dpi, stamped=stamped, instead=instead)


class _Sketch:
    """Draw one form in layers, at a multiple of the page's resolution."""

    def __init__(
        self, dpi: int, font: Path, hand: Hand, random: Random, instead: Mapping[int, str]
    ) -> None:
        self._instead = instead
        self._dpi, self._finer = dpi, max(2, round(FINE / dpi))
        self._random = random
        self._inch = dpi * self._finer
        size = int(WIDTH * dpi) * self._finer, int(HEIGHT * dpi) * self._finer
        self._print, self._entry, self._shade = (Image.new("L", size, 0) for _ in range(3))
        self._font, self._hand = font, hand
        self._points = random.uniform(6.5, 9)
        self._size = random.uniform(9.5, 12) * (1.35 if hand.family == "handwriting" else 1)
        self._entries: list[Entry] = []
        self._field = 0

    def fill_in(self, layout: str) -> None:
        """Draw heading, fields and fine print."""
        self._heading(layout)
        rows = self._fields()
        top = self._fine_print(_DIRECTIONS, MARGIN + 0.5)
        for row in rows:
            top += self._row(layout, row, top)
        self._fine_print(_SMALL, top + 0.18)

    def _fields(self) -> list[list[tuple[str, str, bool]]]:
        """Return rows of fields: label, entry, and whether the entry is private."""
        pick, number = self._random.choice, self._random.randint
        name = f"{pick(_LAST)}, {pick(_FIRST)} {pick('ABCEHJLMRT')}."
        home = f"{number(12, 9800)} {pick(_STREETS)}"
        town = f"{pick(_TOWNS)}, {pick(_STATES)} {number(10000, 99800)}"
        birth = f"{number(1, 12)}/{number(1, 28)}/19{number(10, 59)}"
        phone = f"({number(201, 989)}) 555-01{number(10, 99)}"
        ssn = f"9{number(10, 99)}-{number(10, 99)}-{number(1000, 9999)}"
        office = f"{pick(_TOWNS)}, {pick(_STATES)} {number(10000, 99800)}"
        hired = f"{number(1, 12)}/{number(1, 28)}/19{number(40, 79)}"
        desk = f"({number(201, 989)}) 555-01{number(10, 99)}"
        badge = f"{number(100, 999)}-{number(10, 99)}-{number(1000, 9999)}"
        return [
            [("Name", name, False), ("Soc. Sec. No.", ssn, True)],
            [("Home address", f"{home}\n{town}", True)],
            [("Date of birth", birth, True), ("Sex", pick("MF"), True),
             ("Home telephone", phone, True)],
            [("Marital status", pick(_STATUS), True), ("Citizenship", pick(_NATIONS), True),
             ("Birthplace", pick(_TOWNS), True)],
            # The like of each, to compare with.
            [("Occupation", pick(_JOBS), False), ("Department", pick(_DEPARTMENTS), False),
             ("Grade", pick("AB"), False)],
            [("Business address", f"{number(12, 9800)} {pick(_STREETS)}\n{office}", False)],
            [("Date hired", hired, False), ("Badge", badge, False),
             ("Office telephone", desk, False)],
        ]  # fmt: skip

    def _heading(self, layout: str) -> None:
        text = self._random.choice(
            ["APPLICATION FOR EMPLOYMENT", "PERSONNEL RECORD", "REGISTRATION FORM"]
        )
        draw = ImageDraw.Draw(self._print)
        font = ImageFont.truetype(str(self._font), 13 / 72 * self._inch)
        at = MARGIN * self._inch, (MARGIN + 0.2) * self._inch
        if layout != "shaded":
            draw.text(at, text, fill=255, font=font, anchor="ls")
            return
        # White on a dark band.
        high, low, right = at[1] - 0.22 * self._inch, at[1] + 0.1 * self._inch, WIDTH - MARGIN
        draw.rectangle((at[0], high, right * self._inch, low), fill=255)
        draw.text((at[0] + 0.1 * self._inch, at[1]), text, fill=0, font=font, anchor="ls")

    def _row(self, layout: str, row: Sequence[tuple[str, str, bool]], top: float) -> float:
        """Draw a row of fields at *top*, and return its height, in inches."""
        tall = max(text.count("\n") for _, text, _ in row)
        cells = layout in ("boxed", "shaded")
        height = (CELL + 0.18 * tall) if cells else ROW * (1 + 0.7 * tall)
        wide = (WIDTH - 2 * MARGIN) / len(row)
        for at, (label, text, private) in enumerate(row):
            left = MARGIN + at * wide
            self._field += 1
            if cells:
                self._cell(layout, label, text, private, (left, top, wide, height))
            else:
                self._line(layout, label, text, private, (left, top, wide))
        return height

    def _cell(
        self, layout: str, label: str, text: str, private: bool,
        place: tuple[float, float, float, float],
    ) -> None:  # fmt: skip
        left, top, wide, high = (side * self._inch for side in place)
        thick = max(1, round(0.008 * self._inch))
        box = (left, top, left + wide, top + high)
        if layout == "shaded" and self._field % 2:
            ImageDraw.Draw(self._shade).rectangle(box, fill=int(255 * 0.18))
        draw = ImageDraw.Draw(self._print)
        draw.rectangle(box, outline=255, width=thick)
        font = ImageFont.truetype(str(self._font), self._points * 0.9 / 72 * self._inch)
        self._type(label, (left + 0.05 * self._inch, top + 0.13 * self._inch), font)
        for number, line in enumerate(text.split("\n")):
            y = top + (0.36 + 0.18 * number) * self._inch
            self._write(line, (left + 0.1 * self._inch, y), private)

    def _line(
        self, layout: str, label: str, text: str, private: bool, place: tuple[float, float, float]
    ) -> None:
        left, top, wide = (side * self._inch for side in place)
        font = ImageFont.truetype(str(self._font), self._points / 72 * self._inch)
        after = left + font.getlength(label) + 0.08 * self._inch
        draw = ImageDraw.Draw(self._print)
        for number, line in enumerate(text.split("\n")):
            y = top + (0.28 + 0.25 * number) * self._inch
            if not number:
                self._type(label, (left, y), font)
            self._write(line, (after + 0.06 * self._inch, y - 0.015 * self._inch), private)
            end = left + wide - 0.1 * self._inch
            if layout == "underlined":
                draw.line((after, y + 0.02 * self._inch, end, y + 0.02 * self._inch),
                          fill=255, width=max(1, round(0.007 * self._inch)))  # fmt: skip
                continue
            dot = 0.008 * self._inch
            for x in np.arange(after, end, 0.055 * self._inch):
                draw.ellipse((x - dot, y + dot, x + dot, y + 3 * dot), fill=255)

    def _type(self, text: str, at: tuple[float, float], font: ImageFont.FreeTypeFont) -> None:
        ImageDraw.Draw(self._print).text(at, text, fill=255, font=font, anchor="ls")

    def _write(self, text: str, at: tuple[float, float], private: bool) -> None:
        """Write one line of an entry: word by word, so that each one's box is known."""
        basic = ImageFont.Layout.BASIC
        size = self._size / 72 * self._inch
        font = ImageFont.truetype(str(self._hand.file), size, layout_engine=basic)
        draw = ImageDraw.Draw(self._entry)
        space = max(font.getlength(" "), 0.25 * font.getlength("n"))
        pen, tokens = at[0], []
        drift = self._random.uniform(-0.006, 0.006) * self._inch
        for word in self._instead.get(len(self._entries), text).split():
            where = pen, at[1] + drift
            draw.text(where, word, fill=255, font=font, anchor="ls")
            edges = draw.textbbox(where, word, font=font, anchor="ls")
            low = [int(edge / self._finer) for edge in edges[:2]]
            high = [int(np.ceil(edge / self._finer)) for edge in edges[2:]]
            tokens.append(Token(word, Box(*low, *high)))
            pen += font.getlength(word) + space
        self._entries.append(Entry(self._field, private, tuple(tokens)))

    def _fine_print(self, text: str, top: float) -> float:
        """Print *text* in lines from *top* on, and return the next line's top, in inches."""
        font = ImageFont.truetype(str(self._font), self._points * 0.85 / 72 * self._inch)
        line = ""
        for word in [*text.split(), ""]:
            if not word or font.getlength(f"{line} {word}") > (WIDTH - 2 * MARGIN) * self._inch:
                self._type(line, (MARGIN * self._inch, top * self._inch), font)
                top, line = top + 0.15, ""
            line = f"{line} {word}".strip()
        return top

    def stamp(self) -> None:
        """Stamp a date across the page, askew and grey."""
        font = ImageFont.truetype(str(hands("sans")[0].file), 17 / 72 * self._inch)
        text = "RECEIVED  MAR 14 1962"
        stamp = Image.new("L", (round(font.getlength(text)) + 40, round(0.42 * self._inch)), 0)
        draw, (wide, high) = ImageDraw.Draw(stamp), stamp.size
        draw.rectangle((2, 2, wide - 3, high - 3), outline=150, width=round(0.02 * self._inch))
        draw.text((20, 0.3 * self._inch), text, fill=150, font=font, anchor="ls")
        stamp = stamp.rotate(self._random.uniform(4, 12), expand=True)
        left, top = (round(self._random.uniform(*ends) * self._inch) for ends in _STAMPED)
        under = self._print.crop((left, top, left + stamp.width, top + stamp.height))
        self._print.paste(Image.composite(stamp, under, stamp), (left, top))

    def scanned(
        self,
        layout: str,
        writer: str,
        rng: np.random.Generator,
        again: Callable[[Mapping[int, str]], Form],
        *,
        bilevel: bool,
    ) -> Form:
        """Print, scan and reduce the layers."""
        size = self._print.width // self._finer, self._print.height // self._finer
        entry = np.asarray(self._entry)
        if self._hand.dots:
            entry = _dotted(entry, max(2, round(self._inch / 100)))
        other = printed(np.asarray(self._print), rng)
        own = printed(entry, rng) * np.float32(self._random.uniform(0.75, 1.0))
        ink = np.maximum(other, own)
        shade = np.asarray(self._shade).astype(np.float32) / np.float32(255)
        ink = np.maximum(ink, shade)
        if bilevel:
            if shade.any():  # a raster of dots, as scanners dither
                ink = np.where((shade > 0) & (ink < 0.3), _raster(shade, self._finer), ink)
            ink = (ink > rng.uniform(0.35, 0.5)).astype(np.float32)

        def reduced(layer: NDArray[np.float32]) -> NDArray[np.float32]:
            return cv2.resize(layer, size, interpolation=cv2.INTER_AREA).astype(np.float32)

        image = scanned(reduced(ink), not bilevel, rng)
        masks = reduced(own), reduced(other), reduced(shade) > 0
        return Form(image, layout, writer, self._hand, tuple(self._entries), *masks, again)


def _dotted(drawn: NDArray[np.uint8], pitch: int) -> NDArray[np.uint8]:
    """Return *drawn* as the dots of a matrix printer, *pitch* pixels apart."""
    size = drawn.shape[1] // pitch, drawn.shape[0] // pitch
    on = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA) > 110
    spread = np.zeros_like(drawn)
    rows, columns = np.nonzero(on)
    spread[rows * pitch + pitch // 2, columns * pitch + pitch // 2] = 255
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (pitch + 1, pitch + 1))
    return cv2.dilate(spread, round_).astype(np.uint8)


def _raster(shade: NDArray[np.float32], finer: int) -> NDArray[np.float32]:
    """Return grey as dots on a grid of four pixels of the page."""
    step = 4 * finer
    rows, columns = np.indices(shade.shape)
    far = np.hypot(rows % step - step / 2, columns % step - step / 2)
    return np.asarray(far < step * np.sqrt(shade / np.pi), np.float32)
