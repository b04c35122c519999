"""The stored versions among which news takes its place: the chain of what it replaces, and the history of its attribute."""

from __future__ import annotations

from datetime import UTC, datetime

from arandu_lab.pipeline.lab import View
from arandu_lab.pure.episodes import same_attribute, state
from arandu_lab.pure.versions import is_open
from arandu_lab.records import Fact

_ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)


def siblings(memory: View, row: Fact, updated: Fact | None, late: Fact | None, *, at: datetime) -> tuple[Fact, ...]:
    """Versions that a new row may have to give way to, or that give way to it.

    Of the row's entity: the chain of the fact that it replaces (``updated``) or is older than (``late``), and closed
    versions of the same attribute, where one has that once at a time. What is open at ``at`` and was not decided about
    is none of them: one decision touches one standing fact. A replacement is bounded by what was told with an end or came
    late, and one that is older than what it replaces by nothing.
    """
    target = updated or late
    if (
        updated is not None
        and row.valid_from < updated.valid_from
        and row.valid_from.date() != updated.valid_from.date()
    ):
        return (updated,)
    out = {target.id: target} if target is not None else {}
    if target is not None:
        out |= {one.id: one for one in memory.history(target.id) if one.entity_key == target.entity_key}
    about = row.entity_name
    told = state(row.text, about)
    if told is not None and told.single:
        linked = memory.linked(row.entity_key)
        for place in linked[~memory.facts.live(as_of=_ALWAYS)[linked]]:
            one = memory.fact_at(int(place))
            if one.entity_key != row.entity_key or is_open(one, at) or one.id in out:
                continue
            if updated is not None and one.closed_by not in ("stated", "late"):
                continue
            if same_attribute(row.text, one.text, about):
                out[one.id] = one
    return tuple(out.values())
