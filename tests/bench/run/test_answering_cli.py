"""Answering as the last step of a run, and on a result that is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.made import read_result
from arandu_lab.bench.plan import plan_of
from arandu_lab.errors import ConfigError


def test_a_run_ends_with_answers(
    lab: Callable[..., tuple[int, str, str]], config: Callable[..., Path], fakes: str, tmp_path: Path
) -> None:
    """``[run] answer`` answers from the contexts after the replay; ``arandu-lab answer`` does it again and hears no turn."""
    run = 'answer = {model = "offline/rules", judge = "offline/rules"}'
    code, out, said = lab("run", config("keeper", run=run, extra=f'[system.keeper]\nbase = "{fakes}:Keeper"'))
    assert (code, said) == (0, "")
    assert "false accepts" in out
    (folder,) = (tmp_path / "results").glob("*/answers/*")
    frame = pl.read_parquet(folder / "scores.parquet")
    assert frame["state"].to_list() == ["scored"] * 5
    assert frame.filter(absent=True)["verdict"].to_list() == ["CORRECT"], (
        "the context 'abcd' holds nothing, and that is said"
    )
    assert frame.filter(absent=False)["recall"].to_list() == [0.0] * 4
    plan, _ = read_result(folder.parents[1])
    assert plan.answer == {"model": "offline/rules", "judge": "offline/rules"}

    import pond_fakes

    heard = len(pond_fakes.Keeper.diary)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    code, out, _ = lab("answer", folder.parents[1].name[:9], "--judge", "offline/rules", "--out", tmp_path / "results")
    assert code == 0
    assert len(pond_fakes.Keeper.diary) == heard
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before, "answered again, the same is written"


def test_a_system_that_failed_has_no_answers(
    lab: Callable[..., tuple[int, str, str]], config: Callable[..., Path], fakes: str, tmp_path: Path
) -> None:
    """R3: what a system failed on is an error of the answers too (exit code 4); what it did answer is scored."""
    lab("run", config("weather", extra=f'[system.weather]\nbase = "{fakes}:Weather"'))
    (folder,) = (tmp_path / "results").glob("*/made.toml")
    code, _, said = lab("answer", folder.parent, "--out", tmp_path / "results")
    assert code == 4
    assert "1 of 5 answers are errors and no zeros: weather, q2: the system failed: " in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"modle": "x"}, "did you mean 'model'?"),
        ({"judge": "offline/rules"}, "wants a model"),
        ({"model": 3}, "the name of a model"),
        ({"model": "x", "repeats": 2}, "an odd number"),
        ("offline/rules", "wants a table"),
    ],
)
def test_who_answers_is_read_strictly(given: object, said: str) -> None:
    """R1: a misspelt key or an impossible value of ``[run] answer`` is refused before anything runs."""
    with pytest.raises(ConfigError) as refused:
        plan_of({"run": {"datasets": ["a"], "systems": ["bm25"], "answer": given}})
    assert said in str(refused.value)
