"""What is said twice becomes one: a cosine nominates, words confirm, the later is closed and the earlier is heard once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arandu_lab.jobs.drafted import grown, holding
from arandu_lab.jobs.flow import Worked, left
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import procedures, versions
from arandu_lab.pure.contradictions import contradictions
from arandu_lab.pure.reviewing import DISTILLED
from arandu_lab.pure.text import normal
from arandu_lab.records import MIRROR, UNSTAMPED, Fact, Link, Relationship, Row, Skipped
from arandu_lab.units import Cosine, Share

EPISODE = "specific_event"
_LESS_THAN_TOLD = (DISTILLED, "supposed_by_assistant", "said_by_assistant")
_FEW = 10


@stage
def merge_repeated(worked: Worked, lab: Lab, *, semantic_dedup_threshold: Cosine, most_merged: Share = 0.20) -> Worked:
    """Close facts that say what an earlier one about the same entity says (``closed_by = "duplicate"``).

    What somebody told stays rather than what was distilled or supposed, else the earlier. The one that stays is heard once
    more, rests where the other rested, and takes over its links, its edges and what rests on it. Never merged: sides of a
    contradiction that stands (A19) or that is seen here, what is in doubt, mirrors of edges, and what was told with
    other dates or, of an episode, on other days.

    Where more than ``most_merged`` of all that holds (and more than ten facts) would go, nothing is merged, and ``left``
    says so: so much repetition is a fault somewhere (J11).
    """
    held = holding(worked, lab)
    disputed = {
        fact_id
        for row in lab.memory.observations()
        if row.kind == "contradiction" and row.invalidated_at is None
        for fact_id in row.evidence_ids
    }
    merging = _Merging(worked, lab, held)
    pairs = list(_pairs(held, disputed, lab, semantic_dedup_threshold))
    if len(pairs) > max(_FEW, most_merged * len(held)):
        why = f"{len(pairs)} of {len(held)} facts would be closed as repetitions: more than {most_merged:.0%} looks like a fault"
        return grown(worked, (), {}, (left("repetitions", why),))
    for kept, later in pairs:
        merging.merge(kept, later)
    return grown(worked, merging.rows(), {"merges_executed": len(pairs)})


@stage
def drop_repeated(worked: Worked, lab: Lab, *, semantic_dedup_threshold: Cosine) -> Worked:
    """Leave out new facts of this unit that say what a fact of before, or an earlier one of the unit, says already."""
    fresh = {row.id for row in worked.rows if isinstance(row, Fact) and lab.memory.fact(row.id) is None}
    if not fresh:
        return worked
    held = holding(worked, lab)
    gone: dict[str, Fact] = {}
    for key in dict.fromkeys(one.entity_key for one in held if one.id in fresh):
        mine = [one for one in held if one.entity_key == key]
        for group in _groups(mine, lab, semantic_dedup_threshold):
            gone.update((one.id, one) for one in group[1:] if one.id in fresh)
    if not gone:
        return worked
    rows = tuple(
        row for row in worked.rows if getattr(row, "id", None) not in gone and getattr(row, "fact_id", None) not in gone
    )
    figures = dict(worked.counts)
    figures["facts_distilled"] = figures.get("facts_distilled", 0) - len(gone)
    skipped: list[Skipped] = [left(one.text, "it is said already") for one in gone.values()]
    return replace(worked, rows=rows, counts=tuple(figures.items()), skipped=(*worked.skipped, *skipped))


def _pairs(held: Sequence[Fact], disputed: set[str], lab: Lab, threshold: float) -> Iterator[tuple[Fact, Fact]]:
    """Which fact is to be closed for which."""
    of_entity: dict[str, list[Fact]] = {}
    for one in held:
        if one.id not in disputed and one.source_context != MIRROR and one.stale_why != "premise":
            of_entity.setdefault(one.entity_key, []).append(one)
    for mine in of_entity.values():
        for group in _groups(mine, lab, threshold):
            if contradictions(group):
                continue
            kept, *others = sorted(group, key=lambda one: one.source_context in _LESS_THAN_TOLD)
            yield from ((kept, one) for one in others)


def _groups(facts: Sequence[Fact], lab: Lab, threshold: float) -> Iterator[list[Fact]]:
    """Facts of one entity that say the same, in the order given; only among those told with the same dates."""
    alike: dict[object, list[Fact]] = {}
    for place in _nominated(facts, lab, threshold):
        one = facts[place]
        day = one.valid_from.date() if one.granularity or one.category == EPISODE else None
        alike.setdefault((one.granularity, day, one.event_time, one.valid_to), []).append(one)
    for some in alike.values():
        texts, vectors = [one.text for one in some], [one.vector for one in some]
        subject = some[0].entity_name
        for group in procedures.merged(texts, vectors, threshold, subject=subject, scale=lab.embed.scale):
            yield [some[place] for place in sorted(group)]


def _nominated(facts: Sequence[Fact], lab: Lab, threshold: float) -> list[int]:
    """Places of facts that another one is near to, or says in the same words; what is near to none need not be compared."""
    said: dict[str, list[int]] = {}
    for place, one in enumerate(facts):
        said.setdefault(normal(one.text), []).append(place)
    near = {place for places in said.values() if len(places) > 1 for place in places}
    embedded = [place for place, one in enumerate(facts) if one.vector is not None]
    if len(embedded) > 1:
        matrix = np.stack([vector for place in embedded if (vector := facts[place].vector) is not None])
        for start in range(0, len(matrix), _BLOCK):
            cosines = np.asarray(lab.embed.scale(matrix[start : start + _BLOCK] @ matrix.T))
            rows, others = np.nonzero(cosines >= threshold)
            near |= {
                embedded[start + row]
                for row, other in zip(rows.tolist(), others.tolist(), strict=True)
                if start + row != other
            }
    return sorted(near)


_BLOCK = 512


class _Merging:
    """Rows as they become, when one fact after the other goes into another."""

    def __init__(self, worked: Worked, lab: Lab, held: Sequence[Fact]) -> None:
        self.lab, self.agent_id = lab, worked.agent_id
        self.held = {one.id: one for one in held}
        self.facts: dict[str, Fact] = {}
        self.edges: dict[str, Relationship] = {}
        self.links: dict[tuple[str, str], Link] = {}
        drafted = {row.id: row for row in worked.rows if isinstance(row, Relationship)}
        self.resting: dict[str, dict[str, None]] = {}
        self.borne: dict[str, dict[str, None]] = {}
        for one in held:
            for premise in one.premise_ids:
                self.resting.setdefault(premise, {})[one.id] = None
        for edge in lab.memory.edges():
            if edge.valid_to is None:
                edge = drafted.get(edge.id, edge)
                for fact_id in edge.evidence_fact_ids:
                    self.borne.setdefault(fact_id, {})[edge.id] = None
                self.edges[edge.id] = edge
        self.before = dict(self.edges)

    def merge(self, kept: Fact, later: Fact) -> None:
        stays, goes = self._now(kept.id), self._now(later.id)
        heard = versions.confirmed(stays, goes.last_confirmed_at or goes.valid_from)
        rests = (*stays.premise_ids, *goes.premise_ids) if stays.source_context == DISTILLED else stays.premise_ids
        self.facts[kept.id] = replace(
            heard,
            reinforcement_count=heard.reinforcement_count + goes.reinforcement_count,
            times_retrieved=stays.times_retrieved + goes.times_retrieved,
            last_retrieved_at=max(filter(None, (stays.last_retrieved_at, goes.last_retrieved_at)), default=None),
            user_correction_count=max(stays.user_correction_count, goes.user_correction_count),
            premise_ids=tuple(i for i in dict.fromkeys(rests) if i not in (kept.id, later.id)),
            stale_since=stays.stale_since,  # whether it is stale still is for its vitality to say
            stale_why=stays.stale_why,
        )
        self.facts[later.id] = versions.closed(goes, self.lab.now, "duplicate")
        for fact_id in self.resting.pop(later.id, {}):
            if fact_id != kept.id:
                above = self._now(fact_id)
                moved = dict.fromkeys(kept.id if i == later.id else i for i in above.premise_ids)
                if self._rests(kept.id, fact_id):
                    moved.pop(kept.id, None)  # else each would rest on the other
                self.facts[fact_id] = replace(above, premise_ids=tuple(i for i in moved if i != fact_id))
                self.resting.setdefault(kept.id, {})[fact_id] = None
        for edge_id in self.borne.get(later.id, {}):
            edge = self.edges[edge_id]
            self.edges[edge_id] = replace(
                edge, evidence_fact_ids=tuple(dict.fromkeys((*edge.evidence_fact_ids, kept.id)))
            )
            self.borne.setdefault(kept.id, {})[edge_id] = None
        known = set(self.lab.memory.keys_of(kept.id))
        for key in self.lab.memory.keys_of(later.id):
            if key not in known:
                link = Link(
                    fact_id=kept.id, agent_id=self.agent_id, entity_key=key, primary=False, recorded_at=UNSTAMPED
                )
                self.links[kept.id, key] = link

    def _rests(self, fact_id: str, on: str) -> bool:
        """Whether a fact rests on another through whatever chain."""
        queue, seen = [fact_id], set[str]()
        while queue:
            one = self.facts.get(fact := queue.pop()) or self.held.get(fact)
            below = set(one.premise_ids) - seen if one is not None else set()
            if on in below:
                return True
            seen |= below
            queue += below
        return False

    def _now(self, fact_id: str) -> Fact:
        return self.facts.get(fact_id) or self.held[fact_id]

    def rows(self) -> list[Row]:
        changed = [edge for edge_id, edge in self.edges.items() if edge != self.before[edge_id]]
        return [*self.facts.values(), *changed, *self.links.values()]
