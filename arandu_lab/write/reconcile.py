"""Reconciliation: what becomes of each new fact beside what is stored. Triage, one batched question, settle."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import decide
from arandu_lab.pure.text import normal
from arandu_lab.records import Ask, Decision, Fact, Neighbour, NewFact, Reconciliation, Resolution, Verdict
from arandu_lab.units import Cosine, Positive, Seconds

_ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)


@stage
def triage(
    resolution: Resolution, lab: Lab, *, reconcile_gate: Cosine, reconcile_neighbours: Positive
) -> Reconciliation:
    """Find the nearest open facts of each new fact's entity over *all* of its facts (W9) and decide what is plain."""
    keys = {normal(r.name) or r.name: r.key for r in resolution.resolved}
    decisions: list[Decision | None] = []
    asks: list[Ask] = []
    for position, fact in enumerate(resolution.facts):
        key = keys.get(normal(fact.subject) or fact.subject)
        near, closed = _neighbourhood(lab, key, fact, reconcile_neighbours)
        outcome = decide.triage(
            position, fact, resolution.turn.occurred_at, near, closed, reconcile_gate=reconcile_gate
        )
        if isinstance(outcome, Ask):
            asks.append(outcome)
            decisions.append(None)
        else:
            decisions.append(outcome)
    lab.log(asks=len(asks))
    return Reconciliation(
        **{name: getattr(resolution, name) for name in Resolution.__dataclass_fields__},
        decisions=tuple(decisions),
        asks=tuple(asks),
        verdicts=(None,) * len(asks),
    )


@stage
async def ask_verdicts(found: Reconciliation, lab: Lab, *, extraction_timeout_sec: Seconds) -> Reconciliation:
    """Put all open facts of the message to the model in one question; stored facts go by index, never by id."""
    if not found.asks:
        return found
    items = []
    for number, ask in enumerate(found.asks):
        fact = found.facts[ask.position]
        items.append(
            {
                "i": number,
                "subject": fact.subject,
                "fact": fact.text,
                "since": (fact.valid_from or found.turn.occurred_at).date().isoformat(),
                "known": [
                    {"i": i, "text": n.fact.text, "since": n.fact.valid_from.date().isoformat()}
                    for i, n in enumerate(ask.neighbours)
                ],
            }
        )
    inputs = {
        "message": found.said,
        "speaker": found.turn.speaker,
        "sent_at": found.turn.occurred_at.isoformat(),
        "items": items,
    }
    answered = await lab.llm.ask(tasks.reconcile(), inputs, timeout=extraction_timeout_sec)
    given = {v.i: Verdict(action=v.action, index=v.known) for v in reversed(answered.value.verdicts)}
    strays = [i for i in given if not 0 <= i < len(found.asks)]
    lab.log(asked=len(items), answered=len(given) - len(strays), strays=len(strays), dropped=list(answered.dropped))
    return replace(found, verdicts=tuple(given.get(number) for number in range(len(found.asks))))


@stage
def leave_unanswered(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Nobody answered: silence is Add."""
    return found


@stage
def settle(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Turn verdicts into decisions, and see that no stored fact gets two heirs."""
    decisions = list(found.decisions)
    for ask, verdict in zip(found.asks, found.verdicts, strict=True):
        decisions[ask.position] = decide.settle(ask, verdict, found.facts[ask.position], found.turn.occurred_at)
    settled = decide.one_heir(decisions)
    lab.log(
        decisions=[f"{d.action} ({d.why})" for d in settled if d is not None],
        verdict_invalid=sum(d is not None and d.why == "verdict_invalid" for d in settled),
    )
    return replace(found, decisions=settled)


def _neighbourhood(lab: Lab, key: str | None, fact: NewFact, k: int) -> tuple[list[Neighbour], list[Fact]]:
    if key is None:
        return [], []
    linked = lab.memory.linked(key)
    open_now = lab.memory.facts.live(as_of=_ALWAYS)[linked]
    closed = [lab.memory.fact_at(int(p)) for p in linked[~open_now]]
    positions = linked[open_now]
    matrix = lab.memory.facts.matrix
    if fact.vector is not None and matrix.shape[1]:
        cosines = np.atleast_1d(lab.embed.scale(matrix[positions] @ fact.vector))
    else:
        cosines = np.array([decide.lexical_likeness(fact.text, lab.memory.fact_at(int(p)).text) for p in positions])
    order = np.argsort(-cosines, kind="stable")
    words = normal(fact.text)
    chosen = [
        i for rank, i in enumerate(order) if rank < k or normal(lab.memory.facts.texts[int(positions[i])]) == words
    ]
    return [Neighbour(fact=lab.memory.fact_at(int(positions[i])), cosine=float(cosines[i])) for i in chosen], closed
