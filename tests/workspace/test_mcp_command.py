"""``arandu-lab mcp``: what is wrong with its arguments is said before anything is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from arandu_lab.cli import main


@pytest.mark.parametrize("blank", ["--workspace", "--agent", "--role", "--repo", "--session"])
def test_a_wrong_argument_makes_no_store(tmp_path: Path, blank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A blank name is the user's slip: one line that names it, code 2, and no folder where none was."""
    given = {"--workspace": "w", "--agent": "a", "--role": "r", blank: " "}
    with pytest.raises(SystemExit) as stopped:
        main(["mcp", str(tmp_path / "store"), "--embedder", "none", *(part for pair in given.items() for part in pair)])
    assert stopped.value.code == 2
    assert blank[2:] in capsys.readouterr().err
    assert not (tmp_path / "store").exists()
