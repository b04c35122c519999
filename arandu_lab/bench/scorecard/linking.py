"""Which gold fact each read, stated and stored fact stands for, and which gold entity each key.

By provenance: a fact is compared with the gold of the turn that it came from and with no other, one to one. What is left
over and still says a fact of that turn says it *again*: it repeats, it does not invent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from arandu_lab.bench.data.model import Conversation, GoldFact, GoldTurn
from arandu_lab.bench.scorecard.dossier import Dossier, Heard, ReadFact
from arandu_lab.bench.scorecard.lives import Life, lives_of, roots_of
from arandu_lab.pure.matching import likeness, match_facts
from arandu_lab.pure.text import ident, words

_NOTHING = GoldTurn()


@dataclass(frozen=True)
class Gold:
    """The gold of a conversation, looked up by id, by turn and over time."""

    conversation: Conversation
    lives: Mapping[str, Life]
    roots: Mapping[str, str]
    facts: Mapping[str, GoldFact]
    turn_of: Mapping[str, str]
    cast: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        conversation: Conversation,
        operations: Iterable[Mapping[str, Any]] | None = None,
        cast: Mapping[str, str | None] | None = None,
    ) -> Gold:
        """The gold of a conversation; ``operations`` are a world's truth, ``cast`` leads from shown names to entities."""
        gold = conversation.gold or {}
        placed = [(turn.id, fact) for turn in conversation.turns if turn.id in gold for fact in gold[turn.id].facts]
        return cls(
            conversation=conversation,
            lives=lives_of(conversation, operations),
            roots=roots_of(conversation),
            facts={fact.id: fact for _, fact in placed},
            turn_of={fact.id: turn for turn, fact in placed},
            cast={shown: name for shown, name in (cast or {}).items() if name is not None},
        )

    def turn(self, turn_id: str) -> GoldTurn:
        """What a turn states; empty where it states nothing."""
        return (self.conversation.gold or {}).get(turn_id, _NOTHING)

    def table(self, turn_id: str) -> dict[str, str]:
        """Folded name or alias -> canonical name, as the turn means it; who speaks is known by the name shown."""
        if turn_id not in self._tables:
            gold = self.turn(turn_id)
            about = {fact.subject for fact in gold.facts} | {entity.name for entity in gold.entities}
            table = {name: one for name, some in self._bearers.items() if (one := _meant(some, about)) is not None}
            if (speaker := self.speakers.get(turn_id, "")) in self.cast:
                table[" ".join(words(speaker))] = self.cast[speaker]
            for entity in gold.entities:
                table.setdefault(" ".join(words(entity.mention)), entity.name)
            self._tables[turn_id] = table
        return self._tables[turn_id]

    @cached_property
    def _tables(self) -> dict[str, dict[str, str]]:
        return {}

    @cached_property
    def _bearers(self) -> dict[str, set[str]]:
        """Folded name -> the entities that bear it."""
        out: dict[str, set[str]] = {}
        for entity in self.conversation.entities:
            for name in (entity.name, *entity.aliases):
                out.setdefault(" ".join(words(name)), set()).add(entity.name)
        return out

    def said(self, root: str, by: datetime | None = None) -> list[str]:
        """Ids of the gold facts that state a root (begin or repeat it), in order, told by a moment."""
        return [
            one
            for one in self.restated.get(root, [])
            if by is None or self.moments[self.turn_of[one]] <= by
        ]  # fmt: skip

    @cached_property
    def restated(self) -> dict[str, list[str]]:
        """Root -> the gold facts that begin or repeat it, in order of telling."""
        out: dict[str, list[str]] = {}
        for fact_id, root in self.roots.items():
            if self.facts[fact_id].decision != "DELETE":
                out.setdefault(root, []).append(fact_id)
        return out

    @cached_property
    def moments(self) -> dict[str, datetime]:
        """Turn id -> when it was said."""
        return {turn.id: turn.occurred_at for turn in self.conversation.turns}

    @cached_property
    def speakers(self) -> dict[str, str]:
        """Turn id -> the name shown of who said it."""
        return {turn.id: turn.speaker for turn in self.conversation.turns}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Turn id -> its words."""
        return {turn.id: turn.text for turn in self.conversation.turns}

    def over(self, root: str, at: datetime) -> bool:
        """Whether a fact tells of something that happened and is over: it stays true, though it holds no more."""
        life = self.lives.get(root)
        return root in self.facts and self.facts[root].slot == "event" and life is not None and not life.holds(at, at)

    def day(self, turn_id: str) -> date:
        """The local day of a turn."""
        return self.moments[turn_id].date()


@dataclass(frozen=True, slots=True)
class Pairs:
    """Positions of found facts -> gold fact: one to one, and those that say one of them again."""

    first: Mapping[int, str] = field(default_factory=dict)
    again: Mapping[int, str] = field(default_factory=dict)

    def any(self, position: int) -> str | None:
        """The gold fact of a position, said for the first time or again."""
        return self.first.get(position) or self.again.get(position)

    def any_of(self, fact: str) -> tuple[int, ...]:
        """The positions that say a gold fact, the one that says it first in front."""
        both = (*self.first.items(), *self.again.items())
        return tuple(place for place, told in both if told == fact)


@dataclass(frozen=True, slots=True)
class Links:
    """All that leads from a dossier to the gold: read and stated facts by turn, rows by id."""

    read: Mapping[str, Pairs]
    stated: Mapping[str, Pairs]
    rows: Mapping[str, str]


def paired(found: Sequence[ReadFact], gold: Sequence[GoldFact], table: Mapping[str, str]) -> Pairs:
    """Found facts beside the gold facts of their turn; mirrors take only what stated facts left."""
    if not found or not gold:
        return Pairs()
    told = [f"{one.subject} {one.text}" for one in found] + [f"{fact.subject} {fact.text}" for fact in gold]
    said = f" {' '.join(word for text in told for word in words(text))} "
    table = {name: full for name, full in table.items() if f" {name} " in said}
    first: dict[int, str] = {}
    for mirrors in (False, True):
        some = [place for place, fact in enumerate(found) if (fact.context is not None) is mirrors]
        open_ = [fact for fact in gold if fact.id not in first.values()]
        if not some or not open_:
            continue
        matching = match_facts(
            [(found[place].subject, found[place].text) for place in some],
            [(fact.subject, fact.text) for fact in open_],
            aliases=table,
            values=[fact.value for fact in open_],
        )
        first |= {some[one]: open_[other].id for one, other in matching.pairs}
    again: dict[int, str] = {}
    for place, fact in enumerate(found):
        if place not in first:
            close = [
                (likeness((fact.subject, fact.text), (g.subject, g.text), aliases=table, value=g.value), -order, g.id)
                for order, g in enumerate(gold)
            ]
            best = max(close)
            if best[0] > 0:
                again[place] = best[2]
    return Pairs(first, again)


def linked(dossier: Dossier, gold: Gold) -> Links:
    """The links of a dossier. ``dossier.ids`` (gold id -> row) comes first where it says something."""
    read: dict[str, Pairs] = {}
    stated: dict[str, Pairs] = {}
    rows: dict[str, str] = {}
    for heard in dossier.heard:
        facts = gold.turn(heard.turn).facts
        table = gold.table(heard.turn) if facts else {}
        read[heard.turn] = paired(heard.facts, facts, table)
        stated[heard.turn] = paired(heard.stated, facts, table)
        for made in heard.made:
            told = stated[heard.turn].any(made.position)
            if told is not None and made.fact_id is not None and made.action in ("ADD", "UPDATE"):
                rows.setdefault(made.fact_id, told)
    rows |= {row: fact for fact, row in reversed(dossier.ids.items())}
    loose: dict[str, list[tuple[str, ReadFact]]] = {}
    for row in dossier.rows:
        if row.fact_id not in rows and row.turn is not None and gold.turn(row.turn).facts:
            one = ReadFact(subject=row.name, text=row.text, context=row.context)
            loose.setdefault(row.turn, []).append((row.fact_id, one))
    for turn_id, some in loose.items():
        pairs = paired([one for _, one in some], gold.turn(turn_id).facts, gold.table(turn_id))
        rows |= {fact_id: told for place, (fact_id, _) in enumerate(some) if (told := pairs.any(place))}
    return Links(read, stated, rows)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a turn names, and the key that the name was given. ``named``: somebody read the name at all."""

    turn: str
    entity: str
    mention: str
    speaker: bool
    named: bool
    key: str | None
    how: str | None


