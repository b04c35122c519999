"""The conflicts of a workspace, both sides with what stood for them, and deciding which is right.

A decision is a correction of what holds now, as anywhere else in the browser: the words of the other side take its place, or
it is retired. The conflict itself stays on record with both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.listing import paged
from arandu_lab.browse.shared import newest, standing
from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryConflict, MemoryFact
from arandu_lab.pure.text import fold


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict: its words (None: erased), its fact if it is there, and its evidence beside the words."""

    which: str
    said: str | None
    fact: MemoryFact | None
    evidence: tuple[str, ...]
    state: str
    can: bool


@dataclass(frozen=True, slots=True)
class Dispute:
    """A conflict as the page shows it. ``holds`` is what holds under its topic now, of the line of what was kept."""

    conflict: MemoryConflict
    sides: tuple[Side, Side]
    holds: MemoryFact | None
    by_hand: bool


def routes(desk: Desk) -> list[Route]:
    """The page of conflicts, and the form that decides one."""
    return [
        Route("/workspace/{agent}/conflicts", partial(_conflicts, desk)),
        Route("/workspace/{agent}/conflict", partial(_decide, desk), methods=["POST"]),
    ]


async def _conflicts(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    given = asked(request, "text")
    wanted = fold(given["text"]).split()
    found = [
        one
        for one in reversed(list(here.view.shelf(MemoryConflict)))
        if all(
            word in fold(" ".join((one.domain_key, one.topic, *one.kept_evidence, *one.lost_evidence)))
            for word in wanted
        )
    ]
    shown = paged(found, desk.whole(request, "page"), 20)
    rows = [_dispute(here, one) for one in shown.rows]
    return desk.page(request, "conflicts.html", here, tab="conflicts", given=given, shown=shown, rows=rows)


async def _decide(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    conflict = here.view.shelf(MemoryConflict).get(form.get("id", ""))
    if conflict is None:
        raise HTTPException(404)
    dispute, choice = _dispute(here, conflict), form.get("side", "")
    if dispute.holds is None:
        raise ConfigError(
            "nothing of this conflict holds any more, so there is nothing to decide; the records can bring it back"
        )
    workspace, back = desk.store.workspace(here.agent), here.path("conflicts")
    if choice == "neither":
        unit = f"retire_fact:{here.view.sequence}"
        await workspace.retire_fact(dispute.holds.id, by=desk.store.by, why="neither side of a conflict is right")
        return desk.told(back, "Retired: neither side holds. Both stay on record.", dispute.holds.content, undo=unit)
    side = next((one for one in dispute.sides if one.which == choice and one.can), None)
    if side is None or side.said is None:
        raise ConfigError("that side cannot be chosen: it holds already, or its words were erased")
    unit = f"edit_fact:{here.view.sequence}"
    await workspace.edit_fact(dispute.holds.id, by=desk.store.by, content=side.said)
    return desk.told(back, "Decided. The other side stays on record, as superseded.", side.said, undo=unit)


def _dispute(here: Here, conflict: MemoryConflict) -> Dispute:
    facts = here.view.shelf(MemoryFact)
    kept, lost = facts.get(conflict.kept_id), facts.get(conflict.lost_id)
    last = kept and newest(here, kept)
    holds = last if last is not None and standing(last, here) == "now" else None
    sides = tuple(
        _side(here, which, fact, evidence, holds)
        for which, fact, evidence in (("kept", kept, conflict.kept_evidence), ("lost", lost, conflict.lost_evidence))
    )
    return Dispute(conflict, (sides[0], sides[1]), holds, last is not None and last is not kept)


def _side(here: Here, which: str, fact: MemoryFact | None, evidence: tuple[str, ...], holds: MemoryFact | None) -> Side:
    said = fact.content if fact is not None else evidence[0] if evidence else None
    agrees = holds is not None and said == holds.content
    state = "now" if agrees else standing(fact, here) if fact is not None else "erased"
    return Side(which, said, fact, evidence[1:], state, holds is not None and said is not None and not agrees)
