"""Every page of every tab is made, in both languages, and shows what it should."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

TABS = [
    *(f"/memory/harbor/{tab}" for tab in ("facts", "entities", "events", "observations", "timeline", "records", "why")),
    *(f"/workspace/atlas/{tab}" for tab in ("facts", "policies", "graph", "conflicts", "records")),
]


@pytest.mark.parametrize("path", TABS)
def test_every_tab_is_a_page(client: TestClient, path: str) -> None:
    """A tab answers with a page that marks itself as the open one."""
    page = client.get(path)
    assert page.status_code == 200, page.text[:500]
    assert 'aria-current="page"' in page.text
