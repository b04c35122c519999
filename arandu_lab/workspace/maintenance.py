"""Looking after what is known, when an agent asks for it; nothing here runs by itself. One append each, and a fixed point:
done again without news, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import combinations

from arandu_lab.knowledge import HotItem, MemoryConflict, MemoryFact
from arandu_lab.memory.arguments import required, whole
from arandu_lab.pure.disagreement import Disagreement, disagreement, elsewhere
from arandu_lab.pure.grants import allows, effective
from arandu_lab.pure.memory_types import retained
from arandu_lab.pure.procedures import merged
from arandu_lab.pure.text import content_words, normal
from arandu_lab.pure.trust import mentioned
from arandu_lab.records import Vector
from arandu_lab.workspace.drafting import WHOLE, Proposal, akin, conflict, proposed, tie
from arandu_lab.workspace.granting import domains_meant
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.naming import named, tidy
from arandu_lab.workspace.results import Consolidated, FactResult, Harmonized, Merged
from arandu_lab.workspace.sheet import Sheet


class Maintenance(Ground):
    """Consolidating, harmonizing, and listing conflicts."""

    async def consolidate_memory(
        self, *, agent: str, session_id: str | None = None, role: str | None = None, dry_run: bool = False
    ) -> Consolidated:
        """Make facts of the hot tier (of one session or all), merge facts that say nearly the same, retire what has run out.

        A cosine nominates two facts of one domain and scope, and their words confirm: what differs in a number, a date, a name
        or a denial is never merged. Without vectors only the same words are.

        Raises:
            ConfigError: a blank agent, session or role.
        """
        required(agent=agent)
        named(session_id=session_id, role=role)
        agent, role = tidy(agent), tidy(role)
        waiting = [one for one in self.view.shelf(HotItem) if _waits(one, session_id)]
        vectors, failures = await self._vectors([one.text for one in waiting])
        known = dict(zip((one.id for one in waiting), vectors, strict=True))

        def draft(sheet: Sheet) -> Consolidated:
            pruned = _pruned(sheet)
            promoted, dropped = _promoted(sheet, session_id, known, agent, role)
            return Consolidated(
                promoted=promoted, dropped=dropped, merged=self._merged(sheet), pruned=pruned, failures=failures
            )

        return await self._unit("consolidate_memory", draft, by=agent, dry_run=dry_run, kind="job")

    async def harmonize_memory(
        self, *, agent: str, domain: str | None = None, repo: str | None = None, dry_run: bool = False
    ) -> Harmonized:
        """Settle beliefs that diverged: of live facts of different agents that contradict each other under one topic the one
        that prevails (confidence, times what is left of it) is kept, and a conflict row keeps both sides.

        What contradicts each other across scopes stays and is told (``elsewhere``). A repository alone is all its domains.

        Raises:
            ConfigError: a blank agent, or an unknown domain or repository.
        """
        required(agent=agent)
        agent = tidy(agent)

        def draft(sheet: Sheet) -> Harmonized:
            keys = domains_meant(sheet, domain, repo)
            topics: dict[tuple[str, str], list[MemoryFact]] = {}
            for fact in sheet.all(MemoryFact):
                if fact.live_at(sheet.now) and (keys is None or fact.domain_key in keys):
                    topics.setdefault((fact.domain, normal(fact.topic)), []).append(fact)
            return _harmonized(sheet, topics, agent)

        return await self._unit("harmonize_memory", draft, by=agent, dry_run=dry_run, kind="job")

    def list_memory_conflicts(
        self, *, domain: str | None = None, repo: str | None = None, role: str | None = None, limit: int = 50
    ) -> tuple[MemoryConflict, ...]:
        """The conflicts that were recorded, latest first; those of domains that the role may not read are left out.

        Raises:
            ConfigError: a blank role, an unknown domain or repository, or a limit below 1.
        """
        whole(1, limit=limit)
        named(role=role)
        role, sheet = tidy(role), self.sheet()
        keys = domains_meant(sheet, domain, repo)
        held = sheet.held
        found = [
            one
            for one in sheet.all(MemoryConflict)
            if (keys is None or one.domain_key in keys)
            and (role is None or allows(effective(held, role, one.domain_key), "search_memory"))
        ]
        return tuple(reversed(found))[:limit]

    def _merged(self, sheet: Sheet) -> tuple[Merged, ...]:
        done: list[Merged] = []
        while True:
            groups: dict[tuple[str, datetime | None], list[MemoryFact]] = {}
            for fact in sheet.all(MemoryFact):
                if fact.live_at(sheet.now):
                    groups.setdefault((fact.domain_key, fact.valid_until), []).append(fact)
            found = [one for facts in groups.values() for one in self._near(sheet, facts)]
            if not found:
                return tuple(done)
            done += found

    def _near(self, sheet: Sheet, facts: list[MemoryFact]) -> list[Merged]:
        if len(facts) < 2:
            return []
        texts, vectors = [one.content for one in facts], [one.vector for one in facts]
        groups = merged(texts, vectors, sheet.config.merge_threshold, scale=self.embed.scale)
        return [_joined(sheet, [facts[place] for place in group]) for group in groups]


def _waits(item: HotItem, session_id: str | None) -> bool:
    return item.promoted_to is None and item.dropped_at is None and session_id in (None, item.session_id)


def _pruned(sheet: Sheet) -> tuple[MemoryFact, ...]:
    """Facts that have run out, retired."""
    over = [
        fact
        for fact in sheet.all(MemoryFact)
        if fact.superseded_by is None and fact.retired_at is None and not fact.live_at(sheet.now)
    ]
    gone = tuple(replace(fact, retired_at=sheet.now, retired_why="expired") for fact in over)
    for fact in gone:
        sheet.put(fact)
    return gone


def _promoted(
    sheet: Sheet, session_id: str | None, vectors: Mapping[str, Vector | None], agent: str, role: str | None
) -> tuple[tuple[FactResult, ...], tuple[HotItem, ...]]:
    """The hot items as facts, in order of arrival; an item without a word is let go. Whose role is known is who asks."""
    promoted, dropped = [], []
    for item in list(sheet.all(HotItem)):
        if not _waits(item, session_id):
            continue
        topic = " ".join(content_words(item.text)[:2]) if item.topic is None else item.topic
        if not topic:
            gone = replace(item, dropped_at=sheet.now)
            sheet.put(gone)
            dropped.append(gone)
            continue
        domain = sheet.config.hot_domain if item.domain is None else item.domain
        said = Proposal(
            domain=domain,
            repo=item.repo,
            topic=topic,
            content=item.text,
            memory_type=sheet.config.memory_type(None, domain),
            veracity="inferred",
            agent=item.agent,
            role=role if item.agent == agent else None,
            vector=vectors.get(item.id),
        )
        done = proposed(sheet, said)
        sheet.put(replace(item, promoted_to=done.fact.id))
        promoted.append(done)
    return tuple(promoted), tuple(dropped)


def _joined(sheet: Sheet, facts: list[MemoryFact]) -> Merged:
    """The first takes the place of the others: as sure as the surest, and surer for each other mention."""
    kept, *others = facts
    confidence = max(one.confidence for one in facts)
    for one in others:
        confidence = mentioned(confidence, one.veracity, share=sheet.config.mention_share)
    told = [one.last_mentioned_at for one in facts if one.last_mentioned_at is not None]
    recalled = [one.last_recalled_at for one in facts if one.last_recalled_at is not None]
    now = replace(
        kept,
        confidence=confidence,
        mention_count=sum(one.mention_count for one in facts),
        recall_count=sum(one.recall_count for one in facts),
        last_mentioned_at=max(told, default=None),
        last_recalled_at=max(recalled, default=None),
        valid_from=min(one.valid_from for one in facts),
        source_observation_ids=tuple(dict.fromkeys(cited for one in facts for cited in one.source_observation_ids)),
    )
    gone = tuple(replace(one, superseded_by=kept.id, superseded_at=sheet.now) for one in others)
    for row in (now, *gone):
        sheet.put(row)
    tie(sheet, now, gone, superseded=[one.id for one in gone])
    return Merged(kept=now, gone=gone)


def _harmonized(sheet: Sheet, topics: Mapping[tuple[str, str], list[MemoryFact]], agent: str) -> Harmonized:
    conflicts: list[MemoryConflict] = []
    superseded: list[MemoryFact] = []
    apart: list[tuple[MemoryFact, MemoryFact]] = []
    for facts in topics.values():
        ranked = sorted(facts, key=lambda one: (-_weight(sheet, one), -_last(one).timestamp(), one.id))
        lost: set[str] = set()
        for kept, gave, found in _diverging(ranked):
            if kept.id in lost or gave.id in lost:
                continue
            lost.add(gave.id)
            after = replace(gave, superseded_by=kept.id, superseded_at=sheet.now)
            row = conflict(sheet, kept, gave, found.why, agent)
            sheet.put(after)
            sheet.put(row)
            tie(sheet, kept, [after], superseded=[after.id])
            conflicts.append(row)
            superseded.append(after)
        left = [one for one in facts if one.id not in lost]
        for one in left if len({one.repo for one in left}) > 1 else ():
            apart += [(one, other) for other, _ in elsewhere(one, left, sheet.now) if one.id < other.id]
    return Harmonized(conflicts=tuple(conflicts), superseded=tuple(superseded), elsewhere=tuple(apart))


def _diverging(ranked: list[MemoryFact]) -> Iterable[tuple[MemoryFact, MemoryFact, Disagreement]]:
    """Pairs of one scope and different agents that contradict each other, what prevails first.

    In a large topic only pairs that share words are read: what contradicts each other differs in a value.
    """
    said = {one.id: set(content_words(one.content)) for one in ranked} if len(ranked) > WHOLE else {}
    for one, other in combinations(ranked, 2):
        apart = one.repo == other.repo and one.proposed_by != other.proposed_by
        near = apart and (not said or akin(said[one.id], said[other.id]))
        if near and (found := disagreement(one.content, other.content, topic=one.topic)):
            yield one, other, found


def _weight(sheet: Sheet, fact: MemoryFact) -> float:
    return fact.confidence * retained(fact, sheet.now, table=sheet.config.table, use_gain=sheet.config.use_gain)


def _last(fact: MemoryFact) -> datetime:
    return fact.last_mentioned_at or fact.valid_from
