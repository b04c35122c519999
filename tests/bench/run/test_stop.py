"""Ctrl-C: a run stops at once, whatever its systems do, and goes on later from where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arandu_lab.bench.pool import interrupts

Config = Callable[..., Path]

SLOW = """
import os, time
from pathlib import Path
from pond_fakes import Keeper

HERE = Path(__file__).parent


class Slow(Keeper):
    \"\"\"Never waits for anything that a cancellation would reach, and swallows what it is told.\"\"\"

    async def listen(self, turn):
        (HERE / "began").touch()
        for _ in range(200 if not (HERE / "quick").exists() else 0):
            try:
                time.sleep(0.05)
            except KeyboardInterrupt:
                (HERE / "swallowed").touch()
                break
        return await super().listen(turn)


class Dies(Keeper):
    async def ask(self, question, *, now, k):
        os.kill(os.getpid(), 9)
"""


@pytest.fixture
def start(fakes: str, config: Config, tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    code = tmp_path / "code"
    (code / "pond_slow.py").write_text(SLOW, encoding="utf-8")
    extra = f'[system.keeper]\nbase = "{fakes}:Keeper"\n'
    extra += "".join(f'[system.{name.lower()}]\nbase = "pond_slow:{name}"\n' for name in ("Slow", "Dies"))
    path = config("keeper", "slow", "dies", extra=extra)

    def run(jobs: int, *systems: str) -> subprocess.Popen[str]:
        only = [part for name in systems for part in ("--only", name)]
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "arandu_lab.cli",
                "run",
                path,
                "--out",
                tmp_path / "out",
                "--jobs",
                str(jobs),
                *only,
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(code), str(Path(__file__).parents[3])])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return run


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_the_run(start: Callable[..., subprocess.Popen[str]], tmp_path: Path, jobs: int) -> None:
    """R3: SIGINT to all processes of a run: code 130 soon, one line, nobody left, and what was finished is reused."""
    run = start(jobs, "keeper", "slow")
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "code" / "began").exists() or not list((tmp_path / "out").glob(".steps/*/replay.json")):
            assert time.monotonic() < deadline
            assert run.poll() is None
            time.sleep(0.02)
        began = time.monotonic()
        os.killpg(run.pid, signal.SIGINT)
        _, said = run.communicate(timeout=30)
        took = time.monotonic() - began
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert run.returncode == 130
    assert took < 5  # about a second where nothing else runs
    assert said.count("\n") == 1
    assert "finished are kept" in said
    assert not _alive(run.pid)
    assert (tmp_path / "code" / "swallowed").exists() == (jobs == 1)
    (tmp_path / "code" / "quick").touch()
    shown, _ = start(1, "keeper", "slow").communicate(timeout=60)
    assert "reused 1 of 2 steps: keeper × pond" in shown


def test_a_worker_that_dies_ends_the_run_in_a_line(start: Callable[..., subprocess.Popen[str]]) -> None:
    """R3: a killed worker is a backend's failure, code 4, and leaves nobody behind."""
    run = start(2, "keeper", "dies")
    _, said = run.communicate(timeout=60)
    assert run.returncode == 4
    assert "a worker process died" in said
    assert not _alive(run.pid)


def test_the_handler_is_given_back() -> None:
    """R1: Ctrl-C is ours within the block only; there it is raised, and raised again if it was swallowed."""
    outside = signal.getsignal(signal.SIGINT)  # ignored, where the tests run in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with interrupts() as check:
            check()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                check()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, outside)


def _alive(session: int) -> list[str]:
    time.sleep(0.3)
    said = subprocess.run(["ps", "-o", "stat=,args=", "--sid", str(session)], capture_output=True, text=True).stdout
    return [line for line in said.splitlines() if not line.startswith("Z")]
