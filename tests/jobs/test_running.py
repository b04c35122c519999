"""What holds for every job, whoever wrote it: drafts, commits, doubts, failures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from at_rest import AGENT, T0, Bench

from arandu_lab import Memory, stage
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.jobs.flow import Snapshot, Worked, ask_each
from arandu_lab.jobs.importance import score_entities
from arandu_lab.llm import job_tasks
from arandu_lab.llm.open import open_minds
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.pipeline import Lab
from arandu_lab.pure import ids, versions
from arandu_lab.pure.standing import doubted
from arandu_lab.records import MARK, UNSTAMPED, Observation
from arandu_lab.trace import Span


@stage
def remark_on(snapshot: Snapshot, lab: Lab, *, words: str = "noted") -> Worked:
    """An observation of one's own, on the first fact."""
    fact = lab.memory.fact_at(0)
    row = Observation(
        id=ids.derive("remark", snapshot.agent_id),
        agent_id=snapshot.agent_id,
        kind="insight",
        text=f"{words}: {fact.text}",
        confidence=0.5,
        evidence_ids=(fact.id,),
        recorded_at=UNSTAMPED,
    )
    return Worked(agent_id=snapshot.agent_id, rows=(row,), counts=(("remarks", 1),))


@stage
def end_first(snapshot: Snapshot, lab: Lab, *, ending: str = "delete") -> Worked:
    """End the first fact."""
    fact = versions.closed(lab.memory.fact_at(0), lab.now, "delete")
    return Worked(agent_id=snapshot.agent_id, rows=(fact,))


def test_dry_run_is_the_run(told: Bench) -> None:
    """J9: a dry run says the rows that the run then changes, and changes nothing."""
    before = told.memory.store.view(AGENT).sequence
    dry = told.run(score_entities(), dry_run=True)
    assert told.memory.store.view(AGENT).sequence == before
    real = told.run(score_entities())
    assert real.changed == dry.changed
    assert real.counts == dry.counts
    assert dry.dry_run
    assert not real.dry_run


def test_one_append(told: Bench) -> None:
    """J9: whatever a job changes is one unit of the journal, of kind job."""
    before = told.memory.store.view(AGENT).sequence
    assert len(told.run(score_entities()).changed) > 1
    units = told.memory.units(AGENT)
    assert told.memory.store.view(AGENT).sequence == before + 1
    assert units["kind"].to_list()[-1] == "job"


def test_nothing_new_writes_nothing(told: Bench) -> None:
    """A11, J4: a second run without news appends nothing."""
    told.run(score_entities())
    before = told.memory.store.view(AGENT).sequence
    again = told.run(score_entities())
    assert again.changed == ()
    assert told.memory.store.view(AGENT).sequence == before


def test_own_job_takes_part(told: Bench) -> None:
    """A stage of one's own is a job with no more ceremony than its name: run, dry run, settings, usage."""
    with Memory.open("memory://", embedder="hashing", jobs={"remark": remark_on()}, clock=lambda: T0) as memory:
        asyncio.run(memory.write(AGENT, "I live in Recife.", "Rafael", occurred_at=T0))
        found = asyncio.run(memory.jobs.run("remark", AGENT, config_overrides={"words": "heard"}))
        assert memory.jobs.names[-1] == "remark"
        assert found["remarks"] == 1
        assert memory.observations(AGENT)["text"].to_list() == ["heard: Rafael lives in Recife"]


def test_only_jobs_are_jobs() -> None:
    """A pipeline that is no way from Snapshot to Worked is refused when the memory is asked for its jobs."""
    from arandu_lab.presets import read

    with (
        Memory.open("memory://", embedder="hashing", jobs={"mine": read()}) as memory,
        pytest.raises(ConfigError, match="Snapshot"),
    ):
        _ = memory.jobs


def test_end_raises_doubt(told: Bench) -> None:
    """When a job ends a fact, what rests on it is marked in the same unit, through a chain; told again it is marked no more."""
    view = told.memory.store.view(AGENT)
    first, second, third = (view.fact_at(place) for place in range(3))
    rows = [replace(second, premise_ids=(first.id,)), replace(third, premise_ids=(second.id,))]
    told.memory.store.append("edit", AGENT, rows, unit_id="rest", recorded_at=told.now)
    result = told.run(end_first())
    assert {one.after.id: one.what for one in result.changed if hasattr(one.after, "premise_ids")} == {
        first.id: "closed", second.id: "changed", third.id: "changed",
    }  # fmt: skip
    stale = told.memory.stale(AGENT)
    assert stale["stale_why"].to_list() == ["premise", "premise"]
    assert stale["over"].to_list()[0] == [first.text]
    heard = versions.confirmed(told.memory.store.view(AGENT).fact(second.id), told.now)  # type: ignore[arg-type]
    assert heard.stale_since is None


