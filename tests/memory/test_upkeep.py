"""What no message brings: repairs, corrections, backlogs, and writers that meet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from arandu_lab import ConfigError, Memory
from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.memory.arguments import aware
from arandu_lab.records import Changes, Cluster, Observation

T0 = datetime(2025, 1, 1, 12, tzinfo=UTC)


def stated(subject: str, text: str) -> dict[str, Any]:
    return {"entities": [{"name": subject, "type": "person"}], "facts": [{"subject": subject, "text": text}]}


def live(memory: Memory, agent: str = "a") -> list[str]:
    return sorted(memory.facts(agent)["text"].to_list())


async def test_repair_does_not_bring_a_replaced_fact_back() -> None:
    """A2: a fact that is replaced while ``repair`` waits for the embedder stays replaced."""

    class Slow(DeadEmbedder):
        async def __call__(self, texts: Sequence[str]) -> Any:
            found = await super().__call__(texts)
            if len(texts) > 1:
                await asyncio.sleep(0.1)
            return found

    llm = Scripted(
        by_task={
            "extract": [stated("Bob", "Bob lives in Recife"), stated("Bob", "Bob lives in Olinda")],
            "reconcile": {"verdicts": [{"i": 0, "action": "UPDATE", "known": 0}]},
        }
    )
    embed = Slow(after=0)
    with Memory.open("memory://", llm=llm, embedder=embed) as memory:
        await memory.write("a", "I live in Recife.", "Bob", occurred_at=T0)
        embed.revive()
        mending = asyncio.create_task(memory.repair("a"))
        await asyncio.sleep(0.02)
        await memory.write("a", "I moved to Olinda.", "Bob", occurred_at=T0 + timedelta(days=30))
        await mending
        assert live(memory) == ["Bob lives in Olinda"]
        assert memory.store.verify() == []


async def test_two_corrections_leave_one_version() -> None:
    """A15: of two corrections of one fact at once, the second is told that the fact is no longer open."""
    llm = Scripted(by_task={"extract": stated("Bob", "Bob lives in Recife")})
    with Memory.open("memory://", llm=llm, embedder="hashing") as memory:
        first = await memory.write("a", "I live in Recife.", "Bob", occurred_at=T0)
        fact = first.facts_added[0].id
        done = await asyncio.gather(
            memory.correct("a", fact, "Bob lives in Natal"),
            memory.correct("a", fact, "Bob lives in Manaus"),
            return_exceptions=True,
        )
        assert sum(isinstance(one, ConfigError) for one in done) == 1
        assert len(live(memory)) == 1


async def test_writes_while_messages_arrive() -> None:
    """I1: a slow write is not overtaken by messages that arrive meanwhile: all succeed, in the order they came."""
    llm = Scripted(by_task={"extract": {"facts": []}}, delay=0.02)
    with Memory.open("memory://", llm=llm, embedder="hashing") as memory:
        results = await asyncio.gather(
            *(memory.write("a", f"Good morning {n}", "Bob", occurred_at=T0 + timedelta(minutes=n)) for n in range(12))
        )
        assert all(result.success for result in results)
        assert memory.events("a").height == 12


async def test_the_same_turn_at_once_is_read_once() -> None:
    """W22: four writes of one turn at once make one event, one reading, and three results that say so."""
    llm = Scripted(by_task={"extract": stated("Bob", "Bob lives in Recife")})
    with Memory.open("memory://", llm=llm, embedder="hashing") as memory:
        results = await asyncio.gather(
            *(memory.write("a", "I live in Recife.", "Bob", occurred_at=T0) for _ in range(4))
        )
        assert len(llm.calls) == 1
        assert sum(bool(result.facts_added) for result in results) == 1
        assert sum(bool(result.skipped) for result in results) == 3


async def test_backlog_is_seen_and_finished(tmp_path: Path) -> None:
    """C10: a turn that a dead model left unread is in the backlog, also after reopening, and ``repair`` reads it."""
    dead = Scripted(by_task={"extract": fail("unavailable"), "entities": fail("refused")})
    with Memory.open(tmp_path, llm=dead, embedder="hashing") as memory:
        overrides = {"extraction_timeout_sec": 0.05}
        result = await memory.write("a", "I live in Recife.", "Bob", occurred_at=T0, config_overrides=overrides)
        assert not result.success
        assert result.event_id is not None
        assert memory.backlog("a")["text"].to_list() == ["I live in Recife."]
    alive = Scripted(by_task={"extract": stated("Bob", "Bob lives in Recife")})
    with Memory.open(tmp_path, llm=alive, embedder="hashing") as memory:
        assert memory.backlog("a").height == 1
        assert await memory.repair("a") == 2, "the turn was embedded and read"
        assert memory.backlog("a").height == 0
        assert live(memory) == ["Bob lives in Recife"]
        assert memory.events("a").height == 1


async def test_vectors_are_made_up_for_at_the_next_write() -> None:
    """W6: what a dead embedder left without a vector is embedded at the next write that succeeds."""
    llm = Scripted(by_task={"extract": [stated("Bob", "Bob lives in Recife"), {"facts": []}]})
    embed = DeadEmbedder(after=0)
    with Memory.open("memory://", llm=llm, embedder=embed) as memory:
        first = await memory.write("a", "I live in Recife.", "Bob", occurred_at=T0)
        assert first.success
        assert first.degraded
        embed.revive()
        await memory.write("a", "Good morning", "Bob", occurred_at=T0 + timedelta(days=1))
        view = memory.store.view("a")
        assert all(view.fact_at(place).vector is not None for place in range(len(view.facts.ids)))
        assert all(view.event_at(place).vector is not None for place in range(len(view.events.ids)))


async def test_repair_embeds_what_jobs_made() -> None:
    """W6: clusters and observations without a vector are embedded as facts and events are, once."""
    with Memory.open("memory://", embedder="hashing") as memory:
        rows = (
            Cluster(id="c", agent_id="a", label="Viagens", summary="Bob viaja", fact_ids=("f",), recorded_at=T0),
            Observation(
                id="o",
                agent_id="a",
                kind="pattern",
                text="Bob viaja muito",
                confidence=0.5,
                evidence_ids=("f",),
                recorded_at=T0,
            ),
        )
        memory.commit(Changes(agent_id="a", rows=rows), unit_id="job:1", kind="job")
        assert await memory.repair("a") == 2
        found = {type(row).__name__: row.vector for row in memory.store.view("a").rows()}  # type: ignore[union-attr]
        wanted = await memory.embed(["Viagens. Bob viaja", "Bob viaja muito"])
        for vector, other in zip((found["Cluster"], found["Observation"]), wanted, strict=True):
            assert vector is not None
            assert other is not None
            assert float(vector @ other) > 0.999
        assert await memory.repair("a") == 0


async def test_known_at_shows_rows_as_they_were_known() -> None:
    """A row read as of an earlier knowledge does not tell of an end that was learned later."""
    clock = [T0]
    llm = Scripted(
        by_task={
            "extract": [stated("Bob", "Bob lives in Recife"), stated("Bob", "Bob lives in Olinda")],
            "reconcile": {"verdicts": [{"i": 0, "action": "UPDATE", "known": 0}]},
        }
    )
    with Memory.open("memory://", llm=llm, embedder="hashing", clock=lambda: clock[0]) as memory:
        await memory.write("a", "I live in Recife.", "Bob", occurred_at=T0)
        clock[0] = T0 + timedelta(days=30)
        await memory.write("a", "I moved to Olinda.", "Bob", occurred_at=clock[0])
        day5 = T0 + timedelta(days=5)
        row = memory.facts("a", as_of=day5, known_at=day5).row(0, named=True)
        assert (row["text"], row["valid_to"], row["closed_by"]) == ("Bob lives in Recife", None, None)
        now = memory.facts("a", as_of=day5).row(0, named=True)
        assert now["closed_by"] == "update"


async def test_offsets_of_any_kind_are_shown() -> None:
    """E6: a time given in a named zone is stored, listed and kept as the same instant."""
    llm = Scripted(by_task={"extract": stated("Bob", "Bob lives in Recife")})
    with Memory.open("memory://", llm=llm, embedder="hashing") as memory:
        at = datetime(2025, 1, 1, 0, 10, tzinfo=ZoneInfo("America/Recife"))
        await memory.write("a", "I live in Recife.", "Bob", occurred_at=at)
        assert memory.events("a")["occurred_at"].to_list() == [at]
        assert memory.facts("a")["valid_from"].to_list() == [at]


@pytest.mark.parametrize(
    "bad",
    [
        {"session_id": 5},
        {"recent_messages": "hello"},
        {"recent_messages": None},
        {"config_overrides": [1]},
        {"occurred_at": datetime(2025, 1, 1)},
    ],
)
async def test_wrong_arguments(bad: dict[str, Any]) -> None:
    """A wrong argument is a ``ConfigError`` that names it, never an error from inside."""
    with (
        Memory.open("memory://", llm=Scripted(default={"facts": []}), embedder="hashing") as memory,
        pytest.raises(ConfigError, match=next(iter(bad))),
    ):
        await memory.write("a", "x", "Bob", **bad)


def test_times_outside_the_calendar() -> None:
    """A time that has no UTC date is refused by name."""
    with pytest.raises(ConfigError, match="calendar"):
        aware("occurred_at", datetime.max.replace(tzinfo=ZoneInfo("Etc/GMT+12")))


@pytest.mark.parametrize("raised", [ConnectionError("line broke"), KeyError("bug")])
async def test_a_foreign_backend_may_raise_anything(raised: Exception) -> None:
    """C11: a broken line is a backend's failure; a bug comes out as itself. Either way the turn is kept, in the backlog."""

    class Wild:
        name = "wild"

        async def complete(self, *_: Any, **__: Any) -> Any:
            raise raised

    with Memory.open("memory://", llm=Wild(), embedder="hashing") as memory:
        said: dict[str, Any] = {"occurred_at": T0, "config_overrides": {"extraction_timeout_sec": 0.05}}
        if isinstance(raised, OSError):
            result = await memory.write("a", "I live in Recife.", "Bob", **said)
            assert not result.success
            assert result.failures[-1].kind in ("unavailable", "timeout")
        else:
            with pytest.raises(KeyError):
                await memory.write("a", "I live in Recife.", "Bob", **said)
        assert memory.backlog("a").height == 1
