"""From episodes to general knowledge: new facts that follow from several told ones, with these as their premises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from arandu_lab.jobs.drafted import as_kind, becoming, grown, looked_at, noted
from arandu_lab.jobs.flow import Asked, Worked, ask_each, digest, digest_of, left, shown
from arandu_lab.llm import job_tasks
from arandu_lab.llm.job_tasks import DistilledItem
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.pure import ids, versions
from arandu_lab.pure.reviewing import DISTILLED, LEAST
from arandu_lab.pure.text import names_in, normal, words
from arandu_lab.pure.versions import is_open
from arandu_lab.records import MIRROR, UNSTAMPED, Entity, Fact, Link, Observation, Relationship, Row, Skipped
from arandu_lab.units import Count, Positive, Seconds, Share

WHAT = "distil"

CATEGORIES = {"semantic": "stable_preference", "procedural": "routine_activity"}
"""What kind of a statement a distilled fact is: what somebody is like or does in general, or how something is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilAsked(Worked):
    """The entities that were asked about, the episodes shown of each, and what a model said."""

    entities: tuple[Entity, ...] = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    said: tuple[Asked, ...] = ()


LONGEST = 300
"""Characters of a distilled fact."""


@stage
async def ask_distilled(
    worked: Worked,
    lab: Lab,
    *,
    profile_language: str,
    profile_max_facts: Count,
    job_timeout_sec: Seconds,
    distil_batch: Positive = 50,
) -> DistilAsked:
    """One question for each entity of which something was told since it was last asked about, the most important first.

    Shown are the newest facts told of it on two dates and more, what is past and what is stale for its vitality too: that
    is what is worth keeping in another form before it sinks. Plans that lie ahead, what only mirrors an edge, and what an
    ended premise leaves in doubt are not shown. At most ``distil_batch`` entities a run; the others wait for the next.
    """
    seen, now_is = looked_at(lab, WHAT), becoming(worked, lab)
    due: list[tuple[Entity, tuple[Fact, ...], tuple[Fact, ...]]] = []
    facts = lab.memory.facts
    there = facts.live(as_of=lab.now) | facts.recounted
    for entity in sorted(lab.memory.entities(), key=lambda one: -one.importance):
        told, known = _told(lab, entity, there, now_is)
        told = told[-profile_max_facts:] if profile_max_facts else ()
        dates = {fact.valid_from.date() for fact in told}
        if len(dates) >= LEAST and digest_of(seen.get(entity.key)) != _made_from(told, profile_language):
            due.append((entity, told, known))
    asked = due[:distil_batch]
    lab.log(entities=len(asked), waiting=len(due) - len(asked))
    inputs = [
        {
            "name": entity.name,
            "type": entity.type,
            "facts": [
                {**line, "times": fact.reinforcement_count + 1} for line, fact in zip(shown(told), told, strict=True)
            ],
            "known": [{"i": i, "text": fact.text} for i, fact in enumerate(known)],
            "language": profile_language,
        }
        for entity, told, known in asked
    ]
    said = await ask_each(lab, job_tasks.distil(), inputs, timeout=job_timeout_sec)
    more = len(due) - len(asked)
    waiting = (left(f"episodes of {more} entities", "they wait for the next run"),) if more else ()
    return as_kind(
        DistilAsked,
        grown(worked, (), {}, waiting),
        entities=tuple(entity for entity, *_ in asked),
        facts=tuple(told for _, told, _ in asked),
        said=said,
    )


