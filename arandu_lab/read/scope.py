"""Stage 2a of reading: which rows may answer at all, decided once for every signal."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.pure import scoring
from arandu_lab.read.found import Plan, Scoped
from arandu_lab.units import Days, Share


@stage
def scope(
    plan: Plan, lab: Lab, *, min_confidence: Share, confidence_half_life_days: Days, confidence_floor: Share
) -> Scoped:
    """Open the rows that held at ``as_of``, mention an entity asked for, and are (after decay) confident enough.

    A question about now opens statements about the past too ("lived in Recife from March to May 2024"): told with an end
    that had passed, they are as true as on their day, and their line shows the interval. What was told with an end that
    lay ahead holds until then and no longer (E10, E14). A past time that the question names (``plan.period``) opens what
    held at some moment of it.
    What is marked as stale answers no question about now; about the past it tells as ever (J5). A skipped question opens none.
    Turns are open when they had been said by ``as_of``.
    """
    facts, events = lab.memory.facts, lab.memory.events
    size = len(facts.confidence)
    confirmed = facts.valid_from if plan.historical else np.maximum(facts.valid_from, facts.last_confirmed)
    age = scoring.days(plan.now_us, confirmed)
    confidence = scoring.confidence(facts.confidence, age, confidence_half_life_days, confidence_floor)
    asked = plan.strategy != "skip"
    live = facts.live(as_of=plan.as_of, known_at=plan.query.known_at)
    live = live if plan.historical else (live | facts.recounted) & ~facts.stale
    if plan.period is not None:
        held = facts.touching(*plan.period, known_at=plan.query.known_at) & ~live
        live, confidence = live | held, np.where(held, facts.confidence, confidence)  # what held then has not aged
    live = live & asked
    within = _within(plan, lab, size)
    confident = confidence >= min_confidence
    scoped = Scoped(
        **{part.name: getattr(plan, part.name) for part in fields(plan)},
        live=live,
        within=within,
        confident=confident,
        open=live & within & confident,
        turns=(events.occurred_at <= plan.now_us) & asked,
        confidence=confidence,
    )
    lab.log(live=int(live.sum()), open=int(scoped.open.sum()))
    return scoped


def _within(plan: Plan, lab: Lab, size: int) -> Mask:
    if plan.query.entity_keys is None:
        return np.ones(size, dtype=np.bool_)
    mask = np.zeros(size, dtype=np.bool_)
    for key in plan.query.entity_keys:
        mask[lab.memory.linked(key)] = True
    return mask
