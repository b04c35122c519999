"""The policies of a workspace: a list to filter, each to be switched on or off, edited, or retired."""

from __future__ import annotations

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.listing import paged
from arandu_lab.browse.shared import newest
from arandu_lab.knowledge import MemoryFact, MemoryPolicy
from arandu_lab.pure.text import fold

STATES = ("in force", "off", "superseded", "retired", "all")


def routes(desk: Desk) -> list[Route]:
    """The page of policies and the forms of one."""
    return [
        Route("/workspace/{agent}/policies", partial(_list, desk)),
        Route("/workspace/{agent}/policy", partial(_policy, desk)),
        Route("/workspace/{agent}/policy/edit", partial(_edit, desk), methods=["POST"]),
        Route("/workspace/{agent}/policy/switch", partial(_switch, desk), methods=["POST"]),
        Route("/workspace/{agent}/policy/retire", partial(_retire, desk), methods=["POST"]),
    ]


def standing(policy: MemoryPolicy) -> str:
    """``in force``, ``off``, ``superseded`` or ``retired``."""
    if policy.retired_at is not None:
        return "retired"
    if policy.superseded_by is not None:
        return "superseded"
    return "in force" if policy.active else "off"


async def _list(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    given, state = asked(request, "text", "domain"), desk.one_of(request, "state", STATES)
    words = fold(given["text"]).split()
    every = [(one, standing(one)) for one in here.view.shelf(MemoryPolicy)]
    found = [
        (one, of)
        for one, of in every
        if state in ("all", of)
        and given["domain"] in ("", one.domain_key)
        and all(word in fold(f"{one.rule} {one.domain_key}") for word in words)
    ]
    found.sort(key=lambda one: (one[0].domain_key, one[0].recorded_at))
    return desk.page(
        request,
        "policies.html",
        here,
        tab="policies",
        given=given,
        state=state,
        states=STATES,
        counts={name: sum(name in ("all", of) for _, of in every) for name in STATES},
        shown=paged(found, desk.whole(request, "page")),
        domains=sorted({one.domain_key for one, _ in every}),
    )


async def _policy(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    policy = _known(here, request.query_params.get("id", ""))
    facts = here.view.shelf(MemoryFact)
    sources = [one for i in policy.source_fact_ids if (one := facts.get(i)) is not None]
    return desk.page(
        request, "policy.html", here, tab="policies", policy=policy, state=standing(policy), sources=sources
    )


async def _edit(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    policy = _known(here, form.get("id", ""))
    rule = form.get("rule", "").replace("\r\n", "\n").strip()
    if standing(policy) not in ("in force", "off"):
        return desk.late(here.path("policy", id=newest(here, policy).id), rule)
    role = form.get("required_role", "").strip()
    same = rule == policy.rule and role == (policy.required_role or "")
    if same:
        return desk.told(here.path("policy", id=policy.id), "Nothing was changed: it says so already.")
    unit = f"edit_policy:{here.view.sequence}"
    done = await desk.store.workspace(here.agent).edit_policy(
        policy.id, by=desk.store.by, rule=rule, required_role=role
    )
    return desk.told(
        here.path("policy", id=done.after.id), "Corrected. The old words stay on record, as superseded.", undo=unit
    )


async def _switch(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    policy, unit = _known(here, form.get("id", "")), f"edit_policy:{here.view.sequence}"
    on = form.get("active") == "yes"
    if policy.active == on and standing(policy) in ("in force", "off"):
        return desk.told(here.path("policies", state="all"), "Nothing was changed: it says so already.", policy.rule)
    await desk.store.workspace(here.agent).edit_policy(policy.id, by=desk.store.by, active=on)
    said = (
        "Switched on: it is in every preamble again."
        if on
        else "Switched off: it is in no preamble until it is switched on."
    )
    return desk.told(here.path("policies", state="all"), said, policy.rule, undo=unit)


async def _retire(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    policy, unit = _known(here, form.get("id", "")), f"retire_policy:{here.view.sequence}"
    await desk.store.workspace(here.agent).retire_policy(policy.id, by=desk.store.by)
    said = "Retired. It is in no preamble any more, and stays on record."
    return desk.told(here.path("policies"), said, policy.rule, undo=unit)


def _known(here: Here, policy_id: str) -> MemoryPolicy:
    policy = here.view.shelf(MemoryPolicy).get(policy_id)
    if policy is None:
        raise HTTPException(404)
    return policy
