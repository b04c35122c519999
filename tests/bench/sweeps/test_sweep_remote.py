"""Artefacts away from here: an object store on loopback, and what a second machine finds there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.remote import Shelf
from arandu_lab.bench.sweeps.run import sweep
from arandu_lab.errors import BackendError, ConfigError

ROW = Row(name="mine", base="arandu", options={"embedder": "hashing"})


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of an S3 server on loopback, which is stopped afterwards."""
    server_of = pytest.importorskip("moto.server")
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("s3fs")
    server = server_of.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in (
            ("AWS_ACCESS_KEY_ID", "x"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("AWS_DEFAULT_REGION", "us-east-1"),
        ):
            monkeypatch.setenv(name, value)
        monkeypatch.setitem(fsspec.config.conf, "s3", {"endpoint_url": f"http://{host}:{port}"})
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("lab")
        yield "s3://lab/results"
    finally:
        server.stop()


@pytest.mark.slow
def test_another_machine_goes_on_from_an_object_store(
    bucket: str, towns: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories and answers travel as archives: a machine with nothing of its own redoes nothing, and finds the same."""
    monkeypatch.setattr("arandu_lab.bench.sweeps.page.write_sweep", _sent)
    monkeypatch.setattr("tempfile.tempdir", str(_made(tmp_path / "one")))
    told: list[tuple[int, int, str]] = []
    alone = towns.slice(["c1", "c2"])
    options = {"measures": ["R@5"], "jobs": 1, "results": bucket}
    first = sweep(ROW, {"topk_facts": [1, 20]}, alone, progress=False, **options)
    monkeypatch.setattr("tempfile.tempdir", str(_made(tmp_path / "two")))
    again = sweep(ROW, {"topk_facts": [1, 20]}, alone, progress=lambda *one: told.append(one), **options)
    assert again.table().equals(first.table())
    assert {of for _, of, _ in told} == {0}
    assert again.folder != first.folder
    assert Shelf(bucket, tmp_path / "three").fetch(first.address).joinpath("report.html").is_file()  # type: ignore[union-attr]


def test_a_store_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store away that fails is a backend's failure with its place; a kind of store that nobody knows is refused."""
    shelf = Shelf("memory://lab", tmp_path)
    assert shelf.fetch("ingested/nothing") is None
    monkeypatch.setattr(shelf._files, "exists", lambda path: (_ for _ in ()).throw(OSError("no route")))
    with pytest.raises(BackendError, match="no route"):
        shelf.fetch("ingested/nothing")
    with pytest.raises(ConfigError, match=r"nowhere://"):
        Shelf("nowhere://lab")


def test_a_shelf_here_is_a_folder(tmp_path: Path) -> None:
    """Where results are a folder nothing is packed: an artefact is where it was made."""
    shelf = Shelf(tmp_path)
    assert not shelf.holds("ingested/a")
    (tmp_path / "ingested" / "a").mkdir(parents=True)
    shelf.send("ingested/a")
    assert shelf.fetch("ingested/a") == tmp_path / "ingested" / "a"


def _sent(found: Any, course: Any, shelf: Shelf) -> Path:
    """A report without its drawing."""
    shelf.folder(found.address).mkdir(parents=True, exist_ok=True)
    (shelf.folder(found.address) / "report.html").write_text("report")
    shelf.send(found.address)
    return shelf.folder(found.address)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
