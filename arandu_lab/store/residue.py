"""Whether words are still there: in any table, any old version of one, any byte of the store's directory.

Tables are read decoded, because a Lance file may hold a text compressed; bytes are read raw, because a file may be of no
table any more. A scan that finds nothing has looked only if it finds what is there: it is given a word to prove it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arandu_lab.store.schema import TABLES
from arandu_lab.store.tables import Tables, lance

if TYPE_CHECKING:
    from arandu_lab.store.store import Store

SHORT = 6
"""Texts of fewer bytes stand anywhere by chance; they are looked for in whole cells only."""

_CHUNK = 1 << 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """A text that is still there: its number among the texts looked for, and where it stands."""

    text: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was looked through, and what was found. ``proven``: the scan found a word that surely is there."""

    found: tuple[Residue, ...]
    texts: int
    tables: int
    versions: int
    rows: int
    files: int
    bytes: int
    proven: bool

    @property
    def clean(self) -> bool:
        """Nothing was found by a scan that can find."""
        return self.proven and not self.found


def scan(store: Store, texts: Sequence[str], *, agent_id: str, proof: str, also: Sequence[Path] = ()) -> Scan:
    """Look for ``texts`` everywhere in a store; ``proof`` is a text that must be in a table.

    What another agent's rows hold was said by another: it is no residue, and its bytes are not held against this one.
    ``also`` are files elsewhere that may hold the texts (recordings of model answers).
    """
    needles = _Needles([*texts, proof])
    places: dict[tuple[int, str], None] = {}
    theirs: set[int] = set()
    versions = rows = 0
    with store._projecting, store._lock:
        tables = store._tables
        for table in ("meta", *TABLES):
            for version, found in _versions(tables, table):
                versions += 1
                rows += len(found)
                owners = found["agent_id"].to_pylist() if "agent_id" in found.column_names else [agent_id] * len(found)
                for owner, here in zip(owners, needles.in_rows(found), strict=True):
                    if owner != agent_id:
                        theirs |= here
                    else:
                        places |= {(number, f"{table}, version {version}"): None for number in here}
        files = bytes_ = 0
        home = [] if tables.path is None else sorted(tables.path.rglob("*"))
        for path in (*home, *also):
            if path.is_file():
                files += 1
                bytes_ += path.stat().st_size
                name = path.relative_to(store.path).as_posix() if path not in also else str(path)
                places |= {(number, name): None for number in needles.in_file(path) - theirs}
    own = len(texts)
    return Scan(
        found=tuple(Residue(text=number, place=place) for number, place in places if number != own),
        texts=own,
        tables=1 + len(TABLES),
        versions=versions,
        rows=rows,
        files=files,
        bytes=bytes_,
        proven=any(number == own for number, _ in places),
    )


class _Needles:
    """Texts to look for, as they are and as JSON writes them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.whole: dict[str | bytes, set[int]] = {}
        self.parts: dict[str, set[int]] = {}
        for number, text in enumerate(texts):
            if not text.strip():
                continue
            for form in {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}:
                coded = form.encode("utf-8", "replace").decode("latin-1")
                long = len(coded) >= SHORT
                (self.parts if long else self.whole).setdefault(coded if long else form, set()).add(number)
        self.patterns = list(self.parts)

    def in_rows(self, found: Any) -> list[set[int]]:
        """Numbers of the texts that stand in each row: long ones as part of a cell, short ones as a cell."""
        cells = [list(_texts(row.values())) for row in found.drop_columns(_numeric(found)).to_pylist()]
        whole = [set().union(*(self.whole[cell] for cell in row if cell in self.whole)) for row in cells]
        parts = self._parts([b"\n".join(map(_coded, row)) for row in cells])
        return [one | other for one, other in zip(whole, parts, strict=True)]

    def in_file(self, path: Path) -> set[int]:
        """Numbers of the long texts whose bytes stand in a file."""
        longest = max(map(len, self.parts), default=0)
        found: set[int] = set()
        with path.open("rb") as file:
            tail = b""
            while piece := file.read(_CHUNK):
                found |= self._parts([tail + piece])[0]
                tail = (tail + piece)[-longest:] if longest else b""
        return found

    def _parts(self, data: Sequence[bytes]) -> list[set[int]]:
        import polars as pl

        if not self.parts or not data:
            return [set() for _ in data]
        hay = pl.Series([one.decode("latin-1") for one in data], dtype=pl.String)
        hits = hay.str.extract_many(self.patterns, overlapping=True).to_list()
        return [set().union(*(self.parts[hit] for hit in one)) for one in hits]


def _versions(tables: Tables, table: str) -> Iterator[tuple[int, Any]]:
    """Every version of a table that can still be read, with all its rows."""
    with lance(f"scanning {table}"):
        handle = tables._db.open_table(table)
        known = [int(version["version"]) for version in handle.list_versions()]
        for version in known:
            handle.checkout(version)
            yield version, handle.search().limit((1 << 31) - 1).to_arrow()


def _numeric(found: Any) -> list[str]:
    """Columns that hold no text."""
    import pyarrow as pa

    def textual(kind: Any) -> bool:
        if pa.types.is_list(kind):
            return textual(kind.value_type)
        return bool(
            pa.types.is_string(kind)
            or pa.types.is_large_string(kind)
            or pa.types.is_binary(kind)
            or pa.types.is_large_binary(kind)
        )

    return [field.name for field in found.schema if not textual(field.type)]


def _coded(cell: str | bytes) -> bytes:
    return cell if isinstance(cell, bytes) else cell.encode("utf-8", "replace")


def _texts(values: Iterable[Any]) -> Iterator[str | bytes]:
    for value in values:
        if isinstance(value, list):
            yield from (part for part in value if part is not None)
        elif value is not None:
            yield value