@stage
def conclude(
    worked: Worked,
    lab: Lab,
    *,
    importance_values: Mapping[str, Share],
    entity_min_chars: Count,
    profile_language: str,
    distilled_confidence: Share = 0.80,
    most_distilled: Positive = 8,
) -> Worked:
    """Write down what follows from at least two facts of two dates: a new fact, its links, its premises.

    It holds from the date of its newest premise, is told by that one's speaker and turn, and is no surer than the answer,
    ``distilled_confidence``, or its second surest premise (two are enough to bear it). What is known by the same words
    already gains the premises that are new to it; what was taken back after they were told stays so. A number that no
    premise has is refused.
    """
    if not isinstance(worked, DistilAsked):
        return worked
    concluding = _Concluding(worked, lab, importance_values, entity_min_chars, distilled_confidence)
    seen = looked_at(lab, WHAT)
    notes: list[Observation] = []
    for entity, told, asked in zip(worked.entities, worked.facts, worked.said, strict=True):
        if asked.answer is None:
            concluding.skipped.append(left(f"episodes of {entity.name}", asked.why))
            continue
        for item in asked.answer.facts[:most_distilled]:
            concluding.take(entity, told, item)
        if (more := len(asked.answer.facts) - most_distilled) > 0:
            why = f"{most_distilled} are the most a run takes"
            concluding.skipped.append(left(f"{more} conclusions about {entity.name}", why))
        made_from = _made_from(told, profile_language)
        notes.append(noted(worked.agent_id, WHAT, entity.key, made_from, seen.get(entity.key)))
    rows: list[Row] = [*concluding.facts.values(), *concluding.links, *notes]
    return grown(worked, rows, {"facts_distilled": len(concluding.new)}, concluding.skipped)


@stage
def strengthen_edges(worked: Worked, lab: Lab, *, relation_reinforcement: Share) -> Worked:
    """Strengthen the open edges that rest on a premise of a new distilled fact, once a run.

    Their evidence stays what states them: an edge must fall with that, whatever was concluded beside it.
    """
    new = [row for row in worked.rows if isinstance(row, Fact) and row.source_context == DISTILLED]
    new = [fact for fact in new if lab.memory.fact(fact.id) is None]
    borne = {premise for fact in new for premise in fact.premise_ids}
    drafted = {row.id: row for row in worked.rows if isinstance(row, Relationship)}
    edges = [drafted.get(edge.id, edge) for edge in lab.memory.edges()] if borne else []
    at = max((fact.valid_from for fact in new), default=lab.now)
    rows = [
        versions.reinforced(edge, (), relation_reinforcement, at)
        for edge in edges
        if edge.valid_to is None and not borne.isdisjoint(edge.evidence_fact_ids)
    ]
    return grown(worked, rows, {"edges_reinforced": len(rows)})


