"""The tab of records: what was corrected, retired, deleted, merged and concluded, newest first; and taking it back."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import polars as pl
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here
from arandu_lab.browse.listing import paged
from arandu_lab.browse.opening import Kind
from arandu_lab.records import Event
from arandu_lab.store.journal import Unit, unpack
from arandu_lab.store.schema import table_of
from arandu_lab.store.times import micros

_SMALL = 4_000_000
"""Bytes of a journal up to which every unit is looked at, to say at once whether it can be undone."""

_QUIET = ("repair:", "retrieved:", "recalled:")
"""Units that are not for undoing."""

_KINDS = ("all", "edit", "forget", "job", "write")


def routes(desk: Desk, kind: Kind) -> list[Route]:
    """The page of records, and taking one back."""
    return [
        Route(f"/{kind}/{{agent}}/records", partial(_records, desk, kind)),
        Route(f"/{kind}/{{agent}}/undo", partial(_undo, desk, kind), methods=["POST"]),
    ]


async def _records(desk: Desk, kind: Kind, request: Request) -> Response:
    here = desk.here(request, kind)
    only = desk.one_of(request, "only", _KINDS)
    journal = desk.store.store.frame("journal", here.name)
    small = journal["payload"].bin.size().sum() < _SMALL
    known = {row["id"]: row for row in desk.store.memory.units(here.name).to_dicts()} if small else {}
    wanted = journal if only == "all" else journal.filter(pl.col("kind") == only)
    places = paged(range(len(wanted) - 1, -1, -1), desk.whole(request, "page"))
    rows = [_row(desk, wanted.row(place, named=True), known) for place in places.rows]
    return desk.page(request, "records.html", here, tab="records", shown=places, rows=rows, only=only, kinds=_KINDS)


def _row(desk: Desk, kept: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """A journal row as the page shows it; what is large is not unpacked to be looked at."""
    row = {name: kept[name] for name in ("seq", "unit_id", "kind", "agent_id")}
    if len(kept["payload"]) < _SMALL:
        return _told(
            unpack(kept["payload"], dim=desk.store.store.dim, recorded_at=micros(kept["recorded_at"]), **row),
            known.get(kept["unit_id"]),
        )
    return {
        "id": kept["unit_id"],
        "kind": kept["kind"],
        "op": kept["unit_id"].partition(":")[0].replace("_", " "),
        "by": None,
        "when": kept["recorded_at"],
        "what": f"{len(kept['payload']) / 1e6:.0f} MB",
        "removed": 0,
        "undoable": kept["kind"] in ("edit", "job") and not kept["unit_id"].startswith(_QUIET),
        "why": None,
    }


async def _undo(desk: Desk, kind: Kind, request: Request) -> Response:
    here, form = desk.here(request, kind), await desk.form(request)
    done = desk.store.memory.undo(here.name, form.get("unit", ""))
    return desk.told(_back(here, form.get("back", "")), "Taken back.", done.what, undo=done.unit_id)


def _back(here: Here, path: str) -> str:
    """The page to go back to, where it is one of ours about this agent; else the records."""
    mine = f"/{here.kind}/{here.agent.slug}/"
    safe = path.startswith(mine) and not set(path) & set("\r\n\\") and "//" not in path
    return path if safe else here.path("records")


def _told(unit: Unit, known: dict[str, Any] | None) -> dict[str, Any]:
    try:
        note = json.loads(unit.note or "{}")
    except ValueError:
        note = {}
    note = note if isinstance(note, dict) else {}
    op = known["kind"] if known else note.get("op") or unit.id.partition(":")[0]
    counts: dict[str, int] = {}
    for row in unit.rows:
        counts[table_of(row)] = counts.get(table_of(row), 0) + 1
    said = [row for row in unit.rows if isinstance(row, Event)]
    what = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in sorted(counts.items()))
    if known:
        what = known["what"]
    elif len(said) == 1:
        what = f"{said[0].speaker}: {said[0].text}"
    return {
        "id": unit.id,
        "kind": unit.kind,
        "op": str(op).replace("_", " "),
        "by": note.get("by"),
        "when": unit.recorded_at,
        "what": what,
        "removed": len(unit.removed),
        "undoable": bool(known["undoable"])
        if known
        else unit.kind in ("edit", "job") and not unit.id.startswith(_QUIET),
        "why": known["why"] if known else None,
    }
