"""Writers killed at random moments."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arandu_lab.store import Store, segments
from arandu_lab.store.schema import stored_key
from arandu_lab.testing.plain import AGENTS, DIM, Plain

CHILD = Path(__file__).with_name("killed_child.py")
ROUNDS = int(os.environ.get("ARANDU_LAB_KILLS", "6"))
"""Kills; more on demand."""
PER_STORE = 10


@pytest.mark.parametrize("rounds", [ROUNDS])
def test_kill_loses_nothing(tmp_path: Path, rounds: int) -> None:
    """I3, I7: after ``kill -9`` at any moment no acknowledged unit is lost, no unit is half there, all tables agree."""
    rng = random.Random(7)
    acknowledged: list[list[str]] = []
    torn = 0
    with subprocess.Popen(
        [sys.executable, str(CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        for turn in range(rounds):
            path = tmp_path / f"store{turn // PER_STORE}"
            if turn % PER_STORE == 0:
                acknowledged = []
            acknowledged += _run_and_kill(child, path, turn, rng)
            torn += _check(path, acknowledged, thorough=turn % 5 == 4 or turn == rounds - 1)
        child.kill()
    assert torn > 0, "no kill ever fell between journal and tables: the test proves nothing"


def _run_and_kill(child: subprocess.Popen[str], path: Path, turn: int, rng: random.Random) -> list[list[str]]:
    """Lines acknowledged by a writer before it was killed, early (while it opens) or some units later."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(f"{path}\t{turn}\t{rng.randrange(10**9)}\n")
    child.stdin.flush()
    lines: list[str] = []
    while not any(line.startswith("pid ") for line in lines):
        lines.append(child.stdout.readline())
    if rng.random() < 0.85 and len(lines) == 1:
        lines.append(child.stdout.readline())
    time.sleep(rng.random() * (0.25 if len(lines) > 1 else 0.1))
    writer = next(int(line[4:]) for line in lines if line.startswith("pid "))
    os.kill(writer, signal.SIGKILL)
    while lines[-1] != "dead\n":
        lines.append(child.stdout.readline())
        assert lines[-1], "the forking process died"
    return [line.split("\t") for line in lines if line.count("\t") == 4]


def _check(path: Path, acknowledged: list[list[str]], *, thorough: bool) -> bool:
    """Whether the tables lagged behind the journal at the kill; fails when anything is lost or differs."""
    store_is_there = (path / "meta.lance").exists()
    behind = False
    if store_is_there and acknowledged:
        with Store.open(path, embedder_name="test", embedder_dim=DIM, read_only=True) as reader:
            behind = reader._desks.watermark() < reader._desks.seq
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        units = list(segments.read(store._tables, DIM))
        there = {(unit.agent_id, unit.id): unit for unit in units}
        assert len(there) == len(units)
        for agent, unit_id, seq, rows, removed in acknowledged:
            unit = there[AGENTS[int(agent)], unit_id]
            assert (unit.seq, len(unit.removed)) == (int(seq), int(removed))
            assert len(unit.rows) <= int(rows)
        if thorough:
            assert store.verify() == []
        for agent in AGENTS:
            plain = Plain(agent)
            for unit in units:
                if unit.agent_id == agent:
                    gone = [row for row in plain.rows.values() if stored_key(row) in unit.removed]
                    plain.apply(list(unit.rows), gone, unit.seq)
            plain.agree(store.view(agent), random.Random(1))
    return behind
