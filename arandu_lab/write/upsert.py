"""Upsert: decisions become a unit of work, absolute images of every row they touch (write document, stage 4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import edges, ids, timeline, versions
from arandu_lab.pure.episodes import held, over
from arandu_lab.pure.names import may_be_alias, shown
from arandu_lab.pure.standing import doubted
from arandu_lab.pure.text import ident, names_in, normal
from arandu_lab.records import (
    UNSTAMPED,
    Action,
    Alias,
    Changes,
    Decided,
    Decision,
    Entity,
    Event,
    Fact,
    Link,
    NewFact,
    NewRelation,
    Reconciliation,
    Relationship,
    Resolution,
    Resolved,
    Row,
    Skipped,
)
from arandu_lab.units import Count, Share
from arandu_lab.write.siblings import siblings


@stage
def upsert(
    resolution: Resolution,
    lab: Lab,
    *,
    relation_initial_strength: Share,
    relation_reinforcement: Share,
    entity_min_chars: Count,
) -> Changes:
    """Write down what was decided: facts and their versions, links, entities, aliases, edges, profiles, the event.

    A fact without a decision is added, or, where reconciliation was left out, treated as its extraction hinted. What ends
    takes along edges (evidence cascade) and their mirror facts; what rests on it (``premise_ids``) is marked for review.
    """
    unit = _Unit(resolution, lab, entity_min_chars)
    unit.entities()
    for position, fact in enumerate(resolution.facts):
        unit.fact(position, fact, _decision(resolution, position))
    unit.relations(relation_initial_strength, relation_reinforcement)
    unit.cascade()
    unit.profiles()
    unit.event()
    return unit.changes()


class _Unit:
    """The growing unit of work; rows are kept by key so that each row has one image in the end."""

    def __init__(self, resolution: Resolution, lab: Lab, entity_min_chars: int) -> None:
        self.resolution, self.lab, self.min_chars = resolution, lab, entity_min_chars
        self.turn = resolution.turn
        self.at = self.turn.occurred_at
        self.rows: dict[tuple[str, ...], Row] = {}
        self.decided: list[Decided] = []
        self.skipped: list[Skipped] = list(resolution.skipped)
        self.by_name: dict[str, Resolved] = {ident(r.name): r for r in resolution.resolved}
        self.names: dict[str, tuple[str, ...]] = {}
        self.stored: list[tuple[NewFact, Fact]] = []
        self.became: dict[str, str] = {}
        self.goes_on: dict[str, str] = {}

    # ------------------------------------------------------------ entities and names

    def entities(self) -> None:
        for r in self.resolution.resolved:
            if r.key is None:
                continue
            name = shown(r, self.turn.speaker)
            if self._entity(r.key) is None and self._used(r):
                self.rows["entity", r.key] = Entity(
                    key=r.key,
                    agent_id=self.turn.agent_id,
                    name=name,
                    type="person" if r.how in ("speaker", "relationship_term") else r.type,
                    recorded_at=UNSTAMPED,
                    vector=r.vector,
                )
            self._alias(name, r, own=True)
            for alias in (r.name, *r.aliases):
                self._alias(alias, r, own=ident(alias) == ident(name))
        self.names = {folded: keys for folded, keys in self.lab.memory.aliases().items() if len(keys) == 1}
        for row in self.rows.values():
            if isinstance(row, Alias):
                self.names[row.folded] = (row.entity_key,)
        for folded, r in self.by_name.items():
            if r.key is not None and r.how not in ("speaker", "relationship_term"):
                self.names[folded] = (r.key, *(r.candidates if r.how == "ambiguous" else ()))

    def _used(self, r: Resolved) -> bool:
        """The speaker gets an entity only when something is said of or with it, or of somebody who is only a role of it."""
        if r.how != "speaker" or any(o.how == "relationship_term" for o in self.resolution.resolved):
            return True
        named = {ident(f.subject) for f in self.resolution.facts}
        named |= {ident(n) for x in self.resolution.relations for n in (x.source, x.target)}
        return any(ident(o.name) in named for o in self.resolution.resolved if o.key == r.key)

    def _alias(self, name: str, r: Resolved, *, own: bool) -> None:
        folded = ident(name)
        if r.key is None or r.how == "ambiguous" or self._entity(r.key) is None:
            return
        if r.how in ("speaker", "relationship_term") and not own:
            return
        holders = self.lab.memory.aliases().get(folded, ())
        if r.key in holders or ("alias", folded, r.key) in self.rows:
            return
        namesake = own and r.how in ("new", "speaker", "relationship_term")
        if (holders and not namesake) or not (namesake or may_be_alias(name)):
            return
        self.rows["alias", folded, r.key] = Alias(
            folded=folded, agent_id=self.turn.agent_id, entity_key=r.key, name=name, recorded_at=UNSTAMPED
        )

    # ------------------------------------------------------------ facts

    def fact(self, position: int, new: NewFact, decision: Decision) -> None:
        subject = self.by_name.get(ident(new.subject))
        if subject is None or subject.key is None:
            self.skipped.append(Skipped(what=new.text, why=f"no entity for its subject {new.subject!r}"))
            return
        target = self._current(decision.target_id) if decision.target_id else None
        if decision.action == "NOOP" and target is not None:
            if decision.why == "tombstone":
                self.skipped.append(Skipped(what=new.text, why="was taken back earlier and stays so"))
                return
            after = versions.confirmed(target, self.at)
            self._put(after)
            self._keep(position, new, after)
            self.decided.append(Decided(action="NOOP", fact=after, before=target, why=decision.why))
            return
        since, until = held(new, self.at)
        if decision.action == "DELETE" and target is not None:
            after = versions.closed(target, until if until is not None and over(new, self.at) else since, "delete")
            self._put(after)
            self.decided.append(Decided(action="DELETE", fact=after, before=target, why=decision.why))
            return
        row = self._row(position, new, subject, since, until)
        twin = next((held for _, held in self.stored if _same(held, row)), None)
        if twin is not None and decision.action == "ADD":
            self.skipped.append(Skipped(what=new.text, why="repeated in the message"))
            self._keep(position, new, twin)
            return
        row, *again = self._placed(row, decision, target)
        self.goes_on |= {one.id: row.id for one in again}
        for one in (row, *again):
            self._put(one)
            self._links(one, subject)
        self._keep(position, new, row)
        action: Action = "UPDATE" if row.supersedes_fact_id else "ADD"
        self.decided.append(
            Decided(action=action, fact=row, before=target if action == "UPDATE" else None, why=decision.why)
        )

    def _placed(self, row: Fact, decision: Decision, target: Fact | None) -> tuple[Fact, ...]:
        """The row as it stands in the history of its attribute, and goes on; what gives way to it is closed or goes on too."""
        updated = target if decision.action == "UPDATE" else None
        late = target if decision.why == "late" else None
        if updated is None and late is None and decision.why != "fresh":
            return (row,)
        if updated is not None:
            row = replace(row, supersedes_fact_id=updated.id)
        among = [self._current(one.id) or one for one in siblings(self.lab.memory, row, updated, late, at=self.at)]
        known = {one.id for one in among}  # and what goes on of them since another fact of this message
        among += [held for id, first in self.goes_on.items() if first in known and (held := self._current(id))]
        drawn = timeline.drawn(row, among, updated, self.turn.event_id)
        for fact in drawn.closed:
            self._put(fact)
        for before, after in drawn.resumed:
            self._put(after)
            self._rest_on(before, after)
        return drawn.new

    def _rest_on(self, before: Fact, after: Fact) -> None:
        """What the version before was linked to and bore out, its continuation is and does."""
        self.goes_on[after.id] = self.goes_on.get(before.id, before.id)
        for key in self.lab.memory.keys_of(before.id):
            self._link(after, key)
        for edge in self._edges():
            if before.id in edge.evidence_fact_ids and edge.valid_to == before.valid_to:
                self.rows["edge", edge.id] = replace(edge, evidence_fact_ids=(*edge.evidence_fact_ids, after.id))

    def _row(self, position: int, new: NewFact, subject: Resolved, since: datetime, until: datetime | None) -> Fact:
        held = self._entity(str(subject.key))
        return Fact(
            id=ids.fact_id(self.turn.event_id, position),
            agent_id=self.turn.agent_id,
            entity_key=str(subject.key),
            entity_name=held.name if held else subject.name,
            text=new.text,
            confidence=new.confidence,
            importance=new.importance,
            category=new.category,
            speaker=self.turn.speaker,
            source_event_id=self.turn.event_id,
            valid_from=since,
            valid_to=until,
            closed_by=None if until is None else "stated",
            granularity=new.granularity,
            recorded_at=UNSTAMPED,
            event_time=new.event_time,
            source_context=new.source_context,
            last_confirmed_at=self.at,
            vector=new.vector,
        )

    def _keep(self, position: int, new: NewFact, row: Fact) -> None:
        self.stored.append((new, row))
        self.became[ids.fact_id(self.turn.event_id, position)] = row.id

    def _links(self, row: Fact, subject: Resolved) -> None:
        """The fact's own entity first; for an undecided name all it may be; for "my mother" the one whose she is."""
        mentioned = [key for keys in names_in(row.text, self.names, min_chars=self.min_chars) for key in keys]
        others = list(subject.candidates) if subject.how == "ambiguous" else []
        if subject.how == "relationship_term":
            others += [r.key for r in self.resolution.resolved if r.how == "speaker" and r.key and self._entity(r.key)]
        for key in dict.fromkeys([row.entity_key, *others, *mentioned]):
            self._link(row, key)

    def _link(self, row: Fact, key: str) -> None:
        agent, own = self.turn.agent_id, key == row.entity_key
        link = Link(fact_id=row.id, agent_id=agent, entity_key=key, primary=own, recorded_at=UNSTAMPED)
        self.rows["link", row.id, key] = link

    def relations(self, initial: float, gain: float) -> None:
        for relation in self.resolution.relations:
            said = f"{relation.source} {relation.type} {relation.target}"
            source, target = (self.by_name.get(ident(n)) for n in (relation.source, relation.target))
            if source is None or target is None or not (source.key and target.key):
                self.skipped.append(Skipped(what=said, why="no entity for one of its ends"))
                continue
            evidence = self._carried(relation) or self._evidence(source, target)
            why = "" if evidence else "no stored fact supports it"
            if self.resolution.borrowed(source) or self.resolution.borrowed(target):
                why = "a relative without a name is not the speaker"
            why = "an entity related to itself" if source.key == target.key else why
            if why:
                self.skipped.append(Skipped(what=said, why=why))
                continue
            self._edge((source.key, relation.type, target.key), evidence, initial, gain)

    def _edge(self, named: tuple[str, str, str], evidence: tuple[str, ...], initial: float, gain: float) -> None:
        """Reinforce the version that the evidence bears out, once a message however often it says so, or open new ones.

        A version begins with the fact of this message that it rests on; on a fact stored before, it begins now. It ends
        where that fact does.
        """
        source, kind, target = named
        before = [e for e in self._edges(source) if (e.source_key, e.rel_type, e.target_key) == named]
        rests = [one for i in evidence if (one := self._current(i)) is not None]
        until, fresh = edges.lasting(rests), self.lab.memory.fact(evidence[0]) is None
        since = rests[0].valid_from if fresh or until else self.at
        standing, free = edges.told_of(before, since, until)
        if standing is not None:
            once = 0.0 if ("edge", standing.id) in self.rows else gain
            self.rows["edge", standing.id] = versions.reinforced(standing, evidence, once, self.at)
        for start, end in free:
            mine = ids.edge_id(self.turn.event_id, *named)
            edge = Relationship(
                id=mine if (start, end) == free[0] else ids.derive("edge", mine, start.isoformat()),
                agent_id=self.turn.agent_id,
                source_key=source,
                target_key=target,
                rel_type=kind,
                strength=initial,
                evidence_fact_ids=evidence,
                valid_from=start,
                valid_to=end,
                recorded_at=UNSTAMPED,
                last_confirmed_at=self.at,
            )
            self.rows["edge", edge.id] = edge

    def _carried(self, relation: NewRelation) -> tuple[str, ...]:
        """The facts that the relation came with: stored ones, or its mirror or what that confirmed."""
        return tuple(dict.fromkeys(i for one in relation.evidence for i in self._pieces(self.became.get(one, one))))

    def _pieces(self, fact_id: str) -> tuple[str, ...]:
        """The row of a fact and those in which it goes on, where they held for a time."""
        pieces = (fact_id, *(after for after, first in self.goes_on.items() if first == fact_id))
        return tuple(i for i in pieces if (one := self._current(i)) is not None and versions.held(one))

    def _evidence(self, source: Resolved, target: Resolved) -> tuple[str, ...]:
        """The stated fact of the message that names both ends and held for a time; of several the one of highest confidence."""
        fits = []
        for new, fact in self.stored:
            folded = f" {normal(new.text)} "
            if (
                self._pieces(fact.id)
                and new.source_context is None
                and all(any(f" {name} " in folded for name in self._names(end)) for end in (source, target))
            ):
                fits.append(fact)
        return self._pieces(max(fits, key=lambda fact: fact.confidence).id) if fits else ()

    def _names(self, end: Resolved) -> list[str]:
        held = [folded for folded, keys in self.names.items() if end.key in keys]
        return [name for name in (normal(end.name), *(normal(a) for a in end.aliases), *held) if name]

    def cascade(self) -> None:
        """Edges without ground fall, mirror facts with their edge, until all stands; what rests on an end is in doubt."""
        ended = [row.id for row in self.rows.values() if isinstance(row, Fact) and row.valid_to is not None]
        if not ended:
            return
        moved = [(old, row) for i in ended if (old := self.lab.memory.fact(i)) and (row := self._current(i))]
        self.rows |= {("edge", one.id): one for one in edges.shortened(self._edges(), moved, self._current)}
        fallen, mirrors = versions.cascade(ended, self._edges(), self._current, self.at)
        for edge in fallen:
            self.rows["edge", edge.id] = edge
        for before, after in mirrors:
            self._put(after)
            self.decided.append(Decided(action="DELETE", fact=after, before=before, why="edge"))
        memory = self.lab.memory
        self.rows |= {
            ("fact", one.id): one for one in doubted(self.rows.values(), memory.fact, memory.resting_on, self.at)
        }

    def profiles(self) -> None:
        """Seed profiles where none stands; never overwrite one (W19)."""
        for name, text in self.resolution.profiles:
            r = self.by_name.get(ident(name))
            entity = self._entity(r.key) if r is not None and r.key and not self.resolution.borrowed(r) else None
            if entity is not None and not entity.profile_text and text.strip():
                self.rows["entity", entity.key] = replace(entity, profile_text=text.strip(), profile_at=self.at)

    def event(self) -> None:
        held = self.lab.memory.event(self.turn.event_id)
        emotion = self.resolution.emotion
        event = held or Event(
            id=self.turn.event_id,
            agent_id=self.turn.agent_id,
            text=self.turn.text,
            speaker=self.turn.speaker,
            occurred_at=self.at,
            recorded_at=UNSTAMPED,
            session_id=self.turn.session_id,
        )
        self.rows["event", event.id] = replace(
            event,
            emotion=emotion.label if emotion else event.emotion,
            emotion_intensity=emotion.intensity if emotion else event.emotion_intensity,
            energy=emotion.energy if emotion else event.energy,
            vector=self.resolution.vector if self.resolution.vector is not None else event.vector,
        )

    def changes(self) -> Changes:
        return Changes(
            agent_id=self.turn.agent_id,
            rows=tuple(self.rows.values()),
            decided=tuple(self.decided),
            resolved=tuple(r for r in self.resolution.resolved if r.key and self._entity(r.key)),
            skipped=tuple(self.skipped),
            mode=self.resolution.mode,
        )

    def _edges(self, source: str | None = None) -> list[Relationship]:
        every = (*self.lab.memory.edges(source), *self.rows.values())
        return list({one.id: one for one in every if isinstance(one, Relationship)}.values())

    def _put(self, fact: Fact) -> None:
        self.rows["fact", fact.id] = fact

    def _current(self, fact_id: str | None) -> Fact | None:
        if fact_id is None:
            return None
        row = self.rows.get(("fact", fact_id))
        return row if isinstance(row, Fact) else self.lab.memory.fact(fact_id)

    def _entity(self, key: str) -> Entity | None:
        row = self.rows.get(("entity", key))
        return row if isinstance(row, Entity) else self.lab.memory.entity(key)


def _same(one: Fact, other: Fact) -> bool:
    return one.entity_key == other.entity_key and versions.held(one) and normal(one.text) == normal(other.text)


def _decision(resolution: Resolution, position: int) -> Decision:
    if isinstance(resolution, Reconciliation):
        made = resolution.decisions[position] if position < len(resolution.decisions) else None
        return made or Decision(action="ADD", why="silence")
    fact = resolution.facts[position]
    if fact.hint == "UPDATE" and fact.hint_fact_id:
        return Decision(action="UPDATE", target_id=fact.hint_fact_id, why="hint")
    return Decision(action="ADD", why="unreconciled")
