"""What rests on what: a model says which facts of an entity hold only while others do, and what lost its ground is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arandu_lab.jobs.drafted import as_kind, becoming, grown, holding, looked_at, noted
from arandu_lab.jobs.flow import Asked, Worked, ask_each, digest, digest_of, left, shown
from arandu_lab.llm import job_tasks
from arandu_lab.llm.job_tasks import PremisesAnswer
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.pure.reviewing import DISTILLED, reviewed
from arandu_lab.pure.versions import is_open
from arandu_lab.records import Entity, Fact, Observation, Skipped
from arandu_lab.units import Count, Positive, Seconds

WHAT = "premises"


@dataclass(frozen=True, slots=True, kw_only=True)
class PremisesAsked(Worked):
    """The entities that were asked about, the facts shown of each, and what a model said."""

    entities: tuple[Entity, ...] = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    said: tuple[Asked, ...] = ()


@stage
async def ask_premises(
    worked: Worked, lab: Lab, *, profile_max_facts: Count, job_timeout_sec: Seconds, premises_batch: Positive = 50
) -> PremisesAsked:
    """One question for each entity whose facts have changed since it was last asked about, the most important first.

    Shown are its facts and those that mention it, without distilled ones (their premises are known) and without those
    in doubt. At most ``premises_batch`` entities a run; the others wait for the next.
    """
    seen = looked_at(lab, WHAT)
    there, now_is = lab.memory.facts.live(as_of=lab.now), becoming(worked, lab)
    due: list[tuple[Entity, tuple[Fact, ...]]] = []
    for entity in sorted(lab.memory.entities(), key=lambda one: -one.importance):
        told = _told(lab, entity, profile_max_facts, there, now_is)
        own = any(fact.entity_key == entity.key for fact in told)
        if own and len(told) > 1 and digest_of(seen.get(entity.key)) != _made_from(told):
            due.append((entity, told))
    asked = due[:premises_batch]
    lab.log(entities=len(asked), waiting=len(due) - len(asked))
    inputs = [{"name": entity.name, "type": entity.type, "facts": shown(told)} for entity, told in asked]
    said = await ask_each(lab, job_tasks.premises(), inputs, timeout=job_timeout_sec)
    entities, facts = tuple(entity for entity, _ in asked), tuple(told for _, told in asked)
    more = len(due) - len(asked)
    waiting = (left(f"premises of {more} entities", "they wait for the next run"),) if more else ()
    return as_kind(PremisesAsked, grown(worked, (), {}, waiting), entities=entities, facts=facts, said=said)


@stage
def take_premises(worked: Worked, lab: Lab) -> Worked:
    """Write down the premises that were named: each on its fact, beside those that it has and that still hold.

    What a fact rests on already, through whatever chain, never comes to rest on it: such an answer is left out and told.
    """
    if not isinstance(worked, PremisesAsked):
        return worked
    taking = _Taking(worked, lab)
    seen = looked_at(lab, WHAT)
    notes: list[Observation] = []
    for entity, told, asked in zip(worked.entities, worked.facts, worked.said, strict=True):
        if asked.answer is None:
            taking.skipped.append(left(f"premises of {entity.name}", asked.why))
            continue
        taking.take(entity, told, asked.answer)
        notes.append(noted(worked.agent_id, WHAT, entity.key, _made_from(told), seen.get(entity.key)))
    return grown(worked, (*taking.changed(), *notes), {}, taking.skipped)


@stage
def review(worked: Worked, lab: Lab) -> Worked:
    """Mark what lost its ground, also by an end that was told and has passed; unmark what stands on others after all."""
    held = holding(worked, lab)
    changed = reviewed(held, becoming(worked, lab), lab.now, held)
    was = {one.id: one for one in held}
    marked = sum(one.stale_why == "premise" and was[one.id].stale_since is None for one in changed)
    freed = sum(one.stale_since is None and was[one.id].stale_since is not None for one in changed)
    lab.log(marked=marked, freed=freed)
    return grown(worked, changed, {"facts_marked_stale": marked, "facts_unmarked": freed})


class _Taking:
    """Premises as they grow by answers: of every fact that has some, by id."""

    def __init__(self, worked: Worked, lab: Lab) -> None:
        self.lab, self.fact = lab, becoming(worked, lab)
        self.rests: dict[str, tuple[str, ...]] = {
            one.id: one.premise_ids for one in holding(worked, lab) if one.premise_ids
        }
        self.skipped: list[Skipped] = []
        self.touched: dict[str, None] = {}

    def take(self, entity: Entity, told: Sequence[Fact], answer: PremisesAnswer) -> None:
        for item in answer.rests:
            for ground in dict.fromkeys(item.on):
                if 0 <= item.i < len(told) and 0 <= ground < len(told):
                    self._rest(told[item.i], told[ground])
                else:
                    self.skipped.append(left(f"premises of {entity.name}", f"no fact {item.i} or {ground} was shown"))

    def _rest(self, fact: Fact, premise: Fact) -> None:
        above = self._above(premise.id)
        if fact.id == premise.id or fact.id in above:
            self.skipped.append(left(fact.text, "it would rest on itself"))
            return
        before = self.rests.get(fact.id, ())
        if fact.id not in self.touched:
            before = tuple(i for i in before if (one := self.fact(i)) is not None and is_open(one, self.lab.now))
        self.touched[fact.id] = None
        self.rests[fact.id] = tuple(dict.fromkeys((*before, premise.id)))

    def _above(self, fact_id: str) -> set[str]:
        """Everything that a fact rests on."""
        found, queue = set[str](), [fact_id]
        while queue:
            fresh = [one for one in self.rests.get(queue.pop(), ()) if one not in found]
            found.update(fresh)
            queue += fresh
        return found

    def changed(self) -> list[Fact]:
        rows = []
        for fact_id in self.touched:
            fact = self.fact(fact_id)
            if fact is not None and fact.premise_ids != self.rests[fact_id]:
                rows.append(replace(fact, premise_ids=self.rests[fact_id]))
        return rows


def _told(lab: Lab, entity: Entity, most: int, there: Mask, now_is: Callable[[str], Fact | None]) -> tuple[Fact, ...]:
    """What is shown of an entity, in order of arrival: of many facts its own, the important and the newest."""
    memory = lab.memory
    places = memory.linked(entity.key)
    stored = [(int(place), memory.fact_at(int(place))) for place in places[there[places]]]
    facts = [(place, now_is(fact.id) or fact) for place, fact in stored]
    facts = [(place, fact) for place, fact in facts if is_open(fact, lab.now) and _grounded(fact)]
    best = sorted(facts, key=lambda pair: (pair[1].entity_key != entity.key, -pair[1].importance, -pair[0]))[:most]
    return tuple(fact for _, fact in sorted(best, key=lambda pair: pair[0]))


def _grounded(fact: Fact) -> bool:
    return fact.source_context != DISTILLED and fact.stale_why != "premise"


def _made_from(told: Sequence[Fact]) -> str:
    return digest([fact.id for fact in told])
