"""A place is where its name says: ``~`` is the home of whoever asks, and what cannot be opened is refused, not made here."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab import Memory
from arandu_lab.errors import AranduError, ConfigError
from arandu_lab.places import local
from arandu_lab.store import Store
from arandu_lab.workspace import Workspace

AWAY = ("s3://bucket/mem", "gs://bucket/mem", "memory:///x", "memory://x", "file:///x", "http://host/x", "S3://b")
FIRST, LATER = "abcxyzABCXYZ", "abcxyzABCXYZ019+.-"


def exported(place: Any) -> None:
    with Memory.open("memory://", embedder="hashing") as memory:
        asyncio.run(memory.write("x", "I live in Recife.", "Ana"))
        memory.export("x", place)


def taken_in(place: Any) -> None:
    with Memory.open("memory://", embedder="hashing") as memory:
        memory.import_(place)


def forked(place: Any) -> None:
    with Memory.open("memory://", embedder="hashing") as memory:
        memory.fork(place).close()


def run(*arguments: str) -> None:
    from arandu_lab.cli import app

    app(args=list(arguments), standalone_mode=False)


def of_result(place: Any) -> None:
    from arandu_lab.bench.place import place_of

    place_of(place).mkdir()


def of_config(place: Any) -> None:
    from arandu_lab.bench.plan import read_plan

    read_plan(place)


def of_dataset(place: Any) -> None:
    from arandu_lab.bench.data.registry import load

    load(place)


def of_root(place: Any) -> None:
    from arandu_lab.bench.data.registry import load

    load("harbor_en", root=place)


MADE: dict[str, Callable[[Any], Any]] = {
    "memory": lambda place: Memory.open(place, embedder="hashing").close(),
    "workspace": lambda place: Workspace.open(place, embedder="none").close(),
    "store": lambda place: Store.open(place, embedder_name="test", embedder_dim=4).close(),
    "fork": forked,
    "export": exported,
    "results": of_result,
}
"""What makes something at a place."""

READ: dict[str, Callable[[Any], Any]] = {
    "reader": lambda place: Memory.open(place, embedder="hashing", read_only=True),
    "import": taken_in,
    "config": of_config,
    "dataset": of_dataset,
    "root": of_root,
    "command": lambda place: run("directives", str(place), "--agent", "x"),
    "out": lambda place: run("run", "configs/quickstart.toml", "--out", str(place)),
}
"""What reads there, or would begin there."""


@pytest.mark.parametrize("given", [*AWAY, *map(Path, AWAY), Path("memory://")], ids=repr)
@pytest.mark.parametrize("what", [*MADE, *READ])
def test_an_address_of_elsewhere_is_refused(
    what: str, given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever takes a place says which address it cannot open and what it takes, and makes nothing where one stands."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"nothing here opens \w+:; wants a "):
        {**MADE, **READ}[what](given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", MADE)
@pytest.mark.parametrize("kind", [str, Path])
def test_home_is_home(what: str, kind: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made at ``~/x`` lies in the home of whoever asks, and nothing lies where one stands."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    MADE[what](kind("~/x"))
    assert [one.name for one in home.iterdir()] == ["x"]
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("what", [one for one in READ if one not in ("root", "out")])
def test_what_is_read_is_looked_for_at_home(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing lies at ``~/x`` the message names the place in the home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(AranduError) as refused:
        READ[what]("~/x")
    assert str(tmp_path / "x") in str(refused.value) or what == "dataset"


def test_results_of_a_sweep_may_lie_away() -> None:
    """Where an address is supported it is taken: the steps of a sweep at any address of fsspec."""
    pytest.importorskip("fsspec")
    from arandu_lab.bench.sweeps.remote import Shelf

    assert Shelf("memory://results/x").away


def test_nobody_has_no_home() -> None:
    """``~`` before a name that is no user's is refused, and the message says how a folder of that name is written."""
    with pytest.raises(ConfigError, match=r"\./~nobody-at-all is a folder"):
        local("~nobody-at-all/x")


@given(first=st.sampled_from(FIRST), later=st.text(LATER, min_size=1, max_size=6), rest=st.text("ab/:~ ", max_size=8))
def test_only_a_scheme_is_an_address(first: str, later: str, rest: str) -> None:
    """A name is an address exactly if a scheme stands before it; behind ``./`` anything is a folder, and no ``~`` is a home."""
    with pytest.raises(ConfigError):
        local(f"{first}{later}:/{rest}")
    assert local(f"./{first}{later}:/{rest}") == Path(f"{first}{later}:/{rest}")
    assert local(f"{first}{later}/{rest}") == Path(f"{first}{later}/{rest}")
    assert os.fspath(local(f"{first}/~")) == f"{first}/~"
