"""What counts as too large for memory: rows of every table, of those too that come to the schema later."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsed import NOW

from arandu_lab.knowledge import Sighting
from arandu_lab.records import Observation
from arandu_lab.store import Store
from arandu_lab.store.desks import ROW_BYTES, SMALL, SMALL_BYTES
from arandu_lab.store.schema import PROJECTED


@pytest.mark.parametrize("kind", ["observation", "sighting"])
def test_rows_of_every_table_weigh(tmp_path: Path, kind: str) -> None:
    """An agent whose rows lie in the tables of jobs or of a workspace alone is as heavy as one with as many facts."""
    rows = [
        Observation(
            id=f"o{i}", agent_id="ana", kind="insight", text="t", confidence=1.0, evidence_ids=(), recorded_at=NOW
        )
        if kind == "observation"
        else Sighting(id=f"s{i}", agent_id="ana", agent="iris", text="t", occurred_at=NOW, recorded_at=NOW)
        for i in range(40)
    ]
    with Store.open(tmp_path / "store", embedder_name="none", embedder_dim=0) as store:
        store.append("write", "ana", rows, unit_id="write:a", recorded_at=NOW)
    for room, heavy in ((20 * ROW_BYTES, True), (80 * ROW_BYTES, False)):
        with Store.open(tmp_path / "store", embedder_name="none", embedder_dim=0, view_bytes=room) as store:
            assert store.wide.heavy("ana") is heavy
            assert not store.wide.heavy("rui")


def test_a_table_is_small_only_by_name() -> None:
    """The tables of small rows are of the schema, and a table that nobody named is counted as one of texts."""
    assert set(SMALL) < set(PROJECTED)
    assert SMALL_BYTES < ROW_BYTES