class _Concluding:
    """Distilled facts as they come; each answer is weighed against what is stored and what came before it."""

    def __init__(
        self, worked: Worked, lab: Lab, importance_values: Mapping[str, float], min_chars: int, most_sure: float
    ) -> None:
        self.lab, self.agent_id, self.now_is = lab, worked.agent_id, becoming(worked, lab)
        self.importance_values, self.min_chars, self.most_sure = importance_values, min_chars, most_sure
        self.names = {folded: keys[0] for folded, keys in lab.memory.aliases().items() if len(keys) == 1}
        self.facts: dict[str, Fact] = {}
        self.new: list[Fact] = []
        self.links: list[Link] = []
        self.skipped: list[Skipped] = []

    def take(self, entity: Entity, told: Sequence[Fact], item: DistilledItem) -> None:
        """One answer: a new fact, more premises for a known one, or a reason why not."""
        premises = [told[place] for place in dict.fromkeys(item.premises) if 0 <= place < len(told)]
        text = " ".join(item.text.split())
        why = self._refused(text, premises, len(item.premises))
        same = self._same(entity, text)
        newest = max(premises, key=lambda one: (one.valid_from, one.id), default=None)
        if not why and newest is not None and any(_taken_back(one, newest) for one in same):
            why = "it was taken back"
        if why or newest is None:
            self.skipped.append(left(text, why or "no premise"))
            return
        known = next((one for one in same if is_open(one, self.lab.now)), None)
        if known is None:
            self._add(entity, text, item, premises, newest)
        elif known.source_context == DISTILLED:
            self._heard(known, premises, newest)
        else:
            self.skipped.append(left(text, "somebody said so already"))

    def _refused(self, text: str, premises: Sequence[Fact], named: int) -> str:
        if not words(text):
            return "it has no words"
        if len(text) > LONGEST:
            return f"{len(text)} characters; {LONGEST} are the most"
        if len(premises) < LEAST or len({one.valid_from.date() for one in premises}) < LEAST:
            return f"it follows from {len(premises)} of the facts shown ({named} named); two of two dates are wanted"
        said = {number for one in premises for number in re.findall(r"\d+", one.text)}
        made_up = [number for number in re.findall(r"\d+", text) if number not in said]
        return f"no premise says {made_up[0]}" if made_up else ""

    def _same(self, entity: Entity, text: str) -> list[Fact]:
        """Every fact about the entity in these words, open or closed."""
        places = self.lab.memory.linked(entity.key)
        stored = (self.lab.memory.fact_at(int(place)) for place in places)
        facts = [*(self.facts.get(one.id) or self.now_is(one.id) or one for one in stored), *self.new]
        return [one for one in facts if one.entity_key == entity.key and normal(one.text) == normal(text)]

    def _add(self, entity: Entity, text: str, item: DistilledItem, premises: Sequence[Fact], newest: Fact) -> None:
        category = CATEGORIES[item.kind]
        fact = Fact(
            id=ids.derive("distilled", self.agent_id, entity.key, newest.id, normal(text)),
            agent_id=self.agent_id,
            entity_key=entity.key,
            entity_name=entity.name,
            text=text,
            confidence=min(item.confidence, self.most_sure, sorted(one.confidence for one in premises)[-LEAST]),
            importance=self.importance_values.get(category, 0.5),
            category=category,
            speaker=newest.speaker,
            source_event_id=newest.source_event_id,
            valid_from=newest.valid_from,
            recorded_at=UNSTAMPED,
            source_context=DISTILLED,
            last_confirmed_at=newest.last_confirmed_at or newest.valid_from,
            premise_ids=tuple(one.id for one in premises),
        )
        self.facts[fact.id] = fact
        self.new.append(fact)
        for key in dict.fromkeys((entity.key, *names_in(text, self.names, min_chars=self.min_chars))):
            own = key == entity.key
            self.links.append(
                Link(fact_id=fact.id, agent_id=self.agent_id, entity_key=key, primary=own, recorded_at=UNSTAMPED)
            )

    def _heard(self, known: Fact, premises: Sequence[Fact], newest: Fact) -> None:
        """A known distilled fact borne out by more."""
        more = tuple(one.id for one in premises if one.id not in known.premise_ids)
        if more and known.id not in {one.id for one in self.new}:
            at = newest.last_confirmed_at or newest.valid_from
            self.facts[known.id] = replace(versions.confirmed(known, at), premise_ids=(*known.premise_ids, *more))


def _told(
    lab: Lab, entity: Entity, there: Mask, now_is: Callable[[str], Fact | None]
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """What was told of an entity, oldest first, and what was distilled of it before."""
    places = lab.memory.linked(entity.key)
    stored = (lab.memory.fact_at(int(place)) for place in places[there[places]])
    rows = [now_is(one.id) or one for one in stored]
    own = [one for one in rows if one.entity_key == entity.key and (is_open(one, lab.now) or one.closed_by == "stated")]
    told = [one for one in own if one.source_context not in (DISTILLED, MIRROR) and one.stale_why != "premise"]
    told = [one for one in told if one.valid_from <= lab.now and not ahead(one, lab.now.date().isoformat())]
    known = tuple(one for one in own if one.source_context == DISTILLED)
    return tuple(sorted(told, key=lambda one: (one.valid_from, one.id))), known


def ahead(fact: Fact, today: str) -> bool:
    """Whether a fact tells of something whose date lies ahead: a plan, as it keeps its date in ``event_time``.

    A month or a year lies ahead as long as it has a day left.

    Args:
        today: an ISO date.
    """
    end = (fact.event_time or "").rpartition("/")[2][:10]
    then = today[: len(end)]
    return bool(end) and (end > then or (end == then and len(end) < len(today)))


def _taken_back(old: Fact, newest: Fact) -> bool:
    """Whether a statement was ended, by more than that another says the same, after the newest premise was told."""
    return (
        old.valid_to is not None and old.closed_by not in ("stated", "duplicate") and old.valid_to >= newest.valid_from
    )


def _made_from(told: Sequence[Fact], language: str) -> str:
    return digest([fact.id for fact in told], language)
