"""The tab of records: what it says can be undone is what can be, and why not; without reading a whole journal."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsed import NOW, TOKEN, client_of
from starlette.testclient import TestClient

import arandu_lab.browse.records as tab
from arandu_lab.browse.entity import alike
from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened, opened
from arandu_lab.browse.retiring import retire
from arandu_lab.memory.history import History, undoable
from arandu_lab.pure import undoing
from arandu_lab.store.headers import headers
from arandu_lab.store.ledger import units as ledger
from arandu_lab.store.schema import stored_key


@pytest.fixture(scope="module")
def edited(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A copy of the store in which corrections, a merge, a split, retirements and undoings lie on top of each other."""
    import shutil

    from arandu_lab.records import NewEntity

    path = tmp_path_factory.mktemp("edited") / "store"
    shutil.copytree(seed, path)
    found = opened(path, embedder="hashing", clock=lambda: NOW)
    memory, view = found.memory, found.store.view("harbor")
    live = [view.fact_at(int(place)) for place in view.facts.live(as_of=NOW).nonzero()[0]][:12]
    first = asyncio.run(memory.correct("harbor", live[0].id, "Something else altogether")).facts_updated[0]
    asyncio.run(memory.correct("harbor", first.id, "And something else again"))
    retire(memory, "harbor", live[1].id, by="mara")
    unit = retire(memory, "harbor", live[2].id, by="mara")
    memory.undo("harbor", unit)
    people = [one for one in view.entities() if one.type == "person"]
    memory.merge("harbor", people[0].key, people[1].key)
    fact = next(one for one in live[3:] if view.linked(people[2].key).size)
    linked = view.fact_at(int(view.linked(people[2].key)[0]))
    memory.split("harbor", people[2].key, into=NewEntity(name="Somebody New", type="person"), facts=[linked.id])
    asyncio.run(memory.correct("harbor", fact.id, "Words upon words"))
    yield found
    found.close()


def test_headers_are_the_units_without_their_rows(edited: Opened) -> None:
    """What a header says a unit put and removed is what the unit put and removed, for every unit of every agent."""
    for agent in ("harbor", "atlas"):
        whole = ledger(edited.store, agent)
        told = headers(edited.store, agent, until=edited.store.view(agent).sequence)
        assert [(one.seq, one.id, one.kind, one.note) for one in told] == [
            (one.seq, one.id, one.kind, one.note) for one in whole
        ]
        for short, unit in zip(told, whole, strict=True):
            assert short.put == tuple(map(stored_key, unit.rows))
            assert short.removed == unit.removed


def test_the_way_back_is_that_of_the_whole_journal(edited: Opened) -> None:
    """For each unit, what a history finds from a few rows is what is found with every image of every row at hand."""
    view, whole = edited.store.view("harbor"), ledger(edited.store, "harbor")
    now: dict[Any, undoing.Placed] = {stored_key(row): (row, born) for row, born in view.images()}
    images: dict[Any, undoing.Placed | None] = {}
    history, blocked = History(edited.store, view), 0
    for unit in whole:
        after: dict[Any, undoing.Placed | None] = {
            stored_key(row): (row, born) for row, born in zip(unit.rows, unit.born, strict=True)
        }
        after |= dict.fromkeys(unit.removed)
        header = history.header(unit.id)
        assert header is not None
        if undoable(header):
            was = {key: images.get(key) for key in after}
            want, got = undoing.undone(was, after, now, since=(unit.seq + 1) << 20), history.back(header)
            assert (got.blocked, got.keys) == (want.blocked, want.keys), unit.id
            assert [stored_key(row) for row in got.removed] == [stored_key(row) for row in want.removed]
            assert [(stored_key(row), born) for row, born in got.put] == [
                (stored_key(row), born) for row, born in want.put
            ]
            blocked += bool(got.blocked)
        images |= after
    assert blocked > 1


def test_asking_of_one_unit_says_what_asking_of_all_says(edited: Opened) -> None:
    """``units(only=…)`` is a part of ``units()``, row by row."""
    for row in edited.memory.units("harbor").to_dicts():
        assert edited.memory.units("harbor", only=[row["id"]]).to_dicts() == [row]
    assert edited.memory.units("harbor", only=["none"]).is_empty()


