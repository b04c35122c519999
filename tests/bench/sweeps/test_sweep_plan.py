"""The file of a sweep is read strictly, and a cap has a unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.sweeps.costs import Cap, cap_of
from arandu_lab.bench.sweeps.design import Between, Random
from arandu_lab.bench.sweeps.plan import plan_of, read_sweep_plan
from arandu_lab.errors import ConfigError

GRID = {"topk_facts": [5, 10]}
SWEEP = {"system": "arandu", "datasets": ["harbor_en"]}


def test_the_file_that_ships_is_read() -> None:
    """configs/sweep.toml is a plan."""
    plan = read_sweep_plan(Path(__file__).parents[3] / "configs" / "sweep.toml")
    assert plan.name == "sweep"
    assert plan.hold_out
    assert plan.row.base == "arandu"


def test_everything_may_be_said() -> None:
    """Every key has its place in the plan."""
    said = {
        **SWEEP,
        "design": {"kind": "random", "n": 4},
        "hold_out": 0.5,
        "measures": ["R@5", "RR"],
        "cap": "2.50 USD",
        "jobs": 1,
        "backend": "threading",
        "depth": 10,
        "replay": "replay-only",
    }
    grid = {"reranker_weight": {"from": 0.0, "to": 1.0}, **GRID}
    plan = plan_of({"sweep": said, "grid": grid, "system": {"arandu": {"topk_facts": 30}}})
    assert plan.design == Random(4)
    assert plan.grid == {"reranker_weight": Between(0.0, 1.0), "topk_facts": (5, 10)}
    assert plan.row.options == {"topk_facts": 30}
    assert plan.cap == Cap(usd=2.5)
    assert (plan.hold_out, plan.measures, plan.depth) == (0.5, ("R@5", "RR"), 10)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"sweep": SWEEP}, "is empty"),
        ({"sweep": {**SWEEP, "measure": ["R@5"]}, "grid": GRID}, "did you mean 'measures'"),
        ({"sweep": SWEEP, "gird": GRID}, "did you mean 'grid'"),
        ({"sweep": {"datasets": ["x"]}, "grid": GRID}, "wants the name of a system"),
        ({"sweep": {"system": "arandu"}, "grid": GRID}, "datasets"),
        ({"sweep": {**SWEEP, "datasets": "harbor_en"}, "grid": GRID}, "list of names"),
        ({"sweep": SWEEP, "grid": {"topk_facts": 5}}, "list of values"),
        ({"sweep": SWEEP, "grid": {"x": {"from": 1}}}, "from = 0.0, to"),
        ({"sweep": SWEEP, "grid": {"x": {"from": 0, "too": 1}}}, "did you mean 'to'"),
        ({"sweep": {**SWEEP, "hold_out": 1.5}, "grid": GRID}, "above 0 and below 1"),
        ({"sweep": {**SWEEP, "depth": 5}, "grid": GRID}, "less than the cut 10"),
        ({"sweep": {**SWEEP, "cap": 5}, "grid": GRID}, "number with its unit"),
        ({"sweep": {**SWEEP, "jobs": 0}, "grid": GRID}, "at least 1"),
        ({"sweep": {**SWEEP, "measures": ["Q@5"]}, "grid": GRID}, "Q@5"),
        ({"sweep": SWEEP, "grid": GRID, "system": {"tuned": {}}}, "known: arandu"),
        ({"sweep": {**SWEEP, "name": "a/b"}, "grid": GRID}, "letters, digits"),
    ],
)
def test_what_cannot_be_meant_is_said(data: dict[str, Any], said: str) -> None:
    """A key that is not known or a value that cannot be meant is refused by its name."""
    with pytest.raises(ConfigError, match=said):
        plan_of(data)


@pytest.mark.parametrize(
    ("given", "cap"),
    [
        ("$3", Cap(usd=3.0)),
        ("0.5 usd", Cap(usd=0.5)),
        ("10_000 tokens", Cap(tokens=10_000)),
        ("1.5M tokens", Cap(tokens=1_500_000)),
    ],
)
def test_caps_are_read(given: str, cap: Cap) -> None:
    """Dollars or tokens, with thousands and millions."""
    assert cap_of(given) == cap


@pytest.mark.parametrize("given", [3, "3", "many tokens", "-1 USD", "0 USD", "3 EUR"])
def test_a_cap_without_a_unit_is_refused(given: Any) -> None:
    """A bare number is neither dollars nor tokens."""
    with pytest.raises(ConfigError, match="cap"):
        cap_of(given)


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (
            "[sweep]\nsystem = 'arandu'\ndatasets = ['harbor_en']\n[grid]\ntopk_fact = [5]\n",
            [],
            "did you mean 'topk_facts'",
        ),
        ("[sweep]\nsystem = 'bm25'\ndatasets = ['harbor_en']\n[grid]\nk1 = [1.0]\n", [], "no memory of stages"),
        ("[sweep]\nsystem = 'arandu'\n", [], "grid"),
        (
            "[sweep]\nsystem = 'arandu'\ndatasets = ['harbor_en']\n[grid]\ntopk_facts = [5]\n",
            ["--cap", "3"],
            "with its unit",
        ),
        ("[sweep]\nsystem = 'arandu'\ndatasets = ['harber_en']\n[grid]\ntopk_facts = [5]\n", [], "harbor_en"),
    ],
)
def test_the_command_refuses_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, more: list[str], said: str
) -> None:
    """A file that cannot be meant ends the command with code 2 and one line that names what is wrong; nothing is made."""
    from arandu_lab.cli import main

    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["sweep", str(tmp_path / "mine.toml"), "--out", str(tmp_path / "out"), *more])
    assert ended.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert not (tmp_path / "out").exists()
