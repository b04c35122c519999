"""Stage 3 of reading: spreading activation, from the best facts along live edges to facts that nobody asked for."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.graph import walk
from arandu_lab.read.found import Candidates, in_order
from arandu_lab.read.rows import rows, signals
from arandu_lab.read.table import Table
from arandu_lab.units import Count, Positive, Share


@stage
def spread(
    found: Candidates,
    lab: Lab,
    *,
    spreading_activation_hops: Count,
    spreading_decay_factor: Share,
    spreading_facts_per_entity: Count,
    spreading_max_related_entities: Count,
    spreading_seeds: Positive = 5,
    spreading_min_activation: Share = 0.05,
) -> Candidates:
    """Add the best facts of entities near the best candidates, with every signal and the activation that reached them.

    Activation is the seed's formula score times ``decay ** hops``; where less than ``spreading_min_activation`` would
    arrive, nobody goes. It nominates and fills its own column ``spread``; in the formula it counts as graph evidence,
    under the weight of ``graph``, so that a far fact never overtakes by hops alone.
    """
    spent = {"spreading_candidates_returned": 0, "spreading_candidates_unique": 0}
    seeds = found.table.head(spreading_seeds)
    if not spreading_activation_hops or not len(seeds):
        lab.log(**spent)
        return found
    facts, plan = lab.memory.facts, found.plan
    best_seed: dict[str, float] = {}
    for key, formula in zip(seeds["entity_key"].tolist(), seeds["formula"].tolist(), strict=True):
        best_seed[key] = max(formula, best_seed.get(key, 0.0))
    active: dict[str, float] = {}
    for key, formula in best_seed.items():
        reached = walk(
            [key],
            lambda other: lab.memory.edges(other, as_of=plan.as_of, known_at=plan.query.known_at),
            spreading_activation_hops,
            fan_out=spreading_max_related_entities,
        )
        for reach in reached.values():
            arrives = scoring.spreading(formula, reach.hop, spreading_decay_factor)
            if reach.hop and arrives >= spreading_min_activation:
                active[reach.key] = max(arrives, active.get(reach.key, 0.0))
    linked = {key: lab.memory.linked(key) for key in active}
    near = {key: places[plan.open[places]] for key, places in linked.items()}
    every = scoring.distinct(list(near.values()), len(plan.open))
    merit = np.zeros(len(plan.open))
    merit[every] = signals(every, plan, found.voices, found.weighing, lab)["formula"]
    activation: dict[int, float] = {}
    for key, places in near.items():
        best = scoring.best(places, merit, spreading_facts_per_entity, times=facts.valid_from, ids=facts.ids)
        for place in best.tolist():
            activation[place] = max(active[key], activation.get(place, 0.0))
    held = set(found.table["position"].tolist())
    new = np.asarray(sorted(place for place in activation if place not in held), dtype=np.int64)
    lab.log(spreading_candidates_returned=len(activation), spreading_candidates_unique=len(new))
    if not len(new):
        return found
    arrived = np.asarray([activation[place] for place in new.tolist()])
    added = rows(new, signals(new, plan, found.voices, found.weighing, lab, arrived), lab)
    return found.having(in_order(Table.over([found.table, added]), "formula"))
