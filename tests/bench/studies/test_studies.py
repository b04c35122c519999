"""The four studies on a tiny set: what they hear is what a run hears, what they cost is counted, and a cap stops them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.extraction import extraction_rows
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import replay
from arandu_lab.bench.studies import study_decay, study_dedup, study_extraction, study_reranker
from arandu_lab.bench.studies.command import command
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.extraction_told import study_of
from arandu_lab.bench.studies.plan import plan_of
from arandu_lab.bench.studies.plans import ExtractionPlan
from arandu_lab.bench.studies.study import Study
from arandu_lab.bench.sweeps import page, purse
from arandu_lab.bench.sweeps.ingested import memory_of
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.open import open_backend
from arandu_lab.llm.scripted import read_block
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.trace import Usage
from arandu_lab.viz import theme


class Paid:
    """The offline rules under a name that costs, which count what they are asked and may fail."""

    name = "paid/one"

    def __init__(self, fails: tuple[str, str] = ("", "")) -> None:
        self.inner, self.asked, self.fails = open_backend("offline/rules"), 0, fails

    async def complete(self, messages: Any, **options: Any) -> Any:
        self.asked += 1
        task, inputs = read_block(messages)
        if (task, inputs.get("message")) == self.fails:
            raise BackendError("gone", kind="refused", backend=self.name)
        return await self.inner.complete(messages, **options)


@pytest.fixture(scope="module")
def extraction(tiny: Dataset, small: dict[str, Any], results: Path) -> Study:
    """Teacher-forced, offline."""
    return study_extraction(tiny, results=results, progress=False, free=False, priced_as="openai/gpt-4.1-mini", **small)


def test_the_taught_arm_reads_what_a_run_reads(extraction: Study, tiny: Dataset) -> None:
    """The arm whose reading the memory takes stores, message by message, what the plain system stores; the other is blind."""
    system = memory_of(Row(name="arandu", base="arandu", options={"embedder": "hashing"}), tiny["c1"], language="en")
    system.path = "memory://"
    done = asyncio.run(replay(system, tiny["c1"], depth=10))
    stored = pl.DataFrame([row for row in extraction_rows(tiny["c1"], done) if row["kind"] == "stored"])
    plain = dict(stored.group_by("turn").len().iter_rows())
    mine = extraction.frames["messages"].filter(pl.col("arm") == "informed")
    assert {turn: facts for turn, facts in mine.select("turn", "facts").iter_rows() if facts} == plain
    assert mine["right"].sum() == stored["gold"].is_not_null().sum()
    assert set(extraction.frames["messages"].filter(pl.col("arm") == "blind")["mode"].drop_nulls()) == {"blind"}


def test_equal_readings_are_told_as_equal_with_the_price_beside_them(extraction: Study) -> None:
    """Here both say the same: the sentence says so, over what, and what the tokens would have cost under each."""
    said = extraction.found[0]
    assert "right and wrong about the same on all 6 messages" in said
    assert "2 sessions of one conversation" in said
    assert "at the price of openai/gpt-4.1-mini" in said
    calls = dict(extraction.frames["messages"].group_by("arm").agg(pl.col("calls").sum()).iter_rows())
    assert calls["blind"] > calls["informed"]
    assert extraction.bill.calls > 0


def test_what_cannot_be_told_apart_is_not_called_equal(extraction: Study, tiny: Dataset) -> None:
    """One fact that blind misses: a difference in one session of two, so the interval holds 0, and how much it leaves open is said."""
    messages = extraction.frames["messages"]
    worse = (pl.col("turn") == "t1") & (pl.col("arm") == "blind")
    messages = messages.with_columns(
        *(pl.when(worse).then(0).otherwise(pl.col(one)).cast(pl.Int64).alias(one) for one in ("right", "kept", "facts"))
    )
    plan = plan_of(ExtractionPlan, {"datasets": ["tiny"]})
    said = study_of(plan, [tiny], messages, None, extraction.bill, Usage()).found[0]
    assert "no difference in quality between informed and blind can be shown" in said
    assert "is not ruled out" in said
    assert "recall +" in said


def test_a_paid_model_is_asked_nothing_twice(
    tiny: Dataset, small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit of the taught arm repeats its dry run and pays nothing; a second study of the same pays nothing at all."""
    paid = Paid()
    monkeypatch.setattr(purse, "open_backend", lambda model: paid)
    call = {"results": tmp_path, "progress": False, "free": False, "model": paid.name, "turns": 4, **small}
    study = study_extraction(tiny, **call)
    messages = study.frames["messages"]
    assert paid.asked == study.paid.billed_calls
    assert paid.asked <= messages["calls"].sum()  # what both ask in the same words is asked once
    again = study_extraction(tiny, **call)
    assert paid.asked == study.paid.billed_calls
    assert again.paid.billed_calls == 0
    assert again.frames["messages"].drop("ms").equals(messages.drop("ms"))


