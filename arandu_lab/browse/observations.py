"""The tab of observations: what jobs concluded, what they put in doubt, and what each rests on."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, asked
from arandu_lab.browse.listing import paged
from arandu_lab.pure.text import fold
from arandu_lab.records import MARK


def routes(desk: Desk) -> list[Route]:
    """The page of conclusions."""
    return [Route("/memory/{agent}/observations", partial(_observations, desk))]


async def _observations(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    view, given = here.view, asked(request, "text")
    wanted = fold(given["text"])
    standing = [one for one in view.observations() if one.invalidated_at is None and one.kind != MARK]
    standing = [one for one in standing if wanted in fold(one.text)]
    clusters = [one for one in view.clusters() if one.invalidated_at is None]
    clusters = [one for one in clusters if wanted in fold(f"{one.label} {one.summary}")]
    stale = [view.fact_at(int(place)) for place in view.facts.stale.nonzero()[0]]
    stale = [fact for fact in stale if fact.valid_to is None and wanted in fold(fact.text)]
    rests = {fact.id: [one for i in fact.premise_ids if (one := view.fact(i)) is not None] for fact in stale[:60]}
    directives = [one for one in standing if one.kind == "directive"]
    others = sorted((one for one in standing if one.kind != "directive"), key=lambda one: (-one.confidence, one.id))
    shown = paged(others, desk.whole(request, "page"), 30)
    evidence = {
        one.id: [(i, view.fact(i), view.event(i)) for i in one.evidence_ids[:8]] for one in (*shown.rows, *directives)
    }
    members = {one.id: [fact for i in one.fact_ids[:12] if (fact := view.fact(i)) is not None] for one in clusters[:40]}
    return desk.page(
        request,
        "observations.html",
        here,
        tab="observations",
        given=given,
        directives=directives,
        shown=shown,
        evidence=evidence,
        clusters=clusters[:40],
        members=members,
        stale=stale[:60],
        more_stale=len(stale) - 60,
        rests=rests,
    )
