"""Forgetting on request: what goes with what, the erasure itself, and a certificate of what a scan found afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import MemoryFact, Sighting
from arandu_lab.memory import tombstones
from arandu_lab.memory.outside import Outside, Places
from arandu_lab.pure import ids
from arandu_lab.pure.forgetting import Forgetting, Wanted, forgotten, name_of
from arandu_lab.pure.grounds import Sources
from arandu_lab.records import UNSTAMPED, Alias, Entity, Event, Fact, Relationship, Row
from arandu_lab.store.journal import Unit
from arandu_lab.store.ledger import units as ledger
from arandu_lab.store.residue import Residue, Scan, scan
from arandu_lab.store.schema import table_of

if TYPE_CHECKING:
    from arandu_lab.memory.keeping import Keeping

_WRITE = "write:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What was forgotten, without a word of it.

    ``removed`` and ``rewritten`` count rows by table (a rewritten row stays with less in it); ``hashes`` are the keyed
    tombstones; ``shared`` counts texts that still stand because a row that stays says them too. ``scan`` is of the store
    and None in a dry run; ``outside`` tells what went beside it (in a dry run: would go) and where nobody looked.
    ``residue`` numbers texts in the order in which they were looked for.
    """

    agent_id: str
    unit_id: str
    forgotten_at: datetime
    removed: Mapping[str, int] = field(default_factory=dict)
    rewritten: Mapping[str, int] = field(default_factory=dict)
    hashes: tuple[str, ...] = ()
    shared: int = 0
    scan: Scan | None = None
    outside: Outside = field(default_factory=Outside)
    dry_run: bool = False

    @property
    def clean(self) -> bool:
        """The scan found none of the words, and would have; nor did the search of what was named outside."""
        return self.scan is not None and self.scan.clean and self.outside.proven and not self.outside.found

    @property
    def residue(self) -> tuple[Residue, ...]:
        """Where words are still found: a file that others keep open, data of the user's own."""
        return (*(self.scan.found if self.scan is not None else ()), *self.outside.found)

    def __str__(self) -> str:
        gone = ", ".join(f"{count} {table}" for table, count in sorted(self.removed.items())) or "nothing"
        beside = "".join(f"; outside: {one}" for one in self.outside.gone)
        blind = "".join(f"\nnot looked at: {place}" for place in self.outside.unseen)
        kept = f"\n{self.shared} texts still stand, because rows that stay say them too" if self.shared else ""
        if self.scan is None:
            return f"would forget {gone}{beside}{kept}{blind}"
        places = ", ".join(dict.fromkeys(one.place for one in self.residue))
        files = self.scan.files + self.outside.files
        looked = f"{self.scan.texts} texts looked for in {self.scan.versions} versions of tables, {files} files"
        said = "none found" if self.clean else f"still in {places}" if places else "the scan is blind"
        return f"forgot {gone}{beside}; {looked}: {said}{kept}{blind}"


def forget(
    memory: Keeping,
    agent_id: str,
    *,
    fact_id: str | None,
    entity: str | None,
    event: str | None,
    everything: bool,
    also: Sequence[str | PathLike[str]] = (),
    dry_run: bool,
) -> Certificate:
    """See ``Memory.forget``."""
    asked = [one for one in (fact_id, entity, event) if one is not None]
    if len(asked) + (everything is True) != 1:
        raise ConfigError("name one thing to forget: fact_id=, entity=, event=, or everything=True")
    view = memory.store.view(agent_id)
    journal = ledger(memory.store, agent_id)
    past = [row for unit in journal for row in unit.rows]
    now = list(view.rows())
    wanted = _wanted(agent_id, [*past, *now], fact_id, entity, event, everything)
    plan = forgotten(now, past, wanted, _sources(journal))
    moment = memory.clock()
    held = tombstones.tombstones(memory.store, agent_id)
    key = held.key or tombstones.new_key()
    hashes = tuple(sorted({tombstones.hashed(key, said) for said in _said(plan, past, now)}))
    instead = [_stamped(row, moment) for row in plan.instead]
    done = Certificate(
        agent_id=agent_id,
        unit_id=f"forget:{ids.derive('forget', agent_id, view.sequence, *hashes)}",
        forgotten_at=moment,
        removed=_counted(plan.removed),
        rewritten=_counted(instead),
        hashes=hashes,
        shared=len(plan.shared),
        dry_run=dry_run,
    )
    named = sorted(row.id for row in plan.removed if isinstance(row, Event | Fact | MemoryFact | Sighting))
    places = Places(memory, plan.texts, named, also)
    beside = places.purge(dry_run=dry_run)
    if dry_run:
        return replace(done, outside=places.look(beside, done.unit_id, dry_run=True))
    memory.store.forget(
        agent_id,
        plan.removed,
        unit_id=done.unit_id,
        recorded_at=moment,
        instead=instead,
        note=tombstones.note(key, moment, hashes),
    )
    found = scan(memory.store, plan.texts, agent_id=agent_id, proof=done.unit_id)
    return replace(done, scan=found, outside=places.look(beside, done.unit_id))


