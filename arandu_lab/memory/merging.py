"""Merging, splitting and undoing: entities are edited in units of work that can be taken back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.memory.arguments import listed, required
from arandu_lab.pure import ids, merging, undoing
from arandu_lab.pure.merging import Conflict, Plan
from arandu_lab.pure.names import new_key
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Entity, Fact, NewEntity, Row
from arandu_lab.store.journal import Unit
from arandu_lab.store.ledger import units as ledger
from arandu_lab.store.schema import row_key, stored_key, table_of
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.memory.keeping import Keeping

Op: TypeAlias = Literal["merge", "split", "undo"]
_Key: TypeAlias = tuple[str, str]


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
    view = memory.store.view(agent_id)
    journal = ledger(memory.store, agent_id)
    history = _History(journal, view)
    target = next((unit for unit in journal if unit.id == unit_id), None)
    if target is None or not _undoable(target):
        known = [unit.id for unit in journal if _undoable(unit)]
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


def units(memory: Keeping, agent_id: str) -> pl.DataFrame:
    """See ``Memory.units``."""
    import polars as pl

    journal = ledger(memory.store, agent_id)
    history = _History(journal, memory.store.view(agent_id))
    rows = []
    for unit in reversed(journal):
        if _undoable(unit):
            back = history.back(unit)
            why = history.why(unit, back) if back.blocked else None
            rows.append((unit.id, _op(unit), unit.recorded_at, history.what(unit), why is None, why))
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


class _History:
    """Every image in an agent's journal, by row, with the units that left it."""

    def __init__(self, journal: Sequence[Unit], view: AgentView) -> None:
        self.journal = journal
        self.images: dict[_Key, list[tuple[int, undoing.Placed | None]]] = {}
        for unit in journal:
            for row, born in zip(unit.rows, unit.born, strict=True):
                self.images.setdefault(stored_key(row), []).append((unit.seq, (row, born)))
            for key in unit.removed:
                self.images.setdefault(key, []).append((unit.seq, None))
        self.now: dict[Any, undoing.Placed] = {stored_key(row): (row, born) for row, born in view.images()}
        self.forgotten = {key for unit in journal if unit.kind == "forget" for key in unit.removed}

    def before(self, key: _Key, seq: int) -> undoing.Placed | None:
        """The row as the units before ``seq`` left it."""
        return next((placed for at, placed in reversed(self.images.get(key, ())) if at < seq), None)

    def back(self, unit: Unit) -> undoing.Undoing:
        """The way back over a unit. What was forgotten since stays so; without its entity there is no way."""
        after: dict[Any, undoing.Placed | None] = {
            stored_key(row): (row, born) for row, born in zip(unit.rows, unit.born, strict=True)
        }
        after |= dict.fromkeys(unit.removed)
        was: dict[Any, undoing.Placed | None] = {}
        for key in after:
            was[key] = self.before(key, unit.seq)
            if was[key] is None and key in self.forgotten and key[0] == "entities":
                return undoing.Undoing(blocked=["an entity it would bring back was forgotten"])
        return undoing.undone(was, after, self.now, since=(unit.seq + 1) << 20)

    def why(self, unit: Unit, back: undoing.Undoing) -> str:
        """What stands in the way, and what to do about it."""
        later = [
            other
            for other in self.journal
            if other.seq > unit.seq and {*map(stored_key, other.rows), *other.removed} & back.keys
        ]
        more = f" (and {len(back.blocked) - 1} more)" if len(back.blocked) > 1 else ""
        cure = ""
        if later:
            last = later[-1]
            if _op(last) == "undo" and _note(last).get("of") == unit.id:
                cure = f"; it is undone already, by {last.id!r}"
            elif _undoable(last):
                cure = f"; undo {last.id!r} first"
            else:
                cure = "; a split or a correction can set the rest right"
        return f"{back.blocked[0]}{more}{cure}"

    def what(self, unit: Unit) -> str:
        """The unit in a line, from the rows it touched."""
        op = _op(unit)
        if op == "undo":
            of = next((other for other in self.journal if other.id == _note(unit).get("of")), None)
            return f"undid: {self.what(of)}" if of is not None else "undid a unit"
        if op == "merge":
            gone = [self.before(key, unit.seq) for key in unit.removed if key[0] == "entities"]
            return f"{_called(placed[0] for placed in gone if placed)} into {_called(unit.rows)}"
        if op == "split":
            return f"{_called(unit.rows)}, {sum(isinstance(row, Fact) for row in unit.rows)} facts"
        facts = [row for row in unit.rows if isinstance(row, Fact) and f"correct:{row.id}" == unit.id]
        if facts:
            return f"corrected to {facts[0].text!r}"
        return ", ".join(f"{n} {table}" for table, n in sorted(_counted(unit.rows).items())) or "nothing"


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
        put=_counted(row for row, _ in put),
        removed=_counted(removed),
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


def _counted(rows: Iterable[Row]) -> dict[str, int]:
    return dict(Counter(map(table_of, rows)))


def _undoable(unit: Unit) -> bool:
    """Edits and jobs; not the embedding of what lacked a vector, nor counts of reading."""
    return unit.kind in ("edit", "job") and not unit.id.startswith(("repair:", "retrieved:"))


def _op(unit: Unit) -> str:
    said = _note(unit).get("op")
    return str(said) if said else ("correction" if unit.id.startswith("correct:") else unit.kind)


def _note(unit: Unit) -> dict[str, Any]:
    try:
        found = json.loads(unit.note or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _called(rows: Iterable[Row]) -> str:
    """The entities among rows by their names."""
    return ", ".join(f"{row.name} ({row.key})" for row in rows if isinstance(row, Entity)) or "(forgotten)"
