"""What agents write: facts and policies, and what replaces them. One append each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import MemoryFact, MemoryPolicy, domain_key
from arandu_lab.memory.arguments import listed, required
from arandu_lab.pure.steering import LOW, set_apart
from arandu_lab.pure.text import normal
from arandu_lab.workspace.drafting import proposed, same_words
from arandu_lab.workspace.ground import Ground, allowed
from arandu_lab.workspace.naming import named, scoped, tidy
from arandu_lab.workspace.results import FactResult, PolicyResult
from arandu_lab.workspace.sheet import Sheet


class Authoring(Ground):
    """Proposing and superseding."""

    async def propose_fact(
        self,
        domain: str,
        topic: str,
        content: str,
        *,
        agent: str,
        role: str | None = None,
        repo: str | None = None,
        memory_type: str | None = None,
        veracity: str = "inferred",
        source_observation_ids: Sequence[str] = (),
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        dry_run: bool = False,
    ) -> FactResult:
        """Put a piece of knowledge under a topic of a domain; no grant is needed.

        The same words again are a mention: the fact grows surer (S2). What it contradicts in the same scope gives way, or
        it gives way itself where the other prevails, and a conflict row keeps both sides (S3). In another scope both stay,
        and the result says so (``elsewhere``).

        Args:
            domain: A name, or a full key (``repo:<slug>/name``); it is made with its first fact.
            topic: A short label; conflicts are looked for under it.
            content: The knowledge, as it is said.
            agent: Who proposes it.
            role: The agent's role, kept for the record.
            repo: The repository whose scope is meant; of the whole workspace by default.
            memory_type: Its curve of forgetting; by default what the domain suggests.
            veracity: ``stated`` (a human said so), ``inferred``, ``tool`` or ``imported``.
            source_observation_ids: Sightings that led to it.
            valid_from: From when it holds; now by default.
            valid_until: The first moment at which it no longer holds.
            dry_run: Tell what would become of it.

        Raises:
            ConfigError: a blank text, an unknown type, veracity or sighting, times out of order.
        """
        said = self._proposal(
            domain,
            topic,
            content,
            agent=agent,
            role=role,
            repo=repo,
            memory_type=memory_type,
            veracity=veracity,
            sources=source_observation_ids,
            valid_from=valid_from,
            valid_until=valid_until,
        )
        (vector,), failures = await self._vectors([content])
        said = replace(said, vector=vector)
        done = await self._unit("propose_fact", lambda sheet: proposed(sheet, said), by=agent, dry_run=dry_run)
        return replace(done, failures=failures)

    async def supersede_fact(
        self,
        fact_id: str,
        content: str,
        *,
        agent: str,
        role: str | None = None,
        topic: str | None = None,
        memory_type: str | None = None,
        veracity: str = "inferred",
        source_observation_ids: Sequence[str] = (),
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        dry_run: bool = False,
    ) -> FactResult:
        """Put a new fact in the place of one that stands, in its domain and scope; no grant is needed.

        Raises:
            ConfigError: no such fact, or it has given way already; else as ``propose_fact``.
        """
        old = self.sheet().need(MemoryFact, "fact", fact_id)
        said = self._proposal(
            old.domain,
            old.topic if topic is None else topic,
            content,
            agent=agent,
            role=role,
            repo=old.repo,
            memory_type=old.memory_type if memory_type is None else memory_type,
            veracity=veracity,
            sources=source_observation_ids,
            valid_from=valid_from,
            valid_until=valid_until,
        )
        (vector,), failures = await self._vectors([content])
        said = replace(said, vector=vector)

        def draft(sheet: Sheet) -> FactResult:
            now = standing(sheet, fact_id)
            if said.valid_until is not None and said.valid_until <= sheet.now:
                raise ConfigError(
                    f"valid_until={said.valid_until.isoformat()} is over: what is true instead holds now; "
                    "propose_fact records what once held"
                )
            if same_words(now.content, content) and normal(now.topic) == normal(said.topic):
                raise ConfigError(
                    f"fact {fact_id!r} says {now.content!r} already; propose_fact counts it as said again"
                )
            return proposed(sheet, said, instead=now)

        done = await self._unit("supersede_fact", draft, by=agent, dry_run=dry_run)
        return replace(done, failures=failures)

    async def propose_policy(
        self,
        domain: str,
        rule: str,
        *,
        agent: str,
        role: str | None = None,
        repo: str | None = None,
        required_role: str | None = None,
        source_fact_ids: Sequence[str] = (),
        dry_run: bool = False,
    ) -> PolicyResult:
        """Put a rule that every dispatch of the workspace shows. The role needs write in the domain (S4).

        Raises:
            InsufficientMemoryPermission: the role may not write there.
            ConfigError: a blank text, or a source that is no fact of this workspace.
        """
        name, scope = scoped(domain, repo)
        _checked(agent, role, rule, required_role, source_fact_ids)
        agent, role, required_role = tidy(agent), tidy(role), tidy(required_role)

        def draft(sheet: Sheet) -> PolicyResult:
            known = sheet.domain(name, scope) is not None
            if known:
                allowed(sheet, role, domain_key(name, scope), "propose_policy")
            created = sheet.opened(name, scope)
            if not known:
                allowed(sheet, role, domain_key(name, scope), "propose_policy")
            return _ruled(sheet, name, scope, rule, agent, required_role, source_fact_ids, created)

        return await self._unit("propose_policy", draft, by=agent, dry_run=dry_run)

    async def supersede_policy(
        self,
        policy_id: str,
        rule: str,
        *,
        agent: str,
        role: str | None = None,
        required_role: str | None = None,
        source_fact_ids: Sequence[str] | None = None,
        dry_run: bool = False,
    ) -> PolicyResult:
        """Put a rule in the place of one that stands. The role needs write in the domain (S4).

        Args:
            policy_id: The policy that gives way.
            rule: The rule that holds instead.
            agent: Who proposes it.
            role: The agent's role, which needs write.
            required_role: Whom it is meant for; "" for nobody in particular, None as the old one.
            source_fact_ids: Facts that it was drawn from, none of them with an empty list; None as the old one.
            dry_run: Tell what would become of it.

        Raises:
            InsufficientMemoryPermission: the role may not write there.
            ConfigError: no such policy, or it has given way already; else as ``propose_policy``.
        """
        _checked(
            agent,
            role,
            rule,
            None if required_role == "" else required_role,
            () if source_fact_ids is None else source_fact_ids,
        )
        agent, role, required_role = tidy(agent), tidy(role), tidy(required_role)

        def draft(sheet: Sheet) -> PolicyResult:
            old = ruling(sheet, policy_id)
            allowed(sheet, role, old.domain_key, "supersede_policy")
            if same_words(old.rule, rule):
                raise ConfigError(f"policy {policy_id!r} says {old.rule!r} already")
            wanted = old.required_role if required_role is None else required_role or None
            sources = old.source_fact_ids if source_fact_ids is None else source_fact_ids
            done = _ruled(sheet, old.domain, old.repo, rule, agent, wanted, sources, False)
            gone = replace(old, superseded_by=done.policy.id, superseded_at=sheet.now)
            sheet.put(gone)
            return replace(done, superseded=(gone,))

        return await self._unit("supersede_policy", draft, by=agent, dry_run=dry_run)


def standing(sheet: Sheet, fact_id: str) -> MemoryFact:
    """A fact that has neither given way nor been retired.

    Raises:
        ConfigError: there is none such; says what became of it.
    """
    fact = sheet.need(MemoryFact, "fact", fact_id)
    if fact.superseded_by is not None:
        raise ConfigError(f"fact {fact_id!r} was superseded by {fact.superseded_by!r} already")
    if fact.retired_at is not None:
        raise ConfigError(f"fact {fact_id!r} was retired already ({fact.retired_why})")
    return fact


def ruling(sheet: Sheet, policy_id: str) -> MemoryPolicy:
    """A policy that has neither given way nor been retired; it may be switched off.

    Raises:
        ConfigError: there is none such; says what became of it.
    """
    policy = sheet.need(MemoryPolicy, "policy", policy_id)
    if policy.superseded_by is not None:
        raise ConfigError(f"policy {policy_id!r} was superseded by {policy.superseded_by!r} already")
    if policy.retired_at is not None:
        raise ConfigError(f"policy {policy_id!r} was retired already")
    return policy


def _checked(agent: str, role: str | None, rule: str, required_role: str | None, sources: Sequence[str]) -> None:
    required(agent=agent, rule=rule)
    named(role=role, required_role=required_role)
    listed(source_fact_ids=sources)


def _ruled(
    sheet: Sheet,
    name: str,
    scope: str | None,
    rule: str,
    agent: str,
    required_role: str | None,
    sources: Sequence[str],
    created: bool,
) -> PolicyResult:
    for one in sources:
        if sheet.get(MemoryFact, one) is None:
            known = [fact.id for fact in sheet.all(MemoryFact)]
            hint = nearest(one, known) if known else "there is no fact yet"
            raise ConfigError(f"workspace {sheet.workspace!r} has no fact {one!r}; {hint}")
    _drawn(sheet, rule, sources)
    made = MemoryPolicy(
        id=sheet.made(MemoryPolicy, name, scope, rule),
        agent_id=sheet.workspace,
        domain=name,
        repo=scope,
        rule=rule,
        proposed_by=agent,
        recorded_at=sheet.now,
        required_role=required_role,
        source_fact_ids=tuple(dict.fromkeys(sources)),
    )
    if (twin := said_already(sheet, made)) is not None:
        return PolicyResult(outcome="known", policy=twin, domain_created=created)
    sheet.put(made)
    return PolicyResult(outcome="added", policy=made, domain_created=created)


def said_already(sheet: Sheet, policy: MemoryPolicy) -> MemoryPolicy | None:
    """Another policy in force of the same domain, scope and role that says the same, if there is one."""
    place = (policy.domain_key, policy.required_role)
    for one in sheet.all(MemoryPolicy):
        here = one.id != policy.id and (one.domain_key, one.required_role) == place
        if here and one.in_force and same_words(one.rule, policy.rule):
            return one
    return None


def _drawn(sheet: Sheet, rule: str, sources: Sequence[str]) -> None:
    """See that a rule neither cites nor repeats an order that a tool or an import brought in (fault L2).

    Raises:
        ConfigError: it does; says which fact, and how a human lets the rule through.
    """
    said = normal(rule)
    for fact in sheet.all(MemoryFact):
        if fact.veracity not in LOW or (fact.id not in sources and not fact.live_at(sheet.now)):
            continue
        words = normal(fact.content)
        if (fact.id in sources or (words and words in said)) and (cue := set_apart(fact)):
            raise ConfigError(
                f"rule {rule[:80]!r} comes from fact {fact.id!r}, which is known by {fact.veracity!r} only and reads as an "
                f"order ({cue!r}); a human who wants the rule deletes the fact first"
            )
