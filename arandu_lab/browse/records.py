"""The tab of records: what was said, corrected, retired, deleted, merged and concluded, newest first; and taking it back.

Of a page's records only their own units are read. Whether one can be undone is asked of the memory itself, so what the
page says is what an undoing does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here
from arandu_lab.browse.listing import paged
from arandu_lab.browse.opening import Kind
from arandu_lab.knowledge import AccessGrant, HotItem, MemoryConflict, MemoryFact, MemoryPolicy, Sighting, WorkingMemory
from arandu_lab.memory.history import UNDONE, counted, note, op, undoable
from arandu_lab.records import Cluster, Entity, Event, Fact, Observation
from arandu_lab.store.headers import listed, some
from arandu_lab.store.journal import Unit

SIZE = 30
"""Records of a page."""

KINDS = ("all", "edit", "forget", "job", "write", "turn")
_SAYS: Sequence[tuple[type[Any], Callable[[Any], str]]] = (
    (MemoryPolicy, lambda row: row.rule),
    (MemoryFact, lambda row: row.content),
    (MemoryConflict, lambda row: f"{row.domain_key}: {row.topic}"),
    (AccessGrant, lambda row: f"{row.role}: {row.domain} ({row.permission})"),
    (Fact, lambda row: row.text),
    (Observation, lambda row: row.text),
    (Cluster, lambda row: row.label),
    (Event, lambda row: f"{row.speaker}: {row.text}"),
    (Sighting, lambda row: f"{row.speaker or row.agent}: {row.text}"),
    (HotItem, lambda row: row.text),
    (WorkingMemory, lambda row: f"{row.agent}: {row.text}"),
    (Entity, lambda row: row.name),
)
"""What a row says, of the rows that say something; a unit is told by the first of these that it has."""


def routes(desk: Desk, kind: Kind) -> list[Route]:
    """The page of records, and taking one back."""
    return [
        Route(f"/{kind}/{{agent}}/records", partial(_records, desk, kind)),
        Route(f"/{kind}/{{agent}}/undo", partial(_undo, desk, kind), methods=["POST"]),
    ]


async def _records(desk: Desk, kind: Kind, request: Request) -> Response:
    here = desk.here(request, kind)
    only = desk.one_of(request, "only", KINDS)
    every = listed(desk.store.store, here.name)
    wanted = [unit_id for unit_id, of in reversed(every) if only in ("all", of)]
    shown = paged(wanted, desk.whole(request, "page"), SIZE)
    units = some(desk.store.store, here.name, shown.rows)
    asked = [one.id for one in units.values() if undoable(one)]
    known = {row["id"]: row for row in desk.store.memory.units(here.name, only=asked).to_dicts()} if asked else {}
    rows = [_told(units[one], known.get(one)) for one in shown.rows if one in units]
    return desk.page(request, "records.html", here, tab="records", shown=shown, rows=rows, only=only, kinds=KINDS)


async def _undo(desk: Desk, kind: Kind, request: Request) -> Response:
    here, form = desk.here(request, kind), await desk.form(request)
    done = desk.store.memory.undo(here.name, form.get("unit", ""))
    back, unit = _back(here, form.get("back", "")), some(desk.store.store, here.name, [done.unit_id])
    said = what(unit[done.unit_id]) if done.unit_id in unit else None
    return desk.told(back, "Taken back.", *([said] if said else []), undo=done.unit_id)


def _back(here: Here, path: str) -> str:
    """The page to go back to, where it is one of ours about this agent; else the records."""
    mine = f"/{here.kind}/{here.agent.slug}/"
    safe = path.startswith(mine) and not set(path) & set("\r\n\\") and "//" not in path
    return path if safe else here.path("records")


def _told(unit: Unit, known: dict[str, Any] | None) -> dict[str, Any]:
    done = op(unit) if op(unit) != "job" else unit.id.partition(":")[0]
    why: str | None = known["why"] if known else None
    return {
        "id": unit.id,
        "kind": unit.kind,
        "op": done.replace("_", " "),
        "by": note(unit).get("by"),
        "when": unit.recorded_at,
        "what": known["what"] if known and done in ("merge", "split") else what(unit),
        "counts": sorted(counted(unit.rows).items()),
        "removed": len(unit.removed),
        "undoable": bool(known and known["undoable"]),
        "undone": why is not None and UNDONE in why,
        "why": why,
    }


def what(unit: Unit) -> str | None:
    """What a unit is about, in the words of its rows: of several that say something, those that came by it first."""
    for kind, says in _SAYS:
        rows = [row for row in unit.rows if isinstance(row, kind)]
        if rows:
            newest = {born: row for row, born in zip(unit.rows, unit.born, strict=True) if isinstance(row, kind)}
            return says(newest[max(newest)])
    return None
