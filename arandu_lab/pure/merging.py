"""Two entities made one, and one made two: which rows change, which go, and what the two sides disagree about.

Rows in, rows out; the caller commits them as one unit of work, which ``pure.undoing`` can take back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from arandu_lab.pure import ids, versions
from arandu_lab.pure.names import same_type
from arandu_lab.pure.reviewing import DISTILLED
from arandu_lab.pure.text import ident, names_in, normal
from arandu_lab.records import MIRROR, Alias, Cluster, Entity, Fact, Link, Relationship, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Something the two sides say differently: what holds from now on, and what the other side said."""

    field: str
    kept: str
    other: str


@dataclass(slots=True)
class Plan:
    """What a unit of work does: rows put (with their place in the order of arrival; None: theirs, or the end), rows gone."""

    put: list[tuple[Row, int | None]] = field(default_factory=list)
    removed: list[Row] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def merged(images: Sequence[tuple[Row, int]], into: Entity, other: Entity, moment: datetime) -> Plan:
    """Everything of ``other`` becomes of ``into``; ``images`` are all rows of the agent with their order of arrival.

    Names keep their first taker, and ``other``'s own name leads to ``into`` from now on. An edge between the two goes,
    with mirror facts that only it rests on. Open edges that become parallel become one new version, their strengths
    summed up to 1; the old versions never were, as this memory knows from ``moment`` on (B11). Profiles and summaries
    are kept both, one under the other (B13).
    """
    plan = Plan()
    rows = [row for row, _ in images]
    plan.put.append((_joined(into, other, plan), None))
    plan.removed.append(other)
    _names(images, into, other, moment, plan)
    _links(images, into, other, plan)
    loops = _edges(rows, into.key, other.key, moment, plan)
    fallen = _only_on(loops, rows)
    for row in rows:
        if isinstance(row, Fact) and (row.entity_key == other.key or row.id in fallen):
            fact = replace(row, entity_key=into.key, entity_name=into.name) if row.entity_key == other.key else row
            if row.id in fallen:
                fact = replace(versions.closed(fact, fact.valid_from, "merge"), invalidated_at=moment)
            plan.put.append((fact, None))
        elif isinstance(row, Cluster) and row.entity_key == other.key:
            plan.put.append((replace(row, entity_key=into.key), None))
    return plan


def parted(
    rows: Sequence[Row], entity: Entity, new: Entity, facts: Collection[str], names: Collection[str], moment: datetime
) -> Plan:
    """Some facts and names of ``entity`` become those of ``new``, which does not exist yet.

    ``facts`` are ids (their other versions go along), ``names`` folded names of the entity; facts that call it by one
    of them go along too. An edge goes with the facts it rests on; one that rests on facts of both sides becomes two.
    """
    plan = Plan(put=[(new, None)])
    held = {row.folded: row for row in rows if isinstance(row, Alias) and row.entity_key == entity.key}
    mine = {row.fact_id: row for row in rows if isinstance(row, Link) and row.entity_key == entity.key}
    by_id = {row.id: row for row in rows if isinstance(row, Fact)}
    called = {folded: folded for folded in held}
    named = {i for i in mine if i in by_id and not {*names}.isdisjoint(names_in(by_id[i].text, called, min_chars=1))}
    moving = chains({*facts, *named} & mine.keys(), by_id.values()) & mine.keys()
    moving |= _concluded(moving, by_id) & mine.keys()
    for folded in names:
        plan.removed.append(held[folded])
    given = {name: held[name].name for name in names} | {ident(new.name): new.name}
    since = {name: held[name].recorded_at if name in names else moment for name in given}
    for folded, name in given.items():
        alias = Alias(folded=folded, agent_id=new.agent_id, entity_key=new.key, name=name, recorded_at=since[folded])
        plan.put.append((alias, None))
    for fact_id in sorted(moving):
        link = mine[fact_id]
        plan.removed.append(link)
        plan.put.append((replace(link, entity_key=new.key), None))
        fact = by_id[fact_id]
        if fact.entity_key == entity.key:
            plan.put.append((replace(fact, entity_key=new.key, entity_name=new.name), None))
    for row in rows:
        if isinstance(row, Relationship) and entity.key in (row.source_key, row.target_key):
            _part_edge(row, entity.key, new.key, moving, by_id, moment, plan)
    for what in ("profile_text", "summary_text"):
        if text := getattr(entity, what):
            plan.conflicts.append(Conflict(field=what, kept=text, other=""))
    return plan


