"""What derived rows rest on, and what is left of them when a part of that goes. Rows in, rows out.

Provenance decides, not words: what was made from something that goes is made anew from what is left, or goes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arandu_lab.pure import versions
from arandu_lab.records import MARK, MIRROR, Cluster, Fact, Observation, Relationship, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a journal tells of where rows come from.

    ``told`` maps a fact to the events that state it (its source, and turns that confirmed it); ``learnt`` maps a row (by
    ``forgetting.name_of``) to the event whose reading brought it first. ``wrote`` maps the key of an entity and a text of
    it to the event whose reading wrote it as a profile first (None: a job or an edit) and the number of that unit; ``born`` maps
    a fact to the number of the unit that it came with.
    """

    told: Mapping[str, Iterable[str]] = field(default_factory=dict)
    learnt: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    wrote: Mapping[tuple[str, str], tuple[str | None, int]] = field(default_factory=dict)
    born: Mapping[str, int] = field(default_factory=dict)

    def states(self, event_id: str, fact: Fact) -> bool:
        """Whether a turn states a fact."""
        return event_id in (fact.source_event_id, *self.told.get(fact.id, ()))

    def rests(self, key: str, text: str, about: Iterable[Fact], event_gone: Callable[[str], bool]) -> bool:
        """Whether a text of an entity rests on one of the facts ``about`` it that go, or on a turn that goes.

        What the reading of a turn wrote rests on the turn and the facts it states. Any other text rests on every fact
        about the entity that was known when it was written; on all of them where nobody knows when that was.

        >>> sources = Sources(wrote={("k", "Bakes."): (None, 7)})
        >>> sources.rests("k", "Bakes.", [], lambda event: True), sources.rests("k", "Runs.", [], lambda event: True)
        (False, False)
        """
        event, unit = self.wrote.get((key, text), (None, None))
        if event is not None:
            return event_gone(event) or any(self.states(event, fact) for fact in about)
        return any(unit is None or self.born.get(fact.id, unit) <= unit for fact in about)


def evidence_of(row: Row) -> tuple[str, ...]:
    """Ids of the facts and turns that a row cites as its ground."""
    match row:
        case Fact():
            return row.premise_ids
        case Relationship():
            return row.evidence_fact_ids
        case Cluster():
            return row.fact_ids
        case Observation():
            return row.evidence_ids
        case _:
            return ()


def edge_left(
    edge: Relationship, left: Sequence[str], fact: Callable[[str], Fact | None], others: Iterable[Relationship]
) -> Relationship:
    """The edge on what is left of its evidence, with dates of that only; closed where none of it is open.

    It begins and ends where it did if something that is left does, else with the first and the last of that, between the
    versions of the edge beside it (``others``). Nobody knew it before one of these was known.
    """
    trimmed = replace(edge, evidence_fact_ids=tuple(left))
    known = [found for i in left if (found := fact(i)) is not None]
    grounds = [one for one in known if one.source_context != MIRROR] or known
    if grounds:
        begun = [one.valid_from for one in grounds]
        older = [one.valid_to for one in others if one.valid_to is not None and one.valid_to <= edge.valid_from]
        began = edge.valid_from if edge.valid_from in begun else max([min(begun), *older])
        heard = max(one.last_confirmed_at or one.valid_from for one in grounds)
        trimmed = replace(
            trimmed,
            valid_from=began,
            valid_to=edge.valid_to and max(edge.valid_to, began),
            recorded_at=max(edge.recorded_at, min(one.recorded_at for one in grounds)),
            last_confirmed_at=edge.last_confirmed_at and heard,
        )
    return trimmed if versions.stands(trimmed, fact) else _fallen(trimmed, grounds, others)


def _fallen(edge: Relationship, grounds: Iterable[Fact], others: Iterable[Relationship]) -> Relationship:
    """The edge ended with the last of its grounds, before a later version begins."""
    ends = [one.valid_to for one in grounds if one.valid_to is not None]
    if edge.valid_to in ends:
        return edge
    last = max(ends, default=edge.valid_to or edge.valid_from)
    end = min([last, *(one.valid_from for one in others if one.valid_from > edge.valid_from)])
    return versions.fall(edge, end) if edge.valid_to is None else replace(edge, valid_to=max(end, edge.valid_from))


def fact_left(one: Fact, premises: Sequence[Fact], event_gone: Callable[[str], bool]) -> Fact:
    """A concluded fact on the premises that are left; told by the newest of them where the turn that it came from goes."""
    left = replace(one, premise_ids=tuple(premise.id for premise in premises))
    if not premises or not event_gone(one.source_event_id):
        return left
    newest = max(premises, key=lambda premise: (premise.valid_from, premise.id))
    return replace(
        left,
        valid_from=newest.valid_from,
        valid_to=one.valid_to and max(one.valid_to, newest.valid_from),
        speaker=newest.speaker,
        source_event_id=newest.source_event_id,
        last_confirmed_at=newest.last_confirmed_at or newest.valid_from,
    )


def observation_left(row: Observation, left: Collection[str], said: Sequence[str]) -> Observation | None:
    """An observation on what is left of its evidence, saying only what that says; None where it cannot.

    A contradiction needs both its sides. What a job makes anew from the whole, at its next run, has ``details`` and goes.
    A mark of what was looked at says nothing.

    >>> from datetime import UTC, datetime
    >>> row = Observation(id="o", agent_id="a", kind="pattern", text="Ana likes cats and tea", confidence=0.5,
    ...                   evidence_ids=("f", "g"), recorded_at=datetime(2025, 1, 1, tzinfo=UTC))
    >>> observation_left(row, ["g"], ["Ana likes tea"]).text
    'Ana likes tea'
    """
    trimmed = replace(row, evidence_ids=tuple(left))
    if row.kind == MARK:
        return trimmed
    if row.kind == "contradiction" or row.details is not None or not said:
        return None
    return replace(trimmed, text="; ".join(dict.fromkeys(said)), vector=None)
