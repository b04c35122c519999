"""Versions of facts and edges: rows in, rows out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure import versions
from arandu_lab.records import MIRROR, UNSTAMPED, Changes, Decided, Fact, Relationship

NOW = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
moments = st.integers(-500, 500).map(lambda n: NOW + n * DAY)


def fact(id: str = "f", **more: Any) -> Fact:
    return Fact(
        id=id, agent_id="a", entity_key="person:ana", entity_name="Ana", text="Ana sings", confidence=0.95, importance=0.5,
        category="unknown", speaker="s", source_event_id="e", **{"valid_from": NOW, "recorded_at": NOW, **more},
    )  # fmt: skip


def edge(*evidence: str, **more: Any) -> Relationship:
    return Relationship(
        id="e", agent_id="a", source_key="s", target_key="t", rel_type="r", evidence_fact_ids=evidence or ("f",),
        **{"strength": 0.8, "valid_from": NOW, "recorded_at": NOW, **more},
    )  # fmt: skip


@given(moments, moments)
def test_closed_never_ends_before_it_began(begun: datetime, at: datetime) -> None:
    """An interval may be empty, never negative; the row says why and when it closed."""
    row = versions.closed(fact(valid_from=begun), at, "update")
    assert row.valid_to == max(at, begun)
    assert (row.invalidated_at, row.closed_by) == (UNSTAMPED, "update")
    fallen = versions.fall(edge(valid_from=begun), at)
    assert fallen.valid_to == max(at, begun)


@given(st.lists(moments))
def test_confirmed_in_any_order(times: list[datetime]) -> None:
    """A1: however the confirmations arrive, each counts and the latest is kept; a closed fact is not revived."""
    row = fact(valid_to=NOW + DAY)
    for at in times:
        row = versions.confirmed(row, at)
    assert row.reinforcement_count == len(times)
    assert row.last_confirmed_at == (max([NOW, *times]) if times else None)
    assert row.valid_to == NOW + DAY


@given(st.lists(st.tuples(st.sampled_from("fgh"), moments)), st.floats(0.0, 0.5))
def test_reinforced(said: list[tuple[str, datetime]], gain: float) -> None:
    """Strength grows to 1 and no further; evidence is a set in order of arrival."""
    row = edge()
    for evidence, at in said:
        before = row.strength
        row = versions.reinforced(row, (evidence,), gain, at)
        assert before <= row.strength <= 1.0
    assert row.evidence_fact_ids == tuple(dict.fromkeys(["f", *(evidence for evidence, _ in said)]))


def test_stands() -> None:
    """W18: an edge stands on one open statement; a mirror counts only where nothing was ever stated."""
    opened, gone = fact("open"), fact("gone", valid_to=NOW)
    mirror = fact("mirror", source_context=MIRROR)
    rows = {row.id: row for row in (opened, gone, mirror)}

    def stands(*evidence: str) -> bool:
        return versions.stands(edge(*evidence), rows.get)

    assert stands("open")
    assert stands("gone", "open")
    assert stands("mirror")
    assert not stands("gone")
    assert not stands("gone", "mirror")
    assert not stands("unknown")


def test_stamped() -> None:
    """What a draft left open is dated, what was dated stays, in rows and in what is reported."""
    draft = versions.closed(fact(recorded_at=UNSTAMPED), NOW, "delete")
    kept = fact("g", recorded_at=NOW - DAY)
    changes = Changes(agent_id="a", rows=(draft, kept), decided=(Decided(action="DELETE", fact=draft, before=kept),))
    done = versions.stamped(changes, NOW + DAY)
    assert [row.recorded_at for row in done.rows] == [NOW + DAY, NOW - DAY]  # type: ignore[union-attr]
    assert done.decided[0].fact.invalidated_at == NOW + DAY
    assert done.decided[0].before == kept
    assert versions.stamped(done, NOW) == done


def test_an_end_that_moves_leaves_the_end_of_before() -> None:
    """E8, E14: as it was known before, a version ends where it was then believed to; told ends stay told."""
    told = fact(valid_to=NOW + 9 * DAY, closed_by="stated")
    once = replace(versions.closed(told, NOW + 5 * DAY, "late"), invalidated_at=NOW + 20 * DAY)
    twice = replace(versions.closed(once, NOW + 3 * DAY, "late"), invalidated_at=NOW + 30 * DAY)
    assert [(end - NOW, why) for _, end, why in versions.ends(twice)] == [(9 * DAY, "stated"), (5 * DAY, "late")]
    assert [versions.as_known(twice, NOW + day * DAY) for day in (1, 20, 29, 30)] == [told, once, once, twice]
    assert versions.stated_end(twice) == NOW + 9 * DAY
    assert versions.stated_end(fact()) is None


def test_an_end_that_lies_ahead_has_ended_nothing() -> None:
    """E10: open until the end that was told; what something else ended is not open."""
    told = fact(valid_to=NOW + DAY, closed_by="stated")
    assert [versions.is_open(told, NOW + at) for at in (0 * DAY, DAY)] == [True, False]
    assert versions.is_open(fact(), NOW)
    assert not versions.is_open(fact(valid_to=NOW + DAY, closed_by="update"), NOW)


def fallen(ended: list[str], edges: list[Relationship], rows: list[Fact]) -> tuple[dict[str, int], dict[str, int]]:
    """Days from now at which edges fall, and at which mirror facts do."""
    held = {row.id: row for row in rows}
    gone, mirrors = versions.cascade(ended, edges, held.get, NOW)
    assert all(before == held[before.id] and after.closed_by == "edge" for before, after in mirrors)
    return ({row.id: ((row.valid_to or NOW) - NOW).days for row in gone},
            {after.id: ((after.valid_to or NOW) - NOW).days for _, after in mirrors})  # fmt: skip


def test_when_an_edge_falls() -> None:
    """W18: with its last ground, at the last end among what ended now and what was told to end; other ends don't count."""
    begun = NOW - 50 * DAY
    now = fact("f", valid_from=begun, valid_to=NOW - 9 * DAY, closed_by="delete")
    told = fact("g", valid_from=begun, valid_to=NOW - 2 * DAY, closed_by="stated")
    other = fact("h", valid_from=begun, valid_to=NOW - DAY, closed_by="update")
    tie = edge("f", valid_from=begun)
    assert fallen(["f"], [tie], [now]) == ({"e": -9}, {})
    assert fallen(["f"], [replace(tie, evidence_fact_ids=("f", "g"))], [now, told]) == ({"e": -2}, {})
    assert fallen(["f"], [replace(tie, evidence_fact_ids=("f", "h"))], [now, other]) == ({"e": -9}, {})
    assert fallen(["f", "h"], [replace(tie, evidence_fact_ids=("f", "h"))], [now, other]) == ({"e": -1}, {})
    assert fallen(["f"], [replace(tie, evidence_fact_ids=("f", "o"))], [now, fact("o")]) == ({}, {})
    assert fallen(["x"], [tie], [now]) == ({}, {})
    assert fallen(["f"], [replace(tie, valid_to=NOW)], [now]) == ({}, {})
    assert fallen([], [tie], [now]) == ({}, {})


