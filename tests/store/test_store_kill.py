"""Writers killed at random moments."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arandu_lab.store import Store, segments
from plain import AGENTS, DIM, Plain

CHILD = Path(__file__).with_name("killed_child.py")
ROUNDS = 50
PER_STORE = 10


@pytest.mark.parametrize("rounds", [ROUNDS])
def test_kill_loses_nothing(tmp_path: Path, rounds: int) -> None:
    """I3, I7: after ``kill -9`` at any moment no acknowledged unit is lost, no unit is half there, all tables agree."""
    rng = random.Random(7)
    waiting = _child()
    acknowledged: list[list[str]] = []
    torn = 0
    for turn in range(rounds):
        path = tmp_path / f"store{turn // PER_STORE}"
        if turn % PER_STORE == 0:
            acknowledged = []
        child, waiting = waiting, _child()
        acknowledged += _run_and_kill(child, path, turn, rng)
        torn += _check(path, acknowledged, thorough=turn % 5 == 4 or turn == rounds - 1)
    waiting.kill()
    assert torn > 0, "no kill ever fell between journal and tables: the test proves nothing"


def _child() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, str(CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _run_and_kill(child: subprocess.Popen[str], path: Path, turn: int, rng: random.Random) -> list[list[str]]:
    """Lines acknowledged by a child before it was killed, early (while it opens) or some units later."""
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.stdin.write(f"{path}\t{turn}\t{rng.randrange(10**9)}\n")
    child.stdin.flush()
    first = child.stdout.readline() if rng.random() < 0.85 else ""
    time.sleep(rng.random() * (0.4 if first else 0.1))
    child.kill()
    rest = child.stdout.read()
    child.wait()
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()
    return [line.split("\t") for line in (first + rest).splitlines(keepends=False) if line.count("\t") == 4]


def _check(path: Path, acknowledged: list[list[str]], *, thorough: bool) -> bool:
    """Whether the tables lagged behind the journal at the kill; fails when anything is lost or differs."""
    store_is_there = (path / "meta.lance").exists()
    behind = False
    if store_is_there and acknowledged:
        with Store.open(path, embedder_name="test", embedder_dim=DIM, read_only=True) as reader:
            behind = reader._watermark() < reader._last_seq()
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        units = list(segments.read(store._tables, DIM))
        there = {(unit.agent_id, unit.id): unit for unit in units}
        assert len(there) == len(units)
        for agent, unit_id, seq, rows, removed in acknowledged:
            unit = there[AGENTS[int(agent)], unit_id]
            assert (unit.seq, len(unit.removed)) == (int(seq), int(removed))
            assert len(unit.rows) <= int(rows)
        unknown = len(units) - len(acknowledged)
        assert 0 <= unknown, "units vanished"
        if thorough:
            assert store.verify() == []
        for agent in AGENTS:
            plain = Plain(agent)
            for unit in units:
                if unit.agent_id == agent:
                    gone = [row for row in plain.rows.values() if _key(row) in set(unit.removed)]
                    plain.apply(list(unit.rows), gone, unit.seq)
            plain.agree(store.view(agent), random.Random(1))
    return behind


def _key(row: object) -> tuple[str, str]:
    from arandu_lab.store.schema import stored_key

    return stored_key(row)  # type: ignore[arg-type]
