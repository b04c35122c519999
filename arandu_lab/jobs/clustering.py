"""Facts grouped by whom they are about, each group with a label and a summary (jobs document, clustering; J1, J3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arandu_lab.jobs.embedding import embed_concluded, leave_concluded
from arandu_lab.jobs.flow import Asked, Snapshot, Worked, ask_each, details, digest, digest_of, left, shown, usable
from arandu_lab.jobs.following import followed
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pure import clustering, ids, scoring
from arandu_lab.records import UNSTAMPED, Cluster, Fact, Skipped
from arandu_lab.store.times import micros
from arandu_lab.units import Cosine, Count, Days, Positive, Seconds


def job() -> Node:
    """``cluster_user_facts``."""
    return group_facts() >> ask_clusters() >> draft_clusters() >> embed_concluded().otherwise(leave_concluded())


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that make one cluster, oldest first, and the cluster that they continue.

    ``told`` is the question about them; ``made_from`` its digest: while that stays, nothing is asked. One that ``waits`` is
    asked about in a later run.
    """

    entity_key: str
    facts: tuple[Fact, ...]
    told: dict[str, Any]
    made_from: str
    before: Cluster | None = None
    waits: bool = False

    @property
    def news(self) -> bool:
        """Whether what the summary is made from has changed."""
        return digest_of(self.before) != self.made_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped(Snapshot):
    """The groups of an agent, in the order in which their entities were first told of; ``over``: clusters without facts."""

    groups: tuple[Group, ...] = ()
    over: tuple[Cluster, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(Grouped):
    """What a model said of each group with news, in their order."""

    answers: tuple[Asked, ...] = ()


@stage
def group_facts(
    snapshot: Snapshot,
    lab: Lab,
    *,
    cluster_max_age_days: Days,
    profile_max_facts: Count,
    profile_language: str,
    least_facts: Positive = 2,
    topics_from: Count = 0,
    topic_similarity: Cosine = 0.5,
) -> Grouped:
    """Group what holds at ``lab.now`` and was said in the last ``cluster_max_age_days``, by entity (its key bears its type).

    Fewer than ``least_facts`` make no cluster: one fact alone says what its summary would. An entity with ``topics_from``
    facts and more (0: none) is parted into topics by the likeness of its facts; what is in no topic lies together.
    A group continues the cluster with which it shares most facts; a cluster that no group continues is over.
    """
    memory, facts = lab.memory, lab.memory.facts
    said = np.maximum(facts.valid_from, facts.last_confirmed)
    recent = scoring.days(micros(lab.now), said) <= cluster_max_age_days
    places = np.flatnonzero(facts.live(as_of=lab.now) & ~facts.stale & recent)
    codes = facts.entity_codes[places]
    standing: dict[str | None, list[Cluster]] = {}
    for cluster in memory.clusters():
        if cluster.invalidated_at is None:
            standing.setdefault(cluster.entity_key, []).append(cluster)
    groups: list[Group] = []
    over: list[Cluster] = []
    for mine in _by(places, codes):
        key = facts.entity_keys[facts.entity_codes[mine[0]]]
        parts = [
            part for part in _parts(lab, mine, topics_from, topic_similarity, least_facts) if len(part) >= least_facts
        ]
        told = [tuple(sorted(map(memory.fact_at, part.tolist()), key=_age)) for part in parts]
        before = standing.pop(key, [])
        ids_of = [[one.id for one in some] for some in told]
        follows, gone = followed(ids_of, [one.fact_ids for one in before], of_one=True)
        over += [before[place] for place in gone]
        for some, place in zip(told, follows, strict=True):
            question = _question(lab, key, some, profile_max_facts, profile_language)
            groups.append(Group(key, some, question, digest(question), None if place is None else before[place]))
    over += [cluster for some in standing.values() for cluster in some]
    lab.log(groups=len(groups), with_news=sum(group.news for group in groups), over=len(over))
    return Grouped(agent_id=snapshot.agent_id, groups=tuple(groups), over=tuple(over))


@stage
async def ask_clusters(grouped: Grouped, lab: Lab, *, job_timeout_sec: Seconds, cluster_batch: Positive = 50) -> Summed:
    """One question for each group with news, those with most facts first; more than ``cluster_batch`` wait for the next run."""
    due = sorted((one for one in grouped.groups if one.news), key=lambda one: -len(one.facts))[cluster_batch:]
    waiting = {id(one) for one in due}
    groups = tuple(replace(one, waits=id(one) in waiting) for one in grouped.groups)
    inputs = [group.told for group in groups if group.news and not group.waits]
    answers = await ask_each(lab, job_tasks.cluster(), inputs, timeout=job_timeout_sec)
    return Summed(agent_id=grouped.agent_id, groups=groups, over=grouped.over, answers=answers)


@stage
def draft_clusters(summed: Summed, lab: Lab) -> Worked:
    """Write down what was answered. A cluster whose question failed stays as it was; one without facts is withdrawn."""
    rows: list[Cluster] = []
    skipped: list[Skipped] = []
    taken = {row.id for row in lab.memory.clusters() if row.invalidated_at is None}
    created = reinforced = assigned = 0
    answers = iter(summed.answers)
    for group in summed.groups:
        if group.waits:
            skipped.append(left(f"cluster of {group.told['name']}", "it waits for the next run"))
            continue
        row, why = (_kept(group), "") if not group.news else _made(summed.agent_id, group, next(answers), taken)
        if row is None:
            skipped.append(left(f"cluster of {group.told['name']}", why))
            continue
        rows.append(row)
        assigned += len(group.facts)
        created += group.before is None
        reinforced += group.before is not None and group.news
    gone = [replace(cluster, invalidated_at=UNSTAMPED) for cluster in summed.over]
    counts = (
        ("clusters_created", created),
        ("clusters_reinforced", reinforced),
        ("summaries_generated", created + reinforced),
        ("facts_assigned", assigned),
    )
    idle = None if summed.groups or gone else "no entity has facts enough to group"
    return Worked(agent_id=summed.agent_id, rows=(*rows, *gone), skipped=tuple(skipped), counts=counts, idle=idle)


def _parts(lab: Lab, places: Any, topics_from: int, threshold: float, least: int) -> list[Any]:
    """The positions of one entity's facts in groups: all together, or by topic, what is alone in a group of its own."""
    if not topics_from or len(places) < topics_from or not lab.memory.facts.matrix.shape[1]:
        return [places]
    topical, rest = places[-_MOST_IN_TOPICS:], [places[:-_MOST_IN_TOPICS]]
    labels = clustering.topics(lab.memory.facts.matrix[topical], threshold, scale=lab.embed.scale)
    parts = [topical[labels == label] for label in range(int(labels.max()) + 1)]
    rest += [part for part in parts if len(part) < least]
    return [*(part for part in parts if len(part) >= least), np.sort(np.concatenate(rest))]


def _by(places: Any, codes: Any) -> list[Any]:
    """Positions, ascending, in groups of equal code; the groups in the order of their first position."""
    order = np.argsort(codes, kind="stable")
    groups = np.split(places[order], np.flatnonzero(np.diff(codes[order])) + 1)
    return sorted((group for group in groups if len(group)), key=lambda group: int(group[0]))


def _question(lab: Lab, key: str, facts: tuple[Fact, ...], most: int, language: str) -> dict[str, Any]:
    """What a model is shown: of many facts the most important, then the newest, in order of time."""
    entity = lab.memory.entity(key)
    best = sorted(facts, key=lambda one: (-one.importance, -one.valid_from.timestamp(), one.id))[:most]
    return {
        "name": facts[-1].entity_name if entity is None else entity.name,
        "type": key.partition(":")[0] if entity is None else entity.type,
        "facts": shown(sorted(best, key=_age)),
        "language": language,
    }


def _made(agent_id: str, group: Group, asked: Asked, taken: set[str]) -> tuple[Cluster | None, str]:
    """The cluster with its new label and summary; None and the reason where there is no usable answer."""
    summary, why = usable(None if asked.answer is None else asked.answer.summary)
    if not summary:
        return None, asked.why or why
    label = usable(asked.answer.label)[0] or str(group.told["name"])
    row_id = (
        ids.derive("cluster", agent_id, group.entity_key, group.made_from) if group.before is None else group.before.id
    )
    while group.before is None and row_id in taken:
        row_id = ids.derive(row_id)
    taken.add(row_id)
    return Cluster(
        id=row_id,
        agent_id=agent_id,
        label=label,
        summary=summary,
        fact_ids=tuple(fact.id for fact in group.facts),
        recorded_at=UNSTAMPED,
        entity_key=group.entity_key,
        details=details(group.made_from),
    ), ""


def _kept(group: Group) -> Cluster:
    """The cluster as it was, over the facts of now: what its summary is made from is the same."""
    assert group.before is not None
    return replace(group.before, fact_ids=tuple(fact.id for fact in group.facts))


def _age(fact: Fact) -> tuple[float, str]:
    return fact.valid_from.timestamp(), fact.id


_MOST_IN_TOPICS = 2000
"""The newest facts of an entity that are parted by topic: time and room grow with the square."""
