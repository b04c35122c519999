"""A sweep as a whole, over three tiny conversations: what is done, what is not done again, what is paid, what is said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.measures import score
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps import purse, run
from arandu_lab.bench.sweeps.design import Halving
from arandu_lab.bench.sweeps.result import HELD_OUT
from arandu_lab.bench.sweeps.run import estimate, row_of, sweep
from arandu_lab.bench.workers import one_step
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.backend import Completion, Message
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.systems.base import Ranked, RankedTurn

ROW = Row(name="mine", base="arandu", options={"embedder": "hashing"})
READ = {"reranker_weight": [0.2, 0.7], "topk_facts": [1, 20]}
WRITE = {"semantic_dedup_threshold": [0.5, 0.95]}
COSTLY = Row(name="mine", base="arandu", options={**ROW.options, "llm": "scripted/paid"})
ONE = {"semantic_dedup_threshold": [0.5]}


def run_(dataset: Dataset, results: Path, grid: Any = READ, **more: Any) -> Any:
    """A sweep in this process, without a bar."""
    options = {"measures": ["R@5", "RR"], "jobs": 1, "progress": False, "hold_out": ["c3"], **more}
    return sweep(ROW, grid, dataset, results=results, **options)


@pytest.fixture(autouse=True)
def unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """No report is drawn here, but for the sweep that many tests look at."""
    monkeypatch.setattr("arandu_lab.bench.sweeps.page.write_sweep", lambda found, course, shelf: shelf.folder("-"))


@pytest.fixture(scope="module")
def swept(towns: Dataset, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A sweep of read-side settings, and where it lies."""
    results = tmp_path_factory.mktemp("swept")
    return run_(towns, results), results


def test_each_setting_measures_what_a_run_of_it_measures(swept: tuple[Any, Path], towns: Dataset) -> None:
    """The table's means are those of replays of the same row with the setting among its options, one by one."""
    found, _ = swept
    for row in found.table("RR").iter_rows(named=True):
        setting = {name: row[name] for name in READ}
        assert row["mean"] == pytest.approx(_replayed(towns.slice(["c1", "c2"]), setting), abs=1e-12)


def test_reading_writes_nothing_again(swept: tuple[Any, Path], towns: Dataset) -> None:
    """Four settings share one memory a conversation; the same sweep again does no work at all."""
    found, results = swept
    assert len(list((results / "ingested").iterdir())) == 3
    told: list[tuple[int, int, str]] = []
    again = run_(towns, results, progress=lambda *one: told.append(one))
    assert {of for _, of, _ in told} == {0}
    assert again.table().equals(found.table())
    assert again.address == found.address


def test_more_settings_do_not_write_either(swept: tuple[Any, Path], towns: Dataset) -> None:
    """A sweep of other read-side settings finds the memories that are there."""
    _, results = swept
    told: list[tuple[int, int, str]] = []
    run_(towns, results, {"min_score": [0.0, 0.2]}, progress=lambda *one: told.append(one))
    assert {of for _, of, what in told if "writing" in what} == {0}
    assert 2 in {of for _, of, what in told if what == "reading"}


def test_the_held_out_part_is_asked_of_winners_only(swept: tuple[Any, Path]) -> None:
    """Of the held-out conversation nothing is known but under the default and the settings that won in training."""
    found, _ = swept
    held = found.answers.filter(pl.col("part") == HELD_OUT)
    assert set(held["conversation"]) == {"c3"}
    assert set(held["point"]) == {0, *(found.chosen(one) for one in found.measures)}
    assert found.best("RR").split.startswith("held out: 1 of 3")


def test_the_folder_repeats_the_sweep(swept: tuple[Any, Path]) -> None:
    """made.toml is a plan that gives the same sweep; the report, its picture and its frames lie beside it."""
    from arandu_lab.bench.sweeps.plan import read_sweep_plan

    found, _ = swept
    assert {one.name for one in found.folder.iterdir()} == {
        *("made.toml", "report.md", "report.html", "sweep.svg", "sweep.png"),
        *("settings.parquet", "answers.parquet", "errors.parquet", "written.parquet", "sweep.json"),
    }
    plan = read_sweep_plan(found.folder / "made.toml")
    assert plan.grid == {name: tuple(values) for name, values in READ.items()}
    assert (plan.hold_out, plan.measures, plan.row.options["embedder"]) == (("c3",), ("R@5", "RR"), "hashing")
    assert pl.read_parquet(found.folder / "settings.parquet").equals(found.table())


