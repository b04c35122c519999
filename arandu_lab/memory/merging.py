"""Merging, splitting and undoing: entities are edited in units of work that can be taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.memory.arguments import listed, required
from arandu_lab.memory.history import History, counted, op, undoable
from arandu_lab.pure import ids, merging
from arandu_lab.pure.merging import Conflict, Plan
from arandu_lab.pure.names import new_key
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Entity, NewEntity, Row
from arandu_lab.store.schema import row_key
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.memory.keeping import Keeping

Op: TypeAlias = Literal["merge", "split", "undo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What an edit did, or in a dry run would do.

    ``unit_id`` is what ``undo`` takes; ``key`` the entity that survives a merge or that a split made. ``put`` and
    ``removed`` count rows by table; ``conflicts`` say what the two sides disagree about.
    """

    op: Op
    unit_id: str
    what: str
    key: str | None = None
    put: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    dry_run: bool = False


def merge(memory: Keeping, agent_id: str, into_key: str, from_key: str, *, dry_run: bool) -> Edit:
    """See ``Memory.merge``."""
    view = memory.store.view(agent_id)
    into, other = _entity(view, into_key), _entity(view, from_key)
    if into_key == from_key:
        raise ConfigError(f"{into_key!r} cannot be merged into itself; name two entities")
    moment = memory.clock()
    plan = merging.merged(list(view.images()), into, other, moment)
    unit_id = f"merge:{ids.derive('merge', agent_id, into_key, from_key, view.sequence)}"
    what = f"{other.name} ({from_key}) into {into.name} ({into_key})"
    _commit(memory, view, plan, unit_id, "merge", moment, dry_run)
    return _edit("merge", unit_id, what, into_key, plan.put, plan.removed, dry_run, plan.conflicts)


def split(
    memory: Keeping,
    agent_id: str,
    key: str,
    *,
    into: NewEntity,
    facts: Sequence[str],
    names: Sequence[str],
    dry_run: bool,
) -> Edit:
    """See ``Memory.split``."""
    listed(facts=facts, names=names)
    if not isinstance(into, NewEntity):
        raise ConfigError(f"into={into!r}: wants NewEntity(name=..., type=...)")
    required(name=into.name, type=into.type)
    view = memory.store.view(agent_id)
    entity = _entity(view, key)
    own = {folded for folded, keys in view.aliases().items() if key in keys}
    wanted = {ident(name): name for name in (*names, *into.aliases)}
    for folded, name in wanted.items():
        if folded not in own:
            raise ConfigError(f"{key!r} is not known by the name {name!r}; {nearest(folded, own)}")
    if ident(into.name) in own and ident(into.name) != ident(entity.name):
        wanted.setdefault(ident(into.name), into.name)
    linked = {view.fact_at(int(place)).id for place in view.linked(key)}
    for fact_id in facts:
        if fact_id not in linked:
            raise ConfigError(f"fact {fact_id!r} is not linked to {key!r}; {nearest(fact_id, linked)}")
    if not facts and not wanted:
        raise ConfigError("nothing to move: name facts= (ids) or names= of the entity")
    moment = memory.clock()
    taken = {one.key: one for one in view.entities()}
    new = Entity(
        key=new_key(into.type, into.name, taken),
        agent_id=agent_id,
        name=into.name,
        type=into.type,
        recorded_at=moment,
    )
    plan = merging.parted(list(view.rows()), entity, new, facts, wanted, moment)
    unit_id = f"split:{ids.derive('split', agent_id, key, new.key, view.sequence)}"
    _commit(memory, view, plan, unit_id, "split", moment, dry_run)
    what = f"{new.name} ({new.key}) out of {entity.name} ({key})"
    return _edit("split", unit_id, what, new.key, plan.put, plan.removed, dry_run, plan.conflicts)


def undo(memory: Keeping, agent_id: str, unit_id: str, *, dry_run: bool) -> Edit:
    """See ``Memory.undo``."""
    required(unit_id=unit_id)
    view = memory.store.view(agent_id)
    history = History(memory.store, view)
    target = history.header(unit_id)
    if target is None or not undoable(target):
        known = [one.id for one in history.headers() if undoable(one)]
        said = "is no unit that can be undone" if target is not None else f"is no unit of agent {agent_id!r}"
        raise ConfigError(f"{unit_id!r} {said}; {nearest(unit_id, known) if known else 'there is none'}")
    back = history.back(target)
    if back.blocked:
        raise ConfigError(f"{unit_id!r} cannot be undone: {history.why(target, back)}")
    moment = memory.clock()
    plan = Plan(put=[(row, born) for row, born in back.put], removed=back.removed)
    mine = f"undo:{ids.derive('undo', agent_id, unit_id, view.sequence)}"
    what = history.what(target)
    _commit(memory, view, plan, mine, "undo", moment, dry_run, of=unit_id)
    return _edit("undo", mine, what, None, plan.put, plan.removed, dry_run)


def units(memory: Keeping, agent_id: str, only: Sequence[str] | None = None) -> pl.DataFrame:
    """See ``Memory.units``."""
    import polars as pl

    history = History(memory.store, memory.store.view(agent_id))
    asked = None if only is None else frozenset(only)
    wanted = [one for one in history.headers() if undoable(one) and (asked is None or one.id in asked)]
    history.read(*wanted)
    rows = []
    for one in wanted:
        back = history.back(one)
        why = history.why(one, back) if back.blocked else None
        rows.append((one.id, op(one), history.unit(one).recorded_at, history.what(one), why is None, why))
    when = pl.Datetime("us", "UTC")
    schema: dict[str, Any] = {
        "id": pl.String,
        "kind": pl.String,
        "when": when,
        "what": pl.String,
        "undoable": pl.Boolean,
        "why": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _commit(
    memory: Keeping,
    view: AgentView,
    plan: Plan,
    unit_id: str,
    op: Op,
    moment: datetime,
    dry_run: bool,
    of: str | None = None,
) -> None:
    if dry_run:
        return
    note = {"op": op} if of is None else {"op": op, "of": of}
    memory.store.append(
        "edit",
        view.agent_id,
        [row for row, _ in plan.put],
        unit_id=unit_id,
        recorded_at=moment,
        expects=view.sequence,
        removed=plan.removed,
        note=json.dumps(note),
        births={row_key(row): born for row, born in plan.put if born is not None},
    )


def _edit(
    op: Op,
    unit_id: str,
    what: str,
    key: str | None,
    put: Iterable[tuple[Row, int | None]],
    removed: Iterable[Row],
    dry_run: bool,
    conflicts: Iterable[Conflict] = (),
) -> Edit:
    return Edit(
        op=op,
        unit_id=unit_id,
        what=what,
        key=key,
        put=counted(row for row, _ in put),
        removed=counted(removed),
        conflicts=tuple(conflicts),
        dry_run=dry_run,
    )


def _entity(view: AgentView, key: str) -> Entity:
    found = view.entity(key)
    if found is None:
        named = [one.key for one in view.entities() if isinstance(key, str) and normal(one.name) == normal(key)]
        hint = f"did you mean {named[0]!r}?" if named else nearest(str(key), [one.key for one in view.entities()])
        raise ConfigError(f"agent {view.agent_id!r} has no entity {key!r}; {hint}")
    return found