def test_a_cap_stops_before_it_is_passed(
    tiny: Dataset, small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the estimate nothing is asked at all; where the estimate was too low, no more is paid than the cap."""
    paid = Paid()
    monkeypatch.setattr(purse, "open_backend", lambda model: paid)
    monkeypatch.setattr(purse, "token_counter", lambda model: estimate_tokens)
    call = {
        "results": tmp_path,
        "progress": False,
        "free": False,
        "model": paid.name,
        "cap": "6000 tokens",
        "turns": 4,
        **small,
    }
    with pytest.raises(ConfigError, match=r"the cap is 6,000 tokens.*nothing was asked"):
        study_extraction(tiny, **call)
    assert not paid.asked
    monkeypatch.setattr(Bill, "within", lambda self, cap: None)
    with pytest.raises(ConfigError, match=r"stopped before the cap of 6,000 tokens was passed: [1-9]") as told:
        study_extraction(tiny, **call)
    spent = int(str(told.value).split(": ")[1].split(" tokens")[0].replace(",", ""))
    assert 0 < spent <= 6000


def test_a_reading_that_fails_is_left_out_and_told(
    tiny: Dataset, small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its figures are null, the pair is not compared, and the report says how many failed."""
    paid = Paid(
        fails=("facts", tiny["c1"].turns[1].text)
    )  # the second message, which the blind way asks for facts alone
    monkeypatch.setattr(purse, "open_backend", lambda model: paid)
    study = study_extraction(tiny, results=tmp_path, progress=False, free=False, model=paid.name, turns=4, **small)
    failed = study.frames["messages"].filter(pl.col("error").is_not_null())
    assert failed.height == 1
    assert failed["facts"][0] is None
    assert any("1 readings failed" in one for one in study.found)


def test_a_report_is_kept_with_its_frames_and_picture(
    extraction: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lie in a folder of the study's name; drawing itself is tested where pictures are."""
    drawn: list[str] = []
    monkeypatch.setattr(theme, "save", lambda spec, folder, name: drawn.append(name) or spec["config"])
    place = extraction.keep(tmp_path)
    assert {"report.md", "messages.parquet", "figures.parquet"} == {one.name for one in place.iterdir()}
    assert drawn == ["extraction"]
    assert "## tiny, teacher-forced: 6 messages" in (place / "report.md").read_text(encoding="utf-8")


def test_decay_and_reranker_are_re_scored_over_one_memory(
    tiny: Dataset, small: dict[str, Any], results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both read the same memory, written once; a setting that changes nothing differs from the default by nothing."""
    monkeypatch.setattr(page, "write_sweep", lambda found, course, shelf: None)  # its pages have tests of their own
    decay = study_decay(tiny, results=results, progress=False, half_lives=[14.0, 365.0], weights=[0.0, 0.2], confidences=[],
                        both=False, bins=[90], **small)  # fmt: skip
    written = list((results / "ingested").iterdir())
    reranker = study_reranker(tiny, results=results, progress=False, weights=[0.0, 0.7], vetoes=[0.0, 0.1], **small)
    assert list((results / "ingested").iterdir()) == written
    assert len(written) == 1
    figures = decay.frames["figures"]
    assert figures.filter((pl.col("setting") == 0) & (pl.col("what") == "all"))["questions"][0] == 3
    assert figures.filter((pl.col("setting") == 0) & (pl.col("what") == "over first"))["questions"][0] == 1
    grid = reranker.frames["grid"]
    assert grid.height == 4
    assert grid.filter("default")["difference"][0] == 0.0
    assert any("held out" in one for one in reranker.found)
    for study in (decay, reranker):
        assert study.plot().to_dict()["config"]
        assert study.name in ("decay", "reranker")


def test_thresholds_that_drop_the_same_are_written_once(tiny: Dataset, small: dict[str, Any], results: Path) -> None:
    """No memory is written under a threshold that drops nothing else than the default; losses fall as thresholds rise."""
    study = study_dedup(tiny, results=results, progress=False, thresholds=[0.5, 0.85, 1.0], written=[1.0], **small)
    assert "memories_semantic_dedup_threshold" not in study.frames
    assert any("so none was written" in one for one in study.found)
    curves = study.frames["curves"].filter((pl.col("reading") == "as one message") & ~pl.col("words")).sort("threshold")
    lost = curves["lost"].to_list()
    assert lost == sorted(lost, reverse=True)
    assert study.plot().to_dict()["config"]


def test_a_command_says_its_cost_and_does_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--estimate`` prints calls, tokens and price, and leaves no result; an unknown set is the user's error."""
    root = Path(__file__).resolve().parents[3]
    given = [
        "--config",
        str(root / "configs" / "study_extraction.toml"),
        "--quick",
        "--results",
        str(tmp_path / "none"),
    ]
    assert command("extraction", "", [*given, "--estimate"]) == 0
    said = capsys.readouterr().out
    assert "12 messages read twice" in said
    assert "at the price of openai/gpt-4.1-mini this would be about" in said
    assert not (tmp_path / "none").exists()
    assert command("extraction", "", [*given, "--sets", "harbour_en"]) in (2, 3)
    assert "harbor_en" in capsys.readouterr().err
