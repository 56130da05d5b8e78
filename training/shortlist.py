"""Train the small network that shortens the search for a word's face, and measure both.

    python -m training.shortlist train presidio_cdip/imaging/fonts/shortlist.onnx
    python -m training.shortlist compare presidio_cdip/imaging/fonts/shortlist.onnx
    python -m training.shortlist families presidio_cdip/imaging/fonts/shortlist.onnx

Training needs the fonts of these packages of Debian's beside ours:

    apt-get install fonts-adf-accanthis fonts-adf-baskervald fonts-adf-berenis fonts-adf-gillius \
        fonts-adf-ikarius fonts-adf-libris fonts-adf-romande fonts-adf-switzera fonts-adf-tribun \
        fonts-adf-universalis fonts-adf-verana fonts-agave fonts-averia-sans-gwf \
        fonts-averia-serif-gwf fonts-b612 fonts-clear-sans fonts-cmu fonts-ebgaramond \
        fonts-firacode fonts-gfs-artemisia fonts-gfs-didot fonts-goudybookletter fonts-hermit \
        fonts-jetbrains-mono fonts-junction fonts-junicode fonts-karla fonts-league-mono \
        fonts-lindenhill fonts-manrope fonts-mononoki fonts-noto-core fonts-okolaks fonts-oxygen \
        fonts-play fonts-quattrocento fonts-roboto-slab fonts-sil-andika fonts-sil-charis \
        fonts-sil-gentium-basic fonts-tuffy fonts-urw-base35 fonts-vollkorn

`imaging.style.fitting` draws a word in every face, stretches the drawings over its ink and
refines the four that correlate best. Here a network of some 70 000 weights names the likeliest
faces of a crop of 32 x 128 pixels instead; it is read by ``cv2.dnn``. ``train`` draws crops through
`Scan`, learns, writes ONNX, and checks that OpenCV answers as torch does. Two fifths of the crops
are in `OTHERS`, or in ours by a pen that is wider one way than the other: they teach only their
family, by the sum of the probabilities of its faces. ``families`` counts how often it is right in
the faces of `benchmarks.imaging_forms` that are not ours, none of which is learnt from.

``compare`` sets other words, through another scanner (`scanned`: print gain at four times the
resolution), and prints a table. ``search`` is the search without a network; ``cnn 4`` gives the
network's best four faces to `fits`; with ``cnn 8`` and ``cnn 12`` the search chooses four of the
network's best eight and twelve.

Times are the process's own, on one thread, so that neighbours on the core do not count; medians
over words, the ways tried in random order on each. No drawing is kept from one to the next, as a
word new to a page has none; ``again`` is the same call with its drawings kept.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click
import cv2
import numpy as np
import torch
from matplotlib.font_manager import findSystemFonts
from numpy.typing import NDArray
from torch import nn

from benchmarks import imaging_forms
from presidio_cdip.imaging.style.faces import DRAWABLE, Face, faces
from presidio_cdip.imaging.style.fitting import (
    TALLEST,
    Fit,
    _resemblance,
    _shrunk,
    fits,
    ink_box,
)
from presidio_cdip.imaging.style.rendering import Dark, Scan, blurred_by, drawn, grain, laid
from presidio_cdip.imaging.style.shortlist import (
    HIGH,
    WIDE,
    Shortlist,
    class_names,
    write_class_names,
)
from presidio_cdip.imaging.style.shortlist import normalised as shaped
from presidio_cdip.imaging.style.styles import strength_of

ROOT = Path(__file__).parents[1]
LISTS = (
    "recognizers/gazetteers/medications.txt",
    *(f"recognizers/gazetteers/{name}.txt" for name in ("religions", "nationalities", "countries")),
    *(f"operators/gazetteers/{name}.txt" for name in ("number_words", "organization_kinds")),
    *(f"operators/gazetteers/{name}.txt" for name in ("offences", "offences_did", "health_parts")),
)
KEPT = 4  # number of faces that are refined
LEFT = (4, 8, 12)  # number of faces that the network selects
RESOLUTIONS = (91, 150, 200, 300)
FAMILIES = ("typewriter", "serif", "sans")
OTHERS = {
    "typewriter": (
        "JetBrainsMono-Regular", "FiraCode-Regular", "agave-r-autohinted", "mononoki-Regular",
        "Hermit-medium", "LeagueMono-Regular", "B612Mono-Regular", "OxygenMono-Regular",
    ),
    "serif": (
        "EBGaramond12-Regular", "GoudyBookletter1911", "LindenHill", "Quattrocento-Regular",
        "Vollkorn-Regular", "Vollkorn-Bold", "BaskervaldADFStd", "BerenisADFPro-Regular",
        "RomandeADFStd-Regular", "TribunADFStd-Regular", "TribunADFStd-Bold", "GenBasR", "GenBasB",
        "AccanthisADFStd-Regular", "CharisSIL-Regular", "CharisSIL-Bold", "RobotoSlab-Regular",
        "RobotoSlab-Bold", "JunicodeTwoBeta-Regular", "AveriaSerifGWF-Regular",
        "NotoSerif-Regular", "NotoSerif-Bold", "GFSDidot", "GFSDidotBold", "GFSArtemisia",
    ),
    "sans": (
        "GilliusADF-Regular", "GilliusADF-Bold", "LibrisADFStd-Regular", "LibrisADFStd-Bold",
        "IkariusADFStd-Regular", "IkariusADFStd-Bold", "VeranaSans-Regular",
        "UniversalisADFStd-Regular", "SwitzeraADF-Regular", "Junction", "AveriaSansGWF-Regular",
        "AveriaSansGWF-Bold", "ClearSans-Regular", "Karla-Regular", "Manrope-Regular",
        "Play-Regular", "Oxygen-Sans", "cmunss", "cmunsx", "cmunbmr", "B612-Regular",
        "Andika-Regular", "Andika-Bold", "okolaksRegular", "okolaksBold", "URWGothic-Book",
        "URWGothic-Demi", "Tuffy",
    ),
}  # fmt: skip
"""File names of faces that teach families: none is ours, and none is drawn by the benchmarks."""

_TAUGHT, _FAMILY_ONLY = 3, 2  # crops of a word in our faces, and such that teach its family
_FINE, _PEN = 4, 0.06  # oversampling for a pen, and the most that it widens strokes, in em units
_BATCH = 64
_HELD = 800  # crops held out from training
_LETTERS = "eeeettttaaaaooooiiinnnssshhhrrrdddlllccuummwwffggyyppbbvkjxqz"

Rng = np.random.Generator
Found = TypeVar("Found")


def words() -> tuple[list[str], list[str]]:
    """Return the words of the project's lists, split into training and comparison."""
    found: set[str] = set()
    for name in LISTS:
        for line in (ROOT / name).read_text("utf-8").splitlines():
            if not line.startswith("#"):
                found.update(word.strip(",;()") for word in line.split())
    fit = sorted(word for word in found if 3 <= len(word) <= 14 and set(word) <= DRAWABLE)
    order = np.random.default_rng(1).permutation(len(fit))
    return [fit[n] for n in order[::2]], [fit[n] for n in order[1::2]]