def chains(wanted: Iterable[str], facts: Iterable[Fact]) -> set[str]:
    """The ids of every version of the wanted facts, older and newer ones.

    A fact that is not among ``facts`` stands for itself.
    """
    beside: dict[str, list[str]] = {}
    for fact in facts:
        if fact.supersedes_fact_id is not None:
            beside.setdefault(fact.id, []).append(fact.supersedes_fact_id)
            beside.setdefault(fact.supersedes_fact_id, []).append(fact.id)
    found, queue = set(wanted), list(wanted)
    while queue:
        fresh = [one for one in beside.get(queue.pop(), ()) if one not in found]
        found.update(fresh)
        queue += fresh
    return found


def _concluded(moving: Collection[str], facts: Mapping[str, Fact]) -> set[str]:
    """Distilled facts of which all premises move."""
    return {
        fact.id
        for fact in facts.values()
        if fact.source_context == DISTILLED and fact.premise_ids and moving and set(fact.premise_ids) <= set(moving)
    }


def _joined(into: Entity, other: Entity, plan: Plan) -> Entity:
    """The surviving row, with the other's attributes beside its own."""
    changes: dict[str, object] = {"importance": max(into.importance, other.importance)}
    for what in ("profile", "summary"):
        mine, theirs = getattr(into, f"{what}_text"), getattr(other, f"{what}_text")
        dates = [at for at in (getattr(into, f"{what}_at"), getattr(other, f"{what}_at")) if at is not None]
        if theirs and (not mine or normal(mine) != normal(theirs)):
            changes[f"{what}_text"] = f"{mine}\n{theirs}" if mine else theirs
            changes[f"{what}_at"] = min(dates, default=None)
        if mine and theirs and normal(mine) != normal(theirs):
            plan.conflicts.append(Conflict(field=f"{what}_text", kept=f"{mine}\n{theirs}", other=theirs))
    if not same_type(into.type, other.type):
        plan.conflicts.append(Conflict(field="type", kept=into.type, other=other.type))
    if into.vector is None and other.vector is not None and ident(into.name) == ident(other.name):
        changes["vector"] = other.vector
    return replace(into, **changes)  # type: ignore[arg-type]


def _names(images: Sequence[tuple[Row, int]], into: Entity, other: Entity, moment: datetime, plan: Plan) -> None:
    mine = {row.folded: (row, born) for row, born in images if isinstance(row, Alias) and row.entity_key == into.key}
    for row, born in images:
        if not isinstance(row, Alias) or row.entity_key != other.key:
            continue
        plan.removed.append(row)
        held = mine.get(row.folded)
        if held is None:
            plan.put.append((replace(row, entity_key=into.key), born))
            mine[row.folded] = (row, born)
        elif born < held[1]:
            plan.put.append((held[0], born))
    own = ident(other.name)
    if own not in mine:
        taught = Alias(folded=own, agent_id=into.agent_id, entity_key=into.key, name=other.name, recorded_at=moment)
        plan.put.append((taught, None))


def _links(images: Sequence[tuple[Row, int]], into: Entity, other: Entity, plan: Plan) -> None:
    mine = {row.fact_id: row for row, _ in images if isinstance(row, Link) and row.entity_key == into.key}
    for row, born in images:
        if not isinstance(row, Link) or row.entity_key != other.key:
            continue
        plan.removed.append(row)
        held = mine.get(row.fact_id)
        if held is None:
            plan.put.append((replace(row, entity_key=into.key), born))
        elif row.primary and not held.primary:
            plan.put.append((replace(held, primary=True), None))


