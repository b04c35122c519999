"""``arandu-lab browse`` in a process of its own: what it prints, that it answers, and how it stops."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from arandu_lab.cli import main


def test_it_prints_an_address_that_lets_in_and_stops_on_ctrl_c(seed: Path) -> None:
    """The first line is an address on loopback with a token: it answers, without it 403; Ctrl-C ends it with code 0 or 130."""
    command = [sys.executable, "-m", "arandu_lab.cli", "browse", str(seed), "--read-only"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            address = running.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), running.stderr and running.stderr.read()
            with urllib.request.urlopen(address, timeout=20) as answer:
                assert answer.status == 200
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(address.split("?")[0], timeout=20)
            running.send_signal(signal.SIGINT)
            assert running.wait(20) in (0, 130)
        finally:
            if running.poll() is None:
                running.kill()


@pytest.mark.parametrize(("more", "said"), [(["--agent", "harbour"], "harbor"), (["--by", " "], "--by")])
def test_wrong_arguments_are_one_line(
    seed: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown agent or a blank name is the user's: exit code 2, with the nearest name."""
    with pytest.raises(SystemExit) as stopped:
        main(["browse", str(seed), "--read-only", *more])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_a_store_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Browsing makes no store."""
    with pytest.raises(SystemExit) as stopped:
        main(["browse", str(tmp_path / "none")])
    assert stopped.value.code == 2
    assert not (tmp_path / "none").exists()
    assert "no memory is there" in capsys.readouterr().err
