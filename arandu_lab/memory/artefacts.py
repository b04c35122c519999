"""What the lab made outside a store, and whether words are in it: results, kept replays, exports, recordings.

A file is read as what it is: Parquet and Arrow decoded, archives and compressed files unpacked, pages with their entities
resolved, all else byte by byte in every spelling of ``store.needles``. What cannot be read is told, never taken for empty.
"""

from __future__ import annotations

import bz2
import gzip
import html
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arandu_lab.store.needles import Needles

MARKS = ("made.toml", "made.json", "replay.json", "times.json", "contexts.json")
"""A folder that holds one of these was made by the lab and can be made again: it goes as a whole."""

EXPORT = b'{"format":"arandu-lab memory"'
"""How a file of ``Memory.export`` begins."""

_DEEP = 6
_WHOLE = 1 << 28
_SQUEEZED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\0": lzma.decompress,
}
_BLIND = {
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"%PDF": "a PDF",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"7z\xbc\xaf": "a 7z archive",
}
_BROKEN = (
    ValueError,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(slots=True)
class Found:
    """Where words stand under some places. ``made``: folders and files of the lab; ``others``: files that are not its own."""

    made: dict[Path, set[int]] = field(default_factory=dict)
    others: dict[Path, set[int]] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)
    files: int = 0
    bytes: int = 0


def search(places: Sequence[Path], needles: Needles, *, own: Path | None = None) -> Found:
    """Look through files and folders; ``own`` is the store that is scanned already.

    A file that is named itself counts as made by the lab. A store within is another memory's: it is told as not looked at.
    """
    found = Found()
    for place in places:
        for path in _files(place, own, found):
            found.files += 1
            found.bytes += path.stat().st_size
            here, why = read(path, needles)
            here |= needles.in_bytes(path.name.encode("utf-8", "surrogateescape"))
            if here and (root := _made(path, place)) is not None:
                found.made.setdefault(root, set()).update(here)
            elif here:
                found.others[path] = here
            for reason in why:
                found.unread[f"{path} ({reason})"] = None
    # a picture in a folder that goes anyway needs no word
    found.unread = {said: None for said in found.unread if not any(said.startswith(f"{root}/") for root in found.made)}
    return found


def read(path: Path, needles: Needles) -> tuple[set[int], list[str]]:
    """Numbers of the texts in a file, and why parts of it could not be read."""
    try:
        if path.stat().st_size > _WHOLE:
            return needles.in_file(path), ["too large to be unpacked; its bytes were read"]
        return looked(path.read_bytes(), needles)
    except OSError as error:
        return set(), [error.strerror or str(error)]


def looked(data: bytes, needles: Needles, deep: int = 0) -> tuple[set[int], list[str]]:
    """Numbers of the texts in the bytes of a file of any kind, and why parts could not be read."""
    found, why = needles.in_bytes(data), list[str]()
    if deep > _DEEP:
        return found, ["archives within archives"]
    try:
        for piece in _pieces(data):
            if isinstance(piece, bytes):
                more, reasons = looked(piece, needles, deep + 1)
                why += reasons
            else:
                more = set().union(*(here for _, here in needles.in_rows(piece)))
            found |= more
    except _BROKEN as error:
        why.append(f"cannot be read: {type(error).__name__}")
    why += [said for magic, said in _BLIND.items() if data.startswith(magic)]
    if (
        b"&" in data
        and b"<" in data[:4096]
        and (page := html.unescape(data.decode("utf-8", "replace")).encode()) != data
    ):
        found |= needles.in_bytes(page)
    return found, why


def control(proof: str) -> bool:
    """Whether every way of reading finds a word that was put there."""
    import pyarrow as pa
    import pyarrow.parquet

    said = f'{proof} "<é>"'
    table = pa.table({"n": [1], "cells": [[{"text": said}]]})
    parquet, archive = io.BytesIO(), io.BytesIO()
    pyarrow.parquet.write_table(table, parquet, compression="zstd")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a/b.parquet", parquet.getvalue())
    page = b"<text>" + "".join(f"&#{ord(char)};" for char in said).encode() + b"</text>"
    needles = Needles([said])
    ways = (
        said.encode(),
        parquet.getvalue(),
        archive.getvalue(),
        gzip.compress(page),
        page,
        lzma.compress(said.encode()),
    )
    return all(looked(data, needles)[0] == {0} for data in ways)


def _pieces(data: bytes) -> Iterator[bytes | Any]:
    """What is packed in a file: its parts as bytes, or as arrow tables."""
    if data.startswith(b"PAR1"):
        import pyarrow.parquet

        yield pyarrow.parquet.read_table(io.BytesIO(data))
    elif data.startswith(b"ARROW1"):
        import pyarrow.ipc

        yield pyarrow.ipc.open_file(io.BytesIO(data)).read_all()
    elif data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode("utf-8", "surrogateescape")
                yield archive.read(name)
    else:
        yield from (unpack(data) for magic, unpack in _SQUEEZED.items() if data.startswith(magic))


def _files(place: Path, own: Path | None, found: Found) -> Iterator[Path]:
    if place.is_symlink():
        found.unread[f"{place} (a link: name what it leads to)"] = None
    elif place.is_file():
        yield place
    elif (place / "meta.lance").is_dir():
        if own is None or place.resolve() != own.resolve():
            found.unread[f"{place} (a store of its own: open it and forget there)"] = None
    elif place.name == ".git":
        found.unread[f"{place} (the history of version control)"] = None
    elif place.is_dir():
        for one in sorted(place.iterdir()):
            yield from _files(one, own, found)


def _made(path: Path, place: Path) -> Path | None:
    """The folder of the lab that a file belongs to, within ``place``; the file itself where it stands alone."""
    if path == place:
        return path
    for folder in path.parents:
        if any((folder / mark).is_file() for mark in MARKS):
            return folder
        if folder == place:
            break
    with path.open("rb") as file:
        return path if file.read(len(EXPORT)) == EXPORT else None