def word(listed: Sequence[str], rng: Rng) -> str:
    """Draw a word: from the list, random letters, or digits, cased and punctuated as on pages."""
    kind = rng.random()
    if kind < 0.15:
        shape = str(
            rng.choice(["##", "####", "##/##/####", "###-####", "$#,###.##", "#.##", "##-##"])
        )
        return "".join(str(rng.integers(10)) if one == "#" else one for one in shape)
    if kind < 0.65:
        text = str(rng.choice(listed))
    else:
        text = "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 12))))
    case = rng.random()
    text = text.upper() if case < 0.15 else text.capitalize() if case < 0.4 else text
    return text + str(rng.choice(["", "", "", "", ",", ".", ":", ";"]))


def setting(em: float, rng: Rng) -> tuple[float, NDArray[np.float64]]:
    """Draw a spacing, and a matrix that scales, slants and rotates a little."""
    spacing = 0.0 if rng.random() < 0.6 else round(float(rng.uniform(-0.02, 0.1)), 2)
    stretch = math.exp(rng.normal(0, 0.03))
    slant, slope = rng.normal(0, 0.02), rng.normal(0, 0.004)
    return spacing, em * np.array([[stretch, slant], [slope * stretch, 1.0]])


def printed(face: Face, text: str, em: float, rng: Rng, finer: int = 1) -> Dark:
    """Render the coverage of a word with a margin, at *finer* times the resolution."""
    spacing, matrix = setting(em, rng)
    drawing = drawn(face.file, text, spacing)
    left, top, right, bottom = drawing.ink
    corners = matrix @ np.array([[left, left, right, right], [top, bottom, top, bottom]])
    (x, y), (far_x, far_y) = corners.min(axis=1), corners.max(axis=1)
    margin = max(2.0, (far_y - y) / 4)
    pen = margin - x + rng.random(), margin - y + rng.random()
    size = math.ceil(far_x - x + 2 * margin + 1), math.ceil(far_y - y + 2 * margin + 1)
    large = size[0] * finer, size[1] * finer
    return laid(drawing, matrix * finer, (pen[0] * finer, pen[1] * finer), large)


