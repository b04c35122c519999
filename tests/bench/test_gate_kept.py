"""What is committed holds together: the baseline, the figures in the document, the workflow that uses them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arandu_lab.bench.data.registry import load
from arandu_lab.bench.gate import docs_differ, gate
from arandu_lab.bench.made import read_result

ROOT = Path(__file__).parents[2]
BASELINES = sorted(path.parent for path in (ROOT / "results" / "baselines").glob("*/made.toml"))


@pytest.mark.parametrize("folder", BASELINES, ids=lambda one: one.name)
def test_figures_in_the_document_are_those_of_the_baseline(folder: Path) -> None:
    """R4: the committed table is recomputed from the committed rows; one figure that differs fails the build."""
    assert docs_differ(ROOT / "docs" / "measured.md", folder.name, read_result(folder)) is None


@pytest.mark.parametrize("folder", BASELINES, ids=lambda one: one.name)
def test_a_baseline_is_small_sound_and_of_the_data_here(folder: Path) -> None:
    """R1: a baseline passes against itself, is of the very bytes of our own sets, and has room in a repository (300 kB)."""
    plan, _ = read_result(folder)
    assert gate(folder, folder).code == 0
    assert {name: load(name).digest for name in plan.datasets} == dict(plan.made["datasets"])
    assert sum(one.stat().st_size for one in folder.iterdir()) < 300_000
    text = (folder / "made.toml").read_text(encoding="utf-8")
    assert not re.search(r'"/(home|root|tmp|work)\b', text)


def test_the_workflow_uses_what_is_here() -> None:
    """R4: the workflow installs, tests, gates against a baseline that is there, and keeps the report; its actions have versions."""
    text = (ROOT / ".github" / "workflows" / "memory.yml").read_text(encoding="utf-8")
    jobs = text.split("\njobs:\n")[1]
    assert "run: make test" in jobs
    assert (
        "arandu-lab gate\n          --baseline results/baselines/quickstart\n          --config configs/quickstart"
        in jobs
    )
    for path in ("results/baselines/quickstart/made.toml", "configs/quickstart.toml", "constraints.txt"):
        assert (ROOT / path).is_file()
    used = re.findall(r"uses: (\S+)", jobs)
    assert {one.split("@")[0] for one in used} >= {"actions/checkout", "actions/upload-artifact"}
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", one) for one in used)