def test_what_an_edge_takes_along() -> None:
    """W18: an edge that falls closes its open mirror, and with it the edges that stand on that mirror; unknown ids are passed by."""
    begun = NOW - 50 * DAY
    now = fact("f", valid_from=begun, valid_to=NOW - 9 * DAY, closed_by="delete")
    mirror = fact("m", valid_from=begun, source_context=MIRROR)
    ended = fact("n", valid_from=begun, valid_to=NOW - 20 * DAY, closed_by="edge", source_context=MIRROR)
    first = edge("f", "unknown", "n", "m", valid_from=begun)
    second = replace(first, id="d", evidence_fact_ids=("m",))
    stated = replace(first, id="s", evidence_fact_ids=("m", "o"))
    rows = [now, mirror, ended, fact("o", valid_from=begun)]
    assert fallen(["f"], [first, second, stated], rows) == ({"e": -9, "d": -9}, {"m": -9})


def test_heard_again() -> None:
    """A1: what was heard before is not forgotten by an older telling; the first time counts from the beginning."""
    assert versions.confirmed(fact(), NOW - DAY).last_confirmed_at == NOW
    assert versions.confirmed(fact(last_confirmed_at=NOW + DAY), NOW).last_confirmed_at == NOW + DAY
    assert versions.reinforced(edge(), (), 0.1, NOW - DAY).last_confirmed_at == NOW
    assert versions.reinforced(edge(last_confirmed_at=NOW + DAY), (), 0.1, NOW).last_confirmed_at == NOW + DAY
    assert versions.reinforced(edge(), (), 0.1, NOW + DAY).last_confirmed_at == NOW + DAY
    assert versions.fall(edge(), NOW).invalidated_at == UNSTAMPED


def test_as_it_was_known() -> None:
    """E8: an end that was learned later is not known before; one recorded with the version is; without a moment, all is."""
    learned = fact(valid_to=NOW + DAY, closed_by="update", invalidated_at=NOW + 5 * DAY)
    opened = fact()
    assert versions.as_known(learned, NOW + 4 * DAY) == opened
    assert versions.as_known(learned, NOW + 5 * DAY) is learned
    assert versions.as_known(learned, None) is learned
    born = fact(valid_to=NOW + DAY, closed_by="late", recorded_at=NOW + 5 * DAY, invalidated_at=NOW + 5 * DAY)
    assert versions.as_known(born, NOW) is born
    tie = edge(valid_to=NOW + DAY, invalidated_at=NOW + 5 * DAY)
    assert versions.as_known(tie, NOW + 4 * DAY) == edge()


def test_which_ends_are_kept() -> None:
    """E8: an end that was told or recorded is kept in order; one that only a draft had is not."""
    told = fact(valid_to=NOW + 9 * DAY, closed_by="stated")
    assert versions.closed(told, NOW, "late").ends_before == f"-/{(NOW + 9 * DAY).isoformat()}/stated"
    draft = versions.closed(fact(), NOW + DAY, "late")
    assert versions.closed(draft, NOW, "update").ends_before is None
    known = replace(draft, invalidated_at=NOW + 2 * DAY)
    again = versions.closed(known, NOW, "update")
    assert again.ends_before == f"{(NOW + 2 * DAY).isoformat()}/{(NOW + DAY).isoformat()}/late"
    assert versions.ends(again) == ((NOW + 2 * DAY, NOW + DAY, "late"),)
