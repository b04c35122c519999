"""What is kept under which address, and that the same run is the same bytes."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import arandu_lab
from arandu_lab.bench import artifacts
from arandu_lab.bench.made import find_result, read_result
from arandu_lab.bench.plan import Row, plan_of, read_plan
from arandu_lab.bench.replay import Answer, Replay, Timed
from arandu_lab.bench.rows import changed
from arandu_lab.errors import ConfigError
from arandu_lab.trace import Usage

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]


def found(tmp_path: Path, name: str = "results") -> Path:
    (one,) = (tmp_path / name).glob("*/made.toml")
    return one.parent


def test_a_second_run_is_the_same_bytes(lab: Lab, config: Config, tmp_path: Path, pictures: None) -> None:
    """R1: every file of a result but the two of times comes out byte for byte the same, pictures included."""
    path = config("bm25", "random")
    assert lab("run", path, "--out", tmp_path / "one")[0] == 0
    assert lab("run", path, "--out", tmp_path / "two")[0] == 0
    one, two = found(tmp_path, "one"), found(tmp_path, "two")
    assert one.name == two.name
    names = {file.name for file in one.iterdir()}
    assert names == {file.name for file in two.iterdir()}
    assert {"report.md", "questions.parquet", "recall.svg", "recall.png", "tokens.png", "made.toml"} <= names
    for name in names - {"times.json", "times.parquet"}:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_a_run_that_is_there_is_reused(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R1: the same command again replays nothing, says so, prints the same and leaves every byte, times too."""
    path = config("bm25", "random")
    _, first, _ = lab("run", path)
    before = {file.name: file.read_bytes() for file in found(tmp_path).iterdir()}
    code, second, _ = lab("run", path)
    assert code == 0
    assert "2 of 2 steps reused, 0 replayed" in second
    assert {file.name: file.read_bytes() for file in found(tmp_path).iterdir()} == before
    assert second.split("\n2 of 2")[0].strip() in first


def test_a_changed_option_replays_its_system_only(lab: Lab, config: Config) -> None:
    """R1: another k1 for bm25 leaves random's replay where it is; --force replays both."""
    lab("run", config("bm25", "random"))
    path = config("bm25", "random", extra="[system.bm25]\nk1 = 2.0")
    assert "1 of 2 steps reused, 1 replayed" in lab("run", path)[1]
    assert "0 of 2 steps reused, 2 replayed" in lab("run", path, "--force")[1]


