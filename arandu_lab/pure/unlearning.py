"""What of a workspace's knowledge must go when a fact or a sighting of it is forgotten (see ``pure/forgetting.py``).

A fact goes with the chain that it supersedes or is superseded by, with facts of the same words, with the sightings that
they cite, with conflicts and edges that name them, and with hot items that became them. A sighting goes with the facts that
cite nothing else. A policy goes when none of the facts it was drawn from is left. Notes are the agent's own words and stay,
but for the line that ``record_observation`` wrote of a sighting that goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from arandu_lab.knowledge import (
    AccessGrant,
    Domain,
    EpisodicEdge,
    HotItem,
    Knowledge,
    MemoryConflict,
    MemoryFact,
    MemoryPolicy,
    Sighting,
    WorkingMemory,
)
from arandu_lab.pure.text import normal
from arandu_lab.records import Row


class Unlearning:
    """What goes of the newest images of a workspace's rows: ids of facts and of sightings."""

    def __init__(self, newest: Iterable[Row]) -> None:
        rows = list(newest)
        self._facts = {row.id: row for row in rows if isinstance(row, MemoryFact)}
        self._sightings = {row.id: row for row in rows if isinstance(row, Sighting)}
        self.facts: set[str] = set()
        self.sightings: set[str] = set()

    def start(self, facts: Collection[str], sightings: Collection[str]) -> None:
        """Take away these, and what follows."""
        self.sightings |= self._sightings.keys() & set(sightings)
        self.facts |= self._facts.keys() & set(facts)
        self.facts |= {
            fact.id
            for fact in self._facts.values()
            if not self.sightings.isdisjoint(fact.source_observation_ids)
            and self.sightings.issuperset(fact.source_observation_ids)
        }
        before = -1
        while before != (before := len(self.facts)):
            said = {normal(self._facts[one].content) for one in self.facts} - {""}
            for fact in self._facts.values():
                tied = fact.superseded_by in self.facts or normal(fact.content) in said
                if fact.id in self.facts and fact.superseded_by in self._facts:
                    self.facts.add(str(fact.superseded_by))
                elif tied:
                    self.facts.add(fact.id)
        for one in self.facts:
            self.sightings.update(self._sightings.keys() & set(self._facts[one].source_observation_ids))

    def left(self, row: Knowledge) -> Knowledge | None:
        """What of a row may stay; None when nothing may."""
        match row:
            case MemoryFact():
                if row.id in self.facts:
                    return None
                cited = tuple(one for one in row.source_observation_ids if one not in self.sightings)
                return row if cited == row.source_observation_ids else replace(row, source_observation_ids=cited)
            case Sighting():
                return None if row.id in self.sightings else row
            case MemoryPolicy():
                grounds = tuple(one for one in row.source_fact_ids if one not in self.facts)
                if row.source_fact_ids and not grounds:
                    return None
                return row if grounds == row.source_fact_ids else replace(row, source_fact_ids=grounds)
            case HotItem():
                return None if row.promoted_to in self.facts else row
            case MemoryConflict():
                return None if not self.facts.isdisjoint((row.kept_id, row.lost_id)) else row
            case EpisodicEdge():
                return None if not self.facts.isdisjoint((row.source_id, row.target_id)) else row
            case WorkingMemory():
                noted = self._noted(row.agent)
                text = "\n".join(line for line in row.text.split("\n") if line not in noted)
                return row if text == row.text else replace(row, text=text)
            case Domain() | AccessGrant():
                return row

    def _noted(self, agent: str) -> set[str]:
        """The lines that the sightings of an agent which go left on its pad (``record_observation``)."""
        gone = (self._sightings[one] for one in self.sightings)
        return {pad_line(one.text) for one in gone if one.agent == agent}


def pad_line(text: str) -> str:
    """The line that an observation leaves on its agent's pad, and by which forgetting finds it again.

    >>> pad_line("The vault key\\nis kept")
    '- The vault key is kept'
    """
    return f"- {' '.join(text.split())}"


def told_by(row: Knowledge) -> tuple[str, ...]:
    """What a row of a workspace says in words."""
    match row:
        case MemoryFact():
            return (row.content, row.topic, row.retired_why or "")
        case MemoryPolicy():
            return (row.rule,)
        case Sighting():
            return (row.text, row.speaker or "")
        case HotItem():
            return (row.text, row.topic or "")
        case WorkingMemory():
            return (row.text,)
        case MemoryConflict():
            return (row.topic, *row.kept_evidence, *row.lost_evidence)
        case Domain() | AccessGrant() | EpisodicEdge():
            return ()
