"""Carrying an agent away and taking it in: one file of JSON lines, whole and provably so.

::

    {"format": "arandu-lab memory", "version": 1, "agent_id": ..., "embedder": {...}, "calibration": ..., "units": n}
    {"unit": ..., "seq": ..., "kind": ..., "recorded_at": ..., "note": ..., "removed": [...], "rows": [...]}
    ...
    {"digest": ..., "words": ..., "sha256": ...}

A line is a unit of work of the journal: so histories, both times, undoings and tombstones travel along. Times are ISO
with their offsets, vectors are base64 of little endian ``float32``. The last line has the digest of what the units leave
(``words``: without vectors) and the SHA-256 of all lines before it.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from arandu_lab.errors import BackendError, ConfigError, DatasetError
from arandu_lab.memory.renaming import renamed
from arandu_lab.memory.upkeep import EMBEDDED
from arandu_lab.places import local
from arandu_lab.records import Row
from arandu_lab.store.commit import agent_named
from arandu_lab.store.intake import replayed, take_in
from arandu_lab.store.journal import Unit, UnitKind
from arandu_lab.store.ledger import bare, digest
from arandu_lab.store.ledger import units as ledger
from arandu_lab.store.schema import RECORDS, fields, table_of

if TYPE_CHECKING:
    from arandu_lab.memory.keeping import Keeping

FORMAT = "arandu-lab memory"
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ported:
    """An agent in a file, or taken in from one.

    ``digest`` is that of ``Memory.digest``, on both sides the same where vectors came along and the agent kept its name.
    ``unembedded`` counts rows
    whose vectors were of another embedder and stayed behind: ``await memory.repair(agent_id)`` embeds them anew.
    """

    agent_id: str
    path: Path
    units: int
    rows: int
    digest: str
    embedder: str
    unembedded: int = 0

    def __str__(self) -> str:
        said = f"agent {self.agent_id!r}: {self.units} units of work, {self.rows} rows"
        if self.unembedded:
            said += f"; {self.unembedded} rows wait for vectors: await memory.repair({self.agent_id!r})"
        return said


def export(memory: Keeping, agent_id: str, path: str | PathLike[str], *, overwrite: bool) -> Ported:
    """See ``Memory.export``. The file appears whole or not at all."""
    target = local(path)
    if target.exists() and not overwrite:
        raise ConfigError(f"{target} is there already; choose another path, or say overwrite=True")
    if not memory.store.read_only:
        memory.retrieved.write_down(memory)  # type: ignore[arg-type]
    with memory.store.still():
        journal, view, held = ledger(memory.store, agent_id), memory.store.view(agent_id), memory.store.scale()
    if not journal:
        raise ConfigError(f"agent {agent_id!r} is unknown here; known: {', '.join(memory.store.agents()) or 'nobody'}")
    if memory.store.read_only and digest(replayed(agent_id, journal)) != digest(view):
        raise BackendError("another process forgot something meanwhile; export again", kind="store", backend="journal")
    embedder = _embedder(memory)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "agent_id": agent_id,
        "embedder": embedder,
        "calibration": json.loads(held) if held else None,
        "units": len(journal),
    }
    whole, sha = digest(view), hashlib.sha256()
    draft = target.with_name(f".{target.name}.part")
    try:
        with draft.open("wb") as file:
            for line in (head, *map(_unit_line, journal)):
                coded = _coded(line)
                sha.update(coded)
                file.write(coded)
            file.write(_coded({"digest": whole, "words": digest(view, vectors=False), "sha256": sha.hexdigest()}))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise ConfigError(f"{target} cannot be written: {error.strerror or error}") from error
    rows = sum(1 for _ in view.rows())
    name = str(embedder["name"])
    return Ported(agent_id=agent_id, path=target, units=len(journal), rows=rows, digest=whole, embedder=name)


def import_(memory: Keeping, path: str | PathLike[str], *, agent_id: str | None = None) -> Ported:
    """See ``Memory.import_``."""
    source = local(path)
    head, units, end = _read(source)
    whole = replayed(head["agent_id"], units)
    if digest(whole) != end["digest"] or digest(whole, vectors=False) != end["words"]:
        raise DatasetError(f"{source}: its units do not leave the memory that it was made from; export it again")
    same = head["embedder"] == _embedder(memory)
    if same:
        _scale(memory, source, head["calibration"])
    else:
        units = [replace(unit, rows=tuple(map(bare, unit.rows))) for unit in units]
    agent_id = agent_named(head["agent_id"] if agent_id is None else agent_id)
    units = renamed(units, head["agent_id"], agent_id)
    wanted = replayed(agent_id, units)
    taken = take_in(memory.store, agent_id, units)
    view = memory.store.view(agent_id)
    if digest(view) != digest(wanted):
        raise BackendError(f"{source} was taken in and reads back differently", kind="store", backend="journal")
    rows = list(view.rows())
    waiting = 0 if same else sum(isinstance(row, EMBEDDED) for row in rows)
    return Ported(
        agent_id=agent_id,
        path=source,
        units=taken,
        rows=len(rows),
        digest=digest(view),
        embedder=head["embedder"]["name"],
        unembedded=waiting,
    )


def _embedder(memory: Keeping) -> dict[str, Any]:
    embed = memory.embed
    return {"name": embed.name, "dim": embed.dim}


def _scale(memory: Keeping, source: Path, wanted: Any) -> None:
    """An empty store takes the file's calibration; another one than the store's is refused."""
    held = memory.store.scale()
    mine = json.loads(held) if held else None
    if wanted is None or mine is None or mine.get("knots") == wanted.get("knots"):
        return
    if memory.store.agents():
        raise ConfigError(
            f"{source} was decided on the calibration {wanted.get('knots')}, this store reads its cosines with "
            f"{mine.get('knots')}; take it into a new store, or change this one with Memory.recalibrate first"
        )
    memory.recalibrate(json.dumps(wanted))


# ---------------------------------------------------------------- lines


def _coded(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _unit_line(unit: Unit) -> dict[str, Any]:
    return {
        "unit": unit.id,
        "seq": unit.seq,
        "kind": unit.kind,
        "recorded_at": unit.recorded_at.isoformat(),
        "note": unit.note,
        "removed": unit.removed,
        "rows": [
            {"table": table_of(row), "born": born, **_row_line(row)}
            for row, born in zip(unit.rows, unit.born, strict=True)
        ],
    }


def _row_line(row: Row) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, kind in fields(type(row)):
        value = getattr(row, name)
        if name == "agent_id" or value is None:
            continue
        if kind == "time":
            value = value.isoformat()
        elif kind == "vector":
            value = base64.b64encode(np.ascontiguousarray(value, dtype="<f4").tobytes()).decode()
        told[name] = value
    return told


def _read(source: Path) -> tuple[dict[str, Any], list[Unit], dict[str, Any]]:
    """Head, units and end of a file, every line checked.

    Raises:
        ConfigError: no such file, or a newer format.
        DatasetError: damaged; says the line.
    """
    try:
        data = source.read_bytes()
    except OSError as error:
        raise ConfigError(f"{source}: {error.strerror or error}") from error
    lines = data.splitlines(keepends=True)
    head = _line(source, 1, lines[0] if lines else b"")
    if head.get("format") != FORMAT:
        raise DatasetError(f"{source}:1: no exported memory; the first line wants format {FORMAT!r}")
    if head.get("version") != VERSION:
        raise ConfigError(
            f"{source} has format version {head.get('version')!r}, this arandu_lab reads {VERSION}; "
            "take it in with the version that wrote it or a newer one"
        )
    end = _line(source, len(lines), lines[-1])
    if "sha256" not in end or not lines[-1].endswith(b"\n"):
        raise DatasetError(f"{source}:{len(lines)}: the file is cut short; export it again")
    if hashlib.sha256(b"".join(lines[:-1])).hexdigest() != end["sha256"]:
        raise DatasetError(f"{source}: its lines are not those that were exported (SHA-256 differs)")
    try:
        units = list(_units(source, head["agent_id"], lines[1:-1]))
        head["embedder"]["name"], end["digest"], end["words"], head["calibration"]
    except (KeyError, TypeError) as error:
        raise DatasetError(f"{source}: lacks {error}") from error
    if len(units) != head["units"]:
        raise DatasetError(f"{source}:1: says {head['units']} units, has {len(units)}")
    return head, units, end


def _units(source: Path, agent_id: str, lines: Sequence[bytes]) -> Iterator[Unit]:
    last = 0
    for number, raw in enumerate(lines, start=2):
        told = _line(source, number, raw)
        try:
            unit = Unit(
                id=told["unit"],
                seq=told["seq"],
                kind=told["kind"],
                agent_id=agent_id,
                recorded_at=datetime.fromisoformat(told["recorded_at"]),
                rows=tuple(_row(row, agent_id) for row in told["rows"]),
                born=tuple(int(row["born"]) for row in told["rows"]),
                removed=tuple((table, key) for table, key in told["removed"]),
                note=told["note"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"{source}:{number}: no unit of work: {type(error).__name__} {error}") from error
        if unit.kind not in get_args(UnitKind) or unit.seq <= last:
            raise DatasetError(f"{source}:{number}: kind {unit.kind!r}, seq {unit.seq} after {last}")
        last = unit.seq
        yield unit


def _row(told: dict[str, Any], agent_id: str) -> Row:
    record = RECORDS[told["table"]]
    kinds = dict(fields(record))
    made: dict[str, Any] = {"agent_id": agent_id}
    for name, value in told.items():
        if name in ("table", "born"):
            continue
        kind = kinds[name]
        if kind == "time":
            value = datetime.fromisoformat(value)
        elif kind == "vector":
            value = np.frombuffer(base64.b64decode(value), dtype="<f4").astype(np.float32)
        elif kind == "list":
            value = tuple(value)
        made[name] = value
    for one in dataclasses.fields(record):
        if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING and one.name not in made:
            raise KeyError(one.name)
    row: Row = record(**made)
    return row


def _line(source: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        told = json.loads(raw)
    except ValueError as error:
        raise DatasetError(f"{source}:{number}: no JSON: {error}") from error
    if not isinstance(told, dict):
        raise DatasetError(f"{source}:{number}: wants an object, not {type(told).__name__}")
    return told
