"""A filled store for every test of the browser, one for looking and a copy for those that change it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra browse is not installed")
sys.path.insert(0, str(Path(__file__).parent))

from browsed import NOW, client_of, filled
from starlette.testclient import TestClient

from arandu_lab.browse.opening import Opened, opened


@pytest.fixture(scope="session")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filled store, to be copied."""
    path = tmp_path_factory.mktemp("browse") / "store"
    filled(path)
    return path


@pytest.fixture(scope="session")
def looked(seed: Path) -> Iterator[Opened]:
    """The store itself, for tests that change nothing."""
    found = opened(seed, embedder="hashing", clock=lambda: NOW)
    yield found
    found.close()


@pytest.fixture(scope="module")
def store(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """An open copy of it, shared by the tests of a file: each changes rows of its own."""
    path = tmp_path_factory.mktemp("copy") / "store"
    shutil.copytree(seed, path)
    found = opened(path, embedder="hashing", clock=lambda: NOW)
    yield found
    found.close()


@pytest.fixture
def client(store: Opened) -> TestClient:
    """Somebody who was let in, and may write."""
    return client_of(store)
