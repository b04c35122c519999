"""Access logs: what they refuse, the gaps they hold, and the three places they come from."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab import ConfigError, Memory
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.decay import access_log, conversation_log, gaps, memory_log, replay_log, synthetic_log
from arandu_lab.bench.decay.log import KINDS

START = datetime(2025, 1, 1, tzinfo=UTC)


def row(at: float, kind: str = "asked", *, fact: str = "f", until: float = 100.0, **more: Any) -> dict[str, Any]:
    """A use of a fact after so many days."""
    moments = {"at": START + timedelta(days=at), "until": START + timedelta(days=until)}
    return {"agent": "a", "fact_id": fact, "kind": kind, **moments, **more}


def log_of(*rows: dict[str, Any]) -> pl.DataFrame:
    return access_log(pl.DataFrame(rows, infer_schema_length=None))


def test_gaps_of_a_fact() -> None:
    """From each use to the next, and from the last to the end of watching, which nobody saw the end of."""
    found = gaps(log_of(row(0, "told"), row(10), row(40), row(41, "retrieved", rank=1)))
    assert found.select("days", "seen").rows() == [(10.0, True), (30.0, True), (60.0, False)]


def test_one_sitting_is_one_use() -> None:
    """Uses within ``apart`` days are one, and the gap runs from the last of them."""
    rows = (row(0, "told"), row(0.5), row(20), row(20.9), row(50))
    assert gaps(log_of(*rows))["days"].round(6).to_list() == [19.5, 29.1, 50.0]
    assert len(gaps(log_of(*rows), apart=0.0)) == 5


def test_uses_without_a_date_make_no_gap() -> None:
    """Where a row stands for several uses only the last has a date: the gap before it is left out, the one after it is kept."""
    found = gaps(log_of(row(0, "told", times=1), row(30, "retrieved", times=3)), uses=("told", "retrieved"))
    assert found.select("days", "seen").rows() == [(70.0, False)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.0, 99.0), max_size=12), st.sampled_from([0.0, 1.0, 5.0]))
def test_gaps_and_sittings_fill_the_watch(moments: list[float], apart: float) -> None:
    """Gaps and the sittings left out add up to the time a fact was watched; no gap is shorter than a sitting, one is unseen."""
    rows = log_of(row(0, "told"), *(row(at) for at in moments))
    every, kept = gaps(rows, apart=0.0), gaps(rows, apart=apart)
    assert every["days"].sum() == pytest.approx(100.0, abs=1e-6)
    assert kept["days"].to_list() == [one for one in every["days"] if one >= apart]
    assert (~kept["seen"]).sum() <= 1


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "without a column"),
        ([row(0, "tolled")], "kind 'tolled'; did you mean 'told'"),
        ([row(0, "told", until=-1)], "nobody looked"),
        ([row(3)], "before it is told"),
        ([row(0, "told"), row(5, until=50.0)], "several moments"),
        ([row(0, "told", confidence=None), row(1, confidence=0.5)], "have no confidence"),
    ],
)
def test_what_a_log_refuses(rows: list[dict[str, Any]], said: str) -> None:
    """A log that could not be true is refused with the place, never mended."""
    with pytest.raises(ConfigError, match=said):
        access_log(rows)


def test_moments_need_an_offset() -> None:
    """A moment without an offset is refused."""
    rows = pl.DataFrame([row(0, "told")]).with_columns(pl.col("at").dt.replace_time_zone(None))
    with pytest.raises(ConfigError, match="offset"):
        access_log(rows)


def test_log_of_a_set_with_gold() -> None:
    """A world's facts: NOOPs tell again, a question uses the facts it needs, what was replaced is watched no longer."""
    dataset = load("brook_en")
    [conversation] = dataset
    log = conversation_log(dataset)
    assert set(log["kind"].unique()) == {"told", "asked"}
    gold = {fact.id: (turn, fact) for turn, one in (conversation.gold or {}).items() for fact in one.facts}
    said = {turn.id: turn.occurred_at for turn in conversation.turns}
    again = [fact.of for _, fact in gold.values() if fact.decision == "NOOP"]
    assert again
    assert set(again) & set(log.filter(kind="told").group_by("fact_id").len().filter(pl.col("len") > 1)["fact_id"])
    ended = {
        fact.of: said[turn] for turn, fact in reversed(list(gold.values())) if fact.decision in ("UPDATE", "DELETE")
    }
    watched = dict(log.select("fact_id", "until").unique().iter_rows())
    assert ended
    assert all(watched[name] <= at for name, at in ended.items() if name in watched)
    asked = log.filter(kind="asked")
    needed = {(fact, one.asked_at) for one in conversation.questions for fact in one.facts}
    assert not asked.is_empty()
    assert set(asked.select("fact_id", "at").iter_rows()) <= needed


def test_log_of_a_set_without_gold() -> None:
    """Without gold a turn is the unit: told once, asked by the questions whose evidence it is."""
    from dataclasses import replace

    dataset = load("brook_en")
    [conversation] = dataset
    log = conversation_log(replace(dataset, conversations=(replace(conversation, gold=None),)))
    assert log.filter(kind="told").height == len(conversation.turns)
    assert log.filter(kind="asked").height == sum(len(set(one.evidence)) for one in conversation.questions)


def test_log_of_a_replay() -> None:
    """What a system returned is logged with its rank, and each question's own facts are among what is asked."""
    dataset = load("brook_en").slice(questions=30)
    log = replay_log(dataset, system="bm25", depth=5)
    shown = log.filter(kind="retrieved")
    assert not shown.is_empty()
    assert shown["rank"].min() == 1
    assert shown["rank"].max() <= 5
    bare = conversation_log(dataset)
    assert log.filter(pl.col("kind") != "retrieved").equals(bare)


async def test_log_of_a_memory() -> None:
    """A memory dates the telling and the last retrieval, and says how many retrievals that row stands for."""
    memory = Memory.open("memory://", embedder="hashing")
    memory.clock = lambda: START
    await memory.write("a", "I live in Natal.", "Rafael", occurred_at=START)
    memory.clock = lambda: START + timedelta(days=40)
    for _ in range(3):
        await memory.retrieve("a", "Where does Rafael live?", now=START + timedelta(days=40))
    memory.retrieved.write_down(memory)
    log = memory_log(memory, "a", until=START + timedelta(days=90))
    assert log.select("kind", "times").rows() == [("told", 1), ("retrieved", 3)]
    assert gaps(log, uses=KINDS)["days"].to_list() == [50.0]
    with pytest.raises(ConfigError, match="knows no fact"):
        memory_log(memory, "nobody", until=START)


def test_made_logs_repeat() -> None:
    """The same seed gives the same log, another seed another."""
    same = [synthetic_log("weibull", agents=3, facts=5, strangers=2, seed=seed) for seed in (1, 1, 2)]
    assert same[0].equals(same[1])
    assert not same[0].equals(same[2])
    with pytest.raises(ConfigError, match="did you mean 'weibull'"):
        synthetic_log("weibul")
