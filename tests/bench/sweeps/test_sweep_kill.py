"""A sweep that is killed goes on where it was, and stages of a script's own are swept like any other."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Dataset

SCRIPT = '''
"""Sweeps a stage that is defined right here, and tells how far it is; with KILL it is killed in the middle."""
import json, os, pickle, signal, sys
from dataclasses import replace
from pathlib import Path

from arandu_lab import sweep
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps import page
from arandu_lab.pipeline import Lab, stage
from arandu_lab.presets import arandu
from arandu_lab.read.found import Candidates
from arandu_lab.units import Share


@stage
def halt(found: Candidates, lab: Lab, *, dimming: Share = 0.0) -> Candidates:
    """Take nothing away, but know a parameter of its own."""
    return found


if __name__ == "__main__":
    page.write_sweep = lambda found, course, shelf: None
    results, jobs, until = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    box = arandu(enable_reranker=False)
    mine = replace(box, read=box.read.before("cut", halt()))
    towns = pickle.loads((Path(results).parent / "towns.pickle").read_bytes())
    told = []

    def progress(done, of, what):
        told.append((done, of, what))
        if until and what == "reading" and done == int(until):
            os.kill(os.getpid(), signal.SIGKILL)

    row = Row(name="mine", base="arandu", assembly=mine, options={"embedder": "hashing"})
    found = sweep(row, {"dimming": [0.0, 0.5], "topk_facts": [1, 20]}, towns,
                  measures=["R@5"], jobs=jobs, results=results, progress=progress)
    print(json.dumps({"told": told, "points": len(found.points), "means": found.table()["mean"].to_list()}))
'''


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_sweep_loses_only_what_was_in_flight(tmp_path: Path, towns: Dataset) -> None:
    """SIGKILL after the first of three readings: memories and that reading are kept, the others are done by the restart.

    The stage lives in the script's ``__main__``; the restart reads in two worker processes, which get it all the same.
    """
    (tmp_path / "towns.pickle").write_bytes(pickle.dumps(towns))
    (tmp_path / "script.py").write_text(SCRIPT)
    killed = _run(tmp_path, "1", "1")
    assert killed.returncode == -signal.SIGKILL
    kept = {one: one.stat().st_mtime_ns for one in (tmp_path / "results").rglob("*/told.json")}
    kept |= {one: one.stat().st_mtime_ns for one in (tmp_path / "results" / "sweeps").glob("*/answers.parquet")}
    assert len(kept) == 3 + 1
    again = _run(tmp_path, "2", "")
    assert again.returncode == 0, again.stderr[-2000:]
    said: dict[str, Any] = json.loads(again.stdout.splitlines()[-1])
    assert {of for _, of, what in said["told"] if what == "writing"} == {0}
    assert {of for _, of, what in said["told"] if what == "reading"} == {2}
    assert {one: one.stat().st_mtime_ns for one in kept} == kept
    assert said["points"] == 4
    assert not list((tmp_path / "results").rglob(".new-*")), "nothing half-written is left"


def _run(folder: Path, jobs: str, until: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "script.py"), str(folder / "results"), jobs, until]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder, env={**os.environ})
