"""Opening what a crash or the disk has damaged: what is made from the journal is made anew, and nothing else is.

::

    journal complete? ── no ──> refused, nothing touched
          │ yes
          ▼
    a projection unreadable or rolled back? ──> dropped, all rebuilt from the journal
          │
          ▼
    what the tables lack is replayed, forgetting is finished
"""

from __future__ import annotations

import logging

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.store import doctor, forget, projections, segments, sql
from arandu_lab.store.meta import bare, refuse_other
from arandu_lab.store.schema import KNOWLEDGE, PROJECTED
from arandu_lab.store.tables import Tables, damage

_log = logging.getLogger(__name__)


def opened(tables: Tables, wanted: dict[str, str]) -> int:
    """Open the tables for writing and heal them, or make those of a new store; the last ``seq`` of the journal.

    Raises:
        BackendError: the journal is unreadable or has lost units; nothing was changed.
        ConfigError: ``meta`` is missing, or the store is another embedder's or of another layout.
    """
    path, dim = tables.path, int(wanted["embedder_dim"])
    assert path is not None
    if not tables.exists():
        _refuse_headless(tables)
        tables.create(dim, wanted)
        return 0
    tables.open("meta", *segments.BOTH)
    refuse_other(str(path), tables.meta(), wanted)
    damaged = _examined(tables)
    back = doctor.rolled_back(path)
    for table in sorted(back.intersection(PROJECTED) - damaged.keys()):
        damaged[table] = "its newest manifest was empty, and the version before it may lack rows"
    for table, why in damaged.items():
        _log.warning("%s: table %s is rebuilt from the journal: %s", path, table, why)
        tables.drop(table)
    if segments.COLD in back:
        _again(tables)
    if damaged:
        projections.rebuild(tables, dim)
    seq = projections.recover(tables, dim)
    forget.finish(tables, dim)
    doctor.settle(path)
    return seq


def read(tables: Tables, wanted: dict[str, str]) -> int:
    """Open the tables for reading, changing nothing; the last ``seq`` of the journal.

    Raises:
        BackendError: something is damaged; says whether opening the store for writing heals it.
        ConfigError: as ``opened``, or no store is there.
    """
    if not tables.exists():
        _refuse_headless(tables)
        raise ConfigError(f"no store at {tables.path}; open it without read_only=True to create one")
    tables.open()
    meta = tables.meta()
    tables.open(*sorted({*_made(meta)} - {*tables.made()}) or ["meta"])
    refuse_other(str(tables.path), meta, wanted)
    assert tables.path is not None
    if stale := doctor.rolled_back(tables.path).intersection(PROJECTED):
        raise BackendError(
            f"{tables.path}: {', '.join(sorted(stale))} may lack rows since an empty manifest was set aside; "
            "open the store once for writing, which rebuilds them from the journal",
            kind="store",
            backend="lancedb",
        )
    return segments.last(tables, int(meta["watermark"]))


def _examined(tables: Tables) -> dict[str, str]:
    """Open the projections and read a column of each: those that cannot be read, and why.

    Raises:
        BackendError: the journal lacks a unit that ``meta`` or a row of a table bears witness to.
    """
    damaged: dict[str, str] = {}
    meta = tables.meta()
    witness = int(meta["watermark"])
    for table in dict.fromkeys((*tables.projections, *_made(meta))):
        try:
            tables.open(table)
            witness = max(witness, max(tables.select(table, columns=["seq"])["seq"].to_pylist(), default=0))
            if lacking := tables.lacking(table):
                damaged[table] = f"it was made before {', '.join(lacking)} was kept"
        except BackendError as fault:
            if not damage(fault):
                raise
            damaged[table] = fault.message.split("; it is made from")[0]
    segments.last(tables, witness)
    return damaged


def _made(meta: dict[str, str]) -> tuple[str, ...]:
    """The tables that were made with their first row, so far as the watermark knows: one that is gone is damage."""
    return tuple(name for name in meta.get("made", "").split() if name in KNOWLEDGE)


def _refuse_headless(tables: Tables) -> None:
    """Refuse to take a directory with rows and no ``meta`` for a new one.

    Raises:
        ConfigError: tables hold rows, and ``meta`` is missing.
    """
    if held := tables.holding():
        raise ConfigError(
            f"{tables.path} has lost its table meta (which embedder, how far), while {', '.join(held)} hold rows; "
            f"nothing was changed. Restore meta.lance from a copy, or make it anew with Store.adopt({str(tables.path)!r}, "
            "embedder_name=..., embedder_dim=...) and embed the texts again with Memory.repair()"
        )


def _again(tables: Tables) -> None:
    """An archive that was rolled back may hold again what was taken out of it: forget and drop vectors once more."""
    meta = tables.meta()
    tables.set_meta(forgotten="0")
    until = int(meta.get("adopted", "0"))
    if until:
        segments.rewrite(tables, [bare(unit) for unit in segments.read(tables, 0, sql.up_to(until))])