def test_doubt_ends_in_a_circle(told: Bench) -> None:
    """Facts that rest on each other are marked once, and the search ends."""
    view = told.memory.store.view(AGENT)
    first, second = view.fact_at(0), view.fact_at(1)
    a, b = replace(first, premise_ids=(second.id,)), replace(second, premise_ids=(first.id,))
    resting = {first.id: [b], second.id: [a]}
    gone = replace(a, valid_to=told.now, closed_by="delete")
    marked = doubted([gone], {first.id: a, second.id: b}.get, lambda i: resting.get(i, []), told.now)
    assert [one.id for one in marked] == [second.id]


def test_news_in_between(told: Bench) -> None:
    """A draft that the journal overtook is committed if nothing it cites has moved, and drafted anew if something has."""
    tries: list[str] = []

    @stage
    async def slowly(snapshot: Snapshot, lab: Lab, *, disturb: str = "apart") -> Worked:
        """Remark, while somebody else writes."""
        tries.append(disturb)
        if len(tries) == 1:
            fact = lab.memory.fact_at(0)
            image = versions.confirmed(fact, told.now)
            if disturb == "apart":
                image = versions.confirmed(lab.memory.fact_at(1), told.now)
            told.memory.store.append("edit", AGENT, [image], unit_id=f"by the way {disturb}", recorded_at=told.now)
        return remark_on.function(snapshot, lab, words=disturb)  # type: ignore[no-any-return]

    assert told.run(slowly(disturb="apart")).changed
    assert tries == ["apart"]
    tries.clear()
    assert told.run(slowly(disturb="cited")).changed
    assert tries == ["cited", "cited"]


def test_failure_changes_nothing(told: Bench) -> None:
    """A12, J4: a backend that fails stops the job, which says so and leaves the journal alone."""

    @stage
    async def broken(snapshot: Snapshot, lab: Lab, *, why: str = "down") -> Worked:
        """Fail."""
        raise BackendError(why, kind="unavailable", backend="nobody")

    before = told.memory.store.view(AGENT).sequence
    result = told.run(broken())
    assert not result.success
    assert "down" in str(result)
    assert result.failures[0].kind == "unavailable"
    assert told.memory.store.view(AGENT).sequence == before


def test_questions_fail_one_by_one(told: Bench) -> None:
    """Of several questions a failed one is told in its place; only when all fail does the job fail."""
    lab = told.memory.lab(AGENT, told.now, Span("x"))

    def asked(*answers: object) -> object:
        mind = open_minds(Scripted(by_task={"summary": list(answers)}))
        inputs = [{"name": "Ana", "type": "person", "facts": [], "language": "english"}] * len(answers)
        return told.do(ask_each(replace(lab, llm=mind), job_tasks.summary(), inputs, timeout=5.0, at_once=1))

    first, second = asked({"summary": "Ana sings."}, fail("refused"))  # type: ignore[misc]
    assert first.answer.summary == "Ana sings."
    assert second.answer is None
    assert "refused" in second.why
    with pytest.raises(BackendError):
        asked(fail("refused"), fail("refused"))


def test_bookkeeping_is_shown_to_nobody(told: Bench) -> None:
    """Marks that a job keeps for itself stand in no result, frame or context."""

    @stage
    def keep_mark(snapshot: Snapshot, lab: Lab, *, words: str = "secret") -> Worked:
        """Keep a mark."""
        row = Observation(
            id="m",
            agent_id=snapshot.agent_id,
            kind=MARK,
            text=words,
            confidence=1.0,
            evidence_ids=(),
            recorded_at=UNSTAMPED,
        )
        return Worked(agent_id=snapshot.agent_id, rows=(row,))

    assert told.run(keep_mark()).changed == ()
    assert told.memory.observations(AGENT).is_empty()
    assert "secret" not in told.ask("Tell me everything about Rafael").context


def test_time_passes(told: Bench) -> None:
    """A job runs at its own moment: what ends later still counts, what begins later does not yet."""
    asked = told.run(score_entities())
    told.wait(days=365)
    later = told.run(score_entities())
    assert max(row.after.importance for row in later.changed) < max(row.after.importance for row in asked.changed)  # type: ignore[union-attr]
    assert T0 + timedelta(days=300) < later.at