def compressed(dark: Dark, rng: Rng) -> Dark:
    """Make *dark* paler, compress it as JPEG, and normalise it as pages are."""
    grey = np.clip(255 * (1 - dark * rng.uniform(0.6, 1.0)), 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
    seen = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)
    assert seen is not None
    back = (1 - seen.astype(np.float32) / 255).astype(np.float32)
    full = np.float32(max(strength_of(back), 0.2))
    return np.asarray(np.minimum(back / full, 1), np.float32)


def learnt(face: Face, text: str, rng: Rng, pen: bool = False) -> Dark:
    """Render a word for training, by `Scan`; with *pen* its strokes are of another width."""
    em = float(np.exp(rng.uniform(np.log(10), np.log(45))))
    coverage = printed(face, text, em, rng, _FINE if pen else 1)
    if pen:
        coverage = penned(coverage, em, rng)
    gain = math.exp(rng.uniform(math.log(0.8), math.log(5)))
    scan = Scan(float(rng.uniform(0.2, 1.3)), float(rng.uniform(0.2, 0.6)), gain)
    dark = scan.of(coverage, grain(coverage, rng) * np.float32(rng.uniform(0, 2)))
    noise = rng.normal(0, rng.uniform(0, 0.06), dark.shape)
    return compressed(np.clip(dark + noise, 0, 1).astype(np.float32), rng)


def penned(coverage: Dark, em: float, rng: Rng) -> Dark:
    """Widen strokes along one axis, or thin them a little, as if by another pen.

    Args:
        coverage: Oversampled by `_FINE`.
        em: Pixels of the result per em.
        rng: Draws the axis and the width.
    """
    size = coverage.shape[1] // _FINE, coverage.shape[0] // _FINE
    by = round(float(rng.uniform(-0.4, 1)) * _PEN * em * _FINE)
    brush = np.ones((1, abs(by) + 1) if rng.random() < 0.7 else (abs(by) + 1, 1), np.uint8)
    inked = (cv2.dilate if by > 0 else cv2.erode)(coverage, brush)
    return cv2.resize(inked, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def scanned(face: Face, text: str, em: float, rng: Rng) -> Dark:
    """Render a word for comparison: spread or worn ink, seen by a coarser sensor."""
    finer = 4
    ink = (printed(face, text, em, rng, finer) > 0.5).astype(np.float32)
    gain = round(float(rng.uniform(-0.02, 0.035)) * em * finer)
    if gain:
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(gain) + 1,) * 2)
        ink = (cv2.dilate if gain > 0 else cv2.erode)(ink, brush).astype(np.float32)
    rough = blurred_by(rng.normal(0, 1, ink.shape).astype(np.float32), 3)
    ink = ink * np.clip(1 - np.abs(rough) * rng.uniform(0, 3), 0, 1).astype(np.float32)
    seen = blurred_by(ink, float(rng.uniform(0.5, 3)))
    size = seen.shape[1] // finer, seen.shape[0] // finer
    small = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    noise = rng.normal(0, rng.uniform(0, 0.05), small.shape)
    return compressed(np.clip(small + noise, 0, 1).astype(np.float32), rng)


def normalised(dark: Dark) -> Dark | None:
    """Return the network's input for a word; None if there is no ink."""
    box = ink_box(dark)
    if box is None:
        return None
    left, top, right, bottom = box
    return shaped(dark[top:bottom, left:right])


class Shortlister(nn.Module):  # type: ignore[misc]
    """Classify faces: four convolutional blocks, pooled over the width; one logit per face."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 1
        for after in (16, 32, 64, 64):
            # The first halves the crop by its stride: pooling as many pixels costs twice the time.
            first = before == 1
            size, stride = (5, 2) if first else (3, 1)
            layers += [
                nn.Conv2d(before, after, size, stride, padding=size // 2, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(),
                *([] if first else [nn.MaxPool2d(2)]),
            ]
            before = after
        self.blocks = nn.Sequential(*layers)
        self.mean = nn.AvgPool2d((1, WIDE // 16))
        self.most = nn.MaxPool2d((1, WIDE // 16))
        self.last = nn.Linear(before * 2 * (HIGH // 16), classes)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the logits of crops, ``(words, 1, HIGH, WIDE)``."""
        seen = self.blocks(crops)
        pooled = torch.cat([self.mean(seen), self.most(seen)], dim=1).flatten(1)
        logits: torch.Tensor = self.last(pooled)
        return logits


