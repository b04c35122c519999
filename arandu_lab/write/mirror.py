"""Mirror facts: a relation that no fact states gets one, so that it can be found and can fall (write document, stage 4)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import ids
from arandu_lab.pure.names import shown
from arandu_lab.pure.relations import sentence
from arandu_lab.pure.text import guess_language, ident, normal
from arandu_lab.records import MIRROR, NewFact, NewRelation, Resolution, Resolved
from arandu_lab.units import Share


@stage
def mirror_facts(resolution: Resolution, lab: Lab, *, mirror_confidence: Share) -> Resolution:
    """For each relation look for a fact that names both ends: new facts first, then stored ones, else make one.

    A relation leaves with the ids of the facts it rests on where no new fact of the message says it. The mirror reads
    "{source} {relation} {target}" in the language of the message, has ``mirror_confidence`` and ``source_context``
    ``inferred_from_relation``, and goes through reconciliation like any fact (W18).
    """
    keys = {ident(r.name): r for r in resolution.resolved}
    names: dict[str, set[str]] = {}
    for r in resolution.resolved:
        if r.key:
            names.setdefault(r.key, set()).update(map(normal, (r.name, shown(r, resolution.turn.speaker), *r.aliases)))
    for folded, owners in lab.memory.aliases().items():
        for key in owners:
            if key in names:
                names[key].add(folded)
    language = guess_language(resolution.said)
    mirrors: list[NewFact] = []
    relations = []
    for relation in resolution.relations:
        source, target = (keys.get(ident(name)) for name in (relation.source, relation.target))
        if source is None or target is None or source.key == target.key or not (source.key and target.key):
            relations.append(relation)
            continue
        if any(_says(fact.text, names[source.key], names[target.key]) for fact in resolution.facts):
            relations.append(relation)
            continue
        held = _stored(lab, source.key, target.key, relation)
        if held:
            relations.append(replace(relation, evidence=held))
            continue
        place = len(resolution.facts) + len(mirrors)
        relations.append(replace(relation, evidence=(ids.fact_id(resolution.turn.event_id, place),)))
        from_, to = (_name(lab, end, resolution.turn.speaker) for end in (source, target))
        mirrors.append(
            NewFact(
                subject=relation.source,
                text=sentence(from_, relation.type, to, language),
                confidence=mirror_confidence,
                category="unknown",
                importance=0.5,
                source_context=MIRROR,
            )
        )
    lab.log(mirrors=[fact.text for fact in mirrors])
    return replace(resolution, facts=(*resolution.facts, *mirrors), relations=tuple(relations))


def _name(lab: Lab, end: Resolved, speaker: str) -> str:
    held = lab.memory.entity(str(end.key)) if end.how in ("speaker", "relationship_term") else None
    return held.name if held is not None else shown(end, speaker)


def _says(text: str, *ends: set[str]) -> bool:
    folded = f" {normal(text)} "
    return all(any(f" {name} " in folded for name in names if name) for names in ends)


def _stored(lab: Lab, source: str, target: str, relation: NewRelation) -> tuple[str, ...]:
    """Ids of open facts linked to both ends that an open edge of this type already rests on."""
    resting = {
        fact_id
        for edge in lab.memory.edges(source, as_of=lab.now)
        if edge.source_key == source and edge.target_key == target and edge.rel_type == relation.type
        for fact_id in edge.evidence_fact_ids
    }
    live = lab.memory.facts.live(as_of=lab.now)
    both = np.intersect1d(lab.memory.linked(source), lab.memory.linked(target))
    held = [lab.memory.fact_at(int(position)) for position in both if live[position]]
    return tuple(fact.id for fact in held if fact.id in resting)
