"""Whether words are still there: in any table, any old version of one, any byte of the store's directory.

Tables are read decoded, because a Lance file may hold a text compressed; bytes are read raw, because a file may be of no
table any more. A scan that finds nothing has looked only if it finds what is there: it is given a word to prove it. Rows
that are deleted and still lie in a file are seen by neither, so they are counted, and none may be left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arandu_lab.store.needles import Needles
from arandu_lab.store.schema import TABLES
from arandu_lab.store.tables import Tables, lance

if TYPE_CHECKING:
    from arandu_lab.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """A text that is still there: its number among the texts looked for, and where it stands."""

    text: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was looked through, and what was found.

    ``proven``: the scan found a word that surely is there. ``hidden``: rows that are deleted and still lie in a file.
    """

    found: tuple[Residue, ...]
    texts: int
    tables: int
    versions: int
    rows: int
    files: int
    bytes: int
    proven: bool
    hidden: int = 0

    @property
    def clean(self) -> bool:
        """Nothing was found by a scan that can find."""
        return self.proven and not self.found and not self.hidden


def scan(store: Store, texts: Sequence[str], *, agent_id: str, proof: str) -> Scan:
    """Look for ``texts`` everywhere in a store; ``proof`` is a text that must be in a table.

    What another agent's rows hold was said by another: it is no residue, and its bytes are not held against this one.
    """
    needles = Needles([*texts, proof], coded=False)
    places: dict[tuple[int, str], None] = {}
    theirs: set[int] = set()
    versions = rows = hidden = 0
    with store._projecting, store._lock:
        tables = store._tables
        looked = ("meta", *TABLES, *tables.made())
        for table in looked:
            hidden += tables.hidden(table) if table != "meta" else 0
            for version, found in _versions(tables, table):
                versions += 1
                rows += len(found)
                owners = found["agent_id"].to_pylist() if "agent_id" in found.column_names else [agent_id] * len(found)
                for place, here in needles.in_rows(found):
                    if owners[place] != agent_id:
                        theirs |= here
                    else:
                        places |= {(number, f"{table}, version {version}"): None for number in here}
        files = bytes_ = 0
        for path in () if tables.path is None else sorted(tables.path.rglob("*")):
            if path.is_file():
                files += 1
                bytes_ += path.stat().st_size
                name = path.relative_to(store.path).as_posix()
                places |= {(number, name): None for number in needles.in_file(path) - theirs}
    own = len(texts)
    return Scan(
        found=tuple(Residue(text=number, place=place) for number, place in places if number != own),
        texts=own,
        tables=len(looked),
        versions=versions,
        rows=rows,
        files=files,
        bytes=bytes_,
        proven=any(number == own for number, _ in places),
        hidden=hidden,
    )


def _versions(tables: Tables, table: str) -> Iterator[tuple[int, Any]]:
    """Every version of a table that can still be read, with all its rows."""
    with lance(f"scanning {table}"):
        handle = tables._db.open_table(table)
        known = [int(version["version"]) for version in handle.list_versions()]
        for version in known:
            handle.checkout(version)
            yield version, handle.search().limit((1 << 31) - 1).to_arrow()
