"""A sweep that was written is opened again: the same figures, the same best, the same pictures, and nothing is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.made import find_result, read_result
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.result import Sweep
from arandu_lab.bench.sweeps.run import sweep
from arandu_lab.errors import ConfigError, DatasetError

ROW = Row(name="mine", base="arandu", options={"embedder": "hashing"})


@pytest.fixture(scope="module")
def swept(towns: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """A sweep of two numbers and a mapping, with a held-out conversation."""
    grid = {"topk_facts": [1, 20], "min_reranker_score": [0.0, 0.1]}
    results = tmp_path_factory.mktemp("results")
    options: dict[str, Any] = {"measures": ["R@5", "RR"], "jobs": 1, "progress": False, "hold_out": ["c3"]}
    return sweep(ROW, grid, towns, results=results, **options)


def test_what_was_written_is_read_back(swept: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field, table, claim and page of a sweep is what it was, and no memory, model or dataset is touched."""
    monkeypatch.setattr("arandu_lab.bench.sweeps.run.load_datasets", _never)
    monkeypatch.setattr("arandu_lab.bench.sweeps.ingested.memory_of", _never)
    assert swept.folder is not None
    again = Sweep.read(swept.folder)
    for name in ("answers", "written", "errors"):
        assert getattr(again, name).equals(getattr(swept, name), null_equal=True), name
        assert getattr(again, name).schema == getattr(swept, name).schema
    plain = [one for one in Sweep.__dataclass_fields__ if one not in ("answers", "written", "errors", "_made")]
    assert {one: getattr(again, one) for one in plain} == {one: getattr(swept, one) for one in plain}
    for measure in swept.measures:
        assert again.table(measure).equals(swept.table(measure))
        assert again.effects(measure).equals(swept.effects(measure))
        assert again.per_question(measure).equals(swept.per_question(measure))
        assert str(again.best(measure)) == str(swept.best(measure))
    assert again.plot().to_dict() == swept.plot().to_dict()
    assert again.to_markdown() == swept.to_markdown() == (swept.folder / "report.md").read_text(encoding="utf-8")
    assert again.to_html() == swept.to_html()


def test_it_is_found_by_the_beginning_of_its_address(swept: Sweep) -> None:
    """Among results of its kind; a name that none has offers those that are sweeps."""
    assert swept.folder is not None
    assert Sweep.read(swept.address[:9], swept.folder.parent).points == swept.points
    with pytest.raises(ConfigError, match=f"no sweep 'swept'.*known: {swept.address}"):
        Sweep.read("swept", swept.folder.parent)


def test_a_sweep_is_no_result_of_a_run(swept: Sweep) -> None:
    """Who looks for a run is not offered sweeps, and who gives one by its name hears what it is."""
    assert swept.folder is not None
    results = swept.folder.parent
    with pytest.raises(ConfigError, match=r"no result 'quickstart' in .*there is no result of any name"):
        find_result("quickstart", results)
    with pytest.raises(ConfigError, match=r"is of a sweep \(Sweep.read opens it\)"):
        read_result(find_result(swept.address, results))


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("sweep.json", b'{"name": "sweep"'),
        ("sweep.json", b"[]"),
        ("answers.parquet", b"PAR1"),
        ("written.parquet", None),
    ],
)
def test_damage_is_an_error_with_its_folder(swept: Sweep, tmp_path: Path, file: str, damage: bytes | None) -> None:
    """A file that is cut short, is something else or is gone is said with the folder and what to do; nothing is empty."""
    place = _copy(swept, tmp_path)
    (place / file).unlink()
    if damage is not None:
        (place / file).write_bytes(damage)
    with pytest.raises(DatasetError, match=f"{place}: kept, but damaged .*a run makes it again"):
        Sweep.read(place)


def test_parts_of_two_sweeps_are_not_one(swept: Sweep, tmp_path: Path) -> None:
    """Answers under a setting that the sweep does not have are damage, not a table with holes."""
    import polars as pl

    place = _copy(swept, tmp_path)
    swept.answers.with_columns(pl.col("point") + 100).write_parquet(place / "answers.parquet")
    with pytest.raises(DatasetError, match="are of different settings"):
        Sweep.read(place)
    swept.answers.drop("RR").write_parquet(place / "answers.parquet")
    with pytest.raises(DatasetError, match="no column 'RR'"):
        Sweep.read(place)
    swept.answers.clear().write_parquet(place / "answers.parquet")
    with pytest.raises(DatasetError, match="holds no answers"):
        Sweep.read(place)


def test_an_older_sweep_says_how_to_open_it(swept: Sweep, tmp_path: Path) -> None:
    """A folder from before sweeps could be read says that the same sweep again writes what is missing."""
    place = _copy(swept, tmp_path)
    (place / "sweep.json").unlink()
    with pytest.raises(DatasetError, match="the same sweep again writes it"):
        Sweep.read(place)


def _copy(swept: Sweep, place: Path) -> Path:
    import shutil

    assert swept.folder is not None
    return Path(shutil.copytree(swept.folder, place / swept.address))


def _never(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("nothing may be asked again")