def _edges(rows: Sequence[Row], into: str, other: str, moment: datetime, plan: Plan) -> list[Relationship]:
    """Move the edges; the loops that go are returned."""
    loops: list[Relationship] = []
    moved: dict[str, Relationship] = {}
    parallel: dict[tuple[str, str, str], list[Relationship]] = {}
    for row in rows:
        if not isinstance(row, Relationship):
            continue
        ends = [into if key == other else key for key in (row.source_key, row.target_key)]
        edge = row
        if ends != [row.source_key, row.target_key]:
            if ends[0] == ends[1]:
                loops.append(row)
                continue
            edge = moved[row.id] = replace(row, source_key=ends[0], target_key=ends[1])
        if edge.valid_to is None and into in ends:
            parallel.setdefault((edge.source_key, edge.rel_type, edge.target_key), []).append(edge)
    plan.removed += loops
    for group in parallel.values():
        if len(group) > 1 and any(edge.id in moved for edge in group):
            plan.put.append((_summed(group, moment), None))
            for edge in group:
                moved[edge.id] = replace(versions.fall(edge, edge.valid_from), invalidated_at=moment)
    plan.put += [(edge, None) for edge in moved.values()]
    return loops


def _summed(group: Sequence[Relationship], moment: datetime) -> Relationship:
    """One version in the place of several open ones."""
    return replace(
        group[0],
        id=ids.derive("merge", *sorted(edge.id for edge in group)),
        strength=min(1.0, sum(edge.strength for edge in group)),
        evidence_fact_ids=tuple(dict.fromkeys(i for edge in group for i in edge.evidence_fact_ids)),
        valid_from=min(edge.valid_from for edge in group),
        recorded_at=moment,
        last_confirmed_at=max((e.last_confirmed_at for e in group if e.last_confirmed_at), default=None),
    )


def _only_on(loops: Sequence[Relationship], rows: Sequence[Row]) -> set[str]:
    """Open mirror facts that no edge but these rests on."""
    gone = {edge.id for edge in loops}
    facts = {i for edge in loops for i in edge.evidence_fact_ids}
    facts -= {i for row in rows if isinstance(row, Relationship) and row.id not in gone for i in row.evidence_fact_ids}
    open_mirrors = {
        row.id for row in rows if isinstance(row, Fact) and row.source_context == MIRROR and row.valid_to is None
    }
    return facts & open_mirrors


def _part_edge(
    edge: Relationship,
    old: str,
    new: str,
    moving: Collection[str],
    facts: Mapping[str, Fact],
    moment: datetime,
    plan: Plan,
) -> None:
    gone = tuple(i for i in edge.evidence_fact_ids if i in moving)
    left = tuple(i for i in edge.evidence_fact_ids if i not in moving)
    if not gone:
        return
    source, target = (new if key == old else key for key in (edge.source_key, edge.target_key))
    if not left:
        plan.put.append((replace(edge, source_key=source, target_key=target), None))
        return
    twin = replace(
        edge, id=ids.derive("split", edge.id, new), source_key=source, target_key=target, evidence_fact_ids=gone
    )
    plan.put += [(half, None) for half in _standing((replace(edge, evidence_fact_ids=left), twin), facts, moment)]


def _standing(edges: Iterable[Relationship], facts: Mapping[str, Fact], moment: datetime) -> Iterator[Relationship]:
    """The edges, closed where none of the facts they are left with is open."""
    for edge in edges:
        if edge.valid_to is None and not versions.stands(edge, facts.get):
            ends = [f.valid_to for i in edge.evidence_fact_ids if (f := facts.get(i)) is not None and f.valid_to]
            yield replace(versions.fall(edge, max(ends, default=moment)), invalidated_at=moment)
        else:
            yield edge