def mentions(dossier: Dossier, gold: Gold) -> list[Mention]:
    """Every name of the gold, and the speaker of each turn that states something of her or him."""
    out: list[Mention] = []
    for heard in dossier.heard:
        told, shown = gold.turn(heard.turn), gold.speakers.get(heard.turn, "")
        table = gold.table(heard.turn)
        wanted = [(entity.name, entity.mention, False) for entity in told.entities]
        speaker = table.get(" ".join(words(shown)))
        about = {fact.subject for fact in told.facts} | {name for r in told.relations for name in (r.source, r.target)}
        if speaker is not None and speaker in about:
            wanted.append((speaker, shown, True))
        out += [_mention(heard, name, mention, speaks, table) for name, mention, speaks in wanted]
    return out


def owners(found: Iterable[Mention]) -> tuple[dict[str, str], dict[str, str]]:
    """Key -> the entity it mostly stands for; entity -> the key it mostly goes by. Ties to whoever came first."""
    keys: dict[str, Counter[str]] = {}
    entities: dict[str, Counter[str]] = {}
    for one in found:
        if one.key is not None:
            keys.setdefault(one.key, Counter())[one.entity] += 1
            entities.setdefault(one.entity, Counter())[one.key] += 1
    return (
        {key: count.most_common(1)[0][0] for key, count in keys.items()},
        {entity: count.most_common(1)[0][0] for entity, count in entities.items()},
    )


def _meant(bearers: set[str], about: set[str]) -> str | None:
    """Who is meant by a name: its one bearer, or the one of several that the turn is about."""
    some = bearers if len(bearers) == 1 else bearers & about
    return next(iter(some)) if len(some) == 1 else None


def _mention(heard: Heard, entity: str, mention: str, speaks: bool, table: Mapping[str, str]) -> Mention:
    wanted = ident(mention)
    tests = (
        lambda one: ident(one.name) == wanted,
        lambda one: speaks and one.how == "speaker",
        lambda one: wanted in map(ident, one.aliases),
        lambda one: ident(one.name) == ident(entity),
        lambda one: table.get(" ".join(words(one.name))) == entity,
    )
    for test in tests:
        for one in heard.resolved:
            if test(one):
                return Mention(heard.turn, entity, mention, speaks, True, one.key, one.how)
    return Mention(heard.turn, entity, mention, speaks, False, None, None)