def test_a_button_is_there_exactly_where_undoing_works(edited: Opened) -> None:
    """On the page each unit has a button or a reason; a dry undoing of the first kind goes through, of the second not."""
    page = client_of(edited).get("/memory/harbor/records").text
    offered = set(re.findall(r'name="unit" value="([^"]+)"', page))
    known = {row["id"]: row for row in edited.memory.units("harbor").to_dicts()}
    assert offered == {one for one, row in known.items() if row["undoable"]}
    assert page.count('class="why"') == len(known) - len(offered) > 0
    assert "undone already" in page
    for unit in offered:
        assert edited.memory.undo("harbor", unit, dry_run=True).dry_run


@pytest.mark.parametrize("only", tab.KINDS)
def test_kinds_part_the_records(edited: Opened, only: str) -> None:
    """Each kind has a page, with as many records as the journal has of it; an empty one says so."""
    number = sum(only in ("all", unit.kind) for unit in ledger(edited.store, "harbor"))
    page = client_of(edited).get("/memory/harbor/records", params={"only": only}).text
    assert (f"of {number}" in page) if number else "Nothing of this kind" in page


def post(client: TestClient, path: str, **data: Any) -> str:
    """Send a form, follow where it goes, and give the page."""
    answer = client.post(path, data={"csrf": form_token(TOKEN), **data})
    assert answer.status_code == 303, answer.text[-600:]
    return client.get(answer.headers["location"]).text


def test_entities_are_merged_by_name_and_taken_back(store: Opened, client: TestClient) -> None:
    """The other one is named by its key or by its name; its names lead here; Undo on the next page parts them again."""
    view = store.store.view("harbor")
    into, other = [one for one in view.entities() if one.type == "person"][3:5]
    page = post(client, "/memory/harbor/merge", key=into.key, other=other.name.upper())
    assert "Merged." in page
    assert store.store.view("harbor").entity(other.key) is None
    unit = re.search(r'name="unit" value="([^"]+)"', page)
    assert unit is not None
    post(client, "/memory/harbor/undo", unit=unit[1])
    assert store.store.view("harbor").entity(other.key) is not None
    wrong = client.post("/memory/harbor/merge", data={"csrf": form_token(TOKEN), "key": into.key, "other": "Nobody"})
    assert wrong.status_code == 400
    assert "nobody is called" in wrong.text


def test_an_entity_is_parted_by_facts_and_names(store: Opened, client: TestClient) -> None:
    """The facts that were ticked are of the other one from then on, the rest stays; without a name nothing happens."""
    view = store.store.view("harbor")
    entity = max(view.entities(), key=lambda one: len(view.linked(one.key)))
    facts = [view.fact_at(int(place)).id for place in view.linked(entity.key)[-3:]]
    refused = client.post("/memory/harbor/split", data={"csrf": form_token(TOKEN), "key": entity.key, "fact": facts})
    assert refused.status_code == 400
    page = post(client, "/memory/harbor/split", key=entity.key, fact=facts, name="Another One", type="person")
    assert "Parted." in page
    after = store.store.view("harbor")
    new = next(one for one in after.entities() if one.name == "Another One")
    assert {after.fact_at(int(place)).id for place in after.linked(new.key)} >= set(facts)
    left = {after.fact_at(int(place)).id for place in after.linked(entity.key)}
    assert left
    assert not left & set(facts)


def test_who_may_be_the_same_is_proposed(looked: Opened) -> None:
    """The two Sarahs are proposed to each other, likeliest first and never oneself; a person is not proposed a place."""
    view = looked.store.view("harbor")
    sarahs = [one for one in view.entities() if one.name.startswith("Sarah")]
    assert len(sarahs) > 1
    for one in sarahs:
        found = alike(view, one)
        assert {other.key for other in sarahs} - {one.key} <= {other.key for other in found}
        assert one.key not in {other.key for other in found}
        assert "place" not in {other.type for other in found}


def test_a_history_forgets_with_the_store(seed: Path, tmp_path: Path) -> None:
    """A history that was looked at before a deletion is, after it, that of the journal as it stands, without the words."""
    import shutil

    shutil.copytree(seed, tmp_path / "store")
    found = opened(tmp_path / "store", embedder="hashing", clock=lambda: NOW)
    try:
        memory = found.memory
        asyncio.run(memory.correct("harbor", "f047", "Zanzibar is where she swims"))
        assert "Zanzibar" in client_of(found).get("/memory/harbor/records").text
        memory.forget("harbor", fact_id="f047")
        view = found.store.view("harbor")
        held = list(History(found.store, view).headers())
        assert held == headers(found.store, "harbor", until=view.sequence)[::-1]
        page = client_of(found).get("/memory/harbor/records").text
        assert "Zanzibar" not in page
        assert "forget" in page
    finally:
        found.close()
