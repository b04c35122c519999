"""The main job on a pond of eight turns: what may be seen when, what is kept, what is null."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.data.registry import load
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import replay
from arandu_lab.bench.rows import open_row

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]


def result(tmp_path: Path, name: str = "results") -> Path:
    """The only result there."""
    (found,) = (tmp_path / name).glob("*/made.toml")
    return found.parent


def table(tmp_path: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(result(tmp_path) / f"{name}.parquet")


async def test_questions_come_when_the_clock_passes(pond: Path, fakes: str) -> None:
    """R1: a question is put after the turns said by its date and before any later one."""
    keeper = importlib.import_module(fakes).Keeper
    keeper.diary.clear()
    (conversation,) = load(pond)
    done = await replay(keeper(), conversation, depth=9)
    told = [entry[1] for entry in keeper.diary]
    assert told.index("Where does Ana live?") == told.index("s01t02") + 1
    assert told.index("Which dog is in town?") == told.index("s01t04") + 1
    assert told[-4:] == ["s02t04", "Where does Ana live now?", "Who and where?", "Does Rui sail?"]
    assert [answer.heard for answer in done.answers] == [2, 4, 8, 8, 8]
    moments = [entry[2] for entry in keeper.diary]
    assert moments == sorted(moments)


@pytest.mark.parametrize("name", ["random", "recency", "bm25", "full_context"])
async def test_a_control_never_sees_the_future(pond: Path, tmp_path: Path, name: str) -> None:
    """R1: what a control returns and shows at a date is the same whether or not the conversation goes on."""
    (conversation,) = load(pond)
    system = open_row(Row(name=name, base=name), conversation, language="en", seed=0, path=tmp_path / "m")
    await system.begin("pond")
    for turn in conversation.turns[:4]:
        await system.listen(turn)
    before = await system.ask("Where does Ana live?", now=conversation.turns[3].occurred_at, k=9)
    for turn in conversation.turns[4:]:
        await system.listen(turn)
    after = await system.ask("Where does Ana live?", now=conversation.turns[3].occurred_at, k=9)
    assert (before.turns, before.context) == (after.turns, after.context)


def test_a_system_that_names_the_future_is_refused(lab: Lab, config: Config, fakes: str) -> None:
    """R1: a ranking with a turn that was not said yet stops the run and says which system, question and turn."""
    code, _, said = lab("run", config("prophet", extra=f'[system.prophet]\nbase = "{fakes}:Prophet"'))
    assert code == 2
    assert "prophet × pond" in said
    assert "'s02t04'" in said
    assert "q1" in said


def test_measures_ranks_and_costs(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R1: ranks and measures can be recounted from a question's row; absent ones are null; costs stand beside."""
    code, out, _ = lab("run", config("keeper", extra=f'[system.keeper]\nbase = "{fakes}:Keeper"'))
    assert code == 0
    rows = {row["question"]: row for row in table(tmp_path, "questions").iter_rows(named=True)}
    assert rows["q1"]["returned"] == ["s01t02", "s01t01"]
    assert rows["q1"]["ranks"] == [2]
    assert (rows["q1"]["R@1"], rows["q1"]["R@3"], rows["q1"]["RR"]) == (0.0, 1.0, 0.5)
    assert rows["q1"]["chance R@1"] == pytest.approx(1 / 2)
    assert rows["q4"]["ranks"] == [None, 4]
    assert rows["q5"]["R@1"] is None
    assert rows["q5"]["state"] == "no_evidence"
    usage = table(tmp_path, "usage").filter(pl.col("phase") == "listen")
    assert usage["tokens_asked"].to_list() == [24]
    assert usage["calls"].to_list() == [8]
    for column in ("tok asked", "billed", "calls", "ms/turn", "ext P", "chance"):
        assert column in out


