"""Where results go and where configurations come from: told before any work is done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from arandu_lab import experiment, sweep
from arandu_lab.bench.place import place_of
from arandu_lab.bench.studies import command as studies
from arandu_lab.bench.studies.command import command, default_config
from arandu_lab.cli import main
from arandu_lab.errors import ConfigError

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_a_place_that_cannot_be_written_is_said_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Experiment, sweep, run and study refuse ``/proc/x`` in one sentence, also for root; no dataset is opened."""

    def opened(*args: Any, **more: Any) -> Any:
        raise AssertionError("work was begun")

    for module in ("run", "data.registry"):
        name = "load_datasets" if module == "run" else "load"
        monkeypatch.setattr(f"arandu_lab.bench.{module}.{name}", opened)
    monkeypatch.setattr(studies, "loaded", opened)
    said = "/proc/x: /proc cannot be written to"
    with pytest.raises(ConfigError, match=said):
        experiment("bm25", "harbor_en", "R@10", results="/proc/x")
    with pytest.raises(ConfigError, match=said):
        sweep("arandu", {"topk_facts": [1, 2]}, "harbor_en", results="/proc/x")
    assert command("extraction", "", ["--results", "/proc/x"]) == 2
    for verb, file in (("run", "quickstart"), ("sweep", "sweep")):
        with pytest.raises(SystemExit) as ended:
            main([verb, str(CONFIGS / f"{file}.toml"), "--out", "/proc/x"])
        assert ended.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(said in line for line in lines)


def test_looking_leaves_nothing(tmp_path: Path) -> None:
    """A good place is given back as it is; whoever asks makes no folder and leaves no file."""
    assert place_of(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["extraction", "reranker", "dedup", "decay"])
def test_a_study_finds_its_file_from_anywhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without ``configs`` the file beside the package is taken; one that lies here goes before it."""
    monkeypatch.chdir(tmp_path)
    assert default_config(name) == CONFIGS / f"study_{name}.toml"
    (tmp_path / "configs").mkdir()
    mine = tmp_path / "configs" / f"study_{name}.toml"
    mine.touch()
    assert default_config(name).resolve() == mine


def test_without_the_repository_it_says_which_file_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the package is installed alone, the message names the file and the option."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules["arandu_lab"], "__file__", str(tmp_path / "site" / "arandu_lab" / "__init__.py"))
    assert command("decay", "", []) == 2
    said = capsys.readouterr().err
    assert "configs/study_decay.toml is wanted" in said
    assert "--config FILE" in said