def test_made_toml_repeats_the_run(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R1: made.toml leads to the same address, fills every default, and is the file it was read from."""
    lab("run", config("bm25", "random", extra='[system.bm25]\ntemplate = "text"', run="seed = 7"))
    made = found(tmp_path) / "made.toml"
    before = made.read_bytes()
    code, out, _ = lab("run", made)
    assert code == 0
    assert "2 of 2 steps reused" in out
    code, out, _ = lab("run", made, "--force")
    assert made.read_bytes() == before
    said = tomllib.loads(made.read_text("utf-8"))
    assert said["system"]["bm25"] == {"base": "bm25", "variant": "okapi", "k1": 1.5, "b": 0.75, "template": "text"}
    assert said["system"]["random"]["seed"] == 7
    assert said["made"]["versions"]["polars"]
    assert said["made"]["address"] == made.parent.name


def test_made_toml_refuses_other_data(lab: Lab, config: Config, tmp_path: Path, pond: Path) -> None:
    """R1: when a file of the dataset changes, repeating says that the data differ, with exit code 3."""
    lab("run", config("bm25"))
    with (pond / "entities.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"name": "Olinda", "type": "place", "aliases": []}\n')
    code, _, said = lab("run", found(tmp_path) / "made.toml")
    assert code == 3
    assert "is not the one this run was made with" in said


def test_an_own_system_is_addressed_by_its_source(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> None:
    """R1: editing the file of a system of one's own makes its old replay another system's."""
    path = config("keeper", extra=f'[system.keeper]\nbase = "{fakes}:Keeper"')
    lab("run", path)
    source = tmp_path / "code" / "pond_fakes.py"
    source.write_text(source.read_text("utf-8") + "\n# another thought\n", encoding="utf-8")
    assert "0 of 1 steps reused, 1 replayed" in lab("run", path)[1]


def test_default_options_are_no_part_of_an_address() -> None:
    """R1: a default written out and a default left out are the same system."""
    assert changed(Row(name="a", base="arandu", options={"topk_facts": 20})) == {}
    assert changed(Row(name="a", base="arandu", options={"topk_facts": 5, "llm": "offline/rules"})) == {"topk_facts": 5}
    assert changed(Row(name="b", base="arandu-blind", options={"enable_informed_extraction": False})) == {}


def test_a_replay_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    """R1: keeping and reading a replay loses nothing but errors, which are never kept."""
    answers = [
        Answer(question="q", heard=2, returned=("a",), context_tokens=3, usage=Usage(calls=1), degraded=("judge",)),
        Answer(question="p", heard=2, returned=None, context_tokens=1),
    ]
    done = Replay(
        answers=answers,
        listened=Usage(input_tokens=5),
        by_stage={"x": Usage(calls=2)},
        extracted=[("t", "Ana", "Ana sings", "ADD")],
        live=[("Ana", "Ana sings")],
        times=[Timed(phase="ask", item="q", ms=1.5)],
        turns=2,
    )
    artifacts.keep(tmp_path / "x", done)
    assert artifacts.kept(tmp_path / "x") == done
    assert artifacts.kept(tmp_path / "y") is None


def test_readers_are_not_imported_by_a_replay() -> None:
    """R1: code left out of a step's digest has no part in a step: nothing that replays imports it, directly or not."""
    root = Path(arandu_lab.__file__).parent
    seen: set[str] = set()
    todo = ["bench/run.py"]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in ast.parse((root / name).read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("arandu_lab."):
                parts = node.module.split(".")[1:]
                for one in ("/".join(parts) + ".py", *("/".join([*parts, alias.name]) + ".py" for alias in node.names)):
                    if (root / one).is_file():
                        todo.append(one)
    assert not [name for name in seen if name.startswith(artifacts.READERS)]
    assert all((root / name).exists() for name in artifacts.READERS)


def test_results_are_found_by_the_beginning_of_their_address(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R1: a result is read back with its plan; an unknown name offers the nearest."""
    lab("run", config("bm25"))
    place = found(tmp_path)
    assert find_result(place.name[:8], tmp_path / "results") == place
    plan, frames = read_result(place)
    assert [row.name for row in plan.rows] == ["bm25"]
    assert frames.questions.height == 5
    with pytest.raises(ConfigError, match="did you mean"):
        find_result(place.name[:-1] + "x", tmp_path / "results")


def test_a_sweep_is_no_result_of_a_run(tmp_path: Path) -> None:
    """Where a run is wanted, the folder of a sweep is refused as what it is, not as a damaged run to be deleted."""
    (tmp_path / "made.toml").write_text("[sweep]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown table 'sweep'"):
        read_result(tmp_path)
    (tmp_path / "settings.parquet").touch()
    with pytest.raises(ConfigError, match="is of a sweep"):
        read_result(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ({"run": {"datasets": ["a"], "systems": ["b"], "depht": 3}}, "did you mean 'depth'?"),
        ({"runn": {}}, "unknown table 'runn'; did you mean 'run'?"),
        ({"run": {"datasets": ["a"]}}, "wants systems"),
        ({"run": {"datasets": ["a"], "systems": ["b", "b"]}}, "names 'b' twice"),
        ({"run": {"datasets": ["a"], "systems": ["bm25"]}, "system": {"bm52": {}}}, "did you mean 'bm25'?"),
        ({"run": {"datasets": ["a"], "systems": ["b"], "measures": ["Q@3"]}}, "measure 'Q@3'"),
        ({"run": {"datasets": ["a"], "systems": ["b"], "depth": 5}}, "depth = 5 is less than the cut 10"),
        ({"run": {"datasets": ["a"], "systems": ["b"], "coverage": 2}}, "a share from 0 to 1"),
        ({"run": {"datasets": ["a"], "systems": ["b"], "jobs": True}}, "wants a whole number"),
        ({"run": {"datasets": ["a"], "systems": ["b"], "name": "../x"}}, "wants letters"),
        (
            {"run": {"datasets": ["a"], "systems": ["b"]}, "system": {"b": {"wriet": {"x": {}}}}},
            "did you mean 'write'?",
        ),
    ],
)
def test_a_plan_is_read_strictly(text: dict[str, object], said: str) -> None:
    """R1: a misspelt key, a wrong kind or an impossible value is refused, and the message says what would do."""
    with pytest.raises(ConfigError) as refused:
        plan_of(text)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row(name="x", base="bm52"), "did you mean 'bm25'?"),
        (Row(name="x", base="bm25", options={"k2": 1}), "[system.x] unknown setting 'k2'; known: b, k1"),
        (Row(name="x", base="arandu", options={"topk_fact": 1}), "did you mean 'topk_facts'?"),
        (Row(name="x", base="arandu", options={"min_score": 3}), "min_score"),
        (Row(name="x", base="arandu", write={"informde": {}}), "did you mean 'informed'?"),
        (Row(name="x", base="bm25", read={"judge": {}}), "no read pipeline"),
        (Row(name="x", base="nowhere_at_all:Thing"), "No module named 'nowhere_at_all'"),
    ],
)
def test_a_row_is_checked_before_anything_runs(row: Row, said: str) -> None:
    """R1: an unknown base, setting or stage is refused by name before a turn is heard."""
    with pytest.raises(ConfigError) as refused:
        changed(row)
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["quickstart", "locomo"])
def test_our_configurations_can_be_meant(name: str) -> None:
    """R1: every file in configs/ is read strictly, its rows are known, and our systems stand first."""
    plan = read_plan(Path(__file__).parents[3] / "configs" / f"{name}.toml")
    assert [changed(row) for row in plan.rows][:2] == [{}, {}]
    assert [row.name for row in plan.rows][:2] == ["arandu", "arandu-blind"]
    assert {"random", "recency", "bm25", "dense", "fused", "verbatim"} <= {row.name for row in plan.rows}
