"""A unit of work that grows from stage to stage: rows put over those drafted before, and facts as they will be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from arandu_lab.jobs.flow import Snapshot, Worked, details
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import ids
from arandu_lab.pure.forgetting import name_of
from arandu_lab.pure.versions import is_open
from arandu_lab.records import MARK, UNSTAMPED, Fact, Observation, Row, Skipped

W = TypeVar("W", bound=Worked)


@stage
def start_draft(snapshot: Snapshot, lab: Lab) -> Worked:
    """A unit of work in which nothing is changed yet."""
    return Worked(agent_id=snapshot.agent_id)


def grown(worked: Worked, rows: Iterable[Row], counts: Mapping[str, int], skipped: Iterable[Skipped] = ()) -> Worked:
    """The unit with more rows (an image of a row takes the place of the one before), figures added up, and more left."""
    images = {name_of(row): row for row in worked.rows}
    images.update((name_of(row), row) for row in rows)
    figures = dict(worked.counts)
    for name, number in counts.items():
        figures[name] = figures.get(name, 0) + number
    return Worked(
        agent_id=worked.agent_id,
        rows=tuple(images.values()),
        counts=tuple(figures.items()),
        skipped=(*worked.skipped, *skipped),
        idle=worked.idle,
    )


def as_kind(kind: type[W], worked: Worked, **more: object) -> W:
    """The unit as a kind of it that carries more, for the next stage."""
    held = {part.name: getattr(worked, part.name) for part in fields(Worked)}
    return kind(**held, **more)  # type: ignore[arg-type]


def becoming(worked: Worked, lab: Lab) -> Callable[[str], Fact | None]:
    """Any fact by id, as the unit leaves it."""
    drafted = {row.id: row for row in worked.rows if isinstance(row, Fact)}
    return lambda fact_id: drafted.get(fact_id) or lab.memory.fact(fact_id)


def holding(worked: Worked, lab: Lab) -> list[Fact]:
    """The facts that hold at ``lab.now`` when the unit is done, marked ones too, in order of arrival; new ones last."""
    memory = lab.memory
    drafted = {row.id: row for row in worked.rows if isinstance(row, Fact)}
    there = [memory.fact_at(int(place)) for place in memory.facts.live(as_of=lab.now).nonzero()[0]]
    known = {one.id for one in there}
    rows = [drafted.get(one.id, one) for one in there] + [one for one in drafted.values() if one.id not in known]
    return [one for one in rows if one.valid_from <= lab.now and is_open(one, lab.now)]


def looked_at(lab: Lab, what: str) -> dict[str, Observation]:
    """What a job noted when it last looked at each entity, by the entity's key."""
    found: dict[str, Observation] = {}
    for row in lab.memory.observations():
        if row.kind == MARK and row.details and row.invalidated_at is None:
            try:
                told = json.loads(row.details)
            except ValueError:
                continue
            if isinstance(told, dict) and told.get("what") == what and isinstance(told.get("of"), str):
                found[told["of"]] = row
    return found


def noted(agent_id: str, what: str, key: str, made_from: str, before: Observation | None) -> Observation:
    """The note that an entity was looked at, and from what; it takes the place of the one before."""
    row = before or Observation(
        id=ids.derive("looked at", agent_id, what, key),
        agent_id=agent_id,
        kind=MARK,
        text=MARK,
        confidence=1.0,
        evidence_ids=(),
        recorded_at=UNSTAMPED,
    )
    return replace(row, details=details(made_from, what=what, of=key))
