"""The command line: one clear line for each error, and whose move is next in the exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arandu_lab import cli
from arandu_lab.config import MemoryConfig
from arandu_lab.errors import BackendError, ConfigError, DatasetError, Regression

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("a"), 2),
        (DatasetError("a"), 3),
        (BackendError("a", kind="timeout", backend="b"), 4),
        (Regression("a"), 5),
        (KeyError("a"), 1),
    ],
)
def test_the_exit_code_says_whose_move_is_next(
    error: Exception, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """R3: each kind of error has its code and one line on stderr; with --debug it is raised as it is."""

    def fails(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fails)
    with pytest.raises(SystemExit) as ended:
        cli.main(["systems"])
    assert ended.value.code == code
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    with pytest.raises(type(error)):
        cli.main(["systems", "--debug"])


def test_wrong_files_are_told_in_a_line(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R3: no such file, not TOML, unknown dataset, unknown system: code 2 and the place; missing data: code 3."""
    assert lab("run", tmp_path / "no.toml")[0] == 2
    broken = tmp_path / "broken.toml"
    broken.write_text("[run", encoding="utf-8")
    code, _, said = lab("run", broken)
    assert (code, "broken.toml: not TOML" in said) == (2, True)
    broken.write_text('[run]\ndatasets = ["harbour_en"]\nsystems = ["bm25"]\n', encoding="utf-8")
    code, _, said = lab("run", broken)
    assert (code, "did you mean 'harbor_en'?" in said) == (2, True)
    code, _, said = lab("run", config("bm25"), "--only", "bm26")
    assert (code, "did you mean" in said or "known: bm25" in said) == (2, True)
    assert lab("run", config("bm25"), "--data", tmp_path / "nothing.json")[0] == 3


def test_data_may_be_the_file_of_the_only_dataset(lab: Lab, config: Config, pond: Path, tmp_path: Path) -> None:
    """R1: --data names the dataset's place, made.toml remembers it, and the address is that of its bytes."""
    path = tmp_path / "elsewhere.toml"
    path.write_text(
        '[run]\nname = "pond"\ndatasets = ["locomo"]\nsystems = ["bm25"]\nmeasures = ["R@1", "R@3", "RR"]\n'
        "curve = [1, 3]\ndepth = 4\n",
        encoding="utf-8",
    )
    assert lab("run", path, "--data", pond)[0] == 0
    (made,) = (tmp_path / "results").glob("*/made.toml")
    assert lab("run", made)[1].count("1 of 1 steps reused") == 1
    assert lab("run", config("bm25"))[1].count("1 of 1 steps reused") == 1


def test_only_runs_some_systems(lab: Lab, config: Config) -> None:
    """R1: --only narrows the run and its address, and reuses what the whole run knows."""
    path = config("bm25", "random", "recency")
    lab("run", path)
    code, out, _ = lab("run", path, "--only", "random")
    assert code == 0
    assert "1 of 1 steps reused" in out
    assert "bm25" not in out


def test_compare_pairs_questions_and_refuses_other_data(lab: Lab, config: Config, tmp_path: Path, pond: Path) -> None:
    """R1: two results of the same data are compared question by question; of different data, not at all."""
    lab("run", config("bm25", name="one"))
    lab("run", config("bm25", name="two", extra='[system.bm25]\ntemplate = "text"'))
    code, out, _ = lab("compare", "one", "two")
    assert code == 0
    assert "R@3" in out
    questions = pond / "questions.jsonl"
    questions.write_text("".join(questions.read_text("utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    lab("run", config("bm25", name="three"))
    code, _, said = lab("compare", "one", "three")
    assert code == 2
    assert "different data (pond)" in said


@pytest.mark.parametrize("command", [("jobs", "--agent", "a"), ("why", "--agent", "a", "Where does Ana live?")])
def test_a_setting_that_nobody_has_is_refused(lab: Lab, tmp_path: Path, command: tuple[str, ...]) -> None:
    """R3: a typo in --set ends the command with 2 and the nearest name, before anything is read or done."""
    name, *given = command
    code, _, said = lab(name, tmp_path / "store", *given, "--set", "cluster_bach=1")
    assert (code, "did you mean 'cluster_batch'?" in said) == (2, True)
    assert not (tmp_path / "store").exists()


def test_every_setting_is_shown(lab: Lab) -> None:
    """R1: `config` names every setting with its doc; `--toml` is TOML that MemoryConfig takes back unchanged."""
    import tomllib

    _, out, _ = lab("config")
    assert all(name in out for name in MemoryConfig.model_fields)
    _, out, _ = lab("config", "--toml")
    assert MemoryConfig(**tomllib.loads(out)) == MemoryConfig()


def test_what_is_in_the_box(lab: Lab) -> None:
    """R1: `systems` lists every base with its settings, `datasets` every dataset with its licence."""
    _, out, _ = lab("systems")
    assert all(name in out for name in ("arandu", "arandu-blind", "bm25", "oracle"))
    _, out, _ = lab("datasets")
    assert "harbor_en" in out
    assert "CC BY-NC 4.0" in out
