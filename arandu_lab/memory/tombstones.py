"""What was forgotten, as keyed hashes: enough to know it again in an old text, too little to read it.

The hashes stand in the notes of ``forget`` units, with the agent's key, so that a copy, a replay or an import of the
journal bars the same words. They bar what was said up to the moment of forgetting; what is said later is news.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from arandu_lab.pure.relations import relation_type, sentence
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Extraction, Fact, Link, NewRelation, Row, Skipped, Turn
from arandu_lab.store import Store
from arandu_lab.store.ledger import units
from arandu_lab.store.schema import primary

FORGOTTEN = "forgotten"
"""Why something was skipped that had been forgotten before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstones:
    """The hashes of one agent: until when each bars what it stands for, and the turns that are barred for good.

    ``key`` is the agent's secret, hexadecimal; None until something is forgotten.
    """

    agent_id: str = ""
    key: str | None = None
    until: Mapping[str, datetime] = field(default_factory=dict)
    turns: frozenset[str] = frozenset()

    def turn(self, turn: Turn) -> bool:
        """Whether a turn was forgotten: itself, or the same words by the same speaker, said before that."""
        if not self.until and not self.turns:
            return False
        if primary(self.agent_id, turn.event_id) in self.turns:
            return True
        return self._bars(said_turn(turn.speaker, turn.text), turn.occurred_at)

    def sifted(self, extraction: Extraction, aliases: Mapping[str, tuple[str, ...]]) -> Extraction:
        """The extraction without the facts, relations and profiles that were forgotten, and what only they name."""
        if not self.until:
            return extraction
        at = extraction.turn.occurred_at
        gone = [fact for fact in extraction.facts if self._bars(said_fact(fact.text), at)]
        lost = [one for one in extraction.relations if self._relation(one, aliases, at)]
        untold = [one for one in extraction.profiles if self._bars(said_fact(one[1]), at)]
        if not (gone or lost or untold):
            return extraction
        facts = tuple(fact for fact in extraction.facts if fact not in gone)
        relations = tuple(one for one in extraction.relations if one not in lost)
        profiles = tuple(one for one in extraction.profiles if one not in untold)
        still = " ".join(f" {normal(fact.subject)} | {normal(fact.text)} " for fact in facts)
        still += " ".join(f" {normal(one.source)} | {normal(one.target)} " for one in relations)
        still += " ".join(f" {normal(name)} " for name, _ in profiles)
        before = " ".join(f" {normal(fact.subject)} | {normal(fact.text)} " for fact in gone)
        before += " ".join(f" {normal(one.source)} | {normal(one.target)} " for one in lost)
        entities = tuple(
            entity
            for entity in extraction.entities
            if f" {normal(entity.name)} " in still or f" {normal(entity.name)} " not in before
        )
        said = [*(fact.text for fact in gone), *(f"{one.source} {one.type} {one.target}" for one in lost)]
        skipped = tuple(Skipped(what=what, why=FORGOTTEN) for what in (*said, *(text for _, text in untold)))
        return replace(
            extraction,
            facts=facts,
            relations=relations,
            profiles=profiles,
            entities=entities,
            skipped=(*extraction.skipped, *skipped),
        )

    def spared(self, rows: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Skipped, ...]]:
        """A job's rows without facts that say what was forgotten, from what was told up to then; and what was left out.

        Their links go with them. A fact that is in doubt, or heard again, keeps its words and was barred by none.
        """
        if not self.until:
            return tuple(rows), ()
        facts = [row for row in rows if isinstance(row, Fact)]
        gone = {
            one.id: one for one in facts if self._bars(said_fact(one.text), one.last_confirmed_at or one.valid_from)
        }
        left = tuple(
            row
            for row in rows
            if not (isinstance(row, Fact) and row.id in gone) and not (isinstance(row, Link) and row.fact_id in gone)
        )
        return left, tuple(Skipped(what="a fact", why=FORGOTTEN) for _ in gone)

    def _relation(self, one: NewRelation, aliases: Mapping[str, tuple[str, ...]], at: datetime) -> bool:
        if any(self._bars(said_fact(sentence(one.source, one.type, one.target, lang)), at) for lang in ("en", "pt")):
            return True
        sources, targets = ({ident(name), *aliases.get(ident(name), ())} for name in (one.source, one.target))
        kind = relation_type(one.type)
        return any(self._bars(said_edge(s, kind, t), at) for s in sources for t in targets)

    def _bars(self, said: str, at: datetime) -> bool:
        if self.key is None:
            return False
        until = self.until.get(hashed(self.key, said))
        return until is not None and at <= until


def said_turn(speaker: str, text: str) -> str:
    """A turn as its hash sees it: folded, whoever wrote which accents."""
    return f"turn\0{ident(speaker)}\0{normal(text) or text}"


def said_fact(text: str) -> str:
    """A statement as its hash sees it."""
    return f"fact\0{normal(text) or text}"


def said_edge(source: str, rel_type: str, target: str) -> str:
    """An edge as its hash sees it; its ends by key or folded name."""
    return f"edge\0{source}\0{rel_type}\0{target}"


def hashed(key: str, said: str) -> str:
    """32 hex digits that nobody can make or test without the key.

    >>> hashed("00" * 16, "fact") == hashed("00" * 16, "fact"), hashed("00" * 16, "fact") == hashed("01" * 16, "fact")
    (True, False)
    """
    coded = said.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(coded, key=bytes.fromhex(key), digest_size=16).hexdigest()


def new_key() -> str:
    """A key for an agent's hashes. The one place where chance is wanted: a key that can be worked out is none."""
    return secrets.token_hex(16)


def note(key: str, moment: datetime, hashes: Iterable[str]) -> str:
    """The note of a ``forget`` unit."""
    return json.dumps({"op": "forget", "key": key, "until": moment.isoformat(), "hashes": sorted(hashes)})


def tombstones(store: Store, agent_id: str) -> Tombstones:
    """The agent's tombstones; read from the journal once, and again after each forgetting."""
    with store.still():
        kept = store.view(agent_id).kept
        if _KEPT not in kept:
            kept[_KEPT] = _read(store, agent_id)
        found: Tombstones = kept[_KEPT]
        return found


def _read(store: Store, agent_id: str) -> Tombstones:
    key: str | None = None
    until: dict[str, datetime] = {}
    turns: set[str] = set()
    for unit in units(store, agent_id, "forget") if store.view(agent_id).sequence else ():
        turns |= {primary_key for table, primary_key in unit.removed if table == "events"}
        try:
            told = json.loads(unit.note or "{}")
        except ValueError:
            continue
        if not isinstance(told, dict) or "hashes" not in told:
            continue
        key = key or told["key"]
        moment = datetime.fromisoformat(told["until"])
        for one in told["hashes"]:
            until[one] = max(moment, until.get(one, moment))
    return Tombstones(agent_id=agent_id, key=key, until=until, turns=frozenset(turns))


_KEPT = "memory/tombstones"
