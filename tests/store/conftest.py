"""What the store's tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arandu_lab.store import Store

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open store on disk with vectors of width 16."""
    with Store.open(tmp_path / "store", embedder_name="test", embedder_dim=16) as opened:
        yield opened
