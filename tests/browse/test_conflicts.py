"""Deciding a conflict: an operation that there is, with a record, and both sides stay."""

from __future__ import annotations

import re

import pytest
from browsed import TOKEN
from starlette.testclient import TestClient

from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened
from arandu_lab.knowledge import MemoryConflict, MemoryFact
from arandu_lab.store.ledger import units

PAGE = "/workspace/atlas/conflicts"


def decide(client: TestClient, conflict: MemoryConflict, side: str) -> str:
    """Send the form of a side, and give the page it leads to."""
    data = {"csrf": form_token(TOKEN), "id": conflict.id, "side": side}
    answer = client.post("/workspace/atlas/conflict", data=data)
    return client.get(answer.headers["location"]).text if answer.status_code == 303 else answer.text


@pytest.fixture
def conflict(store: Opened) -> MemoryConflict:
    """The conflict of the store."""
    return next(iter(store.store.view("atlas").shelf(MemoryConflict)))


def holding(store: Opened) -> list[str]:
    """What holds about deploys."""
    facts = store.store.view("atlas").shelf(MemoryFact)
    return [one.content for one in facts if one.topic == "deploys" and one.live_at(store.now())]


def undone(client: TestClient, page: str) -> None:
    """Press the button of what was just done."""
    unit = re.search(r'role="status".*?name="unit" value="([^"]+)"', page, re.S)
    assert unit is not None
    answer = client.post("/workspace/atlas/undo", data={"csrf": form_token(TOKEN), "unit": unit[1]})
    assert answer.status_code == 303


def test_the_other_side_takes_the_place_and_gives_it_back(
    store: Opened, client: TestClient, conflict: MemoryConflict
) -> None:
    """Chosen, the lost side holds, by hand; the row of the conflict is as it was; the first side can be chosen again."""
    assert holding(store) == ["Deploys never run on Fridays"]
    page = decide(client, conflict, "lost")
    assert "Decided." in page
    assert holding(store) == ["Deploys run on Fridays"]
    assert store.store.view("atlas").shelf(MemoryConflict).get(conflict.id) == conflict
    assert units(store.store, "atlas")[-1].kind == "edit"
    assert "Decided before" in client.get(PAGE).text
    page = decide(client, conflict, "kept")
    assert holding(store) == ["Deploys never run on Fridays"]
    undone(client, page)
    assert holding(store) == ["Deploys run on Fridays"]
    decide(client, conflict, "kept")


def test_neither_side_retires_what_holds(store: Opened, client: TestClient, conflict: MemoryConflict) -> None:
    """Then nothing holds under the topic, the page says so and offers nothing; undone, it holds again."""
    before = holding(store)
    page = decide(client, conflict, "neither")
    assert holding(store) == []
    assert "Nothing of it holds any more." in page
    assert 'name="side"' not in page
    assert "nothing to decide" in decide(client, conflict, "lost")
    undone(client, page)
    assert holding(store) == before


@pytest.mark.parametrize("side", ["", "both", "kept"])
def test_a_side_that_holds_or_is_none_is_refused(
    store: Opened, client: TestClient, conflict: MemoryConflict, side: str
) -> None:
    """What holds already cannot be chosen, nor a side that there is not; the journal is as it was."""
    before = store.store.view("atlas").sequence
    assert "cannot be chosen" in decide(client, conflict, side)
    assert store.store.view("atlas").sequence == before
    missing = client.post("/workspace/atlas/conflict", data={"csrf": form_token(TOKEN), "id": "none", "side": "lost"})
    assert missing.status_code == 404