def test_writing_is_done_anew_and_in_a_running_loop(towns: Dataset, tmp_path: Path) -> None:
    """A write-side setting hears each conversation once a value; a cell of a notebook, which has a loop, may sweep it."""

    async def cell() -> Any:
        return run_(towns, tmp_path, WRITE, hold_out=None)

    found = asyncio.run(cell())
    assert len(list((tmp_path / "ingested").iterdir())) == 9
    assert found.points[0]["semantic_dedup_threshold"] not in WRITE["semantic_dedup_threshold"]
    assert found.table("RR")["tokens_write"].null_count() == 0


def test_no_question_is_paid_for_twice(towns: Dataset, tmp_path: Path, paid: list[str]) -> None:
    """Two values of a write-side setting ask the model what is new to the cassette; a lost memory is written for nothing."""
    options: dict[str, Any] = {"results": tmp_path, "jobs": 1, "progress": False, "measures": ["R@5"]}
    found = sweep(COSTLY, ONE, towns.slice(["c1"]), **options)
    tape = (tmp_path / "cassettes" / "scripted-paid.jsonl").read_text().splitlines()
    kept = (tmp_path / "judgements" / "scripted-paid.jsonl").read_text().splitlines()
    assert len({json.loads(one)["key"] for one in tape}) == len(tape)
    assert len(tape) == len(paid) == found.paid.billed_calls
    assert len({json.loads(one)["key"] for one in kept}) == len(kept) > 0
    asked = int(found.written["calls"].sum())
    assert asked > len([one for one in paid if one != "judge"]), "asked cold is counted apart from what was paid"
    for one in (tmp_path / "ingested").iterdir():
        one.rename(tmp_path / f"gone-{one.name}")
    before = len(paid)
    again = sweep(COSTLY, ONE, towns.slice(["c1"]), **options)
    assert len(paid) == before
    assert again.table().drop("cost_usd").equals(found.table().drop("cost_usd"))


