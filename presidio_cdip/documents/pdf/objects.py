"""Find the image objects of a page."""

import re
from collections.abc import Iterator
from typing import Any

import pikepdf

_DEEPEST = 20
_INLINE = re.compile(rb"(?<![\w/])BI\s(.{0,400}?)\sID\s", re.S)
_SIDE = re.compile(rb"/(?:W|H|Width|Height)\s+(\d+)")


def pictures_of(page: Any, annotations: bool = True, content: bool = True) -> list[Any]:
    """Return the image objects that a page can draw, each once.

    Args:
        page: The page's dictionary.
        annotations: Whether those in the appearances of its annotations are meant.
        content: Whether those in its content are meant.
    """
    found: list[Any] = []
    seen: set[tuple[int, int]] = set()
    holders = [_inherited(page, "/Resources")] if content else []
    if annotations:
        holders += [one.get("/Resources") for one in appearances(page)]
    for resources in holders:
        for image in _images(resources, seen, 0):
            found.append(image)
    return found


def appearances(page: Any) -> Iterator[Any]:
    """Yield the appearance streams of a page's annotations."""
    for annotation in page.get("/Annots", []):
        if isinstance(annotation, pikepdf.Dictionary):
            yield from streams_of(annotation.get("/AP"))


def streams_of(thing: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the streams of an appearance dictionary."""
    if isinstance(thing, pikepdf.Stream):
        yield thing
    elif isinstance(thing, pikepdf.Dictionary) and depth < 3:
        for key in thing.keys():  # noqa: SIM118 - a pikepdf object yields no keys itself
            yield from streams_of(thing[key], depth + 1)


def _images(resources: Any, seen: set[tuple[int, int]], depth: int) -> Iterator[Any]:
    if not isinstance(resources, pikepdf.Dictionary) or depth > _DEEPEST:
        return
    for kind in ("/XObject", "/Pattern", "/ExtGState", "/Font"):
        group = resources.get(kind)
        if not isinstance(group, pikepdf.Dictionary):
            continue
        for key in group.keys():  # noqa: SIM118
            one: Any = group[key]
            if kind == "/ExtGState" and isinstance(one, pikepdf.Dictionary):
                mask = one.get("/SMask")
                one = mask.get("/G") if isinstance(mask, pikepdf.Dictionary) else None
            if not isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
                continue
            if one.objgen in seen and one.objgen != (0, 0):
                continue
            seen.add(one.objgen)
            if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == pikepdf.Name.Image:
                yield one
            else:
                yield from _images(one.get("/Resources"), seen, depth + 1)


def _inherited(page: Any, entry: str) -> Any:
    node = page
    for _ in range(_DEEPEST):
        if entry in node:
            return node[entry]
        if "/Parent" not in node:
            return None
        node = node["/Parent"]
    return None


def own_resources(pdf: Any) -> None:
    """Give every page its resources, so that none are inherited, and old ones can go."""
    parents = []
    for page in pdf.pages:
        if "/Resources" not in page.obj:
            resources = _inherited(page.obj, "/Resources")
            page.obj["/Resources"] = (
                pikepdf.Dictionary() if resources is None else pdf.make_indirect(resources)
            )
        node = page.obj
        for _ in range(_DEEPEST):
            if "/Parent" not in node:
                break
            node = node["/Parent"]
            if "/Resources" in node:
                parents.append(node)
    for node in parents:
        if "/Resources" in node:
            del node["/Resources"]


def contents_of(page: Any) -> Iterator[bytes]:
    """Yield the decoded content streams of a page, as far as they decode."""
    given = page.get("/Contents")
    for one in given if isinstance(given, pikepdf.Array) else [given]:
        if isinstance(one, pikepdf.Stream):
            try:
                yield bytes(one.read_bytes())
            except pikepdf.PdfError:
                continue


def inline_sides(content: bytes) -> Iterator[int]:
    """Yield the longer side, in pixels, of each inline image in a content stream."""
    for match in _INLINE.finditer(content):
        sides = [int(side) for side in _SIDE.findall(match[1])]
        if sides:
            yield max(sides)


def drop(thing: Any, *entries: str) -> None:
    """Delete *entries* of a dictionary or stream, where they are."""
    for entry in entries:
        if entry in thing:
            del thing[entry]
