"""A cassette in use: recorded once, replayed for nothing, and the same report from it, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from arandu_lab import experiment
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.frames import frames
from arandu_lab.bench.made import read_result, write_result
from arandu_lab.bench.plan import Plan, Row, read_plan
from arandu_lab.bench.run import cassette_of, planned, replayed
from arandu_lab.cli import main
from arandu_lab.errors import ConfigError
from arandu_lab.llm.offline import OfflineRules

PAID = "house-model"


class Shop(OfflineRules):
    """The offline rules under the name of a model that costs money; it counts what it is asked, or refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.name = PAID
        self.asked = 0
        self.shut = False

    async def complete(self, messages, *, schema, max_tokens, repeat=0):
        assert not self.shut, "a model was asked in replay-only"
        self.asked += 1
        return await super().complete(messages, schema=schema, max_tokens=max_tokens, repeat=repeat)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    made = Shop()
    monkeypatch.setattr("arandu_lab.llm.cassette.open_backend", lambda spec: made)
    return made


@pytest.fixture
def pool(lake: Dataset) -> Dataset:
    """One conversation of the lake."""
    return lake.slice(1)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A file of prices of one's own, in which asking costs two dollars a million tokens and answering eight."""
    file = tmp_path / "prices.toml"
    file.write_text(f'date = "2026-11-30"\n[models."{PAID}"]\ninput = 2\noutput = 8\n', encoding="utf-8")
    return file


ROW = {"mine": {"base": "arandu", "llm": PAID, "embedder": "hashing"}}


def test_record_then_replay_only_gives_the_same_report(shop: Shop, pool: Dataset, prices: Path, tmp_path: Path) -> None:
    """R1: re-run from made.toml with no model to ask: the same report, byte by byte; billed is then 0, asked is as before."""
    told = {"depth": 4, "jobs": 1, "progress": False, "prices": prices}
    first = experiment([ROW, "bm25"], pool, ["R@1", "Stale@3"], replay="record", results=tmp_path / "a", **told)
    tape = tmp_path / "a" / "cassettes" / "experiment.jsonl"
    assert tape.is_file()
    assert shop.asked > 0
    shop.shut = True
    usage = first.usage().filter(pl.col("system") == "mine")
    assert usage["tokens_billed"].to_list() == usage["tokens_asked"].to_list()
    for row in usage.iter_rows(named=True):
        assert row["would_usd"] == pytest.approx((2 * row["input_tokens"] + 8 * row["output_tokens"]) / 1e6)
    assert usage["would_usd"].sum() > 0

    plan = read_plan(first.folder / "made.toml")
    assert plan.cassette == str(tape)
    again = _again(plan, pool, tmp_path / "b")
    report = (first.folder / "report.md").read_bytes()
    assert report == (again / "report.md").read_bytes()
    assert b"billed" not in report.split(b"## How to read it")[0].replace(b"What was billed", b"")
    paid = ["calls_billed", "tokens_billed"]
    _, found = read_result(again)
    assert found.questions.drop(paid).equals(first.frames.questions.drop(paid))
    assert found.usage.drop(paid).equals(first.frames.usage.drop(paid))
    assert found.usage["tokens_billed"].sum() == found.usage["calls_billed"].sum() == 0
    assert "billed" in (again / "usage.md").read_text(encoding="utf-8")
    assert (again / "extraction.parquet").read_bytes() == (first.folder / "extraction.parquet").read_bytes()


def _again(plan: Plan, dataset: Dataset, results: Path) -> Path:
    from dataclasses import replace

    plan = replace(plan, replay="replay-only", jobs=1)
    run = planned(plan, {dataset.name: dataset})
    replayed(run, results / ".steps", cassette=cassette_of(plan, results))
    return write_result(run, frames(run), results)


def test_record_asks_again_and_replay_asks_only_what_is_missing(shop: Shop, pool: Dataset, tmp_path: Path) -> None:
    """record: every question is asked, though steps and answers are known. replay: only what the file lacks is."""
    told = {"depth": 4, "jobs": 1, "progress": False, "results": tmp_path}
    experiment(ROW, pool, ["R@1"], replay="record", **told)
    cold = shop.asked
    experiment(ROW, pool, ["R@1"], replay="record", **told)
    assert shop.asked == 2 * cold
    tape = tmp_path / "cassettes" / "experiment.jsonl"
    lines = tape.read_text(encoding="utf-8").splitlines(keepends=True)
    tape.write_text("".join(lines[:-1]), encoding="utf-8")
    told["results"] = tmp_path / "other"
    with pytest.raises(ConfigError, match="is not in"):
        experiment(ROW, pool, ["R@1"], replay=_only(tape), **told)
    assert shop.asked == 2 * cold
    found = experiment(ROW, pool, ["R@1"], replay=tape, **told)
    assert shop.asked == 2 * cold + 1
    assert found.usage()["calls_billed"].sum() == 1 < found.usage()["calls"].sum()


def _only(tape: Path):
    from arandu_lab.llm.cassette import Cassette

    return Cassette(path=str(tape), mode="replay-only")


def test_the_command_line_takes_cassettes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """A mode of no such name, or replay-only of what was never recorded, is the user's error and nothing runs."""
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "run.toml"
    config.write_text('[run]\ndatasets = ["harbor_en"]\nsystems = ["bm25"]\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        main(["run", str(config), "--replay", "replay_only"])
    assert "did you mean 'replay-only'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["run", str(config), "--cassette", "none.jsonl", "--replay", "replay-only"])
    assert "none.jsonl: no such file; record it first" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_plan_says_where_its_cassette_is() -> None:
    """The file's own, or one of the run's name; none where none is asked for. Mode by default: ask what is missing."""
    plan = Plan(name="mine", datasets=("x",), rows=(Row(name="a", base="bm25"),))
    assert cassette_of(plan, Path("r")) is None
    from dataclasses import replace

    one = cassette_of(replace(plan, replay="record"), Path("r"))
    assert one is not None
    assert (Path(one.path), one.mode) == (Path("r/cassettes/mine.jsonl"), "record")
    two = cassette_of(replace(plan, cassette="c.jsonl"), Path("r"))
    assert two is not None
    assert (two.path, two.mode) == ("c.jsonl", "replay")