def _wanted(
    agent_id: str, rows: Sequence[Row], fact_id: str | None, entity: str | None, event: str | None, everything: bool
) -> Wanted:
    """What is asked for, if it is there: also what stands in older versions only."""
    if everything:
        if not rows:
            raise ConfigError(f"agent {agent_id!r} has nothing to forget")
        return Wanted(everything=True)
    known = {
        "fact": {row.id for row in rows if isinstance(row, Fact | MemoryFact)},
        "entity": {row.key for row in rows if isinstance(row, Entity)},
        "event": {row.id for row in rows if isinstance(row, Event | Sighting)},
    }
    for kind, name in (("fact", fact_id), ("entity", entity), ("event", event)):
        if name is not None and (not isinstance(name, str) or name not in known[kind]):
            hint = nearest(str(name), known[kind]) if known[kind] else "there is none"
            raise ConfigError(f"agent {agent_id!r} has no {kind} {name!r}: nothing was forgotten; {hint}")
    return Wanted(
        facts=frozenset({fact_id} if fact_id is not None else ()),
        events=frozenset({event} if event is not None else ()),
        entities=frozenset({entity} if entity is not None else ()),
    )


def _sources(journal: Sequence[Unit]) -> Sources:
    """Which turns state each fact, which turn's reading brought each row first, and what wrote each text of an entity."""
    told: dict[str, set[str]] = {}
    learnt: dict[tuple[str, ...], str] = {}
    wrote: dict[tuple[str, str], tuple[str | None, int]] = {}
    born_in: dict[str, int] = {}
    heard: dict[str, Fact] = {}
    for unit in journal:
        event = unit.id.removeprefix(_WRITE) if unit.id.startswith(_WRITE) else ""
        seeded = next((row.id for row in unit.rows if isinstance(row, Event) and row.id == event), None)
        for row, born in zip(unit.rows, unit.born, strict=True):
            if event and born >> 20 == unit.seq:
                learnt.setdefault(name_of(row), event)
            if isinstance(row, Entity):
                for text, by in ((row.profile_text, seeded), (row.summary_text, None)):
                    if text:
                        wrote.setdefault((row.key, text), (by, unit.seq))
            if isinstance(row, Fact):
                born_in[row.id] = min(born >> 20, born_in.get(row.id, unit.seq))
                told.setdefault(row.id, set()).add(row.source_event_id)
                before = heard.get(row.id)
                again = row.reinforcement_count > (before.reinforcement_count if before is not None else 0)
                if event and (again or (row.valid_to is None and not _only_doubted(before, row))):
                    told[row.id].add(event)
                heard[row.id] = row
    return Sources(told=told, learnt=learnt, wrote=wrote, born=born_in)


def _only_doubted(before: Fact | None, after: Fact) -> bool:
    """Whether a turn did no more to a fact than put it in doubt: such a turn does not state it."""
    return before is not None and replace(after, stale_since=before.stale_since, stale_why=before.stale_why) == before


def _said(plan: Forgetting, past: Iterable[Row], now: Iterable[Row]) -> set[str]:
    """What the tombstones bar: turns, statements, edges and profiles that go, unless a fact that stays says the same."""
    gone = {name_of(row) for row in plan.removed}
    rewritten = {name_of(row): row for row in plan.instead}
    names: dict[str, set[str]] = {}
    said: set[str] = set()
    for row in (*past, *now):
        if isinstance(row, Alias):
            names.setdefault(row.entity_key, {row.entity_key}).add(row.folded)
        if name_of(row) in gone:
            if isinstance(row, Event):
                said.add(tombstones.said_turn(row.speaker, row.text))
            elif isinstance(row, Fact):
                said.add(tombstones.said_fact(row.text))
        if isinstance(row, Entity) and row.profile_text and (name_of(row) in gone or name_of(row) in rewritten):
            left = rewritten.get(name_of(row))
            if not isinstance(left, Entity) or left.profile_text != row.profile_text:
                said.add(tombstones.said_fact(row.profile_text))
    for edge in plan.edges:
        said |= _edges_said(edge, names)
    return said - {tombstones.said_fact(row.text) for row in now if isinstance(row, Fact) and name_of(row) not in gone}


def _edges_said(edge: Relationship, names: Mapping[str, set[str]]) -> set[str]:
    sources, targets = (sorted(names.get(key, {key})) for key in (edge.source_key, edge.target_key))
    return {tombstones.said_edge(source, edge.rel_type, target) for source in sources for target in targets}


def _stamped(row: Row, moment: datetime) -> Row:
    """An edge that fell with its evidence fell now."""
    if isinstance(row, Relationship) and row.invalidated_at == UNSTAMPED:
        return replace(row, invalidated_at=moment)
    return row


def _counted(rows: Iterable[Row]) -> dict[str, int]:
    return dict(Counter(map(table_of, rows)))