def foreign(names: Mapping[str, Sequence[str]]) -> list[Face]:
    """Return the faces of these file names, by family.

    Raises:
        ClickException: One of them is not installed.
    """
    files = {Path(file).stem: Path(file) for file in sorted(findSystemFonts())}
    if missing := [name for stems in names.values() for name in stems if name not in files]:
        raise click.ClickException(f"not installed: {', '.join(missing)}; see the docstring")
    return [
        Face(name, family, "bold" if "Bold" in name else "regular", "upright", files[name])
        for family, stems in names.items()
        for name in stems
    ]


def crops(seconds: float, rng: Rng) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw crops for a given time, and return them with their classes.

    A class is the number of a face; of a crop that teaches only a family, that of the family in
    `FAMILIES`, less the count of these.
    """
    known, others, listed = faces(), foreign(OTHERS), words()[0]
    by_family = [[face for face in others if face.family == family] for family in FAMILIES]
    seen, right = [], []
    end = time.process_time() + seconds
    while time.process_time() < end:
        text = word(listed, rng)
        drawings = [
            (int(number), learnt(known[number], text, rng))
            for number in rng.choice(len(known), _TAUGHT, replace=False)
        ]
        for family in rng.choice(len(FAMILIES), _FAMILY_ONLY, replace=False):
            of_ours = [face for face in known if face.family == FAMILIES[family]]
            ours = rng.random() < 0.3
            some = of_ours if ours else by_family[family]
            face = some[int(rng.integers(len(some)))]
            drawing = learnt(face, text, rng, pen=ours or rng.random() < 0.4)
            drawings.append((int(family) - len(FAMILIES), drawing))
        for label, drawing in drawings:
            crop = normalised(drawing)
            if crop is not None:
                seen.append((crop * 255).astype(np.uint8))
                right.append(label)
        if len(seen) % 600 < _TAUGHT + _FAMILY_ONLY:
            drawn.cache_clear()
    return np.stack(seen), np.array(right, np.int64)


def loss_of(logits: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return the mean loss of crops with classes as `crops` gives them.

    Of a face it is the cross-entropy, smoothed; of a family, that of the sum of its faces.
    """
    likely = logits.log_softmax(dim=1)
    families = torch.stack([likely[:, of].logsumexp(dim=1) for of in _members()], dim=1)
    named = right >= 0
    of_face = nn.functional.cross_entropy(
        logits[named], right[named], label_smoothing=0.05, reduction="sum"
    )
    of_family = families[~named].gather(1, right[~named, None] + len(FAMILIES)).sum()
    loss: torch.Tensor = (of_face - of_family) / len(right)
    return loss


def _members() -> list[list[int]]:
    """Return the numbers of our faces of each family."""
    known = faces()
    return [[n for n, face in enumerate(known) if face.family == family] for family in FAMILIES]


