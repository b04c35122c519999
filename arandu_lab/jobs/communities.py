"""Themes across entities: clusters that mean nearly the same, joined (jobs document, communities; J3, J8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arandu_lab.jobs.embedding import embed_concluded, leave_concluded
from arandu_lab.jobs.flow import Asked, Snapshot, Worked, ask_each, details, digest, digest_of, left, usable
from arandu_lab.jobs.following import followed
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pure import clustering, ids
from arandu_lab.records import UNSTAMPED, Cluster, Observation, Skipped
from arandu_lab.units import Cosine, Positive, Seconds

KIND = "community_theme"


def job() -> Node:
    """``detect_communities``."""
    return join_clusters() >> ask_themes() >> draft_themes() >> embed_concluded().otherwise(leave_concluded())


@dataclass(frozen=True, slots=True)
class Community:
    """Clusters that a chain of likeness joins, the largest first; ``evidence`` are their facts that hold now.

    ``likeness`` is the mean cosine of its pairs, 0 to 1. ``told`` and ``made_from`` as in ``clustering.Group``.
    """

    evidence: tuple[str, ...]
    clusters: int
    likeness: float
    told: dict[str, Any]
    made_from: str
    before: Observation | None = None

    @property
    def news(self) -> bool:
        """Whether what the theme is made from has changed."""
        return digest_of(self.before) != self.made_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Snapshot):
    """The communities of an agent's clusters; ``over``: themes that no community continues; ``alone``: why there are none."""

    communities: tuple[Community, ...] = ()
    over: tuple[Observation, ...] = ()
    alone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Themed(Joined):
    """What a model said of each community with news, in their order."""

    answers: tuple[Asked, ...] = ()


@stage
def join_clusters(
    snapshot: Snapshot,
    lab: Lab,
    *,
    community_similarity_threshold: Cosine,
    profile_language: str,
    most_clusters: Positive = 20,
) -> Joined:
    """Join the clusters whose vectors lie at ``community_similarity_threshold`` or above, on the documented scale.

    A cluster without a vector, or of whose facts none holds at ``lab.now``, takes no part. A model is shown at most
    ``most_clusters`` of a community.
    """
    memory = lab.memory
    held = memory.facts.live(as_of=lab.now)

    def holds(fact_id: str) -> bool:
        place = memory.fact_position(fact_id)
        return place is not None and bool(held[place])

    every = [one for one in memory.clusters() if one.invalidated_at is None and one.vector is not None]
    alive = {one.id: tuple(filter(holds, one.fact_ids)) for one in every}
    clusters = [one for one in every if alive[one.id]]
    vectors = np.asarray([one.vector for one in clusters])
    found: list[list[int]] = []
    if len(clusters) > 1:
        found = clustering.communities(vectors, community_similarity_threshold, scale=lab.embed.scale)
    made = [
        _community(lab, [clusters[place] for place in group], vectors[group], alive, profile_language, most_clusters)
        for group in found
    ]
    before = [one for one in memory.observations() if one.kind == KIND and one.invalidated_at is None]
    follows, gone = followed([one.evidence for one in made], [one.evidence_ids for one in before])
    made = [
        one if place is None else replace(one, before=before[place]) for one, place in zip(made, follows, strict=True)
    ]
    lab.log(clusters=len(clusters), communities=len(made), with_news=sum(one.news for one in made), over=len(gone))
    alone = "" if made or gone else "no clusters yet" if len(clusters) < 2 else "no two clusters are near each other"
    over = tuple(before[place] for place in gone)
    return Joined(agent_id=snapshot.agent_id, communities=tuple(made), over=over, alone=alone)


@stage
async def ask_themes(joined: Joined, lab: Lab, *, job_timeout_sec: Seconds) -> Themed:
    """One question for each community with news."""
    inputs = [one.told for one in joined.communities if one.news]
    answers = await ask_each(lab, job_tasks.theme(), inputs, timeout=job_timeout_sec)
    return Themed(
        agent_id=joined.agent_id, communities=joined.communities, over=joined.over, alone=joined.alone, answers=answers
    )


@stage
def draft_themes(themed: Themed, lab: Lab) -> Worked:
    """Write down what was answered. A theme whose question failed stays as it was; one that is no more is withdrawn."""
    rows: list[Observation] = []
    skipped: list[Skipped] = []
    taken = {row.id for row in lab.memory.observations() if row.invalidated_at is None}
    created = reinforced = 0
    answers = iter(themed.answers)
    for one in themed.communities:
        row, why = (_kept(one), "") if not one.news else _made(themed.agent_id, one, next(answers), taken)
        if row is None:
            skipped.append(left(f"theme of {', '.join(told['label'] for told in one.told['clusters'][:3])}", why))
            continue
        rows.append(row)
        created += one.before is None
        reinforced += one.before is not None and one.news
    gone = [replace(row, invalidated_at=UNSTAMPED) for row in themed.over]
    counts = (
        ("communities_created", created),
        ("communities_reinforced", reinforced),
        ("clusters_in_communities", sum(one.clusters for one in themed.communities)),
    )
    return Worked(
        agent_id=themed.agent_id,
        rows=(*rows, *gone),
        skipped=tuple(skipped),
        counts=counts,
        idle=themed.alone or None,
    )


def _community(
    lab: Lab, clusters: list[Cluster], vectors: Any, alive: dict[str, tuple[str, ...]], language: str, most: int
) -> Community:
    n = len(clusters)
    total = vectors.sum(axis=0, dtype=np.float64)
    mean = (float(total @ total) - n) / (n * (n - 1))
    largest = sorted(clusters, key=lambda one: (-len(alive[one.id]), one.id))[:most]
    told = [{"i": i, "label": one.label, "summary": one.summary} for i, one in enumerate(largest)]
    question = {"clusters": told, "language": language}
    return Community(
        evidence=tuple(dict.fromkeys(fact for one in clusters for fact in alive[one.id])),
        clusters=n,
        likeness=round(min(1.0, max(0.0, float(lab.embed.scale(mean)))), 3),
        told=question,
        made_from=digest(question),
    )


def _made(agent_id: str, one: Community, asked: Asked, taken: set[str]) -> tuple[Observation | None, str]:
    """The theme as it is now; None and the reason where there is no usable answer."""
    summary, why = usable(None if asked.answer is None else asked.answer.summary)
    if not summary:
        return None, asked.why or why
    label = usable(asked.answer.label)[0]
    row_id = ids.derive(KIND, agent_id, one.made_from) if one.before is None else one.before.id
    while one.before is None and row_id in taken:
        row_id = ids.derive(row_id)
    taken.add(row_id)
    return Observation(
        id=row_id,
        agent_id=agent_id,
        kind=KIND,
        text=f"{label}: {summary}" if label else summary,
        confidence=one.likeness,
        evidence_ids=one.evidence,
        recorded_at=UNSTAMPED,
        details=details(one.made_from),
    ), ""


def _kept(one: Community) -> Observation:
    """The theme as it was, over the facts of now: what it is made from is the same."""
    assert one.before is not None
    return replace(one.before, evidence_ids=one.evidence)