def test_a_cap_stops_before_it_is_passed(
    towns: Dataset, tmp_path: Path, paid: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cap below the estimate refuses before anything is asked; one that is reached stops before it, and more goes on."""
    alone = towns.slice(["c1"])
    options: dict[str, Any] = {"results": tmp_path, "jobs": 1, "measures": ["R@5"]}
    cost = estimate(COSTLY, ONE, alone, **options)
    assert (cost.ingests, cost.turns, cost.usd) == (2, 8, None)
    options["progress"] = False
    with pytest.raises(ConfigError, match="nothing was asked"):
        sweep(COSTLY, ONE, alone, cap=f"{cost.tokens // 2} tokens", **options)
    with pytest.raises(ConfigError, match="nobody states the price"):
        sweep(COSTLY, ONE, alone, cap="1 USD", **options)
    assert not paid
    monkeypatch.setattr(run, "_within_cap", lambda course, cost: None)
    with pytest.raises(ConfigError, match="stopped before the cap") as stopped:
        sweep(COSTLY, ONE, alone, cap="9k tokens", **options)
    spent = int(str(stopped.value).split(" tokens in ")[0].rsplit(" ", 1)[1].replace(",", ""))
    assert 0 < spent <= 9000
    sweep(COSTLY, ONE, alone, cap=f"{10 * cost.tokens} tokens", **options)
    tape = (tmp_path / "cassettes" / "scripted-paid.jsonl").read_text().splitlines()
    assert len(tape) == len(paid), "what was paid before the stop was not paid again"


def test_an_estimate_counts_what_is_left(swept: tuple[Any, Path], towns: Dataset) -> None:
    """What is kept is not among what there is to do; offline it is free."""
    _, results = swept
    options: dict[str, Any] = {"measures": ["R@5", "RR"], "hold_out": ["c3"]}
    kept = estimate(ROW, READ, towns, results=results, **options)
    fresh = estimate(ROW, READ, towns, results=results / "elsewhere", **options)
    assert (kept.ingests, kept.ingests_kept, fresh.ingests, fresh.turns) == (0, 3, 3, 12)
    assert fresh.settings == 5 or fresh.settings == 4
    assert fresh.tokens > 0
    assert fresh.usd == 0.0
    assert "3 memories of 12 turns" in str(fresh)


def test_a_halving_asks_everything_of_few(towns: Dataset, tmp_path: Path) -> None:
    """Half of the settings go on each round; the default is asked everything whatever it does."""
    found = run_(towns, tmp_path, design=Halving(), hold_out=None)
    asked = dict(found.answers.group_by("point").len().iter_rows())
    assert asked[0] == 12
    assert sorted(set(asked.values())) == [3, 6, 12]
    assert set(found.finalists) == {point for point, number in asked.items() if number == 12}


def test_a_dead_model_is_null_and_a_hollow_sweep_fails(
    towns: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is answered under the default there is nothing to compare: the sweep fails and says why."""
    monkeypatch.setattr("arandu_lab.bench.sweeps.work.read_settings", _nothing)
    with pytest.raises(BackendError, match="no question was answered under the default: dead"):
        run_(towns, tmp_path)
    assert not (tmp_path / "sweeps").exists(), "an answer that failed is never kept"


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"reranker_weigth": [0.1]}, "did you mean 'reranker_weight'"),
        ({"reranker_weight": [0.1, 7.0]}, "less than or equal to 1"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_done(
    towns: Dataset, tmp_path: Path, grid: Any, said: str
) -> None:
    """An unknown name, a value out of range, and a setting that nothing reads cost nothing."""
    with pytest.raises(ConfigError, match=said):
        run_(towns, tmp_path, grid)
    assert not list(tmp_path.iterdir())


def test_what_may_be_swept() -> None:
    """A name, a row, a mapping of settings, an assembly; nothing else, and one at a time."""
    from arandu_lab.presets import arandu

    assert row_of("tuned") == Row(name="tuned", base="tuned")
    assert row_of({"wide": {"topk_facts": 40}}) == Row(name="wide", base="arandu", options={"topk_facts": 40})
    assert row_of({"mine": arandu()}).assembly == arandu()
    for wrong in (7, {"a": "arandu", "b": "tuned"}):
        with pytest.raises(ConfigError, match="swe"):
            row_of(wrong)
    with pytest.raises(ConfigError, match="no memory of stages"):
        sweep("bm25", {"k1": [1.0, 2.0]}, "harbor_en", progress=False)


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A model that costs something; the list holds the task of each question it was really asked."""
    asked: list[str] = []

    class Paid:
        name = "scripted/paid"

        async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
            from arandu_lab.llm.scripted import read_block

            asked.append(read_block(messages)[0])
            return await OfflineRules().complete(messages, **options)

    monkeypatch.setattr(purse, "open_backend", lambda spec: Paid() if spec == "scripted/paid" else OfflineRules())
    return asked


def _replayed(dataset: Dataset, setting: dict[str, Any]) -> float:
    from arandu_lab.bench.artifacts import Step

    row = Row(name="mine", base="arandu", options={**ROW.options, **setting})
    answers = {}
    for conversation in dataset:
        step = Step(
            row=row, dataset=dataset.name, language="en", conversation=conversation.id, depth=20, seed=0, address="-"
        )
        for one in one_step(step, {dataset.name: dataset}).answers:
            turns = tuple(RankedTurn(id=turn, score=0.0) for turn in one.returned or ())
            answers[conversation.id, one.question] = Ranked(turns=turns)
    mean = score(dataset, answers, ["RR"])["value"].mean()
    assert isinstance(mean, float)
    return mean


def _nothing(ingested: Any, conversation: Any, row: Row, settings: Sequence[Any], **options: Any) -> Any:
    from arandu_lab.bench.replay import Answer

    return [[Answer(question=one.id, heard=0, error="dead") for one in conversation.questions] for _ in settings]
