"""The tab of records: what was corrected, retired, deleted, merged and concluded, newest first; and taking it back."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here
from arandu_lab.browse.listing import paged
from arandu_lab.browse.opening import Kind
from arandu_lab.records import Event
from arandu_lab.store.journal import Unit
from arandu_lab.store.ledger import units
from arandu_lab.store.schema import table_of

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
    journal = [unit for unit in reversed(units(desk.store.store, here.name)) if only in ("all", unit.kind)]
    shown = paged(journal, desk.whole(request, "page"))
    undoable = {row["id"]: row for row in desk.store.memory.units(here.name).to_dicts()}
    rows = [_told(unit, undoable.get(unit.id)) for unit in shown.rows]
    return desk.page(request, "records.html", here, tab="records", shown=shown, rows=rows, only=only, kinds=_KINDS)


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
        "undoable": bool(known and known["undoable"]),
        "why": known["why"] if known else None,
    }
