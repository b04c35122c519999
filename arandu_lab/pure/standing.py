"""Marks of doubt: when a premise ends, what rests on it is marked for review, and what rests on that, and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from arandu_lab.records import Fact, Row


def doubted(
    rows: Iterable[Row],
    fact: Callable[[str], Fact | None],
    resting_on: Callable[[str], Sequence[Fact]],
    at: datetime,
) -> tuple[Fact, ...]:
    """Facts to mark because of a unit of work: open ones that rest, through whatever chain, on a fact that it ends.

    Args:
        rows: the unit's images. Facts in it are as they will be.
        fact: a fact as it was before, by id.
        resting_on: the facts that have one among their premises, as they were before.
        at: when the doubt began.

    Returns:
        Images with ``stale_since`` and ``stale_why = "premise"``, each once, in the order in which doubt reached them. What
        is marked already, or ends itself, is not among them; nor is what the unit says anew (it has just been heard).
    """
    after = {row.id: row for row in rows if isinstance(row, Fact)}
    queue = [one.id for one in after.values() if ended(one, fact(one.id))]
    seen, found = set(queue), list[Fact]()
    while queue:
        premise = queue.pop(0)
        for resting in resting_on(premise):
            now = after.get(resting.id, resting)
            if resting.id in seen or now.valid_to is not None or premise not in now.premise_ids:
                continue
            seen.add(resting.id)
            queue.append(resting.id)
            heard = resting.id in after and after[resting.id].reinforcement_count > resting.reinforcement_count
            if now.stale_since is None and not heard:
                found.append(replace(now, stale_since=at, stale_why="premise"))
    return tuple(found)


def ended(after: Fact, before: Fact | None) -> bool:
    """Whether a unit of work ends a fact: it has an end now that it had not, and not one that was told with it.

    >>> from datetime import UTC
    >>> may = datetime(2025, 5, 1, tzinfo=UTC)
    >>> told = Fact(id="f", agent_id="a", entity_key="k", entity_name="n", text="t", confidence=1.0, importance=1.0,
    ...             category="unknown", speaker="s", source_event_id="e", valid_from=may, recorded_at=may)
    >>> ended(replace(told, valid_to=may, closed_by="update"), told), ended(told, told)
    (True, False)
    """
    if after.valid_to is None or after.closed_by == "stated":
        return False
    return before is None or before.valid_to != after.valid_to
