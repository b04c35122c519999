"""The same sweep on an engine that is not ours: dask and ray, two worker processes each, on loopback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.backends import each
from arandu_lab.bench.sweeps.run import sweep
from arandu_lab.errors import BackendError, ConfigError

ROW = Row(name="mine", base="arandu", options={"embedder": "hashing"})
GRID = {"topk_facts": [1, 20]}


@pytest.mark.parametrize("backend", ["dask", "ray"])
@pytest.mark.slow
def test_an_engine_finds_what_one_process_finds(
    backend: str, towns: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two worker processes of an engine write and read what this process would have, and it is shut down afterwards."""
    pytest.importorskip("distributed" if backend == "dask" else "ray")
    monkeypatch.setattr("arandu_lab.bench.sweeps.page.write_sweep", lambda found, course, shelf: shelf.folder("-"))
    some = towns.slice(["c1", "c2"])
    options: dict[str, Any] = {"measures": ["R@5", "RR"], "progress": False}
    here = sweep(ROW, GRID, some, results=tmp_path / "here", jobs=1, **options)
    there = sweep(ROW, GRID, some, results=tmp_path / "there", jobs=2, backend=backend, **options)
    assert there.table().equals(here.table())
    assert len(list((tmp_path / "there" / "ingested").glob("*/told.json"))) == len(some)
    if backend == "ray":
        import ray

        assert not ray.is_initialized()


def test_unknown_engines_are_refused() -> None:
    """A backend that nobody registered is refused with the nearest name."""
    with pytest.raises(ConfigError, match="did you mean 'dask'"):
        list(each(os.getpid, [(), ()], jobs=2, backend="dusk"))


def test_a_worker_that_dies_is_told() -> None:
    """A worker process that is gone is a backend's failure that says what to do, never a shorter result."""
    with pytest.raises(BackendError, match="a worker process died"):
        list(each(os._exit, [(1,), (2,)], jobs=2))
