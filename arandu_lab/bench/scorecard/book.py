"""The book of a set: its conversation with the gold beside it, who speaks under which name, and what is sampled when.

It is loaded once, until its files say something else.

Gold stages and the scripted model read it, and so does nobody else: a system never sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, GoldFact, GoldTurn, Question
from arandu_lab.bench.data.registry import ENTRIES, digest, load
from arandu_lab.bench.world.truth import load_both
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.pure import ids
from arandu_lab.pure.text import ident, slug
from arandu_lab.systems.base import worded

INSTANTS = 10
"""States that are looked at where a set does not say when."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """A set as its author knows it. ``cast`` leads from a shown name to an entity; ``instants`` are in order of time."""

    path: str
    dataset: Dataset = field(repr=False)
    conversation: Conversation = field(repr=False)
    cast: Mapping[str, str]
    types: Mapping[str, str] = field(repr=False)
    instants: tuple[datetime, ...] = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.dataset.name

    @property
    def language(self) -> str:
        """``en`` or ``pt``."""
        return self.dataset.language.split("-")[0]

    def key(self, name: str) -> str:
        """The key of an entity by its canonical name: ``type:slug``."""
        return f"{self.types.get(name, 'concept')}:{slug(name)}"

    def gold(self, turn_id: str) -> GoldTurn:
        """What a turn states; nothing where the gold has no line of it."""
        return (self.conversation.gold or {}).get(turn_id, _NOTHING)

    def said(self, turn: DatedTurn, name: str) -> str:
        """The name under which a turn speaks of an entity: the shown one of its speaker, the first mention, or its own."""
        if self.cast.get(turn.speaker) == name:
            return turn.speaker
        mentions = (one.mention for one in self.gold(turn.id).entities if one.name == name)
        return next(mentions, name)

    def meant(self, turn: DatedTurn) -> dict[str, str]:
        """Folded name -> canonical name, for every name of :meth:`said`, every mention and the speaker of a turn."""
        gold = self.gold(turn.id)
        named = [(one.mention, one.name) for one in gold.entities]
        named += [(self.said(turn, name), name) for name in _spoken_of(gold)]
        if turn.speaker in self.cast:
            named.append((turn.speaker, self.cast[turn.speaker]))
        return {ident(said): name for said, name in named}

    @cached_property
    def turns(self) -> dict[str, DatedTurn]:
        """Turn id -> turn."""
        return {turn.id: turn for turn in self.conversation.turns}

    @cached_property
    def facts(self) -> dict[str, tuple[DatedTurn, int, GoldFact]]:
        """Gold fact id -> its turn, its place among the facts of that turn, and itself."""
        return {
            fact.id: (turn, place, fact)
            for turn in self.conversation.turns
            for place, fact in enumerate(self.gold(turn.id).facts)
        }

    @cached_property
    def roots(self) -> dict[str, str]:
        """Gold fact id -> the fact that it states, repeats or ends."""
        out: dict[str, str] = {}
        for fact_id, (_, _, fact) in self.facts.items():
            at = fact
            while at.decision in ("NOOP", "DELETE") and at.of in self.facts:
                at = self.facts[at.of][2]
            out[fact_id] = at.id
        return out

    def evidence(self, question: Question) -> tuple[str, ...]:
        """Roots of the facts that answer a question: those it names, else those its turns state."""
        if question.facts:
            return tuple(dict.fromkeys(self.roots[one] for one in question.facts if one in self.roots))
        told = (fact for turn in question.evidence for fact in self.gold(turn).facts)
        return tuple(dict.fromkeys(self.roots[fact.id] for fact in told))

    def asked(self, text: str, at: datetime) -> Question | None:
        """The question of those words at that moment."""
        return self._questions.get((text, at))

    @cached_property
    def _questions(self) -> dict[tuple[str, datetime], Question]:
        return {(one.text, one.asked_at): one for one in self.conversation.questions}

    def event(self, agent: str, turn: DatedTurn) -> str:
        """The id of a turn in the memory of an agent that hears this set."""
        return ids.event_id(agent, session(turn), turn.occurred_at, turn.speaker, worded(turn, "text+caption"))

    def turn_of(self, agent: str, event: str) -> DatedTurn:
        """The turn behind the id of an event.

        Raises:
            ConfigError: no turn of this set has it.
        """
        events = self._events.setdefault(agent, {})
        if not events:
            events.update({self.event(agent, turn): turn for turn in self.conversation.turns})
        if event not in events:
            raise ConfigError(f"book {self.path!r}: no turn of {self.name} is event {event!r} of agent {agent!r}")
        return events[event]

    @cached_property
    def _events(self) -> dict[str, dict[str, DatedTurn]]:
        return {}

    def row(self, agent: str, fact_id: str) -> str:
        """The id of the row that a gold fact becomes where it is stored as the gold has it: that of its root."""
        turn, place, _ = self.facts[self.roots[fact_id]]
        return ids.fact_id(self.event(agent, turn), place)


def session(turn: DatedTurn) -> str:
    """The session under which a turn is told to a memory: one a turn, so that no two turns are taken for one."""
    return f"{turn.session_id}/{turn.id}"


def open_book(path: str | Path) -> Book:
    """The book of a set with gold, by name or path; loaded once as long as its files stay the same.

    Raises:
        ConfigError: no such set, or one without gold or of several conversations.
        DatasetError: files that break their format.
    """
    if not str(path):
        raise ConfigError(f"book {str(path)!r}; wants the path of a set, or a name such as {next(iter(ENTRIES))!r}")
    try:
        known = digest(path)
    except DatasetError:  # no set of our own: loading it says what it is instead
        return _opened.__wrapped__(str(path), "")
    return _opened(str(path), known)


@lru_cache(maxsize=16)
def _opened(path: str, digest: str) -> Book:
    """The book of the files that have this digest."""
    dataset = load(path)
    if len(dataset.conversations) != 1 or dataset.conversations[0].gold is None:
        raise ConfigError(f"book {path!r}: wants a set of one conversation with gold; {dataset.name} is none")
    [conversation] = dataset.conversations
    zone = ZoneInfo(str(dataset.card["timezone"]))
    _, states = load_both(str(dataset.card["source"]))
    return Book(
        path=path,
        dataset=dataset,
        conversation=conversation,
        cast=_cast(dataset, conversation),
        types={entity.name: entity.type for entity in conversation.entities},
        instants=tuple(state.at for state in states or ()) or _midnights(conversation, zone),
    )


def _cast(dataset: Dataset, conversation: Conversation) -> dict[str, str]:
    """Shown name -> entity, as the set says it, else the one person known by that name."""
    out: dict[str, str] = {}
    for shown, entity in dict(dataset.card["speakers"]).items():
        persons = [one for one in conversation.entities if one.type == "person"]
        bearers = [one.name for one in persons if ident(shown) in map(ident, (one.name, *one.aliases))]
        if entity is not None or len(bearers) == 1:
            out[shown] = entity or bearers[0]
    return out


def _midnights(conversation: Conversation, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Evenly spaced local midnights from the second day to the one after the last turn."""
    days = [turn.occurred_at.astimezone(zone).date() for turn in conversation.turns]
    if not days:
        return ()
    long = (days[-1] - days[0]).days + 1
    chosen = dict.fromkeys(round(long * part / INSTANTS) or 1 for part in range(1, INSTANTS + 1))
    return tuple(datetime.combine(days[0] + timedelta(days=ahead), time(), tzinfo=zone) for ahead in chosen)


def _spoken_of(gold: GoldTurn) -> Iterator[str]:
    yield from (fact.subject for fact in gold.facts)
    yield from (end for edge in gold.relations for end in (edge.source, edge.target))


_NOTHING = GoldTurn()