def _varied(batch: NDArray[np.uint8], rng: Rng) -> torch.Tensor:
    """Augment the crops: move them, cut them off at random, and add noise."""
    varied = np.roll(batch.astype(np.float32) / 255, int(rng.integers(-4, 5)), axis=2)
    if rng.random() < 0.3:
        begin = int(rng.integers(0, WIDE // 3))
        varied[:, :, :begin] = 0
    noise = rng.standard_normal(varied.shape, np.float32) * np.float32(rng.uniform(0, 0.04))
    return torch.from_numpy(np.clip(varied + noise, 0, 1)[:, None])


def _shares(model: nn.Module, seen: NDArray[np.uint8], right: NDArray[np.int64]) -> str:
    model.eval()
    with torch.no_grad():
        parts = [
            model(torch.from_numpy(seen[n : n + 200, None].astype(np.float32) / 255))
            for n in range(0, len(seen), 200)
        ]
    model.train()
    logits, named = torch.cat(parts), right >= 0
    order = logits[named].argsort(dim=1, descending=True).numpy()
    first, four = ((order[:, :most] == right[named, None]).any(axis=1).mean() for most in (1, KEPT))
    likely = logits.softmax(dim=1).numpy()[~named]
    families = np.stack([likely[:, of].sum(axis=1) for of in _members()], axis=1)
    told = (families.argmax(axis=1) - len(FAMILIES) == right[~named]).mean()
    return f"{first:.3f} right at first, {four:.3f} among {KEPT}; {told:.3f} of families"


def fitted(
    seen: NDArray[np.uint8], right: NDArray[np.int64], seconds: float, rng: Rng
) -> nn.Module:
    """Train the network for a given time, by AdamW with a one-cycle learning rate."""
    model = Shortlister(len(faces())).to(memory_format=torch.channels_last)
    weights = sum(each.numel() for each in model.parameters())
    click.echo(f"{len(seen)} crops, {weights} weights")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    learning = np.arange(_HELD, len(seen))
    begin, done, reported = time.process_time(), 0, 0
    while (past := (time.process_time() - begin) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 4e-3 * min(past / 0.1, (1 - past) / 0.9) + 1e-5
        some = rng.choice(learning, _BATCH, replace=False)
        loss = loss_of(model(_varied(seen[some], rng)), torch.from_numpy(right[some]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        done += 1
        if past > (reported + 1) / 6:
            reported += 1
            shares = _shares(model, seen[:_HELD], right[:_HELD])
            click.echo(f"{reported}/6: {done} steps, loss {float(loss.detach()):.2f}, {shares}")
    click.echo(f"end: {done} steps, {_shares(model, seen[:_HELD], right[:_HELD])}")
    return model.eval()


def export(model: nn.Module, file: Path, some: NDArray[np.uint8]) -> None:
    """Write the network as ONNX, with the names of its classes.

    Raises:
        ClickException: OpenCV does not answer as torch does.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    blank = (torch.zeros(1, 1, HIGH, WIDE),)
    torch.onnx.export(model, blank, str(file), opset_version=17, dynamo=False)
    write_class_names(file, [face.name for face in faces()])
    read, worst, same = cv2.dnn.readNetFromONNX(str(file)), 0.0, 0
    for crop in some.astype(np.float32) / 255:
        read.setInput(crop[None, None])
        seen = read.forward()[0]
        with torch.no_grad():
            by_torch = model(torch.from_numpy(crop[None, None])).numpy()[0]
        worst = max(worst, float(np.abs(seen - by_torch).max()))
        same += int(seen.argmax() == by_torch.argmax())
    click.echo(f"cv2.dnn: {same} of {len(some)} the same, logits differ by {worst:.1e} at most")
    if worst > 1e-2 or same < len(some):
        raise click.ClickException("OpenCV does not answer as torch does")


def searched(dark: Dark, text: str, known: Sequence[Face]) -> list[Face]:
    """Return the faces as `fits` ranks them before it refines the best."""
    shrink = min(1.0, TALLEST / dark.shape[0])
    small = dark if shrink == 1 else _shrunk(dark, shrink)
    box = ink_box(small)
    if box is None:
        return []
    left, top, right, bottom = box
    word = blurred_by(small[top:bottom, left:right], 0.5)
    return sorted(known, key=lambda face: -_resemblance(word, text, face)[0])


class Way:
    """Define a way to shorten the list of faces.

    Args:
        network: The network that names the likeliest faces; None for the search alone.
        most: Number of these faces to search.
        classes: The network's classes.
    """

    def __init__(
        self, network: cv2.dnn.Net | None, most: int, classes: Sequence[Face] = ()
    ) -> None:
        self._network, self._most, self._classes = network, most, classes

    def likely(self, dark: Dark) -> list[Face]:
        """Return the faces that the network selects."""
        if self._network is None or (crop := normalised(dark)) is None:
            return list(faces())
        self._network.setInput(crop[None, None])
        logits = self._network.forward()[0]
        return [self._classes[n] for n in np.argsort(-logits)[: self._most]]

    def shortlist(self, dark: Dark, text: str) -> list[Face]:
        """Return the faces to refine, the likeliest first."""
        left = self.likely(dark)
        return left if len(left) <= KEPT else searched(dark, text, left)[:KEPT]

    def fits(self, dark: Dark, text: str) -> list[Fit]:
        """Return the same result as `fitting.fits`."""
        return fits(dark, text, self.likely(dark))


def _timed(call: Callable[[Dark, str], Found], dark: Dark, text: str) -> tuple[Found, float]:
    begin = time.process_time()
    found = call(dark, text)
    return found, (time.process_time() - begin) * 1000


_COLUMNS = (
    "true face in best 4",
    "family right at first",
    "face refined",
    "family refined",
)
_TIMES = ("shortlist ms", "fits ms", "fits again ms")


def compared(file: Path, count: int, rng: Rng) -> list[list[str]]:
    """Return the rows of the table: *count* words per face and resolution, for each way.

    Raises:
        ClickException: The network in *file* was trained on other faces.
    """
    network, by_name = cv2.dnn.readNetFromONNX(str(file)), {face.name: face for face in faces()}
    names = class_names(file)
    if sorted(names) != sorted(by_name):
        raise click.ClickException(f"{file} was trained on other faces than the shipped")
    classes = [by_name[name] for name in names]
    ways = {"search": Way(None, 0)} | {f"cnn {most}": Way(network, most, classes) for most in LEFT}
    known, listed = faces(), words()[1]
    right: dict[tuple[str, str], list[list[bool]]] = defaultdict(list)
    times: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for dots in RESOLUTIONS:
        for face in [face for face in known for _ in range(count)]:
            text = word(listed, rng)
            dark = scanned(face, text, float(rng.uniform(8, 12)) * dots / 72, rng)
            if ink_box(dark) is None:
                continue
            for name in rng.permutation(list(ways)):
                way = ways[str(name)]
                drawn.cache_clear()
                short, first = _timed(way.shortlist, dark, text)
                drawn.cache_clear()
                found, whole = _timed(way.fits, dark, text)
                _, again = _timed(way.fits, dark, text)
                for group in (str(dots), "all"):
                    right[group, str(name)].append(
                        [
                            face in short,
                            any(one.family == face.family for one in short[:1]),
                            any(fit.face == face for fit in found[:1]),
                            any(fit.face.family == face.family for fit in found[:1]),
                        ]
                    )
                    times[group, str(name)].append([first, whole, again])
    return [
        [
            *key,
            str(len(right[key])),
            *(f"{share:.1%}" for share in np.mean(right[key], axis=0)),
            *(f"{median:.1f}" for median in np.median(times[key], axis=0)),
        ]
        for dots in (*map(str, RESOLUTIONS), "all")
        for key in ((dots, name) for name in ways)
    ]


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    head = ["dpi", "way", "words", *_COLUMNS, *_TIMES]
    lines = [head, ["---", "---", *["---:"] * (len(head) - 2)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@click.group(help=__doc__)
def main() -> None:
    """Measure a CNN against the search."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--drawing", default=120.0, show_default=True, help="CPU seconds for drawing crops.")
@click.option("--learning", default=270.0, show_default=True, help="CPU seconds for training.")
@click.option("--seed", default=1, show_default=True)
def train(file: Path, drawing: float, learning: float, seed: int) -> None:
    """Draw crops, learn from them, and write the network to FILE as ONNX."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    begin = time.process_time()
    seen, right = crops(drawing, rng)
    model = fitted(seen, right, learning, rng)
    click.echo(f"{time.process_time() - begin:.0f} s of the core")
    export(model, file, seen[:64])


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--words", "count", default=5, show_default=True, help="Words per face and resolution."
)
@click.option("--seed", default=2, show_default=True)
def compare(file: Path, count: int, seed: int) -> None:
    """Compare the network in FILE with the search, and print a table."""
    click.echo(table(compared(file, count, np.random.default_rng(seed))))


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--words", "count", default=40, show_default=True, help="Words per face.")
@click.option("--seed", default=3, show_default=True)
def families(file: Path, count: int, seed: int) -> None:
    """Count how often the network in FILE names the family of faces that are not ours."""
    rng, listed = np.random.default_rng(seed), words()[1]
    network = Shortlist(file, [{face.name: face for face in faces()}[n] for n in class_names(file)])
    others = {family: imaging_forms.OTHERS[family] for family in FAMILIES}
    click.echo("| face | family | right | its probability |\n| --- | --- | ---: | ---: |")
    for face in foreign(others):
        found = []
        for _ in range(count):
            dots = int(rng.choice(RESOLUTIONS))
            dark = scanned(face, word(listed, rng), float(rng.uniform(8, 12)) * dots / 72, rng)
            if (box := ink_box(dark)) is not None:
                left, top, right, bottom = box
                found.append(network.families(dark[top:bottom, left:right]))
        first = np.mean([max(one, key=one.__getitem__) == face.family for one in found])
        sure = np.mean([one[face.family] for one in found])
        click.echo(f"| {face.name} | {face.family} | {first:.2f} | {sure:.2f} |")


if __name__ == "__main__":
    main()
