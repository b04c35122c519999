"""Which facts have sunk below use, and which have come back: vitality reckoned for everything that holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arandu_lab.jobs.distilling import ahead
from arandu_lab.jobs.drafted import grown, holding
from arandu_lab.jobs.flow import Worked
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.vitality import of_facts, stale, vitality
from arandu_lab.records import Fact
from arandu_lab.store.times import micros
from arandu_lab.units import Days, Share


@stage
def weigh(
    worked: Worked,
    lab: Lab,
    *,
    vitality_half_life_days: Days,
    vitality_stale_threshold: Share,
    vitality_keep_importance: Share,
) -> Worked:
    """Mark what holds at ``lab.now`` and has a vitality below the threshold; unmark what was marked so and has it no more.

    Never marked: what is of ``vitality_keep_importance`` and above, statements about the past, and plans that lie ahead. A
    mark of doubt (``premise``) is not touched. It comes last, so that what was merged or distilled in this run counts.
    """
    memory, facts = lab.memory, lab.memory.facts
    places = np.flatnonzero(facts.live(as_of=lab.now))
    now = micros(lab.now)
    used = np.maximum(np.maximum(facts.last_retrieved, facts.last_confirmed), facts.valid_from)[places]
    scores = vitality(
        facts.retrieved[places].astype(np.float64),
        scoring.days(now, used),
        facts.confidence[places],
        facts.reinforcement[places].astype(np.float64),
        facts.corrections[places].astype(np.float64),
        np.zeros(len(places), dtype=np.bool_),
        vitality_half_life_days,
    )
    sunk = stale(scores, facts.importance[places], vitality_stale_threshold, vitality_keep_importance)
    sunk &= ~facts.recounted[places]
    marked = facts.stale[places]
    drafted = {row.id for row in worked.rows if isinstance(row, Fact)}
    looked = [memory.fact_at(int(place)) for place in places[sunk != marked]]
    verdicts = [(one, one.stale_since is None) for one in looked if one.id not in drafted]
    fresh = [one for one in holding(worked, lab) if one.id in drafted] if drafted else []
    low = stale(
        of_facts(fresh, lab.now, vitality_half_life_days),
        np.array([one.importance for one in fresh], dtype=np.float64),
        vitality_stale_threshold,
        vitality_keep_importance,
    )
    verdicts += [(one, bool(down)) for one, down in zip(fresh, low, strict=True)]
    today = lab.now.date().isoformat()
    rows = [after for one, down in verdicts if (after := _marked(one, down and not ahead(one, today), lab)) != one]
    down = sum(one.stale_since is not None for one in rows)
    new = sum(one.id in drafted and memory.fact(one.id) is None for one in fresh)
    counts = {"facts_scored": len(places) + new, "facts_marked_stale": down, "facts_unmarked": len(rows) - down}
    lab.log(scored=len(places) + new, marked=down, unmarked=len(rows) - down)
    return grown(worked, rows, counts)


def _marked(fact: Fact, sunk: bool, lab: Lab) -> Fact:
    """The fact with the mark that its vitality gives it."""
    if fact.stale_why == "premise":
        return fact
    if sunk:
        return fact if fact.stale_since is not None else replace(fact, stale_since=lab.now, stale_why="vitality")
    return replace(fact, stale_since=None, stale_why=None)
