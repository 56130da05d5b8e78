"""Image files are read and written back unchanged, or refused with an error that names them."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, PngImagePlugin, TiffImagePlugin

from presidio_cdip.errors import CdipError, PageTooLarge, UnreadableInput
from presidio_cdip.imaging.page.pages import Page, read_pages, write_pages


def sample(mode: str, size: tuple[int, int] = (64, 48)) -> Image.Image:
    """A picture with many tones, in the given mode."""
    ramp = Image.linear_gradient("L").resize(size)
    if mode.startswith("I;16"):
        return Image.fromarray(np.asarray(ramp).astype(np.uint16) * 257)
    if mode in ("1", "L", "I", "F"):
        return ramp.convert(mode)
    colours = Image.merge("RGB", (ramp, ramp.transpose(Image.Transpose.ROTATE_180), ramp))
    if mode == "LA":
        return Image.merge("LA", (ramp, Image.new("L", size, 255)))
    if mode == "P":
        return colours.quantize(64)
    return colours.convert(mode)


def encoded(image: Image.Image, format: str, **options: Any) -> bytes:
    """The picture as the bytes of a file."""
    file = io.BytesIO()
    image.save(file, format=format, **options)
    return file.getvalue()


def tiff(*frames: Image.Image, **options: Any) -> bytes:
    """The pictures as the pages of a TIFF."""
    return encoded(frames[0], "TIFF", save_all=True, append_images=frames[1:], **options)


def colours(image: Image.Image) -> bytes:
    """Return the colours of the pixels; a palette may be in another order."""
    return (image.convert("RGBA") if image.mode == "P" else image).tobytes()


@pytest.mark.parametrize(
    ("format", "mode", "options"),
    [
        *[("PNG", mode, {"dpi": (200, 200)}) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")],
        ("PNG", "I;16", {}),
        *[("TIFF", mode, {"dpi": (204, 98)}) for mode in ("L", "P", "RGB", "RGBA", "CMYK", "F")],
        ("TIFF", "I;16", {"compression": "tiff_lzw"}),
        ("TIFF", "1", {"compression": "group4", "dpi": (300, 300)}),
        ("GIF", "P", {}),
        ("BMP", "RGB", {"dpi": (96, 96)}),
        ("PPM", "L", {}),
        ("WEBP", "RGB", {"lossless": True}),
        ("JPEG2000", "RGB", {}),
    ],
)
def test_lossless_page_is_written_as_it_was(
    format: str, mode: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """Format, mode, resolution, compression and every pixel survive."""
    data = encoded(sample(mode), format, **options)
    before = list(read_pages(data, "page"))

    write_pages(before, tmp_path / "out")
    after = list(read_pages(tmp_path / "out"))

    assert [(p.format, p.mode, p.options) for p in after] == [
        (p.format, p.mode, p.options) for p in before
    ]
    assert after[0].mode == mode
    assert after[0].dpi == (before[0].dpi and pytest.approx(before[0].dpi, rel=0.01))
    assert colours(after[0].image) == colours(before[0].image)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_jpeg_keeps_its_tables(mode: str, tmp_path: Path) -> None:
    """A JPEG is written with the same quality, and its pixels are nearly unchanged."""
    data = encoded(sample(mode), "JPEG", quality=61, subsampling=2, dpi=(150, 150))
    before = list(read_pages(data))

    write_pages(before, tmp_path / "out.jpg")
    after = list(read_pages(tmp_path / "out.jpg"))

    assert after[0].options == before[0].options
    assert (after[0].mode, after[0].dpi) == (mode, (150, 150))
    assert np.allclose(np.asarray(after[0].image), np.asarray(before[0].image), atol=4)


def test_every_page_of_a_tiff_keeps_its_kind(tmp_path: Path) -> None:
    """Pages of different size, mode and compression stay different."""
    file = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(file, new=True) as writer:
        for mode, compression, size in [
            ("1", "group4", (60, 40)),
            ("L", "packbits", (40, 60)),
            ("RGB", "tiff_lzw", (33, 21)),
        ]:
            sample(mode, size).save(writer, format="TIFF", compression=compression)
            writer.newFrame()
    before = list(read_pages(file.getvalue()))

    write_pages(iter(before), tmp_path / "out.tif")
    after = list(read_pages(tmp_path / "out.tif"))

    assert [page.index for page in after] == [0, 1, 2]
    assert [page.options["compression"] for page in after] == ["group4", "packbits", "tiff_lzw"]
    assert [page.image.tobytes() for page in after] == [page.image.tobytes() for page in before]


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP"])
def test_every_frame_of_an_animation_is_read_and_written(format: str, tmp_path: Path) -> None:
    """No frame is passed over, and each is shown as long as before."""
    frames = [Image.new("RGB", (40, 30), (0, 0, 80 * index)) for index in range(3)]
    options: dict[str, Any] = {"lossless": True} if format == "WEBP" else {}
    data = encoded(
        frames[0], format, save_all=True, append_images=frames[1:], duration=[100, 200, 300],
        **options,
    )  # fmt: skip
    before = list(read_pages(data))

    write_pages(before, tmp_path / "out")
    after = list(read_pages(tmp_path / "out"))

    assert len(before) == len(after) == 3
    assert [p.options.get("duration") for p in after] == [p.options.get("duration") for p in before]
    for one, other in zip(before, after, strict=True):
        assert one.image.convert("RGB").tobytes() == other.image.convert("RGB").tobytes()


def test_orientation_is_applied(tmp_path: Path) -> None:
    """A photo that says "turn me" is turned once, and does not say so again."""
    image = Image.new("L", (40, 20), 255)
    exif = image.getexif()
    exif[0x0112] = 6

    page = next(read_pages(encoded(image, "JPEG", exif=exif)))
    write_pages([page], tmp_path / "out.jpg")

    assert page.image.size == (20, 40)
    assert next(read_pages(tmp_path / "out.jpg")).image.size == (20, 40)


def test_no_metadata_travels(tmp_path: Path) -> None:
    """Names in comments, text chunks, tags or EXIF are not in the written file."""
    secret, image = "John Smith", sample("L")
    exif = image.getexif()
    exif[0x013B] = secret
    note = PngImagePlugin.PngInfo()
    note.add_text("Author", secret)
    note.add_itxt("XML:com.adobe.xmp", secret)
    files = {
        "png": encoded(image, "PNG", pnginfo=note, exif=exif),
        "jpg": encoded(image, "JPEG", comment=secret, exif=exif),
        "tif": encoded(image, "TIFF", tiffinfo={270: secret, 315: secret}),
        "gif": encoded(image, "GIF", comment=secret),
        "webp": encoded(image, "WEBP", exif=exif, xmp=secret.encode()),
    }
    for suffix, data in files.items():
        assert secret.encode() in data

        write_pages(read_pages(data), tmp_path / f"out.{suffix}")

        assert secret.encode() not in (tmp_path / f"out.{suffix}").read_bytes()


def test_suffix_may_name_another_format(tmp_path: Path) -> None:
    """A JPEG that is to be a .png becomes a PNG; an unknown suffix changes nothing."""
    pages = list(read_pages(encoded(sample("L"), "JPEG")))

    write_pages(pages, tmp_path / "out.png")
    write_pages(pages, tmp_path / "out.redacted")

    assert next(read_pages(tmp_path / "out.png")).format == "PNG"
    assert next(read_pages(tmp_path / "out.redacted")).format == "JPEG"


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int) -> bytes:
    """A PNG that says it has this many bilevel pixels."""
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((width // 8 + 1) * min(height, 300)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


NOISE = Image.effect_noise((80, 60), 90)
THREE = [Image.effect_noise((80, 60), 40 + index) for index in range(3)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "not an image", id="empty"),
        pytest.param(b"Dear Nora,\nyour mother rang", "not an image", id="text"),
        pytest.param(b"%PDF-1.7\n", "not an image", id="pdf"),
        pytest.param(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an", id="eps"),
        pytest.param(encoded(NOISE, "PNG")[:-900], "truncated", id="png cut"),
        pytest.param(encoded(NOISE, "JPEG")[:-900], "truncated", id="jpeg cut"),
        pytest.param(encoded(NOISE, "BMP")[:-900], "truncated", id="bmp cut"),
        pytest.param(encoded(NOISE, "GIF")[:-900], "truncated", id="gif cut"),
        pytest.param(encoded(NOISE, "WEBP", lossless=True)[:-900], "", id="webp cut"),
        pytest.param(encoded(NOISE, "PPM")[:-900], "truncated", id="ppm cut"),
        pytest.param(encoded(NOISE, "TIFF", compression="tiff_lzw")[:-900], "", id="tiff cut"),
        pytest.param(png(0, 10), "", id="no width"),
        pytest.param(b"P5 0 10 255\n", "", id="no pixels"),
        pytest.param(png(30_000, 30_000), "more than 89,478,485 pixels: scan", id="bomb"),
        pytest.param(png(12_000, 12_000), "more than 89,478,485 pixels: scan", id="half a bomb"),
        pytest.param(png(50_000, 200), "32000 a side", id="too wide"),
    ],
)
# Pillow warns of files that we refuse; an application may ignore the warning.
@pytest.mark.filterwarnings("ignore")
def test_bad_file_is_refused_by_name(data: bytes, says: str) -> None:
    """A file that cannot be read completely is an error that names the file and the remedy."""
    with pytest.raises(UnreadableInput, match=f"^scan_7.*{says}"):
        list(read_pages(data, "scan_7"))


@pytest.mark.parametrize("size", [(30_000, 30_000), (12_000, 12_000)])
def test_bomb_is_refused_where_warnings_are_errors(size: tuple[int, int]) -> None:
    """The error stays ours under `python -W error`."""
    with pytest.raises(UnreadableInput, match="more than 89,478,485 pixels: scan"):
        list(read_pages(png(*size), "scan_7"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(tiff(*THREE, compression="tiff_lzw"), id="tiff"),
        pytest.param(encoded(THREE[0], "GIF", save_all=True, append_images=THREE[1:]), id="gif"),
        pytest.param(encoded(THREE[0], "PNG", save_all=True, append_images=THREE[1:]), id="png"),
        pytest.param(encoded(THREE[0], "WEBP", save_all=True, append_images=THREE[1:]), id="webp"),
    ],
)
def test_lost_pages_are_no_shorter_document(data: bytes) -> None:
    """Wherever a file of three pages is cut, it is refused or gives all three."""
    for cut in range(20, len(data), max(1, len(data) // 150)):
        try:
            pages = list(read_pages(data[:cut], "scan_7"))
        except UnreadableInput:
            continue
        assert len(pages) == 3


@pytest.mark.filterwarnings("ignore")
def test_rubbish_in_a_file_is_an_error_of_ours_or_none() -> None:
    """Overwritten bytes never raise anything but UnreadableInput."""
    random = np.random.default_rng(7)
    for format in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"):
        data = np.frombuffer(encoded(NOISE, format), dtype=np.uint8)
        for _ in range(60):
            broken = data.copy()
            places = random.integers(0, len(data), 8)
            broken[places] = random.integers(0, 256, 8)
            try:
                list(read_pages(broken.tobytes(), "scan_7"))
            except UnreadableInput as error:
                assert error.file == "scan_7"


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    """No such file, and a folder, are errors of ours that name them."""
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(UnreadableInput, match=path.name):
            list(read_pages(path))


def test_open_file_is_read() -> None:
    """A binary file serves as well as a path or bytes."""
    pages = list(read_pages(io.BytesIO(encoded(sample("L"), "PNG")), "upload"))

    assert [(page.name, page.format) for page in pages] == [("upload", "PNG")]


def test_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    """When a later page fails, the old file stays and no part of a new one lies about."""
    out = tmp_path / "out.tif"
    out.write_text("old")
    good = next(read_pages(encoded(sample("L"), "TIFF")))

    def pages() -> Any:
        yield good
        raise UnreadableInput("scan.tif, page 1", "not read")

    with pytest.raises(UnreadableInput):
        write_pages(pages(), out)

    assert [path.name for path in tmp_path.iterdir()] == ["out.tif"]
    assert out.read_text() == "old"


@pytest.mark.parametrize(
    ("image", "name", "frames"),
    [
        (sample("L"), "out.jpg", 2),
        (sample("RGBA"), "out.jpg", 1),
        (sample("F"), "out.png", 1),
        (sample("L"), "no folder/out.png", 1),
    ],
)
def test_what_cannot_be_written_is_said(
    image: Image.Image, name: str, frames: int, tmp_path: Path
) -> None:
    """Two pages in a JPEG, a mode it does not have, a folder that is not there: errors of ours."""
    pages = [Page(image, index) for index in range(frames)]

    with pytest.raises(CdipError, match=r"out\.(jpg|png)"):
        write_pages(pages, tmp_path / name)

    assert list(tmp_path.iterdir()) == []


def test_no_pages_are_a_mistake_of_the_caller(tmp_path: Path) -> None:
    """An empty document is not written as an empty file."""
    with pytest.raises(ValueError, match="no pages"):
        write_pages([], tmp_path / "out.tif")

    assert list(tmp_path.iterdir()) == []


def test_transparency_of_a_palette_survives(tmp_path: Path) -> None:
    """The colour that is see-through stays so."""
    image = sample("P")
    ImageDraw.Draw(image).rectangle((0, 0, 9, 9), fill=5)
    pages = list(read_pages(encoded(image, "PNG", transparency=5)))

    write_pages(pages, tmp_path / "out.png")

    assert next(read_pages(tmp_path / "out.png")).image.info["transparency"] == 5


def torn(*frames: Image.Image, at: int) -> bytes:
    """A TIFF whose frame *at* has rubbish for pixels; the others are sound."""
    data = bytearray(tiff(*frames, compression="tiff_lzw"))
    with Image.open(io.BytesIO(data)) as image:
        image.seek(at)
        tags = image.tag_v2  # type: ignore[attr-defined]
        start, length = tags[273][0], sum(tags[279])
    data[start : start + length] = b"\xff" * length
    return bytes(data)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("at", [0, 1, 2])
def test_broken_page_is_passed_over_where_somebody_is_told(at: int) -> None:
    """The others are read; the problem reported names the file, the page and the remedy."""
    told: list[UnreadableInput] = []

    pages = list(read_pages(torn(*THREE, at=at), "scan_7", broken=told.append))

    assert [page.index for page in pages] == [index for index in range(3) if index != at]
    assert all(page.image.tobytes() == THREE[page.index].tobytes() for page in pages)
    (error,) = told
    assert error.file == "scan_7"
    assert str(error).startswith(f"scan_7: page {at} is damaged (")


@pytest.mark.filterwarnings("ignore")
def test_broken_page_is_an_error_where_nobody_is_told() -> None:
    """Without a callback for problems, the whole file is refused."""
    with pytest.raises(UnreadableInput, match=r"^scan_7: damaged or truncated"):
        list(read_pages(torn(*THREE, at=2), "scan_7"))


@pytest.mark.filterwarnings("ignore")
def test_file_of_one_broken_page_is_an_error() -> None:
    """A file with no readable page is an error even with a callback for problems."""
    told: list[UnreadableInput] = []

    with pytest.raises(UnreadableInput, match=r"^scan_7"):
        list(read_pages(torn(NOISE, at=0), "scan_7", broken=told.append))

    assert told == []


@pytest.mark.filterwarnings("ignore")
def test_all_pages_broken_are_all_told() -> None:
    """Each broken page is reported, and no page is returned."""
    told: list[UnreadableInput] = []
    data = tiff(NOISE, NOISE, compression="tiff_lzw")
    with Image.open(io.BytesIO(data)) as image:
        image.seek(1)
        end = image.tag_v2[273][0]  # type: ignore[attr-defined]
    both = bytearray(torn(NOISE, NOISE, at=0))
    second = torn(NOISE, NOISE, at=1)
    both[end:] = second[end:]

    assert list(read_pages(bytes(both), "scan_7", broken=told.append)) == []
    assert len(told) == 2


def test_lost_pages_are_not_passed_over() -> None:
    """A truncated file is refused in any case, since the number of missing pages is unknown."""
    data = tiff(*THREE, compression="tiff_lzw")
    told: list[UnreadableInput] = []

    with pytest.raises(UnreadableInput):
        list(read_pages(data[: len(data) // 2], "scan_7", broken=told.append))


def test_page_with_too_many_pixels_is_refused_by_number(tmp_path: Path) -> None:
    """The limit counts pixels of a page; the error names file, page and limit."""
    file = tmp_path / "page.png"
    Image.new("1", (100, 30)).save(file)

    assert len(list(read_pages(file, max_pixels=3000))) == 1
    with pytest.raises(PageTooLarge, match=r"page.png: page 0 has more than 2,999 pixels"):
        list(read_pages(file, max_pixels=2999))