def test_errors_are_null_and_fail_the_run(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R3: a timeout on a turn and a refusal on a question: both shown, one null, the rest scored, exit code 4."""
    extra = f'[system.weather]\nbase = "{fakes}:Weather"\n[system.keeper]\nbase = "{fakes}:Keeper"'
    code, _, said = lab("run", config("weather", "keeper", extra=extra))
    assert code == 4
    assert "weather × pond: 4 of 5 questions answered, 1 of 8 turns lost" in said
    rows = table(tmp_path, "questions").filter(pl.col("system") == "weather")
    dog = rows.row(1, named=True)
    assert (dog["R@3"], dog["state"], dog["returned"]) == (None, "failed", None)
    assert dog["error"] == "weather: rate_limit: 429"
    assert rows["R@3"].null_count() == 2
    whole = table(tmp_path, "questions").filter(pl.col("system") == "keeper")
    assert whole["R@3"].null_count() == 1
    report = (result(tmp_path) / "report.md").read_text("utf-8")
    assert "## Errors" in report
    assert "no answer within 30 s" in report


def test_a_broken_system_leaves_the_others_alone(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R3: a fault inside one system nulls all its questions with its reason; the others have their figures; exit 4."""
    extra = f'[system.broken]\nbase = "{fakes}:Broken"\n[system.keeper]\nbase = "{fakes}:Keeper"'
    code, _, said = lab("run", config("broken", "keeper", extra=extra))
    assert code == 4
    assert "broken × pond: 0 of 5" in said
    rows = table(tmp_path, "questions")
    assert set(rows.filter(pl.col("system") == "broken")["state"]) == {"failed"}
    assert "ZeroDivisionError: one by nothing (pond_fakes.py:" in rows["error"][0]
    assert rows.filter(pl.col("system") == "keeper")["R@3"].null_count() == 1


def test_an_error_is_never_kept(lab: Lab, config: Config, fakes: str) -> None:
    """R3: what failed is tried again by the next run, what went well is not."""
    extra = f'[system.weather]\nbase = "{fakes}:Weather"\n[system.keeper]\nbase = "{fakes}:Keeper"'
    path = config("weather", "keeper", extra=extra)
    lab("run", path)
    code, out, _ = lab("run", path)
    assert code == 4
    assert "1 of 2 steps reused, 1 replayed" in out
    assert "reused 1 of 2 steps: keeper × pond" in out


def test_coverage_may_be_lowered(lab: Lab, config: Config, fakes: str) -> None:
    """R3: with a floor of .8 a run of which 11 of 13 went well passes, its nulls still null."""
    path = config("weather", extra=f'[system.weather]\nbase = "{fakes}:Weather"', run="coverage = 0.8")
    assert lab("run", path)[0] == 0


def test_extraction_against_gold(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R1: nicknames resolve, a repetition is neither loss nor invention, what nobody said costs precision."""
    code, out, _ = lab("run", config("scribe", extra=f'[system.scribe]\nbase = "{fakes}:Scribe"'))
    assert code == 0
    rows = table(tmp_path, "extraction")
    stored = rows.filter(pl.col("kind") == "stored")
    assert stored["gold"].to_list() == ["f001", None, "f003", "f004"]
    assert rows.filter(pl.col("kind") == "missed")["gold"].to_list() == ["f002"]
    assert rows.filter(pl.col("kind") == "duplicate")["text"].to_list() == ["Ana Lima is living in Olinda"]
    assert "75.0   66.7       4    1" in out
    stages = table(tmp_path, "usage").filter(pl.col("stage").is_not_null())
    assert stages["stage"].to_list() == ["blind", "judge"]


def test_two_workers_give_what_one_gives(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R1: the number of processes changes no byte."""
    path = config("bm25", "keeper", extra=f'[system.keeper]\nbase = "{fakes}:Keeper"')
    assert lab("run", path, "--out", tmp_path / "one")[0] == 0
    assert lab("run", path, "--out", tmp_path / "two", "--jobs", 2)[0] == 0
    one, two = result(tmp_path, "one"), result(tmp_path, "two")
    assert one.name == two.name
    for name in ("questions.parquet", "usage.parquet", "report.md", "made.toml"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
